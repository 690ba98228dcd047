"""Brute force for the catalogue of guarantees, and for the best release that gives them.

One function per guarantee, in `ORACLE` under its policy spelling. Each is given a table and the
guarantee's parameters, and returns a judgement.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from oracle import Ladders, Optimum, Rows, generalize, lattice, loss
from oracle_closeness import (
    beta_likeness,
    delta_disclosure,
    n_t_closeness,
    ratio_closeness,
    skewness,
    t_closeness,
)
from oracle_diversity import (
    alpha_k_anonymity,
    background_knowledge,
    distinct_l_diversity,
    entropy_l_diversity,
    homogeneity,
    k_anonymity,
    recursive_l_diversity,
    similarity,
)
from oracle_table import ClassKey, Figure, Judgement, Table, Threshold, exact

__all__ = [
    "ORACLE",
    "ClassKey",
    "Figure",
    "Guarantee",
    "Judgement",
    "Release",
    "Suppression",
    "Table",
    "Threshold",
    "exact",
    "judge",
    "optimum_models",
    "release_models",
    "suppress_to_fixpoint",
]

Guarantee: TypeAlias = tuple[str, Mapping[str, Any]]

ORACLE: dict[str, Callable[..., Judgement]] = {
    "k_anonymity": k_anonymity,
    "alpha_k_anonymity": alpha_k_anonymity,
    "distinct_l_diversity": distinct_l_diversity,
    "entropy_l_diversity": entropy_l_diversity,
    "recursive_l_diversity": recursive_l_diversity,
    "t_closeness": t_closeness,
    "n_t_closeness": n_t_closeness,
    "ratio_closeness": ratio_closeness,
    "delta_disclosure": delta_disclosure,
    "beta_likeness": beta_likeness,
    "homogeneity": homogeneity,
    "background_knowledge": background_knowledge,
    "similarity": similarity,
    "skewness": skewness,
}


def judge(table: Table, guarantee: Guarantee) -> Judgement:
    """What a guarantee, by its policy spelling and parameters, says of a table."""
    name, parameters = guarantee
    return ORACLE[name](table, **parameters)


def _without(table: Table, failing: frozenset[ClassKey]) -> Table:
    kept = [
        row for row in table.rows if tuple(row[column] for column in table.quasi) not in failing
    ]
    return replace(table, rows=kept)


@dataclass(frozen=True)
class Suppression:
    """What is left once no class fails, how many rows went, and in how many rounds.

    The classes that are too small go before the first round; a round is one after which classes
    go because of another guarantee.
    """

    released: Rows
    suppressed: int
    rounds: int


def suppress_to_fixpoint(table: Table, guarantees: Sequence[Guarantee]) -> Suppression:
    """Suppress failing classes, all at once, until no class fails.

    Classes of too few rows go first. Every round judges the rest against a reference that is
    computed over what is left then, for footnote 1 of Li 2007 means the released rows.
    """
    # The source is what came in: it does not shrink with what is left.
    left = replace(table, source=table.rows if table.source is None else table.source)
    for name, parameters in guarantees:
        if name == "k_anonymity":
            left = _without(left, k_anonymity(left, k=parameters["k"]).failing)
        elif name == "alpha_k_anonymity":
            left = _without(left, k_anonymity(left, k=parameters.get("k", 1)).failing)
    rounds = 0
    while True:
        judgements = [judge(left, guarantee) for guarantee in guarantees]
        failing = frozenset(key for judged in judgements for key in judged.failing)
        if not failing:
            return Suppression(left.rows, len(table.rows) - len(left.rows), rounds)
        left = _without(left, failing)
        rounds += 1


@dataclass(frozen=True)
class Release:
    """What a node releases, and how many source rows it suppresses.

    Feasible: a class is left, the budget is kept, and so are the limits over the release.
    """

    released: Rows
    suppressed: int
    rounds: int
    feasible: bool


def release_models(
    table: Table,
    ladders: Ladders,
    node: Sequence[int],
    guarantees: Sequence[Guarantee],
    budget: int,
) -> Release:
    """What a node releases under the guarantees, given the source and a budget in rows.

    `table.rows` is the source; rows that a policy for NULL or uncovered values suppresses are
    part of the reference `source` and of the suppressed rows.
    """
    generalized, _ = generalize(table.rows, ladders, node)
    source = table.rows if table.source is None else table.source
    at_node = replace(table, rows=generalized, quasi=list(ladders), source=source)
    left = suppress_to_fixpoint(at_node, guarantees)
    suppressed = len(table.rows) - len(left.released)
    final = replace(at_node, rows=left.released)
    limits_hold = not any(judge(final, guarantee).broken for guarantee in guarantees)
    feasible = bool(left.released) and suppressed <= budget and limits_hold
    return Release(left.released, suppressed, left.rounds, feasible)


def optimum_models(
    table: Table, ladders: Ladders, guarantees: Sequence[Guarantee], budget: int
) -> Optimum | None:
    """The feasible node of least loss by trying every node; None where none is feasible.

    Ties go to the smaller height (sum of levels), then to the smaller levels in column order.
    """
    feasible = []
    for node in lattice(ladders):
        found = release_models(table, ladders, node, guarantees, budget)
        if found.feasible:
            lost = loss(found.released, found.suppressed, ladders, node)
            feasible.append(Optimum(node, lost, found.suppressed, found.released))
    return min(feasible, key=lambda o: (o.loss.product, sum(o.node), o.node), default=None)
