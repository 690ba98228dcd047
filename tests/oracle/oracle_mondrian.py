"""Brute force for Mondrian: regions cut in two, round by round, by rules that are spelled out.

The values of a column stand in one order. A region is cut after one of them, into those up to it
and those after it, where both sides have enough rows and give every guarantee. Nothing here is
shared with the SQL: regions are lists of row numbers, and judged by the oracle of guarantees.

- LeFevre 2006: K. LeFevre, D. DeWitt, R. Ramakrishnan. Mondrian Multidimensional K-Anonymity.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, TypeAlias

import oracle_spans
from oracle import Value
from oracle_catalogue import Guarantee, judge
from oracle_local import PART, HeldColumn, Label, LocalRelease
from oracle_masked import about_who
from oracle_models import OnFailure, Suppression, suppress_to_fixpoint
from oracle_table import ClassKey, Table

Labels: TypeAlias = Literal["ladder", "range", "set", "mean", "median"]
Place: TypeAlias = int
Rows: TypeAlias = tuple[int, ...]

# A set of more values is shown as a range.
MOST_MEMBERS = 100
_WHOLE = ("INTEGER", "BIGINT", "SMALLINT", "TINYINT", "UINTEGER", "UBIGINT")
_DAY_0 = date(1970, 1, 1).toordinal()
# The level of ranges and sets, for who asks at which level a value has its label.
OWN_LEVEL = 1_000


@dataclass(frozen=True)
class CutColumn(HeldColumn):
    """A quasi-identifier as it is cut: in which order its values stand, and what it shows."""

    is_text: bool = True
    asked: Labels = "ladder"
    type: str = "VARCHAR"

    @property
    def shows(self) -> Labels:
        """What the column shows: no values where single ones are too fine, no range of text.

        Means of what adds up, medians of what is as far from one value as from another.
        """
        if self.asked == "ladder" or self.floor > 0:
            return "ladder"
        if self.is_text:
            return "set"
        if self.asked not in ("mean", "median"):
            return self.asked
        if self.asked == "mean" and self.type.startswith((*_WHOLE, "DECIMAL", "DATE")):
            return "mean"
        return "range" if self.type in ("BOOLEAN", "UUID") else "median"

    @cached_property
    def places(self) -> Mapping[Value, Place]:
        """The place of each leaf: that of its label at the floor, counted from 1."""
        keys = {leaf: self._key(leaf) for leaf in self.ladder.leaves}
        order = {key: number for number, key in enumerate(sorted({*keys.values()}), 1)}
        return {leaf: order[key] for leaf, key in keys.items()}

    @cached_property
    def firsts(self) -> Mapping[Place, Value]:
        """A leaf at each place: all at one place have one label from the floor on."""
        return {place: leaf for leaf, place in self.places.items()}

    def _key(self, leaf: Value) -> tuple[Any, ...]:
        """What orders a leaf among the others: numbers by value, text by labels, top down."""
        down = range(self.ladder.height - 1, self.floor - 1, -1)
        alike = [self._under(leaf, level) for level in down] or [[*self.ladder.leaves]]
        if self.is_text:
            names = [_rank(self.ladder.at(leaf, level)) for level in down]
            return (None not in alike[-1], *names)
        if self.shows == "ladder":
            return tuple(min(map(_rank, leaves)) for leaves in alike)
        return (_rank(leaf),)

    def _under(self, leaf: Value, level: int) -> list[Value]:
        """The leaves that have a leaf's label at a level."""
        at = self.ladder.at
        return [each for each in self.ladder.leaves if at(each, level) == at(leaf, level)]

    def common(self, first: Place, last: Place) -> int:
        """The finest level from the floor on at which two places have one label."""
        ends = self.firsts[first], self.firsts[last]
        levels = range(self.floor, self.ladder.height + 1)
        return next(each for each in levels if len({self.ladder.at(end, each) for end in ends}) < 2)

    def covers(self, held: Sequence[Place]) -> int:
        """How many leaves the label of some places covers; those places ascend."""
        if self.shows == "ladder":
            return self.covered(self.firsts[held[0]], self.common(held[0], held[-1]))
        return len(held) if self.shows == "set" else held[-1] - held[0] + 1

    def shown(self, held: Sequence[Place]) -> Label:
        """The label of some places, which ascend."""
        if len(held) == 1 or self.shows == "ladder":
            return self.label(self.firsts[held[0]], self.common(held[0], held[-1]))
        names = [oracle_spans.spelled(self.label(self.firsts[place], 0)) for place in held]
        if self.shows == "set" and len(held) <= MOST_MEMBERS:
            return "{" + ", ".join(names) + "}"
        return f"[{names[0]}, {names[-1]}]"

    def average(self, values: Sequence[Value]) -> Label:
        """The mean or the median of values that are not all the same, as text; none of the unknown.

        A mean is rounded to the last digit of the column, or to a day, halves to even.
        """
        if any(_is_unknown(value) for value in values):
            return None
        numbers: list[Any] = list(values)
        if self.shows == "median":
            return self.label(sorted(numbers)[(len(numbers) - 1) // 2], 0)
        if isinstance(numbers[0], date):
            days = [value.toordinal() - _DAY_0 for value in numbers]
            return str(date.fromordinal(_DAY_0 + round(Fraction(sum(days), len(days)))))
        digits = int(self.type[:-1].split(",")[1]) if self.type.startswith("DECIMAL") else 0
        total = sum(map(Fraction, numbers), Fraction(0))
        last = round(total / len(numbers) * 10**digits)
        return str(Decimal(last).scaleb(-digits)) if digits else str(last)

    def levels(self, value: Value, label: Value) -> list[int]:
        """The levels at which a value has a label; one of its own where a range or set has it."""
        found = super().levels(value, label)
        if found or value not in self.ladder.leaves or self.shows == "ladder":
            return found
        leaves = sorted(self.ladder.leaves, key=lambda leaf: self.places[leaf])
        texts = [self.label(leaf, 0) for leaf in leaves]
        meant = oracle_spans.meant(None if label is None else str(label), texts)
        return [OWN_LEVEL] if meant and leaves.index(value) in meant else []


def _is_unknown(value: Value) -> bool:
    """Whether a value is no finite number, and so has no place among numbers."""
    return value is None or (isinstance(value, float) and not math.isfinite(value))


def _rank(value: Value) -> tuple[Any, ...]:
    """What orders values, and labels, among each other: NULL comes first."""
    return () if value is None else (value,)


@dataclass(frozen=True)
class Cut:
    """A cut of a region, with what it is chosen by.

    ``choice`` counts the cuts of one region in one column, from that of most gain on.
    """

    column: int
    place: Place
    below: Rows
    above: Rows
    width: Fraction
    gain: int
    choice: int = 0

    @property
    def off_median(self) -> int:
        """How far the cut is from the median, in half rows."""
        return abs(len(self.below) - len(self.above))


@dataclass(frozen=True)
class Cutting:
    """A source with all that its cuts are decided by.

    Cuts are chosen ``by`` the width of the column or by what they gain: finer labels, times the
    column's weight, or smaller classes where ``by_sizes``. A weight is a share of the largest one,
    in milliardths.
    """

    source: Table
    columns: Mapping[str, CutColumn]
    guarantees: Sequence[Guarantee]
    by: Literal["width", "objective"] = "width"
    by_sizes: bool = False
    weights: Mapping[str, Fraction] = field(default_factory=dict)
    others: Sequence[str] = ()
    masks: bool = False

    @cached_property
    def kept(self) -> Rows:
        """The rows without a value that the policy suppresses."""
        columns = self.columns.items()
        return tuple(
            number
            for number, row in enumerate(self.source.rows)
            if all(row[name] in column.ladder.leaves for name, column in columns)
        )

    @property
    def least(self) -> int:
        """The fewest rows that a side may have."""
        sizes = [1]
        for name, parameters in self.guarantees:
            if name in ("k_anonymity", "alpha_k_anonymity"):
                sizes.append(parameters.get("k", 1))
        return max(sizes)

    @property
    def is_by_sizes(self) -> bool:
        """Whether guarantees count rows, and nothing else."""
        return all(name == "k_anonymity" and "unit" not in asked for name, asked in self.guarantees)

    @cached_property
    def scales(self) -> Mapping[str, int]:
        """How much a leaf less counts in each column."""
        spans = {name: max(1, len(each.ladder.leaves) - 1) for name, each in self.columns.items()}
        shares = {name: self.weights.get(name, Fraction(1)) / spans[name] for name in spans}
        most = max(shares.values()) or Fraction(1)
        return {name: round(share / most * 10**9) for name, share in shares.items()}

    def place(self, number: int, name: str) -> Place:
        """The place of a row's value in a column."""
        return self.columns[name].places[self.source.rows[number][name]]

    def held(self, rows: Rows, name: str) -> list[Place]:
        """The places of a column that some rows have, ascending."""
        return sorted({self.place(number, name) for number in rows})

    def first_regions(self) -> list[Rows]:
        """The rows that no label can bring together are apart from the start."""
        found: dict[ClassKey, list[int]] = {}
        for number in self.kept:
            row = self.source.rows[number]
            at_most = self.columns.items()
            key = tuple(each.ladder.at(row[name], each.ceiling) for name, each in at_most)
            found.setdefault(key, []).append(number)
        return [tuple(rows) for rows in found.values()]

    def allowed_by_size(self, rows: Rows) -> Iterator[Cut]:
        """The cuts of a region that leave enough rows on both sides, in the columns' order."""
        for number, (name, column) in enumerate(self.columns.items()):
            places = self.held(rows, name)
            for count, place in enumerate(places[:-1], 1):
                below = tuple(each for each in rows if self.place(each, name) <= place)
                above = tuple(each for each in rows if self.place(each, name) > place)
                if min(len(below), len(above)) < self.least:
                    continue
                here = column.covers(places)
                saved = len(below) * (here - column.covers(places[:count]))
                saved += len(above) * (here - column.covers(places[count:]))
                gain = saved * self.scales[name]
                if self.by_sizes:
                    gain = 2 * len(below) * len(above)
                width = Fraction(here, len(column.ladder.leaves))
                yield Cut(number, place, below, above, width, gain)

    def candidates(self, rows: Rows) -> list[Cut]:
        """The cuts of a region that are looked at, best first by the order that is asked for."""
        found: list[Cut] = []
        every = [*self.allowed_by_size(rows)]
        for number, _ in enumerate(self.columns):
            ranked = sorted(
                (cut for cut in every if cut.column == number),
                key=lambda cut: (-cut.gain, cut.off_median, cut.place),
            )
            ranked = [replace(cut, choice=place) for place, cut in enumerate(ranked, 1)]
            looked = {cut.place: cut for cut in ranked[:1]}
            if not self.is_by_sizes:
                looked |= {cut.place: cut for cut in self._beside(ranked)}
            found += looked.values()
        return sorted(
            found,
            key=lambda cut: (
                -(cut.width if self.by == "width" else cut.gain),
                *(cut.column, cut.choice, cut.place),
            ),
        )

    def _beside(self, ranked: Sequence[Cut]) -> Iterator[Cut]:
        """Beside the cut of most gain: that nearest the median, or the best of each eighth."""
        if self.by == "width":
            yield from sorted(ranked, key=lambda cut: (cut.off_median, cut.place))[:1]
            return
        for part in range(8):
            in_part = [
                cut
                for cut in ranked
                if 8 * len(cut.below) // (len(cut.below) + len(cut.above)) == part
            ]
            yield from in_part[:1]

    def gives(self, *parts: Rows) -> bool:
        """Whether parts of the rows give every guarantee, compared with all rows that are kept.

        Where values are masked, a part that has none to show is asked for nothing about them.
        """
        part_of = {number: name for name, rows in enumerate(parts) for number in rows}
        rows: Any = [{**self.source.rows[n], PART: part_of.get(n)} for n in self.kept]
        table = replace(self.source, rows=rows, quasi=[PART], source=self.source.rows)
        bare = {name for name, rows in enumerate(parts) if self.masks and self._shows_nothing(rows)}
        for each in self.guarantees:
            failing = {part for (part,) in judge(table, each).failing} - {None} - bare
            who = about_who(each)
            if bare and who is not None:
                failing |= {part for (part,) in judge(table, who).failing} & bare
            if failing:
                return False
        return True

    def _shows_nothing(self, rows: Rows) -> bool:
        names = self.source.sensitive
        return bool(names) and all(
            self.source.rows[n][name] is None for n in rows for name in names
        )

    def cut(self, rows: Rows) -> Cut | None:
        """The cut of a region: the first that is looked at and allowed."""
        return next(
            (cut for cut in self.candidates(rows) if self.gives(cut.below, cut.above)), None
        )

    def rounds(self) -> Iterator[list[Rows]]:
        """The regions before the first round, and after each."""
        regions = self.first_regions()
        while regions:
            yield regions
            cuts = [(rows, self.cut(rows)) for rows in regions]
            if all(cut is None for _, cut in cuts):
                return
            regions = [
                side
                for rows, cut in cuts
                for side in ([rows] if cut is None else [cut.below, cut.above])
            ]

    def labels(self, rows: Rows) -> dict[str, Label]:
        """What a region shows."""
        return {name: self._label(rows, name) for name in self.columns}

    def _label(self, rows: Rows, name: str) -> Label:
        """What a region shows in a column."""
        column, held = self.columns[name], self.held(rows, name)
        if column.shows in ("mean", "median") and len(held) > 1:
            return column.average([self.source.rows[number][name] for number in rows])
        return column.shown(held)

    def loss(self, regions: Sequence[Rows]) -> float:
        """The loss of releasing all rows of some regions, where a mean stands for a range."""
        logs = []
        for name, column in self.columns.items():
            leaves, rows = len(column.ladder.leaves), sum(map(len, regions))
            gone = len(self.source.rows) - rows
            covered = sum(len(each) * column.covers(self.held(each, name)) for each in regions)
            most = (rows + gone) * max(1, leaves - 1)
            logs.append(math.log1p(Fraction(covered + gone * leaves - rows - gone, most)))
        return math.expm1(math.fsum(logs) / len(logs))

    def suppressed(self, regions: Sequence[Rows]) -> Suppression:
        """What is left of some regions once no class fails as a reader tells classes apart."""
        rows: Any = [
            {**self.source.rows[number], **self.labels(region)}
            for region in regions
            for number in region
        ]
        source = self.source.rows
        shown = replace(self.source, rows=rows, quasi=list(self.columns), source=source)
        return suppress_to_fixpoint(
            shown, self.guarantees, "suppress_sensitive" if self.masks else "suppress"
        )

    def release(self, regions: Sequence[Rows]) -> LocalRelease:
        """The release of some regions."""
        names = [*self.columns, *self.source.sensitive, *self.others]
        rows: Any = [
            {name: row[name] for name in names} for row in self.suppressed(regions).released
        ]
        on_failure: OnFailure = "suppress_sensitive" if self.masks else "suppress"
        return LocalRelease(self.source, self.columns, self.others, rows, on_failure)


def cuts_left(release: LocalRelease, least: int) -> list[tuple[ClassKey, str]]:
    """The classes of a release that a cut could part into two of enough rows, with the column.

    By the values of rows that can be in a class. That is known where labels name all values of a
    class and of no other: where columns show sets, from the finest level on.
    """
    found = []
    columns: Mapping[str, Any] = release.columns
    for labels, members in release.classes().items():
        able = [n for n in range(len(release.source.rows)) if _fits(release, n, labels)]
        if len(able) != len(members):
            continue
        for name, column in columns.items():
            places = sorted(column.places[release.source.rows[n][name]] for n in able)
            below = sum(place <= places[least - 1] for place in places)
            if len(places) - below >= least:
                found.append((labels, name))
    return found


def _fits(release: LocalRelease, number: int, labels: ClassKey) -> bool:
    """Whether a row of the source has the labels of a class."""
    row = release.source.rows[number]
    columns = zip(release.columns.items(), labels, strict=True)
    return all(column.levels(row[name], label) for (name, column), label in columns)
