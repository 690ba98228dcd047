"""A policy with microaggregation: what its groups cannot have is refused, each with the reason."""

from __future__ import annotations

from typing import Any

import pytest

from alike_tables import STAFF, alike_policy, staff
from sqlgen import PolicyError, explain_plan, make_frontier, make_plan, minimal_nodes

K = {"k_anonymity": {"k": 2}}


@pytest.mark.parametrize(
    ("more", "where", "why"),
    [
        (
            {"recoding": "microaggregation"},
            "recoding",
            "needs the sensitive columns that make groups",
        ),
        (
            {"recoding": {"microaggregation": {"release": "labels"}}},
            "recoding",
            "needs the sensitive columns that make groups",
        ),
        ({"shown": "rows"}, "recoding", "release must be one of labels, tables"),
        (
            {"of": ["zip"]},
            "recoding.microaggregation.of",
            "must be a sensitive column; found quasi",
        ),
        ({"of": ["pay"]}, "recoding.microaggregation.of", "found no such column"),
        (
            {
                "columns": {
                    **STAFF,
                    "salary": {"role": "sensitive", "hierarchy": "suppress", "level": 1},
                }
            },
            "recoding.microaggregation.of",
            "labels have no distances",
        ),
        ({"release": {"view": "v"}}, "release.view", "groups are made of the rows of one moment"),
        (
            {"guarantees": [{"k_anonymity": {"k": 2, "unit": "salary"}}]},
            r"guarantees\[0\].k_anonymity",
            "a person with several rows is in several groups",
        ),
        (
            {"guarantees": [K, {"k_map": {"population": {"table": "town"}, "k": 2}}]},
            r"guarantees\[1\].k_map",
            "groups are made of sensitive values",
        ),
        (
            {"guarantees": [K, {"homogeneity": {"column": "salary", "at_most": "5%"}}]},
            r"guarantees\[1\].homogeneity",
            "a bound on all rows that are released says of no class",
        ),
        (
            {
                "guarantees": [{"distinct_l_diversity": {"column": "salary", "l": 2}}],
                "on_failure": "suppress_sensitive",
            },
            "on_failure",
            "no class is masked",
        ),
        ({"run": {"on_drift": "coarsen"}}, "run.on_drift", "Write on_drift: replan"),
    ],
)
def test_what_groups_cannot_have_is_refused_with_the_reason(
    more: dict[str, Any], where: str, why: str
) -> None:
    with pytest.raises(PolicyError, match=f"(?s){where}.*{why}"):
        alike_policy(2, **more)


@pytest.mark.parametrize("kind", ["VARCHAR", "BOOLEAN", "TIME"])
def test_values_without_distances_are_refused_when_the_table_is_read(kind: str) -> None:
    connection = staff([], types=("VARCHAR", kind))
    with pytest.raises(PolicyError, match=r"microaggregation.of.*have no distances"):
        make_plan(alike_policy(2), connection)


def test_commands_that_groups_have_no_answer_to_say_so() -> None:
    connection = staff([("11", 1), ("12", 2), ("21", 3), ("22", 4)])
    policy = alike_policy(2)
    with pytest.raises(PolicyError, match="explain says what keeps columns from finer labels"):
        explain_plan(policy, connection)
    with pytest.raises(PolicyError, match="microaggregation makes groups in place of them"):
        minimal_nodes(policy, connection)
    with pytest.raises(PolicyError, match="needs the columns that make its groups"):
        make_frontier(
            alike_policy(2, recoding="full_domain"),
            connection,
            vary=("k", [2]),
            recodings=["microaggregation"],
        )
