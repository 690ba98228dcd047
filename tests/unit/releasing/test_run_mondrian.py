"""Nights of a table that is cut: locked regions, values within a range, drift, read together."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from local_nights import REGIONS, K, LocalNights
from sqlgen import audit_history, read_history
from tables import patients_columns

LABELS = ("ladder", "range", "set")
# One more like somebody who is there.
TWIN = "INSERT INTO patients SELECT * REPLACE ('twin' AS name) FROM patients LIMIT 1"
# Neither the order of values nor of labels is that of the other.
ODD = {"hierarchy": {"tree": {"odd": ["1", "3", "5"], "even": ["2", "4", "6"]}}}


def cut_nights(folder: Path, labels: str, **changes: Any) -> LocalNights:
    """The patients, cut, with their labels."""
    return LocalNights(folder, recoding={"mondrian": {"labels": labels}}, **changes)


@pytest.mark.parametrize("labels", LABELS)
def test_the_same_night_twice_gives_the_same_release(labels: str, tmp_path: Path) -> None:
    nights = cut_nights(tmp_path, labels)
    assert nights.run().how == "first"
    shown = nights.connection.execute("FROM released").fetchall()
    made = nights.run()
    assert (made.how, made.satisfied) == ("locked", True), made.hindrance
    assert nights.connection.execute("FROM released").fetchall() == shown
    assert {*nights.kept()} == {nights.locked()}


@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("levels", [{"zip": [1, 2]}, {"age": [1, 3]}, {"age": [2, 2], "zip": 2}])
def test_columns_with_a_finest_level_are_put_into_the_same_regions(
    labels: str, levels: dict[str, Any], tmp_path: Path
) -> None:
    columns = patients_columns()
    for name, held in levels.items():
        columns[name]["levels"] = held
    nights = cut_nights(tmp_path, labels, columns=columns)
    nights.run()
    shown = nights.connection.execute("FROM released").fetchall()
    made = nights.run()
    assert (made.how, made.satisfied) == ("locked", True), made.hindrance
    assert nights.connection.execute("FROM released").fetchall() == shown
    nights.connection.execute("DELETE FROM patients WHERE rowid % 60 = 0")
    assert nights.run(release={"table": "later"}, joint="warn").how == "locked"
    assert not audit_history(nights.policy(), nights.connection).unjudged


@pytest.mark.parametrize(("labels", "fits"), [("ladder", True), ("range", True), ("set", False)])
def test_a_value_that_nobody_had_fits_a_range_and_no_set(
    labels: str, fits: bool, tmp_path: Path
) -> None:
    nights = cut_nights(tmp_path, labels)
    nights.connection.execute("DELETE FROM patients WHERE age = 41")
    nights.run()
    nights.connection.execute(
        "UPDATE patients SET age = 41 WHERE name = (SELECT MIN(name) FROM patients WHERE age = 40)"
    )
    made = nights.run()
    assert made.satisfied == fits, made.hindrance
    if not fits:
        assert "1 row fit no region" in made.hindrance or "rows fit no region" in made.hindrance


@pytest.mark.parametrize("labels", LABELS)
def test_regions_that_fail_are_merged_into_those_they_were_cut_from(
    labels: str, tmp_path: Path
) -> None:
    nights = cut_nights(tmp_path, labels)
    nights.run()
    before = nights.classes()
    nights.connection.execute("DELETE FROM patients WHERE rowid % 4 > 0 AND sex = 'f'")
    assert nights.run().how == "failed"
    made = nights.coarsen()
    assert (made.how, made.satisfied) == ("coarsened", True), made.hindrance
    assert min(nights.classes().values()) >= K
    assert len(nights.classes()) < len(before)
    (entry, _) = read_history(nights.policy(), nights.connection)
    assert entry.regions in nights.kept()


@pytest.mark.parametrize("labels", LABELS)
def test_releases_of_the_same_regions_are_read_together(labels: str, tmp_path: Path) -> None:
    nights = cut_nights(tmp_path, labels)
    nights.run(release={"table": "one"})
    nights.connection.execute(TWIN)
    made = nights.run(release={"table": "two"})
    assert "would expose 1 row" in made.hindrance
    assert nights.run(release={"table": "two"}, joint="warn").satisfied
    joint = audit_history(nights.policy(), nights.connection)
    assert not joint.unjudged
    assert not joint.satisfied


@pytest.mark.parametrize("labels", LABELS)
def test_numbers_that_stand_in_the_order_of_their_labels_stay_in_their_regions(
    labels: str, tmp_path: Path
) -> None:
    columns = patients_columns()
    columns["age"] |= ODD
    nights = cut_nights(tmp_path, labels, columns=columns, rows=70)
    nights.connection.execute("UPDATE patients SET age = age % 6 + 1, sex = 'f'")
    nights.run(release={"table": "one"})
    again = nights.run(release={"table": "two"})
    assert (again.how, again.satisfied) == ("locked", True), again.hindrance
    assert nights.classes("one") == nights.classes("two")
    # In the region of 5, 2, 4 and 6, which are no range by value.
    nights.connection.execute(TWIN.replace("LIMIT", "WHERE zip IS NULL AND age IN (2, 4) LIMIT"))
    made = nights.run(release={"table": "two"})
    assert "would expose 1 row " in made.hindrance


@pytest.mark.parametrize("labels", LABELS)
def test_a_lost_table_of_regions_is_made_anew_by_the_steps(labels: str, tmp_path: Path) -> None:
    nights = cut_nights(tmp_path, labels)
    nights.run()
    shown = nights.classes()
    nights.connection.execute(f"DROP TABLE {REGIONS}")
    made = nights.run()
    assert (made.how, made.satisfied) == ("locked", True), made.hindrance
    assert nights.classes() == shown
    assert {*nights.kept()} == {nights.locked()}


@pytest.mark.parametrize("labels", LABELS)
def test_nothing_temporary_is_left_of_a_night(labels: str, tmp_path: Path) -> None:
    nights = cut_nights(tmp_path, labels)
    query = "SELECT table_name FROM duckdb_tables() WHERE temporary"
    for _ in range(2):
        assert nights.run().satisfied
        assert Counter(nights.connection.execute(query).fetchall()) == Counter()
