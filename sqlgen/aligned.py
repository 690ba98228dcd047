"""Figures as people read them: in aligned columns, and with what they count."""

from collections.abc import Sequence

from sqlgen.numbers import counted

# The least that six places after the point tell from 0.
_SIXTH_PLACE = 0.000001


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as aligned columns, to the left."""
    widths = [max(len(row[number]) for row in rows) for number in range(len(rows[0]))]
    return [
        "  "
        + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def objective_words(figure: float) -> str:
    """A figure of an objective: whole numbers as they are, others to six places, or to two.

    >>> objective_words(0), objective_words(1e-7), objective_words(0.25), objective_words(1 - 1e-7)
    ('0', 'under 0.000001', '0.250000', 'over 0.999999')
    """
    if float(figure).is_integer():
        return f"{int(figure):,}"
    if 0 < figure < _SIXTH_PLACE:
        return "under 0.000001"
    if 1 - _SIXTH_PLACE < figure < 1:
        return "over 0.999999"
    return f"{figure:,.6f}" if figure < 1000 else f"{figure:,.2f}"


def rows_words(count: int) -> str:
    """So many rows."""
    return counted(count, "row")


def classes_words(count: int) -> str:
    """So many classes."""
    return counted(count, "class", "classes")
