"""COUNT queries of the user's: what the source answers, and what a release would."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation
from sqlgen.errors import EngineError, PolicyError
from sqlgen.guarantees import Guarantee, Homogeneity
from sqlgen.judging.verdict_sql import Values, judges_sizes_alone
from sqlgen.measuring.class_sums import released_classes
from sqlgen.measuring.nodes import columns_of
from sqlgen.policy import Policy
from sqlgen.search.lattice import Node
from sqlgen.sql.expression import label_expression
from sqlgen.sql.render import (
    Statement,
    command,
    conjunction,
    each,
    fragment,
    sql,
    union_all,
)
from sqlgen.sql.types import Column, Kind
from sqlgen.staging.expressions import check_expressions
from sqlgen.staging.ladders import staged_ladder
from sqlgen.staging.packing import column_name
from sqlgen.staging.stage import VALUE_CELL, Staged

# The conditions of a query on its columns, over ``value``.
Conditions = Mapping[str, Markup]
# In one statement; each condition is a join.
_MOST_JOINS = 100


@dataclass(frozen=True)
class Answer:
    """How many rows meet a query in the source, and how many the release lets one expect."""

    true: int
    estimate: float

    @property
    def error(self) -> float:
        """The relative error; where no row meets the query, relative to one row."""
        return float(abs(Fraction(self.estimate) - self.true) / max(self.true, 1))

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain values."""
        return {
            "true": self.true,
            "estimate": round(self.estimate, 4),
            "error": round(self.error, 8),
        }


def query_error(answers: Sequence[Answer]) -> float:
    """The mean relative error."""
    return sum(answer.error for answer in answers) / len(answers)


def queried(policy: Policy) -> list[Guarantee]:
    """Guarantees that stand for the sensitive columns of queries, so that those are staged."""
    names = {name for query in policy.queries for name in query} & set(policy.sensitive)
    return [Homogeneity(column=name, at_most="100%") for name in sorted(names)]


def answer_queries(
    engine: Engine,
    staged: Staged,
    policy: Policy,
    source: Relation,
    node: Node,
    rounds: int,
) -> list[Answer]:
    """The answers of the source and of a node's release to each query of a policy."""
    if not policy.queries:
        return []
    by_size = judges_sizes_alone(policy.guarantees)
    classes = released_classes(staged, policy.guarantees, node, rounds)
    masked = staged.judged.masks_sensitive and not by_size

    def estimates(part: Sequence[Conditions]) -> Statement:
        asked = [_estimated(staged, node, query, masked=masked) for query in part]
        return estimates_statement(asked, classes)

    return answer_by(engine, staged, policy, source, estimates)


def answer_by(
    engine: Engine,
    staged: Staged,
    policy: Policy,
    source: Relation,
    estimates: Callable[[Sequence[Conditions]], Statement],
) -> list[Answer]:
    """The answers of the source, and those of a release by a statement that estimates some."""
    parts = batches(conditions_of(engine, policy, source))
    tables = _tables(staged)
    true = [true_counts_statement(source, part, tables) for part in parts]
    counts = read_counts(engine, policy, true)
    estimated = read_counts(engine, policy, map(estimates, parts))
    return [Answer(counted, estimate) for counted, estimate in zip(counts, estimated, strict=True)]


def batches(conditions: Sequence[Conditions]) -> list[list[Conditions]]:
    """The queries in their order, in lists that one statement each can ask.

    The engine's time for a statement grows with the square of its joins: to plan with 400 queries
    in one took 2.5 s, with 800 10 s, over 200 rows.
    """
    parts: list[list[Conditions]] = []
    joins = 0
    for query in conditions:
        joins += len(query)
        if not parts or joins > _MOST_JOINS:
            parts.append([])
            joins = len(query)
        parts[-1].append(query)
    return parts


def conditions_of(engine: Engine, policy: Policy, source: Relation) -> list[Conditions]:
    """Per query of a policy, the condition on each of its columns, over ``value``."""
    return [
        {
            name: _condition(engine, policy, source.column(name), text, number)
            for name, text in query.items()
        }
        for number, query in enumerate(policy.queries)
    ]


def true_counts_statement(
    source: Relation, conditions: Sequence[Conditions], tables: Mapping[str, Markup]
) -> Statement:
    """The statement that counts the rows of the source that meet each query.

    ``tables`` has every value of each column once.
    """
    queries = [
        fragment(
            "metrics/true_counts",
            number=number,
            source=source.sql,
            parts=[
                {
                    "values": tables[name],
                    "condition": condition,
                    "plain": source.column(name).plain("source"),
                }
                for name, condition in query.items()
            ],
        )
        for number, query in enumerate(conditions, 1)
    ]
    return command("metrics/true_counts", "{queries}", queries=union_all(queries))


@dataclass(frozen=True)
class QueryPart:
    """A query's condition on one column: a relation with the ``share`` of each label, joined.

    ``matched`` is the condition of the join, which names the relation by its ``alias``.
    """

    alias: Markup
    shares: Markup
    matched: Markup


@dataclass(frozen=True)
class Estimated:
    """A query over a release: the ``rows`` of each row of a ``relation``, times its shares."""

    rows: Markup
    relation: Markup
    parts: Sequence[QueryPart]
    conditions: Sequence[Markup] = ()


def estimate_query(number: int, query: Estimated) -> Markup:
    """A SELECT of the rows that a query would count in a release, as far as its labels tell."""
    return fragment(
        "metrics/estimate",
        number=number,
        rows=query.rows,
        relation=query.relation,
        parts=query.parts,
        conditions=query.conditions,
    )


def label_share(leaves: Markup, label: Markup, condition: Markup) -> Markup:
    """A relation: the share of each label's leaves that meets a condition."""
    return fragment("metrics/label_share", leaves=leaves, label=label, condition=condition)


def read_counts(engine: Engine, policy: Policy, asked: Iterable[Statement]) -> list[Any]:
    """The counts of statements for each of their queries, in the order of both."""
    try:
        return [count for query in asked for _, count in sorted(engine.rows(query))]
    except EngineError as error:
        raise PolicyError(
            f"{policy.where('queries')}: the database cannot run the conditions on every value "
            f"({error}). Nothing was changed."
        ) from None


def _condition(engine: Engine, policy: Policy, column: Column, text: str, number: int) -> Markup:
    where = policy.where("queries", number, column.name)
    try:
        label = label_expression(text, column.name, in_utc=column.kind is Kind.TIMESTAMPTZ)
    except PolicyError as error:
        raise PolicyError(f"{where}: {error}") from None
    check_expressions(engine, [label], column, where)
    return sql("COALESCE({condition} = 'true', FALSE)", condition=label)


def _tables(staged: Staged) -> dict[str, Markup]:
    """The staged ladder of each quasi-identifier and sensitive column."""
    tables = {
        ladder.column.name: staged_ladder(number, ladder)
        for number, ladder in enumerate(staged.ladders, 1)
    }
    return tables | {value.column: value.relation for value in staged.judged.values}


def estimates_statement(queries: Sequence[Estimated], classes: Markup | None = None) -> Statement:
    """The statement that estimates what each query counts; ``classes`` is an expression of WITH."""
    estimates = [estimate_query(number, query) for number, query in enumerate(queries, 1)]
    return command(
        "metrics/estimate",
        "{queries}" if classes is None else "WITH\n{classes}\n{queries}",
        queries=union_all(estimates),
        **({} if classes is None else {"classes": classes}),
    )


def _estimated(staged: Staged, node: Node, query: Conditions, *, masked: bool) -> Estimated:
    """A query over the classes of a node; over its cells, where it asks for sensitive values."""
    keys = columns_of(staged, node)
    values = {value.column: value for value in staged.judged.values if value.column in query}
    parts = [
        _label_part(staged, keys, number, level, query[name])
        for number, (name, level) in enumerate(zip(staged.names, node, strict=True), 1)
        if name in query
    ]
    conditions = [Markup("node_class.is_released")]
    if not values:
        rows, relation = Markup("node_class.class_size"), Markup("node_class")
        return Estimated(rows, relation, parts, conditions)
    value_parts, more = conditions_on_values(staged, query, masked=masked)
    joined = each(keys, "cell.{0:ident} = node_class.key_{n}")
    relation = sql(
        "node_class\nJOIN {cells} AS cell\n  ON {matched}",
        cells=VALUE_CELL,
        matched=conjunction(joined),
    )
    return Estimated(
        Markup("cell.row_count"), relation, [*parts, *value_parts], [*conditions, *more]
    )


def conditions_on_values(
    staged: Staged, query: Conditions, *, masked: bool
) -> tuple[list[QueryPart], list[Markup]]:
    """A query's conditions on sensitive columns, over ``cell``: joins, or where classes may be
    masked conditions beside.
    """
    values = {value.column: value for value in staged.judged.values if value.column in query}
    if not masked:
        return [_value_part(value, query[name]) for name, value in values.items()], []
    return [], [
        fragment(
            "metrics/meets_masked",
            cell=value.cell,
            ladder=value.relation,
            condition=query[name],
        )
        for name, value in values.items()
    ]


def _label_part(
    staged: Staged, keys: Sequence[str], number: int, level: int, condition: Markup
) -> QueryPart:
    """A condition on a quasi-identifier at a level; the top is one label, which no class names."""
    alias = Markup(f"part_{number:d}")
    column = column_name(number, level)
    leaves = sql(
        "(SELECT * FROM {ladder} WHERE is_kept)",
        ladder=staged_ladder(number, staged.ladders[number - 1]),
    )
    if column not in keys:
        share = label_share(leaves, Markup("CAST(0 AS UINTEGER)"), condition)
        return QueryPart(alias, share, Markup("TRUE"))
    share = label_share(leaves, Markup(f"id_{level:d}"), condition)
    matched = f"{alias}.label = node_class.key_{keys.index(column) + 1:d}"
    return QueryPart(alias, share, Markup(matched))


def _value_part(value: Values, condition: Markup) -> QueryPart:
    """A condition on a sensitive column: its values count by themselves."""
    alias = sql("met_{cell}", cell=value.cell)
    shares = sql(
        "(SELECT id_0, 1 AS share FROM {ladder} WHERE {condition})",
        ladder=value.relation,
        condition=condition,
    )
    matched = sql("cell.{cell} = {alias}.id_0", cell=value.cell, alias=alias)
    return QueryPart(alias, shares, matched)
