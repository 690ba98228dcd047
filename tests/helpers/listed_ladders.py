"""Ladders read from lists, staged at once and one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import starmap
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb

from harness import simple_policy
from sqlgen.errors import HierarchyError
from sqlgen.policy import Policy
from sqlgen.sql.render import Statement
from sqlgen.staging.column_facts import CELL, LABEL
from sqlgen.staging.ladders import check_each, read_ladders, staged_ladder
from sqlgen.staging.sensitive import Sensitive
from sqlgen.staging.source import open_rows, read_source
from sqlgen.staging.stage import Unstaged, stage


@dataclass(frozen=True)
class Listed:
    """A column of text with its list: a file of lines, or a tree."""

    cells: tuple[str | None, ...]
    lines: tuple[tuple[str | None, ...], ...]
    tree: Mapping[str, Any] | None
    nulls: str
    uncovered: str


def field(text: str | None) -> str:
    return "" if text is None else '"' + text.replace('"', '""') + '"'


def hierarchy(folder: Path, number: int, column: Listed) -> dict[str, Any]:
    if column.tree is not None:
        return {"tree": column.tree}
    path = folder / f"list {number}.csv"
    lines = (";".join(map(field, line)) + "\n" for line in column.lines)
    path.write_text("".join(lines), encoding="utf-8")
    return {"csv": str(path), "delimiter": ";"}


def policy_of(folder: Path, columns: Sequence[Listed]) -> Policy:
    numbers = {"role": "quasi", "hierarchy": {"tree": {"few": ["1", "2"], "more": ["3"]}}}
    return simple_policy(
        {"number": numbers}
        | {
            f'the "{number}"': {
                "role": "quasi",
                "hierarchy": hierarchy(folder, number, column),
                "nulls": column.nulls,
                "uncovered": column.uncovered,
            }
            for number, column in enumerate(columns)
        }
    )


def load(connection: duckdb.DuckDBPyConnection, columns: Sequence[Listed], nocase: bool) -> None:
    kind = "VARCHAR COLLATE NOCASE" if nocase else "VARCHAR"
    named = ", ".join(f'"the ""{number}""" {kind}' for number in range(len(columns)))
    connection.execute(f"CREATE TABLE t (number INTEGER DEFAULT 2, {named})")
    marks = ", ".join("?" for _ in columns)
    for row in zip(*(column.cells for column in columns), strict=True):
        connection.execute(f"INSERT INTO t VALUES (DEFAULT, {marks})", row)
    if nocase:
        connection.execute("SET default_collation = 'NOCASE'")


def staged_tables(
    connection: duckdb.DuckDBPyConnection, policy: Policy, *, at_once: bool
) -> tuple[Any, set[str]]:
    """The rows of all staged tables or what is wrong, and the templates that were run."""
    on_statement: list[Statement] = []
    with (
        open_rows(policy, connection, write=False, on_statement=on_statement.append) as engine,
        engine.read(),
    ):
        source = read_source(engine, policy, connection)
        none = Sensitive((), {})
        try:
            ladders = read_ladders(engine, policy, source, staged=at_once)
            stage(engine, policy, Unstaged(source, ladders, none), lambda _: None, show_values=True)
        except HierarchyError as error:
            return str(error), {each.template for each in on_statement}
        numbered = dict(enumerate(ladders, 1))
        check_each(engine, numbered, policy, show_values=True)
        rows = [
            connection.execute(f"SELECT * FROM {table} ORDER BY ALL").fetchall()
            for table in (*starmap(staged_ladder, numbered.items()), LABEL, CELL)
        ]
        known = [replace(ladder, lines=None, list_number=None) for ladder in ladders]
    return (known, rows), {each.template for each in on_statement}


def the_ladders_are_the_same(columns: Sequence[Listed], nocase: bool) -> None:
    with TemporaryDirectory() as folder, duckdb.connect(config={"threads": 1}) as connection:
        policy = policy_of(Path(folder), columns)
        load(connection, columns, nocase)
        at_once, ran = staged_tables(connection, policy, at_once=True)
        one_by_one, ran_too = staged_tables(connection, policy, at_once=False)
        assert at_once == one_by_one
        assert "staging/leaf" not in ran_too
        assert isinstance(at_once, str) or "staging/leaf" in ran
