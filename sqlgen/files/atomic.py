"""Files that survive a power cut: on disk before they get their name, and their name on disk too.

A rename can reach the disk before the bytes of what it names; then the file is there, and empty.
"""

import errno
import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from sqlgen.files.destinations import check_unmoved, find_destination
from sqlgen.files.locks import AS_IT_IS, CAN_LOCK, lock

PARTIAL = ".sqlgen-partial"


def write_whole(text: str, path: Path) -> None:
    """Write a file in one step: a reader sees the old one or the new one, after a crash too.

    Of a link, the file behind it is written; RefusedError where something else than a file would
    be replaced. Of two writers at once each writes a whole file. What a killed one left is written
    over.
    """
    destination = find_destination(path, path.name)
    if not CAN_LOCK:
        _write_unlocked(text, destination.path)
        return
    partial = destination.path.with_name(destination.path.name + PARTIAL)
    handle = _held(partial)
    try:
        try:
            os.ftruncate(handle, 0)
            os.fchmod(handle, 0o644)
            with open(handle, "w", encoding="utf-8", newline="\n", closefd=False) as file:
                file.write(text)
            os.fsync(handle)
            check_unmoved(destination, path.name)
            partial.replace(destination.path)
        except BaseException:
            if is_found(handle, partial):
                with suppress(OSError):
                    partial.unlink()
            raise
    finally:
        os.close(handle)
    sync(destination.path.parent)


def sync(path: Path) -> None:
    """Have the bytes of a file, or the names in a folder, on disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def is_found(handle: int, path: Path) -> bool:
    """Whether an open file is the one that others find under a name.

    One look: the name can be given to another file, or taken away, at any time.
    """
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False


def _write_unlocked(text: str, path: Path) -> None:
    """Write a file in one step, without a lock: under a name of its own first, which is closed.

    An open file is not renamed on Windows, nor is a folder flushed there.
    """
    handle, name = tempfile.mkstemp(prefix=f"{path.name}.", suffix=PARTIAL, dir=path.parent)
    partial = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(handle)
        partial.chmod(0o644)
        partial.replace(path)
    except BaseException:
        with suppress(OSError):
            partial.unlink()
        raise


def _held(partial: Path) -> int:
    """A file open for one writer at a time; a lock that dies with its holder."""
    while True:
        handle = os.open(partial, os.O_WRONLY | os.O_CREAT | AS_IT_IS, 0o600)
        try:
            _check_partial(handle)
            lock(handle, wait=True)
            # The writer that was waited for has given it another name.
            if is_found(handle, partial):
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)


def _check_partial(handle: int) -> None:
    """Refuse to write over a device, or over a file that has another name as well."""
    status = os.fstat(handle)
    if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
        raise OSError(errno.EEXIST, os.strerror(errno.EEXIST))
