"""Fingerprints of the inputs of a decision: equal on every machine, and of no cell value.

The policy and its hierarchies are fingerprinted part by part, so that a stale lock can name what
changed. Of the table only names, types and the number of rows are kept: a hash of its content
would let whoever knows all rows but one guess that one and see whether the guess was right.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.hierarchies.lists import Csv, Table, Tree
from sqlgen.hierarchies.rules import Expressions
from sqlgen.policy import Policy
from sqlgen.sql.render import statement
from sqlgen.staging.ladders import list_path


@dataclass(frozen=True)
class Fingerprints:
    """Fingerprints of policy and hierarchies, and the table's columns and number of rows."""

    policy: Mapping[str, str]
    hierarchies: Mapping[str, str]
    columns: Mapping[str, str]
    rows: int

    def to_dict(self) -> dict[str, Any]:
        """The fingerprints as plain values."""
        return {
            "policy": dict(self.policy),
            "hierarchies": dict(self.hierarchies),
            "columns": dict(self.columns),
            "rows": self.rows,
        }

    def changed_since(self, earlier: "Fingerprints") -> list[str]:
        """The parts of the policy, hierarchies and columns that differ, by name."""
        return [
            *_differing("", earlier.policy, self.policy),
            *_differing("hierarchy of ", earlier.hierarchies, self.hierarchies),
            *_differing("type of ", earlier.columns, self.columns),
        ]


def take_fingerprints(
    engine: Engine, policy: Policy, source: Relation, ladders: Sequence[Ladder], rows: int
) -> Fingerprints:
    """The fingerprints of a policy and of the source it is used on."""
    return Fingerprints(
        policy=policy_parts(policy),
        hierarchies={
            ladder.column.name: _of_list(engine, policy, ladder)
            for ladder in ladders
            if isinstance(policy.columns[ladder.column.name].hierarchy, (Csv, Table))
        },
        columns={column.name: column.type for column in source.columns},
        rows=rows,
    )


def take_meanings(engine: Engine, policy: Policy, ladders: Sequence[Ladder]) -> dict[str, str]:
    """The fingerprints of hierarchies whose labels do not say by themselves what they cover.

    Of lists, by what they hold, and of expressions; an interval, a prefix or a date says so.
    """
    meanings = {}
    for ladder in ladders:
        name = ladder.column.name
        declared = policy.columns[name].hierarchy
        if isinstance(declared, (Csv, Table)):
            meanings[name] = _of_list(engine, policy, ladder)
        elif isinstance(declared, (Tree, Expressions)):
            written = json.dumps(declared.model_dump(mode="json"), sort_keys=True)
            meanings[name] = _digest(written.encode())
    return meanings


def policy_parts(policy: Policy) -> dict[str, str]:
    """Fingerprints of the parts that bear on the decision: not where database and release are.

    What ``accept_unique`` names is no part: it silences a warning, and no level changes with it.
    """
    parts: dict[str, Any] = {
        "source": policy.source.model_dump(mode="json", exclude={"database"}),
        "guarantees": [[guarantee.name, guarantee.parameters] for guarantee in policy.guarantees],
        "suppression": policy.suppression,
        "objective": policy.objective.written,
        "recoding": policy.recoding.written,
    }
    if policy.masks_sensitive:
        parts["on_failure"] = policy.on_failure
    for column, declared in policy.columns.items():
        parts[f"columns.{column}"] = declared.model_dump(mode="json", exclude_defaults=True)
    return {
        part: _digest(json.dumps(content, sort_keys=True).encode())
        for part, content in parts.items()
    }


def policy_digest(parts: Mapping[str, str]) -> str:
    """The one fingerprint of a policy that has these of its parts, but not of lists it names."""
    return digest(json.dumps(dict(parts), sort_keys=True))


def digest(text: str) -> str:
    """The fingerprint of a text."""
    return _digest(text.encode())


def _of_list(engine: Engine, policy: Policy, ladder: Ladder) -> str:
    column = ladder.column.name
    listed = policy.columns[column].hierarchy
    if isinstance(listed, Csv):
        return _digest(Path(list_path(policy, column, listed)).read_bytes())
    fields = range(ladder.fields)
    rows = engine.rows(statement("hierarchies/list_fingerprint", lines=ladder.lines, fields=fields))
    return f"md5:{rows[0][0]}"


def _digest(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()[:32]}"


def _differing(prefix: str, earlier: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    keys = [*earlier, *(key for key in now if key not in earlier)]
    return [f"{prefix}{key}" for key in keys if earlier.get(key) != now.get(key)]
