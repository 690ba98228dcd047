"""Imports go one way, and only as far as needed; read from the source, nothing is run."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "sqlgen"
FILES = sorted(PACKAGE.rglob("*.py"))

# A room is a file or a package of sqlgen; it imports from rows above its own in this list.
ROWS = (
    ("errors", "wording"),
    ("destinations", "locks"),
    ("lattice", "sql", "numbers", "hive", "durable"),
    ("packing",),
    ("metrics",),
    ("hierarchies", "models", "engines"),
    ("policy", "catalog", "judge", "expressions"),
    ("beside", "connection"),
    ("definition", "windows", "asked", "recorded", "frames", "selection"),
    ("obstacles",),
    ("definition_change", "source", "whereabouts"),
    ("in_place",),
    ("dependents",),
    ("copied", "told", "leavings"),
    ("scrub",),
    ("ladders", "references"),
    ("leaves", "slopes"),
    ("people", "coarse", "wide"),
    ("sensitive", "shown"),
    ("lacking",),
    ("staging", "every_fault"),
    ("measure",),
    ("tally",),
    ("queries",),
    ("search", "measured", "recodings", "fingerprints"),
    ("trial", "together"),
    (
        "empty_columns",
        "mend",
        "persons",
        "exposure",
        "ledger",
        "lost",
        "spread",
        "differences",
        "combinations",
        "uniqueness",
        "masking",
        "ruled_out",
    ),
    ("unread", "other_ledgers", "origins", "repeated"),
    ("dated", "replaced"),
    ("increment", "reread"),
    ("drift",),
    ("placed",),
    ("plan", "audit", "check", "minimal", "frontier", "joint"),
    ("lock", "file_target", "explain", "partitions", "refusal"),
    ("folder_target",),
    ("target", "release", "published"),
    ("naming",),
    ("script", "evidence"),
    ("prepare",),
    ("apply", "standing"),
    ("run",),
    ("uniqueness_text",),
    ("report", "pages", "history"),
    ("searched", "terminal", "handout"),
    ("reporting", "releasing"),
    ("cli",),
)
ROW_OF = {room: number for number, rooms in enumerate(ROWS) for room in rooms}
# Its names are the public ones of every room, and its own module is what runs them.
PUBLIC = {"__init__", "__main__"}

HEAVY = ("duckdb", "pandas", "pydantic", "sqlglot", "ruamel")


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(tree: ast.AST) -> Iterator[str]:
    """The modules that a file names in imports, lazy ones and those for types among them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def named(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


@pytest.mark.parametrize("path", FILES, ids=named)
def test_every_file_has_a_row(path: Path) -> None:
    assert room_of(path) in ROW_OF or room_of(path) in PUBLIC


@pytest.mark.parametrize("path", [path for path in FILES if room_of(path) not in PUBLIC], ids=named)
def test_a_file_imports_from_lower_rows_or_its_own_package(path: Path) -> None:
    own = room_of(path)
    rooms = {
        module.split(".")[1]
        for module in imported(parsed(path))
        if module.startswith("sqlgen.") and module.split(".")[1] != own
    }
    assert {room for room in rooms if ROW_OF[room] >= ROW_OF[own]} == set()


def test_the_search_knows_neither_sql_nor_engines() -> None:
    allowed = {"sqlgen.lattice", "sqlgen.search"}
    for path in (PACKAGE / "search").glob("*.py"):
        for module in imported(parsed(path)):
            assert not module.startswith(("sqlgen.sql", "sqlgen.engines", "duckdb", "sqlglot"))
            if module.startswith("sqlgen."):
                assert ".".join(module.split(".")[:2]) in allowed, named(path)


@pytest.mark.parametrize(
    ("library", "rooms"),
    [
        ("duckdb", {"engines"}),
        ("jinja2", {"sql", "handout"}),
        ("sqlglot", {"sql"}),
        ("click", {"cli", "terminal", "reporting", "releasing"}),
        ("matplotlib", {"handout"}),
    ],
)
def test_a_library_is_imported_in_its_own_room_alone(library: str, rooms: set[str]) -> None:
    found = {
        room_of(path)
        for path in FILES
        if any(module.split(".")[0] == library for module in imported(parsed(path)))
    }
    assert found == rooms


def imported_at_once(body: list[ast.stmt]) -> Iterator[str]:
    """The modules that importing a file imports: not those in functions or for types alone."""
    for node in body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from imported(node)
        elif isinstance(node, ast.If) and "TYPE_CHECKING" not in ast.unparse(node.test):
            yield from imported_at_once([*node.body, *node.orelse])
        elif isinstance(node, (ast.ClassDef, ast.Try, ast.With)):
            yield from imported_at_once(node.body)


@pytest.mark.parametrize("path", FILES, ids=named)
def test_pandas_is_imported_when_it_is_needed(path: Path) -> None:
    modules = list(imported_at_once(parsed(path).body))
    assert not any(module.split(".")[0] in ("pandas", "numpy") for module in modules)


# Functions that were longer than a screen when the limit came, with their lines: none may grow.
LONG = {
    "audit.audit_table": 110,
    "check.check_table": 61,
    "plan.describe_plan": 77,
    "prepare.prepare": 61,
    "recodings/full_domain.release_sql": 66,
    "script._audit_sql": 74,
    "together.stage_releases": 61,
    "wide.stage_wide": 61,
}


def test_a_function_fits_a_screen_or_does_not_grow() -> None:
    """A file's length follows from its subject; what has to be read at once is a function."""
    lines = {
        f"{named(path).removesuffix('.py')}.{node.name}": (node.end_lineno or 0) - node.lineno + 1
        for path in FILES
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.FunctionDef)
    }
    too_long = {name: length for name, length in lines.items() if length > LONG.get(name, 60)}
    assert too_long == {}
    assert LONG.keys() <= lines.keys()


@pytest.mark.parametrize("path", FILES, ids=named)
def test_every_module_says_what_it_is(path: Path) -> None:
    docstring = ast.get_docstring(parsed(path))
    assert docstring
    assert docstring.splitlines()[0].endswith((".", ":"))


def modules_of(arguments: list[str]) -> set[str]:
    """The modules that a run of the command imports, as Python itself reports them."""
    command = [sys.executable, "-X", "importtime", "-m", "sqlgen", *arguments]
    run = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    timed = [line for line in run.stderr.splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip() for line in timed}


@pytest.mark.parametrize("arguments", [["--help"], ["plan", "--help"]], ids=" ".join)
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    modules = modules_of(arguments)
    assert "click" in modules
    assert sorted(module for module in modules if module.split(".")[0] in HEAVY) == []
