"""What a release promised is read from the ledger as its policy said it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from evidence_cases import canary_policy, everything
from sqlgen import SearchLimits, apply_plan, make_plan, read_history
from sqlgen.guarantees import MODELS
from sqlgen.history.requirements import (
    UNKNOWN,
    Requirements,
    policy_requirements,
    stored_requirements,
    strictest,
)
from sqlgen.ledger.json_values import json_text
from sqlgen.ledger.recorded import RecordedGuarantee, hidden_parameters
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


@pytest.mark.battery
@pytest.mark.parametrize("guarantee", GUARANTEES, ids=str)
def test_the_ledger_says_what_the_policy_asked_for(guarantee: dict[str, Any]) -> None:
    connection = ward()
    connection.execute("ALTER TABLE ward ADD person INTEGER")
    connection.execute("UPDATE ward SET person = rowid")
    columns = {"person": {"role": "identifier"}}
    policy = ward_policy({"table": "one"}, columns=columns, guarantees=[guarantee])
    assert apply_plan(
        make_plan(policy, connection, limits=SearchLimits(BY_ZIP)), connection
    ).satisfied
    (entry,) = read_history(policy, connection)
    stored = stored_requirements(entry.guarantees, ["disease"], [*COLUMNS, "person"])
    assert stored == policy_requirements(policy)


def recorded(guarantee: dict[str, Any]) -> RecordedGuarantee:
    """A guarantee as the ledger has it."""
    (asked,) = ward_policy({"table": "one"}, guarantees=[guarantee]).guarantees
    kept = json.loads(json_text(hidden_parameters(asked)))
    return RecordedGuarantee(asked.name, kept)


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
    stored = recorded(guarantee)
    assert stored.requirement == required
    assert stored_requirements([stored], ["disease"], COLUMNS) == policy_requirements(policy)


def test_every_guarantee_is_read_back_as_it_was_asked(tmp_path: Path) -> None:
    asked = canary_policy(tmp_path, everything()).guarantees
    assert {guarantee.name for guarantee in asked} == set(MODELS)
    for guarantee in asked:
        stored = RecordedGuarantee(
            guarantee.name, json.loads(json_text(hidden_parameters(guarantee)))
        )
        assert stored.guarantee is not None
        assert (stored.title, stored.requirement) == (guarantee.title, guarantee.requirement)
        assert stored.is_of(guarantee)
        assert not set(guarantee.named_values) & set(stored.guarantee.named_values)
        assert stored.guarantee.least_class == guarantee.least_class
        assert stored.guarantee.limit == guarantee.limit


@pytest.mark.parametrize(
    "guarantee",
    [
        {"recursive_l_diversity": {**RARE, "disclosable": ["flu", "flu", "cold"]}},
        {"alpha_k_anonymity": {"column": "disease", "alpha": "0.5", "k": 2, "values": ["flu"]}},
        {"similarity": {"column": "disease", "at_most": 0, "groups": {"flu": ["flu", "cold"]}}},
    ],
)
def test_no_value_that_a_policy_names_is_in_what_is_stored(guarantee: dict[str, Any]) -> None:
    stored = recorded(guarantee)
    assert not {"flu", "cold"} & set(re.findall(r"\w+", json_text(stored.parameters)))
    assert stored.guarantee is not None


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("entropy_l_diversity", {"column": "disease"}),
        ("entropy_l_diversity", {"column": "disease", "l": "NaN"}),
        ("entropy_l_diversity", {"column": "disease", "l": 9999999999999999999}),
        ("recursive_l_diversity", {"column": "disease", "c": 2}),
        ("recursive_l_diversity", {"column": "disease", "c": 2, "l": 10**20}),
        ("distinct_l_diversity", {"column": "disease", "l": 10**20}),
        ("distinct_l_diversity", {"column": "disease", "l": "2"}),
        ("distinct_l_diversity", {"column": ["disease"], "l": 2}),
        ("distinct_l_diversity", {"column": "disease", "l": 2, "more": 1}),
        ("alpha_k_anonymity", {"column": "disease", "alpha": 1, "k": 2, "values": ["flu"]}),
        (
            "alpha_k_anonymity",
            {"column": "disease", "alpha": 1, "k": 2, "values": {"values_not_shown": 10**9}},
        ),
        ("k_anonymity", {"k": 1}),
        ("k_anonymity", {"k": -(10**5000)}),
        ("", {}),
        ("m_invariance", {"m": 3}),
    ],
    ids=lambda each: str(each)[:40] if isinstance(each, str) else None,
)
def test_a_guarantee_that_nobody_can_read_asks_for_two_values_of_every_column(
    name: str, parameters: dict[str, Any]
) -> None:
    stored = RecordedGuarantee(name, parameters)
    assert (stored.guarantee, stored.title, stored.requirement) == (None, name, "")
    asked = stored_requirements([stored], ["disease"], COLUMNS)
    assert asked == Requirements(implied=frozenset(["disease"]))
    assert asked.values("disease") == (2, False)


def test_a_class_of_disclosable_values_alone_may_have_fewer_than_l() -> None:
    pardoned = {"column": "disease", "c": 2, "l": 3, "disclosable": ["flu"]}
    asked = stored_requirements(
        [recorded({"recursive_l_diversity": pardoned})], ["disease"], COLUMNS
    )
    assert asked == Requirements(implied=frozenset(["disease"]))


def test_persons_whose_column_is_gone_are_told_by_what_nobody_knows() -> None:
    told = [RecordedGuarantee("k_anonymity", {"k": 7, "unit": "person"})]
    assert stored_requirements(told, ["disease"], COLUMNS) == Requirements({UNKNOWN: 7})


def test_a_guarantee_of_another_column_asks_nothing_of_this_one() -> None:
    told = [
        RecordedGuarantee("distinct_l_diversity", {"column": "disease of old", "l": 3}),
        RecordedGuarantee("distinct_l_diversity", {"column": "room", "l": 3}),
    ]
    assert stored_requirements(told, ["disease", "old"], COLUMNS) == Requirements()
    assert stored_requirements(told, ["room"], COLUMNS) == Requirements(diverse={"room": 3})


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
