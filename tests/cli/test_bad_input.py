"""Bad input: a clear message and its exit code, nothing on stdout, and nothing changed.

No message, and nothing that hangs on an exception, holds a value of the table.
"""

from __future__ import annotations

import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest

from cli_harness import (
    CASES,
    ZIPS,
    Case,
    Clinic,
    Ran,
    as_ordinary_user,
    command,
    database,
    listed,
    make_clinic,
    policy,
    run,
    shows_no_canary,
    spawn,
    told,
    with_files_of_at_most,
)
from sqlgen import (
    RefusedError,
    SqlgenError,
    apply_plan,
    apply_sql,
    audit_table,
    check_table,
    make_plan,
    read_policy,
)


@pytest.fixture
def clinic(tmp_path: Path) -> Clinic:
    return make_clinic(tmp_path)


@dataclass(frozen=True)
class Outcome:
    """What a command said and did, and what the API raised in its place."""

    case: Case
    ran: Ran
    before: Mapping[str, object]
    after: Mapping[str, object]
    scratch: list[str]
    raised: SqlgenError | None


@pytest.fixture(
    scope="module",
    params=[(case, each) for case in CASES for each in case.commands],
    ids=lambda param: f"{param[0].name}-{param[1]}",
)
def outcome(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    case, name = request.param
    clinic = make_clinic(tmp_path_factory.mktemp("bad"))
    case.prepare(clinic)
    scratch = tmp_path_factory.mktemp("scratch")
    before = clinic.state()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(scratch))
        ran = clinic.run(name)
        raised = None
        try:
            made = make_plan(read_policy(clinic.policy))
            apply_sql(made) if name == "sql" else apply_plan(made)
        except SqlgenError as error:
            raised = error
    left = [path.name for path in scratch.iterdir()]
    return Outcome(case, ran, before, clinic.state(), left, raised)


def test_bad_input_ends_with_its_exit_code(outcome: Outcome) -> None:
    assert outcome.ran.code == outcome.case.code


def test_bad_input_is_told_on_stderr_with_its_place(outcome: Outcome) -> None:
    assert outcome.case.message in outcome.ran.err


def test_bad_input_leaves_stdout_empty(outcome: Outcome) -> None:
    assert outcome.ran.out == ""


def test_bad_input_changes_nothing(outcome: Outcome) -> None:
    assert outcome.after == outcome.before


def test_bad_input_leaves_no_scratch_folder(outcome: Outcome) -> None:
    assert outcome.scratch == []


def test_bad_input_shows_no_value_of_the_table(outcome: Outcome) -> None:
    assert shows_no_canary(outcome.ran.text)


def test_bad_input_raises_an_error_whose_chain_holds_no_value(outcome: Outcome) -> None:
    assert outcome.raised is not None
    assert shows_no_canary(told(outcome.raised))


# What cannot be given is a result


def test_a_missing_policy_is_named(tmp_path: Path) -> None:
    ran = run("plan", str(tmp_path / "nowhere.yml"))
    assert (ran.code, ran.out) == (2, "")
    assert "nowhere.yml: there is no such file" in ran.err


@pytest.mark.parametrize("name", ["plan", "sql", "apply"])
@pytest.mark.parametrize(
    ("prepare", "reason"),
    [
        (database("DELETE FROM patients"), "the source has no rows"),
        (
            policy(("k: 3", "k: 7")),
            "k_anonymity (k 7) stands in the way: the most general node gives 6",
        ),
        (
            policy(
                (
                    "{role: quasi, hierarchy: {intervals: [10]}}",
                    "{role: quasi, hierarchy: {interva"
                    "ls: [{cuts: [1, 2], closed: true}]}, uncovered: suppress}",
                )
            ),
            "drop 6 rows",
        ),
    ],
)
def test_what_no_generalization_gives_ends_with_1_and_the_reason(
    clinic: Clinic, name: str, prepare: Callable[[Clinic], None], reason: str
) -> None:
    prepare(clinic)
    before = clinic.state()
    ran = clinic.run(name)
    assert ran.code == 1
    assert reason in ran.text
    assert shows_no_canary(ran.text)
    assert clinic.state() == before


DIVERSE = "distinct_l_diversity: {column: disease, l: 2}"
CLOSE = "t_closeness: {column: disease, t: 0.5, distance: equal}"


@pytest.mark.parametrize("guarantee", [DIVERSE, CLOSE])
@pytest.mark.parametrize("name", ["plan", "minimal", "frontier", "explain", "sql", "apply", "run"])
def test_a_source_without_rows_is_told_so_whatever_is_asked_of_its_values(
    clinic: Clinic, name: str, guarantee: str
) -> None:
    clinic.edit(("k_anonymity: {k: 3}", guarantee))
    clinic.sql("DELETE FROM patients")
    before = clinic.tables()
    ran = clinic.run(name, *(["--vary", "l=2,3"] if name == "frontier" else []))
    if (name, guarantee) == ("frontier", CLOSE):
        ran = clinic.run(name, "--vary", "t=0.1,0.2")
    assert ran.code == 1
    assert "no rows" in ran.text or "0 rows" in ran.text
    assert clinic.tables() == before


def test_uncovered_values_are_named_only_to_who_asks(clinic: Clinic) -> None:
    listed(ZIPS.replace("cz113,cz11,*\n", ""))(clinic)
    assert "cz113" not in clinic.run("plan").err
    assert "cz113" in clinic.run("plan", "--show-values").err


# What stands in the way


@pytest.mark.parametrize("target", ["table", "view", "parquet", "csv"])
def test_replace_lets_a_release_take_the_place_of_an_older_one(clinic: Clinic, target: str) -> None:
    clinic.release_to(f"{target}: patients_anon")
    codes = [clinic.run("apply", *options).code for options in ((), (), ("--replace",))]
    assert codes == [0, 3, 0]


def test_a_table_can_take_the_place_of_a_view(clinic: Clinic) -> None:
    clinic.sql("CREATE VIEW patients_anon AS SELECT * FROM patients")
    assert clinic.run("apply", "--replace").code == 0
    assert clinic.run("audit").code == 0


@pytest.mark.parametrize("options", [(), ("--replace",)])
@pytest.mark.parametrize(
    "target",
    [
        *("table: patients", "table: PATIENTS", "view: Patients", "table: main.patients"),
        *("table: 'clinic.MAIN.\"Patients\"'", "csv: clinic.duckdb", "parquet: ./clinic.duckdb"),
        *("csv: ../clinic/clinic.duckdb", "csv: policy.yml", "csv: sub/../zips.csv", "table: zips"),
    ],
)
def test_no_release_takes_the_place_of_what_it_is_made_from(
    clinic: Clinic, target: str, options: tuple[str, ...]
) -> None:
    (clinic.folder / "sub").mkdir()
    listed(ZIPS)(clinic)
    if target == "table: zips":
        clinic.sql("CREATE TABLE zips AS SELECT zip AS v, 'cz' AS l1, '*' AS l2 FROM patients")
        clinic.edit(("csv: zips.csv", "table: zips"))
    clinic.release_to(target)
    before = clinic.state()
    assert clinic.run("apply", *options).code in (2, 3)
    assert clinic.state() == before


@pytest.mark.parametrize("source", ["query: SELECT * FROM patients", "table: seen"])
def test_no_release_takes_the_place_of_a_table_beneath_its_source(
    clinic: Clinic, source: str
) -> None:
    clinic.sql("CREATE VIEW seen AS SELECT * FROM patients")
    clinic.edit(("table: patients\n", f"{source}\n"))
    clinic.release_to("table: patients")
    before = clinic.state()
    assert clinic.run("apply", "--replace").code in (2, 3)
    assert clinic.state() == before


def test_a_folder_in_the_place_of_a_file_is_refused_also_with_replace(clinic: Clinic) -> None:
    (clinic.folder / "out.csv").mkdir()
    clinic.release_to("csv: out.csv")
    before = clinic.state()
    ran = spawn("apply", str(clinic.policy), "--replace")
    assert (ran.code, clinic.state()) == (3, before)
    assert "Traceback" not in ran.err


def test_a_read_only_database_is_refused(clinic: Clinic) -> None:
    clinic.database.chmod(stat.S_IREAD)
    before = clinic.state()
    ran = spawn("apply", str(clinic.policy), before=as_ordinary_user)
    assert (ran.code, ran.out) == (3, "")
    assert "policy.yml:2: source.database: the database file is read-only" in ran.err
    assert clinic.state() == before


def test_a_read_only_database_is_released_to_a_file_where_no_ledger_is_asked_for(
    clinic: Clinic,
) -> None:
    clinic.database.chmod(stat.S_IREAD)
    clinic.release_to("csv: out.csv")
    ran = spawn("apply", str(clinic.policy), before=as_ordinary_user)
    assert ran.code == 3
    assert "ledger in the database, which is read-only. Say ledger: off" in ran.err
    clinic.edit(("release:", "ledger: off\nrelease:"))
    ran = spawn("apply", str(clinic.policy), before=as_ordinary_user)
    assert ran.code == 0, ran.err


@pytest.mark.parametrize("target", ["csv", "parquet"])
def test_a_read_only_folder_is_refused(clinic: Clinic, target: str) -> None:
    folder = clinic.folder / "out"
    folder.mkdir(mode=stat.S_IREAD | stat.S_IEXEC)
    clinic.release_to(f"{target}: out/x.{target}")
    ran = spawn("apply", str(clinic.policy), before=as_ordinary_user)
    assert (ran.code, ran.out) == (3, "")
    assert f"policy.yml:13: release.{target}: the folder is read-only" in ran.err
    assert list(folder.iterdir()) == []


def test_a_lock_that_cannot_be_written_is_told_without_a_traceback(clinic: Clinic) -> None:
    clinic.folder.chmod(stat.S_IREAD | stat.S_IEXEC)
    ran = spawn("plan", str(clinic.policy), before=as_ordinary_user)
    clinic.folder.chmod(stat.S_IRWXU)
    assert (ran.code, "Traceback" in ran.err) == (3, False)


def test_an_unreadable_database_is_refused(clinic: Clinic) -> None:
    clinic.database.chmod(0)
    ran = spawn("plan", str(clinic.policy), before=as_ordinary_user)
    assert (ran.code, ran.out) == (3, "")
    assert "policy.yml:2: source.database: permission to open the database file was" in ran.err


@pytest.mark.parametrize("name", ["plan", "apply"])
def test_a_database_that_another_process_has_open_is_refused(clinic: Clinic, name: str) -> None:
    holds = (
        "import sys, duckdb; c = duckdb.connect(sys.argv[1]); print('open', flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", holds, str(clinic.database)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        ran = clinic.run(name)
        other.communicate("\n")
    assert (ran.code, ran.out) == (3, "")
    assert "policy.yml:2: source.database: the database is locked by another process" in ran.err
    assert clinic.run(name).code == 0


def test_a_database_that_this_process_has_open_is_refused(clinic: Clinic) -> None:
    with duckdb.connect(str(clinic.database)):
        ran = clinic.run("plan")
    assert ran.code == 3
    assert "pass that connection as the source" in ran.err


@dataclass(frozen=True)
class Filled:
    """An apply on a disk that fills, and what it left."""

    clinic: Clinic
    ran: Ran
    before: Mapping[str, object]
    target: str


@pytest.fixture(scope="module", params=["table", "csv", "parquet"])
def filled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Filled:
    clinic = make_clinic(tmp_path_factory.mktemp("full"))
    clinic.sql(
        "CREATE OR REPLACE TABLE patients AS SELECT 'canary-' || range AS name, 'cz111' AS zip, "
        "CAST(770011 + range % 30 AS INTEGER) AS age, md5('a' || range) AS disease, "
        "repeat(md5('b' || range), 3) AS ward FROM range(30_000)",
        "CHECKPOINT",
    )
    clinic.release_to(f"{request.param}: patients_anon")
    before = clinic.state()
    ran = spawn("apply", str(clinic.policy), before=with_files_of_at_most(300_000))
    return Filled(clinic, ran, before, request.param)


@pytest.mark.battery
def test_a_disk_that_fills_ends_with_4(filled: Filled) -> None:
    assert (filled.ran.code, filled.ran.out) == (4, "")


def test_a_disk_that_fills_is_asked_about(filled: Filled) -> None:
    assert "is the disk full?" in filled.ran.err


def test_a_disk_that_fills_shows_no_value(filled: Filled) -> None:
    assert shows_no_canary(filled.ran.text)


def test_a_disk_that_fills_leaves_every_table_as_it_was(filled: Filled) -> None:
    assert filled.clinic.tables() == filled.before["tables"]


def test_a_disk_that_fills_leaves_no_file_of_ours(filled: Filled) -> None:
    files = {path.name for path in filled.clinic.folder.iterdir()}
    assert files - {"clinic.duckdb.wal"} == {"clinic.duckdb", "policy.yml"}


def test_what_a_full_disk_stopped_can_be_done_when_there_is_room(filled: Filled) -> None:
    assert filled.clinic.run("apply").code == 0


# What the environment holds


@pytest.mark.parametrize("name", ["plan", "apply", "audit"])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("clinic.duckdb", "${SQLGEN_SECRET}"),
        ("{prefixes: [4, 3]}", "{csv: '${SQLGEN_SECRET}'}"),
        ("table: patients_anon", "csv: ${SQLGEN_SECRET}"),
        ("table: patients_anon", "parquet: ${SQLGEN_SECRET}"),
    ],
)
def test_the_value_of_a_variable_is_in_no_message_of_a_command(
    clinic: Clinic, monkeypatch: pytest.MonkeyPatch, name: str, old: str, new: str
) -> None:
    monkeypatch.setenv("SQLGEN_SECRET", "/hidden-folder/hidden-file")
    clinic.edit((old, new))
    ran = clinic.run(name)
    assert "hidden" not in ran.text
    assert "hidden" not in "".join(path.read_text() for path in clinic.folder.glob("*.lock"))


def test_a_full_stdout_is_told_without_a_traceback(clinic: Clinic) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command("sql", str(clinic.policy)), stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert (done.returncode, b"Traceback" in done.stderr) == (4, False)


# A connection of the user's own


@pytest.mark.parametrize("name", ["make_plan", "apply_plan", "audit_table", "check_table"])
def test_a_connection_inside_a_transaction_is_refused_and_its_transaction_lives(
    clinic: Clinic, name: str
) -> None:
    asked = read_policy(clinic.policy)
    made = make_plan(asked)
    calls: dict[str, Callable[[duckdb.DuckDBPyConnection], object]] = {
        "make_plan": lambda connection: make_plan(asked, connection),
        "apply_plan": lambda connection: apply_plan(made, connection),
        "audit_table": lambda connection: audit_table(asked, "patients", connection),
        "check_table": lambda connection: check_table(connection, "patients", quasi=["zip"]),
    }
    with duckdb.connect(str(clinic.database)) as connection:
        connection.execute("BEGIN")
        connection.execute("DELETE FROM patients WHERE name = 'canary-ada'")
        with pytest.raises(RefusedError, match="inside a transaction"):
            calls[name](connection)
        connection.execute("COMMIT")
    assert clinic.rows("SELECT COUNT(*) FROM patients") == [(5,)]
