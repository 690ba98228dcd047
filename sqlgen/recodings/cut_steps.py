"""The steps of Mondrian: how many rounds cut regions, by what, and what the regions show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, get_args

from markupsafe import Markup

from sqlgen.judging.verdict_sql import JudgingInput
from sqlgen.policy.averages import AVERAGES
from sqlgen.recodings.averages import averages_sql
from sqlgen.recodings.cut_regions import (
    cut_tree_sql,
    extents_sql,
    last_regions_sql,
    left_sql,
    shown_spans_sql,
    spans_sql,
)
from sqlgen.recodings.cuts import (
    CUT_AVERAGE,
    CUT_EXTENT,
    CUT_LEFT,
    CUT_MEMBER,
    CUT_PLACE,
    CUT_SHOWN,
    CUT_SPAN,
    CutBy,
    CutForm,
    CutGain,
    Shows,
    candidate_table,
    candidates_sql,
    cut_cells_sql,
    cut_regions_sql,
    cut_sql,
    cut_table,
    places_sql,
    region_cut_table,
)
from sqlgen.recodings.locked import locked_count
from sqlgen.recodings.own_labels import OWN_LABEL, own_labels_sql
from sqlgen.recodings.regions import CellForm, region_table
from sqlgen.search.lattice import Node
from sqlgen.sql.render import Statement, noted

MONDRIAN = "mondrian"
# At medians 64 rounds part any table; cuts that gain most lie beside them, and take more.
MOST_CUTS = 512
_OWN_WORDS = {
    "range": "a range of values",
    "set": "a set of values",
    "mean": "a mean of values",
    "median": "a median of values",
}
_NOTES = ("where each region may be cut", "its cut", "regions")


@dataclass(frozen=True)
class CutSteps:
    """The steps of Mondrian: rounds of cuts, and what each column shows.

    A cut is chosen ``by`` the width of the column or by its ``gain``; ``weights`` say how much
    that counts in each column. Values ``are_ordered`` as numbers and dates are, or by their labels.
    ``scales`` say how many digits after the point a mean has; None of a mean of days.
    """

    recoding: ClassVar[str] = MONDRIAN
    saving: ClassVar[Any] = "leaves"
    shows_own: ClassVar[bool] = True

    rounds: int
    shows: tuple[Shows, ...]
    are_ordered: tuple[bool, ...]
    by: CutBy
    gain: CutGain
    weights: tuple[int, ...]
    scales: tuple[int | None, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many rounds there are."""
        return {"rounds": self.rounds}

    @property
    def last_round(self) -> int:
        """The first table of regions: it has all that are left."""
        return 0

    def cells(self, form: CellForm) -> CellForm:
        """The form of the cells, with what columns show and how their values are ordered."""
        ordered = tuple(n for n, is_ordered in enumerate(self.are_ordered, 1) if is_ordered)
        by_label = tuple(n for n, shows in enumerate(self.shows, 1) if shows == "ladder")
        averaged = tuple(n for n, shows in enumerate(self.shows, 1) if shows in AVERAGES)
        own = tuple(form.numbers)
        return replace(form, own=own, ordered=ordered, by_label=by_label, averaged=averaged)

    def form(self, form: CellForm, ceilings: Node) -> CutForm:
        """The form of what is cut."""
        chosen = self.by, self.gain, self.weights
        return CutForm(form, ceilings, self.shows, *chosen, self.scales)

    def made(self, form: CellForm, ceilings: Node, judged: JudgingInput) -> list[Statement]:
        """The statements of every round, and of the regions that are left in the end."""
        cuts = self.form(form, ceilings)
        made = [
            noted(places_sql(form), "the order of each column's values"),
            noted(cut_cells_sql(cuts), "the place of each value"),
        ]
        for number in range(self.rounds):
            asked = round_of_cuts_sql(number, cuts, judged)
            note = f"round {number + 1} of {self.rounds}: "
            made += [noted(each, note + what) for each, what in zip(asked, _NOTES, strict=True)]
        return [*made, *self.left(cuts)]

    def left(self, cuts: CutForm) -> list[Statement]:
        """The statements that make the regions that are left after the rounds."""
        return [
            noted(left_sql(cuts, self.rounds), "the regions that are left"),
            *(noted(each, "what each region spans") for each in extents_sql(cuts)),
            *(noted(each, "its means and medians") for each in averages_sql(cuts)),
            noted(spans_sql(cuts), "what regions span, each once"),
            *(noted(each, "the labels of regions' own") for each in own_labels_sql(cuts)),
            noted(shown_spans_sql(cuts), "the labels of each region"),
            noted(last_regions_sql(cuts), "the labels of each combination's region"),
        ]

    def tree(self, form: CellForm, ceilings: Node, judged: JudgingInput) -> Statement:  # noqa: ARG002
        """The statement that makes one tree of the regions and of those that they were cut from."""
        return cut_tree_sql(self.form(form, ceilings), self.rounds)

    def tables(self) -> list[Markup]:
        """The tables of every round, and those of the regions that are left."""
        rounds = range(self.rounds)
        return [
            CUT_PLACE,
            *(region_cut_table(number) for number in range(self.rounds + 1)),
            *(candidate_table(number) for number in rounds),
            *(cut_table(number) for number in rounds),
            CUT_LEFT,
            CUT_EXTENT,
            *([CUT_MEMBER] if "set" in self.shows else []),
            *([CUT_AVERAGE] if any(each in AVERAGES for each in self.shows) else []),
            CUT_SPAN,
            OWN_LABEL,
            CUT_SHOWN,
            region_table(0),
        ]

    def words(self, number: int, words: Sequence[str]) -> Sequence[str]:
        """The words of the ladder's levels and, where the column shows more, of that."""
        shows = self.shows[number - 1]
        return words if shows == "ladder" else (*words, _OWN_WORDS[shows])

    def nodes(self) -> tuple[Node, ...]:
        """None: no step names a level."""
        return ()

    def to_lock(self) -> dict[str, Any]:
        """The rounds, and what cuts are chosen by."""
        return {
            "rounds": self.rounds,
            "by": self.by,
            "gain": self.gain,
        }

    def column_to_lock(self, number: int) -> dict[str, Any]:
        """What a column shows, how its values are ordered, and what it weighs."""
        shows, scale = self.shows[number - 1], self.scales[number - 1]
        return {
            "shows": shows,
            "is_ordered": self.are_ordered[number - 1],
            "weight": self.weights[number - 1],
            **({"scale": scale} if shows == "mean" else {}),
        }


def round_of_cuts_sql(number: int, form: CutForm, judged: JudgingInput) -> tuple[Statement, ...]:
    """The statements of a round: where regions may be cut, the cuts, and the new regions."""
    return (
        candidates_sql(number, form, judged),
        cut_sql(number, form, judged),
        cut_regions_sql(number, form),
    )


def read_cut_steps(content: Mapping[str, Any]) -> CutSteps:
    """The steps that a lock holds; ValueError or TypeError where a part is something else."""
    columns, rounds, by, gain = (content[key] for key in ("columns", "rounds", "by", "gain"))
    shows = tuple(column["shows"] for column in columns)
    are_ordered = tuple(column["is_ordered"] for column in columns)
    fits = (
        all(each in get_args(Shows) for each in shows)
        and all(isinstance(each, bool) for each in are_ordered)
        and by in get_args(CutBy)
        and gain in get_args(CutGain)
        and locked_count(rounds) <= MOST_CUTS
    )
    if not fits:
        raise ValueError("no steps of mondrian")
    weights = tuple(locked_count(column["weight"]) for column in columns)
    scales = tuple(_locked_scale(column) for column in columns)
    return CutSteps(rounds, shows, are_ordered, by, gain, weights, scales)


def _locked_scale(column: Mapping[str, Any]) -> int | None:
    """How many digits after the point a column's means have, by a lock."""
    if column["shows"] != "mean" or column["scale"] is None:
        return None
    return locked_count(column["scale"])
