"""Whose rows each release could have: told by what it was made from, by its query, by its window.

A release of all rows from before a window has none of the rows that came in it, where as many rows
as it was made from have come by then, and all others later.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta

from sqlgen.engines import DataSource, Engine
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
from sqlgen.history.read_release import PublishedTarget
from sqlgen.history.staged_releases import Part, Place, reached, sharing
from sqlgen.ledger.faults import fault_of, window_untold
from sqlgen.ledger.ledger import Entry
from sqlgen.ledger.schema import moment
from sqlgen.policy import Policy, RowWindow
from sqlgen.sql.render import statement
from sqlgen.sql.types import Kind
from sqlgen.staging.row_windows import says_when, within_sql
from sqlgen.staging.source import check_columns, find_source

_UNREADABLE = Origin(
    Kinship.UNKNOWN,
    "its query and the policy's cannot be read together any more; remove that release",
)


@dataclass(frozen=True)
class Placed:
    """A release with how its rows relate to the policy's, and which of them it could have."""

    target: PublishedTarget
    origin: Origin = SAME
    window: RowWindow | None = None
    part: Part | None = None

    @property
    def is_known(self) -> bool:
        return self.origin.kinship is not Kinship.UNKNOWN


@dataclass(frozen=True)
class Placement:
    """Releases that share rows with another, those that do not, and those of other rows: with why.

    Where a release is being made, only those that it shares rows with, or that share rows with such
    a one, and so on: what the others tell does not change by it.

    ``people`` are the rows of the policy's source, and all that queries of releases choose from;
    ``query`` is what the ledger would keep of that source today.
    """

    people: Relation
    sharing: tuple[Placed, ...] = ()
    apart: tuple[str, ...] = ()
    others: tuple[Placed, ...] = ()
    universe: Universe | None = None
    query: str | None = None


def place_releases(
    engine: Engine,
    policy: Policy,
    source: DataSource | None,
    targets: Sequence[PublishedTarget],
    made: Sequence[RowWindow | None],
) -> Placement:
    """Which releases could have rows in common, with each other or with those being made."""
    with engine.read():
        rows = find_source(engine, policy, source)
        check_columns(rows, policy)
        query = recorded_query(engine, policy, rows)
    placed = [
        Placed(target, _origin(engine, policy, rows, target.entry, query)) for target in targets
    ]
    others = [release for release in placed if release.origin.kinship is Kinship.OTHER]
    placed = [release for release in placed if release.origin.kinship is not Kinship.OTHER]
    placed, universe = _parted(engine, policy, rows, placed)
    people = universe.rows if universe is not None else rows
    placed = _timed(engine, people, placed, made)
    own = universe.own if universe is not None else None
    places: list[Place] = [(release.window, release.part) for release in placed]
    ours: list[Place] = [(window, own) for window in made]
    shares = reached(places, ours) if made else sharing(places)
    return Placement(
        people,
        tuple(each for each, shared in zip(placed, shares, strict=True) if shared),
        tuple(each.target.words for each, shared in zip(placed, shares, strict=True) if not shared),
        tuple(others),
        universe,
        query,
    )


def place_alike(
    policy: Policy, targets: Sequence[PublishedTarget], placement: Placement
) -> tuple[Placed, ...]:
    """Those of some releases that were made from the very rows that the policy names."""
    own = placement.universe.own if placement.universe is not None else None
    entries = [(each, each.entry) for each in targets]
    return tuple(
        Placed(target, window=entry.window, part=own)
        for target, entry in entries
        if entry is not None and not fault_of(entry) and _is_alike(policy, entry, placement.query)
    )


def without_parts(placement: Placement) -> Placement:
    """A placement whose rows of other queries cannot be read with the policy's."""
    lost = (
        "its rows have values that the hierarchies of this policy lack; add them, or remove that "
        "release"
    )
    return replace(
        placement,
        universe=None,
        sharing=tuple(
            replace(each, part=None, origin=Origin(Kinship.UNKNOWN, lost))
            if each.origin.kinship is Kinship.PART
            else replace(each, part=None)
            for each in placement.sharing
        ),
    )


def is_same_source(engine: Engine, policy: Policy, rows: Relation, entry: Entry) -> bool:
    """Whether a release is of a policy's rows, or of some of them, or may be."""
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
    """Whether a release's source is spelled as the policy's is, and was the same view if it is one.

    An earlier ledger has no query of a view.
    """
    source = policy.source
    if source.query is not None:
        return not entry.source and entry.source_query == query
    is_named = bool(entry.source) and fold(entry.source) == fold(source.table or "")
    return is_named and entry.source_query in (None, query)


def _parted(
    engine: Engine, policy: Policy, rows: Relation, placed: Sequence[Placed]
) -> tuple[list[Placed], Universe | None]:
    """Releases with the part of the rows that their queries choose, where queries differ."""
    if all(release.origin.kinship is not Kinship.PART for release in placed):
        return list(placed), None
    chosen = {number: each.origin for number, each in enumerate(placed)}
    try:
        with engine.read():
            universe = universe_of(engine, read_origin(engine, policy, rows), rows, chosen)
    except EngineError:
        universe = None
    if universe is None:
        parted = Kinship.PART
        return [
            replace(release, origin=_UNREADABLE) if release.origin.kinship is parted else release
            for release in placed
        ], None
    return [
        replace(each, part=universe.parts.get(number, universe.own))
        for number, each in enumerate(placed)
    ], universe


def _timed(
    engine: Engine, people: Relation, placed: Sequence[Placed], made: Sequence[RowWindow | None]
) -> list[Placed]:
    """Releases with their windows; nothing is known of when the rows of others came."""
    told = [
        replace(release, window=release.target.entry.window)
        if release.is_known and release.target.entry and not window_untold(release.target.entry)
        else release
        for release in placed
    ]
    windows = [each for each in (*(each.window for each in told), *made) if each is not None]
    if not windows:
        return told
    return [_before(engine, people, each, windows) for each in told]


def _before(
    engine: Engine, people: Relation, placed: Placed, windows: Sequence[RowWindow]
) -> Placed:
    """A release of all rows as one of those that had come by then, where some came later.

    By what the rows say: as many as it was made from have come by the moment when it was made, and
    none of them in the windows that it is apart from.
    """
    entry = placed.target.entry
    if entry is None or not placed.is_known or placed.part is not None or entry.came.is_recorded:
        return placed
    made = moment(entry.released_at)
    if made is None:
        return placed
    columns = {(each.column, each.type) for each in windows}
    column, type_ = min(columns)
    if len(columns) > 1 or not says_when(people, column) or people.column(column).type != type_:
        return placed
    last = _whole(made, is_day=people.column(column).kind is Kind.DATE)
    ends = sorted({each.after for each in windows if each.after and each.after < last})
    until = [RowWindow(column, None, end, type=type_) for end in (*ends, last)]

    def has_all(window: RowWindow) -> bool:
        return _rows_within(engine, people, window) >= entry.source_rows

    if _rows_within(engine, people, until[-1]) != entry.source_rows:
        return placed
    # The more time, the more rows: so the first of these is found by halving.
    window = until[bisect_left(until, True, key=has_all)]
    return replace(placed, window=window) if any(map(window.is_apart, windows)) else placed


def _whole(made: datetime, *, is_day: bool) -> datetime:
    """The first whole second, or day, after a moment."""
    made = made.astimezone(UTC)
    if is_day:
        return datetime.combine(made.date() + timedelta(days=1), time(), UTC)
    return made.replace(microsecond=0) + timedelta(seconds=1)


def _rows_within(engine: Engine, people: Relation, window: RowWindow) -> int:
    within = within_sql(people.column(window.column), window)
    with engine.read():
        asked = statement("staging/window_rows_by", source=people.sql, within=within)
        return int(engine.rows(asked)[0][0])
