"""Small tables for the tests that edit templates: what is asked of them, and what is released.

Thresholds are figures of the tables' own classes, where verdicts turn. Each audit and each plan
asks for several guarantees at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import guarantee_cases as releases
from auditing import KNOWN, WEIGHT, Case, Sensitive
from oracle import Row
from oracle_models import Guarantee

# Classes of one letter per row and sensitive value; a dash is NULL, also as a quasi-identifier.
CLASSES = {
    **{"1": "aabb", "2": "aaab", "3": "aaabbc", "4": "ccc"},
    **{"5": "dde-", "-": "abcde-", "6": "ee", "7": "ccccbbbad"},
}
SOURCE = "aabbccddeef-"
# Nobody in the table has f, and what weighs nothing is no value of the reference.
WEIGHTS = {"b": "1", "c": "0.5", "d": "2.25", "f": "1", "-": "1", "a": "0"}
ORDER = ["f", "a", "b", "z", "c", "d", "e"]
TREE = {"tree": {"g": {"g1": ["a", "b"], "g2": ["c"]}, "h": {"h1": ["d"], "h2": ["e", "f"]}}}
WEIGHED = {"table": KNOWN, "weight": WEIGHT}
PRIORS = {"table": "priors"}


def value(letter: str) -> str | None:
    """What a letter stands for."""
    return None if letter == "-" else letter


def table(columns: Sequence[Sensitive], classes: Mapping[str, str], **weights: str) -> Case:
    """A table of one quasi-identifier and two sensitive columns, with a source and weights."""
    numbers = ("1.50", "10", "9", None)
    rows: list[Row] = [
        {"q": value(q), "s": value(letter), "v": numbers[(place + len(letters)) % 4]}
        for q, letters in classes.items()
        for place, letter in enumerate(letters)
    ]
    known = [{"s": value(s), "v": "11", WEIGHT: Decimal(weight)} for s, weight in weights.items()]
    source = [{"q": "1", "s": value(letter), "v": "9"} for letter in SOURCE]
    return Case({"q": "VARCHAR"}, columns, rows, source, known)


TOWN = table(
    [Sensitive("s", order=ORDER, hierarchy=TREE), Sensitive("v", order="numeric")],
    CLASSES,
    **WEIGHTS,
)
# The first value in order weighs nothing, and is not in the source; one class holds all the others.
HAMLET = replace(
    table([Sensitive("s", order="text")], {"1": "ac", "2": "aB"}, a="1", c="1", B="0"),
    source=[{"q": "1", "s": letter, "v": "9"} for letter in "ac"],
)


def of(column: str, name: str, **parameters: Any) -> Guarantee:
    """A guarantee about a column."""
    return name, {"column": column, **parameters}


def close(column: str, distance: str, t: str, reference: Any = "released") -> Guarantee:
    """t-closeness."""
    return of(column, "t_closeness", distance=distance, t=t, reference=reference)


def recursive(column: str, c: int, l: int, **more: Any) -> Guarantee:  # noqa: E741
    """Recursive diversity."""
    return of(column, "recursive_l_diversity", c=c, l=l, **more)


# What is asked of a table at once.
AUDITS: dict[str, tuple[Case, Sequence[Guarantee]]] = {
    "shares": (
        TOWN,
        [
            of("s", "alpha_k_anonymity", alpha="0.5", k=1),
            of("s", "alpha_k_anonymity", alpha="0.25", k=4, values=["d", "-", "e"]),
            of("s", "distinct_l_diversity", l=2),
            of("s", "background_knowledge", excluded=1, at_most=0),
            of("s", "homogeneity", at_most="50%"),
        ],
    ),
    "entropy": (TOWN, [of("s", "entropy_l_diversity", l=each) for each in (1, 2)]),
    "recursive": (
        TOWN,
        [
            recursive("s", 1, 2),
            recursive("s", 3, 3),
            recursive("s", 2, 2, disclosable=["a", "c"]),
            recursive("s", 2, 3, disclosable=["a", "c", "b"]),
        ],
    ),
    "protected": (
        TOWN,
        [
            recursive("s", 9, 1, protected=["a", "b"], protected_share="50%"),
            recursive("s", 9, 1, protected=["b"], protected_share="25%"),
        ],
    ),
    "jointly": (
        TOWN,
        [
            of("s", "distinct_l_diversity", l=2, jointly=True),
            recursive("v", 2, 2, jointly=True),
        ],
    ),
    "similarity": (
        TOWN,
        [
            of("s", "similarity", level=1, at_most=0),
            of("s", "similarity", level=3, at_most="50%"),
            of("s", "similarity", groups={"x": ["a"], "y": ["b", "c"]}, at_most=0),
        ],
    ),
    "equal": (
        TOWN,
        [
            close("s", "equal", "0.5"),
            close("s", "variational", "0.5", WEIGHED),
            close("v", "equal", "0.5", WEIGHED),
            ("t_closeness", {"columns": ["s", "v"], "distance": "equal", "t": "0.5"}),
        ],
    ),
    "ordered": (
        TOWN,
        [
            *(close("s", "ordered", "0.25", against) for against in ("source", "uniform")),
            close("v", "ordered", "0.25", "source"),
        ],
    ),
    "hierarchical": (
        TOWN,
        [close("s", "hierarchical", "0.25"), close("s", "hierarchical", "0.25", WEIGHED)],
    ),
    "divergence": (
        TOWN,
        [close("s", "kl", "0.5", WEIGHED), close("s", "js", "0.25", WEIGHED)],
    ),
    "ratios": (
        TOWN,
        [
            of("s", "delta_disclosure", delta="0.5", absent="ignore", reference=WEIGHED),
            of("s", "ratio_closeness", epsilon="2"),
        ],
    ),
    "gains": (
        TOWN,
        [
            of("s", "beta_likeness", beta="2", reference="uniform"),
            of("s", "beta_likeness", beta="5", enhanced=True),
            of("s", "beta_likeness", beta="0.5", reference=WEIGHED),
            of("s", "skewness", at_most="3", reference="uniform"),
        ],
    ),
    "weightless": (
        HAMLET,
        [
            close("s", "ordered", "0.25", "source"),
            of("s", "ratio_closeness", epsilon="0.5", reference=WEIGHED),
        ],
    ),
}


def town(
    people: str, budget: int, *asked: Guarantee, priors: str = "f c", notes: bool = False
) -> releases.Case:
    """People and priors by zip, age, first letter of the disease, and salary in tens."""
    diseases = {"f": "flu", "c": "cold", "u": "ulcer", "-": None}

    def person(letters: str) -> dict[str, Any]:
        quasi = {"person": None, "zip": letters[0], "age": letters[1]}
        return {**quasi, "disease": diseases[letters[2]], "salary": 10 * int(letters[3:] or "1")}

    return releases.Case(
        [person(each) for each in people.split()],
        [person(f"a1{each}") for each in priors.split()],
        [{"k_anonymity": {"k": 2}}, *({name: dict(parameters)} for name, parameters in asked)],
        budget,
        notes,
    )


def moving(*asked: Guarantee) -> releases.Case:
    """Four who are alone go first, and with them what made the others unlike the reference."""
    people = "a1f1 a1c2 a3u3 b1f1 b1c2 b3u3 c1f1 c1c2 c3u3 d1f1 d1c2 d3u3 e1f1 e1c2 f1f1 f1c2"
    return town(people, 4, *asked)


MOVING = ("released", "uniform")
# What is released. Most optima are fine nodes below coarser ones that break the guarantees: a
# bound on repairs that claims too much closes them.
RELEASES: dict[str, releases.Case] = {
    # Rows that must go have a value of their own, and the others are like the priors.
    "strangers": town(
        "a1u a1u a1u b1f b1c b1f b1c",
        3,
        close("disease", "equal", "0.1", PRIORS),
        close("disease", "js", "0.01", PRIORS),
        of("disease", "beta_likeness", beta="0.5", reference=PRIORS),
        of("disease", "skewness", at_most="1.5", reference=PRIORS),
        of("disease", "ratio_closeness", epsilon="0.5", reference=PRIORS),
    ),
    "many alike": town(
        "a1f a1f a1f a1f a1f a1f a1f b1f b1c",
        7,
        of("disease", "alpha_k_anonymity", alpha="0.5", k=2),
        of("disease", "entropy_l_diversity", l=2),
        of("disease", "entropy_l_diversity", l=2, jointly=True),
        recursive("disease", 2, 2),
        recursive("disease", 9, 1, protected=["cold"], protected_share="25%"),
        of("disease", "ratio_closeness", epsilon="0.5", reference=PRIORS),
    ),
    "rare": town(
        "a1u a1u a1u b1f b1f b1f b1f b1u",
        3,
        close("disease", "kl", "0.01", PRIORS),
        priors="f f f f u",
    ),
    "absent": town(
        "a1f a1f a1f a1f a1f a1f a1f a1f a1f b1c b1c",
        0,
        of("disease", "delta_disclosure", delta="0.7", absent="ignore", reference=PRIORS),
    ),
    "moving work": moving(
        *(close("disease", "hierarchical", "0.05", each) for each in MOVING),
        *(close("salary", "ordered", "0.05", each) for each in MOVING),
    ),
    "moving shares": moving(
        close("disease", "js", "0.05"),
        of("disease", "beta_likeness", beta="0.25"),
        of("disease", "skewness", at_most="1.25"),
        *(of("disease", "ratio_closeness", epsilon="0.2", reference=each) for each in MOVING),
    ),
    "rarer": town(
        "a3c b3c" + "".join(f" {each}1f {each}1f {each}1f {each}1c" for each in "abcdef"),
        2,
        of("disease", "ratio_closeness", epsilon="0.1"),
    ),
    "vanishing": town(
        "a3f3 d4f5 d4f1" + " a4f1 a4f2" * 10 + " d4f1 d4f4" * 9,
        1,
        close("salary", "ordered", "0.093"),
    ),
    "rounds": town(
        "f3u2 a1f0 a2u1 f1f1 f1f0 b2f0 a2-1 c1c1 a1f3 a1c0 a1-3 a1-1 e1f1 e1-3 e3u1 c1f2",
        6,
        close("disease", "equal", "0.25"),
    ),
    "condemned": town(
        "f1-3 a1f0 a2f1 d1u2 b3u1 b1f2", 2, of("disease", "beta_likeness", beta="0.25")
    ),
    "skewed": town(
        "a1f0 c1c2 e3f3 e2f1 b1f1 d3f1 d1f0 e1c3 f3f2 b1f2 c3c3 a2f1",
        6,
        of("salary", "skewness", at_most="1.5"),
    ),
    "from rows": town(
        "a1f a1f a1f b1f b1c", 3, of("disease", "alpha_k_anonymity", alpha="0.5", k=2), notes=True
    ),
    "nothing": town("a1f a1f b1c b1c", 4, of("disease", "distinct_l_diversity", l=3)),
}
