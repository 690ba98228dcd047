"""Checks of microaggregation: small tables whose groups, and labels, were worked out by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from alike_tables import STAFF, alike_policy, group_pair, group_rows, paid, staff
from oracle_micro import least_squares, squares

QUASI = {"role": "quasi", "hierarchy": {"prefixes": [1]}}


def groups_have_the_least_squares() -> None:
    # 1 2 | 5 6 7 | 20 30 has 52.5; 1 2 | 5 6 | 7 20 30 has 267.7.
    rows = [("a1", 1), ("a2", 2), ("b1", 5), ("b2", 6), ("b3", 7), ("c1", 20), ("c2", 30)]
    found = group_rows(staff(rows[::-1]), alike_policy(2))
    assert found.classes == {("a*",): [1, 2], ("b*",): [5, 6, 7], ("c*",): [20, 30]}
    alike = found.plan.alikeness
    assert alike is not None
    assert (alike.count, alike.least_rows, alike.most_rows) == (3, 2, 3)
    total = squares([salary for _, salary in rows])
    assert alike.groups == pytest.approx(float(52.5 / total))
    assert (alike.classes, alike.floor) == pytest.approx((alike.groups, alike.groups))


def no_groups_have_less_than_the_first_and_the_last_of_all_rows_let_them() -> None:
    for salaries in ((1, 2, 5, 6, 7), (1, 2, 3, 8, 9)):
        alike = group_rows(staff(paid(salaries)), alike_policy(2)).plan.alikeness
        assert alike is not None
        assert alike.floor == pytest.approx(float(2.5 / squares(salaries)))


def values_that_are_no_numbers_stand_apart() -> None:
    numbers = [float("-inf"), float("-inf"), 1.5, 2.5, 7.0, 8.0, float("inf"), float("inf")]
    more = [float("nan"), float("nan"), None, None]
    rows = [
        (f"{name}{n % 2}", value)
        for n, (name, value) in enumerate(zip("aabbccddeeff", [*numbers, *more], strict=True))
    ]
    columns = {**STAFF, "zip": QUASI}
    found = group_rows(staff(rows, types=("VARCHAR", "DOUBLE")), alike_policy(2, columns=columns))
    assert {labels: len(values) for labels, values in found.classes.items()} == dict.fromkeys(
        [(f"{name}*",) for name in "abcdef"], 2
    )


def groups_that_fail_are_merged_with_what_is_like_them() -> None:
    asked = [{"k_anonymity": {"k": 2}}, {"distinct_l_diversity": {"column": "salary", "l": 2}}]
    rows = [("a1", 1), ("a2", 1), ("a3", 2), ("a4", 3), ("b1", 50), ("b2", 60)]
    found = group_rows(staff(rows), alike_policy(2, guarantees=asked))
    assert found.classes == {("a*",): [1, 1, 2, 3], ("b*",): [50, 60]}
    assert found.plan.steps == {"groups": 2, "merges": 1}
    # 20 is more like 30 than like 1.
    rows = [("a1", 1), ("a2", 2), ("b1", 20), ("b2", 20), ("b3", 30), ("b4", 31)]
    found = group_rows(staff(rows), alike_policy(2, guarantees=asked))
    assert found.classes == {("a*",): [1, 2], ("b*",): [20, 20, 30, 31]}


def too_few_that_are_no_numbers_join_their_neighbour() -> None:
    rows = [("a1", 1), ("a2", 2), ("b1", 8), ("b2", 9), ("b3", None)]
    found = group_rows(staff(rows), alike_policy(2))
    assert found.classes == {("a*",): [1, 2], ("b*",): [8, 9, None]}
    alike = found.plan.alikeness
    assert alike is not None
    # NULL is at no distance from 8 and 9, and adds no square.
    assert alike.groups == pytest.approx(float(1 / squares([1, 2, 8, 9])))


def labels_are_as_fine_as_a_group_shares_and_the_policy_allows() -> None:
    rows = [("111", 1), ("112", 2), ("121", 8), ("131", 9), ("211", 50), ("211", 60)]
    prefixes: Any = {"role": "quasi", "hierarchy": {"prefixes": [2, 1]}}
    shown = {("11*",): [1, 2], ("1**",): [8, 9], ("211",): [50, 60]}
    found = group_rows(staff(rows), alike_policy(2, columns={**STAFF, "zip": prefixes}))
    assert found.classes == shown
    columns = {**STAFF, "zip": {**prefixes, "levels": [1, 2]}}
    found = group_rows(staff(rows), alike_policy(2, columns=columns))
    assert found.classes == {("11*",): [1, 2], ("1**",): [8, 9], ("21*",): [50, 60]}
    # No label up to the first digit holds 9 and 50.
    rows = [("111", 1), ("112", 50), ("211", 2), ("212", 60)]
    columns = {**STAFF, "zip": {**prefixes, "levels": [0, 2]}}
    found = group_rows(staff(rows), alike_policy(2, columns=columns))
    assert found.classes == {("11*",): [1, 50], ("21*",): [2, 60]}


def rows_of_one_value_stand_in_the_order_of_labels() -> None:
    rows = [("11", 5), ("22", 5), ("12", 5), ("21", 5)]
    found = group_rows(staff(rows), alike_policy(2))
    assert found.classes == {("1*",): [5, 5], ("2*",): [5, 5]}


def rows_of_a_cell_may_be_in_several_groups() -> None:
    rows = [("11", 5, note) for note in "dcba"] + [("19", 9, "e"), ("29", 30, "f"), ("29", 31, "g")]
    columns = {"zip": STAFF["zip"], "salary": STAFF["salary"], "note": {"role": "other"}}
    connection = staff(rows, tuple(columns), ("VARCHAR", "INTEGER", "VARCHAR"))
    found = group_rows(connection, alike_policy(2, columns=columns))
    # 5 5 5 | 5 9 | 30 31 has 8.5, and 5 5 | 5 5 9 | 30 31 has 11.2.
    assert sorted(found.rows) == [
        *(("1*", 5, "d"), ("1*", 9, "e")),
        *(("11", 5, note) for note in "abc"),
        *(("29", 30, "f"), ("29", 31, "g")),
    ]


def blocks_leave_little_to_gain() -> None:
    salaries = [(n * n * 7919) % 100_003 for n in range(700)]
    for k in (2, 7):
        found = group_rows(
            staff(paid(salaries)),
            alike_policy(k, columns={**STAFF, "zip": {"role": "quasi", "hierarchy": "suppress"}}),
        )
        alike, total = found.plan.alikeness, squares(salaries)
        assert alike is not None
        assert alike.floor is not None
        least = float(least_squares(salaries, k) / total)
        assert alike.floor <= least * (1 + 1e-9)
        assert least <= alike.groups * (1 + 1e-9)
        assert alike.groups <= 1.02 * least
        assert k <= alike.least_rows <= alike.most_rows <= 2 * k - 1


def dates_and_decimals_have_distances() -> None:
    days = [
        ("a1", date(2024, 1, 1)),
        ("a2", date(2024, 1, 3)),
        ("b1", date(2024, 2, 28)),
        ("b2", date(2024, 3, 1)),
        ("b3", date(2024, 3, 2)),
    ]
    found = group_rows(staff(days, types=("VARCHAR", "DATE")), alike_policy(2))
    assert {labels: len(each) for labels, each in found.classes.items()} == {("a*",): 2, ("b*",): 3}
    paid_out = [
        (zip_code, Decimal(text))
        for zip_code, text in (("a1", "-0.05"), ("a2", "0.10"), ("b1", "0.90"), ("b2", "1.00"))
    ]
    found = group_rows(staff(paid_out, types=("VARCHAR", "DECIMAL(9,2)")), alike_policy(2))
    assert {labels: len(each) for labels, each in found.classes.items()} == {("a*",): 2, ("b*",): 2}
    alike = found.plan.alikeness
    assert alike is not None
    total = squares([-5, 10, 90, 100])
    assert alike.groups == pytest.approx(float((squares([-5, 10]) + squares([90, 100])) / total))


def two_tables_show_the_same_groups_and_hide_which_row_has_which_value() -> None:
    rows = [("11", 1), ("12", 2), ("21", 8), ("22", 9), ("23", 9), ("31", None), ("32", None)]
    asked = [{"k_anonymity": {"k": 2}}, {"distinct_l_diversity": {"column": "salary", "l": 1}}]
    found = group_pair(staff(rows[::-1]), alike_policy(shown="tables", guarantees=asked))
    assert found.keeps(rows)
    assert found.fits_together()
    assert found.numbers_are_dense()
    shown = [sorted(values.elements(), key=str) for values in found.groups.values()]
    assert sorted(shown, key=str) == [[1, 2], [8, 9, 9], [None, None]]
    # Each group of 2 has a 1: merging 1 1 with 1 1 helps nobody.
    asked = [{"k_anonymity": {"k": 2}}, {"distinct_l_diversity": {"column": "salary", "l": 2}}]
    rows = [("11", 1), ("12", 1), ("21", 5), ("22", 6), ("23", 60), ("31", 61)]
    found = group_pair(staff(rows), alike_policy(shown="tables", guarantees=asked))
    groups = sorted(sorted(values.elements()) for values in found.groups.values())
    assert groups == [[1, 1, 5, 6], [60, 61]]


def close_groups_have_a_row_of_each_stretch() -> None:
    order = {"role": "sensitive", "order": "numeric"}
    close = {"column": "salary", "t": "0.22", "distance": "ordered"}
    asked = [{"k_anonymity": {"k": 2}}, {"t_closeness": close}]
    # Two stretches, 1 to 4 and 5 to 8; of each one row, those with one label together.
    rows = [("1", 1), ("2", 2), ("1", 3), ("2", 4), ("2", 5), ("1", 6), ("1", 7), ("2", 8)]
    columns = {"zip": {"role": "quasi", "hierarchy": "suppress"}, "salary": order}
    found = group_rows(staff(rows), alike_policy(columns=columns, guarantees=asked))
    assert found.classes == {("1",): [1, 3, 6, 7], ("2",): [2, 4, 5, 8]}
    assert found.plan.steps == {"groups": 4}
    tables = alike_policy(shown="tables", columns=columns, guarantees=asked)
    pair = group_pair(staff(rows), tables)
    groups = sorted(sorted(values.elements()) for values in pair.groups.values())
    assert groups == [[1, 5], [2, 6], [3, 7], [4, 8]]
    # Groups of 2 are too far from the table: the smallest that are near enough are found.
    asked = [{"t_closeness": {**close, "t": "0.1"}}]
    found = group_rows(staff(rows), alike_policy(columns=columns, guarantees=asked))
    assert all(float(result.value) <= 0.1 for result in found.plan.guarantees)
    assert found.plan.steps["groups"] == 2


CHECKS: Mapping[str, Callable[[], None]] = {
    "squares": groups_have_the_least_squares,
    "floor": no_groups_have_less_than_the_first_and_the_last_of_all_rows_let_them,
    "no numbers": values_that_are_no_numbers_stand_apart,
    "merged": groups_that_fail_are_merged_with_what_is_like_them,
    "few": too_few_that_are_no_numbers_join_their_neighbour,
    "labels": labels_are_as_fine_as_a_group_shares_and_the_policy_allows,
    "one value": rows_of_one_value_stand_in_the_order_of_labels,
    "cells": rows_of_a_cell_may_be_in_several_groups,
    "blocks": blocks_leave_little_to_gain,
    "tables": two_tables_show_the_same_groups_and_hide_which_row_has_which_value,
    "dealt": close_groups_have_a_row_of_each_stretch,
    "types": dates_and_decimals_have_distances,
}
