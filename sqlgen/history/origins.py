"""What releases were made from: the rows of a policy, a part of the same rows, or other ones.

A release of a table was made from that table; one of a query from what the query reads, by the text
that the ledger keeps of it. Releases of other tables are left out when releases are read together.
Where two queries choose from the same rows, those are read with a mark for each query; where nobody
can tell which rows both have, that is said, with what to do about it.
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
from sqlgen.sql.render import fragment, statement


class Kinship(Enum):
    """How the rows of a release relate to those of a policy."""

    SAME = "the same rows"
    PART = "rows chosen from the same ones"
    OTHER = "other rows"
    UNKNOWN = "rows that cannot be told"


@dataclass(frozen=True)
class Origin:
    """How a release relates to a policy's rows, with the reason where it is not read like those."""

    kinship: Kinship
    why: str = ""
    selection: Selection | None = None


SAME = Origin(Kinship.SAME)


@dataclass(frozen=True)
class ParsedSource:
    """A policy's rows: what it calls them, and what their query reads and chooses."""

    policy: Policy
    query: Query | None
    tables: frozenset[str] | None
    selection: Selection | None


@dataclass(frozen=True)
class Universe:
    """All rows that several queries choose from, with a column for each that says whose they are.

    ``own`` is the part of the policy itself; ``parts`` those of releases, by their number in the
    ledger.
    """

    rows: Relation
    own: Part | None
    parts: Mapping[int, Part | None]


def read_origin(engine: Engine, policy: Policy, found: Relation) -> ParsedSource:
    """The source of a policy, as releases are compared with it."""
    text = policy.source.query or query_text(engine, found)
    query = parse_query(engine, text) if text is not None else None
    if query is None:
        return ParsedSource(policy, None, None, None)
    return ParsedSource(policy, query, tables_read(engine, query), selection_of(engine, query))


def recorded_query(engine: Engine, policy: Policy, found: Relation) -> str | None:
    """What the ledger keeps of a policy's source: its query, or the query of the view it names.

    A view may be dropped or defined anew while its releases stand.
    """
    if policy.source.query is not None or found.kind != "view":
        return policy.source.query
    return view_text(engine, found)


def origin_of(engine: Engine, source: ParsedSource, entry: Entry) -> Origin:
    """How the rows that a release was made from relate to those of a policy."""
    text = entry.source_query
    if entry.source and text is None:
        found = find(engine, entry.source)
        if found is None:
            # Renamed, perhaps: what its labels can be is seen when it is read.
            return SAME
        text = query_text(engine, found)
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
    """How a query that may read the same rows as a policy relates to it."""
    own = source.selection
    if tables is None or source.tables is None:
        return _unknown(source, "what one of the two queries reads is not known")
    if own is None or selection is None:
        return _unknown(source, "one of the two queries does more than choose rows by a condition")
    shown = (*(entry.levels or ()), *entry.sensitive_levels)
    names = [name for name in shown if name in source.policy.columns]
    changed = [
        name for name in names if own.column(name) != selection.column(name) or not own.column(name)
    ]
    if own.frame != selection.frame or changed or own.own_names & selection.words:
        unlike = f"make {', '.join(changed)} differently" if changed else "read another FROM"
        return _unknown(source, f"the two queries {unlike}")
    if json.dumps(own.condition) == json.dumps(selection.condition):
        return SAME
    if any(
        guarantee.unit_column is not None for guarantee in source.policy.guarantees
    ) or _tells_persons(entry):
        return _unknown(source, "a person may have rows in both, of which each chooses some")
    return Origin(Kinship.PART, selection=selection)


def _tells_persons(entry: Entry) -> bool:
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
    """The rows that the policy and releases of parts choose from; None where there are no parts.

    Raises EngineError where a condition cannot be read any more.
    """
    chosen = {number: each for number, each in origins.items() if each.selection is not None}
    own = source.selection
    if not chosen or own is None:
        return None
    conditions: dict[str, Any] = {}
    for selection in (own, *(each.selection for each in chosen.values())):
        if selection is not None and selection.condition is not None:
            conditions.setdefault(json.dumps(selection.condition), selection.condition)
    columns = {text: f"{RESERVED}part_{number}" for number, text in enumerate(conditions, 1)}
    asked = {columns[text]: condition for text, condition in conditions.items()}
    text = flagged_text(engine, own, asked)
    whole = relation(engine, Markup("(\n") + Markup(text) + Markup("\n)"), "query")
    shown = tuple(each for each in whole.columns if each.name in rows.names)
    people = replace(whole, columns=shown)
    apart = _apart(engine, people, list(asked))
    parts = {text: Part(column, frozenset(apart[column])) for text, column in columns.items()}
    return Universe(
        people,
        parts.get(json.dumps(own.condition)),
        {
            number: parts.get(json.dumps(each.selection.condition))
            for number, each in chosen.items()
            if each.selection is not None
        },
    )


def _apart(engine: Engine, people: Relation, columns: Sequence[str]) -> dict[str, set[str]]:
    """The parts that share no row with a part, as the rows are now."""
    apart: dict[str, set[str]] = {column: set() for column in columns}
    # With itself, too: a condition that fails on a row is seen here.
    pairs = list(combinations_with_replacement(columns, 2))
    if pairs:
        flags = {column: fragment("history/in_part", column=column) for column in columns}
        asked = [(flags[one], flags[other]) for one, other in pairs]
        told = engine.rows(statement("history/parts", source=people.sql, pairs=asked))[0]
        for (one, other), shared in zip(pairs, told, strict=True):
            if not shared and one != other:
                apart[one].add(other)
                apart[other].add(one)
    return apart
