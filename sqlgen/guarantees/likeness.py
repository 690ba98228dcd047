"""Likeness: bounds on how far one value's share in a class may be from its share in the table."""

import math
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Literal

from markupsafe import Markup
from pydantic import Field

from sqlgen.guarantees.base import (
    Guarantee,
    GuaranteeTables,
    Reference,
    ValueGuarantee,
    guarantee_fragment,
    ratio,
    rounded_up,
)
from sqlgen.guarantees.closeness import ratio_sql
from sqlgen.sql.numbers import EXACT


class Likeness(ValueGuarantee):
    """The base of the likeness guarantees: a reference, and the worst value decides."""

    aggregate: ClassVar[Literal["MIN", "MAX", "SUM"]] = "MAX"

    reference: Annotated[Reference, Field(description="what classes are compared with")] = (
        "released"
    )

    @property
    def reference_table(self) -> Reference:
        """The reference."""
        return self.reference

    @property
    def options(self) -> tuple[Any, ...]:
        """The reference."""
        return (self.reference,)


class DeltaDisclosure(Likeness):
    """delta-disclosure privacy: |ln(p/q)| < delta for every value of the table, in every class.

    A value of the table that a class lacks is infinitely far. ``absent: ignore`` leaves it out;
    that reading is not monotone, for a class that lacks a value may be joined to one that barely
    has enough of it.
    """

    name: ClassVar[str] = "delta_disclosure"
    citation: ClassVar[str] = "Brickell and Shmatikov 2008, Definition of delta-disclosure privacy"
    bounded_by: ClassVar[str] = "delta"

    delta: Annotated[Decimal, *EXACT, Field(gt=0, le=20, description="the bound of |ln(p/q)|")]
    absent: Annotated[Literal["fail", "ignore"], Field(description="values that a class lacks")] = (
        "fail"
    )

    @property
    def prunes(self) -> bool:
        """Not where absent values are ignored."""
        return self.absent == "fail"

    @property
    def requirement(self) -> str:
        """The bound."""
        return f"delta < {self.delta}"

    def achievable_threshold(self, measured: float) -> str:
        """A bound above the largest |ln(p/q)|, where it is finite."""
        return f"delta above {rounded_up(measured)}" if measured < math.inf else ""

    def verdict(self, scope: GuaranteeTables) -> Markup:
        """The largest |ln(p/q)|."""
        return ratio_sql(scope, self.delta, absent=self.absent == "fail")


class BetaLikeness(Likeness):
    """beta-likeness: no value's share in a class exceeds the table's by more than beta of it.

    (p - q)/q <= beta for every value with p > q; ``enhanced`` bounds it by min(beta, -ln q), so
    that frequent values may gain less. The logarithm is rounded down to 12 places.
    """

    name: ClassVar[str] = "beta_likeness"
    citation: ClassVar[str] = "Cao and Karras 2012, Definitions 2 and 3"
    bounded_by: ClassVar[str] = "beta"

    beta: Annotated[Decimal, *EXACT, Field(gt=0, description="the largest relative gain")]
    enhanced: Annotated[bool, Field(description="bounded by min(beta, -ln q)")] = False

    @property
    def requirement(self) -> str:
        """The largest gain."""
        return f"beta <= {self.beta}" + (", -ln q" if self.enhanced else "")

    def achievable_threshold(self, measured: float) -> str:
        """The largest gain that there is, where beta is what bounds it."""
        bounded = measured < math.inf and not self.enhanced
        return f"beta {rounded_up(measured)}" if bounded else ""

    def unmet(self, measured: float) -> str:
        """That a gain is above -ln q, where none is above beta."""
        return "gain > -ln q" if self.enhanced and measured <= float(self.beta) else ""

    def verdict(self, scope: GuaranteeTables) -> Markup:
        """The largest relative gain of a value."""
        return guarantee_fragment(self.name, scope, enhanced=self.enhanced, **ratio(self.beta))


LIKENESS: tuple[type[Guarantee], ...] = (DeltaDisclosure, BetaLikeness)
