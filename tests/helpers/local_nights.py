"""Nights of patients whose releases are regions, as local recoding and Mondrian have them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlgen import Run, run_policy
from tables import LEDGER, patients, patients_policy

REGIONS = f"{LEDGER}_regions"
K = 7
Shown = tuple[str | None, ...]


class LocalNights:
    """The patients, recoded locally and released night by night, with the log of the last run."""

    def __init__(self, folder: Path, rows: int = 240, **changes: Any) -> None:
        self.connection = patients(rows)
        self.lock = folder / "policy.lock"
        guarantees = [{"k_anonymity": {"k": K}}]
        self.changes = {"recoding": "local", "guarantees": guarantees, "suppression": 0, **changes}
        self.log: list[tuple[str, Mapping[str, Any]]] = []

    def policy(self, **changes: Any) -> Any:
        return patients_policy(**{**self.changes, **changes})

    def run(self, **changes: Any) -> Run:
        self.log.clear()
        return run_policy(
            self.policy(**changes),
            self.connection,
            lock=self.lock,
            on_step=lambda *entry: self.log.append(entry),
        )

    def coarsen(self, **changes: Any) -> Run:
        return self.run(run={"on_drift": "coarsen"}, **changes)

    def entry(self, event: str) -> Mapping[str, Any]:
        """The log entry of an event of the last run."""
        return next(content for name, content in self.log if name == event)

    def events(self) -> list[str]:
        return [event for event, _ in self.log]

    def locked(self) -> str:
        """The fingerprint of regions that the lock has."""
        decision = json.loads(self.lock.read_text(encoding="utf-8"))["decision"]
        return str(decision["region_fingerprint"])

    def kept(self) -> dict[str, int]:
        """How many regions the database keeps, by the fingerprint of their set."""
        sql = f"SELECT fingerprint, COUNT(*) FROM {REGIONS} GROUP BY fingerprint"
        return dict(self.connection.execute(sql).fetchall())

    def regions(self, fingerprint: str) -> list[tuple[list[int], Shown]]:
        """The levels and labels of the regions that are shown, in their order."""
        sql = f"SELECT levels, labels FROM {REGIONS} WHERE fingerprint = ? AND is_shown "
        rows = self.connection.execute(sql + "ORDER BY number", [fingerprint]).fetchall()
        return [(levels, tuple(labels)) for levels, labels in rows]

    def classes(self, relation: str = "released") -> Counter[Shown]:
        sql = f"SELECT zip, age, sex FROM {relation}"
        return Counter(self.connection.execute(sql).fetchall())

    def rare(self, rows: int = 60) -> None:
        """People come whom no region has labels for."""
        self.connection.execute(
            "INSERT INTO patients SELECT 'late ' || i, '4760' || i % 4, 150 + 10 * i, 'x', 'flu', "
            f"1 FROM RANGE({rows}) AS t (i)"
        )

    def thin(self) -> None:
        """Some regions lose rows, so that they fail."""
        self.connection.execute("DELETE FROM patients WHERE rowid % 11 = 0")
