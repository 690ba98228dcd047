"""Local recoding of tables that are small enough to be recoded by hand: layers, children, rests."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from local_tables import (
    in_one_layer,
    local_policy,
    plan_by_layers,
    quasi,
    recode,
    released_as_planned,
    table_of,
)
from sqlgen import PolicyError, make_plan

HALVES = {"x": ["1", "2"], "y": ["3", "4"]}
FLAT = ["1", "2", "3", "4"]


def test_classes_that_pass_are_released_first_and_the_others_by_coarser_labels() -> None:
    # By values only the three of 1 pass. At the level above y passes, but 2 would be left alone.
    recoded = recode([("1",)] * 3 + [("2",), ("3",), ("4",)], {"a": quasi(HALVES)})
    assert recoded.rows == {("1",): 3, ("all",): 3}
    assert recoded.steps.layers == ((0,), (2,))
    assert recoded.plan.to_dict()["metrics"]["loss"] == pytest.approx(3 * 1 / 6)


def test_only_a_row_that_no_class_can_hold_is_suppressed_within_the_budget() -> None:
    rows = [("1",)] * 3 + [("2",), ("3",), ("4",)]
    recoded = recode(rows, {"a": quasi(HALVES)}, suppression="20%")
    assert recoded.rows == {("1",): 3, ("all",): 3}
    # Of x and y, which are as general as labels may be, x has a row too few.
    rows = [("1",), ("3",), ("3",), ("4",), ("4",), ("4",)]
    recoded = recode(rows, {"a": quasi(HALVES, levels=[0, 1])}, suppression="20%")
    assert recoded.rows == {("3",): 2, ("4",): 3}
    assert (recoded.plan.suppressed_rows, recoded.plan.budget) == (1, 1)


def test_a_recoding_that_may_not_suppress_releases_every_row_whatever_the_budget() -> None:
    rows = [("1",)] * 3 + [("2",), ("3",), ("4",)]
    asked: dict[str, Any] = {"recoding": {"local": {"suppress": False}}, "suppression": "20%"}
    recoded = recode(rows, {"a": quasi(HALVES)}, **asked)
    assert recoded.rows == {("1",): 3, ("all",): 3}


def test_a_region_takes_a_column_to_finer_labels_where_they_pass(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    in_one_layer(monkeypatch)
    rows = [("1",)] * 2 + [("2",)] * 2 + [("3",), ("4",)]
    recoded = recode(rows, {"a": quasi(HALVES)})
    # One layer releases x and y; x is told apart into 1 and 2, y cannot be.
    assert recoded.rows == {("1",): 2, ("2",): 2, ("y",): 2}
    assert (recoded.steps.layers, recoded.steps.rounds) == (((1,),), 1)


def test_children_that_fail_stay_at_their_regions_level_where_they_pass_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    in_one_layer(monkeypatch)
    rows = [("1",)] * 2 + [("2",), ("3",)]
    recoded = recode(rows, {"a": quasi(FLAT)})
    assert recoded.rows == {("1",): 2, ("all",): 2}
    assert (recoded.steps.layers, recoded.steps.rounds) == (((1,),), 1)


def test_no_child_leaves_a_rest_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    in_one_layer(monkeypatch)
    recoded = recode([("1",)] * 2 + [("2",)], {"a": quasi(FLAT)})
    assert recoded.rows == {("all",): 3}
    assert recoded.steps.rounds == 0


def test_a_rest_is_refined_by_another_column(monkeypatch: pytest.MonkeyPatch) -> None:
    in_one_layer(monkeypatch)
    rows = [("1", "1"), ("1", "2"), ("2", "3"), ("3", "3"), ("2", "4"), ("3", "1")]
    recoded = recode(rows, {"a": quasi(["1", "2", "3"]), "b": quasi(FLAT)}, k=2)
    # b first would release 1 and 3, two rows each, and so would a: 1, 2 and 3, with no rest.
    assert recoded.rows == {("1", "all"): 2, ("2", "all"): 2, ("3", "all"): 2}
    rows = [("1", "1"), ("1", "2"), ("2", "3"), ("3", "3"), ("4", "4"), ("4", "1"), ("5", "2")]
    recoded = recode(rows, {"a": quasi([*FLAT, "5"]), "b": quasi(FLAT)}, k=2)
    # a: 1 and 4 pass, 2, 3 and 5 stay. Of those, b takes 3, but what is left is one row alone.
    assert recoded.rows == {("1", "all"): 2, ("4", "all"): 2, ("all", "all"): 3}
    assert recoded.steps.rounds == 1
    rows += [("5", "1")]
    recoded = recode(rows, {"a": quasi([*FLAT, "5"]), "b": quasi(FLAT)}, k=2, suppression=0)
    assert recoded.rows[("5", "all")] == 2


def test_a_rest_has_a_second_round(monkeypatch: pytest.MonkeyPatch) -> None:
    in_one_layer(monkeypatch)
    rows = [("1", "1"), ("1", "2"), ("2", "3"), ("3", "3"), ("4", "1"), ("5", "4")]
    columns = {"a": quasi([*FLAT, "5"]), "b": quasi(FLAT)}
    # b has two children that pass, a one.
    recoded = recode(rows, columns)
    assert recoded.rows == {("all", "1"): 2, ("all", "3"): 2, ("all", "all"): 2}
    assert recoded.steps.rounds == 1
    # a first, for its weight. Its rest by b: 3, and what is left of it together.
    recoded = recode(rows, columns, objective={"loss": {"weights": {"a": 9}}})
    assert recoded.rows == {("1", "all"): 2, ("all", "3"): 2, ("all", "all"): 2}
    assert recoded.steps.rounds == 2


def test_of_columns_that_gain_the_same_the_first_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    in_one_layer(monkeypatch)
    rows = [("1", "1"), ("1", "2"), ("2", "1"), ("3", "3")]
    columns = {"a": quasi(["1", "2", "3"]), "b": quasi(["1", "2", "3"])}
    assert recode(rows, columns).rows == {("1", "all"): 2, ("all", "all"): 2}
    weighted = {"loss": {"weights": {"b": 2}}}
    assert recode(rows, columns, objective=weighted).rows == {("all", "1"): 2, ("all", "all"): 2}


# Of nine rows with k = 3, column a releases three (1), column b five (u); never both.
NINE = [
    *[("1", "1"), ("1", "2"), ("1", "3"), ("2", "1"), ("3", "2")],
    *[("2", "4"), ("3", "4"), ("4", "5"), ("4", "5")],
]
BY_A = Counter({("1", "u"): 3, ("all", "all"): 6})
BY_B = Counter({("all", "u"): 5, ("all", "all"): 4})
U = {"u": ["1", "2", "3"], "v": ["4"], "w": ["5"]}
WIDE_U = {**U, "w": ["5", "6", "7", "8", "9", "10"]}


@pytest.mark.parametrize(
    ("objective", "below_all", "expected"),
    [
        # A row gains 3/3 in a, and in b (5 - 3)/4, or (10 - 3)/9 where the tree has ten leaves.
        ("loss", U, BY_A),
        ("loss", WIDE_U, BY_B),
        ({"loss": {"weights": {"b": 2}}}, U, BY_B),
        ({"loss": {"weights": {"b": 2}, "aggregate": "arithmetic"}}, U, BY_B),
        ({"loss": {"aggregate": "max"}}, U, BY_A),
        # One level of two in a, one of three in b: 3/2 against 5/3.
        ("precision", U, BY_B),
        ({"precision": {"weights": {"b": "0.8"}}}, WIDE_U, BY_A),
        # One level is one level: 3 against 5.
        ("height", U, BY_B),
        # 3 ln(9/3) of the 12.32 that a can lose, against 5 ln(9/5) of the 14.23 of b.
        ("non_uniform_entropy", U, BY_A),
        ({"non_uniform_entropy": {"weights": {"b": "1.2"}}}, U, BY_A),
        ({"non_uniform_entropy": {"weights": {"b": "1.4"}}}, U, BY_B),
        # 81 - 9 - 36 against 81 - 25 - 16.
        ("discernibility", U, BY_B),
        # One class more either way.
        ("average_class_size", U, BY_A),
        # By the loss, for no sum stands for them.
        ("ambiguity", U, BY_A),
        ("kl_divergence", WIDE_U, BY_B),
    ],
    ids=str,
)
def test_the_column_that_gains_most_by_the_objective_is_taken(
    objective: Any,
    below_all: Any,
    expected: Counter[tuple[str, str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    in_one_layer(monkeypatch)
    columns = {"a": quasi(FLAT), "b": quasi(below_all)}
    recoded = recode(NINE, columns, k=3, objective=objective)
    assert recoded.rows == expected


# Of twelve rows with k = 3, column a releases eight in one class, column b six in two.
TWELVE = [
    *[("1", each) for each in "11223345"],
    *[("2", "1"), ("2", "2"), ("3", "4"), ("3", "5")],
]


@pytest.mark.parametrize(
    ("objective", "expected"),
    [
        ("loss", {("1", "all"): 8, ("all", "all"): 4}),
        # Two classes more.
        ("average_class_size", {("all", "1"): 3, ("all", "2"): 3, ("all", "all"): 6}),
        # 144 - 64 - 16 against 144 - 9 - 9 - 36.
        ("discernibility", {("all", "1"): 3, ("all", "2"): 3, ("all", "all"): 6}),
    ],
)
def test_more_classes_may_gain_more_than_more_rows(
    objective: str, expected: dict[tuple[str, str], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    in_one_layer(monkeypatch)
    columns = {"a": quasi(["1", "2", "3"]), "b": quasi([*FLAT, "5"])}
    assert recode(TWELVE, columns, k=3, objective=objective).rows == expected


def test_no_label_is_finer_than_its_columns_floor() -> None:
    rows = [("1",)] * 3 + [("2",)] * 3
    recoded = recode(rows, {"a": quasi(HALVES, levels=[1, 2])})
    assert recoded.rows == {("x",): 6}
    assert recoded.plan.decision.to_lock()["columns"][0]["levels"] == [1, 2]


def test_no_label_is_coarser_than_its_columns_ceiling() -> None:
    rows = [("1",)] * 3 + [("2",), ("3",), ("3",), ("4",)]
    assert recode(rows, {"a": quasi(HALVES)}).rows[("all",)] == 2
    recoded = recode(rows, {"a": quasi(HALVES, levels=[0, 1])})
    # 1 stays with 2, for 2 has nowhere else to go.
    assert recoded.rows == {("x",): 4, ("y",): 3}


def test_a_ceiling_that_no_row_can_be_released_under_is_told() -> None:
    columns = {"a": quasi(HALVES, levels=[0, 1])}
    rows = [("1",), ("3",), ("3",)]
    plan = make_plan(local_policy(columns), table_of(rows, columns))
    assert not plan.satisfied
    assert recode(rows, columns, suppression=1).rows == {("3",): 2}


def test_a_column_that_must_stay_as_it_is_keeps_its_type() -> None:
    columns = {
        "year": {"role": "quasi", "hierarchy": {"intervals": [10]}, "levels": [0, 0]},
        "a": quasi(HALVES),
    }
    rows = [(1990, "1"), (1990, "2"), (1991, "3"), (1991, "3"), (None, "1"), (None, "1")]
    recoded = recode(rows, columns, ("SMALLINT", "VARCHAR"))
    assert recoded.rows == {(1990, "x"): 2, (1991, "3"): 2, (None, "1"): 2}
    described = recoded.connection.execute("DESCRIBE released").fetchall()
    assert [(row[0], row[1]) for row in described] == [("year", "SMALLINT"), ("a", "VARCHAR")]


def test_a_null_is_a_value_of_its_own_and_shows_as_null() -> None:
    rows = [(None,)] * 2 + [("1",)] * 2 + [("2",), ("3",)]
    recoded = recode(rows, {"a": {"role": "quasi", "hierarchy": "suppress"}})
    assert recoded.rows == {(None,): 2, ("1",): 2, ("*",): 2}


@pytest.mark.parametrize(
    ("nulls", "expected"),
    [
        ("value", {(None,): 2, ("all",): 4}),
        ("top", {("*",): 2, ("all",): 4}),
        ("suppress", {("all",): 4}),
    ],
)
def test_nulls_are_a_label_or_the_top_or_left_out(nulls: str, expected: dict[Any, int]) -> None:
    rows = [(None,)] * 2 + [("1",)] * 2 + [("2",), ("3",)]
    recoded = recode(rows, {"a": quasi(FLAT, nulls=nulls, levels=[1, 2])}, suppression=2)
    assert recoded.rows == expected
    assert recoded.plan.suppressed_rows == 2 * (nulls == "suppress")


@pytest.mark.parametrize(
    ("uncovered", "expected"),
    [("top", {("*",): 2, ("all",): 4}), ("suppress", {("all",): 4})],
)
def test_uncovered_values_go_to_the_top_or_are_left_out(
    uncovered: str, expected: dict[Any, int]
) -> None:
    rows = [("9",), ("8",)] + [("1",)] * 2 + [("2",), ("3",)]
    columns = {"a": quasi(FLAT, uncovered=uncovered, levels=[1, 2])}
    assert recode(rows, columns, suppression=2).rows == expected


def test_a_label_at_two_levels_is_one_class_to_a_reader() -> None:
    """2 and 3 are at level 1 below ``1``, which is also the value of others."""
    columns = {"a": {"role": "quasi", "hierarchy": {"table": "lines"}}}
    rows = [("1",)] * 2 + [("2",), ("3",), ("4",), ("4",)]
    connection = table_of(rows, columns)
    lines = "(VALUES ('1', '4'), ('2', '1'), ('3', '1'), ('4', '5')) AS line (value, above)"
    connection.execute(f"CREATE TABLE lines AS SELECT *, '*' AS most FROM {lines}")
    plan = plan_by_layers(local_policy(columns), connection)
    recoded = released_as_planned(plan, connection, has_one_meaning=False)
    assert recoded.steps.layers == ((0,), (1,))
    # Two regions, of two rows each, that nobody can tell apart.
    assert recoded.rows == {("1",): 4, ("4",): 2}
    assert plan.classes == 2
    assert plan.to_dict()["metrics"]["discernibility"] == 4**2 + 2**2


# By layers these lose 0.514 and 0.789.
SMALL = {
    "the best node": ([*zip("11223313", "42143431", strict=True)], 2**0.5 - 1),
    "the best node, refined": ([*zip("41442", "24312", strict=True)], 0.5055453),
}


@pytest.mark.parametrize(("rows", "most"), SMALL.values(), ids=SMALL)
def test_a_small_table_is_released_by_the_best_node_where_layers_lose_more(
    rows: list[tuple[str, str]], most: float
) -> None:
    columns = {"a": quasi(HALVES), "b": quasi(["1", "2", "3", "4"])}
    connection = table_of(rows, columns)
    assert plan_by_layers(local_policy(columns), connection).objective > most + 0.09
    plan = make_plan(local_policy(columns), connection)
    assert plan.objective == pytest.approx(most)
    assert released_as_planned(plan, connection).rows.total() == len(rows)


def test_a_row_is_left_over_where_values_are_judged_and_others_gain_more_by_that() -> None:
    rows = [
        *zip("22243131", "14131431", ["gout", "gout", *["flu"] * 5, "gout"], strict=True),
        *[("3", "1", "flu"), ("2", "3", "gout"), ("1", "4", "flu"), ("4", "1", "gout")],
        *[("1", "4", "gout"), ("1", "1", "flu")],
    ]
    columns = {"a": quasi(HALVES), "b": quasi(HALVES), "c": {"role": "sensitive"}}
    two = [{"k_anonymity": {"k": 2}}, {"distinct_l_diversity": {"column": "c", "l": 2}}]
    lost = [
        make_plan(
            local_policy(columns, guarantees=two, suppression=budget), table_of(rows, columns)
        )
        for budget in (0, 1)
    ]
    assert [each.suppressed_rows for each in lost] == [0, 1]
    assert [each.objective for each in lost] == pytest.approx([0.2191778, 0.2058531])


def test_a_view_is_refused_when_the_policy_is_read() -> None:
    with pytest.raises(PolicyError, match=r"release\.view: a view cannot be recoded by local"):
        local_policy({"a": quasi(FLAT)}, release={"view": "shown"})
    assert local_policy({"a": quasi(FLAT)}, release={"view": "shown"}, recoding="full_domain")
