"""Applying a plan: the statements of ``apply_sql``, run in order, in one transaction."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from sqlgen.audit import Audit, audit_sql, read_audit
from sqlgen.catalog import FOLDING, RESERVED, Relation, fold, read_by, temporary
from sqlgen.engines import DataSource, Engine
from sqlgen.errors import (
    EngineError,
    HierarchyError,
    PolicyError,
    SqlgenError,
    StalePlanError,
)
from sqlgen.file_target import claimed, publish
from sqlgen.fingerprints import take_fingerprints
from sqlgen.ladders import read_ladders
from sqlgen.plan import Plan
from sqlgen.policy import Policy
from sqlgen.recodings.full_domain import (
    Recoding,
    lookup_sql,
    make_recodings,
    release_sql,
    released_columns,
)
from sqlgen.source import (
    SOURCE,
    check_columns,
    find_source,
    is_frame,
    open_rows,
    source_sql,
    staged_query,
)
from sqlgen.sql.render import Statement, fragment, literal, noted, statement
from sqlgen.target import Target, build_sql, clear_sql, drop_sql, resolve_target

if TYPE_CHECKING:
    import pandas

AUDIT_NAME = f"{RESERVED}audit"
AUDIT = temporary("audit")


@dataclass(frozen=True)
class Release:
    """What was published, as its audit found it; or, unsatisfied, that nothing was changed."""

    kind: str
    target: str
    rows: int
    suppressed_rows: int
    budget: int
    audit: Audit
    frame: "pandas.DataFrame | None" = field(default=None, repr=False, compare=False)

    @property
    def satisfied(self) -> bool:
        """Whether the release was published: guarantees met, within the suppression budget."""
        return (
            self.audit.satisfied
            and self.audit.classes > 0
            and 0 <= self.suppressed_rows <= self.budget
        )

    def to_dict(self) -> dict[str, Any]:
        """The release as plain values, as ``sqlgen apply --json`` prints it."""
        return {
            "satisfied": self.satisfied,
            "release": {self.kind: self.target},
            "source_rows": self.rows,
            "suppressed_rows": self.suppressed_rows,
            "budget": self.budget,
            "audit": self.audit.to_dict(),
        }

    def to_pandas(self) -> "pandas.DataFrame":
        """The released rows, where the source was a DataFrame."""
        if self.frame is None:
            raise ValueError("the rows are in the database; only a DataFrame comes back as one")
        return self.frame


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
    progress: Callable[[str], None] = lambda _: None,
    heard: Callable[[Statement], None] | None = None,
) -> Release:
    """Build the release, measure it, and publish it; or change nothing.

    A release whose audit fails is rolled back and comes back unsatisfied.
    """
    if not plan.satisfied:
        raise PolicyError("the plan does not give what the policy asks for. Nothing was changed.")
    policy = plan.policy
    into_database = policy.release is not None and policy.release.kind in ("table", "view")
    with open_rows(policy, source, write=into_database, heard=heard) as engine:
        target, statements = _prepare(engine, plan, source, replace)
        if target.stands:
            _check_source_survives(engine, policy, target, source)
        if target.path is None:
            release = _run(engine, policy, target, statements, progress, replace)
        else:
            with claimed(target.path, policy.where("release", target.kind)):
                release = _run(engine, policy, target, statements, progress, replace)
        if release.satisfied and is_frame(source) and target.path is None:
            return _with_frame(release, engine, target)
        return release


def _prepare(
    engine: Engine, plan: Plan, given: DataSource | None, replace: bool
) -> tuple[Target, tuple[Statement, ...]]:
    """The target and the statements, after every check that can be made before building."""
    policy = plan.policy
    described = find_source(engine, policy, given)
    check_columns(described, policy)
    ladders = read_ladders(engine, policy, described)
    now = take_fingerprints(engine, policy, described, ladders, plan.rows)
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
    target = resolve_target(engine, policy, described, replace, lasting=lasting)
    # A view reads its source whenever it is read; any other release sees one reading of it.
    staged = staged_query(policy, described, given) if target.kind != "view" else None
    source = Relation(SOURCE, "query", described.columns) if staged is not None else described
    recodings = make_recodings(ladders, node, target.lookups)
    return target, tuple(_statements(policy, target, source, staged, recodings))


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
    return reads


def _statements(
    policy: Policy,
    target: Target,
    source: Relation,
    query: Markup | None,
    recodings: list[Recoding],
) -> list[Statement]:
    lasting = target.kind == "view"
    temporaries = [AUDIT, *(() if lasting else target.lookups)]
    temporaries += [SOURCE] if query is not None else []
    # Dropped before anything reads: a release made from what it replaces fails here, and is undone.
    made = [
        noted(statement("apply/begin"), f"release {target.kind} {target.called}, all or nothing"),
        *(drop_sql("TABLE", table) for table in temporaries),
        *(drop_sql(kind, standing) for kind, standing in target.stands),
        noted(clear_sql(target), "stop here, and undo, where something else has the name"),
    ]
    if query is not None:
        made.append(noted(source_sql(query), "the source's rows, read once"))
    for each in recodings:
        made.append(noted(lookup_sql(each, source, temporary=not lasting), each.words))
        if lasting:
            made.append(statement("apply/mark", lookup=each.lookup, mark=target.mark))
    made += [
        noted(
            build_sql(target, release_sql(recodings, source, policy)),
            "the release: labels in place of values, failing classes left out",
        ),
        noted(_audit_sql(policy, target, source, recodings), "the release, measured from itself"),
        statement("apply/read_audit", table=AUDIT),
        noted(
            statement("apply/guard", table=AUDIT_NAME),
            "stop here, and undo, if a statement above failed",
        ),
        noted(_gate_sql(policy), "stop here, and undo, if the release breaks the policy"),
        *(drop_sql("TABLE", table) for table in temporaries),
        noted(statement("apply/commit"), _last_words(target)),
    ]
    if target.path is None:
        made.append(noted(_confirm_sql(target), "what stands now"))
    return made


def _last_words(target: Target) -> str:
    if target.path is None:
        return "from here on the release is visible"
    return (
        f"after this, rename {target.partial.name} to {target.path.name}; had anything failed, "
        "delete it"
    )


def _audit_sql(
    policy: Policy, target: Target, source: Relation, recodings: list[Recoding]
) -> Statement:
    strict = [each.lookup for each in recodings if each.ladder.uncovered == "error"]
    return statement(
        "apply/audit",
        table=AUDIT,
        source=source.sql,
        strict_lookups=strict,
        lookups=[each.lookup for each in recodings],
        object=_object(target),
        measured=Markup(
            audit_sql(target.built, released_columns(recodings), policy.guarantees).text
        ),
    )


def _confirm_sql(target: Target) -> Statement:
    return statement("apply/confirm", release=target.built, object=_object(target))


def _object(target: Target) -> Markup:
    """The engine's number of the released table or view; a file has none."""
    if target.path is not None:
        return literal(0)
    parts = [fold(part) for part in target.parts]
    return fragment("apply/object", kind=Markup(target.kind), parts=parts, **FOLDING)


def _gate_sql(policy: Policy) -> Statement:
    share = policy.suppression.endswith("%")
    allowed = Fraction(policy.suppression.rstrip("% ")) / (100 if share else 1)
    return statement(
        "apply/gate",
        table=AUDIT,
        share=share,
        parts=allowed.numerator,
        per=allowed.denominator,
        guarantees=range(1, len(policy.guarantees) + 1),
    )


def _run(
    engine: Engine,
    policy: Policy,
    target: Target,
    statements: tuple[Statement, ...],
    progress: Callable[[str], None],
    replaces: bool,
) -> Release:
    committing = False
    with engine.change():
        try:
            for number, each in enumerate(statements, 1):
                progress(f"statement {number} of {len(statements)}")
                if each.template == "apply/read_audit":
                    *figures, made = engine.rows(each)[0]
                    release = _judged(policy, target, tuple(figures))
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
        or (release.kind == "table" and rows != release.audit.rows)
    ):
        raise EngineError("the database did not keep the release after its COMMIT")


def _judged(policy: Policy, target: Target, row: tuple[int, ...]) -> Release:
    """The release that an audit row speaks of."""
    *figures, source_rows, uncovered, repeated = row
    if uncovered or repeated:
        fault = f"{uncovered} distinct values are not in their hierarchies any more"
        if repeated:
            fault = f"{repeated} values are in their hierarchies twice"
        raise HierarchyError(
            f"{policy.where('columns')}: {fault}. Run sqlgen plan to see which columns. "
            "Nothing was changed."
        )
    audit = read_audit(target.called, figures, policy)
    return Release(
        kind=target.kind,
        target=target.called,
        rows=source_rows,
        suppressed_rows=source_rows - audit.rows,
        budget=policy.budget(source_rows),
        audit=audit,
    )


def _with_frame(release: Release, engine: Engine, target: Target) -> Release:
    rows = statement("apply/read_release", release=target.built)
    return replace(release, frame=engine.frame(rows))
