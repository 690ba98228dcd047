"""Repeated releases: a new release whose classes are all in an earlier release already.

Whoever holds the earlier release can compute the new one from it. So the new one tells nothing
more, whatever other releases there are. It shows no further columns, is at the same or coarser
levels, and has the same rows in each of its classes, with the same sensitive values.
"""

from collections.abc import Sequence

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation
from sqlgen.history.staged_releases import (
    PublishedRelease,
    StagedRelease,
    drop_tables,
    stage_releases,
    values_table,
)
from sqlgen.policy import Policy
from sqlgen.sql.render import sql, statement


def find_repeated(
    engine: Engine,
    policy: Policy,
    source: Relation,
    new: PublishedRelease,
    before: Sequence[PublishedRelease],
) -> str:
    """The name of the earlier release that a new one repeats; empty where it repeats none.

    It runs in the transaction that is open, and drops what it stages.
    """
    for earlier in before:
        first, second = StagedRelease(1, earlier, policy), StagedRelease(2, new, policy)
        if _could_repeat(first, second) and _repeats(engine, policy, source, first, second):
            return earlier.words
    return ""


def _could_repeat(earlier: StagedRelease, new: StagedRelease) -> bool:
    """Whether a release has the rows of an earlier one, and is as coarse or coarser."""
    if (earlier.shown.window, earlier.shown.part) != (new.shown.window, new.shown.part):
        return False
    if not set(new.shown.relation.names) <= set(earlier.shown.relation.names):
        return False
    levels = earlier.levels
    return all(
        name in levels and levels[name] <= level for name, level in new.levels.items()
    ) and all(
        name in earlier.sensitive and earlier.level(name) == new.level(name)
        for name in new.sensitive
    )


def _repeats(
    engine: Engine,
    policy: Policy,
    source: Relation,
    first: StagedRelease,
    second: StagedRelease,
) -> bool:
    """Whether every class of the second release is in the first one, row by row."""
    staged = stage_releases(engine, policy, source, [first, second])
    columns, rolled = [], []
    for name in second.columns:
        place, finer, coarser = second.place(name), first.level(name), second.level(name)
        pattern = "cell.{place}" if finer == coarser else "roll_{place}.id_to"
        columns.append({"place": place, "id": sql(pattern, place=place)})
        if finer != coarser:
            levels = {"from_level": finer, "to_level": coarser}
            rolled.append({"place": place, "values": values_table(place), **levels})
    changed = engine.rows(
        statement(
            "history/repeated",
            before=first.cells,
            made=second.cells,
            keys=second.keys,
            columns=columns,
            rolled=rolled,
        )
    )[0][0]
    drop_tables(engine, *staged)
    return not changed
