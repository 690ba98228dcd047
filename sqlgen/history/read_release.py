"""One release that was published, read as it stands now, with the levels that it shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation, file_relation, find, fold
from sqlgen.errors import PolicyError, RefusedError
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.hierarchies.lists import Csv, Table
from sqlgen.history.origins import SAME, Kinship, Origin
from sqlgen.history.read_regions import find_regions, floats_of, knows_regions, shows_regions
from sqlgen.history.requirements import UNKNOWN, stored_requirements
from sqlgen.history.staged_releases import PublishedRelease, ReleaseRegions
from sqlgen.ledger.faults import fault_of, name_fault, several_levels
from sqlgen.ledger.ledger import Entry, Ledger
from sqlgen.policy import Policy, Role, RowWindow
from sqlgen.policy.anatomy import ANATOMY
from sqlgen.policy.microaggregation import MICROAGGREGATION
from sqlgen.policy.places import FILE_KINDS, RELATION_KINDS
from sqlgen.sql.render import statement
from sqlgen.staging.fingerprints import policy_digest, policy_parts, take_meanings
from sqlgen.staging.people import is_float, label_text_fragment, labels_fragment
from sqlgen.staging.read_back import read_shown_labels
from sqlgen.staging.row_windows import says_when
from sqlgen.wording import counted


@dataclass(frozen=True)
class PublishedTarget:
    """The place where a release should be, and its entry in the ledger, if it has one."""

    kind: str
    name: str
    place: str
    entry: Entry | None = None

    @property
    def words(self) -> str:
        """The name of the release in messages."""
        target = f"{self.kind} {self.name}"
        return f"release {self.entry.release_id}, {target}" if self.entry is not None else target

    @property
    def key(self) -> tuple[bool, str]:
        """The place as it is compared: a later release with the same key took this one's place."""
        in_database = self.kind not in FILE_KINDS
        return in_database, fold(self.place) if in_database else self.place


def target_of(entry: Entry) -> PublishedTarget:
    """The place where a release of the ledger should be."""
    return PublishedTarget(entry.target_kind, entry.target, entry.place, entry)


@dataclass(frozen=True)
class UpcomingRelease:
    """A release that is being made, and the releases that go once it is published.

    ``window`` is the time in which its rows came; None for all rows. ``replaced`` is the place of
    the release that it replaces. ``leaving`` has the entries that the policy's ``keep`` removes.
    """

    window: RowWindow | None = None
    replaced: PublishedTarget | None = None
    leaving: tuple[Entry, ...] = ()

    @property
    def leaving_keys(self) -> set[tuple[bool, str]]:
        """The places of the releases that ``keep`` removes."""
        replaced = {self.replaced.key} if self.replaced is not None else set()
        return {target_of(entry).key for entry in self.leaving} - replaced


@dataclass(frozen=True)
class ProvedSource:
    """The source's rows, and hierarchies that are proved on them: releases are read with both.

    The ledger's database keeps the regions of releases that have some.
    """

    rows: Relation
    ladders: Mapping[str, Ladder]
    ledger: Ledger | None = None


@dataclass(frozen=True)
class _FoundRelease:
    """A release that was found in its place, with its entry in the ledger.

    ``is_same_policy`` says that the policy has not changed since the release was made.
    """

    rows: Relation
    entry: Entry | None
    is_same_policy: bool

    def recorded_level(self, name: str, role: Role) -> int | None:
        """The level of a column of this role in the ledger, if it has one there."""
        if self.entry is None:
            return None
        is_sensitive = role is Role.SENSITIVE
        levels = self.entry.sensitive_levels if is_sensitive else self.entry.levels
        return (levels or {}).get(name)


class LeftOutError(Exception):
    """The reason why a release is not read together with others."""


def read_published(
    engine: Engine,
    policy: Policy,
    source: ProvedSource,
    target: PublishedTarget,
    origin: Origin = SAME,
) -> PublishedRelease:
    """A release as it stands now, with the level of each column.

    Raises LeftOutError where it must not be read with others, PolicyError where it cannot be read.
    """
    entry = target.entry
    if entry is not None and (fault := name_fault(entry)):
        raise PolicyError(f"it may stand, and cannot be read: {fault}")
    release = _relation(engine, policy, target)
    if entry is not None and (fault := fault_of(entry)):
        raise PolicyError(f"it stands and cannot be read: {fault}")
    if ANATOMY in (policy.recoding.name, entry.recoding if entry is not None else ""):
        raise PolicyError(
            "groups are not read together with other releases: who is in two groups has a value "
            "that both have"
        )
    if MICROAGGREGATION in (policy.recoding.name, entry.recoding if entry is not None else ""):
        raise PolicyError(
            "groups of alike values are made anew for each release, and are not read together with "
            "others: who is in two of them has a value that both have"
        )
    if origin.kinship is Kinship.OTHER:
        raise LeftOutError(origin.why)
    if origin.kinship is Kinship.UNKNOWN:
        raise PolicyError(origin.why)
    _check_columns(policy, release, entry)
    current = policy_digest(policy_parts(policy))
    is_same = entry is not None and entry.policy_fingerprint == current
    found = _FoundRelease(release, entry, is_same)
    regions, names = None, (*policy.quasi, *policy.sensitive)
    if entry is not None and entry.levels is None:
        regions, names = _read_regions(engine, policy, source, found), policy.sensitive
    levels = _levels(engine, policy, source, found, names)
    if entry is not None:
        most = (
            {} if regions is None else {name: top for name, (_, top) in entry.column_levels.items()}
        )
        _check_hierarchies(engine, policy, source.ladders, {**most, **levels}, entry)
    masks = bool(entry.masked_rows) if entry is not None else policy.masks_sensitive
    window = entry.window if entry is not None else None
    if window is not None and not (
        says_when(source.rows, window.column)
        and source.rows.column(window.column).type == window.type
    ):
        raise PolicyError(
            f"when its rows came, {window.column} of the source does not say any more"
        )
    guarantees = entry.guarantees if entry is not None else ()
    requirements = stored_requirements(guarantees, policy.sensitive, source.rows.names)
    if UNKNOWN in requirements.sizes:
        raise PolicyError("it was made to tell persons by a column that the source has no more")
    return PublishedRelease(
        target.words, release, levels, masks, window, requirements, regions=regions
    )


def _read_regions(
    engine: Engine, policy: Policy, source: ProvedSource, release: _FoundRelease
) -> ReleaseRegions:
    """The regions of a release whose columns have several levels."""
    entry = release.entry
    assert entry is not None
    columns = tuple(entry.column_levels)
    reason = f"it stands and cannot be read: {several_levels(entry.recoding)}"
    if any(name not in source.ladders for name in columns):
        raise PolicyError(reason)
    try:
        regions = find_regions(engine, policy, source.ledger, entry.regions, columns)
    except RefusedError:
        raise PolicyError("its regions were changed in the table beside the ledger") from None
    if regions is None:
        raise PolicyError(f"{reason}; the database keeps no regions of it")
    if not shows_regions(engine, release.rows, regions, floats_of(source.rows)):
        raise PolicyError("it shows labels of none of its regions")
    if not release.is_same_policy and not knows_regions(engine, policy, source.rows, regions):
        raise PolicyError(
            "its regions have labels that the hierarchies do not give to any value of the source"
        )
    return regions


def _levels(
    engine: Engine,
    policy: Policy,
    source: ProvedSource,
    release: _FoundRelease,
    names: Sequence[str],
) -> dict[str, int]:
    """The level of each of some columns that a release shows and that has a hierarchy."""
    levels = {}
    for name in names:
        if name not in release.rows.names:
            continue
        if name in policy.sensitive and release.is_same_policy and name in source.ladders:
            levels[name] = policy.level(name)
        elif name in policy.quasi or name in source.ladders:
            levels[name] = _level(engine, policy, source, release, name)
    return levels


def _check_columns(policy: Policy, release: Relation, entry: Entry | None) -> None:
    """Refuse a release with columns that are not in the policy, or have another role in it."""
    recorded = entry.column_levels if entry is not None else {}
    quasi = [name for name in release.names if name in recorded and name not in policy.quasi]
    if quasi:
        raise PolicyError(
            f"it has quasi-identifiers that this policy does not have: {', '.join(quasi)}"
        )
    known = [name for name, column in policy.columns.items() if column.role is not Role.IDENTIFIER]
    unknown = [name for name in release.names if name not in known]
    if unknown:
        raise PolicyError(
            "it shows columns that this policy does not have, or would not release: "
            f"{', '.join(unknown)}"
        )
    others = [name for name in release.names if name not in policy.sensitive]
    requirements = stored_requirements(entry.guarantees if entry else (), others, ())
    if requirements.diverse or requirements.implied:
        raise PolicyError(
            "it was made to protect columns that are not sensitive in this policy: "
            f"{', '.join(sorted({*requirements.diverse, *requirements.implied}))}"
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
    """Refuse a release whose labels may mean something else in today's hierarchies.

    Labels at the lowest and the highest level, values and ``*``, mean the same in all hierarchies;
    a column of several levels has the highest of them here.
    """
    several = entry.column_levels if entry.levels is None else {}
    between = [
        name
        for name, level in levels.items()
        if level > 0 and (level < ladders[name].height or name in several)
    ]
    current = take_meanings(engine, policy, [ladders[name] for name in between])
    changed = [name for name in between if entry.hierarchies.get(name) != current.get(name)]
    if changed:
        raise PolicyError(
            f"the hierarchy of {', '.join(changed)} is another one than it was made with, so its "
            "labels may mean something else now; remove that release, or say joint: warn"
        )


def _relation(engine: Engine, policy: Policy, target: PublishedTarget) -> Relation:
    """The rows of a release; raises LeftOutError where it is gone."""
    if target.kind == "in_place":
        raise LeftOutError("it took the place of its own source, which is gone")
    if target.kind in RELATION_KINDS:
        relation = find(engine, target.entry.stands_at if target.entry else target.name)
        if relation is None:
            raise LeftOutError("it does not stand any more")
        return relation
    path = _path(policy, target)
    try:
        if not path.is_file() and not (target.kind == "parquet" and path.is_dir()):
            raise LeftOutError("it does not stand any more")
        return file_relation(engine, path, target.kind, "")
    except (PolicyError, OSError):
        raise PolicyError(f"the file cannot be read as {target.kind}") from None


def _path(policy: Policy, target: PublishedTarget) -> Path:
    """The path of a release to a file."""
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
    engine: Engine, policy: Policy, source: ProvedSource, release: _FoundRelease, name: str
) -> int:
    """The level at which a release shows a column, checked by the labels in it.

    A label is unknown where the hierarchy gives it to no value of the source. Its value may have
    been deleted since. Then the level of the ledger is believed only if the policy, and with it the
    hierarchy, is unchanged and the hierarchy is a rule, which also covers values that are gone. A
    sensitive column may show some unknown labels, because a sensitive label stands for itself.
    """
    ladder, rows = source.ladders[name], release.rows
    label = label_text_fragment(rows.column(name).shown("released"), is_float=is_float(ladder))
    levels = range(ladder.height + 1)
    shown = read_shown_labels(engine, ladder, source.rows.sql, rows, levels, nulls=True)
    unknown = [shown.lacking[level] for level in levels]
    is_sensitive = name in policy.sensitive
    recorded = release.recorded_level(name, policy.columns[name].role)
    if release.entry is not None and recorded is not None and 0 <= recorded <= ladder.height:
        by_rule = not isinstance(policy.columns[name].hierarchy, (Csv, Table))
        is_unchanged = rows.kind == "view" or shown.rows == release.entry.released_rows
        some_known = is_sensitive and unknown[recorded] < shown.labels
        if not unknown[recorded] or some_known:
            return recorded
        if release.is_same_policy and by_rule and is_unchanged:
            return recorded
    accepted = min(unknown) if is_sensitive and min(unknown) < shown.labels else 0
    possible = [level for level, count in enumerate(unknown) if count <= accepted]
    if not possible:
        raise PolicyError(
            f"it shows {counted(min(unknown), 'label')} of {name} that the hierarchy does not "
            "give to any value of the source"
        )
    if len(possible) > 1:
        several = statement(
            "history/several_meanings",
            release=rows.sql,
            label=label,
            labels=labels_fragment(ladder, source.rows.sql, possible, leaves=True),
            levels=len(possible),
        )
        if engine.rows(several)[0][0]:
            raise PolicyError(
                f"the labels of {name} that it shows could be of level "
                f"{' or '.join(map(str, possible))}, and cover other values at each"
            )
    return possible[0]
