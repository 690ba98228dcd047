"""What a figure is, and how seconds are taken: in turns with the floor, and per statement."""

import resource
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar
from unittest.mock import patch

import duckdb

from sqlgen import Audit, Plan, Policy, Release, apply_plan, audit_table, make_plan, read_policy
from sqlgen.engines.duckdb.engine import DuckDB
from sqlgen.sql.render import Statement

T = TypeVar("T")

_SEED = 1


@dataclass(frozen=True)
class Setting:
    """Where the data is, where tables may be made, and how large and how often to measure."""

    adult: Path
    scratch: Path
    rows: int
    best_of: int

    def connect(self) -> duckdb.DuckDBPyConnection:
        """The scratch database, in which every table of the benchmark is made."""
        connection = duckdb.connect(str(self.scratch / "benchmark.duckdb"))
        connection.execute("SET enable_progress_bar = false")
        return connection


def shown(value: float, unit: str) -> str:
    """A value as people read it; a share without a unit, as a loss, to four digits."""
    if not unit and value < 1:
        return f"{value:.4f}"
    return f"{value:,.2f}".removesuffix(".00") + f" {unit}".rstrip()


@dataclass(frozen=True)
class Figure:
    """One measured value, the most that the issue allows, and the most that it aims for."""

    name: str
    value: float
    unit: str
    target: float | None = None
    aim: float | None = None
    detail: Mapping[str, Any] = field(default_factory=dict)

    @property
    def met(self) -> bool | None:
        """Whether the value is within its target; None where there is none."""
        return None if self.target is None else self.value <= self.target

    def to_dict(self) -> dict[str, Any]:
        """The figure as plain values, for one JSON line."""
        return {
            "figure": self.name,
            "value": round(self.value, 4),
            "unit": self.unit,
            "target": self.target,
            "aim": self.aim,
            "met": self.met,
            "detail": dict(self.detail),
        }


class Profile:
    """Seconds in the database per statement template; what is left of the whole is Python's."""

    def __init__(self) -> None:
        self._taken: dict[str, list[float]] = defaultdict(list)

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Time the statements that are run meanwhile."""
        with ExitStack() as patches:
            for name in ("run", "rows"):
                run = self._timed(getattr(DuckDB, name))
                patches.enter_context(patch.object(DuckDB, name, run))
            yield

    def _timed(self, run: Callable[[DuckDB, Statement], T]) -> Callable[[DuckDB, Statement], T]:
        def timed_run(engine: DuckDB, statement: Statement) -> T:
            started = time.perf_counter()
            try:
                return run(engine, statement)
            finally:
                self._taken[statement.template].append(time.perf_counter() - started)

        return timed_run

    def totals(self, whole: float) -> dict[str, tuple[float, int]]:
        """Each template's seconds and how often it ran, largest first, and the rest of a whole."""
        totals = {template: (sum(each), len(each)) for template, each in self._taken.items()}
        rest = whole - sum(seconds for seconds, _ in totals.values())
        totals["(python)"] = (rest, 1)
        return dict(sorted(totals.items(), key=lambda item: -item[1][0]))


@dataclass(frozen=True)
class Timed(Generic[T]):
    """What some work gave, how long it took, and how long and how often on which statements.

    ``cpu_seconds`` are those of the process on all cores, its engine's threads among them.
    """

    result: T
    seconds: float
    cpu_seconds: float
    profile: Mapping[str, tuple[float, int]] = field(default_factory=dict)

    def largest(self) -> dict[str, tuple[float, int]]:
        """The ten statements that took most."""
        ranked = list(self.profile.items())[:10]
        return {template: (round(seconds, 4), times) for template, (seconds, times) in ranked}


def timed(work: Callable[[], T]) -> Timed[T]:
    """The result of work, its seconds, and the statements that they went into."""
    profile = Profile()
    with profile.listening():
        started, cpu_started = time.perf_counter(), time.process_time()
        result = work()
        seconds = time.perf_counter() - started
        cpu_seconds = time.process_time() - cpu_started
    return Timed(result, seconds, cpu_seconds, profile.totals(seconds))


def best(runs: list[Timed[T]]) -> Timed[T]:
    """The run that took least."""
    return min(runs, key=lambda run: run.seconds)


def run_sql(connection: duckdb.DuckDBPyConnection, sql: str) -> float:
    """The seconds of one statement, its rows fetched."""
    started = time.perf_counter()
    connection.execute(sql).fetchall()
    return time.perf_counter() - started


def peak_gigabytes() -> float:
    """The most memory that this process has held."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e9 if sys.platform == "darwin" else 1e9 / 1024)


def drawn(name: str) -> str:
    """A large number for row i as SQL, the same on every run with one version of DuckDB.

    Hashed as one text: the hashes of several arguments differ by a constant from name to name.
    """
    return f"hash('{_SEED} {name} ' || i)"


def quoted(names: tuple[str, ...]) -> str:
    """The names as SQL, between commas."""
    return ", ".join(f'"{name}"' for name in names)


def group_by(table: str, columns: tuple[str, ...]) -> str:
    """The statement that counts the table's rows per combination of some columns."""
    names = quoted(columns)
    counts = f"SELECT {names}, count(*) AS n FROM {table} GROUP BY {names}"
    return f"SELECT count(*), max(n) FROM ({counts})"


def floor_seconds(
    connection: duckdb.DuckDBPyConnection, table: str, columns: tuple[str, ...]
) -> tuple[float, float]:
    """The seconds of one GROUP BY of the columns, and of one copy of the table."""
    connection.execute("DROP TABLE IF EXISTS copied")
    grouped = run_sql(connection, group_by(table, columns))
    copied = run_sql(connection, f"CREATE TABLE copied AS FROM {table}")
    connection.execute("DROP TABLE copied")
    connection.execute("CHECKPOINT")
    return grouped, copied


@dataclass(frozen=True)
class Trip:
    """One plan, one release and one audit of it, with the floor measured just before them."""

    floor: tuple[float, float]
    plan: Timed[Plan]
    release: Timed[Release] | None = None
    audit: Timed[Audit] | None = None

    @property
    def seconds(self) -> float:
        """The seconds of all that was done."""
        done = (self.plan, self.release, self.audit)
        return sum(each.seconds for each in done if each is not None)


def trip(connection: duckdb.DuckDBPyConnection, policy: Policy, *, plan_only: bool = False) -> Trip:
    """Measure the floor, then plan and, if asked, apply and audit, on an open connection."""
    columns = (*policy.quasi, *policy.sensitive)
    floor = floor_seconds(connection, str(policy.source.table), columns)
    plan = timed(lambda: make_plan(policy, connection))
    if plan_only:
        return Trip(floor, plan)
    assert policy.release is not None
    connection.execute(f"DROP TABLE IF EXISTS {policy.release.target}")
    release = timed(lambda: apply_plan(plan.result, connection))
    audit = timed(
        lambda: audit_table(policy, source=connection),
    )
    assert release.result.satisfied
    assert audit.result.satisfied
    connection.execute(f"DROP TABLE {policy.release.target}")
    if policy.beside is not None and policy.beside.release is not None:
        connection.execute(f"DROP TABLE {policy.beside.release.target}")
    connection.execute("CHECKPOINT")
    return Trip(floor, plan, release, audit)


def ratio(
    name: str,
    connection: duckdb.DuckDBPyConnection,
    policy: Mapping[str, Any],
    repeats: int,
    target: float | None,
    aim: float | None = None,
    *,
    plan_only: bool = False,
) -> Figure:
    """How many times the floor a policy takes: best of several, measured in turns."""
    read = read_policy(policy)
    trips = [trip(connection, read, plan_only=plan_only) for _ in range(repeats)]
    grouped = min(each.floor[0] for each in trips)
    copied = min(each.floor[1] for each in trips)
    least = min(trips, key=lambda each: each.seconds)
    detail = {"group_by": round(grouped, 3), "copy": round(copied, 3), **trip_detail(least)}
    return Figure(name, least.seconds / (grouped + copied), "x", target, aim, detail)


def trip_detail(done: Trip) -> dict[str, Any]:
    """Nodes, cells and seconds of a trip, with the statements that took most."""
    plan = done.plan.result
    steps = {"plan": done.plan, "apply": done.release, "audit": done.audit}
    taken = {step: each for step, each in steps.items() if each is not None}
    return {
        "seconds": {step: round(each.seconds, 3) for step, each in taken.items()},
        "stage": round(plan.seconds["stage"], 3),
        **plan_detail(plan),
        "profile": {step: each.largest() for step, each in taken.items()},
    }


def plan_detail(plan: Plan) -> dict[str, Any]:
    """What was chosen, and what it took to prove it."""
    return {
        "satisfied": plan.satisfied,
        "levels": None if plan.levels is None else list(plan.levels.values()),
        "objective": round(plan.objective, 8),
        "suppressed_rows": plan.suppressed_rows,
        "classes": plan.classes,
        "nodes": plan.measured_nodes,
        "cells": plan.cells,
        "rows": plan.rows,
    }
