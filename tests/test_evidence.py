"""The page about a release: what was promised and measured, and no value of any table."""

from __future__ import annotations

import json
import re
import sys
from datetime import UTC, datetime
from decimal import Decimal
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli_harness import CANARIES, ROOT, make_clinic, shows_no_canary, spawn
from sqlgen import PolicyError, apply_plan, audit_table, make_plan, read_policy
from sqlgen.dated import dated
from sqlgen.evidence import Evidence, read_evidence
from sqlgen.evidence.masked import masked, safe_parameters
from sqlgen.handout import page_html
from sqlgen.models import MODELS
from sqlgen.spread import Bin, figure_bounds, merged, size_bounds
from tables import KINDS, patients, patients_policy, planned, release_to

VOID = {"meta", "br", "wbr", "link", "img", "hr", "input"}
COLUMN = {"column": "disease"}
PEOPLE = {"table": "town"}


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


def released(**changes: Any) -> tuple[duckdb.DuckDBPyConnection, Any]:
    """The patients with a release, and its policy."""
    connection = patients()
    policy = patients_policy(**changes)
    apply_plan(planned(policy, connection), connection)
    return connection, policy


CLOSE = {
    "guarantees": [
        {"k_anonymity": {"k": 4}},
        {"t_closeness": {**COLUMN, "t": 0.4, "distance": "equal"}},
        {"distinct_l_diversity": {**COLUMN, "l": 2}},
    ]
}


def test_the_evidence_has_the_figures_of_the_audit_and_of_the_ledger() -> None:
    connection, policy = released(**CLOSE)
    found = read_evidence(policy, source=connection)
    audit = audit_table(policy, source=connection)
    assert found.satisfied is audit.satisfied is True
    assert (found.rows, found.classes) == (audit.rows, audit.classes)
    assert [each.measured for each in found.promises] == [
        each.measured for each in audit.guarantees
    ]
    assert [each.recorded for each in found.promises] == [
        pytest.approx(each.measured) for each in audit.guarantees
    ]
    assert [each.measured for each in found.attacks] == [each.measured for each in audit.attacks]
    assert not any(each.differs for each in found.promises)
    assert found.remarks == found.faults == ()


def test_the_columns_lose_what_the_plan_says() -> None:
    connection, policy = released()
    plan = planned(policy, connection)
    found = {each.name: each for each in read_evidence(policy, source=connection).columns}
    assert list(found) == list(policy.columns)
    for column, loss in plan.column_loss.items():
        assert (found[column].level, found[column].loss) == (plan.levels[column], loss)
        (labels,) = connection.execute(
            f"SELECT COUNT(*) FROM (SELECT DISTINCT {column} FROM released)"
        ).fetchall()[0]
        (values,) = connection.execute(
            f"SELECT COUNT(*) FROM (SELECT DISTINCT {column} FROM patients)"
        ).fetchall()[0]
        assert (found[column].labels, found[column].values) == (labels, values)
    assert (found["name"].words, found["disease"].words) == ("not released", "released as it is")


def test_the_classes_of_each_bin_are_those_that_the_table_has() -> None:
    connection, policy = released(**CLOSE)
    found = read_evidence(policy, source=connection)
    sizes = connection.execute("SELECT COUNT(*) FROM released GROUP BY zip, age, sex").fetchall()
    assert len(found.sizes) > 1
    for each in found.sizes:
        assert each.below is not None
        inside = [size for (size,) in sizes if each.least <= size < each.below]
        assert (each.classes, each.rows) == (len(inside), sum(inside))
    assert sum(each.classes for each in found.sizes) == len(sizes)
    for promise in found.promises[1:]:
        assert sum(each.rows for each in promise.spread) == found.rows
    assert found.promises[0].spread == ()


def test_a_bin_of_figures_holds_the_classes_with_such_figures() -> None:
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE patients AS FROM (VALUES ('1', 'a'), ('1', 'a'), ('1', 'b'), ('2', 'a'), "
        "('2', 'b'), ('3', 'a'), ('3', 'b'), ('3', 'c')) AS t (zip, disease)"
    )
    policy = read_policy(
        {
            "source": {"table": "patients"},
            "columns": {
                "zip": {"role": "quasi", "hierarchy": "suppress"},
                "disease": {"role": "sensitive"},
            },
            "guarantees": [
                {"alpha_k_anonymity": {**COLUMN, "alpha": 1, "k": 1}},
                {"recursive_l_diversity": {**COLUMN, "c": 5, "l": 3}},
            ],
            "release": {"table": "released"},
        }
    )
    audit = audit_table(policy, "patients", connection, spread=True)
    assert audit.spread is not None
    shares, ratios = audit.spread.figures[0], audit.spread.figures[1]
    by_share = {each.least: each.rows for each in shares if each.rows}
    assert by_share == {Decimal("0.3"): 3, Decimal("0.5"): 2, Decimal("0.6"): 3}
    # Two of three classes have no third value, and an infinite ratio.
    assert (ratios[-1].below, ratios[-1].classes, ratios[-1].rows) == (None, 2, 5)
    assert [(each.classes, each.rows) for each in audit.spread.sizes] == [(1, 2), (2, 6)]


bins = st.lists(st.integers(0, 30), min_size=1, max_size=12).map(
    lambda rows: [
        Bin(Decimal(number), Decimal(number + 1), min(1, count), count)
        for number, count in enumerate(rows)
    ]
)


@given(bins, st.integers(1, 20))
def test_no_bin_holds_fewer_rows_than_it_must_and_none_is_lost(drawn: list[Bin], k: int) -> None:
    made = merged(drawn, k)
    total = sum(each.rows for each in drawn)
    assert sum(each.rows for each in made) == total
    assert sum(each.classes for each in made) == sum(each.classes for each in drawn)
    assert (made[0].least, made[-1].below) == (drawn[0].least, drawn[-1].below)
    assert all(low.below == high.least for low, high in pairwise(made))
    if total >= k:
        assert all(each.rows == 0 or each.rows >= k for each in made)


@given(st.integers(1, 10**6), st.integers(0, 10**6))
def test_bounds_of_sizes_leave_no_size_out(least: int, more: int) -> None:
    bounds = size_bounds(least, least + more)
    assert bounds[0][0] == least
    assert bounds[-1][1] is not None
    assert bounds[-1][1] > least + more >= bounds[-1][0]
    assert all(low[1] == high[0] for low, high in pairwise(bounds))


figures = st.one_of(
    st.lists(st.integers(0, 10**6), min_size=1, max_size=5),
    st.lists(st.floats(0, 50) | st.just(float("inf")), min_size=1, max_size=5),
)


@given(figures, st.none() | st.floats(0.001, 100))
def test_bounds_of_figures_leave_no_figure_out(drawn: list[float], bound: float | None) -> None:
    bounds = figure_bounds(sorted(drawn), bound)
    finite = [each for each in drawn if each < float("inf")]
    if not finite:
        assert bounds == []
        return
    assert len(bounds) <= 16
    for each in drawn:
        assert any(least <= each and (below is None or each < below) for least, below in bounds), (
            each
        )


def everything() -> list[dict[str, Any]]:
    """A guarantee of every kind, with the values that it may name."""
    flu, gout = "canary-d0", "canary-d1"
    prior = {"table": "town", "weight": "weight"}
    far = {"t": 1, "distance": "ordered"}
    return [
        {"k_anonymity": {"k": 2}},
        {"k_anonymity": {"k": 2, "unit": "name"}},
        {"alpha_k_anonymity": {**COLUMN, "alpha": 0.9, "k": 2, "values": [flu]}},
        {"distinct_l_diversity": {**COLUMN, "l": 1, "jointly": True}},
        {"entropy_l_diversity": {**COLUMN, "l": 1.1}},
        {
            "recursive_l_diversity": {
                **COLUMN,
                **{"c": 30, "l": 2, "disclosable": [flu], "protected": [gout]},
                "protected_share": "1%",
            }
        },
        {"t_closeness": {**COLUMN, **far, "reference": "source"}},
        {"t_closeness": {**COLUMN, "t": 1, "distance": "kl", "reference": prior}},
        {"t_closeness": {"column": "pay", **far}},
        {"t_closeness": {"column": "pay", "t": 1, "distance": "hierarchical"}},
        {"n_t_closeness": {**COLUMN, "n": 5, **far, "supersets": [["zip"]]}},
        {"ratio_closeness": {**COLUMN, "epsilon": 3}},
        {"delta_disclosure": {**COLUMN, "delta": 3}},
        {"beta_likeness": {**COLUMN, "beta": 5, "enhanced": True}},
        {"positive_disclosure": {**COLUMN, "delta": 0, "prior": prior}},
        {"negative_disclosure": {**COLUMN, "epsilon": "1%"}},
        {"belief_breach": {**COLUMN, "rho_1": "1%", "rho_2": "99%"}},
        {"k_map": {"k": 2, "population": PEOPLE}},
        {"delta_presence": {"most": "100%", "population": PEOPLE}},
        {"homogeneity": {**COLUMN, "at_most": "100%"}},
        {"background_knowledge": {**COLUMN, "excluded": 1, "at_most": "100%"}},
        {"similarity": {**COLUMN, "groups": {"canary-g": [flu, gout]}, "at_most": "100%"}},
        {"skewness": {**COLUMN, "at_most": 50}},
        {"linkage": {"known": PEOPLE, "risk": "prosecutor", "at_most": "100%"}},
    ]


def canary_policy(folder: Path, guarantees: list[dict[str, Any]]) -> Any:
    """A policy with values wherever one can have them."""
    lines = "".join(f"cz1{zip_},canary-area{zip_ % 2},canary-top\n" for zip_ in range(3))
    (folder / "canary-free.csv").write_text(lines)
    diseases = [f"canary-d{number}" for number in range(4)]
    pay = ["CASE WHEN pay = 770010 THEN 'canary-low' ELSE 'canary-high' END"]
    return read_policy(
        {
            "source": {"query": "SELECT * FROM patients WHERE age < 770099 -- 'canary-note'"},
            "columns": {
                "name": {"role": "identifier"},
                "zip": {"role": "quasi", "hierarchy": {"csv": str(folder / "canary-free.csv")}},
                "age": {"role": "quasi", "hierarchy": {"intervals": [{"cuts": ["770002"]}]}},
                "disease": {
                    "role": "sensitive",
                    "order": diseases,
                    "hierarchy": {"tree": {"canary-ill": diseases[:2], "canary-bad": diseases[2:]}},
                },
                "pay": {"role": "sensitive", "order": "numeric", "hierarchy": {"sql": pay}},
                "visits": {"role": "other"},
            },
            "guarantees": guarantees,
            "suppression": "50%",
            "release": {"csv": str(folder / "out.csv")},
        }
    )


def canaries() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE patients AS SELECT 'canary-' || i AS name, 'cz1' || i % 3 AS zip, "
        "770000 + i % 5 AS age, 'canary-d' || i % 4 AS disease, 770010 + i % 4 AS pay, "
        "i % 5 AS visits FROM RANGE(240) AS t (i)"
    )
    connection.execute("CREATE TABLE town AS SELECT zip, age, disease, 1.5 AS weight FROM patients")
    return connection


@pytest.mark.parametrize("levels", [{}, {"zip": (2, 2), "age": (1, 1)}], ids=["best", "top"])
def test_no_value_and_no_path_is_on_a_page_with_every_kind_of_guarantee(
    levels: dict[str, tuple[int, int]], tmp_path: Path
) -> None:
    connection = canaries()
    policy = canary_policy(tmp_path, everything()[:1])
    apply_plan(make_plan(policy, connection, levels=levels), connection)
    asked = canary_policy(tmp_path, everything())
    assert {each.name for each in asked.guarantees} == set(MODELS)
    for each in (policy, asked):
        found = read_evidence(each, source=connection)
        # The hierarchy's file has a canary in its name, which is not a value.
        shown = [page_html(found), json.dumps(found.to_dict())]
        for text in [part.replace("canary-free.csv", "") for part in shown]:
            assert [canary for canary in CANARIES if canary in text] == []
            assert str(tmp_path) not in text
    assert len(found.promises) == len(asked.guarantees)
    measured = [promise for promise in found.promises if promise.measured is not None]
    assert len(measured) >= len(found.promises) - 1
    assert {promise.parameters.get("values") for promise in found.promises} >= {"1 not shown"}
    assert found.statements
    assert any("'...'" in each.sql for each in found.statements)


def test_the_top_of_a_list_and_cuts_are_told_without_their_labels(tmp_path: Path) -> None:
    connection = canaries()
    policy = canary_policy(tmp_path, everything()[:1])
    apply_plan(make_plan(policy, connection, levels={"zip": (2, 2), "age": (1, 1)}), connection)
    columns = {each.name: each.words for each in read_evidence(policy, source=connection).columns}
    assert columns["zip"] == "one label for all"
    assert columns["age"] == "cut at 1 place"


def test_texts_comments_and_the_policys_numbers_are_masked(tmp_path: Path) -> None:
    policy = canary_policy(tmp_path, everything())
    sql = (
        "SELECT \"it's\", 'a ''b', e'x\\'y', $$z$$, $t$u$t$ FROM t1 -- gone\n"
        "WHERE x /* gone */ > 770010.0 AND y <= 0.25 AND q770010 = 0 AND w > ''"
    )
    assert " ".join(masked(sql, policy).split()) == (
        "SELECT \"it's\", '...', '...', '...', '...' FROM t1 "
        "WHERE x > ... AND y <= 0.25 AND q770010 = 0 AND w > ''"
    )


@pytest.mark.parametrize("broken", ["SELECT 'a", 'SELECT "a', "SELECT $$a", "SELECT /* a", "a */"])
def test_a_statement_that_cannot_be_taken_apart_is_not_shown(broken: str) -> None:
    assert masked(broken, patients_policy()) == "... not shown ..."


def test_values_that_a_guarantee_names_are_counted_and_not_shown() -> None:
    groups = {"a": ["x", "y"], "b": ["z"]}
    assert safe_parameters({"groups": groups, "at_most": "5%"}, ["x", "y", "z"]) == {
        "groups": "3 not shown",
        "at_most": "5%",
    }
    columns = {"columns": ["salary", "disease"], "t": 0.2}
    assert safe_parameters(columns, []) == columns


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
    style = (ROOT / "sqlgen" / "handout" / "page.css").read_text(encoding="utf-8")
    colours = dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", style.split(":root")[place + 1]))
    assert len(colours) == 10
    for ground in (colours["paper"], colours["panel"]):
        for text in ("ink", "soft", "good", "bad", "unsure", "bar"):
            low, high = sorted((luminance(ground), luminance(colours[text])))
            assert (high + 0.05) / (low + 0.05) >= 4.5, (text, ground)


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


def test_a_figure_that_differs_from_the_ledgers_is_said_to() -> None:
    connection, policy = released()
    connection.execute("INSERT INTO released FROM released")
    found = read_evidence(policy, source=connection)
    (promise,) = found.promises
    assert promise.recorded is not None
    assert (promise.measured, promise.differs) == (2 * promise.recorded, True)
    assert found.satisfied
    assert "changed after it was published" in " ".join(found.remarks)
    assert "with other figures than recorded" in page_html(found)


def test_a_release_that_was_replaced_is_told_from_the_ledger_alone() -> None:
    connection, policy = released()
    apply_plan(planned(policy, connection), connection, replace=True)
    connection.execute("DROP TABLE released")
    first = read_evidence(policy, 1, connection)
    assert first.satisfied is None
    assert [each.measured for each in first.promises] == [None]
    assert [each.recorded for each in first.promises] == [first.entry.guarantees[0][2]]
    assert [*first.statements, *first.attacks, *first.sizes] == []
    assert [each.release_id for each in first.others] == [2]
    assert "A later release has taken its place" in page_html(first)
    with pytest.raises(PolicyError):
        read_evidence(policy, 2, connection)


def test_the_last_release_to_the_policys_target_is_the_default() -> None:
    connection, policy = released()
    apply_plan(planned(policy, connection), connection, replace=True)
    other = patients_policy(release={"table": "elsewhere"})
    apply_plan(planned(other, connection), connection)
    assert read_evidence(policy, source=connection).entry.release_id == 2
    assert read_evidence(other, source=connection).entry.release_id == 3
    assert len(read_evidence(other, source=connection).others) == 2
    with pytest.raises(PolicyError, match=r"release 3 was made by .* for another target"):
        read_evidence(policy, 3, connection)
    with pytest.raises(PolicyError, match="the ledger has no release 4"):
        read_evidence(policy, 4, connection)


def test_a_timestamped_release_is_measured_where_it_stands_and_told_when_it_was_removed() -> None:
    connection = patients()
    place = {"table": "released", "timestamped": True, "keep": 2}
    policy = patients_policy(release=place)
    for day in (1, 2, 3):
        made = dated(policy, datetime(2026, 1, day, tzinfo=UTC))
        apply_plan(planned(made, connection), connection)
    connection.execute("DELETE FROM released_20260102_000000 WHERE sex = 'f'")
    connection.execute("DROP TABLE released_20260101_000000")
    first, second, last = (read_evidence(policy, each, connection) for each in (1, 2, None))
    assert (first.satisfied, second.entry.release_id, last.entry.release_id) == (None, 2, 3)
    assert "for the policy keeps 2" in " ".join(first.remarks)
    assert second.rows is not None
    assert last.rows is not None
    assert second.rows < second.entry.released_rows
    assert last.rows == last.entry.released_rows
    assert len(last.others) == 2


def test_without_a_release_there_is_nothing_to_report() -> None:
    with pytest.raises(PolicyError, match="the ledger has no release to this target"):
        read_evidence(patients_policy(), source=patients())


@pytest.mark.parametrize("kind", [*KINDS, "in_place"])
def test_what_remains_is_told_for_every_kind_of_target(kind: str, tmp_path: Path) -> None:
    place = {"in_place": "true"} if kind == "in_place" else release_to(kind, tmp_path)
    connection, policy = released(release=place)
    found = read_evidence(policy, source=connection)
    assert found.satisfied
    told = {
        "table": "Give away the table, not the database file",
        "view": "the lookup tables beside the view hold the values of the source",
        "parquet": "The release is a file of its own",
        "csv": "The release is a file of its own",
        "in_place": "until sqlgen scrub has rewritten the file",
    }
    assert told[kind] in " ".join(found.remains)
    assert "Backups" in " ".join(found.remains)
    lost = [each.loss for each in found.columns if each.level is not None]
    assert all(loss is None for loss in lost) is (kind == "in_place")
    text = page_html(found)
    assert str(tmp_path) not in text
    assert str(tmp_path) not in json.dumps(found.to_dict())


def test_a_policy_that_changed_since_is_said_to_have() -> None:
    connection, _ = released()
    policy = patients_policy(guarantees=[{"k_anonymity": {"k": 2}}])
    found = read_evidence(policy, source=connection)
    assert (found.same_policy, found.satisfied, found.budget) == (False, True, None)
    assert [each.recorded for each in found.promises] == [None]
    assert "The policy has changed since this release" in " ".join(found.remarks)
    assert all(each.loss is None for each in found.columns)


def test_a_source_that_changed_since_does_not_tell_what_was_lost() -> None:
    connection, policy = released()
    connection.execute("DELETE FROM patients WHERE age > 50")
    found = read_evidence(policy, source=connection)
    assert found.satisfied
    assert all(each.loss is None for each in found.columns)
    assert "cannot be measured again" in " ".join(found.remarks)


def test_persons_are_counted_by_a_statement_of_their_own() -> None:
    asked = [{"k_anonymity": {"k": 4}}, {"k_anonymity": {"k": 4, "unit": "name"}}]
    connection, policy = released(guarantees=asked)
    found = read_evidence(policy, source=connection)
    first, second = found.promises
    assert (first.figure, second.figure) == ("measured_1", "measured_1")
    assert first.statement is not None
    assert second.statement is not None
    shown = [found.statements[number - 1].about for number in (first.statement, second.statement)]
    assert shown == ["the guarantees", "the guarantees that count persons, in the source"]


def shown_figures(found: Evidence, connection: duckdb.DuckDBPyConnection) -> None:
    """Each guarantee's figure, run again from the statement that the page shows."""
    for each in found.promises:
        assert each.statement is not None
        sql = found.statements[each.statement - 1].sql
        answer = connection.execute(sql)
        names = [column[0] for column in answer.description]
        row = dict(zip(names, answer.fetchall()[0], strict=True))
        assert row[each.figure] == each.measured


def test_a_statement_without_texts_gives_the_figures_that_it_is_shown_with() -> None:
    connection, policy = released(**CLOSE)
    shown_figures(read_evidence(policy, source=connection), connection)


@pytest.mark.parametrize("model", MODELS.values(), ids=str)
def test_what_bounds_a_figure_is_a_parameter_of_the_model(model: Any) -> None:
    assert model.bounded_by == "" or model.bounded_by in model.model_fields
