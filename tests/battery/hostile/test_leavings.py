"""What a scrub leaves is its own to remove, and one scrub's at a time; all else beside it stays."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

import sqlgen.releasing.apply
import sqlgen.releasing.scrub
from cli_harness import spawn
from in_place import clinic_file, clinic_policy, clinic_sections
from sqlgen import EngineError, RefusedError, Scrub, apply_plan, scrub_database
from sqlgen.cli.text.results import scrub_text
from sqlgen.engines.duckdb.engine import DuckDB
from sqlgen.engines.duckdb.rewrite.work_folder import How, alone
from sqlgen.sql.render import Statement
from tables import planned, rows_of

SPILLED = "duckdb_temp_storage_DEFAULT-0.tmp"
MINE = b"canary of somebody else"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return clinic_file(tmp_path)


@pytest.fixture(params=["apply", "scrub"])
def rewrite(request: pytest.FixtureRequest, path: Path) -> Callable[[], Scrub | None]:
    """The database rewritten, by a release in place or by itself."""
    if request.param == "scrub":
        return lambda: scrub_database(clinic_policy(), path, "overwrite")
    plan = planned(clinic_policy(), path)
    return lambda: apply_plan(plan, path, scrub="overwrite").scrub


def patients(path: Path) -> list[tuple[object, ...]]:
    with duckdb.connect(str(path)) as connection:
        return rows_of(connection, "patients")


def beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


def state(path: Path) -> dict[str, object]:
    """Everything in the folder of a database, and what it is."""
    return {
        str(each.relative_to(path.parent)): each.readlink()
        if each.is_symlink()
        else each.read_bytes()
        if each.is_file()
        else None
        for each in path.parent.rglob("*")
    }


def refused_alike(path: Path, rewrite: Callable[[], object], said: str) -> None:
    before = state(path)
    with pytest.raises(RefusedError, match=re.escape(said)) as told:
        rewrite()
    assert "Nothing was changed." in str(told.value)
    assert "canary" not in str(told.value)
    assert state(path) == before


# One scrub at a time


def second(path: Path) -> tuple[int, str]:
    """Another process that scrubs the same database."""
    policy = path.with_name("policy.yml")
    sections = clinic_sections(source={"database": path.name, "table": "patients"})
    policy.write_text(str(sections).replace("'true'", "true"))
    ran = spawn("scrub", str(policy), "--yes", "--overwrite")
    policy.unlink()
    return ran.code, ran.err


def test_while_one_scrub_is_at_work_another_process_is_refused_and_touches_nothing(
    path: Path, rewrite: Callable[[], Scrub | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, answers = DuckDB._execute, []

    def execute(engine: DuckDB, statement: Statement, *more: object) -> object:
        if statement.template == "engines/duckdb/rewrite/keep_log":
            answers.append(second(path))
        return whole(engine, statement, *more)  # type: ignore[arg-type]

    def late(finish: Callable[[Path, How, str], None]) -> Callable[[Path, How, str], None]:
        def finished(path: Path, how: How, where: str) -> None:
            # The fresh file has its name, and nobody holds the database any more.
            kept = beside(path, ".sqlgen-scrub") / "old"
            before = kept.read_bytes()
            answers.append(second(path))
            assert kept.read_bytes() == before
            finish(path, how, where)

        return finished

    monkeypatch.setattr(DuckDB, "_execute", execute)
    for module in (sqlgen.releasing.apply, sqlgen.releasing.scrub):
        monkeypatch.setattr(module, "finish_scrub", late(module.finish_scrub))
    made = rewrite()
    assert made is not None
    assert len(answers) == 2
    for code, said in answers:
        assert code == 3
        assert "another process is scrubbing the database. Nothing was changed." in said
    monkeypatch.undo()
    assert second(path)[0] == 0
    assert len(patients(path)) == 400
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_the_lock_is_taken_before_the_database_is_opened(path: Path) -> None:
    with alone(path, "here"):
        inode = path.stat().st_ino
        for work in (
            lambda: scrub_database(clinic_policy(), path),
            lambda: apply_plan(planned(clinic_policy(), path), path, scrub="unlink"),
        ):
            with pytest.raises(RefusedError, match="another process is scrubbing"):
                work()
        # A connection that was opened and closed would have emptied a log, or left one.
        assert path.stat().st_ino == inode
        assert {each.name for each in path.parent.iterdir()} == {
            path.name,
            f"{path.name}.sqlgen-scrub-lock",
        }


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_the_lock_of_a_killed_scrub_is_in_nobodys_way_and_goes(path: Path) -> None:
    child = os.fork()
    if child == 0:
        try:
            with alone(path, "here"):
                os.kill(os.getpid(), signal.SIGKILL)
        finally:
            os._exit(1)
    os.waitpid(child, 0)
    assert beside(path, ".sqlgen-scrub-lock").exists()
    scrub_database(clinic_policy(), path)
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_lock_that_its_holder_removed_while_it_was_waited_for_is_no_lock(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock, whole, opened = beside(path, ".sqlgen-scrub-lock"), os.open, []

    def late(file: object, *more: object, **named: object) -> int:
        handle: int = whole(file, *more, **named)  # type: ignore[arg-type]
        if file == lock:
            opened.append(handle)
            if len(opened) == 1:
                lock.unlink()
        return handle

    monkeypatch.setattr(os, "open", late)
    with alone(path, "here"):
        assert os.path.samestat(os.fstat(opened[-1]), lock.stat())
        with pytest.raises(RefusedError, match="another process"), alone(path, "here"):
            pass
    assert len(opened) == 3


def occupy(kind: str, place: Path) -> None:
    """Something of somebody else under a name that a scrub would use."""
    mine = place.parent.parent / f"{place.parent.name}-mine"
    mine.write_bytes(MINE)
    if kind == "file":
        place.write_bytes(MINE)
    elif kind == "link":
        place.symlink_to(mine)
    elif kind == "second name":
        place.hardlink_to(mine)
    elif kind == "dangling link":
        place.symlink_to(place.parent / "nowhere")
    else:
        place.mkdir()
        (place / "mine").write_bytes(MINE)


KINDS = ["file", "link", "second name", "dangling link", "folder"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("ending", [".sqlgen-scrub-lock", ".sqlgen-scrub"])
def test_what_has_a_name_that_a_scrub_would_use_is_named_and_stays(
    ending: str, kind: str, path: Path, rewrite: Callable[[], object]
) -> None:
    occupy(kind, beside(path, ending))
    refused_alike(path, rewrite, path.name + ending)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("old", "link"),
        ("old", "dangling link"),
        ("fresh", "folder"),
        ("fresh.csv", "file"),
        ("freshly", "second name"),
    ],
)
def test_what_no_scrub_left_in_its_folder_is_named_and_stays(
    name: str, kind: str, path: Path, rewrite: Callable[[], object]
) -> None:
    folder = beside(path, ".sqlgen-scrub")
    folder.mkdir()
    occupy(kind, folder / name)
    refused_alike(path, rewrite, folder.name)


def test_a_name_that_is_too_long_to_have_files_beside_it_is_refused(tmp_path: Path) -> None:
    path = clinic_file(tmp_path).rename(tmp_path / f"{'x' * 240}.duckdb")
    plan = planned(clinic_policy(), path)
    refused_alike(path, lambda: apply_plan(plan, path, scrub="unlink"), "is the folder read-only")


# What others have beside it


def test_a_file_that_a_killed_scrub_left_is_not_written_over_if_it_has_another_name(
    path: Path,
) -> None:
    folder, kept = beside(path, ".sqlgen-scrub"), path.with_name("kept")
    folder.mkdir()
    (folder / "fresh").write_bytes(MINE)
    kept.hardlink_to(folder / "fresh")
    scrub_database(clinic_policy(), path, "overwrite")
    assert kept.read_bytes() == MINE
    assert not folder.exists()


def test_the_database_stays_locked_while_its_second_name_of_a_killed_scrub_goes(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, whole, opened = beside(path, ".sqlgen-scrub"), DuckDB._execute, []
    folder.mkdir()
    (folder / "old").hardlink_to(path)
    script = f"import duckdb; duckdb.connect({str(path)!r})"

    def execute(engine: DuckDB, statement: Statement, *more: object) -> object:
        if statement.template == "engines/duckdb/rewrite/checkpoint":
            opened.append(os.spawnl(os.P_WAIT, sys.executable, sys.executable, "-c", script) == 0)
        return whole(engine, statement, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(DuckDB, "_execute", execute)
    scrub_database(clinic_policy(), path, "overwrite")
    assert opened == [False]


def test_an_old_file_that_cannot_be_removed_is_said_to_be_there(
    path: Path, rewrite: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(handle: int) -> None:
        if Path(f"/proc/self/fd/{handle}").readlink().name == "old":
            raise OSError(5, "canary")
        whole(handle)

    whole = os.fsync
    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(EngineError, match=r"recovered from clinic\.duckdb\.sqlgen-scrub") as told:
        rewrite()
    assert "canary" not in str(told.value)
    monkeypatch.undo()
    scrub_database(clinic_policy(), path, "overwrite")
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_what_duckdb_spilled_beside_the_database_goes(
    path: Path, rewrite: Callable[[], Scrub | None]
) -> None:
    folder = beside(path, ".tmp")
    folder.mkdir()
    (folder / SPILLED).write_bytes(MINE)
    made = rewrite()
    assert made is not None
    assert made.left == ()
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def linked_folder(folder: Path) -> None:
    apart = folder.with_name("apart")
    apart.mkdir()
    (apart / SPILLED).write_bytes(MINE)
    folder.symlink_to(apart)


def linked_file(folder: Path) -> None:
    folder.mkdir()
    folder.with_name("apart").write_bytes(MINE)
    (folder / SPILLED).symlink_to(folder.with_name("apart"))


def second_name(folder: Path) -> None:
    folder.mkdir()
    folder.with_name("apart").write_bytes(MINE)
    (folder / SPILLED).hardlink_to(folder.with_name("apart"))


def folder_below(folder: Path) -> None:
    (folder / SPILLED).mkdir(parents=True)
    (folder / SPILLED / SPILLED).write_bytes(MINE)


def other_file(folder: Path) -> None:
    folder.mkdir()
    (folder / "payroll.csv").write_bytes(MINE)


def no_folder(folder: Path) -> None:
    folder.write_bytes(MINE)


OTHERS = [linked_folder, linked_file, second_name, folder_below, other_file, no_folder]


@pytest.mark.parametrize("how", ["unlink", "overwrite"])
@pytest.mark.parametrize("make", OTHERS, ids=lambda make: make.__name__)
def test_what_is_not_duckdbs_alone_beside_the_database_stays_and_is_named(
    make: Callable[[Path], None], how: How, path: Path
) -> None:
    make(beside(path, ".tmp"))
    before = {name: what for name, what in state(path).items() if name != path.name}
    made = scrub_database(clinic_policy(), path, how)
    assert made.left == ("clinic.duckdb.tmp",)
    assert made.to_dict()["left_beside"] == ["clinic.duckdb.tmp"]
    assert "NOT looked at: clinic.duckdb.tmp" in scrub_text(made)
    assert {name: what for name, what in state(path).items() if name != path.name} == before


@pytest.mark.parametrize("in_the_way", ["second name", "definition"])
def test_a_scrub_that_is_refused_removes_nothing_that_was_spilled(
    in_the_way: str,
    path: Path,
    rewrite: Callable[[], object],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = beside(path, ".tmp")
    folder.mkdir()
    (folder / SPILLED).write_bytes(MINE)
    if in_the_way == "second name":
        path.with_name("second.duckdb").hardlink_to(path)
    else:
        monkeypatch.setattr(
            "sqlgen.releasing.scrub.copy_database", lambda *_, **__: (_ for _ in ()).throw(OSError)
        )
    before = state(path)
    with pytest.raises((RefusedError, EngineError), match="Nothing was changed"):
        rewrite()
    assert state(path) == before


def test_a_database_that_gets_another_name_meanwhile_is_not_rewritten(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = DuckDB._execute

    def execute(engine: DuckDB, statement: Statement, *more: object) -> object:
        if statement.template == "engines/duckdb/rewrite/checkpoint":
            path.with_name("second.duckdb").hardlink_to(path)
        return whole(engine, statement, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(DuckDB, "_execute", execute)
    inode = path.stat().st_ino
    with pytest.raises(EngineError, match="another name"):
        scrub_database(clinic_policy(), path, "overwrite")
    assert path.stat().st_ino == inode
    assert len(patients(path)) == 400
