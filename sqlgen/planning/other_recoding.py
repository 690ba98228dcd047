"""Another recoding than a plan's: what it would lose of the same staged table."""

from dataclasses import asdict, dataclass, replace
from typing import Any

from sqlgen.planning.session import NO_LIMIT, Limit, PlanningSession
from sqlgen.policy.recoding import RecodingChoice
from sqlgen.recodings import RECODINGS, FullDomain, Local
from sqlgen.search.verdict import Standing

# What loses more than half of what the plan loses is not worth a line.
_WORTH = 0.5
# Local recoding looks at 206 nodes of Adult's 12,458 cells, in a second. It is not looked for over
# more cells than these, and no further than at so many cells in all.
_MOST_CELLS = 100_000
_MOST_LOOKS = 20_000_000


@dataclass(frozen=True)
class OtherRecoding:
    """A recoding that loses at most half of what the plan does, by the plan's objective.

    Its ``objective`` is that of the plan which a policy with this recoding has.
    """

    recoding: str
    objective: float

    def to_dict(self) -> dict[str, Any]:
        """The recoding as plain values."""
        return {**asdict(self), "objective": round(self.objective, 8)}


def find_other(
    opened: PlanningSession, objective: float, limit: Limit = NO_LIMIT
) -> OtherRecoding | None:
    """What local recoding would lose in place of one level per column, where that is much less.

    None where it is not, where a guarantee is unfit for classes with levels of their own, where the
    release is a view, which regions cannot be made for, or where there are many cells. ``limit``
    bounds the time.
    """
    evaluator, policy = opened.evaluator, opened.policy
    cells = evaluator.staged.cells
    is_view = policy.release is not None and policy.release.kind == "view"
    unfit = any(guarantee.unfit_for_regions for guarantee in policy.guarantees)
    if policy.recoding.name != FullDomain.name or is_view or unfit:
        return None
    if objective <= 0 or not 0 < cells <= _MOST_CELLS:
        return None
    looks = replace(limit, nodes=_MOST_LOOKS // cells)
    # Queries are answered by a plan.
    other = policy.model_copy(update={"recoding": RecodingChoice(name=Local.name), "queries": ()})
    recoding = RECODINGS[Local.name]
    stopped: list[Standing] = []

    def goes_on(standing: Standing) -> bool:
        stopped[:] = [] if looks.allows(standing.measured) else [standing]
        return not stopped

    choice = recoding.decide(evaluator, opened.lattice, other, goes_on)
    if not choice.is_found or stopped:
        return None
    summed = recoding.totals(choice, evaluator, other, opened.source)
    metric = policy.objective.metric(summed.facts, evaluator.staged.names)
    loses = metric.value(metric.cost(summed.totals))
    return OtherRecoding(Local.name, loses) if loses <= _WORTH * objective else None
