"""Brute force for what a release has lost: one function per metric, and lower is better in all.

Rows are tuples of the quasi-identifiers' values, columns and rows go by their number, and NULL is
None, a value like any other. Figures that are rational are exact fractions.

- Bayardo 2005: R. Bayardo, R. Agrawal. Data Privacy through Optimal k-Anonymization. ICDE 2005.
- De Waal 1999: A. de Waal, L. Willenborg. Information Loss through Global Recoding and Local
  Suppression. Netherlands Official Statistics 14, 1999.
- Gionis 2009: A. Gionis, T. Tassa. k-Anonymization with Minimal Loss of Information. TKDE 2009.
- Kifer 2006: D. Kifer, J. Gehrke. Injecting Utility into Anonymized Datasets. SIGMOD 2006.
- LeFevre 2006: K. LeFevre et al. Mondrian Multidimensional K-Anonymity. ICDE 2006.
- Nergiz 2007: M. E. Nergiz, C. Clifton. Thoughts on k-Anonymization. DKE 2007.
- Sweeney 2002: L. Sweeney. Achieving k-Anonymity Privacy Protection Using Generalization and
  Suppression. IJUFKS 2002.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from oracle import Ladder, Value

Line: TypeAlias = tuple[Value, ...]
Aggregate: TypeAlias = Literal["geometric", "arithmetic", "max"]
Condition: TypeAlias = Callable[[Any], bool | None]
Weights: TypeAlias = Sequence[str | int | float | Decimal | Fraction]


@dataclass(frozen=True)
class Hierarchy:
    """The label of every kept leaf, per level: itself at level 0, one for all at the last."""

    labels: tuple[Mapping[Value, Value], ...]

    def __post_init__(self) -> None:
        assert len(self.labels) > 1, "there is a level above the values"
        assert all(level.keys() == self.labels[0].keys() for level in self.labels)
        assert all(leaf == label for leaf, label in self.labels[0].items())
        assert len(set(self.labels[-1].values())) <= 1, "the last level has one label"

    @property
    def height(self) -> int:
        """The number of the last level."""
        return len(self.labels) - 1

    @property
    def leaves(self) -> list[Value]:
        """The kept leaves, whether a row has them or not."""
        return list(self.labels[0])

    def alike(self, value: Value, level: int) -> list[Value]:
        """The leaves that have the same label at a level as this one."""
        labels = self.labels[level]
        return [leaf for leaf in self.leaves if labels[leaf] == labels[value]]


def hierarchy(ladder: Ladder) -> Hierarchy:
    """The hierarchy of a ladder; what it suppresses is not a leaf."""
    levels = range(ladder.height + 1)
    return Hierarchy(tuple({leaf: ladder.at(leaf, at) for leaf in ladder.leaves} for at in levels))


@dataclass(frozen=True)
class Released:
    """What a node releases of a source: all rows whose numbers are in `kept`.

    The others are suppressed; a row with a value that is no leaf is one of them. `sensitive` are
    the sensitive values of the source's rows, and `shown` those that the release has for them,
    by default the same.
    """

    rows: Sequence[Line]
    hierarchies: Sequence[Hierarchy]
    node: Sequence[int]
    kept: frozenset[int]
    sensitive: Sequence[Line] = ()
    shown: Sequence[Line] | None = None

    def __post_init__(self) -> None:
        if not self.rows:
            raise ValueError("a source without rows has no figures")
        assert self.kept <= set(range(len(self.rows)))
        assert {len(row) for row in self.rows} == {len(self.hierarchies)}
        for at, ladder in zip(self.node, self.hierarchies, strict=True):
            assert 0 <= at <= ladder.height
        for number in self.kept:
            for value, ladder in zip(self.rows[number], self.hierarchies, strict=True):
                assert value in ladder.labels[0], "a released row has leaves"

    @property
    def columns(self) -> range:
        """The numbers of the quasi-identifiers."""
        return range(len(self.hierarchies))

    @property
    def suppressed(self) -> int:
        """How many of the source's rows are not released."""
        return len(self.rows) - len(self.kept)

    def covered(self, number: int, column: int) -> int:
        """How many leaves a row may have had: those under its label, all if it is suppressed."""
        ladder = self.hierarchies[column]
        if number not in self.kept:
            return len(ladder.leaves)
        return len(ladder.alike(self.rows[number][column], self.node[column]))

    def volume(self, number: int) -> int:
        """How many combinations of leaves a row may have had."""
        return math.prod(self.covered(number, column) for column in self.columns)

    def classes(self) -> dict[Line, list[int]]:
        """The numbers of the released rows that have equal labels in every column."""
        found: dict[Line, list[int]] = {}
        labels = [h.labels[at] for h, at in zip(self.hierarchies, self.node, strict=True)]
        for number in sorted(self.kept):
            shown = tuple(labels[column][self.rows[number][column]] for column in self.columns)
            found.setdefault(shown, []).append(number)
        return found


def column_losses(release: Released) -> list[Fraction]:
    """v per column: the mean share of the leaves that a row may have had, from 0 to 1.

    It is rescaled, (mean - 1/L) / (1 - 1/L), and 0 where there are fewer than 2 leaves.
    """
    losses = [Fraction(0) for _ in release.columns]
    for column, ladder in enumerate(release.hierarchies):
        if len(ladder.leaves) > 1:
            least = Fraction(1, len(ladder.leaves))
            shares = [release.covered(row, column) * least for row in range(len(release.rows))]
            losses[column] = (_mean(shares) - least) / (1 - least)
    return losses


def loss(
    release: Released, aggregate: Aggregate = "geometric", weights: Weights | None = None
) -> Fraction | float:
    """The losses v of the columns as one: exact but for the geometric mean.

    The weighted geometric mean of 1 + v, less 1; the weighted mean of v; or the largest v, each
    times its weight's share of the largest weight.
    """
    losses, weighed = column_losses(release), _weighed(release, weights)
    if aggregate == "max":
        return max(w / max(weighed) * v for w, v in zip(weighed, losses, strict=True))
    if aggregate == "arithmetic":
        return _weighted(weighed, losses) / sum(weighed)
    assert aggregate == "geometric", "an aggregate is geometric, arithmetic or max"
    logs = [Fraction(math.log1p(v)) for v in losses]
    return math.expm1(_weighted(weighed, logs) / sum(weighed))


def height(release: Released, weights: Weights | None = None) -> Fraction:
    """The weighted sum of the node's levels, whatever is suppressed."""
    return _weighted(_weighed(release, weights), [Fraction(level) for level in release.node])


def precision(release: Released, weights: Weights | None = None) -> Fraction:
    """The weighted mean of the columns' mean level / height, a suppressed row counting 1.

    It is 1 - Prec (Sweeney 2002).
    """
    weighed, risen = _weighed(release, weights), []
    for level, ladder in zip(release.node, release.hierarchies, strict=True):
        cells = [Fraction(level, ladder.height) for _ in release.kept]
        risen.append(_mean([*cells, *[Fraction(1)] * release.suppressed]))
    return _weighted(weighed, risen) / sum(weighed)


def column_entropies(release: Released) -> list[float]:
    """Per column the sum of -ln Pr(value | label) over the rows, as a share of the most it can be.

    Pr is how many of the source's rows with the label have the value; a suppressed row's label
    stands for all rows (De Waal 1999, Gionis 2009). It is 0 where all rows have one value.
    """
    entropies = []
    for column, level in enumerate(release.node):
        labels = release.hierarchies[column].labels[level]
        values = [row[column] for row in release.rows]
        lost, most = [], []
        for number, value in enumerate(values):
            under = len(values)
            if number in release.kept:
                under = sum(v in labels and labels[v] == labels[value] for v in values)
            lost.append(math.log(Fraction(under, values.count(value))))
            most.append(math.log(Fraction(len(values), values.count(value))))
        entropies.append(math.fsum(lost) / math.fsum(most) if any(most) else 0.0)
    return entropies


def non_uniform_entropy(release: Released, weights: Weights | None = None) -> float:
    """The weighted mean of the columns' entropies, from 0 to 1."""
    weighed = _weighed(release, weights)
    return float(_weighted(weighed, [*map(Fraction, column_entropies(release))]) / sum(weighed))


def discernibility(release: Released) -> int:
    """How many rows each row is like, in sum: its class, or if suppressed all (Bayardo 2005)."""
    of_classes = sum(len(members) ** 2 for members in release.classes().values())
    return of_classes + release.suppressed * len(release.rows)


def average_class_size(release: Released) -> Fraction:
    """Released rows per class (LeFevre 2006, where it is divided by k)."""
    if not release.kept:
        raise ValueError("a release without rows has no classes")
    return Fraction(len(release.kept), len(release.classes()))


def kl_divergence(release: Released) -> float:
    """The mean over the source's rows of ln(p / phat), as the release lets one guess (Kifer 2006).

    p is the share of the rows that have all of a row's values. phat spreads the share of its class
    evenly over the combinations of leaves under its labels, and the share of all suppressed rows
    over all combinations.
    """
    rows, logs = len(release.rows), []
    alike = {number: len(members) for members in release.classes().values() for number in members}
    for number, row in enumerate(release.rows):
        together = alike.get(number, release.suppressed)
        volume = release.volume(number)
        if volume == 0:
            raise ValueError("a column without leaves has no combinations")
        guess = Fraction(together, rows * volume)
        logs.append(math.log(Fraction(release.rows.count(row), rows) / guess))
    return math.fsum(logs) / rows


def ambiguity(release: Released) -> Fraction:
    """The mean number of combinations of leaves that a row may have had (Nergiz 2007)."""
    return _mean([Fraction(release.volume(number)) for number in range(len(release.rows))])


@dataclass(frozen=True)
class Query:
    """A count of the rows whose values meet every condition, each on the column of a number.

    A condition is met where it gives True: neither False nor None, which is SQL's unknown.
    """

    quasi: Mapping[int, Condition] = field(default_factory=dict)
    sensitive: Mapping[int, Condition] = field(default_factory=dict)


def true_count(release: Released, query: Query) -> int:
    """How many of the source's rows meet a query."""
    asked = [(query.quasi, release.rows), (query.sensitive, release.sensitive)]
    return sum(
        all(test(lines[number][at]) is True for tests, lines in asked for at, test in tests.items())
        for number in range(len(release.rows))
    )


def estimated_count(release: Released, query: Query) -> Fraction:
    """How many rows meet a query if each label is any of its leaves, all equally likely."""
    shown = release.sensitive if release.shown is None else release.shown
    count = Fraction(0)
    for number in release.kept:
        chance = Fraction(1)
        for at, condition in query.quasi.items():
            leaves = release.hierarchies[at].alike(release.rows[number][at], release.node[at])
            chance *= Fraction(sum(condition(leaf) is True for leaf in leaves), len(leaves))
        for at, condition in query.sensitive.items():
            chance *= condition(shown[number][at]) is True
        count += chance
    return count


def query_error(release: Released, queries: Sequence[Query]) -> Fraction:
    """The mean relative error of the queries' estimates; a true count of 0 is taken as 1."""
    if not queries:
        raise ValueError("without queries there is no error")
    errors = []
    for query in queries:
        true = true_count(release, query)
        errors.append(abs(estimated_count(release, query) - true) / max(true, 1))
    return _mean(errors)


def _weighed(release: Released, weights: Weights | None) -> list[Fraction]:
    """The columns' weights as exact numbers, 1 by default."""
    columns = len(release.hierarchies)
    exact = [Fraction(str(w)) for w in ([1] * columns if weights is None else weights)]
    assert len(exact) == columns
    assert min(exact) >= 0 < sum(exact), "weights are not negative, and not all 0"
    return exact


def _weighted(weights: Sequence[Fraction], figures: Sequence[Fraction]) -> Fraction:
    return sum((w * f for w, f in zip(weights, figures, strict=True)), Fraction(0))


def _mean(figures: Sequence[Fraction]) -> Fraction:
    return sum(figures, Fraction(0)) / len(figures)
