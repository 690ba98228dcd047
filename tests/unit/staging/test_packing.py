"""Packed labels: every id keeps its place, however many words it takes to hold them all."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness import Stage, simple_policy, staged
from sqlgen.measuring.nodes import measure_sizes
from sqlgen.policy import Policy
from sqlgen.staging.column_facts import CELL
from sqlgen.staging.ladders import ladder_table
from sqlgen.staging.packing import Packing, pack
from sqlgen.staging.stage import VALUE_CELL

HEIGHTS = st.lists(st.integers(1, 6), min_size=1, max_size=9)
QUASI = [f"q{number}" for number in range(1, 8)]


@st.composite
def packings(draw: st.DrawFn) -> tuple[list[int], dict[tuple[int, int], int], Packing]:
    """Heights, largest ids of some levels, and where they are put."""
    heights = draw(HEIGHTS)
    places = [(number, level) for number, high in enumerate(heights, 1) for level in range(high)]
    largest = draw(st.dictionaries(st.sampled_from(places), st.integers(0, 2**32 - 1)))
    return heights, largest, pack(heights, largest)


@given(packings())
def test_every_level_has_bits_of_its_own_that_hold_its_ids(
    made: tuple[list[int], dict[tuple[int, int], int], Packing],
) -> None:
    heights, largest, packing = made
    assert len(packing.fields) == sum(heights)
    taken: dict[int, int] = Counter()
    for place, field in packing.fields.items():
        bits = field.ones << field.shift
        assert bits < 2**63, "a word has no sign"
        assert largest.get(place, 0) <= field.ones
        assert taken[field.word] & bits == 0
        taken[field.word] |= bits
    assert packing.words == list(range(1, len(taken) + 1))


@given(packings(), st.data())
def test_a_mask_has_the_bits_of_a_nodes_levels_alone(
    made: tuple[list[int], dict[tuple[int, int], int], Packing], data: st.DataObject
) -> None:
    heights, _, packing = made
    node = tuple(data.draw(st.integers(0, height)) for height in heights)
    for word, mask in zip(packing.words, packing.masks(node), strict=True):
        kept = [
            field.ones << field.shift
            for (number, level), field in packing.fields.items()
            if field.word == word and node[number - 1] == level
        ]
        assert mask == sum(kept)


def many_policy(*guarantees: dict[str, Any], **columns: Any) -> Policy:
    """Seven quasi-identifiers of large numbers, whose ids take several words."""
    quasi = {name: {"role": "quasi", "hierarchy": {"intervals": [10, 1000]}} for name in QUASI}
    return simple_policy({**quasi, **columns}, guarantees=[{"k_anonymity": {"k": 2}}, *guarantees])


def fill(connection: duckdb.DuckDBPyConnection, rows: int) -> None:
    """A table of numbers up to 3,000 times 7, all of which occur, a few rows alike."""
    numbers = ", ".join(
        f"CAST(hash({place}, i // 2) % 7 + (i // 2 * {place}) % 3000 AS INTEGER) AS {name}"
        for place, name in enumerate(QUASI, 1)
    )
    connection.execute(f"CREATE TABLE t AS SELECT {numbers} FROM RANGE({rows}) AS r (i)")


def by_joins(made: Stage, node: tuple[int, ...]) -> list[int]:
    """The sizes of a node's classes, by the ids that ladders have."""
    joins = " ".join(
        f"JOIN {ladder_table(number)} AS l{number} ON t.{name} = l{number}.value"
        for number, name in enumerate(QUASI, 1)
    )
    keys = [f"l{number}.id_{level}" for number, level in enumerate(node, 1) if level < 3]
    grouped = f"GROUP BY {', '.join(keys)}" if keys else ""
    query = f"SELECT COUNT(*) FROM {{}} AS t {joins} {grouped}"
    return sorted(size for (size,) in made.fetch(query, made.source.sql))


@pytest.mark.parametrize("several", [False, True])
def test_classes_are_those_of_ladders_where_ids_take_several_words(several: bool) -> None:
    nodes = [node for node in itertools.product(range(4), repeat=7) if sum(node) % 9 == 4][::97]
    nodes += [(0,) * 7, (3,) * 7]
    with duckdb.connect() as connection:
        fill(connection, 4000)
        policy = many_policy()
        with staged(policy, connection) as made:
            assert len(made.staged.packing.words) > 1
            asked = [nodes] if several else [[node] for node in nodes]
            found = [
                each
                for some in asked
                for each in measure_sizes(made.engine, made.staged, [policy.guarantees], some)
            ]
            for node, (measures,) in zip(nodes, found, strict=True):
                sizes = [size for size in by_joins(made, node) if size >= 2]
                assert measures.classes == len(sizes)
                assert measures.suppressed_rows == 4000 - sum(sizes)


def test_a_cell_has_the_ids_of_its_labels_at_every_level() -> None:
    diverse = {"distinct_l_diversity": {"column": "s", "l": 2}}
    with duckdb.connect() as connection:
        fill(connection, 500)
        connection.execute("ALTER TABLE t ADD COLUMN s VARCHAR DEFAULT 'x'")
        with staged(many_policy(diverse, s={"role": "sensitive"}), connection) as made:
            fields = made.staged.packing.fields
            for (number, level), field in fields.items():
                expected = made.fetch(
                    f"SELECT id_{level}, COUNT(*) FROM {{}} AS t "
                    f"JOIN {ladder_table(number)} AS l ON t.{QUASI[number - 1]} = l.value "
                    "GROUP BY ALL ORDER BY ALL",
                    made.source.sql,
                )
                for cells, id_sql in (
                    (CELL, field.id),
                    (VALUE_CELL, field.id),
                    (VALUE_CELL, f"q{number}_{level}"),
                ):
                    query = f"SELECT {id_sql} AS id, CAST(SUM(row_count) AS BIGINT) FROM {{}} "
                    assert made.fetch(query + "GROUP BY ALL ORDER BY ALL", cells) == expected
