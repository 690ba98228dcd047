"""Uncut regions: what keeps the regions of Mondrian from another cut, column by column."""

from collections.abc import Mapping
from dataclasses import replace

from sqlgen.measuring.evaluator import NodeEvaluator
from sqlgen.recodings.blocked import BlockedColumn
from sqlgen.recodings.cut_regions import left_cells_sql
from sqlgen.recodings.cuts import (
    CutForm,
    candidate_table,
    candidates_sql,
    judged_sides,
    region_cut_table,
)
from sqlgen.recodings.regions import settled
from sqlgen.sql.render import statement


def find_uncut(evaluator: NodeEvaluator, form: CutForm, rounds: int) -> Mapping[str, BlockedColumn]:
    """The columns that cannot cut some regions that were just left, by the cut of most gain.

    A region with one value of a column is not blocked by that column.
    """
    engine, staged, after = evaluator.engine, evaluator.staged, rounds + 1
    judged = settled(replace(staged.judged, guarantees=evaluator.guarantees))
    engine.run(left_cells_sql(form, rounds))
    engine.run(candidates_sql(after, form, replace(judged, guarantees=()), follows=False))
    regions, candidates = region_cut_table(after), candidate_table(after)
    counts = engine.rows(statement("recodings/uncut", regions=regions, candidates=candidates))
    broken: list[dict[int, int]] = []
    for guarantee in evaluator.guarantees:
        sides = judged_sides(after, form, replace(judged, guarantees=(guarantee,)))
        rows = engine.rows(statement("recodings/blocked_by", **sides))
        broken.append(dict(rows))
    return {
        staged.names[quasi - 1]: BlockedColumn(
            column=staged.names[quasi - 1],
            regions=count,
            rows=row_count,
            none_passes=count,
            rest_fails=0,
            broken=tuple(by_column.get(quasi, 0) for by_column in broken),
        )
        for quasi, count, row_count in sorted(counts)
    }
