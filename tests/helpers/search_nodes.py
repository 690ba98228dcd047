"""Lattices, nodes and what a search may measure of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hypothesis import settings
from hypothesis import strategies as st

from sqlgen.search.lattice import Lattice, Node
from sqlgen.search.optimal import find_optimal
from sqlgen.search.verdict import Found, Verdict

EFFORT = settings(max_examples=6 * settings().max_examples)


@dataclass
class Nodes:
    """What is true of each node of a lattice, and which nodes were asked about."""

    lattice: Lattice
    feasible: Mapping[Node, bool]
    bound: Mapping[Node, int]
    cost: Mapping[Node, int]
    measured: list[Node] = field(default_factory=list)
    priced: list[Node] = field(default_factory=list)
    prepared: list[Node] = field(default_factory=list)
    excess: Mapping[Node, float] = field(default_factory=dict)
    below: Mapping[Node, int | None] = field(default_factory=dict)
    least: Mapping[Node, int] = field(default_factory=dict)

    @property
    def closing(self) -> set[Node]:
        """The nodes that are infeasible together with everything finer."""
        return {
            node
            for node in self.lattice.nodes()
            if not any(self.feasible[each] for each in self.lattice.nodes() if finer(each, node))
        }

    def find(self, most: int | None = None, *, ahead: bool = False) -> Found:
        """The search's answer, with every question it asked written down."""

        def verdict(node: Node) -> Verdict:
            self.measured.append(node)
            return Verdict(
                self.feasible[node],
                closes=node in self.closing,
                log_overrun=self.excess.get(node),
                finer_bound=self.below.get(node),
                own_bound=self.least.get(node),
            )

        def cost(node: Node) -> int:
            self.priced.append(node)
            return self.cost[node]

        return find_optimal(
            self.lattice,
            self.bound.__getitem__,
            verdict,
            cost,
            lambda standing: most is None or standing.measured < most,
            self.prepared.extend if ahead else None,
        )

    def try_all(self) -> Node | None:
        """The cheapest feasible node; ties by height, then by levels in column order."""
        able = [node for node in self.lattice.nodes() if self.feasible[node]]
        return min(able, key=lambda node: (self.cost[node], sum(node), node), default=None)


def finer(one: Node, other: Node) -> bool:
    return all(low <= high for low, high in zip(one, other, strict=True))


@st.composite
def lattices(draw: st.DrawFn) -> Nodes:
    """Small lattices with few different costs, so that many nodes tie."""
    heights = draw(st.lists(st.integers(0, 4), min_size=1, max_size=4).filter(small))
    lattice = Lattice(tuple(heights))
    nodes = list(lattice.nodes())
    minimal = draw(st.lists(st.sampled_from(nodes), max_size=4))
    bound: dict[Node, int] = {}
    cost: dict[Node, int] = {}
    steps = draw(st.lists(st.integers(0, 2), min_size=len(nodes), max_size=len(nodes)))
    extras = draw(st.lists(st.integers(0, 5), min_size=len(nodes), max_size=len(nodes)))
    known = draw(st.lists(st.integers(0, 5), min_size=len(nodes), max_size=len(nodes)))
    # In the order of the nodes, whatever is finer than a node stands before it.
    for node, step, extra in zip(nodes, steps, extras, strict=True):
        below = [
            bound[(*node[:column], level - 1, *node[column + 1 :])]
            for column, level in enumerate(node)
            if level
        ]
        bound[node] = max(below, default=0) + step
        cost[node] = bound[node] + extra
    feasible = {node: any(finer(one, node) for one in minimal) for node in nodes}
    least = {
        node: bound[node] + min(extra, part)
        for node, extra, part in zip(nodes, extras, known, strict=True)
    }
    return Nodes(lattice, feasible, bound, cost, least=least)


def small(heights: list[int]) -> bool:
    return Lattice(tuple(heights)).size <= 150
