"""Utility: the loss of a finished table against its source, by every objective that can be read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation
from sqlgen.errors import SqlgenError
from sqlgen.measuring.queries import (
    Answer,
    Conditions,
    Estimated,
    QueryPart,
    batches,
    conditions_of,
    estimates_statement,
    label_share,
    query_error,
    read_counts,
    true_counts_statement,
)
from sqlgen.measuring.tables import cells_statement
from sqlgen.metrics import ClassTotals, ColumnFacts, LevelFacts, TableFacts
from sqlgen.policy import Policy
from sqlgen.policy.averages import average_of
from sqlgen.sql.render import Statement, fragment, sql, statement
from sqlgen.staging.job import Job
from sqlgen.staging.read_back import CELL, ReadBackColumn, read_back_columns
from sqlgen.staging.read_spans import span_share
from sqlgen.staging.source import is_frame, read_source

# What the sizes of classes and the rows of the source tell, whatever the labels are.
_OF_SIZES = ("discernibility", "average_class_size")
_NO_RUNG = LevelFacts(0, 0, 0, 0, 0)


@dataclass(frozen=True)
class Utility:
    """The figures of a table by objective, and its answers to the policy's queries.

    ``not_measured`` is the reason why the others are left out. ``suppressed_rows`` are those of the
    ``source_rows`` that the table lacks; both are 0 where the source was not read.
    """

    metrics: Mapping[str, float] = field(default_factory=dict)
    answers: tuple[Answer, ...] = ()
    not_measured: str = ""
    source_rows: int = 0
    suppressed_rows: int = 0


def measure_utility(
    engine: Engine, job: Job, table: Relation, rows: int, classes: int, origin: Relation | None
) -> Utility:
    """The utility of a table with these rows and classes, against the source as it is now.

    Stages what it reads. The definitions are those of a plan. Rows at several levels, as local
    recoding leaves them, count by their own labels; a column's height is then its highest level.
    ``found`` is the source, where it was found before.
    """
    average = {"average_class_size": rows / classes if classes else 0.0}
    policy, source = job.policy, _source(engine, job, origin)
    if source is None:
        return Utility(average, not_measured="the source cannot be read")
    seen = _stage_cells(engine, policy, table, source)
    if seen.source_rows < rows:
        return Utility(average, not_measured="the table has more rows than the source")
    of_sizes = _figures(policy, TableFacts(seen.source_rows, 0, ()), seen.tally, seen, _OF_SIZES)
    shown = _averaged(policy, table, source) or _read_columns(engine, policy, seen)
    lost = Utility({}, (), "", seen.source_rows, seen.source_rows - rows)
    if isinstance(shown, str):
        return replace(lost, metrics=of_sizes, not_measured=shown)
    figures = _figures(policy, *_reckoned(engine, seen, shown), seen)
    answers = _answers(engine, policy, seen, shown)
    if isinstance(answers, str):
        return replace(lost, metrics=figures, not_measured=answers)
    error = {"query_error": query_error(answers)} if answers else {}
    return replace(lost, metrics=figures | error, answers=tuple(answers))


@dataclass(frozen=True)
class _Seen:
    """A table whose cells are staged: ``keys`` are its quasi-identifiers, ``asked`` the sensitive
    columns that stand in the cells.

    ``tally`` has what the sizes of its classes add up to.
    """

    table: Relation
    source: Relation
    keys: Sequence[str]
    asked: Sequence[str]
    classes: Markup
    source_rows: int
    tally: ClassTotals


def _source(engine: Engine, job: Job, origin: Relation | None) -> Relation | None:
    """The policy's source, where it can be read beside the table."""
    if is_frame(job.given):
        return None
    try:
        return read_source(engine, job.policy, job.given, origin, job.window)
    except SqlgenError:
        return None


def _stage_cells(engine: Engine, policy: Policy, table: Relation, source: Relation) -> _Seen:
    """Count the combinations that a table shows, and its classes."""
    named = {name for query in policy.queries for name in query} & set(policy.sensitive)
    asked = [name for name in table.names if name in named]
    keys = [column for column in table.columns if column.name in policy.quasi]
    engine.run(cells_statement(CELL, table, keys, [table.column(name) for name in asked]))
    classes = fragment(
        "metrics/shown_class",
        cells=CELL,
        keys=[Markup(f"q{number}") for number in range(1, len(keys) + 1)],
    )
    counting = statement("metrics/shown_sizes", source=source.sql, classes=classes)
    source_rows, *sizes = engine.rows(counting)[0]
    names = [column.name for column in keys]
    return _Seen(table, source, names, asked, classes, source_rows, ClassTotals((), *sizes))


def _averaged(policy: Policy, table: Relation, source: Relation) -> str:
    """The reason why labels cannot be read where columns show means or medians; else empty."""
    averaged = {
        column.name: f"{kind}s"
        for column in source.columns
        if column.name in policy.quasi
        and column.name in table.names
        and (kind := average_of(policy, column))
    }
    if not averaged:
        return ""
    shown = " and ".join(dict.fromkeys(averaged.values()))
    verb = "shows" if len(averaged) == 1 else "show"
    return (
        f"{', '.join(averaged)} {verb} {shown}, and which values one stands for is not in the table"
    )


def _read_columns(engine: Engine, policy: Policy, seen: _Seen) -> list[ReadBackColumn] | str:
    """Every quasi-identifier as the table shows it; or the reason why one cannot be read."""
    lacking = [name for name in policy.quasi if name not in seen.source.names]
    if lacking:
        return f"the source has no column {', '.join(lacking)}"
    places = {name: Markup(f"q{place}") for place, name in enumerate(seen.keys, 1)}
    keys = {name: places.get(name) for name in _names(policy, seen)}
    return read_back_columns(engine, policy, seen.source, keys)


def _names(policy: Policy, seen: _Seen) -> list[str]:
    return [name for name in seen.source.names if name in policy.quasi]


def _figures(
    policy: Policy,
    facts: TableFacts,
    tally: ClassTotals,
    seen: _Seen,
    names: Sequence[str] | None = None,
) -> dict[str, float]:
    return {
        metric.name: metric.value(metric.cost(tally))
        for metric in policy.objective.every_metric(facts, _names(policy, seen))
        if names is None or metric.name in names
    }


def _reckoned(
    engine: Engine, seen: _Seen, shown: Sequence[ReadBackColumn]
) -> tuple[TableFacts, ClassTotals]:
    """The facts and sums that objectives read, as staging and a node's classes would give them."""
    rows = seen.tally.rows
    below = [column for column in shown if not column.is_top]
    plains = [column.ladder.column.plain("source") for column in shown]
    cell_logs, combinations, *sums = engine.rows(
        statement(
            "metrics/shown_sums",
            cell_logs=fragment(
                "staging/cell_logs", source=seen.source.sql, plains=plains, cell=CELL
            ),
            classes=seen.classes,
            parts=[
                {
                    "alias": Markup(f"name_{column.number}"),
                    "number": column.number,
                    "names": column.names,
                    "called": column.called("class"),
                }
                for column in below
            ],
        )
    )[0]
    width = len(sums) // max(len(below), 1)
    sums_by_column = {
        column.number: sums[place * width : (place + 1) * width]
        for place, column in enumerate(below)
    }
    slopes, node, climbed, at_top = [], [], [], 1.0
    for column in shown:
        top = column.ladder.height
        leaves, log_leaves, log_rows, levels, highest = sums_by_column.get(
            column.number,
            (*(rows * a for a in (column.leaves, column.log_leaves, column.log_rows, top)), top),
        )
        at_top *= column.leaves if column.is_top else 1
        level = highest if column.level is None else column.level
        rungs = [_NO_RUNG] * (top + 1)
        rungs[level] = LevelFacts(0, leaves, log_leaves, log_rows, 0)
        tops = (column.leaves, column.log_leaves, column.log_rows)
        slopes.append(ColumnFacts(*tops, column.log_all, column.own_logs, tuple(rungs)))
        node.append(level)
        climbed.append(levels)
    tally = replace(
        seen.tally, node=tuple(node), combinations=combinations * at_top, climbed=climbed
    )
    return TableFacts(seen.source_rows, 0, tuple(slopes), cell_logs=cell_logs), tally


def _answers(
    engine: Engine, policy: Policy, seen: _Seen, shown: Sequence[ReadBackColumn]
) -> list[Answer] | str:
    """The answers of source and table to each query of the policy; or the reason for none."""
    named = sorted({name for query in policy.queries for name in query} - {*policy.quasi})
    for called, known in (("table", seen.asked), ("source", seen.source.names)):
        lacking = [name for name in named if name not in known]
        if lacking:
            return f"the {called} has no column {', '.join(lacking)}"
    if not policy.queries:
        return []
    try:
        parts = batches(conditions_of(engine, policy, seen.source))
        true = read_counts(engine, policy, [_true_statement(seen, shown, part) for part in parts])
        estimates = read_counts(
            engine, policy, [_estimates_statement(seen, shown, part) for part in parts]
        )
    except SqlgenError:
        return "the queries cannot be run on every value of the table and the source"
    return [Answer(counted, estimate) for counted, estimate in zip(true, estimates, strict=True)]


def _true_statement(
    seen: _Seen, shown: Sequence[ReadBackColumn], conditions: Sequence[Conditions]
) -> Statement:
    """The statement that counts the source's rows that meet each query."""
    source = seen.source
    tables = {
        name: _values(source.sql, source.column(name).plain("source"), "source")
        for query in conditions
        for name in query
    }
    staged = {each.ladder.column.name: each.values for each in shown}
    return true_counts_statement(source, conditions, tables | staged)


def _estimates_statement(
    seen: _Seen, shown: Sequence[ReadBackColumn], conditions: Sequence[Conditions]
) -> Statement:
    """The statement that says how many rows of the table one would expect to meet each query."""
    by_name = {each.ladder.column.name: each for each in shown}
    queries = [
        [
            _label_part(by_name[name], condition)
            if name in by_name
            else _value_part(seen, name, condition)
            for name, condition in query.items()
        ]
        for query in conditions
    ]
    cells = sql("{cells} AS cell", cells=CELL)
    return estimates_statement(
        [Estimated(Markup("cell.row_count"), cells, parts) for parts in queries]
    )


def _label_part(column: ReadBackColumn, condition: Markup) -> QueryPart:
    """A condition on a quasi-identifier: each of its labels counts by its leaves."""
    alias = Markup(f"part_{column.number}")
    called = column.called("cell")
    matched = (
        Markup("TRUE")
        if called is None
        else sql("{called} IS NOT DISTINCT FROM {alias}.label", called=called, alias=alias)
    )
    shares = label_share(column.leaf, Markup("label"), condition)
    if column.spans:
        spans = span_share(column.number, condition)
        shares = sql("(FROM {shares} UNION ALL FROM {spans})", shares=shares, spans=spans)
    return QueryPart(alias, shares, matched)


def _value_part(seen: _Seen, name: str, condition: Markup) -> QueryPart:
    """A condition on a sensitive column: its values count by themselves."""
    number = seen.asked.index(name) + 1
    alias = Markup(f"value_{number}")
    shares = sql(
        "(SELECT value, 1 AS share FROM {values} AS shown_value WHERE {condition})",
        values=_values(seen.table.sql, seen.table.column(name).plain("audited"), "audited"),
        condition=condition,
    )
    matched = "cell.{cell} IS NOT DISTINCT FROM {alias}.value"
    return QueryPart(alias, shares, sql(matched, cell=Markup(f"s{number}"), alias=alias))


def _values(relation: Markup, plain: Markup, alias: str) -> Markup:
    """A relation: the values of one column of a relation, each once."""
    return sql(
        "(SELECT DISTINCT {plain} AS value FROM {relation} AS {alias})",
        plain=plain,
        relation=relation,
        alias=Markup(alias),
    )
