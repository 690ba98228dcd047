"""The views that read a table, and whether they can be read once it is its own release."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import (
    all_views,
    describe,
    find_labels,
    find_marked,
    labels_mark,
)
from sqlgen.errors import EngineError, RefusedError
from sqlgen.planning.definition_change import Change, check_change
from sqlgen.planning.obstacles import Obstacle
from sqlgen.policy import Policy
from sqlgen.releasing.targets.in_place import define_sql, drop_sql, read_views_sql
from sqlgen.sql.ddl import drop_table
from sqlgen.sql.render import Statement, name, quoted_name

_UNBOUND = ("BinderException", "CatalogException")
_OF_THE_VIEW = (*_UNBOUND, "ConversionException", "InvalidInputException", "OutOfRangeException")


def with_views(engine: Engine, policy: Policy, change: Change) -> Change:
    """The change with the views that read its table; refused where one could not be read after it.

    Each is tried out on the new definition, in a transaction that is rolled back. A view may still
    fail on labels, where it bound to their type: so all of them are read again before COMMIT.
    """
    views = tuple(_reading(engine, change))
    obstacles = tuple(obstacle for view in views if (obstacle := _obstacle(engine, change, view)))
    check_change(engine, policy, replace(change, obstacles=obstacles))
    return replace(change, views=views)


def read_view(engine: Engine, policy: Policy, change: Change, asked: Statement) -> None:
    """Read a view of the released table, before COMMIT; refused where labels break it."""
    try:
        engine.run(asked)
    except EngineError as error:
        if error.kind not in _OF_THE_VIEW:
            raise
        view = change.views[read_views_sql(change).index(asked)]
        raise RefusedError(
            f"{policy.where('release', 'in_place')}: {change.parts[2]} cannot be as before:\n"
            f"  {_words(view)} cannot work with labels in place of values; drop it, or make it "
            "anew. Nothing was changed."
        ) from None


def _reading(engine: Engine, change: Change) -> Iterator[tuple[str, ...]]:
    """The views that find what they name, and would not without the table."""
    for view in all_views(engine):
        with engine.read():
            if not _binds(engine, view):
                continue
            engine.run(drop_sql(change))
            if not _binds(engine, view):
                yield view


def _obstacle(engine: Engine, change: Change, view: tuple[str, ...]) -> Obstacle | None:
    if find_marked(engine, labels_mark(view[2]), view[0], view[1]):
        return Obstacle(
            "",
            f"{_words(view)} is a release of it, whose labels hold its values; drop the view and "
            "its labels",
        )
    if _reads_labels(engine, change, view):
        return Obstacle(
            "", f"{_words(view)} reads labels that hold its values; drop the view and the labels"
        )
    with engine.read():
        engine.run(drop_sql(change))
        engine.run(define_sql(change, change.table))
        if _binds(engine, view):
            return None
    return Obstacle("", f"{_words(view)} could not be read any more; drop it, or make it anew")


def _reads_labels(engine: Engine, change: Change, view: Sequence[str]) -> bool:
    """Whether a view reads labels of ours: it was renamed, or reads them through another."""
    labels = find_labels(engine, change.parts[0])
    if not labels:
        return False
    with engine.read():
        for label in labels:
            engine.run(drop_table(label.sql))
        return not _binds(engine, view)


def _words(view: Sequence[str]) -> str:
    return f"the view {quoted_name(view[1:])}"


def _binds(engine: Engine, view: Sequence[str]) -> bool:
    """Whether a view still finds what it names; any other failure is none of the view's."""
    try:
        engine.rows(describe(name(view)))
    except EngineError as error:
        if error.kind not in _UNBOUND:
            raise
        return False
    return True
