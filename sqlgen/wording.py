"""Words for figures: counts with their noun, shares, and tables of aligned columns."""

from collections.abc import Mapping, Sequence

# The least that six places after the point tell from 0.
_SIXTH_PLACE = 0.000001


def counted(count: int, noun: str, nouns: str = "") -> str:
    """A number with what it counts.

    >>> counted(1, "row"), counted(1204, "row"), counted(2, "class", "classes")
    ('1 row', '1,204 rows', '2 classes')
    """
    return f"{count:,} {noun if count == 1 else nouns or noun + 's'}"


def share_words(part: float) -> str:
    """A share as a person reads it: only an exact 0 or 1 is called 0% or 100%.

    >>> share_words(0), share_words(0.0004), share_words(0.25), share_words(0.9999), share_words(1)
    ('0%', 'under 0.1%', '25.0%', 'over 99.9%', '100%')
    """
    if part in (0, 1):
        return f"{part:.0%}"
    if 0 < part < 0.001:
        return "under 0.1%"
    return "over 99.9%" if 0.999 < part < 1 else f"{part:.1%}"


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
    """A count of rows, as `1,204 rows`."""
    return counted(count, "row")


def classes_words(count: int) -> str:
    """A count of classes, as `2 classes`."""
    return counted(count, "class", "classes")


def steps_words(steps: Mapping[str, int]) -> list[str]:
    """The steps of a recoding, each kind with its count.

    >>> steps_words({"layers": 21, "rounds": 1})
    ['21 layers', '1 round']
    """
    return [counted(count, name.removesuffix("s")) for name, count in steps.items()]
