"""Objectives over classes: discernibility, average class size, divergence, ambiguity."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from sqlgen.metrics.column_objectives import whole_sums
from sqlgen.metrics.objective import Cost, Metric
from sqlgen.metrics.sums import NATS, ClassTotals, TotalsBySize, n_logs, nats
from sqlgen.search.lattice import Node

# Sums of doubles differ in their last digits by the order of the columns.
_DIGITS = 12
_SLACK = 1 - 1e-9


@dataclass(frozen=True)
class Discernibility(Metric):
    """Discernibility: from how many rows each row cannot be told apart.

    The sum over classes of n^2, plus suppressed rows x all rows. Bayardo and Agrawal 2005,
    section 2.
    """

    name: ClassVar[str] = "discernibility"
    citation: ClassVar[str] = "Bayardo and Agrawal 2005, section 2"
    needs: ClassVar[frozenset[str]] = frozenset({"squares"})
    has_floor: ClassVar[bool] = True

    def bound(self, node: Node) -> Cost:
        """The least sum of squares of the kept rows in this many classes (Cauchy and Schwarz)."""
        kept = self.facts.kept_rows
        most = min(math.prod(rung.labels for rung in self.facts.levels(node)), kept) or 1
        return max(-(-kept * kept // most), kept * self.facts.least_class) + self._dropped

    def floor(self, sized: TotalsBySize) -> Cost:
        """Classes only merge, and a small one merges or goes."""
        return sized.large.squares + sized.small_rows * self.facts.least_class + self._dropped

    def least(self, suppressed: int) -> Cost:
        """Each suppressed row counts all rows, and each other one those of a least class.

        That grows with the suppressed rows, for no class holds more rows than there are.
        """
        rows = self.facts.rows
        return suppressed * rows + (rows - suppressed) * min(self.facts.least_class, rows)

    def cost(self, tally: ClassTotals) -> Cost:
        """The sum itself."""
        return tally.squares + (self.facts.rows - tally.rows) * self.facts.rows

    def value(self, cost: Cost) -> float:
        """The sum itself."""
        return float(cost)

    @property
    def _dropped(self) -> int:
        return self.facts.dropped_rows * self.facts.rows


@dataclass(frozen=True)
class AverageClassSize(Metric):
    """Average class size: released rows over classes. LeFevre et al. 2006, section 5."""

    name: ClassVar[str] = "average_class_size"
    citation: ClassVar[str] = "LeFevre, DeWitt and Ramakrishnan 2006, section 5"
    has_floor: ClassVar[bool] = True

    def bound(self, node: Node) -> Cost:
        """The fewest rows that may be released, over the most classes there can be."""
        labels = math.prod(rung.labels for rung in self.facts.levels(node))
        return self._least(min(labels, self.facts.kept_rows // self.facts.least_class))

    def floor(self, sized: TotalsBySize) -> Cost:
        """A class of a coarser node has a large one in it, or is made of small ones alone."""
        return self._least(sized.large.classes + sized.small_rows // self.facts.least_class)

    def cost(self, tally: ClassTotals) -> Cost:
        """The average, exactly."""
        return Fraction(tally.rows, tally.classes) if tally.classes else 0

    def value(self, cost: Cost) -> float:
        """The average, in rows."""
        return float(cost)

    def _least(self, classes: int) -> Fraction:
        released = max(0, self.facts.rows - max(self.facts.budget, self.facts.dropped_rows))
        return Fraction(released, max(1, classes))


@dataclass(frozen=True)
class KLDivergence(Metric):
    """Divergence from the source: what an estimate from the release misses, in nats per row.

    The release spreads each class evenly over the combinations of values that its labels cover,
    and all suppressed rows over all combinations. The figure is the mean over the source's rows of
    ln(p / p'), with their shares of the source before and after. Kifer and Gehrke 2006, section 4.
    """

    name: ClassVar[str] = "kl_divergence"
    citation: ClassVar[str] = "Kifer and Gehrke 2006, section 4"
    needs: ClassVar[frozenset[str]] = frozenset({"logs", "log_leaves"})
    has_floor: ClassVar[bool] = True
    needs_cells: ClassVar[bool] = True

    def bound(self, node: Node) -> Cost:
        """The classes of several columns hold no more n ln n than those of one of them."""
        rungs = self.facts.levels(node)
        return self._floor(node, min((rung.class_logs for rung in rungs), default=0))

    def floor(self, sized: TotalsBySize) -> Cost:
        """Spreading classes wider adds to the divergence (the log sum inequality)."""
        return self._floor(sized.whole.node, sized.whole.logs)

    def cost(self, tally: ClassTotals) -> Cost:
        """The divergence of all rows, less what the source alone decides."""
        suppressed = self.facts.rows - tally.rows
        sums = whole_sums(
            self.facts,
            self._tops,
            [rung.log_leaves for rung in self.facts.levels(tally.node)],
            tally.rows,
            tally.log_leaves,
        )
        return sum(sums) - tally.logs - n_logs(suppressed)

    def value(self, cost: Cost) -> float:
        """The mean divergence of a row, in nats."""
        if not self.facts.rows:
            return 0.0
        if self.facts.cell_logs is None:
            raise ValueError("a divergence needs cell_logs, which these facts lack")
        whole = Fraction(cost) + self.facts.cell_logs
        figure = float(whole / (self.facts.rows * NATS))
        return figure if abs(figure) > 1e-9 else 0.0

    def lowest(self, bound: Cost) -> float:
        """A bound tells less than that estimates hardly add up to more than 1.

        One that adds up to z over the combinations that occur diverges by -ln z at least. Dropped
        rows add to it, whose combinations are none of the leaves'.
        """
        facts = self.facts
        gone = max(facts.budget, facts.dropped_rows) / max(facts.rows, 1)
        more = facts.dropped_rows * gone * math.exp(-sum(self._tops) / NATS)
        return max(self.value(bound), 0.0 - math.log1p(more) / _SLACK)

    @property
    def _tops(self) -> list[int]:
        return [slope.log_leaves for slope in self.facts.columns]

    def _floor(self, node: Node, logs: int) -> int:
        facts = self.facts
        spread = sum(rung.log_leaves for rung in facts.levels(node))
        dropped = facts.dropped_rows * sum(self._tops) - n_logs(facts.dropped_rows)
        # Dropped and suppressed rows share one estimate, which can be twice as near.
        gone = max(facts.budget, facts.dropped_rows) if facts.dropped_rows else 0
        shared = nats(math.log(2)) * gone
        rounding = facts.rows * (len(facts.columns) + 1) + abs(logs) // 10**14
        return spread - logs + dropped - shared - rounding


@dataclass(frozen=True)
class Ambiguity(Metric):
    """Ambiguity: how many combinations of values a row may stand for, on average.

    The product of what its labels cover; of all leaves for a suppressed row. Nergiz and Clifton
    2007, section 3.
    """

    name: ClassVar[str] = "ambiguity"
    citation: ClassVar[str] = "Nergiz and Clifton 2007, section 3"
    needs: ClassVar[frozenset[str]] = frozenset({"combinations"})
    has_floor: ClassVar[bool] = True

    def bound(self, node: Node) -> Cost:
        """A mean of products is at least the product of geometric means."""
        kept = self.facts.kept_rows
        if not kept:
            return 0.0
        mean = math.exp(sum(rung.log_leaves for rung in self.facts.levels(node)) / (kept * NATS))
        return (kept * mean + self._gone(kept)) * _SLACK

    def floor(self, sized: TotalsBySize) -> Cost:
        """Labels only grow."""
        return (sized.whole.combinations + self._gone(sized.whole.rows)) * _SLACK

    def least(self, suppressed: int) -> Cost:
        """A suppressed row stands for all combinations, any other for one at least."""
        released = self.facts.rows - suppressed
        return (released + self._gone(released)) * _SLACK

    def cost(self, tally: ClassTotals) -> Cost:
        """The combinations of all rows."""
        return float(f"{tally.combinations + self._gone(tally.rows):.{_DIGITS}g}")

    def value(self, cost: Cost) -> float:
        """The combinations of a row, on average."""
        return float(cost) / self.facts.rows if self.facts.rows else 0.0

    def _gone(self, released: int) -> float:
        return float((self.facts.rows - released) * self.facts.combinations)
