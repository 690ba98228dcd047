"""Tables of people, matched with classes by what their values are called in a release."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation, require, typed, unused_name
from sqlgen.errors import PolicyError
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.judging.verdict_sql import MatchedPeople, PeopleKey, Values
from sqlgen.policy import Policy
from sqlgen.sql.render import (
    Statement,
    conjunction,
    each,
    fragment,
    ident,
    sql,
    statement,
    union_all,
)
from sqlgen.sql.types import Column, Kind
from sqlgen.staging.ladders import read_ladder
from sqlgen.staging.references import check_types


@dataclass(frozen=True)
class Key:
    """A quasi-identifier as some classes have it: by a label in ``column``, at a ``level`` or any.

    With a ``lookup`` the column holds ids of labels, which the lookup explains.
    """

    name: str
    column: Markup
    level: int | None = None
    lookup: Markup | None = None

    def called(self, column: Markup, *, is_float: bool) -> Markup:
        """A column of this key in the form in which people's labels are."""
        return column if self.lookup else label_text_fragment(column, is_float=is_float)


@dataclass(frozen=True)
class People:
    """A table of people: its quasi-identifiers with their ladders, and what a row of it counts.

    ``subject`` names the sensitive column that is known of people too, where there is one.
    """

    relation: Relation
    ladders: tuple[Ladder, ...]
    weight: Markup
    subject: tuple[str, ...] = ()

    def person_sql(self, values: Sequence[Values]) -> Markup:
        """A query for the people, equal ones counted."""
        known = [value for value in values if value.column in self.subject]
        return fragment(
            "staging/people_person",
            relation=self.relation.sql,
            keys=[ladder.column.plain("referred") for ladder in self.ladders],
            weight=self.weight,
            values=[
                {
                    "relation": value.relation,
                    "plain": self.relation.column(value.column).plain("referred"),
                    "type": value.type,
                }
                for value in known[:1]
            ],
        )

    def matched_sql(self, person: Markup, keys: Sequence[Key], classes: Markup) -> Markup:
        """A query for the people as classes with these keys are matched with them."""
        numbers = {ladder.column.name: number for number, ladder in enumerate(self.ladders, 1)}
        names = []
        for place, key in enumerate(keys, 1):
            ladder = self.ladders[numbers[key.name] - 1]
            label = Markup("label") if key.lookup else Markup(f"key_{place:d}")
            called = label_text_fragment(label, is_float=is_float(ladder))
            levels = None if key.level is None else [key.level]
            names.append(
                {
                    "number": numbers[key.name],
                    "query": labels_fragment(ladder, self.relation.sql, levels),
                    "place": Markup(f"key_{place:d}"),
                    "called": called,
                    "id": Markup("id") if key.lookup else called,
                    "shown": classes
                    if key.lookup is None
                    else sql("{lookup} WHERE is_kept", lookup=key.lookup),
                }
            )
        return fragment(
            "staging/people_matched",
            person=person,
            names=names,
            values=[Markup("value_id")] if self.subject else [],
        )


def label_text_fragment(column: Markup, *, is_float: bool) -> Markup:
    """A label as labels are compared: as text; of floating-point numbers 0.0 for -0.0 too."""
    text = sql("CAST({column} AS VARCHAR) COLLATE C", column=column)
    if not is_float:
        return text
    pattern = "CASE WHEN CAST({column} AS VARCHAR) = '-0.0' THEN '0.0' ELSE {text} END"
    return sql(pattern, column=column, text=text)


def is_float(ladder: Ladder) -> bool:
    """Whether a ladder's values are floating-point numbers: -0.0 and 0.0 are equal there."""
    return ladder.column.kind is Kind.FLOAT


def labels_fragment(
    ladder: Ladder,
    relation: Markup,
    levels: Sequence[int] | None = None,
    *,
    leaves: bool = False,
) -> Markup:
    """A query for what the values of a relation are called, at all levels if none are named.

    With ``leaves`` also for the values that only the hierarchy's list has.
    """
    covered = Markup("TRUE" if ladder.uncovered == "top" else "missing_level IS NULL")
    return fragment(
        "staging/people_labels",
        labelled=ladder.labelled(relation),
        is_kept=ladder.is_kept,
        levels=[
            {
                "level": level,
                "label": label_text_fragment(ladder.label(level), is_float=is_float(ladder)),
                "condition": conjunction(
                    [
                        *([] if leaves else [Markup("row_count > 0")]),
                        *([covered] if 0 < level < ladder.height else []),
                    ]
                ),
            }
            for level in (range(ladder.height + 1) if levels is None else levels)
        ],
    )


def known_people(
    people: Mapping[PeopleKey, People],
    values: Sequence[Values],
    keys: Sequence[Key],
) -> tuple[list[tuple[Markup, Markup]], dict[PeopleKey, MatchedPeople]]:
    """The expressions ``person_n`` of some tables of people, and how classes match them."""
    expressions = []
    matched = {}
    for number, (key, people_table) in enumerate(people.items(), 1):
        person = Markup(f"person_{number}")
        expressions.append((person, people_table.person_sql(values)))
        matched[key] = MatchedPeople(
            people_table.matched_sql(person, keys, Markup("class")), person
        )
    return expressions, matched


def read_people(
    engine: Engine,
    policy: Policy,
    table: str,
    origin: Relation | None,
    table_shown: Relation,
    where: str,
) -> tuple[Relation, tuple[Ladder, ...]]:
    """A table of people by its name, in the types of the source, with its ladders.

    Classes are told apart by the quasi-identifiers of ``table_shown``, so the table of people needs
    them; people who differ in others are different people. Types are those of the source or,
    without it, of ``table_shown``.
    """
    people = require(engine, table, where)
    needed = [name for name in table_shown.names if name in policy.quasi]
    lacking = [name for name in needed if name not in people.names]
    if lacking:
        raise PolicyError(
            f"{where}: {table} has no column {', '.join(lacking)}; people are matched by every "
            f"quasi-identifier. It has {', '.join(people.names)}"
        )
    quasi = [*needed, *(each for each in policy.quasi if each not in needed)]
    quasi = [name for name in quasi if name in people.names]
    if not quasi:
        raise PolicyError(f"{where}: {table} has none of the quasi-identifiers")
    like = origin or table_shown
    check_types(like, people, quasi, table, where)
    for column in like.columns if origin is not None else ():
        if column.name in quasi and column.is_text and not people.column(column.name).is_text:
            raise PolicyError(
                f"{where}: {column.name} is text, and {people.column(column.name).type} in "
                f"{table}, whose values may be spelled otherwise. Cast them in a view"
            )
    people = typed(people, [column for column in like.columns if column.name in quasi])
    return people, tuple(read_ladder(engine, policy, people, name) for name in quasi)


def united(ladder: Ladder, relations: Sequence[Markup]) -> Markup:
    """The values of a ladder's column in some relations, as one, to stand after FROM."""
    values = each(
        relations,
        "SELECT CAST({column:ident} AS {type}) AS {column:ident}\nFROM {}",
        column=ladder.column.name,
        type=ladder.value_type,
    )
    return sql("(\n  {values}\n)", values=union_all(values, 2))


def rows_behind(
    source: Relation,
    ladders: Sequence[Ladder],
    release: Relation,
    quasi: Sequence[Column],
    kept: Sequence[str],
    levels: Mapping[str, int],
) -> Relation:
    """The rows of the source behind the classes of a release, with some columns as they are.

    Each has the number of its class in the first column, and the labels of the class.
    """
    by_name = {ladder.column.name: ladder for ladder in ladders}
    number = unused_name((*source.names, *(column.name for column in quasi)), "class_id")
    sql = fragment(
        "staging/people_behind",
        source=source.sql,
        release=release.sql,
        class_id=ident(number),
        names=[
            {
                "name": column.name,
                "labels": labels_fragment(
                    by_name[column.name],
                    source.sql,
                    [levels[column.name]] if column.name in levels else None,
                ),
                "several": column.name not in levels,
                "plain": source.column(column.name).plain("source"),
                "called": label_text_fragment(
                    column.shown("released"), is_float=is_float(by_name[column.name])
                ),
            }
            for column in quasi
        ],
        kept=[{"name": name, "plain": source.column(name).plain("source")} for name in kept],
    )
    labels = [Column(column.name, "VARCHAR") for column in quasi]
    as_they_are = (source.column(name) for name in kept)
    return Relation(sql, "query", (Column(number, "BIGINT"), *labels, *as_they_are))


def unlike_sql(
    release: Relation,
    quasi: Sequence[Column],
    kept: Sequence[Column],
    behind: Relation,
    floats: Collection[str],
) -> Statement:
    """The statement that counts the combinations that have another number of rows behind them.

    ``floats`` are the quasi-identifiers of which the source has floating-point numbers.
    """
    return statement(
        "staging/people_unlike",
        release=release.sql,
        behind=behind.sql,
        keys=[
            {
                "released": label_text_fragment(
                    column.shown("released"), is_float=column.name in floats
                ),
                "behind": behind.column(column.name).plain("behind"),
            }
            for column in quasi
        ]
        + [
            {
                "released": column.plain("released"),
                "behind": behind.column(column.name).plain("behind"),
            }
            for column in kept
        ],
    )
