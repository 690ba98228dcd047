"""The regions that cuts leave: what each spans and shows, as cells and as a tree of regions.

What a region shows in a column is the finest label of the ladder that has all of it or, where the
policy asks for ranges or sets, a label of its own, see ``own_labels.py``.
"""

from markupsafe import Markup

from sqlgen.recodings.cuts import (
    CUT_CELL,
    CUT_PLACE,
    CUT_SPAN,
    CutForm,
    common_level,
    cut_table,
    region_cut_table,
)
from sqlgen.recodings.kept_regions import REGION_TREE
from sqlgen.recodings.own_labels import average_columns, average_matched, own_tables, shown_of
from sqlgen.recodings.regions import REGION_LABEL, region_table
from sqlgen.sql.render import Statement, commas, each, fragment, literal, sql, statement

_NO_CUT = Markup("(SELECT CAST(NULL AS BIGINT) AS region, CAST(NULL AS BIGINT) AS number) AS none")


def spans_sql(form: CutForm, rounds: int) -> Statement:
    """The statement that says what each region spans that is left after so many rounds."""
    return statement(
        "recodings/cut_span",
        table=CUT_SPAN,
        place=CUT_PLACE,
        rounds=[
            {
                **_left(number, rounds),
                "quasi": commas(map(literal, form.numbers)),
                "places": commas(form.places),
            }
            for number in range(rounds + 1)
        ],
        level=common_level(form.cells.heights, Markup("first"), Markup("last")),
    )


def left_regions(rounds: int) -> list[dict[str, object]]:
    """Every round: its regions, and which of them are left after the last one."""
    return [_left(number, rounds) for number in range(rounds + 1)]


def _left(number: int, rounds: int) -> dict[str, object]:
    """A round: its regions, and which of them are left; all of the last one's are."""
    cut = "region NOT IN (SELECT region FROM {cuts})"
    is_left = Markup("TRUE") if number == rounds else sql(cut, cuts=cut_table(number))
    return {"number": number, "table": region_cut_table(number), "is_left": is_left}


def left_cells_sql(form: CutForm, rounds: int) -> Statement:
    """The statement that gives the regions that are left to a round more."""
    values = [*form.cells.values, Markup("row_count")]
    return statement(
        "recodings/cut_left",
        table=region_cut_table(rounds + 1),
        spans=CUT_SPAN,
        places=form.places,
        values=form.cells.values,
        rounds=[
            {**_left(number, rounds), "columns": commas([*form.places, *values])}
            for number in range(rounds + 1)
        ],
    )


def last_regions_sql(form: CutForm, rounds: int) -> Statement:
    """The statement that puts the cells into the regions that are left, with their labels."""
    cells = form.cells
    levels = each(
        form.numbers,
        "MIN({level}) FILTER (WHERE span.quasi = {0:literal}) AS level_{0}",
        level=shown_of(cells, "span", "level"),
    )
    ids = "MIN(own_label.id) FILTER (WHERE span.quasi = {0:literal}) AS own_{0}"
    return statement(
        "recodings/cut_last",
        table=region_table(0),
        cells=CUT_CELL,
        spans=CUT_SPAN,
        own=own_tables(cells),
        rounds=left_regions(rounds),
        alike=average_matched(cells, "span"),
        levels=[*levels, *each(cells.own, ids)],
        names=[*cells.levels, *cells.own_ids],
        columns=[*cells.ids, *cells.values, Markup("row_count")],
    )


def cut_tree_sql(form: CutForm, rounds: int) -> Statement:
    """The statement that makes one tree of the regions that are left and those before them."""
    cells = form.cells
    return statement(
        "recodings/cut_tree",
        table=REGION_TREE,
        labels=REGION_LABEL,
        spans=CUT_SPAN,
        rounds=[
            {"number": number, "cuts": cut_table(number) if number < rounds else _NO_CUT}
            for number in range(rounds + 1)
        ],
        labelled=fragment(
            "recodings/cut_node",
            spans=CUT_SPAN,
            place=CUT_PLACE,
            own=own_tables(cells),
            average=average_columns(cells),
            alike=average_matched(cells, "part"),
            level=common_level(cells.heights, Markup("first"), Markup("last")),
            shown_level=shown_of(cells, "part", "common_level"),
            shown_id=shown_of(cells, "part", "common_id", "own_label.id"),
        ),
    )
