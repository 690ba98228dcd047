"""Anatomy in a policy: what a release of two tables cannot have, each with the reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlgen.sql.names import folded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlgen.guarantees import Guarantee
    from sqlgen.policy.model import Policy

ANATOMY = "anatomy"
# The columns that a release by Anatomy has beside those of its source.
GROUP_COLUMN = "group_id"
COUNT_COLUMN = "row_count"
# What the name of the second table, the one with sensitive values, ends in.
BESIDE = "_sensitive"

_Found = tuple[tuple[str | int, ...], str]


def anatomy_misfits(policy: Policy) -> Iterator[_Found]:
    """The parts of a policy that Anatomy cannot have: where each stands, and why."""
    called = policy.recoding.name
    yield from _column_misfits(policy)
    yield from _target_misfits(policy)
    for number, guarantee in enumerate(policy.guarantees):
        if unfit := _unfit(guarantee):
            words = f"{called} cannot give {guarantee.name}: {unfit}"
            yield ("guarantees", number, guarantee.name), words
    if not any(guarantee.judged_columns for guarantee in policy.guarantees):
        words = (
            f"{called} shows the quasi-identifiers as they are, so that only different sensitive "
        )
        words += "values in each group protect anybody. Add a guarantee about the sensitive "
        words += "column, like distinct_l_diversity"
        yield ("guarantees",), words
    if policy.masks_sensitive:
        words = f"{called} releases every row with its group's values: no class is masked. Write "
        words += "on_failure: suppress"
        yield ("on_failure",), words
    if policy.queries:
        words = "queries are answered over one table, and two are released. Leave them out"
        yield ("queries",), words
    if policy.run.on_drift == "coarsen":
        words = f"{called} has no levels that could be coarsened. Write on_drift: replan"
        yield ("run", "on_drift"), words


def _column_misfits(policy: Policy) -> Iterator[_Found]:
    """Columns that two tables cannot have."""
    called = policy.recoding.name
    if len(policy.sensitive) != 1:
        found = ", ".join(policy.sensitive) or "none"
        words = f"{called} takes one sensitive column, whose values stand in a table of their own; "
        yield ("columns",), f"{words}found {found}"
    for name in policy.columns:
        taken = [GROUP_COLUMN, *([COUNT_COLUMN] if name in policy.sensitive else ())]
        if folded(name) in taken:
            words = f"{called} gives this name to a column of its own, {folded(name)}. Rename "
            yield ("columns", name), f"{words}{name} in source.query"


def _target_misfits(policy: Policy) -> Iterator[_Found]:
    """Targets that cannot be two tables of one moment."""
    called, release = policy.recoding.name, policy.release
    if release is None:
        return
    unfit = {
        "view": "a view shows rows that come later, and groups are made of the rows of one moment",
        "in_place": "two tables cannot take the place of one",
    }
    if release.kind in unfit:
        words = (
            f"{called} cannot release to this: {unfit[release.kind]}. Write table, parquet or csv"
        )
        yield ("release", release.kind), words
    if release.partition_by:
        words = f"{called} cannot release partitions: the second table has no such column"
        yield ("release", "partition_by"), words
    if release.timestamped:
        words = (
            f"{called} cannot release a series: every release has groups of its own, and who is "
        )
        words += "in two of them has a value that both groups have"
        yield ("release", "timestamped"), words


def _unfit(guarantee: Guarantee) -> str:
    """The reason why groups cannot give a guarantee; empty where they can."""
    if guarantee.people is not None:
        return (
            "quasi-identifiers are shown as they are, so that whoever knows them of a person sees "
            "whether the person is in the table. Write recoding: full_domain"
        )
    if guarantee.unit_column is not None:
        return (
            "a person with several rows is in several groups, and has a value of each. Write "
            "recoding: local, or a source.query with one row for each person"
        )
    if unfit := guarantee.unfit_for_regions:
        return f"{unfit}. Write recoding: full_domain"
    return ""
