"""Tables of millions of rows, as counts, for figures at the edges of arithmetic."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias

import duckdb

from oracle import lines_ladder
from sqlgen.guarantees import TableReference

Counts: TypeAlias = Mapping[int, int]


Shares: TypeAlias = Mapping[Any, Fraction]


# A value's label at the level above it, and above that the top.
LABELS = {0: 0, 1: 0, 2: 0, 3: 1, 4: 1, 5: 2}


LADDER = lines_ladder([], [(value, f"label {label}") for value, label in LABELS.items()])


# Some 3 * 10^10 rows, and the most for which products of two counts are kept in 63 bits.
CROWD = {
    1: {0: 6_000_000_001, 1: 3_000_000_000, 2: 999_999_994, 4: 5},
    2: {0: 1, 1: 9_999_999_992, 3: 7},
    3: {2: 10_000_000_000},
    4: {0: 1, 1: 1, 2: 1, 3: 1, 4: 1, 5: 1},
}


TOWN = {
    1: {0: 1_499_999_999, 1: 1},
    2: {1: 1_400_000_000, 4: 3, 5: 4},
    3: {0: 1, 1: 1, 3: 1, 4: 2, 5: 99_999_988},
}


POPULATION = {0: 999_999_000_000, 1: 1, 2: 1, 3: 1, 4: 999_996, 5: 1}


KNOWN = TableReference(table="population", weight="people")


@dataclass(frozen=True)
class Scene:
    """Classes with their counts per value, and the table of the user's they are held against."""

    classes: Mapping[int, Counts]
    population: Counts | None = None
    whole: str = "HUGEINT"

    @property
    def reference(self) -> str | TableReference:
        """What a guarantee names as its reference."""
        return "released" if self.population is None else KNOWN

    @property
    def shares(self) -> Shares:
        """The distribution of the reference."""
        if self.population is not None:
            return shares(self.population)
        total: dict[int, int] = {}
        for counts in self.classes.values():
            for value, count in counts.items():
                total[value] = total.get(value, 0) + count
        return shares(total)


SCENES = {
    "crowd": Scene(CROWD),
    "town in 63 bits": Scene(TOWN, whole="BIGINT"),
    "town": Scene(TOWN),
    "crowd against a population": Scene(CROWD, POPULATION),
}


def shares(counts: Counts) -> Shares:
    return {value: Fraction(count, sum(counts.values())) for value, count in counts.items()}


def stage(connection: duckdb.DuckDBPyConnection, cells: str, values: str, population: str) -> None:
    """The tables that a verdict reads, from queries for them."""
    for name, query in (
        (
            "class_cell_0",
            "SELECT *, SUM(row_count) OVER (PARTITION BY class_id)::BIGINT AS class_size "
            f"FROM ({cells})",
        ),
        ("class_0", "SELECT DISTINCT class_id, class_size FROM class_cell_0"),
        ("value_1", values),
        ("fixed_1", population),
    ):
        connection.execute(f"CREATE OR REPLACE TEMP TABLE {name} AS {query}")


def lines(rows: Sequence[tuple[int, ...]], names: str) -> str:
    return f"SELECT * FROM (VALUES {', '.join(map(str, rows))}) AS t ({names})"


def stage_scene(connection: duckdb.DuckDBPyConnection, scene: Scene) -> None:
    cells = [(c, v, n) for c, counts in scene.classes.items() for v, n in counts.items()]
    stage(
        connection,
        "SELECT class_id, v1, row_count::BIGINT AS row_count "
        f"FROM ({lines(cells, 'class_id, v1, row_count')})",
        lines(
            [(v, v, label, v + 1, 1) for v, label in LABELS.items()],
            "value, id_0, id_1, position, row_count",
        ),
        "SELECT value_id, reference_count::BIGINT AS reference_count FROM ("
        + lines(list((scene.population or POPULATION).items()), "value_id, reference_count")
        + ")",
    )


def beside(figure: Fraction | float, places: int) -> list[str]:
    """The thresholds of so many places next to a figure, below and above."""
    if figure == math.inf:
        return []
    below = math.floor(Fraction(figure) * 10**places)
    return [f"{Decimal(at).scaleb(-places):f}" for at in (below - 1, below, below + 1)]


VALUES = 1_000_000


def million(number: int, value: int) -> int:
    """How often a value occurs in a class of some 10^10 rows; 0 stands for the population."""
    return (
        2_000_000 * (value % 2 == 0),
        1 + value * value % 19_999,
        20_000 * (value < VALUES // 2),
        10_000_000_000 * (value == VALUES - 1),
    )[number]


MILLION = """
SELECT class_id, v1, row_count::BIGINT AS row_count FROM (
  SELECT 1 AS class_id, value AS v1, 1 + value * value % 19999 AS row_count
  FROM RANGE(1000000) AS t (value)
  UNION ALL SELECT 2, value, 20000 FROM RANGE(500000) AS t (value)
  UNION ALL SELECT 3, 999999, 10000000000
)
"""
