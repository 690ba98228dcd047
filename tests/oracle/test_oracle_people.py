"""The oracle of tables of people, and of what is believed of them, against hand-worked answers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracle
from oracle import TOP, Ladder, Row, Values, lines_ladder, rule_ladder
from oracle_belief import beliefs, class_beliefs
from oracle_models import Judgement, Table, judge, optimum_models
from oracle_people import class_of, people_ladder
from people_rows import ladders_of, lines, people

# Towns a to c are near and d is far; NULL is a value, and z is no town.
TOWNS = lines_ladder([None], [("a", "near"), ("b", "near"), ("c", "near"), ("d", "far")])
PEOPLE = {"table": "people"}
WEIGHED = {"table": "people", "weight": "weight"}


def town(letter: str) -> str | None:
    return None if letter == "-" else letter


def release(sizes: dict[str | None, int], known: str, level: int = 1) -> Table:
    """Classes of so many rows at a level, and the people of some towns."""
    rows: list[Row] = [{"q": q} for q, size in sizes.items() for _ in range(size)]
    references = {"people": [{"q": town(letter)} for letter in known]}
    return Table(rows, ["q"], references=references, quasi_trees={"q": TOWNS}, node=[level])


def believing(classes: dict[str, str], *known: tuple[str, str, str]) -> Table:
    """Classes of sensitive values at level 1, and a prior of towns, values and weights."""
    rows: list[Row] = [{"q": q, "s": s} for q, values in classes.items() for s in values]
    references = {"people": [{"q": q, "s": s, "weight": weight} for q, s, weight in known]}
    return Table(rows, ["q"], ["s"], references=references, quasi_trees={"q": TOWNS}, node=[1])


def judged(table: Table, name: str, **parameters: Any) -> Judgement:
    return judge(table, (name, parameters))


@pytest.mark.parametrize(
    ("level", "labels"),
    [
        (0, {"a": "a", "d": "d", "-": None, "z": "z"}),
        (1, {"a": "near", "d": "far", "-": None}),
        (2, {"a": TOP, "d": TOP, "-": TOP, "z": TOP}),
    ],
)
def test_a_person_has_the_labels_of_the_release(level: int, labels: dict[str, str | None]) -> None:
    table = release({}, "", level)
    for letter in "ad-z":
        expected = (labels[letter],) if letter in labels else None
        assert class_of(table, {"q": town(letter)}) == expected


def test_without_a_ladder_people_are_as_they_are_and_who_is_suppressed_is_nowhere() -> None:
    assert class_of(Table([], ["q", "r"]), {"q": 1, "r": None, "s": 2}) == (1, None)
    ladder = rule_ladder([1, None], [], nulls="suppress")
    for level in (0, 1):
        table = Table([], ["q"], quasi_trees={"q": ladder}, node=[level])
        assert class_of(table, {"q": None}) is None


def test_a_ladder_for_people_knows_every_value_that_its_hierarchy_covers() -> None:
    def build(values: Values) -> Ladder:
        return rule_ladder(values, [lambda v: oracle.cut_label(v, ["0", "10", "20"], closed=True)])

    ladder = people_ladder(build, [1], [12, 99, None, 12])
    assert list(ladder.leaves) == [1, 12, None]
    assert ladder.at(12, 1) == "[10, 20)"
    with pytest.raises(ValueError, match="does not cover"):
        people_ladder(build, [99], [1])


def test_k_map_counts_the_people_who_match_a_class() -> None:
    table = release({"near": 3, "far": 1, None: 2}, "aabz-d")
    found = judged(table, "k_map", k=3, population=PEOPLE)
    assert found.figures == {("near",): 3, ("far",): 1, (None,): 1}
    assert found.failing == {("far",), (None,)}
    assert (found.measured, found.failing_rows) == (1, 3)
    assert judged(release({TOP: 1}, "aabz-d", 2), "k_map", k=6, population=PEOPLE).met
    nobody = judged(release({"far": 2}, "az"), "k_map", k=2, population=PEOPLE)
    assert (nobody.measured, nobody.met) == (0, False)


def test_delta_presence_is_bounded_on_both_sides_inclusively() -> None:
    table = release({"near": 3, "far": 1}, "aaabbcd")
    settings: dict[str, Any] = {"population": PEOPLE}
    found = judged(table, "delta_presence", **settings, most="50%")
    assert found.figures == {("near",): Fraction(1, 2), ("far",): 1}
    assert found.failing == {("far",)}
    assert (found.failing_rows, found.measured) == (1, 1)
    assert judged(table, "delta_presence", **settings, least="0.5", most=1).met
    found = judged(table, "delta_presence", **settings, least="51%", most=1)
    assert found.failing == {("near",)}


def test_who_is_in_no_class_is_less_likely_present_than_any_least_share() -> None:
    settings: dict[str, Any] = {"population": PEOPLE, "most": 1}
    for known in ("aad-", "aadz"):
        table = release({"near": 1, "far": 1}, known)
        assert judged(table, "delta_presence", **settings).met
        found = judged(table, "delta_presence", **settings, least="0.000000001")
        assert found.failing == {("near",), ("far",)}


def test_rows_that_nobody_matches_are_present_without_bound() -> None:
    table = release({"near": 1, "far": 1}, "a")
    found = judged(table, "delta_presence", population=PEOPLE, most=1)
    assert found.failing == {("far",)}
    assert found.measured == math.inf


def test_linkage_counts_people_at_risk_and_links_that_are_right() -> None:
    """n and j are 4 and 2, 1 and 3, 2 and 0."""
    table = release({"near": 4, "far": 1, None: 2}, "abdddz")
    third = Fraction(333_333_333_334, 10**12)
    for risk, above, near, far in (
        ("prosecutor", 0, 2, 3),
        ("prosecutor", "25%", 0, 3),
        ("prosecutor", 1, 0, 0),
        ("journalist", 0, 2, 3),
        ("journalist", "1/3", 2, 0),
        ("journalist", "0.5", 0, 0),
        ("marketer", 0, Fraction(1, 2), third),
    ):
        settings: dict[str, Any] = {"known": PEOPLE, "risk": risk, "above": above}
        found = judged(table, "linkage", **settings, at_most="100%")
        assert found.figures == {("near",): near, ("far",): far, (None,): 0}
        assert (found.measured, found.total) == (near + far, near + far)
        assert found.met
        none = judged(table, "linkage", **settings, at_most=0)
        reached = {key for key, figure in found.figures.items() if figure > 0}
        assert none.failing == reached
        assert none.failing_rows == sum(len(table.classes()[key]) for key in reached)


@pytest.mark.parametrize(("at_most", "met"), [(5, True), (4, False), ("72%", True), ("70%", False)])
def test_a_limit_on_linkage_is_rows_or_a_share_of_all_rows(at_most: str | int, met: bool) -> None:
    """Five people of seven rows."""
    table = release({"near": 4, "far": 1, None: 2}, "abdddz")
    found = judged(table, "linkage", known=PEOPLE, risk="prosecutor", at_most=at_most)
    assert (found.met, found.failing) == (met, frozenset())


def test_a_belief_from_the_released_table_is_the_share_of_a_class() -> None:
    """x and y are 3/7 and 4/7 of the table."""
    table = Table([{"q": q, "s": s} for q, v in {1: "xxy", 2: "xyyy"}.items() for s in v], ["q"])
    for delta, failing in (("1/4", set()), ("0.26", {(2,)}), ("0.34", {(1,), (2,)})):
        found = judged(table, "positive_disclosure", column="s", delta=delta)
        assert found.figures == {(1,): Fraction(2, 3), (2,): Fraction(3, 4)}
        assert found.failing == failing
        assert found.measured == Fraction(3, 4)
    for epsilon, failing in (("1/4", set()), ("0.3", {(2,)}), ("0.34", {(1,), (2,)})):
        found = judged(table, "negative_disclosure", column="s", epsilon=epsilon)
        assert found.figures == {(1,): Fraction(1, 3), (2,): Fraction(1, 4)}
        assert found.failing == failing
        assert found.measured == Fraction(1, 4)
    for rho_1, rho_2, met in (("0.5", "0.6", False), ("3/7", "0.6", True), ("0.5", "2/3", True)):
        found = judged(table, "belief_breach", column="s", rho_1=rho_1, rho_2=rho_2)
        assert found.figures == {(1,): Fraction(5, 21), (2,): Fraction(5, 28)}
        assert (found.met, found.measured) == (met, Fraction(5, 21))
        assert met or found.failing == {(1,)}


def test_a_value_that_a_class_lacks_is_not_believed_in() -> None:
    table = believing({"near": "xy", "far": "xyz"})
    found = judged(table, "negative_disclosure", column="s", epsilon="0.000000001")
    assert found.failing == {("near",)}
    assert found.measured == 0


# Of x and y, a weighs 1 and 1, and b weighs 1 and 3: 2 and 4 in all.
PRIOR = [("a", "x", "1"), ("a", "y", "1"), ("b", "x", "0.5"), ("b", "x", "0.5"), ("b", "y", "3")]


def test_a_prior_says_more_of_some_than_of_others() -> None:
    """n is 2 and 1: for a 2/2 and 1/4 are 4/5 and 1/5, for b 2/2 and 3/4 are 4/7 and 3/7."""
    table = believing({"near": "xxy"}, *PRIOR, ("d", "z", "9"))
    settings: dict[str, Any] = {"column": "s", "prior": WEIGHED}
    for delta, met in (("0.2", True), ("0.21", False)):
        found = judged(table, "positive_disclosure", **settings, delta=delta)
        assert (found.measured, found.met) == (Fraction(4, 5), met)
    for epsilon, met in (("0.2", True), ("0.21", False)):
        found = judged(table, "negative_disclosure", **settings, epsilon=epsilon)
        assert (found.measured, found.met) == (Fraction(1, 5), met)
    for rho_1, rho_2, met in (("0.3", "0.5", False), ("0.25", "0.5", True), ("0.3", "4/7", True)):
        found = judged(table, "belief_breach", **settings, rho_1=rho_1, rho_2=rho_2)
        assert (found.measured, found.met) == (Fraction(9, 28), met)


def test_a_prior_without_weights_counts_its_rows() -> None:
    """b has x in 2 of 3 rows: 2/3 and 1/2 are 4/7 and 3/7, and 1/3 and 1/2 for a 2/5 and 3/5."""
    table = believing({"near": "xxy"}, *PRIOR)
    found = class_beliefs(table, list(table.classes()["near",]), "s", PEOPLE)
    assert found is not None
    told = [(belief.prior, belief.posterior) for belief in found]
    assert told == [
        (Fraction(1, 2), Fraction(4, 7)),
        (Fraction(1, 2), Fraction(3, 7)),
        (Fraction(2, 3), Fraction(8, 11)),
        (Fraction(1, 3), Fraction(3, 11)),
    ]


def test_a_value_of_the_prior_alone_is_disproved_and_who_has_no_other_is_left_out() -> None:
    """b may have z by 4/8, as c has for certain: c is ignored, and b does not have z."""
    table = believing({"near": "xxy"}, *PRIOR, ("b", "z", "4"), ("c", "z", "1"), ("a", "w", "0"))
    settings: dict[str, Any] = {"column": "s", "prior": WEIGHED, "ruled_out": "ignore"}
    assert judged(table, "positive_disclosure", **settings, delta=0).measured == Fraction(4, 5)
    assert judged(table, "negative_disclosure", **settings, epsilon=1).measured == 0
    found = judged(table, "belief_breach", **settings, rho_1="0.1", rho_2="0.9")
    assert (found.measured, found.met) == (Fraction(1, 2), True)
    known = class_beliefs(table, list(table.rows), "s", WEIGHED, "ignore")
    assert known is not None
    assert len(known) == 6, "x, y and z for a and b"


def test_a_class_of_which_the_prior_rules_out_every_value_for_somebody_fails() -> None:
    """c has z for certain, and nobody here has z; nobody else is at odds with the prior."""
    table = believing({"near": "xxy"}, *PRIOR, ("c", "z", "1"))
    for settings in ({}, {"ruled_out": "fail"}):
        found = judged(table, "positive_disclosure", column="s", prior=WEIGHED, delta=0, **settings)
        assert found.measured == 1
        assert found.failing == {("near",)}
    assert class_beliefs(table, list(table.rows), "s", WEIGHED) is None
    ignored = {"column": "s", "prior": WEIGHED, "ruled_out": "ignore"}
    assert judged(table, "positive_disclosure", **ignored, delta=0).met


@pytest.mark.parametrize("known", [[], [("d", "x", "1")], [("d", "x", "1"), ("d", "y", "0")]])
def test_a_class_that_the_prior_denies_fails_whatever_is_asked(
    known: Sequence[tuple[str, str, str]],
) -> None:
    table = believing({"near": "xy", "far": "xy"}, *PRIOR, *known)
    settings: dict[str, Any] = {"column": "s", "prior": WEIGHED}
    for name, bounds, figure in (
        ("positive_disclosure", {"delta": 0}, 1),
        ("negative_disclosure", {"epsilon": "0.000000001"}, 0),
        ("belief_breach", {"rho_1": "0.000000001", "rho_2": "0.999999999"}, 1),
    ):
        found = judged(table, name, **settings, **bounds)
        assert found.failing == {("far",)}
        assert (found.figures["far",], found.measured) == (figure, figure)


@given(
    omega=st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("xyz")), min_size=1),
    size=st.integers(1, 6),
)
def test_a_class_has_the_beliefs_of_its_people(omega: list[tuple[str, str]], size: int) -> None:
    """Where everybody of the prior is somebody of the table, the two definitions meet."""
    population: list[Row] = [{"q": q, "s": s} for q, s in omega]
    base = Table(population[:size], ["q"], ["s"])
    of_base = {row["q"] for row in base.rows}
    population = [row for row in population if row["q"] in of_base]

    def label(key: tuple[oracle.Value, ...]) -> tuple[oracle.Value, ...]:
        return (TOWNS.at(key[0], 1),)

    found = beliefs(base, "s", population, label)
    rows: list[Row] = [{**row, "q": label((row["q"],))[0]} for row in base.rows]
    known = {"people": population}
    table = Table(rows, ["q"], ["s"], references=known, quasi_trees={"q": TOWNS}, node=[1])
    settings: dict[str, Any] = {"column": "s", "prior": PEOPLE}
    positive = judged(table, "positive_disclosure", **settings, delta=0)
    breach = judged(table, "belief_breach", **settings, rho_1="0.4", rho_2="0.6")
    for key in table.classes():
        alike = [belief for (q, _), belief in found.items() if label(q) == key]
        assert positive.figures[key] == max(belief.posterior for belief in alike)
        assert breach.figures[key] == max(abs(b.posterior - b.prior) for b in alike)


@given(drawn=lines)
def test_people_who_are_the_source_match_as_its_rows_do(
    drawn: Sequence[tuple[int, str, str]],
) -> None:
    rows = people(drawn)
    ladders = ladders_of(rows)
    for node in oracle.lattice(ladders):
        released, _ = oracle.generalize(rows, ladders, node)
        table = Table(
            released, list(ladders), references={"people": rows}, quasi_trees=ladders, node=node
        )
        sizes = {key: len(members) for key, members in table.classes().items()}
        assert judged(table, "k_map", k=2, population=PEOPLE).figures == sizes
        present = judged(table, "delta_presence", population=PEOPLE, least=1, most=1)
        assert present.figures == dict.fromkeys(sizes, 1)
        assert present.met
        right = judged(table, "linkage", known=PEOPLE, risk="marketer", at_most="100%")
        assert right.total == len(sizes)


def test_the_best_node_matches_people_at_its_own_level() -> None:
    """At level 1 the three near hide two rows, and d is alone; at the top everybody hides."""
    rows: list[Row] = [{"q": letter} for letter in "abd"]
    table = Table(rows, [], references={"people": [{"q": letter} for letter in "abcd"]})
    asked = [("k_map", {"k": 2, "population": PEOPLE})]
    for budget, node, suppressed, product in ((0, (2,), 0, 2), (1, (1,), 1, Fraction(5, 3))):
        best = optimum_models(table, {"q": TOWNS}, asked, budget)
        assert best is not None
        assert (best.node, best.suppressed) == (node, suppressed)
        assert best.loss.product == product, "with NULL there are five leaves"
    assert (
        optimum_models(table, {"q": TOWNS}, [("k_map", {"k": 5, "population": PEOPLE})], 3) is None
    )


def test_values_that_only_people_have_are_in_no_loss() -> None:
    def build(values: Values) -> Ladder:
        return rule_ladder(values, [lambda v: oracle.interval_label(v, 10)])

    ages, known = [1, 2, 12], [1, 5, 12, 15]
    ladders = {"q": build(ages)}
    table = Table(
        [{"q": age} for age in ages],
        [],
        references={"people": [{"q": age} for age in known]},
        quasi_trees={"q": people_ladder(build, ages, known)},
    )
    best = optimum_models(table, ladders, [("k_map", {"k": 2, "population": PEOPLE})], 0)
    assert best is not None
    assert best.node == (1,)
    assert best.loss.product == Fraction(4, 3), "of three ages, two rows cover two and one covers 1"


def test_n_t_closeness_takes_combinations_of_columns() -> None:
    """Each column is as in the table, and half of the combinations are not."""
    values = [(1, "x", 1), (1, "y", 2), (2, "x", 2), (2, "y", 1)]
    table = Table([{"q": q, "s": s, "v": v} for q, s, v in values], ["q"], ["s", "v"])
    asked: dict[str, Any] = {"n": 4, "t": "0.4"}
    assert judged(table, "n_t_closeness", column="s", **asked).measured == 0
    both = judged(table, "n_t_closeness", columns=["s", "v"], **asked)
    assert (both.measured, both.met) == (Fraction(1, 2), False)
    assert judged(table, "n_t_closeness", columns=["s", "v"], n=4, t="0.5").met
    assert judged(table, "n_t_closeness", columns=["s", "v"], n=5, t=1).measured == math.inf
    js = judged(table, "n_t_closeness", columns=["s", "v"], n=1, t=0, distance="js")
    assert js.measured == pytest.approx(1.5 * math.log(2) - 0.75 * math.log(3))
