"""Small seeded tables, made in SQL, with a policy for each; and what stands in a database."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import duckdb

from sqlgen import Plan, Policy, make_plan, read_policy
from strategies import Column, Table, make_table

LEDGER = "sqlgen_releases"
KINDS = ("table", "view", "parquet", "csv", "partitioned")
SOURCES = {"table": {"table": "patients"}, "query": {"query": "SELECT * FROM patients -- all"}}

_PATIENTS = """
CREATE TABLE {name} AS
SELECT
  'person ' || i AS name,
  CASE WHEN i % 17 = 0 THEN NULL ELSE CAST(47600 + (i * 7) % 4 AS VARCHAR) END AS zip,
  CAST(20 + (i * 13) % 40 AS INTEGER) AS age,
  CASE i % 2 WHEN 0 THEN 'f' ELSE 'm' END AS sex,
  CASE i % 3 WHEN 0 THEN 'flu' WHEN 1 THEN 'it''s a cold' ELSE NULL END AS disease,
  CAST(i % 5 AS SMALLINT) AS visits
FROM RANGE({rows}) AS t (i)
"""


def make_patients(
    connection: duckdb.DuckDBPyConnection, rows: int = 120, name: str = "patients"
) -> None:
    """A table with an identifier, three quasi-identifiers, a sensitive and another column."""
    connection.execute(_PATIENTS.format(name=name, rows=rows))


def patients(rows: int = 120) -> duckdb.DuckDBPyConnection:
    """An open connection that holds the patients, who are too few for a second thread."""
    connection = duckdb.connect(config={"threads": 1})
    make_patients(connection, rows)
    return connection


def patients_file(folder: Path, rows: int = 120) -> Path:
    """A database file that holds the patients."""
    path = folder / "clinic.duckdb"
    with duckdb.connect(str(path)) as connection:
        make_patients(connection, rows)
    return path


def patients_columns(visits: str = "other") -> dict[str, dict[str, Any]]:
    """What the columns of the patients are; ``visits`` says the role of the last one."""
    return {
        "name": {"role": "identifier"},
        "zip": {"role": "quasi", "hierarchy": {"prefixes": [3]}},
        "age": {"role": "quasi", "hierarchy": {"intervals": [10, 20]}},
        "sex": {"role": "quasi", "hierarchy": "suppress"},
        "disease": {"role": "sensitive"},
        "visits": {"role": visits},
    }


def patients_policy(visits: str = "other", **changes: Any) -> Policy:
    """The policy of the patients: 4-anonymous, at most a tenth suppressed."""
    sections: dict[str, Any] = {
        "source": {"table": "patients"},
        "columns": patients_columns(visits),
        "guarantees": [{"k_anonymity": {"k": 4}}],
        "suppression": "10%",
        "release": {"table": "released"},
    }
    return read_policy({**sections, **changes})


def release_to(kind: str, folder: Path) -> dict[str, Any]:
    """The release section for a kind of target: ``released``, a table, view, file or folder."""
    if kind == "partitioned":
        return {"parquet": str(folder / "released"), "partition_by": ["disease"]}
    return {kind: str(folder / f"released.{kind}") if kind in ("parquet", "csv") else "released"}


def planned(policy: Policy, source: duckdb.DuckDBPyConnection | Path) -> Plan:
    """A plan that gives what the policy asks for."""
    plan = make_plan(policy, source)
    assert plan.satisfied, plan.hindrance
    return plan


def rows_of(
    connection: duckdb.DuckDBPyConnection, relation: str = "released"
) -> list[tuple[Any, ...]]:
    """The rows of a table, a view or a table function, in the order in which they stand."""
    return connection.execute(f"SELECT * FROM {relation}").fetchall()


@dataclass(frozen=True)
class State:
    """All that a run may leave behind: tables' rows, views, folders, and files' bytes."""

    tables: Mapping[tuple[str, str, str], list[tuple[Any, ...]]]
    views: Mapping[tuple[str, str, str], str]
    files: Mapping[str, bytes]


def state_of(connection: duckdb.DuckDBPyConnection, folder: Path | None = None) -> State:
    """What stands in a connection, temporary tables among it, and in a folder."""
    tables = connection.execute(
        "SELECT database_name, schema_name, table_name FROM duckdb_tables() ORDER BY ALL"
    ).fetchall()
    views = connection.execute(
        "SELECT database_name, schema_name, view_name, sql FROM duckdb_views() "
        "WHERE NOT internal ORDER BY ALL"
    ).fetchall()
    return State(
        tables={
            (database, schema, table): rows_of(connection, f'"{database}"."{schema}"."{table}"')
            for database, schema, table in tables
        },
        views={(database, schema, view): sql for database, schema, view, sql in views},
        files={
            each.as_posix(): each.read_bytes() if each.is_file() else b""
            for each in (sorted(folder.rglob("*")) if folder else ())
        },
    )


def names_in(connection: duckdb.DuckDBPyConnection) -> set[str]:
    """The names of all tables and views, temporary ones among them, but for the ledger."""
    state = state_of(connection)
    return {name for _, _, name in (*state.tables, *state.views)} - {LEDGER}


ZIPS = ("47677", "47602", "47678", "4790", "47909", None)
AGES = (-11, -10, -1, 0, 9, 10, 19, 20, 29, 39, 40, 41)
DAYS = (date(2024, 2, 29), date(2024, 3, 1), date(2023, 12, 31), date(2024, 1, 1), None)
JOBS = ("nurse", "clerk", "pilot", "nothing of", None)
# A line that stands twice is one line; a leaf that no row has is a leaf all the same.
LINES = [
    *(["nurse", "care", "work"], ["clerk", "desk", "work"], ["clerk", "desk", "work"]),
    *(["judge", "desk", "work"], ["pilot", "travel", "away"], ["sailor", "travel", "away"]),
]


def drawn(pool: tuple[Any, ...], rows: int, seed: int) -> tuple[Any, ...]:
    choice = random.Random(seed)
    return tuple(choice.choice(pool) for _ in range(rows))


def ruled() -> Table:
    """Rules, with NULL as a value; nothing is released as it is but one sensitive column."""
    widths = {"intervals": [10, {"cuts": ["-10", "0", "20", "40"]}]}
    return make_table(
        "people",
        [
            Column("name", "VARCHAR", "identifier", tuple(map(str, range(80)))),
            Column("zip", "VARCHAR", "quasi", drawn(ZIPS, 80, 1), {"prefixes": [4, 2]}),
            Column("age", "INTEGER", "quasi", drawn(AGES, 80, 2), widths),
            Column("sex", "VARCHAR", "quasi", drawn(("f", "m"), 80, 3), "suppress"),
            Column("disease", "VARCHAR", "sensitive", drawn(("flu", "ulcer", None), 80, 4)),
        ],
    )


def listed(role: str) -> Table:
    """A list and dates; rows without a job, or with one that the list lacks, are suppressed."""
    jobs = Column("job", "VARCHAR", "quasi", drawn(JOBS, 70, 5), {"lines": LINES}, "suppress")
    return make_table(
        "workers",
        [
            Column("visits", "INTEGER", role, drawn((1, 2, 3, None), 70, 7)),
            Column(**{**vars(jobs), "uncovered": "suppress"}),
            Column(
                "seen", "DATE", "quasi", drawn(DAYS, 70, 6), {"dates": ["month", "year"]}, "top"
            ),
        ],
    )
