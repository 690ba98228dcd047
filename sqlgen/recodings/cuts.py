"""Cuts: regions of ordered values, each cut in two round by round, as tables made one from another.

A region is a box of places: the values of a column stand in one order, and a cut comes after one
of them (LeFevre, DeWitt and Ramakrishnan 2006). The same statements decide a plan and build its
release. What a region shows in a column is a label of the ladder or one of its own, see
``own_labels.py``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from markupsafe import Markup

from sqlgen.engines.duckdb.catalog import temporary
from sqlgen.judging.verdict_sql import JudgingInput, fails_by_size_fragment, judges_sizes_alone
from sqlgen.recodings.regions import (
    REGION_CELL,
    CellForm,
    judged_classes,
    rung_table,
)
from sqlgen.search.lattice import Node
from sqlgen.sql.render import Statement, commas, each, fragment, joined, sql, statement
from sqlgen.staging.packing import column_name

CUT_PLACE = temporary("cut_place")
CUT_CELL = temporary("cut_cell")
CUT_LEFT = temporary("cut_left")
CUT_EXTENT = temporary("cut_extent")
CUT_MEMBER = temporary("cut_member")
CUT_AVERAGE = temporary("cut_average")
CUT_SPAN = temporary("cut_span")
CUT_SHOWN = temporary("cut_shown")

# What a region shows in a column: a label of the ladder, or what its values come to.
Shows = Literal["ladder", "range", "set", "mean", "median"]
# What decides between the cuts of a region: the width of the column, or what the cut gains.
CutBy = Literal["width", "objective"]
# What a cut gains: finer labels, or classes that are smaller.
CutGain = Literal["leaves", "sizes"]

_ZERO = Markup("0")


@dataclass(frozen=True)
class CutForm:
    """The form of what is cut: the cells, what columns show, and what a cut gains.

    ``weights`` say how much a finer label counts in each column, ``scales`` how many digits after
    the point a mean has; None of a mean of days.
    """

    cells: CellForm
    ceilings: Node
    shows: tuple[Shows, ...]
    by: CutBy
    gain: CutGain
    weights: tuple[int, ...]
    scales: tuple[int | None, ...]

    @property
    def numbers(self) -> range:
        """The numbers of the columns."""
        return self.cells.numbers

    @property
    def sets(self) -> list[int]:
        """The numbers of the columns that show sets."""
        return [number for number in self.numbers if self.shows[number - 1] == "set"]

    @property
    def apart(self) -> int:
        """The factor by which regions are apart where a region and a column are one key."""
        return len(self.numbers) + 1

    @property
    def places(self) -> list[Markup]:
        """The columns with the place of each quasi-identifier."""
        return each(self.numbers, "place_{}")


def region_cut_table(number: int) -> Markup:
    """The table with the regions that a round cuts; 0 has all cells."""
    return CUT_CELL if not number else temporary(f"cut_region_{number}")


def candidate_table(number: int) -> Markup:
    """The table with the places at which a round may cut regions."""
    return temporary(f"cut_candidate_{number}")


def cut_table(number: int) -> Markup:
    """The table with the cuts of a round."""
    return temporary(f"cut_{number}")


def places_sql(form: CellForm) -> Statement:
    """The statement that orders the values of each column.

    Values are ordered as numbers and dates are, or by their labels: so are numbers, too, where
    labels of the ladder are shown, each label at the place of its first value.
    """
    return places_of_sql(form, CUT_PLACE, {number: rung_table(number) for number in form.numbers})


def places_of_sql(form: CellForm, table: Markup, rungs: Mapping[int, Markup]) -> Statement:
    """The statement that keeps the order of the values of columns, by relations of their labels."""
    parts = [_placed(form, number, values) for number, values in rungs.items()]
    return statement("recodings/cut_place", table=table, parts=parts)


def _placed(form: CellForm, number: int, values: Markup) -> dict[str, object]:
    """A column's values: their order, and their labels from the finest level allowed up."""
    by_value, by_label = number in form.ordered, number in form.by_label
    height, floor = form.heights[number - 1], form.floors[number - 1]
    levels = range(max(form.heights) + 1)
    paths = [f"id_{level}" for level in range(height - 1, floor - 1, -1)] or ["0"]
    # NULL comes first, by its label: a label that other values have, too, has one place.
    is_first = "BOOL_AND(value IS NOT NULL) OVER (PARTITION BY {floor})"
    path = [sql(is_first, floor=Markup(paths[-1])), *each(map(Markup, paths), "{}")]
    if by_value:
        firsts = each(map(Markup, paths), "MIN(id_0) OVER (PARTITION BY {})")
        path = firsts if by_label else [Markup("id_0")]
    return {
        "number": number,
        "table": values,
        "path": commas(path),
        "text": Markup(f"label_{floor}" if floor < height else "CAST(NULL AS VARCHAR)"),
        "leaf": _ZERO if floor == height else Markup(f"id_{floor}"),
        "ids": commas(
            Markup("NULL" if level < floor else f"id_{level}" if level < height else "0")
            for level in levels
        ),
        "sizes": commas(
            sql("COUNT(*) OVER (PARTITION BY {id})", id=Markup(f"id_{level}"))
            if level < height
            else Markup("COUNT(*) OVER ()")
            for level in levels
        ),
    }


def cut_cells_sql(form: CutForm) -> Statement:
    """The statement that gives each cell the places of its values, and its first region."""
    cells = form.cells
    keys = cells.keys(form.ceilings)
    ranked = sql("DENSE_RANK() OVER (ORDER BY {keys})", keys=commas(each(keys, "cell.{} ASC")))
    leaves = [
        _ZERO if floor == height else sql("cell.{id}", id=Markup(column_name(number, floor)))
        for number, floor, height in zip(cells.numbers, cells.floors, cells.heights, strict=True)
    ]
    return statement(
        "recodings/cut_cell",
        table=CUT_CELL,
        cells=REGION_CELL,
        place=CUT_PLACE,
        places=list(zip(cells.numbers, leaves, strict=True)),
        columns=[*cells.ids, *cells.values, Markup("row_count")],
        region=ranked if keys else Markup("1"),
    )


def candidates_sql(
    number: int, form: CutForm, judged: JudgingInput, *, follows: bool = True
) -> Statement:
    """The statement that finds the places at which each region of a round may be cut.

    The regions of a round that ``follows`` another are the sides of its cuts.
    """
    ends = (
        ("first_place", "first"),
        ("last_place", "last"),
        ("place", "below"),
        ("next_place", "above"),
    )
    fails = fails_by_size_fragment(judged.guarantees)
    return statement(
        "recodings/cut_candidate",
        table=candidate_table(number),
        boundaries=fragment(
            "recodings/cut_boundary",
            columns=_columns_of_regions(number, form, fails, follows=follows),
            fails=fails,
            apart=form.apart,
        ),
        place=CUT_PLACE,
        joins=[(Markup(f"{alias}_end"), Markup(column)) for column, alias in ends]
        if "ladder" in form.shows
        else [(Markup("first_end"), Markup("first_place"))],
        column_leaves=Markup("first_end.column_leaves"),
        covers=_covered(form),
        gain=_gain(form),
        # Beside the cut of most gain the one nearest the median; where gains decide, the best of
        # each eighth of the rows: more to choose from costs the widest column its order.
        part=Markup("0" if form.by == "width" else "(8 * rows_below) // rows_here"),
        first=Markup("0" if form.by == "width" else "gain"),
        is_judged=not judges_sizes_alone(judged.guarantees),
    )


def _columns_of_regions(number: int, form: CutForm, fails: Markup, *, follows: bool) -> Markup:
    """An expression ``column_cell``: the cells of a round's regions, column by column."""
    before = None
    if number and follows:
        before = {"cuts": cut_table(number - 1), "candidates": candidate_table(number - 1)}
    return fragment(
        "recodings/cut_column",
        regions=region_cut_table(number),
        numbers=form.numbers,
        fails=fails,
        apart=form.apart,
        before=before,
    )


def _covered(form: CutForm) -> list[tuple[Markup, Markup]]:
    """How many values the labels of a region and of its two sides cover, column by column."""
    here, below, above = (
        sql("sized.{upper} - sized.{lower} + 1", upper=Markup(upper), lower=Markup(lower))
        for lower, upper in (
            ("first_place", "last_place"),
            ("first_place", "place"),
            ("next_place", "last_place"),
        )
    )
    counts = "places_here", "places_below", "places_here - places_below"
    ends = {
        "leaves_here": ("first_end", "last_end", here, Markup(counts[0])),
        "leaves_below": ("first_end", "below_end", below, Markup(counts[1])),
        "leaves_above": ("above_end", "last_end", above, Markup(counts[2])),
    }
    return [
        (Markup(name), _by_column(form, lower, upper, {"range": between, "set": counted}))
        for name, (lower, upper, between, counted) in ends.items()
    ]


def _by_column(form: CutForm, lower: str, upper: str, own: Mapping[str, Markup]) -> Markup:
    """How many values a label covers, by what columns show."""
    whens = [
        (
            number,
            covered_by_ladder(form.cells, number, Markup(lower), Markup(upper))
            if shows == "ladder"
            else own["set" if shows == "set" else "range"],
        )
        for number, shows in zip(form.numbers, form.shows, strict=True)
    ]
    return sql(
        "CASE sized.quasi {whens} END", whens=joined(each(whens, "WHEN {0:literal} THEN {1}"), " ")
    )


def common_level(heights: Sequence[int], lower: Markup, upper: Markup) -> Markup:
    """The finest level at which two places have one label, whatever the column."""
    whens = each(
        range(max(heights) + 1),
        "WHEN {lower}.ids[{n}] = {upper}.ids[{n}] THEN {0:literal}",
        lower=lower,
        upper=upper,
    )
    return sql("CASE {whens} END", whens=joined(whens, " "))


def covered_by_ladder(form: CellForm, number: int, lower: Markup, upper: Markup) -> Markup:
    """How many values the finest label covers that two places of a column share."""
    whens = each(
        range(form.floors[number - 1], form.heights[number - 1] + 1),
        "WHEN {lower}.ids[{0:literal} + 1] = {upper}.ids[{0:literal} + 1] "
        "THEN {lower}.sizes[{0:literal} + 1]",
        lower=lower,
        upper=upper,
    )
    return sql("CASE {whens} END", whens=joined(whens, " "))


def _gain(form: CutForm) -> Markup:
    """What a cut gains: smaller classes, or rows with labels that cover less."""
    if form.gain == "sizes":
        return Markup("2 * CAST(rows_below AS HUGEINT) * (rows_here - rows_below)")
    return sql(
        "(CAST(rows_below AS HUGEINT) * (leaves_here - leaves_below) + CAST(rows_here - rows_below "
        "AS HUGEINT) * (leaves_here - leaves_above)) * CASE quasi {weights} END",
        weights=joined(each(form.weights, "WHEN {n} THEN {0:literal}"), " "),
    )


def cut_sql(number: int, form: CutForm, judged: JudgingInput) -> Statement:
    """The statement that chooses the cut of each region; both of its sides give every guarantee."""
    by_sizes = judges_sizes_alone(judged.guarantees)
    return statement(
        "recodings/cut",
        table=cut_table(number),
        candidates=candidate_table(number),
        judged=None if by_sizes else judged_sides(number, form, judged),
        by=Markup("width" if form.by == "width" else "gain"),
    )


def judged_sides(number: int, form: CutForm, judged: JudgingInput) -> dict[str, Markup]:
    """Both sides of every candidate as classes, and the query that judges them."""
    sides = fragment(
        "recodings/cut_side",
        regions=region_cut_table(number),
        candidates=candidate_table(number),
        numbers=form.numbers,
        values=form.cells.values,
    )
    keys = [Markup(key) for key in ("region", "quasi", "place", "is_below")]
    return judged_classes(sides, keys, judged)


def cut_regions_sql(number: int, form: CutForm) -> Statement:
    """The statement that makes the regions that a round's cuts give."""
    return statement(
        "recodings/cut_region",
        table=region_cut_table(number + 1),
        regions=region_cut_table(number),
        cuts=cut_table(number),
        numbers=form.numbers,
        values=form.cells.values,
    )
