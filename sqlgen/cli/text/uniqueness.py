"""Uniqueness as people read it: a table of columns, and a warning per column that may identify."""

from sqlgen.measuring.uniqueness import ColumnUniqueness, Uniqueness
from sqlgen.wording import aligned, share_words


def uniqueness_lines(uniqueness: Uniqueness | None, rows_of: str = "") -> list[str]:
    """The columns beside the quasi-identifiers, and all of them together; nothing of none.

    ``rows_of`` says whose rows they are, where that is not plain: ``" of the source"``.
    """
    if uniqueness is None or not uniqueness.columns:
        return []
    table = [
        ("beside the quasi-identifiers", "role", "distinct values", "unique rows", "share"),
        *(
            (
                column.column,
                column.role + (", accepted" if column.accepted else ""),
                f"{column.distinct_values:,}",
                f"{column.unique_rows:,}",
                share_words(column.unique_rows / max(uniqueness.rows, 1)),
            )
            for column in uniqueness.columns
        ),
    ]
    lines = aligned(table)
    if uniqueness.unique_together is not None:
        share = share_words(uniqueness.unique_together / max(uniqueness.rows, 1))
        are = "is" if uniqueness.unique_together == 1 else "are"
        lines.append(
            f"By these and the quasi-identifiers together, {uniqueness.unique_together:,} of "
            f"{uniqueness.rows:,} rows{rows_of} ({share}) {are} unique."
        )
    return lines


def release_warnings(uniqueness: Uniqueness | None) -> list[str]:
    """A warning per column that a release shows and that may identify people."""
    return [
        f"Warning: {column.words}. No guarantee looks at that. {_remedy(column)}; or, if you have "
        f"looked and it identifies nobody, write accept_unique: [{column.column}]."
        for column in (uniqueness.warnings if uniqueness is not None else ())
    ]


def _remedy(column: ColumnUniqueness) -> str:
    if column.role == "sensitive":
        return f"Release {column.column} at a level of a hierarchy"
    return f"Give {column.column} the role identifier or quasi"


def table_warnings(uniqueness: Uniqueness) -> list[str]:
    """A warning per column of a table that would identify people if it was released."""
    return [
        f"Warning: {column.words}. Released as it is, {column.column} may identify people."
        for column in uniqueness.warnings
    ]
