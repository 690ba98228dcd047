"""The catalogue of guarantees: one function each, in `ORACLE` under its policy spelling.

Each is given a table and the guarantee's parameters, and returns a judgement.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from oracle_belief import belief_breach, negative_disclosure, positive_disclosure
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
from oracle_people import delta_presence, k_map, linkage
from oracle_table import Judgement, Table

Guarantee: TypeAlias = tuple[str, Mapping[str, Any]]

ORACLE: dict[str, Callable[..., Judgement]] = {
    "k_anonymity": k_anonymity,
    "alpha_k_anonymity": alpha_k_anonymity,
    "k_map": k_map,
    "delta_presence": delta_presence,
    "linkage": linkage,
    "distinct_l_diversity": distinct_l_diversity,
    "entropy_l_diversity": entropy_l_diversity,
    "recursive_l_diversity": recursive_l_diversity,
    "t_closeness": t_closeness,
    "n_t_closeness": n_t_closeness,
    "ratio_closeness": ratio_closeness,
    "delta_disclosure": delta_disclosure,
    "beta_likeness": beta_likeness,
    "positive_disclosure": positive_disclosure,
    "negative_disclosure": negative_disclosure,
    "belief_breach": belief_breach,
    "homogeneity": homogeneity,
    "background_knowledge": background_knowledge,
    "similarity": similarity,
    "skewness": skewness,
}


def judge(table: Table, guarantee: Guarantee) -> Judgement:
    """What a guarantee, by its policy spelling and parameters, says of a table."""
    name, parameters = guarantee
    return ORACLE[name](table, **parameters)
