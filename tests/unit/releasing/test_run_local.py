"""Nights of a table that is recoded locally: the lock's regions, and what drift does to them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import pytest

from local_nights import REGIONS, K, LocalNights, Shown
from nights import DAY, Clock
from nights import Nights as Increments
from regions_by_hand import Box, crowd, expected, labels, merged_by_hand
from sqlgen import (
    EngineError,
    PolicyError,
    RefusedError,
    apply_plan,
    apply_sql,
    audit_history,
    read_history,
)
from tables import (
    patients,
    patients_columns,
    patients_policy,
    planned,
    release_to,
    rows_of,
    state_of,
)


@pytest.fixture
def nights(tmp_path: Path) -> LocalNights:
    return LocalNights(tmp_path)


def test_the_same_night_twice_gives_the_same_local_release(nights: LocalNights) -> None:
    assert (nights.run().how, nights.run().how) == ("first", "locked")
    before = rows_of(nights.connection)
    assert nights.run().satisfied
    assert rows_of(nights.connection) == before
    entries = read_history(nights.policy(), nights.connection)
    assert [entry.recoding for entry in entries] == ["local"] * 3
    assert {entry.regions for entry in entries} == {nights.locked()}


def test_the_regions_of_a_release_are_kept_once_under_the_fingerprint_of_the_lock(
    nights: LocalNights,
) -> None:
    nights.run()
    (kept,) = nights.kept().items()
    assert kept[0] == nights.locked()
    nights.run()
    apply_plan(planned(nights.policy(), nights.connection), nights.connection, replace=True)
    assert nights.kept() == dict([kept])


def test_regions_hold_labels_that_the_release_shows_or_coarser_ones(nights: LocalNights) -> None:
    nights.run()
    described = nights.connection.execute(f"DESCRIBE {REGIONS}").fetchall()
    assert [column[0] for column in described] == [
        *("fingerprint", "number", "parent", "is_shown", "levels", "labels", "spans")
    ]
    shown = nights.classes()
    assert {texts for _, texts in nights.regions(nights.locked())} == {*shown}


def test_new_deleted_and_changed_rows_are_put_into_the_same_regions(nights: LocalNights) -> None:
    nights.run()
    steps = [
        "INSERT INTO patients SELECT 'new ' || name, zip, age, sex, disease, visits "
        "FROM patients WHERE visits < 2",
        "DELETE FROM patients WHERE name LIKE 'person 1%' AND visits = 3",
        "UPDATE patients SET age = age + 1 WHERE visits = 4 AND age % 10 < 9",
    ]
    locked, kept = nights.lock.read_bytes(), nights.kept()
    for step in steps:
        nights.connection.execute(step)
        made = nights.run()
        assert (made.how, made.satisfied) == ("locked", True), made.hindrance
        shown, unfit = expected(nights, nights.locked())
        assert unfit == 0
        assert nights.classes() == shown
        assert min(shown.values()) >= K
    assert (nights.lock.read_bytes(), nights.kept()) == (locked, kept)


def test_a_new_value_goes_to_a_region_that_has_its_coarser_label(tmp_path: Path) -> None:
    nights = LocalNights(tmp_path, columns={**patients_columns(), "zip": ZIP_FROM_PREFIX})
    nights.run()
    nights.connection.execute("INSERT INTO patients VALUES ('new', '47699', 24, 'f', 'flu', 1)")
    before = nights.classes()
    made = nights.run()
    assert (made.how, made.satisfied) == ("locked", True), made.hindrance
    (came,) = (nights.classes() - before).elements()
    assert came[0] == "476**"


ZIP_FROM_PREFIX = {"role": "quasi", "hierarchy": {"prefixes": [3]}, "levels": [1, 2]}


def test_rows_that_fit_no_region_and_regions_that_fail_are_drift(nights: LocalNights) -> None:
    nights.run()
    nights.thin()
    nights.rare(3)
    before = state_of(nights.connection)
    shown, unfit = expected(nights, nights.locked())
    failing = [count for count in shown.values() if count < K]
    assert unfit == 3
    assert failing
    made = nights.run()
    assert (made.how, made.satisfied, made.release) == ("failed", False, None)
    regions = "region" if len(shown) == 1 else "regions"
    assert made.hindrance == (
        f"of {len(shown)} {regions} {len(failing)} no longer hold, with {sum(failing)} rows, and "
        "3 rows fit no region; the budget is 0"
    )
    assert nights.events() == ["started", "broken", "failed"]
    assert state_of(nights.connection) == before


def test_the_budget_lets_failing_regions_and_rows_without_one_go(tmp_path: Path) -> None:
    nights = LocalNights(tmp_path, suppression="5%")
    nights.run()
    nights.thin()
    nights.rare(3)
    shown, unfit = expected(nights, nights.locked())
    released = Counter({key: count for key, count in shown.items() if count >= K})
    made = nights.run()
    assert (made.how, made.satisfied) == ("locked", True), made.hindrance
    assert made.release is not None
    assert made.release.suppressed_rows == unfit + shown.total() - released.total() > 0
    assert nights.classes() == released


def test_rows_that_fit_no_region_go_within_the_budget_though_none_was_to_be_suppressed(
    tmp_path: Path,
) -> None:
    nights = LocalNights(tmp_path, recoding={"local": {"suppress": False}}, suppression="5%")
    first = nights.run().release
    assert first is not None
    assert first.suppressed_rows == 0
    nights.rare(3)
    made = nights.run()
    assert made.release is not None
    assert (made.how, made.satisfied, made.release.suppressed_rows) == ("locked", True, 3)


def test_replan_decides_anew_and_locks_the_new_regions(nights: LocalNights) -> None:
    nights.run()
    nights.thin()
    nights.rare()
    locked = nights.locked()
    made = nights.run(run={"on_drift": "replan"})
    assert (made.how, made.satisfied) == ("replanned", True)
    assert nights.locked() != locked
    assert {*nights.kept()} == {locked, nights.locked()}
    assert nights.run().how == "locked"


CLOSE = {"t_closeness": {"column": "disease", "t": 0.35, "distance": "equal"}}
DIVERSE = {"distinct_l_diversity": {"column": "disease", "l": 3}}


@pytest.mark.parametrize(
    ("guarantees", "rare"),
    [
        pytest.param([{"k_anonymity": {"k": K}}], 60, id="k-60"),
        pytest.param([CLOSE], 1, id="t-1"),
        pytest.param([DIVERSE], 60, id="l-60"),
        pytest.param([{"k_anonymity": {"k": K}}], 1, id="k-1", marks=pytest.mark.battery),
        pytest.param([CLOSE], 60, id="t-60", marks=pytest.mark.battery),
        pytest.param([DIVERSE], 1, id="l-1", marks=pytest.mark.battery),
    ],
)
def test_coarsen_merges_regions_until_all_pass_and_says_so(
    guarantees: Any, rare: int, tmp_path: Path
) -> None:
    nights = LocalNights(tmp_path, guarantees=guarantees)
    nights.run()
    nights.connection.execute("DELETE FROM patients WHERE rowid % 5 IN (0, 1) AND age < 30")
    nights.rare(rare)
    locked, fingerprint = nights.lock.read_bytes(), nights.locked()
    made = nights.coarsen()
    assert (made.how, made.satisfied) == ("coarsened", True), made.hindrance
    assert made.release is not None
    assert made.release.suppressed_rows == 0
    assert nights.lock.read_bytes() == locked
    assert nights.entry("coarsened")["merged_regions"] >= 0
    (entry, _) = read_history(nights.policy(), nights.connection)
    assert entry.regions != fingerprint
    # What is kept of them puts the same rows into the same regions.
    assert expected(nights, entry.regions) == (nights.classes(), 0)
    assert nights.coarsen().satisfied
    assert len(nights.kept()) == 2


def test_coarsen_keeps_the_regions_that_pass(nights: LocalNights) -> None:
    nights.run()
    before = nights.classes()
    nights.connection.execute(
        "DELETE FROM patients WHERE name IN (SELECT name FROM patients WHERE zip = '47600' "
        f"AND age < 30 ORDER BY name OFFSET {K - 1})"
    )
    after, _ = expected(nights, nights.locked())
    failing = {key for key, count in after.items() if count < K}
    assert len(failing) == 1
    assert nights.coarsen().satisfied
    assert nights.entry("coarsened")["merged_regions"] >= 1
    lost = {*before} - {*nights.classes()}
    assert failing <= lost
    assert len(lost) <= 2


def test_without_kept_regions_the_steps_of_the_lock_make_them_and_it_is_said(
    nights: LocalNights,
) -> None:
    nights.run()
    before = rows_of(nights.connection)
    nights.connection.execute(f"DROP TABLE {REGIONS}")
    assert nights.run().how == "locked"
    assert "keeps no regions of the lock" in nights.entry("regions")["message"]
    assert rows_of(nights.connection) == before
    assert {*nights.kept()} == {nights.locked()}
    nights.run()
    assert "regions" not in nights.events()


def test_regions_that_steps_made_are_merged_too(nights: LocalNights) -> None:
    nights.run()
    nights.connection.execute(f"DROP TABLE {REGIONS}")
    nights.thin()
    nights.rare(3)
    assert not nights.run().satisfied
    made = nights.coarsen()
    assert (made.how, made.satisfied) == ("coarsened", True), made.hindrance
    assert min(nights.classes().values()) >= K
    (entry, _) = read_history(nights.policy(), nights.connection)
    assert expected(nights, entry.regions) == (nights.classes(), 0)


TAMPERED = {
    "a label": "UPDATE {regions} SET labels = ['47600', '*', 'f'] WHERE number = 1",
    "a level": "UPDATE {regions} SET levels = [1, 1, 1] WHERE number = 1",
    "a list": "UPDATE {regions} SET levels = NULL WHERE number = 1",
    "a text": "UPDATE {regions} SET labels = ['47600'] WHERE number = 1",
    "the order": "UPDATE {regions} SET number = 1000 WHERE number = 1",
    "a parent": "UPDATE {regions} SET parent = 3 WHERE number = 1",
    "what is shown": "UPDATE {regions} SET is_shown = FALSE WHERE number = 1",
    "a region": "DELETE FROM {regions} WHERE number = 1",
    "a copy": "INSERT INTO {regions} FROM {regions} WHERE number = 1",
}


@pytest.mark.parametrize("change", TAMPERED)
def test_regions_that_somebody_changed_are_refused(change: str, nights: LocalNights) -> None:
    nights.run()
    nights.connection.execute(TAMPERED[change].format(regions=REGIONS))
    before = state_of(nights.connection)
    with pytest.raises(RefusedError, match="regions of a release were changed") as caught:
        nights.run()
    assert "47600" not in str(caught.value)
    assert state_of(nights.connection) == before
    nights.connection.execute(f"DELETE FROM {REGIONS}")
    assert nights.run().satisfied


@pytest.mark.parametrize(
    "other",
    [
        "TABLE {regions} AS SELECT 1 AS fingerprint",
        "VIEW {regions} AS SELECT '' AS fingerprint",
        "TABLE {regions} (fingerprint VARCHAR, number BIGINT, parent BIGINT, is_shown BOOLEAN, "
        "levels VARCHAR, labels VARCHAR[], spans VARCHAR[])",
    ],
)
def test_something_else_of_that_name_is_refused(other: str, nights: LocalNights) -> None:
    nights.connection.execute("CREATE " + other.format(regions=REGIONS))
    before = state_of(nights.connection)
    with pytest.raises(RefusedError, match="something else than the regions"):
        nights.run()
    assert state_of(nights.connection) == before


def test_a_release_is_not_called_what_the_regions_are() -> None:
    nights = patients_policy(recoding="local", release={"table": REGIONS})
    with pytest.raises(PolicyError, match="it cannot be the ledger of releases"):
        apply_plan(planned(nights, connection := patients()), connection)
    assert not connection.execute(f"FROM duckdb_tables() WHERE table_name = '{REGIONS}'").fetchall()


def test_without_a_ledger_no_regions_are_kept(nights: LocalNights) -> None:
    policy = nights.policy(ledger="off")
    assert apply_plan(planned(policy, nights.connection), nights.connection).satisfied
    names = {name for _, _, name in state_of(nights.connection).tables}
    assert names == {"patients", "released"}


def test_the_fingerprint_is_the_same_whatever_the_order_and_the_threads() -> None:
    prints = set()
    for threads, order in ((1, "name"), (4, "age DESC, name"), (2, "HASH(name)")):
        connection = duckdb.connect(config={"threads": threads})
        rows = patients(2000)
        frame = rows.execute(f"SELECT * FROM patients ORDER BY {order}").df()
        connection.register("given", frame)
        connection.execute("CREATE TABLE patients AS SELECT * FROM given")
        connection.unregister("given")
        plan = planned(patients_policy(recoding="local"), connection)
        prints.add(plan.decision.regions)
        apply_plan(plan, connection)
        kept = connection.execute(f"SELECT DISTINCT fingerprint FROM {REGIONS}").fetchall()
        assert kept == [(plan.decision.regions,)]
    assert len(prints) == 1


def test_the_printed_script_keeps_the_regions_too(nights: LocalNights) -> None:
    plan = planned(nights.policy(), nights.connection)
    for statement in apply_sql(plan, nights.connection):
        nights.connection.execute(statement.text)
    assert [*nights.kept()] == [plan.decision.regions]
    assert not nights.connection.execute("FROM duckdb_tables() WHERE temporary").fetchall()


def test_nothing_temporary_is_left_of_a_night(nights: LocalNights) -> None:
    nights.run()
    nights.thin()
    nights.rare(2)
    nights.coarsen()
    nights.connection.execute(f"DROP TABLE {REGIONS}")
    nights.coarsen()
    assert not nights.connection.execute("FROM duckdb_tables() WHERE temporary").fetchall()


def relation_of(kind: str, folder: Path) -> str:
    if kind == "partitioned":
        return f"read_parquet('{folder / 'released'}/*/*.parquet')"
    if kind == "csv":
        return f"read_csv('{folder / 'released.csv'}', all_varchar = TRUE)"
    return f"'{folder / 'released.parquet'}'" if kind == "parquet" else "released"


@pytest.mark.parametrize("kind", ["csv", "partitioned"])
def test_every_kind_of_target_is_released_night_by_night(kind: str, tmp_path: Path) -> None:
    nights = LocalNights(tmp_path, release=release_to(kind, tmp_path))
    assert nights.run().satisfied
    nights.connection.execute(
        "INSERT INTO patients SELECT 'new ' || name, zip, age, sex, disease, visits "
        "FROM patients WHERE visits < 2"
    )
    assert nights.run().how == "locked"
    shown, unfit = expected(nights, nights.locked())
    assert unfit == 0
    assert nights.classes(relation_of(kind, tmp_path)) == shown


def test_a_view_of_local_recoding_is_refused(nights: LocalNights) -> None:
    with pytest.raises(PolicyError, match="a view cannot be recoded by local"):
        nights.run(release={"view": "released"})


def test_a_table_that_became_its_own_local_release_is_done(tmp_path: Path) -> None:
    nights = LocalNights(tmp_path, release={"in_place": True})
    assert nights.run().how == "first"
    before = rows_of(nights.connection, "patients")
    assert nights.run().how == "done"
    assert rows_of(nights.connection, "patients") == before


def test_labels_in_place_are_told_without_an_identifier(tmp_path: Path) -> None:
    columns = {name: column for name, column in patients_columns().items() if name != "name"}
    nights = LocalNights(tmp_path, release={"in_place": True}, columns=columns)
    nights.connection.execute("ALTER TABLE patients DROP COLUMN name")
    nights.connection.execute("CREATE TABLE originals AS FROM patients")
    assert nights.run().how == "first"
    assert nights.run().how == "done"
    nights.connection.execute("INSERT INTO patients FROM originals LIMIT 5")
    with pytest.raises(RefusedError, match="may hold its labels still"):
        nights.run()
    nights.connection.execute("CREATE OR REPLACE TABLE patients AS FROM originals")
    assert nights.run().how == "locked"


def test_a_release_that_somebody_changed_is_not_replaced(nights: LocalNights) -> None:
    nights.run()
    nights.connection.execute("ALTER TABLE released DROP COLUMN age")
    with pytest.raises(RefusedError, match="is not what release 1 left there"):
        nights.run()


def test_a_dataframe_is_recoded_locally_and_keeps_no_regions() -> None:
    frame = patients(240).execute("FROM patients").df()
    policy = patients_policy(recoding="local")
    release = apply_plan(planned(policy, frame), frame)  # type: ignore[arg-type]
    assert release.satisfied
    assert len(release.to_pandas()) == release.audit.rows


def test_increments_are_put_into_the_regions_of_the_lock(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    nights = Increments(Clock(monkeypatch), tmp_path)
    policy = nights.policy(recoding="local")
    for day, how in enumerate(("first", "locked", "locked")):
        nights.come(day)
        made = nights.run(policy)
        assert (made.how, made.satisfied) == (how, True), made.hindrance
        assert nights.days(nights.files()[-1]) == {day: 120}
        nights.clock.moment += DAY
    sql = f"SELECT COUNT(DISTINCT fingerprint) FROM {REGIONS}"
    assert nights.connection.execute(sql).fetchall() == [(1,)]


def test_regions_of_a_file_that_got_no_name_are_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nights = LocalNights(tmp_path, release=release_to("parquet", tmp_path))

    def refused(*_: Any) -> None:
        raise EngineError("the file system refused")

    with monkeypatch.context() as patch:
        patch.setattr("sqlgen.releasing.apply.name_target", refused)
        with pytest.raises(EngineError, match="the file system refused"):
            nights.run()
    assert nights.kept() == {}
    assert nights.run().satisfied
    nights.thin()
    kept = nights.kept()
    with monkeypatch.context() as patch:
        patch.setattr("sqlgen.releasing.apply.name_target", refused)
        with pytest.raises(EngineError, match="the file system refused"):
            nights.coarsen()
    assert nights.kept() == kept


def changes(nights: LocalNights, before: str, after: str) -> tuple[int, int, int]:
    """The rows that came and went in each class, and those of fewer than K of them, by hand."""
    columns = "SELECT zip, age, sex, disease FROM"
    rows = [
        Counter(nights.connection.execute(f"{columns} {name}").fetchall())
        for name in (before, after)
    ]
    came, went = rows[1] - rows[0], rows[0] - rows[1]
    exposed = 0
    for side in (came, went):
        sizes = Counter[Shown]()
        for row, count in side.items():
            sizes[row[:3]] += count
        exposed += sum(count for count in sizes.values() if count < K)
    return came.total(), went.total(), exposed


@pytest.mark.parametrize(
    "kind",
    ["table", *(pytest.param(kind, marks=pytest.mark.battery) for kind in ("parquet", "csv"))],
)
def test_releases_of_the_same_regions_are_read_together_through_them(
    kind: str, tmp_path: Path
) -> None:
    nights = LocalNights(tmp_path)
    targets = {
        name: {kind: name if kind == "table" else str(tmp_path / f"{name}.{kind}")}
        for name in ("one", "two", "three")
    }
    nights.run(release=targets["one"])
    assert nights.run(release=targets["two"]).satisfied
    assert nights.entry("joint") == {
        "satisfied": True,
        **{"releases": 2, "rows_below": 0, "exposed_rows": 0, "unjudged": 0, "left_out": 0},
    }
    nights.connection.execute(
        "INSERT INTO patients SELECT 'new ' || name, zip, age, sex, disease, visits "
        "FROM patients WHERE visits < 2"
    )
    nights.connection.execute("DELETE FROM patients WHERE name IN ('person 0', 'new person 1')")
    before = state_of(nights.connection)
    stopped = nights.run(release=targets["three"])
    assert not stopped.satisfied
    assert "the difference between release 1" in stopped.hindrance
    assert state_of(nights.connection) == before
    assert nights.run(release=targets["three"], joint="warn").satisfied
    joint = audit_history(nights.policy(release=targets["three"]), nights.connection)
    assert (joint.unjudged, len(joint.releases)) == ((), 3)
    ends = {"table": "{}", "parquet": "'{}.parquet'", "csv": "'{}.csv'"}[kind]
    folder = "" if kind == "table" else f"{tmp_path}/"
    one, _, three = (ends.format(f"{folder}{name}") for name in targets)
    (found,) = [
        each
        for each in joint.differences
        if "one" in each.earlier.rsplit("/", 1)[-1] and "three" in each.later.rsplit("/", 1)[-1]
    ]
    assert (found.rows_came, found.rows_went, found.exposed_rows) == changes(nights, one, three)
    assert found.exposed_rows
    (size,) = joint.sizes
    assert size.fewest == min(*nights.classes(one).values(), *nights.classes(three).values())
    assert not nights.connection.execute("FROM duckdb_tables() WHERE temporary").fetchall()


def test_values_left_by_releases_of_the_same_regions_are_counted(tmp_path: Path) -> None:
    guarantees = [{"distinct_l_diversity": {"column": "disease", "l": 2}}]
    nights = LocalNights(tmp_path, guarantees=guarantees, joint="warn")
    nights.run(release={"table": "one"})
    # Everybody has another disease today: no value is left that both releases hold.
    nights.connection.execute("UPDATE patients SET disease = COALESCE(disease, 'none') || ' anew'")
    assert nights.run(release={"table": "two"}).satisfied
    joint = audit_history(nights.policy(release={"table": "two"}), nights.connection)
    (value,) = joint.values
    assert (value.fewest, value.rows_below) == (0, 240)


def test_releases_of_other_regions_cannot_be_judged_together(nights: LocalNights) -> None:
    nights.run(release={"table": "one"})
    nights.thin()
    nights.rare(3)
    stopped = nights.coarsen(release={"table": "two"})
    assert not stopped.satisfied
    assert "cannot be judged together with release 1 (table one)" in stopped.hindrance
    assert "in other regions" in stopped.hindrance
    assert nights.coarsen(release={"table": "two"}, joint="warn").satisfied
    assert nights.entry("joint")["unjudged"] == 1
    joint = audit_history(nights.policy(release={"table": "two"}), nights.connection)
    assert [words for words, _ in joint.unjudged] == ["release 1, table one"]
    assert not joint.satisfied


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("DROP TABLE {regions}", "the database keeps no regions of it"),
        ("UPDATE {regions} SET labels = ['a', 'b', 'c'] WHERE number = 1", "regions were changed"),
        ("UPDATE one SET zip = 'elsewhere' WHERE zip = '47600'", "labels of none of its regions"),
    ],
)
def test_a_release_whose_regions_cannot_be_read_is_not_judged(
    change: str, reason: str, nights: LocalNights
) -> None:
    nights.run(release={"table": "one"})
    nights.run(release={"table": "two"})
    nights.connection.execute(change.format(regions=REGIONS))
    joint = audit_history(nights.policy(release={"table": "two"}), nights.connection)
    assert reason in joint.unjudged[0][1]
    assert not joint.satisfied


def test_a_local_release_is_not_read_with_one_of_other_levels(nights: LocalNights) -> None:
    nights.run(recoding="full_domain")
    nights.lock.unlink()
    stopped = nights.run(release={"table": "other"})
    assert "cannot be judged together with release 1 (table released)" in stopped.hindrance
    assert nights.run(release={"table": "other"}, joint="warn").satisfied
    nights.lock.unlink()
    # It says no more than release 1 does, and may be published for that.
    assert nights.run(recoding="full_domain", release={"table": "third"}).satisfied
    assert nights.entry("joint")["unjudged"] == 1
    assert nights.entry("joint")["repeats"] == "release 1, table released"


def test_a_hierarchy_that_changed_since_makes_regions_unreadable(nights: LocalNights) -> None:
    nights.run(release={"table": "one"})
    nights.run()
    columns = patients_columns()
    columns["age"]["hierarchy"] = {"intervals": [15, 30]}
    joint = audit_history(nights.policy(columns=columns), nights.connection)
    assert "labels that the hierarchies do not give" in joint.unjudged[0][1]


def test_a_list_that_changed_since_makes_regions_unreadable(tmp_path: Path) -> None:
    lines = [[f"4760{digit}", "even" if digit % 2 == 0 else "odd"] for digit in range(4)]
    columns = patients_columns()
    columns["zip"] |= {"hierarchy": {"tree": tree_of(lines)}, "nulls": "suppress"}
    nights = LocalNights(tmp_path, columns=columns, suppression="10%")
    nights.run(release={"table": "one"})
    nights.run()
    assert not audit_history(nights.policy(), nights.connection).unjudged
    lines[0][1], lines[1][1] = lines[1][1], lines[0][1]
    columns["zip"] |= {"hierarchy": {"tree": tree_of(lines)}}
    joint = audit_history(nights.policy(columns=columns), nights.connection)
    assert "the hierarchy of zip is another one" in joint.unjudged[0][1]


def tree_of(lines: Sequence[Sequence[str]]) -> dict[str, list[str]]:
    """A tree of two levels, from lines of a value and its label."""
    return {label: [value for value, of in lines if of == label] for label in ("even", "odd")}


@pytest.fixture
def few_layers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Layers of much at once, so that refinement makes most regions, and regions have parents."""
    for share in ("_SHARE", "_SHARE_OF_MANY"):
        monkeypatch.setattr(f"sqlgen.recodings.local_search.{share}", Fraction(1))


@pytest.mark.usefixtures("few_layers")
@pytest.mark.parametrize(("seed", "rare"), [(0, 2), (1, 0)])
def test_merging_is_what_it_is_by_hand(seed: int, rare: int, tmp_path: Path) -> None:
    nights = LocalNights(tmp_path)
    crowd(nights, seed, 400)
    nights.run()
    draw = random.Random(-seed)
    names = [f"person {number}" for number in range(400) if draw.random() < 0.2]
    nights.connection.execute("DELETE FROM patients WHERE name IN (SELECT UNNEST(?))", [names])
    nights.rare(rare)
    stored = nights.connection.execute(
        f"SELECT number, parent, levels, labels, is_shown FROM {REGIONS}"
    ).fetchall()
    boxes = {
        number: Box(parent, levels, tuple(texts), is_shown)
        for number, parent, levels, texts, is_shown in stored
    }
    people = nights.connection.execute("SELECT zip, age, sex FROM patients").fetchall()
    made = nights.coarsen()
    assert (made.how, made.satisfied) == ("coarsened", True), made.hindrance
    assert nights.classes() == merged_by_hand(boxes, [labels(row) for row in people])
    (entry, _) = read_history(nights.policy(), nights.connection)
    assert expected(nights, entry.regions) == (nights.classes(), 0)


@pytest.mark.usefixtures("few_layers")
def test_regions_of_an_uneven_table_overlap_and_have_parents(tmp_path: Path) -> None:
    nights = LocalNights(tmp_path)
    crowd(nights, 0)
    nights.run()
    regions = nights.regions(nights.locked())
    people = nights.connection.execute("SELECT zip, age, sex FROM patients").fetchall()
    fitting = [
        sum(
            all(
                row[place][level] == text
                for place, (level, text) in enumerate(zip(*region, strict=True))
            )
            for region in regions
        )
        for row in map(labels, people)
    ]
    assert max(fitting) > 1
    below = nights.connection.execute(
        f"SELECT parent.levels, child.levels, parent.number > child.number FROM {REGIONS} AS child "
        f"JOIN {REGIONS} AS parent ON child.parent = parent.number"
    ).fetchall()
    assert below
    for parent, child, is_later in below:
        assert is_later
        assert sum(parent) == sum(child) + 1
        assert all(least <= most for least, most in zip(child, parent, strict=True))
    assert expected(nights, nights.locked()) == (nights.classes(), 0)


@pytest.mark.parametrize(("seed", "is_kept"), [(2, False), (10, True), (11, True)])
def test_labels_of_a_class_that_is_suppressed_at_the_last_are_not_kept(
    seed: int, is_kept: bool, tmp_path: Path
) -> None:
    # Rows that go move the distribution that classes are compared with, and others go with them.
    guarantees = [{"t_closeness": {"column": "disease", "t": 0.2, "distance": "equal"}}]
    columns = patients_columns()
    columns["zip"] |= {"levels": [0, 1]}
    nights = LocalNights(tmp_path, columns=columns, guarantees=guarantees, suppression="25%")
    crowd(nights, seed, 60)
    made = nights.run()
    assert made.release is not None
    assert made.release.suppressed_rows
    assert {*nights.kept()} == ({nights.locked()} if is_kept else set())
    assert {texts for _, texts in nights.regions(nights.locked())} <= {*nights.classes()}
    assert nights.run().how == "locked"
    assert ("regions" in nights.events()) == (not is_kept)


def test_regions_are_kept_of_what_is_left_where_a_budget_lets_some_go(tmp_path: Path) -> None:
    columns = patients_columns()
    columns["zip"] |= {"levels": 1, "nulls": "suppress"}
    columns["age"] |= {"levels": [0, 2]}
    nights = LocalNights(tmp_path, columns=columns, suppression="20%")
    crowd(nights, 1, 300)
    nights.run()
    nights.connection.execute("DELETE FROM patients WHERE rowid % 4 = 0")
    nights.rare(2)
    broken = nights.run()
    dropped = nights.connection.execute("SELECT COUNT(*) FROM patients WHERE zip IS NULL")
    (count,) = dropped.fetchall()[0]
    assert f"nulls: suppress and uncovered: suppress drop {count} rows, and" in broken.hindrance
    made = nights.coarsen()
    assert made.satisfied, made.hindrance
    assert made.release is not None
    assert made.release.suppressed_rows > count
    (entry, _) = read_history(nights.policy(), nights.connection)
    # No region is at the top: the coarsest levels that columns may have are below it.
    kept = nights.regions(entry.regions)
    assert {texts for _, texts in kept} == {*nights.classes()}
    assert all(levels[1] <= 2 for levels, _ in kept)
