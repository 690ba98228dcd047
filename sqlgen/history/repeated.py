"""A release that repeats one before it: each of its classes is what that one says already.

Whoever holds the one before can make the new one of it: so it tells nothing more, whatever other
releases stand. It shows no other columns, is at the same levels or at coarser ones, and has the
same rows in each class that it shows, with the same sensitive values.
"""

from collections.abc import Sequence

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation
from sqlgen.history.staged_releases import (
    PublishedRelease,
    StagedRelease,
    stage_releases,
    values_table,
)
from sqlgen.policy import Policy
from sqlgen.sql.render import statement


def find_repeated(
    engine: Engine,
    policy: Policy,
    source: Relation,
    made: PublishedRelease,
    before: Sequence[PublishedRelease],
) -> str:
    """What to call the release that one being made repeats; empty where it repeats none.

    Runs in the transaction that is open; what is staged is dropped again.
    """
    for each in before:
        if _could_repeat(
            StagedRelease(1, each, policy), StagedRelease(2, made, policy)
        ) and _repeats(engine, policy, source, each, made):
            return each.words
    return ""


def _could_repeat(before: StagedRelease, made: StagedRelease) -> bool:
    """Whether a release is of the same rows as one before it, and as coarse in every column."""
    if (before.shown.window, before.shown.part) != (made.shown.window, made.shown.part):
        return False
    if not set(made.shown.relation.names) <= set(before.shown.relation.names):
        return False
    levels = before.levels
    return all(
        name in levels and levels[name] <= level for name, level in made.levels.items()
    ) and all(
        name in before.sensitive and before.level(name) == made.level(name)
        for name in made.sensitive
    )


def _repeats(
    engine: Engine,
    policy: Policy,
    source: Relation,
    before: PublishedRelease,
    made: PublishedRelease,
) -> bool:
    read = [StagedRelease(1, before, policy), StagedRelease(2, made, policy)]
    staged = stage_releases(engine, policy, source, read)
    first, second = read
    keys = [
        {
            "place": second.place(name),
            "rolls": values_table(second.place(name)) if first.levels[name] != level else None,
            "from_level": first.levels[name],
            "to_level": level,
        }
        for name, level in second.levels.items()
    ]
    changed = engine.rows(
        statement(
            "history/repeated",
            before=first.cells,
            made=second.cells,
            keys=keys,
            sensitive=[second.place(name) for name in second.sensitive],
        )
    )[0][0]
    for table in staged:
        engine.run(statement("releasing/drop", kind=Markup("TABLE"), target=table))
    return not changed
