"""Staging: a table per ladder, one of labels, one of cells; the search reads nothing else."""

from collections.abc import Callable
from dataclasses import dataclass

from markupsafe import Markup

from sqlgen.catalog import Relation, temporary
from sqlgen.engines import Engine
from sqlgen.errors import EngineError, HierarchyError
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.hierarchies.rules import Expressions
from sqlgen.ladders import check_ladder, ladder_table
from sqlgen.lattice import Lattice, Node
from sqlgen.policy import Policy
from sqlgen.sql.render import Statement, statement

CELL = temporary("cell")
LABEL = temporary("label")


@dataclass(frozen=True)
class Staged:
    """What the search is decided on: names of staged tables, and counts.

    ``row_sums[i][level]`` adds up, over the rows that may be released, how many leaves the
    column's label covers.
    """

    rows: int
    dropped_rows: int
    cells: int
    ladders: tuple[Ladder, ...]
    leaves: tuple[int, ...]
    row_sums: tuple[tuple[int, ...], ...]

    @property
    def lattice(self) -> Lattice:
        """The lattice of the ladders."""
        return Lattice(tuple(ladder.height for ladder in self.ladders))

    def unsuppressed_leaf_sums(self, node: Node) -> list[int]:
        """The leaf sums of a node if it suppressed no class: a lower bound of what it gives."""
        return [
            self.row_sums[column][level] + self.dropped_rows * self.leaves[column]
            for column, level in enumerate(node)
        ]


def stage(
    engine: Engine,
    policy: Policy,
    source: Relation,
    ladders: tuple[Ladder, ...],
    progress: Callable[[str], None],
    show_values: bool,
) -> Staged:
    """Stage every ladder, prove each by counting, and count the cells.

    Raises HierarchyError where a hierarchy is not total, single-valued and nested.
    """
    for number, ladder in enumerate(ladders, 1):
        progress(f"staging {ladder.column.name}")
        _stage_ladder(engine, ladder_sql(number, ladder, source), ladder, policy)
        check_ladder(engine, number, ladder, policy, show_values)
    engine.run(label_sql(ladders))
    sizes = {
        (number, level): (leaves, largest)
        for number, level, leaves, largest in engine.rows(
            statement("staging/label_sizes", label=LABEL)
        )
    }
    progress("counting cells")
    engine.run(cell_sql(ladders, source, sizes))
    rows, kept, cells = engine.rows(statement("staging/totals", source=source.sql, cell=CELL))[0]
    leaves = tuple(sizes.get((number, 0), (0, 0))[0] for number in range(1, len(ladders) + 1))
    return Staged(
        rows=rows,
        dropped_rows=rows - kept,
        cells=cells,
        ladders=ladders,
        leaves=leaves,
        row_sums=_row_sums(engine, ladders, [kept * count for count in leaves]),
    )


def _stage_ladder(engine: Engine, made: Statement, ladder: Ladder, policy: Policy) -> None:
    """Stage one ladder; where the user's own expression fails, say where it stands."""
    column = ladder.column.name
    if not isinstance(policy.columns[column].hierarchy, Expressions):
        engine.run(made)
        return
    try:
        engine.run(made)
    except EngineError as error:
        raise HierarchyError(
            f"{policy.where('columns', column, 'hierarchy')}: the database cannot run sql on "
            f"every value ({error}). Nothing was changed."
        ) from None


def _row_sums(
    engine: Engine, ladders: tuple[Ladder, ...], at_top: list[int]
) -> tuple[tuple[int, ...], ...]:
    parts = [
        (ladder_table(number), number, range(ladder.height))
        for number, ladder in enumerate(ladders, 1)
    ]
    rows = engine.rows(statement("staging/row_sums", cell=CELL, label=LABEL, parts=parts))
    sums = {(number, level): row_sum for number, level, row_sum in rows}
    return tuple(
        (*(sums[number, level] for level in range(ladder.height)), top)
        for (number, ladder), top in zip(enumerate(ladders, 1), at_top, strict=True)
    )


def ladder_sql(number: int, ladder: Ladder, source: Relation) -> Statement:
    """The statement that stages one ladder: a row per leaf, with its label's id at each level."""
    return statement(
        "staging/ladder",
        table=ladder_table(number),
        labelled=ladder.labelled(source.sql),
        is_kept=ladder.is_kept,
        labels=[ladder.label(level) for level in range(ladder.height)],
    )


def label_sql(ladders: tuple[Ladder, ...]) -> Statement:
    """The statement that stages every label below the tops with the leaves it covers."""
    parts = [
        (ladder_table(number), number, level)
        for number, ladder in enumerate(ladders, 1)
        for level in range(ladder.height)
    ]
    return statement("staging/label", table=LABEL, parts=parts)


def cell_sql(
    ladders: tuple[Ladder, ...], source: Relation, sizes: dict[tuple[int, int], tuple[int, int]]
) -> Statement:
    """The statement that counts each distinct combination of quasi-identifier values.

    ``sizes`` gives, per ladder and level, the number of leaves and the largest id.
    """
    return statement(
        "staging/cell",
        table=CELL,
        source=source.sql,
        ladders=[
            {
                "alias": Markup(f"q{number}"),
                "table": ladder_table(number),
                "plain": ladder.column.plain("source"),
                "id_types": [
                    _smallest_type(sizes.get((number, level), (0, 0))[1])
                    for level in range(ladder.height)
                ],
            }
            for number, ladder in enumerate(ladders, 1)
        ],
    )


def _smallest_type(largest: int) -> Markup:
    """The narrowest unsigned type: grouping by one-byte ids is twice as fast as by text."""
    return Markup("UTINYINT" if largest < 2**8 else "USMALLINT" if largest < 2**16 else "UINTEGER")
