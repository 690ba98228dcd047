"""The definition of a table that is released in place: what of it stays, and what is in the way."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import RESERVED, Relation, find
from sqlgen.engines.duckdb.definition import Definition, read_definition
from sqlgen.errors import PolicyError, RefusedError, UnsupportedError
from sqlgen.planning.obstacles import (
    Obstacle,
    default_name,
    index_name,
    not_null_name,
    obstacles_of,
    parts_of,
)
from sqlgen.policy import Policy, Role
from sqlgen.sql.render import name, quoted_name
from sqlgen.sql.types import without_enums

_SCRATCH = f"{RESERVED}in_place"


@dataclass(frozen=True)
class Change:
    """A table that becomes its own release, with the definition that it keeps.

    ``retyped`` holds the columns whose type is another afterwards, with both types; ``removed``
    the identifiers; ``views`` those that read the table.
    """

    parts: tuple[str, ...]
    kept: Definition
    retyped: Mapping[str, tuple[str, str]]
    removed: tuple[str, ...]
    obstacles: tuple[Obstacle, ...]
    views: tuple[tuple[str, ...], ...] = ()

    @property
    def table(self) -> Markup:
        """The table, in full."""
        return name(self.parts)

    @property
    def scratch_parts(self) -> tuple[str, ...]:
        """The name under which the release is built, in the same schema."""
        return (*self.parts[:2], _SCRATCH)

    def to_dict(self) -> dict[str, Any]:
        """The change as plain values, as ``sqlgen plan --json`` prints it."""
        return {
            "retyped": {column: list(types) for column, types in self.retyped.items()},
            "removed": list(self.removed),
            "in_the_way": [obstacle.reason for obstacle in self.obstacles],
        }


def find_change(
    engine: Engine, policy: Policy, source: Relation, levels: Mapping[str, int]
) -> Change:
    """The change of the source's definition in place, where labels have these levels at most."""
    where = policy.where("release", "in_place")
    if source.kind != "table" or source.parts[0] == "temp":
        raise UnsupportedError(
            f"{where}: only a table that lasts can become its own release; the source is a "
            f"{'temporary table' if source.kind == 'table' else source.kind}. Nothing was changed."
        )
    definition = read_definition(engine, source, where)
    drop = policy.in_place.drop if policy.in_place is not None else ()
    released = _released(policy, source, levels)
    changed = {column for column in released if levels.get(column, 0) or policy.level(column)}
    removed = tuple(column for column in source.names if column not in released)
    obstacles = obstacles_of(policy, definition, changed, removed)
    known = parts_of(definition)
    for number, part in enumerate(drop):
        if part not in known:
            raise PolicyError(
                f"{policy.where('release', 'in_place', 'drop', number)}: {source.parts[2]} has no "
                f"{part}; it has {', '.join(known) or 'nothing that could go'}. "
                "Nothing was changed."
            )
    kept = _kept(definition, released, {obstacle.called for obstacle in obstacles})
    retyped = {
        column.name: (before.type, column.type)
        for before in definition.columns
        for column in kept.columns
        if column.name == before.name and column.type != before.type
    }
    left = tuple(obstacle for obstacle in obstacles if obstacle.called not in drop)
    return Change(source.parts, kept, _without_values(retyped), removed, left)


def check_change(engine: Engine, policy: Policy, change: Change) -> None:
    """Refuse a change that would lose a part of the definition without being told to."""
    where = policy.where("release", "in_place")
    if change.obstacles:
        lines = "".join(f"\n  {obstacle.reason}." for obstacle in change.obstacles)
        named = [obstacle.called for obstacle in change.obstacles if obstacle.called]
        allow = (
            f"\nTo let parts of the definition go, say in the policy: drop: [{_listed(named)}]."
            if named
            else ""
        )
        raise RefusedError(
            f"{where}: {change.parts[2]} cannot be as before:{lines}{allow} Nothing was changed."
        )
    if find(engine, quoted_name(change.scratch_parts)) is not None:
        raise RefusedError(
            f"{where}: the release needs the name {_SCRATCH} while it is built, and something has "
            "it. Rename that. Nothing was changed."
        )


def _released(policy: Policy, source: Relation, levels: Mapping[str, int]) -> dict[str, str]:
    """The released columns and their types: text for labels, and for enums."""
    return {
        column.name: "VARCHAR"
        if column.is_text or levels.get(column.name, 0) or policy.level(column.name)
        else column.type
        for column in source.columns
        if policy.columns[column.name].role is not Role.IDENTIFIER
    }


def _kept(definition: Definition, released: Mapping[str, str], gone: set[str]) -> Definition:
    """The definition without what is in the way, and with the released types."""
    columns = []
    for column in definition.columns:
        if column.name not in released:
            continue
        is_text = released[column.name] == "VARCHAR"
        columns.append(
            replace(
                column,
                type=released[column.name],
                default=None if default_name(column) in gone else column.default,
                not_null=column.not_null and not_null_name(column) not in gone,
                collation=column.collation if is_text else None,
            )
        )
    return replace(
        definition,
        columns=tuple(columns),
        constraints=tuple(
            constraint for constraint in definition.constraints if constraint.name not in gone
        ),
        indexes=tuple(index for index in definition.indexes if index_name(index) not in gone),
    )


def _without_values(
    retyped: Mapping[str, tuple[str, str]],
) -> dict[str, tuple[str, str]]:
    """The types without the values that an enum's type lists."""
    return {column: (without_enums(before), after) for column, (before, after) in retyped.items()}


def _listed(names: Sequence[str]) -> str:
    """Names as a list in YAML has them."""
    return ", ".join(json.dumps(each, ensure_ascii=False) for each in names)
