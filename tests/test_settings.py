"""Settings of the caller's connection: what is measured stays the same, or they are refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import duckdb
import pytest

import shadows
import test_papers as papers
from sqlgen import RefusedError, apply_plan, apply_sql, audit_table, make_plan, read_policy
from sqlgen.connection import EXPECTED
from test_paper_guarantees import CLAIMS

# What may differ between two connections without changing a figure, of both versions of DuckDB.
HARMLESS = (
    "SET default_order = 'DESC'",
    "SET default_null_order = 'NULLS_FIRST'",
    "SET default_collation = 'NOCASE'",
    "SET TimeZone = 'Asia/Tokyo'",
    "SET ieee_floating_point_ops = false",
    "SET error_on_division_by_zero = false",
    "SET old_implicit_casting = true",
    "SET order_by_non_integer_literal = true",
    "SET scalar_subquery_error_on_multiple_rows = false",
    "SET regex_match_operator_semantics = 'full'",
    "SET legacy_disable_null_type = true",
    "SET lambda_syntax = 'DISABLE_SINGLE_ARROW'",
    "SET preserve_insertion_order = false",
    "PRAGMA disable_optimizer",
)
CHANGING = (
    ("Calendar", "japanese"),
    ("Calendar", "buddhist"),
    ("dialect_compatibility_mode", "spark"),
    ("explain_output", "all"),
    ("integer_division", "true"),
)


def set_or_skip(connection: duckdb.DuckDBPyConnection, setting: str) -> None:
    try:
        connection.execute(setting)
    except duckdb.CatalogException:
        pytest.skip("this version of the engine has no such setting")


@contextmanager
def setting_everywhere(setting: str) -> Iterator[None]:
    """Every connection that is opened has the setting."""
    connect = duckdb.connect

    def opened(*given: Any, **more: Any) -> duckdb.DuckDBPyConnection:
        connection = connect(*given, **more)
        connection.execute(setting)
        return connection

    with connect() as connection:
        set_or_skip(connection, setting)
    with patch.object(duckdb, "connect", opened):
        yield


@pytest.mark.parametrize("setting", HARMLESS)
def test_the_figures_of_the_papers_are_the_same_under_a_setting(setting: str) -> None:
    usual, changed = (duckdb.connect(config={"threads": 1}) for _ in range(2))
    set_or_skip(changed, setting)
    # One claim for each kind of guarantee and table.
    for claim in {(str(each.guarantee), id(each.case)): each for each in CLAIMS.values()}.values():
        asked = [claim.asked(claim.thresholds[0])]
        found = []
        for connection in (usual, changed):
            claim.case.load(connection)
            found.append(claim.case.audited(connection, asked))
        assert found[0] == found[1]


@pytest.mark.parametrize("setting", HARMLESS)
def test_the_tables_of_the_papers_are_the_same_under_a_setting(setting: str) -> None:
    with setting_everywhere(setting):
        for path in papers.PAPERS:
            papers.test_planning_with_the_papers_hierarchies_finds_the_papers_node(path)
            papers.test_applying_the_plan_gives_the_papers_table(path)


@pytest.mark.parametrize(("setting", "value"), CHANGING)
def test_a_setting_that_changes_what_is_computed_is_refused_by_name(
    setting: str, value: str
) -> None:
    connection, policy = shadows.people(), shadows.policy_of({"k_anonymity": {"k": 3}})
    plan = make_plan(policy, connection)
    statements = apply_sql(plan, connection)
    set_or_skip(connection, f"SET {setting} = '{value}'")
    for act in (
        lambda: make_plan(policy, connection),
        lambda: apply_plan(plan, connection),
        lambda: audit_table(policy, "t", connection),
    ):
        with pytest.raises(RefusedError, match=f"the setting {setting} = {value}") as caught:
            act()
        assert f"RESET {setting}" in str(caught.value)
        assert str(caught.value).endswith("Nothing was changed.")
    with pytest.raises(duckdb.Error, match="a setting changes what is computed"):
        for each in statements:
            connection.execute(each.text)
    connection.execute(f"RESET {setting}")
    assert apply_plan(plan, connection).satisfied


def test_what_a_setting_is_expected_to_be_is_what_it_is_by_default() -> None:
    with duckdb.connect() as connection:
        rows = connection.execute("SELECT name, LOWER(value) FROM duckdb_settings()").fetchall()
    found = dict(rows)
    assert {name: found[name] for name in EXPECTED if name in found} == {
        name: expected for name, expected in EXPECTED.items() if name in found
    }
    assert {"Calendar", "integer_division"} <= found.keys()
    assert {name for name, _ in CHANGING} == EXPECTED.keys()


def test_an_ordered_distance_of_nothing_is_nothing_under_a_descending_order() -> None:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE t AS SELECT i // 10 AS q, i % 10 AS s FROM RANGE(40) AS r (i)")
    policy = read_policy(
        {
            "source": {"table": "t"},
            "columns": {
                "q": {"role": "quasi", "hierarchy": "suppress", "levels": [0, 0]},
                "s": {"role": "sensitive", "order": "numeric"},
            },
            "guarantees": [{"t_closeness": {"column": "s", "t": 0, "distance": "ordered"}}],
            "release": {"table": "released"},
        }
    )
    connection.execute("SET default_order = 'DESC'")
    plan = make_plan(policy, connection)
    assert plan.satisfied
    assert apply_plan(plan, connection).audit.guarantees[0].measured == 0
