"""Brute force for what a finished table has lost, read from its labels alone, row by row.

A table is lists of labels as text, one per quasi-identifier and as long as the table; a label is
NULL where it is None, and may be a range or a set of values. Its source is the same with values,
and a hierarchy per column. Nothing says at which level a label is, nor which row of the source a
row was made from.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import oracle_spans
from oracle import Value
from oracle_metrics import Aggregate, Hierarchy

Text = Callable[[Value], str | None]


@dataclass(frozen=True)
class Cell:
    """What a label stands for: a level, and the leaves below it there."""

    level: int
    leaves: frozenset[Value]


@dataclass(frozen=True)
class Shown:
    """A column of a table, with the values of its source and their hierarchy.

    ``text`` is how values are written; ``declared`` the levels that the policy lets it have. The
    table has no such column where ``labels`` are None; ``rows`` then counts its rows.
    """

    hierarchy: Hierarchy
    values: Sequence[Value]
    labels: Sequence[str | None] | None
    text: Text
    declared: tuple[int, int]
    rows: int

    def at(self, level: int) -> dict[str | None, frozenset[Value]]:
        """Every label of a level with its leaves."""
        found: dict[str | None, set[Value]] = {}
        for leaf, label in self.hierarchy.labels[level].items():
            found.setdefault(self.text(label), set()).add(leaf)
        return {label: frozenset(leaves) for label, leaves in found.items()}

    def in_source(self, leaves: frozenset[Value]) -> int:
        """How many rows of the source have one of some leaves."""
        return sum(value in leaves for value in self.values)

    def ordered(self) -> list[Value]:
        """The leaves in the order that ranges are of: text by its labels, from the top down."""
        above = range(self.hierarchy.height - 1, -1, -1)

        def place(leaf: Value) -> tuple[Any, ...]:
            if leaf is None:
                return ()
            if not isinstance(leaf, str):
                return (leaf,)
            labels = [self.hierarchy.labels[level][leaf] for level in above]
            return tuple((label is not None, label or "") for label in labels)

        return sorted(self.hierarchy.leaves, key=place)

    def span(self, label: str | None) -> Cell | None:
        """What a range or a set stands for: leaves, and the finest level with one label for all."""
        leaves = self.ordered()
        numbers = oracle_spans.meant(label, [self.text(leaf) for leaf in leaves])
        if numbers is None:
            return None
        held = frozenset(leaves[number] for number in numbers)
        level = next(
            level
            for level, labels in enumerate(self.hierarchy.labels)
            if len({labels[leaf] for leaf in held}) == 1
        )
        return Cell(level, held)

    def is_span(self, label: str | None) -> bool:
        """Whether a label is one of no level, and a range or a set."""
        levels = range(self.hierarchy.height + 1)
        return not any(label in self.at(level) for level in levels) and bool(self.span(label))

    def meanings(self, label: str | None) -> list[Cell]:
        """What a label may stand for: where it is, no more rows than the source has."""
        assert self.labels is not None
        levels = [self.at(level) for level in range(self.hierarchy.height + 1)]
        if self.is_span(label):
            held = self.span(label)
            assert held is not None
            return [held] if self.labels.count(label) <= self.in_source(held.leaves) else []
        return [
            Cell(level, names[label])
            for level, names in enumerate(levels)
            if label in names and self.labels.count(label) <= self.in_source(names[label])
        ]

    def level(self) -> int | None:
        """The finest level that all labels can be at, of those declared if it can be one."""
        if self.labels is None:
            return self.hierarchy.height
        if any(self.is_span(label) for label in {*self.labels}):
            return None
        able = [{cell.level for cell in self.meanings(label)} for label in {*self.labels}]
        every = range(self.hierarchy.height + 1)
        fitting = [level for level in every if all(level in levels for levels in able)]
        least, most = self.declared
        return min([each for each in fitting if least <= each <= most] or fitting, default=None)

    def cells(self) -> list[Cell] | None:
        """What each row's label stands for; None where one stands for nothing.

        Where rows are at several levels it is what covers most, at the finest level that does.
        """
        level = self.level()
        if self.labels is None:
            return [Cell(self.hierarchy.height, frozenset(self.hierarchy.leaves))] * self.rows
        cells = []
        for label in self.labels:
            meanings = self.meanings(label)
            if not meanings:
                return None
            chosen = min(meanings, key=lambda cell: (-len(cell.leaves), cell.level))
            if level is not None:
                chosen = next(cell for cell in meanings if cell.level == level)
            cells.append(chosen)
        return cells


def figures(
    columns: Sequence[Shown],
    objective: str = "loss",
    aggregate: Aggregate = "geometric",
    weights: Sequence[Fraction] = (),
) -> Mapping[str, float]:
    """What a table has lost by each objective, one of them with weights.

    Without those that its labels do not let one tell.
    """
    source, rows = len(columns[0].values), columns[0].rows
    gone = source - rows
    labels = [each.labels for each in columns if each.labels is not None]
    shown = list(zip(*labels, strict=True)) if labels else [()] * rows
    classes = Counter(shown)
    found = {
        "discernibility": float(sum(n * n for n in classes.values()) + gone * source),
        "average_class_size": rows / len(classes) if classes else 0.0,
    }
    cells = [each.cells() for each in columns]
    told = [each for each in cells if each is not None]
    if len(told) < len(cells):
        return found
    alike = [Fraction(1)] * len(columns)

    def mean(name: str, parts: Sequence[Fraction | float]) -> float:
        weighed = weights if name == objective and weights else alike
        total = sum((w * Fraction(v) for w, v in zip(weighed, parts, strict=True)), Fraction(0))
        return float(total / sum(weighed))

    losses, risen, entropies, highest = [], [], [], []
    for column, row_cells in zip(columns, told, strict=True):
        leaves = len(column.hierarchy.leaves)
        covered = sum(len(cell.leaves) for cell in row_cells) + gone * leaves
        losses.append(Fraction(covered - source, source * (leaves - 1)) if leaves > 1 else 0)
        climbed = sum(Fraction(cell.level, column.hierarchy.height) for cell in row_cells)
        risen.append((climbed + gone) / source)
        level = column.level()
        highest.append(max(cell.level for cell in row_cells) if level is None else level)
        entropies.append(_entropy(column, row_cells, gone))
    weighed = list(weights) if objective == "loss" and weights else alike
    if aggregate == "max":
        found["loss"] = float(
            max(w * v / max(weighed) for w, v in zip(weighed, losses, strict=True))
        )
    elif aggregate == "arithmetic":
        found["loss"] = mean("loss", losses)
    else:
        found["loss"] = math.expm1(mean("loss", [math.log1p(v) for v in losses]))
    tall = weights if objective == "height" and weights else alike
    found["height"] = float(sum(w * level for w, level in zip(tall, highest, strict=True)))
    found["precision"] = mean("precision", risen)
    found["non_uniform_entropy"] = mean("non_uniform_entropy", entropies)
    volumes = [math.prod(len(cell.leaves) for cell in row) for row in zip(*told, strict=True)]
    whole = math.prod(len(each.hierarchy.leaves) for each in columns)
    found["ambiguity"] = float(Fraction(sum(volumes) + gone * whole, source))
    if whole:
        lines = Counter(zip(*(each.values for each in columns), strict=True))
        logs = [n * math.log(Fraction(n, source)) for n in lines.values()]
        for labels_of_row, volume in zip(shown, volumes, strict=True):
            logs.append(-math.log(Fraction(classes[labels_of_row], source * volume)))
        logs.append(-gone * math.log(Fraction(gone, source * whole)) if gone else 0.0)
        found["kl_divergence"] = math.fsum(logs) / source
    return found


def _entropy(column: Shown, cells: Sequence[Cell], gone: int) -> float:
    """What it takes to say which value each row has, as a share of what saying all of them does."""
    source = len(column.values)
    own = math.fsum(n * math.log(n) for n in Counter(column.values).values())
    most = source * math.log(source) - own
    lost = [math.log(column.in_source(cell.leaves)) for cell in cells]
    return (math.fsum([*lost, gone * math.log(source)]) - own) / most if most > 1e-12 else 0.0
