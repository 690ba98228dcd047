"""Releases by local recoding read together: a row's labels in each are those of its region.

Releases with the same set of regions put every combination of values into the same class. They are
read as releases of one quasi-identifier, the number of the region, and everything that is said of
releases at single levels is said of them. Regions with the same labels are one class to a reader.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation, relation, temporary, unused_name
from sqlgen.errors import RefusedError
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.history.staged_releases import PublishedRelease, ReleaseRegions, drop_tables
from sqlgen.ledger.kept_regions import find_regions_table
from sqlgen.ledger.ledger import Ledger
from sqlgen.policy import Policy
from sqlgen.policy.columns import ColumnPolicy
from sqlgen.recodings.kept_regions import REGION_KEPT, RowsInRegions, print_sql, rows_in_regions
from sqlgen.sql.render import Statement, command, fragment, ident, sql, statement
from sqlgen.sql.types import Column, Kind
from sqlgen.staging.ladders import level_range, read_ladder
from sqlgen.staging.people import label_text_fragment

_SOURCE = temporary("joint_region_source")
Floats = frozenset[str]
_UNLIKE = (
    "its classes have levels of their own, in other regions than those of the releases beside it, "
    "and what the two tell together is not measured"
)


@dataclass(frozen=True)
class ReadAlike:
    """Releases that can be read together, and the others, each with the reason."""

    releases: tuple[PublishedRelease, ...]
    unlike: tuple[tuple[str, str], ...]


def find_regions(
    engine: Engine, policy: Policy, ledger: Ledger | None, fingerprint: str, columns: Sequence[str]
) -> ReleaseRegions | None:
    """The regions that the ledger's database keeps under a fingerprint; None where it has none.

    Refused where somebody changed them: other regions could show what no release did.
    """
    if not fingerprint or ledger is None or not ledger.stands:
        return None
    table = find_regions_table(engine, policy, ledger)
    if not table.exists:
        return None
    regions = ReleaseRegions(fingerprint, table.table, tuple(columns))
    rows = sql("{regions} AS kept", regions=regions.kept.relation)
    asked = print_sql(range(1, len(columns) + 1), rows)
    counts = engine.rows(Statement("recodings/region_print", str(asked)))[0]
    found, count, shows_own, *are_by_label = counts
    if not count:
        return None
    if found != fingerprint:
        raise RefusedError(
            f"{policy.where('ledger')}: regions of a release were changed in {table.called}: they "
            "are not those that were released. Delete them there, and the next run makes those of "
            "its lock anew; or run sqlgen plan again. Nothing was changed."
        )
    by_label = tuple(number for number, is_so in enumerate(are_by_label, 1) if is_so)
    return replace(regions, shows_own=shows_own, by_label=by_label)


def read_alike(releases: Sequence[PublishedRelease]) -> ReadAlike:
    """The releases that have the regions of the last one or, as it has, single levels."""
    last = _fingerprint(releases[-1]) if releases else ""
    alike = tuple(release for release in releases if _fingerprint(release) == last)
    unlike = tuple(
        (release.words, _UNLIKE) for release in releases if _fingerprint(release) != last
    )
    return ReadAlike(alike, unlike)


def _fingerprint(release: PublishedRelease) -> str:
    return release.regions.fingerprint if release.regions is not None else ""


@dataclass(frozen=True)
class RegionReading:
    """What releases of the same regions are read with, in place of what they are."""

    policy: Policy
    source: Relation
    releases: tuple[PublishedRelease, ...]


@contextmanager
def through_regions(
    engine: Engine, policy: Policy, source: Relation, releases: Sequence[PublishedRelease]
) -> Iterator[RegionReading]:
    """Releases of the same regions, or of none, as they are read: in the transaction that is open.

    Each shows the labels of its regions, and nothing else.
    """
    regions = releases[0].regions if releases else None
    if regions is None:
        yield RegionReading(policy, source, tuple(releases))
        return
    names = [*source.names, *(name for release in releases for name in release.relation.names)]
    region = unused_name(names, "region")
    put = _stage_source(engine, policy, source, regions, region)
    floats = floats_of(source)
    columns = {name: policy.columns[name] for name in policy.columns if name not in policy.quasi}
    columns[region] = ColumnPolicy.model_validate({"role": "quasi", "hierarchy": "suppress"})
    yield RegionReading(
        policy.model_copy(update={"columns": columns}),
        relation(engine, _SOURCE, "query"),
        tuple(_in_regions(release, regions, region, floats) for release in releases),
    )
    drop_tables(engine, *put.tables, _SOURCE)


def _stage_source(
    engine: Engine, policy: Policy, source: Relation, regions: ReleaseRegions, region: str
) -> RowsInRegions:
    """Stage the source's rows with the numbers of their regions; gives what else was staged."""
    ladders = [read_ladder(engine, policy, source, name) for name in regions.columns]
    put = rows_in_regions(source.sql, ladders, _floors(policy, ladders), regions.kept)
    for asked in put.statements:
        engine.run(asked)
    numbered = list(enumerate(ladders, 1))
    engine.run(
        statement(
            "history/region_source",
            table=_SOURCE,
            source=source.sql,
            region=ident(region),
            rungs=[
                {"number": number, "table": table, "plain": ladder.column.plain("source")}
                for (number, ladder), table in zip(numbered, put.tables, strict=False)
            ],
            leaves=[Markup(f"q{number:d}_0") for number, _ in numbered],
            cells=put.tables[-1],
            regions=regions.kept.relation,
            classes=_classes(regions),
        )
    )
    return put


def _floors(policy: Policy, ladders: Sequence[Ladder]) -> tuple[int, ...]:
    """The finest levels that columns may have."""
    return tuple(level_range(policy, ladder)[0] for ladder in ladders)


def _classes(regions: ReleaseRegions) -> Markup:
    """A relation: the labels of regions that are shown, each under one number."""
    pattern = "(SELECT labels, MIN(number) AS number FROM {regions} AS kept WHERE is_shown "
    return sql(pattern + "GROUP BY labels)", regions=regions.kept.relation)


def shows_regions(
    engine: Engine, release: Relation, regions: ReleaseRegions, floats: Floats
) -> bool:
    """Whether every row of a release has the labels of one of its regions."""
    region = unused_name(release.names, "region")
    strange = command(
        "history/strange_rows",
        "SELECT COUNT(*) FROM {rows} AS released WHERE {region:ident} IS NULL",
        rows=_rows_in_regions(release, regions, region, floats),
        region=region,
    )
    return not engine.rows(strange)[0][0]


def knows_regions(
    engine: Engine, policy: Policy, source: Relation, regions: ReleaseRegions
) -> bool:
    """Whether the hierarchies give every label of the regions to a value of the source.

    It stages tables, and leaves them to the transaction that is open.
    """
    ladders = [read_ladder(engine, policy, source, name) for name in regions.columns]
    for asked in rows_in_regions(
        source.sql, ladders, _floors(policy, ladders), regions.kept
    ).statements:
        engine.run(asked)
    unknown = command(
        "history/unknown_regions",
        "SELECT COUNT(*) FROM {regions} AS kept\n"
        "WHERE is_shown AND number NOT IN (SELECT number FROM {known})",
        regions=regions.kept.relation,
        known=REGION_KEPT,
    )
    return not engine.rows(unknown)[0][0]


def floats_of(source: Relation) -> Floats:
    """The columns of a source whose values are floating-point numbers."""
    return frozenset(column.name for column in source.columns if column.kind is Kind.FLOAT)


def _rows_in_regions(
    release: Relation, regions: ReleaseRegions, region: str, floats: Floats
) -> Markup:
    """A relation: a release's rows with the number of the region whose labels each has."""
    return fragment(
        "history/region_release",
        release=release.sql,
        region=ident(region),
        classes=_classes(regions),
        columns=[
            label_text_fragment(release.column(name).shown("released"), is_float=name in floats)
            for name in regions.columns
        ],
    )


def _in_regions(
    release: PublishedRelease, regions: ReleaseRegions, region: str, floats: Floats
) -> PublishedRelease:
    """A release with the number of each row's region as its only quasi-identifier."""
    rows = _rows_in_regions(release.relation, regions, region, floats)
    levels = {name: level for name, level in release.levels.items() if name not in regions.columns}
    columns = (*release.relation.columns, Column(region, "BIGINT"))
    return replace(
        release,
        relation=Relation(rows, "query", columns),
        levels={**levels, region: 0},
        regions=None,
    )
