"""The figures of guarantees on a table: the statement that measures them, and its result."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from markupsafe import Markup

from sqlgen.engines.duckdb.catalog import Relation
from sqlgen.guarantees import Guarantee
from sqlgen.guarantees.figures import plain
from sqlgen.judging.verdict_sql import (
    JudgingInput,
    every_class_sql,
    fails_by_size_fragment,
    judges_sizes_alone,
    rounds_sql,
    verdict_sql,
)
from sqlgen.measuring.pairs import Pair
from sqlgen.measuring.purposes import Purpose, measuring
from sqlgen.sql.render import Statement, fragment, group_by, sql, staging, statement
from sqlgen.sql.types import Column
from sqlgen.staging.people import NO_LEVELS, Key, ShownLevels
from sqlgen.staging.sensitive import Sensitive


@dataclass(frozen=True)
class ShownTable:
    """A finished table with its quasi-identifiers, and the levels that their labels are at.

    A column without a level has labels of several, or ranges or sets.
    """

    relation: Relation
    quasi: Sequence[Column]
    levels: ShownLevels


@dataclass(frozen=True)
class GuaranteeResult:
    """A guarantee with its figure at the worst class, and the classes that break it.

    ``figures`` are those of the classes at the quantiles 0, 1/4, 1/2, 3/4 and 1. ``rows`` are the
    table's, by which a limit that is a share is counted; ``masked_rows`` of them show no
    sensitive value.
    """

    guarantee: Guarantee
    value: float
    failing_classes: int = 0
    failing_rows: int = 0
    figures: tuple[float, ...] = ()
    rows: int = 0
    masked_rows: int = 0

    @property
    def satisfied(self) -> bool:
        """Whether there are rows, no class breaks the guarantee, and its figure bears that out.

        Failing closed: a figure that is none, no number, nothing that the definition can give, or
        beyond the threshold is not met, whatever the verdicts on classes say.
        """
        if not self.rows > 0 or self.failing_classes != 0 or self.failing_rows != 0:
            return False
        return self.guarantee.is_met(self.value, self.rows, self.masked_rows)

    @property
    def share(self) -> float | None:
        """The figure as a share of the table's rows, where it counts rows or persons."""
        if self.guarantee.aggregate != "SUM" or not self.rows:
            return None
        return float(self.value) / self.rows

    @property
    def words(self) -> str:
        """The measured figure as a person reads it, and what fails if that does not show it."""
        shown = self.guarantee.figure_text(self.value)
        return f"{shown}, {self.unmet}" if self.unmet else shown

    @property
    def unmet(self) -> str:
        """The condition that classes fail although the figure meets its threshold; else empty."""
        return self.guarantee.unmet(self.value) if self.failing_classes else ""

    def to_dict(self) -> dict[str, Any]:
        """Name, parameters, measured figure, classes and rows at fault, and the verdict."""
        return {
            "name": self.guarantee.name,
            **self.guarantee.parameters,
            "measured": plain(self.value),
            "figures": [plain(figure) for figure in self.figures],
            "failing_classes": self.failing_classes,
            "failing_rows": self.failing_rows,
            "satisfied": self.satisfied,
            **({"unmet": self.unmet} if self.unmet else {}),
        }


def attack_figures(measured: GuaranteeResult) -> dict[str, Any]:
    """An attack with what it counted, as plain values."""
    figures = {
        key: value
        for key, value in measured.to_dict().items()
        if key in ("name", "column", "excluded", "level", "risk", "above", "measured")
    }
    if measured.share is not None:
        figures["share"] = round(measured.share, 8)
    return figures


def audit_sql(
    relation: Relation,
    quasi: Sequence[Column],
    guarantees: Sequence[Guarantee],
    sensitive: Sensitive,
    levels: ShownLevels = NO_LEVELS,
) -> Statement:
    """The statement that measures a relation: one row of aggregates, whatever its size.

    ``levels`` says at which level a quasi-identifier is known to be; a label matches people by it
    alone then, and else by whatever level has it, or as a range or a set.
    """
    if judges_sizes_alone(guarantees):
        return statement(
            "auditing/judged",
            expressions=Markup(),
            classes=_class_sizes(relation, quasi),
            is_masked=Markup("FALSE"),
            guarantees=[
                {
                    "aggregate": Markup("MIN"),
                    "figure": Markup("class_size"),
                    "cast": Markup(),
                    "fails": fails_by_size_fragment([guarantee]),
                }
                for guarantee in guarantees
            ],
        )
    named = _keys(quasi, levels)
    judged = sensitive.judged(guarantees, named)
    cells = _cells(relation, quasi, sensitive.columns)
    return _audit_of_cells(cells, named, guarantees, sensitive, judged)


def pair_audit_sql(pair: Pair, guarantees: Sequence[Guarantee], sensitive: Sensitive) -> Statement:
    """The statement that measures a release in groups, once both of its tables are read."""
    named = _keys(pair.keys)
    judged = replace(sensitive.judged(guarantees, named), stands_for_many=True)
    return _audit_of_cells(pair.cells, named, guarantees, sensitive, judged)


def _audit_of_cells(
    cells: Markup,
    named: Sequence[Key],
    guarantees: Sequence[Guarantee],
    sensitive: Sensitive,
    judged: JudgingInput,
) -> Statement:
    """The statement that measures classes by the guarantees, from their cells."""
    return statement(
        "auditing/judged",
        expressions=Markup("WITH\n") + _judged_cells(cells, named, sensitive, judged),
        classes=every_class_sql(judged, 0),
        is_masked=Markup("is_masked" if judged.masks_sensitive else "FALSE"),
        guarantees=[
            {
                "aggregate": Markup(guarantee.aggregate),
                "figure": Markup(f"figure_{number}"),
                "cast": Markup("::") + guarantee.sum_type
                if guarantee.aggregate == "SUM"
                else Markup(),
                "fails": Markup(f"fails_{number}"),
            }
            for number, guarantee in enumerate(guarantees, 1)
        ],
    )


def open_as_a_whole_sql(
    relation: Relation,
    attacks: Sequence[Guarantee],
    sensitive: Sensitive,
    columns: Sequence[Column],
) -> Statement:
    """The statement that says of each attack whether a relation, as one class, is open to it.

    And of each of these columns whether it has a NULL.
    """
    judged = sensitive.judged(attacks, ())
    return statement(
        "auditing/open_as_a_whole",
        relation=relation.sql,
        columns=columns,
        classes=_classes(relation, (), (), sensitive, judged),
        attacks=range(1, len(attacks) + 1),
        verdict=verdict_sql(judged, 0),
    )


def sizes_sql(
    relation: Relation, quasi: Sequence[Column], bins: Sequence[tuple[Decimal, Decimal | None]]
) -> Statement:
    """The statement that counts the classes, and their rows, by size within some bounds."""
    figures = statement(
        "auditing/figures",
        expressions=Markup(),
        classes=_class_sizes(relation, quasi),
        bins=[_within(Markup("class_size"), bounds) for bounds in bins],
    )
    return measuring(Purpose.SIZES, figures)


def figures_sql(
    table: ShownTable,
    guarantees: Sequence[Guarantee],
    sensitive: Sensitive,
    spread: Sequence[tuple[int, Sequence[tuple[Decimal, Decimal | None]]]],
) -> Statement:
    """The statement that counts the classes, and their rows, by what guarantees measure of them.

    ``spread`` says within which bounds, by the number of the guarantee.
    """
    named = _keys(table.quasi, table.levels)
    judged = sensitive.judged(guarantees, named)
    classes = _classes(table.relation, table.quasi, named, sensitive, judged)
    figures = statement(
        "auditing/figures",
        expressions=Markup("WITH\n") + classes,
        classes=verdict_sql(judged, 0),
        bins=[
            _within(Markup(f"figure_{number:d}"), each) for number, bins in spread for each in bins
        ],
    )
    return measuring(Purpose.FIGURES, figures)


def _within(figure: Markup, bounds: tuple[Decimal, Decimal | None]) -> Markup:
    """The condition that a figure is within bounds; the last are open, for it may be infinite."""
    least, below = bounds
    pattern = "{figure} >= {least:literal}"
    if below is None:
        return sql(pattern, figure=figure, least=least)
    return sql(pattern + " AND {figure} < {below:literal}", figure=figure, least=least, below=below)


def settled_sql(
    relation: Relation,
    quasi: Sequence[Column],
    guarantee: Guarantee,
    sensitive: Sensitive,
    rounds: int,
    levels: ShownLevels = NO_LEVELS,
) -> Statement:
    """The statement that says what is left of a relation once failing classes are suppressed."""
    named = _keys(quasi, levels)
    judged = sensitive.judged([guarantee], named)
    gone = "fails"
    if judged.masks_sensitive:
        gone = "drops" if guarantee.must_suppress else "drops masks_sensitive"
    return statement(
        "auditing/settled",
        classes=_classes(
            relation, quasi, named, sensitive, judged, fails_by_size_fragment([guarantee])
        ),
        rounds=rounds_sql(judged, rounds),
        verdict=verdict_sql(judged, rounds),
        gone=[Markup(column) for column in gone.split()],
    )


def ruled_out_sql(
    relation: Relation,
    quasi: Sequence[Column],
    guarantees: Sequence[Guarantee],
    sensitive: Sensitive,
    levels: ShownLevels,
) -> Statement:
    """The statement that counts the persons whom each guarantee's prior table rules out."""
    named = _keys(quasi, levels)
    judged = sensitive.judged(guarantees, named)
    cells = {value.column: value.cell for value in judged.values}
    people = {key: Markup(f"people_{number}") for number, key in enumerate(judged.people, 1)}
    return statement(
        "auditing/ruled_out",
        classes=_classes(relation, quasi, named, sensitive, judged),
        cells=Markup("shown_cell_0" if judged.masks_sensitive else "class_cell_0"),
        priors=[
            {
                "people": people[guarantee.people, guarantee.judged_columns],
                "value": cells[guarantee.judged_columns[0]],
            }
            for guarantee in guarantees
            if guarantee.people is not None
        ],
    )


def _keys(quasi: Sequence[Column], levels: ShownLevels = NO_LEVELS) -> list[Key]:
    return [
        Key(
            column.name,
            Markup(f"q{number}"),
            levels.levels.get(column.name),
            spans=levels.spans.get(column.name),
            labels=levels.labels.get(column.name, 0),
        )
        for number, column in enumerate(quasi, 1)
    ]


def cells_statement(
    table: Markup, relation: Relation, quasi: Sequence[Column], sensitive: Sequence[Column] = ()
) -> Statement:
    """The statement that stages the distinct combinations of some columns, each with its rows."""
    return staging("auditing/cell", table, _cells(relation, quasi, sensitive))


def _cells(relation: Relation, quasi: Sequence[Column], sensitive: Sequence[Column]) -> Markup:
    keys = [column.shown("audited") for column in quasi]
    values = [column.plain("audited") for column in sensitive]
    return fragment(
        "auditing/cell",
        relation=relation.sql,
        keys=keys,
        sensitive=values,
        columns=[*keys, *values],
    )


def _class_sizes(relation: Relation, quasi: Sequence[Column]) -> Markup:
    """A query for the sizes of a table's classes."""
    return sql(
        "SELECT COUNT(*) AS class_size\nFROM {relation} AS audited\n{group_by}",
        relation=relation.sql,
        group_by=group_by(column.shown("audited") for column in quasi),
    )


def _classes(
    relation: Relation,
    quasi: Sequence[Column],
    named: Sequence[Key],
    sensitive: Sensitive,
    judged: JudgingInput,
    fails_by_size: Markup | None = None,
) -> Markup:
    """The expressions that judge a table's classes; without a condition, all by their values."""
    cells = _cells(relation, quasi, sensitive.columns)
    return _judged_cells(cells, named, sensitive, judged, fails_by_size)


def _judged_cells(
    cells: Markup,
    named: Sequence[Key],
    sensitive: Sensitive,
    judged: JudgingInput,
    fails_by_size: Markup | None = None,
) -> Markup:
    """The expressions that judge the classes of some cells."""
    plains = [Markup(f"s{number}") for number in range(1, len(sensitive.columns) + 1)]
    if fails_by_size is None:
        fails_by_size = fails_by_size_fragment(())
    return sql(
        "cell AS MATERIALIZED (\n  {cells:nested 2}\n),\n{judged}",
        cells=cells,
        judged=sensitive.judged_sql(judged, Markup("cell"), plains, named, fails_by_size),
    )


def read_measured(
    row: Sequence[Any], guarantees: Sequence[Guarantee]
) -> tuple[GuaranteeResult, ...]:
    """The result of each guarantee, from a row of the audit statement."""
    rows, _, masked, *figures = row
    return tuple(
        GuaranteeResult(guarantee, measured, classes, failing, tuple(quantiles or ()), rows, masked)
        for guarantee, measured, classes, failing, quantiles in zip(
            guarantees, figures[0::4], figures[1::4], figures[2::4], figures[3::4], strict=True
        )
    )
