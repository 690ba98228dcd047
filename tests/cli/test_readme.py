"""The README and the examples' READMEs hold: every command runs and prints what is shown.

SQLGEN_UPDATE_README=1 writes the real output into the files.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from console import blocks, run_block, shown_commands, without_seconds
from sqlgen import read_policy

ROOT = Path(__file__).parents[2]
PAGES = (
    "README.md",
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


@pytest.mark.parametrize("page", PAGES)
def test_every_command_prints_what_is_shown(page: str, checkout: Path) -> None:
    markdown = (ROOT / page).read_text(encoding="utf-8")
    folder = checkout / Path(page).parent
    now = markdown
    for block in blocks(markdown, "console"):
        output, folder = run_block(block, folder)
        now = now.replace(f"```console\n{block}```", f"```console\n{output}```")
    if os.environ.get("SQLGEN_UPDATE_README"):
        (ROOT / page).write_text(now, encoding="utf-8")
    else:
        assert without_seconds(now) == without_seconds(markdown)


def test_the_python_example_runs(checkout: Path) -> None:
    census = checkout / "examples" / "census"
    subprocess.run([sys.executable, "build.py", "--rows", "2000"], cwd=census, check=True)
    (example,) = blocks((ROOT / "README.md").read_text(encoding="utf-8"), "python")
    done = subprocess.run(
        [sys.executable, "-c", example], cwd=census, capture_output=True, text=True, check=True
    )
    assert "True" in done.stdout


def test_the_policy_that_is_shown_is_a_policy(tmp_path: Path) -> None:
    (shown,) = blocks((ROOT / "README.md").read_text(encoding="utf-8"), "yaml")
    (tmp_path / "policy.yml").write_text(shown, encoding="utf-8")
    policy = read_policy(tmp_path / "policy.yml")
    assert policy.quasi == ("zip", "age", "admitted", "sex", "education")


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


def test_every_make_target_and_file_that_the_readme_names_exists() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in ("demo", "test", "lint"):
        assert f"make {target}" in readme
        assert f"\n{target}:" in makefile
    for named in ("policy/declared.py", "hierarchies/rules.py", "staging.py", "measure.py"):
        assert named in readme
        assert (ROOT / "sqlgen" / named).exists()


def test_each_readme_command_is_in_a_console_block_or_a_make_target() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = [
        shown.command for block in blocks(readme, "console") for shown in shown_commands(block)
    ]
    assert {command.split()[1] for command in commands if command.startswith("sqlgen ")} >= {
        "check",
        "plan",
        "apply",
        "audit",
    }
