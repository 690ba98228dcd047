"""What every guarantee declares: its name, its parameters, its citation, its claims, its SQL."""

from typing import ClassVar

from markupsafe import Markup
from pydantic import BaseModel, ConfigDict


class Guarantee(BaseModel):
    """A privacy model with its thresholds, as a policy asks for it.

    ``monotone`` claims that a generalization of a table that gives the guarantee gives it too;
    ``monotone_suppressed`` that this holds even when failing classes are suppressed. The search
    prunes on what is claimed here and on nothing else.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: ClassVar[str]
    citation: ClassVar[str]
    monotone: ClassVar[bool]
    monotone_suppressed: ClassVar[bool]

    @property
    def class_fails(self) -> Markup:
        """A condition over one class: TRUE where the class breaks the guarantee."""
        raise NotImplementedError

    @property
    def measured(self) -> Markup:
        """An aggregate over classes: the guarantee's figure at its worst class."""
        raise NotImplementedError

    @property
    def parameters(self) -> dict[str, int]:
        """The thresholds, by name."""
        return self.model_dump()

    @property
    def words(self) -> str:
        """The guarantee with its thresholds: ``k_anonymity (k 5)``."""
        thresholds = ", ".join(f"{key} {value}" for key, value in self.parameters.items())
        return f"{self.name} ({thresholds})"

    def met(self, measured: int) -> bool:
        """Whether a measured figure gives the guarantee."""
        raise NotImplementedError
