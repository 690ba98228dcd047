"""Ladders of text columns that have lists, staged at once: few statements for any number."""

from collections.abc import Mapping

from markupsafe import Markup

from sqlgen.engines.duckdb.catalog import Relation
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.sql.render import Statement, each, joined, sql, statement
from sqlgen.staging.ladders import LEAF, LINE, is_leaf


def at_once(ladders: Mapping[int, Ladder]) -> dict[int, Ladder]:
    """The ladders that are staged at once."""
    return {number: ladder for number, ladder in ladders.items() if is_leaf(ladder)}


def leaf_sql(source: Relation, ladders: Mapping[int, Ladder]) -> Statement:
    """The statement that stages the leaves of some ladders, each with its label's id per level."""
    levels = range(max(ladder.height for ladder in ladders.values()))
    return statement(
        "staging/leaf",
        table=LEAF,
        source=source.sql,
        lines=LINE,
        levels=levels[1:],
        labels=[(level, _label(level, ladders)) for level in levels[1:]],
        ladders=[(number, ladder.column.plain("source")) for number, ladder in ladders.items()],
        heights=[
            ladders[number].height if number in ladders else 0
            for number in range(1, max(ladders) + 1)
        ],
        suppressed=[
            (number, Markup("is_uncovered" if kind == "uncovered" else "value IS NULL"))
            for number, kind in _with_rule("suppress", ladders)
        ],
    )


def _label(level: int, ladders: Mapping[int, Ladder]) -> Markup:
    """The label of a value at a level: its line's, or the top where its ladder's rule says so."""
    label = Markup(f"line.label_{level:d}")
    tops = [
        (number, Markup("NOT NULL" if kind == "uncovered" else "NULL"), ladders[number].top)
        for number, kind in _with_rule("top", ladders)
        if level < ladders[number].height
    ]
    if not tops:
        return label
    whens = each(
        tops, "WHEN value_count.ladder = {0} AND value_count.value IS {1} THEN {2:literal}"
    )
    return sql("COALESCE({label}, CASE {whens} END)", label=label, whens=joined(whens, " "))


def _with_rule(rule: str, ladders: Mapping[int, Ladder]) -> list[tuple[int, str]]:
    """The ladders with a rule for NULL, and those with it for values that no line has."""
    return [
        (number, kind)
        for number, ladder in ladders.items()
        for kind, said in (("nulls", ladder.nulls), ("uncovered", ladder.uncovered))
        if said == rule
    ]
