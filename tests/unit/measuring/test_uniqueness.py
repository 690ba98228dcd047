"""Columns beside the quasi-identifiers: what is rare in them is counted, and never in silence."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from sqlgen import (
    PolicyError,
    SearchLimits,
    apply_plan,
    apply_sql,
    audit_table,
    check_table,
    make_plan,
    read_evidence,
    read_policy,
    run_policy,
)
from sqlgen.cli.main import main
from sqlgen.measuring.uniqueness import UNIQUE_SHARE, ColumnUniqueness, Uniqueness
from sqlgen.planning.lock import lock_text
from sqlgen.policy import Policy
from sqlgen.reports.page import page_html
from tables import KINDS, patients, patients_policy, planned, release_to, rows_of

LOANS = """
CREATE TABLE loans AS
SELECT
  'client ' || i AS name,
  DATE '1950-01-01' + CAST(i AS INTEGER) AS born,
  'case-' || i // 4 AS case_no,
  20 + i % 4 AS age,
  CASE i % 2 WHEN 0 THEN 'f' ELSE 'm' END AS sex,
  ['flu', 'gout', 'cold'][1 + i % 3] AS disease,
  i % 10 AS branch
FROM RANGE(120) AS t (i)
"""

COLUMNS: dict[str, dict[str, Any]] = {
    "name": {"role": "other"},
    "born": {"role": "other"},
    "case_no": {"role": "other"},
    "age": {"role": "quasi", "hierarchy": {"intervals": [2, 4]}},
    "sex": {"role": "quasi", "hierarchy": "suppress"},
    "disease": {"role": "sensitive"},
    "branch": {"role": "other"},
}
RARE = ("name", "born", "case_no")


def loans_policy(**changes: Any) -> Policy:
    sections: dict[str, Any] = {
        "source": {"table": "loans"},
        "columns": COLUMNS,
        "guarantees": [{"k_anonymity": {"k": 5}}],
        "release": {"table": "loans_anon"},
    }
    return read_policy({**sections, **changes})


def loans() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(LOANS)
    return connection


def counts_of(found: Uniqueness | None) -> dict[str, tuple[int, int]]:
    assert found is not None
    return {each.column: (each.distinct_values, each.unique_rows) for each in found.columns}


def warned(found: Uniqueness | None) -> tuple[str, ...]:
    assert found is not None
    return tuple(each.column for each in found.warnings)


def expected(values: Sequence[Any]) -> tuple[int, int]:
    """Distinct values and unique rows, counted by hand: NULL is no value."""
    counter = Counter(value for value in values if value is not None)
    return len(counter), sum(count == 1 for count in counter.values())


def unique_among(rows: Sequence[tuple[Any, ...]]) -> int:
    return sum(count == 1 for count in Counter(rows).values())


COUNTS = {
    "name": (120, 120),
    "born": (120, 120),
    "case_no": (30, 0),
    "disease": (3, 0),
    "branch": (10, 0),
}


def test_every_command_counts_what_stands_beside_the_quasi_identifiers() -> None:
    connection, policy = loans(), loans_policy()
    plan = planned(policy, connection)
    release = apply_plan(plan, connection)
    audit = audit_table(policy, source=connection)
    check = check_table(connection, "loans", quasi=["age", "sex"], sensitive=["disease"])
    evidence = read_evidence(policy, source=connection)
    for found in (plan, release, audit, check, evidence):
        assert counts_of(found.uniqueness) == COUNTS
        assert warned(found.uniqueness) == RARE
        assert [each["column"] for each in found.to_dict()["uniqueness"]["columns"]] == [*COUNTS]
    for one in (plan, audit, check, evidence):
        assert one.uniqueness is not None
        assert one.uniqueness.unique_together == 120


def test_a_name_of_which_each_person_has_several_rows_warns_too() -> None:
    found = ColumnUniqueness("name", "other", 1000, 1000, distinct_values=250, unique_rows=0)
    assert found.warns
    assert "250 distinct values in 1,000 rows" in found.words


@pytest.mark.parametrize("rows", [10, 11, 40, 10_000])
def test_a_column_of_ten_values_never_warns(rows: int) -> None:
    for unique in range(11):
        assert not ColumnUniqueness("ten", "other", rows, rows, 10, unique).warns


@pytest.mark.parametrize(
    ("rows", "values", "unique", "warns"),
    [
        (9699, 7152, 4605, True),
        (1000, 200, 50, False),
        (1000, 200, 51, True),
        (1000, 201, 0, True),
        (11, 11, 11, True),
        (0, 0, 0, False),
    ],
)
def test_the_stated_share_is_what_warns(rows: int, values: int, unique: int, warns: bool) -> None:
    assert ColumnUniqueness("amount", "other", rows, rows, values, unique).warns is warns


def test_names_in_few_rows_warn_as_names_in_all_do() -> None:
    connection = loans()
    connection.execute("UPDATE loans SET name = NULL WHERE age > 20")
    connection.execute(
        "INSERT INTO loans SELECT loans.* REPLACE (NULL AS name) FROM loans, RANGE(5)"
    )
    policy = loans_policy()
    found = planned(policy, connection).uniqueness
    assert found is not None
    (name, *_) = found.columns
    assert (name.rows, name.valued_rows, name.unique_rows) == (720, 30, 30)
    assert name.unique_rows < UNIQUE_SHARE * name.rows
    assert name.warns
    assert name.words == "30 of 30 rows that have a value (100%) are unique by name"


def test_an_accepted_column_is_counted_and_warns_no_more() -> None:
    connection, policy = loans(), loans_policy(accept_unique=["name", "case_no"])
    plan = planned(policy, connection)
    for found in (plan.uniqueness, apply_plan(plan, connection).uniqueness):
        assert counts_of(found) == COUNTS
        assert warned(found) == ("born",)


VALUES = st.one_of(st.none(), st.integers(0, 4))


@given(rows=st.lists(st.tuples(VALUES, VALUES, VALUES, VALUES, VALUES), min_size=1, max_size=30))
def test_counts_are_those_of_a_count_by_hand(rows: list[tuple[int | None, ...]]) -> None:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE t (age INTEGER, zip INTEGER, a INTEGER, b INTEGER, s INTEGER)")
    connection.executemany("INSERT INTO t VALUES (?, ?, ?, ?, ?)", rows)
    policy = read_policy(
        {
            "source": {"table": "t"},
            "columns": {
                "age": {"role": "quasi", "hierarchy": {"intervals": [2]}, "nulls": "top"},
                "zip": {"role": "quasi", "hierarchy": "suppress"},
                "a": {"role": "other"},
                "b": {"role": "other"},
                "s": {"role": "sensitive"},
            },
            "guarantees": [{"k_anonymity": {"k": 2}}],
            "suppression": "50%",
            "release": {"table": "out"},
        }
    )
    plan = make_plan(policy, connection)
    shown = [(labels(plan.levels, *row[:2]), row[2:]) for row in rows]
    assert plan.uniqueness is not None
    assert plan.uniqueness.unique_together == unique_among(shown)
    for place, name in enumerate(("a", "b", "s"), 2):
        assert counts_of(plan.uniqueness)[name] == expected([row[place] for row in rows])
    if plan.satisfied:
        release = apply_plan(plan, connection)
        audit = audit_table(policy, source=connection)
        released = rows_of(connection, "out")
        assert audit.uniqueness.unique_together == unique_among(released)
        for place, name in enumerate(("a", "b", "s"), 2):
            by_hand = expected([row[place] for row in released])
            assert counts_of(audit.uniqueness)[name] == by_hand
            assert counts_of(release.uniqueness)[name] == by_hand


@pytest.mark.parametrize(("level", "unique"), [(0, 5), (1, 2), (2, 1), (3, 1)])
def test_a_plan_counts_its_own_labels_together(level: int, unique: int) -> None:
    """Ages of no interval and NULL both show ``*`` from level 1 on; note is the same but once."""
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE t AS SELECT UNNEST([0, 1, 2, 9, NULL, NULL]) AS age, "
        "UNNEST(['x', 'x', 'x', 'x', 'x', 'y']) AS note, 1 AS zip"
    )
    if level == 0:
        connection.execute("INSERT INTO t SELECT * FROM t WHERE age = 0")
    policy = read_policy(
        {
            "source": {"table": "t"},
            "columns": {
                "age": {
                    "role": "quasi",
                    "hierarchy": {
                        "intervals": [
                            {"cuts": ["0", "2", "4"], "closed": "true"},
                            {"cuts": ["0", "4"], "closed": "true"},
                        ]
                    },
                    "nulls": "top",
                    "uncovered": "top",
                },
                "zip": {"role": "quasi", "hierarchy": "suppress"},
                "note": {"role": "other"},
            },
            "guarantees": [{"k_anonymity": {"k": 2}}],
        }
    )
    found = make_plan(policy, connection, limits=SearchLimits({"age": (level, level)})).uniqueness
    assert found is not None
    assert found.unique_together == unique


def labels(levels: Any, age: int | None, zip_code: int | None) -> tuple[Any, Any]:
    """What a row shows at some levels: NULL is fully general, and a width of 2 starts at 0."""
    shown_age: Any = "*" if age is None or levels["age"] == 2 else age // (1 + levels["age"])
    return shown_age, "*" if levels["zip"] else zip_code


@pytest.mark.parametrize("kind", KINDS)
def test_a_release_of_every_kind_is_counted_as_it_is_published(kind: str, tmp_path: Path) -> None:
    connection = patients()
    policy = patients_policy(release=release_to(kind, tmp_path))
    release = apply_plan(planned(policy, connection), connection)
    audit = audit_table(policy, source=connection)
    assert counts_of(release.uniqueness) == counts_of(audit.uniqueness)
    assert counts_of(release.uniqueness) == {"disease": (2, 0), "visits": (5, 0)}


def test_masked_sensitive_values_and_null_are_no_values() -> None:
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE t AS SELECT i // 3 AS age, CASE WHEN i < 3 THEN 'hiv' ELSE 'flu' || i END "
        "AS disease, CASE WHEN i = 0 THEN 1 END AS note FROM RANGE(30) AS t (i)"
    )
    policy = read_policy(
        {
            "source": {"table": "t"},
            "columns": {
                "age": {"role": "quasi", "hierarchy": "suppress", "levels": 0},
                "disease": {"role": "sensitive"},
                "note": {"role": "other"},
            },
            "guarantees": [{"distinct_l_diversity": {"column": "disease", "l": 2}}],
            "suppression": "20%",
            "on_failure": "suppress_sensitive",
            "release": {"table": "out"},
        }
    )
    release = apply_plan(planned(policy, connection), connection)
    assert release.audit.masked_rows == 3
    assert counts_of(release.uniqueness) == {"disease": (27, 27), "note": (1, 1)}


def test_labels_are_counted_where_labels_are_released() -> None:
    columns = {
        **COLUMNS,
        "disease": {
            "role": "sensitive",
            "hierarchy": {"tree": {"any": ["flu", "cold"], "none": ["gout"]}},
            "level": 1,
        },
    }
    connection, policy = loans(), loans_policy(columns=columns)
    plan = planned(policy, connection)
    assert counts_of(plan.uniqueness)["disease"] == (2, 0)
    assert counts_of(apply_plan(plan, connection).uniqueness)["disease"] == (2, 0)


def test_values_of_every_type_are_counted() -> None:
    connection = duckdb.connect()
    kinds = {
        "list": "[i, NULL]",
        "struct": "{'a': i, 'b': [i]}",
        "map": "MAP {i: 'x'}",
        "json": "CAST('{\"a\": ' || i || '}' AS JSON)",
        "blob": "CAST(CAST(i AS VARCHAR) AS BLOB)",
        "bits": "CAST(CAST(i AS INTEGER) AS BIT)",
        "interval": "TO_DAYS(CAST(i AS INTEGER))",
        "float": "CAST(CASE WHEN i = 1 THEN 'NaN' ELSE CAST(i AS VARCHAR) END AS DOUBLE)",
        "uuid": "CAST(MD5(CAST(i AS VARCHAR)) AS UUID)",
        "zoned": "TIMESTAMPTZ '2026-01-01 00:00:00+00' + TO_DAYS(CAST(i AS INTEGER))",
        "union": "UNION_VALUE(n := i)",
        "enum": "CAST('v' || i AS ENUM ('v0', 'v1', 'v2', 'v3', 'v4', 'v5'))",
        "nocase": "(CASE WHEN i < 3 THEN 'a' ELSE 'A' END) || i // 2",
    }
    listed = ", ".join(f'{value} AS "{name}"' for name, value in kinds.items())
    connection.execute(f"CREATE TABLE t AS SELECT 1 AS age, {listed} FROM RANGE(6) AS t (i)")
    connection.execute('ALTER TABLE t ALTER "nocase" TYPE VARCHAR COLLATE NOCASE')
    found = check_table(connection, "t", quasi=["age"]).uniqueness
    assert counts_of(found) == {
        **dict.fromkeys(kinds, (6, 6)),
        "nocase": (4, 2),
    }


def test_columns_with_hostile_names_are_counted() -> None:
    connection = duckdb.connect()
    names = ('a "b"', "it's", "released", "audited", "valued", "row_count", "sqlgen_x", "SELECT")
    listed = ", ".join('i AS "{}"'.format(name.replace('"', '""')) for name in names)
    connection.execute(f"CREATE VIEW t AS SELECT 1 AS age, {listed} FROM RANGE(4) AS t (i)")
    found = check_table(connection, "t", quasi=["age"]).uniqueness
    assert counts_of(found) == dict.fromkeys(names, (4, 4))


def test_a_table_without_such_columns_has_nothing_to_count() -> None:
    connection = loans()
    columns = {
        name: each if each["role"] == "quasi" else {"role": "identifier"}
        for name, each in COLUMNS.items()
    }
    policy = loans_policy(columns=columns)
    plan = planned(policy, connection)
    assert plan.uniqueness == Uniqueness()
    assert apply_plan(plan, connection).uniqueness == Uniqueness()


def test_one_sensitive_column_alone_is_not_read_together() -> None:
    """Whoever finds a row by its sensitive value knows that value already."""
    connection = loans()
    alone = {
        name: each if each["role"] == "quasi" or name == "disease" else {"role": "identifier"}
        for name, each in COLUMNS.items()
    }
    found = make_plan(loans_policy(columns=alone), connection).uniqueness
    assert found is not None
    assert (counts_of(found), found.unique_together) == ({"disease": (3, 0)}, None)


def test_accepting_a_column_changes_no_lock() -> None:
    connection = loans()
    plain, accepting = loans_policy(), loans_policy(accept_unique=["name"])
    assert lock_text(planned(plain, connection)) == lock_text(planned(accepting, connection))


@pytest.mark.parametrize(
    ("accepted", "message"),
    [
        (["age"], "age must be a column of the role other or sensitive; found role quasi"),
        (["nobody"], "nobody must be a column .*; found no such column"),
        (["name", "name"], "name is named twice"),
        ("name", "accept_unique: must be a list; found 'name'"),
    ],
)
def test_only_a_released_column_can_be_accepted(
    accepted: Any, message: str, tmp_path: Path
) -> None:
    with pytest.raises(PolicyError, match=message):
        loans_policy(accept_unique=accepted)
    path = written(tmp_path, accepted)
    with pytest.raises(PolicyError, match=r"policy\.yml:\d+: accept_unique"):
        read_policy(path)


def written(folder: Path, accepted: Any = ()) -> Path:
    """A policy file of the loans, beside their database."""
    with duckdb.connect(str(folder / "loans.duckdb")) as connection:
        connection.execute(LOANS)
    path = folder / "policy.yml"
    path.write_text(
        json.dumps(
            {
                "source": {"database": "loans.duckdb", "table": "loans"},
                "columns": COLUMNS,
                "guarantees": [{"k_anonymity": {"k": 5}}],
                "release": {"table": "loans_anon"},
                **({"accept_unique": accepted} if accepted else {}),
            },
            indent=1,
        )
    )
    return path


def told(*arguments: object) -> Result:
    done = CliRunner().invoke(main, [str(each) for each in arguments])
    assert done.exit_code == 0, done.stderr
    return done


WARNING = "Warning: 120 of 120 rows (100%) are unique by name."
COMMANDS = (
    ("plan",),
    ("apply",),
    ("audit",),
    ("run", "--log", "json"),
    ("run",),
)


def test_every_command_warns_on_stderr_until_somebody_has_looked(tmp_path: Path) -> None:
    path = written(tmp_path)
    for command, *options in COMMANDS:
        done = told(command, path, *options)
        assert WARNING in done.stderr, command
        assert "accept_unique: [case_no]" in done.stderr, command
        assert "branch" not in done.stderr, command
    path = written_again(tmp_path, RARE)
    for command, *options in COMMANDS:
        replaced = ["--replace"] if command == "apply" else []
        assert "Warning" not in told(command, path, *options, *replaced).stderr, command


def written_again(folder: Path, accepted: Any) -> Path:
    path = folder / "policy.yml"
    content = json.loads(path.read_text())
    path.write_text(json.dumps({**content, "accept_unique": accepted}))
    return path


def test_check_warns_of_columns_that_nobody_named(tmp_path: Path) -> None:
    written(tmp_path)
    asked = ("check", tmp_path / "loans.duckdb", "loans", "--quasi", "age,sex")
    done = told(*asked)
    assert WARNING in done.stderr
    assert "branch" not in done.stderr
    assert "By these and the quasi-identifiers together, 120 of 120 rows" in done.stdout
    assert json.loads(told(*asked, "--json").stdout)["uniqueness"]["unique_together"] == 120


def test_a_met_policy_names_what_it_does_not_bound(tmp_path: Path) -> None:
    path = written(tmp_path)
    told("apply", path)
    last = told("audit", path).stdout.splitlines()[-1]
    assert last == (
        "The policy is met. It bounds nothing of name, born, case_no, and these values may "
        "identify people."
    )
    assert told("audit", written_again(tmp_path, RARE)).stdout.endswith("The policy is met.\n")


def test_an_unattended_night_says_it_in_its_log_and_does_not_fail(tmp_path: Path) -> None:
    done = told("run", written(tmp_path), "--log", "json")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    unique = [each for each in events if each["event"] == "unique"]
    assert [(each["column"], each["unique_rows"], each["rows"]) for each in unique] == [
        ("name", 120, 120),
        ("born", 120, 120),
        ("case_no", 0, 120),
    ]
    assert events[-2]["event"] == "released"
    assert events[-1]["exit_code"] == 0


def test_a_run_counts_its_release_once(tmp_path: Path) -> None:
    on_statement: list[str] = []
    connection, policy = loans(), loans_policy()
    lock = tmp_path / "policy.lock"
    made = run_policy(
        policy, connection, lock=lock, on_step=lambda event, _: on_statement.append(event)
    )
    assert made.satisfied
    assert on_statement.count("unique") == len(RARE)
    assert made.plan is not None
    assert made.plan.uniqueness is None


def test_the_page_has_no_green_banner_over_names_in_clear() -> None:
    connection, policy = loans(), loans_policy()
    apply_plan(planned(policy, connection), connection)
    page = page_html(read_evidence(policy, source=connection))
    assert '<p class="verdict met">' not in page
    assert "It bounds nothing of name, born, case_no" in page
    assert "120 of 120 rows (100%) are unique by name" in page
    assert "No identifier is released" not in page
    accepting = loans_policy(accept_unique=[*RARE])
    page = page_html(read_evidence(accepting, source=connection))
    assert '<p class="verdict met">' in page
    assert "accepted by the policy" in page


def test_the_printed_script_counts_as_apply_does() -> None:
    connection = loans()
    printed = [each.template for each in apply_sql(planned(loans_policy(), connection), connection)]
    assert printed.count("measuring/unique_columns") == 1
    assert printed.index("measuring/unique_columns") > printed.index("releasing/gate")
