"""From what a user has (a path, a connection, a DataFrame) to an engine, and back to nothing."""

import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, Union

import duckdb

from sqlgen.engines.duckdb.engine import DuckDB
from sqlgen.engines.engine import Row
from sqlgen.errors import PolicyError, RefusedError
from sqlgen.files.atomic import is_found
from sqlgen.files.locks import AS_IT_IS, CAN_LOCK, lock
from sqlgen.sql.render import Statement

if TYPE_CHECKING:
    import pandas

DataSource: TypeAlias = Union[str, Path, duckdb.DuckDBPyConnection, "pandas.DataFrame"]

FRAME = "dataframe"

# Which thread is at work on an open connection, how often over; nothing once it is done.
# Two commands on one connection share nothing else, and it takes no attribute: so it stands here.
_WORKING: dict[int, tuple[int, int]] = {}
_WORKING_GUARD = threading.Lock()

_SPILL = "sqlgen-"
_HELD = "held"


@contextmanager
def open_source(
    source: DataSource,
    *,
    write: bool,
    called: str,
    on_statement: Callable[[Statement], None] | None = None,
) -> Iterator[DuckDB]:
    """An engine over the source, which is closed afterwards unless it was open before.

    ``called`` names the source in messages, for its path may hold a secret.
    """
    if isinstance(source, duckdb.DuckDBPyConnection):
        with _one_thread(source, called):
            yield DuckDB(source, on_statement)
    elif isinstance(source, (str, Path)):
        with _opened_file(Path(source), write, called) as connection:
            yield DuckDB(connection, on_statement)
    elif not hasattr(source, "columns") or not hasattr(source, "dtypes") or _is_relation(source):
        raise PolicyError(
            f"{called}: a source is a DuckDB file, an open DuckDB connection or a pandas "
            f"DataFrame; found {type(source).__name__}"
        )
    else:
        with _spill_folder() as folder:
            # Types are guessed from every row: by the first 1,000, later decimals were rounded.
            connection = duckdb.connect(
                config={"temp_directory": folder, "pandas_analyze_sample": max(len(source), 1)}
            )
            try:
                _register(connection, source, called)
                yield DuckDB(connection, on_statement)
            finally:
                connection.close()


def is_connection(source: object) -> bool:
    """Whether a source is a connection that the caller opened."""
    return isinstance(source, duckdb.DuckDBPyConnection)


@lru_cache
def fresh_rows(asked: Statement) -> list[Row]:
    """The rows of a statement about the engine itself, on a connection with default settings."""
    with duckdb.connect(":memory:") as connection:
        return DuckDB(connection).rows(asked)


@contextmanager
def _one_thread(connection: duckdb.DuckDBPyConnection, called: str) -> Iterator[None]:
    """The connection for one thread at a time, which may use it again inside.

    A result is fetched from the connection, not from the statement: of two threads each would
    take the other's rows for its own, and a verdict with them.
    """
    own, key = threading.get_ident(), id(connection)
    with _WORKING_GUARD:
        holder, depth = _WORKING.get(key, (own, 0))
        if holder == own:
            _WORKING[key] = (own, depth + 1)
    if holder != own:
        raise RefusedError(
            f"{called}: another thread is at work on the connection. Give each thread a cursor of "
            "it. Nothing was changed."
        )
    try:
        yield
    finally:
        with _WORKING_GUARD:
            if depth:
                _WORKING[key] = (own, depth)
            else:
                del _WORKING[key]


def _register(
    connection: duckdb.DuckDBPyConnection, frame: "pandas.DataFrame", called: str
) -> None:
    """Let a DataFrame be read as a table; refused with the columns that cannot be."""
    kind = _fault(connection, frame)
    if not kind:
        return
    unread = [
        str(name)
        for index, name in enumerate(frame.columns)
        if _fault(connection, frame.iloc[:, [index]])
    ]
    if not unread:
        raise PolicyError(f"{called}: the DataFrame cannot be read as a table ({kind})")
    columns, them = ("columns", "them") if len(unread) > 1 else ("column", "it")
    raise PolicyError(
        f"{called}: the database cannot read the DataFrame's {columns} {', '.join(unread)}. "
        f"Convert {them} to text, or leave {them} out of the DataFrame and of the policy. "
        "Nothing was changed."
    )


def _fault(connection: duckdb.DuckDBPyConnection, frame: "pandas.DataFrame") -> str:
    """The kind of error with which a DataFrame cannot be registered; "" where it can be."""
    try:
        connection.register(FRAME, frame)
    except (duckdb.Error, ValueError, TypeError) as error:
        return type(error).__name__
    return ""


def _is_relation(source: object) -> bool:
    return isinstance(source, duckdb.DuckDBPyRelation)


@contextmanager
def _opened_file(path: Path, write: bool, called: str) -> Iterator[duckdb.DuckDBPyConnection]:
    # os.path, for a name that is too long is no file, and no error of ours either.
    if not os.path.isfile(path):  # noqa: PTH113
        raise PolicyError(f"{called}: there is no such database file. Nothing was changed.")
    if write and not os.access(path, os.W_OK):
        raise RefusedError(f"{called}: the database file is read-only. Nothing was changed.")
    if write and not os.access(path.parent, os.W_OK):
        raise RefusedError(
            f"{called}: the folder of the database file is read-only, and its log is written "
            "beside it. Nothing was changed."
        )
    with _spill_folder() as folder:
        connection = _connect(path, write, folder, called)
        try:
            yield connection
        finally:
            connection.close()


@contextmanager
def _spill_folder() -> Iterator[str]:
    """A folder of our own for what does not fit memory: spilled rows are clear text.

    DuckDB would put them beside the database, readable by all. What a killed run left of its own
    is removed first.
    """
    try:
        folder, held = _new_folder()
    except OSError as error:
        raise RefusedError(
            f"a folder for temporary files cannot be made ({type(error).__name__}): is the disk "
            "full, or a limit on the size of files set? Name a folder that can be written in "
            "TMPDIR. Nothing was changed."
        ) from None
    try:
        yield folder
    finally:
        _remove_folder(Path(folder))
        if held is not None:
            os.close(held)


def _new_folder() -> tuple[str, int | None]:
    """A temporary folder, and the open lock in it that says that its process is alive.

    Without locks nobody could tell, and no folder of another process is removed.
    """
    if not CAN_LOCK:
        return tempfile.mkdtemp(prefix=_SPILL), None
    _remove_spilled()
    while True:
        folder = tempfile.mkdtemp(prefix=_SPILL)
        try:
            held = _hold(Path(folder, _HELD))
        except OSError:
            _remove_folder(Path(folder))
            raise
        if held is not None:
            return folder, held


def _hold(file: Path) -> int | None:
    """The open lock of a folder; None where another run took it for one of a dead process."""
    try:
        handle = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    except FileNotFoundError:
        return None
    try:
        lock(handle, wait=True)
        if is_found(handle, file):
            return handle
    except BaseException:
        os.close(handle)
        raise
    os.close(handle)
    return None


def _remove_spilled() -> None:
    """Remove the folders of processes that are gone: the lock in such a folder is free."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_SPILL}*"):
        try:
            if folder.is_symlink() or folder.stat().st_uid != os.getuid():
                continue
            held = os.open(folder / _HELD, os.O_RDWR | AS_IT_IS)
        except FileNotFoundError:
            # Killed before it had a lock, or after: there is nothing else in it.
            with suppress(OSError):
                folder.rmdir()
            continue
        except OSError:
            continue
        try:
            if lock(held, wait=False):
                _remove_folder(folder)
        except OSError:
            continue
        finally:
            os.close(held)


def _remove_folder(folder: Path) -> None:
    """Remove a folder, its lock last: killed in between, it is found and removed by the next run.

    What cannot be removed stays, for the release does not depend on it.
    """
    with suppress(OSError):
        for path in [*folder.iterdir()]:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            elif path.name != _HELD:
                with suppress(OSError):
                    path.unlink()
        (folder / _HELD).unlink(missing_ok=True)
        folder.rmdir()


def _connect(path: Path, write: bool, folder: str, called: str) -> duckdb.DuckDBPyConnection:
    try:
        return duckdb.connect(str(path), read_only=not write, config={"temp_directory": folder})
    except duckdb.Error as error:
        reason = _reason(str(error), type(error).__name__)
    raise RefusedError(f"{called}: {reason}. Nothing was changed.")


def _reason(message: str, kind: str) -> str:
    """Why a file cannot be opened, read off the engine's message but never quoting it."""
    # The second is what Windows says.
    if "lock" in message or "being used by another process" in message:
        return "the database is locked by another process"
    if "different configuration" in message:
        return "this process has the database open already; pass that connection as the source"
    if "version number" in message:
        return "the file was made by a newer DuckDB than the one installed"
    if "ermission" in message:
        return "permission to open the database file was refused"
    return f"not a database that DuckDB can open ({kind})"
