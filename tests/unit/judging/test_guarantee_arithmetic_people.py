"""The arithmetic of verdicts on people, beliefs and supersets, on more than could be stored.

As for the other guarantees, the queries that judge classes are given large counts, and held
against exact fractions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate
from typing import Any

import duckdb
import pytest
from markupsafe import Markup

from arithmetic import (
    CROWD,
    LADDER,
    MILLION,
    SCENES,
    TOWN,
    VALUES,
    Counts,
    Scene,
    beside,
    lines,
    million,
    shares,
    stage,
    stage_scene,
)
from oracle_belief import posteriors
from oracle_closeness import hierarchical_distance, ordered_distance, variational_distance
from sqlgen.guarantees import MODELS, Guarantee, PeopleTable, TableReference
from sqlgen.judging.verdict_sql import FEW_VALUES, JudgingInput, MatchedPeople, Values, verdict_sql

PEOPLE = PeopleTable(table="people")
PRIORS = TableReference(table="people", weight="weight")


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    """One database for every histogram."""
    with duckdb.connect() as opened:
        yield opened


def verdicts(
    connection: duckdb.DuckDBPyConnection,
    guarantees: Sequence[Guarantee],
    *,
    whole: str = "HUGEINT",
    count: int | None = None,
) -> Mapping[int, Sequence[Any]]:
    """Per class the figure and whether it fails, for one guarantee after the other."""
    named = Markup("v1"), Markup("value_1")
    value = Values("s", *named, LADDER.height, Markup("INTEGER"), count=count)
    matched = MatchedPeople(Markup(""), Markup("person_1"))
    judged = JudgingInput(
        guarantees,
        [value],
        people={(each.people, each.judged_columns): matched for each in guarantees if each.people},
        keys=["q"],
        whole=Markup(whole),
    )
    told = ", ".join(f"figure_{n}, fails_{n}" for n in range(1, len(guarantees) + 1))
    query = f"SELECT class_id, {told} FROM ({verdict_sql(judged, 0)})"
    return {number: found for number, *found in connection.execute(query).fetchall()}


def asked(name: str, parameters: Mapping[str, Any], **threshold: str) -> Guarantee:
    return MODELS[name].model_validate({**parameters, **threshold})


def keep(connection: duckdb.DuckDBPyConnection, name: str, query: str) -> None:
    connection.execute(f"CREATE OR REPLACE TEMP TABLE {name} AS {query}")


def pairs(found: Sequence[Any]) -> Iterator[tuple[Any, bool]]:
    yield from zip(found[::2], found[1::2], strict=True)


def added(counts: Sequence[Counts]) -> dict[int, int]:
    total: dict[int, int] = {}
    for each in counts:
        for value, count in each.items():
            total[value] = total.get(value, 0) + count
    return total


# People who match a class. The rows of each class, and its people by their kind.
SIZES = {1: 10**10, 2: 9_999_999_999, 3: 1, 4: 3 * 10**9, 5: 123_456_789, 6: 10**9}
KINDS = {1: [10**10 - 7, 7], 2: [1], 3: [10**10], 4: [10**9, 999_999_999], 6: [10**9, 1]}
JOINED = {number: sum(KINDS.get(number, [])) for number in SIZES}


@pytest.fixture
def crowded(connection: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """Classes of up to 10^10 rows, and as many people who match them."""
    people = [
        (number, 100 * number + kind, count)
        for number, counts in KINDS.items()
        for kind, count in enumerate(counts)
    ]
    keep(connection, "class_0", lines(list(SIZES.items()), "class_id, class_size"))
    named = lines(people, "class_id, person_id, person_count")
    counted = f"SELECT * REPLACE (person_count::BIGINT AS person_count) FROM ({named})"
    keep(connection, "people_1", counted)
    keep(connection, "person_1", "SELECT person_id, person_count FROM people_1")
    return connection


def test_people_of_a_population_are_counted_one_by_one(
    crowded: duckdb.DuckDBPyConnection,
) -> None:
    bounds = sorted({max(2, joined + by) for joined in JOINED.values() for by in (-1, 0, 1)})
    told = verdicts(crowded, [asked("k_map", {"population": PEOPLE}, k=str(k)) for k in bounds])
    for number, joined in JOINED.items():
        for k, found in zip(bounds, pairs(told[number]), strict=True):
            assert found == (joined, joined < k), (number, k)


def test_the_chance_to_be_present_is_exact(crowded: duckdb.DuckDBPyConnection) -> None:
    chances = {
        number: Fraction(SIZES[number], joined) if joined else math.inf
        for number, joined in JOINED.items()
    }
    texts = {"0.000000001", "1"}.union(*(beside(chance, 9) for chance in chances.values()))
    bounds = sorted(text for text in texts if 0 < Fraction(text) <= 1)
    most = [asked("delta_presence", {"population": PEOPLE}, most=text) for text in bounds]
    every = {"population": PEOPLE, "most": "1"}
    least = [asked("delta_presence", every, least=text) for text in bounds]
    told = verdicts(crowded, [*most, *least])
    for number, chance in chances.items():
        found = list(pairs(told[number]))
        assert {figure for figure, _ in found} == {float(chance)}
        for text, (_, too_much), (_, unfit) in zip(
            bounds, found[: len(bounds)], found[len(bounds) :], strict=True
        ):
            assert too_much == (chance > Fraction(text)), (number, text)
            assert unfit == (not Fraction(text) <= chance <= 1), (number, text)


def test_links_are_counted_by_a_confidence_that_is_exact(
    crowded: duckdb.DuckDBPyConnection,
) -> None:
    shared = {"known": PEOPLE, "at_most": 0}
    above = ["0", "0.000000001", "0.000000002", "0.5", "0.999999999"]
    told = verdicts(
        crowded,
        [
            *(asked("linkage", {**shared, "risk": "prosecutor"}, above=text) for text in above),
            *(asked("linkage", {**shared, "risk": "journalist"}, above=text) for text in above),
            asked("linkage", {**shared, "risk": "marketer"}),
            asked("linkage", {**shared, "risk": "marketer"}, at_most="9999999999"),
        ],
    )
    for number, joined in JOINED.items():
        found = pairs(told[number])
        for rows in (SIZES[number], joined):
            for text in above:
                linked = joined if joined and Fraction(1, rows) > Fraction(text) else 0
                assert next(found) == (linked, linked > 0), (number, text)
        few, many = sorted((SIZES[number], joined))
        right = Decimal(-(-few * 10**12 // many)).scaleb(-12)
        assert list(found) == [(right, joined > 0), (right, False)]


# Beliefs


@pytest.mark.battery
@pytest.mark.parametrize("scene", [SCENES["crowd"], SCENES["town"]], ids=["crowd", "town"])
def test_beliefs_by_shares_are_exact(connection: duckdb.DuckDBPyConnection, scene: Scene) -> None:
    held = {
        number: {s: (q, shares(counts).get(s, Fraction(0))) for s, q in scene.shares.items()}
        for number, counts in scene.classes.items()
    }
    texts = {"0.000000001", "0.5", "1"}
    for beliefs in held.values():
        for prior, posterior in beliefs.values():
            texts |= {*beside(prior, 9), *beside(1 - posterior, 9), *beside(posterior, 9)}
    bounds = sorted(text for text in texts if 0 < Fraction(text) < 1)
    about = {"column": "s"}
    rhos = [(low, high) for low in bounds[::5] for high in bounds[2::7] if low < high]
    stage_scene(connection, scene)
    positive = [asked("positive_disclosure", about, delta=text) for text in bounds]
    negative = [asked("negative_disclosure", about, epsilon=text) for text in bounds]
    breach = [asked("belief_breach", about, rho_1=low, rho_2=high) for low, high in rhos]
    told = verdicts(connection, [*positive, *negative, *breach])
    for number, beliefs in held.items():
        most = max(posterior for _, posterior in beliefs.values())
        least = min(posterior for _, posterior in beliefs.values())
        change = max(abs(posterior - prior) for prior, posterior in beliefs.values())
        found = pairs(told[number])
        for text in bounds:
            assert next(found) == (float(most), most > 1 - Fraction(text)), (number, text)
        for text in bounds:
            assert next(found) == (float(least), least < Fraction(text)), (number, text)
        for (low, high), (figure, fails) in zip(rhos, found, strict=True):
            assert figure == pytest.approx(float(change), rel=1e-9)
            assert fails == any(
                (prior < Fraction(low) and posterior > Fraction(high))
                or (prior > 1 - Fraction(low) and posterior < 1 - Fraction(high))
                for prior, posterior in beliefs.values()
            ), (number, low, high)


# What persons of each class of CROWD weigh, by value. Nobody in the last has two of its values.
WEIGHTS: Mapping[int, Sequence[Counts]] = {
    1: [{0: 1, 1: 10**11, 2: 7, 4: 1}, {0: 10**11, 2: 1}],
    2: [{0: 1, 1: 1, 3: 1, 5: 10**11}],
    3: [{2: 3}, {0: 10**11}, {2: 1, 4: 10**11}],
    4: [{0: 1, 1: 1}, {2: 10**11, 3: 1}],
}
TRILLIONTH = Fraction(1, 10**12)


def believed(number: int) -> list[tuple[Fraction, Fraction]] | None:
    """The beliefs of a class before and after; None where they contradict it."""
    block = added(WEIGHTS[number])
    if not CROWD[number].keys() <= block.keys():
        return None
    return [
        (prior.get(value, Fraction(0)), posterior)
        for prior in map(shares, WEIGHTS[number])
        if prior.keys() & CROWD[number].keys()
        for value, posterior in posteriors(CROWD[number], prior, shares(block)).items()
    ]


def test_beliefs_from_a_table_are_decided_to_a_trillionth(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    stage_scene(connection, SCENES["crowd"])
    people = [
        (number, 10 * number + person, value, weight)
        for number, persons in WEIGHTS.items()
        for person, weights in enumerate(persons)
        for value, weight in weights.items()
    ]
    named = lines(people, "class_id, person_id, value_id, person_count")
    counted = f"SELECT * REPLACE (person_count::BIGINT AS person_count) FROM ({named})"
    keep(connection, "people_1", counted)
    beliefs = {number: believed(number) for number in WEIGHTS}
    texts = {"0.000000002", "0.5", "0.999999998"}
    for _, posterior in (pair for found in beliefs.values() for pair in found or ()):
        texts |= {*beside(posterior, 9), *beside(1 - posterior, 9)}
    bounds = sorted(text for text in texts if TRILLIONTH < Fraction(text) < 1 - TRILLIONTH)
    rhos = [(low, high) for low in bounds[::3] for high in bounds[1::3] if low < high]
    about = {"column": "s", "prior": PRIORS, "ruled_out": "ignore"}
    positive = [asked("positive_disclosure", about, delta=text) for text in bounds]
    negative = [asked("negative_disclosure", about, epsilon=text) for text in bounds]
    breach = [asked("belief_breach", about, rho_1=low, rho_2=high) for low, high in rhos]
    told = verdicts(connection, [*positive, *negative, *breach])
    for number, found in beliefs.items():
        verdict = pairs(told[number])
        most = max((after for _, after in found or ()), default=Fraction(1))
        least = min((after for _, after in found or ()), default=Fraction(0))
        change = max((abs(a - b) for a, b in found or ()), default=Fraction(1))
        for text in bounds:
            figure, fails = next(verdict)
            assert figure == pytest.approx(float(most), rel=1e-12)
            above = most > (1 - Fraction(text)) * (1 + TRILLIONTH)
            assert fails == (above or found is None), (number, text)
        for text in bounds:
            figure, fails = next(verdict)
            assert figure == pytest.approx(float(least), rel=1e-12)
            below = least < Fraction(text) * (1 - TRILLIONTH)
            assert fails == (below or found is None), (number, text)
        for low, high in rhos:
            figure, fails = next(verdict)
            assert figure == pytest.approx(float(change), rel=1e-12)
            breached = any(
                (before < Fraction(low) and after > Fraction(high) * (1 + TRILLIONTH))
                or (before > 1 - Fraction(low) and after < (1 - Fraction(high)) * (1 - TRILLIONTH))
                for before, after in found or ()
            )
            assert fails == (breached or found is None), (number, low, high)


# Supersets

KEYS = {1: "a", 2: "a", 3: "b", 4: "b"}
# The values of the first superset have all others of the table between them.
APART = {
    1: {0: 1_499_999_990},
    2: {5: 1_499_999_990},
    3: {1: 1, 2: 1, 3: 1, 4: 1},
    4: {1: 5, 4: 6},
}


DISTANCES: Mapping[str, Callable[..., Fraction]] = {
    "equal": lambda p, q, _: variational_distance(p, q),
    "hierarchical": lambda p, q, _: hierarchical_distance(p, q, LADDER),
    "ordered": ordered_distance,
}


@pytest.mark.battery
@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize(
    ("classes", "whole"),
    [(CROWD, "HUGEINT"), (TOWN, "BIGINT"), (APART, "HUGEINT"), (APART, "BIGINT")],
    ids=["crowd", "town in 63 bits", "apart", "apart in 63 bits"],
)
def test_the_nearest_superset_is_exact(
    connection: duckdb.DuckDBPyConnection,
    classes: Mapping[int, Counts],
    whole: str,
    distance: str,
) -> None:
    every = added(list(classes.values()))
    around = {key: added([classes[c] for c in classes if KEYS[c] == key]) for key in "ab"}
    rows = sorted(sum(counts.values()) for counts in (*around.values(), every))
    figures = {
        (number, n): min(
            (
                DISTANCES[distance](shares(classes[number]), shares(counts), sorted(every))
                for counts in (around[KEYS[number]], every)
                if sum(counts.values()) >= n
            ),
            default=math.inf,
        )
        for number in classes
        for n in (1, rows[0] + 1, rows[-1], rows[-1] + 1)
    }
    tried = [
        (n, text)
        for n in sorted({n for _, n in figures})
        for text in sorted({t for (_, m), f in figures.items() if m == n for t in beside(f, 9)})
        if Fraction(text) >= 0
    ] + [(rows[-1] + 1, "1"), (1, "0"), (1, "1")]
    stage_scene(connection, Scene(classes))
    keyed = ", ".join(f"({number}, '{KEYS[number]}')" for number in classes)
    keep(connection, "class", f"SELECT * FROM (VALUES {keyed}) AS t (class_id, key_1)")
    about = {"column": "s", "distance": distance, "supersets": [["q"]]}
    told = verdicts(
        connection, [asked("n_t_closeness", about, n=str(n), t=t) for n, t in tried], whole=whole
    )
    for number in classes:
        for (n, text), (found, fails) in zip(tried, pairs(told[number]), strict=True):
            figure = figures[number, n]
            assert found == pytest.approx(float(figure), rel=1e-9), (number, n)
            assert fails == (figure > Fraction(text)), (number, n, text)


@pytest.mark.parametrize("whole", ["HUGEINT", "BIGINT"])
def test_a_dense_order_is_exact(connection: duckdb.DuckDBPyConnection, whole: str) -> None:
    scene = SCENES["town"] if whole == "BIGINT" else SCENES["crowd"]
    figures = {
        number: ordered_distance(shares(counts), scene.shares, sorted(scene.shares))
        for number, counts in scene.classes.items()
    }
    texts = sorted({text for figure in figures.values() for text in beside(figure, 9)})
    stage_scene(connection, scene)
    about = {"column": "s", "distance": "ordered"}
    tried = [asked("t_closeness", about, t=text) for text in texts]
    told = verdicts(connection, tried, whole=whole, count=FEW_VALUES)
    for number, figure in figures.items():
        for text, (found, fails) in zip(texts, pairs(told[number]), strict=True):
            assert found == pytest.approx(float(figure), rel=1e-12)
            assert fails == (figure > Fraction(text)), (number, text)


@pytest.mark.battery
def test_supersets_are_exact_on_a_million_values(connection: duckdb.DuckDBPyConnection) -> None:
    stage(
        connection,
        MILLION,
        "SELECT value, value AS id_0, value // 1000 AS id_1, value + 1 AS position, 1 AS row_count "
        "FROM RANGE(1000000) AS t (value)",
        "SELECT 0 AS value_id, 1 AS reference_count",
    )
    # The classes 2 and 3 share a superset, whose values have many others between them.
    keyed = "VALUES (1, 'a'), (2, 'b'), (3, 'b')"
    keep(connection, "class", f"SELECT * FROM ({keyed}) AS t (class_id, key_1)")
    counts = {number: [million(number, value) for value in range(VALUES)] for number in (1, 2, 3)}
    near = [a + b for a, b in zip(counts[2], counts[3], strict=True)]
    every = [a + b for a, b in zip(counts[1], near, strict=True)]

    def distance(number: int, around: Sequence[int]) -> Fraction:
        n, rows = sum(counts[number]), sum(around)
        extras = (rows * a - n * b for a, b in zip(counts[number], around, strict=True))
        return Fraction(sum(map(abs, accumulate(extras))), (VALUES - 1) * n * rows)

    figures = {
        1: distance(1, every),
        2: min(distance(2, near), distance(2, every)),
        3: min(distance(3, near), distance(3, every)),
    }
    bound = beside(figures[2], 9)[1]
    about = {"column": "s", "n": 15 * 10**9, "distance": "ordered", "supersets": [["q"]]}
    told = verdicts(connection, [asked("n_t_closeness", about, t=bound)])
    for number, figure in figures.items():
        found, fails = told[number]
        assert found == pytest.approx(float(figure), rel=1e-12)
        assert fails == (figure > Fraction(bound)), number
