"""Hypothesis strategies for tables to audit, and for every guarantee that they could be asked for.

A strategy per model, in ``GUARANTEES``, draws its parameters as a policy spells them. Thresholds
are few and round, or lie next to the figure of a class, where verdicts are decided.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias

from hypothesis import strategies as st

from auditing import KNOWN, WEIGHT, Case, Sensitive
from oracle import Row, Value
from oracle_models import Guarantee
from strategies import Hierarchy, as_text

Parameters: TypeAlias = dict[str, Any]

# Numbers that are written alike in no two ways: a tie would have no order.
NUMBERS = ("1", "2", "10", "-3", "2.5", "007", "0.5")
POOLS: Mapping[str, tuple[Value, ...]] = {
    "VARCHAR": ("a", "b", "ab", "abc", "B", "'", "é", "🙂", " a", "NULL", ""),
    "INTEGER": (0, 1, 2, 3, 9, 10, -1, 100),
}
UNKNOWN = {"VARCHAR": "unheard of", "INTEGER": "77"}
# Names that the templates use themselves.
NAMES = (
    *("illness", "value", "value_id", "class_id", "class_size", "position", "v1", "s1", "id_0"),
    *("reference_count", "cell", 'say "hi"', "Merit Points", "figure", "label_1", "value_1"),
)
WEIGHTS = ("0", "1", "2", "0.5", "3.25", "100")
SHARES = ("5%", "33.3%", "50%", "0.5", "1", "100%")
BOUNDS = ("0.000000001", "0.25", "0.5", "1", "1.5", "3")
LIMITS = ("0", "0%", "1", "4", "25%", "66.6666666%", "100%")


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Tables of few rows and fewer, skewed values, with a source and a table of the user's."""
    names = st.lists(st.sampled_from(NAMES), min_size=2, max_size=5, unique=True)
    called = draw(names)
    quasi = called[: draw(st.integers(1, min(2, len(called) - 1)))]
    made = [draw(_sensitive(name)) for name in called[len(quasi) :][:3]]
    pools: dict[str, Sequence[Value]] = dict.fromkeys(
        quasi, draw(st.sampled_from([("x", "y"), ("x", "y", "z", None)]))
    )
    pools |= {column.name: pool for column, pool in made}
    pools["person"] = draw(st.sampled_from([(1, 2, 3, 4), (1, 1, 1, 2, None)]))
    row = st.fixed_dictionaries({name: st.sampled_from(pool) for name, pool in pools.items()})
    weighted = st.fixed_dictionaries(
        {column.name: st.sampled_from(pool) for column, pool in made}
        | {WEIGHT: st.sampled_from(WEIGHTS).map(Decimal)}
    )
    several: st.SearchStrategy[list[Row]] = st.lists(row, min_size=1, max_size=15)
    known: st.SearchStrategy[list[Row]] = st.lists(weighted, min_size=1, max_size=8)
    return Case(
        dict.fromkeys(quasi, "VARCHAR"),
        [column for column, _ in made],
        draw(st.one_of(st.lists(row, max_size=4), st.lists(row, min_size=5, max_size=25))),
        draw(several),
        draw(known.filter(lambda rows: any(each[WEIGHT] for each in rows))),
        "person",
    )


@st.composite
def _sensitive(draw: st.DrawFn, name: str) -> tuple[Sensitive, Sequence[Value]]:
    """A sensitive column, and what its values are drawn from: the first of them most often."""
    kind = draw(st.sampled_from(sorted(POOLS)))
    of_numbers = kind == "VARCHAR" and draw(st.booleans())
    values: tuple[Value, ...] = NUMBERS if of_numbers else POOLS[kind]
    pool = draw(st.lists(st.sampled_from(values), min_size=1, max_size=6, unique=True))
    texts = [as_text(value) for value in pool]
    orders: list[Any] = [None, "text"]
    if of_numbers or kind == "INTEGER":
        orders.append("numeric")
    orders.append(draw(st.permutations([*texts, UNKNOWN[kind]])))
    column = Sensitive(
        name,
        kind,
        draw(st.sampled_from(orders)),
        *draw(st.one_of(st.just((None, "value", "error")), _hierarchies(kind, texts))),
    )
    nulls: list[Value] = draw(st.sampled_from([[], [None], [None] * 4]))
    return column, [*pool, *pool[:1] * draw(st.integers(0, 6)), *nulls]


@st.composite
def _hierarchies(
    draw: st.DrawFn, kind: str, texts: Sequence[str]
) -> tuple[Hierarchy | None, str, str]:
    """A hierarchy with what it says of NULL and of values that it does not cover."""
    nulls = draw(st.sampled_from(["value", "top"]))
    if draw(st.integers(0, 3)) == 0:
        rule: Hierarchy = {"prefixes": [2, 1]} if kind == "VARCHAR" else {"intervals": [2, 10]}
        return draw(st.sampled_from(["suppress", rule])), nulls, "error"
    leaves = [*texts, UNKNOWN[kind]]
    uncovered = draw(st.sampled_from(["error", "top"]))
    if uncovered == "top":
        leaves = leaves[draw(st.integers(0, len(leaves) - 1)) :]
    tree: dict[str, Any] = {}
    for leaf in leaves:
        shallow, above, below = draw(
            st.sampled_from([(True, "f", ""), *((False, a, b) for a in "ab" for b in "xy")])
        )
        if shallow:
            tree.setdefault(f"flat {above}", []).append(leaf)
        else:
            tree.setdefault(f"deep {above}", {}).setdefault(f"{above} {below}", []).append(leaf)
    return {"tree": tree}, nulls, uncovered


def _of_a_class(
    draw: st.DrawFn,
    case: Case,
    name: str,
    parameters: Parameters,
    key: str,
    grid: Sequence[str],
    least: str = "0.000000001",
    most: str = "999999999",
    digits: int = 9,
) -> Parameters:
    """Parameters with a threshold: a round one, or one beside the figure of some class."""
    chosen = {**parameters, key: draw(st.sampled_from(grid))}
    if draw(st.booleans()):
        return chosen
    judged = case.judged((name, chosen))
    figures = sorted(figure for figure in judged.figures.values() if figure < math.inf)
    if not figures:
        return chosen
    at = math.floor(Fraction(draw(st.sampled_from(figures))) * 10**digits)
    beside = Decimal(at + draw(st.sampled_from([0, 1, -1]))).scaleb(-digits)
    return {**chosen, key: f"{min(max(beside, Decimal(least)), Decimal(most)):f}"}


def _column(draw: st.DrawFn, case: Case, declaring: str = "name") -> Sensitive | None:
    fit = [column for column in case.sensitive if getattr(column, declaring) is not None]
    return draw(st.sampled_from(fit)) if fit else None


def _some(draw: st.DrawFn, case: Case, column: Sensitive, least: int = 0) -> list[str]:
    """Values of a column, and one that it never has, as a policy names them."""
    held = {as_text(row[column.name]) for row in case.rows if row[column.name] is not None}
    named = sorted(held - {""} | {UNKNOWN[column.type]})
    return draw(st.lists(st.sampled_from(named), min_size=least, max_size=3, unique=True))


def _reference(draw: st.DrawFn) -> Any:
    named = {"table": KNOWN}
    return draw(
        st.sampled_from(["released", "source", "uniform", named, {**named, "weight": WEIGHT}])
    )


def _k_anonymity(draw: st.DrawFn, case: Case) -> Parameters:
    unit = draw(st.sampled_from([None, case.persons]))
    parameters = {"k": draw(st.integers(2, 5))}
    return parameters if unit is None else {**parameters, "unit": unit}


def _alpha_k_anonymity(draw: st.DrawFn, case: Case) -> Parameters:
    column = _column(draw, case)
    assert column is not None
    parameters: Parameters = {"column": column.name, "k": draw(st.integers(1, 3))}
    if draw(st.booleans()):
        parameters["values"] = _some(draw, case, column, 1)
    return _of_a_class(draw, case, "alpha_k_anonymity", parameters, "alpha", SHARES, most="1")


def _diversity(draw: st.DrawFn, case: Case) -> tuple[Sensitive, Parameters]:
    column = _column(draw, case)
    assert column is not None
    return column, {"column": column.name, "jointly": draw(st.booleans())}


def _distinct(draw: st.DrawFn, case: Case) -> Parameters:
    return {**_diversity(draw, case)[1], "l": draw(st.integers(1, 5))}


def _entropy(draw: st.DrawFn, case: Case) -> Parameters:
    _, parameters = _diversity(draw, case)
    grid = ["1", "1.5", "2", "2.8", "3"]
    return _of_a_class(draw, case, "entropy_l_diversity", parameters, "l", grid, "1", digits=6)


def _recursive(draw: st.DrawFn, case: Case) -> Parameters:
    column, parameters = _diversity(draw, case)
    parameters |= {"l": draw(st.integers(1, 5)), "disclosable": _some(draw, case, column)}
    if protected := _some(draw, case, column):
        parameters |= {"protected": protected, "protected_share": draw(st.sampled_from(SHARES))}
    return _of_a_class(draw, case, "recursive_l_diversity", parameters, "c", BOUNDS)


def _t_closeness(draw: st.DrawFn, case: Case) -> Parameters:
    distances = ["equal", "variational", "kl", "js"]
    distances += ["ordered"] * 3 if _column(draw, case, "order") else []
    distances += ["hierarchical"] * 3 if _column(draw, case, "hierarchy") else []
    distance = draw(st.sampled_from(distances))
    needed = {"ordered": "order", "hierarchical": "hierarchy"}.get(distance, "name")
    column = _column(draw, case, needed)
    assert column is not None
    parameters: Parameters = {"distance": distance, "reference": _reference(draw)}
    if needed == "name" and len(case.sensitive) > 1 and draw(st.booleans()):
        names = [each.name for each in case.sensitive]
        parameters["columns"] = draw(st.permutations(names))[: draw(st.integers(2, len(names)))]
    else:
        parameters["column"] = column.name
    grid = ["0", "0.1", "0.375", "0.5", "1"]
    digits = 6 if distance in ("kl", "js") else 9
    return _of_a_class(draw, case, "t_closeness", parameters, "t", grid, "0", digits=digits)


def _likeness(
    name: str,
    threshold: str,
    most: str = "999999999",
    least: str = "0.000000001",
    **choices: Sequence[Any],
) -> Callable[[st.DrawFn, Case], Parameters]:
    def drawn(draw: st.DrawFn, case: Case) -> Parameters:
        column = _column(draw, case)
        assert column is not None
        parameters: Parameters = {"column": column.name, "reference": _reference(draw)}
        parameters |= {key: draw(st.sampled_from(values)) for key, values in choices.items()}
        grid = [each for each in BOUNDS if Decimal(each) >= Decimal(least)]
        return _of_a_class(draw, case, name, parameters, threshold, grid, least, most)

    return drawn


def _attack(draw: st.DrawFn, case: Case) -> Parameters:
    column = _column(draw, case)
    assert column is not None
    limits = [*LIMITS, str(len(case.rows) // 2), str(len(case.rows))]
    return {"column": column.name, "at_most": draw(st.sampled_from(limits))}


def _background(draw: st.DrawFn, case: Case) -> Parameters:
    return {**_attack(draw, case), "excluded": draw(st.integers(1, 3))}


def _similarity(draw: st.DrawFn, case: Case) -> Parameters:
    parameters = _attack(draw, case)
    by_name = {column.name: column for column in case.sensitive}
    layered = _column(draw, case, "hierarchy")
    if layered is not None and draw(st.booleans()):
        height = case.table.trees[layered.name].height
        return {**parameters, "column": layered.name, "level": draw(st.integers(1, height))}
    named = _some(draw, case, by_name[parameters["column"]], 1)
    parted = draw(st.integers(1, len(named)))
    groups = {"one": named[:parted], "other": named[parted:]}
    return {**parameters, "groups": {name: values for name, values in groups.items() if values}}


GUARANTEES: Mapping[str, Callable[[st.DrawFn, Case], Parameters]] = {
    "k_anonymity": _k_anonymity,
    "alpha_k_anonymity": _alpha_k_anonymity,
    "distinct_l_diversity": _distinct,
    "entropy_l_diversity": _entropy,
    "recursive_l_diversity": _recursive,
    "t_closeness": _t_closeness,
    "ratio_closeness": _likeness("ratio_closeness", "epsilon", "20"),
    "delta_disclosure": _likeness("delta_disclosure", "delta", "20", absent=["fail", "ignore"]),
    "beta_likeness": _likeness("beta_likeness", "beta", enhanced=[False, True]),
    "homogeneity": _attack,
    "background_knowledge": _background,
    "similarity": _similarity,
    "skewness": _likeness("skewness", "at_most", least="1"),
}


@st.composite
def asked(draw: st.DrawFn, *models: str) -> tuple[Case, list[Guarantee]]:
    """A table with a guarantee of each of the models, more than one where a model is repeated."""
    case = draw(cases())
    return case, [(name, GUARANTEES[name](draw, case)) for name in models]
