"""Cases compared with the physical limit: plan and, but for one, release and audit of a table."""

from collections.abc import Mapping
from typing import Any

import adult
import invented
from measuring import Figure, Setting, peak_gigabytes, ratio, trip, trip_detail
from sqlgen import read_policy


def _round_trip(
    setting: Setting,
    target: float,
    aim: float | None = None,
    guarantee: Mapping[str, Any] | None = None,
    **others: Any,
) -> list[Figure]:
    policy = adult.adult_policy(setting.adult, "2%", guarantee, **others)
    with setting.connect() as connection:
        name = "plan + apply + audit"
        return [ratio(name, connection, policy, setting.best_of, target, aim)]


def k(setting: Setting) -> list[Figure]:
    """The whole way to a release with k = 5 alone."""
    return _round_trip(setting, 1.8, 1.5, table="adult_big")


def distinct(setting: Setting) -> list[Figure]:
    """The whole way, with three occupations in each class."""
    guarantee = adult.diversity("distinct", l=3)
    return _round_trip(setting, 2.5, guarantee=guarantee, table="adult_big")


def ordered(setting: Setting) -> list[Figure]:
    """The whole way, with occupation within 0.2 in the order of its text."""
    guarantee = adult.closeness("ordered")
    order = {"order": "text"}
    return _round_trip(setting, 4, guarantee=guarantee, table="adult_big", sensitive=order)


def others(setting: Setting) -> list[Figure]:
    """The whole way with k alone, two more columns being released as they are."""
    return _round_trip(setting, 3, table="adult_others", others=("visit", "note"))


def births(setting: Setting) -> list[Figure]:
    """The whole way for dates of birth and zip codes, hardly a cell for two rows."""
    with setting.connect() as connection:
        policy = invented.births_policy()
        return [ratio("plan + apply + audit", connection, policy, setting.best_of, 6)]


def units(setting: Setting) -> list[Figure]:
    """The whole way with k persons in a class, over that with k rows; the two in turns."""
    figures = []
    for table, rows in (("visits_small", "20,190 rows"), ("visits", "1 M rows")):
        policies = [
            read_policy(invented.visits_policy(table, by_patients=by_patients))
            for by_patients in (True, False)
        ]
        with setting.connect() as connection:
            pairs = [
                [trip(connection, policy) for policy in policies] for _ in range(setting.best_of)
            ]
        persons, visits = (
            min(made, key=lambda each: each.seconds) for made in zip(*pairs, strict=True)
        )
        detail = {"persons": trip_detail(persons), "rows": trip_detail(visits)}
        ratio_found = persons.seconds / visits.seconds
        figures.append(Figure(f"persons over rows, {rows}", ratio_found, "x", 3, None, detail))
    return figures


def equal1m(setting: Setting) -> list[Figure]:
    """A plan for a million rows, with occupation within 0.2 of equal distance."""
    guarantee = adult.closeness("equal")
    policy = adult.adult_policy(setting.adult, "2%", guarantee, "adult_million")
    with setting.connect() as connection:
        return [ratio("plan", connection, policy, setting.best_of, 10, 5, plan_only=True)]


def huge(setting: Setting) -> list[Figure]:
    """The whole way for ten times the rows, with a memory limit of 4 GB."""
    done = []
    for table in ("adult_big", "adult_huge"):
        policy = read_policy(adult.adult_policy(setting.adult, "2%", table=table))
        with setting.connect() as connection:
            connection.execute("SET memory_limit = '4GB'")
            done.append(trip(connection, policy))
    small, large = done
    detail = {
        "floor": large.floor,
        "of_floor": large.seconds / sum(large.floor),
        "small_seconds": small.seconds,
        **trip_detail(large),
    }
    return [
        Figure("time / a tenth of the rows", large.seconds / small.seconds, "x", 12, None, detail),
        Figure("peak memory", peak_gigabytes(), "GB", 6),
    ]
