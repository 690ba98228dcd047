"""Microaggregation with labels: each group shows the finest labels that its rows share."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from markupsafe import Markup

from sqlgen.engines.duckdb.catalog import Relation, temporary
from sqlgen.errors import UnsupportedError
from sqlgen.measuring.evaluator import NodeEvaluator
from sqlgen.measuring.nodes import measure_whole
from sqlgen.policy import Policy, Role
from sqlgen.policy.microaggregation import MICROAGGREGATION
from sqlgen.recodings.alike_groups import (
    ALIKE_ROW,
    alike_rows_sql,
    region_join,
    regions_sql,
    shown_squares_cells,
    squares_statement,
)
from sqlgen.recodings.alike_search import AlikeSearch, alikeness, first_steps
from sqlgen.recodings.alike_steps import AlikeSteps, read_alike_steps
from sqlgen.recodings.kept_search import shown_outcome
from sqlgen.recodings.local_search import stage_cells, weights_of_leaves
from sqlgen.recodings.recoding import (
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
from sqlgen.sql.render import noted
from sqlgen.sql.step import Step, plain_steps


class AlikeLabels(RegionRecoding):
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
        weights = weights_of_leaves(evaluator.metric)
        steps = first_steps(policy, evaluator.guarantees, weights)
        return self._grouped(steps, evaluator, lattice, is_held=False)

    def repeat(
        self,
        decision: Decision,
        evaluator: NodeEvaluator,
        lattice: Lattice,
        policy: Policy,  # noqa: ARG002
    ) -> Choice:
        """Groups of as few rows as before, made anew of the rows of today."""
        steps = _steps_of(by_regions(decision))
        return self._grouped(steps, evaluator, lattice, is_held=True)

    def _grouped(
        self, steps: AlikeSteps, evaluator: NodeEvaluator, lattice: Lattice, *, is_held: bool
    ) -> Choice:
        """The choice of groups of the fewest rows, as far as guarantees let them."""
        staged = evaluator.staged
        cells = stage_cells(evaluator, lattice)
        if cells is not None:
            form, judged = cells
            search = AlikeSearch(evaluator, form, lattice.top, judged)
            steps = search.found(steps, is_held=is_held)
            evaluator.engine.run(regions_sql(search.form(steps), steps.merges))
            outcome = shown_outcome(evaluator, form, 0)
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
        cells, keys = shown_squares_cells(alike.value), shown_columns(form)
        shown = evaluator.engine.rows(squares_statement(cells, keys))[0]
        return replace(totals, alikeness=alikeness(evaluator, alike, steps, shown[-2:]))

    def statements(self, decision: Decision, inputs: BuildInputs) -> list[Step]:
        """The groups, every row in its group, and the target with the labels of groups."""
        decided, ladders = by_regions(decision), inputs.ladders
        judged, staged_values = judged_of(inputs)
        form = form_of(decided, judged.cells, ladders)
        source, steps = inputs.source, _steps_of(decided)
        values = list(zip(inputs.sensitive.ladders, value_tables(inputs), strict=True))
        # Identifiers are not released, and their order must not decide which row is in which group.
        released = [
            column.shown("source")
            for column in source.columns
            if inputs.policy.columns[column.name].role in (Role.SENSITIVE, Role.OTHER)
        ]
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
            noted(alike_rows_sql(source, ladders, values, released), "every row in its group"),
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
