"""People matched with classes at every node, on adversarial tables and hierarchies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import duckdb
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import auditing
import oracle
from harness import connected, node_of, policy_mapping, staged
from oracle import Ladder, Row, Value, Values
from oracle_models import Guarantee, OnFailure, judge, optimum_models
from oracle_models import Table as Judged
from oracle_people import people_ladder
from sqlgen import apply_plan, make_plan, read_policy
from sqlgen.measuring.nodes import measure_whole
from strategies import POOLS, Column, Table, oracle_ladder, tables

CROWD = "a crowd"
NAMED = {"table": f'"{CROWD}"'}
KNOWN = {"table": CROWD}
MOST_NODES = 60
EFFORT = settings(max_examples=settings().max_examples // 2)


def about(people: dict[str, str]) -> list[Guarantee]:
    """What asks for people, whose table has one name for a policy and one for the oracle."""
    return [
        ("k_map", {"k": 2, "population": people}),
        ("delta_presence", {"least": "0.25", "most": "0.5", "population": people}),
        ("delta_presence", {"most": "75%", "population": people}),
        ("linkage", {"known": people, "risk": "journalist", "above": "0.3", "at_most": 0}),
        ("linkage", {"known": people, "risk": "marketer", "at_most": "50%"}),
    ]


@dataclass(frozen=True)
class Peopled:
    """A table, and people with its quasi-identifiers."""

    table: Table
    people: Sequence[Row]

    @property
    def columns(self) -> list[Column]:
        """The quasi-identifiers."""
        return [column for column in self.table.columns if column.role == "quasi"]

    def judged(self) -> Judged:
        """The source as the oracle knows it, with ladders that know the people's values."""
        return Judged(
            self.table.rows,
            self.table.quasi,
            references={CROWD: self.people},
            quasi_trees={column.name: self._ladder(column) for column in self.columns},
        )

    def _ladder(self, column: Column) -> Ladder:
        def build(values: Values) -> Ladder:
            return oracle_ladder(replace(column, values=tuple(values)))

        return people_ladder(build, column.values, [each[column.name] for each in self.people])

    @contextmanager
    def connected(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """A database with the table and the people."""
        with connected(self.table) as connection:
            types = {column.name: column.type for column in self.columns}
            auditing.load(connection, CROWD, types, self.people)
            yield connection


@st.composite
def peopled(draw: st.DrawFn) -> Peopled:
    """Tables with people who are in them, or have values that are, or values that no row has."""
    table = draw(tables(max_rows=15, max_quasi=2))
    assume(table.name != CROWD and len(oracle.lattice(table.ladders)) <= MOST_NODES)
    quasi = [column for column in table.columns if column.role == "quasi"]
    person = st.fixed_dictionaries({each.name: st.sampled_from(_pool(each)) for each in quasi})
    people = draw(st.lists(person, max_size=6))
    held = [{column.name: row[column.name] for column in quasi} for row in table.rows]
    times = draw(st.integers(0, 3))
    if held:
        people += draw(st.one_of(st.just(held * times), st.lists(st.sampled_from(held))))
    return Peopled(table, people)


def _pool(column: Column) -> list[Value]:
    strange = [value for value in POOLS[column.type] if _has_label(column, value)]
    return [*dict.fromkeys([*column.values, None]), *strange]


def _has_label(column: Column, value: Value) -> bool:
    """Whether no label for the value would be rounded: doubles are of few digits."""
    if isinstance(value, float) and abs(value) > 1e6:
        return False
    try:
        oracle_ladder(replace(column, values=(value,), uncovered="top"))
    except AssertionError:
        return False
    return True


def mapping(case: Peopled, guarantees: Sequence[Guarantee], suppression: Any = 0) -> dict[str, Any]:
    asked = [{name: dict(parameters)} for name, parameters in guarantees]
    return {**policy_mapping(case.table, 2, suppression), "guarantees": asked}


@EFFORT
@given(peopled())
def test_every_node_matches_the_people_whom_the_oracle_matches(case: Peopled) -> None:
    ladders = case.table.ladders
    source = case.judged()
    policy = read_policy(mapping(case, about(NAMED)))
    with case.connected() as connection, staged(policy, connection) as made:
        for node in oracle.lattice(ladders):
            found = measure_whole(made.engine, made.staged, policy.guarantees, node)
            rows, _ = oracle.generalize(case.table.rows, ladders, node)
            at_node = replace(source, rows=rows, quasi=list(ladders), node=node)
            for place, guarantee in enumerate(about(KNOWN)):
                judged = judge(at_node, guarantee)
                told = (node, guarantee, judged, found)
                assert auditing.near(found.values[place], judged.measured or 0), told
                assert found.failing[place] == len(judged.failing), told


@EFFORT
@given(
    case=peopled(),
    asked=st.sets(st.integers(0, 4), min_size=1, max_size=2),
    budget=st.integers(0, 12),
    on_failure=st.sampled_from(["suppress", "suppress_sensitive"]),
)
def test_a_release_held_against_people_is_the_oracles_and_measures_what_was_planned(
    case: Peopled, asked: set[int], budget: int, on_failure: OnFailure
) -> None:
    named, known = ([about(people)[place] for place in sorted(asked)] for people in (NAMED, KNOWN))
    ladders = case.table.ladders
    sensitive = [column.name for column in case.table.columns if column.role == "sensitive"]
    source = replace(case.judged(), sensitive=sensitive)
    best = optimum_models(source, ladders, known, budget, on_failure)
    policy = read_policy({**mapping(case, named, budget), "on_failure": on_failure})
    with case.connected() as connection:
        plan = make_plan(policy, connection)
        assert plan.satisfied == (best is not None)
        if best is None:
            return
        assert node_of(plan, ladders) == best.node
        assert (plan.suppressed_rows, plan.masked_rows) == (best.suppressed, best.masked)
        assert plan.objective == pytest.approx(best.loss.value, abs=1e-9)
        release = apply_plan(plan, connection)
    assert release.satisfied
    assert release.suppressed_rows == best.suppressed
    for planned, audited in zip(plan.guarantees, release.audit.guarantees, strict=True):
        assert planned.value == audited.value
