"""Hypothesis strategies for adversarial tables, each with a hierarchy per quasi-identifier.

Hierarchies are plain data in the spelling of the policy file; every one of them nests, and covers
its column unless `uncovered` says what to do with the rest. `{"lines": [...]}` stands for a
`table` or `csv` hierarchy: (value, label 1, ..., label h) as text, to be stored before use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from hypothesis import strategies as st

import oracle
from oracle import Labeller, Ladder, Row, Value

if TYPE_CHECKING:
    import duckdb

Hierarchy: TypeAlias = str | Mapping[str, Any]

# Widths over dates are counted in days from here, widths over numbers from 0.
DATE_ORIGIN = date(1970, 1, 1)

_NAMES = (
    *("select", "group", "order", "value", "row_count", "class_size", "label", "q1", "id", "rowid"),
    *("Zip Code", " padded ", 'say "hi"', "it's", "semi;colon", "-- comment", "/* open", "a.b"),
    *("{{ name }}", "{% if %}", "$1", "?", "%s", "back\\slash", "two\nlines", "1st", "*", "NULL"),
    *("🙂", "naïve", "straße", "名前", "عمر", "e\u0301", "AGE", "x" * 70),
)
_TEXTS = (
    *("", " ", "  ", "NULL", "null", "*", "**", "a*", "'", "''", '"', "a;b", "--", "/*", "\\", "%"),
    *(
        "_",
        "select",
        "x",
        "X",
        "x ",
        " x",
        "é",
        "e\u0301",
        "ß",
        "ss",
        "🙂",
        "👩‍👩‍👧",
        "名前",
        "\t",
        "\n",
    ),
    *("[20, 30)", "< 5", "0", "00", "1", "1.0", "-1", "1e3", "01234", "47677", "47602", "4767"),
    *("476777", "true", "2024-02-29", "{{ x }}", "$1", ",", "a,b", 'q"q'),
)
_INTEGERS = (0, 1, 2, 4, 5, 9, 10, 19, 20, 25, 29, 30, 40, -1, -3, -5, -6, 2**31 - 1, -(2**31))
_DECIMALS = ("0.00", "0.01", "2.49", "2.50", "5.00", "7.50", "10.00", "-0.01", "-2.50", "-2.51")
_DAYS = (
    *(date(1969, 12, 31), date(1970, 1, 1), date(2000, 2, 29), date(2020, 12, 31)),
    *(date(2021, 1, 1), date(2021, 1, 3), date(2021, 1, 4), date(2024, 2, 29), date(2024, 3, 1)),
    *(date(2024, 3, 31), date(2024, 12, 30), date(1900, 1, 1), date(1899, 12, 31)),
)
_FAR_DAYS = (date(1, 1, 1), date(9, 12, 31), date(9999, 12, 31))
_TIMES = (
    *(datetime(1969, 12, 31, 23, 59, 59, 999999), datetime(1970, 1, 1), datetime(2024, 2, 29, 12)),
    *(datetime(2024, 12, 30, 0, 0, 0, 1), datetime(2021, 1, 3, 23, 59), datetime(2021, 1, 4)),
    *(datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59, 999999)),
)
_HALVES = (0.0, 0.25, 0.5, 1.0, 2.25, 2.5, 5.0, 7.75, 10.0, -0.25, -2.5, -2.75, 1e6)
_DOUBLES = (*_HALVES, 0.1, 0.30000000000000004, 1e300, -1e300, 5e-324, 1 / 3)

POOLS: Mapping[str, tuple[Value, ...]] = {
    "VARCHAR": _TEXTS,
    "INTEGER": _INTEGERS,
    "BIGINT": (*_INTEGERS, 2**63 - 1, -(2**63), 2**53 + 1),
    "DECIMAL(9,2)": (*map(Decimal, _DECIMALS), Decimal("9999999.99"), Decimal("-9999999.99")),
    "DATE": (*_DAYS, *_FAR_DAYS),
    "TIMESTAMP": _TIMES,
    "BOOLEAN": (False, True),
    "DOUBLE": _DOUBLES,
}
_NUMBER_CUTS = ("-5", "0", "5", "20", "30", "40")
_EXACT_CUTS = ("-2.50", "-0.25", "0", "0.01", "2.5", "5.00", "10")
_CUTS: Mapping[str, tuple[str, ...]] = {
    "INTEGER": _NUMBER_CUTS,
    "BIGINT": _NUMBER_CUTS,
    "DECIMAL(9,2)": _EXACT_CUTS,
    "DOUBLE": ("-2.50", "-0.25", "0", "0.5", "2.5", "5.00", "10"),
    "DATE": ("1900-01-01", "1970-01-01", "2020-12-31", "2021-01-01", "2024-02-29", "2024-03-01"),
}


@dataclass(frozen=True)
class Column:
    """One column with its values, row by row, and for a quasi-identifier how it coarsens."""

    name: str
    type: str
    role: str
    values: tuple[Value, ...]
    hierarchy: Hierarchy | None = None
    nulls: str = "value"
    uncovered: str = "error"


@dataclass(frozen=True)
class Table:
    """A table; `rows` is the same data as the columns' values, row by row."""

    name: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]

    @property
    def quasi(self) -> list[str]:
        """The names of the quasi-identifiers, in column order."""
        return [column.name for column in self.columns if column.role == "quasi"]

    @property
    def ladders(self) -> dict[str, Ladder]:
        """The oracle's ladder of each quasi-identifier, in column order."""
        return {c.name: oracle_ladder(c) for c in self.columns if c.role == "quasi"}


def make_table(name: str, columns: Sequence[Column]) -> Table:
    """A table of columns that are equally long."""
    lines = zip(*(column.values for column in columns), strict=True)
    names = [column.name for column in columns]
    rows = tuple(dict(zip(names, line, strict=True)) for line in lines)
    return Table(name, tuple(columns), rows)


@st.composite
def tables(draw: st.DrawFn, max_rows: int = 40, max_quasi: int = 4) -> Table:
    """Tables of few rows and fewer values: 1 or more quasi-identifiers among other columns."""
    few, more = st.integers(0, min(3, max_rows)), st.integers(min(4, max_rows), max_rows)
    size = draw(st.one_of(few, more, more))
    roles = ["quasi"] * draw(st.integers(1, max_quasi))
    roles += draw(st.lists(st.sampled_from(["sensitive", "other", "identifier"]), max_size=2))
    roles = draw(st.permutations(roles))
    names = draw(
        st.lists(_names(), min_size=len(roles), max_size=len(roles), unique_by=str.casefold)
    )
    columns = [draw(columns_of(name, role, size)) for name, role in zip(names, roles, strict=True)]
    # A dot in a policy's table name separates the schema.
    table_name = draw(_names().filter(lambda name: "." not in name))
    return make_table(table_name, columns)


def _names() -> st.SearchStrategy[str]:
    letters = st.characters(exclude_categories=("Cs", "Cc"))
    return st.one_of(st.sampled_from(_NAMES), st.text(letters, min_size=1, max_size=8))


@st.composite
def columns_of(draw: st.DrawFn, name: str, role: str, size: int) -> Column:
    """Columns of one role with `size` values from a small pool, some of them NULL."""
    kind = draw(st.sampled_from(sorted(POOLS)))
    rule = draw(st.sampled_from(_RULES[kind])) if role == "quasi" else ""
    # Widths need edges that the type and the label can hold: days away from the ends of the
    # calendar, doubles that are binary fractions of few digits.
    near: Mapping[str, tuple[Value, ...]] = {"DATE": _DAYS, "DOUBLE": _HALVES}
    values = near.get(kind, POOLS[kind]) if rule == "widths" else POOLS[kind]
    pool = draw(st.lists(st.sampled_from(values), min_size=1, max_size=6, unique=True))
    if draw(st.booleans()):
        pool.append(None)
    cells = draw(st.lists(st.sampled_from(pool), min_size=size, max_size=size))
    if role != "quasi":
        return Column(name, kind, role, tuple(cells))
    nulls = draw(st.sampled_from(["value", "top", "suppress"]))
    hierarchy = draw(_HIERARCHIES[rule](kind, [value for value in pool if value is not None]))
    column = Column(name, kind, role, tuple(cells), hierarchy, nulls)
    return replace(column, uncovered=draw(st.sampled_from(_policies(column))))


def _policies(column: Column) -> list[str]:
    """What `uncovered` may say without raising."""
    try:
        oracle_ladder(column)
    except ValueError:
        return ["top", "suppress"]
    return ["error", "top", "suppress"]


def _suppress(_: str, __: Sequence[Value]) -> st.SearchStrategy[Hierarchy]:
    return st.just("suppress")


@st.composite
def _widths(draw: st.DrawFn, kind: str, _: Sequence[Value]) -> Hierarchy:
    if kind in {"DECIMAL(9,2)", "DOUBLE"}:
        width = Decimal(draw(st.sampled_from(["0.25", "0.5", "2.5", "2.50", "5"])))
    else:
        width = Decimal(draw(st.sampled_from([1, 2, 5, 7, 10, 30])))
    widths = [width]
    for factor in draw(st.lists(st.sampled_from([2, 3, 10]), max_size=2)):
        widths.append(widths[-1] * factor)
    return {"intervals": [str(one) if "." in str(one) else int(one) for one in widths]}


@st.composite
def _cuts(draw: st.DrawFn, kind: str, _: Sequence[Value]) -> Hierarchy:
    written = draw(st.lists(st.sampled_from(_CUTS[kind]), min_size=2, max_size=5, unique=True))
    fine = sorted(written, key=_CUTS[kind].index)
    form = draw(st.sampled_from(["open", "closed", "coarser", "after a width"]))
    if form == "closed":
        return {"intervals": [{"cuts": fine, "closed": True}]}
    if form == "coarser":
        return {"intervals": [{"cuts": fine}, {"cuts": fine[:: len(fine) - 1]}]}
    if form == "after a width" and kind in {"INTEGER", "BIGINT"}:
        return {"intervals": [5, {"cuts": fine}]}
    return {"intervals": [{"cuts": fine}]}


@st.composite
def _prefixes(draw: st.DrawFn, _: str, __: Sequence[Value]) -> Hierarchy:
    kept = draw(st.lists(st.integers(1, 6), min_size=1, max_size=3, unique=True))
    return {"prefixes": sorted(kept, reverse=True)}


@st.composite
def _dates(draw: st.DrawFn, _: str, __: Sequence[Value]) -> Hierarchy:
    # Weeks nest in none of the coarser units.
    units = draw(st.sampled_from([["day", "month", "quarter", "year", "decade"], ["day", "week"]]))
    kept = draw(st.lists(st.sampled_from(units), min_size=1, max_size=3, unique=True))
    return {"dates": sorted(kept, key=units.index)}


def _leaves(kind: str, pool: Sequence[Value]) -> st.SearchStrategy[list[str]]:
    """Leaves of an explicit hierarchy as text: some that occur, some that do not."""
    # A leaf `*` would repeat itself as the label `*`, and then not nest beside NULL at the top.
    texts = [as_text(value) for value in (*pool, *POOLS[kind]) if value != oracle.TOP]
    return st.lists(st.sampled_from(texts), min_size=1, max_size=7, unique=True)


@st.composite
def _lines(draw: st.DrawFn, kind: str, pool: Sequence[Value]) -> Hierarchy:
    leaves = draw(_leaves(kind, pool))
    word = draw(st.sampled_from(_NAMES))
    lines = [[leaf] for leaf in leaves]
    labels = dict(zip(leaves, leaves, strict=True))
    for level in range(1, draw(st.integers(1, 3)) + 1):
        above: dict[str, str] = {}
        for label in labels.values():
            above[label] = above.get(label) or f"{word} {level}.{draw(st.integers(0, 2))}"
        labels = {leaf: above[label] for leaf, label in labels.items()}
        for line in lines:
            line.append(labels[line[0]])
    if draw(st.booleans()):
        lines = [[*line, oracle.TOP] for line in lines]
    return {"lines": lines}


@st.composite
def _tree(draw: st.DrawFn, kind: str, pool: Sequence[Value]) -> Hierarchy:
    word = draw(st.sampled_from(_NAMES))
    tree: dict[str, dict[str, list[str]] | list[str]] = {}
    for leaf in draw(_leaves(kind, pool)):
        name, inner = draw(st.sampled_from([("flat", ""), ("deep", "a"), ("deep", "b")]))
        branch = tree.setdefault(f"{word} {name}", {} if inner else [])
        if isinstance(branch, dict):
            branch.setdefault(f"{word} {inner}", []).append(leaf)
        else:
            branch.append(leaf)
    return {"tree": tree}


_HIERARCHIES: Mapping[str, Callable[[str, Sequence[Value]], st.SearchStrategy[Hierarchy]]] = {
    "suppress": _suppress,
    "widths": _widths,
    "cuts": _cuts,
    "prefixes": _prefixes,
    "dates": _dates,
    "lines": _lines,
    "tree": _tree,
}
_RULES: Mapping[str, tuple[str, ...]] = {
    "VARCHAR": ("suppress", "prefixes", "lines", "tree"),
    "INTEGER": ("suppress", "widths", "cuts", "lines", "tree"),
    "BIGINT": ("suppress", "widths", "cuts", "lines"),
    "DECIMAL(9,2)": ("suppress", "widths", "cuts"),
    "DATE": ("suppress", "widths", "cuts", "dates", "lines"),
    "TIMESTAMP": ("suppress", "dates"),
    "BOOLEAN": ("suppress", "lines"),
    "DOUBLE": ("suppress", "widths", "cuts"),
}


def as_text(value: Value) -> str:
    """A value as an explicit hierarchy writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def from_text(text: str, kind: str) -> Value:
    """The value of a column of this type that a hierarchy's text stands for."""
    if kind in {"INTEGER", "BIGINT"}:
        return int(text)
    if kind == "BOOLEAN":
        return text == "true"
    return date.fromisoformat(text) if kind == "DATE" else text


def oracle_ladder(column: Column) -> Ladder:
    """The oracle's ladder for a quasi-identifier's hierarchy, as plain data says it."""
    values, policies = column.values, (column.nulls, column.uncovered)
    rule = column.hierarchy
    if isinstance(rule, str):
        assert rule == "suppress"
        return oracle.rule_ladder(values, [], *policies)
    assert rule is not None
    ((kind, spec),) = rule.items()
    if kind in {"lines", "tree"}:
        texts = oracle.tree_lines(spec) if kind == "tree" else spec
        lines = [(from_text(leaf, column.type), *labels) for leaf, *labels in texts]
        return oracle.lines_ladder(values, lines, *policies)
    levels = [_labeller(kind, entry, column.type) for entry in spec]
    return oracle.rule_ladder(values, levels, *policies)


def _labeller(kind: str, entry: Any, column_type: str) -> Labeller:
    if kind == "prefixes":
        return partial(oracle.prefix_label, keep=entry)
    if kind == "dates":
        return partial(oracle.date_label, unit=entry)
    assert kind == "intervals"
    if isinstance(entry, Mapping):
        closed = entry.get("closed", False)
        return partial(oracle.cut_label, cuts=entry["cuts"], closed=closed)
    origin = DATE_ORIGIN if column_type in {"DATE", "TIMESTAMP"} else 0
    return partial(oracle.interval_label, width=entry, origin=origin)


def quoted(name: str) -> str:
    """A name as a quoted SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def load(connection: duckdb.DuckDBPyConnection, table: Table) -> None:
    """Create the table in the connection and insert its rows as parameters."""
    columns = ", ".join(f"{quoted(column.name)} {column.type}" for column in table.columns)
    connection.execute(f"CREATE TABLE {quoted(table.name)} ({columns})")
    if table.rows:
        line = "(" + ", ".join(f"CAST(? AS {column.type})" for column in table.columns) + ")"
        values = [value for row in table.rows for value in row.values()]
        lines = ", ".join([line] * len(table.rows))
        connection.execute(f"INSERT INTO {quoted(table.name)} VALUES {lines}", values)
