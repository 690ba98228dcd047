"""Faults of the engine and of the program, before the statement of a number."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from cli_harness import told
from sqlgen import EngineError
from sqlgen.engines.duckdb.engine import DuckDB
from sqlgen.sql.render import Statement

SECRET = "a cell of the table"


class PulledPlugError(Exception):
    """A fault of the program itself, injected between two statements."""


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
