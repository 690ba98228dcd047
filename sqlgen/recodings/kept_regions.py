"""Regions that a database keeps: a tree of them, its fingerprint, and new rows put into it.

The regions of a release are written beside its ledger. The next night's rows are put into the same
regions: a row belongs to the first region, by number, that is shown and whose labels it has. What
fails there is merged into coarser regions, round by round. As everywhere, a plan finds out how far
these statements go, and a script has them in order.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

from markupsafe import Markup

from sqlgen.engines.duckdb.catalog import temporary
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.judging.verdict_sql import (
    JudgingInput,
    classes_sql,
    fails_by_size_fragment,
    verdict_sql,
)
from sqlgen.recodings.cuts import CUT_PLACE
from sqlgen.recodings.own_labels import OWN_LABEL, READ_TABLES, kept_labels_sql
from sqlgen.recodings.regions import (
    OWN_LEVEL,
    REGION_CELL,
    REGION_LABEL,
    CellForm,
    cells_sql,
    labels_sql,
    region_table,
    replacing,
    round_tables,
    rung_table,
    rungs_sql,
    split_table,
)
from sqlgen.search.lattice import Node
from sqlgen.sql.render import Statement, commas, each, fragment, joined, literal, sql, statement

REGION_TREE = temporary("region_tree")
REGION_PRINT = temporary("region_print")
REGION_KEPT = temporary("region_kept")

_OWN_SPAN = "CASE WHEN label_{0}.span <> label_{0}.label THEN label_{0}.span END"
# Regions are merged and, where that is not enough, the smallest ones given up, in so many rounds.
MOST_MERGES = 256


@dataclass(frozen=True)
class KeptRegions:
    """The regions of a database that rows are put into: the table, and which set of its regions.

    No ``table`` where none keeps them: steps make them on the rows of today, to be merged.
    ``merges`` are the rounds that make coarser regions of those that fail: 0 merges regions into
    their parents, any other number gives up as many of the smallest; None where regions must hold
    as they are. ``merged`` counts the regions that are gone after these rounds. ``shows_own`` says
    that some regions show labels of their own, ``by_label`` in which columns, by number, they show
    labels of the ladder in place of these.
    """

    table: Markup | None
    fingerprint: str
    merges: tuple[int, ...] | None = None
    merged: int = field(default=0, compare=False)
    shows_own: bool = field(default=False, compare=False)
    by_label: tuple[int, ...] = field(default=(), compare=False)

    @property
    def relation(self) -> Markup:
        """The regions as they are kept, or as steps have just made them."""
        if self.table is None:
            return REGION_TREE
        pattern = "(SELECT * FROM {table} WHERE fingerprint = {fingerprint:literal})"
        return sql(pattern, table=self.table, fingerprint=self.fingerprint)


def tree_sql(form: CellForm, rounds: int) -> Statement:
    """The statement that makes one tree of the regions of all rounds, with their labels."""
    return statement(
        "recodings/region_tree",
        table=REGION_TREE,
        labels=REGION_LABEL,
        numbers=form.numbers,
        rounds=[
            {
                "number": number,
                "table": region_table(number),
                "parent": Markup("MIN(finer.region)" if number else "CAST(NULL AS BIGINT)"),
                "later": 2 ** (rounds - number),
                "is_last": _is_last(number, rounds),
                "levels": commas(each(form.numbers, "MIN(cell.level_{})")),
                "ids": commas(
                    [sql("MIN({id})", id=form.at_level(column)) for column in form.numbers]
                ),
                "joins": sql(
                    "\nJOIN {finer} AS finer\n  ON cell.region = finer.class_id",
                    finer=round_tables(number)[0],
                )
                if number
                else Markup(""),
            }
            for number in range(rounds + 1)
        ],
    )


def _is_last(number: int, rounds: int) -> Markup:
    """Whether no later round specialized a region of a round."""
    if number == rounds:
        return Markup("TRUE")
    return sql("cell.region NOT IN (SELECT region FROM {split})", split=split_table(number + 1))


def print_sql(numbers: Sequence[int], regions: Markup) -> Markup:
    """A query for the fingerprint of a set of regions, how many they are, and whether some have
    labels of their own; by column, whether some have such a label and show one of the ladder."""
    return fragment("recodings/region_print", numbers=numbers, regions=regions, own_level=OWN_LEVEL)


def printed_sql(form: CellForm, cells: Markup) -> Statement:
    """The statement that keeps the fingerprint of the tree that was made, and counts its rows.

    ``cells`` are those of the regions that are shown.
    """
    query = sql(
        "SELECT\n  fingerprint,\n  (SELECT CAST(COALESCE(SUM(row_count), 0) AS BIGINT) "
        "FROM (\n    {cells:nested 4}\n  ) AS cell) AS shown_rows\n"
        "FROM (\n  {printed:nested 2}\n) AS printed",
        cells=cells,
        printed=print_sql(form.numbers, REGION_TREE),
    )
    return replacing("recodings/region_print", REGION_PRINT, query)


def kept_sql(form: CellForm, ladders: Sequence[Ladder], kept: KeptRegions) -> list[Statement]:
    """The statements that give kept regions the ids that their labels have today."""
    ids = statement(
        "recodings/region_kept",
        table=REGION_KEPT,
        regions=kept.relation,
        labels=REGION_LABEL,
        numbers=form.numbers,
        columns=[(number, _matched(number, has_own=bool(form.own))) for number in form.numbers],
    )
    return [*kept_labels_sql(form, ladders, kept.relation), ids]


def _matched(number: int, *, has_own: bool) -> Markup:
    """The condition that a label of today is that of a kept region, for one column."""
    if has_own:
        pattern = "label_{n}.span IS NOT DISTINCT FROM "
        pattern += "CAST(COALESCE(kept.spans[{n}], kept.labels[{n}]) AS VARCHAR) COLLATE C\n"
        pattern += "  AND label_{n}.label IS NOT DISTINCT FROM "
        pattern += "CAST(kept.labels[{n}] AS VARCHAR) COLLATE C"
    else:
        pattern = "label_{n}.label IS NOT DISTINCT FROM CAST(kept.labels[{n}] AS VARCHAR) COLLATE C"
    return sql(pattern, n=number)


def top_sql(form: CellForm, ceilings: Node) -> Statement:
    """The statement that adds the regions at the coarsest levels."""
    top = Markup("CAST(0 AS UINTEGER)")
    return statement(
        "recodings/region_top",
        table=REGION_KEPT,
        cells=REGION_CELL,
        tops=[
            (number, level, top if level == height else Markup(f"q{number}_{level}"))
            for number, level, height in zip(form.numbers, ceilings, form.heights, strict=True)
        ],
    )


def fit_sql(form: CellForm) -> Statement:
    """The statement that puts every cell into the first of the kept regions that it fits."""
    if form.own:
        return _own_fit_sql(form)
    columns = []
    for number, height in zip(form.numbers, form.heights, strict=True):
        ids = each(range(height), "q{number}_{0}", number=number)
        columns.append(
            {
                "number": number,
                "before": number - 1,
                "path": joined(each(range(1, number + 1), "level_{0} ASC, id_{0}"), " ASC, "),
                "levels": commas(each(range(height + 1), "{0}")),
                "labels": commas([*each(ids, "combination.{0}"), Markup("CAST(0 AS UINTEGER)")]),
            }
        )
    return statement(
        "recodings/region_fit",
        table=region_table(0),
        cells=REGION_CELL,
        kept=REGION_KEPT,
        ids=form.ids,
        leaves=each(form.numbers, "q{0}_0"),
        columns=columns,
        last=Markup(f"{len(columns)}"),
        cell_columns=[*form.ids, *form.values, Markup("row_count")],
        level_columns=form.levels,
    )


def _own_fit_sql(form: CellForm) -> Statement:
    """The statement that puts every cell into the first of the regions with spans that it fits."""
    columns = []
    for number, floor, height in zip(form.numbers, form.floors, form.heights, strict=True):
        ids = each(range(floor, height), "WHEN {0} THEN combination.q{number}_{0}", number=number)
        columns.append(
            {
                "number": number,
                "leaf": Markup("0" if floor == height else f"value_ids.q{number}_{floor}"),
                "label": sql(
                    "CASE kept.level_{number} {ids} ELSE 0 END", number=number, ids=joined(ids, " ")
                )
                if ids
                else Markup("0"),
            }
        )
    shared = {"columns": columns, "kept": REGION_KEPT, "own": OWN_LABEL}
    own_level = literal(OWN_LEVEL)
    return statement(
        "recodings/own_fit",
        table=region_table(0),
        cells=REGION_CELL,
        place=CUT_PLACE,
        ids=form.ids,
        leaves=each(form.numbers, "q{0}_0"),
        cell_columns=[*form.ids, *form.values, Markup("row_count")],
        fit=fragment("recodings/own_fitting", **shared, own_level=own_level),
        placed=[
            *((level, level) for level in form.levels),
            *zip(form.own_ids, each(form.own, "id_{0} AS own_{0}"), strict=True),
        ],
        own_level=OWN_LEVEL,
        **shared,
    )


@dataclass(frozen=True)
class RowsInRegions:
    """A source's rows in kept regions: the statements that put them, and the tables these make."""

    statements: Sequence[Statement]
    tables: Sequence[Markup]


def rows_in_regions(
    source: Markup, ladders: Sequence[Ladder], floors: Node, kept: KeptRegions
) -> RowsInRegions:
    """How a source's rows are put into kept regions: each combination of values has a region.

    ``floors`` are the finest levels that columns may have.
    """
    heights = tuple(ladder.height for ladder in ladders)
    numbered = list(enumerate(ladders, 1))
    form = CellForm(
        heights,
        floors,
        own=tuple(number for number, _ in numbered if kept.shows_own),
        ordered=tuple(number for number, ladder in numbered if not ladder.column.is_text),
        by_label=kept.by_label,
    )
    statements = [
        *(rungs_sql(number, ladder, source) for number, ladder in numbered),
        labels_sql(ladders, "levels", [1] * len(ladders)),
        cells_sql(source, ladders, ()),
        *kept_sql(form, ladders, kept),
        fit_sql(form),
    ]
    rungs = [rung_table(number) for number, _ in numbered]
    own = READ_TABLES if kept.shows_own else ()
    tables = [*rungs, *own, REGION_LABEL, REGION_CELL, REGION_KEPT, region_table(0)]
    return RowsInRegions(statements, tables)


def _merge_sql(form: CellForm, judged: JudgingInput) -> Statement:
    """The statement that merges the finest of the regions that fail into their parents."""
    return statement(
        "recodings/region_merge",
        table=REGION_KEPT,
        heights=[
            sql("CASE WHEN {level} < {own} THEN {level} ELSE 0 END", level=level, own=OWN_LEVEL)
            if number in form.own
            else level
            for number, level in zip(form.numbers, form.levels, strict=True)
        ],
        **_judging(judged),
    )


def _spill_sql(count: int) -> Statement:
    """The statement that gives up so many of the smallest regions."""
    return statement(
        "recodings/region_spill", table=REGION_KEPT, cells=region_table(0), count=count
    )


def merged_sql(
    form: CellForm, judged: JudgingInput, ceilings: Node, merges: Sequence[int]
) -> list[Statement]:
    """The statements that merge regions, and put the cells into what is left, round by round."""
    rounds = [round_of_merging_sql(form, judged, count) for count in merges]
    return [top_sql(form, ceilings), fit_sql(form), *chain.from_iterable(rounds)]


def round_of_merging_sql(form: CellForm, judged: JudgingInput, count: int) -> list[Statement]:
    """The statements of a round: merge regions, or give up so many, and put the cells anew."""
    return [_spill_sql(count) if count else _merge_sql(form, judged), fit_sql(form)]


def merged_tree_sql(form: CellForm, judged: JudgingInput) -> Statement:
    """The statement that makes a tree of the regions that merging has left."""
    return statement(
        "recodings/region_merged_tree",
        table=REGION_TREE,
        kept=REGION_KEPT,
        labels=REGION_LABEL,
        numbers=form.numbers,
        level_columns=form.levels,
        id_columns=each(form.numbers, "id_{}"),
        spans=sql("[{spans}]", spans=commas(each(form.numbers, _OWN_SPAN)))
        if form.own
        else Markup("CAST(NULL AS VARCHAR[])"),
        **_judging(judged),
    )


def merged_cells() -> Markup:
    """A relation: the cells in regions that merging has left, and that are shown."""
    pattern = "SELECT *\nFROM {cells} AS cell\nWHERE cell.region IN (\n  SELECT old_number\n  "
    pattern += "FROM {tree}\n  WHERE is_shown\n)"
    return sql(pattern, cells=region_table(0), tree=REGION_TREE)


def failing_sql(judged: JudgingInput) -> Statement:
    """The statement that counts the kept regions that fail, and the rows that fit any."""
    return statement("recodings/region_failing", kept=REGION_KEPT, **_judging(judged))


def _judging(judged: JudgingInput) -> dict[str, Markup]:
    """The regions with cells in them as classes, and the query that judges them."""
    condemned = fails_by_size_fragment(judged.guarantees)
    return {
        "classes": classes_sql(region_table(0), [Markup("region")], judged, condemned),
        "verdict": verdict_sql(judged, 0),
    }
