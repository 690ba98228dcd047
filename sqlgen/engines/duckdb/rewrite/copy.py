"""A database copied into a fresh file: all that it holds, compared with it, or an error."""

from collections.abc import Sequence
from contextlib import suppress
from graphlib import TopologicalSorter
from pathlib import Path

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import RESERVED, current_schema, fold, has_triggers, triggers_of
from sqlgen.engines.duckdb.declarations import generated
from sqlgen.errors import EngineError
from sqlgen.sql.render import Statement, command, name, quoted_name, sql, statement
from sqlgen.wording import counted

_FRESH = f"{RESERVED}fresh"
# The fresh file is written to its end, and closed.
_DETACH = command("engines/duckdb/rewrite/detach", "DETACH {catalog:ident}", catalog=_FRESH)


class CopyError(EngineError):
    """A database that cannot be copied, with what stands in the way."""


def copy_database(engine: Engine, catalog: str, path: Path, *, empty: bool = False) -> None:
    """Copy a database into a new file, compare the two and close the new one.

    ``empty`` copies and compares its definition, and no row; what would be in the way of the rows
    is noticed all the same.
    """
    # Asked first: a copy that fails inside of DuckDB ends its connection.
    nested = engine.rows(statement("engines/duckdb/rewrite/nested_types", catalog=catalog))
    version = str(
        engine.rows(
            command(
                "engines/duckdb/rewrite/storage",
                "SELECT tags['storage_version'] AS storage_version\n"
                "FROM duckdb_databases()\n"
                "WHERE database_name = {catalog:literal}",
                catalog=catalog,
            )
        )[0][0]
        or ""
    )
    engine.run(_attach(path, version.rstrip("+")))
    try:
        try:
            # What the database declares but its triggers, without rows.
            engine.run(
                command(
                    "engines/duckdb/rewrite/copy",
                    "COPY FROM DATABASE {catalog:ident} TO {fresh:ident} (SCHEMA)",
                    catalog=catalog,
                    fresh=_FRESH,
                )
            )
        except EngineError as error:
            raise CopyError(_reason(nested, error), error.kind) from None
        _copy_rows(engine, catalog, empty=empty)
        _copy_triggers(engine, catalog)
        _verify(engine, catalog, empty=empty)
    except BaseException:
        with suppress(EngineError):
            engine.run(_DETACH)
        raise
    engine.run(_DETACH)


def _attach(path: Path, version: str) -> Statement:
    """The statement that makes the fresh file, in the ``version`` of the old one if it has one."""
    options = sql(" (STORAGE_VERSION {version:literal})", version=version)
    return command(
        "engines/duckdb/rewrite/attach",
        "ATTACH {path:literal} AS {catalog:ident}{options}",
        path=str(path),
        catalog=_FRESH,
        options=options if version else Markup(""),
    )


def _use(schema: Sequence[str]) -> Statement:
    """The statement that says which schema a trigger means where it names none."""
    return command("engines/duckdb/rewrite/use", "USE {schema:name}", schema=schema)


def tables_of(engine: Engine, catalog: str) -> list[tuple[str, ...]]:
    """The full names of the tables of a database."""
    rows = engine.rows(statement("engines/duckdb/rewrite/definitions", catalog=catalog))
    return [tuple(parts) for *parts, _, _ in rows]


def _reason(nested: Sequence[Sequence[str]], error: EngineError) -> str:
    """The obstacle to a copy, if any: DuckDB 2.0.0 may make a type before its parts."""
    if not nested:
        return str(error)
    words = [
        f"{quoted_name([one])} is made of the type {quoted_name([other])}" for one, other in nested
    ]
    return f"DuckDB cannot copy a type that is made of another type: {', '.join(words)}; drop it"


def _copy_rows(engine: Engine, catalog: str, *, empty: bool) -> None:
    """Copy the rows of every table, those first at which the keys of others point.

    COPY FROM DATABASE would name no table where it fails, and DuckDB 1.5 knows no such order.
    """
    tables = {
        (schema, fold(table)): ((database, schema, table), sql, columns)
        for database, schema, table, sql, columns in engine.rows(
            statement("engines/duckdb/rewrite/definitions", catalog=catalog)
        )
    }
    order = TopologicalSorter(dict.fromkeys(tables, ()))
    for schema, table, columns, other in engine.rows(
        statement("engines/duckdb/rewrite/keys", catalog=catalog)
    ):
        if fold(table) == fold(other):
            _check_own_key(engine, (catalog, schema, table), columns)
        else:
            order.add((schema, fold(table)), (schema, fold(other)))
    for key in order.static_order():
        parts, sql, columns = tables[key]
        # Where the definition cannot be read, a column that is reckoned fails to be filled.
        reckoned = generated(sql) or frozenset()
        fill = statement(
            "engines/duckdb/rewrite/fill",
            table=name(parts),
            fresh=name((_FRESH, *parts[1:])),
            columns=[column for column in columns if column not in reckoned],
            empty=empty,
        )
        try:
            engine.run(fill)
        except EngineError as error:
            raise CopyError(_unfilled(parts, error, empty=empty), error.kind) from None


def _check_own_key(engine: Engine, table: Sequence[str], columns: Sequence[str]) -> None:
    """Refuse a table whose rows point at each other: DuckDB checks that before it has them all."""
    if engine.rows(
        statement("engines/duckdb/rewrite/pointing", table=name(table), columns=columns)
    )[0][0]:
        raise CopyError(
            f"DuckDB cannot copy the rows of {quoted_name(table[1:])}, which has a foreign key "
            f"({', '.join(columns)}) that points at itself; make the table without that key"
        )


def _unfilled(table: Sequence[str], error: EngineError, *, empty: bool) -> str:
    """Why the rows of a table cannot be copied; the advice on transactions is about others."""
    words = f"the rows of {quoted_name(table[1:])} cannot be copied"
    if error.kind == "TransactionException":
        return (
            f"{words}: a default of it names the database itself, as in NEXTVAL('{table[0]}.s'); "
            "declare it without the database's name"
            if empty
            else f"{words} ({error.kind}); is the disk full?"
        )
    return f"{words}: {error}"


def _copy_triggers(engine: Engine, catalog: str) -> None:
    """Make the triggers of a database again in its copy, once all rows are there.

    COPY FROM DATABASE leaves them out. What their statements name without a database is that of
    the copy while it is in use.
    """
    if not has_triggers(engine):
        return
    current = current_schema(engine)
    for schema, trigger, table, created in triggers_of(engine, catalog):
        engine.run(_use((_FRESH, "main")))
        try:
            engine.run(Statement("engines/duckdb/rewrite/trigger", created))
        except EngineError as error:
            raise CopyError(
                f"the trigger {quoted_name([trigger])} of {quoted_name([schema, table])} cannot "
                "be made again in a copy of the database; drop it, or make it without the "
                "database's name",
                error.kind,
            ) from None
        finally:
            engine.run(_use(current))


def _verify(engine: Engine, catalog: str, *, empty: bool) -> None:
    """Make sure that a copy holds all that its database does."""
    compared = statement(
        "engines/duckdb/rewrite/lost",
        catalog=catalog,
        fresh=_FRESH,
        triggers=has_triggers(engine),
    )
    lost = engine.rows(compared)[0][0]
    for parts in () if empty else tables_of(engine, catalog):
        fresh = name((_FRESH, *parts[1:]))
        sums = statement("engines/duckdb/rewrite/table_sums", table=name(parts), fresh=fresh)
        lost += not engine.rows(sums)[0][0]
    if lost:
        raise CopyError(f"the copy of the database differs from it in {counted(lost, 'place')}")
