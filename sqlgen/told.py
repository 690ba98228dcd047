"""Values of the source that the database's catalog tells: in types, defaults, views, comments."""

from markupsafe import Markup

from sqlgen.catalog import has_triggers, temporary
from sqlgen.engines import Engine
from sqlgen.sql.render import fragment, name, statement

_NAMED = temporary("named")
# Texts in SQL as the engine spells it, and names that it has to quote.
_TEXTS = "'((?:[^']|'')*)'"
_QUOTED = '"((?:[^"]|"")*)"'


def stage_named(engine: Engine, catalog: str, texts: Markup) -> None:
    """Keep those texts of the source that the catalog holds, to be looked for there again."""
    told = _told(engine, catalog)
    engine.run(statement("scrub/named", table=_NAMED, texts=texts, told=told))


def still_told(engine: Engine, catalog: str) -> tuple[str, ...]:
    """What in the catalog holds a kept text that no table holds today: kinds and names."""
    tables = [
        (name(parts), columns)
        for *parts, columns in engine.rows(statement("scrub/table_columns", catalog=catalog))
    ]
    asked = statement("scrub/still_told", named=_NAMED, told=_told(engine, catalog), tables=tables)
    return tuple(f"{kind} {called.removeprefix('main.')}" for kind, called in engine.rows(asked))


def _told(engine: Engine, catalog: str) -> Markup:
    declared = fragment("scrub/declared", catalog=catalog, triggers=has_triggers(engine))
    return fragment("scrub/told", catalog=catalog, declared=declared, texts=_TEXTS, names=_QUOTED)
