"""Releases of new rows read together with others: whoever is in one of them is in one of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb
import pytest

from nights import DAY, Clock
from sqlgen import (
    Joint,
    Policy,
    Run,
    SearchLimits,
    audit_history,
    make_plan,
    run_policy,
    write_lock,
)
from sqlgen.cli.text.history import joint_text
from tables import state_of
from wards import BY_AGE, BY_ZIP, WARD, ward_policy

TIME = "TIMESTAMP '2026-03-01 12:00:00' + INTERVAL ({day}) DAY"
SINCE = {"table": "fresh", "timestamped": True, "since": "came"}


class Ward:
    """The ward, that is filled anew each day, with policies that release it each night."""

    def __init__(self, clock: Clock, folder: Path) -> None:
        self.clock, self.folder, self.connection = clock, folder, duckdb.connect()
        self.connection.execute(
            "CREATE TABLE ward (zip VARCHAR, age INTEGER, disease VARCHAR, came TIMESTAMP)"
        )

    def come(self, day: int, times: int = 1) -> None:
        for row in WARD * times:
            self.connection.execute(
                f"INSERT INTO ward SELECT ?, ?, ?, {TIME.format(day=day)}", list(row)
            )

    @staticmethod
    def policy(release: Mapping[str, Any] = SINCE, **more: Any) -> Policy:
        return ward_policy(
            dict(release), columns={"came": {"role": "identifier"}}, **{"run": FACTOR, **more}
        )

    def run(self, policy: Policy, levels: Mapping[str, tuple[int, int]]) -> Run:
        lock = self.folder / "policy.lock"
        write_lock(make_plan(policy, self.connection, limits=SearchLimits(levels)), lock)
        return run_policy(policy, self.connection, lock=lock)


FACTOR = {"rows_factor": 100, "nulls_rise": 1}


def joint_of(made: Run) -> Joint:
    assert made.release is not None
    assert made.release.joint is not None
    return made.release.joint


@pytest.fixture
def ward(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Ward:
    made = Ward(Clock(monkeypatch), tmp_path)
    made.come(0)
    return made


def test_increments_at_two_levels_that_share_nobody_disclose_nothing_together(ward: Ward) -> None:
    assert ward.run(ward.policy(), BY_ZIP).satisfied
    ward.clock.moment += DAY
    ward.come(1)
    joint = joint_of(ward.run(ward.policy(), BY_AGE))
    assert joint.satisfied
    # There is nothing to read together, so nobody who left the source since is missed either.
    assert (joint.releases, joint.rows) == ((), 0)
    assert joint.apart == ('release 1, table "fresh_20260301_233000"', "this release")
    ward.connection.execute("DELETE FROM ward WHERE age = 21")
    audited = audit_history(ward.policy(), ward.connection)
    assert audited.satisfied
    assert "2 releases have no row in common with another." in joint_text(audited)
    assert len(audited.to_dict()["apart"]) == 2


def test_increments_of_one_window_after_another_are_met_apart_beside_all_rows(ward: Ward) -> None:
    assert ward.run(ward.policy(), BY_ZIP).satisfied
    ward.clock.moment += DAY
    ward.come(1)
    assert ward.run(ward.policy(), BY_ZIP).satisfied
    top = {"zip": (2, 2), "age": (2, 2)}
    joint = joint_of(ward.run(ward.policy({"table": "everybody"}), top))
    # Each combination is met in each window, in the class of two that it has there.
    assert joint.satisfied
    assert (joint.combinations, joint.rows, joint.sizes[0].fewest) == (8, 8, 2)
    assert (joint.values[0].fewest, joint.values[0].rows_without) == (2, 0)


def test_releases_of_all_rows_at_these_levels_do_disclose(ward: Ward) -> None:
    release = {"table": "fresh", "timestamped": True}
    assert ward.run(ward.policy(release), BY_ZIP).satisfied
    ward.clock.moment += DAY
    ward.come(1)
    assert not ward.run(ward.policy(release), BY_AGE).satisfied


@pytest.mark.parametrize("first", ["all rows", "new rows"])
def test_a_release_of_all_rows_and_an_increment_that_disclose_together_are_not_both_published(
    ward: Ward, first: str
) -> None:
    everybody, new = ward.policy({"table": "everybody"}), ward.policy()
    orders = {"all rows": (everybody, new), "new rows": (new, everybody)}
    earlier, later = orders[first]
    assert ward.run(earlier, BY_ZIP).satisfied
    before = state_of(ward.connection)
    made = ward.run(later, BY_AGE)
    assert not made.satisfied
    joint = joint_of(made)
    assert (joint.values[0].fewest, joint.values[0].rows_below) == (1, 4)
    assert (joint.sizes[0].fewest, joint.sizes[0].rows_below) == (1, 4)
    assert state_of(ward.connection) == before
    assert ward.run(ward.policy(later_of(later), joint="warn"), BY_AGE).satisfied


def later_of(policy: Policy) -> dict[str, Any]:
    return SINCE if policy.since is not None else {"table": "everybody"}


def test_two_increments_at_the_same_levels_have_no_difference(ward: Ward) -> None:
    assert ward.run(ward.policy({"table": "everybody"}), BY_ZIP).satisfied
    assert ward.run(ward.policy(), BY_ZIP).satisfied
    ward.clock.moment += DAY
    ward.come(1, 2)
    joint = joint_of(ward.run(ward.policy(), BY_ZIP))
    pairs = [(each.earlier.split(",")[0], each.later) for each in joint.differences]
    assert pairs == [
        ("release 1", 'release 2, table "fresh_20260301_233000"'),
        ("release 1", "this release"),
        ("all from release 2", "release 1, table everybody"),
    ]


def test_an_increment_beside_all_rows_exposes_who_is_not_in_it(ward: Ward) -> None:
    levels = {"zip": (2, 2), "age": (1, 1)}
    ward.connection.execute(f"INSERT INTO ward SELECT '4790', 36, 'flu', {TIME.format(day=1)}")
    assert ward.run(ward.policy({"table": "everybody"}), levels).satisfied
    made = ward.run(ward.policy(), levels)
    assert not made.satisfied
    (difference,) = joint_of(made).differences
    assert (difference.rows_came, difference.rows_went, difference.exposed_rows) == (0, 1, 1)


def test_a_run_of_all_rows_knows_the_windows_of_other_policies(ward: Ward) -> None:
    assert ward.run(ward.policy(), BY_ZIP).satisfied
    ward.clock.moment += DAY
    ward.come(1)
    assert ward.run(ward.policy(), BY_AGE).satisfied
    everybody = ward.policy({"table": "everybody"}, joint="warn")
    joint = joint_of(ward.run(everybody, BY_ZIP))
    assert len(joint.releases) == 3
    # Of the second day by zip and by age, one is left; of the first one, by zip twice, two.
    assert (joint.sizes[0].rows_below, joint.rows) == (4, 8)
    again = audit_history(everybody, ward.connection)
    assert again.sizes == joint.sizes
    assert again.values == joint.values
    assert audit_history(ward.policy(), ward.connection).sizes == joint.sizes


def test_labels_of_a_release_are_known_by_all_rows_not_by_new_ones_alone(ward: Ward) -> None:
    everybody = ward.policy({"table": "everybody"}, suppression="1")
    assert ward.run(everybody, BY_ZIP).satisfied
    assert ward.run(ward.policy(joint="off"), BY_ZIP).satisfied
    ward.clock.moment += DAY
    ward.connection.execute(
        f"INSERT INTO ward SELECT '1' || zip, age, disease, {TIME.format(day=1)} FROM ward"
    )
    joint = joint_of(ward.run(ward.policy(), BY_ZIP))
    assert (len(joint.releases), joint.unjudged, joint.satisfied) == (3, (), True)


@pytest.mark.parametrize("change", ["DROP COLUMN came", "ALTER came TYPE VARCHAR"])
def test_a_window_that_the_source_cannot_tell_any_more_is_not_judged(
    ward: Ward, change: str
) -> None:
    assert ward.run(ward.policy(), BY_ZIP).satisfied
    ward.connection.execute(f"ALTER TABLE ward {change}")
    columns = {} if "DROP" in change else {"came": {"role": "identifier"}}
    policy = ward_policy({"table": "everybody"}, columns=columns)
    made = ward.run(policy, BY_ZIP)
    assert not made.satisfied
    ((words, why),) = joint_of(made).unjudged
    assert words == 'release 1, table "fresh_20260301_233000"'
    assert why == "when its rows came, came of the source does not say any more"


@pytest.mark.parametrize("source", ["view", "query"])
def test_a_source_that_is_no_table_is_read_whole_beside_an_increment(
    ward: Ward, source: str
) -> None:
    ward.connection.execute("CREATE VIEW seen AS FROM ward")
    place = {"table": "seen"} if source == "view" else {"query": "FROM ward SELECT *"}
    assert ward.run(ward.policy({"table": "everybody"}), BY_ZIP).satisfied
    before = state_of(ward.connection)
    assert not ward.run(ward.policy(source=place), BY_AGE).satisfied
    assert state_of(ward.connection) == before
    ward.clock.moment += DAY
    ward.come(1)
    made = ward.run(ward.policy(source=place, joint="warn"), BY_AGE)
    assert made.satisfied
    assert joint_of(made).rows == 8
    after = {name for catalog, _, name in state_of(ward.connection).tables if catalog == "temp"}
    assert after == set()
