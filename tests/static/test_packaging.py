"""What a user installs: the wheel holds the templates, and the command runs from it."""

import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, unpacked as an installation would."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir"]
    subprocess.run([*build, str(folder), str(ROOT)], check=True)
    (wheel,) = folder.glob("sqlgen_anonymizer-*.whl")
    with zipfile.ZipFile(wheel) as content:
        content.extractall(folder / "site")
    return folder / "site"


def test_the_wheel_holds_every_template_and_the_type_marker(installed: Path) -> None:
    templates = {path.relative_to(ROOT) for path in (ROOT / "templates").rglob("*.jinja")}
    assert templates
    for template in templates:
        assert (installed / "sqlgen" / template).is_file()
    assert (installed / "sqlgen" / "py.typed").is_file()


def test_the_command_runs_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sqlgen", "schema"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(installed)},
    )
    assert '"guarantees"' in done.stdout


def test_the_package_metadata_pins_no_version() -> None:
    lines = (ROOT / "pyproject.toml").read_text(encoding="utf-8").splitlines()
    start = lines.index("dependencies = [")
    listed = lines[start + 1 : lines.index("]", start)]
    assert listed
    assert all(">=" in line and "==" not in line and "<" not in line for line in listed)


def test_the_package_names_the_systems_on_which_all_of_it_works() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        classifiers = tomllib.load(file)["project"]["classifiers"]
    systems = {each for each in classifiers if each.startswith("Operating System")}
    assert systems == {"Operating System :: MacOS", "Operating System :: POSIX :: Linux"}


def test_the_wheel_holds_what_the_page_is_made_of(installed: Path) -> None:
    for part in ("page.html.jinja", "page.css"):
        assert (installed / "sqlgen" / "reports" / part).is_file()
