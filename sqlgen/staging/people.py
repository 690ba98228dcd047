"""Tables of people, matched with classes by what their values are called in a release."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation, require, typed
from sqlgen.errors import PolicyError
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.judging.verdict_sql import MatchedPeople, PeopleKey, Values
from sqlgen.policy import Policy
from sqlgen.sql.render import (
    conjunction,
    each,
    fragment,
    sql,
    union_all,
)
from sqlgen.sql.types import Kind
from sqlgen.staging.ladders import read_ladder
from sqlgen.staging.references import check_types


@dataclass(frozen=True)
class ShownLevels:
    """How the labels of a table's columns are read.

    ``levels`` has the columns that are at one level; a label of another column is of whatever level
    has it. ``spans`` has the columns that show ranges or sets too: for each a relation of ``value``
    and the ``label`` that holds it. ``labels`` counts the labels of columns, as far as is known.
    """

    levels: Mapping[str, int] = field(default_factory=dict)
    spans: Mapping[str, Markup] = field(default_factory=dict)
    labels: Mapping[str, int] = field(default_factory=dict)


# Every label is of whatever level has it.
NO_LEVELS = ShownLevels()


@dataclass(frozen=True)
class Key:
    """A quasi-identifier as some classes have it: by a label in ``column``, at a ``level`` or any.

    With a ``lookup`` the column holds ids of labels, which the lookup explains. ``spans`` are its
    ranges and sets, where it has some, ``labels`` their count (see ShownLevels).
    """

    name: str
    column: Markup
    level: int | None = None
    lookup: Markup | None = None
    spans: Markup | None = None
    labels: int = 0

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
        names: list[dict[str, Markup | int]] = []
        queries = []
        has_spans = any(key.spans is not None for key in keys)
        # Few labels first: people are held against the labels of all columns up to one.
        for place, key in sorted(
            enumerate(keys, 1), key=lambda each: each[1].labels if has_spans else 0
        ):
            ladder = self.ladders[numbers[key.name] - 1]
            label = Markup("label") if key.lookup else Markup(f"key_{place:d}")
            called = label_text_fragment(label, is_float=is_float(ladder))
            levels = None if key.level is None else [key.level]
            query = with_spans(labels_fragment(ladder, self.relation.sql, levels), key.spans)
            queries.append(query)
            names.append(
                {
                    "number": numbers[key.name],
                    "query": query,
                    "place": Markup(f"key_{place:d}"),
                    "called": called,
                    "id": Markup("id") if key.lookup else called,
                    "shown": classes
                    if key.lookup is None
                    else sql("{lookup} WHERE is_kept", lookup=key.lookup),
                }
            )
        known = [Markup("value_id")] if self.subject else []
        if not has_spans:
            return fragment("staging/people_matched", person=person, names=names, values=known)
        return fragment(
            "staging/people_matched_spans",
            person=person,
            classes=classes,
            names=names,
            values=known,
            steps=steps_fragment(Markup("named_class"), Markup("value_row"), queries),
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


def with_spans(labels: Markup, spans: Markup | None) -> Markup:
    """A query for labels of values, with the ranges and sets that hold them, if there are some."""
    if spans is None:
        return labels
    pattern = (
        "SELECT value, label\nFROM (\n  {labels:nested 2}\n) AS label_of_value\n"
        "UNION ALL\nSELECT value, label\nFROM {spans}"
    )
    return sql(pattern, labels=labels, spans=spans)


def steps_fragment(classes: Markup, rows: Markup, labels: Sequence[Markup]) -> Markup:
    """The expressions that tell which rows fit which classes, by the labels of each column.

    The last one is ``step_`` with the number of columns.
    """
    last = len(labels)
    return fragment(
        "staging/people_steps",
        classes=classes,
        steps=[
            {
                "number": number,
                "labels": query,
                "rows": rows if number == 1 else Markup(f"step_{number - 1:d}"),
                "before": [number - 1] if number > 1 else [],
                "through": range(1, number + 1),
                "left": range(number + 1, last + 1),
                "reached": Markup("class_id" if number == last else f"prefix_{number:d}"),
            }
            for number, query in enumerate(labels, 1)
        ],
    )
