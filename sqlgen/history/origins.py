"""Origins of releases: the policy's own rows, a part of the same rows, or other rows.

A release of a table was made from that table. A release of a query was made from the tables that
the query reads; the ledger has the query's text. Releases of other tables are left out when
releases are read together. Where two queries choose from the same rows, these rows are read with a
mark for each query. Where it cannot be found out which rows both queries choose, the release cannot
be read, and the message says what to do about it.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import combinations_with_replacement
from typing import Any

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import RESERVED, Relation, find, relation
from sqlgen.engines.duckdb.selection import (
    OUTSIDE,
    Query,
    Selection,
    flagged_text,
    parse_query,
    query_text,
    selection_of,
    tables_read,
    view_text,
)
from sqlgen.history.requirements import UNKNOWN, stored_requirements
from sqlgen.history.staged_releases import Part
from sqlgen.ledger.ledger import Entry
from sqlgen.policy import Policy
from sqlgen.sql.render import command, commas, each


class Kinship(Enum):
    """How the rows of a release relate to those of a policy."""

    SAME = "the same rows"
    PART = "rows chosen from the same ones"
    OTHER = "other rows"
    UNKNOWN = "rows that cannot be told"


@dataclass(frozen=True)
class Origin:
    """How a release relates to a policy's rows, and why it is not read as a release of these."""

    kinship: Kinship
    why: str = ""
    selection: Selection | None = None


SAME = Origin(Kinship.SAME)


@dataclass(frozen=True)
class ParsedSource:
    """A policy's source as a query: the tables that it reads, and the rows that it chooses."""

    policy: Policy
    query: Query | None
    tables: frozenset[str] | None
    selection: Selection | None


@dataclass(frozen=True)
class Universe:
    """All rows that several queries choose from, with a column per query that marks its rows.

    ``own`` is the part that the policy's query chooses, ``parts`` are those of releases, by their
    position in the list of releases.
    """

    rows: Relation
    own: Part | None
    parts: Mapping[int, Part | None]


def read_origin(engine: Engine, policy: Policy, rows: Relation) -> ParsedSource:
    """The source of a policy, as releases are compared with it."""
    text = policy.source.query or query_text(engine, rows)
    query = parse_query(engine, text) if text is not None else None
    if query is None:
        return ParsedSource(policy, None, None, None)
    return ParsedSource(policy, query, tables_read(engine, query), selection_of(engine, query))


def recorded_query(engine: Engine, policy: Policy, rows: Relation) -> str | None:
    """The query that the ledger records of a policy's source: its own, or that of its view.

    The text is recorded, because a view may be dropped or changed while its releases still exist.
    """
    if policy.source.query is not None or rows.kind != "view":
        return policy.source.query
    return view_text(engine, rows)


def origin_of(engine: Engine, source: ParsedSource, entry: Entry) -> Origin:
    """How the rows that a release was made from relate to those of a policy."""
    text = entry.source_query
    if entry.source and text is None:
        table = find(engine, entry.source)
        if table is None:
            # Its source may have been renamed. Labels that do not fit are found when it is read.
            return SAME
        text = query_text(engine, table)
    query = parse_query(engine, text) if text else None
    if query is None or source.query is None:
        return _unknown(source, "by which query it was made is not known")
    tables = tables_read(engine, query)
    if tables and source.tables and not tables & source.tables:
        words = entry.source or ", ".join(sorted(tables)) or "no table"
        return Origin(Kinship.OTHER, f"it was made from other rows, those of {words}")
    if query.tree == source.query.tree:
        return SAME
    return _compared(source, selection_of(engine, query), entry, tables)


def _compared(
    source: ParsedSource,
    selection: Selection | None,
    entry: Entry,
    tables: frozenset[str] | None,
) -> Origin:
    """How a query that may read the policy's rows relates to the policy's own query."""
    own = source.selection
    if tables is None or source.tables is None:
        return _unknown(source, "what one of the two queries reads is not known")
    if own is None or selection is None:
        return _unknown(source, "one of the two queries does more than choose rows by a condition")
    shown = (*entry.column_levels, *entry.sensitive_levels)
    names = [name for name in shown if name in source.policy.columns]
    changed = [
        name for name in names if own.column(name) != selection.column(name) or not own.column(name)
    ]
    if own.frame != selection.frame or changed or own.own_names & selection.words:
        unlike = f"make {', '.join(changed)} differently" if changed else "read another FROM"
        return _unknown(source, f"the two queries {unlike}")
    if json.dumps(own.condition) == json.dumps(selection.condition):
        return SAME
    has_units = any(guarantee.unit_column is not None for guarantee in source.policy.guarantees)
    if has_units or _counts_persons(entry):
        return _unknown(source, "a person may have rows in both, of which each chooses some")
    return Origin(Kinship.PART, selection=selection)


def _counts_persons(entry: Entry) -> bool:
    """Whether a release was made to protect persons, who may have several rows."""
    return UNKNOWN in stored_requirements(entry.guarantees, (), ()).sizes


def _unknown(source: ParsedSource, why: str) -> Origin:
    shared = ", ".join(sorted(source.tables or {OUTSIDE}))
    return Origin(
        Kinship.UNKNOWN,
        f"which of its rows are rows of this policy's source ({shared}) cannot be told: {why}. "
        "Release both from one table, or by queries that differ in nothing but their WHERE, or "
        "remove that release",
    )


def universe_of(
    engine: Engine, source: ParsedSource, rows: Relation, origins: Mapping[int, Origin]
) -> Universe | None:
    """The rows that the policy's query and those of releases choose from; None without such.

    Raises EngineError where a condition cannot be evaluated any more.
    """
    own = source.selection
    selections = {
        number: origin.selection
        for number, origin in origins.items()
        if origin.selection is not None
    }
    if not selections or own is None:
        return None
    conditions: dict[str, Any] = {}
    for selection in (own, *selections.values()):
        if selection.condition is not None:
            conditions.setdefault(json.dumps(selection.condition), selection.condition)
    columns = {text: f"{RESERVED}part_{number}" for number, text in enumerate(conditions, 1)}
    marks = {columns[text]: condition for text, condition in conditions.items()}
    query = Markup(flagged_text(engine, own, marks))
    whole = relation(engine, Markup("(\n") + query + Markup("\n)"), "query")
    shown = tuple(column for column in whole.columns if column.name in rows.names)
    people = replace(whole, columns=shown)
    apart = _apart(engine, people, list(marks))
    parts = {text: Part(column, frozenset(apart[column])) for text, column in columns.items()}
    return Universe(
        people,
        parts.get(json.dumps(own.condition)),
        {
            number: parts.get(json.dumps(selection.condition))
            for number, selection in selections.items()
        },
    )


def _apart(engine: Engine, people: Relation, columns: Sequence[str]) -> dict[str, set[str]]:
    """For each part, the parts that share no row with it, as the rows are now."""
    apart: dict[str, set[str]] = {column: set() for column in columns}
    # Each is paired with itself too, so that every condition is evaluated here.
    pairs = list(combinations_with_replacement(columns, 2))
    if pairs:
        # A query's part are the rows for which its WHERE is true, and a WHERE that is NULL is not.
        conditions = [(Part(one).condition, Part(other).condition) for one, other in pairs]
        asked = command(
            "history/parts",
            "SELECT\n  {shared}\nFROM {source} AS source",
            shared=commas(each(conditions, "COALESCE(BOOL_OR({0} AND {1}), FALSE)"), 2),
            source=people.sql,
        )
        overlaps = engine.rows(asked)[0]
        for (one, other), shared in zip(pairs, overlaps, strict=True):
            if not shared and one != other:
                apart[one].add(other)
                apart[other].add(one)
    return apart
