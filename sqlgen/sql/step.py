"""Steps of a script: statements, each with what its result means to the one who runs it."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from sqlgen.sql.render import Statement


class StepKind(Enum):
    """The meaning of a step's result; RUN is executed for its effect alone."""

    RUN = "run"
    BEGIN = "begin"
    BUILD = "build"
    READ_PARTITIONS = "read partitions"
    MEASURE = "measure"
    READ_AUDIT = "read audit"
    COUNT_UNIQUE = "count unique rows"
    CHECK_WINDOW = "check window"
    WRITE_LEDGER = "write ledger"
    READ_VIEW = "read view"
    COMMIT = "commit"
    CONFIRM = "confirm"


@dataclass(frozen=True)
class Step:
    """A statement of a script, and what its result means."""

    statement: Statement
    kind: StepKind = StepKind.RUN


def plain_steps(statements: Iterable[Statement]) -> list[Step]:
    """Steps that are executed for their effect alone."""
    return [Step(statement) for statement in statements]
