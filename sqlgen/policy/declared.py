"""The policy as values: one class per section of the file, with the file's own spellings."""

import os
import re
from collections.abc import Mapping
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import reduce
from operator import or_
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    GetJsonSchemaHandler,
    PrivateAttr,
    StringConstraints,
    Tag,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import CoreSchema

from sqlgen.errors import PolicyError
from sqlgen.hierarchies.listed import Csv, Table, Tree, parse_name
from sqlgen.hierarchies.rules import Dates, Expressions, Intervals, Prefixes, Suppress
from sqlgen.models import MODELS, Guarantee


class Role(StrEnum):
    """What a column is to an observer who wants to know whom a row is about."""

    IDENTIFIER = "identifier"
    QUASI = "quasi"
    SENSITIVE = "sensitive"
    OTHER = "other"


class _Named:
    """Schema of a one-key mapping: ``{k_anonymity: {k: 5}}``."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.citation = MODELS[key].citation

    def __get_pydantic_json_schema__(
        self, core: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return {
            "type": "object",
            "description": self.citation,
            "properties": {self.key: handler(core)},
            "required": [self.key],
            "additionalProperties": False,
        }


def _inside(key: str) -> BeforeValidator:
    return BeforeValidator(lambda entry: entry[key] if isinstance(entry, Mapping) else entry)


def _only_key(value: Any) -> str | None:
    """The key of a one-key mapping; of a value already read, its own name."""
    if isinstance(value, Mapping):
        return str(next(iter(value))) if len(value) == 1 else None
    return getattr(value, "name", None)


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

if TYPE_CHECKING:
    AnyGuarantee = Guarantee
else:
    AnyGuarantee = Annotated[
        reduce(
            or_,
            [
                Annotated[model, _inside(name), _Named(name), Tag(name)]
                for name, model in MODELS.items()
            ],
        ),
        Discriminator(_only_key),
    ]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Source(_Section):
    """Where the rows are: a DuckDB file, and a table or a query in it."""

    database: Annotated[str, StringConstraints(min_length=1)] | None = None
    table: Annotated[str, StringConstraints(min_length=1)] | None = None
    query: Annotated[str, StringConstraints(min_length=1)] | None = None

    @model_validator(mode="after")
    def _one_relation(self) -> "Source":
        if self.table is not None and self.query is not None:
            raise ValueError("name a table or a query, not both")
        if self.table is not None:
            parse_name(self.table)
        return self


def _order(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        if any(isinstance(each, (list, tuple, Mapping)) for each in value):
            raise ValueError("an order is a list of values, not of lists or mappings")
        listed = tuple(str(each) for each in value)
        if len(listed) < 2 or len(set(listed)) < len(listed):
            raise ValueError("an order is a list of two or more values, each once")
        return listed
    if value not in ("numeric", "text"):
        raise ValueError("an order is numeric, text, or a list of values from low to high")
    return value


class ColumnPolicy(_Section):
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
        return self


class Release(_Section):
    """Where the release goes: a table, a view, a Parquet file or a CSV file."""

    table: Annotated[str, StringConstraints(min_length=1)] | None = None
    view: Annotated[str, StringConstraints(min_length=1)] | None = None
    parquet: Annotated[str, StringConstraints(min_length=1)] | None = None
    csv: Annotated[str, StringConstraints(min_length=1)] | None = None

    @model_validator(mode="after")
    def _one_target(self) -> "Release":
        if len(self.model_fields_set) != 1:
            raise ValueError("name one target: table, view, parquet or csv")
        if self.kind in ("table", "view"):
            parse_name(self.target)
        return self

    @property
    def kind(self) -> str:
        """Which of the four targets it is."""
        return next(iter(self.model_fields_set))

    @property
    def target(self) -> str:
        """The table's or view's name, or the file's path, as written."""
        return str(getattr(self, self.kind))


def _suppression(value: Any) -> Any:
    text = str(value).strip()
    if re.fullmatch(r"\d+|\d+(\.\d+)?\s*%", text) is None:
        raise ValueError("write a share of the rows, like 2%, or a whole number of rows")
    if text.endswith("%") and Decimal(text[:-1]) > 100:
        raise ValueError("a share cannot be more than 100%")
    if len(text) > 18:
        raise ValueError("no table has so many rows, or needs so fine a share")
    return text


_AN = {
    "order": "an order: numeric, text, or a list of its values",
    "hierarchy": "a hierarchy",
}


class MisfitError(ValueError):
    """A part of the policy that does not fit another; ``keys`` say where it stands."""

    def __init__(self, keys: tuple[str | int, ...], words: str) -> None:
        super().__init__(words)
        self.keys = keys


class Policy(_Section):
    """The policy: what each column is, what the release must guarantee, and where it goes."""

    source: Source = Source()
    columns: Annotated[dict[str, ColumnPolicy], Field(min_length=1)]
    guarantees: Annotated[tuple[AnyGuarantee, ...], Field(min_length=1)]
    suppression: Annotated[
        str,
        BeforeValidator(_suppression),
        WithJsonSchema({"anyOf": [{"type": "integer", "minimum": 0}, {"type": "string"}]}),
        Field(description="how much may be suppressed: 2%, or a number of rows"),
    ] = "0"
    objective: Literal["loss"] = "loss"
    release: Release | None = None

    _path: Path | None = PrivateAttr(None)
    _lines: Mapping[tuple[str | int, ...], int] = PrivateAttr(default_factory=dict)

    @model_validator(mode="after")
    def _some_quasi(self) -> "Policy":
        if not self.quasi:
            raise ValueError("columns: none has the role quasi, so there is nothing to anonymize")
        return self

    @model_validator(mode="after")
    def _guarantees_fit_columns(self) -> "Policy":
        for number, each in enumerate(self.guarantees):
            if each.person is not None and (
                each.person not in self.columns
                or self.columns[each.person].role in (Role.QUASI, Role.SENSITIVE)
            ):
                raise MisfitError(
                    ("guarantees", number, each.name, "unit"),
                    "must name a column that is neither a quasi-identifier nor sensitive; "
                    f"found {each.person}",
                )
            for name in () if each.person is not None else each.subject:
                key = "column" if len(each.subject) == 1 else "columns"
                where = ("guarantees", number, each.name, key)
                column = self.columns.get(name)
                if column is None or column.role is not Role.SENSITIVE:
                    found = "no such column" if column is None else f"role {column.role}"
                    raise MisfitError(where, f"{name} must be a sensitive column; found {found}")
                if each.needed and getattr(column, each.needed) is None:
                    raise MisfitError(where, f"give column {name} {_AN[each.needed]}")
        return self

    @property
    def quasi(self) -> tuple[str, ...]:
        """The quasi-identifiers, in the order of the file."""
        return tuple(key for key, column in self.columns.items() if column.role is Role.QUASI)

    @property
    def folder(self) -> Path:
        """What relative paths in the policy are relative to."""
        return self._path.parent if self._path else Path()

    @property
    def path(self) -> Path | None:
        """The policy file, where there is one."""
        return self._path

    def budget(self, rows: int) -> int:
        """How many of so many rows may be suppressed: the floor of the share, exactly."""
        if self.suppression.endswith("%"):
            return int(Fraction(self.suppression[:-1].strip()) / 100 * rows)
        return int(self.suppression)

    def where(self, *keys: str | int) -> str:
        """File, line and key: ``policy.yml:14: columns.zip``."""
        return located(self._path, self._lines, keys)

    def expand(self, text: str, *keys: str | int) -> str:
        """The text with each ``${VAR}`` read from the environment, whose values are not shown."""

        def value(found: re.Match[str]) -> str:
            if found[1] not in os.environ:
                raise PolicyError(
                    f"{self.where(*keys)}: the environment variable {found[1]} is not set"
                )
            return os.environ[found[1]]

        return re.sub(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}", value, text)

    def file(self, text: str, *keys: str | int) -> Path:
        """A path of the policy: environment read, relative to the policy's folder.

        Absolute, so that the printed SQL means the same file wherever it is run.
        """
        return (self.folder / self.expand(text, *keys)).absolute()


def located(
    path: Path | None, lines: Mapping[tuple[str | int, ...], int], keys: tuple[str | int, ...]
) -> str:
    """File, line and key of the nearest part of the policy that is written down."""
    known = keys
    while known and known not in lines:
        known = known[:-1]
    file = path.name if path else "policy"
    line = f":{lines[known]}" if known in lines else ""
    dotted = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in keys)
    return f"{file}{line}: {dotted.removeprefix('.')}".removesuffix(": ")
