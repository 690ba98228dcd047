"""Checks of combinations of sensitive values that several releases leave."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import combinations
from random import Random
from typing import Any

import duckdb

from sqlgen import Policy, read_policy
from sqlgen.engines.duckdb.catalog import find
from sqlgen.history.joint import Joint, measure_joint
from sqlgen.history.staged_releases import PublishedRelease
from sqlgen.staging.source import open_rows, read_source

ORGANS = {"lungs": ["flu", "cold"], "joints": ["gout"]}


ORGAN_OF = {ill: organ for organ, ills in ORGANS.items() for ill in ills}


ILLS = tuple(ORGAN_OF)


ROOMS = ("red", "blue", "green")


Row = Mapping[str, str | None]


def policy_of(release: str, zip_level: int, age_level: int, **more: Any) -> Policy:
    quasi = {"role": "quasi", "hierarchy": "suppress"}
    told = {"role": "sensitive", "hierarchy": {"tree": ORGANS}}
    return read_policy(
        {
            "source": {"table": "p"},
            "columns": {
                "zip": {**quasi, "levels": zip_level},
                "age": {**quasi, "levels": age_level},
                "ill": {**told, **more.pop("ill", {})},
                "room": {"role": more.pop("room", "sensitive")},
            },
            "guarantees": [
                more.pop("guarantee", {"distinct_l_diversity": {"column": "ill", "l": 2}})
            ],
            "release": {"table": release},
            **more,
        }
    )


def label(value: str | None, level: int) -> str | None:
    return value if level == 0 or value is None else ORGAN_OF.get(value, value)


def scene_of(choice: Random) -> tuple[list[Row], list[tuple[PublishedRelease, list[Row]]]]:
    """People, and releases by zip, by age, by both or by nothing, some of other values."""
    values = {"zip": "123", "age": "yo", "ill": (*ILLS, None), "room": (*ROOMS, None)}
    people: list[Row] = [
        {name: choice.choice(each) for name, each in values.items()}
        for _ in range(choice.randint(1, 12))
    ]
    made: list[tuple[PublishedRelease, list[Row]]] = []
    for number in range(choice.randint(2, 4)):
        levels = {"zip": choice.randint(0, 1), "age": choice.randint(0, 1)}
        levels["ill"] = choice.choice((0, 0, 1))
        shows_room, masks_sensitive = choice.random() < 0.8, choice.random() < 0.3
        rows = []
        for person in people:
            if choice.random() < 0.1:
                continue
            rows.append(
                {
                    "zip": person["zip"] if levels["zip"] == 0 else "*",
                    "age": person["age"] if levels["age"] == 0 else "*",
                    "ill": label(person["ill"], levels["ill"]),
                }
                | ({"room": person["room"]} if shows_room else {})
            )
        if masks_sensitive and rows:
            mute = {name: rows[0][name] for name in ("zip", "age")}
            rows = [
                {**row, **{name: None for name in row if name in ("ill", "room")}}
                if mute.items() <= row.items()
                else row
                for row in rows
            ]
        made.append((PublishedRelease(f"r{number}", None, levels, masks_sensitive), rows))  # type: ignore[arg-type]
    return people, made


def measured(
    people: Sequence[Row], made: Sequence[tuple[PublishedRelease, list[Row]]], policy: Policy
) -> Any:
    with duckdb.connect(config={"threads": 1}) as connection:
        tables = {"p": list(people), **{shown.words: rows for shown, rows in made}}
        shown = []
        for name, rows in tables.items():
            columns = [*rows[0]] if rows else ["zip", "age", "ill", "room"]
            connection.execute(
                f"CREATE TABLE {name} ({', '.join(f'{c} VARCHAR' for c in columns)})"
            )
            for row in rows:
                marks = ", ".join("?" for _ in row)
                connection.execute(f"INSERT INTO {name} VALUES ({marks})", list(row.values()))
        with open_rows(policy, connection, write=False) as engine, engine.read():
            for each, _ in made:
                relation = find(engine, each.words)
                assert relation is not None
                shown.append(
                    PublishedRelease(each.words, relation, each.levels, each.masks_sensitive)
                )
            joint = measure_joint(engine, policy, read_source(engine, policy, connection), shown)
            left = connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()
            assert {name for (name,) in left} == set(tables)
            return joint


def left_of(
    people: Sequence[Row],
    made: Sequence[tuple[PublishedRelease, list[Row]]],
    column: str,
    least: int,
    policy_level: int,
    *,
    narrowed: bool,
) -> list[tuple[Any, int, int]]:
    """By every row: the fewest values, the rows below and those that are contradicted."""
    shown = [
        {("ill", each.levels["ill"]), *([("room", 0)] if rows and "room" in rows[0] else [])}
        if rows
        else {("ill", each.levels["ill"]), ("room", 0)}
        for each, rows in made
    ]
    groups = {frozenset(a & b) for a, b in combinations(shown, 2) if len(a & b) == 2}
    finest = min(each.levels["ill"] for each, _ in made)
    told = []
    for group in sorted(groups, key=sorted):
        level = dict(group)["ill"]
        fewest, below, without = [], 0, 0
        for person in people:
            sets = []
            for (each, rows), columns in zip(made, shown, strict=True):
                if not group <= columns:
                    continue
                key = {n: person[n] if each.levels[n] == 0 else "*" for n in ("zip", "age")}
                members = [row for row in rows if key.items() <= row.items()]
                mute = each.masks_sensitive and all(r["ill"] is r["room"] is None for r in members)
                if members and not mute:
                    sets.append({(row["ill"], row["room"]) for row in members})
            if len(sets) < 2:
                continue

            common = set.intersection(*sets)
            if not common:
                without += 1
                continue
            target = max(policy_level, finest)
            count, *alone = (values_in(each, column, level, target) for each in (common, *sets))
            fewest.append(count)
            below += count < least and (not narrowed or count < min(alone))
        told.append((min(fewest, default=None), below, without))
    return told


def values_in(pairs: set[Any], column: str, level: int, target: int) -> int:
    """The diseases, or rooms, of some pairs, counted at the level at which they were promised."""
    if column == "room":
        return len({room for _, room in pairs})
    ills = {ill for ill, _ in pairs}
    if target > level:
        return len({label(ill, 1) for ill in ills})
    return len({each for ill in ills for each in (covered(ill) if target < level else {ill})})


def covered(organ: str | None) -> set[str | None]:
    return {ill for ill, of in ORGAN_OF.items() if of == organ} or {organ}


def compare(choice: Random) -> None:
    people, made = scene_of(choice)
    level, least = choice.randint(0, 1), choice.choice((0, 2, 3))
    column = choice.choice(("ill", "room"))
    guarantee: dict[str, Any] = {"t_closeness": {"column": column, "t": 1, "distance": "equal"}}
    if least:
        guarantee = {"distinct_l_diversity": {"column": column, "l": least}}
    more: dict[str, Any] = {"ill": {"level": 1}} if level else {}
    joint: Joint = measured(people, made, policy_of("r", 0, 0, guarantee=guarantee, **more))
    found = [
        (each.fewest, each.rows_below, each.rows_without) for each in joint.values if each.beside
    ]
    assert found == left_of(people, made, column, least or 2, level, narrowed=not least)


def compare_drawn(seed: int) -> None:
    compare(Random(seed))


# Between them they notice every edit of combinations.
CHECKS: dict[str, Callable[[], None]] = {
    f"seed {seed}": partial(compare_drawn, seed) for seed in (5, 37, 41)
}
