"""No cell, no label and no secret in anything that is written, whichever command fails.

Every value of the clinic's table, every label and the secret of the environment is a canary.
"""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest

from cli_harness import (
    CASES,
    ROOT,
    ROWS,
    ZIPS,
    Case,
    Clinic,
    command,
    listed,
    make_clinic,
    shows_no_canary,
)
from every_recoding import clinic_edits, other_ways
from faults import SECRET, fault_before
from local_nights import REGIONS
from sqlgen import EngineError
from sqlgen.cli.main import main
from tables import LEDGER

# Each with what it needs to go well: a release before it, or a target of its own.
COMMANDS = {
    "plan": ["plan"],
    "minimal": ["minimal"],
    "frontier": ["frontier"],
    "explain": ["explain"],
    "sql": ["sql"],
    "apply": ["apply", "--replace"],
    "run": ["run", "--log", "json"],
    "run in words": ["run"],
    "audit": ["audit"],
    "audit with history": ["audit", "--with-history", "--json"],
    "report": ["report", "--json"],
    "history": ["history"],
    "show": ["show"],
    "in place": ["apply", "--in-place", "--yes", "--scrub"],
    "scrub": ["scrub"],
}
# Files that hold values because they are asked to: what is read, and what is released.
HOLDERS = (
    *("clinic.duckdb", "policy.yml", "zips.csv"),
    *("patients_anon.csv", "patients_anon_sensitive.csv", "out.csv"),
)
LABELS = ZIPS.replace("cz11,", "canary-north,").replace("cz12,", "canary-south,")
# A part of every path, which only the environment knows.
HIDDEN = "hidden-folder"
# So many statements of each command fail, one at a time.
FAULTS = 5


@dataclass(frozen=True)
class Watched:
    """A clinic in a folder, and all that commands write that is not asked to hold values."""

    clinic: Clinic
    scratch: Path
    capture: pytest.CaptureFixture[str]

    def call(self, name: str) -> str:
        """Everything that a command wrote: to both streams, as warnings, in files and as names."""
        first, *options = COMMANDS[name]
        more = ["1"] if name == "show" else []
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            with suppress(SystemExit):
                main([first, str(self.clinic.policy), *more, *options])
        streams = self.capture.readouterr()
        return "\n".join([streams.out, streams.err, *(str(each.message) for each in warned)])

    def left(self) -> str:
        """The names of all files, what is in those of ours, and the ledger as text."""
        written = []
        for folder in (self.clinic.folder, self.scratch):
            for path in folder.rglob("*"):
                written.append(str(path.relative_to(folder)))
                if path.is_file() and path.name not in HOLDERS:
                    written.append(path.read_bytes().decode("latin-1"))
        with suppress(duckdb.Error), duckdb.connect(str(self.clinic.database)) as connection:
            written.append(str(connection.execute(f"FROM {LEDGER}").fetchall()))
        return "\n".join(written)


def is_clean(text: str) -> bool:
    return shows_no_canary(text) and SECRET not in text and HIDDEN not in text


@pytest.fixture
def watched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Watched:
    """A clinic with labels from a file, whose place is a secret of the environment."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    clinic = make_clinic(tmp_path)
    return Watched(clinic, scratch, capfd)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_whatever_is_wrong_no_command_writes_a_value(case: Case, watched: Watched) -> None:
    case.prepare(watched.clinic)
    for name in COMMANDS:
        assert is_clean(watched.call(name)), name
    assert is_clean(watched.left())


@pytest.mark.parametrize("name", COMMANDS)
def test_whatever_the_engine_says_no_command_writes_it(
    name: str, watched: Watched, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    check_faults(name, watched, monkeypatch, tmp_path)


@other_ways
@pytest.mark.parametrize("name", ["plan", "explain", "frontier", "sql", "apply", "run", "report"])
def test_whatever_the_engine_says_of_another_recoding_no_command_writes_it(
    name: str, recoding: str, watched: Watched, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    watched.clinic.edit(*clinic_edits(recoding))
    check_faults(name, watched, monkeypatch, tmp_path)


def kept(database: Path) -> list[str]:
    """What the database keeps of the regions of releases, but for spans (docs/ledger.md)."""
    with suppress(duckdb.Error), duckdb.connect(str(database)) as connection:
        rows = connection.execute(f"SELECT * EXCLUDE (spans) FROM {REGIONS}").fetchall()
        return [str(row) for row in rows]
    return []


@other_ways
def test_nights_write_no_value_but_what_a_release_shows(recoding: str, watched: Watched) -> None:
    """Rows that fit no region, regions that fail and merge: said in counts, night after night."""
    clinic = watched.clinic
    clinic.edit(*clinic_edits(recoding))
    told = [watched.call("run")]
    clinic.sql("DELETE FROM patients WHERE age = 770011")
    told += [watched.call(name) for name in ("run", "run in words", "audit", "history")]
    clinic.sql("INSERT INTO patients SELECT * REPLACE ('cq9' AS zip, 1 AS age) FROM patients")
    told += [watched.call(name) for name in ("run", "run in words", "explain", "frontier")]
    with clinic.policy.open("a", encoding="utf-8") as policy:
        policy.write("run: {on_drift: coarsen}\n")
    told += [watched.call(name) for name in ("run", "run in words", "report", "show")]
    assert [text for text in told if not is_clean(text)] == []
    assert is_clean(watched.left())
    shown = str(clinic.rows("FROM patients_anon"))
    values = {str(value) for row in ROWS for value in row} | {"cq9"}
    hidden = {value for value in values if value not in shown}
    assert [line for line in kept(clinic.database) if any(each in line for each in hidden)] == []


def check_faults(
    name: str, watched: Watched, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Nothing that a command writes has a canary, at whichever statement the engine fails."""
    clinic = watched.clinic
    (tmp_path / HIDDEN).symlink_to(clinic.folder)
    monkeypatch.setenv("SQLGEN_SECRET", str(tmp_path / HIDDEN))
    listed(LABELS)(clinic)
    clinic.edit(("clinic.duckdb", "${SQLGEN_SECRET}/clinic.duckdb"))
    clinic.edit(("zips.csv", "'${SQLGEN_SECRET}/zips.csv'"))
    if name not in ("in place", "scrub"):
        clinic.release_to("csv: ${SQLGEN_SECRET}/patients_anon.csv")
    assert "released" in watched.call("run")
    before = {path: path.read_bytes() for path in clinic.folder.iterdir()}
    with fault_before(-1, EngineError) as begun:
        assert is_written(name, watched.call(name))
    for number in sorted({len(begun) * part // FAULTS for part in range(FAULTS)}):
        for path, content in before.items():
            path.write_bytes(content)
        with fault_before(number, EngineError):
            text = watched.call(name)
        assert is_written(name, text), begun[number].template
        assert is_clean(watched.left()), begun[number].template


def is_written(name: str, text: str) -> bool:
    """Whether a text is clean; the script that is to be run elsewhere has its paths in full."""
    return is_clean(text.replace(HIDDEN, "") if name == "sql" else text)


def test_a_process_that_is_aborted_shows_no_value_in_its_title_its_dump_or_its_files(
    watched: Watched,
) -> None:
    clinic = watched.clinic
    clinic.edit(
        (
            "table: patients\n",
            "query: SELECT p.* FROM patients AS p, RANGE(10000000000) AS r (i) WHERE hash(i) = 1\n",
        )
    )
    running = subprocess.Popen(
        command("run", str(clinic.policy), "--log", "json"),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=ROOT,
        env={**os.environ, "PYTHONFAULTHANDLER": "1", "TMPDIR": str(watched.scratch)},
    )
    assert running.stdout is not None
    assert b'"started"' in running.stdout.readline()
    titles = list(titles_of(running.pid))
    running.send_signal(signal.SIGABRT)
    text = running.communicate(timeout=60)[0].decode()
    assert running.returncode == -signal.SIGABRT
    assert "Fatal Python error: Aborted" in text
    assert is_clean(text)
    assert titles
    assert is_clean("\n".join(titles))
    assert is_clean(watched.left())


def titles_of(process: int) -> Iterator[str]:
    """What the system shows of a process and of its threads to everybody, for a moment."""
    for _ in range(5):
        home = Path(f"/proc/{process}")
        for path in (home / "cmdline", *home.glob("task/*/comm")):
            with suppress(OSError):
                yield path.read_text()
        time.sleep(0.1)
