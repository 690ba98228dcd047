"""Published releases: those of the ledger that still exist, each read as it is now."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

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
from sqlgen.history.joint import Joint, NotRead, measure_joint, name_releases
from sqlgen.history.origins import Universe
from sqlgen.history.read_regions import read_alike, through_regions
from sqlgen.history.read_release import (
    LeftOutError,
    ProvedSource,
    PublishedTarget,
    UpcomingRelease,
    read_published,
    target_of,
)
from sqlgen.history.shared_rows import (
    PlacedRelease,
    Placement,
    place_alike,
    place_releases,
    without_parts,
)
from sqlgen.history.staged_releases import (
    Part,
    Place,
    PublishedRelease,
    ReleaseRegions,
    drop_tables,
)
from sqlgen.ledger.ledger import (
    Entry,
    Ledger,
    find_ledger,
    read_entries,
)
from sqlgen.ledger.other_ledgers import find_other_ledgers
from sqlgen.ledger.paths import database_facts, place_of
from sqlgen.policy import Policy, RowWindow
from sqlgen.policy.places import FILE_KINDS
from sqlgen.sql.render import quoted_name
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
    """Releases that were found, sorted by whether they are read together.

    ``releases`` exist and can be read. ``left_out`` has those that must not be read with the
    others, ``unjudged`` those that should be and cannot: both with the reason. Releases that are
    ``apart`` share no row with another one, and were not looked at. ``replaced`` has the release
    that a new one replaces; it exists until then. ``universe`` has the rows that the queries of
    several policies choose from, where releases of such queries are read. ``next_number`` is that
    of a release that is written to the ledger next, if no other one comes before it.
    """

    releases: tuple[PublishedRelease, ...]
    left_out: tuple[tuple[str, str], ...] = ()
    unjudged: tuple[tuple[str, str], ...] = ()
    apart: tuple[str, ...] = ()
    replaced: tuple[PublishedRelease, ...] = ()
    universe: Universe | None = None
    next_number: int = 1

    @property
    def own_part(self) -> Part | None:
        """The part of the rows that the policy's own query chooses; None for all rows."""
        return self.universe.own if self.universe is not None else None

    @property
    def not_read(self) -> NotRead:
        """The releases that are not read together with the others."""
        return NotRead(self.left_out, self.unjudged, self.apart)


LEAVING = "it is removed once this release stands (keep)"


def audit_history(
    policy: Policy, source: DataSource | None = None, table: str | None = None
) -> Joint:
    """Read all releases that are still published together: which guarantees still hold.

    The policy's own release is one of them, even if no ledger has it. A ``table`` is measured in
    place of that release.
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
            ledger = find_ledger(engine, policy, current_catalog(engine))
            entries = read_entries(engine, ledger)
            if table is not None:
                require(engine, table, "--table")
        published = find_published(engine, Job(policy, source), entries, own)
        with engine.read():
            rows = read_source(engine, policy, source)
            with whole_source(engine, policy, source, rows, published) as whole:
                return measure_published(engine, policy, whole, published)


def find_published(
    engine: Engine,
    job: Job,
    entries: Sequence[Entry],
    own: tuple[str, str] | None = None,
    upcoming: UpcomingRelease | None = None,
    ledger: Ledger | None = None,
) -> Published:
    """Find the releases of a ledger that still exist, the first one first.

    Where several went to one target, the last one counts. Each is read in a transaction of its own,
    because an error would end a shared one; so no transaction may be open. The hierarchies are
    proved on the source first, as for a plan. ``own`` is the kind and name of a release that no
    entry need mention. With an ``upcoming`` release, only releases that matter to it are read.
    ``ledger`` is the policy's, if it is known already.
    """
    policy = job.policy
    targets: dict[tuple[bool, str], PublishedTarget] = {}
    for entry in entries:
        targets.setdefault(target_of(entry).key, target_of(entry))
    gone, left_out = [], [*_other_ledgers(engine, policy, ledger)]
    if upcoming is not None and upcoming.replaced is not None:
        gone = [target for key, target in targets.items() if key == upcoming.replaced.key]
    if upcoming is not None:
        leaving = [key for key in targets if key in upcoming.leaving_keys]
        left_out += [(targets[key].words, LEAVING) for key in leaving]
        going = {*leaving, *(target.key for target in gone)}
        targets = {key: target for key, target in targets.items() if key not in going}
    if own is not None:
        target = _own_target(engine, policy, *own)
        targets.setdefault(target.key, target)
    number = max((entry.release_id for entry in entries), default=0) + 1
    if not targets:
        return Published((), tuple(left_out), next_number=number)
    placement = place_releases(engine, job, _in_order(targets.values()), upcoming)
    left_out += _read(engine, policy, ProvedSource(placement.people, {}), placement.others).left_out
    published = Published((), tuple(left_out), apart=placement.apart, next_number=number)
    if not placement.sharing:
        return published
    # The hierarchies are proved on all rows, also where the upcoming release has those of a window.
    with every_fault(engine, Job(policy, job.given)):
        source, placement = _proved_source(engine, job, placement)
    source = replace(source, ledger=_ledger_of_regions(engine, policy, placement, ledger))
    read = _read(engine, policy, source, placement.sharing)
    replaced = place_alike(policy, gone, placement) if read.releases and upcoming else ()
    return replace(
        published,
        releases=read.releases,
        left_out=(*published.left_out, *read.left_out),
        unjudged=read.unjudged,
        replaced=_read(engine, policy, source, replaced).releases,
        universe=placement.universe,
    )


def _ledger_of_regions(
    engine: Engine, policy: Policy, placement: Placement, ledger: Ledger | None
) -> Ledger | None:
    """The ledger beside which regions are kept, where some release has any."""
    entries = [release.target.entry for release in placement.sharing]
    if ledger is not None or not any(entry is not None and entry.regions for entry in entries):
        return ledger
    with engine.read():
        return find_ledger(engine, policy, current_catalog(engine))


def _in_order(targets: Collection[PublishedTarget]) -> list[PublishedTarget]:
    """Targets by the number of their release; a target without an entry comes last."""
    numbers = [target.entry.release_id for target in targets if target.entry is not None]
    last = max(numbers, default=0) + 1
    return sorted(
        targets, key=lambda target: (target.entry.release_id if target.entry else 0) or last
    )


def _proved_source(
    engine: Engine, job: Job, placement: Placement
) -> tuple[ProvedSource, Placement]:
    """The rows that releases are read with, and the hierarchies, proved on them.

    The rows of other queries may have values that the policy's hierarchies lack. Then the releases
    of these queries cannot be read, and those of the policy's own rows still can.
    """
    try:
        with engine.read():
            ladders = _ladders(engine, job.policy, placement.people)
            return ProvedSource(placement.people, ladders), placement
    except HierarchyError:
        if placement.universe is None:
            raise
    with engine.read():
        rows = find_source(engine, job.policy, job.given)
        ladders = _ladders(engine, job.policy, rows)
        return ProvedSource(rows, ladders), without_parts(placement)


def _read(
    engine: Engine, policy: Policy, source: ProvedSource, placed: Sequence[PlacedRelease]
) -> Published:
    """Read releases as they are now, and sort them by whether they can be read."""
    releases: list[PublishedRelease] = []
    left_out: list[tuple[str, str]] = []
    unjudged: list[tuple[str, str]] = []
    for release in placed:
        target = release.target
        try:
            with engine.read():
                shown = read_published(engine, policy, source, target, release.origin)
                releases.append(replace(shown, window=release.window, part=release.part))
        except LeftOutError as reason:
            left_out.append((target.words, str(reason)))
        except EngineError:
            unjudged.append((target.words, "it cannot be read"))
        except PolicyError as reason:
            unjudged.append((target.words, str(reason)))
    return Published(tuple(releases), tuple(left_out), tuple(unjudged))


def _other_ledgers(
    engine: Engine, policy: Policy, ledger: Ledger | None
) -> tuple[tuple[str, str], ...]:
    """Other ledgers of the database, whose releases this policy does not read, with the reason."""
    with engine.read():
        if ledger is None:
            ledger = find_ledger(engine, policy, current_catalog(engine))
        catalog = ledger.parts[0] if ledger is not None else current_catalog(engine)
        return find_other_ledgers(engine, catalog, ledger)


def _own_target(engine: Engine, policy: Policy, kind: str, target: str) -> PublishedTarget:
    """The place of a target of the policy, whether or not a release to it is known."""
    if kind in FILE_KINDS:
        home, _ = database_facts(engine, current_catalog(engine))
        return PublishedTarget(kind, target, place_of(policy.file(target, "release", kind), home))
    return PublishedTarget(kind, target, quoted_name(full_name(engine, target)[1:]))


def measure_published(
    engine: Engine, policy: Policy, rows: Relation, published: Published, *new: PublishedRelease
) -> Joint:
    """Read published releases together, with new ones that are being made.

    A release that is made while there is no other is not read: its own audit has judged it.
    """
    releases = (*published.releases, *new)
    if new and not published.releases:
        return name_releases(policy, releases, published.not_read)[1]
    alike = read_alike(releases)
    not_read = replace(published.not_read, unjudged=(*published.unjudged, *alike.unlike))
    if new and len(alike.releases) == 1:
        return name_releases(policy, alike.releases, not_read)[1]
    with through_regions(engine, policy, rows, alike.releases) as read:
        return measure_joint(engine, read.policy, read.source, read.releases, not_read)


def built_release(
    policy: Policy,
    levels: Mapping[str, int],
    built: Relation,
    words: str,
    place: Place = (None, None),
    regions: ReleaseRegions | None = None,
) -> PublishedRelease:
    """A release that is being made, as it is in the transaction that makes it."""
    shown = {**levels, **{name: policy.level(name) for name in policy.sensitive}}
    window, part = place
    return PublishedRelease(
        words, built, shown, policy.masks_sensitive, window, part=part, regions=regions
    )


def keep_replaced(engine: Engine, published: Published) -> Published:
    """Copy the table that is about to be replaced, in the transaction that is open.

    A replaced table's name stands for the new rows, so the old ones are read from the copy. A file
    keeps its rows until the end, and needs none. A view is left out: it shows rows that came after
    it was released, so it is not known which rows its readers saw. ``drop_replaced`` drops the
    copies.
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
    numbers = range(1, len(published.replaced) + 1)
    drop_tables(engine, *(temporary(f"replaced_{number}") for number in numbers))


@contextmanager
def whole_source(
    engine: Engine,
    policy: Policy,
    source: DataSource | None,
    rows: Relation,
    published: Published,
    window: RowWindow | None = None,
) -> Iterator[Relation]:
    """All rows that the releases are compared with; ``rows`` are those of the release itself.

    A release of new rows has the rows of its ``window`` alone, and is compared with the whole
    source. Where releases of other queries are read, these are all rows that the queries choose
    from. A query or a view is staged in the transaction that is open, until the block ends. Where
    no other release is read, the release's own rows are enough.
    """
    if not published.releases or (window is None and published.universe is None):
        yield rows
        return
    if published.universe is not None:
        whole = published.universe.rows
        query: Markup | None = whole.sql
    else:
        whole = find_source(engine, policy, source)
        query = staged_query(policy, whole, source, None)
    if query is None:
        yield whole
        return
    staged = temporary("whole")
    engine.run(source_sql(query, staged))
    yield relation(engine, staged, "query")
    drop_tables(engine, staged)


def _ladders(engine: Engine, policy: Policy, source: Relation) -> dict[str, Ladder]:
    """The hierarchies of all columns that have one, proved on the source."""
    ladders = {}
    for number, (name, declared) in enumerate(policy.columns.items(), 1):
        if declared.hierarchy is not None:
            ladder = read_ladder(engine, policy, source, name)
            rows = ladder.rows(source.sql)
            engine.run(ladder_statement(number, rows))
            check_ladder(engine, number, ladder, policy, show_values=False)
            ladders[name] = ladder
    return ladders
