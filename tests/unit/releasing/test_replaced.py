"""A table that is its own release without having lost an identifier is not released again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb
import pytest

from sqlgen import Policy, RefusedError, Run, apply_plan, make_plan, read_policy, run_policy
from tables import rows_of

TREE = {"tree": {"north": ["z1", "z2"], "south": ["z3", "z4"]}}
HIERARCHIES: Mapping[str, Mapping[str, Any]] = {
    "tree": {"hierarchy": TREE, "uncovered": "top", "levels": [1, 2]},
    "prefixes": {"hierarchy": {"prefixes": [1]}, "levels": [1, 2]},
    "top": {"hierarchy": "suppress", "levels": 1},
    "sql to the top": {"hierarchy": {"sql": ["'in ' || zip[:1]"]}, "levels": 2},
}
ROWS = "SELECT 'z' || (1 + i % 4) AS zip, 20 + i % 30 AS age, 'flu' AS disease FROM RANGE(80) t (i)"


def policy(**zips: Any) -> Policy:
    columns = {
        "zip": {"role": "quasi", **zips},
        "age": {"role": "quasi", "hierarchy": {"intervals": [10]}, "levels": [0, 2]},
        "disease": {"role": "sensitive"},
    }
    return policy_of(columns)


def policy_of(columns: Mapping[str, Any], table: str = "p") -> Policy:
    return read_policy(
        {
            "source": {"table": table},
            "columns": columns,
            "guarantees": [{"k_anonymity": {"k": 4}}],
            "release": {"in_place": "true"},
        }
    )


def filled(rows: str = ROWS) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(f"CREATE TABLE p AS {rows}")
    return connection


def run(connection: duckdb.DuckDBPyConnection, asked: Policy, folder: Path) -> Run:
    return run_policy(asked, connection, lock=folder / "policy.lock")


@pytest.mark.parametrize("kind", HIERARCHIES)
def test_a_second_run_sees_that_the_table_is_its_own_release(kind: str, tmp_path: Path) -> None:
    connection, asked = filled(), policy(**HIERARCHIES[kind])
    assert run(connection, asked, tmp_path).how == "first"
    before = rows_of(connection, "p")
    made = run(connection, asked, tmp_path)
    assert (made.how, made.satisfied) == ("done", True)
    assert rows_of(connection, "p") == before


CHANGED = {
    "a row of labels more": "INSERT INTO p FROM p LIMIT 1",
    "an original more": "INSERT INTO p VALUES ('z1', '23', 'flu')",
    "an original for a label": "UPDATE p SET zip = 'z1' WHERE rowid = 0",
}


@pytest.mark.parametrize("change", CHANGED)
@pytest.mark.parametrize("column", ["zip", "age"])
def test_labels_that_are_not_all_as_released_are_refused_and_left_alone(
    change: str, column: str, tmp_path: Path
) -> None:
    connection = filled()
    zips: dict[str, Any] = dict(HIERARCHIES["tree"])
    if column == "age":
        zips["levels"] = 0
    asked = policy(**zips)
    run(connection, asked, tmp_path)
    connection.execute(CHANGED[change])
    before = rows_of(connection, "p")
    if (change, column) == ("an original for a label", "age"):
        assert run(connection, asked, tmp_path).how == "done"
        return
    with pytest.raises(RefusedError, match="became its own release, number 1 of the ledger"):
        run(connection, asked, tmp_path)
    assert rows_of(connection, "p") == before


def test_what_a_label_would_become_is_not_known_of_an_expression(tmp_path: Path) -> None:
    connection = filled(ROWS.replace("20 + i % 30", "'x'"))
    columns = {
        "zip": {"role": "quasi", "hierarchy": {"sql": ["'in ' || zip[:1]"]}, "levels": 1},
        "age": {"role": "other"},
        "disease": {"role": "sensitive"},
    }
    asked = policy_of(columns)
    run(connection, asked, tmp_path)
    with pytest.raises(RefusedError, match="may hold its labels still"):
        run(connection, asked, tmp_path)


@pytest.mark.parametrize("kind", ["tree", "prefixes", "top"])
def test_new_originals_are_released_by_the_lock(kind: str, tmp_path: Path) -> None:
    connection, asked = filled(), policy(**HIERARCHIES[kind])
    run(connection, asked, tmp_path)
    before = rows_of(connection, "p")
    connection.execute(f"CREATE OR REPLACE TABLE p AS {ROWS}")
    assert run(connection, asked, tmp_path).how == "locked"
    assert rows_of(connection, "p") == before


def test_a_release_by_hand_of_labels_is_refused_unless_it_replaces() -> None:
    connection = filled()
    columns = {
        "zip": {"role": "quasi", **HIERARCHIES["tree"]},
        "age": {"role": "other"},
        "disease": {"role": "sensitive"},
    }
    asked = policy_of(columns, "MAIN.P")
    plan = make_plan(asked, connection)
    apply_plan(plan, connection)
    before = rows_of(connection, "p")
    again = make_plan(asked, connection)
    with pytest.raises(RefusedError, match=r"apply --replace.*Nothing was changed"):
        apply_plan(again, connection)
    assert rows_of(connection, "p") == before
    assert apply_plan(again, connection, replace=True).satisfied
    connection.execute(f"CREATE OR REPLACE TABLE p AS {ROWS}")
    assert apply_plan(plan, connection).satisfied
