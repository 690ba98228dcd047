"""Names that staging takes for itself: whatever of the user's has one is found, or refused."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from hostile import World
from hostile_runs import done, innocent
from sqlgen import RefusedError, apply_plan, audit_table, check_table, make_plan
from sqlgen.engines.duckdb.catalog import STAGED
from tables import patients, patients_policy, planned, rows_of, state_of

READERS = {
    "view": "CREATE VIEW seen AS SELECT * FROM main.SQLGEN_cell",
    "in capitals": 'CREATE VIEW seen AS SELECT * FROM "MAIN"."SQLGEN_CELL"',
    "quoted": 'CREATE VIEW seen AS SELECT * FROM "sqlgen_cell"',
    "namesake": "CREATE SCHEMA s; CREATE VIEW s.sqlgen_cell AS SELECT * FROM main.sqlgen_cell",
    "macro": "CREATE MACRO seen() AS TABLE SELECT * FROM sqlgen_cell",
    "joined": "CREATE VIEW seen AS SELECT 1 AS two FROM patients, sqlgen_cell",
    "never read": "CREATE VIEW seen AS SELECT * FROM sqlgen_cell WHERE false",
    "counted": "CREATE VIEW seen AS SELECT (SELECT COUNT(*) FROM sqlgen_cell) AS sqlgen_cell",
    "described": "CREATE VIEW seen AS SELECT * FROM (DESCRIBE sqlgen_cell)",
    "of columns": 'CREATE VIEW seen (sqlgen_cell, ") AS (") AS SELECT 1, one FROM sqlgen_cell',
    "a name with a query": 'CREATE VIEW "seen AS SELECT 1 --" AS SELECT * FROM sqlgen_cell',
    "in a text": "CREATE VIEW seen AS SELECT * FROM query_table('SqlGen_cell')",
    "a query in a text": "CREATE VIEW seen AS SELECT * FROM query('FROM main.sqlgen_cell')",
    "through a view": (
        "CREATE VIEW below AS SELECT * FROM sqlgen_cell; CREATE VIEW seen AS SELECT * FROM below"
    ),
    "bound no more": (
        "CREATE TABLE gone AS SELECT 1 AS one;"
        "CREATE VIEW seen AS SELECT gone.one FROM gone, sqlgen_cell; DROP TABLE gone"
    ),
    "a namesake's columns": (
        "CREATE VIEW seen AS SELECT sqlgen_cell.zip FROM main.sqlgen_cell AS t, "
        "patients AS sqlgen_cell"
    ),
    "function": "CREATE MACRO seen(x) AS x + (SELECT COUNT(*) FROM sqlgen_cell)",
}
HARMLESS = (
    "CREATE TABLE sqlgen_mine AS SELECT 1 AS one",
    "CREATE VIEW over_mine AS SELECT * FROM sqlgen_mine",
    "CREATE VIEW sqlgen_cell AS SELECT 1 AS one",
    "CREATE VIEW dashboard AS SELECT * FROM sqlgen_releases",
    "CREATE VIEW told AS SELECT 'of sqlgen_cell' AS \"it's\", '' || 'sqlgen_cell' AS other",
    "CREATE TABLE sqlgen_lookup_1 AS SELECT 1 AS one",
    'CREATE SCHEMA """];\\\n"; CREATE TABLE """];\\\n".sqlgen_label AS SELECT 1 AS one',
    'CREATE VIEW under AS SELECT one AS sqlgen_cell FROM """];\\\n".sqlgen_label',
    "CREATE SCHEMA s; CREATE TABLE s.sqlgen_kept AS SELECT 1 AS one",
    *(
        f"CREATE SCHEMA {each}; CREATE TABLE {each}.sqlgen_kept AS SELECT 1 AS one;"
        f"CREATE VIEW of_{each} AS SELECT * FROM {each}.sqlgen_kept"
        for each in ("mai", "mainly", "domain")
    ),
    "CREATE VIEW vx AS SELECT 1 AS sqlgen_cell",
    "CREATE VIEW columns AS SELECT sqlgen_cell, vx.sqlgen_cell AS two, vx AS three FROM vx",
    "CREATE VIEW ordered AS SELECT * FROM vx WHERE sqlgen_cell > 0 ORDER BY sqlgen_cell",
    "CREATE VIEW fields AS SELECT {'sqlgen_cell': 1} AS one, vx.sqlgen_cell FROM vx",
    "CREATE VIEW renamed (sqlgen_cell) AS SELECT * FROM vx AS sqlgen_cell",
    "CREATE MACRO of_column(sqlgen_cell) AS sqlgen_cell + 1",
    "CREATE MACRO of_table(sqlgen_cell) AS TABLE SELECT sqlgen_cell AS sqlgen_cell FROM vx",
    'CREATE VIEW elsewhere AS SELECT my_sqlgen_kept.one FROM s."sqlgen_kept" AS my_sqlgen_kept',
)


@pytest.mark.parametrize("called", ["list", "population"])
@pytest.mark.parametrize("name", ["sqlgen_source", "SQLGEN_Cell", "sqlgen_ladder_1"])
def test_a_list_and_a_population_that_have_a_name_of_ours_are_read(
    name: str, called: str, tmp_path: Path
) -> None:
    world = World(tmp_path, "table", "table", "k_map", {called: name}, by_query=True)
    twin = innocent("audit", "table", "table", "k_map", by_query=True, enums=False)
    assert done(world, "audit") == twin


@pytest.mark.parametrize("word", [*STAGED[::6], "ladder_1", "lookup_1"])
def test_a_table_that_has_a_name_of_ours_is_released_and_stays(word: str) -> None:
    connection = patients()
    connection.execute(f"ALTER TABLE patients RENAME TO sqlgen_{word}")
    before = rows_of(connection, f"main.sqlgen_{word}")
    policy = patients_policy(source={"table": f"sqlgen_{word}"})
    twin = planned(patients_policy(), patients())
    plan = planned(policy, connection)
    assert (plan.levels, plan.suppressed_rows) == (twin.levels, twin.suppressed_rows)
    assert apply_plan(plan, connection).satisfied
    assert audit_table(policy, source=connection).satisfied
    assert rows_of(connection, f"memory.main.sqlgen_{word}") == before


def test_a_release_may_have_a_name_of_ours() -> None:
    connection = patients()
    policy = patients_policy(release={"table": "sqlgen_cell"})
    assert apply_plan(planned(policy, connection), connection).satisfied
    assert audit_table(policy, source=connection).satisfied


@pytest.mark.parametrize("reader", READERS)
def test_what_reads_a_table_that_ours_would_hide_is_refused(reader: str) -> None:
    connection = patients()
    plan = planned(patients_policy(), connection)
    connection.execute("CREATE TABLE sqlgen_cell AS SELECT 1 AS one")
    connection.execute(READERS[reader])
    before = state_of(connection)
    calls: list[Any] = [
        lambda: make_plan(patients_policy(), connection),
        lambda: apply_plan(plan, connection),
        lambda: check_table(connection, "patients", quasi=["zip"]),
    ]
    for call in calls:
        with pytest.raises(RefusedError, match=r"reads sqlgen_cell.*Rename.*Nothing was changed"):
            call()
    assert state_of(connection) == before


def test_a_view_that_names_its_database_is_refused_where_the_engine_forgets_the_name() -> None:
    connection = patients()
    connection.execute("CREATE TABLE sqlgen_cell AS SELECT 1 AS one")
    connection.execute("CREATE VIEW seen AS SELECT * FROM memory.main.sqlgen_cell")
    connection.execute("CREATE TEMPORARY TABLE sqlgen_cell AS SELECT 2 AS one")
    is_hidden = rows_of(connection, "seen") == [(2,)]
    connection.execute("DROP TABLE temp.main.sqlgen_cell")
    with pytest.raises(RefusedError, match="reads sqlgen_cell") if is_hidden else nullcontext():
        make_plan(patients_policy(), connection)


@pytest.mark.parametrize(
    "read",
    [
        "FROM SqlGen_Value_Cell",
        'FROM"sqlgen_value_cell"AS p',
        'FROM main . "sqlgen_value_cell"',
        "FROM(sqlgen_value_cell)",
    ],
)
def test_a_query_that_reads_a_table_that_ours_would_hide_is_refused(read: str) -> None:
    connection = patients()
    connection.execute("ALTER TABLE patients RENAME TO sqlgen_value_cell")
    policy = patients_policy(source={"query": f"SELECT * {read}"})
    with pytest.raises(RefusedError, match=r"source\.query reads sqlgen_value_cell"):
        make_plan(policy, connection)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT p.* EXCLUDE (sqlgen_cell) FROM (FROM patients SELECT *, 1 AS sqlgen_cell) p",
        "SELECT * FROM patients AS sqlgen_cell",
        "SELECT * FROM patients WHERE 'FROM sqlgen_cell' > '' -- FROM sqlgen_cell",
    ],
)
def test_a_query_that_calls_a_column_as_ours_is_read(query: str) -> None:
    connection = patients()
    connection.execute("CREATE TABLE sqlgen_cell AS SELECT 1 AS one")
    assert make_plan(patients_policy(source={"query": query}), connection).satisfied


def test_names_with_our_prefix_that_nothing_of_ours_hides_are_left_alone() -> None:
    connection = patients()
    assert apply_plan(planned(patients_policy(), connection), connection).satisfied
    for each in HARMLESS:
        connection.execute(each)
    assert make_plan(patients_policy(), connection).satisfied
