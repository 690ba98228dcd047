"""A ledger that somebody else wrote into is refused, or read for what it says; nothing breaks."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import duckdb
import pytest

from cli_harness import Clinic, Ran, make_clinic, run, shows_no_canary
from sqlgen import (
    PolicyError,
    RefusedError,
    SearchLimits,
    apply_plan,
    make_plan,
    read_history,
    run_policy,
)
from sqlgen.ledger.ledger import Entry
from sqlgen.ledger.schema import COLUMNS, MARKS
from tables import LEDGER, patients, patients_columns, patients_policy, planned, state_of

TELLING = {
    "history": ("history", "POLICY"),
    "history as JSON": ("history", "POLICY", "--json"),
    "show": ("show", "POLICY", "1"),
    "show as JSON": ("show", "POLICY", "1", "--json"),
}
READING = {
    "report": ("report", "POLICY", "--json"),
    "audit": ("audit", "POLICY", "--with-history"),
    "run": ("run", "POLICY"),
}


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clinic whose ledger has a release to a table, and one to the policy's target."""
    clinic = make_clinic(tmp_path_factory.mktemp("released"))
    clinic.edit(("table: patients_anon", "table: earlier"))
    assert clinic.run("run").code == 0
    clinic.policy.with_suffix(".lock").unlink()
    clinic.edit(("table: earlier", "table: patients_anon"))
    assert clinic.run("run").code == 0
    return clinic.folder


@pytest.fixture
def clinic(released: Path, tmp_path: Path) -> Clinic:
    shutil.copytree(released, tmp_path / "clinic")
    return Clinic(tmp_path / "clinic")


def call(clinic: Clinic, arguments: tuple[str, ...]) -> Ran:
    known = {"POLICY": str(clinic.policy), "page.html": str(clinic.folder / "page.html")}
    ran = run(*(known.get(each, each) for each in arguments))
    assert "internal error" not in ran.err
    assert shows_no_canary(ran.text)
    return ran


def other(column: str, content: str) -> str:
    return (
        f"CREATE OR REPLACE TABLE {LEDGER} AS SELECT * REPLACE ({content} AS {column}) FROM copied"
    )


def written(column: str, content: object) -> str:
    """A value of a column of the ledger as JSON, or a text that is none, as SQL sets it."""
    text = content if isinstance(content, str) else json.dumps(content)
    return f"{column} = '{text}'"


# What takes the place of the ledger, and is none.
OTHERS = {
    "a decision as a list": (
        f"ALTER TABLE {LEDGER} ALTER decision TYPE VARCHAR[] USING [decision]"
    ),
    "rows as text": f"ALTER TABLE {LEDGER} ALTER released_rows TYPE VARCHAR",
    "narrower numbers": f"ALTER TABLE {LEDGER} ALTER source_rows TYPE INTEGER",
    "a moment as text": f"ALTER TABLE {LEDGER} ALTER released_at TYPE VARCHAR",
    "a window as text": f"ALTER TABLE {LEDGER} ALTER since_until TYPE VARCHAR",
    "an enum": f"ALTER TABLE {LEDGER} ALTER policy TYPE ENUM ('policy.yml')",
    "a column more": f"ALTER TABLE {LEDGER} ADD COLUMN more INTEGER",
    "a column less": f"ALTER TABLE {LEDGER} DROP COLUMN place",
    "a view": f"ALTER TABLE {LEDGER} RENAME TO kept; CREATE VIEW {LEDGER} AS FROM kept",
    "no column of it": f"CREATE OR REPLACE TABLE {LEDGER} AS SELECT 1 AS one",
    "levels that are no JSON": f"UPDATE {LEDGER} SET decision = 'zip 1'",
}
# What no run writes in a column.
WRITTEN = (
    ("decision", ""),
    ("decision", "zip 1"),
    ("decision", "[" * 100_000),
    ("decision", []),
    ("decision", {"levels": []}),
    ("decision", {"levels": {"zip": "1"}}),
    ("decision", {"levels": {"zip": True}}),
    ("decision", {"levels": {"zip": 1.5}}),
    ("decision", {"levels": {"zip": 2**63}}),
    ("decision", {"levels": {"zip": None}}),
    ("decision", '{"levels": {"\\ud800": 1}}'),
    ("null_rows", {"zip": [1]}),
    ("hierarchies", {"zip": 1}),
    ("guarantees", {}),
    ("guarantees", [1]),
    ("guarantees", [{}]),
    ("guarantees", [{"name": "k_anonymity", "parameters": {"k": 3}}]),
    ("guarantees", [{"name": 3, "parameters": {"k": 3}, "measured": 3}]),
    ("guarantees", [{"name": "k_anonymity", "parameters": "k >= 3", "measured": 3}]),
    *(
        (
            "guarantees",
            f'[{{"name": "k_anonymity", "parameters": {{"k": 3}}, "measured": {figure}}}]',
        )
        for figure in ("NaN", "1e999", "-Infinity", '"three"', "true", "9" * 400)
    ),
)


def test_an_entry_has_what_the_table_has() -> None:
    names = [column.name for column in COLUMNS]
    assert [each.name for each in fields(Entry) if each.name != "home"] == names
    assert set(MARKS) < set(names)


@pytest.mark.parametrize("case", OTHERS)
def test_what_is_like_a_ledger_and_is_none_is_refused_by_every_command(
    case: str, clinic: Clinic
) -> None:
    clinic.sql(f"CREATE TABLE copied AS FROM {LEDGER}", OTHERS[case])
    before = clinic.state()
    for arguments in (TELLING["history"], *READING.values()):
        ran = call(clinic, arguments)
        assert ran.code == 3, arguments
        assert "is something else than a ledger of releases" in ran.err
    assert clinic.state() == before


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    """Patients that were released, and a copy of the ledger, of which each test makes it anew."""
    with patients(40) as opened:
        apply_plan(planned(patients_policy(), opened), opened)
        opened.execute(f"CREATE TABLE copied AS FROM {LEDGER}")
        yield opened


@pytest.mark.parametrize("column", [each.name for each in COLUMNS if each.needed])
def test_a_ledger_with_a_row_that_lacks_something_is_refused(
    column: str, connection: duckdb.DuckDBPyConnection
) -> None:
    (kept,) = (each.type for each in COLUMNS if each.name == column)
    connection.execute(other(column, f"NULL::{kept}"))
    with pytest.raises(RefusedError, match=rf"else than a ledger of .* a row lacks {column}\."):
        read_history(patients_policy(), connection)


@pytest.mark.parametrize("case", range(len(WRITTEN)))
def test_a_ledger_with_a_row_that_no_run_writes_is_refused(
    case: int, connection: duckdb.DuckDBPyConnection
) -> None:
    column, content = WRITTEN[case]
    connection.execute(f"CREATE OR REPLACE TABLE {LEDGER} AS FROM copied")
    connection.execute(f"UPDATE {LEDGER} SET {written(column, content)}")
    with pytest.raises(RefusedError, match=rf"ledger of .* a row has something else in {column}\."):
        read_history(patients_policy(), connection)


def test_a_copy_of_a_ledger_without_its_constraints_is_one(clinic: Clinic) -> None:
    clinic.sql(f"CREATE OR REPLACE TABLE {LEDGER} AS FROM {LEDGER}")
    for arguments in (TELLING["history"], *READING.values()):
        assert call(clinic, arguments).code == 0


# What no run wrote, in the columns and types of a ledger; and what a joint reading says of it.
UNTIMED = "it stands and cannot be read: the ledger does not say in which time its rows came"
UNKNOWN = "the ledger does not say what it was made to give"
UNNAMED = "it may stand, and cannot be read: the ledger does not say what it is called"
UNREAD = {
    "target = ''": UNNAMED,
    "target = '\"'": UNNAMED,
    "target = 'a.b.c.d'": UNNAMED,
    "target = 'anon' || chr(0)": UNNAMED,
    "target_kind = 'csv', target = ''": UNNAMED,
    "target_kind = 'parquet', target = chr(0)": UNNAMED,
    "place = ''": UNNAMED,
    "place = 'a.b.c.d'": UNNAMED,
    "target_kind = 'else'": "the ledger does not say of what kind it is",
    "source = '\"'": "the ledger does not say what it was made from",
    "source = 'a.b.c.d'": "the ledger does not say what it was made from",
    written("decision", {"levels": {"zip": -1}}): "does not say at which levels it is",
    written("sensitive_levels", {"disease": -1}): "at which levels it is",
    **{
        written("guarantees", [{"name": name, "parameters": asked, "measured": 3}]): UNKNOWN
        for name, asked in (
            ("", {}),
            ("k_anonymity", {"k": "many"}),
            ("distinct_l_diversity", {"column": "disease", "l": 10**20}),
        )
    },
    written("decision", {}): "gives a column more than one level, and releases are read by",
    "recoding = 'mondrian', decision = '{}'": "its recoding, mondrian, gives a column more",
    "since_column = 'age'": UNTIMED,
    "since_type = 'DATE'": UNTIMED,
    "settled_rows = 1": UNTIMED,
    "since_until = TIMESTAMP '2024-01-01'": UNTIMED,
    "since_column = 'age', since_until = TIMESTAMP '2024-01-01'": UNTIMED,
    "since_column = 'age', since_until = 'infinity', settled_rows = 1": UNTIMED,
    "since_column = 'age', since_until = '20240-01-01', settled_rows = 1": UNTIMED,
    (
        "since_column = 'age', since_after = '-infinity', since_until = '2024-01-01', "
        "settled_rows = 1"
    ): UNTIMED,
}
# What can be read, however little sense it makes.
STRANGE = (
    written("decision", {"levels": {"zip": 99999, "nope": 3}}),
    """decision = '{"levels": {}}', null_rows = '{}', hierarchies = '{}', guarantees = '[]'""",
    written("guarantees", [{"name": "k_anonymity", "parameters": {"k": 3}, "measured": None}]),
    written(
        "guarantees", [{"name": "k_map", "parameters": {"k": 3}, "measured": -(10**300)}]
    ).replace('{"k": 3}', '{"k": 3, "people": {"table": "nobody"}}'),
    "source_rows = 0, released_rows = 0, classes = 0",
    "source_rows = -5, released_rows = -5, suppressed_rows = -1, masked_rows = -9, classes = -1",
    "released_at = 'infinity'",
    "released_at = '20240-01-01'",
    "target_kind = 'parquet', target = '${NOPE}/x', place = 'x'",
    "target_kind = 'in_place', target = 'patients'",
    "target_kind = 'view'",
    "source = ''",
    "folder = chr(0), target = repeat('x', 5000)",
    "policy = '', policy_fingerprint = '', lock_fingerprint = '', engine_version = ''",
)


@pytest.mark.parametrize("tamper", [*UNREAD, *STRANGE])
def test_what_no_run_wrote_is_shown_as_it_is(tamper: str, clinic: Clinic) -> None:
    clinic.sql(f"UPDATE {LEDGER} SET {tamper}")
    for arguments in TELLING.values():
        ran = call(clinic, arguments)
        assert (ran.code, ran.err) == (0, "")
        assert ran.out


@pytest.mark.parametrize("tamper", [*UNREAD, *STRANGE])
def test_what_no_run_wrote_ends_no_command_in_an_error_of_ours(tamper: str, clinic: Clinic) -> None:
    clinic.sql(f"UPDATE {LEDGER} SET {tamper}")
    for arguments in READING.values():
        assert call(clinic, arguments).code in (0, 1, 2, 3), arguments


@pytest.mark.parametrize("moment", ["infinity", "20240-01-01"])
def test_a_page_tells_a_moment_that_is_none_as_it_is(moment: str, clinic: Clinic) -> None:
    clinic.sql(f"UPDATE {LEDGER} SET released_at = '{moment}'")
    page = clinic.folder / "page.html"
    assert clinic.run("report", "--out", str(page)).code == 0
    assert f">{moment}" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("tamper", UNREAD)
def test_a_release_that_cannot_be_read_is_not_judged_and_blocks_others(
    tamper: str, clinic: Clinic
) -> None:
    clinic.sql(f"UPDATE {LEDGER} SET {tamper} WHERE release_id = 1")
    before = clinic.tables()
    audit = call(clinic, ("audit", "POLICY", "--with-history", "--json"))
    assert audit.code == 1
    (told,) = json.loads(audit.out)["joint"]["unjudged"]
    assert told["release"].startswith("release 1, ")
    assert UNREAD[tamper] in told["reason"]
    assert call(clinic, READING["run"]).code == 1
    assert clinic.tables() == before


def test_a_release_that_is_gone_is_left_out_whatever_is_said_of_it(clinic: Clinic) -> None:
    clinic.sql("DROP TABLE earlier", f"UPDATE {LEDGER} SET settled_rows = 1 WHERE release_id = 1")
    assert call(clinic, READING["audit"]).code == 0


def test_new_rows_are_not_released_where_nobody_knows_since_when(tmp_path: Path) -> None:
    connection = patients()
    connection.execute("ALTER TABLE patients ADD COLUMN came TIMESTAMP DEFAULT '2024-01-01'")
    policy = patients_policy(
        columns={**patients_columns(), "came": {"role": "identifier"}},
        release={"table": "r", "timestamped": True, "since": "came"},
    )
    assert run_policy(policy, connection, lock=tmp_path / "policy.lock").satisfied
    connection.execute(f"UPDATE {LEDGER} SET settled_rows = NULL")
    before = state_of(connection)
    with pytest.raises(RefusedError, match=r"release 1 of the ledger cannot be read: .*in which"):
        run_policy(policy, connection, lock=tmp_path / "policy.lock")
    assert state_of(connection) == before


def test_a_table_is_no_original_where_the_ledger_does_not_say_what_was_replaced(
    tmp_path: Path,
) -> None:
    connection = patients()
    connection.execute("ALTER TABLE patients DROP COLUMN name")
    columns = {name: each for name, each in patients_columns().items() if name != "name"}
    policy = patients_policy(columns=columns, release={"in_place": True})
    assert run_policy(policy, connection, lock=tmp_path / "policy.lock").satisfied
    connection.execute(f"UPDATE {LEDGER} SET target = ''")
    before = state_of(connection)
    with pytest.raises(RefusedError, match="release 1 of the ledger cannot be read"):
        run_policy(policy, connection, lock=tmp_path / "policy.lock")
    assert state_of(connection) == before


@pytest.mark.parametrize("held", [(-1, -1), (-1, None), (1, 0), (0, 9)])
def test_levels_that_there_are_not_are_refused(held: tuple[int, int | None]) -> None:
    with pytest.raises(PolicyError, match=r"zip has the levels 0 to 2; found "):
        make_plan(patients_policy(), patients(), limits=SearchLimits({"zip": held}))
