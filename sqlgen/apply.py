"""Applying a plan: the statements of ``apply_sql``, run in order, in one transaction."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace as with_values
from pathlib import Path

from sqlgen.audit import read_audit
from sqlgen.catalog import Relation, read_by
from sqlgen.coarse import coarsened, read_coarse
from sqlgen.engines import DataSource, Engine
from sqlgen.errors import (
    EngineError,
    HierarchyError,
    PolicyError,
    SqlgenError,
    StalePlanError,
    UnsupportedError,
)
from sqlgen.file_target import claimed, publish
from sqlgen.fingerprints import take_fingerprints
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.hierarchies.listed import Csv, Table
from sqlgen.in_place import Change, check_change, check_views, find_change
from sqlgen.ladders import read_ladders
from sqlgen.plan import Plan
from sqlgen.policy import Policy
from sqlgen.recodings.full_domain import make_recodings
from sqlgen.release import Release
from sqlgen.script import Rows, script
from sqlgen.scrub import (
    How,
    Scrub,
    check_scrub,
    finish_scrub,
    own_file,
    rewrite,
    stage_probes,
)
from sqlgen.sensitive import read_sensitive
from sqlgen.source import (
    SOURCE,
    check_columns,
    find_source,
    is_frame,
    open_rows,
    staged_query,
)
from sqlgen.sql.render import Statement, statement
from sqlgen.target import (
    Target,
    check_query_names,
    drop_sql,
    in_place_target,
    resolve_target,
)

DATABASE_KINDS = ("table", "view", "in_place")

# Rows that changed a little since the plan may need a round more; one without work changes nothing.
_SPARE_ROUNDS = 2


def apply_sql(
    plan: Plan, source: DataSource | None = None, *, replace: bool = False
) -> tuple[Statement, ...]:
    """The statements that apply a plan, in order; runs none of them.

    The last COMMIT is reached only by a release that its own audit passed: pasted into another
    program, the gate before it stops the transaction.
    """
    with open_rows(plan.policy, source, write=False) as engine:
        _, statements = _prepare(engine, plan, source, replace)
    return statements


def apply_plan(
    plan: Plan,
    source: DataSource | None = None,
    *,
    replace: bool = False,
    scrub: How | None = None,
    progress: Callable[[str], None] = lambda _: None,
    heard: Callable[[Statement], None] | None = None,
) -> Release:
    """Build the release, measure it, and publish it; or change nothing.

    A release whose audit fails is rolled back and comes back unsatisfied. ``scrub`` rewrites the
    database's file after a release in place, as the policy's own ``scrub`` does, and unlinks or
    overwrites the old one.
    """
    if not plan.satisfied:
        raise PolicyError("the plan does not give what the policy asks for. Nothing was changed.")
    how = scrub or (plan.policy.in_place.scrub if plan.policy.in_place is not None else None)
    if how is None:
        return _apply(plan, source, replace, progress, heard)
    if plan.policy.in_place is None:
        raise PolicyError(
            f"{plan.policy.where('release')}: only a release in place leaves originals to scrub. "
            "Nothing was changed."
        )
    path = own_file(plan.policy, source)
    with ExitStack() as held:
        release = _apply(plan, source, replace, progress, heard, (path, how, held))
    if release.satisfied:
        finish_scrub(path, how)
    return release


def _apply(
    plan: Plan,
    source: DataSource | None,
    replace: bool,
    progress: Callable[[str], None],
    heard: Callable[[Statement], None] | None,
    scrubbed: tuple[Path, How, ExitStack] | None = None,
) -> Release:
    started = time.perf_counter()
    policy = plan.policy
    into_database = policy.release is not None and policy.release.kind in DATABASE_KINDS
    with open_rows(policy, source, write=into_database, heard=heard) as engine:
        target, statements = _prepare(engine, plan, source, replace)
        if target.change is not None and scrubbed is not None:
            check_scrub(engine, scrubbed[0], policy.where("release", "in_place"))
            described = find_source(engine, policy, source)
            stage_probes(engine, described.sql, _hidden(target.change, plan.levels, described))
        if target.change is not None:
            check_views(engine, policy, target.change)
        if target.stands:
            _check_source_survives(engine, policy, target, source)
        if target.path is None:
            release = _run(engine, policy, target, statements, progress, replace)
        else:
            with claimed(target.path, policy.where("release", target.kind)):
                release = _run(engine, policy, target, statements, progress, replace)
        audited = release.seconds["audit"]
        seconds = {"apply": time.perf_counter() - started - audited, "audit": audited}
        release = with_values(release, seconds=seconds)
        if release.satisfied and target.change is not None and scrubbed is not None:
            progress("rewriting the database")
            made = _scrub(engine, policy, target.change, *scrubbed)
            release = with_values(release, scrub=made)
        if release.satisfied and is_frame(source) and target.path is None:
            return _with_frame(release, engine, target)
        return release


def _hidden(change: Change, levels: Mapping[str, int], source: Relation) -> list[str]:
    """The columns of text whose values the release does not show as they are."""
    hidden = [*change.removed, *(column for column, level in levels.items() if level)]
    return [column for column in hidden if source.column(column).is_text]


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


def _prepare(
    engine: Engine, plan: Plan, given: DataSource | None, replace: bool
) -> tuple[Target, tuple[Statement, ...]]:
    """The target and the statements, after every check that can be made before building."""
    policy = plan.policy
    described = find_source(engine, policy, given)
    check_columns(described, policy)
    ladders = read_ladders(engine, policy, described)
    coarse = read_coarse(engine, policy, described)
    shown = coarsened(policy, described, coarse)
    sensitive = read_sensitive(
        engine, policy, shown, policy.guarantees, lambda: described, described
    )
    listed = (*ladders, *sensitive.ladders, *coarse)
    now = take_fingerprints(engine, policy, described, listed, plan.rows)
    changed = now.changed_since(plan.fingerprints)
    if changed:
        raise StalePlanError(
            f"the plan was made for another policy; changed since: {', '.join(changed)}. "
            "Run sqlgen plan again. Nothing was changed."
        )
    node = tuple(plan.levels.get(ladder.column.name, -1) for ladder in ladders)
    if any(not 0 <= level <= ladder.height for level, ladder in zip(node, ladders, strict=True)):
        raise StalePlanError(
            "the plan names levels that the hierarchies do not have. Run sqlgen plan again. "
            "Nothing was changed."
        )
    lasting = not is_frame(given) and described.parts[:1] != ("temp",)
    if policy.in_place is not None:
        change = find_change(engine, policy, described, plan.levels)
        check_change(engine, policy, change)
        target = in_place_target(policy, change)
    else:
        target = resolve_target(engine, policy, described, replace, lasting=lasting)
    # A view reads its source whenever it is read; any other release sees one reading of it.
    staged = staged_query(policy, described, given) if target.kind != "view" else None
    original = Relation(SOURCE, "query", described.columns) if staged is not None else described
    if target.kind == "view":
        _refuse_view(policy, (*sensitive.ladders, *coarse))
    recodings = make_recodings(ladders, node, target.lookups)
    rows = Rows(policy, original, staged, coarse, lasting=target.kind == "view")
    sensitive = read_sensitive(
        engine, policy, rows.shown, policy.guarantees, lambda: original, original
    )
    spare = _SPARE_ROUNDS if sensitive.judged(policy.guarantees).moving else 0
    statements = script(policy, target, rows, recodings, sensitive, plan.rounds + spare)
    for each in statements:
        if each.template == "apply/create":
            check_query_names(policy, each.text)
    return target, tuple(statements)


def _refuse_view(policy: Policy, ladders: Sequence[Ladder]) -> None:
    """Refuse a view of what cannot be promised once the rows behind it change."""
    reasons = [
        f"{each.words} is judged over all rows that are released"
        for each in policy.guarantees
        if each.moving or each.limit
    ]
    reasons += [
        f"{each.words} is judged against a table that may change"
        for each in policy.guarantees
        if each.people is not None
    ]
    reasons += [
        f"the hierarchy of {ladder.column.name} is a list that may change"
        for ladder in ladders
        if isinstance(policy.columns[ladder.column.name].hierarchy, (Csv, Table))
    ]
    if reasons:
        raise UnsupportedError(
            f"{policy.where('release', 'view')}: a view is read anew whenever its source has "
            f"changed, and {reasons[0]}. Release a table or a file. Nothing was changed."
        )


def _check_source_survives(
    engine: Engine, policy: Policy, target: Target, given: DataSource | None
) -> None:
    """Refuse to replace what the release is made from, however many views lie between them.

    Tried out in a transaction that is rolled back: only the engine knows what a view reads.
    """
    with engine.read():
        before = _reads(engine, policy, given)
        for kind, standing in target.stands:
            engine.run(drop_sql(kind, standing))
        try:
            # A name may find something else once what it meant is gone.
            survives = _reads(engine, policy, given) == before
        except SqlgenError:
            survives = False
    if not survives:
        raise PolicyError(
            f"{policy.where('release', target.kind)}: the release would take the place of "
            "something that it is made from. Nothing was changed."
        )


def _reads(engine: Engine, policy: Policy, given: DataSource | None) -> set[tuple[str, str]]:
    """Everything that is read for the source and for the lists of its hierarchies."""
    source = find_source(engine, policy, given)
    ladders = read_ladders(engine, policy, source)
    reads = set(read_by(engine, source.sql))
    for ladder in ladders:
        reads |= read_by(engine, ladder.lines) if ladder.lines is not None else set()
    coarse = read_coarse(engine, policy, source)
    shown = coarsened(policy, source, coarse)
    sensitive = read_sensitive(engine, policy, shown, policy.guarantees, lambda: source, source)
    for relation in (shown.sql, *sensitive.reads):
        reads |= read_by(engine, relation)
    return reads


def _run(
    engine: Engine,
    policy: Policy,
    target: Target,
    statements: tuple[Statement, ...],
    progress: Callable[[str], None],
    replaces: bool,
) -> Release:
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
                    if not release.satisfied:
                        return release
                elif each.template == "apply/confirm":
                    _confirm(engine, each, release, made)
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
            publish(target.path, policy.where("release", target.kind), replaces)
    return release


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
