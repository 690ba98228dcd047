"""The map of the tests: every file stands in tests/README.md, under its folder."""

from __future__ import annotations

import ast
import pkgutil
import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
FILES = sorted(path for path in TESTS.rglob("*.py") if path.parent != TESTS)


def named() -> set[str]:
    """The files that the map names, by folder and name."""
    sections = re.split(r"^## ", (TESTS / "README.md").read_text(encoding="utf-8"), flags=re.M)
    return {
        f"{folder.strip()}/{file}"
        for folder, _, text in (section.partition("\n") for section in sections[1:])
        for line in re.findall(r"^- .*", text, flags=re.M)
        for file in re.findall(r"`(\w+\.py)`", line)
    }


def test_the_map_names_every_file_and_no_other() -> None:
    assert named() == {path.relative_to(TESTS).as_posix() for path in FILES}


def test_every_folder_of_units_is_a_room() -> None:
    rooms = {path.stem for path in (TESTS.parent / "sqlgen").iterdir()}
    assert {path.name for path in (TESTS / "unit").iterdir() if path.is_dir()} <= rooms


def test_no_file_imports_a_test_file() -> None:
    """What tests share is in helpers, so that a test can be moved, and be gone."""
    importing = {
        path.name
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for module in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
        )
        if module.rpartition(".")[2].startswith("test_")
    }
    assert importing == set()


def test_no_two_test_files_have_one_name() -> None:
    names = [path.name for path in FILES]
    assert sorted(set(names)) == sorted(names)


def is_there(name: str) -> bool:
    try:
        pkgutil.resolve_name(name)
    except (ImportError, AttributeError):
        return False
    return True


def test_every_part_of_sqlgen_that_a_test_names_is_there() -> None:
    """What is patched by its name is found when its test runs, and that may be in the battery."""
    named = {
        (path.name, name)
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        for name in re.findall(r"\bsqlgen(?:\.[A-Za-z_]+)+\b", node.value)
        # Importing that runs the command; a name that ends so is what a prompt completes.
        if not name.startswith("sqlgen.__main__") and not name.endswith("_")
    }
    assert {(file, name) for file, name in named if not is_there(name)} == set()
