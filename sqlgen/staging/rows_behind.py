"""The rows of a source that a release was made of, told by the labels of its classes alone."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from sqlgen.engines.duckdb.catalog import Relation, unused_name
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.sql.render import Statement, command, fragment, ident, sql, statement
from sqlgen.sql.types import Column
from sqlgen.staging.people import (
    ShownLevels,
    is_float,
    label_text_fragment,
    labels_fragment,
    steps_fragment,
    with_spans,
)


@dataclass(frozen=True)
class RowsBehind:
    """The rows of the source behind the classes of a release.

    In ``relation`` each has the number of its class in the first column, and the labels of the
    class. Where a row may be behind
    several classes, ``row_id`` names the column that numbers rows by their values.
    """

    relation: Relation
    row_id: str | None


def rows_behind(
    source: Relation,
    ladders: Sequence[Ladder],
    release: Relation,
    quasi: Sequence[Column],
    kept: Sequence[str],
    shown: ShownLevels,
) -> RowsBehind:
    """The rows of the source behind the classes of a release, with some columns as they are."""
    by_name = {ladder.column.name: ladder for ladder in ladders}
    taken = (*source.names, *(column.name for column in quasi))
    number, row_id = unused_name(taken, "class_id"), unused_name(taken, "row_id")
    is_several = any(column.name not in shown.levels for column in quasi)
    if is_several:
        # Few labels first: rows are held against the labels of all columns up to one.
        quasi = sorted(quasi, key=lambda column: shown.labels.get(column.name, 0))
    labels = [
        with_spans(
            labels_fragment(
                by_name[column.name],
                _values_of(place, column.name) if is_several else source.sql,
                [shown.levels[column.name]] if column.name in shown.levels else None,
            ),
            shown.spans.get(column.name),
        )
        for place, column in enumerate(quasi, 1)
    ]
    names = [
        {
            "name": column.name,
            "labels": labels[place],
            "plain": source.column(column.name).plain("source"),
            "called": label_text_fragment(
                column.shown("released"), is_float=is_float(by_name[column.name])
            ),
        }
        for place, column in enumerate(quasi)
    ]
    parts = {
        "source": source.sql,
        "release": release.sql,
        "class_id": ident(number),
        "names": names,
        "kept": [{"name": name, "plain": source.column(name).plain("source")} for name in kept],
    }
    if is_several:
        steps = steps_fragment(Markup("released_class"), Markup("value_row"), labels)
        query = fragment(
            "staging/people_behind_several", steps=steps, row_id=ident(row_id), **parts
        )
    else:
        query = fragment("staging/people_behind", **parts)
    columns = (
        Column(number, "BIGINT"),
        *(Column(column.name, "VARCHAR") for column in quasi),
        *(source.column(name) for name in kept),
    )
    return RowsBehind(Relation(query, "query", columns), row_id if is_several else None)


def _values_of(place: int, name: str) -> Markup:
    """A relation: the values of one column of the rows that are matched with classes."""
    pattern = "(SELECT value_{place} AS {name:ident} FROM value_row)"
    return sql(pattern, place=place, name=name)


def unlike_sql(
    release: Relation,
    quasi: Sequence[Column],
    kept: Sequence[Column],
    behind: Relation,
    floats: Collection[str],
) -> Statement:
    """The statement that counts the combinations that have another number of rows behind them.

    ``floats`` are the quasi-identifiers of which the source has floating-point numbers.
    """
    return statement(
        "staging/people_unlike",
        release=release.sql,
        behind=behind.sql,
        keys=[
            {
                "released": label_text_fragment(
                    column.shown("released"), is_float=column.name in floats
                ),
                "behind": behind.column(column.name).plain("behind"),
            }
            for column in quasi
        ]
        + [
            {
                "released": column.plain("released"),
                "behind": behind.column(column.name).plain("behind"),
            }
            for column in kept
        ],
    )


def doubtful_rows_statement(behind: Relation, row_id: str) -> Statement:
    """The statement that counts the combinations of values that are behind several classes."""
    return command(
        "staging/doubtful_rows",
        "SELECT COUNT(*) - COUNT(DISTINCT row_id) AS doubtful_rows\n"
        "FROM (\n  SELECT DISTINCT {row_id:ident} AS row_id, {class_id:ident} AS class_id\n"
        "  FROM {behind:nested 2} AS behind\n) AS fitting",
        behind=behind.sql,
        row_id=row_id,
        class_id=behind.columns[0].name,
    )
