"""Microaggregation with tables: rows as they are with a group, and the values of each group.

The two tables are those of Anatomy; what differs is which rows a group has.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from markupsafe import Markup

from sqlgen.engines.duckdb.catalog import Relation, temporary
from sqlgen.errors import StalePlanError
from sqlgen.measuring.evaluator import NodeEvaluator
from sqlgen.measuring.nodes import measure_classes, measure_whole
from sqlgen.policy import Policy
from sqlgen.policy.microaggregation import MICROAGGREGATION
from sqlgen.recodings.alike_groups import group_table, grouped_cells, value_order
from sqlgen.recodings.alike_search import AlikeSearch, alikeness, first_steps, group_sizes
from sqlgen.recodings.alike_steps import AlikeSteps, read_alike_steps
from sqlgen.recodings.anatomy import Anatomy, GroupSize, group_form
from sqlgen.recodings.anatomy_groups import (
    GROUP_CELL,
    GROUP_KEY,
    GROUP_NUMBER,
    GROUP_ROW,
    GroupOfPlace,
    cells_sql,
    dealt_out,
    group_rows_sql,
    key_sql,
    numbers_sql,
    rows_query,
    values_query,
)
from sqlgen.recodings.full_domain import levels_of, lookup_sql
from sqlgen.recodings.recoding import BuildInputs, Choice, ChoiceTotals, Decision
from sqlgen.recodings.region_script import judged_of, value_tables
from sqlgen.recodings.regions import (
    REGION_CELL,
    CellForm,
    references_sql,
    replacing,
    settled,
)
from sqlgen.search.lattice import Lattice
from sqlgen.search.verdict import Standing
from sqlgen.sql.render import Statement, noted, sql
from sqlgen.sql.step import Step, plain_steps
from sqlgen.staging.stage import VALUE_CELL

_VALUE = Markup("v1")
_FORM = CellForm((), (), (_VALUE,))


@dataclass(frozen=True)
class AlikePair(GroupSize):
    """The decision for two tables: the steps that make groups, and a level per column."""

    steps: AlikeSteps = field(default_factory=lambda: AlikeSteps("", 1, 0, ()))

    @property
    def recoding(self) -> str:
        """Microaggregation."""
        return MICROAGGREGATION

    def to_lock(self) -> dict[str, Any]:
        """The steps, the levels and their words."""
        return {**super().to_lock(), **self.steps.to_lock(), "release": "tables"}

    def to_ledger(self) -> dict[str, Any]:
        """What the lock has, but for words, which may name labels."""
        return {**super().to_ledger(), **self.steps.to_lock(), "release": "tables"}


class AlikeTables(Anatomy):
    """Anatomy's two tables, of groups of alike rows."""

    name: ClassVar[str] = MICROAGGREGATION

    def decide(
        self,
        evaluator: NodeEvaluator,
        lattice: Lattice,
        policy: Policy,
        goes_on: Callable[[Standing], bool],  # noqa: ARG002
    ) -> Choice:
        """Groups of least squares, merged where they fail."""
        return _grouped(first_steps(policy, evaluator.guarantees), evaluator, lattice)

    def repeat(
        self,
        decision: Decision,
        evaluator: NodeEvaluator,
        lattice: Lattice,
        policy: Policy,  # noqa: ARG002
    ) -> Choice:
        """Groups of as few rows as before, made anew of the rows of today."""
        return _grouped(_pair(decision).steps, evaluator, lattice, is_held=True)

    def totals(
        self, choice: Choice, evaluator: NodeEvaluator, policy: Policy, source: Relation
    ) -> ChoiceTotals:
        """The sums over the labels of all rows and over the groups, and how alike these are."""
        totals = super().totals(choice, evaluator, policy, source)
        if not choice.is_found:
            return totals
        steps = _pair(choice.decision).steps
        sizes = group_sizes(evaluator, steps)
        form = steps.form(_FORM, (), evaluator.staged.judged)
        return replace(
            totals,
            totals=replace(totals.totals, classes=sizes[0], squares=sizes[3]),
            steps=steps.counts,
            alikeness=alikeness(evaluator, form, steps, sizes[-2:]),
        )

    def statements(self, decision: Decision, inputs: BuildInputs) -> list[Step]:
        """The labels, the key, the groups by their values' counts, and both tables."""
        form, steps = group_form(decision, inputs), _pair(decision).steps
        judged, staged_values = judged_of(inputs)
        lookups = [
            noted(lookup_sql(column, inputs.source, temporary=True), column.words)
            for column in form.recodings
        ]
        (values,) = value_tables(inputs)
        alike = steps.form(_FORM, (), settled(judged))
        made = [
            *lookups,
            noted(key_sql(inputs.source), "the key that orders rows, from all rows of the source"),
            noted(
                cells_sql(form, value_order(form.sensitive)),
                "the combinations of values, each with the place of its value",
            ),
            *staged_values,
            noted(_value_cells_sql(_of_cells(values)), "the values, counted"),
            *references_sql(judged),
            *steps.grouped(alike),
            *steps.merging(settled(judged)),
            noted(group_rows_sql(_placing(steps)), "every row, in its group"),
            noted(numbers_sql(), "the numbers that groups are released under"),
        ]
        assert inputs.publish_beside is not None
        beside = inputs.publish_beside(values_query(form))
        return [*plain_steps(made), *inputs.publish(rows_query(form)), *beside]

    def scratch(self, decision: Decision, inputs: BuildInputs) -> Sequence[Markup]:
        """The labels and the tables of groups."""
        judged, _ = judged_of(inputs)
        references = range(1, len(references_sql(judged)) + 1)
        return [
            *inputs.lookups,
            *(GROUP_KEY, GROUP_CELL, GROUP_ROW, GROUP_NUMBER, REGION_CELL),
            *value_tables(inputs),
            *(temporary(f"reference_{n}") for n, _ in enumerate(inputs.sensitive.references, 1)),
            *(temporary(f"region_reference_{number}") for number in references),
            *_pair(decision).steps.group_tables(),
        ]

    def from_lock(self, content: Mapping[str, Any]) -> AlikePair:
        """The steps, and the level and the words of each column."""
        plain = super().from_lock(content)
        return AlikePair(plain.size, plain.levels, plain.words, read_alike_steps(content))


def _pair(decision: Decision) -> AlikePair:
    """The decision, if it is one for two tables; raises StalePlanError otherwise."""
    if not isinstance(decision, AlikePair):
        raise StalePlanError("the plan is of another recoding. Run sqlgen plan again.")
    return decision


def _grouped(
    steps: AlikeSteps, evaluator: NodeEvaluator, lattice: Lattice, *, is_held: bool = False
) -> Choice:
    """The choice of groups of the fewest rows, as far as guarantees let them."""
    engine, staged = evaluator.engine, evaluator.staged
    floor = None if evaluator.metric.takes_weights else evaluator.metric.bound(lattice.bottom)
    at = levels_of(staged.ladders, lattice.bottom)
    if staged.facts.kept_rows and staged.facts.dropped_rows <= evaluator.budget:
        given = replace(staged.judged, guarantees=evaluator.guarantees)
        engine.run(_value_cells_sql(_of_staged(staged.judged.cells[0])))
        for asked in references_sql(given):
            engine.run(asked)
        steps = AlikeSearch(evaluator, _FORM, (), settled(given)).found(steps, is_held=is_held)
        outcome = measure_classes(
            engine,
            replace(given, budget=staged.facts.dropped_rows),
            staged.rows,
            grouped_cells(steps.merges),
            [Markup("region")],
        )
        if outcome.feasible:
            decision = AlikePair(steps.least, at.levels, at.words, steps)
            return Choice(decision, True, outcome, 1, floor)
    outcome = measure_whole(engine, staged, evaluator.guarantees, lattice.top)
    decision = AlikePair(max(1, staged.rows), at.levels, at.words, replace(steps, merges=0))
    return Choice(decision, False, outcome, 1)


def _value_cells_sql(query: Markup) -> Statement:
    """The statement that counts the rows of each value: groups follow from nothing else."""
    return replacing("recodings/region_cell", REGION_CELL, query)


def _of_staged(cell: Markup) -> Markup:
    """A query for the values of a staged table, counted."""
    return sql(
        "SELECT {cell} AS v1, CAST(SUM(row_count) AS BIGINT) AS row_count\nFROM {cells}\n"
        "GROUP BY {cell}",
        cell=cell,
        cells=VALUE_CELL,
    )


def _of_cells(values: Markup) -> Markup:
    """A query for the values of a release's cells, counted."""
    return sql(
        "SELECT named.id_0 AS v1, CAST(SUM(cell.row_count) AS BIGINT) AS row_count\n"
        "FROM {cells} AS cell\nJOIN {values} AS named\n"
        "  ON cell.value IS NOT DISTINCT FROM named.value\nGROUP BY named.id_0",
        cells=GROUP_CELL,
        values=values,
    )


def _placing(steps: AlikeSteps) -> GroupOfPlace:
    """The group of a row by its place: dealt out, or of the rows that stand side by side."""
    if steps.deals:
        return dealt_out(steps.least)
    group = sql(
        "JOIN (\n  SELECT region, first_row + UNNEST(RANGE(row_count)) AS place\n  FROM {groups}\n"
        ") AS alike_place\n  ON placed.place = alike_place.place",
        groups=group_table(steps.merges),
    )
    return GroupOfPlace(Markup("alike_place.region"), [group])
