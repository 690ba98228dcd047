"""New rows are released once, whenever a run is killed, interrupted or refused its file's name."""

from __future__ import annotations

import fcntl
import os
import signal
import stat
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest

from kills import begun, ended
from nights import DAY, FIRST, ROWS, TYPES, Clock, name_of
from sqlgen import (
    EngineError,
    Entry,
    Policy,
    RefusedError,
    Run,
    Watch,
    apply_plan,
    audit_history,
    make_plan,
    read_history,
    run_policy,
)
from sqlgen.files.atomic import PARTIAL
from sqlgen.releasing import apply
from sqlgen.releasing.targets.file import CLAIM, beside
from sqlgen.sql.step import StepKind
from tables import patients_columns, patients_policy

pytestmark = pytest.mark.filterwarnings(
    "ignore:This process .* is multi-threaded:DeprecationWarning"
)


@dataclass
class Ward:
    """A database file that grows day by day, and the folder that its rows are exported to."""

    folder: Path
    clock: Clock
    events: list[str] = field(default_factory=list)

    def come(self, day: int) -> None:
        sql = ROWS.format(day=day, rows=120, time=TYPES["TIMESTAMP"].format(day=day))
        with duckdb.connect(str(self.folder / "clinic.duckdb")) as connection:
            connection.execute(f"CREATE TABLE IF NOT EXISTS patients AS {sql} LIMIT 0")
            connection.execute(f"INSERT INTO patients {sql}")

    @property
    def out(self) -> Path:
        return self.folder / "out"

    def policy(self, **more: Any) -> Policy:
        place = {"parquet": str(self.out / "new.parquet"), "timestamped": True}
        release = {**place, "since": "loaded_at", **more}
        return patients_policy(
            source={"database": str(self.folder / "clinic.duckdb"), "table": "patients"},
            columns={**patients_columns(), "loaded_at": {"role": "identifier"}},
            release={key: value for key, value in release.items() if value is not None},
        )

    def run(self, **more: Any) -> Run:
        self.events.clear()
        return run_policy(
            self.policy(**more),
            lock=self.folder / "policy.lock",
            on_step=lambda event, _: self.events.append(event),
        )

    def entries(self) -> list[Entry]:
        return list(reversed(read_history(self.policy())))

    def files(self) -> list[str]:
        return sorted(each.name for each in self.out.iterdir())

    def days(self, name: str) -> Counter[int]:
        with duckdb.connect() as connection:
            rows = connection.execute(f"SELECT visits FROM '{self.out / name}'").fetchall()
        return Counter(day for (day,) in rows)


@pytest.fixture
def ward(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ward:
    made = Ward(tmp_path, Clock(monkeypatch))
    made.out.mkdir()
    made.come(0)
    return made


def die(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def killed_at(ward: Ward, place: str, **more: Any) -> None:
    """Run in a process of its own that is killed when it comes to a place of sqlgen."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(place, die)
        assert ended(begun(lambda: ward.run(**more))) == -signal.SIGKILL


FIRST_FILE, SECOND_FILE = name_of(FIRST), name_of(FIRST + DAY)


def by_apply(ward: Ward) -> None:
    apply_plan(make_plan(ward.policy()))


@pytest.mark.parametrize("again", [Ward.run, by_apply], ids=["run", "apply"])
def test_a_run_that_is_killed_between_commit_and_name_loses_no_row(
    ward: Ward, again: Callable[[Ward], Any]
) -> None:
    killed_at(ward, "sqlgen.releasing.apply.name_target")
    assert ward.files() == [FIRST_FILE + CLAIM, FIRST_FILE + PARTIAL]
    assert [each.target.endswith(FIRST_FILE) for each in ward.entries()] == [True]
    ward.clock.moment += DAY
    ward.come(1)
    again(ward)
    assert [ward.days(each) for each in ward.files()] == [{0: 120}, {1: 120}]
    assert ward.files() == [FIRST_FILE, SECOND_FILE]
    assert [each.source_rows for each in ward.entries()] == [120, 120]
    modes = {stat.S_IMODE((ward.out / each).stat().st_mode) for each in ward.files()}
    assert len(modes) == 1
    if again is Ward.run:
        assert ward.events[:2] == ["started", "named"]


def test_a_night_without_new_rows_gives_the_name_too(ward: Ward) -> None:
    killed_at(ward, "sqlgen.releasing.apply.name_target")
    ward.clock.moment += timedelta(minutes=1)
    assert ward.run().how == "idle"
    assert ward.events == ["started", "named", "idle"]
    assert ward.files() == [FIRST_FILE]
    assert ward.days(FIRST_FILE) == {0: 120}


def test_a_run_that_is_killed_before_the_commit_leaves_its_rows_new(ward: Ward) -> None:
    killed_at(ward, "sqlgen.releasing.apply.flush_built")
    assert ward.files() == [FIRST_FILE + CLAIM, FIRST_FILE + PARTIAL]
    assert ward.entries() == []
    ward.clock.moment += DAY
    ward.come(1)
    assert ward.run().satisfied
    assert ward.files() == [SECOND_FILE]
    assert ward.days(SECOND_FILE) == {0: 120, 1: 120}


@pytest.mark.parametrize("moved", [False, True])
def test_a_run_that_is_killed_once_its_file_has_its_name_has_released_it(
    ward: Ward, moved: bool
) -> None:
    killed_at(ward, "sqlgen.releasing.targets.file.flush_name")
    assert ward.files() == [FIRST_FILE, FIRST_FILE + CLAIM, FIRST_FILE + PARTIAL]
    if moved:
        # Into another file system: nothing is left that the partial file shares with it.
        content = (ward.out / FIRST_FILE).read_bytes()
        (ward.out / FIRST_FILE).unlink()
    ward.clock.moment += DAY
    ward.come(1)
    assert ward.run().satisfied
    # Whoever moved it finds the very bytes again, under the same name: no row is told anew.
    assert ward.files() == [FIRST_FILE, SECOND_FILE]
    assert not moved or (ward.out / FIRST_FILE).read_bytes() == content
    assert [ward.days(each) for each in ward.files()] == [{0: 120}, {1: 120}]
    assert len(ward.entries()) == 2


def test_a_file_that_somebody_moved_away_is_not_made_again(ward: Ward) -> None:
    ward.run()
    (ward.out / FIRST_FILE).rename(ward.folder / "taken.parquet")
    ward.clock.moment += DAY
    assert ward.run().how == "idle"
    assert ward.files() == []
    ward.come(1)
    assert ward.run().satisfied
    assert ward.files() == [SECOND_FILE]
    assert ward.days(SECOND_FILE) == {1: 120}
    assert len(audit_history(ward.policy()).apart) == 2


def test_an_interrupt_after_the_commit_loses_no_row(
    ward: Ward, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = apply._step

    def interrupted(*asked: Any) -> None:
        step(*asked)
        if asked[-1].kind is StepKind.COMMIT:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(apply, "_step", interrupted)
        with pytest.raises(KeyboardInterrupt):
            ward.run()
    assert ward.files() == [FIRST_FILE + PARTIAL]
    ward.clock.moment += DAY
    assert ward.run().how == "idle"
    assert [ward.days(each) for each in ward.files()] == [{0: 120}]


@pytest.mark.parametrize("withdrawn", [True, False])
def test_a_file_that_cannot_be_given_its_name_is_released_the_next_night(
    ward: Ward, monkeypatch: pytest.MonkeyPatch, withdrawn: bool
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    def failing(*_: object) -> None:
        raise EngineError("the database refused ledger/withdraw")

    with monkeypatch.context() as patch:
        patch.setattr("pathlib.Path.hardlink_to", full)
        if not withdrawn:
            patch.setattr("sqlgen.releasing.apply.withdraw", failing)
        with pytest.raises(RefusedError if withdrawn else EngineError):
            ward.run()
    assert ward.files() == ([] if withdrawn else [FIRST_FILE + PARTIAL])
    ward.clock.moment += DAY
    assert ward.run().how == ("first" if withdrawn else "idle")
    assert [ward.days(each) for each in ward.files()] == [{0: 120}]


def test_the_file_and_its_folder_are_on_disk_before_the_ledger_says_so(
    ward: Ward, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    flush, link = os.fsync, Path.hardlink_to

    def flushed(handle: int) -> None:
        steps.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
        flush(handle)

    def linked(path: Path, partial: Path) -> None:
        steps.append("name")
        link(path, partial)

    monkeypatch.setattr(os, "fsync", flushed)
    monkeypatch.setattr(Path, "hardlink_to", linked)
    plan = make_plan(ward.policy())
    on_statement = {"releasing/commit", "ledger/insert"}
    apply_plan(
        plan,
        watch=Watch(
            on_statement=lambda each: (
                steps.append(each.template) if each.template in on_statement else None
            )
        ),
    )
    # A listener hears of a statement right before it runs, and after it is on disk.
    assert steps == ["ledger/insert", "file", "folder", "releasing/commit", "name", "folder"]


def test_what_another_run_is_writing_is_left_alone(ward: Ward) -> None:
    path = ward.out / "new-20260228T000000Z.parquet"
    beside(path, PARTIAL).write_bytes(b"half of it")
    with beside(path, CLAIM).open("w") as claim:
        fcntl.flock(claim, fcntl.LOCK_EX)
        ward.run()
        assert ward.files() == [path.name + CLAIM, path.name + PARTIAL, FIRST_FILE]
        assert beside(path, PARTIAL).read_bytes() == b"half of it"
    ward.clock.moment += DAY
    ward.run()
    assert ward.files() == [FIRST_FILE]


def test_files_of_others_are_left_alone(ward: Ward) -> None:
    names = ["old.parquet" + PARTIAL, "new-2026.parquet" + CLAIM, "new-20260101T000000Z.parquet"]
    for each in names:
        (ward.out / each).write_bytes(b"not ours")
    ward.run()
    assert ward.files() == sorted([*names, FIRST_FILE])


def test_a_timestamped_release_of_all_rows_is_given_its_name_too(ward: Ward) -> None:
    killed_at(ward, "sqlgen.releasing.apply.name_target", since=None)
    ward.clock.moment += DAY
    assert ward.run(since=None).satisfied
    assert ward.files() == [FIRST_FILE, SECOND_FILE]
