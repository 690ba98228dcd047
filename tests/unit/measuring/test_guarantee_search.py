"""What the search takes for granted of guarantees: which nodes it closes, and how work is added."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
import sqlgen.judging.verdict_sql
from auditing import near
from guarantee_cases import Case, cases, fill, policy_mapping, table_of
from harness import staged
from oracle_models import judge, release_models
from search_nodes import finer
from sqlgen import read_policy
from sqlgen.measuring.nodes import measure_node, measure_whole
from sqlgen.search.lattice import Node
from strategies_releases import GUARANTEES, PRESENT, rows_of

SALARIES = [10, 20, 30, -5, 9]


@pytest.fixture(scope="module")
def shared() -> Iterator[duckdb.DuckDBPyConnection]:
    """One database for all cases."""
    with duckdb.connect(config={"threads": 1}) as connection:
        yield connection


EFFORT = settings(max_examples=settings().max_examples // 2)


@EFFORT
@pytest.mark.parametrize("asked", [GUARANTEES, PRESENT], ids=["any", "delta_presence"])
@given(data=st.data())
def test_a_node_closes_only_what_is_infeasible(
    shared: duckdb.DuckDBPyConnection,
    asked: st.SearchStrategy[dict[str, Any]],
    data: st.DataObject,
) -> None:
    """A node is closed with every finer one, which is what guarantees call monotone.

    So do no fewer rows go at any finer one than the node says must.
    """
    case = data.draw(cases(asked))
    fill(shared, case)
    table, ladders, guarantees = table_of(case)
    policy = read_policy(policy_mapping(case))
    nodes = oracle.lattice(ladders)
    released = {
        node: release_models(table, ladders, node, guarantees, case.budget, case.on_failure)
        for node in nodes
    }
    feasible = [node for node, release in released.items() if release.feasible]
    with staged(policy, shared) as made:
        for node in nodes:
            (found,) = measure_node(
                made.engine, made.staged, [policy.guarantees], node, case.budget
            )
            assert found.feasible == (node in feasible)
            if found.closes:
                assert not any(finer(each, node) for each in feasible), node
            for each in feasible:
                if finer(each, node):
                    spent = released[each].suppressed + released[each].masked
                    spent -= released[each].empty
                    assert found.needed_rows <= spent, (each, node)


@st.composite
def ordered(draw: st.DrawFn) -> Case:
    """Cases with an ordered distance from something, and rows that are far from it."""
    listed = draw(st.permutations(SALARIES))
    order = draw(st.sampled_from(["numeric", "text", [str(each) for each in listed]]))
    rows = draw(rows_of(1, 24, salary=[*SALARIES, None, None]))
    priors = rows + draw(rows_of(1, 8, salary=[*SALARIES, None]))
    budget = draw(st.integers(0, 8))
    references = ["released", "source", "uniform", {"table": "priors"}]
    asked = [
        {
            "t_closeness": {
                "column": "salary",
                "distance": "ordered",
                "t": draw(st.sampled_from(["0", "0.1", "0.2", "0.3", "0.5", "1"])),
                "reference": draw(st.sampled_from(references)),
            }
        }
        for _ in range(draw(st.integers(1, 2)))
    ]
    return Case(rows, priors, asked, budget, False, order=order)


@EFFORT
@given(case=ordered(), node=st.sampled_from([(0, 0), (1, 0), (1, 1), (2, 1)]))
def test_ordered_work_is_the_same_for_few_values_and_for_many(
    shared: duckdb.DuckDBPyConnection, case: Case, node: Node
) -> None:
    fill(shared, case)
    table, ladders, guarantees = table_of(case)
    policy = read_policy(policy_mapping(case))
    rows, _ = oracle.generalize(table.rows, ladders, node)
    at_node = replace(table, rows=rows, source=table.rows)
    best = release_models(table, ladders, node, guarantees, case.budget)
    measured = []
    for few in (0, 10**9):
        with (
            patch.object(sqlgen.judging.verdict_sql, "FEW_VALUES", few),
            staged(policy, shared) as made,
        ):
            assert {each.few for each in made.staged.judged.values} == {few > 0}
            known = (made.engine, made.staged)
            whole = measure_whole(*known, policy.guarantees, node)
            (found,) = measure_node(*known, [policy.guarantees], node, case.budget)
            measured.append((whole, found))
        for place, guarantee in enumerate(guarantees):
            judged = judge(at_node, guarantee)
            assert near(whole.values[place], judged.measured or 0)
            assert whole.failing[place] == len(judged.failing)
    sparse, dense = measured
    assert sparse == dense
    assert dense[1].feasible == best.feasible
    if best.feasible:
        assert dense[1].suppressed_rows == best.suppressed
