"""Mondrian, as planned, released and audited, held against its oracle on drawn tables."""

from __future__ import annotations

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
import oracle_shown
from harness import RELEASE, connected, policy_mapping, with_rows
from oracle_local import LocalRelease, broken_guarantees, spent, torn_cells, trace
from oracle_models import Guarantee
from oracle_mondrian import Cutting, Labels, Rows, cuts_left
from recoded_figures import assert_lost, shown_columns
from sqlgen import Plan, apply_plan, audit_table, make_plan, read_policy
from sqlgen.planning.lock import lock_text
from sqlgen.recodings import RECODINGS, RegionDecision
from strategies import Table, quoted
from strategies_local import hostile
from strategies_mondrian import (
    AVERAGES,
    LABELS,
    NUMBER,
    NUMBERS,
    CutWorld,
    cut_table,
    cut_worlds,
    released_of,
)

KS = st.integers(2, 4)
BUDGETS = st.sampled_from([0, 0, 3, "20%", "100%"])
EFFORT = settings(max_examples=2 * settings().max_examples)
FEW = settings(max_examples=settings().max_examples // 2)


@pytest.fixture(scope="module")
def shared() -> Iterator[duckdb.DuckDBPyConnection]:
    """One database for all worlds: to open one costs more than a plan."""
    with duckdb.connect(config={"threads": 1}) as connection:
        yield connection


@dataclass(frozen=True)
class Published:
    """A plan with its release, and the regions that the oracle cuts."""

    plan: Plan
    cutting: Cutting
    rounds: Sequence[Sequence[Rows]]
    release: LocalRelease

    @property
    def regions(self) -> Sequence[Rows]:
        """The regions that are left when no cut is allowed that would be looked at."""
        return self.rounds[-1]


def counted(release: LocalRelease) -> Counter[tuple[Any, ...]]:
    """The rows of a release, each by how often it is there."""
    return Counter(tuple(row.values()) for row in release.rows)


def published(connection: duckdb.DuckDBPyConnection, world: CutWorld) -> Published:
    """A world planned and released, where there is a plan."""
    world.fill(connection)
    plan = make_plan(read_policy(world.mapping()), connection)
    assume(plan.satisfied)
    assert apply_plan(plan, connection, replace=True).satisfied
    cutting = world.cutting()
    return Published(plan, cutting, [*cutting.rounds()], world.released(connection))


def rounds_of(plan: Plan) -> int:
    """How many rounds of cuts a plan has."""
    assert isinstance(plan.decision, RegionDecision)
    return plan.decision.steps.counts["rounds"]


@EFFORT
@given(world=cut_worlds())
def test_a_plan_cuts_as_the_oracle_does_and_releases_what_that_leaves(
    shared: duckdb.DuckDBPyConnection, world: CutWorld
) -> None:
    found = published(shared, world)
    cutting, plan = found.cutting, found.plan
    assert rounds_of(plan) == len(found.rounds) - 1
    assert counted(found.release) == counted(cutting.release(found.regions))
    assert plan.classes == len(found.release.classes())
    assert plan.suppressed_rows == found.release.suppressed <= world.case.budget


@given(world=cut_worlds())
def test_there_is_a_plan_where_what_the_oracle_cuts_is_within_the_budget(
    shared: duckdb.DuckDBPyConnection, world: CutWorld
) -> None:
    cutting = world.cutting()
    dropped = len(cutting.source.rows) - len(cutting.kept)
    assume(cutting.kept and dropped <= world.case.budget)
    left = cutting.suppressed([*cutting.rounds()][-1])
    lost = dropped + left.suppressed + left.masked - left.empty
    world.fill(shared)
    plan = make_plan(read_policy(world.mapping()), shared)
    assert plan.satisfied == (lost <= world.case.budget and len(left.released) > 0)


@EFFORT
@given(world=cut_worlds())
def test_classes_give_every_guarantee_and_their_labels_hold_their_values(
    shared: duckdb.DuckDBPyConnection, world: CutWorld
) -> None:
    found, guarantees = published(shared, world), world.world.parts()[2]
    traced = trace(found.release)
    assert traced is not None, "a row of the release is of no row of the source"
    assert broken_guarantees(traced, guarantees) == []
    assert torn_cells(traced) == 0
    assert found.plan.suppressed_rows <= spent(traced) <= world.case.budget
    assert found.plan.suppressed_rows + found.plan.masked_rows >= spent(traced)


@given(world=cut_worlds())
def test_both_sides_of_a_cut_give_every_guarantee_and_by_rows_alone_no_cut_is_left(
    shared: duckdb.DuckDBPyConnection, world: CutWorld
) -> None:
    found = published(shared, world)
    cutting, first = found.cutting, {*found.rounds[0]}
    assert all(cutting.gives(rows) for rows in found.regions if rows not in first)
    if cutting.is_by_sizes:
        assert [cut for rows in found.regions for cut in cutting.allowed_by_size(rows)] == []
        if world.labels == "set" and not found.release.suppressed:
            assert cuts_left(found.release, cutting.least) == []


@EFFORT
@given(world=cut_worlds(other=None))
def test_figures_of_a_plan_are_those_of_an_audit_and_of_the_oracle_that_reads_labels(
    shared: duckdb.DuckDBPyConnection, world: CutWorld
) -> None:
    found = published(shared, world)
    traced = trace(found.release)
    assert traced is not None
    audit = audit_table(found.plan.policy, source=shared)
    assert_lost(traced, found.plan, audit, world.weights_of("loss"))
    if world.world.is_plain:
        planned = found.plan.to_dict()["metrics"]
        assert audit.metrics == pytest.approx(planned, abs=1e-7)
        read = oracle_shown.figures(shown_columns(found.release))
        plain = {name: read[name] for name in read.keys() & audit.metrics.keys()}
        if isinstance(world.objective, str):
            assert {name: audit.metrics[name] for name in plain} == pytest.approx(plain, abs=1e-7)


@FEW
@given(world=cut_worlds(other=False), random=st.randoms(use_true_random=False))
def test_neither_notes_nor_the_order_of_rows_change_what_is_released(
    shared: duckdb.DuckDBPyConnection, world: CutWorld, random: Random
) -> None:
    plain = published(shared, world)
    told = [(lock_text(plain.plan), shared.execute("SELECT * FROM released").fetchall())]
    order = [*range(len(world.case.rows))]
    random.shuffle(order)
    case = replace(world.case, rows=[world.case.rows[number] for number in order])
    number = world.number
    if number is not None:
        number = replace(number, values=tuple(number.values[place] for place in order))
    mixed = replace(world, world=replace(world.world, case=case), number=number)
    shuffled = published(shared, mixed)
    told += [(lock_text(shuffled.plan), shared.execute("SELECT * FROM released").fetchall())]
    assert told[0] == told[1]
    case = replace(world.case, other=True)
    noted = published(shared, replace(world, world=replace(world.world, case=case)))
    names = [*plain.release.columns, *plain.release.source.sensitive]
    labels = [
        Counter(tuple(row[name] for name in names) for row in each.release.rows)
        for each in (plain, noted)
    ]
    assert labels[0] == labels[1]


@FEW
@given(world=cut_worlds(other=None))
def test_a_lock_is_applied_as_it_was_planned(
    shared: duckdb.DuckDBPyConnection, world: CutWorld
) -> None:
    found = published(shared, world)
    again = RECODINGS[found.plan.decision.recoding].from_lock(found.plan.decision.to_lock())
    assert again == found.plan.decision


def hostile_mapping(
    table: Table,
    levels: Mapping[str, Sequence[int]],
    k: int,
    suppression: str | int,
    labels: Labels,
) -> dict[str, Any]:
    mapping = policy_mapping(table, k, suppression)
    for name, held in levels.items():
        mapping["columns"][name]["levels"] = list(held)
    return {**mapping, "recoding": {"mondrian": {"labels": labels}}}


@given(hostile(), KS, BUDGETS, LABELS)
def test_adversarial_tables_are_cut_by_the_rules(
    drawn: tuple[Table, dict[str, tuple[int, int]]],
    k: int,
    suppression: str | int,
    labels: Labels,
) -> None:
    table, levels = drawn
    asked: list[Guarantee] = [("k_anonymity", {"k": k})]
    with connected(table) as connection:
        mapping = hostile_mapping(table, levels, k, suppression, labels)
        plan = make_plan(read_policy(mapping), connection)
        assume(plan.satisfied)
        assert apply_plan(plan, connection).satisfied
        audit = audit_table(plan.policy, source=connection)
        cutting = cut_table(connection, table, levels, labels, asked)
        release = released_of(connection, cutting)
    assert counted(release) == counted(cutting.release([*cutting.rounds()][-1]))
    found = trace(release)
    assert found is not None
    assert broken_guarantees(found, asked) == []
    assert spent(found) == plan.suppressed_rows <= oracle.budget(suppression, len(table.rows))
    assert torn_cells(found) == 0
    assert_lost(found, plan, audit)


@FEW
@given(hostile(), KS, BUDGETS, LABELS, st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_no_byte_of_an_adversarial_table(
    drawn: tuple[Table, dict[str, tuple[int, int]]],
    k: int,
    suppression: str | int,
    labels: Labels,
    random: Random,
) -> None:
    table, levels = drawn
    rows = list(table.rows)
    random.shuffle(rows)
    told = []
    for each in (table, with_rows(table, rows)):
        with connected(each) as connection:
            mapping = hostile_mapping(each, levels, k, suppression, labels)
            plan = make_plan(read_policy(mapping), connection)
            assume(plan.satisfied)
            apply_plan(plan, connection)
            shown = connection.execute(f"SELECT * FROM {quoted(RELEASE)}").fetchall()
            told.append((lock_text(plan), shown))
    assert told[0] == told[1]


def without_persons(world: CutWorld) -> CutWorld:
    """A world without guarantees about persons, which means cannot have."""
    plain = [each for each in world.mapping()["guarantees"] if "unit" not in str(each)]
    assume(len(plain) == len(world.mapping()["guarantees"]))
    return world


@EFFORT
@given(world=cut_worlds(labels=AVERAGES, kinds=[*NUMBERS]))
def test_means_and_medians_are_those_that_fractions_give(
    shared: duckdb.DuckDBPyConnection, world: CutWorld
) -> None:
    found = published(shared, without_persons(world))
    assert counted(found.release) == counted(found.cutting.release(found.regions))
    assert found.plan.classes == len(found.release.classes())
    (described,) = (
        row for row in shared.execute("DESCRIBE released").fetchall() if row[0] == NUMBER
    )
    assert world.number is not None
    kept = found.cutting.columns[NUMBER].shows in ("mean", "median")
    assert (described[1] == world.number.type) == kept
    audit = audit_table(found.plan.policy, source=shared)
    assert audit.satisfied
    assert (audit.rows, audit.classes) == (len(found.release.rows), found.plan.classes)
    if kept:
        assert f"{NUMBER} shows {world.labels}s" in audit.not_measured
        sizes = audit.metrics.keys() & {"discernibility", "average_class_size"}
        planned = found.plan.to_dict()["metrics"]
        assert audit.metrics == pytest.approx({name: planned[name] for name in sizes})
    if world.world.is_plain and not found.release.suppressed and not world.weights():
        assert found.plan.metrics["loss"] == pytest.approx(found.cutting.loss(found.regions))


@given(hostile(), KS, BUDGETS, AVERAGES)
def test_means_of_adversarial_tables_are_those_of_the_oracle(
    drawn: tuple[Table, dict[str, tuple[int, int]]],
    k: int,
    suppression: str | int,
    labels: Labels,
) -> None:
    table, levels = drawn
    with connected(table) as connection:
        mapping = hostile_mapping(table, levels, k, suppression, labels)
        plan = make_plan(read_policy(mapping), connection)
        assume(plan.satisfied)
        assert apply_plan(plan, connection).satisfied
        audit = audit_table(plan.policy, source=connection)
        cutting = cut_table(connection, table, levels, labels, [("k_anonymity", {"k": k})])
        release = released_of(connection, cutting)
    assert counted(release) == counted(cutting.release([*cutting.rounds()][-1]))
    assert audit.satisfied
    assert audit.classes == plan.classes == len(release.classes())
