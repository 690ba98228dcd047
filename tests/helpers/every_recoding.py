"""Every recoding, and what a policy of the patients says to have it: a new one is in by itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from sqlgen.recodings import RECODINGS, FullDomain
from tables import patients_columns

# What else than its name a recoding asks for: a guarantee about values, a column to go by.
_DIVERSE = [{"k_anonymity": {"k": 4}}, {"distinct_l_diversity": {"column": "disease", "l": 2}}]
_ALIKE = {
    **patients_columns("sensitive"),
    "disease": {"role": "other"},
    "name": {"role": "identifier"},
}
_ASKED: Mapping[str, Mapping[str, Any]] = {
    "means": {"recoding": {"mondrian": {"labels": "mean"}}},
    "anatomy": {"guarantees": _DIVERSE},
    "microaggregation": {
        "recoding": {"microaggregation": {"of": ["visits"]}},
        "columns": _ALIKE,
    },
}

OTHERS = [name for name in RECODINGS if name != FullDomain.name]
recodings = pytest.mark.parametrize("recoding", RECODINGS)
other_recodings = pytest.mark.parametrize("recoding", OTHERS)
# And what a recoding does by an option that has statements of its own.
WAYS = [*OTHERS, "means"]
ways = pytest.mark.parametrize("recoding", [*RECODINGS, "means"])
other_ways = pytest.mark.parametrize("recoding", WAYS)


def recoded(recoding: str) -> dict[str, Any]:
    """What the policy of the patients says to be released by a recoding, nothing suppressed."""
    return {"recoding": recoding, "suppression": 0, **_ASKED.get(recoding, {})}


# The same of the clinic's policy (helpers/cli_harness.py), as edits of its text.
_HEADING = "guarantees:\n"
_CLINIC: Mapping[str, tuple[tuple[str, str], ...]] = {
    "means": ((_HEADING, f"recoding: {{mondrian: {{labels: mean}}}}\n{_HEADING}"),),
    "anatomy": (
        (
            _HEADING,
            f"recoding: anatomy\n{_HEADING}  - distinct_l_diversity: {{column: disease, l: 2}}\n",
        ),
    ),
    "microaggregation": (
        (_HEADING, f"recoding: {{microaggregation: {{of: [age]}}}}\n{_HEADING}"),
        ("age: {role: quasi, hierarchy: {intervals: [10]}}", "age: {role: sensitive}"),
        ("disease: {role: sensitive}", "disease: {role: other}"),
    ),
}


def clinic_edits(recoding: str) -> tuple[tuple[str, str], ...]:
    """The edits of the clinic's policy that have it released by a recoding."""
    return _CLINIC.get(recoding, ((_HEADING, f"recoding: {recoding}\n{_HEADING}"),))
