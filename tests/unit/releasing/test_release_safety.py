"""What a release never does: to its source, to what stands beside it, or to the truth."""

import os
from pathlib import Path
from typing import Any

import duckdb
import pytest

from sqlgen import (
    EngineError,
    Policy,
    PolicyError,
    RefusedError,
    Release,
    UnsupportedError,
    Watch,
    apply_plan,
    apply_sql,
    make_plan,
    read_policy,
)

pytestmark = pytest.mark.usefixtures("real_functions")

ROWS = "SELECT i AS id, (i % 4)::VARCHAR AS zip, i % 7 AS d FROM range(100) AS t(i)"


def policy(source: dict[str, Any], release: dict[str, str], zip_code: Any = "suppress") -> Policy:
    return read_policy(
        {
            "source": source,
            "columns": {
                "id": {"role": "identifier"},
                "zip": {"role": "quasi", "hierarchy": zip_code},
                "d": {"role": "sensitive"},
            },
            "guarantees": [{"k_anonymity": {"k": 2}}],
            "release": release,
        }
    )


def released(declared: Policy, source: Any, **options: Any) -> Release:
    return apply_plan(make_plan(declared, source), source, replace=True, **options)


@pytest.fixture
def people() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(f"CREATE TABLE people AS {ROWS}")
    return connection


@pytest.mark.parametrize("through", ["view", "macro", "query", "file address"])
def test_a_file_that_the_source_reads_is_not_replaced(through: str, tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    connection = duckdb.connect()
    connection.execute(f"COPY ({ROWS}) TO '{file}'")
    connection.execute(f"CREATE VIEW seen AS FROM read_csv('{file}')")
    connection.execute(f"CREATE MACRO told() AS TABLE FROM read_csv('{file}')")
    source = {
        "view": {"table": "seen"},
        "macro": {"query": "SELECT * FROM told()"},
        "query": {"query": f"SELECT * FROM '{file}'"},
        "file address": {"query": f"SELECT * FROM read_csv('file://{file}')"},
    }[through]
    before = file.read_bytes()
    with pytest.raises((PolicyError, RefusedError)):
        released(policy(source, {"csv": str(file)}), connection)
    assert file.read_bytes() == before


def test_a_database_that_was_given_or_attached_is_not_replaced_by_a_file(tmp_path: Path) -> None:
    file = tmp_path / "people.db"
    with duckdb.connect(str(file)) as connection:
        connection.execute(f"CREATE TABLE people AS {ROWS}")
    before = file.read_bytes()
    with pytest.raises(PolicyError, match="take the place of a file"):
        released(policy({"table": "people"}, {"csv": str(file)}), file)
    attached = duckdb.connect()
    attached.execute(f"ATTACH '{file}' AS w (READ_ONLY)")
    with pytest.raises(PolicyError, match="take the place of a file"):
        released(policy({"table": "w.main.people"}, {"csv": str(file)}), attached)
    attached.close()
    assert file.read_bytes() == before


def test_a_source_whose_name_would_find_another_table_is_not_replaced() -> None:
    connection = duckdb.connect()
    connection.execute(f"CREATE SCHEMA s1; CREATE SCHEMA s2; CREATE TABLE s1.t AS {ROWS}")
    connection.execute("CREATE TABLE s2.t AS SELECT 1 AS id, 'x' AS zip, 1 AS d FROM range(50)")
    connection.execute("SET search_path = 's1,s2'")
    with pytest.raises(PolicyError, match="made from"):
        released(policy({"query": "SELECT * FROM t"}, {"table": "s1.t"}), connection)
    assert connection.execute("SELECT COUNT(*) FROM s1.t").fetchall() == [(100,)]


@pytest.mark.parametrize("kind", ["table", "view"])
def test_an_interrupt_after_the_commit_does_not_deny_the_release(
    kind: str, people: duckdb.DuckDBPyConnection
) -> None:
    def interrupt_at_the_last(said: str) -> None:
        _, number, _, last = said.split()
        if number == last:
            raise KeyboardInterrupt

    release = released(
        policy({"table": "people"}, {kind: "seen"}), people, watch=Watch(interrupt_at_the_last)
    )
    assert release.satisfied
    assert people.execute("SELECT COUNT(*) FROM seen").fetchall() == [(100,)]


@pytest.mark.parametrize(
    "expression", ['"mine"(zip)', "UTC_TIMESTAMP()::VARCHAR", "version()", "pg_conf_load_time()"]
)
def test_a_label_that_may_change_is_refused_however_it_is_written(
    expression: str, people: duckdb.DuckDBPyConnection
) -> None:
    people.execute("CREATE MACRO mine(x) AS (random() > 0.5)::VARCHAR")
    with pytest.raises(PolicyError, match="the same label each time"):
        make_plan(policy({"table": "people"}, {"table": "o"}, {"sql": [expression]}), people)


def test_an_expression_over_an_instant_does_not_follow_the_sessions_time_zone() -> None:
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE t AS SELECT i AS id, TIMESTAMPTZ '2020-01-01 20:00:00+00' AS zip, 1 AS d "
        "FROM range(2) AS r(i) UNION ALL SELECT 9, TIMESTAMPTZ '2020-01-01 21:00:00+00', 2"
    )
    days = []
    for zone in ("UTC", "Asia/Tokyo"):
        connection.execute(f"SET TimeZone = '{zone}'")
        labels = {"sql": ["strftime(zip, '%Y-%m-%d')"]}
        released(policy({"table": "t"}, {"table": "o"}, labels), connection)
        days.append(connection.execute("SELECT DISTINCT zip FROM o").fetchall())
    assert days == [[("2020-01-01",)]] * 2


def test_a_views_labels_go_with_it_however_its_name_is_spelled(
    people: duckdb.DuckDBPyConnection,
) -> None:
    for release in ({"view": "v"}, {"view": "V"}, {"table": "Main.v"}):
        released(policy({"table": "people"}, release), people)
    tables = people.execute("SELECT table_name FROM duckdb_tables() ORDER BY ALL").fetchall()
    assert tables == [("people",), ("sqlgen_releases",), ("v",)]


def test_labels_in_another_schema_are_left_alone(people: duckdb.DuckDBPyConnection) -> None:
    people.execute('CREATE SCHEMA a; CREATE SCHEMA "a.b"')
    released(policy({"table": "people"}, {"view": 'a."b.c"'}), people)
    released(policy({"table": "people"}, {"view": '"a.b".c'}), people)
    assert people.execute('SELECT COUNT(*) FROM a."b.c"').fetchall() == [(100,)]


def test_a_replaced_file_keeps_its_mode_and_a_new_one_gets_the_folders(
    people: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    file = tmp_path / "release.csv"
    declared = policy({"table": "people"}, {"csv": str(file)})
    mask = os.umask(0o027)
    try:
        released(declared, people)
        assert file.stat().st_mode & 0o777 == 0o640
    finally:
        os.umask(mask)
    file.chmod(0o600)
    released(declared, people)
    assert file.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [file]


def test_a_hierarchy_is_not_lost_to_the_names_that_a_file_needs(
    people: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    for ending in (".sqlgen-lock", ".sqlgen-partial"):
        lines = tmp_path / f"release.csv{ending}"
        lines.write_text("0,x\n1,x\n2,y\n3,y\n")
        declared = policy(
            {"table": "people"}, {"csv": str(tmp_path / "release.csv")}, {"csv": str(lines)}
        )
        with pytest.raises(PolicyError):
            released(declared, people)
        assert lines.read_text() == "0,x\n1,x\n2,y\n3,y\n"
        lines.unlink()


def test_parquet_is_refused_for_what_it_would_alter_inside_a_list() -> None:
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE t AS SELECT 1 AS id, 'x' AS zip, [1::HUGEINT] AS d FROM range(3)"
    )
    with pytest.raises(UnsupportedError, match="would hold d as something else"):
        released(policy({"table": "t"}, {"parquet": "release.parquet"}), connection)


def test_a_connection_in_a_failed_transaction_is_told_so(
    people: duckdb.DuckDBPyConnection,
) -> None:
    people.execute("BEGIN TRANSACTION")
    with pytest.raises(duckdb.Error):
        people.execute("SELECT 1 / 0 FROM nowhere")
    with pytest.raises(RefusedError, match="inside a transaction"):
        make_plan(policy({"table": "people"}, {"table": "o"}), people)


def test_a_release_that_the_engine_cannot_name_again_is_an_error(
    people: duckdb.DuckDBPyConnection,
) -> None:
    """As after a COMMIT that rolled back: here something drops the release at once."""
    declared = policy({"table": "people"}, {"table": "Main.Anon"})

    def dropped(made: Any) -> None:
        if made.template == "releasing/confirm":
            people.execute("DROP TABLE Anon; CREATE TABLE Anon AS FROM people")

    with pytest.raises(EngineError, match="did not keep the release"):
        released(declared, people, watch=Watch(on_statement=dropped))


def test_the_printed_script_measures_nothing_but_its_own_release(
    people: duckdb.DuckDBPyConnection,
) -> None:
    """A client that goes on after an error, on an engine that lets it."""
    statements = apply_sql(make_plan(policy({"table": "people"}, {"view": "seen"}), people), people)
    people.execute("CREATE TABLE seen AS FROM people")
    for each in statements:
        try:
            people.execute(each.text).fetchall()
        except duckdb.Error:
            continue
    names = people.execute("SELECT table_name FROM duckdb_tables() ORDER BY ALL").fetchall()
    assert names == [("people",), ("seen",)]
