"""What a release has lost, as one number; lower is better."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Loss:
    """Generalization loss over ``rows`` source rows, for columns of so many ``leaves``.

    A released value that covers c of a column's L leaves has share c/L, a suppressed row share 1.
    The column's loss v is the mean share over all source rows, rescaled to
    (mean - 1/L) / (1 - 1/L), and 0 when L is 1; the table's loss is the geometric mean of the
    columns' (1 + v), less 1. Kohlmayer et al. 2012, section 5; the measure that ARX minimizes.

    ``cost`` is exact: every factor (1 + v) is (S + N (L - 2)) / (N (L - 1)), where S adds c up
    over the rows and the denominator is the same at every node.
    """

    rows: int
    leaves: tuple[int, ...]

    def cost(self, leaf_sums: Sequence[int]) -> int:
        """A whole number that orders nodes as their loss does."""
        return math.prod(
            leaf_sum + self.rows * (leaves - 2)
            for leaf_sum, leaves in zip(leaf_sums, self.leaves, strict=True)
            if leaves > 1
        )

    def by_column(self, leaf_sums: Sequence[int]) -> list[float]:
        """Each column's own loss v, between 0 and 1."""
        return [
            float(Fraction(leaf_sum - self.rows, self.rows * (leaves - 1)))
            if leaves > 1 and self.rows
            else 0.0
            for leaf_sum, leaves in zip(leaf_sums, self.leaves, strict=True)
        ]

    def value(self, cost: int) -> float:
        """The loss that belongs to a cost: 0 keeps every value, 1 keeps none."""
        if not self.rows:
            return 0.0
        whole = math.prod(self.rows * (leaves - 1) for leaves in self.leaves if leaves > 1)
        return math.pow(Fraction(cost, whole), 1 / len(self.leaves)) - 1.0
