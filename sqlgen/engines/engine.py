"""The engine: the questions that the rest of the program asks of a database."""

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol

from sqlgen.sql.render import Statement

if TYPE_CHECKING:
    import pandas
    from duckdb import DuckDBPyConnection

Row = tuple[Any, ...]


class Engine(Protocol):
    """One connection to one database.

    ``run`` executes for effect; ``rows`` fetches, and is called for aggregates alone. Both raise
    EngineError, which names the statement's template and never quotes the engine.
    """

    @property
    def connection(self) -> "DuckDBPyConnection":
        """The connection of the engine, as the source of another call."""

    def run(self, statement: Statement, *given: bytes) -> None:
        """Execute a statement for its effect, on the bytes that it is given."""

    def rows(self, statement: Statement) -> list[Row]:
        """Execute a statement and fetch its rows."""

    def frame(self, statement: Statement) -> "pandas.DataFrame":
        """The rows as a DataFrame, for a caller who brought one."""

    def read(self) -> AbstractContextManager[None]:
        """One consistent view of the tables; whatever is made inside is gone afterwards."""

    def change(self) -> AbstractContextManager[None]:
        """Undo whatever the block began and did not commit."""

    def undo(self) -> None:
        """Roll back a transaction that is still open, if there is one."""
