"""The search on lattices that are dicts: no SQL, and every answer can be tried out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search_nodes import EFFORT, Nodes, finer, lattices
from sqlgen.search.lattice import Lattice, Node
from sqlgen.search.optimal import find_optimal
from sqlgen.search.verdict import Found, Verdict


@EFFORT
@given(lattices())
def test_the_search_finds_what_trying_every_node_finds(nodes: Nodes) -> None:
    assert nodes.find().node == nodes.try_all()


@EFFORT
@given(lattices())
def test_the_optimum_comes_with_its_own_cost(nodes: Nodes) -> None:
    found = nodes.find()
    assert found.cost == (None if found.node is None else nodes.cost[found.node])


@EFFORT
@given(lattices())
def test_no_node_is_measured_twice(nodes: Nodes) -> None:
    found = nodes.find()
    assert len(nodes.measured) == len(set(nodes.measured)) == found.measured


@EFFORT
@given(lattices())
def test_only_feasible_nodes_are_priced_and_each_once(nodes: Nodes) -> None:
    nodes.find()
    assert len(nodes.priced) == len(set(nodes.priced))
    assert set(nodes.priced) <= {node for node in nodes.measured if nodes.feasible[node]}


@EFFORT
@given(lattices(), st.booleans())
def test_no_node_is_priced_that_costs_more_than_another_for_sure(nodes: Nodes, ahead: bool) -> None:
    nodes.find(ahead=ahead)
    best: int | None = None
    for node in nodes.priced:
        assert best is None or nodes.least[node] <= best
        best = nodes.cost[node] if best is None else min(best, nodes.cost[node])


@EFFORT
@given(lattices())
def test_a_node_that_was_not_priced_cannot_cost_less_than_the_optimum(nodes: Nodes) -> None:
    found = nodes.find()
    for node in nodes.measured:
        if nodes.feasible[node] and node not in nodes.priced:
            assert found.cost is not None
            assert nodes.least[node] >= found.cost


@pytest.mark.battery
@EFFORT
@given(lattices())
def test_a_search_that_looks_ahead_finds_the_same(nodes: Nodes) -> None:
    alone = nodes.find()
    ahead = nodes.find(ahead=True)
    assert (ahead.node, ahead.cost) == (alone.node, alone.cost)


@st.composite
def misled(draw: st.DrawFn) -> Nodes:
    """Lattices whose verdicts say of each node that it misses by any excess at all."""
    nodes = draw(lattices())
    excesses = st.floats(-5, 5, allow_nan=False)
    count = nodes.lattice.size
    drawn = draw(st.lists(excesses, min_size=count, max_size=count))
    nodes.excess = dict(zip(nodes.lattice.nodes(), drawn, strict=True))
    if draw(st.booleans()):
        nodes.below = {node: least_finer(nodes, node) for node in nodes.cost}
    return nodes


def least_finer(nodes: Nodes, node: Node) -> int | None:
    """What no feasible node falls below that is as fine as this one."""
    costs = [nodes.cost[each] for each in nodes.cost if nodes.feasible[each] and finer(each, node)]
    return min(costs, default=None)


@EFFORT
@given(misled(), st.booleans())
def test_a_guess_that_is_wrong_changes_no_answer(nodes: Nodes, ahead: bool) -> None:
    found = nodes.find(ahead=ahead)
    best = nodes.try_all()
    assert found.node == best
    assert found.cost == (None if best is None else nodes.cost[best])
    assert len(nodes.priced) == len(set(nodes.priced))
    assert found.measured == len({*nodes.prepared, *nodes.measured})
    closed = found.closed.by_failure + found.closed.by_classes + found.closed.by_columns
    assert found.measured + closed == nodes.lattice.size


@EFFORT
@given(misled(), st.integers(0, 12), st.booleans())
def test_a_search_by_guesses_that_is_ended_early_has_a_floor_that_holds(
    nodes: Nodes, most: int, ahead: bool
) -> None:
    found = nodes.find(most, ahead=ahead)
    best = nodes.try_all()
    assert found.measured <= most
    if found.floor is None:
        assert found.node == best
    elif best is not None:
        assert found.floor <= nodes.cost[best]
        assert found.cost is None or found.cost >= nodes.cost[best]


def test_a_guess_that_is_right_saves_measurements() -> None:
    lattice = Lattice((1, 1, 3, 2, 2, 3))

    def excess(node: Node) -> float:
        return 21.5 - sum(
            gain * level for gain, level in zip((2, 2, 4, 3, 1, 1), node, strict=True)
        )

    def cost(node: Node) -> int:
        prices = (2, 2, 1, 3, 3, 1)
        return sum(price * level**2 for price, level in zip(prices, node, strict=True))

    def find(known: Callable[[Node], float | None]) -> Found:
        return find_optimal(
            lattice,
            cost,
            lambda node: Verdict(excess(node) <= 0, excess(node) > 0, log_overrun=known(node)),
            cost,
        )

    informed, blind = find(excess), find(lambda _: None)
    assert informed.node == blind.node
    assert informed.measured * 2 < blind.measured


@EFFORT
@given(lattices())
def test_every_node_that_is_prepared_or_judged_counts_as_measured(nodes: Nodes) -> None:
    found = nodes.find(ahead=True)
    assert found.measured == len({*nodes.prepared, *nodes.measured})
    closed = found.closed.by_failure + found.closed.by_classes + found.closed.by_columns
    assert found.measured + closed == nodes.lattice.size


@EFFORT
@given(lattices(), st.integers(0, 12))
def test_a_limit_holds_for_nodes_that_are_prepared_too(nodes: Nodes, most: int) -> None:
    found = nodes.find(most, ahead=True)
    assert len({*nodes.prepared, *nodes.measured}) == found.measured <= most
    whole = nodes.find()
    if found.floor is None:
        assert (found.node, found.cost) == (whole.node, whole.cost)
    else:
        assert whole.cost is None or found.floor <= whole.cost
    if found.node is not None:
        assert found.cost == nodes.cost[found.node]


def test_nodes_are_prepared_together_where_each_of_them_fails() -> None:
    nodes = uniform((3, 3, 3), feasible=False)
    nodes.feasible = {node: node[0] == 3 for node in nodes.cost}
    nodes.bound = nodes.cost = {node: sum(node) for node in nodes.cost}
    asked: list[int] = []

    def prepare(several: Sequence[Node]) -> None:
        asked.append(len(several))

    find_optimal(
        nodes.lattice,
        nodes.bound.__getitem__,
        lambda node: Verdict(nodes.feasible[node], closes=not nodes.feasible[node]),
        nodes.cost.__getitem__,
        prepare=prepare,
    )
    assert max(asked) > 1


@EFFORT
@given(lattices())
def test_nothing_finer_than_an_infeasible_node_is_measured_after_it(nodes: Nodes) -> None:
    nodes.find()
    for number, node in enumerate(nodes.measured):
        if not nodes.feasible[node]:
            assert not any(finer(later, node) for later in nodes.measured[number + 1 :])


@EFFORT
@given(lattices())
def test_no_node_is_measured_whose_bound_is_above_a_cost_already_found(nodes: Nodes) -> None:
    nodes.find()
    least: int | None = None
    for node in nodes.measured:
        assert least is None or nodes.bound[node] <= least
        if nodes.feasible[node]:
            least = min(nodes.cost[node], nodes.cost[node] if least is None else least)


@EFFORT
@given(lattices())
def test_a_bound_that_says_nothing_changes_no_answer(nodes: Nodes) -> None:
    blind = Nodes(nodes.lattice, nodes.feasible, dict.fromkeys(nodes.bound, 0), nodes.cost)
    assert blind.find().node == nodes.try_all()


def uniform(heights: tuple[int, ...], feasible: bool) -> Nodes:
    lattice = Lattice(heights)
    flat = dict.fromkeys(lattice.nodes(), 0)
    return Nodes(lattice, dict.fromkeys(flat, feasible), flat, flat)


def test_nothing_feasible_gives_no_node() -> None:
    assert uniform((2, 3), feasible=False).find() == Found(None, None, 1)


def test_an_infeasible_top_is_all_that_is_measured_where_nothing_is_feasible() -> None:
    nodes = uniform((2, 3, 4), feasible=False)
    nodes.find()
    assert nodes.measured == [(2, 3, 4)]


def test_the_bottom_wins_where_every_node_is_feasible_at_one_cost() -> None:
    assert uniform((2, 2), feasible=True).find().node == (0, 0)


def test_ties_go_to_the_smaller_height() -> None:
    nodes = uniform((2, 2), feasible=True)
    # (0, 2) and (1, 0) cost the same; the first stands before the second in column order.
    nodes.feasible = {node: finer((0, 2), node) or finer((1, 0), node) for node in nodes.cost}
    assert nodes.find().node == (1, 0)


def test_ties_at_one_height_go_to_the_smaller_levels_in_column_order() -> None:
    nodes = uniform((2, 2), feasible=True)
    nodes.feasible = {node: finer((0, 1), node) or finer((1, 0), node) for node in nodes.cost}
    assert nodes.find().node == (0, 1)


def test_a_coarser_node_can_win_where_suppression_makes_the_finer_one_dear() -> None:
    nodes = uniform((2,), feasible=True)
    nodes.cost = {(0,): 5, (1,): 7, (2,): 1}
    assert nodes.find().node == (2,)


def test_a_lattice_of_one_node_is_searched() -> None:
    assert uniform((), feasible=True).find() == Found((), 0, 1)


@EFFORT
@given(lattices(), st.integers(0, 12))
def test_a_search_that_is_ended_early_tells_what_no_node_falls_below(
    nodes: Nodes, most: int
) -> None:
    whole = nodes.find()
    nodes.measured.clear()
    found = find_optimal(
        nodes.lattice,
        nodes.bound.__getitem__,
        lambda node: Verdict(nodes.feasible[node], closes=node in nodes.closing),
        nodes.cost.__getitem__,
        goes_on=lambda standing: standing.measured < most,
    )
    assert found.measured <= most
    if found.floor is None:
        assert found == whole
        return
    assert found.measured == most < whole.measured
    assert whole.cost is None or found.floor <= whole.cost
    if found.node is not None:
        assert nodes.feasible[found.node]
        assert found.cost == nodes.cost[found.node]
        assert whole.cost is not None
        assert whole.cost <= found.cost


def test_a_search_without_a_node_to_measure_still_has_a_floor() -> None:
    nodes = uniform((2, 2), True)
    found = find_optimal(
        nodes.lattice,
        nodes.bound.__getitem__,
        lambda _: Verdict(feasible=True, closes=False),
        nodes.cost.__getitem__,
        goes_on=lambda _: False,
    )
    assert found == Found(None, None, 0, nodes.bound[nodes.lattice.bottom])
