"""Applying is tested as twins: the statements printed are the statements run."""

from __future__ import annotations

import hashlib
import shutil
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pandas
import pytest

from sqlgen import SqlgenError, Watch, apply_plan, apply_sql, make_plan, read_policy
from sqlgen.cli.text.results import script_text
from sqlgen.sql.render import Statement
from tables import (
    KINDS,
    SOURCES,
    make_patients,
    names_in,
    patients,
    patients_file,
    patients_policy,
    planned,
    release_to,
    rows_of,
    state_of,
)


def run_by_hand(connection: duckdb.DuckDBPyConnection, statements: tuple[Statement, ...]) -> None:
    """Run a printed script as another program would; a file gets its name as the last step."""
    connection.execute(script_text(statements))


@pytest.mark.battery
@pytest.mark.parametrize("replace", [False, True], ids=["new", "replace"])
@pytest.mark.parametrize("visits", ["other", "sensitive"])
@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("kind", KINDS)
def test_printed_statements_are_the_statements_run(
    kind: str, source: str, visits: str, replace: bool, tmp_path: Path
) -> None:
    connection = patients()
    release = release_to(kind, tmp_path)
    policy = patients_policy(visits, source=SOURCES[source], release=release)
    plan = planned(policy, connection)
    if replace:
        apply_plan(plan, connection)
    printed = [each.text for each in apply_sql(plan, connection, replace=replace)]
    on_statement: list[Statement] = []
    apply_plan(plan, connection, replace=replace, watch=Watch(on_statement=on_statement.append))
    begin = [each.template for each in on_statement].index("releasing/begin")
    assert [each.text for each in on_statement[begin:]] == printed


@pytest.mark.battery
@pytest.mark.parametrize("visits", ["other", "sensitive"])
@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("kind", KINDS)
def test_the_printed_script_gives_the_same_rows_in_the_same_order(
    kind: str, source: str, visits: str, tmp_path: Path
) -> None:
    ours, theirs = patients(), patients()
    release = release_to(kind, tmp_path)
    plan = planned(patients_policy(visits, source=SOURCES[source], release=release), ours)
    run_by_hand(theirs, apply_sql(plan, ours))
    by_hand = content_of(theirs, kind, tmp_path)
    apply_plan(plan, ours)
    assert by_hand
    assert content_of(ours, kind, tmp_path) == by_hand


def content_of(connection: duckdb.DuckDBPyConnection, kind: str, folder: Path) -> object:
    """A release as it stands: rows in their order, or a CSV file's bytes; a file is removed.

    A file that was made by hand has not been given its name.
    """
    if kind in ("table", "view"):
        return rows_of(connection)
    (path,) = folder.iterdir()
    if kind == "partitioned":
        found = {each.parent.name: f"READ_PARQUET('{each}')" for each in path.rglob("*.parquet")}
        partitions = {name: rows_of(connection, relation) for name, relation in found.items()}
        shutil.rmtree(path)
        return partitions
    rows = rows_of(connection, f"READ_PARQUET('{path}')") if kind == "parquet" else []
    content = path.read_bytes()
    path.unlink()
    return rows or content


def test_printing_the_statements_runs_none_of_them(tmp_path: Path) -> None:
    connection = patients()
    plan = planned(patients_policy(release=release_to("csv", tmp_path)), connection)
    before = state_of(connection, tmp_path)
    apply_sql(plan, connection)
    assert state_of(connection, tmp_path) == before


def test_the_script_of_a_release_that_breaks_the_policy_stops_at_its_gate() -> None:
    connection = patients()
    statements = apply_sql(planned(patients_policy(), connection), connection)
    connection.execute("DELETE FROM patients WHERE age < 50 AND visits > 0")
    with pytest.raises(duckdb.Error, match="nothing was changed"):
        run_by_hand(connection, statements)
    connection.execute("ROLLBACK")
    assert names_in(connection) == {"patients"}


@pytest.mark.parametrize("kind", KINDS)
def test_identifiers_are_gone_and_other_columns_keep_their_order(kind: str, tmp_path: Path) -> None:
    connection = patients()
    release = release_to(kind, tmp_path)
    apply_plan(planned(patients_policy(release=release), connection), connection)
    files = {"partitioned": "/**/*.parquet", "csv": ".csv", "parquet": ".parquet"}
    relation = f"'{tmp_path}/released{files[kind]}'" if kind in files else "released"
    described = connection.execute(f"DESCRIBE SELECT * FROM {relation}").fetchall()
    assert [row[0] for row in described] == ["zip", "age", "sex", "disease", "visits"]


# Six values of each type, so that every row has 19 others like it and nothing is generalized.
TYPED = {
    "whole": ("INTEGER", "CAST(i % 2 AS INTEGER)"),
    "large": ("BIGINT", "CAST(9223372036854775800 + i % 2 AS BIGINT)"),
    "small": ("UTINYINT", "CAST(i % 2 AS UTINYINT)"),
    "exact": ("DECIMAL(9,2)", "CAST(i % 2 + 0.25 AS DECIMAL(9,2))"),
    "real": ("DOUBLE", "CAST(i % 2 + 0.1 AS DOUBLE)"),
    "flag": ("BOOLEAN", "i % 2 = 0"),
    "day": ("DATE", "DATE '2024-02-28' + CAST(i % 2 AS INTEGER)"),
    "moment": ("TIMESTAMP", "TIMESTAMP '2024-02-28 12:34:56.789' + INTERVAL (i % 2) HOUR"),
    "instant": (
        "TIMESTAMP WITH TIME ZONE",
        "TIMESTAMPTZ '2024-02-28 12:00:00+00' + INTERVAL (i % 2) HOUR",
    ),
    "clock": ("TIME", "TIME '12:34:56' + INTERVAL (i % 2) HOUR"),
    "number": ("UUID", "CAST('00000000-0000-0000-0000-00000000000' || i % 2 AS UUID)"),
    "text": ("VARCHAR", "'text ' || i % 2"),
}


def typed_table(connection: duckdb.DuckDBPyConnection) -> None:
    columns = ", ".join(f"{value} AS {name}" for name, (_, value) in TYPED.items())
    connection.execute(f"CREATE TABLE typed AS SELECT {columns} FROM RANGE(40) AS t (i)")


@pytest.mark.parametrize("role", ["quasi", "sensitive", "other"])
def test_values_that_are_not_generalized_keep_type_and_content(role: str) -> None:
    connection = duckdb.connect()
    typed_table(connection)
    roles = {"role": role, **({"hierarchy": "suppress"} if role == "quasi" else {})}
    columns = dict.fromkeys(TYPED, roles)
    columns["text"] = {"role": "quasi", "hierarchy": "suppress"}
    policy = read_policy(
        {
            "source": {"table": "typed"},
            "columns": columns,
            "guarantees": [{"k_anonymity": {"k": 20}}],
            "release": {"table": "released"},
        }
    )
    apply_plan(planned(policy, connection), connection)
    described = connection.execute("DESCRIBE released").fetchall()
    assert {row[0]: row[1] for row in described} == {
        name: kind for name, (kind, _) in TYPED.items()
    }
    assert rows_of(connection, "(FROM typed EXCEPT ALL FROM released)") == []


def enum_release(hierarchy: Any) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute("CREATE TYPE mood AS ENUM ('sad', 'ok', 'secret')")
    connection.execute("CREATE TABLE moods AS SELECT CAST('ok' AS mood) AS mood FROM RANGE(9)")
    policy = read_policy(
        {
            "source": {"table": "moods"},
            "columns": {"mood": hierarchy},
            "guarantees": [{"k_anonymity": {"k": 2}}],
            "release": {"table": "released"},
        }
    )
    apply_plan(planned(policy, connection), connection)
    return connection


def test_an_enum_is_released_as_text_for_its_type_lists_values_that_no_row_holds() -> None:
    connection = enum_release({"role": "quasi", "hierarchy": "suppress"})
    assert connection.execute("DESCRIBE released").fetchall()[0][1] == "VARCHAR"
    assert rows_of(connection) == [("ok",)] * 9


def test_generalized_columns_are_text() -> None:
    connection = patients()
    plan = planned(patients_policy(), connection)
    apply_plan(plan, connection)
    types = {row[0]: row[1] for row in connection.execute("DESCRIBE released").fetchall()}
    assert plan.levels_to("test")["age"] > 0
    assert types["age"] == "VARCHAR"
    assert types["visits"] == "SMALLINT"


@pytest.mark.parametrize("visits", ["other", "sensitive"])
def test_suppressed_rows_are_dropped_and_counted(visits: str) -> None:
    connection = patients()
    connection.execute("INSERT INTO patients VALUES ('x', '99999', 99, 'f', 'flu', 1)")
    plan = planned(patients_policy(visits), connection)
    release = apply_plan(plan, connection)
    assert plan.suppressed_rows > 0
    assert release.suppressed_rows == plan.suppressed_rows
    assert len(rows_of(connection)) == release.rows - release.suppressed_rows


@pytest.mark.parametrize("kind", KINDS)
def test_an_open_connection_holds_nothing_temporary_afterwards(kind: str, tmp_path: Path) -> None:
    connection = patients()
    apply_plan(planned(patients_policy(release=release_to(kind, tmp_path)), connection), connection)
    lookups = {f"released_{column}_labels" for column in ("zip", "age", "sex")}
    made = {"table": {"released"}, "view": {"released"} | lookups}.get(kind, set())
    assert names_in(connection) == {"patients"} | made


def test_planning_leaves_nothing_on_an_open_connection() -> None:
    connection = patients()
    before = state_of(connection)
    make_plan(patients_policy(), connection)
    assert state_of(connection) == before


def test_settings_and_temporary_tables_of_an_open_connection_are_untouched() -> None:
    connection = patients()
    connection.execute("CREATE TEMPORARY TABLE mine AS SELECT 1 AS precious")
    connection.execute("SET threads = 1; SET memory_limit = '1GB'; SET default_order = 'ASC'")
    everything = "SELECT name, value FROM duckdb_settings() ORDER BY name"
    settings = connection.execute(everything).fetchall()
    apply_plan(planned(patients_policy(), connection), connection)
    assert connection.execute(everything).fetchall() == settings
    assert rows_of(connection, "temp.main.mine") == [(1,)]


def test_a_temporary_table_that_has_one_of_our_names_is_not_dropped() -> None:
    connection = patients()
    plan = planned(patients_policy(), connection)
    connection.execute("CREATE TEMPORARY TABLE sqlgen_audit AS SELECT 1 AS precious")
    with suppress(SqlgenError):
        apply_plan(plan, connection)
    assert rows_of(connection, "temp.main.sqlgen_audit") == [(1,)]


def test_a_dataframe_comes_back_as_a_dataframe() -> None:
    frame = patients().execute("SELECT * FROM patients").df()
    plan = make_plan(patients_policy(), frame)
    released = apply_plan(plan, frame).to_pandas()
    assert isinstance(released, pandas.DataFrame)
    assert list(released.columns) == ["zip", "age", "sex", "disease", "visits"]
    assert len(released) == plan.rows - plan.suppressed_rows


def wards(*zips: str) -> pandas.DataFrame:
    """People of a ward, by zip codes, with a disease."""
    return pandas.DataFrame({"zip": list(zips), "disease": ["flu"] * len(zips)})


WARDS: dict[str, Any] = {
    "columns": {
        "zip": {"role": "quasi", "hierarchy": {"prefixes": [3]}},
        "disease": {"role": "sensitive"},
    },
    "suppression": "0",
}


@pytest.mark.parametrize("kind", ["dataframe", "path", "connection"])
def test_a_plan_is_applied_to_what_it_was_made_from(kind: str, tmp_path: Path) -> None:
    frame = wards(*["11111"] * 4, *["22222"] * 4)
    policy = patients_policy(**WARDS)
    if kind == "dataframe":
        plan = make_plan(policy, frame)
        assert [each.text for each in apply_sql(plan)] == [
            each.text for each in apply_sql(plan, frame)
        ]
        release = apply_plan(plan)
        assert sorted(release.to_pandas()["zip"]) == sorted(frame["zip"])
        return
    path = tmp_path / "wards.duckdb"
    connection = duckdb.connect(str(path))
    connection.execute("CREATE TABLE patients AS SELECT * FROM frame")
    if kind == "connection":
        apply_plan(make_plan(policy, connection))
    else:
        connection.close()
        apply_plan(make_plan(policy, path))
        connection = duckdb.connect(str(path))
    with connection:
        assert len(rows_of(connection)) == 8


def test_another_source_can_be_given_to_a_plan() -> None:
    plan = make_plan(patients_policy(**WARDS), wards(*["11111"] * 4, *["22222"] * 4))
    released = apply_plan(plan, wards(*["11111"] * 5, *["22222"] * 4)).to_pandas()
    assert len(released) == 9


def test_plans_of_the_same_rows_are_alike_wherever_those_came_from() -> None:
    frame = wards(*["11111"] * 4)
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE patients AS SELECT * FROM frame")
        plans = [make_plan(patients_policy(**WARDS), each) for each in (frame, connection)]
    one, other = (replace(each, seconds={}) for each in plans)
    assert one == other
    assert "11111" not in repr(plans[0])


def test_a_failed_release_of_a_dataframe_has_no_rows_and_says_why() -> None:
    frame = wards(*["11111"] * 4, *["22222"] * 4)
    plan = make_plan(patients_policy(**WARDS), frame)
    frame.loc[0, "zip"] = "22222"
    release = apply_plan(plan)
    assert not release.satisfied
    with pytest.raises(ValueError, match="no released rows: the release breaks the policy"):
        release.to_pandas()


@pytest.mark.parametrize(("kind", "words"), [("table", "in the database"), ("csv", "in the file")])
def test_rows_that_do_not_come_back_are_said_to_be_where_they_are(
    kind: str, words: str, tmp_path: Path
) -> None:
    connection = patients()
    plan = planned(patients_policy(release=release_to(kind, tmp_path)), connection)
    with pytest.raises(ValueError, match=words):
        apply_plan(plan).to_pandas()


def test_a_dataframe_can_be_released_to_a_file(tmp_path: Path) -> None:
    frame = patients().execute("SELECT * FROM patients").df()
    policy = patients_policy(release=release_to("csv", tmp_path))
    apply_plan(make_plan(policy, frame), frame)
    assert (tmp_path / "released.csv").read_text().startswith("zip,age,sex,disease,visits\n")


def test_a_database_file_is_closed_afterwards(tmp_path: Path) -> None:
    path = patients_file(tmp_path)
    apply_plan(planned(patients_policy(), path), path)
    with duckdb.connect(str(path)) as connection:
        assert names_in(connection) == {"patients", "released"}


def view_of_patients() -> duckdb.DuckDBPyConnection:
    """A view with two classes of twelve rows: homes as they are, ages in tens."""
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE people AS SELECT i % 2 AS home, 20 + i % 3 AS age FROM RANGE(24) AS t (i)"
    )
    policy = read_policy(
        {
            "source": {"table": "people"},
            "columns": {
                "home": {"role": "quasi", "hierarchy": "suppress"},
                "age": {"role": "quasi", "hierarchy": {"intervals": [10]}},
            },
            "guarantees": [{"k_anonymity": {"k": 5}}],
            "release": {"view": "released"},
        }
    )
    apply_plan(planned(policy, connection), connection)
    assert set(rows_of(connection)) == {(0, "[20, 30)"), (1, "[20, 30)")}
    return connection


def test_a_view_shows_new_rows_generalized() -> None:
    connection = view_of_patients()
    connection.execute("INSERT INTO people VALUES (0, 22), (7, 20), (0, 35)")
    assert rows_of(connection).count((0, "[20, 30)")) == 13
    assert len(rows_of(connection)) == 25


def test_a_view_leaves_out_a_class_that_has_become_too_small() -> None:
    connection = view_of_patients()
    connection.execute("DELETE FROM people WHERE home = 0 AND age > 20")
    assert set(rows_of(connection)) == {(1, "[20, 30)")}


@pytest.mark.parametrize(("first", "second"), [("table", "view"), ("view", "table")])
def test_a_release_replaces_one_of_another_kind(first: str, second: str, tmp_path: Path) -> None:
    connection = patients()
    for kind in (first, second):
        plan = planned(patients_policy(release=release_to(kind, tmp_path)), connection)
        apply_plan(plan, connection, replace=True)
    found = connection.execute(
        "SELECT table_type FROM information_schema.tables WHERE table_name = 'released'"
    ).fetchall()
    assert found == [({"table": "BASE TABLE", "view": "VIEW"}[second],)]


def test_a_release_into_another_schema_is_found_there() -> None:
    connection = patients()
    connection.execute("CREATE SCHEMA open_data")
    make_patients(connection, name="open_data.patients")
    policy = patients_policy(release={"table": "open_data.released"})
    apply_plan(planned(policy, connection), connection)
    assert rows_of(connection, "open_data.released")


# 210,000 rows in more cells than one thread takes at once, in an order that a seed decides.
CROWD = """
CREATE TABLE crowd AS
SELECT {columns}
FROM (
  SELECT (i * 7919) % 5003 AS d, i % 30 AS a, i % 7 AS b, (i * 31) % 11 AS c
  FROM RANGE(210000) AS t (i)
)
ORDER BY {order}
"""
SHUFFLES = {"a, b, c, d": 1, "d DESC, (a + c) % 7, b": 4}
# The names that the release's query itself uses must not change what it sorts by.
CROWD_NAMES = {"plain": "abcd", "taken": ("x", "q1", "kept_2", "y")}


def released_crowd(order: str, threads: int, role: str, names: str, release: dict[str, str]) -> str:
    """The md5 of a release's content as it stands, row after row."""
    connection = duckdb.connect(config={"threads": threads})
    called = CROWD_NAMES[names]
    columns = ", ".join(f"{each} AS {name}" for each, name in zip("abcd", called, strict=True))
    connection.execute(CROWD.format(columns=columns, order=order))
    hierarchies: list[Any] = [{"intervals": [10]}, "suppress"]
    quasi = [{"role": "quasi", "hierarchy": each} for each in hierarchies]
    kept = [{"role": "sensitive"}, {"role": role}]
    policy = read_policy(
        {
            "source": {"table": "crowd"},
            "columns": dict(zip(called, [*quasi, *kept], strict=True)),
            "guarantees": [{"k_anonymity": {"k": 2}}],
            "release": release,
        }
    )
    apply_plan(planned(policy, connection), connection, replace=True)
    ((kind, target),) = release.items()
    if kind == "csv":
        return hashlib.md5(Path(target).read_bytes()).hexdigest()
    connection.execute("SET threads = 1")
    relation = f"READ_PARQUET('{target}')" if kind == "parquet" else "released"
    sorts = f"SELECT * FROM {relation} ORDER BY ALL NULLS FIRST"
    digest = "SELECT MD5(STRING_AGG(CAST(r AS VARCHAR), '\n')) FROM ({}) AS r"
    as_it_stands = connection.execute(digest.format(f"SELECT * FROM {relation}")).fetchone()
    if names == "plain":
        assert as_it_stands == connection.execute(digest.format(sorts)).fetchone()
    assert as_it_stands is not None
    return str(as_it_stands[0])


@pytest.mark.battery
@pytest.mark.parametrize("names", CROWD_NAMES)
@pytest.mark.parametrize("role", ["other", "sensitive"])
@pytest.mark.parametrize("kind", ["table", "parquet", "csv"])
def test_the_order_of_rows_is_a_function_of_what_is_released(
    kind: str, role: str, names: str, tmp_path: Path
) -> None:
    release = release_to(kind, tmp_path)
    digests = {
        released_crowd(order, threads, role, names, release) for order, threads in SHUFFLES.items()
    }
    assert len(digests) == 1


@pytest.mark.parametrize("setting", ["preserve_insertion_order = FALSE", "default_order = 'DESC'"])
def test_the_order_of_rows_does_not_follow_the_settings_of_a_connection(setting: str) -> None:
    usual, changed = patients(), patients()
    changed.execute(f"SET {setting}")
    for connection in (usual, changed):
        apply_plan(planned(patients_policy(), connection), connection)
    assert rows_of(changed) == rows_of(usual)
