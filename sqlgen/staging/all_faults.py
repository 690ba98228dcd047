"""Every fault of a policy's columns at once: one that stops a command is looked for in all."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation
from sqlgen.errors import EngineError, HierarchyError, PolicyError, SqlgenError, UnsupportedError
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.hierarchies.rules import Expressions
from sqlgen.policy import Policy
from sqlgen.sql.render import staging
from sqlgen.staging.job import Job
from sqlgen.staging.ladders import check_ladder, ladder_table, level_range, read_ladder
from sqlgen.staging.sensitive import check_orders, order_sql
from sqlgen.staging.source import column_faults, find_source

Fault = PolicyError | HierarchyError | UnsupportedError
_FAULTS = (PolicyError, HierarchyError, UnsupportedError)
_UNCHANGED = "Nothing was changed."
_NUMBER = 1


@contextmanager
def every_fault(engine: Engine, job: Job, *, show_values: bool = False) -> Iterator[None]:
    """Where a fault stops the block, raise it with those of every other column of the source.

    Only then is each column read again by itself: a policy without faults is read once.
    """
    try:
        yield
    except _FAULTS as first:
        engine.undo()
        policy = job.policy
        faults = list(_source_faults(engine, job, show_values))
        told = [str(fault) for fault in faults]
        if str(first) not in told and not _is_summed_up(policy, first, faults):
            faults.insert(0, first)
        raise together(faults) from None


def together(faults: Sequence[Fault]) -> SqlgenError:
    """Several faults as one error, a line for each; what state things are in is said once."""
    kinds = {type(fault) for fault in faults}
    kind = kinds.pop() if len(kinds) == 1 else PolicyError
    lines = [str(fault) for fault in faults]
    if len(lines) == 1:
        return kind(lines[0])
    plain = [line.removesuffix(_UNCHANGED).rstrip() for line in lines]
    return kind("\n".join([*plain, _UNCHANGED] if plain != lines else plain))


def _is_summed_up(policy: Policy, first: Fault, faults: Sequence[Fault]) -> bool:
    """Whether an error counts the values of all columns, whose own faults name them."""
    whole = isinstance(first, HierarchyError) and str(first).startswith(
        f"{policy.where('columns')}: "
    )
    # A value without a place in an order is counted with those that a hierarchy lacks.
    return whole and any(isinstance(fault, HierarchyError | PolicyError) for fault in faults)


def _source_faults(engine: Engine, job: Job, show_values: bool) -> Iterator[Fault]:
    """The faults of the source's columns, one for each, in the policy's order."""
    policy = job.policy
    try:
        with engine.read():
            source = find_source(engine, policy, job.given, job.window)
    except SqlgenError:
        return
    yield from column_faults(source, policy)
    for name in policy.columns:
        if name in source.names:
            try:
                with engine.read():
                    _check_column(engine, policy, source, name, show_values)
            except _FAULTS as fault:
                yield fault
            except EngineError:
                # It says nothing of the column; the error that stopped the block is told.
                continue


def _check_column(
    engine: Engine, policy: Policy, source: Relation, name: str, show_values: bool
) -> None:
    """Refuse a column that does not fit its hierarchy, levels or order, by itself."""
    declared = policy.columns[name]
    if declared.hierarchy is None and declared.order is None:
        return
    ladder = (
        read_ladder(engine, policy, source, name)
        if declared.hierarchy is not None
        else Ladder(source.column(name), (), "value", "error")
    )
    if declared.levels is not None:
        level_range(policy, ladder)
    if declared.level is None:
        ladder = replace(ladder, order=order_sql(ladder, declared.order))
    table = ladder_table(_NUMBER)
    try:
        engine.run(staging("staging/ladder", table, ladder.rows(source.sql)))
    except EngineError as error:
        if not isinstance(declared.hierarchy, Expressions):
            raise
        raise HierarchyError(
            f"{policy.where('columns', name, 'hierarchy')}: the database cannot run sql on "
            f"every value ({error}). {_UNCHANGED}"
        ) from None
    if declared.hierarchy is not None:
        check_ladder(engine, _NUMBER, ladder, policy, show_values)
    check_orders(engine, policy, [ladder], [table])
