"""Presence: what a release tells about who is in it, held against a population."""

from decimal import Decimal
from typing import Annotated, Any, ClassVar, Literal

from markupsafe import Markup
from pydantic import Field, model_validator

from sqlgen.guarantees.base import (
    Guarantee,
    GuaranteeTables,
    PeopleTable,
    guarantee_fragment,
    ratio,
    rounded_up,
)
from sqlgen.sql.numbers import DIGITS, SHARE

Population = Annotated[
    PeopleTable, Field(description="a table of everybody that a row could be about")
]


class Presence(Guarantee):
    """The base of the presence guarantees: a population, matched with classes."""

    must_suppress: ClassVar[bool] = True

    population: Population

    @property
    def people(self) -> PeopleTable:
        """The population."""
        return self.population

    @property
    def options(self) -> tuple[Any, ...]:
        """The population."""
        return (f"population {self.population.table}",)


class KMap(Presence):
    """k-map: every class of the release matches at least k people of a population.

    The table itself may hold fewer rows of the class: whoever links it to the population still
    finds k people. Monotone, also under suppression, for the reason that k-anonymity is.
    """

    name: ClassVar[str] = "k_map"
    citation: ClassVar[str] = "Sweeney 2002, k-Anonymity, section 2; El Emam and Dankar 2008, k-map"
    aggregate: ClassVar[Literal["MIN", "MAX", "SUM"]] = "MIN"
    bounded_by: ClassVar[str] = "k"
    monotone_suppressed: ClassVar[bool] = True

    k: Annotated[int, Field(ge=2, description="people of the population, at least"), DIGITS]

    @property
    def requirement(self) -> str:
        """The least k."""
        return f"k >= {self.k}"

    def achievable_threshold(self, measured: float) -> str:
        """The people that match the class which fewest do, where they are more than 1."""
        return f"k {measured:.0f}" if measured > 1 else ""

    def verdict(self, scope: GuaranteeTables) -> Markup:
        """The people that match."""
        return guarantee_fragment(self.name, scope, k=self.k)


class DeltaPresence(Presence):
    """delta-presence: the chance that a person of a population is in the table has bounds.

    It is the rows of a class over the people that match it, at most ``most`` and at least
    ``least``. People that match no class have the chance 0: with a ``least`` above 0 every person
    must match one, and no class can be suppressed. Monotone: the chance of a coarser class is a
    mean of those of finer ones. A figure above 1 says that the population lacks people.
    """

    name: ClassVar[str] = "delta_presence"
    citation: ClassVar[str] = "Nergiz, Atzori and Clifton 2007, delta-presence"
    aggregate: ClassVar[Literal["MIN", "MAX", "SUM"]] = "MAX"
    bounded_by: ClassVar[str] = "most"

    most: Annotated[Decimal, *SHARE, Field(gt=0, le=1, description="the largest chance allowed")]
    least: Annotated[Decimal, *SHARE, Field(ge=0, le=1, description="the least")] = Decimal(0)

    @model_validator(mode="after")
    def _least_is_less(self) -> "DeltaPresence":
        if self.least > self.most:
            raise ValueError("least must not be more than most")
        return self

    @property
    def reference_moves(self) -> bool:
        """Whether the reference moves: if all must be present, losing a class fails the others."""
        return self.least > 0

    @property
    def requirement(self) -> str:
        """The bounds."""
        least = f"{self.least} <= " if self.least else ""
        return f"{least}chance <= {self.most}"

    def achievable_threshold(self, measured: float) -> str:
        """The largest chance, where it is one that exceeds."""
        if self.least or measured >= 1:
            return ""
        return f"most {rounded_up(measured)}"

    def unmet(self, measured: float) -> str:
        """That a chance is too small, also that of people who match no class."""
        return f"chance < {self.least}" if measured <= float(self.most) else ""

    def verdict(self, scope: GuaranteeTables) -> Markup:
        """The rows over the people that match."""
        return guarantee_fragment(self.name, scope, most=ratio(self.most), least=ratio(self.least))


PRESENCE: tuple[type[Guarantee], ...] = (KMap, DeltaPresence)
