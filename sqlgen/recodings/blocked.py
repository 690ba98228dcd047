"""Blocked columns: what keeps the regions of local recoding from finer labels, column by column."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from markupsafe import Markup

from sqlgen.engines.duckdb.catalog import temporary
from sqlgen.measuring.evaluator import NodeEvaluator
from sqlgen.recodings.regions import (
    CellForm,
    finer_cells,
    judged_classes,
    last_cells,
    rest_cells,
    settled,
)
from sqlgen.sql.render import statement

_LAST = temporary("region")
_FINER = temporary("finer")
_REST = temporary("rest")


@dataclass(frozen=True)
class BlockedColumn:
    """A column with the regions that it cannot make finer: how many, and their rows.

    In ``none_passes`` of them no finer label gives every guarantee; in ``rest_fails`` some do, and
    the rows of the others together do not. ``broken`` counts, per guarantee in the policy's order,
    the regions with a finer label that breaks it.
    """

    column: str
    regions: int
    rows: int
    none_passes: int
    rest_fails: int
    broken: tuple[int, ...]


def find_blocked(
    evaluator: NodeEvaluator, form: CellForm, rounds: int
) -> Mapping[str, BlockedColumn]:
    """The columns that cannot make some regions finer, after the rounds that were just run.

    A region at the finest level that a column may have is not blocked by that column.
    """
    engine, staged = evaluator.engine, evaluator.staged
    judged = settled(replace(staged.judged, guarantees=evaluator.guarantees))
    last = statement(
        "recodings/region_last",
        table=_LAST,
        columns=[*form.ids, *form.values, Markup("row_count"), *form.levels, *form.own_ids],
        cells=last_cells(form, rounds),
    )
    cells, keys = finer_cells(form, _LAST)
    rests = rest_cells(form, cells, _FINER)
    engine.run(last)
    engine.run(statement("recodings/finer", table=_FINER, **judged_classes(cells, keys, judged)))
    engine.run(statement("recodings/rest", table=_REST, **judged_classes(rests, keys[:2], judged)))
    counts = engine.rows(statement("recodings/blocked", finer=_FINER, rest=_REST))
    broken: list[dict[int, int]] = []
    for guarantee in evaluator.guarantees:
        alone = judged_classes(cells, keys, replace(judged, guarantees=(guarantee,)))
        rows = engine.rows(statement("recodings/blocked_by", **alone))
        broken.append(dict(rows))
    return {
        staged.names[quasi - 1]: BlockedColumn(
            column=staged.names[quasi - 1],
            regions=regions,
            rows=count,
            none_passes=none_passes,
            rest_fails=rest_fails,
            broken=tuple(by_column.get(quasi, 0) for by_column in broken),
        )
        for quasi, regions, count, none_passes, rest_fails in sorted(counts)
    }
