"""People with several rows each, for the oracles of persons and masked values."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

import oracle
from oracle import Row, rule_ladder

lines = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from("mf"), st.sampled_from("xyz")),
    min_size=1,
    max_size=14,
)


guarantees = st.lists(
    st.sampled_from(
        [
            ("k_anonymity", {"k": 2}),
            ("alpha_k_anonymity", {"column": "s", "alpha": "0.6", "k": 2}),
            ("distinct_l_diversity", {"column": "s", "l": 2}),
            ("recursive_l_diversity", {"column": "s", "c": 2, "l": 2}),
            ("t_closeness", {"column": "s", "t": "0.3"}),
            ("t_closeness", {"column": "s", "t": "0.3", "reference": "uniform"}),
            ("t_closeness", {"column": "s", "t": "0.3", "reference": "source"}),
            ("n_t_closeness", {"column": "s", "n": 4, "t": "0.2", "supersets": [["sex"]]}),
            ("beta_likeness", {"column": "s", "beta": 1}),
            ("homogeneity", {"column": "s", "at_most": 0}),
            ("homogeneity", {"column": "s", "at_most": "20%"}),
        ]
    ),
    min_size=1,
    max_size=3,
)


def people(drawn: Sequence[tuple[int, str, str]]) -> list[Row]:
    return [{"age": age, "sex": sex, "s": s} for age, sex, s in drawn]


def ladders_of(rows: oracle.Rows) -> dict[str, oracle.Ladder]:
    return {
        "age": rule_ladder([row["age"] for row in rows], [lambda v: oracle.interval_label(v, 2)]),
        "sex": rule_ladder([row["sex"] for row in rows], []),
    }
