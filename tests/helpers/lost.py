"""What the oracle says a node loses of a drawn table, by every objective."""

from __future__ import annotations

import oracle_metrics
from oracle_metrics import Released, hierarchy
from sqlgen.search.lattice import Node
from strategies import Table


def released(table: Table, node: Node, k: int) -> Released:
    """What the oracle releases of a table at a node where classes below k are suppressed."""
    quasi = list(table.ladders)
    rows = [tuple(row[column] for column in quasi) for row in table.rows]
    hierarchies = [hierarchy(ladder) for ladder in table.ladders.values()]
    able = [
        number
        for number, row in enumerate(rows)
        if all(value in each.labels[0] for value, each in zip(row, hierarchies, strict=True))
    ]
    whole = Released(rows, hierarchies, node, frozenset(able))
    kept = [each for members in whole.classes().values() if len(members) >= k for each in members]
    return Released(rows, hierarchies, node, frozenset(kept))


def figures(release: Released) -> dict[str, float]:
    """Every objective by the oracle; a figure that there is none of is left out."""
    found = {
        "loss": oracle_metrics.loss(release),
        "discernibility": oracle_metrics.discernibility(release),
        "height": oracle_metrics.height(release),
        "precision": oracle_metrics.precision(release),
        "non_uniform_entropy": oracle_metrics.non_uniform_entropy(release),
        "ambiguity": oracle_metrics.ambiguity(release),
    }
    if release.kept:
        found["average_class_size"] = oracle_metrics.average_class_size(release)
    if all(each.leaves for each in release.hierarchies):
        found["kl_divergence"] = oracle_metrics.kl_divergence(release)
    return {name: float(figure) for name, figure in found.items()}
