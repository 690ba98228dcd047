"""Metrics: the objectives that a policy can ask for, as costs, bounds and figures.

Called by ``policy``, which reads them, and by the rooms that measure and plan. ``METRICS`` has all
of them by name.
"""

from sqlgen.metrics.class_objectives import (
    Ambiguity,
    AverageClassSize,
    Discernibility,
    KLDivergence,
)
from sqlgen.metrics.column_objectives import Height, Loss, NonUniformEntropy, Precision
from sqlgen.metrics.objective import Cost, Metric
from sqlgen.metrics.sums import (
    ClassTotals,
    ColumnFacts,
    LevelFacts,
    TableFacts,
    TotalsBySize,
    WidestLabel,
    n_logs,
)

METRICS: dict[str, type[Metric]] = {
    metric.name: metric
    for metric in (
        Loss,
        Discernibility,
        AverageClassSize,
        Height,
        Precision,
        NonUniformEntropy,
        KLDivergence,
        Ambiguity,
    )
}

__all__ = [
    "METRICS",
    "ClassTotals",
    "ColumnFacts",
    "Cost",
    "LevelFacts",
    "Loss",
    "Metric",
    "TableFacts",
    "TotalsBySize",
    "WidestLabel",
    "n_logs",
]
