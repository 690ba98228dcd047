"""Releases in numbers: each is read once, and then stands for ids of classes, labels and values."""

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
from sqlgen.recodings.kept_regions import KeptRegions
from sqlgen.sql.ddl import drop_if_there
from sqlgen.sql.render import Statement, command, fragment, sql, statement, union_all
from sqlgen.sql.render import name as name_of
from sqlgen.sql.types import Kind
from sqlgen.staging.ladders import read_ladder
from sqlgen.staging.people import label_text_fragment, labels_fragment

_NO_REQUIREMENTS = Requirements()

# Values at which an open range such as ">= 90" can end: the largest and smallest of each type.
_LARGEST = ("127", "32767", "2147483647", "9223372036854775807", "9999-12-31")
_ENDS = (*_LARGEST, *(f"-{largest}" for largest in _LARGEST[:-1]), "0", "0001-01-01")


@dataclass(frozen=True)
class Part:
    """A part of a source: the rows that one query chooses.

    ``column`` says of each row whether the query chooses it. ``apart`` has the columns of the other
    parts that share no row with this one.
    """

    column: str
    apart: frozenset[str] = frozenset()

    @property
    def condition(self) -> Markup:
        """Whether a row of the source is in the part; NULL, as in the query's WHERE, is no."""
        return sql("CAST({column} AS BOOLEAN)", column=name_of(("source", self.column)))

    def is_apart(self, other: "Part") -> bool:
        """Whether no row can be in both."""
        return other.column in self.apart


# The rows of a source that a release may hold: by when they came, and by a query's condition.
Place = tuple[RowWindow | None, Part | None]


@dataclass(frozen=True)
class ReleaseRegions:
    """The regions of a release: the fingerprint of their set, its table, and the columns in it.

    ``shows_own`` says that some of them show labels of their own, ``by_label`` in which columns
    they show labels of the ladder in place of these.
    """

    fingerprint: str
    table: Markup
    columns: tuple[str, ...]
    shows_own: bool = False
    by_label: tuple[int, ...] = ()

    @property
    def kept(self) -> KeptRegions:
        """The regions, as rows are put into them."""
        return KeptRegions(
            self.table, self.fingerprint, shows_own=self.shows_own, by_label=self.by_label
        )


@dataclass(frozen=True)
class PublishedRelease:
    """A release as its readers see it: its name in messages, its rows and the levels they are at.

    ``levels`` has every quasi-identifier of the release, and its sensitive columns above level 0.
    ``masks_sensitive`` says that some classes may show no sensitive values. ``window`` is the time
    in which its rows came, for a release of new rows alone. ``part`` is the part of the source that
    its query chose. ``requirements`` are the guarantees that it was made with. ``regions`` are
    those of a release whose classes have levels of their own; ``levels`` has no quasi-identifier
    then.
    """

    words: str
    relation: Relation
    levels: Mapping[str, int]
    masks_sensitive: bool = False
    window: RowWindow | None = None
    requirements: Requirements = _NO_REQUIREMENTS
    part: Part | None = None
    regions: ReleaseRegions | None = None


def _is_apart(one: Place, other: Place) -> bool:
    """Whether no row of a source can be in two releases, by their windows and by their parts."""
    (window, part), (other_window, other_part) = one, other
    if window is not None and other_window is not None and window.is_apart(other_window):
        return True
    return part is not None and other_part is not None and part.is_apart(other_part)


def sharing(places: Sequence[Place]) -> list[bool]:
    """For each release, by its window and part: whether a row may be in it and in another one."""
    if all(part is None for _, part in places):
        return share_rows([window for window, _ in places])
    return [
        any(not _is_apart(place, other) for at, other in enumerate(places) if at != position)
        for position, place in enumerate(places)
    ]


def reached(places: Sequence[Place], upcoming: Place) -> list[bool]:
    """For each release: whether it shares rows with the one being made, directly or through others.

    Release 1 shares rows with release 2, and 2 with the upcoming one: then both are reached.
    """
    is_reached = [False] * len(places)
    to_visit = [upcoming]
    while to_visit:
        place = to_visit.pop()
        for index, other in enumerate(places):
            if not is_reached[index] and not _is_apart(place, other):
                is_reached[index] = True
                to_visit.append(other)
    return is_reached


@dataclass(frozen=True)
class StagedRelease:
    """A release under its number, with the policy's columns that it shows and its staged tables."""

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
        """The level of each quasi-identifier that the release shows."""
        return {name: self.shown.levels[name] for name in self.quasi}

    def level(self, column: str) -> int:
        """The level that the release shows a column at; a sensitive one may not be recorded: 0."""
        return self.shown.levels.get(column, 0)

    @property
    def columns(self) -> tuple[str, ...]:
        return (*self.quasi, *self.sensitive)

    def place(self, name: str) -> Markup:
        """The name of a column in the staged tables."""
        return place_of_column(self.policy, name)

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


def place_of_column(policy: Policy, name: str) -> Markup:
    """The name of a column in the staged tables: q1, q2, ... or s1, s2, ..., as in the policy."""
    if name in policy.quasi:
        return Markup(f"q{policy.quasi.index(name) + 1}")
    return Markup(f"s{policy.sensitive.index(name) + 1}")


def labels_table(name: str) -> Markup:
    return temporary(f"joint_label_{name}")


def stage_releases(
    engine: Engine, policy: Policy, source: Relation, releases: Sequence[StagedRelease]
) -> list[Markup]:
    """Stage the releases in numbers, and the source's values with labels; gives the tables."""
    _stage_texts(engine, source, releases)
    tables = _stage_labels(engine, policy, source, releases)
    for release in releases:
        _stage_classes(engine, release)
        tables += [release.text, release.cells, release.classes]
    for name in policy.quasi:
        levels = {release.levels[name] for release in releases if name in release.quasi}
        if levels:
            ladder = read_ladder(engine, policy, source, name)
            place = releases[0].place(name)
            stage_values(engine, policy, source, ladder, sorted(levels))
            tables.append(values_table(place))
    return tables


def _stage_texts(engine: Engine, source: Relation, releases: Sequence[StagedRelease]) -> None:
    """Count the rows of each release by the texts that it shows: the rows are read this once."""
    floats = {column.name for column in source.columns if column.kind is Kind.FLOAT}
    for release in releases:
        columns = [
            {
                "place": release.place(column.name),
                "called": label_text_fragment(
                    column.shown("released"), is_float=column.name in floats
                ),
            }
            for column in release.shown.relation.columns
            if column.name in release.columns
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
    engine: Engine, policy: Policy, source: Relation, releases: Sequence[StagedRelease]
) -> list[Markup]:
    """Number the labels of each column, over all releases; gives the tables."""
    tables = []
    for name in (*policy.quasi, *policy.sensitive):
        showing = [release for release in releases if name in release.columns]
        if showing:
            place = showing[0].place(name)
            tables.append(labels_table(place))
            more = sensitive_labels(engine, policy, source, showing, name)
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
    places = [release.place(name) for name in release.columns]
    masked = release.sensitive if release.shown.masks_sensitive else ()
    engine.run(
        statement(
            "history/cell",
            table=release.cells,
            shown=release.text,
            keys=release.keys,
            columns=[{"place": place, "labels": labels_table(place)} for place in places],
            masked=[release.place(name) for name in masked],
        )
    )
    engine.run(
        statement("history/class", table=release.classes, cells=release.cells, keys=release.keys)
    )


def stage_values(
    engine: Engine, policy: Policy, source: Relation, ladder: Ladder, levels: Sequence[int]
) -> None:
    """Stage the values of a column with the numbers of their labels at the levels that are shown.

    With several levels, labels are taken from the finer to the coarser ones. A release may show
    labels of values that the source has no more; so the values of a list are staged too or, where
    the hierarchy is a rule, values that the labels themselves suggest.
    """
    name = ladder.column.name
    place = place_of_column(policy, name)
    several, labels = len(levels) > 1, labels_table(place)
    # Expressions are proved to nest for values of the source alone.
    by_rule = not isinstance(policy.columns[name].hierarchy, (Listed, Expressions))
    finest, *coarser = (
        {"level": level, "query": labels_fragment(ladder, Markup("distinct_value"), [level])}
        for level in levels
    )
    engine.run(
        statement(
            "history/value",
            table=values_table(place),
            source=source.sql,
            column=name,
            plain=ladder.column.plain("source"),
            type=ladder.value_type,
            is_text=ladder.column.is_text,
            leaves=ladder.leaves if several and ladder.lines is not None else None,
            spelled=_spellings_fragment(labels) if several and by_rule else None,
            labels=labels,
            finest=finest,
            coarser=coarser,
        )
    )


def _spellings_fragment(labels: Markup) -> Markup:
    """A query for texts of values that may have these labels.

    The value below an edge such as 90 is 89, 89.99 and so on: steps from 1 down to a billionth.
    """
    steps = [Decimal(step) for step in ("1", "0.01", "0.000001", "0.000000001")]
    return fragment("history/spellings", labels=labels, steps=steps, ends=_ENDS)


def drop_tables(engine: Engine, *tables: Markup) -> None:
    """Drop staged tables, so that those of the next release can have their names."""
    for table in tables:
        engine.run(drop_if_there("TABLE", table))


def values_table(place: str) -> Markup:
    return temporary(f"joint_value_{place}")


def created(label: str, table: Markup, queries: Sequence[Markup]) -> Statement:
    """The statement that stages the rows of several queries, one for each release."""
    query = union_all(queries)
    return command(label, "CREATE TEMPORARY TABLE {table} AS\n{query}", table=table, query=query)


def held_fragment(release: StagedRelease, place: Markup, finer: Markup | None) -> Markup:
    """A query for the values of a sensitive column in each class of a release.

    ``finer`` has the labels that each label of the release stands for at the finest level that any
    release shows; None for a release at that level.
    """
    return fragment(
        "history/held",
        release=release.number,
        column=place,
        columns=[place],
        finer=finer,
        **release.tables,
    )


def held_together_fragment(release: StagedRelease, places: Sequence[Markup]) -> Markup:
    """A query for the combinations of some sensitive columns in each class of a release."""
    return fragment(
        "history/held", release=release.number, columns=places, finer=None, **release.tables
    )


def counted_level(policy: Policy, showing: Sequence[StagedRelease], name: str) -> int:
    """The level at which the candidate values of a sensitive column are counted.

    It is the coarsest at which the policy or a release promises a number of values.
    """
    promising = [
        release.level(name)
        for release in showing
        if name in release.shown.requirements.diverse or name in release.shown.requirements.implied
    ]
    return max([policy.level(name), *promising])


def sensitive_labels(
    engine: Engine, policy: Policy, source: Relation, showing: Sequence[StagedRelease], name: str
) -> dict[int, Markup]:
    """Queries for the labels of a sensitive column, by level; none where no label changes level.

    Labels change level where releases show the column at several levels, for they are compared at
    the finest of these, and where values are counted at a coarser one.
    """
    if name in policy.quasi:
        return {}
    levels = {release.level(name) for release in showing}
    counted = counted_level(policy, showing, name)
    if counted > min(levels):
        levels.add(counted)
    if len(levels) == 1:
        return {}
    ladder = read_ladder(engine, policy, source, name)
    return {
        level: labels_fragment(ladder, source.sql, [level], leaves=True) for level in sorted(levels)
    }
