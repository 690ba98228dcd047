"""Rows of today in regions: of steps, or kept in a database and merged where they fail."""

from dataclasses import dataclass, replace

from sqlgen.judging.verdict_sql import JudgingInput
from sqlgen.measuring.evaluator import NodeEvaluator
from sqlgen.measuring.nodes import NodeOutcome, measure_classes
from sqlgen.recodings.kept_regions import (
    MOST_MERGES,
    KeptRegions,
    failing_sql,
    fit_sql,
    kept_sql,
    merged_sql,
    round_of_merging_sql,
)
from sqlgen.recodings.local_search import stage_cells
from sqlgen.recodings.region_steps import RegionSteps
from sqlgen.recodings.regions import (
    REGION_SHOWN,
    CellForm,
    Shown,
    shown_columns,
    shown_sql,
)
from sqlgen.search.lattice import Lattice
from sqlgen.wording import counted


@dataclass(frozen=True)
class KeptFound:
    """The release of kept regions with the rows of today, and why it is not feasible, if not.

    Of ``regions`` with rows in them some are ``failing``, with so many rows; others fit none.
    ``dropped_rows`` are those that the policy suppresses by their values, wherever they are.
    """

    kept: KeptRegions
    outcome: NodeOutcome
    regions: int
    failing: int
    failing_rows: int
    unfit_rows: int
    dropped_rows: int

    def hindrance(self, budget: int) -> str:
        """The drift, in words."""
        drop = f"nulls: suppress and uncovered: suppress drop {counted(self.dropped_rows, 'row')}, "
        dropped = f"{drop}and " if self.dropped_rows else ""
        return (
            f"of {counted(self.regions, 'region')} {self.failing:,} no longer hold, with "
            f"{counted(self.failing_rows, 'row')}, and {counted(self.unfit_rows, 'row')} fit no "
            f"region; {dropped}the budget is {budget}"
        )


def take_steps(
    evaluator: NodeEvaluator, lattice: Lattice, steps: RegionSteps
) -> NodeOutcome | None:
    """The outcome of steps that were found before, on the rows of today; None without rows."""
    staged = stage_cells(evaluator, lattice)
    if staged is None:
        return None
    form, judged = steps.cells(staged[0]), staged[1]
    for asked in steps.made(form, lattice.top, judged):
        evaluator.engine.run(asked)
    return shown_outcome(evaluator, form, steps.last_round)


def shown_outcome(evaluator: NodeEvaluator, form: CellForm, rounds: int) -> NodeOutcome:
    """The outcome of releasing the regions of a round: classes judged as a reader sees them."""
    engine, staged = evaluator.engine, evaluator.staged
    engine.run(shown_sql(form, rounds, Shown(values=True)))
    as_released = replace(staged.judged, guarantees=evaluator.guarantees, budget=evaluator.budget)
    return measure_classes(engine, as_released, staged.rows, REGION_SHOWN, shown_columns(form))


def put_into_regions(
    evaluator: NodeEvaluator, lattice: Lattice, steps: RegionSteps, kept: KeptRegions
) -> KeptFound | None:
    """The release of kept regions; with merges, those that it takes until it is feasible.

    Where no table keeps the regions, the steps make them anew.
    None where even the most general node fails, so that no regions could hold.
    """
    staged = stage_cells(evaluator, lattice)
    if staged is None:
        return None
    form, judged = steps.cells(staged[0]), staged[1]
    if kept.table is None:
        made = steps.made(form, lattice.top, judged)
        for asked in (*made, steps.tree(form, lattice.top, judged)):
            evaluator.engine.run(asked)
    for asked in kept_sql(form, evaluator.staged.ladders, kept):
        evaluator.engine.run(asked)
    if kept.merges is None:
        evaluator.engine.run(fit_sql(form))
        return _found(evaluator, form, judged, kept)
    return merge_regions(evaluator, lattice, form, judged, kept)


def merge_regions(
    evaluator: NodeEvaluator,
    lattice: Lattice,
    form: CellForm,
    judged: JudgingInput,
    kept: KeptRegions,
) -> KeptFound:
    """Regions merged until the release is feasible: first those that fail, then the smallest."""
    for asked in merged_sql(form, judged, lattice.top, ()):
        evaluator.engine.run(asked)
    merges: tuple[int, ...] = ()
    given_up = 1
    while True:
        found = _found(evaluator, form, judged, replace(kept, merges=merges))
        if found.outcome.feasible or not found.regions or len(merges) == MOST_MERGES:
            return found
        count = 0 if found.failing else given_up
        given_up *= 2 if count else 1
        merges = (*merges, count)
        for asked in round_of_merging_sql(form, judged, count):
            evaluator.engine.run(asked)


def _found(
    evaluator: NodeEvaluator, form: CellForm, judged: JudgingInput, kept: KeptRegions
) -> KeptFound:
    """The outcome of the regions that cells were put into, and how many of them fail."""
    staged = evaluator.staged
    outcome = shown_outcome(evaluator, form, 0)
    counts = evaluator.engine.rows(failing_sql(judged))[0]
    regions, failing, failing_rows, fitting_rows, merged = counts
    unfit = staged.facts.kept_rows - fitting_rows
    return KeptFound(
        replace(kept, merged=merged),
        outcome,
        regions,
        failing,
        failing_rows,
        unfit,
        staged.facts.dropped_rows,
    )
