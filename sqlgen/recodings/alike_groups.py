"""Groups of alike rows, as SQL: how microaggregation groups rows by a confidential column.

Soria-Comas and Domingo-Ferrer 2013, section 3: a group has k rows or more whose confidential values
are as alike as can be. Of one column, groups of least squares are rows that stand side by side, and
a shortest path over the places between rows finds them (Hansen and Mukherjee 2003). Rows are in
blocks, each with a path of its own, and all paths are found by one statement.

The seam is ``GROUP_PART``: how many rows of each cell are in each group. Whatever reads groups
reads it, in whichever way rows came to their groups.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from sqlgen.engines.duckdb.catalog import Relation, temporary, unused_name
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.judging.verdict_sql import JudgingInput, Values
from sqlgen.recodings.regions import (
    REGION_CELL,
    REGION_SHOWN,
    CellForm,
    judged_classes,
    region_table,
    replacing,
    rung_table,
)
from sqlgen.recodings.release import label_join
from sqlgen.search.lattice import Node
from sqlgen.sql.render import (
    Statement,
    commas,
    each,
    fragment,
    ident,
    joined,
    literal,
    sql,
    statement,
)
from sqlgen.sql.types import Column, Kind

ALIKE_CELL = temporary("alike_cell")
ALIKE_STEP = temporary("alike_step")
ALIKE_BEST = temporary("alike_best")
GROUP_PART = temporary("group_part")
ALIKE_ROW = temporary("alike_row")

# Groups of a block, of the fewest rows: longer blocks are longer recursions, shorter ones have more
# borders that no group may reach over.
_BLOCK_GROUPS = 40
# Groups of more rows than this are cut at every second place, and so on: a place costs as much as
# there are sizes that a group may have.
_SIZES = 16
# A group that fails is merged with 1 neighbour, then 2, 4, ...: 64 rounds merge any table.
MOST_MERGES = 64

_DATES = (Kind.DATE, Kind.TIMESTAMP, Kind.TIMESTAMPTZ)
_ZERO_DAY = "CAST('1970-01-01' AS {type})"


@dataclass(frozen=True)
class AlikeForm:
    """The form of what is grouped: the cells, the confidential column, and the fewest rows.

    ``ceilings`` are the coarsest levels that labels may have. Rows of all values are dealt out to
    each group where it ``deals``; groups are alike otherwise.
    """

    cells: CellForm
    ceilings: Node
    value: Values
    least: int
    deals: bool = False

    @property
    def most(self) -> int:
        """The most rows that a group has, unless it fails a guarantee."""
        return 2 * self.least - 1

    @property
    def unit(self) -> int:
        """How many rows stand between two places at which groups may be cut."""
        return max(1, self.least // _SIZES)

    @property
    def pieces(self) -> range:
        """How many places a group may reach over."""
        return range((self.least - 1) // self.unit + 1, (self.most - 1) // self.unit + 2)

    @property
    def columns(self) -> list[Markup]:
        """The columns of a cell but for its rows."""
        return [*self.cells.ids, *self.cells.values]


def group_table(merges: int) -> Markup:
    """The table with the groups after some rounds of merging."""
    return temporary(f"alike_group_{merges}")


def judged_table(merges: int) -> Markup:
    """The table that says which of the groups fail, after some rounds of merging."""
    return temporary(f"alike_judged_{merges}")


def amounts_query(column: Column, values: Markup, rows: Markup) -> Markup:
    """A query for the values of a column as whole numbers, with what kind each is of."""
    whole = _whole(column)
    is_wide = column.kind is Kind.FLOAT or column.type in ("HUGEINT", "UHUGEINT")
    share = "(whole * 0.5 - least * 0.5) / (most * 0.5 - least * 0.5)"
    amount = "CAST(FLOOR({share} * CAST(scale AS DOUBLE)) AS HUGEINT)"
    if not is_wide:
        share = "CAST(whole - least AS DOUBLE) / CAST(most - least AS DOUBLE)"
        amount = f"CASE WHEN most - least <= scale THEN whole - least ELSE {amount} END"
    return fragment(
        "recodings/alike_amount",
        values=values,
        rows=rows,
        kind=_kind(column),
        whole=whole,
        amount=sql(amount, share=Markup(share)),
    )


def _kind(column: Column) -> Markup:
    """Of what kind a value is: infinite ones, NaN and NULL have no distance to any other."""
    if column.kind in (Kind.INTEGER, Kind.DECIMAL):
        return Markup("CASE WHEN value IS NULL THEN 4 ELSE 1 END")
    zero = "0" if column.kind is Kind.FLOAT else _ZERO_DAY
    nan = "WHEN ISNAN(value) THEN 3 " if column.kind is Kind.FLOAT else ""
    pattern = f"CASE WHEN value IS NULL THEN 4 {nan}WHEN ISFINITE(value) THEN 1 "
    pattern += f"WHEN value > {zero} THEN 2 ELSE 0 END"
    return sql(pattern, type=Markup(column.type))


def _whole(column: Column) -> Markup:
    """A value as a whole number; a floating-point one as it is."""
    if column.kind is Kind.DATE:
        return Markup("CAST(value - CAST('1970-01-01' AS DATE) AS HUGEINT)")
    if column.type == "TIMESTAMP_NS":
        return Markup("CAST(EPOCH_NS(value) AS HUGEINT)")
    if column.kind in _DATES:
        return Markup("CAST(EPOCH_US(value) AS HUGEINT)")
    if column.kind is Kind.DECIMAL:
        return Markup("CAST(REPLACE(CAST(value AS VARCHAR), '.', '') AS HUGEINT)")
    is_wide = column.kind is Kind.FLOAT or column.type in ("HUGEINT", "UHUGEINT")
    return Markup("CAST(value AS DOUBLE)" if is_wide else "CAST(value AS HUGEINT)")


def alike_cells_sql(form: AlikeForm) -> Statement:
    """The statement that puts the cells in order, with the amounts of their values."""
    column = Column(form.value.column, str(form.value.type))
    occurring = sql(
        "(SELECT id_0 AS value_id, value FROM {values} WHERE id_0 IN (SELECT {cell} FROM {cells}))"
        " AS occurring",
        values=form.value.relation,
        cell=form.value.cell,
        cells=REGION_CELL,
    )
    keys = form.cells.keys(form.ceilings)
    ranked = sql("DENSE_RANK() OVER (ORDER BY {keys})", keys=commas(each(keys, "cell.{} ASC")))
    return statement(
        "recodings/alike_cell",
        table=ALIKE_CELL,
        cells=REGION_CELL,
        stratum=ranked if keys else Markup("1"),
        amounts=amounts_query(column, occurring, REGION_CELL),
        value=form.value.cell,
        order=[*_by_labels(form.cells), *form.cells.values],
        columns=[*form.columns, Markup("row_count")],
    )


def value_order(column: Column) -> list[Markup]:
    """The order of values in which alike ones stand side by side, as cells have it."""
    return [_kind(column), Markup("value")]


def _by_labels(form: CellForm) -> list[Markup]:
    """The ids of labels from the coarsest level down, the columns by turns."""
    places = [
        (height - level, number, level)
        for number, height in zip(form.numbers, form.heights, strict=True)
        for level in range(height)
    ]
    return [Markup(f"q{number}_{level}") for _, number, level in sorted(places)]


def steps_sql(form: AlikeForm) -> Statement:
    """The statement that says where blocks may be cut, and what each group costs."""
    return statement(
        "recodings/alike_step",
        table=ALIKE_STEP,
        blocks=fragment(
            "recodings/alike_block",
            cells=ALIKE_CELL,
            block_rows=_BLOCK_GROUPS * form.least,
            slack=_BLOCK_GROUPS * form.least // 5,
        ),
        least=form.least,
        most=form.most,
        unit=form.unit,
        pieces=form.pieces,
    )


def _path(form: AlikeForm) -> dict[str, object]:
    """The costs that a shortest path remembers, and the pieces that lead on from each."""
    last = form.pieces[-1]
    return {
        "steps": ALIKE_STEP,
        "pieces": form.pieces,
        "costs": range(1, last + 1),
        "later": [(number, number - 1) for number in range(2, last + 1)],
    }


def groups_sql(form: AlikeForm) -> list[Statement]:
    """The statements that make the groups of least squares."""
    columns = [Markup("kind"), Markup("amount"), *form.columns]
    if form.deals:
        dealt = statement(
            "recodings/alike_dealt",
            table=GROUP_PART,
            cells=ALIKE_CELL,
            size=form.least,
            order=[*_by_labels(form.cells), Markup("place")],
            columns=columns,
        )
        alone = sql("SELECT DISTINCT part, part AS region\nFROM {parts}", parts=GROUP_PART)
        return [dealt, replacing("recodings/alike_group", group_table(0), alone)]
    return [
        statement("recodings/alike_best", table=ALIKE_BEST, **_path(form)),
        statement("recodings/alike_group", table=group_table(0), steps=ALIKE_STEP, best=ALIKE_BEST),
        statement(
            "recodings/alike_part",
            table=GROUP_PART,
            cells=ALIKE_CELL,
            groups=group_table(0),
            columns=columns,
        ),
    ]


def floor_statement(form: AlikeForm) -> Statement:
    """The statement that says what no groups of so few rows have less than."""
    alone = "CASE WHEN {rows} <= {most:literal} THEN CAST(({rows}) * ({second}) - ({first}) * "
    alone += "({first}) AS DOUBLE) / CAST({rows} AS DOUBLE) END"
    begun = {"rows": "step", "first": "sum_1", "second": "sum_2"}
    ended = {
        "rows": "(all_rows - step)",
        "first": "all_1 - sum_1",
        "second": "all_2 - sum_2",
    }
    first, last = (
        sql(alone, most=form.most, **{key: Markup(value) for key, value in part.items()})
        for part in (begun, ended)
    )
    return statement(
        "recodings/alike_floor",
        **_path(form),
        most=form.most,
        first=first,
        last=sql("CASE WHEN all_rows = step THEN 0 ELSE {last} END", last=last),
    )


def grouped_cells(merges: int) -> Markup:
    """A relation: the parts of cells, each in its group after some rounds of merging."""
    return sql(
        "(SELECT part.*, groups.region FROM {parts} AS part "
        "JOIN (SELECT part, region FROM {groups}) AS groups ON part.part = groups.part)",
        parts=GROUP_PART,
        groups=group_table(merges),
    )


def judged_groups_sql(merges: int, judged: JudgingInput) -> Statement:
    """The statement that judges the groups after some rounds of merging."""
    return statement(
        "recodings/alike_judged",
        table=judged_table(merges),
        **judged_classes(grouped_cells(merges), [Markup("region")], judged),
    )


def merged_groups_sql(merges: int) -> Statement:
    """The statement of a round of merging: the groups that fail with their neighbours."""
    return statement(
        "recodings/alike_merged",
        table=group_table(merges + 1),
        groups=group_table(merges),
        reach=fragment(
            "recodings/alike_reach",
            groups=group_table(merges),
            judged=judged_table(merges),
            count=2**merges,
            sides=[(Markup("LAG"), Markup("before")), (Markup("LEAD"), Markup("after"))],
        ),
    )


def regions_sql(form: AlikeForm, merges: int) -> Statement:
    """The statement that gives groups the finest labels that they share."""
    return statement(
        "recodings/alike_region",
        table=region_table(0),
        parts=GROUP_PART,
        groups=group_table(merges),
        levels=[
            {"level": _shared(number, floor, height), "name": Markup(f"level_{number}")}
            for number, floor, height in zip(
                form.cells.numbers, form.cells.floors, form.cells.heights, strict=True
            )
        ],
    )


def _shared(number: int, floor: int, height: int) -> Markup:
    """The finest level at which a group's rows have one label."""
    whens = each(
        range(floor, height),
        "WHEN MIN(q{number}_{0}) = MAX(q{number}_{0}) THEN {0:literal}",
        number=number,
    )
    if not whens:
        return literal(height)
    return sql("CASE {whens} ELSE {height} END", whens=joined(whens, " "), height=literal(height))


def shown_squares_cells(value: Values) -> Markup:
    """A relation: the cells as a reader sees them, with the amounts of their values."""
    return sql(
        "(SELECT shown.*, amount.kind, amount.amount FROM {shown} AS shown JOIN (SELECT DISTINCT "
        "{cell}, kind, amount FROM {cells}) AS amount ON shown.{cell} = amount.{cell}) AS cell",
        shown=REGION_SHOWN,
        cell=value.cell,
        cells=ALIKE_CELL,
    )


def alike_rows_sql(
    source: Relation,
    ladders: Sequence[Ladder],
    values: Sequence[tuple[Ladder, Markup]],
    order: Sequence[Markup],
) -> Statement:
    """The statement that gives every row of a source its region.

    ``values`` are the ladders of sensitive columns with the tables that hold their ids; ``order``
    is that of rows of one cell.
    """
    quasi = [(Markup(f"q{n}"), rung_table(n), ladder) for n, ladder in enumerate(ladders, 1)]
    joins = [
        label_join(table, alias, ladder.column.plain("source")) for alias, table, ladder in quasi
    ]
    joins += [
        sql(
            "JOIN {table} AS {alias}\n  ON {plain} IS NOT DISTINCT FROM {alias}.value",
            table=table,
            alias=Markup(f"v{number}"),
            plain=ladder.column.plain("source"),
        )
        for number, (ladder, table) in enumerate(values, 1)
    ]
    keys = [(alias, Markup(f"{alias}_0")) for alias, _, _ in quasi]
    keys += [(Markup(f"v{number}"), Markup(f"v{number}")) for number, _ in enumerate(values, 1)]
    return statement(
        "recodings/alike_row",
        table=ALIKE_ROW,
        source=source.sql,
        joins=joins,
        cells=region_table(0),
        keys=[key for _, key in keys],
        matched=each(keys, "{0}.id_0 = cell.{1}"),
        order=order,
        **{
            name: ident(unused_name(source.names, name))
            for name in ("cell_number", "row_turn", "region")
        },
    )


def region_join(source: Relation) -> Markup:
    """The join of a row in its region to the labels that the region shows."""
    return sql(
        "JOIN {table} AS shown\n  ON source.{region} = shown.region",
        table=REGION_SHOWN,
        region=ident(unused_name(source.names, "region")),
    )


def squares_query(cells: Markup, keys: Sequence[Markup]) -> Markup:
    """A query that says how alike the rows of groups are."""
    return fragment("recodings/alike_squares", cells=cells, keys=keys)


def squares_statement(cells: Markup, keys: Sequence[Markup]) -> Statement:
    """The statement that says how alike the rows of groups are."""
    return statement("recodings/alike_squares", cells=cells, keys=keys)
