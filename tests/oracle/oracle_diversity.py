"""Brute force for identity, diversity and the attacks that count rows.

- Machanavajjhala 2006: A. Machanavajjhala et al. l-Diversity. ICDE 2006.
- Wong 2006: R. Wong, J. Li, A. Fu, K. Wang. (alpha, k)-Anonymity. KDD 2006.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction

from oracle import Row, Value, classes
from oracle_table import (
    Counts,
    Figure,
    Judgement,
    Table,
    Threshold,
    Verdict,
    counts,
    exact,
    judge_classes,
    summed,
)


def k_anonymity(table: Table, *, k: int, unit: str | None = None) -> Judgement:
    """k-anonymity, Definition 2.2 of Machanavajjhala 2006: at least k rows in a class.

    With a unit they are k persons: all rows with a NULL unit together may be one and the same.
    """

    def verdict(members: list[Row]) -> Verdict:
        held = len(members) if unit is None else len({row[unit] for row in members})
        return Fraction(held), held < k

    return judge_classes(table, verdict, min)


def alpha_k_anonymity(
    table: Table,
    *,
    column: str,
    alpha: Threshold,
    k: int = 1,
    values: Sequence[Value] | None = None,
) -> Judgement:
    """(alpha, k)-anonymity, Wong 2006: k rows, and no value in more than alpha of a class.

    With `values`, only they are held to alpha.
    """

    def verdict(members: list[Row]) -> Verdict:
        found = counts(members, [column])
        held = {s: c for s, c in found.items() if values is None or s in values}
        share = max((Fraction(c, len(members)) for c in held.values()), default=Fraction(0))
        too_frequent = any(c > exact(alpha) * len(members) for c in held.values())
        return share, len(members) < k or too_frequent

    return judge_classes(table, verdict, max)


def _diversity(
    table: Table,
    column: str,
    jointly: bool,
    verdict: Callable[[Counts], Verdict],
    worst: Callable[[Iterable[Figure]], Figure],
) -> Judgement:
    """A class's own verdict, or jointly that of its worst block.

    Definition 4.5 of Machanavajjhala 2006: the other sensitive columns are part of the
    quasi-identifier, so each block of a class with the same values of them is judged by itself.
    """
    others = [other for other in table.sensitive if other != column] if jointly else []

    def of_class(members: list[Row]) -> Verdict:
        verdicts = [verdict(counts(block, [column])) for block in classes(members, others).values()]
        return worst(figure for figure, _ in verdicts), any(fails for _, fails in verdicts)

    return judge_classes(table, of_class, worst)


def distinct_l_diversity(
    table: Table,
    *,
    column: str,
    l: int,  # noqa: E741
    jointly: bool = False,
) -> Judgement:
    """Distinct l-diversity, Li 2007 section 2: at least l distinct values in a class."""

    def verdict(found: Counts) -> Verdict:
        return Fraction(len(found)), len(found) < l

    return _diversity(table, column, jointly, verdict, min)


def entropy_of(found: Counts) -> float:
    """The entropy of a block, -sum p ln p, with the natural logarithm."""
    n = sum(found.values())
    return -math.fsum(c / n * math.log(c / n) for c in found.values())


def entropy_l_diversity(
    table: Table,
    *,
    column: str,
    l: Threshold,  # noqa: E741
    jointly: bool = False,
) -> Judgement:
    """Entropy l-diversity, Definition 4.1 of Machanavajjhala 2006: entropy >= ln l.

    Compared as n ln n - sum c ln c >= n ln l with a relative tolerance of 1e-9, for a class of l
    equally frequent values lies exactly on the bound.
    """

    def verdict(found: Counts) -> Verdict:
        n = sum(found.values())
        bound = n * math.log(exact(l))
        held = n * math.log(n) - math.fsum(c * math.log(c) for c in found.values())
        return math.exp(entropy_of(found)), held < bound - 1e-9 * bound

    return _diversity(table, column, jointly, verdict, min)


def frequency_and_tail(
    found: Counts,
    l: int,  # noqa: E741
    disclosable: Collection[Value] = (),
) -> tuple[int, int]:
    """r_y and tail(s_y) of Definition 4.3 of Machanavajjhala 2006, for l of at least 2.

    r_1 >= r_2 >= ... >= r_m are the frequencies in a block, and the most frequent value that may
    not be disclosed is the y-th. (0, 0) where every value may be disclosed. Which of two equally
    frequent values comes first changes neither number.
    """
    assert l >= 2
    descending = sorted(found.items(), key=lambda item: -item[1])
    r = {i: count for i, (_, count) in enumerate(descending, start=1)}
    m = len(r)
    protected = [i for i, (s, _) in enumerate(descending, start=1) if s not in disclosable]
    if not protected:
        return 0, 0
    y = protected[0]
    if y <= l - 1:
        return r[y], sum(r[j] for j in range(l, m + 1))
    return r[y], sum(r[j] for j in range(l - 1, y)) + sum(r[j] for j in range(y + 1, m + 1))


def recursive_l_diversity(
    table: Table,
    *,
    column: str,
    c: Threshold,
    l: int,  # noqa: E741
    disclosable: Collection[Value] = (),
    protected: Collection[Value] = (),
    protected_share: Threshold | None = None,
    jointly: bool = False,
) -> Judgement:
    """Recursive (c, l)-diversity, Definitions 4.2 to 4.4 of Machanavajjhala 2006: r_y < c tail.

    1-diversity is always satisfied. A protected value is in at least its share of the rows.
    """
    assert bool(protected) == (protected_share is not None), "they come together"

    def verdict(found: Counts) -> Verdict:
        n = sum(found.values())
        figure: Figure = Fraction(0)
        fails = False
        if l >= 2:
            r_y, tail = frequency_and_tail(found, l, disclosable)
            fails = r_y > 0 and not r_y < exact(c) * tail
            if r_y > 0:
                figure = Fraction(r_y, tail) if tail > 0 else math.inf
        if protected_share is not None:
            least = exact(protected_share) * n
            fails = fails or any(found.get(w, 0) < least for w in protected)
        return figure, fails

    return _diversity(table, column, jointly, verdict, max)


def _affected(
    table: Table, at_most: Threshold, is_affected: Callable[[list[Row]], bool]
) -> Judgement:
    """The rows in classes that an attack reaches, held to a limit over the whole table.

    With the limit 0 each such class fails; with a higher one no class fails by itself.
    """

    def verdict(members: list[Row]) -> Verdict:
        reached = is_affected(members)
        return Fraction(len(members) if reached else 0), reached and exact(at_most) == 0

    return summed(judge_classes(table, verdict, max), at_most, len(table.rows))


def homogeneity(table: Table, *, column: str, at_most: Threshold) -> Judgement:
    """The homogeneity attack, Machanavajjhala 2006 section 1.1: classes with one value."""
    return _affected(table, at_most, lambda members: len(counts(members, [column])) == 1)


def background_knowledge(
    table: Table, *, column: str, excluded: int, at_most: Threshold
) -> Judgement:
    """The background knowledge attack, Machanavajjhala 2006 section 1.1.

    Whoever can exclude some of the values is left with one in a class of at most one more.
    """
    return _affected(table, at_most, lambda members: len(counts(members, [column])) <= excluded + 1)


def similarity(
    table: Table,
    *,
    column: str,
    at_most: Threshold,
    level: int | None = None,
    groups: Mapping[str, Sequence[Value]] | None = None,
) -> Judgement:
    """The similarity attack, Li 2007 section 3: classes whose values all lie in one group.

    Groups are named, or are a level of the column's hierarchy; a value in none is one by itself.
    """
    assert (level is None) != (groups is None), "a level or groups"

    def group(value: Value) -> tuple[str, Value]:
        if groups is not None:
            names = [name for name, values in groups.items() if value in values]
            assert len(names) <= 1, "a value is in one group"
            return ("group", names[0]) if names else ("alone", value)
        assert level is not None
        ladder = table.trees[column]
        if value not in ladder.leaves:
            return "alone", value
        return "group", ladder.at(value, level)

    return _affected(
        table, at_most, lambda members: len({group(row[column]) for row in members}) == 1
    )
