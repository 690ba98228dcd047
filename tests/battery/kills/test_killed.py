"""kill -9 at any moment: the source and the last good release stand, and the next run succeeds."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import pytest

from effort import IS_THOROUGH
from every_recoding import OTHERS
from in_place import COLUMNS, ROWS, clinic_sections, make_clinic
from kills import begun, ended
from sqlgen import read_policy, run_policy
from sqlgen.files.hive import tree_of
from sqlgen.releasing.targets import folder as folder_target
from sqlgen.releasing.targets import publish as publish_target
from tables import rows_of

# Before a release 200 points in all on the newest engine; the oldest shows that it agrees.
POINTS = (40 if IS_THOROUGH else 10) if duckdb.__version__ >= "2" else 6
KINDS: dict[str, dict[str, Any]] = {
    "table": {"table": "released"},
    # Another recoding by its name; and regions that fail, and are merged.
    **{recoding: {"table": "released"} for recoding in OTHERS},
    "merged": {"table": "released"},
    "two files": {"csv": "released.csv"},
    "parquet": {"parquet": "released.parquet"},
    "partitioned": {"parquet": "released", "partition_by": ["age", "disease"]},
    "in place": {"in_place": True},
    "scrub": {"in_place": {"scrub": "overwrite"}},
}
# What else than its target a kind's policy says.
_DIVERSE = [{"distinct_l_diversity": {"column": "disease", "l": 2}}]
MORE_OF: dict[str, dict[str, Any]] = {
    **{recoding: {"recoding": recoding} for recoding in OTHERS},
    "anatomy": {"recoding": "anatomy", "guarantees": _DIVERSE},
    "two files": {"recoding": "anatomy", "guarantees": _DIVERSE},
    "merged": {"recoding": "local", "run": {"on_drift": "coarsen"}, "suppression": 0},
    "microaggregation": {
        "recoding": {"microaggregation": {"of": ["visit"]}},
        "columns": {**COLUMNS, "visit": {"role": "sensitive"}, "disease": {"role": "other"}},
    },
}
RELATIONS = {
    "table": "released",
    **dict.fromkeys(OTHERS, "released"),
    "merged": "released",
    "anatomy": "(FROM released JOIN released_sensitive USING (group_id))",
    "two files": "(FROM '{folder}/released.csv' JOIN '{folder}/released_sensitive.csv' "
    "USING (group_id))",
    "parquet": "'{folder}/released.parquet'",
    "partitioned": "READ_PARQUET('{folder}/released/**/*.parquet', hive_partitioning = FALSE)",
}
MORE = """
INSERT INTO patients
SELECT 5000 + id, name || ' again', age, zip, disease, 5000 + visit FROM patients WHERE id % 2 = 0
"""
FEWER = "DELETE FROM patients WHERE id % 2 > 0 AND age < 25"


@dataclass(frozen=True)
class Ward:
    """A folder with a database, in which a run is begun and killed."""

    kind: str
    folder: Path

    @property
    def database(self) -> Path:
        return self.folder / "clinic.duckdb"

    def run(self) -> bool:
        policy = self.folder / "policy.yml"
        source = {"database": self.database.name, "table": "patients"}
        more = MORE_OF.get(self.kind, {})
        sections = clinic_sections(source=source, release=KINDS[self.kind], **more)
        policy.write_text(json.dumps(sections))
        made = run_policy(read_policy(policy))
        if self.kind == "merged" and self.is_thinned():
            assert made.how == "coarsened"
        return made.satisfied

    def is_thinned(self) -> bool:
        with duckdb.connect(str(self.database)) as connection:
            counted = connection.execute("SELECT COUNT(*) FROM patients").fetchone()
        return counted is not None and counted[0] < ROWS

    def source(self) -> list[tuple[Any, ...]]:
        with duckdb.connect(str(self.database)) as connection:
            return sorted(rows_of(connection, "patients"), key=str)

    def release(self) -> list[tuple[Any, ...]]:
        if self.kind not in RELATIONS:
            return []
        with duckdb.connect(str(self.database)) as connection:
            return rows_of(connection, RELATIONS[self.kind].format(folder=self.folder))

    def left(self) -> set[str]:
        """Files that are neither the database, the policy, its lock nor the release."""
        known = {"clinic.duckdb", "policy.yml", "policy.lock", "released.parquet", "released"}
        known |= {"released.csv", "released_sensitive.csv"}
        return {each.name for each in self.folder.iterdir()} - known


def copied(ward: Ward, folder: Path) -> Ward:
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ward.folder, folder)
    return Ward(ward.kind, folder)


@pytest.fixture
def spilled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the runs of a test keep what does not fit memory."""
    folder = tmp_path / "spilled"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
@pytest.mark.parametrize("kind", KINDS)
def test_a_run_that_is_killed_leaves_nothing_half_done(
    kind: str, tmp_path: Path, spilled: Path
) -> None:
    whole = Ward(kind, tmp_path / "whole")
    whole.folder.mkdir()
    with duckdb.connect(str(whole.database)) as connection:
        make_clinic(connection)
    if kind in RELATIONS:
        assert ended(begun(whole.run)) == 0
    with duckdb.connect(str(whole.database)) as connection:
        if kind in RELATIONS:
            connection.execute(FEWER if kind == "merged" else MORE)
    source, old = whole.source(), whole.release()
    other = copied(whole, tmp_path / "other")
    start = time.monotonic()
    assert ended(begun(other.run)) == 0
    seconds = time.monotonic() - start
    new, replaced = other.release(), other.source()
    draw, killed = random.Random(f"{kind} 1"), 0
    for _ in range(POINTS):
        ward = copied(whole, tmp_path / "ward")
        child = begun(ward.run)
        moment = draw.uniform(0, seconds)
        time.sleep(moment)
        os.kill(child, signal.SIGKILL)
        if ended(child) == -signal.SIGKILL:
            killed += 1
        else:
            # It was through by then: the machine is faster than when it was timed.
            seconds = moment
        assert ward.source() in (source, replaced)
        assert ward.release() in (old, new)
        assert ended(begun(ward.run)) == 0
        assert ward.source() == replaced
        assert ward.release() == new
        assert ward.left() == set()
        assert list(spilled.iterdir()) == []
        if kind == "scrub":
            assert b"canary" not in ward.database.read_bytes()
    assert killed > POINTS / 2


def exchanged(whole: Callable[..., None], one: Path, other: Path, *, before: bool) -> bool:
    """Whether this is the exchange of a release, which is done where it is not ``before`` it."""
    is_release = other.name == "released"
    if not (before and is_release):
        whole(one, other)
    return is_release


def half_removed(_: Callable[..., None], folder: Path) -> bool:
    next(each for each in tree_of(folder) if each.is_file()).unlink()
    return True


# What is done in place of a function, until the process is killed.
MOMENTS: dict[str, tuple[str, Callable[..., bool]]] = {
    "before the exchange": ("_exchange", partial(exchanged, before=True)),
    "after the exchange": ("_exchange", partial(exchanged, before=False)),
    "half way through the removal": ("remove_set", half_removed),
}


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
@pytest.mark.parametrize("moment", MOMENTS)
def test_a_run_that_is_killed_while_two_folders_change_names_leaves_one_whole(
    moment: str, tmp_path: Path
) -> None:
    ward = Ward("partitioned", tmp_path)
    with duckdb.connect(str(ward.database)) as connection:
        make_clinic(connection)
    assert ended(begun(ward.run)) == 0
    old = ward.release()
    with duckdb.connect(str(ward.database)) as connection:
        connection.execute(MORE)
    called, done = MOMENTS[moment]
    whole = getattr(folder_target, called)

    def killed(*given: Path) -> None:
        if done(whole, *given):
            os.kill(os.getpid(), signal.SIGKILL)

    def run() -> None:
        setattr(folder_target, called, killed)
        ward.run()

    assert ended(begun(run)) == -signal.SIGKILL
    stands = ward.release()
    assert (stands == old) is (moment == "before the exchange")
    assert ward.left() == {"released.sqlgen-partial", "released.sqlgen-lock"}
    assert ended(begun(ward.run)) == 0
    assert ward.release() != old
    assert stands in (old, ward.release())
    assert ward.left() == set()


# Which of the two files has its new name when the run is killed.
NAMED = {"neither": 0, "the second": 1, "both": 2}


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
@pytest.mark.parametrize("named", NAMED)
@pytest.mark.parametrize("stood", [True, False])
def test_a_run_that_is_killed_while_two_files_get_their_names_is_finished_by_the_next(
    stood: bool, named: str, tmp_path: Path
) -> None:
    ward = Ward("two files", tmp_path)
    with duckdb.connect(str(ward.database)) as connection:
        make_clinic(connection)
    if stood:
        assert ended(begun(ward.run)) == 0
        with duckdb.connect(str(ward.database)) as connection:
            connection.execute(MORE)
    called = "publish"
    whole, calls = getattr(publish_target, called), list[Any]()

    def killed(*given: Any) -> int:
        if len(calls) == NAMED[named]:
            os.kill(os.getpid(), signal.SIGKILL)
        calls.append(given)
        whole(*given)
        if len(calls) == NAMED[named] == 2:
            os.kill(os.getpid(), signal.SIGKILL)
        return 0

    def run() -> None:
        setattr(publish_target, called, killed)
        ward.run()

    assert ended(begun(run)) == -signal.SIGKILL
    assert any(name.endswith(".sqlgen-kept") for name in ward.left())
    assert ended(begun(ward.run)) == 0
    assert ward.left() == set()
    other = Ward("two files", tmp_path / "other")
    other.folder.mkdir()
    with duckdb.connect(str(other.database)) as connection:
        make_clinic(connection)
        if stood:
            connection.execute(MORE)
    assert ended(begun(other.run)) == 0
    assert ward.release() == other.release()
