"""The purposes of the statements of an audit, in the words and the order of a report."""

from dataclasses import replace
from enum import StrEnum

from sqlgen.sql.render import Statement


class Purpose(StrEnum):
    """The subject of the figures that a statement gives."""

    GUARANTEES = "the guarantees"
    PERSONS = "the guarantees that count persons, in the source"
    SIZES = "the sizes of the classes"
    FIGURES = "the figures of the classes"
    RELEASED_VALUES = "the distinct values of the release"
    SOURCE_VALUES = "the distinct values of the source"
    UNIQUE_BY_COLUMN = "the rows that are unique by a column"
    UNIQUE_TOGETHER = "the rows that are unique by all columns together"
    ATTACKS = "what an attacker could learn"


def measuring(purpose: Purpose, statement: Statement) -> Statement:
    """The statement with its purpose."""
    return replace(statement, purpose=purpose)
