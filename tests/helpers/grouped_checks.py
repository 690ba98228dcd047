"""Checks of releases in groups: small tables whose groups, and pairs, were worked out by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import duckdb
import pytest

from grouped_tables import WARD, Grouped, distinct, grouped_policy, patients, release_groups, ward
from oracle_anatomy import PairOfTables, by_count, dealt
from sqlgen import EngineError, Policy, PolicyError, audit_table, make_plan


def as_text(value: str) -> tuple[object, ...]:
    return (value,)


def held(connection: duckdb.DuckDBPyConnection, policy: Policy) -> Grouped:
    """A release, whose tables fit together."""
    try:
        return release_groups(connection, policy, replace=True)
    except EngineError as error:
        if "two tables" in str(error):
            pytest.fail(str(error))
        raise


def dealt_out(rows: Sequence[tuple[Any, ...]], size: int, policy: Policy) -> None:
    """Release rows in groups of so many: the release is the oracle's, and as it was planned."""
    connection = ward(rows)
    grouped = held(connection, policy)
    pair = grouped.pair
    assert pair.fits_together()
    assert pair.keeps([row[1:] for row in rows])
    assert pair.histograms == dealt(by_count([row[-1] for row in rows], as_text), len(rows) // size)
    assert pair.numbers_are_dense()
    assert list(pair.rows) == sorted(pair.rows)
    assert list(pair.values) == sorted(pair.values)
    audit = audit_table(policy, source=connection)
    assert audit.classes == grouped.plan.classes
    planned = [result.value for result in grouped.plan.guarantees]
    assert planned == pytest.approx([result.value for result in audit.guarantees])
    assert audit.metrics == pytest.approx(grouped.plan.to_dict()["metrics"])


def many_alike(counts: Mapping[str, int]) -> list[tuple[Any, ...]]:
    """Rows of which many are equal, each disease so often."""
    diseases = [disease for disease, count in counts.items() for _ in range(count)]
    return [("n", "z", i // 13, 0, disease) for i, disease in enumerate(diseases)]


def rows_are_dealt_out_in_the_order_of_their_values() -> None:
    dealt_out(patients(23, ("flu", "flu", "cold", "ulcer", "hiv")), 2, grouped_policy(distinct(2)))
    rows = many_alike({"a": 3, "b": 2, "c": 7, "d": 11})
    dealt_out(rows, 2, grouped_policy(distinct(2)))
    for k in (5, 6):
        dealt_out(rows, k, grouped_policy({"k_anonymity": {"k": k}}, distinct(2)))
    few = many_alike({"a": 14, "b": 14})
    dealt_out(few, 5, grouped_policy({"k_anonymity": {"k": 5}}, distinct(2)))


def all_rows_are_one_group_where_nothing_else_passes() -> None:
    close = {"t_closeness": {"column": "disease", "t": "0", "distance": "equal"}}
    rows = patients(7, ("flu", "cold", "cold"))
    assert held(ward(rows), grouped_policy(close)).pair.sizes == {1: 7}


def a_value_with_many_rows_makes_groups_larger() -> None:
    for most, groups in ((6, 6), (7, 4), (9, 3), (11, 1)):
        rows = [(f"n{i}", "z", i, 0, "flu" if i < most else f"d{i}") for i in range(12)]
        plan = make_plan(grouped_policy(distinct(2)), ward(rows))
        assert (plan.classes, plan.measured_nodes) == (groups, 1)
    rows = [(f"n{i}", "z", i, 0, ("flu", "flu", "flu", "cold", "ulcer")[i % 5]) for i in range(30)]
    assert make_plan(grouped_policy(distinct(3)), ward(rows)).classes == 6


def ordered_values_are_dealt_out_in_their_order() -> None:
    rows = [("n", "z", i, 0, value) for i, value in enumerate([1, 1, 2, 3, 3, 3, 4, 5])]
    columns = {**WARD, "disease": {"role": "sensitive", "order": "numeric"}}
    close = {"t_closeness": {"column": "disease", "t": "0.2", "distance": "ordered"}}
    types = ("VARCHAR", "VARCHAR", "INTEGER", "INTEGER", "INTEGER")
    policy = grouped_policy({"k_anonymity": {"k": 4}}, close, columns=columns)
    pair = release_groups(ward(rows, tuple(WARD), types), policy).pair
    assert pair.histograms == dealt([1, 1, 2, 3, 3, 3, 4, 5], 2)


def the_order_of_rows_and_an_identifier_decide_what_they_should() -> None:
    rows = patients(40)
    first = held(ward(rows), grouped_policy(distinct(2))).pair
    turned = held(ward(rows[::-1]), grouped_policy(distinct(2))).pair
    assert (turned.rows, turned.values) == (first.rows, first.values)
    for name in ("someone", None):
        other = held(ward([(name, *rows[0][1:]), *rows[1:]]), grouped_policy(distinct(2))).pair
        assert together(other) != together(first)
    one_of_each = [("n", "z", i, 0, "flu" if i < 20 else "cold") for i in range(40)]
    renamed = [("m", *one_of_each[0][1:]), *one_of_each[1:]]
    values = [
        [value for _, value, _ in held(ward(each), grouped_policy(distinct(2))).pair.values]
        for each in (one_of_each, renamed)
    ]
    assert values[0] == values[1] == ["cold", "flu"] * 20
    uneven = patients(30, ("a", "b", "c"))
    numbered = [
        held(ward(each), grouped_policy(distinct(2))).pair.groups
        for each in (uneven, [("other", *uneven[0][1:]), *uneven[1:]])
    ]
    assert numbered[0] != numbered[1]


def together(pair: PairOfTables) -> set[frozenset[tuple[Any, ...]]]:
    """Who is in a group with whom, whatever the groups are called."""
    groups: dict[Any, list[tuple[Any, ...]]] = {}
    for row in pair.rows:
        groups.setdefault(row[-1], []).append(row[:-1])
    return {frozenset(Counter(rows).items()) for rows in groups.values()}


def zeros_of_both_signs_stay_what_they_are() -> None:
    rows = [("n", "z", i, 0, (0.0, -0.0, 1.5)[i % 3]) for i in range(12)]
    types = ("VARCHAR", "VARCHAR", "INTEGER", "INTEGER", "DOUBLE")
    connection = ward(rows, tuple(WARD), types)
    release_groups(connection, grouped_policy({"k_anonymity": {"k": 3}}, distinct(1)))
    counted = connection.execute(
        "SELECT CAST(disease AS VARCHAR), SUM(row_count) FROM released_sensitive GROUP BY 1"
    ).fetchall()
    assert dict(counted) == {"0.0": 4, "-0.0": 4, "1.5": 4}


def tables_that_differ_are_told() -> None:
    for change in (
        "UPDATE released_sensitive SET row_count = 2 WHERE group_id = 1",
        "DELETE FROM released WHERE group_id = 1",
        "DELETE FROM released_sensitive WHERE group_id = 1",
        "INSERT INTO released_sensitive VALUES (1, 'hiv', 0)",
    ):
        connection = ward(patients(12))
        policy = grouped_policy(distinct(2))
        held(connection, policy)
        assert audit_table(policy, source=connection).satisfied
        connection.execute(change)
        with pytest.raises(PolicyError, match="1 group"):
            audit_table(policy, source=connection)


def numbers_are_those_that_are_written() -> None:
    connection = ward(patients(12))
    policy = grouped_policy(distinct(2))
    held(connection, policy)
    connection.execute("ALTER TABLE released ALTER group_id TYPE VARCHAR")
    assert audit_table(policy, source=connection).satisfied
    connection.execute("UPDATE released SET group_id = '01' WHERE group_id = '1'")
    with pytest.raises(PolicyError, match=r"not like 01 or 1\.0; found 2 rows"):
        audit_table(policy, source=connection)


def groups_add_up_to_what_is_lost() -> None:
    connection = ward(patients(13))
    policy = grouped_policy(distinct(3))
    plan = release_groups(connection, policy).plan
    audit = audit_table(policy, source=connection)
    assert (audit.metrics["discernibility"], audit.metrics["average_class_size"]) == (43, 3.25)
    assert audit.metrics == pytest.approx(plan.to_dict()["metrics"])


def equal_rows_stand_apart() -> None:
    """The rows of a value that every group has go to groups in no order of their columns."""
    alike = [(f"{v} {i}", "z", i // 30, 0, v) for v in ("flu", "cold") for i in range(150)]
    single = [(f"{v} {i}", "z", i, 0, v) for v in ("flu", "cold") for i in range(150)]
    pairs = {"alike": alike, "single": single}
    same = {}
    for name, rows in pairs.items():
        groups: dict[Any, set[int]] = {}
        for row in held(ward(rows), grouped_policy(distinct(2))).pair.rows:
            groups.setdefault(row[-1], set()).add(row[1])
        same[name] = sum(len(ages) == 1 for ages in groups.values())
    # By chance 1 of 150 pairs of single rows, and 30 of the 150 whose ages are of five.
    assert same["single"] < 10
    assert 10 < same["alike"] < 60


def numbers_of_groups_say_nothing_of_their_values() -> None:
    """The groups of the rarer of two values stand anywhere among the numbers, not in a row."""
    scattered = 0
    for salt in range(6):
        rows = [
            (f"{salt} {i}", "z", i, 0, "flu" if i < 60 else f"rare {i % 2}") for i in range(120)
        ]
        groups = held(ward(rows), grouped_policy(distinct(2))).pair.groups
        has_rarer = ["rare 1" in groups[number] for number in range(1, 61)]
        changes = sum(one != other for one, other in pairwise([*has_rarer, has_rarer[0]]))
        scattered += changes > 2
    # By chance the factor of a few groups is 1, or one less than they are.
    assert scattered > 2


def every_row_makes_the_key_where_cells_are_all_there_is() -> None:
    """Two tables that differ in who has which value of two rows have other groups of all rows."""
    columns = {name: column for name, column in WARD.items() if name != "name"}
    types = ("VARCHAR", "INTEGER", "INTEGER", "VARCHAR")
    rows = [("z", i, 0, "ab"[i // 40]) for i in range(80)]
    other = [("z", 0, 0, "b"), *rows[1:-1], ("z", 79, 0, "a")]
    seen = []
    for each in (rows, rows[::-1], other):
        connection = ward(each, tuple(columns), types)
        seen.append(held(connection, grouped_policy(distinct(2), columns=columns)).pair)
    assert (seen[0].rows, seen[0].values) == (seen[1].rows, seen[1].values)
    groups: list[dict[Any, Any]] = [dict(row[1::2] for row in pair.rows) for pair in seen]
    same = sum(groups[0][age] == groups[2][age] for age in range(1, 79))
    assert same < 20


def a_group_counts_the_values_that_its_rows_have() -> None:
    """What the second table says of a group is what the source says of the group's rows."""
    values = ("a", "a", "b", "c", "d", None)
    rows = [(f"n{i}", "z", i, 0, values[i * i % 6]) for i in range(97)]
    pair = held(ward(rows), grouped_policy(distinct(2))).pair
    held_values: dict[Any, Counter[Any]] = {}
    for row in pair.rows:
        held_values.setdefault(row[-1], Counter())[rows[row[1]][-1]] += 1
    assert held_values == pair.groups


def a_null_is_dealt_out_like_any_value() -> None:
    rows = patients(24, ("flu", None, "cold"))
    pair = held(ward(rows), grouped_policy(distinct(3))).pair
    assert pair.keeps([row[1:] for row in rows])


CHECKS: Mapping[str, Callable[[], None]] = {
    "dealt": rows_are_dealt_out_in_the_order_of_their_values,
    "one": all_rows_are_one_group_where_nothing_else_passes,
    "eligible": a_value_with_many_rows_makes_groups_larger,
    "ordered": ordered_values_are_dealt_out_in_their_order,
    "key": the_order_of_rows_and_an_identifier_decide_what_they_should,
    "attacked": equal_rows_stand_apart,
    "numbers": numbers_of_groups_say_nothing_of_their_values,
    "key of cells": every_row_makes_the_key_where_cells_are_all_there_is,
    "true": a_group_counts_the_values_that_its_rows_have,
    "nulls": a_null_is_dealt_out_like_any_value,
    "zeros": zeros_of_both_signs_stay_what_they_are,
    "differ": tables_that_differ_are_told,
    "written": numbers_are_those_that_are_written,
    "sums": groups_add_up_to_what_is_lost,
}
