"""Increments: each release has the rows that came since the last one, and no others, once."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from nights import DAY, FIRST, ROWS, Clock, Nights, name_of
from sqlgen import (
    RefusedError,
    apply_plan,
    apply_sql,
    make_plan,
    minimal_nodes,
    read_history,
    read_lock,
)
from sqlgen.cli.text.history import entry_text
from sqlgen.errors import NothingNewError
from tables import LEDGER, names_in, state_of


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


@pytest.fixture
def nights(clock: Clock, tmp_path: Path) -> Nights:
    return Nights(clock, tmp_path)


@pytest.mark.parametrize("spelled", ["TIMESTAMP", "TIMESTAMPTZ", "TIMESTAMP_NS"])
def test_each_night_releases_the_rows_that_came_since_the_last_one(
    spelled: str, clock: Clock, tmp_path: Path
) -> None:
    nights = Nights(clock, tmp_path, spelled)
    # Rows of the last day of all stand there from the first night on: their time is to come.
    nights.come(9)
    for day in range(4):
        nights.come(day)
        assert nights.run().satisfied
        assert nights.files()[-1] == name_of(clock.moment)
        assert nights.days(nights.files()[-1]) == {day: 120}
        clock.moment += DAY
    assert len(nights.files()) == 4


def test_a_day_is_released_once_it_is_over(clock: Clock, tmp_path: Path) -> None:
    nights = Nights(clock, tmp_path, "DATE")
    nights.come(0)
    assert nights.run().how == "idle"
    for day in range(1, 4):
        clock.moment += DAY
        nights.come(day)
        assert nights.run().satisfied
        assert nights.days(nights.files()[-1]) == {day - 1: 120}
        clock.moment += timedelta(minutes=5)
        assert nights.run().how == "idle"


def test_a_row_on_the_edge_of_two_windows_is_in_one(nights: Nights) -> None:
    for minutes, day in ((-1, 1), (0, 2), (1, 3)):
        time = f"TIMESTAMP '{FIRST + timedelta(minutes=minutes):%Y-%m-%d %H:%M:%S}'"
        sql = ROWS.format(day=day, rows=60, time=time)
        nights.connection.execute(f"INSERT INTO patients {sql}")
    nights.hold()
    nights.run()
    nights.clock.moment += timedelta(minutes=1)
    nights.run()
    assert [nights.days(each) for each in nights.files()] == [{1: 60, 2: 60}, {3: 60}]


@pytest.mark.parametrize("spelled", ["TIMESTAMP", "TIMESTAMPTZ"])
def test_times_are_read_in_utc_wherever_the_session_is(
    spelled: str, clock: Clock, tmp_path: Path
) -> None:
    nights = Nights(clock, tmp_path, spelled)
    nights.connection.execute("SET TimeZone = 'America/Los_Angeles'")
    for day in range(2):
        nights.come(day)
    for _ in range(2):
        nights.run()
        nights.clock.moment += DAY
    assert [nights.days(each) for each in nights.files()] == [{0: 120}, {1: 120}]
    first, second = reversed(read_history(nights.policy(), nights.connection))
    assert first.since_until == second.since_after == "2026-03-01T23:30:00Z"


def test_each_increment_gives_every_guarantee_by_itself(nights: Nights) -> None:
    nights.come(0)
    nights.come(1, 240)
    nights.connection.execute("UPDATE patients SET age = 70 WHERE visits = 1 AND name LIKE '%/7'")
    policy = nights.policy(suppression="5%")
    nights.hold(policy)
    made = []
    for _ in range(2):
        run = nights.run(policy)
        assert run.satisfied
        assert run.release is not None
        made.append(run.release)
        sizes = (
            f"SELECT COUNT(*) FROM '{nights.folder / nights.files()[-1]}' GROUP BY zip, age, sex"
        )
        assert min(nights.connection.execute(sizes).fetchall()) >= (4,)
        nights.clock.moment += DAY
    # One of 240 new rows is too few for a class, though the table has 360.
    assert (made[1].rows, made[1].suppressed_rows, made[1].budget) == (240, 1, 12)


def test_the_ledger_says_which_moments_of_runs_and_how_many_rows(nights: Nights) -> None:
    for day in range(2):
        nights.come(day)
        nights.run()
        nights.clock.moment += DAY
    second, first = read_history(nights.policy(), nights.connection)
    assert (first.since_column, first.since_after, first.since_until, first.settled_rows) == (
        *("loaded_at", None, "2026-03-01T23:30:00Z", 120),
    )
    assert second.to_dict()["since_after"] == "2026-03-01T23:30:00Z"
    assert second.to_dict()["since_until"] == "2026-03-02T23:30:00Z"
    assert (second.source_rows, second.settled_rows) == (120, 240)
    words = "loaded_at, after 2026-03-01T23:30:00Z, until 2026-03-02T23:30:00Z; 240 had arrived"
    assert words in entry_text(second)
    assert "by loaded_at, until 2026-03-01T23:30:00Z; 120 had arrived" in entry_text(first)


def test_a_release_of_all_rows_has_no_window_in_the_ledger(nights: Nights) -> None:
    nights.come(0)
    policy = nights.policy(release={"table": "released"})
    apply_plan(make_plan(policy, nights.connection), nights.connection)
    (entry,) = read_history(policy, nights.connection)
    told = (entry.since_column, entry.since_after, entry.since_until, entry.settled_rows)
    assert (told, entry.window) == ((None,) * 4, None)
    assert "until" not in entry_text(entry)


def test_the_ledger_holds_no_time_of_the_table(nights: Nights) -> None:
    nights.come(0)
    nights.connection.execute(
        "UPDATE patients SET loaded_at = TIMESTAMP '2026-02-03 04:05:06.789' WHERE age = 33"
    )
    nights.run()
    held = str(nights.connection.execute(f"FROM {LEDGER}").fetchall())
    held += (
        str([told for _, told in nights.on_statement])
        + nights.folder.joinpath("policy.lock").read_text()
    )
    for canary in ("2026-02-03", "04:05:06", "2, 3, 4, 5", "2026-03-01 01:0", ".789"):
        assert canary not in held


def test_a_night_without_new_rows_changes_nothing(nights: Nights) -> None:
    nights.come(0)
    nights.run()
    nights.clock.moment += DAY
    before = state_of(nights.connection, nights.folder)
    made = nights.run()
    assert (made.how, made.satisfied, made.release, made.plan) == ("idle", True, None, None)
    assert nights.on_statement[-1] == (
        "idle",
        {"after": "2026-03-01 23:30:00", "until": "2026-03-02 23:30:00"},
    )
    assert nights.events() == ["started", "idle"]
    assert state_of(nights.connection, nights.folder) == before
    # What comes late on that day is new to the night after it.
    nights.clock.moment += DAY
    nights.come(1)
    assert nights.run().satisfied
    assert nights.days(nights.files()[-1]) == {1: 120}


def test_a_first_night_without_rows_is_idle_and_makes_neither_lock_nor_ledger(
    nights: Nights,
) -> None:
    nights.come(5)
    assert nights.run().how == "idle"
    assert nights.on_statement[-1][1] == {"after": None, "until": "2026-03-01 23:30:00"}
    assert list(nights.folder.iterdir()) == []
    assert names_in(nights.connection) == {"patients"}


@pytest.mark.parametrize("verb", [make_plan, minimal_nodes, apply_sql, apply_plan])
def test_who_asks_for_a_release_of_no_rows_is_told_so(nights: Nights, verb: Any) -> None:
    nights.come(0)
    plan = make_plan(nights.policy(), nights.connection)
    nights.run()
    nights.clock.moment += DAY
    asked = plan if verb in (apply_sql, apply_plan) else nights.policy()
    with pytest.raises(
        NothingNewError, match="no row is new, none has a loaded_at after 2026-03-01"
    ):
        verb(asked, nights.connection)


@pytest.mark.parametrize(
    "back", [-timedelta(milliseconds=900), timedelta(), timedelta(seconds=1), 400 * DAY]
)
def test_a_clock_that_was_set_back_is_refused(nights: Nights, back: timedelta) -> None:
    nights.come(0)
    nights.run()
    nights.come(1)
    nights.clock.moment -= back
    before = state_of(nights.connection, nights.folder)
    with pytest.raises(RefusedError, match="was the clock set back, or the lag raised"):
        nights.run()
    assert state_of(nights.connection, nights.folder) == before


def test_a_release_has_the_time_that_its_run_was_begun_at(nights: Nights) -> None:
    nights.come(0)
    nights.clock.tick = timedelta(seconds=1)
    policy = nights.policy(since={"column": "loaded_at", "lag": "2h"})
    assert nights.run(policy).satisfied
    (entry,) = read_history(policy, nights.connection)
    assert entry.window is not None
    assert nights.files() == [name_of(entry.window.until + timedelta(hours=2))]


def test_a_file_that_has_the_name_already_is_not_replaced(nights: Nights) -> None:
    nights.come(0)
    nights.run()
    nights.clock.moment += DAY
    nights.come(1)
    (nights.folder / name_of(nights.clock.moment)).write_bytes(b"not ours")
    before = state_of(nights.connection, nights.folder)
    with pytest.raises(RefusedError, match="the file exists already"):
        nights.run()
    assert state_of(nights.connection, nights.folder) == before


def test_a_lag_leaves_rows_time_to_come(nights: Nights) -> None:
    nights.come(0)
    nights.come(1)
    nights.clock.moment += DAY
    policy = nights.policy(since={"column": "loaded_at", "lag": "1d"})
    nights.run(policy)
    assert nights.files() == [name_of(nights.clock.moment)]
    assert nights.days(nights.files()[-1]) == {0: 120}
    (entry,) = read_history(policy, nights.connection)
    assert entry.since_until == "2026-03-01T23:30:00Z"
    with pytest.raises(RefusedError, match="or the lag raised"):
        nights.run(nights.policy(since={"column": "loaded_at", "lag": "25h"}))


def test_rows_that_came_late_are_drift_until_somebody_has_looked(nights: Nights) -> None:
    nights.come(0)
    nights.run()
    nights.clock.moment += DAY
    nights.come(0, 3)
    nights.come(1)
    before = state_of(nights.connection, nights.folder)
    late = "late: 3 rows came late: 123 rows have a loaded_at until .*, and release 1 counted 120"
    with pytest.raises(RefusedError, match=late):
        nights.run()
    assert nights.events() == ["started", "drift"]
    assert nights.on_statement[-1][1]["rule"] == "late"
    assert state_of(nights.connection, nights.folder) == before
    # By hand it goes on without them, and they are known from then on.
    policy = nights.policy()
    plan = read_lock(nights.folder / "policy.lock", policy)
    assert apply_plan(plan, nights.connection).rows == 120
    nights.clock.moment += DAY
    nights.come(2)
    assert nights.run().satisfied
    assert nights.days(nights.files()[-1]) == {2: 120}


def test_late_rows_are_told_on_a_night_without_new_ones(nights: Nights) -> None:
    nights.come(0)
    nights.run()
    nights.clock.moment += DAY
    nights.come(0, 1)
    with pytest.raises(RefusedError, match="late: 1 row came late"):
        nights.run()


def test_rows_that_went_are_no_drift(nights: Nights) -> None:
    nights.come(0)
    nights.run()
    nights.clock.moment += DAY
    nights.connection.execute("DELETE FROM patients WHERE age < 40")
    nights.come(1)
    assert nights.run().satisfied


def test_rows_without_a_time_are_refused(nights: Nights) -> None:
    nights.come(0)
    nights.connection.execute("UPDATE patients SET loaded_at = NULL WHERE age = 33")
    with pytest.raises(RefusedError, match="untimed: 3 rows have no loaded_at") as refused:
        nights.run()
    assert "Nothing was changed" in str(refused.value)
    with pytest.raises(RefusedError, match="3 rows have no loaded_at, and would never be released"):
        make_plan(nights.policy(), nights.connection)
    source = {"query": "SELECT * FROM patients WHERE loaded_at IS NOT NULL"}
    assert nights.run(nights.policy(source=source)).satisfied


@pytest.mark.parametrize(
    ("hours", "rows", "words"),
    [
        (24, 120, ""),
        (48, 240, ""),
        (24, 250, "250 rows came, 2.1 times the 120 that would at the pace of release 2"),
        (24, 50, "50 rows came; 2.4 times as many would at the pace of release 2: 120"),
        (48, 110, "the pace of release 2: 240"),
    ],
)
def test_increments_are_held_against_the_pace_of_increments(
    nights: Nights, hours: int, rows: int, words: str
) -> None:
    nights.come(0, 2400)
    nights.hold()
    nights.run()
    nights.clock.moment += DAY
    nights.come(1)
    assert nights.run().satisfied
    nights.clock.moment += timedelta(hours=hours)
    nights.come(2, rows)
    if not words:
        assert nights.run().satisfied
        return
    with pytest.raises(RefusedError, match=words):
        nights.run()


def test_a_share_of_nulls_is_held_against_that_of_the_last_increment(nights: Nights) -> None:
    nights.come(0, 2400)
    nights.run()
    nights.clock.moment += DAY
    nights.come(1)
    nights.connection.execute("UPDATE patients SET sex = NULL WHERE visits = 1 AND age < 30")
    with pytest.raises(RefusedError, match=r"sex is NULL in 25\.0%"):
        nights.run()


def test_the_lock_is_the_same_night_after_night(nights: Nights) -> None:
    nights.come(0)
    assert nights.run().how == "first"
    locked = (nights.folder / "policy.lock").read_bytes()
    for day in range(1, 3):
        nights.clock.moment += DAY
        nights.come(day)
        assert nights.run().how == "locked"
    assert (nights.folder / "policy.lock").read_bytes() == locked
    fingerprints = {
        (each.policy_fingerprint, each.source_fingerprint)
        for each in read_history(nights.policy(), nights.connection)
    }
    assert len(fingerprints) == 1
