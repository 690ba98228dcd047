"""The columns of a ledger, declared once: its table, what is written and what is read follow."""

import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from markupsafe import Markup

from sqlgen.errors import RefusedError
from sqlgen.ledger.json_values import read_counts, read_decision, read_guarantees, read_texts
from sqlgen.policy import RowWindow
from sqlgen.sql.render import literal, sql
from sqlgen.sql.types import Column

UNTIMED = "the ledger does not say in which time its rows came"


def _as_it_is(value: Any) -> Any:
    return value


@dataclass(frozen=True)
class LedgerColumn:
    """A column of the ledger: its name and type, and how its values are read.

    ``needed`` columns are never NULL. ``read`` makes the value of an Entry from that of the
    database; it raises ValueError for a value that no run writes.
    """

    name: str
    type: str
    needed: bool = True
    is_key: bool = False
    read: Callable[[Any], Any] = _as_it_is

    @property
    def declaration(self) -> Markup:
        """The column in the statement that makes the table."""
        constraint = " PRIMARY KEY" if self.is_key else " NOT NULL" if self.needed else ""
        return Markup(f"{self.name} {self.type}{constraint}")

    @property
    def selected(self) -> Markup:
        """The column in the statement that reads the table: a moment is read as text."""
        column = Markup(self.name)
        if self.type == "TIMESTAMP":
            # As text, because the ledger may hold a moment that Python has no value for.
            return sql("STRFTIME({column}, '%Y-%m-%dT%H:%M:%SZ') AS {column}", column=column)
        return column

    def value(self, value: str | int | Decimal | None) -> Markup:
        """A value for the column, as SQL."""
        written = Markup("NULL") if value is None else literal(value)
        if self.type == "VARCHAR" and value is not None:
            return written
        return sql("CAST({value} AS {type})", value=written, type=Markup(self.type))


COLUMNS = (
    LedgerColumn("release_id", "BIGINT", is_key=True),
    LedgerColumn("released_at", "TIMESTAMP"),
    LedgerColumn("policy", "VARCHAR"),
    LedgerColumn("folder", "VARCHAR"),
    LedgerColumn("policy_fingerprint", "VARCHAR"),
    LedgerColumn("lock_fingerprint", "VARCHAR"),
    LedgerColumn("source", "VARCHAR"),
    LedgerColumn("source_fingerprint", "VARCHAR"),
    LedgerColumn("source_rows", "BIGINT"),
    LedgerColumn("released_rows", "BIGINT"),
    LedgerColumn("suppressed_rows", "BIGINT"),
    LedgerColumn("masked_rows", "BIGINT"),
    LedgerColumn("classes", "BIGINT"),
    LedgerColumn("null_rows", "VARCHAR", read=read_counts),
    LedgerColumn("recoding", "VARCHAR"),
    LedgerColumn("decision", "VARCHAR", read=read_decision),
    LedgerColumn("sensitive_levels", "VARCHAR", read=read_counts),
    LedgerColumn("hierarchies", "VARCHAR", read=read_texts),
    LedgerColumn("guarantees", "VARCHAR", read=read_guarantees),
    LedgerColumn("target_kind", "VARCHAR"),
    LedgerColumn("target", "VARCHAR"),
    LedgerColumn("place", "VARCHAR"),
    LedgerColumn("since_column", "VARCHAR", needed=False),
    LedgerColumn("since_type", "VARCHAR", needed=False),
    LedgerColumn("since_after", "TIMESTAMP", needed=False),
    LedgerColumn("since_until", "TIMESTAMP", needed=False),
    LedgerColumn("settled_rows", "BIGINT", needed=False),
    LedgerColumn("sqlgen_version", "VARCHAR"),
    LedgerColumn("engine_version", "VARCHAR"),
    LedgerColumn("source_query", "VARCHAR", needed=False),
)
# A table that has all these columns is a ledger, of this version or another.
MARKS = ("release_id", "policy_fingerprint", "lock_fingerprint", "released_rows", "target_kind")


def column_names() -> Markup:
    """The names of all columns, in order, on lines that can be read."""
    names = ", ".join(column.name for column in COLUMNS)
    return Markup(textwrap.fill(names, 100, subsequent_indent="  "))


def is_ledger(columns: Iterable[Column]) -> bool:
    """Whether a table has the columns of a ledger, in order, of their types."""
    found = [(column.name, column.type) for column in columns]
    return found == [(column.name, column.type) for column in COLUMNS]


def refuse_earlier(where: str, parts: Sequence[str], columns: Sequence[Column]) -> None:
    """Refuse a ledger of an earlier sqlgen, by the columns that it alone had.

    It kept its guarantees as a list of sentences, or called masked rows withheld.
    """
    types = {column.name: column.type for column in columns}
    is_earlier = types.get("guarantees", "").startswith("STRUCT(") or "withheld_rows" in types
    if all(name in types for name in MARKS) and is_earlier:
        raise RefusedError(
            f"{where}: {'.'.join(parts)} is a ledger of an earlier sqlgen, which this one cannot "
            "read. Rename it, and the next release begins a new one; releases of before are not "
            "read together with later ones. Nothing was changed."
        )


def read_row(called: str, row: Sequence[Any]) -> dict[str, Any]:
    """A row of a ledger as values, by column.

    It refuses values that no run writes, and NULL in columns that are never NULL: a copy of a
    ledger lacks its constraints.
    """
    lacking = [
        column.name
        for column, value in zip(COLUMNS, row, strict=True)
        if column.needed and value is None
    ]
    if lacking:
        raise _not_a_ledger(called, f"a row lacks {', '.join(lacking)}")
    values = {}
    for column, value in zip(COLUMNS, row, strict=True):
        try:
            values[column.name] = column.read(value)
        except (ValueError, TypeError, RecursionError):
            raise _not_a_ledger(called, f"a row has something else in {column.name}") from None
    return values


def _not_a_ledger(called: str, fault: str) -> RefusedError:
    return RefusedError(
        f"{called} is something else than a ledger of releases: {fault}. Name another table, or "
        "mend that row. Nothing was changed."
    )


@dataclass(frozen=True)
class EntryWindow:
    """The time in which a release's rows came, as recorded; all None for a release of all rows."""

    release_id: int
    column: str | None
    type: str | None
    after: str | None
    until: str | None
    settled_rows: int | None

    @property
    def is_recorded(self) -> bool:
        """Whether it is a release of new rows alone, even if the record is incomplete."""
        recorded = (self.column, self.type, self.after, self.until, self.settled_rows)
        return any(value is not None for value in recorded)

    @property
    def words(self) -> str:
        """The window in words; empty for a release of all rows."""
        after = f" after {self.after}," if self.after else ""
        by, until = self.column or "no column", self.until or "no moment"
        return f"by {by},{after} until {until}" if self.is_recorded else ""

    @property
    def window(self) -> RowWindow | None:
        """The window of its rows; None for a release of all rows.

        Raises RefusedError where the record is incomplete.
        """
        if not self.is_recorded:
            return None
        after, until = moment(self.after), moment(self.until)
        lacks_rows = self.settled_rows is None
        lacks_after = self.after is not None and after is None
        if lacks_rows or lacks_after or self.column is None or until is None:
            raise unread(self.release_id, UNTIMED)
        return RowWindow(self.column, after, until, type=self.type or "")


def moment(text: str | None) -> datetime | None:
    """A moment of the ledger; None where there is none, or Python has no value for it."""
    try:
        return datetime.fromisoformat(text) if text is not None else None
    except ValueError:
        return None


def unread(number: int, fault: str) -> RefusedError:
    """The error for a release whose entry is needed and cannot be read."""
    return RefusedError(
        f"release {number} of the ledger cannot be read: {fault}. Nothing was changed."
    )
