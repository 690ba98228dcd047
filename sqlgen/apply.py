"""Applying a plan: the statements of ``apply_sql``, run in order, in one transaction."""

import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import replace as with_values
from datetime import UTC, datetime
from pathlib import Path

from sqlgen.audit import read_audit
from sqlgen.catalog import Relation
from sqlgen.dated import dated, remove_older
from sqlgen.dependents import read_view
from sqlgen.engines import DataSource, Engine
from sqlgen.errors import EngineError, HierarchyError, PolicyError, SqlgenError
from sqlgen.file_target import claimed, publish
from sqlgen.in_place import Change
from sqlgen.joint import Joint, measure_joint
from sqlgen.ledger import (
    check_ledger_file,
    check_ledger_name,
    check_writable,
    read_entries,
    withdraw,
)
from sqlgen.plan import Plan
from sqlgen.policy import Policy
from sqlgen.prepare import Prepared, check_source_survives, prepare
from sqlgen.published import Published, built_release, find_published
from sqlgen.release import Release
from sqlgen.replaced import check_originals
from sqlgen.scrub import How, Scrub, check_scrub, finish_scrub, own_file, rewrite, stage_probes
from sqlgen.source import find_source, is_frame, open_rows
from sqlgen.sql.render import Statement, statement
from sqlgen.sql.types import Column
from sqlgen.target import Target

DATABASE_KINDS = ("table", "view", "in_place")


def apply_sql(
    plan: Plan, source: DataSource | None = None, *, replace: bool = False
) -> tuple[Statement, ...]:
    """The statements that apply a plan, in order; runs none of them.

    The last COMMIT is reached only by a release that its own audit passed: pasted into another
    program, the gate before it stops the transaction.
    """
    undated = plan.policy
    plan = with_values(plan, policy=dated(undated, datetime.now(UTC)))
    with open_rows(plan.policy, source, write=False) as engine:
        check_ledger_name(engine, undated)
        return prepare(engine, plan, source, replace).statements


def apply_plan(
    plan: Plan,
    source: DataSource | None = None,
    *,
    replace: bool = False,
    scrub: How | None = None,
    with_history: bool = False,
    progress: Callable[[str], None] = lambda _: None,
    heard: Callable[[Statement], None] | None = None,
) -> Release:
    """Build the release, measure it, and publish it; or change nothing.

    A release whose audit fails is rolled back and comes back unsatisfied. ``scrub`` rewrites the
    database's file after a release in place, as the policy's own ``scrub`` does, and unlinks or
    overwrites the old one. ``with_history`` reads the release together with those of the ledger
    that are still published, and publishes none that breaks the policy with them.
    """
    if not plan.satisfied:
        raise PolicyError("the plan does not give what the policy asks for. Nothing was changed.")
    how = scrub or (plan.policy.in_place.scrub if plan.policy.in_place is not None else None)
    if how is None:
        return _apply(plan, source, replace, with_history, progress, heard)
    if plan.policy.in_place is None:
        raise PolicyError(
            f"{plan.policy.where('release')}: only a release in place leaves originals to scrub. "
            "Nothing was changed."
        )
    path = own_file(plan.policy, source)
    with ExitStack() as held:
        scrubbed = (path, how, held)
        release = _apply(plan, source, replace, with_history, progress, heard, scrubbed)
    if release.satisfied:
        finish_scrub(path, how)
    return release


def _apply(
    plan: Plan,
    source: DataSource | None,
    replace: bool,
    with_history: bool,
    progress: Callable[[str], None],
    heard: Callable[[Statement], None] | None,
    scrubbed: tuple[Path, How, ExitStack] | None = None,
) -> Release:
    started = time.perf_counter()
    undated = plan.policy
    policy = dated(undated, datetime.now(UTC))
    plan = with_values(plan, policy=policy)
    into_database = policy.release is not None and policy.release.kind in DATABASE_KINDS
    if not into_database and policy.ledger != "off":
        check_ledger_file(policy, source)
    write = into_database or policy.ledger != "off"
    with open_rows(policy, source, write=write, heard=heard) as engine:
        check_ledger_name(engine, undated)
        prepared = prepare(engine, plan, source, replace)
        target = prepared.target
        if prepared.ledger is not None:
            check_writable(engine, policy, prepared.ledger)
        if target.change is not None and prepared.ledger is not None and not replace:
            with engine.read():
                described = find_source(engine, policy, source)
                check_originals(engine, policy, described, read_entries(engine, prepared.ledger))
        if target.change is not None and scrubbed is not None:
            check_scrub(engine, scrubbed[0], policy.where("release", "in_place"))
            described = find_source(engine, policy, source)
            hidden = _hidden(target.change, plan.levels, described)
            stage_probes(engine, target.change.parts[0], described.sql, hidden)
        if target.stands:
            check_source_survives(engine, policy, target, source)
        history = None
        if with_history and prepared.ledger is not None and policy.joint != "off":
            entries = read_entries(engine, prepared.ledger)
            replaced = (target.kind, target.called) if replace else None
            history = find_published(engine, policy, source, entries, replaced=replaced)
        asked = engine, plan, prepared, history, progress, replace
        if target.path is None:
            release = _run(*asked)
        else:
            with claimed(target.path, policy.where("release", target.kind)):
                release = _run(*asked)
        audited = release.seconds["audit"]
        seconds = {"apply": time.perf_counter() - started - audited, "audit": audited}
        release = with_values(release, seconds=seconds)
        if release.satisfied and target.change is not None and scrubbed is not None:
            progress("rewriting the database")
            scrub = _scrub(engine, policy, target.change, *scrubbed)
            release = with_values(release, scrub=scrub)
        keep = undated.release.keep if undated.release is not None else None
        if release.satisfied and prepared.ledger is not None and keep is not None:
            made = with_values(prepared.ledger, stands=True)
            remove_older(engine, undated, read_entries(engine, made))
        if release.satisfied and is_frame(source) and target.path is None:
            return _with_frame(release, engine, target)
        return release


def _hidden(change: Change, levels: Mapping[str, int], source: Relation) -> list[Column]:
    """The columns of text whose values the release does not show as they are."""
    hidden = [*change.removed, *(column for column, level in levels.items() if level)]
    return [source.column(column) for column in hidden if source.column(column).is_text]


def _scrub(
    engine: Engine, policy: Policy, change: Change, path: Path, how: How, held: ExitStack
) -> Scrub:
    """Rewrite the file; the release stands, whatever becomes of that."""
    try:
        return rewrite(engine, path, change.parts[0], how, held)
    except (EngineError, OSError) as error:
        told = str(error) if isinstance(error, EngineError) else type(error).__name__
    raise EngineError(
        f"{policy.where('release', 'in_place')}: the release stands, but the file could not be "
        f"rewritten ({told}), and the originals can still be recovered from it. Run sqlgen scrub."
    )


def _run(
    engine: Engine,
    plan: Plan,
    prepared: Prepared,
    history: Published | None,
    progress: Callable[[str], None],
    replaces: bool,
) -> Release:
    policy = plan.policy
    target, ledger, statements = prepared.target, prepared.ledger, prepared.statements
    committing = False
    audited = time.perf_counter()
    with engine.change():
        try:
            for number, each in enumerate(statements, 1):
                progress(f"statement {number} of {len(statements)}")
                if each.template == "apply/audit":
                    audited = time.perf_counter()
                if each.template == "apply/read_audit":
                    *figures, made = engine.rows(each)[0]
                    seconds = {"audit": time.perf_counter() - audited}
                    release = with_values(_judged(policy, target, tuple(figures)), seconds=seconds)
                    if release.satisfied and history is not None:
                        joint = _read_together(engine, plan, prepared, history)
                        release = with_values(release, joint=joint)
                    if not release.satisfied:
                        return release
                elif each.template == "ledger/number" and ledger is not None:
                    noted = engine.rows(each)[0][0]
                    release = with_values(release, ledger=ledger.called, number=noted)
                elif each.template == "apply/confirm":
                    _confirm(engine, each, release, made)
                elif each.template == "apply/read_view" and target.change is not None:
                    read_view(engine, policy, target.change, each)
                else:
                    committing = committing or each.template == "apply/commit"
                    engine.run(each)
        except KeyboardInterrupt:
            # What is committed is published; an interrupt must not say that nothing was.
            if not committing or target.path is not None:
                raise
            # Undone first: inside a transaction that is still open the release would stand.
            engine.undo()
            with suppress(SqlgenError):
                _confirm(engine, statements[-1], release, made)
                return release
            raise
        if target.path is not None:
            _publish(engine, policy, prepared, target.path, release, replaces)
    return release


def _publish(
    engine: Engine, policy: Policy, prepared: Prepared, path: Path, release: Release, replaces: bool
) -> None:
    """Give the file its name; where that fails, the ledger knows nothing of the release."""
    try:
        publish(path, policy.where("release", prepared.target.kind), replaces)
    except (SqlgenError, KeyboardInterrupt):
        if prepared.ledger is not None and release.number is not None:
            withdraw(engine, prepared.ledger, release.number)
        raise


def _read_together(engine: Engine, plan: Plan, prepared: Prepared, history: Published) -> Joint:
    """What is left of the guarantees when the release is read with those before it."""
    policy, built = plan.policy, prepared.target.built
    made = built_release(engine, policy, plan.levels, built, "this release")
    releases = (*history.releases, made)
    return measure_joint(
        engine, policy, prepared.source, releases, history.left_out, history.unjudged
    )


def _confirm(engine: Engine, asked: Statement, release: Release, made: int) -> None:
    """Notice a COMMIT that was none; a view's rows may have changed since it was measured."""
    rows, standing = engine.rows(asked)[0]
    if (
        standing is None
        or standing != made
        or (release.kind != "view" and rows != release.audit.rows)
    ):
        raise EngineError("the database did not keep the release after its COMMIT")


def _judged(policy: Policy, target: Target, row: tuple[int, ...]) -> Release:
    """The release that an audit row speaks of."""
    *figures, source_rows, uncovered, repeated, uncounted = row
    if uncounted:
        raise EngineError("the persons behind the release could not be counted")
    if uncovered or repeated:
        fault = f"{uncovered} distinct values are not in their hierarchies any more"
        if repeated:
            fault = f"{repeated} values are in their hierarchies twice"
        raise HierarchyError(
            f"{policy.where('columns')}: {fault}. Run sqlgen plan to see which columns. "
            "Nothing was changed."
        )
    audit = read_audit(target.called, figures, policy.guarantees)
    return Release(
        kind=target.kind,
        target=target.called,
        rows=source_rows,
        suppressed_rows=source_rows - audit.rows,
        budget=policy.budget(source_rows),
        audit=audit,
        withheld_cells=audit.withheld_rows * len(policy.sensitive),
        coarse={name: policy.level(name) for name in policy.sensitive if policy.level(name)},
    )


def _with_frame(release: Release, engine: Engine, target: Target) -> Release:
    rows = statement("apply/read_release", release=target.built)
    return with_values(release, frame=engine.frame(rows))
