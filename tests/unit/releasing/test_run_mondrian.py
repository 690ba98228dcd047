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
ALL_LABELS = (*LABELS, "mean", "median")


def also(*labels: str) -> list[Any]:
    """The labels, of which the first is tried at once: of regions the others show the same."""
    return [
        pytest.param(each, marks=pytest.mark.battery if n else []) for n, each in enumerate(labels)
    ]


# One more like somebody who is there.
TWIN = "INSERT INTO patients SELECT * REPLACE ('twin' AS name) FROM patients LIMIT 1"
# Neither the order of values nor of labels is that of the other.
ODD = {"hierarchy": {"tree": {"odd": ["1", "3", "5"], "even": ["2", "4", "6"]}}}


def cut_nights(folder: Path, labels: str, **changes: Any) -> LocalNights:
    """The patients, cut, with their labels."""
    return LocalNights(folder, recoding={"mondrian": {"labels": labels}}, **changes)


@pytest.mark.parametrize("labels", ALL_LABELS)
def test_the_same_night_twice_gives_the_same_release(labels: str, tmp_path: Path) -> None:
    nights = cut_nights(tmp_path, labels)
    assert nights.run().how == "first"
    shown = nights.connection.execute("FROM released").fetchall()
    made = nights.run()
    assert (made.how, made.satisfied) == ("locked", True), made.hindrance
    assert nights.connection.execute("FROM released").fetchall() == shown
    assert {*nights.kept()} == {nights.locked()}


@pytest.mark.parametrize("labels", also("range", "ladder", "set", "mean"))
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


@pytest.mark.parametrize(
    ("labels", "fits"),
    [("ladder", True), ("range", True), ("set", False), ("mean", True), ("median", True)],
)
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


@pytest.mark.parametrize("labels", also("set", "ladder", "range"))
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


@pytest.mark.parametrize("labels", also("range", "ladder", "set", "mean", "median"))
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


@pytest.mark.parametrize("labels", also("ladder", "range", "set", "mean"))
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


@pytest.mark.parametrize("labels", also("ladder", "range", "set", "mean", "median"))
def test_a_lost_table_of_regions_is_made_anew_by_the_steps(labels: str, tmp_path: Path) -> None:
    nights = cut_nights(tmp_path, labels)
    nights.run()
    shown = nights.classes()
    nights.connection.execute(f"DROP TABLE {REGIONS}")
    made = nights.run()
    assert (made.how, made.satisfied) == ("locked", True), made.hindrance
    assert nights.classes() == shown
    assert {*nights.kept()} == {nights.locked()}


@pytest.mark.parametrize("labels", also("set", "ladder", "range", "mean", "median"))
def test_nothing_temporary_is_left_of_a_night(labels: str, tmp_path: Path) -> None:
    nights = cut_nights(tmp_path, labels)
    query = "SELECT table_name FROM duckdb_tables() WHERE temporary"
    for _ in range(2):
        assert nights.run().satisfied
        assert Counter(nights.connection.execute(query).fetchall()) == Counter()


@pytest.mark.parametrize("labels", ["ladder", "range", "mean", "median"])
def test_a_region_takes_rows_where_nobody_has_the_first_and_last_of_its_values(
    labels: str, tmp_path: Path
) -> None:
    nights = cut_nights(tmp_path, labels)
    nights.run()
    before = nights.classes()
    # Everybody with the least or the greatest age of a region is a year nearer to the others.
    sql = "UPDATE patients SET age = age + 1 WHERE age = (SELECT MIN(age) FROM patients)"
    nights.connection.execute(sql)
    nights.connection.execute(sql.replace("MIN", "MAX").replace("age + 1", "age - 1"))
    made = nights.run()
    assert (made.how, made.satisfied) == ("locked", True), made.hindrance
    assert nights.classes() == before


@pytest.mark.parametrize("labels", ["mean", "median"])
def test_kept_regions_show_the_mean_of_the_night_that_made_them(
    labels: str, tmp_path: Path
) -> None:
    nights = cut_nights(tmp_path, labels)
    nights.run()
    before = nights.classes()
    # A row more in each of some regions would give its value away, were the mean a new one.
    nights.connection.execute("INSERT INTO patients SELECT * FROM patients WHERE rowid % 9 = 0")
    made = nights.run(joint="warn")
    assert (made.how, made.satisfied) == ("locked", True), made.hindrance
    assert {*nights.classes()} == {*before}
    assert sum(nights.classes().values()) > sum(before.values())


def cities(folder: Path, labels: str, names: int) -> LocalNights:
    """The patients in as many cities, whose hierarchy is a rule and knows no city by itself."""
    columns = patients_columns()
    columns["sex"] = {"role": "quasi", "hierarchy": {"prefixes": [1]}}
    nights = cut_nights(folder, labels, columns=columns, rows=2 * names)
    nights.connection.execute(
        "UPDATE patients SET sex = CHR(CAST(97 + rowid % 3 AS INTEGER)) || "
        f"FORMAT('{{:03}}', rowid % {names}), zip = '47600', age = 20"
    )
    return nights


@pytest.mark.parametrize(("labels", "names"), [("ladder", 40), ("set", 40), ("set", 130)])
def test_text_that_nobody_has_any_more_leaves_its_region_to_the_others(
    labels: str, names: int, tmp_path: Path
) -> None:
    nights = cities(tmp_path, labels, names)
    if names > 100:
        nights.changes["guarantees"] = [{"k_anonymity": {"k": 2 * names}}]
    nights.run()
    regions = {*nights.classes()}
    if names > 100:
        assert all(sex is not None and sex.startswith("[") for _, _, sex in regions)
    nights.connection.execute(
        "UPDATE patients SET sex = (SELECT MIN(sex) FROM patients WHERE sex <> (SELECT MIN(sex) "
        "FROM patients)) WHERE sex = (SELECT MIN(sex) FROM patients)"
    )
    made = nights.run()
    assert (made.how, made.satisfied) == ("locked", True), made.hindrance
    assert {*nights.classes()} == regions
