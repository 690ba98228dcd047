"""Two tables audited as one release in groups: made by any tool, measured from themselves alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

from grouped_tables import WARD, distinct, grouped_policy, patients, release_groups, ward
from sqlgen import KnownPersons, PolicyError, apply_plan, audit_table, make_plan

ROWS = [(20, "47600", 1, 1), (21, "47601", 2, 1), (22, "47602", 0, 2), (23, "47600", 3, 2)]
VALUES = [(1, "flu", 1), (1, "cold", 1), (2, "flu", 2)]


def by_hand(
    rows: list[tuple[Any, ...]] = ROWS, values: list[tuple[Any, ...]] = VALUES
) -> duckdb.DuckDBPyConnection:
    """A pair that nobody of ours made."""
    connection = ward([("n", row[1], row[0], row[2], "flu") for row in rows])
    connection.execute(
        "CREATE TABLE hand (age INTEGER, zip TEXT, visits INTEGER, group_id INTEGER)"
    )
    connection.execute(
        "CREATE TABLE hand_sensitive (group_id SMALLINT, disease TEXT, row_count INT)"
    )
    connection.executemany("INSERT INTO hand VALUES (?, ?, ?, ?)", rows)
    connection.executemany("INSERT INTO hand_sensitive VALUES (?, ?, ?)", values)
    return connection


def test_groups_are_the_classes_of_a_pair() -> None:
    close = {"t_closeness": {"column": "disease", "t": "0.5", "distance": "equal"}}
    policy = grouped_policy({"k_anonymity": {"k": 2}}, distinct(2), close)
    audit = audit_table(policy, "hand", by_hand())
    assert (audit.table, audit.rows, audit.classes) == ("hand and hand_sensitive", 4, 2)
    assert [result.value for result in audit.guarantees] == [2, 1, 0.25]
    assert [result.satisfied for result in audit.guarantees] == [True, False, True]
    assert (audit.guarantees[1].failing_classes, audit.guarantees[1].failing_rows) == (1, 2)
    assert not audit.satisfied
    assert (audit.metrics["discernibility"], audit.metrics["average_class_size"]) == (8, 2)
    assert audit.metrics["loss"] == 0


@pytest.mark.parametrize(
    ("rows", "values", "groups"),
    [
        (ROWS, [*VALUES[:2], (2, "flu", 1)], "1 group"),
        (ROWS, VALUES[:2], "1 group"),
        (ROWS[:2], VALUES, "1 group"),
        ([*ROWS, (24, "z", 0, None)], VALUES, "1 group"),
        (ROWS, [*VALUES, (None, "flu", 1)], "1 group"),
        (ROWS, [*VALUES, (2, "cold", 0)], "1 group"),
        (ROWS, [*VALUES, (2, "cold", None)], "1 group"),
        ([*ROWS[:2], (22, "z", 0, 3)], [*VALUES[:2], (2, "flu", 1)], "2 groups"),
    ],
)
def test_tables_with_other_groups_are_not_one_release(
    rows: list[tuple[Any, ...]], values: list[tuple[Any, ...]], groups: str
) -> None:
    with pytest.raises(PolicyError, match=f"differ in the rows of {groups}"):
        audit_table(grouped_policy(), "hand", by_hand(rows, values))


@pytest.mark.parametrize("kind", ["TEXT", "DOUBLE", "DECIMAL(4, 1)"])
def test_groups_that_a_reader_tells_apart_are_not_read_as_one(kind: str) -> None:
    groups = ("1", "01", "2", "02") if kind == "TEXT" else ("1", "1.2", "2", "2.2")
    connection = by_hand()
    for table in ("hand", "hand_sensitive"):
        connection.execute(f"ALTER TABLE {table} ALTER group_id TYPE {kind}")
        connection.execute(f"DELETE FROM {table}")
    for place, group in enumerate(groups):
        connection.execute("INSERT INTO hand VALUES (20, 'z', 0, ?)", [group])
        value = ("flu", "cold")[place % 2]
        connection.execute("INSERT INTO hand_sensitive VALUES (?, ?, 1)", [group, value])
    with pytest.raises(PolicyError, match=r"not like 01 or 1\.0; found . rows? with others"):
        audit_table(grouped_policy(), "hand", connection)


def test_a_quasi_identifier_may_be_called_like_the_count_of_the_second_table() -> None:
    connection = by_hand()
    connection.execute("ALTER TABLE hand RENAME zip TO row_count")
    connection.execute("ALTER TABLE t RENAME zip TO row_count")
    columns = {("row_count" if name == "zip" else name): role for name, role in WARD.items()}
    policy = grouped_policy(distinct(1), columns=columns)
    assert audit_table(policy, "hand", connection).satisfied


@pytest.mark.parametrize("kind", ["TEXT", "HUGEINT", "UTINYINT"])
def test_groups_are_read_from_whole_numbers_of_any_type(kind: str) -> None:
    connection = by_hand()
    for table in ("hand", "hand_sensitive"):
        connection.execute(f"ALTER TABLE {table} ALTER group_id TYPE {kind}")
    connection.execute(f"ALTER TABLE hand_sensitive ALTER row_count TYPE {kind}")
    assert audit_table(grouped_policy(distinct(1)), "hand", connection).classes == 2


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ("ALTER TABLE hand ADD COLUMN disease TEXT", "hand shows disease of each row"),
        ("ALTER TABLE hand DROP COLUMN group_id", "hand has no column group_id"),
        ("ALTER TABLE hand ADD COLUMN age_2 INT", "does not mention: age_2"),
        ("ALTER TABLE hand_sensitive ADD COLUMN zip TEXT", "and no other; found zip"),
        ("ALTER TABLE hand_sensitive DROP COLUMN row_count", "found no row_count"),
        ("DROP TABLE hand_sensitive", "has no table or view hand_sensitive"),
    ],
)
def test_a_pair_that_joins_rows_and_values_otherwise_is_refused(change: str, why: str) -> None:
    connection = by_hand()
    connection.execute(change)
    with pytest.raises(PolicyError, match=why):
        audit_table(grouped_policy(), "hand", connection)


def test_an_identifier_in_the_first_table_is_told() -> None:
    connection = by_hand()
    connection.execute("ALTER TABLE hand ADD COLUMN name TEXT")
    audit = audit_table(grouped_policy(distinct(1)), "hand", connection)
    assert audit.identifiers == ("name",)
    assert not audit.satisfied


def test_values_of_a_sensitive_column_that_should_be_labels_are_counted() -> None:
    tree = {"tree": {"any": {"ill": ["flu", "cold"]}}}
    disease = {"role": "sensitive", "hierarchy": tree, "level": 1}
    audit = audit_table(grouped_policy(columns={**WARD, "disease": disease}), "hand", by_hand())
    assert audit.raw == {"disease": 2}


def test_a_quasi_identifier_that_is_coarser_than_the_source_is_lost() -> None:
    connection = by_hand()
    connection.execute("UPDATE hand SET zip = '*'")
    audit = audit_table(grouped_policy(distinct(1)), "hand", connection)
    assert audit.metrics["loss"] > 0


def test_persons_who_are_known_are_found_by_what_is_shown() -> None:
    with pytest.raises(PolicyError, match="whoever is in it is found by them"):
        audit_table(grouped_policy(), "hand", by_hand(), known=KnownPersons("t"))


def test_a_dataframe_is_one_table() -> None:
    frame = duckdb.connect().execute("SELECT 1 AS age, 'z' AS zip, 'flu' AS disease").df()
    with pytest.raises(PolicyError, match="a DataFrame is one"):
        audit_table(grouped_policy(), source=frame)


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "parquet"])
def test_both_files_of_a_pair_are_read(ending: str, tmp_path: Path) -> None:
    kind = ending.partition(".")[0]
    policy = grouped_policy(distinct(3), release={kind: str(tmp_path / f"people.{ending}")})
    connection = ward(patients(30))
    plan = make_plan(policy, connection)
    assert apply_plan(plan, connection).satisfied
    audit = audit_table(policy, source=connection, spread=True)
    assert audit.satisfied
    assert (audit.rows, audit.classes) == (30, 10)
    assert audit.metrics == pytest.approx(plan.to_dict()["metrics"])
    assert audit.spread is not None
    assert [each.rows for each in audit.spread.sizes if each.rows] == [30]


def test_suppressed_rows_cost_a_pair_what_the_plan_says() -> None:
    columns = {**WARD, "zip": {"role": "quasi", "hierarchy": "suppress", "nulls": "suppress"}}
    connection = ward([*patients(12), ("nobody", None, 20, 1, "flu")])
    policy = grouped_policy(distinct(3), columns=columns, suppression=1)
    plan = release_groups(connection, policy).plan
    audit = audit_table(policy, source=connection)
    assert audit.metrics["discernibility"] == 4 * 3**2 + 1 * 13
    assert audit.metrics == pytest.approx(plan.to_dict()["metrics"])


def test_numbers_in_a_csv_file_are_numbers_again(tmp_path: Path) -> None:
    columns = {**WARD, "disease": {"role": "identifier"}}
    columns["visits"] = {"role": "sensitive", "order": "numeric"}
    close = {"t_closeness": {"column": "visits", "t": "0.4", "distance": "ordered"}}
    policy = grouped_policy(
        distinct(2, "visits"), close, columns=columns, release={"csv": str(tmp_path / "a.csv")}
    )
    connection = ward([(*row[:3], 9 + 3 * (i % 2), row[4]) for i, row in enumerate(patients(12))])
    assert apply_plan(make_plan(policy, connection), connection).satisfied
    audit = audit_table(policy, source=connection)
    assert [result.value for result in audit.guarantees] == [2, 0]


def test_attacks_on_groups_are_told() -> None:
    connection = ward(patients(30, ("flu", "cold", "ulcer")))
    policy = grouped_policy(distinct(3))
    release_groups(connection, policy)
    attacks = {
        (attack.guarantee.name, attack.guarantee.parameters.get("excluded")): attack.value
        for attack in audit_table(policy, source=connection).attacks
    }
    assert attacks["homogeneity", None] == 0
    assert attacks["background_knowledge", 1] == 0
