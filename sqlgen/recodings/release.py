"""The query whose rows are a release, out of rows whose labels are known, whatever the recoding.

Classes that fail a guarantee are left out, no row number is kept, and the order is a function of
the released content alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from sqlgen.engines.duckdb.catalog import Relation, unused_name
from sqlgen.judging.verdict_sql import (
    fails_by_size_fragment,
    judges_sizes_alone,
    rounds_sql,
    verdict_sql,
)
from sqlgen.policy import Policy, Role
from sqlgen.sql.render import fragment, ident
from sqlgen.sql.types import Column
from sqlgen.staging.people import Key
from sqlgen.staging.sensitive import Sensitive


@dataclass(frozen=True)
class LabelledColumn:
    """A quasi-identifier of the release: its label's ``id`` and ``label`` over a joined row.

    ``names`` is a relation of ids with labels, ``is_kept`` where rows of them may be released.
    ``key`` is what its classes are matched with people by.
    """

    number: int
    name: str
    id: Markup
    label: Markup
    names: Markup
    key: Key

    @property
    def alias(self) -> Markup:
        """The column's name in the release's query."""
        return Markup(f"q{self.number}")


@dataclass(frozen=True)
class ReleasedLabels:
    """The quasi-identifiers of a release, and the joins to a source's row that label them."""

    columns: Sequence[LabelledColumn]
    joins: Sequence[Markup]


def label_join(labels: Markup, alias: Markup, value: Markup) -> Markup:
    """The join that labels one quasi-identifier of a source's row."""
    return fragment("recodings/label_join", labels=labels, alias=alias, value=value)


def release_sql(
    labels: ReleasedLabels,
    source: Relation,
    policy: Policy,
    sensitive: Sensitive,
    rounds: int,
) -> Markup:
    """The query that gives the release's rows, in the table's column order.

    Without columns of the role other the release is a function of its cells, which are counted,
    sorted and expanded (1.8 s for 10 M rows, against 5.8 s for sorting the rows themselves).
    Classes are suppressed in so many rounds, where suppression moves what they are judged by.
    """
    by_name = {column.name: column for column in labels.columns}
    roles = {name: column.role for name, column in policy.columns.items()}
    kept = [each for each in source.columns if roles[each.name] in (Role.SENSITIVE, Role.OTHER)]
    from_rows = any(roles[column.name] is Role.OTHER for column in kept)
    numbers = {column.name: number for number, column in enumerate(kept, 1)}
    shown = {
        name: _labelled(by_name[name], from_rows)
        if name in by_name
        else _kept(source.column(name), numbers[name], from_rows)
        for name in source.names
        if name in by_name or name in numbers
    }
    # Partition after partition: only then does each of many come in one file.
    first = policy.release.partition_by if policy.release is not None else ()
    by_turns = (*first, *(name for name in shown if name not in first))
    by_size = judges_sizes_alone(policy.guarantees)
    # A column of persons is counted with the cells, and left behind there.
    counted = [column for column in sensitive.columns if column.name not in numbers]
    numbers |= {column.name: len(kept) + number for number, column in enumerate(counted, 1)}
    plains = [Markup(f"kept_{numbers[column.name]}") for column in sensitive.columns]
    plain = [form for column in kept for form in _forms(column, numbers[column.name])] + [
        _forms(column, numbers[column.name])[0] for column in counted
    ]
    columns = [*_labelled_cells(labels, from_rows), *plain]
    masked = _masked(kept, numbers, policy, sensitive) & {alias for alias, _ in plain}
    aliases = [
        *(alias for alias, _ in columns if alias not in masked),
        Markup("class_size" if from_rows else "row_count"),
    ]
    return fragment(
        "recodings/release_from_rows" if from_rows else "recodings/release_from_cells",
        source=source.sql,
        recodings=labels.columns,
        joins=labels.joins,
        columns=columns,
        cell_columns=[*(column.alias for column in labels.columns), *plains],
        kept=aliases if masked else [Markup("*")],
        masked=[alias for alias, _ in plain if alias in masked],
        fails=fails_by_size_fragment(policy.guarantees if by_size else ()),
        judged=None if by_size else _judged(labels, policy, sensitive, plains, rounds),
        released=list(shown.values()),
        order=[expression for name in by_turns for expression in shown[name]["order"]],
        copies=ident(unused_name(source.names, "copies")),
        copy=ident(unused_name(source.names, "copy")),
    )


def _labelled_cells(labels: ReleasedLabels, from_rows: bool) -> list[tuple[Markup, Markup]]:
    """The quasi-identifiers of a row: ids of labels and, where rows are released, labels."""
    columns: list[tuple[Markup, Markup]] = []
    for column in labels.columns:
        columns.append((column.alias, column.id))
        if from_rows:
            columns.append((Markup(f"label_{column.number:d}"), column.label))
    return columns


def _forms(column: Column, number: int) -> list[tuple[Markup, Markup]]:
    """A column that is kept as it is: as it compares and, where that tells less, as it looks."""
    forms = [
        (Markup(f"kept_{number:d}"), column.plain("source")),
        (Markup(f"shown_{number:d}"), column.shown("source")),
    ]
    return forms[: 1 if column.compares_as_read else 2]


def _masked(
    kept: Sequence[Column], numbers: Mapping[str, int], policy: Policy, sensitive: Sensitive
) -> set[Markup]:
    """The forms of sensitive columns that classes may have to be released without."""
    if not sensitive.masks_sensitive:
        return set()
    return {
        Markup(f"{form}_{numbers[column.name]:d}")
        for column in kept
        if policy.columns[column.name].role is Role.SENSITIVE
        for form in ("kept", "shown")
    }


def _judged(
    labels: ReleasedLabels,
    policy: Policy,
    sensitive: Sensitive,
    plains: Sequence[Markup],
    rounds: int,
) -> Markup:
    keys = [column.key for column in labels.columns]
    judged = sensitive.judged(policy.guarantees, keys)
    return fragment(
        "recodings/judged_cells",
        classes=sensitive.judged_sql(
            judged,
            Markup("cell"),
            plains,
            keys,
            fails_by_size_fragment(policy.guarantees),
        ),
        rounds=rounds_sql(judged, rounds),
        verdict=verdict_sql(judged, rounds),
        masked=[Markup("verdict.masks_sensitive")] if judged.masks_sensitive else [],
        gone=Markup("drops" if judged.masks_sensitive else "fails"),
    )


def persons_relation(
    labels: ReleasedLabels, source: Relation, release: Markup, units: Sequence[str]
) -> Relation:
    """The persons behind the classes of a release: the number of the class, and their columns."""
    number = unused_name(source.names, "class_id")
    sql = fragment(
        "recodings/persons",
        recodings=labels.columns,
        joins=labels.joins,
        source=source.sql,
        release=release,
        class_id=ident(number),
        units=[{"name": unit, "plain": source.column(unit).plain("source")} for unit in units],
    )
    columns = (Column(number, "BIGINT"), *(source.column(unit) for unit in units))
    return Relation(sql, "query", columns)


def _labelled(column: LabelledColumn, from_rows: bool) -> dict[str, Any]:
    sized = "sized_row" if from_rows else "sized_cell"
    label = f"sized_row.label_{column.number}" if from_rows else f"named_{column.alias}.label"
    return {
        "name": ident(column.name),
        "value": Markup(label),
        "order": [Markup(f"{sized}.{column.alias}")],
    }


def _kept(column: Column, number: int, from_rows: bool) -> dict[str, Any]:
    """A column released as it is; equal values that look different are ordered by their look."""
    sized = "sized_row" if from_rows else "sized_cell"
    order = [Markup(f"{sized}.kept_{number}"), Markup(f"{sized}.shown_{number}")]
    return {
        "name": ident(column.name),
        "value": order[0],
        "order": order[: 1 if column.compares_as_read else 2],
    }
