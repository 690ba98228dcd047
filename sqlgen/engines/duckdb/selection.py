"""A query as the engine parses it: which tables it reads, and which of their rows it chooses.

Two queries are compared by their trees. Where they have the same FROM and no more than a WHERE each
(a selection), a row of one can be looked for among those of the other.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import VIEW_HEAD, Relation, find, fold, relation
from sqlgen.errors import EngineError
from sqlgen.sql.render import command, ident, quoted_name, statement

Tree = Mapping[str, Any]

# Where a table function's rows come from is not known: two may read the same file.
OUTSIDE = "a file or function"
_FILES = ("read_", "parquet_scan", "range", "generate_series", "unnest", "glob")
# Words that are a function's without parentheses, and of another value at another time.
_MOMENTS = frozenset(
    ["current_date", "current_time", "current_timestamp", "localtime", "localtimestamp"]
)
# Functions of the time or the session that DuckDB calls consistent: a row can change sides by them.
_CLOCKS = frozenset(
    [
        "age",
        "current_localtime",
        "current_localtimestamp",
        "current_schema",
        "current_schemas",
        "current_setting",
        "get_current_time",
        "get_current_timestamp",
        "getenv",
        "getvariable",
        "today",
        "version",
    ]
)
_ROW_MAKERS = frozenset(["unnest", "unlist", "generate_subscripts"])


@dataclass(frozen=True)
class Query:
    """One SELECT: its text, its tree, and the parts that tell which rows it gives."""

    text: str
    tree: Tree

    @property
    def node(self) -> Tree:
        node: Tree = self.tree["statements"][0]["node"]
        return node

    @cached_property
    def functions(self) -> frozenset[str]:
        """The names of functions that it calls, lower-case; moments among them."""
        called = {str(node["function_name"]).lower() for node in self._of("FUNCTION", "WINDOW")}
        words = {str(node["column_names"][-1]).lower() for node in self._of("COLUMN_REF")}
        return frozenset(called | (words & _MOMENTS))

    @property
    def named(self) -> frozenset[str]:
        """The names that it gives to queries of its own, in WITH."""
        maps = [node["cte_map"]["map"] for node in _nodes(self.tree) if "cte_map" in node]
        return frozenset(fold(str(pair["key"])) for pairs in maps for pair in pairs)

    def _of(self, *classes: str) -> Iterator[Tree]:
        return (node for node in _nodes(self.tree) if node.get("class") in classes)


def parse_query(engine: Engine, text: str) -> Query | None:
    """A query by its text; None for what is not one SELECT."""
    spelled = _without_end(text)
    parsed = command(
        "engines/duckdb/parsed_query",
        "SELECT CAST(JSON_SERIALIZE_SQL({query:literal}) AS VARCHAR) AS tree",
        query=spelled,
    )
    tree = json.loads(engine.rows(parsed)[0][0])
    if tree.get("error") or len(tree.get("statements", [])) != 1:
        return None
    return Query(spelled, _without_places(tree))


def _without_end(text: str) -> str:
    return text.strip().rstrip(";").strip()


def query_text(engine: Engine, source: Relation) -> str | None:
    """The query that gives the rows of a table or view by its name; None where none is known."""
    if source.kind == "table":
        return f"SELECT * FROM {quoted_name(source.parts)}"
    return view_text(engine, source) if source.kind == "view" else None


def view_text(engine: Engine, source: Relation) -> str | None:
    """The query of a view, giving the columns that the view has; None where it is not known."""
    stored = _text_of_view(engine, source)
    if stored is None:
        return None
    text = _without_end(stored)
    try:
        given = relation(engine, Markup("(\n") + Markup(text) + Markup("\n)"), "").names
    except EngineError:
        given = ()
    if given == source.names:
        return text
    # The view gives its columns names of its own.
    names = ", ".join(str(ident(name)) for name in source.names)
    return f"SELECT * FROM (\n{text}\n) AS shown ({names})"


def _text_of_view(engine: Engine, source: Relation) -> str | None:
    catalog, schema, view = source.parts
    asked = statement(
        "engines/duckdb/view_query", head=VIEW_HEAD, catalog=catalog, schema=schema, view=view
    )
    rows = engine.rows(asked)
    return str(rows[0][0]) if rows else None


def tables_read(engine: Engine, query: Query) -> frozenset[str] | None:
    """The tables that a query reads, in full and through views; None where that is not known.

    By its text, for the engine plans no reading of a table that can have no row for it today.
    """
    return _tables_read(engine, query, frozenset())


def _tables_read(engine: Engine, query: Query, within: frozenset[str]) -> frozenset[str] | None:
    calls = [str(name) for name in query.functions]
    if calls and any(
        is_users
        for _, is_users in engine.rows(statement("engines/duckdb/unfit_functions", names=calls))
    ):
        return None
    tables: set[str] = set()
    for node in _nodes(query.tree):
        if node.get("type") == "TABLE_FUNCTION":
            called = str(node["function"].get("function_name", "")).lower()
            if not called.startswith(_FILES):
                return None
            tables.add(OUTSIDE)
        if node.get("type") != "BASE_TABLE":
            continue
        read = _table_read(engine, node, within)
        if read is None and not node["schema_name"] and fold(node["table_name"]) in query.named:
            # A query of its own, that is looked through by itself.
            continue
        if read is None:
            return None
        tables |= read
    return frozenset(tables)


def _table_read(engine: Engine, table: Tree, within: frozenset[str]) -> frozenset[str] | None:
    """The tables that an entry of a FROM reads: itself or, for a view, the tables of its query."""
    relation_read = _find(engine, table)
    if relation_read is None:
        # A file by its name is read like one; any other name is of nothing that is there.
        return frozenset([OUTSIDE]) if "." in table["table_name"] else None
    full = quoted_name([fold(part) for part in relation_read.parts])
    if relation_read.kind == "table":
        return frozenset([full])
    text = query_text(engine, relation_read)
    query = parse_query(engine, text) if text is not None and full not in within else None
    return _tables_read(engine, query, within | {full}) if query is not None else None


def _find(engine: Engine, table: Tree) -> Relation | None:
    parts = [table[key] for key in ("catalog_name", "schema_name", "table_name")]
    try:
        return find(engine, quoted_name([str(part) for part in parts if part]))
    except (EngineError, ValueError):
        return None


@dataclass(frozen=True)
class Selection:
    """A query that does no more than choose rows of its FROM, and show columns of them.

    ``frame`` is all of it but the columns and the condition, with tables by their full names:
    equal for two queries that choose from the same rows.
    """

    query: Query
    frame: str
    items: tuple[Tree, ...]
    condition: Any

    def column(self, name: str) -> str | None:
        """How a column is made of the rows, as a text to compare; None where that is not known."""
        origins = [_made(item) for item in self.items if _gives(item, name)]
        stars = [item for item in self.items if item["class"] == "STAR"]
        covering = [star for star in stars if not _leaves_out(star, name)]
        if any(_changes(star, name) for star in stars) or len(origins) + len(covering) != 1:
            return None
        if origins:
            return origins[0]
        # Of a join, the table that the star is of says which column it is.
        return json.dumps(["column", covering[0]["relation_name"].lower(), fold(name)])

    @property
    def words(self) -> frozenset[str]:
        """The columns, or their tables, that the condition names."""
        named = [node for node in _nodes(self.condition) if "column_names" in node]
        return frozenset(fold(str(part["column_names"][0])) for part in named)

    @property
    def own_names(self) -> frozenset[str]:
        """Names that the columns give to something else, and a condition could mean."""
        named = [item for item in self.items if item.get("alias")]
        return frozenset(
            fold(named_item["alias"]) for named_item in named if not _is_column(named_item)
        )


def selection_of(engine: Engine, query: Query) -> Selection | None:
    """The query as a selection; None where it groups, limits, counts or draws rows."""
    node = query.node
    names = sorted(query.functions)
    if not (_chooses(query) and _chooses_from_rows(engine, query)) or (
        names and engine.rows(statement("engines/duckdb/unfit_functions", names=names))
    ):
        return None
    where, table, items = node["where_clause"], node["from_table"], node["select_list"]
    if table["type"] == "BASE_TABLE":
        called = {fold(table["alias"] or table["table_name"])}
        where, items = _unqualified(where, called), _unqualified(items, called)
        table = {**table, "alias": ""}
    frame = {"cte_map": node["cte_map"], "from_table": _in_full(engine, table, query.named)}
    selection = Selection(query, json.dumps(frame, sort_keys=True), tuple(items), where)
    return None if selection.words & selection.own_names else selection


def _chooses_from_rows(engine: Engine, query: Query) -> bool:
    """Whether a query's FROM is one table of rows, or a view that itself chooses from one.

    A join has a person's row once per match, so that parts of it without a common row can have
    the same people; and a condition that reads other tables or files changes when they do.
    """
    node = query.node
    table = node["from_table"]
    if table["type"] != "BASE_TABLE" or any(
        inner.get("type") in ("BASE_TABLE", "TABLE_FUNCTION")
        for inner in _nodes(node["where_clause"])
    ):
        return False
    relation_read = _find(engine, table)
    if relation_read is None or relation_read.kind != "view":
        return fold(table["table_name"]) not in query.named
    text = query_text(engine, relation_read)
    within = parse_query(engine, text) if text is not None else None
    return within is not None and selection_of(engine, within) is not None


def _chooses(query: Query) -> bool:
    """Whether each row that a query gives is a row of its FROM, and the same at each reading."""
    node = query.node
    if node["type"] != "SELECT_NODE" or node["aggregate_handling"] != "STANDARD_HANDLING":
        return False
    others = (node["having"], node["qualify"], node["sample"], *node["group_expressions"])
    return not (
        any(others)
        or any(part["type"] != "ORDER_MODIFIER" for part in node["modifiers"])
        or any(part.get("sample") for part in _nodes(node["from_table"]))
        or any(part.get("class") == "WINDOW" for part in _nodes(node["select_list"]))
        or query.functions & (_ROW_MAKERS | _MOMENTS | _CLOCKS)
    )


def flagged_text(engine: Engine, own: Selection, conditions: Mapping[str, Any]) -> str:
    """The query of all rows that a selection chooses from, with a column for each condition."""
    columns = [{**condition, "alias": name} for name, condition in conditions.items()]
    node = {
        **own.query.node,
        "select_list": [*own.query.node["select_list"], *columns],
        "where_clause": None,
        "modifiers": [],
    }
    first = {**own.query.tree["statements"][0], "node": node}
    tree = json.dumps({**own.query.tree, "statements": [first]})
    unparsed = command(
        "engines/duckdb/unparsed_query",
        "SELECT JSON_DESERIALIZE_SQL(CAST({tree:literal} AS JSON)) AS query",
        tree=tree,
    )
    return str(engine.rows(unparsed)[0][0])


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    """Every mapping of a tree, the outer ones first."""
    left = [tree]
    while left:
        part = left.pop()
        if isinstance(part, dict):
            yield part
            left += part.values()
        elif isinstance(part, list):
            left += part


def _without_places(tree: Any) -> Any:
    """A tree without where in the text its parts stand."""
    if isinstance(tree, dict):
        return {
            key: _without_places(part)
            for key, part in tree.items()
            if not key.startswith("query_location")
        }
    return [_without_places(part) for part in tree] if isinstance(tree, list) else tree


def _in_full(engine: Engine, tree: Any, named: frozenset[str]) -> Any:
    """A FROM with its tables by their full names."""
    if isinstance(tree, list):
        return [_in_full(engine, branch, named) for branch in tree]
    if not isinstance(tree, dict):
        return tree
    if tree.get("type") == "BASE_TABLE":
        is_named = not tree["schema_name"] and fold(tree["table_name"]) in named
        relation_read = None if is_named else _find(engine, tree)
        if relation_read is not None:
            parts = [fold(part) for part in relation_read.parts]
            kept = {key: tree[key] for key in ("type", "alias", "column_name_alias", "at_clause")}
            return {**kept, "found": parts}
    return {key: _in_full(engine, branch, named) for key, branch in tree.items()}


def _unqualified(where: Any, called: set[str]) -> Any:
    """Expressions without the table's name before its columns; with a subquery, as they are."""
    if any(node.get("class") == "SUBQUERY" for node in _nodes(where)):
        return where
    if isinstance(where, list):
        return [_unqualified(part, called) for part in where]
    if not isinstance(where, dict):
        return where
    names = where.get("column_names")
    if where.get("class") == "STAR" and fold(str(where["relation_name"])) in called:
        return {**where, "relation_name": ""}
    if names is not None and len(names) == 2 and fold(str(names[0])) in called:
        return {**where, "column_names": names[1:]}
    return {key: _unqualified(part, called) for key, part in where.items()}


def _gives(item: Tree, name: str) -> bool:
    called = item.get("alias") or (item["column_names"][-1] if "column_names" in item else "")
    return item["class"] != "STAR" and fold(str(called)) == fold(name)


def _is_column(item: Tree) -> bool:
    return "column_names" in item and fold(item["column_names"][-1]) == fold(item["alias"])


def _made(item: Tree) -> str:
    if "column_names" in item:
        *before, name = [fold(str(part)) for part in item["column_names"]]
        return json.dumps(["column", ".".join(before), name])
    return json.dumps({**item, "alias": ""}, sort_keys=True)


def _changes(star: Tree, name: str) -> bool:
    """Whether a star may give a column another meaning."""
    replaced = [replacement.get("key") for replacement in star["replace_list"]]
    return (
        bool(star["columns"] or star["rename_list"])
        or any(not isinstance(replacement, str) for replacement in replaced)
        or any(fold(str(replacement)) == fold(name) for replacement in replaced)
    )


def _leaves_out(star: Tree, name: str) -> bool:
    excluded = (*star["exclude_list"], *star.get("qualified_exclude_list", ()))
    return any(fold(str(column)) == fold(name) for column in excluded)
