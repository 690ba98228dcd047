"""Small tables that are released in groups: their policies, and their pairs as they stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

from oracle_anatomy import PairOfTables
from sqlgen import Plan, Policy, Release, apply_plan, make_plan, read_policy

WARD: Mapping[str, Any] = {
    "name": {"role": "identifier"},
    "zip": {"role": "quasi", "hierarchy": "suppress"},
    "age": {"role": "quasi", "hierarchy": "suppress"},
    "visits": {"role": "other"},
    "disease": {"role": "sensitive"},
}
TYPES = ("VARCHAR", "VARCHAR", "INTEGER", "INTEGER", "VARCHAR")
DISEASES = ("flu", "cold", "ulcer", "gastritis")


def distinct(least: int, column: str = "disease") -> dict[str, Any]:
    """Distinct l-diversity of a column."""
    return {"distinct_l_diversity": {"column": column, "l": least}}


def patients(rows: int, diseases: Sequence[str | None] = DISEASES) -> list[tuple[Any, ...]]:
    """Rows of a ward in which each disease is about as frequent as any other."""
    return [
        (f"person {i}", f"4760{i % 3}", 20 + i % 7, i % 4, diseases[i % len(diseases)])
        for i in range(rows)
    ]


def grouped_policy(*guarantees: Mapping[str, Any], **more: Any) -> Policy:
    """A policy for the table ``t``, released in groups."""
    sections = {
        "source": {"table": "t"},
        "columns": WARD,
        "guarantees": guarantees or [distinct(2)],
        "release": {"table": "released"},
        "recoding": "anatomy",
    }
    return read_policy({**sections, **more})


def ward(
    rows: Sequence[tuple[Any, ...]],
    columns: Sequence[str] = tuple(WARD),
    types: Sequence[str] = TYPES,
) -> duckdb.DuckDBPyConnection:
    """A connection with the table ``t``."""
    connection = duckdb.connect(config={"threads": 1})
    fill(connection, rows, columns, types)
    return connection


def fill(
    connection: duckdb.DuckDBPyConnection,
    rows: Sequence[tuple[Any, ...]],
    columns: Sequence[str] = tuple(WARD),
    types: Sequence[str] = TYPES,
) -> None:
    """Make the table ``t`` anew."""
    quoted = [name.replace('"', '""') for name in columns]
    spelled = ", ".join(f'"{name}" {kind}' for name, kind in zip(quoted, types, strict=True))
    connection.execute(f"CREATE OR REPLACE TABLE t ({spelled})")
    if rows:
        marks = ", ".join("?" * len(columns))
        connection.executemany(f"INSERT INTO t VALUES ({marks})", rows)


@dataclass(frozen=True)
class Grouped:
    """A table that was released in groups: its plan, its release, and the pair as it stands."""

    plan: Plan
    release: Release
    pair: PairOfTables


def pair_in(connection: duckdb.DuckDBPyConnection, called: str = "released") -> PairOfTables:
    """The two tables of a release, in the order in which they stand."""
    rows = connection.execute(f"FROM {called}").fetchall()
    return PairOfTables(rows, connection.execute(f"FROM {called}_sensitive").fetchall())


def release_groups(
    connection: duckdb.DuckDBPyConnection, policy: Policy, *, replace: bool = False
) -> Grouped:
    """Plan a policy that can be met, and release it."""
    plan = make_plan(policy, connection)
    assert plan.satisfied, plan.hindrance
    release = apply_plan(plan, connection, replace=replace)
    assert release.satisfied, release.hindrance
    return Grouped(plan, release, pair_in(connection))


def shown_of(rows: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """The columns of a ward that are released, the sensitive one last."""
    return [row[1:] for row in rows]
