"""Sensitive columns of which a label is released: judged as if the source had held the labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlgen import (
    HierarchyError,
    Policy,
    PolicyError,
    StalePlanError,
    UnsupportedError,
    apply_plan,
    audit_table,
    make_plan,
    read_policy,
)
from sqlgen.cli.text.results import plan_text, release_text

FINE = {"lungs": {"acute": ["flu", "cold"], "lasting": ["asthma"]}, "stomach": {"any": ["ulcer"]}}
# What is above level 1 of that.
UPPER = {"lungs": ["acute", "lasting"], "stomach": ["any"]}
LABELS = {"flu": "acute", "cold": "acute", "asthma": "lasting", "ulcer": "any", None: None}
BANDS = {"intervals": [20, 40]}


def policy_of(
    disease: dict[str, Any],
    salary: dict[str, Any],
    guarantees: list[dict[str, Any]],
    **more: Any,
) -> Policy:
    return read_policy(
        {
            "source": {"table": "people"},
            "columns": {
                "zip": {"role": "quasi", "hierarchy": {"tree": {"n": ["a", "b"], "s": ["c"]}}},
                "disease": {"role": "sensitive", **disease},
                "salary": {"role": "sensitive", **salary},
            },
            "guarantees": guarantees,
            "release": {"table": "released"},
            **more,
        }
    )


COARSE = {"hierarchy": {"tree": FINE}, "level": 1}
PLAIN = {"hierarchy": {"tree": UPPER}}
K: list[dict[str, Any]] = [{"k_anonymity": {"k": 2}}]


@pytest.fixture(scope="module")
def shared() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(config={"threads": 1}) as connection:
        yield connection


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        fill(connection, [("a", "flu", 10), ("a", "ulcer", 30), ("b", "cold", 50), ("b", None, 5)])
        yield connection


def fill(connection: duckdb.DuckDBPyConnection, rows: list[tuple[Any, ...]]) -> None:
    connection.execute("CREATE OR REPLACE TABLE people (zip VARCHAR, disease VARCHAR, salary INT)")
    if rows:
        connection.executemany("INSERT INTO people VALUES (?, ?, ?)", rows)


def band(salary: int | None) -> str | None:
    if salary is None:
        return None
    lower = salary // 20 * 20
    return f"[{lower}, {lower + 20})"


GUARANTEES = st.lists(
    st.sampled_from(
        [
            {"distinct_l_diversity": {"column": "disease", "l": 2, "jointly": True}},
            {"t_closeness": {"column": "disease", "t": "0.3", "distance": "hierarchical"}},
            {
                "t_closeness": {
                    "column": "disease",
                    "t": "0.3",
                    "distance": "equal",
                    "reference": "source",
                }
            },
            {"t_closeness": {"column": "salary", "t": "0.2", "distance": "ordered"}},
            {"similarity": {"column": "disease", "level": 1, "at_most": 0}},
            {"alpha_k_anonymity": {"column": "disease", "alpha": "0.5", "k": 2, "values": ["any"]}},
        ]
    ),
    min_size=1,
    max_size=3,
)


@settings(max_examples=settings().max_examples // 3)
@given(
    rows=st.lists(
        st.tuples(
            st.sampled_from(["a", "b", "c", None]),
            st.sampled_from(["flu", "cold", "asthma", "ulcer", None]),
            st.sampled_from([1, 15, 25, 70, None]),
        ),
        min_size=1,
        max_size=14,
    ),
    guarantees=GUARANTEES,
    budget=st.integers(0, 8),
    on_failure=st.sampled_from(["suppress", "suppress_sensitive"]),
)
def test_a_level_is_released_and_judged_as_a_source_of_labels_would_be(
    shared: duckdb.DuckDBPyConnection,
    rows: list[tuple[Any, ...]],
    guarantees: list[dict[str, Any]],
    budget: int,
    on_failure: str,
) -> None:
    asked: dict[str, Any] = {
        "guarantees": [*K, *guarantees],
        "suppression": budget,
        "on_failure": on_failure,
    }
    fill(shared, rows)
    coarse = policy_of(COARSE, {"hierarchy": BANDS, "level": 1, "order": "text"}, **asked)
    plan = make_plan(coarse, shared)
    released: Counter[Any] = Counter()
    audited = None
    if plan.satisfied:
        release = apply_plan(plan, shared, replace=True)
        assert release.satisfied
        released = Counter(shared.execute("FROM released").fetchall())
        audited = audit_table(coarse, source=shared)
        assert audited.satisfied
    shared.execute("CREATE OR REPLACE TABLE people (zip VARCHAR, disease VARCHAR, salary VARCHAR)")
    labels = [(zip_code, LABELS[disease], band(salary)) for zip_code, disease, salary in rows]
    shared.executemany("INSERT INTO people VALUES (?, ?, ?)", labels)
    expected = make_plan(policy_of(PLAIN, {"order": "text"}, **asked), shared)
    assert plan.satisfied == expected.satisfied
    assert plan.levels == expected.levels
    assert plan.suppressed_rows == expected.suppressed_rows
    assert plan.masked_rows == expected.masked_rows
    assert [each.value for each in plan.guarantees] == [each.value for each in expected.guarantees]
    if audited is not None:
        apply_plan(expected, shared, replace=True)
        assert released == Counter(shared.execute("FROM released").fetchall())
        again = audit_table(expected.policy, source=shared)
        assert [each.figures for each in audited.guarantees] == [
            each.figures for each in again.guarantees
        ]


@pytest.mark.battery
@pytest.mark.parametrize("kind", ["table", "view", "csv", "parquet"])
@pytest.mark.parametrize("source", [{"table": "people"}, {"query": "FROM people"}])
def test_every_target_gets_the_labels_and_its_audit_passes(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, kind: str, source: dict[str, str]
) -> None:
    target = "shown" if kind in ("table", "view") else str(tmp_path / f"shown.{kind}")
    asked = [*K, {"distinct_l_diversity": {"column": "salary", "l": 2}}]
    policy = policy_of(
        COARSE, {"hierarchy": BANDS, "level": 1}, asked, source=source, release={kind: target}
    )
    assert apply_plan(make_plan(policy, connection), connection).satisfied
    assert audit_table(policy, source=connection).satisfied
    made = target if kind in ("table", "view") else f"'{target}'"
    assert Counter(connection.execute(f"FROM {made}").fetchall()) == Counter(
        [
            ("a", "acute", "[0, 20)"),
            ("a", "any", "[20, 40)"),
            ("b", "acute", "[40, 60)"),
            ("b", None, "[0, 20)"),
        ]
    )


def test_a_dataframe_comes_back_with_labels(connection: duckdb.DuckDBPyConnection) -> None:
    frame = connection.execute("FROM people").df()
    policy = policy_of(COARSE, {}, K)
    release = apply_plan(make_plan(policy, frame), frame)
    assert set(release.to_pandas()["disease"].dropna()) == {"acute", "any"}


def test_nulls_and_uncovered_values_can_have_the_top_label(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    connection.execute("UPDATE people SET disease = 'plague' WHERE disease = 'cold'")
    more = {"nulls": "top", "uncovered": "top"}
    close = {"t_closeness": {"column": "disease", "t": 1, "distance": "hierarchical"}}
    policy = policy_of({**COARSE, **more}, {}, [*K, close])
    assert apply_plan(make_plan(policy, connection), connection).satisfied
    assert audit_table(policy, source=connection).satisfied
    found = connection.execute("SELECT zip, disease FROM released ORDER BY ALL").fetchall()
    assert found == [("a", "acute"), ("a", "any"), ("b", "*"), ("b", "*")]


def test_the_report_says_how_many_cells_are_coarser(connection: duckdb.DuckDBPyConnection) -> None:
    plan = make_plan(policy_of(COARSE, {}, K), connection)
    assert "disease is released at level 1, tree, level 1: 4 cells." in plan_text(plan)
    assert plan.to_dict()["coarse"] == {"disease": "tree, level 1"}
    release = apply_plan(plan, connection)
    assert "disease is released at level 1: 4 cells." in release_text(release)
    assert release.to_dict()["coarse"] == {"disease": 1}


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ({"role": "sensitive", "level": 1}, "level goes with a hierarchy; found none"),
        ({"role": "other", "level": 1}, "level goes with the role sensitive; found role other"),
        ({**COARSE, "role": "sensitive", "level": 0}, "must be at least 1"),
        ({**COARSE, "role": "sensitive", "level": 3}, "must be below the top, which is 3"),
        ({**COARSE, "role": "sensitive", "order": "numeric"}, "labels are ordered, not numbers"),
    ],
)
def test_a_level_that_cannot_be_is_refused(
    connection: duckdb.DuckDBPyConnection, column: dict[str, Any], message: str
) -> None:
    with pytest.raises(PolicyError, match=message):
        make_plan(policy_of(column, {}, K), connection)


def test_a_value_without_a_label_is_an_error_before_and_after_the_plan(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    policy = policy_of(COARSE, {}, K)
    plan = make_plan(policy, connection)
    connection.execute("INSERT INTO people VALUES ('a', 'plague', 5)")
    with pytest.raises(HierarchyError, match="1 distinct value") as refused:
        make_plan(policy, connection)
    assert "plague" not in str(refused.value)
    with pytest.raises(HierarchyError, match=r"columns\.disease\.hierarchy: 1 distinct value"):
        apply_plan(plan, connection)
    assert connection.execute("SELECT table_name FROM duckdb_tables()").fetchall() == [("people",)]


def test_a_list_that_changes_after_the_plan_makes_it_stale(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    lines = tmp_path / "ills.csv"
    lines.write_text("flu,x,*\ncold,x,*\nulcer,y,*\n")
    policy = policy_of({"hierarchy": {"csv": str(lines)}, "level": 1}, {}, K)
    plan = make_plan(policy, connection)
    lines.write_text("flu,y,*\ncold,x,*\nulcer,y,*\n")
    with pytest.raises(StalePlanError, match="hierarchy of disease"):
        apply_plan(plan, connection)
    view = policy_of(
        {"hierarchy": {"csv": str(lines)}, "level": 1}, {}, K, release={"view": "shown"}
    )
    with pytest.raises(UnsupportedError, match="is a list that may change"):
        apply_plan(make_plan(view, connection), connection)
