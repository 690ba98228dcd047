"""The search for groups of alike rows: how often those that fail merge, or how many rows one takes.

It reads the cells of a staged table and finds steps; the tables of groups stand as these made them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from sqlgen.guarantees import Guarantee
from sqlgen.judging.verdict_sql import JudgingInput
from sqlgen.measuring.evaluator import NodeEvaluator
from sqlgen.policy import Policy
from sqlgen.recodings.alike_groups import (
    MOST_MERGES,
    AlikeForm,
    floor_statement,
    group_table,
    grouped_cells,
    judged_groups_sql,
    judged_table,
    merged_groups_sql,
    squares_statement,
)
from sqlgen.recodings.alike_steps import AlikeSteps
from sqlgen.recodings.anatomy import least_size
from sqlgen.recodings.recoding import Alikeness
from sqlgen.recodings.regions import CellForm
from sqlgen.search.lattice import Node
from sqlgen.sql.render import command


def first_steps(
    policy: Policy, guarantees: Sequence[Guarantee], weights: tuple[int, ...] = ()
) -> AlikeSteps:
    """The steps before any group was judged: of the fewest rows that a group can pass with.

    Rows are dealt out where a guarantee compares the column in a group with that of the table:
    alike groups are as unlike the table as can be.
    """
    (column,) = policy.recoding.of
    deals = any(
        guarantee.reference_table is not None and column in guarantee.judged_columns
        for guarantee in guarantees
    )
    return AlikeSteps(column, least_size(guarantees), 0, weights, deals=deals)


@dataclass(frozen=True)
class AlikeSearch:
    """A staged table that is being grouped: the form of its cells, and how groups are judged."""

    evaluator: NodeEvaluator
    cells: CellForm
    ceilings: Node
    judged: JudgingInput

    def form(self, steps: AlikeSteps) -> AlikeForm:
        """The form of what is grouped."""
        return steps.form(self.cells, self.ceilings, self.judged)

    def found(self, steps: AlikeSteps, *, is_held: bool) -> AlikeSteps:
        """The steps whose groups give every guarantee, if any do.

        Groups that are dealt out have the same rows as before, where that ``is_held``.
        """
        if not steps.deals:
            return self._merged(steps)
        return self._tried(steps)[0] if is_held else self._dealt(steps)

    def _merged(self, steps: AlikeSteps) -> AlikeSteps:
        """The steps with as many rounds as merge groups that fail, until none does or can be."""
        engine = self.evaluator.engine
        tried, fails = self._tried(steps)
        for merges in range(MOST_MERGES):
            if not fails:
                return tried
            engine.run(merged_groups_sql(merges))
            left = self._count("COUNT(DISTINCT region)", group_table(merges + 1))
            if left == tried.groups:
                return tried
            tried = replace(tried, merges=merges + 1, groups=left)
            engine.run(judged_groups_sql(merges + 1, self.judged))
            fails = self._failing(merges + 1)
        return tried

    def _dealt(self, steps: AlikeSteps) -> AlikeSteps:
        """The steps with the smallest groups that were found to pass: doubled, then halved."""
        rows = self.evaluator.staged.facts.kept_rows
        failing = steps.least - 1
        tried, fails = self._tried(steps)
        while fails and tried.least < rows:
            failing = tried.least
            tried, fails = self._tried(replace(steps, least=min(2 * failing, rows)))
        if fails:
            return tried
        while tried.least - failing > 1:
            middle, fails = self._tried(replace(steps, least=(tried.least + failing) // 2))
            if fails:
                failing = middle.least
            else:
                tried = middle
        return self._tried(tried)[0]

    def _tried(self, steps: AlikeSteps) -> tuple[AlikeSteps, int]:
        """The steps with how many groups they make, before any merges, and how many fail."""
        engine = self.evaluator.engine
        for asked in steps.grouped(self.form(steps)):
            engine.run(asked)
        groups = self._count("COUNT(DISTINCT region)", group_table(0))
        engine.run(judged_groups_sql(0, self.judged))
        return replace(steps, merges=0, groups=groups), self._failing(0)

    def _failing(self, merges: int) -> int:
        return self._count("COUNT(*) FILTER (WHERE fails)", judged_table(merges))

    def _count(self, what: str, table: Markup) -> int:
        pattern = f"SELECT {what} AS group_count\nFROM {{table}}"
        asked = command("recodings/alike_count", pattern, table=table)
        count: int = self.evaluator.engine.rows(asked)[0][0]
        return count


def alikeness(
    evaluator: NodeEvaluator, form: AlikeForm, steps: AlikeSteps, shown: Sequence[Any]
) -> Alikeness:
    """How alike the rows of the groups are that were just made.

    ``shown`` are the squares within the classes that a reader sees, and those of all rows.
    """
    engine = evaluator.engine
    count, least, most, _, within, total = group_sizes(evaluator, steps)
    bound = None
    if form.unit == 1 and not steps.deals:
        bound = engine.rows(floor_statement(form))[0][0]
    in_classes, in_all = shown
    return Alikeness(
        columns=(steps.column,),
        count=count,
        least_rows=least,
        most_rows=most,
        groups=within / total if total else 0.0,
        classes=in_classes / in_all if in_all else 0.0,
        floor=None if bound is None else bound / (total or 1.0),
    )


def group_sizes(evaluator: NodeEvaluator, steps: AlikeSteps) -> Sequence[Any]:
    """The sums over the groups that were just made: how many they are, of how many rows."""
    asked = squares_statement(grouped_cells(steps.merges), [Markup("region")])
    row: Sequence[Any] = evaluator.engine.rows(asked)[0]
    return row
