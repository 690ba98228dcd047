"""Sensitive columns as guarantees need them: values with ids, in order and along a hierarchy."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from sqlgen.catalog import Relation, require
from sqlgen.engines import Engine
from sqlgen.errors import EngineError, PolicyError
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.judge import Judged, Values, classes_sql, valued_sql
from sqlgen.ladders import read_ladder
from sqlgen.models import Guarantee, TableReference
from sqlgen.models.guarantee import Reference
from sqlgen.numbers import counted
from sqlgen.policy import Policy, Role
from sqlgen.sql.render import fragment, statement
from sqlgen.sql.types import Column, Kind

# Products of a reference's rows, a class's rows, a million values and a threshold fit 128 bits.
_MOST_WEIGHT = 10**12

References = dict[tuple[tuple[str, ...], Reference], Relation]


@dataclass(frozen=True)
class Sensitive:
    """The sensitive columns that some guarantees need, and what their classes are compared with.

    ``references`` holds the relation of every reference that is not the release itself, ``units``
    names columns of persons, which are counted and not released.
    """

    ladders: tuple[Ladder, ...]
    references: References
    units: frozenset[str] = frozenset()

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns, in the table's order."""
        return tuple(ladder.column for ladder in self.ladders)

    @property
    def reads(self) -> list[Markup]:
        """Every relation that is read for values beside the table itself."""
        lines = [ladder.lines for ladder in self.ladders if ladder.lines is not None]
        return [*lines, *(relation.sql for relation in self.references.values())]

    def without_units(self) -> "Sensitive":
        """The sensitive columns alone."""
        kept = tuple(each for each in self.ladders if each.column.name not in self.units)
        return Sensitive(kept, self.references)

    def units_alone(self) -> "Sensitive":
        """The columns of persons alone."""
        kept = tuple(each for each in self.ladders if each.column.name in self.units)
        return Sensitive(kept, {}, self.units)

    def rows(self, number: int, relation: Markup) -> Markup:
        """A query for the values of one column in a relation and in its references."""
        ladder = self.ladders[number]
        name = ladder.column.name
        others = [
            reference.sql for (subject, _), reference in self.references.items() if name in subject
        ]
        if not others:
            return ladder.rows(relation)
        united = fragment(
            "judge/united",
            column=name,
            type=ladder.value_type,
            relations=[relation, *dict.fromkeys(others)],
        )
        return ladder.rows(united)

    def values(self, relations: Sequence[Markup]) -> list[Values]:
        """The columns as classes are judged by them; each relation holds one column's values."""
        return [
            Values(
                ladder.column.name,
                _cell(number),
                relation,
                ladder.height,
                ladder.value_type,
                ladder.column.name not in self.units,
            )
            for number, (ladder, relation) in enumerate(zip(self.ladders, relations, strict=True))
        ]

    def judged(self, guarantees: Sequence[Guarantee]) -> Judged:
        """What is judged where the columns' values stand in expressions of the same statement."""
        values = self.values([Markup(f"value_{number + 1}") for number in range(len(self.ladders))])
        fixed = {key: Markup(f"fixed_{number}") for number, key in enumerate(self.references, 1)}
        return Judged(guarantees, values, fixed)

    def judged_sql(
        self,
        judged: Judged,
        cells: Markup,
        plains: Sequence[Markup],
        keys: Sequence[Markup],
        condemned: Markup,
    ) -> Markup:
        """Expressions from ``value_1`` to ``class_cell_0`` over cells with sensitive values.

        ``plains`` names the cells' columns that hold the values.
        """
        rows = [
            self.rows(
                number,
                fragment("judge/column", plain=plain, column=ladder.column.name, cells=cells),
            )
            for number, (ladder, plain) in enumerate(zip(self.ladders, plains, strict=True))
        ]
        valued = valued_sql(cells, plains, judged, rows, self.fixed(judged.values))
        classes = classes_sql(Markup("valued_cell"), keys, judged, condemned)
        return valued + Markup(",\n") + classes

    def fixed(self, values: Sequence[Values]) -> dict[tuple[tuple[str, ...], Reference], Markup]:
        """A query per reference that suppression does not move."""
        return {key: self._fixed(key, values) for key in self.references}

    def _fixed(self, key: tuple[tuple[str, ...], Reference], values: Sequence[Values]) -> Markup:
        subject, against = key
        relation = self.references[key]
        by_name = {each.column: each for each in values}
        return fragment(
            "judge/fixed",
            relation=relation.sql,
            weight=weight_sql(relation, against),
            columns=[
                {
                    "alias": Markup(f"value_{position}"),
                    "values": by_name[name].relation,
                    "plain": relation.column(name).plain("referred"),
                    "type": by_name[name].type,
                }
                for position, name in enumerate(subject, 1)
            ],
        )


def _cell(number: int) -> Markup:
    return Markup(f"v{number + 1}")


def needed_columns(policy: Policy, guarantees: Sequence[Guarantee]) -> list[str]:
    """The sensitive columns that some guarantees look at, in the policy's order."""
    jointly = any(each.by_blocks for each in guarantees)
    named = {column for each in guarantees for column in each.subject}
    return [
        name
        for name, column in policy.columns.items()
        if name in named or (jointly and column.role is Role.SENSITIVE)
    ]


def read_sensitive(
    engine: Engine,
    policy: Policy,
    relation: Relation,
    guarantees: Sequence[Guarantee],
    source: Callable[[], Relation],
) -> Sensitive:
    """The sensitive columns of a relation, and the relations that classes are compared with.

    ``source`` finds the policy's source, and is asked where a reference is the source.
    """
    needed = needed_columns(policy, guarantees)
    ladders = tuple(
        _read(engine, policy, relation, column)
        for column in relation.columns
        if column.name in needed
    )
    references: References = {}
    for number, each in enumerate(policy.guarantees):
        against = each.against
        if each not in guarantees or against is None or against in ("released", "uniform"):
            continue
        where = policy.where("guarantees", number, each.name, "reference")
        if isinstance(against, TableReference):
            found = _read_table(engine, against, each, where)
            _check_types(relation, found, each, against.table, where)
            references[each.subject, against] = found
        else:
            references[each.subject, against] = _with_columns(source(), each, where)
            _check_types(relation, references[each.subject, against], each, "the source", where)
    units = frozenset(each.person for each in guarantees if each.person is not None)
    return Sensitive(ladders, references, units)


def _with_columns(source: Relation, guarantee: Guarantee, where: str) -> Relation:
    for name in guarantee.subject:
        if name not in source.names:
            raise PolicyError(f"{where}: the source has no column {name}")
    return source


def _read(engine: Engine, policy: Policy, relation: Relation, column: Column) -> Ladder:
    declared = policy.columns[column.name]
    ladder = (
        read_ladder(engine, policy, relation, column.name)
        if declared.hierarchy is not None
        else Ladder(column, (), "value", "error")
    )
    for number, each in enumerate(policy.guarantees):
        level = getattr(each, "level", None)
        if each.subject == (column.name,) and level is not None and level > ladder.height:
            raise PolicyError(
                f"{policy.where('guarantees', number, each.name, 'level')}: the hierarchy of "
                f"{column.name} has {ladder.height} levels; found {level}"
            )
    return replace(ladder, order=order_sql(ladder, declared.order))


def order_sql(ladder: Ladder, order: str | tuple[str, ...] | None) -> Markup | None:
    """What a column's values are ordered by, as an expression over one of them."""
    if order is None:
        return None
    if not isinstance(order, str):
        return fragment("hierarchies/order_list", values=order, type=ladder.value_type)
    is_text = ladder.column.is_text
    if order == "numeric":
        return fragment("hierarchies/order_numeric") if is_text else Markup("value")
    return fragment("hierarchies/order_text")


def _read_table(
    engine: Engine, against: TableReference, guarantee: Guarantee, where: str
) -> Relation:
    found = require(engine, against.table, where)
    wanted = [*guarantee.subject, *([against.weight] if against.weight else [])]
    for name in wanted:
        if name not in found.names:
            raise PolicyError(
                f"{where}: {against.table} has no column {name}; it has {', '.join(found.names)}"
            )
    if against.weight and found.column(against.weight).kind not in (Kind.INTEGER, Kind.DECIMAL):
        raise PolicyError(
            f"{where}: a weight is a column of whole numbers or decimals; {against.weight} is "
            f"{found.column(against.weight).type}"
        )
    asked = statement("judge/weights", relation=found.sql, weight=weight_sql(found, against))
    try:
        total, unfit = engine.rows(asked)[0]
    except EngineError as error:
        raise PolicyError(
            f"{where}: the weights, in units of their last digit, must add up to between 1 and "
            f"{_MOST_WEIGHT:,}, and cannot be added up ({error})"
        ) from None
    if unfit:
        raise PolicyError(
            f"{where}: {counted(unfit, 'row')} of {against.table} without a weight of at least 0"
        )
    if not 0 < total <= _MOST_WEIGHT:
        raise PolicyError(
            f"{where}: the weights, in units of their last digit, must add up to between 1 and "
            f"{_MOST_WEIGHT:,}; they add up to {total:,}"
        )
    return found


def _check_types(
    relation: Relation, found: Relation, guarantee: Guarantee, called: str, where: str
) -> None:
    """Refuse values that would be rounded, or could not be read, as what the column holds."""
    for column in relation.columns:
        if column.name in guarantee.subject and not column.is_text:
            other = found.column(column.name)
            widens = other.kind is Kind.INTEGER and column.kind in (Kind.DECIMAL, Kind.FLOAT)
            if not (widens or other.kind is column.kind) or other.scale > column.scale:
                raise PolicyError(
                    f"{where}: {column.name} is {column.type}, and {other.type} in "
                    f"{called}, whose values may be others. Cast them in a view"
                )


def weight_sql(relation: Relation, against: Reference) -> Markup:
    """What a row of a reference counts."""
    column = against.weight if isinstance(against, TableReference) else None
    scale = relation.column(column).scale if column is not None else 0
    return fragment("judge/weight", column=column, scale=scale)


def check_orders(
    engine: Engine, policy: Policy, ladders: Sequence[Ladder], tables: Sequence[Markup]
) -> None:
    """Refuse an order that does not place every value of its column."""
    for ladder, table in zip(ladders, tables, strict=True):
        if ladder.order is None:
            continue
        values, rows = engine.rows(
            statement("hierarchies/order_faults", ladder=table, order=ladder.order)
        )[0]
        if values:
            name = ladder.column.name
            listed = not isinstance(policy.columns[name].order, str)
            place = "Add them to the list. " if listed else "Say text, or list its values. "
            raise PolicyError(
                f"{policy.where('columns', name, 'order')}: {counted(values, 'distinct value')} "
                f"({counted(rows, 'row')}) of {name} have no place in the order. {place}"
                "Nothing was changed."
            )


def check_references(
    engine: Engine, policy: Policy, sensitive: Sensitive, values: Sequence[Values]
) -> None:
    """Refuse an ordered distance to a table that lacks values, whose places would come and go."""
    fixed = sensitive.fixed(values)
    by_column = {each.column: each for each in values}
    for number, each in enumerate(policy.guarantees):
        against = each.against
        if each.needed != "order" or not isinstance(against, TableReference):
            continue
        (lacking,) = engine.rows(
            statement(
                "judge/lacking",
                values=by_column[each.subject[0]].relation,
                reference=fixed[each.subject, against],
            )
        )[0]
        if lacking:
            raise PolicyError(
                f"{policy.where('guarantees', number, each.name, 'reference')}: {against.table} "
                f"lacks {counted(lacking, 'value')} of {each.subject[0]}, and an ordered distance "
                "needs a place for each. Nothing was changed."
            )


def missing_values(
    engine: Engine, guarantees: Sequence[Guarantee], values: Sequence[Values]
) -> dict[str, int]:
    """Per guarantee in words, how many of the values that it names do not occur."""
    by_column = {each.column: each for each in values}
    missing = {}
    for each in guarantees:
        named = list(dict.fromkeys(each.named_values))
        if named:
            column = by_column[each.subject[0]]
            (found,) = engine.rows(
                statement("judge/occurring", values=column.relation, named=named, type=column.type)
            )[0]
            if found < len(named):
                missing[each.words] = len(named) - found
    return missing
