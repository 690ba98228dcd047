"""Checks of regions on nights, and of what keeps them coarse: by hand, and by plain Python."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from cut_checks import FOUR, NUMBERS
from local_nights import REGIONS, K, LocalNights, Shown
from local_tables import local_policy, quasi, table_of
from regions_by_hand import Box, crowd, expected, labels, merged_by_hand
from sqlgen import Explanation, audit_history, explain_plan, read_history
from tables import patients_columns

ROWS = 160
TWICE = (
    "INSERT INTO patients SELECT 'new ' || name, zip, age, sex, disease, visits FROM patients "
    "WHERE visits < 2"
)


@contextmanager
def nights_of(rows: int = ROWS, **changes: Any) -> Iterator[LocalNights]:
    """Nights whose lock is in a folder of their own, with regions of several rounds."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        for share in ("_SHARE", "_SHARE_OF_MANY"):
            patch.setattr(f"sqlgen.recodings.local_search.{share}", Fraction(1))
        yield LocalNights(Path(folder), rows, **changes)


def rows_go_to_the_first_region_that_has_their_labels() -> None:
    with nights_of() as nights:
        crowd(nights, 1, ROWS)
        assert nights.run().satisfied
        first = nights.connection.execute("FROM released").fetchall()
        assert expected(nights, nights.locked()) == (nights.classes(), 0)
        nights.connection.execute(TWICE)
        made = nights.run()
        assert (made.how, made.satisfied) == ("locked", True), made.hindrance
        assert expected(nights, nights.locked()) == (nights.classes(), 0)
        assert len(nights.connection.execute("FROM released").fetchall()) > len(first)


def parents_have_the_labels_of_a_round_before() -> None:
    with nights_of() as nights:
        crowd(nights, 1, ROWS)
        nights.run()
        pairs = nights.connection.execute(
            "SELECT parent.levels, parent.labels, child.levels, child.labels, "
            f"parent.number > child.number FROM {REGIONS} AS child "
            f"JOIN {REGIONS} AS parent ON child.parent = parent.number"
        ).fetchall()
        assert pairs
        for above, above_labels, below, below_labels, is_later in pairs:
            assert is_later
            assert sum(above) == sum(below) + 1
            same = [a == b for a, b in zip(above_labels, below_labels, strict=True)]
            assert [a == b for a, b in zip(above, below, strict=True)] == same


def what_fails_is_counted() -> None:
    with nights_of() as nights:
        crowd(nights, 1, ROWS)
        nights.run()
        nights.connection.execute("DELETE FROM patients WHERE rowid % 5 = 0")
        nights.rare(3)
        shown, unfit = expected(nights, nights.locked())
        failing = [count for count in shown.values() if count < K]
        assert unfit == 3
        made = nights.run()
        regions = "region" if len(shown) == 1 else "regions"
        assert made.hindrance == (
            f"of {len(shown)} {regions} {len(failing)} no longer hold, with {sum(failing)} rows, "
            "and 3 rows fit no region; the budget is 0"
        )


def merging_is_what_it_is_by_hand(seed: int, rare: int) -> None:
    with nights_of() as nights:
        crowd(nights, seed, 3 * ROWS)
        nights.run()
        draw = random.Random(-seed)
        names = [f"person {number}" for number in range(3 * ROWS) if draw.random() < 0.2]
        nights.connection.execute("DELETE FROM patients WHERE name IN (SELECT UNNEST(?))", [names])
        nights.rare(rare)
        sql = f"SELECT number, parent, levels, labels, is_shown FROM {REGIONS}"
        boxes = {
            number: Box(parent, levels, tuple(texts), is_shown)
            for number, parent, levels, texts, is_shown in nights.connection.execute(sql).fetchall()
        }
        sql = "SELECT zip, age, sex FROM patients"
        people = [labels(row) for row in nights.connection.execute(sql).fetchall()]
        made = nights.coarsen()
        assert (made.how, made.satisfied) == ("coarsened", True), made.hindrance
        assert nights.classes() == merged_by_hand(boxes, people)
        (entry, _) = read_history(nights.policy(), nights.connection)
        assert expected(nights, entry.regions) == (nights.classes(), 0)
        again = nights.coarsen()
        assert again.satisfied, again.hindrance


def a_few_rows_have_regions_give_up() -> None:
    for seed in (0, 3):
        merging_is_what_it_is_by_hand(seed, 2)


def regions_are_merged_into_their_parents() -> None:
    for seed in (1, 4):
        merging_is_what_it_is_by_hand(seed, 0)


def cut_regions_hold_night_after_night() -> None:
    """The same rows are shown the same; a value between two ends has its place."""
    for shown, fits in (("ladder", True), ("range", True), ("set", False)):
        with nights_of(recoding={"mondrian": {"labels": shown}}) as nights:
            nights.connection.execute("DELETE FROM patients WHERE age = 41")
            nights.run()
            first = nights.connection.execute("FROM released").fetchall()
            made = nights.run()
            assert (made.how, made.satisfied) == ("locked", True), made.hindrance
            assert nights.connection.execute("FROM released").fetchall() == first
            assert sum(count for _, count in nights.kept().items()) > len(nights.classes())
            nights.connection.execute(
                "UPDATE patients SET age = 41 WHERE name = (SELECT MIN(name) FROM patients "
                "WHERE age = 40)"
            )
            made = nights.run()
            assert made.satisfied == fits, made.hindrance
            assert fits or "fit no region" in made.hindrance


def cut_regions_are_merged_and_read_together() -> None:
    for shown in ("ladder", "range", "set"):
        with nights_of(240, recoding={"mondrian": {"labels": shown}}) as nights:
            nights.run(release={"table": "one"})
            before = nights.classes("one")
            assert nights.run(release={"table": "two"}, joint="warn").satisfied
            joint = audit_history(nights.policy(), nights.connection)
            assert not joint.unjudged
            nights.connection.execute("DELETE FROM patients WHERE rowid % 4 > 0 AND sex = 'f'")
            made = nights.coarsen(release={"table": "two"}, joint="warn")
            assert (made.how, made.satisfied) == ("coarsened", True), made.hindrance
            after = nights.classes("two")
            assert min(after.values()) >= K
            assert after.total() == made.audit.rows if made.audit else True
            assert len(after) < len(before)
            # Regions that pass stay as they were.
            assert {*after} & {*before}


def cut_regions_with_a_finest_level_hold() -> None:
    columns = patients_columns()
    columns["zip"] |= {"levels": [1, 2]}
    columns["age"] |= {"hierarchy": {"intervals": [10, 20]}}
    for shown in ("ladder", "set"):
        with nights_of(recoding={"mondrian": {"labels": shown}}, columns=columns) as nights:
            nights.run()
            first = nights.connection.execute("FROM released").fetchall()
            nights.connection.execute(f"DROP TABLE {REGIONS}")
            assert nights.run().how == "locked"
            assert nights.connection.execute("FROM released").fetchall() == first
            assert {*nights.kept()} == {nights.locked()}


def ends_that_nobody_has_any_more_are_read_by_value() -> None:
    for shown in ("ladder", "range", "mean"):
        with nights_of(recoding={"mondrian": {"labels": shown}}) as nights:
            nights.run()
            before = nights.classes()
            sql = "UPDATE patients SET age = age + 1 WHERE age = (SELECT MIN(age) FROM patients)"
            nights.connection.execute(sql)
            nights.connection.execute(sql.replace("MIN", "MAX").replace("+ 1", "- 1"))
            made = nights.run()
            assert (made.how, made.satisfied) == ("locked", True), made.hindrance
            assert nights.classes() == before


def names_that_nobody_has_any_more_leave_the_others() -> None:
    columns = patients_columns()
    columns["sex"] = {"role": "quasi", "hierarchy": {"prefixes": [1]}}
    for shown in ("ladder", "set"):
        with nights_of(80, recoding={"mondrian": {"labels": shown}}, columns=columns) as nights:
            nights.connection.execute(
                "UPDATE patients SET sex = CHR(CAST(97 + rowid % 3 AS INTEGER)) || '\"' || "
                "FORMAT('{:03}', rowid % 40), zip = '47600', age = 20"
            )
            nights.run()
            regions = {*nights.classes()}
            nights.connection.execute(
                "UPDATE patients SET sex = (SELECT MIN(sex) FROM patients WHERE sex <> (SELECT "
                "MIN(sex) FROM patients)) WHERE sex = (SELECT MIN(sex) FROM patients)"
            )
            made = nights.run()
            assert (made.how, made.satisfied) == ("locked", True), made.hindrance
            assert {*nights.classes()} == regions


def regions_with_means_are_kept_and_read_together() -> None:
    with nights_of(240, recoding={"mondrian": {"labels": "mean"}}) as nights:
        # Regions of equal ranges with other means, told apart by sex.
        nights.run(release={"table": "one"})
        first = nights.classes("one")
        nights.connection.execute(TWICE)
        assert nights.run(release={"table": "two"}, joint="warn").satisfied
        assert {*nights.classes("two")} == {*first}
        assert expected_of_means(nights) == nights.classes("two")
        assert not audit_history(nights.policy(), nights.connection).unjudged
        sql = f"SELECT UNNEST(spans) AS span FROM {REGIONS} WHERE is_shown"
        spans = nights.connection.execute(f"SELECT span FROM ({sql}) WHERE span IS NOT NULL")
        assert all(span.startswith("mean of [") for (span,) in spans.fetchall())


def expected_of_means(nights: LocalNights) -> Counter[Shown]:
    """Every row of the patients by the means of the region whose zips, ages and sex it has."""
    sql = f"SELECT levels, labels, spans FROM {REGIONS} WHERE is_shown ORDER BY number"
    regions = nights.connection.execute(sql).fetchall()
    found: Counter[Shown] = Counter()
    for row in nights.connection.execute("SELECT zip, age, sex FROM patients").fetchall():
        held = [labels for _, labels, spans in regions if all(map(_is_in, row, labels, spans))]
        zip_shown, age_shown, sex_shown = held[0]
        age: Any = None if age_shown is None else int(age_shown)
        found[zip_shown, age, sex_shown] += 1
    return found


def _is_in(value: Any, label: str | None, span: str | None) -> bool:
    """Whether a region has a value in a column: of a range, of a set, or the value itself."""
    named = label if span is None else span.removeprefix("mean of ")
    if named is not None and named.startswith("["):
        low, high = named[1:-1].split(", ")
        return (value is None and low == "NULL") or (
            value is not None and (low == "NULL" or int(low) <= value) and value <= int(high)
        )
    if named is not None and named.startswith("{"):
        return ("NULL" if value is None else str(value)) in named[1:-1].split(", ")
    return (None if value is None else str(value)) == named


def means_of_a_night_are_measured_as_ranges() -> None:
    with nights_of(recoding={"mondrian": {"labels": "mean"}}) as nights:
        made, again = nights.run(), nights.run()
        assert made.plan is not None
        assert again.plan is not None
        assert again.how == "locked"
        assert again.plan.metrics == pytest.approx(made.plan.metrics)
        assert again.plan.level_rows == made.plan.level_rows


def a_torn_order_without_an_end_takes_no_row() -> None:
    """Odd numbers stand before even ones for as long as the least of them is odd."""
    columns = patients_columns()
    sql = "CASE WHEN age % 2 = 0 THEN 'even' ELSE 'odd' END"
    columns["age"] |= {"hierarchy": {"sql": [sql]}}
    asked = [{"k_anonymity": {"k": 50}}]
    with nights_of(recoding="mondrian", columns=columns, guarantees=asked) as nights:
        nights.connection.execute("UPDATE patients SET age = rowid % 6 + 1, sex = 'f', zip = '1'")
        nights.run()
        assert nights.run().satisfied
        assert {age for _, age, _ in nights.classes()} == {"odd", "even"}
        nights.connection.execute("UPDATE patients SET age = 3 WHERE age = 1")
        made = nights.run()
        assert "fit no region" in made.hindrance


def explained(
    rows: list[tuple[Any, ...]], columns: Mapping[str, Any], *types: str, **more: Any
) -> Explanation:
    return explain_plan(local_policy(columns, **more), table_of(rows, columns, types))


def what_keeps_regions_coarse_is_counted() -> None:
    asked = [{"k_anonymity": {"k": 2}}, {"distinct_l_diversity": {"column": "d", "l": 2}}]
    columns = {"a": quasi(FOUR), "d": {"role": "sensitive"}}
    rows = [("1", "x"), ("1", "x"), ("1", "y"), ("2", "x"), ("2", "y"), ("3", "x"), ("4", "y")]
    cases: list[tuple[list[tuple[str, str]], tuple[int, ...], tuple[int, ...]]] = [
        # Of 1, 1, 2, 2, 3 the last alone would be left.
        (rows[:6], (1, 6, 0, 1), (1, 1)),
        # 1 and 2 have two rows each, but one illness.
        ([("1", "x")] * 2 + [("2", "y")] * 2, (1, 4, 1, 0), (0, 1)),
        ([("1", "x"), ("2", "y")], (1, 2, 1, 0), (1, 1)),
    ]
    for given, counts, broken in cases:
        (found,) = explained(given, columns, guarantees=asked).blocked
        assert (found.regions, found.rows, found.none_passes, found.rest_fails) == counts
        assert found.broken == broken


def what_keeps_cut_regions_whole_is_counted() -> None:
    asked = [{"k_anonymity": {"k": 2}}, {"distinct_l_diversity": {"column": "d", "l": 2}}]
    columns = {"n": NUMBERS, "d": {"role": "sensitive"}}
    rows = [(1, "x"), (2, "x"), (3, "y"), (4, "y"), (11, "x"), (12, "y"), (12, "y")]
    (found,) = explained(
        rows,
        columns,
        *("INTEGER", "VARCHAR"),
        guarantees=asked,
        recoding={"mondrian": {"labels": "range"}},
    ).blocked
    assert (found.column, found.regions, found.rows) == ("n", 2, 7)


CHECKS: Mapping[str, Callable[[], None]] = {
    "first": rows_go_to_the_first_region_that_has_their_labels,
    "parents": parents_have_the_labels_of_a_round_before,
    "fails": what_fails_is_counted,
    "given up": a_few_rows_have_regions_give_up,
    "merged": regions_are_merged_into_their_parents,
    "cut": cut_regions_hold_night_after_night,
    "cut merged": cut_regions_are_merged_and_read_together,
    "ends": ends_that_nobody_has_any_more_are_read_by_value,
    "gone": names_that_nobody_has_any_more_leave_the_others,
    "means figures": means_of_a_night_are_measured_as_ranges,
    "torn": a_torn_order_without_an_end_takes_no_row,
    "means kept": regions_with_means_are_kept_and_read_together,
    "finest": cut_regions_with_a_finest_level_hold,
    "coarse": what_keeps_regions_coarse_is_counted,
    "whole": what_keeps_cut_regions_whole_is_counted,
}
