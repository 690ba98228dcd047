"""The oracle of microaggregation: groups of least squares, by fractions and by trying all of them.

Hansen and Mukherjee 2003: groups of one column that have the least sum of squares are numbers that
stand side by side, each group of k to 2k - 1 of them. Soria-Comas and Domingo-Ferrer 2013, section
3: a distance to the whole table is bounded where each group has one row of each of k stretches.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

Number = int | Fraction


def squares(values: Sequence[Number]) -> Fraction:
    """The sum of squares of the distances of some numbers to their mean."""
    if not values:
        return Fraction(0)
    mean = Fraction(sum(map(Fraction, values))) / len(values)
    return sum(((Fraction(each) - mean) ** 2 for each in values), Fraction(0))


def within(groups: Sequence[Sequence[Number]]) -> Fraction:
    """The sum of squares within groups."""
    return sum(map(squares, groups), Fraction(0))


def share(groups: Sequence[Sequence[Number]]) -> Fraction:
    """The squares within groups, of those of all numbers: SSE / SST; 0 where all are equal."""
    total = squares([each for group in groups for each in group])
    return within(groups) / total if total else Fraction(0)


def least_squares(values: Sequence[Number], k: int) -> Fraction:
    """The least sum of squares of groups of k numbers or more, by a shortest path."""
    ordered = sorted(map(Fraction, values))
    best: list[Fraction | None] = [Fraction(0)]
    for end in range(1, len(ordered) + 1):
        found = [
            before + squares(ordered[end - size : end])
            for size in range(k, min(2 * k - 1, end) + 1)
            if (before := best[end - size]) is not None
        ]
        best.append(min(found) if found else None)
    least = best[-1]
    return squares(ordered) if least is None else least


def partitions(values: Sequence[Number], k: int) -> Iterator[list[list[Number]]]:
    """Every way to put numbers into groups of k or more, whether they stand side by side or not."""
    if not values:
        yield []
        return
    first, *rest = values
    for taken in range(1 << len(rest)):
        group = [first, *(each for place, each in enumerate(rest) if taken >> place & 1)]
        left = [each for place, each in enumerate(rest) if not taken >> place & 1]
        if len(group) >= k and (not left or len(left) >= k):
            for others in partitions(left, k):
                yield [group, *others]


def ordered_bound(rows: int, k: int) -> Fraction:
    """The most that a group's ordered distance to all rows can be, with a row of each stretch.

    Of ``rows`` different values, a multiple of k (Soria-Comas and Domingo-Ferrer 2013, section 3).
    """
    return Fraction(rows - k, 2 * (rows - 1) * k)
