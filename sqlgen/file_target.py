"""A file as the target: claimed by one writer, written beside it, and renamed when it is good."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from fnmatch import fnmatch
from pathlib import Path

from sqlgen.catalog import database_files
from sqlgen.durable import PARTIAL, is_found, sync
from sqlgen.engines import Engine
from sqlgen.errors import PolicyError, RefusedError
from sqlgen.hierarchies.listed import Csv
from sqlgen.ladders import list_path
from sqlgen.policy import Policy
from sqlgen.sql.expression import texts_of

CLAIM = ".sqlgen-lock"


def check_file(engine: Engine, policy: Policy, path: Path, where: str, replaces: bool) -> None:
    """Refuse a target that cannot be written, or that would take the place of what is read."""
    check_place(path, where)
    written = (path, beside(path, PARTIAL), beside(path, CLAIM))
    reads = files_read(engine, policy)
    if any(same_file(each, read) for each in written for read in reads) or _in_query(policy, path):
        raise PolicyError(
            f"{where}: the release would take the place of a file that it is made from. "
            "Nothing was changed."
        )
    if any(each.is_dir() for each in written):
        raise RefusedError(
            f"{where}: a folder has the file's name. Remove it, or name another file. "
            "Nothing was changed."
        )
    if path.exists() and not replaces:
        raise RefusedError(
            f"{where}: the file exists already. Remove it, name another, or say --replace. "
            "Nothing was changed."
        )
    check_parent(path, where)


def check_place(path: Path, where: str) -> None:
    """Refuse a path that the engine would take for many, or that is in no folder."""
    if any(character in str(path) for character in "*?["):
        raise PolicyError(f"{where}: a file's path cannot hold *, ? or [. Nothing was changed.")
    if not path.parent.is_dir():
        raise PolicyError(f"{where}: there is no folder for the file. Nothing was changed.")


def check_parent(path: Path, where: str) -> None:
    """Refuse a path in a folder that cannot be written."""
    if not os.access(path.parent, os.W_OK):
        raise RefusedError(f"{where}: the folder is read-only. Nothing was changed.")


@contextmanager
def claimed(path: Path, where: str, is_noted: Callable[[], bool] = lambda: False) -> Iterator[None]:
    """The target for one writer at a time; what it wrote and did not publish is removed.

    The partial file is made here, for its owner's eyes alone until it has been audited. It stays
    where it ``is_noted`` that a release is in it: the next run gives it its name.
    """
    partial = beside(path, PARTIAL)
    with held(path, where):
        try:
            partial.unlink(missing_ok=True)
            os.close(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            yield
        finally:
            if path.exists() or not is_noted():
                with suppress(OSError):
                    partial.unlink(missing_ok=True)


@contextmanager
def held(path: Path, where: str) -> Iterator[None]:
    """The name of a file or a folder, for one writer at a time.

    A lock that dies with its holder: a file that a killed run left behind is in nobody's way.
    """
    claim = beside(path, CLAIM)
    refused = RefusedError(f"{where}: another run is writing the file. Nothing was changed.")
    try:
        handle = os.open(claim, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError:
        raise RefusedError(f"{where}: the folder cannot be written. Nothing was changed.") from None
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise refused from None
        if not is_found(handle, claim):
            raise refused
        try:
            yield
        finally:
            with suppress(OSError):
                claim.unlink(missing_ok=True)
    finally:
        os.close(handle)


def publish(path: Path, where: str, replaces: bool) -> None:
    """Give the audited file, which is on disk, its name.

    An interrupt that comes once the name is given does not undo it, and is not passed on.
    """
    partial = beside(path, PARTIAL)
    made = partial.stat().st_ino
    try:
        # The mode of what is replaced, or that of the claim: what a new file gets here.
        standing = path if replaces and path.exists() else beside(path, CLAIM)
        partial.chmod(standing.stat().st_mode & 0o777)
        if replaces:
            partial.replace(path)
        else:
            # A link, unlike a rename, fails where somebody made the file in the meantime.
            path.hardlink_to(partial)
        flush_name(path)
    except FileExistsError:
        raise RefusedError(
            f"{where}: the file appeared while it was being made. Nothing was changed."
        ) from None
    except OSError as error:
        raise RefusedError(
            f"{where}: the file cannot be given its name ({type(error).__name__}). "
            "Nothing was changed."
        ) from None
    except KeyboardInterrupt:
        if not path.exists() or path.stat().st_ino != made:
            raise


def flush_name(path: Path) -> None:
    """Have the name of what was published on disk, where the file system can say so.

    The release stands already: whether its name outlives a power cut takes nothing back.
    """
    with suppress(OSError):
        sync(path.parent)


def beside(path: Path, ending: str) -> Path:
    """The file of that name and ending, in the same folder."""
    return path.with_name(path.name + ending)


def files_read(engine: Engine, policy: Policy) -> list[Path]:
    """The files that a release is made from and by, but for those that a query names."""
    databases = database_files(engine)
    read = [*databases, *(beside(each, ".wal") for each in databases)]
    read += [
        list_path(policy, column, declared.hierarchy)
        for column, declared in policy.columns.items()
        if isinstance(declared.hierarchy, Csv)
    ]
    if policy.path is not None:
        read += [policy.path, policy.path.with_suffix(".lock")]
    if policy.source.database is not None:
        database = policy.file(policy.source.database, "source", "database")
        read += [database, beside(database, ".wal")]
    return read


def same_file(path: Path, read: Path) -> bool:
    """Whether two paths are of one file, be it there or not."""
    if path.exists() and read.exists():
        return path.samefile(read)
    return path.resolve() == read.resolve()


def named_in_query(policy: Policy) -> list[Path]:
    """The paths that texts of the source's query would be, patterns among them."""
    texts = texts_of(policy.source.query) if policy.source.query is not None else []
    return [Path(text).resolve() for text in texts if text]


def _in_query(policy: Policy, path: Path) -> bool:
    """Whether the source's query reads the file that is to be written."""
    return any(fnmatch(str(path.resolve()), str(named)) for named in named_in_query(policy))
