"""What a release promised is read from the ledger as its policy said it."""

from __future__ import annotations

from typing import Any

import pytest

from sqlgen import apply_plan, make_plan, read_history
from sqlgen.asked import UNKNOWN, Asked, asked_by, promised, strictest
from wards import BY_ZIP, ward, ward_policy

COLUMNS = ("zip", "age", "disease")
GUARANTEES: tuple[dict[str, Any], ...] = (
    {"k_anonymity": {"k": 2}},
    {"k_anonymity": {"k": 2, "unit": "person"}},
    {"alpha_k_anonymity": {"column": "disease", "alpha": 1, "k": 2}},
    {"alpha_k_anonymity": {"column": "disease", "alpha": 1, "k": 1}},
    {"distinct_l_diversity": {"column": "disease", "l": 2}},
    {"distinct_l_diversity": {"column": "disease", "l": 1, "jointly": True}},
    {"entropy_l_diversity": {"column": "disease", "l": "1.5"}},
    {"recursive_l_diversity": {"column": "disease", "c": 9, "l": 2}},
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
    assert promised(told, ["disease"], [*COLUMNS, "person"]) == asked_by(policy)


def test_persons_whose_column_is_gone_are_told_by_what_nobody_knows() -> None:
    told = [("k_anonymity of person (persons)", "k >= 7")]
    assert promised(told, ["disease"], COLUMNS) == Asked({UNKNOWN: 7})


def test_a_guarantee_of_another_column_asks_nothing_of_this_one() -> None:
    told = [
        ("distinct_l_diversity of disease of old", "l >= 3"),
        ("t_closeness of room, disease of old (equal, released)", "t <= 0.2"),
    ]
    assert promised(told, ["disease", "old"], COLUMNS) == Asked()
    assert promised(told, ["room"], COLUMNS) == Asked(implied=frozenset(["room"]))


def test_the_strictest_of_all_is_asked_for() -> None:
    one = Asked({None: 2, "person": 5}, {"disease": 3}, frozenset(["room"]))
    other = Asked({None: 4}, {"disease": 2, "room": 2})
    both = strictest([one, other])
    assert both == Asked({None: 4, "person": 5}, {"disease": 3, "room": 2}, frozenset(["room"]))
    assert both.rows({"person": 1}) == 5
    assert both.rows({"person": 3}) == 15
    assert Asked({None: 4, "person": 2}).rows({"person": 1}) == 4
    assert both.values("room") == (2, True)
    assert one.values("room") == (2, False)
    assert one.values("zip") == (None, False)
