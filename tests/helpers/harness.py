"""From a drawn table to a policy and a database that sqlgen can work on."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
from markupsafe import Markup

from oracle import Ladders, Row, Value
from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation, temporary
from sqlgen.planning.plan import Plan, make_plan
from sqlgen.policy import Policy, read_policy
from sqlgen.recodings.full_domain import RecodedColumn, lookup_sql, make_recodings
from sqlgen.releasing.apply import apply_plan
from sqlgen.releasing.release import Release
from sqlgen.search.lattice import Node
from sqlgen.sql.render import Statement
from sqlgen.staging.ladders import read_ladders
from sqlgen.staging.sensitive import read_sensitive
from sqlgen.staging.source import open_rows, read_source
from sqlgen.staging.stage import Staged, Unstaged, stage
from strategies import Column, Table, load, make_table, quoted

# Longer than any drawn table's name, so that it is never one of them.
RELEASE = "the release"


def policy_mapping(
    table: Table,
    k: int,
    suppression: str | int = 0,
    release: Mapping[str, str] | None = None,
    files: Path | None = None,
) -> dict[str, Any]:
    """The policy of a table as the file would have it.

    ``lines`` hierarchies are csv files where there is a folder for files, and tables otherwise.
    """
    return {
        "source": {"table": quoted(table.name)},
        "columns": {
            column.name: _declared(number, column, files)
            for number, column in enumerate(table.columns)
        },
        "guarantees": [{"k_anonymity": {"k": k}}],
        "suppression": suppression,
        "release": release or {"table": quoted(RELEASE)},
    }


def _declared(number: int, column: Column, files: Path | None) -> dict[str, Any]:
    if column.role != "quasi":
        return {"role": column.role}
    hierarchy: Any = column.hierarchy
    if isinstance(hierarchy, Mapping) and "lines" in hierarchy:
        if files is None:
            hierarchy = {"table": f"lists.lines_{number}"}
        else:
            path = files / f"lines_{number}.csv"
            write_lines(path, hierarchy["lines"])
            hierarchy = {"csv": str(path), "delimiter": ";"}
    policies = {"nulls": column.nulls, "uncovered": column.uncovered}
    return {"role": "quasi", "hierarchy": hierarchy, **policies}


def write_lines(path: Path, lines: Iterable[Sequence[str]]) -> None:
    """A hierarchy as a csv file, every field in quotes."""
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=";", quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(lines)


def read_lines(path: Path) -> list[list[str]]:
    """The lines of a csv file with commas; an empty line is one empty field."""
    with path.open(encoding="utf-8", newline="") as file:
        return [line or [""] for line in csv.reader(file)]


@contextmanager
def connected(table: Table) -> Iterator[duckdb.DuckDBPyConnection]:
    """An in-memory database that holds the table and its ``lines`` hierarchies."""
    with duckdb.connect(config={"threads": 1}) as connection:
        load_all(connection, table)
        yield connection


def load_all(connection: duckdb.DuckDBPyConnection, table: Table) -> None:
    """The table and its ``lines`` hierarchies, as tables in a schema of their own."""
    load(connection, table)
    connection.execute("CREATE SCHEMA lists")
    for number, column in enumerate(table.columns):
        if isinstance(column.hierarchy, Mapping) and "lines" in column.hierarchy:
            lines = column.hierarchy["lines"]
            fields = ", ".join(f"field_{field} VARCHAR" for field in range(len(lines[0])))
            connection.execute(f"CREATE TABLE lists.lines_{number} ({fields})")
            marks = ", ".join("?" for _ in lines[0])
            connection.executemany(f"INSERT INTO lists.lines_{number} VALUES ({marks})", lines)


def with_rows(table: Table, rows: Sequence[Row]) -> Table:
    """The same table with other rows."""
    columns = [
        Column(
            each.name,
            each.type,
            each.role,
            tuple(row[each.name] for row in rows),
            each.hierarchy,
            each.nulls,
            each.uncovered,
        )
        for each in table.columns
    ]
    return make_table(table.name, columns)


def plan_of(table: Table, k: int, suppression: str | int = 0) -> Plan:
    """The plan for a table in a database of its own."""
    with connected(table) as connection:
        return make_plan(read_policy(policy_mapping(table, k, suppression)), connection)


@dataclass(frozen=True)
class Stage:
    """A table staged by sqlgen, with the connection inside the reading transaction."""

    engine: Engine
    connection: duckdb.DuckDBPyConnection
    policy: Policy
    source: Relation
    staged: Staged

    def recodings(self, node: Node) -> list[RecodedColumn]:
        """The recodings of a node, with a temporary lookup each, which is made."""
        lookups = [temporary(f"lookup_{number}") for number in range(len(node))]
        made = make_recodings(self.staged.ladders, node, lookups)
        for recoding in made:
            self.engine.run(Statement("drop", f"DROP TABLE IF EXISTS {recoding.lookup}"))
            self.engine.run(lookup_sql(recoding, self.source, temporary=True))
        return made

    def labels(self, level: int) -> list[dict[Value, Value]]:
        """Per ladder, the released label of each distinct value of the table at a level."""
        node = tuple(min(level, ladder.height) for ladder in self.staged.ladders)
        query = "SELECT value, label FROM {}"
        return [dict(self.fetch(query, each.lookup)) for each in self.recodings(node)]

    def fetch(self, query: str, relation: Markup) -> list[tuple[Any, ...]]:
        """The rows of a query about a staged table or a query, which ``{}`` stands for."""
        return self.connection.execute(query.replace("{}", relation, 1)).fetchall()


@contextmanager
def staged(policy: Policy, connection: duckdb.DuckDBPyConnection) -> Iterator[Stage]:
    """The policy's table staged, until the block ends."""
    with open_rows(policy, connection, write=False) as engine, engine.read():
        source = read_source(engine, policy, connection)
        ladders = read_ladders(engine, policy, source, staged=True)
        sensitive = read_sensitive(engine, policy, source, policy.guarantees, lambda: source)
        rows = Unstaged(source, ladders, sensitive)
        made = stage(engine, policy, rows, lambda _: None, show_values=False)
        yield Stage(engine, connection, policy, source, made)


def labels_of(
    kind: str,
    values: Sequence[str],
    hierarchy: Any,
    *,
    before: str = "",
    **policies: str,
) -> dict[str | None, list[Any]]:
    """The labels at the levels between the value itself and the top, per value written in SQL.

    The column is called ``v``; ``before`` is run first, in the same database.
    """
    lines = ", ".join(f"(CAST({value} AS {kind}), {number})" for number, value in enumerate(values))
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.execute(before)
        connection.execute(f"CREATE TABLE t (v {kind}, number INTEGER)")
        connection.execute(f"INSERT INTO t VALUES {lines}")
        declared = {"role": "quasi", "hierarchy": hierarchy, **policies}
        with staged(
            simple_policy({"v": declared, "number": {"role": "other"}}), connection
        ) as made:
            height = made.staged.ladders[0].height
            query = (
                "SELECT t.number, label.label FROM t "
                "JOIN {} AS label ON t.v IS NOT DISTINCT FROM label.value"
            )
            levels = []
            for level in range(1, height):
                lookup = made.recodings((level,))[0].lookup
                levels.append(dict(made.fetch(query, lookup)))
    return {value: [level[number] for level in levels] for number, value in enumerate(values)}


def simple_policy(columns: Mapping[str, Any], k: int = 2, **rest: Any) -> Policy:
    """A policy over the table ``t``."""
    guarantees = [{"k_anonymity": {"k": k}}]
    return read_policy(
        {"source": {"table": "t"}, "columns": columns, "guarantees": guarantees, **rest}
    )


def released_rows(rows: Iterable[Row], table: Table) -> Counter[tuple[Value, ...]]:
    """Rows as a multiset in the order of the released columns: every one but the identifiers."""
    names = released_names(table)
    return Counter(tuple(row[name] for name in names) for row in rows)


def released_names(table: Table) -> list[str]:
    """The columns that are released, in the table's order."""
    return [column.name for column in table.columns if column.role != "identifier"]


def node_of(plan: Plan, ladders: Ladders) -> Node:
    """The plan's node, in the order of the ladders."""
    return tuple(plan.levels_to("test")[column] for column in ladders)


@dataclass(frozen=True)
class Applied:
    """A plan applied, with the database that it was applied in."""

    connection: duckdb.DuckDBPyConnection
    plan: Plan
    release: Release

    def rows(self, relation: str = quoted(RELEASE)) -> list[tuple[Any, ...]]:
        """The rows of the release, in the order in which they stand."""
        return self.connection.execute(f"SELECT * FROM {relation}").fetchall()

    def columns(self, relation: str = quoted(RELEASE)) -> dict[str, str]:
        """The release's columns and their types."""
        described = self.connection.execute(f"DESCRIBE SELECT * FROM {relation}").fetchall()
        return {name: kind for name, kind, *_ in described}


@contextmanager
def applied(
    table: Table, k: int, suppression: str | int, release: Mapping[str, str] | None = None
) -> Iterator[Applied]:
    """A table planned and released, in a database of its own."""
    with connected(table) as connection:
        plan = make_plan(read_policy(policy_mapping(table, k, suppression, release)), connection)
        yield Applied(connection, plan, apply_plan(plan, connection))
