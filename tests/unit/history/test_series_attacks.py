"""Releases of new rows that are each as safe as was asked, and whom they tell of as a whole."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

from joint_attacks import K3, L2, joint_of, policy_of
from nights import DAY, Clock
from sqlgen import Policy, Run, audit_history, run_policy
from sqlgen.cli.text.history import joint_text

NEW = {"timestamped": True, "since": "came"}


class Ward:
    """A table that people come to, and policies that release all of it or its new rows."""

    def __init__(self, clock: Clock, folder: Path) -> None:
        self.clock, self.folder, self.connection = clock, folder, duckdb.connect()
        self.connection.execute("CREATE TABLE p (zip VARCHAR, disease VARCHAR, came TIMESTAMP)")

    def come(self, *diseases: str) -> None:
        for disease in diseases:
            come = [disease, self.clock.moment.replace(tzinfo=None)]
            self.connection.execute("INSERT INTO p VALUES ('10', ?, ?)", come)

    @staticmethod
    def policy(table: str, **more: Any) -> Policy:
        return policy_of({"table": table, **more}, K3, L2, zip=0, came={"role": "identifier"})

    def run(self, policy: Policy) -> Run:
        assert policy.release is not None
        return run_policy(policy, self.connection, lock=self.folder / policy.release.target)


@pytest.fixture
def ward(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Ward:
    return Ward(Clock(monkeypatch), tmp_path)


def test_a_release_of_all_rows_less_all_increments_exposes_who_came_last(ward: Ward) -> None:
    new = ward.policy("new", **NEW)
    for _ in range(2):
        ward.come("flu", "cold", "cold")
        assert ward.run(new).satisfied
        ward.clock.moment += DAY
    ward.come("gout")
    made = ward.run(ward.policy("whole"))
    assert not made.satisfied
    *alone, together = joint_of(made).differences
    assert [each.exposed_rows for each in alone] == [0, 0]
    assert (together.rows_came, together.rows_went, together.exposed_rows) == (1, 0, 1)
    assert together.earlier.startswith("all from release 1, ")
    assert together.later == "this release"


def test_a_later_increment_does_not_hide_whom_the_earlier_ones_left_out(ward: Ward) -> None:
    new, whole = ward.policy("new", **NEW), ward.policy("whole")
    new, whole = (each.model_copy(update={"joint": "warn"}) for each in (new, whole))
    for _ in range(2):
        ward.come("flu", "cold", "cold")
        assert ward.run(new).satisfied
        ward.clock.moment += DAY
    ward.come("flu")
    assert ward.run(whole).satisfied
    ward.come("cold", "cold")
    assert ward.run(new).satisfied
    together = audit_history(whole, ward.connection).differences[-2:]
    assert [(each.rows_came, each.rows_went, each.exposed_rows) for each in together] == [
        (0, 2, 2),
        (1, 0, 1),
    ]


def test_two_series_of_new_rows_are_not_compared_as_wholes_and_are_named(ward: Ward) -> None:
    four, six = (ward.policy(table, **NEW) for table in ("four", "six"))
    for policy, days in ((four, 4), (six, 2), (four, 2)):
        for _ in range(days):
            ward.clock.moment += DAY
            ward.come("flu", "cold", "cold")
        assert ward.run(policy).satisfied
    ward.clock.moment += DAY
    ward.come("flu")
    last = ward.run(six)
    assert last.satisfied
    ((series, other),) = joint_of(last).not_measured
    assert series.startswith("all from release 1, ")
    assert other.startswith("all from release 2, ")
    assert other.endswith(" to this release")
    assert (
        f"Not measured: {series} as a whole against {other} as a whole; each release of one was "
        "compared with each of the other."
    ) in joint_text(joint_of(last))
