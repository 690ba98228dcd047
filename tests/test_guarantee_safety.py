"""What changed after a plan, or does not fit, publishes nothing; each once broke a guarantee."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest

from sqlgen import (
    Plan,
    Policy,
    PolicyError,
    StalePlanError,
    UnsupportedError,
    apply_plan,
    apply_sql,
    audit_table,
    make_plan,
    read_policy,
)
from sqlgen.planning.lock import lock_text, read_lock

Row = tuple[Any, Any]
QUASI = {"role": "quasi", "hierarchy": "suppress"}


def holding(rows: Sequence[Row], types: str = "q INTEGER, s VARCHAR") -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(config={"threads": 1})
    connection.execute(f"CREATE TABLE t ({types})")
    connection.executemany("INSERT INTO t VALUES (?, ?)", rows)
    return connection


def policy_of(
    sensitive: dict[str, Any], *guarantees: dict[str, Any], suppression: Any = 0, **more: Any
) -> Policy:
    return read_policy(
        {
            "source": {"table": "t"},
            "columns": {"q": QUASI, "s": {"role": "sensitive", **sensitive}},
            "guarantees": list(guarantees),
            "suppression": suppression,
            "release": {"table": "released"},
            **more,
        }
    )


def close(t: str, distance: str, **more: Any) -> dict[str, Any]:
    return {"t_closeness": {"column": "s", "t": t, "distance": distance, **more}}


def listed() -> tuple[duckdb.DuckDBPyConnection, Policy, Plan]:
    """A plan whose sensitive column has a list, in a table, as its hierarchy."""
    rows = [(1, each) for each in "aabcd"] + [(2, each) for each in "bcd" for _ in range(6)]
    connection = holding([*rows, *[(3, "c")] * 3, *[(4, "d")] * 3])
    connection.execute(
        "CREATE TABLE list AS FROM (VALUES ('a', 'x'), ('b', 'x'), ('c', 'y'), ('d', 'y'))"
    )
    policy = policy_of(
        {"hierarchy": {"table": "list"}},
        {"k_anonymity": {"k": 5}},
        close("0.9", "hierarchical"),
        suppression=6,
    )
    return connection, policy, make_plan(policy, connection)


def test_a_plan_is_stale_when_a_sensitive_list_has_changed() -> None:
    connection, _, plan = listed()
    connection.execute("INSERT INTO list VALUES ('a', 'z')")
    with pytest.raises(StalePlanError, match="hierarchy of s"):
        apply_plan(plan, connection)


def test_a_value_that_stands_twice_in_a_sensitive_list_stops_the_printed_script() -> None:
    connection, _, plan = listed()
    statements = apply_sql(plan, connection)
    connection.execute("INSERT INTO list VALUES ('a', 'z')")
    gate = [each.template for each in statements].index("releasing/gate")
    for each in statements[:gate]:
        connection.execute(each.text)
    with pytest.raises(duckdb.Error, match="twice in it"):
        connection.execute(statements[gate].text)


@pytest.mark.parametrize(
    ("sensitive", "guarantee"),
    [
        ({}, close("0.9", "equal")),
        ({}, {"homogeneity": {"column": "s", "at_most": 5}}),
        ({"hierarchy": {"table": "list"}}, close("1", "hierarchical", reference="source")),
    ],
    ids=["a moving reference", "a limit over the release", "a list in a table"],
)
def test_a_view_of_what_later_rows_could_break_is_refused(
    sensitive: dict[str, Any], guarantee: dict[str, Any]
) -> None:
    connection, _, _ = listed()
    policy = policy_of(sensitive, guarantee, release={"view": "shown"})
    with pytest.raises(UnsupportedError, match="view is read anew"):
        apply_plan(make_plan(policy, connection), connection)


def test_a_view_of_class_verdicts_follows_its_source() -> None:
    connection, _, _ = listed()
    policy = policy_of(
        {}, {"distinct_l_diversity": {"column": "s", "l": 3}}, suppression=6, release={"view": "v"}
    )
    assert apply_plan(make_plan(policy, connection), connection).satisfied
    connection.execute("DELETE FROM t WHERE q = 1 AND s <> 'a'")
    assert connection.execute("SELECT DISTINCT q FROM v").fetchall() == [(2,)]


def test_a_dataframe_is_not_its_own_source() -> None:
    frame = holding([(1, "a"), (1, "b"), (2, "a")]).execute("FROM t").df()
    policy = policy_of({}, close("0.1", "equal", reference="source"), source={})
    with pytest.raises(PolicyError, match="not its own source"):
        audit_table(policy, source=frame)


def test_an_ordered_distance_needs_a_reference_with_every_value() -> None:
    connection = holding([(1, 1), (1, 2), (2, 3)], "q INTEGER, s INTEGER")
    connection.execute("CREATE TABLE priors AS FROM (VALUES (1), (2)) AS p (s)")
    policy = policy_of({"order": "numeric"}, close("0.5", "ordered", reference={"table": "priors"}))
    with pytest.raises(PolicyError, match="lacks 1 value of s"):
        make_plan(policy, connection)


def test_null_stands_first_whatever_an_order_lists() -> None:
    rows = [*[(1, 2)] * 10, *[(2, None)] * 10, (1, 1), (2, 1)]
    measured = []
    for order in (["1", "2"], ["1", "x", "2"]):
        connection = holding(rows, "q INTEGER, s INTEGER")
        policy = policy_of({"order": order}, close("1", "ordered"))
        measured.append(audit_table(policy, "t", connection).guarantees[0].figures)
    assert measured[0] == measured[1]


def test_a_value_without_a_place_in_the_order_stops_the_release() -> None:
    connection = holding([(1, "a"), (1, "b"), (2, "a"), (2, "b")])
    plan = make_plan(policy_of({"order": ["a", "b"]}, close("0.9", "ordered")), connection)
    connection.execute("UPDATE t SET s = 'secret' WHERE q = 2 AND s = 'a'")
    with pytest.raises(PolicyError, match=r"columns\.s\.order: 1 distinct value") as raised:
        apply_plan(plan, connection)
    assert "secret" not in str(raised.value)


def test_a_bound_near_one_closes_no_feasible_node() -> None:
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE t AS SELECT 1 AS q, CASE WHEN i = 0 THEN 'b' ELSE 'a' END AS s "
        "FROM RANGE(1000000) AS r (i) UNION ALL SELECT 2, 'c'"
    )
    alpha = {"alpha_k_anonymity": {"column": "s", "alpha": "0.999999", "k": 1}}
    plan = make_plan(policy_of({}, alpha, suppression=1), connection)
    assert (plan.satisfied, plan.levels_to("test")["q"]) == (True, 0)


def test_a_budget_beyond_the_rows_is_a_budget() -> None:
    connection = holding([(1, "a"), (1, "b"), (2, "a"), (2, "c")])
    beta = {"beta_likeness": {"column": "s", "beta": 1, "enhanced": True}}
    assert make_plan(policy_of({}, beta, suppression=50), connection).satisfied


def test_a_lock_with_rounds_that_no_plan_has_is_refused(tmp_path: Path) -> None:
    connection = holding([(1, "a"), (1, "b")])
    policy = policy_of({}, {"k_anonymity": {"k": 2}})
    lock = tmp_path / "policy.lock"
    for rounds in ("-5", "1000000"):
        text = lock_text(make_plan(policy, connection))
        lock.write_text(text.replace('"rounds": 0', f'"rounds": {rounds}'))
        with pytest.raises(StalePlanError):
            read_lock(lock, policy)
