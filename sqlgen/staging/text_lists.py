"""Ladders of text columns that have lists, staged at once: few statements for any number."""

from collections.abc import Mapping

from sqlgen.engines.duckdb.catalog import Relation
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.sql.render import Statement, statement
from sqlgen.staging.ladders import LEAF, LINE, is_leaf


def at_once(ladders: Mapping[int, Ladder]) -> dict[int, Ladder]:
    """The ladders that are staged at once."""
    return {number: ladder for number, ladder in ladders.items() if is_leaf(ladder)}


def most_levels(ladders: Mapping[int, Ladder]) -> range:
    """The levels below the top of the highest ladder."""
    return range(max(ladder.height for ladder in ladders.values()))


def leaf_sql(source: Relation, ladders: Mapping[int, Ladder]) -> Statement:
    """The statement that stages the leaves of some ladders, each with its label's id per level."""
    return statement(
        "staging/leaf",
        table=LEAF,
        source=source.sql,
        lines=LINE,
        levels=most_levels(ladders)[1:],
        ladders=[(number, ladder.column.plain("source")) for number, ladder in ladders.items()],
        heights=[
            ladders[number].height if number in ladders else 0
            for number in range(1, max(ladders) + 1)
        ],
        tops={
            level: [
                (number, kind, ladders[number].top)
                for number, kind in _that_say("top", ladders)
                if level < ladders[number].height
            ]
            for level in most_levels(ladders)
        },
        drops=_that_say("suppress", ladders),
    )


def _that_say(word: str, ladders: Mapping[int, Ladder]) -> list[tuple[int, str]]:
    """The ladders that say so of NULL, and those that say so of values that no line has."""
    return [
        (number, kind)
        for number, ladder in ladders.items()
        for kind, said in (("nulls", ladder.nulls), ("uncovered", ladder.uncovered))
        if said == word
    ]
