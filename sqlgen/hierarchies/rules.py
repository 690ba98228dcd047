"""Hierarchies as rules: one class per rule, holding what the user writes and the SQL it becomes.

A rule gives one level per entry. Each level is an expression over ``value``, one distinct value
of the column, and gives NULL where the rule does not cover the value.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_CEILING, Decimal, localcontext
from itertools import pairwise
from typing import Annotated, Any

from markupsafe import Markup
from pydantic import (
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    WithJsonSchema,
    model_validator,
)

from sqlgen.errors import PolicyError
from sqlgen.hierarchies.calendar import Ages, Unit, nesting_fault
from sqlgen.sql.expression import label_expression
from sqlgen.sql.numbers import DIGITS
from sqlgen.sql.render import fragment, literal, sql
from sqlgen.sql.types import Column, Kind

TOP = "*"

_NUMBERS = (Kind.INTEGER, Kind.DECIMAL, Kind.FLOAT)
_DATES = (Kind.DATE, Kind.TIMESTAMP, Kind.TIMESTAMPTZ)
# ISO 8601 weeks cross months and years, so they nest in neither.
_DATE_PATTERNS = {
    "day": "STRFTIME({day}, '%Y-%m-%d')",
    "week": "STRFTIME({day}, '%G-W%V')",
    "month": "STRFTIME({day}, '%Y-%m')",
    "quarter": "STRFTIME({day}, '%Y') || '-Q' || CAST(QUARTER({day}) AS VARCHAR)",
    "year": "STRFTIME({day}, '%Y')",
    "decade": "SUBSTRING(STRFTIME({day}, '%Y'), 1, 3) || '0s'",
}
_DAY_PATTERNS = {
    Kind.DATE: "value",
    Kind.TIMESTAMP: "CAST(value AS DATE)",
    Kind.TIMESTAMPTZ: "CAST(value AT TIME ZONE 'UTC' AS DATE)",
}


@dataclass(frozen=True)
class Level:
    """One level of a ladder: what it does in words, and, for a rule, the SQL of its label."""

    words: str
    label: Markup | None = None


# A number or a date, kept as it was written: its digits are shown in labels.
_Edge = Annotated[
    str, WithJsonSchema({"anyOf": [{"type": "number"}, {"type": "string", "minLength": 1}]})
]

# One less than a decimal has, which leaves room for the sums that edges are made of.
_MOST_DIGITS = 37


class Rule(BaseModel):
    """The base of hierarchy rules: a rule compiles to one expression per level."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    def levels(self, column: Column) -> tuple[Level, ...]:
        """The levels between the value itself and the top, finest first."""
        raise NotImplementedError


# One of these has every rule that there is.
_FITTING_TYPES = ("VARCHAR", "INTEGER", "DATE")


def fitting_column(rule: Rule, column: Column) -> Column:
    """The column that a rule reads; one that holds NULL without a type is of whatever type fits."""
    if column.kind is not Kind.NULL:
        return column
    for fitting in (Column(column.name, spelled) for spelled in _FITTING_TYPES):
        with suppress(PolicyError):
            rule.levels(fitting)
            return fitting
    return column


class Suppress(Rule):
    """The value itself, or nothing of it: ``hierarchy: suppress``."""

    def levels(self, column: Column) -> tuple[Level, ...]:  # noqa: ARG002
        """No level between the value itself and the top."""
        return ()


class Cuts(BaseModel):
    """One level of intervals between explicit cuts; outside them ``< first`` and ``>= last``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    cuts: Annotated[tuple[_Edge, ...], Field(min_length=1)]
    closed: bool = Field(False, description="values outside the cuts are not covered")


def _width_or_cuts(entry: object) -> str:
    return "cuts" if isinstance(entry, (Mapping, Cuts)) else "width"


_Width = Annotated[
    Annotated[Decimal, Field(gt=0, allow_inf_nan=False), Tag("width")]
    | Annotated[Cuts, Tag("cuts")],
    Discriminator(_width_or_cuts),
]


class Intervals(Rule):
    """Half-open intervals ``[20, 30)``, by width or by explicit cuts, of numbers or dates."""

    intervals: Annotated[tuple[_Width, ...], Field(min_length=1)]
    origin: _Edge | None = None

    def levels(self, column: Column) -> tuple[Level, ...]:
        """One level per width (days, for dates) or list of cuts."""
        if column.kind not in _NUMBERS + _DATES:
            raise PolicyError(
                f"intervals need a number or a date; the column holds {column.kind}s "
                f"({column.type}). Cast it in source.query"
            )
        return tuple(self._level(entry, column) for entry in self.intervals)

    def _level(self, entry: Decimal | Cuts, column: Column) -> Level:
        if isinstance(entry, Cuts):
            return _cut_level(entry, column)
        if column.kind in _DATES:
            return self._days(entry, column)
        origin = _number(self.origin or "0", "origin")
        scale = max(_places(entry), _places(origin))
        _check_digits([entry, origin], column)
        is_float = column.kind is Kind.FLOAT
        label = fragment(
            "hierarchies/interval",
            written=sql("CAST(value AS VARCHAR)") if is_float else Markup("value"),
            scale=max(scale, column.scale),
            origin=origin,
            width=entry,
            shown_scale=scale,
        )
        return Level(f"intervals of {entry:f}", label)

    def _days(self, width: Decimal, column: Column) -> Level:
        if width != int(width):
            raise PolicyError(f"intervals of dates are whole days; found {width:f}")
        origin = _date(self.origin or "1970-01-01", "origin")
        lower = sql(
            "({day} - CAST((({day} - {origin:literal}) % {width:literal} + "
            "{width:literal}) % {width:literal} AS INTEGER))",
            width=int(width),
            origin=origin,
            day=_day(column),
        )
        label = sql(
            "CASE WHEN YEAR({lower}) >= 1 AND YEAR({lower} + {width:literal}) <= 9999 "
            "THEN\n"
            "        '[' || STRFTIME({lower}, '%Y-%m-%d') || ', ' || STRFTIME({lower} + "
            "{width:literal}, '%Y-%m-%d') || ')'\n"
            "      END",
            width=int(width),
            lower=lower,
        )
        return Level(f"intervals of {int(width)} days from {origin.isoformat()}", label)


class Prefixes(Rule):
    """Keep the first n characters and mask each other one: ``47677`` becomes ``476**``."""

    prefixes: Annotated[tuple[Annotated[int, Field(ge=1), DIGITS], ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _coarser_each_time(self) -> "Prefixes":
        pairs = pairwise(self.prefixes)
        for number, (finer, coarser) in enumerate(pairs, 1):
            if coarser >= finer:
                raise ValueError(
                    f"levels must get coarser; level {number + 1} keeps {coarser} characters, "
                    f"level {number} keeps {finer}"
                )
        return self

    def levels(self, column: Column) -> tuple[Level, ...]:
        """One level per number of characters kept."""
        if column.kind not in (Kind.TEXT, Kind.ENUM, Kind.INTEGER, Kind.UUID):
            raise PolicyError(
                f"prefixes need text; the column holds {column.kind}s ({column.type}). "
                "Cast it in source.query, or use intervals or dates"
            )
        return tuple(
            Level(
                f"first {kept} character{'s' * (kept > 1)}",
                fragment("hierarchies/prefix", kept=kept),
            )
            for kept in self.prefixes
        )


class AgeBand(BaseModel):
    """Complete years of age on a stated day, in bands: ``[30, 40)``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    age_band: Annotated[int, Field(ge=1), DIGITS]
    at: date


def _unit_or_age(entry: object) -> str:
    return "age" if isinstance(entry, (Mapping, AgeBand)) else "unit"


_DateLevel = Annotated[
    Annotated[Unit, Tag("unit")] | Annotated[AgeBand, Tag("age")],
    Discriminator(_unit_or_age),
]


class Dates(Rule):
    """Calendar units of a date, or the age that follows from a date of birth."""

    dates: Annotated[tuple[_DateLevel, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _nested(self) -> "Dates":
        levels = [
            Ages(entry.age_band, entry.at) if isinstance(entry, AgeBand) else entry
            for entry in self.dates
        ]
        if fault := nesting_fault(levels):
            raise ValueError(fault)
        return self

    def levels(self, column: Column) -> tuple[Level, ...]:
        """One level per calendar unit or age band; time zones are read as UTC."""
        if column.kind not in _DATES:
            raise PolicyError(
                f"dates need a date or timestamp; the column holds {column.kind}s "
                f"({column.type}). Cast it in source.query"
            )
        day = _day(column)
        return tuple(
            Level(
                f"age in bands of {entry.age_band} on {entry.at.isoformat()}",
                fragment("hierarchies/age_band", at=entry.at, day=day, width=entry.age_band),
            )
            if isinstance(entry, AgeBand)
            else Level(entry, _date_label(entry, day))
            for entry in self.dates
        )


class Expressions(Rule):
    """One SQL expression per level, over the column alone: ``sql: ["left(zip, 3)"]``."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    expressions: Annotated[tuple[str, ...], Field(min_length=1, alias="sql")]

    def levels(self, column: Column) -> tuple[Level, ...]:
        """One level per expression, as text."""
        return tuple(
            Level(
                f"sql expression {number}",
                label_expression(text, column.name, in_utc=column.kind is Kind.TIMESTAMPTZ),
            )
            for number, text in enumerate(self.expressions, 1)
        )


RULES: dict[str, type[Rule]] = {
    "intervals": Intervals,
    "prefixes": Prefixes,
    "dates": Dates,
    "sql": Expressions,
}


def _cut_level(entry: Cuts, column: Column) -> Level:
    reads: Any = _date if column.kind in _DATES else _number
    bounds = [reads(text, "cuts") for text in entry.cuts]
    if column.kind not in _DATES:
        _check_digits(bounds, column)
    if any(later <= earlier for earlier, later in pairwise(bounds)):
        raise PolicyError(f"cuts must rise; found {', '.join(entry.cuts)}")
    if entry.closed and len(bounds) == 1:
        raise PolicyError("closed ends need two cuts or more; found one")
    labels = [f"[{low}, {high})" for low, high in pairwise(entry.cuts)]
    edges = [_edge(bound, column) for bound in bounds]
    label = fragment(
        "hierarchies/cuts",
        compared=_compared(column),
        inner=list(zip(edges[1:], labels, strict=True)),
        first=edges[0],
        below=Markup("NULL") if entry.closed else literal(f"< {entry.cuts[0]}"),
        above=Markup("NULL") if entry.closed else literal(f">= {entry.cuts[-1]}"),
    )
    return Level(f"cut at {', '.join(entry.cuts)}", label)


def _compared(column: Column) -> Markup:
    """The value in the type in which it is compared with an edge."""
    if column.kind in _DATES:
        return _day(column)
    return (
        sql("CASE WHEN ISFINITE(value) THEN CAST(value AS DOUBLE) END")
        if column.kind is Kind.FLOAT
        else Markup("value")
    )


def _edge(bound: Decimal | date, column: Column) -> Markup:
    """An edge, rounded up to the digits that the column has: no value lies in between.

    So the values need no wider type, and the largest ones are compared as well.
    """
    if isinstance(bound, date):
        return literal(bound)
    if column.kind is Kind.FLOAT:
        return sql("CAST({bound:literal} AS DOUBLE)", bound=bound)
    with localcontext(prec=2 * _MOST_DIGITS):
        return literal(bound.quantize(Decimal(1).scaleb(-column.scale), ROUND_CEILING))


def _date_label(unit: str, day: Markup) -> Markup:
    """The label of a day at a calendar unit; NULL outside the years 1 to 9999."""
    label = sql(_DATE_PATTERNS[unit], day=day)
    return sql("CASE WHEN YEAR({day}) BETWEEN 1 AND 9999 THEN {label} END", day=day, label=label)


def _day(column: Column) -> Markup:
    """The day of a value, for an instant in UTC: no session's time zone moves it to a class."""
    return sql(_DAY_PATTERNS[column.kind])


def _places(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _check_digits(edges: list[Decimal], column: Column) -> None:
    """Refuse edges that no exact decimal can hold beside the column's own digits."""
    places = max(column.scale, *(_places(edge) for edge in edges))
    whole = max(edge.adjusted() + 1 for edge in edges)
    if places + max(whole, 1) > _MOST_DIGITS:
        raise PolicyError(
            f"an edge needs more than {_MOST_DIGITS} digits, which no exact number here has"
        )


def _number(text: str, key: str) -> Decimal:
    try:
        number = Decimal(text)
    except ArithmeticError:
        number = Decimal("NaN")
    if not number.is_finite():
        raise PolicyError(f"{key} must be numbers here; found {text!r}")
    return number


def _date(text: str, key: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise PolicyError(f"{key} must be dates like 2026-01-31 here; found {text!r}") from None
