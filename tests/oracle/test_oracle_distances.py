"""The oracle's definitions against second definitions, on many small tables."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

import transport
from oracle import Ladder, Row, lines_ladder
from oracle_closeness import (
    Distance,
    hierarchical_distance,
    js_distance,
    kl_distance,
    ordered_distance,
    variational_distance,
)
from oracle_diversity import entropy_of, frequency_and_tail
from oracle_models import ORACLE, Figure, Table
from oracle_table import Combination, Distribution

DOMAIN = [0, 1, 2, 3, 4, 5]

masses = st.lists(st.integers(0, 4), min_size=6, max_size=6).filter(any)
present = st.dictionaries(st.sampled_from(DOMAIN), st.integers(1, 6), min_size=1)


def shares(counted: Sequence[int]) -> dict[Combination, Fraction]:
    """The distribution of counts over the domain."""
    return {value: Fraction(c, sum(counted)) for value, c in zip(DOMAIN, counted, strict=True)}


@st.composite
def ladders(draw: st.DrawFn) -> Ladder:
    """A hierarchy of the domain: each level merges some labels of the one below, then `*`."""
    columns: list[list[str]] = []
    names = [str(value) for value in DOMAIN]
    for level in range(1, draw(st.integers(1, 3)) + 1):
        onto = {name: f"{level}:{draw(st.integers(0, 2))}" for name in dict.fromkeys(names)}
        names = [onto[name] for name in names]
        columns.append(names)
    return lines_ladder([], [list(line) for line in zip(DOMAIN, *columns, strict=True)])


def apart(ladder: Ladder, a: int, b: int) -> Fraction:
    """The least level at which two values have one label, over the height."""
    level = min(h for h in range(ladder.height + 1) if ladder.at(a, h) == ladder.at(b, h))
    return Fraction(level, ladder.height)


DISTANCES: Mapping[str, Callable[[Ladder, Distribution, Distribution], Figure]] = {
    "equal": lambda _, p, q: variational_distance(p, q),
    "ordered": lambda _, p, q: ordered_distance(p, q, DOMAIN),
    "hierarchical": lambda ladder, p, q: hierarchical_distance(p, q, ladder),
    "kl": lambda _, p, q: kl_distance(p, q),
    "js": lambda _, p, q: js_distance(p, q),
}
GROUND: Mapping[str, Callable[[Ladder, int, int], Fraction]] = {
    "equal": lambda _, a, b: Fraction(a != b),
    "ordered": lambda _, a, b: Fraction(abs(a - b), len(DOMAIN) - 1),
    "hierarchical": apart,
}
grounded = pytest.mark.parametrize("name", GROUND)
every = pytest.mark.parametrize("name", DISTANCES)


def test_every_distance_is_tried() -> None:
    assert {*DISTANCES, "variational"} == set(get_args(Distance))


@grounded
@given(ladder=ladders(), p=masses, q=masses)
def test_a_distance_is_the_least_work_of_its_transportation_problem(
    name: str, ladder: Ladder, p: Sequence[int], q: Sequence[int]
) -> None:
    found = DISTANCES[name](ladder, shares(p), shares(q))
    ground = [[GROUND[name](ladder, a, b) for b in DOMAIN] for a in DOMAIN]
    least = transport.emd([*shares(p).values()], [*shares(q).values()], ground)
    assert float(found) == pytest.approx(least, abs=1e-9)


@given(ladder=ladders(), p=masses, q=masses)
def test_hierarchical_distance_is_the_mean_over_the_levels_below_the_root(
    ladder: Ladder, p: Sequence[int], q: Sequence[int]
) -> None:
    by_level = Fraction(0)
    for level in range(ladder.height):
        moved: dict[object, Fraction] = {}
        for value in DOMAIN:
            gap = shares(p)[value] - shares(q)[value]
            label = ladder.at(value, level)
            moved[label] = moved.get(label, Fraction(0)) + gap
        by_level += sum((abs(gap) for gap in moved.values()), Fraction(0)) / 2
    assert hierarchical_distance(shares(p), shares(q), ladder) == by_level / ladder.height


@every
@given(ladder=ladders(), p=masses, q=masses)
def test_a_distance_is_in_its_range_and_0_only_between_equals(
    name: str, ladder: Ladder, p: Sequence[int], q: Sequence[int]
) -> None:
    found = DISTANCES[name](ladder, shares(p), shares(q))
    most = {"kl": math.inf, "js": math.log(2) + 1e-12}.get(name, 1)
    assert 0 <= found <= most
    assert (found == 0) == (shares(p) == shares(q))
    assert DISTANCES[name](ladder, shares(p), shares(p)) == 0


@every
@given(ladder=ladders(), e_1=masses, e_2=masses, q=masses)
def test_fact_2_of_li_2007_holds(
    name: str, ladder: Ladder, e_1: Sequence[int], e_2: Sequence[int], q: Sequence[int]
) -> None:
    merged = [a + b for a, b in zip(e_1, e_2, strict=True)]
    found = [DISTANCES[name](ladder, shares(e), shares(q)) for e in (e_1, e_2, merged)]
    weight = Fraction(sum(e_1), sum(merged))
    tolerance = 0 if name in GROUND else 1e-12
    assert found[2] <= weight * found[0] + (1 - weight) * found[1] + tolerance


@grounded
@given(
    ladder=ladders(),
    lines=st.lists(
        st.tuples(st.integers(0, 2), st.integers(0, 1), st.sampled_from(DOMAIN)), min_size=1
    ),
)
def test_merging_classes_never_raises_the_worst_distance_from_a_fixed_reference(
    name: str, ladder: Ladder, lines: Sequence[tuple[int, int, int]]
) -> None:
    rows: list[Row] = [{"a": a, "b": b, "s": s} for a, b, s in lines]
    worst: list[Figure] = []
    for quasi in (["a", "b"], ["a"], []):
        table = Table(rows, quasi, ["s"], orders={"s": DOMAIN}, trees={"s": ladder})
        found = ORACLE["t_closeness"](table, column="s", t=1, distance=name, reference="source")
        assert found.measured is not None
        worst.append(found.measured)
    assert worst == sorted(worst, reverse=True)
    assert worst[-1] == 0, "the whole table is its own reference"


@given(p=present, q=present)
def test_the_largest_ratio_over_sets_of_values_is_that_over_single_values(
    p: Mapping[int, int], q: Mapping[int, int]
) -> None:
    rows: list[Row] = [{"s": s} for s, c in p.items() for _ in range(c)]
    source: list[Row] = [{"s": s} for s, c in q.items() for _ in range(c)]
    table = Table(rows, [], ["s"], source=source)
    found = ORACLE["ratio_closeness"](table, column="s", epsilon=1, reference="source").measured
    factors = [0.0]
    for size in range(1, len(DOMAIN) + 1):
        for values in itertools.combinations(DOMAIN, size):
            a = Fraction(sum(p.get(s, 0) for s in values), sum(p.values()))
            b = Fraction(sum(q.get(s, 0) for s in values), sum(q.values()))
            if a + b > 0:
                factors.append(float(max(a / b, b / a)) if min(a, b) > 0 else math.inf)
    assert found == pytest.approx(math.log(max(factors)))


def diverse(counted: Sequence[int], c: Fraction, l: int) -> bool:  # noqa: E741
    """Recursive (c, l)-diversity as the sentence above Definition 4.2 of Machanavajjhala 2006.

    Whichever sensitive value an adversary eliminates, a (c, l - 1)-diverse block is left.
    """
    if not counted:
        return False
    if l == 2:
        return max(counted) < c * (sum(counted) - max(counted))
    return all(
        diverse([*counted[:out], *counted[out + 1 :]], c, l - 1) for out in range(len(counted))
    )


constants = st.fractions(Fraction(1, 4), 5, max_denominator=4)
levels = st.integers(2, 5)


@given(block=present, c=constants, l=levels)
def test_definition_4_2_survives_the_elimination_of_any_values(
    block: Mapping[int, int],
    c: Fraction,
    l: int,  # noqa: E741
) -> None:
    r_1, tail = frequency_and_tail(block, l)
    assert (r_1 < c * tail) == diverse(list(block.values()), c, l)


@given(block=present, c=constants, l=levels, may=st.sets(st.sampled_from(DOMAIN)))
def test_definition_4_3_survives_the_elimination_of_any_l_minus_2_other_values(
    block: Mapping[int, int],
    c: Fraction,
    l: int,  # noqa: E741
    may: set[int],
) -> None:
    r_y, tail = frequency_and_tail(block, l, may)
    safe = True
    for s in set(block) - may:
        others = [count for other, count in block.items() if other != s]
        for eliminated in itertools.combinations(others, min(l - 2, len(others))):
            safe = safe and block[s] < c * (sum(others) - sum(eliminated))
    assert (r_y == 0 or r_y < c * tail) == safe


@given(block=present, l=levels, may=st.sets(st.sampled_from(DOMAIN)), seed=st.permutations(DOMAIN))
def test_the_tail_does_not_depend_on_the_order_of_equally_frequent_values(
    block: Mapping[int, int],
    l: int,  # noqa: E741
    may: set[int],
    seed: Sequence[int],
) -> None:
    shuffled = {value: block[value] for value in seed if value in block}
    assert frequency_and_tail(shuffled, l, may) == frequency_and_tail(block, l, may)


@given(block=present, c=st.fractions(Fraction(5, 4), 9, max_denominator=4), l=levels)
def test_the_second_branch_of_definition_4_3_always_holds_for_c_above_1(
    block: Mapping[int, int],
    c: Fraction,
    l: int,  # noqa: E741
) -> None:
    descending = sorted(block, key=lambda value: -block[value])
    may = descending[: l - 1]
    r_y, tail = frequency_and_tail(block, l, may)
    assert r_y == 0 or r_y < c * tail


@given(block_1=present, block_2=present)
def test_the_entropy_of_a_block_is_at_least_that_of_its_worse_part(
    block_1: Mapping[int, int], block_2: Mapping[int, int]
) -> None:
    merged = {s: block_1.get(s, 0) + block_2.get(s, 0) for s in {*block_1, *block_2}}
    parts = min(entropy_of(block_1), entropy_of(block_2))
    assert entropy_of(merged) >= parts - 1e-12
