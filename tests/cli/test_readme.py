"""The documentation holds: every command of every page runs and prints what is shown.

``make refresh-docs`` (SQLGEN_UPDATE_CONSOLE=1) writes the real output into the pages that differ;
SQLGEN_UPDATE_CONSOLE=times also where times alone do.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from console import blocks, run_page, shown_commands, trimmed, without_seconds
from sqlgen import read_policy

ROOT = Path(__file__).parents[2]
WRITTEN = (
    "README.md",
    *(f"{path.relative_to(ROOT)}" for path in sorted(ROOT.glob("docs/**/*.md"))),
)
# Commands on a page of the documentation start in a checkout; those of an example beside it.
PAGES = (
    *(page for page in WRITTEN if blocks((ROOT / page).read_text(encoding="utf-8"), "console")),
    "examples/census/README.md",
    "examples/hospital/README.md",
    "examples/hospital/ATTACKS.md",
)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The examples, where their databases and locks may be made."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=_made)
    return tmp_path


def _made(_: str, names: list[str]) -> set[str]:
    return {name for name in names if name.endswith((".duckdb", ".wal", ".parquet", "__pycache__"))}


@pytest.mark.battery
@pytest.mark.parametrize("page", PAGES)
def test_every_command_prints_what_is_shown(page: str, checkout: Path) -> None:
    markdown = (ROOT / page).read_text(encoding="utf-8")
    folder = checkout if page in WRITTEN else checkout / Path(page).parent
    update = os.environ.get("SQLGEN_UPDATE_CONSOLE", "")
    now = run_page(markdown, folder, with_times=update == "times")
    if update:
        (ROOT / page).write_text(now, encoding="utf-8")
    else:
        assert without_seconds(now) == without_seconds(markdown)


def test_a_trimmed_output_keeps_the_lines_that_correspond() -> None:
    output = "7 rows.\n  a  1\n  b  2\n  c  3\nThe policy is met.\n"
    for shown in (
        output,
        "7 rows.\n...\nThe policy is met.\n",
        "...\n  b  2\n...\n",
        "7 rows.\n...\n",
        "...\n  c  3\nThe policy is met.\n",
    ):
        assert trimmed(shown, output) == shown
    assert trimmed("8 rows.\n...\n  b  9\n...\n", output) == "7 rows.\n...\n  b  2\n...\n"
    assert trimmed("The policy is NOT met.\n", output) == output


def test_a_page_is_run_from_its_top(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    said = "```console\n$ cd sub\n$ python say.py\n{}\n```\n"
    page = '```python title="sub/say.py"\nprint("this")\n```\n' + said
    assert run_page(page.format("that"), tmp_path) == page.format("this")


def test_the_python_examples_run(checkout: Path) -> None:
    census = checkout / "examples" / "census"
    subprocess.run([sys.executable, "build.py", "--rows", "2000"], cwd=census, check=True)
    examples = blocks((ROOT / "docs/python.md").read_text(encoding="utf-8"), "python")
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(examples)],
        cwd=census,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "True" in done.stdout


def test_the_policy_that_is_shown_is_a_policy(tmp_path: Path) -> None:
    (shown,) = blocks((ROOT / "docs/policy.md").read_text(encoding="utf-8"), "yaml")
    (tmp_path / "policy.yml").write_text(shown, encoding="utf-8")
    policy = read_policy(tmp_path / "policy.yml")
    assert policy.quasi == ("zip", "age", "admitted", "sex", "education")


@pytest.mark.battery
def test_make_demo_runs_the_main_job(tmp_path: Path) -> None:
    """The recipe as it stands, in a copy; only the installation is taken as done."""
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=_made)
    (tmp_path / "bin").mkdir()
    python = tmp_path / "bin" / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    command = tmp_path / "bin" / "sqlgen"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m sqlgen "$@"\n')
    for script in (python, command):
        script.chmod(0o755)
    (tmp_path / "ready").touch()
    done = subprocess.run(
        ["make", "demo", f"VENV={tmp_path}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert "The policy is met." in done.stdout


def test_make_test_runs_pytest() -> None:
    done = subprocess.run(
        ["make", "--dry-run", "test"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "-m pytest" in done.stdout


def test_every_make_target_that_the_pages_name_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    text = "".join((ROOT / page).read_text(encoding="utf-8") for page in WRITTEN)
    named = set(re.findall(r"(?:`| {4})make ([a-z-]+)", text))
    assert named >= {"demo", "test", "battery", "lint", "docs", "refresh-docs"}
    assert [target for target in named if f"\n{target}:" not in makefile] == []


def test_the_readme_can_be_read_at_once() -> None:
    """It shows the main job, and leaves what one looks up to the pages."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(readme.splitlines()) < 200
    commands = [
        shown.command for block in blocks(readme, "console") for shown in shown_commands(block)
    ]
    assert {command.split()[1] for command in commands if command.startswith("sqlgen ")} >= {
        "check",
        "plan",
        "apply",
        "audit",
    }
