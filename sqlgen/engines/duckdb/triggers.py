"""What stands beside a table and knows its values: its triggers, and types that list them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import has_triggers
from sqlgen.errors import EngineError
from sqlgen.sql.render import quoted_name, sql, statement
from sqlgen.sql.types import enum_of, enums_in


@dataclass(frozen=True)
class Trigger:
    """A trigger of a table or, where it ``is_foreign``, of another one that reads or writes it."""

    name: str
    table: str
    is_foreign: bool


@dataclass(frozen=True)
class NamedType:
    """A type of the user's that is or holds enums, with what else of the database uses it.

    DuckDB spells a column's type out: a type is used by the tables that have its enums. It cannot
    be dropped while there are ``holders``, which cast to it in a default, a CHECK or a trigger.
    """

    parts: tuple[str, ...]
    enums: frozenset[str]
    users: tuple[str, ...]
    holders: tuple[str, ...] = ()

    def called_from(self, schema: str) -> str:
        """The type as a person in a schema would name it."""
        return ".".join(self.parts[2:] if self.parts[1] == schema else self.parts[1:])

    def is_named_in(self, texts: Iterable[str]) -> bool:
        """Whether something is cast to the type in the engine's own spelling of an expression.

        >>> mood = NamedType(("memory", "main", "mood"), frozenset(), ())
        >>> mood.is_named_in(["CAST(a AS mood)"]), mood.is_named_in(["a AS mood, b AS moody)"])
        (True, False)
        """
        called = re.escape(self.parts[2].replace('"', '""'))
        cast = rf'\bAS\s+(?:(?:"(?:[^"]|"")+"|\w+)\.)*(?:"{called}"|{called})\s*(?:\[\d*\])*\s*\)'
        return any(re.search(cast, text, re.IGNORECASE) for text in texts)


def read_triggers(engine: Engine, parts: Sequence[str]) -> tuple[Trigger, ...]:
    """The triggers of a table, and those of others that could not be without it."""
    if not has_triggers(engine):
        return ()
    own = [
        Trigger(trigger, table, is_foreign=False)
        for schema, trigger, table, _ in engine.rows(
            statement("engines/duckdb/triggers", catalog=parts[0])
        )
        if (schema, table) == tuple(parts[1:])
    ]
    foreign = engine.rows(statement("engines/duckdb/triggers_on_others", parts=parts))
    return (
        *own,
        *(Trigger(each, table, is_foreign=True) for _, each, table in dict.fromkeys(foreign)),
    )


def read_types(engine: Engine, parts: Sequence[str]) -> tuple[NamedType, ...]:
    """The types of a table's database that list values, each after those that are made of it."""
    named = engine.rows(statement("engines/duckdb/named_types", catalog=parts[0]))
    spelled = {
        tuple(called): enum_of(labels) if labels else _spelled(engine, called)
        for *called, labels in named
    }
    if not any(map(enums_in, spelled.values())):
        return ()
    asked = statement("engines/duckdb/type_users", parts=parts, triggers=has_triggers(engine))
    others = engine.rows(asked)
    found = []
    for called, full in spelled.items():
        enums = enums_in(full)
        bare = NamedType(called, enums, ())
        users, holders = [], []
        for kind, schema, user, column, text in others:
            words = f"the {kind} {quoted_name([schema, user])}"
            if bare.is_named_in([text or ""]) and kind != "macro":
                holders.append(words)
            elif enums & enums_in(column or "") or bare.is_named_in([text or ""]):
                users.append(words)
        found.append(
            replace(bare, users=tuple(dict.fromkeys(users)), holders=tuple(dict.fromkeys(holders)))
        )
    return tuple(each for each in found if each.enums)


def _spelled(engine: Engine, called: Sequence[str]) -> str:
    """A type in full, as the engine describes a column of it; nothing where it cannot find it.

    DuckDB 1.5 does not find a type that has the name of one of its own.
    """
    described = sql("(SELECT CAST(NULL AS {called:name}) AS value)", called=called)
    try:
        return str(engine.rows(statement("engines/duckdb/columns", relation=described))[0][1])
    except EngineError as error:
        if error.kind not in ("CatalogException", "BinderException"):
            raise
        return ""
