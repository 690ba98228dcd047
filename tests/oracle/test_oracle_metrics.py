"""The oracle of the metrics against figures worked by hand, and against what holds for all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from math import log
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import oracle
import strategies
from oracle_metrics import (
    Hierarchy,
    Query,
    Released,
    ambiguity,
    average_class_size,
    column_entropies,
    column_losses,
    discernibility,
    estimated_count,
    height,
    hierarchy,
    kl_divergence,
    loss,
    non_uniform_entropy,
    precision,
    query_error,
    true_count,
)

Metric = Callable[[Released], Fraction | float]

# Five leaves, of which no row has 52; the levels are decades and everything.
AGE = Hierarchy(
    (
        {21: 21, 24: 24, 35: 35, 38: 38, 52: 52},
        {21: "20s", 24: "20s", 35: "30s", 38: "30s", 52: "50s"},
        dict.fromkeys((21, 24, 35, 38, 52), "*"),
    )
)
SEX = Hierarchy(({"f": "f", "m": "m"}, {"f": "*", "m": "*"}))
ROWS = [(21, "f"), (21, "f"), (24, "f"), (35, "m"), (38, "m"), (38, "f")]
DISEASES = [("flu",), ("flu",), (None,), ("cold",), ("flu",), ("cold",)]
PEOPLE = Released(ROWS, (AGE, SEX), (0, 0), frozenset(range(6)), DISEASES)
# At decades and sexes: three women in their 20s, two men in their 30s, a woman in her 30s.
DECADES = replace(PEOPLE, node=(1, 0))
# The woman in her 30s is alone, and suppressed.
PAIRED = replace(DECADES, kept=frozenset(range(5)))
NOBODY = replace(PEOPLE, kept=frozenset())

# NULL is a leaf, "smith" is not: its row is dropped.
JOB = Hierarchy(({"clerk": "clerk", None: None}, {"clerk": "*", None: "*"}))
JOBS = Released([("clerk",), (None,), ("smith",), (None,)], (JOB,), (0,), frozenset({0, 1, 3}))
ANY_JOB = replace(JOBS, node=(1,))

# A column of one leaf has nothing to lose.
CONSTANT = Hierarchy(({"DE": "DE"}, {"DE": "*"}))
NATIVE = Released([("DE", "f"), ("DE", "m")], (CONSTANT, SEX), (1, 1), frozenset({0, 1}))


def test_loss_of_decades() -> None:
    # Each row's age is one of 2 of 5 leaves: v = (2/5 - 1/5) / (4/5) = 1/4; no sex is lost.
    assert column_losses(DECADES) == [Fraction(1, 4), 0]
    assert loss(DECADES) == pytest.approx((5 / 4) ** (1 / 2) - 1, rel=1e-14)
    assert loss(DECADES, "arithmetic") == Fraction(1, 8)
    assert loss(DECADES, "max") == Fraction(1, 4)
    assert loss(DECADES, "geometric", [1, 2]) == pytest.approx((5 / 4) ** (1 / 3) - 1, rel=1e-14)
    assert loss(DECADES, "arithmetic", [1, 2]) == Fraction(1, 12)
    assert loss(DECADES, "max", [1, 2]) == Fraction(1, 8)


def test_loss_counts_a_suppressed_row_as_everything() -> None:
    # Ages: (5 * 2/5 + 1) / 6 = 1/2, so 3/8. Sexes: (5 * 1/2 + 1) / 6 = 7/12, so 1/6.
    assert column_losses(PAIRED) == [Fraction(3, 8), Fraction(1, 6)]
    assert loss(PAIRED) == pytest.approx((77 / 48) ** (1 / 2) - 1, rel=1e-14)
    assert loss(PAIRED, "arithmetic") == Fraction(13, 48)
    assert loss(PAIRED, "max") == Fraction(3, 8)
    weighed = (11 / 8) ** (1 / 4) * (7 / 6) ** (3 / 4) - 1
    assert loss(PAIRED, "geometric", [Decimal("0.5"), 1.5]) == pytest.approx(weighed, rel=1e-14)
    assert loss(PAIRED, "arithmetic", ["0.5", "1.5"]) == Fraction(7, 32)
    assert loss(PAIRED, "max", [1, 3]) == Fraction(1, 6)


def test_loss_of_a_dropped_row_and_of_a_column_of_one_leaf() -> None:
    # Of 2 kept leaves: (3 * 1/2 + 1) / 4 = 5/8, so 1/4; with all under one label, 1.
    assert column_losses(JOBS) == [Fraction(1, 4)]
    assert column_losses(ANY_JOB) == [1]
    # The column of one leaf counts as one of the two that the mean is over.
    assert column_losses(NATIVE) == [0, 1]
    assert loss(NATIVE) == pytest.approx(2 ** (1 / 2) - 1, rel=1e-14)
    assert loss(replace(NATIVE, kept=frozenset()), "arithmetic") == Fraction(1, 2)
    assert loss(NATIVE, "max", [1, 0]) == 0


def test_height_is_the_levels_in_sum_with_and_without_suppression() -> None:
    assert [height(each) for each in (PEOPLE, DECADES, PAIRED)] == [0, 1, 1]
    assert height(replace(PEOPLE, node=(2, 1))) == 3
    assert height(replace(PEOPLE, node=(2, 1)), [Decimal("0.5"), 3]) == 4


def test_precision_is_the_mean_share_of_the_levels() -> None:
    # Ages rise 1 of 2 levels, sexes 0 of 1.
    assert precision(DECADES) == Fraction(1, 4)
    assert precision(DECADES, [3, 1]) == Fraction(3, 8)
    # Ages (5 * 1/2 + 1) / 6 = 7/12, sexes 1/6.
    assert precision(PAIRED) == Fraction(3, 8)
    assert precision(PAIRED, [1, 3]) == Fraction(13, 48)
    assert [precision(JOBS), precision(ANY_JOB)] == [Fraction(1, 4), 1]
    assert precision(NATIVE) == 1


def test_non_uniform_entropy_of_decades() -> None:
    # Ages occur 2, 1, 1, 2 times, and 3 in each decade.
    lost, most = 4 * log(3 / 2) + 2 * log(3), 4 * log(3) + 2 * log(6)
    assert column_entropies(DECADES) == pytest.approx([lost / most, 0], rel=1e-14)
    assert non_uniform_entropy(DECADES) == pytest.approx(lost / most / 2, rel=1e-14)
    assert non_uniform_entropy(DECADES, [3, 1]) == pytest.approx(lost / most * 3 / 4, rel=1e-14)


def test_non_uniform_entropy_counts_a_suppressed_row_among_all() -> None:
    # The suppressed row's age occurs 2 of 6 times, its sex 4 of 6; its label's count stays 3.
    ages = (3 * log(3 / 2) + 3 * log(3)) / (4 * log(3) + 2 * log(6))
    sexes = log(3 / 2) / (4 * log(3 / 2) + 2 * log(3))
    assert column_entropies(PAIRED) == pytest.approx([ages, sexes], rel=1e-14)
    assert non_uniform_entropy(PAIRED, [1, "0"]) == pytest.approx(ages, rel=1e-14)


def test_non_uniform_entropy_of_a_dropped_row_and_of_a_column_of_one_value() -> None:
    # Most is 2 ln 4 + 2 ln 2 = ln 64, of which the dropped row loses ln 4.
    assert column_entropies(JOBS) == pytest.approx([1 / 3], rel=1e-14)
    # The label stands for the 3 rows with a leaf: ln 3 + 2 ln 3/2 + ln 4 = ln 27.
    assert column_entropies(ANY_JOB) == pytest.approx([log(27) / log(64)], rel=1e-14)
    assert column_entropies(NATIVE) == [0, 1]


def test_discernibility_is_the_classes_squared_and_all_rows_per_suppressed_row() -> None:
    assert discernibility(PEOPLE) == 4 + 1 + 1 + 1 + 1
    assert discernibility(DECADES) == 9 + 4 + 1
    assert discernibility(PAIRED) == 9 + 4 + 1 * 6
    assert discernibility(NOBODY) == 36
    assert [discernibility(JOBS), discernibility(ANY_JOB)] == [1 + 4 + 4, 9 + 4]


def test_average_class_size_is_of_the_released_rows() -> None:
    assert average_class_size(PEOPLE) == Fraction(6, 5)
    assert average_class_size(DECADES) == 2
    assert average_class_size(PAIRED) == Fraction(5, 2)
    assert [average_class_size(JOBS), average_class_size(ANY_JOB)] == [Fraction(3, 2), 3]
    with pytest.raises(ValueError, match="no classes"):
        average_class_size(NOBODY)


def test_kl_divergence_of_decades() -> None:
    # p / phat is (2/6) / (3/12) = 4/3 twice, (1/6) / (3/12) = 2/3, (1/6) / (2/12) = 1 twice, and
    # (1/6) / (1/12) = 2: in product 64/27, the cube of 4/3.
    assert kl_divergence(DECADES) == pytest.approx(log(4 / 3) / 2, rel=1e-14)


def test_kl_divergence_spreads_the_suppressed_rows_over_everything() -> None:
    # The suppressed row has (1/6) / (1/60) = 10 instead of 2.
    assert kl_divergence(PAIRED) == pytest.approx(log(320 / 27) / 6, rel=1e-14)
    # p / phat is 10 p where nothing is released: 10/3 twice and 10/6 four times.
    assert kl_divergence(NOBODY) == pytest.approx(
        (2 * log(10 / 3) + 4 * log(10 / 6)) / 6, rel=1e-14
    )
    # The dropped row has (1/4) / (1/8) = 2, and where all jobs have one label, the others have
    # (1/4) / (3/8) = 2/3 and, twice, (2/4) / (3/8) = 4/3.
    assert kl_divergence(JOBS) == pytest.approx(log(2) / 4, rel=1e-14)
    assert kl_divergence(ANY_JOB) == pytest.approx(log(64 / 27) / 4, rel=1e-14)


def test_ambiguity_is_the_mean_number_of_combinations() -> None:
    assert [ambiguity(PEOPLE), ambiguity(DECADES), ambiguity(NOBODY)] == [1, 2, 10]
    assert ambiguity(PAIRED) == Fraction(5 * 2 + 10, 6)
    assert ambiguity(replace(PAIRED, node=(1, 1))) == Fraction(5 * 4 + 10, 6)
    assert [ambiguity(JOBS), ambiguity(ANY_JOB)] == [Fraction(3 + 2, 4), 2]


FLU_FROM_24 = Query({0: lambda age: age >= 24}, {0: lambda d: None if d is None else d == "flu"})
WOMEN_OF_21 = Query({0: lambda age: age == 21, 1: lambda sex: sex == "f"})
AGED_52 = Query({0: lambda age: age == 52})
NO_DISEASE = Query(sensitive={0: lambda disease: disease is None})


def test_query_error_of_decades() -> None:
    # Of those with flu, one is 38; of the two in their 20s, half are from 24.
    assert [true_count(DECADES, FLU_FROM_24), estimated_count(DECADES, FLU_FROM_24)] == [1, 2]
    # Half of three women in their 20s, where there are two.
    assert true_count(DECADES, WOMEN_OF_21) == 2
    assert estimated_count(DECADES, WOMEN_OF_21) == Fraction(3, 2)
    assert query_error(DECADES, [FLU_FROM_24]) == 1
    assert query_error(DECADES, [WOMEN_OF_21]) == Fraction(1, 4)
    assert query_error(DECADES, [FLU_FROM_24, WOMEN_OF_21]) == Fraction(5, 8)
    # With sexes gone too, a quarter of three.
    assert query_error(replace(DECADES, node=(1, 1)), [WOMEN_OF_21]) == Fraction(5, 8)
    assert query_error(PEOPLE, [FLU_FROM_24, WOMEN_OF_21, AGED_52, NO_DISEASE]) == 0


def test_query_error_where_the_true_count_is_0_is_the_estimate() -> None:
    assert query_error(DECADES, [AGED_52]) == 0
    assert query_error(replace(DECADES, node=(2, 0)), [AGED_52]) == Fraction(6, 5)


def test_query_error_estimates_from_what_is_released() -> None:
    # Without its men, the decades have two halves from 24; without anyone, nothing.
    assert query_error(replace(DECADES, kept=frozenset({0, 1, 2, 5})), [FLU_FROM_24]) == 0
    assert query_error(NOBODY, [FLU_FROM_24, WOMEN_OF_21]) == 1
    # Three rows show no disease, where one has none.
    masked = replace(DECADES, shown=[(None,), (None,), (None,), *DISEASES[3:]])
    assert query_error(masked, [FLU_FROM_24]) == 0
    assert query_error(masked, [NO_DISEASE]) == 2


def test_a_query_does_not_count_what_is_unknown() -> None:
    no_clerk = Query({0: lambda job: None if job is None else job != "clerk"})
    assert [true_count(JOBS, no_clerk), estimated_count(ANY_JOB, no_clerk)] == [1, 0]
    jobless = Query({0: lambda job: job is None})
    assert [true_count(JOBS, jobless), estimated_count(ANY_JOB, jobless)] == [2, Fraction(3, 2)]
    assert query_error(ANY_JOB, [no_clerk, jobless]) == Fraction(5, 8)


def test_there_are_no_figures_of_nothing() -> None:
    with pytest.raises(ValueError, match="without rows"):
        replace(PEOPLE, rows=[], kept=frozenset())
    with pytest.raises(ValueError, match="without queries"):
        query_error(PEOPLE, [])
    without = Hierarchy(({}, {}))
    with pytest.raises(ValueError, match="without leaves"):
        kl_divergence(Released([("smith",)], (without,), (0,), frozenset()))


SHARES: Mapping[str, Metric] = {
    "geometric loss": loss,
    "arithmetic loss": lambda release: loss(release, "arithmetic"),
    "maximal loss": lambda release: loss(release, "max"),
    "precision": precision,
    "non-uniform entropy": non_uniform_entropy,
}
GROWING: Mapping[str, Metric] = {
    **SHARES,
    "height": height,
    "discernibility": discernibility,
    "average class size": average_class_size,
    "KL divergence": kl_divergence,
    "ambiguity": ambiguity,
}


@pytest.mark.parametrize("name", [*SHARES, "height", "KL divergence"])
def test_the_bottom_node_loses_nothing(name: str) -> None:
    assert GROWING[name](PEOPLE) == 0
    everything = replace(PEOPLE, node=(2, 1))
    assert GROWING[name](everything) > 0


@pytest.mark.parametrize("name", SHARES)
def test_without_rows_a_release_loses_everything(name: str) -> None:
    assert SHARES[name](NOBODY) == pytest.approx(1, rel=1e-14)
    assert SHARES[name](replace(JOBS, kept=frozenset())) == pytest.approx(1, rel=1e-14)


def at(table: strategies.Table, node: tuple[int, ...], k: int = 1) -> Released:
    """What a node releases of a table: the rows that have leaves, in classes of k or more."""
    ladders = table.ladders
    rows = [tuple(row[column] for column in ladders) for row in table.rows]
    with_leaves = {
        number
        for number, row in enumerate(rows)
        if all(value in ladder.leaves for value, ladder in zip(row, ladders.values(), strict=True))
    }
    hierarchies = [hierarchy(ladder) for ladder in ladders.values()]
    release = Released(rows, hierarchies, node, frozenset(with_leaves))
    large = [members for members in release.classes().values() if len(members) >= k]
    return replace(release, kept=frozenset(number for members in large for number in members))


@st.composite
def chains(draw: st.DrawFn) -> list[Released]:
    """All rows released at nodes from the bottom to the top, one level of one column a step."""
    table = draw(strategies.tables(max_rows=15, max_quasi=3).filter(lambda table: table.rows))
    node = [0] * len(table.ladders)
    everyone = at(table, tuple(node))
    assume(everyone.kept)
    rows = [everyone.rows[number] for number in sorted(everyone.kept)]
    everyone = replace(everyone, rows=rows, kept=frozenset(range(len(rows))))
    steps = [column for column, h in enumerate(everyone.hierarchies) for _ in range(h.height)]
    chain = [everyone]
    for column in draw(st.permutations(steps)):
        node[column] += 1
        chain.append(replace(everyone, node=tuple(node)))
    return chain


@given(chains())
def test_every_metric_grows_along_a_chain_without_suppression(chain: list[Released]) -> None:
    for name, metric in GROWING.items():
        figures = [metric(release) for release in chain]
        for lower, upper in pairwise(figures):
            assert float(lower) <= float(upper) + 1e-12, name
        assert name not in SHARES or figures[-1] <= 1 + 1e-12
        if name in SHARES or name in ("height", "KL divergence"):
            assert figures[0] == 0, name


@given(chains())
def test_no_query_on_a_value_errs_at_the_bottom(chain: list[Released]) -> None:
    def equal_to(value: Any) -> Callable[[Any], bool]:
        return lambda other: bool(other == value)

    rows = chain[0].rows
    queries = [Query({at: equal_to(value) for at, value in enumerate(row)}) for row in rows]
    assert query_error(chain[0], queries) == 0
    assert [true_count(chain[-1], query) for query in queries] == [rows.count(row) for row in rows]


@given(strategies.tables(max_rows=20, max_quasi=3).filter(lambda table: table.rows), st.data())
def test_the_loss_is_that_of_the_oracle_of_k_anonymity(
    table: strategies.Table, data: st.DataObject
) -> None:
    node = data.draw(st.sampled_from(oracle.lattice(table.ladders)))
    expected = oracle.loss(*oracle.release(table.rows, table.ladders, node, 2), table.ladders, node)
    release = at(table, node, 2)
    product = Fraction(1)
    for part in column_losses(release):
        product *= 1 + part
    assert product == expected.product
    assert loss(release) == pytest.approx(expected.value, rel=1e-12, abs=1e-14)
