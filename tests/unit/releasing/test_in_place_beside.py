"""Triggers and types beside a table that becomes its own release: each is named, or goes."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from in_place import COLUMNS, clinic_policy, make_clinic
from sqlgen import PolicyError, RefusedError, apply_plan, apply_sql
from sqlgen.cli.text.results import plan_text
from tables import planned, rows_of, state_of

needs_triggers = pytest.mark.skipif(duckdb.__version__ < "2", reason="DuckDB 1.5 has no triggers")
TRIGGERS = "SELECT trigger_name FROM duckdb_triggers() ORDER BY ALL"
TYPES = "SELECT type_name FROM duckdb_types() WHERE NOT internal ORDER BY ALL"


def clinic(*more: str, path: str = ":memory:") -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(path)
    make_clinic(connection, *more)
    return connection


def released(connection: duckdb.DuckDBPyConnection, *drop: str) -> None:
    policy = clinic_policy({"drop": list(drop)} if drop else "true")
    assert apply_plan(planned(policy, connection), connection).satisfied


def columns_of(connection: duckdb.DuckDBPyConnection) -> list[str]:
    return [each[0] for each in connection.execute("DESCRIBE patients").fetchall()]


@needs_triggers
def test_a_trigger_of_the_table_is_named_and_goes_where_the_policy_says_so() -> None:
    connection = clinic("CREATE TABLE log (t VARCHAR)", "CREATE TABLE other (a INTEGER)")
    for name, table in (("seen", "patients"), ("kept", "other")):
        connection.execute(
            f"CREATE TRIGGER {name} AFTER INSERT ON {table} FOR EACH STATEMENT "
            "INSERT INTO log VALUES ('canary')"
        )
    with pytest.raises(RefusedError, match=r'TRIGGER seen .*\n.*drop: \["TRIGGER seen"\]') as told:
        released(connection)
    assert "kept" not in str(told.value)
    assert "canary" not in str(told.value)
    assert connection.execute(TRIGGERS).fetchall() == [("kept",), ("seen",)]
    assert "name" in columns_of(connection)
    released(connection, "TRIGGER seen")
    assert connection.execute(TRIGGERS).fetchall() == [("kept",)]
    assert rows_of(connection, "log") == []


@needs_triggers
def test_a_trigger_of_another_table_that_needs_the_table_is_named() -> None:
    connection = clinic("CREATE TABLE other (a INTEGER)")
    connection.execute(
        "CREATE TRIGGER into_it AFTER INSERT ON other FOR EACH STATEMENT "
        "INSERT INTO patients (name, age, zip, visit) VALUES ('n', 1, 'z', 1)"
    )
    before = state_of(connection)
    with pytest.raises(RefusedError, match="the trigger into_it of other reads it or writes to it"):
        released(connection)
    assert state_of(connection) == before


NAMES = [
    "CREATE TYPE code AS ENUM (SELECT name FROM {name} ORDER BY name)",
    "ALTER TABLE {name} ALTER name TYPE code",
]
NESTED = {
    "struct": ("STRUCT(n code, m INTEGER)", "{'n': CAST(name AS code), 'm': 1}"),
    "list": ("code[]", "[CAST(name AS code)]"),
    "map": ("MAP(VARCHAR, code)", "MAP {'n': CAST(name AS code)}"),
    "alias": ("code", "CAST(name AS code)"),
}


def test_a_type_that_lists_what_goes_goes_with_it_and_the_plan_says_so() -> None:
    connection = clinic("CREATE TYPE other AS ENUM ('canary-x')", *NAMES)
    plan = planned(clinic_policy(), connection)
    assert "the type code goes, with the values that it lists" in plan_text(plan)
    assert plan.to_dict()["in_place"]["types"] == ["code"]
    assert "canary" not in plan_text(plan) + str(plan.to_dict())
    script = apply_sql(plan, connection)
    assert [each.text for each in script if "DROP TYPE" in each.text] == [
        'DROP TYPE "memory"."main"."code"'
    ]
    apply_plan(plan, connection)
    assert connection.execute(TYPES).fetchall() == [("other",)]


@pytest.mark.parametrize("kind", NESTED)
def test_a_type_goes_however_deep_in_a_column_its_values_are(kind: str) -> None:
    spelled, value = NESTED[kind]
    connection = clinic(NAMES[0], 'CREATE SCHEMA "s p"')
    connection.execute(f'CREATE TYPE "s p"."in it" AS {spelled}')
    connection.execute(f'ALTER TABLE patients ALTER name TYPE "s p"."in it" USING {value}')
    assert "s p.in it, code" in " ".join(plan_text(planned(clinic_policy(), connection)).split())
    released(connection)
    assert connection.execute(TYPES).fetchall() == []


def test_a_type_of_a_column_that_becomes_labels_goes_and_of_one_that_is_shown_stays() -> None:
    connection = clinic("ALTER TABLE {name} ALTER disease DROP DEFAULT")
    connection.execute("CREATE TYPE malady AS ENUM ('flu', 'cold')")
    connection.execute("ALTER TABLE patients ALTER disease TYPE malady")
    connection.execute("CREATE TYPE place AS ENUM (SELECT DISTINCT zip FROM patients ORDER BY zip)")
    connection.execute("ALTER TABLE patients ALTER zip TYPE place")
    columns = {
        **COLUMNS,
        "zip": {"role": "quasi", "hierarchy": "suppress", "levels": 1},
    }
    apply_plan(planned(clinic_policy(columns=columns), connection), connection)
    assert connection.execute(TYPES).fetchall() == [("malady",)]


USERS = {
    "table": ("CREATE TABLE bill AS SELECT name FROM patients", 'the table "main"."bill"'),
    "macro": ("CREATE MACRO coded(x) AS CAST(x AS code)", 'the macro "main"."coded"'),
}


@pytest.mark.parametrize("user", USERS)
def test_a_type_that_something_else_uses_is_named_and_goes_where_the_policy_says_so(
    user: str, tmp_path: Path
) -> None:
    created, words = USERS[user]
    path = str(tmp_path / "clinic.duckdb")
    connection = clinic(*NAMES, created, path=path)
    with pytest.raises(RefusedError) as told:
        released(connection)
    assert f"TYPE code lists values that go, and is used by {words}" in str(told.value)
    assert 'drop: ["TYPE code"]' in str(told.value)
    assert "canary" not in str(told.value)
    assert "name" in columns_of(connection)
    released(connection, "TYPE code")
    assert connection.execute(TYPES).fetchall() == []
    connection.close()
    with duckdb.connect(path) as opened:
        # A table's columns are copies of their types, and outlast them.
        if user == "table":
            assert len(rows_of(opened, "bill")) == 400
        assert "name" not in columns_of(opened)


def test_a_type_that_a_default_of_another_table_casts_to_is_named_and_stays() -> None:
    connection = clinic(*NAMES, "CREATE TABLE bill (n VARCHAR DEFAULT CAST('canary' AS code))")
    before = state_of(connection)
    with pytest.raises(RefusedError) as told:
        released(connection, "TYPE code")
    assert 'is used by the table "main"."bill", which must go first' in str(told.value)
    assert "drop:" not in str(told.value)
    assert state_of(connection) == before


def test_a_view_that_casts_to_a_type_that_would_go_is_named() -> None:
    connection = clinic(*NAMES, "CREATE VIEW coded AS SELECT CAST(NULL AS code) AS c")
    with pytest.raises(RefusedError, match=r'the view "main"\."coded" could not be read any more'):
        released(connection)
    assert connection.execute(TYPES).fetchall() == [("code",)]


def test_a_type_that_lists_nothing_of_the_table_cannot_be_dropped_by_the_policy() -> None:
    connection = clinic("CREATE TYPE other AS ENUM ('x')")
    with pytest.raises(PolicyError, match="patients has no TYPE other"):
        released(connection, "TYPE other")
