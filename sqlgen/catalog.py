"""What stands in a database: tables, views and files, by full name, with their columns."""

from dataclasses import dataclass
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.errors import EngineError, PolicyError, RefusedError
from sqlgen.hierarchies.listed import parse_name
from sqlgen.sql.render import fragment, ident, name, statement
from sqlgen.sql.types import Column, without_enums

RESERVED = "sqlgen_"

_FOLDED = str.maketrans(ascii_uppercase, ascii_lowercase)


@dataclass(frozen=True)
class Relation:
    """Something that can stand after FROM: its SQL, what kind of thing it is, its columns."""

    sql: Markup
    kind: str
    columns: tuple[Column, ...]
    parts: tuple[str, ...] = ()

    def column(self, wanted: str) -> Column:
        """The column of that name."""
        return next(column for column in self.columns if column.name == wanted)

    @property
    def names(self) -> tuple[str, ...]:
        """The columns' names, in order."""
        return tuple(column.name for column in self.columns)


def find(engine: Engine, text: str) -> Relation | None:
    """The table or view of that name, fully qualified, or None.

    Fully qualified, for a temporary table of the same name would shadow the one that was meant.
    """
    folded = [part.translate(_FOLDED) for part in parse_name(text)]
    catalog, schema, table = (None, None, *folded)[-3:]
    rows = engine.rows(
        statement(
            "catalog/find",
            catalog=catalog,
            schema=schema,
            table=table,
            upper=ascii_uppercase,
            lower=ascii_lowercase,
        )
    )
    if not rows:
        return None
    *parts, kind = (str(part) for part in rows[0])
    return relation(engine, name(parts), kind, tuple(parts))


def find_marked(engine: Engine, mark: str) -> list[Relation]:
    """The tables that carry a mark of ours."""
    rows = engine.rows(statement("catalog/marked", mark=mark))
    return [Relation(name(parts), "table", (), tuple(parts)) for parts in rows]


def schema_exists(engine: Engine, catalog: str, schema: str) -> bool:
    """Whether a schema is there."""
    folded = {"catalog": catalog.translate(_FOLDED), "schema": schema.translate(_FOLDED)}
    rows = engine.rows(
        statement("catalog/schema", **folded, upper=ascii_uppercase, lower=ascii_lowercase)
    )
    return bool(rows[0][0])


def require(engine: Engine, text: str, where: str) -> Relation:
    """The table or view of that name, or an error that says where it was asked for."""
    try:
        found = find(engine, text)
    except ValueError as error:
        raise PolicyError(f"{where}: {error}") from None
    if found is None:
        raise PolicyError(f"{where}: the database has no table or view {text}")
    return found


def relation(engine: Engine, sql: Markup, kind: str, parts: tuple[str, ...] = ()) -> Relation:
    """Anything that can stand after FROM, with its columns as the engine describes them."""
    rows = engine.rows(statement("catalog/columns", relation=sql))
    # What is read here is shown and locked, and an enum's type spells out its values.
    columns = tuple(Column(column, without_enums(spelled)) for column, spelled in rows)
    return Relation(sql, kind, columns, parts)


def file_relation(engine: Engine, path: Path, kind: str, where: str) -> Relation:
    """A Parquet or CSV file as a relation; every column of a CSV file is text."""
    if not path.is_file():
        raise PolicyError(f"{where}: there is no such file")
    try:
        return relation(engine, fragment(f"catalog/{kind}_file", path=str(path)), kind)
    except EngineError:
        raise PolicyError(f"{where}: the file cannot be read as {kind}") from None


def refuse_our_names(engine: Engine) -> None:
    """Refuse a connection with a temporary table that has a name of ours: it would be dropped."""
    rows = engine.rows(statement("catalog/temporaries", prefix=RESERVED))
    if rows:
        named = ", ".join(str(row[0]) for row in rows)
        raise RefusedError(
            f"the connection has temporary tables called {named}; names with {RESERVED} are kept "
            "for staging. Drop them and run again. Nothing was changed."
        )


def temporary(table: str) -> Markup:
    """A temporary table of our own."""
    return Markup("temp.main.") + ident(RESERVED + table)
