"""The documentation: generated parts, links, the names of code in it, and no machine's path.

``make refresh-docs`` (SQLGEN_UPDATE_CONSOLE=1) writes the generated parts anew.
"""

from __future__ import annotations

import ast
import json
import os
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

import sqlgen
from cli_harness import ROOT
from generated_pages import generated_parts, refreshed
from sqlgen.cli.main import main
from sqlgen.guarantees import FAMILIES
from sqlgen.metrics import METRICS
from sqlgen.policy import Policy
from sqlgen.policy.places import KINDS

DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
MARKDOWN = [ROOT / "README.md", *PAGES, *sorted(ROOT.glob("examples/*/*.md"))]
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def prose(page: Path) -> str:
    """The page without its blocks of code, inline ones too."""
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```$", "", text_of(page), flags=re.M | re.S))


def anchors(page: Path) -> set[str]:
    """The names that the headings of a page can be linked by."""
    headings = re.findall(
        r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", text_of(page), flags=re.M | re.S), re.M
    )
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(page: Path) -> Iterator[str]:
    return (target for target in _LINK.findall(prose(page)) if "://" not in target)


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if generated_parts(text_of(page))],
    ids=lambda page: page.relative_to(DOCS).as_posix(),
)
def test_a_generated_part_is_what_the_program_says(page: Path) -> None:
    now = refreshed(text_of(page))
    if os.environ.get("SQLGEN_UPDATE_CONSOLE"):
        page.write_text(now, encoding="utf-8")
    assert now == text_of(page)


def test_every_family_has_a_page_and_every_command_its_help() -> None:
    families = {page.stem: generated_parts(text_of(page)) for page in DOCS.glob("guarantees/*.md")}
    assert families == {family: [f"schema {family}"] for family in FAMILIES}
    commands = generated_parts(text_of(DOCS / "commands.md"))
    assert commands == ["--help", *(f"{name} --help" for name in sorted(main.commands))]


def test_every_family_has_a_worked_example() -> None:
    without = [
        page.stem for page in DOCS.glob("guarantees/*.md") if "```console" not in text_of(page)
    ]
    assert without == []


def test_every_key_of_a_policy_and_every_objective_is_explained() -> None:
    schema = Policy.model_json_schema()
    guarantees = {model.__name__ for models in FAMILIES.values() for model in models}
    keys = set(schema["properties"]) | {
        key
        for name, section in schema["$defs"].items()
        if name not in guarantees
        for key in section.get("properties", {})
    }
    policy = text_of(DOCS / "policy.md")
    assert [key for key in sorted(keys) if not re.search(rf"\b{key}\b", policy)] == []
    objectives = text_of(DOCS / "objectives.md")
    assert [name for name in METRICS if f"`{name}`" not in objectives] == []
    readme = text_of(ROOT / "README.md")
    assert [
        model.name
        for models in FAMILIES.values()
        for model in models
        if f"#{model.name})" not in readme
    ] == []


def test_every_link_leads_to_a_page_and_a_heading() -> None:
    dead = []
    for page in MARKDOWN:
        for target in links(page):
            path, _, anchor = target.partition("#")
            found = (page.parent / path).resolve() if path else page
            if not found.exists() or (anchor and anchor not in anchors(found)):
                dead.append(f"{page.relative_to(ROOT)}: {target}")
    assert dead == []


def test_a_page_links_to_nothing_beside_the_documentation() -> None:
    """The site holds docs/ alone; what else is in the repository is named by its path."""
    outside = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in PAGES
        for target in links(page)
        if not (page.parent / target.partition("#")[0]).resolve().is_relative_to(DOCS)
    ]
    assert outside == []


def test_the_site_has_every_page_once() -> None:
    content = YAML(typ="safe").load(ROOT / "mkdocs.yml")
    listed = re.findall(r"[\w/-]+\.md", str(content["nav"]))
    assert sorted(listed) == [page.relative_to(DOCS).as_posix() for page in PAGES]


def test_every_decision_tells_context_figure_decision_and_status() -> None:
    records = [page for page in PAGES if page.parent.name == "decisions" and page.stem != "index"]
    assert len(records) >= 25
    assert [page.stem[:4] for page in records] == [
        f"{number:04}" for number in range(1, len(records) + 1)
    ]
    for page in records:
        headings = re.findall(r"^## (.*)$", text_of(page), re.M)
        assert headings == ["Context", "Figure", "Decision", "Status"], page.name
        assert len(text_of(page).splitlines()) < 60
    index = text_of(DOCS / "decisions" / "index.md")
    assert [page.name for page in records if f"({page.name})" not in index] == []


def test_the_files_that_the_map_of_the_code_names_exist() -> None:
    pages = [DOCS / "architecture.md", *sorted((DOCS / "extending").glob("*.md"))]
    named = {
        (page.name, path)
        for page in pages
        for path in re.findall(
            r"`((?:sqlgen|templates|tests|docs|examples)/[\w./]*[\w/])`", text_of(page)
        )
    }
    assert len(named) >= 20
    assert sorted(found for found in named if not (ROOT / found[1]).exists()) == []


def names_in_code() -> set[str]:
    """The names of functions, classes and values in the program, its tests and its templates."""
    names = set()
    for path in (ROOT / "templates").rglob("*.jinja"):
        names |= {path.name.partition(".")[0], *re.findall(r"\w+", text_of(path))}
    for path in [*(ROOT / "sqlgen").rglob("*.py"), *(ROOT / "tests").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for key in ("id", "attr", "name", "arg", "value"):
                if isinstance(name := getattr(node, key, None), str):
                    names.add(name)
    return names


def test_the_names_that_the_map_of_the_code_gives_are_in_the_code() -> None:
    named = {
        (page.name, name)
        for page in [DOCS / "architecture.md", *sorted((DOCS / "extending").glob("*.md"))]
        for name in re.findall(r"`(?:\w+\.)*([A-Za-z_]\w+)`", text_of(page))
        if name not in ("py", "yml", "jinja")
    }
    known = names_in_code() | {"KIND_release", "KIND_file"}
    assert len(named) >= 100
    assert sorted(found for found in named if found[1] not in known) == []


def test_the_doors_name_files_and_functions_that_are_there() -> None:
    doors = sorted((ROOT / "sqlgen").glob("*/**/__init__.py"))
    named = {
        (door, name)
        for door in doors
        for name in re.findall(r"``([\w.]+)``", text_of(door).split('"""')[1])
    }
    known = names_in_code() | {door.parent.name for door in doors}
    wrong = [
        f"{door.parent.name}: {name}"
        for door, name in named
        if not (
            (door.parent / name).is_file()
            if name.endswith(".py")
            else name.rpartition(".")[2] in known
        )
    ]
    assert len(named) >= 30
    assert sorted(wrong) == []


def test_kinds_of_target_are_listed_in_one_file() -> None:
    """A kind that is missing in a second list is taken for another kind there."""
    files = {
        path.relative_to(ROOT).as_posix()
        for path in sorted((ROOT / "sqlgen").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)) and len(node.elts) > 1
        if all(isinstance(each, ast.Constant) and each.value in KINDS for each in node.elts)
    }
    assert files == {"sqlgen/policy/places.py"}


def test_the_map_of_the_code_has_every_room() -> None:
    rooms = [door.parent.name for door in (ROOT / "sqlgen").glob("*/__init__.py")]
    table = text_of(DOCS / "architecture.md").split("## Rooms")[1].split("A file imports")[0]
    named = set(re.findall(r"^ +(?:\d+ +)?([a-z]+)", table, re.M))
    assert len(rooms) >= 15
    assert sorted(set(rooms) - named) == []


def test_a_run_of_the_benchmarks_writes_its_figures_into_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    from figures_page import write_page  # noqa: PLC0415

    page, lines = tmp_path / "benchmarks.md", tmp_path / "figures.jsonl"
    page.write_text(text_of(DOCS / "benchmarks.md"), encoding="utf-8")
    record = {"case": "k", "figure": "ratio", "unit": "x", "target": 2.5, "aim": None}
    made = {**record, "duckdb": "2.0.0", "cores": 2}
    runs: list[dict[str, Any]] = [{"value": 3, "met": False}, {"value": 1.5, "met": True}]
    missed = {**made, "figure": "time", "value": 3, "met": False}
    lines.write_text(
        "".join(f"{json.dumps(each)}\n" for each in [missed, *({**made, **run} for run in runs)])
    )
    write_page(page, lines, date(2026, 11, 19))
    text = text_of(page)
    assert "| k | ratio | 1.50 x | 2.5 |  |" in text
    assert "| k | time | 3 x (missed) | 2.5 |  |" in text
    assert "2 cores" in text
    assert "Date: 2026-11-19." in text
    assert text.startswith("# Benchmarks")
    assert text.count("| k |") == 2


def test_the_calls_that_the_page_of_python_names_are_public() -> None:
    table = text_of(DOCS / "python.md").split("| to | call |")[1].split("\n\n")[0]
    named = re.findall(r"`(\w+)`", table)
    assert len(named) >= 15
    assert [name for name in named if name not in sqlgen.__all__] == []


def test_no_page_tells_of_a_machine_or_a_registry() -> None:
    said = re.compile(r"(?<![\w.])/(?:home|root|tmp|work|Users)/|pypi|artifactory|localhost", re.I)
    assert [
        f"{page.name}: {found[0]}" for page in MARKDOWN for found in said.finditer(text_of(page))
    ] == []
