"""How rows are spread over class sizes and figures: every row is in a bin, and no bin is small."""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise

import duckdb
from hypothesis import given
from hypothesis import strategies as st

from evidence_cases import CLOSE, COLUMN, released
from sqlgen import audit_table, read_policy
from sqlgen.measuring.histograms import Bin, figure_bounds, merged, size_bounds
from sqlgen.reports import read_evidence


def test_the_classes_of_each_bin_are_those_that_the_table_has() -> None:
    connection, policy = released(**CLOSE)
    found = read_evidence(policy, source=connection)
    sizes = connection.execute("SELECT COUNT(*) FROM released GROUP BY zip, age, sex").fetchall()
    assert len(found.sizes) > 1
    for each in found.sizes:
        assert each.below is not None
        inside = [size for (size,) in sizes if each.least <= size < each.below]
        assert (each.classes, each.rows) == (len(inside), sum(inside))
    assert sum(each.classes for each in found.sizes) == len(sizes)
    for promise in found.guarantees[1:]:
        assert sum(each.rows for each in promise.spread) == found.rows
    assert found.guarantees[0].spread == ()


def test_a_bin_of_figures_holds_the_classes_with_such_figures() -> None:
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE patients AS FROM (VALUES ('1', 'a'), ('1', 'a'), ('1', 'b'), ('2', 'a'), "
        "('2', 'b'), ('3', 'a'), ('3', 'b'), ('3', 'c')) AS t (zip, disease)"
    )
    policy = read_policy(
        {
            "source": {"table": "patients"},
            "columns": {
                "zip": {"role": "quasi", "hierarchy": "suppress"},
                "disease": {"role": "sensitive"},
            },
            "guarantees": [
                {"alpha_k_anonymity": {**COLUMN, "alpha": 1, "k": 1}},
                {"recursive_l_diversity": {**COLUMN, "c": 5, "l": 3}},
            ],
            "release": {"table": "released"},
        }
    )
    audit = audit_table(policy, "patients", connection, spread=True)
    assert audit.spread is not None
    shares, ratios = audit.spread.figures[0], audit.spread.figures[1]
    by_share = {each.least: each.rows for each in shares if each.rows}
    assert by_share == {Decimal("0.3"): 3, Decimal("0.5"): 2, Decimal("0.6"): 3}
    # Two of three classes have no third value, and an infinite ratio.
    assert (ratios[-1].below, ratios[-1].classes, ratios[-1].rows) == (None, 2, 5)
    assert [(each.classes, each.rows) for each in audit.spread.sizes] == [(1, 2), (2, 6)]


bins = st.lists(st.integers(0, 30), min_size=1, max_size=12).map(
    lambda rows: [
        Bin(Decimal(number), Decimal(number + 1), min(1, count), count)
        for number, count in enumerate(rows)
    ]
)


@given(bins, st.integers(1, 20))
def test_no_bin_holds_fewer_rows_than_it_must_and_none_is_lost(drawn: list[Bin], k: int) -> None:
    made = merged(drawn, k)
    total = sum(each.rows for each in drawn)
    assert sum(each.rows for each in made) == total
    assert sum(each.classes for each in made) == sum(each.classes for each in drawn)
    assert (made[0].least, made[-1].below) == (drawn[0].least, drawn[-1].below)
    assert all(low.below == high.least for low, high in pairwise(made))
    if total >= k:
        assert all(each.rows == 0 or each.rows >= k for each in made)


@given(st.integers(1, 10**6), st.integers(0, 10**6))
def test_bounds_of_sizes_leave_no_size_out(least: int, more: int) -> None:
    bounds = size_bounds(least, least + more)
    assert bounds[0][0] == least
    assert bounds[-1][1] is not None
    assert bounds[-1][1] > least + more >= bounds[-1][0]
    assert all(low[1] == high[0] for low, high in pairwise(bounds))


figures = st.one_of(
    st.lists(st.integers(0, 10**6), min_size=1, max_size=5),
    st.lists(st.floats(0, 50) | st.just(float("inf")), min_size=1, max_size=5),
)


@given(figures, st.none() | st.floats(0.001, 100))
def test_bounds_of_figures_leave_no_figure_out(drawn: list[float], bound: float | None) -> None:
    bounds = figure_bounds(sorted(drawn), bound)
    finite = [each for each in drawn if each < float("inf")]
    if not finite:
        assert bounds == []
        return
    assert len(bounds) <= 16
    for each in drawn:
        assert any(least <= each and (below is None or each < below) for least, below in bounds), (
            each
        )
