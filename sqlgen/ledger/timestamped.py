"""Timestamped targets: each release is a table or file of its own, and ``keep`` of them stay."""

import os
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import locate
from sqlgen.errors import EngineError
from sqlgen.files.hive import is_set, remove_set
from sqlgen.ledger.ledger import Entry
from sqlgen.policy import Policy, ReleaseTarget
from sqlgen.sql.ddl import drop_table
from sqlgen.sql.names import parse_name
from sqlgen.sql.render import quoted_name

_LEAVING = ".sqlgen-leaving"
_TIMES = {"table": r"_\d{8}_\d{6}", "file": r"-\d{8}T\d{6}Z"}


def timestamped(policy: Policy, moment: datetime) -> Policy:
    """The policy with the target of one moment, where its target is timestamped."""
    release = policy.release
    if release is None or not release.timestamped:
        return policy
    moment = moment.astimezone(UTC)
    form = "_%Y%m%d_%H%M%S" if release.kind == "table" else "-%Y%m%dT%H%M%SZ"
    before, after = _around(release)
    target = f"{before}{moment.strftime(form)}{after}"
    written: dict[str, Any] = {release.kind: target}
    if release.partition_by:
        written["partition_by"] = release.partition_by
    return policy.model_copy(update={"release": ReleaseTarget.model_validate(written)})


def series_of(release: ReleaseTarget) -> str:
    """The pattern of the names that a timestamped target's releases have."""
    before, after = _around(release)
    form = _TIMES["table" if release.kind == "table" else "file"]
    return re.escape(before) + form + re.escape(after)


def policy_of(policy: Policy, entry: Entry) -> Policy:
    """The policy for a release of the ledger: with the target that it went to."""
    release = ReleaseTarget.model_validate({entry.target_kind: entry.target})
    return policy.model_copy(update={"release": release})


def timestamped_entries(policy: Policy, entries: Sequence[Entry]) -> list[Entry]:
    """The releases of a timestamped target that the policy made, the last one first."""
    release = policy.release
    if release is None or not release.timestamped:
        return []
    pattern = re.compile(series_of(release))
    return [
        entry
        for entry in entries
        if entry.target_kind == release.kind
        and pattern.fullmatch(entry.target)
        and entry.is_of(policy)
    ]


def remove_older(engine: Engine, policy: Policy, entries: Sequence[Entry]) -> list[str]:
    """Remove the oldest releases of a timestamped target, so that ``keep`` releases stay.

    Only releases in the ledger are removed. Gives their names.
    """
    gone = []
    for entry in _older(policy, entries, 0):
        if entry.target_kind == "table":
            standing = locate(engine, entry.stands_at)
            if standing is None or standing.kind != "table":
                continue
            engine.run(drop_table(standing.sql))
        else:
            path = entry.file(policy)
            try:
                if path is None or not _removed(path):
                    continue
            except OSError as error:
                raise EngineError(
                    f"{policy.where('release', 'keep')}: the release stands, but an older one "
                    f"cannot be removed ({type(error).__name__}); they were not judged together. "
                    f"Remove {entry.target}"
                ) from None
        gone.append(entry.target)
    return gone


def leaving_entries(engine: Engine, policy: Policy, entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """The releases of a timestamped target that are removed once the next one is published.

    A release whose name is not a table any more stays, and so does a file that cannot be found.
    """
    leaving = []
    for entry in _older(policy, entries, 1):
        if entry.target_kind == "table":
            standing = locate(engine, entry.stands_at)
            goes = standing is not None and standing.kind == "table"
        else:
            goes = entry.file(policy) is not None
        if goes:
            leaving.append(entry)
    return tuple(leaving)


def _older(policy: Policy, entries: Sequence[Entry], more: int) -> list[Entry]:
    """The releases of a timestamped target that ``keep`` removes, once there are ``more``."""
    release = policy.release
    if release is None or release.keep is None:
        return []
    # Two releases in the same second have one target, and are one release here.
    last = {
        (entry.target, entry.place): entry
        for entry in reversed(timestamped_entries(policy, entries))
    }
    newest_first = sorted(last.values(), key=lambda entry: -entry.release_id)
    return newest_first[release.keep - more :]


def _removed(path: Path) -> bool:
    """Whether a file or a partitioned set is gone now, and no reader saw half of it."""
    # The ledger records the path of the file itself, and not that of a link to it.
    path = Path(os.path.realpath(path))
    # A run that is killed here leaves a folder half removed; the next run removes the rest.
    leaving = path.with_name(path.name + _LEAVING)
    if is_set(leaving):
        remove_set(leaving)
    if is_set(path):
        path.rename(leaving)
        remove_set(leaving)
        return True
    if not path.is_file():
        return False
    path.unlink()
    return True


def _around(release: ReleaseTarget) -> tuple[str, str]:
    """The texts before and after the time in a target's name."""
    if release.kind == "table":
        return quoted_name(parse_name(release.target))[:-1], '"'
    path = PurePosixPath(release.target)
    stem, dot, endings = path.name.partition(".")
    return release.target[: len(release.target) - len(path.name)] + stem, dot + endings
