"""Recodings by regions: what they share once their steps are found, from totals to the release."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from markupsafe import Markup

from sqlgen.engines.duckdb.catalog import Relation, temporary
from sqlgen.errors import StalePlanError
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.measuring.class_sums import EVERY_SUM, sum_classes_by_size
from sqlgen.measuring.evaluator import NodeEvaluator
from sqlgen.measuring.nodes import NodeOutcome, measure_whole
from sqlgen.policy import Policy
from sqlgen.recodings.blocked import BlockedColumn, find_blocked
from sqlgen.recodings.kept_regions import (
    REGION_PRINT,
    REGION_TREE,
    KeptRegions,
    print_sql,
)
from sqlgen.recodings.kept_search import put_into_regions, take_steps
from sqlgen.recodings.recoding import (
    BuildInputs,
    Choice,
    ChoiceTotals,
    Decision,
    LabelTable,
    RegionRows,
)
from sqlgen.recodings.region_decision import RegionDecision, by_regions
from sqlgen.recodings.region_release import RegionRelease
from sqlgen.recodings.region_script import (
    form_of,
    judged_of,
    labels_of,
    region_steps,
    region_tables,
    typed_columns,
    value_tables,
)
from sqlgen.recodings.regions import (
    REGION_CELL,
    REGION_LABEL,
    REGION_SHOWN,
    Shown,
    cells_sql,
    labels_sql,
    references_sql,
    rung_table,
    rungs_sql,
    settled,
    shown_sql,
)
from sqlgen.recodings.release import (
    persons_relation,
    release_sql,
)
from sqlgen.search.lattice import Lattice
from sqlgen.sql.render import (
    Statement,
    literal,
    noted,
    sql,
)
from sqlgen.sql.step import Step, plain_steps
from sqlgen.sql.types import Column


class RegionRecoding:
    """A recoding whose classes are regions, each with labels of its own in every column."""

    def repeat(
        self,
        decision: Decision,
        evaluator: NodeEvaluator,
        lattice: Lattice,
        policy: Policy,  # noqa: ARG002
    ) -> Choice:
        """The release of the decision's steps, taken again on the rows of today."""
        decided, staged = by_regions(decision), evaluator.staged
        if decided.kept is not None:
            return self._repeat_in_regions(decided, decided.kept, evaluator, lattice)
        found = take_steps(evaluator, lattice, decided.steps)
        if found is not None and found.feasible:
            return Choice(decision, True, found, 1)
        outcome = measure_whole(evaluator.engine, staged, evaluator.guarantees, lattice.top)
        hindrance = "" if found is None else _short_of(found, evaluator.budget)
        return Choice(decision, False, outcome, 1, hindrance=hindrance)

    def _repeat_in_regions(
        self, decided: RegionDecision, kept: KeptRegions, evaluator: NodeEvaluator, lattice: Lattice
    ) -> Choice:
        """The release of kept regions, with the rows of today in them."""
        found = put_into_regions(evaluator, lattice, decided.steps, kept)
        if found is None or not found.outcome.feasible:
            guarantees, staged = evaluator.guarantees, evaluator.staged
            outcome = measure_whole(evaluator.engine, staged, guarantees, lattice.top)
            hindrance = "" if found is None else found.hindrance(evaluator.budget)
            return Choice(decided, False, outcome, 1, hindrance=hindrance)
        return Choice(replace(decided, kept=found.kept), True, found.outcome, 1)

    def totals(
        self,
        choice: Choice,
        evaluator: NodeEvaluator,
        policy: Policy,
        source: Relation,
    ) -> ChoiceTotals:
        """The sums over the classes that regions show; of what is not feasible, at the top."""
        engine, staged = evaluator.engine, evaluator.staged
        decision = by_regions(choice.decision)
        words = dict(zip(decision.names, decision.level_words, strict=True))
        if not choice.is_found:
            top = decision.ceilings
            whole = sum_classes_by_size(engine, staged, (), top, EVERY_SUM).whole
            rows = {
                name: [whole.rows * (level == most) for level, _ in enumerate(words[name])]
                for name, most in zip(decision.names, top, strict=True)
            }
            return ChoiceTotals(staged.facts, whole, level_rows=rows, level_words=words)
        form = form_of(choice.decision, staged.judged.cells, staged.ladders)
        judged = replace(staged.judged, guarantees=evaluator.guarantees)
        release = RegionRelease(engine, staged, form)
        release.stage(judged, choice.outcome.rounds, policy)
        return replace(
            release.sums(),
            answers=release.answers(policy, source),
            level_rows=release.level_rows(),
            level_words=words,
            steps=decision.steps.counts,
        )

    def blocked(self, choice: Choice, evaluator: NodeEvaluator) -> Mapping[str, BlockedColumn]:
        """The columns that cannot make some regions finer, of a choice that was just decided."""
        staged, decision = evaluator.staged, by_regions(choice.decision)
        form = form_of(decision, staged.judged.cells, staged.ladders)
        return find_blocked(evaluator, form, decision.steps.last_round)

    def columns(self, decision: Decision, ladders: Sequence[Ladder]) -> list[Column]:
        """Each quasi-identifier as text, unless its labels are values."""
        typed = typed_columns(by_regions(decision), ladders)
        return [
            Column(ladder.column.name, str(ladder.value_type) if number in typed else "VARCHAR")
            for number, ladder in enumerate(ladders, 1)
        ]

    def check(self, decision: Decision, ladders: Sequence[Ladder]) -> None:
        """Refuse steps over other columns, or at levels that the hierarchies do not have."""
        if not isinstance(decision, RegionDecision) or not decision.fits(ladders):
            raise StalePlanError(
                "the plan names columns or levels that the hierarchies do not have. Run sqlgen "
                "plan again. Nothing was changed."
            )

    def statements(self, decision: Decision, inputs: BuildInputs) -> list[Step]:
        """The regions, step by step, and the target out of the rows with their regions' labels."""
        decided, ladders = by_regions(decision), inputs.ladders
        judged, staged_values = judged_of(inputs)
        form = form_of(decided, judged.cells, ladders)
        source, steps = inputs.source.sql, decided.steps
        values = list(zip(inputs.sensitive.ladders, value_tables(inputs), strict=True))
        notes = [
            *(
                noted(rungs_sql(number, ladder, source), f"the labels of {ladder.column.name}")
                for number, ladder in enumerate(ladders, 1)
            ),
            noted(labels_sql(ladders, steps.saving, steps.weights), "what each label covers"),
            *staged_values,
            noted(cells_sql(source, ladders, values), "the combinations of values, counted"),
            *references_sql(judged),
            *region_steps(decided, ladders, settled(judged), keeps=inputs.keeps_regions),
            noted(
                shown_sql(form, decided.rounds, Shown(texts=True)),
                "the labels of each combination of values",
            ),
        ]
        query = release_sql(
            labels_of(decided, inputs),
            inputs.source,
            inputs.policy,
            inputs.sensitive,
            inputs.rounds,
        )
        return [*plain_steps(notes), *inputs.publish(query)]

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
            *region_tables(by_regions(decision), keeps=inputs.keeps_regions),
            REGION_SHOWN,
        ]

    def region_rows(self, decision: Decision) -> RegionRows | None:
        """The regions of a release: those that its steps made, or that merging has left."""
        kept = by_regions(decision).kept
        if kept is not None and kept.merges is None:
            return RegionRows(literal(kept.fingerprint))
        fingerprint, rows = (
            sql(pattern, table=REGION_PRINT)
            for pattern in ("(SELECT fingerprint FROM {table})", "(SELECT shown_rows FROM {table})")
        )
        return RegionRows(fingerprint, REGION_TREE, rows)

    def label_tables(self, decision: Decision, inputs: BuildInputs) -> list[LabelTable]:  # noqa: ARG002
        """The labels of each quasi-identifier."""
        return [
            LabelTable(rung_table(number), ladder.uncovered == "error")
            for number, ladder in enumerate(inputs.ladders, 1)
        ]

    def persons(
        self, decision: Decision, inputs: BuildInputs, release: Markup, units: Sequence[str]
    ) -> Relation:
        """The persons of the source whose labels are those of a class of the release."""
        labels = labels_of(by_regions(decision), inputs)
        return persons_relation(labels, inputs.source, release, units)


def with_regions(
    decision: RegionDecision, evaluator: NodeEvaluator, tree: Statement
) -> RegionDecision:
    """The decision with the fingerprint of the regions that its steps have just made."""
    evaluator.engine.run(tree)
    numbers = range(1, len(decision.names) + 1)
    asked = Statement("recodings/region_print", str(print_sql(numbers, REGION_TREE)))
    return replace(decision, regions=evaluator.engine.rows(asked)[0][0])


def _short_of(outcome: NodeOutcome, budget: int) -> str:
    """Why the release of steps of before is not feasible today."""
    lost = outcome.suppressed_rows + max(0, outcome.masked_rows - outcome.empty_rows)
    if lost > budget:
        return f"the locked steps release all but {lost} rows, and the budget is {budget}"
    return "what the locked steps release breaks a guarantee"
