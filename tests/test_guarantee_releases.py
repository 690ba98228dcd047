"""Plans and releases under every guarantee, held against the oracle's brute force."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
from auditing import load
from oracle import Values
from oracle_models import Guarantee, OnFailure, Table, optimum_models
from oracle_people import people_ladder
from sqlgen import apply_plan, make_plan, read_policy
from strategies_releases import GUARANTEES, POOLS, known_of, rows_of

ZIPS = {"north": {"n1": ["a", "b"], "n2": ["c"]}, "south": {"s1": ["d", "e"], "s2": ["f"]}}
AGES = {"young": ["1", "2"], "old": ["3", "4"]}
DISEASES = {"lungs": ["flu", "cold"], "stomach": ["ulcer", "gastritis"]}

TYPES = {
    **{"person": "INTEGER", "zip": "VARCHAR", "age": "VARCHAR"},
    **{"disease": "VARCHAR", "salary": "INTEGER"},
}
KEPT = ("zip", "age", "disease", "salary")
QUASI = {"zip": ZIPS, "age": AGES}
EFFORT = settings(max_examples=3 * settings().max_examples // 2)


@dataclass(frozen=True)
class Case:
    """A table, what is asked of it, how much may be suppressed, and tables of people.

    ``priors`` are people of whom all is known; ``town`` and ``voters`` are known by zip and age.
    """

    rows: list[dict[str, Any]]
    priors: list[dict[str, Any]]
    guarantees: list[dict[str, Any]]
    budget: int
    other: bool
    town: list[dict[str, Any]] = field(default_factory=list)
    voters: list[dict[str, Any]] = field(default_factory=list)
    on_failure: OnFailure = "suppress"
    nulls: str = "value"
    uncovered: str = "error"
    order: str | Sequence[str] = "numeric"

    @property
    def people(self) -> dict[str, list[dict[str, Any]]]:
        """The tables of people, by name."""
        return {"priors": self.priors, "town": self.town, "voters": self.voters, "nobody": []}


@st.composite
def cases(draw: st.DrawFn, asked: st.SearchStrategy[dict[str, Any]] = GUARANTEES) -> Case:
    """Cases whose rows have zips that are NULL, or that no hierarchy has, where a policy is."""
    uncovered = draw(st.sampled_from(["error", "error", "top", "suppress"]))
    strange = draw(st.sampled_from(["", "" if uncovered == "error" else "q"]))
    unknown = draw(st.sampled_from([[], [None]]))
    zips = [*"aabcdef", *strange, *unknown]
    diseases = draw(st.sampled_from(POOLS))
    size = draw(st.sampled_from([1, 10]))
    rows = draw(rows_of(size, 24, zip=zips, disease=diseases))
    weighed = [{**row, "weight": 1 + place % 3} for place, row in enumerate(rows)]
    count = draw(st.sampled_from([1, 1, 1, 2, 3]))
    guarantees = [
        {"k_anonymity": {"k": draw(st.integers(2, 3))}},
        *draw(st.lists(asked, min_size=count, max_size=count)),
    ]
    weights = {"weight": [1, 2, Decimal("0.5"), 0]}
    priors = draw(rows_of(1, 6, weight=[1, 2]))
    priors += draw(st.one_of(st.just([]), known_of(weighed, 3, 2, **weights)))
    if any(each.get("t_closeness", {}).get("distance") == "ordered" for each in guarantees):
        # An ordered distance needs a place for every value.
        known = {row["salary"] for row in priors}
        priors += [row for row in weighed if row["salary"] not in known]
    return Case(
        rows,
        priors,
        guarantees,
        draw(st.integers(0, 14)),
        draw(st.booleans()),
        draw(st.one_of(known_of(rows, 1, 3), known_of(rows, 10, 2))),
        draw(known_of(rows, 2, 1).map(lambda known: known[:6])),
        draw(st.sampled_from(["suppress", "suppress_sensitive"])),
        draw(st.sampled_from(["value", "value", "top", "suppress"])),
        uncovered,
    )


def policy_mapping(case: Case) -> dict[str, Any]:
    return {
        "source": {"table": "people"},
        "columns": {
            "person": {"role": "identifier"},
            **{
                name: {
                    "role": "quasi",
                    "hierarchy": {"tree": tree},
                    "nulls": case.nulls,
                    "uncovered": case.uncovered,
                }
                for name, tree in QUASI.items()
            },
            "disease": {"role": "sensitive", "hierarchy": {"tree": DISEASES}},
            "salary": {"role": "sensitive", "order": case.order},
            **({"note": {"role": "other"}} if case.other else {}),
        },
        "guarantees": case.guarantees,
        "suppression": case.budget,
        "on_failure": case.on_failure,
        "release": {"table": "released"},
    }


@pytest.fixture(scope="module")
def shared() -> Iterator[duckdb.DuckDBPyConnection]:
    """One database for all cases: to open one costs more than a plan."""
    with duckdb.connect(config={"threads": 1}) as connection:
        yield connection


def cells(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(row[name] for name in KEPT)


def fill(connection: duckdb.DuckDBPyConnection, case: Case) -> None:
    tables = {"people": case.rows, **case.people}
    for name, rows in tables.items():
        types = dict(TYPES)
        if name == "people" and case.other:
            types["note"] = "VARCHAR"
        if name == "priors":
            types["weight"] = "DECIMAL(9,2)"
        load(
            connection,
            name,
            types,
            [{"note": f"note {number}", "weight": 1, **row} for number, row in enumerate(rows)],
        )


def ladder_of(
    tree: Any, values: Values, nulls: str = "value", uncovered: str = "error"
) -> oracle.Ladder:
    return oracle.lines_ladder(values, oracle.tree_lines(tree), nulls, uncovered)


def table_of(case: Case) -> tuple[Table, dict[str, oracle.Ladder], list[Guarantee]]:
    """The source, its ladders and the guarantees as the oracle knows them."""
    people = [row for rows in case.people.values() for row in rows]
    ladders, known = {}, {}
    for name, tree in QUASI.items():
        build = partial(ladder_of, tree, nulls=case.nulls, uncovered=case.uncovered)
        values = [row[name] for row in case.rows]
        ladders[name] = build(values)
        known[name] = people_ladder(build, values, [row[name] for row in people])
    order: Any = case.order if isinstance(case.order, str) else list(map(int, case.order))
    diseases = [row["disease"] for row in (*case.rows, *case.priors)]
    table = Table(
        case.rows,
        list(QUASI),
        ["disease", "salary"],
        orders={"salary": order},
        trees={"disease": ladder_of(DISEASES, diseases)},
        references=case.people,
        quasi_trees=known,
    )
    return table, ladders, [next(iter(each.items())) for each in case.guarantees]


def expected(case: Case) -> oracle.Optimum | None:
    return optimum_models(*table_of(case), case.budget, case.on_failure)


@EFFORT
@given(case=cases())
def test_the_plan_is_the_oracles_optimum_and_its_release_the_oracles_rows(
    shared: duckdb.DuckDBPyConnection, case: Case
) -> None:
    fill(shared, case)
    plan = make_plan(read_policy(policy_mapping(case)), shared)
    best = expected(case)
    assert plan.satisfied == (best is not None)
    if best is None:
        return
    assert tuple(plan.levels_to("test").values()) == best.node
    assert plan.suppressed_rows == best.suppressed
    assert plan.withheld_rows == best.withheld
    assert plan.objective == pytest.approx(best.loss.value, abs=1e-9)
    release = apply_plan(plan, shared, replace=True)
    assert release.satisfied
    assert release.suppressed_rows == best.suppressed
    assert release.audit.withheld_rows == best.withheld
    found = shared.execute("SELECT zip, age, disease, salary FROM released").fetchall()
    assert Counter(found) == Counter(map(cells, best.released))
    for planned, audited in zip(plan.guarantees, release.audit.guarantees, strict=True):
        assert float(planned.value) == pytest.approx(float(audited.value), rel=1e-9)
