"""Microaggregation of a confidential column: groups of rows whose values are alike.

Soria-Comas and Domingo-Ferrer 2013, "Connecting privacy models: synergies between k-anonymity,
t-closeness and differential privacy", section 3. Each group shows the finest labels that its rows
share.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from markupsafe import Markup

from sqlgen.engines.duckdb.catalog import Relation, temporary
from sqlgen.errors import UnsupportedError
from sqlgen.judging.verdict_sql import JudgingInput
from sqlgen.measuring.evaluator import NodeEvaluator
from sqlgen.measuring.nodes import NodeOutcome, measure_whole
from sqlgen.policy import Policy
from sqlgen.policy.microaggregation import MICROAGGREGATION
from sqlgen.recodings.alike_groups import (
    ALIKE_ROW,
    MOST_MERGES,
    AlikeForm,
    alike_rows_sql,
    floor_statement,
    group_table,
    grouped_cells,
    judged_groups_sql,
    judged_table,
    merged_groups_sql,
    region_join,
    regions_sql,
    shown_squares_cells,
    squares_statement,
)
from sqlgen.recodings.alike_steps import AlikeSteps, read_alike_steps
from sqlgen.recodings.anatomy import least_size
from sqlgen.recodings.kept_search import shown_outcome
from sqlgen.recodings.local_search import stage_cells, weights_of_leaves
from sqlgen.recodings.recoding import (
    Alikeness,
    BuildInputs,
    Choice,
    ChoiceTotals,
    Decision,
)
from sqlgen.recodings.region_decision import (
    RegionDecision,
    by_regions,
    decision_of,
    read_decision,
)
from sqlgen.recodings.region_recoding import RegionRecoding
from sqlgen.recodings.region_script import form_of, judged_of, labels_of, value_tables
from sqlgen.recodings.regions import (
    REGION_CELL,
    REGION_LABEL,
    REGION_SHOWN,
    CellForm,
    cells_sql,
    labels_sql,
    references_sql,
    region_labels_sql,
    rung_table,
    rungs_sql,
    settled,
    shown_columns,
)
from sqlgen.recodings.release import release_sql
from sqlgen.search.lattice import Lattice
from sqlgen.search.verdict import Standing
from sqlgen.sql.render import command, noted
from sqlgen.sql.step import Step, plain_steps


class Microaggregation(RegionRecoding):
    """Groups of alike rows, each with the finest labels that its rows share."""

    name: ClassVar[str] = MICROAGGREGATION

    def decide(
        self,
        evaluator: NodeEvaluator,
        lattice: Lattice,
        policy: Policy,
        goes_on: Callable[[Standing], bool],  # noqa: ARG002
    ) -> Choice:
        """Groups of least squares, merged where they fail; nothing proves that no others lose less.

        The objective is that of labels, which groups of alike values do not look at.
        """
        least = least_size(evaluator.guarantees)
        return self._grouped(policy.recoding.of[0], least, evaluator, lattice)

    def repeat(
        self,
        decision: Decision,
        evaluator: NodeEvaluator,
        lattice: Lattice,
        policy: Policy,  # noqa: ARG002
    ) -> Choice:
        """Groups of as few rows as before, made anew of the rows of today."""
        steps = _steps_of(by_regions(decision))
        return self._grouped(steps.column, steps.least, evaluator, lattice)

    def _grouped(
        self, column: str, least: int, evaluator: NodeEvaluator, lattice: Lattice
    ) -> Choice:
        """The choice of groups of the fewest rows, as far as guarantees let them."""
        staged = evaluator.staged
        steps = AlikeSteps(column, least, 0, weights_of_leaves(evaluator.metric))
        cells = stage_cells(evaluator, lattice)
        if cells is not None:
            search = _AlikeSearch(evaluator, lattice, *cells)
            steps = search.merged(steps)
            outcome = search.left(steps)
            if outcome.feasible:
                floor = evaluator.metric.bound(lattice.bottom)
                decision = decision_of(staged.ladders, lattice, steps)
                return Choice(decision, True, outcome, 1, floor)
        outcome = measure_whole(evaluator.engine, staged, evaluator.guarantees, lattice.top)
        decision = decision_of(staged.ladders, lattice, replace(steps, merges=0))
        return Choice(decision, False, outcome, 1)

    def totals(
        self, choice: Choice, evaluator: NodeEvaluator, policy: Policy, source: Relation
    ) -> ChoiceTotals:
        """The sums over classes, and how alike the rows of groups are."""
        totals = super().totals(choice, evaluator, policy, source)
        if not choice.is_found:
            return totals
        decision = by_regions(choice.decision)
        form = form_of(decision, evaluator.staged.judged.cells, evaluator.staged.ladders)
        steps = _steps_of(decision)
        alike = steps.form(form, decision.ceilings, evaluator.staged.judged)
        return replace(totals, alikeness=_alikeness(evaluator, alike, steps))

    def statements(self, decision: Decision, inputs: BuildInputs) -> list[Step]:
        """The groups, every row in its group, and the target with the labels of groups."""
        decided, ladders = by_regions(decision), inputs.ladders
        judged, staged_values = judged_of(inputs)
        form = form_of(decided, judged.cells, ladders)
        source, steps = inputs.source, _steps_of(decided)
        values = list(zip(inputs.sensitive.ladders, value_tables(inputs), strict=True))
        staged = {ladder.column.name for ladder in (*ladders, *inputs.sensitive.ladders)}
        others = [column.shown("source") for column in source.columns if column.name not in staged]
        made = [
            *(
                noted(rungs_sql(number, ladder, source.sql), f"the labels of {ladder.column.name}")
                for number, ladder in enumerate(ladders, 1)
            ),
            noted(labels_sql(ladders, steps.saving, steps.weights), "what each label covers"),
            *staged_values,
            noted(cells_sql(source.sql, ladders, values), "the combinations of values, counted"),
            *references_sql(judged),
            *steps.made(form, decided.ceilings, settled(judged)),
            noted(alike_rows_sql(source, ladders, values, others), "every row in its group"),
            noted(region_labels_sql(form), "the labels of each group"),
        ]
        query = release_sql(
            replace(labels_of(decided, inputs), joins=[region_join(source)]),
            replace(source, sql=ALIKE_ROW),
            inputs.policy,
            inputs.sensitive,
            inputs.rounds,
        )
        return [*plain_steps(made), *inputs.publish(query)]

    def scratch(self, decision: Decision, inputs: BuildInputs) -> list[Markup]:
        """Every table that the steps make."""
        judged, _ = judged_of(inputs)
        references = range(1, len(references_sql(judged)) + 1)
        return [
            *(rung_table(number) for number, _ in enumerate(inputs.ladders, 1)),
            REGION_LABEL,
            *value_tables(inputs),
            *(temporary(f"reference_{n}") for n, _ in enumerate(inputs.sensitive.references, 1)),
            *(temporary(f"region_reference_{number}") for number in references),
            REGION_CELL,
            *by_regions(decision).steps.tables(),
            ALIKE_ROW,
            REGION_SHOWN,
        ]

    def region_rows(self, decision: Decision) -> None:  # noqa: ARG002
        """None: groups are made anew for each release."""
        return

    def persons(
        self,
        decision: Decision,  # noqa: ARG002
        inputs: BuildInputs,  # noqa: ARG002
        release: Markup,  # noqa: ARG002
        units: Sequence[str],  # noqa: ARG002
    ) -> Relation:
        """Refused: a policy with a unit has another recoding."""
        raise UnsupportedError("persons are not counted in groups. Nothing was changed.")

    def from_lock(self, content: Mapping[str, Any]) -> RegionDecision:
        """The columns and the steps, every part of them checked."""
        return read_decision(content, read_alike_steps)


def _steps_of(decision: RegionDecision) -> AlikeSteps:
    """The steps of a decision of microaggregation."""
    assert isinstance(decision.steps, AlikeSteps)
    return decision.steps


@dataclass(frozen=True)
class _AlikeSearch:
    """A staged table that is being grouped: the form of its cells, and how groups are judged."""

    evaluator: NodeEvaluator
    lattice: Lattice
    cells: CellForm
    judged: JudgingInput

    def merged(self, steps: AlikeSteps) -> AlikeSteps:
        """The steps with as many rounds as merge groups that fail, until none does or can be."""
        engine = self.evaluator.engine
        for asked in steps.grouped(steps.form(self.cells, self.lattice.top, self.judged)):
            engine.run(asked)
        groups = self._count("COUNT(DISTINCT region)", group_table(0))
        for merges in range(MOST_MERGES):
            engine.run(judged_groups_sql(merges, self.judged))
            if not self._count("COUNT(*) FILTER (WHERE fails)", judged_table(merges)):
                return replace(steps, merges=merges, groups=groups)
            engine.run(merged_groups_sql(merges))
            left = self._count("COUNT(DISTINCT region)", group_table(merges + 1))
            if left == groups:
                return replace(steps, merges=merges, groups=groups)
            groups = left
        return replace(steps, merges=MOST_MERGES, groups=groups)

    def left(self, steps: AlikeSteps) -> NodeOutcome:
        """The outcome of releasing the groups with the labels that they share."""
        alike = steps.form(self.cells, self.lattice.top, self.judged)
        self.evaluator.engine.run(regions_sql(alike, steps.merges))
        return shown_outcome(self.evaluator, self.cells, 0)

    def _count(self, what: str, table: Markup) -> int:
        pattern = f"SELECT {what} AS group_count\nFROM {{table}}"
        asked = command("recodings/alike_count", pattern, table=table)
        count: int = self.evaluator.engine.rows(asked)[0][0]
        return count


def _alikeness(evaluator: NodeEvaluator, form: AlikeForm, steps: AlikeSteps) -> Alikeness:
    """How alike the rows of the groups are that were just made, and of the classes they show."""
    engine = evaluator.engine
    asked = squares_statement(grouped_cells(steps.merges), [Markup("region")])
    count, least, most, within, total = engine.rows(asked)[0]
    asked = squares_statement(shown_squares_cells(form.value), shown_columns(form.cells))
    shown = engine.rows(asked)[0][3]
    bound = None if form.unit > 1 else engine.rows(floor_statement(form))[0][0]
    part = max(total, 1.0)
    return Alikeness(
        columns=(steps.column,),
        count=count,
        least_rows=least,
        most_rows=most,
        groups=within / part,
        classes=shown / part,
        floor=None if bound is None else bound / part,
    )
