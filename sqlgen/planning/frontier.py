"""The risk-utility frontier: the best that can be released at each of several thresholds."""

import csv
import io
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from sqlgen.display.notebook import TextTable, notebook_html
from sqlgen.display.summary import summary
from sqlgen.engines import DataSource
from sqlgen.errors import PolicyError
from sqlgen.guarantees import Guarantee
from sqlgen.guarantees.figures import plain
from sqlgen.measuring.evaluator import NodeEvaluator
from sqlgen.measuring.nodes import NodeOutcome, measure_node
from sqlgen.measuring.tables import GuaranteeResult
from sqlgen.planning.session import (
    NO_LIMITS,
    Limit,
    PlanningSession,
    PlanOptions,
    SearchLimits,
    open_session,
)
from sqlgen.policy import Policy
from sqlgen.policy.anatomy import ANATOMY, anatomy_misfits
from sqlgen.policy.microaggregation import MICROAGGREGATION, microaggregation_misfits
from sqlgen.policy.reading import value_words
from sqlgen.policy.recoding import RecodingChoice
from sqlgen.recodings import RECODINGS, Choice, FullDomain
from sqlgen.search.frontier import Best, find_frontier
from sqlgen.search.lattice import Node
from sqlgen.search.verdict import Standing, Verdict
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
    """The best release at one threshold by a recoding; without an objective where there is none.

    ``levels`` has the level of each column; empty where a column has several, or none is found.
    ``level_rows`` says then how many rows are at each level of a column.
    """

    threshold: str
    levels: Mapping[str, int]
    objective: float | None = None
    classes: int = 0
    suppressed_rows: int = 0
    masked_rows: int = 0
    guarantees: tuple[GuaranteeResult, ...] = ()
    is_proved: bool = True
    recoding: str = FullDomain.name
    level_rows: Mapping[str, Sequence[int]] = field(default_factory=dict)

    @property
    def satisfied(self) -> bool:
        """Whether a release was found."""
        return self.objective is not None

    def to_dict(self) -> dict[str, Any]:
        """The point as plain values."""
        return {
            "threshold": self.threshold,
            "recoding": self.recoding,
            "satisfied": self.satisfied,
            "proved": self.is_proved,
            "levels": dict(self.levels),
            **(
                {"level_rows": {name: list(rows) for name, rows in self.level_rows.items()}}
                if self.level_rows
                else {}
            ),
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
    """The points of a frontier, in the order in which thresholds were asked for, and recodings."""

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
        return any(point.satisfied for point in self.points)

    @property
    def recodings(self) -> tuple[str, ...]:
        """The recodings that were compared."""
        return tuple(dict.fromkeys(point.recoding for point in self.points))

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
        several = len(self.recodings) > 1
        best = (
            f"{point.threshold}{f' {point.recoding}' if several else ''}: {_figure(point)}"
            for point in self.points
        )
        return summary("Frontier", self._headline, ", ".join(best))

    def _repr_html_(self) -> str:
        header = (
            *(self.parameter, "recoding", self.policy.objective.name, "suppressed", "classes"),
            *self.policy.quasi,
        )
        rows = [
            (
                point.threshold,
                point.recoding,
                _figure(point),
                f"{point.suppressed_rows:,}" if point.satisfied else "",
                f"{point.classes:,}" if point.satisfied else "",
                *(str(point.levels.get(name, "")) for name in self.policy.quasi),
            )
            for point in self.points
        ]
        table = TextTable("Thresholds", header, rows)
        return notebook_html(f"Frontier: {self._headline}", (), [table])

    @property
    def _headline(self) -> str:
        return f"{self.policy.objective.name} by {self.parameter}, for {rows_words(self.rows)}"

    def lines(self) -> list[dict[str, Any]]:
        """A flat line per point: threshold, recoding, what it costs, the level of each column."""
        return [
            {
                self.parameter: point.threshold,
                "recoding": point.recoding,
                self.policy.objective.name: None
                if point.objective is None
                else round(point.objective, 8),
                "classes": point.classes if point.satisfied else None,
                "suppressed_rows": point.suppressed_rows if point.satisfied else None,
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
    recodings: Sequence[str] = (),
    limits: SearchLimits = NO_LIMITS,
    watch: Watch = NO_WATCH,
) -> Frontier:
    """The least objective at each threshold of a policy's guarantees, by some recodings.

    ``vary`` names a parameter and its values, ``("k", [2, 5, 10])``: every guarantee that has the
    parameter takes each value in turn, and the others stay as they are. By default k, l or t, the
    first that the policy has. ``recodings`` are the policy's own, unless said. Full-domain
    generalization walks the lattice once for all thresholds; local recoding decides at each. Reads
    the table and changes nothing.
    """
    started = time.perf_counter()
    parameter, thresholds = vary or _usual(policy)
    variants = [_varied(policy, parameter, threshold) for threshold in thresholds]
    if not variants:
        raise PolicyError("--vary: name a parameter and its values, like k=2,5,10")
    choices = _choices(policy, recodings, variants)
    options = PlanOptions(limits, watch)
    with open_session(policy, source, options) as opened:
        trials = _trials(opened, variants)
        search = _Search(opened, trials, tuple(map(str, thresholds)), limits.since(started), watch)
        found = [
            search.by_levels() if choice.name == FullDomain.name else search.by_choice(choice)
            for choice in choices
        ]
    return Frontier(
        policy=policy,
        parameter=parameter,
        rows=opened.evaluator.staged.rows,
        points=tuple(chain.from_iterable(zip(*(points for points, _ in found), strict=True))),
        lattice_nodes=opened.lattice.size,
        measured_nodes=sum(measured for _, measured in found),
        seconds=time.perf_counter() - started,
    )


@dataclass(frozen=True)
class _Search:
    """A search for the best releases of a session: a trial per threshold, within a limit."""

    opened: PlanningSession
    trials: Sequence[NodeEvaluator]
    thresholds: Sequence[str]
    limit: Limit
    watch: Watch

    def by_levels(self) -> tuple[list[Point], int]:
        """The best node at each threshold, by one walk, and how many nodes that measured."""
        lattice, trials = self.opened.lattice, self.trials
        result = find_frontier(
            lattice,
            len(trials),
            trials[0].metric.bound,
            lambda node, numbers: _verdicts([trials[number] for number in numbers], node),
            lambda node, number: trials[number].cost(node),
            self.goes_on,
        )
        asked = zip(trials, self.thresholds, result.points, strict=True)
        return [_point(trial, threshold, best) for trial, threshold, best in asked], result.measured

    def by_choice(self, choice: RecodingChoice) -> tuple[list[Point], int]:
        """What a recoding chooses at each threshold, and how many nodes that measured."""
        # Queries are answered by a plan.
        changes = {"recoding": choice, "queries": ()}
        policy = self.opened.policy.model_copy(update=changes)
        points, measured = [], 0
        for trial, threshold in zip(self.trials, self.thresholds, strict=True):
            self.watch.progress(f"{choice.name} at {threshold}")
            chosen = RECODINGS[choice.name].decide(
                trial,
                self.opened.lattice,
                policy,
                partial(self._allows, measured),
            )
            measured += chosen.measured
            points.append(self._chosen(policy, trial, threshold, chosen))
        return points, measured

    def goes_on(self, measured: int) -> bool:
        """Whether another node may be measured, once people heard of it."""
        of = f"{self.opened.lattice.size:,}"
        self.watch.progress(f"measured {measured:,} of {of} nodes")
        return self.limit.allows(measured)

    def _allows(self, before: int, standing: Standing) -> bool:
        """Whether another node may be measured after those of the thresholds before."""
        return self.limit.allows(before + standing.measured)

    def _chosen(
        self, policy: Policy, trial: NodeEvaluator, threshold: str, chosen: Choice
    ) -> Point:
        name, is_proved = chosen.decision.recoding, chosen.floor is None
        if not chosen.is_found:
            return Point(threshold, {}, is_proved=is_proved, recoding=name)
        summed = RECODINGS[name].totals(chosen, trial, policy, self.opened.source)
        metric = policy.objective.metric(summed.facts, trial.staged.names)
        point = _measured(trial, chosen.outcome, metric.value(metric.cost(summed.totals)))
        return replace(
            point,
            threshold=threshold,
            levels=chosen.decision.levels or {},
            is_proved=is_proved,
            recoding=name,
            level_rows=summed.level_rows,
        )


def _choices(
    policy: Policy, recodings: Sequence[str], variants: Sequence[tuple[Guarantee, ...]]
) -> list[RecodingChoice]:
    """The recodings that are compared; the policy's own keeps its options."""
    choices = []
    for name in dict.fromkeys(recodings or [policy.recoding.name]):
        if name not in RECODINGS:
            known = ", ".join(RECODINGS)
            raise PolicyError(f"--recoding: must be one of {known}; found {name}")
        for guarantee in chain.from_iterable(variants):
            if name != FullDomain.name and (unfit := guarantee.unfit_for_regions):
                raise PolicyError(
                    f"--recoding: {name} recoding cannot give {guarantee.name}: {unfit}. "
                    f"Write --recoding {FullDomain.name}"
                )
        if name == ANATOMY:
            in_groups = RecodingChoice.model_validate({"name": name})
            asked = policy.model_copy(update={"recoding": in_groups})
            _check_groups(asked, variants, anatomy_misfits)
        if name == MICROAGGREGATION and policy.recoding.name == name:
            _check_groups(policy, variants, microaggregation_misfits)
        own = policy.recoding
        if name == MICROAGGREGATION and own.name != name:
            raise PolicyError(
                f"--recoding: {name} needs the columns that make its groups. Write the policy's "
                "recoding: {microaggregation: {of: [salary]}}"
            )
        choices.append(own if own.name == name else RecodingChoice.model_validate({"name": name}))
    return choices


def _check_groups(
    policy: Policy,
    variants: Sequence[tuple[Guarantee, ...]],
    misfits: Callable[[Policy], Iterator[tuple[tuple[str | int, ...], str]]],
) -> None:
    """Refuse to compare with groups what they cannot give, or what has no sensitive column."""
    for guarantees in variants:
        asked = policy.model_copy(update={"guarantees": guarantees, "queries": ()})
        for _, words in misfits(asked):
            raise PolicyError(f"--recoding: {words}")


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
    point = _measured(trial, trial.measured[best.node], trial.metric.value(best.cost))
    levels = dict(zip(trial.staged.names, best.node, strict=True))
    return replace(point, threshold=threshold, levels=levels, is_proved=best.is_proved)


def _measured(trial: NodeEvaluator, outcome: NodeOutcome, objective: float) -> Point:
    """The figures of a release."""
    rows = trial.staged.rows - outcome.suppressed_rows
    return Point(
        threshold="",
        levels={},
        objective=objective,
        classes=outcome.classes,
        suppressed_rows=outcome.suppressed_rows,
        masked_rows=outcome.masked_rows,
        guarantees=tuple(
            GuaranteeResult(guarantee, figure, rows=rows)
            for guarantee, figure in zip(trial.guarantees, outcome.values, strict=True)
        ),
    )


def _figure(point: Point) -> str:
    return "not met" if point.objective is None else objective_words(point.objective)
