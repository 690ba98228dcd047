"""A file as the target: claimed by one writer, written beside it, and renamed when it is good."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from fnmatch import fnmatch
from pathlib import Path

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import database_files
from sqlgen.errors import PolicyError, RefusedError
from sqlgen.files.atomic import PARTIAL, is_found, sync
from sqlgen.files.destinations import Destination, check_own_file, check_unmoved, find_destination
from sqlgen.files.locks import AS_IT_IS, is_lock_file, lock, require_locks
from sqlgen.hierarchies.lists import Csv
from sqlgen.policy import Policy
from sqlgen.sql.expression import texts_of
from sqlgen.staging.ladders import list_path

CLAIM = ".sqlgen-lock"
KEPT = ".sqlgen-kept"


def check_file(
    engine: Engine, policy: Policy, written: Path, where: str, replaces: bool
) -> Destination:
    """The file that is written to: refused where it cannot be, or is read, or is no file."""
    check_place(written, where)
    destination = find_destination(written, where)
    path = destination.path
    check_place(path, where)
    own = (beside(path, PARTIAL), beside(path, CLAIM))
    reads = files_read(engine, policy)
    if any(same_file(path_used, read) for path_used in (path, *own) for read in reads) or _in_query(
        policy, path
    ):
        raise PolicyError(
            f"{where}: the release would take the place of a file that it is made from. "
            "Nothing was changed."
        )
    for path_used in own:
        check_own_file(path_used, where)
    if destination.exists and not replaces:
        raise RefusedError(
            f"{where}: the file exists already. Remove it, name another, or say --replace. "
            "Nothing was changed."
        )
    check_parent(path, where)
    return destination


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
            if check_own_file(partial, where):
                partial.unlink()
            os.close(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
            yield
        finally:
            if path.exists() or not is_noted():
                with suppress(OSError, RefusedError):
                    if check_own_file(partial, where):
                        partial.unlink()


@contextmanager
def held(path: Path, where: str) -> Iterator[None]:
    """The name of a file or a folder, for one writer at a time.

    A lock that dies with its holder: a file that a killed run left behind is in nobody's way.
    """
    require_locks(where, "a release to a file or folder", "Release to a table.")
    claim = beside(path, CLAIM)
    check_own_file(claim, where)
    refused = RefusedError(f"{where}: another run is writing the file. Nothing was changed.")
    try:
        handle = os.open(claim, os.O_RDWR | os.O_CREAT | AS_IT_IS, 0o666)
    except OSError:
        raise RefusedError(f"{where}: the folder cannot be written. Nothing was changed.") from None
    try:
        if not is_lock_file(handle):
            raise RefusedError(
                f"{where}: something else has the file's name with {CLAIM} behind it, which is "
                "kept for runs. Look at it, and remove it. Nothing was changed."
            )
        try:
            is_ours = lock(handle, wait=False)
        except OSError:
            is_ours = False
        if not is_ours or not is_found(handle, claim):
            raise refused
        try:
            yield
        finally:
            with suppress(OSError):
                claim.unlink(missing_ok=True)
    finally:
        os.close(handle)


def publish(destination: Destination, where: str, replaces: bool) -> int:
    """Give the audited file, which is on disk, its name.

    Gives how many other names (hard links) the replaced file has: it stands under them still. An
    interrupt that comes once the name is given does not undo it, and is not passed on.
    """
    path = destination.path
    partial = beside(path, PARTIAL)
    inode = partial.lstat().st_ino
    other_names = 0
    try:
        stands = check_unmoved(destination, where) and replaces
        # The mode of what is replaced, or that of the claim: what a new file gets here.
        standing = (path if stands else beside(path, CLAIM)).lstat()
        partial.chmod(standing.st_mode & 0o777)
        if replaces:
            other_names = standing.st_nlink - 1 if stands else 0
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
        if not path.exists() or path.stat().st_ino != inode:
            raise
    return other_names


@contextmanager
def taken_back(path: Path, where: str) -> Iterator[int]:
    """A file that gets its name, and loses it where what follows fails: the old one has it again.

    Until then the old one is kept under a name beside it, an empty file where there is none; gives
    how many names it has by that.
    """
    stood = _keep(path, where)
    try:
        yield int(stood)
    except BaseException:
        try:
            _take_back(path)
        except OSError as error:
            raise RefusedError(
                f"{where}: one file could not be given its name, and the other, {path.name}, could "
                f"not be taken back ({type(error).__name__}). {path.name} is of the new release, "
                f"which is not in the ledger, or is missing; {_kept_words(path, stood)}. Remove "
                f"{path.name} and run again."
            ) from None
        raise
    # Both have their names by now: what is left of the old one is removed by the next run.
    with suppress(OSError):
        beside(path, KEPT).unlink()


def _keep(path: Path, where: str) -> bool:
    """Keep the file that has a name, under a name beside it; gives whether there is one."""
    kept = beside(path, KEPT)
    try:
        if check_own_file(kept, where):
            kept.unlink()
        stood = path.exists()
        if stood:
            kept.hardlink_to(path)
        else:
            kept.touch(0o600)
    except OSError as error:
        with suppress(OSError):
            kept.unlink(missing_ok=True)
        raise RefusedError(
            f"{where}: the file cannot be kept until both files have their names "
            f"({type(error).__name__}). Nothing was changed."
        ) from None
    return stood


def _kept_words(path: Path, stood: bool) -> str:
    """Where the old file is, for people."""
    return f"the old one is kept as {path.name}{KEPT}" if stood else "there was none before"


def _take_back(path: Path) -> None:
    """Give the file that was kept its name again, or have none where none stood.

    A file that has the name, and was not given it here, is left alone.
    """
    kept, partial = beside(path, KEPT), beside(path, PARTIAL)
    is_given = not partial.exists() or (path.exists() and path.samefile(partial))
    if is_given and kept.stat().st_size:
        kept.replace(path)
    elif is_given:
        path.unlink(missing_ok=True)
    # Two names of one file stay two when one is given the other.
    kept.unlink(missing_ok=True)
    flush_name(path)


def recover(first: Path, second: Path, where: str) -> None:
    """Finish what a run began that was killed while it gave two files their names.

    Where the first has not got its name, the second has not either afterwards. What another run is
    writing now is left alone.
    """
    partial = beside(first, PARTIAL)
    with suppress(RefusedError, OSError), held(second, where):
        if not check_own_file(beside(second, KEPT), where):
            return
        if partial.exists() and not (first.exists() and first.samefile(partial)):
            _take_back(second)
        else:
            beside(second, KEPT).unlink()


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
    """The files that a release is made from and by; files that a query names are not listed."""
    databases = database_files(engine)
    read = [*databases, *(beside(file, ".wal") for file in databases)]
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
    return os.path.realpath(path) == os.path.realpath(read)


def named_in_query(policy: Policy) -> list[Path]:
    """The paths that texts of the source's query would be, patterns among them."""
    texts = texts_of(policy.source.query) if policy.source.query is not None else []
    return [Path(os.path.realpath(text)) for text in texts if text]


def _in_query(policy: Policy, path: Path) -> bool:
    """Whether the source's query reads the file that is to be written."""
    return any(fnmatch(os.path.realpath(path), str(named)) for named in named_in_query(policy))
