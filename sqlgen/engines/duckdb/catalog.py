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
from sqlgen.sql.names import folded, parse_name
from sqlgen.sql.render import (
    Statement,
    command,
    commas,
    ident,
    literal,
    name,
    quoted_name,
    sql,
    statement,
)
from sqlgen.sql.types import Column, without_enums

RESERVED = "sqlgen_"
# What temporary tables of ours are called, but for numbers at the end.
STAGED = (
    *("source", "whole", "coarse", "ladder", "label", "cell", "value_cell", "wide_cell", "kept"),
    *("line", "leaf"),
    *("reference", "people", "lookup", "audit", "released", "partitions", "check_cell"),
    *("shown_place", "shown_span", "shown_span_label", "shown_span_value"),
    *("shown_cell", "shown_leaf", "shown_label", "joint_shown", "joint_cell", "joint_class"),
    *("joint_label", "joint_value", "joint_held", "joint_met", "joint_signature", "joint_rung"),
    *("joint_roll", "joint_rolled", "joint_version", "joint_changed", "joint_change"),
    *("joint_held_together", "joint_counted_together", "joint_region_source", "replaced"),
    *("probe", "found"),
    *("rung", "region", "region_cell", "region_label", "region_reference", "region_value"),
    *("region_shown", "region_class", "region_taken", "region_tree", "region_print"),
    *("region_kept", "layer", "finer", "rest", "split"),
    *("group_value", "group_key", "group_cell", "group_row", "group_number", "group_deal"),
    *("pair_value", "pair_alike"),
    *("cut_place", "cut_cell", "cut_region", "cut_candidate", "cut", "cut_left", "cut_extent"),
    *("cut_member", "cut_span", "cut_average", "cut_shown", "own_label"),
    *("own_leaf", "alike_cell", "alike_step", "alike_best", "alike_group", "alike_judged"),
    *("group_part", "alike_row"),
    *("own_leaf", "own_span", "kept_place"),
)
_NUMBERS = r"(_[a-z]?\d+)*"
# What stands before a view's query, its own name and its columns' among it.
VIEW_HEAD = (
    r"""^CREATE (TEMP(ORARY)? )?VIEW ([^"\s(]|"([^"]|"")*")+ ?(\(([^"()]|"([^"]|"")*")*\) ?)?AS """
)
LABELS = "sqlgen: labels of the view "
# Where a name is looked for that says no database, and one that says no schema either.
_CURRENT_CATALOG = Markup("table_catalog = CURRENT_DATABASE()")
_CURRENT_SCHEMA = Markup(
    "(table_catalog = 'temp' OR (table_catalog = CURRENT_DATABASE() "
    "AND table_schema = CURRENT_SCHEMA()))"
)

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
    return folded(part)


def is_named(column: str, part: str) -> Markup:
    """Whether a column of the catalog holds a part of a name, however its letters are cased.

    Letters are folded as identifiers are: KK and kk are one database.
    """
    return sql(
        "TRANSLATE({column}, {upper:literal}, {lower:literal}) = {part:literal}",
        column=Markup(column),
        part=fold(part),
        **FOLDING,
    )


def find(engine: Engine, text: str) -> Relation | None:
    """The table or view of that name, fully qualified, with its columns; None where there is none.

    Fully qualified, for a temporary table of the same name would shadow the one that was meant.
    """
    found = locate(engine, text)
    return found and relation(engine, found.sql, found.kind, found.parts)


def locate(engine: Engine, text: str) -> Relation | None:
    """The table or view of that name as ``find`` gives it, but without its columns."""
    *around, table = parse_name(text)
    conditions = [is_named("table_name", table)]
    if around:
        conditions.append(is_named("table_schema", around[-1]))
    if len(around) > 1:
        conditions.append(is_named("table_catalog", around[0]))
    else:
        conditions.append(_CURRENT_CATALOG if around else _CURRENT_SCHEMA)
    rows = engine.rows(statement("engines/duckdb/find", conditions=conditions, reserved=RESERVED))
    if not rows:
        return None
    *parts, kind = (str(part) for part in rows[0])
    return Relation(name(parts), kind, (), tuple(parts))


def read_by(engine: Engine, read: Markup) -> frozenset[tuple[str, str]]:
    """The tables and table functions that the engine would read for a relation.

    Pairs of ("table", full name) or ("function", name), through whatever views and macros.
    """
    explained = command(
        "engines/duckdb/explain", "EXPLAIN (FORMAT json) SELECT * FROM {relation}", relation=read
    )
    plan = json.loads(engine.rows(explained)[0][1])
    reads: set[tuple[str, str]] = set()
    nodes = list(plan)
    while nodes:
        node = nodes.pop()
        extra = node.get("extra_info") or {}
        if isinstance(extra, dict):
            reads |= {
                (key.lower(), str(extra[key])) for key in ("Table", "Function") if key in extra
            }
        nodes += node.get("children", [])
    return frozenset(reads)


def database_files(engine: Engine) -> list[Path]:
    """The files of the databases that the connection has open."""
    asked = command(
        "engines/duckdb/databases",
        "SELECT path\nFROM duckdb_databases()\nWHERE path IS NOT NULL\nORDER BY path ASC",
    )
    return [Path(str(row[0])) for row in engine.rows(asked)]


def database_file(engine: Engine, catalog: str) -> tuple[str | None, bool]:
    """The file of a database, None where it is in memory, and whether it is read-only."""
    asked = command(
        "engines/duckdb/database",
        "SELECT MAX(path) AS path, COALESCE(BOOL_OR(readonly), FALSE) AS is_readonly\n"
        "FROM duckdb_databases()\n"
        "WHERE {is_named}",
        is_named=is_named("database_name", catalog),
    )
    path, is_readonly = engine.rows(asked)[0]
    return None if path is None else str(path), is_readonly


def all_views(engine: Engine) -> list[tuple[str, ...]]:
    """The full names of a connection's views: temporary ones and those of every database."""
    asked = command(
        "engines/duckdb/views",
        "SELECT database_name, schema_name, view_name\n"
        "FROM duckdb_views()\n"
        "WHERE NOT internal\n"
        "ORDER BY database_name ASC, schema_name ASC, view_name ASC",
    )
    return [tuple(str(part) for part in row) for row in engine.rows(asked)]


def find_marked(engine: Engine, mark: str, catalog: str, schema: str) -> list[Relation]:
    """The tables of a schema that carry a mark of ours."""
    return [
        labels
        for labels, comment in _tables_marked(engine, mark, catalog)
        if comment == mark and fold(labels.parts[1]) == fold(schema)
    ]


def find_labels(engine: Engine, catalog: str) -> list[Relation]:
    """The tables that hold labels of any view of ours, whatever their names and its name are."""
    return [labels for labels, _ in _tables_marked(engine, LABELS, catalog)]


def _tables_marked(engine: Engine, mark: str, catalog: str) -> list[tuple[Relation, str]]:
    """The tables of a database whose comment begins with a mark, each with its comment."""
    rows = engine.rows(
        statement("engines/duckdb/marked", mark=mark, in_catalog=is_named("database_name", catalog))
    )
    return [(Relation(name(parts), "table", (), tuple(parts)), comment) for *parts, comment in rows]


def current_catalog(engine: Engine) -> str:
    """The database that a connection is in."""
    return full_name(engine, RESERVED)[0]


def full_name(engine: Engine, text: str) -> tuple[str, ...]:
    """The full name of a table on a connection: parts that are left out are the current ones."""
    written = parse_name(text)
    if len(written) == 3:
        return tuple(written)
    return (*current_schema(engine)[: 3 - len(written)], *written)


def current_schema(engine: Engine) -> tuple[str, str]:
    """The database and the schema in which an unqualified name would be made."""
    catalog, schema = engine.rows(
        command(
            "engines/duckdb/current",
            "SELECT CURRENT_DATABASE() AS catalog, CURRENT_SCHEMA() AS schema",
        )
    )[0]
    return str(catalog), str(schema)


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


def triggers_of(engine: Engine, catalog: str) -> list[tuple[str, ...]]:
    """The triggers of a database, in the order in which they were made.

    Of each its schema, its name, its table, and the statement that made it.
    """
    asked = command(
        "engines/duckdb/triggers",
        "SELECT schema_name, trigger_name, table_name, sql\n"
        "FROM duckdb_triggers()\n"
        "WHERE database_name = {catalog:literal}\n"
        "ORDER BY trigger_oid ASC",
        catalog=catalog,
    )
    return [tuple(row) for row in engine.rows(asked)]


def labels_mark(view: str) -> str:
    """The mark of the tables that hold the labels of a view of ours."""
    return f"{LABELS}{quoted_name([fold(view)])}"


def schema_exists(engine: Engine, catalog: str, schema: str) -> bool:
    """Whether a schema is there."""
    asked = command(
        "engines/duckdb/schema",
        "SELECT COUNT(*) AS schema_count\n"
        "FROM information_schema.schemata\n"
        "WHERE {in_catalog}\n"
        "  AND {has_name}",
        in_catalog=is_named("catalog_name", catalog),
        has_name=is_named("schema_name", schema),
    )
    return bool(engine.rows(asked)[0][0])


def require(engine: Engine, text: str, where: str) -> Relation:
    """The table or view of that name, or an error that says where it was asked for."""
    try:
        named = find(engine, text)
    except ValueError as error:
        raise PolicyError(f"{where}: {error}") from None
    if named is None:
        raise PolicyError(f"{where}: the database has no table or view {text}")
    return named


def relation(engine: Engine, sql: Markup, kind: str, parts: tuple[str, ...] = ()) -> Relation:
    """Anything that can stand after FROM, with its columns as the engine describes them."""
    rows = engine.rows(describe(sql))
    # What is read here is shown and locked, and an enum's type spells out its values.
    columns = tuple(Column(column, without_enums(spelled)) for column, spelled in rows)
    return Relation(sql, kind, columns, parts)


def object_number(kind: str, parts: Sequence[str]) -> Markup:
    """The engine's own number of a table or view, which a replacement does not share.

    NULL where nothing has the name.
    """
    catalog, schema, called = parts
    return sql(
        "(SELECT MAX({kind}_oid) FROM duckdb_{kind}s() "
        "WHERE {in_catalog} AND {in_schema} AND {has_name})",
        kind=Markup(kind),
        in_catalog=is_named("database_name", catalog),
        in_schema=is_named("schema_name", schema),
        has_name=is_named(f"{kind}_name", called),
    )


def describe(relation: Markup) -> Statement:
    """The statement that gives the columns of a relation and their types, and reads no row."""
    return command(
        "engines/duckdb/columns",
        "SELECT column_name, column_type\nFROM (DESCRIBE SELECT * FROM {relation})",
        relation=relation,
    )


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
        sql = csv_file(path) if kind == "csv" else parquet_files(path, in_folders=in_folders)
        file = relation(engine, sql, kind)
    except EngineError:
        raise unread from None
    if in_folders and not keys_of(path) <= {*file.names}:
        raise PolicyError(
            f"{where}: the files in the folder lack columns that it is partitioned by; make a view "
            "that reads them, and give that as --table"
        )
    return file


def parquet_files(path: Path, *, in_folders: bool) -> Markup:
    """A Parquet file, or those of a partitioned set, to stand after FROM.

    The folders that they are in are no columns: a partitioned set has those in its files too.
    """
    files = path / "**" / "*.parquet" if in_folders else path
    return sql("READ_PARQUET({files:literal}, hive_partitioning = FALSE)", files=str(files))


def csv_file(path: Path, written: Sequence[Markup] = ()) -> Markup:
    """A CSV file with a header as text, to stand after FROM; with how it was ``written``, if by us.

    Nothing is guessed, and NULL and "" are two.
    """
    options = [
        *("header = TRUE", "all_varchar = TRUE", "delim = ','", "quote = '\"'", "escape = '\"'"),
        *("comment = ''", "nullstr = ''", "allow_quoted_nulls = FALSE", "null_padding = FALSE"),
        *("ignore_errors = FALSE", "hive_partitioning = FALSE"),
    ]
    return sql(
        "READ_CSV({path:literal}, {options})",
        path=str(path),
        options=commas([*map(Markup, options), *written]),
    )


def csv_written(names: Sequence[str], compression: str) -> list[Markup]:
    """How a CSV file of ours was written: its names, the ends of its lines, its compression.

    None of it is guessed: a name may hold a carriage return.
    """
    return [
        sql("names = [{names}]", names=commas(map(literal, names))),
        Markup("new_line = '\\n'"),
        sql("compression = {compression:literal}", compression=compression),
    ]


def typed(text: Relation, columns: Sequence[Column]) -> Relation:
    """A file of text with some columns in their own types: '10' is more than '9' again."""
    types = {column.name: column.type for column in columns if not column.is_text}
    if not types:
        return text
    casts = [
        sql("CAST({name:ident} AS {type}) AS {name:ident}", name=column, type=Markup(types[column]))
        if column in types
        else ident(column)
        for column in text.names
    ]
    selection = sql(
        "(\n  SELECT\n    {casts}\n  FROM {relation}\n)", casts=commas(casts, 4), relation=text.sql
    )
    typed_columns = [
        Column(column.name, types.get(column.name, column.type)) for column in text.columns
    ]
    return Relation(selection, text.kind, tuple(typed_columns), text.parts)


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
