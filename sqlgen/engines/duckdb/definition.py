"""A table as it was declared: what a rebuilt one must have again, as the catalog spells it."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation, has_triggers, triggers_of
from sqlgen.errors import UnsupportedError
from sqlgen.sql.render import statement


@dataclass(frozen=True)
class DefinedColumn:
    """A column with what was declared of it; one that is ``generated`` has no rows of its own."""

    name: str
    type: str
    default: str | None
    not_null: bool
    comment: str | None
    collation: str | None
    generated: bool


@dataclass(frozen=True)
class Constraint:
    """A key, a CHECK or a foreign key, with the columns it reads.

    It is spoken of by its name, for its text may hold values of the table.
    """

    kind: str
    name: str
    text: str
    columns: tuple[str, ...]


@dataclass(frozen=True)
class Index:
    """An index; one that ``is_plain`` holds columns as they are, not expressions over them."""

    name: str
    created: str
    columns: frozenset[str]
    is_plain: bool
    is_unique: bool
    comment: str | None


@dataclass(frozen=True)
class Trigger:
    """A trigger of a table or, where it ``is_foreign``, of another one that reads or writes it."""

    name: str
    table: str
    is_foreign: bool


@dataclass(frozen=True)
class Definition:
    """The definition of a table. ``referring`` are the tables whose foreign keys need it.

    ``replays`` says whether the engine could open its database again after a crash that leaves an
    altered table of this kind in the log.
    """

    columns: tuple[DefinedColumn, ...]
    constraints: tuple[Constraint, ...]
    indexes: tuple[Index, ...]
    comment: str | None
    referring: tuple[str, ...]
    replays: bool
    triggers: tuple[Trigger, ...]


def read_definition(engine: Engine, table: Relation, where: str) -> Definition:
    """The definition of a table of a DuckDB database; refused where it cannot be told."""
    parts = table.parts
    # It imports sqlglot, which takes longer than most plans, and only a release in place reads SQL.
    from sqlgen.engines.duckdb.declarations import (  # noqa: PLC0415
        calls_nothing,
        collations,
        generated,
    )

    created, comment, database, version = engine.rows(
        statement("engines/duckdb/defined_table", parts=parts)
    )[0]
    if database != "duckdb":
        raise UnsupportedError(
            f"{where}: {parts[0]} is a database of the kind {database}, whose snapshots or log "
            "keep the originals for as long as it likes. Release a table, and drop the source "
            "there. Nothing was changed."
        )
    collated, reckoned = collations(created), generated(created)
    if collated is None or reckoned is None:
        raise UnsupportedError(
            f"{where}: the definition of {parts[2]} cannot be read, so it could not be kept. "
            "Release a table. Nothing was changed."
        )
    columns = tuple(
        DefinedColumn(name, spelled, default, not_null, said, collated.get(name), name in reckoned)
        for name, spelled, default, not_null, said in engine.rows(
            statement("engines/duckdb/defined_columns", parts=parts)
        )
    )
    constraints = engine.rows(statement("engines/duckdb/defined_constraints", parts=parts))
    own = tuple(
        Constraint(kind, called, text, tuple(names))
        for owner, kind, called, text, names in constraints
        if owner == parts[2]
    )
    return Definition(
        columns,
        own,
        _indexes(engine, parts, where),
        comment,
        tuple(dict.fromkeys(owner for owner, *_ in constraints if owner != parts[2])),
        # DuckDB 1.5 cannot replay a log in which a table with a function in a CHECK or a DEFAULT
        # is altered: the database would not open again after a crash.
        _is_new(version)
        or all(
            calls_nothing(each)
            for each in (
                *(column.default for column in columns if column.default is not None),
                *(each.text.removeprefix("CHECK") for each in own if each.kind == "CHECK"),
            )
        ),
        _triggers(engine, parts),
    )


def _indexes(engine: Engine, parts: Sequence[str], where: str) -> tuple[Index, ...]:
    from sqlgen.engines.duckdb.declarations import indexed  # noqa: PLC0415

    indexes = []
    for index, created, is_unique, comment in engine.rows(
        statement("engines/duckdb/defined_indexes", parts=parts)
    ):
        keys = indexed(created)
        if keys is None:
            raise UnsupportedError(
                f"{where}: the index {index} cannot be read, so it could not be kept. Drop it. "
                "Nothing was changed."
            )
        indexes.append(Index(index, created, *keys, is_unique, comment))
    return tuple(indexes)


def _triggers(engine: Engine, parts: Sequence[str]) -> tuple[Trigger, ...]:
    """The triggers of a table, and those of others that could not be without it."""
    if not has_triggers(engine):
        return ()
    own = [
        Trigger(trigger, table, is_foreign=False)
        for schema, trigger, table, _ in triggers_of(engine, parts[0])
        if (schema, table) == tuple(parts[1:])
    ]
    foreign = engine.rows(statement("engines/duckdb/triggers_on_others", parts=parts))
    return (
        *own,
        *(
            Trigger(trigger_name, table, is_foreign=True)
            for _, trigger_name, table in dict.fromkeys(foreign)
        ),
    )


def _is_new(version: str) -> bool:
    return int(version.lstrip("v").split(".")[0]) >= 2
