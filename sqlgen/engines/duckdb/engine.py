"""DuckDB: statements, transactions and errors."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import duckdb
from duckdb import DuckDBPyConnection

from sqlgen.engines.engine import Row
from sqlgen.errors import EngineError, RefusedError
from sqlgen.sql.ddl import BEGIN
from sqlgen.sql.render import Statement, command

if TYPE_CHECKING:
    import pandas

T = TypeVar("T")

_ROLLBACK = "ROLLBACK"
# The same number twice inside a transaction, another outside of one.
_TRANSACTION = command(
    "engines/duckdb/transaction", "SELECT system.main.txid_current() AS transaction_number"
)

# Kinds of error whose own word says what to look at; the message itself quotes data.
_ADVICE = {
    "OutOfMemoryException": "it ran out of memory; raise memory_limit",
    "OutOfRangeException": "a value is out of range",
    "ConversionException": "a value does not fit its type",
    "IOException": "a file could not be read or written; is the disk full?",
    "PermissionException": "permission was refused",
    "TransactionException": "another transaction is in its way, or is the disk full?",
    "ConnectionException": "the connection is closed",
    "SerializationException": "a file is damaged, or of another version",
    "InterruptException": "it was interrupted",
    "ConstraintException": "a constraint was violated",
    "DependencyException": "another object depends on it",
    "Conflict": "another connection is at work on the same tables",
}
_CONFLICT = re.compile("conflict|another transaction|duplicate key", re.IGNORECASE)


@dataclass(frozen=True)
class DuckDB:
    """One DuckDB connection; ``on_statement`` is told each statement before it runs."""

    connection: DuckDBPyConnection
    on_statement: Callable[[Statement], None] | None = None

    def run(self, statement: Statement, *given: bytes) -> None:
        """Execute a statement for its effect, on the bytes that it is given."""
        self._hear(statement)
        self._execute(statement, DuckDBPyConnection.fetchall, *given)

    def rows(self, statement: Statement) -> list[Row]:
        """Execute a statement and fetch its rows; errors of late rows surface here too."""
        self._hear(statement)
        return self._execute(statement, DuckDBPyConnection.fetchall)

    def frame(self, statement: Statement) -> "pandas.DataFrame":
        """The rows as a DataFrame, for a caller who brought one."""
        self._hear(statement)
        return self._execute(statement, DuckDBPyConnection.df)

    def _hear(self, statement: Statement) -> None:
        if self.on_statement:
            self.on_statement(statement)

    def _execute(
        self, statement: Statement, fetch: Callable[[DuckDBPyConnection], T], *given: bytes
    ) -> T:
        kind = ""
        try:
            return fetch(self.connection.execute(statement.text, given or None))
        except duckdb.Error as error:
            kind = type(error).__name__
            if kind == "TransactionException" and _CONFLICT.search(str(error)):
                kind = "Conflict"
        except RuntimeError as error:
            # Ctrl-C comes as a RuntimeError, "Query interrupted", or as an InterruptException.
            if "interrupt" not in str(error).lower():
                raise
        if kind in ("", "InterruptException"):
            raise KeyboardInterrupt
        # Raised outside the handler: a chained exception would carry the engine's message.
        advice = f": {_ADVICE[kind]}" if kind in _ADVICE else ""
        raise EngineError(f"the database refused {statement.template} ({kind}){advice}", kind)

    @contextmanager
    def read(self) -> Iterator[None]:
        """A transaction that is always rolled back, so that staged tables vanish with it."""
        self._begin()
        try:
            yield
        finally:
            self.undo()

    @contextmanager
    def change(self) -> Iterator[None]:
        """Undo whatever the block began and did not commit; refuse inside another transaction."""
        with self.read():
            pass
        try:
            yield
        finally:
            self.undo()

    def _begin(self) -> None:
        # Asked first: in DuckDB 2.0 a BEGIN that fails would abort the transaction it stands in.
        # Outside of one, each statement is a transaction of its own.
        try:
            first, second = (self._execute(_TRANSACTION, _number) for _ in range(2))
        except EngineError as error:
            if "TransactionException" not in str(error):
                raise
            raise RefusedError(
                "the connection is inside a transaction that has failed. Roll it back, then run "
                "again. Nothing was changed."
            ) from None
        if first == second:
            raise RefusedError(
                "the connection is inside a transaction. Commit it or roll it back, then run "
                "again. Nothing was changed."
            )
        self._execute(BEGIN, _nothing)

    def undo(self) -> None:
        """Roll back a transaction that is still open, if there is one."""
        with suppress(duckdb.Error):
            self.connection.execute(_ROLLBACK)


def _number(answered: DuckDBPyConnection) -> int:
    return int(answered.fetchall()[0][0])


def _nothing(answered: DuckDBPyConnection) -> None:
    answered.fetchall()
