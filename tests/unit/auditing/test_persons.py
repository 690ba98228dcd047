"""Persons behind a table of any tool, counted in its source, against a count by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import duckdb
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

import oracle_spans
from auditing import load
from oracle import Ladder, Value
from sqlgen import apply_plan, audit_table, make_plan, read_policy
from strategies import Column, oracle_ladder

TREE = {"north": {"n1": ["a", "b"], "n2": ["c"]}, "south": ["d"]}
TYPES = {"zip": "VARCHAR", "height": "DOUBLE", "age": "INTEGER"}
# Zips that the tree lacks, numbers that are equal and look different, one that is none.
POOLS: dict[str, Sequence[Value]] = {
    "zip": ["a", "a", "b", "c", "d", "q", None],
    "height": [0.0, -0.0, float("nan"), 1.5, None],
    "age": [1, 2, 11, None],
}
RULES: dict[str, Any] = {"zip": {"tree": TREE}, "height": "suppress", "age": {"intervals": [10]}}
LEVELS = {"zip": 4, "height": 2, "age": 3}
LEFT = {"person": "INTEGER", "illness": "VARCHAR"}


def shown(value: Value) -> str | None:
    """A label as it is compared; to a reader -0.0 and 0.0 are one number."""
    if value is None:
        return None
    if isinstance(value, float):
        value = 0.0 if value == 0 else value
    return str(value)


def labels(ladder: Ladder, value: Value, level: int) -> str | None:
    return shown(ladder.at(value, level))


def ladders_of(rows: Sequence[dict[str, Any]], nulls: str, uncovered: str) -> dict[str, Ladder]:
    made = {}
    for name, kind in TYPES.items():
        values = tuple(row[name] for row in rows)
        policy = uncovered if name == "zip" else "error"
        made[name] = oracle_ladder(Column(name, kind, "quasi", values, RULES[name], nulls, policy))
    return made


def is_kept(row: dict[str, Any], ladders: dict[str, Ladder]) -> bool:
    return not any(row[name] in ladder.suppressed for name, ladder in ladders.items())


def names_of(row: dict[str, Any], ladder: Ladder, name: str, levels: set[int]) -> set[Any]:
    """What a row's value is called at some levels."""
    return {labels(ladder, row[name], level) for level in levels}


@given(data=st.data())
def test_persons_behind_labels_of_several_levels_are_counted_as_by_hand(
    data: st.DataObject,
) -> None:
    pools = {**POOLS, "person": [1, 1, 2, 3, None], "illness": ["flu", "cold"]}
    row = st.fixed_dictionaries({name: st.sampled_from(pool) for name, pool in pools.items()})
    rows = data.draw(st.lists(row, min_size=1, max_size=14))
    nulls = data.draw(st.sampled_from(["value", "top", "suppress"]))
    uncovered = data.draw(st.sampled_from(["top", "suppress"]))
    ladders = ladders_of(rows, nulls, uncovered)
    kept = [each for each in rows if is_kept(each, ladders)]
    if not kept:
        return
    # Each column is at one level throughout, or each of its rows at a level of its own.
    levels = {
        name: data.draw(
            st.one_of(
                st.integers(0, ladder.height).map(lambda level: [level] * len(kept)),
                st.lists(st.integers(0, ladder.height), min_size=len(kept), max_size=len(kept)),
            )
        )
        for name, ladder in ladders.items()
    }
    released = [
        {
            **{
                name: labels(ladder, each[name], levels[name][at])
                for name, ladder in ladders.items()
            },
            "illness": each["illness"],
        }
        for at, each in enumerate(kept)
    ]
    released = data.draw(st.sampled_from([released, released, released[1:], released * 2]))
    connection = duckdb.connect(config={"threads": 1})
    load(connection, "source", {**TYPES, **LEFT}, rows)
    load(connection, "made", {**dict.fromkeys(TYPES, "VARCHAR"), "illness": "VARCHAR"}, released)
    declared = {
        name: {"role": "quasi", "hierarchy": RULES[name], "nulls": nulls}
        | ({"uncovered": uncovered} if name == "zip" else {})
        for name in TYPES
    }
    policy = read_policy(
        {
            "source": {"table": "source"},
            "columns": {
                **declared,
                "person": {"role": "identifier"},
                "illness": {"role": "sensitive"},
            },
            "guarantees": [{"k_anonymity": {"k": 2, "unit": "person"}}],
        }
    )
    found = audit_table(policy, "made", connection)
    # A table without rows has no class, and gives no guarantee.
    expected = counted_by_hand(kept, released, ladders) if released else (0, 0)
    assert [(one.value, one.failing_classes) for one in found.guarantees] == (
        [] if expected is None else [expected]
    )
    assert released or not found.satisfied


def counted_by_hand(
    kept: Sequence[dict[str, Any]],
    released: Sequence[dict[str, Any]],
    ladders: dict[str, Ladder],
) -> tuple[int, int] | None:
    """The fewest persons of a class, and how many classes have one; None where rows do not fit."""
    at = {}
    for name, ladder in ladders.items():
        held = {each[name] for each in released} - {None}
        whole = [
            level
            for level in range(ladder.height + 1)
            if held <= {labels(ladder, each[name], level) for each in kept}
        ]
        if held == {ladder.top}:
            whole = [ladder.height]
        at[name] = {whole[0]} if whole else set(range(ladder.height + 1))
    classes = {tuple(each[name] for name in TYPES) for each in released}
    behind: Counter[tuple[Any, ...]] = Counter()
    persons: dict[tuple[Any, ...], set[Any]] = {}
    for each in kept:
        called = [names_of(each, ladders[name], name, at[name]) for name in TYPES]
        for combination in product(*called):
            if combination in classes:
                behind[*combination, each["illness"]] += 1
                persons.setdefault(combination, set()).add(each["person"])
    if behind != Counter((*(each[name] for name in TYPES), each["illness"]) for each in released):
        return None
    sizes = [len(each) for each in persons.values()]
    return min(sizes), sum(size < 2 for size in sizes)


def span_of(
    data: st.DataObject, value: Value, ladder: Ladder, leaves: Sequence[Value]
) -> str | None:
    """A label of a level, or a range or a set, that holds a value."""
    names = [oracle_spans.spelled(shown(leaf)) for leaf in leaves]
    place = leaves.index(value)
    first, last = data.draw(st.integers(0, place)), data.draw(st.integers(place, len(leaves) - 1))
    held = sorted({place, *data.draw(st.sets(st.integers(0, len(leaves) - 1), max_size=2))})
    form = data.draw(st.sampled_from(["range", "set", "level"]))
    if form == "range" and first < last:
        return f"[{names[first]}, {names[last]}]"
    if form == "set" and len(held) > 1:
        return "{" + ", ".join(names[number] for number in held) + "}"
    return labels(ladder, value, data.draw(st.integers(0, ladder.height)))


def levels_of(
    shown_labels: set[str | None], ladder: Ladder, leaves: Sequence[Value]
) -> set[int] | None:
    """The levels at which a column's labels are read; None where some label is of no level."""
    every = range(ladder.height + 1)
    held = shown_labels - {None}
    if held == {ladder.top}:
        return {ladder.height}
    known = {level: {labels(ladder, leaf, level) for leaf in leaves} for level in every}
    if not held <= set().union(*known.values()):
        return None
    whole = [level for level in every if held <= known[level]]
    return {whole[0]} if whole else {*every}


def holds(
    label: str | None,
    value: Value,
    ladder: Ladder,
    leaves: Sequence[Value],
    at: set[int] | None,
) -> bool:
    """Whether a label stands for a value: at some level or, where none has it, as a span."""
    every = range(ladder.height + 1)
    if at is None and not any(
        label == labels(ladder, leaf, level) for leaf in leaves for level in every
    ):
        numbers = oracle_spans.meant(label, [shown(leaf) for leaf in leaves])
        return numbers is not None and value in [leaves[number] for number in numbers]
    return label in names_of({"it": value}, ladder, "it", {*every} if at is None else at)


@given(data=st.data())
def test_people_and_persons_behind_ranges_and_sets_are_counted_as_by_hand(
    data: st.DataObject,
) -> None:
    pools: dict[str, Sequence[Value]] = {"zip": ["a", "b", "c", None], "age": [1, 2, 11, None]}
    row = st.fixed_dictionaries({name: st.sampled_from(pool) for name, pool in pools.items()})
    persons = st.sampled_from([1, 2, 3])
    rows = data.draw(st.lists(st.tuples(row, persons), min_size=1, max_size=8))
    town = data.draw(st.lists(row, max_size=10))
    ladders, leaves = {}, {}
    for name in pools:
        rule = RULES[name]
        values = (*(each[name] for each, _ in rows), *(each[name] for each in town))
        ladders[name] = oracle_ladder(Column(name, TYPES[name], "quasi", values, rule))
        listed = ("a", "b", "c", "d") if name == "zip" else values
        # The order of the tree is that of the letters; NULL stands before them.
        leaves[name] = sorted({*values, *listed}, key=lambda leaf: (leaf is not None, leaf or 0))
    released = [
        tuple(span_of(data, each[name], ladders[name], leaves[name]) for name in pools)
        for each, _ in rows
    ]
    connection = duckdb.connect(config={"threads": 1})
    types = {name: TYPES[name] for name in pools}
    source = [{**each, "person": person} for each, person in rows]
    load(connection, "source", {**types, "person": "INTEGER"}, source)
    load(connection, "town", types, town)
    made = [dict(zip(pools, labels_of_row, strict=True)) for labels_of_row in released]
    load(connection, "made", dict.fromkeys(pools, "VARCHAR"), made)
    policy = read_policy(
        {
            "source": {"table": "source"},
            "columns": {
                **{name: {"role": "quasi", "hierarchy": RULES[name]} for name in pools},
                "person": {"role": "identifier"},
            },
            "guarantees": [
                {"k_map": {"k": 2, "population": {"table": "town"}}},
                {"k_anonymity": {"k": 2, "unit": "person"}},
            ],
        }
    )
    found = audit_table(policy, "made", connection)

    at = {
        name: levels_of({one[number] for one in released}, ladders[name], leaves[name])
        for number, name in enumerate(pools)
    }

    def fits(each: Mapping[str, Value], shown_class: tuple[str | None, ...]) -> bool:
        return all(
            holds(label, each[name], ladders[name], leaves[name], at[name])
            for name, label in zip(pools, shown_class, strict=True)
        )

    sizes = Counter(released)
    matched = {one: sum(fits(each, one) for each in town) for one in sizes}
    behind = {one: [person for each, person in rows if fits(each, one)] for one in sizes}
    expected = [min(matched.values())]
    if all(len(behind[one]) == size for one, size in sizes.items()):
        expected.append(min(len({*each}) for each in behind.values()))
        event("counted")
    assert [one.value for one in found.guarantees] == expected
    several = sum(map(len, behind.values())) > len(rows)
    assert bool(found.not_counted) == (len(expected) == 1 and several)


@pytest.mark.parametrize("taken", ["class_id", "CLASS_ID", "q1", "source_row", "released_class"])
def test_columns_and_tables_may_have_the_names_that_are_used_inside(taken: str) -> None:
    connection = duckdb.connect()
    connection.execute(
        f'CREATE TABLE "{taken}" AS SELECT i AS "{taken}", i % 2 AS name, \'x\' AS illness '
        "FROM range(8) AS t (i)"
    )
    policy = read_policy(
        {
            "source": {"query": f'SELECT * FROM "{taken}"'},
            "columns": {
                taken: {"role": "identifier"},
                "name": {"role": "quasi", "hierarchy": "suppress"},
                "illness": {"role": "sensitive"},
            },
            "guarantees": [{"k_anonymity": {"k": 4, "unit": taken}}],
            "release": {"table": "released"},
        }
    )
    assert [
        [each.value for each in made.guarantees]
        for made in (
            apply_plan(make_plan(policy, connection), connection).audit,
            audit_table(policy, source=connection),
        )
    ] == [[4], [4]]
