"""Names that staging takes for itself: whatever of the user's has one is found, or refused."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from hostile import World
from sqlgen import RefusedError, apply_plan, audit_table, check_table, make_plan
from sqlgen.catalog import STAGED
from tables import patients, patients_policy, planned, rows_of, state_of
from test_injection import done, innocent

READERS = {
    "view": "CREATE VIEW seen AS SELECT * FROM main.SQLGEN_cell",
    "quoted": 'CREATE VIEW seen AS SELECT * FROM "sqlgen_cell"',
    "namesake": "CREATE SCHEMA s; CREATE VIEW s.sqlgen_cell AS SELECT * FROM main.sqlgen_cell",
    "macro": "CREATE MACRO seen() AS TABLE SELECT * FROM sqlgen_cell",
    "function": "CREATE MACRO seen(x) AS x + (SELECT COUNT(*) FROM sqlgen_cell)",
}
HARMLESS = (
    "CREATE TABLE sqlgen_mine AS SELECT 1 AS one",
    "CREATE VIEW over_mine AS SELECT * FROM sqlgen_mine",
    "CREATE VIEW sqlgen_cell AS SELECT 1 AS one",
    "CREATE VIEW dashboard AS SELECT * FROM sqlgen_releases",
    "CREATE VIEW told AS SELECT 'of sqlgen_cell' AS \"it's\", '' || 'sqlgen_cell' AS other",
    "CREATE SCHEMA s; CREATE TABLE s.sqlgen_kept AS SELECT 1 AS one",
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


def test_names_with_our_prefix_that_nothing_of_ours_hides_are_left_alone() -> None:
    connection = patients()
    assert apply_plan(planned(patients_policy(), connection), connection).satisfied
    for each in HARMLESS:
        connection.execute(each)
    assert make_plan(patients_policy(), connection).satisfied
