"""Guarantees about identity are judged before values are compared with what is released.

A class that fails because of who its rows are about cannot be released, so no other class is
compared with it. Where it was, a finer node that gives everything was passed over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

import guarantee_cases as releases
from auditing import load
from oracle import Row, lines_ladder, tree_lines
from oracle_models import OnFailure, Suppression, Table, optimum_models, suppress_to_fixpoint
from sqlgen import Policy, apply_plan, make_plan, read_policy
from strategies_releases import one_of

ZIPS = {"north": ["a", "b"], "south": ["c", "d"]}
# Classes a and b are half flu, class c is all flu and of one person whom nobody else could be.
ROWS: list[dict[str, Any]] = [
    {"person": 10 * number + place, "zip": zip_code, "disease": disease}
    for number, zip_code in enumerate("ab")
    for place, disease in enumerate(["flu", "flu", "cold", "cold"])
] + [{"person": 99, "zip": "c", "disease": "flu"} for _ in range(3)]
TOWN: list[Row] = [{"zip": zip_code} for zip_code in "aaaaaabbbbbbc"]
VOTERS: list[Row] = [{"zip": "c"}]
IDENTITY: dict[str, dict[str, Any]] = {
    "unit": {"k_anonymity": {"k": 2, "unit": "person"}},
    "k_map": {"k_map": {"k": 2, "population": {"table": "town"}}},
    "delta_presence": {"delta_presence": {"most": "80%", "population": {"table": "town"}}},
    "prosecutor": {
        "linkage": {
            **{"known": {"table": "voters"}, "risk": "prosecutor"},
            **{"above": "30%", "at_most": 0},
        }
    },
    "marketer": {"linkage": {"known": {"table": "voters"}, "risk": "marketer", "at_most": 0}},
}
VALUES: dict[str, dict[str, Any]] = {
    "t_closeness": {"t_closeness": {"column": "disease", "t": "0.1", "distance": "equal"}},
    "n_t_closeness": {
        "n_t_closeness": {"column": "disease", "n": 8, "t": "0.1", "distance": "equal"}
    },
    "beta_likeness": {"beta_likeness": {"column": "disease", "beta": "0.1"}},
    "skewness": {"skewness": {"column": "disease", "at_most": "1.2"}},
}


def policy_of(
    *guarantees: dict[str, Any], suppression: int = 3, on_failure: OnFailure = "suppress"
) -> Policy:
    return read_policy(
        {
            "source": {"table": "people"},
            "columns": {
                "person": {"role": "identifier"},
                "zip": {"role": "quasi", "hierarchy": {"tree": ZIPS}},
                "disease": {"role": "sensitive"},
            },
            "guarantees": list(guarantees),
            "suppression": suppression,
            "on_failure": on_failure,
            "release": {"table": "released"},
        }
    )


def oracle_table() -> Table:
    ladder = lines_ladder([row["zip"] for row in ROWS], tree_lines(ZIPS))
    people = {"town": TOWN, "voters": VOTERS}
    return Table(ROWS, ["zip"], ["disease"], references=people, quasi_trees={"zip": ladder})


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        types = {"person": "INTEGER", "zip": "VARCHAR", "disease": "VARCHAR"}
        load(connection, "people", types, ROWS)
        load(connection, "town", {"zip": "VARCHAR"}, TOWN)
        load(connection, "voters", {"zip": "VARCHAR"}, VOTERS)
        yield connection


@pytest.mark.battery
@pytest.mark.parametrize("on_failure", ["suppress", "suppress_sensitive"])
@pytest.mark.parametrize(
    ("identity", "values"),
    [
        *((each, "t_closeness") for each in IDENTITY),
        *(("unit", each) for each in VALUES if each != "t_closeness"),
    ],
)
def test_a_finer_node_is_not_passed_over_for_rows_that_cannot_be_released(
    connection: duckdb.DuckDBPyConnection,
    identity: str,
    values: str,
    on_failure: OnFailure,
) -> None:
    asked = [IDENTITY[identity], VALUES[values]]
    best = optimum_models(
        oracle_table(),
        oracle_table().quasi_trees,
        [next(iter(each.items())) for each in asked],
        3,
        on_failure,
    )
    assert best is not None
    assert (best.node, best.suppressed, best.masked) == ((0,), 3, 0)
    # Whichever is written first.
    for guarantees in (asked, asked[::-1]):
        plan = make_plan(policy_of(*guarantees, on_failure=on_failure), connection)
        assert dict(plan.levels_to("test")) == {"zip": 0}
        assert (plan.suppressed_rows, plan.masked_rows) == (3, 0)
    release = apply_plan(plan, connection)
    assert release.satisfied
    assert (release.suppressed_rows, release.audit.masked_rows) == (3, 0)


def test_values_are_suppressed_once_identity_is_settled_and_then_both_again(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    """Class d goes by its values once class c is gone; nobody may be missing, so all go then."""
    extra: list[dict[str, Any]] = [
        {"person": 200 + place, "zip": "d", "disease": "flu"} for place in range(3)
    ]
    for row in extra:
        connection.execute("INSERT INTO people VALUES (?, ?, ?)", list(row.values()))
    table = Table([*ROWS, *extra], ["zip"], ["disease"], references={"town": TOWN})
    close = ("t_closeness", {"column": "disease", "t": "0.25", "distance": "equal"})
    unit = ("k_anonymity", {"k": 2, "unit": "person"})
    found = suppress_to_fixpoint(table, [unit, close])
    assert found == Suppression(ROWS[:8], 6, 2)
    plan = make_plan(policy_of({unit[0]: unit[1]}, {close[0]: close[1]}, suppression=6), connection)
    assert dict(plan.levels_to("test")) == {"zip": 0}
    assert (plan.suppressed_rows, plan.rounds) == (6, 2)
    assert apply_plan(plan, connection).suppressed_rows == 6
    everybody = {"delta_presence": {"most": 1, "least": "10%", "population": {"table": "voters"}}}
    assert not make_plan(policy_of(everybody, VALUES["t_closeness"]), connection).satisfied


def test_rows_that_came_since_the_plan_go_by_identity_before_values_are_compared(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    connection.execute("DELETE FROM people WHERE zip = 'c'")
    policy = policy_of(IDENTITY["unit"], VALUES["t_closeness"])
    plan = make_plan(policy, connection)
    assert (dict(plan.levels_to("test")), plan.rounds) == ({"zip": 0}, 0)
    for _ in range(3):
        connection.execute("INSERT INTO people VALUES (99, 'c', 'flu')")
    release = apply_plan(plan, connection)
    assert release.satisfied
    assert release.suppressed_rows == 3


KNOWN = st.just({"table": "voters"})
IDENTITIES = st.one_of(
    one_of("k_anonymity", k=st.just(2), unit=st.just("person")),
    one_of("k_map", k=st.integers(2, 4), population=st.just({"table": "town"})),
    one_of(
        "delta_presence",
        most=st.sampled_from(["75%", "1"]),
        least=st.sampled_from(["0", "0", "5%"]),
        population=st.just({"table": "town"}),
    ),
    one_of(
        "linkage",
        known=KNOWN,
        risk=st.sampled_from(["prosecutor", "journalist"]),
        above=st.sampled_from(["0.25", "0.5"]),
        at_most=st.just(0),
    ),
    one_of("linkage", known=KNOWN, risk=st.just("marketer"), at_most=st.sampled_from([0, 3])),
)
MOVING = st.one_of(
    one_of(
        "t_closeness",
        column=st.just("disease"),
        t=st.sampled_from(["0.05", "0.1", "0.25"]),
        distance=st.sampled_from(["equal", "hierarchical", "js"]),
    ),
    one_of(
        "n_t_closeness",
        column=st.just("disease"),
        n=st.sampled_from([6, 8]),
        t=st.just("0.1"),
        distance=st.just("equal"),
    ),
    one_of("skewness", column=st.just("disease"), at_most=st.sampled_from(["1.1", "1.3"])),
)


@st.composite
def mixed(draw: st.DrawFn) -> releases.Case:
    """Cases of classes that are mostly alike, and others that fail by identity, or by values."""
    rows: list[dict[str, Any]] = []
    town: list[dict[str, Any]] = []
    voters: list[dict[str, Any]] = []
    others = st.lists(st.sampled_from(["alike", "one person", "odd values"]), max_size=1)
    kinds = ["alike", "alike", "one person", *draw(others)]
    for zip_code, kind in zip(draw(st.permutations("abdef")), kinds, strict=False):
        values = ["flu", "cold"] * 2 if kind == "alike" else ["flu"] * draw(st.integers(2, 4))
        persons = 1 if kind == "one person" else 4
        about = {"person": 0, "zip": zip_code, "age": "1", "disease": None, "salary": 10}
        rows += [
            {**about, "person": 10 * ord(zip_code) + place % persons, "disease": disease}
            for place, disease in enumerate(values)
        ]
        town += [about] * (persons + 2 if persons > 1 else 1)
        voters += [about] * (draw(st.integers(0, 9)) == 0 if persons > 1 else 1)
    return releases.Case(
        rows,
        rows,
        [draw(IDENTITIES), draw(MOVING)],
        draw(st.integers(2, 8)),
        other=draw(st.booleans()),
        town=town,
        voters=voters,
        on_failure=draw(st.sampled_from(["suppress", "suppress_sensitive"])),
    )


@pytest.fixture(scope="module")
def shared() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(config={"threads": 1}) as opened:
        yield opened


@pytest.mark.battery
@given(case=mixed())
def test_the_plan_of_identity_and_values_together_is_the_oracles_optimum(
    shared: duckdb.DuckDBPyConnection, case: releases.Case
) -> None:
    releases.fill(shared, case)
    plan = make_plan(read_policy(releases.policy_mapping(case)), shared)
    best = releases.expected(case)
    assert plan.satisfied == (best is not None)
    if best is None:
        return
    assert tuple(plan.levels_to("test").values()) == best.node
    assert (plan.suppressed_rows, plan.masked_rows) == (best.suppressed, best.masked)
    assert apply_plan(plan, shared, replace=True).satisfied
    found = shared.execute("SELECT zip, age, disease, salary FROM released").fetchall()
    assert Counter(found) == Counter(map(releases.cells, best.released))
