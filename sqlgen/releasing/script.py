"""The script that publishes a release: one transaction, from BEGIN to COMMIT, checks included."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from markupsafe import Markup

from sqlgen.engines.duckdb.catalog import FOLDING, RESERVED, Relation, fold, temporary, typed
from sqlgen.engines.duckdb.session import meanings_statement
from sqlgen.guarantees import Guarantee
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.measuring.tables import audit_sql
from sqlgen.measuring.uniqueness import uniqueness_statement
from sqlgen.planning.definition_change import Change
from sqlgen.policy import Policy, Role
from sqlgen.recodings import RECODINGS, BuildInputs, Decision
from sqlgen.releasing.targets.in_place import barrier_sql, read_views_sql, swap_sql
from sqlgen.releasing.targets.partitioned import COUNTS, STAGED
from sqlgen.releasing.targets.resolve import Target, clear_sql, drop_sql
from sqlgen.sql.render import Statement, fragment, ident, literal, noted, statement
from sqlgen.sql.step import Step, StepKind, plain_steps
from sqlgen.staging.missing_values import lacking_queries
from sqlgen.staging.sensitive import Sensitive
from sqlgen.staging.sensitive_levels import COARSE, at_sensitive_levels, sensitive_levels_sql
from sqlgen.staging.source import SOURCE, source_sql

AUDIT_NAME = f"{RESERVED}audit"
AUDIT = temporary("audit")


@dataclass(frozen=True)
class Rows:
    """The source's rows: ``original`` with its values, staged from a ``query`` if it is no table.

    ``coarse`` are the ladders of sensitive columns of which a label is released. A view that
    lasts reads them anew each time; any other release stages them.
    """

    policy: Policy
    original: Relation
    query: Markup | None
    sensitive_levels: tuple[Ladder, ...]
    lasting: bool

    @property
    def shown(self) -> Relation:
        """The rows as they are judged and released, but for the quasi-identifiers."""
        made = at_sensitive_levels(self.policy, self.original, self.sensitive_levels)
        return replace(made, sql=COARSE) if self.sensitive_levels and not self.lasting else made


def script(
    target: Target,
    rows: Rows,
    decision: Decision,
    inputs: BuildInputs,
    ledgered: Sequence[Step] = (),
) -> list[Step]:
    """The steps that build, measure and publish a release, in order.

    The decision's recoding builds it from ``inputs``. ``ledgered`` write it to a ledger once it
    has passed. The last COMMIT is reached only by a release that its own audit passed.
    """
    policy, source = rows.policy, rows.shown
    temporaries = [AUDIT, *(() if rows.lasting else target.lookups)]
    temporaries += [SOURCE] if rows.query is not None else []
    temporaries += [COARSE] if source.sql == COARSE else []
    temporaries += [STAGED, COUNTS] if target.partition_by else []
    # Dropped before anything reads: a release made from what it replaces fails here, and is undone.
    before = [
        *([barrier_sql(target.change)] if target.change is not None else ()),
        *(drop_sql("TABLE", table) for table in temporaries),
        *(drop_sql(kind, standing) for kind, standing in target.stands),
        noted(clear_sql(target), "stop here, and undo, where something else has the name"),
    ]
    if rows.query is not None:
        before.append(noted(source_sql(rows.query), "the source's rows, read once"))
    if source.sql == COARSE:
        staged = sensitive_levels_sql(policy, rows.original, rows.sensitive_levels)
        before.append(noted(staged, "the source's rows, with labels for some sensitive values"))
    recoding = RECODINGS[decision.recoding]
    marked = recoding.label_tables(decision, inputs) if rows.lasting else ()
    begin = noted(statement("releasing/begin"), f"release {_words(target)}, all or nothing")
    commit = noted(statement("releasing/commit"), _last_words(target))
    made = [
        *plain_steps(before),
        *recoding.statements(decision, inputs),
        *plain_steps(
            statement("releasing/mark", lookup=table.name, mark=target.mark) for table in marked
        ),
        *_measured_steps(policy, _audit_sql(target, rows, decision, inputs)),
        *_uniqueness_steps(policy, target, source, inputs.sensitive),
        *ledgered,
        *(_swap_steps(target, target.change) if target.change is not None else ()),
        *plain_steps(drop_sql("TABLE", table) for table in temporaries),
        Step(commit, StepKind.COMMIT),
    ]
    if target.path is None:
        made.append(Step(noted(_confirm_sql(target), "what stands now"), StepKind.CONFIRM))
    meant = meanings_statement([begin, *(step.statement for step in made)])
    note = "stop here where a function or a setting means something else"
    return [Step(begin, StepKind.BEGIN), Step(noted(meant, note)), *made]


def _measured_steps(policy: Policy, audit: Statement) -> list[Step]:
    """The steps that measure the release, and stop a release that breaks the policy."""
    guard = statement("releasing/guard", table=AUDIT_NAME)
    return [
        Step(noted(audit, "the release, measured from itself"), StepKind.MEASURE),
        Step(statement("releasing/read_audit", table=AUDIT), StepKind.READ_AUDIT),
        Step(noted(guard, "stop here, and undo, if a statement above failed")),
        Step(noted(_gate_sql(policy), "stop here, and undo, if the release breaks the policy")),
    ]


def _words(target: Target) -> str:
    if target.change is not None:
        return f"{target.called} in place"
    return f"{target.kind} {target.called}"


def _swap_steps(target: Target, change: Change) -> list[Step]:
    """The steps that swap the source for the release, read its views, and make sure of it."""
    swapped = statement("releasing/swapped", table=AUDIT, object=_object(target))
    note = "stop here, and undo, if the release does not stand where its source did"
    return [
        *plain_steps(swap_sql(change)),
        *(Step(read, StepKind.READ_VIEW) for read in read_views_sql(change)),
        Step(noted(swapped, note)),
    ]


def _last_words(target: Target) -> str:
    if target.path is None:
        return "from here on the release is visible"
    stands = ", or exchange the two where that stands" if target.partition_by else ""
    return (
        f"after this, rename {target.partial.name} to {target.path.name}{stands}; had anything "
        "failed, delete it"
    )


def _audit_sql(target: Target, rows: Rows, decision: Decision, inputs: BuildInputs) -> Statement:
    policy, source, sensitive = rows.policy, rows.shown, inputs.sensitive
    recoding = RECODINGS[decision.recoding]
    values = [
        fragment("judging/rows", rows=sensitive.rows(number, source.sql))
        for number in range(len(sensitive.ladders))
    ]
    labelled = [
        (fragment("judging/rows", rows=ladder.rows(rows.original.sql)), ladder)
        for ladder in rows.sensitive_levels
    ]
    labelled += zip(values, sensitive.ladders, strict=True)
    unplaced = [
        (relation, ladder.order)
        for relation, ladder in zip(values, sensitive.ladders, strict=True)
        if ladder.order is not None
    ]
    listed = [relation for relation, ladder in labelled if ladder.lines is not None]
    released = _released(policy, target, source, sensitive)
    quasi = recoding.columns(decision, inputs.ladders)
    tables = recoding.label_tables(decision, inputs)
    by_rows = [guarantee for guarantee in policy.guarantees if guarantee.unit_column is None]
    by_unit = [guarantee for guarantee in policy.guarantees if guarantee.unit_column is not None]
    levels = decision.levels or {}
    measured = audit_sql(released, quasi, by_rows, sensitive.without_units(), levels)
    persons = None
    if by_unit:
        units = sensitive.units_alone()
        names = [column.name for column in units.columns]
        behind = recoding.persons(decision, inputs, target.built, names)
        persons = Markup(audit_sql(behind, behind.columns[:1], by_unit, units).text)
    empty = None
    if sensitive.masks_sensitive:
        names = [column.name for column in sensitive.without_units().columns]
        behind = recoding.persons(decision, inputs, target.built, names)
        empty = fragment(
            "releasing/empty",
            behind=behind.sql,
            keys=[ident(behind.columns[0].name)],
            values=[ident(name) for name in names],
        )
    return statement(
        "releasing/audit",
        table=AUDIT,
        source=source.sql,
        strict_lookups=[
            *(table.name for table in tables if table.strict),
            *_strict_relations(labelled),
        ],
        lookups=[*(table.name for table in tables), *listed],
        unplaced=unplaced,
        lacking=_lacking(policy, sensitive, source),
        object=_object(target, built=True),
        measured=Markup(measured.text),
        persons=persons,
        empty=empty,
        figures=_figures(policy.guarantees),
    )


def _lacking(policy: Policy, sensitive: Sensitive, source: Relation) -> list[Markup]:
    """The counts of values that have no place in an ordered distance's table."""
    queries = lacking_queries(policy, sensitive, source).values()
    return [fragment("judging/lacking", **query) for query in queries]


def _strict_relations(labelled: Sequence[tuple[Markup, Ladder]]) -> list[Markup]:
    """The relations of sensitive labels that must hold a label for every value of the source."""
    return [
        relation
        for relation, ladder in labelled
        if ladder.height > 1 and ladder.uncovered == "error"
    ]


def _figures(guarantees: Sequence[Guarantee]) -> list[dict[str, Any]]:
    """Where the audit measures each guarantee: on rows or on persons, and as which figure."""
    numbers = {"measured": 0, "persons": 0}
    figures = []
    for guarantee in guarantees:
        relation = "measured" if guarantee.unit_column is None else "persons"
        numbers[relation] += 1
        figures.append({"relation": Markup(relation), "number": numbers[relation]})
    return figures


def _uniqueness_steps(
    policy: Policy, target: Target, source: Relation, sensitive: Sensitive
) -> list[Step]:
    """The step that counts rows which stand alone by a column of the release, if any could."""
    counts = uniqueness_statement(policy, _released(policy, target, source, sensitive))
    if counts is None:
        return []
    note = "rows that are unique by a column beside the quasi-identifiers"
    return [Step(noted(counts, note), StepKind.COUNT_UNIQUE)]


def _released(policy: Policy, target: Target, source: Relation, sensitive: Sensitive) -> Relation:
    """The release as the audit reads it."""
    columns = tuple(
        column
        for column in source.columns
        if policy.columns[column.name].role is not Role.IDENTIFIER
    )
    made = Relation(target.built, target.made, columns)
    kept = [column for column in sensitive.columns if column in columns]
    return typed(made, kept) if target.kind == "csv" else made


def _confirm_sql(target: Target) -> Statement:
    release = target.built if target.change is None else target.change.table
    return statement("releasing/confirm", release=release, object=_object(target))


def _object(target: Target, *, built: bool = False) -> Markup:
    """The engine's number of the released table or view, which a new name leaves as it is.

    That of the release as it is ``built``, or as it stands in the end; a file has none.
    """
    if target.path is not None:
        return literal(0)
    parts = target.parts if built or target.change is None else target.change.parts
    return fragment(
        "releasing/object",
        kind=Markup(target.made),
        parts=[fold(part) for part in parts],
        **FOLDING,
    )


def _gate_sql(policy: Policy) -> Statement:
    share = policy.suppression.endswith("%")
    allowed = Fraction(policy.suppression.rstrip("% ")) / (100 if share else 1)
    return statement(
        "releasing/gate",
        table=AUDIT,
        share=share,
        parts=allowed.numerator,
        per=allowed.denominator,
        guarantees=[_asked(guarantee) for guarantee in policy.guarantees],
    )


def _asked(guarantee: Guarantee) -> dict[str, Any]:
    """What the gate asks of a guarantee's figure, with a bound over the whole release if any."""
    least, most = guarantee.passing
    asked = {"least": least, "most": most, "drops": guarantee.must_suppress, "limit": None}
    limit = guarantee.limit
    if limit is None:
        return asked
    exact = Fraction(limit)
    return asked | {
        "limit": {
            "share": isinstance(limit, Fraction),
            "parts": exact.numerator,
            "per": exact.denominator,
        }
    }
