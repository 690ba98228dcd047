"""Boxes of nodes: all that lie between two, so that a lattice is never listed."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from sqlgen.search.lattice import Node

Cost = int | Fraction | float
Rank = tuple[Cost, int, Node]


@dataclass(frozen=True, order=True)
class Box:
    """The nodes between two, by the least rank that any of them can have."""

    floor: Rank
    high: Node

    @property
    def low(self) -> Node:
        """The finest node."""
        return self.floor[2]

    def up_to(self, node: Node) -> int:
        """How many of the nodes are no coarser than one that the finest is no coarser than."""
        return math.prod(
            min(high, most) - low + 1
            for low, high, most in zip(self.low, self.high, node, strict=True)
        )

    def without(self, node: Node, least: Cost, rank: Callable[[Node], Rank]) -> Iterator["Box"]:
        """The nodes that are not below a given one: boxes that share no node.

        Each is what exceeds the node in one column, and in none before it. Where the node fails,
        all that it closes is passed over at once: 15 columns of 4 levels, of which most nodes
        fail, are searched without ever being listed. None of them costs less than ``least``.
        """
        least = max(self.floor[0], least)
        high = self.high
        for column, level in enumerate(node):
            if level >= high[column]:
                continue
            low = (*self.low[:column], level + 1, *self.low[column + 1 :])
            own, height, _ = rank(low)
            yield Box((max(own, least), height, low), high)
            high = (*high[:column], level, *high[column + 1 :])
