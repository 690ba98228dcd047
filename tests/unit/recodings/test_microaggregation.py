"""Microaggregation: groups of alike values by hand and by oracle, released, kept and read again."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from alike_checks import CHECKS
from alike_tables import STAFF, alike_policy, group_pair, group_rows, paid, staff
from oracle_micro import least_squares, ordered_bound, partitions, squares, within
from sqlgen import RefusedError, apply_plan, make_plan, run_policy
from sqlgen.planning.lock import lock_text
from sqlgen.recodings import RECODINGS

SUPPRESS: dict[str, Any] = {**STAFF, "zip": {"role": "quasi", "hierarchy": "suppress"}}


@pytest.mark.parametrize("check", CHECKS.values(), ids=CHECKS)
def test_small_tables_are_grouped_as_by_hand(check: Callable[[], None]) -> None:
    check()


@pytest.mark.parametrize("k", [2, 3])
def test_the_best_groups_are_numbers_side_by_side_as_hansen_and_mukherjee_say(k: int) -> None:
    draw = random.Random(k)
    for _ in range(20):
        values = [draw.randint(0, 12) for _ in range(draw.randint(k, 8))]
        best = min(map(within, partitions(values, k)))
        assert least_squares(values, k) == best


@pytest.mark.parametrize("k", [2, 3, 5])
def test_groups_have_the_least_squares_of_all_and_k_to_2k_less_1_rows(k: int) -> None:
    draw = random.Random(k)
    for _ in range(4):
        values = [round(draw.paretovariate(1)) for _ in range(draw.randint(k, 40))]
        alike = group_rows(staff(paid(values)), alike_policy(k, columns=SUPPRESS)).plan.alikeness
        assert alike is not None
        total = squares(values)
        least = float(least_squares(values, k) / total) if total else 0.0
        assert (alike.groups, alike.floor) == pytest.approx((least, least))
        assert k <= alike.least_rows <= alike.most_rows <= 2 * k - 1


@pytest.mark.parametrize(("rows", "k"), [(12, 2), (12, 3), (20, 5), (24, 4)])
def test_a_row_of_each_stretch_keeps_the_bound_of_soria_comas_and_domingo_ferrer(
    rows: int, k: int
) -> None:
    draw = random.Random(rows * k)
    values = draw.sample(range(1000), rows)
    bound = ordered_bound(rows, k)
    close = {"column": "salary", "t": str(math.ceil(bound * 10**6) / 10**6), "distance": "ordered"}
    columns = {**SUPPRESS, "salary": {"role": "sensitive", "order": "numeric"}}
    asked = [{"k_anonymity": {"k": k}}, {"t_closeness": close}]
    policy = alike_policy(k, shown="tables", columns=columns, guarantees=asked)
    pair = group_pair(staff(paid(values)), policy)
    assert {*pair.sizes.values()} == {k}
    ranked = sorted(values)
    for group in pair.groups.values():
        below = [
            abs(Fraction(sum(group[each] for each in ranked[: n + 1]), k) - Fraction(n + 1, rows))
            for n in range(rows)
        ]
        assert sum(below) / (rows - 1) <= bound


def test_large_groups_are_cut_at_every_few_rows() -> None:
    values = [(n * 7919) % 1009 for n in range(300)]
    alike = group_rows(staff(paid(values)), alike_policy(40, columns=SUPPRESS)).plan.alikeness
    assert alike is not None
    assert alike.floor is None
    assert 40 <= alike.least_rows <= alike.most_rows <= 79
    assert alike.groups <= 1.02 * float(least_squares(values, 40) / squares(values))


def test_values_too_far_apart_for_whole_numbers_are_grouped_by_their_share_of_the_range() -> None:
    values: list[Any] = [-(10**18), -(10**18) + 1, 5, 6, 10**18, 10**18 - 7]
    found = group_rows(
        staff(
            list(zip(["a1", "a2", "b1", "b2", "c1", "c2"], values, strict=True)),
            types=("VARCHAR", "BIGINT"),
        ),
        alike_policy(2),
    )
    assert {labels[0] for labels in found.classes} == {"a*", "b*", "c*"}
    floats: list[Any] = [-1.7e308, -1.6e308, 1e-300, 2e-300, 1.6e308, 1.7e308]
    found = group_rows(
        staff(
            list(zip(["a1", "a2", "b1", "b2", "c1", "c2"], floats, strict=True)),
            types=("VARCHAR", "DOUBLE"),
        ),
        alike_policy(2),
    )
    assert {labels[0] for labels in found.classes} == {"a*", "b*", "c*"}


def test_rows_in_another_order_are_released_in_the_same_bytes() -> None:
    draw = random.Random(7)
    columns = {**STAFF, "note": {"role": "other"}}
    rows = [(f"{draw.randint(10, 40)}", draw.randint(0, 30), f"n{n % 7}") for n in range(300)]
    told = []
    for _ in range(2):
        connection = staff(rows, tuple(columns), ("VARCHAR", "INTEGER", "VARCHAR"))
        found = group_rows(connection, alike_policy(3, columns=columns))
        told.append((lock_text(found.plan), found.rows))
        draw.shuffle(rows)
    assert told[0] == told[1]


def test_what_no_merging_helps_is_no_plan() -> None:
    asked = [{"distinct_l_diversity": {"column": "salary", "l": 3}}]
    plan = make_plan(alike_policy(2, guarantees=asked), staff(paid([1, 1, 2, 2])))
    assert not plan.satisfied
    assert "distinct_l_diversity" in plan.hindrance
    assert not make_plan(alike_policy(5), staff(paid([1, 2]))).satisfied
    assert not make_plan(alike_policy(2), staff([])).satisfied


def test_rows_that_the_policy_drops_make_no_group() -> None:
    columns = {**STAFF, "zip": {**STAFF["zip"], "nulls": "suppress"}}
    rows = [("11", 1), ("12", 2), (None, 3), ("21", 8), ("22", 9)]
    policy = alike_policy(2, columns=columns, suppression=1)
    found = group_rows(staff(rows), policy)
    assert found.classes == {("1*",): [1, 2], ("2*",): [8, 9]}
    assert found.plan.suppressed_rows == 1
    assert not make_plan(alike_policy(2, columns=columns), staff(rows)).satisfied


def test_a_lock_has_no_value_and_is_read_back_part_by_part() -> None:
    plan = make_plan(alike_policy(2), staff(paid([987_001, 987_002, 987_654, 987_655])))
    assert "987" not in lock_text(plan)
    content = plan.decision.to_lock()
    recoding = RECODINGS["microaggregation"]
    assert recoding.from_lock(content) == plan.decision
    for key, value in (
        ("of", ["a", "b"]),
        ("of", [3]),
        ("least", 0),
        ("merges", 65),
        ("groups", "2"),
        ("deals", 1),
    ):
        with pytest.raises((ValueError, TypeError)):
            recoding.from_lock({**content, key: value})


def test_each_night_makes_groups_anew_from_the_rows_of_that_night(tmp_path: Path) -> None:
    connection = staff([("11", 1), ("12", 2), ("21", 8), ("22", 9)])
    policy, lock = alike_policy(2), tmp_path / "staff.lock"
    assert run_policy(policy, connection, lock=lock).how == "first"
    connection.execute("INSERT INTO t VALUES ('13', 3), ('23', 7)")
    assert run_policy(policy, connection, lock=lock).how == "locked"
    shown = connection.execute("SELECT zip, COUNT(*) FROM released GROUP BY zip").fetchall()
    assert sorted(shown) == [("1*", 3), ("2*", 3)]
    connection.execute("DELETE FROM t WHERE salary > 1")
    with pytest.raises(RefusedError):
        run_policy(policy, connection, lock=lock)


@pytest.mark.parametrize("kind", ["csv", "parquet", "in_place"])
def test_files_and_the_source_itself_are_released_in_groups(kind: str, tmp_path: Path) -> None:
    rows = [("11", 1), ("12", 2), ("21", 8), ("22", 9)]
    connection = staff(rows)
    target = {kind: True if kind == "in_place" else str(tmp_path / f"released.{kind}")}
    policy = alike_policy(2, release=target)
    release = apply_plan(make_plan(policy, connection), connection)
    assert release.satisfied
    shown = "t" if kind == "in_place" else f"'{target[kind]}'"
    found = connection.execute(f"SELECT CAST(zip AS VARCHAR), salary FROM {shown}").fetchall()
    assert sorted(found) == [("1*", 1), ("1*", 2), ("2*", 8), ("2*", 9)]


def test_an_identifier_does_not_decide_which_row_of_a_cell_is_in_which_group() -> None:
    """Three rows of zip 10 are paid 5, and their cell is in two groups that show different labels.

    Their names run against their jobs in one of the tables, and the release is the same.
    """
    columns = {**STAFF, "name": {"role": "identifier"}, "job": {"role": "other"}}
    cell = [("10", 5, "clerk"), ("10", 5, "guard"), ("10", 5, "smith")]
    released = []
    for names in ("abcde", "edcba"):
        plain = [("11", 4, "cook"), *cell, ("20", 6, "cook")]
        rows = [(name, *row) for name, row in zip(names, plain, strict=True)]
        kinds = ("VARCHAR", "VARCHAR", "INTEGER", "VARCHAR")
        connection = staff(rows, ("name", "zip", "salary", "job"), kinds)
        found = group_rows(connection, alike_policy(2, columns=columns))
        assert {row[0] for row in found.rows} == {"1*", "*"}
        released.append(found.rows)
    assert released[0] == released[1]


def test_columns_of_the_source_may_be_called_as_those_of_the_statement_are() -> None:
    names = ("zip", "salary", "cell_number", "row_turn", "region", "cell")
    columns = {**STAFF, **{name: {"role": "other"} for name in names[2:]}}
    rows = [
        ("11", 4, 1, 2, 3, 4),
        ("10", 5, 5, 6, 7, 8),
        ("10", 5, 9, 8, 7, 6),
        ("20", 6, 5, 4, 3, 2),
    ]
    connection = staff(rows, names, ("VARCHAR", *("INTEGER",) * 5))
    found = group_rows(connection, alike_policy(2, columns=columns))
    assert sorted(row[1:] for row in found.rows) == sorted(row[1:] for row in rows)
