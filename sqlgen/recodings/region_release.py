"""The figures of a release by regions: sums and answers, as an audit of it would find them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation, temporary
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.judging.verdict_sql import (
    JudgingInput,
    classes_sql,
    fails_by_size_fragment,
    rounds_sql,
    verdict_sql,
)
from sqlgen.measuring.queries import (
    Answer,
    Conditions,
    Estimated,
    QueryPart,
    answer_by,
    conditions_on_values,
    estimates_statement,
    label_share,
)
from sqlgen.metrics import ClassTotals, LevelFacts, TableFacts
from sqlgen.policy import Policy
from sqlgen.recodings.own_labels import OWN_LABEL, OWN_LEAF, own_leaves_sql, own_tables
from sqlgen.recodings.recoding import ChoiceTotals
from sqlgen.recodings.regions import (
    OWN_LEVEL,
    REGION_LABEL,
    REGION_SHOWN,
    CellForm,
    region_table,
    rung_table,
    shown_columns,
)
from sqlgen.sql.render import (
    Statement,
    commas,
    conjunction,
    each,
    fragment,
    joined,
    literal,
    sql,
    statement,
)
from sqlgen.staging.stage import Staged

_NO_RUNG = LevelFacts(0, 0, 0, 0, 0)
_CLASS = temporary("region_class")
_TAKEN = temporary("region_taken")


@dataclass(frozen=True)
class RegionRelease:
    """The release of a staged table whose regions were just found: what it adds up to."""

    engine: Engine
    staged: Staged
    form: CellForm

    def stage(self, judged: JudgingInput, rounds: int, policy: Policy) -> None:
        """Stage the classes that are released after some rounds, and what their labels tell."""
        condemned = fails_by_size_fragment(judged.guarantees)
        judged_class = fragment(
            "judging/judged_class",
            masks_sensitive=judged.masks_sensitive,
            classes=classes_sql(REGION_SHOWN, shown_columns(self.form), judged, condemned),
            rounds=rounds_sql(judged, rounds),
            verdict=verdict_sql(judged, rounds),
        )
        classes = statement(
            "recodings/region_class",
            table=_CLASS,
            classes=judged_class,
            numbers=self.form.numbers,
            masks_sensitive=judged.masks_sensitive,
        )
        self.engine.run(classes)
        self.engine.run(_taken_statement(self.staged.ladders, policy, self.form))

    def sums(self) -> ChoiceTotals:
        """The sums that objectives read, each label taken for what a reader can know it to mean.

        A mean or a median is taken for the range of its region.
        """
        shared = {"classes": _CLASS, "taken": _TAKEN, "numbers": self.form.numbers}
        asked = (
            statement("recodings/average_sums", **shared, **_averaged(self.form))
            if self.form.averaged
            else statement("recodings/region_sums", **shared)
        )
        return _read_sums(self.staged.facts, self.engine.rows(asked)[0])

    def level_rows(self) -> dict[str, list[int]]:
        """How many rows regions show at each level of each column."""
        asked = statement(
            "recodings/region_levels",
            cells=REGION_SHOWN,
            numbers=self.form.numbers,
            levels=self.form.levels,
        )
        rows = {(quasi, level): count for quasi, level, count in self.engine.rows(asked)}
        numbered = enumerate(zip(self.staged.names, self.form.heights, strict=True), 1)
        return {
            name: [
                *(rows.get((number, level), 0) for level in range(height + 1)),
                *([rows.get((number, OWN_LEVEL), 0)] if number in self.form.own else []),
            ]
            for number, (name, height) in numbered
        }

    def answers(self, policy: Policy, source: Relation) -> list[Answer]:
        """The answers of the source and of the release to each query of a policy."""
        if not policy.queries:
            return []
        if self.form.own:
            self.engine.run(own_leaves_sql())

        def estimates(part: Sequence[Conditions]) -> Statement:
            return estimates_statement([_estimated(self, query) for query in part])

        return answer_by(self.engine, self.staged, policy, source, estimates)


def _taken_statement(ladders: Sequence[Ladder], policy: Policy, form: CellForm) -> Statement:
    """The statement that says what a reader takes each label for."""
    declared = [
        (number, *(policy.columns[ladder.column.name].levels or (0, ladder.height)))
        for number, ladder in enumerate(ladders, 1)
    ]
    pattern = "WHEN {0:literal} THEN level BETWEEN {1:literal} AND {2:literal}"
    return statement(
        "recodings/region_taken",
        table=_TAKEN,
        classes=_CLASS,
        numbers=range(1, len(ladders) + 1),
        labels=REGION_LABEL,
        parts=[
            {"number": number, "table": rung_table(number), **_rungs(ladder.height)}
            for number, ladder in enumerate(ladders, 1)
        ],
        declared=sql("CASE ladder {whens} END", whens=joined(each(declared, pattern), " ")),
        own=[
            fragment("recodings/own_taken", labels=REGION_LABEL, own=own, own_level=OWN_LEVEL)
            for own in own_tables(form)
        ],
    )


def _averaged(form: CellForm) -> dict[str, Any]:
    """The regions of a release, and their own labels in the columns with means and medians."""
    return {
        "regions": region_table(0),
        "shown": REGION_SHOWN,
        "keys": shown_columns(form),
        "taken_numbers": [number for number in form.numbers if number not in form.averaged],
        "averaged": [(number, form.at_level(number)) for number in form.averaged],
        "labels": REGION_LABEL,
        "own": OWN_LABEL,
        "own_level": OWN_LEVEL,
    }


def _read_sums(facts: TableFacts, counts: Sequence[Any]) -> ChoiceTotals:
    """The sums of regions as objectives read them: each column at its highest level, so to say."""
    rows, classes, squares, logs, combinations, *sums = counts
    slopes, climbed = [], []
    for column, slope in enumerate(facts.columns):
        leaves, log_leaves, log_rows, levels, highest = sums[5 * column : 5 * column + 5]
        rungs = [_NO_RUNG] * len(slope.levels)
        rungs[highest] = LevelFacts(0, leaves, log_leaves, log_rows, 0)
        slopes.append((replace(slope, levels=tuple(rungs)), highest))
        climbed.append(levels)
    node = tuple(highest for _, highest in slopes)
    totals = ClassTotals(node, rows, classes, squares, logs, combinations, climbed=climbed)
    columns = tuple(slope for slope, _ in slopes)
    return ChoiceTotals(replace(facts, dropped_rows=0, columns=columns), totals)


def _estimated(release: RegionRelease, query: Conditions) -> Estimated:
    """A query over the classes that regions show; over cells, where sensitive values are asked."""
    staged = release.staged
    parts = [
        _label_part(
            number,
            staged.ladders[number - 1].height,
            query[name],
            has_own=number in release.form.own,
        )
        for number, name in enumerate(staged.names, 1)
        if name in query
    ]
    conditions = [Markup("node_class.is_released")]
    if not any(value.column in query for value in staged.judged.values):
        rows, relation = Markup("node_class.class_size"), sql("{table} AS node_class", table=_CLASS)
        return Estimated(rows, relation, parts, conditions)
    of_values, more = conditions_on_values(staged, query, masked=staged.judged.masks_sensitive)
    relation = sql(
        "{classes} AS node_class\nJOIN {cells} AS cell\n  ON {matched}",
        classes=_CLASS,
        cells=REGION_SHOWN,
        matched=conjunction(each(shown_columns(release.form), "cell.{0} = node_class.key_{n}")),
    )
    return Estimated(Markup("cell.row_count"), relation, [*parts, *of_values], [*conditions, *more])


def _label_part(number: int, height: int, condition: Markup, *, has_own: bool) -> QueryPart:
    """A condition on a quasi-identifier: each of its labels counts by its leaves."""
    leaves = fragment(
        "recodings/region_leaves",
        number=number,
        rungs=rung_table(number),
        labels=REGION_LABEL,
        taken=_TAKEN,
        own=[OWN_LEAF] if has_own else [],
        above=OWN_LEVEL,
        **_rungs(height),
    )
    alias = Markup(f"part_{number:d}")
    share = label_share(leaves, Markup("shown"), condition)
    return QueryPart(alias, share, Markup(f"{alias}.label = node_class.key_{number:d}"))


def _rungs(height: int) -> dict[str, Markup]:
    """The levels of a ladder, and the ids of its rungs; the top's is 0."""
    ids = [*each(range(height), "id_{}"), Markup("CAST(0 AS UINTEGER)")]
    return {"levels": commas(map(literal, range(height + 1))), "ids": commas(ids)}
