"""The rows to release: opened, found, and compared with the columns that the policy declares."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

from markupsafe import Markup

from sqlgen.engines import DataSource, Engine, is_connection, open_source
from sqlgen.engines.duckdb.catalog import Relation, refuse_our_names, relation, require, temporary
from sqlgen.engines.duckdb.dataframes import check_frame
from sqlgen.engines.duckdb.opening import FRAME
from sqlgen.engines.duckdb.session import check_connection
from sqlgen.errors import EngineError, PolicyError
from sqlgen.policy import Policy, Role, RowWindow
from sqlgen.policy.places import RELATION_KINDS
from sqlgen.sql.expression import is_query
from sqlgen.sql.render import Statement, ident, sql, staging
from sqlgen.staging.row_windows import rows_within

if TYPE_CHECKING:
    import pandas

SOURCE = temporary("source")


@contextmanager
def open_rows(
    policy: Policy,
    given: DataSource | None,
    *,
    write: bool,
    on_statement: Callable[[Statement], None] | None = None,
) -> Iterator[Engine]:
    """The engine that holds the policy's rows: the policy's database, or what was given."""
    if given is None and policy.source.database is None:
        raise PolicyError(f"{policy.where('source')}: name a database, or give a source")
    called = policy.where("source") if is_frame(given) else policy.where("source", "database")
    database: DataSource = (
        given
        if given is not None
        else policy.file(str(policy.source.database), "source", "database")
    )
    with open_source(database, write=write, called=called, on_statement=on_statement) as engine:
        with engine.read():
            check_connection(engine, called, is_callers=is_connection(database))
            refuse_our_names(engine, _made(policy))
            if is_frame(given):
                frame, released = cast("pandas.DataFrame", given), _released_names(policy)
                check_frame(engine, frame, _frame_name(), released, policy.where("source"))
        yield engine


def _made(policy: Policy) -> str | None:
    """The table or view that a release makes in the database, as the policy names it."""
    release = policy.release
    return release.target if release is not None and release.kind in RELATION_KINDS else None


def _released_names(policy: Policy) -> set[str]:
    """The columns that a release holds in some form: all but the identifiers."""
    return {name for name, column in policy.columns.items() if column.role is not Role.IDENTIFIER}


def is_frame(given: DataSource | None) -> bool:
    """Whether the rows came with the call, as a DataFrame."""
    return given is not None and hasattr(given, "columns")


def _frame_name() -> Markup:
    return Markup("temp.main.") + ident(FRAME)


def query_of(policy: Policy, given: DataSource | None) -> Markup | None:
    """The query that gives the rows, for use after FROM; None where they are a table's."""
    if is_frame(given):
        return _frame_name()
    if policy.source.query is None:
        return None
    where = policy.where("source", "query")
    try:
        is_one = is_query(policy.source.query)
    except PolicyError as error:
        raise PolicyError(f"{where}: {error}") from None
    if not is_one:
        raise PolicyError(f"{where}: write one SELECT, and nothing else")
    # The line break ends a comment that the query may end in.
    return Markup("(\n") + Markup(policy.source.query.strip().rstrip(";")) + Markup("\n)")


def source_sql(query: Markup, table: Markup = SOURCE) -> Statement:
    """The statement that stages a query's rows, so that each later one sees the same."""
    rows = sql("SELECT *\nFROM {query} AS query", query=query)
    return staging("staging/source", table, rows)


def read_source(
    engine: Engine,
    policy: Policy,
    given: DataSource | None,
    found: Relation | None = None,
    window: RowWindow | None = None,
) -> Relation:
    """The relation whose rows are released: a table as it is, other rows staged once.

    ``found`` are those rows, where they were found before.
    """
    found = find_source(engine, policy, given, window) if found is None else found
    query = staged_query(policy, found, given, window)
    if query is None:
        return found
    engine.run(source_sql(query))
    return relation(engine, SOURCE, "query")


def staged_query(
    policy: Policy, found: Relation, given: DataSource | None, window: RowWindow | None
) -> Markup | None:
    """The query to stage, so that each later statement sees the same rows; None for a table.

    A view may be another at each reading, as a query may; of a window few rows are read once.
    """
    if window is not None:
        return found.sql
    query = query_of(policy, given)
    return found.sql if query is None and found.kind == "view" else query


def find_source(
    engine: Engine, policy: Policy, given: DataSource | None, window: RowWindow | None = None
) -> Relation:
    """The rows of a policy's source that are in a window, or all, before anything is staged."""
    return in_window(find_whole(engine, policy, given), policy, window)


def in_window(whole: Relation, policy: Policy, window: RowWindow | None) -> Relation:
    """The rows of a source that are in a window; all of them where there is none."""
    if window is None:
        return whole
    return rows_within(whole, window, policy.where("release", "since"))


def find_whole(engine: Engine, policy: Policy, given: DataSource | None) -> Relation:
    """The table, view or query that the policy names."""
    query = query_of(policy, given)
    if query is not None:
        try:
            return relation(engine, query, "query")
        except EngineError as error:
            raise PolicyError(
                f"{policy.where('source', 'query')}: the database cannot run the query, which may "
                f"name a table or column that is not there ({error}). Nothing was changed."
            ) from None
    if policy.source.table is None:
        raise PolicyError(f"{policy.where('source')}: name a table or a query")
    return require(engine, policy.source.table, policy.where("source", "table"))


def check_columns(source: Relation, policy: Policy) -> None:
    """Refuse a source with columns that the policy does not mention, or lacks."""
    for fault in column_faults(source, policy):
        raise fault


def column_faults(source: Relation, policy: Policy) -> list[PolicyError]:
    """The columns that the policy does not mention, and the columns that the source lacks."""
    faults = []
    unlisted = [column for column in source.names if column not in policy.columns]
    if unlisted:
        faults.append(
            PolicyError(
                f"{policy.where('columns')}: the source has columns that the policy does not "
                f"mention: {', '.join(unlisted)}. Give each a role; a column that must not be "
                "released has the role identifier. Nothing was changed."
            )
        )
    faults += [
        PolicyError(
            f"{policy.where('columns', column)}: the source has no column {column}; "
            f"it has {', '.join(source.names)}. Nothing was changed."
        )
        for column in policy.columns
        if column not in source.names
    ]
    return faults
