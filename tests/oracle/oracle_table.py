"""What the guarantees are judged on: a table, its classes, its reference, and a judgement of it.

Everything is exact: counts are whole numbers, shares and thresholds are fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from oracle import Ladder, Row, Rows, Value, classes

ClassKey: TypeAlias = tuple[Value, ...]
Combination: TypeAlias = Value | tuple[Value, ...]
Counts: TypeAlias = Mapping[Any, int]
Distribution: TypeAlias = Mapping[Combination, Fraction]
Figure: TypeAlias = Fraction | float
Threshold: TypeAlias = str | int | float | Decimal | Fraction
Order: TypeAlias = Literal["numeric", "text"] | Sequence[Value]
Reference: TypeAlias = str | Mapping[str, str]


@dataclass(frozen=True)
class Table:
    """A table under judgement: a source, a node, a release or a release under suppression.

    `quasi` are the quasi-identifiers as `rows` hold them, `sensitive` every sensitive column of
    the policy that the table has. `source` is all rows of the policy's source, by default the
    rows themselves. `orders` and `trees` describe sensitive columns, `references` user tables.

    `node` has the level that each quasi-identifier is released at, and `quasi_trees` the ladders
    that lead there, for the values that a user's table has as the source has them. Without them
    the release has the quasi-identifiers as they are.
    """

    rows: Rows
    quasi: Sequence[str]
    sensitive: Sequence[str] = ()
    source: Rows | None = None
    orders: Mapping[str, Order] = field(default_factory=dict)
    trees: Mapping[str, Ladder] = field(default_factory=dict)
    references: Mapping[str, Rows] = field(default_factory=dict)
    quasi_trees: Mapping[str, Ladder] = field(default_factory=dict)
    node: Sequence[int] = ()

    def key(self, row: Row) -> ClassKey:
        """The quasi-identifier values of a row."""
        return tuple(row[column] for column in self.quasi)

    def classes(self) -> dict[ClassKey, list[Row]]:
        """The rows that share their quasi-identifier values, NULL being a value."""
        return classes(self.rows, self.quasi)

    def without(self, leaving: Collection[ClassKey]) -> Table:
        """The table without some of its classes."""
        return replace(self, rows=[row for row in self.rows if self.key(row) not in leaving])


@dataclass(frozen=True)
class Judgement:
    """What a guarantee says of a table: a figure per class, and the classes that fail.

    `measured` is the figure of the table, None where it has no rows. For the attacks that count
    rows or people, a class's figure is how many it affects, `total` and `measured` are those of
    the table, and `broken` says that the limit is exceeded.
    """

    figures: Mapping[ClassKey, Figure]
    failing: frozenset[ClassKey]
    measured: Figure | None
    failing_rows: int
    total: Figure | None = None
    broken: bool = False

    @property
    def met(self) -> bool:
        """Whether the table gives the guarantee."""
        return not self.failing and not self.broken


Verdict: TypeAlias = tuple[Figure, bool]


def judge_classes(
    table: Table,
    verdict: Callable[[list[Row]], Verdict],
    worst: Callable[[Iterable[Figure]], Figure],
) -> Judgement:
    """Each class's figure and whether it fails; the table measures the worst figure."""
    figures: dict[ClassKey, Figure] = {}
    failing = set()
    failing_rows = 0
    for key, members in table.classes().items():
        figures[key], fails = verdict(members)
        if fails:
            failing.add(key)
            failing_rows += len(members)
    measured = worst(figures.values()) if figures else None
    return Judgement(figures, frozenset(failing), measured, failing_rows)


def summed(judged: Judgement, at_most: Threshold, rows: int) -> Judgement:
    """A judgement whose figures are added up over a table of some rows, and held to a limit."""
    total = sum(judged.figures.values(), Fraction(0))
    return replace(
        judged,
        measured=total if judged.figures else None,
        total=total,
        broken=total > limit_of(at_most, rows),
    )


def exact(threshold: Threshold) -> Fraction:
    """A threshold of a policy as an exact number: `5%` and `0.05` are the same."""
    text = str(threshold).strip()
    if text.endswith("%"):
        return Fraction(text.removesuffix("%").strip()) / 100
    return Fraction(text)


def combination(row: Row, columns: Sequence[str]) -> Combination:
    """The value of one column, or the values of several as one."""
    if len(columns) == 1:
        return row[columns[0]]
    return tuple(row[column] for column in columns)


def counts(rows: Rows, columns: Sequence[str]) -> dict[Combination, int]:
    """How many rows have each value, NULL being one."""
    found: dict[Combination, int] = {}
    for row in rows:
        value = combination(row, columns)
        found[value] = found.get(value, 0) + 1
    return found


def distribution(rows: Rows, columns: Sequence[str]) -> dict[Combination, Fraction]:
    """The share of the rows that has each value: P of a class, Q of a table (Li 2007, 4)."""
    return {value: Fraction(c, len(rows)) for value, c in counts(rows, columns).items()}


def reference(
    table: Table, columns: Sequence[str], against: Reference = "released"
) -> dict[Combination, Fraction]:
    """Q, the distribution that a class is held against; values of no share are left out.

    The released table itself (footnote 1 of Li 2007), its source, the uniform distribution over
    the table's distinct values, or a user's table, whose rows count one each or their weight.
    """
    if isinstance(against, Mapping):
        rows = table.references[against["table"]]
        return shares(masses(rows, columns, against.get("weight")))
    if against == "uniform":
        distinct = counts(table.rows, columns)
        return {value: Fraction(1, len(distinct)) for value in distinct}
    if against == "source":
        return distribution(table.rows if table.source is None else table.source, columns)
    assert against == "released", "a reference is released, source, uniform or a table"
    return distribution(table.rows, columns)


def masses(rows: Rows, columns: Sequence[str], weight: str | None) -> dict[Combination, Fraction]:
    """How much each value of a user's table weighs, if anything; without weights, its rows."""
    mass: dict[Combination, Fraction] = {}
    for row in rows:
        value = combination(row, columns)
        of_row = Fraction(1) if weight is None else Fraction(str(row[weight]))
        assert of_row >= 0, "a weight is not negative"
        mass[value] = mass.get(value, Fraction(0)) + of_row
    return {value: m for value, m in mass.items() if m > 0}


def shares(mass: Mapping[Combination, Fraction]) -> dict[Combination, Fraction]:
    """The distribution of what weighs so much."""
    everything = sum(mass.values(), Fraction(0))
    if everything == 0:
        raise ValueError("a reference without rows has no distribution")
    return {value: m / everything for value, m in mass.items()}


def limit_of(limit: Threshold, rows: int) -> Fraction:
    """How many of a table's rows an attack may affect: a whole number is rows, else a share."""
    allowed = exact(limit)
    is_share = str(limit).strip().endswith("%") or allowed.denominator > 1
    return allowed * rows if is_share else allowed
