"""Classes as one row of counts: every verdict is that of the histograms, in fewer steps."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness import Stage, staged
from oracle_closeness import ordered_distance, variational_distance
from oracle_table import Distribution
from sqlgen import EngineError, make_plan, read_policy
from sqlgen.engines import Engine
from sqlgen.guarantees import Guarantee
from sqlgen.measuring.class_sums import EVERY_SUM
from sqlgen.measuring.nodes import NodeOutcome, measure_node, measure_whole
from sqlgen.planning.session import NodeEvaluator, policy_evaluator
from sqlgen.search.lattice import Lattice, Node
from sqlgen.staging import count_cells as wide
from test_mutations import mutated

TREES: dict[str, Any] = {
    "zip": {"north": {"n1": ["a", "b"], "n2": ["c"]}, "south": {"s1": ["d", "e"], "s2": ["f"]}},
    "age": {"young": ["1", "2"], "old": ["3", "4"]},
    "illness": {"lungs": ["flu", "cold"], "stomach": ["ulcer", "gastritis"]},
}
PRIORS = [("flu", 3), ("cold", 1), ("gastritis", 2), ("ulcer", 1), (None, 2)]
ILLNESSES = ["flu", "flu", "flu", "cold", "ulcer", None]
DISTANCES = ["equal", "variational", "ordered", "hierarchical"]
REFERENCES = ["released", "source", {"table": "priors"}, {"table": "priors", "weight": "weight"}]
GUARANTEES: list[dict[str, Any]] = [
    {"distinct_l_diversity": {"column": "illness", "l": 2}},
    {"distinct_l_diversity": {"column": "illness", "l": 3}},
    {"entropy_l_diversity": {"column": "illness", "l": "1.5"}},
    {"entropy_l_diversity": {"column": "illness", "l": 2}},
    *(
        {
            "t_closeness": {
                "column": "illness",
                "t": t,
                "distance": distance,
                "reference": reference,
            }
        }
        for distance in DISTANCES
        for reference in REFERENCES
        for t in ("0", "0.25", "0.4")
    ),
]
Rows = list[tuple[str, str, str | None]]


@pytest.fixture(autouse=True)
def _always_wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small tables too."""
    monkeypatch.setattr(wide, "_WORTH", 0)


def filled(rows: Rows) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(config={"threads": 1})
    connection.execute("CREATE TABLE people (zip VARCHAR, age VARCHAR, illness VARCHAR)")
    connection.execute("CREATE TABLE priors (illness VARCHAR, weight INTEGER)")
    if rows:
        connection.executemany("INSERT INTO people VALUES (?, ?, ?)", rows)
    connection.executemany("INSERT INTO priors VALUES (?, ?)", PRIORS)
    return connection


def policy_of(guarantees: list[dict[str, Any]], budget: int, **more: Any) -> dict[str, Any]:
    order = ["flu", "ulcer", "cold", "gastritis"]
    return {
        "source": {"table": "people"},
        "columns": {
            "zip": {"role": "quasi", "hierarchy": {"tree": TREES["zip"]}},
            "age": {"role": "quasi", "hierarchy": {"tree": TREES["age"]}},
            "illness": {
                "role": "sensitive",
                "hierarchy": {"tree": TREES["illness"]},
                "order": order,
            },
        },
        "guarantees": [{"k_anonymity": {"k": 2}}, *guarantees],
        "suppression": budget,
        **more,
    }


def both(made: Stage) -> tuple[NodeEvaluator, NodeEvaluator, list[Node]]:
    """The table's nodes, judged by counts and by histograms."""
    by_counts = policy_evaluator(made.engine, made.staged, made.policy)
    assert made.staged.count_cells is not None
    plain = replace(
        by_counts, staged=replace(made.staged, count_cells=None), measured={}, tallied={}
    )
    heights = tuple(ladder.height for ladder in made.staged.ladders)
    return by_counts, plain, list(Lattice(heights).nodes())


def alike(one: NodeOutcome, other: NodeOutcome) -> bool:
    """Whether two findings are the same; what they close may differ, for bounds do."""
    figures = zip(one.values, other.values, strict=True)
    bare = [replace(each, values=(), closes=False) for each in (one, other)]
    return bare[0] == bare[1] and all(
        math.isclose(left, right, rel_tol=1e-9, abs_tol=1e-12) for left, right in figures
    )


def whole(
    trial: NodeEvaluator, engine: Engine, guarantees: Sequence[Guarantee], node: Node
) -> NodeOutcome:
    """What a node gives when nothing is suppressed."""
    return measure_whole(engine, trial.staged, guarantees, node)


def counts_agree_with_histograms(rows: Rows, guarantees: list[dict[str, Any]], budget: int) -> None:
    policy = read_policy(policy_of(guarantees, budget))
    with filled(rows) as connection, staged(policy, connection) as made:
        by_counts, plain, nodes = both(made)
        found = {node: by_counts.measures(node) for node in nodes}
        for node in nodes:
            assert alike(found[node], plain.measures(node)), node
            asked = (made.engine, by_counts.guarantees, node)
            assert alike(whole(by_counts, *asked), whole(plain, *asked)), node
            if found[node].rounds == plain.measures(node).rounds:
                assert by_counts.tally(node, EVERY_SUM) == plain.tally(node, EVERY_SUM)
            if found[node].closes:
                finer = [
                    each
                    for each in nodes
                    if all(low <= high for low, high in zip(each, node, strict=True))
                ]
                assert not any(found[each].feasible for each in finer)


@given(
    st.lists(
        st.tuples(st.sampled_from("aabcdef"), st.sampled_from("1234"), st.sampled_from(ILLNESSES)),
        min_size=1,
        max_size=30,
    ),
    st.lists(st.sampled_from(GUARANTEES), min_size=1, max_size=3),
    st.integers(0, 14),
)
def test_counts_give_every_verdict_that_histograms_give(
    rows: Rows, guarantees: list[dict[str, Any]], budget: int
) -> None:
    counts_agree_with_histograms(rows, guarantees, budget)


def drawn(seed: int) -> Rows:
    random = Random(seed)
    return [
        (random.choice("aabcdef"), random.choice("1234"), random.choice(ILLNESSES))
        for _ in range(40)
    ]


def close(distance: str, reference: Any, t: str) -> dict[str, Any]:
    parameters = {"column": "illness", "t": t, "distance": distance, "reference": reference}
    return {"t_closeness": parameters}


BATTERY = [
    [GUARANTEES[1]],
    [GUARANTEES[3]],
    [close("equal", "released", "0.25"), GUARANTEES[0]],
    [close("ordered", "released", "0.25")],
    [close("ordered", REFERENCES[3], "0.4")],
    [close("hierarchical", "source", "0.25")],
]


def battery() -> None:
    """The kinds of guarantees, with a budget that is spent in rounds."""
    for guarantees in BATTERY:
        counts_agree_with_histograms(drawn(1), guarantees, 12)


VALUES = ("flu", "ulcer", "cold")
# Classes by their counts of each value, rows that may go, t, distance, reference: few rows do it.
MENDED = [
    (((2, 1, 3), (1, 0, 1), (0, 1, 5)), 4, "0.1", "equal", "released"),
    (((0, 2, 3), (0, 2, 0)), 2, "0", "ordered", "released"),
    (((2, 1, 2), (2, 0, 5), (2, 2, 1)), 4, "0.1", "ordered", "source"),
    (((0, 1, 1), (5, 0, 1)), 2, "0.2", "equal", "released"),
    (((1, 1, 1), (0, 3, 3)), 1, "0.1", "ordered", "source"),
    (((1, 1, 1), (3, 0, 1)), 1, "0.1", "hierarchical", "released"),
]
Shape = tuple[tuple[int, ...], ...]


def shares(counts: Sequence[int]) -> Distribution:
    return {value: Fraction(each, sum(counts)) for value, each in zip(VALUES, counts, strict=True)}


def apart(distance: str, counts: tuple[int, ...], whole: Sequence[int]) -> Fraction:
    p, q = shares(counts), shares(whole)
    if distance == "equal":
        return variational_distance(p, q)
    if distance == "ordered":
        return ordered_distance(p, q, [value for value in VALUES if p[value] or q[value]])
    stomach = abs(p["ulcer"] - q["ulcer"])
    return (variational_distance(p, q) + stomach) / 2


def can_be_mended(shape: Shape, budget: int, t: str, distance: str, reference: str) -> bool:
    """Whether some rows can go, so many at most, after which every class that is left passes."""
    source = [sum(counts) for counts in zip(*shape, strict=True)]

    def passes(left: Shape) -> bool:
        whole = source if reference == "source" else [sum(each) for each in zip(*left, strict=True)]
        return any(map(sum, left)) and all(
            not sum(each) or (sum(each) >= 2 and apart(distance, each, whole) <= Fraction(t))
            for each in left
        )

    def leftovers(counts: list[int], budget: int) -> Iterator[list[int]]:
        if not counts:
            yield []
            return
        for gone in range(min(counts[0], budget) + 1):
            for rest in leftovers(counts[1:], budget - gone):
                yield [counts[0] - gone, *rest]

    width = len(VALUES)
    return any(
        passes(tuple(tuple(flat[at : at + width]) for at in range(0, len(flat), width)))
        for flat in leftovers([count for each in shape for count in each], budget)
    )


def a_closed_node_cannot_be_mended(
    shape: Shape, budget: int, t: str, distance: str, reference: str
) -> None:
    rows: Rows = [
        (zipped, "1", value)
        for zipped, counts in zip("acd", shape, strict=False)
        for value, count in zip(VALUES, counts, strict=True)
        for _ in range(count)
    ]
    policy = read_policy(policy_of([close(distance, reference, t)], budget))
    with filled(rows) as connection, staged(policy, connection) as made:
        if policy_evaluator(made.engine, made.staged, made.policy).measures((0, 0)).closes:
            assert not can_be_mended(shape, budget, t, distance, reference)


@given(
    st.lists(st.tuples(*[st.integers(0, 5)] * 3).filter(any), min_size=2, max_size=3).map(tuple),
    st.integers(1, 4),
    st.sampled_from(["0", "0.1", "0.2", "0.3", "0.4"]),
    st.sampled_from(["equal", "ordered", "hierarchical"]),
    st.sampled_from(["released", "source"]),
)
def test_what_is_closed_cannot_be_mended_by_any_rows_that_go(
    shape: Shape, budget: int, t: str, distance: str, reference: str
) -> None:
    a_closed_node_cannot_be_mended(shape, budget, t, distance, reference)


@pytest.mark.parametrize("case", MENDED)
def test_what_can_be_mended_is_left_open(case: tuple[Shape, int, str, str, str]) -> None:
    assert can_be_mended(*case)
    a_closed_node_cannot_be_mended(*case)


BOUNDS = """
judging/counts/closeness: {{ lasting | literal }}) -> {{ rows }})
judging/counts/closeness: class_size * (work_ -> 2 * class_size * (work_
judging/counts/closeness: THEN 1 - ({{ most }}) -> THEN 1 - 2 * ({{ most }})
""".strip().splitlines()


@pytest.mark.parametrize("edit", BOUNDS)
def test_what_can_be_mended_is_closed_when_the_bound_is_edited(edit: str) -> None:
    template, _, change = edit.partition(": ")
    old, _, new = change.partition(" -> ")
    closed = []
    with mutated(template, old, new):
        for case in MENDED:
            try:
                a_closed_node_cannot_be_mended(*case)
            except AssertionError:
                closed.append(case)
    assert closed


def test_the_battery_passes_as_things_are() -> None:
    battery()


EDITS = """
judging/counts/distinct: > 0 -> >= 0
judging/counts/distinct_verdict: < {{ l -> <= {{ l
judging/counts/distinct_verdict: values_{{ counts.number | literal }} AS figure -> 1 AS figure
judging/counts/entropy: LN(class_size) -  -> LN(class_size) +
judging/counts/entropy_verdict: < class_size -> > class_size
judging/counts/work.duckdb: ABS( -> (
judging/counts/work.duckdb: CAST({{ (2 * levels) | literal }} -> CAST({{ levels | literal }}
judging/counts/work.duckdb: }}) - 1 AS -> }}) AS
judging/counts/work.duckdb: * occurs_{{ -> + occurs_{{
judging/counts/reference.duckdb: WHEN {} THEN 1 -> WHEN TRUE THEN 1
judging/counts/present: > 0 -> >= 0
judging/counts/sum: - {{ sums -> + {{ sums
judging/counts/closeness: > unit_ -> >= unit_
judging/counts/size: {{ fails }} -> FALSE
judging/wide_round.duckdb: {% else %}({{ condemned }}) -> {% else %}(FALSE)
judging/wide_round.duckdb: disjunction -> conjunction
judging/wide_repair: THEN 0 ELSE GREATEST( -> THEN 99 ELSE GREATEST(
staging/wide_cell: SUM(row_count) FILTER -> COUNT(row_count) FILTER
staging/wide_values.duckdb: ORDER BY {% if ordered %}position -> ORDER BY {% if ordered %}id_0
staging/wide_reference.duckdb: LIST(reference_count ORDER -> LIST(1 ORDER
""".strip().splitlines()


@pytest.mark.parametrize("edit", EDITS)
def test_the_battery_fails_when_a_template_of_counts_is_edited(edit: str) -> None:
    template, _, change = edit.partition(": ")
    old, _, new = change.partition(" -> ")
    with mutated(template, old, new):
        try:
            battery()
        except EngineError as error:
            pytest.fail(f"the edit is no SQL, so it shows nothing: {error}")
        except AssertionError:
            return
    pytest.fail("nothing noticed the edit")


@pytest.mark.parametrize(
    ("guarantees", "more", "is_wide"),
    [
        ([GUARANTEES[0]], {}, True),
        ([], {}, False),
        ([GUARANTEES[0]], {"on_failure": "suppress_sensitive"}, False),
        ([{"recursive_l_diversity": {"column": "illness", "c": 2, "l": 2}}], {}, False),
        ([{"entropy_l_diversity": {"column": "illness", "l": 2, "jointly": True}}], {}, False),
        (
            [{"t_closeness": {"column": "illness", "t": 1, "distance": "kl"}}, GUARANTEES[0]],
            {},
            False,
        ),
    ],
)
def test_counts_are_used_where_they_tell_all(
    guarantees: list[dict[str, Any]], more: dict[str, Any], is_wide: bool
) -> None:
    policy = read_policy(policy_of(guarantees, 3, **more))
    with filled(drawn(1)) as connection, staged(policy, connection) as made:
        assert (made.staged.count_cells is not None) is is_wide


@pytest.mark.parametrize("guarantees", BATTERY)
@pytest.mark.parametrize("budget", [0, 4, 12])
def test_sizes_and_values_judged_at_once_tell_what_they_tell_one_after_the_other(
    guarantees: list[dict[str, Any]], budget: int
) -> None:
    policy = read_policy(policy_of(guarantees, budget))
    with filled(drawn(1)) as connection, staged(policy, connection) as made:
        trial, _, nodes = both(made)
        told = []
        for node in nodes:
            asked = (made.engine, trial.staged, [trial.guarantees], node, budget)
            (after,), (at_once,) = measure_node(*asked), measure_node(*asked, at_once=True)
            assert (after, after.by_sizes) == (at_once, at_once.by_sizes), node
            told.append(after.by_sizes)
        assert any(told) == (budget < 12)


def test_many_values_are_judged_by_histograms() -> None:
    connection = filled([])
    connection.execute("INSERT INTO people SELECT 'a', '1', 'v' || i FROM RANGE(33) AS t (i)")
    mapping = policy_of([GUARANTEES[0]], 3)
    mapping["columns"]["illness"] = {"role": "sensitive"}
    with staged(read_policy(mapping), connection) as made:
        assert made.staged.count_cells is None


def test_counts_beyond_63_bits_are_told_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wide, "_NARROW_ROWS", 0)
    battery()


def test_cells_that_hardly_share_values_are_not_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wide, "_WORTH", 1.5)
    rows: Rows = [("a", "1", "flu"), ("b", "2", "cold"), ("c", "3", "ulcer")]
    policy = read_policy(policy_of([GUARANTEES[0]], 3))
    with filled(rows) as connection, staged(policy, connection) as made:
        assert made.staged.count_cells is None
    with filled([*rows, ("a", "1", "cold"), ("b", "2", "flu")]) as connection:
        assert make_plan(policy, connection).rows == 5
