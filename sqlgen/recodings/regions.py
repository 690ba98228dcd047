"""Regions: boxes of labels, each column at a level of its own, as tables made one from another.

The same statements decide a plan and build its release: ``local.py`` runs them to see how far they
go, and a script has them in order. All tables are temporary, and replaced by whoever makes them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from markupsafe import Markup

from sqlgen.engines.duckdb.catalog import temporary
from sqlgen.guarantees.base import Reference
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.judging.verdict_sql import (
    JudgingInput,
    classes_sql,
    fails_by_size_fragment,
    verdict_sql,
)
from sqlgen.search.lattice import Node
from sqlgen.sql.render import (
    Statement,
    commas,
    each,
    fragment,
    joined,
    literal,
    sql,
    statement,
    union_all,
)
from sqlgen.staging.packing import column_name
from sqlgen.staging.people import is_float, label_text_fragment

REGION_CELL = temporary("region_cell")
REGION_LABEL = temporary("region_label")
REGION_SHOWN = temporary("region_shown")

# What a row gains by a finer label, for objectives that add it up over rows.
Saving = Literal["leaves", "levels", "log_rows"]
_SAVED: dict[Saving, str] = {
    "leaves": "leaves_above - leaves",
    "levels": "1",
    "log_rows": "log_rows_above - log_rows",
}
# What a specialization gains where the objective is of the sizes of classes.
_OF_SIZES = {
    "squares": """CAST(SUM(finer.class_size) AS HUGEINT) * SUM(finer.class_size)
  - COALESCE(
    SUM(CAST(finer.class_size AS HUGEINT) * finer.class_size) FILTER (WHERE finer.passes),
    0
  )
  - COALESCE(
    CAST(SUM(finer.class_size) FILTER (WHERE NOT finer.passes) AS HUGEINT)
    * SUM(finer.class_size) FILTER (WHERE NOT finer.passes),
    0
  )""",
    "classes": "COUNT(*) FILTER (WHERE finer.passes) - CASE WHEN BOOL_AND(finer.passes) THEN 1 "
    "ELSE 0 END",
}
Gain = Literal["saved", "squares", "classes"]

# The level of labels that regions have of their own: above that of any ladder, of 101 at most.
OWN_LEVEL = 1_000
# A region's place has a bit per round.
MOST_ROUNDS = 48


@dataclass(frozen=True)
class CellForm:
    """The form of some cells: a ladder's height per column, and the columns beside ids of labels.

    ``floors`` are the finest levels that columns may have. ``values`` names the sensitive ids,
    ``carried`` what else the cells of layers have. In the columns ``own``, by number, regions may
    have labels of their own, at a level that no ladder has. The values of the columns
    ``ordered`` are ordered as numbers and dates are, those of the columns ``by_label`` label by
    label. The columns ``averaged`` show means or medians.
    """

    heights: tuple[int, ...]
    floors: tuple[int, ...]
    values: tuple[Markup, ...] = ()
    carried: tuple[Markup, ...] = ()
    own: tuple[int, ...] = ()
    ordered: tuple[int, ...] = ()
    by_label: tuple[int, ...] = ()
    averaged: tuple[int, ...] = ()

    @property
    def numbers(self) -> range:
        """The numbers of the columns."""
        return range(1, len(self.heights) + 1)

    @property
    def ids(self) -> list[Markup]:
        """The columns with ids of labels, level by level."""
        return [
            Markup(column_name(number, level))
            for number, height in zip(self.numbers, self.heights, strict=True)
            for level in range(height)
        ]

    @property
    def levels(self) -> list[Markup]:
        """The columns with the level of each quasi-identifier."""
        return each(self.numbers, "level_{}")

    @property
    def own_ids(self) -> list[Markup]:
        """The columns with the ids of labels that regions have of their own."""
        return each(self.own, "own_{}")

    def keys(self, node: Node) -> list[Markup]:
        """The columns that tell the classes of a node apart."""
        return [
            Markup(column_name(number, level))
            for number, level, height in zip(self.numbers, node, self.heights, strict=True)
            if level < height
        ]

    def at_level(self, number: int, *, finer: int = 0, least: int = 0) -> Markup:
        """A column's id at the level of a row's region, or so many levels finer.

        NULL at levels below the least; at the top every row has the id 0.
        """
        height = self.heights[number - 1]
        whens = [
            (level, Markup("0" if level - finer == height else column_name(number, level - finer)))
            for level in range(max(least, finer), height + 1)
        ]
        if number in self.own and not finer:
            whens.append((OWN_LEVEL, Markup(f"own_{number:d}")))
        return sql(
            "CASE level_{number} {whens} END" if whens else "NULL",
            number=number,
            whens=joined(each(whens, "WHEN {0:literal} THEN {1}"), " "),
        )


def rung_table(number: int) -> Markup:
    """The table with the labels of a column, by its number."""
    return temporary(f"rung_{number}")


def layer_table(number: int) -> Markup:
    """The table with what was left of the cells for a layer."""
    return temporary(f"layer_{number}")


def region_table(number: int) -> Markup:
    """The table with the regions that a round made; 0 is of those that layers made."""
    return temporary(f"region_{number}")


def split_table(number: int) -> Markup:
    """The table with the columns by which a round specialized regions."""
    return temporary(f"split_{number}")


def round_tables(number: int) -> tuple[Markup, Markup, Markup]:
    """The tables of a round: children, rests, and the columns that were chosen."""
    return temporary(f"finer_{number}"), temporary(f"rest_{number}"), split_table(number)


def rungs_sql(number: int, ladder: Ladder, relation: Markup) -> Statement:
    """The statement that labels the values of a relation's column at every level."""
    return replacing("recodings/rungs", rung_table(number), labelled_query(ladder, relation))


def labelled_query(ladder: Ladder, relation: Markup) -> Markup:
    """A query for the values of a relation's column with their labels at every level."""
    return fragment(
        "recodings/rungs",
        labelled=ladder.labelled(relation),
        is_kept=ladder.is_kept,
        labels=[
            (level, ladder.label(level), _text(ladder, level)) for level in range(ladder.height)
        ],
    )


def _text(ladder: Ladder, level: int) -> Markup:
    """A label as a reader sees it."""
    return label_text_fragment(ladder.label(level), is_float=is_float(ladder))


def replacing(label: str, table: Markup, query: Markup) -> Statement:
    """The statement that keeps a query's rows in a temporary table, in place of one before."""
    pattern = "CREATE OR REPLACE TEMPORARY TABLE {table} AS\n{query}"
    return Statement(label, str(sql(pattern, table=table, query=query)))


def labels_sql(ladders: Sequence[Ladder], saving: Saving, weights: Sequence[int]) -> Statement:
    """The statement that counts what each label covers, once all columns are labelled."""
    return statement(
        "recodings/region_label",
        table=REGION_LABEL,
        saved=Markup(_SAVED[saving]),
        weights=list(enumerate(weights, 1)),
        parts=[
            {
                "number": number,
                "table": rung_table(number),
                "levels": commas(map(literal, range(ladder.height + 1))),
                "ids": commas([*each(range(ladder.height), "id_{}"), _ZERO]),
                "above": commas([*each(range(1, ladder.height), "id_{}"), _ZERO, _ZERO]),
                "labels": commas(
                    [
                        *each(range(ladder.height), "label_{}"),
                        _text(ladder, ladder.height),
                    ]
                ),
            }
            for number, ladder in enumerate(ladders, 1)
        ],
    )


_ZERO = Markup("CAST(0 AS UINTEGER)")


def layer_sql(number: int, form: CellForm, judged: JudgingInput, node: Node) -> Statement:
    """The statement that releases, of the cells that are left, the classes of a node that pass."""
    cells = left_cells(number - 1, form)
    keys = form.keys(node)
    return statement(
        "recodings/layer",
        table=layer_table(number),
        cells=cells,
        columns=[*form.carried, *form.ids, *form.values, Markup("row_count")],
        keys=keys,
        **judged_classes(cells, keys, judged),
    )


def left_cells(layers: int, form: CellForm) -> Markup:
    """A relation: the cells that so many layers have left."""
    if not layers:
        return REGION_CELL
    return sql(
        "(SELECT {columns} FROM {table} WHERE NOT is_released)",
        columns=commas([*form.carried, *form.ids, *form.values, Markup("row_count")]),
        table=layer_table(layers),
    )


def judged_classes(
    cells: Markup, keys: Sequence[Markup], judged: JudgingInput
) -> dict[str, Markup]:
    """The classes of some cells, and the query that judges them."""
    condemned = fails_by_size_fragment(judged.guarantees)
    return {
        "classes": classes_sql(cells, keys, judged, condemned),
        "verdict": verdict_sql(judged, 0),
    }


def first_regions_sql(form: CellForm, layers: Sequence[Node]) -> Statement:
    """The statement that makes a region of each class that some layers released."""
    return statement(
        "recodings/region",
        table=region_table(0),
        layers=[
            {
                "number": number,
                "table": layer_table(number),
                "columns": commas([*form.ids, *form.values, Markup("row_count")]),
                "levels": commas(each(list(node), "CAST({0:literal} AS INTEGER) AS level_{n}")),
            }
            for number, node in enumerate(layers, 1)
        ],
    )


def round_sql(
    number: int, form: CellForm, judged: JudgingInput, gain: Gain
) -> tuple[Statement, ...]:
    """The statements of a round of refinement: children, rests, choices, and the new regions.

    The last one is of use only where a region was specialized.
    """
    regions = region_table(number - 1)
    finer, rest, split = round_tables(number)
    cells, keys = finer_cells(form, regions)
    rests = rest_cells(form, cells, finer)
    saved = "CAST(SUM(finer.class_size * label.saved) FILTER (WHERE finer.passes) AS HUGEINT)"
    return (
        statement("recodings/finer", table=finer, **judged_classes(cells, keys, judged)),
        statement("recodings/rest", table=rest, **judged_classes(rests, keys[:2], judged)),
        statement(
            "recodings/split",
            table=split,
            finer=finer,
            rest=rest,
            gain=Markup(saved if gain == "saved" else _OF_SIZES[gain]),
            labels=[REGION_LABEL] if gain == "saved" else [],
        ),
        statement(
            "recodings/region_split",
            table=region_table(number),
            regions=regions,
            split=split,
            finer=finer,
            children=_children(form),
            columns=[*form.ids, *form.values, Markup("row_count")],
            levels=form.levels,
        ),
    )


def _children(form: CellForm) -> list[dict[str, object]]:
    """The label a level finer of each column; NULL where it has none."""
    return [
        {
            "number": column,
            "child": form.at_level(column, finer=1, least=form.floors[column - 1] + 1),
        }
        for column in form.numbers
    ]


def finer_cells(form: CellForm, regions: Markup) -> tuple[Markup, list[Markup]]:
    """A relation: the cells of regions under finer labels, column by column; and its classes' keys.

    The first two keys are the region and the column.
    """
    cells = fragment(
        "recodings/finer_cell", regions=regions, columns=_children(form), values=form.values
    )
    return cells, [Markup(key) for key in ("region", "quasi", "level", "child")]


def rest_cells(form: CellForm, cells: Markup, finer: Markup) -> Markup:
    """A relation: of the cells under finer labels those that would stay, by judged children."""
    return fragment("recodings/rest_cell", cells=cells, finer=finer, values=form.values)


def last_cells(form: CellForm, rounds: int) -> Markup:
    """A relation: every cell in the region that it has after so many rounds, with its levels.

    Regions that a later round specialized are not among those of a round.
    """
    placed = [Markup("region"), *form.levels, *form.own_ids]
    columns = commas([*form.ids, *form.values, Markup("row_count"), *placed])
    every = [
        {
            "columns": columns,
            "table": region_table(number),
            "place": number,
            "condition": Markup("TRUE")
            if number == rounds
            else sql(
                "NOT EXISTS (SELECT 1 FROM {split} AS split WHERE split.region = cell.region)",
                split=split_table(number + 1),
            ),
        }
        for number in range(rounds + 1)
    ]
    pattern = "SELECT {columns}, {place:literal} AS round\nFROM {table} AS cell\nWHERE {condition}"
    return union_all(each(every, pattern))


@dataclass(frozen=True)
class Shown:
    """What a table of shown labels has beside them.

    With ``values`` a row per cell, with the sensitive ids; with ``texts`` a row per combination of
    values, with the labels as text.
    """

    values: bool = False
    texts: bool = False


def shown_sql(form: CellForm, rounds: int, shown: Shown) -> Statement:
    """The statement that gives each cell the labels of its region."""
    labels = [
        {
            "number": number,
            "alias": Markup(f"l{number}"),
            "table": REGION_LABEL,
            "id": form.at_level(number),
        }
        for number in form.numbers
    ]
    added = ", {alias}.label AS label_{number}" if shown.texts else ""
    extra = [*form.values, Markup("row_count"), Markup("region")]
    levels = [level for level in form.levels if not form.own]
    added += ", {alias}.shown_level AS level_{number}" if shown.values and form.own else ""
    return statement(
        "recodings/region_shown",
        table=REGION_SHOWN,
        distinct=Markup("" if shown.values else "DISTINCT"),
        keys=each(form.numbers, "q{}_0"),
        extra=[*extra, *levels] if shown.values else [],
        labels=[
            {**label, "more": text}
            for label, text in zip(labels, each(labels, added or ""), strict=True)
        ],
        cells=last_cells(form, rounds),
    )


def region_labels_sql(form: CellForm) -> Statement:
    """The statement that gives each region its labels, whichever cells are in it."""
    labels = [
        {
            "number": number,
            "alias": Markup(f"l{number}"),
            "table": REGION_LABEL,
            "id": form.at_level(number),
            "more": sql(", l{number}.label AS label_{number}", number=number),
        }
        for number in form.numbers
    ]
    return statement(
        "recodings/region_shown",
        table=REGION_SHOWN,
        distinct=Markup("DISTINCT"),
        keys=[],
        extra=[Markup("region")],
        labels=labels,
        cells=last_cells(form, 0),
    )


def shown_columns(form: CellForm) -> list[Markup]:
    """The columns of shown labels, as a reader tells them apart."""
    return each(form.numbers, "s{}")


def references_sql(judged: JudgingInput) -> list[Statement]:
    """The statements that count what classes are compared with where every row is released."""
    return [
        _reference_sql(number, cells, is_uniform=against == "uniform")
        for number, ((_, against), cells) in enumerate(_moving(judged).items(), 1)
    ]


def settled(judged: JudgingInput) -> JudgingInput:
    """The input of judging where those references were counted: no suppression moves them."""
    fixed = {
        key: temporary(f"region_reference_{number}")
        for number, key in enumerate(_moving(judged), 1)
    }
    return replace(judged, fixed={**judged.fixed, **fixed}, is_settled=True, moves=0)


def _moving(judged: JudgingInput) -> dict[tuple[tuple[str, ...], Reference], list[Markup]]:
    """The references that are the release itself, each with the sensitive ids that it counts."""
    ids = {value.column: value.cell for value in judged.values}
    return {
        (guarantee.judged_columns, guarantee.reference_table): [
            ids[name] for name in guarantee.judged_columns
        ]
        for guarantee in judged.guarantees
        if guarantee.judged_columns and guarantee.reference_table in ("released", "uniform")
    }


def _reference_sql(number: int, cells: Sequence[Markup], *, is_uniform: bool) -> Statement:
    """The statement that counts a reference over all cells."""
    names = [Markup("value_id" if place == 1 else f"value_id_{place}") for place in _up_to(cells)]
    query = sql(
        "SELECT {values}, {count} AS reference_count\nFROM {table}\nGROUP BY {cells}",
        values=commas(each(list(zip(cells, names, strict=True)), "{0} AS {1}")),
        count=Markup("1" if is_uniform else "CAST(SUM(row_count) AS BIGINT)"),
        table=REGION_CELL,
        cells=commas(cells),
    )
    return replacing("recodings/reference", temporary(f"region_reference_{number}"), query)


def _up_to(items: Sequence[object]) -> range:
    return range(1, len(items) + 1)


def cells_sql(
    source: Markup, ladders: Sequence[Ladder], values: Sequence[tuple[Ladder, Markup]]
) -> Statement:
    """The statement that counts each combination of values of a source.

    ``values`` are the ladders of sensitive columns with the tables that hold their ids.
    """
    return statement(
        "recodings/region_cell",
        table=REGION_CELL,
        source=source,
        grouped=[
            *each(_up_to(ladders), "q{}.id_0"),
            *each(_up_to(values), "v{}.id_0"),
        ],
        rungs=[
            {
                "alias": Markup(f"q{number}"),
                "table": rung_table(number),
                "plain": ladder.column.plain("source"),
                "ids": commas(
                    each(range(ladder.height), "q{number}.id_{0} AS q{number}_{0}", number=number)
                ),
                "plain_ids": commas(each(range(ladder.height), "id_{0}")),
            }
            for number, ladder in enumerate(ladders, 1)
        ],
        values=[
            {"alias": Markup(f"v{number}"), "table": table, "plain": ladder.column.plain("source")}
            for number, (ladder, table) in enumerate(values, 1)
        ],
    )
