"""Labels of regions' own: ranges and sets of values, written for cuts and read for kept regions.

What a region of cuts holds in a column is a span: the range from its first value to its last, or
the set of its values. It shows that or, where the policy asks for labels of the ladder, the finest
label that has all of it. Spans have a level of their own, so that a region has one level and one id
per column, whatever it shows.
"""

from markupsafe import Markup

from sqlgen.engines.duckdb.catalog import temporary
from sqlgen.recodings.cuts import CUT_PLACE, CUT_SPAN, CutForm, common_level, places_sql
from sqlgen.recodings.regions import OWN_LEVEL, REGION_LABEL, CellForm
from sqlgen.sql.render import (
    Statement,
    disjunction,
    each,
    literal,
    sql,
    statement,
    union_all,
)
from sqlgen.staging.spans import segments_fragment, spelled

OWN_LABEL = temporary("own_label")
OWN_LEAF = temporary("own_leaf")

# A set of more values than these is no help to a reader, and is shown as a range.
MOST_MEMBERS = 100


def own_labels_sql(form: CutForm) -> list[Statement]:
    """The statements that write the labels of regions' own."""
    sets = [number for number in form.numbers if form.shows[number - 1] == "set"]
    shown = [number for number in form.numbers if form.shows[number - 1] != "ladder"]
    own = statement(
        "recodings/own_label",
        table=OWN_LABEL,
        spans=CUT_SPAN,
        place=CUT_PLACE,
        labels=REGION_LABEL,
        is_set=disjunction(each(sets, "quasi = {0:literal}")),
        is_shown=disjunction(each(shown, "spanned.quasi = {0:literal}")),
        own_level=OWN_LEVEL,
        most=MOST_MEMBERS,
        member=spelled(Markup("place.text")),
        first=spelled(Markup("first.text")),
        last=spelled(Markup("last.text")),
    )
    return [own, own_region_labels_sql()]


def own_region_labels_sql() -> Statement:
    """The statement that adds regions' own labels to those of the ladders."""
    return statement(
        "recodings/own_region_label", table=REGION_LABEL, own=OWN_LABEL, own_level=OWN_LEVEL
    )


def kept_labels_sql(form: CellForm, regions: Markup) -> list[Statement]:
    """The statements that read the labels of their own which kept regions have, if they may.

    ``regions`` is a relation of regions with their levels, labels and spans.
    """
    if not form.own:
        return []
    spans = each(
        form.own,
        "SELECT DISTINCT {0} AS quasi, COALESCE(spans[{0}], labels[{0}]) COLLATE C AS label\n"
        "FROM {regions} AS kept\nWHERE levels[{0}] = {own_level}",
        regions=regions,
        own_level=OWN_LEVEL,
    )
    leaves = sql("(SELECT quasi, text, place FROM {place})", place=CUT_PLACE)
    kept = [{"number": number, "regions": regions, "own_level": OWN_LEVEL} for number in form.own]
    own = statement(
        "recodings/own_kept",
        table=OWN_LABEL,
        place=CUT_PLACE,
        kept=kept,
        own_level=OWN_LEVEL,
        segments=segments_fragment(_relation(spans), leaves, ["quasi"]),
        level=common_level(form.heights, Markup("first"), Markup("last")),
    )
    return [places_sql(form), own, own_region_labels_sql()]


def _relation(queries: list[Markup]) -> Markup:
    """The rows of some queries, taken together."""
    return sql("(\n  {queries:nested 2}\n)", queries=union_all(queries))


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
