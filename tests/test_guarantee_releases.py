"""Plans and releases under every guarantee, held against the oracle's brute force."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
from oracle_models import Table, optimum_models
from sqlgen import apply_plan, make_plan, read_policy

ZIPS = {"north": {"n1": ["a", "b"], "n2": ["c"]}, "south": {"s1": ["d", "e"], "s2": ["f"]}}
AGES = {"young": ["1", "2"], "old": ["3", "4"]}
DISEASES = {"lungs": ["flu", "cold"], "stomach": ["ulcer", "gastritis"]}

KEPT = ("zip", "age", "disease", "salary")
QUASI = {"zip": ZIPS, "age": AGES}
EFFORT = settings(max_examples=2 * settings().max_examples)

DISTANCES = st.sampled_from(["0", "0.1", "0.25", "0.3", "0.5", "0.75"])
FIXED = ("source", {"table": "priors"})
REFERENCES = st.sampled_from(["released", "released", "uniform", *FIXED])
DIVERSITY = st.sampled_from(["disease", "salary"])


def one_of(name: str, **parameters: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(parameters).map(lambda drawn: {name: drawn})


def close(distances: list[str], column: str) -> st.SearchStrategy[dict[str, Any]]:
    return one_of(
        "t_closeness",
        column=st.just(column),
        t=DISTANCES,
        distance=st.sampled_from(distances),
        reference=REFERENCES,
    )


GUARANTEES = st.one_of(
    one_of("k_anonymity", k=st.integers(2, 3), unit=st.just("person")),
    one_of(
        "alpha_k_anonymity",
        column=DIVERSITY,
        alpha=st.sampled_from(["0.3", "0.5", "0.75", "100%"]),
        k=st.integers(1, 3),
    ),
    one_of("distinct_l_diversity", column=DIVERSITY, l=st.integers(1, 4), jointly=st.booleans()),
    one_of(
        "entropy_l_diversity",
        column=DIVERSITY,
        l=st.sampled_from(["1", "1.5", "2", "2.5", "3"]),
        jointly=st.booleans(),
    ),
    one_of(
        "recursive_l_diversity",
        column=st.just("disease"),
        c=st.sampled_from(["0.5", "1", "2", "3.5"]),
        l=st.integers(1, 3),
        disclosable=st.sampled_from([[], ["flu"], ["flu", "ulcer"]]),
        jointly=st.booleans(),
    ),
    one_of(
        "recursive_l_diversity",
        column=st.just("disease"),
        c=st.sampled_from(["1", "3"]),
        l=st.integers(1, 3),
        protected=st.sampled_from([["flu"], ["cold", "ulcer"]]),
        protected_share=st.sampled_from(["10%", "0.25"]),
    ),
    close(["equal", "hierarchical", "variational", "js"], "disease"),
    close(["kl"], "disease"),
    close(["ordered", "equal"], "salary"),
    one_of(
        "t_closeness",
        columns=st.just(["disease", "salary"]),
        t=DISTANCES,
        distance=st.sampled_from(["equal", "js"]),
        reference=REFERENCES,
    ),
    one_of(
        "ratio_closeness",
        column=DIVERSITY,
        epsilon=st.sampled_from(["0.3", "0.8", "1.5"]),
        reference=REFERENCES,
    ),
    one_of(
        "delta_disclosure",
        column=DIVERSITY,
        delta=st.sampled_from(["0.5", "1.1"]),
        absent=st.sampled_from(["fail", "ignore"]),
        reference=REFERENCES,
    ),
    one_of(
        "beta_likeness",
        column=DIVERSITY,
        beta=st.sampled_from(["0.25", "1", "2"]),
        enhanced=st.booleans(),
        reference=REFERENCES,
    ),
    one_of(
        "skewness",
        column=DIVERSITY,
        at_most=st.sampled_from(["1.5", "3"]),
        reference=REFERENCES,
    ),
    one_of("homogeneity", column=DIVERSITY, at_most=st.sampled_from([0, 2, "20%"])),
    one_of(
        "background_knowledge",
        column=DIVERSITY,
        excluded=st.integers(1, 2),
        at_most=st.sampled_from([0, 5, "50%"]),
    ),
    one_of(
        "similarity",
        column=st.just("disease"),
        level=st.integers(1, 2),
        at_most=st.sampled_from([0, 5, "100%"]),
    ),
)


@dataclass(frozen=True)
class Case:
    """A table, what is asked of it, and how much may be suppressed."""

    rows: list[dict[str, Any]]
    priors: list[dict[str, Any]]
    guarantees: list[dict[str, Any]]
    budget: int
    other: bool


def rows_of(least: int, most: int) -> st.SearchStrategy[list[dict[str, Any]]]:
    row = st.fixed_dictionaries(
        {
            "person": st.sampled_from([1, 2, 3, 4, 5, 6, None]),
            "zip": st.sampled_from("aabcdef"),
            "age": st.sampled_from("1123"),
            "disease": st.sampled_from(["flu", "flu", "flu", "cold", "ulcer", None]),
            "salary": st.sampled_from([10, 10, 20, 30, -5]),
        }
    )
    return st.lists(row, min_size=least, max_size=most)


CASES = st.builds(
    Case,
    rows=rows_of(1, 24),
    priors=rows_of(1, 6),
    guarantees=st.tuples(
        st.integers(2, 3).map(lambda k: [{"k_anonymity": {"k": k}}]),
        st.lists(GUARANTEES, min_size=1, max_size=3),
    ).map(lambda parts: parts[0] + parts[1]),
    budget=st.integers(0, 14),
    other=st.booleans(),
)


def policy_mapping(case: Case) -> dict[str, Any]:
    return {
        "source": {"table": "people"},
        "columns": {
            "person": {"role": "identifier"},
            **{
                name: {"role": "quasi", "hierarchy": {"tree": tree}} for name, tree in QUASI.items()
            },
            "disease": {"role": "sensitive", "hierarchy": {"tree": DISEASES}},
            "salary": {"role": "sensitive", "order": "numeric"},
            **({"note": {"role": "other"}} if case.other else {}),
        },
        "guarantees": case.guarantees,
        "suppression": case.budget,
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
    note = ", note VARCHAR" if case.other else ""
    for name, rows, more in (("people", case.rows, note), ("priors", case.priors, "")):
        connection.execute(
            f"CREATE OR REPLACE TABLE {name} "
            f"(person INTEGER, zip VARCHAR, age VARCHAR, disease VARCHAR, salary INTEGER{more})"
        )
        for number, row in enumerate(rows):
            values = [row["person"], *cells(row), *([f"note {number}"] if more else [])]
            marks = ", ".join("?" for _ in values)
            connection.execute(f"INSERT INTO {name} VALUES ({marks})", values)


def ladder_of(tree: Any, values: list[Any]) -> oracle.Ladder:
    return oracle.lines_ladder(values, oracle.tree_lines(tree))


def expected(case: Case) -> oracle.Optimum | None:
    ladders = {
        name: ladder_of(tree, [row[name] for row in case.rows]) for name, tree in QUASI.items()
    }
    diseases = [row["disease"] for row in (*case.rows, *case.priors)]
    table = Table(
        case.rows,
        list(QUASI),
        ["disease", "salary"],
        orders={"salary": "numeric"},
        trees={"disease": ladder_of(DISEASES, diseases)},
        references={"priors": case.priors},
    )
    guarantees = [next(iter(each.items())) for each in case.guarantees]
    return optimum_models(table, ladders, guarantees, case.budget)


@EFFORT
@given(CASES)
def test_the_plan_is_the_oracles_optimum_and_its_release_the_oracles_rows(
    shared: duckdb.DuckDBPyConnection, case: Case
) -> None:
    fill(shared, case)
    plan = make_plan(read_policy(policy_mapping(case)), shared)
    best = expected(case)
    assert plan.satisfied == (best is not None)
    if best is None:
        return
    assert tuple(plan.levels.values()) == best.node
    assert plan.suppressed_rows == best.suppressed
    assert plan.loss == pytest.approx(best.loss.value, abs=1e-9)
    release = apply_plan(plan, shared, replace=True)
    assert release.satisfied
    assert release.suppressed_rows == best.suppressed
    found = shared.execute("SELECT zip, age, disease, salary FROM released").fetchall()
    assert Counter(found) == Counter(map(cells, best.released))
    for planned, audited in zip(plan.guarantees, release.audit.guarantees, strict=True):
        assert planned.measured == pytest.approx(audited.measured, rel=1e-9)
