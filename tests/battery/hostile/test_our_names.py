"""Names that staging takes for itself: whatever of the user's has one is refused by that name.

Nothing can then be taken for ours: no table, list or population, and nothing that a view, a macro
or a query reads. Anything else may be called, or say, what it likes.
"""

from __future__ import annotations

from typing import Any

import duckdb
import pytest

from sqlgen import RefusedError, apply_plan, audit_table, check_table, make_plan
from sqlgen.engines.duckdb.catalog import STAGED
from tables import patients, patients_policy, planned, rows_of, state_of

pytestmark = pytest.mark.usefixtures("real_functions")

TAKEN = (
    "CREATE TABLE sqlgen_cell AS SELECT 1 AS one",
    "CREATE TABLE SqlGen_CELL AS SELECT 1 AS one",
    "CREATE VIEW sqlgen_cell AS SELECT 1 AS one",
    "CREATE TEMPORARY TABLE sqlgen_cell AS SELECT 1 AS one",
    "CREATE TEMPORARY VIEW sqlgen_cell AS SELECT 1 AS one",
    "CREATE TABLE sqlgen_lookup_1 AS SELECT 1 AS one",
    "CREATE TABLE sqlgen_joint_roll_q1_0_2 AS SELECT 1 AS one",
    "CREATE SCHEMA s; CREATE TABLE s.sqlgen_kept AS SELECT 1 AS one",
    "ATTACH ':memory:' AS other; CREATE TABLE other.sqlgen_cell AS SELECT 1 AS one",
    # What reads it would find ours, however it says the name.
    *(
        f"CREATE TABLE sqlgen_cell AS SELECT 1 AS one; {reader}"
        for reader in (
            'CREATE VIEW seen AS SELECT * FROM "MAIN"."SQLGEN_CELL"',
            "CREATE MACRO seen() AS TABLE SELECT * FROM sqlgen_cell",
            "CREATE VIEW seen AS SELECT * FROM query('FROM main.sqlgen_' || 'cell')",
        )
    ),
)
HARMLESS = (
    "CREATE TABLE sqlgen_mine AS SELECT 1 AS one",
    "CREATE TABLE sqlgen_cells AS SELECT 1 AS one",
    "CREATE TABLE my_sqlgen_cell AS SELECT 1 AS one",
    "CREATE TEMPORARY TABLE sqlgen_mine AS SELECT 2 AS one",
    "CREATE VIEW over_mine AS SELECT * FROM sqlgen_mine",
    "CREATE VIEW dashboard AS SELECT * FROM sqlgen_releases",
    "CREATE VIEW told AS SELECT 'of sqlgen_cell' AS \"it's\", '' || 'sqlgen_cell' AS other",
    "CREATE SCHEMA sqlgen_cell",
    "CREATE TABLE vx AS SELECT 1 AS sqlgen_cell",
    "CREATE INDEX sqlgen_label ON vx (sqlgen_cell)",
    "CREATE VIEW columns AS SELECT sqlgen_cell, vx.sqlgen_cell AS two, vx AS three FROM vx",
    "CREATE VIEW renamed (sqlgen_cell) AS SELECT * FROM vx AS sqlgen_cell",
    "CREATE MACRO sqlgen_source(sqlgen_cell) AS sqlgen_cell + 1",
)


def calls_on(connection: duckdb.DuckDBPyConnection) -> list[Any]:
    plan = planned(patients_policy(), patients())
    return [
        lambda: make_plan(patients_policy(), connection),
        lambda: apply_plan(plan, connection),
        lambda: audit_table(patients_policy(), source=connection),
        lambda: check_table(connection, "patients", quasi=["zip"]),
    ]


@pytest.mark.parametrize("created", TAKEN)
def test_what_has_a_name_of_ours_is_refused_by_it_and_stays(created: str) -> None:
    connection = patients()
    connection.execute(created)
    before = state_of(connection)
    for call in calls_on(connection):
        with pytest.raises(RefusedError, match=r"(?i)^sqlgen_.*Rename.*Nothing was changed"):
            call()
    assert state_of(connection) == before


@pytest.mark.parametrize("word", STAGED)
def test_every_name_that_staging_uses_is_refused(word: str) -> None:
    connection = patients()
    connection.execute(f"CREATE TABLE sqlgen_{word} AS SELECT 1 AS one")
    with pytest.raises(RefusedError, match=f"^sqlgen_{word}: names like this"):
        check_table(connection, "patients", quasi=["zip"])
    assert rows_of(connection, f"main.sqlgen_{word}") == [(1,)]


@pytest.mark.parametrize("target", ["sqlgen_cell", 'main."SQLGEN_Cell"', "sqlgen_lookup_1"])
@pytest.mark.parametrize("kind", ["table", "view"])
def test_a_release_may_not_have_a_name_of_ours(kind: str, target: str) -> None:
    connection = patients()
    with pytest.raises(RefusedError, match="names like this are kept for staging"):
        make_plan(patients_policy(release={kind: target}), connection)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT p.* EXCLUDE (sqlgen_cell) FROM (FROM patients SELECT *, 1 AS sqlgen_cell) p",
        "SELECT * FROM patients AS sqlgen_cell",
        "SELECT * FROM patients WHERE 'FROM sqlgen_cell' > '' -- FROM sqlgen_cell",
    ],
)
def test_a_query_that_calls_a_column_as_ours_is_read(query: str) -> None:
    assert make_plan(patients_policy(source={"query": query}), patients()).satisfied


def test_names_with_our_prefix_that_nothing_of_ours_has_are_left_alone() -> None:
    connection = patients()
    assert apply_plan(planned(patients_policy(), connection), connection).satisfied
    for each in HARMLESS:
        connection.execute(each)
    assert make_plan(patients_policy(), connection).satisfied
    assert rows_of(connection, "temp.main.sqlgen_mine") == [(2,)]
