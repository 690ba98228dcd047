"""The columns of a policy: what each is to an observer, and how it may be coarsened."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    WithJsonSchema,
    model_validator,
)

from sqlgen.hierarchies.lists import Csv, Table, Tree
from sqlgen.hierarchies.rules import Dates, Expressions, Intervals, Prefixes, Suppress
from sqlgen.sql.numbers import DIGITS


class Role(StrEnum):
    """The role of a column for an observer who wants to know whom a row is about."""

    IDENTIFIER = "identifier"
    QUASI = "quasi"
    SENSITIVE = "sensitive"
    OTHER = "other"


class Section(BaseModel):
    """A part of the policy file: its keys are known, and it does not change."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def _hierarchy_kind(value: Any) -> str | None:
    if isinstance(value, BaseModel):
        return _HIERARCHY_KINDS[type(value)]
    if isinstance(value, Mapping):
        kinds = [key for key in _HIERARCHY_KINDS.values() if key in value and key != "suppress"]
        return kinds[0] if len(kinds) == 1 else None
    return "suppress" if value == "suppress" else None


_HIERARCHY_KINDS: dict[type[BaseModel], str] = {
    Suppress: "suppress",
    Intervals: "intervals",
    Prefixes: "prefixes",
    Dates: "dates",
    Expressions: "sql",
    Csv: "csv",
    Table: "table",
    Tree: "tree",
}

Hierarchy = Annotated[
    Annotated[
        Suppress,
        BeforeValidator(lambda value: {} if value == "suppress" else value),
        WithJsonSchema({"const": "suppress", "description": Suppress.__doc__}),
        Tag("suppress"),
    ]
    | Annotated[Intervals, Tag("intervals")]
    | Annotated[Prefixes, Tag("prefixes")]
    | Annotated[Dates, Tag("dates")]
    | Annotated[Expressions, Tag("sql")]
    | Annotated[Csv, Tag("csv")]
    | Annotated[Table, Tag("table")]
    | Annotated[Tree, Tag("tree")],
    Discriminator(_hierarchy_kind),
]


def _order(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        if any(isinstance(entry, (list, tuple, Mapping)) for entry in value):
            raise ValueError("an order is a list of values, not of lists or mappings")
        listed = tuple(str(entry) for entry in value)
        if len(listed) < 2 or len(set(listed)) < len(listed):
            raise ValueError("an order is a list of two or more values, each once")
        return listed
    if value not in ("numeric", "text"):
        raise ValueError("an order is numeric, text, or a list of values from low to high")
    return value


def _levels(value: Any) -> Any:
    bounds = tuple(value) if isinstance(value, (list, tuple)) else (value, value)
    if any(str(bound).startswith("-") for bound in bounds):
        raise ValueError("levels are counted from 0, the value itself")
    if len(bounds) != 2 or any(re.fullmatch("[0-9]{1,4}", str(bound)) is None for bound in bounds):
        raise ValueError("write a level, like 2, or the least and the most, like [1, 3]")
    least, most = (int(bound) for bound in bounds)
    if least > most:
        raise ValueError("the least level comes first")
    return least, most


class ColumnPolicy(Section):
    """One column: its role and how it may be coarsened; of a sensitive one also its order."""

    role: Role
    hierarchy: Hierarchy | None = None
    uncovered: Literal["error", "top", "suppress"] = Field(
        "error", description="values that the hierarchy gives no label"
    )
    nulls: Literal["value", "top", "suppress"] = Field(
        "value", description="NULL: a value of its own, fully general, or its row suppressed"
    )
    order: Annotated[
        Literal["numeric", "text"] | tuple[str, ...] | None,
        BeforeValidator(_order),
        Field(description="of a sensitive column: numeric, text, or its values from low to high"),
    ] = None

    levels: Annotated[
        tuple[int, int] | None,
        BeforeValidator(_levels),
        WithJsonSchema(
            {
                "anyOf": [
                    {"type": "integer", "minimum": 0},
                    {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2},
                ]
            }
        ),
        Field(description="of a quasi-identifier: the level, or the least and the most, to plan"),
    ] = None
    level: Annotated[
        int | None,
        Field(ge=1, description="of a sensitive column: the level that is released in its place"),
        DIGITS,
    ] = None

    @model_validator(mode="after")
    def _a_level_has_a_hierarchy(self) -> "ColumnPolicy":
        if self.level is not None:
            if self.role is not Role.SENSITIVE:
                raise ValueError(f"level goes with the role sensitive; found role {self.role}")
            if self.hierarchy is None:
                raise ValueError("level goes with a hierarchy; found none")
            if self.order == "numeric":
                raise ValueError(
                    "with a level, labels are ordered, not numbers: say text, or list the labels"
                )
        return self

    @model_validator(mode="after")
    def _keys_go_with_the_role(self) -> "ColumnPolicy":
        if self.role is Role.QUASI and self.hierarchy is None:
            raise ValueError("a quasi-identifier needs a hierarchy; the shortest is: suppress")
        written = self.model_fields_set
        if self.role is not Role.QUASI:
            allowed = {"hierarchy"} if self.role is Role.SENSITIVE else set()
            if self.role is Role.SENSITIVE and self.hierarchy is not None:
                allowed |= {"uncovered", "nulls"}
            for key in ("hierarchy", "uncovered", "nulls"):
                if key in written and key not in allowed:
                    if self.role is Role.SENSITIVE:
                        raise ValueError(f"{key} goes with a hierarchy; found none")
                    raise ValueError(f"{key} goes with the role quasi; found role {self.role}")
        if self.role is Role.SENSITIVE and "suppress" in (self.uncovered, self.nulls):
            key, other = ("nulls", "value") if self.nulls == "suppress" else ("uncovered", "error")
            raise ValueError(
                f"{key}: suppress goes with the role quasi; a sensitive column takes {other} or top"
            )
        if "order" in written and self.role is not Role.SENSITIVE:
            raise ValueError(f"order goes with the role sensitive; found role {self.role}")
        if self.levels is not None and self.role is not Role.QUASI:
            raise ValueError(f"levels goes with the role quasi; found role {self.role}")
        return self


def unfit_accepted(columns: Mapping[str, ColumnPolicy], accepted: tuple[str, ...]) -> str:
    """Why the last of some names cannot stand in ``accept_unique``; empty where it can."""
    *earlier, name = accepted
    column = columns.get(name)
    if column is None or column.role not in (Role.OTHER, Role.SENSITIVE):
        fault = "no such column" if column is None else f"role {column.role}"
        return f"{name} must be a column of the role other or sensitive; found {fault}"
    return f"{name} is named twice" if name in earlier else ""
