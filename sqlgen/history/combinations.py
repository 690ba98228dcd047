"""Combinations of sensitive values, for releases that show several sensitive columns.

By disease alone, flu and cold may be left for a row, and by salary alone low and high. Yet in all
its classes only the combination of flu and low may occur. So the combinations that every class of a
row holds are found, and the values of each column in them are counted. Releases are compared if
they show the same two or more sensitive columns, each at the same level.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation, temporary
from sqlgen.history.requirements import Requirements
from sqlgen.history.staged_releases import (
    StagedRelease,
    counted_level,
    created,
    drop_tables,
    held_together_fragment,
    labels_table,
    place_of_column,
    sensitive_labels,
)
from sqlgen.policy import Policy
from sqlgen.sql.render import conjunction, each, statement

_HELD = temporary("joint_held_together")
_COUNTED = temporary("joint_counted_together")


@dataclass(frozen=True)
class JointValues:
    """The fewest candidate values of a sensitive column, and the rows with too few.

    With columns ``beside`` it, only values that are left in combination with values of these count.
    ``rows_without`` is the number of rows for which the releases contradict each other. Where no
    guarantee states a number of values, a row has too few if one is left, and each release by
    itself shows more.
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
    releases: Sequence[StagedRelease],
    requirements: Requirements,
    signatures: Markup,
) -> tuple[JointValues, ...]:
    """Measure the values that are left in combinations, for each column with a requirement."""
    measured = []
    for columns in _shared_columns(releases):
        showing = [release for release in releases if columns <= _columns(release)]
        names = [name for name in policy.sensitive if name in dict(columns)]
        places = [place_of_column(policy, name) for name in names]
        queries = [held_together_fragment(release, places) for release in showing]
        engine.run(created("history/held", _HELD, queries))
        for name in names:
            required, said = requirements.values(name)
            if required is None:
                continue
            counted = _stage_counted(engine, policy, source, releases, (name, dict(columns)[name]))
            figures = engine.rows(
                statement(
                    "history/candidate_combinations",
                    signatures=signatures,
                    held=_HELD,
                    columns=places,
                    column=place_of_column(policy, name),
                    releases=[
                        {
                            "number": release.number,
                            "same_values": _same_values(places, release.number),
                        }
                        for release in showing
                    ],
                    counted=counted,
                    least=required,
                    narrowed=not said,
                )
            )
            fewest, below, without = figures[0]
            beside = tuple(other for other in names if other != name)
            measured.append(JointValues(name, fewest, required, below, without, beside))
            if counted is not None:
                drop_tables(engine, counted)
        drop_tables(engine, _HELD)
    return tuple(measured)


def _same_values(places: Sequence[Markup], number: int) -> Markup:
    """Whether a class of a release holds the same combination of values."""
    return conjunction(each(places, "held.{0} = held_{number}.{0}", number=number))


def _columns(release: StagedRelease) -> frozenset[tuple[str, int]]:
    """The sensitive columns that a release shows, each with its level."""
    return frozenset((name, release.level(name)) for name in release.sensitive)


def _shared_columns(releases: Sequence[StagedRelease]) -> list[frozenset[tuple[str, int]]]:
    """The sensitive columns that two releases share: several, each at the same level in both."""
    shared = {_columns(one) & _columns(other) for one, other in combinations(releases, 2)}
    return sorted((columns for columns in shared if len(columns) > 1), key=sorted)


def _stage_counted(
    engine: Engine,
    policy: Policy,
    source: Relation,
    releases: Sequence[StagedRelease],
    column: tuple[str, int],
) -> Markup | None:
    """Stage the labels at which a column's values are counted; None where it has that level."""
    name, level = column
    showing = [release for release in releases if name in release.sensitive]
    finest = min(release.level(name) for release in showing)
    target = max(finest, counted_level(policy, showing, name))
    if level == target:
        return None
    queries = sensitive_labels(engine, policy, source, showing, name)
    engine.run(
        statement(
            "history/rung",
            table=_COUNTED,
            labels_from=queries[level],
            labels_to=queries[target],
            texts=labels_table(place_of_column(policy, name)),
        )
    )
    return _COUNTED
