"""What stands in the way of a release: others at work, a target that is gone, a full disk."""

from __future__ import annotations

import json
import shutil
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cli_harness import (
    ROOT,
    Clinic,
    as_ordinary_user,
    make_clinic,
    shows_no_canary,
    spawn,
    with_files_of_at_most,
)
from sqlgen import (
    RefusedError,
    SqlgenError,
    Watch,
    apply_plan,
    audit_table,
    read_history,
    run_policy,
)
from sqlgen.sql.render import Statement
from tables import KINDS, names_in, patients, patients_policy, planned, release_to, state_of


@pytest.fixture
def clinic(tmp_path: Path) -> Clinic:
    return make_clinic(tmp_path)


# Two at once

WAITING = """
import sys
from sqlgen import read_policy, run_policy

def on_step(event, told):
    if event == "locked":
        print("at work", flush=True)
        sys.stdin.readline()

run_policy(read_policy(sys.argv[1]), on_step=on_step)
"""


def test_of_two_runs_at_once_the_second_says_so_and_the_first_releases(clinic: Clinic) -> None:
    assert clinic.run("run").code == 0
    with subprocess.Popen(
        [sys.executable, "-c", WAITING, str(clinic.policy)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "at work\n"
        second = spawn("run", str(clinic.policy), "--log", "json")
        first.communicate("\n", timeout=60)
    assert first.returncode == 0
    assert second.code == 3
    assert "the database is locked by another process" in second.err
    assert json.loads(second.out.splitlines()[-1])["exit_code"] == 3
    assert clinic.rows("SELECT COUNT(*) FROM sqlgen_releases") == [(2,)]


@pytest.mark.parametrize("name", ["scrub", "report", "history", "audit", "sql", "check"])
def test_no_command_waits_for_a_database_that_another_process_has(
    clinic: Clinic, name: str
) -> None:
    assert clinic.run("run").code == 0
    holds = (
        "import sys, duckdb; c = duckdb.connect(sys.argv[1]); print('open', flush=True); input()"
    )
    asked = {
        "check": (str(clinic.database), "patients", "--quasi", "zip"),
        "scrub": (str(clinic.policy), "--yes"),
    }
    with subprocess.Popen(
        [sys.executable, "-c", holds, str(clinic.database)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        ran = spawn(name, *asked.get(name, (str(clinic.policy),)))
        other.communicate("\n")
    assert (ran.code, ran.out) == (3, "")
    assert "locked by another process" in ran.err


def outcomes(*work: Callable[[], object]) -> list[BaseException | None]:
    """What is raised by each of several pieces of work that begin at once."""
    raised: list[BaseException | None] = [None for _ in work]
    begin = threading.Barrier(len(work))

    def go(number: int) -> None:
        begin.wait()
        try:
            work[number]()
        except BaseException as error:
            raised[number] = error

    threads = [threading.Thread(target=go, args=(number,)) for number in range(len(work))]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    return raised


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shared", [True, False], ids=["connection", "cursors"])
def test_of_two_threads_at_once_at_most_one_releases_and_the_other_is_refused(
    shared: bool, kind: str, tmp_path: Path
) -> None:
    connection = patients(60)
    policy = patients_policy(release=release_to(kind, tmp_path))
    plan = planned(policy, connection)
    cursors = [connection if shared else connection.cursor() for _ in range(2)]
    raised = outcomes(*(partial(apply_plan, plan, each) for each in cursors))
    lost = [each for each in raised if each is not None]
    assert len(lost) >= 1
    assert all(isinstance(each, RefusedError) for each in lost), lost
    assert len(read_history(policy, connection)) == 2 - len(lost)
    assert names_in(connection) >= {"patients"}
    # Nothing is half done: whoever comes next is not in anybody's way.
    assert apply_plan(plan, connection, replace=True).satisfied
    assert audit_table(policy, source=connection).satisfied
    assert {each.name for each in tmp_path.iterdir()} <= {"released", f"released.{kind}"}


@pytest.mark.parametrize("begun_at", ["releasing/create", "ledger/insert", "releasing/commit"])
@pytest.mark.parametrize("target", ["released", "beside"])
def test_a_release_inside_another_is_refused_and_the_other_stands(
    target: str, begun_at: str
) -> None:
    connection = patients(60)
    first, second = connection.cursor(), connection.cursor()
    plan = planned(patients_policy(), connection)
    inner = planned(patients_policy(release={"table": target}), connection)
    apply_plan(planned(patients_policy(release={"table": "older"}), connection), connection)
    raised: list[SqlgenError] = []

    def on_statement(statement: Statement) -> None:
        if statement.template == begun_at:
            try:
                apply_plan(inner, second)
            except SqlgenError as error:
                raised.append(error)

    try:
        apply_plan(plan, first, watch=Watch(on_statement=on_statement))
    except SqlgenError as error:
        raised.append(error)
    assert len(raised) == 1
    assert isinstance(raised[0], RefusedError)
    assert "Nothing was changed" in str(raised[0])
    entries = read_history(patients_policy(), connection)
    assert [each.release_id for each in entries] == [2, 1]
    assert entries[0].target in names_in(connection)


# Changed between plan and apply


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("ALTER TABLE patients ALTER age TYPE BIGINT", "changed since: type of age"),
        ("ALTER TABLE patients ADD COLUMN phone VARCHAR", "does not mention: phone"),
        ("ALTER TABLE patients DROP COLUMN visits", "no column visits"),
        ("DROP TABLE patients", "no table or view patients"),
    ],
)
def test_a_table_that_another_connection_changed_after_the_plan_is_refused(
    change: str, words: str
) -> None:
    connection = patients(60)
    plan = planned(patients_policy(), connection)
    connection.cursor().execute(change)
    before = state_of(connection)
    with pytest.raises(SqlgenError, match=words):
        apply_plan(plan, connection)
    assert state_of(connection) == before


def test_rows_that_another_connection_changed_after_the_plan_are_measured_again() -> None:
    connection = patients(60)
    plan = planned(patients_policy(), connection)
    connection.cursor().execute("UPDATE patients SET zip = name")
    before = state_of(connection)
    assert not apply_plan(plan, connection).satisfied
    assert state_of(connection) == before


@pytest.mark.parametrize("at", ["releasing/create", "releasing/audit", "releasing/commit"])
def test_rows_that_come_while_a_release_is_made_are_not_in_it(at: str) -> None:
    connection = patients(60)
    other = connection.cursor()
    plan = planned(patients_policy(), connection)

    def on_statement(statement: Statement) -> None:
        if statement.template == at:
            other.execute("INSERT INTO patients BY NAME SELECT 'alone' AS zip, 'late' AS name")

    release = apply_plan(plan, connection, watch=Watch(on_statement=on_statement))
    assert (release.satisfied, release.rows) == (True, 60)
    assert connection.execute("SELECT COUNT(*) FROM released WHERE zip = 'alone'").fetchall() == [
        (0,)
    ]


# What vanished between runs


@pytest.mark.parametrize("kind", [*KINDS, "ledger"])
def test_what_vanished_between_runs_is_made_again_or_missed(kind: str, tmp_path: Path) -> None:
    connection = patients(60)
    target = "table" if kind == "ledger" else kind
    policy = patients_policy(release=release_to(target, tmp_path))
    lock = tmp_path / "policy.lock"
    assert run_policy(policy, connection, lock=lock).satisfied
    if kind in ("csv", "parquet"):
        (tmp_path / f"released.{kind}").unlink()
    elif kind == "partitioned":
        shutil.rmtree(tmp_path / "released")
    else:
        gone = "TABLE sqlgen_releases" if kind == "ledger" else f"{kind} released"
        connection.execute(f"DROP {gone}")
    if kind == "ledger":
        # Nobody knows any more that the table is a release, which may be replaced.
        before = state_of(connection)
        with pytest.raises(RefusedError, match="exists already"):
            run_policy(policy, connection, lock=lock)
        assert state_of(connection) == before
        return
    assert run_policy(policy, connection, lock=lock).satisfied
    assert audit_table(policy, source=connection).satisfied
    assert len(read_history(policy, connection)) == 2


# The disk


def filled(clinic: Clinic) -> Clinic:
    """A table that takes more room than the disk has left."""
    clinic.sql(
        "CREATE OR REPLACE TABLE patients AS SELECT 'canary-' || range AS name, 'cz111' AS zip, "
        "CAST(770011 + range % 30 AS INTEGER) AS age, md5('a' || range) AS disease, "
        "repeat(md5('b' || range), 3) AS ward FROM range(30_000)",
        "CHECKPOINT",
    )
    return clinic


@pytest.mark.parametrize("name", ["run", "in place", "scrub"])
def test_a_disk_that_fills_changes_nothing_whatever_is_done(name: str, clinic: Clinic) -> None:
    filled(clinic)
    before = clinic.tables()
    if name == "scrub":
        clinic.sql("CREATE TABLE old AS FROM patients", "DROP TABLE old", "CHECKPOINT")
    asked = {
        "run": ("run", str(clinic.policy)),
        "in place": ("apply", str(clinic.policy), "--in-place", "--yes"),
        "scrub": ("scrub", str(clinic.policy), "--yes"),
    }[name]
    ran = spawn(*asked, before=with_files_of_at_most(300_000))
    assert ran.code == 4, ran.err
    assert "Traceback" not in ran.err
    assert shows_no_canary(ran.text)
    assert clinic.tables() == before
    assert spawn(*asked).code == 0
    left = {each.name for each in clinic.folder.iterdir()}
    assert left - {"clinic.duckdb", "policy.yml", "policy.lock"} == set()


@pytest.mark.parametrize("name", ["scrub", "report", "run"])
def test_a_read_only_folder_is_refused_whatever_is_done(name: str, clinic: Clinic) -> None:
    assert clinic.run("apply").code == 0
    (clinic.folder / "policy.lock").unlink(missing_ok=True)
    before = clinic.state()
    clinic.folder.chmod(stat.S_IREAD | stat.S_IEXEC)
    more = ("--yes",) if name == "scrub" else ()
    ran = spawn(name, str(clinic.policy), *more, before=as_ordinary_user)
    clinic.folder.chmod(stat.S_IRWXU)
    assert ran.code == 3, ran.text
    assert "Traceback" not in ran.err
    assert shows_no_canary(ran.text)
    after: dict[str, Any] = dict(clinic.state())
    assert after["folder"] == before["folder"]
