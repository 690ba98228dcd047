"""Sensitive columns that are released at a level of their hierarchy, in place of their values."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation, temporary
from sqlgen.errors import PolicyError
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.policy import Policy
from sqlgen.sql.render import Statement, commas, fragment, literal, sql
from sqlgen.sql.types import Column
from sqlgen.staging.ladders import read_ladder
from sqlgen.staging.source import source_sql

COARSE = temporary("coarse")


def read_sensitive_levels(engine: Engine, policy: Policy, source: Relation) -> tuple[Ladder, ...]:
    """The ladders of the sensitive columns that are released at a level of them."""
    ladders = tuple(
        read_ladder(engine, policy, source, column.name)
        for column in source.columns
        if policy.columns[column.name].level is not None
    )
    for ladder in ladders:
        name = ladder.column.name
        if policy.level(name) >= ladder.height:
            raise PolicyError(
                f"{policy.where('columns', name, 'level')}: the level must be below the top, "
                f"which is {ladder.height} for {name}; found {policy.level(name)}. A column of "
                "which nothing is to be released has the role identifier"
            )
    return ladders


def at_sensitive_levels(policy: Policy, source: Relation, ladders: Sequence[Ladder]) -> Relation:
    """The source with the labels of its coarse columns in place of their values."""
    if not ladders:
        return source
    by_name = {ladder.column.name: ladder for ladder in ladders}
    numbers = {name: Markup(f"coarse_{number}") for number, name in enumerate(by_name, 1)}
    rows = fragment(
        "staging/coarsened",
        source=source.sql,
        columns=[
            (
                column.name,
                numbers[column.name] + Markup(".label")
                if column.name in numbers
                else sql("source.{name:ident}", name=column.name),
            )
            for column in source.columns
        ],
        ladders=[
            {
                "alias": numbers[name],
                "labelled": ladder.labelled(source.sql),
                "label": ladder.label(policy.level(name)),
                "plain": ladder.column.plain("source"),
            }
            for name, ladder in by_name.items()
        ],
    )
    columns = tuple(
        Column(column.name, "VARCHAR") if column.name in by_name else column
        for column in source.columns
    )
    return Relation(rows, "query", columns)


def sensitive_levels_sql(policy: Policy, source: Relation, ladders: Sequence[Ladder]) -> Statement:
    """The statement that stages the source with coarse columns, so that each is labelled once."""
    query = at_sensitive_levels(policy, source, ladders).sql
    return source_sql(query, COARSE)


def sensitive_ladder(
    engine: Engine,
    policy: Policy,
    relation: Relation,
    name: str,
    source: Callable[[], Relation],
) -> Ladder:
    """The ladder of a sensitive column as it is released: what is above its level.

    A list knows the labels of all levels; a rule gives them to values, which the source has.
    """
    if policy.columns[name].level is None:
        return read_ladder(engine, policy, relation, name)
    column = relation.column(name)
    if policy.is_listed(name):
        nothing = sql(
            "(SELECT CAST(NULL AS {type}) AS {column:ident} WHERE FALSE)",
            column=name,
            type=Markup(column.type),
        )
        return _above(policy, read_ladder(engine, policy, relation, name), nothing)
    rows = source()
    return _above(policy, read_ladder(engine, policy, rows, name), rows.sql)


def _above(policy: Policy, ladder: Ladder, values: Markup) -> Ladder:
    """A ladder whose values are the labels of another at a level."""
    level = policy.level(ladder.column.name)
    labels = [ladder.label(index) for index in range(level, ladder.height)]
    has_top = "top" in (ladder.nulls, ladder.uncovered)
    tops = commas([literal(ladder.top)] * len(labels))
    lines = fragment(
        "hierarchies/upper_lines",
        labelled=ladder.labelled(values),
        labels=labels,
        tops=[tops] if has_top else [],
    )
    return replace(
        ladder,
        column=Column(ladder.column.name, "VARCHAR"),
        levels=ladder.levels[level:],
        lines=lines,
        fields=ladder.height - level,
        blanks=True,
        uncovered="error",
        line_faults=None,
        list_number=None,
    )
