"""The base of objectives: a cost that orders nodes, bounds of it, and a value for people."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from sqlgen.metrics.sums import ClassTotals, TableFacts, TotalsBySize
from sqlgen.search.lattice import Node

Cost = int | Fraction | float


@dataclass(frozen=True)
class Metric:
    """An objective: the loss of a release of one table; lower is better.

    ``bound`` comes from single columns alone: no node at or above the given one costs less.
    ``floor`` is a sharper bound once classes were counted, where ``has_floor``. ``needs`` names
    the sums that they read of a ``ClassTotals`` beside rows and classes. Where it ``needs_cells``,
    ``value`` reads ``TableFacts.cell_logs``. Weights are whole numbers, one per column: a weight
    times ``unit`` is the weight that was written.
    """

    facts: TableFacts
    weights: Sequence[int]
    unit: Fraction = Fraction(1)
    aggregate: str = "geometric"

    name: ClassVar[str]
    citation: ClassVar[str]
    needs: ClassVar[frozenset[str]] = frozenset()
    takes_weights: ClassVar[bool] = False
    has_floor: ClassVar[bool] = False
    needs_cells: ClassVar[bool] = False

    def bound(self, node: Node) -> Cost:
        """The least that this node, or any coarser one, can cost."""
        raise NotImplementedError

    def floor(self, sized: TotalsBySize) -> Cost:
        """The least that a measured node, or any coarser one, can cost."""
        return self.bound(sized.whole.node)

    def bound_with(self, node: Node, suppressed: int) -> Cost:  # noqa: ARG002
        """The least cost of this node itself when it suppresses this many rows."""
        return self.bound(node)

    def least(self, suppressed: int) -> Cost | None:  # noqa: ARG002
        """The least cost of any node that suppresses at least this many rows; None if unknown.

        A node and all that are finer suppress what the repair bound says must go. So where that
        alone costs more than the best, none of them is the best.
        """
        return None

    def cost(self, tally: ClassTotals) -> Cost:
        """The cost of a node with the classes that it releases."""
        raise NotImplementedError

    def value(self, cost: Cost) -> float:
        """The figure that belongs to a cost."""
        raise NotImplementedError

    def lowest(self, bound: Cost) -> float:
        """The bound of the figure that follows from a bound of the cost."""
        return self.value(bound)
