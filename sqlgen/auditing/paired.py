"""The audit of two tables: whether they are one release in groups, and what groups add up to."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sqlgen.auditing.utility import Utility
from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation
from sqlgen.errors import PolicyError
from sqlgen.measuring.pairs import Pair, unwritten_statement, value_columns
from sqlgen.policy import Policy, Role
from sqlgen.policy.anatomy import COUNT_COLUMN, GROUP_COLUMN
from sqlgen.sql.types import Column
from sqlgen.wording import counted, rows_words

_Called = tuple[str, Relation]


def paired(
    engine: Engine, policy: Policy, first: _Called, second: _Called
) -> tuple[Relation, Pair]:
    """The first table without its group, and both as one release; refused where they are none.

    Whatever joins a row to a value otherwise is refused: a sensitive column in the first table, or
    another column than the group in the second.
    """
    (called, rows), (beside, values) = first, second
    _check_first(policy, called, rows)
    (name,) = policy.sensitive
    expected = [column.name for column in value_columns(Column(name, ""))]
    lacking = [column for column in expected if column not in values.names]
    others = [column for column in values.names if column not in expected]
    if lacking or others:
        found = f"no {', '.join(lacking)}" if lacking else ", ".join(others)
        raise PolicyError(
            f"{beside}: the second table of a release in groups has the columns "
            f"{', '.join(expected)} and no other; found {found}"
        )
    _check_written(engine, called, rows, [GROUP_COLUMN])
    _check_written(engine, beside, values, [GROUP_COLUMN, COUNT_COLUMN])
    pair = Pair(rows.sql, values.sql, values.column(name))
    for staging in pair.staging_statements():
        engine.run(staging)
    misfits = engine.rows(pair.misfits_statement())[0][0]
    if misfits:
        raise PolicyError(
            f"{called} and {beside} are not two tables of one release: they differ in the rows of "
            f"{counted(misfits, 'group')}"
        )
    kept = tuple(column for column in rows.columns if column.name != GROUP_COLUMN)
    return replace(rows, columns=kept), pair


def _check_first(policy: Policy, called: str, rows: Relation) -> None:
    """Refuse a first table without a group, or with what it must not show."""
    if GROUP_COLUMN not in rows.names:
        raise PolicyError(
            f"{called} has no column {GROUP_COLUMN}, which a release in groups has in both tables"
        )
    unlisted = [name for name in rows.names if name not in (*policy.columns, GROUP_COLUMN)]
    if unlisted:
        raise PolicyError(
            f"{called} has columns that the policy does not mention: {', '.join(unlisted)}. "
            "Give each a role"
        )
    shown = [
        name
        for name in rows.names
        if name != GROUP_COLUMN and policy.columns[name].role is Role.SENSITIVE
    ]
    if shown:
        raise PolicyError(
            f"{called} shows {', '.join(shown)} of each row, which a release in groups shows by "
            "group"
        )


def _check_written(engine: Engine, called: str, table: Relation, names: Sequence[str]) -> None:
    """Refuse numbers that a reader tells apart and the audit would not, like '1' and '01'."""
    asked = unwritten_statement(table, names)
    unwritten = engine.rows(asked)[0][0] if asked is not None else 0
    if unwritten:
        raise PolicyError(
            f"{called}: {' and '.join(names)} must be written as whole numbers are, like 1 and "
            f"not like 01 or 1.0; found {rows_words(unwritten)} with others. Write the table "
            "again with columns of type BIGINT"
        )


def with_groups(engine: Engine, pair: Pair, lost: Utility) -> Utility:
    """The utility with the sums over groups in place of those over equal quasi-identifiers."""
    groups, rows, squares = engine.rows(pair.sizes_statement())[0]
    of_groups: Mapping[str, float] = {
        "discernibility": float(squares + lost.suppressed_rows * lost.source_rows),
        "average_class_size": rows / groups if groups else 0.0,
    }
    measured = {name: of_groups.get(name, figure) for name, figure in lost.metrics.items()}
    return replace(lost, metrics=measured)
