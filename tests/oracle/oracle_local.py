"""Brute force for local recoding: a release whose rows have levels of their own.

A release is read by its labels alone: a label stands for the values that have it at some level
between the floor and the ceiling of its column. Which row of the source became which row of the
release is found as a matching. There may be several; a column that is released as it is and has
no value twice leaves only one. What is said of the rows behind a class is said of one matching.

- Kohlmayer 2012: F. Kohlmayer et al. Flash: Efficient, Stable and Optimal K-Anonymity. PASSAT 2012.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from oracle import Ladder, Loss, Row, Rows, Value
from oracle_catalogue import Guarantee, judge
from oracle_masked import judge_masked
from oracle_models import OnFailure
from oracle_table import ClassKey, Judgement, Table

Text: TypeAlias = Callable[[Value], str | None]
Label: TypeAlias = str | None

# A column that no table has: the class, or the part of a class, that a row is in.
PART = "\0part"


def as_text(value: Value) -> Label:
    """A value as a release writes it, where that is how Python writes it."""
    return None if value is None else str(value)


@dataclass(frozen=True)
class HeldColumn:
    """A quasi-identifier with its ladder, the levels that it is held to, and how it is written."""

    ladder: Ladder
    floor: int
    ceiling: int
    text: Text = as_text

    def __post_init__(self) -> None:
        assert 0 <= self.floor <= self.ceiling <= self.ladder.height

    def label(self, value: Value, level: int) -> Label:
        """What is released for a leaf at a level, as text."""
        label = self.ladder.at(value, level)
        return self.text(label) if level == 0 else as_text(label)

    def levels(self, value: Value, label: Value) -> list[int]:
        """The allowed levels at which a value has a label, finest first; none if it is no leaf."""
        if value not in self.ladder.leaves:
            return []
        allowed = range(self.floor, self.ceiling + 1)
        return [level for level in allowed if self.label(value, level) == label]

    def covered(self, value: Value, level: int) -> int:
        """How many leaves have the label of this one at a level."""
        return self.ladder.covered_leaves(self.ladder.at(value, level), level)


@dataclass(frozen=True)
class LocalRelease:
    """A source, its quasi-identifiers, and the rows that were released of it.

    ``source.rows`` is the whole source with every column that guarantees are judged by. ``others``
    are the columns that are released as they are. ``rows`` have their labels as text.
    """

    source: Table
    columns: Mapping[str, HeldColumn]
    others: Sequence[str]
    rows: Rows
    on_failure: OnFailure = "suppress"

    @property
    def suppressed(self) -> int:
        """How many rows of the source are not released; below 0 where some were made up."""
        return len(self.source.rows) - len(self.rows)

    @property
    def dropped(self) -> int:
        """How many rows of the source have a value that the policy suppresses."""
        columns = self.columns.items()
        return sum(
            any(row[name] not in held.ladder.leaves for name, held in columns)
            for row in self.source.rows
        )

    def key(self, row: Row) -> ClassKey:
        """The labels of a released row, or the values of a row of the source."""
        return tuple(row[column] for column in self.columns)

    def classes(self) -> dict[ClassKey, list[int]]:
        """The numbers of the released rows that share their labels, by these."""
        found: dict[ClassKey, list[int]] = {}
        for number, row in enumerate(self.rows):
            found.setdefault(self.key(row), []).append(number)
        return found

    def shows_nothing(self, rows: Rows) -> bool:
        """Whether no row has a value of a sensitive column, of which there are some."""
        sensitive = self.source.sensitive
        return bool(sensitive) and all(row[name] is None for row in rows for name in sensitive)

    def is_masked(self, members: Sequence[int]) -> bool:
        """Whether a class of these rows is one whose values may have been taken away."""
        masking = self.on_failure == "suppress_sensitive"
        return masking and self.shows_nothing([self.rows[number] for number in members])

    def candidates(self, number: int, *, masked: bool) -> list[int]:
        """The numbers of the source's rows that a released row can be.

        Each label is that of its value at an allowed level, and all else is equal, but for the
        sensitive values of a row that is masked.
        """
        shown = self.rows[number]
        kept = [*self.others, *([] if masked else self.source.sensitive)]
        return [
            place
            for place, row in enumerate(self.source.rows)
            if all(shown[name] == row[name] for name in kept)
            and all(held.levels(row[name], shown[name]) for name, held in self.columns.items())
        ]


@dataclass(frozen=True)
class Traced:
    """A release with the number of the source's row behind each of its rows."""

    release: LocalRelease
    numbers: Sequence[int]

    @property
    def behind(self) -> list[Row]:
        """The row of the source behind each released row."""
        return [self.release.source.rows[number] for number in self.numbers]

    def table(self) -> Table:
        """The release as guarantees see it; what it does not show (persons) is the source's."""
        pairs = zip(self.behind, self.release.rows, strict=True)
        source = self.release.source
        return replace(
            source,
            rows=[{**row, **shown} for row, shown in pairs],
            quasi=list(self.release.columns),
            source=source.rows if source.source is None else source.source,
        )


def trace(release: LocalRelease) -> Traced | None:
    """Every released row with a row of the source that it can be, none twice; None if impossible.

    A maximum matching of released rows with those of the source, by augmenting paths.
    """
    able: dict[int, list[int]] = {}
    for members in release.classes().values():
        masked = release.is_masked(members)
        able |= {number: release.candidates(number, masked=masked) for number in members}
    taken: dict[int, int] = {}

    def placed(number: int, tried: set[int]) -> bool:
        for place in able[number]:
            if place not in tried:
                tried.add(place)
                if place not in taken or placed(taken[place], tried):
                    taken[place] = number
                    return True
        return False

    if not all(placed(number, set()) for number in able):
        return None
    place_of = {number: place for place, number in taken.items()}
    return Traced(release, [place_of[number] for number in sorted(able)])


def broken_guarantees(traced: Traced, guarantees: Sequence[Guarantee]) -> list[Guarantee]:
    """The guarantees that some class of the release does not give, or the release as a whole."""
    judging = _judging(traced.release.on_failure)
    return [each for each in guarantees if not judging(traced.table(), each).met]


def _judging(on_failure: OnFailure) -> Callable[[Table, Guarantee], Judgement]:
    return judge_masked if on_failure == "suppress_sensitive" else judge


def spent(traced: Traced) -> int:
    """The rows that count against the budget: suppressed, or released without their values.

    A class whose rows have no sensitive value in the source has lost none.
    """
    release, behind = traced.release, traced.behind
    lost = [
        len(members)
        for members in release.classes().values()
        if release.is_masked(members) and not release.shows_nothing([behind[n] for n in members])
    ]
    return release.suppressed + sum(lost)


def torn_cells(traced: Traced) -> int:
    """How many combinations of the source's values are in several classes, or partly suppressed.

    Local recoding decides about whole cells: equal rows have one fate.
    """
    release = traced.release
    labels = {n: release.key(row) for n, row in zip(traced.numbers, release.rows, strict=True)}
    fates: dict[ClassKey, set[ClassKey | None]] = {}
    for number, row in enumerate(release.source.rows):
        fates.setdefault(release.key(row), set()).add(labels.get(number))
    return sum(len(each) > 1 for each in fates.values())


# A part of a class: its labels and the child's label, as a tuple of one, or None for the rest.
Part: TypeAlias = "tuple[ClassKey, tuple[Label] | None]"


@dataclass(frozen=True)
class Specialization:
    """A class that could be finer in a column, and how much less of the column would be lost.

    ``children`` are the finer labels of those who would give every guarantee, and ``saved`` what
    they would save of the column's loss.
    """

    labels: ClassKey
    column: str
    children: frozenset[Label]
    saved: Fraction


def specializations(traced: Traced, guarantees: Sequence[Guarantee]) -> list[Specialization]:
    """Every specialization that local recoding still allows, of every class in every column.

    The children of a class in a column are its rows by their labels one level finer, not below
    the floor. At least one child gives every guarantee by itself, and those that do not are none,
    or give them together, at the level of the parent. A child whose label reads like the class's
    own shows nothing new: it may have been told apart, and its class be two in truth. The released
    rows stay the same, and so does every reference. Classes that may have been masked are not
    asked: their values are gone.
    """
    return [
        each
        for column in traced.release.columns
        for each in _specializations_in(traced, column, guarantees)
    ]


def _specializations_in(
    traced: Traced, column: str, guarantees: Sequence[Guarantee]
) -> list[Specialization]:
    children = _children(traced, column)
    failing = _failing(traced, children, guarantees)
    parts: dict[int, Part] = {
        number: (part[0], None) if part in failing else part for number, part in children.items()
    }
    unfit = {labels for labels, child in _failing(traced, parts, guarantees) if child is None}
    found = []
    place = list(traced.release.columns).index(column)
    for labels in dict.fromkeys(labels for labels, _ in parts.values()):
        finer = {
            number: child[0]
            for number, (own, child) in parts.items()
            if own == labels and child is not None and child[0] != labels[place]
        }
        if finer and labels not in unfit:
            saved = _saved(traced, column, list(finer))
            found.append(Specialization(labels, column, frozenset(finer.values()), saved))
    return found


def lone_children(traced: Traced) -> list[tuple[str, ClassKey]]:
    """The classes whose rows all have one label a level finer, each with the column of the label.

    Their label is coarser in name only: whoever knows the recoding reads the finer one.
    """
    found = []
    for column in traced.release.columns:
        children: dict[ClassKey, set[Part]] = {}
        for part in _children(traced, column).values():
            children.setdefault(part[0], set()).add(part)
        found += [(column, labels) for labels, parts in children.items() if len(parts) == 1]
    return found


def _level(traced: Traced, column: str, members: Sequence[int]) -> int | None:
    """The finest level at which all rows of a class have their label; None where there is none.

    None is for two labels of different levels that read alike. Their class is two in truth.
    """
    held, behind = traced.release.columns[column], traced.behind
    able = [
        set(held.levels(behind[number][column], traced.release.rows[number][column]))
        for number in members
    ]
    return min(set.intersection(*able), default=None)


def _children(traced: Traced, column: str) -> dict[int, Part]:
    """The child that each row would be in, for the rows of classes above the column's floor."""
    held, behind = traced.release.columns[column], traced.behind
    parts: dict[int, Part] = {}
    for labels, members in traced.release.classes().items():
        level = _level(traced, column, members)
        if level is None or level == held.floor or traced.release.is_masked(members):
            continue
        for number in members:
            parts[number] = (labels, (held.label(behind[number][column], level - 1),))
    return parts


def _failing(
    traced: Traced, parts: Mapping[int, Part], guarantees: Sequence[Guarantee]
) -> set[Part]:
    """The parts that do not give some guarantee, among all rows of the release."""
    judging, table = _judging(traced.release.on_failure), traced.table()
    rows: Any = [{**row, PART: parts.get(number)} for number, row in enumerate(table.rows)]
    parted = replace(table, rows=rows, quasi=[PART])
    found: set[Any] = {part for each in guarantees for (part,) in judging(parted, each).failing}
    return found - {None}


def _saved(traced: Traced, column: str, numbers: Sequence[int]) -> Fraction:
    """How much of a column's loss v is saved where these rows of a class are one level finer."""
    held, behind = traced.release.columns[column], traced.behind
    leaves, level = len(held.ladder.leaves), _level(traced, column, numbers)
    if leaves < 2 or level is None:
        return Fraction(0)
    fewer = sum(
        held.covered(behind[number][column], level)
        - held.covered(behind[number][column], level - 1)
        for number in numbers
    )
    return Fraction(fewer, len(traced.release.source.rows) * (leaves - 1))


def loss(traced: Traced, reading: Literal["finest", "coarsest"] = "finest") -> Loss:
    """The geometric mean of (1 + v) over the quasi-identifiers, less 1 (Kohlmayer 2012).

    v is the mean share of a column's leaves that a row may have had: those under its label, all
    of them for a suppressed row; rescaled to be 0 for the source. A label that its value has at
    several levels is read at the finest or the coarsest of them.
    """
    release, product = traced.release, Fraction(1)
    at = 0 if reading == "finest" else -1
    source = len(release.source.rows)
    for column, held in release.columns.items():
        leaves = len(held.ladder.leaves)
        if leaves < 2 or not source:
            continue
        covered = release.suppressed * leaves
        for row, shown in zip(traced.behind, release.rows, strict=True):
            value = row[column]
            covered += held.covered(value, held.levels(value, shown[column])[at])
        product *= 1 + Fraction(covered - source, source * (leaves - 1))
    columns = len(release.columns)
    return Loss(product, float(product) ** (1 / columns) - 1 if columns else 0.0)
