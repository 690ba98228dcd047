"""Rules and lists at their edges, as SQL labels them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from harness import labels_of, write_lines
from sqlgen.errors import HierarchyError, PolicyError

BEYOND = "99999999999999999999999999999999999999"


def label(kind: str, value: str, hierarchy: Any, **rest: str) -> Any:
    """The one label of one value, ``uncovered: suppress`` so that none is an answer."""
    (labels,) = labels_of(kind, [value], hierarchy, uncovered="suppress", **rest).values()
    (found,) = labels
    return found


def labelled(kind: str, labels: Mapping[str, str | None], hierarchy: Any, **rest: str) -> None:
    """Assert that each value, written in SQL, has the label."""
    found = labels_of(kind, list(labels), hierarchy, uncovered="suppress", **rest)
    assert found == {value: [expected] for value, expected in labels.items()}


def test_intervals_hold_their_lower_edge_and_not_their_upper() -> None:
    edges = {"19": "[10, 20)", "20": "[20, 30)", "29": "[20, 30)", "30": "[30, 40)"}
    labelled("INTEGER", edges, {"intervals": [10]})


def test_intervals_below_zero_round_down() -> None:
    edges = {"-1": "[-5, 0)", "-5": "[-5, 0)", "-6": "[-10, -5)", "0": "[0, 5)"}
    labelled("INTEGER", edges, {"intervals": [5]})


def test_intervals_count_from_their_origin() -> None:
    edges = {"-1": "[-7, 3)", "3": "[3, 13)", "12": "[3, 13)", "-7": "[-7, 3)", "-8": "[-17, -7)"}
    labelled("INTEGER", edges, {"intervals": [10], "origin": 3})


def test_a_tenth_is_exact_over_decimals() -> None:
    edges = {"0.10": "[0.1, 0.2)", "0.29": "[0.2, 0.3)", "0.30": "[0.3, 0.4)", "0.70": "[0.7, 0.8)"}
    below = {"-0.01": "[-0.1, 0.0)", "-0.10": "[-0.1, 0.0)", "-0.11": "[-0.2, -0.1)"}
    labelled("DECIMAL(9,2)", edges | below, {"intervals": ["0.1"]})


def test_edges_show_as_many_decimals_as_the_width() -> None:
    labelled("DECIMAL(9,2)", {"2.49": "[0.00, 2.50)"}, {"intervals": ["2.50"]})


def test_edges_show_as_many_decimals_as_the_origin() -> None:
    labelled("INTEGER", {"7": "[5.25, 10.25)"}, {"intervals": [5], "origin": "0.25"})


def test_widths_may_be_written_with_an_exponent() -> None:
    labelled("INTEGER", {"19": "[10, 20)"}, {"intervals": ["1e1"]})


@pytest.mark.parametrize("kind", ["TINYINT", "SMALLINT", "UTINYINT", "USMALLINT", "UINTEGER"])
def test_intervals_outgrow_a_narrow_type(kind: str) -> None:
    labelled(kind, {"127": "[100, 200)"}, {"intervals": [100]})


def test_intervals_hold_the_largest_numbers_of_64_bits() -> None:
    labelled(
        "UBIGINT",
        {"18446744073709551615": "[18446744073709551610, 18446744073709551620)"},
        {"intervals": [10]},
    )


@pytest.mark.parametrize("value", ["170141183460469231731687303715884105727", BEYOND])
def test_hugeints_with_edges_past_38_digits_are_uncovered(value: str) -> None:
    assert label("HUGEINT", value, {"intervals": [10]}) is None


@pytest.mark.parametrize("value", [BEYOND, f"-{BEYOND}"])
def test_decimals_with_edges_past_38_digits_are_uncovered(value: str) -> None:
    assert label("DECIMAL(38,0)", value, {"intervals": [10]}) is None


@pytest.mark.parametrize("value", ["'nan'", "'infinity'", "'-infinity'", "1e30"])
@pytest.mark.parametrize("kind", ["DOUBLE", "FLOAT"])
def test_what_is_no_exact_number_is_in_no_interval(kind: str, value: str) -> None:
    assert label(kind, value, {"intervals": ["0.1"]}) is None


@pytest.mark.parametrize(
    ("value", "width", "expected"),
    [
        ("-0.0", "0.1", "[0.0, 0.1)"),
        ("0.30000000000000004", "0.1", "[0.3, 0.4)"),
        ("0.7", "0.1", "[0.7, 0.8)"),
        ("34127.7", "0.1", "[34127.7, 34127.8)"),
        ("561678390", "10", "[561678390, 561678400)"),
        ("9007199254740990", "10", "[9007199254740990, 9007199254741000)"),
    ],
)
def test_doubles_are_in_the_interval_of_the_number_they_show(
    value: str, width: str, expected: str
) -> None:
    assert label("DOUBLE", value, {"intervals": [width]}) == expected


@pytest.mark.parametrize(
    ("value", "expected"), [("0.1", "[0.1, 0.2)"), ("16777216", "[16777216.0, 16777216.1)")]
)
def test_floats_are_in_the_interval_of_the_number_they_show(value: str, expected: str) -> None:
    assert label("FLOAT", value, {"intervals": ["0.1"]}) == expected


def test_cuts_are_half_open_with_open_ends() -> None:
    edges = {"17": "< 18", "18": "[18, 40)", "39": "[18, 40)", "40": ">= 40", "-3": "< 18"}
    labelled("INTEGER", edges, {"intervals": [{"cuts": [18, 40]}]})


def test_closed_cuts_cover_nothing_outside_them() -> None:
    edges = {"17": None, "18": "[18, 40)", "39": "[18, 40)", "40": None}
    labelled("INTEGER", edges, {"intervals": [{"cuts": [18, 40], "closed": True}]})


def test_cuts_are_printed_as_they_are_written() -> None:
    edges = {"2.49": "< 2.50", "2.50": "[2.50, 05)", "5": ">= 05"}
    labelled("DECIMAL(9,2)", edges, {"intervals": [{"cuts": ["2.50", "05"]}]})


def test_cuts_finer_than_the_column_still_part_its_values() -> None:
    labelled("INTEGER", {"2": "< 2.5", "3": ">= 2.5"}, {"intervals": [{"cuts": ["2.5"]}]})


def test_no_number_at_all_is_in_no_cut() -> None:
    assert label("DOUBLE", "'nan'", {"intervals": [{"cuts": [0, 1]}]}) is None


@pytest.mark.parametrize(("value", "expected"), [("1e300", ">= 1"), ("-1e300", "< 0")])
def test_open_ends_hold_every_finite_double(value: str, expected: str) -> None:
    assert label("DOUBLE", value, {"intervals": [{"cuts": [0, 1]}]}) == expected


def test_open_ends_hold_the_largest_hugeint() -> None:
    value = "170141183460469231731687303715884105727"
    assert label("HUGEINT", value, {"intervals": [{"cuts": [0, 1]}]}) == ">= 1"


def test_falling_cuts_are_refused() -> None:
    with pytest.raises(PolicyError, match="cuts must rise; found 40, 18"):
        label("INTEGER", "1", {"intervals": [{"cuts": [40, 18]}]})


def test_intervals_of_text_are_refused() -> None:
    with pytest.raises(PolicyError, match="intervals need a number or a date"):
        label("VARCHAR", "'1'", {"intervals": [10]})


def test_days_are_counted_from_1970() -> None:
    edges = {
        "'1969-12-31'": "[1969-12-25, 1970-01-01)",
        "'1970-01-01'": "[1970-01-01, 1970-01-08)",
        "'1970-01-07'": "[1970-01-01, 1970-01-08)",
        "'1970-01-08'": "[1970-01-08, 1970-01-15)",
    }
    labelled("DATE", edges, {"intervals": [7]})


def test_days_are_counted_from_their_origin() -> None:
    edges = {"'2024-03-01'": "[2024-02-01, 2024-03-02)", "'2024-01-31'": "[2024-01-02, 2024-02-01)"}
    labelled("DATE", edges, {"intervals": [30], "origin": "2024-02-01"})


def test_a_timestamp_is_in_the_interval_of_its_day() -> None:
    edges = {
        "'2024-02-29 23:59:59.999999'": "[2024-02-29, 2024-03-01)",
        "'2024-03-01'": "[2024-03-01, 2024-03-02)",
        "'1969-12-31 23:59:59.999999'": "[1969-12-31, 1970-01-01)",
    }
    labelled("TIMESTAMP", edges, {"intervals": [1]})


def test_cuts_part_timestamps_at_midnight() -> None:
    edges = {"'2024-02-29 23:59:59.999999'": "< 2024-03-01", "'2024-03-01'": ">= 2024-03-01"}
    labelled("TIMESTAMP", edges, {"intervals": [{"cuts": ["2024-03-01"]}]})


@pytest.mark.parametrize("value", ["'infinity'", "'10000-01-01'", "'0001-01-01 (BC)'"])
@pytest.mark.parametrize("hierarchy", [{"intervals": [7]}, {"dates": ["year"]}])
def test_days_outside_the_years_1_to_9999_are_uncovered(value: str, hierarchy: Any) -> None:
    assert label("DATE", value, hierarchy) is None


def test_intervals_of_days_have_both_edges_in_the_years_1_to_9999() -> None:
    edges = {
        "'0001-01-01'": "[0001-01-01, 0001-01-02)",
        "'9999-12-30'": "[9999-12-30, 9999-12-31)",
        "'9999-12-31'": None,
    }
    labelled("DATE", edges, {"intervals": [1]})


@pytest.mark.parametrize(
    ("unit", "labels"),
    [
        ("day", ["2024-02-29", "2020-12-31", "2021-01-03", "0009-12-31"]),
        ("week", ["2024-W09", "2020-W53", "2020-W53", "0009-W53"]),
        ("month", ["2024-02", "2020-12", "2021-01", "0009-12"]),
        ("quarter", ["2024-Q1", "2020-Q4", "2021-Q1", "0009-Q4"]),
        ("year", ["2024", "2020", "2021", "0009"]),
        ("decade", ["2020s", "2020s", "2020s", "0000s"]),
    ],
)
def test_calendar_units_label_days(unit: str, labels: list[str]) -> None:
    days = ["'2024-02-29'", "'2020-12-31'", "'2021-01-03'", "'0009-12-31'"]
    labelled("DATE", dict(zip(days, labels, strict=True)), {"dates": [unit]})


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo", "America/Los_Angeles"])
def test_instants_are_days_in_utc_whatever_the_session_says(zone: str) -> None:
    value, before = "'2024-03-01 00:30:00+01'", f"SET TimeZone = '{zone}'"
    assert label("TIMESTAMPTZ", value, {"dates": ["day"]}, before=before) == "2024-02-29"


@pytest.mark.parametrize(
    ("birth", "at", "expected"),
    [
        ("2004-02-29", "2023-02-28", "[18, 19)"),
        ("2004-02-29", "2023-03-01", "[19, 20)"),
        ("2004-02-29", "2024-02-28", "[19, 20)"),
        ("2004-02-29", "2024-02-29", "[20, 21)"),
        ("2003-03-01", "2023-02-28", "[19, 20)"),
        ("2023-02-28", "2023-02-28", "[0, 1)"),
        ("2023-03-01", "2023-02-28", None),
    ],
)
def test_ages_are_complete_years_with_leap_day_birthdays_on_1_march(
    birth: str, at: str, expected: str | None
) -> None:
    assert label("DATE", f"'{birth}'", {"dates": [{"age_band": 1, "at": at}]}) == expected


def test_age_bands_are_counted_from_0() -> None:
    edges = {"'1994-01-01'": "[30, 40)", "'1984-01-02'": "[30, 40)", "'1984-01-01'": "[40, 50)"}
    labelled("DATE", edges, {"dates": [{"age_band": 10, "at": "2024-01-01"}]})


def test_prefixes_count_code_points() -> None:
    edges = {"'🙂🙂ab'": "🙂🙂**", "'e' || chr(769) || 'x'": "e\u0301*", "'🙂'": "🙂", "''": ""}
    labelled("VARCHAR", edges, {"prefixes": [2]})


def test_a_text_no_longer_than_its_prefix_is_itself() -> None:
    labelled("VARCHAR", {"'476'": "476", "'47'": "47", "'4767'": "476*"}, {"prefixes": [3]})


def test_whole_numbers_have_prefixes() -> None:
    labelled("INTEGER", {"47677": "476**"}, {"prefixes": [3]})


def test_a_level_can_be_an_expression_over_the_column() -> None:
    labelled("VARCHAR", {"'ab'": "a", "'b'": "b"}, {"sql": ["left(v, 1)"]})


def test_an_expression_that_gives_null_does_not_cover_the_value() -> None:
    with pytest.raises(HierarchyError, match=r"1 distinct value \(2 rows\)"):
        labels_of("INTEGER", ["1", "1", "2"], {"sql": ["CASE WHEN v = 2 THEN 'two' END"]})


def test_null_is_a_value_of_its_own_below_the_top() -> None:
    found = labels_of("INTEGER", ["1", "NULL"], {"intervals": [10]})
    assert found == {"1": ["[0, 10)"], "NULL": [None]}


def test_null_can_be_fully_general() -> None:
    found = labels_of("INTEGER", ["1", "NULL"], {"intervals": [10]}, nulls="top")
    assert found == {"1": ["[0, 10)"], "NULL": ["*"]}


def test_uncovered_values_can_be_fully_general() -> None:
    found = labels_of(
        "VARCHAR", ["'a'", "'b'"], {"tree": {"x": ["a"], "y": ["c"]}}, uncovered="top"
    )
    assert found == {"'a'": ["x"], "'b'": ["*"]}


LINES = [["a", "x", "all"], ["b", "x", "all"], ["it's;", "y", "all"], ["🙂", "y", "all"]]
TREE = {"x": ["a", "b"], "y": ["it's;", "🙂"]}
LEAVES = ["'a'", "'b'", "'it''s;'", "'🙂'"]
TABLE = "CREATE TABLE l (a VARCHAR, b VARCHAR, c VARCHAR); INSERT INTO l VALUES " + ", ".join(
    "(" + ", ".join("'" + field.replace("'", "''") + "'" for field in line) + ")" for line in LINES
)


def test_the_three_kinds_of_list_give_the_same_labels(tmp_path: Path) -> None:
    write_lines(tmp_path / "lines.csv", LINES)
    in_file = {"csv": str(tmp_path / "lines.csv"), "delimiter": ";"}
    expected = {value: [label] for value, label in zip(LEAVES, "xxyy", strict=True)}
    assert labels_of("VARCHAR", LEAVES, in_file) == expected
    assert labels_of("VARCHAR", LEAVES, {"table": "l"}, before=TABLE) == expected
    assert labels_of("VARCHAR", LEAVES, {"tree": TREE}) == expected


def test_a_leaf_above_the_deepest_of_a_tree_repeats_itself_first() -> None:
    found = labels_of("VARCHAR", ["'a'", "'b'"], {"tree": {"x": ["a"], "y": {"z": ["b"]}}})
    assert found == {"'a'": ["a", "x"], "'b'": ["z", "y"]}


def test_the_empty_text_can_be_a_leaf_above_the_deepest_of_a_tree() -> None:
    found = labels_of("VARCHAR", ["''", "'b'"], {"tree": {"x": [""], "y": {"z": ["b"]}}})
    assert found == {"''": ["", "x"], "'b'": ["z", "y"]}


def test_a_lists_last_level_gives_the_top_its_label() -> None:
    found = labels_of("VARCHAR", ["'z'"], {"table": "l"}, before=TABLE, uncovered="top")
    assert found == {"'z'": ["all"]}


def test_a_top_is_added_where_the_last_level_has_two_labels() -> None:
    before = "CREATE TABLE l AS SELECT * FROM (VALUES ('a', 'x'), ('b', 'y')) AS line (v, label)"
    assert labels_of("VARCHAR", ["'a'"], {"table": "l"}, before=before) == {"'a'": ["x"]}


def test_a_lists_values_are_read_in_the_columns_type() -> None:
    before = "CREATE TABLE l AS SELECT * FROM (VALUES ('01', 'x'), ('2', 'y')) AS line (v, label)"
    found = labels_of("INTEGER", ["1", "2"], {"table": "l"}, before=before)
    assert found == {"1": ["x"], "2": ["y"]}
