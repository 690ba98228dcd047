"""Hypothesis strategies for every guarantee that a table to audit could be asked for.

A strategy per model, in ``GUARANTEES``, draws its parameters as a policy spells them. Thresholds
are few and round, or lie next to the figure of a class, where verdicts are decided.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias

from hypothesis import strategies as st

from auditing import KNOWN, WEIGHT, Case, Sensitive
from oracle_belief import class_beliefs
from oracle_masked import shown
from oracle_models import Guarantee, exact
from sqlgen.guarantees.closeness import DISTANCE_FORMS, Distance
from strategies import as_text
from strategies_audited import NOBODY, PRIORS, TOWN, UNKNOWN, VOTERS, cases, without_values

Parameters: TypeAlias = dict[str, Any]

SHARES = ("5%", "33.3%", "50%", "0.5", "1", "100%")
BOUNDS = ("0.000000001", "0.25", "0.5", "1", "1.5", "3")
T_GRID = ("0", "0.1", "0.375", "0.5", "1")
LIMITS = ("0", "0%", "1", "4", "25%", "66.6666666%", "100%")


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
    read: Callable[[Fraction], Fraction] = lambda figure: figure,
) -> Parameters:
    """Parameters with a threshold: a round one, or one beside what is read off some class."""
    chosen = {**parameters, key: draw(st.sampled_from(grid))}
    if draw(st.booleans()):
        return chosen
    judged = case.judged((name, chosen))
    figures = sorted(figure for figure in judged.figures.values() if figure < math.inf)
    if not figures:
        return chosen
    beside = _beside(draw, read(Fraction(draw(st.sampled_from(figures)))), digits)
    return {**chosen, key: f"{min(max(beside, Decimal(least)), Decimal(most)):f}"}


def _beside(draw: st.DrawFn, figure: Fraction, digits: int) -> Decimal:
    """A decimal at a figure, or next to it."""
    at = math.floor(figure * 10**digits)
    return Decimal(at + draw(st.sampled_from([0, 1, -1]))).scaleb(-digits)


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


def _distance(draw: st.DrawFn, case: Case) -> tuple[Parameters, int]:
    """A distance with a column or several, and the digits to which verdicts are certain."""
    distances: list[Distance] = []
    for name, form in DISTANCE_FORMS.items():
        if not form.needs:
            distances.append(name)
        elif _column(draw, case, form.needs):
            distances += [name] * 3
    distance = draw(st.sampled_from(distances))
    needed = DISTANCE_FORMS[distance].needs or "name"
    column = _column(draw, case, needed)
    assert column is not None
    parameters: Parameters = {"distance": distance}
    if needed == "name" and len(case.sensitive) > 1 and draw(st.booleans()):
        names = [each.name for each in case.sensitive]
        parameters["columns"] = draw(st.permutations(names))[: draw(st.integers(2, len(names)))]
    else:
        parameters["column"] = column.name
    return parameters, 6 if DISTANCE_FORMS[distance].is_divergence else 9


def _lacks(case: Case, parameters: Parameters) -> bool:
    """Whether a table that classes are compared with lacks some value that they have."""
    against, column = parameters["reference"], parameters["column"]
    if isinstance(against, str):
        return False
    known = {
        row[column]
        for row in case.known
        if "weight" not in against or Fraction(str(row[WEIGHT])) > 0
    }
    return any(row[column] not in known for row in case.rows)


def _largest_distance(
    draw: st.DrawFn, case: Case, name: str, parameters: Parameters, digits: int
) -> Parameters:
    """Parameters with the largest distance: no policy names more than 1 where none is larger."""
    most = "999999999" if parameters["distance"] == "kl" else "1"
    return _of_a_class(draw, case, name, parameters, "t", T_GRID, "0", most, digits)


def _t_closeness(draw: st.DrawFn, case: Case) -> Parameters:
    parameters, digits = _distance(draw, case)
    parameters["reference"] = _reference(draw)
    if parameters["distance"] == "ordered" and _lacks(case, parameters):
        # Refused: an ordered distance needs a place for every value.
        parameters["reference"] = "source"
    return _largest_distance(draw, case, "t_closeness", parameters, digits)


def _n_t_closeness(draw: st.DrawFn, case: Case) -> Parameters:
    parameters, digits = _distance(draw, case)
    around = st.lists(st.sampled_from(sorted(case.quasi)), min_size=1, max_size=2, unique=True)
    parameters["supersets"] = draw(st.lists(around, min_size=draw(st.integers(0, 1)), max_size=2))
    rows = len(case.rows)
    parameters["n"] = draw(st.sampled_from([1, 2, 3, max(rows // 2, 1), max(rows, 1), rows + 1]))
    return _largest_distance(draw, case, "n_t_closeness", parameters, digits)


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


def _table(draw: st.DrawFn, *names: str) -> dict[str, str]:
    return {"table": draw(st.sampled_from(names))}


def _k_map(draw: st.DrawFn, case: Case) -> Parameters:
    parameters: Parameters = {"population": _table(draw, TOWN, TOWN, VOTERS, NOBODY, PRIORS)}
    figures = case.judged(("k_map", {**parameters, "k": 2})).figures.values()
    grid = sorted({2, 3, 5, *(int(figure) for figure in figures if figure >= 2)})
    return {**parameters, "k": draw(st.sampled_from(grid)) + draw(st.integers(0, 1))}


def _delta_presence(draw: st.DrawFn, case: Case) -> Parameters:
    parameters: Parameters = {"population": _table(draw, TOWN, TOWN, TOWN, VOTERS, NOBODY, PRIORS)}
    asked = (draw, case, "delta_presence", parameters)
    chosen = _of_a_class(*asked, "most", SHARES, most="1")
    if draw(st.booleans()):
        return chosen
    least = _of_a_class(draw, case, "delta_presence", chosen, "least", ["0", "0.000000001"], "0")
    most = exact(chosen["most"])
    return least if exact(least["least"]) <= most else {**chosen, "least": chosen["most"]}


def _linkage(draw: st.DrawFn, case: Case) -> Parameters:
    parameters: Parameters = {
        "known": _table(draw, TOWN, VOTERS, VOTERS, NOBODY, PRIORS),
        "risk": draw(st.sampled_from(["prosecutor", "journalist", "marketer"])),
        "at_most": draw(st.sampled_from([*LIMITS, str(len(case.rows) // 2)])),
    }
    if parameters["risk"] == "marketer" or draw(st.booleans()):
        return parameters
    beside = _beside(draw, Fraction(1, draw(st.integers(1, 6))), 9)
    above = draw(st.sampled_from(["0", "25%", "50%", f"{min(beside, Decimal('0.999999999')):f}"]))
    return {**parameters, "above": above}


def _believing(draw: st.DrawFn, case: Case) -> tuple[Parameters, int]:
    """A column with a prior, and the digits to which verdicts are certain."""
    column = _column(draw, case)
    assert column is not None
    known = {"table": PRIORS}
    prior = draw(st.sampled_from(["released", known, {**known, "weight": WEIGHT}]))
    parameters: Parameters = {"column": column.name, "prior": prior}
    if prior == "released":
        return parameters, 9
    ruled_out = draw(st.sampled_from([{}, {"ruled_out": "fail"}, {"ruled_out": "ignore"}]))
    return {**parameters, **ruled_out}, 4


def _positive(draw: st.DrawFn, case: Case) -> Parameters:
    parameters, digits = _believing(draw, case)
    bounds = ("0", "0.999999999", digits)
    grid = ["0", "25%", "50%", "0.75"]
    return _of_a_class(
        *(draw, case, "positive_disclosure", parameters, "delta", grid, *bounds),
        read=lambda figure: 1 - figure,
    )


def _negative(draw: st.DrawFn, case: Case) -> Parameters:
    parameters, digits = _believing(draw, case)
    bounds = ("0.000000001", "1", digits)
    return _of_a_class(draw, case, "negative_disclosure", parameters, "epsilon", SHARES, *bounds)


def _breach(draw: st.DrawFn, case: Case) -> Parameters:
    """A breach with bounds that are round, or beside the beliefs in some class."""
    parameters, digits = _believing(draw, case)
    table = case.table
    found = [
        belief
        for members in table.classes().values()
        for belief in class_beliefs(
            *(table, members, parameters["column"], parameters["prior"]),
            parameters.get("ruled_out", "fail"),
        )
        or ()
    ]
    pairs = [("5%", "10%"), ("20%", "50%"), ("0.5", "0.75"), ("0.999999998", "0.999999999")]
    is_round = draw(st.booleans())
    if found and not is_round:
        belief = draw(st.sampled_from(found))
        for before, after in (
            (belief.prior, belief.posterior),
            (1 - belief.prior, 1 - belief.posterior),
        ):
            low, high = _beside(draw, before, digits), _beside(draw, after, digits)
            if 0 < low < high < 1:
                pairs = [(f"{low:f}", f"{high:f}")]
    rho_1, rho_2 = draw(st.sampled_from(pairs))
    return {**parameters, "rho_1": rho_1, "rho_2": rho_2}


GUARANTEES: Mapping[str, Callable[[st.DrawFn, Case], Parameters]] = {
    "k_anonymity": _k_anonymity,
    "alpha_k_anonymity": _alpha_k_anonymity,
    "distinct_l_diversity": _distinct,
    "entropy_l_diversity": _entropy,
    "recursive_l_diversity": _recursive,
    "k_map": _k_map,
    "delta_presence": _delta_presence,
    "linkage": _linkage,
    "t_closeness": _t_closeness,
    "n_t_closeness": _n_t_closeness,
    "positive_disclosure": _positive,
    "negative_disclosure": _negative,
    "belief_breach": _breach,
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


@st.composite
def asked_masked(draw: st.DrawFn, *models: str) -> tuple[Case, list[Guarantee]]:
    """The same with classes that show no values, and thresholds of those that do."""
    case = without_values(draw, draw(cases()))
    showing = replace(case, rows=shown(case.table).rows)
    return case, [(name, GUARANTEES[name](draw, showing)) for name in models]
