"""What of a table's definition is in the way of its release in place, under the names it has."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlgen.engines.duckdb.definition import DefinedColumn, Definition, Index
from sqlgen.engines.duckdb.triggers import NamedType, Trigger
from sqlgen.policy import Policy, Role
from sqlgen.sql.types import enums_in


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
    """What cannot be as before once some columns hold labels and others are gone."""
    return [
        *_columns_in_the_way(policy, definition, changed),
        *_constraints_in_the_way(definition, changed, removed),
        *_indexes_in_the_way(definition, changed, removed),
        *_triggers_in_the_way(definition),
    ]


def types_in_the_way(kept: Definition, types: Mapping[str, NamedType]) -> list[Obstacle]:
    """The types that list values which go, under their names, and that something else uses."""
    found = []
    for called, each in types.items():
        holders = [*each.holders, *(["a default or a CHECK of it"] * _names(kept, each))]
        reason = f"{called} lists values that go, and is used by"
        if holders:
            found.append(Obstacle("", f"{reason} {', '.join(holders)}, which must go first"))
        elif each.users:
            found.append(Obstacle(called, f"{reason} {', '.join(each.users)}"))
    return found


def parts_of(definition: Definition) -> list[str]:
    """The parts of a definition that a policy may let go, under their names."""
    return [
        *(constraint.name for constraint in definition.constraints),
        *(index_name(index) for index in definition.indexes),
        *(default_name(column) for column in definition.columns if column.default is not None),
        *(_generated(column) for column in definition.columns if column.generated),
        *(not_null_name(column) for column in definition.columns if column.not_null),
        *(_trigger(trigger) for trigger in definition.triggers if not trigger.is_foreign),
    ]


def _generated(column: DefinedColumn) -> str:
    return f"GENERATED {column.name}"


def default_name(column: DefinedColumn) -> str:
    return f"DEFAULT {column.name}"


def not_null_name(column: DefinedColumn) -> str:
    return f"NOT NULL {column.name}"


def _trigger(trigger: Trigger) -> str:
    return f"TRIGGER {trigger.name}"


def type_name(named: NamedType, parts: Sequence[str]) -> str:
    return f"TYPE {named.called_from(parts[1])}"


def index_name(index: Index) -> str:
    return f"INDEX {index.name}"


def types_of(definition: Definition, hidden: set[str]) -> list[NamedType]:
    """The types of the database that list values of columns which are not released as they are."""
    enums = [enums_in(column.type) for column in definition.columns if column.name in hidden]
    return [each for each in definition.types if each.enums & frozenset[str]().union(*enums)]


def _columns_in_the_way(
    policy: Policy, definition: Definition, changed: set[str]
) -> list[Obstacle]:
    found = []
    for column in definition.columns:
        role = policy.columns[column.name].role
        if role is Role.IDENTIFIER:
            continue
        if column.generated:
            reason = (
                f"{column.name} is reckoned from other columns; it would be a column of its own"
            )
            found.append(Obstacle(_generated(column), reason))
        elif column.default is not None and column.name in changed:
            reason = f"the default of {column.name} is no label of its level"
            found.append(Obstacle(default_name(column), reason))
        if column.not_null and policy.masks_sensitive and role is Role.SENSITIVE:
            reason = f"{column.name} is NOT NULL, and suppress_sensitive makes it NULL in some rows"
            found.append(Obstacle(not_null_name(column), reason))
    return found


def _constraints_in_the_way(
    definition: Definition, changed: set[str], removed: Sequence[str]
) -> list[Obstacle]:
    found = [
        Obstacle("", f"{table} has a foreign key that points at it; rebuild {table} without it")
        for table in definition.referring
    ]
    if not definition.replays:
        found.append(
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
            found.append(
                Obstacle(
                    constraint.name,
                    f"{constraint.kind} {constraint.name} points out of it: {columns}",
                )
            )
        elif reason:
            found.append(
                Obstacle(constraint.name, f"{constraint.kind} {constraint.name}: {reason}")
            )
    return found


def _indexes_in_the_way(
    definition: Definition, changed: set[str], removed: Sequence[str]
) -> list[Obstacle]:
    found = []
    for index in definition.indexes:
        # Labels can be looked up as values can; they are not unique, and are no numbers.
        altered = changed if index.is_unique or not index.is_plain else set()
        reason = _reason(sorted(index.columns), altered, removed)
        if reason:
            found.append(Obstacle(index_name(index), f"{index_name(index)}: {reason}"))
    return found


def _triggers_in_the_way(definition: Definition) -> list[Obstacle]:
    """The triggers, none of which is kept: what they do with values they would do with labels."""
    return [
        Obstacle(
            "", f"the trigger {trigger.name} of {trigger.table} reads it or writes to it; drop it"
        )
        if trigger.is_foreign
        else Obstacle(_trigger(trigger), f"{_trigger(trigger)} was made for values, not labels")
        for trigger in definition.triggers
    ]


def _names(kept: Definition, each: NamedType) -> bool:
    """Whether what is kept of a definition names a type."""
    defaults = [column.default for column in kept.columns if column.default is not None]
    return each.is_named_in([*defaults, *(constraint.text for constraint in kept.constraints)])


def _reason(columns: Sequence[str], changed: set[str], removed: Sequence[str]) -> str:
    """Why something that reads columns cannot stay, if it cannot."""
    gone = [column for column in columns if column in removed]
    other = [column for column in columns if column in changed]
    if gone:
        return f"{', '.join(gone)} is an identifier, and goes"
    return f"{', '.join(other)} is released as a label" if other else ""
