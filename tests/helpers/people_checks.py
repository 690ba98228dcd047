"""Checks of guarantees about people and beliefs: small tables against the oracle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache, partial

import duckdb
import pytest

from auditing import Case, assert_agrees, verdicts_alone
from guarantee_scenes_people import AUDITS
from guarantee_scenes_released import RELEASED, SCENES, TYPES
from oracle import Optimum
from oracle_masked import ABOUT_WHO, masked_rows
from oracle_models import Guarantee, OnFailure, suppress_to_fixpoint
from sqlgen import apply_plan, make_plan, read_policy


@cache
def loaded(check: str) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(config={"threads": 1})
    AUDITS[check][0].load(connection)
    return connection


def rows_that_mend(case: Case, guarantee: Guarantee, on_failure: OnFailure) -> int | None:
    """The rows that go, or lose their values, until no class fails; None where nothing is left."""
    left = suppress_to_fixpoint(case.table, [guarantee], on_failure)
    spared = 0
    if on_failure == "suppress_sensitive" and guarantee[0] not in ABOUT_WHO:
        spared = masked_rows(case.table)
        lost = left.suppressed + left.masked - spared
    else:
        lost = left.suppressed
    return lost if len(case.rows) - spared > lost else None


def an_audit_measures_as_the_oracle_does(check: str) -> None:
    case, guarantees, on_failure = AUDITS[check]
    with verdicts_alone():
        found = case.audit(loaded(check), guarantees, on_failure)
    shows_everything = on_failure == "suppress"
    assert found.masked_rows == (0 if shows_everything else masked_rows(case.table))
    for measured, guarantee in zip(found.guarantees, guarantees, strict=True):
        assert_agrees(measured, case.judged(guarantee, on_failure))


def an_audit_says_how_many_rows_would_mend_the_table(check: str) -> None:
    case, guarantees, on_failure = AUDITS[check]
    found = case.audit(loaded(check), guarantees, on_failure)
    for number, guarantee in enumerate(guarantees):
        if case.judged(guarantee, on_failure).failing:
            mend = rows_that_mend(case, guarantee, on_failure)
            assert found.advice[number].suppressed_rows == mend, guarantee


@cache
def filled(check: str) -> tuple[duckdb.DuckDBPyConnection, Optimum | None]:
    connection = duckdb.connect(config={"threads": 1})
    SCENES[check].load(connection)
    return connection, SCENES[check].optimum


def a_plan_and_its_release_are_the_oracles(check: str) -> None:
    connection, best = filled(check)
    plan = make_plan(read_policy(SCENES[check].policy), connection)
    assert plan.satisfied == (best is not None)
    if best is None:
        return
    assert (tuple(plan.levels_to("test").values()), plan.suppressed_rows) == (
        best.node,
        best.suppressed,
    )
    assert plan.masked_rows == best.masked
    assert plan.objective == pytest.approx(best.loss.value, abs=1e-9)
    release = apply_plan(plan, connection, replace=True)
    assert release.satisfied
    assert release.audit.masked_rows == best.masked
    found = connection.execute(f"SELECT {', '.join(TYPES)} FROM {RELEASED}").fetchall()
    assert Counter(found) == Counter(tuple(row[name] for name in TYPES) for row in best.released)
    for planned, audited in zip(plan.guarantees, release.audit.guarantees, strict=True):
        assert float(planned.value) == pytest.approx(float(audited.value), rel=1e-9)


CHECKS: dict[str, Callable[[], None]] = {
    "mends": partial(an_audit_says_how_many_rows_would_mend_the_table, "masked people"),
    **{check: partial(an_audit_measures_as_the_oracle_does, check) for check in AUDITS},
    **{check: partial(a_plan_and_its_release_are_the_oracles, check) for check in SCENES},
}
