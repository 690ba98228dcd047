"""What an observer of a local recoding may conclude: the figures of docs/adversary.md, by trying.

The universe is a ward of eight people. An observer who goes by the labels keeps every table that
could have the release's rows. One who can run sqlgen keeps those that it releases just so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb, prod
from pathlib import Path
from typing import Any

import duckdb
import pytest

from oracle_observer import Group, alike, possible_values
from sqlgen import apply_plan, make_plan, read_policy

# A person, or a row of a release: the nationality and the disease. Rows are told apart by no more.
Row = tuple[str, str]
Rows = tuple[Row, ...]

PAGE = Path(__file__).parents[3] / "docs" / "adversary.md"
NATIONALITIES = ("American", "Japanese", "Russian")
PEOPLE = ("American",) * 4 + ("Japanese",) * 2 + ("Russian",) * 2
WARD: Rows = tuple(
    zip(PEOPLE, ("HIV", "flu", "flu", "flu", "flu", "flu", "HIV", "HIV"), strict=True)
)
HEALTHY_AMERICANS: Rows = (("American", "flu"), *WARD[1:])

K = {"k_anonymity": {"k": 3}}
L = {"distinct_l_diversity": {"column": "disease", "l": 2}}
T = {"t_closeness": {"column": "disease", "t": 0.25, "distance": "equal"}}
POLICIES: Mapping[str, Mapping[str, Any]] = {
    "k": {"guarantees": [K]},
    "l": {"guarantees": [L]},
    "k and l": {"guarantees": [K, L]},
    "t": {"guarantees": [T]},
    "k and t": {"guarantees": [K, T]},
    "l, held": {"guarantees": [L], "levels": 1},
    "k, held": {"guarantees": [K], "levels": 1},
    "l, full domain": {"guarantees": [L], "recoding": "full_domain"},
    "k, full domain": {"guarantees": [K], "recoding": "full_domain"},
}


@cache
def released(name: str, people: Rows) -> Rows:
    """The rows that sqlgen releases of some people by a policy; none where it has no plan."""
    changes = dict(POLICIES[name])
    held = {"levels": changes.pop("levels")} if "levels" in changes else {}
    policy = read_policy(
        {
            "source": {"table": "ward"},
            "columns": {
                "nationality": {"role": "quasi", "hierarchy": "suppress", **held},
                "disease": {"role": "sensitive"},
            },
            "release": {"table": "released"},
            "recoding": "local",
            **changes,
        }
    )
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.execute("CREATE TABLE ward (nationality VARCHAR, disease VARCHAR)")
        connection.executemany("INSERT INTO ward VALUES (?, ?)", [*people])
        plan = make_plan(policy, connection)
        if not plan.satisfied:
            return ()
        assert apply_plan(plan, connection).satisfied
        return tuple(sorted(connection.execute("FROM released").fetchall()))


def fits(release: Rows, people: Rows) -> bool:
    """Whether the rows of a release can be those people, going by their labels."""
    left = Counter(people)
    left.subtract(row for row in release if row[0] != "*")
    hidden = Counter(disease for nationality, disease in release if nationality == "*")
    rest = Counter(disease for (_, disease), count in left.items() for _ in range(count))
    return min(left.values()) >= 0 and rest == hidden


def placements() -> Iterator[tuple[Rows, int]]:
    """Every way to hand out two diseases to the people, up to who of a nationality has which.

    With each comes the number of ways that it stands for.
    """
    sizes = Counter(PEOPLE)
    for ill in product(*(range(count + 1) for count in sizes.values())):
        rows = [
            (nationality, "HIV" if place < number else "flu")
            for (nationality, count), number in zip(sizes.items(), ill, strict=True)
            for place in range(count)
        ]
        yield tuple(sorted(rows)), prod(map(comb, sizes.values(), ill))


def nationalities() -> Iterator[Rows]:
    """Every table of eight people with the flu, by how many are of which nationality."""
    for people in combinations_with_replacement(NATIONALITIES, len(PEOPLE)):
        yield tuple((nationality, "flu") for nationality in people)


def ways(name: str, people: Rows) -> tuple[int, int]:
    """How many placements the release of some people allows, and how many sqlgen releases so."""
    release = released(name, tuple(sorted(people)))
    assert release
    allowed = [(rows, count) for rows, count in placements() if fits(release, rows)]
    same = [count for rows, count in allowed if released(name, rows) == release]
    return sum(count for _, count in allowed), sum(same)


def tables(name: str) -> tuple[int, int]:
    """The same, of the tables of nationalities, where the observer knows nobody's."""
    release = released(name, tuple((nationality, "flu") for nationality in PEOPLE))
    assert release
    allowed = [rows for rows in nationalities() if fits(release, rows)]
    return len(allowed), sum(released(name, rows) == release for rows in allowed)


def classes(release: Iterable[Row]) -> dict[str, list[str]]:
    """The diseases in each class of a release."""
    found: dict[str, list[str]] = {}
    for nationality, disease in release:
        found.setdefault(nationality, []).append(disease)
    return found


WAYS = [
    ("k", WARD, 24, 24),
    ("l", WARD, 24, 8),
    ("k and l", WARD, 24, 24),
    ("t", WARD, 24, 8),
    ("l, held", WARD, 56, 56),
    ("l, full domain", WARD, 56, 40),
    ("t", HEALTHY_AMERICANS, 28, 2),
    ("k and t", HEALTHY_AMERICANS, 6, 6),
]


@pytest.mark.battery
@pytest.mark.parametrize(("name", "people", "allowed", "left"), WAYS)
def test_so_many_placements_are_left(name: str, people: Rows, allowed: int, left: int) -> None:
    assert ways(name, people) == (allowed, left)


TABLES = [("k", 15, 1), ("k, held", 45, 45), ("k, full domain", 45, 33)]


@pytest.mark.battery
@pytest.mark.parametrize(("name", "allowed", "left"), TABLES)
def test_so_many_tables_of_nationalities_are_left(name: str, allowed: int, left: int) -> None:
    assert tables(name) == (allowed, left)


@pytest.mark.battery
@pytest.mark.parametrize("name", ["k", "l", "k and l"])
def test_every_class_of_every_ward_gives_what_is_asked_for_as_it_is_released(name: str) -> None:
    """Statement 1 of the page, for all 45 wards of the universe."""
    plans = 0
    for people, _ in placements():
        release = released(name, people)
        plans += bool(release)
        assert not release or fits(release, people)
        for diseases in classes(release).values():
            assert len(diseases) >= (3 if "k" in name else 2)
            assert "l" not in name or len({*diseases}) >= 2
    assert plans == (45 if name == "k" else 43)


@pytest.mark.battery
def test_by_k_alone_no_disease_changes_who_is_in_which_class() -> None:
    """Statement 2 of the page: so all ways are left that the classes have."""
    labels = {
        tuple(sorted(nationality for nationality, _ in released("k", people)))
        for people, _ in placements()
    }
    assert labels == {("*",) * 4 + ("American",) * 4}


@pytest.mark.battery
def test_both_russians_of_a_rest_are_known_to_be_alike_by_l_and_each_may_still_be_ill() -> None:
    release = released("l", tuple(sorted(WARD)))
    left = [people for people, _ in placements() if released("l", people) == release]
    pairs = {
        tuple(tuple(sorted(d for n, d in people if n == each)) for each in NATIONALITIES[1:])
        for people in left
    }
    flu, ill = ("flu", "flu"), ("HIV", "HIV")
    assert pairs == {(flu, ill), (ill, flu)}


def test_two_releases_of_one_ward_name_diseases_together() -> None:
    """The rest of a local recoding, and a release by halves of the world: each is 2-anonymous."""
    people = {f"{nationality} {n}": nationality for n, nationality in enumerate(PEOPLE)}
    local = classes(released("k", tuple(sorted(WARD))))
    rest = tuple(name for name, nationality in people.items() if nationality != "American")
    east = tuple(name for name, nationality in people.items() if nationality == "Japanese")
    west = tuple(name for name in people if name not in east)
    by_halves = [
        Group(each, tuple(disease for n, disease in WARD if (n == "Japanese") == (each == east)))
        for each in (east, west)
    ]
    groups = [Group(rest, tuple(local["*"])), *by_halves]
    assert min(len({*each.values}) for each in groups[:1]) == 2
    assert {len(alike(groups)[name]) for name in rest} == {2}
    assert {*possible_values(groups)["Russian 6"]} == {"HIV"}
    assert {*possible_values(groups[:1])["Russian 6"]} == {"HIV", "flu"}


def test_a_class_of_three_rows_can_be_one_person_unless_the_unit_is_the_person() -> None:
    visits = [(person, nationality) for person, nationality in enumerate(PEOPLE[2:6])] * 3
    persons = []
    for unit in ({}, {"unit": "person"}):
        policy = {
            "source": {"table": "ward"},
            "columns": {
                "person": {"role": "identifier"},
                "nationality": {"role": "quasi", "hierarchy": "suppress"},
            },
            "guarantees": [{"k_anonymity": {"k": 3, **unit}}],
            "release": {"table": "released"},
            "recoding": "local",
        }
        with duckdb.connect() as connection:
            connection.execute("CREATE TABLE ward (person INTEGER, nationality VARCHAR)")
            connection.executemany("INSERT INTO ward VALUES (?, ?)", visits)
            assert apply_plan(make_plan(read_policy(policy), connection), connection).satisfied
            shown = {row[0] for row in connection.execute("FROM released").fetchall()}
        persons.append({label: len({p for p, n in visits if label in ("*", n)}) for label in shown})
    assert persons == [{"American": 2, "Japanese": 2}, {"*": 4}]


@pytest.mark.battery
def test_the_page_gives_these_figures() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for head, counted in (
        ("| policy | ill | ways left |", [(left, allowed) for _, _, allowed, left in WAYS]),
        ("| policy | tables left |", [(left, allowed) for _, allowed, left in TABLES]),
    ):
        table = page.split(head)[1].split("\n\n")[0]
        shown = re.findall(r"\| (\d+) of (\d+) \|", table)
        assert shown == [(str(left), str(allowed)) for left, allowed in counted]
