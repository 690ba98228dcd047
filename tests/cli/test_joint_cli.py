"""The command that audits a release with its history: exit codes, text, and no value in either."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli_harness import Clinic, make_clinic, shows_no_canary


@pytest.fixture
def clinic(tmp_path: Path) -> Clinic:
    """A clinic with two releases, each as its policy asks, of which the second is the policy's."""
    made = make_clinic(tmp_path)
    made.edit(("disease: {role: sensitive}", "disease: {role: sensitive}\n  # x"))
    made.edit(("ward: {role: other}", "ward: {role: identifier}"))
    made.edit(("k_anonymity: {k: 3}", "k_anonymity: {k: 2}"))
    made.sql(
        "CREATE OR REPLACE TABLE patients AS SELECT 'canary-' || i AS name, "
        "['cz111', 'cz122'][1 + i // 2 % 2] AS zip, [770011, 770022][1 + i % 2] AS age, "
        "'canary-' || i AS disease, 'canary-red' AS ward FROM RANGE(4) AS t (i)"
    )
    made.run("plan", "--level", "zip=0", "--level", "age=2")
    assert made.run("apply").code == 0
    made.edit(("table: patients_anon", "table: patients_next"))
    made.run("plan", "--level", "zip=3", "--level", "age=0")
    assert made.run("apply").code == 0
    return made


@pytest.mark.battery
@pytest.mark.parametrize(("mode", "code"), [("fail", 1), ("warn", 0), ("off", 0)])
def test_the_command_ends_with_1_where_the_policy_is_broken_jointly_and_says_fail(
    clinic: Clinic, mode: str, code: int
) -> None:
    clinic.edit(("release:", f"joint: {mode}\nrelease:"))
    assert clinic.run("audit").code == 0
    ran = clinic.run("audit", "--with-history")
    assert ran.code == code
    assert "The policy is met.\n2 releases, read together, show 4 rows" in ran.out
    verdict = "joint: off" if mode == "off" else "The policy is not met jointly."
    assert verdict in ran.out.splitlines()[-1]
    told = json.loads(clinic.run("audit", "--with-history", "--json").out)
    assert told["satisfied"] is True
    assert told["joint"]["satisfied"] is False
    assert told["joint"]["sizes"] == [{"unit": None, "fewest": 1, "required": 2, "rows_below": 4}]


def test_a_table_of_any_tool_is_read_with_the_releases(clinic: Clinic) -> None:
    clinic.sql(
        "CREATE TABLE theirs AS SELECT '*' AS zip, '*' AS age, disease FROM patients",
        "DROP TABLE patients_next",
    )
    ran = clinic.run("audit", "--with-history", "--table", "theirs")
    assert ran.code == 0
    assert "  release 1, table patients_anon\n  table theirs\n" in ran.out


def test_no_message_holds_a_value(clinic: Clinic) -> None:
    assert shows_no_canary(clinic.run("audit", "--with-history").text)
    clinic.sql("INSERT INTO patients_anon VALUES ('cz199', '*', 'canary-x')")
    ran = clinic.run("audit", "--with-history")
    assert ran.code == 1
    assert "Cannot be judged: release 1, table patients_anon: it shows 1 label of zip" in ran.out
    assert shows_no_canary(ran.text)


def test_reading_the_history_leaves_nothing_behind(clinic: Clinic) -> None:
    before = clinic.state()
    clinic.run("audit", "--with-history")
    assert clinic.state() == before


def test_a_mode_that_is_none_is_refused(clinic: Clinic) -> None:
    clinic.edit(("release:", "joint: maybe\nrelease:"))
    ran = clinic.run("audit")
    assert ran.code == 2
    assert "joint" in ran.err
