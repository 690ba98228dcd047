"""Users' own SQL, parsed before it is used: what was checked is what runs."""

import re

import sqlglot
from markupsafe import Markup
from sqlglot import exp
from sqlglot.errors import SqlglotError

from sqlgen.errors import PolicyError

# A label must depend on the value alone, or the same row would change its class from run to run.
_CHANGING = frozenset(
    [
        "random",
        "rand",
        "uuid",
        "gen_random_uuid",
        "uuidv4",
        "uuidv7",
        "now",
        "today",
        "current_date",
        "current_time",
        "current_timestamp",
        "get_current_time",
        "get_current_timestamp",
        "localtime",
        "localtimestamp",
        "transaction_timestamp",
        "txid_current",
        "nextval",
        "currval",
        "getvariable",
        "getenv",
        "current_setting",
    ]
)


_FORBIDDEN = (exp.Query, exp.AggFunc, exp.Window, exp.Star, exp.Placeholder)


def label_expression(text: str, column: str, in_utc: bool = False) -> Markup:
    """An expression over ``value``, from one that the user wrote over the column's name.

    >>> print(label_expression("left(zip, 3)", "zip"))
    CAST((LEFT("value", 3)) AS TEXT)
    """
    try:
        parsed = [tree for tree in sqlglot.parse(text, dialect="duckdb") if tree is not None]
    except SqlglotError:
        parsed = []
    if len(parsed) != 1 or isinstance(parsed[0], (exp.Query, exp.DDL, exp.DML, exp.Command)):
        raise PolicyError(f"sql must be one expression over {column!r}; found {text!r}")
    tree = parsed[0]
    for node in tree.walk():
        if isinstance(node, _FORBIDDEN) or type(node).__name__ in ("Columns", "PositionalColumn"):
            raise PolicyError(
                "sql must be a plain expression, without subquery, aggregate or window; "
                f"found {text!r}"
            )
        if isinstance(node, exp.Func) and (_function(node) in _CHANGING or _is_todays_age(node)):
            raise PolicyError(f"sql must give the same label each time; found {text!r}")
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
    # Once more on what will run: UTC_TIMESTAMP() is written CURRENT_TIMESTAMP.
    bare = re.sub(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"", "", label)
    if _CHANGING & {word.lower() for word in re.findall(r"[A-Za-z_]\w*", bare)}:
        raise PolicyError(f"sql must give the same label each time; found {text!r}")
    return Markup(label)


def is_query(text: str) -> bool:
    """Whether a text is one query and nothing else."""
    return _query(text) is not None


def texts_of(query: str) -> list[str]:
    """The texts and table names in a query, any of which may name a file that it reads."""
    tree = _query(query)
    if tree is None:
        return []
    literals = [each.name for each in tree.find_all(exp.Literal) if each.is_string]
    return literals + [each.name for each in tree.find_all(exp.Table)]


def _query(text: str) -> exp.Query | None:
    # What is no query by its first word is not parsed: sqlglot would log the text it falls back on.
    begins = re.match(r"(?:\s|--[^\n]*\n|/\*.*?\*/|\()*(\w+)", text, re.DOTALL)
    if begins is None or begins[1].upper() not in ("SELECT", "WITH", "FROM", "VALUES"):
        return None
    try:
        parsed = [tree for tree in sqlglot.parse(text, dialect="duckdb") if tree is not None]
    except SqlglotError:
        return None
    return parsed[0] if len(parsed) == 1 and isinstance(parsed[0], exp.Query) else None


def functions_in(label: Markup) -> list[str]:
    """The names in an expression that may be functions, lower-case."""
    names = re.findall(r'([A-Za-z_]\w*)\s*\(|"((?:[^"]|"")+)"\s*\(', label)
    return sorted({(bare or quoted.replace('""', '"')).lower() for bare, quoted in names})


def _is_todays_age(node: exp.Func) -> bool:
    """AGE of one date is counted up to today."""
    return _function(node) == "age" and len(node.expressions) == 1


def _function(node: exp.Func) -> str:
    name = node.name if isinstance(node, exp.Anonymous) else node.sql_name()
    return name.lower()
