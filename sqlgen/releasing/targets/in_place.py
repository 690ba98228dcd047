"""The swap of a table for its own release: a table of the same definition, built and renamed."""

import re

from markupsafe import Markup

from sqlgen.engines.duckdb.catalog import RESERVED
from sqlgen.engines.duckdb.definition import DefinedColumn, Index
from sqlgen.planning.definition_change import Change
from sqlgen.sql.ddl import comment_on, drop_table, rename_table
from sqlgen.sql.render import Statement, command, commas, name, noted, sql

_BARRIER = f"{RESERVED}barrier"


def barrier_sql(change: Change) -> Statement:
    """The statement that makes rows which others add meanwhile fail, and not vanish."""
    return noted(
        command(
            "releasing/barrier",
            "ALTER TABLE {table} ADD COLUMN {column:ident} BOOLEAN",
            table=change.table,
            column=_BARRIER,
        ),
        "from here on no other connection can add rows, which would be lost",
    )


def define_sql(change: Change, target: Markup) -> Statement:
    """The statement that makes an empty table with the definition that is kept."""
    declarations = [_declaration(column) for column in change.kept.columns]
    declarations += [Markup(constraint.text) for constraint in change.kept.constraints]
    return command(
        "releasing/define",
        "CREATE TABLE {target} (\n  {declarations}\n)",
        target=target,
        declarations=commas(declarations, 2),
    )


def _declaration(column: DefinedColumn) -> Markup:
    """A column as CREATE TABLE declares it."""
    declaration = sql("{name:ident} {type}", name=column.name, type=Markup(column.type))
    if column.collation:
        declaration += sql(" COLLATE {collation}", collation=Markup(column.collation))
    if column.not_null:
        declaration += Markup(" NOT NULL")
    if column.default:
        declaration += sql(" DEFAULT ({default})", default=Markup(column.default))
    return declaration


def drop_sql(change: Change) -> Statement:
    """The statement that drops the source."""
    return noted(drop_table(change.table), "the source goes")


def swap_sql(change: Change) -> list[Statement]:
    """The statements that put the audited release in the place of its source."""
    kept, table = change.kept, change.table
    statements = [
        drop_sql(change),
        rename_table(name(change.scratch_parts), change.parts[2]),
    ]
    schema = change.parts[:2]
    for index in kept.indexes:
        statements.append(_index_sql(index, change))
        if index.comment is not None:
            statements.append(comment_on("INDEX", name((*schema, index.name)), index.comment))
    if kept.comment is not None:
        statements.append(comment_on("TABLE", table, kept.comment))
    statements += [
        comment_on("COLUMN", name((*change.parts, column.name)), column.comment)
        for column in kept.columns
        if column.comment is not None
    ]
    return statements


def read_views_sql(change: Change) -> list[Statement]:
    """The statements that read each view of the table, in the order of ``change.views``."""
    words = "stop here, and undo, if a view cannot work with labels"
    return [noted(_read_view(name(view)), words) for view in change.views]


def _read_view(view: Markup) -> Statement:
    """The statement that reads every value of a view: a hash needs all columns of all rows.

    Labels may be what the view cannot work with, where it bound to values. COUNT(*) needs none.
    """
    return command(
        "releasing/read_view",
        "SELECT MAX(HASH(each)) IS NULL AS is_empty\nFROM {view} AS each",
        view=view,
    )


_IDENTIFIER = r'(?:"(?:[^"]|"")+"|\w+)'
_INDEX = re.compile(
    rf"CREATE (?:UNIQUE )?INDEX {_IDENTIFIER} ON {_IDENTIFIER}(?:\.{_IDENTIFIER})*(?P<keys>.*?);?",
    re.DOTALL,
)


def _index_sql(index: Index, change: Change) -> Statement:
    """The statement that makes an index again, on the table by its full name."""
    match = _INDEX.fullmatch(index.created)
    assert match is not None
    return command(
        "releasing/index",
        "CREATE {kind} {index:ident} ON {table}{keys}",
        kind=Markup("UNIQUE INDEX" if index.is_unique else "INDEX"),
        index=index.name,
        table=change.table,
        keys=Markup(match["keys"]),
    )
