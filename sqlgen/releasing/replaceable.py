"""Replacing a release: a run replaces its own, as it was published, and nothing else."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from sqlgen.auditing.paired import paired
from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import (
    Relation,
    file_relation,
    find,
    find_marked,
    fold,
    labels_mark,
)
from sqlgen.errors import EngineError, PolicyError, RefusedError
from sqlgen.ledger.ledger import Entry
from sqlgen.policy import Policy
from sqlgen.policy.places import FILE_KINDS, RELATION_KINDS
from sqlgen.releasing.targets.file import recover
from sqlgen.sql.render import statement


def may_replace(engine: Engine, policy: Policy, own: Sequence[Entry]) -> bool:
    """Whether a run may replace the table, view or file that has the target's name, if any.

    ``own`` are the policy's releases to that target. Refused where something else has the name
    since: it was dropped and made anew, or somebody changed it.
    """
    release = policy.release
    if not own or release is None or release.timestamped or release.kind == "in_place":
        return False
    try:
        with engine.read():
            standing = _standing(engine, policy)
            if policy.beside is not None:
                if _are_release(engine, policy, policy.beside, own):
                    return True
            elif standing is None or _is_release(engine, standing, own):
                return True
    except (PolicyError, EngineError):
        # What cannot be read is no release as it was published.
        pass
    raise RefusedError(
        f"{policy.where('release', release.kind)}: {release.target} is not what release "
        f"{own[0].release_id} left there: it has other columns or rows, or is something else. Look "
        "at it; drop or rename it, or say sqlgen apply --replace once. Nothing was changed."
    )


def _standing(engine: Engine, policy: Policy) -> Relation | None:
    """The table, view or file that has the target's name."""
    assert policy.release is not None
    kind, target = policy.release.kind, policy.release.target
    if kind in RELATION_KINDS:
        return find(engine, target)
    path = policy.file(target, "release", kind)
    return file_relation(engine, path, kind, "") if path.exists() else None


def _is_release(engine: Engine, standing: Relation, own: Sequence[Entry]) -> bool:
    """Whether a relation has the columns of a release, and as many rows as one had.

    One of the last ones: a run that was killed may be in the ledger without its file. A view has
    its own labels beside it, and the rows of today.
    """
    columns = _folded(standing.names)
    alike = [
        entry
        for entry in own
        if entry.target_kind == standing.kind
        and _folded(entry.column_levels, entry.sensitive_levels)
        <= columns
        <= _folded(entry.null_rows)
    ]
    if not alike:
        return False
    if standing.kind == "view":
        catalog, schema, view = standing.parts
        return bool(find_marked(engine, labels_mark(view), catalog, schema))
    rows = engine.rows(statement("releasing/drift_shape", source=standing.sql, columns=[]))[0][0]
    return rows in {entry.released_rows for entry in alike}


def _are_release(engine: Engine, policy: Policy, beside: Policy, own: Sequence[Entry]) -> bool:
    """Whether what stands are both tables of a release in groups, with as many rows as one had.

    Or none of both; one alone is none of a release as it was published. A file that a killed run
    gave its name, while the other one has none yet, goes back first.
    """
    paths = [_path_of(each) for each in (policy, beside)]
    if paths[0] is not None and paths[1] is not None:
        recover(paths[0], paths[1], policy.where("release"))
    rows = _rows_of_pair(engine, policy, beside)
    if rows is None:
        return _standing(engine, policy) is None and _standing(engine, beside) is None
    return _is_release(engine, rows, own)


def _path_of(policy: Policy) -> Path | None:
    """The path of a release to a file, behind every link."""
    release = policy.release
    if release is None or release.kind not in FILE_KINDS:
        return None
    return Path(os.path.realpath(policy.file(release.target, "release", release.kind)))


def _rows_of_pair(engine: Engine, policy: Policy, beside: Policy) -> Relation | None:
    """The rows of both tables of a release, as one; None where they are none."""
    first, second = _standing(engine, policy), _standing(engine, beside)
    if first is None or second is None:
        return None
    try:
        rows, _ = paired(engine, policy, (first.kind, first), (second.kind, second))
    except (PolicyError, EngineError):
        return None
    return replace(rows, columns=(*rows.columns, second.column(policy.sensitive[0])))


def _folded(*names: Iterable[str]) -> set[str]:
    return {fold(name) for group in names for name in group}
