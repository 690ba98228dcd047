"""A column as a finished table shows it: its labels read back, of any tool.

Labels are compared as texts that a reader sees, floats as they are written. A label is known where
some value has it: of the rows that are at hand or, if they are gone from these, of the hierarchy's
own list. Uncovered values have the labels that the hierarchy gives them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation, temporary
from sqlgen.errors import SqlgenError
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.policy import Policy
from sqlgen.sql.render import fragment, statement
from sqlgen.staging.ladders import line_faults, read_ladder
from sqlgen.staging.people import is_float, label_text_fragment, labels_fragment
from sqlgen.wording import counted

CELL = temporary("shown_cell")


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

    ``level`` is that of all its labels; None where rows are at several levels. ``key`` is its
    column in the cells of the table, None where the table lacks it: it is fully general then.
    ``leaves``, ``log_leaves`` and ``log_rows`` are those of the top.
    """

    ladder: Ladder
    number: int
    key: Markup | None
    level: int | None
    leaves: int
    log_leaves: int
    log_rows: int

    @property
    def is_top(self) -> bool:
        """Whether all of the column is fully general."""
        return self.level == self.ladder.height

    @property
    def leaf(self) -> Markup:
        """A relation: the leaves that may be released, at every level."""
        return _names(self.ladder, self.number)

    @property
    def names(self) -> Markup:
        """A relation: what each label stands for."""
        return fragment("metrics/shown_name", labels=label_table(self.number), level=self.level)

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
            nulls=nulls,
        )
    )[0]
    return ShownLabels(rows, labels, unknown, dict(zip(levels, lacking, strict=True)))


def leaf_table(number: int) -> Markup:
    """The staged leaves of the column of that number, each with a name per level."""
    return temporary(f"shown_leaf_{number}")


def label_table(number: int) -> Markup:
    """The staged labels of the column of that number."""
    return temporary(f"shown_label_{number}")


def read_back_column(
    engine: Engine, policy: Policy, source: Relation, name: str, number: int, key: Markup | None
) -> ReadBackColumn | str:
    """A column as the staged cells of a table show it; or what hinders that it be told.

    What hinders is said in counts, without a value. A level may be shown where it has every label
    of the table, and the source no fewer rows with each. Of several it is the finest that the
    policy lets the column have.
    """
    try:
        ladder = read_ladder(engine, policy, source, name)
        is_faulty = _lists_faults(engine, ladder)
        counts = _read_labels(engine, ladder, source, number, key)
    except SqlgenError:
        is_faulty = True
    if is_faulty or counts[0] or counts[1]:
        return f"the hierarchy of {name} does not hold for the source; sqlgen plan says why"
    unknown, overfull, labels, leaves, log_leaves, log_rows, *fitting = counts[2:]
    if unknown:
        return f"{name} shows {counted(unknown, 'label')} that no level of its hierarchy has"
    if overfull:
        return f"{name} shows {counted(overfull, 'label')} in more rows than the source has of them"
    level: int | None = ladder.height
    if key is not None:
        least, most = policy.columns[name].levels or (0, ladder.height)
        levels = [level for level, count in enumerate(fitting) if count == labels]
        declared = [level for level in levels if least <= level <= most]
        level = min(declared or levels, default=None)
    return ReadBackColumn(ladder, number, key, level, leaves, log_leaves, log_rows)


def _lists_faults(engine: Engine, ladder: Ladder) -> bool:
    """Whether a hierarchy is a list with lines that no plan could be made with."""
    return ladder.lines is not None and any(line_faults(engine, ladder))


def _read_labels(
    engine: Engine, ladder: Ladder, source: Relation, number: int, key: Markup | None
) -> Sequence[int]:
    """Stage a column's leaves and labels, and count which levels the table may show."""
    leaves, labels, levels = leaf_table(number), label_table(number), range(ladder.height + 1)
    engine.run(
        statement(
            "metrics/shown_leaf",
            table=leaves,
            labelled=ladder.labelled(source.sql),
            is_kept=ladder.is_kept,
            names=[_called(ladder, ladder.label(level)) for level in levels],
        )
    )
    engine.run(
        statement(
            "metrics/shown_label",
            table=labels,
            names=_names(ladder, number),
            cells=CELL,
            called=None if key is None else _called(ladder, key),
        )
    )
    asked = statement(
        "metrics/shown_levels",
        leaves=leaves,
        labels=labels,
        strict=ladder.uncovered == "error",
        listed=ladder.lines is not None,
        height=ladder.height,
        levels=levels,
    )
    return engine.rows(asked)[0]


def _names(ladder: Ladder, number: int) -> Markup:
    """A relation: the leaves of a column at every level."""
    levels = range(ladder.height + 1)
    return fragment("metrics/shown_names", leaves=leaf_table(number), levels=levels)


def _called(ladder: Ladder, key: Markup) -> Markup:
    return label_text_fragment(key, is_float=is_float(ladder))
