"""Belief: Bayes-optimal privacy, what an observer comes to believe of a person in a class.

Theorem 3.1 of the paper gives the belief in a value s, of a person with the quasi-identifiers q who
is known to be in the class q*: n(q*, s) f(s|q) / f(s|q*), over the sum of the same for all values.
An observer who knows the distribution of the column alone comes to believe the class's shares. One
who knows more is described by a table: rows of quasi-identifiers and values, with weights. A class
with a value that the table holds impossible there contradicts it, and fails.

A table can also rule out every value of a class for a person who matches it: f(s|q) is 0 for each.
The theorem is 0/0 then, and says nothing of that person. Either they are not in the class, or the
table is wrong about them; the release cannot tell which. So the class fails, unless the policy says
ruled_out: ignore, which leaves such persons out. An audit counts them either way. Rows with the
weight 0 are not read: a person who has no other row is not in the table, and nothing is known of
them. None of this is monotone (Theorem 5.1), so nothing is pruned on it.
"""

from decimal import Decimal
from typing import Annotated, Any, ClassVar, Literal

from markupsafe import Markup
from pydantic import Discriminator, Field, Tag, model_validator

from sqlgen.guarantees.base import (
    Guarantee,
    GuaranteeTables,
    Reference,
    TableReference,
    ValueGuarantee,
    guarantee_fragment,
    is_table,
    ratio,
    rounded_down,
)
from sqlgen.sql.numbers import SHARE

_PAPER = "Machanavajjhala et al. 2006"

Prior = Annotated[
    Annotated[Literal["released"], Tag("a name")] | Annotated[TableReference, Tag("a table")],
    Discriminator(is_table),
]


class Belief(ValueGuarantee):
    """The base of the guarantees about belief: the prior belief of an observer."""

    monotone: ClassVar[bool] = False

    prior: Annotated[
        Prior, Field(description="what an observer knows: the column's shares, or a table")
    ] = "released"
    ruled_out: Annotated[
        Literal["fail", "ignore"],
        Field(description="what follows where a prior table rules out all values: fail, ignore"),
    ] = "fail"

    @model_validator(mode="after")
    def _a_table_rules_out(self) -> "Belief":
        if "ruled_out" in self.model_fields_set and self.prior == "released":
            raise ValueError("ruled_out goes with a prior that is a table")
        return self

    @property
    def parameters(self) -> dict[str, Any]:
        """The thresholds; what becomes of persons whom a table rules out, where there is one."""
        every = super().parameters
        if self.people is None:
            del every["ruled_out"]
        return every

    @property
    def possible(self) -> tuple[float, float]:
        """A belief, or how far one moved."""
        return (0, 1)

    @property
    def reference_table(self) -> Reference | None:
        """The column's shares, where they are what is known."""
        return "released" if self.prior == "released" else None

    @property
    def people(self) -> TableReference | None:
        """The table of what is known."""
        return self.prior if isinstance(self.prior, TableReference) else None

    @property
    def options(self) -> tuple[Any, ...]:
        """The prior."""
        known = self.prior.table if isinstance(self.prior, TableReference) else self.prior
        ignored = ("ruled_out ignore",) if self.ruled_out == "ignore" else ()
        return (f"prior {known}", *ignored)

    @property
    def slack(self) -> Markup:
        """The tolerance, relative: beliefs from a table are quotients, right to some 15 digits."""
        return Markup("1e-12" if self.people is not None else "0")

    def beliefs(self, scope: GuaranteeTables, template: str, **values: Any) -> Markup:
        """A verdict over all beliefs, by the template of that name."""
        known = "belief_of_table" if self.people is not None else "belief_of_shares"
        return guarantee_fragment(
            template,
            scope,
            class_belief=guarantee_fragment(known, scope, is_strict=self.ruled_out == "fail"),
            **values,
        )


class PositiveDisclosure(Belief):
    """No observer comes to believe a value with more than 1 - delta.

    Counted whether or not the source holds a row of that person and value, which a release does
    not show.
    """

    name: ClassVar[str] = "positive_disclosure"
    citation: ClassVar[str] = f"{_PAPER}, Theorem 3.1 and Definition 3.1"
    aggregate: ClassVar[Literal["MIN", "MAX", "SUM"]] = "MAX"

    delta: Annotated[
        Decimal, *SHARE, Field(ge=0, lt=1, description="what belief must fall short of certainty")
    ]

    @property
    def reference_moves(self) -> bool:
        """Who knows the column's shares comes to believe the class's, whatever the others are."""
        return False

    @property
    def bound(self) -> float:
        """The largest belief."""
        return float(1 - self.delta)

    @property
    def requirement(self) -> str:
        """The largest belief."""
        return f"belief <= {1 - self.delta}"

    def achievable_threshold(self, measured: float) -> str:
        """The delta that the largest belief meets; empty where a table may be contradicted."""
        if measured >= 1 and self.people is not None:
            return ""
        return f"delta {rounded_down(1 - measured)}" if measured < 1 else "delta 0"

    def unmet(self, measured: float) -> str:
        """That a table is contradicted, where no belief is too large."""
        met = self.people is not None and measured <= self.bound
        return "the prior is contradicted" if met else ""

    def verdict(self, scope: GuaranteeTables) -> Markup:
        """The largest belief."""
        return self.beliefs(
            scope,
            "disclosure",
            beyond=Markup(">"),
            sign=Markup("+"),
            slack=self.slack,
            worst=Markup("MAX"),
            contradiction=1,
            **ratio(1 - self.delta),
        )


class NegativeDisclosure(Belief):
    """No observer comes to believe a value with less than epsilon, and so to rule it out.

    Every value of the class and of what is known of people in it counts, also one that was ruled
    out before.
    """

    name: ClassVar[str] = "negative_disclosure"
    citation: ClassVar[str] = f"{_PAPER}, Theorem 3.1 and Definition 3.2"
    aggregate: ClassVar[Literal["MIN", "MAX", "SUM"]] = "MIN"
    bounded_by: ClassVar[str] = "epsilon"

    epsilon: Annotated[Decimal, *SHARE, Field(gt=0, le=1, description="the least belief")]

    @property
    def requirement(self) -> str:
        """The least belief."""
        return f"belief >= {self.epsilon}"

    def achievable_threshold(self, measured: float) -> str:
        """The least belief, where it is above 0."""
        return f"epsilon {rounded_down(measured)}" if measured >= 0.0001 else ""

    def verdict(self, scope: GuaranteeTables) -> Markup:
        """The least belief."""
        return self.beliefs(
            scope,
            "disclosure",
            beyond=Markup("<"),
            sign=Markup("-"),
            slack=self.slack,
            worst=Markup("MIN"),
            contradiction=0,
            **ratio(self.epsilon),
        )


class BeliefBreach(Belief):
    """No (rho_1, rho_2)-breach: no belief rises from below rho_1 to above rho_2.

    Nor falls from above 1 - rho_1 to below 1 - rho_2. Measured as the largest change of a belief.
    """

    name: ClassVar[str] = "belief_breach"
    citation: ClassVar[str] = f"Evfimievski, Gehrke and Srikant 2003; {_PAPER}, section 3.2"
    aggregate: ClassVar[Literal["MIN", "MAX", "SUM"]] = "MAX"

    rho_1: Annotated[Decimal, *SHARE, Field(gt=0, lt=1, description="belief before, below it")]
    rho_2: Annotated[Decimal, *SHARE, Field(gt=0, lt=1, description="belief after, above it")]

    @model_validator(mode="after")
    def _before_is_less(self) -> "BeliefBreach":
        if self.rho_1 >= self.rho_2:
            raise ValueError("rho_1 must be less than rho_2")
        return self

    @property
    def requirement(self) -> str:
        """The two beliefs."""
        return f"no rise from below {self.rho_1} to above {self.rho_2}"

    def achievable_threshold(self, measured: float) -> str:
        """Nothing: the largest change does not say which beliefs it lies between."""
        del measured
        return ""

    def verdict(self, scope: GuaranteeTables) -> Markup:
        """The largest change."""
        rho_1, rho_2 = ratio(self.rho_1), ratio(self.rho_2)
        return self.beliefs(scope, self.name, slack=self.slack, rho_1=rho_1, rho_2=rho_2)


BELIEF: tuple[type[Guarantee], ...] = (PositiveDisclosure, NegativeDisclosure, BeliefBreach)
