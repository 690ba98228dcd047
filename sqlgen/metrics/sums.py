"""The sums that objectives read: counts of the table, and of the classes at one node.

Logarithms are whole numbers of ``NATS`` parts of a nat, so that sums do not depend on the order
in which they are taken.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlgen.search.lattice import Node

NATS = 10**12


def nats(logarithm: float) -> int:
    """A natural logarithm as a whole number."""
    return math.floor(logarithm * NATS + 0.5)


def n_logs(rows: int) -> int:
    """n ln n, as a whole number."""
    return nats(rows * math.log(rows)) if rows else 0


@dataclass(frozen=True)
class LevelFacts:
    """One level of one column, over the rows that may be released.

    ``leaves`` adds up the leaves that the rows' labels cover, ``log_leaves`` their logarithms, and
    ``log_rows`` the logarithm of how many rows of the source have the label. ``class_logs`` adds up
    n ln n over the classes that the column makes alone.
    """

    labels: int
    leaves: int
    log_leaves: int
    log_rows: int
    class_logs: int


@dataclass(frozen=True)
class WidestLabel:
    """The most leaves that a label of one level covers, and the largest logarithm of its rows."""

    leaves: int
    log_rows: int


@dataclass(frozen=True)
class ColumnFacts:
    """One column, level by level up to its top.

    ``leaves``, ``log_leaves`` and ``log_rows`` are those of the one label at the top, ``log_all``
    is the logarithm of all rows, and ``own_logs`` adds up, over all rows, the logarithm of how many
    have the row's own value. ``widest`` has, per level, the most leaves that a label covers and the
    largest logarithm of its rows, where they were counted.
    """

    leaves: int
    log_leaves: int
    log_rows: int
    log_all: int
    own_logs: int
    levels: tuple[LevelFacts, ...]
    widest: tuple[WidestLabel, ...] = ()

    @property
    def height(self) -> int:
        """The number of the most general level."""
        return len(self.levels) - 1


@dataclass(frozen=True)
class TableFacts:
    """The counts of staging: the source's rows, how many can never be released, and the columns.

    No class of fewer than ``least_class`` rows can be released, and no more than ``budget`` rows
    suppressed. ``cell_logs`` adds up n ln n over the combinations of values that occur; None where
    that was not counted, and a figure that needs it cannot be told.
    """

    rows: int
    dropped_rows: int
    columns: tuple[ColumnFacts, ...]
    budget: int = 0
    least_class: int = 1
    cell_logs: int | None = None

    @property
    def kept_rows(self) -> int:
        """The rows that may be released."""
        return self.rows - self.dropped_rows

    def levels(self, node: Node) -> list[LevelFacts]:
        """Each column at its level."""
        return [slope.levels[level] for slope, level in zip(self.columns, node, strict=True)]

    def widest(self, node: Node) -> list[WidestLabel]:
        """The largest cover of a label of each column at its level."""
        return [slope.widest[level] for slope, level in zip(self.columns, node, strict=True)]

    @property
    def combinations(self) -> int:
        """The combinations of values that a suppressed row may stand for."""
        return math.prod(slope.leaves for slope in self.columns)


@dataclass(frozen=True)
class ClassTotals:
    """The sums over the classes of one node.

    ``rows``, ``classes``, their ``squares``, their ``logs`` (n ln n) and ``combinations`` are those
    of classes that are released; ``leaves``, ``log_leaves`` and ``log_rows`` are per column and
    those of rows that may be released and are suppressed. What an objective does not need is 0.
    ``climbed`` adds up, per column, the levels of released rows where those are not the node's.
    """

    node: Node
    rows: int
    classes: int = 0
    squares: int = 0
    logs: int = 0
    combinations: float = 0.0
    leaves: Sequence[int] = field(default=())
    log_leaves: Sequence[int] = field(default=())
    log_rows: Sequence[int] = field(default=())
    climbed: Sequence[int] = field(default=())


@dataclass(frozen=True)
class TotalsBySize:
    """The sums over a node's classes by size alone: over all, and over those not too small."""

    whole: ClassTotals
    large: ClassTotals

    @property
    def small_rows(self) -> int:
        """The rows in classes that are too small."""
        return self.whole.rows - self.large.rows
