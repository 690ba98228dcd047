"""One table judged twice: by the oracle, and by an audit of it in a database."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import duckdb

from oracle import Ladder, Row, Value
from oracle_models import Figure, Guarantee, Judgement, Table, judge
from sqlgen import audit_table, read_policy
from sqlgen.measured import Measured
from strategies import Column, Hierarchy, from_text, oracle_ladder, quoted

AUDITED, SOURCE, KNOWN = "released", "patients", "known"
WEIGHT = "row_count"
QUANTILES = (Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(1))
# What a policy spells as text and the oracle takes as values of the column.
_VALUES = ("values", "disclosable", "protected")
TREE = {"tree": {"g": ["a", "b"], "h": ["c", "d"]}}
PLAIN = ("equal", "variational", "kl", "js")
DISTANCES = (*PLAIN, "ordered", "hierarchical")
# Every guarantee that compares classes with a reference, each with a bound that only equals meet.
COMPARED: Sequence[Guarantee] = [
    *(("t_closeness", {"distance": distance, "t": 0}) for distance in DISTANCES),
    ("ratio_closeness", {"epsilon": "0.000000001"}),
    ("delta_disclosure", {"delta": "0.000000001"}),
    ("delta_disclosure", {"delta": "0.000000001", "absent": "ignore"}),
    ("beta_likeness", {"beta": "0.000000001"}),
    ("skewness", {"at_most": 1}),
]


@dataclass(frozen=True)
class Sensitive:
    """A sensitive column as a policy declares it."""

    name: str
    type: str = "VARCHAR"
    order: str | Sequence[str] | None = None
    hierarchy: Hierarchy | None = None
    nulls: str = "value"
    uncovered: str = "error"

    @property
    def declared(self) -> dict[str, Any]:
        """The column's section of the policy."""
        section: dict[str, Any] = {"role": "sensitive"}
        if self.order is not None:
            section["order"] = self.order if isinstance(self.order, str) else list(self.order)
        if self.hierarchy is not None:
            policies = {"nulls": self.nulls, "uncovered": self.uncovered}
            section |= {"hierarchy": self.hierarchy, **policies}
        return section

    def value(self, text: str) -> Value:
        """The value of the column that a policy's text stands for."""
        return from_text(text, self.type)


@dataclass(frozen=True)
class Case:
    """A table to audit, the source it came from, and a table of the user's with weights.

    ``persons`` is a column that says whom a row is about; rows of no person hold NULL.
    """

    quasi: Mapping[str, str]
    sensitive: Sequence[Sensitive]
    rows: Sequence[Row]
    source: Sequence[Row] = ()
    known: Sequence[Row] = ()
    persons: str | None = None

    @property
    def table(self) -> Table:
        """The table as the oracle knows it."""
        return Table(
            self.rows,
            list(self.quasi),
            [column.name for column in self.sensitive],
            self.source or None,
            {column.name: self._order(column) for column in self.sensitive if column.order},
            {column.name: self._ladder(column) for column in self.sensitive if column.hierarchy},
            {KNOWN: self.known},
        )

    @staticmethod
    def _order(column: Sensitive) -> Any:
        order = column.order
        return order if isinstance(order, str) else [column.value(each) for each in order or ()]

    def _ladder(self, column: Sensitive) -> Ladder:
        rows = (*self.rows, *self.source, *self.known)
        values = tuple(row[column.name] for row in rows)
        return oracle_ladder(
            Column(
                *(column.name, column.type, "quasi", values),
                *(column.hierarchy, column.nulls, column.uncovered),
            )
        )

    def judged(self, guarantee: Guarantee) -> Judgement:
        """What the oracle says, given the policy's spelling of a guarantee."""
        name, parameters = guarantee
        by_name = {column.name: column for column in self.sensitive}
        read = dict(parameters)
        column = by_name.get(str(read.get("column")))
        if column is not None:
            for key in _VALUES:
                if key in read:
                    read[key] = [column.value(text) for text in read[key]]
            if "groups" in read:
                read["groups"] = {
                    group: [column.value(text) for text in texts]
                    for group, texts in read["groups"].items()
                }
        return judge(self.table, (name, read))

    def load(self, connection: duckdb.DuckDBPyConnection) -> None:
        """The tables of the case, in place of what has their names."""
        sensitive = {column.name: column.type for column in self.sensitive}
        persons = {} if self.persons is None else {self.persons: "INTEGER"}
        every = {**self.quasi, **sensitive, **persons}
        load(connection, AUDITED, every, self.rows)
        load(connection, SOURCE, every, self.source)
        load(connection, KNOWN, {**sensitive, WEIGHT: "DECIMAL(9,2)"}, self.known)

    def audited(
        self, connection: duckdb.DuckDBPyConnection, guarantees: Iterable[Guarantee]
    ) -> Sequence[Measured]:
        """What an audit of the loaded table says of guarantees."""
        columns: dict[str, Any] = {
            name: {"role": "quasi", "hierarchy": "suppress"} for name in self.quasi
        }
        if self.persons is not None:
            columns[self.persons] = {"role": "identifier"}
        policy = read_policy(
            {
                "source": {"table": SOURCE},
                "columns": columns | {each.name: each.declared for each in self.sensitive},
                "guarantees": [{name: dict(parameters)} for name, parameters in guarantees],
            }
        )
        return audit_table(policy, AUDITED, connection).guarantees


def load(
    connection: duckdb.DuckDBPyConnection, name: str, types: Mapping[str, str], rows: Sequence[Row]
) -> None:
    """A table of some rows, in place of one of that name."""
    columns = ", ".join(f"{quoted(column)} {kind}" for column, kind in types.items())
    connection.execute(f"CREATE OR REPLACE TABLE {quoted(name)} ({columns})")
    if rows:
        plain = [kind.partition(" COLLATE")[0] for kind in types.values()]
        line = "(" + ", ".join(f"CAST(? AS {kind})" for kind in plain) + ")"
        connection.execute(
            f"INSERT INTO {quoted(name)} VALUES {', '.join([line] * len(rows))}",
            [row[column] for row in rows for column in types],
        )


def near(found: float, expected: Figure) -> bool:
    """Whether a measured figure is the exact one, but for the last digits of a logarithm."""
    return math.isclose(found, expected, rel_tol=1e-12, abs_tol=1e-13)


def quantiles(figures: Iterable[Figure]) -> list[Figure]:
    """The least figure that a share of the classes does not exceed, for five shares."""
    ascending = sorted(figures)
    return [ascending[max(math.ceil(q * len(ascending)), 1) - 1] for q in QUANTILES if ascending]


def assert_agrees(found: Measured, judged: Judgement) -> None:
    """Hold what an audit measured against the oracle's judgement.

    A table without rows has no failing class, and yet gives no guarantee.
    """
    told = (found.guarantee, found, judged)
    assert near(found.measured, judged.measured or 0), told
    assert found.failing_classes == len(judged.failing), told
    assert found.failing_rows == judged.failing_rows, told
    assert found.satisfied == (judged.met and bool(judged.figures)), told
    expected = quantiles(judged.figures.values())
    assert len(found.figures) == len(expected), told
    assert all(map(near, found.figures, expected)), told


def table_of(
    groups: Mapping[Any, Sequence[Value]],
    column: Sensitive = Sensitive("s"),
    *,
    source: Sequence[Row] = (),
    known: Sequence[Row] = (),
) -> Case:
    """A table of one quasi-identifier q and one sensitive column, class by class."""
    rows = [{"q": q, column.name: s} for q, values in groups.items() for s in values]
    return Case({"q": "VARCHAR"}, [column], rows, source, known)


def people(*values: Value, weights: Sequence[str] = ()) -> list[Row]:
    """The rows of a table of the user's."""
    of_each = weights or ["1"] * len(values)
    return [{"s": s, WEIGHT: Decimal(w)} for s, w in zip(values, of_each, strict=True)]


def audited(
    connection: duckdb.DuckDBPyConnection, case: Case, *guarantees: Guarantee
) -> Sequence[Measured]:
    """What an audit of a table says of guarantees, which are about the column s."""
    case.load(connection)
    about = {name: {} if name == "k_anonymity" else {"column": "s"} for name, _ in guarantees}
    asked = [(name, {**about[name], **parameters}) for name, parameters in guarantees]
    return case.audited(connection, asked)
