"""Microaggregation of a confidential column: groups of rows whose values are alike.

Soria-Comas and Domingo-Ferrer 2013, "Connecting privacy models: synergies between k-anonymity,
t-closeness and differential privacy", section 3. A group shows labels that all its rows share, or
its rows as they are and a table of its values.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from markupsafe import Markup

from sqlgen.engines.duckdb.catalog import Relation
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.measuring.evaluator import NodeEvaluator
from sqlgen.policy import Policy
from sqlgen.policy.microaggregation import MICROAGGREGATION
from sqlgen.recodings.alike_labels import AlikeLabels
from sqlgen.recodings.alike_pair import AlikePair, AlikeTables
from sqlgen.recodings.recoding import (
    BuildInputs,
    Choice,
    ChoiceTotals,
    Decision,
    LabelTable,
)
from sqlgen.search.lattice import Lattice
from sqlgen.search.verdict import Standing
from sqlgen.sql.step import Step
from sqlgen.sql.types import Column

_LABELS, _TABLES = AlikeLabels(), AlikeTables()


def _way(decision: Decision) -> AlikeLabels | AlikeTables:
    """The way in which a decision releases its groups."""
    return _TABLES if isinstance(decision, AlikePair) else _LABELS


class Microaggregation:
    """Groups of alike rows, released with labels or as two tables: each way builds its own."""

    name: ClassVar[str] = MICROAGGREGATION

    def decide(
        self,
        evaluator: NodeEvaluator,
        lattice: Lattice,
        policy: Policy,
        goes_on: Callable[[Standing], bool],
    ) -> Choice:
        """Groups of least squares, merged where they fail."""
        way = _TABLES if policy.recoding.makes_pair else _LABELS
        return way.decide(evaluator, lattice, policy, goes_on)

    def repeat(
        self, decision: Decision, evaluator: NodeEvaluator, lattice: Lattice, policy: Policy
    ) -> Choice:
        """Groups of as few rows as before, made anew of the rows of today."""
        return _way(decision).repeat(decision, evaluator, lattice, policy)

    def totals(
        self, choice: Choice, evaluator: NodeEvaluator, policy: Policy, source: Relation
    ) -> ChoiceTotals:
        """The sums over classes or groups, and how alike the rows of groups are."""
        return _way(choice.decision).totals(choice, evaluator, policy, source)

    def columns(self, decision: Decision, ladders: Sequence[Ladder]) -> Sequence[Column]:
        """The columns that are released in place of the quasi-identifiers."""
        return _way(decision).columns(decision, ladders)

    def check(self, decision: Decision, ladders: Sequence[Ladder]) -> None:
        """Refuse columns or levels that the hierarchies do not have."""
        _way(decision).check(decision, ladders)

    def statements(self, decision: Decision, inputs: BuildInputs) -> list[Step]:
        """The groups, every row in its group, and what is released of them."""
        return _way(decision).statements(decision, inputs)

    def scratch(self, decision: Decision, inputs: BuildInputs) -> Sequence[Markup]:
        """Every table that the steps make."""
        return _way(decision).scratch(decision, inputs)

    def label_tables(self, decision: Decision, inputs: BuildInputs) -> Sequence[LabelTable]:
        """The labels of each quasi-identifier."""
        return _way(decision).label_tables(decision, inputs)

    def region_rows(self, decision: Decision) -> None:  # noqa: ARG002
        """None: groups are made anew for each release."""
        return

    def persons(
        self, decision: Decision, inputs: BuildInputs, release: Markup, units: Sequence[str]
    ) -> Relation:
        """Refused: a policy with a unit has another recoding."""
        return _way(decision).persons(decision, inputs, release, units)

    def from_lock(self, content: Mapping[str, Any]) -> Decision:
        """The steps with what they release, every part of them checked."""
        way = _TABLES if content.get("release") == "tables" else _LABELS
        return way.from_lock(content)
