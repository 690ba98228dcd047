"""The seam for recodings: what one decides, and what everybody else may ask of a decision."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from markupsafe import Markup

from sqlgen.engines.duckdb.catalog import Relation
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.measuring.evaluator import NodeEvaluator
from sqlgen.measuring.nodes import NodeOutcome
from sqlgen.measuring.queries import Answer
from sqlgen.metrics import ClassTotals, TableFacts
from sqlgen.policy import Policy
from sqlgen.search.boxes import Cost
from sqlgen.search.lattice import Lattice
from sqlgen.search.verdict import Closed, Standing
from sqlgen.sql.step import Step
from sqlgen.sql.types import Column
from sqlgen.staging.sensitive import Sensitive


class Decision(Protocol):
    """The decision of a recoding for a table: a value that names no row."""

    @property
    def recoding(self) -> str:
        """The name of the recoding that decided."""

    @property
    def levels(self) -> Mapping[str, int] | None:
        """The level of each column; None where a column has no single one."""

    @property
    def highest(self) -> Mapping[str, int]:
        """The highest level that a label of each column may have."""

    @property
    def regions(self) -> str:
        """The fingerprint of the regions that a ledger keeps of it; empty where there are none."""

    def kept_in(self, table: Markup) -> "Decision":
        """The decision that puts rows into the regions that a table keeps."""

    def merging(self) -> "Decision":
        """The decision that may merge regions which fail into coarser ones."""

    def in_words(self) -> Mapping[str, str]:
        """Each column with what becomes of it, for people."""

    def to_log(self) -> dict[str, Any]:
        """The decision in a line of a log: its levels, or what else says how it was made."""

    def to_lock(self) -> dict[str, Any]:
        """The decision as JSON, to be read back by the recoding's ``from_lock``."""

    def to_ledger(self) -> dict[str, Any]:
        """The decision as JSON without labels; ``levels`` is in it where there are levels."""


@dataclass(frozen=True)
class Choice:
    """The choice of a recoding: its decision, what that releases, and how it was found.

    Where nothing gives what the policy asks for, it ``is_found`` False: the decision is the most
    general one then, and the outcome is that of releasing every row by it. The choice is the best
    there is, unless there is a ``floor``: nothing is known to cost less than that. ``hindrance``
    says why a decision of before is not feasible today.
    """

    decision: Decision
    is_found: bool
    outcome: NodeOutcome
    measured: int
    floor: Cost | None = None
    closed: Closed = field(default=Closed(), compare=False)
    hindrance: str = ""


@dataclass(frozen=True)
class Alikeness:
    """How alike the confidential values of groups are: squares within groups, of those of all.

    ``groups`` is that share for groups as they were made, ``classes`` for the classes that a reader
    sees; ``floor`` is what no groups of so few rows have less than, where that is known. There are
    ``count`` groups, of ``least_rows`` to ``most_rows``.
    """

    columns: tuple[str, ...]
    count: int
    least_rows: int
    most_rows: int
    groups: float
    classes: float
    floor: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """The figures as plain values."""
        return {
            "columns": list(self.columns),
            "groups": self.count,
            "group_rows": [self.least_rows, self.most_rows],
            "within_groups": round(self.groups, 10),
            "within_classes": round(self.classes, 10),
            "floor": None if self.floor is None else round(self.floor, 10),
        }


@dataclass(frozen=True)
class ChoiceTotals:
    """The sums that objectives read of a choice's release, the facts they start from, answers.

    ``answers`` are those to the policy's queries. Where columns have several levels,
    ``level_rows`` says of each how many rows are at which, ``level_words`` what each level does,
    and ``steps`` counts the recoding's steps by what they are called. ``alikeness`` is that of
    groups, where confidential values make them.
    """

    facts: TableFacts
    totals: ClassTotals
    answers: Sequence[Answer] = ()
    level_rows: Mapping[str, Sequence[int]] = field(default_factory=dict)
    level_words: Mapping[str, Sequence[str]] = field(default_factory=dict)
    steps: Mapping[str, int] = field(default_factory=dict)
    alikeness: Alikeness | None = None


@dataclass(frozen=True)
class BuildInputs:
    """The rows that a release is built from, with all that a recoding reads to build it.

    ``source`` are the rows, with the values or labels of sensitive columns that are released.
    ``lookups`` are names of tables for labels, one per ladder; ``lasting`` says that they stay
    beside the release. Failing classes are suppressed in so many ``rounds``. ``publish`` gives
    the steps that make the target out of the query for its rows, ``publish_beside`` those of the
    second table, where the release has two. Where a ledger ``keeps_regions``, a recoding that has
    some makes a table of them.
    """

    policy: Policy
    source: Relation
    ladders: Sequence[Ladder]
    sensitive: Sensitive
    rounds: int
    lookups: Sequence[Markup]
    lasting: bool
    publish: Callable[[Markup], list[Step]]
    keeps_regions: bool = False
    publish_beside: Callable[[Markup], list[Step]] | None = None


@dataclass(frozen=True)
class LabelTable:
    """A table of values with their labels, which a release is built from.

    ``strict`` says that the release must stop where a value of the source has no label.
    """

    name: Markup
    strict: bool


@dataclass(frozen=True)
class RegionRows:
    """The regions of a release: their fingerprint, an expression, and the rows that are new.

    No ``rows`` where the ledger has them already. ``shown_rows``, an expression, counts the rows of
    the source in them: where fewer are released, a region was not shown.
    """

    fingerprint: Markup
    rows: Markup | None = None
    shown_rows: Markup | None = None


class Recoding(Protocol):
    """A way to make a release from a table."""

    name: ClassVar[str]

    def decide(
        self,
        evaluator: NodeEvaluator,
        lattice: Lattice,
        policy: Policy,
        goes_on: Callable[[Standing], bool],
    ) -> Choice:
        """Look for what loses least among all that gives the guarantees, until told to stop."""

    def repeat(
        self, decision: Decision, evaluator: NodeEvaluator, lattice: Lattice, policy: Policy
    ) -> Choice:
        """The choice of a decision that was made before, judged on the rows of today.

        The lattice has the decision's own levels alone, where it has any.
        """

    def totals(
        self, choice: Choice, evaluator: NodeEvaluator, policy: Policy, source: Relation
    ) -> ChoiceTotals:
        """The sums of a choice that was just decided, over the tables that were staged for it."""

    def columns(self, decision: Decision, ladders: Sequence[Ladder]) -> Sequence[Column]:
        """The columns that are released in place of the quasi-identifiers, with types."""

    def check(self, decision: Decision, ladders: Sequence[Ladder]) -> None:
        """Refuse a decision that these hierarchies have no place for; raises StalePlanError."""

    def statements(self, decision: Decision, inputs: BuildInputs) -> list[Step]:
        """The steps that build the release, the target among them."""

    def scratch(self, decision: Decision, inputs: BuildInputs) -> Sequence[Markup]:
        """The temporary tables that the steps leave behind, to be dropped before COMMIT."""

    def label_tables(self, decision: Decision, inputs: BuildInputs) -> Sequence[LabelTable]:
        """The tables of labels that the steps make and an audit checks."""

    def region_rows(self, decision: Decision) -> RegionRows | None:
        """The regions that a ledger keeps of a release, once the steps were run; None without."""

    def persons(
        self, decision: Decision, inputs: BuildInputs, release: Markup, units: Sequence[str]
    ) -> Relation:
        """The persons behind a release: each one's class, by number, and these columns."""

    def from_lock(self, content: Mapping[str, Any]) -> Decision:
        """The decision that a lock holds; ValueError or TypeError where it holds something else."""
