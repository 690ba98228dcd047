"""Increments on the command line: what is printed, with which exit code; no time of the table."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from cli_harness import Clinic, make_clinic, run

# A time that no run has and no message may hold.
CANARY = "2019-07-06 05:04:03"


@pytest.fixture
def clinic(tmp_path: Path) -> Clinic:
    made = make_clinic(tmp_path)
    made.sql(f"ALTER TABLE patients ADD COLUMN came TIMESTAMP DEFAULT TIMESTAMP '{CANARY}'")
    made.edit(("  ward: {role: other}", "  ward: {role: other}\n  came: {role: identifier}"))
    made.release_to("parquet: new.parquet\n  timestamped: true\n  since: came")
    return made


def test_new_rows_are_released_and_then_there_are_none(clinic: Clinic) -> None:
    assert clinic.run("plan").code == 0
    first = clinic.run("apply")
    assert (first.code, "Released 6 of 6 rows" in first.out) == (0, True)
    time.sleep(1.1)
    before = clinic.state()
    for command, code in (("apply", 0), ("sql", 3), ("plan", 3), ("frontier", 3)):
        ran = clinic.run(command)
        assert ran.code == code
        assert ran.out == ""
        assert "release.since: no row is new, none has a came after " in ran.err
        assert ("Nothing was changed." in ran.err) == (command in ("apply", "plan"))
    ran = clinic.run("apply", "--json")
    assert (ran.code, json.loads(ran.out)) == (0, {"satisfied": True, "release": None})
    ran = clinic.run("run", "--log", "json")
    lines = [json.loads(line) for line in ran.out.splitlines()]
    assert [each["event"] for each in lines] == ["started", "idle", "ended"]
    assert (ran.code, lines[-1]["exit_code"], ran.err) == (0, 0, "")
    assert clinic.state() == before


def test_what_is_printed_holds_no_time_of_the_table(clinic: Clinic) -> None:
    printed = clinic.run("plan").text + clinic.run("run").text + clinic.run("sql").text
    time.sleep(1.1)
    clinic.sql(f"INSERT INTO patients SELECT * FROM patients WHERE came = '{CANARY}'")
    late = clinic.run("run")
    assert late.code == 3
    assert "late: 6 rows came late: 12 rows have a came until " in late.err
    clinic.sql("UPDATE patients SET came = NULL WHERE name = 'canary-ada'")
    untimed = clinic.run("run")
    assert untimed.code == 3
    assert "untimed: 2 rows have no came, and would never be released" in untimed.err
    printed += late.text + untimed.text + clinic.run("plan").text + clinic.run("show", "1").text
    printed += clinic.run("history", "--json").text + clinic.run("report", "--json").text
    printed += (clinic.folder / "policy.lock").read_text(encoding="utf-8")
    for part in ("2019", "07-06", "05:04", "canary-"):
        assert part not in printed


def test_show_and_history_tell_the_window(clinic: Clinic) -> None:
    clinic.run("run")
    (entry,) = json.loads(clinic.run("history", "--json").out)["releases"]
    assert (entry["since_column"], entry["since_after"], entry["settled_rows"]) == ("came", None, 6)
    shown = clinic.run("show", "1").out
    assert f"New rows alone, by came, until {entry['since_until']}; 6 had arrived by then." in shown


def test_the_schema_knows_both_spellings() -> None:
    schema = json.loads(run("schema").out)
    spelled = schema["$defs"]["ReleaseTarget"]["properties"]["since"]["anyOf"]
    assert [each["type"] for each in spelled] == ["string", "object"]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("since: came", "since: gone", "gone must be a column of the policy"),
        ("since: came", "since: {column: came, lag: soon}", "lag: write a whole number of hours"),
        ("since: came", "since: [came]", "release.since"),
        ("  timestamped: true\n", "", "since is for a timestamped target"),
        ("release:", "ledger: off\nrelease:", "ledger: release.since needs the ledger"),
        ("since: came", "since: zip", "zip must be a DATE, a TIMESTAMP or a TIMESTAMP WITH"),
    ],
)
def test_a_since_that_does_not_fit_ends_with_2(
    clinic: Clinic, old: str, new: str, words: str
) -> None:
    clinic.edit((old, new))
    before = clinic.state()
    for command in ("plan", "run"):
        ran = clinic.run(command)
        assert ran.code == 2
        assert words in ran.err
        assert "policy.yml:" in ran.err
    assert clinic.state() == before
