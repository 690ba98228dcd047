"""Releases in partitions: a table of labels, a policy for it, and what stands in its folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

from sqlgen import SqlgenError, apply_plan, read_policy
from sqlgen.policy import Policy
from tables import planned, state_of


def labelled(values: tuple[Any, ...], kind: str = "VARCHAR") -> duckdb.DuckDBPyConnection:
    """Six rows of each value, of one class."""
    connection = duckdb.connect()
    connection.execute(
        f"CREATE TABLE t AS SELECT 'a' AS sex, i AS visit, CAST(v AS {kind}) AS label "
        "FROM (SELECT UNNEST(?) AS v), RANGE(6) AS r (i)",
        [list(values)],
    )
    return connection


def labelled_policy(folder: Path, **changes: Any) -> Policy:
    release: dict[str, Any] = {"parquet": str(folder / "out"), "partition_by": ["label"]}
    sections: dict[str, Any] = {
        "source": {"table": "t"},
        "columns": {
            "sex": {"role": "quasi", "hierarchy": "suppress"},
            "visit": {"role": "other"},
            "label": {"role": "sensitive"},
        },
        "guarantees": [{"k_anonymity": {"k": 2}}],
        "release": release | changes.pop("release", {}),
    }
    if not sections["release"]["partition_by"]:
        del sections["release"]["partition_by"]
    return read_policy({**sections, **changes})


def released(connection: duckdb.DuckDBPyConnection, policy: Policy, **how: Any) -> Any:
    release = apply_plan(planned(policy, connection), connection, **how)
    assert release.satisfied
    return release


def files_of(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.parquet"))


def rows_in(folder: Path, options: str = "hive_partitioning = FALSE") -> list[tuple[Any, ...]]:
    read = f"READ_PARQUET('{folder}/**/*.parquet', {options})"
    with duckdb.connect() as connection:
        return connection.execute(f"SELECT label, visit FROM {read} ORDER BY ALL").fetchall()


def refused(connection: duckdb.DuckDBPyConnection, policy: Policy, folder: Path) -> str:
    """The words of a refusal that came before anything was made."""
    plan = planned(policy, connection)
    before = state_of(connection, folder)
    with pytest.raises(SqlgenError) as told:
        apply_plan(plan, connection, replace=True)
    assert state_of(connection, folder) == before
    return str(told.value)
