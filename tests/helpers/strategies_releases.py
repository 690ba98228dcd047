"""Hypothesis strategies for what a release is asked for, and for the rows that it is made of.

Everything is about people with a zip, an age, a disease and a salary. Tables of people have zips
and ages as the source has them, among them some that no row has and some that no hierarchy has.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

# What diseases are drawn from.
POOLS: Sequence[Sequence[str | None]] = [
    ["flu", "flu", "flu", "cold", "ulcer", None],
    ["flu", "cold"],
]
DISTANCES = st.sampled_from(["0", "0.1", "0.25", "0.3", "0.5", "0.75"])
PRIORS = {"table": "priors"}
FIXED = ("source", PRIORS)
POPULATIONS = st.sampled_from(["town", "town", "town", "voters", "priors"]).map(
    lambda name: {"table": name}
)
KNOWN = st.sampled_from(["voters", "voters", "town", "nobody"]).map(lambda name: {"table": name})
REFERENCES = st.sampled_from(["released", "released", "uniform", *FIXED])
LIMITS = st.sampled_from([0, 0, 1, 3, "10%", "50%"])
BELIEFS = st.sampled_from(["released", PRIORS, {**PRIORS, "weight": "weight"}])
AROUND = st.sampled_from([1, 2, 3, 5, 8, 20])
SUPERSETS = st.sampled_from([[], [["zip"]], [["age"]], [["zip"], ["age"]], [["zip", "age"]]])
DIVERSITY = st.sampled_from(["disease", "salary"])


def one_of(name: str, **parameters: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(parameters).map(lambda drawn: {name: drawn})


def close(distances: list[str], column: str) -> st.SearchStrategy[dict[str, Any]]:
    return one_of(
        "t_closeness",
        column=st.just(column),
        t=DISTANCES,
        distance=st.sampled_from(distances),
        reference=REFERENCES,
    )


def around(distances: list[str], column: str) -> st.SearchStrategy[dict[str, Any]]:
    return one_of(
        "n_t_closeness",
        column=st.just(column),
        n=AROUND,
        t=DISTANCES,
        distance=st.sampled_from(distances),
        supersets=SUPERSETS,
    )


def believing(name: str, **bounds: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """What a prior table rules out is said of a table alone."""
    ruled_out = st.sampled_from([{}, {"ruled_out": "fail"}, {"ruled_out": "ignore"}])
    asked = one_of(name, column=DIVERSITY, prior=BELIEFS, **bounds)
    return st.tuples(asked, ruled_out).map(
        lambda drawn: {
            name: {**drawn[0][name], **({} if drawn[0][name]["prior"] == "released" else drawn[1])}
        }
    )


OF_ONE_TABLE = st.one_of(
    one_of("k_anonymity", k=st.integers(2, 3), unit=st.just("person")),
    one_of(
        "alpha_k_anonymity",
        column=DIVERSITY,
        alpha=st.sampled_from(["0.3", "0.5", "0.75", "100%"]),
        k=st.integers(1, 3),
    ),
    one_of("distinct_l_diversity", column=DIVERSITY, l=st.integers(1, 4), jointly=st.booleans()),
    one_of(
        "entropy_l_diversity",
        column=DIVERSITY,
        l=st.sampled_from(["1", "1.5", "2", "2.5", "3"]),
        jointly=st.booleans(),
    ),
    one_of(
        "recursive_l_diversity",
        column=st.just("disease"),
        c=st.sampled_from(["0.5", "1", "2", "3.5"]),
        l=st.integers(1, 3),
        disclosable=st.sampled_from([[], ["flu"], ["flu", "ulcer"]]),
        jointly=st.booleans(),
    ),
    one_of(
        "recursive_l_diversity",
        column=st.just("disease"),
        c=st.sampled_from(["1", "3"]),
        l=st.integers(1, 3),
        protected=st.sampled_from([["flu"], ["cold", "ulcer"]]),
        protected_share=st.sampled_from(["10%", "0.25"]),
    ),
    close(["equal", "hierarchical", "variational", "js"], "disease"),
    close(["kl"], "disease"),
    close(["ordered", "equal"], "salary"),
    one_of(
        "t_closeness",
        columns=st.just(["disease", "salary"]),
        t=DISTANCES,
        distance=st.sampled_from(["equal", "js"]),
        reference=REFERENCES,
    ),
    one_of(
        "ratio_closeness",
        column=DIVERSITY,
        epsilon=st.sampled_from(["0.3", "0.8", "1.5"]),
        reference=REFERENCES,
    ),
    one_of(
        "delta_disclosure",
        column=DIVERSITY,
        delta=st.sampled_from(["0.5", "1.1"]),
        absent=st.sampled_from(["fail", "ignore"]),
        reference=REFERENCES,
    ),
    one_of(
        "beta_likeness",
        column=DIVERSITY,
        beta=st.sampled_from(["0.25", "1", "2"]),
        enhanced=st.booleans(),
        reference=REFERENCES,
    ),
    one_of(
        "skewness",
        column=DIVERSITY,
        at_most=st.sampled_from(["1.5", "3"]),
        reference=REFERENCES,
    ),
    one_of("homogeneity", column=DIVERSITY, at_most=st.sampled_from([0, 2, "20%"])),
    one_of(
        "background_knowledge",
        column=DIVERSITY,
        excluded=st.integers(1, 2),
        at_most=st.sampled_from([0, 5, "50%"]),
    ),
    one_of(
        "similarity",
        column=st.just("disease"),
        level=st.integers(1, 2),
        at_most=st.sampled_from([0, 5, "100%"]),
    ),
)
PRESENT = one_of(
    "delta_presence",
    least=st.sampled_from(["0", "0", "0.000000001", "5%", "0.2"]),
    most=st.sampled_from(["20%", "0.5", "75%", "1"]),
    population=POPULATIONS,
)
# What holds rows against people or against what is around them, as often as everything else.
AGAINST_OTHERS = st.one_of(
    one_of("k_map", k=st.integers(2, 5), population=POPULATIONS),
    PRESENT,
    one_of(
        "linkage",
        known=KNOWN,
        risk=st.sampled_from(["prosecutor", "journalist"]),
        above=st.sampled_from(["0", "0.25", "34%", "0.5"]),
        at_most=LIMITS,
    ),
    one_of("linkage", known=KNOWN, risk=st.just("marketer"), at_most=LIMITS),
    around(["equal", "hierarchical", "kl", "js"], "disease"),
    around(["ordered", "variational"], "salary"),
    one_of(
        "n_t_closeness",
        columns=st.just(["disease", "salary"]),
        n=AROUND,
        t=DISTANCES,
        distance=st.sampled_from(["equal", "js"]),
        supersets=SUPERSETS,
    ),
    believing(
        "positive_disclosure",
        delta=st.sampled_from(["0", "20%", "0.3", "0.5"]),
    ),
    believing(
        "negative_disclosure",
        epsilon=st.sampled_from(["0.000000001", "10%", "0.25"]),
    ),
    believing(
        "belief_breach",
        rho_1=st.sampled_from(["10%", "0.3", "0.45"]),
        rho_2=st.sampled_from(["0.5", "0.7", "95%"]),
    ),
)
GUARANTEES = st.sampled_from([OF_ONE_TABLE, AGAINST_OTHERS]).flatmap(lambda drawn: drawn)


def rows_of(least: int, most: int, **more: Sequence[Any]) -> st.SearchStrategy[list[Any]]:
    """Rows, some of which no hierarchy covers if the pools say so."""
    pools: dict[str, Sequence[Any]] = {
        "person": [1, 2, 3, 4, 5, 6, None],
        "zip": "aabcdef",
        "age": "1123",
        "disease": POOLS[0],
        "salary": [10, 10, 20, 30, -5],
        **more,
    }
    row = st.fixed_dictionaries({name: st.sampled_from(pool) for name, pool in pools.items()})
    return st.lists(row, min_size=least, max_size=most)


def known_of(
    rows: list[Any], most: int, times: int, **more: Sequence[Any]
) -> st.SearchStrategy[list[Any]]:
    """Some of the rows, at most so many times each, and so many others; some of the other
    zips and ages are in no row, or in no hierarchy, or are the label of other ones.
    """
    strange = {"zip": [*"abcdef", None, "zz", "n1"], "age": [*"1234", None, "9"]}
    others = rows_of(0, most, **{**strange, **more})
    if not rows:
        return others
    seen = st.lists(st.sampled_from(rows), max_size=times * len(rows))
    everybody = st.just(rows * times)
    return st.tuples(st.one_of(seen, everybody), others).map(lambda parts: parts[0] + parts[1])
