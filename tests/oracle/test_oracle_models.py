"""The oracle of the guarantees against answers worked by hand and printed in the papers."""

from __future__ import annotations

import ast
import math
import sys
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import oracle
from oracle import lines_ladder, tree_lines
from oracle_diversity import frequency_and_tail
from oracle_models import ORACLE, Judgement, Table, exact
from oracle_table import limit_of

ORACLES = sorted(Path(__file__).parent.glob("oracle*.py"))

# Figure 1 of Li 2007.
DISEASES: oracle.Tree = {
    "respiratory system diseases": {
        "respiratory infection": ["flu", "pneumonia", "bronchitis"],
        "vascular lung diseases": ["pulmonary edema", "pulmonary embolism"],
    },
    "digestive system diseases": {
        "stomach diseases": ["gastric ulcer", "stomach cancer", "gastritis"],
        "colon diseases": ["colitis", "colon cancer"],
    },
}
PATIENTS = [
    (3, "gastric ulcer"),
    (4, "gastritis"),
    (5, "stomach cancer"),
    (6, "gastritis"),
    (11, "flu"),
    (8, "bronchitis"),
    (7, "bronchitis"),
    (9, "pneumonia"),
    (10, "stomach cancer"),
]
# The record numbers that Li 2007 prints per class, in the order of its print.
TABLE_4 = [(1, 2, 3), (4, 5, 6), (7, 8, 9)]
TABLE_5 = [(1, 3, 8), (4, 5, 6), (2, 7, 9)]
INCIDENTS = {
    "2C": ["power outage"] * 3,
    "4F": ["theft", "fire", "fatal accident", "fire"],
    "9A": ["sidewalk repair", "power outage"],
    "3B": ["pest control", "power outage", "sidewalk repair", "tree replanting", "sidewalk repair"],
}
MERIT_POINTS = {"E": [1, 4, 2], "U": [3], "G": [3, 4, 3, 1], "R": [4, 3]}
HEART, VIRAL, CANCER = "Heart Disease", "Viral Infection", "Cancer"
FIGURE_2 = {
    "130**, < 30": [HEART, HEART, VIRAL, VIRAL],
    "1485*": [CANCER, HEART, VIRAL, VIRAL],
    "130**, 3*": [CANCER] * 4,
}
FIGURE_3 = {
    "1305*": [HEART, VIRAL, CANCER, CANCER],
    "1485*": [CANCER, HEART, VIRAL, VIRAL],
    "1306*": [HEART, VIRAL, CANCER, CANCER],
}


def table_of(groups: Mapping[Any, Sequence[Any]], **described: Any) -> Table:
    """A table of one quasi-identifier q and one sensitive column s, class by class."""
    rows = [{"q": q, "s": s} for q, values in groups.items() for s in values]
    return Table(rows, ["q"], ["s"], **described)


def patients(grouping: Sequence[Sequence[int]]) -> Table:
    rows: list[oracle.Row] = [
        {"q": number, "salary": PATIENTS[record - 1][0], "disease": PATIENTS[record - 1][1]}
        for number, records in enumerate(grouping)
        for record in records
    ]
    return Table(
        rows,
        ["q"],
        ["salary", "disease"],
        orders={"salary": "numeric"},
        trees={"disease": lines_ladder([], tree_lines(DISEASES))},
    )


def judged(table: Table, name: str, **parameters: Any) -> Judgement:
    return ORACLE[name](table, **parameters)


def figures(table: Table, name: str, **parameters: Any) -> list[oracle.Value | Fraction | float]:
    return list(judged(table, name, **parameters).figures.values())


@pytest.mark.parametrize("path", ORACLES, ids=lambda path: path.stem)
def test_the_oracle_imports_the_standard_library_and_itself_only(path: Path) -> None:
    imported = set()
    for statement in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(statement, ast.Import):
            imported |= {name.name.split(".")[0] for name in statement.names}
        elif isinstance(statement, ast.ImportFrom):
            assert statement.level == 0
            imported.add(str(statement.module).split(".")[0])
    assert imported <= sys.stdlib_module_names | {own.stem for own in ORACLES}


@pytest.mark.parametrize(
    ("grouping", "expected"),
    [
        (TABLE_4, [Fraction(3, 8), Fraction(1, 6), Fraction(17, 72)]),
        (TABLE_5, [Fraction(1, 6), Fraction(1, 6), Fraction(1, 12)]),
    ],
    ids=["Table 4", "Table 5"],
)
def test_ordered_distance_gives_the_salary_closeness_of_li_2007(
    grouping: Sequence[Sequence[int]], expected: list[Fraction]
) -> None:
    table = patients(grouping)
    found = judged(table, "t_closeness", column="salary", t=max(expected), distance="ordered")
    assert list(found.figures.values()) == expected
    assert (found.measured, found.met) == (max(expected), True)
    assert not judged(
        table,
        "t_closeness",
        column="salary",
        t=max(expected) - Fraction(1, 10**9),
        distance="ordered",
    ).met


@pytest.mark.parametrize(
    ("grouping", "own", "uniform"),
    [
        (TABLE_4, [Fraction(4, 9), Fraction(8, 27), Fraction(8, 27)], Fraction(1, 2)),
        (TABLE_5, [Fraction(7, 27), Fraction(8, 27), Fraction(5, 27)], Fraction(5, 18)),
    ],
    ids=["Table 4", "Table 5"],
)
def test_hierarchical_distance_gives_the_disease_closeness_of_li_2007(
    grouping: Sequence[Sequence[int]], own: list[Fraction], uniform: Fraction
) -> None:
    table = patients(grouping)
    settings = {"column": "disease", "t": 1, "distance": "hierarchical"}
    assert figures(table, "t_closeness", **settings) == own
    printed = judged(table, "t_closeness", **settings, reference="uniform")
    assert printed.figures[0,] == uniform, "the paper's number is for a uniform reference"
    assert printed.measured == uniform


def test_equal_distance_gives_the_incidents_and_diseases_of_the_tutorial() -> None:
    incidents = figures(table_of(INCIDENTS), "t_closeness", column="s", t=1)
    assert incidents == [Fraction(9, 14), Fraction(5, 7), Fraction(3, 7), Fraction(31, 70)]
    diseases = figures(patients(TABLE_4), "t_closeness", column="disease", t=1)
    assert diseases == [Fraction(4, 9)] * 3


def test_the_order_of_the_merit_points_of_the_tutorial_is_part_of_the_question() -> None:
    settings = {"column": "s", "t": 1, "distance": "ordered"}
    by_frequency = table_of(MERIT_POINTS, orders={"s": [3, 4, 1, 2]})
    assert figures(by_frequency, "t_closeness", **settings) == [
        Fraction(1, 3),
        Fraction(1, 3),
        Fraction(1, 12),
        Fraction(1, 6),
    ]
    numeric = table_of(MERIT_POINTS, orders={"s": "numeric"})
    first, *_ = figures(numeric, "t_closeness", **settings)
    assert first == Fraction(8, 45)


def test_an_explicit_order_is_the_domain_and_null_comes_first_if_it_occurs() -> None:
    groups: dict[int, list[str | None]] = {1: ["b", "b"], 2: ["d", None]}
    settings = {"column": "s", "t": 1, "distance": "ordered"}
    text = table_of(groups, orders={"s": "text"})
    assert figures(text, "t_closeness", **settings)[0] == (Fraction(1, 4) + Fraction(1, 4)) / 2
    listed = table_of(groups, orders={"s": ["a", "b", "c", "d"]})
    found = figures(listed, "t_closeness", **settings)[0]
    assert found == (Fraction(1, 4) + Fraction(1, 4) + Fraction(1, 4) + Fraction(1, 4)) / 4
    numeric = table_of({1: ["9", "9"], 2: ["10", None]}, orders={"s": "numeric"})
    assert figures(numeric, "t_closeness", **settings)[0] == Fraction(1, 4)
    alone = table_of({1: ["9", "9"]}, orders={"s": "numeric"})
    assert figures(alone, "t_closeness", **settings) == [0]


def test_every_block_of_figure_3_has_entropy_2_83_and_distinct_3() -> None:
    table = table_of(FIGURE_3)
    assert figures(table, "distinct_l_diversity", column="s", l=3) == [3, 3, 3]
    entropy = judged(table, "entropy_l_diversity", column="s", l="2.8")
    assert list(entropy.figures.values()) == pytest.approx([2.8284271247] * 3)
    assert entropy.met
    assert len(judged(table, "entropy_l_diversity", column="s", l=3).failing) == 3


@pytest.mark.parametrize("l", range(2, 13))
def test_exactly_l_uniform_classes_have_entropy_l_diversity(l: int) -> None:  # noqa: E741
    table = table_of({times: [*range(l)] * times for times in (1, 3, 7, 1000 // l)})
    assert judged(table, "entropy_l_diversity", column="s", l=l).met
    assert (
        len(judged(table, "entropy_l_diversity", column="s", l=l + Fraction(1, 10**6)).failing) == 4
    )
    uneven = table_of({1: [*range(l)] * 50 + [0]})
    assert not judged(uneven, "entropy_l_diversity", column="s", l=l).met


@pytest.mark.parametrize(
    ("groups", "l", "least"), [([98, 2], 2, 49), ([98, 1, 1], 3, 98)], ids=["98:2", "98:1:1"]
)
def test_recursive_diversity_is_strict(
    groups: list[int],
    l: int,  # noqa: E741
    least: int,
) -> None:
    table = table_of({1: [s for s, count in enumerate(groups) for _ in range(count)]})
    found = judged(table, "recursive_l_diversity", column="s", c=least, l=l)
    assert (found.measured, found.met) == (least, False)
    assert judged(table, "recursive_l_diversity", column="s", c=least + Fraction(1, 1000), l=l).met


def test_too_few_values_leave_no_tail_and_one_diversity_is_always_satisfied() -> None:
    table = table_of({1: ["a", "a", "b"]})
    found = judged(table, "recursive_l_diversity", column="s", c=1000, l=3)
    assert (found.measured, found.met) == (math.inf, False)
    one = judged(table, "recursive_l_diversity", column="s", c="0.001", l=1)
    assert (one.measured, one.met) == (0, True)


def test_disclosable_values_are_not_too_frequent_by_both_branches_of_definition_4_3() -> None:
    healthy = {"healthy": 50, "flu": 10, "cold": 5, "cancer": 4}
    assert frequency_and_tail(healthy, 3, ["healthy"]) == (10, 5 + 4)  # y = 2 <= l - 1
    assert frequency_and_tail(healthy, 2, ["healthy"]) == (10, 50 + 5 + 4)  # y = 2 > l - 1
    assert frequency_and_tail(healthy, 2) == (50, 19)
    table = table_of({1: ["healthy"] * 50, 2: ["healthy"] * 50 + ["flu"] * 10 + ["cold"] * 9})
    settings: dict[str, Any] = {"column": "s", "c": 1, "l": 3}
    assert len(judged(table, "recursive_l_diversity", **settings).failing) == 2
    disclosed = judged(table, "recursive_l_diversity", **settings, disclosable=["healthy"])
    assert disclosed.figures == {(1,): 0, (2,): Fraction(10, 9)}
    assert disclosed.failing == {(2,)}


def test_a_protected_value_is_in_its_share_of_every_class() -> None:
    table = table_of({1: ["a"] * 9 + ["w"], 2: ["a"] * 10 + ["w"], 3: ["a", "b"]})
    settings: dict[str, Any] = {"column": "s", "c": 100, "l": 2}
    assert judged(table, "recursive_l_diversity", **settings).met
    for share in ("10%", "0.10"):
        found = judged(
            table, "recursive_l_diversity", **settings, protected=["w"], protected_share=share
        )
        assert found.failing == {(2,), (3,)}
        assert found.failing_rows == 13


def test_the_block_of_section_4_3_is_3_diverse_in_each_column_and_not_jointly() -> None:
    pairs = [("s1", "v1"), ("s1", "v2"), ("s2", "v3"), ("s3", "v3")]
    rows: list[oracle.Row] = [{"q": "q*", "s": s, "v": v} for s, v in pairs]
    table = Table(rows, ["q"], ["s", "v"])
    diversities: dict[str, dict[str, Any]] = {
        "distinct_l_diversity": {"l": 3},
        "entropy_l_diversity": {"l": "2.8"},
        "recursive_l_diversity": {"l": 3, "c": "2.1"},
    }
    for column in ("s", "v"):
        for name, parameters in diversities.items():
            assert judged(table, name, column=column, **parameters).met
            assert not judged(table, name, column=column, **parameters, jointly=True).met
        # The paper calls it recursive (2, 3)-diverse, but 2 < 2 * 1 does not hold.
        assert not judged(table, "recursive_l_diversity", column=column, l=3, c=2).met
    assert judged(table, "distinct_l_diversity", column="v", l=3, jointly=True).measured == 1


def test_the_skewness_attack_of_li_2007_sees_what_diversity_does_not() -> None:
    groups = {"even": [1] * 25 + [0] * 25, "49 to 1": [1] * 49 + [0], "1 to 49": [1] + [0] * 49}
    tested: list[oracle.Row] = [{"s": 1, "people": 100}, {"s": 0, "people": 9900}]
    table = table_of(groups, references={"tested": tested})
    against = {"table": "tested", "weight": "people"}
    found = judged(table, "skewness", column="s", at_most=50, reference=against)
    assert found.figures == {("even",): 50, ("49 to 1",): 98, ("1 to 49",): 2}
    assert found.failing == {("49 to 1",)}
    assert found.measured == 98
    diversity = judged(table, "recursive_l_diversity", column="s", c=50, l=2)
    assert diversity.met
    assert diversity.figures["49 to 1",] == diversity.figures["1 to 49",] == 49
    unseen = table_of({1: [0, 2]}, references={"tested": tested})
    assert judged(unseen, "skewness", column="s", at_most=9, reference=against).measured == math.inf


def test_the_attacks_of_machanavajjhala_2006_reach_the_classes_of_figure_2() -> None:
    attacked, guarded = table_of(FIGURE_2), table_of(FIGURE_3)
    found = judged(attacked, "homogeneity", column="s", at_most=0)
    assert (found.total, found.broken) == (4, True)
    assert found.failing == {("130**, 3*",)}
    assert judged(guarded, "homogeneity", column="s", at_most=0).met
    for limit, broken in ((8, False), (7, True), ("67%", False), ("0.66", True)):
        found = judged(attacked, "background_knowledge", column="s", excluded=1, at_most=limit)
        assert (found.total, found.measured) == (8, 8)
        assert (found.failing, found.broken) == (frozenset(), broken)
    assert judged(guarded, "background_knowledge", column="s", excluded=1, at_most=0).total == 0
    assert judged(guarded, "background_knowledge", column="s", excluded=2, at_most=0).total == 12


def test_the_similarity_attack_of_li_2007_reaches_table_4_and_not_table_5() -> None:
    for level in (1, 2):
        found = judged(patients(TABLE_4), "similarity", column="disease", at_most=0, level=level)
        assert found.failing == {(0,)}
        assert judged(patients(TABLE_5), "similarity", column="disease", at_most=0, level=level).met
    serious = {"serious": ["theft", "fire", "fatal accident"]}
    found = judged(table_of(INCIDENTS), "similarity", column="s", at_most=0, groups=serious)
    assert found.failing == {("2C",), ("4F",)}, "a value in no group is a group of its own"


def test_alpha_k_anonymity_holds_the_values_that_are_named() -> None:
    table = table_of({1: ["a", "a", "b"], 2: ["a", "b", "b"], 3: ["a", "b"]})
    found = judged(table, "alpha_k_anonymity", column="s", alpha="0.5", k=3)
    assert found.failing == {(1,), (2,), (3,)}
    found = judged(table, "alpha_k_anonymity", column="s", alpha="50%", values=["b"])
    assert found.failing == {(2,)}
    assert found.measured == Fraction(2, 3)


def test_all_rows_without_a_unit_may_be_one_person() -> None:
    rows: list[oracle.Row] = [{"q": 1, "person": person} for person in (7, 7, None, None)]
    table = Table(rows, ["q"])
    assert judged(table, "k_anonymity", k=4).met
    found = judged(table, "k_anonymity", k=3, unit="person")
    assert (found.measured, found.met) == (2, False)


def test_closeness_with_logarithms_is_infinite_only_where_the_reference_lacks_a_value() -> None:
    seen: list[oracle.Row] = [{"s": "a"}, {"s": "b"}, {"s": "b"}, {"s": "c"}]
    table = table_of({1: ["a", "b"], 2: ["a", "d"]}, references={"seen": seen})
    settings: dict[str, Any] = {"column": "s", "t": 1, "reference": {"table": "seen"}}
    kl = math.log(2) / 2
    assert figures(table, "t_closeness", **settings, distance="kl") == pytest.approx([kl, math.inf])
    js = figures(table, "t_closeness", **settings, distance="js")
    middle_1 = (0.5 * math.log(0.5 / 0.375) + 0 + 0.25 * math.log(0.25 / 0.375)) / 2
    middle_2 = (0.25 * math.log(0.25 / 0.125)) / 2 + 0.25 * math.log(0.5 / 0.5)
    assert js[0] == pytest.approx(middle_1 + middle_2)
    disjoint = table_of({1: ["d"]}, references={"seen": seen})
    assert figures(disjoint, "t_closeness", **settings, distance="js") == [
        pytest.approx(math.log(2))
    ]


def test_likeness_weighs_gains_and_losses_as_each_definition_does() -> None:
    # P = (3/4, 1/4, 0), Q = (1/2, 1/4, 1/4) and P = (0, 1/4, 3/4).
    table = table_of({1: "aaab", 2: "accc"}, source=[{"s": s} for s in "aabc"])
    settings: dict[str, Any] = {"column": "s", "reference": "source"}
    beta = judged(table, "beta_likeness", **settings, beta=2)
    assert (beta.figures, beta.met) == ({(1,): Fraction(1, 2), (2,): 2}, True)
    curbed = judged(table, "beta_likeness", **settings, beta=2, enhanced=True)
    assert curbed.failing == {(2,)}, "2 > -ln 1/4 = 1.39, and 1/2 < -ln 1/2 = 0.69"
    two = table_of({1: "bbaa"}, source=[{"s": s} for s in "aabccccc"])
    assert judged(two, "beta_likeness", **settings, beta=3).measured == 3
    delta = judged(table, "delta_disclosure", **settings, delta=9)
    assert delta.measured == math.inf
    assert len(delta.failing) == 2
    ignored = judged(table, "delta_disclosure", **settings, delta="1.0986", absent="ignore")
    assert list(ignored.figures.values()) == pytest.approx([math.log(1.5), math.log(3)])
    assert ignored.failing == {(2,)}
    assert judged(table, "ratio_closeness", **settings, epsilon=9).measured == math.inf
    near = table_of({1: "aab", 2: "abb"})
    ratio = judged(near, "ratio_closeness", column="s", epsilon="0.4055")
    assert ratio.measured == pytest.approx(math.log(1.5))
    assert ratio.met
    assert not judged(near, "ratio_closeness", column="s", epsilon="0.4054").met


def test_n_t_closeness_looks_for_a_superset_that_is_large_and_close() -> None:
    rows: list[oracle.Row] = [
        {"a": a, "b": b, "s": s}
        for (a, b), values in {(1, 1): "xxy", (1, 2): "xyy", (2, 1): "xxx", (2, 2): "xxx"}.items()
        for s in values
    ]
    table = Table(rows, ["a", "b"], ["s"])
    settings: dict[str, Any] = {"column": "s", "t": "1/6"}
    alone = judged(table, "n_t_closeness", **settings, n=6)
    assert list(alone.figures.values()) == [
        Fraction(1, 12),
        Fraction(5, 12),
        Fraction(1, 4),
        Fraction(1, 4),
    ]
    found = judged(table, "n_t_closeness", **settings, n=6, supersets=[["a"], ["b"]])
    assert list(found.figures.values()) == [
        Fraction(1, 12),
        Fraction(1, 6),
        Fraction(0),
        Fraction(0),
    ]
    assert found.met
    assert judged(table, "n_t_closeness", **settings, n=13).measured == math.inf


def test_a_share_is_the_same_number_in_both_spellings_and_a_limit_may_be_rows() -> None:
    assert exact("5%") == exact("0.05") == exact(0.05) == Fraction(1, 20)
    assert [limit_of(limit, 60) for limit in (5, "5", "5%", "0.05", "100%")] == [5, 5, 3, 3, 60]
