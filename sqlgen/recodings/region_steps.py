"""Steps: how a recoding makes the regions of a table, as statements over staged cells."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from markupsafe import Markup

from sqlgen.judging.verdict_sql import JudgingInput
from sqlgen.recodings.regions import CellForm, Saving
from sqlgen.search.lattice import Node
from sqlgen.sql.render import Statement


class RegionSteps(Protocol):
    """The steps of a recoding: what a lock keeps of them, and the statements that take them."""

    @property
    def recoding(self) -> str:
        """The name of the recoding whose steps they are."""

    @property
    def saving(self) -> Saving:
        """What a row gains by a finer label."""

    @property
    def weights(self) -> tuple[int, ...]:
        """How much a finer label counts in each column."""

    @property
    def shows_own(self) -> bool:
        """Whether regions may have labels of their own in some columns."""

    @property
    def counts(self) -> Mapping[str, int]:
        """How many steps there are of each kind."""

    @property
    def last_round(self) -> int:
        """The number of the last table of regions, once the steps are taken."""

    def cells(self, form: CellForm) -> CellForm:
        """The form of the cells, with what the steps say of columns."""

    def made(self, form: CellForm, ceilings: Node, judged: JudgingInput) -> Sequence[Statement]:
        """The statements that make regions of the cells that are staged."""

    def tree(self, form: CellForm, ceilings: Node, judged: JudgingInput) -> Statement:
        """The statement that makes one tree of the regions that were made."""

    def tables(self) -> Sequence[Markup]:
        """The tables that those statements make, but for the tree."""

    def words(self, number: int, words: Sequence[str]) -> Sequence[str]:
        """What each level does to a column, by number: the ladder's, then labels of its own."""

    def nodes(self) -> Sequence[Node]:
        """The nodes that the steps name."""

    def to_lock(self) -> dict[str, Any]:
        """The steps as JSON: no label, and no value."""

    def column_to_lock(self, number: int) -> dict[str, Any]:
        """What the steps say of one column, as JSON."""
