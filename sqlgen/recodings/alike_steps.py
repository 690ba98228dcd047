"""The steps of microaggregation with labels: the rows of a group, and how often groups merge."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from markupsafe import Markup

from sqlgen.judging.verdict_sql import JudgingInput
from sqlgen.policy.microaggregation import MICROAGGREGATION
from sqlgen.recodings.alike_groups import (
    ALIKE_BEST,
    ALIKE_CELL,
    ALIKE_STEP,
    GROUP_PART,
    MOST_MERGES,
    AlikeForm,
    alike_cells_sql,
    group_table,
    groups_sql,
    judged_groups_sql,
    judged_table,
    merged_groups_sql,
    regions_sql,
    steps_sql,
)
from sqlgen.recodings.locked import locked_count, locked_texts
from sqlgen.recodings.regions import CellForm, region_table
from sqlgen.search.lattice import Node
from sqlgen.sql.render import Statement, noted


@dataclass(frozen=True)
class AlikeSteps:
    """The steps of microaggregation: groups of ``least`` rows or more, and rounds of ``merges``.

    ``column`` is the confidential column whose values are alike in a group or, where it ``deals``,
    from all over the column's order.
    """

    recoding: ClassVar[str] = MICROAGGREGATION
    saving: ClassVar[Any] = "leaves"
    shows_own: ClassVar[bool] = False

    column: str
    least: int
    merges: int
    weights: tuple[int, ...]
    groups: int = 0
    deals: bool = False

    @property
    def counts(self) -> dict[str, int]:
        """How many groups there were when they were made, and how many rounds merged some."""
        return {"groups": self.groups, **({"merges": self.merges} if self.merges else {})}

    @property
    def last_round(self) -> int:
        """The first table of regions: it has all groups."""
        return 0

    def cells(self, form: CellForm) -> CellForm:
        """The form of the cells as it is."""
        return form

    def form(self, form: CellForm, ceilings: Node, judged: JudgingInput) -> AlikeForm:
        """The form of what is grouped."""
        value = next(value for value in judged.values if value.column == self.column)
        return AlikeForm(form, ceilings, value, self.least, self.deals)

    def made(self, form: CellForm, ceilings: Node, judged: JudgingInput) -> list[Statement]:
        """The statements that make groups, merge those that fail, and label what is left."""
        alike = self.form(form, ceilings, judged)
        return [
            *self.grouped(alike),
            *self.merging(judged),
            noted(regions_sql(alike, self.merges), "the labels that groups share"),
        ]

    def grouped(self, form: AlikeForm) -> list[Statement]:
        """The statements that make groups, before any is merged."""
        ordered = noted(alike_cells_sql(form), f"the order of {self.column}")
        if self.deals:
            dealt, groups = groups_sql(form)
            note = "rows of all of that order, dealt out to each group"
            return [ordered, noted(dealt, note), noted(groups, "the groups")]
        notes = ("the way back from each place", "groups", "the cells of each group")
        made = zip(groups_sql(form), notes, strict=True)
        return [
            ordered,
            noted(steps_sql(form), "where groups may end, and what each costs"),
            *(noted(asked, note) for asked, note in made),
        ]

    def merging(self, judged: JudgingInput) -> list[Statement]:
        """The statements that merge groups which fail, round by round."""
        return [
            noted(asked, f"round {number + 1} of {self.merges}: {note}")
            for number in range(self.merges)
            for asked, note in (
                (judged_groups_sql(number, judged), "groups that fail a guarantee"),
                (merged_groups_sql(number), "merged with what is like them"),
            )
        ]

    def tree(self, form: CellForm, ceilings: Node, judged: JudgingInput) -> Statement:
        """Never asked for: groups are made anew for each release, and no regions are kept."""
        raise NotImplementedError

    def tables(self) -> list[Markup]:
        """The tables of groups, and that of the regions."""
        return [*self.group_tables(), region_table(0)]

    def group_tables(self) -> list[Markup]:
        """The tables of groups."""
        return [
            ALIKE_CELL,
            *([] if self.deals else [ALIKE_STEP, ALIKE_BEST]),
            GROUP_PART,
            *(group_table(number) for number in range(self.merges + 1)),
            *(judged_table(number) for number in range(self.merges)),
        ]

    def words(self, number: int, words: Sequence[str]) -> Sequence[str]:  # noqa: ARG002
        """The words of the ladder's levels."""
        return words

    def nodes(self) -> tuple[Node, ...]:
        """None: no step names a level."""
        return ()

    def to_lock(self) -> dict[str, Any]:
        """The column, the fewest rows of a group, and the rounds."""
        return {
            "of": [self.column],
            "least": self.least,
            "merges": self.merges,
            "groups": self.groups,
            "deals": self.deals,
        }

    def column_to_lock(self, number: int) -> dict[str, Any]:
        """The weight of a column."""
        return {"weight": self.weights[number - 1]}


def read_alike_steps(content: Mapping[str, Any]) -> AlikeSteps:
    """The steps that a lock holds; ValueError or TypeError where a part is something else."""
    (of,) = content["of"]
    least, merges, groups = (locked_count(content[key]) for key in ("least", "merges", "groups"))
    column = locked_texts({"of": of})["of"]
    deals = content["deals"]
    if not least or merges > MOST_MERGES or not isinstance(deals, bool) or (deals and merges):
        raise ValueError("no steps of microaggregation")
    weights = tuple(locked_count(column["weight"]) for column in content.get("columns", ()))
    return AlikeSteps(column, least, merges, weights, groups, deals)
