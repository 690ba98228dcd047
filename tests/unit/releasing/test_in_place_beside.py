"""Triggers, and enum types of hidden values: a table with one is not released in place."""

from __future__ import annotations

import duckdb
import pytest

from in_place import COLUMNS, clinic_policy, make_clinic
from sqlgen import PolicyError, RefusedError, apply_plan
from sqlgen.cli.text.results import plan_text
from tables import planned, rows_of, state_of

needs_triggers = pytest.mark.skipif(duckdb.__version__ < "2", reason="DuckDB 1.5 has no triggers")
WAY_OUT = "release another table, and rename that yourself"
TRIGGERS = "SELECT trigger_name FROM duckdb_triggers() ORDER BY ALL"
TYPES = "SELECT type_name FROM duckdb_types() WHERE NOT internal ORDER BY ALL"


def clinic(*more: str) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    make_clinic(connection, *more)
    return connection


def released(connection: duckdb.DuckDBPyConnection, *drop: str) -> None:
    policy = clinic_policy({"drop": list(drop)} if drop else "true")
    assert apply_plan(planned(policy, connection), connection).satisfied


@needs_triggers
def test_a_trigger_of_the_table_is_refused_by_name_with_the_way_out() -> None:
    connection = clinic("CREATE TABLE log (t VARCHAR)", "CREATE TABLE other (a INTEGER)")
    for name, table in (("seen", "patients"), ("kept", "other")):
        connection.execute(
            f"CREATE TRIGGER {name} AFTER INSERT ON {table} FOR EACH STATEMENT "
            "INSERT INTO log VALUES ('canary')"
        )
    before = state_of(connection)
    with pytest.raises(RefusedError, match=rf"its trigger seen was made .*{WAY_OUT}") as told:
        released(connection)
    assert "kept" not in str(told.value)
    assert "canary" not in str(told.value)
    with pytest.raises(PolicyError, match="patients has no TRIGGER seen"):
        released(connection, "TRIGGER seen")
    assert connection.execute(TRIGGERS).fetchall() == [("kept",), ("seen",)]
    assert state_of(connection) == before
    connection.execute("DROP TRIGGER seen ON patients")
    released(connection)
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


def test_a_column_that_goes_is_refused_where_its_type_lists_its_values() -> None:
    connection = clinic("CREATE TYPE other AS ENUM ('canary-x')", *NAMES)
    plan = planned(clinic_policy(), connection)
    hindrance = f"In the way of it: the type of name is an enum of values that go; {WAY_OUT}."
    assert hindrance in plan_text(plan)
    before = state_of(connection)
    with pytest.raises(RefusedError, match=f"the type of name is an enum .*{WAY_OUT}") as told:
        apply_plan(plan, connection)
    assert "canary" not in plan_text(plan) + str(plan.to_dict()) + str(told.value)
    assert state_of(connection) == before
    with pytest.raises(PolicyError, match="patients has no TYPE code"):
        released(connection, "TYPE code")


@pytest.mark.parametrize("kind", NESTED)
def test_a_type_is_refused_however_deep_in_a_column_its_values_are(kind: str) -> None:
    spelled, value = NESTED[kind]
    connection = clinic(NAMES[0], 'CREATE SCHEMA "s p"')
    connection.execute(f'CREATE TYPE "s p"."in it" AS {spelled}')
    connection.execute(f'ALTER TABLE patients ALTER name TYPE "s p"."in it" USING {value}')
    with pytest.raises(RefusedError, match="the type of name is an enum of values that go"):
        released(connection)


def test_the_way_out_is_open() -> None:
    connection = clinic(*NAMES)
    beside = clinic_policy(release={"table": "beside"})
    assert apply_plan(planned(beside, connection), connection).satisfied


def test_a_column_that_becomes_labels_is_refused_and_one_that_is_shown_stays() -> None:
    connection = clinic("ALTER TABLE {name} ALTER disease DROP DEFAULT")
    connection.execute("CREATE TYPE malady AS ENUM ('flu', 'cold')")
    connection.execute("ALTER TABLE patients ALTER disease TYPE malady")
    columns = {
        **COLUMNS,
        "zip": {"role": "quasi", "hierarchy": "suppress", "levels": 1},
    }
    policy = clinic_policy(columns=columns)
    connection.execute("CREATE TYPE place AS ENUM (SELECT DISTINCT zip FROM patients ORDER BY zip)")
    connection.execute("ALTER TABLE patients ALTER zip TYPE place")
    with pytest.raises(RefusedError, match="the type of zip is an enum") as told:
        apply_plan(planned(policy, connection), connection)
    assert "the type of disease" not in str(told.value)
    connection.execute("ALTER TABLE patients ALTER zip TYPE VARCHAR")
    apply_plan(planned(policy, connection), connection)
    assert connection.execute(TYPES).fetchall() == [("malady",), ("place",)]
