"""What an observer knows who saw who was in each release, by trying all worlds; nothing of sqlgen.

A group is a class of a release as its reader sees it: the people who are known to be in it, and
the values that it shows, of which nobody knows whose they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations


@dataclass(frozen=True)
class Group:
    """A class: the people in it, and their values in no order."""

    people: tuple[str, ...]
    values: tuple[str, ...]


def worlds(groups: Sequence[Group]) -> Iterator[dict[str, str]]:
    """Every way to give people values that all groups allow; a value is the same in all of them."""

    def extend(known: dict[str, str], rest: Sequence[Group]) -> Iterator[dict[str, str]]:
        if not rest:
            yield known
            return
        group, *others = rest
        for values in set(permutations(group.values)):
            told = dict(zip(group.people, values, strict=True))
            if all(known.get(person, value) == value for person, value in told.items()):
                yield from extend({**known, **told}, others)

    yield from extend({}, groups)


def possible_values(groups: Sequence[Group]) -> Mapping[str, set[str]]:
    """The values that each person has in some world."""
    possible: dict[str, set[str]] = {}
    for world in worlds(groups):
        for person, value in world.items():
            possible.setdefault(person, set()).add(value)
    return possible


def alike(groups: Sequence[Group]) -> Mapping[str, set[str]]:
    """The people among whom each person is, whichever of the groups one looks at."""
    people = {person for group in groups for person in group.people}
    return {
        person: set.intersection(*({*each.people} for each in groups if person in each.people))
        for person in people
    }
