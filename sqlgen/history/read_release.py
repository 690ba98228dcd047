"""One release that was published, read as it stands now, with the levels that it shows."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation, file_relation, find, fold
from sqlgen.errors import PolicyError
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.hierarchies.lists import Csv, Table
from sqlgen.history.origins import SAME, Kinship, Origin
from sqlgen.history.requirements import UNKNOWN, stored_requirements
from sqlgen.history.staged_releases import PublishedRelease
from sqlgen.ledger.faults import fault_of, name_fault
from sqlgen.ledger.ledger import Entry
from sqlgen.policy import Policy, Role
from sqlgen.sql.render import statement
from sqlgen.staging.fingerprints import policy_digest, policy_parts, take_meanings
from sqlgen.staging.people import is_float, label_text_fragment, labels_fragment
from sqlgen.staging.row_windows import says_when
from sqlgen.wording import counted


@dataclass(frozen=True)
class PublishedTarget:
    """Where a release should be, and what the ledger says of it, where it says anything."""

    kind: str
    name: str
    place: str
    entry: Entry | None = None

    @property
    def words(self) -> str:
        called = f"{self.kind} {self.name}"
        return f"release {self.entry.release_id}, {called}" if self.entry is not None else called

    @property
    def key(self) -> tuple[bool, str]:
        """What it shares with every release that takes its place."""
        in_database = self.kind not in ("parquet", "csv")
        return in_database, fold(self.place) if in_database else self.place


class LeftOutError(Exception):
    """A release that is not to be read, with the reason."""


def read_published(
    engine: Engine,
    policy: Policy,
    source: Relation,
    ladders: Mapping[str, Ladder],
    target: PublishedTarget,
    origin: Origin = SAME,
) -> PublishedRelease:
    """A release as it stands, with the levels that its labels are at."""
    entry = target.entry
    if entry is not None and (fault := name_fault(entry)):
        raise PolicyError(f"it may stand, and cannot be read: {fault}")
    release = _relation(engine, policy, target)
    if entry is not None and (fault := fault_of(entry)):
        raise PolicyError(f"it stands and cannot be read: {fault}")
    if origin.kinship is Kinship.OTHER:
        raise LeftOutError(origin.why)
    if origin.kinship is Kinship.UNKNOWN:
        raise PolicyError(origin.why)
    _check_columns(policy, release, entry)
    quasi = [name for name in policy.quasi if name in release.names]
    now = policy_digest(policy_parts(policy))
    same = entry is not None and entry.policy_fingerprint == now
    levels = {
        name: _level(engine, policy, source, release, ladders[name], entry, same=same)
        for name in quasi
    }
    for name in policy.sensitive:
        if name in release.names and name in ladders:
            levels[name] = (
                policy.level(name)
                if same
                else _level(engine, policy, source, release, ladders[name], entry, same=False)
            )
    if entry is not None:
        _check_hierarchies(engine, policy, ladders, levels, entry)
    withholds = bool(entry.withheld_rows) if entry is not None else policy.masks_sensitive
    window = entry.window if entry is not None else None
    if window is not None and not (
        says_when(source, window.column) and source.column(window.column).type == window.type
    ):
        raise PolicyError(
            f"when its rows came, {window.column} of the source does not say any more"
        )
    asked = stored_requirements(entry.guarantees if entry else (), policy.sensitive, source.names)
    if UNKNOWN in asked.sizes:
        raise PolicyError("it was made to tell persons by a column that the source has no more")
    return PublishedRelease(target.words, release, levels, withholds, window, asked)


def _check_columns(policy: Policy, release: Relation, entry: Entry | None) -> None:
    """Refuse a release that tells people apart by columns that are not known as what they are."""
    told = (entry.levels or {}) if entry is not None else {}
    quasi = [name for name in release.names if name in told and name not in policy.quasi]
    if quasi:
        raise PolicyError(
            f"it has quasi-identifiers that this policy does not have: {', '.join(quasi)}"
        )
    known = [name for name, each in policy.columns.items() if each.role is not Role.IDENTIFIER]
    unknown = [name for name in release.names if name not in known]
    if unknown:
        raise PolicyError(
            "it shows columns that this policy does not have, or would not release: "
            f"{', '.join(unknown)}"
        )
    others = [name for name in release.names if name not in policy.sensitive]
    asked = stored_requirements(entry.guarantees if entry else (), others, ())
    if asked.diverse or asked.implied:
        raise PolicyError(
            "it was made to protect columns that are not sensitive in this policy: "
            f"{', '.join(sorted({*asked.diverse, *asked.implied}))}"
        )
    if not any(name in release.names for name in policy.quasi):
        raise PolicyError("it shows no quasi-identifier of this policy")


def _check_hierarchies(
    engine: Engine,
    policy: Policy,
    ladders: Mapping[str, Ladder],
    levels: Mapping[str, int],
    entry: Entry,
) -> None:
    """Refuse a release whose labels may mean something else in the hierarchies of today."""
    between = [name for name, level in levels.items() if 0 < level < ladders[name].height]
    now = take_meanings(engine, policy, [ladders[name] for name in between])
    changed = [name for name in between if entry.hierarchies.get(name) != now.get(name)]
    if changed:
        raise PolicyError(
            f"the hierarchy of {', '.join(changed)} is another one than it was made with, so its "
            "labels may mean something else now; remove that release, or say joint: warn"
        )


def _relation(engine: Engine, policy: Policy, target: PublishedTarget) -> Relation:
    if target.kind == "in_place":
        raise LeftOutError("it took the place of its own source, which is gone")
    if target.kind in ("table", "view"):
        found = find(engine, target.entry.stands_at if target.entry else target.name)
        if found is None:
            raise LeftOutError("it does not stand any more")
        return found
    path = _path(policy, target)
    try:
        if not path.is_file() and not (target.kind == "parquet" and path.is_dir()):
            raise LeftOutError("it does not stand any more")
        return file_relation(engine, path, target.kind, "")
    except (PolicyError, OSError):
        raise PolicyError(f"the file cannot be read as {target.kind}") from None


def _path(policy: Policy, target: PublishedTarget) -> Path:
    if target.entry is None:
        return policy.file(target.name, "release", target.kind)
    path = target.entry.file(policy)
    if path is None:
        raise PolicyError(
            "where its file is cannot be told: the policy's folder is another one now, a variable "
            "of the environment has another value, or a link leads elsewhere"
        )
    return path


def _level(
    engine: Engine,
    policy: Policy,
    source: Relation,
    release: Relation,
    ladder: Ladder,
    entry: Entry | None,
    *,
    same: bool,
) -> int:
    """The level of a hierarchy that a release shows a column at, by the labels in it.

    A label that no value of the source has is of a value that is gone, where the hierarchy is the
    ``same`` as it was and says so itself; else nobody knows what it covers. A sensitive column may
    have such labels, for they stand for themselves.
    """
    name = ladder.column.name
    called = label_text_fragment(release.column(name).shown("released"), is_float=is_float(ladder))
    rows, shown, *lacking = engine.rows(
        statement(
            "history/shown_labels",
            release=release.sql,
            called=called,
            labels=labels_fragment(ladder, source.sql, leaves=True),
            levels=range(ladder.height + 1),
        )
    )[0]
    is_sensitive = name in policy.sensitive
    told = {} if entry is None else entry.sensitive_levels if is_sensitive else entry.levels or {}
    asked = told.get(name)
    # No label of a quasi-identifier may be strange; of a sensitive column, not all of them.
    if entry is not None and asked is not None and 0 <= asked <= ladder.height:
        by_rule = not isinstance(policy.columns[name].hierarchy, (Csv, Table))
        unchanged = release.kind == "view" or rows == entry.released_rows
        known = not lacking[asked] or (is_sensitive and lacking[asked] < shown)
        if known or (same and by_rule and unchanged):
            return asked
    most = min(lacking) if is_sensitive and min(lacking) < shown else 0
    found = [level for level, strange in enumerate(lacking) if strange <= most]
    if not found:
        raise PolicyError(
            f"it shows {counted(min(lacking), 'label')} of {name} that the hierarchy does not "
            "give to any value of the source"
        )
    if len(found) > 1:
        several = statement(
            "history/several_meanings",
            release=release.sql,
            called=called,
            labels=labels_fragment(ladder, source.sql, found, leaves=True),
            levels=len(found),
        )
        if engine.rows(several)[0][0]:
            raise PolicyError(
                f"the labels of {name} that it shows could be of level "
                f"{' or '.join(map(str, found))}, and cover other values at each"
            )
    return found[0]
