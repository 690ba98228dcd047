"""What an observer of cut regions may conclude: the figures of docs/adversary.md, by trying.

The universe is six people of 21 to 28 years: 1,716 tables. What sqlgen releases of each is what the
oracle of cuts says, which tests/properties/test_mondrian.py holds.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from pathlib import Path

import pytest

from cut_checks import averaged
from local_tables import recode
from oracle import rule_ladder
from oracle_mondrian import CutColumn, Cutting, Labels
from oracle_table import Table

Ages = tuple[int, ...]
Labelled = tuple[str, ...]

PAGE = Path(__file__).parents[3] / "docs" / "adversary.md"
K = 3
AGES = range(21, 29)
PEOPLE: Ages = (21, 22, 24, 25, 27, 28)
WHOLE, CENTS = "INTEGER", "DECIMAL(9,2)"
AGE = {"role": "quasi", "hierarchy": {"intervals": [5]}}


def half(age: int) -> str:
    """The label of an age, of five years."""
    return "[20, 25)" if age < 25 else "[25, 30)"


@cache
def released(labels: Labels, ages: Ages, kind: str = WHOLE) -> Labelled:
    """The labels that are released of some people."""
    ladder = rule_ladder([*ages], [lambda value: half(int(str(value)))])
    column = CutColumn(ladder, 0, ladder.height, is_text=False, asked=labels, type=kind)
    rows = [{"age": age} for age in ages]
    cutting = Cutting(Table(rows, ["age"], []), {"age": column}, [("k_anonymity", {"k": K})])
    regions = [*cutting.rounds()][-1]
    return tuple(sorted(str(cutting.labels(rows)["age"]) for rows in regions for _ in rows))


def has(labels: Labels, label: str, ages: Ages, kind: str) -> bool:
    """Whether a class with a label can be some people, going by the label."""
    if labels == "ladder":
        return all(half(age) == label for age in ages)
    if len({*ages}) == 1:
        return "," not in label and Fraction(label) == ages[0]
    if labels in ("range", "set"):
        named = [int(each) for each in label[1:-1].split(", ")]
        ends = [min(ages), max(ages)]
        return named == (ends if labels == "range" else sorted({*ages}))
    if labels == "median":
        return sorted(ages)[(len(ages) - 1) // 2] == int(label)
    digits = 2 if kind == CENTS else 0
    return bool(round(Fraction(sum(ages), len(ages)) * 10**digits) == Fraction(label) * 10**digits)


def fits(labels: Labels, release: Labelled, ages: Ages, kind: str = WHOLE) -> bool:
    """Whether people can be behind the rows of a release, going by the labels."""

    def placed(left: Ages, classes: list[tuple[str, int]]) -> bool:
        if not classes:
            return not left
        label, count = classes[0]
        for places in combinations(range(len(left)), count):
            group = tuple(left[place] for place in places)
            others = tuple(age for place, age in enumerate(left) if place not in places)
            if has(labels, label, group, kind) and placed(others, classes[1:]):
                return True
        return False

    return placed(ages, sorted(Counter(release).items()))


def tables(labels: Labels, kind: str = WHOLE) -> tuple[int, int]:
    """How many tables of six people a release allows, and of how many sqlgen releases the same."""
    release = released(labels, PEOPLE, kind)
    allowed = [
        ages
        for ages in combinations_with_replacement(AGES, len(PEOPLE))
        if fits(labels, release, ages, kind)
    ]
    return len(allowed), sum(released(labels, ages, kind) == release for ages in allowed)


def left_for_one(labels: Labels, kind: str = WHOLE) -> Iterator[int]:
    """For each of the people: how many ages they can have, where the others are known."""
    release = released(labels, PEOPLE, kind)
    for place in range(len(PEOPLE)):
        others = PEOPLE[:place] + PEOPLE[place + 1 :]
        yield sum(fits(labels, release, tuple(sorted((*others, age))), kind) for age in AGES)


# What is shown, the tables left, and how many ages are left for one person.
FIGURES: list[tuple[Labels, str, tuple[int, int], list[int]]] = [
    ("ladder", WHOLE, (400, 256), [4, 4, 4, 4, 4, 4]),
    ("range", WHOLE, (16, 16), [1, 4, 1, 1, 4, 1]),
    ("set", WHOLE, (1, 1), [1, 1, 1, 1, 1, 1]),
    ("mean", WHOLE, (80, 76), [1, 2, 3, 3, 2, 1]),
    ("mean", CENTS, (16, 13), [1, 1, 1, 1, 1, 1]),
    ("median", WHOLE, (109, 60), [2, 1, 8, 8, 1, 2]),
]


@pytest.mark.parametrize(("labels", "kind", "left", "ages"), FIGURES)
def test_so_many_tables_and_ages_are_left(
    labels: Labels, kind: str, left: tuple[int, int], ages: list[int]
) -> None:
    assert tables(labels, kind) == left
    assert [*left_for_one(labels, kind)] == ages


@pytest.mark.parametrize(("labels", "kind"), [figure[:2] for figure in FIGURES])
def test_sqlgen_releases_what_the_figures_are_counted_of(labels: Labels, kind: str) -> None:
    rows = [(Decimal(age),) if kind == CENTS else (age,) for age in PEOPLE]
    if labels in ("mean", "median"):
        found = averaged(labels, rows, {"age": AGE}, (kind,), k=K)
    else:
        recoding = {"mondrian": {"labels": labels}}
        found = recode(rows, {"age": AGE}, (kind,), k=K, recoding=recoding)
    shown = sorted(str(label) for (label,) in found.rows.elements())
    assert tuple(shown) == released(labels, PEOPLE, kind)


def test_a_new_mean_each_night_would_tell_who_came() -> None:
    """Why kept regions keep their means: (n + 1) times the new one less n times the old."""
    before, after = (Fraction(sum(ages), len(ages)) for ages in ((21, 22, 24), (21, 22, 24, 28)))
    assert 4 * after - 3 * before == 28


def test_the_page_gives_these_figures() -> None:
    page = PAGE.read_text(encoding="utf-8").split("| labels | a class shows |")[1].split("\n\n")[0]
    rows = re.findall(r"\| (\d+) \| (\d+) \| ([0-9, ]+) \|$", page, re.M)
    assert rows == [
        (str(allowed), str(same), ", ".join(map(str, ages)))
        for _, _, (allowed, same), ages in FIGURES
    ]
