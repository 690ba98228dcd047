"""The forms of templates that one engine alone runs give what the portable forms give."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest

from auditing import verdicts_alone
from sqlgen import SqlgenError, audit_table, make_plan, read_policy
from sqlgen.judging import verdict_sql
from sqlgen.sql import render

TEMPLATES = Path(__file__).parents[3] / "templates"


def people(seed: int) -> duckdb.DuckDBPyConnection:
    """Up to sixty rows of few classes; values lie close together or far apart."""
    random = Random(seed)
    connection = duckdb.connect(config={"threads": 1})
    connection.execute("CREATE TABLE people (zip VARCHAR, paid INTEGER)")
    spread = random.choice([2, 9, 200])
    rows = [
        (random.choice("abcde"), random.choice([None, *range(spread)]))
        for _ in range(random.randint(1, 60))
    ]
    connection.executemany("INSERT INTO people VALUES (?, ?)", rows)
    return connection


def policy_of(reference: str, t: str, suppression: str) -> Any:
    tree = {"*": {"ab": ["a", "b"], "cde": ["c", "d", "e"]}}
    close = {"column": "paid", "t": t, "distance": "ordered", "reference": reference}
    return read_policy(
        {
            "source": {"table": "people"},
            "columns": {
                "zip": {"role": "quasi", "hierarchy": {"tree": tree}},
                "paid": {"role": "sensitive", "order": "numeric"},
            },
            "guarantees": [{"k_anonymity": {"k": 2}}, {"t_closeness": close}],
            "suppression": suppression,
            "release": {"table": "released"},
        }
    )


def found(policy: Any, connection: duckdb.DuckDBPyConnection) -> tuple[Any, Any]:
    with verdicts_alone():
        audit = audit_table(policy, "people", connection)
    try:
        plan = make_plan(policy, connection)
    except SqlgenError as error:
        return audit.guarantees, str(error)
    return audit.guarantees, (plan.levels, plan.guarantees, plan.suppressed_rows)


@pytest.mark.battery
@pytest.mark.parametrize("reference", ["released", "source", "uniform"])
@pytest.mark.parametrize("seed", range(8))
def test_audits_and_plans_are_the_same_in_portable_forms(
    seed: int, reference: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Along an order, and by counts where values are few."""
    policy = policy_of(reference, "0.2", "20%")
    with people(seed) as connection:
        ours = found(policy, connection)
        # The sparse distance, whatever the number of values.
        monkeypatch.setattr(verdict_sql, "FEW_VALUES", 0)
        assert found(policy, connection) == ours
        monkeypatch.setattr(render, "_ENGINE", "")
        assert found(policy, connection) == ours


def test_a_form_of_one_engine_is_taken_in_one_place() -> None:
    own = list(TEMPLATES.rglob("*.duckdb.sql.jinja"))
    assert len(own) == 8
    for path in own:
        name = path.relative_to(TEMPLATES).as_posix().removesuffix(".duckdb.sql.jinja")
        assert render.has_own_form(name)
    assert not render.has_own_form("judging/verdict")
