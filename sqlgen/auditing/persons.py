"""Who is behind a table that shows no persons: its labels read back, and its source counted."""

from collections.abc import Sequence

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
from sqlgen.staging.people import is_float, rows_behind, united, unlike_sql
from sqlgen.staging.read_back import read_shown_labels
from sqlgen.staging.sensitive import read_sensitive
from sqlgen.staging.source import find_source, is_frame


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
) -> dict[str, int]:
    """At which level a table shows each quasi-identifier, as far as its labels tell.

    It is the finest level that has all the labels; a column without one was recoded locally, and
    its labels are read at every level. ``holders`` have the values that the labels may stand for.
    """
    levels = {}
    for column in quasi:
        known = [
            holder for holder in (*holders, *([source] if source else [])) if _has(holder, column)
        ]
        if not known:
            continue
        ladder = read_ladder(engine, policy, known[-1], column.name)
        held = united(ladder, [relation.sql for relation in known])
        shown = read_shown_labels(engine, ladder, held, table, range(ladder.height + 1))
        if shown.unknown and (source is not None or policy.is_listed(column.name)):
            raise PolicyError(
                f"{policy.where('columns', column.name, 'hierarchy')}: the table shows "
                f"{shown.unknown} labels of {column.name} that no level has, so nobody can be "
                "matched with them"
            )
        if shown.finest is not None:
            levels[column.name] = shown.finest
    return levels


def _has(relation: Relation, column: Column) -> bool:
    return column.name in relation.names


def count_persons(
    engine: Engine,
    policy: Policy,
    table: ShownTable,
    guarantees: Sequence[Guarantee],
    source: Relation | None,
) -> tuple[GuaranteeResult, ...]:
    """The guarantees of a release by persons, counted in the source; none where it has changed.

    Behind each class must be as many rows as it has, with the same other columns: else the source
    has changed.
    """
    release, quasi = table.relation, table.quasi
    units = list(
        dict.fromkeys(
            guarantee.unit_column for guarantee in guarantees if guarantee.unit_column is not None
        )
    )
    if not units or source is None or not quasi:
        return ()
    if not {*units, *(column.name for column in quasi)} <= set(source.names):
        return ()
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
    rows = rows_behind(source, ladders, release, quasi, [*units, *_names(kept)], table.levels)
    if engine.rows(unlike_sql(release, quasi, kept, rows, floats))[0][0]:
        return ()
    sensitive = read_sensitive(engine, policy, rows, guarantees, lambda: source)
    asked = audit_sql(rows, rows.columns[:1], guarantees, sensitive.units_alone())
    return read_measured(engine.rows(measuring(Purpose.PERSONS, asked))[0], guarantees)


def _names(columns: Sequence[Column]) -> list[str]:
    return [column.name for column in columns]
