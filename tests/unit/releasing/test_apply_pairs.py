"""Releases of two tables: both or none, in a database and in files, and on the nights after."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import duckdb
import pytest
from markupsafe import Markup

from grouped_tables import (
    WARD,
    distinct,
    fill,
    grouped_policy,
    pair_in,
    patients,
    release_groups,
    ward,
)
from sqlgen import (
    EngineError,
    Plan,
    PolicyError,
    RefusedError,
    StalePlanError,
    UnsupportedError,
    apply_plan,
    apply_sql,
    audit_table,
    explain_plan,
    make_frontier,
    make_plan,
    minimal_nodes,
    read_history,
    run_policy,
    write_lock,
)
from sqlgen.cli.text.history import history_text
from sqlgen.cli.text.results import plan_text, release_text
from sqlgen.errors import SqlgenError
from sqlgen.planning.lock import read_lock
from sqlgen.policy import Policy
from sqlgen.recodings.anatomy_groups import rows_query
from sqlgen.releasing.targets import file
from sqlgen.releasing.targets import publish as publish_target
from sqlgen.reports.evidence import read_evidence


def tables(connection: duckdb.DuckDBPyConnection) -> set[str]:
    found = connection.execute("SELECT table_name FROM duckdb_tables() WHERE NOT internal")
    return {name for (name,) in found.fetchall()}


def planned(connection: duckdb.DuckDBPyConnection, **more: Any) -> Plan:
    plan = make_plan(grouped_policy(distinct(3), **more), connection)
    assert plan.satisfied
    return plan


def test_the_script_releases_the_same_pair() -> None:
    connection = ward(patients(30))
    plan = planned(connection)
    for statement in apply_sql(plan, connection):
        connection.execute(statement.text)
    pair = pair_in(connection)
    other = release_groups(ward(patients(30)), plan.policy).pair
    assert (pair.rows, pair.values) == (other.rows, other.values)


@pytest.mark.parametrize("name", ["released", "released_sensitive"])
def test_neither_table_is_made_where_one_of_the_names_is_taken(name: str) -> None:
    connection = ward(patients(30))
    connection.execute(f"CREATE TABLE {name} AS SELECT 1 AS one")
    plan = planned(connection)
    with pytest.raises(RefusedError, match=f"{name} exists already"):
        apply_plan(plan, connection)
    assert tables(connection) == {"t", name}
    assert apply_plan(plan, connection, replace=True).satisfied
    assert pair_in(connection).fits_together()


def test_the_second_table_does_not_replace_the_source() -> None:
    connection = ward(patients(30))
    connection.execute("ALTER TABLE t RENAME TO t_sensitive")
    plan = planned(connection, source={"table": "t_sensitive"}, release={"table": "t"})
    with pytest.raises(PolicyError, match="the release would take the place of its own source"):
        apply_plan(plan, connection, replace=True)


def test_nothing_stands_of_a_pair_that_breaks_the_policy() -> None:
    connection = ward(patients(30))
    plan = planned(connection)
    more = [("new", "z", 1, 0, "flu")] * 29
    connection.executemany("INSERT INTO t VALUES (?, ?, ?, ?, ?)", more)
    release = apply_plan(plan, connection)
    assert not release.satisfied
    assert tables(connection) == {"t"}


def test_a_pair_whose_tables_differ_is_never_committed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The audit joins the finished tables, and believes nothing of how they were made."""
    cut = lambda *form, **how: rows_query(*form, **how) + Markup("\nLIMIT 29")  # noqa: E731
    monkeypatch.setattr("sqlgen.recodings.anatomy.rows_query", cut)
    connection = ward(patients(30))
    plan = planned(connection)
    with pytest.raises(EngineError, match="the two tables of the release do not have the same"):
        apply_plan(plan, connection)
    assert tables(connection) == {"t"}
    script = ";\n".join(statement.text for statement in apply_sql(plan, connection))
    with pytest.raises(duckdb.Error, match="the two tables of the release do not have the same"):
        connection.execute(script)
    connection.execute("ROLLBACK")
    assert tables(connection) == {"t"}


FILES = ["csv", "csv.gz", "parquet"]


def to_files(folder: Path, ending: str) -> Policy:
    kind = ending.partition(".")[0]
    return grouped_policy(distinct(3), release={kind: str(folder / f"people.{ending}")})


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("ending", FILES)
def test_both_files_are_made_and_replaced_and_nothing_else_is_left(
    ending: str, tmp_path: Path
) -> None:
    policy = to_files(tmp_path, ending)
    connection = ward(patients(30))
    plan = make_plan(policy, connection)
    release = apply_plan(plan, connection)
    both = [f"people.{ending}", f"people_sensitive.{ending}"]
    assert names(tmp_path) == sorted(both)
    assert release_text(release).startswith(
        f"Released 30 of 30 rows in 10 classes to {plan.policy.release.kind} "  # type: ignore[union-attr]
        f"{tmp_path}/{both[0]} and {tmp_path}/{both[1]};"
    )
    before = [(tmp_path / name).read_bytes() for name in both]
    with pytest.raises(RefusedError, match="the file exists already"):
        apply_plan(plan, connection)
    again = apply_plan(plan, connection, replace=True)
    assert (again.satisfied, again.other_names) == (True, 0)
    assert [(tmp_path / name).read_bytes() for name in both] == before
    assert names(tmp_path) == sorted(both)


@pytest.mark.parametrize("stood", [True, False])
def test_no_file_is_new_where_the_first_one_cannot_be_given_its_name(
    stood: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy = to_files(tmp_path, "csv")
    connection = ward(patients(30))
    if stood:
        release_groups_to(policy, connection)
    before = {name: (tmp_path / name).read_bytes() for name in names(tmp_path)}
    fill(connection, patients(60))
    plan = make_plan(policy, connection)
    replaced, linked = Path.replace, Path.hardlink_to

    def replacing(path: Path, target: Path) -> Path:
        if Path(target).name == "people.csv":
            raise OSError("no")
        return replaced(path, target)

    def linking(path: Path, target: Path) -> None:
        if path.name == "people.csv":
            raise OSError("no")
        linked(path, target)

    monkeypatch.setattr(Path, "replace", replacing)
    monkeypatch.setattr(Path, "hardlink_to", linking)
    with pytest.raises(RefusedError, match="the file cannot be given its name"):
        apply_plan(plan, connection, replace=stood)
    monkeypatch.undo()
    assert {name: (tmp_path / name).read_bytes() for name in names(tmp_path)} == before
    assert len(read_history(policy, connection)) == int(stood)


@pytest.mark.parametrize("stood", [True, False])
@pytest.mark.parametrize("called", ["hardlink_to", "touch", "unlink"])
def test_no_file_is_new_where_the_old_second_one_cannot_be_kept(
    called: str, stood: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder on a disk without hard links, or a full one: refused, and not in the ledger."""
    policy = to_files(tmp_path, "csv")
    connection = ward(patients(30))
    if stood:
        release_groups_to(policy, connection)
    before = {name: (tmp_path / name).read_bytes() for name in names(tmp_path)}
    (tmp_path / f"people_sensitive.csv{file.KEPT}").write_text("left by a run that was killed")
    fill(connection, patients(60))
    plan = make_plan(policy, connection)
    whole, failed = getattr(Path, called), list[Path]()

    def failing(path: Path, *given: Any, **more: Any) -> None:
        if path.name.endswith(file.KEPT):
            failed.append(path)
            raise PermissionError("no")
        whole(path, *given, **more)

    monkeypatch.setattr(Path, called, failing)
    if (called, stood) in (("hardlink_to", False), ("touch", True)):
        assert apply_plan(plan, connection, replace=stood).satisfied
        assert not failed
        return
    if called == "unlink":
        monkeypatch.setattr("sqlgen.releasing.targets.publish.recover", lambda *_: None)
    with pytest.raises(RefusedError, match="the file cannot be kept"):
        apply_plan(plan, connection, replace=stood)
    monkeypatch.undo()
    assert failed
    left = {name: (tmp_path / name).read_bytes() for name in names(tmp_path)}
    left.pop(f"people_sensitive.csv{file.KEPT}", None)
    assert left == before
    assert len(read_history(policy, connection)) == int(stood)


@pytest.mark.parametrize("stood", [True, False])
def test_a_second_file_that_cannot_be_taken_back_is_told_and_not_in_the_ledger(
    stood: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy = to_files(tmp_path, "csv")
    connection = ward(patients(30))
    if stood:
        release_groups_to(policy, connection)
    old = (tmp_path / "people_sensitive.csv").read_bytes() if stood else b""
    fill(connection, patients(60))
    plan = make_plan(policy, connection)

    def failing(whole: Any) -> Any:
        def fails(path: Path, *given: Any, **more: Any) -> Any:
            to = Path(given[0]).name if given else ""
            is_first = "people.csv" in (path.name, to)
            is_back = whole is replaced and path.name.endswith(file.KEPT)
            if is_first or is_back or (whole is unlinked and path.name == "people_sensitive.csv"):
                raise PermissionError("no")
            return whole(path, *given, **more)

        return fails

    replaced, unlinked = Path.replace, Path.unlink
    for called in ("replace", "hardlink_to", "unlink"):
        monkeypatch.setattr(Path, called, failing(getattr(Path, called)))
    with pytest.raises(RefusedError) as error:
        apply_plan(plan, connection, replace=stood)
    monkeypatch.undo()
    told = str(error.value)
    assert "people_sensitive.csv, could not be taken back (PermissionError)" in told
    assert "Nothing was changed" not in told
    assert len(read_history(policy, connection)) == int(stood)
    kept = tmp_path / f"people_sensitive.csv{file.KEPT}"
    assert ("the old one is kept as" in told) == stood
    assert kept.read_bytes() == old
    # As the message says.
    (tmp_path / "people_sensitive.csv").unlink()
    assert apply_plan(plan, connection, replace=stood).satisfied
    assert names(tmp_path) == ["people.csv", "people_sensitive.csv"]


def test_a_release_stands_where_the_kept_file_cannot_be_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy = to_files(tmp_path, "csv")
    connection = ward(patients(30))
    whole = Path.unlink

    def failing(path: Path, **more: Any) -> None:
        if path.name.endswith(file.KEPT):
            raise PermissionError("no")
        whole(path, **more)

    monkeypatch.setattr(Path, "unlink", failing)
    assert apply_plan(make_plan(policy, connection), connection).satisfied
    monkeypatch.undo()
    assert len(read_history(policy, connection)) == 1
    assert apply_plan(make_plan(policy, connection), connection, replace=True).satisfied
    assert names(tmp_path) == ["people.csv", "people_sensitive.csv"]


@pytest.mark.parametrize("name", ["people.csv", "people_sensitive.csv"])
def test_a_file_that_appears_while_a_pair_is_made_is_left_alone(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody makes a file of that name while the release is audited: it is not ours to remove."""
    policy = to_files(tmp_path, "csv")
    connection = ward(patients(30))
    plan = make_plan(policy, connection)
    whole = publish_target.flush_built

    def flushed(*given: Any) -> None:
        whole(*given)
        (tmp_path / name).write_text("somebody's")

    monkeypatch.setattr("sqlgen.releasing.apply.flush_built", flushed)
    with pytest.raises(RefusedError, match="Nothing was changed"):
        apply_plan(plan, connection)
    monkeypatch.undo()
    assert names(tmp_path) == [name]
    assert (tmp_path / name).read_text() == "somebody's"
    assert read_history(policy, connection) == ()


def release_groups_to(policy: Policy, connection: duckdb.DuckDBPyConnection) -> None:
    assert apply_plan(make_plan(policy, connection), connection).satisfied


def test_a_file_kept_by_a_killed_run_is_in_nobodys_way(tmp_path: Path) -> None:
    policy = to_files(tmp_path, "csv")
    connection = ward(patients(30))
    release_groups_to(policy, connection)
    (tmp_path / f"people_sensitive.csv{file.KEPT}").write_text("old")
    assert apply_plan(make_plan(policy, connection), connection, replace=True).satisfied
    assert names(tmp_path) == ["people.csv", "people_sensitive.csv"]


def test_hard_links_of_either_file_are_told(tmp_path: Path) -> None:
    policy = to_files(tmp_path, "csv")
    connection = ward(patients(30))
    release_groups_to(policy, connection)
    os.link(tmp_path / "people_sensitive.csv", tmp_path / "another.csv")
    assert apply_plan(make_plan(policy, connection), connection, replace=True).other_names == 1


def test_a_dataframe_is_not_released_as_two_tables() -> None:
    frame = ward(patients(30)).execute("FROM t").df()
    policy = grouped_policy(distinct(3), source={})
    plan = make_plan(policy, frame)
    with pytest.raises(UnsupportedError, match="a release of two tables is none of a DataFrame"):
        apply_plan(plan, frame)


def test_a_lock_holds_the_size_of_a_group_and_is_read_back(tmp_path: Path) -> None:
    connection = ward(patients(30))
    plan = planned(connection)
    path = tmp_path / "policy.lock"
    write_lock(plan, path)
    assert '"size": 3' in path.read_text(encoding="utf-8")
    assert "flu" not in path.read_text(encoding="utf-8")
    read = read_lock(path, plan.policy)
    assert read.decision == plan.decision
    assert apply_plan(read, connection).satisfied


@pytest.mark.parametrize(
    ("written", "edited"),
    [
        ('"size": 3', '"size": 0'),
        ('"size": 3', '"size": -3'),
        ('"size": 3', '"size": "3"'),
        ('"age": 0', '"age": 0.5'),
        ('"levels": {', '"levels_": {'),
    ],
)
def test_a_lock_that_somebody_edited_is_refused(written: str, edited: str, tmp_path: Path) -> None:
    plan = planned(ward(patients(30)))
    path = tmp_path / "policy.lock"
    write_lock(plan, path)
    text = path.read_text(encoding="utf-8")
    assert written in text
    path.write_text(text.replace(written, edited), encoding="utf-8")
    with pytest.raises(StalePlanError, match="the lock cannot be read"):
        read_lock(path, plan.policy)


def test_levels_that_a_hierarchy_does_not_have_are_refused(tmp_path: Path) -> None:
    connection = ward(patients(30))
    plan = planned(connection)
    path = tmp_path / "policy.lock"
    write_lock(plan, path)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"age": 0', '"age": 7'), encoding="utf-8")
    with pytest.raises(StalePlanError, match="levels that the hierarchies do not have"):
        apply_plan(read_lock(path, plan.policy), connection)


def test_nights_make_groups_anew_of_the_locked_size(tmp_path: Path) -> None:
    connection = ward(patients(30))
    policy, lock = grouped_policy(distinct(3)), tmp_path / "policy.lock"
    steps: list[tuple[str, Any]] = []
    assert run_policy(policy, connection, lock=lock).how == "first"
    assert run_policy(policy, connection, lock=lock).how == "locked"
    fill(connection, patients(42))
    told = run_policy(policy, connection, lock=lock, on_step=lambda *step: steps.append(step))
    assert (told.how, told.satisfied) == ("locked", True)
    assert ("locked", {"recoding": "anatomy", "group_rows": 3}) in steps
    pair = pair_in(connection)
    assert pair.fits_together()
    assert len(pair.groups) == 14


def test_a_night_on_which_a_value_is_too_frequent_changes_nothing(tmp_path: Path) -> None:
    connection = ward(patients(30))
    policy, lock = grouped_policy(distinct(3)), tmp_path / "policy.lock"
    run_policy(policy, connection, lock=lock)
    before = pair_in(connection)
    fill(connection, patients(30, ("flu", "flu", "flu", "cold", "ulcer")))
    run = run_policy(policy, connection, lock=lock)
    assert (run.how, run.satisfied) == ("failed", False)
    assert "groups of 3 rows, as they are locked, no longer give every guarantee" in run.hindrance
    assert pair_in(connection) == before


def test_groups_are_made_larger_by_a_night_that_may_plan_anew(tmp_path: Path) -> None:
    close = {"t_closeness": {"column": "disease", "t": "0.25", "distance": "equal"}}
    connection = ward(patients(32))
    policy = grouped_policy(distinct(2), close, run={"on_drift": "replan"})
    lock = tmp_path / "policy.lock"
    run_policy(policy, connection, lock=lock)
    size = read_lock(lock, policy).decision.to_log()["group_rows"]
    fill(connection, patients(32, ("flu", "flu", "flu", "cold", "ulcer", "gastritis", "hiv", "x")))
    assert run_policy(policy, connection, lock=lock).how == "replanned"
    assert read_lock(lock, policy).decision.to_log()["group_rows"] > size


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM released WHERE group_id = 1",
        "DROP TABLE released_sensitive",
        "DROP TABLE released",
        "UPDATE released_sensitive SET row_count = 2 WHERE group_id = 1",
        "ALTER TABLE released_sensitive ADD COLUMN note TEXT",
        "CREATE OR REPLACE TABLE released AS SELECT 1 AS age",
    ],
)
def test_a_run_replaces_both_tables_as_it_left_them_and_nothing_else(
    change: str, tmp_path: Path
) -> None:
    connection = ward(patients(30))
    policy, lock = grouped_policy(distinct(3)), tmp_path / "policy.lock"
    run_policy(policy, connection, lock=lock)
    connection.execute(change)
    with pytest.raises(RefusedError, match="released is not what release 1 left there"):
        run_policy(policy, connection, lock=lock)


def test_a_run_makes_both_tables_anew_where_both_are_gone(tmp_path: Path) -> None:
    connection = ward(patients(30))
    policy, lock = grouped_policy(distinct(3)), tmp_path / "policy.lock"
    run_policy(policy, connection, lock=lock)
    connection.execute("DROP TABLE released; DROP TABLE released_sensitive")
    assert run_policy(policy, connection, lock=lock).satisfied


@pytest.mark.parametrize("recodings", [("anatomy", "full_domain"), ("full_domain", "anatomy")])
def test_groups_are_not_read_together_with_other_releases(
    recodings: tuple[str, str], tmp_path: Path
) -> None:
    connection = ward(patients(30))
    first, second = (
        grouped_policy(distinct(2), recoding=recoding, release={"table": f"to_{recoding}"})
        for recoding in recodings
    )
    run_policy(first, connection, lock=tmp_path / "first.lock")
    run = run_policy(second, connection, lock=tmp_path / "second.lock")
    assert not run.satisfied
    assert "who is in two groups has a value that both have" in run.hindrance
    warned = second.model_copy(update={"joint": "warn"})
    assert run_policy(warned, connection, lock=tmp_path / "third.lock").satisfied


def test_the_history_says_that_a_release_is_in_groups() -> None:
    connection = ward(patients(30))
    policy = grouped_policy(distinct(3))
    release_groups(connection, policy)
    entry = read_history(policy, connection)[0]
    assert (entry.recoding, entry.released_rows, entry.classes) == ("anatomy", 30, 10)
    assert history_text(read_history(policy, connection)).splitlines()[1].endswith("anatomy")


def test_a_plan_says_what_groups_it_makes_and_where_values_stand() -> None:
    text = plan_text(planned(ward(patients(31))))
    assert text.startswith("31 rows in 10 groups of 3 or 4 rows (")
    assert "disease is released by group, in a second table." in text
    failed = make_plan(grouped_policy(distinct(5)), ward(patients(30)))
    assert plan_text(failed).startswith("No groups give what the policy asks for: disease has")


def test_what_groups_have_no_answer_to_says_so() -> None:
    connection = ward(patients(30))
    policy = grouped_policy(distinct(3))
    release_groups(connection, policy)
    with pytest.raises(PolicyError, match="minimal lists combinations of one level per column"):
        minimal_nodes(policy, connection)
    with pytest.raises(PolicyError, match="anatomy releases them as they are"):
        explain_plan(policy, connection)
    with pytest.raises(UnsupportedError, match="the report speaks of rows that look alike"):
        read_evidence(policy, None, connection)


def test_a_frontier_compares_groups_with_levels() -> None:
    connection = ward(patients(30))
    policy = grouped_policy(distinct(2), recoding="full_domain")
    both = make_frontier(
        policy, connection, vary=("l", [2, 3, 5]), recodings=["full_domain", "anatomy"]
    )
    found = {(str(p.threshold), p.recoding): p.objective for p in both.points}
    assert found["2", "anatomy"] == found["3", "anatomy"] == 0
    assert found["5", "anatomy"] is found["5", "full_domain"] is None
    only_k = grouped_policy({"k_anonymity": {"k": 2}}, recoding="full_domain")
    with pytest.raises(PolicyError, match="--recoding: anatomy shows the quasi-identifiers"):
        make_frontier(only_k, connection, vary=("k", [2]), recodings=["anatomy"])


def test_an_audit_of_what_was_released_knows_no_plan() -> None:
    connection = ward(patients(31))
    policy = grouped_policy(distinct(3))
    release_groups(connection, policy)
    connection.execute("UPDATE released SET group_id = 0 WHERE group_id = 1")
    with pytest.raises(PolicyError, match="are not two tables of one release"):
        audit_table(policy, source=connection)


def test_the_columns_of_a_lock_are_told_by_their_names(tmp_path: Path) -> None:
    """A lock has its columns by the alphabet, and the table has them as it has them."""
    connection = ward(patients(30))
    columns = {**WARD, "zip": {"role": "quasi", "hierarchy": {"prefixes": [3]}, "levels": [1, 2]}}
    plan = planned(connection, columns=columns)
    path = tmp_path / "policy.lock"
    write_lock(plan, path)
    assert apply_plan(read_lock(path, plan.policy), connection).satisfied
    assert {row[:2] for row in pair_in(connection).rows} == {("476**", 20 + i) for i in range(7)}


@pytest.mark.parametrize("name", ["released", "released_sensitive"])
def test_neither_name_may_be_of_what_the_release_is_made_from(name: str) -> None:
    connection = ward(patients(30))
    connection.execute(f"CREATE TABLE {name} AS FROM t")
    connection.execute(f"CREATE VIEW behind AS FROM {name}")
    plan = planned(connection, source={"table": "behind"})
    with pytest.raises(PolicyError, match="take the place of something that it is made from"):
        apply_plan(plan, connection, replace=True)
    assert tables(connection) == {"t", name}


def test_a_plan_counts_rows_that_are_unique_as_they_are_shown() -> None:
    connection = ward([*patients(30), ("n", "z", 0, 77, "flu")])
    plan = planned(connection)
    release = apply_plan(plan, connection)
    assert plan.uniqueness is not None
    told = {column.column: column.unique_rows for column in plan.uniqueness.columns}
    assert told == {"visits": 1}
    assert {column.column: column.unique_rows for column in release.uniqueness.columns} == told
    assert audit_table(plan.policy, source=connection).uniqueness == plan.uniqueness


def test_no_value_of_a_file_is_in_an_error(tmp_path: Path) -> None:
    policy = to_files(tmp_path, "csv")
    connection = ward(patients(30))
    release_groups_to(policy, connection)
    path = tmp_path / "people_sensitive.csv"
    path.write_text(path.read_text().replace("1,", "secret,", 1))
    with pytest.raises(SqlgenError) as error:
        audit_table(policy, source=connection)
    assert "secret" not in str(error.value)
