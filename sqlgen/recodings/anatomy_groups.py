"""Anatomy's groups, as SQL: how rows are dealt out to groups, for a plan and for a release.

Rows are sorted by their sensitive value and numbered from 0; row ``r`` is in group ``r`` modulo the
number of groups (Xiao and Tao 2006, in one window instead of rounds). A value with no more rows
than there are groups is then at most once in each. How often a value is in which group follows from
the counts of the values alone, which the release shows: the choice of the groups' size tells
nothing else.

Which of a value's rows comes first is another matter. Were it their order by content, or by a hash
that anybody can compute, the rows of one value would rise from group to group, and who sorts each
group's rows in the same way could tell which row has which value. So rows are ordered by a hash
under a key, and the key is a digest of the whole source, every column and every row of it: the
same source in another order has the same groups, and nobody without it can work out the order.
Every row has a hash of its own, of equal rows each, and of rows that differ in their value alone:
rows that stand side by side in any order go to groups side by side, which a value of every group
shows.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from sqlgen.engines.duckdb.catalog import Relation, temporary
from sqlgen.guarantees import DistanceGuarantee, Guarantee
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.judging.verdict_sql import Values
from sqlgen.policy import Policy, Role
from sqlgen.policy.anatomy import COUNT_COLUMN, GROUP_COLUMN
from sqlgen.recodings.full_domain import RecodedColumn, labels_of
from sqlgen.sql.render import Statement, fragment, ident, literal, sql, statement
from sqlgen.sql.types import Column
from sqlgen.staging.stage import VALUE_CELL

GROUP_VALUE = temporary("group_value")
GROUP_KEY = temporary("group_key")
GROUP_CELL = temporary("group_cell")
GROUP_ROW = temporary("group_row")
GROUP_NUMBER = temporary("group_number")

_BY_COUNT = (Markup("-value_rows"), Markup("value"))


def is_by_order(guarantees: Sequence[Guarantee]) -> bool:
    """Whether rows are dealt out in the sensitive column's own order, or by how many have a value.

    By their count, the most first, groups of ``l`` rows or more have ``l`` different values each if
    no value has more than an l-th of the rows: of a value with as many rows as there are groups
    every group has one, and of ``n`` rows of rarer values, which stand together, as many different
    ones as ``n`` fills rounds. A distance over ordered values is small where each group has rows
    from all over that order.
    """
    return any(
        isinstance(guarantee, DistanceGuarantee) and guarantee.needs_column_option == "order"
        for guarantee in guarantees
    )


def group_values_sql(value: Values, *, by_order: bool) -> Statement:
    """The statement that counts the sensitive values of staged cells, in their order."""
    order = (Markup("position"),) if by_order else _BY_COUNT
    return statement(
        "recodings/group_value",
        table=GROUP_VALUE,
        cells=VALUE_CELL,
        cell=value.cell,
        values=value.relation,
        order=order,
    )


def grouped_cells(value: Values, groups: int) -> Markup:
    """The cells of so many groups: group_number, group_count, the value's id, row_count."""
    return fragment("recodings/grouped_cells", values=GROUP_VALUE, cell=value.cell, groups=groups)


@dataclass(frozen=True)
class GroupForm:
    """The form of a release in groups: its source, its recoded columns, its sensitive column."""

    policy: Policy
    source: Relation
    recodings: Sequence[RecodedColumn]
    ladder: Ladder

    @property
    def sensitive(self) -> Column:
        """The sensitive column."""
        return self.ladder.column

    @property
    def others(self) -> list[Column]:
        """The columns of the role other, which are released as they are."""
        roles = {name: column.role for name, column in self.policy.columns.items()}
        return [column for column in self.source.columns if roles[column.name] is Role.OTHER]

    @property
    def cells(self) -> list[tuple[Markup, Markup]]:
        """The columns of a cell: quasi-identifiers as ids of labels, all others as they look."""
        labels = labels_of(self.recodings).columns
        shown = [(column.alias, column.id) for column in labels]
        for number, column in enumerate(self.others, 1):
            shown += _forms(column, f"kept_{number}", f"shown_{number}")
        return [*shown, *_forms(self.sensitive, "value", "shown_value")]

    @property
    def told_apart(self) -> list[Markup]:
        """What tells cells of one value apart beside their labels, as text."""
        looks = [
            _forms(column, f"kept_{n}", f"shown_{n}") for n, column in enumerate(self.others, 1)
        ]
        if not self.sensitive.compares_as_read:
            looks.append(_forms(self.sensitive, "value", "shown_value"))
        return [sql("CAST({form} AS VARCHAR)", form=forms[-1][0]) for forms in looks]

    @property
    def value_forms(self) -> list[Markup]:
        """The columns of a cell that tell sensitive values apart."""
        return [alias for alias, _ in _forms(self.sensitive, "value", "shown_value")]


def _forms(column: Column, plain: str, shown: str) -> list[tuple[Markup, Markup]]:
    """A column as it compares and, where that tells less, as it looks."""
    forms = [(Markup(plain), column.plain("source")), (Markup(shown), column.shown("source"))]
    return forms[: 1 if column.compares_as_read else 2]


def key_sql(source: Relation) -> Statement:
    """The statement that makes the key of a source: a digest of all its rows, in any order."""
    return statement(
        "recodings/group_key",
        table=GROUP_KEY,
        source=source.sql,
        columns=[column.shown("source") for column in source.columns],
    )


def cells_sql(form: GroupForm, ordered: Sequence[Markup] = ()) -> Statement:
    """The statement that counts the combinations of values, each with the place of its value.

    Values are ``ordered`` as is asked for or, without, as Anatomy deals out their rows.
    """
    order = [*ordered] or list(_BY_COUNT)
    if not ordered and is_by_order(form.policy.guarantees) and form.ladder.order is not None:
        order = [sql("({order})", order=form.ladder.order), Markup("value")]
    return statement(
        "recodings/group_cell",
        table=GROUP_CELL,
        source=form.source.sql,
        columns=form.cells,
        joins=labels_of(form.recodings).joins,
        order=order,
    )


@dataclass(frozen=True)
class GroupOfPlace:
    """The group of a row by its place in the order of the values, as SQL: both are numbers from 0.

    ``group`` is an expression over ``placed.place`` and ``counted.released_rows``, the number of
    all rows, and over what ``joins`` join to them.
    """

    group: Markup
    joins: Sequence[Markup] = ()


def dealt_out(size: int) -> GroupOfPlace:
    """Groups of so many rows or more, to which rows are dealt out in turn."""
    groups = sql("GREATEST(1, counted.released_rows // {size})", size=literal(size))
    return GroupOfPlace(sql("placed.place % {groups}", groups=groups))


def group_rows_sql(form: GroupForm, placing: GroupOfPlace) -> Statement:
    """The statement that gives every row its place, and its group by it."""
    return statement(
        "recodings/group_row",
        table=GROUP_ROW,
        cells=GROUP_CELL,
        key=GROUP_KEY,
        ids=[column.alias for column in labels_of(form.recodings).columns],
        texts=form.told_apart,
        group=placing.group,
        joins=placing.joins,
    )


def numbers_sql() -> Statement:
    """The statement that numbers the groups."""
    return statement("recodings/group_number", table=GROUP_NUMBER, rows=GROUP_ROW, key=GROUP_KEY)


def rows_query(form: GroupForm) -> Markup:
    """The query for the rows of the first table: each row of the source, and its group."""
    labels = {column.name: column for column in labels_of(form.recodings).columns}
    others = {column.name: number for number, column in enumerate(form.others, 1)}
    shown, order = [], []
    for column in form.source.columns:
        if column.name in labels:
            alias = labels[column.name].alias
            shown.append((sql("named_{alias}.label", alias=alias), ident(column.name)))
            order.append(sql("placed.{alias}", alias=alias))
        elif column.name in others:
            number = others[column.name]
            forms = _forms(column, f"placed.kept_{number}", f"placed.shown_{number}")
            shown.append((forms[0][0], ident(column.name)))
            order += [alias for alias, _ in forms]
    return fragment(
        "recodings/group_rows",
        rows=GROUP_ROW,
        numbers=GROUP_NUMBER,
        labels=list(labels.values()),
        shown=shown,
        order=order,
        group=ident(GROUP_COLUMN),
    )


def values_query(form: GroupForm) -> Markup:
    """The query for the rows of the second table: each group's sensitive values, counted."""
    return fragment(
        "recodings/group_values",
        rows=GROUP_ROW,
        numbers=GROUP_NUMBER,
        forms=form.value_forms,
        name=ident(form.sensitive.name),
        group=ident(GROUP_COLUMN),
        count=ident(COUNT_COLUMN),
    )


def most_frequent_statement() -> Statement:
    """The statement that counts the rows of a staged plan, and those of the commonest value."""
    return statement("recodings/most_frequent", values=GROUP_VALUE)
