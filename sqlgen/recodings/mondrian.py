"""Mondrian: regions cut in two as long as both sides give every guarantee, column by column.

LeFevre, DeWitt and Ramakrishnan 2006, strict: each cut parts the values of one column. Judged by
every guarantee, and cut where least is lost; what a region shows is the finest label of the ladder
that has all of it, the range of its values, or the set of them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from sqlgen.hierarchies.ladder import Ladder
from sqlgen.judging.verdict_sql import JudgingInput
from sqlgen.measuring.evaluator import NodeEvaluator
from sqlgen.measuring.nodes import NodeOutcome, measure_whole
from sqlgen.metrics import Metric
from sqlgen.policy import Policy
from sqlgen.policy.averages import AVERAGES, average_of
from sqlgen.recodings.blocked import BlockedColumn
from sqlgen.recodings.cut_steps import (
    MONDRIAN,
    MOST_CUTS,
    CutSteps,
    read_cut_steps,
    round_of_cuts_sql,
)
from sqlgen.recodings.cuts import Shows, cut_cells_sql, cut_table, places_sql
from sqlgen.recodings.kept_search import shown_outcome
from sqlgen.recodings.local_search import gains_of, stage_cells, weights_of_leaves
from sqlgen.recodings.recoding import Choice
from sqlgen.recodings.region_decision import (
    RegionDecision,
    by_regions,
    decision_of,
    read_decision,
)
from sqlgen.recodings.region_recoding import RegionRecoding, with_regions
from sqlgen.recodings.region_script import form_of
from sqlgen.recodings.regions import CellForm
from sqlgen.recodings.uncut import find_uncut
from sqlgen.search.lattice import Lattice
from sqlgen.search.verdict import Standing
from sqlgen.sql.render import command
from sqlgen.sql.types import Column, Kind


class Mondrian(RegionRecoding):
    """Cuts of regions in two, round by round, until no cut is allowed that would be made."""

    name: ClassVar[str] = MONDRIAN

    def decide(
        self,
        evaluator: NodeEvaluator,
        lattice: Lattice,
        policy: Policy,
        goes_on: Callable[[Standing], bool],
    ) -> Choice:
        """Cuts that lose little; nothing proves that no others would lose less."""
        staged, guarantees = evaluator.staged, evaluator.guarantees
        steps = _first_steps(evaluator.metric, staged.ladders, lattice, policy)
        cells = stage_cells(evaluator, lattice)
        if cells is not None:
            search = _CutSearch(evaluator, lattice, steps.cells(cells[0]), cells[1])
            steps = search.cut(steps, goes_on)
            outcome = search.left(steps)
            if outcome.feasible:
                tree = steps.tree(search.form, lattice.top, search.judged)
                decision = decision_of(staged.ladders, lattice, steps)
                decision = with_regions(decision, evaluator, tree)
                floor = evaluator.metric.bound(lattice.bottom)
                return Choice(decision, True, outcome, max(1, steps.rounds), floor)
        outcome = measure_whole(evaluator.engine, staged, guarantees, lattice.top)
        decision = decision_of(staged.ladders, lattice, replace(steps, rounds=0))
        return Choice(decision, False, outcome, 1)

    def blocked(self, choice: Choice, evaluator: NodeEvaluator) -> Mapping[str, BlockedColumn]:
        """The columns that cannot cut some regions, of a choice that was just decided."""
        decision = by_regions(choice.decision)
        cells = form_of(decision, evaluator.staged.judged.cells, evaluator.staged.ladders)
        steps = decision.steps
        assert isinstance(steps, CutSteps)
        return find_uncut(evaluator, steps.form(cells, decision.ceilings), steps.rounds)

    def from_lock(self, content: Mapping[str, Any]) -> RegionDecision:
        """The columns and the steps, every part of them checked."""
        return read_decision(content, read_cut_steps)


def _first_steps(
    metric: Metric, ladders: Sequence[Ladder], lattice: Lattice, policy: Policy
) -> CutSteps:
    """The steps before any round: what columns show, and what a cut gains."""
    gain, _, _ = gains_of(metric)
    shows = tuple(
        _shown(ladder, floor, policy) for ladder, floor in zip(ladders, lattice.bottom, strict=True)
    )
    return CutSteps(
        rounds=0,
        shows=shows,
        are_ordered=tuple(not ladder.column.is_text for ladder in ladders),
        by=policy.recoding.cut,
        gain="leaves" if gain == "saved" else "sizes",
        weights=weights_of_leaves(metric),
        scales=tuple(
            _scale(ladder.column) if each == "mean" else None
            for ladder, each in zip(ladders, shows, strict=True)
        ),
    )


def _shown(ladder: Ladder, floor: int, policy: Policy) -> Shows:
    """What a column shows: values stand in its ranges and sets, so none where these are too fine.

    Text has no order that a reader knows: in place of a range it shows the set. A column without
    means and medians shows the range in place of them.
    """
    labels = policy.recoding.labels
    if labels == "ladder" or floor > 0:
        return "ladder"
    if ladder.column.is_text:
        return "set"
    if labels not in AVERAGES:
        return labels
    return average_of(policy, ladder.column) or "range"


def _scale(column: Column) -> int | None:
    """How many digits after the point a mean of the column has; None of a mean of days."""
    return None if column.kind is Kind.DATE else column.scale


@dataclass(frozen=True)
class _CutSearch:
    """A staged table that is being cut: the form of its cells, and how sides are judged."""

    evaluator: NodeEvaluator
    lattice: Lattice
    form: CellForm
    judged: JudgingInput

    def cut(self, steps: CutSteps, goes_on: Callable[[Standing], bool]) -> CutSteps:
        """The steps with as many rounds as cut a region, unless told to stop before."""
        engine, cuts = self.evaluator.engine, steps.form(self.form, self.lattice.top)
        engine.run(places_sql(self.form))
        engine.run(cut_cells_sql(cuts))
        bound = self.evaluator.metric.bound(self.lattice.bottom)
        counted = "SELECT COUNT(*) AS cut_regions\nFROM {table}"
        for number in range(MOST_CUTS):
            if not goes_on(Standing(number, None, bound)):
                return replace(steps, rounds=number)
            candidates, chosen, made = round_of_cuts_sql(number, cuts, self.judged)
            engine.run(candidates)
            engine.run(chosen)
            asked = command("recodings/cut_count", counted, table=cut_table(number))
            if not engine.rows(asked)[0][0]:
                return replace(steps, rounds=number)
            engine.run(made)
        return replace(steps, rounds=MOST_CUTS)

    def left(self, steps: CutSteps) -> NodeOutcome:
        """The outcome of releasing the regions that are left after the rounds."""
        for asked in steps.left(steps.form(self.form, self.lattice.top)):
            self.evaluator.engine.run(asked)
        return shown_outcome(self.evaluator, self.form, 0)
