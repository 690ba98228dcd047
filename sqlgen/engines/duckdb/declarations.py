"""CREATE statements, as the engine's catalog spells them: their columns and expressions."""

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

# What DuckDB 1.5 reads back from its log without looking a function up.
_PLAIN = (
    *(exp.Column, exp.Identifier, exp.Literal, exp.Boolean, exp.Null, exp.Paren),
    *(exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.And, exp.Or, exp.Not),
)


def collations(create_table: str) -> dict[str, str] | None:
    """The collation of each column that has one; None where the statement cannot be read.

    >>> collations('CREATE TABLE t("na me" VARCHAR COLLATE NOCASE.NOACCENT, i INTEGER);')
    {'na me': 'NOCASE.NOACCENT'}
    """
    defined = _columns(create_table)
    if defined is None:
        return None
    by_column = {}
    for column in defined:
        for constraint in column.find_all(exp.CollateColumnConstraint):
            by_column[column.name] = constraint.this.sql(dialect="duckdb")
    return by_column


def generated(create_table: str) -> frozenset[str] | None:
    """The columns that are reckoned from others; None where the statement cannot be read.

    >>> sorted(generated("CREATE TABLE t(i INTEGER, j INTEGER GENERATED ALWAYS AS((i + 1)));"))
    ['j']
    """
    defined = _columns(create_table)
    if defined is None:
        return None
    kinds = (exp.GeneratedAsIdentityColumnConstraint, exp.ComputedColumnConstraint)
    return frozenset(column.name for column in defined if column.find(*kinds))


def indexed(create_index: str) -> tuple[frozenset[str], bool] | None:
    """The columns that an index reads, and whether it holds them as they are.

    >>> indexed("CREATE INDEX i ON t(a);") == (frozenset(["a"]), True)
    True
    >>> indexed("CREATE INDEX i ON t((a + 1));") == (frozenset(["a"]), False)
    True
    """
    tree = _parsed(create_index)
    parameters = tree.find(exp.IndexParameters) if tree is not None else None
    if parameters is None:
        return None
    keys = [parameter.this for parameter in parameters.args["columns"]]
    names = frozenset(column.name for key in keys for column in key.find_all(exp.Column))
    return names, all(isinstance(key, exp.Column) for key in keys)


def calls_nothing(expression: str) -> bool:
    """Whether an expression has no function and no arithmetic in it.

    >>> calls_nothing("(age >= 0)"), calls_nothing("nextval('s')"), calls_nothing("(3 + 4)")
    (True, False, False)
    """
    tree = _parsed(f"SELECT {expression}")
    inner = tree.expressions[0] if isinstance(tree, exp.Select) else None
    return inner is not None and all(isinstance(node, _PLAIN) for node in inner.walk())


def _columns(create_table: str) -> list[exp.ColumnDef] | None:
    tree = _parsed(create_table)
    if not isinstance(tree, exp.Create) or not isinstance(tree.this, exp.Schema):
        return None
    return [
        expression for expression in tree.this.expressions if isinstance(expression, exp.ColumnDef)
    ]


def _parsed(text: str) -> exp.Expr | None:
    try:
        return sqlglot.parse_one(text, dialect="duckdb")
    except SqlglotError:
        return None
