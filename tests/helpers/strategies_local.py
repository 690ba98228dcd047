"""Hypothesis strategies for local recodings: what is asked, the levels allowed, what is released.

A world is a drawn case, its columns held to levels, and the recoding of its policy. Every row has a
note of its own where other columns are released: then it is certain which row became which.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import duckdb
from hypothesis import strategies as st

import oracle
from auditing import load
from guarantee_cases import TYPES, Case, cases, fill, policy_mapping, table_of
from harness import RELEASE
from oracle import Value
from oracle_local import HeldColumn, LocalRelease
from oracle_models import Guarantee, Release, release_models
from oracle_models import Table as Judged
from strategies import Column, Table, as_text, make_table, quoted, tables
from strategies_releases import PRIORS, one_of

LOCAL = "local"
KEEPING = {"local": {"suppress": False}}
HEIGHTS_OF_TWO = {"zip": 3, "age": 2}
HEIGHTS = {**HEIGHTS_OF_TWO, "sex": 1}
# Released as it is, one value per row. No drawn column has a name as long.
NUMBER = "the number of the row"

# Thresholds that some tables meet: what no table gives shows nothing of how it is recoded.
SENSITIVE = st.sampled_from(["disease", "salary"])
VALUES = st.sampled_from([2, 2, 3])
REFERENCES = st.sampled_from([*["released"] * 4, *["source"] * 2, "uniform", PRIORS])
DISTANCES = st.sampled_from(["0", "0.1", "0.25", "0.3", "0.5", "0.75"])
DISTINCT = one_of("distinct_l_diversity", column=SENSITIVE, l=VALUES)
ENTROPY = one_of("entropy_l_diversity", column=SENSITIVE, l=st.sampled_from(["1.5", "2"]))
RECURSIVE = one_of(
    "recursive_l_diversity",
    column=st.just("disease"),
    c=st.sampled_from(["1", "2", "3.5"]),
    l=VALUES,
    disclosable=st.sampled_from([[], ["flu"]]),
)


def _close(column: str, *distances: str) -> st.SearchStrategy[dict[str, Any]]:
    return one_of(
        "t_closeness",
        column=st.just(column),
        t=DISTANCES,
        distance=st.sampled_from(distances),
        reference=REFERENCES,
    )


CLOSENESS = st.one_of(_close("disease", "equal", "hierarchical"), _close("salary", "ordered"))
PERSONS = one_of("k_anonymity", k=st.integers(2, 3), unit=st.just("person"))
ASKED = st.one_of(DISTINCT, ENTROPY, RECURSIVE, CLOSENESS, CLOSENESS, PERSONS)


@dataclass(frozen=True)
class World:
    """A case with the levels that its columns are held to, and how it is recoded.

    Where its rows have a sex, that is a quasi-identifier too.
    """

    case: Case
    levels: Mapping[str, tuple[int, int]]
    recoding: Any = LOCAL

    @property
    def is_plain(self) -> bool:
        """Whether no label may be of two levels, which * is where it is not the top's alone."""
        return "top" not in (self.case.nulls, self.case.uncovered)

    @property
    def moves(self) -> bool:
        """Whether a guarantee compares classes with what is released."""
        asked = [parameters for each in self.case.guarantees for parameters in each.values()]
        return any(each.get("reference") in ("released", "uniform") for each in asked)

    @property
    def sexes(self) -> list[Value]:
        """The sex of each row, if rows have any."""
        return [row["sex"] for row in self.case.rows if "sex" in row]

    def fill(self, connection: duckdb.DuckDBPyConnection) -> None:
        """The tables of the case, the people with their notes and sexes where they have some."""
        fill(connection, self.case)
        types = {**TYPES, **({"note": "VARCHAR"} if self.case.other else {}), "sex": "VARCHAR"}
        if self.sexes:
            load(connection, "people", types, self.parts()[0].rows)

    def mapping(self) -> dict[str, Any]:
        """The policy of the world, as the file would have it."""
        mapping = policy_mapping(self.case)
        if self.sexes:
            mapping["columns"]["sex"] = {"role": "quasi", "hierarchy": "suppress"}
        for name, (floor, ceiling) in self.levels.items():
            mapping["columns"][name]["levels"] = [floor, ceiling]
        return {**mapping, "recoding": self.recoding}

    def parts(self) -> tuple[Judged, dict[str, HeldColumn], list[Guarantee]]:
        """The source with a note per row, its columns, and the guarantees, as the oracle has them.

        The notes are those that the case's rows are stored with.
        """
        source, ladders, guarantees = table_of(self.case)
        rows: Any = [{"note": f"note {n}", **row} for n, row in enumerate(self.case.rows)]
        if self.sexes:
            ladders["sex"] = oracle.rule_ladder(self.sexes, [])
        held = {
            name: HeldColumn(ladder, *self.levels.get(name, (0, ladder.height)))
            for name, ladder in ladders.items()
        }
        return replace(source, rows=rows, quasi=list(held)), held, guarantees

    def ceiling(self) -> Release:
        """What the node of the coarsest allowed levels releases."""
        source, held, guarantees = self.parts()
        ladders = {name: each.ladder for name, each in held.items()}
        node = [each.ceiling for each in held.values()]
        asked = (guarantees, self.case.budget, self.case.on_failure)
        return release_models(source, ladders, node, *asked)

    def released(self, connection: duckdb.DuckDBPyConnection) -> LocalRelease:
        """The table that was released, for the oracle."""
        source, held, _ = self.parts()
        others = ["note"] if self.case.other else []
        names = [*held, *source.sensitive, *others]
        rows = connection.execute(f"SELECT {', '.join(names)} FROM released").fetchall()
        shown: Any = [dict(zip(names, row, strict=True)) for row in rows]
        return LocalRelease(source, held, others, shown, self.case.on_failure)


@st.composite
def worlds(
    draw: st.DrawFn, asked: st.SearchStrategy[dict[str, Any]] = ASKED, other: bool | None = True
) -> World:
    """Worlds, some of which ask for k alone. With notes, without, or either if that is None."""
    case = draw(cases(asked))
    count = draw(st.sampled_from([1, len(case.guarantees), len(case.guarantees)]))
    notes = draw(st.booleans()) if other is None else other
    # Rows that are alike make classes that are large enough to be parted.
    alike = st.lists(st.sampled_from(case.rows), min_size=16, max_size=40)
    rows = draw(st.one_of(st.just(case.rows), alike, alike))
    sexes = draw(st.sampled_from(["", "f", "fm", "fm"]))
    if sexes:
        rows = [{**row, "sex": draw(st.sampled_from(sexes))} for row in rows]
    held = {}
    for name, height in (HEIGHTS if sexes else HEIGHTS_OF_TWO).items():
        if draw(st.sampled_from([False, False, True])):
            floor = draw(st.integers(0, height))
            held[name] = (floor, draw(st.integers(floor, height)))
    budget = draw(st.sampled_from([0, case.budget, case.budget]))
    guarantees = case.guarantees[:count]
    case = replace(case, rows=rows, guarantees=guarantees, budget=budget, other=notes)
    return World(case, held, draw(st.sampled_from([LOCAL, LOCAL, KEEPING])))


def numbered(table: Table) -> Table:
    """The same table with the number of each row as a column that is released as it is."""
    number = Column(NUMBER, "INTEGER", "other", tuple(range(len(table.rows))))
    return make_table(table.name, [*table.columns, number])


@st.composite
def hostile(draw: st.DrawFn) -> tuple[Table, dict[str, tuple[int, int]]]:
    """Adversarial tables whose rows are numbered, and the levels that some columns are held to."""
    table = numbered(draw(tables(max_rows=30, max_quasi=3)))
    held = {}
    for name, ladder in table.ladders.items():
        if draw(st.booleans()):
            floor = draw(st.integers(0, ladder.height))
            held[name] = (floor, draw(st.integers(floor, ladder.height)))
    return table, held


def written(texts: Mapping[Value, str], value: Value) -> str | None:
    """A value as the engine writes it, be it one that no row has, or a label."""
    return None if value is None else texts.get(value, as_text(value))


def hostile_release(
    connection: duckdb.DuckDBPyConnection, table: Table, levels: Mapping[str, tuple[int, int]]
) -> LocalRelease:
    """The table that was released of an adversarial one, for the oracle, with labels as text."""
    held = {}
    for name, ladder in table.ladders.items():
        texts = connection.execute(
            f"SELECT DISTINCT {quoted(name)}, CAST({quoted(name)} AS VARCHAR) "
            f"FROM {quoted(table.name)}"
        ).fetchall()
        floor, ceiling = levels.get(name, (0, ladder.height))
        held[name] = HeldColumn(ladder, floor, ceiling, partial(written, dict(texts)))
    names = [column.name for column in table.columns if column.role != "identifier"]
    shown = [f"CAST({quoted(name)} AS VARCHAR)" if name in held else quoted(name) for name in names]
    found = connection.execute(f"SELECT {', '.join(shown)} FROM {quoted(RELEASE)}").fetchall()
    rows: Any = [dict(zip(names, row, strict=True)) for row in found]
    sensitive = [column.name for column in table.columns if column.role == "sensitive"]
    source = Judged(table.rows, list(held), sensitive)
    others = [name for name in names if name not in (*held, *sensitive)]
    return LocalRelease(source, held, others, rows)
