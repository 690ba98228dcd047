"""Attacks on Anatomy's two tables, by somebody who has them and the program, but not the source."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from grouped_tables import distinct, grouped_policy, release_groups, ward
from oracle_anatomy import PairOfTables

AGES = range(20)
RARE = [f"rare {number}" for number in range(40)]


def one_value_in_every_group(seed: int) -> tuple[list[tuple[Any, ...]], dict[str, set[int]]]:
    """400 rows with one value and 400 with 40 others, of few ages, and who has which of those."""
    draw = random.Random(seed)
    holders = {value: set(draw.sample(AGES, 10)) for value in RARE}
    common = [(f"{seed} {age} {i}", "z", age, 0, "common") for age in AGES for i in range(20)]
    rare = [(f"{seed} {v} {age}", "z", age, 0, v) for v in RARE for age in sorted(holders[v])]
    return [*common, *rare], holders


def guesses(pair: PairOfTables) -> list[tuple[str, int, set[int]]]:
    """Of each group its rare value, the age that an attacker gives it to, and the ages it has.

    The rows of the common value go to one group after the other. If those of an age go together,
    the groups of one rare value have that age in common.
    """
    ages: dict[Any, list[int]] = {}
    for row in pair.rows:
        ages.setdefault(row[-1], []).append(row[1])
    values = {group: next(v for v in counts if v in RARE) for group, counts in pair.groups.items()}
    found = []
    for value in RARE:
        groups = [ages[group] for group, rare in values.items() if rare == value]
        shared = Counter(age for both in groups for age in set(both)).most_common(1)[0][0]
        for both in groups:
            left = [age for age in both if age != shared] or both
            found.append((value, left[0], set(both)))
    return found


@pytest.mark.parametrize("seed", range(6))
def test_a_value_in_every_group_does_not_tell_who_has_the_others(seed: int) -> None:
    """l = 2 says that nobody is linked to a value with more than one half."""
    rows, holders = one_value_in_every_group(seed)
    pair = release_groups(ward(rows), grouped_policy(distinct(2))).pair
    known = [(value, age, both & holders[value]) for value, age, both in guesses(pair)]
    # Where one age of a group has the value and the other has not, it is known who has it.
    right = [age in having for _, age, having in known if len(having) == 1]
    assert len(right) > 100
    assert sum(right) / len(right) < 0.6


def test_rows_with_different_values_and_the_same_columns_are_not_ordered_alike() -> None:
    """A hash without the value gives the rows of two values one order of ages, group by group."""
    rows = [
        (f"{value} {age}", "z", age, 0, value) for value in ("flu", "cold") for age in range(300)
    ]
    pair = release_groups(ward(rows), grouped_policy(distinct(2))).pair
    ages: dict[Any, set[int]] = {}
    for row in pair.rows:
        ages.setdefault(row[-1], set()).add(row[1])
    assert sum(len(both) == 1 for both in ages.values()) < 10


def test_the_adversarys_page_counts_the_tables_that_agree_with_two_tables() -> None:
    """Of 70 tables of eight people 16 agree, and each person has either value in half of them."""
    rows = [(f"n{i}", "z", i, 0, "flu" if i < 4 else "cold") for i in range(8)]
    pair = release_groups(ward(rows), grouped_policy(distinct(2))).pair
    group_of = {row[1]: row[-1] for row in pair.rows}
    tables = [set(sick) for sick in combinations(range(8), 4)]
    agreeing = [
        sick
        for sick in tables
        if all(
            sum(group_of[person] == group for person in sick) == values["flu"]
            for group, values in pair.groups.items()
        )
    ]
    assert (len(tables), len(agreeing)) == (70, 16)
    assert {sum(person in sick for sick in agreeing) for person in range(8)} == {8}
    known = [sick for sick in agreeing if 0 in sick]
    other = next(person for person in range(1, 8) if group_of[person] == group_of[0])
    assert len(known) == 8
    assert not any(other in sick for sick in known)
    assert {sum(p in sick for sick in known) for p in range(8) if p not in (0, other)} == {4}
