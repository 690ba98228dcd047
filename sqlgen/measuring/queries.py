"""COUNT queries of the user's: what the source answers, and what a release would."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation
from sqlgen.errors import EngineError, PolicyError
from sqlgen.guarantees import Guarantee, Homogeneity
from sqlgen.judging.verdict_sql import judges_sizes_alone
from sqlgen.measuring.class_sums import released_classes
from sqlgen.measuring.nodes import columns_of
from sqlgen.policy import Policy
from sqlgen.search.lattice import Node
from sqlgen.sql.expression import label_expression
from sqlgen.sql.render import Statement, sql, statement
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
    parts = batches(conditions_of(engine, policy, source))
    tables = _tables(staged)
    by_size = judges_sizes_alone(policy.guarantees)
    classes = released_classes(staged, policy.guarantees, node, rounds)
    true = read_counts(
        engine, policy, [true_counts_statement(source, part, tables) for part in parts]
    )
    estimates = read_counts(
        engine,
        policy,
        [
            statement(
                "metrics/estimates",
                classes=classes,
                value_cells=VALUE_CELL,
                columns=columns_of(staged, node),
                withholds=staged.judged.masks_sensitive and not by_size,
                queries=[_estimated(staged, node, query, tables) for query in part],
            )
            for part in parts
        ],
    )
    return [Answer(counted, estimate) for counted, estimate in zip(true, estimates, strict=True)]


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
    return statement(
        "metrics/true_counts",
        source=source.sql,
        queries=[
            [
                {
                    "ladder": tables[name],
                    "condition": condition,
                    "plain": source.column(name).plain("source"),
                }
                for name, condition in query.items()
            ]
            for query in conditions
        ],
    )


def read_counts(engine: Engine, policy: Policy, asked: Iterable[Statement]) -> list[Any]:
    """The counts of statements for each of their queries, in the order of both."""
    try:
        return [
            count for count_statement in asked for _, count in sorted(engine.rows(count_statement))
        ]
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


def _estimated(
    staged: Staged, node: Node, query: Conditions, tables: dict[str, Markup]
) -> dict[str, Any]:
    keys = columns_of(staged, node)
    cells = {value.column: value.cell for value in staged.judged.values}
    quasi = []
    for number, (name, level) in enumerate(zip(staged.names, node, strict=True), 1):
        if name in query:
            column = column_name(number, level)
            quasi.append(
                {
                    "number": number,
                    "level": level,
                    "key": keys.index(column) + 1 if column in keys else None,
                    "ladder": tables[name],
                    "condition": query[name],
                }
            )
    sensitive = [
        {"cell": cells[name], "ladder": tables[name], "condition": condition}
        for name, condition in query.items()
        if name in cells
    ]
    return {"quasi": quasi, "sensitive": sensitive}
