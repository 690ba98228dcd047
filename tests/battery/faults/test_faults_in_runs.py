"""A fault before any statement of any other path: a run of each kind, and all that only reads.

Statements are counted on a run that goes well. Every other one fails in the engine, the rest are
interrupted. The ``dev`` profile takes every statement, others the last one of each template.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest

from faults import fault_before, last_of_each, seen_of
from sqlgen import (
    EngineError,
    Policy,
    Run,
    SqlgenError,
    audit_table,
    check_table,
    explain_plan,
    make_frontier,
    make_plan,
    minimal_nodes,
    read_history,
    run_policy,
)
from sqlgen.history.published import audit_history
from sqlgen.reports import read_evidence
from sqlgen.sql.render import Statement
from tables import patients, patients_columns, patients_policy, state_of

ROWS = 60
BROKEN = (
    "INSERT INTO patients SELECT 'late ' || i, '4760' || i % 4, 150 + 10 * i, 'x', 'flu', 1 "
    "FROM RANGE(9) AS t (i)"
)
LOCAL = {"recoding": "local"}
DATED = {"timestamped": "true", "keep": 2}
# What a run is of: its target, what else its policy says, what befell the table before it.
RUNS: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "first": ({"table": "released"}, {}, ""),
    "locked": ({"table": "released"}, {}, "SELECT 1"),
    "coarsened": ({"table": "released"}, {"run": {"on_drift": "coarsen"}}, BROKEN),
    "replanned": ({"table": "released"}, {"run": {"on_drift": "replan"}}, BROKEN),
    "first, local": ({"table": "released"}, LOCAL, ""),
    "locked, local": ({"table": "released"}, LOCAL, "SELECT 1"),
    "coarsened, local": (
        {"table": "released"},
        {**LOCAL, "suppression": 0, "run": {"on_drift": "coarsen"}},
        BROKEN,
    ),
    "timestamped table": ({"table": "released", **DATED}, {}, "SELECT 1"),
    "timestamped file": ({"csv": "released.csv", **DATED}, {}, "SELECT 1"),
    "view": ({"view": "released"}, {}, "SELECT 1"),
    "done in place": ({"in_place": "true"}, {}, "SELECT 1"),
}


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that is a day later at each look."""
    times = [datetime(2026, 3, 1, tzinfo=UTC)]

    class Clock(datetime):
        @classmethod
        def now(cls, _: Any = None) -> datetime:  # type: ignore[override]
            times.append(times[-1] + timedelta(days=1))
            return times[-1]

    monkeypatch.setattr("sqlgen.releasing.apply.datetime", Clock)


def fault_of(number: int) -> type[BaseException]:
    return (EngineError, KeyboardInterrupt)[number % 2]


def numbers_of(statements: Sequence[Statement]) -> list[int]:
    """The statements, by number, to fail before."""
    if os.environ.get("HYPOTHESIS_PROFILE") == "dev":
        return list(range(len(statements)))
    return last_of_each([each.template for each in statements])


class Nights:
    """A folder with a lock and released files, and a connection that runs of a kind are made on."""

    def __init__(self, kind: str, folder: Path) -> None:
        folder.mkdir()
        self.folder, self.connection = folder, patients(ROWS)
        target, more, befell = RUNS[kind]
        for file in ("csv", "parquet"):
            if file in target:
                target = {**target, file: str(folder / target[file])}
        columns = {**patients_columns(), "sex": {"role": "identifier"}}
        self.policy = patients_policy(release=target, columns=columns, **more)
        for _ in range(2 if "keep" in target else 1 if befell else 0):
            assert self.run().satisfied
        self.connection.execute(befell or "SELECT 1")

    def run(self) -> Run:
        return run_policy(self.policy, self.connection, lock=self.folder / "policy.lock")

    def state(self) -> object:
        return state_of(self.connection, self.folder)


@pytest.mark.usefixtures("clock")
# A run by a lock, of a table as its release: every statement of it in test_faults_in_place.py.
@pytest.mark.parametrize("kind", [kind for kind in RUNS if kind != "locked"])
def test_a_fault_before_any_statement_of_a_run_changes_nothing(kind: str, tmp_path: Path) -> None:
    nights = Nights(kind, tmp_path / "first")
    with fault_before(-1, EngineError) as begun:
        assert nights.run().satisfied
    templates = [each.template for each in begun]
    nights = Nights(kind, tmp_path / "second")
    before = nights.state()
    ends = (
        templates.index("releasing/commit") + 1
        if "releasing/commit" in templates
        else len(templates)
    )
    for number in numbers_of(begun[:ends]):
        at = f"before statement {number}, {templates[number]}"
        fault = fault_of(number)
        with fault_before(number, fault):
            try:
                made = nights.run()
            except seen_of(fault):
                pass
            else:
                # A release that cannot be read beside this one, or a loss that cannot be told.
                assert not made.satisfied or (made.audit is not None and made.audit.not_measured), (
                    at
                )
        assert nights.state() == before, at
    assert nights.run().satisfied


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("kind", ["timestamped table", "timestamped file"])
def test_a_fault_while_an_older_release_goes_leaves_the_new_one_and_the_next_run_goes_on(
    kind: str, tmp_path: Path
) -> None:
    nights = Nights(kind, tmp_path / "first")
    with fault_before(-1, EngineError) as begun:
        assert nights.run().satisfied
    templates = [each.template for each in begun]
    after = range(templates.index("releasing/commit") + 1, len(templates))
    assert after
    for number in after:
        nights = Nights(kind, tmp_path / f"at {number}")
        # An interrupt while the release is confirmed does not hide that it is published.
        fault = EngineError if templates[number] == "releasing/confirm" else fault_of(number)
        with fault_before(number, fault), pytest.raises(seen_of(fault)):
            nights.run()
        assert len(read_history(nights.policy, nights.connection)) == 3, templates[number]
        assert nights.run().satisfied
        standing = {each.target for each in read_history(nights.policy, nights.connection)[:2]}
        state = state_of(nights.connection, nights.folder)
        tables = {f'"{name[2]}"' for name in state.tables} - {'"patients"', '"sqlgen_releases"'}
        files = {str(nights.folder / name) for name in state.files} - {
            str(nights.folder / "policy.lock")
        }
        assert standing == tables | files


def untimed(told: Any) -> Any:
    """Plain values without how long they took."""
    if isinstance(told, dict):
        return {key: untimed(each) for key, each in told.items() if key != "seconds"}
    return [untimed(each) for each in told] if isinstance(told, (list, tuple)) else told


# Of each, what it gives as plain values.
READS: dict[str, Callable[[Policy, duckdb.DuckDBPyConnection], Any]] = {
    "plan": lambda policy, connection: make_plan(policy, connection).to_dict(),
    "minimal": lambda policy, connection: minimal_nodes(policy, connection).to_dict(),
    "frontier": lambda policy, connection: make_frontier(
        policy, connection, vary=("k", ["2", "4"])
    ).to_dict(),
    "explain": lambda policy, connection: explain_plan(policy, connection).to_dict(),
    "audit": lambda policy, connection: audit_table(policy, source=connection).to_dict(),
    "audit with history": lambda policy, connection: audit_history(policy, connection).to_dict(),
    "report": lambda policy, connection: read_evidence(policy, source=connection).to_dict(),
    "history": lambda policy, connection: [
        each.to_dict() for each in read_history(policy, connection)
    ],
    "check": lambda _, connection: check_table(
        connection, "patients", quasi=["zip", "age"], sensitive=["disease"]
    ).to_dict(),
}


@pytest.mark.parametrize("call", READS)
def test_a_fault_before_any_statement_of_what_only_reads_is_told_and_leaves_nothing_behind(
    call: str, tmp_path: Path
) -> None:
    nights = Nights("locked", tmp_path / "first")
    policy, connection = nights.policy, nights.connection
    before = nights.state()
    with fault_before(-1, EngineError) as begun:
        whole = untimed(READS[call](policy, connection))
    for number in numbers_of(begun):
        at = f"before statement {number}, {begun[number].template}"
        fault = fault_of(number)
        with fault_before(number, fault):
            try:
                # What can be told without the source, or without a release, says what it lacks.
                assert untimed(READS[call](policy, connection)) != whole, at
                assert fault is EngineError, at
            except (SqlgenError, KeyboardInterrupt):
                pass
        assert nights.state() == before, at
        # Raises inside a transaction that was left open.
        connection.execute("BEGIN TRANSACTION")
        connection.execute("ROLLBACK")
    assert untimed(READS[call](policy, connection)) == whole
