"""Anatomy, as planned, released and audited, held against its oracle on drawn tables."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from grouped_tables import WARD, distinct, grouped_policy, release_groups, shown_of, ward
from oracle_anatomy import by_count, dealt, fewest_values, least_group
from sqlgen import audit_table, make_plan
from sqlgen.recodings.anatomy import GroupSize

TEXTS = st.sampled_from(["flu", "it's", 'a "q"', "", " ", "NULL", "ü\n,;", "[a, b]", "%s{}", None])
ZIPS = st.sampled_from(["1", "2", "", "z'", None])
ROWS = st.lists(
    st.tuples(
        st.sampled_from(["a", "b", None]),
        ZIPS,
        st.one_of(st.none(), st.integers(0, 3)),
        st.integers(0, 2),
        TEXTS,
    ),
    min_size=1,
    max_size=24,
)


def rank(value: str | None) -> tuple[object, ...]:
    """How values with equal counts are sorted: NULL first, then by their bytes."""
    return (value is not None, (value or "").encode())


@given(ROWS, st.integers(1, 4), st.integers(2, 5))
def test_a_pair_holds_the_source_and_groups_of_different_values_or_there_is_none(
    rows: list[tuple[Any, ...]], least: int, k: int
) -> None:
    values = [row[-1] for row in rows]
    policy = grouped_policy({"k_anonymity": {"k": k}}, distinct(least))
    connection = ward(rows)
    if len(set(values)) < least or len(rows) < max(least, k):
        plan = make_plan(policy, connection)
        assert not plan.satisfied
        assert not any(value and value in plan.hindrance for value in values if value != " ")
        return
    grouped = release_groups(connection, policy)
    pair = grouped.pair
    assert pair.fits_together()
    assert pair.keeps(shown_of(rows))
    assert pair.numbers_are_dense()
    size = max(k, least_group(values, least))
    assert pair.histograms == dealt(by_count(values, rank), len(rows) // size)
    assert fewest_values(pair.histograms) >= least
    assert min(pair.sizes.values()) >= k
    audit = audit_table(policy, source=connection)
    assert audit.satisfied
    assert [each.value for each in audit.guarantees] == [
        min(pair.sizes.values()),
        fewest_values(pair.histograms),
    ]


@given(ROWS, st.sampled_from(["0", "0.1", "0.25", "0.5"]), st.randoms(use_true_random=False))
def test_the_release_is_that_of_the_rows_whatever_their_order(
    rows: list[tuple[Any, ...]], t: str, draw: Any
) -> None:
    close = {"t_closeness": {"column": "disease", "t": t, "distance": "equal"}}
    policy = grouped_policy(close)
    first = release_groups(ward(rows), policy)
    again = release_groups(ward(draw.sample(rows, len(rows))), policy)
    assert (again.pair.rows, again.pair.values) == (first.pair.rows, first.pair.values)
    assert again.plan.decision == first.plan.decision


@given(ROWS, st.sampled_from(["1.5", "2", "2.5"]))
def test_another_guarantee_is_given_by_every_group_or_not_even_by_one(
    rows: list[tuple[Any, ...]], least: str
) -> None:
    entropy = {"entropy_l_diversity": {"column": "disease", "l": least}}
    policy = grouped_policy(entropy)
    connection = ward(rows)
    plan = make_plan(policy, connection)
    whole = make_plan(
        grouped_policy(
            entropy,
            recoding="full_domain",
            columns={
                name: {**column, "levels": 1} if column["role"] == "quasi" else column
                for name, column in WARD.items()
            },
        ),
        connection,
    )
    assert plan.satisfied == whole.satisfied
    if not plan.satisfied:
        return
    grouped = release_groups(connection, policy)
    assert isinstance(grouped.plan.decision, GroupSize)
    groups = max(1, len(rows) // grouped.plan.decision.size)
    values = by_count([row[-1] for row in rows], rank)
    assert grouped.pair.histograms == dealt(values, groups)
    assert audit_table(policy, source=connection).satisfied


@given(ROWS)
def test_an_analysts_join_counts_every_value_of_a_group_for_each_of_its_rows(
    rows: list[tuple[Any, ...]],
) -> None:
    grouped = release_groups(ward(rows), grouped_policy(distinct(1)))
    joined = grouped.pair.joined()
    assert joined.total() == sum(size**2 for size in grouped.pair.sizes.values())
    columns = Counter(row[:-1] for row in grouped.pair.rows)
    assert {row[:-1] for row in joined} == {*columns}
