"""Ladders: read from the policy and its lists, and proved by counting before any search."""

from pathlib import Path

from markupsafe import Markup

from sqlgen.catalog import Relation, relation, require, temporary
from sqlgen.engines import Engine
from sqlgen.errors import EngineError, HierarchyError, PolicyError, UnsupportedError
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.hierarchies.listed import Csv, Listed, Table, Tree
from sqlgen.hierarchies.rules import TOP, Expressions, Level, Rule
from sqlgen.numbers import counted
from sqlgen.policy import Policy
from sqlgen.sql.expression import functions_in
from sqlgen.sql.render import statement
from sqlgen.sql.types import Kind


def read_ladders(engine: Engine, policy: Policy, source: Relation) -> tuple[Ladder, ...]:
    """The ladder of each quasi-identifier, in the source's column order."""
    return tuple(
        read_ladder(engine, policy, source, column.name)
        for column in source.columns
        if column.name in policy.quasi
    )


def read_ladder(engine: Engine, policy: Policy, source: Relation, name: str) -> Ladder:
    """The ladder of one column that has a hierarchy."""
    column = source.column(name)
    declared = policy.columns[name]
    where = policy.where("columns", name)
    if column.kind is Kind.OTHER:
        raise UnsupportedError(
            f"{where}: a column with a hierarchy cannot be of type {column.type.split('(')[0]}, "
            "whose values do not compare as they read. Cast it in source.query"
        )
    if isinstance(declared.hierarchy, Listed):
        return _read_list(engine, policy, source, name)
    if not isinstance(declared.hierarchy, Rule):
        raise PolicyError(f"{where}: a quasi-identifier needs a hierarchy")
    where = policy.where("columns", name, "hierarchy")
    try:
        levels = declared.hierarchy.levels(column)
    except PolicyError as error:
        raise PolicyError(f"{where}: {error}") from None
    if isinstance(declared.hierarchy, Expressions):
        _check_functions(engine, levels, where)
    return Ladder(column, levels, declared.nulls, declared.uncovered)


def _check_functions(engine: Engine, levels: tuple[Level, ...], where: str) -> None:
    """Refuse expressions whose functions may give one value two labels."""
    names = sorted({each for level in levels for each in functions_in(Markup(level.label))})
    rows = engine.rows(statement("catalog/unfit_functions", names=names)) if names else []
    if rows:
        unfit = ", ".join(str(row[0]) for row in rows)
        raise PolicyError(f"{where}: sql must give the same label each time; {unfit} may not")


def _read_list(engine: Engine, policy: Policy, source: Relation, column: str) -> Ladder:
    declared = policy.columns[column]
    where = policy.where("columns", column, "hierarchy")
    listed = declared.hierarchy
    assert isinstance(listed, Listed)
    lines = _lines(engine, policy, column, listed, where)
    try:
        fields = len(relation(engine, lines, "list").columns)
        last = f"field_{fields - 1}"
        count, least, most = engine.rows(
            statement("hierarchies/list_top", lines=lines, fields=range(fields), last=last)
        )[0]
    except EngineError:
        raise HierarchyError(
            f"{where}: {listed.words} cannot be read as lines of value and levels, all of the "
            "same length, in UTF-8. Nothing was changed."
        ) from None
    if not count:
        raise HierarchyError(f"{where}: {listed.words} has no lines")
    topped = fields > 1 and least == most
    levels = tuple(
        Level(f"{listed.words}, level {level}")
        for level in range(1, fields - 1 if topped else fields)
    )
    return Ladder(
        source.column(column),
        levels,
        declared.nulls,
        declared.uncovered,
        lines,
        fields,
        str(least) if topped else TOP,
        isinstance(listed, Tree),
    )


def _lines(engine: Engine, policy: Policy, column: str, listed: Listed, where: str) -> Markup:
    if isinstance(listed, Table):
        return require(engine, listed.table, where).sql
    if isinstance(listed, Csv):
        path = list_path(policy, column, listed)
        if any(character in str(path) for character in "*?["):
            raise PolicyError(f"{where}: a file's path cannot hold *, ? or [")
        if not path.is_file():
            raise PolicyError(f"{where}: there is no file {listed.csv}")
        return listed.relation(path)
    assert isinstance(listed, Tree)
    return listed.relation()


def list_path(policy: Policy, column: str, listed: Csv) -> Path:
    """Where a hierarchy file is: relative to the policy."""
    return policy.file(listed.csv, "columns", column, "hierarchy", "csv")


def ladder_table(number: int) -> Markup:
    """The staged table of the ladder of that number, counted from 1."""
    return temporary(f"ladder_{number}")


def check_ladder(
    engine: Engine, number: int, ladder: Ladder, policy: Policy, show_values: bool
) -> None:
    """Prove by counting that a staged ladder is total, single-valued and nested.

    Raises HierarchyError with the column, the level, and how many values and rows are at fault;
    the values themselves only where the caller asked to be shown values.
    """
    table = ladder_table(number)
    where = policy.where("columns", ladder.column.name, "hierarchy")
    if ladder.lines is not None:
        _check_list(engine, ladder, where)
    uncovered, uncovered_rows, missing, repeated, repeated_rows, split = engine.rows(
        statement("staging/ladder_faults", table=table, levels=range(1, ladder.height))
    )[0]
    if repeated:
        raise HierarchyError(
            f"{where}: {counted(repeated, 'value')} ({counted(repeated_rows, 'row')}) with two "
            f"labels at level {split}. List each value once. Nothing was changed."
        )
    if uncovered and ladder.uncovered == "error":
        shown = "--show-values lists them"
        suppress = " or uncovered: suppress" if ladder.column.name in policy.quasi else ""
        if show_values:
            shown = "they are " + ", ".join(uncovered_values(engine, number))
        raise HierarchyError(
            f"{where}: {counted(uncovered, 'distinct value')} "
            f"({counted(uncovered_rows, 'row')}) of {ladder.column.name} without a label at "
            f"level {missing}. Add them, or say "
            f"uncovered: top{suppress}; {shown}. Nothing was changed."
        )
    if ladder.height > 2:
        levels = range(1, ladder.height - 1)
        faults = engine.rows(statement("staging/nesting_faults", table=table, levels=levels))
        for level, values, rows in sorted(faults):
            if values:
                raise HierarchyError(
                    f"{where}: levels must nest, but level {level + 1} "
                    f"({ladder.words(level + 1)}) splits labels of level {level} "
                    f"({ladder.words(level)}): {counted(values, 'value')} ({counted(rows, 'row')}) "
                    "at fault. Nothing was changed."
                )


def _check_list(engine: Engine, ladder: Ladder, where: str) -> None:
    faults = engine.rows(
        statement(
            "hierarchies/list_faults",
            lines=ladder.lines,
            type=ladder.value_type,
            blanks=ladder.blanks,
            fields=range(ladder.fields),
            levels=range(1, ladder.fields),
        )
    )[0]
    kinds = (
        "lines without a value",
        f"lines whose value is no {ladder.column.type}",
        "lines without a label at some level",
    )
    for count, kind in zip(faults, kinds, strict=True):
        if count:
            raise HierarchyError(f"{where}: {kind}: {count}. Nothing was changed.")


def uncovered_values(engine: Engine, number: int) -> list[str]:
    """The values a staged ladder gives no label; shown only to who asked for values."""
    rows = engine.rows(statement("staging/uncovered_values", table=ladder_table(number)))
    return [str(row[0]) for row in rows]
