"""Layers: nodes by rising cost, each of which releases enough of what those before it left.

Plain Python over functions of a node; it knows no SQL and runs as well on a dict.
"""

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from sqlgen.search.boxes import Box, Cost, Rank
from sqlgen.search.lattice import Lattice, Node, within
from sqlgen.search.verdict import Standing

# Of how many nodes the bounds and masks are kept.
_MOST_KEPT = 100_000


@dataclass(frozen=True)
class Layers:
    """The nodes that were found, in their order, and how many were measured.

    ``is_cut`` says that the search was stopped before no node was left.
    """

    nodes: tuple[Node, ...]
    measured: int
    is_cut: bool = False


@dataclass
class _LayerSearch:
    """The search so far: boxes by rising rank, and the rows that nodes release of what is left.

    ``known`` and ``most`` are of what is left now: the rows that nodes release, and bounds of them.
    Nodes that release too little are ``closed`` with all finer ones, by their masks: what is left
    only shrinks.
    """

    lattice: Lattice
    rank: Callable[[Node], Rank]
    mask: Callable[[Node], int]
    most_at: Callable[[Sequence[Node]], Sequence[int]]
    rows_at: Callable[[Node], int] | None
    queue: list[Box]
    closed: dict[int, Node] = field(default_factory=dict)
    most: dict[Node, int] = field(default_factory=dict)
    known: dict[Node, int] = field(default_factory=dict)
    looked_at: set[Node] = field(default_factory=set)

    def measure(self, nodes: Sequence[Node]) -> None:
        """Ask how many rows some nodes release at most, unless that is known."""
        asked = [node for node in dict.fromkeys(nodes) if node not in self.most]
        if asked:
            self.looked_at.update(asked)
            self.most.update(zip(asked, self.most_at(asked), strict=True))

    def released(self, node: Node) -> int:
        """How many rows a node releases."""
        if node not in self.known:
            self.measure([node])
            most = self.most[node]
            self.known[node] = most if self.rows_at is None or not most else self.rows_at(node)
        return self.known[node]

    def close(self, node: Node) -> None:
        """Close a node with all that are finer."""
        mask = self.mask(node)
        self.closed = {old: kept for old, kept in self.closed.items() if not within(old, mask)} | {
            mask: node
        }

    def closing(self, node: Node) -> Node | None:
        """A closed node that this one is, or is finer than."""
        mask = self.mask(node)
        return next((kept for closed, kept in self.closed.items() if within(mask, closed)), None)

    def path(self, node: Node) -> list[Node]:
        """Open nodes from one upward, each the coarser neighbour of least rank."""
        steps = [node]
        while True:
            ranks = [self.rank(each) for each in self.lattice.coarser(steps[-1])]
            if not ranks:
                return steps
            steps.append(min(ranks)[2])

    def pop(self) -> Box | None:
        """The box of least rank whose finest node is open, once closed nodes are taken out."""
        while self.queue:
            box = heapq.heappop(self.queue)
            beaten = self.closing(box.low)
            if beaten is None:
                return box
            self.push(box, beaten)
        return None

    def push(self, box: Box, beaten: Node) -> None:
        """Put back what of a box is not below a node."""
        for rest in box.without(beaten, box.floor[0], self.rank):
            heapq.heappush(self.queue, rest)

    def probe(self, boxes: Sequence[Box], need: int) -> None:
        """Measure the finest nodes of some boxes with some above each, and close what fails.

        Those above are at places that double: the first nodes of a path mostly fail.
        """
        paths = [self.path(box.low) for box in boxes]
        asked = [path[place] for path in paths for place in _PLACES if place < len(path)]
        self.measure(asked)
        for path in paths:
            failing = [
                path[place]
                for place in _PLACES
                if place < len(path) and self.most[path[place]] < need
            ]
            if failing and self.closing(failing[-1]) is None:
                self.close(failing[-1])

    def passes(self, node: Node, need: int) -> bool:
        """Whether a node releases enough; where it does not, what of its path fails is closed.

        The coarsest first, for its failure closes most.
        """
        path = self.path(node)
        for place in reversed(_PLACES):
            if place < len(path) and self.released(path[place]) < need:
                self.close(path[place])
                return False
        return True


# The places of a path that are asked for, and how many boxes are looked into at once: on Adult
# (k = 5) one at a time takes 648 statements and 1.31 s, 4 at a time 177 and 0.73 s, 8 at a time 100
# and 0.63 s, 16 at a time 64 and 0.73 s.
_PLACES = (0, 1, 3, 7, 15, 31)
_AHEAD = 8


def find_layers(
    lattice: Lattice,
    bound: Callable[[Node], Cost],
    most_at: Callable[[Sequence[Node]], Sequence[int]],
    rows_at: Callable[[Node], int] | None,
    released: "Releasing",
    goes_on: Callable[[Standing], bool] = lambda _: True,
) -> Layers:
    """The nodes that release rows one after another, by rising ``bound``, until none is left.

    ``most_at`` says how many of the rows that are left some nodes release at most, ``rows_at`` how
    many one does; None where the most is what it is. A coarser node releases no fewer. One that
    releases too little is closed with all finer ones: what is left only shrinks.
    """
    mask = lru_cache(_MOST_KEPT)(lattice.mask)
    rank = lru_cache(_MOST_KEPT)(lambda node: (bound(node), sum(node), node))
    queue = [Box(rank(lattice.bottom), lattice.top)]
    search = _LayerSearch(lattice, rank, mask, most_at, rows_at, queue)
    layers: list[Node] = []
    left = released.rows
    while left:
        boxes: list[Box] = []
        while len(boxes) < _AHEAD and (box := search.pop()):
            boxes.append(box)
        if not boxes:
            break
        if not goes_on(Standing(len(search.looked_at), None, boxes[0].floor[0])):
            return Layers(tuple(layers), len(search.looked_at), is_cut=True)
        need = released.need(left)
        search.probe(boxes, need)
        for box in boxes[1:]:
            heapq.heappush(search.queue, box)
        node = boxes[0].low
        if search.closing(node) is not None or not search.passes(node, need):
            heapq.heappush(search.queue, boxes[0])
            continue
        after = released.release(node)
        search.push(boxes[0], node)
        if after is not None:
            layers.append(node)
            left = after
            search.known.clear()
            search.most.clear()
    return Layers(tuple(layers), len(search.looked_at))


@dataclass(frozen=True)
class Releasing:
    """The releasing of rows: how many there are, how many a layer needs, and how it is done.

    ``need`` says how many rows a node must release of so many that are left. ``release`` takes away
    what a node releases and gives how many are left; None where the node must not be taken, for
    what it leaves could never be released.
    """

    rows: int
    need: Callable[[int], int]
    release: Callable[[Node], int | None]
