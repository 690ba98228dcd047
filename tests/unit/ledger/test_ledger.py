"""Every release is in the ledger, in the transaction that publishes it, and no value is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

from cli_harness import shows_no_canary
from sqlgen import (
    PolicyError,
    RefusedError,
    apply_plan,
    apply_sql,
    read_history,
    write_lock,
)
from sqlgen.cli.text.history import entry_text, history_text
from sqlgen.cli.text.results import release_text
from sqlgen.planning.lock import lock_path, lock_text, read_lock
from tables import (
    KINDS,
    LEDGER,
    patients,
    patients_file,
    patients_policy,
    planned,
    release_to,
    state_of,
)


def released(connection: duckdb.DuckDBPyConnection, **changes: Any) -> Any:
    policy = patients_policy(**changes)
    return apply_plan(planned(policy, connection), connection, replace=True)


@pytest.mark.parametrize("kind", [*KINDS, "in_place"])
def test_a_release_is_in_the_ledger_as_its_audit_found_it(kind: str, tmp_path: Path) -> None:
    connection = patients()
    place = {"in_place": "true"} if kind == "in_place" else release_to(kind, tmp_path)
    policy = patients_policy(release=place)
    plan = planned(policy, connection)
    release = apply_plan(plan, connection)
    (entry,) = read_history(policy, connection)
    assert (entry.release_id, release.number, release.ledger) == (1, 1, LEDGER)
    assert entry.levels == plan.levels
    assert (entry.source_rows, entry.released_rows, entry.classes) == (
        release.rows,
        release.audit.rows,
        release.audit.classes,
    )
    assert entry.suppressed_rows == release.suppressed_rows
    (guarantee,) = entry.guarantees
    assert (guarantee.name, guarantee.parameters) == ("k_anonymity", {"k": 4})
    assert (guarantee.title, guarantee.requirement) == ("k_anonymity", "k >= 4")
    assert guarantee.measured == release.audit.guarantees[0].value
    assert entry.target_kind == ("parquet" if kind == "partitioned" else kind)
    recorded = "Recorded as release 1 in the table sqlgen_releases of the database."
    assert recorded in release_text(release)


def test_releases_are_numbered_and_the_last_one_is_listed_first() -> None:
    connection = patients()
    for target in ("one", "two", "three"):
        released(connection, release={"table": target})
    entries = read_history(patients_policy(), connection)
    assert [(each.release_id, each.target) for each in entries] == [
        (3, "three"),
        (2, "two"),
        (1, "one"),
    ]
    lines = history_text(entries).splitlines()
    assert [line.split()[0] for line in lines] == ["release", "3", "2", "1"]


def test_a_clock_that_goes_backwards_does_not_change_the_order() -> None:
    connection = patients()
    released(connection, release={"table": "one"})
    connection.execute(f"UPDATE {LEDGER} SET released_at = TIMESTAMP '2999-01-01 00:00:00'")
    released(connection, release={"table": "two"})
    first, second = read_history(patients_policy(), connection)
    assert (first.target, second.target) == ("two", "one")
    assert first.released_at < second.released_at


def test_a_release_that_fails_its_audit_is_not_in_the_ledger() -> None:
    connection = patients()
    plan = planned(patients_policy(), connection)
    connection.execute("DELETE FROM patients WHERE age > 22")
    assert not apply_plan(plan, connection).satisfied
    assert read_history(patients_policy(), connection) == ()


def test_a_ledger_that_is_off_is_not_made() -> None:
    connection = patients()
    release = released(connection, ledger="off")
    assert release.ledger == ""
    assert release.to_dict()["ledger"] is None
    tables = connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()
    assert (LEDGER,) not in tables
    assert read_history(patients_policy(ledger="off"), connection) == ()


@pytest.mark.parametrize("called", ["releases", "apart.releases", '"a part"."re leases"'])
def test_the_ledgers_name_and_schema_are_the_policys_to_say(called: str) -> None:
    connection = patients()
    connection.execute('CREATE SCHEMA apart; CREATE SCHEMA "a part"')
    released(connection, ledger=called)
    assert connection.execute(f"SELECT COUNT(*) FROM {called}").fetchall() == [(1,)]
    assert len(read_history(patients_policy(ledger=called), connection)) == 1


def test_a_schema_that_is_not_there_is_refused_before_anything_is_built() -> None:
    connection = patients()
    with pytest.raises(PolicyError, match=r"ledger: there is no schema memory\.nowhere"):
        released(connection, ledger="nowhere.releases")


def test_another_database_than_the_releases_is_refused() -> None:
    connection = patients()
    connection.execute("ATTACH ':memory:' AS apart")
    with pytest.raises(PolicyError, match="must be in the database of the release, memory"):
        released(connection, ledger="apart.main.releases")


def test_something_else_under_the_ledgers_name_is_refused_and_left_alone() -> None:
    connection = patients()
    connection.execute(f"CREATE TABLE {LEDGER} AS SELECT 'mine' AS words")
    with pytest.raises(RefusedError, match="is something else than a ledger"):
        released(connection)
    assert connection.execute(f"FROM {LEDGER}").fetchall() == [("mine",)]


NAMED = {
    "table": ({"table": "r"}, "r"),
    "view": ({"view": "r"}, "r"),
    "labels of a view": ({"view": "r"}, "R_zip_labels"),
    "in place": ({"in_place": "true"}, "PATIENTS"),
    "letters": ({"table": "Main.R"}, "r"),
    "in full": ({"table": "r"}, '"memory"."MAIN"."r"'),
    "timestamped": ({"table": "r", "timestamped": "true"}, "r"),
}


@pytest.mark.battery
@pytest.mark.parametrize("stands", [False, True])
@pytest.mark.parametrize("case", NAMED)
def test_a_ledger_with_the_name_of_the_release_is_a_mistake_of_the_policy(
    case: str, stands: bool
) -> None:
    release, ledger = NAMED[case]
    connection = patients()
    if stands:
        released(connection, release={"table": "other"})
        if case != "in place":
            # A ledger already: nothing but its name tells that the release would replace it.
            name = "R_zip_labels" if case.startswith("labels") else "r"
            connection.execute(f"ALTER TABLE {LEDGER} RENAME TO {name}")
    policy = patients_policy(release=release, ledger=ledger)
    before = state_of(connection)
    plan = planned(policy, connection)
    for publish in (apply_plan, apply_sql):
        with pytest.raises(PolicyError, match="cannot be the ledger of releases"):
            publish(plan, connection, replace=True)
    assert state_of(connection) == before


def test_a_ledger_may_have_the_name_of_the_release_in_another_schema() -> None:
    connection = patients()
    connection.execute("CREATE SCHEMA kept")
    assert released(connection, release={"table": "r"}, ledger="kept.r").satisfied


def test_a_name_that_is_none_is_a_mistake_of_the_policy() -> None:
    with pytest.raises(PolicyError, match="ledger: "):
        patients_policy(ledger="a.b.c.d")


def test_the_ledger_of_an_attached_database_is_in_it() -> None:
    connection = patients()
    connection.execute("ATTACH ':memory:' AS apart")
    connection.execute("CREATE TABLE apart.patients AS FROM patients")
    released(connection, source={"table": "apart.main.patients"}, release={"table": "apart.main.o"})
    assert connection.execute(f"SELECT COUNT(*) FROM apart.{LEDGER}").fetchall() == [(1,)]


def test_a_database_is_known_however_its_name_is_spelled(tmp_path: Path) -> None:
    connection = patients()
    file = str(tmp_path / "archive.duckdb")
    connection.execute(f"ATTACH '{file}' AS archive")
    connection.execute("CREATE TABLE archive.patients AS FROM patients")
    table, target = "ARCHIVE.main.patients", "ARCHIVE.main.anon"
    names = {"source": {"table": table}, "release": {"table": target}}
    assert released(connection, **names).satisfied
    connection.execute("DETACH archive")
    connection.execute(f"ATTACH '{file}' AS archive (READ_ONLY)")
    with pytest.raises(RefusedError, match="which is read-only"):
        released(connection, **names)


def test_a_dataframe_has_no_ledger() -> None:
    frame = patients().execute("FROM patients").df()
    policy = patients_policy()
    assert apply_plan(planned(policy, frame), frame).ledger == ""  # type: ignore[arg-type]


def test_the_printed_script_writes_the_ledger_too() -> None:
    connection = patients()
    policy = patients_policy()
    for each in apply_sql(planned(policy, connection), connection):
        connection.execute(each.text)
    assert [each.target for each in read_history(policy, connection)] == ["released"]


def test_the_same_plan_has_the_same_fingerprints_and_another_policy_has_others(
    tmp_path: Path,
) -> None:
    path = patients_file(tmp_path)
    policy = patients_policy()
    plan = planned(policy, path)
    write_lock(plan, lock_path(tmp_path / "policy.yml"))
    read = read_lock(lock_path(tmp_path / "policy.yml"), policy)
    assert lock_text(read) == lock_text(plan)
    for each in (plan, read):
        apply_plan(each, path, replace=True)
    other = patients_policy(guarantees=[{"k_anonymity": {"k": 5}}])
    apply_plan(planned(other, path), path, replace=True)
    third, second, first = read_history(policy, path)
    assert first.policy_fingerprint == second.policy_fingerprint != third.policy_fingerprint
    assert first.lock_fingerprint == second.lock_fingerprint != third.lock_fingerprint
    assert first.source_fingerprint == second.source_fingerprint == third.source_fingerprint


def test_no_value_of_the_table_is_in_the_ledger(tmp_path: Path) -> None:
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE patients AS SELECT 'canary-' || i AS name, 'cz' || i % 3 AS zip, "
        "770000 + i % 5 AS age, 'f' AS sex, 'canary-' || i % 2 AS disease, i % 5 AS visits "
        "FROM RANGE(60) AS t (i)"
    )
    guarantees = [
        {"k_anonymity": {"k": 4}},
        {"alpha_k_anonymity": {"column": "disease", "alpha": 1, "k": 2, "values": ["canary-1"]}},
    ]
    released(connection, guarantees=guarantees, release=release_to("csv", tmp_path))
    written = str(connection.execute(f"FROM {LEDGER}").fetchall())
    assert "alpha_k_anonymity" in written
    assert shows_no_canary(written)


def test_a_path_is_written_as_the_policy_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EXPORTS", str(tmp_path))
    connection = patients()
    released(connection, release={"csv": "${EXPORTS}/out.csv"})
    (entry,) = read_history(patients_policy(), connection)
    assert entry.target == "${EXPORTS}/out.csv"
    assert str(tmp_path) not in str(connection.execute(f"FROM {LEDGER}").fetchall())


def test_what_is_known_of_a_release_is_printed() -> None:
    connection = patients()
    released(connection)
    (entry,) = read_history(patients_policy(), connection)
    text = entry_text(entry)
    assert text.startswith("Release 1, 20")
    for fingerprint in (entry.policy_fingerprint, entry.lock_fingerprint, entry.source_fingerprint):
        assert fingerprint in text
    assert entry.to_dict()["guarantees"][0]["required"] == "k >= 4"
    assert history_text(()) == "No release is in the ledger."
