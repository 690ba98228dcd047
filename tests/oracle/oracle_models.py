"""Brute force for the best release that gives guarantees, and what is left of one node for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from oracle import Ladders, Optimum, Rows, generalize, lattice, loss
from oracle_catalogue import ORACLE, Guarantee, judge
from oracle_diversity import k_anonymity
from oracle_masked import (
    failing_values,
    failing_who,
    judge_masked,
    mask,
    masked_classes,
    masked_rows,
)
from oracle_table import ClassKey, Figure, Judgement, Table, Threshold, exact

__all__ = [
    "ORACLE",
    "ClassKey",
    "Figure",
    "Guarantee",
    "Judgement",
    "OnFailure",
    "Release",
    "Suppression",
    "Table",
    "Threshold",
    "exact",
    "judge",
    "judge_masked",
    "masked_rows",
    "optimum_models",
    "release_models",
    "suppress_to_fixpoint",
]

OnFailure: TypeAlias = Literal["suppress", "suppress_sensitive"]


@dataclass(frozen=True)
class Suppression:
    """What is left once no class fails, how many rows went, and in how many rounds.

    The classes that are too small go before the first round; a round is one after which classes
    go, or lose their values, because of another guarantee. `masked` rows are left without;
    `empty` of them are in classes that had none to begin with, so that nothing was masked.
    """

    released: Rows
    suppressed: int
    rounds: int
    masked: int = 0
    empty: int = 0


def suppress_to_fixpoint(
    table: Table, guarantees: Sequence[Guarantee], on_failure: OnFailure = "suppress"
) -> Suppression:
    """Suppress failing classes, all at once, until no class fails.

    Classes that fail by who their rows are about go first, those of too few rows before any other,
    until none does: no class is compared with rows that cannot be released. Then each round judges
    values against a reference that is computed over what is left, for footnote 1 of Li 2007 means
    the released rows; what it removes can make others fail by who they are about, and those go
    before the next. With `suppress_sensitive` the classes that fail by their values alone stay,
    and lose all of them.
    """
    masks_sensitive = on_failure == "suppress_sensitive"
    bare = masked_classes(table)
    # The source is what came in: it does not shrink with what is left.
    left = replace(table, source=table.rows if table.source is None else table.source)
    for name, parameters in guarantees:
        if name == "k_anonymity":
            left = left.without(k_anonymity(left, k=parameters["k"]).failing)
        elif name == "alpha_k_anonymity":
            left = left.without(k_anonymity(left, k=parameters.get("k", 1)).failing)
    rounds = 0
    while True:
        dropped, emptied = failing_who(left, guarantees), frozenset[ClassKey]()
        if not dropped and masks_sensitive:
            emptied = failing_values(left, guarantees)
        elif not dropped:
            judgements = [judge(left, guarantee) for guarantee in guarantees]
            dropped = frozenset(key for judged in judgements for key in judged.failing)
        if not dropped and not emptied:
            suppressed = len(table.rows) - len(left.rows)
            masked = masked_rows(left) if masks_sensitive else 0
            empty = sum(left.key(row) in bare for row in left.rows) if masks_sensitive else 0
            return Suppression(left.rows, suppressed, rounds, masked, empty)
        left = mask(left.without(dropped), emptied)
        rounds += 1


@dataclass(frozen=True)
class Release:
    """What a node releases, and how many source rows it suppresses.

    `masked` rows are released without their sensitive values, `empty` of them in classes that
    have none in the source. Feasible: a class is left, the budget of suppressed rows and of rows
    that lost values is kept, and so are the limits over the release.
    """

    released: Rows
    suppressed: int
    rounds: int
    feasible: bool
    masked: int = 0
    empty: int = 0


def release_models(
    table: Table,
    ladders: Ladders,
    node: Sequence[int],
    guarantees: Sequence[Guarantee],
    budget: int,
    on_failure: OnFailure = "suppress",
) -> Release:
    """What a node releases under the guarantees, given the source and a budget in rows.

    `table.rows` is the source; rows that a policy for NULL or uncovered values suppresses are
    part of the reference `source` and of the suppressed rows. Tables of people have values as the
    source has them: `table.quasi_trees` is the ladders that know those, by default `ladders`.
    """
    generalized, _ = generalize(table.rows, ladders, node)
    source = table.rows if table.source is None else table.source
    at_node = replace(
        table,
        rows=generalized,
        quasi=list(ladders),
        source=source,
        quasi_trees=table.quasi_trees or ladders,
        node=node,
    )
    left = suppress_to_fixpoint(at_node, guarantees, on_failure)
    suppressed = len(table.rows) - len(left.released)
    final = replace(at_node, rows=left.released)
    judging = judge_masked if on_failure == "suppress_sensitive" else judge
    limits_hold = not any(judging(final, guarantee).broken for guarantee in guarantees)
    kept = suppressed + left.masked - left.empty <= budget
    feasible = bool(left.released) and kept and limits_hold
    return Release(left.released, suppressed, left.rounds, feasible, left.masked, left.empty)


def optimum_models(
    table: Table,
    ladders: Ladders,
    guarantees: Sequence[Guarantee],
    budget: int,
    on_failure: OnFailure = "suppress",
) -> Optimum | None:
    """The feasible node of least loss by trying every node; None where none is feasible.

    Ties go to the smaller height (sum of levels), then to the smaller levels in column order.
    """
    feasible = []
    for node in lattice(ladders):
        found = release_models(table, ladders, node, guarantees, budget, on_failure)
        if found.feasible:
            lost = loss(found.released, found.suppressed, ladders, node)
            feasible.append(Optimum(node, lost, found.suppressed, found.released, found.masked))
    return min(feasible, key=lambda o: (o.loss.product, sum(o.node), o.node), default=None)
