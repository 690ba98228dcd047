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
from typing import Any

from markupsafe import Markup

from sqlgen.engines.duckdb.catalog import Relation, temporary, unused_name
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
GROUP_DEAL = temporary("group_deal")

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
    def label_order(self) -> list[Markup]:
        """The columns of a cell that rows are sorted by, in the order of the source's columns."""
        labels = {column.name: column.alias for column in labels_of(self.recodings).columns}
        others = {column.name: number for number, column in enumerate(self.others, 1)}
        order: list[Markup] = []
        for column in self.source.columns:
            if column.name in labels:
                order.append(labels[column.name])
            elif column.name in others:
                number = others[column.name]
                forms = _forms(column, f"kept_{number}", f"shown_{number}")
                order += [alias for alias, _ in forms]
        return order

    @property
    def tells_all(self) -> bool:
        """Whether cells hold all that the source says of its rows: every column, as it is."""
        roles = {self.policy.columns[column.name].role for column in self.source.columns}
        return Role.IDENTIFIER not in roles and not any(each.level for each in self.recodings)

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


def key_of_cells_sql() -> Statement:
    """The statement that makes the key of a source whose cells hold all that it says of rows."""
    return statement("recodings/group_key_of_cells", table=GROUP_KEY, cells=GROUP_CELL)


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
        forms=form.value_forms,
        order=[*order, *form.value_forms[1:]],
        shown=form.label_order,
    )


@dataclass(frozen=True)
class GroupOfPlace:
    """The group of a row by its place in the order of the values, as SQL: both are numbers from 0.

    ``group`` is an expression over ``placed.place`` and over what ``joins`` join to it; one may
    be ``counted``, with ``released_rows``, the number of all rows.
    """

    group: Markup
    joins: Sequence[Markup] = ()


def dealt_out(size: int) -> GroupOfPlace:
    """Groups of so many rows or more, to which rows are dealt out in turn."""
    groups = sql("GREATEST(1, counted.released_rows // {size})", size=literal(size))
    return GroupOfPlace(
        sql("placed.place % {groups}", groups=groups), [Markup("CROSS JOIN counted")]
    )


def deal_sql(size: int) -> Statement:
    """The statement that counts the groups, and chooses how they are numbered."""
    return statement(
        "recodings/group_deal", table=GROUP_DEAL, cells=GROUP_CELL, key=GROUP_KEY, size=size
    )


def dealt_by_number() -> GroupOfPlace:
    """Groups to which rows are dealt out in turn, by the numbers that they are released under."""
    number = "(placed.place % deal.group_count * deal.factor + deal.shift) % deal.group_count + 1"
    return GroupOfPlace(Markup(number), [sql("CROSS JOIN {deal} AS deal", deal=GROUP_DEAL)])


def group_rows_sql(placing: GroupOfPlace) -> Statement:
    """The statement that gives every row its place, and its group by it."""
    return statement(
        "recodings/group_row",
        table=GROUP_ROW,
        cells=GROUP_CELL,
        key=GROUP_KEY,
        group=placing.group,
        joins=placing.joins,
    )


def numbers_sql() -> Statement:
    """The statement that numbers the groups."""
    return statement("recodings/group_number", table=GROUP_NUMBER, rows=GROUP_ROW, key=GROUP_KEY)


def rows_query(form: GroupForm, *, is_numbered: bool = False) -> Markup:
    """The query for the rows of the first table: each row of the source, and its group.

    Where groups are not numbered yet, the table of their numbers is read.
    """
    labels = {column.name: column for column in labels_of(form.recodings).columns}
    others = {column.name: number for number, column in enumerate(form.others, 1)}
    shown, columns = [], []
    for column in form.source.columns:
        if column.name in labels:
            columns.append(labels[column.name].alias)
            shown.append((sql("named_{alias}.label", alias=columns[-1]), ident(column.name)))
        elif column.name in others:
            columns.append(Markup(f"kept_{others[column.name]:d}"))
            shown.append((sql("placed.{alias}", alias=columns[-1]), ident(column.name)))
    return fragment(
        "recodings/group_rows",
        cells=GROUP_CELL,
        rows=GROUP_ROW,
        numbers=[] if is_numbered else [GROUP_NUMBER],
        number=Markup("row_group.raw_group" if is_numbered else "numbered.group_id"),
        labels=list(labels.values()),
        columns=columns,
        shown=shown,
        held=ident(unused_name(form.source.names, "held_groups")),
        group=ident(GROUP_COLUMN),
    )


def values_query(form: GroupForm) -> Markup:
    """The query for the rows of the second table: each group's sensitive values, counted."""
    return fragment(
        "recodings/group_values",
        cells=GROUP_CELL,
        rows=GROUP_ROW,
        numbers=GROUP_NUMBER,
        **_named_values(form),
    )


def dealt_values_query(form: GroupForm) -> Markup:
    """The query for the rows of the second table, where rows are dealt out."""
    return fragment(
        "recodings/dealt_values", cells=GROUP_CELL, deal=GROUP_DEAL, **_named_values(form)
    )


def _named_values(form: GroupForm) -> dict[str, Any]:
    """The columns of the second table."""
    return {
        "forms": form.value_forms,
        "name": ident(form.sensitive.name),
        "group": ident(GROUP_COLUMN),
        "count": ident(COUNT_COLUMN),
    }


def limit_statement(least: int) -> Statement:
    """The statement that says in how many groups a staged plan's rows have so many values each."""
    return statement("recodings/group_limit", values=GROUP_VALUE, least=least)
