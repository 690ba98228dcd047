"""What a release has lost: the objectives that a policy can ask for."""

from sqlgen.metrics.classes import Ambiguity, AverageClassSize, Discernibility, KLDivergence
from sqlgen.metrics.columns import Height, Loss, NonUniformEntropy, Precision
from sqlgen.metrics.metric import Cost, Metric
from sqlgen.metrics.tally import Facts, Rung, Sized, Slope, Tally, Widest, n_logs

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
    "Cost",
    "Facts",
    "Loss",
    "Metric",
    "Rung",
    "Sized",
    "Slope",
    "Tally",
    "Widest",
    "n_logs",
]
