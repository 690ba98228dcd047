"""An ordered distance from a table needs a place for each value: in plan, apply and audit alike."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import pytest

from sqlgen import Policy, PolicyError, SqlgenError, apply_plan, audit_table, make_plan, read_policy

LACKS = (
    r"known lacks 1 value of pay, and an ordered distance needs a place for each\. "
    "Give the table a row for each"
)


def policy_of(*more: dict[str, Any], weight: str | None = None, **rest: Any) -> Policy:
    table = {"table": "known"} | ({} if weight is None else {"weight": weight})
    close = {"column": "pay", "t": "0.9", "distance": "ordered", "reference": table}
    return read_policy(
        {
            "source": {"table": "t"},
            "columns": {
                "q": {"role": "quasi", "hierarchy": "suppress"},
                "pay": {"role": "sensitive", "order": "numeric"},
            },
            "guarantees": [{"t_closeness": close}, *more],
            "release": {"table": "released"},
            **rest,
        }
    )


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE t AS SELECT q, pay "
            "FROM (VALUES ('a'), ('b')) AS r (q), (VALUES (1), (2), (3)) AS s (pay)"
        )
        connection.execute(
            "CREATE TABLE known AS SELECT i AS pay, 1 AS n FROM RANGE(1, 4) AS r (i)"
        )
        yield connection


def test_plan_and_audit_refuse_a_table_that_lacks_a_value_and_the_rest_is_judged(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    policy = policy_of()
    assert apply_plan(make_plan(policy, connection), connection).satisfied
    assert audit_table(policy, source=connection).satisfied
    connection.execute("DELETE FROM known WHERE pay = 3")
    with pytest.raises(PolicyError, match=LACKS):
        make_plan(policy, connection)
    with pytest.raises(PolicyError, match=LACKS):
        audit_table(policy, source=connection)


def test_a_value_that_weighs_nothing_has_no_place(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("UPDATE known SET n = 0 WHERE pay = 2")
    with pytest.raises(PolicyError, match=LACKS):
        audit_table(policy_of(weight="n"), "t", connection)
    with pytest.raises(PolicyError, match=LACKS):
        make_plan(policy_of(weight="n"), connection)


def test_a_value_that_came_since_the_plan_stops_the_release(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    plan = make_plan(policy_of(), connection)
    connection.execute("INSERT INTO t VALUES ('a', 4)")
    with pytest.raises(SqlgenError, match="have no place in an order"):
        apply_plan(plan, connection)
    assert not connection.execute("FROM duckdb_tables() WHERE table_name = 'released'").fetchall()


def test_masked_rows_show_no_value_that_needs_a_place(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    """Class c is masked, and a table of the user's has no NULL."""
    connection.execute("INSERT INTO t VALUES ('c', 1), ('c', 1)")
    distinct = {"distinct_l_diversity": {"column": "pay", "l": 2}}
    policy = policy_of(distinct, on_failure="suppress_sensitive", suppression=2)
    plan = make_plan(policy, connection)
    assert (dict(plan.levels_to("test")), plan.masked_rows) == ({"q": 0}, 2)
    assert apply_plan(plan, connection).satisfied
    assert audit_table(policy, source=connection).satisfied
    # One that is NULL among others is a value, and has no place.
    connection.execute("INSERT INTO released VALUES ('a', NULL)")
    with pytest.raises(PolicyError, match=LACKS):
        audit_table(policy, source=connection)


def test_a_value_that_no_row_has_needs_no_place(connection: duckdb.DuckDBPyConnection) -> None:
    """A prior knows of a value that is in no row of the table."""
    connection.execute("CREATE TABLE prior AS SELECT q, pay FROM t UNION ALL VALUES ('a', 9)")
    belief = {"column": "pay", "delta": "10%", "prior": {"table": "prior"}}
    policy = policy_of({"positive_disclosure": belief})
    assert make_plan(policy, connection).satisfied
    assert audit_table(policy, "t", connection).satisfied
