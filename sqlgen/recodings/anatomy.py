"""Anatomy: quasi-identifiers as they are, and sensitive values by group, in two tables.

Xiao and Tao 2006, "Anatomy: simple and effective privacy preservation". A row of the first table
has a group, and the second table says which sensitive values the group has, and how often. Nothing
else joins a row to a value.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from markupsafe import Markup

from sqlgen.engines.duckdb.catalog import Relation
from sqlgen.errors import StalePlanError, UnsupportedError
from sqlgen.guarantees import DistinctLDiversity, Guarantee
from sqlgen.guarantees.diversity import Diversity
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.measuring.class_sums import EVERY_SUM, sum_classes_by_size
from sqlgen.measuring.evaluator import NodeEvaluator
from sqlgen.measuring.nodes import NodeOutcome, measure_classes
from sqlgen.measuring.tables import GuaranteeResult
from sqlgen.policy import Policy
from sqlgen.policy.anatomy import ANATOMY
from sqlgen.recodings.anatomy_groups import (
    GROUP_CELL,
    GROUP_DEAL,
    GROUP_KEY,
    GROUP_ROW,
    GroupForm,
    cells_sql,
    deal_sql,
    dealt_by_number,
    dealt_values_query,
    group_rows_sql,
    group_values_sql,
    grouped_cells,
    is_by_order,
    key_of_cells_sql,
    key_sql,
    limit_statement,
    rows_query,
)
from sqlgen.recodings.full_domain import levels_of, lookup_sql, make_recodings, node_of
from sqlgen.recodings.locked import locked_count, locked_texts
from sqlgen.recodings.recoding import BuildInputs, Choice, ChoiceTotals, Decision, LabelTable
from sqlgen.search.boxes import Cost
from sqlgen.search.lattice import Lattice, Node
from sqlgen.search.verdict import Standing
from sqlgen.sql.render import noted
from sqlgen.sql.step import Step, plain_steps
from sqlgen.sql.types import Column
from sqlgen.wording import counted, rows_words

_GROUP_KEY_NOTE = "the key that orders rows"


@dataclass(frozen=True)
class GroupSize:
    """The decision of Anatomy: how many rows a group has at least, and a level per column.

    The levels are the finest that the policy allows: 0, the value itself, wherever it says nothing.
    """

    size: int
    levels: Mapping[str, int]
    words: Mapping[str, str] = field(compare=False)

    @property
    def recoding(self) -> str:
        """Anatomy."""
        return ANATOMY

    @property
    def highest(self) -> Mapping[str, int]:
        """The levels."""
        return self.levels

    @property
    def regions(self) -> str:
        """None: groups are dealt out anew for each release."""
        return ""

    def kept_in(self, table: Markup) -> "GroupSize":  # noqa: ARG002
        """The decision itself: no table keeps anything of it."""
        return self

    def merging(self) -> "GroupSize":
        """The decision itself: there is no region to merge."""
        return self

    def in_words(self) -> Mapping[str, str]:
        """Each column with what its level does to it."""
        return self.words

    def to_log(self) -> dict[str, Any]:
        """The recoding and the size of a group."""
        return {"recoding": self.recoding, "group_rows": self.size}

    def to_lock(self) -> dict[str, Any]:
        """The size of a group, the levels and their words."""
        return {"size": self.size, "levels": dict(self.levels), "words": dict(self.words)}

    def to_ledger(self) -> dict[str, Any]:
        """What the lock has, but for words, which may name labels."""
        return {"size": self.size, "levels": dict(self.levels)}


class Anatomy:
    """Anatomy: the smallest groups that give every guarantee, of the sizes that are tried."""

    name: ClassVar[str] = ANATOMY

    def decide(
        self,
        evaluator: NodeEvaluator,
        lattice: Lattice,
        policy: Policy,  # noqa: ARG002
        goes_on: Callable[[Standing], bool],
    ) -> Choice:
        """The smallest groups that were found to give every guarantee.

        The first is the least that counts allow. A size that fails grows by a quarter, by one row
        at least, until one passes, and the sizes between the two are halved.
        """
        search = _GroupSearch.over(evaluator, lattice, goes_on)
        hindrance = search.hindrance()
        return search.smallest() if hindrance is None else search.nothing_found(hindrance)

    def repeat(
        self,
        decision: Decision,
        evaluator: NodeEvaluator,
        lattice: Lattice,
        policy: Policy,  # noqa: ARG002
    ) -> Choice:
        """Groups of the decision's size, judged on the rows of today."""
        search = _GroupSearch.over(evaluator, lattice, lambda _: True)
        size = group_size_of(decision).size
        hindrance = search.hindrance()
        if hindrance is not None:
            return search.nothing_found(hindrance)
        outcome = search.outcome(size)
        if not outcome.feasible:
            words = f"groups of {size} rows, as they are locked, no longer give every guarantee"
            return search.nothing_found(words)
        return search.found(size, outcome, 1)

    def totals(
        self,
        choice: Choice,
        evaluator: NodeEvaluator,
        policy: Policy,  # noqa: ARG002
        source: Relation,  # noqa: ARG002
    ) -> ChoiceTotals:
        """The sums over the labels of all rows, and over the groups in place of classes."""
        staged = evaluator.staged
        node = node_of(group_size_of(choice.decision), staged.names)
        whole = sum_classes_by_size(evaluator.engine, staged, (), node, EVERY_SUM).whole
        groups = choice.outcome.classes
        size, more = divmod(whole.rows, max(groups, 1))
        squares = more * (size + 1) ** 2 + (groups - more) * size**2
        return ChoiceTotals(
            staged.facts,
            replace(whole, classes=groups, squares=squares),
            steps={"groups": groups},
        )

    def columns(self, decision: Decision, ladders: Sequence[Ladder]) -> list[Column]:
        """Each quasi-identifier at its level."""
        node = _node(decision, ladders)
        unnamed = [Markup("")] * len(ladders)
        return [column.released for column in make_recodings(ladders, node, unnamed)]

    def check(self, decision: Decision, ladders: Sequence[Ladder]) -> None:
        """Refuse levels that the hierarchies do not have, and columns without a level."""
        heights = {ladder.column.name: ladder.height for ladder in ladders}
        levels = group_size_of(decision).levels
        if levels.keys() != heights.keys() or any(
            not 0 <= levels[name] <= height for name, height in heights.items()
        ):
            raise StalePlanError(
                "the plan names columns or levels that the hierarchies do not have. Run sqlgen "
                "plan again. Nothing was changed."
            )

    def statements(self, decision: Decision, inputs: BuildInputs) -> list[Step]:
        """The labels, the key, the cells with their groups, and both tables."""
        form = group_form(decision, inputs)
        lookups = [
            noted(lookup_sql(column, inputs.source, temporary=True), column.words)
            for column in form.recodings
        ]
        size = group_size_of(decision).size
        cells = noted(
            cells_sql(form), "the combinations of values, each with the number of its rows"
        )
        of_rows = noted(key_sql(inputs.source), f"{_GROUP_KEY_NOTE}, from all rows of the source")
        of_cells = noted(key_of_cells_sql(), f"{_GROUP_KEY_NOTE}, from all these combinations")
        made = [
            *lookups,
            *([cells, of_cells] if form.tells_all else [of_rows, cells]),
            noted(deal_sql(size), f"how rows are dealt out to groups of {size} rows or more"),
            noted(group_rows_sql(dealt_by_number()), "every row, in its group"),
        ]
        assert inputs.publish_beside is not None
        rows = inputs.publish(rows_query(form, is_numbered=True))
        return [*plain_steps(made), *rows, *inputs.publish_beside(dealt_values_query(form))]

    def scratch(self, decision: Decision, inputs: BuildInputs) -> Sequence[Markup]:  # noqa: ARG002
        """The labels and the tables of groups."""
        return [*inputs.lookups, GROUP_KEY, GROUP_CELL, GROUP_DEAL, GROUP_ROW]

    def label_tables(self, decision: Decision, inputs: BuildInputs) -> list[LabelTable]:
        """The labels of each quasi-identifier."""
        return [
            LabelTable(column.lookup, column.ladder.uncovered == "error")
            for column in group_form(decision, inputs).recodings
        ]

    def region_rows(self, decision: Decision) -> None:  # noqa: ARG002
        """None: groups are dealt out anew for each release."""
        return

    def persons(
        self,
        decision: Decision,  # noqa: ARG002
        inputs: BuildInputs,  # noqa: ARG002
        release: Markup,  # noqa: ARG002
        units: Sequence[str],  # noqa: ARG002
    ) -> Relation:
        """Refused: a policy with a unit has another recoding."""
        raise UnsupportedError("persons are not counted in groups. Nothing was changed.")

    def from_lock(self, content: Mapping[str, Any]) -> GroupSize:
        """The size of a group, and the level and the words of each column."""
        levels = {str(key): locked_count(level) for key, level in content["levels"].items()}
        words = locked_texts(content["words"])
        size = locked_count(content["size"])
        if words.keys() != levels.keys() or not size:
            raise ValueError("not the size of a group, with levels and their words")
        return GroupSize(size, levels, words)


@dataclass(frozen=True)
class _GroupSearch:
    """The search for the size of groups: values are staged, and ``rows`` of them are released."""

    evaluator: NodeEvaluator
    lattice: Lattice
    goes_on: Callable[[Standing], bool]
    rows: int
    values: int
    most_groups: int

    @classmethod
    def over(
        cls, evaluator: NodeEvaluator, lattice: Lattice, goes_on: Callable[[Standing], bool]
    ) -> "_GroupSearch":
        """The search over a staged table."""
        engine, judged = evaluator.engine, evaluator.staged.judged
        by_order = is_by_order(evaluator.guarantees)
        engine.run(group_values_sql(judged.values[0], by_order=by_order))
        counts = engine.rows(limit_statement(_least_values(evaluator.guarantees)))[0]
        return cls(evaluator, lattice, goes_on, *counts)

    def hindrance(self) -> str | None:
        """Why no groups give the guarantees, as far as counts tell; None if they may.

        Empty where a plan says it of any recoding: of no rows, or too many that are left out.
        """
        facts, column = self.evaluator.staged.facts, self.evaluator.staged.judged.values[0].column
        if not facts.rows or facts.dropped_rows > self.evaluator.budget:
            return ""
        for guarantee in self.evaluator.guarantees:
            if isinstance(guarantee, DistinctLDiversity) and self.values < guarantee.l:
                return (
                    f"{column} has {counted(self.values, 'value')}, and {guarantee.words} takes "
                    f"{guarantee.l:,} in every group. The most that this table allows is "
                    f"l {self.values}"
                )
        least = least_size(self.evaluator.guarantees)
        if self.rows < least:
            return f"there are {rows_words(self.rows)}, and a group takes {least} at least"
        return None

    @property
    def least(self) -> int:
        """The least size of groups that counts allow.

        Of ``l`` rows, if no value has more than one row in ``l``; where one has, there are as many
        groups as the other rows have values for.
        """
        by_counts = self.rows // (self.most_groups + 1) + 1
        return min(self.rows, max(least_size(self.evaluator.guarantees), by_counts))

    def smallest(self) -> Choice:
        """The smallest groups that were found to pass."""
        measured, failing, size = 1, self.least - 1, self.least
        outcome = self.outcome(size)
        while not outcome.feasible:
            if size >= self.rows:
                return self.nothing_found(self._failing_as_one())
            if not self._may_go_on(measured):
                stopped = self.nothing_found("")
                return replace(stopped, measured=measured, floor=self._least)
            failing, size = size, min(size + max(1, size // 4), self.rows)
            outcome, measured = self.outcome(size), measured + 1
        while size - failing > 1 and self._may_go_on(measured):
            middle = (size + failing) // 2
            tried, measured = self.outcome(middle), measured + 1
            if tried.feasible:
                size, outcome = middle, tried
            else:
                failing = middle
        return self.found(size, outcome, measured)

    def outcome(self, size: int) -> NodeOutcome:
        """The outcome of groups of so many rows, where none may be suppressed."""
        return self._judged(max(1, self.rows // size), suppress=True)

    def found(self, size: int, outcome: NodeOutcome, measured: int) -> Choice:
        """The choice of groups that pass."""
        return Choice(self._decision(size), True, outcome, measured, self._floor)

    def nothing_found(self, hindrance: str) -> Choice:
        """No choice: all rows as one group, and why that does not do."""
        outcome = self._judged(1, suppress=False)
        return Choice(self._decision(max(1, self.rows)), False, outcome, 1, hindrance=hindrance)

    @property
    def _floor(self) -> Cost | None:
        """What no release costs less than; None where the found one costs that.

        An objective over labels costs the same however rows are grouped, one over classes does not.
        """
        return None if self.evaluator.metric.takes_weights else self._least

    def _decision(self, size: int) -> GroupSize:
        at = levels_of(self.evaluator.staged.ladders, self.lattice.bottom)
        return GroupSize(size, at.levels, at.words)

    def _judged(self, groups: int, *, suppress: bool) -> NodeOutcome:
        evaluator = self.evaluator
        staged = evaluator.staged
        judged = replace(
            staged.judged,
            guarantees=evaluator.guarantees,
            budget=staged.facts.dropped_rows,
            stands_for_many=True,
        )
        cells = grouped_cells(staged.judged.values[0], groups)
        return measure_classes(
            evaluator.engine,
            judged,
            staged.rows,
            cells,
            [Markup("group_number")],
            suppress=suppress,
        )

    @property
    def _least(self) -> Cost:
        return self.evaluator.metric.bound(self.lattice.bottom)

    def _may_go_on(self, measured: int) -> bool:
        return self.goes_on(Standing(measured, None, self._least))

    def _failing_as_one(self) -> str:
        """What stands in the way where one group of all rows fails."""
        outcome = self._judged(1, suppress=False)
        guarantees = self.evaluator.guarantees
        results = [
            GuaranteeResult(guarantee, value, failing, rows=self.rows)
            for guarantee, value, failing in zip(
                guarantees, outcome.values, outcome.failing, strict=True
            )
        ]
        return "; ".join(
            f"{result.guarantee.words} stands in the way: all rows as one group give {result.words}"
            for result in results
            if not result.satisfied
        )


def _least_values(guarantees: Sequence[Guarantee]) -> int:
    """The number of different values that every group must have."""
    distinct = [each.l for each in guarantees if isinstance(each, DistinctLDiversity)]
    return max([1, *distinct])


def least_size(guarantees: Sequence[Guarantee]) -> int:
    """The fewest rows that a group can pass with: its values are all different, at best."""
    values = [each.least_values for each in guarantees if isinstance(each, Diversity)]
    return max(1, *values, *(guarantee.least_class for guarantee in guarantees))


def group_size_of(decision: Decision) -> GroupSize:
    """The decision, if it is one of Anatomy; raises StalePlanError otherwise."""
    if not isinstance(decision, GroupSize):
        raise StalePlanError("the plan is of another recoding. Run sqlgen plan again.")
    return decision


def _node(decision: Decision, ladders: Sequence[Ladder]) -> Node:
    """The levels of a decision, in the order of the table's columns."""
    return node_of(group_size_of(decision), [ladder.column.name for ladder in ladders])


def group_form(decision: Decision, inputs: BuildInputs) -> GroupForm:
    """The form of a release by a decision."""
    node = _node(decision, inputs.ladders)
    recodings = make_recodings(inputs.ladders, node, inputs.lookups)
    return GroupForm(inputs.policy, inputs.source, recodings, inputs.sensitive.ladders[0])
