"""A guess at nodes not measured yet, from measured ones: where to look; it decides nothing.

No verdict rests on it: a guess that is wrong costs a measurement.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from sqlgen.search.lattice import Node

# Beyond so many nodes the older ones add nothing to what the last ones say.
_REMEMBERED = 100
# An excess is as good as this one, however large: most rows must go, or next to none.
_MOST = 3.0


@dataclass
class Guess:
    """By how much a node exceeds the budget, as a sum of what each column's level adds to it.

    ``steps`` holds these per column and level; they are fitted to the nodes that were ``seen`` by
    correcting each of them in turn, twice (Kaczmarz 1937).
    """

    steps: list[list[float]]
    seen: list[tuple[Node, float]] = field(default_factory=list)

    @classmethod
    def over(cls, heights: Sequence[int]) -> "Guess":
        """A guess that knows nothing yet."""
        return cls([[0.0] * (height + 1) for height in heights])

    def excess(self, node: Node) -> float:
        """The prediction for a node, a sum over its levels."""
        return sum([step[level] for step, level in zip(self.steps, node, strict=True)])

    def learn(self, measured: Iterable[tuple[Node, float]]) -> None:
        """Fit the guess to some more nodes, and to those before them anew."""
        self.seen.extend((node, max(-_MOST, min(_MOST, excess))) for node, excess in measured)
        for node, excess in 2 * self.seen[-_REMEMBERED:]:
            share = (excess - self.excess(node)) / max(1, len(node))
            for step, level in zip(self.steps, node, strict=True):
                step[level] += share

    def climbs(self, node: Node, ceiling: Node) -> list[tuple[float, Node]]:
        """The nodes one level up in one column, up to a ceiling, by falling excess."""
        own = self.excess(node)
        return sorted(
            (
                (
                    own + step[level + 1] - step[level],
                    (*node[:column], level + 1, *node[column + 1 :]),
                )
                for column, (step, level, most) in enumerate(
                    zip(self.steps, node, ceiling, strict=True)
                )
                if level < most
            ),
            reverse=True,
        )
