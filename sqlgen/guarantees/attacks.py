"""Attacks as requirements: what an observer of the release could learn, and a limit to it.

All but skewness count rows or persons. With the limit 0 a class that is open to the attack fails,
and is suppressed; with a larger limit they are judged over the finished release.
"""

import math
import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Literal

from markupsafe import Markup
from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from sqlgen.guarantees.base import (
    Guarantee,
    GuaranteeTables,
    Name,
    PeopleTable,
    ValueGuarantee,
    guarantee_fragment,
    ratio,
    rounded_up,
)
from sqlgen.guarantees.likeness import Likeness
from sqlgen.sql.numbers import DIGITS, EXACT, SHARE, refuse_digits
from sqlgen.sql.render import commas, each, sql


def _limit(value: Any) -> Any:
    text = str(value).strip()
    refuse_digits(text)
    if text.startswith("-"):
        raise ValueError("must be at least 0")
    if re.fullmatch(r"[0-9]{1,18}|[0-9]{1,3}(\.[0-9]{1,7})?\s*%", text) is None:
        raise ValueError("write a number of rows, like 0, or a share of them, like 5%")
    if text.endswith("%") and Decimal(text[:-1].strip()) > 100:
        raise ValueError("a share cannot be more than 100%")
    return text


class CountedAttack(Guarantee):
    """An attack whose victims are counted over the release, and may be limited."""

    aggregate: ClassVar[Literal["MIN", "MAX", "SUM"]] = "SUM"

    at_most: Annotated[
        str,
        BeforeValidator(_limit),
        WithJsonSchema({"anyOf": [{"type": "integer", "minimum": 0}, {"type": "string"}]}),
        Field(description="how many rows may be open to it: a number, or a share like 5%"),
    ]

    @property
    def limit(self) -> Fraction | int:
        """The limit in rows, or as a share of the released rows."""
        if self.at_most.endswith("%"):
            return Fraction(self.at_most[:-1].strip()) / 100
        return int(self.at_most)

    @property
    def possible(self) -> tuple[float, float]:
        """The possible counts of a class: 0 alone with the limit 0, else any."""
        return (0, 0 if self.limit == 0 else math.inf)

    @property
    def counts(self) -> str:
        """The unit of the count."""
        return "rows"

    @property
    def requirement(self) -> str:
        """The limit."""
        return f"{self.counts} <= {self.at_most}"

    def failure(self, rows: int) -> str:
        """The limit, where it is 0: a larger one is of the release, and no class breaks it."""
        return super().failure(rows) if self.limit == 0 else ""

    def achievable_threshold(self, measured: float) -> str:
        """The rows that are open to it."""
        return f"at_most {math.ceil(measured)}"

    @property
    def prunes(self) -> bool:
        """Where every open class fails; a share of a release is not monotone."""
        return self.monotone and self.limit == 0


class RowAttack(CountedAttack, ValueGuarantee):
    """An attack on one sensitive column, counted in rows of the release."""


class Homogeneity(RowAttack):
    """The homogeneity attack: rows in classes that hold one value."""

    name: ClassVar[str] = "homogeneity"
    citation: ClassVar[str] = "Machanavajjhala et al. 2006, section 1.1"

    def verdict(self, scope: GuaranteeTables) -> Markup:
        """The rows of a class with one value."""
        return guarantee_fragment("few_values", scope, most=1, strict=self.limit == 0)


class BackgroundKnowledge(RowAttack):
    """The background knowledge attack: rows whose value follows once b values are ruled out.

    They are the rows of classes with at most b + 1 values.
    """

    name: ClassVar[str] = "background_knowledge"
    citation: ClassVar[str] = "Machanavajjhala et al. 2006, section 1.1"

    excluded: Annotated[int, Field(ge=1, description="values that can be ruled out"), DIGITS]

    @property
    def options(self) -> tuple[str, ...]:
        """How many values are ruled out."""
        return (f"{self.excluded} ruled out",)

    def verdict(self, scope: GuaranteeTables) -> Markup:
        """The rows of a class with too few values."""
        return guarantee_fragment(
            "few_values", scope, most=self.excluded + 1, strict=self.limit == 0
        )


class Similarity(RowAttack):
    """The similarity attack: rows in classes whose values all lie in one group.

    Groups are the labels at a ``level`` of the column's hierarchy, or written down; a value of no
    group is a group of its own.
    """

    name: ClassVar[str] = "similarity"
    citation: ClassVar[str] = "Li et al. 2007, section 3"

    level: Annotated[int | None, Field(ge=1, description="of the hierarchy"), DIGITS] = None
    groups: Annotated[
        Mapping[str, Annotated[tuple[Name, ...], Field(min_length=1)]],
        Field(description="names of groups, with their values"),
    ] = {}

    @property
    def options(self) -> tuple[str, ...]:
        """The level, or that groups are written down."""
        return (f"level {self.level}" if self.level is not None else "groups",)

    @model_validator(mode="after")
    def _one_grouping(self) -> "Similarity":
        if (self.level is None) == (not self.groups):
            raise ValueError("give a level of the column's hierarchy, or groups of values")
        named = [value for values in self.groups.values() for value in values]
        if len(set(named)) < len(named):
            raise ValueError("a value stands in two groups")
        return self

    @property
    def needs_column_option(self) -> str:
        """A hierarchy, where a level of it is the grouping."""
        return "hierarchy" if self.level is not None else ""

    @property
    def named_values(self) -> tuple[str, ...]:
        """The values of the groups."""
        return tuple(value for values in self.groups.values() for value in values)

    def verdict(self, scope: GuaranteeTables) -> Markup:
        """The rows of a class inside one group."""
        groups = [
            (-1 - number, commas(each(values, "TRY_CAST({:literal} AS {type})", type=scope.type)))
            for number, values in enumerate(self.groups.values())
        ]
        at_top = self.level is not None and self.level >= scope.height
        label = sql("0") if at_top else sql("value.id_{level}", level=self.level or 0)
        return guarantee_fragment(
            self.name, scope, groups=groups, label=label, strict=self.limit == 0
        )


class Skewness(Likeness):
    """The skewness attack: the largest factor by which a class raises the share of a value."""

    name: ClassVar[str] = "skewness"
    citation: ClassVar[str] = "Li et al. 2007, section 3"
    bounded_by: ClassVar[str] = "at_most"

    at_most: Annotated[Decimal, *EXACT, Field(ge=1, description="the largest factor allowed")]

    @property
    def requirement(self) -> str:
        """The largest factor."""
        return f"factor <= {self.at_most}"

    def achievable_threshold(self, measured: float) -> str:
        """The largest factor that there is, where it is finite."""
        return f"at_most {rounded_up(measured)}" if measured < math.inf else ""

    def verdict(self, scope: GuaranteeTables) -> Markup:
        """The largest factor."""
        return guarantee_fragment(self.name, scope, **ratio(self.at_most))


class Concentration(Skewness):
    """The skewness attack as an audit reports it, without what every table is open to.

    Of each value its rows in a class, over the rows that a class of that size is expected to have
    of it by its share of the whole table, or over 1 where fewer are expected: whatever class has a
    value has one row of it. So a column of values that all differ gives 1, where the factor by
    which shares rise is the rows of the table over those of a class.
    """

    name: ClassVar[str] = "concentration"

    def verdict(self, scope: GuaranteeTables) -> Markup:
        """The largest number of rows of a value over those expected."""
        return guarantee_fragment(self.name, scope)


class Linkage(CountedAttack, Guarantee):
    """The linkage attack: known persons who are linked with a confidence ``above`` a share.

    ``prosecutor`` knows that a person is in the table, and links them to one of the n rows of the
    class that they match, with the confidence 1/n. ``journalist`` knows that rows are of known
    persons, and links a row to one of the j who match, with the confidence 1/j. Both count
    persons. ``marketer`` links everybody at once, and of each class gets min(n, j)/max(n, j) right,
    as is to be expected; that is counted to 12 digits, rounded up. Not monotone: a person who
    matches no class may match a coarser one.
    """

    name: ClassVar[str] = "linkage"
    citation: ClassVar[str] = (
        "Sweeney 2002, section 1; El Emam and Dankar 2008; Dankar and El Emam 2010, marketer risk"
    )
    monotone: ClassVar[bool] = False
    must_suppress: ClassVar[bool] = True

    known: Annotated[PeopleTable, Field(description="a table of known persons")]
    risk: Literal["prosecutor", "journalist", "marketer"]
    above: Annotated[
        Decimal | None,
        *SHARE,
        Field(ge=0, lt=1, description="the confidence that is too much; every one by default"),
    ] = None

    @model_validator(mode="after")
    def _confidence_of_one_person(self) -> "Linkage":
        if self.risk == "marketer" and self.above is not None:
            raise ValueError("above goes with prosecutor and journalist; a marketer's is a mean")
        return self

    @property
    def people(self) -> PeopleTable:
        """The known persons."""
        return self.known

    @property
    def counts(self) -> str:
        """Persons."""
        return "persons"

    @property
    def sum_type(self) -> Markup:
        """A marketer's links are not whole."""
        return Markup("DECIMAL(38, 12)") if self.risk == "marketer" else super().sum_type

    @property
    def options(self) -> tuple[str, ...]:
        """The risk, and the confidence."""
        if self.risk == "marketer":
            return (self.risk,)
        return (self.risk, f"confidence above {self.above}" if self.above else "any confidence")

    def verdict(self, scope: GuaranteeTables) -> Markup:
        """The persons of a class who are linked."""
        return guarantee_fragment(
            "linkage",
            scope,
            risk=self.risk,
            strict=self.limit == 0,
            **ratio(self.above or 0),
        )


ATTACKS: tuple[type[Guarantee], ...] = (
    Homogeneity,
    BackgroundKnowledge,
    Similarity,
    Skewness,
    Linkage,
)
