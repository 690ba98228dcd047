"""The oracle against answers worked by hand and printed in the papers."""

from __future__ import annotations

import ast
import sys
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from ruamel.yaml import YAML

import oracle
import strategies
from oracle import Ladder, lines_ladder, rule_ladder

HERE = Path(__file__).parent
PAPERS = sorted((HERE.parent / "papers").glob("*.yml"))


def suppression(values: oracle.Values) -> Ladder:
    return rule_ladder(values, [])


def tens(value: oracle.Value) -> str | None:
    return oracle.interval_label(value, 10)


def test_the_oracle_imports_the_standard_library_only() -> None:
    imported = set()
    for statement in ast.walk(ast.parse((HERE / "oracle.py").read_text(encoding="utf-8"))):
        if isinstance(statement, ast.Import):
            imported |= {name.name.split(".")[0] for name in statement.names}
        elif isinstance(statement, ast.ImportFrom):
            assert statement.level == 0
            imported.add(str(statement.module).split(".")[0])
    assert imported <= sys.stdlib_module_names


def read_paper(path: Path) -> dict[str, Any]:
    """One paper case, with rows as dicts and a ladder per quasi-identifier."""
    paper: dict[str, Any] = YAML(typ="safe").load(path.read_text(encoding="utf-8"))
    names = list(paper["columns"])
    for table in ("original", "anonymized"):
        paper[table] = [dict(zip(names, line, strict=True)) for line in paper[table]]
    paper["quasi"] = [name for name in names if paper["columns"][name]["role"] == "quasi"]
    paper["ladders"] = {
        name: lines_ladder([row[name] for row in paper["original"]], paper["generalization"][name])
        for name in paper["quasi"]
    }
    return paper


def test_both_papers_are_there() -> None:
    assert [path.stem for path in PAPERS] == ["li-2007-patients", "machanavajjhala-2006-inpatient"]


@pytest.mark.parametrize("path", PAPERS, ids=lambda path: path.stem)
@pytest.mark.parametrize("table", ["original", "anonymized"])
def test_papers_have_the_classes_they_print(path: Path, table: str) -> None:
    paper = read_paper(path)
    found = oracle.check(paper[table], paper["quasi"])
    measured = {name: getattr(found, name) for name in ("rows", "classes", "k", "unique_rows")}
    assert measured == paper["expected"][table]


@pytest.mark.parametrize("path", PAPERS, ids=lambda path: path.stem)
def test_the_papers_generalization_gives_the_papers_release(path: Path) -> None:
    paper = read_paper(path)
    assert all(isinstance(row["zip_code"], str) for row in paper["original"])
    generalized, suppressed = oracle.generalize(paper["original"], paper["ladders"], paper["node"])
    assert generalized == paper["anonymized"]
    assert suppressed == []


@pytest.mark.parametrize("path", PAPERS, ids=lambda path: path.stem)
def test_the_papers_release_is_our_optimum_without_suppression(path: Path) -> None:
    paper = read_paper(path)
    k = paper["expected"]["anonymized"]["k"]
    best = oracle.optimum(paper["original"], paper["ladders"], k, 0)
    assert best is not None
    assert list(best.node) == paper["node"]


def test_leaving_age_out_makes_four_inpatients_unique() -> None:
    # Rows 1, 5, 6 and 10 of Figure 1 are alone on zip code and nationality; age is a key.
    paper = read_paper(HERE.parent / "papers" / "machanavajjhala-2006-inpatient.yml")
    found = oracle.check(paper["original"], paper["quasi"])
    assert found.sizes == {1: 12}
    assert found.without == {"zip_code": (1, 12), "age": (1, 4), "nationality": (1, 12)}


def test_loss_of_li_2007_table_2() -> None:
    # zip: (6 * 6/9 + 3 * 3/9) / 9 = 5/9, less 1/9, over 8/9; age: three classes of 3 of 9.
    paper = read_paper(HERE.parent / "papers" / "li-2007-patients.yml")
    released, suppressed = oracle.release(paper["original"], paper["ladders"], (1, 1), 3)
    parts = oracle.loss_parts(released, suppressed, paper["ladders"], (1, 1))
    assert parts == {"zip_code": Fraction(1, 2), "age": Fraction(1, 4)}
    lost = oracle.loss(released, suppressed, paper["ladders"], (1, 1))
    assert lost.product == Fraction(15, 8)
    assert lost.value == pytest.approx(0.3693063937629153, rel=1e-12)


@pytest.mark.parametrize(
    ("value", "width", "origin", "label"),
    [
        (25, 10, 0, "[20, 30)"),
        (30, 10, 0, "[30, 40)"),
        (29, 10, 0, "[20, 30)"),
        (0, 5, 0, "[0, 5)"),
        (-1, 5, 0, "[-5, 0)"),
        (-3, 5, 0, "[-5, 0)"),
        (-5, 5, 0, "[-5, 0)"),
        (-6, 5, 0, "[-10, -5)"),
        (25, 10, 5, "[25, 35)"),
        (24, 10, 5, "[15, 25)"),
        (2**63 - 1, 10, 0, "[9223372036854775800, 9223372036854775810)"),
        (Decimal("2.5"), Decimal("2.5"), 0, "[2.5, 5.0)"),
        (Decimal("2.49"), "2.5", 0, "[0.0, 2.5)"),
        (Decimal("-0.01"), "2.5", 0, "[-2.5, 0.0)"),
        (Decimal("-2.51"), "2.50", 0, "[-5.00, -2.50)"),
        (Decimal("0.30"), "0.1", 0, "[0.3, 0.4)"),
        (Decimal("7.00"), 5, "0.25", "[5.25, 10.25)"),
        (-0.25, "0.5", 0, "[-0.5, 0.0)"),
        (2.5, "2.5", 0, "[2.5, 5.0)"),
        (date(1970, 1, 7), 7, date(1970, 1, 1), "[1970-01-01, 1970-01-08)"),
        (date(1970, 1, 8), 7, date(1970, 1, 1), "[1970-01-08, 1970-01-15)"),
        (date(1969, 12, 31), 7, date(1970, 1, 1), "[1969-12-25, 1970-01-01)"),
        (date(2024, 2, 29), 30, date(2024, 2, 1), "[2024-02-01, 2024-03-02)"),
        (datetime(1970, 1, 7, 23, 59), 7, date(1970, 1, 1), "[1970-01-01, 1970-01-08)"),
        (date(9999, 12, 30), 1, date(1970, 1, 1), "[9999-12-30, 9999-12-31)"),
        (date(9999, 12, 31), 1, date(1970, 1, 1), None),
        (date(1, 1, 1), 7, date(1970, 1, 1), None),
    ],
)
def test_intervals_are_half_open_and_exact(
    value: oracle.Value, width: oracle.Number, origin: oracle.Number | date, label: str | None
) -> None:
    assert oracle.interval_label(value, width, origin) == label


@pytest.mark.parametrize(
    ("value", "cuts", "label", "closed_label"),
    [
        (17, ["18", "40", "65"], "< 18", None),
        (18, ["18", "40", "65"], "[18, 40)", "[18, 40)"),
        (39, ["18", "40", "65"], "[18, 40)", "[18, 40)"),
        (40, ["18", "40", "65"], "[40, 65)", "[40, 65)"),
        (65, ["18", "40", "65"], ">= 65", None),
        (18, ["18"], ">= 18", None),
        (-1, ["-1.50", "0"], "[-1.50, 0)", "[-1.50, 0)"),
        (Decimal("2.50"), ["2.5", "5.00"], "[2.5, 5.00)", "[2.5, 5.00)"),
        (Decimal("4.99"), ["2.5", "5.00"], "[2.5, 5.00)", "[2.5, 5.00)"),
        (0.5, ["0.5", "1"], "[0.5, 1)", "[0.5, 1)"),
        (date(2024, 2, 28), ["2024-02-29"], "< 2024-02-29", None),
        (date(2024, 2, 29), ["2024-02-29"], ">= 2024-02-29", None),
        (datetime(2024, 2, 28, 23, 59), ["2024-02-29"], "< 2024-02-29", None),
        (datetime(2024, 2, 29), ["2024-02-29"], ">= 2024-02-29", None),
    ],
)
def test_cuts_belong_to_the_interval_above_them(
    value: oracle.Value, cuts: list[str], label: str, closed_label: str | None
) -> None:
    assert oracle.cut_label(value, cuts) == label
    assert oracle.cut_label(value, cuts, closed=True) == closed_label


def test_prefixes_keep_code_points_and_the_length() -> None:
    assert oracle.prefix_label("47677", 3) == "476**"
    assert oracle.prefix_label("476", 3) == "476"
    assert oracle.prefix_label("47", 3) == "47"
    assert oracle.prefix_label("", 3) == ""
    assert oracle.prefix_label("🙂名前", 1) == "🙂**"
    assert oracle.prefix_label("e\u0301x", 1) == "e**"


@pytest.mark.parametrize(
    ("day", "week", "quarter", "decade"),
    [
        (date(2024, 3, 7), "2024-W10", "2024-Q1", "2020s"),
        (date(2021, 1, 3), "2020-W53", "2021-Q1", "2020s"),
        (date(2021, 1, 4), "2021-W01", "2021-Q1", "2020s"),
        (date(2024, 12, 30), "2025-W01", "2024-Q4", "2020s"),
        (date(2019, 12, 31), "2020-W01", "2019-Q4", "2010s"),
        (date(2024, 3, 31), "2024-W13", "2024-Q1", "2020s"),
        (date(2024, 4, 1), "2024-W14", "2024-Q2", "2020s"),
        (date(1, 1, 1), "0001-W01", "0001-Q1", "0000s"),
        (date(9999, 12, 31), "9999-W52", "9999-Q4", "9990s"),
    ],
)
def test_weeks_are_iso_weeks_and_quarters_are_calendar_quarters(
    day: date, week: str, quarter: str, decade: str
) -> None:
    assert oracle.date_label(day, "week") == week
    assert oracle.date_label(day, "quarter") == quarter
    assert oracle.date_label(day, "decade") == decade


def test_a_timestamp_is_in_the_units_of_its_day() -> None:
    late = datetime(2024, 2, 29, 23, 59, 59, 999999)
    labels = [oracle.date_label(late, unit) for unit in ("day", "month", "year")]
    assert labels == ["2024-02-29", "2024-02", "2024"]


@pytest.mark.parametrize(
    ("birth", "at", "label"),
    [
        (date(1994, 3, 8), date(2024, 3, 7), "[20, 30)"),
        (date(1994, 3, 7), date(2024, 3, 7), "[30, 40)"),
        (date(2004, 2, 29), date(2014, 2, 28), "[0, 10)"),
        (date(2004, 2, 29), date(2014, 3, 1), "[10, 20)"),
        (date(2004, 2, 29), date(2024, 2, 28), "[10, 20)"),
        (date(2004, 2, 29), date(2024, 2, 29), "[20, 30)"),
        (date(2024, 3, 7), date(2024, 3, 7), "[0, 10)"),
        (datetime(2024, 3, 7, 12), date(2024, 3, 7), "[0, 10)"),
        (date(2024, 3, 8), date(2024, 3, 7), None),
    ],
)
def test_age_is_in_complete_years(birth: date, at: date, label: str | None) -> None:
    assert oracle.age_label(birth, 10, at) == label


def test_null_is_a_value_of_its_own_below_the_top() -> None:
    ladder = rule_ladder([7, None, 12], [tens])
    assert [ladder.at(None, level) for level in range(3)] == [None, None, "*"]
    assert [ladder.at(7, level) for level in range(3)] == [7, "[0, 10)", "*"]
    assert len(ladder.leaves) == 3


def test_null_at_the_top_is_general_from_level_1_on() -> None:
    ladder = rule_ladder([7, None], [tens], nulls="top")
    assert [ladder.at(None, level) for level in range(3)] == [None, "*", "*"]
    assert len(ladder.leaves) == 2


def test_suppressed_nulls_are_no_leaf_and_never_released() -> None:
    ladder = rule_ladder([7, None, 7], [tens], nulls="suppress")
    rows = [{"age": value} for value in (7, None, 7)]
    assert len(ladder.leaves) == 1
    for level in range(3):
        released, suppressed = oracle.release(rows, {"age": ladder}, (level,), 1)
        assert (len(released), suppressed) == (2, 1)


def test_uncovered_values_follow_their_policy() -> None:
    def adults(value: oracle.Value) -> str | None:
        return oracle.cut_label(value, ["18", "65"], closed=True)

    with pytest.raises(ValueError, match="does not cover"):
        rule_ladder([20, 70], [adults])
    assert rule_ladder([20, 70], [adults], uncovered="top").leaves[70] == ("*", "*")
    assert rule_ladder([20, 70], [adults], uncovered="suppress").suppressed == {70}


def test_lines_count_as_leaves_whether_they_occur_or_not() -> None:
    lines = [["flu", "lung"], ["cold", "lung"], ["ulcer", "stomach"]]
    assert len(lines_ladder(["flu", None], lines).leaves) == 4
    assert len(lines_ladder(["flu", None], lines, nulls="suppress").leaves) == 3
    assert len(lines_ladder(["flu", "burn"], lines, uncovered="top").leaves) == 4
    assert lines_ladder(["flu"], lines).leaves["flu"] == ("lung", "*")


def test_one_last_label_is_the_top() -> None:
    ladder = lines_ladder(["b", None], [["a", "any"], ["b", "any"]])
    assert (ladder.height, ladder.top, ladder.at(None, 1)) == (1, "any", "any")


def test_a_value_on_two_lines_that_differ_is_refused() -> None:
    with pytest.raises(ValueError, match="two lines that differ"):
        lines_ladder([], [["a", "x"], ["a", "y"]])


def test_a_shallow_leaf_of_a_tree_repeats_itself() -> None:
    tree: oracle.Tree = {"lung": {"upper": ["cold"], "lower": ["flu"]}, "other": ["burn"]}
    assert oracle.tree_lines(tree) == [
        ["cold", "upper", "lung", "*"],
        ["flu", "lower", "lung", "*"],
        ["burn", "burn", "other", "*"],
    ]


def test_nesting_faults_count_the_values_of_a_split_label() -> None:
    lines = [["a", "x", "p"], ["b", "x", "q"], ["c", "y", "q"]]
    assert oracle.nesting_faults(lines_ladder([], lines)) == {1: 2, 2: 0}


def test_null_is_a_value() -> None:
    rows: list[oracle.Row] = [{"a": None}, {"a": None}, {"a": 1}]
    found = oracle.check(rows, ["a"])
    assert (found.classes, found.k, found.unique_rows, found.sizes) == (2, 1, 1, {2: 1, 1: 1})
    assert found.without == {"a": (3, 0)}


def test_a_table_without_rows_has_k_0() -> None:
    assert oracle.check([], ["a"]) == oracle.Check(0, 0, 0, 0, {}, {"a": (0, 0)})
    assert oracle.loss([], 0, {"a": suppression([])}, (0,)).product == 1
    assert oracle.optimum([], {"a": suppression([])}, 1, 5) is None


AGES = [{"age": age} for age in (1, 2, 11, 12, 25)]
AGE = {"age": rule_ladder([1, 2, 11, 12, 25], [tens])}


def test_suppressed_rows_lose_everything() -> None:
    # Level 1, k = 2: four rows stand for 2 of 5 leaves, one is suppressed: mean 13/25, v = 2/5.
    best = oracle.optimum(AGES, AGE, k=2, budget_rows=1)
    assert best is not None
    assert (best.node, best.suppressed, best.loss.product) == ((1,), 1, Fraction(7, 5))
    assert len(best.released) == 4


def test_the_top_is_the_optimum_without_a_budget() -> None:
    best = oracle.optimum(AGES, AGE, k=2, budget_rows=0)
    assert best is not None
    assert (best.node, best.loss) == ((2,), oracle.Loss(Fraction(2), 1.0))
    assert oracle.minimal_suppression(AGES, AGE, 2) == 0


def test_nothing_is_feasible_when_k_exceeds_the_table() -> None:
    assert oracle.optimum(AGES, AGE, k=6, budget_rows=5) is None
    assert oracle.minimal_suppression(AGES, AGE, 6) == 5


def test_a_constant_column_loses_nothing_and_stays_at_level_0() -> None:
    rows = [{"x": x, "y": 1} for x in (1, 2)]
    best = oracle.optimum(rows, {"x": suppression([1, 2]), "y": suppression([1])}, 2, 0)
    assert best is not None
    assert best.node == (1, 0)
    assert best.loss.product == 2
    assert best.loss.value == pytest.approx(2**0.5 - 1, rel=1e-12)


SQUARE = [{"x": x, "y": y} for x in (1, 2) for y in (1, 2)]


def test_ties_of_loss_and_height_go_to_the_smaller_levels_in_column_order() -> None:
    best = oracle.optimum(SQUARE, {"x": suppression([1, 2]), "y": suppression([1, 2])}, 2, 0)
    assert best is not None
    assert best.node == (0, 1)


def test_ties_of_loss_go_to_the_smaller_height_first() -> None:
    # y merges at level 3 only, so (0, 3) and (1, 0) lose the same.
    y = lines_ladder([1, 2], [[1, "a", "a"], [2, "b", "b"]])
    best = oracle.optimum(SQUARE, {"x": suppression([1, 2]), "y": y}, 2, 0)
    assert best is not None
    assert best.node == (1, 0)


def test_a_budget_is_a_count_or_a_share_rounded_down() -> None:
    assert oracle.budget("2%", 30162) == 603
    assert oracle.budget("0.3", 10) == 3
    assert oracle.budget(Fraction(1, 3), 10) == 3
    assert oracle.budget("1.5%", 200) == 3
    assert oracle.budget(7, 3) == 7
    assert oracle.budget("100%", 3) == 3


@settings(max_examples=60, deadline=None)
@given(strategies.tables())
def test_loading_a_table_round_trips(table: strategies.Table) -> None:
    with duckdb.connect() as connection:
        strategies.load(connection, table)
        found = connection.execute(f"FROM {strategies.quoted(table.name)}")
        assert [name for name, *_ in found.description or []] == [c.name for c in table.columns]
        assert found.fetchall() == [tuple(row.values()) for row in table.rows]


@settings(max_examples=100, deadline=None)
@given(strategies.tables())
def test_drawn_hierarchies_nest_and_cover(table: strategies.Table) -> None:
    for column, ladder in table.ladders.items():
        assert not any(oracle.nesting_faults(ladder).values())
        assert {row[column] for row in table.rows} <= {*ladder.leaves, *ladder.suppressed}
        assert len({ladder.at(leaf, ladder.height) for leaf in ladder.leaves}) <= 1


@settings(max_examples=40, deadline=None)
@given(strategies.tables(max_rows=12, max_quasi=2))
def test_the_optimum_keeps_k_and_loses_between_0_and_1(table: strategies.Table) -> None:
    best = oracle.optimum(table.rows, table.ladders, 2, oracle.budget("50%", len(table.rows)))
    if best is not None:
        assert oracle.k_of(best.released, table.quasi) >= 2
        assert 0 <= best.loss.value <= 1
        assert best.suppressed >= oracle.minimal_suppression(table.rows, table.ladders, 2)
