"""Preparing a release before it is built: its target, its ledger, its statements in order."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from dataclasses import replace as with_values
from pathlib import Path

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation, current_catalog, read_by
from sqlgen.errors import PolicyError, SqlgenError, StalePlanError, UnsupportedError
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.hierarchies.lists import Csv, Table
from sqlgen.hierarchies.rules import Expressions
from sqlgen.history.origins import recorded_query
from sqlgen.ledger.kept_regions import find_regions_table, regions_steps
from sqlgen.ledger.ledger import Ledger, find_ledger
from sqlgen.ledger.new_entry import NewEntry, ledger_steps
from sqlgen.ledger.paths import folder_of, place_of
from sqlgen.measuring.pairs import row_columns, value_columns
from sqlgen.planning.definition_change import check_change, find_change
from sqlgen.planning.lock import lock_text
from sqlgen.planning.plan import Plan
from sqlgen.policy import Policy
from sqlgen.recodings import RECODINGS, BuildInputs
from sqlgen.releasing.script import AUDIT, Rows, script
from sqlgen.releasing.targets.partitioned import check_partition_types
from sqlgen.releasing.targets.resolve import (
    Target,
    build_sql,
    check_query_names,
    drop_sql,
    in_place_target,
    resolve_target,
)
from sqlgen.releasing.targets.views import with_views
from sqlgen.sql.render import Statement, quoted_name, sql
from sqlgen.sql.step import Step, StepKind
from sqlgen.staging.fingerprints import Fingerprints
from sqlgen.staging.inputs import Inputs, read_inputs
from sqlgen.staging.source import SOURCE, is_frame, staged_query

# Rows that changed a little since the plan may need a round more; one without work changes nothing.
_SPARE_ROUNDS = 2


@dataclass(frozen=True)
class Prepared:
    """The prepared release: where it goes, the ledger it is written to, and its steps.

    ``source`` are the rows that it is made from, as its transaction reads them.
    """

    target: Target
    source: Relation
    ledger: Ledger | None
    steps: tuple[Step, ...]

    @property
    def statements(self) -> tuple[Statement, ...]:
        """The statements of the steps, as they are printed and run."""
        return tuple(step.statement for step in self.steps)


def prepare(
    engine: Engine,
    plan: Plan,
    inputs: Inputs,
    ledger: Ledger | None,
    replace: bool,
) -> Prepared:
    """The target and the steps, after every check that can be made before building.

    ``ledger`` is the policy's, where it was found already.
    """
    policy, described, given = plan.policy, inputs.source, inputs.job.given
    now = inputs.fingerprints(engine, plan.rows)
    _refuse_stale(now, plan)
    recoding = RECODINGS[plan.decision.recoding]
    recoding.check(plan.decision, inputs.ladders)
    target = _find_target(engine, plan, inputs, replace)
    # A view reads its source whenever it is read; any other release sees one reading of it.
    lasting = target.kind == "view"
    staged = None if lasting else staged_query(policy, described, given, inputs.job.window)
    original = Relation(SOURCE, "query", described.columns) if staged is not None else described
    if lasting:
        _refuse_view(policy, inputs.sensitive_ladders)
    rows = Rows(policy, original, staged, inputs.sensitive_levels, lasting)
    recoded_columns = recoding.columns(plan.decision, inputs.ladders)
    recoded = {column.name: column for column in recoded_columns}
    check_partition_types(
        policy, [recoded.get(column.name, column) for column in rows.shown.columns]
    )
    sensitive = inputs.sensitive_of(engine, rows.shown, original)
    judged = sensitive.judged(policy.guarantees)
    # Where identity goes first, rows that fail by it take a round of their own.
    spare = _SPARE_ROUNDS + judged.identity_first if judged.moving else 0
    ledger = _ledger_of(engine, inputs, target, ledger)
    ledgered: list[Step] = []
    if ledger is not None:
        entry = _new_entry(engine, plan, inputs, target, now, ledger.home)
        kept = _regions_steps(engine, plan, ledger)
        ledgered = [*kept, *ledger_steps(ledger, entry, AUDIT, original.sql, inputs.whole)]
    build = BuildInputs(
        policy=policy,
        source=rows.shown,
        ladders=inputs.ladders,
        sensitive=sensitive,
        rounds=plan.rounds + spare,
        lookups=target.lookups,
        lasting=lasting,
        publish=_publish(target, rows.shown),
        keeps_regions=ledger is not None,
        publish_beside=_publish_beside(target, rows.shown),
    )
    steps = script(target, rows, plan.decision, build, ledgered)
    for step in steps:
        if step.kind is StepKind.BUILD:
            check_query_names(policy, step.statement.text)
    return Prepared(target, original, ledger, tuple(steps))


def _publish(target: Target, source: Relation) -> Callable[[Markup], list[Step]]:
    """What makes the release, or the first table of two, out of its query."""
    if target.beside is None:
        return lambda query: build_sql(target, query, source.sql)
    note = "the first table: every row as it is, with its group"
    return lambda query: build_sql(target, query, source.sql, note)


def _publish_beside(target: Target, source: Relation) -> Callable[[Markup], list[Step]] | None:
    """What makes the second table of a release out of its query; None where there is one table."""
    second = target.beside
    if second is None:
        return None
    note = "the second table: the values of each group, with their rows"
    return lambda query: build_sql(second, query, source.sql, note)


def _regions_steps(engine: Engine, plan: Plan, ledger: Ledger) -> list[Step]:
    """The steps that keep the regions of a release beside its ledger, where they are new."""
    regions = RECODINGS[plan.decision.recoding].region_rows(plan.decision)
    if regions is None or regions.rows is None or regions.shown_rows is None:
        return []
    table = find_regions_table(engine, plan.policy, ledger)
    is_whole = sql(
        "(SELECT release_rows FROM {audit}) = {shown}", audit=AUDIT, shown=regions.shown_rows
    )
    return regions_steps(table, regions.fingerprint, regions.rows, is_whole)


def _ledger_of(
    engine: Engine, inputs: Inputs, target: Target, known: Ledger | None
) -> Ledger | None:
    """The ledger of the target's database; none keeps the release of a DataFrame."""
    if is_frame(inputs.job.given):
        return None
    if known is None or known.parts[0] != (target.parts or known.parts)[0]:
        return _find_ledger(engine, inputs.job.policy, target)
    return known


def _find_target(engine: Engine, plan: Plan, inputs: Inputs, replace: bool) -> Target:
    """The target of a plan, resolved and checked."""
    policy, source = plan.policy, inputs.source
    if policy.in_place is not None:
        change = find_change(engine, policy, source, plan.decision.highest)
        check_change(engine, policy, change)
        return in_place_target(policy, with_views(engine, policy, change))
    lasting = not is_frame(inputs.job.given) and source.parts[:1] != ("temp",)
    if policy.beside is None:
        return resolve_target(engine, policy, source, replace, lasting=lasting)
    if is_frame(inputs.job.given):
        raise UnsupportedError(
            f"{policy.where('recoding')}: a release of two tables is none of a DataFrame. Read it "
            "from a database. Nothing was changed."
        )
    target, second = (
        resolve_target(
            engine,
            each,
            source,
            replace,
            lasting=lasting,
            names=[column.name for column in columns],
        )
        for each, columns in (
            (policy, row_columns(policy, source.columns)),
            (policy.beside, value_columns(source.column(policy.sensitive[0]))),
        )
    )
    # What either replaces is dropped, and must not be what the release is made from.
    stands = (*target.stands, *second.stands)
    return with_values(target, beside=with_values(second, stands=()), stands=stands)


def _new_entry(
    engine: Engine, plan: Plan, inputs: Inputs, target: Target, now: Fingerprints, home: Path | None
) -> NewEntry:
    """The release as its ledger has it; the folder ``home`` is that of the ledger's database."""
    policy = plan.policy
    regions = RECODINGS[plan.decision.recoding].region_rows(plan.decision)
    return NewEntry(
        policy=policy,
        folder=folder_of(policy, home),
        fingerprints=now,
        lock=lock_text(plan),
        recoding=plan.decision.recoding,
        decision=plan.decision.to_ledger(),
        hierarchies=inputs.meanings(engine),
        target_kind=target.kind,
        target=target.called,
        place=place_of_target(target, inputs.source, home),
        query=recorded_query(engine, policy, inputs.whole),
        window=inputs.job.window,
        regions=None if regions is None else regions.fingerprint,
    )


def _find_ledger(engine: Engine, policy: Policy, target: Target) -> Ledger | None:
    """The ledger in the database that the release goes to, or that is read."""
    catalog = target.parts[0] if target.parts else current_catalog(engine)
    # In place the release is built under another name than the table that it becomes.
    name = target.parts if target.change is None else ()
    return find_ledger(engine, policy, catalog, name)


def place_of_target(target: Target, source: Relation, home: Path | None) -> str:
    """Where a release is: a file's fingerprint, or a schema and a name."""
    if target.path is not None:
        return place_of(target.path, home)
    return quoted_name((source.parts if target.change is not None else target.parts)[1:])


def check_fresh(engine: Engine, inputs: Inputs, plan: Plan) -> None:
    """Refuse a plan that was made for another policy, other hierarchies or other types.

    And one of levels that there are not.
    """
    _refuse_stale(inputs.fingerprints(engine, plan.rows), plan)
    RECODINGS[plan.decision.recoding].check(plan.decision, inputs.ladders)


def _refuse_stale(now: Fingerprints, plan: Plan) -> None:
    changed = now.changed_since(plan.fingerprints)
    if changed:
        raise StalePlanError(
            f"the plan was made for another policy; changed since: {', '.join(changed)}. "
            "Run sqlgen plan again. Nothing was changed."
        )


def _refuse_view(policy: Policy, ladders: Sequence[Ladder]) -> None:
    """Refuse a view of what cannot be promised once the rows behind it change."""
    reasons = [
        f"{guarantee.words} is judged over all rows that are released"
        for guarantee in policy.guarantees
        if guarantee.reference_moves or guarantee.limit
    ]
    reasons += [
        f"{guarantee.words} is judged against a table that may change"
        for guarantee in policy.guarantees
        if guarantee.people is not None
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


def check_source_survives(engine: Engine, inputs: Inputs, target: Target) -> None:
    """Refuse to replace what the release is made from, however many views lie between them.

    A table that is read by its full name, and alone, is compared with what is dropped. Anything
    else is tried out in a transaction that is rolled back: only the engine knows what a view reads.
    """
    policy = inputs.policy
    if _reads_a_table_alone(inputs):
        survives = inputs.whole.sql not in [standing for _, standing in target.stands]
    else:
        with engine.read():
            before = _reads(engine, inputs)
            for kind, standing in target.stands:
                engine.run(drop_sql(kind, standing))
            try:
                # A name may find something else once what it meant is gone.
                survives = _reads(engine, read_inputs(engine, inputs.job)) == before
            except SqlgenError:
                survives = False
    if not survives:
        raise PolicyError(
            f"{policy.where('release', target.kind)}: the release would take the place of "
            "something that it is made from. Nothing was changed."
        )


def _reads_a_table_alone(inputs: Inputs) -> bool:
    """Whether nothing but one table is read: no view, no query, no list and no other table."""
    ladders = (*inputs.ladders, *inputs.sensitive_levels)
    hierarchies = [inputs.policy.columns[ladder.column.name].hierarchy for ladder in ladders]
    return (
        inputs.whole.kind == "table"
        and not any(isinstance(hierarchy, (Csv, Table, Expressions)) for hierarchy in hierarchies)
        and not inputs.sensitive.reads
    )


def _reads(engine: Engine, inputs: Inputs) -> set[tuple[str, str]]:
    """Everything that is read for the source and for the lists of its hierarchies."""
    lines = [ladder.lines for ladder in inputs.ladders if ladder.lines is not None]
    relations = (inputs.source.sql, *lines, inputs.shown.sql, *inputs.sensitive.reads)
    return {read for relation in dict.fromkeys(relations) for read in read_by(engine, relation)}
