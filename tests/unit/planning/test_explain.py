"""Explanations: every claim is measured again, by a plan of its own or by the oracle."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import oracle
from cli_harness import Clinic, make_clinic
from drawn_tables import drawn, filled, policy_of
from harness import connected, policy_mapping
from sqlgen import Explanation, Policy, SearchLimits, Watch, explain_plan, make_plan, read_policy
from sqlgen.metrics import METRICS
from strategies import Table, quoted, tables

MOST_NODES = 60


def held(levels: Mapping[str, int]) -> dict[str, tuple[int, int]]:
    return {name: (level, level) for name, level in levels.items()}


def check_claims(policy: Policy, mapping: dict[str, Any], connection: Any) -> Explanation:
    """The explanation of a policy, each of its figures found another way."""
    found = explain_plan(policy, connection)
    plan = make_plan(policy, connection)
    assert found.plan.levels == plan.levels
    assert found.plan.objective == plan.objective
    if not plan.satisfied:
        assert not found.satisfied
        assert (found.finer, found.burdens, found.relief) == ((), (), None)
        return found
    assert [each.column for each in found.finer] == [
        name for name, level in plan.levels_to("test").items() if level
    ]
    for finer in found.finer:
        levels = {**plan.levels_to("test"), finer.column: finer.level}
        assert finer.level == plan.levels_to("test")[finer.column] - 1
        alone = make_plan(policy, connection, limits=SearchLimits(held(levels)))
        assert finer.feasible == alone.satisfied
        if alone.satisfied:
            assert finer.objective == pytest.approx(alone.objective, rel=1e-12)
            assert alone.objective >= plan.objective
        else:
            assert finer.objective is None
    more = plan.budget + plan.rows // 100
    relieved = make_plan(read_policy({**mapping, "suppression": more}), connection)
    assert found.relief is not None
    assert found.relief.budget == more
    assert found.relief.levels == relieved.levels
    assert found.relief.objective == pytest.approx(relieved.objective, rel=1e-12)
    return found


@given(
    tables(max_quasi=3),
    st.integers(2, 4),
    st.sampled_from([0, "10%"]),
    st.sampled_from(sorted(METRICS)),
)
def test_the_claims_about_finer_nodes_and_suppression_are_those_of_plans(
    table: Table, k: int, budget: str | int, objective: str
) -> None:
    assume(table.rows and len(oracle.lattice(table.ladders)) <= MOST_NODES)
    mapping = policy_mapping(table, k, budget) | {"objective": objective}
    with connected(table) as connection:
        found = check_claims(read_policy(mapping), mapping, connection)
    names = list(table.ladders)
    for finer in found.finer:
        levels = {**found.plan.levels_to("test"), finer.column: finer.level}
        node = tuple(levels[name] for name in names)
        kept, _ = oracle.generalize(table.rows, table.ladders, node)
        sizes = [len(rows) for rows in oracle.classes(kept, names).values()]
        (fault,) = finer.faults
        assert fault.failing_classes == sum(size < k for size in sizes)
        assert fault.failing_rows == sum(size for size in sizes if size < k)


@given(
    tables(max_quasi=3),
    st.integers(2, 4),
    st.sampled_from([0, "10%"]),
    st.sampled_from([name for name, metric in METRICS.items() if metric.takes_weights]),
)
def test_what_a_column_costs_is_what_plans_without_it_say(
    table: Table, k: int, budget: str | int, objective: str
) -> None:
    assume(table.rows and len(table.ladders) > 1)
    assume(len(oracle.lattice(table.ladders)) <= MOST_NODES)
    mapping = policy_mapping(table, k, budget) | {"objective": objective}
    with connected(table) as connection:
        found = explain_plan(read_policy(mapping), connection)
        for burden in found.burdens:
            name = burden.column
            weighed = {"objective": {objective: {"weights": {name: 0}}}}
            policy = read_policy(mapping | weighed)
            top = table.ladders[name].height
            without = make_plan(policy, connection, limits=SearchLimits({name: (top, top)}))
            now = make_plan(
                policy, connection, limits=SearchLimits(held(found.plan.levels_to("test")))
            )
            assert burden.beside == pytest.approx(now.objective, rel=1e-9, abs=1e-12)
            if burden.without is None:
                assert not without.satisfied
            else:
                assert burden.without == pytest.approx(without.objective, rel=1e-9, abs=1e-12)
            assert burden.loss == found.plan.column_loss[name]


@pytest.mark.battery
@pytest.mark.parametrize("budget", [0, 6, 12])
@pytest.mark.parametrize("reference", ["released", "source"])
def test_claims_hold_for_guarantees_over_values(budget: int, reference: str) -> None:
    close = {"column": "illness", "t": "0.3", "distance": "ordered", "reference": reference}
    for seed in (1, 2):
        mapping = policy_of([{"t_closeness": close}], budget)
        with filled(drawn(seed)) as connection:
            check_claims(read_policy(mapping), mapping, connection)


@given(tables(max_quasi=3), st.integers(2, 3), st.integers(0, 99), st.sampled_from(sorted(METRICS)))
def test_the_order_of_rows_and_of_keys_never_changes_the_chosen_node(
    table: Table, k: int, seed: int, objective: str
) -> None:
    assume(table.rows and len(oracle.lattice(table.ladders)) <= MOST_NODES)
    mapping = policy_mapping(table, k, "20%") | {"objective": objective}
    columns = list(mapping["columns"].items())
    Random(seed).shuffle(columns)
    turned = dict(reversed({**mapping, "columns": dict(columns)}.items()))
    with connected(table) as connection:
        first = make_plan(read_policy(mapping), connection)
        name = quoted(table.name)
        connection.execute(
            f"CREATE TABLE shuffled_rows AS FROM {name} ORDER BY hash(rowid, {seed})"
        )
        connection.execute(f"DELETE FROM {name}")
        connection.execute(f"INSERT INTO {name} FROM shuffled_rows")
        again = make_plan(read_policy(turned), connection)
    assert again.levels == first.levels
    assert again.objective == first.objective


@pytest.fixture
def clinic(tmp_path: Path) -> Clinic:
    return make_clinic(tmp_path)


def test_the_command_prints_the_plan_and_its_reasons(clinic: Clinic) -> None:
    before = clinic.state()
    ran = clinic.run("explain")
    assert (ran.code, clinic.state()) == (0, before)
    assert "Best of 12 combinations of levels for 6 rows" in ran.out
    assert "One level finer (0 rows may be suppressed):" in ran.out
    assert "What each column costs the others (loss of the others, now and with " in ran.out
    assert "one percent more" not in ran.out
    document = json.loads(clinic.run("explain", "--json").out)
    assert document.keys() == {"plan", "finer", "columns", "one_percent_more", "seconds"}
    for each in document["finer"]:
        (fault,) = each["faults"]
        shown = f"k_anonymity: {fault['failing_classes']} classes, {fault['failing_rows']} rows"
        assert shown in ran.out


def test_a_policy_that_cannot_be_met_is_told_as_a_plan_is(clinic: Clinic) -> None:
    clinic.edit(("k: 3", "k: 7"))
    ran = clinic.run("explain")
    assert ran.code == 1
    assert ran.out.startswith("No combination of levels gives what the policy asks for")
    assert not json.loads(clinic.run("explain", "--json").out)["finer"]


def test_columns_are_held_to_levels(clinic: Clinic) -> None:
    document = json.loads(clinic.run("explain", "--level", "zip=2", "--json").out)
    assert document["plan"]["levels"]["zip"] == 2
    assert "zip" not in {each["column"] for each in document["finer"]}


def test_an_interrupted_search_leaves_nothing_in_the_database() -> None:
    with filled(drawn(1)) as connection:
        assert isinstance(connection, duckdb.DuckDBPyConnection)
        for search in (make_plan, explain_plan):

            def interrupt(words: str) -> None:
                if words.startswith("measured"):
                    raise KeyboardInterrupt

            with pytest.raises(KeyboardInterrupt):
                search(read_policy(policy_of([], 3)), connection, watch=Watch(interrupt))
            tables_left = connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()
            assert {name for (name,) in tables_left} == {"people", "priors"}
