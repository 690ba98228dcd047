"""What a case of the contract is: a folder with a database and a policy, and what is done there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
EXAMPLES = TESTS.parent / "examples"


@dataclass(frozen=True)
class Command:
    """A command line of sqlgen, whose exit code, stdout and stderr are frozen under a name."""

    name: str
    line: str

    @property
    def form(self) -> str:
        """The form of its stdout: json, sql or txt."""
        if "--json" in self.line or "--log json" in self.line:
            return "json"
        return "sql" if self.line.startswith("sql ") else "txt"


@dataclass(frozen=True)
class Rows:
    """A query, whose column names, types and rows are frozen under a name, in their order."""

    name: str
    query: str
    form: str = "txt"


@dataclass(frozen=True)
class Text:
    """A file of the folder, whose text is frozen under a name."""

    name: str
    path: str
    form: str = "txt"


@dataclass(frozen=True)
class Files:
    """The names of all files of the folder, frozen under a name."""

    name: str
    form: str = "txt"


@dataclass(frozen=True)
class Change:
    """Statements that change the database between two commands."""

    sql: str


@dataclass(frozen=True)
class NextSecond:
    """A wait until the clock shows another second: timestamped names have whole seconds."""


Frozen = Command | Rows | Text | Files
Step = Frozen | Change | NextSecond


@dataclass(frozen=True)
class Case:
    """A folder with ``clinic.duckdb``, made by statements, with files, and steps in it."""

    name: str
    database: str
    files: Mapping[str, str]
    steps: Sequence[Step] = field(default_factory=tuple)
    # A database whose statements read session variables has their values here.
    variables: Mapping[str, int] = field(default_factory=dict)


def plan_and_apply(policy: str = "policy.yml", rows: str = "") -> list[Step]:
    """The first half of a release: its plan, lock and script, and the released rows."""
    return [
        Command("plan", f"plan {policy} --json"),
        Text("lock", policy.replace(".yml", ".lock")),
        Command("sql", f"sql {policy}"),
        Command("apply", f"apply {policy} --json"),
        *([Rows("released", rows)] if rows else []),
        Command("audit", f"audit {policy} --json"),
    ]


def searches(policy: str = "policy.yml", vary: str = "") -> list[Step]:
    """The commands that search and write nothing."""
    varied = f" --vary {vary}" if vary else ""
    return [
        Command("minimal", f"minimal {policy} --json"),
        Command("frontier", f"frontier {policy}{varied} --json"),
        Command("explain", f"explain {policy} --json"),
    ]


def reports(policy: str = "policy.yml") -> list[Step]:
    """The report, a scheduled run after it, and what the ledger knows then."""
    return [
        Command("report", f"report {policy} --json"),
        Command("run", f"run {policy} --log json"),
        Command("history", f"history {policy} --json"),
    ]


def everything(policy: str = "policy.yml", rows: str = "", vary: str = "") -> list[Step]:
    """Every command that works on a policy, in the order in which they would be used."""
    return [*plan_and_apply(policy, rows), *searches(policy, vary), *reports(policy)]
