"""Faults of the engine and of the program, before the statement of a number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from cli_harness import told
from effort import IS_THOROUGH
from sqlgen import EngineError, SqlgenError
from sqlgen.engines.duckdb.engine import DuckDB
from sqlgen.sql.render import Statement

SECRET = "a cell of the table"


class PulledPlugError(Exception):
    """A fault of the program itself, injected between two statements."""


# An error and an interrupt take turns; before a release each statement has both.
TURNS = (0, 1) if IS_THOROUGH else (0,)


def faults_in_turn(templates: Sequence[str], turn: int) -> list[type[BaseException]]:
    """The fault for each statement: in the other turn, the same statement has the other fault.

    What counts is which statement of its template it is, not which one of all, so that two ways
    that share most of their statements have both faults between them, each in another turn.
    """
    times = Counter[str]()
    found: list[type[BaseException]] = []
    for template in templates:
        is_error = (len(template) + times[template] + turn) % 2 == 0
        found.append(EngineError if is_error else KeyboardInterrupt)
        times[template] += 1
    return found


def last_of_each(templates: Sequence[str]) -> list[int]:
    """The last statement of each template, by number."""
    return sorted({template: number for number, template in enumerate(templates)}.values())


def seen_of(fault: type[BaseException]) -> type[BaseException]:
    """What a caller sees of a fault: refused for advice, it may be told in other words of ours."""
    return SqlgenError if fault is EngineError else fault


@contextmanager
def fault_before(number: int, kind: type[BaseException]) -> Iterator[list[Statement]]:
    """Let the statement of that number, counted from 0, fail; gives the statements begun.

    An EngineError is had from the engine itself, by a statement that it refuses.
    """
    begun: list[Statement] = []
    whole = DuckDB._execute

    def execute(engine: DuckDB, statement: Statement, *more: object) -> object:
        begun.append(statement)
        if len(begun) - 1 == number and kind is EngineError:
            refused = f"SELECT CAST('{SECRET}' AS INTEGER)"
            with pytest.raises(EngineError) as error:
                whole(engine, Statement(statement.template, refused), *more)  # type: ignore[arg-type]
            # Whatever quotes the engine would have it from here.
            assert SECRET not in told(error.value)
            raise error.value
        if len(begun) - 1 == number:
            raise kind("injected")
        return whole(engine, statement, *more)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DuckDB, "_execute", execute)
        yield begun
