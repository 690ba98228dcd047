"""Releases read together are what an oracle that looks at every row says of them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracle_joint import Release, Value
from together_checks import (
    agree,
    as_left,
    compare,
    measured,
    policy_of,
    scene_of,
)


@given(st.randoms(use_true_random=False))
def test_what_is_left_is_what_every_row_says(choice: Random) -> None:
    compare(choice)


@given(st.randoms(use_true_random=False))
def test_what_is_left_of_releases_of_new_rows_is_what_every_row_says(choice: Random) -> None:
    compare(choice, timed=True)


PARTS: tuple[frozenset[Value], ...] = (
    frozenset(["f"]),
    frozenset(["m"]),
    frozenset(["f", "x"]),
)


@given(st.randoms(use_true_random=False))
def test_what_is_left_of_releases_by_queries_is_what_every_row_says(choice: Random) -> None:
    people, made = scene_of(choice)
    people = [{**person, "part": choice.choice(["f", "m", "x", None])} for person in people]
    parted = []
    for each in made:
        release = replace(each, part=choice.choice([None, *PARTS]))
        parted.append(release)
    agree(people, parted, choice.randint(2, 4), choice.randint(0, 3), choice.randint(0, 1))


@given(st.randoms(use_true_random=False), st.integers(1, 3))
def test_a_release_read_again_and_again_tells_nothing_more(choice: Random, times: int) -> None:
    people, made = scene_of(choice)
    policy = policy_of(2, {"distinct_l_diversity": {"column": "ill", "l": 2}}, 0)
    once = as_left(measured(people, made[:1], policy))
    again = as_left(measured(people, made[:1] * (1 + times), policy))
    assert set(again.differences) <= {(0, 0, 0)}
    assert replace(again, differences=()) == once


@pytest.mark.parametrize("times", [1, 2])
def test_no_people_leave_nothing(times: int) -> None:
    made = [Release(({"zip": "4760", "ill": "flu"},), {"zip": 0})] * times
    joint = measured([], made, policy_of(2, {"k_anonymity": {"k": 2}}, 0))
    assert (joint.rows, joint.sizes[0].fewest, joint.satisfied) == (0, None, True)
