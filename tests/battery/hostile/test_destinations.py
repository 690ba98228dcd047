"""What a release, a lock and a page replace: the file behind every link, and nothing else.

Nodes and links are private ones in a temporary folder; the machine's own are never named.
"""

from __future__ import annotations

import json
import os
import socket
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

from cli_harness import Clinic, make_clinic
from in_place import clinic_file, clinic_policy
from sqlgen import (
    EngineError,
    RefusedError,
    Watch,
    apply_plan,
    make_plan,
    read_history,
    read_policy,
    run_policy,
    scrub_database,
)
from sqlgen.files.atomic import PARTIAL, write_whole
from sqlgen.files.destinations import find_destination
from sqlgen.releasing.targets.file import CLAIM, held
from sqlgen.reports.page import write_page
from sqlgen.sql.render import Statement
from tables import patients_columns, patients_file

FOLDER = "parquet: out\n  partition_by: [disease]"
TARGETS = {"csv: out.csv": "out.csv", "parquet: out.parquet": "out.parquet", FOLDER: "out"}


def pipe(path: Path) -> None:
    os.mkfifo(path)


def unix_socket(path: Path) -> None:
    home = Path.cwd()
    # The path of a socket may be no longer than about 100 bytes.
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(path.name)
    finally:
        os.chdir(home)


def device(kind: int, number: int) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        try:
            os.mknod(path, kind | 0o600, number)
        except PermissionError:
            pytest.skip("only root may make a device")

    return make


# The numbers of a device of its own kind: the null device, and one for local use.
NODES: dict[str, Callable[[Path], None]] = {
    "named pipe": pipe,
    "socket": unix_socket,
    "character device": device(stat.S_IFCHR, os.makedev(1, 3)),
    "block device": device(stat.S_IFBLK, os.makedev(240, 0)),
}


@pytest.fixture
def clinic(tmp_path: Path) -> Clinic:
    return make_clinic(tmp_path)


def listed(folder: Path) -> list[tuple[str, int, int]]:
    """Everything in a folder, with its kind and its number on the disk."""
    found = [(each, each.lstat()) for each in sorted(folder.rglob("*"))]
    return [
        (str(each.relative_to(folder)), stat.S_IFMT(at.st_mode), at.st_ino) for each, at in found
    ]


def refused(clinic: Clinic, *words: str, command: str = "apply", options: Any = ()) -> None:
    before = listed(clinic.folder)
    ran = clinic.run(command, *options)
    assert ran.code == 3, ran.text
    for each in words:
        assert each in ran.err
    assert "Nothing was changed." in ran.err
    assert listed(clinic.folder) == before


@pytest.mark.parametrize("linked", [False, True], ids=["itself", "behind a link"])
@pytest.mark.parametrize(
    ("kind", "target"),
    [
        *((kind, "csv: out.csv") for kind in NODES),
        ("named pipe", "parquet: out.parquet"),
        ("character device", FOLDER),
    ],
)
def test_a_node_is_not_replaced_and_is_called_by_its_kind(
    kind: str, target: str, linked: bool, clinic: Clinic
) -> None:
    clinic.release_to(target)
    path = clinic.folder / TARGETS[target]
    NODES[kind](clinic.folder / "node" if linked else path)
    if linked:
        path.symlink_to("node")
    words = f"is a link to a {kind}" if linked else f"a {kind} has the "
    for options in ((), ("--replace",)):
        refused(clinic, words, options=options)


@pytest.mark.parametrize("target", TARGETS)
def test_a_file_and_a_folder_do_not_give_way_to_each_other(target: str, clinic: Clinic) -> None:
    clinic.release_to(target)
    behind = clinic.folder / "behind"
    if target == FOLDER:
        behind.write_text("theirs")
    else:
        behind.mkdir()
    (clinic.folder / TARGETS[target]).symlink_to(behind)
    other = "file" if target == FOLDER else "folder"
    refused(clinic, f"is a link to a {other}. Remove it", options=["--replace"])


def straight(folder: Path, name: str) -> Path:
    (folder / name).symlink_to("archive/real")
    return folder / "archive" / "real"


def absolute(folder: Path, name: str) -> Path:
    (folder / name).symlink_to(folder / "archive" / "real")
    return folder / "archive" / "real"


def twice(folder: Path, name: str) -> Path:
    (folder / name).symlink_to("second")
    (folder / "second").symlink_to("archive/real")
    return folder / "archive" / "real"


def rows_behind(path: Path, target: str) -> int:
    """How many rows a released file or folder has, by whatever name it goes."""
    files = f"{path}/**/*.parquet" if target == FOLDER else str(path)
    read = "READ_CSV" if target.startswith("csv") else "READ_PARQUET"
    with duckdb.connect() as connection:
        (found,) = connection.execute(f"SELECT COUNT(*) FROM {read}('{files}')").fetchall()
    return int(found[0])


@pytest.mark.parametrize(
    ("link", "target"),
    [*((straight, each) for each in TARGETS), (absolute, "csv: out.csv"), (twice, FOLDER)],
)
def test_what_a_link_leads_to_is_replaced_and_the_message_says_so(
    link: Callable[[Path, str], Path], target: str, clinic: Clinic
) -> None:
    clinic.release_to(target)
    (clinic.folder / "archive").mkdir()
    path = clinic.folder / TARGETS[target]
    real = link(clinic.folder, path.name)
    if target == FOLDER:
        real.mkdir()
    else:
        real.write_text("old")
    refused(clinic, "exists already")
    to = path.readlink()
    ran = clinic.run("apply", "--replace")
    assert ran.code == 0, ran.err
    assert f"{TARGETS[target]} is a link. What it leads to was replaced: archive/real." in ran.out
    assert path.is_symlink()
    assert path.readlink() == to
    assert rows_behind(real, target) == 6
    left = {"policy.yml", "clinic.duckdb", "archive", path.name, "second"}
    assert {each.name for each in clinic.folder.iterdir()} <= left
    assert [each.name for each in real.parent.iterdir()] == ["real"]
    told = json.loads(clinic.run("apply", "--replace", "--json").out)
    assert told["link_to"] == "archive/real"
    assert clinic.run("audit").code == 0


def test_a_release_through_a_linked_folder_is_no_link_itself(clinic: Clinic) -> None:
    clinic.release_to("csv: linked/out.csv")
    (clinic.folder / "archive").mkdir()
    (clinic.folder / "linked").symlink_to("archive")
    for options in ((), ("--replace",)):
        ran = clinic.run("apply", *options)
        assert ran.code == 0, ran.err
        assert "is a link" not in ran.out
    assert [each.name for each in (clinic.folder / "archive").iterdir()] == ["out.csv"]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("options", [(), ("--replace",)])
def test_a_link_that_leads_nowhere_is_said_to(
    options: tuple[str, ...], target: str, clinic: Clinic
) -> None:
    clinic.release_to(target)
    path = clinic.folder / TARGETS[target]
    path.symlink_to("archive/real")
    refused(clinic, "is a link to archive/real, where there is nothing", options=options)
    path.unlink()
    path.symlink_to(path.name)
    refused(clinic, "is a link that leads in a circle", options=options)


def test_the_path_of_a_variable_is_not_shown_behind_a_link(
    clinic: Clinic, monkeypatch: pytest.MonkeyPatch
) -> None:
    hidden = clinic.folder / "hidden-folder"
    hidden.mkdir()
    monkeypatch.setenv("OUT", str(hidden))
    clinic.release_to("csv: '${OUT}/out.csv'")
    (hidden / "out.csv").symlink_to("real.csv")
    ran = clinic.run("apply", "--replace")
    assert "is a link to real.csv, where there is nothing" in ran.err
    (hidden / "real.csv").write_text("old")
    replaced = clinic.run("apply", "--replace")
    assert "What it leads to was replaced: real.csv." in replaced.out
    assert "hidden-folder" not in ran.text + replaced.text


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="no files by their numbers")
def test_what_a_process_has_open_is_not_replaced_by_its_number(clinic: Clinic) -> None:
    """Else the shell's own ``> log.txt``, to which /dev/stdout leads, would become the release."""
    clinic.release_to("csv: out.csv")
    link = clinic.folder / "out.csv"
    reading, writing = os.pipe()
    with os.fdopen(reading), os.fdopen(writing, "w"):
        link.symlink_to(f"/proc/self/fd/{writing}")
        refused(clinic, "stands for what a process has open")
    link.unlink()
    log = clinic.folder / "log.txt"
    with log.open("w", encoding="utf-8") as file:
        link.symlink_to(f"/proc/self/fd/{file.fileno()}")
        refused(clinic, "stands for what a process has open", options=["--replace"])
        beside = clinic.folder / "beside.csv"
        beside.symlink_to("out.csv")
        clinic.edit(("csv: out.csv", "csv: beside.csv"))
        refused(clinic, "stands for what a process has open", options=["--replace"])
    assert log.read_bytes() == b""


@pytest.mark.parametrize("read", ["clinic.duckdb", "policy.yml", "zips.csv"])
def test_a_link_to_what_the_release_is_made_from_is_refused(read: str, clinic: Clinic) -> None:
    lines = "".join(f"cz1{two}{one},cz1{two}\n" for two in "12" for one in "123")
    (clinic.folder / "zips.csv").write_text(lines)
    clinic.edit(("{prefixes: [4, 3]}", "{csv: zips.csv}"))
    clinic.release_to("csv: out.csv")
    (clinic.folder / "out.csv").symlink_to(read)
    before = listed(clinic.folder)
    ran = clinic.run("apply", "--replace")
    assert ran.code == 2
    assert "made from" in ran.err
    assert listed(clinic.folder) == before


@pytest.mark.parametrize("ending", [PARTIAL, CLAIM])
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("what", ["named pipe", "link"])
def test_the_names_that_a_run_needs_are_not_taken_from_anything_else(
    what: str, target: str, ending: str, clinic: Clinic
) -> None:
    clinic.release_to(target)
    path = clinic.folder / (TARGETS[target] + ending)
    if what == "link":
        (clinic.folder / "theirs").write_text("theirs")
        path.symlink_to("theirs")
    else:
        pipe(path)
    refused(clinic, "Look at it, and remove it")


def test_a_file_that_has_the_name_of_the_lock_and_holds_something_stays(clinic: Clinic) -> None:
    clinic.release_to("csv: out.csv")
    (clinic.folder / f"out.csv{CLAIM}").write_text("theirs")
    refused(clinic, "Look at it, and remove it")


def test_two_links_to_one_file_are_one_target(clinic: Clinic) -> None:
    clinic.release_to("csv: out.csv")
    real = clinic.folder / "real.csv"
    real.write_text("old")
    (clinic.folder / "out.csv").symlink_to("real.csv")
    with held(real, ""):
        ran = clinic.run("apply", "--replace")
    assert ran.code == 3
    assert "another run is writing the file" in ran.err
    assert real.read_text() == "old"


def test_what_a_killed_run_left_beside_the_file_behind_a_link_is_removed(clinic: Clinic) -> None:
    clinic.release_to("csv: out.csv")
    (clinic.folder / "archive").mkdir()
    (clinic.folder / "archive" / "real.csv").write_text("old")
    (clinic.folder / "archive" / f"real.csv{PARTIAL}").write_text("half")
    (clinic.folder / "archive" / f"real.csv{CLAIM}").touch()
    (clinic.folder / "out.csv").symlink_to("archive/real.csv")
    assert clinic.run("apply", "--replace").code == 0
    assert [each.name for each in (clinic.folder / "archive").iterdir()] == ["real.csv"]


def test_other_names_of_the_file_keep_the_old_release_and_are_told(clinic: Clinic) -> None:
    clinic.release_to("csv: out.csv")
    (clinic.folder / "out.csv").write_text("old")
    (clinic.folder / "backup.csv").hardlink_to(clinic.folder / "out.csv")
    ran = clinic.run("apply", "--replace")
    assert ran.code == 0
    assert "The file that was replaced has 1 other name (hard links)" in ran.out
    assert (clinic.folder / "backup.csv").read_text() == "old"
    again = clinic.run("apply", "--replace")
    assert "other name" not in again.out


def to_pipe(path: Path) -> None:
    path.unlink()
    pipe(path)


def to_link(path: Path) -> None:
    path.rename(path.with_name("moved"))
    path.symlink_to("moved")


def to_nothing(path: Path) -> None:
    path.unlink()
    path.symlink_to("nowhere")


def to_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("linked", [False, True], ids=["itself", "behind a link"])
@pytest.mark.parametrize("swap", [to_pipe, to_link, to_nothing, to_folder])
def test_a_target_that_becomes_something_else_meanwhile_is_not_replaced(
    swap: Callable[[Path], None], linked: bool, clinic: Clinic
) -> None:
    clinic.release_to("csv: out.csv")
    path = clinic.folder / "out.csv"
    real = clinic.folder / "real.csv" if linked else path
    real.write_text("old")
    if linked:
        path.symlink_to("real.csv")
    policy = read_policy(clinic.policy)
    plan = make_plan(policy)
    swapped: list[Any] = []

    def on_statement(statement: Statement) -> None:
        if statement.template == "releasing/audit":
            swap(real)
            swapped.extend(listed(clinic.folder))

    with pytest.raises(RefusedError, match=r"Nothing was changed"):
        apply_plan(plan, replace=True, watch=Watch(on_statement=on_statement))
    ours = [f"{real.name}{ending}" for ending in (PARTIAL, CLAIM)]
    own = ("clinic.duckdb", "clinic.duckdb.wal", *ours)
    assert [each for each in listed(clinic.folder) if each[0] not in own] == [
        each for each in swapped if each[0] not in own
    ]
    assert read_history(policy) == ()


def test_a_link_that_is_led_elsewhere_meanwhile_publishes_nowhere(clinic: Clinic) -> None:
    clinic.release_to("csv: out.csv")
    for name in ("a.csv", "b.csv"):
        (clinic.folder / name).write_text(name)
    link = clinic.folder / "out.csv"
    link.symlink_to("a.csv")
    plan = make_plan(read_policy(clinic.policy))

    def on_statement(statement: Statement) -> None:
        if statement.template == "releasing/audit":
            link.unlink()
            link.symlink_to("b.csv")

    with pytest.raises(RefusedError, match="leads to another place"):
        apply_plan(plan, replace=True, watch=Watch(on_statement=on_statement))
    assert [(clinic.folder / name).read_text() for name in ("a.csv", "b.csv")] == ["a.csv", "b.csv"]


@pytest.fixture
def nights(tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """Runs of one policy to a target, with what each told its log."""
    patients_file(tmp_path, 240)
    told: list[tuple[str, Any]] = []

    def run(target: str, **release: Any) -> dict[str, Any]:
        sections = {
            "source": {"database": "clinic.duckdb", "table": "patients"},
            "columns": patients_columns(),
            "guarantees": [{"k_anonymity": {"k": 4}}],
            "suppression": "10%",
            "release": {"parquet" if "partition_by" in release else "csv": target, **release},
        }
        (tmp_path / "policy.yml").write_text(json.dumps(sections))
        told.clear()
        policy = read_policy(tmp_path / "policy.yml")
        assert run_policy(policy, on_step=lambda *each: told.append(each)).satisfied
        return dict(told[-1][1])

    return run


@pytest.mark.parametrize("more", [{}, {"partition_by": ["disease"]}], ids=["file", "folder"])
def test_a_run_replaces_its_release_behind_a_link_and_only_that(
    more: dict[str, Any], nights: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    assert "link_to" not in nights("a.out", **more)
    (tmp_path / "latest.out").symlink_to("a.out")
    assert nights("latest.out", **more)["link_to"] == "a.out"
    assert nights("latest.out", **more)["link_to"] == "a.out"
    theirs = tmp_path / "b.out"
    if more:
        theirs.mkdir()
    else:
        theirs.write_text("theirs")
    before = listed(tmp_path)
    (tmp_path / "latest.out").unlink()
    (tmp_path / "latest.out").symlink_to("b.out")
    with pytest.raises(RefusedError, match="exists already"):
        nights("latest.out", **more)
    assert [each for each in listed(tmp_path) if each[0] == "b.out"] == [
        each for each in before if each[0] == "b.out"
    ]


def test_old_releases_go_from_the_folder_that_a_link_leads_to(
    nights: Callable[..., dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "archive").mkdir()
    (tmp_path / "linked").symlink_to("archive")
    for day in (1, 2, 3):
        monkeypatch.setattr("sqlgen.releasing.apply.datetime", _at(day))
        nights("linked/out.csv", timestamped=True, keep=1)
    assert [each.name for each in (tmp_path / "archive").iterdir()] == ["out-20260103T000000Z.csv"]


def _at(day: int) -> Any:
    from datetime import UTC, datetime  # noqa: PLC0415

    class Clock(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return datetime(2026, 1, day, tzinfo=tz or UTC)

    return Clock


@pytest.mark.parametrize("kind", NODES)
def test_a_lock_does_not_take_the_place_of_a_node(kind: str, clinic: Clinic) -> None:
    NODES[kind](clinic.folder / "policy.lock")
    refused(clinic, f"policy.lock: a {kind} has the file's name", command="plan")
    with pytest.raises(RefusedError, match=f"a {kind} has"):
        write_whole("{}", clinic.folder / "policy.lock")


def test_a_lock_is_written_behind_its_link(clinic: Clinic) -> None:
    (clinic.folder / "locks").mkdir()
    real = clinic.folder / "locks" / "clinic.lock"
    real.write_text("{}")
    (clinic.folder / "policy.lock").symlink_to("locks/clinic.lock")
    assert clinic.run("plan").code == 0
    assert (clinic.folder / "policy.lock").is_symlink()
    assert json.loads(real.read_text())["decision"]["levels"]
    assert [each.name for each in real.parent.iterdir()] == ["clinic.lock"]


@pytest.mark.parametrize("name", ["clinic.duckdb", "policy.yml"])
def test_a_lock_takes_the_place_of_no_database_and_no_policy(name: str, clinic: Clinic) -> None:
    (clinic.folder / "policy.lock").symlink_to(name)
    before = (clinic.folder / name).read_bytes()
    ran = clinic.run("plan")
    assert (ran.code, "something else than a lock" in ran.err) == (3, True)
    assert (clinic.folder / name).read_bytes() == before


@pytest.mark.parametrize("command", ["plan", "apply", "run"])
def test_a_lock_whose_link_leads_nowhere_is_no_absent_lock(command: str, clinic: Clinic) -> None:
    (clinic.folder / "policy.lock").symlink_to("locks/clinic.lock")
    refused(clinic, "is a link to locks/clinic.lock, where there is nothing", command=command)


def test_a_lock_that_cannot_be_written_in_the_end_takes_no_release_back(
    nights: Callable[..., dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*_: object) -> None:
        raise RefusedError("policy.lock: a named pipe has the file's name. Nothing was changed.")

    monkeypatch.setattr("sqlgen.releasing.run.write_lock", late)
    with pytest.raises(RefusedError, match=r"^the release stands, but policy\.lock: a .* name\.$"):
        nights("a.csv")
    assert (tmp_path / "a.csv").is_file()


def test_the_partial_lock_is_not_written_through_a_pipe_or_another_name(tmp_path: Path) -> None:
    partial = tmp_path / f"policy.lock{PARTIAL}"
    pipe(partial)
    with pytest.raises(OSError, match=r"."):
        write_whole("{}", tmp_path / "policy.lock")
    partial.unlink()
    (tmp_path / "theirs").write_text("theirs")
    partial.hardlink_to(tmp_path / "theirs")
    with pytest.raises(OSError, match=r"."):
        write_whole("{}", tmp_path / "policy.lock")
    assert (tmp_path / "theirs").read_text() == "theirs"


def test_a_page_does_not_wait_for_a_pipe_and_is_written_behind_a_link(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    pipe(path)
    handle = os.open(path, os.O_RDWR)
    try:
        # Bytes to read, so that only the kind could refuse the page.
        os.write(handle, b"theirs" * 1000)
        with pytest.raises(RefusedError, match=r"page\.html: a named pipe has the file's name"):
            write_page("<html>", path)
    finally:
        os.close(handle)
    path.unlink()
    real = tmp_path / "real.html"
    real.write_text('<meta name="generator" content="sqlgen">')
    path.symlink_to("real.html")
    write_page("<html>", path)
    assert path.is_symlink()
    assert real.read_text() == "<html>"


def test_a_database_that_was_moved_behind_a_link_meanwhile_is_not_rewritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = clinic_file(tmp_path)

    def moved(*_: object) -> tuple[str, ...]:
        path.rename(tmp_path / "moved.duckdb")
        path.symlink_to("moved.duckdb")
        return ()

    monkeypatch.setattr("sqlgen.releasing.scrub.remove_spilled", moved)
    with pytest.raises(EngineError, match="is that of something else now"):
        scrub_database(clinic_policy(), path)
    assert path.is_symlink()
    assert duckdb.connect(str(path)).execute("FROM patients").fetchall()


def test_a_destination_is_told_by_what_stands_there(tmp_path: Path) -> None:
    file = tmp_path / "file"
    assert not find_destination(file, "").exists
    file.write_text("")
    (tmp_path / "up").mkdir()
    (tmp_path / "up" / "link").symlink_to("../file")
    found = find_destination(tmp_path / "up" / "link", "")
    assert (found.path, found.link, found.exists) == (file, "../file", True)
    with pytest.raises(RefusedError, match="cannot be looked at"):
        find_destination(file / "below", "")
