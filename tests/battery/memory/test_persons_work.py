"""Persons behind a release are found in work that grows with its rows, whatever its classes are.

A planner that meets the source, what its values are called, and the classes in one join may join
classes with every value of each label first: 1,000 rows then became 487,050,000 between two joins.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import duckdb
import pytest

from sqlgen import apply_plan, audit_table, make_plan, read_policy
from sqlgen.engines.duckdb.engine import DuckDB
from sqlgen.sql.render import Statement

ROWS = 300
QUASI = 7
# Rows between operators, for each row of the table and over all operators of a statement.
MOST = 100
READS = ("releasing/audit", "staging/people_unlike", "auditing/judged")
_CREATED = re.compile(r"\A(--.*\n)*(CREATE (OR REPLACE )?TEMPORARY TABLE \S+ AS\n)?")


def skewed(shape: int, connection: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    """A table of few labels, some of which nearly every row has, and its columns as declared."""
    draw = random.Random(shape)
    columns, declared = [], {}
    for place in range(QUASI):
        many, share = draw.choice([2, 3, 7, 20, 60, 100]), draw.choice([0, 50, 80, 95])
        columns.append(
            f"CASE WHEN HASH('{place} whether ' || i) % 100 >= {share} "
            f"THEN CAST(HASH('{place} which ' || i) % {many} AS INTEGER) ELSE 0 END AS q{place}"
        )
        declared[f"q{place}"] = {
            "role": "quasi",
            "hierarchy": {"intervals": [4, 16, 64]} if many > 7 else "suppress",
            "levels": draw.choice([1, 2, 3]) if many > 7 else draw.choice([0, 0, 1]),
        }
    connection.execute(
        f"CREATE TABLE visits AS SELECT i AS person, {', '.join(columns)} FROM range({ROWS}) t(i)"
    )
    connection.execute("CREATE TABLE town AS SELECT * EXCLUDE (person) FROM visits")
    return declared


def rows_between(connection: duckdb.DuckDBPyConnection, statement: Statement) -> int:
    """How many rows the operators of a statement hand on, over all of them."""
    asked = _CREATED.sub("EXPLAIN (ANALYZE, FORMAT JSON) ", statement.text)
    profile = json.loads(connection.execute(asked).fetchall()[0][1])
    todo, count = [*profile.get("operator", [profile])], 0
    while todo:
        operator = todo.pop()
        names = ("operator_cardinality", "intermediate_rows")
        count += next((operator[name] for name in names if name in operator), 0)
        todo += operator.get("children", [])
    return count


@contextmanager
def weighed() -> Iterator[dict[str, int]]:
    """The most work of a statement that matches persons with classes, by its template."""
    work: dict[str, int] = {}

    def hear(engine: DuckDB, statement: Statement) -> None:
        if statement.template in READS:
            count = rows_between(engine.connection, statement)
            work[statement.template] = max(count, work.get(statement.template, 0))

    with patch.object(DuckDB, "_hear", hear):
        yield work


@pytest.mark.parametrize("shape", [3, 11])
@pytest.mark.parametrize(
    "guarantee",
    [
        {"k_anonymity": {"k": 2, "unit": "person"}},
        {"k_map": {"k": 2, "population": {"table": "town"}}},
    ],
    ids=["unit", "k_map"],
)
def test_what_matches_persons_with_classes_hands_on_few_rows_per_row(
    guarantee: dict[str, Any], shape: int
) -> None:
    connection = duckdb.connect(config={"threads": 1})
    policy = read_policy(
        {
            "source": {"table": "visits"},
            "columns": {"person": {"role": "identifier"}, **skewed(shape, connection)},
            "guarantees": [guarantee],
            "suppression": "60%",
            "release": {"table": "released"},
            "ledger": "off",
        }
    )
    with weighed() as work:
        assert apply_plan(make_plan(policy, connection), connection).satisfied
        assert audit_table(policy, source=connection).satisfied
    assert {"releasing/audit", "auditing/judged"} <= work.keys()
    assert ("staging/people_unlike" in work) == ("k_anonymity" in guarantee)
    assert max(work.values()) <= MOST * ROWS, work
