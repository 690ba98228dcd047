"""The oracle's suppression, releases and beliefs against answers worked by hand."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle
from oracle import Row, lines_ladder, rule_ladder
from oracle_belief import (
    Belief,
    beliefs,
    breaches,
    negative_disclosures,
    positive_disclosures,
    posteriors,
)
from oracle_models import (
    ORACLE,
    Guarantee,
    Table,
    judge,
    optimum_models,
    release_models,
    suppress_to_fixpoint,
)
from people_rows import guarantees, ladders_of, lines, people


def of_classes(groups: dict[int, str]) -> Table:
    rows: list[Row] = [{"q": q, "s": s} for q, values in groups.items() for s in values]
    return Table(rows, ["q"], ["s"])


def test_each_round_judges_what_is_left_against_what_is_left() -> None:
    """Q(x) is 5/7 and class 2 is 3/14 away; without class 1 it is 5/6, and class 2 is 1/3 away."""
    table = of_classes({1: "y", 2: "xy", 3: "xxxx"})
    close: Guarantee = ("t_closeness", {"column": "s", "t": "0.3"})
    first = judge(table, close)
    assert first.figures == {(1,): Fraction(5, 7), (2,): Fraction(3, 14), (3,): Fraction(2, 7)}
    assert first.failing == {(1,)}
    found = suppress_to_fixpoint(table, [close])
    assert (found.suppressed, found.rounds) == (3, 2)
    assert [row["q"] for row in found.released] == [3] * 4
    source: Guarantee = ("t_closeness", {"column": "s", "t": "0.3", "reference": "source"})
    found = suppress_to_fixpoint(table, [source])
    assert (found.suppressed, found.rounds) == (1, 1)


def test_too_small_classes_go_before_anything_is_judged() -> None:
    """Class 1 alone makes class 3 too far from the table; with k = 2 it is gone by then."""
    table = of_classes({1: "y", 3: "xxxx"})
    close: Guarantee = ("t_closeness", {"column": "s", "t": "0.1"})
    for small in (
        ("k_anonymity", {"k": 2}),
        ("alpha_k_anonymity", {"column": "s", "alpha": 1, "k": 2}),
    ):
        found = suppress_to_fixpoint(table, [close, small])
        assert (found.suppressed, found.rounds) == (1, 0)
    assert suppress_to_fixpoint(table, [close]).released == []


def test_all_rows_of_a_class_go_when_one_of_its_blocks_fails() -> None:
    pairs = [("a", 1), ("b", 1), ("a", 2), ("b", 2), ("a", 3)]
    rows: list[Row] = [{"q": 0, "s": s, "v": v} for s, v in pairs]
    table = Table(rows, ["q"], ["s", "v"])
    jointly: Guarantee = ("distinct_l_diversity", {"column": "s", "l": 2, "jointly": True})
    assert suppress_to_fixpoint(table, [jointly]).suppressed == 5


def test_a_limit_over_the_release_suppresses_no_class_and_decides_the_node() -> None:
    table = of_classes({1: "xx", 2: "xy", 3: "xyz"})
    ladders = {"q": rule_ladder([1, 2, 3], [])}
    for limit, feasible in ((2, True), (1, False), ("29%", True), ("28%", False)):
        attack: Guarantee = ("homogeneity", {"column": "s", "at_most": limit})
        found = release_models(table, ladders, (0,), [attack], 0)
        assert (found.feasible, found.suppressed) == (feasible, 0)
    none: Guarantee = ("homogeneity", {"column": "s", "at_most": 0})
    assert release_models(table, ladders, (0,), [none], 2).suppressed == 2
    assert not release_models(table, ladders, (0,), [none], 1).feasible


@given(drawn=lines, asked=guarantees)
def test_what_is_released_gives_every_guarantee_and_consists_of_whole_classes(
    drawn: Sequence[tuple[int, str, str]], asked: Sequence[Guarantee]
) -> None:
    rows = people(drawn)
    table = Table(rows, ["age", "sex"], ["s"])
    found = suppress_to_fixpoint(table, asked)
    left = replace(table, rows=found.released, source=rows)
    assert not any(judge(left, guarantee).failing for guarantee in asked)
    assert len(found.released) + found.suppressed == len(rows)
    assert all(members == table.classes()[key] for key, members in left.classes().items())
    again = suppress_to_fixpoint(left, asked)
    assert (again.released, again.suppressed, again.rounds) == (found.released, 0, 0)
    if not any(judge(table, guarantee).failing for guarantee in asked):
        assert found.suppressed == 0


@given(drawn=lines, k=st.integers(2, 4), budget=st.integers(0, 5))
def test_k_anonymity_alone_has_the_optimum_of_the_oracle_of_k(
    drawn: Sequence[tuple[int, str, str]], k: int, budget: int
) -> None:
    rows = people(drawn)
    ladders = ladders_of(rows)
    found = optimum_models(Table(rows, []), ladders, [("k_anonymity", {"k": k})], budget)
    expected = oracle.optimum(rows, ladders, k, budget)
    assert (found is None) == (expected is None)
    if found is not None and expected is not None:
        assert (found.node, found.loss, found.suppressed) == (
            expected.node,
            expected.loss,
            expected.suppressed,
        )


@given(drawn=lines, asked=guarantees, budget=st.integers(0, 5))
def test_the_optimum_is_feasible_and_loses_least(
    drawn: Sequence[tuple[int, str, str]], asked: Sequence[Guarantee], budget: int
) -> None:
    rows = people(drawn)
    ladders = ladders_of(rows)
    table = Table(rows, [], ["s"])
    best = optimum_models(table, ladders, asked, budget)
    for node in oracle.lattice(ladders):
        found = release_models(table, ladders, node, asked, budget)
        if found.feasible:
            assert best is not None
            loss = oracle.loss(found.released, found.suppressed, ladders, node)
            assert best.loss.product <= loss.product
    if best is not None:
        assert release_models(table, ladders, best.node, asked, budget).feasible


def test_rows_that_a_policy_for_null_suppresses_stay_in_the_source() -> None:
    rows: list[Row] = [{"q": q, "s": s} for q, s in [(1, "x"), (1, "x"), (1, "y"), (None, "y")]]
    ladders = {"q": rule_ladder([1, None], [], nulls="suppress")}
    for reference, feasible in (("source", False), ("released", True)):
        close: Guarantee = ("t_closeness", {"column": "s", "t": 0, "reference": reference})
        found = release_models(Table(rows, [], ["s"]), ladders, (0,), [close], 4)
        assert (found.feasible, found.suppressed) == (feasible, 1 if feasible else 4)


def test_figure_1_of_machanavajjhala_2006_has_its_best_3_diverse_node() -> None:
    """Figure 3 is the only way to 3 distinct conditions that keeps more than one class."""
    heart, viral, cancer = "Heart Disease", "Viral Infection", "Cancer"
    conditions = [heart, heart, viral, viral, cancer, heart, viral, viral] + [cancer] * 4
    zips = ["13053", "13068", "13068", "13053", "14853", "14853", "14850", "14850"]
    zips += ["13053", "13053", "13068", "13068"]
    ages = [28, 29, 21, 23, 50, 55, 47, 49, 31, 37, 36, 35]
    rows: list[Row] = [
        {"zip": z, "age": a, "condition": c} for z, a, c in zip(zips, ages, conditions, strict=True)
    ]
    ladders = {
        "zip": lines_ladder([], [(z, z[:4] + "*", z[:3] + "**") for z in dict.fromkeys(zips)]),
        "age": lines_ladder([], [(a, "<= 40" if a <= 40 else "> 40") for a in ages]),
    }
    table = Table(rows, [], ["condition"])
    best = optimum_models(
        table, ladders, [("distinct_l_diversity", {"column": "condition", "l": 3})], 0
    )
    assert best is not None
    assert best.node == (1, 1)
    assert len(oracle.classes(best.released, ["zip", "age"])) == 3


@given(
    omega=st.lists(st.tuples(st.integers(0, 3), st.sampled_from("xyz")), min_size=3, max_size=6),
    size=st.integers(1, 3),
)
def test_the_posterior_of_theorem_3_1_counts_the_random_worlds(
    omega: Sequence[tuple[int, str]], size: int
) -> None:
    """A world is a permutation of a sample that the published table is compatible with."""
    population: list[Row] = [{"q": q, "s": s} for q, s in omega]
    table = Table(population[:size], ["q"], ["s"])

    def published(sample: Sequence[Any]) -> list[tuple[int, str]]:
        return sorted((row["q"] // 2, row["s"]) for row in sample)

    found = beliefs(table, "s", population, lambda key: (int(str(key[0])) // 2,))
    for ((q,), s), belief in found.items():
        worlds = [
            world
            for world in itertools.permutations(population, size)
            if published(world) == published(table.rows) and world[0]["q"] == q
        ]
        holding = [world for world in worlds if world[0]["s"] == s]
        assert belief.posterior == Fraction(len(holding), len(worlds))
        alike = [row["s"] for row in population if row["q"] == q]
        assert belief.prior == Fraction(sum(value == s for value in alike), len(alike))


def test_a_homogeneous_block_raises_the_belief_to_1_and_breaches() -> None:
    population: list[Row] = [{"q": q, "s": s} for q in (0, 1) for s in "xyyy"]
    table = Table([{"q": 0, "s": "x"}, {"q": 1, "s": "x"}], ["q"], ["s"])
    found = beliefs(table, "s", population, lambda _: ("*",))
    quarter = Fraction(1, 4)
    assert found[(0,), "x"] == Belief(quarter, Fraction(1))
    assert found[(0,), "y"] == Belief(3 * quarter, Fraction(0))
    assert positive_disclosures(table, "s", found, "0.1") == {((0,), "x"), ((1,), "x")}
    assert negative_disclosures(table, "s", found, "0.1") == {((0,), "y"), ((1,), "y")}
    assert breaches(found, "0.3", "0.9") == set(found), "x rises above, and y falls below"
    assert breaches(found, "0.2", "0.9") == frozenset()


def test_whoever_cannot_have_any_value_of_a_block_is_not_in_it() -> None:
    half = Fraction(1, 2)
    with pytest.raises(ValueError, match="can be in the block"):
        posteriors({"x": 2}, {"y": Fraction(1)}, {"x": half, "y": half})


def test_a_bound_of_logarithms_is_kept_at_the_bound_and_delta_disclosure_below_it() -> None:
    table = of_classes({1: "x", 2: "y"})
    for t, met in (("0.6931471805", True), ("0.69314717", False)):
        close: Guarantee = ("t_closeness", {"column": "s", "t": t, "distance": "kl"})
        assert judge(table, close).met == met, "ln 2 = 0.69314718056"
    for delta, met in ((math.log(2), False), (math.log(2) + 1e-12, True)):
        parameters = {"column": "s", "delta": Fraction(delta), "absent": "ignore"}
        assert judge(table, ("delta_disclosure", parameters)).met == met


SETTINGS: dict[str, dict[str, Any]] = {
    "k_anonymity": {"k": 2},
    "alpha_k_anonymity": {"column": "s", "alpha": 1, "k": 2},
    "k_map": {"k": 2, "population": {"table": "people"}},
    "delta_presence": {"least": "1%", "most": "50%", "population": {"table": "people"}},
    "linkage": {"known": {"table": "people"}, "risk": "marketer", "at_most": 0},
    "distinct_l_diversity": {"column": "s", "l": 2},
    "entropy_l_diversity": {"column": "s", "l": 2},
    "recursive_l_diversity": {"column": "s", "c": 2, "l": 2},
    "t_closeness": {"column": "s", "t": 0},
    "n_t_closeness": {"column": "s", "n": 1, "t": 0},
    "ratio_closeness": {"column": "s", "epsilon": 1},
    "delta_disclosure": {"column": "s", "delta": 1},
    "beta_likeness": {"column": "s", "beta": 1},
    "positive_disclosure": {"column": "s", "delta": 0},
    "negative_disclosure": {"column": "s", "epsilon": 1, "prior": {"table": "people"}},
    "belief_breach": {"column": "s", "rho_1": "0.1", "rho_2": "0.2"},
    "homogeneity": {"column": "s", "at_most": 0},
    "background_knowledge": {"column": "s", "excluded": 1, "at_most": 0},
    "similarity": {"column": "s", "at_most": 0, "groups": {}},
    "skewness": {"column": "s", "at_most": 2},
}


@pytest.mark.parametrize("name", ORACLE)
def test_a_table_without_rows_gives_every_guarantee_and_measures_nothing(name: str) -> None:
    table = replace(of_classes({}), references={"people": [{"q": 1, "s": "x"}]})
    found = judge(table, (name, SETTINGS[name]))
    assert (found.met, found.measured, found.figures) == (True, None, {})
