"""Checks of Mondrian: small tables whose cuts, and figures, were worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from datetime import date, time
from decimal import Decimal
from typing import Any

import pytest

from local_tables import Recoded, local_policy, quasi, recode, released_as_planned, table_of
from sqlgen import make_plan

FOUR = ["1", "2", "3", "4"]
NUMBERS: dict[str, Any] = {"role": "quasi", "hierarchy": {"intervals": [10]}}


def cut(labels: str, *given: Any, by: str = "width", **policy: Any) -> Recoded:
    """Rows that are cut, and shown by some labels."""
    return recode(*given, recoding={"mondrian": {"labels": labels, "cut": by}}, **policy)


def numbers_are_cut_where_that_gains_most() -> None:
    rows = [(age,) for age in (39, 21, 33, 25, 30, 36)]
    shown: dict[str, Any] = {
        "ladder": ({("[20, 30)",): 2, ("[30, 40)",): 4}, 14 / 30),
        "range": ({("[21, 30]",): 3, ("[33, 39]",): 3}, 2 / 5),
        "set": ({("{21, 25, 30}",): 3, ("{33, 36, 39}",): 3}, 2 / 5),
    }
    for labels, (expected, loss) in shown.items():
        recoded = cut(labels, rows, {"age": NUMBERS}, ("INTEGER",))
        assert recoded.rows == expected
        assert recoded.plan.metrics["loss"] == pytest.approx(loss)
    uneven = [(number,) for number in (1, 2, 2, 2, 2, 2, 30, 31)]
    recoded = cut("range", uneven, {"age": NUMBERS}, ("INTEGER",))
    assert recoded.rows == {("[1, 2]",): 6, ("[30, 31]",): 2}


def the_widest_column_is_cut_or_what_gains_most() -> None:
    rows = [("1", "1"), ("2", "2"), ("3", "1"), ("4", "2")]
    columns = {"a": quasi(FOUR), "b": quasi(["1", "2"])}
    by_width = cut("set", rows, columns)
    assert by_width.rows == {("{1, 2}", "{1, 2}"): 2, ("{3, 4}", "{1, 2}"): 2}
    by_gain = cut("set", rows, columns, by="objective")
    assert by_gain.rows == {("{1, 3}", "1"): 2, ("{2, 4}", "2"): 2}


def both_sides_give_every_guarantee() -> None:
    asked = [{"k_anonymity": {"k": 2}}, {"distinct_l_diversity": {"column": "d", "l": 2}}]
    columns = {"n": NUMBERS, "d": {"role": "sensitive"}}
    for diseases, expected in (("xyyx", {"[1, 2]", "[3, 4]"}), ("xxyy", {"[1, 4]"})):
        rows = list(enumerate(diseases, 1))
        found = cut("range", rows, columns, ("INTEGER", "VARCHAR"), guarantees=asked)
        assert {row[0] for row in found.rows} == expected


def null_and_names_are_told_apart() -> None:
    rows = [(None,), (3,), (12,), (15,)]
    shown = {("{NULL, 3}",): 2, ("{12, 15}",): 2}
    assert cut("set", rows, {"age": NUMBERS}, ("INTEGER",)).rows == shown
    texts = [("a, b",), ('"',), ("",), ("NULL",)]
    found = cut("set", texts, {"a": {"role": "quasi", "hierarchy": "suppress"}}, k=4)
    assert found.rows == {('{"", """", "NULL", "a, b"}',): 4}


def places_are_of_the_finest_level_that_is_allowed() -> None:
    halves = {"x": ["1", "2"], "y": ["3", "4"]}
    found = cut("set", [("1",), ("2",), ("3",), ("4",)], {"a": quasi(halves, levels=[1, 2])})
    assert found.rows == {("x",): 2, ("y",): 2}
    found = cut("set", [(None,), ("1",)], {"a": quasi(halves, levels=[3, 3])})
    assert found.rows == {("*",): 2}
    found = cut("set", [("1",), ("2",), ("4",)], {"a": quasi(halves, levels=[0, 1])}, suppression=1)
    assert found.rows == {("{1, 2}",): 2}


def averaged(
    labels: str,
    rows: Sequence[tuple[Any, ...]],
    columns: Mapping[str, Any],
    types: Sequence[str] = (),
    **policy: Any,
) -> Recoded:
    """Rows that are cut, and shown by means or medians, which an audit cannot read back."""
    asked = local_policy(columns, recoding={"mondrian": {"labels": labels}}, **policy)
    connection = table_of(rows, columns, types)
    plan = make_plan(asked, connection)
    assert plan.satisfied, plan.hindrance
    return released_as_planned(plan, connection, has_one_meaning=False)


def means_are_exact_and_rounded_to_even() -> None:
    for numbers, expected in (
        ((39, 21, 33, 25, 30, 36), {25: 3, 36: 3}),
        ((-3, -2, 10, 13), {-2: 2, 12: 2}),
        ((-2, -1, 8, 9), {-2: 2, 8: 2}),
        ((2**62, 2**62 + 2, -(2**62), -(2**62) + 2), {2**62 + 1: 2, -(2**62) + 1: 2}),
    ):
        column = {"role": "quasi", "hierarchy": "suppress"}
        found = averaged("mean", [(each,) for each in numbers], {"n": column}, ("BIGINT",))
        assert found.rows == {(each,): count for each, count in expected.items()}
    # A value counts as often as it is there.
    column = {"role": "quasi", "hierarchy": "suppress"}
    fours = [(1,)] + [(4,)] * 3
    assert averaged("mean", fours, {"n": column}, ("INTEGER",), k=4).rows == {(3,): 4}
    paid = [(Decimal(each),) for each in ("10.50", "-0.25", "9.00", "2.10", "0.00", "-0.07")]
    found = averaged("mean", paid, {"paid": NUMBERS}, ("DECIMAL(9,2)",), k=3)
    assert found.rows == {(Decimal("-0.11"),): 3, (Decimal("7.20"),): 3}
    days = [(date(2024, 2, day),) for day in (29, 1, 3, 28)]
    seen: dict[str, Any] = {"role": "quasi", "hierarchy": {"dates": ["month"]}}
    found = averaged("mean", days, {"seen": seen}, ("DATE",))
    assert found.rows == {(date(2024, 2, 2),): 2, (date(2024, 2, 29),): 2}


def medians_are_the_lower_of_two() -> None:
    rows = [(each,) for each in (1, 1, 1, 4, 90, 91, 92)]
    found = averaged("median", rows, {"n": NUMBERS}, ("INTEGER",))
    assert found.rows == {(1,): 4, (91,): 3}
    column = {"role": "quasi", "hierarchy": "suppress"}
    for labels in ("mean", "median"):
        halves = [(each,) for each in (0.1, 0.2, 0.30000000000000004, 5.0)]
        found = averaged(labels, halves, {"n": column}, ("DOUBLE",), k=4)
        assert found.rows == {(0.2,): 4}
        times = [(time(hour),) for hour in (3, 4, 8)]
        assert averaged(labels, times, {"n": column}, ("TIME",), k=3).rows == {(time(4),): 3}


def what_is_no_number_has_no_mean() -> None:
    column = {"role": "quasi", "hierarchy": "suppress"}
    unknown: Sequence[tuple[str, Any, Any]] = (
        ("INTEGER", None, 3),
        ("DOUBLE", math.nan, 3.0),
        ("DOUBLE", math.inf, 3.0),
        ("FLOAT", -math.inf, 3.0),
        ("DATE", "infinity", "2024-01-01"),
    )
    for labels in ("mean", "median"):
        for kind, strange, other in unknown:
            found = averaged(labels, [(strange,), (other,)], {"n": column}, (kind,))
            assert found.rows == {(None,): 2}
    found = averaged("mean", [(None,), (None,), (4,), (6,)], {"n": column}, ("INTEGER",))
    assert found.rows == {(None,): 2, (5,): 2}


def a_mean_stands_for_the_range_of_its_region() -> None:
    # Both regions have the mean 5: a reader sees one class of four rows, and a plan both ranges.
    rows = [("x", 4), ("x", 6), ("y", 0), ("y", 10)]
    columns = {"a": quasi(["x", "y"], levels=[0, 0]), "n": {**NUMBERS}}
    found = averaged("mean", rows, columns, ("VARCHAR", "INTEGER"))
    assert found.rows == {("x", 5): 2, ("y", 5): 2}
    assert found.plan.metrics["discernibility"] == 8
    # Of the four numbers, [4, 6] covers two, [0, 10] all: 1/3 and 1 of what is to be lost.
    assert found.plan.metrics["loss"] == pytest.approx((1 + 2 / 3) ** 0.5 - 1)
    # The first is within one label of the hierarchy, the second within none but all.
    assert found.plan.metrics["precision"] == pytest.approx((2 * 1 / 2 + 2 * 1) / 4 / 2)
    assert found.plan.metrics["ambiguity"] == pytest.approx((2 * 2 + 2 * 4) / 4)
    texts = [("1", 3), ("2", 3), ("3", 9), ("4", 9)]
    found = averaged("mean", texts, {"a": quasi(FOUR), "n": NUMBERS}, ("VARCHAR", "INTEGER"))
    assert found.rows == {("{1, 2}", 3): 2, ("{3, 4}", 9): 2}


def sides_are_cut_again() -> None:
    rows = [(number, letter) for number in range(1, 9) for letter in "ab"]
    columns = {"age": NUMBERS, "name": quasi(["a", "b"])}
    found = cut("range", rows, columns, ("INTEGER", "VARCHAR"))
    assert found.rows == {(f"[{n}, {n + 1}]", name): 2 for n in (1, 3, 5, 7) for name in "ab"}


def regions_are_kept_as_a_tree() -> None:
    rows = [(number,) for number in (1, 2, 3, 4, 11, 12)]
    shown: dict[str, list[tuple[Any, ...]]] = {
        "range": [
            (1, 3, True, "[1, 3]", None),
            (2, 3, True, "[4, 12]", None),
            (3, None, False, "*", None),
        ],
        "ladder": [
            (1, 5, True, "[10, 20)", "[11, 12]"),
            (2, 4, True, "[0, 10)", "[1, 2]"),
            (3, 4, True, "[0, 10)", "[3, 4]"),
            (4, 5, False, "[0, 10)", None),
            (5, None, False, "*", None),
        ],
    }
    columns = "number, parent, is_shown, labels[1], spans[1]"
    for labels, expected in shown.items():
        found = cut(labels, rows, {"age": NUMBERS}, ("INTEGER",), ledger="log").connection
        kept = found.execute(f"SELECT {columns} FROM log_regions ORDER BY number").fetchall()
        assert kept == expected


def sets_have_the_values_between_their_ends() -> None:
    rows = [*zip("xxyy", (1, 3, 2, 3), strict=True)]
    columns = {"name": quasi(["x", "y"]), "age": NUMBERS}
    found = cut("set", rows, columns, ("VARCHAR", "INTEGER"))
    assert found.rows == {("x", "{1, 3}"): 2, ("y", "{2, 3}"): 2}


def figures_are_of_released_rows_alone() -> None:
    rows = [("x", 4)] * 3 + [("x", 6)] + [("y", 0)] * 2 + [("z", 9)]
    columns = {"a": quasi(["x", "y", "z"], levels=[0, 0]), "n": NUMBERS}
    found = averaged("mean", rows, columns, ("VARCHAR", "INTEGER"), suppression=1)
    assert found.rows == {("x", 4): 4, ("y", 0): 2}
    # Of four numbers three are left: 4 rows cover two or three, 2 rows one, and the last all.
    covered = 4 * 2 + 2 * 1 + 4
    lost = (1 + (covered - 7) / (7 * 3)) * (1 + (4 + 2 + 3 - 7) / (7 * 2))
    assert found.plan.metrics["loss"] == pytest.approx(lost**0.5 - 1)


def queries_count_by_what_labels_name() -> None:
    rows = [(age,) for age in (39, 21, 33, 25, 30, 36)]
    asked = [{"age": "age >= 25"}, {"age": "age = 36"}]
    # [21, 30] names three values, and two of them are at least 25; so does the set.
    for labels in ("range", "set"):
        found = cut(labels, rows, {"age": NUMBERS}, ("INTEGER",), queries=asked)
        assert [each.estimate for each in found.plan.answers] == pytest.approx([5, 1])
    # {2, 4} names two of the three values of [2, 4], for 3 is in the other region.
    texts = [(a, b) for a, b in (("1", "1"), ("2", "2"), ("3", "1"), ("4", "2"))]
    columns = {"a": quasi(FOUR), "b": quasi(["1", "2"])}
    found = cut("set", texts, columns, by="objective", queries=[{"a": "a = '3'"}])
    assert [each.estimate for each in found.plan.answers] == pytest.approx([1])


CHECKS: Mapping[str, Callable[[], None]] = {
    "gains": numbers_are_cut_where_that_gains_most,
    "widest": the_widest_column_is_cut_or_what_gains_most,
    "values": both_sides_give_every_guarantee,
    "names": null_and_names_are_told_apart,
    "means": means_are_exact_and_rounded_to_even,
    "medians": medians_are_the_lower_of_two,
    "no number": what_is_no_number_has_no_mean,
    "stands for": a_mean_stands_for_the_range_of_its_region,
    "again": sides_are_cut_again,
    "tree": regions_are_kept_as_a_tree,
    "sets": sets_have_the_values_between_their_ends,
    "suppressed": figures_are_of_released_rows_alone,
    "queries": queries_count_by_what_labels_name,
    "places": places_are_of_the_finest_level_that_is_allowed,
}
