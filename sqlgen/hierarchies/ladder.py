"""A ladder: the levels of one column, from the value itself to one general value."""

from dataclasses import dataclass
from typing import Literal

from markupsafe import Markup

from sqlgen.hierarchies.rules import TOP, Level
from sqlgen.sql.render import conjunction, each, fragment, literal, sql
from sqlgen.sql.types import Column


def value_type(column: Column) -> Markup:
    """The type in which a column's own values are released."""
    return Markup("VARCHAR") if column.is_text else Markup(column.type)


@dataclass(frozen=True)
class Ladder:
    """How one column generalizes: level 0 is the value itself, the last level ``top``.

    ``levels`` are those in between. A ladder made of ``lines`` takes its labels from the
    ``fields`` columns of that relation, any other from expressions over the value. ``blanks``
    says whether the empty text may be a label: in a tree, where a shallow leaf is its own.
    ``line_faults`` counts what is wrong with the lines, where that is known; ``list_number`` is the
    number that they have among staged lines, where they are staged.
    ``order`` is what values are ordered by, where the column of the ladder has an order.
    """

    column: Column
    levels: tuple[Level, ...]
    nulls: Literal["value", "top", "suppress"]
    uncovered: Literal["error", "top", "suppress"]
    lines: Markup | None = None
    fields: int = 0
    top: str = TOP
    blanks: bool = False
    order: Markup | None = None
    line_faults: tuple[int, ...] | None = None
    list_number: int | None = None

    @property
    def height(self) -> int:
        """The number of the most general level."""
        return len(self.levels) + 1

    def words(self, level: int) -> str:
        """The meaning of a level, in words."""
        if level == 0:
            return "the value itself"
        return self.top if level == self.height else self.levels[level - 1].words

    def rows(self, source: Markup) -> Markup:
        """A query for the ladder's rows: each value with its label's id at every level."""
        return fragment(
            "hierarchies/ladder_rows",
            labelled=self.labelled(source),
            is_kept=self.is_kept,
            labels=[(level, self.label(level)) for level in range(self.height)],
            orders=[self.order] if self.order is not None else [],
        )

    def labelled(self, source: Markup) -> Markup:
        """A query for each distinct value of the column: its rows and its label at each level."""
        shared = {
            "source": source,
            "plain": self.column.plain("source"),
            "levels": self.levels,
        }
        labels = (
            fragment("hierarchies/labelled_by_rule", **shared)
            if self.lines is None
            else fragment("hierarchies/labelled_by_lines", leaves=self.leaves, **shared)
        )
        return fragment(
            "hierarchies/labelled",
            labels=labels,
            levels=range(1, self.height),
            unlisted=[] if self.lines is None else [self.height],
        )

    @property
    def leaves(self) -> Markup:
        """A query for the leaves of the list, in the type of the column."""
        return fragment(
            "hierarchies/leaves",
            lines=self.lines,
            value=sql(
                "TRY_CAST(field_0 AS {type}) COLLATE C"
                if self.column.is_text
                else "TRY_CAST(field_0 AS {type})",
                type=self.value_type,
            ),
            labels=each(
                range(1, self.height),
                "CAST(field_{0} AS VARCHAR) COLLATE C"
                if self.blanks
                else "NULLIF(CAST(field_{0} AS VARCHAR) COLLATE C, '')",
            ),
            fields=range(self.fields),
        )

    @property
    def value_type(self) -> Markup:
        """The type in which the value itself is released."""
        return value_type(self.column)

    def label(self, level: int) -> Markup:
        """The label at a level, over one row of ``labelled``."""
        if level == 0:
            return Markup("value")
        top = literal(self.top)
        if level == self.height:
            return top
        return fragment(
            "hierarchies/level_label",
            level=level,
            null_label=top if self.nulls == "top" else Markup("NULL"),
            uncovered_label=top if self.uncovered == "top" else Markup("NULL"),
        )

    @property
    def is_kept(self) -> Markup:
        """A condition: FALSE for values whose rows the policy suppresses wherever they stand."""
        kept = [
            *(["value IS NOT NULL"] if self.nulls == "suppress" else []),
            *(["missing_level IS NULL"] if self.uncovered == "suppress" else []),
        ]
        return conjunction(map(Markup, kept))
