"""Small tables that are recoded locally: what is released of them, and that all figures agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any
from unittest.mock import patch

import duckdb
import pytest

from sqlgen import Plan, Policy, apply_plan, audit_table, make_plan, read_policy
from sqlgen.recodings import RegionDecision, local_least
from sqlgen.recodings.local_steps import LocalSteps

# Wherever nothing is said, the only guarantee.
PAIRS = [{"k_anonymity": {"k": 2}}]


def in_one_layer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a layer release all that is left, so that only refinement tells classes apart."""
    monkeypatch.setattr("sqlgen.recodings.local_search._SHARE", Fraction(1))


def quasi(tree: Mapping[str, Any] | Sequence[Any], **more: Any) -> dict[str, Any]:
    """A quasi-identifier whose hierarchy is a tree below one label, ``all``."""
    return {"role": "quasi", "hierarchy": {"tree": {"all": tree}}, **more}


def local_policy(columns: Mapping[str, Any], k: int = 2, **more: Any) -> Policy:
    """A policy for the table ``t``, recoded locally."""
    sections = {
        "source": {"table": "t"},
        "columns": columns,
        "guarantees": [{"k_anonymity": {"k": k}}],
        "release": {"table": "released"},
        "recoding": "local",
    }
    return read_policy({**sections, **more})


def table_of(
    rows: Sequence[tuple[Any, ...]], columns: Mapping[str, Any], types: Sequence[str] = ()
) -> duckdb.DuckDBPyConnection:
    """A connection with the table ``t``, of text where no type is given."""
    connection = duckdb.connect(config={"threads": 1})
    kinds = types or ["VARCHAR"] * len(columns)
    spelled = ", ".join(f'"{name}" {kind}' for name, kind in zip(columns, kinds, strict=True))
    connection.execute(f"CREATE TABLE t ({spelled})")
    if rows:
        connection.executemany(f"INSERT INTO t VALUES ({', '.join('?' * len(columns))})", rows)
    return connection


def plan_by_layers(policy: Policy, connection: duckdb.DuckDBPyConnection) -> Plan:
    """Plan as for a large table: a node that loses less than layers is not looked for."""
    with patch.object(local_least, "_FEW_CELLS", 0):
        return make_plan(policy, connection)


@dataclass(frozen=True)
class Recoded:
    """A table that was recoded locally: its plan, and the rows of its release, counted."""

    plan: Plan
    rows: Counter[tuple[Any, ...]]
    connection: duckdb.DuckDBPyConnection

    @property
    def steps(self) -> LocalSteps:
        """The steps that the plan decided on."""
        assert isinstance(self.plan.decision, RegionDecision)
        assert isinstance(self.plan.decision.steps, LocalSteps)
        return self.plan.decision.steps


def recode(
    rows: Sequence[tuple[Any, ...]],
    columns: Mapping[str, Any],
    types: Sequence[str] = (),
    **policy: Any,
) -> Recoded:
    """Recode rows by layers: the release is what was planned, and audits as planned."""
    asked = local_policy(columns, **policy)
    connection = table_of(rows, columns, types)
    plan = plan_by_layers(asked, connection)
    assert plan.satisfied, plan.hindrance
    return released_as_planned(plan, connection)


def released_as_planned(
    plan: Plan, connection: duckdb.DuckDBPyConnection, *, has_one_meaning: bool = True
) -> Recoded:
    """Release a plan: its audit has the plan's figures, and so has one that knows no plan.

    Where labels have more than one meaning, an audit takes the one that says least.
    """
    release = apply_plan(plan, connection, replace=True)
    assert release.satisfied, release.hindrance
    assert (release.audit.rows, release.audit.classes) == (
        plan.rows - plan.suppressed_rows,
        plan.classes,
    )
    audit = audit_table(plan.policy, source=connection)
    assert audit.satisfied
    assert audit.classes == plan.classes
    assert audit.metrics
    if has_one_meaning:
        expected = plan.to_dict()["metrics"]
        assert audit.metrics == pytest.approx(expected, abs=1e-7)
        estimates = [each.estimate for each in audit.answers]
        assert [each.estimate for each in plan.answers] == pytest.approx(estimates)
    found = connection.execute("FROM released").fetchall()
    return Recoded(plan, Counter(found), connection)
