"""Where the rows are, where the release goes, and how a scheduled run goes about it."""

import re
from datetime import timedelta
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StringConstraints, WithJsonSchema, model_validator

from sqlgen.policy.columns import Section
from sqlgen.sql.names import parse_name, with_ending
from sqlgen.sql.numbers import DIGITS, EXACT, SHARE

# Kinds of target: relations of the database under a name of their own, files and folders, and the
# source itself. Whoever must know which of these a target is asks here.
RELATION_KINDS = ("table", "view")
FILE_KINDS = ("parquet", "csv")
DATABASE_KINDS = (*RELATION_KINDS, "in_place")
KINDS = (*RELATION_KINDS, *FILE_KINDS, "in_place")


class Source(Section):
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


class InPlace(Section):
    """How a table becomes its own release: what of its definition may go, and its old values."""

    drop: Annotated[
        tuple[str, ...],
        Field(description="parts of the definition that may go, as the refusal names them"),
    ] = ()
    scrub: Annotated[
        Literal["unlink", "overwrite"] | None,
        Field(description="rewrite the database file, and what happens to the old one"),
    ] = None


def _in_place(value: Any) -> Any:
    if isinstance(value, str):
        if value != "true":
            raise ValueError("write true, or a mapping with the keys drop and scrub")
        return {}
    return value


def _lag(value: Any) -> Any:
    if str(value).strip().startswith("-"):
        raise ValueError("must be at least 0h")
    if re.fullmatch(r"[0-9]{1,4}\s*[hd]", str(value).strip()) is None:
        raise ValueError("write a whole number of hours or days, like 6h or 2d")
    return str(value).strip()


class Since(Section):
    """The column that says when a row came, and how late rows may come."""

    column: Annotated[str, StringConstraints(min_length=1)]
    lag: Annotated[
        str,
        BeforeValidator(_lag),
        Field(description="how long after its time a row is released: 6h, or 2d"),
    ] = "0h"

    @property
    def delay(self) -> timedelta:
        """The lag as a span of time."""
        return timedelta(hours=int(self.lag[:-1]) * (24 if self.lag[-1] == "d" else 1))


def _since(value: Any) -> Any:
    return {"column": value} if isinstance(value, str) else value


class ReleaseTarget(Section):
    """Where the release goes: a table, a view, a Parquet file, a CSV file, or its own source."""

    table: Annotated[str, StringConstraints(min_length=1)] | None = None
    view: Annotated[str, StringConstraints(min_length=1)] | None = None
    parquet: Annotated[str, StringConstraints(min_length=1)] | None = None
    csv: Annotated[str, StringConstraints(min_length=1)] | None = None
    in_place: Annotated[
        InPlace | None,
        BeforeValidator(_in_place),
        WithJsonSchema(
            {
                "anyOf": [
                    {"const": True},
                    {
                        "type": "object",
                        "properties": {
                            "drop": {"type": "array", "items": {"type": "string"}},
                            "scrub": {"enum": ["unlink", "overwrite"]},
                        },
                        "additionalProperties": False,
                    },
                ]
            }
        ),
    ] = None

    partition_by: Annotated[
        tuple[str, ...],
        Field(
            min_length=1,
            description="released columns: the Parquet file is a folder of files, one per "
            "combination of their values",
        ),
    ] = ()
    timestamped: Annotated[
        bool, Field(description="a table or file of its own per release, named by its time")
    ] = False
    keep: Annotated[
        int | None,
        DIGITS,
        Field(ge=1, description="how many releases of a timestamped target stay"),
    ] = None
    since: Annotated[
        Since | None,
        BeforeValidator(_since),
        WithJsonSchema(
            {
                "anyOf": [
                    {"type": "string"},
                    {
                        "type": "object",
                        "properties": {
                            "column": {"type": "string"},
                            "lag": {"type": "string", "pattern": "^[0-9]{1,4} ?[hd]$"},
                        },
                        "required": ["column"],
                        "additionalProperties": False,
                    },
                ]
            }
        ),
        Field(
            description="release only the rows that came since the last release of a timestamped "
            "target, by the column that says when"
        ),
    ] = None

    @model_validator(mode="after")
    def _one_target(self) -> "ReleaseTarget":
        if len(self.model_fields_set & {*KINDS}) != 1:
            raise ValueError("name one target: table, view, parquet, csv or in_place")
        if self.kind in RELATION_KINDS:
            parse_name(self.target)
        if self.timestamped and self.kind not in ("table", *FILE_KINDS):
            raise ValueError("timestamped is for a table or a file")
        if self.keep is not None and not self.timestamped:
            raise ValueError("keep is for a timestamped target")
        if self.since is not None and not self.timestamped:
            raise ValueError(
                "since is for a timestamped target: what came is a table or file of its own"
            )
        if self.partition_by and self.kind != "parquet":
            raise ValueError("partition_by is for parquet")
        return self

    @property
    def kind(self) -> str:
        """Which of the five targets it is."""
        return next(kind for kind in KINDS if kind in self.model_fields_set)

    @property
    def target(self) -> str:
        """The table's or view's name, or the file's path, as written."""
        return str(getattr(self, self.kind))

    def beside(self, ending: str) -> "ReleaseTarget":
        """The target beside this one: a table or a file of the same kind, with an ending.

        >>> ReleaseTarget(csv="out/people.csv.gz").beside("_sensitive").target
        'out/people_sensitive.csv.gz'
        """
        if self.kind in RELATION_KINDS:
            named = with_ending(self.target, ending)
        else:
            named = re.sub(
                r"((\.[A-Za-z0-9]+)?(\.gz|\.zst)?)$", rf"{ending}\1", self.target, count=1
            )
        return self.model_copy(update={self.kind: named})


class Schedule(Section):
    """The rules of a scheduled run for a table that has changed since the last release."""

    on_drift: Annotated[
        Literal["fail", "coarsen", "replan"],
        Field(description="what to do when the locked levels no longer give the guarantees"),
    ] = "fail"
    rows_factor: Annotated[
        Decimal,
        *EXACT,
        Field(ge=1, description="how many times larger or smaller the table may be"),
    ] = Decimal(2)
    nulls_rise: Annotated[
        Decimal,
        *SHARE,
        Field(ge=0, le=1, description="by how much a column's share of NULLs may rise"),
    ] = Decimal("0.1")
