"""Differencing: the rows that two releases expose, where one has a few rows more than the other.

Two releases are compared at their join: in each column, the coarser of their two levels. A column
that one of them does not show counts as fully generalized. So every two releases can be compared;
in the extreme case each is one class. Pairs with the same join are measured together in one
statement, because most classes of most of them are equal.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation, temporary
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.history.requirements import Requirements
from sqlgen.history.staged_releases import (
    StagedRelease,
    created,
    drop_tables,
    labels_table,
    place_of_column,
    stage_values,
    values_table,
)
from sqlgen.policy import Policy
from sqlgen.sql.render import command, fragment, sql, statement
from sqlgen.staging.ladders import read_ladder
from sqlgen.wording import counted

_ROLLED = temporary("joint_rolled")
_VERSION = temporary("joint_version")
_CHANGED = temporary("joint_changed")
_CHANGE = temporary("joint_change")


@dataclass(frozen=True)
class Difference:
    """Two releases: the rows that came and went in the classes of both, at the join of levels.

    A row that one of the two suppressed or masked counts as one that came or went.
    """

    earlier: str
    later: str
    rows_came: int
    rows_went: int
    exposed_rows: int


@dataclass(frozen=True)
class Differences:
    """The result of comparing all releases in pairs.

    ``unjudged`` has the releases that cannot be compared, each with the reason. ``not_measured``
    has pairs of series of new rows: their releases are compared one by one, but not each series as
    a whole with the other.
    """

    measured: tuple[Difference, ...]
    unjudged: tuple[tuple[str, str], ...]
    not_measured: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class _Node:
    """The levels at which a pair of releases is compared.

    ``keys`` has the quasi-identifiers that both releases show below the top level. ``values`` has
    the sensitive columns that both show. Each is at the coarser of the two releases' levels.
    """

    keys: tuple[tuple[str, int], ...]
    values: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class _Side:
    """One side of a comparison: one release, or several releases of new rows taken together.

    Several have no row in common, so together they are like one release.
    """

    number: int
    members: tuple[StagedRelease, ...]

    @property
    def words(self) -> str:
        """The name of this side in messages."""
        first, last = self.members[0].shown.words, self.members[-1].shown.words
        return first if len(self.members) == 1 else f"all from {first} to {last}"


# Tables of labels, by column, the level of a release, and the level at which it is compared.
_Rolls = Mapping[tuple[str, int, int], Markup]
_Pair = tuple[_Side, _Side]
_Members = tuple[StagedRelease, ...]
# Levels of quasi-identifiers by column.
_Keys = Mapping[str, int]


def measure_differences(
    engine: Engine,
    policy: Policy,
    source: Relation,
    releases: Sequence[StagedRelease],
    requirements: Requirements,
) -> Differences:
    """Measure the rows that each pair of releases exposes.

    The releases are staged already; tables that are staged here are dropped again.
    """
    ladders = {
        name: read_ladder(engine, policy, source, name)
        for name in policy.quasi
        if any(name in release.quasi for release in releases)
    }
    nodes = _nodes(releases, ladders)
    fewest_rows = requirements.rows(_most_rows(engine, source, requirements))
    rolls, staged = _stage_rolls(engine, policy, source, nodes)
    figures: dict[tuple[int, int], Difference] = {}
    unjudged: dict[str, str] = {}
    for node, pairs in nodes.items():
        _stage_rolled(engine, node, pairs, rolls)
        unknown = _unknown_rows(engine) if rolls else {}
        for one, other in (*pairs, *((later, earlier) for earlier, later in pairs)):
            if one.number in unknown:
                words = (
                    f"{counted(unknown[one.number], 'row')} of it cannot be compared with "
                    f"{other.words}: nobody knows what their labels are at its levels"
                )
                unjudged.setdefault(one.words, words)
        known = [pair for pair in pairs if not {side.number for side in pair} & unknown.keys()]
        if known:
            figures |= _measure_pairs(engine, node, known, requirements, fewest_rows)
        drop_tables(engine, _ROLLED)
    drop_tables(engine, *staged)
    return Differences(
        tuple(figures[pair] for pair in sorted(figures)),
        tuple(unjudged.items()),
        _series_pairs(releases),
    )


def _most_rows(engine: Engine, source: Relation, requirements: Requirements) -> dict[str, int]:
    """The most rows that one person has, by the column that identifies persons."""
    return {
        unit: engine.rows(
            statement(
                "history/most_rows", source=source.sql, person=source.column(unit).plain("source")
            )
        )[0][0]
        for unit in requirements.sizes
        if unit is not None
    }


def _nodes(
    releases: Sequence[StagedRelease], ladders: Mapping[str, Ladder]
) -> dict[_Node, list[_Pair]]:
    """The pairs to compare, by the levels at which they are compared.

    Each release is compared with every other one that may share rows with it. Several releases of
    new rows are also taken together and compared with one other release, for the union may expose
    rows that none of them exposes alone.
    """
    keys = {release.number: _keys(release, ladders) for release in releases}
    nodes: dict[_Node, list[_Pair]] = {}
    sides: dict[Any, _Side] = {
        release.number: _Side(release.number, (release,)) for release in releases
    }
    for earlier, later in combinations(releases, 2):
        if not earlier.is_apart(later):
            pair = sides[earlier.number], sides[later.number]
            join = _join([keys[earlier.number], keys[later.number]])
            nodes.setdefault(_node(join, pair), []).append(pair)
    for coarse, members, other in _unions(releases, keys):
        pair = _union(sides, members, coarse), sides[other.number]
        nodes.setdefault(_node(coarse, pair), []).append(pair)
    return nodes


def _union(sides: dict[Any, _Side], members: _Members, coarse: _Keys) -> _Side:
    """Several releases as one side, made once for the same members and levels."""
    key = (tuple(member.number for member in members), *coarse.items())
    return sides.setdefault(key, _Side(len(sides) + 1, members))


def _unions(
    releases: Sequence[StagedRelease], keys: Mapping[int, _Keys]
) -> Iterator[tuple[_Keys, _Members, StagedRelease]]:
    """The unions to compare: levels, several releases of new rows, and one other release.

    The other release shares rows with each member of the union. The levels are those of each
    member, those of the other release, and the join of them all. At each, the union has the
    members that are fine enough. It is compared twice: with all members, and with those alone that
    were released before the other release. A later member may refill a class, and so hide a row
    that the other release left out.
    """
    for chain in _chains(releases):
        for other in (release for release in releases if release not in chain):
            sharing = _sharing_members(chain, [other])
            levels = [keys[release.number] for release in (*sharing, other)]
            joined = [*levels, _join(levels)] if sharing else []
            for coarse in {tuple(level.items()): level for level in joined}.values():
                if not _is_as_fine(keys[other.number], coarse):
                    continue
                fine = tuple(
                    release for release in sharing if _is_as_fine(keys[release.number], coarse)
                )
                before = tuple(release for release in fine if release.number < other.number)
                for members in (fine, before) if before != fine else (fine,):
                    if len(members) > 1:
                        yield coarse, members, other


def _series_pairs(releases: Sequence[StagedRelease]) -> tuple[tuple[str, str], ...]:
    """Pairs of series of new rows that share rows, which are not compared as wholes."""
    pairs = []
    for chain, other in combinations(_chains(releases), 2):
        ours, theirs = _sharing_members(chain, other), _sharing_members(other, chain)
        if len(ours) > 1 and len(theirs) > 1:
            pairs.append((_Side(0, ours).words, _Side(0, theirs).words))
    return tuple(pairs)


def _sharing_members(chain: Sequence[StagedRelease], others: Sequence[StagedRelease]) -> _Members:
    """The releases of a series that may share rows with one of the others."""
    return tuple(
        release for release in chain if not all(release.is_apart(other) for other in others)
    )


def _chains(releases: Sequence[StagedRelease]) -> list[list[StagedRelease]]:
    """Series of releases of new rows whose windows follow each other without an overlap.

    By the end of its window, each release goes to the first series that it can follow.
    """
    chains: list[list[StagedRelease]] = []
    windows = [
        (release.shown.window, release) for release in releases if release.shown.window is not None
    ]
    for _, release in sorted(windows, key=lambda pair: (pair[0].until, pair[1].number)):
        chain = next((chain for chain in chains if chain[-1].is_apart(release)), None)
        if chain is None:
            chains.append([release])
        else:
            chain.append(release)
    return chains


def _node(coarse: _Keys, pair: _Pair) -> _Node:
    """The levels at which a pair is compared."""
    members = [member for side in pair for member in side.members]
    values = {
        name: max(member.level(name) for member in members)
        for name in members[0].sensitive
        if all(name in member.sensitive for member in members)
    }
    return _Node(tuple(coarse.items()), tuple(sorted(values.items())))


def _keys(release: StagedRelease, ladders: Mapping[str, Ladder]) -> dict[str, int]:
    """The levels of the quasi-identifiers that a release shows below their top level."""
    return {
        name: level
        for name, level in sorted(release.levels.items())
        if level < ladders[name].height
    }


def _join(levels: Sequence[_Keys]) -> dict[str, int]:
    """The join of levels: each column that all of them have, at the coarsest of its levels."""
    first, *others = levels
    return {
        name: max(level, *(other[name] for other in others)) if others else level
        for name, level in first.items()
        if all(name in other for other in others)
    }


def _is_as_fine(fine: _Keys, coarse: _Keys) -> bool:
    return all(name in fine and fine[name] <= level for name, level in coarse.items())


def _stage_rolls(
    engine: Engine, policy: Policy, source: Relation, nodes: Mapping[_Node, Sequence[_Pair]]
) -> tuple[_Rolls, list[Markup]]:
    """Stage the labels that finer labels become at coarser levels; gives these and all tables.

    The values of quasi-identifiers are staged already; those of sensitive columns are staged here.
    """
    steps: dict[str, set[tuple[int, int]]] = {}
    for node, pairs in nodes.items():
        for release in [member for side in _sides(pairs) for member in side.members]:
            for name, level in (*node.keys, *node.values):
                if release.level(name) != level:
                    steps.setdefault(name, set()).add((release.level(name), level))
    rolls, staged = {}, []
    for name, changes in steps.items():
        place = place_of_column(policy, name)
        if name in policy.sensitive:
            ladder = read_ladder(engine, policy, source, name)
            levels = sorted({level for change in changes for level in change})
            stage_values(engine, policy, source, ladder, levels)
            staged.append(values_table(place))
        for finer, coarser in sorted(changes):
            roll = temporary(f"joint_roll_{place}_{finer}_{coarser}")
            engine.run(
                statement(
                    "history/roll",
                    table=roll,
                    values=values_table(place),
                    labels=labels_table(place),
                    from_level=finer,
                    to_level=coarser,
                    is_sensitive=name in policy.sensitive,
                )
            )
            rolls[name, finer, coarser] = roll
    return rolls, [*staged, *rolls.values()]


def _stage_rolled(engine: Engine, node: _Node, pairs: Sequence[_Pair], rolls: _Rolls) -> None:
    """Stage the releases that are compared at a node, with their labels at its levels."""
    queries = [
        _rolled_fragment(node, side.number, member, rolls)
        for side in _sides(pairs)
        for member in side.members
    ]
    engine.run(created("history/rolled", _ROLLED, queries))


def _rolled_fragment(node: _Node, side: int, release: StagedRelease, rolls: _Rolls) -> Markup:
    """A query for one release with its labels at the levels of a node."""
    columns, rolled = [], []
    for name, level in (*node.keys, *node.values):
        place = release.place(name)
        roll = rolls.get((name, release.level(name), level))
        pattern = "cell.{place}" if roll is None else "roll_{place}.id_to"
        columns.append({"place": place, "id": sql(pattern, place=place)})
        if roll is not None:
            rolled.append({"place": place, "roll": roll})
    return fragment(
        "history/rolled",
        release=side,
        columns=columns,
        rolled=rolled,
        shows_values=bool(node.values),
        **release.tables,
    )


def _unknown_rows(engine: Engine) -> dict[int, int]:
    """The rows, by release, with a label that the hierarchy does not take to the node's level."""
    asked = command(
        "history/unknown",
        "SELECT release, CAST(SUM(row_count) AS BIGINT) AS unknown_rows\n"
        "FROM {rolled}\n"
        "WHERE is_unknown\n"
        "GROUP BY release",
        rolled=_ROLLED,
    )
    return dict(engine.rows(asked))


def _measure_pairs(
    engine: Engine,
    node: _Node,
    pairs: Sequence[_Pair],
    requirements: Requirements,
    fewest_rows: int,
) -> dict[tuple[int, int], Difference]:
    """Measure pairs at the node where their releases are staged; gives results by their numbers.

    Fewer than ``fewest_rows`` rows that came or went expose people.
    """
    release = pairs[0][0].members[0]
    keys = [release.place(name) for name, _ in node.keys]
    values = [release.place(name) for name, _ in node.values]
    required = {
        release.place(name): least
        for name, _ in node.values
        if (least := requirements.values(name)[0]) is not None
    }
    numbers = [(earlier.number, later.number) for earlier, later in pairs]
    versions = {"versions": _VERSION}
    changes = {"changed": _CHANGED, "change": _CHANGE}
    staging = (
        statement("history/version", table=_VERSION, rolled=_ROLLED, keys=keys, values=values),
        statement("history/changed", table=_CHANGED, pairs=numbers, **versions),
        statement("history/change", table=_CHANGE, changed=_CHANGED, values=values, **versions),
    )
    for staged in staging:
        engine.run(staged)
    minima = [{"place": place, "least": least} for place, least in required.items()]
    rows = engine.rows(statement("history/difference", values=minima, least=fewest_rows, **changes))
    drop_tables(engine, _VERSION, _CHANGED, _CHANGE)
    counts = {(earlier, later): figures for earlier, later, *figures in rows}
    words = {side.number: side.words for side in _sides(pairs)}
    return {
        (earlier, later): Difference(
            words[earlier], words[later], *counts.get((earlier, later), (0, 0, 0))
        )
        for earlier, later in numbers
    }


def _sides(pairs: Sequence[_Pair]) -> list[_Side]:
    """The sides of some pairs, each once."""
    return list({side.number: side for pair in pairs for side in pair}.values())
