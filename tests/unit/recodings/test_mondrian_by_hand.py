"""Mondrian over tables that are small enough to be cut by hand: places, cuts, and what is shown."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from local_tables import Recoded, local_policy, quasi, recode, table_of
from sqlgen import PolicyError, RefusedError, make_plan
from sqlgen.recodings import RECODINGS

LABELS = ("ladder", "range", "set")
HALVES = {"x": ["1", "2"], "y": ["3", "4"]}
AGES: dict[str, Any] = {"role": "quasi", "hierarchy": {"intervals": [10]}}


def cut(labels: str, *given: Any, by: str = "width", **policy: Any) -> Recoded:
    """Rows that are cut, and shown by some labels."""
    return recode(*given, recoding={"mondrian": {"labels": labels, "cut": by}}, **policy)


@pytest.mark.parametrize(
    ("labels", "expected", "loss"),
    [
        # A cut after 25 saves 2 rows 4 leaves of 6, and 4 rows 2: 16. After 30 it saves 3 rows 2.
        ("ladder", {("[20, 30)",): 2, ("[30, 40)",): 4}, 14 / 30),
        # A cut after 30 saves every row 3 of 6: 18. After 25 it saves 2 rows 4, and 4 rows 2.
        ("range", {("[21, 30]",): 3, ("[33, 39]",): 3}, 2 / 5),
        ("set", {("{21, 25, 30}",): 3, ("{33, 36, 39}",): 3}, 2 / 5),
    ],
)
def test_numbers_are_cut_in_their_order_where_that_gains_most(
    labels: str, expected: Any, loss: float
) -> None:
    rows = [(age,) for age in (39, 21, 33, 25, 30, 36)]
    recoded = cut(labels, rows, {"age": AGES}, ("INTEGER",))
    assert recoded.rows == expected
    assert recoded.plan.metrics["loss"] == pytest.approx(loss)


@pytest.mark.parametrize("labels", LABELS)
def test_a_value_that_is_alone_in_its_region_is_shown_as_it_is(labels: str) -> None:
    rows = [(7,)] * 2 + [(9,)] * 2 + [(None,)] * 2
    recoded = cut(labels, rows, {"age": AGES}, ("INTEGER",))
    assert recoded.rows == {(None,): 2, ("7",): 2, ("9",): 2}


def test_null_comes_first_in_a_range_and_in_a_set() -> None:
    rows: list[tuple[Any, ...]] = [(None,), (3,), (12,), (15,)]
    shown = {("[NULL, 3]",): 2, ("[12, 15]",): 2}
    assert cut("range", rows, {"age": AGES}, ("INTEGER",)).rows == shown
    shown = {("{NULL, 3}",): 2, ("{12, 15}",): 2}
    assert cut("set", rows, {"age": AGES}, ("INTEGER",)).rows == shown


def test_dates_and_decimals_are_shown_as_they_are_written() -> None:
    days = [(date(2024, 2, day),) for day in (29, 1, 3, 28)]
    column: dict[str, Any] = {"role": "quasi", "hierarchy": {"dates": ["month"]}}
    recoded = cut("range", days, {"seen": column}, ("DATE",))
    assert recoded.rows == {("[2024-02-01, 2024-02-03]",): 2, ("[2024-02-28, 2024-02-29]",): 2}
    rows = [(Decimal(each),) for each in ("10.50", "-0.25", "9.00", "2.10")]
    recoded = cut("set", rows, {"paid": AGES}, ("DECIMAL(9,2)",))
    assert recoded.rows == {("{-0.25, 2.10}",): 2, ("{9.00, 10.50}",): 2}


def test_text_stands_in_the_order_of_its_labels_and_is_never_a_range() -> None:
    tree = {"y": ["1", "4"], "x": ["2", "3"]}
    rows = [("1",), ("2",), ("3",), ("4",)]
    for labels in ("range", "set"):
        recoded = cut(labels, rows, {"a": quasi(tree)})
        assert recoded.rows == {("{2, 3}",): 2, ("{1, 4}",): 2}
    assert cut("ladder", rows, {"a": quasi(tree)}).rows == {("x",): 2, ("y",): 2}


def test_names_with_commas_and_quotes_are_quoted_in_a_set() -> None:
    rows = [("a, b",), ('say "hi"',), ("",), ("NULL",)]
    recoded = cut("set", rows, {"a": {"role": "quasi", "hierarchy": "suppress"}}, k=4)
    assert recoded.rows == {('{"", "NULL", "a, b", "say ""hi"""}',): 4}


def test_a_set_of_more_than_a_hundred_values_is_a_range() -> None:
    rows = [(number,) for number in range(101)]
    assert cut("set", rows, {"age": AGES}, ("INTEGER",), k=101).rows == {("[0, 100]",): 101}
    recoded = cut("set", rows[:100], {"age": AGES}, ("INTEGER",), k=100)
    (shown,) = recoded.rows
    assert shown[0].startswith("{0, 1, 2, ")
    words = [(f"{number:03}",) for number in range(101)]
    column: dict[str, Any] = {"role": "quasi", "hierarchy": "suppress"}
    assert cut("set", words, {"a": column}, k=101).rows == {("[000, 100]",): 101}


@pytest.mark.parametrize("labels", LABELS)
def test_a_column_with_a_finest_level_shows_labels_of_the_ladder(labels: str) -> None:
    rows = [("1",), ("2",), ("3",), ("4",)]
    recoded = cut(labels, rows, {"a": quasi(HALVES, levels=[1, 2])})
    assert recoded.rows == {("x",): 2, ("y",): 2}
    # NULL reads as other values do where it has their label.
    recoded = cut(labels, [(None,), ("1",)], {"a": quasi(HALVES, levels=[3, 3])})
    assert recoded.rows == {("*",): 2}


@pytest.mark.parametrize("labels", LABELS)
def test_what_no_label_can_bring_together_is_apart_from_the_start(labels: str) -> None:
    rows = [("1",), ("2",), ("4",)]
    recoded = cut(labels, rows, {"a": quasi(HALVES, levels=[0, 1])}, suppression=1)
    assert recoded.rows == {("x" if labels == "ladder" else "{1, 2}",): 2}
    assert recoded.plan.suppressed_rows == 1
    columns: dict[str, Any] = {"n": {**AGES, "levels": [0, 0]}, "a": quasi(HALVES)}
    pairs = [(3, "1"), (3, "3"), (5, "1"), (5, "1")]
    recoded = cut(labels, pairs, columns, ("INTEGER", "VARCHAR"))
    assert {(number, count) for (number, _), count in recoded.rows.items()} == {(3, 2), (5, 2)}


def test_the_widest_column_is_cut_or_the_one_that_gains_most() -> None:
    # All of a and of b is there, so that both are as wide: a comes first. A cut of b leaves ones.
    rows = [("1", "1"), ("2", "1"), ("3", "2"), ("4", "2")]
    columns = {"a": quasi(["1", "2", "3", "4"]), "b": quasi(["1", "2"])}
    assert cut("set", rows, columns).rows == {("{1, 2}", "1"): 2, ("{3, 4}", "2"): 2}
    rows = [("1", "1"), ("2", "2"), ("3", "1"), ("4", "2")]
    assert cut("set", rows, columns).rows == {("{1, 2}", "{1, 2}"): 2, ("{3, 4}", "{1, 2}"): 2}
    # Four rows cover two leaves less of the three to lose in a, one less of the one in b.
    by_gain = cut("set", rows, columns, by="objective")
    assert by_gain.rows == {("{1, 3}", "1"): 2, ("{2, 4}", "2"): 2}


def test_both_sides_give_every_guarantee() -> None:
    sensitive = {"role": "sensitive"}
    two = [{"k_anonymity": {"k": 2}}, {"distinct_l_diversity": {"column": "disease", "l": 2}}]
    columns = {"n": AGES, "disease": sensitive}
    for diseases, expected in (
        (("flu", "gout", "gout", "flu"), {"[1, 2]", "[3, 4]"}),
        # By size the first two could be apart from the others, but they have one disease.
        (("flu", "flu", "gout", "gout"), {"[1, 4]"}),
        # Most is gained after 2, and it is as near the median as any: no other place is tried.
        (("flu", "flu", "gout", "flu", "gout"), {"[1, 5]"}),
    ):
        rows = list(enumerate(diseases, 1))
        recoded = cut("range", rows, columns, ("INTEGER", "VARCHAR"), guarantees=two)
        assert {row[0] for row in recoded.rows} == expected


@pytest.mark.parametrize("labels", LABELS)
def test_a_lock_is_read_as_it_was_written(labels: str) -> None:
    rows = [("1", 1)] * 3 + [("2", 5), ("3", 7), ("4", 9)]
    recoded = cut(labels, rows, {"a": quasi(HALVES), "n": AGES}, ("VARCHAR", "INTEGER"))
    decision = recoded.plan.decision
    content = json.loads(json.dumps(decision.to_lock()))
    assert RECODINGS["mondrian"].from_lock(content) == decision
    assert json.dumps(content, sort_keys=True) == json.dumps(decision.to_lock(), sort_keys=True)


BROKEN: dict[str, Callable[[dict[str, Any]], object]] = {
    "rounds below 0": lambda lock: lock.update(rounds=-1),
    "too many rounds": lambda lock: lock.update(rounds=513),
    "rounds that are text": lambda lock: lock.update(rounds="2"),
    "rounds that are true": lambda lock: lock.update(rounds=True),
    "another order": lambda lock: lock.update(by="depth"),
    "another gain": lambda lock: lock.update(gain="saved"),
    "no gain": lambda lock: lock.pop("gain"),
    "another label": lambda lock: lock["columns"][0].update(shows="mode"),
    "a mean without digits": lambda lock: lock["columns"][0].update(shows="mean"),
    "a mean of less than no digit": lambda lock: lock["columns"][0].update(shows="mean", scale=-1),
    "a list of labels": lambda lock: lock["columns"][0].update(shows=["set"]),
    "an order that is a number": lambda lock: lock["columns"][0].update(is_ordered=1),
    "a weight below 0": lambda lock: lock["columns"][0].update(weight=-1),
    "a weight that is none": lambda lock: lock["columns"][0].update(weight=None),
    "one level": lambda lock: lock["columns"][0].update(levels=[1]),
    "a name that is a number": lambda lock: lock["columns"][0].update(name=1),
    "no fingerprint": lambda lock: lock.pop("region_fingerprint"),
}


@pytest.mark.parametrize("change", BROKEN.values(), ids=BROKEN)
def test_a_broken_lock_is_refused(change: Callable[[dict[str, Any]], object]) -> None:
    lock = cut("set", [("1",), ("2",), ("3",)], {"a": quasi(HALVES)}).plan.decision.to_lock()
    change(lock)
    with pytest.raises((ValueError, TypeError, KeyError)):
        RECODINGS["mondrian"].from_lock(lock)


def test_a_view_and_guarantees_that_judge_no_single_class_are_refused() -> None:
    columns = {"a": quasi(HALVES)}
    with pytest.raises(PolicyError, match=r"release\.view: a view cannot be recoded by mondrian"):
        local_policy(columns, recoding="mondrian", release={"view": "shown"})
    mapped = [{"k_map": {"k": 2, "population": {"table": "t"}}}]
    with pytest.raises((PolicyError, RefusedError), match="people are matched with classes"):
        make_plan(
            local_policy(columns, recoding="mondrian", guarantees=mapped),
            table_of([("1",), ("2",)], columns),
        )


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        (
            {"mondrian": {"labels": "mode"}},
            "labels must be one of ladder, range, set, mean, median",
        ),
        ({"mondrian": {"suppress": True}}, "mondrian takes labels, cut; found suppress"),
        ({"local": {"labels": "set"}}, "local takes suppress; found labels"),
        ({"mondrian": {"cut": "median"}}, "cut must be one of width, objective"),
    ],
)
def test_options_of_other_recodings_are_refused(written: Any, reason: str) -> None:
    with pytest.raises(PolicyError, match=reason):
        local_policy({"a": quasi(HALVES)}, recoding=written)
