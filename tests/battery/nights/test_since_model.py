"""Nights as they come: what is released is what a model of windows in plain Python says."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nights import FIRST, Clock
from sqlgen import RefusedError, apply_plan, make_plan, read_policy, run_policy
from sqlgen.errors import NothingNewError
from sqlgen.policy import RowWindow, share_rows

SPELLED = {
    "DATE": "CAST(TIMESTAMP '{:%Y-%m-%d %H:%M:%S.%f}' AS DATE)",
    "TIMESTAMP": "TIMESTAMP '{:%Y-%m-%d %H:%M:%S.%f}'",
    "TIMESTAMPTZ": "TIMESTAMPTZ '{:%Y-%m-%d %H:%M:%S.%f}+00'",
}


class Model:
    """The rows of a table by number, with the moment that each one counts from."""

    def __init__(self, spelled: str) -> None:
        self.spelled, self.rows = spelled, dict[int, datetime]()
        self.after: datetime | None = None
        self.known = 0
        self.released: list[set[int]] = []

    def come(self, moment: datetime) -> int:
        if self.spelled == "DATE":
            # The first moment at which the day is over.
            moment = datetime.combine(moment.date(), time(), UTC) + timedelta(days=1)
        self.rows[len(self.rows)] = moment
        return len(self.rows) - 1

    def settled(self, until: datetime) -> set[int]:
        return {number for number, moment in self.rows.items() if moment <= until}

    def run(self, until: datetime, *, by_hand: bool) -> str:
        """What comes of a run: refused, idle, failed or released."""
        if self.after is not None and until <= self.after:
            return "refused"
        before = self.settled(self.after) if self.after is not None else set()
        if len(before) > self.known and not by_hand:
            return "refused"
        new = self.settled(until) - before
        if len(new) < 2:
            return "failed" if new else "idle"
        self.released.append(new)
        self.after, self.known = until, len(self.settled(until))
        return "released"


def drawn_moment(choice: Random, now: datetime) -> datetime:
    """Mostly of the last two days; some to come, some on the very edge, some too late."""
    edges = [timedelta(), timedelta(microseconds=1), -timedelta(microseconds=1)]
    if choice.random() < 0.3:
        return now + choice.choice(edges)
    return now + timedelta(hours=choice.uniform(-30, 6) if choice.random() < 0.9 else -90)


@pytest.mark.parametrize("seed", range(9))
def test_every_row_is_released_once_it_is_settled_and_never_again(
    seed: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    choice = Random(seed)
    spelled = list(SPELLED)[seed % 3]
    clock, model = Clock(monkeypatch), Model(spelled)
    connection = duckdb.connect()
    connection.execute(f"SET TimeZone = '{choice.choice(['UTC', 'Asia/Tokyo', 'America/Lima'])}'")
    connection.execute(f"CREATE TABLE seen (id INTEGER, zip VARCHAR, came {spelled})")
    lag = choice.choice([0, 0, 3, 24])
    since = {"column": "came", "lag": f"{lag}h"}
    policy = read_policy(
        {
            "source": {"table": "seen"},
            "columns": {
                "id": {"role": "other"},
                "zip": {"role": "quasi", "hierarchy": "suppress"},
                "came": {"role": "identifier"},
            },
            "guarantees": [{"k_anonymity": {"k": 2}}],
            "release": {"table": "fresh", "timestamped": True, "since": since},
            "run": {"rows_factor": 1000, "nulls_rise": 1},
        }
    )
    outcomes: list[str] = []
    for _ in range(7):
        until = clock.moment - timedelta(hours=lag)
        for _ in range(choice.choice([0, 1, 3, 8])):
            moment = drawn_moment(choice, until)
            number = model.come(moment)
            connection.execute(
                f"INSERT INTO seen SELECT {number}, '4760', {SPELLED[spelled].format(moment)}"
            )
        by_hand = choice.random() < 0.4
        expected = model.run(until, by_hand=by_hand)
        assert made(policy, connection, tmp_path, by_hand=by_hand) == expected
        outcomes.append(expected)
        clock.moment += timedelta(hours=choice.choice([24, 24, 24, 1, 47, -1, 0.75]))
    names = [
        name
        for (name,) in connection.execute(
            "SELECT table_name FROM duckdb_tables() WHERE table_name LIKE 'fresh%' ORDER BY 1"
        ).fetchall()
    ]
    tables = [
        {number for (number,) in connection.execute(f"SELECT id FROM {name}").fetchall()}
        for name in names
    ]
    assert tables == model.released
    assert sum(map(len, tables)) == len(set().union(*tables))
    assert "released" in outcomes


def made(policy: Any, connection: duckdb.DuckDBPyConnection, folder: Path, *, by_hand: bool) -> str:
    try:
        if by_hand:
            plan = make_plan(policy, connection)
            return "released" if plan.satisfied and apply_plan(plan, connection) else "failed"
        run = run_policy(policy, connection, lock=folder / "policy.lock")
    except NothingNewError:
        return "idle"
    except RefusedError:
        return "refused"
    return {"idle": "idle", "failed": "failed"}.get(run.how, "released")


def test_the_model_knows_the_edges() -> None:
    model = Model("DATE")
    model.come(datetime(2026, 3, 1, 23, 59, tzinfo=UTC))
    assert model.settled(FIRST) == set()
    assert model.settled(datetime(2026, 3, 2, tzinfo=UTC)) == {0}


@given(
    st.lists(
        st.one_of(
            st.none(),
            st.tuples(st.sampled_from("aab"), st.integers(-1, 8), st.integers(1, 4)),
            st.tuples(st.just("a"), st.integers(-1, 8), st.integers(1, 4)),
        ),
        max_size=6,
    )
)
def test_windows_share_rows_where_a_moment_is_in_both(drawn: list[Any]) -> None:
    made: list[RowWindow | None] = []
    for each in drawn:
        if each is None:
            made.append(None)
            continue
        column, after, length = each
        begins = FIRST + timedelta(days=after) if after >= 0 else None
        made.append(RowWindow(column, begins, FIRST + timedelta(days=after + length)))
    expected = [
        one is None or any(meet(one, other) for place, other in enumerate(made) if place != number)
        for number, one in enumerate(made)
    ]
    assert share_rows(made) == expected


def meet(one: RowWindow, other: RowWindow | None) -> bool:
    if other is None or one.column != other.column:
        return True
    return any(
        all(
            (each.after is None or each.after < moment) and moment <= each.until
            for each in (one, other)
        )
        for moment in (FIRST + timedelta(days=day) for day in range(-9, 14))
    )
