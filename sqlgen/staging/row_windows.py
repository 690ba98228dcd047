"""Windows in SQL: which rows of a source came between two moments, by a column that says when."""

from dataclasses import replace
from datetime import datetime

from markupsafe import Markup

from sqlgen.engines.duckdb.catalog import Relation
from sqlgen.errors import PolicyError
from sqlgen.policy import RowWindow
from sqlgen.sql.render import fragment, sql
from sqlgen.sql.types import Column, Kind

_TYPES = {
    Kind.DATE: ("DATE", "%Y-%m-%d"),
    Kind.TIMESTAMP: ("TIMESTAMP", "%Y-%m-%d %H:%M:%S"),
    Kind.TIMESTAMPTZ: ("TIMESTAMP WITH TIME ZONE", "%Y-%m-%d %H:%M:%S+00"),
}


def says_when(source: Relation, name: str) -> bool:
    """Whether a source has a column that can say when a row came."""
    return name in source.names and source.column(name).kind in _TYPES


def time_column(source: Relation, name: str, where: str) -> Column:
    """The column that says when a row came; refused where it cannot say that."""
    if name not in source.names:
        raise PolicyError(f"{where}: the source has no column {name}. Nothing was changed.")
    column = source.column(name)
    if column.kind not in _TYPES:
        raise PolicyError(
            f"{where}: {name} must be a DATE, a TIMESTAMP or a TIMESTAMP WITH TIME ZONE in the "
            f"source, to say when a row came; it is {column.type}. Nothing was changed."
        )
    return column


def within_sql(column: Column, window: RowWindow, table: str = "source") -> Markup:
    """Whether a row is in a window: times without a zone are read in UTC."""
    spelled, form = _TYPES[column.kind]
    return fragment(
        "staging/window_within",
        table=table,
        column=column.name,
        type=Markup(spelled),
        day=column.kind is Kind.DATE,
        after=window.after.strftime(form) if window.after is not None else None,
        until=window.until.strftime(form),
    )


def length(column: Column, window: RowWindow) -> int:
    """How long a window is, in seconds or, by days, in days; 0 where it has no beginning."""
    if window.after is None:
        return 0
    if column.kind is Kind.DATE:
        return (window.until.date() - window.after.date()).days
    return int((window.until - window.after).total_seconds())


def rows_within(source: Relation, window: RowWindow, where: str) -> Relation:
    """The rows of a source that are in a window; the source's own names stay known."""
    column = time_column(source, window.column, where)
    rows = sql(
        "(\n  SELECT *\n  FROM {source} AS source\n  WHERE {within}\n)",
        source=source.sql,
        within=within_sql(column, window),
    )
    return replace(source, sql=rows, kind="query")


def spelled(moment: datetime) -> str:
    """A moment as people, the ledger and SQL read it."""
    return moment.strftime("%Y-%m-%d %H:%M:%S")
