"""Checks of ranges and sets of values in a finished table: what an audit makes of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import duckdb
import pytest

from sqlgen import Audit, audit_table, read_policy
from sqlgen.errors import PolicyError

SIZES = {"discernibility", "average_class_size"}
# Text is ordered by these labels: a stands after z, and the letter that no row has is a leaf.
LETTERS = {"tree": {"x": ["b", "z"], "y": ["a", "m", "none"]}}


@dataclass(frozen=True)
class Quasi:
    """A quasi-identifier: its type, its values in the source, and its labels in the table."""

    values: Sequence[Any]
    labels: Sequence[str | None]
    type: str = "VARCHAR"
    hierarchy: Any = "suppress"
    more: Mapping[str, Any] = field(default_factory=dict)


def literal(value: Any) -> str:
    return "NULL" if value is None else "'" + str(value).replace("'", "''") + "'"


def audit(
    columns: Mapping[str, Quasi],
    guarantees: Sequence[Any] = ({"k_anonymity": {"k": 2}},),
    people: Mapping[str, Sequence[Any]] | None = None,
    **more: Any,
) -> Audit:
    """The audit of a table with these labels, each beside one number of a person in the source."""
    connection = duckdb.connect(config={"threads": 1})
    tables = {"source": {name: column.values for name, column in columns.items()}}
    if people is not None:
        tables["town"] = dict(people)
    for table, held in tables.items():
        types = [f"{name} {column.type}" for name, column in columns.items()]
        connection.execute(f"CREATE TABLE {table} ({', '.join(types)}, person INTEGER)")
        rows = list(zip(*held.values(), strict=True))
        for number, row in enumerate(rows):
            values = ", ".join(map(literal, row))
            connection.execute(f"INSERT INTO {table} VALUES ({values}, {number})")
    types = [f"{name} VARCHAR" for name in columns]
    connection.execute(f"CREATE TABLE shown ({', '.join(types)})")
    for row in zip(*(column.labels for column in columns.values()), strict=True):
        connection.execute(f"INSERT INTO shown VALUES ({', '.join(map(literal, row))})")
    declared = {
        name: {"role": "quasi", "hierarchy": column.hierarchy, **column.more}
        for name, column in columns.items()
    }
    policy = read_policy(
        {
            "source": {"table": "source"},
            "columns": {**declared, "person": {"role": "identifier"}},
            "guarantees": list(guarantees),
            **more,
        }
    )
    return audit_table(policy, "shown", connection)


AGES = Quasi(
    (21, 24, 35, 38),
    ("[21, 35]", "[21, 35]", "{24, 35}", "[35, 38]"),
    "INTEGER",
    {"intervals": [10]},
)
SEXES = Quasi(("f", "f", "m", "m"), ("f", "f", "m", "{f, m}"))


def ranges_and_sets_count_by_the_leaves_that_they_hold() -> None:
    queries = [{"age": "age < 24"}, {"age": "age > 30", "sex": "sex = 'm'"}]
    found = audit({"age": AGES, "sex": SEXES}, queries=queries)
    assert found.not_measured == ""
    # Of 4 ages the labels hold 3, 3, 2 and 2, of 2 sexes 1, 1, 1 and 2. Of the source's 4 rows
    # each age has one; three ages are below 30 and above it, so only the top holds 21 to 35.
    ages = 2 * math.log(3) + 2 * math.log(2)
    sexes = 3 * math.log(2) + math.log(4) - 4 * math.log(2)
    expected = {
        "loss": math.sqrt((1 + (10 / 16 - 1 / 4) / (3 / 4)) * (1 + (5 / 8 - 1 / 2) / (1 / 2))) - 1,
        "discernibility": 4 + 1 + 1,
        "average_class_size": 4 / 3,
        "height": 2 + 1,
        "precision": ((1 + 1 + 1 + 1 / 2) / 4 + 1 / 4) / 2,
        "non_uniform_entropy": (ages / (4 * math.log(4)) + sexes / (4 * math.log(2))) / 2,
        # p is 1/4; p' is 2/4 over 3 leaves, 1/4 over 2, 1/4 over 4.
        "kl_divergence": math.log(1 / 4)
        - (2 * math.log(2 / 4 / 3) + math.log(1 / 4 / 2) + math.log(1 / 4 / 4)) / 4,
        "ambiguity": (3 + 3 + 2 + 4) / 4,
        "query_error": (1 / 3 + 1 / 2) / 2,
    }
    assert found.metrics == pytest.approx(expected, abs=1e-12)
    # 21 is a third of two labels; 35 is half of one, and 35 and 38 all of one, which is m by half.
    assert [each.true for each in found.answers] == [1, 2]
    assert [each.estimate for each in found.answers] == pytest.approx([2 / 3, 1 / 2 + 1 / 2])


def columns_that_show_the_same_range_are_told_apart() -> None:
    first = Quasi((1, 2, 3, 4), ["[1, 3]"] * 3, "INTEGER")
    second = Quasi((3, 1, 9, 1), ["[1, 3]"] * 3, "INTEGER")
    queries = [{"first": "first > 1"}, {"second": "second > 1"}]
    found = audit({"first": first, "second": second}, queries=queries)
    # One holds three leaves of four, and two of them are meant; the other two of three, and one.
    assert found.metrics["ambiguity"] == (3 * 3 * 2 + 4 * 3) / 4
    assert [each.estimate for each in found.answers] == pytest.approx([3 * 2 / 3, 3 / 2])


def a_range_is_of_the_order_of_its_columns_values() -> None:
    for kind, values, label, count in (
        ("INTEGER", (9, 10, 100, -1), "[9, 100]", 3),
        ("INTEGER", (9, 10, 100, -1), "[-1, 10]", 3),
        ("INTEGER", (9, 10, 100, -1), "{100, 9}", 2),
        ("DECIMAL(5,1)", ("9.9", "10.0", "1.5", "2"), "[2.0, 10.0]", 3),
        ("DOUBLE", (42, 1e300, 0.5, "-0.0"), "[0.0, 42.0]", 3),
        ("DOUBLE", (42, "inf", 0.5, "nan"), "[42.0, nan]", 3),
        ("FLOAT", (0.1, 0.3, 7, 8), "{0.1, 0.3, 7.0}", 3),
        (
            "DATE",
            ("2020-02-29", "2019-12-31", "2020-10-01", "1900-01-01"),
            "[1900-01-01, 2020-02-29]",
            3,
        ),
        (
            "TIMESTAMP",
            ("2020-02-29", "2019-12-31 12:30:00", "2021-10-01", "1900-01-01"),
            "[2019-12-31 12:30:00, 2021-10-01 00:00:00]",
            3,
        ),
        ("BOOLEAN", ("false", "true", None, "true"), "[NULL, true]", 3),
        ("INTEGER", (None, 10, 9, -1), "[NULL, 9]", 3),
        ("INTEGER", (None, 10, 9, -1), "{NULL, 10}", 2),
        ("VARCHAR", (None, "NULL", "a", ""), '[NULL, "NULL"]', 3),
        ("VARCHAR", (None, "NULL", "a", ""), '{NULL, "", a}', 3),
        ("VARCHAR", ("a, b", 'c"d', "[e]", " f"), '{" f", "a, b", "[e]"}', 3),
        ("VARCHAR", ("a, b", 'c"d', "[e]", " f"), '["[e]", "c""d"]', 3),
        ("VARCHAR", ("B", "a", "é", "z"), "[B, z]", 3),
    ):
        # One row is left, and three are gone, which cover everything.
        leaves = len({*values})
        found = audit({"it": Quasi(values, [label], kind)})
        assert found.not_measured == "", label
        assert found.metrics["ambiguity"] == (count + 3 * leaves) / 4, label


def text_is_ordered_by_its_labels_from_the_top_down() -> None:
    # The order is b, z, a, m and the leaf that no row has.
    values = ("a", "b", "m", "z")
    for label, leaves, level in (
        ("[b, z]", 2, 1),
        ("[z, a]", 2, 2),
        ("[b, m]", 4, 2),
        ("[a, none]", 3, 1),
        ("{a, none}", 2, 1),
        ("{b, m}", 2, 2),
    ):
        found = audit({"it": Quasi(values, [label], hierarchy=LETTERS)})
        assert found.metrics["ambiguity"] == (leaves + 3 * 5) / 4, label
        assert found.metrics["precision"] == pytest.approx((level / 2 + 3) / 4), label
        assert found.metrics["height"] == level
    assert audit({"it": Quasi(values, ["[a, z]"], hierarchy=LETTERS)}).not_measured


def what_names_no_value_of_the_column_is_not_read() -> None:
    for label in (
        *("[21, 36]", "[20, 35]", "{21, 36}", "[35, 21]", "[21, 21]", "{21, 21}", "{21}"),
        *("[21, 35", "[21,35]", "[21, 35)", "[021, 35]", "[21.0, 35]", "[21, 24, 35]", "[21]"),
        *("x[21, 35]", "[21, 35] ", "[21, 35][21, 35]", "{21, 35}, {21, 35}"),
        *('["21", 35]', "[21, NULL]", "[NULL, 35]", "[*, 35]", "[21, [21, 24]]", '["21, 35]'),
    ):
        found = audit(
            {"age": Quasi(AGES.values, [label], AGES.type, AGES.hierarchy), "sex": SEXES_1}
        )
        assert found.not_measured == "age shows 1 label that no level of its hierarchy has", label
        assert set(found.metrics) == SIZES
    for label in ("[42, 43.0]", "[42.0, 43]", "{42., 43.0}"):
        found = audit({"it": Quasi((42, 43), [label], "DOUBLE")})
        assert found.not_measured.startswith("it shows 1 label"), label
    # One of two labels is a range.
    labels = ("[21, 24]", "[21, 25]")
    found = audit({"age": Quasi(AGES.values, labels, AGES.type, AGES.hierarchy)})
    assert found.not_measured.startswith("age shows 1 label that")


SEXES_1 = Quasi(SEXES.values, ["f"])


def a_value_that_may_not_be_released_is_no_end_and_no_leaf() -> None:
    listed = {"tree": {"x": ["a", "c"], "y": ["e"]}}
    for label, uncovered, leaves in (
        ("[a, e]", "suppress", 3),
        ("[a, b]", "suppress", None),
        ("{a, b}", "suppress", None),
        ("[a, c]", "suppress", 2),
        # Its label below the top is *, which comes before x.
        ("[b, c]", "top", 3),
        ("[b, e]", "top", 4),
    ):
        column = Quasi(
            ("a", "b", "c", "e"), [label], hierarchy=listed, more={"uncovered": uncovered}
        )
        found = audit({"it": column})
        if leaves is None:
            assert found.not_measured, label
        else:
            every = 3 if uncovered == "suppress" else 4
            assert found.metrics["ambiguity"] == (leaves + 3 * every) / 4, label
    # The text of a value that is suppressed reads as a range.
    column = Quasi(
        ("a", "[a, c]", "c", "e"), ["[a, c]"], hierarchy=listed, more={"uncovered": "suppress"}
    )
    assert audit({"it": column}).not_measured
    nulls = Quasi((None, 1, 2, 3), ["[NULL, 2]"], "INTEGER", more={"nulls": "suppress"})
    assert audit({"it": nulls}).not_measured


def a_label_of_a_level_is_no_range() -> None:
    tree = {"tree": {"[a, c]": ["a", "b"], "{a, b}": ["c", "d"]}}
    # By the hierarchy they hold two leaves each; as a range it would be three.
    column = Quasi(("a", "b", "c", "d"), ("[a, c]", "[a, c]", "{a, b}"), hierarchy=tree)
    found = audit({"it": column})
    assert found.metrics["ambiguity"] == (2 + 2 + 2 + 4) / 4
    assert found.metrics["height"] == 1
    # Beside one that is a range, and in more rows than the hierarchy gives it.
    column = Quasi(("a", "b", "c", "d"), ("[a, c]", "[b, c]"), hierarchy=tree)
    found = audit({"it": column})
    assert found.metrics["ambiguity"] == (2 + 2 + 4 + 4) / 4
    assert found.metrics["height"] == 2
    column = Quasi(("a", "b", "c", "d"), ["[a, c]"] * 3, hierarchy=tree)
    assert "in more rows" in audit({"it": column}).not_measured


def a_label_in_more_rows_than_its_values_is_not_read() -> None:
    for labels, is_read in (
        (["[21, 24]"] * 3, True),
        (["[21, 24]"] * 4, False),
        (["{21, 38}"] * 3, False),
        (["{21, 38}"] * 2, True),
        (["[24, 38]"] * 4, True),
        (["[21, 24]", *["{24, 35}"] * 3], True),
        (["[21, 24]", *["{21, 24}"] * 4], False),
    ):
        # There are two of 24.
        values = (21, 24, 35, 38, 24)
        found = audit({"age": Quasi(values, labels, AGES.type, AGES.hierarchy)})
        reason = "age shows 1 label in more rows than the source has of them"
        assert found.not_measured == ("" if is_read else reason)


K_MAP = [{"k_map": {"k": 2, "population": {"table": "town"}}}]


def people_match_the_ranges_and_sets_that_hold_their_values() -> None:
    # The first class matches 21 and 24, f, and 30, f, who lies between values of the source.
    town: Mapping[str, Sequence[Any]] = {
        "age": (21, 24, 30, 35, 38, 38),
        "sex": ("f", "f", "f", "m", "f", "x"),
    }
    found = audit({"age": AGES, "sex": SEXES}, K_MAP, town)
    # The second is 24 or 35 and m; the third 35 to 38 and f or m.
    (measured,) = found.guarantees
    assert (measured.value, measured.failing_classes) == (1, 1)
    assert measured.figures[-1] == 3
    town = {"age": (24, 35, 35, 30), "sex": ("m", "m", "f", "f")}
    (measured,) = audit({"age": AGES, "sex": SEXES}, K_MAP, town).guarantees
    assert (measured.value, measured.failing_classes) == (2, 0)
    # A column with fewer labels than the one before it.
    anyone = Quasi(SEXES.values, ["{f, m}"] * 4)
    town = {"age": (21, 24, 35, 35, 30), "sex": ("m", "m", "f", "f", "m")}
    (measured,) = audit({"age": AGES, "sex": anyone}, K_MAP, town).guarantees
    # 21 to 35 matches all of them, 24 or 35 three, 35 to 38 two.
    assert (measured.value, measured.figures[-1]) == (2, 5)
    labels = Quasi(AGES.values, ("[21, 40]", *AGES.labels[1:]), AGES.type, AGES.hierarchy)
    with pytest.raises(PolicyError, match="shows 1 labels of age that no level has"):
        audit({"age": labels, "sex": SEXES}, K_MAP, town)


def people_without_a_value_or_with_one_that_is_suppressed_are_known() -> None:
    listed = {"tree": {"x": ["a", "c"], "y": ["e"]}}
    column = Quasi(
        ("a", "c", "e", "e"), ["[a, e]"], hierarchy=listed, more={"uncovered": "suppress"}
    )
    (measured,) = audit({"it": column}, K_MAP, {"it": ("a", "b", "c", "e")}).guarantees
    assert measured.value == 3
    ages = Quasi((21, 24, None, 38), ("[NULL, 24]", None), "INTEGER")
    (measured,) = audit({"age": ages}, K_MAP, {"age": (None, None, 21, 38, 5)}).guarantees
    assert (measured.value, measured.figures[-1]) == (2, 4)
    ages = Quasi((21, None, None, 24), (None, None, "{21, 24}", "{21, 24}"), "INTEGER")
    (measured,) = audit({"age": ages}, BY_PERSON).guarantees
    assert (measured.value, measured.failing_classes) == (2, 0)


BY_PERSON = [{"k_anonymity": {"k": 2, "unit": "person"}}]


def persons_behind_ranges_and_sets_are_counted_in_the_source() -> None:
    ages = Quasi(AGES.values, ("[21, 24]", "[21, 24]", "[35, 38]", "[35, 38]"), "INTEGER")
    sexes = Quasi(("f", "m", "m", "f"), ("{f, m}",) * 4)
    (measured,) = audit({"age": ages, "sex": sexes}, BY_PERSON).guarantees
    assert (measured.value, measured.failing_classes) == (2, 0)
    sexes = Quasi(("f", "m", "m", "x"), ("{f, m}", "{f, m}", "{m, x}", "{m, x}"))
    (measured,) = audit({"age": ages, "sex": sexes}, BY_PERSON).guarantees
    assert (measured.value, measured.failing_classes) == (2, 0)
    sexes = Quasi(("f", "m", "m", "f"), ("{f, m}",) * 4)
    ages = Quasi(AGES.values, ("21", "{24, 38}", "35", "{24, 38}"), "INTEGER")
    (measured,) = audit({"age": ages, "sex": sexes}, BY_PERSON).guarantees
    assert (measured.value, measured.failing_classes) == (1, 2)


def rows_that_fit_several_classes_are_said_to() -> None:
    sexes = Quasi(("f", "m", "m", "f"), ("{f, m}",) * 4)
    ages = Quasi(AGES.values, ("[21, 35]", "[21, 35]", "[35, 38]", "[35, 38]"), "INTEGER")
    found = audit({"age": ages, "sex": sexes}, BY_PERSON)
    assert found.guarantees == ()
    assert found.not_counted.startswith("rows of the source fit several classes")
    assert not found.satisfied
    # A row of the source is in no class: it has changed.
    ages = Quasi((*AGES.values, 40), ("[21, 24]", "[35, 38]", "[35, 38]"), "INTEGER")
    sexes = Quasi(("f", "m", "m", "f", "f"), ("{f, m}",) * 3)
    found = audit({"age": ages, "sex": sexes}, BY_PERSON)
    assert (found.guarantees, found.not_counted) == ((), "")


CHECKS: tuple[Callable[[], None], ...] = (
    ranges_and_sets_count_by_the_leaves_that_they_hold,
    columns_that_show_the_same_range_are_told_apart,
    a_range_is_of_the_order_of_its_columns_values,
    text_is_ordered_by_its_labels_from_the_top_down,
    what_names_no_value_of_the_column_is_not_read,
    a_value_that_may_not_be_released_is_no_end_and_no_leaf,
    a_label_of_a_level_is_no_range,
    a_label_in_more_rows_than_its_values_is_not_read,
    people_match_the_ranges_and_sets_that_hold_their_values,
    people_without_a_value_or_with_one_that_is_suppressed_are_known,
    persons_behind_ranges_and_sets_are_counted_in_the_source,
    rows_that_fit_several_classes_are_said_to,
)
