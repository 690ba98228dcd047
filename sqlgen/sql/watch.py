"""Watch: who hears of a command while it runs."""

from collections.abc import Callable
from dataclasses import dataclass

from sqlgen.sql.render import Statement


def ignore_progress(_: str) -> None:
    """The receiver of progress messages where the caller gives none."""


@dataclass(frozen=True)
class Watch:
    """Receivers of what a command does: ``progress`` in words, and each statement before it runs.

    With ``show_values`` an error about a hierarchy quotes the values that it is about.
    """

    progress: Callable[[str], None] = ignore_progress
    on_statement: Callable[[Statement], None] | None = None
    show_values: bool = False


NO_WATCH = Watch()
