"""What an audit says is lost, by hand: local recoding, labels that mean two things, refusals."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import duckdb
import pandas as pd
import pytest

from cli_harness import Clinic, make_clinic, shows_no_canary
from sqlgen import SearchLimits, apply_plan, audit_table
from sqlgen.planning.plan import make_plan
from tables import KINDS, SOURCES, patients, patients_columns, patients_policy, release_to
from utility_checks import (
    AGES,
    CHECKS,
    ILLNESS,
    LOCAL,
    PEOPLE,
    SEXES,
    SIZES,
    audit,
    people,
    policy_of,
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_what_is_lost_is_told(check: Callable[[], None]) -> None:
    check()


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


@pytest.mark.battery
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


def test_values_that_a_release_masks_are_null_to_queries() -> None:
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
    plan = make_plan(policy, connection, limits=SearchLimits({"age": (0, 0), "sex": (0, 0)}))
    assert plan.masked_rows == 18
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
