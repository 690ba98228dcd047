"""Guarantees against telling who a row is about."""

from typing import Annotated, ClassVar

from markupsafe import Markup
from pydantic import Field

from sqlgen.models.guarantee import Guarantee
from sqlgen.numbers import DIGITS
from sqlgen.sql.render import fragment


class KAnonymity(Guarantee):
    """k-anonymity: every class of the release holds at least k rows.

    A class is the set of rows that share their quasi-identifier values. Monotone: a coarser class
    is a union of finer ones. Monotone under suppression: a coarser class that fails holds fewer
    than k rows, so each finer class inside it failed and was suppressed as well.
    """

    name: ClassVar[str] = "k_anonymity"
    citation: ClassVar[str] = (
        "Samarati and Sweeney 1998; Machanavajjhala et al. 2006, section 2; Li et al. 2007, "
        "section 1"
    )
    monotone: ClassVar[bool] = True
    monotone_suppressed: ClassVar[bool] = True

    k: Annotated[int, Field(ge=2, description="the smallest class allowed, in rows"), DIGITS]

    @property
    def class_fails(self) -> Markup:
        """The class holds fewer than k rows."""
        return fragment("models/k_anonymity_fails", k=self.k)

    @property
    def measured(self) -> Markup:
        """The size of the smallest class; 0 where there is none."""
        return fragment("models/k_anonymity_measured")

    def met(self, measured: int) -> bool:
        """The smallest class holds at least k rows."""
        return measured >= self.k
