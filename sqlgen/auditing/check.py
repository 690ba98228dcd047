"""A first look, without a policy: how many rows of a table are unique, and which columns do it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from sqlgen.display.notebook import TextTable, notebook_html
from sqlgen.display.summary import names_words, summary
from sqlgen.engines import DataSource, Engine, is_connection, open_source
from sqlgen.engines.duckdb.catalog import Relation, refuse_our_names, relation, require, temporary
from sqlgen.engines.duckdb.opening import FRAME
from sqlgen.engines.duckdb.session import check_connection
from sqlgen.errors import PolicyError
from sqlgen.guarantees import (
    AlphaKAnonymity,
    BetaLikeness,
    DistinctLDiversity,
    EntropyLDiversity,
    Guarantee,
    Homogeneity,
    RatioCloseness,
    RecursiveLDiversity,
    TCloseness,
)
from sqlgen.guarantees.figures import plain
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.measuring.tables import (
    GuaranteeResult,
    audit_sql,
    cells_statement,
    read_measured,
)
from sqlgen.measuring.uniqueness import Uniqueness, table_uniqueness
from sqlgen.sql.render import Statement, group_by, ident, name, statement
from sqlgen.sql.types import Column, Kind
from sqlgen.staging.sensitive import Sensitive
from sqlgen.staging.source import is_frame
from sqlgen.wording import classes_words, rows_words, share_words

if TYPE_CHECKING:
    import pandas

CELL = temporary("check_cell")

# Upper edges of the size distribution; the last bucket is open.
_EDGES = (1, 2, 4, 9, 19, 49, 99, 999)
_LARGEST = 2**63 - 1


@dataclass(frozen=True)
class SizeBucket:
    """Classes whose size lies between two bounds, and the rows in them."""

    least: int
    most: int | None
    classes: int
    rows: int

    @property
    def words(self) -> str:
        """The bounds: ``1``, ``3-4`` or ``1000+``."""
        if self.most is None:
            return f"{self.least}+"
        return str(self.least) if self.least == self.most else f"{self.least}-{self.most}"


@dataclass(frozen=True)
class Homogeneous:
    """Classes in which a sensitive column has one value: whoever is found there is known."""

    classes: int
    rows: int


@dataclass(frozen=True)
class Without:
    """The figures of the table without one column."""

    k: int
    unique_rows: int


@dataclass(frozen=True)
class Check:
    """The unique rows and class sizes of a table on some columns, as it stands.

    ``given`` says, per sensitive column, the strictest threshold of each guarantee that the table
    gives, by its name in the policy. ``rows_below_k`` counts the rows in classes smaller than the
    k that was asked about. ``uniqueness`` counts the rows that stand alone by the columns which are
    no quasi-identifiers: all but the sensitive ones count as ``other``.
    """

    table: str
    quasi: tuple[str, ...]
    rows: int
    classes: int
    k: int
    unique_rows: int
    sizes: tuple[SizeBucket, ...] = field(repr=False)
    without: Mapping[str, Without] = field(repr=False)
    homogeneous: Mapping[str, Homogeneous] = field(repr=False)
    given: Mapping[str, Mapping[str, float]] = field(repr=False)
    asked_k: int | None = None
    rows_below_k: int | None = None
    uniqueness: Uniqueness = field(default_factory=Uniqueness)

    @property
    def satisfied(self) -> bool:
        """Whether the table gives the k that was asked about, if one was; unknown, it does not."""
        if self.asked_k is None:
            return True
        return self.k is not None and self.k >= self.asked_k and self.rows_below_k == 0

    def to_dict(self) -> dict[str, Any]:
        """The check as plain values, as ``sqlgen check --json`` prints it."""
        return {
            "table": self.table,
            "quasi": list(self.quasi),
            "rows": self.rows,
            "classes": self.classes,
            "k": self.k,
            "unique_rows": self.unique_rows,
            "sizes": [
                {"size": siz.words, "classes": siz.classes, "rows": siz.rows} for siz in self.sizes
            ],
            "without": {
                column: {"k": each.k, "unique_rows": each.unique_rows}
                for column, each in self.without.items()
            },
            "homogeneous": {
                column: {"classes": each.classes, "rows": each.rows}
                for column, each in self.homogeneous.items()
            },
            "given": {
                column: {name: plain(figure) for name, figure in figures.items()}
                for column, figures in self.given.items()
            },
            "uniqueness": self.uniqueness.to_dict(),
            "asked_k": self.asked_k,
            "rows_below_k": self.rows_below_k,
        }

    def __repr__(self) -> str:
        return summary(
            "Check",
            f"{self.table}: {self._unique_words}",
            self._classes_words,
            f"sensitive: {names_words(self.homogeneous)}" if self.homogeneous else "",
        )

    def _repr_html_(self) -> str:
        sizes = [(size.words, f"{size.classes:,}", f"{size.rows:,}") for size in self.sizes]
        without = [
            (column, f"{left.k:,}", f"{left.unique_rows:,}")
            for column, left in self.without.items()
        ]
        return notebook_html(
            f"{self.table}: {self._unique_words}",
            [f"{self._classes_words}."],
            [
                TextTable("Class sizes", ("class size", "classes", "rows"), sizes),
                TextTable("Without one column", ("without", "k", "unique rows"), without),
            ],
        )

    @property
    def _classes_words(self) -> str:
        columns = names_words(self.quasi)
        return f"{rows_words(self.rows)} in {classes_words(self.classes)} on {columns}"

    @property
    def _unique_words(self) -> str:
        share = f" ({share_words(self.unique_rows / self.rows)})" if self.rows else ""
        are = "is" if self.unique_rows == 1 else "are"
        return f"{self.unique_rows:,} of {rows_words(self.rows)}{share} {are} unique; k = {self.k}"

    def to_pandas(self) -> "pandas.DataFrame":
        """The class-size distribution, a row per bucket."""
        import pandas  # noqa: PLC0415

        return pandas.DataFrame(self.to_dict()["sizes"])


def check_table(
    source: DataSource,
    table: str | None = None,
    *,
    quasi: Sequence[str],
    sensitive: Sequence[str] = (),
    k: int | None = None,
    on_statement: Callable[[Statement], None] | None = None,
) -> Check:
    """How many rows are unique on the quasi-identifiers, and which columns make them so.

    ``source`` is a DuckDB path, an open connection (each with a table), or a DataFrame.
    """
    if table is None and not is_frame(source):
        raise PolicyError("name the table to check")
    if not quasi:
        raise PolicyError("name at least one quasi-identifier")
    called = str(table) if table is not None else FRAME
    with (
        open_source(
            source, write=False, called=_called(source), on_statement=on_statement
        ) as engine,
        engine.read(),
    ):
        check_connection(engine, _called(source), is_callers=is_connection(source))
        refuse_our_names(engine)
        basis = _find_table(engine, source, called, (*quasi, *sensitive))
        columns = [basis.column(column) for column in dict.fromkeys(quasi)]
        engine.run(cells_statement(CELL, basis, columns))
        classes, rows, least, unique, below = engine.rows(
            statement("auditing/check_classes", cell=CELL, k=k or 0)
        )[0]
        measured = {
            column: _measured(engine, basis, columns, basis.column(column)) for column in sensitive
        }
        return Check(
            table=called,
            quasi=tuple(column.name for column in columns),
            rows=rows,
            classes=classes,
            k=least,
            unique_rows=unique,
            sizes=_sizes(engine),
            without=_without(engine, [column.name for column in columns]),
            homogeneous={
                column: Homogeneous(each.failing_classes, each.failing_rows)
                for column, (each, _) in measured.items()
            },
            given={column: figures for column, (_, figures) in measured.items()},
            asked_k=k,
            rows_below_k=None if k is None else below,
            uniqueness=table_uniqueness(engine, basis, quasi, sensitive),
        )


def _find_table(
    engine: Engine, source: DataSource, called: str, columns: Sequence[str]
) -> Relation:
    """The table that is checked, or the DataFrame; refused where it lacks one of the columns."""
    table = (
        relation(engine, name(("temp", "main", FRAME)), "view")
        if is_frame(source)
        else require(engine, called, "check")
    )
    for column in columns:
        if column not in table.names:
            raise PolicyError(f"{called} has no column {column}; it has {', '.join(table.names)}")
    return table


def _measured(
    engine: Engine, table: Relation, quasi: Sequence[Column], column: Column
) -> tuple[GuaranteeResult, dict[str, float]]:
    """The classes with one value of a sensitive column, and the worst figure of each guarantee."""
    close = {"column": column.name, "t": Decimal(1)}
    asked: dict[str, Guarantee] = {
        "distinct_l": DistinctLDiversity(column=column.name, l=1),
        "entropy_l": EntropyLDiversity(column=column.name, l=Decimal(1)),
        "recursive_c": RecursiveLDiversity(column=column.name, c=Decimal(1), l=2),
        "largest_share": AlphaKAnonymity(column=column.name, alpha=Decimal(1), k=1),
        "t_equal": TCloseness(distance="equal", **close),
        "beta": BetaLikeness(column=column.name, beta=Decimal(1)),
        "epsilon": RatioCloseness(column=column.name, epsilon=Decimal(1)),
    }
    is_number = column.kind in (Kind.INTEGER, Kind.DECIMAL, Kind.FLOAT)
    if is_number:
        asked["t_ordered"] = TCloseness(distance="ordered", **close)
    order = Markup("value") if is_number else None
    ladder = Ladder(column, (), "value", "error", order=order)
    guarantees = [Homogeneity(column=column.name, at_most="0"), *asked.values()]
    row = engine.rows(audit_sql(table, quasi, guarantees, Sensitive((ladder,), {})))[0]
    homogeneous, *measured = read_measured(row, guarantees)
    return homogeneous, {name: each.value for name, each in zip(asked, measured, strict=True)}


def _sizes(engine: Engine) -> tuple[SizeBucket, ...]:
    leasts = (1, *(edge + 1 for edge in _EDGES))
    mosts = (*_EDGES, None)
    buckets = [
        (least, _LARGEST if most is None else most)
        for least, most in zip(leasts, mosts, strict=True)
    ]
    rows = engine.rows(statement("auditing/check_sizes", cell=CELL, buckets=buckets))
    counts = {number: (classes, size) for number, classes, size in rows}
    return tuple(
        SizeBucket(least, most, *counts[number])
        for number, (least, most) in enumerate(zip(leasts, mosts, strict=True), 1)
        if number in counts
    )


def _without(engine: Engine, columns: list[str]) -> dict[str, Without]:
    """The figures without each column in turn, from the counted cells."""
    every = [ident(f"q{number}") for number in range(1, len(columns) + 1)]
    others = [group_by(key for key in every if key != left_out) for left_out in every]
    rows = engine.rows(statement("auditing/check_without", cell=CELL, others=others))
    return {columns[number - 1]: Without(least, unique) for number, least, unique in sorted(rows)}


def _called(source: DataSource) -> str:
    return "check" if is_frame(source) else f"check: {source}"
