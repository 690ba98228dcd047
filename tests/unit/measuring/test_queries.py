"""Query error: COUNT queries of the user's, answered by the source and by a release."""

from __future__ import annotations

from itertools import product
from typing import Any
from unittest.mock import patch

import duckdb
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import oracle
import oracle_metrics
from harness import connected, policy_mapping
from lost import released
from oracle_metrics import Query
from sqlgen import PolicyError, SearchLimits, apply_plan, audit_table, make_plan, read_policy
from sqlgen.engines.duckdb.engine import DuckDB
from sqlgen.sql.render import Statement
from strategies import Table, quoted, tables

PEOPLE = """
CREATE TABLE people AS
SELECT 20 + i % 20 AS age, ['f', 'm'][1 + i % 2] AS sex, ['flu', 'cold', NULL][1 + i % 3] AS illness
FROM RANGE(120) AS t (i)
"""
MAPPING: dict[str, Any] = {
    "source": {"table": "people"},
    "columns": {
        "age": {"role": "quasi", "hierarchy": {"intervals": [10]}},
        "sex": {"role": "quasi", "hierarchy": "suppress"},
        "illness": {"role": "sensitive"},
    },
    "guarantees": [{"k_anonymity": {"k": 5}}],
    "release": {"table": "released"},
}


def people() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(PEOPLE)
    return connection


def test_a_label_counts_by_the_share_of_its_leaves_that_meet_the_condition() -> None:
    queries = [
        {"age": "age < 25"},
        {"sex": "sex = 'f'", "illness": "illness = 'flu'"},
        {"age": "age = 20", "sex": "sex = 'f'"},
        {"illness": "illness IS NULL"},
        {"age": "age > 90"},
    ]
    held = {"age": (1, 1), "sex": (0, 0)}
    plan = make_plan(
        read_policy({**MAPPING, "queries": queries}), people(), limits=SearchLimits(held)
    )
    found = [(each.true, each.estimate) for each in plan.answers]
    # Of the ages from 20 to 29, five are below 25 and one is 20; every age has six rows.
    assert found == [(30, 30), (20, 20), (6, 3), (40, 40), (0, 0)]
    assert plan.metrics["query_error"] == pytest.approx(0.5 / 5)
    assert plan.to_dict()["queries"][2] == {"true": 6, "estimate": 3.0, "error": 0.5}


def test_a_general_column_and_suppressed_rows_are_estimated_too() -> None:
    connection = people()
    connection.execute("INSERT INTO people VALUES (95, 'x', 'flu')")
    queries = [{"age": "age = 95"}, {"sex": "sex = 'x'"}]
    policy = read_policy({**MAPPING, "queries": queries, "suppression": 1})
    plan = make_plan(policy, connection, limits=SearchLimits({"age": (2, 2), "sex": (0, 0)}))
    # The row of the only x is gone; 120 rows are left, one age of 21 is 95.
    assert [(each.true, each.estimate) for each in plan.answers] == [
        (1, pytest.approx(120 / 21)),
        (1, 0),
    ]


def test_masked_values_are_counted_as_null() -> None:
    connection = people()
    connection.execute("INSERT INTO people SELECT 50, 'f', 'plague' FROM RANGE(6)")
    mapping = {
        **MAPPING,
        "guarantees": [{"distinct_l_diversity": {"column": "illness", "l": 2}}],
        "on_failure": "suppress_sensitive",
        "suppression": 6,
        "queries": [
            {"illness": "illness = 'plague'"},
            {"age": "age = 50"},
            {"illness": "illness IS NULL"},
            {"illness": "true", "age": "age >= 50"},
        ],
    }
    plan = make_plan(
        read_policy(mapping), connection, limits=SearchLimits({"age": (0, 0), "sex": (0, 0)})
    )
    assert plan.masked_rows == 6
    found = [(each.true, each.estimate) for each in plan.answers]
    assert found == [(6, 0), (6, 6), (40, 46), (6, 6)]


CONDITIONS: dict[str, tuple[str, ...]] = {
    "age": ("age > 30", "true"),
    "illness": ("illness IS NULL", "illness = 'flu'", "illness <> 'flu'", "true", "NULL"),
    "ward": ("ward IS NULL", "ward < 3", "coalesce(ward, 0) < 3", "ward IS NOT NULL"),
}


@pytest.mark.battery
@pytest.mark.parametrize("on_failure", ["suppress", "suppress_sensitive"])
@pytest.mark.parametrize("seen", [True, False], ids=["a NULL in the source", "no NULL"])
def test_conditions_on_values_count_what_the_release_itself_counts(
    on_failure: str, seen: bool
) -> None:
    connection = people()
    connection.execute("ALTER TABLE people ADD COLUMN ward INTEGER")
    connection.execute("UPDATE people SET ward = age % 7, illness = coalesce(illness, 'gout')")
    connection.execute("INSERT INTO people SELECT 50 + i % 2, 'f', 'plague', 4 FROM range(12) t(i)")
    if seen:
        connection.execute("UPDATE people SET ward = NULL WHERE ward = 5")
        connection.execute("UPDATE people SET illness = NULL WHERE illness = 'gout'")
    pairs = [("illness", "ward"), ("age", "illness"), ("age", "ward")]
    queries = [{name: text} for name, texts in CONDITIONS.items() for text in texts]
    for names in (*pairs, ("age", "illness", "ward")):
        chosen = product(*(CONDITIONS[name] for name in names))
        queries += [dict(zip(names, texts, strict=True)) for texts in chosen]
    columns = {**MAPPING["columns"], "ward": {"role": "sensitive"}}
    mapping = {
        **MAPPING,
        "columns": columns,
        "guarantees": [{"distinct_l_diversity": {"column": "illness", "l": 2}}],
        "on_failure": on_failure,
        "suppression": 12,
        "queries": queries,
    }
    policy = read_policy(mapping)
    plan = make_plan(policy, connection, limits=SearchLimits({"age": (0, 0), "sex": (0, 0)}))
    assert (plan.suppressed_rows, plan.masked_rows) in [(12, 0), (0, 12)]
    assert apply_plan(plan, connection).satisfied
    expected = [
        connection.execute(
            f"SELECT count(*) FROM released WHERE {' AND '.join(f'({text})' for text in texts)}"
        ).fetchall()[0][0]
        for texts in (query.values() for query in queries)
    ]
    assert [each.estimate for each in plan.answers] == expected
    assert [each.estimate for each in audit_table(policy, source=connection).answers] == expected


@given(tables(max_quasi=3), st.integers(2, 4), st.data())
def test_answers_are_those_of_the_oracle(table: Table, k: int, data: st.DataObject) -> None:
    assume(table.rows)
    names = list(table.ladders)
    asked = data.draw(st.sets(st.sampled_from(range(len(names))), min_size=1))
    node = data.draw(st.sampled_from(oracle.lattice(table.ladders)))
    queries = [{names[number]: f"{quoted(names[number])} IS NOT NULL" for number in asked}]
    policy = read_policy(policy_mapping(table, k, "100%") | {"queries": queries})
    release = released(table, node, k)
    assume(release.kept)
    held = {name: (level, level) for name, level in zip(names, node, strict=True)}
    with connected(table) as connection:
        plan = make_plan(policy, connection, limits=SearchLimits(held))
    query = Query({number: lambda value: value is not None for number in asked})
    (answer,) = plan.answers
    assert answer.true == oracle_metrics.true_count(release, query)
    estimated = float(oracle_metrics.estimated_count(release, query))
    assert answer.estimate == pytest.approx(estimated, rel=1e-9, abs=1e-9)
    expected = float(oracle_metrics.query_error(release, [query]))
    assert plan.metrics["query_error"] == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    ("queries", "message"),
    [
        ([{}], "queries[0]: name a column and a condition on it"),
        ([{"zip": "zip = 1"}], "queries[0].zip: zip must be a quasi-identifier or sensitive"),
        ("age < 3", "queries: must be a list"),
        ([{"age": "sex = 'f'"}], "queries[0].age: sql may name the column 'age' alone"),
        ([{"age": "SELECT 1"}], "queries[0].age: sql must be"),
        ([{"age": "age < random()"}], "queries[0].age: sql must give the same label each time"),
        ([{"sex": "CAST(sex AS INTEGER) > 1"}], "queries: the database cannot run the conditions"),
    ],
)
def test_a_query_that_is_none_is_refused_without_a_value(queries: Any, message: str) -> None:
    with pytest.raises(PolicyError) as refused:
        make_plan(read_policy({**MAPPING, "queries": queries}), people())
    assert message in str(refused.value)
    assert "Could not" not in str(refused.value)


def test_queries_change_neither_the_plan_nor_what_it_was_made_on() -> None:
    connection = people()
    plain = make_plan(read_policy(MAPPING), connection)
    asked = make_plan(
        read_policy({**MAPPING, "queries": [{"illness": "illness = 'flu'"}]}), connection
    )
    assert (asked.levels, asked.fingerprints) == (plain.levels, plain.fingerprints)
    assert apply_plan(asked, connection).satisfied


@pytest.mark.battery
@pytest.mark.parametrize("on_failure", ["suppress", "suppress_sensitive"])
def test_many_queries_are_asked_in_statements_of_bounded_size(on_failure: str) -> None:
    """Each is answered as it is alone, by planning and by an audit."""
    queries = [
        {
            "age": f"age >= {20 + number % 20}",
            "illness": f"illness = '{'flu' if number % 2 else 1}'",
        }
        for number in range(130)
    ]
    mapping = {
        **MAPPING,
        "guarantees": [{"distinct_l_diversity": {"column": "illness", "l": 3}}],
        "on_failure": on_failure,
        "suppression": "40%",
    }
    connection = people()
    connection.execute("INSERT INTO people SELECT 50, 'f', 'plague' FROM RANGE(9)")
    asked: list[Statement] = []

    def answers(queries: list[dict[str, str]]) -> list[tuple[int, float, float]]:
        policy = read_policy({**mapping, "queries": queries})
        with patch.object(DuckDB, "_hear", lambda _, statement: asked.append(statement)):
            plan = make_plan(policy, connection)
            connection.execute("DROP TABLE IF EXISTS released")
            apply_plan(plan, connection)
            found = audit_table(policy, source=connection)
        told = ("metrics/true_counts", "metrics/estimate")
        assert {*told} <= {each.template for each in asked}
        assert len(found.answers) == len(plan.answers) == len(queries)
        return [
            (one.true, one.estimate, other.estimate)
            for one, other in zip(plan.answers, found.answers, strict=True)
        ]

    together = answers(queries)
    parts = [each for each in asked if each.template.endswith(("estimate", "true_counts"))]
    assert len(parts) == 4 * 3
    assert max(each.text.count("AS query") for each in parts) == 50
    for number in (0, 49, 50, 51, 129):
        assert together[number] == answers([queries[number]])[0]
