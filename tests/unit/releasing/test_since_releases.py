"""New rows alone: into any target, by a printed script, audited, and what is refused."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest

from nights import DAY, FIRST, Clock, Nights, name_of
from sqlgen import (
    PolicyError,
    RefusedError,
    Watch,
    apply_plan,
    apply_sql,
    audit_table,
    make_plan,
    read_evidence,
    read_history,
    read_lock,
    run_policy,
)
from sqlgen.engines.duckdb.engine import DuckDB
from sqlgen.ledger.increments import next_window
from sqlgen.policy import Policy
from sqlgen.releasing.apply import Order, release_plan
from sqlgen.staging.job import Job
from tables import patients_columns, rows_of, state_of

SPAN = "write a whole number of hours or days, like 6h or 2d"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


@pytest.fixture
def nights(clock: Clock, tmp_path: Path) -> Nights:
    return Nights(clock, tmp_path)


@pytest.mark.battery
@pytest.mark.parametrize(
    ("source", "target"), [("table", "table"), ("view", "table"), ("query", "csv")]
)
def test_whatever_the_source_and_the_target_are_rows_are_released_once(
    nights: Nights, source: str, target: str
) -> None:
    nights.connection.execute("CREATE VIEW seen AS SELECT * FROM patients")
    nights.connection.execute("CREATE SCHEMA apart")
    places = {"table": 'apart."the new"', "csv": str(nights.folder / "new.csv.gz")}
    nights.release = {target: places[target]}
    named = {"table": "patients", "view": "seen", "query": "SELECT * FROM patients -- all"}
    policy = nights.policy(source={"query" if source == "query" else "table": named[source]})
    read = {
        "table": 'apart."the new_{:%Y%m%d_%H%M%S}"',
        "csv": f"'{nights.folder}/new-{{:%Y%m%dT%H%M%SZ}}.csv.gz'",
    }
    for day in range(3):
        nights.come(day)
        assert nights.run(policy).satisfied
        released = read[target].format(nights.clock.moment)
        days = nights.connection.execute(f"SELECT DISTINCT visits FROM {released}").fetchall()
        assert days == [(day,)]
        assert audit_table(policy, source=nights.connection).satisfied
        nights.clock.moment += DAY
    assert state_of(nights.connection).tables.keys() & {("temp", "main", "sqlgen_whole")} == set()


def test_the_last_few_increments_stay(nights: Nights) -> None:
    nights.release["keep"] = 2
    for day in range(4):
        nights.come(day)
        assert nights.run().satisfied
        nights.clock.moment += DAY
    assert nights.files() == [name_of(FIRST + 2 * DAY), name_of(FIRST + 3 * DAY)]


@pytest.mark.parametrize("target", ["table", "parquet"])
def test_the_printed_script_releases_what_apply_would(nights: Nights, target: str) -> None:
    nights.release = {target: "fresh" if target == "table" else str(nights.folder / "new.parquet")}
    nights.come(0)
    nights.run()
    nights.clock.moment += DAY
    nights.come(1)
    policy = nights.policy()
    plan = read_lock(nights.folder / "policy.lock", policy)
    printed = [each.text for each in apply_sql(plan, nights.connection)]
    whole = "\n".join(printed)
    assert "> CAST('2026-03-01 23:30:00' AS TIMESTAMP)" in whole
    assert "<= CAST('2026-03-02 23:30:00' AS TIMESTAMP)" in whole
    on_statement: list[str] = []
    apply_plan(
        plan,
        nights.connection,
        watch=Watch(on_statement=lambda each: on_statement.append(each.text)),
    )
    assert on_statement[-len(printed) :] == printed
    # To run it again would release the rows twice: its guard is the engine's error.
    with pytest.raises(duckdb.Error, match="these rows were released meanwhile"):
        nights.connection.execute(";".join(printed).replace("20260302", "20270302"))
    nights.connection.execute("ROLLBACK")
    assert len(read_history(policy, nights.connection)) == 2


def test_a_release_by_another_run_meanwhile_is_noticed(nights: Nights) -> None:
    nights.come(0)
    policy = nights.policy()
    plan = make_plan(policy, nights.connection)
    other = nights.connection.cursor()
    done: list[bool] = []

    def on_statement(each: Any) -> None:
        if each.template == "engines/duckdb/current" and not done:
            done.append(True)
            nights.clock.moment += timedelta(seconds=1)
            done.append(apply_plan(plan, other).satisfied)

    engine_moment = nights.clock.moment
    engine = DuckDB(nights.connection, on_statement)
    job = _job(policy, nights, engine_moment)
    with pytest.raises(RefusedError, match="another run released these rows meanwhile"):
        release_plan(engine, plan, job, Order())
    assert done == [True, True]
    assert len(nights.files()) == 1
    assert len(read_history(policy, nights.connection)) == 1


def _job(policy: Policy, nights: Nights, moment: datetime) -> Job:
    """The job of the window that ends at a moment, as a run has it."""
    window = next_window(DuckDB(nights.connection), policy, nights.connection, moment)
    return Job(policy, None, window)


def test_an_increment_is_audited_against_its_own_rows(nights: Nights) -> None:
    guarantees = [
        {"k_anonymity": {"k": 4, "unit": "name"}},
        {
            "t_closeness": {
                "column": "disease",
                "t": "0.5",
                "distance": "equal",
                "reference": "source",
            }
        },
    ]
    policy = nights.policy(guarantees=guarantees)
    nights.come(0, 240)
    nights.hold(policy)
    nights.connection.execute("UPDATE patients SET disease = 'flu'")
    nights.run(policy)
    nights.clock.moment += DAY
    nights.come(1)
    made = nights.run(policy)
    assert made.release is not None
    assert made.release.rows == 120
    audit = audit_table(policy, source=nights.connection)
    assert audit.satisfied
    assert audit.guarantees[1].value == made.release.audit.guarantees[1].value
    assert (audit.unmeasured, audit.not_measured) == ((), "")
    assert audit.metrics["discernibility"] > 0
    first = read_evidence(policy, 1, nights.connection)
    second = read_evidence(policy, source=nights.connection)
    for found, rows in ((first, 240), (second, 120)):
        assert found.satisfied
        assert (found.rows, found.entry.source_rows) == (found.entry.released_rows, rows)
        assert not [each for each in found.remarks if "cannot" in each]
    assert "after 2026-03-01T23:30:00Z" in " ".join(second.remarks)


def test_a_table_of_an_increment_is_audited_by_its_name(nights: Nights) -> None:
    nights.release = {"table": "fresh"}
    policy = nights.policy(
        guarantees=[{"k_anonymity": {"k": 4, "unit": "name"}}], run={"rows_factor": 9}
    )
    for day in range(2):
        nights.come(day, 120 * (2 - day))
        nights.run(policy)
        nights.clock.moment += DAY
    first = audit_table(policy, "FRESH_20260301_233000", nights.connection)
    assert (first.rows, first.satisfied, first.unmeasured) == (240, True, ())


def test_a_dataframe_is_refused_for_it_has_no_ledger(nights: Nights) -> None:
    nights.come(0)
    frame = nights.connection.execute("FROM patients").df()
    plan = make_plan(nights.policy(), nights.connection)
    for asked in (
        lambda: make_plan(nights.policy(), frame),
        lambda: apply_plan(plan, frame),
        lambda: run_policy(nights.policy(), frame, lock=nights.folder / "policy.lock"),
    ):
        with pytest.raises(PolicyError, match="a DataFrame has no ledger"):
            asked()


@pytest.mark.parametrize("spelled", ["VARCHAR", "BIGINT", "TIME", "INTERVAL"])
def test_a_column_that_is_no_time_is_refused(nights: Nights, spelled: str) -> None:
    values = {"VARCHAR": "'secret'", "BIGINT": "7", "TIME": "TIME '01:02:03'"}
    value = values.get(spelled, "INTERVAL 1 DAY")
    nights.connection.execute(
        f"CREATE TABLE timed AS SELECT * REPLACE (CAST({value} AS {spelled}) AS loaded_at) "
        f"FROM ({nights.day_sql(0)})"
    )
    policy = nights.policy(source={"table": "timed"})
    for asked in (lambda: make_plan(policy, nights.connection), lambda: nights.run(policy)):
        with pytest.raises(PolicyError, match=f"must be a DATE, .*; it is {spelled}"):
            asked()


def test_a_column_that_the_source_lacks_is_refused(nights: Nights) -> None:
    nights.connection.execute("ALTER TABLE patients DROP loaded_at")
    with pytest.raises(PolicyError, match="the source has no column loaded_at"):
        make_plan(nights.policy(), nights.connection)


def test_another_column_for_the_same_target_is_refused(nights: Nights) -> None:
    nights.come(0)
    nights.run()
    nights.connection.execute("ALTER TABLE patients RENAME loaded_at TO written_at")
    columns = {**patients_columns(), "written_at": {"role": "identifier"}}
    nights.clock.moment += DAY
    with pytest.raises(RefusedError, match="until now went by loaded_at"):
        make_plan(nights.policy("written_at", columns=columns), nights.connection)


@pytest.mark.parametrize(
    ("release", "words"),
    [
        ({"table": "t", "since": "loaded_at"}, "since is for a timestamped target"),
        ({"view": "v", "since": "loaded_at"}, "since is for a timestamped target"),
        ({"in_place": "true", "since": "loaded_at"}, "since is for a timestamped target"),
        ({"table": "t", "timestamped": "true", "since": "nowhere"}, "nowhere must be a column"),
        ({"table": "t", "timestamped": "true", "since": {"lag": "6h"}}, r"release\.since\.column"),
        *(
            (
                {
                    "table": "t",
                    "timestamped": "true",
                    "since": {"column": "loaded_at", "lag": lag},
                },
                words,
            )
            for lag, words in (
                *dict.fromkeys(("6", "6m", "1.5h", "h", "10000d", ""), SPAN).items(),
                ("-1h", "must be at least 0h"),
            )
        ),
    ],
)
def test_a_since_that_does_not_fit_is_a_mistake(
    nights: Nights, release: dict[str, Any], words: str
) -> None:
    with pytest.raises(PolicyError, match=words):
        nights.policy(release=release)


def test_new_rows_alone_need_the_ledger(nights: Nights) -> None:
    with pytest.raises(PolicyError, match=r"ledger: release\.since needs the ledger"):
        nights.policy(ledger="off")


def test_a_window_is_no_part_of_what_a_policy_says(nights: Nights) -> None:
    nights.come(0)
    plan = make_plan(nights.policy(), nights.connection)
    assert not hasattr(plan.policy, "window")
    assert plan.rows == 120
    assert rows_of(nights.connection, "patients")
