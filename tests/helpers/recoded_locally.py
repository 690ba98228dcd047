"""A local recoding in plain Python, slow and simple: layers in any order, then refinement.

It is what the oracle of local recoding is tried on. It decides with the oracle's guarantees, and
looks for nothing: which nodes are layers, and in which order, it is told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from oracle_local import HeldColumn, LocalRelease
from oracle_models import Guarantee, judge, suppress_to_fixpoint
from oracle_table import Table

NUMBER, REGION = "\0number", "\0region"


@dataclass(frozen=True)
class Region:
    """Rows of the source, by number, that are released at one level per column."""

    levels: tuple[int, ...]
    rows: tuple[int, ...]


@dataclass(frozen=True)
class Recoding:
    """A source with all that a local recoding of it is decided by."""

    source: Table
    columns: Mapping[str, HeldColumn]
    guarantees: Sequence[Guarantee]
    others: Sequence[str] = ()

    @property
    def ceiling(self) -> tuple[int, ...]:
        """The coarsest node that is allowed."""
        return tuple(held.ceiling for held in self.columns.values())

    def labels(self, number: int, node: Sequence[int]) -> dict[str, Any]:
        """The labels of a row of the source at a node."""
        row = self.source.rows[number]
        at = zip(self.columns.items(), node, strict=True)
        return {name: held.label(row[name], level) for (name, held), level in at}

    def kept(self) -> list[int]:
        """The rows that are left at the ceiling, once no class fails there."""
        leaves = {name: held.ladder.leaves for name, held in self.columns.items()}
        rows: Any = [
            {**row, **self.labels(number, self.ceiling), NUMBER: number}
            for number, row in enumerate(self.source.rows)
            if all(row[name] in values for name, values in leaves.items())
        ]
        at_ceiling = replace(
            self.source, rows=rows, quasi=list(self.columns), source=self.source.rows
        )
        left: Any = suppress_to_fixpoint(at_ceiling, self.guarantees).released
        return [row[NUMBER] for row in left]

    def passing(self, kept: Sequence[int], parts: Mapping[int, Any]) -> set[Any]:
        """The parts of the rows that are kept which give every guarantee."""
        rows: Any = [{**self.source.rows[number], REGION: parts.get(number)} for number in kept]
        parted = replace(self.source, rows=rows, quasi=[REGION], source=self.source.rows)
        failing = {part for each in self.guarantees for (part,) in judge(parted, each).failing}
        return {*parts.values()} - failing

    def layers(self, kept: Sequence[int], nodes: Sequence[tuple[int, ...]]) -> list[Region]:
        """Each node's passing classes in turn, unless what is left would fail at the ceiling."""
        rest, regions = list(kept), list[Region]()
        for node in (*nodes, self.ceiling):
            parts = {number: tuple(self.labels(number, node).values()) for number in rest}
            passing = self.passing(kept, parts)
            left = [number for number in rest if parts[number] not in passing]
            at_ceiling = {n: tuple(self.labels(n, self.ceiling).values()) for n in left}
            if self.passing(kept, at_ceiling) != {*at_ceiling.values()}:
                continue
            for part in sorted(passing, key=repr):
                members = tuple(number for number in rest if parts[number] == part)
                regions.append(Region(node, members))
            rest = left
        assert not rest, "what is kept passes at the ceiling"
        return regions

    def finer(self, kept: Sequence[int], region: Region) -> list[Region]:
        """A region once specialized in the column that saves most, or as it is."""
        best: tuple[Fraction, list[Region]] | None = None
        for place, held in enumerate(self.columns.values()):
            level = region.levels[place]
            if level == held.floor:
                continue
            levels = (*region.levels[:place], level - 1, *region.levels[place + 1 :])
            name = list(self.columns)[place]
            parts = {number: (self.labels(number, levels)[name],) for number in region.rows}
            passing = self.passing(kept, parts)
            rest = tuple(number for number in region.rows if parts[number] not in passing)
            if not passing or (rest and not self.passing(kept, dict.fromkeys(rest, "rest"))):
                continue
            children = [
                Region(levels, tuple(n for n in region.rows if parts[n] == part))
                for part in sorted(passing, key=repr)
            ]
            values = [self.source.rows[n][name] for child in children for n in child.rows]
            fewer = sum(held.covered(v, level) - held.covered(v, level - 1) for v in values)
            saved = Fraction(fewer, max(len(held.ladder.leaves) - 1, 1))
            if best is None or saved > best[0]:
                best = saved, [*children, *([Region(region.levels, rest)] if rest else [])]
        return [region] if best is None else best[1]

    def refined(self, kept: Sequence[int], regions: Sequence[Region]) -> list[Region]:
        """Rounds of specializations, until there is none."""
        while True:
            found = [finer for region in regions for finer in self.finer(kept, region)]
            if found == list(regions):
                return found
            regions = found

    def release(self, regions: Sequence[Region]) -> LocalRelease:
        """The rows of some regions with their labels, without what is not released."""
        shown = [*self.source.sensitive, *self.others]
        rows: Any = [
            {
                **self.labels(number, region.levels),
                **{name: self.source.rows[number][name] for name in shown},
            }
            for region in regions
            for number in region.rows
        ]
        return LocalRelease(self.source, self.columns, self.others, rows)
