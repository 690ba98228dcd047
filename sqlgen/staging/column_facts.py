"""The counts of each column, level by level: the figures that objectives start from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation, temporary
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.metrics import ColumnFacts, LevelFacts, TableFacts, WidestLabel, n_logs
from sqlgen.sql.render import statement
from sqlgen.staging.ladders import staged_ladder
from sqlgen.staging.packing import Packing

CELL = temporary("cell")
LABEL = temporary("label")

_EMPTY = LevelFacts(0, 0, 0, 0, 0)


@dataclass(frozen=True)
class LabelSizes:
    """The labels of one ladder at one level: leaves in all, the largest id, largest logarithms.

    ``most_leaves`` are those of the label that covers most, ``faults`` counts labels at which the
    ladder is not total, single-valued or nested, ``rung`` is what all labels add up to where no row
    is dropped.
    """

    leaves: int = 0
    largest_id: int = 0
    log_leaves: int = 0
    log_rows: int = 0
    most_leaves: int = 0
    faults: int = 0
    rung: LevelFacts = field(default=_EMPTY, kw_only=True)


Sizes = Mapping[tuple[int, int], LabelSizes]


def read_sizes(engine: Engine) -> Sizes:
    """The sizes of each ladder's labels at each level, once they are staged."""
    rows = engine.rows(statement("staging/label_sizes", label=LABEL))
    return {
        (number, level): LabelSizes(*row[:6], rung=LevelFacts(*row[6:]))
        for number, level, *row in rows
    }


def ladder_parts(ladders: Sequence[Ladder]) -> list[tuple[Markup, int, range]]:
    """Each staged ladder, its number and its levels below the top."""
    return [
        (staged_ladder(number, ladder), number, range(ladder.height))
        for number, ladder in enumerate(ladders, 1)
    ]


def read_column_facts(
    engine: Engine,
    ladders: Sequence[Ladder],
    sizes: Sizes,
    packing: Packing,
    rows: int,
    kept_rows: int,
) -> tuple[ColumnFacts, ...]:
    """The facts of each column, once its labels and the cells are staged.

    Where rows are dropped, by whatever column, what is left of each column is counted anew.
    """
    nothing = LabelSizes()
    rungs = {place: known.rung for place, known in sizes.items()}
    logs = {
        number: (
            sizes.get((number, 0), nothing).rung.log_rows,
            sizes.get((number, ladder.height), nothing).log_rows,
        )
        for number, ladder in enumerate(ladders, 1)
    }
    if kept_rows < rows:
        parts = ladder_parts(ladders)
        leaves = [(number, packing.fields[number, 0].id) for _, number, _ in parts]
        levels = [
            {"ladder": table, "number": number, "level": level}
            for table, number, levels in parts
            for level in levels
        ]
        asked = statement("staging/row_sums", cell=CELL, label=LABEL, levels=levels, leaves=leaves)
        rungs = {
            (number, level): LevelFacts(*counts) for number, level, *counts in engine.rows(asked)
        }
        asked = statement("staging/own_logs", parts=parts)
        logs = {number: (own, of_all) for number, own, of_all in engine.rows(asked)}
    return tuple(
        _slope(number, ladder, sizes, rungs, logs[number], kept_rows)
        for number, ladder in enumerate(ladders, 1)
    )


def with_cell_logs(
    engine: Engine, facts: TableFacts, source: Relation, columns: Sequence[str]
) -> TableFacts:
    """The facts with what a divergence from the source is reckoned from, counted once."""
    if facts.cell_logs is not None:
        return facts
    plains = [source.column(name).plain("source") for name in columns]
    asked = statement("staging/cell_logs", source=source.sql, plains=plains, cell=CELL)
    return replace(facts, cell_logs=engine.rows(asked)[0][0])


def _slope(
    number: int,
    ladder: Ladder,
    sizes: Sizes,
    rungs: Mapping[tuple[int, int], LevelFacts],
    logs: tuple[int, int],
    kept_rows: int,
) -> ColumnFacts:
    nothing = LabelSizes()
    whole = sizes.get((number, ladder.height), nothing)
    top = LevelFacts(
        labels=min(1, kept_rows),
        leaves=kept_rows * whole.leaves,
        log_leaves=kept_rows * whole.log_leaves,
        log_rows=kept_rows * whole.log_rows,
        class_logs=n_logs(kept_rows),
    )
    below = [rungs.get((number, level), nothing.rung) for level in range(ladder.height)]
    known = [sizes.get((number, level), nothing) for level in range(ladder.height + 1)]
    widest = tuple(WidestLabel(each.most_leaves, each.log_rows) for each in known)
    own, of_all = logs
    return ColumnFacts(
        whole.leaves, whole.log_leaves, whole.log_rows, of_all, own, (*below, top), widest
    )
