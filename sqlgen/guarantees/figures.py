"""Figures of classes, held against what a guarantee allows: rounded, where verdicts are exact."""

import math
from decimal import Decimal

# By how much a figure may miss its threshold by rounding: exp(entropy) of l equal values is l to
# some 15 digits, and a billionth of n ln l is allowed for.
_ROUNDED = Decimal("1e-7")
_NEARLY_ZERO = Decimal("1e-9")


def passing_figures(
    possible: tuple[float, float], bound: float | None, *, is_least: bool
) -> tuple[Decimal, Decimal | None]:
    """The figures between the ends of what is possible and a bound; None for no upper end.

    >>> passing_figures((0, math.inf), 4, is_least=True)
    (Decimal('3.999999599'), None)
    """
    least, most = possible
    if bound is not None and is_least:
        least = max(least, bound)
    elif bound is not None:
        most = min(most, bound)
    lower = Decimal(least) * (1 - _ROUNDED) - _NEARLY_ZERO
    upper = None if most == math.inf else Decimal(most) * (1 + _ROUNDED) + _NEARLY_ZERO
    return lower, upper


def is_between(figure: float | None, ends: tuple[Decimal, Decimal | None]) -> bool:
    """Whether a figure lies between two ends; what is none, no number or infinite lies nowhere."""
    if figure is None or not math.isfinite(figure):
        return False
    least, most = ends
    return float(least) <= figure and (most is None or figure <= float(most))


def plain(figure: float | None) -> int | float | str:
    """A figure as JSON can hold it, to 8 places: the last digits of a root differ by machine."""
    if figure is None or math.isnan(figure):
        return "unknown"
    if figure == math.inf:
        return "infinite"
    return int(figure) if float(figure).is_integer() else round(float(figure), 8)
