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
        drifts = _pace_drift(rows, column, window, last, policy.run.rows_factor)
    else:
        before = last.source_rows if last is not None else locked_rows
        when = f"release {last.release_id}" if last is not None else "the plan"
        drifts = _rows_drift(rows, before, when, policy.run.rows_factor)
    if last is not None and last.source_rows and rows:
        now = dict(zip(columns, nulls, strict=True))
        drifts += _nulls_drift(now, rows, last, policy.run.nulls_rise)
    return tuple(drifts)


def find_late(increment: Increment) -> tuple[Drift, ...]:
    """Rows that no increment would ever hold, for they have no time, or one that is released."""
    column, drifts = increment.window.column, []
    if increment.untimed_rows:
        drifts.append(Drift("untimed", increment.untimed_words))
    if increment.late_rows and increment.last is not None and increment.window.after is not None:
        drifts.append(
            Drift(
                "late",
                f"{counted(increment.late_rows, 'row')} came late: {increment.settled_rows:,} rows "
                f"have a {column} until {spelled(increment.window.after)} UTC, and release "
                f"{increment.last.release_id} counted {increment.last.settled_rows:,}. No release "
                "would ever hold them. Give them a later time, or release them by another policy; "
                "a longer release.since.lag waits for such rows",
            )
        )
    return tuple(drifts)


def _rows_drift(rows: int, before: int, when: str, factor: Decimal) -> list[Drift]:
    limit = f"The limit is {factor:f} times (run.rows_factor)"
    if before * factor >= rows and rows * factor >= before:
        return []
    if not rows or not before:
        words = f"the table has {counted(rows, 'row')}, and had {before:,} at {when}. {limit}"
    elif rows > before:
        times = _times(Fraction(rows, before), factor)
        words = f"the table has {times} the rows that it had at {when}: {rows:,}, not {before:,}. "
        words += limit
    else:
        times = _times(Fraction(before, rows), factor)
        words = f"the table had {times} as many rows at {when}: {before:,}, not {rows:,}. {limit}"
    return [Drift("rows", words)]


def _times(ratio: Fraction, limit: Decimal) -> str:
    """A ratio in as many digits as show that it is above a limit.

    >>> _times(Fraction(20000, 6200), Decimal("1.5")), _times(Fraction(2001, 1000), Decimal(2))
    ('3.2 times', '2.001 times')
    """
    spelled = [f"{float(ratio):.{digits}f}" for digits in range(1, 10)]
    return f"{next((text for text in spelled if Decimal(text) > limit), spelled[-1])} times"


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
    pace = f"at the pace of release {last.release_id}"
    if not rows or not expected:
        words = f"{counted(rows, 'row')} came, and {round(expected):,} would come {pace}. "
    elif rows > expected:
        times = _times(Fraction(rows) / expected, factor)
        words = f"{counted(rows, 'row')} came, {times} the {round(expected):,} that would {pace}. "
    else:
        times = _times(expected / rows, factor)
        words = f"{counted(rows, 'row')} came; {times} as many would {pace}: {round(expected):,}. "
    return [Drift("rows", f"{words}The limit is {factor:f} times (run.rows_factor)")]


def _nulls_drift(now: Mapping[str, int], rows: int, last: Entry, rise: Decimal) -> list[Drift]:
    drifts = []
    for column, nulls in now.items():
        before = Fraction(last.null_rows.get(column, 0), last.source_rows)
        share = Fraction(nulls, rows)
        if share > before + Fraction(rise):
            words = (
                f"{column} is NULL in {share_words(float(share))} of the rows ({nulls:,} of "
                f"{rows:,}); at release {last.release_id} it was in {share_words(float(before))}. "
                f"The limit is {share_words(float(rise))} of the rows more (run.nulls_rise)"
            )
            drifts.append(Drift("nulls", words))
    return drifts
