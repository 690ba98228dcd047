"""Verdicts: the answer to a search about a node, and the result of the search."""

from dataclasses import dataclass, field

from sqlgen.search.boxes import Cost
from sqlgen.search.lattice import Node


@dataclass(frozen=True)
class Closed:
    """The number of nodes that were never measured, by the rule that closed them.

    ``by_failure``: a coarser node fails in a way that no finer one can mend, or not for less than
    the best costs. ``by_classes``: the classes of a finer node show that this one costs more than
    the best. ``by_columns``: single columns show that.
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
    """Whether a node is feasible, and whether it ``closes`` every finer one as infeasible.

    The bounds are costs, or None where none is known. The node and all coarser ones cost at least
    ``coarser_bound``. The node and all finer ones cost at least ``finer_bound``, if they are
    feasible. The node itself costs at least ``own_bound``. ``log_overrun`` is the logarithm of the
    rows that must be suppressed over the rows that may be: the larger it is, the likelier do nodes
    near to this one fail too.
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
