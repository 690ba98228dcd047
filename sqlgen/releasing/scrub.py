"""Scrubbing: a database's file written anew, so that what a release replaced is gone from it.

In DuckDB a row that is replaced stays in the file, in blocks that are free; only a fresh file is
without them. It is copied, verified and renamed into place while the old one is held open, so that
no other process can write to either in between.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from markupsafe import Markup

from sqlgen.engines import DataSource, Engine
from sqlgen.engines.duckdb.catalog import current_catalog, database_files, temporary
from sqlgen.engines.duckdb.rewrite.copy import CopyError, copy_database, tables_of
from sqlgen.engines.duckdb.rewrite.work_folder import (
    How,
    alone,
    check_beside,
    finish_scrub,
    make_folder,
    remove_folder,
    remove_spilled,
)
from sqlgen.errors import EngineError, RefusedError
from sqlgen.files.atomic import sync
from sqlgen.policy import Policy
from sqlgen.sql.render import command, name, statement
from sqlgen.sql.types import Column
from sqlgen.staging.source import open_rows

PROBES = temporary("probe")
_FOUND = temporary("found")
_PART = 8 * 2**20


@dataclass(frozen=True)
class Scrub:
    """The outcome of a rewrite: how many of some ``values`` the file held before and after.

    ``elsewhere`` of those that the fresh file holds stand in a table of it today; any other is in
    what its catalog declares, or should not be there. ``left`` names what stands beside the file
    and may hold rows of it, but is not a scrub's to remove.
    """

    file: str
    how: How
    values: int
    before: int
    after: int
    elsewhere: int
    left: tuple[str, ...] = ()

    @property
    def satisfied(self) -> bool:
        """Whether the fresh file holds no value that its tables do not hold."""
        return self.after == self.elsewhere

    def to_dict(self) -> dict[str, Any]:
        """The scrub as plain values."""
        return {
            "satisfied": self.satisfied,
            "file": self.file,
            "old_file": self.how,
            "values_searched": self.values,
            "found_before": self.before,
            "found_after": self.after,
            "in_other_tables": self.elsewhere,
            "left_beside": list(self.left),
        }


def scrub_database(policy: Policy, source: DataSource | None = None, how: How = "unlink") -> Scrub:
    """Rewrite a policy's database now, whatever was replaced in it; no value is looked for.

    What a rewrite that was killed left behind is removed first.
    """
    path = own_file(policy, source)
    where = policy.where("source", "database")
    with alone(path, where):
        with ExitStack() as held, open_rows(policy, path, write=True) as engine:
            check_scrub(engine, path, where)
            stage_probes(engine, Markup(""), [])
            try:
                scrub = rewrite(engine, path, current_catalog(engine), how, held)
            except OSError as error:
                raise EngineError(
                    f"{where}: the file could not be rewritten ({type(error).__name__}). "
                    "Nothing was changed."
                ) from None
        finish_scrub(path, how, where)
    return scrub


def own_file(policy: Policy, source: DataSource | None) -> Path:
    """The database's file, where a rewrite can have it to itself."""
    if source is None and policy.source.database is not None:
        return policy.file(policy.source.database, "source", "database")
    if isinstance(source, (str, Path)):
        return Path(source)
    raise RefusedError(
        f"{policy.where('source', 'database')}: a rewrite needs the database's file to itself; "
        "give its path in place of a connection. Nothing was changed."
    )


def check_scrub(engine: Engine, path: Path, where: str) -> None:
    """Refuse a rewrite that could not be finished; clear away what a killed one left.

    Nothing is removed before all is looked at, and then only what a scrub made.
    """
    path = path.resolve()
    others = [file for file in database_files(engine) if file.resolve() != path]
    if others:
        raise RefusedError(
            f"{where}: other databases are attached; a rewrite needs the file to itself. "
            "Nothing was changed."
        )
    try:
        check_beside(path, where)
        remove_folder(path, "overwrite")
        folder = make_folder(path)
    except OSError as error:
        raise RefusedError(
            f"{where}: a rewrite needs a folder beside the database, which cannot be made anew "
            f"({type(error).__name__}). Nothing was changed."
        ) from None
    try:
        _try_copy(engine, folder, where)
    finally:
        with suppress(OSError):
            remove_folder(path, "unlink")


def _try_copy(engine: Engine, folder: Path, where: str) -> None:
    """Copy the definition of a database, without rows; refused where its copy would fail."""
    try:
        copy_database(engine, current_catalog(engine), folder / "tried", empty=True)
    except CopyError as why:
        raise RefusedError(
            f"{where}: the file could not be rewritten: {why}. Nothing was changed."
        ) from None
    except (EngineError, OSError) as error:
        error_text = str(error) if isinstance(error, EngineError) else type(error).__name__
        raise EngineError(
            f"{where}: the file could not be rewritten ({error_text}). Nothing was changed."
        ) from None


def stage_probes(engine: Engine, source: Markup, columns: Sequence[Column]) -> None:
    """Keep a draw of values of some columns of text, to be looked for in the bytes of the file."""
    names = [column.name for column in columns]
    engine.run(
        statement("engines/duckdb/rewrite/probe", table=PROBES, columns=names, source=source)
    )


def rewrite(engine: Engine, path: Path, catalog: str, how: How, held: ExitStack) -> Scrub:
    """Write a database's file anew and give it the old one's name.

    The old one is open in ``held``, to be closed after the engine: closing any handle of a file
    gives up every lock that the process has on it, and other processes could write to it. Raises
    EngineError, with the old file in its place, where the copy is not what it was made of.
    """
    path = path.resolve()
    standing = path.stat().st_ino
    fresh = make_folder(path) / "fresh"
    try:
        engine.run(
            command(
                "engines/duckdb/rewrite/checkpoint",
                "FORCE CHECKPOINT {catalog:ident}",
                catalog=catalog,
            )
        )
        old = held.enter_context(path.open("rb"))
        before = _search(engine, old)
        values, _ = _probes(engine)
        copy_database(engine, catalog, fresh)
        tables = tables_of(engine, catalog)
        with fresh.open("rb") as written:
            after = _search(engine, written)
        unexplained = engine.rows(
            statement(
                "engines/duckdb/rewrite/found_count",
                found=_FOUND,
                tables=[name(table) for table in tables],
            )
        )[0][1]
        left = _put_in_place(engine, path, old, fresh, how)
    except BaseException:
        if path.stat().st_ino == standing:
            # No file has taken the old one's name, so nothing in the folder is the only one.
            with suppress(OSError):
                remove_folder(path, "unlink")
        raise
    return Scrub(path.name, how, values, before, after, after - unexplained, left)


def _put_in_place(
    engine: Engine, path: Path, old: BinaryIO, fresh: Path, how: How
) -> tuple[str, ...]:
    """Give the fresh file the name of the old one: on disk first, with the same owner and mode.

    ``old`` is the old file, open: nothing else that has its name by then is replaced. ``fresh`` is
    renamed last. Gives what is left of what others spilled, which goes while nobody else can have
    the database open.
    """
    standing = path.stat()
    fresh.chmod(standing.st_mode & 0o7777)
    with suppress(PermissionError):
        os.chown(fresh, standing.st_uid, standing.st_gid)
    sync(fresh)
    if path.with_name(path.name + ".wal").exists():
        raise EngineError("the database has a log again, which the fresh file would not share")
    if standing.st_nlink > 1:
        raise EngineError("the database file has got another name, a hard link")
    _check_unmoved(old, path)
    # Closing the old file must not touch the log beside the name: it is the fresh file's by then.
    engine.run(command("engines/duckdb/rewrite/keep_log", "PRAGMA disable_checkpoint_on_shutdown"))
    if how == "overwrite":
        # Kept under a name, to be written over once it is closed.
        (fresh.parent / "old").hardlink_to(path)
    sync(fresh.parent)
    left = remove_spilled(path, how)
    _check_unmoved(old, path)
    fresh.replace(path)
    sync(path.parent)
    return left


def _check_unmoved(old: BinaryIO, path: Path) -> None:
    """Refuse to replace anything else than the old file, a link to it among that."""
    if not os.path.samestat(os.fstat(old.fileno()), path.lstat()):
        raise EngineError("the name of the database file is that of something else now")


def _probes(engine: Engine) -> tuple[int, int]:
    """How many texts are looked for, and how long the longest is."""
    counts = command(
        "engines/duckdb/rewrite/probe_count",
        "SELECT COUNT(*) AS value_count, COALESCE(MAX(STRLEN(value)), 0) AS longest\nFROM {probes}",
        probes=PROBES,
    )
    count, longest = engine.rows(counts)[0]
    return int(count), int(longest)


def _search(engine: Engine, file: BinaryIO) -> int:
    """How many of the probes stand in the bytes of a file."""
    _, longest = _probes(engine)
    # A table, for a text may stand in several parts of a file.
    engine.run(
        command(
            "engines/duckdb/rewrite/found",
            "CREATE OR REPLACE TEMPORARY TABLE {table} (value VARCHAR)",
            table=_FOUND,
        )
    )
    if longest:
        search = statement("engines/duckdb/rewrite/search", found=_FOUND, probes=PROBES)
        for part in _parts(file, longest - 1):
            engine.run(search, part)
    return int(
        engine.rows(statement("engines/duckdb/rewrite/found_count", found=_FOUND, tables=[]))[0][0]
    )


def _parts(file: BinaryIO, overlap: int) -> Iterator[bytes]:
    """The bytes of a file in parts, each with the end of the one before it."""
    end = b""
    while part := file.read(_PART):
        yield end + part
        end = (end + part)[-overlap:]
