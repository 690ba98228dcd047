"""Files that survive a power cut: on disk before they get their name, and their name on disk too.

A rename can reach the disk before the bytes of what it names; then the file is there, and empty.
"""

import fcntl
import os
from contextlib import suppress
from pathlib import Path

PARTIAL = ".sqlgen-partial"


def write_whole(text: str, path: Path) -> None:
    """Write a file in one step: a reader sees the old one or the new one, after a crash too.

    Of two writers at once each writes a whole file. What a killed one left is written over.
    """
    partial = path.with_name(path.name + PARTIAL)
    handle = _held(partial)
    try:
        try:
            os.ftruncate(handle, 0)
            os.fchmod(handle, 0o644)
            with open(handle, "w", encoding="utf-8", newline="\n", closefd=False) as file:
                file.write(text)
            os.fsync(handle)
            partial.replace(path)
        except BaseException:
            if is_found(handle, partial):
                with suppress(OSError):
                    partial.unlink()
            raise
    finally:
        os.close(handle)
    sync(path.parent)


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


def _held(partial: Path) -> int:
    """A file open for one writer at a time; a lock that dies with its holder."""
    while True:
        handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            # The writer that was waited for has given it another name.
            if is_found(handle, partial):
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)
