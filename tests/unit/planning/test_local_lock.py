"""The lock of local recoding: steps in stable bytes, checked part by part, and stale when it is."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from sqlgen import (
    Plan,
    StalePlanError,
    apply_plan,
    apply_sql,
    read_history,
    read_lock,
    run_policy,
    write_lock,
)
from sqlgen.planning.lock import lock_text
from tables import LEDGER, names_in, patients, patients_columns, patients_policy, planned, rows_of


def local_policy(**changes: Any) -> Any:
    """A policy whose plan has two layers and two rounds."""
    asked = {"guarantees": [{"k_anonymity": {"k": 14}}], "suppression": 0}
    return patients_policy(**{"recoding": "local", **asked, **changes})


def locked(folder: Path, plan: Plan) -> Path:
    path = folder / "policy.lock"
    write_lock(plan, path)
    return path


@pytest.fixture(scope="module")
def patients_and_plan() -> Iterator[tuple[duckdb.DuckDBPyConnection, Plan]]:
    """Patients with their plan, for tests that change neither."""
    with patients() as opened:
        plan = planned(local_policy(), opened)
        assert plan.decision.to_lock()["rounds"]
        assert len(plan.decision.to_lock()["layers"]) > 1
        yield opened, plan


def test_a_lock_that_is_read_gives_an_equal_decision(
    patients_and_plan: tuple[duckdb.DuckDBPyConnection, Plan], tmp_path: Path
) -> None:
    _, plan = patients_and_plan
    path = locked(tmp_path, plan)
    again = read_lock(path, plan.policy)
    assert again.decision == plan.decision
    assert again.decision.to_lock() == plan.decision.to_lock()
    assert lock_text(again) == path.read_text(encoding="utf-8")


def test_a_lock_gives_the_script_and_the_release_that_its_plan_gives(tmp_path: Path) -> None:
    ours, theirs = patients(), patients()
    plan = planned(local_policy(), ours)
    read = read_lock(locked(tmp_path, plan), plan.policy)
    texts = [[each.text for each in apply_sql(each, ours)] for each in (plan, read)]
    assert texts[0] == texts[1]
    apply_plan(plan, ours)
    apply_plan(read, theirs)
    assert rows_of(theirs) == rows_of(ours)


def test_a_lock_and_the_ledger_hold_no_cell_value() -> None:
    connection = patients()
    plan = planned(local_policy(), connection)
    apply_plan(plan, connection)
    values = {
        str(value)
        for row in connection.execute("SELECT name, zip, disease FROM patients").fetchall()
        for value in row
        if value is not None
    }
    (entry,) = connection.execute(f"SELECT COLUMNS(*)::VARCHAR FROM {LEDGER}").fetchall()
    for text in (lock_text(plan), *map(str, entry)):
        assert [value for value in values if value in text] == []


def test_the_ledger_has_the_steps_and_no_label() -> None:
    connection = patients()
    columns = patients_columns()
    columns["sex"]["hierarchy"] = {"tree": {"a rare label": ["f", "m"]}}
    plan = planned(local_policy(columns=columns), connection)
    apply_plan(plan, connection)
    (entry,) = read_history(plan.policy, connection)
    assert (entry.recoding, entry.levels) == ("local", None)
    # The fingerprint of the regions is known once they were made.
    known = {key: part for key, part in entry.decision.items() if key != "region_fingerprint"}
    expected = plan.decision.to_ledger()
    assert known == {key: part for key, part in expected.items() if key != "region_fingerprint"}
    assert "a rare label" not in json.dumps(entry.decision)
    assert "words" not in json.dumps(entry.decision)
    assert [column["name"] for column in entry.decision["columns"]] == ["zip", "age", "sex"]


def test_the_lock_is_the_same_for_permuted_rows_and_any_number_of_threads() -> None:
    connection, shuffled = patients(), patients()
    shuffled.execute(
        "CREATE OR REPLACE TABLE patients AS FROM patients ORDER BY visits DESC, MD5(name)"
    )
    shuffled.execute("SET threads = 4")
    policy = local_policy()
    assert lock_text(planned(policy, shuffled)) == lock_text(planned(policy, connection))


def column(number: int) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda content: content["decision"]["columns"][number]


def change(**parts: Any) -> Callable[[dict[str, Any]], None]:
    return lambda content: content["decision"].update(parts)


def change_column(number: int, **parts: Any) -> Callable[[dict[str, Any]], None]:
    return lambda content: column(number)(content).update(parts)


def without(part: str) -> Callable[[dict[str, Any]], object]:
    return lambda content: content["decision"].pop(part)


BREAKS: dict[str, Callable[[dict[str, Any]], object]] = {
    **{f"no {part}": without(part) for part in ("columns", "layers", "rounds", "gain", "saving")},
    "no regions": without("region_fingerprint"),
    "columns of another kind": change(columns={"zip": 1}),
    "no column": change(columns=[]),
    "a column less": lambda content: content["decision"]["columns"].pop(),
    "a column less, and its levels": lambda content: (
        content["decision"]["columns"].pop()
        and [node.pop() for node in content["decision"]["layers"]]
    ),
    "a column twice": lambda content: content["decision"]["columns"].append(column(0)(content)),
    "columns in another order": lambda content: content["decision"]["columns"].reverse(),
    "a column of another name": change_column(0, name="visits"),
    "a name that is no text": change_column(0, name=1),
    "a column without its levels": lambda content: column(0)(content).pop("levels"),
    "a column without its weight": lambda content: column(0)(content).pop("weight"),
    "a column without its words": lambda content: column(0)(content).pop("words"),
    "one level": change_column(0, levels=[0]),
    "three levels": change_column(0, levels=[0, 1, 2]),
    "a floor above the ceiling": change_column(0, levels=[2, 0]),
    "a ceiling above the hierarchy": change_column(0, levels=[0, 9]),
    "a floor below zero": change_column(0, levels=[-1, 2]),
    "a floor that is a word": change_column(0, levels=["low", 2]),
    "a ceiling beyond any number": change_column(0, levels=[0, 10**400]),
    "a weight below zero": change_column(0, weight=-1),
    "a weight that is no number": change_column(0, weight="much"),
    "a weight that is a part": change_column(0, weight=0.5),
    "words that are no texts": change_column(0, words=[1]),
    "words that no file could hold": change_column(0, words=["\ud800"]),
    "no layer": change(layers=[]),
    "layers of another kind": change(layers="all"),
    "a layer without levels": change(layers=[[]]),
    "a layer with a level less": change(layers=[[0, 0]]),
    "a layer with a level more": change(layers=[[0, 0, 0, 0]]),
    "a layer above the hierarchy": change(layers=[[9, 0, 0]]),
    "a layer below zero": change(layers=[[-1, 0, 0]]),
    "a layer with a word": change(layers=[["low", 0, 0]]),
    "a layer that is true": change(layers=[[True, 0, 0]]),
    "more layers than any plan has": change(layers=[[0, 0, 0]] * 10_001),
    "rounds below zero": change(rounds=-1),
    "rounds that are a word": change(rounds="many"),
    "rounds that are a part": change(rounds=1.5),
    "more rounds than places have bits": change(rounds=49),
    "a gain that there is not": change(gain="much"),
    "a gain that is SQL": change(gain="1); DROP TABLE patients; --"),
    "a saving that there is not": change(saving="much"),
    "a gain that is no text": change(gain=["saved"]),
    "a saving that is no text": change(saving={"leaves": 1}),
    "regions that are no text": change(region_fingerprint=1),
    "regions that no file could hold": change(region_fingerprint="\ud800"),
    "a decision of full-domain": lambda content: content.update(
        decision={"levels": {"zip": 0, "age": 0, "sex": 0}, "words": {}}
    ),
}
USES: dict[str, Callable[[Path, Plan, duckdb.DuckDBPyConnection], object]] = {
    "apply": lambda path, plan, into: apply_plan(read_lock(path, plan.policy), into),
    "run": lambda path, plan, into: run_policy(plan.policy, into, lock=path),
}


@pytest.mark.battery
@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("broken", BREAKS)
def test_a_broken_lock_is_stale_and_changes_nothing(
    broken: str,
    use: str,
    patients_and_plan: tuple[duckdb.DuckDBPyConnection, Plan],
    tmp_path: Path,
) -> None:
    connection, plan = patients_and_plan
    path = locked(tmp_path, plan)
    content = json.loads(path.read_text())
    BREAKS[broken](content)
    path.write_text(json.dumps(content))
    with pytest.raises(StalePlanError, match="Run sqlgen plan again"):
        USES[use](path, plan, connection)
    assert connection.execute("SHOW TABLES").fetchall() == [("patients",)]


OTHERS: dict[str, Callable[[dict[str, Any]], object]] = {
    "other layers": change(layers=[[2, 2, 1]]),
    "the same layer many times": change(layers=[[2, 3, 1]] * 30),
    "layers that release nothing": change(layers=[[0, 0, 0]]),
    "no round": change(rounds=0),
    "as many rounds as there can be": change(rounds=48),
    "another gain": change(gain="squares"),
    "another saving": change(saving="log_rows"),
    "no weight": change_column(0, weight=0),
    "the largest weight": change_column(0, weight=2**63 - 1),
    "a higher floor": lambda content: (
        change_column(0, levels=[1, 2])(content)
        or [node.__setitem__(0, max(1, node[0])) for node in content["decision"]["layers"]]
    ),
    "other regions": change(region_fingerprint="sha256:0"),
}


@pytest.mark.battery
@pytest.mark.parametrize("other", OTHERS)
def test_a_lock_with_other_steps_releases_what_its_audit_allows_or_nothing(
    other: str, tmp_path: Path
) -> None:
    connection = patients()
    plan = planned(local_policy(), connection)
    path = locked(tmp_path, plan)
    content = json.loads(path.read_text())
    OTHERS[other](content)
    path.write_text(json.dumps(content))
    release = apply_plan(read_lock(path, plan.policy), connection)
    if release.satisfied:
        sizes = connection.execute(
            "SELECT MIN(n), SUM(n) FROM (SELECT COUNT(*) AS n FROM released GROUP BY zip, age, sex)"
        ).fetchone()
        assert sizes is not None
        assert sizes[0] >= 14
        assert sizes[1] >= plan.rows - plan.budget
    else:
        assert "released" not in names_in(connection)
    assert names_in(connection) <= {"patients", "released", f"{LEDGER}_regions"}


def test_a_column_that_lost_a_level_makes_the_lock_stale(tmp_path: Path) -> None:
    connection = patients()
    path = locked(tmp_path, planned(local_policy(), connection))
    columns = patients_columns()
    columns["age"]["hierarchy"] = {"intervals": [10]}
    with pytest.raises(StalePlanError, match=r"changed since: columns\.age\."):
        apply_plan(read_lock(path, local_policy(columns=columns)), connection)


def test_a_lock_knows_whether_its_recoding_might_suppress(tmp_path: Path) -> None:
    connection = patients()
    path = locked(tmp_path, planned(local_policy(), connection))
    other = local_policy(recoding={"local": {"suppress": False}})
    with pytest.raises(StalePlanError, match=r"changed since: recoding\."):
        apply_plan(read_lock(path, other), connection)
