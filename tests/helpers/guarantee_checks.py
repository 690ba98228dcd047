"""Checks of guarantees about values: audits, plans and releases of small tables, by the oracle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial

import duckdb
import pytest

import guarantee_cases as releases
from auditing import assert_agrees
from guarantee_scenes import AUDITS, RELEASES, close, recursive
from oracle import Optimum
from sqlgen import PolicyError, apply_plan, make_plan, read_policy


@cache
def loaded(check: str) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(config={"threads": 1})
    AUDITS[check][0].load(connection)
    return connection


def an_audit_measures_as_the_oracle_does(check: str) -> None:
    case, guarantees = AUDITS[check]
    found = case.audited(loaded(check), guarantees)
    for measured, guarantee in zip(found, guarantees, strict=True):
        assert_agrees(measured, case.judged(guarantee))


@cache
def filled(check: str) -> tuple[duckdb.DuckDBPyConnection, Optimum | None]:
    connection = duckdb.connect(config={"threads": 1})
    releases.fill(connection, RELEASES[check])
    return connection, releases.expected(RELEASES[check])


def a_plan_and_its_release_are_the_oracles(check: str) -> None:
    connection, best = filled(check)
    plan = make_plan(read_policy(releases.policy_mapping(RELEASES[check])), connection)
    assert plan.satisfied == (best is not None)
    if best is None:
        return
    assert (tuple(plan.levels_to("test").values()), plan.suppressed_rows) == (
        best.node,
        best.suppressed,
    )
    assert plan.objective == pytest.approx(best.loss.value, abs=1e-9)
    release = apply_plan(plan, connection, replace=True)
    assert release.satisfied
    found = connection.execute("SELECT zip, age, disease, salary FROM released").fetchall()
    assert Counter(found) == Counter(map(releases.cells, best.released))
    for planned, audited in zip(plan.guarantees, release.audit.guarantees, strict=True):
        assert planned.value == pytest.approx(audited.value, rel=1e-9)


def what_a_policy_names_is_looked_for() -> None:
    """Values that do not occur are counted; an order places every value; weights add up."""
    connection = duckdb.connect(config={"threads": 1})
    connection.execute("CREATE TABLE people AS SELECT 1 AS q, UNNEST(['a', 'a', 'b', 'c']) AS s")

    def unseen(weights: Sequence[int], order: str = "abcz") -> Mapping[str, int]:
        connection.execute("CREATE OR REPLACE TABLE known (s VARCHAR, w INTEGER)")
        connection.executemany(
            "INSERT INTO known VALUES (?, ?)", [*zip("abz", weights, strict=True)]
        )
        named = recursive("s", 9, 2, disclosable=["a", "x", "y", "w"])
        tree = {"tree": {"g": [*"abc"], "h": [*"xz"]}}
        policy = {
            "source": {"table": "people"},
            "columns": {
                "q": {"role": "quasi", "hierarchy": "suppress"},
                "s": {"role": "sensitive", "order": [*order], "hierarchy": tree},
            },
            "guarantees": [
                dict([each])
                for each in (named, close("s", "equal", "1", {"table": "known", "weight": "w"}))
            ],
        }
        return make_plan(read_policy(policy), connection).unseen

    assert [*unseen([0, 1, 1]).values()] == [3]
    for weights in ([0, 0, 0], [2, -1, 1]):
        with pytest.raises(PolicyError):
            unseen(weights)
    with pytest.raises(PolicyError):
        unseen([1, 1, 1], "acz")


CHECKS: dict[str, Callable[[], None]] = {
    **{check: partial(an_audit_measures_as_the_oracle_does, check) for check in AUDITS},
    **{check: partial(a_plan_and_its_release_are_the_oracles, check) for check in RELEASES},
    "named": what_a_policy_names_is_looked_for,
}
