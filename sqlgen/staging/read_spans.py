"""The ranges and sets of values that a finished table shows, with the leaves that they stand for.

They are read only where a table shows labels that no level has: whatever a level has means what the
hierarchy says.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation, temporary
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.sql.render import command, each, fragment, sql, statement
from sqlgen.staging.people import is_float, label_text_fragment
from sqlgen.staging.spans import (
    leaves_fragment,
    segments_fragment,
    spanned_fragment,
    value_order,
)

PLACE = temporary("shown_place")
SPAN = temporary("shown_span")
SPAN_LABEL = temporary("shown_span_label")


@dataclass(frozen=True)
class SpanCounts:
    """How many ranges and sets a table shows in a column.

    ``overfull`` are in more rows than the source has of their values.
    """

    spans: int = 0
    overfull: int = 0


def read_spans(
    engine: Engine, ladders: Mapping[int, Ladder], leaves: Markup, labels: Markup
) -> dict[int, SpanCounts]:
    """The ranges and sets among the labels of some columns, staged and counted, by their numbers.

    ``leaves`` and ``labels`` are those that staging/read_back stages. Without ladders, nothing is
    staged.
    """
    if not ladders:
        return {}
    columns = [
        {"number": number, "order": _order(number, ladder)} for number, ladder in ladders.items()
    ]
    unknown = fragment("metrics/shown_unknown", labels=labels, leaves=leaves, columns=columns)
    segments = segments_fragment(unknown, PLACE, ["number"])
    engine.run(statement("metrics/shown_place", table=PLACE, leaves=leaves, columns=columns))
    engine.run(statement("metrics/shown_span", table=SPAN, segments=segments))
    engine.run(
        statement(
            "metrics/shown_span_label", table=SPAN_LABEL, spans=SPAN, places=PLACE, labels=labels
        )
    )
    rows = engine.rows(statement("metrics/shown_spans", spans=SPAN_LABEL))
    return {number: SpanCounts(spans, overfull) for number, spans, overfull in rows}


@dataclass(frozen=True)
class SpanValues:
    """The ranges and sets that a table shows in a column: how many, and the values they hold.

    ``relation`` has each ``value`` with the ``label`` that holds it.
    """

    labels: int
    relation: Markup


def read_span_values(
    engine: Engine, number: int, ladder: Ladder, values: Markup, table: Relation
) -> SpanValues:
    """The ranges and sets that a table shows in the column of a ladder, staged by a number.

    ``values`` is a relation of what the labels may stand for.
    """
    called = table.column(ladder.column.name).shown("released")
    leaves = Markup("held_leaf")
    unknown = sql(
        "(SELECT {called} AS label FROM {table} AS released "
        "EXCEPT SELECT UNNEST(labels) AS label FROM {leaves})",
        called=label_text_fragment(called, is_float=is_float(ladder)),
        table=table.sql,
        leaves=leaves,
    )
    staged = temporary(f"shown_span_value_{number}")
    engine.run(
        statement(
            "staging/span_values",
            staged=staged,
            leaves=leaves_fragment(ladder, values),
            spanned=spanned_fragment(unknown, leaves),
        )
    )
    counting = "SELECT COUNT(DISTINCT label) AS label_count\nFROM {staged}"
    counted = command("staging/span_value_counts", counting, staged=staged)
    return SpanValues(engine.rows(counted)[0][0], staged)


def span_names(number: int) -> Markup:
    """A query for the ranges and sets that a column shows, with what each stands for."""
    return sql(
        "SELECT label, level, leaves, log_leaves, log_rows\nFROM {spans}\nWHERE number = {number}",
        spans=SPAN_LABEL,
        number=number,
    )


def span_share(number: int, condition: Markup) -> Markup:
    """A relation: the share of the leaves of each range or set of a column that meets a condition.

    The condition is over ``value``.
    """
    return fragment(
        "metrics/span_share", spans=SPAN, places=PLACE, number=number, condition=condition
    )


def _order(number: int, ladder: Ladder) -> list[Markup]:
    """The expressions that order a column's leaves as they are staged."""
    if not ladder.column.is_text:
        return value_order(ladder, [Markup(f"value_{number:d}")])
    return value_order(ladder, each(range(1, ladder.height + 1), "labels[{}]"))
