"""Uniqueness: rows that stand alone by what a release shows beside its quasi-identifiers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.measuring.purposes import Purpose, measuring
from sqlgen.policy import Policy, Role
from sqlgen.sql.render import Statement, statement
from sqlgen.sql.types import Column, Kind
from sqlgen.staging.ladders import staged_ladder
from sqlgen.wording import share_words

# A column warns where more of the rows that have a value than this share are alone with it, ...
UNIQUE_SHARE = 0.05
# ... or where fewer of them than this share a value on average: a name in a table of visits is
# rare, though nobody has one visit alone.
ROWS_PER_VALUE = 5
# Neither says anything of so few values: a column of ten never warns, however small the table.
FEW_VALUES = 10


@dataclass(frozen=True)
class ColumnUniqueness:
    """A released column: its distinct values, and the rows that are alone with theirs.

    ``accepted`` says that the policy's ``accept_unique`` names it. NULL is no value:
    ``valued_rows`` have one, and names in few rows are as rare as names in all.
    """

    column: str
    role: str
    rows: int
    valued_rows: int
    distinct_values: int
    unique_rows: int
    accepted: bool = False

    @property
    def identifies(self) -> bool:
        """Whether the values are so rare that they may identify people, accepted or not."""
        has_rare_values = self.distinct_values > max(FEW_VALUES, self.valued_rows / ROWS_PER_VALUE)
        return self._has_unique_rows or has_rare_values

    @property
    def _has_unique_rows(self) -> bool:
        return self.unique_rows > max(FEW_VALUES, UNIQUE_SHARE * self.valued_rows)

    @property
    def warns(self) -> bool:
        """Whether a reader is to be warned."""
        return self.identifies and not self.accepted

    @property
    def words(self) -> str:
        """The rare values of the column, as a sentence without its full stop."""
        rows = f"{self.valued_rows:,} rows"
        if self.valued_rows < self.rows:
            rows += " that have a value"
        if self._has_unique_rows:
            return (
                f"{self.unique_rows:,} of {rows} "
                f"({share_words(self.unique_rows / self.valued_rows)}) are unique by {self.column}"
            )
        return (
            f"{self.column} has {self.distinct_values:,} distinct values in {rows}, so "
            f"fewer than {ROWS_PER_VALUE} rows share one on average"
        )

    def to_dict(self) -> dict[str, Any]:
        """The column as plain values."""
        return {
            "column": self.column,
            "role": self.role,
            "valued_rows": self.valued_rows,
            "distinct_values": self.distinct_values,
            "unique_rows": self.unique_rows,
            "accepted": self.accepted,
            "warning": self.warns,
        }


@dataclass(frozen=True)
class Uniqueness:
    """The rows that a table's columns beside its quasi-identifiers single out.

    ``unique_together`` counts the rows that no other row equals in all of these columns and the
    quasi-identifiers; None where that was not counted.
    """

    rows: int = 0
    columns: tuple[ColumnUniqueness, ...] = ()
    unique_together: int | None = None

    @property
    def warnings(self) -> tuple[ColumnUniqueness, ...]:
        """The columns that may identify people and are not in ``accept_unique``."""
        return tuple(column for column in self.columns if column.warns)

    @property
    def unbounded_words(self) -> str:
        """The columns that warn, as a sentence to end the verdict of a policy that is met.

        Empty where no column warns.
        """
        names = ", ".join(column.column for column in self.warnings)
        return (
            f" It bounds nothing of {names}, and these values may identify people" if names else ""
        )

    def to_dict(self) -> dict[str, Any]:
        """The counts as plain values."""
        return {
            "rows": self.rows,
            "columns": [column.to_dict() for column in self.columns],
            "unique_together": self.unique_together,
        }


def released_uniqueness(engine: Engine, policy: Policy, relation: Relation) -> Uniqueness:
    """The uniqueness of a finished table, whose quasi-identifiers are labels already."""
    uniqueness = _counted(engine, policy, relation)
    if not _asks_together(uniqueness):
        return uniqueness
    keys = [
        _key(column)
        for column in relation.columns
        if policy.columns[column.name].role is not Role.IDENTIFIER
    ]
    return _with_together(engine, uniqueness, relation, keys)


def planned_uniqueness(
    engine: Engine,
    policy: Policy,
    shown: Relation,
    ladders: Sequence[Ladder],
    levels: Mapping[str, int] | None,
) -> Uniqueness:
    """The uniqueness of the source's rows, with the labels that a plan would show.

    ``shown`` is the source with labels of the sensitive columns that have a level, ``ladders``
    those of the quasi-identifiers, staged. Where they have no single level, rows that are unique by
    all columns together are left to the audit of the release.
    """
    uniqueness = _counted(engine, policy, shown)
    if levels is None or not _asks_together(uniqueness):
        return uniqueness
    keys = [_key(shown.column(column.column)) for column in uniqueness.columns]
    joined = []
    for number, ladder in enumerate(ladders, 1):
        level = levels[ladder.column.name]
        if level == 0:
            keys.append(_key(ladder.column))
        elif level < ladder.height:
            alias = Markup(f"q{number}")
            table, plain = staged_ladder(number, ladder), ladder.column.plain("audited")
            joined.append({"alias": alias, "table": table, "plain": plain})
            keys.append(alias + Markup(f".id_{level}"))
    return _with_together(engine, uniqueness, shown, keys, joined)


def table_uniqueness(
    engine: Engine, relation: Relation, quasi: Iterable[str], sensitive: Iterable[str]
) -> Uniqueness:
    """The uniqueness of a table without a policy: columns without a role count as ``other``."""
    named = {**dict.fromkeys(sensitive, Role.SENSITIVE), **dict.fromkeys(quasi, Role.QUASI)}
    roles = {name: named.get(name, Role.OTHER) for name in relation.names}
    asked = _columns_statement(relation, roles)
    uniqueness = Uniqueness() if asked is None else _read_columns(engine.rows(asked), roles)
    if not _asks_together(uniqueness):
        return uniqueness
    return _with_together(
        engine, uniqueness, relation, [_key(column) for column in relation.columns]
    )


def uniqueness_statement(policy: Policy, relation: Relation) -> Statement | None:
    """The statement that counts each column of a release; None where there is none to count."""
    return _columns_statement(relation, _roles(policy))


def read_uniqueness(policy: Policy, rows: Iterable[Sequence[Any]]) -> Uniqueness:
    """The uniqueness that the rows of such a statement speak of."""
    return _read_columns(rows, _roles(policy), policy.accept_unique)


def _counted(engine: Engine, policy: Policy, relation: Relation) -> Uniqueness:
    """The columns of a relation one by one, with what the policy says of them."""
    asked = uniqueness_statement(policy, relation)
    return Uniqueness() if asked is None else read_uniqueness(policy, engine.rows(asked))


def _roles(policy: Policy) -> dict[str, Role]:
    return {name: column.role for name, column in policy.columns.items()}


def _columns_statement(relation: Relation, roles: Mapping[str, Role]) -> Statement | None:
    """The statement over the columns of a relation that have the role other or sensitive."""
    columns = [
        {"name": column.name, "key": _key(column)}
        for column in relation.columns
        if roles[column.name] in (Role.OTHER, Role.SENSITIVE)
    ]
    if not columns:
        return None
    once = relation.kind == "view"
    counts = statement(
        "measuring/unique_columns",
        relation=relation.sql,
        once=once,
        read=Markup("released") if once else relation.sql,
        columns=columns,
    )
    return measuring(Purpose.UNIQUE_BY_COLUMN, counts)


def _read_columns(
    rows: Iterable[Sequence[Any]], roles: Mapping[str, Role], accepted: Sequence[str] = ()
) -> Uniqueness:
    """The columns in the order in which they are declared."""
    counts = {name: (every, valued, values, unique) for name, every, valued, values, unique in rows}
    columns = tuple(
        ColumnUniqueness(name, role.value, *counts[name], name in accepted)
        for name, role in roles.items()
        if name in counts
    )
    return Uniqueness(columns[0].rows if columns else 0, columns)


def _asks_together(uniqueness: Uniqueness) -> bool:
    """Whether a row that is found by all columns together could tell anything more.

    With one sensitive column and no other it could not: who finds the row by it knows it already.
    """
    return len(uniqueness.columns) > 1 or any(
        column.role == "other" for column in uniqueness.columns
    )


def _with_together(
    engine: Engine,
    uniqueness: Uniqueness,
    relation: Relation,
    keys: Sequence[Markup],
    ladders: Sequence[Mapping[str, Markup]] = (),
) -> Uniqueness:
    """The rows that are unique by all columns, too; every row, where one column is enough."""
    if any(column.unique_rows == uniqueness.rows for column in uniqueness.columns):
        return replace(uniqueness, unique_together=uniqueness.rows)
    asked = statement(
        "measuring/unique_together", relation=relation.sql, keys=keys, ladders=ladders
    )
    asked = measuring(Purpose.UNIQUE_TOGETHER, asked)
    return replace(uniqueness, unique_together=engine.rows(asked)[0][0])


def _key(column: Column) -> Markup:
    """A column as values are told apart: numbers by what they are, nested values by their text."""
    return column.plain("audited") if column.kind is Kind.FLOAT else column.shown("audited")
