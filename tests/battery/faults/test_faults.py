"""Whatever goes wrong, and wherever: nothing was changed, and the next run succeeds."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from effort import IS_THOROUGH
from every_recoding import WAYS, recoded, ways
from faults import (
    TURNS,
    PulledPlugError,
    fault_before,
    faults_in_turn,
    last_of_each,
    seen_of,
)
from sqlgen import (
    EngineError,
    Plan,
    PolicyError,
    RefusedError,
    SqlgenError,
    Watch,
    apply_plan,
    audit_table,
    make_plan,
)
from sqlgen.cli.text.results import release_text
from sqlgen.recodings import FullDomain
from sqlgen.recodings.full_domain import ColumnLevels
from sqlgen.sql.render import Statement
from tables import (
    KINDS,
    LEDGER,
    SOURCES,
    State,
    names_in,
    patients,
    patients_file,
    patients_policy,
    planned,
    release_to,
    state_of,
)

# Releases by each other recoding than the default: the recoding and the kind of target.
RECODED = {f"{name} table": (name, "table") for name in WAYS}
RECODED |= {"local files": ("local", "partitioned"), "anatomy files": ("anatomy", "csv")}


@dataclasses.dataclass(frozen=True)
class Way:
    """One way through apply: a connection with a plan, and whether an old release stands."""

    connection: duckdb.DuckDBPyConnection
    plan: Plan
    folder: Path
    replace: bool

    def apply(self) -> None:
        apply_plan(self.plan, self.connection, replace=self.replace)

    def state(self) -> State:
        return state_of(self.connection, self.folder)


def way_of(kind: str, replace: bool, folder: Path) -> Way:
    connection = patients(60)
    connection.execute("CREATE TABLE old AS SELECT 'an older release' AS words FROM RANGE(3)")
    # A query as the source takes one statement more, and a view more tables of its own.
    source = {"table": "patients"} if kind == "view" else {"query": "FROM patients"}
    recoding, kind = RECODED.get(kind, (FullDomain.name, kind))
    more = {} if recoding == FullDomain.name else recoded(recoding)
    policy = patients_policy(**{**more, "source": source, "release": release_to(kind, folder)})
    if replace and kind in ("table", "view"):
        connection.execute(f"CREATE {kind} released AS SELECT * FROM old")
    elif replace and kind == "partitioned":
        (folder / "released" / "disease=none").mkdir(parents=True)
        (folder / "released" / "disease=none" / "old.parquet").write_text("an older release")
    elif replace:
        (folder / f"released.{kind}").write_text("an older release")
    return Way(connection, planned(policy, connection), folder, replace)


def statements_of(kind: str, replace: bool, folder: Path) -> list[str]:
    """The statements of a run that goes well, by template."""
    folder.mkdir()
    with fault_before(-1, PulledPlugError) as begun:
        way = way_of(kind, replace, folder)
        planning = len(begun)
        way.apply()
    return [each.template for each in begun[planning:]]


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("replace", [False, True], ids=["new", "replace"])
@pytest.mark.parametrize("kind", [*KINDS, *RECODED])
def test_a_fault_before_any_statement_changes_nothing(
    kind: str, replace: bool, turn: int, tmp_path: Path
) -> None:
    """A new release and one in an old one's place have the other fault each before a statement."""
    templates = statements_of(kind, replace, tmp_path / "first")
    (tmp_path / "second").mkdir()
    way = way_of(kind, replace, tmp_path / "second")
    before = way.state()
    templates = [each for each in templates if each != "releasing/confirm"]
    assert "releasing/commit" in templates
    faults = faults_in_turn(templates, turn + replace)
    # Another recoding sends more of each statement, and no others in its transaction.
    is_sparing = kind in RECODED and not IS_THOROUGH
    for number in last_of_each(templates) if is_sparing else range(len(templates)):
        with fault_before(number, faults[number]), pytest.raises(seen_of(faults[number])):
            way.apply()
        assert way.state() == before, f"before statement {number}, {templates[number]}"
        # Raises inside a transaction that was left open.
        way.connection.execute("BEGIN TRANSACTION")
        way.connection.execute("ROLLBACK")
    way.apply()
    assert audit_table(way.plan.policy, source=way.connection).satisfied


@pytest.mark.parametrize("kind", ["table", "view"])
def test_a_fault_after_the_commit_leaves_a_whole_release(kind: str, tmp_path: Path) -> None:
    number = statements_of(kind, True, tmp_path / "first").index("releasing/confirm")
    way = way_of(kind, True, tmp_path)
    with fault_before(number, PulledPlugError), pytest.raises(PulledPlugError):
        way.apply()
    assert audit_table(way.plan.policy, source=way.connection).satisfied


@ways
@pytest.mark.parametrize("fault", [EngineError, KeyboardInterrupt])
def test_a_fault_before_any_statement_of_a_plan_leaves_nothing_staged(
    fault: type[BaseException], recoding: str
) -> None:
    connection = patients(60)
    policy = patients_policy(**{**recoded(recoding), "source": {"query": "FROM patients"}})
    before = state_of(connection)
    # The names of functions and settings are asked for once in a process.
    make_plan(policy, connection)
    with fault_before(-1, fault) as begun:
        make_plan(policy, connection)
    templates = [each.template for each in begun]
    for number in range(len(begun)) if IS_THOROUGH else last_of_each(templates):
        with fault_before(number, fault), pytest.raises((fault, SqlgenError)):
            make_plan(policy, connection)
        assert state_of(connection) == before
    assert make_plan(policy, connection).satisfied


@pytest.mark.parametrize("fault", [EngineError, KeyboardInterrupt])
def test_a_fault_leaves_a_database_file_closed_and_as_it_was(
    fault: type[BaseException], tmp_path: Path
) -> None:
    path = patients_file(tmp_path, 60)
    plan = planned(patients_policy(), path)
    with fault_before(-1, fault) as begun, pytest.raises(RefusedError):
        apply_plan(plan, path), apply_plan(plan, path)
    commit = [each.template for each in begun].index("releasing/commit")
    with duckdb.connect(str(path)) as connection:
        connection.execute("DROP TABLE released")
        before = state_of(connection)
    with fault_before(commit, fault), pytest.raises(fault):
        apply_plan(plan, path)
    with duckdb.connect(str(path)) as connection:
        assert state_of(connection) == before
    assert not list(tmp_path.glob("*.wal"))


@pytest.mark.parametrize(
    "heard_at", ["releasing/begin", "releasing/create", "releasing/gate", "releasing/commit"]
)
def test_a_listener_that_fails_changes_nothing(heard_at: str) -> None:
    connection = patients(60)
    plan = planned(patients_policy(), connection)
    before = state_of(connection)

    def on_statement(statement: Statement) -> None:
        if statement.template == heard_at:
            raise PulledPlugError

    with pytest.raises(PulledPlugError):
        apply_plan(plan, connection, watch=Watch(on_statement=on_statement))
    assert state_of(connection) == before


@pytest.mark.parametrize("replace", [False, True], ids=["new", "replace"])
@pytest.mark.parametrize("kind", ["parquet", "csv", "partitioned"])
@pytest.mark.parametrize("step", ["rename", "flush"])
def test_a_file_that_cannot_be_given_its_name_is_an_error_of_ours(
    step: str, kind: str, replace: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    way = way_of(kind, replace, tmp_path)
    before = way.state()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    names = ("Path.replace", "Path.hardlink_to", "Path.rename")
    for function in (
        *(f"pathlib.{each}" for each in names),
        "sqlgen.releasing.targets.folder._exchange",
    ):
        monkeypatch.setattr("os.fsync" if step == "flush" else function, full)
    with pytest.raises(SqlgenError):
        way.apply()
    # The ledger is made by the first release, and this one is in it no more.
    after = way.state()
    tables = {key: rows for key, rows in after.tables.items() if key[2] != LEDGER or rows}
    assert dataclasses.replace(after, tables=tables) == before


def test_a_folder_in_the_place_of_a_file_is_refused(tmp_path: Path) -> None:
    connection = patients(60)
    (tmp_path / "released.csv").mkdir()
    plan = planned(patients_policy(release=release_to("csv", tmp_path)), connection)
    with pytest.raises(SqlgenError):
        apply_plan(plan, connection, replace=True)
    assert [each.name for each in tmp_path.iterdir()] == ["released.csv"]


def breaking_at(
    connection: duckdb.DuckDBPyConnection, template: str
) -> Callable[[Statement], None]:
    """A listener that breaks the transaction behind the engine's back before one statement."""

    def on_statement(statement: Statement) -> None:
        if statement.template == template:
            with pytest.raises(duckdb.Error):
                connection.execute("SELECT ERROR('broken from outside')")

    return on_statement


@pytest.mark.parametrize("stands", ["nothing", "another release", "a release of as many rows"])
def test_a_commit_that_silently_rolls_back_is_noticed(stands: str) -> None:
    connection = patients()
    plan = planned(patients_policy(), connection)
    if stands != "nothing":
        apply_plan(plan, connection)
        connection.execute("UPDATE released SET zip = 'old'")
    if stands == "another release":
        connection.execute("DELETE FROM released WHERE sex = 'f'")
    before = state_of(connection)
    try:
        on_statement = breaking_at(connection, "releasing/commit")
        apply_plan(plan, connection, replace=True, watch=Watch(on_statement=on_statement))
    except EngineError:
        assert state_of(connection) == before
    else:
        assert ("old",) not in connection.execute("SELECT zip FROM released").fetchall()


def tampered(plan: Plan, **levels: int) -> Plan:
    decision = ColumnLevels({**plan.levels_to("change"), **levels}, plan.words)
    return dataclasses.replace(plan, decision=decision)


@pytest.mark.parametrize("replace", [False, True], ids=["new", "replace"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_release_that_its_audit_refuses_is_rolled_back(
    kind: str, replace: bool, tmp_path: Path
) -> None:
    way = way_of(kind, replace, tmp_path)
    before = way.state()
    release = apply_plan(tampered(way.plan, zip=0, age=0), way.connection, replace=replace)
    assert not release.satisfied
    assert release.suppressed_rows > release.budget
    assert way.state() == before
    way.apply()


def test_a_release_that_its_audit_refuses_says_that_nothing_was_changed() -> None:
    connection = patients()
    plan = planned(patients_policy(), connection)
    text = release_text(apply_plan(tampered(plan, zip=0, age=0), connection))
    assert "breaks the policy" in text
    assert text.endswith("Nothing was changed.")


@pytest.mark.parametrize("level", [-1, 99])
def test_a_plan_with_levels_that_do_not_exist_is_refused(level: int) -> None:
    connection = patients()
    plan = planned(patients_policy(), connection)
    before = state_of(connection)
    with pytest.raises(RefusedError, match="levels"):
        apply_plan(tampered(plan, age=level), connection)
    assert state_of(connection) == before


def test_an_unsatisfied_plan_is_not_applied() -> None:
    connection = patients()
    plan = make_plan(patients_policy(guarantees=[{"k_anonymity": {"k": 1000}}]), connection)
    assert not plan.satisfied
    with pytest.raises(PolicyError, match=r"Nothing was changed"):
        apply_plan(plan, connection)
    assert names_in(connection) == {"patients"}


def test_a_connection_inside_a_transaction_is_refused_and_stays_in_it() -> None:
    connection = patients()
    plan = planned(patients_policy(), connection)
    connection.execute("BEGIN TRANSACTION; CREATE TABLE unfinished AS SELECT 1 AS one")
    with pytest.raises(RefusedError, match="inside a transaction"):
        apply_plan(plan, connection)
    connection.execute("COMMIT")
    assert names_in(connection) == {"patients", "unfinished"}


def test_ctrl_c_during_a_statement_changes_nothing() -> None:
    connection = patients()
    endless = "SELECT p.* FROM patients AS p, RANGE(10000000000) AS r (i) WHERE hash(i) = 1"
    before = state_of(connection)
    timer = threading.Timer(0.3, connection.interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        make_plan(patients_policy(source={"query": endless}), connection)
    timer.join()
    assert state_of(connection) == before


@pytest.mark.parametrize("kind", KINDS)
def test_what_stands_is_refused_without_replace(kind: str, tmp_path: Path) -> None:
    connection = patients()
    plan = planned(patients_policy(release=release_to(kind, tmp_path)), connection)
    apply_plan(plan, connection)
    before = state_of(connection, tmp_path)
    with pytest.raises(RefusedError, match="--replace"):
        apply_plan(plan, connection)
    assert state_of(connection, tmp_path) == before


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("kind", ["table", "view"])
def test_a_release_never_takes_the_place_of_its_source(kind: str, source: str) -> None:
    connection = patients()
    policy = patients_policy(source=SOURCES[source], release={kind: "patients"})
    plan = planned(policy, connection)
    before = state_of(connection)
    with pytest.raises(PolicyError, match="take the place of"):
        apply_plan(plan, connection, replace=True)
    assert state_of(connection) == before


def test_a_release_never_takes_the_place_of_a_table_that_its_source_reads() -> None:
    connection = patients()
    connection.execute("CREATE VIEW everyone AS SELECT * FROM patients")
    policy = patients_policy(source={"table": "everyone"}, release={"table": "patients"})
    plan = planned(policy, connection)
    before = state_of(connection)
    with pytest.raises(PolicyError, match="take the place of"):
        apply_plan(plan, connection, replace=True)
    assert state_of(connection) == before


@pytest.mark.parametrize("kind", ["table", "view"])
def test_a_target_whose_name_no_table_can_have_is_refused_in_our_words(kind: str) -> None:
    with pytest.raises(SqlgenError):
        patients_policy(release={kind: "be\x00fore"})


def test_a_view_that_would_outlive_its_temporary_source_is_refused() -> None:
    connection = patients()
    connection.execute("CREATE TEMPORARY TABLE today AS FROM patients; DROP TABLE patients")
    policy = patients_policy(source={"table": "today"}, release={"view": "released"})
    with pytest.raises(SqlgenError):
        apply_plan(planned(policy, connection), connection)
    assert names_in(connection) == {"today"}
