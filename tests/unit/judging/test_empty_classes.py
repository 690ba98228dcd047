"""Classes that had no sensitive value in the source: nothing is masked, and nothing is spent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import guarantee_cases as releases
import oracle
from harness import staged
from oracle_models import release_models
from search_nodes import finer
from sqlgen import Policy, apply_plan, make_plan, read_policy
from sqlgen.measuring.nodes import measure_node

# Class a is diverse, e has one value and is masked, c and the single d have no value at all.
ROWS = [("a", "flu"), ("a", "cold"), *[("c", None)] * 3, ("d", None), ("e", "flu"), ("e", "flu")]


@pytest.fixture(scope="module")
def shared() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(config={"threads": 1}) as opened:
        yield opened


def policy_of(suppression: int, **columns: Any) -> Policy:
    return read_policy(
        {
            "source": {"table": "t"},
            "columns": {
                "q": {"role": "quasi", "hierarchy": "suppress"},
                "d": {"role": "sensitive"},
                **columns,
            },
            "guarantees": [
                {"k_anonymity": {"k": 2}},
                {"distinct_l_diversity": {"column": "d", "l": 2}},
            ],
            "suppression": suppression,
            "on_failure": "suppress_sensitive",
            "release": {"table": "released"},
        }
    )


@pytest.mark.parametrize("role", [None, "other"])
def test_what_had_no_value_is_released_and_costs_nothing(role: str | None) -> None:
    columns = {"n": {"role": role}} if role else {}
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t (q VARCHAR, d VARCHAR)")
        connection.executemany("INSERT INTO t VALUES (?, ?)", ROWS)
        if role:
            connection.execute("ALTER TABLE t ADD COLUMN n INTEGER DEFAULT 1")
        plan = make_plan(policy_of(3, **columns), connection)
        assert dict(plan.levels_to("test")) == {"q": 0}
        assert (plan.suppressed_rows, plan.masked_rows, plan.empty_rows) == (1, 5, 3)
        release = apply_plan(plan, connection)
        assert release.satisfied
        assert (release.suppressed_rows, release.newly_masked_rows, release.empty_rows) == (1, 2, 3)
        assert release.to_dict()["masked"] == {"rows": 5, "cells": 5, "empty_rows": 3}
        assert dict(make_plan(policy_of(2, **columns), connection).levels_to("test")) == {"q": 1}


def test_the_gate_counts_what_was_masked_and_not_what_had_no_value() -> None:
    """More rows of e lose their values than the plan saw; the rows of c still do not count."""
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t (q VARCHAR, d VARCHAR)")
        connection.executemany("INSERT INTO t VALUES (?, ?)", ROWS)
        plan = make_plan(policy_of(3), connection)
        connection.execute("INSERT INTO t SELECT 'c', NULL FROM RANGE(5)")
        assert apply_plan(plan, connection).empty_rows == 8
        connection.execute("INSERT INTO t VALUES ('e', 'flu')")
        assert not apply_plan(plan, connection, replace=True).satisfied


@st.composite
def cases(draw: st.DrawFn) -> releases.Case:
    """Cases in which nobody of some ages has a value."""
    case = draw(releases.cases())
    empty = draw(st.sets(st.sampled_from("123"), min_size=1, max_size=2))
    nothing = {"disease": None, "salary": None}
    rows = [{**row, **nothing} if row["age"] in empty else row for row in case.rows]
    known = [{**row, "weight": 1} for row in rows]
    return replace(case, rows=rows, priors=case.priors + known, on_failure="suppress_sensitive")


@pytest.mark.battery
@given(case=cases())
def test_plans_closures_and_releases_are_the_oracles_where_classes_had_no_values(
    shared: duckdb.DuckDBPyConnection, case: releases.Case
) -> None:
    releases.fill(shared, case)
    policy = read_policy(releases.policy_mapping(case))
    table, ladders, guarantees = releases.table_of(case)
    nodes = oracle.lattice(ladders)
    asked = (guarantees, case.budget, case.on_failure)
    released = {node: release_models(table, ladders, node, *asked) for node in nodes}
    feasible = [node for node, release in released.items() if release.feasible]
    with staged(policy, shared) as made:
        for node in nodes:
            known = (made.engine, made.staged, [policy.guarantees], node, case.budget)
            (found,) = measure_node(*known)
            assert found.feasible == (node in feasible), node
            for each in feasible:
                if finer(each, node):
                    spent = released[each].suppressed + released[each].masked
                    assert not found.closes
                    assert found.needed_rows <= spent - released[each].empty
    best = releases.expected(case)
    plan = make_plan(policy, shared)
    assert plan.satisfied == (best is not None)
    if best is not None:
        assert tuple(plan.levels_to("test").values()) == best.node
        release = apply_plan(plan, shared, replace=True)
        assert release.satisfied
        assert (plan.masked_rows, plan.empty_rows) == (
            release.audit.masked_rows,
            release.empty_rows,
        )
        assert release.empty_rows == released[best.node].empty
        found_rows = shared.execute("SELECT zip, age, disease, salary FROM released").fetchall()
        assert Counter(found_rows) == Counter(map(releases.cells, best.released))
