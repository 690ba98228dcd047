"""How rows are spread: over the sizes of classes, and over what guarantees measure of them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import pairwise
from typing import Any

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation
from sqlgen.guarantees import KAnonymity
from sqlgen.measuring.purposes import Purpose, measuring
from sqlgen.measuring.tables import GuaranteeResult, ShownTable, audit_sql, figures_sql, sizes_sql
from sqlgen.sql.render import statement
from sqlgen.sql.types import Column
from sqlgen.staging.sensitive import Sensitive

_STEPS = (Decimal(1), Decimal(2), Decimal("2.5"), Decimal(5), Decimal(10))
_MOST_BINS = 12
_FEW_SIZES = 8

Bounds = tuple[Decimal, Decimal | None]


@dataclass(frozen=True)
class Bin:
    """The classes with a size or figure of ``least`` or more and below ``below``, and their rows.

    Without ``below`` there is no upper bound, and infinite figures are among them.
    """

    least: Decimal
    below: Decimal | None
    classes: int
    rows: int

    def to_dict(self) -> dict[str, Any]:
        """The bin as plain values."""
        below = None if self.below is None else number(self.below)
        return {
            "from": number(self.least),
            "below": below,
            "classes": self.classes,
            "rows": self.rows,
        }


@dataclass(frozen=True)
class Histograms:
    """Rows by the size of their class and by each guarantee's figure, and values by column.

    ``figures`` are by the guarantee's place in the policy, ``labels`` count the values that a
    quasi-identifier shows, ``values`` those of the source, where it can be read.
    """

    sizes: tuple[Bin, ...] = ()
    figures: Mapping[int, tuple[Bin, ...]] = field(default_factory=dict)
    labels: Mapping[str, int] = field(default_factory=dict)
    values: Mapping[str, int] = field(default_factory=dict)


def measure_histograms(
    engine: Engine,
    table: ShownTable,
    measured: Mapping[int, GuaranteeResult],
    sensitive: Sensitive,
    source: Relation | None,
) -> Histograms:
    """How the rows of a table are spread, for guarantees that were measured on it."""
    relation, quasi = table.relation, table.quasi
    *_, class_sizes = engine.rows(audit_sql(relation, quasi, [KAnonymity(k=2)], Sensitive(())))[0]
    if not class_sizes:
        return Histograms()
    bins = size_bounds(int(class_sizes[0]), int(class_sizes[-1]))
    sizes = _binned(bins, engine.rows(sizes_sql(relation, quasi, bins))[0])
    asked = [result.guarantee for result in measured.values()]
    spread = {
        place: figure_bounds(result.figures, result.guarantee.bound)
        for place, result in measured.items()
        if result.guarantee.aggregate != "SUM" and not result.guarantee.decided_by_size
    }
    spread = {place: bounds for place, bounds in spread.items() if bounds}
    figures = {}
    if spread:
        numbers = {place: number for number, place in enumerate(measured, 1)}
        by_number = [(numbers[place], bounds) for place, bounds in spread.items()]
        row = list(engine.rows(figures_sql(table, asked, sensitive, by_number))[0])
        for place, bounds in spread.items():
            counted, row = row[: 2 * len(bounds)], row[2 * len(bounds) :]
            figures[place] = _binned(bounds, counted)
    known = [column for column in quasi if source is not None and column.name in source.names]
    return Histograms(
        sizes,
        figures,
        _labels(engine, relation, quasi, Purpose.RELEASED_VALUES),
        _labels(
            engine,
            source,
            [source.column(column.name) for column in known],
            Purpose.SOURCE_VALUES,
        )
        if source
        else {},
    )


def size_bounds(least: int, most: int) -> list[Bounds]:
    """Bounds from the smallest class to the largest: single sizes, or 10, 20, 50, 100."""
    if most - least < _FEW_SIZES:
        edges = [Decimal(size) for size in range(least, most + 2)]
    else:
        edges = [Decimal(least)]
        while edges[-1] <= most:
            edges.append(next(decade for decade in _decades() if decade > edges[-1]))
    return list(pairwise(edges))


def figure_bounds(figures: Sequence[float], bound: float | None) -> list[Bounds]:
    """Bounds of equal width over the figures and, where it is near, what bounds them."""
    finite = [figure for figure in figures if figure < math.inf]
    if not finite:
        return []
    most, least = max(finite), min(finite)
    if bound is not None and bound <= 2 * most:
        most = max(most, bound)
    if bound is not None and bound >= least / 2:
        least = min(least, bound)
    whole = all(isinstance(each, int) for each in finite)
    least = 0 if least < most / 2 and not whole else least
    step = _step(Decimal(repr(float(most - least))) / _MOST_BINS, whole)
    edge = Decimal(math.floor(Decimal(repr(float(least))) / step)) * step
    edges = [edge]
    while edges[-1] <= Decimal(repr(float(most))):
        edges.append(edges[-1] + step)
    infinite = any(figure == math.inf for figure in figures)
    bounds: list[Bounds] = list(pairwise(edges))
    return [*bounds, (edges[-1], None)] if infinite else bounds


def merged(bins: Sequence[Bin], rows: int) -> tuple[Bin, ...]:
    """The bins, with neighbours joined until every bin that has rows has at least ``rows``."""
    joined: list[Bin] = []
    for bin_ in bins:
        if joined and 0 < joined[-1].rows < rows:
            joined[-1] = _joined(joined[-1], bin_)
        else:
            joined.append(bin_)
    while len(joined) > 1 and 0 < joined[-1].rows < rows:
        last = joined.pop()
        joined[-1] = _joined(joined[-1], last)
    return tuple(joined)


def number(exact: Decimal) -> int | float:
    """A bound as a plain number."""
    return int(exact) if exact == exact.to_integral_value() else float(exact)


def _joined(low: Bin, high: Bin) -> Bin:
    return Bin(low.least, high.below, low.classes + high.classes, low.rows + high.rows)


def _decades() -> list[Decimal]:
    return [
        Decimal(10) ** power * step
        for power in range(19)
        for step in (Decimal(1), _STEPS[1], _STEPS[3])
    ]


def _step(least: Decimal, whole: bool) -> Decimal:
    """The smallest round number that is not less."""
    if least <= 0:
        return Decimal(1) if whole else Decimal("0.1")
    power = Decimal(10) ** (least.adjusted())
    step = next(step_size * power for step_size in _STEPS if step_size * power >= least)
    if whole and step < 1:
        return Decimal(1)
    return Decimal(math.ceil(step)) if whole else step


def _binned(bounds: Sequence[Bounds], row: Sequence[int]) -> tuple[Bin, ...]:
    return tuple(
        Bin(least, below, classes, rows)
        for (least, below), classes, rows in zip(bounds, row[0::2], row[1::2], strict=True)
    )


def _labels(
    engine: Engine, relation: Relation, columns: Sequence[Column], purpose: Purpose
) -> dict[str, int]:
    if not columns:
        return {}
    keys = [column.shown("audited") for column in columns]
    asked = statement("auditing/labels", relation=relation.sql, keys=keys)
    row = engine.rows(measuring(purpose, asked))[0]
    return dict(zip((column.name for column in columns), row, strict=True))
