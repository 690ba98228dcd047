"""Explanations of local recoding: what keeps columns coarse, counted again by hand and by plans."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cli_harness import make_clinic
from drawn_tables import drawn, filled, policy_of
from harness import RELEASE, connected, policy_mapping
from local_tables import in_one_layer, local_policy, quasi, table_of
from sqlgen import (
    Explanation,
    PolicyError,
    explain_plan,
    make_plan,
    minimal_nodes,
    read_policy,
)
from sqlgen.cli.text.search import explain_text
from strategies import Table, quoted, tables

AGES = {"age": {"role": "quasi", "hierarchy": {"intervals": [10]}}}


def explained(ages: list[int], guarantees: list[Any], **more: Any) -> Explanation:
    """The explanation of a table of ages, each with the same illness but for the last one's."""
    policy = read_policy(
        {
            "source": {"table": "people"},
            "columns": {**AGES, "illness": {"role": "sensitive"}},
            "guarantees": guarantees,
            "recoding": "local",
            **more,
        }
    )
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.execute("CREATE TABLE people (age INTEGER, illness VARCHAR)")
        ill = [(age, "flu" if place else "cold") for place, age in enumerate(ages)]
        connection.executemany("INSERT INTO people VALUES (?, ?)", ill)
        return explain_plan(policy, connection)


K2 = {"k_anonymity": {"k": 2}}
L2 = {"distinct_l_diversity": {"column": "illness", "l": 2}}


def test_a_column_none_of_whose_finer_labels_pass_is_blocked_by_them() -> None:
    (column,) = explained([21, 22, 23, 24], [K2]).blocked
    assert (column.column, column.regions, column.rows) == ("age", 1, 4)
    assert (column.none_passes, column.rest_fails, column.broken) == (1, 0, (1,))


def test_a_column_may_be_blocked_by_the_rest_that_some_finer_labels_leave() -> None:
    (column,) = explained([21, 21, 21, 24, 35, 35], [K2]).blocked
    assert (column.column, column.regions, column.rows) == ("age", 1, 4)
    assert (column.none_passes, column.rest_fails, column.broken) == (0, 1, (1,))


def test_each_guarantee_counts_the_regions_that_it_alone_would_block() -> None:
    (column,) = explained([21, 21, 22, 22], [K2, L2]).blocked
    # Two rows each: k is given, but only one age has two illnesses.
    assert (column.regions, column.broken) == (1, (0, 1))


def test_regions_of_several_rounds_are_counted_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each round numbers its regions from 1: odd groups stay those of the first round."""
    in_one_layer(monkeypatch)
    parts = {f"group {group}": [f"{group} a", f"{group} b"] for group in range(60)}
    values = [
        leaf for place, leaves in enumerate(parts.values()) for leaf in leaves * (2 - place % 2)
    ]
    # One row each, which stay together above their groups.
    parts |= {"last but one": ["y"], "last": ["z"]}
    rows = [(value, str(place)) for place, value in enumerate([*values, "y", "z"])]
    columns = {"a": quasi(parts), "b": quasi([other for _, other in rows])}
    found = explain_plan(local_policy(columns), table_of(rows, columns))
    assert found.plan.classes == 2 * 30 + 30 + 1
    blocked = [(each.column, each.regions, each.rows, each.none_passes) for each in found.blocked]
    assert blocked == [("a", 31, 62, 31), ("b", 91, 182, 91)]


def test_a_column_at_its_finest_level_is_not_blocked() -> None:
    found = explained([21, 21, 35, 35], [K2])
    assert found.blocked == ()
    assert "Every column is at its finest level everywhere." in explain_text(found)


@given(tables(max_quasi=3), st.integers(2, 4), st.sampled_from([0, "10%"]))
def test_every_region_above_the_finest_level_is_blocked(
    table: Table, k: int, budget: str | int
) -> None:
    assume(table.rows)
    target = {"table": quoted(RELEASE)}
    mapping = policy_mapping(table, k, budget, target) | {"recoding": "local"}
    with connected(table) as connection:
        found = explain_plan(read_policy(mapping), connection)
        plan = make_plan(read_policy(mapping), connection)
        assert found.plan.level_rows == plan.level_rows
        if not plan.satisfied:
            assert not found.blocked
            return
        rows = {name: sum(counts[1:]) for name, counts in plan.level_rows.items()}
        assert {each.column: each.rows for each in found.blocked} == {
            name: count for name, count in rows.items() if count
        }
        for column in found.blocked:
            assert column.regions == column.none_passes + column.rest_fails
            assert column.broken == (column.regions,)
        more = plan.budget + plan.rows // 100
        relieved = make_plan(read_policy({**mapping, "suppression": more}), connection)
        assert found.relief is not None
        assert found.relief.budget == more
        assert found.relief.objective == pytest.approx(relieved.objective, rel=1e-12)


def test_text_and_json_say_what_keeps_columns_coarse(tmp_path: Path) -> None:
    clinic = make_clinic(tmp_path)
    clinic.edit(("guarantees:", "recoding: local\nguarantees:"))
    text = clinic.run("explain")
    assert text.code == 0, text.text
    lines = text.out[text.out.index("What keeps columns coarse") :].splitlines()
    assert max(map(len, lines)) <= 82
    document = json.loads(clinic.run("explain", "--json").out)
    assert document["finer"] == document["columns"] == []
    for column in document["blocked"]:
        (line,) = [line.split() for line in lines if line.split()[0] == column["column"]]
        assert line[1:4] == [str(column[key]) for key in ("regions", "rows", "rest_fails")]
        assert line[4:] == [str(column["broken"]["k_anonymity"]), "k_anonymity"]


def test_a_prompt_and_a_frame_show_the_columns() -> None:
    policy = read_policy(policy_of([L2], 2, recoding="local"))
    with filled(drawn(3)) as connection:
        found = explain_plan(policy, connection)
    assert "recoding: local" in repr(found)
    assert f"one level finer would break the policy: {found.blocked[0].column}" in repr(found)
    assert list(found.to_pandas()["column"]) == [each.column for each in found.blocked]


def test_minimal_says_that_it_needs_one_level_per_column(tmp_path: Path) -> None:
    policy = read_policy(policy_of([], 2, recoding="local"))
    with filled(drawn(1)) as connection, pytest.raises(PolicyError) as refused:
        minimal_nodes(policy, connection)
    assert "minimal lists combinations of one level per column" in str(refused.value)
    clinic = make_clinic(tmp_path)
    clinic.edit(("guarantees:", "recoding: local\nguarantees:"))
    ran = clinic.run("minimal")
    assert ran.code == 2
    assert "Write recoding: full_domain to list them" in ran.err
