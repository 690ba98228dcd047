"""Microaggregation, as planned, released and audited, held against its oracle on drawn tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any

import duckdb
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from grouped_tables import pair_in
from oracle_micro import least_squares, share
from sqlgen import Plan, Policy, apply_plan, audit_table, make_plan, read_policy
from sqlgen.planning.lock import lock_text

DAY = date(2024, 1, 1)
INFINITE = float("inf")
# Values of a sensitive column by its type, the odd ones among them.
VALUES: Mapping[str, Sequence[Any]] = {
    "INTEGER": (-7, 0, 1, 2, 3, 50, 51, 400, None),
    "HUGEINT": (-(10**20), 0, 5, 10**20, None),
    "DECIMAL(9,2)": (*map(Decimal, ("-0.05", "0.00", "0.10", "9.99", "10.00")), None),
    "DOUBLE": (-0.0, 0.0, 1e-3, 2.5, 1e17, INFINITE, -INFINITE, float("nan"), None),
    "DATE": (DAY, date(2024, 1, 2), date(2023, 2, 28), date(1, 1, 1), None),
}
ODD = 'pay "x", y'
Rows = Sequence[tuple[str, Any, str]]


@dataclass(frozen=True)
class AlikeWorld:
    """A table with a sensitive column of some type, and how its groups are asked for."""

    rows: Rows
    kind: str
    k: int
    guarantees: Sequence[Mapping[str, Any]]
    shown: str
    levels: Sequence[int] | None = None

    @property
    def policy(self) -> Policy:
        """The policy of the world."""
        held = {} if self.levels is None else {"levels": list(self.levels)}
        return read_policy(
            {
                "source": {"table": "t"},
                "columns": {
                    "zip": {"role": "quasi", "hierarchy": {"prefixes": [2, 1]}, **held},
                    ODD: {"role": "sensitive", "order": "numeric"},
                    "note": {"role": "other"},
                },
                "guarantees": [{"k_anonymity": {"k": self.k}}, *self.guarantees],
                "recoding": {"microaggregation": {"of": [ODD], "release": self.shown}},
                "release": {"table": "released"},
            }
        )

    def fill(self, connection: duckdb.DuckDBPyConnection, rows: Rows | None = None) -> None:
        """Make the table anew, of other rows where some are given."""
        pay = '"' + ODD.replace('"', '""') + '"'
        connection.execute(
            f"CREATE OR REPLACE TABLE t (zip VARCHAR, {pay} {self.kind}, note VARCHAR)"
        )
        connection.executemany("INSERT INTO t VALUES (?, ?, ?)", list(rows or self.rows))

    def released(self, connection: duckdb.DuckDBPyConnection) -> list[tuple[Any, ...]]:
        """The tables of the release, in their order."""
        tables = ["released", *(["released_sensitive"] if self.shown == "tables" else [])]
        return [row for table in tables for row in connection.execute(f"FROM {table}").fetchall()]


@st.composite
def alike_worlds(draw: st.DrawFn, *, plain: bool = False) -> AlikeWorld:
    """Worlds of few rows, of any type of numbers and dates; ``plain`` ask for k alone."""
    kind = draw(st.sampled_from(["INTEGER", *VALUES]))
    row = st.tuples(
        st.sampled_from(["111", "112", "121", "211", "212", "é1'"]),
        st.sampled_from(VALUES[kind]),
        st.sampled_from(["", "a", "b"]),
    )
    rows = draw(st.lists(row, min_size=1, max_size=30))
    diverse = {"distinct_l_diversity": {"column": ODD, "l": draw(st.integers(1, 3))}}
    even = {"entropy_l_diversity": {"column": ODD, "l": 2}}
    close = {"t_closeness": {"column": ODD, "t": 0.4, "distance": "equal"}}
    shown = draw(st.sampled_from(["labels", "tables"]))
    asked = draw(st.sampled_from([[diverse], [diverse, even], [close], [diverse, close]]))
    if plain:
        shown, asked = "labels", []
    levels = draw(st.sampled_from([None, None, [1, 3], [0, 2], [1, 1]]))
    return AlikeWorld(
        rows, kind, draw(st.integers(2, 4)), asked, shown, levels if shown == "labels" else None
    )


@pytest.fixture(scope="module")
def shared() -> Iterator[duckdb.DuckDBPyConnection]:
    """One database for all worlds: to open one costs more than a plan."""
    with duckdb.connect(config={"threads": 1}) as connection:
        yield connection


def as_read(value: Any) -> str:
    """A value as a reader tells it from others: -0.0 and 0.0 are two, NaN is NaN."""
    return repr(value)


def published(connection: duckdb.DuckDBPyConnection, world: AlikeWorld) -> Plan:
    """A plan of the world's table that was released, where there is one."""
    world.fill(connection)
    plan = make_plan(world.policy, connection)
    assume(plan.satisfied)
    assert apply_plan(plan, connection, replace=True).satisfied
    return plan


@given(world=alike_worlds())
def test_groups_give_every_guarantee_and_an_audit_tells_what_a_plan_does(
    shared: duckdb.DuckDBPyConnection, world: AlikeWorld
) -> None:
    plan = published(shared, world)
    audit = audit_table(plan.policy, source=shared)
    assert audit.satisfied
    assert (audit.rows, audit.classes) == (len(world.rows), plan.classes)
    figures = [float(result.value) for result in plan.guarantees]
    assert [float(result.value) for result in audit.guarantees] == pytest.approx(figures)
    alike = plan.alikeness
    assert alike is not None
    assert audit.alikeness == pytest.approx({ODD: alike.classes})
    assert 0 <= alike.groups <= alike.classes * (1 + 1e-9) <= 1 + 1e-6
    assert world.k <= alike.least_rows


@given(world=alike_worlds())
def test_every_row_of_the_source_is_released_once_with_what_it_may_show(
    shared: duckdb.DuckDBPyConnection, world: AlikeWorld
) -> None:
    published(shared, world)
    if world.shown == "tables":
        pair = pair_in(shared)
        assert pair.fits_together()
        assert pair.numbers_are_dense()
        notes = Counter((zips, note) for zips, _, note in world.rows)
        assert Counter(row[:-1] for row in pair.rows) == notes
        counted: Counter[str] = Counter()
        for _, value, count in pair.values:
            counted[as_read(value)] += count
        assert counted == Counter(as_read(value) for _, value, _ in world.rows)
        return
    found = shared.execute("FROM released").fetchall()
    told = Counter((as_read(value), note) for _, value, note in found)
    assert told == Counter((as_read(value), note) for _, value, note in world.rows)
    least, most = world.levels or (0, 3)
    label_levels = {label: label.count("*") if label != "*" else 3 for label, _, _ in found}
    assert all(least <= level <= most for level in label_levels.values())
    # Of rows that are alike but for the zip, a label stands for each: each zip has its own.
    for value, note in told:
        labels = [label for label, pay, text in found if (as_read(pay), text) == (value, note)]
        zips = [zips for zips, pay, text in world.rows if (as_read(pay), text) == (value, note)]
        assert _covers(labels, zips)


def _covers(labels: Sequence[str], zips: Sequence[str]) -> bool:
    """Whether labels can be given to zips, one each: the finest labels have the fewest to take."""
    left = list(zips)
    for label in sorted(labels, key=lambda each: 9 if each == "*" else each.count("*")):
        fits = [each for each in left if label == "*" or each.startswith(label.rstrip("*"))]
        if not fits:
            return False
        left.remove(fits[0])
    return not left


@given(world=alike_worlds(plain=True))
def test_groups_of_one_kind_have_the_least_squares_of_all(
    shared: duckdb.DuckDBPyConnection, world: AlikeWorld
) -> None:
    assume(world.kind in ("INTEGER", "DECIMAL(9,2)") and world.levels is None)
    values = [Fraction(pay) for _, pay, _ in world.rows if pay is not None]
    assume(len(values) == len(world.rows))
    alike = published(shared, world).alikeness
    assert alike is not None
    total = share([values])
    least = float(
        least_squares(values, world.k) / least_squares(values, len(values)) if total else 0
    )
    assert alike.groups == pytest.approx(least, abs=1e-12)
    assert alike.most_rows <= 2 * world.k - 1


@given(world=alike_worlds(), random=st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_no_byte(
    shared: duckdb.DuckDBPyConnection, world: AlikeWorld, random: Random
) -> None:
    plan = published(shared, world)
    told = (lock_text(plan), list(map(as_read, world.released(shared))))
    rows = list(world.rows)
    random.shuffle(rows)
    world.fill(shared, rows)
    again = make_plan(world.policy, shared)
    apply_plan(again, shared, replace=True)
    assert (lock_text(again), list(map(as_read, world.released(shared)))) == told
