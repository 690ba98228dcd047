"""Verdicts: the answer to a search about a node, and the result of the search."""

from dataclasses import dataclass, field

from sqlgen.search.boxes import Cost
from sqlgen.search.lattice import Node


@dataclass(frozen=True)
class Closed:
    """How many nodes were never measured, by the rule that closed them.

    ``failing``: a coarser node fails in a way that no finer one can mend, or not for less than the
    best costs. ``counted``: a finer node's classes show that this one costs more than the best.
    ``bound``: so do single columns.
    """

    by_failure: int = 0
    by_classes: int = 0
    by_columns: int = 0


@dataclass(frozen=True)
class Found:
    """The best node, if there is one, its cost, and how many nodes were measured.

    It is the optimum, unless the search was ended early: then no feasible node costs less than
    ``floor``.
    """

    node: Node | None
    cost: Cost | None
    measured: int
    floor: Cost | None = None
    closed: Closed = field(default=Closed(), compare=False)


@dataclass(frozen=True)
class Verdict:
    """Whether a node is feasible and, where it is not, whether every finer one is not either.

    Neither the node nor a coarser one costs less than ``floor``, where one is known, nor does the
    node or a finer one cost less than ``below``, as far as they are feasible; the node itself costs
    no less than ``least``. ``excess`` says by how much the node misses, as a logarithm: above 0 it
    closes, and nodes near to it do the surer.
    """

    feasible: bool
    closes: bool
    coarser_bound: Cost | None = None
    log_overrun: float | None = None
    finer_bound: Cost | None = None
    own_bound: Cost | None = None


@dataclass(frozen=True)
class Standing:
    """How far a search has come: nodes measured, the best cost so far, what none falls below."""

    measured: int
    best: Cost | None
    floor: Cost
