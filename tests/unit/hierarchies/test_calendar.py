"""Which calendar levels nest, said without data, and counted over every day of eight centuries."""

from __future__ import annotations

from itertools import product
from typing import Any

import duckdb
import pytest

from harness import labels_of
from sqlgen import read_policy
from sqlgen.errors import PolicyError
from sqlgen.hierarchies.calendar import Ages, CalendarLevel, lies_in, nesting_fault
from sqlgen.hierarchies.rules import AgeBand, Dates
from sqlgen.sql.types import Column

# A cycle of the calendar is 400 years. The edges are the first and last years that have labels, the
# days beyond them, and what is no day of any year.
DAYS = (
    ("1701-01-01", "2101-01-01"),
    ("0001-01-01", "0021-01-01"),
    ("9980-01-01", "10021-01-01"),
    ("0044-01-01 (BC)", "0043-01-01 (BC)"),
)
NO_DAYS = ("infinity", "-infinity")
UNITS = ("day", "week", "month", "quarter", "year", "decade")
BANDS = (
    *((width, at) for width in (1, 2, 5, 10) for at in ("2025-12-31", "2029-12-31")),
    *((10, at) for at in ("2019-12-31", "2026-03-31", "2024-02-29", "2023-02-28", "2026-01-01")),
    *((10, at) for at in ("2026-04-30", "2026-06-15", "2021-01-01", "2016-01-01")),
    *((width, "2024-02-28") for width in (1, 10)),
    *((width, "2026-01-01") for width in (5, 7, 20)),
)
ENTRIES: tuple[Any, ...] = (*UNITS, *({"age_band": width, "at": at} for width, at in BANDS))


def level_of(entry: Any) -> CalendarLevel:
    """An entry of a policy as what nesting is decided on."""
    (read,) = Dates(dates=(entry,)).dates
    return Ages(read.age_band, read.at) if isinstance(read, AgeBand) else read


def label_of(entry: Any) -> str:
    """The SQL of an entry's label, over ``value``."""
    (level,) = Dates(dates=(entry,)).levels(Column("day", "DATE"))
    return str(level.label)


@pytest.fixture(scope="module")
def split() -> dict[tuple[int, int], bool]:
    """Of each pair of entries: whether days with one label at the first have two at the second.

    A day that an entry gives no label is not covered, whatever its labels at other levels.
    """
    ranges = [
        f"SELECT CAST(day AS DATE) AS value FROM RANGE(DATE '{first}', DATE '{last}', "
        "INTERVAL 1 DAY) AS t (day)"
        for first, last in DAYS
    ]
    days = " UNION ALL ".join([*ranges, *(f"SELECT DATE '{each}'" for each in NO_DAYS)])
    places = range(len(ENTRIES))
    with duckdb.connect() as connection:
        connection.execute("SET enable_progress_bar = FALSE")
        labels = ", ".join(f"{label_of(entry)} AS l{place}" for place, entry in enumerate(ENTRIES))
        connection.execute(f"CREATE TABLE labels AS SELECT {labels} FROM ({days}) AS days")
        ids = ", ".join(f"CAST(l{place} AS e{place}) AS l{place}" for place in places)
        for place in places:
            connection.execute(
                f"CREATE TYPE e{place} AS ENUM (SELECT DISTINCT l{place} FROM labels)"
            )
        connection.execute(f"CREATE TABLE coded AS SELECT {ids} FROM labels")
        sides = ", ".join(f"MIN(l{place}) < MAX(l{place}) AS s{place}" for place in places)
        some = ", ".join(f"BOOL_OR(s{place})" for place in places)
        found: dict[tuple[int, int], bool] = {}
        for place in places:
            query = f"SELECT {sides} FROM coded WHERE l{place} IS NOT NULL GROUP BY l{place}"
            (row,) = connection.execute(f"SELECT {some} FROM ({query})").fetchall()
            found |= {(place, other): bool(each) for other, each in enumerate(row)}
        return found


def test_levels_are_said_to_nest_exactly_where_no_day_says_otherwise(
    split: dict[tuple[int, int], bool],
) -> None:
    pairs = product(enumerate(ENTRIES), repeat=2)
    wrong = [
        (finer, coarser)
        for (one, finer), (other, coarser) in pairs
        if lies_in(level_of(finer), level_of(coarser)) == split[one, other]
    ]
    assert wrong == []


def test_pairs_that_nest_and_pairs_that_do_not_are_both_counted(
    split: dict[tuple[int, int], bool],
) -> None:
    assert 50 < sum(split.values()) < len(split) - 50


def refusal(*dates: Any) -> str:
    with pytest.raises(PolicyError) as caught:
        read_policy(
            {
                "columns": {"born": {"role": "quasi", "hierarchy": {"dates": list(dates)}}},
                "guarantees": [{"k_anonymity": {"k": 2}}],
            }
        )
    return str(caught.value)


def test_a_week_that_crosses_months_is_refused_when_the_policy_is_read() -> None:
    words = refusal("week", "month", "quarter", "year", "decade")
    assert "columns.born.hierarchy: dates must nest, and week does not lie whole in month" in words
    assert words.endswith("Orders that nest: [month, quarter, year, decade] or [week]")


def test_a_year_of_two_ages_is_refused_with_the_day_on_which_it_nests() -> None:
    words = refusal("year", {"age_band": 10, "at": "2026-01-01"})
    assert "year does not lie whole in age_band 10 at 2026-01-01 (people born in one year" in words
    assert "unless that is the last day of a year" in words
    assert words.endswith("Orders that nest: [year] or [age_band 10 at 2026-01-01]")


def test_levels_in_the_wrong_order_are_told_the_right_one() -> None:
    assert refusal("year", "month", "day").endswith("Orders that nest: [day, month, year]")


def test_every_level_that_is_refused_stands_in_an_order_that_nests() -> None:
    bands = [{"age_band": width, "at": "2025-12-31"} for width in (5, 7, 10, 21)]
    words = refusal("month", *bands)
    assert "[month, age_band 5 at 2025-12-31, age_band 10 at 2025-12-31]" in words
    assert "[month, age_band 7 at 2025-12-31, age_band 21 at 2025-12-31]" in words


def test_an_order_that_is_suggested_is_accepted() -> None:
    for pair in product(ENTRIES, repeat=2):
        words = nesting_fault([level_of(each) for each in pair])
        if words and "] or [" not in words:
            assert nesting_fault([level_of(each) for each in reversed(pair)]) == ""


def test_many_bands_that_do_not_nest_are_refused_at_once() -> None:
    bands = [{"age_band": 2**width, "at": "2026-01-01"} for width in range(18)]
    assert "week does not lie whole in age_band 1 at" in refusal("week", *bands, *bands[::-1])


def test_days_that_no_level_has_nest_whatever_the_order_is() -> None:
    days = ["'0044-03-15 (BC)'", "'infinity'", "'-infinity'", "'2024-02-29'", "'10000-01-01'"]
    rules = {"dates": ["day", "month", "quarter", "year", "decade"]}
    labels = labels_of("DATE", days, rules, uncovered="suppress")
    assert [each is None for (each, *_) in labels.values()] == [True, True, True, False, True]
