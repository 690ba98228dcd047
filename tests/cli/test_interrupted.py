"""Ctrl-C during a search, in a process of its own: exit code 130, and nothing is left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest

from cli_harness import ROOT, command

COLUMNS = tuple(f"q{number}" for number in range(15))
NAMES = ("plan", "minimal", "frontier", "explain", "run")


@dataclass(frozen=True)
class Searching:
    """A process that searches four levels of each of fifteen columns, with folders of its own."""

    folder: Path
    scratch: Path
    process: subprocess.Popen[str]

    def left(self) -> list[str]:
        return sorted(each.name for each in (*self.folder.iterdir(), *self.scratch.iterdir()))

    def tables(self) -> list[Any]:
        with duckdb.connect(str(self.folder / "wide.duckdb"), read_only=True) as connection:
            return connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()

    def wait_until_at_work(self) -> None:
        deadline = time.monotonic() + 60
        while not list(self.scratch.glob("sqlgen-*/held")):
            assert self.process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)

    def interrupt(self) -> tuple[int, str]:
        """What the process ends with when it is interrupted at work."""
        self.process.send_signal(signal.SIGINT)
        text = self.process.communicate(timeout=60)[0]
        return self.process.returncode, text


def search(name: str, home: Path) -> Searching:
    folder, scratch = home / name, home / f"{name} scratch"
    folder.mkdir()
    scratch.mkdir()
    drawn = ", ".join(
        f"CAST(least(hash('{each} ' || i) % 8, hash('{each}, ' || i) % 8) AS INTEGER) AS {each}"
        for each in COLUMNS
    )
    with duckdb.connect(str(folder / "wide.duckdb")) as connection:
        connection.execute(f"CREATE TABLE wide AS SELECT {drawn} FROM RANGE(3000) AS t (i)")
    policy = {
        "source": {"database": "wide.duckdb", "table": "wide"},
        "columns": {
            each: {"role": "quasi", "hierarchy": {"intervals": [2, 4]}} for each in COLUMNS
        },
        "guarantees": [{"k_anonymity": {"k": 5}}],
        "suppression": "5%",
        "release": {"table": "released"},
    }
    path = folder / "policy.yml"
    path.write_text(json.dumps(policy))
    process = subprocess.Popen(
        command(name, str(path)),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(scratch)},
    )
    return Searching(folder, scratch, process)


@pytest.mark.battery
def test_ctrl_c_during_a_search_ends_with_130_and_leaves_nothing_behind(tmp_path: Path) -> None:
    # Side by side, so that all of them have come to their search after one and the same wait.
    begun = {name: search(name, tmp_path) for name in NAMES}
    try:
        for each in begun.values():
            each.wait_until_at_work()
        time.sleep(2)
        for name, each in begun.items():
            code, text = each.interrupt()
            assert code == 130, (name, text)
            # The others could not have changed anything.
            changes = name in ("plan", "run")
            said = "interrupted. Nothing was changed." if changes else "interrupted."
            assert text.endswith(f"sqlgen: {said}\n"), name
            assert "Traceback" not in text
            assert each.left() == ["policy.yml", "wide.duckdb"], name
            assert each.tables() == [("wide",)]
    finally:
        for each in begun.values():
            if each.process.poll() is None:
                each.process.kill()
                each.process.communicate()
