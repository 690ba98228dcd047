"""The releases that are still published, as the ledger knows them, each read as it stands now."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial

from markupsafe import Markup

from sqlgen.engines import DataSource, Engine
from sqlgen.engines.duckdb.catalog import (
    Relation,
    current_catalog,
    full_name,
    relation,
    require,
    temporary,
)
from sqlgen.errors import EngineError, HierarchyError, PolicyError
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.history.joint import Joint, measure_joint, name_releases
from sqlgen.history.origins import Universe
from sqlgen.history.read_release import LeftOutError, PublishedTarget, read_published
from sqlgen.history.shared_rows import Placed, Placement, place_alike, place_releases, without_parts
from sqlgen.history.staged_releases import Part, Place, PublishedRelease
from sqlgen.ledger.ledger import (
    Entry,
    Ledger,
    find_ledger,
    read_entries,
)
from sqlgen.ledger.other_ledgers import find_other_ledgers
from sqlgen.ledger.paths import home_of, place_of
from sqlgen.policy import Policy, RowWindow
from sqlgen.sql.render import quoted_name, statement
from sqlgen.staging.all_faults import every_fault
from sqlgen.staging.job import Job
from sqlgen.staging.ladders import check_ladder, ladder_statement, read_ladder
from sqlgen.staging.source import (
    find_source,
    is_frame,
    open_rows,
    read_source,
    source_sql,
    staged_query,
)


@dataclass(frozen=True)
class Published:
    """Releases that stand and can be read, and those that are left out or cannot be: with why.

    Those that are ``apart`` share nobody with another, and were not looked at. ``replaced`` is the
    release whose place another takes; it stands until then. ``universe`` are the rows that the
    queries of several policies choose from, where releases of such queries are read.
    """

    releases: tuple[PublishedRelease, ...]
    left_out: tuple[tuple[str, str], ...] = ()
    unjudged: tuple[tuple[str, str], ...] = ()
    apart: tuple[str, ...] = ()
    replaced: tuple[PublishedRelease, ...] = ()
    universe: Universe | None = None

    @property
    def own_part(self) -> Part | None:
        """The part of the rows that are the policy's own; None where all are."""
        return self.universe.own if self.universe is not None else None


@dataclass(frozen=True)
class RemovedTargets:
    """Releases that go when a release is published, by the place that they have.

    ``replaced`` is the kind and name of what the release takes the place of; ``leaving`` are the
    entries that ``keep`` lets go of.
    """

    replaced: tuple[str, str] | None = None
    leaving: tuple[Entry, ...] = ()


NOTHING_GOES = RemovedTargets()
LEAVING = "it is removed once this release stands (keep)"


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
            if table is not None:
                require(engine, table, "--table")
        published = find_published(engine, policy, source, entries, own)
        with engine.read():
            rows = read_source(engine, policy, source)
            with whole_source(engine, policy, source, rows, published) as whole:
                return measure_published(engine, policy, whole, published)


def find_published(
    engine: Engine,
    policy: Policy,
    source: DataSource | None,
    entries: Sequence[Entry],
    own: tuple[str, str] | None = None,
    *,
    going: RemovedTargets = NOTHING_GOES,
    made: Sequence[RowWindow | None] = (),
    ledger: Ledger | None = None,
) -> Published:
    """The releases of a ledger that stand, the first one first; of each target the last one.

    Those of new rows alone are among them, and are read with the whole source beside them.
    Each is read in a transaction of its own, for an error would end one that is shared: so this is
    called outside of any. The hierarchies are proved on the source first, as a plan proves them.
    ``own`` is the kind and name of one that no entry need speak of, ``going`` are those that go
    once what is made stands, ``made`` the windows of those being made; ``ledger`` may be known.
    """
    named = partial(_named, engine, policy)
    targets: dict[tuple[bool, str], PublishedTarget] = {}
    for entry in entries:
        target = PublishedTarget(entry.target_kind, entry.target, entry.place, entry)
        targets.setdefault(target.key, target)
    replaced = {named(*going.replaced).key} if going.replaced is not None else set()
    leaving = {
        PublishedTarget(each.target_kind, each.target, each.place).key for each in going.leaving
    }
    gone = [each for key, each in targets.items() if key in replaced]
    left_out = [
        *_other_ledgers(engine, policy, ledger),
        *((targets[key].words, LEAVING) for key in targets if key in leaving - replaced),
    ]
    targets = {key: each for key, each in targets.items() if key not in replaced | leaving}
    if own is not None:
        target = named(*own)
        targets.setdefault(target.key, target)
    numbers = {key: each.entry.release_id if each.entry else 0 for key, each in targets.items()}
    last = max(numbers.values(), default=0) + 1
    ordered = [targets[key] for key in sorted(targets, key=lambda key: numbers[key] or last)]
    if not ordered:
        return Published((), tuple(left_out))
    placement = place_releases(engine, policy, source, ordered, made)
    left_out += _read(engine, policy, placement.people, {}, placement.others)[1]
    found = Published((), tuple(left_out), apart=placement.apart)
    if not placement.sharing:
        return found
    with every_fault(engine, Job(policy, source)):
        people, ladders, placement = _people(engine, policy, source, placement)
    releases, others, unjudged = _read(engine, policy, people, ladders, placement.sharing)
    before = place_alike(policy, gone, placement) if releases and made else ()
    return Published(
        releases,
        (*left_out, *others),
        unjudged,
        placement.apart,
        _read(engine, policy, people, ladders, before)[0],
        placement.universe,
    )


def _people(
    engine: Engine, policy: Policy, source: DataSource | None, placement: Placement
) -> tuple[Relation, dict[str, Ladder], Placement]:
    """The rows that releases are read with, and the hierarchies, proved on them.

    The rows of other queries may have values that the policy's hierarchies lack: those releases
    cannot be read then, while the policy's own rows can.
    """
    try:
        with engine.read():
            return placement.people, _ladders(engine, policy, placement.people), placement
    except HierarchyError:
        if placement.universe is None:
            raise
    with engine.read():
        people = find_source(engine, policy, source)
        return people, _ladders(engine, policy, people), without_parts(placement)


def _read(
    engine: Engine,
    policy: Policy,
    people: Relation,
    ladders: Mapping[str, Ladder],
    placed: Sequence[Placed],
) -> tuple[tuple[PublishedRelease, ...], tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]:
    """Releases as they stand; those that are left out, and those that cannot be read: with why."""
    releases: list[PublishedRelease] = []
    left_out: list[tuple[str, str]] = []
    unjudged: list[tuple[str, str]] = []
    for release in placed:
        target = release.target
        try:
            with engine.read():
                shown = read_published(engine, policy, people, ladders, target, release.origin)
                releases.append(replace(shown, window=release.window, part=release.part))
        except LeftOutError as why:
            left_out.append((target.words, str(why)))
        except EngineError:
            unjudged.append((target.words, "it cannot be read"))
        except PolicyError as why:
            unjudged.append((target.words, str(why)))
    return tuple(releases), tuple(left_out), tuple(unjudged)


def _other_ledgers(
    engine: Engine, policy: Policy, ledger: Ledger | None
) -> tuple[tuple[str, str], ...]:
    """Where releases are written that this policy does not read, and what to say of each."""
    with engine.read():
        if ledger is None:
            ledger = find_ledger(engine, policy, current_catalog(engine))
        catalog = ledger.parts[0] if ledger is not None else current_catalog(engine)
        return find_other_ledgers(engine, catalog, ledger)


def _named(engine: Engine, policy: Policy, kind: str, target: str) -> PublishedTarget:
    """A target of the policy, of which no release need be known."""
    if kind in ("parquet", "csv"):
        home = home_of(engine, current_catalog(engine))
        return PublishedTarget(kind, target, place_of(policy.file(target, "release", kind), home))
    return PublishedTarget(kind, target, quoted_name(full_name(engine, target)[1:]))


def measure_published(
    engine: Engine, policy: Policy, rows: Relation, published: Published, *made: PublishedRelease
) -> Joint:
    """What is left when the releases that stand are read together, with those being made.

    A release that is made while no other stands is not read: it is as it was judged alone.
    """
    releases = (*published.releases, *made)
    told = (published.left_out, published.unjudged, published.apart)
    if made and not published.releases:
        return name_releases(policy, releases, *told)[1]
    return measure_joint(engine, policy, rows, releases, *told)


def built_release(
    engine: Engine,
    policy: Policy,
    levels: Mapping[str, int],
    built: Markup,
    words: str,
    place: Place = (None, None),
    *,
    is_read: bool = True,
) -> PublishedRelease:
    """A release that is being made, as it stands in the transaction that makes it.

    Without its columns, where it ``is_read`` with no other.
    """
    shown = {**levels, **{name: policy.level(name) for name in policy.sensitive}}
    made = relation(engine, built, "built") if is_read else Relation(built, "built", ())
    window, part = place
    return PublishedRelease(words, made, shown, policy.masks_sensitive, window, part=part)


def keep_replaced(engine: Engine, published: Published) -> Published:
    """The releases with a copy of what is about to be replaced, in the transaction that is open.

    Once a table is replaced its name stands for the new rows, which repeat themselves. A file keeps
    its rows until the end. A view shows the rows that came since it was released, so that nobody
    knows what its readers saw: it is left out. ``drop_replaced`` drops the copies.
    """
    kept = []
    for number, shown in enumerate(published.replaced, 1):
        if shown.relation.kind == "view":
            continue
        if shown.relation.kind != "table":
            kept.append(shown)
            continue
        copy = temporary(f"replaced_{number}")
        engine.run(source_sql(shown.relation.sql, copy))
        kept.append(replace(shown, relation=relation(engine, copy, "query")))
    return replace(published, replaced=tuple(kept))


def drop_replaced(engine: Engine, published: Published) -> None:
    """Drop the copies of what was replaced."""
    for number in range(1, len(published.replaced) + 1):
        copy = temporary(f"replaced_{number}")
        engine.run(statement("releasing/drop", kind=Markup("TABLE"), target=copy))


@contextmanager
def whole_source(
    engine: Engine,
    policy: Policy,
    source: DataSource | None,
    rows: Relation,
    published: Published,
    window: RowWindow | None = None,
) -> Iterator[Relation]:
    """All rows of the source beside a release: its ``rows``, unless they are those of a window.

    Where releases of other queries are read, all that these choose from. A query or a view is
    staged, in the transaction that is open, until the block ends. Where no release is read, the
    release's own rows do.
    """
    if not published.releases or (window is None and published.universe is None):
        yield rows
        return
    found = (
        published.universe.rows
        if published.universe is not None
        else find_source(engine, policy, source)
    )
    query = (
        found.sql if published.universe is not None else staged_query(policy, found, source, None)
    )
    if query is None:
        yield found
        return
    staged = temporary("whole")
    engine.run(source_sql(query, staged))
    yield relation(engine, staged, "query")
    engine.run(statement("releasing/drop", kind=Markup("TABLE"), target=staged))


def _ladders(engine: Engine, policy: Policy, source: Relation) -> dict[str, Ladder]:
    """The ladders of all columns that have a hierarchy, proved on the source."""
    ladders = {}
    for number, (name, declared) in enumerate(policy.columns.items(), 1):
        if declared.hierarchy is not None:
            ladder = read_ladder(engine, policy, source, name)
            rows = ladder.rows(source.sql)
            engine.run(ladder_statement(number, rows))
            check_ladder(engine, number, ladder, policy, show_values=False)
            ladders[name] = ladder
    return ladders
