"""The releases that are still published, as the ledger knows them, each read as it stands now."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from sqlgen.catalog import (
    Relation,
    current_catalog,
    file_relation,
    find,
    fold,
    read_by,
    relation,
    temporary,
)
from sqlgen.engines import DataSource, Engine
from sqlgen.errors import EngineError, PolicyError
from sqlgen.fingerprints import policy_parts
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.hierarchies.listed import Csv, Table
from sqlgen.joint import Joint, measure_joint
from sqlgen.ladders import check_ladder, ladder_table, read_ladder
from sqlgen.ledger import (
    Entry,
    find_ledger,
    policy_digest,
    read_entries,
)
from sqlgen.numbers import counted
from sqlgen.people import called_sql, is_float, labels_sql
from sqlgen.policy import Policy, Window, share_rows
from sqlgen.source import (
    check_columns,
    find_source,
    is_frame,
    open_rows,
    read_source,
    source_sql,
    staged_query,
)
from sqlgen.sql.render import statement
from sqlgen.together import Shown
from sqlgen.whereabouts import home_of, place_of
from sqlgen.windows import says_when


@dataclass(frozen=True)
class Published:
    """Releases that stand and can be read, and those that are left out or cannot be: with why.

    Those that are ``apart`` share nobody with another, and were not looked at.
    """

    releases: tuple[Shown, ...]
    left_out: tuple[tuple[str, str], ...] = ()
    unjudged: tuple[tuple[str, str], ...] = ()
    apart: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Target:
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
        return in_database, fold(self.name) if in_database else self.place


class _LeftOutError(Exception):
    """A release that is not to be read, with the reason."""


def audit_history(
    policy: Policy, source: DataSource | None = None, table: str | None = None
) -> Joint:
    """What is left of the policy's guarantees when all releases that stand are read together.

    The policy's own release is one of them, also where no ledger has it; a ``table`` is measured
    in its place.
    """
    if is_frame(source):
        raise PolicyError(
            f"{policy.where('source')}: a DataFrame has no ledger, so nothing is known of earlier "
            "releases"
        )
    if policy.in_place is not None:
        raise PolicyError(
            f"{policy.where('release', 'in_place')}: a table that is released in place is not its "
            "own source, with whose rows releases could be read together"
        )
    release = policy.release
    own = (release.kind, release.target) if release is not None else None
    own = None if release is not None and release.timestamped else own
    own = ("table", table) if table is not None else own
    with open_rows(policy, source, write=False) as engine:
        with engine.read():
            found = find_ledger(engine, policy, current_catalog(engine))
            entries = read_entries(engine, found)
        published = find_published(engine, policy, source, entries, own)
        with engine.read():
            rows = read_source(engine, policy, source)
            return measure_published(engine, policy, rows, published)


def find_published(
    engine: Engine,
    policy: Policy,
    source: DataSource | None,
    entries: Sequence[Entry],
    own: tuple[str, str] | None = None,
    *,
    replaced: tuple[str, str] | None = None,
    made: Sequence[Window | None] = (),
) -> Published:
    """The releases of a ledger that stand, the first one first; of each target the last one.

    Those of new rows alone are among them, and are read with the whole source beside them.
    Each is read in a transaction of its own, for an error would end one that is shared: so this is
    called outside of any. The hierarchies are proved on the source first, as a plan proves them.
    ``own`` is the kind and name of one that no entry need speak of, ``replaced`` of one whose
    release is about to go; ``made`` are the windows of those that are being made.
    """
    policy = policy.within(None)
    home = home_of(engine, current_catalog(engine))
    gone = {_named(policy, *replaced, home).key} if replaced is not None else set()
    targets: dict[tuple[bool, str], _Target] = {}
    for entry in entries:
        target = _Target(entry.target_kind, entry.target, entry.place, entry)
        if target.key not in gone:
            targets.setdefault(target.key, target)
    if own is not None:
        target = _named(policy, *own, home)
        targets.setdefault(target.key, target)
    windows = [each.entry.window if each.entry else None for each in targets.values()]
    shares = dict(zip(targets, share_rows([*windows, *made]), strict=False))
    apart = tuple(each.words for key, each in targets.items() if not shares[key])
    targets = {key: each for key, each in targets.items() if shares[key]}
    if not targets:
        return Published((), apart=apart)
    with engine.read():
        people = find_source(engine, policy, source)
        check_columns(people, policy)
        ladders = _ladders(engine, policy, people)
    releases: list[Shown] = []
    left_out: list[tuple[str, str]] = []
    unjudged: list[tuple[str, str]] = []
    numbers = {key: each.entry.release_id if each.entry else 0 for key, each in targets.items()}
    last = max(numbers.values(), default=0) + 1
    for key in sorted(targets, key=lambda key: numbers[key] or last):
        target = targets[key]
        try:
            with engine.read():
                releases.append(_shown(engine, policy, people, ladders, target))
        except _LeftOutError as why:
            left_out.append((target.words, str(why)))
        except EngineError:
            unjudged.append((target.words, "it cannot be read"))
        except PolicyError as why:
            unjudged.append((target.words, str(why)))
    return Published(tuple(releases), tuple(left_out), tuple(unjudged), apart)


def _named(policy: Policy, kind: str, target: str, home: Path | None) -> _Target:
    """A target of the policy, of which no release need be known."""
    is_file = kind in ("parquet", "csv")
    place = place_of(policy.file(target, "release", kind), home) if is_file else ""
    return _Target(kind, target, place)


def measure_published(
    engine: Engine, policy: Policy, rows: Relation, published: Published, *made: Shown
) -> Joint:
    """What is left when the releases that stand are read together, with those being made."""
    releases = (*published.releases, *made)
    told = (published.left_out, published.unjudged, published.apart)
    return measure_joint(engine, policy, rows, releases, *told)


def built_release(
    engine: Engine, policy: Policy, levels: Mapping[str, int], built: Markup, words: str
) -> Shown:
    """A release that is being made, as it stands in the transaction that makes it."""
    shown = {**levels, **{name: policy.level(name) for name in policy.sensitive}}
    made = relation(engine, built, "built")
    return Shown(words, made, shown, policy.withholds, policy.window)


@contextmanager
def whole_source(
    engine: Engine, policy: Policy, source: DataSource | None, rows: Relation, needed: bool
) -> Iterator[Relation]:
    """All rows of the source beside a release: its ``rows``, unless they are those of a window.

    A query or a view is staged, in the transaction that is open, until the block ends. Where they
    are not ``needed``, the release's rows do.
    """
    if policy.window is None or not needed:
        yield rows
        return
    whole = policy.within(None)
    found = find_source(engine, whole, source)
    query = staged_query(whole, found, source)
    if query is None:
        yield found
        return
    staged = temporary("whole")
    engine.run(source_sql(query, staged))
    yield relation(engine, staged, "query")
    engine.run(statement("apply/drop", kind=Markup("TABLE"), target=staged))


def _ladders(engine: Engine, policy: Policy, source: Relation) -> dict[str, Ladder]:
    """The ladders of all columns that have a hierarchy, proved on the source."""
    ladders = {}
    for number, (name, declared) in enumerate(policy.columns.items(), 1):
        if declared.hierarchy is not None:
            ladder = read_ladder(engine, policy, source, name)
            rows = ladder.rows(source.sql)
            engine.run(statement("staging/ladder", table=ladder_table(number), rows=rows))
            check_ladder(engine, number, ladder, policy, show_values=False)
            ladders[name] = ladder
    return ladders


def _shown(
    engine: Engine,
    policy: Policy,
    source: Relation,
    ladders: Mapping[str, Ladder],
    target: _Target,
) -> Shown:
    """A release as it stands, with the levels that its labels are at."""
    release = _relation(engine, policy, target)
    entry = target.entry
    if entry is not None and not _same_people(engine, policy, source, entry):
        raise _LeftOutError(f"it was made from other rows, those of {entry.source}")
    quasi = [name for name in policy.quasi if name in release.names]
    if not quasi:
        raise _LeftOutError("it shows no quasi-identifier of this policy")
    foreign = [
        name
        for name in (entry.levels if entry is not None else ())
        if name not in quasi and name in release.names
    ]
    if foreign:
        raise PolicyError(
            f"it has quasi-identifiers that this policy does not have: {', '.join(foreign)}"
        )
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
                else _level(engine, policy, source, release, ladders[name], None, same=False)
            )
    withholds = bool(entry.withheld_rows) if entry is not None else policy.withholds
    window = entry.window if entry is not None else None
    if window is not None and not says_when(source, window.column):
        raise PolicyError(
            f"when its rows came, {window.column} of the source does not say any more"
        )
    return Shown(target.words, release, levels, withholds, window)


def _relation(engine: Engine, policy: Policy, target: _Target) -> Relation:
    if target.kind == "in_place":
        raise _LeftOutError("it took the place of its own source, which is gone")
    if target.kind in ("table", "view"):
        found = find(engine, target.name)
        if found is None:
            raise _LeftOutError("it does not stand any more")
        return found
    path = _path(policy, target)
    if not path.is_file() and not (target.kind == "parquet" and path.is_dir()):
        raise _LeftOutError("it does not stand any more")
    try:
        return file_relation(engine, path, target.kind, "")
    except PolicyError:
        raise PolicyError(f"the file cannot be read as {target.kind}") from None


def _path(policy: Policy, target: _Target) -> Path:
    if target.entry is None:
        return policy.file(target.name, "release", target.kind)
    path = target.entry.file(policy)
    if path is None:
        raise PolicyError(
            "where its file is cannot be told: the policy's folder is another one now, or a "
            "variable of the environment has another value"
        )
    return path


def _same_people(engine: Engine, policy: Policy, source: Relation, entry: Entry) -> bool:
    """Whether a release may be of the source's people: unless it was made from other tables."""
    if not entry.source or policy.source.table is None:
        return True
    if fold(entry.source) == fold(policy.source.table):
        return True
    other = find(engine, entry.source)
    if other is None:
        return True
    reads = [
        {name for kind, name in read_by(engine, each.sql) if kind == "table"}
        for each in (source, other)
    ]
    return not all(reads) or bool(reads[0] & reads[1])


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
    called = called_sql(release.column(name).shown("released"), is_float=is_float(ladder))
    rows, shown, *lacking = engine.rows(
        statement(
            "joint/shown_labels",
            release=release.sql,
            called=called,
            labels=labels_sql(ladder, source.sql, leaves=True),
            levels=range(ladder.height + 1),
        )
    )[0]
    asked = entry.levels.get(name) if entry is not None else None
    if entry is not None and asked is not None and asked <= ladder.height:
        by_rule = not isinstance(policy.columns[name].hierarchy, (Csv, Table))
        unchanged = release.kind == "view" or rows == entry.released_rows
        if not lacking[asked] or (same and by_rule and unchanged):
            return asked
    # No label of a quasi-identifier may be strange; of a sensitive column, not all of them.
    most = min(lacking) if name in policy.sensitive and min(lacking) < shown else 0
    found = [level for level, strange in enumerate(lacking) if strange <= most]
    if not found:
        raise PolicyError(
            f"it shows {counted(min(lacking), 'label')} of {name} that the hierarchy does not "
            "give to any value of the source"
        )
    return found[0]
