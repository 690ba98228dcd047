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

from whole_runs import run_everything

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


# One test, for each worker of pytest that has one of several would render everything again.
def test_every_template_gives_its_golden_sql(rendered: dict[str, str]) -> None:
    if os.environ.get("SQLGEN_UPDATE_GOLDEN") == "1":
        GOLDEN.mkdir(exist_ok=True)
        for template in TEMPLATES:
            golden(template).write_text(rendered[template], encoding="utf-8")
    shown = {template: golden(template).read_text(encoding="utf-8") for template in TEMPLATES}
    assert {template: rendered.get(template) for template in TEMPLATES} == shown


def test_every_golden_file_is_of_a_template() -> None:
    assert {path.name for path in GOLDEN.iterdir()} == {golden(each).name for each in TEMPLATES}


def test_no_template_is_too_long_to_be_read() -> None:
    for path in (GOLDEN.parents[2] / "templates").rglob("*.jinja"):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 80, path.name


def test_measuring_statements_are_parsed_by_sqlglot() -> None:
    measuring = [template for template in TEMPLATES if template.startswith("measuring/")]
    texts = {template: golden(template).read_text(encoding="utf-8") for template in measuring}
    statements = {
        template: len(sqlglot.parse(text, dialect="duckdb")) for template, text in texts.items()
    }
    assert statements == dict.fromkeys(measuring, 1)
