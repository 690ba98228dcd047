"""l-diversity: every class holds well-represented sensitive values, in three readings of that.

``jointly`` is Definition 4.5 of the paper: every other sensitive column joins the quasi-identifier,
so that a class is judged block by block and fails where one of its blocks does. Each variant is
monotone (Theorems 5.2 and 5.3), and so is its joint form, for blocks of equal other values merge
as classes do.
"""

import math
from decimal import Decimal
from typing import Annotated, ClassVar, Literal

from markupsafe import Markup
from pydantic import Field, model_validator

from sqlgen.guarantees.base import (
    CountRow,
    CountVerdict,
    Guarantee,
    GuaranteeTables,
    Name,
    ValueGuarantee,
    guarantee_fragment,
    ratio,
    rounded_down,
    rounded_up,
    value_ids,
)
from sqlgen.sql.numbers import DIGITS, EXACT, SHARE
from sqlgen.sql.render import each, fragment, joined, sql

_PAPER = "Machanavajjhala et al. 2006"


class Diversity(ValueGuarantee):
    """The base of the variants of l-diversity."""

    jointly: Annotated[
        bool, Field(description="every other sensitive column joins the quasi-identifier")
    ] = False

    @property
    def is_joint(self) -> bool:
        """Definition 4.5."""
        return self.jointly

    @property
    def options(self) -> tuple[str, ...]:
        """Whether it is joint."""
        return ("jointly",) if self.jointly else ()

    @property
    def least_values(self) -> int:
        """The fewest different values that a class can pass with."""
        raise NotImplementedError


class DistinctLDiversity(Diversity):
    """Distinct l-diversity: at least l different values in every class; NULL is one.

    Monotone under suppression as long as it is judged by classes: a coarser class with fewer than
    l values holds only finer classes with fewer. Not so jointly, where a failing block takes its
    whole class with it.
    """

    name: ClassVar[str] = "distinct_l_diversity"
    citation: ClassVar[str] = f"{_PAPER}, section 4; Li et al. 2007, section 2"
    aggregate: ClassVar[Literal["MIN", "MAX", "SUM"]] = "MIN"
    bounded_by: ClassVar[str] = "l"
    monotone_suppressed: ClassVar[bool] = True

    l: Annotated[int, Field(ge=1, description="values in every class, at least"), DIGITS]  # noqa: E741

    @property
    def possible(self) -> tuple[float, float]:
        """A class has a value at least."""
        return (1, math.inf)

    @property
    def requirement(self) -> str:
        """The least l."""
        return f"l >= {self.l}"

    @property
    def least_values(self) -> int:
        """The l that is asked for."""
        return self.l

    def failure(self, rows: int) -> str:
        """That too few values were there."""
        if self.jointly:
            return super().failure(rows)
        if self.l < 2:
            return ""
        return f"it had fewer than {self.l} values of {self.column}"

    def achievable_threshold(self, measured: float) -> str:
        """The least number of values, where it is more than 1."""
        return f"l {measured:.0f}" if measured > 1 else ""

    def verdict(self, scope: GuaranteeTables) -> Markup:
        """The number of values."""
        return guarantee_fragment(self.name, scope, l=self.l)

    @property
    def tells_by_counts(self) -> bool:
        """Not jointly."""
        return not self.jointly

    def by_counts(self, counts: CountRow) -> CountVerdict:
        """The number of counts that are not 0."""
        return CountVerdict(
            sql(
                "{values} AS values_{number}",
                values=joined(each(counts.each, "CASE WHEN {} > 0 THEN 1 ELSE 0 END"), " + "),
                number=counts.number,
            ),
            fragment("judging/counts/distinct_verdict", counts=counts, l=self.l),
        )


class EntropyLDiversity(Diversity):
    """Entropy l-diversity: the entropy of the values in every class is at least log(l).

    Measured as exp(entropy), the number of equally frequent values it amounts to. The one verdict
    that needs logarithms: n ln n - sum of c ln c is compared with n ln l, less a billionth of it,
    so that a class of exactly l equally frequent values passes.
    """

    name: ClassVar[str] = "entropy_l_diversity"
    citation: ClassVar[str] = f"{_PAPER}, Definition 4.1"
    aggregate: ClassVar[Literal["MIN", "MAX", "SUM"]] = "MIN"
    bounded_by: ClassVar[str] = "l"

    l: Annotated[  # noqa: E741
        Decimal, *EXACT, Field(ge=1, description="the least exp(entropy) of a class")
    ]

    @property
    def possible(self) -> tuple[float, float]:
        """An entropy is not below 0, nor exp of it below 1."""
        return (1, math.inf)

    @property
    def requirement(self) -> str:
        """The least l."""
        return f"l >= {self.l}"

    @property
    def least_values(self) -> int:
        """The l that is asked for, rounded up: m values have an entropy of log(m) at most.

        Less the billionth that the verdict allows, so that none is asked for that a class can lack.
        """
        return math.ceil(math.pow(self.l, 1 - 1e-9))

    def achievable_threshold(self, measured: float) -> str:
        """The least exp(entropy), where it is more than 1."""
        return f"l {rounded_down(measured)}" if measured >= 1.0001 else ""

    def verdict(self, scope: GuaranteeTables) -> Markup:
        """exp(entropy)."""
        return guarantee_fragment(self.name, scope, l=self.l)

    @property
    def tells_by_counts(self) -> bool:
        """Not jointly."""
        return not self.jointly

    def by_counts(self, counts: CountRow) -> CountVerdict:
        """exp(entropy) of the counts."""
        return CountVerdict(
            sql(
                "GREATEST(0, LN(class_size) - ({sum}) / class_size) AS entropy_{number}",
                sum=joined(each(counts.each, "{0} * LN(GREATEST({0}, 1))"), " + "),
                number=counts.number,
            ),
            fragment("judging/counts/entropy_verdict", counts=counts, l=self.l),
        )


class RecursiveLDiversity(Diversity):
    """Recursive (c, l)-diversity: r_1 < c (r_l + ... + r_m), counts in falling order.

    With ``disclosable`` values Y it is pd-recursive (Definition 4.3): the leading count is that of
    the most frequent value outside Y. With ``protected`` values W it is npd-recursive (Definition
    4.4): each of them must fill ``protected_share`` of every class. Measured as the leading count
    over the tail, which must be less than c. 1-diversity is always satisfied.
    """

    name: ClassVar[str] = "recursive_l_diversity"
    citation: ClassVar[str] = f"{_PAPER}, Definitions 4.2, 4.3 and 4.4"
    aggregate: ClassVar[Literal["MIN", "MAX", "SUM"]] = "MAX"
    bounded_by: ClassVar[str] = "c"

    c: Annotated[Decimal, *EXACT, Field(gt=0, description="the factor of the tail")]
    l: Annotated[int, Field(ge=1, le=100_000, description="where the tail begins"), DIGITS]  # noqa: E741
    disclosable: Annotated[
        tuple[Name, ...], Field(description="Y: values whose disclosure is allowed")
    ] = ()
    protected: Annotated[
        tuple[Name, ...], Field(description="W: values whose absence must not be disclosed")
    ] = ()
    protected_share: Annotated[
        Decimal | None,
        *SHARE,
        Field(gt=0, le=1, description="the least share of each protected value in every class"),
    ] = None

    @model_validator(mode="after")
    def _share_goes_with_values(self) -> "RecursiveLDiversity":
        if bool(self.protected) != (self.protected_share is not None):
            raise ValueError("protected and protected_share go together")
        return self

    @property
    def requirement(self) -> str:
        """The bound of the leading count over the tail."""
        share = f", share >= {self.protected_share}" if self.protected else ""
        allowed = f", {len(set(self.disclosable))} disclosable" if self.disclosable else ""
        return f"c < {self.c} (l {self.l}{allowed}){share}"

    @property
    def least_values(self) -> int:
        """The l that is asked for, without which there is no tail.

        One where values are disclosable: a class of nothing else passes.
        """
        return 1 if self.disclosable else self.l

    def achievable_threshold(self, measured: float) -> str:
        """A factor above the largest ratio, where that is what fails and it is finite."""
        if measured == math.inf or measured < self.c:
            return ""
        return f"c above {rounded_up(measured)}"

    def unmet(self, measured: float) -> str:
        """That a protected value is too rare, where the leading count is not what fails."""
        rare = self.protected and measured < float(self.c)
        return f"share < {self.protected_share}" if rare else ""

    @property
    def named_values(self) -> tuple[str, ...]:
        """Y and W."""
        return (*self.disclosable, *self.protected)

    def verdict(self, scope: GuaranteeTables) -> Markup:
        """The leading count over the tail, and whether a protected value is too rare."""
        verdict = self._verdict_by_tail(scope)
        if self.protected_share is None:
            return verdict
        return guarantee_fragment(
            "protected_values",
            scope,
            verdict=verdict,
            protected=value_ids(scope, self.protected),
            protected_values=len(set(self.protected)),
            **ratio(self.protected_share),
        )

    def _verdict_by_tail(self, scope: GuaranteeTables) -> Markup:
        """The verdict without protected values; any class is 1-diverse."""
        if self.l == 1:
            return sql(
                "SELECT class_id, FALSE AS fails, CAST(0 AS DOUBLE) AS figure, 0 AS repair\n"
                "FROM {histogram}\n"
                "GROUP BY class_id",
                histogram=scope.histogram,
            )
        disclosable = value_ids(scope, self.disclosable)
        return guarantee_fragment(
            self.name,
            scope,
            l=self.l,
            disclosable=[] if disclosable is None else [disclosable],
            **ratio(self.c),
        )


DIVERSITY: tuple[type[Guarantee], ...] = (
    DistinctLDiversity,
    EntropyLDiversity,
    RecursiveLDiversity,
)
