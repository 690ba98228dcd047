"""The best node at each of several thresholds, in one walk over the lattice.

Plain Python over functions of a node and a threshold; it knows no SQL and runs as well on a dict.
"""

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from sqlgen.search.boxes import Cost, Rank
from sqlgen.search.lattice import Lattice, Node, within
from sqlgen.search.verdict import Verdict


@dataclass(frozen=True)
class Best:
    """The cheapest feasible node at one threshold, if there is one, and what it costs.

    Where the walk was ended early, ``is_proved`` is not set.
    """

    node: Node | None
    cost: Cost | None
    is_proved: bool = True


@dataclass(frozen=True)
class FrontierSearch:
    """The best node at each threshold, and how many nodes were measured for them."""

    points: tuple[Best, ...]
    measured: int


@dataclass
class _Point:
    """The knowledge at one threshold: nodes measured, infeasible and dear ones, the best one."""

    lattice: Lattice
    bound: Callable[[Node], Cost]
    infeasible: list[int] = field(default_factory=list)
    floors: dict[Node, Cost] = field(default_factory=dict)
    measured: set[Node] = field(default_factory=set)
    best: Rank | None = None

    def is_open(self, node: Node) -> bool:
        """Whether the node may still be the best at this threshold."""
        if node in self.measured or self.is_beaten((self.bound(node), sum(node), node)):
            return False
        mask = self.lattice.mask(node)
        return not any(within(mask, closed) for closed in self.infeasible) and not any(
            self.best and floor > self.best[0] and within(self.lattice.mask(finer), mask)
            for finer, floor in self.floors.items()
        )

    def is_beaten(self, floor: Rank) -> bool:
        """Whether a node of such a bound, and any with a higher one, is dearer than the best."""
        return self.best is not None and floor > self.best

    def note(self, node: Node, verdict: Verdict, cost: Callable[[], Cost]) -> None:
        """Record the verdict on a node, and what follows for other nodes."""
        self.measured.add(node)
        mask = self.lattice.mask(node)
        if verdict.closes:
            self.infeasible = [old for old in self.infeasible if not within(old, mask)] + [mask]
        if verdict.coarser_bound is not None:
            self.floors[node] = verdict.coarser_bound
        if verdict.feasible:
            rank = (cost(), sum(node), node)
            self.best = min(self.best or rank, rank)


def find_frontier(
    lattice: Lattice,
    points: int,
    bound: Callable[[Node], Cost],
    verdicts: Callable[[Node, Sequence[int]], Sequence[Verdict]],
    cost: Callable[[Node, int], Cost],
    goes_on: Callable[[int], bool] = lambda _: True,
) -> FrontierSearch:
    """The feasible node of least cost at each threshold; ties as ``find_optimal``.

    ``verdicts`` judges a node at some thresholds at once: those at which it is still open.
    """
    known = [_Point(lattice, bound) for _ in range(points)]
    measured: set[Node] = set()
    queue = [(bound(lattice.bottom), sum(lattice.bottom), lattice.bottom)]
    is_cut = False

    def open_at(node: Node) -> list[int]:
        return [number for number, point in enumerate(known) if point.is_open(node)]

    while queue and not is_cut:
        floor = heapq.heappop(queue)
        if all(point.is_beaten(floor) for point in known):
            break
        path = [floor[2]] if open_at(floor[2]) else []
        while path and (
            above := [neighbour for neighbour in lattice.coarser(path[-1]) if open_at(neighbour)]
        ):
            path.append(min(above, key=lambda node: (bound(node), sum(node), node)))
        # Coarsest first, as in find_optimal: a failure there closes most.
        for node in reversed(path):
            if numbers := open_at(node):
                if not goes_on(len(measured)):
                    is_cut = True
                    break
                measured.add(node)
                for number, verdict in zip(numbers, verdicts(node, numbers), strict=True):
                    known[number].note(node, verdict, partial(cost, node, number))
        for neighbour in lattice.offspring(floor[2]):
            heapq.heappush(queue, (bound(neighbour), sum(neighbour), neighbour))
    return FrontierSearch(
        tuple(
            Best(point.best[2], point.best[0], not is_cut)
            if point.best
            else Best(None, None, not is_cut)
            for point in known
        ),
        len(measured),
    )
