"""Wide cells: a count per sensitive value beside each cell, so that a class is one row of counts.

Where a table has one sensitive column of few values, a node is judged by one GROUP BY and
arithmetic over its rows, without a histogram: 10 M rows, ordered distance, one node 0.03 s against
0.15 s. Guarantees that need more are judged by histograms; the two give the same verdicts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import temporary
from sqlgen.guarantees import CountRow, Guarantee
from sqlgen.judging.verdict_sql import JudgingInput, breaks, judges_sizes_alone, repair_by_size
from sqlgen.sql.render import (
    Statement,
    command,
    commas,
    each,
    fragment,
    has_own_form,
    ident,
    literal,
    sql,
    statement,
)

COUNT_CELL = temporary("wide_cell")
# Fewer cells than that are saved by putting their values side by side are not worth the copy.
_WORTH = 1.5
# The sum of so many products of two counts of so many rows fits 63 bits.
_NARROW_ROWS = 10**8

# What the rounds of a node are rendered from: guarantees, condemned sizes, rounds, the budget.
Asked = tuple[tuple[Guarantee, ...], Markup, int, int]


@dataclass(frozen=True)
class CountCells:
    """The one sensitive column, counted: how many values, their order and hierarchy.

    ``positions`` holds the values' ids in their order, ``cuts`` per level each value's label there.
    ``fixed`` holds the counts, by value, of references that suppression does not move. Sums that
    are ``cumulative`` are those of the first values in order; ``sums`` are those of all cells, and
    ``rows`` also counts the rows of the table that are in none. ``rounds`` keeps what was rendered
    for every node alike: 1 ms of the 7 that a node took.
    """

    table: Markup
    rows: int
    values: int
    positions: tuple[int, ...]
    cuts: tuple[tuple[int, ...], ...]
    fixed: Mapping[str, tuple[int, ...]]
    cumulative: bool
    sums: tuple[int, ...]
    whole: Markup
    rounds: dict[Asked, list[Markup]] = field(default_factory=dict, compare=False)

    def vanishing(self, budget: int, reference: Sequence[int] | None) -> int:
        """The number of values that so many suppressed rows may take out of a reference."""
        counts = list(self.sums)
        if self.cumulative:
            before = (0, *self.sums)
            for place, number in enumerate(self.positions):
                counts[number] = self.sums[place] - before[place]
        lacking = [
            count
            for number, count in enumerate(counts)
            if count and not (reference and reference[number])
        ]
        return sum(total <= budget for total in accumulate(sorted(lacking)))


def tells_by_counts(guarantees: Sequence[Guarantee]) -> bool:
    """Whether counts per value tell what guarantees ask."""
    return not judges_sizes_alone(guarantees) and all(
        guarantee.decided_by_size or guarantee.tells_by_counts for guarantee in guarantees
    )


def can_be_counted(judged: JudgingInput) -> bool:
    """Whether there is one sensitive column, of few values, and its counts tell every verdict.

    Only an engine that works over lists judges by counts; elsewhere histograms do.
    """
    return (
        has_own_form("judging/wide_round")
        and len(judged.values) == 1
        and judged.values[0].is_sensitive
        and judged.values[0].few
        and not judged.masks_sensitive
        and not judged.people
        and tells_by_counts(judged.guarantees)
    )


def stage_count_cells(
    engine: Engine,
    judged: JudgingInput,
    cells: Markup,
    value_cells: Markup,
    rows: int,
    columns: Sequence[str],
) -> CountCells | None:
    """The wide cells, where they pay."""
    if not can_be_counted(judged):
        return None
    (column,) = judged.values
    count, counted = engine.rows(
        command(
            "staging/wide_counts",
            "SELECT\n"
            "  (SELECT COUNT(*) FROM {cells}) AS cell_count,\n"
            "  (SELECT COUNT(*) FROM {value_cells}) AS value_cell_count",
            cells=cells,
            value_cells=value_cells,
        )
    )[0]
    if not count or counted < _WORTH * count:
        return None
    # Cumulated at once, for the sums of sums along an order would be planned with every node.
    cumulative = any(guarantee.needs_column_option == "order" for guarantee in judged.guarantees)
    positions, *cuts = engine.rows(
        statement(
            "staging/wide_values",
            values=column.relation,
            levels=range(column.height),
            order=Markup("position" if cumulative else "id_0"),
        )
    )[0]
    values = len(positions)
    sums = [positions[: place + 1] if cumulative else [place] for place in range(values)]
    engine.run(_cells_statement(value_cells, column.cell, sums, rows, columns))
    fixed = _fixed_counts(engine, judged, values)
    largest = max([rows, *(sum(each) for each in fixed.values())])
    return CountCells(
        COUNT_CELL,
        rows,
        values,
        tuple(positions),
        tuple(map(tuple, cuts)),
        fixed,
        cumulative,
        tuple(engine.rows(_sums_statement(values))[0]),
        Markup("BIGINT" if largest <= _NARROW_ROWS else "HUGEINT"),
    )


def _cells_statement(
    value_cells: Markup, value: Markup, sums: Sequence[list[int]], rows: int, columns: Sequence[str]
) -> Statement:
    """The statement that stages the wide cells: each sum is that of some values' rows."""
    keys = [name for name in columns if name.endswith("_0")]
    return statement(
        "staging/wide_cell",
        table=COUNT_CELL,
        value_cells=value_cells,
        value=value,
        sums=[(place, commas(map(literal, ids))) for place, ids in enumerate(sums)],
        columns=[
            (name, ident(name) if name in keys else sql("MIN({name:ident})", name=name))
            for name in columns
        ],
        keys=keys,
        type=Markup("INTEGER" if rows < 2**31 else "BIGINT"),
    )


def _sums_statement(values: int) -> Statement:
    """The statement that adds up the sums of all wide cells."""
    sums = each(range(values), "CAST(COALESCE(SUM(s_{0}), 0) AS BIGINT) AS s_{0}")
    pattern = "SELECT\n  {sums}\nFROM {table}"
    return command("staging/wide_sums", pattern, sums=commas(sums, 2), table=COUNT_CELL)


def _fixed_counts(engine: Engine, judged: JudgingInput, values: int) -> dict[str, tuple[int, ...]]:
    """Per reference that suppression does not move its count of each value."""
    fixed = {}
    for (_, table), relation in judged.fixed.items():
        asked = statement("staging/wide_reference", reference=relation)
        ids, counts = engine.rows(asked)[0]
        count_by_value = dict(zip(ids, counts, strict=True))
        fixed[repr(table)] = tuple(count_by_value.get(value, 0) for value in range(values))
    return fixed


def count_classes_sql(
    wide: CountCells,
    guarantees: Sequence[Guarantee],
    keys: Sequence[str],
    condemned: Markup,
    rounds: int,
    budget: int,
) -> Markup:
    """Expressions ``class`` and ``verdict_n``: a node's classes, judged round by round."""
    asked = (tuple(guarantees), condemned, rounds, budget)
    if asked not in wide.rounds:
        wide.rounds[asked] = _rounds(wide, guarantees, condemned, rounds, budget)
    return fragment(
        "judging/wide_classes",
        cells=wide.table,
        keys=keys,
        ids=range(wide.values),
        rounds=wide.rounds[asked],
    )


def _rounds(
    wide: CountCells, guarantees: Sequence[Guarantee], condemned: Markup, rounds: int, budget: int
) -> list[Markup]:
    judged = [
        _judged(wide, guarantee, number, budget) for number, guarantee in enumerate(guarantees, 1)
    ]
    return [
        fragment(
            "judging/wide_round",
            round=number,
            left=Markup(f"verdict_{number - 1:d}" if number else "class"),
            condemned=condemned,
            ids=range(wide.values),
            carried=range(wide.values if number < rounds else 0),
            shared=[item for entry in judged for item in entry["shared"]],
            worked=[entry["worked"] for entry in judged if entry["worked"]],
            guarantees=judged,
        )
        for number in range(rounds + 1)
    ]


def _judged(wide: CountCells, guarantee: Guarantee, number: int, budget: int) -> dict[str, Any]:
    breaking = breaks(guarantee, f"fails_{number}", f"figure_{number}")
    if guarantee.decided_by_size:
        # A guarantee that cannot say what its sizes fail by is not met.
        fails = guarantee.fails_by_size or Markup("TRUE")
        pattern = "{fails} AS fails_{number},\nclass_size AS figure_{number}"
        return {
            "number": number,
            "shared": (),
            "worked": None,
            "judged": sql(pattern, number=number, fails=fails),
            "breaks": breaking,
            "repair": repair_by_size(fails),
        }
    reference = wide.fixed.get(repr(guarantee.reference_table))
    counted = guarantee.by_counts(
        CountRow(
            number=number,
            values=wide.values,
            positions=wide.positions,
            cuts=wide.cuts,
            reference=reference,
            cumulative=wide.cumulative,
            lasting=wide.rows - budget,
            vanishing=wide.vanishing(budget, reference),
            whole=wide.whole,
        )
    )
    least = 0 if budget and guarantee.reference_moves else 1
    return {
        "number": number,
        "shared": counted.shared,
        "worked": counted.worked,
        "judged": counted.judged,
        "breaks": breaking,
        "repair": fragment(
            "judging/repair",
            by_size=[] if guarantee.fails_by_size is None else [guarantee.fails_by_size],
            passes=sql("NOT fails_{number}", number=number),
            need=sql("need_{number}", number=number),
            least=least,
        ),
    }
