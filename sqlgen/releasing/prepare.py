"""What a release needs before it is built: its target, its ledger, and its statements in order."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlgen.engines import DataSource, Engine
from sqlgen.engines.duckdb.catalog import Relation, current_catalog, read_by
from sqlgen.errors import PolicyError, SqlgenError, StalePlanError, UnsupportedError
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.hierarchies.lists import Csv, Table
from sqlgen.history.origins import recorded_query
from sqlgen.ledger.ledger import Ledger, find_ledger
from sqlgen.ledger.new_entry import NewEntry, ledger_statements
from sqlgen.ledger.paths import folder_of, home_of, place_of
from sqlgen.planning.definition_change import check_change, find_change
from sqlgen.planning.lock import lock_text
from sqlgen.planning.plan import Plan
from sqlgen.policy import Policy
from sqlgen.recodings import RECODINGS
from sqlgen.recodings.full_domain import make_recodings
from sqlgen.releasing.script import AUDIT, Rows, script
from sqlgen.releasing.targets.partitioned import check_partition_types
from sqlgen.releasing.targets.resolve import (
    Target,
    check_query_names,
    drop_sql,
    in_place_target,
    resolve_target,
)
from sqlgen.releasing.targets.views import with_views
from sqlgen.search.lattice import Node
from sqlgen.sql.render import Statement, quoted_name
from sqlgen.staging.fingerprints import Fingerprints, take_fingerprints, take_meanings
from sqlgen.staging.ladders import read_ladders
from sqlgen.staging.sensitive import read_sensitive
from sqlgen.staging.sensitive_levels import at_sensitive_levels, read_sensitive_levels
from sqlgen.staging.source import (
    SOURCE,
    check_columns,
    find_source,
    find_whole,
    is_frame,
    staged_query,
)

# Rows that changed a little since the plan may need a round more; one without work changes nothing.
_SPARE_ROUNDS = 2


@dataclass(frozen=True)
class Prepared:
    """What a release needs: where it goes, the ledger it is written to, and its statements.

    ``source`` are the rows that it is made from, as its transaction reads them.
    """

    target: Target
    source: Relation
    ledger: Ledger | None
    statements: tuple[Statement, ...]


def prepare(engine: Engine, plan: Plan, given: DataSource | None, replace: bool) -> Prepared:
    """The target and the statements, after every check that can be made before building."""
    policy = plan.policy
    described = find_source(engine, policy, given)
    check_columns(described, policy)
    ladders = read_ladders(engine, policy, described)
    coarse = read_sensitive_levels(engine, policy, described)
    released = _sensitive_ladders(engine, policy, described, coarse)
    now = take_fingerprints(engine, policy, described, (*ladders, *released), plan.rows)
    _refuse_stale(now, plan)
    node = _node(plan, ladders)
    lasting = not is_frame(given) and described.parts[:1] != ("temp",)
    if policy.in_place is not None:
        change = find_change(engine, policy, described, plan.levels_to("release in place"))
        check_change(engine, policy, change)
        target = in_place_target(policy, with_views(engine, policy, change))
    else:
        target = resolve_target(engine, policy, described, replace, lasting=lasting)
    # A view reads its source whenever it is read; any other release sees one reading of it.
    staged = staged_query(policy, described, given) if target.kind != "view" else None
    original = Relation(SOURCE, "query", described.columns) if staged is not None else described
    if target.kind == "view":
        _refuse_view(policy, released)
    recodings = make_recodings(ladders, node, target.lookups)
    rows = Rows(policy, original, staged, coarse, lasting=target.kind == "view")
    made = RECODINGS[plan.decision.recoding].columns(plan.decision, ladders)
    recoded = {column.name: column for column in made}
    check_partition_types(
        policy, [recoded.get(column.name, column) for column in rows.shown.columns]
    )
    sensitive = read_sensitive(
        engine, policy, rows.shown, policy.guarantees, lambda: original, original
    )
    judged = sensitive.judged(policy.guarantees)
    # Where identity goes first, rows that fail by it take a round of their own.
    spare = _SPARE_ROUNDS + judged.identity_first if judged.moving else 0
    ledger = _find_ledger(engine, policy, target) if not is_frame(given) else None
    whole = find_whole(engine, policy, given) if policy.window is not None else described
    ledgered: Sequence[Statement] = ()
    if ledger is not None:
        home = home_of(engine, ledger.parts[0])
        entry = NewEntry(
            policy=policy,
            folder=folder_of(policy, home),
            fingerprints=now,
            lock=lock_text(plan),
            recoding=plan.decision.recoding,
            decision=plan.decision.to_ledger(),
            hierarchies=take_meanings(engine, policy, (*ladders, *released)),
            target_kind=target.kind,
            target=target.called,
            place=_place(target, described, home),
            query=recorded_query(engine, policy, whole),
        )
        ledgered = ledger_statements(ledger, entry, AUDIT, original.sql, whole)
    statements = script(policy, target, rows, recodings, sensitive, plan.rounds + spare, ledgered)
    for statement in statements:
        if statement.template == "releasing/create":
            check_query_names(policy, statement.text)
    return Prepared(target, original, ledger, tuple(statements))


def _find_ledger(engine: Engine, policy: Policy, target: Target) -> Ledger | None:
    """The ledger in the database that the release goes to, or that is read."""
    catalog = target.parts[0] if target.parts else current_catalog(engine)
    return find_ledger(engine, policy, catalog)


def _place(target: Target, source: Relation, home: Path | None) -> str:
    """Where a release is: a file's fingerprint, or a schema and a name."""
    if target.path is not None:
        return place_of(target.path, home)
    return quoted_name((source.parts if target.change is not None else target.parts)[1:])


def check_fresh(engine: Engine, policy: Policy, given: DataSource | None, plan: Plan) -> None:
    """Refuse a plan that was made for another policy, other hierarchies or other types.

    And one of levels that there are not.
    """
    source = find_source(engine, policy, given)
    check_columns(source, policy)
    ladders = read_ladders(engine, policy, source)
    coarse = read_sensitive_levels(engine, policy, source)
    released = _sensitive_ladders(engine, policy, source, coarse)
    now = take_fingerprints(engine, policy, source, (*ladders, *released), plan.rows)
    _refuse_stale(now, plan)
    _node(plan, ladders)


def _node(plan: Plan, ladders: Sequence[Ladder]) -> Node:
    """The levels of a plan, in the order of the hierarchies, each of which has its own."""
    heights = {ladder.column.name: ladder.height for ladder in ladders}
    levels = plan.levels_to("build a release")
    if levels.keys() != heights.keys() or any(
        not 0 <= levels[name] <= height for name, height in heights.items()
    ):
        raise StalePlanError(
            "the plan names levels that the hierarchies do not have. Run sqlgen plan again. "
            "Nothing was changed."
        )
    return tuple(levels[name] for name in heights)


def _sensitive_ladders(
    engine: Engine, policy: Policy, source: Relation, coarse: tuple[Ladder, ...]
) -> tuple[Ladder, ...]:
    """The ladders of sensitive columns, as they are judged and as they are released."""
    shown = at_sensitive_levels(policy, source, coarse)
    sensitive = read_sensitive(engine, policy, shown, policy.guarantees, lambda: source, source)
    return (*sensitive.ladders, *coarse)


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


def check_source_survives(
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
    coarse = read_sensitive_levels(engine, policy, source)
    shown = at_sensitive_levels(policy, source, coarse)
    sensitive = read_sensitive(engine, policy, shown, policy.guarantees, lambda: source, source)
    for relation in (shown.sql, *sensitive.reads):
        reads |= read_by(engine, relation)
    return reads
