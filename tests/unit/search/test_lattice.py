"""The lattice: its nodes, their neighbours, and which is finer than which."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from search_nodes import finer
from sqlgen.search.lattice import Lattice, within

LATTICES = st.lists(st.integers(0, 4), max_size=4).map(lambda heights: Lattice(tuple(heights)))


@given(LATTICES, st.data())
def test_masks_compare_as_levels_do_column_by_column(lattice: Lattice, data: st.DataObject) -> None:
    nodes = st.sampled_from(list(lattice.nodes()))
    one, other = data.draw(nodes), data.draw(nodes)
    assert within(lattice.mask(one), lattice.mask(other)) == finer(one, other)


@given(LATTICES)
def test_every_node_has_a_mask_of_its_own(lattice: Lattice) -> None:
    assert len({lattice.mask(node) for node in lattice.nodes()}) == lattice.size


def test_levels_far_above_a_machine_word_are_compared_exactly() -> None:
    lattice = Lattice((100, 100))
    assert within(lattice.mask((99, 0)), lattice.mask((100, 0)))
    assert not within(lattice.mask((100, 0)), lattice.mask((99, 100)))


@given(LATTICES)
def test_offspring_reach_each_node_from_the_bottom_exactly_once(lattice: Lattice) -> None:
    reached = Counter([lattice.bottom])
    waiting = [lattice.bottom]
    while waiting:
        born = list(lattice.offspring(waiting.pop()))
        reached.update(born)
        waiting += born
    assert reached == Counter(lattice.nodes())


@given(LATTICES)
def test_offspring_are_one_level_coarser(lattice: Lattice) -> None:
    for node in lattice.nodes():
        assert set(lattice.offspring(node)) <= set(lattice.coarser(node))


@given(LATTICES)
def test_coarser_neighbours_are_one_level_up_in_one_column(lattice: Lattice) -> None:
    for node in lattice.nodes():
        expected = [
            other for other in lattice.nodes() if finer(node, other) and sum(other) == sum(node) + 1
        ]
        assert sorted(lattice.coarser(node)) == expected


@given(LATTICES)
def test_there_are_as_many_nodes_as_the_size_says(lattice: Lattice) -> None:
    nodes = list(lattice.nodes())
    assert len(nodes) == len(set(nodes)) == lattice.size


@given(LATTICES)
def test_nodes_come_in_column_order_between_bottom_and_top(lattice: Lattice) -> None:
    nodes = list(lattice.nodes())
    assert (nodes[0], nodes[-1]) == (lattice.bottom, lattice.top)
    assert all(earlier < later for earlier, later in pairwise(nodes))


def test_a_lattice_of_two_columns_has_these_nodes() -> None:
    assert list(Lattice((1, 2)).nodes()) == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
