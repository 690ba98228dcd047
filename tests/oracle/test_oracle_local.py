"""The oracle of local recoding against tables worked by hand, and against a simple recoding."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import oracle
from oracle import (
    Row,
    Value,
    interval_label,
    lines_ladder,
    prefix_label,
    rule_ladder,
    tree_lines,
)
from oracle_local import (
    HeldColumn,
    LocalRelease,
    Traced,
    broken_guarantees,
    lone_children,
    loss,
    specializations,
    spent,
    torn_cells,
    trace,
)
from oracle_models import Guarantee, OnFailure, Table
from recoded_locally import Recoding, Region

ZIPS = ("11", "11", "12", "12", "21", "21", "22")
TWO: Guarantee = ("k_anonymity", {"k": 2})
# Zips have 11, 12, 13, 14, 21, 22 as leaves, 1* and 2* above them.
LEAVES = ("11", "12", "13", "14", "21", "22")


def zips(values: Sequence[Value] = LEAVES, floor: int = 0, ceiling: int = 2) -> HeldColumn:
    ladder = rule_ladder(values, [lambda value: prefix_label(value, 1)])
    return HeldColumn(ladder, floor, ceiling)


def released(
    source: Sequence[str],
    shown: Sequence[str],
    values: Sequence[Sequence[Value]] = ("", ""),
    on_failure: OnFailure = "suppress",
    **held: Any,
) -> LocalRelease:
    """Zips and how they are released; their sensitive values, by default none, and as shown."""
    before, after = values[0] or [None] * len(source), values[1] or [None] * len(shown)
    table = Table([{"zip": z, "s": s} for z, s in zip(source, before, strict=True)], ["zip"], ["s"])
    rows: Any = [{"zip": z, "s": s} for z, s in zip(shown, after, strict=True)]
    return LocalRelease(table, {"zip": zips(**held)}, (), rows, on_failure)


def certain(release: LocalRelease) -> Traced:
    found = trace(release)
    assert found is not None
    return found


def traced(*args: Any, **more: Any) -> Traced:
    return certain(released(*args, **more))


def told(found: Traced, *guarantees: Guarantee) -> list[tuple[Any, set[Any], Fraction]]:
    asked = specializations(found, guarantees or [TWO])
    return [(each.labels[0], {*each.children}, each.saved) for each in asked]


GOOD = ("11", "11", "12", "12", "2*", "2*", "2*")


def test_a_class_per_value_that_has_the_rows_and_a_rest_that_cannot_be_finer() -> None:
    """21 would be a class of 2, but 22 would stay alone as 2*."""
    found = traced(ZIPS, GOOD, values=("xyxyxyx", "xyxyxyx"))
    assert broken_guarantees(found, [TWO]) == []
    assert (spent(found), torn_cells(found), told(found)) == (0, 0, [])
    # 4 rows may have 1 leaf and 3 rows 2 leaves of 6: v = (10/7 - 1) / (6 - 1).
    assert loss(found).product == 1 + Fraction(3, 35)
    assert loss(found) == loss(found, "coarsest")
    assert loss(found).value == pytest.approx(3 / 35)


def test_a_class_that_is_too_small_is_found() -> None:
    found = traced(ZIPS, ("11", "11", "12", "12", "21", "21", "22"))
    assert broken_guarantees(found, [TWO, ("k_anonymity", {"k": 1})]) == [TWO]
    # The one row of 2* is a class of its own, though it was a rest.
    found = traced(ZIPS, ("11", "11", "12", "12", "21", "21", "2*"))
    assert broken_guarantees(found, [TWO]) == [TWO]


def test_a_class_that_could_be_finer_is_found_with_what_that_saves() -> None:
    found = traced(ZIPS, ("1*", "1*", "1*", "1*", "2*", "2*", "2*"))
    # 4 rows would have 1 leaf in place of 4, of 6 leaves and 7 rows.
    assert told(found) == [("1*", {"11", "12"}, Fraction(4 * 3, 7 * 5))]
    assert loss(found).product == 1 + Fraction(4 * 3 + 3 * 1, 7 * 5)
    found = traced(ZIPS, ["*"] * 7)
    assert told(found) == [("*", {"1*", "2*"}, Fraction(4 * 2 + 3 * 4, 7 * 5))]
    # What saves nothing is found as well: 2* stands for no leaf but 21.
    shown = ("11", "11", "12", "12", "2*", "2*")
    found = certain(replace(released(ZIPS[:6], shown), columns={"zip": zips(ZIPS[:6])}))
    assert told(found) == [("2*", {"21"}, Fraction(0))]


def test_a_class_whose_rows_all_have_one_finer_label_is_found() -> None:
    shown = ("11", "11", "12", "12", "2*", "2*", "2*")
    assert lone_children(traced(ZIPS, shown)) == []
    assert lone_children(traced(ZIPS[:6], shown[:6])) == [("zip", ("2*",))]
    assert lone_children(traced(ZIPS[:4], ["*"] * 4)) == [("zip", ("*",))]
    # A floor leaves it no finer label.
    assert lone_children(traced(ZIPS[4:6], ["2*"] * 2, floor=1)) == []


def test_the_children_that_fail_stay_together_if_they_give_every_guarantee() -> None:
    source = ["11", "11", "12", "13"]
    assert told(traced(source, ["1*"] * 4)) == [("1*", {"11"}, Fraction(2 * 3, 4 * 5))]
    # 12 alone would stay as 1*.
    assert told(traced(source[:3], ["1*"] * 3)) == []
    # No child gives the guarantee, and that all of them do together is what there is.
    assert told(traced(("11", "12", "13"), ["1*"] * 3)) == []
    # A child that fails by its values joins the rest, which may give what it does not.
    diverse: Guarantee = ("distinct_l_diversity", {"column": "s", "l": 2})
    source, shown = ["11", "11", "12", "12", "13"], ["1*"] * 5
    for values, children in (("xyxxy", {"11"}), ("xyxxx", None), ("xxyyx", None), ("xyxyy", None)):
        found = told(traced(source, shown, values=(values, values)), TWO, diverse)
        assert [each for _, each, _ in found] == ([] if children is None else [children])


def test_a_child_that_reads_like_its_class_is_told_apart_already() -> None:
    """8 and 9 are in no list: above themselves they are *, as 1 and 2 are above x and y."""
    held = HeldColumn(
        lines_ladder(list("1289"), [("1", "x", "*"), ("2", "y", "*")], uncovered="top"), 0, 2
    )

    def merged(source: str) -> Traced:
        table = Table([{"zip": value, "s": None} for value in source], ["zip"], ["s"])
        rows: Any = [{"zip": "*", "s": None} for _ in source]
        return certain(LocalRelease(table, {"zip": held}, (), rows))

    assert told(merged("1289")) == []
    # The two of x could be told apart, whether the others were or not.
    assert [children for _, children, _ in told(merged("112289"))] == [{"x", "y"}]


def test_children_are_held_against_the_whole_release() -> None:
    """Q(x) is 1/2; the zip 11 has x alone, and is 1/2 from it."""
    values = ("xxxyyy", "xxxyyy")
    found = traced(("11", "11", "12", "12", "21", "21"), ["1*"] * 4 + ["2*"] * 2, values=values)
    for t, children in (("1/2", {"11", "12"}), ("0.49", None)):
        close: Guarantee = ("t_closeness", {"column": "s", "t": Fraction(t)})
        asked = told(found, close)
        assert [each for label, each, _ in asked if label == "1*"] == (
            [] if children is None else [children]
        )
    # 12 has x and y once each.
    even: Guarantee = ("t_closeness", {"column": "s", "t": 0})
    values = ("xyxyxy", "xyxyxy")
    found = traced(("11", "11", "12", "12", "21", "21"), ["1*"] * 4 + ["21"] * 2, values=values)
    assert told(found, even) == [("1*", {"11", "12"}, Fraction(4 * 3, 6 * 5))]
    # Q(x) is 5/6 and 12 is 1/3 from it; of the class alone, 3/4, it would be 1/4.
    near: Guarantee = ("t_closeness", {"column": "s", "t": "0.3"})
    values = ("xxxyxx", "xxxyxx")
    found = traced(("11", "11", "12", "12", "21", "21"), ["1*"] * 4 + ["21"] * 2, values=values)
    assert told(found, near) == []


def test_the_source_that_classes_are_held_against_has_the_suppressed_rows() -> None:
    close: Any = {"column": "s", "t": "0.1"}
    found = traced(
        ("11", "11", "12", "12", "21"), ["11", "11", "12", "12"], values=("xxxxy", "xxxx")
    )
    assert broken_guarantees(found, [("t_closeness", close)]) == []
    source: Guarantee = ("t_closeness", {**close, "reference": "source"})
    assert broken_guarantees(found, [source]) == [source]


@pytest.mark.parametrize(
    ("shown", "held"),
    [
        (["3*", *GOOD[1:]], {}),  # no value has the label
        (["2*", *GOOD[1:]], {}),  # another value has it
        (["12", *GOOD[1:]], {}),  # one more 12 than there are
        ([*GOOD, "2*"], {}),  # a row is made up
        (["*", *GOOD[1:]], {"ceiling": 1}),  # coarser than the ceiling
        (GOOD, {"floor": 1}),  # finer than the floor
        (["nothing", *GOOD[1:]], {}),
        ([None, *GOOD[1:]], {}),
    ],
)
def test_rows_that_are_not_of_the_source_are_refused(
    shown: Sequence[str], held: Mapping[str, Any]
) -> None:
    assert trace(released(ZIPS, GOOD)) is not None
    assert trace(released(ZIPS, shown, **held)) is None


def test_sensitive_values_and_other_columns_are_those_of_the_row() -> None:
    good = released(ZIPS, GOOD, values=("xyxyxyx", "xyxyxyx"))
    assert trace(good) is not None
    assert trace(released(ZIPS, GOOD, values=("xyxyxyx", "yxxyxyx"))) is not None
    assert trace(released(ZIPS, GOOD, values=("xyxyxyx", "xxxyxyx"))) is None
    notes = replace(
        good.source, rows=[{**row, "note": n} for n, row in enumerate(good.source.rows)]
    )
    kept: Any = [{**row, "note": n} for n, row in enumerate(good.rows)]
    swapped: Any = [*kept[:2], {**kept[2], "note": 4}, kept[3], {**kept[4], "note": 2}, *kept[5:]]
    for rows, numbers in ((kept, [*range(7)]), (kept[::-1], [*range(7)][::-1]), (swapped, None)):
        found = trace(replace(good, source=notes, others=["note"], rows=rows))
        assert (found and found.numbers) == numbers


def test_a_row_is_found_for_each_even_if_the_first_that_fits_is_anothers() -> None:
    """Whichever 11 stands for * first, 11 itself needs it."""
    found = traced(("11", "12"), ("*", "11"))
    assert found.numbers == [1, 0]
    assert traced(("11", "12", "13"), ("*", "1*", "11")).numbers[2] == 0
    assert trace(released(("11", "12"), ("11", "11"))) is None


def test_suppressed_rows_lose_everything_and_count_against_the_budget() -> None:
    found = traced(ZIPS, GOOD[:4])
    assert (spent(found), torn_cells(found), told(found)) == (3, 0, [])
    assert loss(found).product == 1 + Fraction(3, 7)
    # One of two equal rows is suppressed: cells are torn.
    assert torn_cells(traced(ZIPS, GOOD[:3])) == 1
    assert torn_cells(traced(ZIPS, ("11", "1*", "12", "1*", "2*", "2*", "2*"))) == 2
    nothing = traced(ZIPS, ())
    assert (spent(nothing), loss(nothing).value, told(nothing)) == (7, 1, [])


def test_a_null_is_a_value_and_what_a_policy_drops_is_never_released() -> None:
    for nulls, label, is_there in (
        *(("value", None, True), ("top", "*", True), ("top", None, True)),
        ("suppress", "*", False),
    ):
        ladder = rule_ladder(["11", None], [lambda v: prefix_label(v, 1)], nulls)
        source = Table([{"zip": "11"}, {"zip": None}], ["zip"])
        rows: Any = [{"zip": label}, {"zip": "11"}]
        held = {"zip": HeldColumn(ladder, 0, 2)}
        release = LocalRelease(source, held, (), rows)
        assert (trace(release) is not None) == is_there
        assert release.dropped == (0 if is_there else 1)


def test_values_are_written_as_a_column_writes_them() -> None:
    ladder = rule_ladder([1, 2, 5], [lambda value: interval_label(value, 3)])
    rows: Any = [{"age": label} for label in ("01", "[0, 3)", "[3, 6)")]
    source = Table([{"age": age} for age in (1, 2, 5)], ["age"])
    for text, numbers in ((lambda value: f"0{value}", [0, 1, 2]), (str, None)):
        found = trace(LocalRelease(source, {"age": HeldColumn(ladder, 0, 2, text)}, (), rows))
        assert (found and found.numbers) == numbers


def test_a_table_without_sensitive_columns_has_lost_no_values() -> None:
    source = Table([{"zip": z} for z in ZIPS], ["zip"])
    rows: Any = [{"zip": label} for label in ["1*"] * 4 + ["2*"] * 3]
    found = certain(LocalRelease(source, {"zip": zips()}, (), rows, "suppress_sensitive"))
    assert (spent(found), [label for label, _, _ in told(found)]) == (0, ["1*"])


def test_classes_without_values_cost_what_they_had() -> None:
    masking: Any = {"on_failure": "suppress_sensitive"}
    asked: list[Guarantee] = [TWO, ("distinct_l_diversity", {"column": "s", "l": 2})]
    masked = ("xxxyxyx", [None, None, *"xyxyx"])
    found = traced(ZIPS, GOOD, values=masked, **masking)
    assert (spent(found), broken_guarantees(found, asked)) == (2, [])
    assert trace(released(ZIPS, GOOD, values=masked)) is None
    # A class that has no value in the source has lost none.
    bare = ([None, None, *"xyxyx"],) * 2
    assert spent(traced(ZIPS, GOOD, values=bare, **masking)) == 0
    # A row without a value in a class that has some is as the source has it.
    assert trace(released(ZIPS, GOOD, values=("xyxyxyx", [None, *"yxyxyx"]), **masking)) is None
    # A class that may have been masked is not asked to be finer.
    shown = ("1*", "1*", "1*", "1*", "2*", "2*", "2*")
    for values, labels in (("xyxyxyx", ["1*"]), ([*[None] * 4, *"xyx"], [])):
        found = traced(ZIPS, shown, values=("xyxyxyx", values), **masking)
        assert [label for label, _, _ in told(found, *asked)] == labels


def test_persons_are_counted_in_the_source() -> None:
    persons: Guarantee = ("k_anonymity", {"k": 2, "unit": "person"})
    for people, finer in (((1, 2, 3, 4), ["1*"]), ((1, 1, 2, 2), []), ((1, 2, 3, 3), [])):
        rows: Any = [{"zip": z, "person": p} for z, p in zip(ZIPS, people, strict=False)]
        shown: Any = [{"zip": "1*"}] * 4
        found = certain(LocalRelease(Table(rows, ["zip"]), {"zip": zips()}, (), shown))
        assert broken_guarantees(found, [persons]) == []
        assert [each for each, _, _ in told(found, persons)] == finer
        finest = certain(replace(found.release, rows=rows))
        assert (broken_guarantees(finest, [persons]) == []) == bool(finer)


def test_a_label_of_two_levels_is_read_at_either() -> None:
    """The label g stands for a and b at level 1, and for c too at level 2."""
    ladder = lines_ladder("abcd", tree_lines({"g": {"g": ["a", "b"], "h": ["c"]}, "k": {"k": "d"}}))
    held = {"q": HeldColumn(ladder, 0, 3)}
    source = Table([{"q": value} for value in "abcd"], ["q"])
    rows: Any = [{"q": label} for label in "ggkk"]
    assert trace(LocalRelease(source, held, (), rows)) is None
    rows = [{"q": label} for label in "ggck"]
    found = certain(LocalRelease(source, held, (), rows))
    # 2 + 2 + 1 + 1 leaves of 4, or 3 + 3 + 1 + 1.
    assert loss(found).product == 1 + Fraction(2, 12)
    assert loss(found, "coarsest").product == 1 + Fraction(4, 12)
    asked = specializations(found, [("k_anonymity", {"k": 1})])
    assert [(each.labels[0], {*each.children}) for each in asked] == [
        ("g", {"a", "b"}),
        ("k", {"d"}),
    ]


@st.composite
def recodings(draw: st.DrawFn) -> tuple[Recoding, list[tuple[int, ...]]]:
    """Rows with zips and ages, what is asked of them, and the nodes that are to be layers."""
    row = st.tuples(st.sampled_from(LEAVES), st.sampled_from([1, 2, 5]), st.sampled_from("xxyz"))
    drawn = draw(st.lists(row, min_size=3, max_size=24))
    rows: list[Row] = [
        {"zip": z, "age": age, "s": s, "note": number} for number, (z, age, s) in enumerate(drawn)
    ]
    ages = rule_ladder([age for _, age, _ in drawn], [lambda value: interval_label(value, 3)])
    floors = draw(st.tuples(st.integers(0, 1), st.integers(0, 2)))
    ceilings = draw(st.tuples(st.integers(1, 2), st.just(2)))
    columns = {
        "zip": zips([z for z, _, _ in drawn], floors[0], ceilings[0]),
        "age": HeldColumn(ages, floors[1], ceilings[1]),
    }
    asked: list[Guarantee] = [("k_anonymity", {"k": draw(st.integers(1, 3))}), *draw(ASKED)]
    held = [range(each.floor, each.ceiling + 1) for each in columns.values()]
    nodes = draw(st.lists(st.sampled_from([*itertools.product(*held)]), max_size=4))
    return Recoding(Table(rows, [*columns], ["s"]), columns, asked, ["note"]), nodes


ASKED: st.SearchStrategy[list[Guarantee]] = st.lists(
    st.sampled_from(
        [
            ("distinct_l_diversity", {"column": "s", "l": 2}),
            ("entropy_l_diversity", {"column": "s", "l": 2}),
            ("recursive_l_diversity", {"column": "s", "c": 2, "l": 2}),
            ("t_closeness", {"column": "s", "t": "0.3"}),
            ("t_closeness", {"column": "s", "t": "0.4", "reference": "source"}),
        ]
    ),
    max_size=2,
)
EFFORT = settings(max_examples=4 * settings().max_examples)


@EFFORT
@given(recodings())
def test_what_a_simple_recoding_releases_is_accepted(
    drawn: tuple[Recoding, list[tuple[int, ...]]],
) -> None:
    recoding, nodes = drawn
    kept = recoding.kept()
    regions = recoding.refined(kept, recoding.layers(kept, nodes))
    found = certain(recoding.release(regions))
    assert [*found.numbers] == [number for region in regions for number in region.rows]
    assert broken_guarantees(found, recoding.guarantees) == []
    assert specializations(found, recoding.guarantees) == []
    assert (torn_cells(found), spent(found)) == (0, len(recoding.source.rows) - len(kept))
    assert loss(found) == loss(found, "coarsest")


@EFFORT
@given(recodings())
def test_classes_can_be_finer_exactly_where_refining_them_makes_them_so(
    drawn: tuple[Recoding, list[tuple[int, ...]]],
) -> None:
    recoding, nodes = drawn
    kept = recoding.kept()
    regions = recoding.layers(kept, nodes)
    found = certain(recoding.release(regions))
    able = {each.labels for each in specializations(found, recoding.guarantees)}
    assert able == {
        tuple(recoding.labels(region.rows[0], region.levels).values())
        for region in regions
        if recoding.finer(kept, region) != [region]
    }
    refined = certain(recoding.release(recoding.refined(kept, regions)))
    assert loss(refined).product <= loss(found).product


@EFFORT
@given(recodings())
def test_a_node_has_the_loss_that_it_has_as_one_level_per_column(
    drawn: tuple[Recoding, list[tuple[int, ...]]],
) -> None:
    recoding, nodes = drawn
    node, kept = (*nodes, recoding.ceiling)[0], recoding.kept()
    found = certain(recoding.release([Region(node, tuple(kept))]))
    ladders = {name: held.ladder for name, held in recoding.columns.items()}
    rows, _ = oracle.generalize([recoding.source.rows[n] for n in kept], ladders, node)
    assert loss(found) == oracle.loss(rows, len(recoding.source.rows) - len(kept), ladders, node)


@EFFORT
@given(recodings(), st.data())
def test_a_release_that_was_tampered_with_is_refused(
    drawn: tuple[Recoding, list[tuple[int, ...]]], data: st.DataObject
) -> None:
    recoding, nodes = drawn
    kept = recoding.kept()
    assume(kept)
    rows = list(recoding.release(recoding.refined(kept, recoding.layers(kept, nodes))).rows)
    at = data.draw(st.integers(0, len(rows) - 1))
    name = data.draw(st.sampled_from(["zip", "age", "s", "note"]))
    rows[at] = {**rows[at], name: "w"}
    assert trace(replace(recoding.release([]), rows=rows)) is None
