"""Planning session: a staged table, and the verdict and the cost of each node of its lattice."""

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice

from sqlgen.engines import DataSource, Engine
from sqlgen.engines.duckdb.catalog import Relation
from sqlgen.errors import PolicyError
from sqlgen.guarantees import Guarantee
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.judging.verdict_sql import judges_sizes_alone
from sqlgen.ledger.increments import make_job, now
from sqlgen.measuring.class_sums import (
    EVERY_SUM,
    OF_CLASSES,
    OF_LABELS,
    OF_SIZES,
    sum_classes_by_size,
    sum_released_classes,
    sums_without_suppression,
)
from sqlgen.measuring.nodes import NodeOutcome, measure_node, measure_sizes, measure_values
from sqlgen.measuring.queries import queried
from sqlgen.metrics import ClassTotals, Cost, Metric
from sqlgen.policy import Policy
from sqlgen.search.lattice import Lattice, Node
from sqlgen.search.verdict import Verdict
from sqlgen.sql.watch import NO_WATCH, Watch
from sqlgen.staging.all_faults import every_fault
from sqlgen.staging.fingerprints import Fingerprints, take_fingerprints
from sqlgen.staging.inputs import Inputs
from sqlgen.staging.job import Job
from sqlgen.staging.ladders import level_range, read_ladders
from sqlgen.staging.sensitive import Sensitive, read_sensitive
from sqlgen.staging.sensitive_levels import read_sensitive_levels
from sqlgen.staging.source import check_columns, open_rows, read_source
from sqlgen.staging.stage import Staged, Unstaged, stage, stage_sensitive_levels

# So many nodes tell what to expect of the next.
_LAST = 16
# With more cells than these, nodes that are measured for nothing cost more than statements do: they
# are 11 of 65 over the census's 99,982 cells. Of Adult's 12,458 they are 6 of 89, at half the time.
_FEW_CELLS = 30_000


@dataclass(frozen=True)
class NodeEvaluator:
    """The verdicts and costs of the nodes of a staged table, by guarantees, budget and objective.

    ``measured`` keeps the outcome of each node, so that none is measured twice, ``sized`` the
    outcome by class sizes alone of nodes that were prepared, ``tallied`` the sums over the released
    classes of a node, by the sums that were asked for.
    """

    engine: Engine
    staged: Staged
    guarantees: Sequence[Guarantee]
    budget: int
    metric: Metric
    measured: dict[Node, NodeOutcome] = field(default_factory=dict)
    sized: dict[Node, NodeOutcome] = field(default_factory=dict)
    tallied: dict[tuple[Node, frozenset[str]], ClassTotals] = field(default_factory=dict)

    @property
    def prepare(self) -> Callable[[Sequence[Node]], None] | None:
        """How to count the sizes of some nodes' classes at once, where that is worth it.

        A floor takes longer than sizes do, and is counted node by node.
        """
        few = self.staged.cells <= _FEW_CELLS and not self.metric.has_floor
        return self._prepare if few else None

    def _prepare(self, nodes: Sequence[Node]) -> None:
        asked = [node for node in nodes if node not in self.measured and node not in self.sized]
        if len(asked) > 1 and not self._sizes_hardly_tell():
            outcomes = measure_sizes(self.engine, self.staged, [self.guarantees], asked)
            self.sized.update((node, sized) for node, (sized,) in zip(asked, outcomes, strict=True))

    def measures(self, node: Node) -> NodeOutcome:
        """The outcome of a node: its release, and whether that is feasible."""
        if node not in self.measured:
            asked = self.engine, self.staged, self.guarantees, node, self.budget
            self.measured[node] = (
                measure_values(*asked, self.sized[node])
                if node in self.sized
                else measure_node(
                    self.engine,
                    self.staged,
                    [self.guarantees],
                    node,
                    self.budget,
                    at_once=self._sizes_hardly_tell(),
                )[0]
            )
        return self.measured[node]

    def _sizes_hardly_tell(self) -> bool:
        """Whether class sizes told few of the last nodes: a verdict by them costs a quarter."""
        last = [outcome.by_sizes for outcome in islice(reversed(self.measured.values()), _LAST)]
        return bool(last) and 4 * sum(last) < len(last)

    def verdict(self, node: Node) -> Verdict:
        """Whether a node is feasible, what it closes, and what no coarser one falls below."""
        outcome = self.measures(node)
        floor = self.floor(node) if self.metric.has_floor and not outcome.closes else None
        excess = math.log((outcome.needed_rows + 1) / (self.budget + 1))
        # Rows that are masked are not suppressed, and cost nothing.
        drops = not self.staged.judged.masks_sensitive
        below = self.metric.least(outcome.needed_rows) if drops else None
        least = self.metric.bound_with(node, outcome.suppressed_rows) if outcome.feasible else None
        return Verdict(outcome.feasible, outcome.closes, floor, excess, below, least)

    def floor(self, node: Node) -> Cost:
        """The lower bound, by its classes, of the cost of a node and of every coarser one."""
        needs = self.metric.needs
        sized = sum_classes_by_size(self.engine, self.staged, self.guarantees, node, needs)
        if judges_sizes_alone(self.guarantees) and needs <= OF_CLASSES:
            # What their size does not condemn is what is released.
            self.tallied[node, needs] = sized.large
        return self.metric.floor(sized)

    def cost(self, node: Node) -> Cost:
        """The cost of a node with the classes that it releases."""
        return self.metric.cost(self.tally(node, self.metric.needs))

    def tally(self, node: Node, needs: frozenset[str]) -> ClassTotals:
        """The sums over the classes that a node releases: the needed ones at least."""
        outcome = self.measures(node)
        if outcome.totals is not None and needs <= OF_SIZES:
            return outcome.totals
        suppresses = outcome.suppressed_rows > self.staged.facts.dropped_rows
        if needs <= {*OF_LABELS} and not suppresses:
            return sums_without_suppression(self.staged, node, outcome.classes)
        for asked in (needs, EVERY_SUM):
            if (node, asked) in self.tallied:
                return self.tallied[node, asked]
        self.tallied[node, EVERY_SUM] = sum_released_classes(
            self.engine, self.staged, self.guarantees, node, outcome.rounds, suppresses=suppresses
        )
        return self.tallied[node, EVERY_SUM]


@dataclass(frozen=True)
class Limit:
    """How many nodes a search may measure, and how many seconds after ``started``."""

    nodes: int | None
    seconds: float | None
    started: float

    def allows(self, measured: int) -> bool:
        """Whether another node may be measured."""
        in_time = self.seconds is None or time.perf_counter() - self.started < self.seconds
        return in_time and (self.nodes is None or measured < self.nodes)


NO_LIMIT = Limit(None, None, 0.0)


@dataclass(frozen=True)
class PlanningSession:
    """A policy's table, staged to be searched, until the block that opened it ends.

    ``shown`` is the source with labels in place of values, as ``sensitive_levels`` say.
    """

    engine: Engine
    policy: Policy
    source: Relation
    shown: Relation
    lattice: Lattice
    sensitive: Sensitive
    sensitive_levels: tuple[Ladder, ...]
    fingerprints: Fingerprints
    evaluator: NodeEvaluator


Beside = Callable[[Engine, Relation, Relation], Sequence[Guarantee]]


@dataclass(frozen=True)
class SearchLimits:
    """The nodes that a search may measure: the levels of some columns, and when it stops.

    ``levels`` holds quasi-identifiers to the least and the most level that they may have, in place
    of what the policy says of them; None for a most is the policy's own. Seconds count from the
    start of the command.
    """

    levels: Mapping[str, tuple[int, int | None]] = field(default_factory=dict)
    max_nodes: int | None = None
    max_seconds: float | None = None

    def since(self, started: float) -> Limit:
        """The limit of a search whose command started at a moment."""
        return Limit(self.max_nodes, self.max_seconds, started)


NO_LIMITS = SearchLimits()


@dataclass(frozen=True)
class PlanOptions:
    """The options of a search: its limits, who hears of it, and guarantees that are measured too.

    ``beside`` names those, of the shown table, whose source is the second: what they read is
    staged.
    """

    limits: SearchLimits = NO_LIMITS
    watch: Watch = NO_WATCH
    beside: Beside = lambda *_: ()


NO_OPTIONS = PlanOptions()


@contextmanager
def open_session(
    policy: Policy,
    source: DataSource | None,
    options: PlanOptions = NO_OPTIONS,
) -> Iterator[PlanningSession]:
    """A policy's table, opened and staged until the block ends; of new rows, the next window's."""
    on_statement = options.watch.on_statement
    with open_rows(policy, source, write=False, on_statement=on_statement) as engine:
        job = make_job(engine, policy, source, now())
        with stage_session(engine, job, options) as opened:
            yield opened


@contextmanager
def stage_session(
    engine: Engine, job: Job, options: PlanOptions, inputs: Inputs | None = None
) -> Iterator[PlanningSession]:
    """A policy's table, staged in a transaction that is rolled back when the block ends.

    ``inputs`` are the job's, where the command read them before.
    """
    policy, show_values = job.policy, options.watch.show_values
    found, known = (inputs.source, inputs.ladders) if inputs is not None else (None, ())
    with engine.read():
        with every_fault(engine, job, show_values=show_values):
            relation = read_source(engine, policy, job.given, found, job.window)
            check_columns(relation, policy)
            ladders = read_ladders(engine, policy, relation, known, staged=True)
            lattice = read_lattice(policy, ladders, options.limits.levels)
            coarse = read_sensitive_levels(engine, policy, relation)
            shown = stage_sensitive_levels(engine, policy, relation, coarse, show_values)
            others = (*queried(policy), *options.beside(engine, shown, relation))
            sensitive = decided = read_sensitive(
                engine, policy, shown, policy.guarantees, lambda: relation, relation
            )
            if others:
                asked = (*policy.guarantees, *others)
                sensitive = read_sensitive(engine, policy, shown, asked, lambda: relation, relation)
            rows = Unstaged(shown, ladders, sensitive)
            staged = stage(engine, policy, rows, options.watch.progress, show_values)
            fingerprints = take_fingerprints(
                engine, policy, relation, (*ladders, *decided.ladders, *coarse), staged.rows
            )
            trial = policy_evaluator(engine, staged, policy)
        yield PlanningSession(
            engine, policy, relation, shown, lattice, sensitive, coarse, fingerprints, trial
        )


def read_lattice(
    policy: Policy, ladders: Sequence[Ladder], levels: Mapping[str, tuple[int, int | None]]
) -> Lattice:
    """The lattice: every level of each ladder, or the levels that a column is held to."""
    for name in levels:
        if name not in policy.quasi:
            raise PolicyError(f"--level: {name} is no quasi-identifier of the policy")
    ranges = [level_range(policy, ladder, levels) for ladder in ladders]
    return Lattice(tuple(most for _, most in ranges), tuple(least for least, _ in ranges))


def policy_evaluator(engine: Engine, staged: Staged, policy: Policy) -> NodeEvaluator:
    """The evaluator of a staged table by the guarantees and the objective of its policy."""
    metric = policy.objective.metric(staged.facts, staged.names)
    return NodeEvaluator(engine, staged, policy.guarantees, staged.facts.budget, metric)
