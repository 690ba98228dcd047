"""Microaggregation in a policy: what groups of alike rows cannot have, each with the reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlgen.policy.anatomy import anatomy_misfits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlgen.guarantees import Guarantee
    from sqlgen.policy.model import Policy

MICROAGGREGATION = "microaggregation"

_Found = tuple[tuple[str | int, ...], str]


def microaggregation_misfits(policy: Policy) -> Iterator[_Found]:
    """The parts of a policy that groups of alike rows cannot have: where each stands, and why."""
    yield from _column_misfits(policy)
    if policy.recoding.makes_pair:
        yield from anatomy_misfits(policy)
        return
    release = policy.release
    if release is not None and release.view is not None:
        words = "microaggregation cannot release to this: a view shows rows that come later, and "
        words += "groups are made of the rows of one moment. Write release: {table: ...}"
        yield ("release", "view"), words
    for number, guarantee in enumerate(policy.guarantees):
        if unfit := _unfit(guarantee):
            words = f"microaggregation cannot give {guarantee.name}: {unfit}"
            yield ("guarantees", number, guarantee.name), words
    if policy.masks_sensitive:
        words = "microaggregation merges a group that fails with its neighbour: no class is masked."
        words += " Write on_failure: suppress"
        yield ("on_failure",), words
    if policy.run.on_drift == "coarsen":
        words = "microaggregation makes its groups anew each night, and has no levels that could "
        words += "be coarsened. Write on_drift: replan"
        yield ("run", "on_drift"), words


def _column_misfits(policy: Policy) -> Iterator[_Found]:
    """Columns that make no groups."""
    for number, name in enumerate(policy.recoding.of):
        where = ("recoding", MICROAGGREGATION, "of", number)
        if name not in policy.sensitive:
            found = policy.columns[name].role.value if name in policy.columns else "no such column"
            yield where, f"{name} must be a sensitive column; found {found}"
        elif policy.columns[name].level is not None:
            yield where, f"{name} is released at a level: labels have no distances. Leave level out"
        elif name in policy.recoding.of[:number]:
            yield where, f"{name} is named twice"
    if len(policy.recoding.of) > 1:
        words = "microaggregation takes one column as yet. Name the one that matters most"
        yield ("recoding", MICROAGGREGATION, "of"), words


def _unfit(guarantee: Guarantee) -> str:
    """The reason why groups cannot give a guarantee; empty where they can."""
    if guarantee.unit_column is not None:
        return (
            "a person with several rows is in several groups. Write recoding: local, or a "
            "source.query with one row for each person"
        )
    if guarantee.people is not None:
        return (
            "it knows people by their quasi-identifiers, and groups are made of sensitive values. "
            "Write recoding: full_domain"
        )
    if unfit := guarantee.unfit_for_regions:
        return f"{unfit}. Write recoding: full_domain"
    return ""
