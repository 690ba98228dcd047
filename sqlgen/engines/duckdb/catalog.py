"""The catalog of a database: tables, views and files, by full name, with their columns."""

import json
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.errors import EngineError, PolicyError, RefusedError
from sqlgen.files.hive import is_set, keys_of
from sqlgen.sql.names import parse_name
from sqlgen.sql.render import command, fragment, ident, name, quoted_name, sql, statement
from sqlgen.sql.types import Column, without_enums

RESERVED = "sqlgen_"
# What temporary tables of ours are called, but for numbers at the end.
STAGED = (
    *("source", "whole", "coarse", "ladder", "label", "cell", "value_cell", "wide_cell", "kept"),
    *("line", "leaf"),
    *("reference", "people", "lookup", "audit", "released", "partitions", "check_cell"),
    *("shown_cell", "shown_leaf", "shown_label", "joint_shown", "joint_cell", "joint_class"),
    *("joint_label", "joint_value", "joint_held", "joint_met", "joint_signature", "joint_rung"),
    *("joint_roll", "joint_rolled", "joint_version", "joint_changed", "joint_change"),
    *("joint_held_together", "joint_counted_together", "replaced"),
    *("probe", "found"),
)
_NUMBERS = r"(_[a-z]?\d+)*"
# What stands before a view's query, its own name and its columns' among it.
VIEW_HEAD = (
    r"""^CREATE (TEMP(ORARY)? )?VIEW ([^"\s(]|"([^"]|"")*")+ ?(\(([^"()]|"([^"]|"")*")*\) ?)?AS """
)
LABELS = "sqlgen: labels of the view "

# Identifiers are folded in ASCII alone; LOWER would take É for é.
FOLDING = {"upper": ascii_uppercase, "lower": ascii_lowercase}


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


def fold(part: str) -> str:
    """A part of a name as the engine compares it."""
    return part.translate(str.maketrans(ascii_uppercase, ascii_lowercase))


def find(engine: Engine, text: str) -> Relation | None:
    """The table or view of that name, fully qualified, with its columns; None where there is none.

    Fully qualified, for a temporary table of the same name would shadow the one that was meant.
    """
    found = locate(engine, text)
    return found and relation(engine, found.sql, found.kind, found.parts)


def locate(engine: Engine, text: str) -> Relation | None:
    """The table or view of that name as ``find`` gives it, but without its columns."""
    folded = [fold(part) for part in parse_name(text)]
    catalog, schema, table = (None, None, *folded)[-3:]
    rows = engine.rows(
        statement(
            "engines/duckdb/find",
            catalog=catalog,
            schema=schema,
            table=table,
            reserved=RESERVED,
            **FOLDING,
        )
    )
    if not rows:
        return None
    *parts, kind = (str(part) for part in rows[0])
    return Relation(name(parts), kind, (), tuple(parts))


def read_by(engine: Engine, read: Markup) -> frozenset[tuple[str, str]]:
    """The tables and table functions that the engine would read for a relation.

    Pairs of ("table", full name) or ("function", name), through whatever views and macros.
    """
    plan = json.loads(engine.rows(statement("engines/duckdb/explain", relation=read))[0][1])
    found: set[tuple[str, str]] = set()
    nodes = list(plan)
    while nodes:
        node = nodes.pop()
        told = node.get("extra_info") or {}
        if isinstance(told, dict):
            found |= {(key.lower(), str(told[key])) for key in ("Table", "Function") if key in told}
        nodes += node.get("children", [])
    return frozenset(found)


def database_files(engine: Engine) -> list[Path]:
    """The files of the databases that the connection has open."""
    return [Path(str(row[0])) for row in engine.rows(statement("engines/duckdb/databases"))]


def find_marked(engine: Engine, mark: str, catalog: str, schema: str) -> list[Relation]:
    """The tables of a schema that carry a mark of ours."""
    folded = {"catalog": fold(catalog), "schema": fold(schema)}
    rows = engine.rows(statement("engines/duckdb/marked", mark=mark, **folded, **FOLDING))
    return [Relation(name(parts), "table", (), tuple(parts)) for parts in rows]


def current_catalog(engine: Engine) -> str:
    """The database that a connection is in."""
    return full_name(engine, RESERVED)[0]


def full_name(engine: Engine, text: str) -> tuple[str, ...]:
    """The full name of a table on a connection: parts that are left out are the current ones."""
    written = parse_name(text)
    if len(written) == 3:
        return tuple(written)
    current = engine.rows(statement("engines/duckdb/current"))[0]
    return (*map(str, current[: 3 - len(written)]), *written)


def has_triggers(engine: Engine) -> bool:
    """Whether the engine knows triggers."""
    return bool(
        engine.rows(
            command(
                "engines/duckdb/has_triggers",
                "SELECT COUNT(*) > 0 AS has_triggers\n"
                "FROM duckdb_functions()\n"
                "WHERE function_name = 'duckdb_triggers'",
            )
        )[0][0]
    )


def labels_mark(view: str) -> str:
    """The mark of the tables that hold the labels of a view of ours."""
    return f"{LABELS}{quoted_name([fold(view)])}"


def schema_exists(engine: Engine, catalog: str, schema: str) -> bool:
    """Whether a schema is there."""
    folded = {"catalog": fold(catalog), "schema": fold(schema)}
    rows = engine.rows(statement("engines/duckdb/schema", **folded, **FOLDING))
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
    rows = engine.rows(statement("engines/duckdb/columns", relation=sql))
    # What is read here is shown and locked, and an enum's type spells out its values.
    columns = tuple(Column(column, without_enums(spelled)) for column, spelled in rows)
    return Relation(sql, kind, columns, parts)


def file_relation(engine: Engine, path: Path, kind: str, where: str) -> Relation:
    """A Parquet or CSV file as a relation; every column of a CSV file is text.

    A folder of Parquet files is one too, if the files hold the columns that its folders are called
    by: how those are spelled in a folder's name does not tell their types.
    """
    # A release stands behind the links to it, where it was published.
    path = Path(os.path.realpath(path))
    in_folders = kind == "parquet" and path.is_dir()
    if not path.is_file() and not in_folders:
        raise PolicyError(f"{where}: there is no such file")
    unread = PolicyError(f"{where}: the file cannot be read as {kind}")
    if in_folders and not is_set(path):
        raise unread
    try:
        sql = (
            parquet_folder(path)
            if in_folders
            else fragment(f"engines/duckdb/{kind}_file", path=str(path))
        )
        found = relation(engine, sql, kind)
    except EngineError:
        raise unread from None
    if in_folders and not keys_of(path) <= {*found.names}:
        raise PolicyError(
            f"{where}: the files in the folder lack columns that it is partitioned by; make a view "
            "that reads them, and give that as --table"
        )
    return found


def parquet_folder(folder: Path) -> Markup:
    """The files of a partitioned Parquet set, to stand after FROM."""
    return sql(
        "READ_PARQUET({files:literal}, hive_partitioning = FALSE)",
        files=str(folder / "**" / "*.parquet"),
    )


def typed(text: Relation, columns: Sequence[Column]) -> Relation:
    """A file of text with some columns in their own types: '10' is more than '9' again."""
    types = {column.name: column.type for column in columns if not column.is_text}
    if not types:
        return text
    sql = fragment(
        "engines/duckdb/typed",
        relation=text.sql,
        columns=[
            {"name": name, "type": Markup(types[name]) if name in types else None}
            for name in text.names
        ],
    )
    made = [Column(each.name, types.get(each.name, each.type)) for each in text.columns]
    return Relation(sql, text.kind, tuple(made), text.parts)


def refuse_our_names(engine: Engine, target: str | None = None) -> None:
    """Refuse a connection where a table or view has a name that we stage under; ``target`` as well.

    A temporary one would be dropped. Any other would not be found while ours is there: by a view, a
    macro or the policy's ``query``, even if they say main.name.
    """
    pattern = f"{RESERVED}({'|'.join(STAGED)}){_NUMBERS}"
    taken = [str(row[0]) for row in engine.rows(statement("engines/duckdb/ours", pattern=pattern))]
    if target is not None and re.fullmatch(pattern, fold(target.split(".")[-1].strip('"'))):
        taken.append(target)
    if taken:
        raise RefusedError(
            f"{', '.join(taken)}: names like this are kept for staging. Rename what has one, and "
            "run again. Nothing was changed."
        )


def unused_name(taken: Iterable[str], wanted: str) -> str:
    """A column's name that is none of those taken, whatever the case."""
    others = {fold(name) for name in taken}
    while wanted in others:
        wanted += "_"
    return wanted


def temporary(table: str) -> Markup:
    """A temporary table of our own."""
    assert re.sub(f"{_NUMBERS}$", "", table) in STAGED, table
    return Markup("temp.main.") + ident(RESERVED + table)
