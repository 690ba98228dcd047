"""A ward whose releases by zip and by age are each 2-diverse and tell every disease together."""

from __future__ import annotations

from typing import Any

import duckdb

from sqlgen import Policy, SearchLimits, apply_plan, audit_table, make_plan, read_policy

# By zip {flu, ulcer} and {cold, gout}; by age {flu, cold} and {ulcer, gout}.
WARD = [("4760", 21, "flu"), ("4760", 35, "ulcer"), ("4790", 21, "cold"), ("4790", 35, "gout")]
BY_ZIP = {"zip": (0, 0), "age": (2, 2)}
BY_AGE = {"zip": (2, 2), "age": (0, 0)}


def ward(rows: list[tuple[str, int, str]] = WARD) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE ward (zip VARCHAR, age INTEGER, disease VARCHAR)")
    connection.executemany("INSERT INTO ward VALUES (?, ?, ?)", rows)
    return connection


def ward_policy(release: dict[str, Any], **more: Any) -> Policy:
    columns = {
        "zip": {"role": "quasi", "hierarchy": {"prefixes": [2]}},
        "age": {"role": "quasi", "hierarchy": {"intervals": [10]}},
        "disease": {"role": "sensitive"},
    }
    diverse = {"distinct_l_diversity": {"column": "disease", "l": 2}}
    return read_policy(
        {
            "source": {"table": "ward"},
            "columns": columns | more.pop("columns", {}),
            "guarantees": [{"k_anonymity": {"k": 2}}, diverse],
            "release": release,
            **more,
        }
    )


def publish(connection: duckdb.DuckDBPyConnection, policy: Policy, levels: Any) -> None:
    plan = make_plan(policy, connection, limits=SearchLimits(levels))
    assert plan.satisfied
    assert apply_plan(plan, connection, replace=True).satisfied
    assert audit_table(policy, source=connection).satisfied
