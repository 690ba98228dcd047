"""Local recoding wherever tables are strange: types, names, targets, sizes, and settings."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
import pytest

from local_tables import local_policy, plan_by_layers, quasi, recode, released_as_planned, table_of
from sqlgen import apply_plan, audit_table, make_plan, read_policy
from tables import patients, patients_policy, planned, release_to

FOUR = ["1", "2", "3", "4"]
# Of each type values, the last of them in one row alone.
TYPES = {
    "SMALLINT": ["-1", "2", "NULL"],
    "HUGEINT": ["170141183460469231731687303715884105727", "0", "1"],
    "DECIMAL(9, 3)": ["1.500", "-0.001", "2"],
    "DOUBLE": ["'nan'", "0.30000000000000004", "1e300"],
    "FLOAT": ["0.1", "'-inf'", "'nan'"],
    "DATE": ["'2024-02-29'", "'infinity'", "'0044-03-15 (BC)'"],
    "TIMESTAMP": ["'2024-01-01 10:00:00.123456'", "'-infinity'", "'1970-01-01'"],
    "TIME": ["'10:00:00.5'", "'00:00:00'", "'23:59:59'"],
    "BOOLEAN": ["TRUE", "FALSE", "NULL"],
    "UUID": [f"'6a0b1d5e-0000-4000-8000-00000000000{each}'" for each in range(3)],
    "ENUM('b', 'a', 'it''s')": ["'b'", "'a'", "'it''s'"],
    "VARCHAR": ["''", "'  x '", "'*'"],
}


def typed(kind: str, values: list[str]) -> duckdb.DuckDBPyConnection:
    """Two rows of each value but for the last, of which there is one; b tells nobody apart."""
    connection = duckdb.connect(config={"threads": 1})
    connection.execute(f"CREATE TABLE t (a {kind}, b VARCHAR)")
    for value in [*values, *values[:-1]]:
        connection.execute(f"INSERT INTO t VALUES (CAST({value} AS {kind}), '1')")
    return connection


@pytest.mark.parametrize("kind", TYPES)
def test_values_of_any_type_are_labels_as_text(kind: str) -> None:
    connection = typed(kind, TYPES[kind])
    columns = {"a": {"role": "quasi", "hierarchy": "suppress"}, "b": quasi(FOUR)}
    last = TYPES[kind][-1]
    connection.execute(f"INSERT INTO t VALUES (CAST({last} AS {kind}), '1')")
    recoded = released_as_planned(make_plan(local_policy(columns), connection), connection)
    texts = [
        connection.execute(f"SELECT CAST(CAST({value} AS {kind}) AS VARCHAR)").fetchall()[0][0]
        for value in TYPES[kind]
    ]
    assert recoded.rows == {(text, "1"): 2 for text in texts}


@pytest.mark.parametrize("kind", TYPES)
def test_a_column_that_stays_as_it_is_keeps_every_type_and_value(kind: str) -> None:
    connection = typed(kind, TYPES[kind])
    columns = {
        "a": {"role": "quasi", "hierarchy": "suppress", "levels": [0, 0]},
        "b": quasi(FOUR),
    }
    plan = make_plan(local_policy(columns, suppression=1), connection)
    released_as_planned(plan, connection)
    kept = f"SELECT a, b FROM t WHERE a IS NOT DISTINCT FROM CAST({TYPES[kind][-1]} AS {kind})"
    lost = connection.execute("SELECT a, b FROM t EXCEPT ALL SELECT a, b FROM released").fetchall()
    assert len(lost) == len(connection.execute(kept).fetchall()) == 1
    described = connection.execute("DESCRIBE released").fetchall()[0][1]
    expected = connection.execute("DESCRIBE t").fetchall()[0][1]
    assert described == ("VARCHAR" if kind.startswith("ENUM") else expected)


def test_zeros_of_both_signs_are_one_label() -> None:
    columns = {"a": {"role": "quasi", "hierarchy": "suppress"}}
    recoded = recode([(0.0,), (-0.0,), (math.nan,), (math.nan,)], columns, ["DOUBLE"])
    assert recoded.rows == {("0.0",): 2, ("nan",): 2}


@pytest.mark.parametrize("rows", [0, 1])
def test_too_few_rows_are_told_or_released_where_nothing_is_asked(rows: int) -> None:
    columns = {"a": quasi(FOUR)}
    connection = table_of([("1",)] * rows, columns)
    plan = make_plan(local_policy(columns), connection)
    full = make_plan(local_policy(columns, recoding="full_domain"), connection)
    assert plan.satisfied == full.satisfied
    assert plan.to_dict()["metrics"] == full.to_dict()["metrics"]
    if plan.satisfied:
        assert released_as_planned(plan, connection).rows == {}


def test_a_row_alone_is_suppressed_where_that_is_allowed() -> None:
    columns = {"a": quasi(FOUR)}
    connection = table_of([("1",)], columns)
    policies = [
        local_policy(columns, suppression=1, recoding=each) for each in ("local", "full_domain")
    ]
    local, full = (make_plan(each, connection) for each in policies)
    assert (local.satisfied, local.suppressed_rows) == (full.satisfied, full.suppressed_rows)


def test_rows_that_are_all_equal_stay_as_they_are() -> None:
    recoded = recode([("1", "2")] * 9, {"a": quasi(FOUR), "b": quasi(FOUR)}, k=9)
    assert recoded.rows == {("1", "2"): 9}


def test_one_column_of_a_hundred_levels() -> None:
    cuts = {"intervals": [2**power for power in range(1, 40)]}
    columns = {"a": {"role": "quasi", "hierarchy": cuts}}
    rows = [(2**power,) for power in range(30)]
    recoded = recode(rows, columns, ["BIGINT"])
    assert sum(recoded.rows.values()) == 30
    assert min(recoded.rows.values()) >= 2
    assert len(recoded.rows) > 1


HOSTILE = ['a"b', "it's", "q1_0", "level", "region", "level_1", "quasi", "child", "s1", "place"]


@pytest.mark.parametrize("name", HOSTILE)
def test_columns_may_be_called_as_ours_are(name: str) -> None:
    rows = [("1", "1", "x")] * 2 + [
        ("2", "1", "y"),
        ("3", "2", "x"),
        ("4", "2", "y"),
        ("4", "1", "x"),
    ]
    expected = recode(
        rows,
        {"a": quasi(FOUR), "b": quasi(FOUR), "c": {"role": "sensitive"}},
        guarantees=[{"k_anonymity": {"k": 2}}, {"distinct_l_diversity": {"column": "c", "l": 1}}],
    )
    other = "row_count" if name != "row_count" else "class_id"
    columns = {name: quasi(FOUR), other: quasi(FOUR), "v1": {"role": "sensitive"}}
    connection = duckdb.connect(config={"threads": 1})
    quoted = ", ".join('"' + each.replace('"', '""') + '" VARCHAR' for each in columns)
    connection.execute(f"CREATE TABLE t ({quoted})")
    connection.executemany("INSERT INTO t VALUES (?, ?, ?)", rows)
    asked = [{"k_anonymity": {"k": 2}}, {"distinct_l_diversity": {"column": "v1", "l": 1}}]
    plan = plan_by_layers(local_policy(columns, guarantees=asked), connection)
    assert released_as_planned(plan, connection).rows == expected.rows


def bytes_of(folder: Path, kind: str, connection: duckdb.DuckDBPyConnection) -> object:
    """What a release is, byte by byte where it is files."""
    if kind == "table":
        return connection.execute("FROM released").fetchall()
    # The files of a folder have names of their own each time.
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return sorted((path.parent.relative_to(folder).as_posix(), path.read_bytes()) for path in paths)


@pytest.mark.parametrize("kind", ["csv", "partitioned"])
def test_neither_the_order_of_rows_nor_threads_nor_settings_change_a_byte(
    kind: str, tmp_path: Path
) -> None:
    made = []
    for number, change in enumerate(
        [
            "SELECT 1",
            "CREATE OR REPLACE TABLE patients AS FROM patients ORDER BY visits DESC, MD5(name)",
            "SET threads = 4",
            "SET default_order = 'DESC'; SET default_null_order = 'NULLS LAST'",
        ]
    ):
        connection = patients()
        connection.execute(change)
        folder = tmp_path / str(number)
        folder.mkdir()
        asked: dict[str, Any] = {"guarantees": [{"k_anonymity": {"k": 14}}], "suppression": 0}
        release = release_to(kind, folder)
        plan = planned(patients_policy(recoding="local", release=release, **asked), connection)
        assert apply_plan(plan, connection).satisfied
        made.append(bytes_of(folder, kind, connection))
    assert made[1:] == made[:1] * 3


@pytest.mark.parametrize("kind", ["csv", "parquet", "partitioned"])
def test_a_file_has_the_rows_that_a_table_would_have(kind: str, tmp_path: Path) -> None:
    connection = patients()
    asked: dict[str, Any] = {"recoding": "local", "guarantees": [{"k_anonymity": {"k": 14}}]}
    apply_plan(planned(patients_policy(**asked), connection), connection)
    policy = patients_policy(release=release_to(kind, tmp_path), **asked)
    apply_plan(planned(policy, connection), connection)
    assert audit_table(policy, source=connection).satisfied
    read = {
        "csv": f"READ_CSV('{tmp_path}/released.csv', all_varchar = TRUE)",
        "parquet": f"'{tmp_path}/released.parquet'",
        "partitioned": f"READ_PARQUET('{tmp_path}/released/**/*', hive_partitioning = FALSE)",
    }[kind]
    found = connection.execute(f"SELECT CAST(COLUMNS(*) AS VARCHAR) FROM {read}").fetchall()
    table = connection.execute("SELECT CAST(COLUMNS(*) AS VARCHAR) FROM released").fetchall()
    assert Counter(found) == Counter(table)


def test_a_dataframe_is_recoded_locally() -> None:
    connection = patients()
    k = {"k_anonymity": {"k": 14}}
    asked: dict[str, Any] = {"guarantees": [k], "suppression": 0, "recoding": "local"}
    policy = patients_policy(**asked)
    apply_plan(planned(policy, connection), connection)
    frame = connection.execute("FROM patients").df()
    release = apply_plan(make_plan(policy, frame), frame)
    assert release.satisfied
    assert release.frame is not None
    shown = [tuple(row) for row in release.frame[["zip", "age", "sex"]].astype(str).to_numpy()]
    table = connection.execute("SELECT zip, age, sex FROM released").fetchall()
    assert Counter(shown) == Counter(tuple(map(str, row)) for row in table)


@pytest.mark.battery
def test_many_columns_of_four_levels_are_recoded() -> None:
    """15 columns of 4 levels over the same few kinds of rows: 5 ** 15 nodes."""
    names = [f"c{number}" for number in range(15)]
    connection = duckdb.connect(config={"threads": 1})
    values = ", ".join(
        f"CAST((i % 40 * {place + 3} + i // 40 % 7 * (i % {place + 2})) % 32 AS INTEGER) AS {name}"
        for place, name in enumerate(names)
    )
    connection.execute(f"CREATE TABLE t AS SELECT {values} FROM RANGE(2000) AS r (i)")
    rule = {"role": "quasi", "hierarchy": {"intervals": [2, 4, 8]}}
    plan = make_plan(local_policy(dict.fromkeys(names, rule), k=5), connection)
    assert plan.satisfied
    assert plan.measured_nodes < 20_000
    released_as_planned(plan, connection)


def test_several_sensitive_columns_and_persons_are_judged_in_each_class() -> None:
    connection = duckdb.connect(config={"threads": 1})
    connection.execute("""
        CREATE TABLE t AS SELECT
          i // 2 AS person,
          CAST(1 + i * 7 % 4 AS VARCHAR) AS a,
          CAST(1 + i // 5 % 4 AS VARCHAR) AS b,
          ['flu', 'cold', 'gout'][1 + i % 3] AS disease,
          ['red', 'blue'][1 + i // 3 % 2] AS ward
        FROM RANGE(60) AS r (i)
    """)
    policy = read_policy(
        {
            "source": {"table": "t"},
            "columns": {
                "person": {"role": "identifier"},
                "a": quasi({"x": ["1", "2"], "y": ["3", "4"]}),
                "b": quasi({"x": ["1", "2"], "y": ["3", "4"]}),
                "disease": {"role": "sensitive"},
                "ward": {"role": "sensitive"},
            },
            "guarantees": [
                {"k_anonymity": {"k": 3, "unit": "person"}},
                {"distinct_l_diversity": {"column": "disease", "l": 2, "jointly": True}},
                {"t_closeness": {"columns": ["disease", "ward"], "t": "0.6", "distance": "equal"}},
            ],
            "suppression": 0,
            "recoding": "local",
            "release": {"table": "released"},
        }
    )
    plan = make_plan(policy, connection)
    assert plan.satisfied
    recoded = released_as_planned(plan, connection)
    by_class: dict[Any, list[Any]] = {}
    for *labels, disease, ward in recoded.rows.elements():
        by_class.setdefault(tuple(labels), []).append((disease, ward))
    assert len(by_class) > 1
    for shown in by_class.values():
        assert len({disease for disease, _ in shown}) >= 2
    assert sum(map(len, by_class.values())) == 60


@pytest.mark.parametrize(
    ("zone", "shown"),
    [("UTC", "2024-02-27 20:00:00+00"), ("Asia/Tokyo", "2024-02-28 05:00:00+09")],
)
def test_a_time_that_is_shown_as_text_is_written_in_the_time_zone_of_the_session(
    zone: str, shown: str
) -> None:
    columns = {"seen": {"role": "quasi", "hierarchy": "suppress"}}
    connection = duckdb.connect(config={"threads": 1})
    connection.execute(f"SET TimeZone = '{zone}'")
    times = "TIMESTAMPTZ '2024-02-27 20:00:00+00' + INTERVAL 1 HOUR * (i // 2)"
    connection.execute(f"CREATE TABLE t AS SELECT {times} AS seen FROM RANGE(5) AS r (i)")
    policy = local_policy(columns, recoding={"mondrian": {"labels": "range"}})
    assert apply_plan(planned(policy, connection), connection).satisfied
    rows = connection.execute("SELECT MIN(seen), TYPEOF(MIN(seen)) FROM released").fetchall()
    assert rows == [(shown, "VARCHAR")]
