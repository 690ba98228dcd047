"""The risk-utility frontier: the best that can be released at each of several thresholds."""

import csv
import io
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from sqlgen.display.notebook import TextTable, notebook_html
from sqlgen.display.summary import summary
from sqlgen.engines import DataSource
from sqlgen.errors import PolicyError
from sqlgen.guarantees import Guarantee
from sqlgen.guarantees.figures import plain
from sqlgen.measuring.evaluator import NodeEvaluator
from sqlgen.measuring.nodes import measure_node
from sqlgen.measuring.tables import GuaranteeResult
from sqlgen.planning.session import (
    NO_LIMITS,
    PlanningSession,
    PlanOptions,
    SearchLimits,
    open_session,
)
from sqlgen.policy import Policy
from sqlgen.policy.reading import value_words
from sqlgen.search.frontier import Best, find_frontier
from sqlgen.search.lattice import Node
from sqlgen.search.verdict import Verdict
from sqlgen.sql.watch import NO_WATCH, Watch
from sqlgen.wording import objective_words, rows_words

if TYPE_CHECKING:
    import pandas

# What is tried where the caller says no thresholds, for the first of these that a policy has.
USUAL: Mapping[str, tuple[str, ...]] = {
    "k": ("2", "3", "5", "10", "20", "50", "100"),
    "l": ("2", "3", "4", "5", "6", "8"),
    "t": ("0.05", "0.1", "0.15", "0.2", "0.3", "0.5"),
}


@dataclass(frozen=True)
class Point:
    """The best release at one threshold; without levels where no node gives it."""

    threshold: str
    levels: Mapping[str, int]
    objective: float | None = None
    classes: int = 0
    suppressed_rows: int = 0
    masked_rows: int = 0
    guarantees: tuple[GuaranteeResult, ...] = ()
    is_proved: bool = True

    def to_dict(self) -> dict[str, Any]:
        """The point as plain values."""
        return {
            "threshold": self.threshold,
            "satisfied": bool(self.levels),
            "proved": self.is_proved,
            "levels": dict(self.levels),
            "objective": None if self.objective is None else round(self.objective, 8),
            "classes": self.classes,
            "suppressed_rows": self.suppressed_rows,
            "masked_rows": self.masked_rows,
            "measured": {
                guarantee.guarantee.title: plain(guarantee.value) for guarantee in self.guarantees
            },
        }


@dataclass(frozen=True)
class Frontier:
    """The points of a frontier, in the order of their thresholds as they were asked for."""

    policy: Policy = field(repr=False)
    parameter: str
    rows: int
    points: tuple[Point, ...]
    lattice_nodes: int
    measured_nodes: int
    seconds: float

    @property
    def satisfied(self) -> bool:
        """Whether any threshold can be met."""
        return any(point.levels for point in self.points)

    def to_dict(self) -> dict[str, Any]:
        """The frontier as plain values, as ``sqlgen frontier --json`` prints it."""
        return {
            "parameter": self.parameter,
            "objective": self.policy.objective.name,
            "rows": self.rows,
            "points": [point.to_dict() for point in self.points],
            "nodes": {"lattice": self.lattice_nodes, "measured": self.measured_nodes},
            "seconds": round(self.seconds, 4),
        }

    def __repr__(self) -> str:
        best = (
            f"{point.threshold}: "
            + ("not met" if point.objective is None else objective_words(point.objective))
            for point in self.points
        )
        return summary("Frontier", self._headline, ", ".join(best))

    def _repr_html_(self) -> str:
        header = (self.parameter, self.policy.objective.name, "suppressed", "classes")
        rows = [
            (
                point.threshold,
                "not met" if point.objective is None else objective_words(point.objective),
                f"{point.suppressed_rows:,}" if point.levels else "",
                f"{point.classes:,}" if point.levels else "",
                *(str(point.levels.get(name, "")) for name in self.policy.quasi),
            )
            for point in self.points
        ]
        table = TextTable("Thresholds", (*header, *self.policy.quasi), rows)
        return notebook_html(f"Frontier: {self._headline}", (), [table])

    @property
    def _headline(self) -> str:
        return f"{self.policy.objective.name} by {self.parameter}, for {rows_words(self.rows)}"

    def lines(self) -> list[dict[str, Any]]:
        """A flat line per point: the threshold, what it costs, and the levels of each column."""
        return [
            {
                self.parameter: point.threshold,
                self.policy.objective.name: None
                if point.objective is None
                else round(point.objective, 8),
                "classes": point.classes if point.levels else None,
                "suppressed_rows": point.suppressed_rows if point.levels else None,
                "proved": point.is_proved,
                **{name: point.levels.get(name) for name in self.policy.quasi},
            }
            for point in self.points
        ]

    def to_csv(self) -> str:
        """The lines as CSV with a header."""
        text = io.StringIO()
        lines = self.lines()
        writer = csv.DictWriter(text, list(lines[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)
        return text.getvalue()

    def to_pandas(self) -> "pandas.DataFrame":
        """The lines, a row each."""
        import pandas  # noqa: PLC0415

        return pandas.DataFrame(self.lines())


def make_frontier(
    policy: Policy,
    source: DataSource | None = None,
    *,
    vary: tuple[str, Sequence[Any]] | None = None,
    limits: SearchLimits = NO_LIMITS,
    watch: Watch = NO_WATCH,
) -> Frontier:
    """The least objective at each threshold of a policy's guarantees, by one walk over the lattice.

    ``vary`` names a parameter and its values, ``("k", [2, 5, 10])``: every guarantee that has the
    parameter takes each value in turn, and the others stay as they are. By default k, l or t, the
    first that the policy has. Reads the table and changes nothing.
    """
    started = time.perf_counter()
    parameter, thresholds = vary or _usual(policy)
    variants = [_varied(policy, parameter, threshold) for threshold in thresholds]
    if not variants:
        raise PolicyError("--vary: name a parameter and its values, like k=2,5,10")
    options = PlanOptions(limits, watch)
    with open_session(policy, source, options) as opened:
        trials = _trials(opened, variants)
        limit = limits.since(started)

        def goes_on(measured: int) -> bool:
            watch.progress(f"measured {measured:,} of {opened.lattice.size:,} nodes")
            return limit.allows(measured)

        result = find_frontier(
            opened.lattice,
            len(trials),
            trials[0].metric.bound,
            lambda node, numbers: _verdicts([trials[number] for number in numbers], node),
            lambda node, number: trials[number].cost(node),
            goes_on,
        )
    return Frontier(
        policy=policy,
        parameter=parameter,
        rows=opened.evaluator.staged.rows,
        points=tuple(
            _point(trial, str(threshold), best)
            for trial, threshold, best in zip(trials, thresholds, result.points, strict=True)
        ),
        lattice_nodes=opened.lattice.size,
        measured_nodes=result.measured,
        seconds=time.perf_counter() - started,
    )


def _usual(policy: Policy) -> tuple[str, tuple[str, ...]]:
    for parameter, thresholds in USUAL.items():
        if any(parameter in type(guarantee).model_fields for guarantee in policy.guarantees):
            return parameter, thresholds
    raise PolicyError("the policy has no k, l or t: name what to vary, like --vary beta=1,2")


def _varied(policy: Policy, parameter: str, threshold: Any) -> tuple[Guarantee, ...]:
    """The policy's guarantees with one parameter at another value, wherever they have it."""
    if not any(parameter in type(guarantee).model_fields for guarantee in policy.guarantees):
        raise PolicyError(f"--vary: no guarantee of the policy has a parameter {parameter}")
    varied = []
    for guarantee in policy.guarantees:
        if parameter not in type(guarantee).model_fields:
            varied.append(guarantee)
            continue
        said = {key: value for key, value in guarantee if key in guarantee.model_fields_set}
        try:
            varied.append(type(guarantee).model_validate({**said, parameter: str(threshold)}))
        except ValidationError as error:
            requirement = value_words(error.errors(include_url=False)[0])
            raise PolicyError(
                f"--vary: {parameter} of {guarantee.name}, {threshold}: {requirement}"
            ) from None
    return tuple(varied)


def _trials(
    opened: PlanningSession, variants: Sequence[tuple[Guarantee, ...]]
) -> list[NodeEvaluator]:
    """A trial per threshold; their bounds are those of the loosest."""
    staged, policy = opened.evaluator.staged, opened.policy
    least = min(max(guarantee.least_class for guarantee in guarantees) for guarantees in variants)
    facts = replace(staged.facts, least_class=least)
    metric = policy.objective.metric(facts, staged.names)
    return [
        NodeEvaluator(opened.engine, staged, guarantees, opened.evaluator.budget, metric)
        for guarantees in variants
    ]


def _verdicts(trials: Sequence[NodeEvaluator], node: Node) -> list[Verdict]:
    """The verdicts on a node at some thresholds; its class sizes are counted for all at once."""
    first = trials[0]
    outcomes = measure_node(
        first.engine, first.staged, [trial.guarantees for trial in trials], node, first.budget
    )
    for trial, measures in zip(trials, outcomes, strict=True):
        trial.measured[node] = measures
    return [trial.verdict(node) for trial in trials]


def _point(trial: NodeEvaluator, threshold: str, best: Best) -> Point:
    if best.node is None or best.cost is None:
        return Point(threshold, {}, is_proved=best.is_proved)
    outcome = trial.measured[best.node]
    rows = trial.staged.rows - outcome.suppressed_rows
    return Point(
        threshold=threshold,
        levels=dict(zip(trial.staged.names, best.node, strict=True)),
        objective=trial.metric.value(best.cost),
        classes=outcome.classes,
        suppressed_rows=outcome.suppressed_rows,
        masked_rows=outcome.masked_rows,
        guarantees=tuple(
            GuaranteeResult(guarantee, figure, rows=rows)
            for guarantee, figure in zip(trial.guarantees, outcome.values, strict=True)
        ),
        is_proved=best.is_proved,
    )
