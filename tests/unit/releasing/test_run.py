"""A scheduled run: the locked levels on today's table, and nothing where anything is not right."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from cli_harness import Clinic, make_clinic, shows_no_canary
from sqlgen import (
    HierarchyError,
    Plan,
    PolicyError,
    RefusedError,
    Run,
    SearchLimits,
    StalePlanError,
    make_plan,
    read_history,
    run_policy,
    write_lock,
)
from sqlgen.planning.lock import read_lock
from tables import patients, patients_columns, patients_policy, planned, rows_of, state_of


class Nights:
    """A table that is released night by night, and what was on_statement of it."""

    def __init__(self, folder: Path, rows: int = 240, **changes: Any) -> None:
        self.connection = patients(rows)
        self.lock = folder / "policy.lock"
        self.changes = changes
        self.on_statement: list[tuple[str, Mapping[str, Any]]] = []

    def policy(self, **changes: Any) -> Any:
        return patients_policy(**{**self.changes, **changes})

    def run(self, **changes: Any) -> Run:
        self.on_statement.clear()
        return run_policy(
            self.policy(**changes),
            self.connection,
            lock=self.lock,
            on_step=lambda *told: self.on_statement.append(told),
        )

    @staticmethod
    def plan_of(made: Run) -> Plan:
        assert made.plan is not None
        return made.plan

    def events(self) -> list[str]:
        return [event for event, _ in self.on_statement]


@pytest.fixture
def nights(tmp_path: Path) -> Nights:
    return Nights(tmp_path)


def test_the_first_run_plans_and_locks_and_the_next_one_uses_the_lock(nights: Nights) -> None:
    first = nights.run()
    assert (first.how, first.satisfied) == ("first", True)
    locked = nights.lock.read_bytes()
    assert read_lock(nights.lock, nights.policy()).levels == nights.plan_of(first).levels
    second = nights.run()
    assert (second.how, second.satisfied) == ("locked", True)
    assert nights.lock.read_bytes() == locked
    assert nights.events() == ["started", "locked", "joint", "released"]


def test_the_same_night_twice_gives_the_same_release(nights: Nights) -> None:
    nights.run()
    before = rows_of(nights.connection)
    nights.run()
    assert rows_of(nights.connection) == before
    assert len(read_history(nights.policy(), nights.connection)) == 2


def test_the_locked_levels_stay_though_others_would_lose_less(nights: Nights) -> None:
    plan = make_plan(nights.policy(), nights.connection, limits=SearchLimits({"zip": (2, 2)}))
    assert plan.satisfied
    assert make_plan(nights.policy(), nights.connection).levels_to("test")["zip"] < 2
    write_lock(plan, nights.lock)
    assert nights.plan_of(nights.run()).levels == plan.levels


def break_the_lock(nights: Nights) -> dict[str, int]:
    """Locked levels that give the guarantee today and, with rare people added, not tomorrow."""
    nights.run()
    levels = dict(read_lock(nights.lock, nights.policy()).levels_to("test"))
    nights.connection.execute(
        "INSERT INTO patients SELECT 'late ' || i, '4760' || i % 4, 150 + 10 * i, 'x', 'flu', 1 "
        "FROM RANGE(60) AS t (i)"
    )
    return levels


def test_locked_levels_that_fail_leave_the_last_good_release(nights: Nights) -> None:
    break_the_lock(nights)
    before = state_of(nights.connection)
    made = nights.run()
    assert (made.how, made.satisfied, made.release) == ("failed", False, None)
    assert nights.events() == ["started", "broken", "failed"]
    assert state_of(nights.connection) == before


def test_coarsen_takes_the_nearest_coarser_node_that_gives_the_guarantee(nights: Nights) -> None:
    levels = break_the_lock(nights)
    locked = nights.lock.read_bytes()
    made = nights.run(run={"on_drift": "coarsen"})
    assert (made.how, made.satisfied) == ("coarsened", True)
    coarser = nights.plan_of(made).levels_to("test")
    assert all(coarser[name] >= level for name, level in levels.items())
    assert nights.lock.read_bytes() == locked
    distance = sum(coarser.values()) - sum(levels.values())
    assert distance > 0
    # No node above the locked one is nearer: each of them is tried by itself.
    heights = {"zip": 2, "age": 3, "sex": 1}
    for name in heights:
        for other in heights:
            nearer = dict(levels)
            for each in (name, other)[: distance - 1]:
                nearer[each] = min(nearer[each] + 1, heights[each])
            if sum(nearer.values()) - sum(levels.values()) < distance:
                held = {each: (at, at) for each, at in nearer.items()}
                assert not make_plan(
                    nights.policy(), nights.connection, limits=SearchLimits(held)
                ).satisfied


def test_replan_finds_the_best_node_anew_and_locks_it(nights: Nights) -> None:
    break_the_lock(nights)
    best = make_plan(nights.policy(), nights.connection)
    made = nights.run(run={"on_drift": "replan"})
    assert (made.how, nights.plan_of(made).levels) == ("replanned", best.levels)
    assert read_lock(nights.lock, nights.policy()).levels == best.levels


@pytest.mark.parametrize("on_drift", ["coarsen", "replan"])
def test_where_no_node_gives_the_guarantee_nothing_is_changed(
    on_drift: str, tmp_path: Path
) -> None:
    nights = Nights(tmp_path, 12, suppression="0")
    nights.run()
    nights.connection.execute("DELETE FROM patients WHERE visits <> 1")
    before = state_of(nights.connection)
    made = nights.run(run={"on_drift": on_drift, "rows_factor": 100})
    assert not made.satisfied
    assert state_of(nights.connection) == before


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            "INSERT INTO patients SELECT p.* FROM patients AS p, RANGE(2)",
            "has 3.0 times the rows that it had at release 1: 720",
        ),
        (
            "DELETE FROM patients WHERE visits <> 1",
            "had 5.0 times as many rows at release 1: 240, not 48",
        ),
        (
            "UPDATE patients SET sex = NULL WHERE age < 30",
            "sex is NULL in 25.0% of the rows (60 of 240); at release 1 it was in 0%",
        ),
        ("UPDATE patients SET visits = NULL WHERE age < 30", "visits is NULL in 25.0%"),
    ],
)
def test_a_table_that_drifted_is_refused_before_anything_is_built(
    nights: Nights, change: str, words: str
) -> None:
    nights.run()
    nights.connection.execute(change)
    before = state_of(nights.connection)
    with pytest.raises(RefusedError) as refused:
        nights.run()
    assert words in str(refused.value)
    assert nights.events() == ["started", "drift"]
    assert state_of(nights.connection) == before


def test_a_factor_or_a_rise_that_the_policy_allows_is_no_drift(nights: Nights) -> None:
    nights.run()
    nights.connection.execute("INSERT INTO patients SELECT p.* FROM patients AS p, RANGE(2)")
    nights.connection.execute("UPDATE patients SET visits = NULL WHERE age < 30")
    assert nights.run(run={"rows_factor": 3, "nulls_rise": "30%"}).satisfied


def test_a_column_that_is_new_or_has_another_type_is_refused(nights: Nights) -> None:
    nights.run()
    nights.connection.execute("ALTER TABLE patients ALTER visits TYPE BIGINT")
    with pytest.raises(StalePlanError, match="type of visits"):
        nights.run()
    nights.connection.execute("ALTER TABLE patients ADD COLUMN phone VARCHAR")
    with pytest.raises(PolicyError, match="does not mention: phone"):
        nights.run()


def test_a_value_outside_its_hierarchy_is_refused(tmp_path: Path) -> None:
    columns = patients_columns()
    columns["sex"] = {"role": "quasi", "hierarchy": {"tree": {"any": ["f", "m"]}}}
    nights = Nights(tmp_path, columns=columns)
    nights.run()
    nights.connection.execute("UPDATE patients SET sex = 'canary' WHERE age = 20")
    with pytest.raises(HierarchyError) as refused:
        nights.run()
    assert "canary" not in str(refused.value)


def test_another_policy_than_the_locked_one_is_refused(nights: Nights) -> None:
    nights.run()
    with pytest.raises(StalePlanError, match="guarantees"):
        nights.run(guarantees=[{"k_anonymity": {"k": 5}}])


def test_a_table_that_no_run_made_is_not_replaced(nights: Nights) -> None:
    nights.connection.execute("CREATE TABLE released AS SELECT 'mine' AS words")
    with pytest.raises(RefusedError, match="exists already"):
        nights.run()
    assert rows_of(nights.connection) == [("mine",)]


def test_a_target_that_vanished_is_made_again(nights: Nights) -> None:
    nights.run()
    nights.connection.execute("DROP TABLE released")
    assert nights.run().satisfied


def test_a_run_needs_the_ledger(nights: Nights) -> None:
    with pytest.raises(PolicyError, match="a run needs the ledger"):
        nights.run(ledger="off")


def test_a_table_that_became_its_own_release_is_done_and_is_measured_again(nights: Nights) -> None:
    place = {"release": {"in_place": "true"}}
    assert nights.run(**place).how == "first"
    before = state_of(nights.connection)
    made = nights.run(**place)
    assert (made.how, made.satisfied) == ("done", True)
    assert state_of(nights.connection) == before
    nights.connection.execute("INSERT INTO patients BY NAME SELECT 'alone' AS zip")
    assert not nights.run(**place).satisfied


# The command


@pytest.fixture
def clinic(tmp_path: Path) -> Clinic:
    return make_clinic(tmp_path)


def test_a_log_of_json_is_a_line_per_step_with_the_runs_id_and_no_value(clinic: Clinic) -> None:
    for _ in range(2):
        ran = clinic.run("run", "--log", "json")
        assert (ran.code, ran.err) == (0, "")
        lines = [json.loads(line) for line in ran.out.splitlines()]
        assert len({line["run"] for line in lines}) == 1
        assert lines[0]["event"] == "started"
        assert (lines[-1]["event"], lines[-1]["exit_code"]) == ("ended", 0)
        assert shows_no_canary(ran.out)


@pytest.mark.battery
@pytest.mark.parametrize(
    ("change", "code"),
    [
        (("k: 3", "k: 4"), 3),
        (("database: clinic", "database: nowhere"), 2),
        (("age: {role: quasi", "age: {role: qasi"), 2),
    ],
)
def test_a_run_that_fails_says_its_exit_code_in_its_last_line(
    clinic: Clinic, change: tuple[str, str], code: int
) -> None:
    assert clinic.run("run").code == 0
    clinic.edit(change)
    ran = clinic.run("run", "--log", "json")
    assert ran.code == code
    last = json.loads(ran.out.splitlines()[-1])
    assert (last["event"], last["exit_code"]) == ("ended", code)
    assert last["message"]


def test_a_guarantee_that_is_not_met_any_more_ends_with_1(clinic: Clinic) -> None:
    assert clinic.run("run").code == 0
    clinic.sql("UPDATE patients SET zip = 'cz999' WHERE name = 'canary-ada'")
    ran = clinic.run("run", "--log", "json")
    assert ran.code == 1
    assert [json.loads(line)["event"] for line in ran.out.splitlines()] == [
        "started",
        "broken",
        "failed",
        "ended",
    ]


def test_of_two_runs_at_once_one_wins_and_the_other_ends_with_3(clinic: Clinic) -> None:
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            f"import duckdb, time; c = duckdb.connect({str(clinic.database)!r}); print('held', "
            "flush=True); time.sleep(60)",
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        ran = clinic.run("run")
        assert ran.code == 3
        assert "the database is locked by another process" in ran.err
    finally:
        # A holder that is gone, however it went, holds nothing any more.
        os.kill(holder.pid, signal.SIGKILL)
        holder.communicate()
    deadline = time.monotonic() + 30
    while clinic.run("run").code != 0:
        assert time.monotonic() < deadline


def test_a_run_in_place_without_a_terminal_wants_yes(clinic: Clinic) -> None:
    clinic.release_to("in_place: {scrub: unlink}")
    refused = clinic.run("run")
    assert refused.code == 3
    assert "Say --yes" in refused.err
    assert clinic.run("run", "--yes").code == 0
    assert b"canary-ada" not in clinic.database.read_bytes()


def test_the_plan_of_a_run_is_that_of_the_connection_it_holds(nights: Nights) -> None:
    plan = planned(nights.policy(), nights.connection)
    assert nights.plan_of(nights.run()).levels == plan.levels
