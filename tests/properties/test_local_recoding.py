"""Local recoding, as planned, released and audited, held against its oracle on drawn tables."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from typing import Any
from unittest.mock import patch

import duckdb
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import oracle
import oracle_shown
from auditing import assert_agrees, load
from guarantee_cases import TYPES, Case
from harness import RELEASE, connected, policy_mapping, with_rows
from local_tables import plan_by_layers
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
from oracle_models import Guarantee, OnFailure, Release, judge
from recoded_figures import assert_lost, assert_persons_alone, shown_columns
from recoded_locally import Recoding
from sqlgen import Plan, apply_plan, audit_table, make_plan, read_policy
from sqlgen.planning.lock import lock_text
from sqlgen.policy.recoding import RecodingChoice
from sqlgen.recodings import RegionDecision, local_search
from sqlgen.recodings.local_steps import LocalSteps
from sqlgen.releasing.release import Release as Applied
from strategies import Column, Table, make_table, quoted
from strategies_local import KEEPING, LOCAL, World, hostile, hostile_release, numbered, worlds

KS = st.integers(2, 4)
OURS = Fraction(1, 200)
SHARES = st.sampled_from([OURS, Fraction(1, 2), Fraction(1), Fraction(1)])
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


def planned(
    connection: duckdb.DuckDBPyConnection, mapping: Mapping[str, Any], share: Fraction
) -> Plan:
    """A plan whose layers each release a share of all rows.

    By the share that is ours every node of a small table is a layer, and leaves little to refine.
    """
    with patch.object(local_search, "_SHARE", share):
        return plan_by_layers(read_policy(mapping), connection)


def published(
    connection: duckdb.DuckDBPyConnection, world: World, share: Fraction = OURS
) -> Published:
    """A world planned and released, where there is a plan."""
    world.fill(connection)
    plan = planned(connection, world.mapping(), share)
    assume(plan.satisfied)
    applied = apply_plan(plan, connection, replace=True)
    assert applied.satisfied
    return Published(plan, applied, world.released(connection))


@EFFORT
@given(world=worlds(), share=SHARES)
def test_classes_give_every_guarantee_are_as_fine_as_can_be_and_of_the_sources_rows(
    shared: duckdb.DuckDBPyConnection, world: World, share: Fraction
) -> None:
    found, guarantees = published(shared, world, share), world.parts()[2]
    traced, plan = found.traced, found.plan
    assert broken_guarantees(traced, guarantees) == []
    assert torn_cells(traced) == 0
    assert plan.classes == len(found.release.classes())
    assert plan.suppressed_rows == found.release.suppressed
    assert plan.suppressed_rows <= spent(traced) <= world.case.budget
    assert plan.suppressed_rows + plan.masked_rows >= spent(traced)
    if world.recoding == KEEPING:
        assert plan.suppressed_rows == found.release.dropped
    # What is suppressed or masked moves what classes are compared with, after they were refined.
    if not world.moves or spent(traced) == found.release.dropped:
        assert_as_fine_as_can_be(traced, guarantees, plan, shared)


def assert_as_fine_as_can_be(
    traced: Traced,
    guarantees: Sequence[Guarantee],
    plan: Plan,
    connection: duckdb.DuckDBPyConnection,
) -> None:
    """Hold that no class could be finer, or that the plan takes the best node as it is."""
    assert isinstance(plan.decision, RegionDecision)
    steps = plan.decision.steps
    assert isinstance(steps, LocalSteps)
    if steps.takes_all:
        full_domain = plan.policy.model_copy(update={"recoding": RecodingChoice()})
        best = make_plan(full_domain, connection).levels
        assert best is not None
        assert steps.layers == (tuple(best.values()),)
    else:
        assert specializations(traced, guarantees) == []


@given(world=worlds(), share=SHARES)
def test_a_label_above_its_floor_stands_for_two_finer_ones_in_its_class(
    shared: duckdb.DuckDBPyConnection, world: World, share: Fraction
) -> None:
    """Statement 3 of docs/adversary.md."""
    assert lone_children(published(shared, world, share).traced) == []


@given(world=worlds(), share=SHARES, random=st.randoms(use_true_random=False))
def test_where_rows_alone_are_counted_no_sensitive_value_changes_a_label(
    shared: duckdb.DuckDBPyConnection, world: World, share: Fraction, random: Random
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
        found = published(shared, replace(world, case=replace(case, rows=each)), share)
        labels = (*found.release.columns, "note")
        shown.append({tuple(row[name] for name in labels) for row in found.release.rows})
    assert shown[0] == shown[1]


@given(world=worlds(other=None), share=SHARES)
def test_the_loss_of_a_plan_is_the_oracles_and_that_of_an_audit(
    shared: duckdb.DuckDBPyConnection, world: World, share: Fraction
) -> None:
    found = published(shared, world, share)
    assert_lost(found.traced, found.plan, audit_table(found.plan.policy, source=shared))
    if world.is_plain:
        assert found.plan.objective == pytest.approx(loss(found.traced).value, abs=1e-9)


def assert_no_worse(plan: Plan, world: World, ceiling: Release) -> None:
    """Hold a plan against what the coarsest levels release, if that gives every guarantee."""
    _, held, _ = world.parts()
    ladders = {name: each.ladder for name, each in held.items()}
    node = [each.ceiling for each in held.values()]
    most = oracle.loss(ceiling.released, ceiling.suppressed, ladders, node)
    assert plan.satisfied
    assert plan.objective <= most.value + 1e-9


def ceiling_loses(world: World, ceiling: Release) -> bool:
    """Whether the coarsest levels suppress or mask rows, beside those that are always dropped."""
    source, held, _ = world.parts()
    return ceiling.suppressed > LocalRelease(source, held, (), []).dropped or ceiling.masked > 0


@EFFORT
@given(world=worlds(other=None), share=SHARES)
def test_there_is_a_plan_wherever_the_coarsest_levels_are_one_and_it_loses_no_more(
    shared: duckdb.DuckDBPyConnection, world: World, share: Fraction
) -> None:
    ceiling = world.ceiling()
    assume(ceiling.feasible and not ceiling_loses(world, ceiling))
    world.fill(shared)
    assert_no_worse(planned(shared, world.mapping(), share), world, ceiling)


@given(world=worlds(other=None))
def test_there_is_a_plan_where_the_coarsest_levels_suppress_or_mask_to_be_one(
    shared: duckdb.DuckDBPyConnection, world: World
) -> None:
    world, ceiling = replace(world, recoding=LOCAL), world.ceiling()
    assume(ceiling.feasible and ceiling_loses(world, ceiling))
    world.fill(shared)
    assert_no_worse(make_plan(read_policy(world.mapping()), shared), world, ceiling)


@EFFORT
@given(world=worlds(other=None))
def test_a_small_table_loses_no_more_than_at_the_best_node(
    shared: duckdb.DuckDBPyConnection, world: World
) -> None:
    assume(world.is_plain)
    world.fill(shared)
    full = make_plan(read_policy({**world.mapping(), "recoding": "full_domain"}), shared)
    assume(full.satisfied)
    whole = full.suppressed_rows + full.masked_rows == 0
    local = make_plan(read_policy({**world.mapping(), "recoding": LOCAL}), shared)
    assert local.satisfied
    assert local.objective <= full.objective + 1e-9
    if whole:
        keeping = make_plan(read_policy({**world.mapping(), "recoding": KEEPING}), shared)
        assert keeping.objective <= full.objective + 1e-9


def sick(zip_code: str, disease: str, times: int = 1) -> list[dict[str, Any]]:
    """Rows that differ in nothing but where they live and what ails them."""
    row = {"person": 1, "zip": zip_code, "age": "1", "disease": disease, "salary": 10}
    return [row] * times


def small(
    rows: list[dict[str, Any]],
    budget: int,
    *guarantees: dict[str, Any],
    on_failure: OnFailure = "suppress",
    **levels: tuple[int, int],
) -> World:
    """A world of a few rows, 2-anonymous and more."""
    asked = [{"k_anonymity": {"k": 2}}, *guarantees]
    known = [{**rows[0], "weight": 1}]
    return World(Case(rows, known, asked, budget, False, on_failure=on_failure), levels)


TWO_DISEASES = {"distinct_l_diversity": {"column": "disease", "l": 2}}
ALIKE = {"t_closeness": {"column": "disease", "t": "0", "distance": "equal"}}
SMALL = {
    # b could be suppressed, which costs a third of everything; n1 costs a fifth of the zip.
    "a row that may be suppressed need not be": small(
        [*sick("a", "flu", 2), *sick("b", "flu")], 1, zip=(0, 1), age=(0, 0)
    ),
    # South has one row. Without it North is the whole release, and no distance from it.
    "what is suppressed is nothing to be compared with": small(
        [*sick("a", "flu", 5), *sick("d", "cold")], 1, ALIKE, zip=(0, 2)
    ),
    "where all rows have one value they are released without it": small(
        sick("a", "flu", 3), 3, TWO_DISEASES, on_failure="suppress_sensitive"
    ),
    "rows are masked where that is what a policy asks for": small(
        [*sick("a", "flu", 4), *sick("d", "cold"), *sick("d", "flu")],
        4,
        TWO_DISEASES,
        on_failure="suppress_sensitive",
        zip=(0, 0),
        age=(0, 0),
    ),
}


@pytest.mark.parametrize("world", SMALL.values(), ids=SMALL)
def test_a_small_table_loses_no_more_than_at_its_coarsest_levels(
    shared: duckdb.DuckDBPyConnection, world: World
) -> None:
    ceiling = world.ceiling()
    assert ceiling.feasible
    world.fill(shared)
    assert_no_worse(make_plan(read_policy(world.mapping()), shared), world, ceiling)


@FEW
@given(world=worlds(other=False), share=SHARES, random=st.randoms(use_true_random=False))
def test_neither_notes_nor_the_order_of_rows_change_what_is_released(
    shared: duckdb.DuckDBPyConnection, world: World, share: Fraction, random: Random
) -> None:
    plain = published(shared, world, share)
    assert plain.traced.numbers is not None
    told = [(lock_text(plain.plan), shared.execute("SELECT * FROM released").fetchall())]
    rows = list(world.case.rows)
    random.shuffle(rows)
    shuffled = published(shared, replace(world, case=replace(world.case, rows=rows)), share)
    told += [(lock_text(shuffled.plan), shared.execute("SELECT * FROM released").fetchall())]
    assert told[0] == told[1]
    noted = published(shared, replace(world, case=replace(world.case, other=True)), share)
    names = [*plain.release.columns, *plain.release.source.sensitive]
    labels = [
        Counter(tuple(row[name] for name in names) for row in each.release.rows)
        for each in (plain, noted)
    ]
    assert labels[0] == labels[1]


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
    policy = read_policy(world.mapping())
    audit = audit_table(policy, source=shared)
    read = oracle_shown.figures(shown_columns(found.release))
    assert audit.metrics["loss"] == pytest.approx(read["loss"], abs=1e-8)
    if world.is_plain:
        assert read["loss"] == pytest.approx(loss(found).value, abs=1e-9)
    assert (audit.rows, audit.classes) == (len(kept), len(found.release.classes()))
    asked = dict(zip(policy.guarantees, guarantees, strict=True))
    for measured in audit.guarantees:
        assert_agrees(measured, judge(found.table(), asked[measured.guarantee]))
    assert_persons_alone(asked.keys() - {each.guarantee for each in audit.guarantees})


def hostile_mapping(
    table: Table, levels: Mapping[str, Sequence[int]], k: int, suppression: str | int
) -> dict[str, Any]:
    mapping = policy_mapping(table, k, suppression)
    for name, held in levels.items():
        mapping["columns"][name]["levels"] = list(held)
    return {**mapping, "recoding": LOCAL}


# 8 and 9 are in no list, so that their label above is the * that 1 and 2 have at the top. Told
# apart from these, they read the same.
READS_ALIKE = numbered(
    make_table(
        "reads alike",
        [
            Column(
                "a",
                "INTEGER",
                "quasi",
                (1, 2, 8, 9),
                {"lines": [["1", "x", "*"], ["2", "y", "*"]]},
                uncovered="top",
            )
        ],
    )
)


@given(hostile(), KS, BUDGETS, SHARES)
@example((READS_ALIKE, {}), 2, 0, Fraction(1))
def test_adversarial_tables_are_released_by_the_rules(
    drawn: tuple[Table, dict[str, tuple[int, int]]],
    k: int,
    suppression: str | int,
    share: Fraction,
) -> None:
    table, levels = drawn
    asked: list[Guarantee] = [("k_anonymity", {"k": k})]
    with connected(table) as connection:
        plan = planned(connection, hostile_mapping(table, levels, k, suppression), share)
        assume(plan.satisfied)
        assert apply_plan(plan, connection).satisfied
        audit = audit_table(plan.policy, source=connection)
        found = trace(hostile_release(connection, table, levels))
        assert found is not None
        assert_as_fine_as_can_be(found, asked, plan, connection)
    assert broken_guarantees(found, asked) == []
    assert spent(found) == plan.suppressed_rows <= oracle.budget(suppression, len(table.rows))
    assert torn_cells(found) == 0
    assert_lost(found, plan, audit)


@FEW
@given(hostile(), KS, BUDGETS, SHARES, st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_no_byte_of_an_adversarial_table(
    drawn: tuple[Table, dict[str, tuple[int, int]]],
    k: int,
    suppression: str | int,
    share: Fraction,
    random: Random,
) -> None:
    table, levels = drawn
    rows = list(table.rows)
    random.shuffle(rows)
    told = []
    for each in (table, with_rows(table, rows)):
        with connected(each) as connection:
            plan = planned(connection, hostile_mapping(each, levels, k, suppression), share)
            assume(plan.satisfied)
            apply_plan(plan, connection)
            shown = connection.execute(f"SELECT * FROM {quoted(RELEASE)}").fetchall()
            told.append((lock_text(plan), shown))
    assert told[0] == told[1]


# More rows than one thread takes at once, and fewer cells than rows.
MANY = """
CREATE TABLE many AS
SELECT
  CAST(47600 + (i * 7919) % 97 AS VARCHAR) AS zip,
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
            connection.execute(MANY.format(rows=130_000, seed=seed))
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
