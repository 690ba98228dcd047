"""The figures of releases whose rows have labels of their own, held against the oracles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import pytest

import oracle_shown
from oracle_local import LocalRelease, Traced, as_text
from oracle_metrics import hierarchy
from oracle_shown import Shown
from sqlgen import Audit, Plan


def assert_lost(traced: Traced, plan: Plan, audit: Audit, weights: Sequence[Fraction] = ()) -> None:
    """Hold the loss of a plan and of its audit against the oracle's.

    A label of two levels, such as * for a value that no hierarchy has, is read as a reader of the
    release may: what it is read at is said by the oracle that looks at nothing but labels. With
    ``weights`` the loss is the objective, and columns weigh so much in it.
    """
    read = oracle_shown.figures(shown_columns(traced.release), weights=weights)
    assert audit.metrics["loss"] == pytest.approx(read["loss"], abs=1e-8)
    assert plan.metrics["loss"] == pytest.approx(read["loss"], abs=1e-8)
    assert (audit.rows, audit.classes) == (len(traced.numbers), plan.classes)
    assert all(each.satisfied for each in audit.guarantees)
    planned = {each.guarantee: float(each.value) for each in plan.guarantees}
    audited = {each.guarantee: float(each.value) for each in audit.guarantees}
    assert audited == pytest.approx({each: planned[each] for each in audited}, rel=1e-9)
    assert_persons_alone(planned.keys() - audited.keys())


def shown_columns(release: LocalRelease) -> list[Shown]:
    """The columns of a release as they are read back from its labels alone."""
    return [
        Shown(
            hierarchy(held.ladder),
            [row[name] for row in release.source.rows],
            [as_text(row[name]) for row in release.rows],
            held.text,
            (held.floor, held.ceiling),
            len(release.rows),
        )
        for name, held in release.columns.items()
    ]


def assert_persons_alone(missing: Iterable[Any]) -> None:
    """Hold that an audit measures all but persons, who cannot always be told behind labels."""
    assert all(each.unit_column is not None for each in missing)
