"""Layers on lattices that are dicts of rows: each releases enough, and nothing more could go."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_nodes import EFFORT, Nodes, finer, lattices
from sqlgen.search.lattice import Lattice, Node
from sqlgen.search.layers import Layers, Releasing, find_layers
from sqlgen.search.verdict import Standing


@dataclass
class Rows:
    """Rows, each released by some finest nodes and all coarser ones, and what was asked of them.

    ``rows`` has, of each group of rows, the nodes that release it and how many rows it is.
    ``refused`` are nodes that must not be taken.
    """

    nodes: Nodes
    rows: Sequence[tuple[Sequence[Node], int]]
    refused: frozenset[Node] = frozenset()
    left: list[int] = field(default_factory=list)
    asked: list[Node] = field(default_factory=list)
    released: list[Node] = field(default_factory=list)
    gone: dict[Node, int] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """How many rows there are."""
        return sum(size for _, size in self.rows)

    def most_at(self, nodes: Sequence[Node]) -> list[int]:
        self.asked.extend(nodes)
        return [self.rows_at(node) for node in nodes]

    def rows_at(self, node: Node) -> int:
        return sum(self.rows[place][1] for place in self.left if self.releases(node, place))

    def releases(self, node: Node, place: int) -> bool:
        return any(finer(least, node) for least in self.rows[place][0])

    def release(self, node: Node) -> int | None:
        if node in self.refused:
            return None
        self.released.append(node)
        self.gone[node] = self.leave(node)
        return sum(self.rows[place][1] for place in self.left)

    def find(
        self,
        need: Callable[[int], int],
        goes_on: Callable[[Standing], bool] = lambda _: True,
        *,
        slack: int = 0,
    ) -> Layers:
        """The layers found, where the most that a node releases may be said ``slack`` too high."""
        self.left = [*range(len(self.rows))]
        self.asked, self.released, self.gone = [], [], {}

        def bounded(nodes: Sequence[Node]) -> list[int]:
            return [most + slack * (most > 0) for most in self.most_at(nodes)]

        return find_layers(
            self.nodes.lattice,
            self.nodes.bound.__getitem__,
            bounded if slack else self.most_at,
            self.rows_at if slack else None,
            Releasing(self.count, need, self.release),
            goes_on,
        )

    def leave(self, node: Node) -> int:
        """Take away what a node releases, and say how many rows that is."""
        gone = self.rows_at(node)
        self.left = [place for place in self.left if not self.releases(node, place)]
        return gone


@st.composite
def releasing(draw: st.DrawFn) -> Rows:
    """Small lattices with groups of rows; coarser nodes release no fewer."""
    nodes = draw(lattices())
    every = list(nodes.lattice.nodes())
    leasts = st.lists(st.sampled_from(every), min_size=1, max_size=3)
    rows = draw(st.lists(st.tuples(leasts, st.integers(1, 9)), max_size=8))
    refused = draw(st.frozensets(st.sampled_from(every), max_size=3))
    return Rows(nodes, rows, refused)


@EFFORT
@given(releasing(), st.integers(1, 12), st.integers(0, 5))
def test_each_layer_releases_enough_of_what_is_left_but_for_the_last_at_the_top(
    rows: Rows, least: int, slack: int
) -> None:
    found = rows.find(lambda left: min(least, left), slack=slack)
    assert not found.is_cut
    rows.left = [*range(len(rows.rows))]
    left = rows.count
    for node in found.nodes:
        gone = rows.leave(node)
        last = node == rows.nodes.lattice.top
        assert gone >= (1 if last else min(least, left))
        left -= gone


@EFFORT
@given(releasing(), st.integers(1, 12), st.integers(0, 5))
def test_nothing_is_left_that_the_most_general_node_could_release(
    rows: Rows, least: int, slack: int
) -> None:
    found = rows.find(lambda left: min(least, left), slack=slack)
    assert not rows.refused & {*found.nodes}
    assert found.nodes == tuple(node for node in rows.released if rows.gone[node])
    if rows.nodes.lattice.top not in rows.refused:
        assert rows.rows_at(rows.nodes.lattice.top) == 0


@EFFORT
@given(releasing(), st.integers(1, 12))
def test_no_layer_is_as_fine_as_one_before_it(rows: Rows, least: int) -> None:
    found = rows.find(lambda left: min(least, left)).nodes
    for place, node in enumerate(found):
        assert not any(finer(node, before) for before in found[:place])


@EFFORT
@given(releasing(), st.integers(1, 12))
def test_of_what_the_first_layer_is_a_step_above_nothing_releases_enough(
    rows: Rows, need: int
) -> None:
    rows.refused = frozenset()
    found = rows.find(lambda _: need).nodes
    rows.left = [*range(len(rows.rows))]
    if found and rows.rows_at(found[0]) >= need:
        assert all(rows.rows_at(node) < need for node in rows.nodes.lattice.finer(found[0]))


@EFFORT
@given(releasing(), st.integers(1, 12))
def test_each_node_that_was_asked_about_is_counted_once(rows: Rows, need: int) -> None:
    found = rows.find(lambda _: need)
    assert found.measured == len({*rows.asked})


@EFFORT
@given(releasing(), st.integers(0, 12))
def test_a_search_that_is_stopped_releases_the_rest_at_the_top(rows: Rows, most: int) -> None:
    rows.refused = frozenset()
    whole = rows.find(lambda _: 1)
    cut = rows.find(lambda _: 1, lambda standing: standing.measured < most)
    assert cut.is_cut or cut == whole
    top = rows.nodes.lattice.top
    if cut.is_cut:
        assert cut.nodes == (*whole.nodes[: len(cut.nodes) - 1], top)
    assert not rows.left
    if not most and rows.rows:
        every = sum(count for _, count in rows.rows)
        assert cut == Layers((top,), 0, is_cut=True, top_rows=every)


@EFFORT
@given(releasing())
def test_a_search_tells_how_many_nodes_it_has_measured(rows: Rows) -> None:
    told: list[int] = []

    def goes_on(standing: Standing) -> bool:
        told.append(standing.measured)
        return True

    found = rows.find(lambda _: 1, goes_on)
    assert told == sorted(told)
    assert not told or told[-1] <= found.measured


def test_nothing_is_asked_where_there_is_no_row() -> None:
    lattice = Lattice((2, 2))
    rows = Rows(Nodes(lattice, {}, dict.fromkeys(lattice.nodes(), 0), {}), [])
    assert rows.find(lambda _: 1) == Layers((), 0)
    assert rows.asked == []


def test_a_node_that_is_refused_is_passed_over() -> None:
    lattice = Lattice((2,))
    nodes = Nodes(lattice, {}, {node: node[0] for node in lattice.nodes()}, {})
    rows = Rows(nodes, [([(0,)], 3), ([(2,)], 4)], frozenset({(1,)}))
    assert rows.find(lambda _: 3).nodes == ((0,), (2,))
    rows = Rows(nodes, [([(1,)], 3), ([(2,)], 4)], frozenset({(1,)}))
    assert rows.find(lambda _: 3).nodes == ((2,),)
    rows = Rows(nodes, [([(0,)], 3), ([(2,)], 4)], frozenset({(2,)}))
    assert rows.find(lambda _: 3).nodes == ((0,),)


def test_where_nothing_is_released_there_is_no_layer() -> None:
    lattice = Lattice((2,))
    rows = Rows(Nodes(lattice, {}, dict.fromkeys(lattice.nodes(), 0), {}), [([], 5)])
    assert rows.find(lambda _: 3).nodes == ()


WIDE = Lattice((4,) * 15)
BEYOND: dict[str, list[Node]] = {
    "the top alone": [],
    "one column": [(4,) + (0,) * 14],
    "three columns": [tuple(4 * (each == place) for each in range(15)) for place in (11, 7, 3)],
    "every other column": [tuple(4 * (each % 2) for each in range(15))],
    "all columns, high": [(3,) * 15],
    "all columns, each its own": [(2, 3, 4) * 5],
}


@pytest.mark.parametrize("beyond", BEYOND)
def test_a_large_lattice_is_never_listed(beyond: str) -> None:
    """15 columns of 4 levels, 5 ** 15 nodes: rows that need some columns to be general."""
    asked: set[Node] = set()
    groups = [(WIDE.bottom, 50), *((node, 30) for node in BEYOND[beyond]), (WIDE.top, 20)]
    rows = sum(size for _, size in groups)

    def most_at(nodes: Sequence[Node]) -> list[int]:
        asked.update(nodes)
        assert len(asked) < 2_000
        return [sum(size for least, size in groups if finer(least, node)) for node in nodes]

    def release(node: Node) -> int:
        groups[:] = [group for group in groups if not finer(group[0], node)]
        return sum(size for _, size in groups)

    found = find_layers(WIDE, sum, most_at, None, Releasing(rows, lambda _: 20, release))
    assert found.nodes == (WIDE.bottom, *BEYOND[beyond], WIDE.top)
    assert found.measured == len(asked)
