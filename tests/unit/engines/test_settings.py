"""Settings of the caller's connection: what is measured stays the same, or they are refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any
from unittest.mock import patch

import duckdb
import pytest

import paper_tables as papers
import shadows
from auditing import verdicts_alone
from effort import IS_THOROUGH
from paper_claims import CLAIMS, Claim
from sqlgen import RefusedError, apply_plan, apply_sql, audit_table, make_plan, read_policy
from sqlgen.engines.duckdb.session import EXPECTED
from sqlgen.measuring.tables import GuaranteeResult

pytestmark = pytest.mark.usefixtures("real_functions")

# What may differ between two connections without changing a figure, of both versions of DuckDB.
HARMLESS = (
    "SET default_order = 'DESC'",
    "SET default_null_order = 'NULLS_FIRST'",
    "SET default_collation = 'NOCASE'",
    "SET TimeZone = 'Asia/Tokyo'",
    "SET ieee_floating_point_ops = false",
    "SET old_implicit_casting = true",
    "SET scalar_subquery_error_on_multiple_rows = false",
    "SET error_on_division_by_zero = false",
    "SET order_by_non_integer_literal = true",
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


def figures(connection: duckdb.DuckDBPyConnection) -> list[tuple[GuaranteeResult, ...]]:
    """What is measured of every table of the papers: all its claims in one audit."""
    claims: dict[int, list[Claim]] = {}
    for claim in CLAIMS.values():
        claims.setdefault(id(claim.case), []).append(claim)
    found = []
    for made in claims.values():
        made[0].case.load(connection)
        asked = [claim.asked(claim.thresholds[0]) for claim in made]
        with verdicts_alone():
            found.append(tuple(made[0].case.audited(connection, asked)))
    return found


@cache
def usual_figures() -> list[tuple[GuaranteeResult, ...]]:
    return figures(duckdb.connect(config={"threads": 1}))


# Before a release one by one, else all at once.
OF_PAPERS = [(each,) for each in HARMLESS[:7]] if IS_THOROUGH else [HARMLESS[:7]]


@pytest.mark.battery
@pytest.mark.parametrize("settings", OF_PAPERS, ids=" and ".join)
def test_the_figures_of_the_papers_are_the_same_under_settings(settings: Sequence[str]) -> None:
    connection = duckdb.connect(config={"threads": 1})
    for setting in settings:
        # This version of the engine may have no such setting.
        with suppress(duckdb.CatalogException):
            connection.execute(setting)
    assert figures(connection) == usual_figures()


@pytest.mark.battery
@pytest.mark.parametrize("setting", HARMLESS)
def test_the_tables_of_the_papers_are_the_same_under_a_setting(setting: str) -> None:
    with setting_everywhere(setting):
        for path in papers.PAPERS:
            papers.the_plan_gives_the_papers_table(path)


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
    begin, meanings, *_ = statements
    connection.execute(begin.text)
    with pytest.raises(duckdb.Error, match="a setting changes what is computed"):
        connection.execute(meanings.text)
    with suppress(duckdb.TransactionException):
        connection.execute("ROLLBACK")
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
    connection.execute(
        "CREATE TABLE t AS SELECT i // 50 AS q, i % 50 AS s FROM RANGE(200) AS r (i)"
    )
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
    assert apply_plan(plan, connection).audit.guarantees[0].value == 0
