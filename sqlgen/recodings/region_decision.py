"""The decision of a recoding by regions: a value of steps, for the lock, the ledger and people."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from markupsafe import Markup

from sqlgen.errors import StalePlanError
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.recodings.kept_regions import KeptRegions
from sqlgen.recodings.locked import locked_count, locked_texts
from sqlgen.recodings.recoding import Decision
from sqlgen.recodings.region_steps import RegionSteps
from sqlgen.search.lattice import Lattice, Node


@dataclass(frozen=True)
class RegionDecision:
    """The decision of a recoding by regions: its steps, and the columns that they recode.

    Per column, in the table's order: its name, the finest and the coarsest level it may have, and
    what each level does to it, in words. ``regions`` is the fingerprint of the regions that the
    steps made when they were found. With ``kept`` regions, rows are put into those, and no step is
    taken.
    """

    names: tuple[str, ...]
    floors: Node
    ceilings: Node
    steps: RegionSteps
    level_words: tuple[tuple[str, ...], ...] = field(compare=False)
    regions: str = ""
    kept: KeptRegions | None = None

    @property
    def recoding(self) -> str:
        """The recoding whose steps they are."""
        return self.steps.recoding

    @property
    def levels(self) -> None:
        """None: a column has several levels."""
        return

    @property
    def highest(self) -> Mapping[str, int]:
        """The coarsest level that each column may have."""
        return dict(zip(self.names, self.ceilings, strict=True))

    @property
    def rounds(self) -> int:
        """The last round that has regions: the first, where kept ones are taken as they are."""
        return 0 if self.kept is not None else self.steps.last_round

    def kept_in(self, table: Markup) -> "RegionDecision":
        """The decision that takes its regions from a table."""
        return replace(self, kept=KeptRegions(table, self.regions))

    def merging(self) -> "RegionDecision":
        """The decision that may merge regions: the kept ones or, without, those of its steps."""
        kept = self.kept or KeptRegions(None, self.regions)
        return replace(self, kept=replace(kept, merges=()))

    def in_words(self) -> Mapping[str, str]:
        """Each column with the levels that its labels may have."""
        numbered = enumerate(zip(self.names, self.floors, self.ceilings, strict=True), 1)
        words = {
            name: self.steps.words(number, [f"levels {least} to {most}"])[-1]
            for number, (name, least, most) in numbered
        }
        return {
            name: f"{words[name]}, class by class" if most else "as it is"
            for name, most in zip(self.names, self.ceilings, strict=True)
        }

    def fits(self, ladders: Sequence[Ladder]) -> bool:
        """Whether these hierarchies have the columns, and every level that the steps name."""
        heights = {ladder.column.name: ladder.height for ladder in ladders}
        if list(heights) != list(self.names):
            return False
        nodes = (self.floors, *self.steps.nodes(), self.ceilings)
        return all(
            0 <= least <= level <= most <= height
            for node in nodes
            for least, level, most, height in zip(
                self.floors, node, self.ceilings, heights.values(), strict=True
            )
        )

    def to_log(self) -> dict[str, Any]:
        """The recoding and, where regions were merged, how many."""
        merged = self.kept is not None and self.kept.merges is not None
        more = {"merged_regions": self.kept.merged} if self.kept is not None and merged else {}
        return {"recoding": self.recoding, **more}

    def to_lock(self) -> dict[str, Any]:
        """The columns and the steps: no label, and no value."""
        numbered = zip(self.names, self.floors, self.ceilings, self.level_words, strict=True)
        return {
            "columns": [
                {
                    "name": name,
                    "levels": [least, most],
                    **self.steps.column_to_lock(number),
                    "words": list(words),
                }
                for number, (name, least, most, words) in enumerate(numbered, 1)
            ],
            **self.steps.to_lock(),
            "region_fingerprint": self.regions,
        }

    def to_ledger(self) -> dict[str, Any]:
        """What the lock has, but for words, which may name labels, and for regions.

        Those of a release are known when it is built.
        """
        content = {
            key: value for key, value in self.to_lock().items() if key != "region_fingerprint"
        }
        columns = [
            {key: column[key] for key in ("name", "levels")} for column in content["columns"]
        ]
        return {**content, "columns": columns}


def decision_of(ladders: Sequence[Ladder], lattice: Lattice, steps: RegionSteps) -> RegionDecision:
    """The decision for some steps."""
    words = [tuple(map(ladder.words, range(ladder.height + 1))) for ladder in ladders]
    return RegionDecision(
        tuple(ladder.column.name for ladder in ladders),
        lattice.bottom,
        lattice.top,
        steps,
        tuple(tuple(steps.words(number, each)) for number, each in enumerate(words, 1)),
    )


def by_regions(decision: Decision) -> RegionDecision:
    """The decision, if it is one by regions; raises StalePlanError otherwise."""
    if not isinstance(decision, RegionDecision):
        raise StalePlanError("the plan is of another recoding. Run sqlgen plan again.")
    return decision


def read_decision(
    content: Mapping[str, Any], read_steps: Callable[[Mapping[str, Any]], RegionSteps]
) -> RegionDecision:
    """The decision that a lock holds; ValueError or TypeError where a part is something else."""
    columns = content["columns"]
    names = tuple(column["name"] for column in columns)
    levels = [tuple(map(locked_count, column["levels"])) for column in columns]
    if not (
        all(isinstance(name, str) for name in names) and all(len(each) == 2 for each in levels)
    ):
        raise ValueError("no columns with their levels")
    floors, ceilings = (tuple(each[place] for each in levels) for place in (0, 1))
    words = tuple(tuple(map(_locked_text, column["words"])) for column in columns)
    regions = _locked_text(content["region_fingerprint"])
    return RegionDecision(names, floors, ceilings, read_steps(content), words, regions)


def _locked_text(value: Any) -> str:
    """A text of a lock that can be written down again."""
    return locked_texts({"words": value})["words"]
