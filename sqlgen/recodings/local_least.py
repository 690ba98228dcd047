"""The least of what local recoding finds: by layers, or refined from the best node."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial

from sqlgen.measuring.evaluator import NodeEvaluator
from sqlgen.policy import Policy
from sqlgen.recodings.local_search import (
    LocalFound,
    find_steps,
    refine_node,
    repeat_steps,
    take_node,
)
from sqlgen.recodings.region_release import RegionRelease
from sqlgen.recodings.regions import (
    CellForm,
)
from sqlgen.search.boxes import Cost
from sqlgen.search.lattice import Lattice, Node
from sqlgen.search.optimal import find_optimal
from sqlgen.search.verdict import Standing

# Where the most general node alone holds more of the rows than these, a single node may be better.
_MANY_AT_TOP = Fraction(1, 20)


def find_least(
    evaluator: NodeEvaluator,
    lattice: Lattice,
    policy: Policy,
    goes_on: Callable[[Standing], bool],
) -> LocalFound | None:
    """The steps that lose least: those of layers or, where those leave much, of the best node.

    So local recoding loses no more than full-domain generalization where that is in question: at
    k = 100, 300 rows came to 0.838 by layers, and to 0.587 at one node. And it is able to do what
    that does: to suppress or mask classes, one after another, until what is left holds.
    """
    found = find_steps(evaluator, lattice, goes_on, suppress=False)
    if found is None and policy.recoding.suppress and not policy.masks_sensitive:
        found = find_steps(evaluator, lattice, goes_on, suppress=True)
    if found is not None and _is_good(evaluator, found):
        return found
    metric = evaluator.metric
    measured = 0 if found is None else found.measured
    if not goes_on(Standing(measured, None, metric.bound(lattice.bottom))):
        return found
    best = find_optimal(
        lattice, metric.bound, evaluator.verdict, evaluator.cost, goes_on, evaluator.prepare
    )
    costs = {} if found is None else {0: _cost(evaluator, lattice, policy, found)}
    node = best.node
    if node is None or not (policy.recoding.suppress or _releases_all(evaluator, node)):
        return found
    tried: list[Callable[[], LocalFound | None]] = [
        partial(_layers_again, evaluator, lattice, found),
        partial(refine_node, evaluator, lattice, node),
        partial(refine_node, evaluator, lattice, lattice.top),
        partial(take_node, evaluator, lattice, node),
    ]
    last = None
    for place in (1, 2, 3):
        last = tried[place]()
        if last is not None:
            costs[place] = _cost(evaluator, lattice, policy, last)
    ranked = sorted((cost, place) for place, cost in costs.items() if cost is not None)
    if not ranked:
        return None
    least = ranked[0][1]
    # The tables are those of the steps that were taken last.
    chosen = last if least == 3 else tried[least]()
    return chosen and replace(chosen, measured=chosen.measured + best.measured)


def _is_good(evaluator: NodeEvaluator, found: LocalFound) -> bool:
    """Whether layers release every row, and few of them at the most general node alone."""
    facts, outcome = evaluator.staged.facts, found.outcome
    is_whole = outcome.suppressed_rows == facts.dropped_rows and outcome.masked_rows == 0
    return found.is_found and is_whole and found.top_rows <= _MANY_AT_TOP * facts.kept_rows


def _layers_again(
    evaluator: NodeEvaluator, lattice: Lattice, found: LocalFound | None
) -> LocalFound | None:
    """The steps that layers had found, taken again."""
    if found is None:
        return None
    again = repeat_steps(evaluator, lattice, found.steps)
    return again and replace(again, measured=found.measured)


def _releases_all(evaluator: NodeEvaluator, node: Node) -> bool:
    """Whether a node suppresses and masks no row that could be released."""
    outcome = evaluator.measures(node)
    dropped = evaluator.staged.facts.dropped_rows
    return outcome.suppressed_rows <= dropped and outcome.masked_rows == 0


def _cost(
    evaluator: NodeEvaluator, lattice: Lattice, policy: Policy, found: LocalFound
) -> Cost | None:
    """What the steps lose that were just taken, by the policy's objective; None if not feasible."""
    if not found.is_found:
        return None
    staged = evaluator.staged
    heights = tuple(ladder.height for ladder in staged.ladders)
    form = CellForm(heights, lattice.bottom, tuple(staged.judged.cells))
    release = RegionRelease(evaluator.engine, staged, form)
    judged = replace(staged.judged, guarantees=evaluator.guarantees)
    release.stage(judged, found.outcome.rounds, policy)
    summed = release.sums()
    return policy.objective.metric(summed.facts, staged.names).cost(summed.totals)
