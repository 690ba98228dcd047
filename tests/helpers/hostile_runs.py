"""One release of a table, told in a form that hostile and innocent names share."""

from __future__ import annotations

import tempfile
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import Any

import duckdb
from hypothesis import reject

from hostile import World, catalog_of
from sqlgen import (
    Plan,
    Policy,
    apply_plan,
    apply_sql,
    audit_table,
    check_table,
    make_plan,
    read_history,
    read_policy,
    run_policy,
    write_lock,
)
from sqlgen.cli.text.history import entry_text, history_text, joint_text
from sqlgen.cli.text.results import audit_text, check_text, plan_text, release_text
from sqlgen.history.published import audit_history
from sqlgen.planning.lock import read_lock
from sqlgen.reports import read_evidence

Told = dict[str, Any]


def done(world: World, asked: str) -> Told:
    """What calls give on a world, by innocent names: plan and apply, and what else is asked for."""
    told: Told = {}
    connection = duckdb.connect(config={"threads": 1})
    try:
        world.build(connection)
    except duckdb.CatalogException:
        # A name that the engine keeps for itself.
        reject()
    before, files = catalog_of(connection), {each.name for each in world.folder.iterdir()}
    policy = read_policy(world.sections())
    lock = world.folder / "policy.lock"
    plan = make_plan(policy, connection)
    told["plan"] = (
        plan.satisfied,
        world.innocent(plan.levels_to("test")) if plan.levels is not None else steps_of(plan),
        plan.classes,
        plan.suppressed_rows,
    )
    write_lock(plan, lock)
    assert read_lock(lock, policy).levels == plan.levels
    assert plan_text(plan)
    if asked == "check":
        quasi = [world.name(each) for each in ("zip", "age", "job")]
        table, sensitive = world.sql("schema", "people"), [world.name("disease")]
        checked = check_table(connection, table, quasi=quasi, sensitive=sensitive)
        told["check"] = (checked.k, checked.unique_rows)
        assert check_text(checked)
    assert catalog_of(connection) == before
    script = [each.text for each in apply_sql(plan, connection)] if asked == "script" else []
    release = apply_plan(plan, connection)
    told["release"] = (release.satisfied, release.audit.rows, release.audit.classes)
    told["rows"] = world.rows(connection)
    assert release_text(release)
    told |= more(world, asked, connection, policy, lock)
    if script:
        told["script"] = as_script(world, script)
    entries = read_history(policy, connection)
    told["history"] = len(entries)
    assert history_text(entries)
    assert entry_text(entries[0])
    told["beside"] = beside(before, catalog_of(connection))
    told["files"] = len({each.name for each in world.folder.iterdir()} - files)
    connection.close()
    return told


def steps_of(plan: Plan) -> Any:
    """The steps of local recoding, which name no column."""
    return {
        key: part
        for key, part in plan.decision.to_lock().items()
        if key not in ("columns", "region_fingerprint")
    }


def more(
    world: World, asked: str, connection: duckdb.DuckDBPyConnection, policy: Policy, lock: Path
) -> Told:
    """What a call gives on a release that stands."""
    told: Told = {}
    if asked == "audit":
        audit = audit_table(policy, source=connection)
        told["audit"] = [each.value for each in (*audit.guarantees, *audit.attacks)]
        told["lost"] = (audit.metrics, [each.to_dict() for each in audit.answers])
        assert audit_text(audit)
    elif asked == "history":
        joint = audit_history(policy, connection)
        told["joint"] = (
            [(each.fewest, each.required, each.rows_below) for each in joint.sizes],
            [(each.fewest, each.required, each.rows_below) for each in joint.values],
        )
        assert joint_text(joint)
    elif asked == "report":
        told["report"] = read_evidence(policy, source=connection).satisfied
    elif asked == "run":
        made = run_policy(policy, connection, lock=lock)
        told["run"] = (made.how, made.satisfied)
        told["again"] = world.rows(connection)
    return told


def beside(before: Counter[str], after: Counter[str]) -> tuple[int, int]:
    """How many things of the catalog went and came: as many as of the twin, whatever they are."""
    return (before - after).total(), (after - before).total()


def as_script(world: World, statements: list[str]) -> Counter[tuple[Any, ...]]:
    """The release that the printed statements make, run as one text in a database of its own."""
    with duckdb.connect() as connection:
        world.build(connection)
        connection.execute(";\n".join(statements))
        assert connection.execute("SELECT COUNT(*) FROM witness").fetchall() == [(9,)]
        return world.rows(connection)


@lru_cache
def innocent(asked: str, kind: str, lists: str, guarantee: str, **more: Any) -> Told:
    """What calls give on the world whose names nobody would look at twice."""
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder), kind, lists, guarantee, **more)
        return done(world, asked)
