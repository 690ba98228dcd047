"""The arithmetic of verdicts on more rows, values and weight than any test could store.

The queries that judge classes are given histograms with large counts, and held against exact
fractions. Products of two counts pass 2^31 and 2^63; with a threshold of nine places they come
near the end of 128 bits.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any

import duckdb
import pytest
from markupsafe import Markup

from arithmetic import (
    KNOWN,
    LADDER,
    MILLION,
    SCENES,
    VALUES,
    Counts,
    Scene,
    Shares,
    beside,
    million,
    shares,
    stage,
    stage_scene,
)
from oracle_closeness import (
    hierarchical_distance,
    js_distance,
    kl_distance,
    ordered_distance,
    variational_distance,
)
from oracle_diversity import entropy_of, frequency_and_tail
from sqlgen.guarantees import MODELS, Guarantee, TableReference, TCloseness
from sqlgen.judging.verdict_sql import JudgingInput, Values, verdict_sql


def furthest(p: Shares, q: Shares) -> Fraction | float:
    """The largest ratio between two shares of one value, either way round."""
    if p.keys() != q.keys():
        return math.inf
    return max(max(p[value] / q[value], q[value] / p[value]) for value in q)


def gain(p: Shares, q: Shares) -> Fraction:
    return max(p[value] / q[value] for value in p)


def leading(counts: Counts) -> Fraction | float:
    first, tail = frequency_and_tail(counts, 2)
    return Fraction(first, tail) if tail else math.inf


# Per model: its parameters, the threshold's name and places, and the figure of a class.
FIGURES: Mapping[str, tuple[str, Mapping[str, Any], str, int, Any]] = {
    "equal": ("t_closeness", {"distance": "equal"}, "t", 9, variational_distance),
    "ordered": (
        "t_closeness",
        {"distance": "ordered"},
        "t",
        9,
        lambda p, q: ordered_distance(p, q, sorted({*p, *q})),
    ),
    "hierarchical": (
        "t_closeness",
        {"distance": "hierarchical"},
        "t",
        9,
        lambda p, q: hierarchical_distance(p, q, LADDER),
    ),
    "kl": ("t_closeness", {"distance": "kl"}, "t", 6, kl_distance),
    "js": ("t_closeness", {"distance": "js"}, "t", 6, js_distance),
    "ratio": ("ratio_closeness", {}, "epsilon", 9, lambda p, q: math.log(furthest(p, q))),
    "skewness": ("skewness", {}, "at_most", 9, gain),
    "beta": ("beta_likeness", {}, "beta", 9, lambda p, q: gain(p, q) - 1),
}
ALONE: Mapping[str, tuple[str, Mapping[str, Any], str, int, Any]] = {
    "alpha": ("alpha_k_anonymity", {"k": 1}, "alpha", 9, lambda c: max(shares(c).values())),
    "recursive": ("recursive_l_diversity", {"l": 2}, "c", 9, leading),
    "entropy": ("entropy_l_diversity", {}, "l", 6, lambda c: math.exp(entropy_of(c))),
}
# The thresholds that are tried besides; a ratio's is a logarithm.
LIMITS = {
    "alpha": ("0.000000001", "1"),
    "entropy": ("1", "1000000.000001"),
    "ratio": ("0.000000001", "20"),
    "skewness": ("1", "1000000.000000001"),
}


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    """One database for every histogram."""
    with duckdb.connect() as opened:
        yield opened


def verdicts(
    connection: duckdb.DuckDBPyConnection, guarantees: Sequence[Guarantee], whole: str = "HUGEINT"
) -> list[tuple[Any, ...]]:
    """Per class its number, and per guarantee the figure and whether it fails."""
    value = Values("s", Markup("v1"), Markup("value_1"), LADDER.height, Markup("INTEGER"))
    judged = JudgingInput(
        guarantees,
        [value],
        {(("s",), KNOWN): Markup("fixed_1")},
        whole=Markup(whole),
    )
    told = ", ".join(f"figure_{n}, fails_{n}" for n in range(1, len(guarantees) + 1))
    query = f"SELECT class_id, {told} FROM ({verdict_sql(judged, 0)}) ORDER BY class_id"
    return connection.execute(query).fetchall()


@pytest.mark.parametrize("scene", SCENES.values(), ids=SCENES)
@pytest.mark.parametrize("model", [*FIGURES, *ALONE])
def test_verdicts_are_exact_on_large_counts(
    connection: duckdb.DuckDBPyConnection, model: str, scene: Scene
) -> None:
    name, parameters, threshold, places, figure = {**FIGURES, **ALONE}[model]
    if model in FIGURES:
        figures = {c: figure(shares(n), scene.shares) for c, n in scene.classes.items()}
        parameters = {**parameters, "reference": scene.reference}
    else:
        figures = {c: figure(n) for c, n in scene.classes.items()}
    least, most = LIMITS.get(model, ("0.000000001", "1000000.000000001"))
    texts = {least, most}.union(*(beside(found, places) for found in figures.values()))
    tried = {
        text: MODELS[name].model_validate({"column": "s", **parameters, threshold: text})
        for text in sorted(texts)
        if Fraction(least) <= Fraction(text) <= Fraction(most)
    }
    stage_scene(connection, scene)
    for number, *told in verdicts(connection, list(tried.values()), scene.whole):
        expected = figures[number]
        for each, found, fails in zip(tried, told[::2], told[1::2], strict=True):
            assert found == pytest.approx(float(expected), rel=1e-9), (number, each)
            if model == "entropy":
                worse = math.log(expected) < math.log(float(each)) * (1 - 1e-9)
            else:
                worse = expected > Fraction(each)
            # Recursive diversity is strict: a class on the bound fails.
            met = not worse and not (model == "recursive" and expected == Fraction(each))
            assert fails != met, (number, each)


def works(number: int, reference: Sequence[int]) -> dict[str, Fraction]:
    """The distances of a class of a million values, each by its formula, in whole numbers."""
    counts = [million(number, value) for value in range(VALUES)]
    n, rows = sum(counts), sum(reference)
    extras = [
        rows * count - n * referred for count, referred in zip(counts, reference, strict=True)
    ]
    labels = [sum(extras[first : first + 1000]) for first in range(0, VALUES, 1000)]
    equal = Fraction(sum(map(abs, extras)), 2 * n * rows)
    return {
        "equal": equal,
        "ordered": Fraction(sum(map(abs, accumulate(extras))), (VALUES - 1) * n * rows),
        "hierarchical": (equal + Fraction(sum(map(abs, labels)), 2 * n * rows)) / 2,
    }


@pytest.mark.battery
@pytest.mark.parametrize("against", ["released", KNOWN], ids=["released", "a population"])
def test_verdicts_are_exact_on_a_million_values(
    connection: duckdb.DuckDBPyConnection, against: str | TableReference
) -> None:
    numbers = (0,) if against == KNOWN else (1, 2, 3)
    reference = [sum(million(each, value) for each in numbers) for value in range(VALUES)]
    expected = {number: works(number, reference) for number in (1, 2, 3)}
    stage(
        connection,
        MILLION,
        "SELECT value, value AS id_0, value // 1000 AS id_1, value + 1 AS position, 1 AS row_count "
        "FROM RANGE(1000000) AS t (value)",
        "SELECT value AS value_id, 2000000::BIGINT AS reference_count "
        "FROM RANGE(0, 1000000, 2) AS t (value)",
    )
    tried = [
        TCloseness.model_validate(
            {"column": "s", "distance": distance, "t": t, "reference": against}
        )
        for distance in expected[1]
        for t in beside(expected[1][distance], 9)[1:2]
    ]
    for number, *told in verdicts(connection, tried):
        for each, found, fails in zip(tried, told[::2], told[1::2], strict=True):
            figure = expected[number][each.distance]
            assert found == pytest.approx(float(figure), rel=1e-12), each
            assert fails == (figure > Fraction(each.t)), each
