"""Means and medians in a policy: what a release that shows them cannot have, each with the reason.

A mean looks like a value of its column, and does not say which values it stands for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from sqlgen.sql.types import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlgen.policy.model import Policy
    from sqlgen.sql.types import Column

Average: TypeAlias = Literal["mean", "median"]
AVERAGES: tuple[Average, ...] = ("mean", "median")
# Longer decimals show the median: 10^27 times 2^37 rows is below 2^127.
MOST_DIGITS = 27
# The kinds of values whose order says how near they are to each other.
_ALONG_A_LINE = (
    *(Kind.INTEGER, Kind.DECIMAL, Kind.FLOAT, Kind.DATE),
    *(Kind.TIMESTAMP, Kind.TIMESTAMPTZ, Kind.TIME),
)

_Found = tuple[tuple[str | int, ...], str]


def shows_averages(policy: Policy) -> bool:
    """Whether classes of the policy's release show means or medians of their values."""
    return policy.recoding.name == "mondrian" and policy.recoding.labels in AVERAGES


def average_of(policy: Policy, column: Column) -> Average | None:
    """What a column shows: mean, median, or None for anything else.

    What cannot be added up exactly shows the median in place of the mean.
    """
    levels = policy.columns[column.name].levels
    is_fine = levels is None or levels[0] == 0
    if not (shows_averages(policy) and is_fine and column.kind in _ALONG_A_LINE):
        return None
    return "mean" if policy.recoding.labels == "mean" and _adds_up(column) else "median"


def _adds_up(column: Column) -> bool:
    """Whether values add up in whole numbers of 127 bits, over the rows of any table."""
    if column.kind is Kind.DECIMAL:
        return column.precision <= MOST_DIGITS
    return column.kind in (Kind.INTEGER, Kind.DATE) and "HUGE" not in column.type


def average_misfits(policy: Policy) -> Iterator[_Found]:
    """The parts of a policy that means and medians cannot have: where each stands, and why."""
    if not shows_averages(policy):
        return
    labels = f"labels: {policy.recoding.labels}"
    if policy.in_place is not None:
        yield ("release", "in_place"), in_place_unfit(policy)
    for number, guarantee in enumerate(policy.guarantees):
        if guarantee.unit_column is not None:
            words = f"{labels} cannot be judged by persons: an audit counts the persons behind a "
            words += "label, and a mean or a median does not say whose values it stands for. "
            words += "Write labels: range"
            yield ("guarantees", number, guarantee.name, "unit"), words
    if policy.queries:
        words = f"{labels} answer no queries: a mean or a median does not say which values it "
        words += "stands for, so that nothing can be estimated from it. Write labels: range, or "
        words += "leave the queries out"
        yield ("queries",), words
    if policy.run.on_drift == "coarsen":
        words = f"{labels} cannot be coarsened: regions merge into a label of the hierarchy, and "
        words += "the column keeps its type. Write on_drift: replan"
        yield ("run", "on_drift"), words


def in_place_unfit(policy: Policy) -> str:
    """The reason why a table with means or medians cannot take the place of its source."""
    return (
        f"labels: {policy.recoding.labels} cannot take the place of the source: a mean or a median "
        "looks like a value, so that the next run could not tell the release from a table that was "
        "never released. Write release: {table: ...}"
    )
