"""Every minimal node: feasible, and no finer node is. LeFevre et al. 2005 (Incognito), section 2.2.

Plain Python over one function of a node; it knows no SQL and runs as well on a dict.
"""

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field

from sqlgen.search.lattice import Lattice, Node, within
from sqlgen.search.verdict import Verdict


@dataclass(frozen=True)
class Minimal:
    """The minimal nodes by height, then by levels, and how many nodes were measured.

    Where ``is_whole`` is not set the search was ended early: each node is feasible then, but there
    may be others, and finer ones.
    """

    nodes: tuple[Node, ...]
    measured: int
    is_whole: bool = True


@dataclass
class _MinimalSearch:
    """The knowledge so far: infeasible nodes and feasible ones, as masks."""

    lattice: Lattice
    verdict: Callable[[Node], Verdict]
    goes_on: Callable[[int], bool]
    infeasible: list[int] = field(default_factory=list)
    feasible: dict[int, Node] = field(default_factory=dict)
    measured: set[Node] = field(default_factory=set)
    is_cut: bool = False

    def is_above(self, node: Node) -> bool:
        """Whether a finer node, or this one, is feasible: nothing coarser is minimal then."""
        mask = self.lattice.mask(node)
        return any(within(feasible, mask) for feasible in self.feasible)

    def is_open(self, node: Node) -> bool:
        """Whether the node may still be minimal."""
        if node in self.measured or self.is_above(node):
            return False
        mask = self.lattice.mask(node)
        return not any(within(mask, closed) for closed in self.infeasible)

    def measure(self, node: Node) -> None:
        """Note what the node says of itself and of others."""
        self.measured.add(node)
        verdict = self.verdict(node)
        mask = self.lattice.mask(node)
        if verdict.feasible:
            above = [other for other in self.feasible if within(mask, other)]
            self.feasible = {
                other: kept for other, kept in self.feasible.items() if other not in above
            } | {mask: node}
        elif verdict.closes:
            self.infeasible = [old for old in self.infeasible if not within(old, mask)] + [mask]

    def climb(self, node: Node) -> None:
        """Halve a path of open nodes up from this one, until nothing of it is open.

        A failure closes what is finer, a success what is coarser, so that either leaves half.
        """
        path = [node]
        while above := [other for other in self.lattice.coarser(path[-1]) if self.is_open(other)]:
            path.append(above[-1])
        while path:
            if not self.goes_on(len(self.measured)):
                self.is_cut = True
                return
            self.measure(path[len(path) // 2])
            path = [other for other in path if self.is_open(other)]


def find_minimal(
    lattice: Lattice,
    verdict: Callable[[Node], Verdict],
    goes_on: Callable[[int], bool] = lambda _: True,
) -> Minimal:
    """All feasible nodes below which no node is feasible.

    Nodes are visited by height, and none above a feasible one. That a subset of the columns fails
    is the verdict of a coarser node, where the others are fully general: it closes every node with
    that subset (the subset property), and no candidate has to be built from subsets first.
    """
    search = _MinimalSearch(lattice, verdict, goes_on)
    queue = [(sum(lattice.bottom), lattice.bottom)]
    while queue and not search.is_cut:
        _, node = heapq.heappop(queue)
        if search.is_open(node):
            search.climb(node)
        if not search.is_above(node):
            for other in lattice.offspring(node):
                heapq.heappush(queue, (sum(other), other))
    nodes = sorted(search.feasible.values(), key=lambda node: (sum(node), node))
    return Minimal(tuple(nodes), len(search.measured), not search.is_cut)
