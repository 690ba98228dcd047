"""Checks of Mondrian: small tables whose cuts, and figures, were worked out by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from local_tables import Recoded, quasi, recode

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


CHECKS: Mapping[str, Callable[[], None]] = {
    "gains": numbers_are_cut_where_that_gains_most,
    "widest": the_widest_column_is_cut_or_what_gains_most,
    "values": both_sides_give_every_guarantee,
    "names": null_and_names_are_told_apart,
    "places": places_are_of_the_finest_level_that_is_allowed,
}
