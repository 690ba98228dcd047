"""A fault before any statement of a release in place, of its scrub, and of a scheduled run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

from effort import IS_THOROUGH
from faults import TURNS, fault_before, faults_in_turn, last_of_each, seen_of
from in_place import BESIDE, clinic_file, clinic_policy, definition_of, make_clinic
from sqlgen import EngineError, apply_plan, run_policy, scrub_database
from tables import patients, patients_policy, planned, state_of

KEPT = [each for each in BESIDE if "visits_and_ages" not in each]


def clinic() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    make_clinic(connection, *KEPT)
    return connection


@pytest.mark.parametrize("turn", TURNS)
def test_a_fault_before_any_statement_of_a_release_in_place_changes_nothing(turn: int) -> None:
    first, connection = clinic(), clinic()
    plan = planned(clinic_policy(), first)
    with fault_before(-1, EngineError) as begun:
        apply_plan(plan, first)
    templates = [each.template for each in begun]
    templates = templates[: templates.index("releasing/confirm")]
    before, declared = state_of(connection), definition_of(connection)
    faults = faults_in_turn(templates, turn)
    for number, (template, fault) in enumerate(zip(templates, faults, strict=True)):
        with fault_before(number, fault), pytest.raises(seen_of(fault)):
            apply_plan(plan, connection)
        assert state_of(connection) == before, f"before statement {number}, {template}"
        assert definition_of(connection) == declared
    assert apply_plan(plan, connection).satisfied


@pytest.mark.parametrize("turn", TURNS)
def test_a_fault_before_any_statement_of_a_scrub_leaves_a_whole_database(
    turn: int, tmp_path: Path
) -> None:
    policy = clinic_policy()
    folder = tmp_path / "first"
    folder.mkdir()
    path = clinic_file(folder, *KEPT)
    plan = planned(policy, path)
    original = path.read_bytes()
    with fault_before(-1, EngineError) as begun:
        assert apply_plan(plan, path, scrub="unlink").satisfied
    templates = [each.template for each in begun]
    with duckdb.connect(str(path)) as connection:
        released = definition_of(connection)
    scrubs = templates.index("releasing/confirm") + 1
    faults = faults_in_turn(templates, turn)
    # Tables, indexes and views are copied by the same few templates, one by one.
    numbers = range(scrubs, len(templates)) if IS_THOROUGH else last_of_each(templates)
    for number in (number for number in numbers if number >= scrubs):
        template, fault = templates[number], faults[number]
        other = tmp_path / str(number)
        other.mkdir()
        path = other / path.name
        path.write_bytes(original)
        with fault_before(number, fault), pytest.raises(seen_of(fault)) as told:
            apply_plan(plan, path, scrub="unlink")
        if fault is EngineError:
            assert "the release stands" in str(told.value), template
        with duckdb.connect(str(path)) as connection:
            assert definition_of(connection) == released, template
        assert scrub_database(policy, path).satisfied
        assert b"canary" not in path.read_bytes(), template
        assert [each.name for each in other.iterdir()] == [path.name], template


@pytest.mark.parametrize("turn", TURNS)
def test_a_fault_before_any_statement_of_a_run_changes_nothing(turn: int, tmp_path: Path) -> None:
    policy, connection = patients_policy(), patients(60)
    lock = tmp_path / "policy.lock"

    def run(source: Any) -> bool:
        return run_policy(policy, source, lock=lock).satisfied

    assert run(connection)
    # The second night is another release.
    connection.execute("DELETE FROM patients WHERE visits = 4")
    with fault_before(-1, EngineError) as begun:
        assert run(patients_again(connection))
    templates = [each.template for each in begun]
    templates = templates[: templates.index("releasing/confirm")]
    before, locked = state_of(connection), lock.read_bytes()
    faults = faults_in_turn(templates, turn)
    for number, (template, fault) in enumerate(zip(templates, faults, strict=True)):
        with fault_before(number, fault), pytest.raises(seen_of(fault)):
            run(connection)
        assert state_of(connection) == before, f"before statement {number}, {template}"
        assert lock.read_bytes() == locked
    assert run(connection)


def patients_again(connection: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """A copy of a database of which a run is to be begun."""
    copy = duckdb.connect()
    for table in ("patients", "released", "sqlgen_releases"):
        made = connection.execute(
            "SELECT sql FROM duckdb_tables() WHERE table_name = ?", [table]
        ).fetchall()
        copy.execute(made[0][0])
        rows = connection.execute(f"FROM {table}").fetchall()
        marks = ", ".join("?" for _ in rows[0])
        copy.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
    return copy
