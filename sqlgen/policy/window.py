"""A window: the rows of a source that came between two moments, told by a column of theirs."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

_NEVER = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True)
class RowWindow:
    """The rows that came after one moment and not after another, both in UTC.

    Without an ``after``, all that came until the other. ``series`` is the pattern of the names of
    those releases that go on from one window to the next, ``type`` that of the column: a moment
    parts the rows otherwise by days.
    """

    column: str
    after: datetime | None
    until: datetime
    series: str = ""
    type: str = ""

    def is_apart(self, other: "RowWindow") -> bool:
        """Whether no row can be in both."""
        if (self.column, self.type) != (other.column, other.type):
            return False
        return any(
            late.after is not None and late.after >= early.until
            for early, late in ((self, other), (other, self))
        )


def share_rows(windows: Sequence[RowWindow | None]) -> list[bool]:
    """Of each window, whether a row may be in it and in another; of None, all rows are in it.

    By one look at each, in the order of their beginnings: a ledger has one for every night.
    """
    known = [window for window in windows if window is not None]
    if (
        len(known) < len(windows)
        or len({(known_window.column, known_window.type) for known_window in known}) > 1
    ):
        return [True] * len(windows)
    shared = [False] * len(known)
    latest: int | None = None
    for place in sorted(range(len(known)), key=lambda place: known[place].after or _NEVER):
        if latest is not None and not known[latest].is_apart(known[place]):
            shared[latest] = shared[place] = True
        if latest is None or known[place].until > known[latest].until:
            latest = place
    return shared
