"""A clinic whose one table is declared with all that a table can have, to be released in place."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb
import pytest

from sqlgen import Policy, read_policy
from sqlgen.engines.duckdb.engine import DuckDB
from sqlgen.sql.render import Statement

ROWS = 400

TABLE = """
CREATE TABLE {name} (
  id INTEGER {key},
  name VARCHAR NOT NULL COLLATE NOCASE,
  age INTEGER NOT NULL {age},
  zip VARCHAR COLLATE NOCASE NOT NULL,
  disease VARCHAR DEFAULT 'flu',
  visit INTEGER UNIQUE NOT NULL,
  CHECK (visit < 1000000)
)
"""
FILL = """
INSERT INTO {name}
SELECT
  i,
  'canary ' || MD5(CAST(i AS VARCHAR)),
  20 + (i * 7) % 60,
  'zip ' || CAST(1000 + (i * 13) % 9 AS VARCHAR),
  CASE i % 3 WHEN 0 THEN 'flu' WHEN 1 THEN 'cold' END,
  i
FROM RANGE({rows}) AS t (i)
"""
BESIDE = (
    "CREATE INDEX by_age ON {name} (age)",
    "CREATE INDEX by_both ON {name} (disease, zip)",
    "CREATE UNIQUE INDEX by_visit ON {name} ((visit + 1))",
    "COMMENT ON TABLE {name} IS 'who came'",
    "COMMENT ON COLUMN {name}.age IS 'how old'",
    "COMMENT ON INDEX by_age IS 'to find by age'",
    "CREATE VIEW visits AS SELECT disease, visit FROM {name}",
    "CREATE VIEW ages AS SELECT age, zip FROM visits_and_ages",
)

COLUMNS: Mapping[str, Mapping[str, Any]] = {
    "id": {"role": "identifier"},
    "name": {"role": "identifier"},
    "age": {"role": "quasi", "hierarchy": {"intervals": [10, 20]}, "levels": [1, 3]},
    "zip": {"role": "quasi", "hierarchy": "suppress"},
    "disease": {"role": "sensitive"},
    "visit": {"role": "other"},
}


def make_clinic(
    connection: duckdb.DuckDBPyConnection,
    *more: str,
    key: str = "",
    age: str = "",
    name: str = "patients",
) -> None:
    """The clinic's table, with what else is asked for."""
    connection.execute(TABLE.format(name=name, key=key, age=age))
    connection.execute(FILL.format(name=name, rows=ROWS))
    for each in more:
        connection.execute(each.format(name=name))


def clinic_file(folder: Path, *more: str, **declared: str) -> Path:
    """A database file that holds the clinic alone."""
    path = folder / "clinic.duckdb"
    with duckdb.connect(str(path)) as connection:
        make_clinic(connection, *more, **declared)
    return path


def clinic_sections(
    in_place: Any = "true", table: str = "patients", **changes: Any
) -> dict[str, Any]:
    """The policy of the clinic as its file would have it: 5-anonymous, in place."""
    sections: dict[str, Any] = {
        "source": {"table": table},
        "columns": COLUMNS,
        "guarantees": [{"k_anonymity": {"k": 5}}],
        "suppression": "5%",
        "release": {"in_place": in_place},
    }
    return {**sections, **changes}


def clinic_policy(in_place: Any = "true", table: str = "patients", **changes: Any) -> Policy:
    """The policy of the clinic."""
    return read_policy(clinic_sections(in_place, table, **changes))


def definition_of(connection: duckdb.DuckDBPyConnection, table: str = "patients") -> dict[str, Any]:
    """What a table is declared with, as the engine's catalog tells it, whatever its oid."""
    asked = {
        "columns": "SELECT column_name, data_type, column_default, is_nullable, comment "
        "FROM duckdb_columns() WHERE table_name = ? ORDER BY column_index",
        "constraints": "SELECT constraint_type, constraint_text FROM duckdb_constraints() "
        "WHERE table_name = ? ORDER BY ALL",
        "indexes": "SELECT index_name, sql, comment FROM duckdb_indexes() "
        "WHERE table_name = ? ORDER BY ALL",
        "table": "SELECT comment FROM duckdb_tables() WHERE table_name = ?",
    }
    return {key: connection.execute(sql, [table]).fetchall() for key, sql in asked.items()}


def failing(monkeypatch: pytest.MonkeyPatch, template: str, time: int) -> None:
    """Let a statement fail, once, when it is run for the so-manieth time."""
    whole, seen = DuckDB._execute, []

    def execute(engine: DuckDB, statement: Statement, *more: object) -> object:
        if statement.template == template:
            seen.append(statement)
            if len(seen) == time:
                statement = Statement(template, "SELECT CAST('canary' AS INTEGER)")
                more = more[:1]
        return whole(engine, statement, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(DuckDB, "_execute", execute)
