"""Ladders that are staged at once: they are those that are staged one by one, and leave nothing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faults import fault_before
from harness import simple_policy
from listed_ladders import (
    Listed,
    the_ladders_are_the_same,
)
from sqlgen import Watch
from sqlgen.errors import EngineError, HierarchyError, SqlgenError
from sqlgen.planning.plan import make_plan
from sqlgen.policy import Policy
from sqlgen.sql.render import Statement

VALUES = ("", "a", "A", "b", "é", "e\u0301", " a", "*", '"', "a;b", "NULL", "0")
LABELS = ("x", "X", "*", "é", "e\u0301", "a", "x ", "y")


@st.composite
def listed(draw: st.DrawFn, rows: int) -> Listed:
    """Most lists have labels that nest, made of those of the level above; some have faults."""
    values = draw(st.lists(st.sampled_from(VALUES), min_size=1, max_size=6, unique=True))
    others = st.sampled_from([*values, *values, None, *draw(st.sampled_from([(), VALUES]))])
    cells = tuple(draw(st.lists(others, min_size=rows, max_size=rows)))
    levels = draw(st.integers(0, 3))
    sound = draw(st.integers(0, 5)) > 0
    labels = st.sampled_from(draw(st.sampled_from([LABELS[:2], (*LABELS, "", None)])))
    lines: list[tuple[str | None, ...]] = []
    above = {0: draw(st.sampled_from(["*", "any"]))} if levels else {}
    names: list[dict[tuple[int, ...], str]] = [{} for _ in range(levels)]
    called = [draw(st.permutations(LABELS)) for _ in range(levels)]
    for value in values:
        if not sound:
            lines.append((value, *(draw(labels) for _ in range(levels))))
            continue
        branch: tuple[int, ...] = ()
        found: list[str] = []
        for level in range(levels):
            branch = (*branch, draw(st.integers(0, 1)))
            found.append(names[level].setdefault(branch, called[level][len(names[level])]))
        lines.append((value, *reversed(found), *above.values()))
    lines += draw(st.lists(st.sampled_from(lines), max_size=2))
    if not sound:
        lines.append((draw(st.sampled_from([*values, None])), *lines[0][1:]))
    tree = {"any": list(values)} if draw(st.integers(0, 3)) == 0 else None
    nulls = draw(st.sampled_from(["value", "top", "suppress"]))
    uncovered = draw(st.sampled_from(["error", "top", "suppress"]))
    return Listed(cells, tuple(lines), tree, nulls, uncovered)


@st.composite
def worlds(draw: st.DrawFn) -> list[Listed]:
    """Some columns of one table."""
    rows = draw(st.integers(0, 8))
    return draw(st.lists(listed(rows), min_size=2, max_size=4))


@pytest.mark.battery
@given(worlds(), st.booleans())
@settings(max_examples=2 * settings().max_examples)
def test_ladders_staged_at_once_are_those_staged_one_by_one(
    columns: list[Listed], nocase: bool
) -> None:
    the_ladders_are_the_same(columns, nocase)


def towns(folder: Path, lists: Sequence[str], rows: str) -> tuple[Policy, Any]:
    """A table of two columns of text with lists in files, and an open connection to it."""
    for name, lines in zip("ab", lists, strict=True):
        (folder / f"{name}.csv").write_text(lines)
    connection = duckdb.connect()
    connection.execute(f"CREATE TABLE t AS FROM (VALUES {rows}) AS t (a, b)")
    declared = {
        name: {"role": "quasi", "hierarchy": {"csv": str(folder / f"{name}.csv")}} for name in "ab"
    }
    return simple_policy(declared), connection


SOUND = ("x,letter,*\ny,letter,*\n", "1,digit\n2,digit\n")
ROWS = "('x', '1'), ('x', '1'), ('y', '2'), ('y', '2')"


def test_a_plan_reads_each_file_once(tmp_path: Path) -> None:
    policy, connection = towns(tmp_path, SOUND, ROWS)
    on_statement: list[Statement] = []
    make_plan(policy, connection, watch=Watch(on_statement=on_statement.append))
    assert sum(each.text.count("READ_CSV") for each in on_statement) == 2
    assert [each.template for each in on_statement].count("staging/leaf") == 1


@pytest.mark.parametrize("fault", [EngineError, KeyboardInterrupt])
def test_a_fault_before_any_statement_leaves_no_leaves(
    fault: type[BaseException], tmp_path: Path
) -> None:
    policy, connection = towns(tmp_path, SOUND, ROWS)
    before = connection.execute("SHOW ALL TABLES").fetchall()
    with fault_before(-1, fault) as begun:
        make_plan(policy, connection)
    for number in range(len(begun)):
        with fault_before(number, fault), pytest.raises((fault, SqlgenError)):
            make_plan(policy, connection)
        assert connection.execute("SHOW ALL TABLES").fetchall() == before
    assert make_plan(policy, connection).satisfied


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        (SOUND[0], "1,digit\n2\n", "columns.b.hierarchy: b.csv cannot be read: line 2 has"),
        ("x,letter\ny,letter,*\n", "1,digit\n2\n", "columns.a.hierarchy: a.csv cannot be read"),
        ("x,letter,*\n", SOUND[1], "columns.a.hierarchy: 1 distinct value (2 rows) of a "),
        ("x,letter,*\n", "1,digit\n", "columns.a.hierarchy: 1 distinct value (2 rows) of a "),
        (SOUND[0], "1,digit\n2,\n", "columns.b.hierarchy: lines without a label at some level: 1"),
        (SOUND[0], "1,digit\n2,d\n1,d\n", "columns.b.hierarchy: 1 value (2 rows) with two labels"),
        (SOUND[0], "", "columns.b.hierarchy: b.csv has no lines"),
    ],
)
def test_the_first_list_that_is_wrong_is_named_and_nothing_is_left(
    first: str, second: str, words: str, tmp_path: Path
) -> None:
    policy, connection = towns(tmp_path, (first, second), ROWS)
    before = connection.execute("SHOW ALL TABLES").fetchall()
    with pytest.raises(HierarchyError) as raised:
        make_plan(policy, connection)
    assert words in str(raised.value)
    assert connection.execute("SHOW ALL TABLES").fetchall() == before


@pytest.mark.parametrize(
    ("above", "below", "words"),
    [
        (["x", "y"], ["1"], "columns.number.hierarchy: the database cannot run sql"),
        (["x"], ["1", "2"], "columns.a.hierarchy: 1 distinct value (2 rows) of a "),
    ],
)
def test_lists_above_an_expression_that_fails_are_named_first_and_those_below_are_not(
    above: list[str], below: list[str], words: str
) -> None:
    with duckdb.connect() as connection:
        values = f"SELECT a, 1 AS number, b FROM (VALUES {ROWS}) AS t (a, b)"
        connection.execute(f"CREATE TABLE t AS {values}")
        hierarchies = {
            "a": {"tree": {"letter": above}},
            "number": {"sql": ["CAST('none' AS INTEGER) + number"]},
            "b": {"tree": {"digit": below}},
        }
        policy = simple_policy(
            {name: {"role": "quasi", "hierarchy": each} for name, each in hierarchies.items()}
        )
        with pytest.raises(HierarchyError) as raised:
            make_plan(policy, connection)
    assert words in str(raised.value)
