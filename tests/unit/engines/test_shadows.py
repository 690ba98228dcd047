"""Macros with the name of a function that sqlgen calls: refused before a row is read."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from functools import cache, partial
from itertools import cycle
from pathlib import Path
from typing import Any
from unittest.mock import patch

import duckdb
import pytest

import shadows
from shadows import BROKEN, macro, policy_of
from sqlgen import (
    RefusedError,
    apply_plan,
    apply_sql,
    audit_table,
    check_table,
    make_frontier,
    make_plan,
    minimal_nodes,
    run_policy,
)
from sqlgen.engines import fresh_rows
from sqlgen.sql.calls import functions_called, functions_in, our_functions
from sqlgen.sql.render import statement
from whole_runs import run_everything

pytestmark = pytest.mark.usefixtures("real_functions")

OURS = sorted(our_functions())
KEPT = {"k_anonymity": {"k": 3}}
# What the check itself calls; whoever replaces these must not get past it.
ASKED = (
    *("lower", "list_contains", "current_schemas", "current_database", "current_setting"),
    *("regexp_matches", "string_split_regex", "duckdb_functions", "duckdb_settings", "error"),
)


@cache
def builtins() -> frozenset[str]:
    """The names of the engine's functions."""
    with duckdb.connect() as connection:
        rows = connection.execute("SELECT LOWER(function_name) FROM duckdb_functions()").fetchall()
    return frozenset(str(row[0]) for row in rows)


def refused(act: Callable[[], Any], name: str) -> None:
    with pytest.raises(RefusedError, match=r"has (a macro|macros) ") as caught:
        act()
    assert f'"{name}"' in str(caught.value)
    assert str(caught.value).endswith("Nothing was changed.")


def test_the_functions_come_from_the_templates() -> None:
    assert {"ln", "abs", "*", "/", "sum", "min", "row_number", "duckdb_tables"} <= our_functions()
    assert {"length", "substring", "year", "strftime", "count_star", "||"} <= our_functions()
    assert our_functions() - builtins() <= {"duckdb_triggers"}


# What makes SQL of a text in Python.
SPELLING = {"sql", "command", "each", "joined", "Markup"}


def pieces_in_code() -> set[str]:
    """The pieces of SQL that stand in Python: patterns, and what is marked as SQL."""
    pieces = set()
    for path in (Path(__file__).parents[3] / "sqlgen").rglob("*.py"):
        nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        patterns = [
            node.value
            for node in nodes
            if isinstance(node, ast.Assign) and "_PATTERNS" in ast.unparse(node.targets[0])
        ]
        for node in nodes:
            if isinstance(node, ast.Call) and ast.unparse(node.func) in SPELLING:
                pieces |= {text_of(each) for each in node.args}
            if isinstance(node, ast.Dict) and node in patterns:
                pieces |= {text_of(each) for each in node.values}
    return pieces


def text_of(node: ast.expr) -> str:
    """A text's constant parts, with a gap for what is filled in."""
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    return "\x00".join(str(each.value) for each in parts if isinstance(each, ast.Constant))


def test_functions_of_pieces_in_code_are_among_them() -> None:
    pieces = pieces_in_code()
    assert "CAST(value AT TIME ZONE 'UTC' AS DATE)" in pieces
    called = functions_in(re.sub(r"\{[^{}]*\}", "\x00", piece) for piece in pieces)
    assert {"strftime", "isfinite", "quarter", "json_serialize_sql"} <= called
    # A type with its digits, as in DECIMAL(38, 3).
    assert called - {"decimal"} <= our_functions()


def test_what_a_macro_of_the_engines_calls_is_among_them() -> None:
    with duckdb.connect() as connection:
        rows = connection.execute(
            "SELECT LOWER(function_name), macro_definition FROM duckdb_functions() "
            "WHERE internal AND macro_definition IS NOT NULL"
        ).fetchall()
    called = {
        each
        for name, definition in rows
        if name in our_functions() and "system" not in definition
        for each in functions_called(definition)
    }
    assert called & builtins() <= our_functions()


@pytest.mark.parametrize(
    ("sql", "called"),
    [
        ('SELECT ln (x), "Abs"(x)', {"ln", "abs"}),
        ("SELECT 'ln(1)', \"a+b\", -- exp(1)\n x FROM t", set()),
        ("WITH a AS (SELECT 1) SELECT x FROM a AS b (x)", set()),
        ("SELECT a||b, c//d, e%f", {"||", "//", "%"}),
        ("SELECT COUNT(*)", {"count", "count_star"}),
        ("SELECT [1][1]", {"list_value", "array_extract"}),
        ("SELECT a NOT LIKE 'b'", {"!~~"}),
        ("SELECT EXTRACT(YEAR FROM d)", {"date_part"}),
        ("SELECT t AT TIME ZONE 'UTC'", {"timezone"}),
    ],
)
def test_calls_are_read_off_sql(sql: str, called: set[str]) -> None:
    found = functions_called(sql)
    assert called <= found
    assert not found & ({"exp", "+"} - called)
    if not called:
        assert found <= {"row", "*"}


@pytest.mark.battery
def test_no_other_function_of_the_engines_is_called(tmp_path: Path) -> None:
    """All other functions are replaced by macros that cannot be called, and everything is run."""
    connect = duckdb.connect
    # Called there by a policy, and to move dates on.
    others = sorted(builtins() - our_functions() - {"left", "to_days", "trunc"})
    script = ""
    with connect() as trial:
        for name in others:
            made = f"CREATE TEMP MACRO \"{name}\"() AS system.main.error('called');"
            try:
                trial.execute(made)
            except duckdb.Error:
                continue
            script += made
    assert script.count("CREATE") > 500

    def replaced(*given: Any, **more: Any) -> duckdb.DuckDBPyConnection:
        connection = connect(*given, **more)
        # Files that are opened to be read or copied alone have no macros of anybody's.
        if not more.get("read_only"):
            connection.execute(script)
        return connection

    # What a connection that nobody has changed says is asked once in a process: not of these.
    fresh_rows.cache_clear()
    with patch.object(duckdb, "connect", replaced):
        run_everything(tmp_path)
    fresh_rows.cache_clear()


def test_every_function_that_we_call_is_refused() -> None:
    asked = cycle(BROKEN)
    connection = shadows.people()
    for name in OURS:
        if name not in builtins():
            continue
        connection.execute(macro(name))
        policy = policy_of(next(asked))
        refused(partial(audit_table, policy, "t", connection), name)
        spelled = name.replace('"', '""')
        connection.execute(f'DROP MACRO "{spelled}"')
    assert audit_table(policy_of(KEPT), "t", connection).satisfied


@pytest.mark.battery
@pytest.mark.parametrize("guarantee", BROKEN, ids=shadows.named)
def test_no_guarantee_is_certified_beside_a_macro(guarantee: dict[str, Any]) -> None:
    connection = shadows.people()
    policy = policy_of(guarantee)
    assert not audit_table(policy, "t", connection).satisfied
    connection.execute(macro("*"))
    refused(lambda: audit_table(policy, "t", connection), "*")
    refused(lambda: make_plan(policy, connection), "*")


def test_every_command_refuses(tmp_path: Path) -> None:
    connection = shadows.people()
    policy = policy_of(KEPT)
    plan = make_plan(policy, connection)
    connection.execute(macro("sum"))
    for act in (
        lambda: make_plan(policy, connection),
        lambda: make_frontier(policy, connection),
        lambda: minimal_nodes(policy, connection),
        lambda: apply_plan(plan, connection),
        lambda: apply_sql(plan, connection),
        lambda: audit_table(policy, "t", connection),
        lambda: run_policy(policy, connection, lock=tmp_path / "policy.lock"),
        lambda: check_table(connection, "t", quasi=["q"]),
    ):
        refused(act, "sum")


@pytest.mark.parametrize(
    "made",
    [
        "CREATE MACRO ln(x) AS 0.0",
        "CREATE MACRO LN(x) AS 0.0",
        "CREATE TEMP MACRO Ln(x) AS 0.0",
        "CREATE MACRO ln(x) AS 0.0, (x, y) AS 1",
        "CREATE MACRO ln(x) AS TABLE SELECT 0",
        "CREATE SCHEMA own; CREATE MACRO own.ln(x) AS 0; SET search_path = 'own,main'",
        "CREATE SCHEMA own; CREATE MACRO own.ln(x) AS 0; SET schema = 'OWN'",
        'CREATE SCHEMA "a, b"; CREATE MACRO "a, b".ln(x) AS 0; USE memory."a, b"',
        "ATTACH ':memory:' AS other; CREATE MACRO other.ln(x) AS 0; "
        "SET search_path = 'main,other.main'",
    ],
)
def test_a_macro_is_found_wherever_a_call_would_find_it(made: str) -> None:
    connection = shadows.people()
    connection.execute(made)
    with pytest.raises(RefusedError, match=r'(?i)macros? .*\."ln"'):
        audit_table(
            policy_of(BROKEN[4], source={"table": "memory.main.t"}), "memory.main.t", connection
        )


@pytest.mark.parametrize("name", ["ln", "SUM", "l\u0130st"])
def test_a_macro_that_is_kept_in_a_database_file_is_found(tmp_path: Path, name: str) -> None:
    """No program can have registered functions there, and the engine's own are not compared."""
    path = tmp_path / "people.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE t AS SELECT i // 4 AS q, 'a' AS s FROM RANGE(16) AS r (i)")
        connection.execute(f'CREATE MACRO mine(x) AS 0; CREATE MACRO "{name}"(x) AS 0.0')
    refused(lambda: check_table(path, "t", quasi=["q"]), name)
    with duckdb.connect(str(path)) as connection:
        connection.execute(f'DROP MACRO "{name}"')
    assert check_table(path, "t", quasi=["q"]).rows == 16


@pytest.mark.parametrize(
    "made",
    [
        "CREATE SCHEMA own; CREATE MACRO own.ln(x) AS 0.0",
        "ATTACH ':memory:' AS other; CREATE MACRO other.ln(x) AS 0.0",
        "ATTACH ':memory:' AS m; CREATE MACRO m.ln(x) AS 0.0; USE memory",
        "CREATE MACRO my_ln(x) AS 0.0; CREATE MACRO levenshtein(a, b) AS 0",
        "CREATE TABLE ln (x INTEGER); CREATE VIEW abs AS SELECT 1 AS x",
        'CREATE MACRO "\u00e9t\u00e9"(x) AS 0; CREATE MACRO " "(x) AS 0',
    ],
)
def test_a_macro_that_no_call_of_ours_finds_is_nobodys_business(made: str) -> None:
    connection = shadows.people()
    connection.execute(made)
    assert audit_table(policy_of(KEPT), "t", connection).satisfied


def test_a_macro_whose_letters_the_engine_lowers_to_a_name_of_ours_is_refused() -> None:
    connection = shadows.people()
    connection.execute('CREATE MACRO "l\u0130st"(x) AS 0.0')
    refused(lambda: audit_table(policy_of(KEPT), "t", connection), "l\u0130st")


def test_a_macro_between_plan_and_release_stops_the_printed_script() -> None:
    connection = shadows.people()
    statements = apply_sql(make_plan(policy_of(KEPT), connection), connection)
    connection.execute(macro("sum", "1000"))
    stopped = ""
    for each in statements:
        try:
            connection.execute(each.text)
        except duckdb.Error as error:
            stopped = stopped or f"{each.template}: {error}"
    assert re.match(r"releasing/meanings: .*a macro has the name", stopped)
    assert not connection.execute("FROM duckdb_tables() WHERE table_name = 'released'").fetchall()


def test_the_printed_script_runs_beside_macros_of_other_names() -> None:
    connection = shadows.people()
    connection.execute("CREATE MACRO levenshtein(a, b) AS 0; CREATE MACRO mine(a) AS 0")
    for each in apply_sql(make_plan(policy_of(KEPT), connection), connection):
        connection.execute(each.text)
    assert connection.execute("SELECT COUNT(*) FROM released").fetchone() == (16,)


def test_what_the_check_itself_calls_cannot_be_replaced() -> None:
    connection = shadows.people()
    for name in (*ASKED, "=", "in", "not", "is"):
        connection.execute(macro(name, "FALSE"))
        # DuckDB 1.5 gives a macro that is a table one way to be called.
        spelled = '"' + name.replace('"', '""') + '"'
        connection.execute(
            f"CREATE MACRO main.{spelled}() AS TABLE SELECT 1 AS internal WHERE FALSE"
        )
    connection.execute(macro("ln"))
    refused(lambda: audit_table(policy_of(BROKEN[4]), "t", connection), "ln")


@pytest.mark.parametrize(
    ("name", "takes"),
    [
        *(("ln", "BIGINT"), ("abs", "VARCHAR"), ("year", "VARCHAR"), ("list_value", "INTEGER")),
        *(("len", "BIGINT[]"), ("abs", "DECIMAL(18,3)"), ("year", "TIMESTAMP_S")),
        *(("length", "UUID"), ("struct_extract", "STRUCT(a BIGINT)")),
    ],
)
def test_a_function_that_python_registers_is_refused(name: str, takes: str) -> None:
    connection = shadows.people()
    connection.create_function(name, lambda _: 0, [takes], "BIGINT")
    with pytest.raises(RefusedError, match=f"registered functions called {name} "):
        audit_table(policy_of(BROKEN[4]), "t", connection)


def test_what_python_registers_for_the_sums_of_lists_is_refused() -> None:
    connection = shadows.people()
    connection.create_function("list_aggr", lambda _, __: 7, ["BIGINT[]", "VARCHAR"], "BIGINT")
    assert connection.execute("SELECT LIST_SUM([CAST(1 AS BIGINT)])").fetchall() == [(7,)]
    with pytest.raises(RefusedError, match="registered functions called list_aggr "):
        audit_table(policy_of(BROKEN[4]), "t", connection)


def test_what_python_registers_for_the_check_itself_is_refused() -> None:
    connection = shadows.people()
    connection.create_function("lower", lambda *_: "", ["VARCHAR"], "VARCHAR")
    with pytest.raises(RefusedError, match="registered functions called lower "):
        audit_table(policy_of(BROKEN[4]), "t", connection)


def test_a_function_of_another_name_may_be_registered() -> None:
    connection = shadows.people()
    connection.create_function("mine", lambda _: 0, ["BIGINT"], "BIGINT")
    assert audit_table(policy_of(KEPT), "t", connection).satisfied


def test_what_is_registered_in_place_of_something_removed_is_refused() -> None:
    """There are as many functions as before, or even as many of each name."""
    connection = shadows.people()
    fresh = functions_there(connection)
    # What a program registers goes together with the engine's own of its name.
    connection.create_function("levenshtein", lambda _: 0, ["BIGINT"], "BIGINT")
    connection.remove_function("levenshtein")
    connection.create_function("ln", lambda _: 0.0, ["VARCHAR"], "DOUBLE")
    assert functions_there(connection) == fresh
    with pytest.raises(RefusedError, match="registered functions called ln "):
        audit_table(policy_of(KEPT), "t", connection)
    connection = shadows.people()
    connection.create_function("ln", lambda _: 0, ["BIGINT"], "BIGINT")
    connection.remove_function("ln")
    connection.create_function("ln", lambda _: 0.0, ["VARCHAR"], "DOUBLE")
    assert functions_there(connection) == fresh
    with pytest.raises(RefusedError, match="registered functions called ln "):
        audit_table(policy_of(KEPT), "t", connection)


def functions_there(connection: duckdb.DuckDBPyConnection) -> int:
    return len(connection.execute("FROM duckdb_functions()").fetchall())


def test_what_the_look_at_names_itself_calls_cannot_be_registered() -> None:
    connection = shadows.people()
    for name in ("count_star", "string_agg"):
        with pytest.raises(duckdb.Error, match="not an scalar function"):
            connection.create_function(name, lambda _: 0, ["BIGINT"], "BIGINT")


def test_the_newest_functions_of_the_engine_are_none_of_ours(tmp_path: Path) -> None:
    """Registered again in their order, these alone could be told from the engine's by no name."""
    names = statement("engines/duckdb/function_names")
    ((_, _, in_order),) = fresh_rows(names)
    assert not {*in_order.split(",")[-100:]} & our_functions()
    # A database with tables, some functions of which were called before: the order is the same.
    with duckdb.connect(str(tmp_path / "some.duckdb")) as connection:
        connection.execute("CREATE TABLE t (i INTEGER)")
    with duckdb.connect(str(tmp_path / "some.duckdb")) as connection:
        connection.execute("CREATE TABLE u AS SELECT LIST_SUM([i]) AS i FROM t")
        assert connection.execute(names.text).fetchall() == fresh_rows(names)
