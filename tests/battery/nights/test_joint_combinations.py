"""Sensitive values are left in combinations, where releases show several sensitive columns."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from combination_checks import (
    compare,
    policy_of,
)
from sqlgen import audit_history, run_policy
from sqlgen.cli.text.history import joint_text

# By zip or by age alone, each class has three diseases and three rooms; of each pair of classes,
# all three diseases are in both, and of some one combination alone.
CLASSES = """
10 y flu  red  / 10 o cold blue  / 10 o gout green /
20 o flu  red  / 20 y cold green / 20 y gout blue
"""


@pytest.fixture
def connection() -> duckdb.DuckDBPyConnection:
    made = duckdb.connect(config={"threads": 1})
    made.execute("CREATE TABLE p (zip VARCHAR, age VARCHAR, ill VARCHAR, room VARCHAR)")
    made.executemany("INSERT INTO p VALUES (?, ?, ?, ?)", [r.split() for r in CLASSES.split("/")])
    return made


def test_a_disease_that_only_its_combination_with_a_room_tells_is_told(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    by_zip, by_age = policy_of("by_zip", 0, 1), policy_of("by_age", 1, 0)
    assert run_policy(by_zip, connection, lock=tmp_path / "1").satisfied
    assert not run_policy(by_age, connection, lock=tmp_path / "2").satisfied
    warned = by_age.model_copy(update={"joint": "warn"})
    assert run_policy(warned, connection, lock=tmp_path / "3").satisfied
    joint = audit_history(by_age, connection)
    told = [(each.column, each.beside, each.fewest, each.rows_below) for each in joint.values]
    assert told == [("ill", (), 3, 0), ("room", (), 3, 0), ("ill", ("room",), 1, 2)]
    assert not joint.satisfied
    assert "values of ill with room" in joint_text(joint)


@pytest.mark.parametrize("is_told", [False, True])
def test_an_amount_that_links_the_rows_of_two_releases_is_read_where_it_is_sensitive(
    is_told: bool, connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    # Of each zip and age are three people, of one zip and one age all with one disease.
    ills = {("10", "y"): "flu flu flu", ("10", "o"): "cold gout cold"}
    ills |= {("20", "y"): "cold cold cold", ("20", "o"): "flu gout flu"}
    connection.execute("DELETE FROM p")
    for (zip_code, age), told in ills.items():
        for number, ill in enumerate(told.split()):
            row = [zip_code, age, ill, f"{zip_code} {age} {number}"]
            connection.execute("INSERT INTO p VALUES (?, ?, ?, ?)", row)
    role = "sensitive" if is_told else "other"
    one, two = policy_of("one", 0, 1, room=role), policy_of("two", 1, 0, room=role)
    assert run_policy(one, connection, lock=tmp_path / "1").satisfied
    assert run_policy(two, connection, lock=tmp_path / "2").satisfied is not is_told


@pytest.mark.parametrize("change", [{"room": "identifier"}, {"ill": {"level": 1}}])
def test_releases_that_share_one_column_at_its_level_tell_no_combinations(
    change: dict[str, Any], connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    ratio = {"guarantee": {"k_anonymity": {"k": 2}}, "joint": "warn"}
    other = policy_of("by_zip", 0, 1, **ratio, **change)
    assert run_policy(other, connection, lock=tmp_path / "1").satisfied
    policy = policy_of("by_age", 1, 0, joint="warn")
    assert run_policy(policy, connection, lock=tmp_path / "2").satisfied
    assert all(not each.beside for each in audit_history(policy, connection).values)


def test_combinations_that_contradict_each_other_tell_nothing(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    assert run_policy(policy_of("one", 0, 1), connection, lock=tmp_path / "1").satisfied
    connection.execute("UPDATE p SET room = 'new ' || room")
    policy = policy_of("two", 0, 1)
    assert run_policy(policy, connection, lock=tmp_path / "2").satisfied
    (*_, combined) = audit_history(policy, connection).values
    assert (combined.fewest, combined.rows_below, combined.rows_without) == (None, 0, 6)


@given(st.randoms(use_true_random=False))
def test_the_combinations_that_are_left_are_what_every_row_says(choice: Random) -> None:
    compare(choice)
