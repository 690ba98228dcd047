"""A prior that rules out every value of a person's class: Theorem 3.1 is 0/0 for that person."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import pytest

from sqlgen import Policy, apply_plan, audit_table, make_plan, read_policy
from sqlgen.cli.text.results import audit_text

BELIEFS: dict[str, dict[str, Any]] = {
    "positive_disclosure": {"delta": "20%"},
    "negative_disclosure": {"epsilon": "10%"},
    "belief_breach": {"rho_1": "20%", "rho_2": "80%"},
}
# Nobody in the class of c has cancer, which is all that c can have by what is known.
PATIENTS = """
CREATE TABLE patients AS FROM (VALUES
    ('a', 'flu'), ('a', 'cold'), ('b', 'flu'), ('b', 'cold'), ('c', 'flu'), ('c', 'cold')
) AS rows (zip, disease);
CREATE TABLE known AS FROM (VALUES
    ('a', 'flu', 1), ('a', 'cold', 1), ('b', 'flu', 1), ('b', 'cold', 1), ('c', 'cancer', 5)
) AS rows (zip, disease, weight)
"""


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        connection.execute(PATIENTS)
        yield connection


def policy_of(name: str, suppression: int = 0, **more: Any) -> Policy:
    belief = {"column": "disease", "prior": {"table": "known"}, **BELIEFS[name]}
    return read_policy(
        {
            "source": {"table": "patients"},
            "columns": {
                "zip": {"role": "quasi", "hierarchy": {"tree": {"n": ["a", "b", "c"]}}},
                "disease": {"role": "sensitive"},
            },
            "guarantees": [{name: {**belief, **more.pop("belief", {})}}],
            "suppression": suppression,
            "release": {"table": "released"},
            **more,
        }
    )


@pytest.mark.parametrize("name", BELIEFS)
def test_a_class_fails_in_which_the_prior_rules_out_every_value_for_somebody(
    connection: duckdb.DuckDBPyConnection, name: str
) -> None:
    connection.execute("CREATE TABLE other AS SELECT 'n' AS zip, disease FROM patients")
    found = audit_table(policy_of(name), "other", connection)
    assert not found.satisfied
    assert (found.guarantees[0].failing_classes, found.guarantees[0].failing_rows) == (1, 6)
    assert found.ruled_out == {0: 1}
    assert found.to_dict()["guarantees"][0]["ruled_out_persons"] == 1
    told = audit_text(found)
    assert "rules out every value of the class for 1 person." in told
    assert "their classes fail, unless the policy says ruled_out: ignore." in told


@pytest.mark.parametrize("name", ["positive_disclosure", "belief_breach"])
def test_a_policy_may_leave_such_persons_out_and_the_audit_counts_them_all_the_same(
    connection: duckdb.DuckDBPyConnection, name: str
) -> None:
    connection.execute("CREATE TABLE other AS SELECT 'n' AS zip, disease FROM patients")
    policy = policy_of(name, belief={"ruled_out": "ignore"})
    found = audit_table(policy, "other", connection)
    assert found.satisfied
    assert found.ruled_out == {0: 1}
    assert "such persons are left out, as ruled_out: ignore asks." in audit_text(found)


def test_a_plan_suppresses_the_class_and_the_release_is_without_it(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    connection.execute("DELETE FROM patients WHERE zip = 'c'")
    connection.execute("INSERT INTO known VALUES ('d', 'cancer', 1)")
    zips = {"tree": {"n": ["a", "d"], "s": ["b"]}}
    held = {"zip": {"role": "quasi", "hierarchy": zips, "levels": 1}}
    columns = {**held, "disease": {"role": "sensitive"}}
    policy = policy_of("positive_disclosure", 2, columns=columns)
    plan = make_plan(policy, connection)
    assert (plan.satisfied, plan.suppressed_rows) == (True, 2)
    release = apply_plan(plan, connection)
    assert (release.satisfied, release.suppressed_rows) == (True, 2)
    assert connection.execute("SELECT DISTINCT zip FROM released").fetchall() == [("s",)]
    found = audit_table(policy, source=connection)
    assert (found.satisfied, found.ruled_out) == (True, {0: 0})
    assert "ruled_out" not in audit_text(found)
    for suppression, belief, satisfied in ((1, {}, False), (0, {"ruled_out": "ignore"}, True)):
        asked = policy_of("positive_disclosure", suppression, columns=columns, belief=belief)
        assert make_plan(asked, connection).satisfied == satisfied


def test_a_class_that_shows_no_value_rules_out_nobody(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    connection.execute("CREATE TABLE other AS SELECT zip, NULL::VARCHAR AS disease FROM patients")
    connection.execute("INSERT INTO other SELECT zip, disease FROM patients WHERE zip = 'b'")
    connection.execute("DELETE FROM other WHERE zip = 'b' AND disease IS NULL")
    policy = policy_of("positive_disclosure", on_failure="suppress_sensitive")
    found = audit_table(policy, "other", connection)
    assert (found.satisfied, found.ruled_out) == (True, {0: 0})


def test_a_prior_that_is_the_columns_shares_rules_out_nobody_and_keeps_its_fingerprint(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    policy = policy_of("positive_disclosure", belief={"prior": "released"})
    (belief,) = policy.guarantees
    assert "ruled_out" not in belief.parameters
    assert "ruled_out" in policy_of("positive_disclosure").guarantees[0].parameters
    assert audit_table(policy, "patients", connection).ruled_out == {}
