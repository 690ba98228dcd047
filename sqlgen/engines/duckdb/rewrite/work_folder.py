"""The work folder beside a database while it is rewritten, for one scrub at a time.

A scrub makes a folder of its own, and a lock. DuckDB spills rows beside a database too, for other
programs. Only files that one of the two makes are removed, and no link is ever followed.
"""

import errno
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal

from sqlgen.errors import EngineError, PolicyError, RefusedError
from sqlgen.files.atomic import is_found, sync
from sqlgen.files.locks import AS_IT_IS, is_lock_file, lock, require_locks

How = Literal["unlink", "overwrite"]

FOLDER = ".sqlgen-scrub"
LOCK = ".sqlgen-scrub-lock"
_SPILL = ".tmp"
_OURS = re.compile(r"old|(fresh|tried)(\.wal(\.[a-z]+)?)?")
_SPILLED = re.compile(r"duckdb_temp_.*", re.DOTALL)
_PART = 8 * 2**20


@contextmanager
def alone(path: Path, where: str) -> Iterator[None]:
    """A database's file, and all that scrubs leave beside it, for one scrub at a time.

    Taken before the database is opened, held until nothing is left beside it: what another scrub
    finds there is then of a dead process, and no file takes the name of one that is being opened.
    """
    # os.path, for a name that is too long is no file, and no error of ours either.
    if not os.path.isfile(path):  # noqa: PTH113
        raise PolicyError(f"{where}: there is no such database file. Nothing was changed.")
    require_locks(where, "rewriting a database")
    held = _beside(path, LOCK)
    handle = _locked(held, where)
    try:
        yield
    finally:
        # While it is held: whoever opened it before finds that it has lost its name.
        with suppress(OSError):
            held.unlink()
        os.close(handle)


def check_beside(path: Path, where: str) -> None:
    """Refuse a database with another name, or with anything in the way of what a scrub makes."""
    folder = _beside(path, FOLDER)
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise RefusedError(
            f"{where}: {folder.name} is no folder, and a rewrite makes one of that name. Look at "
            "it, and remove it. Nothing was changed."
        )
    if any(not _is_ours(entry) for entry in _entries(folder)):
        raise RefusedError(
            f"{where}: the folder {folder.name} holds something that no scrub left there. Look at "
            "it, and remove it. Nothing was changed."
        )
    if path.stat().st_nlink > 1 + _is_kept(path):
        raise RefusedError(
            f"{where}: the database file has another name as well (a hard link), under which the "
            "originals would stay. Remove that first. Nothing was changed."
        )


def make_folder(path: Path) -> Path:
    """The folder that a scrub works in, in which there is nothing."""
    folder = _beside(path, FOLDER)
    folder.mkdir(mode=0o700)
    return folder


def remove_folder(path: Path, how: How) -> None:
    """Remove the folder of a scrub and what it made in it; an OSError where that fails.

    A file with another name is not written over: of a scrub that was killed before the fresh file
    had its name, the old one is the database itself.
    """
    folder = _beside(path, FOLDER)
    try:
        handle = _opened(folder)
    except FileNotFoundError:
        return
    try:
        for file, names in _files(handle, _OURS):
            # Not opened either: closing any handle of the database gives up the engine's lock.
            if how == "overwrite" and names == 1:
                _write_over(file, handle)
            with suppress(FileNotFoundError):
                os.unlink(file, dir_fd=handle)
    finally:
        os.close(handle)
    with suppress(OSError):
        folder.rmdir()


def finish_scrub(path: Path, how: How, where: str) -> None:
    """Remove what a rewrite leaves, once the old file is closed."""
    try:
        remove_folder(path, how)
        sync(path.resolve().parent)
    except OSError as error:
        raise EngineError(
            f"{where}: the database was rewritten, but its old file could not be removed "
            f"({type(error).__name__}), and the originals can still be recovered from "
            f"{_beside(path, FOLDER).name}. Run sqlgen scrub."
        ) from None


def remove_spilled(path: Path, how: How) -> tuple[str, ...]:
    """Remove what DuckDB spilled beside a database; gives what is left there, for other reasons.

    Nobody may have the database open: it could be theirs.
    """
    folder = _beside(path, _SPILL)
    try:
        handle = _opened(folder)
    except FileNotFoundError:
        return ()
    except OSError:
        return (folder.name,)
    removed = False
    try:
        for file, names in _files(handle, _SPILLED):
            # What cannot be removed is told as all that is left.
            with suppress(OSError):
                if names == 1:
                    if how == "overwrite":
                        _write_over(file, handle)
                    os.unlink(file, dir_fd=handle)
                    removed = True
        left = [*os.scandir(handle)]
    finally:
        os.close(handle)
    if removed and not left:
        with suppress(OSError):
            folder.rmdir()
    return (folder.name,) if left else ()


def _locked(file: Path, where: str) -> int:
    """A file that is locked by us; the lock dies with its holder."""
    while True:
        try:
            handle = os.open(file, os.O_RDWR | os.O_CREAT | AS_IT_IS, 0o600)
        except OSError as error:
            raise _unlockable(file, where, error) from None
        try:
            if _is_held(handle, file, where):
                return handle
        except BaseException:
            os.close(handle)
            raise
        # The scrub that held it is through, and has removed it.
        os.close(handle)


def _is_held(handle: int, file: Path, where: str) -> bool:
    """Whether a lock is ours now, and the one that others find."""
    if not is_lock_file(handle):
        raise _taken(file, where)
    try:
        is_ours = lock(handle, wait=False)
    except OSError as error:
        raise _unlockable(file, where, error) from None
    if not is_ours:
        raise RefusedError(
            f"{where}: another process is scrubbing the database. Nothing was changed."
        )
    return is_found(handle, file)


def _taken(file: Path, where: str) -> RefusedError:
    return RefusedError(
        f"{where}: {file.name} is the name of the lock of a scrub, and something else has it. "
        "Look at it, and remove it. Nothing was changed."
    )


def _unlockable(file: Path, where: str, error: OSError) -> RefusedError:
    if error.errno in (errno.ELOOP, errno.EISDIR, errno.ENXIO):
        return _taken(file, where)
    return RefusedError(
        f"{where}: a rewrite makes files beside the database, and {file.name}, which keeps other "
        f"scrubs away, cannot be made and locked there ({type(error).__name__}); is the folder "
        "read-only, or the name too long? Nothing was changed."
    )


def _beside(path: Path, ending: str) -> Path:
    path = path.resolve()
    return path.with_name(path.name + ending)


def _is_kept(path: Path) -> bool:
    """Whether a scrub that was killed left the database a second name, to be written over by."""
    try:
        return os.path.samestat(os.lstat(_beside(path, FOLDER) / "old"), path.stat())
    except FileNotFoundError:
        return False


def _entries(folder: Path) -> list[Path]:
    return list(folder.iterdir()) if folder.is_dir() else []


def _is_ours(path: Path) -> bool:
    return path.is_file() and not path.is_symlink() and _OURS.fullmatch(path.name) is not None


def _opened(folder: Path) -> int:
    """A folder to work in, whatever its name means later; an OSError for a link to one."""
    return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)


def _files(folder: int, called: re.Pattern[str]) -> Iterator[tuple[str, int]]:
    """The files of an open folder that are so called, and how many names each has."""
    for file in sorted(os.listdir(folder)):
        if called.fullmatch(file):
            with suppress(FileNotFoundError):
                status = os.stat(file, dir_fd=folder, follow_symlinks=False)
                if stat.S_ISREG(status.st_mode):
                    yield file, status.st_nlink


def _write_over(file: str, folder: int) -> None:
    """Write zeros over a file of an open folder, on disk, if it has no other name."""
    try:
        handle = os.open(file, os.O_WRONLY | AS_IT_IS, dir_fd=folder)
    except FileNotFoundError:
        return
    try:
        status = os.fstat(handle)
        left = status.st_size if stat.S_ISREG(status.st_mode) and status.st_nlink == 1 else 0
        zeros = bytes(min(left, _PART))
        while left > 0:
            left -= os.write(handle, zeros[: min(left, _PART)])
        os.fsync(handle)
    finally:
        os.close(handle)
