"""What two releases expose by their difference, at the coarser of their two levels in each column.

A column that a release does not show is at its top. So any two releases can be compared, if need
be as wholes: the labels of both are taken to the join of their levels, of quasi-identifiers and of
sensitive columns. Pairs of the same join are measured in one statement, for most classes of most
of them are equal.
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
from sqlgen.history.staged_releases import StagedRelease, labels_table, stage_values, values_table
from sqlgen.policy import Policy
from sqlgen.sql.render import statement
from sqlgen.staging.ladders import read_ladder
from sqlgen.wording import counted

_ROLLED = temporary("joint_rolled")
_VERSION = temporary("joint_version")
_CHANGED = temporary("joint_changed")
_CHANGE = temporary("joint_change")
_SIDES = (
    {"version": Markup("later_version"), "sign": Markup("")},
    {"version": Markup("earlier_version"), "sign": Markup("-")},
)
_WAYS = (
    {"called": Markup("came"), "sign": Markup("")},
    {"called": Markup("went"), "sign": Markup("-")},
)


@dataclass(frozen=True)
class Difference:
    """Two releases: rows that came and went in classes of both, at the join of their levels.

    The rows that one of them suppressed or withheld are among those that came or went.
    """

    earlier: str
    later: str
    rows_came: int
    rows_went: int
    exposed_rows: int


@dataclass(frozen=True)
class Differences:
    """The pairs of releases that were compared, and those that were not.

    ``unjudged`` are releases that cannot be compared, with why; ``not_measured`` pairs of series of
    new rows, whose releases are compared one by one alone.
    """

    measured: tuple[Difference, ...]
    unjudged: tuple[tuple[str, str], ...]
    not_measured: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class _Node:
    """Levels at which releases are compared: of quasi-identifiers below their top, and of values.

    ``values`` has the sensitive columns that both show, at the coarser of their two levels.
    """

    keys: tuple[tuple[str, int], ...]
    values: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class _Side:
    """One release, or several of new rows together, that share nobody: they are told as one."""

    number: int
    members: tuple[StagedRelease, ...]

    @property
    def words(self) -> str:
        first, last = self.members[0].shown.words, self.members[-1].shown.words
        return first if len(self.members) == 1 else f"all from {first} to {last}"


_Rolls = Mapping[tuple[str, int, int], Markup]
_Pair = tuple[_Side, _Side]
_Members = tuple[StagedRelease, ...]
_Keys = Mapping[str, int]


def measure_differences(
    engine: Engine,
    policy: Policy,
    source: Relation,
    read: Sequence[StagedRelease],
    asked: Requirements,
) -> Differences:
    """The rows that each pair of releases exposes, and the pairs that are not compared.

    Releases of new rows are compared one by one and, with any one release that shares rows with
    several of them, as one. The releases are staged already; what else is staged is dropped again.
    """
    ladders = {
        name: read_ladder(engine, policy, source, name)
        for name in policy.quasi
        if any(name in release.quasi for release in read)
    }
    nodes = _nodes(read, ladders)
    least = asked.rows(_most_rows(engine, source, asked))
    rolls, staged = _stage_rolls(engine, policy, source, nodes)
    figures: dict[tuple[int, int], Difference] = {}
    unjudged: dict[str, str] = {}
    for node, pairs in nodes.items():
        _stage_rolled(engine, node, pairs, rolls)
        strange = _strange(engine) if rolls else {}
        for one, other in (*pairs, *((later, earlier) for earlier, later in pairs)):
            if one.number in strange:
                words = (
                    f"{counted(strange[one.number], 'row')} of it cannot be compared with "
                    f"{other.words}: nobody knows what their labels are at its levels"
                )
                unjudged.setdefault(one.words, words)
        known = [pair for pair in pairs if not {each.number for each in pair} & strange.keys()]
        if known:
            figures |= _measure_pairs(engine, node, known, asked, least)
        _drop(engine, _ROLLED)
    _drop(engine, *staged)
    return Differences(
        tuple(figures[pair] for pair in sorted(figures)),
        tuple(unjudged.items()),
        _series_pairs(read),
    )


def _most_rows(engine: Engine, source: Relation, asked: Requirements) -> dict[str, int]:
    """How many rows one person has at most, by the column that tells persons."""
    return {
        unit: engine.rows(
            statement(
                "history/most_rows", source=source.sql, person=source.column(unit).plain("source")
            )
        )[0][0]
        for unit in asked.sizes
        if unit is not None
    }


def _nodes(
    read: Sequence[StagedRelease], ladders: Mapping[str, Ladder]
) -> dict[_Node, list[_Pair]]:
    """The pairs of releases that are compared, by the levels at which they are."""
    keys = {release.number: _keys(release, ladders) for release in read}
    nodes: dict[_Node, list[_Pair]] = {}
    sides: dict[Any, _Side] = {
        release.number: _Side(release.number, (release,)) for release in read
    }
    for earlier, later in combinations(read, 2):
        if not earlier.is_apart(later):
            pair = sides[earlier.number], sides[later.number]
            join = _join([keys[earlier.number], keys[later.number]])
            nodes.setdefault(_node(join, pair), []).append(pair)
    for coarse, members, other in _unions(read, keys):
        pair = _union(sides, members, coarse), sides[other.number]
        nodes.setdefault(_node(coarse, pair), []).append(pair)
    return nodes


def _union(sides: dict[Any, _Side], members: _Members, coarse: _Keys) -> _Side:
    """Several releases as one side of a pair: another side at other levels."""
    called = (tuple(member.number for member in members), *coarse.items())
    return sides.setdefault(called, _Side(len(sides) + 1, members))


def _unions(
    read: Sequence[StagedRelease], keys: Mapping[int, _Keys]
) -> Iterator[tuple[_Keys, _Members, StagedRelease]]:
    """Several releases of new rows that share nobody, and one that shares rows with each of them.

    At the levels of each, and at the join of all: all of the new rows that can be taken there, and
    those released before the other one, for what came later would hide whom they leave out.
    """
    for chain in _chains(read):
        for other in (release for release in read if release not in chain):
            met = _met(chain, [other])
            levels = [keys[release.number] for release in (*met, other)]
            joined = [*levels, _join(levels)] if met else []
            for coarse in {tuple(level.items()): level for level in joined}.values():
                if not _is_as_fine(keys[other.number], coarse):
                    continue
                fine = tuple(
                    release for release in met if _is_as_fine(keys[release.number], coarse)
                )
                before = tuple(release for release in fine if release.number < other.number)
                for members in (fine, before) if before != fine else (fine,):
                    if len(members) > 1:
                        yield coarse, members, other


def _series_pairs(read: Sequence[StagedRelease]) -> tuple[tuple[str, str], ...]:
    """Pairs of series of new rows that share rows: as wholes they are not compared."""
    pairs = []
    for one, other in combinations(_chains(read), 2):
        ours, theirs = _met(one, other), _met(other, one)
        if len(ours) > 1 and len(theirs) > 1:
            pairs.append((_Side(0, ours).words, _Side(0, theirs).words))
    return tuple(pairs)


def _met(ours: Sequence[StagedRelease], theirs: Sequence[StagedRelease]) -> _Members:
    """Of a series of releases, those that share rows with some of others."""
    return tuple(our for our in ours if not all(our.is_apart(other) for other in theirs))


def _chains(read: Sequence[StagedRelease]) -> list[list[StagedRelease]]:
    """Releases of new rows by the order of their windows, as many as can be after one another."""
    chains: list[list[StagedRelease]] = []
    windows = [
        (release.shown.window, release) for release in read if release.shown.window is not None
    ]
    for _, each in sorted(windows, key=lambda pair: (pair[0].until, pair[1].number)):
        chain = next((chain for chain in chains if chain[-1].is_apart(each)), None)
        if chain is None:
            chains.append([each])
        else:
            chain.append(each)
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


def _keys(each: StagedRelease, ladders: Mapping[str, Ladder]) -> dict[str, int]:
    """The levels of the quasi-identifiers that a release tells something by: not of all to one."""
    return {
        name: level for name, level in sorted(each.levels.items()) if level < ladders[name].height
    }


def _join(levels: Sequence[_Keys]) -> dict[str, int]:
    """The finest levels that each of some can be taken to: the coarsest of them in each column."""
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
    """What the labels of finer releases are at the levels of coarser ones; and all that is staged.

    The values of quasi-identifiers are staged already, those of sensitive columns are here.
    """
    places: dict[str, Markup] = {}
    needed: dict[str, set[tuple[int, int]]] = {}
    for node, pairs in nodes.items():
        for each in [member for side in _sides(pairs) for member in side.members]:
            levels = {**each.levels, **{name: each.level(name) for name in each.sensitive}}
            for name, level in (*node.keys, *node.values):
                places[name] = each.place(name)
                if levels[name] != level:
                    needed.setdefault(name, set()).add((levels[name], level))
    rolls, staged = {}, []
    for name, steps in needed.items():
        values = values_table(places[name])
        if name in policy.sensitive:
            ladder = read_ladder(engine, policy, source, name)
            shown = sorted({level for step in steps for level in step})
            stage_values(engine, policy, source, ladder, places[name], shown)
            staged.append(values)
        for before, after in sorted(steps):
            rolls[name, before, after] = temporary(f"joint_roll_{places[name]}_{before}_{after}")
            engine.run(
                statement(
                    "history/roll",
                    table=rolls[name, before, after],
                    values=values,
                    labels=labels_table(places[name]),
                    from_level=before,
                    to_level=after,
                    withheld=name in policy.sensitive,
                )
            )
    return rolls, [*staged, *rolls.values()]


def _stage_rolled(engine: Engine, node: _Node, pairs: Sequence[_Pair], rolls: _Rolls) -> None:
    """Stage the releases that are compared at a node with their labels at its levels."""
    engine.run(
        statement(
            "history/rolled",
            table=_ROLLED,
            releases=[
                {
                    "number": side.number,
                    "places": member.keys,
                    "quasi": [
                        {
                            "place": member.place(name),
                            "roll": rolls.get((name, member.levels[name], level)),
                        }
                        for name, level in node.keys
                    ],
                    "sensitive": [
                        {
                            "place": member.place(name),
                            "roll": rolls.get((name, member.level(name), level)),
                        }
                        for name, level in node.values
                    ],
                    **member.tables,
                }
                for side in _sides(pairs)
                for member in side.members
            ],
        )
    )


def _strange(engine: Engine) -> dict[int, int]:
    """The rows, by release, with labels of which nobody knows what they are at these levels."""
    return dict(engine.rows(statement("history/unknown", rolled=_ROLLED)))


def _measure_pairs(
    engine: Engine, node: _Node, pairs: Sequence[_Pair], asked: Requirements, least: int
) -> dict[tuple[int, int], Difference]:
    """What each of some pairs exposes, of the releases that are staged at their node."""
    one = pairs[0][0].members[0]
    columns = [
        {"place": one.place(name), "least": asked.values(name)[0]} for name, _ in node.values
    ]
    places = [column["place"] for column in columns]
    numbers = [(earlier.number, later.number) for earlier, later in pairs]
    keys = [one.place(name) for name, _ in node.keys]
    shared: dict[str, Any] = {"versions": _VERSION, "changed": _CHANGED, "places": places}
    for made in (
        statement("history/version", table=_VERSION, rolled=_ROLLED, keys=keys, places=places),
        statement("history/changed", table=_CHANGED, versions=_VERSION, pairs=numbers),
        statement("history/change", table=_CHANGE, sides=_SIDES, **shared),
    ):
        engine.run(made)
    figures = engine.rows(
        statement(
            "history/difference",
            changed=_CHANGED,
            change=_CHANGE,
            columns=columns,
            ways=_WAYS,
            least=least,
        )
    )
    _drop(engine, _VERSION, _CHANGED, _CHANGE)
    counts = {(earlier, later): told for earlier, later, *told in figures}
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


def _drop(engine: Engine, *tables: Markup) -> None:
    for table in tables:
        engine.run(statement("releasing/drop", kind=Markup("TABLE"), target=table))
