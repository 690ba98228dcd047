"""The lock: a plan in stable bytes that says nothing about anybody, and knows when it is stale."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from sqlgen import (
    Plan,
    PolicyError,
    RefusedError,
    StalePlanError,
    apply_plan,
    make_plan,
    read_lock,
    read_policy,
    run_policy,
    write_lock,
)
from sqlgen.planning.lock import lock_path, lock_text
from tables import patients, patients_columns, patients_policy, planned, rows_of

ZIPS = [
    ("47600", "476-", "even"),
    ("47601", "476-", "odd"),
    ("47602", "476-", "even"),
    ("47603", "476-", "odd"),
]


def listed(
    column: str, nulls: str = "value", uncovered: str = "error", **hierarchy: Any
) -> dict[str, dict[str, Any]]:
    """The columns of the patients, one of them coarsened in another way."""
    columns = patients_columns()
    columns[column] = {
        "role": "quasi",
        "hierarchy": hierarchy,
        "nulls": nulls,
        "uncovered": uncovered,
    }
    return columns


def locked(folder: Path, plan: Plan) -> Path:
    path = folder / "policy.lock"
    write_lock(plan, path)
    return path


def test_the_lock_is_sorted_json_that_ends_in_a_newline(tmp_path: Path) -> None:
    text = locked(tmp_path, planned(patients_policy(), patients())).read_bytes().decode("utf-8")
    content = json.loads(text)
    assert text == json.dumps(content, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def test_the_lock_holds_no_path_time_or_version(tmp_path: Path) -> None:
    path = tmp_path / "clinic.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE patients AS SELECT 1 AS zip FROM RANGE(5)")
    policy = read_policy(
        {
            "source": {"database": str(path), "table": "patients"},
            "columns": {"zip": {"role": "quasi", "hierarchy": "suppress"}},
            "guarantees": [{"k_anonymity": {"k": 2}}],
            "release": {"csv": str(tmp_path / "released.csv")},
        }
    )
    text = lock_text(planned(policy, path))
    for secret in (str(tmp_path), "clinic", "released", duckdb.__version__, "second"):
        assert secret not in text
    assert re.search(r"\d\d:\d\d:\d\d|\b20\d\d-\d\d", text) is None


def test_the_lock_holds_no_cell_value() -> None:
    connection = patients()
    text = lock_text(planned(patients_policy(), connection))
    values = {
        str(value)
        for row in connection.execute("SELECT name, zip, disease FROM patients").fetchall()
        for value in row
        if value is not None
    }
    assert [value for value in values if value in text] == []


def test_the_lock_does_not_spell_out_an_enum() -> None:
    connection = patients()
    connection.execute("CREATE TYPE sexes AS ENUM ('f', 'm', 'rare value')")
    connection.execute("ALTER TABLE patients ALTER sex TYPE sexes")
    assert "rare value" not in lock_text(planned(patients_policy(), connection))


def test_a_lock_that_is_read_gives_an_equal_decision(tmp_path: Path) -> None:
    policy = patients_policy()
    plan = planned(policy, patients())
    again = read_lock(locked(tmp_path, plan), policy)
    decided = ("levels", "words", "rows", "suppressed_rows", "budget", "classes", "fingerprints")
    for part in decided:
        assert getattr(again, part) == getattr(plan, part), part
    assert again.satisfied
    assert again.objective == pytest.approx(plan.objective, abs=1e-8)
    assert [each.value for each in again.guarantees] == [each.value for each in plan.guarantees]


def test_a_lock_written_again_has_the_same_bytes(tmp_path: Path) -> None:
    policy = patients_policy()
    path = locked(tmp_path, planned(policy, patients()))
    assert lock_text(read_lock(path, policy)) == path.read_text(encoding="utf-8")


def test_a_lock_gives_the_release_that_its_plan_gives(tmp_path: Path) -> None:
    ours, theirs = patients(), patients()
    policy = patients_policy()
    plan = planned(policy, ours)
    apply_plan(plan, ours)
    apply_plan(read_lock(locked(tmp_path, plan), policy), theirs)
    assert rows_of(theirs) == rows_of(ours)


def test_the_lock_is_the_same_for_permuted_rows() -> None:
    connection, shuffled = patients(), patients()
    shuffled.execute(
        "CREATE OR REPLACE TABLE patients AS FROM patients ORDER BY visits DESC, MD5(name)"
    )
    assert rows_of(shuffled, "patients") != rows_of(connection, "patients")
    policy = patients_policy()
    assert lock_text(planned(policy, shuffled)) == lock_text(planned(policy, connection))


def test_the_lock_is_the_same_for_a_policy_with_reordered_keys() -> None:
    columns = {
        column: dict(reversed(declared.items()))
        for column, declared in reversed(patients_columns().items())
    }
    policy = patients_policy()
    reordered = patients_policy(columns=columns)
    assert lock_text(planned(reordered, patients())) == lock_text(planned(policy, patients()))


def test_the_lock_is_the_same_wherever_the_release_goes() -> None:
    plan = planned(patients_policy(), patients())
    elsewhere = planned(patients_policy(release={"view": "shown"}), patients())
    assert lock_text(elsewhere) == lock_text(plan)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"guarantees": [{"k_anonymity": {"k": 3}}]}, "guarantees"),
        ({"suppression": "12"}, "suppression"),
        ({"source": {"query": "FROM patients"}}, "source"),
        ({"source": {"table": "main.patients"}}, "source"),
        ({"columns": patients_columns("sensitive")}, "columns.visits"),
        ({"columns": listed("age", intervals=[10])}, "columns.age"),
        ({"columns": listed("zip", prefixes=[2])}, "columns.zip"),
        ({"columns": listed("sex", tree={"all": ["f", "m"]})}, "columns.sex"),
        ({"columns": listed("zip", prefixes=[3], uncovered="suppress")}, "columns.zip"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_change_of_the_policy_is_named(
    change: dict[str, Any], named: str, tmp_path: Path
) -> None:
    connection = patients()
    path = locked(tmp_path, planned(patients_policy(), connection))
    with pytest.raises(StalePlanError, match=rf"changed since: {re.escape(named)}\."):
        apply_plan(read_lock(path, patients_policy(**change)), connection)


def test_several_changes_are_all_named(tmp_path: Path) -> None:
    connection = patients()
    path = locked(tmp_path, planned(patients_policy(), connection))
    changed = patients_policy("sensitive", suppression="12")
    with pytest.raises(StalePlanError, match=r"since: columns\.visits, suppression\."):
        apply_plan(read_lock(path, changed), connection)


def test_a_changed_type_of_a_column_is_named(tmp_path: Path) -> None:
    connection = patients()
    path = locked(tmp_path, planned(patients_policy(), connection))
    connection.execute("ALTER TABLE patients ALTER age TYPE BIGINT")
    with pytest.raises(StalePlanError, match="changed since: type of age"):
        apply_plan(read_lock(path, patients_policy()), connection)


@pytest.mark.parametrize("change", ["a label", "a line more", "a line less"])
@pytest.mark.parametrize("kind", ["csv", "table"])
def test_a_changed_list_is_named(kind: str, change: str, tmp_path: Path) -> None:
    changed = {
        "a label": [*ZIPS[:3], ("47603", "476-", "even")],
        "a line more": [*ZIPS, ("47699", "476-", "odd")],
        "a line less": ZIPS[:3],
    }[change]
    connection = patients()

    def store(lines: list[tuple[str, str, str]]) -> None:
        text = "".join(",".join(line) + "\n" for line in lines)
        (tmp_path / "zips.csv").write_text(text)
        values = ", ".join(f"('{value}', '{below}', '{top}')" for value, below, top in lines)
        connection.execute(f"CREATE OR REPLACE TABLE zips AS SELECT * FROM (VALUES {values})")

    hierarchy = {"csv": str(tmp_path / "zips.csv")} if kind == "csv" else {"table": "zips"}
    policy = patients_policy(columns=listed("zip", uncovered="top", **hierarchy))
    nested = [(value, top, "any") for value, _, top in ZIPS]
    store(nested)
    path = locked(tmp_path, planned(policy, connection))
    apply_plan(read_lock(path, policy), connection)
    store([(value, top, "any") for value, _, top in changed])
    with pytest.raises(StalePlanError, match=r"changed since: hierarchy of zip\."):
        apply_plan(read_lock(path, policy), connection, replace=True)


def test_lines_of_a_hierarchy_table_in_another_order_are_no_change(tmp_path: Path) -> None:
    connection = patients()
    connection.execute(
        "CREATE TABLE zips AS SELECT DISTINCT zip, 'any' FROM patients WHERE zip > ''"
    )
    policy = patients_policy(columns=listed("zip", table="zips"))
    path = locked(tmp_path, planned(policy, connection))
    connection.execute("CREATE OR REPLACE TABLE zips AS FROM zips ORDER BY zip DESC")
    assert apply_plan(read_lock(path, policy), connection).satisfied


def test_new_rows_are_no_change(tmp_path: Path) -> None:
    connection = patients()
    path = locked(tmp_path, planned(patients_policy(), connection))
    connection.execute("INSERT INTO patients SELECT * FROM patients")
    assert apply_plan(read_lock(path, patients_policy()), connection).satisfied


BREAKS: dict[str, Callable[[dict[str, Any]], object]] = {
    "another version": lambda content: content.update(lock=99),
    "no version": lambda content: content.pop("lock"),
    "no levels": lambda content: content["decision"].pop("levels"),
    "no decision": lambda content: content.pop("decision"),
    "a decision of another kind": lambda content: content.update(decision=[1]),
    "no recoding": lambda content: content.pop("recoding"),
    "a recoding that there is not": lambda content: content.update(recoding="mondrian"),
    "a recoding that is no name": lambda content: content.update(recoding=["full_domain"]),
    "levels of another kind": lambda content: content["decision"].update(levels=[1, 2]),
    "a level that is a word": lambda content: content["decision"]["levels"].update(age="high"),
    "a level too high": lambda content: content["decision"]["levels"].update(age=9),
    "a level below zero": lambda content: content["decision"]["levels"].update(age=-1),
    "a level beyond any number": lambda content: content["decision"]["levels"].update(age=10**400),
    "a level of another column": lambda content: content["decision"]["levels"].update(visits=0),
    "a level of no column": lambda content: (
        content["decision"]["levels"].update(nowhere=0)
        or content["decision"]["words"].update(nowhere="")
    ),
    "a column less": lambda content: content["decision"]["levels"].pop("age"),
    "a column less, and its words": lambda content: (
        content["decision"]["levels"].pop("age") and content["decision"]["words"].pop("age")
    ),
    "rows below zero": lambda content: content.update(rows=-1),
    "rows beyond any number": lambda content: content.update(rows=10**400),
    "suppressed rows below zero": lambda content: content.update(suppressed_rows=-1),
    "a budget below zero": lambda content: content.update(budget=-1),
    "classes below zero": lambda content: content.update(classes=-1),
    "rounds below zero": lambda content: content.update(rounds=-1),
    "masked rows below zero": lambda content: content.update(masked_rows=-1),
    "fingerprinted rows below zero": lambda content: content["fingerprints"].update(rows=-1),
    "a figure beyond any number": lambda content: content["guarantees"][0].update(measured=10**400),
    "a figure that is none": lambda content: content["guarantees"][0].update(measured=math.nan),
    "a floor that is none": lambda content: content.update(floor=math.nan),
    "a loss that is none": lambda content: content["objective"].update(value=math.nan),
    "a loss that is a text": lambda content: content["objective"].update(value="1"),
    "words that are no texts": lambda content: content["decision"]["words"].update(age=[1]),
    "words that no file could hold": lambda content: content["decision"]["words"].update(
        age="\ud800"
    ),
    "a fingerprint that is no text": lambda content: content["fingerprints"]["columns"].update(
        age=None
    ),
    "no fingerprints": lambda content: content.pop("fingerprints"),
    "fingerprints of another kind": lambda content: content.update(fingerprints={"policy": 1}),
    "a loss that is a word": lambda content: content["objective"].update(value="little"),
}


USES: dict[str, Callable[[Path, duckdb.DuckDBPyConnection], object]] = {
    "apply": lambda path, into: apply_plan(read_lock(path, patients_policy()), into),
    "run": lambda path, into: run_policy(patients_policy(), into, lock=path),
}


@pytest.fixture(scope="module")
def patients_and_plan() -> Iterator[tuple[duckdb.DuckDBPyConnection, Plan]]:
    """Patients with their plan, for tests that change neither."""
    with patients() as opened:
        yield opened, planned(patients_policy(), opened)


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
        USES[use](path, connection)
    assert connection.execute("SHOW TABLES").fetchall() == [("patients",)]


@pytest.mark.parametrize(
    "content", [b"", b"{", b"null", b"[]", b'"text"', b"\xff\xfe", b'{"lock": 1}', b"1"]
)
def test_a_lock_that_is_no_lock_is_stale(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "policy.lock"
    path.write_bytes(content)
    with pytest.raises(StalePlanError, match="Run sqlgen plan again"):
        read_lock(path, patients_policy())


def test_a_plan_that_is_not_satisfied_is_not_locked(tmp_path: Path) -> None:
    plan = make_plan(patients_policy(guarantees=[{"k_anonymity": {"k": 1000}}]), patients())
    with pytest.raises(PolicyError):
        write_lock(plan, tmp_path / "policy.lock")
    assert list(tmp_path.iterdir()) == []


def test_a_lock_that_cannot_be_written_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = planned(patients_policy(), patients())
    path = locked(tmp_path, plan)
    before = path.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", full)
    with pytest.raises(RefusedError, match="cannot be written"):
        write_lock(plan, path)
    assert [each.name for each in tmp_path.iterdir()] == ["policy.lock"]
    assert path.read_bytes() == before


def test_the_lock_stands_beside_its_policy() -> None:
    assert lock_path(Path("clinic/policy.yml")) == Path("clinic/policy.lock")
