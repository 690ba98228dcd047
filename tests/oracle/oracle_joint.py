"""What an observer of several releases is left with, by looking at each row; nothing of sqlgen.

A release is rows of labels, with the level of each quasi-identifier and of the sensitive column.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TypeAlias

Value: TypeAlias = str | int | None
Row: TypeAlias = Mapping[str, Value]
Labeller: TypeAlias = Callable[[Value, int], Value]

ILLS = {"flu": "lungs", "cold": "lungs", "ulcer": "stomach", "gout": "joints"}


def zip_label(value: Value, level: int) -> Value:
    """Four characters, the first two, none; NULL is a value of its own below the top."""
    if level == 2:
        return "*"
    return value if level == 0 or value is None else f"{str(value)[:2]}**"


def age_label(value: Value, level: int) -> Value:
    """Years, tens, twenties, none."""
    if level == 3:
        return "*"
    if level == 0 or value is None:
        return None if value is None else str(value)
    width = 10 * level
    low = int(value) // width * width
    return f"[{low}, {low + width})"


def ill_label(value: Value, level: int) -> Value:
    """A disease, or its organ."""
    return value if level == 0 or value is None else ILLS.get(str(value))


LABELS: Mapping[str, Labeller] = {"zip": zip_label, "age": age_label}
HEIGHTS = {"zip": 2, "age": 3}
# Whatever may stand in a release, whether anybody in the source has it or not.
EVERY: Mapping[str, Sequence[Value]] = {
    "zip": ("4760", "4761", "4790", None),
    "age": (*range(100), None),
}


def taken_to(name: str, label: Value, before: int, after: int) -> Value:
    """What a label at one level is at a coarser one, by any value that has it."""
    found = {LABELS[name](v, after) for v in EVERY[name] if LABELS[name](v, before) == label}
    assert len(found) == 1
    return found.pop()


@dataclass(frozen=True)
class Taken:
    """A row of a release at coarser levels."""

    key: tuple[Value, ...]
    ill: Value
    masked: bool


@dataclass(frozen=True)
class Release:
    """Labels by row, and the level of each column that is shown.

    With a window, it has only people who came after one moment, if there is one, until another;
    with a part, only those whom a query chooses, by the part of the ward that they are in.
    """

    rows: tuple[Row, ...]
    levels: Mapping[str, int]
    ill_level: int = 0
    shows_ill: bool = True
    masks_sensitive: bool = False
    window: tuple[int | None, int] | None = None
    part: frozenset[Value] | None = None

    def could_have(self, person: Row) -> bool:
        """Whether somebody came in the window of the release and is in its part, if it has one."""
        if self.part is not None and person["part"] not in self.part:
            return False
        if self.window is None:
            return True
        after, until = self.window
        came = person["came"]
        if came is None:
            return False
        return int(came) <= until and (after is None or int(came) > after)

    def is_apart(self, other: Release) -> bool:
        """Whether nobody can be in both."""
        if self.part is not None and other.part is not None and not self.part & other.part:
            return True
        if self.window is None or other.window is None:
            return False
        moments = range(-1, 100)
        one, two = replace(self, part=None), replace(other, part=None)
        return not any(
            one.could_have({"came": each}) and two.could_have({"came": each}) for each in moments
        )

    def key(self, row: Row) -> tuple[Value, ...]:
        return tuple(row[name] for name in self.levels)

    def key_of(self, person: Row) -> tuple[Value, ...]:
        return tuple(LABELS[name](person[name], level) for name, level in self.levels.items())

    def members(self, key: tuple[Value, ...]) -> list[Row]:
        return [row for row in self.rows if self.key(row) == key]

    @property
    def telling(self) -> dict[str, int]:
        """The levels of the columns that tell one class from another."""
        return {name: level for name, level in self.levels.items() if level < HEIGHTS[name]}

    def taken_to(self, levels: Mapping[str, int], ill_level: int) -> list[Taken]:
        """Its rows at coarser levels, each with its disease there and whether that is masked."""
        mute = {
            self.key(row)
            for row in self.rows
            if self.shows_ill and not self.says(self.members(self.key(row)))
        }
        return [
            Taken(
                tuple(
                    taken_to(name, row[name], self.levels[name], level)
                    for name, level in sorted(levels.items())
                ),
                row["ill"] if self.ill_level == ill_level else ill_label(row["ill"], ill_level),
                self.key(row) in mute,
            )
            for row in self.rows
        ]

    def says(self, members: Sequence[Row]) -> bool:
        """Whether a class shows sensitive values at all."""
        if not members or not self.shows_ill:
            return False
        return not (self.masks_sensitive and all(row["ill"] is None for row in members))


@dataclass(frozen=True)
class Left:
    """What is left: of rows, of persons and of values, and what two releases expose."""

    combinations: int
    rows: int
    fewest_rows: int | None
    rows_below: int
    fewest_persons: int | None
    rows_below_persons: int
    fewest_values: int | None
    rows_below_values: int
    rows_without: int
    differences: tuple[tuple[int, int, int], ...]
    together: tuple[tuple[int, int, int], ...] = ()


def left(
    people: Sequence[Row],
    releases: Sequence[Release],
    *,
    k: int,
    l: int,  # noqa: E741
    narrowed: bool,
    policy_level: int,
) -> Left:
    """Every person of the source, against every release; but for one that shares nobody."""
    releases = [
        each
        for each in releases
        if (each.window is None and each.part is None)
        or any(not each.is_apart(other) for other in releases if other is not each)
    ]
    shown = [
        [(each, each.key_of(person)) for each in releases if each.could_have(person)]
        for person in people
    ]
    # So many rows are of k persons for sure.
    sure = k * max(Counter(person["person"] for person in people).values())
    known = [[(each, key) for each, key in pairs if each.members(key)] for pairs in shown]
    names = {name for each in releases for name in each.levels}
    sizes, persons, values, alone = [], [], [], []
    for pairs in known:
        if not pairs:
            continue
        smallest = min(len(each.members(key)) for each, key in pairs)
        others = [
            other
            for other in people
            if all(
                each.could_have(other) and each.key_of(other) == key and each.members(key)
                for each, key in pairs
            )
        ]
        sizes.append(min(len(others), smallest))
        persons.append(min(len({other["person"] for other in others}), smallest))
        sets = [
            (each.ill_level, {row["ill"] for row in each.members(key)})
            for each, key in pairs
            if each.says(each.members(key))
        ]
        values.append(candidates(people, releases, sets, policy_level) if sets else None)
        alone.append(fewest_alone(people, releases, sets) if sets else 0)
    told = [(count, one) for count, one in zip(values, alone, strict=True) if count is not None]
    return Left(
        combinations=len(
            {
                (
                    tuple(person[name] for name in sorted(names)),
                    tuple(each.could_have(person) for each in releases),
                )
                for person, pairs in zip(people, known, strict=True)
                if pairs
            }
        ),
        rows=len(sizes),
        fewest_rows=min(sizes, default=None),
        rows_below=sum(size < k for size in sizes),
        fewest_persons=min(persons, default=None),
        rows_below_persons=sum(size < k for size in persons),
        fewest_values=min((count for count, _ in told), default=None),
        rows_below_values=sum(count < l and (not narrowed or count < one) for count, one in told),
        rows_without=sum(count == 0 for count, _ in told),
        differences=tuple(
            difference([first], [second], met_at([first, second]), sure, l)
            for first, second in combinations(releases, 2)
            if not first.is_apart(second)
        ),
        together=tuple(
            sorted(
                difference(several, others, levels, sure, l)
                for several, others, levels in several_and_others(releases)
            )
        ),
    )


def met_at(releases: Sequence[Release]) -> dict[str, int]:
    """The level of each column that every one of some releases can be taken to, if it tells."""
    coarsest = {
        name: max(each.levels.get(name, height) for each in releases)
        for name, height in HEIGHTS.items()
    }
    return {name: level for name, level in coarsest.items() if level < HEIGHTS[name]}


def stands_for(people: Sequence[Row], label: Value, level: int, finest: int) -> set[Value]:
    """The labels at the finest level that one of a coarser level covers; itself if none."""
    if level == finest:
        return {label}
    universe = [*ILLS, *(person["ill"] for person in people if person["ill"] is None)]
    covered = {ill_label(v, finest) for v in universe if ill_label(v, level) == label}
    return covered or {label}


def expanded(
    people: Sequence[Row], releases: Sequence[Release], sets: Sequence[tuple[int, set[Value]]]
) -> tuple[int, list[set[Value]]]:
    finest = min(each.ill_level for each in releases if each.shows_ill)
    return finest, [
        {value for label in labels for value in stands_for(people, label, level, finest)}
        for level, labels in sets
    ]


def candidates(
    people: Sequence[Row],
    releases: Sequence[Release],
    sets: Sequence[tuple[int, set[Value]]],
    policy_level: int,
) -> int:
    """The values that every class may hold, counted as the policy releases them."""
    finest, values = expanded(people, releases, sets)
    common = set.intersection(*values)
    if policy_level > finest:
        return len({ill_label(value, policy_level) for value in common})
    return len(common)


def fewest_alone(
    people: Sequence[Row], releases: Sequence[Release], sets: Sequence[tuple[int, set[Value]]]
) -> int:
    return min(len(each) for each in expanded(people, releases, sets)[1])


def several_and_others(
    releases: Sequence[Release],
) -> list[tuple[list[Release], list[Release], Mapping[str, int]]]:
    """Releases of new rows, one after the other, with one that is apart from none of them.

    At each of their levels, and at those that all can be taken to, as many of both as are as fine;
    and as many of those that stand by the time that the other one is made.
    """
    chains: list[list[Release]] = []
    for each in sorted(
        (each for each in releases if each.window is not None),
        key=lambda each: each.window[1] if each.window else 0,
    ):
        for chain in chains:
            if all(each.is_apart(other) for other in chain):
                chain.append(each)
                break
        else:
            chains.append([each])
    made = {id(each): place for place, each in enumerate(releases)}
    tried: list[tuple[list[Release], list[Release]]] = []
    for chain in chains:
        tried += [(chain, [o]) for o in releases if not any(o is each for each in chain)]
    found: list[tuple[list[Release], list[Release], Mapping[str, int]]] = []
    for one, two in tried:
        met = [*meeting(one, two), *meeting(two, one)]
        nodes: list[dict[str, int]] = []
        for levels in [*(each.telling for each in met), *([met_at(met)] if met else [])]:
            if levels not in nodes:
                nodes.append(levels)
        for node in nodes:
            fine = [
                [each for each in side if met_at([each, Release((), node)]) == node]
                for side in (one, two)
            ]
            fine = [meeting(fine[0], fine[1]), meeting(fine[1], fine[0])]
            until = min((max(made[id(each)] for each in side) for side in fine if side), default=0)
            before = [[each for each in side if made[id(each)] <= until] for side in fine]
            before = [meeting(before[0], before[1]), meeting(before[1], before[0])]
            changed = [len(side) for side in before] != [len(side) for side in fine]
            for ours, theirs in [fine, before] if changed else [fine]:
                if len(ours) >= 2 and theirs:
                    found.append((ours, theirs, node))
    return found


def meeting(some: Sequence[Release], others: Sequence[Release]) -> list[Release]:
    """Those of some releases that are not apart from all of the others."""
    return [each for each in some if any(not each.is_apart(other) for other in others)]


def difference(
    several: Sequence[Release],
    others: Sequence[Release],
    levels: Mapping[str, int],
    k: int,
    l: int,  # noqa: E741
) -> tuple[int, int, int]:
    """Rows that came and went in classes of both, and how many of them are exposed.

    At some levels, and of diseases at the coarsest of all levels.
    """
    compares = all(each.shows_ill for each in (*several, *others))
    ill_level = max(each.ill_level for each in (*several, *others))
    taken = [
        [row for each in side for row in each.taken_to(levels, ill_level)]
        for side in (several, others)
    ]
    came_rows = went_rows = exposed = 0
    for key in {row.key for row in taken[0]} & {row.key for row in taken[1]}:
        before, after = ([row for row in rows if row.key == key] for rows in taken)
        grown = len(after) - len(before)
        hidden = [row.masked for row in before], [row.masked for row in after]
        if compares and not any(map(all, hidden)):
            counts = [
                Counter(row.ill for row in rows if not row.masked) for rows in (before, after)
            ]
            came, went = counts[1] - counts[0], counts[0] - counts[1]
        else:
            came, went = Counter({"row": max(grown, 0)}), Counter({"row": max(-grown, 0)})
        came_rows += came.total()
        went_rows += went.total()
        for rows, more in ((came, grown), (went, -grown)):
            few = compares and not any(map(all, hidden)) and len(+rows) < l
            few = few or (any(map(any, hidden)) and 0 < more < k)
            if rows.total() and (rows.total() < k or few):
                exposed += rows.total()
    return came_rows, went_rows, exposed
