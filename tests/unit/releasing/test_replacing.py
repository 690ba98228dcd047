"""What a run may replace: a release of its own policy, as it was published, and nothing else."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import duckdb
import pytest

from sqlgen import RefusedError, Run, audit_history, read_history, read_policy, run_policy
from tables import KINDS, patients_columns, patients_file, release_to, rows_of

NOT_OURS = "is not what release 1 left there"


def run(folder: Path, name: str = "policy.yml", **changes: Any) -> Run:
    """A run of a policy file, on the database in the folder above or in its own."""
    policy = folder / name
    policy.write_text(
        json.dumps(
            {
                "source": {"database": "../clinic.duckdb", "table": "patients"},
                "columns": patients_columns(),
                "guarantees": [{"k_anonymity": {"k": 4}}],
                "suppression": "10%",
                **changes,
            }
        )
    )
    return run_policy(read_policy(policy))


def sql(folder: Path, *statements: str) -> None:
    with duckdb.connect(str(folder.parent / "clinic.duckdb")) as connection:
        for each in statements:
            connection.execute(each)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    patients_file(tmp_path, 240)
    made = tmp_path / "policies"
    made.mkdir()
    return made


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_replaces_its_own_release(kind: str, folder: Path) -> None:
    for _ in range(2):
        assert run(folder, release=release_to(kind, folder)).satisfied


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ("CREATE TABLE released AS SELECT 'the only copy' AS survey", NOT_OURS),
        ("CREATE TABLE released AS SELECT zip, age, sex FROM patients", NOT_OURS),
        ("CREATE VIEW released AS FROM patients", NOT_OURS),
    ],
)
def test_a_run_leaves_alone_what_has_the_name_of_its_release_since(
    changed: str, words: str, folder: Path
) -> None:
    run(folder, release={"table": "released"})
    sql(folder, "DROP TABLE released", changed)
    with pytest.raises(RefusedError, match=words):
        run(folder, release={"table": "released"})
    with duckdb.connect(str(folder.parent / "clinic.duckdb")) as connection:
        before = rows_of(connection)
        connection.execute("DROP " + changed.split()[1] + " released")
    assert before
    assert run(folder, release={"table": "released"}).satisfied


def test_a_run_leaves_alone_a_view_that_somebody_else_made(folder: Path) -> None:
    run(folder, release={"view": "released"})
    sql(folder, "DROP VIEW released", "CREATE VIEW released AS SELECT zip FROM patients")
    sql(folder, *(f'DROP TABLE "released_{name}_labels"' for name in ("zip", "age", "sex")))
    with pytest.raises(RefusedError, match=NOT_OURS):
        run(folder, release={"view": "released"})


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_run_leaves_alone_a_file_that_was_changed(kind: str, folder: Path) -> None:
    release = release_to(kind, folder)
    run(folder, release=release)
    path = folder / f"released.{kind}"
    path.write_text("survey\nthe only copy\n")
    with pytest.raises(RefusedError, match=NOT_OURS):
        run(folder, release=release)
    assert path.read_text() == "survey\nthe only copy\n"


def test_another_policy_does_not_replace_a_release(folder: Path) -> None:
    run(folder, release={"table": "released"})
    with pytest.raises(RefusedError, match="exists already"):
        run(folder, "other.yml", release={"table": "released"})


def test_a_file_of_the_same_name_in_another_folder_is_nobodys_release(folder: Path) -> None:
    run(folder, release={"csv": "people.csv"})
    other = folder.parent / "others"
    other.mkdir()
    (other / "people.csv").write_text("the only copy")
    with pytest.raises(RefusedError, match="exists already"):
        run(other, release={"csv": "people.csv"})
    assert (other / "people.csv").read_text() == "the only copy"


def test_releases_of_other_folders_are_read_together(folder: Path) -> None:
    run(folder, release={"csv": "people.csv"})
    other = folder.parent / "others"
    other.mkdir()
    made = run(other, release={"csv": "people.csv"})
    assert made.release is not None
    assert made.release.joint is not None
    assert made.release.joint.releases == ("release 1, csv people.csv", "this release")


def test_a_path_that_a_variable_moved_is_another_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DAY", "1")
    run(folder, release={"csv": "people${DAY}.csv"})
    monkeypatch.setenv("DAY", "2")
    made = run(folder, release={"csv": "people${DAY}.csv"}, joint="warn")
    assert made.release is not None
    assert made.release.joint is not None
    assert [words for words, _ in made.release.joint.unjudged] == [
        "release 1, csv people${DAY}.csv"
    ]
    assert not made.release.joint.satisfied
    assert "cannot be told" in made.release.joint.unjudged[0][1]


def test_a_database_and_its_policies_may_move_together(folder: Path) -> None:
    release = release_to("parquet", Path())
    run(folder, release=release)
    moved = folder.parent / "moved"
    moved.mkdir()
    shutil.move(folder.parent / "clinic.duckdb", moved)
    shutil.move(folder, moved)
    policies = moved / folder.name
    assert run(policies, release=release).satisfied
    policy = read_policy(policies / "policy.yml")
    assert audit_history(policy).releases == ("release 2, parquet released.parquet",)
    assert [each.folder for each in read_history(policy)] == ["policies", "policies"]
