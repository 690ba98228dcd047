"""Brute force for closeness and likeness: a class's distribution P against a reference Q.

- Li 2007: N. Li, T. Li, S. Venkatasubramanian. t-Closeness. ICDE 2007.
- Li 2010: the same. Closeness: A New Privacy Measure for Data Publishing. TKDE 22(7).
- Soria-Comas 2013: J. Soria-Comas, J. Domingo-Ferrer. Connecting privacy models. UNECE 2013.
- Brickell 2008: J. Brickell, V. Shmatikov. The Cost of Privacy. KDD 2008.
- Cao 2012: J. Cao, P. Karras. Publishing Microdata with a Robust Privacy Guarantee. PVLDB 5(11).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, TypeAlias

from oracle import Ladder, Row, Value, _exact
from oracle_table import (
    Combination,
    Distribution,
    Figure,
    Judgement,
    Reference,
    Table,
    Threshold,
    Verdict,
    distribution,
    exact,
    judge_classes,
    reference,
)

ZERO = Fraction(0)


def _values(p: Distribution, q: Distribution) -> list[Combination]:
    """The values with p > 0 or q > 0."""
    return [s for s in dict.fromkeys([*p, *q]) if p.get(s, ZERO) > 0 or q.get(s, ZERO) > 0]


def variational_distance(p: Distribution, q: Distribution) -> Fraction:
    """1/2 sum |p - q|: the earth mover's distance where all values are 1 apart (Li 2007, 5.2)."""
    return sum((abs(p.get(s, ZERO) - q.get(s, ZERO)) for s in _values(p, q)), ZERO) / 2


def ordered_distance(
    p: Distribution, q: Distribution, positions: Sequence[Combination]
) -> Fraction:
    """The earth mover's distance where v_i and v_j are |i - j| / (m - 1) apart (Li 2007, 5.1).

    1 / (m - 1) of the sum over i of |r_1 + ... + r_i| with r_i = p_i - q_i; one value is 0.
    """
    assert set(_values(p, q)) <= set(positions), "a value has no position"
    m = len(positions)
    if m == 1:
        return ZERO
    r = [p.get(v, ZERO) - q.get(v, ZERO) for v in positions]
    return sum((abs(sum(r[: i + 1], ZERO)) for i in range(m)), ZERO) / (m - 1)


@dataclass
class _Branch:
    """A node of a hierarchy: its height, and its children, or the value of a leaf."""

    height: int
    value: Value
    children: dict[Value, _Branch] = field(default_factory=dict)


def _hierarchy(ladder: Ladder) -> _Branch:
    """The tree of a ladder, from its root at `ladder.height` down to the values at 0."""
    root = _Branch(ladder.height, ladder.top)
    for leaf in ladder.leaves:
        assert ladder.at(leaf, ladder.height) == ladder.top, "there is one root"
        branch = root
        for level in reversed(range(ladder.height)):
            label = ladder.at(leaf, level)
            branch = branch.children.setdefault(label, _Branch(level, label))
    return root


def hierarchical_distance(p: Distribution, q: Distribution, ladder: Ladder) -> Fraction:
    """The earth mover's distance where values are as far apart as their lowest common ancestor.

    Li 2007, 5.2: the sum over the inner nodes N of cost(N), what is moved between the children
    of N, at height(N) / H. `Child(N)` has to be the children of N for pos_extra and neg_extra.
    """
    if not set(_values(p, q)) <= set(ladder.leaves):
        raise ValueError("the hierarchy does not cover a value")

    def extra(node: _Branch) -> Fraction:
        if node.height == 0:
            return p.get(node.value, ZERO) - q.get(node.value, ZERO)
        return sum((extra(child) for child in node.children.values()), ZERO)

    def pos_extra(node: _Branch) -> Fraction:
        extras = [extra(child) for child in node.children.values()]
        return sum((abs(e) for e in extras if e > 0), ZERO)

    def neg_extra(node: _Branch) -> Fraction:
        extras = [extra(child) for child in node.children.values()]
        return sum((abs(e) for e in extras if e < 0), ZERO)

    def cost(node: _Branch) -> Fraction:
        return Fraction(node.height, ladder.height) * min(pos_extra(node), neg_extra(node))

    def work(node: _Branch) -> Fraction:
        if node.height == 0:
            return ZERO
        return cost(node) + sum((work(child) for child in node.children.values()), ZERO)

    return work(_hierarchy(ladder))


def kl_distance(p: Distribution, q: Distribution) -> float:
    """Kullback and Leibler's sum p ln(p / q) (Li 2007, 4); infinite where q = 0 < p."""
    terms = []
    for s, share in p.items():
        if share > 0:
            if q.get(s, ZERO) == 0:
                return math.inf
            terms.append(float(share) * _log(share / q[s]))
    return math.fsum(terms)


def js_distance(p: Distribution, q: Distribution) -> float:
    """Jensen and Shannon's mean of the KL distances to (P + Q) / 2: at most ln 2."""
    middle = {s: (p.get(s, ZERO) + q.get(s, ZERO)) / 2 for s in _values(p, q)}
    return (kl_distance(p, middle) + kl_distance(q, middle)) / 2


def _log(ratio: Figure) -> float:
    """ln of a ratio, accurate where it is close to 1."""
    near = ratio - 1
    return math.log1p(near) if -0.5 < near < 0.5 else math.log(ratio)


def positions(table: Table, column: str, q: Distribution) -> list[Combination]:
    """The ordered domain of a column: what occurs in the table or the reference, NULL first."""
    order = table.orders[column]
    occurring = _values(distribution(table.rows, [column]), q)
    nulls: list[Combination] = [None] if None in occurring else []
    others = [value for value in occurring if value is not None]
    if order == "numeric":
        return nulls + sorted(others, key=_number)
    if order == "text":
        return nulls + sorted(others, key=str)
    listed = list(order)
    if not set(others) <= set(listed):
        raise ValueError("the order does not name a value")
    return nulls + [value for value in listed if value in others]


def _number(value: Combination) -> Fraction:
    assert not isinstance(value, tuple)
    return _exact(value)


Distance: TypeAlias = Literal["equal", "variational", "ordered", "hierarchical", "kl", "js"]


Measure: TypeAlias = Callable[[Distribution, Distribution], Figure]

PLAIN: Mapping[str, Measure] = {
    "equal": variational_distance,
    "variational": variational_distance,
    "kl": kl_distance,
    "js": js_distance,
}


def _measure(
    table: Table, columns: Sequence[str], distance: Distance, domain_of: Distribution
) -> Measure:
    """The distance between two distributions over the columns.

    An ordered domain is made of the table's values and those of one more distribution.
    """
    if distance in PLAIN:
        return PLAIN[distance]
    (column,) = columns
    if distance == "hierarchical":
        return lambda p, q: hierarchical_distance(p, q, table.trees[column])
    domain = positions(table, column, domain_of)
    return lambda p, q: ordered_distance(p, q, domain)


def _beyond(distance: Figure, t: Fraction) -> bool:
    """Exact for fractions; logarithms get a relative tolerance of 1e-9."""
    return distance > t if isinstance(distance, Fraction) else distance > float(t) * (1 + 1e-9)


def _judge(
    table: Table,
    columns: Sequence[str],
    against: Reference,
    verdict: Callable[[Distribution, Distribution], Verdict],
) -> Judgement:
    q = reference(table, columns, against) if table.rows else {}
    return judge_classes(table, lambda members: verdict(distribution(members, columns), q), max)


def _named(column: str | None, columns: Sequence[str]) -> list[str]:
    assert (column is None) == bool(columns), "a column or columns"
    return [*columns] if column is None else [column]


def t_closeness(
    table: Table,
    *,
    t: Threshold,
    column: str | None = None,
    columns: Sequence[str] = (),
    distance: Distance = "equal",
    reference: Reference = "released",
) -> Judgement:
    """t-closeness, Definition 2 of Li 2007: no class farther than t from the reference."""
    named = _named(column, columns)

    def verdict(p: Distribution, q: Distribution) -> Verdict:
        found = _measure(table, named, distance, q)(p, q)
        return found, _beyond(found, exact(t))

    return _judge(table, named, reference, verdict)


def n_t_closeness(
    table: Table,
    *,
    n: int,
    t: Threshold,
    column: str | None = None,
    columns: Sequence[str] = (),
    distance: Distance = "equal",
    supersets: Sequence[Sequence[str]] = (),
) -> Judgement:
    """(n, t)-closeness, Li 2010: within t of a superset of the class that has n rows.

    The supersets are the rows that agree with the class on some of the quasi-identifiers, as
    released, and the whole table, whose values are the domain of the column.
    """
    named = _named(column, columns)
    whole = distribution(table.rows, named) if table.rows else {}

    def verdict(members: list[Row]) -> Verdict:
        p = distribution(members, named)
        found: list[Figure] = []
        for quasi in [*supersets, ()]:
            agreeing = [row for row in table.rows if all(row[c] == members[0][c] for c in quasi)]
            if len(agreeing) >= n:
                q = distribution(agreeing, named)
                found.append(_measure(table, named, distance, whole)(p, q))
        nearest = min(found, default=math.inf)
        return nearest, _beyond(nearest, exact(t))

    return judge_classes(table, verdict, max)


def _ratio(over: Fraction, under: Fraction) -> Figure:
    return over / under if under > 0 else math.inf


def ratio_closeness(
    table: Table, *, column: str, epsilon: Threshold, reference: Reference = "released"
) -> Judgement:
    """exp(epsilon)-closeness, Definition 5 of Soria-Comas 2013: P and Q within a factor.

    The largest factor over all sets of values is the largest over single values.
    """

    def verdict(p: Distribution, q: Distribution) -> Verdict:
        pairs = [(p.get(s, ZERO), q.get(s, ZERO)) for s in _values(p, q)]
        factor = max(max(_ratio(a, b), _ratio(b, a)) for a, b in pairs)
        return _log(factor), factor > math.exp(exact(epsilon))

    return _judge(table, [column], reference, verdict)


def delta_disclosure(
    table: Table,
    *,
    column: str,
    delta: Threshold,
    absent: Literal["fail", "ignore"] = "fail",
    reference: Reference = "released",
) -> Judgement:
    """delta-disclosure privacy, Brickell 2008: |ln(p / q)| < delta for every value.

    A value of the reference that the class lacks is infinitely far, or ignored.
    """

    def verdict(p: Distribution, q: Distribution) -> Verdict:
        figure: Figure = 0.0
        for s in _values(p, q):
            a, b = p.get(s, ZERO), q.get(s, ZERO)
            if a == 0 and absent == "ignore":
                continue
            figure = max(figure, math.inf if a == 0 or b == 0 else abs(_log(a / b)))
        return figure, figure >= exact(delta)

    return _judge(table, [column], reference, verdict)


def beta_likeness(
    table: Table,
    *,
    column: str,
    beta: Threshold,
    enhanced: bool = False,
    reference: Reference = "released",
) -> Judgement:
    """beta-likeness, Cao 2012: no value gains more than beta of its share, (p - q) / q.

    Enhanced, no value gains more than -ln q either.
    """

    def verdict(p: Distribution, q: Distribution) -> Verdict:
        figure: Figure = ZERO
        fails = False
        for s in _values(p, q):
            a, b = p.get(s, ZERO), q.get(s, ZERO)
            if a > b:
                gain = _ratio(a - b, b)
                # A value that the reference lacks has -ln q infinite, and gains without bound.
                curb = -math.log(b) if enhanced and b > 0 else math.inf
                figure = max(figure, gain)
                fails = fails or gain > exact(beta) or gain > curb
        return figure, fails

    return _judge(table, [column], reference, verdict)


def skewness(
    table: Table, *, column: str, at_most: Threshold, reference: Reference = "released"
) -> Judgement:
    """The skewness attack, Li 2007 section 3: how many times as likely a value is in a class."""

    def verdict(p: Distribution, q: Distribution) -> Verdict:
        factor = max(_ratio(share, q.get(s, ZERO)) for s, share in p.items())
        return factor, factor > exact(at_most)

    return _judge(table, [column], reference, verdict)
