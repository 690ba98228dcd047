"""Brute force for what an adversary comes to believe of a person.

- Machanavajjhala 2006: A. Machanavajjhala et al. l-Diversity. ICDE 2006. Section 3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from oracle import Row, Rows, classes
from oracle_people import matching
from oracle_table import (
    ClassKey,
    Combination,
    Counts,
    Distribution,
    Figure,
    Judgement,
    Reference,
    Table,
    Threshold,
    Verdict,
    counts,
    distribution,
    exact,
    judge_classes,
    masses,
    shares,
)

Generalize: TypeAlias = Callable[[ClassKey], ClassKey]
Pair: TypeAlias = tuple[ClassKey, Combination]


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


def _breaches(belief: Belief, rho_1: Threshold, rho_2: Threshold) -> bool:
    """A belief rises from below rho_1 above rho_2, or falls from above 1 - rho_1 below 1 - rho_2.

    Machanavajjhala 2006, section 3.2.
    """
    low, high = exact(rho_1), exact(rho_2)
    return (belief.prior < low and belief.posterior > high) or (
        belief.prior > 1 - low and belief.posterior < 1 - high
    )


def breaches(found: Mapping[Pair, Belief], rho_1: Threshold, rho_2: Threshold) -> frozenset[Pair]:
    """The (rho_1, rho_2)-privacy breaches."""
    return frozenset(pair for pair, belief in found.items() if _breaches(belief, rho_1, rho_2))


def class_beliefs(
    table: Table, members: list[Row], column: str, prior: Reference, ruled_out: str = "fail"
) -> list[Belief] | None:
    """The beliefs of all who know of somebody in a class; None where the prior denies the class.

    The prior `released` knows the distribution of the table and nothing of anybody. A table of
    the user's knows the values that go with quasi-identifiers, by rows or weights. Of whoever
    matches the class and could have none of its values Theorem 3.1 says nothing: the class is
    denied, or they are ignored.
    """
    assert ruled_out in ("fail", "ignore")
    block = counts(members, [column])
    if isinstance(prior, str):
        assert prior == "released", "a prior is released or a table"
        known = distribution(table.rows, [column])
        return [Belief(known[s], held) for s, held in posteriors(block, known, known).items()]
    weight = prior.get("weight")
    people = matching(table, members, table.references[prior["table"]])
    held_by_all = masses(people, [column], weight)
    if not set(block) <= set(held_by_all):
        return None
    found = []
    for alike in classes(people, table.quasi).values():
        held = masses(alike, [column], weight)
        if not set(block) & set(held) and ruled_out == "fail":
            return None
        if set(block) & set(held):
            given_q = shares(held)
            believed = posteriors(block, given_q, shares(held_by_all))
            found += [Belief(given_q.get(s, Fraction(0)), b) for s, b in believed.items()]
    return found


def _judge_beliefs(
    table: Table,
    column: str,
    prior: Reference,
    ruled_out: str,
    verdict: Callable[[list[Belief]], Verdict],
    denied: Fraction,
    worst: Callable[[Iterable[Figure]], Figure],
) -> Judgement:
    """The verdict on the beliefs in a class; one that the prior denies fails with a figure."""

    def of_class(members: list[Row]) -> Verdict:
        found = class_beliefs(table, members, column, prior, ruled_out)
        return (denied, True) if found is None else verdict(found)

    return judge_classes(table, of_class, worst)


def positive_disclosure(
    table: Table,
    *,
    column: str,
    delta: Threshold,
    prior: Reference = "released",
    ruled_out: str = "fail",
) -> Judgement:
    """Definition 3.1 of Machanavajjhala 2006: nobody believes in a value by more than 1 - delta."""

    def verdict(found: list[Belief]) -> Verdict:
        most = max(belief.posterior for belief in found)
        return most, most > 1 - exact(delta)

    return _judge_beliefs(table, column, prior, ruled_out, verdict, Fraction(1), max)


def negative_disclosure(
    table: Table,
    *,
    column: str,
    epsilon: Threshold,
    prior: Reference = "released",
    ruled_out: str = "fail",
) -> Judgement:
    """Definition 3.2 of Machanavajjhala 2006: nobody believes in a value by less than epsilon.

    The values are those of the class and those that the prior knows of it.
    """

    def verdict(found: list[Belief]) -> Verdict:
        least = min(belief.posterior for belief in found)
        return least, least < exact(epsilon)

    return _judge_beliefs(table, column, prior, ruled_out, verdict, Fraction(0), min)


def belief_breach(
    table: Table,
    *,
    column: str,
    rho_1: Threshold,
    rho_2: Threshold,
    prior: Reference = "released",
    ruled_out: str = "fail",
) -> Judgement:
    """No (rho_1, rho_2)-privacy breach; the figure is how far a belief changes."""
    assert 0 < exact(rho_1) < exact(rho_2) < 1

    def verdict(found: list[Belief]) -> Verdict:
        change = max(abs(belief.posterior - belief.prior) for belief in found)
        return change, any(_breaches(belief, rho_1, rho_2) for belief in found)

    return _judge_beliefs(table, column, prior, ruled_out, verdict, Fraction(1), max)
