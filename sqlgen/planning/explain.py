"""Why this node: what finer ones would break, what each column costs, what suppression buys."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sqlgen.display.summary import levels_words, names_words, summary
from sqlgen.engines import DataSource
from sqlgen.errors import PolicyError
from sqlgen.measuring.nodes import measure_whole
from sqlgen.measuring.tables import GuaranteeResult
from sqlgen.metrics import Metric
from sqlgen.planning.empty_columns import Relief, find_best, find_relief
from sqlgen.planning.plan import Plan, describe_plan, search_plan
from sqlgen.planning.session import PlanningSession, PlanOptions, SearchLimits, open_session
from sqlgen.policy import Policy
from sqlgen.policy.anatomy import ANATOMY
from sqlgen.policy.microaggregation import MICROAGGREGATION
from sqlgen.recodings import RECODINGS, BlockedColumn, Choice, RegionRecoding
from sqlgen.search.lattice import Lattice, Node
from sqlgen.sql.watch import NO_WATCH, Watch
from sqlgen.wording import objective_words

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Finer:
    """The chosen node with one column a level finer.

    ``faults`` has, per guarantee, the classes and rows that break it before any is suppressed.
    Where the node is ``feasible`` nonetheless, it has a higher ``objective``, or the same one.
    """

    column: str
    level: int
    feasible: bool
    suppressed_rows: int
    faults: tuple[GuaranteeResult, ...]
    objective: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """The node as plain values."""
        return {
            "column": self.column,
            "level": self.level,
            "feasible": self.feasible,
            "suppressed_rows": self.suppressed_rows,
            "objective": None if self.objective is None else round(self.objective, 8),
            "faults": [
                {
                    "guarantee": fault.guarantee.words,
                    "failing_classes": fault.failing_classes,
                    "failing_rows": fault.failing_rows,
                }
                for fault in self.faults
            ],
        }


@dataclass(frozen=True)
class Burden:
    """The cost of one column to the others.

    ``beside`` is the objective over the other columns at the chosen node, ``without`` over the
    same columns at the best node where this one is fully general. An objective over classes has no
    columns to leave out; it is the whole one then.
    """

    column: str
    loss: float
    beside: float
    without: float | None

    def to_dict(self) -> dict[str, Any]:
        """The burden as plain values."""
        return {
            "column": self.column,
            "loss": round(self.loss, 8),
            "others": round(self.beside, 8),
            "others_without_it": None if self.without is None else round(self.without, 8),
        }


@dataclass(frozen=True)
class Explanation:
    """A plan with its reasons; none where the policy cannot be met.

    Where columns have several levels there is no node to be finer or to do without a column:
    ``blocked`` says then what keeps which column from finer labels.
    """

    plan: Plan
    finer: tuple[Finer, ...] = ()
    burdens: tuple[Burden, ...] = ()
    relief: Relief | None = None
    blocked: tuple[BlockedColumn, ...] = ()
    seconds: float = field(default=0.0, compare=False)

    @property
    def satisfied(self) -> bool:
        """Whether there is a node to explain."""
        return self.plan.satisfied

    def to_dict(self) -> dict[str, Any]:
        """The explanation as plain values, as ``sqlgen explain --json`` prints it."""
        return {
            "plan": self.plan.to_dict(),
            "finer": [step.to_dict() for step in self.finer],
            **({"blocked": list(map(self._blocked, self.blocked))} if self.blocked else {}),
            "columns": [burden.to_dict() for burden in self.burdens],
            "one_percent_more": self.relief.to_dict() if self.relief else None,
            "seconds": round(self.seconds, 4),
        }

    def _blocked(self, column: BlockedColumn) -> dict[str, Any]:
        """A column that is kept from finer labels, as plain values."""
        titles = [guarantee.guarantee.title for guarantee in self.plan.guarantees]
        return {**asdict(column), "broken": dict(zip(titles, column.broken, strict=True))}

    def __repr__(self) -> str:
        name = self.plan.policy.objective.name
        levels = self.plan.levels
        at = f"at {levels_words(levels)}" if levels is not None else self.plan.levels_line
        kept = [finer.column for finer in self.finer if not finer.feasible]
        kept += [column.column for column in self.blocked]
        return summary(
            "Explanation",
            f"{name} {objective_words(self.plan.objective)} {at}"
            if self.satisfied
            else "no combination of levels meets the policy",
            f"one level finer would break the policy: {names_words(kept)}" if kept else "",
        )

    def to_pandas(self) -> "pandas.DataFrame":
        """The columns with what each costs the others or what keeps it coarse, a row each."""
        import pandas  # noqa: PLC0415

        if self.blocked:
            return pandas.DataFrame(map(self._blocked, self.blocked))
        return pandas.DataFrame([burden.to_dict() for burden in self.burdens])


def explain_plan(
    policy: Policy,
    source: DataSource | None = None,
    *,
    levels: Mapping[str, tuple[int, int]] = MappingProxyType({}),
    watch: Watch = NO_WATCH,
) -> Explanation:
    """The plan for a policy, and why it is this one; each figure is measured, none is guessed.

    Reads the table and changes nothing.
    """
    if policy.recoding.name == ANATOMY:
        raise PolicyError(
            f"{policy.where('recoding')}: explain says what keeps columns from finer labels, and "
            f"{ANATOMY} releases them as they are. sqlgen plan says what groups it makes"
        )
    if policy.recoding.name == MICROAGGREGATION:
        raise PolicyError(
            f"{policy.where('recoding')}: explain says what keeps columns from finer labels, and "
            f"{MICROAGGREGATION} shows what its groups share. sqlgen plan says how alike they are"
        )
    started, progress = time.perf_counter(), watch.progress
    options = PlanOptions(SearchLimits(levels), watch)
    with open_session(policy, source, options) as opened:
        choice = search_plan(opened, progress=progress)
        plan = replace(describe_plan(opened, choice), policy=policy, source=source)
        if not plan.satisfied:
            return Explanation(plan, seconds=time.perf_counter() - started)
        seconds = {"total": time.perf_counter() - started}
        recoding = RECODINGS[choice.decision.recoding]
        if isinstance(recoding, RegionRecoding):
            plan = replace(plan, seconds=seconds)
            return _explain_regions(opened, plan, choice, recoding, watch, started)
        node = tuple(plan.levels_to("explain a plan").values())
        explanation = Explanation(
            replace(plan, seconds=seconds),
            tuple(_finer(opened, node)),
            tuple(
                _burden(opened, node, column, plan.column_loss[name], progress)
                for column, name in enumerate(opened.evaluator.staged.names)
            ),
            _relief(opened, progress),
        )
    return replace(explanation, seconds=time.perf_counter() - started)


def _explain_regions(
    opened: PlanningSession,
    plan: Plan,
    choice: Choice,
    recoding: RegionRecoding,
    watch: Watch,
    started: float,
) -> Explanation:
    """What keeps regions coarse, and what they would lose with one percent more suppression.

    The regions of the plan are still staged; the search with more suppression stages its own.
    """
    watch.progress("looking for what keeps columns coarse")
    blocked = recoding.blocked(choice, opened.evaluator)
    watch.progress("recoding with one percent more suppressed")
    budget = _one_percent_more(opened)
    more = replace(opened, evaluator=replace(opened.evaluator, budget=budget))
    relieved = search_plan(more)
    metric = None
    if relieved.is_found:
        policy = plan.policy.model_copy(update={"queries": ()})
        summed = recoding.totals(relieved, more.evaluator, policy, opened.source)
        objective = plan.policy.objective.metric(summed.facts, opened.evaluator.staged.names)
        metric = objective.value(objective.cost(summed.totals))
    return Explanation(
        plan,
        relief=Relief(budget, {}, metric, is_proved=False),
        blocked=tuple(blocked.values()),
        seconds=time.perf_counter() - started,
    )


def _finer(opened: PlanningSession, node: Node) -> list[Finer]:
    trial, lattice = opened.evaluator, opened.lattice
    nodes = []
    for column, name in enumerate(trial.staged.names):
        if node[column] == lattice.bottom[column]:
            continue
        finer = (*node[:column], node[column] - 1, *node[column + 1 :])
        outcome = trial.measures(finer)
        whole = measure_whole(trial.engine, trial.staged, trial.guarantees, finer)
        nodes.append(
            Finer(
                column=name,
                level=finer[column],
                feasible=outcome.feasible,
                suppressed_rows=outcome.suppressed_rows + outcome.masked_rows - outcome.empty_rows,
                faults=tuple(
                    GuaranteeResult(guarantee, figure, classes, rows)
                    for guarantee, figure, classes, rows in zip(
                        trial.guarantees,
                        whole.values,
                        whole.failing,
                        whole.failing_rows,
                        strict=True,
                    )
                ),
                objective=trial.metric.value(trial.cost(finer)) if outcome.feasible else None,
            )
        )
    return nodes


def _burden(
    opened: PlanningSession, node: Node, column: int, loss: float, progress: Callable[[str], None]
) -> Burden:
    trial, lattice = opened.evaluator, opened.lattice
    name = trial.staged.names[column]
    progress(f"looking for the best node without {name}")
    metric = _beside(trial.metric, column)
    top = trial.staged.ladders[column].height
    general = Lattice(_at(lattice.heights, column, top), _at(lattice.bottom, column, top))
    # The same verdicts: a node that was measured for the plan is not measured again.
    others = replace(trial, metric=metric)
    _, best, _ = find_best(others, general)
    return Burden(
        column=name,
        loss=loss,
        beside=metric.value(others.cost(node)),
        without=None if best is None else metric.value(best),
    )


def _relief(opened: PlanningSession, progress: Callable[[str], None]) -> Relief:
    progress("looking for the best node with one percent more suppressed")
    return find_relief(opened, _one_percent_more(opened))


def _one_percent_more(opened: PlanningSession) -> int:
    """The budget with one percent of all rows added."""
    trial = opened.evaluator
    return trial.budget + int(Fraction(trial.staged.facts.rows, 100))


def _beside(metric: Metric, column: int) -> Metric:
    """The objective over the other columns, where it has columns and there are others."""
    weights = _at(tuple(metric.weights), column, 0)
    return replace(metric, weights=weights) if metric.takes_weights and any(weights) else metric


def _at(levels: Sequence[int], column: int, level: int) -> tuple[int, ...]:
    return (*levels[:column], level, *levels[column + 1 :])
