"""Pairs of tables, as Anatomy releases them: judged by their groups, and checked to be one release.

The classes of a pair are its groups. How often a value is in a group says the second table, and
that this table has the rows of the first, group by group, is counted beside it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from sqlgen.engines.duckdb.catalog import Relation, temporary
from sqlgen.policy import Policy, Role
from sqlgen.policy.anatomy import COUNT_COLUMN, GROUP_COLUMN
from sqlgen.sql.render import Statement, fragment, ident, statement
from sqlgen.sql.types import Column, Kind

PAIR_VALUE = temporary("pair_value")
PAIR_ALIKE = temporary("pair_alike")

_GROUP = Column(GROUP_COLUMN, "BIGINT")
_COUNT = Column(COUNT_COLUMN, "BIGINT")


def row_columns(policy: Policy, columns: Sequence[Column]) -> list[Column]:
    """The columns of the first table, of a source with these: all but identifiers and sensitive."""
    shown = (Role.QUASI, Role.OTHER)
    return [*(column for column in columns if policy.columns[column.name].role in shown), _GROUP]


def value_columns(sensitive: Column) -> list[Column]:
    """The columns of the second table."""
    return [_GROUP, sensitive, _COUNT]


def unwritten_statement(table: Relation, names: Sequence[str]) -> Statement | None:
    """The statement that counts rows in which one of these is not the whole number it is read as.

    None where all have the type of one: what they are read as is what they are.
    """
    columns = [table.column(name) for name in names]
    doubtful = [ident(column.name) for column in columns if column.kind is not Kind.INTEGER]
    if not doubtful:
        return None
    return statement("measuring/pair_written", table=table.sql, columns=doubtful)


@dataclass(frozen=True)
class Pair:
    """Two tables of one release: ``rows`` with their groups, and the ``values`` of each group."""

    rows: Markup
    values: Markup
    sensitive: Column

    @property
    def keys(self) -> tuple[Column, ...]:
        """The column that classes are told apart by."""
        return (_GROUP,)

    @property
    def judged(self) -> Relation:
        """The rows that guarantees are judged on: a group and a value for each row."""
        query = fragment(
            "measuring/pair_rows",
            values=self.values,
            group=ident(GROUP_COLUMN),
            value=ident(self.sensitive.name),
            count=ident(COUNT_COLUMN),
        )
        return Relation(query, "query", (_GROUP, self.sensitive))

    def staging_statements(self) -> list[Statement]:
        """The statements that read both tables: their values, and the groups that are alike.

        What else is asked of a pair is asked of these tables: it has millions of groups of few
        kinds.
        """
        names = {
            "group": ident(GROUP_COLUMN),
            "count": ident(COUNT_COLUMN),
            "value": self.sensitive.plain("counted"),
            "values": self.values,
        }
        return [
            statement("measuring/pair_value", table=PAIR_VALUE, **names),
            statement(
                "measuring/pair_alike",
                table=PAIR_ALIKE,
                rows=self.rows,
                numbered=PAIR_VALUE,
                **names,
            ),
        ]

    @property
    def cells(self) -> Markup:
        """A query for the cells that are judged, once both tables are read."""
        return fragment("measuring/pair_cells", alike=PAIR_ALIKE, numbered=PAIR_VALUE)

    @property
    def misfits(self) -> Markup:
        """A subquery: how many groups have other rows in one table than in the other."""
        return fragment("measuring/pair_misfits", alike=PAIR_ALIKE)

    def misfits_statement(self) -> Statement:
        """The statement that counts those groups."""
        return statement("measuring/pair_fits", misfits=self.misfits)

    def sizes_statement(self) -> Statement:
        """The statement that adds up the squares of the groups' sizes."""
        return statement("measuring/pair_sizes", alike=PAIR_ALIKE)
