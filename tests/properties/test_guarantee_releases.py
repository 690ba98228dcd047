"""Plans and releases under every guarantee, held against the oracle's brute force."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import duckdb
import pytest
from hypothesis import given, settings

from guarantee_cases import (
    Case,
    cases,
    cells,
    expected,
    fill,
    policy_mapping,
)
from sqlgen import apply_plan, make_plan, read_policy

EFFORT = settings(max_examples=3 * settings().max_examples // 2)


@pytest.fixture(scope="module")
def shared() -> Iterator[duckdb.DuckDBPyConnection]:
    """One database for all cases: to open one costs more than a plan."""
    with duckdb.connect(config={"threads": 1}) as connection:
        yield connection


@EFFORT
@given(case=cases())
def test_the_plan_is_the_oracles_optimum_and_its_release_the_oracles_rows(
    shared: duckdb.DuckDBPyConnection, case: Case
) -> None:
    fill(shared, case)
    plan = make_plan(read_policy(policy_mapping(case)), shared)
    best = expected(case)
    assert plan.satisfied == (best is not None)
    if best is None:
        return
    assert tuple(plan.levels_to("test").values()) == best.node
    assert plan.suppressed_rows == best.suppressed
    assert plan.masked_rows == best.masked
    assert plan.objective == pytest.approx(best.loss.value, abs=1e-9)
    release = apply_plan(plan, shared, replace=True)
    assert release.satisfied
    assert release.suppressed_rows == best.suppressed
    assert release.audit.masked_rows == best.masked
    found = shared.execute("SELECT zip, age, disease, salary FROM released").fetchall()
    assert Counter(found) == Counter(map(cells, best.released))
    for planned, audited in zip(plan.guarantees, release.audit.guarantees, strict=True):
        assert float(planned.value) == pytest.approx(float(audited.value), rel=1e-9)
