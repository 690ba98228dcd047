"""Objectives that add up what each column loses: loss, precision, height, non-uniform entropy."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from operator import getitem
from typing import ClassVar

from sqlgen.metrics.objective import Cost, Metric
from sqlgen.metrics.sums import ClassTotals, TableFacts
from sqlgen.search.lattice import Node


@dataclass(frozen=True)
class Loss(Metric):
    """Generalization loss: the mean share of a column's leaves that a released value covers.

    A released value that covers c of a column's L leaves has share c/L, a suppressed row share 1.
    The column's loss v is the mean share over all source rows, rescaled to
    (mean - 1/L) / (1 - 1/L), and 0 when L is 1. The table's loss is the geometric mean of the
    columns' (1 + v), less 1; or their arithmetic mean; or the largest. Kohlmayer et al. 2012,
    section 5; the measure that ARX minimizes.

    ``cost`` is exact. Geometric: every factor (1 + v) is (S + N (L - 2)) / (N (L - 1)), where S
    adds c up over the rows and the denominator is the same at every node. Otherwise: v is
    (S - N) / (N (L - 1)), brought to one denominator.
    """

    name: ClassVar[str] = "loss"
    citation: ClassVar[str] = "Kohlmayer et al. 2012, section 5; Iyengar 2002"
    needs: ClassVar[frozenset[str]] = frozenset({"leaves"})
    takes_weights: ClassVar[bool] = True

    def bound(self, node: Node) -> Cost:
        """The loss if nothing more than the dropped rows were suppressed."""
        return self._joined(map(getitem, self._parts, node))

    def bound_with(self, node: Node, suppressed: int) -> Cost:
        """The loss if each suppressed row had the labels that cover most."""
        gone = suppressed - self.facts.dropped_rows
        most = [gone * widest.leaves for widest in self.facts.widest(node)]
        return self.cost(ClassTotals(node, self.facts.rows - suppressed, leaves=most))

    def cost(self, tally: ClassTotals) -> Cost:
        """A whole number that orders nodes as their loss does."""
        return self._joined(
            [
                self._part(column, leaves)
                for column, leaves in enumerate(self.leaf_sums(tally.node, tally))
            ]
        )

    def value(self, cost: Cost) -> float:
        """The loss that belongs to a cost: 0 keeps every value, 1 keeps none."""
        if not self.facts.rows:
            return 0.0
        if self.aggregate == "geometric":
            whole = math.prod(
                (self.facts.rows * (slope.leaves - 1)) ** weight
                for slope, weight in zip(self.facts.columns, self.weights, strict=True)
                if slope.leaves > 1
            )
            return math.exp((math.log(cost) - math.log(whole)) / sum(self.weights)) - 1.0
        over = sum(self.weights) if self.aggregate == "arithmetic" else max(self.weights)
        return float(Fraction(cost) / (self.facts.rows * self._spans * over))

    def by_column(self, tally: ClassTotals) -> list[float]:
        """Each column's own loss v, between 0 and 1."""
        rows = self.facts.rows
        return [
            float(Fraction(leaves - rows, rows * (slope.leaves - 1)))
            if slope.leaves > 1 and rows
            else 0.0
            for slope, leaves in zip(
                self.facts.columns, self.leaf_sums(tally.node, tally), strict=True
            )
        ]

    def leaf_sums(self, node: Node, tally: ClassTotals) -> list[int]:
        """Per column, the leaves that rows' labels cover; a suppressed row's covers all."""
        tops = [slope.leaves for slope in self.facts.columns]
        sums = [rung.leaves for rung in self.facts.levels(node)]
        return whole_sums(self.facts, tops, sums, tally.rows, tally.leaves)

    @cached_property
    def _spans(self) -> int:
        return math.lcm(*(slope.leaves - 1 for slope in self.facts.columns if slope.leaves > 1))

    @cached_property
    def _parts(self) -> list[list[int]]:
        dropped = self.facts.dropped_rows
        return [
            [self._part(column, rung.leaves + dropped * slope.leaves) for rung in slope.levels]
            for column, slope in enumerate(self.facts.columns)
        ]

    def _part(self, column: int, leaf_sum: int) -> int:
        rows, leaves = self.facts.rows, self.facts.columns[column].leaves
        weight = self.weights[column]
        if self.aggregate == "geometric":
            return (leaf_sum + rows * (leaves - 2)) ** weight if leaves > 1 else 1
        return weight * (leaf_sum - rows) * (self._spans // (leaves - 1)) if leaves > 1 else 0

    def _joined(self, parts: Iterable[int]) -> int:
        if self.aggregate == "geometric":
            return math.prod(parts)
        return sum(parts) if self.aggregate == "arithmetic" else max(parts, default=0)


@dataclass(frozen=True)
class Precision(Metric):
    """Precision lost: the mean of level / height over cells, a suppressed cell counting 1.

    Sweeney 2002, section 5: 1 less her Prec.
    """

    name: ClassVar[str] = "precision"
    citation: ClassVar[str] = "Sweeney 2002, section 5"
    takes_weights: ClassVar[bool] = True

    def bound(self, node: Node) -> Cost:
        """The precision lost if nothing more than the dropped rows were suppressed."""
        kept = self.facts.kept_rows
        return self._cost([kept * level for level in node], kept)

    def cost(self, tally: ClassTotals) -> Cost:
        """A whole number that orders nodes as their precision does."""
        climbed = tally.climbed or [tally.rows * level for level in tally.node]
        return self._cost(climbed, tally.rows)

    def value(self, cost: Cost) -> float:
        """The mean share of their hierarchies that cells have climbed."""
        whole = self.facts.rows * self._steps * sum(self.weights)
        return float(Fraction(cost) / whole) if whole else 0.0

    @cached_property
    def _steps(self) -> int:
        return math.lcm(*(slope.height for slope in self.facts.columns))

    def _cost(self, climbed: Sequence[int], released: int) -> int:
        kept = sum(
            weight * levels * (self._steps // slope.height)
            for slope, levels, weight in zip(self.facts.columns, climbed, self.weights, strict=True)
        )
        suppressed = self.facts.rows - released
        return kept + suppressed * self._steps * sum(self.weights)


@dataclass(frozen=True)
class Height(Metric):
    """Height: how many levels all columns have climbed. Samarati 2001, section 4."""

    name: ClassVar[str] = "height"
    citation: ClassVar[str] = "Samarati 2001, section 4"
    takes_weights: ClassVar[bool] = True

    def bound(self, node: Node) -> Cost:
        """The height."""
        return sum(weight * level for weight, level in zip(self.weights, node, strict=True))

    def cost(self, tally: ClassTotals) -> Cost:
        """The height."""
        return self.bound(tally.node)

    def value(self, cost: Cost) -> float:
        """The height, in levels."""
        return float(Fraction(cost) * self.unit)


@dataclass(frozen=True)
class NonUniformEntropy(Metric):
    """Non-uniform entropy: what it takes to say which value a label stands for.

    A released label costs ln(n(label) / n(value)), with the source's own counts, and a suppressed
    one ln(N / n(value)). Each column is divided by what it costs when all of it is suppressed; the
    table's figure is the mean of the columns. De Waal and Willenborg 1999; Gionis and Tassa 2009,
    section 4.
    """

    name: ClassVar[str] = "non_uniform_entropy"
    citation: ClassVar[str] = "De Waal and Willenborg 1999; Gionis and Tassa 2009, section 4"
    needs: ClassVar[frozenset[str]] = frozenset({"log_rows"})
    takes_weights: ClassVar[bool] = True

    def bound(self, node: Node) -> Cost:
        """The entropy if nothing more than the dropped rows were suppressed."""
        return self._cost(node, self.facts.kept_rows, ())

    def bound_with(self, node: Node, suppressed: int) -> Cost:
        """The entropy if each suppressed row had the labels that most rows have."""
        gone = suppressed - self.facts.dropped_rows
        most = [gone * widest.log_rows for widest in self.facts.widest(node)]
        return self._cost(node, self.facts.rows - suppressed, most)

    def cost(self, tally: ClassTotals) -> Cost:
        """A whole number that orders nodes as their entropy does."""
        return self._cost(tally.node, tally.rows, tally.log_rows)

    def value(self, cost: Cost) -> float:
        """The mean share of their entropy that the columns have lost."""
        return float(Fraction(cost) / (self._whole * sum(self.weights)))

    @cached_property
    def _spans(self) -> list[int]:
        """Per column, what it costs when all of it is suppressed."""
        rows = self.facts.rows
        return [rows * slope.log_all - slope.own_logs for slope in self.facts.columns]

    @cached_property
    def _whole(self) -> int:
        return math.lcm(*(span for span in self._spans if span > 0))

    def _cost(self, node: Node, released: int, suppressed: Sequence[int]) -> int:
        sums = whole_sums(
            self.facts,
            [slope.log_all for slope in self.facts.columns],
            [rung.log_rows for rung in self.facts.levels(node)],
            released,
            suppressed,
        )
        return sum(
            weight * (log_sum - slope.own_logs) * (self._whole // span)
            for slope, log_sum, span, weight in zip(
                self.facts.columns, sums, self._spans, self.weights, strict=True
            )
            if span > 0
        )


def whole_sums(
    facts: TableFacts,
    tops: Sequence[int],
    kept: Sequence[int],
    released: int,
    suppressed: Sequence[int],
) -> list[int]:
    """Per column, a sum over all source rows: of those released by label, of others by the top.

    ``kept`` adds up all rows that may be released, ``suppressed`` those of them that are not.
    """
    gone = suppressed or [0] * len(kept)
    return [
        total - lost + (facts.rows - released) * top
        for total, lost, top in zip(kept, gone, tops, strict=True)
    ]
