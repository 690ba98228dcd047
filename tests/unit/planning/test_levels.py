"""Columns held to levels, and searches held to a limit: what is still proved of a plan."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli_harness import run
from sqlgen import (
    Plan,
    Policy,
    PolicyError,
    SearchLimits,
    StalePlanError,
    Watch,
    apply_plan,
    make_frontier,
    make_plan,
    minimal_nodes,
    read_policy,
)
from sqlgen.cli.text.results import plan_text
from sqlgen.planning.lock import read_lock, write_lock
from sqlgen.search.lattice import Lattice

ZIPS = {"north": {"n1": ["a", "b"], "n2": ["c"]}, "south": {"s1": ["d"]}}
HEIGHTS = {"zip": 3, "age": 2}


def policy_of(budget: int = 0, **levels: Any) -> Policy:
    hierarchies: Mapping[str, Any] = {"zip": {"tree": ZIPS}, "age": {"intervals": [10]}}
    return read_policy(
        {
            "source": {"table": "people"},
            "columns": {
                name: {
                    "role": "quasi",
                    "hierarchy": hierarchy,
                    **({"levels": levels[name]} if name in levels else {}),
                }
                for name, hierarchy in hierarchies.items()
            },
            "guarantees": [{"k_anonymity": {"k": 2}}],
            "suppression": budget,
            "release": {"table": "released"},
        }
    )


def fill(connection: duckdb.DuckDBPyConnection, rows: list[tuple[str, int]]) -> None:
    connection.execute("CREATE OR REPLACE TABLE people (zip VARCHAR, age INT)")
    connection.executemany("INSERT INTO people VALUES (?, ?)", rows)


@pytest.fixture(scope="module")
def shared() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(config={"threads": 1}) as connection:
        yield connection


def ranges(height: int) -> st.SearchStrategy[tuple[int, int]]:
    bounds = st.tuples(st.integers(0, height), st.integers(0, height))
    return bounds.map(lambda pair: (min(pair), max(pair)))


@settings(max_examples=settings().max_examples // 4)
@given(
    rows=st.lists(
        st.tuples(st.sampled_from("aabcd"), st.sampled_from([21, 22, 35])), min_size=1, max_size=12
    ),
    budget=st.integers(0, 3),
    held=st.fixed_dictionaries({}, optional={name: ranges(HEIGHTS[name]) for name in HEIGHTS}),
)
def test_a_plan_loses_least_among_the_nodes_that_are_left(
    shared: duckdb.DuckDBPyConnection,
    rows: list[tuple[str, int]],
    budget: int,
    held: dict[str, tuple[int, int]],
) -> None:
    fill(shared, rows)
    bounds = [held.get(name, (0, height)) for name, height in HEIGHTS.items()]
    nodes = list(product(*(range(low, high + 1) for low, high in bounds)))
    each = {
        node: make_plan(policy_of(budget, **dict(zip(HEIGHTS, node, strict=True))), shared)
        for node in nodes
    }
    best = min(
        (node for node in nodes if each[node].satisfied),
        key=lambda node: (round(each[node].objective, 9), sum(node), node),
        default=None,
    )
    declared = make_plan(
        policy_of(budget, **{name: list(pair) for name, pair in held.items()}), shared
    )
    called = make_plan(policy_of(budget), shared, limits=SearchLimits(held))
    for plan in (declared, called):
        assert plan.lattice_nodes == len(nodes)
        assert plan.satisfied == (best is not None)
        assert tuple(plan.levels_to("test").values()) == (best or nodes[-1])


def test_a_lattice_between_levels_has_the_nodes_between_them() -> None:
    lattice = Lattice((3, 2, 1), (1, 2, 0))
    nodes = list(lattice.nodes())
    assert nodes == list(product((1, 2, 3), (2,), (0, 1)))
    assert (lattice.size, lattice.bottom, lattice.top) == (6, (1, 2, 0), (3, 2, 1))
    reached = [lattice.bottom]
    for node in reached:
        reached.extend(lattice.offspring(node))
    assert sorted(reached) == nodes


@pytest.mark.parametrize(
    ("levels", "message"),
    [
        ([3, 1], "the least level comes first"),
        ("two", "write a level, like 2"),
        ([1, 2, 3], "write a level, like 2"),
        (-1, "levels are counted from 0"),
    ],
)
def test_levels_that_are_none_are_refused(levels: Any, message: str) -> None:
    with pytest.raises(PolicyError, match=f"columns.zip.levels: {message}"):
        policy_of(zip=levels)


def test_levels_that_the_hierarchy_does_not_have_are_refused(
    shared: duckdb.DuckDBPyConnection,
) -> None:
    fill(shared, [("a", 21), ("a", 22)])
    with pytest.raises(
        PolicyError, match=r"columns.zip.levels: zip has the levels 0 to 3; found 4"
    ):
        make_plan(policy_of(zip=4), shared)
    with pytest.raises(PolicyError, match=r"--level: zip has the levels 0 to 3; found 9"):
        make_plan(policy_of(), shared, limits=SearchLimits({"zip": (0, 9)}))
    with pytest.raises(PolicyError, match=r"--level: name is no quasi-identifier"):
        make_plan(policy_of(), shared, limits=SearchLimits({"name": (0, 1)}))


def test_a_column_that_is_not_quasi_has_no_levels() -> None:
    with pytest.raises(PolicyError, match="levels goes with the role quasi; found role other"):
        read_policy(
            {
                "columns": {
                    "zip": {"role": "quasi", "hierarchy": "suppress"},
                    "note": {"role": "other", "levels": 1},
                },
                "guarantees": [{"k_anonymity": {"k": 2}}],
            }
        )


def test_a_plan_is_stale_once_its_levels_are_others(shared: duckdb.DuckDBPyConnection) -> None:
    fill(shared, [("a", 21), ("a", 22)])
    plan = make_plan(policy_of(zip=1), shared)
    moved = type(plan)(**{**vars(plan), "policy": policy_of(zip=2)})
    with pytest.raises(StalePlanError, match=r"columns\.zip"):
        apply_plan(moved, shared)


def test_a_limit_gives_the_best_so_far_and_its_gap(shared: duckdb.DuckDBPyConnection) -> None:
    fill(shared, [(zip_code, age) for zip_code in "abcd" for age in (21, 22, 35, 47)])
    whole = make_plan(policy_of(), shared)
    assert (whole.floor, whole.to_dict()["proved"]) == (None, True)
    assert whole.measured_nodes > 1
    ended = make_plan(policy_of(), shared, limits=SearchLimits(max_nodes=1))
    assert ended.satisfied
    assert ended.measured_nodes == 1
    assert ended.floor is not None
    assert ended.floor <= whole.objective < ended.objective
    assert not ended.to_dict()["proved"]
    assert "A limit ended the search after 1 was measured" in plan_text(ended)
    again = read_lock_text(ended)
    assert again.floor == pytest.approx(ended.floor, abs=1e-8)
    assert apply_plan(ended, shared, replace=True).satisfied
    none = make_plan(policy_of(), shared, limits=SearchLimits(max_seconds=0))
    assert not none.satisfied
    assert "a limit ended the search after 0 nodes, none feasible" in plan_text(none)


def slowly(what: str) -> None:
    """Staging that takes its time."""
    if what.startswith("staging"):
        time.sleep(0.3)


def test_seconds_count_from_the_start_and_so_does_staging(
    shared: duckdb.DuckDBPyConnection,
) -> None:
    fill(shared, [(zip_code, age) for zip_code in "abcd" for age in (21, 22, 35, 47)])
    limited: dict[str, Any] = {"limits": SearchLimits(max_seconds=0.5), "watch": Watch(slowly)}
    plan = make_plan(policy_of(), shared, **limited)
    assert (plan.measured_nodes, plan.satisfied) == (0, False)
    assert "a limit ended the search after 0 nodes, none feasible" in plan.hindrance
    found = minimal_nodes(policy_of(), shared, **limited)
    assert (found.measured_nodes, found.is_whole) == (0, False)
    frontier = make_frontier(policy_of(), shared, vary=("k", [2, 3]), **limited)
    assert frontier.measured_nodes == 0
    assert not any(each.is_proved for each in frontier.points)
    assert make_plan(
        policy_of(), shared, limits=SearchLimits(max_seconds=60), watch=Watch(slowly)
    ).satisfied


def read_lock_text(plan: Plan) -> Plan:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "policy.lock"
        write_lock(plan, path)
        return read_lock(path, plan.policy)


POLICY = """\
source: {database: t.duckdb, table: people}
columns:
  zip: {role: quasi, hierarchy: {prefixes: [1]}}
  age: {role: quasi, hierarchy: {intervals: [10, 20]}}
guarantees: [k_anonymity: {k: 2}]
release: {table: released}
"""


def test_the_command_line_holds_a_column_to_a_level(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "t.duckdb")) as connection:
        fill(connection, [("ab", 21), ("ab", 22), ("ac", 23), ("ac", 24)])
    written = tmp_path / "policy.yml"
    written.write_text(POLICY)
    for asked, row in (("age=2", "age     2"), ("age=2-3", "age     2"), ("zip=1-2", "zip     1")):
        ran = run("plan", str(written), "--level", asked)
        assert (ran.code, row in ran.out) == (0, True), ran
        assert run("apply", str(written), "--replace").code == 0
    for asked in ("age", "age=", "age=2-1", "=1"):
        refused = run("plan", str(written), "--level", asked)
        assert (refused.code, "--level: write zip=2, or age=1-3" in refused.err) == (2, True)
