"""Checks of local recoding: small tables whose regions, and figures, were worked out by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from local_tables import (
    Recoded,
    in_one_layer,
    local_policy,
    plan_by_layers,
    quasi,
    recode,
    released_as_planned,
    table_of,
)

FOUR = ["1", "2", "3", "4"]
HALVES = {"x": ["1", "2"], "y": ["3", "4"]}


def refined(*given: Any, **policy: Any) -> Recoded:
    """A table that one layer releases whole, so that refinement alone tells its classes apart."""
    with pytest.MonkeyPatch.context() as patch:
        in_one_layer(patch)
        return recode(*given, **policy)


def layers_release_what_passes_and_no_more() -> None:
    rows = [("1",)] * 3 + [("2",), ("3",), ("4",)]
    recoded = recode(rows, {"a": quasi(HALVES)})
    assert recoded.rows == {("1",): 3, ("all",): 3}
    assert recoded.steps.layers == ((0,), (2,))
    assert recoded.plan.metrics["loss"] == pytest.approx(0.5)
    assert [*recoded.plan.level_rows["a"]][:3] == [3, 0, 3]
    rows = [("1",), ("3",), ("3",), ("4",), ("4",), ("4",)]
    recoded = recode(rows, {"a": quasi(HALVES, levels=[0, 1])}, suppression=1)
    assert recoded.rows == {("3",): 2, ("4",): 3}
    assert recoded.plan.suppressed_rows == 1


def what_can_never_be_released_is_left_out() -> None:
    rows = [(None,), ("9",), ("9",), *[("1",)] * 3, ("2",), ("3",), ("4",)]
    columns = {"a": quasi(HALVES, nulls="suppress", uncovered="suppress")}
    recoded = recode(rows, columns, suppression=3)
    assert recoded.rows == {("1",): 3, ("all",): 3}
    rows = [(None,), (None,), *[("1",)] * 2, ("2",), ("3",)]
    recoded = recode(rows, {"a": {"role": "quasi", "hierarchy": "suppress"}})
    assert recoded.rows == {(None,): 2, ("1",): 2, ("*",): 2}
    assert recoded.connection.execute("FROM released").fetchall()[0] == (None,)


def regions_take_the_column_that_gains_most() -> None:
    rows = [
        *[("1", "1"), ("1", "2"), ("1", "3"), ("2", "1"), ("3", "2")],
        *[("2", "4"), ("3", "4"), ("4", "5"), ("4", "5")],
    ]
    below = {"u": ["1", "2", "3"], "v": ["4"], "w": ["5"]}
    columns = {"a": quasi(FOUR), "b": quasi(below)}
    by_a = {("1", "u"): 3, ("all", "all"): 6}
    by_b = {("all", "u"): 5, ("all", "all"): 4}
    expected: dict[Any, Any] = {"loss": by_a, "height": by_b, "discernibility": by_b}
    expected |= {"precision": by_b, "non_uniform_entropy": by_a, "average_class_size": by_a}
    for objective, released in expected.items():
        assert refined(rows, columns, k=3, objective=objective).rows == released, objective
    wide = {**below, "w": ["5", "6", "7", "8", "9", "10"]}
    assert refined(rows, {"a": quasi(FOUR), "b": quasi(wide)}, k=3).rows == by_b
    weighted = {"non_uniform_entropy": {"weights": {"b": "1.4"}}}
    assert refined(rows, columns, k=3, objective=weighted).rows == by_b
    rows = [("1", "1"), ("1", "2"), ("2", "1"), ("3", "3")]
    columns = {"a": quasi(["1", "2", "3"]), "b": quasi(["1", "2", "3"])}
    assert refined(rows, columns).rows == {("1", "all"): 2, ("all", "all"): 2}


def a_row_gains_what_its_label_covered_more() -> None:
    """In a the label above covers three leaves of five, in b all four."""
    rows = [("1", "1"), ("1", "2"), ("1", "3"), ("2", "1"), ("5", "4")]
    columns = {"a": quasi({"x": ["1", "2", "5"], "y": ["3", "4"]}), "b": quasi(FOUR)}
    assert refined(rows, columns).rows == {("x", "1"): 2, ("x", "all"): 3}


def rows_that_are_left_out_hide_nobody() -> None:
    """One of the two rows where b is 1 is never released, so that the other is alone there."""
    rows = [(None, "1"), ("1", "1"), ("2", "2"), ("3", "2"), ("4", "3"), ("1", "4")]
    columns = {
        "a": {"role": "quasi", "hierarchy": "suppress", "nulls": "suppress"},
        "b": quasi(FOUR),
    }
    recoded = recode(rows, columns, suppression=1, objective={"loss": {"weights": {"b": 5}}})
    assert recoded.rows == {("*", "2"): 2, ("*", "all"): 3}


def what_passes_of_a_region_is_told_apart_and_the_rest_stays() -> None:
    assert refined([("1",)] * 2 + [("2",)], {"a": quasi(FOUR)}).rows == {("all",): 3}
    rows = [("1", "1"), ("1", "2"), ("2", "3"), ("3", "3"), ("4", "1"), ("5", "4")]
    columns = {"a": quasi([*FOUR, "5"]), "b": quasi(FOUR)}
    recoded = refined(rows, columns, objective={"loss": {"weights": {"a": 9}}})
    assert recoded.rows == {("1", "all"): 2, ("all", "3"): 2, ("all", "all"): 2}
    assert recoded.plan.level_rows["b"][:2] == [2, 4]
    alone = [("1",)] * 2 + [("2",)] * 2 + [("3",), ("4",)]
    recoded = refined(alone, {"a": quasi(HALVES)})
    assert recoded.rows == {("1",): 2, ("2",): 2, ("y",): 2}
    floor = refined(alone, {"a": quasi(HALVES, levels=[1, 3])})
    assert floor.rows == {("x",): 4, ("y",): 2}


def regions_of_several_layers_are_refined_each_by_itself() -> None:
    """Pairs by value; a pair in one half of b; then the rest, by halves of both."""
    rows = [
        *[("1", "1"), ("1", "1"), ("2", "2"), ("2", "2"), ("3", "1"), ("3", "2")],
        *[("4", "3"), ("1", "3"), ("2", "4"), ("3", "4")],
    ]
    columns = {"a": quasi(HALVES), "b": quasi(HALVES)}
    recoded = recode(rows, columns)
    expected = {("1", "1"): 2, ("2", "2"): 2, ("3", "x"): 2, ("x", "y"): 2, ("y", "y"): 2}
    assert recoded.rows == expected
    assert recoded.steps.layers == ((0, 0), (0, 1), (1, 1))


def labels_of(recoded: Recoded) -> Counter[str]:
    """How many rows have each label of the first column."""
    return Counter(row[0] for row in recoded.rows.elements())


def regions_give_guarantees_about_values() -> None:
    sensitive = {"role": "sensitive"}
    columns = {"a": quasi(HALVES), "disease": sensitive}
    two = [{"k_anonymity": {"k": 2}}, {"distinct_l_diversity": {"column": "disease", "l": 2}}]
    rows = [("1", "flu"), ("1", "flu"), ("2", "flu"), ("2", "gout"), ("3", "flu"), ("3", "gout")]
    recoded = recode(rows, columns, guarantees=two)
    # By values 2 and 3 pass, but the two of 1 have one disease, and nobody to hide among.
    assert labels_of(recoded) == {"x": 4, "3": 2}
    assert labels_of(refined(rows, columns, guarantees=two)) == {"x": 4, "3": 2}
    close = {"t_closeness": {"column": "disease", "t": "0.2", "distance": "equal"}}
    rows = [("1", "flu"), ("1", "gout"), ("2", "flu"), ("2", "flu"), ("3", "gout"), ("3", "gout")]
    recoded = recode(rows, columns, guarantees=[close])
    # Half of all rows have the flu: of 2 all do, of 3 none, and together they are like the table.
    assert labels_of(recoded) == {"1": 2, "all": 4}
    # By halves what is left is all flu or all gout: that releases nothing, and is no layer.
    assert recoded.steps.layers == ((0,), (2,))


def a_label_of_two_levels_is_one_label() -> None:
    columns = {"a": {"role": "quasi", "hierarchy": {"table": "lines"}}}
    rows = [("1",)] * 2 + [("2",), ("3",), ("4",), ("4",)]
    connection = table_of(rows, columns)
    lines = "(VALUES ('1', '4'), ('2', '1'), ('3', '1'), ('4', '5')) AS line (value, above)"
    connection.execute(f"CREATE TABLE lines AS SELECT *, '*' AS most FROM {lines}")
    plan = plan_by_layers(local_policy(columns), connection)
    recoded = released_as_planned(plan, connection, has_one_meaning=False)
    assert recoded.rows == {("1",): 4, ("4",): 2}
    assert (plan.classes, plan.metrics["discernibility"]) == (2, 20)


def shallow_leaves_are_read_as_an_audit_reads_them() -> None:
    """``u`` is a value, the label of one at level 1, and the label of two more."""
    columns = {"a": {"role": "quasi", "hierarchy": {"table": "lines"}}}
    rows = [("u",)] * 3 + [("v",)] * 3 + [("w",), ("z",)]
    connection = table_of(rows, columns)
    lines = "(VALUES ('u', 'u'), ('v', 'u'), ('w', 'u'), ('z', 'z')) AS line (value, above)"
    connection.execute(f"CREATE TABLE lines AS SELECT *, '*' AS most FROM {lines}")
    asked = [{"a": "a = 'v'"}, {"a": "a IN ('u', 'w')"}]
    plan = plan_by_layers(local_policy(columns, queries=asked), connection)
    recoded = released_as_planned(plan, connection)
    # Of three that show u, any third is of u; nobody knows of those that show nothing.
    assert [each.true for each in plan.answers] == [3, 4]
    assert recoded.rows == {("u",): 3, ("v",): 3, ("*",): 2}
    # u says two thirds less than a value does, for all that anybody can know.
    assert plan.metrics["loss"] == pytest.approx((3 * 2 / 3 + 2) / 8)


CHECKS: Mapping[str, Callable[[], None]] = {
    "layers": layers_release_what_passes_and_no_more,
    "left out": what_can_never_be_released_is_left_out,
    "gains": regions_take_the_column_that_gains_most,
    "covered": a_row_gains_what_its_label_covered_more,
    "hidden": rows_that_are_left_out_hide_nobody,
    "rests": what_passes_of_a_region_is_told_apart_and_the_rest_stays,
    "regions": regions_of_several_layers_are_refined_each_by_itself,
    "values": regions_give_guarantees_about_values,
    "one label": a_label_of_two_levels_is_one_label,
    "shallow": shallow_leaves_are_read_as_an_audit_reads_them,
}
