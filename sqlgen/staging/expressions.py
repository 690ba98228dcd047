"""Expressions of the user's: refused unless the engine's own syntax tree shows them to be pure."""

from collections.abc import Sequence

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.errors import PolicyError
from sqlgen.sql.purity import functions_in, impurities, selects_in
from sqlgen.sql.render import command, statement
from sqlgen.sql.types import Column, Kind


def check_expressions(
    engine: Engine, expressions: Sequence[Markup], column: Column, where: str
) -> None:
    """Refuse expressions over the values of a column that may give one value two answers.

    What is looked at is the text that will run, as the engine reads it: a keyword like session_user
    is a column to other parsers. Functions of the user's own are refused whatever they are called.
    """
    query = f"SELECT {', '.join(map(str, expressions))}"
    ((serialized,),) = engine.rows(
        command(
            "engines/duckdb/syntax",
            "SELECT JSON_SERIALIZE_SQL({query:literal}) AS tree",
            query=query,
        )
    )
    trees = selects_in(serialized)
    if len(trees) != len(expressions):
        raise PolicyError(f"{where}: sql must be one expression over {column.name!r}")
    in_utc = column.kind is Kind.TIMESTAMPTZ
    unknown = {impurity for tree in trees for impurity in impurities(tree, in_utc=in_utc)}
    names = sorted({each for tree in trees for each in functions_in(tree)})
    if names:
        rows = engine.rows(statement("engines/duckdb/unfit_functions", names=names))
        unknown |= {str(row[0]) for row in rows} - ({"timezone"} if in_utc else set())
    if unknown:
        raise PolicyError(
            f"{where}: sql must give the same label each time, on any day and in any session; "
            f"that is not known of {', '.join(sorted(unknown))}. Compute the label in "
            "source.query, or list values and labels in a CSV file. Nothing was changed."
        )
