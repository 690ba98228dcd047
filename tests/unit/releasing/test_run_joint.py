"""A run reads its release together with those that stand, and publishes none that breaks it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import duckdb
import pytest

from sqlgen import Run, SearchLimits, apply_plan, make_plan, read_history, run_policy, write_lock
from tables import KINDS, release_to, state_of
from wards import BY_AGE, BY_ZIP, publish, ward, ward_policy


class Night:
    """A ward with a release by zip, and a run that would publish another one by age."""

    def __init__(
        self,
        folder: Path,
        release: dict[str, Any],
        before: Mapping[str, Any] = MappingProxyType({"table": "by_zip"}),
        **changes: Any,
    ) -> None:
        self.connection = ward()
        self.policy = ward_policy(release, **changes)
        self.lock = folder / "policy.lock"
        self.on_statement: list[tuple[str, Mapping[str, Any]]] = []
        publish(self.connection, ward_policy(dict(before)), BY_ZIP)
        write_lock(make_plan(self.policy, self.connection, limits=SearchLimits(BY_AGE)), self.lock)

    def run(self) -> Run:
        self.on_statement.clear()
        on_statement = self.on_statement
        return run_policy(
            self.policy,
            self.connection,
            lock=self.lock,
            on_step=lambda *told: on_statement.append(told),
        )


@pytest.mark.battery
@pytest.mark.parametrize("kind", KINDS)
def test_a_run_whose_release_breaks_the_policy_with_another_changes_nothing(
    kind: str, tmp_path: Path
) -> None:
    night = Night(tmp_path, release_to(kind, tmp_path))
    before, files = state_of(night.connection), sorted(tmp_path.iterdir())
    made = night.run()
    assert not made.satisfied
    assert made.release is not None
    assert made.release.audit.satisfied
    assert made.release.joint is not None
    assert made.release.joint.values[0].rows_below == 4
    assert made.release.joint.releases == ("release 1, table by_zip", "this release")
    assert state_of(night.connection) == before
    assert sorted(tmp_path.iterdir()) == files
    assert night.on_statement[-2:] == [
        (
            "joint",
            {
                "satisfied": False,
                "releases": 2,
                "rows_below": 8,
                "exposed_rows": 0,
                "unjudged": 0,
                "left_out": 0,
            },
        ),
        (
            "failed",
            {
                "hindrance": "Stopped: together with release 1 (table by_zip) this release could "
                "identify people: 4 rows would share the same classes in all of them with fewer "
                "than k = 2 rows, at the least 1; 4 rows would have fewer than l = 2 values of "
                "disease left that all their classes hold, at the least 1. The release is good by "
                "itself. To publish all the same: joint: warn",
                "how": "locked",
            },
        ),
    ]


def test_a_run_that_only_warns_releases_and_tells(tmp_path: Path) -> None:
    night = Night(tmp_path, {"table": "by_age"}, joint="warn")
    made = night.run()
    assert made.satisfied
    assert made.release is not None
    assert made.release.joint is not None
    assert not made.release.joint.satisfied
    assert len(read_history(night.policy, night.connection)) == 2
    assert [event for event, _ in night.on_statement] == ["started", "locked", "joint", "released"]


def test_a_run_that_does_not_judge_reads_no_other_release(tmp_path: Path) -> None:
    night = Night(tmp_path, {"table": "by_age"}, joint="off")
    made = night.run()
    assert made.satisfied
    assert made.release is not None
    assert made.release.joint is None
    assert [event for event, _ in night.on_statement] == ["started", "locked", "released"]


def test_the_release_that_a_run_replaces_is_not_read_with_it(tmp_path: Path) -> None:
    night = Night(tmp_path, {"table": "by_zip"})
    made = night.run()
    assert made.satisfied
    assert made.release is not None
    assert made.release.joint is not None
    assert made.release.joint.releases == ("this release",)


def test_a_release_that_stands_and_cannot_be_read_stops_the_run(tmp_path: Path) -> None:
    path = tmp_path / "by_zip.csv"
    night = Night(tmp_path, {"table": "by_age"}, {"csv": str(path)})
    path.write_bytes(b'zip,age,disease\n"canary-,1\n\xff\xfe,2,3\n')
    before = state_of(night.connection)
    made = night.run()
    assert not made.satisfied
    assert made.release is not None
    assert made.release.joint is not None
    assert [words for words, _ in made.release.joint.unjudged] == [f"release 1, csv {path}"]
    assert "canary" not in str(night.on_statement)
    assert state_of(night.connection) == before


def test_a_run_tells_how_many_releases_it_left_out(tmp_path: Path) -> None:
    night = Night(tmp_path, {"table": "by_age"})
    night.connection.execute("CREATE TABLE copy AS FROM ward; CREATE TABLE other AS FROM ward")
    for number, source in enumerate(("copy", "other")):
        policy = ward_policy({"table": f"of_copy_{number}"}, source={"table": source})
        publish(night.connection, policy, BY_ZIP)
    night.connection.execute("DROP TABLE by_zip")
    made = night.run()
    assert made.release is not None
    assert made.release.joint is not None
    assert len(made.release.joint.left_out) == 3
    told = dict(night.on_statement)
    assert (told["joint"]["satisfied"], told["joint"]["left_out"]) == (True, 3)


def test_apply_reads_no_other_release_unless_it_is_asked_to() -> None:
    connection: duckdb.DuckDBPyConnection = ward()
    publish(connection, ward_policy({"table": "by_zip"}), BY_ZIP)
    plan = make_plan(ward_policy({"table": "by_age"}), connection, limits=SearchLimits(BY_AGE))
    assert not apply_plan(plan, connection, with_history=True).satisfied
    assert apply_plan(plan, connection).joint is None
