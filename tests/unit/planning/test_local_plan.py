"""A plan of local recoding: its figures are an audit's, and it says what becomes of a column."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import duckdb
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from drawn_tables import drawn, filled, policy_of
from harness import RELEASE, connected, policy_mapping
from sqlgen import Plan, SearchLimits, apply_plan, audit_table, make_plan, read_policy
from sqlgen.cli.text.results import plan_text
from sqlgen.wording import share_words
from strategies import Table, quoted, tables
from tables import patients, patients_columns, patients_policy, planned

QUERIES = [
    {"zip": "zip IN ('a', 'c')"},
    {"zip": "zip = 'd'", "age": "age IN ('1', '3')"},
    {"age": "age = '2'", "illness": "illness = 'flu'"},
    {"illness": "illness IS NULL"},
]


def check_like_audit(plan: Plan, policy: Any, connection: duckdb.DuckDBPyConnection) -> None:
    """The plan's figures are those that an audit finds in its release."""
    assert apply_plan(plan, connection).satisfied
    audit = audit_table(policy, source=connection)
    assert audit.not_measured == ""
    assert [each.true for each in plan.answers] == [each.true for each in audit.answers]
    estimates = [each.estimate for each in audit.answers]
    assert [each.estimate for each in plan.answers] == pytest.approx(estimates, rel=1e-9)
    assert plan.metrics == pytest.approx(dict(audit.metrics), rel=1e-9, abs=1e-9)


def local(guarantees: list[dict[str, Any]], budget: int = 4, **more: Any) -> Any:
    target = {"recoding": "local", "release": {"table": "released"}}
    return read_policy(policy_of(guarantees, budget, **target, **more))


DIVERSE = {"distinct_l_diversity": {"column": "illness", "l": 2}}
CLOSE = {"t_closeness": {"column": "illness", "t": "0.4", "distance": "equal"}}


@pytest.mark.parametrize("on_failure", ["suppress", "suppress_sensitive"])
@pytest.mark.parametrize("guarantees", [[], [DIVERSE], [CLOSE]], ids=["k", "l", "t"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_queries_of_a_policy_are_answered_as_by_an_audit(
    seed: int, guarantees: list[dict[str, Any]], on_failure: str
) -> None:
    policy = local(guarantees, on_failure=on_failure, queries=QUERIES)
    with filled(drawn(seed)) as connection:
        plan = make_plan(policy, connection)
        assert plan.satisfied
        assert len(plan.answers) == len(QUERIES)
        check_like_audit(plan, policy, connection)


@given(tables(max_quasi=3), st.integers(2, 4), st.sampled_from([0, "20%"]))
def test_the_figures_of_a_plan_are_an_audits(table: Table, k: int, budget: str | int) -> None:
    assume(table.rows)
    queries = [
        {name: f"COALESCE(CAST({quoted(name)} AS VARCHAR) > '4', FALSE)"} for name in table.ladders
    ]
    queries.append({name: text for query in queries for name, text in query.items()})
    policy = read_policy(
        policy_mapping(table, k, budget, {"table": quoted(RELEASE)})
        | {"queries": queries, "recoding": "local"}
    )
    with connected(table) as connection:
        plan = make_plan(policy, connection)
        assume(plan.satisfied and plan.rows > plan.suppressed_rows)
        check_like_audit(plan, policy, connection)


def test_a_plan_says_what_each_level_does_and_to_how_many_rows() -> None:
    plan = planned(patients_policy(recoding="local"), patients())
    text = plan_text(plan)
    released = plan.rows - plan.suppressed_rows
    document = json.loads(json.dumps(plan.to_dict()))
    assert list(document["level_rows"]) == ["zip", "age", "sex"]
    for name, rows in document["level_rows"].items():
        assert sum(rows) == released
        assert len(document["level_words"][name]) == len(rows)
    assert document["level_words"]["age"][:2] == ["the value itself", "intervals of 10"]
    assert document["steps"].keys() == {"layers", "rounds"}
    assert (document["levels"], document["proved"]) == (None, False)
    lines = [line.split() for line in text.splitlines()]
    for column, level, words, rows, share in plan.level_shares:
        said = [str(level), f"{rows:,}", share_words(share), *words.split()]
        assert any(line[-len(said) :] == said for line in lines)
        assert any(line[:1] == [column] for line in lines)
    steps = document["steps"]
    for shown in (text, repr(plan), plan._repr_html_()):
        assert f"{steps['layers']} layer" in shown
    assert "local" in repr(plan)
    assert "intervals of 10" in plan._repr_html_()
    head = text[: text.index("released in")].splitlines()[:-1]
    assert max(map(len, head)) <= 80


def test_a_long_level_is_cut_to_the_width_of_a_terminal() -> None:
    cuts = {"intervals": [{"cuts": [str(age) for age in range(20, 60, 2)]}]}
    columns = patients_columns()
    columns["age"] = {"role": "quasi", "hierarchy": cuts, "levels": [1, 1]}
    plan = planned(patients_policy(columns=columns, recoding="local"), patients())
    (line,) = [line for line in plan_text(plan).splitlines() if "cut at" in line]
    assert len(line) == 80
    assert line.endswith("...")


def test_where_nothing_gives_the_policy_the_most_general_labels_are_shown() -> None:
    plan = make_plan(
        patients_policy(recoding="local", guarantees=[{"k_anonymity": {"k": 500}}]), patients()
    )
    assert not plan.satisfied
    assert "k_anonymity (k 500) stands in the way" in plan.hindrance
    text = plan_text(plan)
    lines = [line.split() for line in text.splitlines()]
    assert ["age", "100%", "3", "120", "100%", "*"] in lines
    assert "no combination of levels meets the policy" in repr(plan)


def test_a_limit_ends_the_search_with_the_rest_as_general_as_can_be() -> None:
    with filled(drawn(2)) as connection:
        whole = make_plan(local([DIVERSE]), connection)
        plan = make_plan(local([DIVERSE]), connection, limits=SearchLimits(max_nodes=1))
        assert plan.satisfied
        assert plan.measured_nodes < whole.measured_nodes
        check_like_audit(plan, local([DIVERSE]), connection)


# The label g stands for a and b at level 1, and for c too at level 2.
TREE = {"tree": {"g": {"g": ["a", "b"], "h": ["c"]}, "k": {"k": ["d", "e"]}}}


@pytest.mark.parametrize("seed", range(12))
def test_a_label_of_two_levels_is_taken_as_an_audit_takes_it(seed: int) -> None:
    random = Random(seed)
    columns = {
        "name": {"role": "quasi", "hierarchy": TREE},
        "sex": {"role": "quasi", "hierarchy": "suppress"},
    }
    queries = [{"name": "name = 'a'"}, {"name": "name = 'c'", "sex": "sex = 'f'"}]
    policy = patients_policy(columns=columns, recoding="local", queries=queries)
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.execute("CREATE TABLE patients (name VARCHAR, sex VARCHAR)")
        rows = [(random.choice("aabcdde"), random.choice("fm")) for _ in range(22)]
        connection.executemany("INSERT INTO patients VALUES (?, ?)", rows)
        plan = make_plan(policy, connection)
        if plan.satisfied:
            check_like_audit(plan, policy, connection)


@pytest.mark.parametrize(
    ("declared", "estimate", "height"),
    [({}, 0, 1), ({"levels": 2}, pytest.approx(2 / 3), 2)],
    ids=["the finest level that has the labels", "the level that the policy allows"],
)
def test_labels_that_two_levels_have_are_of_the_finest_that_the_policy_allows(
    declared: dict[str, Any], estimate: Any, height: int
) -> None:
    columns = {"name": {"role": "quasi", "hierarchy": TREE, **declared}}
    guarantees = [{"k_anonymity": {"k": 2}}]
    policy = patients_policy(
        columns=columns,
        recoding="local",
        guarantees=guarantees,
        suppression=0,
        queries=[{"name": "name = 'c'"}],
    )
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.execute("CREATE TABLE patients (name VARCHAR)")
        connection.execute("INSERT INTO patients VALUES ('a'), ('b'), ('d'), ('e')")
        plan = make_plan(policy, connection)
        check_like_audit(plan, policy, connection)
    # The tree has the leaf c, which no row has; g stands for a and b, or for c too.
    assert plan.answers[0].estimate == estimate
    assert plan.metrics["height"] == height
