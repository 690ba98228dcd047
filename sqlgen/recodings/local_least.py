"""The least of what local recoding finds: by layers, or refined from the best node."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from sqlgen.judging.verdict_sql import judges_sizes_alone
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
# Of no more cells than these the best node is always looked for: that takes less than the layers
# do, and of few rows a layer may lose more than that node.
_FEW_CELLS = 1_000


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

    Where values are judged, layers that leave rows to be suppressed are tried too: Adult within
    t = 0.2 loses 0.431 with every row released, and 0.423 with 249 of 30,162 left over. Where
    sizes alone decide, a row that is suppressed loses more than others gain by that.
    """
    whole = find_steps(evaluator, lattice, goes_on, suppress=False)
    by_size = judges_sizes_alone(evaluator.guarantees)
    is_good = whole is not None and _is_good(evaluator, whole)
    is_small = evaluator.staged.cells <= _FEW_CELLS
    leaves = _may_leave(evaluator, policy)
    if is_good and not is_small and (by_size or not leaves):
        return whole
    tried = [_Tried.of(evaluator, lattice, policy, whole)]
    if leaves and (whole is None or not by_size):
        leaving = find_steps(evaluator, lattice, goes_on, suppress=True)
        tried.append(_Tried.of(evaluator, lattice, policy, leaving))
    measured = max(0 if each.found is None else each.found.measured for each in tried)
    floor = evaluator.metric.bound(lattice.bottom)
    if (is_good and not is_small) or not goes_on(Standing(measured, None, floor)):
        return _least(evaluator, lattice, tried)
    best = find_optimal(
        lattice,
        evaluator.metric.bound,
        evaluator.verdict,
        evaluator.cost,
        goes_on,
        evaluator.prepare,
    )
    node = best.node
    may_take = node is not None and (policy.recoding.suppress or _releases_all(evaluator, node))
    if node is not None and may_take and not (is_good and _is_least(evaluator, node, tried)):
        takes: list[Callable[[], LocalFound | None]] = [
            partial(refine_node, evaluator, lattice, node),
            partial(refine_node, evaluator, lattice, lattice.top),
            partial(take_node, evaluator, lattice, node),
        ]
        tried += [_Tried.of(evaluator, lattice, policy, take()) for take in takes]
    least = _least(evaluator, lattice, tried)
    # A node may have been asked for by both searches.
    return least and replace(least, measured=min(lattice.size, least.measured + best.measured))


def _is_least(evaluator: NodeEvaluator, node: Node, tried: Sequence["_Tried"]) -> bool:
    """Whether some steps lose no more than a node does."""
    cost = evaluator.cost(node)
    return any(each.cost is not None and each.cost <= cost for each in tried)


def _may_leave(evaluator: NodeEvaluator, policy: Policy) -> bool:
    """Whether rows may be left over, to be suppressed within the budget."""
    spare = evaluator.budget - evaluator.staged.facts.dropped_rows
    return policy.recoding.suppress and not policy.masks_sensitive and spare > 0


@dataclass(frozen=True)
class _Tried:
    """Steps that were taken, and what they lose by the policy's objective; None if not feasible."""

    found: LocalFound | None
    cost: Cost | None

    @classmethod
    def of(
        cls, evaluator: NodeEvaluator, lattice: Lattice, policy: Policy, found: LocalFound | None
    ) -> "_Tried":
        """The steps that were taken last: the tables must be theirs."""
        cost = None if found is None else _cost(evaluator, lattice, policy, found)
        return cls(found, cost)


def _least(
    evaluator: NodeEvaluator, lattice: Lattice, tried: Sequence[_Tried]
) -> LocalFound | None:
    """The steps that lose least, of equals the first, taken again unless they were the last."""
    costs = [(each.cost, place) for place, each in enumerate(tried) if each.cost is not None]
    if not costs:
        return None
    place = min(costs)[1]
    found = tried[place].found
    if found is None or place == len(tried) - 1:
        return found
    again = repeat_steps(evaluator, lattice, found.steps)
    return again and replace(again, measured=found.measured)


def _is_good(evaluator: NodeEvaluator, found: LocalFound) -> bool:
    """Whether layers release every row, and few of them at the most general node alone."""
    facts, outcome = evaluator.staged.facts, found.outcome
    is_whole = outcome.suppressed_rows == facts.dropped_rows and outcome.masked_rows == 0
    return found.is_found and is_whole and found.top_rows <= _MANY_AT_TOP * facts.kept_rows


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
