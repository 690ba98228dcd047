"""Hypothesis strategies for Mondrian: worlds that are cut, with numbers and dates among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any

import duckdb
from hypothesis import strategies as st

from auditing import load
from guarantee_cases import TYPES, Case, fill
from harness import RELEASE
from oracle import Value
from oracle_local import LocalRelease, as_text
from oracle_models import Guarantee
from oracle_models import Table as Judged
from oracle_mondrian import CutColumn, Cutting, Labels
from strategies import Column, Table, oracle_ladder, quoted
from strategies_local import World, worlds, written

# A quasi-identifier that is ordered by value: what it may be, and how it coarsens.
NUMBER = "number"
NUMBERS: Mapping[str, tuple[Sequence[Value], Any]] = {
    "INTEGER": ((-3, 0, 1, 2, 7, 9, 10), {"intervals": [5]}),
    "DECIMAL(9,2)": (tuple(map(Decimal, ("-0.50", "0.00", "1.25", "9.90"))), {"intervals": [2, 4]}),
    "DATE": (
        tuple(map(date.fromisoformat, ("2023-12-31", "2024-01-01", "2024-01-09", "2024-03-01"))),
        {"dates": ["month", "year"]},
    ),
}
OBJECTIVES: Sequence[Any] = (
    *("loss", "loss", "discernibility", "average_class_size"),
    *("precision", "height", "non_uniform_entropy", "ambiguity"),
    {"loss": {"weights": {"zip": 3}}},
    {"precision": {"weights": {"age": 0.5}}},
)
OF_SIZES = ("discernibility", "average_class_size")


@dataclass(frozen=True)
class CutWorld:
    """A world of text, with a quasi-identifier of numbers or dates beside it, and how it is cut."""

    world: World
    labels: Labels
    by: Any
    objective: Any
    number: Column | None = None
    number_levels: tuple[int, int] | None = None

    @property
    def case(self) -> Case:
        """What is asked, of which rows."""
        return self.world.case

    @property
    def is_masking(self) -> bool:
        """Whether rows that fail by their values stay without them."""
        return self.case.on_failure == "suppress_sensitive"

    def rows(self) -> list[dict[str, Any]]:
        """The rows, each with a note and, where there are some, a number."""
        numbers = [None] * len(self.case.rows) if self.number is None else self.number.values
        named: list[dict[str, Any]] = [{}] * len(self.case.rows)
        if self.number is not None:
            named = [{NUMBER: number} for number in numbers]
        rows = self.world.parts()[0].rows
        return [{**row, **more} for row, more in zip(rows, named, strict=True)]

    def fill(self, connection: duckdb.DuckDBPyConnection) -> None:
        """The tables of the case."""
        fill(connection, self.case)
        types = {**TYPES, **({"note": "VARCHAR"} if self.case.other else {})}
        if self.world.sexes:
            types["sex"] = "VARCHAR"
        if self.number is not None:
            types[NUMBER] = self.number.type
        load(connection, "people", types, self.rows())

    def mapping(self) -> dict[str, Any]:
        """The policy of the world, as the file would have it."""
        mapping = self.world.mapping()
        if self.number is not None:
            declared = {"hierarchy": self.number.hierarchy, "nulls": self.number.nulls}
            mapping["columns"][NUMBER] = {"role": "quasi", **declared}
            if self.number_levels is not None:
                mapping["columns"][NUMBER]["levels"] = list(self.number_levels)
        recoding = {"mondrian": {"labels": self.labels, "cut": self.by}}
        return {**mapping, "recoding": recoding, "objective": self.objective}

    def cutting(self) -> Cutting:
        """The world as the oracle cuts it."""
        source, held, guarantees = self.world.parts()
        columns = {
            name: CutColumn(each.ladder, each.floor, each.ceiling, asked=self.labels)
            for name, each in held.items()
        }
        if self.number is not None:
            ladder = oracle_ladder(self.number)
            levels = self.number_levels or (0, ladder.height)
            columns[NUMBER] = CutColumn(
                ladder, *levels, is_text=False, asked=self.labels, type=self.number.type
            )
        source = replace(source, rows=self.rows(), quasi=list(columns))
        return Cutting(
            source,
            columns,
            guarantees,
            by=self.by,
            by_sizes=self.objective in OF_SIZES,
            weights=self.weights(),
            others=["note"] if self.case.other else [],
            masks=self.is_masking,
        )

    def weights(self) -> dict[str, Fraction]:
        """The weights that the objective gives columns."""
        if isinstance(self.objective, str):
            return {}
        (options,) = self.objective.values()
        return {name: Fraction(str(each)) for name, each in options["weights"].items()}

    def weights_of(self, objective: str) -> list[Fraction]:
        """The weight of each column in an objective; none where another one is asked for."""
        if isinstance(self.objective, str) or objective not in self.objective:
            return []
        weights, names = self.weights(), [*self.cutting().columns]
        return [weights.get(name, Fraction(1)) for name in names]

    def released(self, connection: duckdb.DuckDBPyConnection) -> LocalRelease:
        """The table that was released, for the oracle, with labels as text."""
        cutting = self.cutting()
        names = [*cutting.columns, *cutting.source.sensitive, *cutting.others]
        rows = connection.execute(f"SELECT {', '.join(names)} FROM released").fetchall()
        shown: Any = [
            {
                name: as_text(value) if name in cutting.columns else value
                for name, value in zip(names, row, strict=True)
            }
            for row in rows
        ]
        on_failure = self.case.on_failure
        return LocalRelease(cutting.source, cutting.columns, cutting.others, shown, on_failure)


LABELS: st.SearchStrategy[Labels] = st.sampled_from(["ladder", "range", "set"])
AVERAGES: st.SearchStrategy[Labels] = st.sampled_from(["mean", "median"])
BY = st.sampled_from(["width", "width", "objective"])


@st.composite
def cut_worlds(
    draw: st.DrawFn,
    other: bool | None = True,
    labels: st.SearchStrategy[Labels] = LABELS,
    kinds: Sequence[str] = ("", "", *NUMBERS),
) -> CutWorld:
    """Worlds that are cut, by any labels, order and objective."""
    world = draw(worlds(other=other))
    number, levels = None, None
    kind = draw(st.sampled_from(kinds))
    if kind:
        values, hierarchy = NUMBERS[kind]
        size = len(world.case.rows)
        pool = [*values, *draw(st.sampled_from([[], [None]]))]
        drawn = draw(st.lists(st.sampled_from(pool), min_size=size, max_size=size))
        number = Column(NUMBER, kind, "quasi", tuple(drawn), hierarchy, world.case.nulls)
        height = oracle_ladder(number).height
        if draw(st.sampled_from([False, False, True])):
            floor = draw(st.integers(0, height))
            levels = (floor, draw(st.integers(floor, height)))
    objective = draw(st.sampled_from(OBJECTIVES))
    return CutWorld(world, draw(labels), draw(BY), objective, number, levels)


def cut_table(
    connection: duckdb.DuckDBPyConnection,
    table: Table,
    levels: Mapping[str, tuple[int, int]],
    labels: Labels,
    guarantees: Sequence[Guarantee],
) -> Cutting:
    """An adversarial table as the oracle cuts it."""
    columns = {}
    for column in table.columns:
        if column.role != "quasi":
            continue
        texts = connection.execute(
            f"SELECT DISTINCT {quoted(column.name)}, CAST({quoted(column.name)} AS VARCHAR) "
            f"FROM {quoted(table.name)}"
        ).fetchall()
        ladder = oracle_ladder(column)
        columns[column.name] = CutColumn(
            ladder,
            *levels.get(column.name, (0, ladder.height)),
            partial(written, dict(texts)),
            is_text=column.type == "VARCHAR",
            asked=labels,
            type=column.type,
        )
    sensitive = [column.name for column in table.columns if column.role == "sensitive"]
    others = [column.name for column in table.columns if column.role == "other"]
    source = Judged(table.rows, list(columns), sensitive)
    return Cutting(source, columns, guarantees, others=others)


def released_of(connection: duckdb.DuckDBPyConnection, cutting: Cutting) -> LocalRelease:
    """The table that was released of an adversarial one, with labels as text."""
    names = [*cutting.columns, *cutting.source.sensitive, *cutting.others]
    shown = [
        f"CAST({quoted(name)} AS VARCHAR)" if name in cutting.columns else quoted(name)
        for name in names
    ]
    found = connection.execute(f"SELECT {', '.join(shown)} FROM {quoted(RELEASE)}").fetchall()
    rows: Any = [dict(zip(names, row, strict=True)) for row in found]
    return LocalRelease(cutting.source, cutting.columns, cutting.others, rows)
