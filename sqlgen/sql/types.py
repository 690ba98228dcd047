"""Kinds of column types, as far as rules and comparisons tell them apart."""

import re
from dataclasses import dataclass
from enum import StrEnum

from markupsafe import Markup

from sqlgen.sql.render import fragment, name, sql


class Kind(StrEnum):
    """The families of types that hierarchies tell apart."""

    INTEGER = "whole number"
    DECIMAL = "decimal"
    FLOAT = "floating-point number"
    TEXT = "text"
    ENUM = "enum"
    BOOLEAN = "boolean"
    DATE = "date"
    TIMESTAMP = "timestamp"
    TIMESTAMPTZ = "timestamp with time zone"
    TIME = "time"
    UUID = "uuid"
    NULL = "NULL"
    OTHER = "other"


_KINDS = {
    Kind.INTEGER: r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?",
    Kind.DECIMAL: r"DECIMAL\(\d+,\d+\)",
    Kind.FLOAT: "FLOAT|DOUBLE",
    Kind.TEXT: "VARCHAR",
    Kind.ENUM: "ENUM",
    Kind.BOOLEAN: "BOOLEAN",
    Kind.DATE: "DATE",
    Kind.TIMESTAMP: "TIMESTAMP(_S|_MS|_NS)?",
    Kind.TIMESTAMPTZ: "TIMESTAMP WITH TIME ZONE",
    Kind.TIME: "TIME",
    Kind.UUID: "UUID",
    # The type of a bare NULL, which a view has and, from DuckDB 2.0 on, a table.
    Kind.NULL: '"NULL"',
}


@dataclass(frozen=True)
class Column:
    """A column of the source: its name and its type as the engine spells it."""

    name: str
    type: str

    @property
    def kind(self) -> Kind:
        """The family of the column's type."""
        for kind, pattern in _KINDS.items():
            if re.fullmatch(pattern, self.type):
                return kind
        return Kind.OTHER

    @property
    def scale(self) -> int:
        """How many digits after the point count; floating-point numbers are read to 12."""
        if self.kind is Kind.FLOAT:
            return 12
        return int(self.type[:-1].split(",")[1]) if self.kind is Kind.DECIMAL else 0

    @property
    def precision(self) -> int:
        """How many digits a decimal has in all; 0 of any other type."""
        if self.kind is not Kind.DECIMAL:
            return 0
        return int(self.type.removeprefix("DECIMAL(").split(",")[0])

    @property
    def is_text(self) -> bool:
        """Whether values are read and released as text.

        An enum's are, for its type lists values no row may hold; so is NULL without a type.
        """
        return self.kind in (Kind.TEXT, Kind.ENUM, Kind.NULL)

    @property
    def has_distances(self) -> bool:
        """Whether values are numbers or dates, which are near to each other or far."""
        numbers = (Kind.INTEGER, Kind.DECIMAL, Kind.FLOAT)
        return self.kind in (*numbers, Kind.DATE, Kind.TIMESTAMP, Kind.TIMESTAMPTZ)

    def plain(self, table: str) -> Markup:
        """The column as an observer compares it: bytewise for text, whatever its collation.

        Under NOCASE 'a' and 'A' would be one class that a reader can still tell apart.
        """
        if self.is_text:
            return self._text(table)
        column = name((table, self.name))
        if self.kind is not Kind.OTHER:
            return column
        # A nested or unusual type: text in place of its enums.
        return sql("CAST({column} AS {type})", column=column, type=Markup(self.type))

    def shown(self, table: str) -> Markup:
        """The column as a reader of a file tells values apart: 0.0 and -0.0 are two."""
        return self.plain(table) if self.compares_as_read else self._text(table)

    @property
    def compares_as_read(self) -> bool:
        """Whether equal values look the same; not 0.0 and -0.0, nor 1 month and 30 days."""
        return self.kind not in (Kind.FLOAT, Kind.OTHER)

    def _text(self, table: str) -> Markup:
        return fragment("engines/duckdb/value_text", parts=(table, self.name))


_ENUM = r"ENUM\('(?:[^']|'')*'(?:, '(?:[^']|'')*')*\)"


def enums_in(spelled: str) -> frozenset[str]:
    """The enums that a type is or holds, however deep.

    >>> sorted(enums_in("STRUCT(a ENUM('x'), b MAP(VARCHAR, ENUM('y', 'it''s')[]))"))
    ["ENUM('x')", "ENUM('y', 'it''s')"]
    """
    return frozenset(re.findall(_ENUM, spelled))


def without_enums(spelled: str) -> str:
    """A type as the engine spells it, text in place of enums, whose types spell out values.

    >>> without_enums("ENUM('a', 'b')"), without_enums("STRUCT(d ENUM('it''s'))[]")
    ('ENUM', 'STRUCT(d VARCHAR)[]')
    """
    return "ENUM" if re.fullmatch(_ENUM, spelled) else re.sub(_ENUM, "VARCHAR", spelled)
