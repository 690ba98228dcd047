"""The cheapest feasible node, proved: best-first on a lower bound, along paths that climb.

Plain Python over three functions of a node; it knows no SQL and runs as well on a dict.
"""

import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from sqlgen.search.boxes import Box, Cost, Rank
from sqlgen.search.guess import Guess
from sqlgen.search.lattice import Lattice, Node, within
from sqlgen.search.verdict import Closed, Found, Standing, Verdict

# How many boxes may leave the queue before a limit of time is looked at again, and how many it
# holds at most, so that memory is bounded: 0.4 GB.
_POPPED = 64
_MOST_BOXES = 500_000

# How many nodes are measured at once: the more, the better the last ones were foreseen. And how
# many boxes may be copied to foresee them.
_LEAST_AHEAD = 4
_MOST_AHEAD = 16
_MOST_COPIED = 10_000

# A node beyond the best cost is measured where so much excess is guessed, from so many nodes: on
# Adult (k = 5, 0 / 2 / 5 % suppressed) 53 / 128 / 80 nodes are measured, against 89 / 160 / 84.
_SURE = 0.4
_LEARNED = 5

# Of how many nodes the floors and masks are kept.
_MOST_KEPT = 100_000


@dataclass
class _OptimalSearch:
    """The knowledge so far: infeasible nodes as masks, dear ones too, and the best one.

    ``floor`` gives the least rank that a node can turn out to have, ``queue`` holds boxes by rising
    floor. ``floors`` say what nodes and coarser ones cost at least, ``unclosed`` what nodes and
    finer ones do. ``looked_at`` are the measured nodes, and those that were measured for nothing;
    ``closing`` ones closed themselves and all that is finer, ``passing`` ones, as masks, closed
    nothing. ``ceiling`` has the highest levels that a node as good as the best can have. What is
    ``learning`` has yet to be told to the ``guess``. ``failing`` and ``dear`` nodes were ``passed``
    over so many.
    """

    lattice: Lattice
    mask: Callable[[Node], int]
    floor: Callable[[Node], Rank]
    verdict: Callable[[Node], Verdict]
    cost: Callable[[Node], Cost]
    goes_on: Callable[[Standing], bool]
    queue: list[Box]
    infeasible: dict[int, Node] = field(default_factory=dict)
    floors: dict[Node, Cost] = field(default_factory=dict)
    unclosed: dict[Node, Cost] = field(default_factory=dict)
    dear: list[int] = field(default_factory=list)
    measured: set[Node] = field(default_factory=set)
    looked_at: set[Node] = field(default_factory=set)
    closing: set[Node] = field(default_factory=set)
    guess: Guess = field(default_factory=lambda: Guess([]))
    learning: list[tuple[Node, float]] = field(default_factory=list)
    passing: list[int] = field(default_factory=list)
    best: Rank | None = None
    ceiling: Node = ()
    reached: Cost = 0
    popped: int = 0
    passed_failing: int = 0
    passed_dear: int = 0
    is_cut: bool = False

    def is_open(self, node: Node) -> bool:
        """Whether the node may still be the optimum."""
        mask = self.mask(node)
        for closed in self.infeasible:
            if mask & ~closed == 0:
                return False
        return bool(self.wanted([node]))

    def wanted(self, nodes: Iterable[Node]) -> list[Rank]:
        """The floors of nodes that may be the optimum, if no coarser one closes them."""
        floors = [self.floor(node) for node in nodes if node not in self.measured]
        if self.best:
            best = self.best
            floors = [floor for floor in floors if floor <= best]
        if self.dear:
            floors = [floor for floor in floors if not self.is_dear(self.mask(floor[2]))]
        return floors

    def failing(self, mask: int) -> Node | None:
        """The coarsest known node, if any, that failed for this one and all that are finer."""
        coarsest = None
        for closed, node in self.infeasible.items():
            if mask & ~closed == 0 and (coarsest is None or sum(node) > sum(coarsest)):
                coarsest = node
        return coarsest

    def is_dear(self, mask: int) -> bool:
        """Whether a finer node's classes show that this one costs more than the best."""
        return any(within(dear, mask) for dear in self.dear)

    def may_go_on(self) -> bool:
        """Whether the search is within its limits; once it is not, it stays cut."""
        best = self.best[0] if self.best else None
        self.is_cut = not self.goes_on(Standing(len(self.looked_at), best, self.reached))
        return not self.is_cut

    def close(self, mask: int, node: Node) -> None:
        """No node that is as fine as this one is the best."""
        self.infeasible = {
            old: kept for old, kept in self.infeasible.items() if not within(old, mask)
        } | {mask: node}

    def close_dear(self) -> None:
        """Close what has come to cost more than the best with all that is finer."""
        for node, below in list(self.unclosed.items()):
            if self.best and below > self.best[0]:
                self.close(self.mask(node), node)
                del self.unclosed[node]

    def measure(self, node: Node) -> Verdict:
        """The node's verdict, once what it says of others is kept."""
        self.measured.add(node)
        self.looked_at.add(node)
        verdict = self.verdict(node)
        mask = self.mask(node)
        if verdict.closes:
            self.closing.add(node)
            self.close(mask, node)
        else:
            self.passing.append(mask)
            if verdict.finer_bound is not None:
                self.unclosed[node] = verdict.finer_bound
                self.close_dear()
        self.note([node], [verdict])
        if verdict.coarser_bound is not None:
            self.floors[node] = verdict.coarser_bound
            if self.best and verdict.coarser_bound > self.best[0]:
                self.dear.append(mask)
        return verdict

    def rank(self, feasible: Mapping[Node, Verdict]) -> None:
        """The cheapest of some feasible nodes is the best one if it costs less than that.

        What costs least at least comes first; what is too dear then is not costed.
        """
        leasts = {
            node: self.floor(node)
            if found.own_bound is None
            else (found.own_bound, sum(node), node)
            for node, found in feasible.items()
        }
        for node, least in sorted(leasts.items(), key=lambda each: each[1]):
            if self.best and least > self.best:
                return
            rank = (self.cost(node), sum(node), node)
            if self.best is None or rank < self.best:
                self.lead(rank)

    def lead(self, rank: Rank) -> None:
        """The node of this rank is the best one."""
        self.best = rank
        self.ceiling = self.highest(rank)
        self.close_dear()
        self.dear = [self.mask(each) for each, floor in self.floors.items() if floor > rank[0]]

    def highest(self, most: Rank) -> Node:
        """Per column the highest level of any node that may rank so well."""
        bottom = self.lattice.bottom
        levels = list(bottom)
        for column, height in enumerate(self.lattice.heights):
            for level in range(bottom[column] + 1, height + 1):
                if self.floor((*bottom[:column], level, *bottom[column + 1 :])) > most:
                    break
                levels[column] = level
        return tuple(levels)

    def path(self, node: Node) -> list[Node]:
        """Open nodes from an open one upward, each the coarser neighbour of least bound.

        What closes one of them closes the first too: only that may be too dear is asked.
        """
        steps = [node]
        while floors := self.wanted(self.lattice.coarser(steps[-1])):
            steps.append(min(floors)[2])
        return steps

    def note(self, nodes: Sequence[Node], verdicts: Sequence[Verdict]) -> None:
        """Keep what the guess is to be told of some nodes."""
        self.learning += [
            (node, verdict.log_overrun)
            for node, verdict in zip(nodes, verdicts, strict=True)
            if verdict.log_overrun is not None
        ]

    def learn(self) -> None:
        """Tell the guess what was measured; never while nodes are foreseen by it."""
        if self.learning:
            self.guess.learn(self.learning)
            self.learning.clear()

    def beyond(self, node: Node) -> list[Node]:
        """Coarser nodes from this one upward, too dear to be the best, that are likely to fail.

        The failure of one closes several nodes that are not too dear, of which none is coarser than
        another. Nothing coarser than a node that closed nothing is asked, and no level climbed to
        that only dear nodes have.
        """
        steps: list[Node] = []
        if self.best is None or len(self.guess.seen) < _LEARNED:
            return steps
        while True:
            for excess, each in self.guess.climbs(steps[-1] if steps else node, self.ceiling):
                if excess > _SURE and not self.passes(each):
                    steps.append(each)
                    break
            else:
                return steps

    def passes(self, node: Node) -> bool:
        """Whether a finer node closed nothing."""
        mask = self.mask(node)
        return any(within(passed, mask) for passed in self.passing)

    def descend(self, path: list[Node]) -> None:
        """Measure a path, and what is beyond it, from the coarsest node to the first that closes.

        Coarsest first, because that failure closes most: on Adult (k = 5, 0 / 2 / 5 % suppressed)
        83 / 160 / 84 nodes are measured, against 158 / 259 / 120 by halving the path.
        """
        feasible = {}
        beyond = self.beyond(path[-1])
        for node in (*reversed(beyond), *reversed(path)):
            if self.passes(node) if node in beyond else not self.is_open(node):
                continue
            if node not in self.looked_at and not self.may_go_on():
                break
            verdict = self.measure(node)
            if verdict.feasible:
                feasible[node] = verdict
            elif verdict.closes:
                break
        self.rank(feasible)

    def look_along(self, path: list[Node], prepare: Callable[[Sequence[Node]], None]) -> None:
        """Measure a path before its descent, some nodes at once, up to the first that closes."""
        ahead = _LEAST_AHEAD
        while path:
            nodes, path = path[-ahead:], path[:-ahead]
            within_limits = [
                node
                for place, node in enumerate(reversed(nodes), len(self.looked_at))
                if self.goes_on(Standing(place, None, self.reached))
            ]
            prepare(within_limits)
            self.looked_at.update(within_limits)
            if within_limits != nodes[::-1] or any(self.verdict(each).closes for each in nodes):
                return
            ahead = min(2 * ahead, _MOST_AHEAD)

    def take(self, nodes: Sequence[Node]) -> None:
        """Keep what nodes say that were measured together, whichever would have come next."""
        verdicts = {node: self.measure(node) for node in nodes}
        self.rank({node: verdict for node, verdict in verdicts.items() if verdict.feasible})

    def step(self) -> bool:
        """Whether a box was left that may hold the best node; it is looked into."""
        # Boxes leave the queue by rising floor, and coarser nodes have no lower one.
        box = heapq.heappop(self.queue) if self.queue and not self.is_cut else None
        if box is None or (self.best and box.floor > self.best):
            return False
        self.reached = box.floor[0]
        self.popped += 1
        if self.is_open(box.low):
            self.descend(self.path(box.low))
        elif self.popped % _POPPED == 0:
            self.may_go_on()
        if self.is_cut or len(self.queue) > _MOST_BOXES:
            self.is_cut = True
            return False
        mask = self.mask(box.low)
        if self.is_dear(mask):
            self.passed_dear += box.up_to(box.high)
            return True
        beaten = self.failing(mask)
        self.passed_failing += box.up_to(beaten) if beaten else 0
        least = self.floors.get(box.low, box.floor[0])
        for rest in box.without(beaten or box.low, least, self.floor):
            heapq.heappush(self.queue, rest)
        return True

    def foreseen(self, most: int) -> "tuple[_OptimalSearch, list[Node]]":
        """The search after these more nodes, if each of them fails, and the nodes."""
        nodes: list[Node] = []

        def fails(node: Node) -> Verdict:
            nodes.append(node)
            return Verdict(feasible=False, closes=True)

        later = replace(
            self,
            verdict=fails,
            queue=list(self.queue),
            measured=set(self.measured),
            looked_at=set(self.looked_at),
            closing=set(self.closing),
            passing=list(self.passing),
            learning=[],
        )
        while len(nodes) < most and later.step():
            pass
        return replace(later, verdict=self.verdict), nodes

    def found(self) -> Found:
        """The result of the search."""
        measured = len(self.looked_at)
        # To look for what closed each of 7,000 nodes takes 3 s; nearly all closed themselves.
        masks = [self.mask(node) for node in self.looked_at - self.closing]
        closed = len(self.closing) + sum(self.failing(mask) is not None for mask in masks)
        failing = max(0, self.passed_failing - closed)
        masks = [self.mask(node) for node in self.looked_at] if self.dear else []
        counted = max(0, self.passed_dear - sum(map(self.is_dear, masks)))
        rest = self.lattice.size - measured - failing - counted
        unmeasured = Closed(failing, counted, 0 if self.is_cut else max(0, rest))
        reached = self.reached if self.is_cut else None
        if self.best is None:
            return Found(None, None, measured, reached, unmeasured)
        return Found(self.best[2], self.best[0], measured, reached, unmeasured)


def find_optimal(
    lattice: Lattice,
    bound: Callable[[Node], Cost],
    verdict: Callable[[Node], Verdict],
    cost: Callable[[Node], Cost],
    goes_on: Callable[[Standing], bool] = lambda _: True,
    prepare: Callable[[Sequence[Node]], None] | None = None,
) -> Found:
    """The feasible node of least cost; ties by height, then by levels in column order.

    ``bound`` never exceeds ``cost`` and does not fall towards coarser nodes. A verdict closes only
    where no finer node is feasible. Neither feasibility nor ``cost`` need be monotone beyond that:
    every node is measured that is not closed and that no bound rules out. ``goes_on`` is asked
    before each, and now and then; the search ends where it says no, with the best node so far and
    a floor. ``prepare`` is told of nodes whose verdicts will be asked for if each of them fails,
    as nearly all do: so it can measure several at once.
    """
    # Both are asked of a node by each of its neighbours.
    mask = lru_cache(_MOST_KEPT)(lattice.mask)
    floor = lru_cache(_MOST_KEPT)(lambda node: (bound(node), sum(node), node))
    queue = [Box(floor(lattice.bottom), lattice.top)]
    guess = Guess.over(lattice.heights)
    search = _OptimalSearch(lattice, mask, floor, verdict, cost, goes_on, queue, guess=guess)
    if prepare is not None:
        search.look_along(search.path(lattice.bottom), prepare)
    while prepare is not None and search.best is None and search.step():
        search.learn()
    ahead = _LEAST_AHEAD
    while prepare is not None and len(search.queue) <= _MOST_COPIED:
        later, nodes = search.foreseen(ahead)
        if not nodes:
            return later.found()
        prepare(nodes)
        search.looked_at.update(nodes)
        verdicts = [verdict(node) for node in nodes]
        wrong = sum(not found.closes for found in verdicts)
        well = 2 * wrong <= len(nodes)
        ahead = min(2 * ahead, _MOST_AHEAD) if well else max(ahead // 2, _LEAST_AHEAD)
        if wrong:
            search.take(nodes)
        else:
            search = later
            search.note(nodes, verdicts)
        search.learn()
    while search.step():
        search.learn()
    return search.found()
