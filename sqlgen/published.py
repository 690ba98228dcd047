"""The releases that are still published, as the ledger knows them, each read as it stands now."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from markupsafe import Markup

from sqlgen.catalog import (
    Relation,
    current_catalog,
    full_name,
    relation,
    require,
    temporary,
)
from sqlgen.engines import DataSource, Engine
from sqlgen.errors import EngineError, PolicyError
from sqlgen.every_fault import every_fault
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.joint import Joint, measure_joint
from sqlgen.ladders import check_ladder, ladder_table, read_ladder
from sqlgen.ledger import (
    Entry,
    find_ledger,
    read_entries,
)
from sqlgen.other_ledgers import find_other_ledgers
from sqlgen.policy import Policy, Window, share_rows
from sqlgen.reread import LeftOutError, PublishedTarget, read_published
from sqlgen.source import (
    check_columns,
    find_source,
    is_frame,
    open_rows,
    read_source,
    source_sql,
    staged_query,
)
from sqlgen.sql.render import quoted_name, statement
from sqlgen.together import Shown
from sqlgen.unread import window_untold
from sqlgen.whereabouts import home_of, place_of


@dataclass(frozen=True)
class Published:
    """Releases that stand and can be read, and those that are left out or cannot be: with why.

    Those that are ``apart`` share nobody with another, and were not looked at.
    """

    releases: tuple[Shown, ...]
    left_out: tuple[tuple[str, str], ...] = ()
    unjudged: tuple[tuple[str, str], ...] = ()
    apart: tuple[str, ...] = ()


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
    ``own`` is the kind and name of one that no entry need speak of, ``replaced`` of one that is
    about to go; ``made`` are the windows of those that are being made.
    """
    policy = policy.within(None)
    home = home_of(engine, current_catalog(engine))
    named = partial(_named, engine, policy, home)
    gone = {named(*replaced).key} if replaced is not None else set()
    targets: dict[tuple[bool, str], PublishedTarget] = {}
    for entry in entries:
        target = PublishedTarget(entry.target_kind, entry.target, entry.place, entry)
        if target.key not in gone:
            targets.setdefault(target.key, target)
    if own is not None:
        target = named(*own)
        targets.setdefault(target.key, target)
    ledgers = _other_ledgers(engine, policy)
    # One of which that cannot be told may share rows with any other.
    windows = [
        each.entry.window if each.entry and not window_untold(each.entry) else None
        for each in targets.values()
    ]
    shares = dict(zip(targets, share_rows([*windows, *made]), strict=False))
    apart = tuple(each.words for key, each in targets.items() if not shares[key])
    targets = {key: each for key, each in targets.items() if shares[key]}
    if not targets:
        return Published((), ledgers, apart=apart)
    with engine.read(), every_fault(engine, policy, source):
        people = find_source(engine, policy, source)
        check_columns(people, policy)
        ladders = _ladders(engine, policy, people)
    releases: list[Shown] = []
    left_out = [*ledgers]
    unjudged: list[tuple[str, str]] = []
    numbers = {key: each.entry.release_id if each.entry else 0 for key, each in targets.items()}
    last = max(numbers.values(), default=0) + 1
    for key in sorted(targets, key=lambda key: numbers[key] or last):
        target = targets[key]
        try:
            with engine.read():
                releases.append(read_published(engine, policy, people, ladders, target))
        except LeftOutError as why:
            left_out.append((target.words, str(why)))
        except EngineError:
            unjudged.append((target.words, "it cannot be read"))
        except PolicyError as why:
            unjudged.append((target.words, str(why)))
    return Published(tuple(releases), tuple(left_out), tuple(unjudged), apart)


def _other_ledgers(engine: Engine, policy: Policy) -> tuple[tuple[str, str], ...]:
    """Where releases are written that this policy does not read, and what to say of each."""
    with engine.read():
        catalog = current_catalog(engine)
        return find_other_ledgers(engine, catalog, find_ledger(engine, policy, catalog))


def _named(
    engine: Engine, policy: Policy, home: Path | None, kind: str, target: str
) -> PublishedTarget:
    """A target of the policy, of which no release need be known."""
    if kind in ("parquet", "csv"):
        return PublishedTarget(kind, target, place_of(policy.file(target, "release", kind), home))
    return PublishedTarget(kind, target, quoted_name(full_name(engine, target)[1:]))


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
