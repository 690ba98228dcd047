"""Sensitive columns as guarantees need them: values with ids, in order and along a hierarchy."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation
from sqlgen.errors import PolicyError
from sqlgen.guarantees import Guarantee, TableReference
from sqlgen.guarantees.base import Reference
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.judging.verdict_sql import (
    JudgingInput,
    PeopleKey,
    Values,
    classes_sql,
    column_fragment,
    judges_sizes_alone,
    people_sql,
    valued_sql,
)
from sqlgen.policy import Policy, Role
from sqlgen.sql.render import commas_after, each, fragment, statement
from sqlgen.sql.types import Column
from sqlgen.staging.people import Key, People, is_float, known_people, read_people, united
from sqlgen.staging.references import check_types, read_table, weight_sql
from sqlgen.staging.sensitive_levels import (
    at_sensitive_levels,
    read_sensitive_levels,
    sensitive_ladder,
)
from sqlgen.wording import counted

_PERSON = "{0} AS MATERIALIZED (\n  {1:nested 2}\n)"

References = dict[tuple[tuple[str, ...], Reference], Relation]


@dataclass(frozen=True)
class Sensitive:
    """The sensitive columns that some guarantees need, and what their classes are compared with.

    ``references`` holds the relation of every reference that is not the release itself, ``people``
    every table of people that classes are matched with. ``units`` names columns of persons, which
    are counted and not released. ``masks_sensitive`` says that a class which fails by its values
    stays.
    """

    ladders: tuple[Ladder, ...]
    references: References = field(default_factory=dict)
    units: frozenset[str] = frozenset()
    people: Mapping[PeopleKey, People] = field(default_factory=dict)
    masks_sensitive: bool = False

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns, in the table's order."""
        return tuple(ladder.column for ladder in self.ladders)

    @property
    def reads(self) -> list[Markup]:
        """Every relation that is read for values beside the table itself."""
        lines = [ladder.lines for ladder in self.ladders if ladder.lines is not None]
        others = [person.relation.sql for person in self.people.values()]
        listed = [
            ladder.lines
            for person in self.people.values()
            for ladder in person.ladders
            if ladder.lines is not None
        ]
        return [*lines, *(relation.sql for relation in self.references.values()), *others, *listed]

    def without_units(self) -> "Sensitive":
        """The sensitive columns alone."""
        kept = tuple(ladder for ladder in self.ladders if ladder.column.name not in self.units)
        return replace(self, ladders=kept)

    def units_alone(self) -> "Sensitive":
        """The columns of persons alone."""
        kept = tuple(ladder for ladder in self.ladders if ladder.column.name in self.units)
        return Sensitive(kept, {}, self.units)

    def has_others(self, column: str) -> bool:
        """Whether tables beside the relation have values of a column too."""
        return bool(self._others(column))

    def _others(self, name: str) -> list[Markup]:
        others = [
            reference.sql for (subject, _), reference in self.references.items() if name in subject
        ]
        return others + [
            person.relation.sql for person in self.people.values() if name in person.subject
        ]

    def rows(self, number: int, relation: Markup) -> Markup:
        """A query for the values of one column in a relation and in its references."""
        ladder = self.ladders[number]
        name = ladder.column.name
        others = self._others(name)
        if not others:
            return ladder.rows(relation)
        return ladder.rows(united(ladder, [relation, *dict.fromkeys(others)]))

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

    def judged(self, guarantees: Sequence[Guarantee], keys: Sequence[Key] = ()) -> JudgingInput:
        """The input of judging, where values stand in expressions of the same statement."""
        values = self.values([Markup(f"value_{number + 1}") for number in range(len(self.ladders))])
        fixed = {key: Markup(f"fixed_{number}") for number, key in enumerate(self.references, 1)}
        _, people = known_people(self.people, values, keys)
        names = [key.name for key in keys]
        return JudgingInput(guarantees, values, fixed, people, names, self.masks_sensitive)

    def judged_sql(
        self,
        judged: JudgingInput,
        cells: Markup,
        plains: Sequence[Markup],
        keys: Sequence[Key],
        condemned: Markup,
    ) -> Markup:
        """Expressions from ``value_1`` to ``people_n`` over cells with sensitive values.

        ``plains`` names the cells' columns that hold the values.
        """
        rows = [
            self.rows(
                number,
                column_fragment(plain, ladder.column.name, cells),
            )
            for number, (ladder, plain) in enumerate(zip(self.ladders, plains, strict=True))
        ]
        valued = valued_sql(cells, plains, judged, rows, self.fixed(judged.values))
        classes = classes_sql(
            Markup("valued_cell"), [key.column for key in keys], judged, condemned
        )
        persons, _ = known_people(self.people, judged.values, keys)
        floats = {
            ladder.column.name
            for person in self.people.values()
            for ladder in person.ladders
            if is_float(ladder)
        }
        named = [
            key.called(Markup(f"class.key_{number}"), is_float=key.name in floats)
            for number, key in enumerate(keys, 1)
        ]
        people = commas_after(each(persons, _PERSON), 0) + people_sql(judged, named)
        return valued + Markup(",\n") + classes + people

    def fixed(self, values: Sequence[Values]) -> dict[tuple[tuple[str, ...], Reference], Markup]:
        """A query per reference that suppression does not move."""
        return {key: self._fixed(key, values) for key in self.references}

    def _fixed(self, key: tuple[tuple[str, ...], Reference], values: Sequence[Values]) -> Markup:
        subject, against = key
        relation = self.references[key]
        by_name = {value.column: value for value in values}
        return fragment(
            "judging/fixed",
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
    """The sensitive columns that some guarantees or groups look at, in the policy's order."""
    jointly = any(guarantee.is_joint for guarantee in guarantees)
    named = {column for guarantee in guarantees for column in guarantee.judged_columns}
    every = jointly or (policy.masks_sensitive and not judges_sizes_alone(guarantees))
    return [
        name
        for name, column in policy.columns.items()
        if name in named or name in policy.recoding.of or (every and column.role is Role.SENSITIVE)
    ]


def read_sensitive(
    engine: Engine,
    policy: Policy,
    relation: Relation,
    guarantees: Sequence[Guarantee],
    source: Callable[[], Relation],
    origin: Relation | None = None,
) -> Sensitive:
    """The sensitive columns of a relation, and the relations that classes are compared with.

    ``source`` finds the policy's source with its own values, and is asked where a reference is
    the source, or a rule has to label its values. ``origin`` is the source too, where it is
    there: people's values are read in its types.
    """
    needed = needed_columns(policy, guarantees)
    ladders = tuple(
        _read(engine, policy, relation, column, source)
        for column in relation.columns
        if column.name in needed
    )
    references: References = {}
    for number, guarantee in enumerate(policy.guarantees):
        against = guarantee.reference_table
        if guarantee not in guarantees or against is None or against in ("released", "uniform"):
            continue
        where = policy.where("guarantees", number, guarantee.name, "reference")
        if isinstance(against, TableReference):
            found = read_table(engine, against, guarantee, where)
            check_types(relation, found, guarantee.judged_columns, against.table, where)
            references[guarantee.judged_columns, against] = found
        else:
            references[guarantee.judged_columns, against] = _with_columns(
                engine, policy, source(), guarantee, where
            )
            check_types(
                relation,
                references[guarantee.judged_columns, against],
                guarantee.judged_columns,
                "the source",
                where,
            )
    units = frozenset(
        guarantee.unit_column for guarantee in guarantees if guarantee.unit_column is not None
    )
    people = _read_people(engine, policy, relation, guarantees, origin)
    shown = any(ladder.column.name not in units for ladder in ladders)
    return Sensitive(ladders, references, units, people, policy.masks_sensitive and shown)


def _read_people(
    engine: Engine,
    policy: Policy,
    relation: Relation,
    guarantees: Sequence[Guarantee],
    origin: Relation | None,
) -> dict[PeopleKey, People]:
    """The tables of people that some guarantees ask for, by what is known of people."""
    people: dict[PeopleKey, People] = {}
    for guarantee in guarantees:
        against = guarantee.people
        if against is None or (against, guarantee.judged_columns) in people:
            continue
        where = policy.where(*_where(policy, guarantee))
        weight = Markup("1")
        if isinstance(against, TableReference):
            table = read_table(engine, against, guarantee, where)
            weight = weight_sql(table, against)
        table, ladders = read_people(engine, policy, against.table, origin, relation, where)
        check_types(relation, table, guarantee.judged_columns, against.table, where)
        people[against, guarantee.judged_columns] = People(
            table, ladders, weight, guarantee.judged_columns
        )
    return people


def _where(policy: Policy, guarantee: Guarantee) -> tuple[str | int, ...]:
    """Where a guarantee stands in the policy; of one that does not, nowhere in particular."""
    if guarantee not in policy.guarantees:
        return ()
    return ("guarantees", policy.guarantees.index(guarantee), guarantee.name)


def _with_columns(
    engine: Engine, policy: Policy, source: Relation, guarantee: Guarantee, where: str
) -> Relation:
    for name in guarantee.judged_columns:
        if name not in source.names:
            raise PolicyError(f"{where}: the source has no column {name}")
    return at_sensitive_levels(policy, source, read_sensitive_levels(engine, policy, source))


def _read(
    engine: Engine,
    policy: Policy,
    relation: Relation,
    column: Column,
    source: Callable[[], Relation],
) -> Ladder:
    declared = policy.columns[column.name]
    if column.name in policy.recoding.of and not column.has_distances:
        number = policy.recoding.of.index(column.name)
        raise PolicyError(
            f"{policy.where('recoding', policy.recoding.name, 'of', number)}: {column.name} is "
            f"{column.type}, whose values have no distances. Name a column of numbers or dates, or "
            "write recoding: anatomy. Nothing was changed."
        )
    ladder = (
        sensitive_ladder(engine, policy, relation, column.name, source)
        if declared.hierarchy is not None
        else Ladder(column, (), "value", "error")
    )
    for number, guarantee in enumerate(policy.guarantees):
        level = getattr(guarantee, "level", None)
        if (
            guarantee.judged_columns == (column.name,)
            and level is not None
            and level > ladder.height
        ):
            raise PolicyError(
                f"{policy.where('guarantees', number, guarantee.name, 'level')}: the hierarchy of "
                f"{column.name} has {ladder.height} levels; found {level}"
            )
    return replace(ladder, order=order_sql(ladder, declared.order))


def order_sql(ladder: Ladder, order: str | tuple[str, ...] | None) -> Markup | None:
    """The expression that a column's values are ordered by, over one of them."""
    if order is None:
        return None
    if order == "numeric" and not ladder.column.is_text:
        return Markup("value")
    return fragment("hierarchies/order", order=order, type=ladder.value_type)


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


def missing_values(
    engine: Engine, guarantees: Sequence[Guarantee], values: Sequence[Values]
) -> dict[str, int]:
    """Per guarantee in words, how many of the values that it names do not occur."""
    by_column = {value.column: value for value in values}
    missing = {}
    for guarantee in guarantees:
        named = list(dict.fromkeys(guarantee.named_values))
        if named:
            column = by_column[guarantee.judged_columns[0]]
            (found,) = engine.rows(
                statement(
                    "judging/occurring", values=column.relation, named=named, type=column.type
                )
            )[0]
            if found < len(named):
                missing[guarantee.words] = len(named) - found
    return missing
