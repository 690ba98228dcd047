"""Guarantees against telling who a row is about."""

from decimal import Decimal
from typing import Annotated, ClassVar, Literal

from markupsafe import Markup
from pydantic import Field

from sqlgen.guarantees.base import (
    Guarantee,
    GuaranteeTables,
    Name,
    SizeGuarantee,
    ValueGuarantee,
    guarantee_fragment,
    ratio,
    rounded_up,
    value_ids,
)
from sqlgen.sql.numbers import DIGITS, SHARE


class KAnonymity(SizeGuarantee):
    """k-anonymity: every class of the release holds at least k rows.

    A class is the set of rows that share their quasi-identifier values. With a ``unit``, where a
    person may have several rows, a class must hold k persons: distinct values of that column, all
    NULLs being one. Monotone: a coarser class is a union of finer ones. Monotone under suppression:
    a coarser class that fails holds fewer than k, so each finer class inside it failed and was
    suppressed as well.
    """

    name: ClassVar[str] = "k_anonymity"
    citation: ClassVar[str] = (
        "Samarati and Sweeney 1998; Machanavajjhala et al. 2006, section 2; Li et al. 2007, "
        "section 1"
    )
    bounded_by: ClassVar[str] = "k"
    monotone_suppressed: ClassVar[bool] = True
    must_suppress: ClassVar[bool] = True

    k: Annotated[int, Field(ge=2, description="the smallest class allowed, in rows"), DIGITS]
    unit: Annotated[
        Name | None, Field(description="a column of persons, to be counted in place of rows")
    ] = None

    @property
    def unit_column(self) -> str | None:
        """The unit."""
        return self.unit

    @property
    def judged_columns(self) -> tuple[str, ...]:
        """The unit, whose distinct values are counted."""
        return () if self.unit is None else (self.unit,)

    @property
    def least_class(self) -> int:
        """A class holds k rows."""
        return self.k

    def verdict(self, scope: GuaranteeTables) -> Markup:
        """The number of persons."""
        return guarantee_fragment("distinct_l_diversity", scope, l=self.k)

    @property
    def requirement(self) -> str:
        """The least k."""
        return f"k >= {self.k}"

    @property
    def options(self) -> tuple[str, ...]:
        """That persons are counted."""
        return () if self.unit is None else ("persons",)

    def achievable_threshold(self, measured: float) -> str:
        """The size of the smallest class, where it is more than 1."""
        return f"k {measured:.0f}" if measured > 1 else ""


class AlphaKAnonymity(ValueGuarantee):
    """(alpha, k)-anonymity: k rows in every class, and no value in more than alpha of them.

    ``values`` restricts alpha to some values; without it every value is meant. Monotone: a share
    in a union of classes is at most the largest share in one of them.
    """

    name: ClassVar[str] = "alpha_k_anonymity"
    citation: ClassVar[str] = "Wong, Li, Fu and Wang 2006, (alpha, k)-anonymity"
    aggregate: ClassVar[Literal["MIN", "MAX", "SUM"]] = "MAX"
    bounded_by: ClassVar[str] = "alpha"

    alpha: Annotated[Decimal, *SHARE, Field(gt=0, le=1, description="the largest share allowed")]
    k: Annotated[int, Field(ge=1, description="the smallest class allowed, in rows"), DIGITS]
    values: Annotated[tuple[Name, ...], Field(description="the values that alpha bounds")] = ()

    @property
    def possible(self) -> tuple[float, float]:
        """A share."""
        return (0, 1)

    @property
    def least_class(self) -> int:
        """A class holds k rows."""
        return self.k

    @property
    def requirement(self) -> str:
        """The largest share and the least k."""
        return f"share <= {self.alpha}, k >= {self.k}"

    def failure(self, rows: int) -> str:
        """That one value has more than its share: by counts, for the smallest class."""
        if self.alpha >= 1:
            return ""
        named = ", of those that the policy names" if self.values else ""
        return (
            f"more than {self.alpha} of its rows had one value of {self.column}{named}: in the "
            f"smallest class at least {int(self.alpha * rows) + 1:,} of {rows:,}"
        )

    def achievable_threshold(self, measured: float) -> str:
        """The largest share, where it is less than 1."""
        return f"alpha {rounded_up(measured)}" if measured < 1 else ""

    def unmet(self, measured: float) -> str:
        """That a class is too small, where no share is too large."""
        return f"k < {self.k}" if measured <= float(self.alpha) else ""

    @property
    def named_values(self) -> tuple[str, ...]:
        """The values that alpha bounds."""
        return self.values

    def verdict(self, scope: GuaranteeTables) -> Markup:
        """The largest share of a value."""
        return guarantee_fragment(
            self.name, scope, values=value_ids(scope, self.values), **ratio(self.alpha)
        )


IDENTITY: tuple[type[Guarantee], ...] = (KAnonymity, AlphaKAnonymity)
