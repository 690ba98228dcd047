"""Calendar levels: which units of a date lie whole in which others, known without any data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from math import gcd
from typing import Literal

Unit = Literal["day", "week", "month", "quarter", "year", "decade"]

# A week can begin in one month, year or decade and end in the next, so it lies in none of them.
_LIES_IN: dict[Unit, tuple[Unit, ...]] = {
    "day": ("day", "week", "month", "quarter", "year", "decade"),
    "week": ("week",),
    "month": ("month", "quarter", "year", "decade"),
    "quarter": ("quarter", "year", "decade"),
    "year": ("year", "decade"),
    "decade": ("decade",),
}
_LAST_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_QUARTER_ENDS = ((3, 31), (6, 30), (9, 30), (12, 31))
_YEAR_END = (12, 31)
_NEXT_TO_AGES = ("month", "quarter", "year")


@dataclass(frozen=True)
class Ages:
    """Bands of complete years of age on a stated day, for a date of birth."""

    width: int
    at: date

    @property
    def end(self) -> tuple[int, int]:
        """The last birthday that counts: whoever is born later in the year is a year younger."""
        return self.at.month, self.at.day

    def __str__(self) -> str:
        return f"age_band {self.width} at {self.at.isoformat()}"


CalendarLevel = Unit | Ages


def lies_in(finer: CalendarLevel, coarser: CalendarLevel) -> bool:
    """Whether two dates with one label at the finer level always have one at the coarser.

    >>> lies_in("month", "year"), lies_in("week", "year")
    (True, False)
    """
    if isinstance(finer, Ages):
        return (
            _ages_in_ages(finer, coarser)
            if isinstance(coarser, Ages)
            else _ages_in_unit(finer, coarser)
        )
    return (
        _unit_in_ages(finer, coarser) if isinstance(coarser, Ages) else coarser in _LIES_IN[finer]
    )


def _ages_in_ages(finer: Ages, coarser: Ages) -> bool:
    """Ages on days of one month and day differ by whole years, the same for everybody."""
    shift = coarser.at.year - finer.at.year
    aligned = coarser.width % finer.width == 0 and shift % finer.width == 0
    return aligned and coarser.end == finer.end


def _ages_in_unit(finer: Ages, coarser: Unit) -> bool:
    """Only bands that are whole calendar years lie in a year or a decade."""
    if finer.end != _YEAR_END:
        return False
    if coarser == "year":
        return finer.width == 1
    return coarser == "decade" and 10 % finer.width == 0 and (finer.at.year + 1) % finer.width == 0


def _unit_in_ages(finer: Unit, coarser: Ages) -> bool:
    """A unit of time lies in an age band if no birthday inside of it is still to come that day."""
    month, day = coarser.end
    match finer:
        case "day":
            return True
        case "month":
            # Who is born on 29 February is a year younger only where that is another band.
            leaps = (month, day) == (2, 28) and coarser.at.year % gcd(4, coarser.width) != 0
            return day == _LAST_DAYS[month - 1] or leaps
        case "quarter":
            return (month, day) in _QUARTER_ENDS
        case "year":
            return (month, day) == _YEAR_END
        case "decade":
            whole = coarser.at.year % 10 == 9 and coarser.width % 10 == 0
            return whole and (month, day) == _YEAR_END
        case _:
            return False


def orders(levels: Sequence[CalendarLevel]) -> list[list[CalendarLevel]]:
    """Orders that nest, finest first: each level stands in the longest that it can stand in.

    >>> orders(["year", "week", "month"])
    [['month', 'year'], ['week']]
    """
    distinct = list(dict.fromkeys(levels))
    above = {
        level: [other for other in distinct if _precedes(level, other, distinct)]
        for level in distinct
    }
    below = {level: [other for other in distinct if level in above[other]] for level in distinct}
    expressions: list[list[CalendarLevel]] = []
    for level in distinct:
        if not any(level in order for order in expressions):
            down = _longest(level, below, {})
            expressions.append([*reversed(down), *_longest(level, above, {})[1:]])
    return sorted(expressions, key=len, reverse=True)


def _precedes(
    level: CalendarLevel, other: CalendarLevel, distinct: Sequence[CalendarLevel]
) -> bool:
    """Whether a level stands below another; of two that are one partition, the first one does."""
    if level == other or not lies_in(level, other):
        return False
    return not lies_in(other, level) or distinct.index(level) < distinct.index(other)


def _longest(
    level: CalendarLevel,
    further: Mapping[CalendarLevel, Sequence[CalendarLevel]],
    known: dict[CalendarLevel, list[CalendarLevel]],
) -> list[CalendarLevel]:
    """The longest way from a level on; ways that are known are not walked again."""
    if level not in known:
        ways = [_longest(other, further, known) for other in further[level]]
        known[level] = [level, *max(ways, key=len, default=[])]
    return known[level]


def nesting_fault(levels: Sequence[CalendarLevel]) -> str:
    """The first two levels that do not nest, and the orders of the levels that do; "" if none."""
    for finer, coarser in pairwise(levels):
        if not lies_in(finer, coarser):
            fitting = " or ".join(f"[{', '.join(map(str, order))}]" for order in orders(levels))
            reason = _reason(finer, coarser)
            return (
                f"dates must nest, and {finer} does not lie whole in {coarser}{reason}. "
                f"Orders that nest: {fitting}"
            )
    return ""


def _reason(finer: CalendarLevel, coarser: CalendarLevel) -> str:
    """Why a level does not lie in another, where that is not seen at once."""
    if isinstance(coarser, Ages):
        if isinstance(finer, Ages):
            return " (the wider band is a multiple of the narrower, at the same day)"
        nests = f", unless that is the last day of a {finer}" if finer in _NEXT_TO_AGES else ""
        return f" (people born in one {finer} can be of two ages on {coarser.at}{nests})"
    if finer == "week" and coarser != "day":
        return f" (a week can begin in one {coarser} and end in the next)"
    return ""
