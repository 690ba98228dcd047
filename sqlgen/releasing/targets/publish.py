"""A release's file or folder: claimed while it is made, on disk before it is noted, then named.

The ledger is committed a moment before a file gets its name. A run that is killed in between leaves
an audited release in the ledger under its partial name, and the next run gives it the name that it
was made for. So its rows are neither lost nor released a second time in another class; and where
the file had its name already, and somebody has moved it on, they find the same bytes again.
A partial file of which the ledger knows nothing was never released, and goes.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from sqlgen.engines import Engine
from sqlgen.errors import RefusedError
from sqlgen.files.atomic import PARTIAL, sync
from sqlgen.files.destinations import Wanted, check_own_file, find_destination
from sqlgen.files.hive import is_set, remove_set, tree_of
from sqlgen.ledger.ledger import read_entries, release_ledger
from sqlgen.ledger.timestamped import series_of, timestamped_entries
from sqlgen.policy import Policy
from sqlgen.releasing.targets.file import CLAIM, beside, claimed, held, publish, recover, taken_back
from sqlgen.releasing.targets.folder import claimed_folder, publish_folder
from sqlgen.releasing.targets.partitioned import threads_kept
from sqlgen.releasing.targets.resolve import Target


@contextmanager
def claimed_target(
    engine: Engine, policy: Policy, target: Target, path: Path, is_noted: Callable[[], bool]
) -> Iterator[None]:
    """The file or folder for one writer; what is in it stays where it ``is_noted``.

    Of a release of two tables, both files.
    """
    claim = claimed_folder if target.partition_by else claimed
    where = policy.where("release", target.kind)
    if target.beside is not None and target.beside.path is not None:
        recover(path, target.beside.path, where)
    with ExitStack() as claims:
        claims.enter_context(claim(path, where, is_noted))
        if target.beside is not None and target.beside.path is not None:
            claims.enter_context(claim(target.beside.path, where, is_noted))
        claims.enter_context(threads_kept(engine, target.threads))
        yield


def flush_built(policy: Policy, target: Target) -> None:
    """Have what was audited on disk, in its folder, before anything says that it was released."""
    try:
        for table in target.tables:
            partial = table.partial
            for file in tree_of(partial) if table.partition_by else (partial,):
                sync(file)
            sync(partial.parent)
    except OSError as error:
        raise RefusedError(
            f"{policy.where('release', target.kind)}: the release cannot be written to disk "
            f"({type(error).__name__}). Nothing was changed."
        ) from None


def name_target(policy: Policy, target: Target, replaces: bool) -> int:
    """Give what was audited its name; gives how many other names the replaced file has.

    Of two files the second table's comes first, and is taken back where the other cannot follow.
    """
    assert target.destination is not None
    give = publish_folder if target.partition_by else publish
    where = policy.where("release", target.kind)
    second = None if target.beside is None else target.beside.destination
    if second is None:
        return give(target.destination, where, replaces)
    with taken_back(second.path, where) as kept_names:
        other_names = give(second, where, replaces) - kept_names
        return max(other_names, give(target.destination, where, replaces))


def name_left(engine: Engine, policy: Policy, *, ledgered: bool) -> list[str]:
    """Give the files of a timestamped target, that the ledger knows of, the names they lack.

    Gives the names; removes what else killed runs left. What another run is writing now is left
    alone.
    """
    release = policy.release
    if release is None or not release.timestamped or release.kind == "table":
        return []
    where = policy.where("release", release.kind)
    left = _left(policy.file(release.target, "release", release.kind), policy)
    if not left:
        return []
    noted: set[Path | None] = set()
    if ledgered:
        with engine.read():
            entries = timestamped_entries(
                policy, read_entries(engine, release_ledger(engine, policy))
            )
        noted = {entry.file(policy) for entry in entries}
    give = publish_folder if release.partition_by else publish
    named = []
    for path in left:
        # What cannot be done now is left for the next run.
        with suppress(RefusedError, OSError), held(path, where):
            partial = beside(path, PARTIAL)
            if path in noted and partial.exists() and not path.exists():
                wanted: Wanted = "folder" if release.partition_by else "file"
                give(find_destination(path, where, wanted), where, False)
                named.append(path.name)
            if is_set(partial):
                remove_set(partial)
            elif check_own_file(partial, where):
                partial.unlink()
    return named


def _left(written: Path, policy: Policy) -> list[Path]:
    """The files of a target that are not finished: their partial files or claims are there."""
    assert policy.release is not None
    folder = written.parent
    if not folder.is_dir():
        return []
    spelled = policy.release.model_copy(update={policy.release.kind: written.name})
    pattern = re.compile(series_of(spelled))
    names = {
        path.name.removesuffix(ending)
        for path in folder.iterdir()
        for ending in (PARTIAL, CLAIM)
        if path.name.endswith(ending)
    }
    return [folder / name for name in sorted(names) if pattern.fullmatch(name)]
