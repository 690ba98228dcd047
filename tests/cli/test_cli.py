"""The command line: help, exit codes, JSON, progress, locks, and the SQL that it prints."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from cli_harness import (
    ROOT,
    ZIPS,
    Clinic,
    command,
    database,
    listed,
    make_clinic,
    policy,
    run,
    shows_no_canary,
    spawn,
    with_files_of_at_most,
)
from sqlgen.planning.lock import lock_path

COMMANDS = {
    "check": ["DATABASE", "TABLE", "--quasi", "--sensitive", "--k", "--json"],
    "plan": ["POLICY", "--level", "--nodes", "--seconds", "--json", "--show-values"],
    "sql": ["POLICY", "--replace"],
    "apply": ["POLICY", "--replace", "--json"],
    "audit": ["POLICY", "--table", "--known", "--above", "--json"],
    "schema": ["FAMILY"],
}


@pytest.fixture
def clinic(tmp_path: Path) -> Clinic:
    return make_clinic(tmp_path)


# Help


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_mentions_its_arguments_and_options(name: str) -> None:
    ran = run(name, "--help")
    assert ran.code == 0
    assert [word for word in COMMANDS[name] if word not in ran.out] == []


def test_the_help_lists_every_command() -> None:
    assert [name for name in COMMANDS if f"  {name} " not in run("--help").out] == []


def test_the_help_says_what_the_exit_codes_mean() -> None:
    told = " ".join(run("--help").out.split())
    meanings = ("0 done", "1 the guarantee", "2 usage or policy", "3 refused", "4 database error")
    assert [meaning for meaning in meanings if meaning not in told] == []


@pytest.mark.parametrize("arguments", [["frobnicate"], ["plan"], ["plan", "p.yml", "--frob"], []])
def test_a_usage_error_ends_with_2_on_stderr(arguments: list[str]) -> None:
    ran = run(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert "Usage: " in ran.err


def test_the_help_loads_no_database() -> None:
    loaded = (
        "import sys, sqlgen.cli.main; "
        "sys.exit(bool({'duckdb', 'pandas', 'sqlglot'} & {*sys.modules}))"
    )
    assert subprocess.run([sys.executable, "-c", loaded], check=False, cwd=ROOT).returncode == 0


# JSON


def test_plan_prints_one_json_document_with_the_keys_of_the_manual(clinic: Clinic) -> None:
    document = json.loads(clinic.run("plan", "--json").out)
    assert {
        *("satisfied", "levels", "rows", "suppressed_rows", "classes", "objective", "guarantees"),
        *("nodes", "seconds"),
    } <= {*document}


def test_the_json_of_a_plan_says_what_was_chosen(clinic: Clinic) -> None:
    document = json.loads(clinic.run("plan", "--json").out)
    told = {key: document[key] for key in ("satisfied", "levels", "rows", "suppressed_rows")}
    assert told == {
        "satisfied": True,
        "levels": {"zip": 1, "age": 1},
        "rows": 6,
        "suppressed_rows": 0,
    }
    assert document["classes"] == 2
    assert document["objective"]["name"] == "loss"
    # Each column keeps 3 of 6 leaves a row: v = (3/6 - 1/6) / (1 - 1/6) = 0.4, twice.
    assert document["objective"]["value"] == pytest.approx(0.4, abs=1e-8)
    # Of nodes that are measured together one is closed by another: apart, 6 would be measured.
    assert document["nodes"] == {
        "lattice": 12,
        "measured": 7,
        "closed": {"by_failure": 0, "by_classes": 0, "by_columns": 5},
    }
    assert document["metrics"]["loss"] == document["objective"]["value"]
    assert set(document["seconds"]) == {"stage", "search", "total"}


@pytest.mark.parametrize("name", ["plan", "audit"])
def test_a_guarantee_in_json_has_its_parameters_its_figure_and_its_verdict(
    clinic: Clinic, name: str
) -> None:
    clinic.run("apply")
    (guarantee,) = json.loads(clinic.run(name, "--json").out)["guarantees"]
    told = {key: guarantee[key] for key in ("name", "k", "measured", "satisfied")}
    assert told == {"name": "k_anonymity", "k": 3, "measured": 3, "satisfied": True}


def test_the_json_of_a_plan_that_cannot_be_had_is_the_whole_of_stdout(clinic: Clinic) -> None:
    clinic.edit(("k: 3", "k: 7"))
    ran = clinic.run("plan", "--json")
    assert (ran.code, json.loads(ran.out)["satisfied"]) == (1, False)


def test_apply_prints_one_json_document(clinic: Clinic) -> None:
    document = json.loads(clinic.run("apply", "--json").out)
    assert (document["satisfied"], document["suppressed_rows"]) == (True, 0)


def test_audit_prints_one_json_document_with_the_keys_of_the_manual(clinic: Clinic) -> None:
    clinic.run("apply")
    document = json.loads(clinic.run("audit", "--json").out)
    told = {key: document[key] for key in ("satisfied", "rows", "classes")}
    assert told == {"satisfied": True, "rows": 6, "classes": 2}


def test_check_prints_one_json_document_with_the_keys_of_the_manual(clinic: Clinic) -> None:
    ran = run("check", str(clinic.database), "patients", "--quasi", "zip,ward", "--json")
    document = json.loads(ran.out)
    told = {key: document[key] for key in ("rows", "classes", "k", "unique_rows", "without")}
    assert told == {
        "rows": 6,
        "classes": 6,
        "k": 1,
        "unique_rows": 6,
        "without": {"zip": {"k": 2, "unique_rows": 0}, "ward": {"k": 1, "unique_rows": 6}},
    }


def test_messages_go_to_stderr_and_the_result_to_stdout(clinic: Clinic) -> None:
    ran = clinic.run("plan")
    assert ran.err == "Wrote policy.lock.\n"
    assert "Wrote" not in ran.out


# Progress


def at_terminal(*arguments: str) -> tuple[str, str]:
    """What a command prints to stdout, and to a stderr that is a terminal."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        command(*arguments), stdout=subprocess.PIPE, stderr=theirs, text=True, cwd=ROOT
    ) as child:
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # Linux says EIO where the other end has closed.
                break
            if not part:
                break
            shown += part
        os.close(ours)
        out = child.communicate()[0]
    return out, shown.decode()


@pytest.mark.parametrize("name", ["plan", "apply"])
def test_progress_is_shown_where_stderr_is_a_terminal(clinic: Clinic, name: str) -> None:
    _, shown = at_terminal(name, str(clinic.policy))
    assert "\r" in shown
    assert "measured 1 of 12 nodes" in shown


def test_the_progress_line_is_wiped_before_the_result(clinic: Clinic) -> None:
    _, shown = at_terminal("plan", str(clinic.policy))
    assert shown.replace("\r\n", "\n").endswith("\r\x1b[KWrote policy.lock.\n")


def test_progress_shows_no_value(clinic: Clinic) -> None:
    assert shows_no_canary(at_terminal("plan", str(clinic.policy))[1])


def test_progress_is_not_on_stdout(clinic: Clinic) -> None:
    out, _ = at_terminal("plan", str(clinic.policy), "--json")
    assert json.loads(out)["satisfied"]


@pytest.mark.parametrize("name", ["sql", "apply"])
def test_nothing_is_on_stderr_where_it_is_no_terminal(clinic: Clinic, name: str) -> None:
    assert spawn(name, str(clinic.policy)).err == ""


@pytest.mark.parametrize("stream", [1, 2], ids=["stdout", "stderr"])
def test_a_closed_stream_does_not_make_a_plan_fail(clinic: Clinic, stream: int) -> None:
    assert spawn("plan", str(clinic.policy), before=partial(os.close, stream)).code == 0


# The plan and its lock


def test_plan_leaves_every_table_as_it_was(clinic: Clinic) -> None:
    before = clinic.database.read_bytes()
    clinic.run("plan")
    assert clinic.database.read_bytes() == before


def test_the_lock_has_the_same_bytes_every_time(clinic: Clinic) -> None:
    locks = []
    for _ in range(2):
        clinic.run("plan")
        locks.append(lock_path(clinic.policy).read_bytes())
    assert locks[0] == locks[1]


def test_the_lock_has_the_same_bytes_whatever_the_order_of_rows(clinic: Clinic) -> None:
    clinic.run("plan")
    lock = lock_path(clinic.policy).read_bytes()
    clinic.sql("CREATE OR REPLACE TABLE patients AS SELECT * FROM patients ORDER BY name DESC")
    clinic.run("plan")
    assert lock_path(clinic.policy).read_bytes() == lock


def test_the_lock_holds_no_value_and_no_path(clinic: Clinic) -> None:
    clinic.run("plan")
    lock = lock_path(clinic.policy).read_text(encoding="utf-8")
    assert shows_no_canary(lock)
    assert str(clinic.folder) not in lock


def test_the_lock_says_the_levels_in_words(clinic: Clinic) -> None:
    clinic.run("plan")
    lock = json.loads(lock_path(clinic.policy).read_text(encoding="utf-8"))
    assert lock["decision"]["levels"] == {"zip": 1, "age": 1}
    assert lock["decision"]["words"] == {"zip": "first 4 characters", "age": "intervals of 10"}


def test_no_lock_is_written_where_the_guarantee_cannot_be_had(clinic: Clinic) -> None:
    clinic.edit(("k: 3", "k: 7"))
    clinic.run("plan")
    assert not lock_path(clinic.policy).exists()


CHANGES: list[tuple[Callable[[Clinic], object], str]] = [
    (policy(("k: 3", "k: 2")), "guarantees"),
    (policy(("[4, 3]", "[4, 3, 2]")), "columns.zip"),
    (policy(("release:", "suppression: 1\nrelease:")), "suppression"),
    (policy(("ward: {role: other}", "ward: {role: identifier}")), "columns.ward"),
    (policy(("table: patients\n", "query: SELECT * FROM patients\n")), "source"),
    (database("ALTER TABLE patients ALTER age TYPE BIGINT"), "type of age"),
]


@pytest.mark.parametrize(("change", "named"), CHANGES)
@pytest.mark.parametrize("name", ["sql", "apply"])
def test_a_lock_older_than_a_change_is_refused_and_the_change_named(
    clinic: Clinic, name: str, change: Callable[[Clinic], object], named: str
) -> None:
    clinic.run("plan")
    change(clinic)
    before = clinic.state()
    ran = clinic.run(name)
    assert (ran.code, ran.out, clinic.state()) == (3, "", before)
    assert f"changed since: {named}. Run sqlgen plan again" in ran.err


def test_a_lock_older_than_its_hierarchy_file_is_refused(clinic: Clinic) -> None:
    listed(ZIPS)(clinic)
    clinic.run("plan")
    (clinic.folder / "zips.csv").write_text(ZIPS.replace("cz12,*", "cz11,*"), encoding="utf-8")
    ran = clinic.run("apply")
    assert ran.code == 3
    assert "changed since: hierarchy of zip. " in ran.err


def test_a_lock_older_than_its_hierarchy_table_is_refused(clinic: Clinic) -> None:
    clinic.sql("CREATE TABLE zips AS SELECT zip AS v, left(zip, 4) AS l FROM patients")
    clinic.edit(("{prefixes: [4, 3]}", "{table: zips}"))
    clinic.run("plan")
    clinic.sql("UPDATE zips SET l = 'cz11'")
    ran = clinic.run("apply")
    assert ran.code == 3
    assert "changed since: hierarchy of zip. " in ran.err


@pytest.mark.parametrize("change", [("patients_anon", "patients_b"), ("clinic.d", "./clinic.d")])
def test_a_lock_outlives_another_target_or_database_path(
    clinic: Clinic, change: tuple[str, str]
) -> None:
    clinic.run("plan")
    clinic.edit(change)
    assert clinic.run("apply").code == 0


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"{", b"[]", b"{}", b"null", b"\xff\xfe", b'{"lock": 1}', b'{"lock": 99}'),
        *(b'{"lock": 1, "levels": {"zip": 99, "age": 0}}', b"[" * 100_000),
    ],
)
@pytest.mark.parametrize("name", ["sql", "apply"])
def test_a_corrupt_lock_is_refused(clinic: Clinic, name: str, content: bytes) -> None:
    lock_path(clinic.policy).write_bytes(content)
    before = clinic.state()
    ran = clinic.run(name)
    assert (ran.code, ran.out, clinic.state()) == (3, "", before)
    assert "policy.lock: the lock " in ran.err


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"zip": 1', '"zip": 99'),
        ('"zip": 1', '"zip": -1'),
        ('"age": 1,', ""),
        ('"age": 1', '"age": 1.5'),
        ('"measured": 3', '"measured": null'),
    ],
)
def test_a_lock_that_was_edited_into_nonsense_is_refused(
    clinic: Clinic, old: str, new: str
) -> None:
    clinic.run("plan")
    lock = lock_path(clinic.policy)
    text = lock.read_text(encoding="utf-8")
    start = text.index('"decision"')
    assert old in text[start:]
    lock.write_text(text[:start] + text[start:].replace(old, new, 1), encoding="utf-8")
    assert clinic.run("apply").code == 3


@pytest.mark.parametrize("level", [0, 3])
def test_a_lock_that_was_edited_to_another_node_is_measured_like_any(
    clinic: Clinic, level: int
) -> None:
    clinic.run("plan")
    lock = lock_path(clinic.policy)
    lock.write_text(lock.read_text(encoding="utf-8").replace('"zip": 1', f'"zip": {level}'))
    assert clinic.run("apply").code == (1 if level == 0 else 0)


def test_a_lock_is_applied_to_rows_that_came_later_and_they_are_measured(clinic: Clinic) -> None:
    clinic.run("plan")
    clinic.sql("INSERT INTO patients VALUES ('canary-gil', 'cz119', 770014, 'canary-flu', 'c')")
    document = json.loads(clinic.run("apply", "--json").out)
    assert (document["source_rows"], document["audit"]["rows"]) == (7, 7)


def test_a_lock_whose_node_fails_on_later_rows_ends_with_1_and_nothing_changed(
    clinic: Clinic,
) -> None:
    clinic.run("plan")
    clinic.sql("INSERT INTO patients VALUES ('canary-gil', 'cz991', 770099, 'canary-flu', 'c')")
    before = clinic.state()
    ran = clinic.run("apply")
    assert (ran.code, clinic.state()) == (1, before)
    assert "Nothing was changed." in ran.text
    assert shows_no_canary(ran.text)


def test_a_lock_whose_node_fails_within_the_budget_is_applied(clinic: Clinic) -> None:
    clinic.edit(("release:", "suppression: 1\nrelease:"))
    clinic.run("plan")
    clinic.sql("INSERT INTO patients VALUES ('canary-gil', 'cz991', 770099, 'canary-flu', 'c')")
    document = json.loads(clinic.run("apply", "--json").out)
    assert (document["suppressed_rows"], document["audit"]["rows"]) == (1, 6)


def test_a_lock_whose_hierarchy_does_not_cover_later_rows_is_refused(clinic: Clinic) -> None:
    listed(ZIPS)(clinic)
    clinic.run("plan")
    clinic.sql("INSERT INTO patients VALUES ('canary-gil', 'cz119', 770014, 'canary-flu', 'c')")
    before = clinic.state()
    ran = clinic.run("apply")
    assert (ran.code, ran.out, clinic.state()) == (2, "", before)
    assert shows_no_canary(ran.err)


# Options, and what a message says of the state of things


TWICE = {
    "check": ["clinic.duckdb", "patients", "--quasi=zip", "--quasi", "age"],
    "frontier": ["policy.yml", "--vary", "k=2", "--vary", "k=3,4"],
    "audit": ["policy.yml", "--table", "patients_anon", "--table", "patients"],
    "plan": ["policy.yml", "--nodes", "5", "--nodes", "6"],
}


@pytest.mark.parametrize("name", TWICE)
def test_an_option_that_is_given_twice_is_refused(
    name: str, clinic: Clinic, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(clinic.folder)
    before = clinic.state()
    ran = run(name, *TWICE[name])
    assert ran.code == 2
    assert f"{TWICE[name][-2]} is given 2 times, and has one value" in ran.err
    assert ran.out == ""
    assert clinic.state() == before


@pytest.mark.parametrize("name", ["plan", "minimal", "frontier", "explain"])
def test_a_column_that_is_held_to_levels_twice_is_refused(name: str, clinic: Clinic) -> None:
    before = clinic.state()
    ran = clinic.run(name, "--level", "zip=1", "--level", "zip=0")
    assert ran.code == 2
    assert "--level is given twice for zip. Write it once." in ran.err
    assert clinic.state() == before


def test_an_option_of_many_values_and_a_flag_can_be_given_twice(clinic: Clinic) -> None:
    ran = clinic.run("plan", "--level", "zip=1", "--level", "age=1", "--json", "--json")
    assert ran.code == 0
    assert json.loads(ran.out)["levels"] == {"zip": 1, "age": 1}


READS = {
    "check": ["gone.duckdb", "patients", "--quasi", "zip"],
    "minimal": ["gone.yml"],
    "frontier": ["gone.yml"],
    "explain": ["gone.yml", "--level", "zip=9"],
    "audit": ["gone.yml"],
    "sql": ["gone.yml"],
    "history": ["gone.yml"],
    "show": ["gone.yml", "1"],
}


@pytest.mark.parametrize("name", READS)
def test_a_command_that_only_reads_does_not_say_that_nothing_was_changed(
    name: str, clinic: Clinic, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(clinic.folder)
    text = clinic.policy.read_text().replace("clinic.duckdb", "gone.duckdb")
    (clinic.folder / "gone.yml").write_text(text)
    ran = run(name, *READS[name])
    assert ran.code == 2
    assert ran.err.endswith("there is no such database file.\n")


def test_a_command_that_changes_says_that_nothing_was(clinic: Clinic) -> None:
    clinic.edit(("clinic.duckdb", "gone.duckdb"))
    for name in ("plan", "apply", "run"):
        assert clinic.run(name).err.endswith("no such database file. Nothing was changed.\n")


def test_an_interrupted_reader_does_not_say_it_either(
    clinic: Clinic, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sqlgen.auditing.audit.audit_table", interrupted)
    assert clinic.run("audit").err == "sqlgen: interrupted.\n"


@pytest.mark.parametrize(
    "arguments",
    [("check", "clinic.duckdb", "patients", "--quasi", "zip"), ("run", "policy.yml")],
    ids=lambda arguments: arguments[0],
)
def test_a_limit_on_files_is_told_of_the_folder_for_temporary_files(
    arguments: tuple[str, ...], clinic: Clinic
) -> None:
    given = [str(clinic.folder / each) if "." in each else each for each in arguments]
    more = ["--log", "json"] if arguments[0] == "run" else []
    ran = spawn(*given, *more, before=with_files_of_at_most(0))
    assert ran.code == 3
    assert "a folder for temporary files cannot be made" in ran.err
    assert "TMPDIR" in ran.err
    assert "output" not in ran.err
    if more:
        last = json.loads(ran.out.splitlines()[-1])
        assert last["exit_code"] == 3
        assert "temporary files" in last["message"]


def test_another_file_that_fails_is_not_called_the_output(
    clinic: Clinic, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise OSError(5, "Input/output error", "/hidden")

    monkeypatch.setattr("sqlgen.auditing.audit.audit_table", fails)
    ran = clinic.run("audit")
    assert ran.code == 4
    assert ran.err == "sqlgen: a file or folder could not be read or written (OSError)\n"


@pytest.mark.parametrize("arguments", [("history",), ("run", "--log", "json")])
def test_an_output_without_a_reader_is_called_the_output(
    arguments: tuple[str, ...], clinic: Clinic
) -> None:
    name, *options = arguments
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        command(name, str(clinic.policy), *options),
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (
        4,
        "sqlgen: the output could not be written (BrokenPipeError)\n",
    )
