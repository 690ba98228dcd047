"""What the algorithm's choices tell an observer who can run it: the figures of the documentation.

The observer knows who is who, the policy and sqlgen, and sees the release. Of all ways in which the
seven people can be ill he first keeps those that the release alone allows, then those for which
sqlgen would have released the same: the minimality attack of Wong, Fu, Wang and Pei 2007.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import duckdb
import pytest

from sqlgen import apply_plan, audit_table, make_plan, read_evidence, read_policy
from sqlgen.cli.text.results import audit_text
from sqlgen.measuring.masking import Masking
from sqlgen.policy import Policy
from sqlgen.reports.page import page_html

World = tuple[bool, ...]
Release = Counter[tuple[str, str | None]]

SEXES = ("f", "f", "m", "m", "m", "m", "m")
TRUTH: World = (True, True, False, False, False, False, False)
WORLDS: tuple[World, ...] = tuple(product((False, True), repeat=len(SEXES)))

ALPHA = {"alpha_k_anonymity": {"column": "disease", "alpha": 0.5, "k": 2, "values": ["HIV"]}}
K = {"k_anonymity": {"k": 3}}
L = {"distinct_l_diversity": {"column": "disease", "l": 2}}
T = {"t_closeness": {"column": "disease", "t": 0.25, "distance": "equal"}}
MASK = {"on_failure": "suppress_sensitive", "suppression": 2}

POLICIES: dict[str, dict[str, Any]] = {
    "alpha": {},
    "mask": MASK,
    "drop": {"suppression": 2},
    "small budget": {"suppression": 1},
    "levels": {"levels": 1},
    "levels and mask": {"levels": 1, **MASK},
    "k": {"guarantees": [K, ALPHA]},
    "k and drop": {"guarantees": [K, ALPHA], "suppression": 2},
    "l": {"guarantees": [ALPHA, L]},
    "t": {"guarantees": [ALPHA, T]},
    "l and mask": {"guarantees": [ALPHA, L], **MASK},
}


def policy_of(changes: dict[str, Any]) -> Policy:
    changes = {**changes}
    held = {"levels": changes.pop("levels")} if "levels" in changes else {}
    return read_policy(
        {
            "source": {"table": "people"},
            "columns": {
                "sex": {"role": "quasi", "hierarchy": "suppress", **held},
                "disease": {"role": "sensitive"},
            },
            "guarantees": [ALPHA],
            "release": {"table": "released"},
            **changes,
        }
    )


def database(world: World) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(config={"threads": 1})
    connection.execute("CREATE TABLE people (sex VARCHAR, disease VARCHAR)")
    rows = [(sex, "HIV" if ill else "flu") for sex, ill in zip(SEXES, world, strict=True)]
    connection.executemany("INSERT INTO people VALUES (?, ?)", rows)
    return connection


@cache
def released(name: str, ill_women: int, ill_men: int) -> tuple[tuple[str, str | None], ...]:
    """What sqlgen releases where so many are ill; no rows where it releases nothing."""
    world = (*(place < ill_women for place in range(2)), *(place < ill_men for place in range(5)))
    connection = database(world)
    plan = make_plan(policy_of(POLICIES[name]), connection)
    if not plan.satisfied:
        return ()
    # None of this breaks a guarantee: it is what they do not promise.
    assert apply_plan(plan, connection).satisfied
    return tuple(connection.execute("SELECT * FROM released").fetchall())


def release_of(name: str, world: World) -> Release:
    """The release of a world: who of the women, or of the men, is ill makes no difference."""
    return Counter(released(name, sum(world[:2]), sum(world[2:])))


def allows(release: Release, world: World) -> bool:
    """Whether a release could show this world, were it recoded by somebody who tossed coins.

    Every row of it stands for a person of that sex, with that person's disease; ``*`` is either
    sex, NULL either disease, and people may be missing.
    """
    people = Counter(zip(SEXES, ("HIV" if ill else "flu" for ill in world), strict=True))
    return fits(sorted(release.elements(), key=lambda row: (row[0] == "*", row[1] is None)), people)


def fits(rows: list[tuple[str, str | None]], people: Counter[tuple[str, str]]) -> bool:
    """Whether each row can have a person of its own."""
    if not rows:
        return True
    (sex, disease), *others = rows
    for person, count in people.items():
        if count and sex in ("*", person[0]) and disease in (None, person[1]):
            people[person] -= 1
            found = fits(others, people)
            people[person] += 1
            if found:
                return True
    return False


@cache
def worlds_left(name: str) -> tuple[int, int]:
    """The worlds that the release of the true one allows; those left to who can run sqlgen."""
    release = release_of(name, TRUTH)
    assert release
    allowed = [world for world in WORLDS if allows(release, world)]
    return len(allowed), sum(release_of(name, world) == release for world in allowed)


@pytest.mark.battery
@pytest.mark.parametrize(
    ("name", "allowed", "left"),
    [
        ("alpha", 21, 1),
        ("mask", 4, 1),
        ("drop", 4, 1),
        ("small budget", 21, 1),
        ("levels", 21, 21),
        ("levels and mask", 21, 21),
        ("k", 21, 21),
        ("k and drop", 4, 4),
        ("l", 21, 11),
        ("t", 21, 11),
        ("l and mask", 21, 1),
    ],
)
def test_so_many_worlds_are_left(name: str, allowed: int, left: int) -> None:
    assert worlds_left(name) == (allowed, left)


@pytest.mark.battery
def test_the_documentation_gives_these_figures() -> None:
    page = (Path(__file__).parents[3] / "docs" / "security.md").read_text(encoding="utf-8")
    table = page.split("| the same with | ways left |")[1].split("\n\n")[0]
    shown = [re.findall(r"(\d+) of (\d+)", line) for line in table.splitlines()[2:]]
    names = (["levels"], ["k", "k and drop"], ["l", "l and mask"], ["t"], ["small budget", "drop"])
    counted = [[worlds_left(name) for name in row] for row in names]
    assert shown == [[(str(left), str(allowed)) for allowed, left in row] for row in counted]
    assert "leaves 21 ways to place the two patients" in page
    assert "1 of 4 ways is left" in page


def test_before_masking_no_sex_is_released_and_after_it_the_women_are_masked() -> None:
    assert release_of("alpha", TRUTH) == Counter({("*", "HIV"): 2, ("*", "flu"): 5})
    assert release_of("mask", TRUTH) == Counter({("f", None): 2, ("m", "flu"): 5})
    assert release_of("drop", TRUTH) == Counter({("m", "flu"): 5})


def masked_release(name: str = "mask") -> tuple[duckdb.DuckDBPyConnection, Policy]:
    connection, policy = database(TRUTH), policy_of(POLICIES[name])
    apply_plan(make_plan(policy, connection), connection)
    return connection, policy


def test_the_audit_says_what_being_masked_tells() -> None:
    connection, policy = masked_release()
    audit = audit_table(policy, source=connection)
    assert audit.to_dict()["masked"] == {
        "classes": 1,
        "rows": 2,
        "smallest_class": 2,
        "failed": [
            "more than 0.5 of its rows had one value of disease, of those that the policy names: "
            "in the smallest class at least 2 of 2"
        ],
    }
    text = audit_text(audit)
    assert "Masks reveal something: 1 class (2 rows) shows no sensitive value." in text
    assert "An attacker who knows the policy knows that this is true of it, unless" in text
    assert "at least 2 of 2" in text
    assert "HIV" not in text


def test_several_masked_classes_and_guarantees_are_spoken_of_as_several() -> None:
    said, *failed = Masking(classes=2, rows=9, smallest_class=4, failed=("a", "b")).lines
    assert "2 classes (9 rows) show no sensitive value." in said
    assert "knows that at least one of these is true of each of them, unless" in said
    assert failed == ["a", "b"]


def test_the_report_says_what_being_masked_tells() -> None:
    connection, policy = masked_release()
    page = page_html(read_evidence(policy, source=connection))
    assert "Masks reveal something" in page
    assert "at least 2 of 2" in page
    assert "HIV" not in page


def test_nothing_is_said_of_masks_where_nothing_is_masked() -> None:
    connection, policy = masked_release("alpha")
    audit = audit_table(policy, source=connection)
    assert "masked" not in audit.to_dict()
    assert "masked" not in audit_text(audit)


@pytest.mark.parametrize(
    "guarantees",
    [
        [K],
        [K, {"distinct_l_diversity": {"column": "disease", "l": 1}}],
        [K, {"homogeneity": {"column": "disease", "at_most": 2}}],
        [K, {"background_knowledge": {"column": "disease", "excluded": 1, "at_most": "20%"}}],
    ],
)
def test_nothing_is_said_of_classes_without_values_that_no_guarantee_can_mask(
    guarantees: list[dict[str, Any]],
) -> None:
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE people AS SELECT CASE WHEN i < 4 THEN 'f' ELSE 'm' END AS sex, "
        "CASE WHEN i >= 4 THEN 'flu' || i % 4 END AS disease FROM RANGE(20) AS t (i)"
    )
    changes = {"guarantees": guarantees, "on_failure": "suppress_sensitive", "levels": 0}
    policy = policy_of({**changes, "suppression": 0})
    apply_plan(make_plan(policy, connection), connection)
    audit = audit_table(policy, source=connection)
    assert (audit.satisfied, audit.masked) == (True, None)


def test_of_several_guarantees_each_may_be_the_one_that_failed() -> None:
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE people AS SELECT CASE WHEN i < 4 THEN 'f' ELSE 'm' END AS sex, "
        "CASE WHEN i < 4 THEN 'HIV' ELSE 'flu' || i % 4 END AS disease FROM RANGE(20) AS t (i)"
    )
    changes = {"guarantees": [K, ALPHA, L], "suppression": 4, "on_failure": "suppress_sensitive"}
    policy = policy_of({**changes, "levels": 0})
    apply_plan(make_plan(policy, connection), connection)
    masked = audit_table(policy, source=connection).masked
    assert masked is not None
    assert (masked.classes, masked.rows, masked.smallest_class) == (1, 4, 4)
    assert [words.split(":")[0] for words in masked.failed] == [
        "more than 0.5 of its rows had one value of disease, of those that the policy names",
        "it had fewer than 2 values of disease",
    ]


def test_the_schema_warns_of_suppress_sensitive() -> None:
    described = Policy.model_json_schema()["properties"]["on_failure"]["description"]
    assert "masked" in described
    assert "knows the policy" in described
