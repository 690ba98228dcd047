"""A plan's empty columns: the rows in their way, and what more suppression would give."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from typing import Any

from sqlgen.measuring.evaluator import NodeEvaluator
from sqlgen.metrics import Cost
from sqlgen.planning.session import NO_LIMIT, Limit, PlanningSession
from sqlgen.search.lattice import Lattice, Node
from sqlgen.search.optimal import find_optimal
from sqlgen.search.verdict import Standing

# The shares of all rows that are tried as a budget, in percent.
_PERCENTS = (1, 2)
# An objective that falls by less than a tenth is not worth a line.
_WORTH = 0.1
# A search for relief may measure twice the nodes that the plan's search took, or so many if that is
# more, and no more cells than these in all: of 10 M rows (440,000 cells) 45 nodes.
_LEAST_NODES = 300
_MOST_CELLS = 20_000_000


@dataclass(frozen=True)
class EmptyColumn:
    """A column that has one label in all rows of the plan, with its next level that has more.

    ``rows`` would be suppressed at that level; they are more than the budget allows.
    """

    column: str
    level: int
    words: str
    rows: int


@dataclass(frozen=True)
class Relief:
    """The best node when ``budget`` rows may be suppressed; proved, or the best one found.

    ``objective`` is None where no node is feasible with that budget.
    """

    budget: int
    levels: Mapping[str, int]
    objective: float | None
    is_proved: bool = True
    percent: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """The relief as plain values."""
        return {
            "budget": self.budget,
            "levels": dict(self.levels),
            "objective": None if self.objective is None else round(self.objective, 8),
        }


@dataclass(frozen=True)
class EmptyColumns:
    """A plan's empty columns, the one with the fewest rows in its way first, and what helps."""

    columns: tuple[EmptyColumn, ...]
    reliefs: tuple[Relief, ...]

    def to_dict(self) -> dict[str, Any]:
        """The columns and the reliefs as plain values."""
        return {
            "columns": [asdict(column) for column in self.columns],
            "suppression": [
                {"percent": relief.percent, **relief.to_dict(), "proved": relief.is_proved}
                for relief in self.reliefs
            ],
        }


def find_empty_columns(
    opened: PlanningSession, node: Node, measured_nodes: int, limit: Limit = NO_LIMIT
) -> EmptyColumns | None:
    """The empty columns of a plan's node; None where none is empty, or nothing small would help.

    ``measured_nodes`` is what the search for the plan took, and bounds the searches for relief;
    the time of ``limit`` does, too.
    """
    columns = _empty_columns(opened, node)
    if not columns:
        return None
    trial = opened.evaluator
    rows = trial.staged.facts.rows
    cells = max(trial.staged.cells, 1)
    most = min(max(2 * measured_nodes, _LEAST_NODES), _MOST_CELLS // cells)
    now = trial.metric.value(trial.cost(node))
    reliefs = []
    for percent in _PERCENTS:
        budget = int(Fraction(rows * percent, 100))
        if budget <= trial.budget or not most:
            continue
        relief = replace(find_relief(opened, budget, most, limit), percent=percent)
        if relief.objective is not None and relief.objective <= (1 - _WORTH) * now:
            reliefs.append(relief)
    few = int(Fraction(rows * max(_PERCENTS), 100))
    if not reliefs and columns[0].rows > trial.budget + few:
        return None
    return EmptyColumns(columns, tuple(reliefs))


def _empty_columns(opened: PlanningSession, node: Node) -> tuple[EmptyColumn, ...]:
    """The columns with one label in all rows that rows alone keep from the level below.

    Not only ``*``: intervals of 100 years hold everybody's age, too.
    """
    trial, bottom = opened.evaluator, opened.lattice.bottom
    empty = []
    for column, ladder in enumerate(trial.staged.ladders):
        labels = [rung.labels for rung in trial.staged.facts.columns[column].levels]
        finer = [level for level in range(bottom[column], node[column]) if labels[level] > 1]
        if labels[node[column]] > 1 or not finer:
            continue
        level = finer[-1]
        measures = trial.measures((*node[:column], level, *node[column + 1 :]))
        rows = measures.suppressed_rows + measures.masked_rows
        if rows > trial.budget:
            empty.append(EmptyColumn(ladder.column.name, level, ladder.words(level), rows))
    return tuple(sorted(empty, key=lambda column: column.rows))


def find_relief(
    opened: PlanningSession, budget: int, max_nodes: int | None = None, limit: Limit = NO_LIMIT
) -> Relief:
    """The best node with a budget of suppressed rows, within a limit of nodes and of time."""
    nodes = replace(limit, nodes=max_nodes)
    trial = opened.evaluator
    metric = replace(trial.metric, facts=replace(trial.metric.facts, budget=budget))
    more = replace(trial, budget=budget, metric=metric, measured={}, tallied={})
    node, cost, is_proved = find_best(
        more,
        opened.lattice,
        lambda standing: nodes.allows(standing.measured),
    )
    return Relief(
        budget=budget,
        levels={} if node is None else dict(zip(trial.staged.names, node, strict=True)),
        objective=None if cost is None else metric.value(cost),
        is_proved=is_proved,
    )


def find_best(
    trial: NodeEvaluator,
    lattice: Lattice,
    goes_on: Callable[[Standing], bool] = lambda _: True,
) -> tuple[Node | None, Cost | None, bool]:
    """The best feasible node of a lattice with its cost, and whether it is proved the best."""
    result = find_optimal(
        lattice, trial.metric.bound, trial.verdict, trial.cost, goes_on, trial.prepare
    )
    return result.node, result.cost, result.floor is None
