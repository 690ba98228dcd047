"""Timestamped targets: a release of its own per time, of which the last few stay."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest

from sqlgen import PolicyError, RefusedError, apply_plan, audit_table, read_history, run_policy
from sqlgen.ledger.timestamped import timestamped
from sqlgen.releasing.targets.file import held
from tables import names_in, patients, patients_policy, planned, release_to, rows_of

NIGHT = datetime(2026, 3, 1, 23, 30, tzinfo=UTC)


@pytest.fixture
def nights(monkeypatch: pytest.MonkeyPatch) -> list[datetime]:
    """The times that releases are made at, one after the other."""
    times = [NIGHT + timedelta(days=number) for number in range(9)]

    class Clock(datetime):
        @classmethod
        def now(cls, _: Any = None) -> datetime:  # type: ignore[override]
            return times.pop(0)

    monkeypatch.setattr("sqlgen.releasing.apply.datetime", Clock)
    return times


def released(connection: duckdb.DuckDBPyConnection, release: dict[str, Any]) -> Any:
    policy = patients_policy(release=release)
    return apply_plan(planned(policy, connection), connection)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ({"table": "people"}, '"people_20260301_233000"'),
        ({"table": 'apart."our people"'}, '"apart"."our people_20260301_233000"'),
        ({"csv": "out/people.csv"}, "out/people-20260301T233000Z.csv"),
        ({"csv": "out.d/people.csv.gz"}, "out.d/people-20260301T233000Z.csv.gz"),
        ({"parquet": "out.d/people"}, "out.d/people-20260301T233000Z"),
        ({"parquet": "${OUT}/people.parquet"}, "${OUT}/people-20260301T233000Z.parquet"),
    ],
)
def test_a_target_is_named_by_the_time_in_utc(written: dict[str, str], meant: str) -> None:
    policy = patients_policy(release={**written, "timestamped": "true"})
    for hours in (0, -5, 9):
        moment = NIGHT.astimezone(datetime.now().astimezone().tzinfo) + timedelta(hours=hours)
        release = timestamped(policy, moment - timedelta(hours=hours)).release
        assert release is not None
        assert release.target == meant


def test_a_target_without_a_time_is_as_it_is_written() -> None:
    policy = patients_policy()
    assert timestamped(policy, NIGHT) is policy


def test_the_last_few_tables_stay_and_others_are_left_alone(nights: list[datetime]) -> None:
    connection = patients()
    beside = "released_20200101_000000"
    connection.execute(f"CREATE TABLE {beside} AS SELECT 'not ours' AS words")
    for _ in range(4):
        assert released(connection, {"table": "released", "timestamped": "true", "keep": 2})
    assert len(nights) == 5
    assert names_in(connection) == {
        *("patients", beside),
        *("released_20260303_233000", "released_20260304_233000"),
    }


def test_the_last_few_files_stay_and_others_are_left_alone(
    nights: list[datetime], tmp_path: Path
) -> None:
    connection = patients()
    (tmp_path / "people-20200101T000000Z.csv.gz").write_bytes(b"not ours")
    target = str(tmp_path / "people.csv.gz")
    for _ in range(4):
        released(connection, {"csv": target, "timestamped": "true", "keep": 2})
    assert len(nights) == 5
    names = ["20200101T000000Z", "20260303T233000Z", "20260304T233000Z"]
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        f"people-{name}.csv.gz" for name in names
    ]
    with gzip.open(tmp_path / f"people-{names[-1]}.csv.gz", "rt") as file:
        assert file.readline().startswith("zip,age,sex")


def test_the_last_few_folders_stay_and_others_are_left_alone(
    nights: list[datetime], tmp_path: Path
) -> None:
    connection = patients()
    target = {"parquet": str(tmp_path / "people"), "partition_by": ["disease"]}
    theirs = tmp_path / "people-20200101T000000Z" / "disease=flu"
    theirs.mkdir(parents=True)
    for number in range(4):
        released(connection, {**target, "timestamped": "true", "keep": 2})
        if number == 0:
            (tmp_path / "people-20260301T233000Z" / "notes.txt").write_text("not of a release")
    names = ["20200101", "20260301", "20260303", "20260304"]
    assert [each.name[7:15] for each in sorted(tmp_path.iterdir())] == names
    assert len(nights) == 5


def test_a_folder_whose_removal_is_cut_short_is_not_seen_and_goes_later(
    nights: list[datetime], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection = patients()
    release: dict[str, Any] = {"parquet": str(tmp_path / "people"), "partition_by": ["disease"]}
    release = {**release, "timestamped": "true", "keep": 1}
    released(connection, release)

    def cut_short(folder: Path) -> None:
        next(folder.rglob("*.parquet")).unlink()
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("sqlgen.ledger.timestamped.remove_set", cut_short)
        with pytest.raises(KeyboardInterrupt):
            released(connection, release)
    names = sorted(each.name for each in tmp_path.iterdir())
    assert names == ["people-20260301T233000Z.sqlgen-leaving", "people-20260302T233000Z"]
    released(connection, release)
    assert [each.name for each in tmp_path.iterdir()] == ["people-20260303T233000Z"]
    assert len(nights) == 6


@pytest.mark.parametrize("kind", ["csv", "parquet", "partitioned"])
def test_what_a_killed_run_left_beside_a_dated_name_goes_with_a_later_one(
    kind: str, nights: list[datetime], tmp_path: Path
) -> None:
    connection = patients()
    release = release_to(kind, tmp_path)
    ending = {"csv": ".csv", "parquet": ".parquet"}.get(kind, "")
    killed, running = (tmp_path / f"released-2020010{day}T000000Z{ending}" for day in (1, 2))
    for each in (killed, running):
        partial = each.with_name(f"{each.name}.sqlgen-partial")
        if kind == "partitioned":
            (partial / "disease=flu").mkdir(parents=True)
        else:
            partial.write_text("half a release")
        each.with_name(f"{each.name}.sqlgen-lock").write_text("")
    (tmp_path / "other.sqlgen-lock").write_text("")
    with held(running, ""):
        released(connection, {**release, "timestamped": "true"})
        names = sorted(each.name for each in tmp_path.iterdir())
    assert names == [
        "other.sqlgen-lock",
        f"released-20200102T000000Z{ending}.sqlgen-lock",
        f"released-20200102T000000Z{ending}.sqlgen-partial",
        f"released-20260301T233000Z{ending}",
    ]
    assert len(nights) == 8


def test_without_keep_every_release_stays(nights: list[datetime]) -> None:
    connection = patients()
    for _ in range(3):
        released(connection, {"table": "released", "timestamped": "true"})
    assert len(names_in(connection)) == 4
    assert len(nights) == 6


def test_two_releases_of_one_second_are_refused(nights: list[datetime]) -> None:
    connection = patients()
    nights.insert(0, nights[0])
    release = {"table": "released", "timestamped": "true"}
    released(connection, release)
    with pytest.raises(RefusedError, match="exists already"):
        released(connection, release)


def test_a_clock_that_goes_backwards_removes_the_oldest_release_of_the_ledger(
    nights: list[datetime],
) -> None:
    connection = patients()
    nights.reverse()
    for _ in range(3):
        released(connection, {"table": "released", "timestamped": "true", "keep": 2})
    entries = read_history(patients_policy(), connection)
    standing = {f'"{name}"' for name in names_in(connection)} - {'"patients"'}
    assert standing == {each.target for each in entries[:2]}


def test_the_last_release_is_what_an_audit_measures(nights: list[datetime]) -> None:
    connection = patients()
    release = {"table": "released", "timestamped": "true"}
    for _ in range(2):
        released(connection, release)
    audit = audit_table(patients_policy(release=release), source=connection)
    assert audit.satisfied
    assert audit.table == '"released_20260302_233000"'
    assert len(nights) == 7


def test_an_audit_of_no_release_says_so() -> None:
    policy = patients_policy(release={"table": "released", "timestamped": "true"})
    with pytest.raises(PolicyError, match="the ledger has no release of it"):
        audit_table(policy, source=patients())


def test_a_run_makes_a_release_each_night(nights: list[datetime], tmp_path: Path) -> None:
    connection = patients()
    policy = patients_policy(release={"table": "released", "timestamped": "true", "keep": 3})
    for _ in range(4):
        assert run_policy(policy, connection, lock=tmp_path / "policy.lock").satisfied
    assert len(names_in(connection)) == 4
    assert rows_of(connection, "released_20260303_233000") == rows_of(
        connection, "released_20260304_233000"
    )
    assert len(nights) == 5


@pytest.mark.parametrize(
    ("release", "words"),
    [
        ({"view": "v", "timestamped": "true"}, "timestamped is for a table or a file"),
        ({"in_place": "true", "timestamped": "true"}, "timestamped is for a table or a file"),
        ({"table": "t", "keep": "3"}, "keep is for a timestamped target"),
        ({"table": "t", "timestamped": "true", "keep": "0"}, "must be at least 1"),
        ({"table": "t", "timestamped": "often"}, "must be true or false"),
    ],
)
def test_a_target_that_cannot_be_dated_is_a_mistake(release: dict[str, str], words: str) -> None:
    with pytest.raises(PolicyError, match=words):
        patients_policy(release=release)
