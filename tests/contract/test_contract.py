"""What sqlgen prints and publishes stays what it is: every case against its frozen files.

``pytest tests/contract --update-contract`` writes the files anew; look at their diff. Files are
those of DuckDB 2; where 1.5 rightly says something else, ``<command>.duckdb-1.5.<form>`` has that,
and an update under 1.5 writes no other files.
"""

from __future__ import annotations

import difflib
import re
from pathlib import Path

import duckdb
import pytest

from contract.cases import CASES
from contract.play import play
from contract.scenes import Case, Change, NextSecond
from every_recoding import other_recodings

pytestmark = pytest.mark.usefixtures("real_functions")

FROZEN = Path(__file__).resolve().parent
OLDEST = ".duckdb-1.5"
IS_OLDEST = duckdb.__version__.startswith("1.5.")
MOST_LINES = 60


@pytest.fixture(scope="session")
def is_update(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-contract"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_case_gives_what_is_frozen_of_it(case: Case, tmp_path: Path, is_update: bool) -> None:
    found = play(case, tmp_path)
    if is_update:
        write(FROZEN / case.name, found)
    differences = [
        difference
        for file, text in found.items()
        if (difference := compared(frozen_path(FROZEN / case.name, file), text))
    ]
    assert not differences, "\n".join(["it is not what is frozen:", *differences])


def test_every_frozen_file_is_of_a_case() -> None:
    expected = {f"{case.name}/{file}" for case in CASES for file in files_of(case)}
    stored = {
        path.relative_to(FROZEN).as_posix().replace(OLDEST, "")
        for path in FROZEN.glob("*/*")
        if path.parent.name != "__pycache__"
    }
    assert stored == expected


@other_recodings
def test_what_a_recoding_prints_and_publishes_is_frozen(recoding: str) -> None:
    """On both engines it is the same."""
    named = re.compile(rf"^recoding: {{?{recoding}\b", re.MULTILINE)
    assert any(named.search(text) for case in CASES for text in case.files.values())


def test_no_two_cases_have_one_name() -> None:
    assert len({case.name for case in CASES}) == len(CASES)


def files_of(case: Case) -> list[str]:
    """The names of the files that a case is frozen in."""
    return [
        f"{each.name}.{each.form}"
        for each in case.steps
        if not isinstance(each, Change | NextSecond)
    ]


def variant(folder: Path, file: str) -> Path:
    """The file of what DuckDB 1.5 says otherwise."""
    name, _, form = file.rpartition(".")
    return folder / f"{name}{OLDEST}.{form}"


def frozen_path(folder: Path, file: str) -> Path:
    """The file that an output is held against."""
    other = variant(folder, file)
    return other if IS_OLDEST and other.exists() else folder / file


def compared(path: Path, text: str) -> str:
    """The beginning of the difference between a frozen file and an output; empty if none."""
    frozen = path.read_text(encoding="utf-8") if path.exists() else ""
    if path.exists() and frozen == text:
        return ""
    name = f"{path.parent.name}/{path.name}"
    lines = [
        *difflib.unified_diff(frozen.splitlines(), text.splitlines(), name, "now", lineterm="")
    ]
    if not lines:
        lines = [f"{name}: only its ends of lines differ, or it does not exist"]
    more = len(lines) - MOST_LINES
    return "\n".join([*lines[:MOST_LINES], *([f"... and {more} more lines"] if more > 0 else [])])


def write(folder: Path, found: dict[str, str]) -> None:
    """Write what was found: the files themselves, or under the oldest DuckDB what differs."""
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        if path.name.replace(OLDEST, "") not in found:
            path.unlink()
    for file, text in found.items():
        other = variant(folder, file)
        if not IS_OLDEST:
            (folder / file).write_text(text, encoding="utf-8", newline="")
        elif (folder / file).exists() and (folder / file).read_text(encoding="utf-8") == text:
            other.unlink(missing_ok=True)
        else:
            other.write_text(text, encoding="utf-8", newline="")
