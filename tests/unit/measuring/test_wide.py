"""Classes as one row of counts: every verdict is that of the histograms, in fewer steps."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from count_checks import (
    CHECKS,
    GUARANTEES,
    KINDS,
    MENDED,
    Shape,
    a_closed_node_cannot_be_mended,
    both,
    can_be_mended,
    counts_agree_with_histograms,
)
from drawn_tables import ILLNESSES, Rows, drawn, filled, policy_of
from harness import staged
from sqlgen import make_plan, read_policy
from sqlgen.measuring.nodes import measure_node
from sqlgen.staging import count_cells as wide


@pytest.fixture(autouse=True)
def _always_wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small tables too."""
    monkeypatch.setattr(wide, "_WORTH", 0)


@pytest.mark.battery
@given(
    st.lists(
        st.tuples(st.sampled_from("aabcdef"), st.sampled_from("1234"), st.sampled_from(ILLNESSES)),
        min_size=1,
        max_size=30,
    ),
    st.lists(st.sampled_from(GUARANTEES), min_size=1, max_size=3),
    st.integers(0, 14),
)
def test_counts_give_every_verdict_that_histograms_give(
    rows: Rows, guarantees: list[dict[str, Any]], budget: int
) -> None:
    counts_agree_with_histograms(rows, guarantees, budget)


@given(
    st.lists(st.tuples(*[st.integers(0, 5)] * 3).filter(any), min_size=2, max_size=3).map(tuple),
    st.integers(1, 4),
    st.sampled_from(["0", "0.1", "0.2", "0.3", "0.4"]),
    st.sampled_from(["equal", "ordered", "hierarchical"]),
    st.sampled_from(["released", "source"]),
)
def test_what_is_closed_cannot_be_mended_by_any_rows_that_go(
    shape: Shape, budget: int, t: str, distance: str, reference: str
) -> None:
    a_closed_node_cannot_be_mended(shape, budget, t, distance, reference)


@pytest.mark.parametrize("case", MENDED)
def test_what_can_be_mended_is_left_open(case: tuple[Shape, int, str, str, str]) -> None:
    assert can_be_mended(*case)
    a_closed_node_cannot_be_mended(*case)


@pytest.mark.parametrize(
    ("guarantees", "more", "is_wide"),
    [
        ([GUARANTEES[0]], {}, True),
        ([], {}, False),
        ([GUARANTEES[0]], {"on_failure": "suppress_sensitive"}, False),
        ([{"recursive_l_diversity": {"column": "illness", "c": 2, "l": 2}}], {}, False),
        ([{"entropy_l_diversity": {"column": "illness", "l": 2, "jointly": True}}], {}, False),
        (
            [{"t_closeness": {"column": "illness", "t": 1, "distance": "kl"}}, GUARANTEES[0]],
            {},
            False,
        ),
    ],
)
def test_counts_are_used_where_they_tell_all(
    guarantees: list[dict[str, Any]], more: dict[str, Any], is_wide: bool
) -> None:
    policy = read_policy(policy_of(guarantees, 3, **more))
    with filled(drawn(1)) as connection, staged(policy, connection) as made:
        assert (made.staged.count_cells is not None) is is_wide


@pytest.mark.battery
@pytest.mark.parametrize("guarantees", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("budget", [0, 4, 12])
def test_sizes_and_values_judged_at_once_tell_what_they_tell_one_after_the_other(
    guarantees: list[dict[str, Any]], budget: int
) -> None:
    policy = read_policy(policy_of(guarantees, budget))
    with filled(drawn(1)) as connection, staged(policy, connection) as made:
        trial, _, nodes = both(made)
        told = []
        for node in nodes:
            asked = (made.engine, trial.staged, [trial.guarantees], node, budget)
            (after,), (at_once,) = measure_node(*asked), measure_node(*asked, at_once=True)
            assert (after, after.by_sizes) == (at_once, at_once.by_sizes), node
            told.append(after.by_sizes)
        assert any(told) == (budget < 12)


def test_many_values_are_judged_by_histograms() -> None:
    connection = filled([])
    connection.execute("INSERT INTO people SELECT 'a', '1', 'v' || i FROM RANGE(33) AS t (i)")
    mapping = policy_of([GUARANTEES[0]], 3)
    mapping["columns"]["illness"] = {"role": "sensitive"}
    with staged(read_policy(mapping), connection) as made:
        assert made.staged.count_cells is None


@pytest.mark.battery
def test_counts_beyond_63_bits_are_told_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wide, "_NARROW_ROWS", 0)
    for check in CHECKS.values():
        check()


def test_cells_that_hardly_share_values_are_not_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wide, "_WORTH", 1.5)
    rows: Rows = [("a", "1", "flu"), ("b", "2", "cold"), ("c", "3", "ulcer")]
    policy = read_policy(policy_of([GUARANTEES[0]], 3))
    with filled(rows) as connection, staged(policy, connection) as made:
        assert made.staged.count_cells is None
    with filled([*rows, ("a", "1", "cold"), ("b", "2", "flu")]) as connection:
        assert make_plan(policy, connection).rows == 5
