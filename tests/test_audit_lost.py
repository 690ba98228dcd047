"""What an audit says is lost, by hand: local recoding, labels that mean two things, refusals."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pytest

from cli_harness import Clinic, make_clinic, shows_no_canary
from sqlgen import Audit, EngineError, HierarchyError, Policy, apply_plan, audit_table, read_policy
from sqlgen.cli.text.results import audit_text
from sqlgen.planning.plan import make_plan
from tables import KINDS, SOURCES, patients, patients_columns, patients_policy, release_to
from test_mutations import mutated

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


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_what_is_lost_is_told(check: Callable[[], None]) -> None:
    check()


MUTATIONS = [
    ("metrics/shown_cell", "COUNT(*) AS row_count", "1 AS row_count"),
    ("metrics/shown_class", "SUM(row_count)", "COUNT(row_count)"),
    ("metrics/shown_sizes", "AS HUGEINT) * class_size)", "AS HUGEINT))"),
    ("metrics/shown_sizes", "class_size * LN(", "LN("),
    ("metrics/shown_leaf", "  row_count,", "  1 AS row_count,"),
    ("metrics/shown_names", "WHERE is_kept", "WHERE TRUE"),
    ("metrics/shown_levels", "{%+ if strict %}", "{%+ if false %}"),
    ("metrics/shown_levels", "{%+ if strict %}", "{%+ if true %}"),
    ("metrics/shown_levels", "COUNT(*) - COUNT(DISTINCT value)", "COUNT(*) - COUNT(value)"),
    ("metrics/shown_label", "COUNT(*) AS leaves", "1 AS leaves"),
    ("metrics/shown_label", "LN(GREATEST(name.leaves", "LN(GREATEST(2 * name.leaves"),
    ("metrics/shown_label", "LN(GREATEST(name.source_rows", "LN(GREATEST(2 * name.leaves"),
    ("metrics/shown_label", "FULL JOIN", "LEFT JOIN"),
    ("metrics/shown_label", "SUM(row_count) AS BIGINT) AS shown", "COUNT(*) AS BIGINT) AS shown"),
    ("metrics/shown_levels", "MAX(source_rows) < MAX(", "MAX(source_rows) > MAX("),
    ("metrics/shown_levels", "level IS NULL", "level IS NOT NULL"),
    ("metrics/shown_levels", "shown_rows <= source_rows", "shown_rows > 0"),
    ("metrics/shown_levels", "SUM(leaves) FILTER", "MIN(leaves + 1) FILTER"),
    ("metrics/shown_name", "leaves DESC", "leaves ASC"),
    ("metrics/shown_name", "level ASC", "level DESC"),
    ("metrics/shown_name", "WHERE level = {{ level | literal }}", "WHERE level >= 0"),
    ("metrics/shown_sums", "CAST(class_size AS HUGEINT) *", ""),
    ("metrics/shown_sums", "CAST(class.class_size AS DOUBLE)", "CAST(1 AS DOUBLE)"),
    ("metrics/shown_sums", " * {{ part.alias }}.leaves", ""),
    ("metrics/shown_sums", "COALESCE(MAX(level", "COALESCE(MIN(level"),
    ("metrics/shown_estimates", "SELECT cell.row_count", "SELECT 1"),
    ("metrics/shown_estimates", "AS DOUBLE) / COUNT(*)", "AS DOUBLE)"),
    ("metrics/shown_estimates", "leaf.level = name.level", "TRUE"),
    ("metrics/values", "SELECT DISTINCT", "SELECT"),
]


@pytest.mark.parametrize(("template", "old", "new"), MUTATIONS)
def test_some_check_fails_when_a_template_is_edited(template: str, old: str, new: str) -> None:
    with mutated(template, old, new):
        for check in CHECKS:
            try:
                check()
            except EngineError as error:
                pytest.fail(f"the edit is no SQL, so it shows nothing: {error}")
            except (AssertionError, HierarchyError, ValueError, KeyError):
                return
    pytest.fail("nothing noticed the edit")


# What cannot be told


def test_a_table_without_its_source_has_an_average_class_size_alone() -> None:
    connection = people()
    connection.execute("DROP TABLE people")
    found = audit_table(policy_of({**AGES, **SEXES, **ILLNESS}), "theirs", connection)
    assert found.metrics == {"average_class_size": 4 / 3}
    assert found.not_measured == "the source cannot be read"
    assert found.rows == 4


def test_a_data_frame_has_an_average_class_size_alone() -> None:
    frame = pd.DataFrame({"age": ["*"] * 3, "sex": ["f", "f", "m"]})
    found = audit_table(policy_of({**AGES, **SEXES}), source=frame)
    assert found.metrics == {"average_class_size": 3 / 2}
    assert found.not_measured == "the source cannot be read"


def test_a_source_that_lost_rows_is_not_compared_with() -> None:
    found = audit(LOCAL, PEOPLE[:3])
    assert found.metrics == {"average_class_size": 4 / 3}
    assert found.not_measured == "the table has more rows than the source"


def test_a_source_without_a_quasi_identifier_leaves_the_sizes() -> None:
    connection = people()
    connection.execute("ALTER TABLE people DROP COLUMN sex")
    found = audit_table(policy_of({**AGES, **SEXES, **ILLNESS}), "theirs", connection)
    assert set(found.metrics) == SIZES
    assert found.not_measured == "the source has no column sex"


def test_a_hierarchy_that_the_source_breaks_leaves_the_sizes_and_shows_no_value() -> None:
    cuts = {"intervals": [{"cuts": ["20", "30"], "closed": True}]}
    columns = {"age": {"role": "quasi", "hierarchy": cuts}, **SEXES, **ILLNESS}
    found = audit_table(policy_of(columns), "theirs", people())
    assert set(found.metrics) == SIZES
    assert (
        found.not_measured
        == "the hierarchy of age does not hold for the source; sqlgen plan says why"
    )


def test_an_expression_that_fails_on_the_source_leaves_the_rest_of_the_audit() -> None:
    columns = {"age": AGES["age"], "sex": {"role": "quasi", "hierarchy": {"sql": ["sex::INT"]}}}
    found = audit_table(policy_of({**columns, **ILLNESS}), "theirs", people())
    assert set(found.metrics) == SIZES
    assert found.not_measured.startswith("the hierarchy of sex does not hold for the source")
    assert found.guarantees[0].value == 1
    assert found.attacks


def test_a_column_that_the_table_lacks_is_fully_general() -> None:
    connection = people()
    connection.execute("ALTER TABLE theirs DROP COLUMN sex")
    queries = [{"sex": "sex = 'f'"}]
    policy = policy_of({**AGES, **SEXES, **ILLNESS}, queries=queries)
    found = audit_table(policy, "theirs", connection)
    assert (found.metrics["height"], found.metrics["ambiguity"]) == (3, (4 + 4 + 2 + 8) / 4)
    assert [(each.true, each.estimate) for each in found.answers] == [(2, 2)]


def test_a_table_without_rows_has_lost_everything() -> None:
    found = audit([]).metrics
    assert (found["precision"], found["discernibility"]) == (1, 16)
    assert found["loss"] == pytest.approx(1)
    assert (found["average_class_size"], found["ambiguity"]) == (0, 8)
    assert found["non_uniform_entropy"] == pytest.approx(1)


@pytest.mark.parametrize(
    ("drop", "query", "reason"),
    [
        ("theirs", {"illness": "illness = 'flu'"}, "the table has no column illness"),
        ("people", {"illness": "illness = 'flu'"}, "the source has no column illness"),
        ("", {"sex": "CAST(sex AS INTEGER) > 1"}, "the queries cannot be run on every value"),
        ("", {"sex": "age > 1"}, "the queries cannot be run on every value"),
    ],
)
def test_queries_that_cannot_be_answered_leave_the_other_figures(
    drop: str, query: dict[str, str], reason: str
) -> None:
    connection = people()
    if drop:
        connection.execute(f"ALTER TABLE {drop} DROP COLUMN illness")
    policy = policy_of({**AGES, **SEXES, **ILLNESS}, queries=[query])
    found = audit_table(policy, "theirs", connection)
    assert found.not_measured.startswith(reason)
    assert found.answers == ()
    assert "loss" in found.metrics
    assert "query_error" not in found.metrics


# Releases of our own


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("source", SOURCES)
def test_a_release_of_any_kind_has_lost_what_the_plan_says(
    kind: str, source: str, tmp_path: Path
) -> None:
    columns = patients_columns()
    columns["zip"]["nulls"] = "suppress"
    queries = [{"age": "age < 30", "disease": "disease IS NULL"}, {"sex": "sex = 'f'"}]
    policy = patients_policy(
        columns=columns,
        source=SOURCES[source],
        release=release_to(kind, tmp_path),
        objective={"precision": {"weights": {"age": "2.5", "sex": 0}}},
        queries=queries,
    )
    connection = patients()
    plan = make_plan(policy, connection)
    release = apply_plan(plan, connection)
    assert release.satisfied
    found, expected = audit_table(policy, source=connection).to_dict(), plan.to_dict()
    assert plan.suppressed_rows > 0
    assert found["metrics"] == expected["metrics"]
    assert found["queries"] == expected["queries"]
    assert found["not_measured"] is None
    assert "metrics" not in release.to_dict()["audit"]


def test_values_that_a_release_withholds_are_null_to_queries() -> None:
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE people AS SELECT 20 + i % 5 AS age, ['f', 'm'][1 + i % 2] AS sex, "
        "CASE WHEN i % 5 = 0 THEN 'plague' WHEN i % 3 = 0 THEN NULL ELSE 'flu' END AS illness, "
        "i % 7 AS ward FROM RANGE(90) AS t (i)"
    )
    policy = policy_of(
        {**AGES, **SEXES, **ILLNESS, "ward": {"role": "sensitive"}},
        guarantees=[{"distinct_l_diversity": {"column": "illness", "l": 2}}],
        on_failure="suppress_sensitive",
        suppression=18,
        release={"table": "released"},
        queries=[{"illness": "illness IS NULL"}, {"age": "age = 20"}, {"ward": "ward < 3"}],
    )
    plan = make_plan(policy, connection, levels={"age": (0, 0), "sex": (0, 0)})
    assert plan.withheld_rows == 18
    apply_plan(plan, connection)
    found = audit_table(policy, source=connection)
    assert [each.to_dict() for each in found.answers] == plan.to_dict()["queries"]
    counted = connection.execute("SELECT count(*) FROM released WHERE illness IS NULL").fetchall()
    assert found.answers[0].estimate == counted[0][0] == found.answers[0].true + 18


@pytest.fixture
def clinic(tmp_path: Path) -> Clinic:
    return make_clinic(tmp_path)


def test_the_command_tells_what_is_lost_as_the_plan_does(clinic: Clinic) -> None:
    plan = json.loads(clinic.run("plan", "--json").out)
    assert clinic.run("apply").code == 0
    told = json.loads(clinic.run("audit", "--json").out)
    assert (told["metrics"], told["queries"]) == (plan["metrics"], [])
    text = clinic.run("audit").out
    assert "what is lost, by     figure" in text
    assert "  loss                 0.400000" in text
    assert "can be told" not in text


def test_the_command_says_what_stood_in_the_way_without_a_value(clinic: Clinic) -> None:
    clinic.run("apply")
    clinic.sql("UPDATE patients_anon SET zip = 'canary-zip' WHERE zip LIKE 'cz11%'")
    ran = clinic.run("audit")
    expected = (
        "Other measures of loss were not computed: zip shows 1 label that no level of its "
        "hierarchy has."
    )
    assert expected in ran.out
    assert "discernibility" in ran.out
    assert "precision" not in ran.out
    assert shows_no_canary(ran.text)
