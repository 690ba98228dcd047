"""Small tables for the tests that edit templates: people, beliefs, supersets, masked values.

Thresholds are figures of the tables' own classes, where verdicts turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from auditing import WEIGHT, Case, Quasi, Sensitive
from guarantee_scenes import close, of
from oracle import Row, Value
from oracle_models import Guarantee, OnFailure

POPULATION, MEMBERS, PRIOR = "population", "members", "prior"
TOWNS = {"tree": {"near": ["a", "b"], "far": ["c", "d", "near"]}}
TREE = {"tree": {"g": {"g1": ["a", "b"], "g2": ["c"]}, "h": {"h1": ["d"], "h2": ["e", "f"]}}}
WEIGHED = {"table": PRIOR, "weight": WEIGHT}
# The same, where persons are left out for whom it rules out every value of their class.
WEIGHED_ALONE = {"prior": WEIGHED, "ruled_out": "ignore"}


def value(letter: str) -> str | None:
    """What a letter stands for."""
    return None if letter == "-" else letter


def folk(*lines: str) -> list[Row]:
    """People by their town, their age, and the letter and weight of a sensitive value."""
    rows: list[Row] = []
    for line in lines:
        town, age, *known = line.split()
        row: dict[str, Value] = {"q": value(town), "r": None if age == "-" else int(age)}
        for s, weight in zip(known[::2], known[1::2], strict=True):
            rows.append({**row, "s": value(s), WEIGHT: Decimal(weight)})
        if not known:
            rows.append(row)
    return rows


def parish(
    classes: Mapping[str, str],
    level: int = 1,
    numbers: Sequence[str | None] = ("1.50", "10", "9", None),
    **people: list[Row],
) -> Case:
    """Classes by the label of a town and an age, with a letter per row; two sensitive columns.

    A dot stands for a row without any sensitive value, a dash for one without the first.
    """
    rows: list[Row] = []
    for key, letters in classes.items():
        town, age = key.split()
        for place, letter in enumerate(letters):
            quasi: Row = {"q": value(town), "r": None if age == "-" else int(age)}
            v = None if letter == "." else numbers[(place + len(letters)) % len(numbers)]
            rows.append({**quasi, "s": None if letter in ".-" else letter, "v": v})
    nulls = "suppress" if level == 2 else "value"
    return Case(
        {"q": "VARCHAR", "r": "INTEGER"},
        [
            Sensitive("s", order=["f", "a", "b", "z", "c", "d", "e"], hierarchy=TREE),
            Sensitive("v", order="numeric"),
        ],
        rows,
        ladders={
            "q": Quasi(hierarchy=TOWNS, level=level, nulls=nulls),
            "r": Quasi("INTEGER", nulls=nulls),
        },
        people=people,
    )


# z is no town of the hierarchy, nobody of the far ones is 3, and one is called as the near ones.
PARISH = parish(
    {
        **{"near 1": "aabc", "near 2": "bc", "far 1": "ccd-", "- 1": "a-", "far -": "ab"},
        **{"near 3": "aabbe", "far 3": "de", "far 2": "abf"},
    },
    population=folk(
        *("a 1", "b 1", "b 1", "a 2", "a 2", "c 1", "c 1", "c 1", "c 1", "- 1", "- 1", "- 1"),
        *("z 1", "c -", "c -", "c 2", "a 3", "b 3", "d 1", "near 1"),
    ),
    members=folk(
        *("a 1", "b 1", "b 1", "b 1", "a 2", "c 1", "c 1", "- 1", "c -", "a 3", "c 3", "c 3"),
        *("a 3", "a 3", "a 3", "d 3", "d 3", "c 1", "c -", "- 1", "b 2", "c 2", "c 2", "d 2"),
    ),
    prior=folk(
        *("a 1 a 2 b 1 c 0.5", "b 1 a 1.5 c 3", "d 1 c 1 - 1 d 0.25", "c 1 a 5 d 0", "c 1 b 0"),
        *(
            "a 2 b 1 a 9",
            "b 2 c 1",
            "z 1 b 3",
            "- 1 - 1 a 3",
            "c 2 a 1 b 1",
            "c - a 1 c 1",
            "c - a 0.5",
        ),
        *("a 3 a 1 b 1 e 1", "b 3 d 7", "c 3 e 1 f 2", "d 3 d 2 e 2 a 1"),
    ),
)
# Nobody's town is shown, and a person whose town or age is suppressed is in no class.
COMMONS = parish(
    {"* 1": "aab", "* 2": "bc"},
    2,
    population=folk("a 1", "z 1", "- 1", "c 2", "d 2", "a 3", "b -"),
    members=folk("a 1", "c 2", "b 1", "- 1"),
    prior=folk("a 1 a 1 b 1", "z 1 a 1", "- 2 b 1 c 3", "c 2 b 0.5", "a 2 c 1 b 1"),
)
# All that is shown is a town, which is called as others are together.
TOWN = parish({"near 1": "aab"}, 0, population=folk("near 1", "a 1", "b 1", "near 2"))
# One class has all values, and others lack one or several of them.
BELIEVED = parish(
    {"near 1": "abcdabcd", "near 2": "aaab", "near 3": "cc", "far 1": "bc", "far 2": "aaaa"}
)
MASKED = parish(
    {
        **{"near 1": "aabc", "near 2": "...", "near 3": "ab", "far 1": "-bbc", "far 2": "a.d"},
        **{"far 3": "..", "- 1": "---", "- 2": "aaaa", "- 3": "ccd"},
    },
    population=folk("a 1", "b 1", "c 1", "a 2", "b 2", "b 3", "c 2", "d 2", "- 2", "- 3", "c 3"),
    prior=folk(
        *("a 1 a 1 b 1 c 1", "c 1 - 1 b 1 c 1", "- 3 c 2 d 1", "- 2 a 1", "c 2 a 1 - 1 d 1"),
        *("a 2 b 1", "d 3 a 1"),
    ),
)
# What is known of the far ones makes one of their values impossible.
CONTRADICTED = parish(
    {"near 1": "ab", "far 1": "abf"}, prior=folk("a 1 a 1 b 1", "c 1 a 1 b 1", "d 1 a 1 b 1")
)
# A column that is shown everywhere has no NULL to be told by.
OPEN = parish({"near 1": "---", "near 2": "ab", "near 3": "--", "far 1": "aab"}, 1, ["1", "2"])


def linkage(known: str, risk: str, at_most: str, above: str = "") -> Guarantee:
    """Linkage."""
    more = {"above": above} if above else {}
    return "linkage", {"known": {"table": known}, "risk": risk, "at_most": at_most, **more}


def k_map(k: int, population: str = POPULATION) -> Guarantee:
    """k-map."""
    return "k_map", {"k": k, "population": {"table": population}}


def present(most: str, least: str = "0", population: str = POPULATION) -> Guarantee:
    """delta-presence."""
    return "delta_presence", {
        "most": most,
        "least": least,
        "population": {"table": population},
    }


def around(distance: str, n: int, t: str, *supersets: str, column: str = "s") -> Guarantee:
    """(n, t)-closeness."""
    lists = [each.split() for each in supersets]
    return of(column, "n_t_closeness", distance=distance, n=n, t=t, supersets=lists)


BREACHES = [("20%", "40%"), ("30%", "50%"), ("55%", "60%"), ("60%", "75%")]
# What is asked of a table at once, and what happens to a class that fails by its values.
AUDITS: dict[str, tuple[Case, Sequence[Guarantee], OnFailure]] = {
    "people": (
        PARISH,
        [
            *(k_map(2), k_map(3), k_map(3, MEMBERS)),
            *(present("100%"), present("80%"), present("100%", "66.6666666%")),
            *(linkage(POPULATION, "prosecutor", at, "25%") for at in ("0", "100%")),
            *(linkage(MEMBERS, "journalist", at, "40%") for at in ("0", "3")),
            *(linkage(POPULATION, "marketer", at) for at in ("0", "50%")),
        ],
        "suppress",
    ),
    "members": (
        PARISH,
        [present("100%", least, MEMBERS) for least in ("1%", "50%", "60%")],
        "suppress",
    ),
    "commons": (
        COMMONS,
        [k_map(2), present("100%", "1%", MEMBERS), linkage(POPULATION, "journalist", "0", "1%")],
        "suppress",
    ),
    "town": (TOWN, [k_map(2), present("100%")], "suppress"),
    "beliefs": (
        BELIEVED,
        [
            *(of("s", "positive_disclosure", delta=delta) for delta in ("25%", "50%")),
            *(of("s", "negative_disclosure", epsilon=least) for least in ("25%", "30%")),
            *(of("s", "belief_breach", rho_1=low, rho_2=high) for low, high in BREACHES),
        ],
        "suppress",
    ),
    "priors": (
        PARISH,
        [
            *(of("s", "positive_disclosure", delta=d, **WEIGHED_ALONE) for d in ("0", "50%")),
            *(of("s", "negative_disclosure", epsilon=e, **WEIGHED_ALONE) for e in ("50%", "1%")),
            of("s", "positive_disclosure", delta="50%", prior={"table": PRIOR}),
            *(
                of("s", "belief_breach", rho_1=low, rho_2=high, **WEIGHED_ALONE)
                for low, high in BREACHES
            ),
        ],
        "suppress",
    ),
    "ruled out": (
        PARISH,
        [
            of("s", "positive_disclosure", delta="50%", prior=WEIGHED),
            of("s", "negative_disclosure", epsilon="1%", prior=WEIGHED, ruled_out="fail"),
            of("s", "belief_breach", rho_1="1%", rho_2="99%", prior=WEIGHED),
        ],
        "suppress",
    ),
    "contradicted": (
        CONTRADICTED,
        [
            of("s", "positive_disclosure", delta="50%", prior=WEIGHED),
            of("s", "negative_disclosure", epsilon="50%", prior=WEIGHED),
            of("s", "belief_breach", rho_1="1%", rho_2="99%", prior=WEIGHED),
        ],
        "suppress",
    ),
    "supersets": (
        PARISH,
        [
            *(around(each, 5, "0.25", "q", "r") for each in ("equal", "kl", "js", "hierarchical")),
            around("ordered", 6, "0.1", "q", "q r"),
            around("ordered", 1, "0.25", "r", column="v"),
            *(around("equal", n, "0.5") for n in (24, 25)),
            (
                "n_t_closeness",
                {
                    **{"columns": ["s", "v"], "n": 4, "t": "0.5", "distance": "equal"},
                    "supersets": [["r"], ["q"]],
                },
            ),
        ],
        "suppress",
    ),
    "masked": (
        MASKED,
        [
            ("k_anonymity", {"k": 3}),
            of("s", "alpha_k_anonymity", alpha="50%", k=3),
            of("s", "distinct_l_diversity", l=2),
            of("v", "distinct_l_diversity", l=2, jointly=True),
            *(close("s", "equal", "0.4", each) for each in ("released", "uniform")),
            close("v", "ordered", "0.25"),
            of("s", "homogeneity", at_most="20%"),
        ],
        "suppress_sensitive",
    ),
    "masked people": (
        MASKED,
        [
            *(k_map(2), present("100%"), linkage(POPULATION, "prosecutor", "0", "30%")),
            linkage(POPULATION, "marketer", "20%"),
            of("s", "positive_disclosure", delta="50%"),
            of("s", "belief_breach", rho_1="30%", rho_2="60%", **WEIGHED_ALONE),
            of("s", "belief_breach", rho_1="30%", rho_2="60%", prior=WEIGHED),
            *(around(each, 4, "0.2", "q", "r") for each in ("ordered", "hierarchical", "js")),
        ],
        "suppress_sensitive",
    ),
    "open": (
        OPEN,
        [
            of("s", "distinct_l_diversity", l=2),
            of("s", "skewness", at_most="2"),
            of("s", "background_knowledge", excluded=1, at_most="50%"),
        ],
        "suppress_sensitive",
    ),
}
