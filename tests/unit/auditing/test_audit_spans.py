"""What an audit makes of ranges and sets of values, of whatever tool: figures by hand, refusals."""

from __future__ import annotations

import json
from collections.abc import Callable

import duckdb
import pytest

from span_checks import BY_PERSON, CHECKS, K_MAP, Quasi, audit
from sqlgen import PolicyError, audit_table, read_policy
from sqlgen.cli.text.results import audit_text


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_ranges_and_sets_are_read_by_the_values_that_they_name(check: Callable[[], None]) -> None:
    check()


@pytest.mark.parametrize(
    "taken", ["held_leaf", "value_row", "source_row", "released_class", "class_prefix", "step_1"]
)
def test_a_source_may_have_the_names_that_are_used_inside(taken: str) -> None:
    connection = duckdb.connect(config={"threads": 1})
    connection.execute(
        f'CREATE TABLE "{taken}" AS SELECT i AS row_id, i % 4 AS "{taken}" FROM range(8) AS t (i)'
    )
    connection.execute(
        f"CREATE TABLE made AS SELECT '{{0, 3}}' AS \"{taken}\" FROM range(4) "
        "UNION ALL SELECT '[1, 2]' FROM range(4)"
    )
    policy = read_policy(
        {
            "source": {"query": f'SELECT * FROM "{taken}"'},
            "columns": {
                "row_id": {"role": "identifier"},
                taken: {"role": "quasi", "hierarchy": "suppress"},
            },
            "guarantees": [{"k_anonymity": {"k": 4, "unit": "row_id"}}],
        }
    )
    found = audit_table(policy, "made", connection)
    assert [each.value for each in found.guarantees] == [4]
    assert found.metrics["ambiguity"] == 2


def test_no_value_is_told_where_a_label_cannot_be_read() -> None:
    ages = Quasi((21, 24), ["[21, canary]", "{canary, 24}"])
    found = audit({"age": ages})
    assert found.not_measured == "age shows 2 labels that no level of its hierarchy has"
    assert "canary" not in audit_text(found) + json.dumps(found.to_dict())
    with pytest.raises(PolicyError) as refused:
        audit({"age": ages}, K_MAP, {"age": (21, 24)})
    assert "canary" not in str(refused.value)


def test_an_audit_of_labels_of_levels_stages_no_ranges() -> None:
    run: list[str] = []
    connection = duckdb.connect(config={"threads": 1})
    connection.execute("CREATE TABLE source AS FROM (VALUES (1, 21), (2, 24)) AS t (person, age)")
    connection.execute("CREATE TABLE shown AS SELECT '*' AS age FROM source")
    policy = read_policy(
        {
            "source": {"table": "source"},
            "columns": {
                "person": {"role": "identifier"},
                "age": {"role": "quasi", "hierarchy": "suppress"},
            },
            "guarantees": BY_PERSON,
        }
    )
    found = audit_table(
        policy, "shown", connection, on_statement=lambda statement: run.append(statement.template)
    )
    assert found.satisfied
    assert "metrics/shown_levels" in run
    assert not {name for name in run if "span" in name or "shown_place" in name}
