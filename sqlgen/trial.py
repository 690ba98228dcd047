"""Nodes tried out: what each one gives of some guarantees, and what it costs by an objective."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from sqlgen.catalog import Relation
from sqlgen.engines import Engine
from sqlgen.lattice import Node
from sqlgen.measure import Measures, measure_node
from sqlgen.metrics import METRICS, Cost, Facts, Metric, Tally
from sqlgen.models import Guarantee
from sqlgen.policy import Policy
from sqlgen.search.optimal import Verdict
from sqlgen.slopes import CELL
from sqlgen.sql.render import statement
from sqlgen.staging import Staged
from sqlgen.tally import tally_released, tally_sizes


@dataclass(frozen=True)
class Trial:
    """The nodes of one staged table, as some guarantees, a budget and an objective see them.

    ``measured`` keeps what was found of each node, so that none is measured twice.
    """

    engine: Engine
    staged: Staged
    guarantees: Sequence[Guarantee]
    budget: int
    metric: Metric
    measured: dict[Node, Measures] = field(default_factory=dict)

    def measures(self, node: Node) -> Measures:
        """What a node releases, and whether that is feasible."""
        if node not in self.measured:
            self.measured[node] = measure_node(
                self.engine, self.staged, self.guarantees, node, self.budget
            )
        return self.measured[node]

    def verdict(self, node: Node) -> Verdict:
        """Whether a node is feasible, what it closes, and what no coarser one falls below."""
        found = self.measures(node)
        floor = None
        if self.metric.has_floor and not found.closes:
            sized = tally_sizes(self.engine, self.staged, self.guarantees, node, self.metric.needs)
            floor = self.metric.floor(sized)
        return Verdict(found.feasible, found.closes, floor)

    def cost(self, node: Node) -> Cost:
        """What a node costs with the classes that it releases."""
        return self.metric.cost(self.tally(node, self.metric.needs))

    def tally(self, node: Node, needs: Collection[str]) -> Tally:
        """What the classes that a node releases add up to."""
        found = self.measures(node)
        return tally_released(
            self.engine,
            self.staged,
            self.guarantees,
            node,
            found.rounds,
            needs,
            found.suppressed_rows,
            found.classes,
        )


def policy_trial(engine: Engine, staged: Staged, policy: Policy) -> Trial:
    """The nodes of a staged table as its policy sees them."""
    metric = policy_metric(policy, staged.facts, [each.column.name for each in staged.ladders])
    return Trial(engine, staged, policy.guarantees, staged.facts.budget, metric)


def policy_metric(policy: Policy, facts: Facts, columns: Sequence[str]) -> Metric:
    """The objective of a policy, on a table."""
    weights, unit = policy.objective.whole_weights(columns)
    return METRICS[policy.objective.name](facts, weights, unit, policy.objective.aggregate)


def every_metric(policy: Policy, facts: Facts, columns: Sequence[str]) -> list[Metric]:
    """All objectives on a table: the policy's own as it is written, the others without weights."""
    own = policy_metric(policy, facts, columns)
    alike = [1] * len(columns)
    return [own if metric.name == own.name else metric(facts, alike) for metric in METRICS.values()]


def with_cell_logs(engine: Engine, facts: Facts, source: Relation, columns: Sequence[str]) -> Facts:
    """The facts with what a divergence from the source is reckoned from."""
    plains = [source.column(name).plain("source") for name in columns if facts.dropped_rows]
    asked = statement("staging/cell_logs", source=source.sql, plains=plains, cell=CELL)
    return replace(facts, cell_logs=engine.rows(asked)[0][0])
