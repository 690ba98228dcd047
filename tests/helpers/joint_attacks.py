"""Two or more releases of one table, and who is exposed by reading them together."""

from __future__ import annotations

from typing import Any

from sqlgen import (
    Policy,
    Run,
    read_policy,
)

K2, K3 = ({"k_anonymity": {"k": k}} for k in (2, 3))


L2 = {"distinct_l_diversity": {"column": "disease", "l": 2}}


def policy_of(release: dict[str, Any], *guarantees: dict[str, Any], **columns: Any) -> Policy:
    """A policy of the table p, whose quasi-identifiers are held to a level each."""
    more: dict[str, Any] = {key: columns.pop(key) for key in ("source", "ledger") if key in columns}
    declared = {
        name: {"role": "quasi", "hierarchy": "suppress", "levels": each}
        if isinstance(each, int)
        else each
        for name, each in columns.items()
    }
    return read_policy(
        {
            "source": {"table": "p"},
            "columns": {**declared, "disease": {"role": "sensitive", **columns.get("disease", {})}},
            "guarantees": [*guarantees],
            "run": {"rows_factor": "1000"},
            "release": release,
            **more,
        }
    )


def joint_of(made: Run) -> Any:
    assert made.release is not None
    return made.release.joint
