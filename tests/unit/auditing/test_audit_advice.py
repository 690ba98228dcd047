"""What an audit says beside its verdicts: what would mend a failure, and what could be learnt."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from oracle_models import ORACLE, Table, suppress_to_fixpoint
from sqlgen import (
    Audit,
    KnownPersons,
    PolicyError,
    apply_plan,
    audit_table,
    check_table,
    make_plan,
    read_policy,
)
from sqlgen.cli.text.results import audit_text

ROWS = [
    *[("a", "x", "flu")] * 3,
    *[("a", "y", "flu"), ("a", "y", "cold"), ("a", "y", "ulcer")],
    *[("b", "x", "cold"), ("b", "x", "ulcer"), ("b", "x", "ulcer"), ("b", "x", None)],
    *[("b", "y", "flu"), ("b", "y", "cold")],
]
TREE = {"lungs": ["flu", "cold"], "stomach": ["ulcer"]}
COLUMNS: dict[str, Any] = {
    "zip": {"role": "quasi", "hierarchy": "suppress"},
    "sex": {"role": "quasi", "hierarchy": "suppress"},
    "disease": {"role": "sensitive", "hierarchy": {"tree": TREE}},
}


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connected:
        connected.execute("CREATE TABLE t (zip VARCHAR, sex VARCHAR, disease VARCHAR)")
        connected.executemany("INSERT INTO t VALUES (?, ?, ?)", ROWS)
        yield connected


def audited(connection: duckdb.DuckDBPyConnection, *guarantees: dict[str, Any]) -> Audit:
    policy = read_policy({"columns": COLUMNS, "guarantees": list(guarantees)})
    return audit_table(policy, "t", connection)


def table(quasi: tuple[str, ...] = ("zip", "sex")) -> Table:
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in ROWS]
    return Table(rows, quasi, ("disease",))


CLOSE = {"column": "disease", "t": "0.3", "distance": "equal"}
MENDED: list[tuple[str, dict[str, Any]]] = [
    ("k_anonymity", {"k": 3}),
    ("distinct_l_diversity", {"column": "disease", "l": 3}),
    ("entropy_l_diversity", {"column": "disease", "l": "2.5"}),
    ("recursive_l_diversity", {"column": "disease", "c": "1.5", "l": 2}),
    ("t_closeness", CLOSE),
    ("t_closeness", {**CLOSE, "reference": "source"}),
    ("skewness", {"column": "disease", "at_most": "1.6"}),
    ("homogeneity", {"column": "disease", "at_most": 0}),
]


@pytest.mark.parametrize(("name", "parameters"), MENDED, ids=str)
def test_each_way_to_mend_a_guarantee_leads_there(
    connection: duckdb.DuckDBPyConnection, name: str, parameters: dict[str, Any]
) -> None:
    connection.execute("CREATE TABLE source AS FROM t")
    policy = read_policy(
        {
            "source": {"table": "source"},
            "columns": COLUMNS,
            "guarantees": [{name: parameters}],
        }
    )
    mend = audit_table(policy, "t", connection).advice[0]
    suffices = [
        column
        for column, others in (("zip", ("sex",)), ("sex", ("zip",)))
        if ORACLE[name](table(others), **parameters).met
    ]
    assert list(mend.columns) == suffices
    left = suppress_to_fixpoint(table(), [(name, parameters)])
    assert mend.suppressed_rows == (left.suppressed if left.released else None)
    if mend.threshold:
        key, weaker = mend.threshold.replace("above ", "").split(" ")
        bumped = str(float(weaker) + 1e-6) if "above" in mend.threshold else weaker
        again = audited(connection, {name: {**_without_source(parameters), key: bumped}})
        assert again.guarantees[0].satisfied


def _without_source(parameters: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in parameters.items() if key != "reference"}


def test_a_guarantee_that_holds_needs_no_mending(connection: duckdb.DuckDBPyConnection) -> None:
    found = audited(connection, {"k_anonymity": {"k": 2}})
    assert found.satisfied
    assert not found.advice
    assert "would be met" not in audit_text(found)


def test_the_attacks_are_the_oracles_counts(connection: duckdb.DuckDBPyConnection) -> None:
    found = audited(connection, {"k_anonymity": {"k": 2}})
    told = [(each.guarantee.name, each.value) for each in found.attacks]
    background = ORACLE["background_knowledge"]
    groups = {"lungs": ["flu", "cold"], "stomach": ["ulcer"]}
    limit = {"column": "disease", "at_most": "100%"}
    assert told == [
        ("homogeneity", ORACLE["homogeneity"](table(), **limit).total),
        # Three values and NULL: who rules out two knows the third without any class.
        ("background_knowledge", background(table(), excluded=1, **limit).total),
        ("similarity", ORACLE["similarity"](table(), groups=groups, **limit).total),
        # Three of three with flu in a class where 3 x 5/12 are to be expected.
        ("concentration", pytest.approx(12 / 5)),
    ]


def test_attacks_are_not_judged(connection: duckdb.DuckDBPyConnection) -> None:
    found = audited(connection, {"k_anonymity": {"k": 2}})
    assert found.satisfied
    assert {key for each in found.to_dict()["attacks"] for key in each} == {
        *("name", "column", "excluded", "level", "measured", "share"),
    }


def test_an_audit_tells_no_value(connection: duckdb.DuckDBPyConnection) -> None:
    text = audit_text(audited(connection, *({name: each} for name, each in MENDED[:5])))
    values = {value for row in ROWS for value in row if value} - {"a"}
    assert not [value for value in values if f" {value} " in text]


def test_ratio_closeness_is_read_as_differential_privacy_with_its_limits(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    connection.execute("DELETE FROM t WHERE zip = 'a' OR sex = 'y'")
    text = audit_text(audited(connection, {"ratio_closeness": {"column": "disease", "epsilon": 1}}))
    assert "1-differential privacy of the link" in text
    assert "no differential privacy of the release" in text


def test_a_table_without_the_sensitive_column_cannot_be_measured(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    connection.execute("ALTER TABLE t DROP disease")
    with pytest.raises(PolicyError, match="has no column disease, so the guarantee cannot"):
        audited(connection, {"distinct_l_diversity": {"column": "disease", "l": 2}})


def test_persons_are_counted_in_the_source_and_their_column_is_not_released(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    connection.execute("ALTER TABLE t ADD COLUMN patient INTEGER")
    connection.execute("UPDATE t SET patient = CASE WHEN zip = 'a' AND sex = 'x' THEN 1 END")
    policy = read_policy(
        {
            "source": {"table": "t"},
            "columns": {**COLUMNS, "patient": {"role": "identifier"}},
            "guarantees": [{"k_anonymity": {"k": 2, "unit": "patient"}}],
            "release": {"table": "released"},
        }
    )
    plan = make_plan(policy, connection)
    assert (plan.levels_to("test")["zip"], plan.levels_to("test")["sex"]) != (0, 0)
    release = apply_plan(plan, connection)
    assert [each.value for each in release.audit.guarantees] == [2]
    found = audit_table(policy, source=connection)
    assert found.satisfied
    assert [each.value for each in found.guarantees] == [2]
    assert found.to_dict()["unmeasured"] == []


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE t SET sex = 'y' WHERE zip = 'a' AND disease = 'flu'",
        "INSERT INTO t SELECT * FROM t LIMIT 1",
        "INSERT INTO t SELECT zip, sex, 'gout', patient FROM t LIMIT 1",
        "DELETE FROM t WHERE disease = 'ulcer'",
        "ALTER TABLE t DROP patient",
    ],
)
def test_persons_cannot_be_told_once_the_source_is_another(
    connection: duckdb.DuckDBPyConnection, change: str
) -> None:
    connection.execute("ALTER TABLE t ADD COLUMN patient INTEGER")
    connection.execute("UPDATE t SET patient = CASE WHEN disease = 'flu' THEN 1 ELSE 2 END")
    policy = read_policy(
        {
            "source": {"table": "t"},
            "columns": {
                **COLUMNS,
                "zip": {"role": "identifier"},
                "patient": {"role": "identifier"},
            },
            "guarantees": [{"k_anonymity": {"k": 2, "unit": "patient"}}, {"k_anonymity": {"k": 3}}],
            "release": {"table": "released"},
        }
    )
    assert apply_plan(make_plan(policy, connection), connection).satisfied
    assert audit_table(policy, source=connection).satisfied
    connection.execute(change)
    found = audit_table(policy, source=connection)
    assert not found.satisfied
    assert "was not measured: released has no column patient" in audit_text(found)
    assert found.to_dict()["unmeasured"] == ["k_anonymity (k 2, unit patient)"]
    assert [each.guarantee.words for each in found.guarantees] == ["k_anonymity (k 3)"]


def test_persons_who_are_too_few_are_found_by_an_audit_in_the_order_of_the_policy(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    connection.execute("ALTER TABLE t ADD COLUMN patient INTEGER")
    connection.execute("UPDATE t SET patient = CASE WHEN zip = 'a' THEN 1 ELSE 2 END")
    connection.execute("CREATE TABLE made AS SELECT zip, '*' AS sex, disease FROM t")
    policy = read_policy(
        {
            "source": {"table": "t"},
            "columns": {**COLUMNS, "patient": {"role": "identifier"}},
            "guarantees": [
                {"k_anonymity": {"k": 2, "unit": "patient"}},
                {"k_anonymity": {"k": 7}},
            ],
        }
    )
    found = audit_table(policy, "made", connection)
    assert [(each.value, each.failing_classes) for each in found.guarantees] == [(1, 2), (6, 2)]
    assert list(found.advice) == [1]
    assert found.unmeasured == ()


def test_known_persons_are_linked_by_what_their_values_are_called(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    connection.execute(
        "CREATE TABLE known AS "
        "FROM (VALUES ('a', 'x'), ('a', 'y'), ('c', 'x'), ('b', 'x')) AS k (zip, sex)"
    )
    connection.execute("CREATE TABLE made AS SELECT zip, '*' AS sex, disease FROM t")
    policy = read_policy({"columns": COLUMNS, "guarantees": [{"k_anonymity": {"k": 2}}]})
    found = audit_table(policy, "made", connection, known=KnownPersons("known", above="40%"))
    linked = [each for each in found.attacks if each.guarantee.name == "linkage"]
    # Two match a class of six, one another class of six, and one matches none.
    assert [float(each.value) for each in linked] == [3, 0, 3, pytest.approx(2 / 6 + 1 / 6)]
    assert "rows with a confidence above 0.4 (journalist)  3 " in audit_text(found)
    told = found.to_dict()["attacks"][-3]
    assert told == {
        "name": "linkage",
        "risk": "prosecutor",
        "above": 0.4,
        "measured": 0,
        "share": 0.0,
    }


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"table": "nobody"}, "the database has no table or view nobody"),
        ({"table": "lacking"}, "lacking has no column sex; people are matched by every"),
        ({"table": "t", "above": "a lot"}, "--above is a share, like 20%"),
        ({"table": "t", "above": "100%"}, "--above is a share, like 20%"),
    ],
)
def test_known_persons_that_cannot_be_matched_are_refused(
    connection: duckdb.DuckDBPyConnection, asked: dict[str, str], message: str
) -> None:
    connection.execute("CREATE TABLE lacking (zip VARCHAR)")
    policy = read_policy({"columns": COLUMNS, "guarantees": [{"k_anonymity": {"k": 2}}]})
    with pytest.raises(PolicyError, match=message):
        audit_table(policy, "t", connection, known=KnownPersons(**asked))


def test_a_csv_release_is_measured_with_numbers_as_numbers(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    connection.execute(
        "CREATE TABLE paid AS SELECT ['a', 'b'][1 + i % 2] AS zip, "
        "CAST([5, 10, 100, 20][1 + i % 4] AS INTEGER) AS pay FROM RANGE(20) AS t (i)"
    )
    measured = []
    for release in ({"table": "paid_anon"}, {"csv": str(tmp_path / "paid.csv")}):
        policy = read_policy(
            {
                "source": {"table": "paid"},
                "columns": {
                    "zip": COLUMNS["zip"],
                    "pay": {"role": "sensitive", "order": "numeric"},
                },
                "guarantees": [
                    {"t_closeness": {"column": "pay", "t": 1, "distance": "ordered"}},
                ],
                "release": release,
            }
        )
        found = apply_plan(make_plan(policy, connection), connection).audit
        measured += [found.guarantees[0].value]
        measured += [audit_table(policy, source=connection).guarantees[0].value]
    assert measured == [measured[0]] * 4


def test_a_check_measures_every_sensitive_column_as_the_oracle_does(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    given = check_table(connection, "t", quasi=["zip", "sex"], sensitive=["disease"]).given
    asked: dict[str, tuple[str, dict[str, Any]]] = {
        "distinct_l": ("distinct_l_diversity", {"l": 1}),
        "entropy_l": ("entropy_l_diversity", {"l": 1}),
        "recursive_c": ("recursive_l_diversity", {"c": 1, "l": 2}),
        "largest_share": ("alpha_k_anonymity", {"alpha": 1, "k": 1}),
        "t_equal": ("t_closeness", {"t": 1, "distance": "equal"}),
        "beta": ("beta_likeness", {"beta": 1}),
        "epsilon": ("ratio_closeness", {"epsilon": 1}),
    }
    expected = {
        key: pytest.approx(float(ORACLE[name](table(), column="disease", **more).measured or 0))
        for key, (name, more) in asked.items()
    }
    assert given == {"disease": expected}
