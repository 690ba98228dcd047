"""What a release promised is read from the ledger as its policy said it."""

from __future__ import annotations

from typing import Any

import pytest

from sqlgen import apply_plan, make_plan, read_history
from sqlgen.history.requirements import (
    UNKNOWN,
    Requirements,
    policy_requirements,
    stored_requirements,
    strictest,
)
from wards import BY_ZIP, ward, ward_policy

RARE = {"column": "disease", "c": 2, "l": 3, "protected": ["flu"], "protected_share": "1%"}
COLUMNS = ("zip", "age", "disease")
GUARANTEES: tuple[dict[str, Any], ...] = (
    {"k_anonymity": {"k": 2}},
    {"k_anonymity": {"k": 2, "unit": "person"}},
    {"alpha_k_anonymity": {"column": "disease", "alpha": 1, "k": 2}},
    {"alpha_k_anonymity": {"column": "disease", "alpha": 1, "k": 1}},
    {"distinct_l_diversity": {"column": "disease", "l": 2}},
    {"distinct_l_diversity": {"column": "disease", "l": 1, "jointly": True}},
    {"entropy_l_diversity": {"column": "disease", "l": "1.5"}},
    {"entropy_l_diversity": {"column": "disease", "l": "1.000000001"}},
    {"entropy_l_diversity": {"column": "disease", "l": 2, "jointly": True}},
    {"recursive_l_diversity": {"column": "disease", "c": 9, "l": 2}},
    {"recursive_l_diversity": {"column": "disease", "c": 9, "l": 1}},
    {"recursive_l_diversity": {"column": "disease", "c": 9, "l": 2, "disclosable": ["flu"]}},
    {"t_closeness": {"column": "disease", "t": 1, "distance": "equal"}},
    {"homogeneity": {"column": "disease", "at_most": 0}},
    {"homogeneity": {"column": "disease", "at_most": "0%"}},
    {"homogeneity": {"column": "disease", "at_most": "5%"}},
    {"skewness": {"column": "disease", "at_most": 9}},
)


@pytest.mark.parametrize("guarantee", GUARANTEES, ids=str)
def test_the_ledger_says_what_the_policy_asked_for(guarantee: dict[str, Any]) -> None:
    connection = ward()
    connection.execute("ALTER TABLE ward ADD person INTEGER")
    connection.execute("UPDATE ward SET person = rowid")
    columns = {"person": {"role": "identifier"}}
    policy = ward_policy({"table": "one"}, columns=columns, guarantees=[guarantee])
    assert apply_plan(make_plan(policy, connection, levels=BY_ZIP), connection).satisfied
    (entry,) = read_history(policy, connection)
    told = [(about, required) for about, required, _ in entry.guarantees]
    assert stored_requirements(told, ["disease"], [*COLUMNS, "person"]) == policy_requirements(
        policy
    )


@pytest.mark.parametrize(
    ("guarantee", "asked", "required"),
    [
        ({"entropy_l_diversity": {"column": "disease", "l": "2.5"}}, 3, "l >= 2.5"),
        ({"entropy_l_diversity": {"column": "disease", "l": "3"}}, 3, "l >= 3"),
        # Two values pass: a billionth is allowed for.
        ({"entropy_l_diversity": {"column": "disease", "l": "2.000000001"}}, 2, "l >= 2.000000001"),
        ({"recursive_l_diversity": {"column": "disease", "c": 2, "l": 3}}, 3, "c < 2 (l 3)"),
        ({"recursive_l_diversity": RARE}, 3, "c < 2 (l 3), share >= 0.01"),
    ],
)
def test_the_number_that_a_diversity_asks_for_is_asked_of_all_releases_together(
    guarantee: dict[str, Any], asked: int, required: str
) -> None:
    policy = ward_policy({"table": "one"}, guarantees=[guarantee])
    assert policy_requirements(policy).values("disease") == (asked, True)
    about = policy.guarantees[0].title
    assert stored_requirements([(about, required)], ["disease"], COLUMNS) == policy_requirements(
        policy
    )


@pytest.mark.parametrize(
    ("about", "required"),
    [
        ("entropy_l_diversity of disease", "l >= "),
        ("entropy_l_diversity of disease", "l >= NaN"),
        ("entropy_l_diversity of disease", "l >= 9999999999999999999"),
        ("recursive_l_diversity of disease", "c < 2"),
        ("recursive_l_diversity of disease", "c < 2 (l 99999999999999999999)"),
        # A class of disclosable values alone may have fewer than l.
        ("recursive_l_diversity of disease", "c < 2 (l 3, 1 disclosable)"),
    ],
)
def test_a_diversity_whose_number_nobody_can_read_asks_for_two(about: str, required: str) -> None:
    told = stored_requirements([(about, required)], ["disease"], COLUMNS)
    assert told == Requirements(implied=frozenset(["disease"]))
    assert told.values("disease") == (2, False)


def test_persons_whose_column_is_gone_are_told_by_what_nobody_knows() -> None:
    told = [("k_anonymity of person (persons)", "k >= 7")]
    assert stored_requirements(told, ["disease"], COLUMNS) == Requirements({UNKNOWN: 7})


def test_a_guarantee_of_another_column_asks_nothing_of_this_one() -> None:
    told = [
        ("distinct_l_diversity of disease of old", "l >= 3"),
        ("t_closeness of room, disease of old (equal, released)", "t <= 0.2"),
    ]
    assert stored_requirements(told, ["disease", "old"], COLUMNS) == Requirements()
    assert stored_requirements(told, ["room"], COLUMNS) == Requirements(implied=frozenset(["room"]))


def test_the_strictest_of_all_is_asked_for() -> None:
    one = Requirements({None: 2, "person": 5}, {"disease": 3}, frozenset(["room"]))
    other = Requirements({None: 4}, {"disease": 2, "room": 2})
    both = strictest([one, other])
    assert both == Requirements(
        {None: 4, "person": 5}, {"disease": 3, "room": 2}, frozenset(["room"])
    )
    assert both.rows({"person": 1}) == 5
    assert both.rows({"person": 3}) == 15
    assert Requirements({None: 4, "person": 2}).rows({"person": 1}) == 4
    assert both.values("room") == (2, True)
    assert one.values("room") == (2, False)
    assert one.values("zip") == (None, False)
