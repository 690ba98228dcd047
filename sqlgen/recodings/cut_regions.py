"""The regions that cuts leave: what each spans and shows, as cells and as a tree of regions.

What a region shows in a column is the finest label of the ladder that has all of it or, where the
policy asks for ranges or sets, a label of its own, see ``own_labels.py``.
"""

from markupsafe import Markup

from sqlgen.recodings.cuts import (
    CUT_AVERAGE,
    CUT_CELL,
    CUT_EXTENT,
    CUT_LEFT,
    CUT_MEMBER,
    CUT_PLACE,
    CUT_SHOWN,
    CUT_SPAN,
    CutForm,
    common_level,
    cut_table,
    region_cut_table,
)
from sqlgen.recodings.kept_regions import REGION_TREE
from sqlgen.recodings.own_labels import MOST_MEMBERS, own_tables, shown_of
from sqlgen.recodings.regions import REGION_LABEL, region_table
from sqlgen.sql.render import Statement, commas, fragment, sql, statement


def left_sql(form: CutForm, rounds: int) -> Statement:
    """The statement that gathers the cells of the regions that are left after so many rounds."""
    return statement(
        "recodings/cut_left",
        table=CUT_LEFT,
        rounds=[
            {**_left(number, rounds), "places": commas(form.places)} for number in range(rounds + 1)
        ],
    )


def _left(number: int, rounds: int) -> dict[str, object]:
    """A round: its regions, and which of them are left; all of the last one's are."""
    cut = "region NOT IN (SELECT region FROM {cuts})"
    is_left = Markup("TRUE") if number == rounds else sql(cut, cuts=cut_table(number))
    return {"number": number, "table": region_cut_table(number), "is_left": is_left}


def extents_sql(form: CutForm) -> list[Statement]:
    """The statements that say what each region has that is left: its ends, and sets of values."""
    extents = statement(
        "recodings/cut_extent", table=CUT_EXTENT, left=CUT_LEFT, numbers=form.numbers
    )
    members = statement(
        "recodings/cut_member",
        table=CUT_MEMBER,
        left=CUT_LEFT,
        extents=CUT_EXTENT,
        sets=form.sets,
        apart=form.apart,
        most=MOST_MEMBERS,
    )
    return [extents, members] if form.sets else [extents]


def spans_sql(form: CutForm) -> Statement:
    """The statement that lists what regions span that are left, each span once."""
    return statement(
        "recodings/cut_span",
        table=CUT_SPAN,
        extents=CUT_EXTENT,
        members=[CUT_MEMBER] if form.sets else [],
        averages=[CUT_AVERAGE] if form.cells.averaged else [],
        numbers=form.numbers,
        place=CUT_PLACE,
        level=common_level(form.cells.heights, Markup("first"), Markup("last")),
    )


def shown_spans_sql(form: CutForm) -> Statement:
    """The statement that says what each region that is left shows, once labels are written."""
    return statement(
        "recodings/cut_shown",
        table=CUT_SHOWN,
        extents=CUT_EXTENT,
        spans=CUT_SPAN,
        own=own_tables(form.cells),
        shown_level=shown_of(form.cells, "span", "level"),
        own_id=Markup("own_label.id"),
        columns=[
            {"number": number, "parts": _parts(form, number), "is_alike": _alike(form, number)}
            for number in form.numbers
        ],
    )


def _parts(form: CutForm, number: int) -> Markup:
    """The join of what tells spans of a column apart that have the same ends, where it shows it."""
    pattern = "LEFT JOIN {table} AS part_{n}\n"
    pattern += "  ON part_{n}.region = extent.region AND part_{n}.quasi = {n}\n"
    if number in form.sets:
        return sql(pattern, table=CUT_MEMBER, n=number)
    if number in form.cells.averaged:
        return sql(pattern, table=CUT_AVERAGE, n=number)
    return Markup("")


def _alike(form: CutForm, number: int) -> Markup:
    """The condition that a span with a region's ends is that of the region."""
    if number not in (*form.sets, *form.cells.averaged):
        return Markup("")
    column = Markup("members" if number in form.sets else "average")
    pattern = "\n  AND named_{n}.{column} IS NOT DISTINCT FROM part_{n}.{column}"
    return sql(pattern, n=number, column=column)


def left_cells_sql(form: CutForm, rounds: int) -> Statement:
    """The statement that gives the regions that are left to a round more."""
    return statement(
        "recodings/cut_again",
        table=region_cut_table(rounds + 1),
        cells=CUT_CELL,
        left=CUT_LEFT,
        places=form.places,
        values=form.cells.values,
    )


def last_regions_sql(form: CutForm) -> Statement:
    """The statement that puts the cells into the regions that are left, with their labels."""
    cells = form.cells
    return statement(
        "recodings/cut_last",
        table=region_table(0),
        cells=CUT_CELL,
        left=CUT_LEFT,
        shown=CUT_SHOWN,
        names=[*cells.levels, *cells.own_ids],
        columns=[*cells.ids, *cells.values, Markup("row_count")],
    )


def cut_tree_sql(form: CutForm, rounds: int) -> Statement:
    """The statement that makes one tree of the regions that are left and those before them."""
    cells = form.cells
    return statement(
        "recodings/cut_tree",
        table=REGION_TREE,
        numbers=form.numbers,
        nodes=fragment(
            "recodings/cut_node",
            shown=CUT_SHOWN,
            numbers=form.numbers,
            last=rounds,
            rounds=[
                {"number": number, "cuts": cut_table(number) if number < rounds else _NO_CUT}
                for number in range(rounds + 1)
            ],
        ),
        names=fragment(
            "recodings/cut_name",
            numbers=form.numbers,
            place=CUT_PLACE,
            labels=REGION_LABEL,
            own=own_tables(cells),
            level=common_level(cells.heights, Markup("first"), Markup("last")),
            shown_level=shown_of(cells, "common", "common_level"),
            shown_id=shown_of(cells, "common", "common_id", "own_label.id"),
        ),
    )


_NO_CUT = Markup("(SELECT CAST(NULL AS BIGINT) AS region, CAST(NULL AS BIGINT) AS number) AS none")
