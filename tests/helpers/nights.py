"""A table that grows day by day, and is released night by night, with a clock of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest

from sqlgen import Policy, Run, SearchLimits, make_plan, run_policy, write_lock
from tables import patients_columns, patients_policy

FIRST = datetime(2026, 3, 1, 23, 30, tzinfo=UTC)
DAY = timedelta(days=1)
TYPES = {
    "DATE": "CAST(TIMESTAMP '2026-03-01 00:00:00' + INTERVAL ({day}) DAY AS DATE)",
    "TIMESTAMP": "TIMESTAMP '2026-03-01 01:00:00' + INTERVAL ({day}) DAY + INTERVAL (i) SECOND",
    "TIMESTAMPTZ": "TIMESTAMPTZ '2026-03-01 03:00:00+02' + INTERVAL ({day}) DAY",
    "TIMESTAMP_NS": "CAST(TIMESTAMP '2026-03-01 01:00:00' + INTERVAL ({day}) DAY AS TIMESTAMP_NS)",
}
ROWS = """
SELECT
  'person {day}/' || i AS name,
  CAST(47600 + (i * 7) % 4 AS VARCHAR) AS zip,
  CAST(20 + (i * 13) % 40 AS INTEGER) AS age,
  CASE i % 2 WHEN 0 THEN 'f' ELSE 'm' END AS sex,
  CASE i % 3 WHEN 0 THEN 'flu' WHEN 1 THEN 'cold' ELSE 'gout' END AS disease,
  CAST({day} AS SMALLINT) AS visits,
  {time} AS loaded_at
FROM RANGE({rows}) AS t (i)
"""


class Clock:
    """What the time is, for every part of sqlgen that asks."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.moment, self.tick = FIRST, timedelta()

        class Told(datetime):
            @classmethod
            def now(cls, _: Any = None) -> datetime:  # type: ignore[override]
                self.moment += self.tick
                return self.moment

        for room in ("releasing.apply", "ledger.increments"):
            monkeypatch.setattr(f"sqlgen.{room}.datetime", Told)


class Nights:
    """A table that grows by a day's rows, and is released night by night."""

    def __init__(self, clock: Clock, folder: Path, spelled: str = "TIMESTAMP") -> None:
        self.clock, self.folder, self.time = clock, folder, TYPES[spelled]
        self.connection = duckdb.connect()
        self.connection.execute(f"CREATE TABLE patients AS {self.day_sql(0)} LIMIT 0")
        self.on_statement: list[tuple[str, Mapping[str, Any]]] = []
        self.release: dict[str, Any] = {"parquet": str(folder / "new.parquet")}

    def day_sql(self, day: int, rows: int = 120) -> str:
        return ROWS.format(day=day, rows=rows, time=self.time.format(day=day))

    def come(self, day: int, rows: int = 120) -> None:
        self.connection.execute(f"INSERT INTO patients {self.day_sql(day, rows)}")

    def policy(self, since: Any = "loaded_at", role: str = "identifier", **changes: Any) -> Policy:
        release = {**self.release, "timestamped": True, "since": since}
        columns = {**patients_columns(), "loaded_at": {"role": role}}
        return patients_policy(**{"release": release, "columns": columns, **changes})

    def hold(self, policy: Policy | None = None) -> None:
        """Lock levels that a single night gives the guarantees at, too."""
        levels = {"zip": (2, 2), "age": (1, 1), "sex": (1, 1)}
        plan = make_plan(policy or self.policy(), self.connection, limits=SearchLimits(levels))
        write_lock(plan, self.folder / "policy.lock")

    def run(self, policy: Policy | None = None) -> Run:
        self.on_statement.clear()
        return run_policy(
            policy or self.policy(),
            self.connection,
            lock=self.folder / "policy.lock",
            on_step=lambda *told: self.on_statement.append(told),
        )

    def events(self) -> list[str]:
        return [event for event, _ in self.on_statement]

    def files(self) -> list[str]:
        return sorted(each.name for each in self.folder.iterdir() if each.name != "policy.lock")

    def days(self, path: str) -> Counter[int]:
        """How many rows of each day a release has: a day is what is released as visits."""
        read = f"SELECT visits FROM '{self.folder / path}'"
        return Counter(day for (day,) in self.connection.execute(read).fetchall())


def name_of(moment: datetime) -> str:
    return f"new-{moment:%Y%m%dT%H%M%SZ}.parquet"
