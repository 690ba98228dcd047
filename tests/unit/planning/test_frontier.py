"""The frontier: at each threshold what a search of its own would find, in one walk."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from functools import partial
from typing import Any

import duckdb
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import oracle
from cli_harness import Clinic, make_clinic
from drawn_tables import drawn, filled, policy_of
from harness import connected, policy_mapping
from search_nodes import EFFORT, Nodes, finer, lattices
from sqlgen import PolicyError, SearchLimits, make_frontier, make_plan, read_policy
from sqlgen.metrics import METRICS
from sqlgen.search.frontier import find_frontier
from sqlgen.search.lattice import Lattice, Node
from sqlgen.search.optimal import find_optimal
from sqlgen.search.verdict import Verdict
from strategies import Table, tables

MOST_NODES = 80


@EFFORT
@given(lattices(), st.data())
def test_each_point_is_what_a_search_of_its_own_finds(nodes: Nodes, data: st.DataObject) -> None:
    every = list(nodes.lattice.nodes())
    feasible = [
        {node for node in every if any(finer(one, node) for one in minimal)}
        for minimal in data.draw(
            st.lists(st.lists(st.sampled_from(every), max_size=3), min_size=1, max_size=4)
        )
    ]
    extras = data.draw(st.lists(st.integers(0, 4), min_size=len(feasible), max_size=len(feasible)))

    def verdict(node: Node, number: int) -> Verdict:
        able = feasible[number]
        return Verdict(node in able, closes=not any(finer(each, node) for each in able))

    def cost(node: Node, number: int) -> int:
        return nodes.cost[node] + extras[number]

    asked: list[tuple[Node, int]] = []

    def verdicts(node: Node, numbers: Sequence[int]) -> list[Verdict]:
        asked.extend((node, number) for number in numbers)
        return [verdict(node, number) for number in numbers]

    found = find_frontier(nodes.lattice, len(feasible), nodes.bound.__getitem__, verdicts, cost)
    assert len(asked) == len(set(asked))
    assert found.measured == len({node for node, _ in asked})
    for number, point in enumerate(found.points):
        alone = find_optimal(
            nodes.lattice,
            nodes.bound.__getitem__,
            partial(verdict, number=number),
            partial(cost, number=number),
        )
        assert (point.node, point.cost) == (alone.node, alone.cost)
        assert point.is_proved


def test_a_walk_that_is_ended_early_proves_nothing() -> None:
    found = find_frontier(
        Lattice((3,)),
        2,
        sum,
        lambda _, numbers: [Verdict(feasible=True, closes=False)] * len(numbers),
        lambda node, _: sum(node),
        lambda measured: measured < 1,
    )
    assert found.measured == 1
    assert not any(point.is_proved for point in found.points)


@pytest.mark.battery
@given(
    tables(max_quasi=3),
    st.permutations([2, 3, 4, 6]),
    st.sampled_from([0, "10%", "50%"]),
    st.sampled_from(sorted(METRICS)),
)
def test_each_k_gives_the_plan_of_that_k(
    table: Table, thresholds: list[int], budget: str | int, objective: str
) -> None:
    assume(table.rows and len(oracle.lattice(table.ladders)) <= MOST_NODES)

    def policy(k: int) -> Any:
        return read_policy(policy_mapping(table, k, budget) | {"objective": objective})

    with connected(table) as connection:
        frontier = make_frontier(policy(2), connection, vary=("k", thresholds))
        plans = [make_plan(policy(k), connection) for k in thresholds]
    for point, plan in zip(frontier.points, plans, strict=True):
        assert bool(point.levels) == plan.satisfied
        if plan.satisfied:
            assert point.levels == plan.levels
            assert point.objective == pytest.approx(plan.objective, rel=1e-12)
            counts = (plan.suppressed_rows, plan.classes)
            assert (point.suppressed_rows, point.classes) == counts
            assert [each.value for each in point.guarantees] == [
                each.value for each in plan.guarantees
            ]


@pytest.mark.battery
@settings(max_examples=5)
@given(
    st.integers(1, 50),
    st.sampled_from(["released", "source"]),
    st.sampled_from(["equal", "ordered"]),
    st.sampled_from([0, 4, 12]),
)
def test_each_t_and_each_l_gives_the_plan_of_that_threshold(
    seed: int, reference: str, distance: str, budget: int
) -> None:
    def policy(t: str, l: int) -> Any:  # noqa: E741
        close = {"column": "illness", "t": t, "distance": distance, "reference": reference}
        diverse = {"distinct_l_diversity": {"column": "illness", "l": l}}
        return read_policy(policy_of([{"t_closeness": close}, diverse], budget))

    with filled(drawn(seed)) as connection:
        for parameter, thresholds in (("t", ["0.5", "0.2", "0.35"]), ("l", ["1", "3", "2"])):
            base: dict[str, Any] = {"t": "0.4", "l": 1}
            frontier = make_frontier(policy(**base), connection, vary=(parameter, thresholds))
            for point in frontier.points:
                plan = make_plan(policy(**{**base, parameter: point.threshold}), connection)
                assert point.levels == (dict(plan.levels or {}) if plan.satisfied else {})
                if plan.satisfied:
                    assert point.objective == pytest.approx(plan.objective, rel=1e-12)


def test_without_thresholds_the_first_of_k_l_and_t_is_varied() -> None:
    policy = read_policy(policy_of([], 3))
    with filled(drawn(1)) as connection:
        frontier = make_frontier(policy, connection)
    assert frontier.parameter == "k"
    assert [each.threshold for each in frontier.points] == ["2", "3", "5", "10", "20", "50", "100"]
    assert frontier.points[-1].levels == {}
    assert frontier.satisfied


@pytest.mark.parametrize(
    ("vary", "message"),
    [
        (("q", [1]), "--vary: no guarantee of the policy has a parameter q"),
        (("k", [1]), "--vary: k of k_anonymity, 1: must be at least 2"),
        (("k", ["x"]), "--vary: k of k_anonymity, x: must be a whole number"),
        (("k", []), "--vary: name a parameter and its values"),
    ],
)
def test_a_threshold_that_is_none_is_refused(vary: Any, message: str) -> None:
    policy = read_policy(policy_of([], 3))
    with filled(drawn(1)) as connection, pytest.raises(PolicyError) as refused:
        make_frontier(policy, connection, vary=vary)
    assert message in str(refused.value)


@pytest.fixture
def clinic(tmp_path: Any) -> Clinic:
    return make_clinic(tmp_path)


def test_text_csv_and_json_say_the_same(clinic: Clinic) -> None:
    text = clinic.run("frontier", "--vary", "k=2,3,7")
    assert text.code == 0
    lines = [line.split() for line in text.out.splitlines()]
    assert lines[1] == ["k", "loss", "suppressed", "classes", "zip", "age"]
    assert lines[-1] == ["7", "not", "met"]
    document = json.loads(clinic.run("frontier", "--vary", "k=2,3,7", "--json").out)
    rows = list(csv.DictReader(io.StringIO(clinic.run("frontier", "--vary=k=2,3,7", "--csv").out)))
    for line, point, row in zip(lines[2:], document["points"], rows, strict=True):
        assert line[0] == point["threshold"] == row["k"]
        if point["satisfied"]:
            assert float(line[1]) == pytest.approx(point["objective"], abs=1e-6)
            assert float(row["loss"]) == point["objective"]
            levels = [str(level) for level in point["levels"].values()]
            assert line[4:] == levels == [row["zip"], row["age"]]
    assert document["nodes"]["lattice"] == 12


@pytest.mark.parametrize("vary", ["k", "k=", "=2", "k=2,,3"])
def test_a_malformed_option_is_a_usage_error(clinic: Clinic, vary: str) -> None:
    ran = clinic.run("frontier", "--vary", vary)
    assert ran.code == 2
    assert "--vary: write k=2,5,10" in ran.err


def test_where_no_threshold_is_met_the_exit_code_is_1(clinic: Clinic) -> None:
    assert clinic.run("frontier", "--vary", "k=50,60").code == 1


def test_a_limit_is_told(clinic: Clinic) -> None:
    ran = clinic.run("frontier", "--vary", "k=2,3", "--nodes", "1")
    assert ran.code == 0
    assert " or less" in ran.out


def test_a_frame_of_the_points() -> None:
    with filled(drawn(1)) as connection:
        assert isinstance(connection, duckdb.DuckDBPyConnection)
        frontier = make_frontier(read_policy(policy_of([], 3)), connection, vary=("k", [2, 3]))
    assert list(frontier.to_pandas()["k"]) == ["2", "3"]


def local_policy(**more: Any) -> Any:
    return read_policy(policy_of([DIVERSE], 4, **more))


DIVERSE: dict[str, Any] = {"distinct_l_diversity": {"column": "illness", "l": 2}}


@pytest.mark.parametrize(
    "own",
    [
        pytest.param("full_domain", marks=pytest.mark.battery),
        "local",
        pytest.param({"local": {"suppress": False}}, marks=pytest.mark.battery),
    ],
)
def test_each_recoding_gives_the_plan_of_its_own_at_each_threshold(own: Any) -> None:
    name = own if isinstance(own, str) else "local"
    with filled(drawn(2)) as connection:
        policy = local_policy(recoding=own, queries=[{"zip": "zip = 'a'"}])
        asked: dict[str, Any] = {"vary": ("k", [2, 4, 30]), "recodings": ["local", "full_domain"]}
        frontier = make_frontier(policy, connection, **asked)
        alone = make_frontier(policy, connection, vary=("k", [2, 4, 30]))
        order = [(point.threshold, point.recoding) for point in frontier.points]
        assert order == [
            (k, recoding) for k in ("2", "4", "30") for recoding in ("local", "full_domain")
        ]
        assert alone.points == tuple(each for each in frontier.points if each.recoding == name)
        for point in frontier.points:
            recoding = own if point.recoding == name else point.recoding
            sections = policy_of([DIVERSE], 4, recoding=recoding)
            sections["guarantees"][0]["k_anonymity"]["k"] = int(point.threshold)
            plan = make_plan(read_policy(sections), connection)
            assert point.satisfied == plan.satisfied
            if plan.satisfied:
                assert point.objective == pytest.approx(plan.objective, rel=1e-12)
                assert (point.levels or None) == plan.levels
                assert point.level_rows == plan.level_rows
                assert point.is_proved == (plan.floor is None)
                counts = (plan.suppressed_rows, plan.classes)
                assert (point.suppressed_rows, point.classes) == counts


def test_a_recoding_that_is_none_is_refused() -> None:
    with filled(drawn(1)) as connection, pytest.raises(PolicyError) as refused:
        make_frontier(local_policy(), connection, recodings=["layered"])
    known = "full_domain, local, mondrian, anatomy, microaggregation"
    assert f"--recoding: must be one of {known}; found layered" in str(refused.value)


PRESENT = {"delta_presence": {"most": 1, "population": {"table": "people"}}}
LIMITED: dict[str, Any] = {"homogeneity": {"column": "illness", "at_most": 3}}
NONE_ALIKE: dict[str, Any] = {"homogeneity": {"column": "illness", "at_most": 0}}


@pytest.mark.parametrize(
    ("guarantee", "own", "asked"),
    [
        (PRESENT, "full_domain", {"recodings": ["full_domain", "local"]}),
        (LIMITED, "full_domain", {"recodings": ["local"]}),
        (NONE_ALIKE, "local", {"vary": ("at_most", [0, 3])}),
    ],
    ids=["people", "a limit", "a limit among the thresholds"],
)
def test_local_recoding_is_refused_where_a_guarantee_is_unfit(
    guarantee: dict[str, Any], own: str, asked: dict[str, Any]
) -> None:
    policy = read_policy(policy_of([guarantee], 4, recoding=own))
    with filled(drawn(1)) as connection, pytest.raises(PolicyError) as refused:
        make_frontier(policy, connection, **asked)
    (name,) = guarantee
    assert f"--recoding: local recoding cannot give {name}: " in str(refused.value)
    assert str(refused.value).endswith("Write --recoding full_domain")


def test_text_csv_json_and_frames_compare_recodings(clinic: Clinic) -> None:
    asked = ("--vary", "k=2,3,7", "--recoding", "full_domain,local")
    text = clinic.run("frontier", *asked)
    assert text.code == 0, text.text
    assert max(map(len, text.out.splitlines())) <= 80
    lines = [line.split() for line in text.out.splitlines()]
    assert lines[1] == ["k", "recoding", "loss", "suppressed", "classes"]
    document = json.loads(clinic.run("frontier", *asked, "--json").out)
    rows = list(csv.DictReader(io.StringIO(clinic.run("frontier", *asked, "--csv").out)))
    assert len(rows) == len(document["points"]) == 6
    for line, point, row in zip(lines[2:-1], document["points"], rows, strict=True):
        assert line[:2] == [point["threshold"], point["recoding"]] == [row["k"], row["recoding"]]
        if not point["satisfied"]:
            assert line[2:] == ["not", "met"]
            continue
        assert float(line[2]) == pytest.approx(point["objective"], abs=1e-6)
        assert float(row["loss"]) == point["objective"]
        assert (row["zip"] == "") == (point["recoding"] == "local") == ("level_rows" in point)
    assert text.out.splitlines()[-1] == "By local, another way may lose less."
    refused = clinic.run("frontier", "--recoding", "best")
    assert (refused.code, refused.out) == (2, "")


def test_a_limit_of_nodes_is_shared_by_the_thresholds_of_local_recoding() -> None:
    with filled(drawn(2)) as connection:
        asked: dict[str, Any] = {"vary": ("k", [3, 3]), "recodings": ["local"]}
        every = make_frontier(local_policy(), connection, **asked)
        most = SearchLimits(max_nodes=every.measured_nodes // 2)
        some = make_frontier(local_policy(), connection, **asked, limits=most)
    first, second = (point.objective for point in every.points)
    found, other = (point.objective for point in some.points)
    assert first == second == found != other


def test_what_a_prompt_shows_names_recodings_where_there_are_several() -> None:
    with filled(drawn(1)) as connection:
        both = ("full_domain", "local")
        frontier = make_frontier(local_policy(), connection, vary=("k", [2]), recodings=both)
    assert frontier.recodings == both
    assert "2 full_domain: " in repr(frontier)
    assert "2 local: " in repr(frontier)
    assert "<td" in frontier._repr_html_()
    assert "local" in frontier._repr_html_()
    assert list(frontier.to_pandas()["recoding"]) == list(both)
