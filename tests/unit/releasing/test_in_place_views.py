"""Views of a table that becomes its own release: each can still be read, or is named."""

from __future__ import annotations

import duckdb
import pytest

from in_place import COLUMNS, clinic_policy, make_clinic
from sqlgen import RefusedError, apply_plan, make_plan
from tables import planned, rows_of, state_of


def clinic() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    make_clinic(connection)
    return connection


def released(connection: duckdb.DuckDBPyConnection) -> None:
    assert apply_plan(planned(clinic_policy(), connection), connection).satisfied


def test_a_view_that_could_not_be_read_any_more_is_named() -> None:
    connection = clinic()
    connection.execute("CREATE VIEW named AS SELECT name FROM patients")
    connection.execute("CREATE VIEW through AS SELECT * FROM named")
    connection.execute("CREATE VIEW older AS SELECT age + 1 AS next FROM patients")
    connection.execute("CREATE VIEW visits AS SELECT visit FROM patients")
    before = state_of(connection)
    with pytest.raises(RefusedError) as refused:
        released(connection)
    for view in ("named", "through", "older"):
        assert f'the view "main"."{view}" could not be read any more' in str(refused.value)
    assert "visits" not in str(refused.value)
    assert state_of(connection) == before


def test_a_view_that_fails_on_labels_undoes_the_release_and_is_named() -> None:
    connection = clinic()
    connection.execute(
        "CREATE VIEW numbers AS SELECT CAST(age AS VARCHAR)::INT + 1 AS n FROM patients"
    )
    connection.execute("CREATE VIEW labels AS SELECT age, COUNT(*) AS n FROM patients GROUP BY age")
    before = state_of(connection)
    with pytest.raises(RefusedError, match=r'the view "main"\."numbers" cannot work with labels'):
        released(connection)
    assert state_of(connection) == before
    connection.execute("DROP VIEW numbers")
    released(connection)
    assert rows_of(connection, "labels")


def test_a_view_that_is_a_release_of_the_table_is_named_for_its_labels_hold_values() -> None:
    connection = clinic()
    viewed = clinic_policy(release={"view": "shown"}, guarantees=[{"k_anonymity": {"k": 5}}])
    apply_plan(make_plan(viewed, connection), connection)
    with pytest.raises(RefusedError, match=r'the view "main"\."shown" is a release of it'):
        released(connection)


SELECTS = {
    "USING": "SELECT * FROM patients INNER JOIN ward USING (age)",
    "ON": "SELECT ward.label FROM patients INNER JOIN ward ON patients.age = ward.age",
    "cast": "SELECT age::INT AS a FROM patients",
    "filter": "SELECT disease FROM patients WHERE age::INT > 30",
    "order": "SELECT disease FROM patients ORDER BY age::INT",
    "count": "SELECT COUNT(*) AS n FROM patients WHERE age::INT > 0",
    "subquery": "SELECT EXISTS (FROM patients WHERE age::INT > 500) AS e",
    "macro": "SELECT number(age) AS a FROM patients",
    "compared": "SELECT disease FROM patients WHERE age > 30",
    "sum": "SELECT SUM(age) AS a FROM patients",
}


@pytest.mark.battery
@pytest.mark.parametrize("kind", ["VIEW", "TEMPORARY VIEW"])
@pytest.mark.parametrize("case", SELECTS)
def test_a_view_that_needs_numbers_is_named_however_it_needs_them(case: str, kind: str) -> None:
    connection = clinic()
    connection.execute("CREATE TABLE ward AS SELECT 20 AS age, 'x' AS label")
    connection.execute("CREATE MACRO number(x) AS CAST(x AS INTEGER)")
    connection.execute(f"CREATE {kind} needing AS {SELECTS[case]}")
    before = state_of(connection)
    with pytest.raises(RefusedError, match=r'the view "main"\."needing"'):
        released(connection)
    assert state_of(connection) == before


def test_a_view_in_another_database_is_named() -> None:
    connection = clinic()
    connection.execute("ATTACH ':memory:' AS other")
    connection.execute("CREATE VIEW other.main.named AS SELECT name FROM memory.main.patients")
    with pytest.raises(RefusedError, match=r'the view "main"\."named" could not be read'):
        released(connection)


VIEWED = {
    "of a view": ["CREATE VIEW between AS FROM patients"],
    "of a view of a view": [
        "CREATE VIEW first AS FROM patients",
        "CREATE VIEW between AS FROM first",
    ],
}


@pytest.mark.parametrize("case", VIEWED)
@pytest.mark.parametrize("after", ["", "ALTER VIEW shown RENAME TO renamed"])
def test_a_view_release_of_a_view_of_the_table_is_named_for_its_labels_hold_values(
    case: str, after: str
) -> None:
    connection = clinic()
    for each in VIEWED[case]:
        connection.execute(each)
    # Labels that are not in the list would be shown as *: the view could be read, and leak.
    zips = {"role": "quasi", "hierarchy": {"tree": {"any": ["zip 1000"]}}, "uncovered": "top"}
    columns = {**COLUMNS, "age": {"role": "other"}, "zip": {**zips, "levels": 2}}
    viewed = clinic_policy(release={"view": "shown"}, table="between", columns=columns)
    apply_plan(make_plan(viewed, connection), connection)
    connection.execute("CREATE VIEW upon AS SELECT zip FROM shown")
    connection.execute(after or "SELECT 1")
    if after:
        connection.execute("DROP VIEW upon")
    before = state_of(connection)
    with pytest.raises(RefusedError) as told:
        apply_plan(planned(clinic_policy(columns=columns), connection), connection)
    words = "is a release of it, whose" if not after else "reads"
    assert f'the view "main"."{"renamed" if after else "shown"}" {words} labels' in str(told.value)
    assert after or 'the view "main"."upon" reads labels that hold its values' in str(told.value)
    assert state_of(connection) == before


def test_a_view_that_was_broken_before_is_nobodys_concern() -> None:
    connection = clinic()
    connection.execute("CREATE TABLE gone AS SELECT 1 AS one")
    connection.execute("CREATE VIEW broken AS FROM gone")
    connection.execute("DROP TABLE gone")
    released(connection)
