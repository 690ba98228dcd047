"""The page about a release: one file that needs nothing else, for eyes, ears and paper."""

from __future__ import annotations

import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import duckdb
import pytest

from cli_harness import ROOT, make_clinic, shows_no_canary, spawn
from evidence_cases import CLOSE, released
from sqlgen import apply_plan, read_policy
from sqlgen.reports import read_evidence
from sqlgen.reports.page import page_html
from tables import planned

VOID = {"meta", "br", "wbr", "link", "img", "hr", "input"}


class Page(HTMLParser):
    """A page read tag by tag: what stands where, and whether each tag is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.under: dict[str, list[str]] = {}
        self.said = ""
        self.drawn: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(key, value or "") for key, value in attrs]
        if self.open:
            self.under.setdefault(self.open[-1], []).append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(key, value or "") for key, value in attrs]

    def handle_data(self, data: str) -> None:
        self.said += data
        if self.open and self.open[-1] == "text":
            self.drawn.append(data)

    def handle_endtag(self, tag: str) -> None:
        assert self.open, tag
        assert self.open.pop() == tag


@pytest.mark.parametrize("changes", [{}, CLOSE], ids=["sizes", "values"])
def test_a_page_is_well_formed_and_needs_nothing_but_itself(changes: dict[str, Any]) -> None:
    connection, policy = released(**changes)
    text = page_html(read_evidence(policy, source=connection))
    page = Page(text)
    assert page.open == []
    assert text.startswith("<!DOCTYPE html>")
    assert page.tags.count("h1") == page.tags.count("main") == 1
    assert not {"script", "link", "img", "iframe", "object", "base"} & set(page.tags)
    for key, value in page.attributes:
        assert not key.startswith("on")
        if key in ("src", "href", "xlink:href"):
            assert value.startswith("#")
    assert "http" not in text
    assert "@import" not in text
    assert re.findall(r"url\((?!#)", text) == []


def test_names_that_look_like_markup_formulas_or_other_scripts_are_names() -> None:
    names = ("<script>alert(1)</script>", 'a"b&amp;c', "$x_2$", "年齢")
    connection = duckdb.connect()
    quoted = [name.replace('"', '""') for name in names]
    columns = ", ".join(f'i % 2 AS "{name}"' for name in quoted)
    connection.execute(f'CREATE TABLE "<b>" AS SELECT {columns}, 1 AS s FROM RANGE(40) AS t (i)')
    policy = read_policy(
        {
            "source": {"table": '"<b>"'},
            "columns": {
                **{name: {"role": "quasi", "hierarchy": "suppress"} for name in names},
                "s": {"role": "sensitive"},
            },
            "guarantees": [{"k_anonymity": {"k": 4}}],
            "release": {"table": '"<i>"'},
        }
    )
    apply_plan(planned(policy, connection), connection)
    text = page_html(read_evidence(policy, source=connection))
    page = Page(text)
    assert page.open == []
    assert not {"script", "b", "i"} & set(page.tags)
    assert set(names) <= set(page.drawn)
    assert all(page.said.count(name) > 2 for name in names)


def test_every_reference_of_a_page_has_its_place_and_no_two_places_share_a_name() -> None:
    connection, policy = released(**CLOSE)
    page = Page(page_html(read_evidence(policy, source=connection)))
    ids = [value for key, value in page.attributes if key == "id"]
    assert len(ids) == len(set(ids))
    told = [value for key, value in page.attributes if key == "aria-labelledby"]
    links = [value.removeprefix("#") for key, value in page.attributes if key == "href"]
    assert {each for value in told for each in value.split()} | set(links) <= set(ids)


def test_plots_and_tables_are_told_to_those_who_do_not_see_them() -> None:
    connection, policy = released(**CLOSE)
    text = page_html(read_evidence(policy, source=connection))
    page = Page(text)
    assert page.tags.count("svg") >= 4
    assert page.under["svg"].count("title") == page.tags.count("svg")
    assert page.under["svg"].count("desc") == page.tags.count("svg")
    assert page.under["table"].count("caption") == page.tags.count("table")
    assert 'lang="en"' in text
    # A plot that keeps a colour of its own would vanish on a dark screen.
    drawing = "".join(re.findall(r"<svg.*?</svg>", text, re.DOTALL))
    assert set(re.findall(r"#[0-9a-f]{6}\b", drawing)) <= {"#ffffff"}


def luminance(colour: str) -> float:
    """How light a colour is, as WCAG 2.1 has it."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("place", [0, 1], ids=["light", "dark"])
def test_every_text_stands_out_from_what_it_stands_on(place: int) -> None:
    style = (ROOT / "sqlgen" / "reports" / "page.css").read_text(encoding="utf-8")
    colours = dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", style.split(":root")[place + 1]))
    assert len(colours) == 10
    for ground in (colours["paper"], colours["panel"]):
        for text in ("ink", "soft", "good", "bad", "unsure", "bar"):
            low, high = sorted((luminance(ground), luminance(colours[text])))
            assert (high + 0.05) / (low + 0.05) >= 4.5, (text, ground)


@pytest.mark.battery
def test_the_same_release_gives_the_same_bytes_in_any_process(tmp_path: Path) -> None:
    clinic = make_clinic(tmp_path)
    assert clinic.run("apply").code == 0
    pages, documents = [], []
    for seed in ("1", "2"):
        out = tmp_path / seed / "page.html"
        out.parent.mkdir()
        arguments = ("report", str(clinic.policy), "1", "--json", "--out", str(out))
        ran = spawn(*arguments, environment={"PYTHONHASHSEED": seed, "TZ": f"UTC-{seed}"})
        assert ran.code == 0, ran.text
        assert shows_no_canary(ran.text + out.read_text(encoding="utf-8"))
        pages.append(out.read_bytes())
        documents.append(ran.out)
    assert pages[0] == pages[1]
    assert documents[0] == documents[1]
    assert json.loads(documents[0])["satisfied"] is True


def test_the_command_writes_the_page_beside_the_policy(tmp_path: Path) -> None:
    clinic = make_clinic(tmp_path)
    clinic.run("apply")
    before = clinic.tables()
    ran = clinic.run("report")
    assert (ran.code, ran.out) == (0, "")
    assert "Wrote policy.release-1.html." in ran.err
    text = (clinic.folder / "policy.release-1.html").read_text(encoding="utf-8")
    assert "The release gives what the policy promises" in text
    assert clinic.tables() == before
    assert clinic.run("report", "--json").code == 0


def test_a_page_that_cannot_be_written_is_refused_and_nothing_is_left(tmp_path: Path) -> None:
    clinic = make_clinic(tmp_path)
    clinic.run("apply")
    ran = clinic.run("report", "--out", str(tmp_path / "nowhere" / "page.html"))
    assert ran.code == 3
    assert "page.html: the page cannot be written" in ran.err
    assert str(tmp_path) not in ran.text


def test_a_page_takes_the_place_of_a_page_and_of_nothing_else(tmp_path: Path) -> None:
    clinic = make_clinic(tmp_path)
    clinic.run("apply")
    assert [clinic.run("report").code for _ in range(2)] == [0, 0]
    before = clinic.tables()
    ran = clinic.run("report", "--out", str(clinic.database))
    assert ran.code == 3
    assert "something else than a report is there" in ran.err
    assert clinic.tables() == before


def test_without_the_library_that_draws_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clinic = make_clinic(tmp_path)
    clinic.run("apply")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    ran = clinic.run("report")
    assert ran.code == 2
    assert 'pip install "sqlgen-anonymizer[report]"' in ran.err
    assert not list(clinic.folder.glob("*.html"))
    assert clinic.run("report", "--json").code == 0


def test_a_release_that_breaks_the_policy_now_is_called_so(tmp_path: Path) -> None:
    clinic = make_clinic(tmp_path)
    clinic.run("apply")
    clinic.sql("DELETE FROM patients_anon WHERE disease = 'canary-flu'")
    ran = clinic.run("report")
    assert ran.code == 1
    text = (clinic.folder / "policy.release-1.html").read_text(encoding="utf-8")
    assert "The release does not give what the policy promises" in text
    assert "The release was changed after it was published" in text
    assert shows_no_canary(text)
