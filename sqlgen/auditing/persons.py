"""Who is behind a table that shows no persons: its labels read back, and its source counted."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation
from sqlgen.errors import PolicyError, SqlgenError
from sqlgen.guarantees import Guarantee
from sqlgen.measuring.purposes import Purpose, measuring
from sqlgen.measuring.tables import GuaranteeResult, ShownTable, audit_sql, read_measured
from sqlgen.policy import Policy, Role
from sqlgen.sql.types import Column
from sqlgen.staging.job import Job
from sqlgen.staging.ladders import read_ladder, read_ladders
from sqlgen.staging.people import ShownLevels, is_float, united
from sqlgen.staging.read_back import read_shown_labels
from sqlgen.staging.read_spans import read_span_values
from sqlgen.staging.rows_behind import doubtful_rows_statement, rows_behind, unlike_sql
from sqlgen.staging.sensitive import read_sensitive
from sqlgen.staging.source import find_source, is_frame

SEVERAL_CLASSES = "rows of the source fit several classes, so it cannot be told who is behind each"


def source_if_any(engine: Engine, job: Job) -> Relation | None:
    """The policy's source, where it can be read beside the table that is audited.

    One that is released in place is that table, or will be.
    """
    if is_frame(job.given) or job.policy.in_place is not None:
        return None
    try:
        return find_source(engine, job.policy, job.given, job.window)
    except SqlgenError:
        return None


def read_levels(
    engine: Engine,
    policy: Policy,
    table: Relation,
    quasi: Sequence[Column],
    holders: Sequence[Relation],
    source: Relation | None,
) -> ShownLevels:
    """How a table's labels are read, as far as they tell.

    A column is at the finest level that has all its labels; one without such a level was recoded
    locally, and its labels are read at every level, and as ranges and sets. ``holders`` have the
    values that the labels may stand for.
    """
    levels, spans, labels = {}, {}, {}
    for number, column in enumerate(quasi, 1):
        known = [
            holder for holder in (*holders, *([source] if source else [])) if _has(holder, column)
        ]
        if not known:
            continue
        ladder = read_ladder(engine, policy, known[-1], column.name)
        held = united(ladder, [relation.sql for relation in known])
        shown = read_shown_labels(engine, ladder, held, table, range(ladder.height + 1))
        read = read_span_values(engine, number, ladder, held, table) if shown.unknown else None
        unknown = shown.unknown - (read.labels if read else 0)
        if unknown and (source is not None or policy.is_listed(column.name)):
            raise PolicyError(
                f"{policy.where('columns', column.name, 'hierarchy')}: the table shows "
                f"{unknown} labels of {column.name} that no level has, so nobody can be "
                "matched with them"
            )
        labels[column.name] = shown.labels
        if shown.finest is not None:
            levels[column.name] = shown.finest
        if read and read.labels:
            spans[column.name] = read.relation
    return ShownLevels(levels, spans, labels)


def _has(relation: Relation, column: Column) -> bool:
    return column.name in relation.names


@dataclass(frozen=True)
class PersonsBehind:
    """The guarantees of a release by persons; or why they were not counted."""

    results: tuple[GuaranteeResult, ...] = ()
    not_counted: str = ""


def count_persons(
    engine: Engine,
    policy: Policy,
    table: ShownTable,
    guarantees: Sequence[Guarantee],
    source: Relation | None,
) -> PersonsBehind:
    """The guarantees of a release by persons, counted in the source; none where it has changed.

    Behind each class must be as many rows as it has, with the same other columns: else the source
    has changed. Where labels overlap, a row of the source may fit several classes, and nobody can
    tell whose persons it counts among.
    """
    release, quasi = table.relation, table.quasi
    units = list(
        dict.fromkeys(
            guarantee.unit_column for guarantee in guarantees if guarantee.unit_column is not None
        )
    )
    if not units or source is None or not quasi:
        return PersonsBehind()
    if not {*units, *(column.name for column in quasi)} <= set(source.names):
        return PersonsBehind()
    ladders = read_ladders(engine, policy, source)
    kept = [
        column
        for column in release.columns
        if policy.columns[column.name].role in (Role.SENSITIVE, Role.OTHER)
        and not policy.level(column.name)
        and not policy.masks_sensitive
        and _has(source, column)
        and source.column(column.name).type == column.type
    ]
    floats = {ladder.column.name for ladder in ladders if is_float(ladder)}
    behind = rows_behind(source, ladders, release, quasi, [*units, *_names(kept)], table.levels)
    rows = behind.relation
    if engine.rows(unlike_sql(release, quasi, kept, rows, floats))[0][0]:
        doubtful = behind.row_id and engine.rows(doubtful_rows_statement(rows, behind.row_id))[0][0]
        return PersonsBehind(not_counted=SEVERAL_CLASSES if doubtful else "")
    sensitive = read_sensitive(engine, policy, rows, guarantees, lambda: source)
    asked = audit_sql(rows, rows.columns[:1], guarantees, sensitive.units_alone())
    return PersonsBehind(
        read_measured(engine.rows(measuring(Purpose.PERSONS, asked))[0], guarantees)
    )


def _names(columns: Sequence[Column]) -> list[str]:
    return [column.name for column in columns]
