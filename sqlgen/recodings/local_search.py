"""The search of local recoding: layers of nodes, then rounds that refine each region by itself."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.judging.verdict_sql import (
    JudgingInput,
    classes_sql,
    column_fragment,
    fails_by_size_fragment,
    judges_sizes_alone,
    verdict_sql,
)
from sqlgen.measuring.evaluator import NodeEvaluator
from sqlgen.measuring.nodes import NodeOutcome, masked_words, measure_classes
from sqlgen.metrics import METRICS, Metric
from sqlgen.recodings.local_steps import LocalSteps
from sqlgen.recodings.regions import (
    MOST_ROUNDS,
    REGION_CELL,
    REGION_SHOWN,
    CellForm,
    Gain,
    Saving,
    Shown,
    first_regions_sql,
    labelled_query,
    labels_sql,
    layer_sql,
    left_cells,
    references_sql,
    replacing,
    round_sql,
    rung_table,
    settled,
    shown_columns,
    shown_sql,
    split_table,
)
from sqlgen.search.lattice import Lattice, Node
from sqlgen.search.layers import Layers, Releasing, find_layers
from sqlgen.search.verdict import Standing
from sqlgen.sql.render import Statement, command, commas, each, sql, statement
from sqlgen.staging.column_facts import CELL
from sqlgen.staging.ladders import staged_ladder
from sqlgen.staging.packing import word_name
from sqlgen.staging.stage import VALUE_CELL, Staged

# A layer releases so much of all rows at least, or all that is left. On Adult (k = 5, nothing
# suppressed) the loss after refinement is 0.0325 at 5 % (7 layers), 0.0303 at 1 % (20), 0.0295 at
# 0.5 % (30) and 0.0287 at 0.1 % (80), in 0.57 s of CPU at 0.5 % and 1.08 at 0.1 %.
_SHARE = Fraction(1, 200)
# Of more cells than these, refinement does what layers would: 100,000 rows of 15 columns come to a
# loss of 0.283 at 2 % in 21 s of CPU, to 0.282 at 5 % in 4.2 s.
_MANY_CELLS = 50_000
_SHARE_OF_MANY = Fraction(1, 20)


@dataclass(frozen=True)
class LocalFound:
    """The steps that were found, with the outcome of their release; whether it is feasible.

    ``top_rows`` are released by the most general node before refinement.
    """

    steps: LocalSteps
    is_found: bool
    outcome: NodeOutcome
    measured: int
    top_rows: int = 0


def find_steps(
    evaluator: NodeEvaluator,
    lattice: Lattice,
    goes_on: Callable[[Standing], bool],
    *,
    suppress: bool,
) -> LocalFound | None:
    """The steps that recode a staged table by layers; None where the most general node fails.

    To ``suppress`` lets rows be left over, within the budget, that fail everywhere.
    """
    search = _LocalSearch.over(evaluator, lattice, suppress=suppress)
    if search is None or not search.is_releasable():
        return None
    layers = search.find_layers(goes_on)
    return search.refined(layers) if layers.nodes else None


def refine_node(evaluator: NodeEvaluator, lattice: Lattice, node: Node) -> LocalFound | None:
    """The steps that refine what a single node releases; None where too many rows would be left."""
    search = _LocalSearch.over(evaluator, lattice, suppress=True)
    if search is None or search.release(node) is None:
        return None
    return search.refined(Layers((node,), 1))


def take_node(evaluator: NodeEvaluator, lattice: Lattice, node: Node) -> LocalFound | None:
    """The steps that release a node as full-domain generalization does, refining nothing."""
    search = _LocalSearch.over(evaluator, lattice, suppress=True)
    if search is None:
        return None
    gain, saving, weights = search.gain, search.saving, search.weights
    steps = LocalSteps((node,), 0, gain, saving, weights, takes_all=True)
    return search.repeated(steps)


def repeat_steps(
    evaluator: NodeEvaluator, lattice: Lattice, steps: LocalSteps
) -> LocalFound | None:
    """The release of steps that were found before, on the rows of today; None if there are none."""
    search = _LocalSearch.over(evaluator, lattice, suppress=True)
    return None if search is None else search.repeated(steps)


def stage_cells(evaluator: NodeEvaluator, lattice: Lattice) -> tuple[CellForm, JudgingInput] | None:
    """The form of a staged table's cells, and how classes of all of them are judged.

    None where there are no rows, or more are dropped than the budget allows.
    """
    search = _LocalSearch.over(evaluator, lattice, suppress=True)
    return None if search is None else (search.form, search.judged)


@dataclass(frozen=True)
class _LocalSearch:
    """A staged table that is being recoded: how its classes are judged, and what was run.

    ``spare`` rows may be left to be suppressed. ``layers`` are the nodes so far.
    """

    evaluator: NodeEvaluator
    lattice: Lattice
    form: CellForm
    judged: JudgingInput
    gain: Gain
    saving: Saving
    weights: tuple[int, ...]
    rows: int
    spare: int
    layers: list[Node] = field(default_factory=list)

    @classmethod
    def over(
        cls, evaluator: NodeEvaluator, lattice: Lattice, *, suppress: bool
    ) -> "_LocalSearch | None":
        """The search over a staged table; None where nothing of it can be released."""
        staged, engine = evaluator.staged, evaluator.engine
        spare = evaluator.budget - staged.facts.dropped_rows
        if spare < 0 or not staged.rows:
            return None
        gain, saving, weights = gains_of(evaluator.metric)
        form = CellForm(
            tuple(ladder.height for ladder in staged.ladders),
            lattice.bottom,
            tuple(staged.judged.cells),
            tuple(map(word_name, staged.packing.words)),
        )
        _stage(engine, staged, form, saving, weights)
        judged = _settled(engine, replace(staged.judged, guarantees=evaluator.guarantees))
        rows, spare = staged.rows, spare * suppress
        return cls(evaluator, lattice, form, judged, gain, saving, weights, rows, spare)

    def is_releasable(self) -> bool:
        """Whether the most general node releases all rows, but for those that may be suppressed."""
        rows, passing = self.passing_rows(self.lattice.top, REGION_CELL)
        return rows > 0 and rows - passing <= self.spare

    def run(self, asked: Statement) -> None:
        """Run a statement."""
        self.evaluator.engine.run(asked)

    def find_layers(self, goes_on: Callable[[Standing], bool]) -> Layers:
        """The layers, released one after another."""
        kept = self.evaluator.staged.facts.kept_rows
        is_large = self.evaluator.staged.cells > _MANY_CELLS
        least = ceil((_SHARE_OF_MANY if is_large else _SHARE) * kept)
        return find_layers(
            self.lattice,
            _rising(self.evaluator).bound,
            self.most_at,
            None if judges_sizes_alone(self.judged.guarantees) else self.rows_at,
            Releasing(kept, lambda left: min(least, left), self.release),
            goes_on,
        )

    def repeated(self, steps: LocalSteps) -> LocalFound:
        """The outcome of some steps."""
        for asked in steps.made(self.form, self.lattice.top, self.judged):
            self.run(asked)
        self.run(shown_sql(self.form, steps.rounds, Shown(values=True)))
        outcome = self.outcome()
        return LocalFound(steps, outcome.feasible, outcome, 1)

    def refined(self, layers: Layers) -> LocalFound:
        """The steps that refine what layers have released, and their outcome."""
        self.run(first_regions_sql(self.form, layers.nodes))
        rounds = self.refine()
        self.run(shown_sql(self.form, rounds, Shown(values=True)))
        outcome = self.outcome()
        steps = LocalSteps(layers.nodes, rounds, self.gain, self.saving, self.weights)
        return LocalFound(steps, outcome.feasible, outcome, layers.measured, layers.top_rows)

    def most_at(self, nodes: Sequence[Node]) -> list[int]:
        """How many of the rows that are left each node releases at most, by its classes' sizes."""
        staged = self.evaluator.staged
        cells = left_cells(len(self.layers), self.form)
        asked = statement(
            "measuring/verdict",
            cell=sql("{cells} AS cell", cells=cells) if self.layers else cells,
            nodes=len(nodes),
            words=masked_words(staged, nodes),
            filters=[Markup("")],
            condemned=fails_by_size_fragment(self.judged.guarantees),
        )
        by_size = {row[0]: row[2] or 0 for row in self.evaluator.engine.rows(asked)}
        return [by_size.get(number, 0) for number in range(len(nodes))]

    def rows_at(self, node: Node) -> int:
        """How many of the rows that are left a node releases."""
        return self.passing_rows(node, left_cells(len(self.layers), self.form))[1]

    def passing_rows(self, node: Node, cells: Markup) -> tuple[int, int]:
        """The rows of some cells, and those in classes of a node that give every guarantee."""
        packing = self.evaluator.staged.packing
        condemned = fails_by_size_fragment(self.judged.guarantees)
        words = packing.words_under(node)
        asked = statement(
            "recodings/passing_rows",
            classes=classes_sql(cells, packing.ids(node), self.judged, condemned, words=words),
            verdict=verdict_sql(self.judged, 0),
        )
        rows, passing = self.evaluator.engine.rows(asked)[0]
        return rows, passing

    def release(self, node: Node) -> int | None:
        """Release what passes at a node, and say how many rows are left.

        None, where of what would be left more rows than may be suppressed fail everywhere.
        """
        number = len(self.layers) + 1
        self.run(layer_sql(number, self.form, self.judged, node))
        rows, passing = self.passing_rows(self.lattice.top, left_cells(number, self.form))
        if rows - passing > self.spare:
            return None
        self.layers.append(node)
        return rows

    def refine(self) -> int:
        """Refine the regions until none can be specialized; how many rounds that took."""
        for number in range(1, MOST_ROUNDS + 1):
            *judging, making = round_sql(number, self.form, self.judged, self.gain)
            for asked in judging:
                self.run(asked)
            count = command(
                "recodings/split_count",
                "SELECT COUNT(*) AS split_regions\nFROM {table}",
                table=split_table(number),
            )
            if not self.evaluator.engine.rows(count)[0][0]:
                return number - 1
            self.run(making)
        return MOST_ROUNDS

    def outcome(self) -> NodeOutcome:
        """The outcome of the release: its classes judged as a reader sees them."""
        staged = self.evaluator.staged
        judged = replace(
            staged.judged, guarantees=self.evaluator.guarantees, budget=self.evaluator.budget
        )
        keys = shown_columns(self.form)
        return measure_classes(self.evaluator.engine, judged, staged.rows, REGION_SHOWN, keys)


def gains_of(metric: Metric) -> tuple[Gain, Saving, tuple[int, ...]]:
    """What a specialization gains by an objective: of what, and how much per column.

    Objectives that no sum over rows or classes stands for are served by the loss.
    """
    columns = metric.facts.columns
    weights = metric.weights if metric.takes_weights else [1] * len(columns)
    if metric.name in ("precision", "height"):
        whole = metric.name == "height"
        spans = [1 if whole else slope.height for slope in columns]
        return "saved", "levels", _scaled(weights, spans)
    if metric.name == "non_uniform_entropy":
        spans = [max(1, metric.facts.rows * slope.log_all - slope.own_logs) for slope in columns]
        return "saved", "log_rows", _scaled(weights, spans)
    gains: dict[str, Gain] = {"discernibility": "squares", "average_class_size": "classes"}
    spans = [max(1, slope.leaves - 1) for slope in columns]
    return gains.get(metric.name, "saved"), "leaves", _scaled(weights, spans)


def weights_of_leaves(metric: Metric) -> tuple[int, ...]:
    """How much a label that covers a value less counts in each column."""
    columns = metric.facts.columns
    weights = metric.weights if metric.takes_weights else [1] * len(columns)
    return _scaled(weights, [max(1, slope.leaves - 1) for slope in columns])


def _scaled(weights: Sequence[int], spans: Sequence[int]) -> tuple[int, ...]:
    """Weights over spans as whole numbers, the largest of them a milliard at most."""
    shares = [Fraction(weight, span) for weight, span in zip(weights, spans, strict=True)]
    most = max(shares) or Fraction(1)
    return tuple(round(share / most * 10**9) for share in shares)


def _rising(evaluator: NodeEvaluator) -> Metric:
    """The objective by which layers rise: the policy's or, where it is of classes, the loss."""
    metric = evaluator.metric
    if metric.takes_weights:
        return metric
    return METRICS["loss"](metric.facts, [1] * len(metric.facts.columns))


def _stage(
    engine: Engine, staged: Staged, form: CellForm, saving: Saving, weights: tuple[int, ...]
) -> None:
    """Stage the labels of each column, and the cells with an id per column and level."""
    for number, ladder in enumerate(staged.ladders, 1):
        values = staged_ladder(number, ladder)
        relation = column_fragment(Markup("value"), ladder.column.name, values)
        levels = range(ladder.height)
        # Ids are those that the cells have.
        query = sql(
            "SELECT\n  staged.value,\n  staged.row_count,\n  staged.is_kept,\n  {columns}\n"
            "FROM {values} AS staged\nJOIN (\n  {labelled:nested 2}\n) AS labelled\n"
            "  ON staged.value IS NOT DISTINCT FROM labelled.value",
            columns=commas(each(levels, "staged.id_{0}, labelled.label_{0}")),
            values=values,
            labelled=labelled_query(ladder, relation),
        )
        engine.run(replacing("recodings/rungs", rung_table(number), query))
    engine.run(labels_sql(staged.ladders, saving, weights))
    if staged.judged.values:
        cells, ids = VALUE_CELL, form.ids
    else:
        places = staged.packing.fields
        named = [(places[place].id, name) for place, name in zip(places, form.ids, strict=True)]
        cells, ids = CELL, each(named, "{0} AS {1}")
    query = sql(
        "SELECT {columns}\nFROM {cells}",
        columns=commas([*form.carried, *ids, *form.values, Markup("row_count")]),
        cells=cells,
    )
    engine.run(replacing("recodings/region_cell", REGION_CELL, query))


def _settled(engine: Engine, judged: JudgingInput) -> JudgingInput:
    """The input of judging where every row is released: references are counted once."""
    for asked in references_sql(judged):
        engine.run(asked)
    return settled(judged)
