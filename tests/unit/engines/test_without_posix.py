"""Without POSIX: everything imports, tables are released, and what needs file locks is refused."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest

from cli_harness import ROOT, Clinic, make_clinic
from sqlgen import RefusedError, read_policy
from sqlgen.files.destinations import find_destination
from sqlgen.ledger.paths import folder_of, place_of

pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="told by open files")


@pytest.fixture
def clinic(tmp_path: Path) -> Clinic:
    return make_clinic(tmp_path)


def without_posix(clinic: Clinic, *commands: Sequence[str]) -> list[dict[str, Any]]:
    """What commands say in a process from which POSIX was taken away."""
    temporary = clinic.folder.parent / "temporary"
    temporary.mkdir()
    script = str(ROOT / "tests" / "helpers" / "without_posix.py")
    done = subprocess.run(
        [sys.executable, script, str(clinic.folder), json.dumps(commands)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(temporary)},
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    imported, *ran = map(json.loads, done.stdout.splitlines())
    assert imported == {"failed": []}
    # What DuckDB spills goes with its folder, without a lock in it as well.
    assert [each.name for each in temporary.iterdir() if each.name.startswith("sqlgen-")] == []
    return ran


@pytest.mark.battery
def test_everything_imports_and_tables_are_released_without_posix(clinic: Clinic) -> None:
    policy = clinic.policy.name
    ran = without_posix(
        clinic,
        ("check", "clinic.duckdb", "patients", "--quasi", "zip,age", "--sensitive", "disease"),
        ("plan", policy),
        ("frontier", policy, "--vary", "k=2,3"),
        ("sql", policy),
        ("apply", policy),
        ("apply", policy, "--replace"),
        ("audit", policy, "--with-history"),
        ("run", policy),
        ("history", policy),
        ("show", policy, "1"),
        ("report", policy, "--json"),
        ("report", policy),
    )
    assert [(each["code"], each["err"] if each["code"] else "") for each in ran] == [(0, "")] * 12
    assert clinic.rows("SELECT COUNT(*), COUNT(DISTINCT zip) FROM patients_anon") == [(6, 2)]
    assert {each.name for each in clinic.folder.iterdir()} == {
        *("clinic.duckdb", "policy.yml", "policy.lock", "policy.release-3.html"),
    }
    # The same lock, byte for byte, as with POSIX; and it is not for its owner's eyes alone.
    lock = clinic.folder / "policy.lock"
    written = lock.read_text()
    assert lock.stat().st_mode & 0o777 == 0o644
    assert clinic.run("plan").code == 0
    assert lock.read_text() == written


NEEDS = {
    "csv: out.csv": "a release to a file or folder needs file locks",
    "parquet: out.parquet": "a release to a file or folder needs file locks",
    "parquet: out\n  partition_by: [disease]": "a release to a file or folder needs file locks",
    "in_place: {scrub: unlink}": "rewriting a database needs file locks",
}


def test_what_needs_file_locks_is_refused_by_name_without_posix(clinic: Clinic) -> None:
    commands: list[Sequence[str]] = [("scrub", clinic.policy.name, "--yes")]
    for number, target in enumerate(NEEDS):
        text = clinic.policy.read_text().replace("table: patients_anon", target)
        (clinic.folder / f"{number}.yml").write_text(text)
        commands.append(("apply", f"{number}.yml", "--yes"))
        commands.append(("run", f"{number}.yml", "--yes"))
    before = clinic.state()
    scrubbed, *ran = without_posix(clinic, *commands)
    assert scrubbed["code"] == 2
    assert "rewriting a database needs file locks" in scrubbed["err"]
    for each, words in zip(ran, [words for words in NEEDS.values() for _ in "12"], strict=True):
        assert each["code"] == 2
        assert words in each["err"]
        assert "Nothing was changed." in each["err"]
    assert clinic.state() == before


def test_a_lock_that_cannot_be_written_leaves_nothing_without_posix(clinic: Clinic) -> None:
    lock = clinic.folder / "policy.lock"
    lock.mkdir()
    (ran,) = without_posix(clinic, ("plan", clinic.policy.name))
    assert ran["code"] == 3
    assert "a folder has the file's name" in ran["err"]
    shutil.rmtree(lock)
    assert {each.name for each in clinic.folder.iterdir()} == {"clinic.duckdb", "policy.yml"}


def test_a_database_that_another_process_has_is_called_locked_on_windows_too(
    clinic: Clinic, monkeypatch: pytest.MonkeyPatch
) -> None:
    def connect(*_: object, **__: object) -> None:
        raise duckdb.IOException(
            "Cannot open file: The process cannot access the file because it is being used by "
            "another process."
        )

    monkeypatch.setattr("sqlgen.engines.duckdb.opening.duckdb.connect", connect)
    ran = clinic.run("plan")
    assert (ran.code, "is locked by another process" in ran.err) == (3, True)


def test_a_policy_on_another_drive_than_its_database_has_its_whole_path(
    clinic: Clinic, monkeypatch: pytest.MonkeyPatch
) -> None:
    def relpath(*_: object) -> str:
        raise ValueError("path is on mount 'D:', start on mount 'C:'")

    policy, home = read_policy(clinic.policy), clinic.folder.parent
    path = clinic.folder / "out.csv"
    near = place_of(path, home)
    monkeypatch.setattr(os.path, "relpath", relpath)
    assert folder_of(policy, home) == clinic.folder.as_posix()
    assert place_of(path, home) == place_of(path, None) != near
    (clinic.folder / "link.csv").symlink_to("gone.csv")
    with pytest.raises(RefusedError, match=r"is a link to gone\.csv"):
        find_destination(clinic.folder / "link.csv", "")
