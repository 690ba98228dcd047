"""The script that publishes a release: one transaction, from BEGIN to COMMIT, checks included."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from markupsafe import Markup

from sqlgen.engines.duckdb.catalog import RESERVED, Relation, object_number, temporary, typed
from sqlgen.engines.duckdb.session import meanings_statement
from sqlgen.guarantees import Guarantee
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.measuring.pairs import PAIR_ALIKE, PAIR_VALUE, Pair, row_columns, value_columns
from sqlgen.measuring.tables import audit_sql, pair_audit_sql
from sqlgen.measuring.uniqueness import uniqueness_statement
from sqlgen.planning.definition_change import Change
from sqlgen.policy import Policy, Role
from sqlgen.recodings import RECODINGS, BuildInputs, Decision
from sqlgen.releasing.targets.in_place import barrier_sql, read_views_sql, swap_sql
from sqlgen.releasing.targets.partitioned import COUNTS, STAGED
from sqlgen.releasing.targets.resolve import Target, clear_sql, drop_sql
from sqlgen.sql.ddl import BEGIN, COMMIT, comment_on, select_all, stop_where
from sqlgen.sql.render import Statement, command, fragment, literal, noted, sql, statement
from sqlgen.sql.step import Step, StepKind, plain_steps
from sqlgen.staging.missing_values import lacking_queries
from sqlgen.staging.people import ShownLevels
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
        shown_rows = at_sensitive_levels(self.policy, self.original, self.sensitive_levels)
        return (
            replace(shown_rows, sql=COARSE)
            if self.sensitive_levels and not self.lasting
            else shown_rows
        )


def script(
    target: Target,
    rows: Rows,
    decision: Decision,
    inputs: BuildInputs,
    ledgered: Sequence[Step] = (),
) -> list[Step]:
    """The steps that build, measure and publish a release of a policy's ``rows``, in order.

    The decision's recoding builds it from ``inputs``. ``ledgered`` write it to a ledger once it
    has passed. The last COMMIT is reached only by a release that its own audit passed.
    """
    policy, source = rows.policy, rows.shown
    # Dropped first: a table that an earlier script left must not be taken for this one's.
    checked = [AUDIT]
    checked += [SOURCE] if rows.query is not None else []
    checked += [COARSE] if source.sql == COARSE else []
    recoding = RECODINGS[decision.recoding]
    # Made by statements that replace what an earlier script left.
    replaced = [*recoding.scratch(decision, inputs)]
    replaced += [STAGED, COUNTS] if target.partition_by else []
    pair = _pair_of(target, policy, source, inputs.sensitive)
    replaced += [PAIR_VALUE, PAIR_ALIKE] if pair is not None else []
    # Dropped before anything reads: a release made from what it replaces fails here, and is undone.
    before = [
        *([barrier_sql(target.change)] if target.change is not None else ()),
        *(drop_sql("TABLE", table) for table in checked),
        *(drop_sql(kind, standing) for kind, standing in target.stands),
        *(
            noted(clear_sql(each), "stop here, and undo, where something else has the name")
            for each in target.tables
        ),
    ]
    if rows.query is not None:
        before.append(noted(source_sql(rows.query), "the source's rows, read once"))
    if source.sql == COARSE:
        staged = sensitive_levels_sql(policy, rows.original, rows.sensitive_levels)
        before.append(noted(staged, "the source's rows, with labels for some sensitive values"))
    marked = recoding.label_tables(decision, inputs) if rows.lasting else ()
    begin = noted(BEGIN, f"release {_words(target)}, all or nothing")
    commit = noted(COMMIT, _last_words(target))
    steps = [
        *plain_steps(before),
        *recoding.statements(decision, inputs),
        *plain_steps(comment_on("TABLE", table.name, target.mark) for table in marked),
        *_measured_steps(policy, _audit_sql(target, rows, decision, inputs), pair),
        *_uniqueness_steps(policy, target, source, inputs.sensitive),
        *ledgered,
        *(_swap_steps(target, target.change) if target.change is not None else ()),
        *plain_steps(drop_sql("TABLE", table) for table in (*checked, *replaced)),
        Step(commit, StepKind.COMMIT),
    ]
    if target.path is None:
        steps.append(Step(noted(_confirm_sql(target), "what stands now"), StepKind.CONFIRM))
    meant = meanings_statement([begin, *(step.statement for step in steps)])
    note = "stop here where a function or a setting means something else"
    return [Step(begin, StepKind.BEGIN), Step(noted(meant, note)), *steps]


def _measured_steps(policy: Policy, audit: Statement, pair: Pair | None) -> list[Step]:
    """The steps that measure the release, and stop a release that breaks the policy."""
    # Asked of the catalog: a missing table ends no transaction in DuckDB 1.5, ERROR does.
    guard = stop_where(
        "releasing/guard",
        Markup("COUNT(*) = 0"),
        "the release was not measured; nothing was changed",
        sql(
            "duckdb_tables()\nWHERE database_name = 'temp' AND table_name = {table:literal}",
            table=AUDIT_NAME,
        ),
    )
    staged = () if pair is None else pair.staging_statements()
    return [
        *plain_steps(noted(each, "both tables of the release, group by group") for each in staged),
        Step(noted(audit, "the release, measured from itself"), StepKind.MEASURE),
        Step(select_all("releasing/read_audit", AUDIT), StepKind.READ_AUDIT),
        Step(noted(guard, "stop here, and undo, if a statement above failed")),
        Step(
            noted(
                _gate_sql(policy, is_pair=pair is not None),
                "stop here, and undo, if the release breaks the policy",
            )
        ),
    ]


def misfit_words(*, is_pair: bool) -> str:
    """What is wrong where rows of a release could not be counted where they must be found again."""
    if is_pair:
        return "the two tables of the release do not have the same groups"
    return "the persons behind the release could not be counted"


def _words(target: Target) -> str:
    if target.change is not None:
        return f"{target.called} in place"
    return f"{target.kind} {' and '.join(each.called for each in target.tables)}"


def _swap_steps(target: Target, change: Change) -> list[Step]:
    """The steps that swap the source for the release, read its views, and make sure of it."""
    # A client that goes on after an error would commit a source that is gone.
    swapped = stop_where(
        "releasing/swapped",
        sql("release_object IS DISTINCT FROM {object}", object=_object(target)),
        "the release did not take the place of its source; nothing was changed",
        AUDIT,
    )
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
    named = [
        f"rename {each.partial.name} to {each.path.name}"
        for each in target.tables
        if each.path is not None
    ]
    deleted = "delete it" if target.beside is None else "delete both"
    return f"after this, {' and '.join(named)}{stands}; had anything failed, {deleted}"


def _audit_sql(target: Target, rows: Rows, decision: Decision, inputs: BuildInputs) -> Statement:
    policy, source, sensitive = rows.policy, rows.shown, inputs.sensitive
    recoding = RECODINGS[decision.recoding]
    values = [
        _relation_of(sensitive.rows(number, source.sql)) for number in range(len(sensitive.ladders))
    ]
    labelled = [
        (_relation_of(ladder.rows(rows.original.sql)), ladder) for ladder in rows.sensitive_levels
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
    levels = ShownLevels(decision.levels or {})
    pair = _pair_of(target, policy, source, sensitive)
    if pair is None:
        measured = audit_sql(released, quasi, by_rows, sensitive.without_units(), levels)
    else:
        measured = pair_audit_sql(pair, by_rows, sensitive)
    persons, uncounted = [], literal(0) if pair is None else pair.misfits
    if by_unit:
        units = sensitive.units_alone()
        names = [column.name for column in units.columns]
        behind = recoding.persons(decision, inputs, target.built, names)
        persons.append(Markup(audit_sql(behind, behind.columns[:1], by_unit, units).text))
        uncounted = Markup("ABS(measured.release_rows - persons.release_rows)")
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
        uncounted_rows=uncounted,
        empty_rows=_empty_rows(target, decision, inputs),
        figures=_figures(policy.guarantees),
    )


def _pair_of(target: Target, policy: Policy, source: Relation, sensitive: Sensitive) -> Pair | None:
    """The two tables of a release as they are built; None where there is one."""
    second = target.beside
    if second is None:
        return None
    value = source.column(policy.sensitive[0])
    values = Relation(second.built, second.made, tuple(value_columns(value)))
    if second.kind == "csv":
        values = typed(values, sensitive.columns)
    return Pair(target.built, values.sql, value)


def _empty_rows(target: Target, decision: Decision, inputs: BuildInputs) -> Markup:
    """The count of masked rows that had no sensitive value in the source either."""
    if not inputs.sensitive.masks_sensitive:
        return literal(0)
    names = [column.name for column in inputs.sensitive.without_units().columns]
    behind = RECODINGS[decision.recoding].persons(decision, inputs, target.built, names)
    return fragment("releasing/empty", behind=behind.sql, key=behind.columns[0].name, values=names)


def _relation_of(rows: Markup) -> Markup:
    """The values of a sensitive column, to stand after FROM."""
    return sql("(\n  {rows:nested 2}\n) AS value", rows=rows)


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
        figures.append({"relation": Markup(relation), "place": numbers[relation]})
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
    if target.beside is not None:
        columns = tuple(row_columns(policy, source.columns)[:-1])
    release = Relation(target.built, target.made, columns)
    kept = [column for column in sensitive.columns if column in columns]
    return typed(release, kept) if target.kind == "csv" else release


def _confirm_sql(target: Target) -> Statement:
    release = target.built if target.change is None else target.change.table
    # DuckDB 2.0 turns the COMMIT of an aborted transaction into a silent rollback, and an old
    # release may have as many rows.
    return command(
        "releasing/confirm",
        "SELECT\n  (SELECT COUNT(*) FROM {release}) AS release_rows,\n  {object} AS release_object",
        release=release,
        object=_object(target),
    )


def _object(target: Target, *, built: bool = False) -> Markup:
    """The engine's number of the released table or view, which a new name leaves as it is.

    That of the release as it is ``built``, or as it stands in the end; a file has none.
    """
    if target.path is not None:
        return literal(0)
    parts = target.parts if built or target.change is None else target.change.parts
    return object_number(target.made, parts)


def _gate_sql(policy: Policy, *, is_pair: bool) -> Statement:
    share = policy.suppression.endswith("%")
    allowed = Fraction(policy.suppression.rstrip("% ")) / (100 if share else 1)
    return statement(
        "releasing/gate",
        table=AUDIT,
        uncounted=f"{misfit_words(is_pair=is_pair)}; nothing was changed",
        per=allowed.denominator,
        allowed=_share_of("source_rows", allowed, is_share=share),
        guarantees=[_passing_figures(guarantee) for guarantee in policy.guarantees],
        limits=_limits(policy.guarantees),
    )


def _passing_figures(guarantee: Guarantee) -> dict[str, Any]:
    """The figures with which a guarantee passes; where all rows are masked it may judge none."""
    least, most = guarantee.passing
    unless_masked = Markup("masked_rows IS DISTINCT FROM release_rows AND ")
    return {
        "least": least,
        # The largest number there is: what is infinite is no figure.
        "most": str(sys.float_info.max) if most is None else most,
        "unless_masked": Markup("") if guarantee.must_suppress else unless_masked,
    }


def _limits(guarantees: Sequence[Guarantee]) -> list[dict[str, Any]]:
    """The bounds of guarantees over the whole release, each with the place of its guarantee."""
    return [
        {
            "place": place,
            "per": Fraction(guarantee.limit).denominator,
            "allowed": _share_of(
                "release_rows",
                Fraction(guarantee.limit),
                is_share=isinstance(guarantee.limit, Fraction),
            ),
        }
        for place, guarantee in enumerate(guarantees, 1)
        if guarantee.limit is not None
    ]


def _share_of(rows: str, bound: Fraction, *, is_share: bool) -> Markup:
    """The numerator of a bound on rows, times the rows it is a share of if it is a share."""
    return literal(bound.numerator) + Markup(f" * {rows}" if is_share else "")
