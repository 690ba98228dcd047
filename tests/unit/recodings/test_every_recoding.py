"""Each recoding by its name: the same bytes in any order, as planned, told of in the documents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import pytest

from cli_harness import ROOT, run
from every_recoding import recoded, recodings, ways
from sqlgen import Policy, apply_plan, audit_table
from sqlgen.planning.lock import lock_text
from sqlgen.policy.recoding import RECODING_NAMES
from sqlgen.recodings import RECODINGS
from tables import make_patients, patients_policy, planned

ROWS = 5000
# The same rows in another order, on two threads however little there is to share.
SHUFFLED = "CREATE OR REPLACE TABLE patients AS FROM patients ORDER BY visits DESC, HASH(name)"


def made(recoding: str, connection: duckdb.DuckDBPyConnection, folder: Path) -> dict[str, Any]:
    """The decision and its figures, and the bytes of all files of a release."""
    folder.mkdir()
    policy = patients_policy(release={"csv": str(folder / "released.csv")}, **recoded(recoding))
    plan = planned(policy, connection)
    assert apply_plan(plan, connection).satisfied
    files = {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
    locked = json.loads(lock_text(plan))
    return {"decision": locked["decision"], "metrics": plan.to_dict()["metrics"], **files}


@ways
def test_neither_the_order_of_rows_nor_threads_change_a_byte(recoding: str, tmp_path: Path) -> None:
    with duckdb.connect(config={"threads": 1}) as connection:
        make_patients(connection, ROWS)
        first = made(recoding, connection, tmp_path / "first")
        connection.execute(f"{SHUFFLED}; SET threads = 2; PRAGMA verify_parallelism")
        assert made(recoding, connection, tmp_path / "second") == first


@ways
def test_a_release_is_as_planned_whatever_the_recoding(recoding: str) -> None:
    connection = duckdb.connect(config={"threads": 1})
    make_patients(connection, 300)
    policy = patients_policy(**recoded(recoding))
    plan = planned(policy, connection)
    release = apply_plan(plan, connection)
    assert release.satisfied
    audit = audit_table(policy, source=connection)
    assert audit.satisfied
    assert (audit.rows, audit.classes) == (plan.rows - plan.suppressed_rows, plan.classes)
    measured = [each.value for each in audit.guarantees]
    assert [each.value for each in plan.guarantees] == pytest.approx(measured)


def test_the_recodings_of_a_policy_are_those_that_there_are() -> None:
    assert list(RECODING_NAMES) == list(RECODINGS)


@recodings
def test_a_recoding_is_named_wherever_a_reader_looks_for_one(recoding: str) -> None:
    docs = ROOT / "docs"
    table = (docs / "recodings.md").read_text(encoding="utf-8").partition("\n## ")[0]
    assert f"| `{recoding}`" in table
    choosing = (docs / "choosing.md").read_text(encoding="utf-8").partition("```")[0]
    assert f"| `{recoding}`" in choosing
    assert recoding in str(Policy.model_fields["recoding"].description)
    assert recoding in json.dumps(Policy.model_json_schema()["properties"]["recoding"])
    assert recoding in run("frontier", "--help").out
