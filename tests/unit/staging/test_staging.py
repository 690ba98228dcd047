"""Staging: every hierarchy proved by counting, nothing left behind, no work per value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pytest

from harness import Stage, labels_of, simple_policy, staged
from sqlgen import Watch
from sqlgen.errors import HierarchyError, PolicyError, RefusedError
from sqlgen.planning.plan import make_plan
from sqlgen.sql.render import Statement
from sqlgen.staging.column_facts import CELL
from sqlgen.staging.ladders import ladder_table

VALUES = ["'a'", "'a'", "'b'"]


def write(folder: Path, content: str, encoding: str = "utf-8") -> dict[str, str]:
    """A csv hierarchy of that content."""
    path = folder / "lines.csv"
    path.write_bytes(content.encode(encoding))
    return {"csv": str(path), "delimiter": ";"}


def refusal(values: Sequence[str], hierarchy: Any, kind: str = "VARCHAR", before: str = "") -> str:
    """The words of the HierarchyError that staging raises."""
    with pytest.raises(HierarchyError) as raised:
        labels_of(kind, values, hierarchy, before=before)
    return str(raised.value)


def test_values_outside_a_list_are_counted_with_their_rows(tmp_path: Path) -> None:
    words = refusal([*VALUES, "'c'", "'c'", "'d'"], write(tmp_path, "a;x\nb;y\n"))
    assert "columns.v.hierarchy: 2 distinct values (3 rows) of v " in words


def test_values_outside_a_list_of_values_alone_are_refused(tmp_path: Path) -> None:
    assert "1 distinct value (1 row)" in refusal(VALUES, write(tmp_path, "a\n"))


def test_no_value_is_named_unless_values_are_asked_for(tmp_path: Path) -> None:
    assert "secret" not in refusal(["'secret'"], write(tmp_path, "a;x\nb;y\n"))


def test_null_needs_no_line_in_a_list(tmp_path: Path) -> None:
    found = labels_of("VARCHAR", [*VALUES, "NULL"], write(tmp_path, "a;x\nb;y\n"))
    assert found["NULL"] == [None]


def test_a_line_without_a_label_is_counted(tmp_path: Path) -> None:
    words = refusal(VALUES, write(tmp_path, "a;x;*\nb;;*\nc;;*\n"))
    assert "without a label at some level: 2" in words


def test_a_line_without_a_value_is_counted(tmp_path: Path) -> None:
    assert "without a value: 1" in refusal(VALUES, write(tmp_path, "a;x;*\n;x;*\nb;x;*\n"))


def test_a_value_of_another_type_is_counted(tmp_path: Path) -> None:
    words = refusal(["1"], write(tmp_path, "1;x\none;y\n"), kind="INTEGER")
    assert "whose value is no INTEGER: 1" in words


@pytest.mark.parametrize(("content", "fields"), [("a;x;*\nb;*\n", 2), ("a;x;*\nb;x;y;*\n", 4)])
def test_ragged_lines_are_refused(tmp_path: Path, content: str, fields: int) -> None:
    words = refusal(VALUES, write(tmp_path, content))
    assert f"line 2 has {fields} fields, and line 1 has 3" in words


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_files_in_another_encoding_are_refused(tmp_path: Path, encoding: str) -> None:
    words = refusal(VALUES, write(tmp_path, "a;é;*\nb;x;*\n", encoding))
    assert "line 1 is not UTF-8. Save the file as UTF-8" in words


@pytest.mark.parametrize("content", ["\ufeffa;x;*\nb;y;*\n", "a;x;*\r\nb;y;*\r\n"])
def test_files_as_windows_writes_them_are_read(tmp_path: Path, content: str) -> None:
    found = labels_of("VARCHAR", VALUES, write(tmp_path, content))
    assert found == {"'a'": ["x"], "'b'": ["y"]}


def test_a_hash_starts_no_comment(tmp_path: Path) -> None:
    found = labels_of("VARCHAR", ["'#a'"], write(tmp_path, "#a;x;*\nb;y;*\n"))
    assert found == {"'#a'": ["x"]}


def test_an_empty_file_has_no_lines(tmp_path: Path) -> None:
    assert "lines.csv has no lines" in refusal(VALUES, write(tmp_path, ""))


def test_a_value_listed_twice_with_the_same_labels_is_one_leaf(tmp_path: Path) -> None:
    found = labels_of("VARCHAR", VALUES, write(tmp_path, "a;x;*\na;x;*\nb;y;*\n"))
    assert found == {"'a'": ["x"], "'b'": ["y"]}


def test_a_value_listed_twice_with_different_labels_is_refused(tmp_path: Path) -> None:
    words = refusal(VALUES, write(tmp_path, "a;x;*\na;y;*\nb;y;*\n"))
    assert "columns.v.hierarchy: 1 value (2 rows)" in words
    assert "level 1" in words


def test_one_value_in_two_spellings_is_one_value_of_the_columns_type(tmp_path: Path) -> None:
    words = refusal(["1"], write(tmp_path, "1;x\n01;y\n"), kind="INTEGER")
    assert "1 value (1 row)" in words


def test_a_level_that_splits_the_one_below_it_is_refused_with_counts(tmp_path: Path) -> None:
    # x is p for a (2 rows) and q for b (1 row); y is q for c.
    content = "a;x;p;*\nb;x;q;*\nc;y;q;*\n"
    words = refusal([*VALUES, "'c'"], write(tmp_path, content))
    assert "columns.v.hierarchy: " in words
    assert "level 2 (" in words
    assert "splits labels of level 1 (" in words
    assert "2 values (3 rows) at fault" in words


def test_the_lowest_level_that_is_split_is_named(tmp_path: Path) -> None:
    content = "a;x;r;p;*\nb;y;r;q;*\n"
    assert "splits labels of level 2 (" in refusal(VALUES, write(tmp_path, content))


def test_widths_that_do_not_divide_each_other_are_refused() -> None:
    words = refusal(["1", "6", "6", "8", "9", "11"], {"intervals": [5, 7]}, kind="INTEGER")
    # [5, 10) holds 6 in [0, 7) and 8, 9 in [7, 14).
    assert (
        "level 2 (intervals of 7) splits labels of level 1 (intervals of 5): 3 values (4 " in words
    )


def test_a_top_in_the_wrong_place_splits_too() -> None:
    words = refusal(["1", "2"], {"intervals": [{"cuts": [0, 9]}, {"cuts": [2]}]}, kind="INTEGER")
    assert "2 values (2 rows)" in words


def test_prefixes_that_get_finer_are_refused() -> None:
    with pytest.raises(PolicyError, match="level 2 keeps 3 characters, level 1 keeps 2"):
        labels_of("VARCHAR", ["'a'"], {"prefixes": [2, 3]})


@contextmanager
def staged_query(query: str, hierarchy: Any = "suppress", **policies: str) -> Iterator[Stage]:
    """The column ``v`` of a query, staged."""
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE t AS {query}")
        policy = simple_policy({"v": {"role": "quasi", "hierarchy": hierarchy, **policies}})
        with staged(policy, connection) as made:
            yield made


def test_text_is_compared_byte_by_byte_whatever_its_collation() -> None:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t (v VARCHAR COLLATE NOCASE)")
        connection.execute("INSERT INTO t VALUES ('a'), ('A'), ('a')")
        policy = simple_policy({"v": {"role": "quasi", "hierarchy": "suppress"}})
        with staged(policy, connection) as made:
            assert made.staged.cells == 2


def test_dropped_rows_are_those_that_a_policy_suppresses() -> None:
    query = "SELECT UNNEST([1, NULL, NULL, 2]) AS v"
    with staged_query(query, nulls="suppress") as made:
        facts = made.staged.facts
        assert (facts.rows, facts.dropped_rows, facts.columns[0].leaves) == (4, 2, 2)


@pytest.mark.parametrize(
    ("values", "kind"), [(256, "UTINYINT"), (257, "USMALLINT"), (65_536, "USMALLINT")]
)
def test_ids_are_as_narrow_as_the_values_allow(values: int, kind: str) -> None:
    with staged_query(f"SELECT range AS v FROM RANGE({values})") as made:
        narrow = made.staged.packing.fields[1, 0].id
        described = made.fetch(f"DESCRIBE SELECT {narrow} FROM {{}}", CELL)
        assert (described[0][1], made.staged.cells) == (kind, values)


def test_the_largest_ids_outgrow_two_bytes() -> None:
    with staged_query("SELECT range AS v FROM RANGE(65537)") as made:
        assert made.staged.cells == 65_537


def test_ids_are_ranks_of_labels() -> None:
    with staged_query("SELECT UNNEST([30, 5, NULL, 12, 13]) AS v", {"intervals": [10]}) as made:
        rows = made.fetch("SELECT v.value, id_0, id_1 FROM {} AS v ORDER BY id_0", ladder_table(1))
    # As text, [0, 10) is before [10, 20) and [30, 40); NULL is before them all.
    assert rows == [(None, 0, 0), (5, 1, 1), (12, 2, 2), (13, 3, 2), (30, 4, 3)]


def zips(count: int) -> str:
    return f"CREATE TABLE t AS SELECT LPAD(CAST(range AS VARCHAR), 5, '0') AS v FROM RANGE({count})"


def plan_zips(count: int) -> list[str]:
    """The templates that planning ran over so many distinct zip codes."""
    on_statement: list[Statement] = []
    policy = simple_policy({"v": {"role": "quasi", "hierarchy": {"prefixes": [4, 3]}}})
    with duckdb.connect() as connection:
        connection.execute(zips(count))
        assert (
            make_plan(policy, connection, watch=Watch(on_statement=on_statement.append)).rows
            == count
        )
    return [statement.text for statement in on_statement]


def test_as_many_statements_are_run_for_30_000_zip_codes_as_for_300() -> None:
    assert len(plan_zips(30_000)) == len(plan_zips(300))


def test_statements_grow_with_no_value() -> None:
    assert max(map(len, plan_zips(100_000))) == max(map(len, plan_zips(1_000)))


def test_planning_leaves_nothing_behind() -> None:
    policy = simple_policy({"v": {"role": "quasi", "hierarchy": {"prefixes": [4, 3]}}})
    with duckdb.connect() as connection:
        connection.execute(zips(100))
        before = connection.execute("SHOW ALL TABLES").fetchall()
        make_plan(policy, connection)
        assert connection.execute("SHOW ALL TABLES").fetchall() == before


def test_a_hierarchy_error_leaves_nothing_behind() -> None:
    policy = simple_policy({"v": {"role": "quasi", "hierarchy": {"tree": {"x": ["a"]}}}})
    with duckdb.connect() as connection:
        connection.execute(zips(100))
        before = connection.execute("SHOW ALL TABLES").fetchall()
        with pytest.raises(HierarchyError):
            make_plan(policy, connection)
        assert connection.execute("SHOW ALL TABLES").fetchall() == before


def test_a_connection_inside_a_transaction_is_refused_and_its_changes_are_kept() -> None:
    policy = simple_policy({"v": {"role": "quasi", "hierarchy": {"prefixes": [4, 3]}}})
    with duckdb.connect() as connection:
        connection.execute("BEGIN TRANSACTION")
        connection.execute(zips(100))
        with pytest.raises(RefusedError, match="inside a transaction"):
            make_plan(policy, connection)
        connection.execute("COMMIT")
        assert connection.execute("SELECT COUNT(*) FROM t").fetchall() == [(100,)]
