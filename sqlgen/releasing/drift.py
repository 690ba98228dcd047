"""Drift: what a table has become since its last release, told before anything is built."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from sqlgen.engines import Engine
from sqlgen.ledger.increments import Increment
from sqlgen.ledger.ledger import Entry
from sqlgen.policy import RowWindow
from sqlgen.sql.render import statement
from sqlgen.sql.types import Column
from sqlgen.staging.inputs import Inputs
from sqlgen.staging.row_windows import length, spelled
from sqlgen.wording import counted, share_words


@dataclass(frozen=True)
class Drift:
    """A rule that the table breaks today, and in what way."""

    rule: str
    words: str


def find_drift(
    engine: Engine, inputs: Inputs, locked_rows: int, last: Entry | None
) -> tuple[Drift, ...]:
    """Where the table is not what it was: at the last release or, before any, at the plan."""
    policy, source, window = inputs.policy, inputs.source, inputs.job.window
    columns = list(policy.columns)
    rows, *nulls = engine.rows(
        statement("releasing/drift_shape", source=source.sql, columns=columns)
    )[0]
    if last is not None and window is not None:
        column = source.column(window.column)
        found = _pace_drift(rows, column, window, last, policy.run.rows_factor)
    else:
        before = last.source_rows if last is not None else locked_rows
        when = f"release {last.release_id}" if last is not None else "the plan"
        found = _rows_drift(rows, before, when, policy.run.rows_factor)
    if last is not None and last.source_rows and rows:
        now = dict(zip(columns, nulls, strict=True))
        found += _nulls_drift(now, rows, last, policy.run.nulls_rise)
    return tuple(found)


def find_late(found: Increment) -> tuple[Drift, ...]:
    """Rows that no increment would ever hold, for they have no time, or one that is released."""
    column, drifts = found.window.column, []
    if found.untimed_rows:
        drifts.append(Drift("untimed", found.untimed_words))
    if found.late_rows and found.last is not None and found.window.after is not None:
        drifts.append(
            Drift(
                "late",
                f"{counted(found.late_rows, 'row')} more than at release {found.last.release_id} "
                f"({found.settled_rows:,}, not {found.last.settled_rows:,}) are until "
                f"{spelled(found.window.after)} UTC by {column}: they came late, and would never "
                "be released; give them a later time, or release them by another policy; a longer "
                "release.since.lag waits for such rows",
            )
        )
    return tuple(drifts)


def _rows_drift(rows: int, before: int, when: str, factor: Decimal) -> list[Drift]:
    larger, smaller = rows > before * factor, rows * factor < before
    if not larger and not smaller:
        return []
    words = (
        f"the table {'grew' if larger else 'shrank'} from {before:,} rows at {when} to {rows:,}, "
        f"by more than the factor {factor:f} (run.rows_factor)"
    )
    return [Drift("rows", words)]


def _pace_drift(
    rows: int, column: Column, window: RowWindow, last: Entry, factor: Decimal
) -> list[Drift]:
    """Whether rows come faster or slower than in the last window, however long each one is.

    The first window has all that ever came, in no time that could be told.
    """
    before = length(column, last.window) if last.window is not None else 0
    now = length(column, window)
    if not before or not now:
        return []
    expected = last.source_rows * Fraction(now, before)
    if expected / Fraction(factor) <= rows <= expected * Fraction(factor):
        return []
    words = (
        f"{counted(rows, 'row')} came, {'more' if rows > expected else 'fewer'} than by the factor "
        f"{factor:f} (run.rows_factor) of what would come at the pace of release "
        f"{last.release_id}: {round(expected):,}"
    )
    return [Drift("rows", words)]


def _nulls_drift(now: Mapping[str, int], rows: int, last: Entry, rise: Decimal) -> list[Drift]:
    found = []
    for column, nulls in now.items():
        before = Fraction(last.null_rows.get(column, 0), last.source_rows)
        share = Fraction(nulls, rows)
        if share > before + Fraction(rise):
            words = (
                f"{column} is NULL in {share_words(float(share))} of the rows, "
                f"{share_words(float(before))} at release {last.release_id}, more than "
                f"{share_words(float(rise))} above it (run.nulls_rise); {counted(nulls, 'row')} of "
                f"{rows:,}"
            )
            found.append(Drift("nulls", words))
    return found
