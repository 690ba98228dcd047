"""The oracle's reading of classes without values, against answers worked by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle
from oracle import Row, rule_ladder
from oracle_masked import about_values, shown
from oracle_models import (
    Guarantee,
    OnFailure,
    Table,
    judge,
    judge_masked,
    masked_rows,
    optimum_models,
    release_models,
    suppress_to_fixpoint,
)
from people_rows import guarantees, ladders_of, lines, people

SENSITIVE: OnFailure = "suppress_sensitive"
TWO: Guarantee = ("distinct_l_diversity", {"column": "s", "l": 2})
CLOSE: Guarantee = ("t_closeness", {"column": "s", "t": "0.3"})
PEOPLE = {"table": "people"}
ONE_LEVEL = {"q": rule_ladder([1, 2, 3], [])}


def of_classes(groups: dict[int, str], known: Sequence[int] = ()) -> Table:
    """Classes of one letter per row, where a dash is NULL, and people by their class."""
    rows: list[Row] = [
        {"q": q, "s": None if s == "-" else s} for q, values in groups.items() for s in values
    ]
    return Table(rows, ["q"], ["s"], references={"people": [{"q": q} for q in known]})


def letters(rows: oracle.Rows) -> dict[Any, str]:
    """The rows as they were written."""
    told: dict[Any, str] = {}
    for row in rows:
        told[row["q"]] = told.get(row["q"], "") + str(row["s"] or "-")
    return told


def test_a_class_that_fails_by_its_values_stays_without_them() -> None:
    found = suppress_to_fixpoint(of_classes({1: "xx", 2: "xy"}), [TWO], SENSITIVE)
    assert letters(found.released) == {1: "--", 2: "xy"}
    assert (found.suppressed, found.masked, found.rounds) == (0, 2, 1)


def test_all_sensitive_columns_are_masked_and_nothing_else() -> None:
    rows: list[Row] = [{"q": 1, "s": "x", "v": v, "note": "n"} for v in (1, 2)]
    found = suppress_to_fixpoint(Table(rows, ["q"], ["s", "v"]), [TWO], SENSITIVE)
    assert found.released == [{"q": 1, "s": None, "v": None, "note": "n"}] * 2


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("k_anonymity", {"k": 2, "unit": "s"}),
        ("k_map", {"k": 2, "population": PEOPLE}),
        ("delta_presence", {"most": "70%", "population": PEOPLE}),
        ("linkage", {"known": PEOPLE, "risk": "journalist", "above": "50%", "at_most": 0}),
    ],
)
def test_a_class_that_fails_about_who_goes_even_if_its_values_fail_as_well(
    name: str, parameters: dict[str, Any]
) -> None:
    """One person matches the two rows of class 1, and three those of class 2."""
    table = of_classes({1: "xx", 2: "xy"}, [1, 2, 2, 2])
    found = suppress_to_fixpoint(table, [TWO, (name, parameters)], SENSITIVE)
    assert letters(found.released) == {2: "xy"}
    assert (found.suppressed, found.masked, found.rounds) == (2, 0, 1)


def test_of_alpha_and_k_the_k_drops_and_the_alpha_masks() -> None:
    table = of_classes({1: "x", 2: "xxy", 3: "-", 4: "--", 5: "xy"})
    asked: Guarantee = ("alpha_k_anonymity", {"column": "s", "alpha": "0.5", "k": 2})
    found = suppress_to_fixpoint(table, [asked], SENSITIVE)
    assert letters(found.released) == {2: "---", 4: "--", 5: "xy"}
    assert (found.suppressed, found.masked, found.rounds) == (2, 5, 1)
    told = judge_masked(table, asked)
    assert told.figures == {(1,): 1, (2,): Fraction(2, 3), (5,): Fraction(1, 2)}
    assert told.failing == {(1,), (2,), (3,)}
    assert (told.measured, told.failing_rows) == (1, 5)


def test_what_is_masked_is_in_no_reference_of_the_next_round() -> None:
    """Q(x) is 5/7 and class 2 is 3/14 away; without class 1 it is 5/6, and class 2 is 1/3 away."""
    table = of_classes({1: "y", 2: "xy", 3: "xxxx"})
    found = suppress_to_fixpoint(table, [CLOSE], SENSITIVE)
    assert letters(found.released) == {1: "-", 2: "--", 3: "xxxx"}
    assert (found.suppressed, found.masked, found.rounds) == (0, 3, 2)
    left = judge_masked(replace(table, rows=found.released), CLOSE)
    assert (left.figures, left.met) == ({(3,): 0}, True)
    source: Guarantee = ("t_closeness", {"column": "s", "t": "0.3", "reference": "source"})
    found = suppress_to_fixpoint(table, [source], SENSITIVE)
    assert letters(found.released) == {1: "-", 2: "xy", 3: "xxxx"}


def test_a_class_without_values_is_judged_by_nothing_about_values() -> None:
    table = of_classes({1: "--", 2: "xy"}, [1])
    assert (masked_rows(table), judge_masked(table, TWO).met) == (2, True)
    assert judge(table, TWO).failing == {(1,)}
    found = suppress_to_fixpoint(table, [TWO], SENSITIVE)
    assert (found.suppressed, found.masked, found.rounds) == (0, 2, 0)
    k_map: Guarantee = ("k_map", {"k": 2, "population": PEOPLE})
    assert judge_masked(table, k_map) == judge(table, k_map)
    assert judge_masked(table, k_map).failing == {(1,), (2,)}
    uniform: Guarantee = ("t_closeness", {"column": "s", "t": 0, "reference": "uniform"})
    assert judge_masked(table, uniform).figures == {(2,): 0}
    source: Guarantee = ("t_closeness", {"column": "s", "t": 0, "reference": "source"})
    assert judge_masked(table, source).figures == {(2,): Fraction(1, 2)}


def test_null_is_no_position_of_an_order_where_it_is_masked() -> None:
    """Of y, x and z y is one step of two from x; NULL, which would come first, is no step."""
    table = replace(of_classes({1: "-", 2: "xy", 3: "yz"}), orders={"s": "text"})
    close: Guarantee = ("t_closeness", {"column": "s", "t": 1, "distance": "ordered"})
    quarter = Fraction(1, 4)
    assert judge_masked(table, close).figures == {(2,): quarter, (3,): quarter}


def test_a_class_is_masked_only_where_no_row_shows_any_value() -> None:
    assert masked_rows(of_classes({1: "-x", 2: "--"})) == 2
    rows: list[Row] = [{"q": 1, "s": None, "v": 0}]
    assert masked_rows(Table(rows, ["q"], ["s", "v"])) == 0
    assert masked_rows(Table(rows, ["q"], ["s"])) == 1
    assert masked_rows(Table(rows, ["q"])) == 0, "there are no values to mask"


def test_people_match_classes_that_show_no_values() -> None:
    """Where class 1 goes, its people are in no class, and the rest fails by them."""
    present: Guarantee = ("delta_presence", {"least": "50%", "most": 1, "population": PEOPLE})
    table = of_classes({1: "xx", 2: "xy"}, [1, 1, 2, 2])
    assert suppress_to_fixpoint(table, [TWO, present]).released == []
    found = suppress_to_fixpoint(table, [TWO, present], SENSITIVE)
    assert letters(found.released) == {1: "--", 2: "xy"}
    small = of_classes({0: "z", 1: "xx", 2: "xy"}, [0, 1, 1, 2, 2])
    found = suppress_to_fixpoint(small, [("k_anonymity", {"k": 2}), TWO, present], SENSITIVE)
    assert (found.released, found.suppressed, found.masked) == ([], 5, 0)


@pytest.mark.parametrize(
    ("name", "limit", "met"),
    [
        ("homogeneity", 2, True),
        ("homogeneity", 1, False),
        ("homogeneity", "34%", True),
        ("homogeneity", "33%", False),
        ("linkage", 3, True),
        ("linkage", 2, False),
        ("linkage", "50%", True),
        ("linkage", "49%", False),
    ],
)
def test_a_limit_counts_what_is_shown_and_is_a_share_of_all_rows(
    name: str, limit: str | int, met: bool
) -> None:
    """Two of six rows are shown to be alike; three known people are in the six rows."""
    table = of_classes({1: "--", 2: "xx", 3: "xy"}, [1, 2, 3])
    linkage = {"known": PEOPLE, "risk": "prosecutor"}
    asked = (name, {**(linkage if name == "linkage" else {"column": "s"}), "at_most": limit})
    assert judge_masked(table, asked).met == met
    assert release_models(table, ONE_LEVEL, (0,), [asked], 2, SENSITIVE).feasible == met


def test_masked_rows_count_against_the_budget_and_cost_nothing() -> None:
    table = of_classes({1: "xx", 2: "xy", 3: "z"})
    asked: list[Guarantee] = [("k_anonymity", {"k": 2}), TWO]
    best = optimum_models(table, ONE_LEVEL, asked, 3, SENSITIVE)
    assert best is not None
    assert (best.node, best.suppressed, best.masked) == ((0,), 1, 2)
    assert letters(best.released) == {1: "--", 2: "xy"}
    assert best.loss.product == Fraction(6, 5), "one row of five is lost"
    lossy = optimum_models(table, ONE_LEVEL, asked, 3)
    assert lossy is not None
    assert (lossy.suppressed, lossy.masked) == (3, 0)
    assert lossy.loss.product == Fraction(8, 5)
    coarse = optimum_models(table, ONE_LEVEL, asked, 2, SENSITIVE)
    assert coarse is not None
    assert (coarse.node, coarse.suppressed, coarse.masked) == ((1,), 0, 0)


def test_a_release_may_mask_all_values_within_its_budget() -> None:
    table = of_classes({1: "xx", 2: "yy"})
    for budget, feasible in ((4, True), (3, False)):
        found = release_models(table, ONE_LEVEL, (0,), [TWO], budget, SENSITIVE)
        assert (found.feasible, found.masked) == (feasible, 4)


@given(drawn=lines, asked=guarantees)
def test_what_would_go_by_its_values_is_what_is_masked(
    drawn: Sequence[tuple[int, str, str]], asked: Sequence[Guarantee]
) -> None:
    table = Table(people(drawn), ["age", "sex"], ["s"])
    gone = suppress_to_fixpoint(table, asked)
    kept = suppress_to_fixpoint(table, asked, SENSITIVE)
    assert shown(replace(table, rows=kept.released)).rows == gone.released
    assert (kept.suppressed + kept.masked, kept.rounds) == (gone.suppressed, gone.rounds)


@given(
    drawn=st.lists(
        st.tuples(st.integers(0, 3), st.sampled_from("mf"), st.sampled_from([None, "x", "y"])),
        min_size=1,
        max_size=14,
    ),
    asked=guarantees,
    known=st.lists(st.tuples(st.integers(0, 3), st.sampled_from("mf"), st.just("x"))),
    k=st.integers(2, 3),
)
def test_what_is_left_gives_every_guarantee_and_has_the_quasi_identifiers_it_had(
    drawn: Sequence[tuple[int, str, str]],
    asked: Sequence[Guarantee],
    known: Sequence[tuple[int, str, str]],
    k: int,
) -> None:
    rows = people(drawn)
    table = Table(rows, ["age", "sex"], ["s"], references={"people": people(known)})
    asked = [*asked, ("k_map", {"k": k, "population": PEOPLE})]
    found = suppress_to_fixpoint(table, asked, SENSITIVE)
    left = replace(table, rows=found.released, source=rows)
    assert not any(judge_masked(left, guarantee).failing for guarantee in asked)
    assert len(rows) - len(left.rows) == found.suppressed
    assert masked_rows(left) == found.masked
    for key, members in left.classes().items():
        before = table.classes()[key]
        assert len(members) == len(before)
        assert members == before or all(row["s"] is None for row in members)
    again = suppress_to_fixpoint(left, asked, SENSITIVE)
    assert (again.released, again.suppressed, again.rounds) == (left.rows, 0, 0)
    if all(about_values(guarantee) is None for guarantee in asked):
        assert left.rows == suppress_to_fixpoint(table, asked).released


@given(drawn=lines, asked=guarantees, budget=st.integers(0, 8))
def test_masking_loses_no_more_than_suppressing(
    drawn: Sequence[tuple[int, str, str]], asked: Sequence[Guarantee], budget: int
) -> None:
    rows = people(drawn)
    ladders = ladders_of(rows)
    gone = optimum_models(Table(rows, [], ["s"]), ladders, asked, budget)
    kept = optimum_models(Table(rows, [], ["s"]), ladders, asked, budget, SENSITIVE)
    if gone is not None:
        assert kept is not None
        assert kept.loss.product <= gone.loss.product
        assert kept.suppressed + kept.masked <= budget
