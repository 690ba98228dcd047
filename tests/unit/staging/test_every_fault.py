"""Faults of values are told of all columns at once, by every command that reads them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from cli_harness import run
from sqlgen import Watch, apply_plan, audit_table, make_frontier, make_plan, read_policy, run_policy
from sqlgen.errors import HierarchyError, PolicyError, SqlgenError
from sqlgen.planning.lock import write_lock

TREE = {"tree": {"x": ["a", "b"]}}
COLUMNS: dict[str, Any] = {
    "a": {"role": "quasi", "hierarchy": TREE},
    "b": {"role": "quasi", "hierarchy": TREE},
    "d": {"role": "quasi", "hierarchy": {"intervals": ["5", "7"]}},
    "e": {"role": "quasi", "hierarchy": {"sql": ["CAST(CAST(e AS INTEGER) AS VARCHAR)"]}},
    "s": {"role": "sensitive", "hierarchy": TREE},
    "u": {"role": "sensitive", "order": ["low", "high"]},
    "o": {"role": "quasi", "hierarchy": {"dates": ["month"]}},
}
ROWS = (
    "CREATE TABLE t AS SELECT 'a' AS a, 'b' AS b, 1 AS d, '1' AS e, 'a' AS s, 'low' AS u, "
    "DATE '2020-01-01' AS o FROM RANGE(4)"
)
# Two trees and a sensitive one lack a value, two widths do not nest, one text is no number.
SPOIL = """
INSERT INTO t VALUES ('zz', 'zz', 1, '1', 'zz', 'low', DATE '2020-01-01'),
  ('a', 'a', 6, 'one', 'a', 'high', DATE '2020-01-01'), ('a', 'a', 8, '1', 'a', 'no', '2020-01-01')
"""
RETYPE = "ALTER TABLE t ADD COLUMN nn INTEGER; ALTER TABLE t ALTER o TYPE VARCHAR"
VALUES = {
    "columns.a.hierarchy": "1 distinct value (1 row) of a without a label at level 1",
    "columns.b.hierarchy": "1 distinct value (1 row) of b without a label at level 1",
    "columns.d.hierarchy": "levels must nest, but level 2 (intervals of 7) splits labels of",
    "columns.e.hierarchy": "the database cannot run sql on every value",
    "columns.s.hierarchy": "1 distinct value (1 row) of s without a label at level 1",
    "columns.u.order": "1 distinct value (1 row) of u have no place in the order",
}
STRUCTURE = {
    "columns": "the source has columns that the policy does not mention: nn",
    "columns.o.hierarchy": "dates need a date or timestamp; the column holds texts (VARCHAR)",
}


def policy(**said: Any) -> Any:
    return read_policy(
        {
            "source": {"table": "t"},
            "columns": COLUMNS | said,
            "guarantees": [
                {"k_anonymity": {"k": 2}},
                {"similarity": {"column": "s", "level": 1, "at_most": "100%"}},
                {"t_closeness": {"column": "u", "t": 1, "distance": "ordered"}},
            ],
            "release": {"table": "released"},
        }
    )


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as made:
        made.execute(ROWS)
        yield made


def refusal(command: Callable[[], object]) -> SqlgenError:
    with pytest.raises((PolicyError, HierarchyError)) as caught:
        command()
    return caught.value


def check(error: SqlgenError, *expected: dict[str, str]) -> None:
    """Each fault stands on a line of its own, in order, and what was changed is said once."""
    faults = {key: words for each in expected for key, words in each.items()}
    *lines, last = str(error).split("\n")
    assert [line.split(": ")[1] for line in lines] == list(faults)
    for line, words in zip(lines, faults.values(), strict=True):
        assert words in line
    assert last == "Nothing was changed."
    assert str(error).count("Nothing was changed.") == 1
    assert error.exit_code == 2


def test_a_plan_tells_the_faults_of_every_columns_values(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    connection.execute(SPOIL)
    error = refusal(lambda: make_plan(policy(), connection))
    check(error, VALUES)
    assert isinstance(error, PolicyError | HierarchyError)
    assert "zz" not in str(error)


def test_values_are_listed_of_every_column_where_they_are_asked_for(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    connection.execute(SPOIL)
    error = refusal(lambda: make_plan(policy(), connection, watch=Watch(show_values=True)))
    assert str(error).count("they are zz") == 3


def test_levels_that_hierarchies_lack_are_told_of_every_column(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    columns = {
        "a": {**COLUMNS["a"], "levels": 7},
        "b": COLUMNS["b"],
        "e": {"role": "quasi", "hierarchy": "suppress", "levels": [0, 3]},
        "d": {"role": "quasi", "hierarchy": {"dates": ["year"]}},
    }
    error = refusal(lambda: make_plan(policy(**columns), connection))
    faults = {
        "columns.a.levels": "a has the levels 0 to 2; found 7",
        "columns.d.hierarchy": "dates need a date or timestamp",
        "columns.e.levels": "e has the levels 0 to 1; found 3",
    }
    check(error, faults)


def test_types_and_unlisted_columns_are_told_beside_values(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    connection.execute(SPOIL)
    connection.execute(RETYPE)
    error = refusal(lambda: make_plan(policy(), connection))
    check(error, {"columns": STRUCTURE["columns"]}, VALUES, STRUCTURE)


def test_every_column_that_the_source_lacks_is_named(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    lacking = {"role": "other"}
    error = refusal(lambda: make_plan(policy(v=lacking, w=lacking), connection))
    told = {f"columns.{name}": f"the source has no column {name}" for name in "vw"}
    check(error, told)


def test_an_apply_names_the_columns_whose_values_left_their_hierarchies(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    plan = make_plan(policy(), connection)
    connection.execute("INSERT INTO t SELECT * REPLACE ('zz' AS a, 'yy' AS b) FROM t LIMIT 1")
    before = connection.execute("SHOW TABLES").fetchall()
    error = refusal(lambda: apply_plan(plan, connection))
    check(error, {key: VALUES[key] for key in ("columns.a.hierarchy", "columns.b.hierarchy")})
    assert connection.execute("SHOW TABLES").fetchall() == before
    connection.execute("BEGIN")


def test_an_apply_and_a_run_tell_types_and_unlisted_columns_at_once(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    plan = make_plan(policy(), connection)
    write_lock(plan, tmp_path / "policy.lock")
    connection.execute(RETYPE)
    check(refusal(lambda: apply_plan(plan, connection)), STRUCTURE)
    lock = tmp_path / "policy.lock"
    check(refusal(lambda: run_policy(policy(), connection, lock=lock)), STRUCTURE)
    check(refusal(lambda: make_frontier(policy(), connection)), STRUCTURE)


def test_an_audit_tells_the_faults_of_every_sensitive_column(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    connection.execute(SPOIL)
    error = refusal(lambda: audit_table(policy(), "t", connection))
    check(error, {key: VALUES[key] for key in ("columns.s.hierarchy", "columns.u.order")})


def test_an_audit_tells_columns_too_many_and_too_few_at_once(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    connection.execute("CREATE TABLE other AS SELECT a, b, 1 AS x, 2 AS y FROM t")
    lines = str(refusal(lambda: audit_table(policy(), "other", connection))).split("\n")
    assert [line.rpartition(": ")[2] for line in lines] == [
        "x, y. Give each a role",
        "other has no column s, so the guarantee cannot be measured on it",
        "other has no column u, so the guarantee cannot be measured on it",
    ]


def test_one_fault_alone_is_told_in_one_line(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("INSERT INTO t SELECT * REPLACE ('zz' AS a) FROM t LIMIT 1")
    error = refusal(lambda: make_plan(policy(), connection))
    assert isinstance(error, HierarchyError)
    assert "\n" not in str(error)
    assert str(error).endswith("--show-values lists them. Nothing was changed.")


def test_faults_leave_no_table_and_no_transaction(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute(SPOIL)
    refusal(lambda: make_plan(policy(), connection))
    assert connection.execute("SELECT table_name FROM duckdb_tables()").fetchall() == [("t",)]
    connection.execute("BEGIN")


def test_the_command_line_tells_every_fault_and_ends_with_2(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "x.duckdb")) as made:
        made.execute("CREATE TABLE t AS SELECT 'zz' AS a, 'zz' AS b FROM RANGE(4)")
    (tmp_path / "policy.yml").write_text(
        "source: {database: x.duckdb, table: t}\n"
        "columns:\n"
        "  a: {role: quasi, hierarchy: {tree: {x: [a]}}}\n"
        "  b: {role: quasi, hierarchy: {tree: {x: [a]}}}\n"
        "guarantees: [{k_anonymity: {k: 2}}]\n"
    )
    ran = run("plan", str(tmp_path / "policy.yml"))
    assert ran.code == 2
    assert "policy.yml:3: columns.a.hierarchy: 1 distinct value (4 rows)" in ran.err
    assert "\npolicy.yml:4: columns.b.hierarchy: 1 distinct value (4 rows)" in ran.err
