"""Anatomy: rows as they are with a group, and sensitive values by group, by hand and oracle."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from typing import Any

import duckdb
import pytest

from grouped_tables import (
    DISEASES,
    TYPES,
    WARD,
    distinct,
    fill,
    grouped_policy,
    patients,
    release_groups,
    shown_of,
    ward,
)
from oracle_anatomy import (
    PairOfTables,
    bound_by_construction,
    by_count,
    dealt,
    fewest_values,
    is_eligible,
    ordered_distance,
)
from sqlgen import audit_table, make_plan
from sqlgen.recodings.anatomy import GroupSize


def as_text(value: Any) -> tuple[object, ...]:
    """NULL before all texts, as values are sorted."""
    return (value is not None, value or "")


def size_of(plan: Any) -> int:
    assert isinstance(plan.decision, GroupSize)
    return plan.decision.size


def test_both_tables_hold_what_the_source_holds_and_each_group_has_l_values() -> None:
    rows = patients(42)
    grouped = release_groups(ward(rows), grouped_policy(distinct(3)))
    pair = grouped.pair
    assert pair.fits_together()
    assert pair.keeps(shown_of(rows))
    assert pair.numbers_are_dense()
    assert fewest_values(pair.histograms) == 3
    assert sorted(Counter(pair.sizes.values()).items()) == [(3, 14)]
    assert (size_of(grouped.plan), grouped.plan.classes) == (3, 14)


def test_rows_are_dealt_out_as_the_counts_of_values_say() -> None:
    rows = patients(47)
    pair = release_groups(ward(rows), grouped_policy(distinct(3))).pair
    values = by_count([row[-1] for row in rows], as_text)
    assert pair.histograms == dealt(values, 15)
    assert sorted(Counter(pair.sizes.values()).items()) == [(3, 13), (4, 2)]


def test_an_analysts_join_gives_each_row_with_each_value_of_its_group() -> None:
    connection = ward(patients(12))
    pair = release_groups(connection, grouped_policy(distinct(4))).pair
    joined = connection.execute(
        "SELECT zip, age, visits, disease, SUM(row_count) FROM released "
        "JOIN released_sensitive USING (group_id) GROUP BY ALL"
    ).fetchall()
    expected = pair.joined()
    assert {tuple(row[:-1]): row[-1] for row in joined} == dict(expected)
    assert sum(expected.values()) == 12 * 4


def test_groups_are_larger_where_a_value_has_more_than_one_row_in_l() -> None:
    """Of 15 rows with flu and 5 without, five groups have another value each."""
    rows = patients(20, ("flu", "flu", "flu", "cold"))
    grouped = release_groups(ward(rows), grouped_policy(distinct(2)))
    assert size_of(grouped.plan) == 4
    assert grouped.pair.histograms == Counter({frozenset({("flu", 3), ("cold", 1)}): 5})
    few = [(f"n{i}", "z", i, 0, "flu" if i < 6 else "hiv") for i in range(8)]
    fours = release_groups(ward(few), grouped_policy({"k_anonymity": {"k": 4}}, distinct(2)))
    assert fours.pair.histograms == Counter({frozenset({("flu", 3), ("hiv", 1)}): 2})


def test_there_are_as_many_groups_as_counts_of_values_allow() -> None:
    """Whatever the counts are: one group more could not have l values each (by their counts)."""
    for seed in range(20):
        draw = random.Random(seed)
        rows = [
            (f"n{i}", "z", i, 0, f"d{min(draw.randrange(6), draw.randrange(6), draw.randrange(6))}")
            for i in range(draw.randrange(6, 60))
        ]
        counts = Counter(row[-1] for row in rows)
        least = draw.randrange(1, len(counts) + 1)
        most = max(
            groups
            for groups in range(1, len(rows) + 1)
            if sum(min(count, groups) for count in counts.values()) >= least * groups
        )
        grouped = release_groups(ward(rows), grouped_policy(distinct(least)))
        assert fewest_values(grouped.pair.histograms) >= least
        size = size_of(grouped.plan)
        assert len(rows) // size <= most
        assert size == 1 or len(rows) // (size - 1) > most


def test_too_few_different_values_are_told_with_the_figures() -> None:
    plan = make_plan(grouped_policy(distinct(3)), ward(patients(20, ("flu", "cold"))))
    assert not plan.satisfied
    assert plan.hindrance == (
        "disease has 2 values, and distinct_l_diversity (column disease, l 3) takes 3 in every "
        "group. The most that this table allows is l 2"
    )


@pytest.mark.parametrize("most", [9, 10])
def test_a_value_of_just_one_in_l_rows_is_in_every_group(most: int) -> None:
    rows = [(f"n{i}", "z", i, 0, "flu" if i < most else f"d{i}") for i in range(3 * most)]
    pair = release_groups(ward(rows), grouped_policy(distinct(3))).pair
    assert all(values["flu"] == 1 for values in pair.groups.values())
    assert len(pair.groups) == most


def test_groups_have_k_rows_and_still_l_values() -> None:
    """By counts, whatever k is: no value that is rarer than groups are many is twice in a row."""
    for seed in range(4):
        draw = random.Random(seed)
        rows = [
            (f"n{i}", "z", i, 0, f"d{min(draw.randrange(9), draw.randrange(9))}")
            for i in range(draw.randrange(8, 60))
        ]
        values = [row[-1] for row in rows]
        least = max(each for each in range(1, 9) if is_eligible(values, each))
        k = draw.randrange(least, min(len(rows), 2 * least + 3) + 1)
        policy = grouped_policy({"k_anonymity": {"k": k}}, distinct(least))
        grouped = release_groups(ward(rows), policy)
        assert size_of(grouped.plan) == max(k, least)
        assert min(grouped.pair.sizes.values()) >= k
        assert fewest_values(grouped.pair.histograms) >= least


def test_groups_are_made_larger_until_another_guarantee_is_given() -> None:
    rows = patients(48, ("flu", "flu", "flu", "cold", "ulcer", "gastritis"))
    close = {"t_closeness": {"column": "disease", "t": "0.3", "distance": "equal"}}
    grouped = release_groups(ward(rows), grouped_policy(distinct(2), close))
    values = by_count([row[-1] for row in rows], as_text)
    every = Counter(values)

    def is_close(size: int) -> bool:
        piles = [dict(histogram) for histogram in dealt(values, 48 // size)]
        return all(
            sum(
                abs(Fraction(pile.get(v, 0), sum(pile.values())) - Fraction(every[v], 48))
                for v in every
            )
            <= 2 * Fraction(3, 10)
            for pile in piles
        )

    size = size_of(grouped.plan)
    assert size > 2
    assert is_close(size)
    assert not is_close(size - 1)
    assert grouped.pair.histograms == dealt(values, 48 // size)


def test_all_rows_are_one_group_where_nothing_else_passes() -> None:
    rows = patients(11, ("flu", "flu", "cold"))
    close = {"t_closeness": {"column": "disease", "t": "0", "distance": "equal"}}
    grouped = release_groups(ward(rows), grouped_policy(close))
    assert grouped.pair.sizes == {1: 11}


def test_what_all_rows_as_one_group_break_is_told() -> None:
    rows = patients(10, ("flu", "flu", "flu", "flu", "cold"))
    entropy = {"entropy_l_diversity": {"column": "disease", "l": 2}}
    plan = make_plan(grouped_policy(entropy), ward(rows))
    assert plan.hindrance == (
        "entropy_l_diversity (column disease, l 2) stands in the way: all rows as one group give "
        f"{plan.guarantees[0].words}"
    )


def test_too_few_rows_for_a_group_are_told() -> None:
    plan = make_plan(grouped_policy({"k_anonymity": {"k": 9}}, distinct(2)), ward(patients(8)))
    assert plan.hindrance == "there are 8 rows, and a group takes 9 at least"


def test_a_table_without_rows_is_not_released() -> None:
    plan = make_plan(grouped_policy(), ward([]))
    assert plan.hindrance == "the source has no rows"


SALARIES = {**WARD, "disease": {"role": "identifier"}, "salary": {"role": "sensitive"}}
ORDERED = {**SALARIES, "salary": {"role": "sensitive", "order": "numeric"}}


@pytest.mark.parametrize("size", [2, 3, 4, 6, 8])
def test_groups_of_ordered_values_are_as_close_as_a_row_of_each_bucket_is(size: int) -> None:
    rows = [(*row, 1000 + 7 * i * i) for i, row in enumerate(patients(48))]
    connection = ward(rows, [*WARD, "salary"], [*TYPES, "INTEGER"])
    bound = bound_by_construction(48, size)
    t = str(-(-bound.numerator * 10**6 // bound.denominator) / 10**6)
    close = {"t_closeness": {"column": "salary", "t": t, "distance": "ordered"}}
    policy = grouped_policy(distinct(size, "salary"), close, columns=ORDERED)
    grouped = release_groups(connection, policy)
    salaries = [row[-1] for row in rows]
    farthest = max(ordered_distance(pile, salaries) for pile in grouped.pair.groups.values())
    assert size_of(grouped.plan) == size
    assert farthest == bound
    assert grouped.plan.guarantees[1].value == pytest.approx(float(bound))


def test_neither_the_order_of_rows_nor_threads_change_a_row() -> None:
    rows = patients(60)
    first = release_groups(ward(rows), grouped_policy(distinct(3))).pair
    for seed in range(3):
        shuffled = random.Random(seed).sample(rows, len(rows))
        connection = ward(shuffled)
        connection.execute(f"SET threads = {seed + 1}")
        other = release_groups(connection, grouped_policy(distinct(3))).pair
        assert (other.rows, other.values) == (first.rows, first.values)


def test_who_is_in_which_group_is_decided_by_what_no_reader_sees() -> None:
    """A row of the source that differs in an identifier alone makes other groups of all rows.

    An order that the released columns decide could be worked out by whoever reads them: the rows
    of one value would rise from group to group.
    """
    rows = patients(60)
    first = release_groups(ward(rows), grouped_policy(distinct(3))).pair
    renamed = [("someone else", *rows[0][1:]), *rows[1:]]
    other = release_groups(ward(renamed), grouped_policy(distinct(3))).pair
    assert [row[:-1] for row in other.rows] == [row[:-1] for row in first.rows]
    assert other.histograms == first.histograms
    same = sum(one == two for one, two in zip(first.rows, other.rows, strict=True))
    assert same < 20


def test_a_groups_number_does_not_tell_where_its_rows_stand_among_the_values() -> None:
    """Of two values with as many rows as groups, the first group by number has any of them."""
    rows = [(f"n{i}", "z", i, 0, "flu" if i < 30 else "cold") for i in range(60)]
    orders = []
    for name in ("a", "b"):
        connection = ward([(name, *rows[0][1:]), *rows[1:]])
        pair = release_groups(connection, grouped_policy(distinct(2))).pair
        orders.append({row[1]: row[-1] for row in pair.rows})
    assert orders[0] != orders[1]
    ranks = [orders[0][age] for age in range(30)]
    assert ranks != sorted(ranks)


def test_rows_that_are_all_equal_are_in_groups_of_as_many() -> None:
    rows = [("n", "z", 1, 0, DISEASES[i % 2]) for i in range(10)]
    pair = release_groups(ward(rows), grouped_policy()).pair
    assert pair.fits_together()
    assert pair.keeps(shown_of(rows))
    assert sorted(pair.sizes.values()) == [2] * 5


def test_a_null_is_a_sensitive_value_of_its_own() -> None:
    rows = patients(12, ("flu", None, "cold"))
    pair = release_groups(ward(rows), grouped_policy(distinct(3))).pair
    assert pair.keeps(shown_of(rows))
    assert all(values[None] == 1 for values in pair.groups.values())


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("DOUBLE", (0.0, -0.0, 1.5, float("inf"))),
        ("DATE", ("2024-02-29", "1999-12-31", None)),
        ("DECIMAL(9,2)", ("1.50", "-3.25", "0.00")),
        ("BOOLEAN", (True, False, None)),
        ("TIMESTAMP", ("2024-02-29 10:00:00", "1999-12-31 00:00:00", None)),
        ("INTEGER[]", ([1], [1, 2], None)),
        ("VARCHAR", ("it's", 'a "quote"', "", " ", "NULL", "ü\n,")),
    ],
)
def test_sensitive_values_of_any_type_keep_it(kind: str, values: tuple[Any, ...]) -> None:
    rows = [(f"n{i}", "z", i, 0, values[i % len(values)]) for i in range(6 * len(values))]
    connection = ward(rows, tuple(WARD), (*TYPES[:-1], kind))
    pair = release_groups(connection, grouped_policy()).pair
    # -0.0 and 0.0 are one value, and DuckDB 1.5 groups rows under either.
    text = "REGEXP_REPLACE(CAST(disease AS VARCHAR), '^-0.0$', '0.0')"
    in_groups = f"SELECT group_id, {text}, row_count FROM released_sensitive"
    as_texts = PairOfTables(pair.rows, connection.execute(in_groups).fetchall())
    source = f"SELECT zip, age, visits, {text} FROM t"
    assert as_texts.keeps(connection.execute(source).fetchall())
    types = [
        connection.execute(f"SELECT ANY_VALUE(TYPEOF(disease)) FROM {table}").fetchone()
        for table in ("t", "released_sensitive")
    ]
    assert types[0] == types[1]


def test_rows_that_the_policy_leaves_out_are_in_no_group() -> None:
    rows = [*patients(12), ("nobody", "z", None, 0, "flu")]
    columns = {**WARD, "age": {**WARD["age"], "nulls": "suppress"}}
    policy = grouped_policy(columns=columns, suppression=1)
    grouped = release_groups(ward(rows), policy)
    assert grouped.plan.suppressed_rows == grouped.release.suppressed_rows == 1
    assert grouped.pair.keeps(shown_of(rows[:-1]))
    refused = make_plan(grouped_policy(columns=columns), ward(rows))
    assert "the budget is 0" in refused.hindrance


def test_a_column_is_as_fine_as_its_policy_allows() -> None:
    columns = {**WARD, "zip": {"role": "quasi", "hierarchy": {"prefixes": [3]}, "levels": [1, 2]}}
    grouped = release_groups(ward(patients(12)), grouped_policy(columns=columns))
    assert {row[0] for row in grouped.pair.rows} == {"476**"}
    assert grouped.plan.levels == {"age": 0, "zip": 1}
    assert grouped.plan.column_loss["age"] == 0 < grouped.plan.column_loss["zip"]


def test_a_sensitive_column_at_a_level_is_dealt_out_by_its_labels() -> None:
    tree = {"tree": {"any": {"lung": ["flu", "cold"], "stomach": ["ulcer", "gastritis"]}}}
    disease = {"role": "sensitive", "hierarchy": tree, "level": 1}
    policy = grouped_policy(distinct(2), columns={**WARD, "disease": disease})
    pair = release_groups(ward(patients(24)), policy).pair
    assert pair.histograms == Counter({frozenset({("lung", 1), ("stomach", 1)}): 12})


def test_what_is_lost_is_the_same_in_plan_and_audit() -> None:
    connection = ward(patients(50))
    grouped = release_groups(connection, grouped_policy(distinct(3)))
    audit = audit_table(grouped.plan.policy, source=connection)
    assert audit.satisfied
    assert (audit.rows, audit.classes) == (50, 16)
    assert audit.metrics == pytest.approx(grouped.plan.to_dict()["metrics"])
    assert grouped.plan.objective == 0
    assert grouped.plan.metrics["discernibility"] == 14 * 9 + 2 * 16


def test_a_second_night_makes_groups_of_the_locked_size() -> None:
    connection = ward(patients(48))
    policy = grouped_policy(distinct(3))
    grouped = release_groups(connection, policy)
    fill(connection, patients(60))
    again = release_groups(connection, policy, replace=True)
    assert size_of(again.plan) == size_of(grouped.plan) == 3
    assert len(again.pair.groups) == 20


def test_no_value_is_twice_in_a_group_by_construction() -> None:
    """Groups of l rows or one more hold different values alone, whatever the counts are."""
    for seed in range(4):
        draw = random.Random(seed)
        rows = [
            (f"n{i}", "z", i, 0, f"d{min(draw.randrange(12), draw.randrange(12))}")
            for i in range(draw.randrange(4, 50))
        ]
        values = [row[-1] for row in rows]
        least = max(each for each in range(1, 13) if is_eligible(values, each))
        pair = release_groups(ward(rows), grouped_policy(distinct(least))).pair
        assert all(set(counts.values()) == {1} for counts in pair.groups.values())
        assert {*pair.sizes.values()} <= {len(rows) // (len(rows) // least) + i for i in (0, 1)}


def test_a_connection_in_memory_has_no_table_of_ours_afterwards() -> None:
    connection = duckdb.connect()
    fill(connection, patients(12))
    release_groups(connection, grouped_policy())
    names = connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()
    assert {name for (name,) in names} == {
        *("t", "released", "released_sensitive", "sqlgen_releases"),
    }
