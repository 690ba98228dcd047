"""The nightly example: its script, its cron line and its DAG, without their schedulers."""

from __future__ import annotations

import json
import runpy
import shutil
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

from cli_harness import EXAMPLES, ROOT


@pytest.fixture
def night(tmp_path: Path) -> Path:
    """The example in a folder of its own, with its database and a command for its script."""
    folder = tmp_path / "nightly"
    shutil.copytree(EXAMPLES / "nightly", folder)
    command = folder / "sqlgen"
    command.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m sqlgen "$@"\n')
    command.chmod(0o755)
    built(folder, 60)
    return folder


def built(folder: Path, days: int) -> None:
    arguments = [sys.executable, "build.py", "--days", str(days)]
    subprocess.run(arguments, cwd=folder, check=True, capture_output=True)


def ran(folder: Path) -> tuple[int, str]:
    done = subprocess.run(
        [str(folder / "nightly.sh")],
        env={"SQLGEN": str(folder / "sqlgen"), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
    )
    assert done.stdout == ""
    return done.returncode, done.stderr


def released(folder: Path) -> int:
    path = folder / "admissions.parquet"
    with duckdb.connect() as connection:
        return len(connection.execute(f"FROM '{path}'").fetchall())


def test_the_script_releases_each_night_and_logs_in_json(night: Path) -> None:
    assert ran(night) == (0, "")
    assert released(night) == 6000
    built(night, 61)
    assert ran(night) == (0, "")
    assert released(night) == 6100
    lines = [json.loads(line) for line in (night / "nightly.log").read_text().splitlines()]
    events = ["started", "locked", "joint", "released", "ended"]
    assert [line["event"] for line in lines] == events * 2
    assert len({line["run"] for line in lines}) == 2


def test_a_night_that_is_refused_keeps_the_last_release_and_says_so(night: Path) -> None:
    assert ran(night)[0] == 0
    built(night, 200)
    code, said = ran(night)
    assert code == 3
    assert said.endswith(
        "nightly: refused; see nightly.log. If another run had the database, try again\n"
    )
    assert released(night) == 6000


def test_a_night_whose_guarantee_is_not_met_keeps_the_last_release(night: Path) -> None:
    assert ran(night)[0] == 0
    with duckdb.connect(str(night / "warehouse.duckdb")) as connection:
        connection.execute("UPDATE admissions SET diagnosis = 'flu'")
    code, said = ran(night)
    assert code == 1
    assert said.endswith("nightly: the guarantee is not met; the last good release stays\n")
    assert released(night) == 6000


def test_the_cron_line_runs_the_script_every_night() -> None:
    lines = (EXAMPLES / "nightly" / "crontab").read_text().splitlines()
    (line,) = [line for line in lines if not line.startswith("#")]
    *times, command = line.split(maxsplit=5)
    assert times == ["30", "2", "*", "*", "*"]
    assert Path(command).name == "nightly.sh"
    assert (EXAMPLES / "nightly" / "nightly.sh").stat().st_mode & 0o111


class FailError(Exception):
    """What Airflow calls a failure that is not tried again."""


def airflow(tasks: list[Callable[[], None]]) -> dict[str, types.ModuleType]:
    """As much of Airflow 3 as the DAG names, by the paths that it does not call deprecated."""

    def dag(**told: Any) -> Callable[[Callable[[], None]], Callable[[], None]]:
        assert told["max_active_runs"] == 1
        assert told["catchup"] is False
        return lambda made: made

    def task(made: Callable[[], None]) -> Callable[[], None]:
        return lambda: tasks.append(made)

    names = ("airflow", "airflow.sdk", "airflow.sdk.exceptions")
    modules = {name: types.ModuleType(name) for name in names}
    vars(modules["airflow.sdk"]).update(dag=dag, task=task)
    vars(modules["airflow.sdk.exceptions"]).update(AirflowFailException=FailError)
    return modules


@pytest.mark.parametrize(
    ("code", "raised"),
    [(0, None), (1, FailError), (2, FailError), (3, subprocess.CalledProcessError)],
)
def test_the_dag_tries_again_what_waiting_can_mend(
    code: int, raised: type[Exception] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks: list[Callable[[], None]] = []
    for name, module in airflow(tasks).items():
        monkeypatch.setitem(sys.modules, name, module)
    runpy.run_path(str(EXAMPLES / "nightly" / "nightly_dag.py"))
    (release,) = tasks

    def run(arguments: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        assert arguments[:2] == ["sqlgen", "run"]
        return subprocess.CompletedProcess(arguments, code)

    monkeypatch.setattr(subprocess, "run", run)
    if raised is None:
        release()
    else:
        with pytest.raises(raised):
            release()
