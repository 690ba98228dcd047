"""Obstacles to a release in place: parts of the table's definition, under their names."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlgen.engines.duckdb.definition import DefinedColumn, Definition, Index
from sqlgen.policy import Policy, Role
from sqlgen.sql.types import enums_in

_WAY_OUT = "release another table, and rename that yourself"


@dataclass(frozen=True)
class Obstacle:
    """Something that the released table cannot have as before, under the name it is dropped by.

    What cannot be dropped by the policy has no name.
    """

    called: str
    reason: str


def obstacles_of(
    policy: Policy, definition: Definition, changed: set[str], removed: Sequence[str]
) -> list[Obstacle]:
    """The parts of a definition that are lost once columns hold labels and others are gone."""
    return [
        *_columns_in_the_way(policy, definition, changed),
        *_types_in_the_way(definition, {*changed, *removed}),
        *_constraints_in_the_way(definition, changed, removed),
        *_indexes_in_the_way(definition, changed, removed),
        *_triggers_in_the_way(definition),
    ]


def parts_of(definition: Definition) -> list[str]:
    """The parts of a definition that a policy may let go, under their names."""
    return [
        *(constraint.name for constraint in definition.constraints),
        *(index_name(index) for index in definition.indexes),
        *(default_name(column) for column in definition.columns if column.default is not None),
        *(not_null_name(column) for column in definition.columns if column.not_null),
    ]


def default_name(column: DefinedColumn) -> str:
    return f"DEFAULT {column.name}"


def not_null_name(column: DefinedColumn) -> str:
    return f"NOT NULL {column.name}"


def index_name(index: Index) -> str:
    return f"INDEX {index.name}"


def _columns_in_the_way(
    policy: Policy, definition: Definition, changed: set[str]
) -> list[Obstacle]:
    obstacles = []
    for column in definition.columns:
        role = policy.columns[column.name].role
        if role is Role.IDENTIFIER:
            continue
        if column.generated:
            reason = f"{column.name} is a generated column; {_WAY_OUT}"
            obstacles.append(Obstacle("", reason))
        elif column.default is not None and column.name in changed:
            reason = f"the default of {column.name} is no label of its level"
            obstacles.append(Obstacle(default_name(column), reason))
        if column.not_null and policy.masks_sensitive and role is Role.SENSITIVE:
            reason = f"{column.name} is NOT NULL, and suppress_sensitive makes it NULL in some rows"
            obstacles.append(Obstacle(not_null_name(column), reason))
    return obstacles


def _constraints_in_the_way(
    definition: Definition, changed: set[str], removed: Sequence[str]
) -> list[Obstacle]:
    obstacles = [
        Obstacle("", f"{table} has a foreign key that points at it; rebuild {table} without it")
        for table in definition.referring
    ]
    if not definition.replays:
        obstacles.append(
            Obstacle(
                "",
                "it has a CHECK or a default with a function in it, and DuckDB 1.5 could not open "
                "the database again after a crash; use DuckDB 2.0",
            )
        )
    for constraint in definition.constraints:
        reason = _reason(constraint.columns, changed, removed)
        if constraint.kind == "FOREIGN KEY":
            columns = ", ".join(constraint.columns)
            obstacles.append(
                Obstacle(
                    constraint.name,
                    f"{constraint.kind} {constraint.name} points out of it: {columns}",
                )
            )
        elif reason:
            obstacles.append(
                Obstacle(constraint.name, f"{constraint.kind} {constraint.name}: {reason}")
            )
    return obstacles


def _indexes_in_the_way(
    definition: Definition, changed: set[str], removed: Sequence[str]
) -> list[Obstacle]:
    obstacles = []
    for index in definition.indexes:
        # Labels can be looked up as values can; they are not unique, and are no numbers.
        altered = changed if index.is_unique or not index.is_plain else set()
        reason = _reason(sorted(index.columns), altered, removed)
        if reason:
            obstacles.append(Obstacle(index_name(index), f"{index_name(index)}: {reason}"))
    return obstacles


def _triggers_in_the_way(definition: Definition) -> list[Obstacle]:
    """The triggers: they were made for values, and would be given labels."""
    return [
        Obstacle(
            "", f"the trigger {trigger.name} of {trigger.table} reads it or writes to it; drop it"
        )
        if trigger.is_foreign
        else Obstacle(
            "",
            f"its trigger {trigger.name} was made for values, not labels; drop it, or {_WAY_OUT}",
        )
        for trigger in definition.triggers
    ]


def _types_in_the_way(definition: Definition, hidden: set[str]) -> list[Obstacle]:
    """The columns whose type lists values that are hidden: the type would stay, and tell them."""
    return [
        Obstacle("", f"the type of {column.name} is an enum of values that go; {_WAY_OUT}")
        for column in definition.columns
        if column.name in hidden and enums_in(column.type)
    ]


def _reason(columns: Sequence[str], changed: set[str], removed: Sequence[str]) -> str:
    """Why something that reads columns cannot stay, if it cannot."""
    gone = [column for column in columns if column in removed]
    other = [column for column in columns if column in changed]
    if gone:
        return f"{', '.join(gone)} is an identifier, and goes"
    return f"{', '.join(other)} is released as a label" if other else ""
