"""The evaluator of a staged table: the verdict and the cost of each node, measured once."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from sqlgen.engines import Engine
from sqlgen.guarantees import Guarantee
from sqlgen.judging.verdict_sql import judges_sizes_alone
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
from sqlgen.metrics import ClassTotals, Cost, Metric
from sqlgen.search.lattice import Node
from sqlgen.search.verdict import Verdict
from sqlgen.staging.stage import Staged

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
