"""Engines: what a database says is never passed on, and nothing of ours is left behind."""

from __future__ import annotations

import gzip
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pandas
import pytest

from sqlgen import (
    EngineError,
    Policy,
    PolicyError,
    RefusedError,
    SqlgenError,
    apply_plan,
    audit_table,
    check_table,
    make_plan,
    read_policy,
)
from sqlgen.engines import open_source
from sqlgen.engines.duckdb.engine import DuckDB
from sqlgen.sql.render import Statement
from tables import patients, patients_columns, patients_file, patients_policy, planned

SECRET = "Alice Smith, 47677"


def refused(sql: str) -> Statement:
    return Statement("some/template", sql)


REFUSED = {
    "conversion": f"SELECT CAST('{SECRET}' AS INTEGER)",
    "a late row": f"SELECT CASE WHEN i < 99999 THEN i ELSE CAST('{SECRET}' AS INTEGER) END "
    "FROM RANGE(100000) AS t (i)",
    "an error of its own": f"SELECT ERROR('{SECRET}')",
    "a name": f'SELECT "{SECRET}"',
    "a table": f'SELECT * FROM "{SECRET}"',
    "no SQL": f"SELEKT '{SECRET}'",
    "a file": f"SELECT * FROM READ_CSV('/no/such/{SECRET}')",
    "a date": f"SELECT STRPTIME('{SECRET}', '%Y')",
    "a constraint": f"CREATE TEMP TABLE c (a TEXT CHECK (a <> '{SECRET}')); "
    f"INSERT INTO c VALUES ('{SECRET}')",
}


def chain(error: BaseException | None) -> Iterator[BaseException]:
    """An error with all that hangs on it, shown in a traceback or not."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


@pytest.mark.parametrize("fetch", ["run", "rows", "frame"])
@pytest.mark.parametrize("what", REFUSED)
def test_an_engine_error_names_template_and_kind_and_nothing_else(what: str, fetch: str) -> None:
    engine = DuckDB(duckdb.connect())
    with pytest.raises(EngineError) as caught:
        getattr(engine, fetch)(refused(REFUSED[what]))
    errors = list(chain(caught.value))
    assert [type(each) for each in errors] == [EngineError]
    assert "some/template" in str(caught.value)
    assert "Exception" in str(caught.value)
    assert not any(word in repr(errors) for word in ("Alice", "47677"))


@pytest.mark.parametrize("fetch", ["run", "rows", "frame"])
def test_an_interrupted_statement_is_ctrl_c(fetch: str) -> None:
    connection = duckdb.connect()
    endless = (
        "SELECT COUNT(*) FROM RANGE(100000) AS a (i), RANGE(100000000) AS b (j) WHERE i * j = 7"
    )
    timer = threading.Timer(0.2, connection.interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt) as caught:
        getattr(DuckDB(connection), fetch)(refused(endless))
    timer.join()
    assert list(chain(caught.value)) == [caught.value]
    assert connection.execute("SELECT 1").fetchall() == [(1,)]


def test_what_a_statement_is_told_to_a_listener_before_it_runs() -> None:
    on_statement: list[Statement] = []
    engine = DuckDB(duckdb.connect(), on_statement.append)
    with pytest.raises(EngineError):
        engine.rows(refused("SELEKT"))
    assert on_statement == [refused("SELEKT")]


def test_a_listener_hears_a_dataframe_being_fetched() -> None:
    on_statement: list[Statement] = []
    DuckDB(duckdb.connect(), on_statement.append).frame(refused("SELECT 1 AS one"))
    assert on_statement == [refused("SELECT 1 AS one")]


def test_reading_leaves_nothing() -> None:
    connection = duckdb.connect()
    engine = DuckDB(connection)
    with engine.read():
        engine.run(refused("CREATE TEMPORARY TABLE t AS SELECT 1 AS one"))
        assert engine.rows(refused("SELECT one FROM t")) == [(1,)]
    assert connection.execute("SELECT COUNT(*) FROM duckdb_tables()").fetchall() == [(0,)]


def test_an_error_while_reading_leaves_no_transaction() -> None:
    connection = duckdb.connect()
    engine = DuckDB(connection)
    with pytest.raises(EngineError), engine.read():
        engine.rows(refused("SELEKT"))
    connection.execute("BEGIN TRANSACTION")
    connection.execute("ROLLBACK")


def test_the_same_plan_comes_from_a_path_a_connection_and_a_dataframe(tmp_path: Path) -> None:
    path = patients_file(tmp_path)
    connection = patients()
    frame = connection.execute("SELECT * FROM patients").df()
    policy = patients_policy()
    plans = [make_plan(policy, source) for source in (path, str(path), connection, frame)]
    assert (
        len(
            {
                (tuple(plan.levels_to("test").items()), plan.objective, plan.classes)
                for plan in plans
            }
        )
        == 1
    )


def test_a_dataframe_is_not_changed() -> None:
    frame = patients().execute("SELECT * FROM patients").df()
    before = frame.copy(deep=True)
    apply_plan(make_plan(patients_policy(), frame), frame)
    pandas.testing.assert_frame_equal(frame, before)


@pytest.mark.parametrize("source", [42, {"zip": [1]}, ["zip"], pandas.DataFrame()], ids=repr)
def test_what_is_no_source_is_refused_in_our_words(source: object) -> None:
    with pytest.raises(SqlgenError):
        make_plan(patients_policy(), source)  # type: ignore[arg-type]


def test_a_column_of_objects_of_several_types_is_read_as_text() -> None:
    frame = pandas.DataFrame({"zip": ["47677", 47602, 1.5, None] * 5})
    check = check_table(frame, quasi=["zip"])
    assert (check.rows, check.k) == (20, 5)


@pytest.fixture
def spills(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[tuple[Path, int, str]]:
    """The spill folder, its mode and the connection's setting, as each statement finds them."""
    found: list[tuple[Path, int, str]] = []
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    whole = DuckDB.run

    def run(engine: DuckDB, statement: Statement) -> None:
        row = engine.connection.execute("SELECT CURRENT_SETTING('temp_directory')").fetchone()
        assert row is not None
        folders = [each for each in scratch.iterdir() if each.is_dir()]
        assert len(folders) == 1
        found.append((folders[0], stat.S_IMODE(folders[0].stat().st_mode), str(row[0])))
        whole(engine, statement)

    monkeypatch.setattr(DuckDB, "run", run)
    return found


@pytest.mark.parametrize("kind", ["path", "dataframe"])
def test_spilled_rows_go_to_a_folder_that_nobody_else_can_read(
    kind: str, spills: list[tuple[Path, int, str]], tmp_path: Path
) -> None:
    old = os.umask(0)
    try:
        frame = patients().execute("SELECT * FROM patients").df()
        source = patients_file(tmp_path) if kind == "path" else frame
        make_plan(patients_policy(), source)
    finally:
        os.umask(old)
    assert spills
    for folder, mode, setting in spills:
        assert mode == 0o700
        assert Path(setting) == folder
        assert not folder.exists()


def test_the_spill_folder_is_gone_after_an_error(
    spills: list[tuple[Path, int, str]], tmp_path: Path
) -> None:
    columns = patients_columns()
    columns["sex"]["hierarchy"] = {"tree": {"any": ["f"]}}
    with pytest.raises(SqlgenError):
        make_plan(patients_policy(columns=columns), patients_file(tmp_path))
    assert spills
    assert not any(folder.exists() for folder, _, _ in spills)


def test_rows_that_spill_are_in_that_folder_and_then_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "big.duckdb"
    duckdb.connect(str(path)).close()
    sort = "CREATE TEMPORARY TABLE s AS SELECT MD5(CAST(i AS VARCHAR)) AS h FROM RANGE(600000) t(i)"
    with open_source(path, write=False, called="test") as engine:
        engine.run(refused("SET memory_limit = '20MB'"))
        engine.run(refused(sort))
        folder = Path(engine.rows(refused("SELECT CURRENT_SETTING('temp_directory')"))[0][0])
        assert list(folder.iterdir())
    assert not folder.exists()
    assert [each.name for each in tmp_path.iterdir()] == ["big.duckdb"]


@pytest.fixture
def scratch(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder for temporary folders alone."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def opened(folder: Path) -> list[str]:
    """Open a database, and give the temporary folders that are there meanwhile."""
    path = folder / "some.duckdb"
    duckdb.connect(str(path)).close()
    with open_source(path, write=False, called="test"):
        return sorted(each.name for each in (folder / "scratch").iterdir())


def test_what_a_run_left_that_was_killed_beside_its_lock_is_removed(
    scratch: Path, tmp_path: Path
) -> None:
    # Killed before it had a lock, with rows and a lock, and with a lock alone.
    (scratch / "sqlgen-bare").mkdir()
    for name in ("sqlgen-full", "sqlgen-end"):
        (scratch / name).mkdir()
        (scratch / name / "held").touch()
    (scratch / "sqlgen-full" / "duckdb_temp_storage-0.tmp").write_text("rows")
    (scratch / "sqlgen-theirs").mkdir()
    (scratch / "sqlgen-theirs" / "file").write_text("theirs")
    assert len(opened(tmp_path)) == 2
    assert [each.name for each in scratch.iterdir()] == ["sqlgen-theirs"]


def test_the_lock_of_a_spill_folder_goes_last(
    scratch: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone: list[str] = []
    unlink = Path.unlink

    def removed(path: Path, *, missing_ok: bool = False) -> None:
        gone.append(path.name)
        unlink(path, missing_ok=missing_ok)

    (scratch / "sqlgen-full").mkdir()
    for name in ("a", "held", "z"):
        (scratch / "sqlgen-full" / name).touch()
    monkeypatch.setattr(Path, "unlink", removed)
    opened(tmp_path)
    assert gone[-1] == "held"
    assert sorted(gone[:2]) == ["a", "z"]


def test_a_folder_that_another_run_took_for_a_dead_ones_is_made_anew(
    scratch: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[Path] = []

    def lock(handle: int, *, wait: bool) -> bool:
        if not taken:
            (folder,) = scratch.iterdir()
            shutil.rmtree(folder)
            taken.append(folder)
        return bool(handle) or wait

    monkeypatch.setattr("sqlgen.engines.duckdb.opening.lock", lock)
    (found,) = opened(tmp_path)
    assert taken
    assert scratch / found != taken[0]


def test_planning_does_not_write_to_the_database_file(tmp_path: Path) -> None:
    path = patients_file(tmp_path)
    before = path.read_bytes()
    make_plan(patients_policy(), path)
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["clinic.duckdb"]


def test_a_file_without_write_permission_can_be_planned(tmp_path: Path) -> None:
    path = patients_file(tmp_path)
    path.chmod(0o400)
    assert make_plan(patients_policy(), path).satisfied


def test_a_file_without_write_permission_is_not_applied_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = patients_file(tmp_path)
    plan = planned(patients_policy(), path)
    # The superuser may write to any file, whatever its mode.
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(RefusedError, match=r"read-only\. Nothing was changed"):
        apply_plan(plan, path)


HOLD = """
import duckdb, sys
connection = duckdb.connect(sys.argv[1])
print("held", flush=True)
sys.stdin.read()
"""


def test_a_file_that_another_process_holds_is_refused(tmp_path: Path) -> None:
    path = patients_file(tmp_path)
    command = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdin is not None
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(RefusedError, match="locked by another process") as caught:
            make_plan(patients_policy(), path)
        holder.stdin.close()
    assert list(chain(caught.value)) == [caught.value]
    assert make_plan(patients_policy(), path).satisfied


def test_a_file_that_this_process_holds_is_refused_with_advice(tmp_path: Path) -> None:
    path = patients_file(tmp_path)
    with (
        duckdb.connect(str(path)),
        pytest.raises(RefusedError, match="pass that connection as the source"),
    ):
        make_plan(patients_policy(), path)


@pytest.mark.parametrize("content", [b"", b"name,zip\nAlice,47677\n" * 500, bytes(5000)])
def test_a_file_that_is_no_database_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "clinic.duckdb"
    path.write_bytes(content)
    with pytest.raises(RefusedError, match=r"Nothing was changed") as caught:
        make_plan(patients_policy(), path)
    assert "Alice" not in repr(list(chain(caught.value)))
    assert path.read_bytes() == content


@pytest.mark.parametrize("path", ["nothing.duckdb", ".", "no/such/folder.duckdb", ":memory:"])
def test_a_file_that_is_not_there_is_not_made(path: str, tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="no such database file"):
        make_plan(patients_policy(), tmp_path / path)
    assert list(tmp_path.iterdir()) == []


def test_a_path_in_an_environment_variable_is_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLINIC", str(tmp_path / "token=s3cret.duckdb"))
    policy = patients_policy(source={"database": "${CLINIC}", "table": "patients"})
    with pytest.raises(PolicyError) as caught:
        make_plan(policy)
    assert "s3cret" not in repr(list(chain(caught.value)))


def file_policy(target: Path) -> Policy:
    return patients_policy(release={target.suffixes[0].removeprefix("."): str(target)})


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_folder_whose_name_looks_like_a_column_is_not_read_as_one(
    kind: str, tmp_path: Path
) -> None:
    connection = patients()
    (tmp_path / "sex=m" / "year=2026").mkdir(parents=True)
    policy = file_policy(tmp_path / "sex=m" / "year=2026" / f"released.{kind}")
    plan = planned(policy, connection)
    release = apply_plan(plan, connection)
    assert release.audit.classes == plan.classes
    assert audit_table(policy, source=connection).classes == plan.classes


def test_a_hierarchy_in_a_folder_whose_name_looks_like_a_column_has_no_level_more(
    tmp_path: Path,
) -> None:
    (tmp_path / "year=2026").mkdir()
    path = tmp_path / "year=2026" / "sexes.csv"
    path.write_text("f,any\nm,any\n")
    columns = patients_columns()
    columns["sex"]["hierarchy"] = {"csv": str(path)}
    plan = planned(patients_policy(columns=columns), patients())
    assert plan.lattice_nodes == 3 * 4 * 2


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_file_whose_name_looks_like_a_pattern_is_measured_alone(
    kind: str, tmp_path: Path
) -> None:
    connection = patients()
    other = file_policy(tmp_path / f"released and more.{kind}")
    apply_plan(planned(other, connection), connection)
    policy = file_policy(tmp_path / f"released*.{kind}")
    plan = planned(policy, connection)
    try:
        release = apply_plan(plan, connection)
    except (RefusedError, PolicyError):
        return
    rows = plan.rows - plan.suppressed_rows
    assert (release.audit.rows, audit_table(policy, source=connection).rows) == (rows, rows)


def test_a_file_that_is_called_compressed_is_compressed(tmp_path: Path) -> None:
    connection = patients()
    path = tmp_path / "released.csv.gz"
    policy = file_policy(path)
    try:
        apply_plan(planned(policy, connection), connection)
    except (RefusedError, PolicyError):
        return
    assert gzip.decompress(path.read_bytes()).startswith(b"zip,age,")
    assert audit_table(policy, source=connection).satisfied


def test_the_collation_of_a_connection_does_not_change_the_plan() -> None:
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE t AS SELECT ['a', 'A'][1 + i % 2] AS x FROM RANGE(20) AS t (i)"
    )
    policy = read_policy(
        {
            "source": {"table": "t"},
            "columns": {"x": {"role": "quasi", "hierarchy": {"tree": {"y": ["a"], "Y": ["A"]}}}},
            "guarantees": [{"k_anonymity": {"k": 11}}],
            "release": {"table": "released"},
        }
    )
    usual = make_plan(policy, connection)
    connection.execute("SET default_collation = 'NOCASE'")
    changed = make_plan(policy, connection)
    assert (changed.levels, changed.classes, changed.objective) == (
        usual.levels,
        1,
        usual.objective,
    )
