"""Brute force for Anatomy: two tables of one release, in plain Python.

Groups are read from the tables alone. How rows should have been dealt out is told from the counts
of the sensitive values: sorted, numbered from 0, and row r in group r modulo the number of groups.

- Xiao 2006: X. Xiao, Y. Tao. Anatomy: Simple and Effective Privacy Preservation. VLDB 2006.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

Value: TypeAlias = Any
Histogram: TypeAlias = frozenset[tuple[Value, int]]


@dataclass(frozen=True)
class PairOfTables:
    """Two tables: rows of other columns with a group behind them, and (group, value, count)."""

    rows: Sequence[tuple[Value, ...]]
    values: Sequence[tuple[Value, Value, int]]

    @property
    def groups(self) -> dict[Value, Counter[Value]]:
        """Each group with its values, as the second table counts them."""
        groups: dict[Value, Counter[Value]] = {}
        for group, value, count in self.values:
            assert count > 0
            groups.setdefault(group, Counter())[value] += count
        return groups

    @property
    def sizes(self) -> dict[Value, int]:
        """Each group with its rows, as the first table has them."""
        return dict(Counter(row[-1] for row in self.rows))

    def fits_together(self) -> bool:
        """Whether both tables have the same groups, each with the same number of rows."""
        return self.sizes == {group: values.total() for group, values in self.groups.items()}

    def keeps(self, source: Sequence[tuple[Value, ...]]) -> bool:
        """Whether the tables hold the source's rows and its values, which come last there."""
        rows = Counter(row[:-1] for row in self.rows)
        values: Counter[Value] = Counter()
        for counts in self.groups.values():
            values += counts
        return rows == Counter(row[:-1] for row in source) and values == Counter(
            row[-1] for row in source
        )

    def numbers_are_dense(self) -> bool:
        """Whether groups are numbered from 1 on."""
        return sorted(self.sizes, key=repr) == sorted(range(1, len(self.sizes) + 1), key=repr)

    @property
    def histograms(self) -> Counter[Histogram]:
        """The groups' values, whatever the groups are called."""
        return Counter(frozenset(values.items()) for values in self.groups.values())

    def joined(self) -> Counter[tuple[Value, ...]]:
        """What an analyst's join on the group gives: every row with every value of its group."""
        groups = self.groups
        return Counter(
            (*row[:-1], value) for row in self.rows for value in groups[row[-1]].elements()
        )


def by_count(values: Sequence[Value], rank: Callable[[Value], tuple[object, ...]]) -> list[Value]:
    """Values sorted by how often they occur, the most first, and by their rank."""
    counts = Counter(values)
    return sorted(values, key=lambda value: (-counts[value], *rank(value)))


def dealt(ordered: Sequence[Value], groups: int) -> Counter[Histogram]:
    """The groups that sorted values are dealt out to."""
    piles = [Counter(ordered[number::groups]) for number in range(groups)]
    return Counter(frozenset(pile.items()) for pile in piles)


def is_eligible(values: Sequence[Value], least: int) -> bool:
    """Whether no value has more than a 1-in-``least`` share of the rows (Xiao 2006)."""
    return max(Counter(values).values(), default=0) * least <= len(values)


def least_group(values: Sequence[Value], least: int) -> int:
    """The least size of groups of which each can have so many different values, by trying all."""
    counts = Counter(values).values()
    for size in range(1, len(values) + 1):
        groups = len(values) // size
        if sum(min(count, groups) for count in counts) >= least * groups:
            return max(size, least)
    raise AssertionError("there are fewer values than every group is to have")


def fewest_values(histograms: Mapping[Histogram, int]) -> int:
    """The fewest different values of a group."""
    return min(len(histogram) for histogram in histograms)


def ordered_distance(pile: Counter[Value], values: Sequence[Value]) -> Fraction:
    """The earth mover's distance of a group to all values, over sorted different values."""
    places = sorted(set(values))
    every, total, size = Counter(values), len(values), pile.total()
    moved, carried = Fraction(0), Fraction(0)
    for value in places:
        carried += Fraction(pile[value], size) - Fraction(every[value], total)
        moved += abs(carried)
    return moved / max(len(places) - 1, 1)


def bound_by_construction(rows: int, size: int) -> Fraction:
    """The largest distance of a group with a row of each of ``size`` buckets of different values.

    With the first row of each bucket of b = rows / size, the group is ahead of all rows by b - i
    rows after i of a bucket. That is b * (b - 1) / 2 a bucket, over all rows and rows - 1 steps.
    """
    return Fraction(rows - size, 2 * (rows - 1) * size)
