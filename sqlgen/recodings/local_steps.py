"""The steps of local recoding: the nodes of its layers, and its rounds of refinement."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, get_args

from markupsafe import Markup

from sqlgen.judging.verdict_sql import JudgingInput
from sqlgen.recodings.kept_regions import tree_sql
from sqlgen.recodings.locked import locked_count
from sqlgen.recodings.regions import (
    MOST_ROUNDS,
    CellForm,
    Gain,
    Saving,
    first_regions_sql,
    layer_sql,
    layer_table,
    region_table,
    round_sql,
    round_tables,
)
from sqlgen.search.lattice import Node
from sqlgen.sql.render import Statement, noted

LOCAL = "local"
# Each is a statement of the script.
_MOST_LAYERS = 10_000
_NOTES = ("children of each region", "rests", "the column of each region", "regions")


@dataclass(frozen=True)
class LocalSteps:
    """The steps of local recoding: the node of each layer, and how many rounds refine regions.

    ``gain`` says by what a region's column is chosen; where rows save by finer labels, ``saving``
    says what, and ``weights`` how much that counts in each column. A layer that ``takes_all`` makes
    regions of every class, and leaves it to the release to suppress or mask what fails.
    """

    recoding: ClassVar[str] = LOCAL
    shows_own: ClassVar[bool] = False

    layers: tuple[Node, ...]
    rounds: int
    gain: Gain
    saving: Saving
    weights: tuple[int, ...]
    takes_all: bool = False

    @property
    def counts(self) -> dict[str, int]:
        """How many layers and rounds there are."""
        return {"layers": len(self.layers), "rounds": self.rounds}

    @property
    def last_round(self) -> int:
        """The last round."""
        return self.rounds

    def cells(self, form: CellForm) -> CellForm:
        """The form of the cells as it is."""
        return form

    def made(self, form: CellForm, ceilings: Node, judged: JudgingInput) -> list[Statement]:  # noqa: ARG002
        """The statements of the layers, of the regions of their classes, and of every round."""
        count = len(self.layers)
        # Where a layer takes all of its classes, what fails is left to the release.
        by_layer = replace(judged, guarantees=()) if self.takes_all else judged
        layers = [
            noted(layer_sql(number, form, by_layer, node), f"layer {number} of {count}")
            for number, node in enumerate(self.layers, 1)
        ]
        rounds = [
            noted(asked, f"round {number} of {self.rounds}: {note}")
            for number in range(1, self.rounds + 1)
            for asked, note in zip(round_sql(number, form, judged, self.gain), _NOTES, strict=True)
        ]
        first = first_regions_sql(form, self.layers)
        return [*layers, noted(first, "a region of each class that was released"), *rounds]

    def tree(self, form: CellForm, ceilings: Node, judged: JudgingInput) -> Statement:  # noqa: ARG002
        """The statement that makes one tree of the regions of all rounds."""
        return tree_sql(form, self.rounds)

    def tables(self) -> list[Markup]:
        """The tables of layers, of regions and of rounds."""
        rounds = range(1, self.rounds + 1)
        return [
            *(layer_table(number) for number, _ in enumerate(self.layers, 1)),
            *(region_table(number) for number in range(self.rounds + 1)),
            *(table for number in rounds for table in round_tables(number)),
        ]

    def words(self, number: int, words: Sequence[str]) -> Sequence[str]:  # noqa: ARG002
        """The words of the ladder's levels."""
        return words

    def nodes(self) -> tuple[Node, ...]:
        """The nodes of the layers."""
        return self.layers

    def to_lock(self) -> dict[str, Any]:
        """The nodes and the rounds, and what a refinement gains."""
        return {
            "layers": [list(node) for node in self.layers],
            "rounds": self.rounds,
            "gain": self.gain,
            "saving": self.saving,
            "takes_all": self.takes_all,
        }

    def column_to_lock(self, number: int) -> dict[str, Any]:
        """The weight of a column."""
        return {"weight": self.weights[number - 1]}


def read_local_steps(content: Mapping[str, Any]) -> LocalSteps:
    """The steps that a lock holds; ValueError or TypeError where a part is something else."""
    columns = content["columns"]
    layers = tuple(tuple(map(locked_count, node)) for node in content["layers"])
    gain, saving, rounds = content["gain"], content["saving"], locked_count(content["rounds"])
    fits = (
        all(len(node) == len(columns) for node in layers)
        and gain in get_args(Gain)
        and saving in get_args(Saving)
        and rounds <= MOST_ROUNDS
        and 0 < len(layers) <= _MOST_LAYERS
        and isinstance(content["takes_all"], bool)
    )
    if not fits:
        raise ValueError("no steps of local recoding")
    weights = tuple(locked_count(column["weight"]) for column in columns)
    return LocalSteps(layers, rounds, gain, saving, weights, content["takes_all"])
