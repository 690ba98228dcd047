"""Checks of plans, releases, audits and hierarchies of small tables against the oracle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import date
from functools import cache, partial
from typing import Any

import duckdb
import pytest

import oracle
from listed_ladders import Listed, the_ladders_are_the_same
from lost import figures, released
from sqlgen import (
    HierarchyError,
    Policy,
    apply_plan,
    apply_sql,
    audit_table,
    check_table,
    make_plan,
    read_policy,
)
from strategies import Column, Table, load, make_table
from tables import LINES, listed, ruled

# The table, k and the budget: chosen so that columns end half way up their hierarchies.
CASES: dict[str, tuple[Callable[[], Table], int, int]] = {
    "rules, suppressing": (ruled, 2, 8),
    "rules, suppressing nothing": (ruled, 4, 0),
    "lists, from cells": (lambda: listed("sensitive"), 3, 21),
    "lists, from rows": (lambda: listed("other"), 3, 24),
}


def policy_of(table: Table, k: int, budget: int) -> Policy:
    columns: dict[str, Any] = {}
    for column in table.columns:
        columns[column.name] = {"role": column.role}
        if column.role == "quasi":
            lines = isinstance(column.hierarchy, dict) and "lines" in column.hierarchy
            columns[column.name] |= {
                "hierarchy": {"table": "lines"} if lines else column.hierarchy,
                "nulls": column.nulls,
                "uncovered": column.uncovered,
            }
    return read_policy(
        {
            "source": {"table": table.name},
            "columns": columns,
            "guarantees": [{"k_anonymity": {"k": 2}}, {"k_anonymity": {"k": k}}],
            "suppression": budget,
            "release": {"table": "released"},
        }
    )


def loaded(table: Table) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(config={"threads": 1})
    load(connection, table)
    store_lines(connection, LINES)
    return connection


def store_lines(connection: duckdb.DuckDBPyConnection, lines: list[list[str]]) -> None:
    fields = ", ".join(f"f{number} VARCHAR" for number in range(len(lines[0])))
    values = ", ".join(str(tuple(line)) for line in lines)
    connection.execute(f"CREATE OR REPLACE TABLE lines ({fields})")
    connection.execute(f"INSERT INTO lines VALUES {values}")


@cache
def expected(case: str) -> oracle.Optimum:
    made, k, budget = CASES[case]
    table = made()
    best = oracle.optimum(table.rows, table.ladders, k, budget)
    assert best is not None
    assert sum(best.node) > 0, "a case where nothing is generalized shows nothing"
    return best


def the_plan_and_its_release_are_the_oracles(case: str) -> None:
    made, k, budget = CASES[case]
    table, best = made(), expected(case)
    connection = loaded(table)
    plan = make_plan(policy_of(table, k, budget), connection)
    classes = oracle.classes(best.released, table.quasi)
    assert tuple(plan.levels_to("test").values()) == best.node
    assert plan.objective == pytest.approx(best.loss.value, abs=1e-12)
    assert plan.metrics == pytest.approx(figures(released(table, best.node, k)), abs=1e-8)
    assert (plan.suppressed_rows, plan.classes) == (best.suppressed, len(classes))
    assert [each.value for each in plan.guarantees] == [min(map(len, classes.values()))] * 2
    release = apply_plan(plan, connection)
    assert release.satisfied
    assert release.audit.classes == len(classes)
    rows = connection.execute("SELECT * FROM released").fetchall()
    kept = [column.name for column in table.columns if column.role != "identifier"]
    assert Counter(rows) == Counter(tuple(row[name] for name in kept) for row in best.released)
    assert rows == sorted(rows, key=lambda row: [(cell is not None, str(cell)) for cell in row])


def an_audit_counts_as_the_oracle_does() -> None:
    table = ruled()
    policy = policy_of(table, 3, 0)
    audit = audit_table(policy, "people", loaded(table))
    sizes = [len(rows) for rows in oracle.classes(table.rows, table.quasi).values()]
    assert (audit.rows, audit.classes) == (80, len(sizes))
    measured = audit.guarantees[1]
    assert measured.value == min(sizes)
    assert measured.failing_classes == sum(size < 3 for size in sizes)
    assert measured.failing_rows == sum(size for size in sizes if size < 3)


def bucket_of(size: int) -> str:
    buckets = {"1": 1, "2": 2, "3-4": 4, "5-9": 9, "10-19": 19, "20-49": 49}
    return next(words for words, most in buckets.items() if size <= most)


def a_check_counts_as_the_oracle_does() -> None:
    table = ruled()
    check = check_table(loaded(table), "people", quasi=["zip", "sex"], sensitive=["disease"], k=8)
    wanted = oracle.check(table.rows, ["zip", "sex"])
    assert (check.rows, check.classes, check.k) == (wanted.rows, wanted.classes, wanted.k)
    sizes = Counter(bucket for size, n in wanted.sizes.items() for bucket in [bucket_of(size)] * n)
    assert {each.words: each.classes for each in check.sizes} == sizes
    without = {name: (each.k, each.unique_rows) for name, each in check.without.items()}
    assert without == dict(wanted.without)
    assert check.rows_below_k == sum(n * count for n, count in wanted.sizes.items() if n < 8)
    whole = check_table(loaded(table), "people", quasi=table.quasi, sensitive=["disease"])
    assert whole.unique_rows == oracle.unique_rows(table.rows, table.quasi)
    same = [
        rows
        for rows in oracle.classes(table.rows, table.quasi).values()
        if len({row["disease"] for row in rows}) == 1
    ]
    found = whole.homogeneous["disease"]
    assert (found.classes, found.rows) == (len(same), sum(map(len, same)))


def values_that_look_different_are_different() -> None:
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE t AS SELECT CAST(['0.0', '-0.0'][1 + i % 2] AS DOUBLE) AS x, "
        "['a', 'A'][1 + i // 4] AS y FROM RANGE(8) AS t (i)"
    )
    connection.execute("ALTER TABLE t ALTER y TYPE VARCHAR COLLATE NOCASE")
    quasi = {"role": "quasi", "hierarchy": "suppress"}
    policy = read_policy(
        {
            "columns": {"x": quasi, "y": quasi},
            "guarantees": [{"k_anonymity": {"k": 3}}],
        }
    )
    assert audit_table(policy, "t", connection).classes == 4
    assert check_table(connection, "t", quasi=["y"]).classes == 2


def age_is_counted_in_complete_years() -> None:
    days = (date(2000, 2, 29), date(2000, 3, 1), date(2006, 2, 28), date(2006, 3, 1))
    connection = duckdb.connect()
    load(connection, make_table("t", [Column("born", "DATE", "quasi", days * 2)]))
    rule = {"dates": [{"age_band": 5, "at": "2026-02-28"}]}
    policy = read_policy(
        {
            "source": {"table": "t"},
            "columns": {"born": {"role": "quasi", "hierarchy": rule}},
            "guarantees": [{"k_anonymity": {"k": 3}}],
            "suppression": 4,
            "release": {"table": "released"},
        }
    )
    apply_plan(make_plan(policy, connection), connection)
    labels = [oracle.age_label(day, 5, date(2026, 2, 28)) for day in days * 2]
    kept = Counter(label for label in labels if labels.count(label) >= 3)
    found = connection.execute("SELECT born FROM released").fetchall()
    assert Counter(row[0] for row in found) == kept


WRONG_LINES = {
    "a level splits a finer one": [["nurse", "care", "x"], ["clerk", "care", "y"]],
    "a value stands twice": [
        ["nurse", "care", "x"],
        ["nurse", "desk", "x"],
        ["clerk", "desk", "x"],
    ],
    "a value is not there": [["nurse", "care", "x"], ["pilot", "travel", "y"]],
    "a label is not there": [["nurse", "care", "x"], ["clerk", "", "y"]],
}


def hierarchies_are_proved(wrong: str) -> None:
    jobs = Column("job", "VARCHAR", "quasi", ("nurse", "clerk") * 3, {"lines": LINES})
    table = make_table("workers", [jobs, Column("sex", "VARCHAR", "other", ("f", "m") * 3)])
    connection = loaded(table)
    store_lines(connection, [[*line, "*"] for line in WRONG_LINES[wrong]])
    with pytest.raises(HierarchyError):
        make_plan(policy_of(table, 2, 0), connection)
    close = {"column": "job", "t": 1, "distance": "hierarchical"}
    sensitive = {
        "source": {"table": "workers"},
        "columns": {
            "job": {"role": "sensitive", "hierarchy": {"table": "lines"}},
            "sex": {"role": "quasi", "hierarchy": "suppress"},
        },
        "guarantees": [{"t_closeness": close}],
    }
    with pytest.raises(HierarchyError):
        make_plan(read_policy(sensitive), connection)


def a_list_is_known_by_its_lines_whatever_their_order() -> None:
    table = listed("sensitive")
    connection = loaded(table)
    policy = policy_of(table, 4, 45)
    now = make_plan(policy, connection).fingerprints.hierarchies["job"]
    store_lines(connection, LINES[::-1])
    assert make_plan(policy, connection).fingerprints.hierarchies["job"] == now
    store_lines(connection, [*LINES, ["diver", "travel", "away"]])
    assert make_plan(policy, connection).fingerprints.hierarchies["job"] != now


# release_rows, class_count, masked_rows, figures of two guarantees, source_rows, values
# uncovered, values repeated, rows without a person, rows that had no sensitive value
AUDITS = {
    (72, 9, 0, 3, 0, 0, 3, 0, 0, 80, 0, 0, 0, 0): "",
    (80, 9, 0, 3, 0, 0, 3, 0, 0, 80, 0, 0, 0, 0): "",
    (71, 9, 0, 3, 0, 0, 3, 0, 0, 80, 0, 0, 0, 0): "more rows are suppressed",
    (73, 9, 1, 3, 0, 0, 3, 0, 0, 80, 0, 0, 0, 0): "",
    (73, 9, 2, 3, 0, 0, 3, 0, 0, 80, 0, 0, 0, 0): "more rows are suppressed",
    (72, 9, 5, 3, 0, 0, 3, 0, 0, 80, 0, 0, 0, 5): "",
    (72, 9, 5, 3, 0, 0, 3, 0, 0, 80, 0, 0, 0, 4): "more rows are suppressed",
    (81, 9, 0, 3, 0, 0, 3, 0, 0, 80, 0, 0, 0, 0): "rows that the source does not",
    (72, 9, 0, 2, 0, 0, 2, 1, 2, 80, 0, 0, 0, 0): "does not give",
    (72, 9, 0, 1, 1, 1, 3, 0, 0, 80, 0, 0, 0, 0): "does not give",
    (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0): "does not give",
    (72, 9, 0, 3, 0, 0, 3, 0, 0, 80, 1, 0, 0, 0): "outside a hierarchy",
    (72, 9, 0, 3, 0, 0, 3, 0, 0, 80, 0, 1, 0, 0): "twice in it",
    (72, 9, 0, 3, 0, 0, 3, 0, 0, 80, 0, 0, 5, 0): "could not be counted",
}


def the_gate_lets_through_what_keeps_the_policy() -> None:
    table = ruled()
    connection = loaded(table)
    statements = apply_sql(make_plan(policy_of(table, 2, 8), connection), connection)
    (gate,) = [each.text for each in statements if each.template == "releasing/gate"]
    for audit, stopped in AUDITS.items():
        figures = "release_rows, class_count, masked_rows, measured_1, failing_classes_1, "
        figures += "failing_rows_1, measured_2, failing_classes_2, failing_rows_2, source_rows, "
        figures += "uncovered_values, repeated_values, uncounted_rows, empty_rows"
        connection.execute(
            f"CREATE OR REPLACE TEMPORARY TABLE sqlgen_audit AS "
            f"SELECT * FROM (VALUES {audit}) AS audit ({figures})"
        )
        found = ""
        try:
            connection.execute(gate).fetchall()
        except duckdb.Error as error:
            found = str(error)
        assert stopped in found
        assert bool(stopped) == bool(found)


def a_value_that_is_new_to_a_hierarchy_stops_the_release() -> None:
    jobs = Column("job", "VARCHAR", "quasi", ("nurse", "clerk") * 4, {"lines": LINES})
    table = make_table("workers", [jobs])
    connection = loaded(table)
    plan = make_plan(policy_of(table, 2, 0), connection)
    assert apply_plan(plan, connection).satisfied
    connection.execute("INSERT INTO workers VALUES ('diver'), ('diver')")
    with pytest.raises(HierarchyError):
        apply_plan(plan, connection, replace=True)


def ladders_staged_at_once_are_those_staged_one_by_one() -> None:
    lines = (("a", "x", "*"), ("A", "X", "*"), ("A", "X", "*"), ("b", "X", "*"))
    cells = ("a", "A", None, "c")
    columns = [
        Listed(cells, lines, None, "value", "top"),
        Listed(cells, tuple((*line, "all") for line in lines), None, "top", "suppress"),
    ]
    the_ladders_are_the_same(columns, nocase=True)


# By name, as battery/edits/edits.yml says which of them notices an edit.
CHECKS: dict[str, Callable[[], None]] = {
    "gate": the_gate_lets_through_what_keeps_the_policy,
    **{wrong: partial(hierarchies_are_proved, wrong) for wrong in WRONG_LINES},
    **{case: partial(the_plan_and_its_release_are_the_oracles, case) for case in CASES},
    "new value": a_value_that_is_new_to_a_hierarchy_stops_the_release,
    "look-alikes": values_that_look_different_are_different,
    "age": age_is_counted_in_complete_years,
    "audit": an_audit_counts_as_the_oracle_does,
    "check": a_check_counts_as_the_oracle_does,
    "order of lines": a_list_is_known_by_its_lines_whatever_their_order,
    "ladders at once": ladders_staged_at_once_are_those_staged_one_by_one,
}
