"""Brute force for guarantees against a population, and for what an adversary comes to believe.

- Machanavajjhala 2006: A. Machanavajjhala et al. l-Diversity. ICDE 2006. Section 3.
- Sweeney 2002: L. Sweeney. k-Anonymity. IJUFKS 10(5). Section 2, k-map.
- Nergiz 2007: M. E. Nergiz, M. Atzori, C. Clifton. Hiding the Presence of Individuals. SIGMOD 2007.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from oracle import Row, Rows, classes
from oracle_table import (
    ClassKey,
    Combination,
    Counts,
    Distribution,
    Figure,
    Judgement,
    Table,
    Threshold,
    Verdict,
    distribution,
    exact,
    judge_classes,
)

Generalize: TypeAlias = Callable[[ClassKey], ClassKey]
Pair: TypeAlias = tuple[ClassKey, Combination]


def k_map(table: Table, *, k: int, population: Rows) -> Judgement:
    """k-map, Sweeney 2002: each released row has the values of at least k rows of a population.

    The population holds the quasi-identifiers as they are released.
    """
    people = classes(population, table.quasi)

    def verdict(members: list[Row]) -> Verdict:
        held = len(people.get(tuple(members[0][column] for column in table.quasi), []))
        return Fraction(held), held < k

    return judge_classes(table, verdict, min)


def delta_presence(
    table: Table, *, least: Threshold, most: Threshold, population: Rows
) -> Judgement:
    """delta-presence, Nergiz 2007: the chance that a person of a population is in the table.

    It is the rows of the class in the table over those in the population, which holds the
    quasi-identifiers as they are released and all rows of the table. People in no class of the
    table have the chance 0. The table measures the largest chance.
    """
    released = table.classes()
    figures: dict[ClassKey, Figure] = {}
    for key, people in classes(population, table.quasi).items():
        assert len(released.get(key, [])) <= len(people), "the table is part of the population"
        figures[key] = Fraction(len(released.get(key, [])), len(people))
    assert set(released) <= set(figures), "the table is part of the population"
    failing = frozenset(
        key for key, chance in figures.items() if not exact(least) <= chance <= exact(most)
    )
    rows = sum(len(released.get(key, [])) for key in failing)
    return Judgement(figures, failing, max(figures.values(), default=None), rows)


@dataclass(frozen=True)
class Belief:
    """What an adversary believes before a release (alpha) and after it (beta)."""

    prior: Fraction
    posterior: Fraction


def posteriors(
    block: Counts, given_q: Distribution, given_block: Distribution
) -> dict[Combination, Fraction]:
    """The posterior belief in each sensitive value, Theorem 3.1 of Machanavajjhala 2006.

    n(q*, s) f(s|q) / f(s|q*) over the sum of the same for every s'. `block` has n(q*, s),
    `given_q` f(s|q) and `given_block` f(s|q*). The theorem's print has f(s'|q*) where the
    numerators of the sum need f(s'|q).
    """
    weights = {
        s: n * given_q.get(s, Fraction(0)) / given_block[s] for s, n in block.items() if n > 0
    }
    everything = sum(weights.values(), Fraction(0))
    if everything == 0:
        raise ValueError("nobody with these values can be in the block")
    values = dict.fromkeys([*block, *given_q, *given_block])
    return {s: weights.get(s, Fraction(0)) / everything for s in values}


def beliefs(
    table: Table, sensitive: str, population: Rows, generalize: Generalize
) -> dict[Pair, Belief]:
    """Prior and posterior belief per quasi-identifier of the base table and sensitive value.

    `table` is the base table T, `population` is Omega that it is a simple random sample of, and
    `generalize` turns quasi-identifiers into those of the published table.
    """
    published: dict[ClassKey, dict[Combination, int]] = {}
    for key, members in table.classes().items():
        block = published.setdefault(generalize(key), {})
        for row in members:
            block[row[sensitive]] = block.get(row[sensitive], 0) + 1
    found = {}
    people = classes(population, table.quasi)
    for q in table.classes():
        alike = [row for key in people if generalize(key) == generalize(q) for row in people[key]]
        given_q = distribution(people[q], [sensitive])
        given_block = distribution(alike, [sensitive])
        believed = posteriors(published[generalize(q)], given_q, given_block)
        for s, posterior in believed.items():
            found[q, s] = Belief(given_q.get(s, Fraction(0)), posterior)
    return found


def positive_disclosures(
    table: Table, sensitive: str, found: Mapping[Pair, Belief], delta: Threshold
) -> frozenset[Pair]:
    """Definition 3.1 of Machanavajjhala 2006: beta > 1 - delta, and somebody has q and s."""
    pairs = {(key, row[sensitive]) for key, rows in table.classes().items() for row in rows}
    return frozenset(
        (q, s)
        for (q, s), belief in found.items()
        if belief.posterior > 1 - exact(delta) and (q, s) in pairs
    )


def negative_disclosures(
    table: Table, sensitive: str, found: Mapping[Pair, Belief], epsilon: Threshold
) -> frozenset[Pair]:
    """Definition 3.2 of Machanavajjhala 2006: beta < epsilon, and somebody has q and not s."""
    members = table.classes()
    return frozenset(
        (q, s)
        for (q, s), belief in found.items()
        if belief.posterior < exact(epsilon) and any(row[sensitive] != s for row in members[q])
    )


def breaches(found: Mapping[Pair, Belief], rho_1: Threshold, rho_2: Threshold) -> frozenset[Pair]:
    """(rho_1, rho_2)-privacy breaches, Machanavajjhala 2006 section 3.2.

    A belief rises from below rho_1 to above rho_2, or falls from above 1 - rho_1 to below
    1 - rho_2.
    """
    low, high = exact(rho_1), exact(rho_2)
    return frozenset(
        pair
        for pair, belief in found.items()
        if (belief.prior < low and belief.posterior > high)
        or (belief.prior > 1 - low and belief.posterior < 1 - high)
    )
