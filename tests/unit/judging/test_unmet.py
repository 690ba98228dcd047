"""A verdict says what failed where the measured figure alone would look met."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import duckdb
import pytest

from sqlgen import Policy, audit_table, make_plan, read_policy
from sqlgen.cli.text.results import audit_text

RARE = {"column": "d", "c": 2, "l": 2, "protected": ["hiv"], "protected_share": "30%"}
WHOLE = {"table": "whole"}
CASES: dict[str, tuple[dict[str, Any], Sequence[str], str]] = {
    # 3 of flu, 3 of cold and 1 of HIV: the leading count is 3/4 of the tail.
    "a protected value is too rare": (
        {"recursive_l_diversity": RARE},
        ["flu"] * 3 + ["cold"] * 3 + ["hiv"],
        "c < 2 (l 2), share >= 0.3  0.75, share < 0.3  NOT met",
    ),
    "the class is too small for k": (
        {"alpha_k_anonymity": {"column": "d", "alpha": "0.5", "k": 3}},
        ["flu", "cold"],
        "share <= 0.5, k >= 3  0.5, k < 3  NOT met",
    ),
    "a chance is too small": (
        {"delta_presence": {"most": 1, "least": "60%", "population": {"table": "town"}}},
        ["flu", "cold"],
        "0.6 <= chance <= 1  0.5, chance < 0.6  NOT met",
    ),
    # 9 of 10 rows have flu: ln(10/9) is 0.105, and a class of flu alone gains 0.111.
    "a gain is above the logarithm": (
        {"beta_likeness": {"column": "d", "beta": 1, "enhanced": True, "reference": WHOLE}},
        ["flu", "flu"],
        "beta <= 1, -ln q  0.1111, gain > -ln q  NOT met",
    ),
    "the prior is contradicted": (
        {"positive_disclosure": {"column": "d", "delta": 0, "prior": {"table": "prior"}}},
        ["flu", "cold"],
        "belief <= 1  1, the prior is contradicted  NOT met",
    ),
}


def policy_of(guarantee: dict[str, Any]) -> Policy:
    return read_policy(
        {
            "source": {"table": "t"},
            "columns": {
                "q": {"role": "quasi", "hierarchy": "suppress"},
                "d": {"role": "sensitive"},
            },
            "guarantees": [guarantee],
        }
    )


@pytest.mark.parametrize(("guarantee", "values", "told"), CASES.values(), ids=CASES)
def test_what_failed_is_said_where_the_figure_meets_its_threshold(
    guarantee: dict[str, Any], values: Sequence[str], told: str
) -> None:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t (q VARCHAR, d VARCHAR)")
        connection.executemany("INSERT INTO t VALUES ('a', ?)", [[value] for value in values])
        connection.execute("CREATE TABLE town AS SELECT 'a' AS q FROM RANGE(4)")
        connection.execute("CREATE TABLE prior AS SELECT 'a' AS q, 'flu' AS d")
        connection.execute(
            "CREATE TABLE whole AS "
            "SELECT CASE WHEN i = 0 THEN 'cold' ELSE 'flu' END AS d FROM RANGE(10) AS r (i)"
        )
        found = audit_table(policy_of(guarantee), "t", connection)
        assert not found.satisfied
        assert told in re.sub(" {2,}", "  ", audit_text(found))
        assert found.to_dict()["guarantees"][0]["unmet"] == told.split("  ")[1].split(", ", 1)[1]
        # No weaker bound of the figure would mend what is not the figure's fault.
        assert found.advice[0].threshold == ""
        plan = make_plan(policy_of(guarantee), connection)
        assert not plan.satisfied
        assert told.split("  ")[1] in plan.hindrance


def test_a_figure_that_breaks_its_threshold_says_enough() -> None:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t AS SELECT 'a' AS q, 'flu' AS d FROM RANGE(4)")
        found = audit_table(policy_of({"recursive_l_diversity": RARE}), "t", connection)
        assert found.guarantees[0].words == "infinite"
        assert "unmet" not in found.to_dict()["guarantees"][0]


def test_a_figure_close_to_its_threshold_is_not_rounded_to_the_other_side() -> None:
    """3 of flu and 1 of cold give exp(entropy) of 1.75476, and a share of 0.75."""
    for name, bound, required, shown in (
        ("entropy_l_diversity", {"l": "1.755"}, "l >= 1.755", "1.7548  NOT met"),
        ("entropy_l_diversity", {"l": "1.7547"}, "l >= 1.7547", "1.755  met"),
        ("alpha_k_anonymity", {"alpha": "0.749999", "k": 1}, "share <= 0.749999", "0.75  NOT met"),
    ):
        with duckdb.connect() as connection:
            connection.execute(
                "CREATE TABLE t AS "
                "SELECT 'a' AS q, CASE WHEN i = 0 THEN 'cold' ELSE 'flu' END AS d "
                "FROM RANGE(4) AS r (i)"
            )
            found = audit_table(policy_of({name: {"column": "d", **bound}}), "t", connection)
            told = re.sub(" {2,}", "  ", audit_text(found))
            assert required in told
            assert shown in told
