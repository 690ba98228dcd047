"""Closeness: what a class tells about a sensitive column is near what the whole table tells.

Every distance here is convex in the class's distribution, so that a union of close classes is close
(Fact 2 of Li et al. 2007): each guarantee is monotone as long as the reference stays what it is.
"""

import math
from decimal import ROUND_FLOOR, Decimal, localcontext
from typing import Annotated, Any, ClassVar, Literal

from markupsafe import Markup
from pydantic import Field, model_validator

from sqlgen.models.guarantee import (
    Guarantee,
    Name,
    Reference,
    Scope,
    ValueGuarantee,
    model_sql,
    ratio,
    up,
)
from sqlgen.numbers import EXACT

Distance = Literal["ordered", "equal", "hierarchical", "variational", "kl", "js"]
_WORK = {
    "equal": "equal_work",
    "variational": "equal_work",
    "ordered": "ordered_work",
    "hierarchical": "hierarchical_work",
}
_NEEDED = {"ordered": "order", "hierarchical": "hierarchy"}


class TCloseness(Guarantee):
    """t-closeness: no class is farther than t from the reference.

    Earth mover's distance with ordered (section 5.1), equal or hierarchical ground distance
    (section 5.2), decided in whole numbers; the variational distance, which equals the equal one;
    Kullback-Leibler and Jensen-Shannon divergence in natural logarithms, decided to a billionth of
    t. ``columns`` judges combinations of values, for which only distances that know no order or
    hierarchy have a formula.
    """

    name: ClassVar[str] = "t_closeness"
    citation: ClassVar[str] = (
        "Li, Li and Venkatasubramanian 2007, Definition 2, sections 4, 5 and 8"
    )
    worst: ClassVar[Literal["MIN", "MAX", "SUM"]] = "MAX"

    column: Annotated[Name | None, Field(description="a sensitive column")] = None
    columns: Annotated[tuple[Name, ...], Field(description="or several, taken together")] = ()
    t: Annotated[Decimal, *EXACT, Field(description="the largest distance allowed")]
    distance: Distance
    reference: Annotated[Reference, Field(description="what classes are compared with")] = (
        "released"
    )

    @model_validator(mode="after")
    def _one_subject(self) -> "TCloseness":
        if (self.column is None) == (not self.columns):
            raise ValueError("name a column, or several columns to be taken together")
        if len(self.columns) == 1 or len(set(self.columns)) < len(self.columns):
            raise ValueError("columns are two or more, each once")
        if self.columns and self.distance in _NEEDED:
            raise ValueError(
                f"{self.distance} distance has no formula over combinations of columns; "
                "use equal, variational, kl or js"
            )
        return self

    @property
    def subject(self) -> tuple[str, ...]:
        """The column, or the columns together."""
        return (self.column,) if self.column is not None else self.columns

    @property
    def against(self) -> Reference:
        """The reference."""
        return self.reference

    @property
    def needed(self) -> str:
        """An order or a hierarchy, where the distance is made of one."""
        return _NEEDED.get(self.distance, "")

    @property
    def required(self) -> str:
        """The largest distance."""
        return f"t <= {self.t}"

    def loosened(self, measured: float) -> str:
        """The largest distance that there is, where it is finite."""
        return f"t {up(measured)}" if measured < math.inf else ""

    @property
    def options(self) -> tuple[Any, ...]:
        """The distance and the reference."""
        return (self.distance, self.reference)

    def verdict(self, scope: Scope) -> Markup:
        """The distance."""
        if self.distance in ("kl", "js"):
            class_distance = model_sql(f"{self.distance}_distance", scope)
            return model_sql("divergence", scope, class_distance=class_distance, t=self.t)
        positions = model_sql("ordered_positions", scope)
        return model_sql(
            self.name,
            scope,
            class_work=model_sql(_WORK[self.distance], scope, positions=positions),
            t=self.t,
            ordered=self.distance == "ordered",
            **ratio(min(self.t, Decimal(1))),
        )


class RatioCloseness(ValueGuarantee):
    """exp(epsilon)-closeness: no value's share differs from the reference by a larger factor.

    Definition 5 takes the largest ratio over all sets of values, either way round; single values
    attain it. A value that only one side has is infinitely far. Measured as ln(ratio). The paper
    reads it as epsilon-differential privacy towards an intruder who knows of the sensitive column
    its distribution alone, and for the link between quasi-identifiers and that column alone:
    it is no differential privacy of the release, which a deterministic recoding cannot have.
    """

    name: ClassVar[str] = "ratio_closeness"
    citation: ClassVar[str] = "Soria-Comas and Domingo-Ferrer 2013, Definition 5 and section 4"
    worst: ClassVar[Literal["MIN", "MAX", "SUM"]] = "MAX"

    epsilon: Annotated[Decimal, *EXACT, Field(gt=0, le=20, description="ln of the largest ratio")]
    reference: Annotated[Reference, Field(description="what classes are compared with")] = (
        "released"
    )

    @property
    def against(self) -> Reference:
        """The reference."""
        return self.reference

    @property
    def required(self) -> str:
        """The logarithm of the largest ratio."""
        return f"epsilon <= {self.epsilon}"

    def loosened(self, measured: float) -> str:
        """The largest logarithm that there is, where it is finite."""
        return f"epsilon {up(measured)}" if measured < math.inf else ""

    @property
    def options(self) -> tuple[Any, ...]:
        """The reference."""
        return (self.reference,)

    @property
    def note(self) -> str:
        """The reading as differential privacy, and its limits."""
        return (
            f"ratio_closeness reads as {self.epsilon}-differential privacy of the link between "
            f"quasi-identifiers and {self.column}, towards an observer who knows of {self.column} "
            "its distribution alone; it is no differential privacy of the release."
        )

    def verdict(self, scope: Scope) -> Markup:
        """The logarithm of the largest ratio."""
        return ratio_sql(scope, self.epsilon, absent=True)


def ratio_sql(scope: Scope, logarithm: Decimal, *, absent: bool) -> Markup:
    """The largest ratio of shares, either way round, held against exp(logarithm)."""
    return model_sql("largest_ratio", scope, absent=absent, **exponential(logarithm))


def exponential(logarithm: Decimal) -> dict[str, Any]:
    """exp of a decimal as two whole numbers, rounded down in the 16th digit, and as it is shown.

    Rounded down, so that no class passes by rounding; exp of a decimal other than 0 is irrational,
    so no class stands exactly on it.
    """
    with localcontext() as context:
        context.prec = 40
        exact = logarithm.exp()
        context.prec, context.rounding = 16, ROUND_FLOOR
        down = +exact
    return ratio(down)


CLOSENESS: tuple[type[Guarantee], ...] = (TCloseness, RatioCloseness)
