"""Releases that are each as safe as was asked, and what they tell together or of each other."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
import pytest

from joint_attacks import K2, K3, L2, joint_of, policy_of
from nights import DAY, Clock
from sqlgen import (
    PolicyError,
    RefusedError,
    apply_plan,
    audit_history,
    make_plan,
)
from sqlgen import run_policy as run
from tables import rows_of

LUNGS = {"tree": {"lungs": ["flu", "cold", "lungs"], "stomach": ["ulcer", "stomach"]}}
PAIRS = "('10','y','flu'), ('10','o','cold'), ('20','y','cold'), ('20','o','flu')"


@pytest.fixture
def connection() -> duckdb.DuckDBPyConnection:
    return duckdb.connect(config={"threads": 1})


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def pairs(connection: duckdb.DuckDBPyConnection, table: str = "p") -> None:
    connection.execute(
        f"CREATE TABLE {table} AS SELECT * FROM (VALUES {PAIRS}) AS t (zip, age, disease)"
    )


def test_rows_of_one_person_are_one_person_in_a_difference(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    connection.execute(
        "CREATE TABLE p AS SELECT i AS person, '10' AS zip, ['flu', 'cold'][1 + i % 2] AS disease "
        "FROM RANGE(4) AS t (i)"
    )
    k = {"k_anonymity": {"k": 3, "unit": "person"}}
    about: dict[str, Any] = {"person": {"role": "identifier"}, "zip": 0}
    assert run(
        policy_of({"table": "o1"}, k, L2, **about), connection, lock=tmp_path / "1"
    ).satisfied
    connection.execute(
        "INSERT INTO p VALUES (99, '10', 'hiv'), (99, '10', 'gout'), (99, '10', 'gout')"
    )
    made = run(policy_of({"table": "o2"}, k, L2, **about), connection, lock=tmp_path / "2")
    assert not made.satisfied
    assert [each.exposed_rows for each in joint_of(made).differences] == [3]


def test_the_level_of_a_standing_sensitive_column_is_the_ledgers(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    ills = ["flu", "cold", "flu", "cold", "lungs", "ulcer", "ulcer", "ulcer"]
    connection.execute("CREATE TABLE p AS SELECT '10' AS zip, UNNEST(?) AS disease", [ills])
    organs = policy_of({"table": "o1"}, K3, zip=0, disease={"hierarchy": LUNGS, "level": 1})
    assert run(organs, connection, lock=tmp_path / "1").satisfied
    connection.execute("INSERT INTO p VALUES ('10', 'cold')")
    made = run(
        policy_of({"table": "o2"}, K3, zip=0, disease={"hierarchy": LUNGS}),
        connection,
        lock=tmp_path / "2",
    )
    assert not made.satisfied
    (difference,) = joint_of(made).differences
    assert (difference.rows_came, difference.rows_went, difference.exposed_rows) == (1, 0, 1)


def test_labels_that_could_be_of_two_levels_are_not_judged(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    rows = {("10", "y"): 4, ("11", "o"): 1, ("2", "o"): 4, ("2", "y"): 4}
    connection.execute("CREATE TABLE p (zip VARCHAR, age VARCHAR, disease VARCHAR)")
    for (zip_code, age), count in rows.items():
        sql = "INSERT INTO p SELECT ?, ?, 'flu' FROM RANGE(?)"
        connection.execute(sql, [zip_code, age, count])
    tree = {"role": "quasi", "hierarchy": {"tree": {"10": ["10", "11"], "2": ["2", "21"]}}}
    first = policy_of({"table": "o1"}, K2, zip={**tree, "levels": 2}, age=0)
    assert run(first, connection, lock=tmp_path / "1").satisfied
    unknown = policy_of({"table": "o2"}, K2, zip={**tree, "levels": 1}, age=1, ledger="off")
    assert apply_plan(make_plan(unknown, connection), connection).satisfied
    joint = audit_history(unknown.model_copy(update={"ledger": "sqlgen_releases"}), connection)
    assert not joint.satisfied
    assert [why for _, why in joint.unjudged] == [
        "the labels of zip that it shows could be of level 0 or 1, and cover other values at each"
    ]


def test_increments_by_days_and_by_moments_are_not_apart(
    connection: duckdb.DuckDBPyConnection, clock: Clock, tmp_path: Path
) -> None:
    connection.execute("CREATE TABLE p (zip VARCHAR, age VARCHAR, disease VARCHAR, came TIMESTAMP)")
    connection.execute("CREATE VIEW v AS SELECT * REPLACE (CAST(came AS DATE) AS came) FROM p")
    connection.execute(
        f"INSERT INTO p SELECT *, ? FROM (VALUES {PAIRS})", [clock.moment.replace(tzinfo=None)]
    )
    moments, days = (
        policy_of(
            {"table": name, "timestamped": True, "since": "came"},
            K2,
            zip=level,
            age=1 - level,
            came={"role": "identifier"},
            source={"table": source},
        )
        for name, source, level in (("a", "p", 0), ("b", "v", 1))
    )
    assert run(moments, connection, lock=tmp_path / "a").satisfied
    clock.moment += DAY
    made = run(days, connection, lock=tmp_path / "b")
    assert not made.satisfied
    assert [why for _, why in joint_of(made).unjudged] == [
        "when its rows came, came of the source does not say any more"
    ]


def test_new_rows_are_not_told_by_a_column_that_has_another_type_now(
    connection: duckdb.DuckDBPyConnection, clock: Clock, tmp_path: Path
) -> None:
    connection.execute("CREATE TABLE p (zip VARCHAR, disease VARCHAR, came TIMESTAMP)")
    connection.execute("INSERT INTO p SELECT '10', 'flu', '2026-03-01 01:00:00' FROM RANGE(4)")
    release = {"table": "new", "timestamped": True, "since": "came"}
    policy = policy_of(release, K2, zip=0, came={"role": "identifier"})
    assert run(policy, connection, lock=tmp_path / "lock").satisfied
    connection.execute("ALTER TABLE p ALTER came TYPE DATE")
    clock.moment += DAY
    with pytest.raises(RefusedError, match="came was TIMESTAMP at the last release and is DATE"):
        run(policy, connection, lock=tmp_path / "lock")


def test_new_rows_are_not_told_by_the_releases_of_another_policy(
    connection: duckdb.DuckDBPyConnection, clock: Clock, tmp_path: Path
) -> None:
    release = {"table": "new", "timestamped": True, "since": "came"}
    for table in ("p", "q"):
        connection.execute(
            f"CREATE TABLE {table} AS SELECT '10' AS zip, 'flu' AS disease, "
            "TIMESTAMP '2026-03-01 01:00:00' AS came FROM RANGE(4)"
        )
    one, other = (
        policy_of(release, K2, zip=0, came={"role": "identifier"}, source={"table": table})
        for table in ("p", "q")
    )
    assert run(one, connection, lock=tmp_path / "p").satisfied
    clock.moment += DAY
    with pytest.raises(RefusedError, match="release 1 has rows of p by a policy without a file"):
        run(other, connection, lock=tmp_path / "q")


def test_a_policy_keeps_releases_of_its_own_alone(
    connection: duckdb.DuckDBPyConnection, clock: Clock, tmp_path: Path
) -> None:
    for table, keep in (("p", 5), ("q", 1)):
        pairs(connection, table)
        release = {"table": "new", "timestamped": True, "keep": keep}
        policy = policy_of(release, K2, zip=1, age=1, source={"table": table})
        for _ in range(2):
            clock.moment += DAY
            assert run(policy, connection, lock=tmp_path / table).satisfied
    assert connection.execute(
        "SELECT COUNT(*) FROM duckdb_tables() WHERE table_name LIKE 'new%'"
    ).fetchall() == [(3,)]


def test_views_that_read_the_same_file_are_of_the_same_people(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    file = tmp_path / "people.parquet"
    connection.execute(f"COPY (FROM (VALUES {PAIRS}) AS t (zip, age, disease)) TO '{file}'")
    connection.execute("CREATE TABLE zips AS SELECT UNNEST(['10', '20']) AS zip")
    connection.execute("CREATE TABLE ages AS SELECT UNNEST(['y', 'o']) AS age")
    for name in ("zip", "age"):
        connection.execute(f"CREATE VIEW by_{name} AS FROM '{file}' JOIN {name}s USING ({name})")
    by_zip, by_age = (
        policy_of({"table": f"of_{name}"}, K2, zip=level, age=1 - level, source={"table": name})
        for name, level in (("by_zip", 0), ("by_age", 1))
    )
    assert run(by_zip, connection, lock=tmp_path / "1").satisfied
    made = run(by_age, connection, lock=tmp_path / "2")
    assert not made.satisfied
    assert joint_of(made).left_out == ()


def test_what_was_promised_of_organs_is_counted_in_organs(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    connection.execute("CREATE TABLE p (zip VARCHAR, age VARCHAR, disease VARCHAR)")
    for zip_code in ("10", "20"):
        for age, ills in {"y": ("flu", "cold"), "o": ("ulcer", "stomach")}.items():
            connection.execute("INSERT INTO p SELECT ?, ?, UNNEST(?)", [zip_code, age, [*ills]])
    by_organ, by_ill = (
        policy_of({"table": f"o{level}"}, K2, L2, zip=1 - level, age=level, disease=told)
        for level, told in ((1, {"hierarchy": LUNGS, "level": 1}), (0, {"hierarchy": LUNGS}))
    )
    assert run(by_organ, connection, lock=tmp_path / "1").satisfied
    made = run(by_ill, connection, lock=tmp_path / "2")
    assert not made.satisfied
    assert [each.fewest for each in joint_of(made).values] == [1]


def test_tables_of_one_name_in_two_schemas_are_two_releases(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    pairs(connection)
    satisfied = []
    for schema, level in (("a", 0), ("b", 1)):
        connection.execute(f"CREATE SCHEMA {schema}; SET schema = '{schema}'")
        policy = policy_of(
            {"table": "out"},
            K2,
            zip=level,
            age=1 - level,
            source={"table": "main.p"},
            ledger="main.led",
        )
        satisfied.append(run(policy, connection, lock=tmp_path / schema).satisfied)
    assert satisfied == [True, False]


def test_a_table_that_was_released_in_place_is_known_in_every_schema(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    connection.execute("CREATE SCHEMA a; SET schema = 'a'")
    connection.execute(
        "CREATE TABLE p AS SELECT '47' || i % 2 || i % 3 AS zip, 'flu' AS disease "
        "FROM RANGE(12) AS t (i)"
    )
    rule = {"role": "quasi", "hierarchy": {"prefixes": [3, 2]}, "levels": 1}
    policy = policy_of({"in_place": "true"}, K3, zip=rule, ledger="main.led")
    assert run(policy, connection, lock=tmp_path / "1").how == "first"
    before = Counter(rows_of(connection, "a.p"))
    connection.execute("SET schema = 'main'")
    again = policy_of(
        {"in_place": "true"}, K3, zip=rule, ledger="main.led", source={"table": "a.p"}
    )
    assert run(again, connection, lock=tmp_path / "2").how == "done"
    assert Counter(rows_of(connection, "a.p")) == before


def test_labels_of_another_hierarchy_are_no_new_originals(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    connection.execute(
        "CREATE TABLE p AS SELECT '47' || i % 2 || i % 3 AS zip, 'flu' AS disease "
        "FROM RANGE(12) AS t (i)"
    )
    one, other = (
        policy_of(
            {"in_place": "true"},
            K3,
            zip={"role": "quasi", "hierarchy": {"prefixes": [length]}, "levels": 1},
        )
        for length in (3, 2)
    )
    assert run(one, connection, lock=tmp_path / "1").how == "first"
    before = Counter(rows_of(connection, "p"))
    with pytest.raises(RefusedError, match="became its own release, number 1"):
        run(other, connection, lock=tmp_path / "2")
    assert Counter(rows_of(connection, "p")) == before


def test_a_table_with_some_of_a_releases_columns_is_not_replaced(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    pairs(connection)
    policy = policy_of({"table": "out"}, K2, zip=0, age=1)
    assert run(policy, connection, lock=tmp_path / "lock").satisfied
    connection.execute("DROP TABLE out; CREATE TABLE out AS SELECT zip FROM p")
    with pytest.raises(RefusedError, match="is not what release 1 left there"):
        run(policy, connection, lock=tmp_path / "lock")
    assert len(rows_of(connection, "out")) == 4


THREE_VALUES: tuple[dict[str, Any], ...] = (
    {"distinct_l_diversity": {"column": "disease", "l": 3}},
    {"entropy_l_diversity": {"column": "disease", "l": "2.5"}},
    {"recursive_l_diversity": {"column": "disease", "c": 2, "l": 3}},
)


@pytest.mark.parametrize("diverse", THREE_VALUES, ids=str)
@pytest.mark.parametrize("first", [0, 1])
def test_two_candidates_are_too_few_where_a_diversity_asks_for_more(
    diverse: dict[str, Any], first: int, connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    # In each class are three diseases; and four people are in two that share two of them.
    ills = {"10": "flu cold gout", "20": "flu cold ulcer"}
    connection.execute("CREATE TABLE p (zip VARCHAR, age VARCHAR, disease VARCHAR)")
    for zip_code, told in ills.items():
        for age, ill in zip("yyo" if zip_code == "10" else "ooy", told.split(), strict=True):
            connection.execute("INSERT INTO p VALUES (?, ?, ?)", [zip_code, age, ill])
    for number, level in enumerate((first, 1 - first)):
        policy = policy_of({"table": f"o{number}"}, diverse, zip=level, age=1 - level)
        made = run(policy, connection, lock=tmp_path / str(number))
        assert made.satisfied is (number == 0)
    (values,) = joint_of(made).values
    assert (values.fewest, values.required, values.rows_below) == (2, 3, 4)


@pytest.mark.parametrize("never", ["infinity", "-infinity"])
def test_rows_whose_time_never_comes_have_none(
    never: str, connection: duckdb.DuckDBPyConnection, clock: Clock, tmp_path: Path
) -> None:
    connection.execute("CREATE TABLE p (zip VARCHAR, disease VARCHAR, came TIMESTAMP)")
    connection.execute("INSERT INTO p SELECT '10', 'flu', '2026-03-01 01:00:00' FROM RANGE(4)")
    connection.execute("INSERT INTO p VALUES ('10', 'flu', ?)", [never])
    release = {"table": "new", "timestamped": True, "since": "came"}
    policy = policy_of(release, K2, zip=0, came={"role": "identifier"})
    assert clock.moment
    with pytest.raises(RefusedError, match="1 row has no came, and would never be released"):
        run(policy, connection, lock=tmp_path / "lock")


@pytest.mark.parametrize("table", ["nobody", "a.b.c.d", '"'])
def test_a_table_that_is_not_there_is_not_read_together_with_anything(
    table: str, connection: duckdb.DuckDBPyConnection
) -> None:
    pairs(connection)
    policy = policy_of({"table": "out"}, K2, zip=0, age=1)
    assert apply_plan(make_plan(policy, connection), connection).satisfied
    with pytest.raises(PolicyError, match="--table"):
        audit_history(policy, connection, table=table)
