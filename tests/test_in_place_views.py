"""Views of a table that becomes its own release: each can still be read, or is named."""

from __future__ import annotations

import duckdb
import pytest

from in_place import clinic_policy, make_clinic
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


def test_a_view_that_was_broken_before_is_nobodys_concern() -> None:
    connection = clinic()
    connection.execute("CREATE TABLE gone AS SELECT 1 AS one")
    connection.execute("CREATE VIEW broken AS FROM gone")
    connection.execute("DROP TABLE gone")
    released(connection)
