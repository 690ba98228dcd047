"""The seam for recodings: what one decides, and what everybody else may ask of a decision."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Protocol

from sqlgen.hierarchies.ladder import Ladder
from sqlgen.metrics import Metric
from sqlgen.search.boxes import Cost
from sqlgen.search.lattice import Lattice, Node
from sqlgen.search.verdict import Found, Standing, Verdict
from sqlgen.sql.types import Column


class Decision(Protocol):
    """What a recoding decided for a table: a value that names no row."""

    @property
    def recoding(self) -> str:
        """The name of the recoding that decided."""

    @property
    def levels(self) -> Mapping[str, int] | None:
        """The level of each column; None where a column has no single one."""

    def in_words(self) -> Mapping[str, str]:
        """What becomes of each column, for people."""

    def to_lock(self) -> dict[str, Any]:
        """The decision as JSON, to be read back by the recoding's ``from_lock``."""

    def to_ledger(self) -> dict[str, Any]:
        """The decision as JSON without labels; ``levels`` is in it where there are levels."""


class NodeJudge(Protocol):
    """What a search asks of the nodes of a lattice."""

    @property
    def metric(self) -> Metric:
        """The objective."""

    def verdict(self, node: Node) -> Verdict:
        """Whether a node gives the guarantees."""

    def cost(self, node: Node) -> Cost:
        """What a node loses."""

    @property
    def prepare(self) -> Callable[[Sequence[Node]], None] | None:
        """What measures nodes that will be asked for together; None where that gains nothing."""


class Recoding(Protocol):
    """A way to make a release from a table."""

    name: ClassVar[str]

    def decide(
        self, lattice: Lattice, judge: NodeJudge, goes_on: Callable[[Standing], bool]
    ) -> Found:
        """Look for what loses least among all that gives the guarantees, until told to stop."""

    def decision(self, ladders: Sequence[Ladder], node: Node) -> Decision:
        """The decision for a node that was found."""

    def columns(self, decision: Decision, ladders: Sequence[Ladder]) -> Sequence[Column]:
        """What is released in place of the quasi-identifiers, with types."""

    def from_lock(self, content: Mapping[str, Any]) -> Decision:
        """The decision that a lock holds; ValueError or TypeError where it holds something else."""
