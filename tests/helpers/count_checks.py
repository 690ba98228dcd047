"""Checks of verdicts that are read from counts per sensitive value."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from drawn_tables import Rows, drawn, filled, policy_of
from harness import Stage, staged
from oracle_closeness import ordered_distance, variational_distance
from oracle_table import Distribution
from sqlgen import read_policy
from sqlgen.engines import Engine
from sqlgen.guarantees import Guarantee
from sqlgen.guarantees.closeness import DISTANCE_FORMS
from sqlgen.measuring.class_sums import EVERY_SUM
from sqlgen.measuring.evaluator import NodeEvaluator
from sqlgen.measuring.nodes import NodeOutcome, measure_whole
from sqlgen.planning.session import policy_evaluator
from sqlgen.search.lattice import Lattice, Node

DISTANCES = [name for name, form in DISTANCE_FORMS.items() if form.has_cuts]


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


def close(distance: str, reference: Any, t: str) -> dict[str, Any]:
    parameters = {"column": "illness", "t": t, "distance": distance, "reference": reference}
    return {"t_closeness": parameters}


KINDS = {
    "diversity": [GUARANTEES[1]],
    "entropy": [GUARANTEES[3]],
    "equal": [close("equal", "released", "0.25"), GUARANTEES[0]],
    "ordered": [close("ordered", "released", "0.25")],
    "weighed": [close("ordered", REFERENCES[3], "0.4")],
    "hierarchical": [close("hierarchical", "source", "0.25")],
}

# The kinds of guarantees, with a budget that is spent in rounds.
CHECKS: dict[str, Callable[[], None]] = {
    kind: partial(counts_agree_with_histograms, drawn(1), guarantees, 12)
    for kind, guarantees in KINDS.items()
}


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


BOUNDS: dict[str, Callable[[], None]] = {
    f"closed {number}": partial(a_closed_node_cannot_be_mended, *case)
    for number, case in enumerate(MENDED)
}
