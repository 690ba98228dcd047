"""Users' own SQL, parsed before it is used: what was checked is what runs.

sqlglot is imported where it parses something: most policies hold no SQL, and to import it takes a
tenth of the time of a command on a small table.
"""

import re
from typing import TYPE_CHECKING

from markupsafe import Markup

from sqlgen.errors import PolicyError

if TYPE_CHECKING:
    from sqlglot import exp


def label_expression(text: str, column: str, in_utc: bool = False) -> Markup:
    """An expression over ``value``, from one that the user wrote over the column's name.

    >>> print(label_expression("left(zip, 3)", "zip"))
    CAST((LEFT("value", 3)) AS TEXT)
    """
    try:
        return _label_expression(text, column, in_utc)
    except RecursionError:
        raise PolicyError("sql nests too deeply; write it with fewer parentheses") from None


def _label_expression(text: str, column: str, in_utc: bool) -> Markup:
    import sqlglot  # noqa: PLC0415
    from sqlglot import exp  # noqa: PLC0415
    from sqlglot.errors import SqlglotError  # noqa: PLC0415

    forbidden = (exp.Query, exp.AggFunc, exp.Window, exp.Star, exp.Placeholder)
    try:
        parsed = [tree for tree in sqlglot.parse(text, dialect="duckdb") if tree is not None]
    except SqlglotError:
        parsed = []
    if len(parsed) != 1 or isinstance(parsed[0], (exp.Query, exp.DDL, exp.DML, exp.Command)):
        raise PolicyError(f"sql must be one expression over {column!r}; found {text!r}")
    tree = parsed[0]
    for node in tree.walk():
        if isinstance(node, forbidden) or type(node).__name__ in ("Columns", "PositionalColumn"):
            raise PolicyError(
                "sql must be a plain expression, without subquery, aggregate or window; "
                f"found {text!r}"
            )
    for reference in list(tree.find_all(exp.Column)):
        if reference.table or reference.name.lower() != column.lower():
            raise PolicyError(f"sql may name the column {column!r} alone; found {reference.name!r}")
    value = exp.column("value", quoted=True).sql(dialect="duckdb")
    if in_utc:
        # The session's time zone must not move a row to another class.
        value = f"({value} AT TIME ZONE 'UTC')"
    bound = tree.transform(
        lambda node: (
            sqlglot.parse_one(value, dialect="duckdb") if isinstance(node, exp.Column) else node
        )
    )
    label = exp.cast(exp.paren(bound), "text").sql(dialect="duckdb", comments=False)
    return Markup(label)


def is_query(text: str) -> bool:
    """Whether a text is one query and nothing else."""
    return _query(text) is not None


def texts_of(query: str) -> list[str]:
    """The texts and table names in a query; each may name a file that the query reads."""
    tree = _query(query)
    if tree is None:
        return []
    from sqlglot import exp  # noqa: PLC0415

    literals = [literal.name for literal in tree.find_all(exp.Literal) if literal.is_string]
    return literals + [literal.name for literal in tree.find_all(exp.Table)]


def _query(text: str) -> "exp.Query | None":
    # What is no query by its first word is not parsed: sqlglot would log the text it falls back on.
    begins = re.match(r"(?:\s|--[^\n]*\n|/\*.*?\*/|\()*(\w+)", text, re.DOTALL)
    if begins is None or begins[1].upper() not in ("SELECT", "WITH", "FROM", "VALUES"):
        return None
    import sqlglot  # noqa: PLC0415
    from sqlglot import exp  # noqa: PLC0415
    from sqlglot.errors import SqlglotError  # noqa: PLC0415

    try:
        parsed = [tree for tree in sqlglot.parse(text, dialect="duckdb") if tree is not None]
    except SqlglotError:
        return None
    except RecursionError:
        raise PolicyError("the query nests too deeply; make a view of its inner part") from None
    return parsed[0] if len(parsed) == 1 and isinstance(parsed[0], exp.Query) else None
