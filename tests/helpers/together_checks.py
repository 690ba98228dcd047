"""Checks of releases that are read together, by the oracle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from random import Random
from typing import Any

import duckdb
from markupsafe import Markup

from joint_rows import ORGANS
from oracle_joint import HEIGHTS, ILLS, LABELS, Left, Release, Row, Value, ill_label, left
from sqlgen import Policy, read_policy
from sqlgen.engines.duckdb.catalog import Relation, find
from sqlgen.history.differencing import Difference
from sqlgen.history.joint import Joint, measure_joint
from sqlgen.history.staged_releases import Part, PublishedRelease
from sqlgen.policy import RowWindow
from sqlgen.staging.source import open_rows, read_source

VALUES: dict[str, list[Any]] = {
    "zip": ["4760", "4760", "4761", "4790", "4790", None],
    "age": [20, 20, 25, 30, 30, 41, None],
    "ill": [*ILLS, *ILLS, None],
    "person": ["a", "b", "c", "d", None],
}


CAME = (1, 2, 3, 4, 5, 6, None)


# The moments that windows begin after and end with: the first one has no beginning.
WINDOWS = ((None, 3), (None, 6), (3, 5), (2, 4), (5, 6), (6, 9))


MIDNIGHT = datetime(2026, 3, 1, tzinfo=UTC)


def somebody(choice: Random) -> Row:
    return {name: choice.choice(values) for name, values in VALUES.items()} | {
        "came": None,
        "part": None,
    }


def policy_of(k: int, guarantee: dict[str, Any], level: int, **more: Any) -> Policy:
    ill: dict[str, Any] = {"role": "sensitive", "hierarchy": {"tree": ORGANS}}
    return read_policy(
        {
            "source": {"table": "people"},
            "columns": {
                "zip": {"role": "quasi", "hierarchy": {"prefixes": [2]}},
                "age": {"role": "quasi", "hierarchy": {"intervals": [10, 20]}},
                "ill": {**ill, "level": level} if level else ill,
                "person": {"role": "identifier"},
                "came": {"role": "identifier"},
                "part": {"role": "identifier"},
            },
            "guarantees": [
                {"k_anonymity": {"k": k}},
                {"k_anonymity": {"k": k, "unit": "person"}},
                guarantee,
            ],
            **more,
        }
    )


def release_of(choice: Random, people: Sequence[Row], *, timed: bool = False) -> Release:
    """A release of some of the people and of others, at a node, without some of its classes."""
    names = choice.choice([("zip", "age"), ("zip", "age"), ("zip",), ("age",)])
    levels = {name: choice.randint(0, HEIGHTS[name]) for name in names}
    ill_level = choice.choice([0, 0, 1])
    window = choice.choice(WINDOWS) if timed else None
    among = Release((), {}, window=window)
    there = [person for person in people if choice.randint(0, 9) and among.could_have(person)]
    there += [somebody(choice) for _ in range(choice.randint(0, 2))]
    rows = [
        {name: LABELS[name](person[name], level) for name, level in levels.items()}
        | {"ill": ill_label(person["ill"], ill_level)}
        for person in there
    ]
    shows, masks_sensitive = choice.randint(0, 5) > 0, choice.random() < 0.5
    made = Release(tuple(rows), levels, ill_level, shows, masks_sensitive, window)
    keys = sorted({made.key(row) for row in rows}, key=str)
    hidden = {key for key in keys if choice.randint(0, 3) == 0}
    mute = {key for key in keys if masks_sensitive and choice.randint(0, 2) == 0}
    kept = [
        {**row, "ill": None if made.key(row) in mute else row["ill"]}
        for row in rows
        if made.key(row) not in hidden
    ]
    return replace(made, rows=tuple(kept))


def scene_of(choice: Random, *, timed: bool = False) -> tuple[list[Row], list[Release]]:
    """People and one to three releases; one may be an earlier one with a few rows changed."""
    people = [somebody(choice) for _ in range(choice.randint(1, 28))]
    if len(people) % 2:
        people = [{**person, "person": str(number)} for number, person in enumerate(people)]
    if timed:
        people = [{**person, "came": choice.choice(CAME)} for person in people]
    if choice.random() < 0.4:
        people = [{**person, "ill": person["ill"] or "flu"} for person in people]
    made: list[Release] = []
    for _ in range(choice.randint(1, 5 if timed else 3)):
        if made and choice.random() < 0.5:
            rows = made[-1].rows
            gone = choice.randint(0, len(rows)) // 4
            rows = (*rows[gone:], *rows[: choice.randint(0, 4)])
            mute = made[-1].key(rows[0]) if rows and made[-1].masks_sensitive else None
            rows = tuple({**row, "ill": None} if made[-1].key(row) == mute else row for row in rows)
            window = choice.choice((None, *WINDOWS)) if made[-1].window else None
            made.append(replace(made[-1], rows=rows, window=window))
        else:
            made.append(release_of(choice, people, timed=timed and choice.random() < 0.7))
    return people, made


def load(connection: duckdb.DuckDBPyConnection, people: Sequence[Row]) -> None:
    connection.execute(
        "CREATE TABLE people (zip VARCHAR, age INTEGER, ill VARCHAR, person VARCHAR, came DATE, "
        "part VARCHAR)"
    )
    for each in people:
        values = [each[name] for name in ("zip", "age", "ill", "person")]
        came = None if each["came"] is None else moment(int(each["came"]) - 1).date()
        row = [*values, came, each.get("part")]
        connection.execute("INSERT INTO people VALUES (?, ?, ?, ?, ?, ?)", row)


def moment(days: int) -> datetime:
    """The end of a day: who came on the day before came after the end of those before it."""
    return MIDNIGHT + timedelta(days=days)


def window_of(release: Release) -> RowWindow | None:
    if release.window is None:
        return None
    after, until = release.window
    return RowWindow("came", None if after is None else moment(after), moment(until))


def publish(connection: duckdb.DuckDBPyConnection, number: int, release: Release) -> None:
    names = [*release.levels, *(["ill"] if release.shows_ill else [])]
    connection.execute(f"CREATE TABLE r{number} ({', '.join(f'{n} VARCHAR' for n in names)})")
    marks = ", ".join("?" for _ in names)
    for row in release.rows:
        connection.execute(f"INSERT INTO r{number} VALUES ({marks})", [row[n] for n in names])


def measured(people: Sequence[Row], made: Sequence[Release], policy: Policy) -> Joint:
    with duckdb.connect(config={"threads": 1}) as connection:
        load(connection, people)
        for number, release in enumerate(made):
            publish(connection, number, release)
        with open_rows(policy, connection, write=False) as engine, engine.read():
            shown = []
            for number, release in enumerate(made):
                relation = find(engine, f"r{number}")
                assert relation is not None
                levels = {**release.levels, "ill": release.ill_level}
                window = window_of(release)
                made_by = part_of(release, made)
                shown.append(
                    PublishedRelease(
                        f"r{number}",
                        relation,
                        levels,
                        release.masks_sensitive,
                        window,
                        part=made_by,
                    )
                )
            rows = with_parts(read_source(engine, policy, connection), made)
            joint = measure_joint(engine, policy, rows, shown)
            left_behind = connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()
            assert {name for (name,) in left_behind} == {
                "people",
                *(f"r{number}" for number in range(len(made))),
            }
            return joint


def column_of(part: frozenset[Value]) -> str:
    return f"in_{'_'.join(sorted(map(str, part)))}"


def part_of(release: Release, made: Sequence[Release]) -> Part | None:
    """The part of a release, as a query tells it, with those that share nobody with it."""
    if release.part is None:
        return None
    parts = {each.part for each in made if each.part is not None}
    apart = {column_of(each) for each in parts if not each & release.part}
    return Part(column_of(release.part), frozenset(apart))


def with_parts(rows: Relation, made: Sequence[Release]) -> Relation:
    """The source with a column for each part, NULL for who is in none."""
    parts = {each.part for each in made if each.part is not None}
    flags = [
        f", part IN ({', '.join(repr(each) for each in sorted(map(str, part)))}) "
        f"AS {column_of(part)}"
        for part in sorted(parts, key=column_of)
    ]
    return replace(rows, sql=Markup(f"(SELECT *{''.join(flags)} FROM {rows.sql})"))


def as_left(joint: Joint) -> Left:
    if not joint.releases:
        return Left(0, 0, None, 0, None, 0, None, 0, 0, ())
    by_unit = {each.unit: each for each in joint.sizes}
    values = {each.column: each for each in joint.values}.get("ill")
    return Left(
        joint.combinations,
        joint.rows,
        by_unit[None].fewest,
        by_unit[None].rows_below,
        by_unit["person"].fewest,
        by_unit["person"].rows_below,
        values.fewest if values else None,
        values.rows_below if values else 0,
        values.rows_without if values else 0,
        tuple(figures(each) for each in joint.differences if not is_of_several(each)),
        tuple(sorted(figures(each) for each in joint.differences if is_of_several(each))),
    )


def figures(each: Difference) -> tuple[int, int, int]:
    return each.rows_came, each.rows_went, each.exposed_rows


def is_of_several(each: Difference) -> bool:
    return each.earlier.startswith("all from ")


def compare(choice: Random, *, timed: bool = False) -> None:
    """One scene under one policy: sqlgen and the oracle say the same of it."""
    people, made = scene_of(choice, timed=timed)
    agree(people, made, choice.randint(2, 4), choice.randint(0, 3), choice.randint(0, 1))


def agree(people: Sequence[Row], made: Sequence[Release], k: int, least: int, level: int) -> None:
    guarantee: dict[str, Any] = {"t_closeness": {"column": "ill", "t": 1, "distance": "equal"}}
    if least >= 2:
        guarantee = {"distinct_l_diversity": {"column": "ill", "l": least}}
    joint = measured(people, made, policy_of(k, guarantee, level))
    told = left(people, made, k=k, l=max(least, 2), narrowed=least < 2, policy_level=level)
    if not any(each.shows_ill for each in made):
        assert joint.values == ()
    assert as_left(joint) == told
    exposed = any(exposed for _, _, exposed in (*told.differences, *told.together))
    lost = told.rows_below or told.rows_below_persons or told.rows_below_values or exposed
    assert joint.satisfied is (len(made) < 2 or not lost)


def compare_drawn(seed: int, *, timed: bool = False) -> None:
    compare(Random(seed), timed=timed)


# Somebody who has left: what shows NULL at two levels stands for itself.
GONE: Row = {"zip": "4760", "age": 20, "ill": "flu", "person": "a", "came": None}


def null_at_two_levels_stands_for_itself(level: int) -> None:
    values = Release(({"zip": "4760", "ill": "flu"}, {"zip": "4760", "ill": None}), {"zip": 0})
    labels = ({"zip": "4760", "ill": "lungs"}, {"zip": "4760", "ill": None})
    agree([GONE], [values, Release(labels, {"zip": 0}, ill_level=1)], 2, 2, level)


def a_coarser_release_has_what_a_finer_one_masks_and_some_rows_more(more: int) -> None:
    shown: list[Row] = [{"zip": "4760", "ill": ill} for ill in ILLS]
    fine = Release((*shown, *({"zip": "4761", "ill": None} for _ in ILLS)), {"zip": 0})
    rows = [{"zip": "47**", "ill": ill} for ill in (*ILLS, *ILLS, *("flu", "gout")[:more])]
    pair = [replace(fine, masks_sensitive=True), Release(tuple(rows), {"zip": 1})]
    agree([GONE], pair, 2, 2, 0)
    agree([GONE], pair[::-1], 2, 2, 0)


def increments_are_held_against_a_release_of_all_rows() -> None:
    """At the level of the second of two, no release shows a label of the others' classes.

    One of those classes lost a value that the other got.
    """
    first = Release(
        ({"age": "20", "ill": "flu"}, {"age": "41", "ill": "gout"}), {"age": 0}, window=(None, 3)
    )
    second = Release(({"age": None, "ill": "flu"},), {"age": 2}, window=(3, 5))
    every = ({"age": "20", "ill": "gout"}, {"age": "41", "ill": "flu"})
    agree([GONE], [first, second, Release(every, {"age": 0})], 2, 2, 0)


def nobody_is_in_two_parts_whatever_their_labels_say() -> None:
    """By zip and by age, of women and of men."""
    both: list[Row] = [
        {"zip": "4760", "age": 20, "ill": "flu", "person": "a", "came": None, "part": "f"},
        {"zip": "4760", "age": 30, "ill": "gout", "person": "b", "came": None, "part": "m"},
    ]
    women = Release(({"zip": "4760", "ill": "flu"},) * 2, {"zip": 0}, part=frozenset(["f"]))
    whole = Release(({"age": "20", "ill": "flu"}, {"age": "30", "ill": "gout"}), {"age": 0})
    agree(both, [women, whole], 2, 2, 0)


SEEDS = (0, 2, 3, 6, 10, 20, 25, 38, 48, 91, 112, 391)
TIMED_SEEDS = (19, 20)

# Between them they notice every edit of what is read together.
CHECKS: dict[str, Callable[[], None]] = {
    **{f"null {level}": partial(null_at_two_levels_stands_for_itself, level) for level in (0, 1)},
    **{
        f"masked {more}": partial(
            a_coarser_release_has_what_a_finer_one_masks_and_some_rows_more, more
        )
        for more in (1, 2)
    },
    "increments": increments_are_held_against_a_release_of_all_rows,
    "parts": nobody_is_in_two_parts_whatever_their_labels_say,
    **{f"seed {seed}": partial(compare_drawn, seed) for seed in SEEDS},
    **{f"timed {seed}": partial(compare_drawn, seed, timed=True) for seed in TIMED_SEEDS},
}
