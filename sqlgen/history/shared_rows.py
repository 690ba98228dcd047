"""Shared rows: which releases may hold the same rows of the source, and so are read together.

Three things say that two releases share no row: they were made from different tables, by queries
that choose different rows, or from rows that came in different windows of time. A release of all
rows was made before a later window began, and holds none of the rows that came in that window.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation, fold
from sqlgen.errors import EngineError
from sqlgen.history.origins import (
    SAME,
    Kinship,
    Origin,
    Universe,
    origin_of,
    read_origin,
    recorded_query,
    universe_of,
)
from sqlgen.history.read_release import PublishedTarget, UpcomingRelease
from sqlgen.history.staged_releases import Part, Place, reached, sharing
from sqlgen.ledger.faults import fault_of, is_window_missing
from sqlgen.ledger.ledger import Entry
from sqlgen.ledger.schema import moment
from sqlgen.policy import Policy, RowWindow
from sqlgen.sql.render import command
from sqlgen.sql.types import Kind
from sqlgen.staging.job import Job
from sqlgen.staging.row_windows import says_when, within_sql
from sqlgen.staging.source import check_columns, find_source

_UNREADABLE = Origin(
    Kinship.UNKNOWN,
    "its query and the policy's cannot be read together any more; remove that release",
)


@dataclass(frozen=True)
class PlacedRelease:
    """A release and the rows of the source that it may hold: by origin, by window and by part."""

    target: PublishedTarget
    origin: Origin = SAME
    window: RowWindow | None = None
    part: Part | None = None

    @property
    def is_known(self) -> bool:
        return self.origin.kinship is not Kinship.UNKNOWN


@dataclass(frozen=True)
class Placement:
    """Releases sorted by the rows that they hold.

    ``sharing`` has the releases that share rows with another one, ``apart`` the names of those that
    do not, ``others`` those of other rows. While a release is being made, ``sharing`` has only the
    releases that it shares rows with, directly or through others: it changes nothing about the
    rest. ``people`` has the rows of the policy's source, and all rows that the queries of releases
    choose from. ``query`` is the source's query as the ledger would record it today.
    """

    people: Relation
    sharing: tuple[PlacedRelease, ...] = ()
    apart: tuple[str, ...] = ()
    others: tuple[PlacedRelease, ...] = ()
    universe: Universe | None = None
    query: str | None = None


def place_releases(
    engine: Engine,
    job: Job,
    targets: Sequence[PublishedTarget],
    upcoming: UpcomingRelease | None,
) -> Placement:
    """Find out which releases may share rows, with each other or with the ``upcoming`` one."""
    policy = job.policy
    with engine.read():
        rows = find_source(engine, policy, job.given)
        check_columns(rows, policy)
        query = recorded_query(engine, policy, rows)
    placed = [
        PlacedRelease(target, _origin(engine, policy, rows, target.entry, query))
        for target in targets
    ]
    others = [release for release in placed if release.origin.kinship is Kinship.OTHER]
    placed = [release for release in placed if release.origin.kinship is not Kinship.OTHER]
    placed, universe = _parted(engine, policy, rows, placed)
    people = universe.rows if universe is not None else rows
    window = upcoming.window if upcoming is not None else None
    placed = _timed(engine, people, placed, window)
    own = universe.own if universe is not None else None
    places: list[Place] = [(release.window, release.part) for release in placed]
    shares = sharing(places) if upcoming is None else reached(places, (window, own))
    pairs = list(zip(placed, shares, strict=True))
    return Placement(
        people,
        tuple(release for release, is_shared in pairs if is_shared),
        tuple(release.target.words for release, is_shared in pairs if not is_shared),
        tuple(others),
        universe,
        query,
    )


def place_alike(
    policy: Policy, targets: Sequence[PublishedTarget], placement: Placement
) -> tuple[PlacedRelease, ...]:
    """The releases among ``targets`` that were made from exactly the policy's rows."""
    own = placement.universe.own if placement.universe is not None else None
    entries = [(target, target.entry) for target in targets]
    return tuple(
        PlacedRelease(target, window=entry.window, part=own)
        for target, entry in entries
        if entry is not None and not fault_of(entry) and _is_alike(policy, entry, placement.query)
    )


def without_parts(placement: Placement) -> Placement:
    """The placement without the rows of other queries, which cannot be read with the policy's."""
    reason = (
        "its rows have values that the hierarchies of this policy lack; add them, or remove that "
        "release"
    )
    return replace(
        placement,
        universe=None,
        sharing=tuple(
            replace(release, part=None, origin=Origin(Kinship.UNKNOWN, reason))
            if release.origin.kinship is Kinship.PART
            else replace(release, part=None)
            for release in placement.sharing
        ),
    )


def is_same_source(engine: Engine, policy: Policy, rows: Relation, entry: Entry) -> bool:
    """Whether a release may hold rows of the policy's source."""
    query = recorded_query(engine, policy, rows)
    return _origin(engine, policy, rows, entry, query).kinship is not Kinship.OTHER


def _origin(
    engine: Engine, policy: Policy, rows: Relation, entry: Entry | None, query: str | None
) -> Origin:
    if entry is None or fault_of(entry) or _is_alike(policy, entry, query):
        return SAME
    try:
        with engine.read():
            return origin_of(engine, read_origin(engine, policy, rows), entry)
    except EngineError:
        return _UNREADABLE


def _is_alike(policy: Policy, entry: Entry, query: str | None) -> bool:
    """Whether a release's source has the name of the policy's, and the same query if it is a view.

    A ledger of an earlier sqlgen has no query of a view; the name is enough then.
    """
    source = policy.source
    if source.query is not None:
        return not entry.source and entry.source_query == query
    is_named = bool(entry.source) and fold(entry.source) == fold(source.table or "")
    return is_named and entry.source_query in (None, query)


def _parted(
    engine: Engine, policy: Policy, rows: Relation, placed: Sequence[PlacedRelease]
) -> tuple[list[PlacedRelease], Universe | None]:
    """Releases with the part of the rows that each one's query chooses, where queries differ."""
    if all(release.origin.kinship is not Kinship.PART for release in placed):
        return list(placed), None
    origins = {number: release.origin for number, release in enumerate(placed)}
    try:
        with engine.read():
            universe = universe_of(engine, read_origin(engine, policy, rows), rows, origins)
    except EngineError:
        universe = None
    if universe is None:
        parted = Kinship.PART
        return [
            replace(release, origin=_UNREADABLE) if release.origin.kinship is parted else release
            for release in placed
        ], None
    return [
        replace(release, part=universe.parts.get(number, universe.own))
        for number, release in enumerate(placed)
    ], universe


def _timed(
    engine: Engine,
    people: Relation,
    placed: Sequence[PlacedRelease],
    upcoming: RowWindow | None,
) -> list[PlacedRelease]:
    """Releases with their windows; for releases of other rows it is not known when these came."""
    recorded = [
        replace(release, window=release.target.entry.window)
        if release.is_known and release.target.entry and not is_window_missing(release.target.entry)
        else release
        for release in placed
    ]
    windows = [release.window for release in recorded if release.window is not None]
    windows += [upcoming] if upcoming is not None else []
    if not windows:
        return recorded
    return [_before(engine, people, release, windows) for release in recorded]


def _before(
    engine: Engine, people: Relation, placed: PlacedRelease, windows: Sequence[RowWindow]
) -> PlacedRelease:
    """A release of all rows, with a window that ends when it was made, if the source proves that.

    The source proves it if exactly as many rows had come by that moment as the release was made
    from. The window ends as early as these rows allow, so that it overlaps with few others.
    """
    entry = placed.target.entry
    if entry is None or not placed.is_known or placed.part is not None or entry.came.is_recorded:
        return placed
    released_at = moment(entry.released_at)
    if released_at is None:
        return placed
    columns = {(window.column, window.type) for window in windows}
    column, type_ = min(columns)
    if len(columns) > 1 or not says_when(people, column) or people.column(column).type != type_:
        return placed
    last = _next_whole(released_at, is_day=people.column(column).kind is Kind.DATE)
    ends = sorted({window.after for window in windows if window.after and window.after < last})
    until = [RowWindow(column, None, end, type=type_) for end in (*ends, last)]

    def has_all(window: RowWindow) -> bool:
        return _rows_within(engine, people, window) >= entry.source_rows

    if _rows_within(engine, people, until[-1]) != entry.source_rows:
        return placed
    # A later end has more rows, so the first window with all rows is found by bisection.
    window = until[bisect_left(until, True, key=has_all)]
    return replace(placed, window=window) if any(map(window.is_apart, windows)) else placed


def _next_whole(released_at: datetime, *, is_day: bool) -> datetime:
    """The first whole second, or the first midnight, after a moment."""
    released_at = released_at.astimezone(UTC)
    if is_day:
        return datetime.combine(released_at.date() + timedelta(days=1), time(), UTC)
    return released_at.replace(microsecond=0) + timedelta(seconds=1)


def _rows_within(engine: Engine, people: Relation, window: RowWindow) -> int:
    """The number of rows that came in a window."""
    within = within_sql(people.column(window.column), window)
    with engine.read():
        counting = command(
            "staging/window_rows_by",
            "SELECT COUNT(*) AS row_count\nFROM {source} AS source\nWHERE {within}",
            source=people.sql,
            within=within,
        )
        return int(engine.rows(counting)[0][0])
