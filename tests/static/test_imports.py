"""Imports go one way, over the rows of rooms drawn here; read from the source, nothing is run."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "sqlgen"
FILES = {
    path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
    for path in sorted(PACKAGE.rglob("*.py"))
}

# A file imports from lower rows or from its own room.
ROWS = """
    12  cli
    11  reports
    10  releasing
     9  planning auditing history
     8  recodings ledger
     7  measuring
     6  staging
     5  judging
     4  policy
     3  guarantees hierarchies metrics
     2  engines search
     1  sql files display
     0  errors wording
"""
ROW_OF = {
    room: int(number)
    for number, *rooms in (line.split() for line in ROWS.strip().splitlines())
    for room in rooms
}
# The public names of every room, and ``python -m sqlgen``.
ROOT_FILES = {"__init__.py", "__main__.py", "errors.py", "wording.py"}

HEAVY = ("duckdb", "pandas", "pydantic", "sqlglot", "ruamel")


def room_of(file: str) -> str:
    return file.partition("/")[0].removesuffix(".py")


def modules_imported(tree: ast.AST) -> Iterator[str]:
    """The modules that a file names in imports, lazy ones and those for types among them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def rooms_imported(file: str) -> set[str]:
    modules = [module.split(".") for module in modules_imported(FILES[file])]
    return {parts[1] for parts in modules if parts[0] == "sqlgen" and len(parts) > 1}


def test_the_root_holds_four_files_and_the_rooms() -> None:
    assert {file for file in FILES if "/" not in file} == ROOT_FILES
    assert {room_of(file) for file in FILES} - {"__init__", "__main__"} == ROW_OF.keys()


def test_a_file_imports_from_lower_rows_or_its_own_room() -> None:
    wrong = {
        f"{file} (row {ROW_OF[room_of(file)]}) imports {room} (row {ROW_OF[room]})"
        for file in FILES
        if room_of(file) in ROW_OF
        for room in rooms_imported(file) - {room_of(file)}
        if ROW_OF.get(room, 99) >= ROW_OF[room_of(file)]
    }
    assert wrong == set()


def test_the_search_knows_neither_sql_nor_engines() -> None:
    searching = [file for file in FILES if room_of(file) == "search"]
    assert {room for file in searching for room in rooms_imported(file)} == {"search"}
    libraries = {
        module.split(".")[0] for file in searching for module in modules_imported(FILES[file])
    }
    assert libraries & {"duckdb", "sqlglot", "jinja2"} == set()


@pytest.mark.parametrize(
    ("library", "rooms"),
    [
        ("duckdb", {"engines"}),
        ("jinja2", {"sql", "reports"}),
        ("sqlglot", {"sql", "engines"}),
        ("click", {"cli"}),
        ("matplotlib", {"reports"}),
    ],
)
def test_a_library_is_imported_in_its_own_room_alone(library: str, rooms: set[str]) -> None:
    importing = {
        room_of(file)
        for file, tree in FILES.items()
        if any(module.split(".")[0] == library for module in modules_imported(tree))
    }
    assert importing == rooms


def test_no_two_classes_have_one_name() -> None:
    places: dict[str, list[str]] = {}
    for file, tree in FILES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(file)
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


def imported_at_once(body: list[ast.stmt]) -> Iterator[str]:
    """The modules that importing a file imports: not those in functions or for types alone."""
    for node in body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from modules_imported(node)
        elif isinstance(node, ast.If) and "TYPE_CHECKING" not in ast.unparse(node.test):
            yield from imported_at_once([*node.body, *node.orelse])
        elif isinstance(node, (ast.ClassDef, ast.Try, ast.With)):
            yield from imported_at_once(node.body)


def test_pandas_is_imported_when_it_is_needed() -> None:
    assert {
        file
        for file, tree in FILES.items()
        if any(
            module.split(".")[0] in ("pandas", "numpy") for module in imported_at_once(tree.body)
        )
    } == set()


def test_a_function_fits_a_screen() -> None:
    """A file's length follows from its subject; what has to be read at once is a function."""
    lines = {
        f"{file.removesuffix('.py')}.{node.name}": (node.end_lineno or 0) - node.lineno + 1
        for file, tree in FILES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    }
    too_long = {name: length for name, length in lines.items() if length > 60}
    assert too_long == {}


def test_every_module_says_what_it_is() -> None:
    first_lines = {
        file: (ast.get_docstring(tree) or "").partition("\n")[0] for file, tree in FILES.items()
    }
    assert [file for file, line in first_lines.items() if not line.endswith((".", ":"))] == []


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


def test_a_plan_imports_neither_a_parser_of_sql_nor_what_releases() -> None:
    imports = "import sys, sqlgen.cli.text.results, sqlgen.planning.plan; print(*sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", imports], capture_output=True, text=True, check=True, cwd=ROOT
    )
    modules = run.stdout.split()
    assert "sqlgen.sql.expression" in modules
    heavy = ("sqlglot", "sqlgen.releasing", "sqlgen.auditing", "sqlgen.history", "sqlgen.reports")
    assert [module for module in modules if module.startswith(heavy)] == []
