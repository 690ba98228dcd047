"""Brute force for k-anonymity: the second source of truth that the SQL is held against.

Definitions are typed from the papers and looped over rows with exact fractions, slowly, using
nothing of the package under test. A row is a dict from column name to value. NULL is None, and it
is a value: two NULLs are equal, as `GROUP BY` has it.

- Li 2007: N. Li, T. Li, S. Venkatasubramanian. t-Closeness. ICDE 2007.
- Machanavajjhala 2006: A. Machanavajjhala et al. l-Diversity. ICDE 2006.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

Value: TypeAlias = str | int | Decimal | float | date | None
Number: TypeAlias = str | int | Decimal
Row: TypeAlias = Mapping[str, Value]
Rows: TypeAlias = Sequence[Row]
Tree: TypeAlias = "Mapping[str, Tree] | Sequence[str]"
Values: TypeAlias = Iterable[Value]
Lines: TypeAlias = Sequence[Sequence[Value]]
Labeller: TypeAlias = Callable[[Value], str | None]

TOP = "*"


def _exact(value: Value) -> Fraction:
    """A number as it is, text as the number it spells, a date or timestamp in days."""
    if isinstance(value, datetime):
        since = value - datetime.min
        return date.min.toordinal() + Fraction(since // timedelta(microseconds=1), 86_400_000_000)
    if isinstance(value, date):
        return Fraction(value.toordinal())
    assert value is not None
    return Fraction(value)


def _fixed(number: Fraction, decimals: int) -> str:
    scaled = number * 10**decimals
    assert scaled.denominator == 1, "the label would be rounded"
    digits = tuple(int(digit) for digit in str(abs(scaled.numerator)))
    return format(Decimal((scaled < 0, digits, -decimals)), "f")


def interval_label(value: Value, width: Number, origin: Number | date = 0) -> str | None:
    """The half-open interval of one width that holds the value: `[lower, lower + width)`.

    lower = origin + floor((value - origin) / width) * width, in exact arithmetic; a float stands
    for the binary fraction that it is. Dates count in whole days from a date, and a timestamp is
    in the interval of its day. None where an edge is not a date of the years 1 to 9999.
    """
    step, start = _exact(width), _exact(origin)
    lower = start + (_exact(value) - start) // step * step
    if isinstance(origin, date):
        first, last = int(lower), int(lower + step)
        if first < date.min.toordinal() or last > date.max.toordinal():
            return None
        return f"[{date.fromordinal(first)}, {date.fromordinal(last)})"
    written = [Decimal(number).as_tuple().exponent for number in (width, origin)]
    decimals = max(-int(exponent) for exponent in (0, *written))
    return f"[{_fixed(lower, decimals)}, {_fixed(lower + step, decimals)})"


def cut_label(value: Value, cuts: Sequence[str], closed: bool = False) -> str | None:
    """The half-open interval between two of the ascending cuts that holds the value.

    Below the first cut `a` it is `< a`, from the last cut `z` on it is `>= z`. When closed, the
    ends are not covered: None. Cuts are printed as they are written.
    """
    edges = [
        _exact(type(value).fromisoformat(cut) if isinstance(value, date) else cut) for cut in cuts
    ]
    assert edges == sorted(set(edges)), "cuts ascend"
    if _exact(value) < edges[0]:
        return None if closed else f"< {cuts[0]}"
    for number in range(len(cuts) - 1):
        if edges[number] <= _exact(value) < edges[number + 1]:
            return f"[{cuts[number]}, {cuts[number + 1]})"
    return None if closed else f">= {cuts[-1]}"


def prefix_label(text: Value, keep: int) -> str:
    """The first characters (code points), every later one masked; a text no longer is itself."""
    assert isinstance(text, str)
    return "".join(text[i] if i < keep else "*" for i in range(len(text)))


def date_label(value: Value, unit: str) -> str | None:
    """The day, ISO week, month, quarter, year or decade of a date or timestamp.

    None where the year is outside 1 to 9999, which a Python date cannot even hold.
    """
    assert isinstance(value, date)
    year, month = value.year, value.month
    if unit == "week":
        iso = value.isocalendar()
        return f"{iso.year:04}-W{iso.week:02}"
    return {
        "day": f"{year:04}-{month:02}-{value.day:02}",
        "month": f"{year:04}-{month:02}",
        "quarter": f"{year:04}-Q{(month - 1) // 3 + 1}",
        "year": f"{year:04}",
        "decade": f"{year // 10 * 10:04}s",
    }[unit]


def age_label(birth: Value, width: int, at: date) -> str | None:
    """The band, counted from 0, of the complete years of age on a day; None if born after it.

    Who is born on 29 February completes a year on 1 March where there is no 29 February.
    """
    assert isinstance(birth, date)
    born, today = (birth.year, birth.month, birth.day), (at.year, at.month, at.day)
    if born > today:
        return None
    age = at.year - birth.year - (1 if today[1:] < born[1:] else 0)
    return f"[{age // width * width}, {age // width * width + width})"


@dataclass(frozen=True)
class Ladder:
    """The hierarchy of one quasi-identifier, with the policies for NULL and uncovered values.

    Domain generalization, Definition 2.3 of Machanavajjhala 2006, once per level. Level 0 is the
    value itself, `leaves` gives each leaf's labels at levels 1 to `height`, and the last of them
    is the one fully general value. A row whose value is in `suppressed` is never released.
    """

    height: int
    top: str
    leaves: Mapping[Value, tuple[str | None, ...]]
    suppressed: frozenset[Value]

    def at(self, value: Value, level: int) -> Value:
        """What is released for a leaf at a level."""
        return value if level == 0 else self.leaves[value][level - 1]

    def covered_leaves(self, released: Value, level: int) -> int:
        """How many leaves have this released value at this level: c of the loss."""
        return sum(1 for leaf in self.leaves if self.at(leaf, level) == released)


Ladders: TypeAlias = Mapping[str, Ladder]


def rule_ladder(
    values: Values, levels: Sequence[Labeller], nulls: str = "value", uncovered: str = "error"
) -> Ladder:
    """The ladder of a rule over a column's values: one labeller per level, then `*`.

    The leaves are the column's distinct values. A value is covered when every level labels it.
    """
    distinct = list(dict.fromkeys(values))
    lines = [
        (value, *(level(value) for level in levels), TOP) for value in distinct if value is not None
    ]
    covered = [line for line in lines if None not in line]
    return _ladder(distinct, covered, len(levels) + 1, nulls, uncovered)


def lines_ladder(
    values: Values, lines: Lines, nulls: str = "value", uncovered: str = "error"
) -> Ladder:
    """The ladder of explicit lines (value, label 1, ..., label h) over a column's values.

    `*` is added on top unless the last label is one and the same on every line. The leaves are
    the values of the lines, whether they occur or not, and what else occurs in the column.
    """
    if len({line[-1] for line in lines if len(line) > 1}) != 1:
        lines = [(*line, TOP) for line in lines]
    height = len(lines[0]) - 1 if lines else 1
    return _ladder(values, lines, height, nulls, uncovered)


def _ladder(values: Values, lines: Lines, height: int, nulls: str, uncovered: str) -> Ladder:
    top = str(lines[0][-1]) if lines else TOP
    leaves: dict[Value, tuple[str | None, ...]] = {}
    suppressed = set()
    for value, *labels in lines:
        texts = tuple(str(label) for label in labels)
        if len(texts) != height or leaves.setdefault(value, texts) != texts:
            raise ValueError("lines differ in length, or a value has two lines that differ")
    for value in values:
        policy = nulls if value is None else uncovered
        if value in leaves:
            continue
        if policy == "suppress":
            suppressed.add(value)
        elif policy == "top":
            leaves[value] = (top,) * height
        elif policy == "value" and value is None:
            leaves[value] = (None,) * (height - 1) + (top,)
        else:
            raise ValueError("the hierarchy does not cover a value of the column")
    return Ladder(height, top, leaves, frozenset(suppressed))


def tree_lines(tree: Tree) -> list[list[str]]:
    """The explicit lines of a taxonomy written as nested mappings that end in lists of leaves.

    With the root `*` at depth 0 and D the depth of the deepest leaf, a leaf's label at level j is
    its ancestor at depth min(its own depth, D - j): a shallow leaf repeats itself first.
    """
    paths = list(_paths(tree, [TOP]))
    deepest = max((len(path) - 1 for path in paths), default=0)
    return [
        [path[-1], *(path[min(len(path) - 1, deepest - j)] for j in range(1, deepest + 1))]
        for path in paths
    ]


def _paths(tree: Tree, above: list[str]) -> Iterable[list[str]]:
    for name in tree:
        if isinstance(tree, Mapping):
            yield from _paths(tree[name], [*above, name])
        else:
            yield [*above, name]


def nesting_faults(ladder: Ladder) -> dict[int, int]:
    """Per level, the leaves whose label there has more than one label one level up: 0 if nested."""
    faults = dict.fromkeys(range(1, ladder.height), 0)
    for level in faults:
        above: dict[Value, set[Value]] = {}
        for leaf in ladder.leaves:
            above.setdefault(ladder.at(leaf, level), set()).add(ladder.at(leaf, level + 1))
        for leaf in ladder.leaves:
            faults[level] += 1 if len(above[ladder.at(leaf, level)]) > 1 else 0
    return faults


def classes(rows: Rows, quasi: Sequence[str]) -> dict[tuple[Value, ...], list[Row]]:
    """The equivalence classes: rows with the same values of the quasi-identifiers (Li 2007, 1)."""
    found: dict[tuple[Value, ...], list[Row]] = {}
    for row in rows:
        found.setdefault(tuple(row[column] for column in quasi), []).append(row)
    return found


def k_of(rows: Rows, quasi: Sequence[str]) -> int:
    """The largest k for which the table is k-anonymous; 0 for a table without rows.

    k-anonymity, Definition 2.2 of Machanavajjhala 2006: for every row there are k - 1 others
    with the same quasi-identifiers.
    """
    return min((len(members) for members in classes(rows, quasi).values()), default=0)


def unique_rows(rows: Rows, quasi: Sequence[str]) -> int:
    """How many rows are alone in their class."""
    return sum(len(members) == 1 for members in classes(rows, quasi).values())


@dataclass(frozen=True)
class Check:
    """What a table gives away on its quasi-identifiers.

    `sizes` is class size -> classes, `without` is the column left out -> (k, unique rows).
    """

    rows: int
    classes: int
    k: int
    unique_rows: int
    sizes: Mapping[int, int]
    without: Mapping[str, tuple[int, int]]


def check(rows: Rows, quasi: Sequence[str]) -> Check:
    """Rows, classes, k, unique rows and class sizes, and k with each column left out."""
    found = classes(rows, quasi)
    sizes: dict[int, int] = {}
    for members in found.values():
        sizes[len(members)] = sizes.get(len(members), 0) + 1
    without = {}
    for column in quasi:
        others = [other for other in quasi if other != column]
        without[column] = (k_of(rows, others), unique_rows(rows, others))
    return Check(len(rows), len(found), k_of(rows, quasi), unique_rows(rows, quasi), sizes, without)


def generalize(rows: Rows, ladders: Ladders, node: Sequence[int]) -> tuple[list[Row], list[Row]]:
    """The rows at a node, and the source rows that a policy for NULL or uncovered suppresses.

    A node is one level per ladder, in the ladders' order. Other columns are left as they are.
    """
    generalized, suppressed = list[Row](), list[Row]()
    for row in rows:
        if any(row[column] in ladder.suppressed for column, ladder in ladders.items()):
            suppressed.append(row)
            continue
        labels = {
            column: ladder.at(row[column], level)
            for (column, ladder), level in zip(ladders.items(), node, strict=True)
        }
        generalized.append({**row, **labels})
    return generalized, suppressed


def suppress(rows: Rows, quasi: Sequence[str], k: int) -> tuple[list[Row], list[Row]]:
    """The rows in classes of at least k rows, and the rows in smaller ones."""
    released, suppressed = list[Row](), list[Row]()
    for members in classes(rows, quasi).values():
        (released if len(members) >= k else suppressed).extend(members)
    return released, suppressed


def release(rows: Rows, ladders: Ladders, node: Sequence[int], k: int) -> tuple[list[Row], int]:
    """What a node releases under k-anonymity, and how many source rows it suppresses."""
    released, _ = suppress(generalize(rows, ladders, node)[0], list(ladders), k)
    return released, len(rows) - len(released)


@dataclass(frozen=True)
class Loss:
    """The loss of a release: the exact product of (1 + v_i), and its d-th root less 1."""

    product: Fraction
    value: float


def loss_parts(
    released: Rows, suppressed: int, ladders: Ladders, node: Sequence[int]
) -> dict[str, Fraction]:
    """v_i per quasi-identifier: the mean share of its leaves a row stands for, from 0 to 1.

    A released value that covers c of L leaves has share c/L, a suppressed row has share 1. The
    mean is over all source rows, rescaled (mean - 1/L) / (1 - 1/L). It is 0 where there is
    nothing to lose: at most one leaf, or no rows.
    """
    source_rows = len(released) + suppressed
    parts = {}
    for (column, ladder), level in zip(ladders.items(), node, strict=True):
        parts[column] = Fraction(0)
        if len(ladder.leaves) > 1 and source_rows > 0:
            least = Fraction(1, len(ladder.leaves))
            covered = sum(ladder.covered_leaves(row[column], level) for row in released)
            mean = (covered * least + suppressed) / source_rows
            parts[column] = (mean - least) / (1 - least)
    return parts


def loss(released: Rows, suppressed: int, ladders: Ladders, node: Sequence[int]) -> Loss:
    """The geometric mean of (1 + v_i) over the quasi-identifiers, less 1."""
    product = Fraction(1)
    for part in loss_parts(released, suppressed, ladders, node).values():
        product *= 1 + part
    return Loss(product, float(product) ** (1 / len(ladders)) - 1 if ladders else 0.0)


def lattice(ladders: Ladders) -> list[tuple[int, ...]]:
    """Every node: one level per ladder, each from 0 to its height."""
    return list(itertools.product(*(range(ladder.height + 1) for ladder in ladders.values())))


@dataclass(frozen=True)
class Optimum:
    """The best node, what it releases, `masked` rows of that without values, and the cost."""

    node: tuple[int, ...]
    loss: Loss
    suppressed: int
    released: Sequence[Row]
    masked: int = 0


def optimum(rows: Rows, ladders: Ladders, k: int, budget_rows: int) -> Optimum | None:
    """The feasible node of least loss by trying every node; None where none is feasible.

    Feasible: at most the budget is suppressed, and at least one row is released. Ties go to the
    smaller height (sum of levels), then to the smaller levels in column order.
    """
    feasible = []
    for node in lattice(ladders):
        released, suppressed = release(rows, ladders, node, k)
        if released and suppressed <= budget_rows:
            lost = loss(released, suppressed, ladders, node)
            feasible.append(Optimum(node, lost, suppressed, released))
    return min(feasible, key=lambda o: (o.loss.product, sum(o.node), o.node), default=None)


def minimal_suppression(rows: Rows, ladders: Ladders, k: int) -> int:
    """The fewest rows that any node suppresses."""
    return min(release(rows, ladders, node, k)[1] for node in lattice(ladders))


def budget(limit: str | int | Fraction, rows: int) -> int:
    """How many rows may be suppressed: a count as it is, a share ("2%", 1/50) rounded down."""
    if isinstance(limit, int):
        return limit
    if isinstance(limit, str):
        limit = Fraction(limit.removesuffix("%")) / (100 if limit.endswith("%") else 1)
    return int(limit * rows // 1)
