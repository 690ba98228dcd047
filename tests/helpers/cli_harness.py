"""A clinic to run commands in: a folder with a policy and a database whose values are canaries.

Every value of the table is spelled so that no message could hold it by chance; digests may.
"""

from __future__ import annotations

import ctypes
import os
import re
import resource
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
from click.testing import CliRunner

from sqlgen.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"

# Two classes of three on (four characters of zip, age in tens); every row alone on the values.
ROWS = (
    ("canary-ada", "cz111", 770011, "canary-flu", "canary-red"),
    ("canary-bob", "cz112", 770012, "canary-flu", "canary-red"),
    ("canary-cal", "cz113", 770013, "canary-gout", "canary-blue"),
    ("canary-dee", "cz121", 770021, "canary-gout", "canary-blue"),
    ("canary-eva", "cz122", 770022, "canary-ulcer", "canary-pink"),
    ("canary-flo", "cz123", 770023, "canary-ulcer", "canary-pink"),
)
CANARIES = ("canary-", "cz1", "7700", "cq9")
# Ids of runs (eight hexadecimal digits), digests and fractions of seconds: one in some thousand has
# 7700 among its digits. No value of the table has eight digits or more.
CHANCE = re.compile(r"\b[0-9a-f]{8}\b|\b(?=\d*[a-f])[0-9a-f]{12,}\b|(?<=\d\.)\d+")

POLICY = """\
source:
  database: clinic.duckdb
  table: patients
columns:
  name: {role: identifier}
  zip: {role: quasi, hierarchy: {prefixes: [4, 3]}}
  age: {role: quasi, hierarchy: {intervals: [10]}}
  disease: {role: sensitive}
  ward: {role: other}
guarantees:
  - k_anonymity: {k: 3}
release:
  table: patients_anon
"""


@dataclass(frozen=True)
class Ran:
    """What a command left: its exit code and its two streams."""

    code: int
    out: str
    err: str

    @property
    def text(self) -> str:
        """Everything that was printed."""
        return self.out + self.err


@dataclass(frozen=True)
class Clinic:
    """The folder; ``policy.yml`` and ``clinic.duckdb`` are in it."""

    folder: Path
    policy: Path = field(init=False)
    database: Path = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "policy", self.folder / "policy.yml")
        object.__setattr__(self, "database", self.folder / "clinic.duckdb")

    def edit(self, *changes: tuple[str, str]) -> None:
        """Replace text in the policy; each text must be there."""
        text = self.policy.read_text(encoding="utf-8")
        for old, new in changes:
            assert old in text
            text = text.replace(old, new, 1)
        self.policy.write_text(text, encoding="utf-8")

    def release_to(self, target: str) -> None:
        """Name another release."""
        self.edit(("table: patients_anon", target))

    def sql(self, *statements: str) -> None:
        """Change the database."""
        with duckdb.connect(str(self.database)) as connection:
            for statement in statements:
                connection.execute(statement)

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        with duckdb.connect(str(self.database), read_only=True) as connection:
            return connection.execute(query).fetchall()

    def state(self) -> Mapping[str, object]:
        """Every file of the folder and every row of the database."""
        content: dict[str, object] = {
            path.name: path.read_bytes()
            for path in self.folder.iterdir()
            if path.is_file() and path != self.database
        }
        content["folder"] = sorted(path.name for path in self.folder.iterdir())
        if self.database.is_file():
            content["tables"] = self.tables()
        return content

    def tables(self) -> Mapping[str, object]:
        """Every table and view, with its columns and rows."""
        try:
            connection = duckdb.connect(str(self.database), read_only=True)
        except duckdb.Error:
            return {"bytes": self.database.read_bytes()}
        with connection:
            found = connection.execute(
                "SELECT table_schema, table_name, table_type FROM information_schema.tables "
                "ORDER BY ALL"
            ).fetchall()
            return {
                f"{schema}.{table} {kind}": (
                    connection.execute(f'DESCRIBE "{schema}"."{table}"').fetchall(),
                    connection.execute(f'SELECT * FROM "{schema}"."{table}"').fetchall(),
                )
                for schema, table, kind in found
            }

    def run(self, command: str, *options: str) -> Ran:
        """A command on the policy, in this process."""
        return run(command, str(self.policy), *options)


def make_clinic(folder: Path) -> Clinic:
    """A clinic in a folder of its own."""
    home = folder / "clinic"
    home.mkdir()
    clinic = Clinic(home)
    clinic.policy.write_text(POLICY, encoding="utf-8")
    clinic.sql(
        "CREATE TABLE patients (name VARCHAR, zip VARCHAR, age INTEGER, disease VARCHAR, "
        "ward VARCHAR)",
        f"INSERT INTO patients VALUES {', '.join(map(str, ROWS))}",
    )
    return clinic


def run(*arguments: str) -> Ran:
    """A command in this process; an exception that is not an exit fails the test."""
    result = CliRunner().invoke(main, list(arguments), catch_exceptions=False)
    return Ran(result.exit_code, result.stdout, result.stderr)


def command(*arguments: str) -> list[str]:
    """The command line of a process of its own."""
    return [sys.executable, "-m", "sqlgen", *arguments]


def spawn(
    *arguments: str,
    environment: Mapping[str, str] | None = None,
    before: Callable[[], None] | None = None,
    seconds: float = 60,
) -> Ran:
    """A command in a process of its own, which fails the test where it takes too long."""
    done = subprocess.run(
        command(*arguments),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        cwd=ROOT,
        env={**os.environ, **(environment or {})},
        preexec_fn=before,
        timeout=seconds,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def as_ordinary_user() -> None:
    """Where root runs the tests, make permissions count in this process and what it becomes.

    Another user id could not enter a checkout of root's, so two capabilities are given up instead.
    """
    if os.geteuid() == 0:
        dac_override, dac_read_search, prctl_capbset_drop = 1, 2, 24
        libc = ctypes.CDLL(None, use_errno=True)
        for capability in (dac_override, dac_read_search):
            if libc.prctl(prctl_capbset_drop, capability, 0, 0, 0):
                raise OSError(ctypes.get_errno(), "root cannot give up a capability")


def with_files_of_at_most(size: int) -> Callable[[], None]:
    """A disk that is full: no file of the process grows beyond so many bytes."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def shows_no_canary(text: str) -> bool:
    """Whether a text holds no value of the clinic's table, but by chance."""
    return not any(canary in CHANCE.sub("", text.lower()) for canary in CANARIES)


def told(error: BaseException) -> str:
    """Everything that an exception, and what hangs on it, could print."""
    linked = [each for each in (error.__cause__, error.__context__) if each is not None]
    notes = getattr(error, "__notes__", [])
    return "\n".join([f"{error!s} {error!r} {vars(error)!r} {notes}", *map(told, linked)])


ZIPS = "cz111,cz11,*\ncz112,cz11,*\ncz113,cz11,*\ncz121,cz12,*\ncz122,cz12,*\ncz123,cz12,*\n"
OTHER_ZIP = "{prefixes: [4, 3]}"


def listed(lines: str, encoding: str = "utf-8") -> Callable[[Clinic], None]:
    """Take the hierarchy of zip from a file with these lines."""

    def prepare(clinic: Clinic) -> None:
        (clinic.folder / "zips.csv").write_bytes(lines.encode(encoding))
        clinic.edit((OTHER_ZIP, "{csv: zips.csv}"))

    return prepare


def database(*statements: str) -> Callable[[Clinic], None]:
    return lambda clinic: clinic.sql(*statements)


def policy(*changes: tuple[str, str]) -> Callable[[Clinic], None]:
    return lambda clinic: clinic.edit(*changes)


def both(*steps: Callable[[Clinic], object]) -> Callable[[Clinic], None]:
    def prepare(clinic: Clinic) -> None:
        for step in steps:
            step(clinic)

    return prepare


@dataclass(frozen=True)
class Case:
    """What is wrong, and what is to be said about it."""

    name: str
    prepare: Callable[[Clinic], object]
    code: int
    message: str
    commands: tuple[str, ...] = ("plan", "apply")


TARGET = ("sql", "apply")
CASES = [
    Case("no database", lambda c: c.database.unlink(), 2, "2: source.database: there is no such"),
    Case("no table", database("DROP TABLE patients"), 2, "3: source.table: the database has no ta"),
    Case(
        "no column", database("ALTER TABLE patients DROP ward"), 2, "9: columns.ward: the source "
    ),
    Case(
        "unlisted column",
        database("ALTER TABLE patients ADD referrer VARCHAR DEFAULT 'cq9'"),
        2,
        "4: columns: the source has columns that the policy does not mention: referrer.",
    ),
    Case(
        "uncovered value",
        both(
            listed(ZIPS),
            database("INSERT INTO patients SELECT * REPLACE ('cq9' AS zip) FROM patients"),
        ),
        2,
        "6: columns.zip.hierarchy: 1 distinct value (6 rows) of zip",
    ),
    Case(
        "not nested", listed(ZIPS.replace("*", "?", 1)), 2, "6: columns.zip.hierarchy: levels mus"
    ),
    Case("listed twice", listed(f"{ZIPS}cz111,cz12,*\n"), 2, "6: columns.zip.hierarchy: 1 value "),
    Case(
        "ragged list", listed(f"{ZIPS}cq9,cz11\n"), 2, "6: columns.zip.hierarchy: zips.csv cannot"
    ),
    Case("empty list", listed(""), 2, "6: columns.zip.hierarchy: zips.csv has no lines"),
    Case(
        "list not in UTF-8", listed(f"{ZIPS}cq9-é,é,*\n", "cp1252"), 2, "6: columns.zip.hierarchy"
    ),
    Case(
        "no list", policy((OTHER_ZIP, "{csv: z.csv}")), 2, "6: columns.zip.hierarchy: there is no "
    ),
    Case(
        "no list table", policy((OTHER_ZIP, "{table: z}")), 2, "6: columns.zip.hierarchy: the datab"
    ),
    Case(
        "list of another type",
        both(
            listed(ZIPS),
            policy(("{csv: zips.csv}", OTHER_ZIP), ("{intervals: [10]}", "{csv: zips.csv}")),
        ),
        2,
        "7: columns.age.hierarchy: ",
    ),
    Case(
        "rule of another type",
        policy(("[10]", "[10]"), ("intervals: [10]", "dates: [year]")),
        2,
        "7: columns.age.hierarchy: dates need a date",
    ),
    Case(
        "typo", policy(("release:", "relese:")), 2, "12: relese: unknown key; did you mean release"
    ),
    Case(
        "Windows encoding",
        lambda c: c.policy.write_bytes(f"{POLICY}# é\n".encode("cp1252")),
        2,
        "14: the file is not UTF-8 text. Save it as UTF-8",
    ),
    Case(
        "two statements",
        policy(("table: patients\n", "query: SELECT 1; SELECT 2\n")),
        2,
        "3: source.query: write one SELECT",
    ),
    Case(
        "query fails",
        policy(
            ("table: patients\n", "query: SELECT * REPLACE (zip::INTEGER AS zip) FROM patients\n")
        ),
        4,
        "the database refused staging/source",
    ),
    Case(
        "expression fails",
        policy((OTHER_ZIP, '{sql: ["zip::INTEGER"]}')),
        2,
        "6: columns.zip.hierarchy: the database cannot run sql on every value",
    ),
    Case(
        "not a database",
        lambda c: c.database.write_bytes(b"canary-" * 999),
        3,
        "2: source.database: not a database that DuckDB can open",
    ),
    Case(
        "target exists",
        database("CREATE TABLE patients_anon AS SELECT 'cq9' AS x"),
        3,
        "13: release.table: main.patients_anon exists already.",
        TARGET,
    ),
    Case(
        "file exists",
        both(
            policy(("table: patients_anon", "csv: out.csv")),
            lambda c: (c.folder / "out.csv").write_text("cq9"),
        ),
        3,
        "13: release.csv: the file exists al",
        TARGET,
    ),
    Case(
        "onto its source",
        policy(("patients_anon", "patients")),
        2,
        "13: release.table: the release would take the place of its own source",
        TARGET,
    ),
    Case(
        "no folder",
        policy(("table: patients_anon", "csv: a/b.csv")),
        2,
        "13: release.csv: there is no folder",
        TARGET,
    ),
    Case("no schema", policy(("patients_anon", "nowhere.p")), 2, "13: release.table: ", ("apply",)),
    Case(
        "a NUL in a path",
        policy(("table: patients_anon", 'csv: "a\\0b"')),
        2,
        "13: release.csv: ",
        TARGET,
    ),
    Case(
        "more digits than a decimal has",
        policy(("[10]", f"[0.{'0' * 40}1]")),
        2,
        "7: columns.age.hierarchy",
    ),
    Case(
        "no release",
        policy(("release:\n  table: patients_anon\n", "")),
        2,
        "release: name a rele",
        TARGET,
    ),
]
