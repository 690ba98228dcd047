"""Several lists of one policy: whatever is wrong, the first column at fault is the one named."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb
import pytest

from sqlgen import make_plan, read_policy
from sqlgen.errors import SqlgenError

GOOD = b"x;any\ny;any\n"
RAGGED = b"x;any\ny;any;more\n"
NO_UTF8 = b"x;\xff\xfe\ny;any\n"
EMPTY = b""
UNLABELLED = b"x;\ny;any\n"
TWICE = b"x;any\nx;other\ny;any\n"
UNCOVERING = b"x;any\n"
SPLITTING = b"x;one;1;*\ny;one;2;*\n"
MISSING = None


def lists(folder: Path, contents: Mapping[str, bytes | None]) -> dict[str, Any]:
    """A hierarchy of a file per column; a file without content is not there."""
    for name, content in contents.items():
        if content is not None:
            (folder / f"{name}.csv").write_bytes(content)
    return {name: {"csv": str(folder / f"{name}.csv"), "delimiter": ";"} for name in contents}


def refused(hierarchies: Mapping[str, Any], connection: duckdb.DuckDBPyConnection) -> str:
    """The error of a plan over columns of x and y that have the hierarchies."""
    columns = ", ".join(
        f"CASE i % 2 WHEN 0 THEN 'x' ELSE 'y' END AS {name}" for name in hierarchies
    )
    connection.execute(f"CREATE TABLE t AS SELECT {columns} FROM RANGE(20) AS r (i)")
    policy = read_policy(
        {
            "source": {"table": "t"},
            "columns": {
                name: {"role": "quasi", "hierarchy": each} for name, each in hierarchies.items()
            },
            "guarantees": [{"k_anonymity": {"k": 2}}],
            "release": {"table": "released"},
        }
    )
    with pytest.raises(SqlgenError) as raised:
        make_plan(policy, connection)
    return str(raised.value)


WORDS = {
    "ragged": (RAGGED, "cannot be read: line 2 has 3 fields"),
    "no UTF-8": (NO_UTF8, "cannot be read: line 1 is not UTF-8"),
    "empty": (EMPTY, "has no lines"),
    "unlabelled": (UNLABELLED, "lines without a label at some level: 1"),
    "twice": (TWICE, "two labels at level 1"),
    "uncovering": (UNCOVERING, "without a label at level 1"),
    "splitting": (SPLITTING, "levels must nest"),
    "missing": (MISSING, "there is no file"),
}


@pytest.mark.parametrize("wrong", WORDS)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_the_list_that_is_wrong_is_named(wrong: str, place: int, tmp_path: Path) -> None:
    content, words = WORDS[wrong]
    contents: dict[str, bytes | None] = dict.fromkeys("abc", GOOD)
    contents["abc"[place]] = content
    error = refused(lists(tmp_path, contents), duckdb.connect())
    assert words in error
    assert f"columns.{'abc'[place]}" in error


READ_FIRST = ("ragged", "no UTF-8", "empty", "missing")
CHECKED_LATER = ("unlabelled", "twice", "uncovering", "splitting")


@pytest.mark.battery
@pytest.mark.parametrize("group", [READ_FIRST, CHECKED_LATER])
def test_of_several_lists_that_are_wrong_the_first_is_named(
    group: tuple[str, ...], tmp_path: Path
) -> None:
    for number, first in enumerate(group):
        for second in group:
            folder = tmp_path / f"{number} {second}"
            folder.mkdir()
            contents = {"a": GOOD, "b": WORDS[first][0], "c": WORDS[second][0]}
            error = refused(lists(folder, contents), duckdb.connect())
            assert WORDS[first][1] in error
            assert "columns.b" in error


@pytest.mark.parametrize("wrong", WORDS)
def test_a_wrong_list_leaves_no_transaction_and_no_table_behind(wrong: str, tmp_path: Path) -> None:
    connection = duckdb.connect()
    refused(lists(tmp_path, {"a": GOOD, "b": WORDS[wrong][0]}), connection)
    connection.execute("BEGIN")
    tables = connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()
    assert tables == [("t",)]


def test_a_list_before_an_expression_that_fails_is_named(tmp_path: Path) -> None:
    hierarchies = {**lists(tmp_path, {"a": UNCOVERING}), "b": {"sql": ["CAST(b AS INTEGER)"]}}
    assert "columns.a" in refused(hierarchies, duckdb.connect())


def test_a_list_after_an_expression_that_fails_is_not(tmp_path: Path) -> None:
    hierarchies = {"a": {"sql": ["CAST(a AS INTEGER)"]}, **lists(tmp_path, {"b": UNCOVERING})}
    assert "columns.a" in refused(hierarchies, duckdb.connect())
