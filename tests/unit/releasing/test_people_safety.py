"""What must not happen: a guarantee about people that is met by a misreading, or not measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import duckdb
import pytest

from sqlgen import (
    Audit,
    KnownPersons,
    Policy,
    PolicyError,
    apply_plan,
    audit_table,
    make_plan,
    read_policy,
)
from sqlgen.cli.text.results import audit_text, plan_text

# A value that is a label too: of itself and of another value.
OWN_LABEL = {"tree": {"flu": ["flu", "cold"], "other": ["ulcer"]}}


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        yield connection


def policy_of(
    quasi: Mapping[str, Any], *guarantees: dict[str, Any], d: Any = None, **more: Any
) -> Policy:
    return read_policy(
        {
            "source": {"table": "t"},
            "columns": {
                **{name: {"role": "quasi", **each} for name, each in quasi.items()},
                "d": {"role": "sensitive", **(d or {})},
                **more.pop("columns", {}),
            },
            "guarantees": list(guarantees),
            "release": {"table": "released"},
            **more,
        }
    )


def table(connection: duckdb.DuckDBPyConnection, name: str, columns: str, *rows: Any) -> None:
    connection.execute(f"CREATE TABLE {name} ({columns})")
    for row in rows:
        marks = ", ".join("?" for _ in row)
        connection.execute(f"INSERT INTO {name} VALUES ({marks})", row)


def linked(**more: Any) -> dict[str, Any]:
    risk = {"known": {"table": "known"}, "risk": "prosecutor", "above": "20%", "at_most": 0}
    return {"linkage": {**risk, **more}}


SUPPRESS = {"hierarchy": "suppress"}
K_MAP = {"k_map": {"k": 2, "population": {"table": "town"}}}


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("DECIMAL(5, 2)", "INTEGER"),
        ("DOUBLE", "INTEGER"),
        ("DECIMAL(5, 2)", "DECIMAL(5, 1)"),
        ("BIGINT", "INTEGER"),
    ],
)
def test_people_are_matched_by_what_their_values_are_in_the_type_of_the_source(
    connection: duckdb.DuckDBPyConnection, ours: str, theirs: str
) -> None:
    connection.execute(
        f"CREATE TABLE t AS SELECT CAST(i // 2 AS {ours}) AS age, 'x' AS d FROM RANGE(20) AS r (i)"
    )
    connection.execute(
        f"CREATE TABLE known AS SELECT CAST(i AS {theirs}) AS age FROM RANGE(10) AS r (i)"
    )
    plan = make_plan(policy_of({"age": SUPPRESS}, linked()), connection)
    assert dict(plan.levels_to("test")) == {"age": 1}
    assert audit_table(plan.policy, "t", connection).guarantees[0].value == 10


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("VARCHAR", "INTEGER"),
        ("INTEGER", "DOUBLE"),
        ("DATE", "TIMESTAMP"),
        ("INTEGER", "VARCHAR"),
        ("DECIMAL(5, 1)", "DECIMAL(5, 2)"),
    ],
)
@pytest.mark.parametrize("kind", ["table", "csv"])
def test_people_whose_values_may_be_others_are_refused_by_plan_and_audit(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, ours: str, theirs: str, kind: str
) -> None:
    value = "DATE '2020-01-01'" if ours == "DATE" else "1"
    connection.execute(f"CREATE TABLE t AS SELECT CAST({value} AS {ours}) AS age, 'x' AS d")
    connection.execute(f"CREATE TABLE known AS SELECT CAST({value} AS {theirs}) AS age")
    with pytest.raises(PolicyError, match="in known, whose values may be"):
        make_plan(policy_of({"age": SUPPRESS}, linked()), connection)
    release = {kind: "released" if kind == "table" else str(tmp_path / "released.csv")}
    small = policy_of({"age": SUPPRESS}, {"k_anonymity": {"k": 2}}, suppression=0, release=release)
    connection.execute("INSERT INTO t FROM t")
    apply_plan(make_plan(small, connection), connection)
    with pytest.raises(PolicyError, match="in known, whose values may be"):
        audit_table(small, source=connection, known=KnownPersons("known"))


def test_minus_zero_is_zero_to_whoever_knows_a_person(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    table(connection, "t", "x DOUBLE, d VARCHAR", (-0.0, "a"), (-0.0, "b"), (1.5, "a"), (1.5, "b"))
    table(connection, "known", "x DOUBLE", (0.0,), (1.5,))
    plan = make_plan(policy_of({"x": SUPPRESS}, linked(at_most=1)), connection)
    assert not plan.satisfied
    found = audit_table(plan.policy, "t", connection)
    assert found.guarantees[0].value == 2


def test_people_who_differ_in_what_a_table_lacks_are_different_people(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    table(connection, "t", "a VARCHAR, b INT, d VARCHAR", ("x", 1, "flu"), ("x", 2, "hiv"))
    table(
        connection,
        "prior",
        "a VARCHAR, b INT, d VARCHAR, w INT",
        *[("x", 1, "flu", 99), ("x", 1, "hiv", 1), ("x", 2, "flu", 1), ("x", 2, "hiv", 99)],
    )
    connection.execute("CREATE TABLE shown AS SELECT a, '*' AS b, d FROM t")
    connection.execute("CREATE TABLE lacking AS SELECT a, d FROM t")
    belief = {"column": "d", "delta": "0.3", "prior": {"table": "prior", "weight": "w"}}
    policy = policy_of({"a": SUPPRESS, "b": SUPPRESS}, {"positive_disclosure": belief})
    for each in ("shown", "lacking"):
        assert audit_table(policy, each, connection).guarantees[0].value == 0.99


@pytest.mark.parametrize(
    ("guarantee", "measured"),
    [(K_MAP, 1), ({"delta_presence": {"most": "60%", "population": {"table": "town"}}}, 2)],
)
def test_a_label_that_is_a_value_too_is_read_at_the_level_that_has_all_labels(
    connection: duckdb.DuckDBPyConnection, guarantee: dict[str, Any], measured: float
) -> None:
    rows = [("flu", "x"), ("flu", "y"), ("cold", "x"), ("cold", "y"), ("cold", "y")]
    table(connection, "t", "q VARCHAR, d VARCHAR", *rows)
    table(connection, "town", "q VARCHAR", ("flu",), ("cold",), ("cold",), ("cold",))
    found = audit_table(policy_of({"q": {"hierarchy": OWN_LABEL}}, guarantee), "t", connection)
    assert found.guarantees[0].value == measured
    assert not found.satisfied


def test_the_finest_level_is_meant_where_two_have_all_labels(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    table(connection, "t", "q VARCHAR, d VARCHAR", ("flu", "x"), ("flu", "y"))
    table(connection, "town", "q VARCHAR", ("flu",), ("cold",), ("cold",))
    found = audit_table(policy_of({"q": {"hierarchy": OWN_LABEL}}, K_MAP), "t", connection)
    assert found.guarantees[0].value == 1


def test_a_column_of_labels_of_several_levels_is_read_at_each(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    table(connection, "made", "q VARCHAR, d VARCHAR", ("flu", "x"), ("stomach", "y"), (None, "z"))
    table(connection, "town", "q VARCHAR", *[("flu",), ("cold",), ("ulcer",), ("ulcer",), (None,)])
    tree = {"tree": {"lungs": ["flu", "cold"], "stomach": ["ulcer"]}}
    found = audit_table(policy_of({"q": {"hierarchy": tree}}, K_MAP), "made", connection)
    assert found.guarantees[0].figures == (1, 1, 1, 2, 2)


def test_the_top_label_of_a_lower_level_does_not_match_everybody(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    table(connection, "t", "q VARCHAR, d VARCHAR", ("flu", "x"), ("flu", "x"), ("odd", "x"))
    table(connection, "town", "q VARCHAR", ("flu",), ("flu",), ("cold",), ("odd",))
    connection.execute(
        "CREATE TABLE other AS SELECT CASE q WHEN 'odd' THEN '*' ELSE 'lungs' END AS q, d FROM t"
    )
    tree = {"tree": {"lungs": ["flu", "cold"], "stomach": ["ulcer"]}}
    policy = policy_of({"q": {"hierarchy": tree, "uncovered": "top"}}, K_MAP)
    assert audit_table(policy, "other", connection).guarantees[0].value == 1


def test_labels_that_no_level_has_are_not_taken_for_nobody(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    table(connection, "t", "q VARCHAR, d VARCHAR", ("flu", "x"), ("cold", "x"))
    table(connection, "known", "q VARCHAR", ("flu",))
    connection.execute("CREATE TABLE odd AS SELECT 'ill of ' || q AS q, d FROM t")
    policy = policy_of({"q": {"hierarchy": OWN_LABEL}}, linked())
    with pytest.raises(PolicyError, match=r"shows 2 labels of q that no level has, so nobody"):
        audit_table(policy, "odd", connection)


def test_values_in_place_of_labels_are_not_taken_for_labels(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    table(connection, "t", "q VARCHAR, d VARCHAR", ("a", "flu"), ("a", "cold"))
    coarse = {"hierarchy": {"tree": {"lungs": ["flu", "cold"], "stomach": ["ulcer"]}}, "level": 1}
    distinct = {"distinct_l_diversity": {"column": "d", "l": 2}}
    policy = policy_of({"q": SUPPRESS}, distinct, d=coarse)
    found = audit_table(policy, "t", connection)
    assert not found.satisfied
    assert (found.raw, found.unmeasured, found.attacks) == ({"d": 2}, policy.guarantees, ())
    assert "t shows 2 distinct values of d that are no label of its level." in audit_text(found)


def counted(connection: duckdb.DuckDBPyConnection) -> Audit:
    policy = policy_of(
        {"q": {"hierarchy": OWN_LABEL}},
        {"k_anonymity": {"k": 2, "unit": "p"}},
        columns={"p": {"role": "identifier"}},
    )
    if not connection.execute("FROM duckdb_tables() WHERE table_name = 'released'").fetchall():
        assert apply_plan(make_plan(policy, connection), connection).satisfied
    return audit_table(policy, source=connection)


def test_persons_behind_a_release_are_counted_by_the_level_that_it_shows(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    rows: list[tuple[str | None, str, int]] = [("flu", "x", 1), ("flu", "y", 2), ("cold", "x", 3)]
    rows += [("cold", "y", 4), ("cold", "y", 5)]
    rows += [(None, "x", 6), (None, "y", 7)]
    table(connection, "t", "q VARCHAR, d VARCHAR, p INT", *rows)
    assert [each.value for each in counted(connection).guarantees] == [2]


def test_rows_with_other_sensitive_values_are_not_those_behind_a_release(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    table(connection, "t", "q VARCHAR, d VARCHAR, p INT", ("flu", "x", 1), ("flu", "y", 2))
    assert counted(connection).satisfied
    connection.execute("UPDATE t SET d = 'z' WHERE d = 'y'")
    found = counted(connection)
    assert "was not measured" in audit_text(found)
    assert not found.satisfied


def test_rows_that_had_no_value_in_the_source_are_not_masked_and_count_for_nothing(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    table(connection, "t", "q VARCHAR, d VARCHAR", *[("a", None)] * 4)
    policy = policy_of(
        {"q": SUPPRESS},
        {"distinct_l_diversity": {"column": "d", "l": 3}},
        on_failure="suppress_sensitive",
    )
    plan = make_plan(policy, connection)
    assert plan.satisfied
    assert (plan.masked_rows, plan.empty_rows) == (4, 4)
    assert "4 rows without sensitive values (4 cells), 4 of which had none" in plan_text(plan)
    release = apply_plan(plan, connection)
    assert (release.satisfied, release.empty_rows, release.newly_masked_rows) == (True, 4, 0)


@pytest.mark.parametrize("quasi", [["q"], ["q", "r"]])
def test_a_failing_guarantee_about_people_alone_is_measured_and_mended(
    connection: duckdb.DuckDBPyConnection, quasi: list[str]
) -> None:
    columns = ", ".join(f"{name} VARCHAR" for name in quasi)
    table(connection, "t", f"{columns}, d VARCHAR", (*("a" for _ in quasi), "x"))
    table(connection, "town", columns, tuple("a" for _ in quasi))
    found = audit_table(policy_of(dict.fromkeys(quasi, SUPPRESS), K_MAP), "t", connection)
    assert [each.value for each in found.guarantees] == [1]
    assert found.advice[0].columns == ()


def test_people_match_a_table_without_any_quasi_identifier_as_one_class(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    table(connection, "t", "d VARCHAR", ("x",), ("y",), ("y",))
    table(connection, "town", "q VARCHAR", ("a",), ("b",))
    found = audit_table(
        policy_of({"q": SUPPRESS}, K_MAP), "t", connection, known=KnownPersons("town")
    )
    assert [each.value for each in found.guarantees] == [2]
    assert found.attacks[-4].value == 2


def test_rows_without_values_to_show_are_among_those_that_people_suppress(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    rows = [("a", "flu"), ("a", "cold"), ("a", "flu"), ("b", None), ("b", None), ("c", None)]
    table(connection, "t", "q VARCHAR, d VARCHAR", *rows)
    table(connection, "town", "q VARCHAR", ("a",), ("a",), ("b",), ("c",), ("c",))
    policy = policy_of(
        {"q": SUPPRESS},
        K_MAP,
        {"distinct_l_diversity": {"column": "d", "l": 2}},
        on_failure="suppress_sensitive",
    )
    found = audit_table(policy, "t", connection)
    assert [each.satisfied for each in found.guarantees] == [False, True]
    assert found.advice[0].suppressed_rows == 2


def test_a_view_over_a_query_does_not_take_a_table_for_a_part_of_its_own(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    for name in ("value_1", "labelled_row", "class_0"):
        table(connection, name, "q VARCHAR, d VARCHAR, n INT", *[("a", "x", 1), ("a", "y", 2)])
        policy = policy_of(
            {"q": SUPPRESS},
            {"distinct_l_diversity": {"column": "d", "l": 2}},
            source={"query": f"FROM {name}"},
            release={"view": "shown"},
            columns={"n": {"role": "other"}},
        )
        plan = make_plan(policy, connection)
        with pytest.raises(PolicyError, match=f"the view uses the name {name} for a part"):
            apply_plan(plan, connection)


def test_values_that_do_not_fit_the_column_are_told_without_being_shown(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    table(connection, "t", "q VARCHAR, d INTEGER", ("a", 1), ("a", 2))
    table(connection, "prior", "q VARCHAR, d BIGINT", ("a", 99999999999))
    belief = {"column": "d", "delta": "0.1", "prior": {"table": "prior"}}
    with pytest.raises(PolicyError, match="has values of d that cannot be read as") as refused:
        make_plan(policy_of({"q": SUPPRESS}, {"positive_disclosure": belief}), connection)
    assert "99999999999" not in str(refused.value)
