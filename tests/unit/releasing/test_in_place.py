"""A table as its own release: its definition stays or the refusal names what does not."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import duckdb
import pytest

from in_place import (
    BESIDE,
    COLUMNS,
    ROWS,
    clinic_file,
    clinic_policy,
    definition_of,
    make_clinic,
)
from sqlgen import (
    EngineError,
    PolicyError,
    RefusedError,
    UnsupportedError,
    Watch,
    apply_plan,
    apply_sql,
    audit_table,
    make_plan,
)
from sqlgen.cli.text.results import plan_text, release_text
from tables import planned, rows_of, state_of

OLD = duckdb.__version__ < "2"
KEPT = [each for each in BESIDE if "visits_and_ages" not in each]


def clinic(*more: str, **declared: str) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    make_clinic(connection, *more, **declared)
    return connection


def released(connection: duckdb.DuckDBPyConnection, in_place: Any = "true", **changes: Any) -> None:
    policy = clinic_policy(in_place, **changes)
    release = apply_plan(planned(policy, connection), connection)
    assert release.satisfied


def test_the_release_stands_where_its_source_did_and_is_what_a_table_would_hold() -> None:
    connection = clinic()
    beside = clinic_policy(release={"table": "beside"})
    apply_plan(planned(beside, connection), connection)
    released(connection)
    assert rows_of(connection, "patients") == rows_of(connection, "beside")
    assert connection.execute("SELECT COUNT(*) FROM patients").fetchall()[0][0] <= ROWS
    audit = audit_table(clinic_policy(), source=connection)
    assert audit.satisfied
    assert audit.table == "patients"


def test_the_definition_is_as_before_but_for_types_and_identifiers() -> None:
    connection = clinic(*KEPT)
    before = definition_of(connection)
    released(connection)
    after = definition_of(connection)
    names = [column[0] for column in after["columns"]]
    assert names == ["age", "zip", "disease", "visit"]
    kept = {column[0]: column for column in before["columns"]}
    assert after["columns"] == [
        ("age", "VARCHAR", *kept["age"][2:]),
        *(kept[each] for each in names[1:]),
    ]
    assert after["indexes"] == before["indexes"]
    assert after["table"] == before["table"]
    # The identifiers' own NOT NULL went with them.
    assert len(before["constraints"]) - len(after["constraints"]) == 1
    assert rows_of(connection, "visits")


def test_a_collation_is_kept() -> None:
    connection = clinic()
    released(connection)
    asked = "SELECT sql FROM duckdb_tables() WHERE table_name = 'patients'"
    ((created,),) = connection.execute(asked).fetchall()
    assert "zip VARCHAR COLLATE NOCASE NOT NULL" in created


def test_a_sequence_that_a_default_draws_from_goes_on() -> None:
    connection = clinic("CREATE SEQUENCE numbers START 5000")
    connection.execute("ALTER TABLE patients ALTER visit SET DEFAULT nextval('numbers')")
    if OLD:
        with pytest.raises(RefusedError, match="could not open the database again after a crash"):
            released(connection)
        return
    released(connection)
    connection.execute("INSERT INTO patients (age, zip) VALUES ('[20, 40)', '*')")
    assert connection.execute("SELECT MAX(visit) FROM patients").fetchall() == [(5000,)]


IN_THE_WAY = {
    "patients_id_pkey": ({"key": "PRIMARY KEY"}, [], "id is an identifier, and goes"),
    "patients_age_check": ({"age": "CHECK (age >= 0)"}, [], "age is released as a label"),
    "DEFAULT age": ({"age": "DEFAULT 7"}, [], "the default of age is no label of its level"),
    "INDEX by_name": (
        {},
        ["CREATE INDEX by_name ON {name} (name)"],
        "INDEX by_name: name is an identifier, and goes",
    ),
    "INDEX by_sum": (
        {},
        ["CREATE INDEX by_sum ON {name} ((age + 1))"],
        "INDEX by_sum: age is released as a label",
    ),
    "INDEX by_age_and_visit": (
        {},
        ["CREATE UNIQUE INDEX by_age_and_visit ON {name} (age, visit)"],
        "INDEX by_age_and_visit: age is released as a label",
    ),
}


@pytest.mark.parametrize("called", IN_THE_WAY)
def test_what_cannot_stay_is_named_and_goes_where_the_policy_says_so(called: str) -> None:
    declared, more, reason = IN_THE_WAY[called]
    connection = clinic(*more, **declared)
    before, parts = state_of(connection), len(declared_parts(connection))
    with pytest.raises(RefusedError) as refused:
        released(connection)
    assert reason in str(refused.value)
    assert f'drop: ["{called}"]' in str(refused.value)
    assert "Nothing was changed" in str(refused.value)
    assert state_of(connection) == before
    released(connection, {"drop": [called]})
    gone = len(declared_parts(connection))
    assert gone < parts


def declared_parts(connection: duckdb.DuckDBPyConnection) -> list[Any]:
    """The keys, CHECKs, defaults and indexes of the table that are not of its identifiers alone."""
    told = definition_of(connection)
    return [
        *(each for each in told["constraints"] if each[0] != "NOT NULL"),
        *told["indexes"],
        *(each for each in told["columns"] if each[2] is not None),
    ]


def test_a_value_in_a_check_is_in_no_refusal_and_no_plan() -> None:
    connection = clinic(age="CHECK (age <> 424242)")
    with pytest.raises(RefusedError) as refused:
        released(connection)
    assert "CHECK patients_age_check: age is released as a label" in str(refused.value)
    plan = planned(clinic_policy(), connection)
    for told in (str(refused.value), plan_text(plan), str(plan.to_dict())):
        assert "424242" not in told


def test_everything_in_the_way_is_named_at_once() -> None:
    connection = clinic(*IN_THE_WAY["INDEX by_sum"][1], key="PRIMARY KEY", age="DEFAULT 7")
    with pytest.raises(RefusedError) as refused:
        released(connection)
    for called in ("patients_id_pkey", "DEFAULT age", "INDEX by_sum"):
        assert called in str(refused.value)


def test_a_key_whose_columns_are_released_as_they_are_stays() -> None:
    connection = clinic()
    released(connection)
    with pytest.raises(duckdb.ConstraintException):
        connection.execute("INSERT INTO patients (age, zip, visit) VALUES ('*', '*', 3)")


def test_a_foreign_key_out_of_the_table_goes_where_the_policy_says_so() -> None:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE ward (number INTEGER PRIMARY KEY)")
    connection.execute(f"INSERT INTO ward FROM RANGE({ROWS})")
    connection.execute(
        "CREATE TABLE patients (name VARCHAR, age INTEGER, zip VARCHAR, disease VARCHAR, "
        "visit INTEGER REFERENCES ward (number))"
    )
    connection.execute(
        f"INSERT INTO patients SELECT 'n' || i, i % 50, 'z', 'flu', i FROM RANGE({ROWS}) AS t (i)"
    )
    columns = {name: role for name, role in COLUMNS.items() if name != "id"}
    with pytest.raises(RefusedError, match="points out of it"):
        released(connection, columns=columns)
    released(connection, {"drop": ["patients_visit_number_fkey"]}, columns=columns)
    connection.execute("DROP TABLE ward")


def test_a_foreign_key_into_the_table_is_named_and_cannot_be_dropped_by_a_policy() -> None:
    connection = clinic(key="PRIMARY KEY")
    connection.execute("CREATE TABLE bill (patient INTEGER REFERENCES patients (id))")
    before = state_of(connection)
    with pytest.raises(RefusedError, match="bill has a foreign key that points at it"):
        released(connection, {"drop": ["patients_id_pkey"]})
    assert state_of(connection) == before


def test_a_generated_column_is_refused_with_the_way_out() -> None:
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE patients (name VARCHAR, age INTEGER, zip VARCHAR, disease VARCHAR, "
        "visit INTEGER GENERATED ALWAYS AS (age - 1))"
    )
    connection.execute(
        "INSERT INTO patients SELECT 'n' || i, i % 5, 'z', 'flu' FROM RANGE(100) AS t (i)"
    )
    columns = {name: role for name, role in COLUMNS.items() if name != "id"}
    before = state_of(connection)
    with pytest.raises(RefusedError, match="visit is a generated column; release another table"):
        released(connection, columns=columns)
    with pytest.raises(PolicyError, match="patients has no GENERATED visit"):
        released(connection, {"drop": ["GENERATED visit"]}, columns=columns)
    assert state_of(connection) == before


def test_not_null_stands_in_the_way_of_masked_values() -> None:
    connection = clinic()
    connection.execute("UPDATE patients SET disease = 'none' WHERE disease IS NULL")
    connection.execute("ALTER TABLE patients ALTER disease SET NOT NULL")
    with pytest.raises(RefusedError, match="disease is NOT NULL, and suppress_sensitive"):
        released(
            connection,
            on_failure="suppress_sensitive",
            guarantees=[{"distinct_l_diversity": {"column": "disease", "l": 2}}],
        )


def test_a_part_that_the_table_does_not_have_cannot_be_dropped() -> None:
    connection = clinic()
    with pytest.raises(PolicyError, match=r"drop\[0\]: patients has no nobodys_key"):
        released(connection, {"drop": ["nobodys_key"]})


def test_the_plan_tells_beforehand_what_changes_and_what_is_in_the_way() -> None:
    connection = clinic(key="PRIMARY KEY")
    plan = planned(clinic_policy(), connection)
    assert plan.change is not None
    assert plan.change.retyped == {"age": ("INTEGER", "VARCHAR")}
    text = plan_text(plan)
    assert "In place: age becomes VARCHAR (INTEGER now); id, name go." in text
    assert "In the way of it: PRIMARY KEY patients_id_pkey: id is an identifier, and goes." in text
    assert plan.to_dict()["in_place"]["removed"] == ["id", "name"]
    assert plan_text(planned(clinic_policy(release={"table": "t"}), connection)).count("place") == 0


def test_the_values_of_an_enum_are_in_no_plan_and_no_refusal() -> None:
    connection = clinic("ALTER TABLE {name} ALTER disease DROP DEFAULT")
    connection.execute("CREATE TYPE malady AS ENUM ('flu', 'cold', 'canary-gout')")
    connection.execute("ALTER TABLE patients ALTER disease TYPE malady")
    plan = planned(clinic_policy(), connection)
    assert "disease becomes VARCHAR (ENUM now)" in plan_text(plan)
    assert "canary" not in str(plan.to_dict())
    released(connection)


@pytest.mark.parametrize("kind", ["view", "temporary", "frame"])
def test_only_a_table_that_lasts_can_become_its_own_release(kind: str) -> None:
    connection = clinic()
    source: Any = connection
    table = "patients"
    if kind == "view":
        connection.execute("CREATE VIEW seen AS FROM patients")
        table = "seen"
    if kind == "temporary":
        connection.execute("CREATE TEMP TABLE passing AS FROM patients")
        table = "passing"
    if kind == "frame":
        source = connection.execute("FROM patients").df()
    with pytest.raises(UnsupportedError, match="only a table that lasts"):
        make_plan(clinic_policy(table=table), source)


def test_a_query_cannot_become_its_own_release() -> None:
    with pytest.raises(PolicyError, match="only a table can become its own release"):
        clinic_policy(source={"query": "SELECT 1"})


def test_a_table_in_another_schema_and_an_attached_database_is_released_in_place(
    tmp_path: Path,
) -> None:
    connection = duckdb.connect()
    connection.execute(f"ATTACH '{tmp_path / 'other.duckdb'}' AS \"an other\"")
    connection.execute('CREATE SCHEMA "an other"."s p"')
    name = '"an other"."s p"."pat ients"'
    make_clinic(connection, 'CREATE INDEX "by age" ON {name} (age)', name=name)
    released(connection, table=name)
    assert len(definition_of(connection, "pat ients")["indexes"]) == 1
    assert connection.execute(f"SELECT typeof(age) FROM {name} LIMIT 1").fetchall() == [
        ("VARCHAR",)
    ]


def test_a_row_that_another_connection_adds_meanwhile_is_refused_and_not_lost() -> None:
    connection = clinic()
    policy = clinic_policy()
    plan = planned(policy, connection)
    other = connection.cursor()
    outcomes = []

    def add(statement: Any) -> None:
        if statement.template in ("releasing/insert", "releasing/rename"):
            try:
                other.execute(
                    "INSERT INTO patients SELECT * REPLACE (9999 + visit AS visit) FROM patients "
                    "LIMIT 1"
                )
                outcomes.append("added")
            except duckdb.Error:
                outcomes.append("refused")

    apply_plan(plan, connection, watch=Watch(on_statement=add))
    assert outcomes == ["refused", "refused"]


def test_a_crash_after_the_commit_leaves_a_database_that_opens(tmp_path: Path) -> None:
    path = clinic_file(tmp_path, *KEPT)
    copied = tmp_path / "copied.duckdb"
    connection = duckdb.connect(str(path))
    released(connection)
    # What kill -9 would leave: the file, and beside it the log that was not written back.
    shutil.copy(path, copied)
    shutil.copy(f"{path}.wal", f"{copied}.wal")
    with duckdb.connect(str(copied)) as opened:
        assert rows_of(opened, "patients") == rows_of(connection, "patients")
        assert definition_of(opened) == definition_of(connection)


def test_a_release_that_fails_its_audit_leaves_the_source_as_it_was() -> None:
    connection = clinic(*KEPT)
    plan = planned(clinic_policy(), connection)
    connection.execute("DELETE FROM patients WHERE visit > 6")
    before = state_of(connection)
    release = apply_plan(plan, connection)
    assert not release.satisfied
    assert "Nothing was changed." in release_text(release)
    assert state_of(connection) == before


def test_a_second_release_in_place_is_refused_and_changes_nothing() -> None:
    connection = clinic()
    plan = planned(clinic_policy(), connection)
    apply_plan(plan, connection)
    before = state_of(connection)
    with pytest.raises(PolicyError, match="has no column id"):
        apply_plan(plan, connection)
    assert state_of(connection) == before


def test_the_printed_script_does_what_apply_does() -> None:
    first, second = clinic(*KEPT), clinic(*KEPT)
    plan = planned(clinic_policy(), first)
    script = apply_sql(plan, first)
    apply_plan(plan, first)
    for each in script:
        second.execute(each.text)
    assert rows_of(first, "patients") == rows_of(second, "patients")
    assert definition_of(first) == definition_of(second)


def test_a_script_whose_swap_fails_does_not_commit_a_source_that_is_gone() -> None:
    connection = clinic()
    script = apply_sql(planned(clinic_policy(), connection), connection)
    before = state_of(connection)
    for each in script:
        # A client that goes on after an error; the swap itself was refused.
        try:
            connection.execute("SELECT 1" if each.template == "releasing/rename" else each.text)
        except duckdb.Error:
            continue
    assert state_of(connection) == before


def test_a_name_that_something_else_has_is_refused() -> None:
    connection = clinic()
    connection.execute("CREATE TABLE sqlgen_in_place AS SELECT 1 AS one")
    with pytest.raises(RefusedError, match="needs the name sqlgen_in_place"):
        released(connection)


def test_the_originals_are_said_to_be_recoverable() -> None:
    connection = clinic()
    release = apply_plan(planned(clinic_policy(), connection), connection)
    assert "The originals can still be recovered" in release_text(release)
    assert release.to_dict()["scrub"] is None


def test_a_reference_to_the_source_cannot_be_told_once_it_is_gone() -> None:
    connection = clinic()
    guarantees = [
        {
            "t_closeness": {
                "column": "disease",
                "t": "0.5",
                "distance": "equal",
                "reference": "source",
            }
        }
    ]
    released(connection, guarantees=guarantees)
    with pytest.raises(PolicyError, match="not its own source"):
        audit_table(clinic_policy(guarantees=guarantees), source=connection)


def test_the_engine_that_fails_in_the_swap_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    connection = clinic(*KEPT)
    plan = planned(clinic_policy(), connection)
    before, declared = state_of(connection), definition_of(connection)
    monkeypatch.setattr("sqlgen.releasing.targets.in_place._index_sql", lambda *_: _refused())
    with pytest.raises(EngineError):
        apply_plan(plan, connection)
    assert (state_of(connection), definition_of(connection)) == (before, declared)


def _refused() -> Any:
    from sqlgen.sql.render import Statement  # noqa: PLC0415

    return Statement("releasing/index", "CREATE INDEX by_age ON patients (nothing)")
