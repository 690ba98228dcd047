"""Brute force for guarantees that hold a table of people against a release.

The people have their quasi-identifiers as the source has them.

- Sweeney 2002: L. Sweeney. k-Anonymity. IJUFKS 10(5). Section 2, k-map.
- Nergiz 2007: M. E. Nergiz, M. Atzori, C. Clifton. Hiding the Presence of Individuals. SIGMOD 2007.
- El Emam 2008: K. El Emam, F. Dankar. Protecting Privacy Using k-Anonymity. JAMIA 15(5).
- Dankar 2010: F. Dankar, K. El Emam. A Method for Evaluating Marketer Re-identification Risk.
  EDBT/ICDT Workshops 2010.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Literal, TypeAlias

from oracle import Ladder, Row, Rows, Values
from oracle_table import (
    ClassKey,
    Figure,
    Judgement,
    Table,
    Threshold,
    Verdict,
    exact,
    judge_classes,
    summed,
)

People: TypeAlias = Mapping[str, str]
Risk: TypeAlias = Literal["prosecutor", "journalist", "marketer"]

# How finely the chance of a right link is told, upwards.
LINKS = 10**12


def people_ladder(build: Callable[[Values], Ladder], values: Values, people: Values) -> Ladder:
    """The ladder for people's values too, but for those that its hierarchy does not cover.

    `build` makes the ladder over values. It raises a ValueError where one is not covered.
    """
    covered = list(values)
    ladder = build(covered)
    for value in people:
        try:
            ladder = build([*covered, value])
        except ValueError:
            continue
        covered.append(value)
    return ladder


def class_of(table: Table, person: Row) -> ClassKey | None:
    """The quasi-identifiers that a person would be released with; None who never would be.

    A value that the hierarchy does not cover is itself at level 0 and has the label of all at the
    top. In between it has none, and a value that the policy suppresses has none at any level.
    """
    labels = []
    for column, level in zip(table.quasi, table.node or [0] * len(table.quasi), strict=True):
        value = person[column]
        if column in table.quasi_trees:
            ladder = table.quasi_trees[column]
            if value in ladder.suppressed:
                return None
            if value in ladder.leaves:
                value = ladder.at(value, level)
            elif level == ladder.height:
                value = ladder.top
            elif level > 0:
                return None
        else:
            assert level == 0, "a label needs a ladder"
        labels.append(value)
    return tuple(labels)


def matching(table: Table, members: list[Row], people: Rows) -> list[Row]:
    """The people who match the class of some rows."""
    return [person for person in people if class_of(table, person) == table.key(members[0])]


def _judge(
    table: Table,
    people: Rows,
    verdict: Callable[[int, int], Verdict],
    worst: Callable[[Iterable[Figure]], Figure],
) -> Judgement:
    """The verdict on n rows of a class and j people who match it."""
    return judge_classes(
        table, lambda members: verdict(len(members), len(matching(table, members, people))), worst
    )


def k_map(table: Table, *, k: int, population: People) -> Judgement:
    """k-map, Sweeney 2002: each released row could be of at least k people of a population."""
    return _judge(
        table, table.references[population["table"]], lambda _, j: (Fraction(j), j < k), min
    )


def delta_presence(
    table: Table, *, most: Threshold, population: People, least: Threshold = 0
) -> Judgement:
    """delta-presence, Nergiz 2007: the chance that a person of a population is in the table.

    It is the rows of a class over the people who match it, without bound where nobody does. Who
    matches no class has the chance 0: where that is less than the least, every class fails.
    """
    low, high = exact(least), exact(most)
    assert 0 <= low <= high <= 1
    assert high > 0
    people = table.references[population["table"]]
    held = table.classes()
    absent = any(class_of(table, person) not in held for person in people)

    def verdict(n: int, j: int) -> Verdict:
        chance: Figure = Fraction(n, j) if j > 0 else math.inf
        return chance, not low <= chance <= high or (low > 0 and absent)

    return _judge(table, people, verdict, max)


def linkage(
    table: Table, *, known: People, risk: Risk, at_most: Threshold, above: Threshold = 0
) -> Judgement:
    """How many known people an attacker links to rows, held to a limit over the whole table.

    Whoever knows that a person is in the table is right once in n times (the prosecutor of El
    Emam 2008), whoever knows only that a row is of a known person once in j times (the
    journalist): people at more than a risk count. Whoever links each known person to a row is
    right min(n, j) / max(n, j) times in a class (the marketer of Dankar 2010).
    With the limit 0 each class where anybody is counted fails; with a higher one none by itself.
    """
    assert risk in ("prosecutor", "journalist") or exact(above) == 0, "a marketer links everybody"

    def counted(n: int, j: int) -> Fraction:
        if j == 0:
            return Fraction(0)
        if risk == "marketer":
            return Fraction(math.ceil(Fraction(min(n, j), max(n, j)) * LINKS), LINKS)
        confidence = Fraction(1, n if risk == "prosecutor" else j)
        return Fraction(j if confidence > exact(above) else 0)

    def verdict(n: int, j: int) -> Verdict:
        figure = counted(n, j)
        return figure, figure > 0 and exact(at_most) == 0

    judged = _judge(table, table.references[known["table"]], verdict, max)
    return summed(judged, at_most, len(table.rows))
