"""What a run costs beside releases that stand: counted in rows and statements, not in seconds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from markupsafe import Markup

from sqlgen import SearchLimits, make_plan, run_policy, write_lock
from sqlgen.engines.duckdb.catalog import temporary
from sqlgen.engines.duckdb.engine import DuckDB
from sqlgen.sql.render import Statement, statement
from wards import BY_AGE, BY_ZIP, publish, ward, ward_policy

RELEASES, SIGNATURES, CLASSES, VALUES = 16, 2000, 20, 6


def operators(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for child in node.get("children", []):
        yield from operators(child)


def test_no_step_of_counting_values_pairs_the_values_of_unrelated_classes() -> None:
    connection = duckdb.connect(config={"threads": 1})
    signatures, held = temporary("joint_signature"), temporary("joint_held")
    # Coarse releases have few classes; some combinations are in no class of some releases.
    places = ", ".join(
        f"CASE WHEN HASH(i * 31 + {n}) % 2 <> 0 "
        f"THEN CAST(HASH(i * 17 + {n}) % {max(CLASSES // n, 1)} AS BIGINT) END AS c{n}"
        for n in range(1, RELEASES + 1)
    )
    connection.execute(
        f"CREATE TEMPORARY TABLE {signatures} AS SELECT i AS signature_id, {places}, "
        f"CAST(1 AS BIGINT) AS row_count FROM RANGE({SIGNATURES}) AS t (i)"
    )
    connection.execute(
        f"CREATE TEMPORARY TABLE {held} AS SELECT CAST(r AS INTEGER) AS release, c AS class_id, "
        f"CAST(v AS UINTEGER) AS value_id FROM RANGE(1, {RELEASES + 1}) AS releases (r), "
        f"RANGE({CLASSES}) AS classes (c), RANGE({VALUES}) AS vals (v) "
        f"WHERE c < GREATEST({CLASSES} // r, 1)"
    )
    asked = statement(
        "history/candidate_values",
        signatures=signatures,
        held=held,
        column=Markup("value_id"),
        releases=range(1, RELEASES + 1),
        counted=None,
        least=2,
        narrowed=False,
    )
    plan = connection.execute(f"EXPLAIN (FORMAT json) {asked.text}").fetchall()
    conditions = [
        each["extra_info"].get("Conditions", [])
        for root in json.loads(plan[0][1])
        for each in operators(root)
        if each["name"] == "HASH_JOIN"
    ]
    # By the value alone, the values of all classes of all releases meet one another.
    assert len(conditions) > 3
    assert "value_id = value_id" not in conditions


class Listening:
    """The templates of the statements that engines send, in order."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.sent: list[str] = []
        for name in ("run", "rows"):
            self._listen(monkeypatch, name)

    def _listen(self, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        send = getattr(DuckDB, name)

        def on_statement(engine: DuckDB, sql: Statement) -> Any:
            self.sent.append(sql.template)
            return send(engine, sql)

        monkeypatch.setattr(DuckDB, name, on_statement)

    def joint(self) -> list[str]:
        return [each for each in self.sent if each.startswith("history/")]


@pytest.mark.parametrize("target", ["by_zip", "by_age"])
def test_a_run_reads_releases_together_only_where_one_stands_beside_its_own(
    target: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    connection = ward()
    publish(connection, ward_policy({"table": "by_zip"}), BY_ZIP)
    policy = ward_policy({"table": target}, joint="warn")
    write_lock(make_plan(policy, connection, limits=SearchLimits(BY_AGE)), tmp_path / "lock")
    listening = Listening(monkeypatch)
    told: dict[str, Any] = {}
    made = run_policy(
        policy, connection, lock=tmp_path / "lock", on_step=lambda *each: told.update([each])
    )
    assert made.satisfied
    alone = target == "by_zip"
    assert (listening.joint() == []) is alone
    assert told["joint"] == {
        "satisfied": alone,
        "releases": 1 if alone else 2,
        "rows_below": 0 if alone else 8,
        "exposed_rows": 0,
        "unjudged": 0,
        "left_out": 0,
    }
