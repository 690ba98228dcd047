"""Small tables that are grouped by a sensitive column: their policies, groups and releases."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb
import pytest

from grouped_tables import pair_in
from oracle_anatomy import PairOfTables
from sqlgen import Plan, Policy, apply_plan, audit_table, make_plan, read_policy

STAFF: Mapping[str, Any] = {
    "zip": {"role": "quasi", "hierarchy": {"prefixes": [2, 1]}},
    "salary": {"role": "sensitive"},
}
Rows = Sequence[tuple[Any, ...]]


def alike_policy(
    k: int = 2, of: Sequence[str] = ("salary",), shown: str = "labels", **more: Any
) -> Policy:
    """A policy for the table ``t``, in groups of alike values."""
    sections: dict[str, Any] = {
        "source": {"table": "t"},
        "columns": STAFF,
        "guarantees": [{"k_anonymity": {"k": k}}],
        "release": {"table": "released"},
        "recoding": {"microaggregation": {"of": list(of), "release": shown}},
    }
    return read_policy({**sections, **more})


def staff(
    rows: Rows, columns: Sequence[str] = ("zip", "salary"), types: Sequence[str] = ()
) -> duckdb.DuckDBPyConnection:
    """A connection with the table ``t``: text and a whole number, where nothing is said."""
    connection = duckdb.connect(config={"threads": 1})
    kinds = types or ("VARCHAR", "INTEGER")
    spelled = ", ".join(f'"{name}" {kind}' for name, kind in zip(columns, kinds, strict=True))
    connection.execute(f"CREATE TABLE t ({spelled})")
    if rows:
        connection.executemany(f"INSERT INTO t VALUES ({', '.join('?' * len(columns))})", rows)
    return connection


def paid(salaries: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Rows with these salaries, each with a zip of its own: every group shows what it can."""
    return [(f"{10 + place}", salary) for place, salary in enumerate(salaries)]


@dataclass(frozen=True)
class Alike:
    """A table that was released in groups of alike values: its plan, and its release."""

    plan: Plan
    rows: Rows
    connection: duckdb.DuckDBPyConnection

    @property
    def classes(self) -> dict[Any, list[Any]]:
        """The sensitive values, the last column, by the labels before them."""
        found = defaultdict(list)
        for row in self.rows:
            found[row[:-1]].append(row[-1])
        return {labels: sorted(values, key=str) for labels, values in found.items()}


def group_pair(connection: duckdb.DuckDBPyConnection, policy: Policy) -> PairOfTables:
    """Plan a policy that can be met, and release its two tables: their audit is as planned."""
    plan = make_plan(policy, connection)
    assert plan.satisfied, plan.hindrance
    release = apply_plan(plan, connection, replace=True)
    assert release.satisfied, release.hindrance
    audit = audit_table(policy, source=connection)
    assert audit.classes == plan.classes
    assert audit.metrics == pytest.approx(plan.to_dict()["metrics"], abs=1e-7)
    assert plan.alikeness is not None
    assert audit.alikeness == pytest.approx({policy.recoding.of[0]: plan.alikeness.groups})
    return pair_in(connection)


def group_rows(connection: duckdb.DuckDBPyConnection, policy: Policy) -> Alike:
    """Plan a policy that can be met, and release it: its audit has the plan's figures."""
    plan = make_plan(policy, connection)
    assert plan.satisfied, plan.hindrance
    release = apply_plan(plan, connection, replace=True)
    assert release.satisfied, release.hindrance
    audit = audit_table(policy, source=connection)
    assert audit.satisfied
    assert audit.classes == plan.classes
    assert audit.metrics == pytest.approx(plan.to_dict()["metrics"], abs=1e-7)
    assert plan.alikeness is not None
    assert audit.alikeness == pytest.approx({policy.recoding.of[0]: plan.alikeness.classes})
    return Alike(plan, connection.execute("FROM released").fetchall(), connection)
