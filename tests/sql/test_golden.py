"""The SQL of each template at one representative input, for the reviewer's eye.

A golden file shows a change; it proves nothing. SQLGEN_UPDATE_GOLDEN=1 writes them anew.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
import sqlglot
from jinja2 import Template

from whole_runs import (
    run_everything,
)

GOLDEN = Path(__file__).parent / "golden"
TEMPLATES = sorted(
    path.relative_to(GOLDEN.parents[2] / "templates").as_posix().removesuffix(".sql.jinja")
    for path in (GOLDEN.parents[2] / "templates").rglob("*.sql.jinja")
)


@pytest.fixture(scope="module")
def rendered(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What each template gave when it was rendered first."""
    folder = tmp_path_factory.mktemp("golden")
    found: dict[str, str] = {}
    render = Template.render

    def recorded(template: Template, *values: Any, **more: Any) -> str:
        text = render(template, *values, **more)
        called = str(template.name).removesuffix(".sql.jinja")
        found.setdefault(called, str(text).strip().replace(str(folder), "/folder") + "\n")
        return text

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Template, "render", recorded)
        patch.setattr("sqlgen.ledger.ledger.version", lambda _: "0.0.0")
        run_everything(folder)
    return found


def golden(template: str) -> Path:
    return GOLDEN / f"{template.replace('/', '_')}.sql"


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_template_gives_its_golden_sql(template: str, rendered: dict[str, str]) -> None:
    if os.environ.get("SQLGEN_UPDATE_GOLDEN") == "1":
        GOLDEN.mkdir(exist_ok=True)
        golden(template).write_text(rendered[template], encoding="utf-8")
    assert rendered[template] == golden(template).read_text(encoding="utf-8")


def test_every_golden_file_is_of_a_template() -> None:
    assert {path.name for path in GOLDEN.iterdir()} == {golden(each).name for each in TEMPLATES}


def test_no_template_is_too_long_to_be_read() -> None:
    for path in (GOLDEN.parents[2] / "templates").rglob("*.jinja"):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 80, path.name


@pytest.mark.parametrize("template", [each for each in TEMPLATES if each.startswith("measuring/")])
def test_measuring_statements_are_parsed_by_sqlglot(template: str) -> None:
    parsed = sqlglot.parse(golden(template).read_text(encoding="utf-8"), dialect="duckdb")
    assert len(parsed) == 1
