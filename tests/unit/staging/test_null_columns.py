"""A column that holds nothing but NULL, of no type, is released as any other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

from sqlgen import apply_plan, audit_table, make_plan, read_policy

ROWS = "SELECT i % 2 AS q, NULL AS n FROM RANGE(8) AS r (i)"
SOURCES = {
    "a view": (f"CREATE VIEW t AS {ROWS}", {"table": "t"}),
    "a table": (f"CREATE TABLE t AS {ROWS}", {"table": "t"}),
    "a query": ("", {"query": ROWS}),
}
TARGETS = ("table", "view", "parquet", "csv", "partitioned")
MONTHS = {"dates": ["month", "year"]}
ROLES: dict[str, dict[str, Any]] = {
    "other": {"role": "other"},
    "identifier": {"role": "identifier"},
    "sensitive": {"role": "sensitive"},
    "ordered": {"role": "sensitive", "order": "numeric"},
    "quasi": {"role": "quasi", "hierarchy": "suppress"},
    "quasi by intervals": {"role": "quasi", "hierarchy": {"intervals": [5]}},
    "quasi by prefixes": {"role": "quasi", "hierarchy": {"prefixes": [1]}},
    "quasi at a level": {"role": "quasi", "hierarchy": {"intervals": [5]}, "levels": 1},
    "quasi suppressed": {"role": "quasi", "hierarchy": "suppress", "nulls": "top"},
}
# DuckDB 1.5 gives a NULL without a type the type INTEGER, and so it is refused as one.
UNTYPED: dict[str, dict[str, Any]] = {
    "quasi by dates": {"role": "quasi", "hierarchy": MONTHS},
    "quasi by cuts of dates": {
        "role": "quasi",
        "hierarchy": {"intervals": [{"cuts": ["2020-01-01"]}]},
    },
    "quasi by a tree": {"role": "quasi", "hierarchy": {"tree": {"x": ["a", "b"]}}},
    "quasi by an expression": {"role": "quasi", "hierarchy": {"sql": ["n // 10"]}},
    "sensitive by dates": {"role": "sensitive", "hierarchy": MONTHS, "level": 1},
}
CASES = ROLES | (UNTYPED if duckdb.__version__ >= "2" else {})
# The roles that are released to every target; the others differ in how they are planned.
EVERYWHERE = ("other", "sensitive", "quasi", "quasi by dates")


def target_of(kind: str, folder: Path) -> dict[str, Any]:
    if kind in ("table", "view"):
        return {kind: "released"}
    if kind == "partitioned":
        return {"parquet": str(folder / "released"), "partition_by": ["q"]}
    return {kind: str(folder / f"released.{kind}")}


def policy(role: dict[str, Any], source: dict[str, str], release: dict[str, Any]) -> Any:
    guarantee: dict[str, Any] = {"k_anonymity": {"k": 2}}
    if role["role"] == "sensitive":
        guarantee = {"distinct_l_diversity": {"column": "n", "l": 1}}
    return read_policy(
        {
            "source": source,
            "columns": {"q": {"role": "quasi", "hierarchy": "suppress"}, "n": role},
            "guarantees": [guarantee],
            "release": release,
        }
    )


@pytest.mark.battery
@pytest.mark.parametrize(
    ("source", "role"),
    [(each, "quasi") for each in SOURCES] + [("a view", each) for each in CASES if each != "quasi"],
)
def test_a_column_of_nothing_is_released_to_every_target(
    role: str, source: str, tmp_path: Path
) -> None:
    setup, declared = SOURCES[source]
    # Of an identifier nothing is left that a folder could be made of.
    kinds = [each for each in TARGETS if (each, role) != ("partitioned", "identifier")]
    for kind in kinds if role in EVERYWHERE else ("table",):
        with duckdb.connect() as connection:
            connection.execute(setup)
            asked = policy(CASES[role], declared, target_of(kind, tmp_path))
            plan = make_plan(asked, connection)
            assert apply_plan(plan, connection).satisfied, kind
            assert audit_table(asked, source=connection).satisfied, kind
            if kind in ("table", "view") and role != "identifier":
                found = connection.execute("SELECT n, COUNT(*) FROM released GROUP BY n")
                label = "*" if plan.words.get("n") == "*" else None
                assert found.fetchall() == [(label, 8)]


@pytest.mark.parametrize("role", ["other", "quasi", "sensitive", "identifier"])
def test_a_column_of_nothing_is_released_in_place(role: str) -> None:
    with duckdb.connect() as connection:
        connection.execute(SOURCES["a table"][0])
        asked = policy(CASES[role], {"table": "t"}, {"in_place": True})
        assert apply_plan(make_plan(asked, connection), connection).satisfied
        assert audit_table(asked, source=connection).satisfied


def test_a_column_of_nothing_comes_with_a_dataframe() -> None:
    with duckdb.connect() as connection:
        frame = connection.execute(ROWS).df()
    asked = policy(CASES["quasi"], {}, {"table": "released"})
    made = apply_plan(make_plan(asked, frame), frame)
    assert made.satisfied
    assert made.frame is not None
    assert made.frame["n"].isna().all()
