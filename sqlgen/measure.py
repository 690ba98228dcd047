"""One node of the lattice in, one row of numbers out; no strategy, and no row of the table."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.lattice import Node
from sqlgen.models import Guarantee
from sqlgen.sql.render import fragment, statement
from sqlgen.staging import CELL, LABEL, Staged


@dataclass(frozen=True)
class Measures:
    """What a node releases when its failing classes are suppressed.

    ``measured`` holds each guarantee's figure at the worst class that is released.
    """

    classes: int
    suppressed_rows: int
    measured: tuple[int, ...]


def failing(guarantees: Sequence[Guarantee]) -> Markup:
    """A condition over one class: TRUE where it breaks any of the guarantees."""
    return fragment("models/any_fails", conditions=[each.class_fails for each in guarantees])


def measure_nodes(
    engine: Engine,
    staged: Staged,
    guarantees: Sequence[Guarantee],
    nodes: Sequence[Node],
    *,
    suppress: bool = True,
) -> list[Measures]:
    """The measures of some nodes, in one statement; ``suppress=False`` releases every class."""
    rows = engine.rows(
        statement(
            "measure/verdict",
            cell=CELL,
            nodes=[_columns(staged, node) for node in nodes],
            figures=[each.measured for each in guarantees],
            fails=failing(guarantees if suppress else ()),
        )
    )
    return [
        Measures(classes, staged.rows - released, tuple(measured))
        for _, classes, released, *measured in sorted(rows)
    ]


def leaf_sums(
    engine: Engine, staged: Staged, guarantees: Sequence[Guarantee], node: Node
) -> list[int]:
    """Per column, the leaves that rows' labels cover, added up; a suppressed row's covers all."""
    below_top = [
        (number, level)
        for number, level in enumerate(node, 1)
        if level < staged.ladders[number - 1].height
    ]
    parts = [
        {
            "alias": Markup(f"label_{number}"),
            "column": column_name(number, level),
            "number": number,
            "level": level,
        }
        for number, level in below_top
    ]
    failing_rows, *failing_sums = engine.rows(
        statement(
            "measure/leaf_sums", cell=CELL, label=LABEL, parts=parts, fails=failing(guarantees)
        )
    )[0]
    sums = staged.unsuppressed_leaf_sums(node)
    for (number, _), failing_sum in zip(below_top, failing_sums, strict=True):
        sums[number - 1] += failing_rows * staged.leaves[number - 1] - failing_sum
    return sums


def column_name(number: int, level: int) -> str:
    """The cells' column that holds a ladder's ids at a level."""
    return f"q{number}_{level}"


def _columns(staged: Staged, node: Node) -> list[str]:
    return [
        column_name(number, level)
        for number, level in enumerate(node, 1)
        if level < staged.ladders[number - 1].height
    ]
