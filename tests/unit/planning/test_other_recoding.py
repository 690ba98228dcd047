"""What another recoding would lose: the loss of its own plan, where that is at most half."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from unittest.mock import patch

import duckdb
import pytest

from cli_harness import make_clinic
from sqlgen import Plan, SearchLimits, make_plan, read_policy
from sqlgen.cli.text.results import plan_text
from sqlgen.planning import other_recoding

# Three lone rows keep every age at *, though all others could be told.
PEOPLE = """
CREATE TABLE people AS
SELECT CASE WHEN i < 3 THEN 70 + 10 * i ELSE 20 + i % 8 END AS age,
  ['f', 'm'][1 + i % 2] AS sex, ['flu', 'cold'][1 + i // 2 % 2] AS illness
FROM RANGE(90) AS t (i)
"""
MAPPING: dict[str, Any] = {
    "source": {"table": "people"},
    "columns": {
        "age": {"role": "quasi", "hierarchy": {"intervals": [10, 20]}},
        "sex": {"role": "quasi", "hierarchy": "suppress"},
        "illness": {"role": "sensitive"},
    },
    "guarantees": [{"k_anonymity": {"k": 3}}],
}
LIMITED = {"homogeneity": {"column": "illness", "at_most": "90%"}}


def planned(limits: SearchLimits | None = None, **changes: Any) -> Plan:
    """The full plan of the people, as the command makes it."""
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.execute(PEOPLE)
        policy = read_policy({**MAPPING, **changes})
        return make_plan(policy, connection, limits=limits or SearchLimits(), find_empty=True)


def test_a_plan_says_what_local_recoding_would_lose() -> None:
    plan, own = planned(), planned(recoding="local")
    other = plan.other_recoding
    assert other is not None
    assert other.recoding == "local"
    assert other.objective == pytest.approx(own.objective, rel=1e-12)
    assert other.objective <= plan.objective / 2
    (line,) = [line for line in plan_text(plan).splitlines() if "recoding: local" in line]
    assert line.endswith(f"the loss would be {other.objective:.6f}.")
    assert len(line) <= 100
    assert plan.to_dict()["other_recoding"] == {
        "recoding": "local",
        "objective": round(other.objective, 8),
    }
    assert own.other_recoding is None
    assert "other_recoding" not in own.to_dict()


@pytest.mark.parametrize(
    "changes",
    [
        {"guarantees": [*MAPPING["guarantees"], LIMITED]},
        {"release": {"view": "released"}},
        {"guarantees": [{"k_anonymity": {"k": 2}}], "suppression": "5%"},
        {"objective": "average_class_size", "guarantees": [{"k_anonymity": {"k": 40}}]},
        {"limits": SearchLimits(max_nodes=1)},
    ],
    ids=["a guarantee is unfit", "a view", "nothing is lost", "not much less", "a limit"],
)
def test_nothing_is_said_where_it_would_be_of_no_use(changes: dict[str, Any]) -> None:
    plan = planned(**changes)
    assert plan.other_recoding is None
    assert "recoding: local" not in plan_text(plan)


def test_a_table_of_many_cells_is_not_searched_again() -> None:
    assert planned().other_recoding is not None
    with patch.object(other_recoding, "_MOST_CELLS", 5):
        assert planned().other_recoding is None
    with patch.object(other_recoding, "_MOST_LOOKS", 1):
        assert planned().other_recoding is None


def test_only_the_plan_of_the_command_looks_for_it(tmp_path: Path) -> None:
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.execute(PEOPLE)
        assert make_plan(read_policy(MAPPING), connection).other_recoding is None
    clinic = make_clinic(tmp_path)
    alike = "INSERT INTO patients SELECT 'canary', 'cz111', 770011, 'canary-flu', 'r' "
    apart = "INSERT INTO patients SELECT 'canary', 'cz222', 770099 + i, 'canary-flu', 'r' "
    clinic.sql("DELETE FROM patients", f"{alike} FROM RANGE(20)", f"{apart} FROM RANGE(3) AS t (i)")
    ran = clinic.run("plan")
    assert "With recoding: local, each class at levels of its own, the loss would be" in ran.out
    document = json.loads(clinic.run("plan", "--json").out)
    assert document["other_recoding"]["recoding"] == "local"
    assert "loss would be" not in clinic.run("explain").out
