"""Every minimal node: on lattices that are dicts, of random tables, and on the command line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
from cli_harness import Clinic, make_clinic
from guarantee_cases import Case, cases, fill, policy_mapping, table_of
from harness import connected
from harness import policy_mapping as sized_mapping
from oracle_models import release_models
from search_nodes import EFFORT, finer, small
from sqlgen import (
    Policy,
    SearchLimits,
    apply_plan,
    audit_table,
    make_plan,
    minimal_nodes,
    read_policy,
)
from sqlgen.planning.minimal import MinimalNode
from sqlgen.search.lattice import Lattice, Node
from sqlgen.search.minimal import Minimal, find_minimal
from sqlgen.search.verdict import Verdict
from strategies import Table, tables
from strategies_releases import rows_of


@dataclass
class Nodes:
    """Which nodes of a lattice are feasible, which tell what they close, and which were measured.

    Feasibility need not be monotone: a node closes where no finer one is feasible.
    """

    lattice: Lattice
    feasible: Set[Node]
    telling: Set[Node]
    measured: list[Node] = field(default_factory=list)

    def closes(self, node: Node) -> bool:
        return node in self.telling and not any(finer(each, node) for each in self.feasible)

    def find(self, most: int | None = None) -> Minimal:
        """The search's answer, with every question it asked written down."""
        self.measured.clear()

        def verdict(node: Node) -> Verdict:
            self.measured.append(node)
            return Verdict(node in self.feasible, self.closes(node))

        return find_minimal(self.lattice, verdict, lambda measured: most is None or measured < most)


def minimal(feasible: Set[Node]) -> list[Node]:
    """The nodes of some that have no finer one among them, by height and then by levels."""
    least = [one for one in feasible if not any(finer(each, one) for each in feasible - {one})]
    return sorted(least, key=lambda node: (sum(node), node))


@st.composite
def lattices(draw: st.DrawFn) -> Nodes:
    """Small lattices; what is feasible is a few nodes, or what is coarser than them less a few."""
    heights = draw(st.lists(st.integers(0, 4), min_size=1, max_size=4).filter(small))
    least = tuple(draw(st.integers(0, height)) for height in heights)
    lattice = Lattice(tuple(heights), draw(st.sampled_from([(), (), least])))
    nodes = list(lattice.nodes())
    some = st.sets(st.sampled_from(nodes), max_size=5)
    feasible = draw(some)
    if draw(st.booleans()):
        feasible = {node for node in nodes if any(finer(each, node) for each in feasible)}
        feasible -= draw(some)
    silent = draw(st.sampled_from([set(), set(nodes), draw(some)]))
    return Nodes(lattice, feasible, set(nodes) - silent)


@EFFORT
@given(lattices())
def test_minimal_nodes_are_those_that_trying_every_node_finds(nodes: Nodes) -> None:
    assert nodes.find() == Minimal(tuple(minimal(nodes.feasible)), len(nodes.measured))


@EFFORT
@given(lattices())
def test_no_node_is_measured_twice(nodes: Nodes) -> None:
    found = nodes.find()
    assert len(nodes.measured) == len(set(nodes.measured)) == found.measured


@EFFORT
@given(lattices())
def test_nothing_is_measured_that_an_earlier_verdict_rules_out(nodes: Nodes) -> None:
    nodes.find()
    for number, node in enumerate(nodes.measured):
        later = nodes.measured[number + 1 :]
        if node in nodes.feasible:
            assert not any(finer(node, each) for each in later)
        elif nodes.closes(node):
            assert not any(finer(each, node) for each in later)


@EFFORT
@given(lattices(), st.integers(0, 12))
def test_a_search_that_is_ended_early_says_so_and_finds_feasible_nodes(
    nodes: Nodes, most: int
) -> None:
    whole = nodes.find()
    found = nodes.find(most)
    if whole.measured <= most:
        assert found == whole
        return
    assert (found.is_whole, found.measured, len(nodes.measured)) == (False, most, most)
    assert set(found.nodes) <= nodes.feasible
    assert list(found.nodes) == minimal(set(found.nodes))


def test_a_column_of_many_levels_is_halved() -> None:
    lattice = Lattice((63,))
    for least in range(64):
        chain = {(level,) for level in range(least, 64)}
        assert Nodes(lattice, chain, set(lattice.nodes())).find().measured <= 7


# Tables


@pytest.fixture(scope="module")
def shared() -> Iterator[duckdb.DuckDBPyConnection]:
    """One database for all cases."""
    with duckdb.connect(config={"threads": 1}) as connection:
        yield connection


def levels_of(nodes: Iterable[MinimalNode]) -> list[Node]:
    return sorted(tuple(each.levels.values()) for each in nodes)


@given(tables(max_quasi=3), st.integers(2, 5), st.sampled_from([0, 2, "10%", "50%"]))
def test_minimal_nodes_of_a_table_are_the_oracles(table: Table, k: int, budget: int | str) -> None:
    rows, ladders = table.rows, table.ladders
    nodes = oracle.lattice(ladders)
    releases = {node: oracle.release(rows, ladders, node, k) for node in nodes}
    most = oracle.budget(budget, len(rows))
    able = {node for node, (kept, gone) in releases.items() if kept and gone <= most}
    with connected(table) as connection:
        found = minimal_nodes(read_policy(sized_mapping(table, k, budget)), connection)
    assert levels_of(found.nodes) == sorted(minimal(able))
    assert (found.is_whole, found.satisfied) == (True, bool(able))
    assert (found.rows, found.budget, found.lattice_nodes) == (len(rows), most, len(nodes))
    for each in found.nodes:
        node = tuple(each.levels.values())
        kept, gone = releases[node]
        assert each.suppressed_rows == gone
        assert each.classes == len(oracle.classes(kept, list(ladders)))
        assert [measured.value for measured in each.guarantees] == [
            oracle.k_of(kept, list(ladders))
        ]
        lost = oracle.loss(kept, gone, ladders, node).value
        assert each.objective == pytest.approx(lost, abs=1e-9)


@given(case=cases())
def test_minimal_nodes_under_every_guarantee_are_the_oracles(
    shared: duckdb.DuckDBPyConnection, case: Case
) -> None:
    fill(shared, case)
    table, ladders, guarantees = table_of(case)
    releases = {
        node: release_models(table, ladders, node, guarantees, case.budget, case.on_failure)
        for node in oracle.lattice(ladders)
    }
    found = minimal_nodes(read_policy(policy_mapping(case)), shared)
    able = {node for node, release in releases.items() if release.feasible}
    assert levels_of(found.nodes) == sorted(minimal(able))
    for each in found.nodes:
        release = releases[tuple(each.levels.values())]
        assert each.suppressed_rows == release.suppressed
        assert each.masked_rows == release.masked
    order = [(each.objective, *each.levels.values()) for each in found.nodes]
    assert order == sorted(order)


def assert_as_released(policy: Policy, connection: duckdb.DuckDBPyConnection) -> None:
    """Each minimal node is as its plan says, and as open to attacks as its release is."""
    for each in minimal_nodes(policy, connection).nodes:
        pinned = {name: (level, level) for name, level in each.levels.items()}
        plan = make_plan(policy, connection, limits=SearchLimits(pinned))
        for name in ("objective", "classes", "suppressed_rows", "masked_rows"):
            assert getattr(each, name) == getattr(plan, name), name
        assert [measured.words for measured in each.guarantees] == [
            measured.words for measured in plan.guarantees
        ]
        apply_plan(plan, connection, replace=True)
        audited = audit_table(policy, source=connection).attacks
        assert each.attacks
        # A release can have fewer values than its source, and so add less to what it tells as a
        # whole; an audit leaves that out. A masked value is a NULL that the source lacks.
        found = {one.guarantee.words: one for one in each.attacks}
        for one in audited:
            if one.guarantee.words not in found:
                assert each.masked_rows
                continue
            assert found[one.guarantee.words].value == pytest.approx(one.value, rel=1e-9)
            if not each.masked_rows:
                assert found[one.guarantee.words].rows == one.rows


@pytest.mark.battery
@given(case=cases())
def test_a_minimal_node_is_as_open_to_attacks_as_its_release(
    shared: duckdb.DuckDBPyConnection, case: Case
) -> None:
    fill(shared, case)
    assert_as_released(read_policy(policy_mapping(case)), shared)


NULLS = [None, None, "flu", "cold", "ulcer"]


@pytest.mark.battery
@settings(max_examples=settings().max_examples // 2)
@given(
    rows=rows_of(6, 16, disease=NULLS, salary=[None, None, 10, 20]),
    on_failure=st.sampled_from(["suppress", "suppress_sensitive"]),
    level=st.sampled_from([{}, {"level": 1}]),
    diverse=st.booleans(),
)
def test_so_is_one_of_labels_and_of_values_that_are_masked(
    shared: duckdb.DuckDBPyConnection,
    rows: list[dict[str, Any]],
    on_failure: str,
    level: Mapping[str, int],
    diverse: bool,
) -> None:
    asked: list[dict[str, Any]] = [{"k_anonymity": {"k": 2}}]
    if diverse:
        asked.append({"distinct_l_diversity": {"column": "salary", "l": 2}})
    case = Case(rows, [], asked, 4, False)
    fill(shared, case)
    mapping = policy_mapping(case) | {"on_failure": on_failure}
    mapping["columns"]["disease"] |= level
    assert_as_released(read_policy(mapping), shared)


# The command line


@pytest.fixture
def clinic(tmp_path: Path) -> Clinic:
    """Three rows share each zip, and others share each age in tens: two nodes are minimal."""
    made = make_clinic(tmp_path)
    made.sql("UPDATE patients SET zip = IF(name[8] IN ('a', 'b', 'd'), 'cz111', 'cz911')")
    return made


def test_the_command_shows_each_minimal_node_and_leaves_everything_as_it_was(
    clinic: Clinic,
) -> None:
    before = clinic.state()
    ran = clinic.run("minimal")
    assert (ran.code, ran.err, clinic.state()) == (0, "", before)
    headline, names, *lines = ran.out.splitlines()
    assert headline.startswith("2 of 12 combinations of levels are minimal for 6 rows: ")
    assert names.split()[:6] == ["zip", "age", "loss", "suppressed", "classes", "k_anonymity"]
    assert "homogeneity of disease" in names
    # Nobody is open to homogeneity.
    # Zips alone lose the half of (1 + 0) (1 + 1); ages in tens (1 + 1) (1 + 0.4).
    assert [line.split()[:7] for line in lines] == [
        ["0", "2", "0.414214", "0", "2", "3", "0"],
        ["3", "1", "0.673320", "0", "2", "3", "0"],
    ]
    assert "canary" not in ran.text


def test_json_has_the_measures_and_the_attacks_of_each_node(clinic: Clinic) -> None:
    document = json.loads(clinic.run("minimal", "--json").out)
    assert document["nodes"] == {"lattice": 12, "measured": 6}
    assert [document[key] for key in ("satisfied", "whole", "objective")] == [True, True, "loss"]
    (first, second) = document["minimal"]
    assert (first["levels"], second["levels"]) == ({"zip": 0, "age": 2}, {"zip": 3, "age": 1})
    assert first["guarantees"] == [{"name": "k_anonymity", "k": 3, "measured": 3}]
    known = {"name": "background_knowledge", "column": "disease", "excluded": 1}
    assert {**known, "measured": 6, "share": 1.0} in first["attacks"]


def test_nothing_feasible_ends_with_1(clinic: Clinic) -> None:
    clinic.edit(("k: 3", "k: 7"))
    ran = clinic.run("minimal")
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.startswith(
        "None of 12 combinations of levels gives what the policy asks for, for 6 rows; 2 measured"
    )
    document = json.loads(clinic.run("minimal", "--json").out)
    assert (document["satisfied"], document["minimal"]) == (False, [])


def test_a_limit_is_told(clinic: Clinic) -> None:
    ran = clinic.run("minimal", "--nodes", "1")
    assert ran.code == 0
    assert "A limit ended the search: 1 measured" in ran.out
    assert "There may be others, and finer ones." in ran.out
    assert not json.loads(clinic.run("minimal", "--nodes", "1", "--json").out)["whole"]


def test_a_column_is_held_to_a_level(clinic: Clinic) -> None:
    document = json.loads(clinic.run("minimal", "--level", "zip=1-2", "--json").out)
    assert [each["levels"] for each in document["minimal"]] == [{"zip": 1, "age": 2}]
    assert document["nodes"]["lattice"] == 6
    ran = clinic.run("minimal", "--level", "zip=9")
    assert (ran.code, "zip has the levels 0 to 3; found 9" in ran.err) == (2, True)
