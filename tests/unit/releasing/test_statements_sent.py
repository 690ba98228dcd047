"""How many statements a command sends: what was found once is passed on, not looked up again.

Of a table with three quasi-identifiers and one sensitive column, k = 5 and distinct l = 2.
"""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

from sqlgen import (
    apply_plan,
    audit_table,
    make_plan,
    read_lock,
    read_policy,
    run_policy,
    write_lock,
)
from sqlgen.engines.duckdb.engine import DuckDB
from sqlgen.policy import Policy
from sqlgen.sql.render import Statement

pytestmark = pytest.mark.usefixtures("real_functions")

POLICY = """
source: {database: ward.duckdb, table: people}
columns:
  name: {role: identifier}
  age: {role: quasi, hierarchy: {intervals: [5, 10, 20]}}
  sex: {role: quasi, hierarchy: {tree: {"*": [F, M]}}}
  zip: {role: quasi, hierarchy: {prefixes: [4, 3]}}
  disease: {role: sensitive}
guarantees:
  - k_anonymity: {k: 5}
  - distinct_l_diversity: {column: disease, l: 2}
suppression: 2%
release: {table: people_anon}
"""
ROWS = """
CREATE TABLE people AS
SELECT
  'n' || i AS name,
  20 + i % 40 AS age,
  CASE WHEN i % 2 = 0 THEN 'F' ELSE 'M' END AS sex,
  '10' || (100 + i % 7) AS zip,
  'd' || (i % 5) AS disease
FROM range(400) AS numbers(i)
"""


class Sent:
    """The templates of the statements that engines send, and the connections that are opened."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.templates: list[str] = []
        hear = DuckDB._hear

        def heard(engine: DuckDB, statement: Statement) -> None:
            self.templates.append(statement.template)
            hear(engine, statement)

        monkeypatch.setattr(DuckDB, "_hear", heard)

    def by(self, command: Callable[[], Any]) -> list[str]:
        self.templates.clear()
        assert command().satisfied
        return list(self.templates)


@pytest.fixture
def policy(tmp_path: Path) -> Policy:
    with duckdb.connect(str(tmp_path / "ward.duckdb")) as connection:
        connection.execute(ROWS)
    path = tmp_path / "policy.yml"
    path.write_text(POLICY, encoding="utf-8")
    policy = read_policy(path)
    write_lock(make_plan(policy), tmp_path / "policy.lock")
    return policy


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Sent:
    return Sent(monkeypatch)


def test_a_release_by_its_lock_sends_few_statements(policy: Policy, sent: Sent) -> None:
    locked = read_lock(policy.folder / "policy.lock", policy)
    assert len(sent.by(lambda: apply_plan(locked))) <= MOST["apply"]


def test_an_audit_sends_few_statements(policy: Policy, sent: Sent) -> None:
    assert apply_plan(make_plan(policy)).satisfied
    assert len(sent.by(lambda: audit_table(policy))) <= MOST["audit"]


def test_a_nightly_run_reads_everything_once(policy: Policy, sent: Sent) -> None:
    assert run_policy(policy).satisfied
    templates = sent.by(lambda: run_policy(policy))
    assert len(templates) <= MOST["run"]
    times = Counter(templates)
    # The connection is looked over once, for it is opened once.
    assert times["engines/duckdb/ours"] == times["engines/duckdb/foreign_settings"] == 1
    # The source; the ledger; what the run before left under the target's name.
    assert times["engines/duckdb/find"] == 3
    # What is dropped.
    assert times["releasing/in_the_way"] == 1
    # A tree stands in the policy: its lines are counted once, and staged for the search.
    assert times["hierarchies/list_facts"] == 1
    # Again before the transaction: another run of this process may have released meanwhile.
    assert times["ledger/entries"] == 2


MOST = {"apply": 30, "audit": 18, "run": 56}
