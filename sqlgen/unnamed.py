"""What a killed run left of a timestamped file: it is given its name, or removed.

The ledger is committed a moment before a file gets its name. A run that is killed in between leaves
an audited release in the ledger under its partial name, and the next run gives it the name that it
was made for. So its rows are neither lost nor released a second time in another class; and where
the file had its name already, and somebody has moved it on, they find the same bytes again.
A partial file of which the ledger knows nothing was never released, and goes.
"""

import re
from contextlib import suppress
from pathlib import Path

from sqlgen.dated import dated_entries, series_of
from sqlgen.engines import Engine
from sqlgen.errors import RefusedError
from sqlgen.file_target import CLAIM, PARTIAL, beside, held, keep_names, publish
from sqlgen.ledger import read_entries, release_ledger
from sqlgen.policy import Policy


def name_files(engine: Engine, policy: Policy) -> list[str]:
    """Give the files of a timestamped target, that the ledger knows of, the names they lack.

    Gives the names. What another run is writing now is left alone.
    """
    release = policy.release
    if release is None or not release.timestamped or release.kind == "table":
        return []
    where = policy.where("release", release.kind)
    left = _left(policy.file(release.target, "release", release.kind), policy)
    if not left:
        return []
    with engine.read():
        entries = dated_entries(policy, read_entries(engine, release_ledger(engine, policy)))
    noted = {policy.file(each.target, "release", release.kind) for each in entries}
    named = []
    for path in left:
        # What cannot be done now is left for the next run.
        with suppress(RefusedError, OSError), held(path, where):
            partial = beside(path, PARTIAL)
            if path in noted and partial.exists() and not path.exists():
                publish(path, where, replaces=False)
                named.append(path.name)
                keep_names(path)
            partial.unlink(missing_ok=True)
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
        each.name.removesuffix(ending)
        for each in folder.iterdir()
        for ending in (PARTIAL, CLAIM)
        if each.name.endswith(ending)
    }
    return [folder / name for name in sorted(names) if pattern.fullmatch(name)]
