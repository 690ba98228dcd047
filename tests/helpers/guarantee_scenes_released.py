"""Small tables to release, for the tests that edit templates: people, beliefs, masked values.

Most optima are fine nodes below coarser ones that break the guarantees, or the other way round: a
template that counts people or rows otherwise finds another node, or other rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import duckdb

from auditing import WEIGHT, load
from guarantee_scenes import close, of, recursive
from guarantee_scenes_people import POPULATION, PRIOR, WEIGHED, k_map, linkage, present, value
from oracle import Ladder, Optimum, Row, Values
from oracle_models import Guarantee, OnFailure, Table, optimum_models
from oracle_people import people_ladder
from strategies import Column, Hierarchy, oracle_ladder

SOURCE, RELEASED = "patients", "released"
TREE = {"tree": {"lungs": ["f", "c"], "stomach": ["u", "g"]}}
QUASI: dict[str, tuple[str, Hierarchy]] = {
    # A far town is called as the near ones are together.
    "zip": ("VARCHAR", {"tree": {"n": ["a", "b"], "f": ["c", "d", "n"]}}),
    "age": ("INTEGER", {"intervals": [10]}),
}
TYPES = {"zip": "VARCHAR", "age": "INTEGER", "disease": "VARCHAR", "salary": "INTEGER"}


def folk(words: str) -> list[Row]:
    """Rows by a town, a disease, a salary in tens, and an age: ``af3`` is 11, ``af3/25`` is 25.

    Dashes stand for NULL.
    """
    rows: list[Row] = []
    for word in words.split():
        letters, _, age = word.partition("/")
        town, disease, salary = [*letters, "-", "-"][:3]
        rows.append(
            {
                "zip": value(town),
                "age": None if age == "-" else int(age or "11"),
                "disease": value(disease),
                "salary": None if salary == "-" else 10 * int(salary),
            }
        )
    return rows


@dataclass(frozen=True)
class Scene:
    """A table, what is asked of it, and the user's tables of people."""

    rows: Sequence[Row]
    asked: Sequence[Guarantee]
    budget: int
    people: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    on_failure: OnFailure = "suppress"
    nulls: str = "value"
    notes: bool = False

    @property
    def policy(self) -> dict[str, Any]:
        """The policy."""
        quasi = {
            name: {"role": "quasi", "hierarchy": hierarchy, "nulls": self.nulls}
            for name, (_, hierarchy) in QUASI.items()
        }
        return {
            "source": {"table": SOURCE},
            "columns": {
                **quasi,
                "disease": {"role": "sensitive", "hierarchy": TREE},
                "salary": {"role": "sensitive", "order": "numeric"},
                **({"note": {"role": "other"}} if self.notes else {}),
            },
            "guarantees": [{name: dict(parameters)} for name, parameters in self.asked],
            "suppression": self.budget,
            "on_failure": self.on_failure,
            "release": {"table": RELEASED},
        }

    def load(self, connection: duckdb.DuckDBPyConnection) -> None:
        """The tables, in place of what has their names."""
        noted = [{**row, "note": f"note {n}"} for n, row in enumerate(self.rows)]
        load(connection, SOURCE, TYPES | ({"note": "VARCHAR"} if self.notes else {}), noted)
        for name, rows in self.people.items():
            load(
                connection, name, TYPES | {WEIGHT: "INTEGER"}, [{**row, WEIGHT: 1} for row in rows]
            )

    @property
    def optimum(self) -> Optimum | None:
        """What the oracle releases."""
        people = [row for rows in self.people.values() for row in rows]
        diseases = tuple(row["disease"] for row in (*self.rows, *people))
        table = Table(
            self.rows,
            list(QUASI),
            ["disease", "salary"],
            orders={"salary": "numeric"},
            trees={"disease": oracle_ladder(Column("disease", "VARCHAR", "", diseases, TREE))},
            references={
                name: [{**r, WEIGHT: 1} for r in rows] for name, rows in self.people.items()
            },
            quasi_trees={
                name: people_ladder(
                    partial(self._ladder, name),
                    [row[name] for row in self.rows],
                    [row[name] for row in people],
                )
                for name in QUASI
            },
        )
        ladders = {name: self._ladder(name, [row[name] for row in self.rows]) for name in QUASI}
        return optimum_models(table, ladders, self.asked, self.budget, self.on_failure)

    def _ladder(self, name: str, values: Values) -> Ladder:
        kind, hierarchy = QUASI[name]
        return oracle_ladder(Column(name, kind, "quasi", tuple(values), hierarchy, self.nulls))


K2: Guarantee = ("k_anonymity", {"k": 2})


def scene(rows: str, budget: int, *asked: Guarantee, **more: Any) -> Scene:
    """A scene with 2-anonymity beside what is asked; tables of people are spelled as rows are."""
    people = {name: folk(more.pop(name)) for name in (POPULATION, PRIOR) if name in more}
    return Scene(folk(rows), [K2, *asked], budget, people, **more)


masked = partial(scene, on_failure="suppress_sensitive")
AROUND = {"n": 6, "supersets": [["zip"], ["age", "zip"]]}
SCENES: dict[str, Scene] = {
    # Nobody else is in a; with b, and people who are older, there are enough.
    "k-map": scene(
        "af au bf bu cf cu/25 df/25",
        0,
        k_map(4),
        population="a a b b z c c/25 d/25 d d/29 -/25 c/-",
    ),
    "k-map suppressed": scene(
        "af au a/- b/- cf cu df -f",
        3,
        k_map(3),
        population="a a a/- b/- c d c/35 -/11 z",
        nulls="suppress",
    ),
    "nulls": scene("-f -u -f/- -u/- af au af", 1, k_map(3), population="- - - -/- -/- a a a"),
    # The rows of b must go, and those of a are as many as may be.
    "strangers": scene("a a a a a a a a b b", 2, present("80%"), population="a " * 10),
    "missing": scene("a a a a c", 1, present("100%", "1%"), population="a a a a a c c"),
    # Half of those who match a class of two towns are in it, and so many must be.
    "least": scene(
        "af au bf bu", 0, k_map(5), present("100%", "50%"), population="a a a a b b b b"
    ),
    "linked": scene(
        "af au bf bu cf cu df du",
        0,
        linkage(POPULATION, "prosecutor", "0", "40%"),
        population="a c",
    ),
    "links": scene(
        "af au bf bu cf cu df du",
        2,
        linkage(POPULATION, "marketer", "18.75%"),
        population="a b b/25 c z",
    ),
    "called": scene("af au bf bu", 0, k_map(2), population="a b b n"),
    # The classes that fail are not counted where a limit is held against what is released.
    "limited": scene(
        "af af bf bu bc cf cu cc",
        2,
        of("disease", "distinct_l_diversity", l=2),
        of("disease", "homogeneity", at_most="10%"),
    ),
    # Nobody in b has one of the least salaries.
    "dense": scene("af1 af1 af1 af2 af3 af4 bf3 bf4", 0, close("salary", "ordered", "0.3")),
    "believed": scene(
        "af af au bf bu bu cf cg df dg dg af/25",
        3,
        of("disease", "positive_disclosure", delta="40%"),
        of("disease", "belief_breach", rho_1="40%", rho_2="70%"),
    ),
    "known": scene(
        "af au bf bu cf cg dg dg",
        2,
        of("disease", "positive_disclosure", delta="30%", prior=WEIGHED),
        prior="af af af au bf bu bu cf cg dg dg df zu a- cu",
    ),
    "surrounded": scene(
        "af au/25 bf/25 bu cf3 cg3 dg/25 dg3/25 af2 bu2 af/25 bu/25",
        4,
        of("disease", "n_t_closeness", distance="equal", t="0.3", **AROUND),
        of("salary", "n_t_closeness", distance="ordered", t="0.3", **AROUND),
    ),
    "hidden": masked(
        "af1 af2 au3 bf1 bf2 cf1 cf1 cu2 df3 df2 af2/25 au1/25 d--/25 d--/25",
        7,
        of("disease", "distinct_l_diversity", l=2),
        close("salary", "ordered", "0.3"),
    ),
    "hidden twice": masked(
        "af1 af2 bu1 bf2 bf1 bf1 cf1 cu1 cg2 df2 df1 du3 dg3 cf/25 cf/25",
        7,
        close("disease", "equal", "0.3"),
        of("disease", "homogeneity", at_most="40%"),
        ("alpha_k_anonymity", {"column": "disease", "alpha": "75%", "k": 3}),
    ),
    "hidden and dropped": masked(
        "af1 au2 bf1 bf2 cf1 cf1 d-- d-- d--/25 d--/25",
        6,
        k_map(2),
        of("disease", "positive_disclosure", delta="50%"),
        population="a a b b d d c d/25",
    ),
    "hidden from rows": masked(
        "af1 au2 bf1 bf2 bf2 cf1 cu1",
        3,
        recursive("disease", 2, 2),
        notes=True,
    ),
}
