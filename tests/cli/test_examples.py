"""The examples: their policies, their locks to the byte, the SQL they print, and Ctrl-C."""

from __future__ import annotations

import json
import os
import pty
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import duckdb
import pytest
from jsonschema import Draft202012Validator
from ruamel.yaml import YAML

from cli_harness import EXAMPLES, ROOT, Clinic, command, make_clinic, run, spawn
from sqlgen import Watch, apply_plan, read_lock, read_policy
from sqlgen.planning.lock import lock_path
from sqlgen.sql.render import Statement

# Policies without a release are there to audit what others publish.
POLICIES = sorted(
    path.relative_to(EXAMPLES)
    for path in EXAMPLES.glob("*/*.yml")
    if read_policy(path).release is not None
)


def build(example: str, folder: Path, *arguments: str) -> Path:
    """An example in a folder of its own, without its locks, with its database."""
    home = folder / example
    shutil.copytree(EXAMPLES / example, home, ignore=shutil.ignore_patterns("*.lock", "*.duckdb*"))
    script = str(home / "build.py")
    subprocess.run([sys.executable, script, *arguments], check=True, capture_output=True)
    return home


@pytest.fixture(scope="module")
def planned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every example, built and planned from scratch."""
    folder = tmp_path_factory.mktemp("examples")
    for example in ("census", "hospital", "nightly", "utility"):
        build(example, folder)
    for policy in POLICIES:
        assert run("plan", str(folder / policy)).code == 0
    return folder


@pytest.fixture(scope="module", params=POLICIES, ids=str)
def applied(request: pytest.FixtureRequest, planned: Path) -> Path:
    """The policy of an example whose release stands."""
    policy: Path = planned / request.param
    ran = spawn("apply", str(policy), seconds=20)
    assert ran.code == 0, ran.err
    return policy


def rows(database: Path, query: str) -> list[tuple[Any, ...]]:
    with duckdb.connect(str(database), read_only=True) as connection:
        return connection.execute(query).fetchall()


@pytest.mark.parametrize("policy", POLICIES, ids=str)
def test_the_plan_of_an_example_is_its_committed_lock_byte_for_byte(
    planned: Path, policy: Path
) -> None:
    committed = lock_path(EXAMPLES / policy)
    assert lock_path(planned / policy).read_bytes() == committed.read_bytes()


@pytest.mark.battery
def test_the_release_of_an_example_passes_its_audit(applied: Path) -> None:
    document = json.loads(run("audit", str(applied), "--json").out)
    assert (document["satisfied"], document["identifiers"]) == (True, [])


def test_the_source_of_an_example_fails_the_audit(applied: Path) -> None:
    table = str(read_policy(applied).source.table)
    assert run("audit", str(applied), "--table", table).code == 1


@pytest.mark.parametrize(
    ("policy", "table", "columns", "classes"),
    [
        (
            "policy.yml",
            "inpatients_anon",
            "zip, age, nationality",
            [("130**", "< 30", "*", 4), ("130**", "[30, 40)", "*", 4), ("1485*", ">= 40", "*", 4)],
        ),
        (
            "patients.yml",
            "patients_anon",
            "zip, age",
            [("476**", "2*", 3), ("476**", "3*", 3), ("4790*", ">=40", 3)],
        ),
        (
            "local.yml",
            "patients_local",
            "zip, age",
            [("476**", "2*", 3), ("476**", "3*", 3), ("4790*", ">=40", 3)],
        ),
    ],
    ids=["Machanavajjhala 2006, Figure 2", "Li 2007, Table 2", "Li 2007, Table 2, locally"],
)
def test_the_hospital_is_released_as_in_its_paper(
    tmp_path: Path, policy: str, table: str, columns: str, classes: list[tuple[Any, ...]]
) -> None:
    home = build("hospital", tmp_path)
    assert run("apply", str(home / policy)).code == 0
    found = rows(
        home / "hospital.duckdb",
        f"SELECT {columns}, COUNT(*) FROM {table} GROUP BY ALL ORDER BY ALL",
    )
    assert found == classes


def test_the_census_loses_less_than_half_as_much_by_local_recoding(planned: Path) -> None:
    names = ("local", "policy")
    locks = [lock_path(planned / "census" / f"{name}.yml") for name in names]
    local, full = (json.loads(lock.read_text(encoding="utf-8")) for lock in locks)
    assert local["objective"]["value"] < full["objective"]["value"] / 2
    assert (local["suppressed_rows"], full["suppressed_rows"]) == (0, 459)


@pytest.mark.parametrize("example", ["census", "hospital", "utility"])
def test_an_example_does_not_overwrite_its_database_unasked(planned: Path, example: str) -> None:
    script = str(planned / example / "build.py")
    again = subprocess.run([sys.executable, script], check=False, capture_output=True, text=True)
    assert again.returncode == 2
    assert "--replace" in again.stderr


# The schema of policies

Schema: TypeAlias = dict[str, Any]

SMALL = """\
source: {database: a.duckdb, table: a}
columns:
  zip: {role: quasi, hierarchy: suppress}
  ward: {role: other}
guarantees:
  - k_anonymity: {k: 5}
"""


@pytest.fixture(scope="module")
def schema() -> Schema:
    document: Schema = json.loads(run("schema").out)
    return document


def errors(schema: Schema, text: str) -> list[str]:
    found = Draft202012Validator(schema).iter_errors(YAML(typ="safe").load(text))
    return [error.message for error in found]


def test_the_schema_is_a_valid_schema_of_draft_2020_12(schema: Schema) -> None:
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("policy", POLICIES, ids=str)
def test_every_policy_of_the_examples_fits_the_schema(schema: Schema, policy: Path) -> None:
    assert errors(schema, (EXAMPLES / policy).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("suppress", "{intervals: [5, 2.5, {cuts: [10, 20.5], closed: true}]}"),
        ("suppress", "{intervals: [5], origin: 3}"),
        ("suppress", "{intervals: [{cuts: ['2026-01-31']}]}"),
        ("suppress", "{dates: [day, {age_band: 5, at: '2026-01-31'}]}"),
        ("suppress", "{prefixes: [4, 3]}"),
        ("suppress", '{sql: ["left(zip, 3)"]}'),
        ("suppress", "{table: zips}"),
        ("suppress", "{tree: {a: [b, {c: [d, 5]}]}}"),
        ("suppress", '{csv: a.csv, delimiter: ";"}'),
        ("suppress}", "suppress, nulls: top, uncovered: suppress}"),
        ("guarantees:", "suppression: 7\nguarantees:"),
        ("guarantees:", "suppression: 7.5 %\nguarantees:"),
        ("table: a}", "query: SELECT 1}"),
        ("guarantees:", "release: {parquet: a.parquet}\nguarantees:"),
    ],
)
def test_what_the_reader_takes_fits_the_schema(
    schema: Schema, tmp_path: Path, old: str, new: str
) -> None:
    text = SMALL.replace(old, new, 1)
    (tmp_path / "policy.yml").write_text(text, encoding="utf-8")
    read_policy(tmp_path / "policy.yml")
    assert errors(schema, text) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        *(("source:", "sorce:"), ("role: other", "rol: other"), ("role: other", "role: othr")),
        *(
            ("suppress", "supress"),
            ("suppress", "{prefixs: [3]}"),
            ("suppress", "{csv: a, d: b}"),
        ),
        *(("k_anonymity", "k_anonimity"), ("{k: 5}", "{kk: 5}"), ("{k: 5}", "{k: 1}")),
        *(("guarantees:", "goal: x\nguarantees:"), ("guarantees:", "suppression: -1\nguarantees:")),
    ],
)
def test_a_typo_does_not_fit_the_schema(schema: Schema, old: str, new: str) -> None:
    assert errors(schema, SMALL) == []
    assert errors(schema, SMALL.replace(old, new, 1)) != []


# The statements


@pytest.fixture
def clinic(tmp_path: Path) -> Clinic:
    return make_clinic(tmp_path)


@pytest.mark.parametrize("source", ["table: patients", "query: SELECT * FROM patients"])
@pytest.mark.parametrize("target", ["table", "view", "parquet", "csv"])
def test_sql_prints_what_apply_runs_statement_by_statement(
    clinic: Clinic, target: str, source: str
) -> None:
    clinic.edit(("table: patients\n", f"{source}\n"))
    clinic.release_to(f"{target}: patients_anon")
    clinic.run("plan")
    printed = clinic.run("sql").out
    on_statement: list[Statement] = []
    apply_plan(
        read_lock(lock_path(clinic.policy), read_policy(clinic.policy)),
        watch=Watch(on_statement=on_statement.append),
    )
    start = next(n for n, each in enumerate(on_statement) if each.template == "releasing/begin")
    assert printed == "\n\n".join(f"{each.text};" for each in on_statement[start:]) + "\n"


def released(clinic: Clinic, target: str) -> list[tuple[Any, ...]]:
    path = clinic.folder / "patients_anon"
    reading = {"parquet": f"read_parquet('{path}')", "csv": f"read_csv('{path}')"}
    return clinic.rows(f"SELECT * FROM {reading.get(target, 'patients_anon')}")


@pytest.mark.parametrize("target", ["table", "view", "parquet", "csv"])
def test_the_sql_pasted_into_a_bare_duckdb_gives_the_same_release(
    clinic: Clinic, target: str
) -> None:
    clinic.release_to(f"{target}: patients_anon")
    script = clinic.run("sql").out
    bare = "import sys, duckdb; duckdb.connect(sys.argv[1]).execute(sys.stdin.read())"
    subprocess.run(
        [sys.executable, "-I", "-c", bare, str(clinic.database)],
        input=script,
        text=True,
        check=True,
    )
    partial = clinic.folder / "patients_anon.sqlgen-partial"
    if partial.exists():
        partial.rename(clinic.folder / "patients_anon")
    pasted = released(clinic, target)
    assert clinic.run("apply", "--replace").code == 0
    assert pasted == released(clinic, target)
    assert len(pasted) == 6


@pytest.mark.parametrize("target", ["table", "view"])
def test_the_sql_pasted_on_data_that_breaks_the_guarantee_stops_and_changes_nothing(
    clinic: Clinic, target: str
) -> None:
    clinic.release_to(f"{target}: patients_anon")
    script = clinic.run("sql").out
    clinic.sql("INSERT INTO patients VALUES ('canary-gil', 'cz991', 770099, 'canary-flu', 'c')")
    before = clinic.state()
    with (
        duckdb.connect(str(clinic.database)) as connection,
        pytest.raises(duckdb.Error, match="nothing was changed"),
    ):
        connection.execute(script)
    assert clinic.state() == before


def test_the_sql_changes_nothing_even_in_a_client_that_goes_on_after_errors(
    clinic: Clinic,
) -> None:
    script = clinic.run("sql").out
    clinic.sql("INSERT INTO patients VALUES ('canary-gil', 'cz991', 770099, 'canary-flu', 'c')")
    before = clinic.state()
    with duckdb.connect(str(clinic.database)) as connection:
        for statement in script.split(";\n\n"):
            with suppress(duckdb.Error):
                connection.execute(statement)
    assert clinic.state() == before


def test_the_sql_means_the_same_in_whatever_folder_it_is_pasted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = build("hospital", tmp_path)
    monkeypatch.chdir(home)
    script = run("sql", "policy.yml").out
    monkeypatch.chdir(tmp_path)
    with duckdb.connect(str(home / "hospital.duckdb")) as connection:
        connection.execute(script)
        assert connection.execute("SELECT COUNT(*) FROM inpatients_anon").fetchall() == [(12,)]


# Ctrl-C


@dataclass(frozen=True)
class Interrupted:
    """A command that was interrupted, and what it left."""

    code: int
    out: str
    shown: str
    scratch: list[str]
    changed: list[str]


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A census on which each step takes a while."""
    return build("census", tmp_path_factory.mktemp("large"), "--rows", "300000")


@pytest.fixture(
    scope="module",
    params=[
        *(("plan", "staging birth_date"), ("plan", "counting cells"), ("plan", "measured 2 of")),
        ("apply", "statement 8 of"),
    ],
    ids="-".join,
)
def interrupted(
    request: pytest.FixtureRequest, large: Path, tmp_path_factory: pytest.TempPathFactory
) -> Interrupted:
    """A command that gets SIGINT as soon as its progress line shows a step."""
    name, step = request.param
    scratch = tmp_path_factory.mktemp("scratch")
    before = {path.name: path.read_bytes() for path in large.iterdir()}
    ours, theirs = pty.openpty()
    shown = b""
    with subprocess.Popen(
        command(name, str(large / "policy.yml")),
        stdout=subprocess.PIPE,
        stderr=theirs,
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(scratch)},
    ) as child:
        # Who watches for the step must be faster than the step.
        os.setpriority(os.PRIO_PROCESS, child.pid, 10)
        os.close(theirs)
        while step.encode() not in shown:
            shown += os.read(ours, 4096)
        time.sleep(0.02)  # Until the step is not only announced but under way.
        child.send_signal(signal.SIGINT)
        out = child.communicate(timeout=60)[0]
    with suppress(OSError):  # Linux says EIO once everything has been read.
        while part := os.read(ours, 4096):
            shown += part
    os.close(ours)
    after = {path.name: path.read_bytes() for path in large.iterdir()}
    return Interrupted(
        code=child.returncode,
        out=out.decode(),
        shown=shown.decode(),
        scratch=[path.name for path in scratch.iterdir()],
        changed=sorted(key for key in {*before, *after} if before.get(key) != after.get(key)),
    )


@pytest.mark.battery
def test_ctrl_c_ends_with_130(interrupted: Interrupted) -> None:
    assert interrupted.code == 130


def test_ctrl_c_is_answered_in_one_line(interrupted: Interrupted) -> None:
    assert interrupted.shown.endswith("\x1b[Ksqlgen: interrupted. Nothing was changed.\r\n")
    assert interrupted.out == ""


def test_ctrl_c_leaves_no_scratch_folder(interrupted: Interrupted) -> None:
    assert interrupted.scratch == []


def test_ctrl_c_leaves_every_file_as_it_was(interrupted: Interrupted) -> None:
    assert interrupted.changed == []


def test_after_ctrl_c_the_database_holds_its_table_alone(
    interrupted: Interrupted, large: Path
) -> None:
    tables = rows(large / "census.duckdb", "SELECT table_name FROM information_schema.tables")
    assert (interrupted.code, tables) == (130, [("people",)])
