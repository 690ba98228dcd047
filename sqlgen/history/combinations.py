"""Sensitive values that releases leave together where they show several sensitive columns.

By disease alone a row may be left with flu and cold, by salary alone with low and high, and by
both with flu and low only: whoever reads releases together looks for rows, not for values. So the
combinations that every class of a row holds are counted too, by the values of each column in them.
Compared are releases that show two sensitive columns or more, each at the same level.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation, temporary
from sqlgen.history.requirements import Requirements
from sqlgen.history.staged_releases import StagedRelease, counted_level, labels_table, stood_for
from sqlgen.policy import Policy
from sqlgen.sql.render import statement

_HELD = temporary("joint_held_together")
_COUNTED = temporary("joint_counted_together")


@dataclass(frozen=True)
class JointValues:
    """The fewest candidate values of a column, and the rows with fewer than asked.

    Where there are columns ``beside`` it, only values that are left in combination with theirs.
    ``rows_without`` are those of which the releases contradict each other. Where no number of
    values is asked for, one is too few, and of rows that had more in each release by itself.
    """

    column: str
    fewest: int | None
    required: int | None
    rows_below: int
    rows_without: int
    beside: tuple[str, ...] = ()


def measure_combinations(
    engine: Engine,
    policy: Policy,
    source: Relation,
    read: Sequence[StagedRelease],
    asked: Requirements,
    signatures: Markup,
) -> tuple[JointValues, ...]:
    """The values of each column of which some are asked for, in combinations with the others."""
    measured = []
    for columns in _shared_columns(read):
        showing = [release for release in read if columns <= _columns(release)]
        names = [name for name in policy.sensitive if name in dict(columns)]
        held = {
            "table": _HELD,
            "columns": [read[0].place(name) for name in names],
            "releases": [
                {"number": release.number, "places": release.keys, **release.tables}
                for release in showing
            ],
        }
        engine.run(statement("history/held_together", **held))
        for name in names:
            required, said = asked.values(name)
            if required is None:
                continue
            counted = _stage_counted(engine, policy, source, read, (name, dict(columns)[name]))
            figures = engine.rows(
                statement(
                    "history/candidate_combinations",
                    signatures=signatures,
                    held=_HELD,
                    columns=held["columns"],
                    column=read[0].place(name),
                    releases=[release.number for release in showing],
                    counted=counted,
                    least=required,
                    narrowed=not said,
                )
            )
            fewest, below, without = figures[0]
            beside = tuple(other for other in names if other != name)
            measured.append(JointValues(name, fewest, required, below, without, beside))
            if counted is not None:
                _drop(engine, counted)
        _drop(engine, _HELD)
    return tuple(measured)


def _columns(release: StagedRelease) -> frozenset[tuple[str, int]]:
    """The sensitive columns that a release shows, each with its level."""
    return frozenset((name, release.level(name)) for name in release.sensitive)


def _shared_columns(read: Sequence[StagedRelease]) -> list[frozenset[tuple[str, int]]]:
    """The sensitive columns that two releases share: several, each at the same level in both."""
    shared = {_columns(one) & _columns(other) for one, other in combinations(read, 2)}
    return sorted((each for each in shared if len(each) > 1), key=sorted)


def _stage_counted(
    engine: Engine,
    policy: Policy,
    source: Relation,
    read: Sequence[StagedRelease],
    shown: tuple[str, int],
) -> Markup | None:
    """What labels are at the level at which a column's values are counted; None for themselves."""
    name, level = shown
    showing = [release for release in read if name in release.sensitive]
    finest = min(release.level(name) for release in showing)
    target = max(finest, counted_level(policy, showing, name))
    if level == target:
        return None
    queries = stood_for(engine, policy, source, showing, name)
    engine.run(
        statement(
            "history/rung",
            table=_COUNTED,
            labels_from=queries[level],
            labels_to=queries[target],
            texts=labels_table(read[0].place(name)),
        )
    )
    return _COUNTED


def _drop(engine: Engine, table: Markup) -> None:
    engine.run(statement("releasing/drop", kind=Markup("TABLE"), target=table))
