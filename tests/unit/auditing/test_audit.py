"""An audit: any table, made by any tool, measured against a policy; answers worked out by hand."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pandas as pd
import pytest

from cli_harness import Clinic, make_clinic
from sqlgen import Audit, PolicyError, audit_table, read_policy

COLUMNS = {
    "name": {"role": "identifier"},
    "zip": {"role": "quasi", "hierarchy": {"prefixes": [3]}},
    "age": {"role": "quasi", "hierarchy": {"intervals": [10]}},
    "disease": {"role": "sensitive"},
    "ward": {"role": "other"},
}


def audit(create: str, k: int = 2, table: str = "t") -> Audit:
    """The audit of a table ``t`` that some other tool made."""
    policy = read_policy({"columns": COLUMNS, "guarantees": [{"k_anonymity": {"k": k}}]})
    with duckdb.connect() as connection:
        connection.execute(create)
        return audit_table(policy, table, connection)


def figures(found: Audit) -> tuple[int, int, float, int, int, bool]:
    (each,) = found.guarantees
    return (
        *(found.rows, found.classes, each.value, each.failing_classes, each.failing_rows),
        found.satisfied,
    )


# Classes (100, 3*) of 3, (100, NULL) of 2, (NULL, NULL) of 1.
OTHERS = """
CREATE TABLE t AS SELECT * FROM (VALUES
  ('100', '3*', 'flu'), ('100', '3*', 'flu'), ('100', '3*', NULL),
  ('100', NULL, 'flu'), ('100', NULL, 'flu'),
  (NULL, NULL, 'cold')
) AS made (zip, age, disease)
"""


@pytest.mark.parametrize(
    ("k", "failing_classes", "failing_rows"), [(2, 1, 1), (3, 2, 3), (4, 3, 6), (7, 3, 6)]
)
def test_a_table_of_another_tool_is_measured(
    k: int, failing_classes: int, failing_rows: int
) -> None:
    assert figures(audit(OTHERS, k)) == (6, 3, 1, failing_classes, failing_rows, False)


def test_a_table_whose_smallest_class_holds_k_rows_is_satisfying() -> None:
    found = audit("CREATE TABLE t AS SELECT '1' AS zip, '*' AS age FROM range(2)", 2)
    assert figures(found) == (2, 1, 2, 0, 0, True)


def test_a_table_without_rows_has_no_class_and_k_0() -> None:
    found = audit("CREATE TABLE t (zip VARCHAR, age VARCHAR)")
    assert figures(found)[:5] == (0, 0, 0, 0, 0)


def test_a_table_without_rows_does_not_give_the_guarantee() -> None:
    assert not audit("CREATE TABLE t (zip VARCHAR, age VARCHAR)").satisfied


def test_identifiers_are_named_and_fail_the_audit() -> None:
    found = audit("CREATE TABLE t AS SELECT 'x' AS name, '1' AS zip, '*' AS age FROM range(5)")
    assert (found.identifiers, found.satisfied) == (("name",), False)


def test_a_column_that_the_policy_does_not_mention_is_an_error_that_names_it() -> None:
    with pytest.raises(PolicyError, match="t has columns that the policy does not mention: extra"):
        audit("CREATE TABLE t AS SELECT '1' AS zip, '*' AS age, 1 AS extra")


def test_a_quasi_identifier_that_is_not_there_is_named_and_counts_as_general() -> None:
    found = audit("CREATE TABLE t AS SELECT '1' AS zip FROM range(3)", 3)
    assert (found.absent, figures(found)) == (("age",), (3, 1, 3, 0, 0, True))


def test_a_table_without_any_quasi_identifier_is_one_class() -> None:
    found = audit("CREATE TABLE t AS SELECT 'flu' AS disease FROM range(3)", 4)
    assert (found.absent, figures(found)) == (("zip", "age"), (3, 1, 3, 1, 3, False))


def test_sensitive_and_other_columns_do_not_split_classes() -> None:
    found = audit(
        "CREATE TABLE t AS SELECT '1' AS zip, '*' AS age, range AS disease, range AS ward "
        "FROM range(4)",
        4,
    )
    assert found.satisfied


def test_a_view_is_audited() -> None:
    found = audit(f"{OTHERS}; CREATE VIEW seen AS SELECT * FROM t WHERE age = '3*'", 3, "main.seen")
    assert figures(found) == (3, 1, 3, 0, 0, True)


@pytest.mark.parametrize("order", ["zip, age", "age, zip"])
def test_the_order_of_columns_does_not_matter(order: str) -> None:
    found = audit(f"{OTHERS.replace('t AS', 'u AS', 1)}; CREATE TABLE t AS SELECT {order} FROM u")
    assert figures(found)[:3] == (6, 3, 1)


# What a reader of the table can tell apart


def test_upper_and_lower_case_are_two_classes_under_any_collation() -> None:
    found = audit(
        "CREATE TABLE t (zip VARCHAR COLLATE NOCASE, age VARCHAR); "
        "INSERT INTO t VALUES ('a', '*'), ('A', '*')"
    )
    assert (found.classes, found.satisfied) == (2, False)


def test_a_column_whose_name_differs_in_case_is_an_error_and_not_overlooked() -> None:
    with pytest.raises(PolicyError, match="t has columns that the policy does not mention: ZIP"):
        audit("CREATE TABLE t AS SELECT range AS ZIP, '*' AS age FROM range(3)")


def test_zero_and_negative_zero_are_two_classes() -> None:
    found = audit("CREATE TABLE t AS SELECT unnest([0.0::DOUBLE, '-0.0'::DOUBLE]) AS age")
    assert (found.classes, found.satisfied) == (2, False)


def test_nan_is_one_class() -> None:
    found = audit("CREATE TABLE t AS SELECT 'nan'::DOUBLE AS age FROM range(2)")
    assert (found.classes, found.satisfied) == (1, True)


def test_null_and_the_empty_text_are_two_classes() -> None:
    found = audit("CREATE TABLE t AS SELECT unnest(['', NULL]) AS zip")
    assert (found.classes, found.satisfied) == (2, False)


# Releases


@pytest.fixture
def clinic(tmp_path: Path) -> Clinic:
    return make_clinic(tmp_path)


@pytest.mark.parametrize("kind", ["table", "view", "parquet", "csv"])
def test_a_release_of_any_kind_is_audited(clinic: Clinic, kind: str) -> None:
    clinic.release_to(f"{kind}: patients_anon")
    assert clinic.run("apply").code == 0
    document = json.loads(clinic.run("audit", "--json").out)
    told = {key: document[key] for key in ("satisfied", "rows", "classes", "absent")}
    assert told == {"satisfied": True, "rows": 6, "classes": 2, "absent": []}


@pytest.mark.parametrize("kind", ["parquet", "csv"])
@pytest.mark.parametrize(("zips", "code"), [("'1'", 0), ("range", 1)])
def test_a_file_of_another_tool_is_audited(clinic: Clinic, kind: str, zips: str, code: int) -> None:
    path = clinic.folder / f"theirs.{kind}"
    with duckdb.connect() as connection:
        connection.execute(f"COPY (SELECT {zips} AS zip, '*' AS age FROM range(3)) TO '{path}'")
    clinic.release_to(f"{kind}: {path.name}")
    assert clinic.run("audit").code == code


def test_null_and_the_empty_text_of_a_csv_release_are_two_classes(clinic: Clinic) -> None:
    (clinic.folder / "theirs.csv").write_text('zip,age\n"",1\n"",1\n"",1\n,1\n,1\n,1\n')
    clinic.release_to("csv: theirs.csv")
    assert json.loads(clinic.run("audit", "--json").out)["classes"] == 2


@pytest.mark.parametrize("kind", ["table", "view", "parquet", "csv"])
def test_a_release_that_is_not_there_is_named(clinic: Clinic, kind: str) -> None:
    clinic.release_to(f"{kind}: nowhere")
    ran = clinic.run("audit")
    assert (ran.code, ran.out) == (2, "")
    assert f"policy.yml:13: release.{kind}: " in ran.err


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_a_file_that_cannot_be_read_is_named_and_not_quoted(clinic: Clinic, kind: str) -> None:
    (clinic.folder / "theirs").write_bytes(b'zip,age\n"canary-,1\n\xff\xfe,2,3\n')
    clinic.release_to(f"{kind}: theirs")
    ran = clinic.run("audit")
    assert (ran.code, ran.out) == (2, "")
    assert f"policy.yml:13: release.{kind}: the file cannot be read as {kind}" in ran.err
    assert "canary" not in ran.err


def test_the_source_of_a_policy_fails_its_audit(clinic: Clinic) -> None:
    document = json.loads(clinic.run("audit", "--table", "patients", "--json").out)
    told = {key: document[key] for key in ("satisfied", "classes", "identifiers")}
    assert told == {"satisfied": False, "classes": 6, "identifiers": ["name"]}


@pytest.mark.parametrize(("table", "code"), [("patients", 1), ("patients_anon", 0)])
def test_the_command_ends_with_1_where_the_policy_is_not_met(
    clinic: Clinic, table: str, code: int
) -> None:
    clinic.run("apply")
    assert clinic.run("audit", "--table", table).code == code


def test_a_release_that_was_changed_afterwards_fails(clinic: Clinic) -> None:
    clinic.run("apply")
    clinic.sql("DELETE FROM patients_anon WHERE rowid = 0")
    assert clinic.run("audit").code == 1


def test_a_data_frame_is_audited() -> None:
    policy = read_policy({"columns": COLUMNS, "guarantees": [{"k_anonymity": {"k": 2}}]})
    found = audit_table(policy, source=pd.DataFrame({"zip": ["1", "1", "2"], "age": ["*"] * 3}))
    assert figures(found) == (3, 2, 1, 1, 1, False)


def test_the_guarantees_come_as_a_data_frame() -> None:
    frame = audit(OTHERS).to_pandas()
    assert frame[["name", "k", "measured", "satisfied"]].to_dict("list") == {
        "name": ["k_anonymity"],
        "k": [2],
        "measured": [1],
        "satisfied": [False],
    }


def test_an_audit_leaves_nothing_behind(clinic: Clinic) -> None:
    before = clinic.state()
    clinic.run("audit", "--table", "patients")
    assert clinic.state() == before


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ({"table": "t"}, "Say --table t to measure the source as it is, or name a release: "),
        ({"query": "FROM t"}, "Name one (table, view, parquet, csv or in_place), or say --table"),
    ],
)
def test_a_policy_without_a_release_is_told_what_could_be_audited(
    source: dict[str, str], words: str
) -> None:
    policy = {"columns": COLUMNS, "guarantees": [{"k_anonymity": {"k": 2}}], "source": source}
    with duckdb.connect() as connection, pytest.raises(PolicyError) as raised:
        audit_table(read_policy(policy), source=connection)
    assert f"release: the policy names no release to audit. {words}" in str(raised.value)
