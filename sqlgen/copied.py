"""A database copied into a fresh file: all that it holds, compared with it, or an error."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from markupsafe import Markup

from sqlgen.catalog import RESERVED, has_triggers
from sqlgen.engines import Engine
from sqlgen.errors import EngineError
from sqlgen.numbers import counted
from sqlgen.sql.render import fragment, name, quoted_name, statement

_FRESH = f"{RESERVED}fresh"


class CopyError(EngineError):
    """A database that cannot be copied, with what stands in the way."""


def copy_database(engine: Engine, catalog: str, path: Path, *, empty: bool = False) -> None:
    """Copy a database into a new file, compare the two and close the new one.

    ``empty`` copies and compares its definition, and no row.
    """
    # Asked first: a copy that fails inside of DuckDB ends its connection.
    nested = engine.rows(statement("scrub/nested_types", catalog=catalog))
    version = str(engine.rows(statement("scrub/storage", catalog=catalog))[0][0] or "")
    engine.run(
        statement(
            "scrub/attach", path=str(path), catalog=_FRESH, version=version.rstrip("+") or None
        )
    )
    try:
        try:
            engine.run(statement("scrub/copy", catalog=catalog, fresh=_FRESH, empty=empty))
        except EngineError as error:
            raise CopyError(_reason(nested, error), error.kind) from None
        _copy_triggers(engine, catalog)
        _verify(engine, catalog, empty=empty)
    except BaseException:
        with suppress(EngineError):
            engine.run(statement("scrub/detach", catalog=_FRESH))
        raise
    engine.run(statement("scrub/detach", catalog=_FRESH))


def tables_of(engine: Engine, catalog: str) -> list[tuple[str, ...]]:
    """The full names of the tables of a database."""
    return [tuple(each) for each in engine.rows(statement("scrub/tables", catalog=catalog))]


def _reason(nested: Sequence[Sequence[str]], error: EngineError) -> str:
    """What stands in the way of a copy: DuckDB 2.0.0 may make a type before what it is made of."""
    if not nested:
        return str(error)
    words = [
        f"{quoted_name([one])} is made of the type {quoted_name([other])}" for one, other in nested
    ]
    return f"DuckDB cannot copy a type that is made of another type: {', '.join(words)}; drop it"


def _copy_triggers(engine: Engine, catalog: str) -> None:
    """Make the triggers of a database again in its copy, once all rows are there.

    COPY FROM DATABASE leaves them out. What their statements name without a database is that of
    the copy while it is in use.
    """
    if not has_triggers(engine):
        return
    found = engine.rows(statement("catalog/triggers", catalog=catalog))
    current = engine.rows(statement("catalog/current"))[0]
    for schema, trigger, table, created in found:
        engine.run(statement("scrub/use", schema=(_FRESH, "main")))
        try:
            engine.run(statement("scrub/trigger", created=Markup(created)))
        except EngineError as error:
            raise CopyError(
                f"the trigger {quoted_name([trigger])} of {quoted_name([schema, table])} cannot "
                "be made again in a copy of the database; drop it, or make it without the "
                "database's name",
                error.kind,
            ) from None
        finally:
            engine.run(statement("scrub/use", schema=current))


def _verify(engine: Engine, catalog: str, *, empty: bool) -> None:
    """Make sure that a copy holds all that its database does."""
    triggers = has_triggers(engine)
    objects = fragment("scrub/object", catalog=catalog, triggers=triggers)
    copies = fragment("scrub/object", catalog=_FRESH, triggers=triggers)
    lost = engine.rows(statement("scrub/lost", objects=objects, copies=copies))[0][0]
    for parts in () if empty else tables_of(engine, catalog):
        fresh = name((_FRESH, *parts[1:]))
        sums = statement("scrub/table_sums", table=name(parts), fresh=fresh)
        lost += not engine.rows(sums)[0][0]
    if lost:
        raise CopyError(f"the copy of the database differs from it in {counted(lost, 'place')}")
