"""Releases in numbers: each read once, and after that told by ids of classes, labels and values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation, temporary
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.hierarchies.lists import Listed
from sqlgen.hierarchies.rules import Expressions
from sqlgen.history.requirements import Requirements
from sqlgen.policy import Policy, RowWindow, share_rows
from sqlgen.sql.render import fragment, statement
from sqlgen.sql.types import Kind
from sqlgen.staging.ladders import read_ladder
from sqlgen.staging.people import label_text_fragment, labels_fragment

_NOTHING = Requirements()

# The ends of a range without an edge, of wide and of narrow types.
_MOST = ("127", "32767", "2147483647", "9223372036854775807", "9999-12-31")
_ENDS = (*_MOST, *(f"-{most}" for most in _MOST[:-1]), "0", "0001-01-01")


@dataclass(frozen=True)
class Part:
    """The rows of a source that a query chooses: the column that says so of each row.

    ``apart`` are the columns of the parts that share no row with it.
    """

    column: str
    apart: frozenset[str] = frozenset()

    def is_apart(self, other: "Part") -> bool:
        """Whether no row can be in both."""
        return other.column in self.apart


# Which rows of a source a release could have: by when they came, and by a query.
Place = tuple[RowWindow | None, Part | None]


@dataclass(frozen=True)
class PublishedRelease:
    """A release as its readers see it: what to call it, its rows, and at which levels they are.

    ``levels`` has every quasi-identifier that it shows, and sensitive columns that are not at 0.
    ``withholds`` says that classes may stand in it without their sensitive values, ``window`` that
    it has only rows that came in a time, ``part`` that a query chose its rows, ``promised`` what
    it was made to give.
    """

    words: str
    relation: Relation
    levels: Mapping[str, int]
    masks_sensitive: bool = False
    window: RowWindow | None = None
    requirements: Requirements = _NOTHING
    part: Part | None = None


def _is_apart(one: Place, other: Place) -> bool:
    """Whether no row of a source can be in two releases, by their windows and by their parts."""
    windows = one[0] is not None and other[0] is not None and one[0].is_apart(other[0])
    return windows or (one[1] is not None and other[1] is not None and one[1].is_apart(other[1]))


def sharing(places: Sequence[Place]) -> list[bool]:
    """Of each release, by its window and part, whether a row may be in it and in another."""
    if all(part is None for _, part in places):
        return share_rows([window for window, _ in places])
    return [
        any(not _is_apart(one, other) for at, other in enumerate(places) if at != place)
        for place, one in enumerate(places)
    ]


def reached(places: Sequence[Place], made: Sequence[Place]) -> list[bool]:
    """Of each release, whether it shares rows with one being made, or with another that does."""
    found = [False] * len(places)
    ahead = list(made)
    while ahead:
        place = ahead.pop()
        for number, other in enumerate(places):
            if not found[number] and not _is_apart(place, other):
                found[number] = True
                ahead.append(other)
    return found


@dataclass(frozen=True)
class StagedRelease:
    """A release by its number, with the columns of the policy that it shows, and its tables."""

    number: int
    shown: PublishedRelease
    policy: Policy

    @property
    def quasi(self) -> tuple[str, ...]:
        names = self.shown.relation.names
        return tuple(name for name in self.policy.quasi if name in names)

    @property
    def sensitive(self) -> tuple[str, ...]:
        names = self.shown.relation.names
        return tuple(name for name in self.policy.sensitive if name in names)

    @property
    def levels(self) -> dict[str, int]:
        """The level of each quasi-identifier that it shows; classes alike have the same ones."""
        return {name: self.shown.levels[name] for name in self.quasi}

    def level(self, sensitive: str) -> int:
        return self.shown.levels.get(sensitive, 0)

    def place(self, name: str) -> Markup:
        """What the tables of every release call a column."""
        if name in self.policy.quasi:
            return Markup(f"q{self.policy.quasi.index(name) + 1}")
        return Markup(f"s{self.policy.sensitive.index(name) + 1}")

    @property
    def keys(self) -> list[Markup]:
        return [self.place(name) for name in self.quasi]

    def is_apart(self, other: "StagedRelease") -> bool:
        """Whether no row of the source can be in both releases."""
        one, two = self.shown, other.shown
        return _is_apart((one.window, one.part), (two.window, two.part))

    @property
    def text(self) -> Markup:
        return temporary(f"joint_shown_{self.number}")

    @property
    def cells(self) -> Markup:
        return temporary(f"joint_cell_{self.number}")

    @property
    def classes(self) -> Markup:
        return temporary(f"joint_class_{self.number}")

    @property
    def tables(self) -> dict[str, Markup]:
        return {"cells": self.cells, "classes": self.classes}


def labels_table(name: str) -> Markup:
    return temporary(f"joint_label_{name}")


def stage_releases(
    engine: Engine, policy: Policy, source: Relation, read: Sequence[StagedRelease]
) -> list[Markup]:
    """Stage the releases in numbers, and the source's values as each shows them."""
    _stage_texts(engine, source, read)
    labels = _stage_labels(engine, policy, source, read)
    for release in read:
        _stage_classes(engine, release)
    values = []
    for name in policy.quasi:
        levels = {release.levels[name] for release in read if name in release.quasi}
        if levels:
            ladder = read_ladder(engine, policy, source, name)
            stage_values(engine, policy, source, ladder, read[0].place(name), sorted(levels))
            values.append(values_table(read[0].place(name)))
    made = [table for release in read for table in (release.text, release.cells, release.classes)]
    return [*made, *labels, *values]


def _stage_texts(engine: Engine, source: Relation, read: Sequence[StagedRelease]) -> None:
    """Count the rows of each release by the texts that it shows: they are read once."""
    floats = {column.name for column in source.columns if column.kind is Kind.FLOAT}
    for release in read:
        shown = (*release.quasi, *release.sensitive)
        columns = [
            {
                "place": release.place(column.name),
                "called": label_text_fragment(
                    column.shown("released"), is_float=column.name in floats
                ),
            }
            for column in release.shown.relation.columns
            if column.name in shown
        ]
        engine.run(
            statement(
                "history/shown",
                table=release.text,
                columns=columns,
                release=release.shown.relation.sql,
            )
        )


def _stage_labels(
    engine: Engine, policy: Policy, source: Relation, read: Sequence[StagedRelease]
) -> list[Markup]:
    """Number the labels of each column, over all releases; gives the tables."""
    tables = []
    for name in (*policy.quasi, *policy.sensitive):
        showing = [release for release in read if name in (*release.quasi, *release.sensitive)]
        if showing:
            place = showing[0].place(name)
            tables.append(labels_table(place))
            more = stood_for(engine, policy, source, showing, name)
            engine.run(
                statement(
                    "history/label",
                    table=labels_table(place),
                    column=place,
                    shown=[release.text for release in showing],
                    more=list(more.values()),
                )
            )
    return tables


def _stage_classes(engine: Engine, release: StagedRelease) -> None:
    """Stage the cells of a release, with the numbers of their labels, and its classes."""
    places = [release.place(name) for name in (*release.quasi, *release.sensitive)]
    masked = release.sensitive if release.shown.masks_sensitive else ()
    engine.run(
        statement(
            "history/cell",
            table=release.cells,
            shown=release.text,
            columns=[{"place": place, "labels": labels_table(place)} for place in places],
            withheld=[release.place(name) for name in masked],
        )
    )
    engine.run(
        statement("history/class", table=release.classes, cells=release.cells, keys=release.keys)
    )


def stage_values(
    engine: Engine,
    policy: Policy,
    source: Relation,
    ladder: Ladder,
    place: Markup,
    levels: Sequence[int],
) -> None:
    """Stage the values of a column with the numbers of their labels at the levels that are shown.

    Where there are several, values that the source has no more are among them: those that a list
    still has, or that a label tells of by itself.
    """
    several, labels = len(levels) > 1, labels_table(place)
    # Expressions are known to nest for values of the source alone.
    by_rule = not isinstance(policy.columns[ladder.column.name].hierarchy, (Listed, Expressions))
    engine.run(
        statement(
            "history/value",
            table=values_table(place),
            source=source.sql,
            column=ladder.column.name,
            plain=ladder.column.plain("source"),
            type=ladder.value_type,
            is_text=ladder.column.is_text,
            leaves=ladder.leaves if several and ladder.lines is not None else None,
            told=_told_sql(labels) if several and by_rule else None,
            labels=labels,
            levels=[
                {
                    "level": level,
                    "query": labels_fragment(ladder, Markup("distinct_value"), [level]),
                }
                for level in levels
            ],
        )
    )


def _told_sql(labels: Markup) -> Markup:
    """A query for values that labels may be of; numbers are tried from whole ones to fine ones."""
    steps = [Decimal(step) for step in ("1", "0.01", "0.000001", "0.000000001")]
    return fragment("history/told", labels=labels, steps=steps, ends=_ENDS)


def values_table(place: str) -> Markup:
    return temporary(f"joint_value_{place}")


def counted_level(policy: Policy, showing: Sequence[StagedRelease], name: str) -> int:
    """The level at which candidate values are counted: the coarsest at which any were promised."""
    promising = [
        release.level(name)
        for release in showing
        if name in release.shown.requirements.diverse or name in release.shown.requirements.implied
    ]
    return max([policy.level(name), *promising])


def stood_for(
    engine: Engine, policy: Policy, source: Relation, showing: Sequence[StagedRelease], name: str
) -> dict[int, Markup]:
    """The labels of a sensitive column to which those of releases at other levels are taken.

    The finest level that any release shows and, where values are counted at a coarser one, that.
    """
    if name in policy.quasi:
        return {}
    levels = {release.level(name) for release in showing}
    finest, coarsest = min(levels), counted_level(policy, showing, name)
    needed = {finest} if len(levels) > 1 else set()
    if coarsest > finest:
        needed |= {finest, coarsest}
    if not needed:
        return {}
    ladder = read_ladder(engine, policy, source, name)
    return {
        level: labels_fragment(ladder, source.sql, [level], leaves=True)
        for level in sorted(needed | levels)
    }
