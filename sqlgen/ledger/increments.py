"""Increments: releases of only the rows that came since the last release, by a column of times.

A window begins where the last window of the ledger ended. It ends at the moment of its run, less
the policy's lag. So the ledger holds moments of runs, and no time that is in the table.
"""

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from sqlgen.engines import DataSource, Engine
from sqlgen.errors import NothingNewError, PolicyError, RefusedError
from sqlgen.ledger.ledger import Entry, read_entries, release_ledger
from sqlgen.ledger.timestamped import series_of, timestamped_entries
from sqlgen.policy import Policy, RowWindow
from sqlgen.sql.render import statement
from sqlgen.staging.job import Job
from sqlgen.staging.row_windows import spelled, time_column, within_sql
from sqlgen.staging.source import find_whole, is_frame
from sqlgen.wording import counted


@dataclass(frozen=True)
class Increment:
    """The next window of a policy, and counts of the source's rows by their time.

    The window begins where that of the release ``last`` ended. ``settled_rows`` counts the rows
    that came before the window, ``untimed_rows`` those without a time, which no window would have.
    """

    window: RowWindow
    last: Entry | None
    new_rows: int
    settled_rows: int
    untimed_rows: int

    @property
    def late_rows(self) -> int:
        """The rows that came too late: before the window, but not counted at the last release."""
        if self.last is None or self.last.settled_rows is None:
            return 0
        return max(self.settled_rows - self.last.settled_rows, 0)

    @property
    def untimed_words(self) -> str:
        """The complaint about rows without a time, as a sentence without its full stop."""
        have = "has" if self.untimed_rows == 1 else "have"
        return (
            f"{counted(self.untimed_rows, 'row')} {have} no {self.window.column}, and would never "
            "be released; fill it, or leave them out with source.query"
        )


def now() -> datetime:
    """The moment of a run."""
    return datetime.now(UTC)


def make_job(engine: Engine, policy: Policy, source: DataSource | None, moment: datetime) -> Job:
    """The job of a command that runs at a moment: of all rows, or of those in the next window."""
    return Job(policy, source, next_window(engine, policy, source, moment), moment)


def next_window(
    engine: Engine, policy: Policy, source: DataSource | None, moment: datetime
) -> RowWindow | None:
    """The window that ends at a moment; None where all rows are released.

    Raises NothingNewError where no row came in it; RefusedError where some rows have no time.
    """
    if policy.since is None:
        return None
    increment = find_increment(engine, policy, source, moment)
    if increment.untimed_rows:
        raise RefusedError(
            f"{policy.where('release', 'since')}: {increment.untimed_words}. Nothing was changed."
        )
    if not increment.new_rows:
        raise NothingNewError(
            f"{policy.where('release', 'since')}: no row is new, {idle_words(increment.window)}. "
            "Nothing was changed."
        )
    return increment.window


def idle_words(window: RowWindow) -> str:
    """The time in which no row came, in words."""
    until = f"{spelled(window.until)} UTC"
    if window.after is None:
        return f"none has a {window.column} until {until}"
    return f"none has a {window.column} after {spelled(window.after)} and until {until}"


def find_increment(
    engine: Engine, policy: Policy, source: DataSource | None, moment: datetime
) -> Increment:
    """The window that ends at a moment, less the lag, and the rows in it.

    It reads in a transaction of its own, so none may be open, and changes nothing.
    """
    since, release = policy.since, policy.release
    assert since is not None
    assert release is not None
    where = policy.where("release", "since")
    if is_frame(source):
        raise PolicyError(
            f"{where}: a DataFrame has no ledger, so nothing is known of what was released. "
            "Nothing was changed."
        )
    until = moment.astimezone(UTC).replace(microsecond=0) - since.delay
    with engine.read():
        whole = find_whole(engine, policy, source)
        column = time_column(whole, since.column, where)
        entries = read_entries(engine, release_ledger(engine, policy))
        _refuse_series_of_others(policy, entries)
        last = last_increment(policy, entries)
        before = last.window if last is not None else None
        if before is not None and before.column != since.column:
            raise RefusedError(
                f"{where}: the releases until now went by {before.column}, so it is not known "
                f"which rows {since.column} makes new. Name another target. Nothing was changed."
            )
        if before is not None and before.type != column.type:
            raise RefusedError(
                f"{where}: {since.column} was {before.type} at the last release and is "
                f"{column.type} now, by which other rows came before that. Name another target. "
                "Nothing was changed."
            )
        after = before.until if before is not None else None
        if after is not None and until <= after:
            raise RefusedError(
                f"{where}: the last release has all rows until {spelled(after)} UTC, and this one "
                f"would end at {spelled(until)}: was the clock set back, or the lag raised? Run "
                "again after that time. Nothing was changed."
            )
        window = RowWindow(since.column, after, until, series_of(release), column.type)
        new_rows, settled_rows, untimed_rows = engine.rows(
            statement(
                "releasing/increment_counts",
                source=whole.sql,
                column=since.column,
                within=within_sql(column, window),
                settled=within_sql(column, replace(before, after=None)) if before else None,
            )
        )[0]
    return Increment(window, last, new_rows, settled_rows, untimed_rows)


def _refuse_series_of_others(policy: Policy, entries: tuple[Entry, ...]) -> None:
    """Refuse a target to which another policy, or one of another source, releases new rows.

    A window that begins where the other policy's last window ended would skip all older rows.
    """
    release = policy.release
    assert release is not None
    for entry in entries:
        alike = entry.target_kind == release.kind and re.fullmatch(series_of(release), entry.target)
        if alike and entry.window is not None and entry.is_beside(policy):
            raise RefusedError(
                f"{policy.where('release', 'since')}: release {entry.release_id} has rows of "
                f"{entry.source or 'a query'} by {entry.policy or 'a policy without a file'}, "
                "under such a name too, and rows are new since the last one. Name another target; "
                "if this is that policy under another name, write its name and source into the "
                "ledger. Nothing was changed."
            )


def last_increment(policy: Policy, entries: tuple[Entry, ...]) -> Entry | None:
    """The last release of new rows to the policy's target."""
    return next(
        (entry for entry in timestamped_entries(policy, entries) if entry.came.is_recorded), None
    )
