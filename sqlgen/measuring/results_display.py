"""The results of guarantees as a short line and as a table for a notebook."""

from collections.abc import Sequence

from sqlgen.display.notebook import TextTable
from sqlgen.measuring.tables import GuaranteeResult


def results_words(results: Sequence[GuaranteeResult]) -> str:
    """The measured figure of each guarantee, and which are not met; names and figures only."""
    return "; ".join(
        f"{result.guarantee.name}"
        + (f" of {', '.join(columns)}" if (columns := result.guarantee.judged_columns) else "")
        + f" {result.guarantee.figure_text(result.value)}"
        + ("" if result.satisfied else " NOT met")
        for result in results
    )


def results_table(results: Sequence[GuaranteeResult]) -> TextTable:
    """A row per guarantee: its figure at the worst class, and the classes and rows that fail."""
    return TextTable(
        "Guarantees",
        ("guarantee", "required", "measured", "verdict", "failing classes", "failing rows"),
        [
            (
                result.guarantee.title,
                result.guarantee.requirement,
                result.words,
                "met" if result.satisfied else "NOT met",
                f"{result.failing_classes:,}",
                f"{result.failing_rows:,}",
            )
            for result in results
        ],
    )
