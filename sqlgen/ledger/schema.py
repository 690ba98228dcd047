"""What the table of a ledger must be, and what must stand in a row of it."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlgen.errors import RefusedError
from sqlgen.policy import RowWindow
from sqlgen.sql.render import ident, quoted_name, statement
from sqlgen.sql.types import Column

UNTIMED = "the ledger does not say in which time its rows came"
# How many columns the first ledgers had.
_FIRST = 28
_COLUMN = re.compile(r"^  (\w+) (.+?)( PRIMARY KEY| NOT NULL)?,?$", re.MULTILINE)


@dataclass(frozen=True)
class DeclaredColumn:
    """A column as a ledger is made with it; one that is ``needed`` is never NULL."""

    name: str
    type: str
    needed: bool


def declared_columns() -> tuple[DeclaredColumn, ...]:
    """The columns that a ledger is made with, read from the statement that makes it."""
    made = statement("ledger/create", ledger=ident("ledger")).text
    return tuple(
        DeclaredColumn(column, type_, bool(n)) for column, type_, n in _COLUMN.findall(made)
    )


def is_ledger(columns: Iterable[Column]) -> bool:
    """Whether a table has the columns of a ledger, in order, of their types.

    The engine quotes the names inside of a type where it must, the statement where it may.
    """
    found = [(column.name, column.type.replace('"', "")) for column in columns]
    return found == [(column.name, column.type.replace('"', "")) for column in declared_columns()]


def refuse_earlier(where: str, parts: Sequence[str], columns: Sequence[Column]) -> None:
    """Refuse a ledger of an earlier sqlgen, which lacks the columns that were added at the end."""
    told = declared_columns()
    made = [(column.name, column.type.replace('"', "")) for column in columns]
    begun = [(each.name, each.type.replace('"', "")) for each in told[: len(made)]]
    lacking = told[len(made) :]
    if made != begun or len(made) < _FIRST or not lacking:
        return
    table = quoted_name(parts)
    alters = "; ".join(
        f"ALTER TABLE {table} ADD COLUMN {each.name} {each.type}" for each in lacking
    )
    raise RefusedError(
        f"{where}: {'.'.join(parts)} is a ledger of an earlier sqlgen, which lacks "
        f"{', '.join(each.name for each in lacking)}. Run {alters}; nothing else in it has to "
        "change. Nothing was changed."
    )


def check_rows(called: str, names: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Refuse a ledger with a NULL where there is none: a copy of one lacks its constraints."""
    needed = {column.name for column in declared_columns() if column.needed}
    for row in rows:
        told = zip(names, row, strict=True)
        lacking = [name for name, value in told if _lacks(value, needed=name in needed)]
        if lacking:
            raise RefusedError(
                f"{called} is something else than a ledger of releases: a row lacks "
                f"{', '.join(lacking)}. Name another table, or mend that row. Nothing was changed."
            )


def _lacks(value: Any, *, needed: bool) -> bool:
    """Whether a value is NULL where none may be, or a list with something that is."""
    if isinstance(value, list):
        return any(each is None or None in each.values() for each in value)
    return value is None and needed


@dataclass(frozen=True)
class EntryWindow:
    """When the rows of a release came, as the ledger tells it; all None for one of all rows."""

    release_id: int
    column: str | None
    type: str | None
    after: str | None
    until: str | None
    settled_rows: int | None

    @property
    def is_recorded(self) -> bool:
        """Whether it is a release of new rows alone, also where not all of that is told."""
        told = (self.column, self.type, self.after, self.until, self.settled_rows)
        return any(each is not None for each in told)

    @property
    def words(self) -> str:
        """Which rows it has, in words, where it has new ones alone."""
        after = f" after {self.after}," if self.after else ""
        by, until = self.column or "no column", self.until or "no moment"
        return f"by {by},{after} until {until}" if self.is_recorded else ""

    @property
    def window(self) -> RowWindow | None:
        """The window of its rows; None for a release of all rows.

        Raises RefusedError where that is not told.
        """
        if not self.is_recorded:
            return None
        after, until = moment(self.after), moment(self.until)
        is_untold = self.settled_rows is None or (self.after is not None and after is None)
        if is_untold or self.column is None or until is None:
            raise unread(self.release_id, UNTIMED)
        return RowWindow(self.column, after, until, type=self.type or "")


def moment(text: str | None) -> datetime | None:
    """A moment as the ledger tells it; None where that is none that can be reckoned with."""
    try:
        return datetime.fromisoformat(text) if text is not None else None
    except ValueError:
        return None


def unread(number: int, fault: str) -> RefusedError:
    """What to say where nothing can be done without knowing more of a release."""
    return RefusedError(
        f"release {number} of the ledger cannot be read: {fault}. Nothing was changed."
    )
