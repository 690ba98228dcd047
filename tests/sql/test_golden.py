"""The SQL of each statement and of its pieces at one representative input, for the reviewer's eye.

A golden file shows a change; it proves nothing. SQLGEN_UPDATE_GOLDEN=1 writes them anew.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import sqlglot
from jinja2 import Template

from sqlgen.sql.render import Statement
from whole_runs import run_everything

pytestmark = pytest.mark.usefixtures("real_functions")

GOLDEN = Path(__file__).parent / "golden"
TEMPLATES = sorted(
    path.relative_to(GOLDEN.parents[2] / "templates").as_posix().removesuffix(".sql.jinja")
    for path in (GOLDEN.parents[2] / "templates").rglob("*.sql.jinja")
)


@dataclass(frozen=True)
class Rendered:
    """The SQL that each template gave first, and which templates are whole statements."""

    texts: dict[str, str]
    statements: set[str]


@pytest.fixture(scope="module")
def rendered(tmp_path_factory: pytest.TempPathFactory) -> Rendered:
    folder = tmp_path_factory.mktemp("golden")
    rendered = Rendered({}, set())
    render, make = Template.render, Statement.__init__

    def recorded(template: Template, *values: Any, **more: Any) -> str:
        text = render(template, *values, **more)
        called = str(template.name).removesuffix(".sql.jinja")
        rendered.texts.setdefault(called, str(text).strip().replace(str(folder), "/folder") + "\n")
        return text

    def made(statement: Statement, template: str, text: str, purpose: str = "") -> None:
        rendered.statements.add(template)
        make(statement, template, text, purpose)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Template, "render", recorded)
        patch.setattr(Statement, "__init__", made)
        patch.setattr("sqlgen.ledger.ledger.version", lambda _: "0.0.0")
        run_everything(folder)
    return rendered


def golden_files(rendered: Rendered) -> dict[str, str]:
    """A file per statement, and one per room for the pieces that statements are made of."""
    files = {
        f"{template.replace('/', '_')}.sql": text
        for template, text in rendered.texts.items()
        if template in rendered.statements
    }
    for room in sorted({template.partition("/")[0] for template in rendered.texts}):
        pieces = [
            f"-- {template}\n{text}"
            for template, text in sorted(rendered.texts.items())
            if template.startswith(f"{room}/") and template not in rendered.statements
        ]
        if pieces:
            files[f"pieces_{room}.sql"] = "\n".join(pieces)
    return files


# One test, for each worker of pytest that has one of several would render everything again.
def test_statements_and_their_pieces_are_the_golden_sql(rendered: Rendered) -> None:
    assert sorted(rendered.texts) == TEMPLATES
    files = golden_files(rendered)
    if os.environ.get("SQLGEN_UPDATE_GOLDEN") == "1":
        for path in GOLDEN.iterdir():
            path.unlink()
        for file, text in files.items():
            (GOLDEN / file).write_text(text, encoding="utf-8")
    shown = {path.name: path.read_text(encoding="utf-8") for path in GOLDEN.iterdir()}
    assert files == shown


def test_no_template_is_too_long_to_be_read() -> None:
    for path in (GOLDEN.parents[2] / "templates").rglob("*.jinja"):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 80, path.name


def test_measuring_statements_are_parsed_by_sqlglot() -> None:
    texts = {path.name: path.read_text(encoding="utf-8") for path in GOLDEN.glob("measuring_*")}
    statements = {
        template: len(sqlglot.parse(text, dialect="duckdb")) for template, text in texts.items()
    }
    assert len(texts) > 3
    assert statements == dict.fromkeys(texts, 1)
