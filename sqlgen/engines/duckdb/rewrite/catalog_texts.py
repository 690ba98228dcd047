"""Values of the source that the database's catalog tells: in types, defaults, views, comments."""

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import has_triggers, temporary
from sqlgen.sql.render import fragment, name, statement

_NAMED = temporary("named")
# Texts in SQL as the engine spells it, and names that it has to quote.
_TEXTS = "'((?:[^']|'')*)'"
_QUOTED = '"((?:[^"]|"")*)"'


def stage_named(engine: Engine, catalog: str, texts: Markup) -> None:
    """Keep those texts of the source that the catalog holds, to be looked for there again."""
    told = _told(engine, catalog)
    engine.run(statement("engines/duckdb/rewrite/named", table=_NAMED, texts=texts, told=told))


def still_told(engine: Engine, catalog: str) -> tuple[str, ...]:
    """The catalog entries that hold a kept text which no table holds today: kinds and names."""
    tables = [
        (name(parts), columns)
        for *parts, columns in engine.rows(
            statement("engines/duckdb/rewrite/table_columns", catalog=catalog)
        )
    ]
    asked = statement(
        "engines/duckdb/rewrite/still_told",
        named=_NAMED,
        told=_told(engine, catalog),
        tables=tables,
    )
    return tuple(f"{kind} {called.removeprefix('main.')}" for kind, called in engine.rows(asked))


def _told(engine: Engine, catalog: str) -> Markup:
    declared = fragment(
        "engines/duckdb/rewrite/declared", catalog=catalog, triggers=has_triggers(engine)
    )
    return fragment(
        "engines/duckdb/rewrite/told",
        catalog=catalog,
        declared=declared,
        texts=_TEXTS,
        names=_QUOTED,
    )
