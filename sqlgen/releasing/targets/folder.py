"""A folder as the target: a partitioned set, written beside it and exchanged for what stands."""

import ctypes
import errno
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from fnmatch import fnmatch
from pathlib import Path

from sqlgen.engines import Engine
from sqlgen.errors import PolicyError, RefusedError
from sqlgen.files.atomic import PARTIAL
from sqlgen.files.destinations import Destination, check_own_file, check_unmoved, find_destination
from sqlgen.files.hive import is_set, remove_set
from sqlgen.policy import Policy
from sqlgen.releasing.targets.file import (
    CLAIM,
    beside,
    check_parent,
    check_place,
    files_read,
    flush_name,
    held,
    named_in_query,
    same_file,
)

_HERE = -100  # AT_FDCWD: paths are as they are.
_EXCHANGE = 2  # RENAME_EXCHANGE on Linux, RENAME_SWAP on macOS.


def check_folder(
    engine: Engine, policy: Policy, written: Path, where: str, replaces: bool
) -> Destination:
    """The folder that is written to: refused where it would take the place of anything else."""
    check_place(written, where)
    destination = find_destination(written, where, "folder")
    path = destination.path
    check_place(path, where)
    claim, partial = beside(path, CLAIM), beside(path, PARTIAL)
    reads = files_read(engine, policy)
    if (
        any(same_file(claim, read) for read in reads)
        or any(_is_below(read, folder) for folder in (path, partial) for read in reads)
        or any(_may_be_below(named, path) for named in named_in_query(policy))
    ):
        raise PolicyError(
            f"{where}: the release would take the place of a file that it is made from. "
            "Nothing was changed."
        )
    if partial.is_symlink():
        raise RefusedError(
            f"{where}: a link has the folder's name with {PARTIAL} behind it, which is kept for "
            "the release while it is made. Look at it, and remove it. Nothing was changed."
        )
    check_own_file(claim, where, "folder")
    if destination.exists and not replaces:
        raise RefusedError(
            f"{where}: the folder exists already. Remove it, name another, or say --replace. "
            "Nothing was changed."
        )
    check_parent(path, where)
    if destination.exists:
        _check_set(path, where)
    return destination


@contextmanager
def claimed_folder(
    path: Path, where: str, is_noted: Callable[[], bool] = lambda: False
) -> Iterator[None]:
    """The target for one writer at a time; what it wrote and did not publish is removed.

    It stays where it ``is_noted`` that a release is in it: the next run gives it its name.

    So is what was replaced, which has the partial name then; what a killed run left of either goes
    first. The partial folder is made here, for its owner's eyes alone until it has been audited:
    its folders are called by the values of the release.
    """
    partial = beside(path, PARTIAL)
    with held(path, where):
        _make(partial, where)
        try:
            if path.exists():
                _check_exchange(partial, where)
            yield
        finally:
            # An interrupt now takes nothing back, and the next run removes what is left.
            with suppress(OSError, KeyboardInterrupt):
                if is_set(partial) and (path.exists() or not is_noted()):
                    remove_set(partial)


def publish_folder(destination: Destination, where: str, replaces: bool) -> int:
    """Give the audited folder, which is on disk, its name in one step.

    What it replaces has the partial name afterwards; no folder has another name. An interrupt that
    comes once the name is given does not undo it, and is not passed on.
    """
    path = destination.path
    partial = beside(path, PARTIAL)
    inode = partial.lstat().st_ino
    try:
        stands = check_unmoved(destination, where, "folder") and replaces
        if stands:
            _check_set(path, where)
        # The mode of what is replaced, or that of the claim: what a new folder gets here.
        mode = beside(path, CLAIM).stat().st_mode & 0o666
        partial.chmod(path.stat().st_mode & 0o777 if stands else mode | (mode & 0o444) >> 2)
        if stands:
            _exchange(partial, path)
        else:
            # A folder that somebody made in the meantime stays, unless it is empty; so does a file.
            partial.rename(path)
        flush_name(path)
    except OSError as error:
        if error.errno in (errno.EEXIST, errno.ENOTEMPTY, errno.ENOTDIR):
            raise RefusedError(
                f"{where}: something appeared under the folder's name while the release was being "
                "made. Nothing was changed."
            ) from None
        raise RefusedError(
            f"{where}: the folder cannot be given its name ({type(error).__name__}). "
            "Nothing was changed."
        ) from None
    except KeyboardInterrupt:
        if not path.exists() or path.stat().st_ino != inode:
            raise
    return 0


def _check_set(path: Path, where: str) -> None:
    """Refuse to replace, and so to remove, a folder with anything in it that no release has."""
    if not is_set(path):
        raise RefusedError(
            f"{where}: the folder that would be replaced holds something else than partitions of "
            "Parquet files. Look at it, and remove it or name another. Nothing was changed."
        )


def _make(partial: Path, where: str) -> None:
    """Make the partial folder, in place of what a killed run left under its name."""
    try:
        if is_set(partial):
            remove_set(partial)
        elif partial.is_file() and not partial.is_symlink():
            partial.unlink()
        partial.mkdir(0o700)
    except FileExistsError:
        raise RefusedError(
            f"{where}: the release is written to {partial.name} first, and something else has that "
            "name. Look at it, and remove it. Nothing was changed."
        ) from None
    except OSError as error:
        raise RefusedError(
            f"{where}: {partial.name}, to which the release is written first, cannot be made "
            f"anew ({type(error).__name__}). Nothing was changed."
        ) from None


def _check_exchange(partial: Path, where: str) -> None:
    """Refuse to replace a folder where two cannot change names in one step: found by trying."""
    first, second = partial / "first=", partial / "second="
    try:
        for folder in (first, second):
            folder.mkdir()
        _exchange(first, second)
        for folder in (first, second):
            folder.rmdir()
    except OSError:
        raise RefusedError(
            f"{where}: this system cannot exchange two folders in one step, so that readers would "
            "see half a release. Say timestamped: true, for a folder per release. "
            "Nothing was changed."
        ) from None


def _exchange(one: Path, other: Path) -> None:
    """Let two folders change names, in one step; an OSError where the system cannot."""
    try:
        library = ctypes.CDLL(None, use_errno=True)
    except TypeError:  # Windows
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS)) from None
    swap = getattr(library, "renamex_np" if sys.platform == "darwin" else "renameat2", None)
    if swap is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    paths = os.fsencode(one), os.fsencode(other)
    if sys.platform == "darwin":
        failed = swap(*paths, ctypes.c_uint(_EXCHANGE))
    else:
        failed = swap(_HERE, paths[0], _HERE, paths[1], ctypes.c_uint(_EXCHANGE))
    if failed:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _is_below(read: Path, folder: Path) -> bool:
    """Whether a file is a folder, or is in it."""
    return Path(os.path.realpath(read)).is_relative_to(os.path.realpath(folder))


def _may_be_below(named: Path, folder: Path) -> bool:
    """Whether a path, which may be a pattern, may name the folder or something in it."""
    for part, own in zip(named.parts, folder.parts, strict=False):
        if part == "**":
            return True
        if not fnmatch(own, part):
            return False
    return len(named.parts) >= len(folder.parts)
