"""One table judged twice: by the oracle, and by an audit of it in a database."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any
from unittest.mock import patch

import duckdb

from oracle import Ladder, Row, Value, Values
from oracle_models import Figure, Guarantee, Judgement, OnFailure, Table, judge, judge_masked
from oracle_people import people_ladder
from sqlgen import Audit, audit_table, read_policy
from sqlgen.auditing import audit
from sqlgen.guarantees.closeness import DISTANCE_FORMS
from sqlgen.measuring.tables import GuaranteeResult
from strategies import Column, Hierarchy, from_text, oracle_ladder, quoted

AUDITED, SOURCE, KNOWN = "released", "patients", "known"
WEIGHT = "row_count"
QUANTILES = (Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(1))
# What a policy spells as text and the oracle takes as values of the column.
_VALUES = ("values", "disclosable", "protected")
TREE = {"tree": {"g": ["a", "b"], "h": ["c", "d"]}}
# The distances that any column has; others need an order or a hierarchy of it.
PLAIN = tuple(name for name, form in DISTANCE_FORMS.items() if not form.needs)
# Every guarantee that compares classes with a reference, each with a bound that only equals meet.
COMPARED: Sequence[Guarantee] = [
    *(("t_closeness", {"distance": distance, "t": 0}) for distance in DISTANCE_FORMS),
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
class Quasi:
    """A quasi-identifier as a policy declares it, the type it has in the source, and its level."""

    type: str = "VARCHAR"
    hierarchy: Hierarchy = "suppress"
    level: int = 0
    nulls: str = "value"
    uncovered: str = "error"

    @property
    def declared(self) -> dict[str, Any]:
        """The column's section of the policy."""
        policies = {"nulls": self.nulls, "uncovered": self.uncovered}
        return {"role": "quasi", "hierarchy": self.hierarchy, **policies}


@dataclass(frozen=True)
class Case:
    """A table to audit, the source it came from, and tables of the user's.

    ``quasi`` has the types of quasi-identifiers as the rows hold them. Where those are labels,
    ``ladders`` says how they came about from what the source and ``people`` hold: tables of
    people by name, with quasi-identifiers and, if known, sensitive values and ``WEIGHT``.
    ``known`` is a table of sensitive values and weights. ``persons`` is a column that says whom a
    row is about; rows of no person hold NULL.
    """

    quasi: Mapping[str, str]
    sensitive: Sequence[Sensitive]
    rows: Sequence[Row]
    source: Sequence[Row] = ()
    known: Sequence[Row] = ()
    persons: str | None = None
    ladders: Mapping[str, Quasi] = field(default_factory=dict)
    people: Mapping[str, Sequence[Row]] = field(default_factory=dict)

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
            {KNOWN: self.known, **self.people},
            {name: self._quasi_ladder(name, each) for name, each in self.ladders.items()},
            [self.ladders[name].level if name in self.ladders else 0 for name in self.quasi],
        )

    def _quasi_ladder(self, name: str, quasi: Quasi) -> Ladder:
        def build(values: Values) -> Ladder:
            declared = (quasi.hierarchy, quasi.nulls, quasi.uncovered)
            return oracle_ladder(Column(name, quasi.type, "quasi", tuple(values), *declared))

        people = [row[name] for rows in self.people.values() for row in rows]
        return people_ladder(build, [], people)

    @staticmethod
    def _order(column: Sensitive) -> Any:
        order = column.order
        return order if isinstance(order, str) else [column.value(each) for each in order or ()]

    def _ladder(self, column: Sensitive) -> Ladder:
        people = (row for rows in self.people.values() for row in rows)
        rows = (*self.rows, *self.source, *self.known, *people)
        values = tuple(row[column.name] for row in rows if column.name in row)
        return oracle_ladder(
            Column(
                *(column.name, column.type, "quasi", values),
                *(column.hierarchy, column.nulls, column.uncovered),
            )
        )

    def judged(self, guarantee: Guarantee, on_failure: OnFailure = "suppress") -> Judgement:
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
        judging = judge if on_failure == "suppress" else judge_masked
        return judging(self.table, (name, read))

    def load(self, connection: duckdb.DuckDBPyConnection) -> None:
        """The tables of the case, in place of what has their names."""
        sensitive = {column.name: column.type for column in self.sensitive}
        persons = {} if self.persons is None else {self.persons: "INTEGER"}
        weight = {WEIGHT: "DECIMAL(9,2)"}
        raw = {**self.quasi, **{name: each.type for name, each in self.ladders.items()}}
        load(connection, AUDITED, {**self.quasi, **sensitive, **persons}, self.rows)
        load(connection, SOURCE, {**raw, **sensitive, **persons}, self.source)
        load(connection, KNOWN, {**sensitive, **weight}, self.known)
        for name, rows in self.people.items():
            every = {**raw, **sensitive, **weight}
            held = {key: kind for key, kind in every.items() if not rows or key in rows[0]}
            load(connection, name, held, rows)

    def audited(
        self, connection: duckdb.DuckDBPyConnection, guarantees: Iterable[Guarantee]
    ) -> Sequence[GuaranteeResult]:
        """What an audit of the loaded table says of guarantees."""
        return self.audit(connection, guarantees).guarantees

    def audit(
        self,
        connection: duckdb.DuckDBPyConnection,
        guarantees: Iterable[Guarantee],
        on_failure: OnFailure = "suppress",
    ) -> Audit:
        """An audit of the loaded table."""
        columns: dict[str, Any] = {
            name: self.ladders[name].declared
            if name in self.ladders
            else {"role": "quasi", "hierarchy": "suppress"}
            for name in self.quasi
        }
        if self.persons is not None:
            columns[self.persons] = {"role": "identifier"}
        policy = read_policy(
            {
                "source": {"table": SOURCE},
                "columns": columns | {each.name: each.declared for each in self.sensitive},
                "guarantees": [{name: dict(parameters)} for name, parameters in guarantees],
                **({} if on_failure == "suppress" else {"on_failure": on_failure}),
            }
        )
        return audit_table(policy, AUDITED, connection)


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


def assert_agrees(found: GuaranteeResult, judged: Judgement, rows: int | None = None) -> None:
    """Hold what an audit measured against the oracle's judgement.

    A table without rows has no failing class, and yet gives no guarantee. How many there are is
    said where some classes have no figures.
    """
    has_rows = bool(judged.figures) if rows is None else rows > 0
    told = (found.guarantee, found, judged)
    assert near(found.value, judged.measured or 0), told
    assert found.failing_classes == len(judged.failing), told
    assert found.failing_rows == judged.failing_rows, told
    assert found.satisfied == (judged.met and has_rows), told
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
) -> Sequence[GuaranteeResult]:
    """What an audit of a table says of guarantees, which are about the column s."""
    case.load(connection)
    about = {name: {} if name == "k_anonymity" else {"column": "s"} for name, _ in guarantees}
    asked = [(name, {**about[name], **parameters}) for name, parameters in guarantees]
    return case.audited(connection, asked)


@contextmanager
def verdicts_alone() -> Iterator[None]:
    """Audits that measure their guarantees, and nothing beside them.

    What would mend a guarantee, and what an observer learns, take most of an audit's time.
    """
    with patch.object(audit, "find_advice"), patch.object(audit, "attacks_of", return_value=()):
        yield
