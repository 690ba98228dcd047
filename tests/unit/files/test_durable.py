"""What a power cut finds: a file's bytes reach the disk before its name does, and that stays."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from in_place import clinic_file, clinic_policy
from sqlgen import RefusedError, apply_plan, scrub_database, write_lock
from sqlgen.files.atomic import PARTIAL, write_whole
from sqlgen.reports.page import write_page
from tables import patients, patients_file, patients_policy, planned, release_to


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """What is flushed, and what is given which name, in order; a file is known by its first one."""
    steps: list[tuple[str, str]] = []
    sync, move, link = os.fsync, os.replace, os.link

    def fsync(handle: int) -> None:
        steps.append(("flushed", str(Path(f"/proc/self/fd/{handle}").readlink())))
        sync(handle)

    def named(give: Callable[..., None]) -> Callable[..., None]:
        def step(old: object, new: object, **more: object) -> None:
            steps.append(("named", f"{old} {new}"))
            give(old, new, **more)

        return step

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "replace", named(move))
    monkeypatch.setattr(os, "link", named(link))
    return steps


def flushed_before(steps: list[tuple[str, str]], path: Path) -> bool:
    """Whether what got the name of a path was on disk by then."""
    (place,) = (at for at, step in enumerate(steps) if step[1].endswith(f" {path}"))
    return ("flushed", steps[place][1].split()[0]) in steps[:place]


def flushed_after(steps: list[tuple[str, str]], path: Path) -> bool:
    """Whether the folder was flushed once a path had its name."""
    (place,) = (at for at, step in enumerate(steps) if step[1].endswith(f" {path}"))
    return ("flushed", str(path.parent)) in steps[place:]


@pytest.mark.parametrize("kind", ["lock", "page"])
def test_a_lock_and_a_page_are_on_disk_before_they_have_their_name_and_with_it_after(
    kind: str, done: list[tuple[str, str]], tmp_path: Path
) -> None:
    path = tmp_path / f"policy.{kind}"
    if kind == "lock":
        write_lock(planned(patients_policy(), patients()), path)
    else:
        write_page("<html>", path)
    assert flushed_before(done, path)
    assert flushed_after(done, path)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_released_file_is_on_disk_before_it_has_its_name(
    kind: str, done: list[tuple[str, str]], tmp_path: Path
) -> None:
    connection = patients()
    policy = patients_policy(release=release_to(kind, tmp_path))
    path = tmp_path / f"released.{kind}"
    for replace in (False, True):
        apply_plan(planned(policy, connection), connection, replace=replace)
        assert flushed_before(done, path)
        done.clear()


@pytest.mark.parametrize("how", ["unlink", "overwrite"])
@pytest.mark.parametrize("by", ["apply", "scrub"])
def test_a_rewritten_database_is_on_disk_before_it_has_its_name_and_with_it_after(
    by: str, how: str, done: list[tuple[str, str]], tmp_path: Path
) -> None:
    path = clinic_file(tmp_path)
    policy = clinic_policy()
    if by == "apply":
        apply_plan(planned(policy, path), path, scrub=how)  # type: ignore[arg-type]
    else:
        scrub_database(policy, path, how)  # type: ignore[arg-type]
    assert flushed_before(done, path)
    assert flushed_after(done, path)
    if how == "overwrite":
        # The old file is written over on disk before it loses its last name.
        old = str(tmp_path / "clinic.duckdb.sqlgen-scrub" / "old")
        assert [word for word, said in done if said in (old, f"{path} {old}")] == [
            "named",
            "flushed",
        ]


def test_what_a_killed_writer_left_is_written_over(tmp_path: Path) -> None:
    path = tmp_path / "policy.lock"
    (tmp_path / f"policy.lock{PARTIAL}").write_text("half of a longer lo")
    write_whole("whole\n", path)
    assert path.read_text() == "whole\n"
    assert list(tmp_path.iterdir()) == [path]
    assert path.stat().st_mode & 0o777 == 0o644


def test_a_file_that_cannot_be_written_leaves_the_old_one_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "policy.lock"
    path.write_text('{"lock": "old"}')
    plan = planned(patients_policy(), patients_file(tmp_path))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    for step in ("os.fsync", "os.replace", "os.ftruncate"):
        with monkeypatch.context() as patch:
            patch.setattr(step, full)
            with pytest.raises(RefusedError, match="the lock cannot be written"):
                write_lock(plan, path)
        assert path.read_text() == '{"lock": "old"}'
        assert {each.name for each in tmp_path.iterdir()} == {"clinic.duckdb", "policy.lock"}


def test_a_writer_that_is_interrupted_once_it_is_through_leaves_the_next_ones_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "policy.lock"
    move = os.replace

    def interrupted(old: Path, new: Path) -> None:
        move(old, new)
        old.write_text("of the next writer")
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole("whole\n", path)
    assert path.read_text() == "whole\n"
    assert (tmp_path / f"policy.lock{PARTIAL}").read_text() == "of the next writer"


def test_of_writers_at_once_each_writes_a_whole_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Not the disk: what is waited for is where writers meet, and they meet more often without.
    monkeypatch.setattr(os, "fsync", lambda _: None)
    path = tmp_path / "policy.lock"
    texts = [f"{number}" * (50_000 + number) for number in range(4)]
    seen: set[str] = set()

    def write(text: str) -> None:
        for _ in range(250):
            write_whole(text, path)
            seen.add(path.read_text())

    writers = [threading.Thread(target=write, args=(text,)) for text in texts]
    for each in writers:
        each.start()
    for each in writers:
        each.join()
    assert seen <= set(texts)
    assert path.read_text() in texts
    assert list(tmp_path.iterdir()) == [path]
