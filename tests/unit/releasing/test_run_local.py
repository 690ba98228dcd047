"""Nights of a table that is recoded locally: the lock's regions, and what drift does to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from sqlgen import Run, read_history, run_policy
from tables import patients, patients_policy, rows_of, state_of


class LocalNights:
    """The patients, recoded locally and released night by night, with the log of the last run."""

    def __init__(self, folder: Path, rows: int = 240, **changes: Any) -> None:
        self.connection = patients(rows)
        self.lock = folder / "policy.lock"
        self.changes = {"recoding": "local", **changes}
        self.log: list[tuple[str, Mapping[str, Any]]] = []

    def policy(self, **changes: Any) -> Any:
        return patients_policy(**{**self.changes, **changes})

    def run(self, **changes: Any) -> Run:
        self.log.clear()
        return run_policy(
            self.policy(**changes),
            self.connection,
            lock=self.lock,
            on_step=lambda *entry: self.log.append(entry),
        )

    def entry(self, event: str) -> Mapping[str, Any]:
        """The log entry of an event of the last run."""
        return next(content for name, content in self.log if name == event)

    def smallest_class(self, table: str = "released") -> int:
        sizes = Counter(row[:3] for row in rows_of(self.connection, table))
        return min(sizes.values())


@pytest.fixture
def nights(tmp_path: Path) -> LocalNights:
    return LocalNights(tmp_path)


def test_the_same_night_twice_gives_the_same_local_release(nights: LocalNights) -> None:
    assert (nights.run().how, nights.run().how) == ("first", "locked")
    before = rows_of(nights.connection)
    assert nights.run().satisfied
    assert rows_of(nights.connection) == before
    assert [entry.recoding for entry in read_history(nights.policy(), nights.connection)] == [
        "local"
    ] * 3


def test_a_second_release_of_several_levels_is_stopped_or_warned_of(nights: LocalNights) -> None:
    nights.run()
    before = state_of(nights.connection)
    stopped = nights.run(release={"table": "other"})
    assert not stopped.satisfied
    assert "gives a column more than one level" in stopped.hindrance
    assert state_of(nights.connection) == before
    assert nights.run(release={"table": "other"}, joint="warn").satisfied
    assert nights.entry("joint")["unjudged"] == 1


def test_a_local_release_is_not_read_with_one_of_other_levels(nights: LocalNights) -> None:
    nights.run(recoding="full_domain")
    nights.lock.unlink()
    stopped = nights.run(release={"table": "other"})
    assert "cannot be judged together with release 1 (table released)" in stopped.hindrance
    assert nights.run(release={"table": "other"}, joint="warn").satisfied
