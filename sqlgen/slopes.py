"""What staging counts of each column, level by level: the figures that objectives start from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from sqlgen.catalog import temporary
from sqlgen.engines import Engine
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.ladders import ladder_table
from sqlgen.metrics import Rung, Slope, n_logs
from sqlgen.sql.render import statement

CELL = temporary("cell")
LABEL = temporary("label")


@dataclass(frozen=True)
class LabelSizes:
    """The labels of one ladder at one level: leaves in all, the largest id, largest logarithms."""

    leaves: int = 0
    largest_id: int = 0
    log_leaves: int = 0
    log_rows: int = 0


Sizes = Mapping[tuple[int, int], LabelSizes]


def ladder_parts(ladders: Sequence[Ladder]) -> list[tuple[Markup, int, range]]:
    """Each ladder's table, its number and its levels below the top."""
    return [
        (ladder_table(number), number, range(ladder.height))
        for number, ladder in enumerate(ladders, 1)
    ]


def read_slopes(
    engine: Engine, ladders: Sequence[Ladder], sizes: Sizes, kept_rows: int
) -> tuple[Slope, ...]:
    """What was counted of each column, once its labels and the cells are staged."""
    parts = ladder_parts(ladders)
    counted: dict[tuple[int, int], Sequence[Any]] = {
        (number, level): counts
        for number, level, *counts in engine.rows(
            statement("staging/row_sums", cell=CELL, label=LABEL, parts=parts)
        )
    }
    logs = {
        number: (own, of_all)
        for number, own, of_all in engine.rows(statement("staging/own_logs", parts=parts))
    }
    return tuple(
        _slope(number, ladder, sizes, counted, logs[number], kept_rows)
        for number, ladder in enumerate(ladders, 1)
    )


def _slope(
    number: int,
    ladder: Ladder,
    sizes: Sizes,
    counted: Mapping[tuple[int, int], Sequence[Any]],
    logs: tuple[int, int],
    kept_rows: int,
) -> Slope:
    whole = sizes[number, ladder.height]
    top = Rung(
        labels=min(1, kept_rows),
        leaves=kept_rows * whole.leaves,
        log_leaves=kept_rows * whole.log_leaves,
        log_rows=kept_rows * whole.log_rows,
        class_logs=n_logs(kept_rows),
    )
    rungs = [Rung(*counted.get((number, level), (0, 0, 0, 0, 0))) for level in range(ladder.height)]
    own, of_all = logs
    return Slope(whole.leaves, whole.log_leaves, whole.log_rows, of_all, own, (*rungs, top))
