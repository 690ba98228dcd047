"""Applying a plan: the statements of ``apply_sql``, run in order, in one transaction."""

import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from dataclasses import replace as with_values
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from sqlgen.auditing.audit import read_audit
from sqlgen.engines import DataSource, Engine
from sqlgen.engines.duckdb.catalog import Relation, relation
from sqlgen.engines.duckdb.dataframes import restored
from sqlgen.engines.duckdb.rewrite.work_folder import How, alone, finish_scrub
from sqlgen.errors import EngineError, HierarchyError, PolicyError, RefusedError, SqlgenError
from sqlgen.history.joint import Joint
from sqlgen.history.published import (
    Published,
    built_release,
    drop_replaced,
    find_published,
    keep_replaced,
    measure_published,
    whole_source,
)
from sqlgen.history.read_regions import read_alike, through_regions
from sqlgen.history.read_release import PublishedTarget, UpcomingRelease
from sqlgen.history.refusal import MADE
from sqlgen.history.repeated import find_repeated
from sqlgen.history.staged_releases import ReleaseRegions
from sqlgen.ledger.increments import make_job
from sqlgen.ledger.kept_regions import remove_unused_regions
from sqlgen.ledger.ledger import (
    Ledger,
    check_ledger_file,
    check_ledger_name,
    check_writable,
    read_entries,
    regions_parts,
    withdraw,
)
from sqlgen.ledger.timestamped import leaving_entries, remove_older, timestamped
from sqlgen.measuring.uniqueness import read_uniqueness
from sqlgen.planning.definition_change import Change
from sqlgen.planning.plan import Plan
from sqlgen.policy import Policy
from sqlgen.policy.places import DATABASE_KINDS
from sqlgen.recodings import RECODINGS
from sqlgen.releasing.already_released import check_originals
from sqlgen.releasing.prepare import (
    Prepared,
    check_source_survives,
    place_of_target,
    prepare,
)
from sqlgen.releasing.release import Release
from sqlgen.releasing.script import misfit_words
from sqlgen.releasing.scrub import Scrub, check_scrub, own_file, rewrite, stage_probes
from sqlgen.releasing.targets.partitioned import check_partitions
from sqlgen.releasing.targets.publish import claimed_target, flush_built, name_left, name_target
from sqlgen.releasing.targets.resolve import Target
from sqlgen.releasing.targets.views import read_view
from sqlgen.sql.ddl import select_all
from sqlgen.sql.render import Statement, command, name
from sqlgen.sql.step import Step, StepKind
from sqlgen.sql.types import Column
from sqlgen.sql.watch import NO_WATCH, Watch
from sqlgen.staging.all_faults import every_fault
from sqlgen.staging.inputs import Inputs, read_inputs
from sqlgen.staging.job import Job
from sqlgen.staging.source import is_frame, open_rows

if TYPE_CHECKING:
    import pandas


def apply_sql(
    plan: Plan, source: DataSource | None = None, *, replace: bool = False
) -> tuple[Statement, ...]:
    """The statements that apply a plan, in order; runs none of them.

    The last COMMIT is reached only by a release that its own audit passed: pasted into another
    program, the gate before it stops the transaction. Of a source that is not given, the plan knows
    what it was made from.
    """
    source = plan.source if source is None else source
    moment = datetime.now(UTC)
    # Which views read the table in place is found by dropping it, in a transaction that is undone.
    write = plan.policy.in_place is not None
    with open_rows(plan.policy, source, write=write) as engine:
        check_ledger_name(engine, plan.policy)
        job = at_moment(make_job(engine, plan.policy, source, moment), moment)
        with every_fault(engine, job):
            plan = with_values(plan, policy=job.policy)
            return prepare(engine, plan, read_inputs(engine, job), None, replace).statements


def apply_plan(
    plan: Plan,
    source: DataSource | None = None,
    *,
    replace: bool = False,
    scrub: How | None = None,
    with_history: bool = False,
    watch: Watch = NO_WATCH,
) -> Release:
    """Build the release, measure it, and publish it; or change nothing.

    A release whose audit fails is rolled back and comes back unsatisfied. It is made from the
    source that the plan was made from, unless another is given. ``scrub`` rewrites the
    database's file after a release in place, as the policy's own ``scrub`` does, and unlinks or
    overwrites the old one. ``with_history`` reads the release together with those of the ledger
    that are still published, and publishes none that breaks the policy with them.
    """
    if not plan.satisfied:
        raise PolicyError("the plan does not give what the policy asks for. Nothing was changed.")
    source = plan.source if source is None else source
    how = scrub or (plan.policy.in_place.scrub if plan.policy.in_place is not None else None)
    order = Order(replace, with_history, watch)
    if how is None:
        return _apply(plan, source, order)
    if plan.policy.in_place is None:
        raise PolicyError(
            f"{plan.policy.where('release')}: only a release in place leaves originals to scrub. "
            "Nothing was changed."
        )
    path, where = own_file(plan.policy, source), plan.policy.where("source", "database")
    with alone(path, where):
        with ExitStack() as held:
            order = with_values(order, scrub=ScrubOrder(path, how, held))
            release = _apply(plan, source, order)
        if release.satisfied:
            finish_scrub(path, how, where)
    return release


@dataclass(frozen=True)
class ScrubOrder:
    """The database's file to rewrite after a release, how, and what is ``held`` until then."""

    path: Path
    how: How
    held: ExitStack


@dataclass(frozen=True)
class Order:
    """How a plan is applied: whether it may replace what has its name, and what is done beside."""

    replace: bool = False
    with_history: bool = False
    watch: Watch = NO_WATCH
    scrub: ScrubOrder | None = None


def _apply(plan: Plan, source: DataSource | None, order: Order) -> Release:
    """Open the database, and release the plan in it."""
    policy = plan.policy
    into_database = policy.release is not None and policy.release.kind in DATABASE_KINDS
    if not into_database and policy.ledger != "off":
        check_ledger_file(policy, source)
    write = into_database or policy.ledger != "off"
    on_statement = order.watch.on_statement
    with open_rows(policy, source, write=write, on_statement=on_statement) as engine:
        check_ledger_name(engine, policy)
        name_left(engine, policy, ledgered=not is_frame(source))
        job = make_job(engine, policy, source, datetime.now(UTC))
        return release_plan(engine, plan, job, order)


def release_plan(
    engine: Engine,
    plan: Plan,
    job: Job,
    order: Order,
    inputs: Inputs | None = None,
    ledger: Ledger | None = None,
) -> Release:
    """Release a plan in the database that is open; or change nothing.

    The target gets the name that it has at this moment. ``inputs`` and ``ledger`` are those that
    the command found before, if it did.
    """
    started = time.perf_counter()
    job = at_moment(job, job.moment or datetime.now(UTC))
    undated, policy, source = plan.policy, job.policy, job.given
    plan = with_values(plan, policy=policy)
    with every_fault(engine, job):
        inputs = with_values(inputs, job=job) if inputs is not None else read_inputs(engine, job)
        prepared = prepare(engine, plan, inputs, ledger, order.replace)
    target = prepared.target
    if prepared.ledger is not None:
        check_writable(policy, prepared.ledger)
    if target.change is not None:
        _check_in_place(engine, plan, inputs, prepared, target.change, order)
    if target.stands:
        check_source_survives(engine, inputs, target)
    history = _find_history(engine, undated, inputs, prepared, order)
    asked = engine, plan, job, prepared, history, order.watch.progress
    with every_fault(engine, job):
        if target.path is None:
            release = _run(*asked)
        else:
            noted = partial(_is_noted, engine, undated, prepared)
            with claimed_target(engine, policy, target, target.path, noted):
                release = _run(*asked)
                if release.satisfied:
                    release = _publish(engine, policy, prepared, release, order.replace)
    audited = release.seconds["audit"]
    seconds = {"apply": time.perf_counter() - started - audited, "audit": audited}
    release = with_values(release, seconds=seconds)
    if release.satisfied and target.change is not None and order.scrub is not None:
        order.watch.progress("rewriting the database")
        scrub = _scrub(engine, policy, target.change, order.scrub)
        release = with_values(release, scrub=scrub)
    keep = undated.release.keep if undated.release is not None else None
    if release.satisfied and prepared.ledger is not None and keep is not None:
        ledger = with_values(prepared.ledger, stands=True)
        remove_older(engine, undated, read_entries(engine, ledger))
    if release.satisfied and is_frame(source) and target.path is None:
        return _with_frame(release, engine, target, cast("pandas.DataFrame", source))
    return release


def _find_history(
    engine: Engine,
    undated: Policy,
    inputs: Inputs,
    prepared: Prepared,
    order: Order,
) -> Published | None:
    """The releases to read the new one together with; None where that is not asked for.

    The ledger is read just before the transaction: another run may have released meanwhile.
    """
    job, ledger, target = inputs.job, prepared.ledger, prepared.target
    if not order.with_history or ledger is None or job.policy.joint == "off":
        return None
    entries = read_entries(engine, ledger)
    place = place_of_target(target, inputs.source, ledger.home)
    replaced = PublishedTarget(target.kind, target.called, place) if order.replace else None
    leaving = leaving_entries(engine, undated, entries)
    upcoming = UpcomingRelease(job.window, replaced, leaving)
    return find_published(engine, job, entries, upcoming=upcoming, ledger=ledger)


def _check_in_place(
    engine: Engine,
    plan: Plan,
    inputs: Inputs,
    prepared: Prepared,
    change: Change,
    order: Order,
) -> None:
    """Refuse to release labels in place of labels, or what could not be rewritten afterwards."""
    policy = plan.policy
    if prepared.ledger is not None and not order.replace:
        with engine.read():
            entries = read_entries(engine, prepared.ledger)
            check_originals(engine, policy, inputs.source, entries)
    if order.scrub is not None:
        check_scrub(engine, order.scrub.path, policy.where("release", "in_place"))
        hidden = _hidden(change, plan.decision.highest, inputs.source)
        stage_probes(engine, inputs.source.sql, hidden)


def at_moment(job: Job, moment: datetime) -> Job:
    """The job with the name that its target has at a moment; of new rows, at their run's."""
    if job.window is not None and job.policy.since is not None:
        moment = job.window.until + job.policy.since.delay
    return with_values(job, policy=timestamped(job.policy, moment))


def _is_noted(engine: Engine, undated: Policy, prepared: Prepared) -> bool:
    """Whether the ledger has a release whose file was not given its name; if unknown, it may."""
    if undated.release is None or not undated.release.timestamped or prepared.ledger is None:
        return False
    try:
        entries = read_entries(engine, with_values(prepared.ledger, stands=True))
    except EngineError as error:
        return error.kind != "CatalogException"
    target = (prepared.target.kind, prepared.target.called)
    return any((entry.target_kind, entry.target) == target for entry in entries)


def _hidden(change: Change, levels: Mapping[str, int], source: Relation) -> list[Column]:
    """The columns of text whose values the release does not show as they are."""
    hidden = [*change.removed, *(column for column, level in levels.items() if level)]
    return [source.column(column) for column in hidden if source.column(column).is_text]


def _scrub(engine: Engine, policy: Policy, change: Change, order: ScrubOrder) -> Scrub:
    """Rewrite the file; the release stands, whatever becomes of that."""
    try:
        return rewrite(engine, order.path, change.parts[0], order.how, order.held)
    except (EngineError, OSError) as error:
        error_text = str(error) if isinstance(error, EngineError) else type(error).__name__
    raise EngineError(
        f"{policy.where('release', 'in_place')}: the release stands, but the file could not be "
        f"rewritten ({error_text}), and the originals can still be recovered from it. Run sqlgen "
        "scrub."
    )


def _run(
    engine: Engine,
    plan: Plan,
    job: Job,
    prepared: Prepared,
    history: Published | None,
    progress: Callable[[str], None],
) -> Release:
    policy = plan.policy
    target, ledger, steps = prepared.target, prepared.ledger, prepared.steps
    committing = False
    audited = time.perf_counter()
    with engine.change():
        try:
            for number, step in enumerate(steps, 1):
                progress(f"statement {number} of {len(steps)}")
                committing = committing or step.kind is StepKind.COMMIT
                if step.kind is StepKind.READ_AUDIT:
                    *figures, object_id = engine.rows(step.statement)[0]
                    seconds = {"audit": time.perf_counter() - audited}
                    release = with_values(_judged(policy, target, tuple(figures)), seconds=seconds)
                    if release.satisfied and history is not None:
                        joint = _read_together(engine, plan, job, prepared, history)
                        release = with_values(release, joint=joint)
                        drop_replaced(engine, history)
                    if not release.satisfied:
                        return release
                elif step.kind in (StepKind.WRITE_LEDGER, StepKind.COUNT_UNIQUE):
                    release = _noted(engine, policy, ledger, step, release)
                    _check_newest(policy, history, release)
                elif step.kind is StepKind.READ_PARTITIONS:
                    counts = engine.rows(step.statement)[0]
                    check_partitions(policy, counts)
                    if not counts[1]:
                        return _without_rows(policy, target, counts[0])
                elif step.kind is StepKind.CONFIRM:
                    _confirm(engine, step, release, object_id)
                else:
                    audited = time.perf_counter() if step.kind is StepKind.MEASURE else audited
                    _step(engine, policy, target, step)
                    if step.kind is StepKind.BEGIN and history is not None:
                        # What the release replaces is kept, to be read with it.
                        history = keep_replaced(engine, history)
        except KeyboardInterrupt:
            # What is committed is published; an interrupt must not say that nothing was.
            if not committing or target.path is not None:
                raise
            # Undone first: inside a transaction that is still open the release would stand.
            engine.undo()
            with suppress(SqlgenError):
                _confirm(engine, steps[-1], release, object_id)
                return release
            raise
    return release


def _noted(
    engine: Engine, policy: Policy, ledger: Ledger | None, step: Step, release: Release
) -> Release:
    """The release with the result of a step: its number in the ledger, or its unique rows."""
    try:
        rows = engine.rows(step.statement)
    except EngineError as error:
        raise _outrun(policy, step, error) from None
    if step.kind is StepKind.COUNT_UNIQUE:
        return with_values(release, uniqueness=read_uniqueness(policy, rows))
    assert ledger is not None
    return with_values(release, ledger=ledger.called, number=rows[0][0])


def _check_newest(policy: Policy, history: Published | None, release: Release) -> None:
    """Refuse a release that was not read together with one that came into the ledger since."""
    if history is not None and release.number not in (None, history.next_number):
        raise RefusedError(
            f"{policy.where('release')}: another run released meanwhile, and this release was not "
            "read together with it. Run again. Nothing was changed."
        )


def _outrun(policy: Policy, step: Step, error: EngineError) -> SqlgenError:
    """The error of a step that failed; of one that another release overtook, a refusal."""
    # The ledger's numbers are unique, and two that count at once come to the same one.
    counted = error.kind == "ConstraintException" and step.kind is StepKind.WRITE_LEDGER
    if error.kind != "Conflict" and not counted:
        return error
    return RefusedError(
        f"{policy.where('release')}: another connection is changing the same tables ({error}). "
        "Nothing was changed. Run again once it is done."
    )


def _publish(
    engine: Engine, policy: Policy, prepared: Prepared, release: Release, replaces: bool
) -> Release:
    """Give the file its name; where that fails, the ledger knows nothing of the release."""
    destination = prepared.target.destination
    try:
        other_names = name_target(policy, prepared.target, replaces)
    except (SqlgenError, KeyboardInterrupt):
        if prepared.ledger is not None and release.number is not None:
            withdraw(engine, prepared.ledger, release.number)
            remove_unused_regions(engine, prepared.ledger)
        raise
    link = destination.link if destination is not None else ""
    return with_values(release, link=link, other_names=other_names)


def _step(engine: Engine, policy: Policy, target: Target, step: Step) -> None:
    """Run a step for its effect; a file is on disk before the ledger says that it was released."""
    if step.kind is StepKind.COMMIT and target.path is not None:
        flush_built(policy, target)
    if step.kind is StepKind.READ_VIEW and target.change is not None:
        read_view(engine, policy, target.change, step.statement)
        return
    try:
        engine.run(step.statement)
    except EngineError as error:
        if (step.kind, error.kind) != (StepKind.CHECK_WINDOW, "InvalidInputException"):
            raise _outrun(policy, step, error) from None
    else:
        return
    raise RefusedError(
        f"{policy.where('release', 'since')}: another run released these rows meanwhile. Run "
        "again. Nothing was changed."
    )


def _read_together(
    engine: Engine,
    plan: Plan,
    job: Job,
    prepared: Prepared,
    history: Published,
) -> Joint:
    """The joint reading of the release with those before it, and what it repeats of them."""
    policy, built = plan.policy, prepared.target.built
    place = (job.window, history.own_part)
    # Its columns are needed only where there are releases to read it with.
    is_read = bool(history.releases)
    table = relation(engine, built, "built") if is_read else Relation(built, "built", ())
    regions = _new_regions(engine, plan, prepared) if is_read else None
    new_release = built_release(policy, plan.levels or {}, table, MADE, place, regions)
    with whole_source(engine, policy, job.given, prepared.source, history, job.window) as rows:
        joint = measure_published(engine, policy, rows, history, new_release)
        if not joint.blocks:
            return joint
        before = (*history.releases, *history.replaced)
        alike = read_alike((*before, new_release)).releases
        if len(alike) == 1:
            return joint
        with through_regions(engine, policy, rows, alike) as read:
            *earlier, new = read.releases
            repeats = find_repeated(engine, read.policy, read.source, new, earlier)
    return with_values(joint, repeats=repeats)


def _new_regions(engine: Engine, plan: Plan, prepared: Prepared) -> ReleaseRegions | None:
    """The regions of a release that is being made; None where its recoding has none."""
    rows = RECODINGS[plan.decision.recoding].region_rows(plan.decision)
    if rows is None or prepared.ledger is None:
        return None
    asked = command("recodings/region_print", "SELECT {regions}", regions=rows.fingerprint)
    # Those of a release before it, which are read, are kept already.
    table = name(regions_parts(prepared.ledger.parts))
    return ReleaseRegions(engine.rows(asked)[0][0], table, tuple(plan.decision.highest))


def _confirm(engine: Engine, step: Step, release: Release, object_id: int) -> None:
    """Notice a COMMIT that was none; a view's rows may have changed since it was measured."""
    rows, standing = engine.rows(step.statement)[0]
    if (
        standing is None
        or standing != object_id
        or (release.kind != "view" and rows != release.audit.rows)
    ):
        raise EngineError("the database did not keep the release after its COMMIT")


def _judged(policy: Policy, target: Target, row: tuple[Any, ...]) -> Release:
    """The release that an audit row speaks of."""
    *figures, source_rows, uncovered, repeated, uncounted, empty = row
    if uncounted != 0:
        raise EngineError(misfit_words(is_pair=target.beside is not None))
    if uncovered != 0 or repeated != 0:
        fault = (
            f"{uncovered} distinct values are not in their hierarchies any more, or have no place "
            "in an order"
        )
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
        beside="" if target.beside is None else target.beside.called,
        rows=source_rows,
        suppressed_rows=source_rows - audit.rows,
        budget=policy.budget(source_rows),
        audit=audit,
        masked_cells=audit.masked_rows * len(policy.sensitive),
        empty_rows=empty,
        sensitive_levels={
            name: policy.level(name) for name in policy.sensitive if policy.level(name)
        },
    )


def _without_rows(policy: Policy, target: Target, source_rows: int) -> Release:
    """The release that no row is left for: a folder has no file then that could be measured."""
    figures = (0, 0, 0, ()) * len(policy.guarantees)
    judged = _judged(policy, target, (0, 0, 0, *figures, source_rows, 0, 0, 0, 0))
    return with_values(judged, seconds={"audit": 0.0})


def _with_frame(
    release: Release, engine: Engine, target: Target, source: "pandas.DataFrame"
) -> Release:
    rows = select_all("releasing/read_release", target.built)
    return with_values(release, frame=restored(engine, engine.frame(rows), source, target.built))
