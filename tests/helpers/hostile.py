"""A small world under other names: the same table, whatever its columns and values are called."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb

IN_VIEWS = ("k_anonymity", "alpha_k_anonymity", "recursive_l_diversity")
GUARANTEES = (*IN_VIEWS, "k_map", "t_closeness")
COLUMNS = ("id", "zip", "age", "job", "disease", "note")
NAMES = (
    *COLUMNS,
    *("people", "schema", "list", "population", "released", "ledger", "seen", "index", "kind"),
)
FILES = ("lines", "out", "policy")
ZIPS = ("z0", "z1", "z2", "z3")
LABELS = ("north", "south")
JOBS = ("nurse", "clerk", "pilot", "judge")
TRADES = ("care", "desk")
DISEASES = ("flu", "cold", "gout")
VALUES = (*ZIPS, *LABELS, *JOBS, *TRADES, *DISEASES, "n0", "n1", "who came")
# Row by row: id, zip, age, job, disease, note. Some ages stand alone.
ROWS = tuple(
    (
        f"p{number}",
        ZIPS[number * 7 % 4] if number % 11 else None,
        20 + number * 13 % 40,
        JOBS[number // 4 % 4],
        DISEASES[number * 5 % 3] if number % 7 else None,
        f"n{number // 3 % 2}",
    )
    for number in range(48)
)


def quoted(name: str) -> str:
    """A name as SQL, and as a policy, spells it."""
    return '"' + name.replace('"', '""') + '"'


def spelled(value: str | int | None) -> str:
    """A value as SQL spells it."""
    if value is None or isinstance(value, int):
        return "NULL" if value is None else str(value)
    return "'" + value.replace("'", "''") + "'"


@dataclass(frozen=True)
class World:
    """What everything is called: names of tables, columns and files, and texts in cells.

    ``lists`` says how zip codes are listed (csv, table or tree), ``kind`` where the release goes,
    ``guarantee`` what it gives beside k-anonymity, ``recoding`` how.
    """

    folder: Path
    kind: str
    lists: str
    guarantee: str
    names: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    by_query: bool = False
    enums: bool = False
    recoding: str = "full_domain"

    def name(self, innocent: str) -> str:
        return self.names.get(innocent, innocent)

    def value(self, innocent: Any) -> Any:
        return self.values.get(innocent, innocent)

    def file(self, innocent: str) -> str:
        return self.files.get(innocent, innocent)

    def sql(self, *innocent: str) -> str:
        """A name of some parts, quoted."""
        return ".".join(quoted(self.name(each)) for each in innocent)

    def text(self, innocent: str) -> str:
        return spelled(self.value(innocent))

    # The database

    def build(self, connection: duckdb.DuckDBPyConnection) -> None:
        """The table, what stands beside it, and what its policy names."""
        connection.execute(
            "CREATE TABLE witness AS SELECT i, 'seen ' || i AS words FROM RANGE(9) t(i)"
        )
        connection.execute("CREATE VIEW witnessed AS SELECT words FROM witness WHERE i > 3")
        connection.execute(f"CREATE SCHEMA {self.sql('schema')}")
        disease = "VARCHAR"
        if self.enums:
            listed = ", ".join(map(self.text, DISEASES))
            connection.execute(f"CREATE TYPE {self.sql('kind')} AS ENUM ({listed})")
            disease = self.sql("kind")
        table = self.sql("schema", "people")
        kinds = ("VARCHAR", "VARCHAR", "INTEGER", "VARCHAR", disease, "VARCHAR")
        more = {"note": f" DEFAULT {self.text('n1')}"}
        columns = ", ".join(
            f"{self.sql(each)} {kind}{more.get(each, '')}"
            for each, kind in zip(COLUMNS, kinds, strict=True)
        )
        connection.execute(f"CREATE TABLE {table} ({columns})")
        marks = ", ".join("?" for _ in COLUMNS)
        connection.executemany(
            f"INSERT INTO {table} VALUES ({marks})", [[*map(self.value, row)] for row in ROWS]
        )
        words = self.text("who came")
        connection.execute(f"COMMENT ON TABLE {table} IS {words}")
        connection.execute(f"COMMENT ON COLUMN {table}.{self.sql('note')} IS {words}")
        connection.execute(f"CREATE INDEX {self.sql('index')} ON {table} ({self.sql('note')})")
        connection.execute(
            f"CREATE VIEW {self.sql('seen')} AS SELECT {self.sql('note')} FROM {table}"
        )
        connection.execute(
            f"CREATE TABLE {self.sql('population')} AS SELECT {self.sql('zip')}, "
            f"{self.sql('age')}, {self.sql('job')} FROM {table}, RANGE(3)"
        )
        if self.lists == "table":
            lines = ", ".join(f"({', '.join(map(spelled, line))})" for line in self.lines())
            connection.execute(f"CREATE TABLE {self.sql('list')} AS FROM (VALUES {lines}) AS t")
        elif self.lists == "csv":
            path = self.folder / self.file("lines")
            with path.open("w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n")
                writer.writerows(self.lines())

    def lines(self) -> list[list[str]]:
        """The hierarchy of zip codes, a line each."""
        return [
            [self.value(zip_code), self.value(LABELS[number // 2]), "*"]
            for number, zip_code in enumerate(ZIPS)
        ]

    # The policy

    def sections(self) -> dict[str, Any]:
        """The policy as its file would have it."""
        name, value = self.name, self.value
        trade = (
            f"CASE WHEN {self.sql('job')} IN ({self.text('nurse')}, {self.text('clerk')}) "
            f"THEN {self.text('care')} ELSE {self.text('desk')} END"
        )
        # Locally each class is at levels of its own, and any of them.
        held = {"levels": 1} if self.recoding == "full_domain" else {}
        return {
            "source": self.source(),
            "recoding": self.recoding,
            "columns": {
                name("id"): {"role": "identifier"},
                name("zip"): {"role": "quasi", "hierarchy": self.listed(), **held},
                name("age"): {"role": "quasi", "hierarchy": {"intervals": [10, 20]}},
                name("job"): {"role": "quasi", "hierarchy": {"sql": [trade]}, **held},
                name("disease"): {"role": "sensitive", "order": [*map(value, DISEASES)]},
                name("note"): {"role": "other"},
            },
            "guarantees": self.guarantees(),
            "suppression": "25%",
            "queries": [
                {
                    name("job"): f"{self.sql('job')} = {self.text('nurse')}",
                    name(
                        "disease"
                    ): f"{self.sql('disease')} IN ({self.text('flu')}, {self.text('gout')})",
                }
            ],
            "release": {self.kind: self.target()},
            "ledger": quoted(self.name("ledger")),
        }

    def source(self) -> dict[str, str]:
        """The table, or a query that gives its columns their names."""
        table = self.sql("schema", "people")
        if not self.by_query:
            return {"table": table}
        columns = ", ".join(f"p.{self.sql(each)} AS {self.sql(each)}" for each in COLUMNS)
        return {"query": f"SELECT {columns} FROM {table} AS p -- {'all of them'}"}

    def listed(self) -> dict[str, Any]:
        if self.lists == "csv":
            return {"csv": str(self.folder / self.file("lines"))}
        if self.lists == "table":
            return {"table": self.sql("list")}
        branches = {
            self.value(label): [self.value(each) for each in ZIPS[2 * place : 2 * place + 2]]
            for place, label in enumerate(LABELS)
        }
        return {"tree": branches}

    def guarantees(self) -> list[dict[str, Any]]:
        """That classes have two rows, and one that names columns, values or tables."""
        about = {"column": self.name("disease")}
        named: dict[str, dict[str, Any]] = {
            "k_anonymity": {"k": 2, "unit": self.name("note")},
            "alpha_k_anonymity": {**about, "alpha": "0.9", "k": 2, "values": [self.value("flu")]},
            "recursive_l_diversity": {**about, "c": 4, "l": 2, "disclosable": [self.value("gout")]},
            "k_map": {"population": {"table": self.sql("population")}, "k": 3},
            "t_closeness": {**about, "t": "0.6", "distance": "ordered"},
        }
        return [{"k_anonymity": {"k": 2}}, {self.guarantee: named[self.guarantee]}]

    def target(self) -> Any:
        if self.kind == "in_place":
            return "true"
        if self.kind in ("csv", "parquet"):
            return str(self.folder / f"{self.file('out')}.{self.kind}")
        return self.sql("schema", "released")

    def write(self) -> Path:
        """The policy as a file beside its database."""
        sections = self.sections()
        sections["source"]["database"] = "world.duckdb"
        path = self.folder / f"{self.file('policy')}.yml"
        path.write_text(json.dumps(sections, ensure_ascii=False), encoding="utf-8")
        return path

    # What came of it

    def rows(self, connection: duckdb.DuckDBPyConnection) -> Counter[tuple[Any, ...]]:
        """The release with the innocent names and values in place of these."""
        names = {made: innocent for innocent, made in self.names.items()}
        texts = {made: innocent for innocent, made in self.values.items()}
        columns, rows = self.released(connection)
        assert [names.get(each, each) for each in columns] == [*COLUMNS[1:]]
        return Counter(
            tuple(None if cell is None else texts.get(str(cell), str(cell)) for cell in row)
            for row in rows
        )

    def released(self, connection: duckdb.DuckDBPyConnection) -> tuple[list[str], list[Any]]:
        """The columns and the rows of the release; a file is read by another program's rules."""
        if self.kind == "csv":
            with Path(self.target()).open(encoding="utf-8", newline="") as file:
                header, *lines = csv.reader(file)
            return header, [[cell or None for cell in line] for line in lines]
        table = {
            "in_place": self.sql("schema", "people"),
            "parquet": f"READ_PARQUET({spelled(str(self.target()))}, hive_partitioning = FALSE)",
        }
        done = connection.execute(f"SELECT * FROM {table.get(self.kind, self.target())}")
        return [each[0] for each in done.description or ()], done.fetchall()

    def innocent(self, told: Mapping[str, Any]) -> dict[str, Any]:
        """A mapping by column, by innocent names."""
        names = {made: innocent for innocent, made in self.names.items()}
        return {names.get(key, key): each for key, each in told.items()}


CATALOG = (
    "SELECT 'table', schema_name, table_name, comment FROM duckdb_tables()",
    "SELECT 'view', schema_name, view_name, sql FROM duckdb_views() WHERE NOT internal",
    "SELECT 'schema', schema_name FROM duckdb_schemas() WHERE NOT internal",
    "SELECT 'type', schema_name, type_name, labels FROM duckdb_types() WHERE NOT internal",
    "SELECT 'index', schema_name, table_name, index_name, sql FROM duckdb_indexes()",
    "SELECT 'sequence', sequence_name FROM duckdb_sequences()",
    "SELECT 'macro', function_name FROM duckdb_functions() WHERE NOT internal",
    "SELECT 'database', database_name FROM duckdb_databases() WHERE NOT internal",
    "SELECT 'setting', name, value FROM duckdb_settings() WHERE name <> 'duckdb_api'",
    "SELECT 'witness', i, words FROM witness",
    "SELECT 'witnessed', words FROM witnessed",
)


def catalog_of(connection: duckdb.DuckDBPyConnection) -> Counter[str]:
    """All that a database holds but the rows of its tables; and the rows of the witness."""
    return Counter(repr(row) for query in CATALOG for row in connection.execute(query).fetchall())
