"""Relations of the user's that classes are held against: found, weighed, and read as they are."""

from collections.abc import Sequence

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation, require
from sqlgen.errors import EngineError, PolicyError
from sqlgen.guarantees import Guarantee, TableReference
from sqlgen.guarantees.base import Reference
from sqlgen.sql.render import sql, statement
from sqlgen.sql.types import Kind
from sqlgen.wording import counted

# Products of a reference's rows, a class's rows, a million values and a threshold fit 128 bits.
_MOST_WEIGHT = 10**12


def read_table(
    engine: Engine, against: TableReference, guarantee: Guarantee, where: str
) -> Relation:
    relation = require(engine, against.table, where)
    wanted = [*guarantee.judged_columns, *([against.weight] if against.weight else [])]
    for name in wanted:
        if name not in relation.names:
            raise PolicyError(
                f"{where}: {against.table} has no column {name}; it has {', '.join(relation.names)}"
            )
    if against.weight and relation.column(against.weight).kind not in (Kind.INTEGER, Kind.DECIMAL):
        raise PolicyError(
            f"{where}: a weight is a column of whole numbers or decimals; {against.weight} is "
            f"{relation.column(against.weight).type}"
        )
    asked = statement(
        "judging/weights", relation=relation.sql, weight=weight_sql(relation, against)
    )
    try:
        total, unfit = engine.rows(asked)[0]
    except EngineError as error:
        raise PolicyError(
            f"{where}: the weights, in units of their last digit, must add up to between 1 and "
            f"{_MOST_WEIGHT:,}, and cannot be added up ({error})"
        ) from None
    if unfit:
        raise PolicyError(
            f"{where}: {counted(unfit, 'row')} of {against.table} without a weight of at least 0"
        )
    if not 0 < total <= _MOST_WEIGHT:
        raise PolicyError(
            f"{where}: the weights, in units of their last digit, must add up to between 1 and "
            f"{_MOST_WEIGHT:,}; they add up to {total:,}"
        )
    return relation


def check_types(
    relation: Relation, found: Relation, names: Sequence[str], called: str, where: str
) -> None:
    """Refuse values that would be rounded, or could not be read, as what the column holds."""
    for column in relation.columns:
        if column.name in names and not column.is_text:
            other = found.column(column.name)
            widens = other.kind is Kind.INTEGER and column.kind in (Kind.DECIMAL, Kind.FLOAT)
            if not (widens or other.kind is column.kind) or other.scale > column.scale:
                raise PolicyError(
                    f"{where}: {column.name} is {column.type}, and {other.type} in "
                    f"{called}, whose values may be others. Cast them in a view"
                )


def weight_sql(relation: Relation, against: Reference) -> Markup:
    """The weight of a row of a reference, in whole numbers: in units of its last digit."""
    column = against.weight if isinstance(against, TableReference) else None
    if column is None:
        return Markup("1")
    return sql(
        "CAST(referred.{column:ident} * {units:literal} AS HUGEINT)",
        column=column,
        units=10 ** relation.column(column).scale,
    )
