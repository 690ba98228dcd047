"""Labels of regions' own: ranges and sets of values, written for cuts and read for kept regions.

What a region of cuts holds in a column is a span: the range from its first value to its last, or
the set of its values. It shows that or, where the policy asks for labels of the ladder, the finest
label that has all of it, or the mean or median of its rows: ``mean of [23, 31]`` is the span then.
Spans have a level of their own, so that a region has one level and one id per column, whatever it
shows.
"""

from collections.abc import Sequence

from markupsafe import Markup

from sqlgen.engines.duckdb.catalog import temporary
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.recodings.cuts import (
    CUT_PLACE,
    CUT_SPAN,
    CutForm,
    common_level,
    places_of_sql,
    places_sql,
)
from sqlgen.recodings.regions import (
    OWN_LEVEL,
    REGION_LABEL,
    CellForm,
    labelled_query,
    rung_table,
)
from sqlgen.sql.render import (
    Statement,
    commas,
    disjunction,
    each,
    fragment,
    joined,
    literal,
    sql,
    statement,
)
from sqlgen.staging.spans import NAME_IN_SPAN, segments_fragment, spelled

OWN_LABEL = temporary("own_label")
OWN_LEAF = temporary("own_leaf")
OWN_SPAN = temporary("own_span")
KEPT_PLACE = temporary("kept_place")
# The tables with which labels of kept regions are read.
READ_TABLES = (CUT_PLACE, OWN_LABEL, OWN_SPAN, KEPT_PLACE)

# The range or the set that a span names: what a mean is of, or the span as it is.
_NAMED = Markup("REGEXP_REPLACE(span, '^(mean|median) of ', '')")
# A set of more values than these is no help to a reader, and is shown as a range.
MOST_MEMBERS = 100


def own_labels_sql(form: CutForm) -> list[Statement]:
    """The statements that write the labels of regions' own."""
    shown = [number for number in form.numbers if form.shows[number - 1] != "ladder"]
    average = [Markup("average")] if form.cells.averaged else []
    own = statement(
        "recodings/own_label",
        table=OWN_LABEL,
        spans=CUT_SPAN,
        place=CUT_PLACE,
        labels=REGION_LABEL,
        is_shown=disjunction(each(shown, "spanned.quasi = {0:literal}")),
        own_level=OWN_LEVEL,
        member=spelled(Markup("place.text")),
        first=spelled(Markup("first.text")),
        last=spelled(Markup("last.text")),
        average=average,
        before=_averages_of(form),
        shown=_shown_label(form),
    )
    return [own, own_region_labels_sql()]


def _averages_of(form: CutForm) -> Markup:
    """What stands before the range that a mean or a median is of, in the name of a span."""
    if not form.cells.averaged:
        return Markup("")
    words = [(number, f"{form.shows[number - 1]} of ") for number in form.cells.averaged]
    whens = joined(each(words, "WHEN {0:literal} THEN {1:literal}"), " ")
    return sql("CASE own_span.quasi {whens} ELSE '' END || ", whens=whens)


def _shown_label(form: CutForm) -> Markup:
    """A region's label of its own, as it is shown."""
    if not form.cells.averaged:
        return Markup("spanned.span")
    numbers = commas(map(literal, form.cells.averaged))
    pattern = "CASE WHEN spanned.quasi IN ({numbers}) THEN spanned.average ELSE spanned.span END"
    return sql(pattern, numbers=numbers)


def own_region_labels_sql() -> Statement:
    """The statement that adds regions' own labels to those of the ladders."""
    return statement(
        "recodings/own_region_label", table=REGION_LABEL, own=OWN_LABEL, own_level=OWN_LEVEL
    )


def kept_labels_sql(form: CellForm, ladders: Sequence[Ladder], regions: Markup) -> list[Statement]:
    """The statements that read the labels of their own which kept regions have, if they may.

    ``regions`` is a relation of regions with their levels, labels and spans. A range begins and
    ends where its ends would stand among the values of today, whether somebody has them or not.
    """
    if not form.own:
        return []
    kept = [{"number": number, "regions": regions, "level": OWN_LEVEL} for number in form.own]
    spans = statement("recodings/own_span", table=OWN_SPAN, kept=kept, named=_NAMED)
    with_ends = {
        number: _with_ends(number, ladder) if not floor else rung_table(number)
        for number, ladder, floor in zip(form.numbers, ladders, form.floors, strict=True)
    }
    leaves = sql("(SELECT quasi, text, place FROM {place})", place=KEPT_PLACE)
    named = sql("(SELECT DISTINCT quasi, named AS label FROM {spans})", spans=OWN_SPAN)
    own = statement(
        "recodings/own_kept",
        table=OWN_LABEL,
        spans=OWN_SPAN,
        place=CUT_PLACE,
        kept_place=KEPT_PLACE,
        own_level=OWN_LEVEL,
        segments=segments_fragment(named, leaves, ["quasi"]),
        level=common_level(form.heights, Markup("first"), Markup("last")),
    )
    places = places_of_sql(form, KEPT_PLACE, with_ends)
    return [places_sql(form), spans, places, own, own_region_labels_sql()]


def _with_ends(number: int, ladder: Ladder) -> Markup:
    """A relation: the values of a column and those that kept regions name, with their labels."""
    values = fragment(
        "recodings/own_end",
        number=number,
        column=ladder.column.name,
        type=ladder.value_type,
        rungs=rung_table(number),
        spans=OWN_SPAN,
        name=NAME_IN_SPAN,
    )
    is_labelled = Markup("missing_level IS NULL" if ladder.uncovered == "error" else "TRUE")
    return sql(
        "(\n  SELECT *\n  FROM (\n    {labelled:nested 4}\n  ) AS labelled_end\n  "
        "WHERE {is_labelled}\n)",
        labelled=labelled_query(ladder, values),
        is_labelled=is_labelled,
    )


def own_leaves_sql() -> Statement:
    """The statement that says which values labels of regions' own stand for."""
    return statement("recodings/own_leaf", table=OWN_LEAF, own=OWN_LABEL, place=CUT_PLACE)


def own_tables(form: CellForm) -> list[Markup]:
    """The table of regions' own labels, where there may be some."""
    return [OWN_LABEL] if form.own else []


def shown_of(form: CellForm, span: str, plain: str, own: str = "") -> Markup:
    """What a region shows in a span: of its own label, where it has one, or of the ladder's."""
    if not form.own:
        return Markup(f"{span}.{plain}")
    return sql(
        "CASE WHEN own_label.id IS NOT NULL THEN {own} ELSE {span}.{plain} END",
        own=Markup(own) if own else literal(OWN_LEVEL),
        span=Markup(span),
        plain=Markup(plain),
    )
