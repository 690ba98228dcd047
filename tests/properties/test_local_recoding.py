"""Local recoding, as planned, released and audited, held against its oracle on drawn tables."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import duckdb
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import oracle
from auditing import assert_agrees, load
from guarantee_cases import TYPES
from harness import RELEASE, connected, policy_mapping, with_rows
from oracle_local import (
    LocalRelease,
    Traced,
    broken_guarantees,
    lone_children,
    loss,
    specializations,
    spent,
    torn_cells,
    trace,
)
from oracle_models import judge
from recoded_locally import Recoding
from sqlgen import Plan, apply_plan, audit_table, make_plan, read_policy
from sqlgen.planning.lock import lock_text
from sqlgen.releasing.release import Release as Applied
from strategies import Table, quoted
from strategies_local import LOCAL, World, hostile, hostile_release, worlds

KS = st.integers(2, 4)
BUDGETS = st.sampled_from([0, 0, 3, "20%", "100%"])
EFFORT = settings(max_examples=2 * settings().max_examples)


@pytest.fixture(scope="module")
def shared() -> Iterator[duckdb.DuckDBPyConnection]:
    """One database for all worlds: to open one costs more than a plan."""
    with duckdb.connect(config={"threads": 1}) as connection:
        yield connection


@dataclass(frozen=True)
class Published:
    """A plan, what applying it told, and its release as the oracle reads it."""

    plan: Plan
    applied: Applied
    release: LocalRelease

    @property
    def traced(self) -> Traced:
        """The release with the source's row behind each row."""
        found = trace(self.release)
        assert found is not None, "a row of the release is of no row of the source"
        return found


def published(connection: duckdb.DuckDBPyConnection, world: World) -> Published:
    """A world planned and released, where there is a plan."""
    world.fill(connection)
    plan = make_plan(read_policy(world.mapping()), connection)
    assume(plan.satisfied)
    applied = apply_plan(plan, connection, replace=True)
    assert applied.satisfied
    return Published(plan, applied, world.released(connection))


@EFFORT
@given(world=worlds())
def test_classes_give_every_guarantee_are_as_fine_as_can_be_and_of_the_sources_rows(
    shared: duckdb.DuckDBPyConnection, world: World
) -> None:
    found, guarantees = published(shared, world), world.parts()[2]
    assert broken_guarantees(found.traced, guarantees) == []
    assert specializations(found.traced, guarantees) == []
    assert torn_cells(found.traced) == 0
    plan = found.plan
    assert plan.classes == len(found.release.classes())
    assert plan.suppressed_rows == found.release.suppressed
    assert plan.suppressed_rows <= spent(found.traced) <= world.case.budget
    assert plan.suppressed_rows + plan.masked_rows >= spent(found.traced)


@given(world=worlds())
def test_a_label_above_its_floor_stands_for_two_finer_ones_in_its_class(
    shared: duckdb.DuckDBPyConnection, world: World
) -> None:
    """Statement 3 of docs/adversary.md."""
    assert lone_children(published(shared, world).traced) == []


@given(world=worlds(), random=st.randoms(use_true_random=False))
def test_where_rows_alone_are_counted_no_sensitive_value_changes_a_label(
    shared: duckdb.DuckDBPyConnection, world: World, random: Random
) -> None:
    """Statement 2 of docs/adversary.md: the choice tells nothing about sensitive values."""
    case = replace(world.case, guarantees=[{"k_anonymity": {"k": random.choice([2, 3])}}])
    names = ("disease", "salary")
    values = [tuple(row[name] for name in names) for row in case.rows]
    random.shuffle(values)
    rows = [
        {"note": f"note {n}", **row, **dict(zip(names, other, strict=True))}
        for n, (row, other) in enumerate(zip(case.rows, values, strict=True))
    ]
    shown = []
    for each in (case.rows, rows):
        found = published(shared, replace(world, case=replace(case, rows=each)))
        labels = (*found.release.columns, "note")
        shown.append({tuple(row[name] for name in labels) for row in found.release.rows})
    assert shown[0] == shown[1]


@EFFORT
@given(world=worlds(other=None))
def test_the_loss_of_a_plan_is_the_oracles_and_that_of_an_audit(
    shared: duckdb.DuckDBPyConnection, world: World
) -> None:
    found = published(shared, world)
    finest, coarsest = (loss(found.traced, reading).value for reading in ("finest", "coarsest"))
    # A label of two levels, such as * for a value that no hierarchy has, is read at either.
    assert finest - 1e-9 <= found.plan.objective <= coarsest + 1e-9
    audit = audit_table(found.plan.policy, source=shared)
    assert audit.satisfied
    assert audit.metrics["loss"] == pytest.approx(found.plan.objective, abs=1e-8)
    assert (audit.rows, audit.classes) == (len(found.release.rows), found.plan.classes)
    for planned, audited in zip(found.plan.guarantees, audit.guarantees, strict=True):
        assert float(planned.value) == pytest.approx(float(audited.value), rel=1e-9)


@EFFORT
@given(world=worlds(other=None))
def test_there_is_a_plan_wherever_the_coarsest_levels_are_one_and_it_loses_no_more(
    shared: duckdb.DuckDBPyConnection, world: World
) -> None:
    world.fill(shared)
    plan = make_plan(read_policy(world.mapping()), shared)
    source, held, _ = world.parts()
    ladders = {name: each.ladder for name, each in held.items()}
    node = [each.ceiling for each in held.values()]
    ceiling = world.ceiling()
    assert plan.satisfied >= ceiling.feasible
    if ceiling.feasible:
        most = oracle.loss(ceiling.released, ceiling.suppressed, ladders, node)
        assert plan.objective <= most.value + 1e-9
        assert plan.suppressed_rows <= len(source.rows)


@given(world=worlds(other=False))
def test_rows_without_notes_are_decided_as_those_with_notes(
    shared: duckdb.DuckDBPyConnection, world: World
) -> None:
    plain = published(shared, world)
    noted = published(shared, replace(world, case=replace(world.case, other=True)))
    names = [*plain.release.columns, *plain.release.source.sensitive]
    told = [
        Counter(tuple(row[name] for name in names) for row in each.release.rows)
        for each in (plain, noted)
    ]
    assert told[0] == told[1]
    assert plain.traced.numbers is not None


@given(world=worlds(other=None), random=st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_no_byte(
    shared: duckdb.DuckDBPyConnection, world: World, random: Random
) -> None:
    rows = [{"note": f"note {n}", **row} for n, row in enumerate(world.case.rows)]
    shuffled = list(rows)
    random.shuffle(shuffled)
    told = []
    for each in (rows, shuffled):
        again = replace(world, case=replace(world.case, rows=each))
        plan = published(shared, again).plan
        told.append((lock_text(plan), shared.execute("SELECT * FROM released").fetchall()))
    assert told[0] == told[1]


@given(world=worlds(), data=st.data())
def test_an_audit_of_what_another_tool_recoded_locally_measures_what_the_oracle_does(
    shared: duckdb.DuckDBPyConnection, world: World, data: st.DataObject
) -> None:
    world = replace(world, recoding="full_domain", case=replace(world.case, on_failure="suppress"))
    source, held, guarantees = world.parts()
    recoding = Recoding(source, held, guarantees, ["note"])
    kept = recoding.kept()
    assume(kept)
    nodes = itertools.product(*(range(each.floor, each.ceiling + 1) for each in held.values()))
    layers = data.draw(st.lists(st.sampled_from([*nodes]), max_size=4))
    regions = recoding.refined(kept, recoding.layers(kept, layers))
    found = trace(recoding.release(regions))
    assert found is not None
    world.fill(shared)
    types = {**TYPES, "note": "VARCHAR", "sex": "VARCHAR"}
    shown = [*held, *source.sensitive, "note"]
    load(shared, "released", {name: types[name] for name in shown}, found.release.rows)
    audit = audit_table(read_policy(world.mapping()), source=shared)
    finest, coarsest = (loss(found, reading).value for reading in ("finest", "coarsest"))
    assert finest - 1e-9 <= audit.metrics["loss"] <= coarsest + 1e-9
    assert (audit.rows, audit.classes) == (len(kept), len(found.release.classes()))
    for measured, guarantee in zip(audit.guarantees, guarantees, strict=True):
        assert_agrees(measured, judge(found.table(), guarantee))


def hostile_mapping(
    table: Table, levels: Mapping[str, Sequence[int]], k: int, suppression: str | int
) -> dict[str, Any]:
    mapping = policy_mapping(table, k, suppression)
    for name, held in levels.items():
        mapping["columns"][name]["levels"] = list(held)
    return {**mapping, "recoding": LOCAL}


@EFFORT
@given(hostile(), KS, BUDGETS)
def test_adversarial_tables_are_released_by_the_rules(
    drawn: tuple[Table, dict[str, tuple[int, int]]], k: int, suppression: str | int
) -> None:
    table, levels = drawn
    asked = [("k_anonymity", {"k": k})]
    budget = oracle.budget(suppression, len(table.rows))
    with connected(table) as connection:
        policy = read_policy(hostile_mapping(table, levels, k, suppression))
        plan = make_plan(policy, connection)
        assume(plan.satisfied)
        assert apply_plan(plan, connection).satisfied
        audit = audit_table(policy, source=connection)
        found = trace(hostile_release(connection, table, levels))
    assert found is not None
    assert broken_guarantees(found, asked) == []
    assert spent(found) == plan.suppressed_rows <= budget
    assert torn_cells(found) == 0
    assert specializations(found, asked) == []
    finest, coarsest = (loss(found, reading).value for reading in ("finest", "coarsest"))
    assert finest - 1e-9 <= plan.objective <= coarsest + 1e-9
    assert audit.satisfied
    assert audit.metrics["loss"] == pytest.approx(plan.objective, abs=1e-8)


@given(hostile(), KS, BUDGETS, st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_no_byte_of_an_adversarial_table(
    drawn: tuple[Table, dict[str, tuple[int, int]]],
    k: int,
    suppression: str | int,
    random: Random,
) -> None:
    table, levels = drawn
    rows = list(table.rows)
    random.shuffle(rows)
    told = []
    for each in (table, with_rows(table, rows)):
        with connected(each) as connection:
            policy = read_policy(hostile_mapping(each, levels, k, suppression))
            plan = make_plan(policy, connection)
            assume(plan.satisfied)
            apply_plan(plan, connection)
            shown = connection.execute(f"SELECT * FROM {quoted(RELEASE)}").fetchall()
            told.append((lock_text(plan), shown))
    assert told[0] == told[1]


# More than two groups of rows, which is what threads share; and fewer cells than rows.
MANY = """
CREATE TABLE many AS
SELECT
  CAST(47600 + (i * 7919) % 1009 AS VARCHAR) AS zip,
  CAST(20 + (i * i) % 61 AS INTEGER) AS age,
  CASE WHEN i % 11 = 0 THEN NULL ELSE 'job ' || (i * i * i) % 7 END AS job,
  CASE WHEN i % 5 < 3 THEN 'flu' ELSE 'disease ' || i % 13 END AS disease
FROM RANGE({rows}) AS t (i) ORDER BY HASH(i + {seed}) ASC
"""
MANY_POLICY = {
    "source": {"table": "many"},
    "columns": {
        "zip": {"role": "quasi", "hierarchy": {"prefixes": [4, 3]}},
        "age": {"role": "quasi", "hierarchy": {"intervals": [5, 20]}},
        "job": {"role": "quasi", "hierarchy": "suppress"},
        "disease": {"role": "sensitive"},
    },
    "guarantees": [
        {"k_anonymity": {"k": 5}},
        {"t_closeness": {"column": "disease", "t": "0.3", "distance": "equal"}},
    ],
    "suppression": "1%",
    "release": {"table": "released"},
    "recoding": LOCAL,
}


def test_threads_and_the_order_of_many_rows_change_no_byte() -> None:
    told = set()
    for threads, seed in ((1, 1), (2, 2), (4, 3)):
        with duckdb.connect(config={"threads": threads}) as connection:
            connection.execute(MANY.format(rows=260_000, seed=seed))
            plan = make_plan(read_policy(MANY_POLICY), connection)
            assert plan.satisfied
            apply_plan(plan, connection)
            query = (
                "SELECT MD5(STRING_AGG(CAST(released AS VARCHAR), CHR(10) ORDER BY rowid ASC)) "
                "FROM released"
            )
            (digest,) = connection.execute(query).fetchall()
            told.add((lock_text(plan), digest))
    assert len(told) == 1
