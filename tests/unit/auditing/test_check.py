"""A first look at a table: known answers, worked out by hand."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pandas as pd
import pytest

from cli_harness import run
from sqlgen import PolicyError, check_table

# zip, sex, disease. On (zip, sex): two classes of 2 (one with a NULL zip), three of 1.
PEOPLE = """
CREATE TABLE people (zip VARCHAR, sex VARCHAR, disease VARCHAR);
INSERT INTO people VALUES
  ('10', 'f', 'flu'), ('10', 'f', 'flu'),
  (NULL, 'f', 'flu'), (NULL, 'f', 'cold'),
  ('10', 'm', NULL),
  ('', 'm', 'flu'),
  (NULL, NULL, 'flu')
"""


@pytest.fixture
def people() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(PEOPLE)
    return connection


def table(*values: str, type_: str = "VARCHAR") -> duckdb.DuckDBPyConnection:
    """One column ``a`` of a type, with a row per SQL expression."""
    connection = duckdb.connect()
    connection.execute(f"CREATE TABLE t (a {type_})")
    for value in values:
        connection.execute(f"INSERT INTO t VALUES ({value})")
    return connection


def test_rows_classes_k_and_unique_rows_are_counted(people: duckdb.DuckDBPyConnection) -> None:
    found = check_table(people, "people", quasi=["zip", "sex"])
    assert (found.rows, found.classes, found.k, found.unique_rows) == (7, 5, 1, 3)


def test_null_is_a_value_and_not_the_empty_text(people: duckdb.DuckDBPyConnection) -> None:
    found = check_table(people, "people", quasi=["zip"])
    assert (found.classes, found.k, found.unique_rows) == (3, 1, 1)


def test_the_damage_of_a_column_is_what_is_left_without_it(
    people: duckdb.DuckDBPyConnection,
) -> None:
    found = check_table(people, "people", quasi=["zip", "sex"])
    left = {column: (each.k, each.unique_rows) for column, each in found.without.items()}
    # Without zip: f 4, m 2, NULL 1. Without sex: 10 three times, NULL three times, '' once.
    assert left == {"zip": (1, 1), "sex": (1, 1)}


def test_without_the_only_column_all_rows_are_one_class(people: duckdb.DuckDBPyConnection) -> None:
    (left,) = check_table(people, "people", quasi=["zip"]).without.values()
    assert (left.k, left.unique_rows) == (7, 0)


def test_without_the_only_column_a_single_row_is_still_unique() -> None:
    (left,) = check_table(table("'x'"), "t", quasi=["a"]).without.values()
    assert (left.k, left.unique_rows) == (1, 1)


def test_the_size_distribution_adds_up_to_the_rows(people: duckdb.DuckDBPyConnection) -> None:
    sizes = check_table(people, "people", quasi=["zip", "sex"]).sizes
    assert [(each.words, each.classes, each.rows) for each in sizes] == [("1", 3, 3), ("2", 2, 4)]


@pytest.mark.parametrize(
    ("size", "words"),
    [
        *((1, "1"), (2, "2"), (3, "3-4"), (4, "3-4"), (5, "5-9"), (9, "5-9"), (10, "10-19")),
        *((99, "50-99"), (100, "100-999"), (999, "100-999"), (1000, "1000+")),
    ],
)
def test_a_class_is_counted_in_the_bucket_that_its_size_is_in(size: int, words: str) -> None:
    connection = duckdb.connect()
    connection.execute(f"CREATE TABLE t AS SELECT 'x' AS a FROM range({size})")
    (bucket,) = check_table(connection, "t", quasi=["a"]).sizes
    assert (bucket.words, bucket.classes, bucket.rows) == (words, 1, size)


def test_classes_with_one_sensitive_value_are_counted(people: duckdb.DuckDBPyConnection) -> None:
    found = check_table(people, "people", quasi=["zip", "sex"], sensitive=["disease"])
    # All but (NULL, f), where flu and cold are told apart; NULL is a value of its own.
    assert (found.homogeneous["disease"].classes, found.homogeneous["disease"].rows) == (4, 5)


@pytest.mark.parametrize(("k", "satisfied", "below"), [(2, True, 0), (3, False, 2), (7, False, 5)])
def test_k_is_compared_with_the_smallest_class(k: int, satisfied: bool, below: int) -> None:
    found = check_table(table(*["'x'"] * 3, *["'y'"] * 2), "t", quasi=["a"], k=k)
    assert (found.k, found.satisfied, found.rows_below_k) == (2, satisfied, below)


def test_without_a_k_every_table_is_satisfying(people: duckdb.DuckDBPyConnection) -> None:
    assert check_table(people, "people", quasi=["zip"]).satisfied


def test_an_empty_table_has_no_class() -> None:
    found = check_table(table(), "t", quasi=["a"])
    assert (found.rows, found.classes, found.k, found.unique_rows, found.sizes) == (0, 0, 0, 0, ())


def test_an_empty_table_does_not_give_a_k() -> None:
    assert not check_table(table(), "t", quasi=["a"], k=2).satisfied


def test_a_column_named_twice_counts_once(people: duckdb.DuckDBPyConnection) -> None:
    assert check_table(people, "people", quasi=["zip", "zip"]).quasi == ("zip",)


# What a reader of the table can tell apart


def test_upper_and_lower_case_are_two_under_any_collation() -> None:
    found = check_table(table("'a'", "'A'", type_="VARCHAR COLLATE NOCASE"), "t", quasi=["a"])
    assert (found.classes, found.k) == (2, 1)


def test_accents_count_under_any_collation() -> None:
    found = check_table(table("'e'", "'é'", type_="VARCHAR COLLATE NOACCENT"), "t", quasi=["a"])
    assert found.classes == 2


def test_zero_and_negative_zero_are_two() -> None:
    found = check_table(table("0.0", "CAST('-0.0' AS DOUBLE)", type_="DOUBLE"), "t", quasi=["a"])
    assert (found.classes, found.unique_rows) == (2, 2)


def test_sensitive_values_that_differ_in_case_are_two() -> None:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE t (a INTEGER, b VARCHAR COLLATE NOCASE)")
    connection.execute("INSERT INTO t VALUES (1, 'x'), (1, 'X')")
    found = check_table(connection, "t", quasi=["a"], sensitive=["b"])
    assert found.homogeneous["b"].classes == 0


def test_nan_is_one_value() -> None:
    found = check_table(table("'nan'", "'nan'", type_="DOUBLE"), "t", quasi=["a"])
    assert (found.classes, found.k) == (1, 2)


# Sources and names


def test_a_data_frame_is_checked() -> None:
    frame = pd.DataFrame({"a": ["x", "x", "y"]})
    found = check_table(frame, quasi=["a"])
    assert (found.rows, found.classes, found.k) == (3, 2, 1)


def test_a_view_is_checked(people: duckdb.DuckDBPyConnection) -> None:
    people.execute("CREATE VIEW seen AS SELECT * FROM people WHERE sex = 'f'")
    assert check_table(people, "main.seen", quasi=["sex"]).k == 4


@pytest.mark.parametrize(
    "name", ['say "hi"', "a,b", "select", "1st", "naïve 🙂", "row_count", "q1"]
)
def test_any_column_name_can_be_checked(name: str, tmp_path: Path) -> None:
    quoted = '"' + name.replace('"', '""') + '"'
    with duckdb.connect(str(tmp_path / "t.duckdb")) as connection:
        connection.execute(f"CREATE TABLE t ({quoted} INTEGER)")
        connection.execute("INSERT INTO t VALUES (1), (1)")
    ran = run("check", str(tmp_path / "t.duckdb"), "t", "--quasi", quoted)
    assert ran.code == 0, ran.err
    assert "0 of 2 rows (0%) are unique by " in ran.out


def test_the_sizes_come_as_a_data_frame(people: duckdb.DuckDBPyConnection) -> None:
    frame = check_table(people, "people", quasi=["zip", "sex"]).to_pandas()
    assert frame.to_dict("list") == {"size": ["1", "2"], "classes": [3, 2], "rows": [3, 4]}


def test_a_check_leaves_nothing_behind(people: duckdb.DuckDBPyConnection) -> None:
    check_table(people, "people", quasi=["zip"])
    assert people.execute("SELECT table_name FROM duckdb_tables()").fetchall() == [("people",)]


@pytest.mark.parametrize(
    ("name", "quasi", "sensitive", "message"),
    [
        ("nowhere", ["zip"], [], "the database has no table or view nowhere"),
        ("people", ["zap"], [], "people has no column zap; it has zip, sex, disease"),
        ("people", ["zip"], ["zap"], "people has no column zap"),
        ("people", [], [], "name at least one quasi-identifier"),
        (None, ["zip"], [], "name the table to check"),
    ],
)
def test_what_is_not_there_is_named(
    people: duckdb.DuckDBPyConnection,
    name: str | None,
    quasi: list[str],
    sensitive: list[str],
    message: str,
) -> None:
    with pytest.raises(PolicyError, match=message):
        check_table(people, name, quasi=quasi, sensitive=sensitive)


@pytest.mark.parametrize(("k", "code"), [("2", 0), ("3", 1)])
def test_the_command_ends_with_1_where_k_is_not_given(tmp_path: Path, k: str, code: int) -> None:
    with duckdb.connect(str(tmp_path / "t.duckdb")) as connection:
        connection.execute("CREATE TABLE t AS SELECT 'x' AS a FROM range(2)")
    assert run("check", str(tmp_path / "t.duckdb"), "t", "--quasi", "a", "--k", k).code == code


@pytest.mark.parametrize(
    "type_", ["VARCHAR[]", "STRUCT(a VARCHAR)", "JSON", "BLOB", "TIME", "UUID"]
)
def test_a_column_of_any_type_is_checked_or_refused_in_words(type_: str) -> None:
    try:
        found = check_table(table("NULL", "NULL", type_=type_), "t", quasi=["a"])
    except PolicyError:
        return
    assert (found.rows, found.classes) == (2, 1)
