"""Checks of what a finished table has lost against its source."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import duckdb
import pytest

from sqlgen import Audit, Policy, audit_table, read_policy
from sqlgen.cli.text.results import audit_text

SIZES = {"discernibility", "average_class_size"}


AGES = {"age": {"role": "quasi", "hierarchy": {"intervals": [10]}}}


SEXES = {"sex": {"role": "quasi", "hierarchy": "suppress"}}


ILLNESS = {"illness": {"role": "sensitive"}}


# Four ages and two sexes, each a leaf.
PEOPLE = [(21, "f", "flu"), (24, "f", "cold"), (35, "m", "flu"), (38, "m", None)]


# Local recoding: the ages of two rows are decades, of one itself, of one anything.
LOCAL = [("[20, 30)", "f", "flu"), ("[20, 30)", "f", "cold"), ("35", "m", "flu"), ("*", "*", None)]


def policy_of(columns: Mapping[str, Any], **more: Any) -> Policy:
    return read_policy(
        {
            "source": {"table": "people"},
            "columns": dict(columns),
            "guarantees": [{"k_anonymity": {"k": 2}}],
            **more,
        }
    )


def made_of(
    source: Sequence[tuple[Any, ...]], shown: Sequence[tuple[Any, ...]], columns: Sequence[str]
) -> duckdb.DuckDBPyConnection:
    """A source, and a table that some tool made of it, all of it text."""
    connection = duckdb.connect(config={"threads": 1})
    marks = ", ".join("?" for _ in columns)
    for table, rows, types in (
        ("people", source, ["INTEGER" if name == "age" else "VARCHAR" for name in columns]),
        ("theirs", shown, ["VARCHAR"] * len(columns)),
    ):
        described = ", ".join(f"{name} {kind}" for name, kind in zip(columns, types, strict=True))
        connection.execute(f"CREATE TABLE {table} ({described})")
        if rows:
            connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
    return connection


def people(
    shown: Sequence[tuple[Any, ...]] = LOCAL, source: Sequence[tuple[Any, ...]] = PEOPLE
) -> duckdb.DuckDBPyConnection:
    return made_of(source, shown, ["age", "sex", "illness"])


def audit(
    shown: Sequence[tuple[Any, ...]] = LOCAL,
    source: Sequence[tuple[Any, ...]] = PEOPLE,
    **more: Any,
) -> Audit:
    policy = policy_of({**AGES, **SEXES, **ILLNESS}, **more)
    return audit_table(policy, "theirs", people(shown, source))


def local_recoding_counts_by_each_row_and_its_labels() -> None:
    found = audit()
    # The ages cover 2 + 2 + 1 + 4 leaves, of 4 each: (9/16 - 1/4) / (3/4); the sexes 5 of 2 each.
    ages = (2 * math.log(2) + math.log(4)) / (4 * math.log(4))
    sexes = (3 * math.log(2) + math.log(4) - 4 * math.log(2)) / (4 * math.log(2))
    assert found.metrics == pytest.approx(
        {
            "loss": math.sqrt((1 + 5 / 12) * (1 + 1 / 4)) - 1,
            "discernibility": 4 + 1 + 1,
            "average_class_size": 4 / 3,
            "height": 2 + 1,
            "precision": ((1 / 2 + 1 / 2 + 0 + 1) / 4 + 1 / 4) / 2,
            "non_uniform_entropy": (ages + sexes) / 2,
            # p is 1/4; p' is 2/4 over 2 leaves, 1/4 over 1 and 1/4 over 8.
            "kl_divergence": math.log(8) / 4,
            "ambiguity": (2 + 2 + 1 + 8) / 4,
        },
        abs=1e-12,
    )
    assert (found.not_measured, found.answers) == ("", ())


def suppressed_rows_cover_everything() -> None:
    found = audit(LOCAL[:3]).metrics
    assert found["loss"] == pytest.approx(math.sqrt((1 + 5 / 12) * (1 + 1 / 4)) - 1)
    assert found["discernibility"] == 4 + 1 + 1 * 4
    assert found["precision"] == ((1 / 2 + 1 / 2 + 0 + 1) / 4 + (0 + 0 + 0 + 1) / 4) / 2
    assert (found["height"], found["ambiguity"]) == (1, (2 + 2 + 1 + 8) / 4)
    assert found["kl_divergence"] == pytest.approx(math.log(8) / 4)


def answers_count_by_the_share_of_a_labels_leaves() -> None:
    queries = [
        {"age": "age < 24"},
        {"age": "age > 30", "sex": "sex = 'm'"},
        {"illness": "illness = 'flu'", "age": "age = 21"},
        {"sex": "sex = 'x'"},
    ]
    found = audit(queries=queries)
    told = [(each.true, each.estimate) for each in found.answers]
    # Decades are half below 24; of the anything, a quarter. It is a man by half, past 30 by half.
    assert told == [(1, 2 / 2 + 1 / 4), (2, 1 + 1 / 4), (1, 1 / 2), (0, 0)]
    errors = [1 / 4, 3 / 8, 1 / 2, 0]
    assert found.metrics["query_error"] == pytest.approx(sum(errors) / 4)
    assert found.to_dict()["queries"][0] == {"true": 1, "estimate": 1.25, "error": 0.25}
    # Without the illness the two rows of a decade are one cell.
    assert audit(queries=queries[:1]).answers == found.answers[:1]
    # The label g stands for c too, as the leaves of the level that it is read at.
    queries = [{"name": "name = 'c'"}]
    (answer,) = of_names([("d",), ("g",), ("g",)], queries=queries).answers
    assert answer.true == 1
    assert answer.estimate == pytest.approx(2 / 3)


# The label g stands for a and b at level 1, and for c too at level 2.
TREE = {"tree": {"g": {"g": ["a", "b"], "h": ["c"]}, "k": {"k": ["d", "e"]}}}


NAMES = [("a",), ("b",), ("c",), ("d",)]


def of_names(shown: Sequence[tuple[str]], queries: Sequence[Any] = (), **declared: Any) -> Audit:
    policy = policy_of(
        {"name": {"role": "quasi", "hierarchy": TREE, **declared}}, queries=list(queries)
    )
    return audit_table(policy, "theirs", made_of(NAMES, shown, ["name"]))


def a_label_of_two_levels_is_of_one_that_has_as_many_rows() -> None:
    # Three rows: only level 2 has so many; its leaves are 3, 3, 3 and 2 of 5.
    found = of_names([("g",), ("g",), ("g",), ("k",)]).metrics
    assert (found["height"], found["ambiguity"]) == (2, 11 / 4)
    # Two rows may be of level 1, of which c is suppressed: 2, 2, 5 and 2 of 5.
    found = of_names([("g",), ("g",), ("k",)]).metrics
    assert (found["height"], found["ambiguity"]) == (1, 11 / 4)
    assert found["loss"] == pytest.approx((11 / 20 - 1 / 5) / (4 / 5))
    # The policy says that the column is at level 2: 3, 3, 5 and 2 of 5.
    found = of_names([("g",), ("g",), ("k",)], levels=2).metrics
    assert (found["height"], found["ambiguity"]) == (2, 13 / 4)
    # Beside a value, it is of the level at which it covers most: 1, 3, 3 of 5, one suppressed.
    found = of_names([("d",), ("g",), ("g",)]).metrics
    assert (found["height"], found["ambiguity"]) == (2, (1 + 3 + 3 + 5) / 4)
    assert found["precision"] == pytest.approx((0 + 2 / 3 + 2 / 3 + 1) / 4)
    # Where it covers the same at two levels, of the finer one: k at level 1, and two gone.
    found = of_names([("a",), ("k",)]).metrics
    assert (found["height"], found["ambiguity"]) == (1, (1 + 2 + 5 + 5) / 4)
    assert found["precision"] == pytest.approx((0 + 1 / 3 + 1 + 1) / 4)


def a_table_of_labels_of_nothing_tells_its_sizes() -> None:
    for shown, reason in (
        ([("canary", "f", None)], "age shows 1 label that no level of its hierarchy has"),
        ([(None, "f", None), ("x", "y", None)], "age shows 2 labels that no level of"),
        ([("35", "f", None)] * 2, "age shows 1 label in more rows than the source has of them"),
        ([("*", "f", None)] * 3, "sex shows 1 label in more rows than the source has of them"),
    ):
        found = audit(shown)
        assert found.not_measured.startswith(reason)
        assert set(found.metrics) == SIZES
        (size,) = {len(shown) // len({*shown})}
        gone = (4 - len(shown)) * 4
        assert found.metrics["average_class_size"] == len(shown) / len({*shown})
        assert found.metrics["discernibility"] == size * len(shown) + gone
        assert "canary" not in audit_text(found) + json.dumps(found.to_dict())


GOOD = [["a", "g"], ["b", "g"], ["c", "h"], ["d", "h"]]


def a_list_that_no_plan_could_be_made_with_is_not_read() -> None:
    for wrong, uncovered, is_read in (
        ([], "error", True),
        ([["e", "h"]], "error", True),
        ([["a", "h"]], "error", False),
        ([["a", "h"]], "top", False),
        ([["e", ""]], "top", False),
        ([[None, "g"]], "top", False),
    ):
        connection = made_of(NAMES, [("g",), ("g",)], ["name"])
        connection.execute("CREATE TABLE lines (value VARCHAR, label VARCHAR)")
        connection.executemany("INSERT INTO lines VALUES (?, ?)", [*GOOD, *wrong])
        listed = {"role": "quasi", "hierarchy": {"table": "lines"}, "uncovered": uncovered}
        found = audit_table(policy_of({"name": listed}), "theirs", connection)
        assert (found.not_measured == "") == is_read
        # A leaf that no row has is a leaf all the same: and those of a row that is gone too.
        leaves = len(GOOD) + len(wrong)
        told = {"ambiguity": (2 + 2 + 2 * leaves) / 4} if is_read else {}
        assert {key: found.metrics[key] for key in found.metrics if key == "ambiguity"} == told
    for rows, uncovered, is_read in ((NAMES, "error", True), ([*NAMES, ("x",)], "error", False)):
        connection = made_of(rows, [("g",), ("g",)], ["name"])
        connection.execute("CREATE TABLE lines (value VARCHAR, label VARCHAR)")
        connection.executemany("INSERT INTO lines VALUES (?, ?)", GOOD)
        listed = {"role": "quasi", "hierarchy": {"table": "lines"}, "uncovered": uncovered}
        found = audit_table(policy_of({"name": listed}), "theirs", connection)
        assert (found.not_measured == "") == is_read
        listed["uncovered"] = "suppress"
        found = audit_table(policy_of({"name": listed}), "theirs", connection)
        assert found.not_measured == ""
        # What the policy suppresses is no leaf, and its rows are among those that are gone.
        gone = len(rows) - 2
        assert found.metrics["ambiguity"] == (2 + 2 + gone * 4) / len(rows)


CHECKS: tuple[Callable[[], None], ...] = (
    local_recoding_counts_by_each_row_and_its_labels,
    suppressed_rows_cover_everything,
    answers_count_by_the_share_of_a_labels_leaves,
    a_label_of_two_levels_is_of_one_that_has_as_many_rows,
    a_table_of_labels_of_nothing_tells_its_sizes,
    a_list_that_no_plan_could_be_made_with_is_not_read,
)
