"""A folder as the target: swapped in one step, for nothing but a partitioned set."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet  # type: ignore[import-untyped]
import pytest

from partitions import files_of, labelled, labelled_policy, refused, released, rows_in
from sqlgen import (
    RefusedError,
    Watch,
    apply_plan,
    audit_history,
    audit_table,
    make_plan,
    run_policy,
)
from sqlgen.releasing.targets import folder as folder_target
from sqlgen.sql.render import Statement
from tables import patients, patients_policy, release_to, state_of


def test_a_reader_of_the_last_release_never_sees_a_file_of_this_one(tmp_path: Path) -> None:
    connection = labelled(("a", "b"))
    policy = labelled_policy(tmp_path)
    released(connection, policy)
    listed = files_of(tmp_path / "out")
    first, *others = listed
    with first.open("rb") as held:
        connection.execute("UPDATE t SET visit = visit + 100")
        released(connection, policy, replace=True)
        old = pyarrow.parquet.read_table(held)["visit"].to_pylist()
    assert max(old) < 100
    assert not any(each.exists() for each in listed)
    assert len(others) == 1
    assert min(visit for _, visit in rows_in(tmp_path / "out")) == 100
    assert [each.name for each in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("replace", [False, True], ids=["new", "replace"])
def test_everything_is_on_disk_before_it_has_the_name_and_the_name_right_after(
    replace: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection = labelled(("a", "b"))
    policy = labelled_policy(tmp_path)
    if replace:
        released(connection, policy)
    steps: list[int] = []
    named = folder_target._exchange if replace else Path.rename

    def naming(one: Path, other: Path) -> None:
        steps.append(0)
        named(one, other)

    monkeypatch.setattr("os.fsync", lambda handle: steps.append(os.fstat(handle).st_ino))
    place = "sqlgen.releasing.targets.folder._exchange" if replace else "pathlib.Path.rename"
    monkeypatch.setattr(place, naming)
    released(connection, policy, replace=replace)
    last = len(steps) - 1 - steps[::-1].index(0)
    made = {each.stat().st_ino for each in (tmp_path / "out", *(tmp_path / "out").rglob("*"))}
    assert len(made) == 5
    assert set(steps[:last]) - {0} == {*made, tmp_path.stat().st_ino}
    assert steps[last + 1 :] == [tmp_path.stat().st_ino]


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_the_name_of_a_single_file_is_on_disk_too(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushed: list[int] = []
    monkeypatch.setattr("os.fsync", lambda handle: flushed.append(os.fstat(handle).st_ino))
    connection = patients()
    released(connection, patients_policy(release=release_to(kind, tmp_path)))
    (file,) = tmp_path.iterdir()
    folder = tmp_path.stat().st_ino
    assert flushed == [file.stat().st_ino, folder, folder]


def test_labels_are_for_their_owner_alone_until_they_have_been_audited(tmp_path: Path) -> None:
    connection = labelled(("a", "b"))
    modes: list[int] = []

    def on_statement(statement: Statement) -> None:
        if statement.template == "releasing/audit":
            modes.append(mode(tmp_path / "out.sqlgen-partial"))

    policy = labelled_policy(tmp_path)
    old = os.umask(0o027)
    try:
        released(connection, policy, watch=Watch(on_statement=on_statement))
        assert mode(tmp_path / "out") == 0o750
        (tmp_path / "out").chmod(0o711)
        released(connection, policy, watch=Watch(on_statement=on_statement), replace=True)
    finally:
        os.umask(old)
    assert mode(tmp_path / "out") == 0o711
    assert modes == [0o700, 0o700]


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_an_interrupt_after_the_release_has_its_name_takes_nothing_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection = labelled(("a", "b"))
    policy = labelled_policy(tmp_path)
    released(connection, policy)
    connection.execute("UPDATE t SET visit = visit + 100")

    def interrupted(_: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sqlgen.releasing.targets.folder.flush_name", interrupted)
    released(connection, policy, replace=True)
    assert min(visit for _, visit in rows_in(tmp_path / "out")) == 100


@pytest.mark.parametrize("fails", ["at once", "in the end"])
def test_without_an_exchange_in_one_step_nothing_is_replaced(
    fails: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection = labelled(("a", "b"))
    policy = labelled_policy(tmp_path)
    calls: list[Path] = []

    def exchange(one: Path, other: Path) -> None:
        calls.append(one)
        if fails == "at once" or other == tmp_path / "out":
            raise OSError(22, "Invalid argument")

    monkeypatch.setattr("sqlgen.releasing.targets.folder._exchange", exchange)
    released(connection, policy)
    assert calls == []
    before = state_of(connection, tmp_path)
    words = "timestamped: true" if fails == "at once" else "cannot be given its name"
    on_statement: list[Statement] = []
    with pytest.raises(RefusedError, match=words):
        released(connection, policy, replace=True, watch=Watch(on_statement=on_statement.append))
    assert ("releasing/begin" in {each.template for each in on_statement}) is (
        fails == "in the end"
    )
    assert state_of(connection, tmp_path) == before


def appearing(path: Path, what: str) -> Any:
    """A listener that makes something under a name while the release is measured."""

    def on_statement(statement: Statement) -> None:
        if statement.template == "releasing/audit":
            if what == "file":
                path.write_text("theirs")
            elif what == "link":
                path.symlink_to(path.parent)
            else:
                (path / "x=1").mkdir(parents=True, exist_ok=True)
                (path / "x=1" / ("f.txt" if what == "strange" else "f.parquet")).write_text(
                    "theirs"
                )

    return on_statement


@pytest.mark.parametrize(
    ("what", "replace"),
    [
        *(("file", False), ("link", False), ("set", False), ("strange", False)),
        *(("file", True), ("link", True), ("strange", True)),
    ],
)
def test_what_appears_meanwhile_stays(replace: bool, what: str, tmp_path: Path) -> None:
    connection = labelled(("a", "b"))
    policy = labelled_policy(tmp_path)
    on_statement = appearing(tmp_path / "out", what)
    with pytest.raises(RefusedError, match=r"Nothing was changed"):
        released(connection, policy, replace=replace, watch=Watch(on_statement=on_statement))
    assert [each.name for each in tmp_path.iterdir()] == ["out"]
    assert not list((tmp_path / "out").glob("label=*"))


def a_set(folder: Path) -> None:
    (folder / "label=a").mkdir(parents=True)
    (folder / "label=a" / "f.parquet").write_text("theirs")


STRANGE: dict[str, Callable[[Path], Any]] = {
    "a file beside the folders": lambda out: (out / "notes.txt").write_text("theirs"),
    "a file of another kind": lambda out: (out / "label=a" / "f.csv").write_text("theirs"),
    "a hidden file": lambda out: (out / ".keep").write_text(""),
    "a file of no partition": lambda out: (out / "f.parquet").write_text("theirs"),
    "a folder that is no partition": lambda out: (out / "label=a" / "more").mkdir(),
    "a folder without a column": lambda out: (out / "=a").mkdir(),
    "a link to a file": lambda out: (out / "label=a" / "g.parquet").symlink_to(out.parent),
    "a link to a folder": lambda out: (out / "label=b").symlink_to(out.parent),
}


@pytest.mark.parametrize("place", ["out", "out.sqlgen-partial"])
@pytest.mark.parametrize("what", STRANGE)
def test_a_folder_that_holds_anything_else_is_not_replaced(
    what: str, place: str, tmp_path: Path
) -> None:
    a_set(tmp_path / place)
    STRANGE[what](tmp_path / place)
    words = refused(labelled(("a",)), labelled_policy(tmp_path), tmp_path)
    assert "Look at it" in words, what


def test_a_link_that_has_the_partial_name_is_not_written_behind(tmp_path: Path) -> None:
    a_set(tmp_path / "elsewhere")
    (tmp_path / "out.sqlgen-partial").symlink_to(tmp_path / "elsewhere")
    words = refused(labelled(("a",)), labelled_policy(tmp_path), tmp_path)
    assert "a link has the folder's name with .sqlgen-partial behind it" in words


@pytest.mark.parametrize("full", ["mkdir", "remove"])
def test_a_partial_folder_that_cannot_be_made_is_refused_in_our_words(
    full: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection = labelled(("a",))
    policy = labelled_policy(tmp_path)
    a_set(tmp_path / "out.sqlgen-partial")

    def fails(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    place = (
        "pathlib.Path.mkdir" if full == "mkdir" else "sqlgen.releasing.targets.folder.remove_set"
    )
    with monkeypatch.context() as patch:
        patch.setattr(place, fails)
        with pytest.raises(RefusedError, match=r"cannot be made anew \(OSError\)"):
            released(connection, policy)
    released(connection, policy)
    assert [each.name for each in tmp_path.iterdir()] == ["out"]


def test_a_set_that_another_program_made_needs_a_word(tmp_path: Path) -> None:
    a_set(tmp_path / "out")
    connection = labelled(("a",))
    policy = labelled_policy(tmp_path)
    with pytest.raises(RefusedError, match="say --replace"):
        released(connection, policy)
    with pytest.raises(RefusedError, match="exists already"):
        run_policy(policy, connection, lock=tmp_path / "policy.lock")
    released(connection, policy, replace=True)
    assert [label for label, _ in rows_in(tmp_path / "out")] == ["a"] * 6


def test_a_file_does_not_become_a_folder_nor_a_folder_a_file(tmp_path: Path) -> None:
    connection = labelled(("a",))
    whole = labelled_policy(tmp_path, release={"partition_by": None})
    released(connection, whole)
    words = refused(connection, labelled_policy(tmp_path), tmp_path)
    assert "a file has the folder's name" in words
    (tmp_path / "out").unlink()
    released(connection, labelled_policy(tmp_path))
    assert "a folder has the file's name" in refused(connection, whole, tmp_path)


def test_a_release_never_takes_the_place_of_files_that_it_is_made_from(tmp_path: Path) -> None:
    policy = labelled_policy(tmp_path)
    released(labelled(("a", "b")), policy)
    reads = f"{tmp_path}/out/**/*.parquet"
    for query, words in (
        (f"FROM READ_PARQUET('{reads}')", "take the place of"),
        (f"FROM '{tmp_path}/o*/label=a/*.parquet'", "take the place of"),
        (f"FROM READ_PARQUET('{tmp_path}/**')", "take the place of"),
    ):
        connection = duckdb.connect()
        again = labelled_policy(tmp_path, source={"query": query})
        assert words in refused(connection, again, tmp_path)
    connection = duckdb.connect()
    connection.execute(f"CREATE VIEW t AS FROM READ_PARQUET('{reads}')")
    assert "is made from files" in refused(connection, policy, tmp_path)


def test_a_list_in_the_folder_is_what_the_release_is_made_from(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "sexes.csv").write_text("a;any\n")
    columns = {
        "sex": {
            "role": "quasi",
            "hierarchy": {"csv": str(tmp_path / "out" / "sexes.csv"), "delimiter": ";"},
        },
        "visit": {"role": "other"},
        "label": {"role": "sensitive"},
    }
    policy = labelled_policy(tmp_path, columns=columns)
    assert "take the place of" in refused(labelled(("a",)), policy, tmp_path)


def test_what_a_killed_run_left_goes_with_the_next_one(tmp_path: Path) -> None:
    connection = labelled(("a", "b"))
    policy = labelled_policy(tmp_path)
    a_set(tmp_path / "out.sqlgen-partial")
    (tmp_path / "out.sqlgen-lock").write_text("")
    released(connection, policy)
    assert [each.name for each in tmp_path.iterdir()] == ["out"]


def test_a_run_replaces_what_the_last_one_released(tmp_path: Path) -> None:
    connection = patients(600)
    policy = patients_policy(release=release_to("partitioned", tmp_path / "out"))
    (tmp_path / "out").mkdir()
    for number in (1, 2, 3):
        made = run_policy(policy, connection, lock=tmp_path / "policy.lock")
        assert made.satisfied
        assert made.release is not None
        assert made.release.number == number
        assert made.release.joint is not None
        assert made.release.joint.releases == ("this release",)
    assert [each.name for each in (tmp_path / "out").iterdir()] == ["released"]
    assert audit_table(policy, source=connection).satisfied
    joint = audit_history(policy, connection)
    assert joint.satisfied
    assert len(joint.releases) == 1
    assert joint.unjudged == ()


@pytest.mark.parametrize("rows", ["none", "one"])
def test_a_release_that_no_row_is_left_for_is_a_result(rows: str, tmp_path: Path) -> None:
    connection = labelled(("a",))
    policy = labelled_policy(tmp_path, suppression="100%")
    plan = make_plan(policy, connection)
    connection.execute(f"DELETE FROM t WHERE visit > {0 if rows == 'one' else -1}")
    release = apply_plan(plan, connection)
    assert not release.satisfied
    assert (release.rows, release.audit.rows) == (1 if rows == "one" else 0, 0)
    assert release.suppressed_rows == release.rows
    assert list(tmp_path.iterdir()) == []


def test_a_plan_that_fails_its_audit_leaves_no_folder(tmp_path: Path) -> None:
    connection = patients()
    plan = make_plan(patients_policy(release=release_to("partitioned", tmp_path)), connection)
    connection.execute("DELETE FROM patients WHERE age < 50 AND visits > 0")
    assert not apply_plan(plan, connection).satisfied
    assert list(tmp_path.iterdir()) == []
