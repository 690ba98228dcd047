"""Python sees names, counts and verdicts: what it holds does not grow with the table."""

from __future__ import annotations

import tracemalloc
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import duckdb
import pytest

from sqlgen import apply_plan, audit_table, make_plan, read_policy
from sqlgen.engines.duckdb.engine import DuckDB
from sqlgen.sql.render import Statement

# The same combinations of values in each, so that the search is the same too.
PEOPLE = """
CREATE TABLE people AS
SELECT 'person ' || i AS name, CAST(47600 + i % 20 AS VARCHAR) AS zip, 20 + i // 20 % 40 AS age,
  'disease ' || i // 800 % 3 AS disease, i AS visit
FROM RANGE({rows}) AS t (i)
"""
SMALL, LARGE = 2_400, 240_000


def policy() -> Any:
    return read_policy(
        {
            "source": {"table": "people"},
            "columns": {
                "name": {"role": "identifier"},
                "zip": {"role": "quasi", "hierarchy": {"prefixes": [4, 3]}},
                "age": {"role": "quasi", "hierarchy": {"intervals": [10, 20]}},
                "disease": {"role": "sensitive"},
                "visit": {"role": "other"},
            },
            "guarantees": [{"k_anonymity": {"k": 3}}],
            "release": {"table": "released"},
        }
    )


def release(rows: int) -> tuple[int, Mapping[str, int]]:
    """The largest heap of a plan, a release and an audit, and the rows fetched per template."""
    fetched: dict[str, int] = defaultdict(int)
    whole = DuckDB.rows

    def counted(engine: DuckDB, statement: Statement) -> list[tuple[Any, ...]]:
        given = whole(engine, statement)
        fetched[statement.template] += len(given)
        return given

    with duckdb.connect() as connection, pytest.MonkeyPatch.context() as patch:
        connection.execute(PEOPLE.format(rows=rows))
        patch.setattr(DuckDB, "rows", counted)
        tracemalloc.start()
        try:
            plan = make_plan(policy(), connection)
            assert apply_plan(plan, connection).audit.rows == rows
            assert audit_table(policy(), source=connection).satisfied
            heap = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    return heap, fetched


def test_neither_the_heap_nor_the_rows_fetched_grow_with_the_table() -> None:
    # Templates are compiled once, which is not to count for either.
    release(SMALL)
    small, few = release(SMALL)
    large, many = release(LARGE)
    assert many == few
    # A byte for each row more, or for every tenth, would show.
    assert large < small + (LARGE - SMALL) / 10
