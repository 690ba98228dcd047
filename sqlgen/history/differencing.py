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
) -> tuple[tuple[Difference, ...], tuple[tuple[str, str], ...]]:
    """What each pair of releases exposes, and those that cannot be compared: with why.

    Releases of new rows are compared one by one and, with whatever shares rows with several of
    them, as one. The releases are staged already; what else is staged is dropped again.
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
    return tuple(figures[pair] for pair in sorted(figures)), tuple(unjudged.items())


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
    for coarse, ours, theirs in _several(read, keys):
        pair = _side(sides, ours, coarse), _side(sides, theirs, coarse)
        nodes.setdefault(_node(coarse, pair), []).append(pair)
    return nodes


def _side(sides: dict[Any, _Side], members: _Members, coarse: _Keys) -> _Side:
    """A side of a pair; several releases are another one at other levels."""
    numbers = tuple(member.number for member in members)
    called = (numbers, *coarse.items()) if len(numbers) > 1 else numbers[0]
    return sides.setdefault(called, _Side(len(sides) + 1, members))


def _several(
    read: Sequence[StagedRelease], keys: Mapping[int, _Keys]
) -> Iterator[tuple[_Keys, _Members, _Members]]:
    """Releases of new rows that share nobody, with what shares rows with each, and at what levels.

    With one other release, or with several of another series. At the levels of each of them, and
    at the join of all: of both sides all that can be taken there, and of those the ones that stood
    when the side that was made first was whole, for what came later would hide whom they leave out.
    """
    chains = _chains(read)
    for place, chain in enumerate(chains):
        alone = [[release] for release in read if release not in chain]
        series = [other for other in chains[place + 1 :] if len(other) > 1]
        for others in (*alone, *series):
            met = _met(chain, others)
            levels = [keys[each.number] for side in met for each in side]
            joined = [*levels, _join(levels)] if levels else []
            for coarse in {tuple(each.items()): each for each in joined}.values():
                one, two = (
                    [each for each in side if _is_as_fine(keys[each.number], coarse)]
                    for side in met
                )
                fine = _met(one, two)
                whole = min(max((each.number for each in side), default=0) for side in fine)
                one, two = ([each for each in side if each.number <= whole] for side in fine)
                before = _met(one, two)
                for ours, theirs in (fine, before) if before != fine else (fine,):
                    if len(ours) > 1 and len(theirs) >= min(2, len(others)):
                        yield coarse, ours, theirs


def _met(
    ours: Sequence[StagedRelease], theirs: Sequence[StagedRelease]
) -> tuple[_Members, _Members]:
    """Of two series of releases, those that share rows with some of the other."""
    return (
        tuple(our for our in ours if not all(our.is_apart(other) for other in theirs)),
        tuple(their for their in theirs if not all(their.is_apart(other) for other in ours)),
    )


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
