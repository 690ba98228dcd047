"""Expressions of the user's give one value one label, on any day and in any session."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import pytest

from harness import labels_of
from sqlgen import apply_plan, make_plan, read_policy
from sqlgen.errors import PolicyError, SqlgenError
from sqlgen.sql.purity import _FUNCTIONS

pytestmark = pytest.mark.usefixtures("real_functions")

# What the session, the clock, the engine's version or chance decides, in every way to write it.
IMPURE = (
    *("session_user", "current_user", "current_role", "current_catalog", "current_schema", "user"),
    *("current_date", "current_time", "current_timestamp", "localtime", "localtimestamp"),
    *("now()", "today()", "current_localtime()::text", "current_localtimestamp()::text"),
    *("get_current_time()::text", "get_current_timestamp()::text", "transaction_timestamp()::text"),
    *("random()", "uuid()", "gen_random_uuid()", "uuidv4()", "uuidv7()", "setseed(0.5)"),
    *("nextval('counter')", "currval('counter')", "txid_current()", "current_transaction_id()"),
    *("version()", "current_setting('TimeZone')", "getvariable('v')", "getenv('HOME')"),
    *("current_query()", "current_database()", "current_schemas(true)", "in_search_path('a', 'b')"),
    # Sorted by the session's default_order.
    *("list_sort(string_split(zip, ''))[1]", "list_reverse_sort([zip])[1]"),
    *("alias(zip)", "typeof(zip)", "pg_typeof(zip)", "hash(zip)", "vector_type(zip)", "stats(zip)"),
    *("read_text('/etc/hostname')", "error(zip)", "write_log(zip)", "sleep_ms(1)"),
    *("age(zip::timestamp)", "ago(interval 1 day)", "list_aggregate([zip], 'first')"),
    *("zip::timestamptz", "CAST(zip AS TIMESTAMP WITH TIME ZONE)", "TIMESTAMPTZ '2020-01-01'"),
    *("zip::timestamp AT TIME ZONE 'UTC'", "timezone('UTC', zip::timestamp)", "zip::timetz"),
    *("to_timestamp(zip::double)", "make_timestamptz(zip::bigint)"),
    *("strptime(zip, '%Y %Z')", "strptime(zip, '%Y %' || 'z')", "try_strptime(zip, ['%Y', '%z'])"),
    *("[zip::timestamptz]", "zip::timestamptz[]", "zip::STRUCT(a TIMESTAMPTZ)", "zip::zoned"),
    *("mine(zip)", "left(zip, 3) || mine(zip)", "[mine(x) for x in [zip]]", "zip.mine()"),
    *("list_transform([zip], lambda x: x || session_user)", "rowid", "zip || #1", "main.mine(zip)"),
    *("CASE WHEN session_user = 'a' THEN zip END", "COALESCE(NULL, current_date::text)"),
    *("utc_timestamp()", "sysdate()", "some_function_of_tomorrow(zip)", "zip || getdate()"),
)
PURE = (
    *("left(zip, 3)", "zip[1:2] || '*'", "substring(zip FROM 1 FOR 2)", "upper(trim(zip))"),
    *("CASE WHEN zip < '5' THEN 'low' ELSE 'high' END", "regexp_replace(zip, '[0-9]$', '*')"),
    *(
        "CAST(CAST(zip AS INTEGER) // 100 AS VARCHAR)",
        "zip::decimal(9,2)",
        "zip::int - zip::int % 5",
    ),
    *(
        "zip IN ('1', '2')",
        "zip LIKE '4%'",
        "zip BETWEEN '1' AND '5'",
        "zip IS NULL",
        "NOT zip = '1'",
    ),
    *("coalesce(nullif(zip, ''), '-')", "split_part(zip, '-', 1)", "concat(zip, '!')", "md5(zip)"),
    *("year(make_date(zip::int % 100, 1, 1))", "strftime(DATE '2020-01-01' + zip::int, '%Y')"),
    *(
        "date_trunc('month', DATE '2020-01-01' + INTERVAL (zip::int) DAY)",
        "IF(zip > '1', 'a', 'b')",
    ),
    *("age(DATE '2020-01-01', DATE '1990-01-01')", "EXTRACT(year FROM DATE '2020-01-01')"),
    *("list_transform([zip], lambda x: left(x, 2))[1]", "string_split(zip, '7')[1]"),
    *(
        "coalesce(try_strptime(zip, '%Y%m')::text, '-')",
        "strptime('2020', ['%Y', '%Y%m'])",
        "format('{}*', left(zip, 2))",
    ),
    *(
        "TRY(zip::int)",
        "zip COLLATE NOCASE = 'a'",
        "{'a': zip}.a",
        "json_value('{\"a\": 1}', '$.a')",
    ),
)
BEFORE = """
CREATE SEQUENCE counter;
CREATE MACRO mine(x) AS x || random();
CREATE TYPE zoned AS TIMESTAMPTZ;
CREATE TABLE t AS SELECT CAST(47600 + i % 4 AS VARCHAR) AS zip, 'x' AS job FROM range(8) r(i)
"""


def policy(columns: Any = None, **sections: Any) -> Any:
    return read_policy(
        {
            "source": {"table": "t"},
            "columns": {
                "zip": {"role": "quasi", "hierarchy": "suppress"},
                "job": {"role": "other"},
                **(columns or {}),
            },
            "guarantees": [{"k_anonymity": {"k": 2}}],
            "release": {"table": "released"},
        }
        | sections
    )


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(config={"threads": 1}) as made:
        made.execute(BEFORE)
        yield made


def refusal(connection: duckdb.DuckDBPyConnection, made: Any) -> str:
    with pytest.raises(PolicyError) as caught:
        make_plan(made, connection)
    return str(caught.value)


@pytest.mark.battery
@pytest.mark.parametrize("text", IMPURE)
def test_a_hierarchy_that_reads_anything_but_the_value_is_refused(
    connection: duckdb.DuckDBPyConnection, text: str
) -> None:
    asked = policy({"zip": {"role": "quasi", "hierarchy": {"sql": [text]}}})
    assert "columns.zip.hierarchy: sql m" in refusal(connection, asked)


@pytest.mark.parametrize("text", IMPURE[::6])
def test_a_query_that_reads_anything_but_the_value_is_refused(
    connection: duckdb.DuckDBPyConnection, text: str
) -> None:
    asked = policy(queries=[{"zip": f"({text}) IS NOT NULL"}])
    assert "queries[0].zip: sql m" in refusal(connection, asked)


@pytest.mark.parametrize("text", ["session_user", "current_localtime()::text", "alias(zip)"])
def test_a_sensitive_columns_hierarchy_is_held_to_the_same(
    connection: duckdb.DuckDBPyConnection, text: str
) -> None:
    text = text.replace("zip", "job")
    columns = {"job": {"role": "sensitive", "hierarchy": {"sql": [text]}, "level": 1}}
    assert "columns.job.hierarchy: sql must give the same label" in refusal(
        connection, policy(columns)
    )


@pytest.mark.parametrize("text", PURE)
def test_a_hierarchy_of_the_value_alone_is_planned_with(
    connection: duckdb.DuckDBPyConnection, text: str
) -> None:
    asked = policy({"zip": {"role": "quasi", "hierarchy": {"sql": [text]}}})
    assert make_plan(asked, connection).satisfied


def test_the_name_that_is_not_known_is_told_and_what_to_do(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    asked = policy({"zip": {"role": "quasi", "hierarchy": {"sql": ["left(zip, 2) || version()"]}}})
    assert refusal(connection, asked) == (
        "policy: columns.zip.hierarchy: sql must give the same label each time, on any day and in "
        "any session; that is not known of version. Compute the label in source.query, or list "
        "values and labels in a CSV file. Nothing was changed."
    )


@pytest.mark.parametrize("name", ["left", "||", "string_split"])
def test_a_macro_called_like_a_pure_function_is_refused(
    name: str,
) -> None:
    arguments = "(x, y)" if name != "string_split" else "(string, delimiter)"
    macro = f'CREATE MACRO "{name}"{arguments} AS [random()::text]'
    text = {"left": "left(zip, 2)", "||": "zip || '*'"}.get(name, "split_part(zip, '6', 1)")
    asked = policy({"zip": {"role": "quasi", "hierarchy": {"sql": [text]}}})
    with duckdb.connect() as own:
        own.execute(BEFORE)
        own.execute(macro)
        # Whoever refuses first: the expression's own check, or one of what our own SQL calls.
        with pytest.raises(SqlgenError, match=name.replace("|", "[|]")):
            make_plan(asked, own)


def test_a_value_called_like_a_keyword_is_the_value() -> None:
    found = labels_of("VARCHAR", ["'a'"], {"sql": ["upper(v)"]})
    assert found == {"'a'": ["A"]}
    with duckdb.connect() as made:
        made.execute(
            "CREATE TABLE t AS SELECT 'root' AS \"user\", 1 AS zip, 1 AS job FROM range(3)"
        )
        rule = {"sql": ['upper("user")']}
        asked = policy({"user": {"role": "quasi", "hierarchy": rule, "levels": 1}})
        apply_plan(make_plan(asked, made), made)
        assert made.execute('SELECT DISTINCT "user" FROM released').fetchall() == [("ROOT",)]


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Kiritimati"])
def test_a_time_with_a_zone_is_read_in_utc_whatever_the_session_says(zone: str) -> None:
    labels = labels_of(
        "TIMESTAMPTZ",
        ["'2024-02-29 23:30:00+00'"],
        {"sql": ["strftime(v, '%Y-%m-%d')"]},
        before=f"SET TimeZone = '{zone}'",
    )
    assert list(labels.values()) == [["2024-02-29"]]


def _overloads(connection: duckdb.DuckDBPyConnection) -> list[tuple[Any, ...]]:
    return connection.execute(
        "SELECT LOWER(function_name), function_type, stability, parameter_types, return_type "
        "FROM duckdb_functions() WHERE internal"
    ).fetchall()


def test_what_is_called_pure_is_consistent_for_the_engine_too(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    found = [each for each in _overloads(connection) if each[0] in _FUNCTIONS]
    assert len({each[0] for each in found}) > 0.95 * len(_FUNCTIONS)
    assert {each[2] for each in found if each[1] == "scalar"} == {"CONSISTENT"}
    assert {each[0] for each in found} - {each[0] for each in found if each[1] == "scalar"} <= {
        "nullif",
        "split_part",
        "json_extract_string",
    }


def test_what_is_called_pure_reads_an_argument_and_makes_no_zone(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    found = [each for each in _overloads(connection) if each[0] in _FUNCTIONS]
    scalars = [each for each in found if each[1] == "scalar"]
    # Of nothing, a list is empty and pi is pi; a sum of times has a zone where one of them has.
    constant = ("pi", "map", "row", "struct_pack", "add", "+")
    assert {
        name
        for name, _, _, takes, _ in scalars
        if not takes and not name.startswith(("list_", "array_")) and name not in constant
    } == set()
    zoned = {name for name, _, _, _, gives in scalars if "ZONE" in str(gives)}
    assert zoned <= {"+", "-", "add", "subtract", "date_trunc", "datetrunc", "time_bucket"}
    assert all(
        "ZONE" in str(takes)
        for name, _, _, takes, gives in scalars
        if name in zoned and "ZONE" in str(gives)
    )


def test_no_function_that_the_engine_calls_volatile_is_called_pure(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    volatile = {
        name
        for name, _, stability, *_ in _overloads(connection)
        if stability in ("VOLATILE", "CONSISTENT_WITHIN_QUERY")
    }
    assert len(volatile) > 15
    assert volatile.isdisjoint(_FUNCTIONS)
