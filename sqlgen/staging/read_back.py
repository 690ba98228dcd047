"""A column as a finished table shows it: its labels read back, of any tool.

Labels are compared as texts that a reader sees, floats as they are written. A label is known where
some value has it: of the rows that are at hand or, if they are gone from these, of the hierarchy's
own list. Uncovered values have the labels that the hierarchy gives them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation, temporary
from sqlgen.errors import SqlgenError
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.hierarchies.rules import Expressions
from sqlgen.policy import Policy
from sqlgen.sql.render import Statement, commas, fragment, literal, sql, statement
from sqlgen.staging.ladders import line_faults, read_ladder
from sqlgen.staging.people import is_float, label_text_fragment, labels_fragment
from sqlgen.staging.read_spans import SpanCounts, read_spans, span_names
from sqlgen.wording import counted

CELL = temporary("shown_cell")
LEAF = temporary("shown_leaf")
LABEL = temporary("shown_label")


@dataclass(frozen=True)
class ShownLabels:
    """The labels that a table shows in a column: how many, in how many rows.

    ``unknown`` are those that no level has, ``lacking`` those that each level lacks.
    """

    rows: int
    labels: int
    unknown: int
    lacking: Mapping[int, int]

    @property
    def finest(self) -> int | None:
        """The finest level that has every label; the top where only its one label is shown."""
        fitting = [level for level, count in self.lacking.items() if count == 0]
        if not self.labels or not fitting:
            return None
        top = max(self.lacking)
        return top if self.labels == 1 and top in fitting else min(fitting)


@dataclass(frozen=True)
class ReadBackColumn:
    """One column of a table, with the labels of its source's hierarchy.

    ``level`` is that of all its labels; None where rows are at several levels, or where ``spans``
    says that some labels are ranges or sets of values. ``key`` is its
    column in the cells of the table, None where the table lacks it: it is fully general then.
    ``leaves``, ``log_leaves`` and ``log_rows`` are those of the top, ``own_logs`` and ``log_all``
    those of the source (see staging/own_logs).
    """

    ladder: Ladder
    number: int
    key: Markup | None
    level: int | None
    leaves: int
    log_leaves: int
    log_rows: int
    own_logs: int
    log_all: int
    spans: bool = False

    @property
    def is_top(self) -> bool:
        """Whether all of the column is fully general."""
        return self.level == self.ladder.height

    @property
    def values(self) -> Markup:
        """A relation: the values of the source and of the hierarchy's list."""
        return _leaves_of(self.number)

    @property
    def leaf(self) -> Markup:
        """A relation: the leaves that may be released, with the label that stands for each.

        Ranges and sets are not among the labels.
        """
        names = self._level_names
        return fragment("metrics/shown_leaves", leaves=LEAF, number=self.number, names=names)

    @property
    def names(self) -> Markup:
        """A relation: what each label stands for."""
        if not self.spans:
            return self._level_names
        return sql(
            "(\n  SELECT *\n  FROM {names:nested 2} AS name\n  UNION ALL\n  {spans:nested 2}\n)",
            names=self._level_names,
            spans=span_names(self.number),
        )

    @property
    def _level_names(self) -> Markup:
        """A relation: what each label of a level stands for."""
        return fragment("metrics/shown_name", labels=LABEL, number=self.number, level=self.level)

    def called(self, cells: str) -> Markup | None:
        """The column's label over cells or classes of that name."""
        return None if self.key is None else _called(self.ladder, Markup(cells) + "." + self.key)


def read_shown_labels(
    engine: Engine,
    ladder: Ladder,
    values: Markup,
    table: Relation,
    levels: Sequence[int],
    *,
    nulls: bool = False,
) -> ShownLabels:
    """The labels that a table shows in the column of a ladder, by the levels that have them.

    ``values`` is a relation of what the labels may stand for. NULL is what other tools leave where
    they suppress, so it tells nothing of a level; with ``nulls``, in a release of ours, it is a
    label like any other.
    """
    rows, labels, unknown, *lacking = engine.rows(
        statement(
            "staging/shown_labels",
            table=table.sql,
            called=_called(ladder, table.column(ladder.column.name).shown("released")),
            labels=labels_fragment(ladder, values, levels, leaves=True),
            levels=levels,
            nulls=literal(nulls),
        )
    )[0]
    return ShownLabels(rows, labels, unknown, dict(zip(levels, lacking, strict=True)))


def read_back_columns(
    engine: Engine, policy: Policy, source: Relation, keys: Mapping[str, Markup | None]
) -> list[ReadBackColumn] | str:
    """The quasi-identifiers as the staged cells of a table show them; or why one cannot be read.

    ``keys`` has the column of the cells for each, None for one that the table lacks. The reason
    is said in counts, without a value. A level may be shown where it has every label of the
    table, and the source no fewer rows with each. Of several it is the finest that the policy
    lets the column have.
    """
    ladders = {name: _read_sound_ladder(engine, policy, source, name) for name in keys}
    sound = {name: ladder for name, ladder in ladders.items() if ladder is not None}
    labels = _read_labels(engine, source, sound, keys)
    if labels is None:
        unsound = [name for name in keys if name not in sound]
        return _broken(policy, unsound[:1] or sound)
    unread = {
        labels[name][0].number: ladder for name, ladder in sound.items() if labels[name][0].unknown
    }
    spans = read_spans(engine, unread, LEAF, LABEL)
    columns = []
    for name, ladder in ladders.items():
        column = (
            _broken(policy, [name])
            if ladder is None
            else _read_back(policy, ladder, labels[name], spans, keys[name])
        )
        if isinstance(column, str):
            return column
        columns.append(column)
    return columns


def _read_sound_ladder(
    engine: Engine, policy: Policy, source: Relation, name: str
) -> Ladder | None:
    """The ladder of a column; None where a plan could not be made with it."""
    try:
        ladder = read_ladder(engine, policy, source, name)
        is_faulty = ladder.lines is not None and any(line_faults(engine, ladder))
    except SqlgenError:
        return None
    return None if is_faulty else ladder


def _broken(policy: Policy, names: Iterable[str]) -> str:
    """The reason why columns cannot be read: only an expression can fail on the source's rows."""
    names = list(names)
    written = [name for name in names if isinstance(policy.columns[name].hierarchy, Expressions)]
    names = written or names
    if len(names) == 1:
        return f"the hierarchy of {names[0]} does not hold for the source; sqlgen plan says why"
    return f"a hierarchy of {', '.join(names)} does not hold for the source; sqlgen plan says why"


@dataclass(frozen=True)
class _LevelLabels:
    """The labels of one column at one level, and beside them those of the column as a whole.

    Of the table's ``shown`` labels are ``unknown`` at any level, and ``overfull`` ones in more
    rows than the source has at any level; ``fitting`` ones are in no more at this level.
    """

    number: int
    level: int
    unlabelled: int
    repeated: int
    shown: int
    unknown: int
    overfull: int
    own_logs: int
    log_all: int
    fitting: int
    leaves: int
    log_leaves: int
    log_rows: int


def _read_back(
    policy: Policy,
    ladder: Ladder,
    labels: Sequence[_LevelLabels],
    spans: Mapping[int, SpanCounts],
    key: Markup | None,
) -> ReadBackColumn | str:
    """A column at the level that its labels show; or why it has none."""
    name, column = ladder.column.name, labels[0]
    held = spans.get(column.number, SpanCounts())
    unknown, overfull = column.unknown - held.spans, column.overfull + held.overfull
    if column.unlabelled or column.repeated:
        return _broken(policy, [name])
    if unknown:
        count = counted(unknown, "label")
        return f"{name} shows {count} that no level of its hierarchy has"
    if overfull:
        count = counted(overfull, "label")
        return f"{name} shows {count} in more rows than the source has of them"
    level: int | None = ladder.height
    if key is not None:
        least, most = policy.columns[name].levels or (0, ladder.height)
        levels = [row.level for row in labels if row.fitting == row.shown]
        declared = [level for level in levels if least <= level <= most]
        level = min(declared or levels, default=None)
    top = next(row for row in labels if row.level == ladder.height)
    return ReadBackColumn(
        ladder=ladder,
        number=column.number,
        key=key,
        level=level,
        leaves=top.leaves,
        log_leaves=top.log_leaves,
        log_rows=top.log_rows,
        own_logs=column.own_logs,
        log_all=column.log_all,
        spans=held.spans > 0,
    )


def _read_labels(
    engine: Engine,
    source: Relation,
    ladders: Mapping[str, Ladder],
    keys: Mapping[str, Markup | None],
) -> dict[str, list[_LevelLabels]] | None:
    """Each column's labels, level by level, staged and counted; None where a hierarchy fails."""
    if not ladders:
        return {}
    numbered = dict(enumerate(ladders.values(), 1))
    labels = statement(
        "metrics/shown_label",
        table=LABEL,
        leaves=LEAF,
        cells=CELL,
        keys=[
            (number, _called(ladder, key))
            for number, ladder in numbered.items()
            if (key := keys[ladder.column.name]) is not None
        ],
    )
    levels = statement(
        "metrics/shown_levels",
        leaves=LEAF,
        labels=LABEL,
        levels=[
            (number, level)
            for number, ladder in numbered.items()
            for level in range(ladder.height + 1)
        ],
        listed=[number for number, ladder in numbered.items() if ladder.lines is not None],
        own_logs=fragment(
            "staging/own_logs",
            parts=[(_leaves_of(number), number) for number in numbered],
        ),
    )
    try:
        engine.run(_leaf_statement(source, numbered))
        engine.run(labels)
        rows = engine.rows(levels)
    except SqlgenError:
        return None
    every = [_LevelLabels(*row) for row in rows]
    return {
        ladder.column.name: [row for row in every if row.number == number]
        for number, ladder in numbered.items()
    }


def _leaf_statement(source: Relation, ladders: Mapping[int, Ladder]) -> Statement:
    """The statement that stages the leaves of numbered ladders."""
    return statement(
        "metrics/shown_leaf",
        table=LEAF,
        columns=[
            {
                "number": number,
                "strict": literal(ladder.uncovered == "error"),
                "is_kept": ladder.is_kept,
                "labels": commas(
                    _called(ladder, ladder.label(level)) for level in range(ladder.height + 1)
                ),
                "labelled": ladder.labelled(source.sql),
            }
            for number, ladder in ladders.items()
        ],
    )


def _leaves_of(number: int) -> Markup:
    """A relation: the leaves of one column, with its values as ``value``."""
    pattern = "(SELECT *, value_{number} AS value FROM {leaves} WHERE number = {number})"
    return sql(pattern, number=number, leaves=LEAF)


def _called(ladder: Ladder, key: Markup) -> Markup:
    return label_text_fragment(key, is_float=is_float(ladder))
