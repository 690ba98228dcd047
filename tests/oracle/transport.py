"""The earth mover's distance as the transportation problem that defines it (Li 2007, 4)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from scipy.optimize import linprog


def emd(
    p: Sequence[Fraction], q: Sequence[Fraction], distances: Sequence[Sequence[Fraction]]
) -> float:
    """The least work of a flow from P to Q over a matrix of ground distances.

    Flow i -> j is variable i * len(q) + j; P's masses leave, and Q's arrive.
    """
    m = len(q)
    cost = [float(distances[i][j]) for i in range(len(p)) for j in range(m)]
    leaves = [[float(i == of // m) for of in range(len(cost))] for i in range(len(p))]
    arrives = [[float(j == of % m) for of in range(len(cost))] for j in range(m)]
    solved = linprog(
        cost,
        A_eq=leaves + arrives,
        b_eq=[float(mass) for mass in (*p, *q)],
        bounds=(0, None),
        method="highs",
    )
    assert solved.fun is not None, solved.message
    return float(solved.fun)
