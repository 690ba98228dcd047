"""Ladders: read from the policy and its lists, and proved by counting before any search."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from markupsafe import Markup

from sqlgen.engines import Engine
from sqlgen.engines.duckdb.catalog import Relation, require, temporary
from sqlgen.errors import EngineError, HierarchyError, PolicyError, UnsupportedError
from sqlgen.hierarchies.csv_faults import csv_fault
from sqlgen.hierarchies.ladder import Ladder, value_type
from sqlgen.hierarchies.lists import Csv, Listed, Table, Tree
from sqlgen.hierarchies.rules import TOP, Expressions, Level, Rule, fitting_column
from sqlgen.policy import Policy
from sqlgen.sql.render import (
    Statement,
    command,
    commas,
    each,
    fragment,
    literal,
    nested,
    sql,
    staging,
    statement,
)
from sqlgen.sql.types import Column, Kind
from sqlgen.staging.expressions import check_expressions
from sqlgen.wording import counted

LINE = temporary("line")
LEAF = temporary("leaf")

# Lines without a value, with one of another type, without a label: none of each.
_NONE = (0, 0, 0)

# A column of labels and one of ids for each, over every value: 1,000 did not fit into 6 GB.
_MOST_LEVELS = 100


@dataclass(frozen=True)
class _ListFacts:
    """The counts of a list: fields, lines, the labels of its last level, faulty lines."""

    fields: int
    lines: int
    least: str | None
    most: str | None
    faults: tuple[int, ...]


_NO_LINES = _ListFacts(0, 0, None, None, _NONE)


@dataclass(frozen=True)
class _KnownList:
    """A list that was read: its lines, their counts, and its number if they are staged."""

    lines: Markup
    facts: _ListFacts
    number: int | None


def read_ladders(
    engine: Engine,
    policy: Policy,
    source: Relation,
    known: Sequence[Ladder] = (),
    *,
    staged: bool = False,
) -> tuple[Ladder, ...]:
    """The ladder of each quasi-identifier, in the source's column order.

    The lines of lists that are text can be staged, each list with its ladder's number from 1: then
    whatever reads them in the transaction sees the same, and reads no file again. ``known``
    ladders were read before by the same policy: rules and trees stand in the policy, so they are
    as they were; files and tables may have changed, and are read anew.
    """
    names = [column.name for column in source.columns if column.name in policy.quasi]
    unchanged = {
        ladder.column.name: ladder
        for ladder in known
        if not isinstance(policy.columns[ladder.column.name].hierarchy, (Csv, Table))
        and ladder.column in source.columns
    }
    try:
        lists = _read_lists(engine, policy, source, names, unchanged, staged=staged)
    except EngineError:
        # The transaction is lost; outside of it, list by list shows which one cannot be read.
        engine.undo()
        for name in names:
            read_ladder(engine, policy, source, name)
        raise
    return tuple(
        _read_from(unchanged[name], lists.get(name))
        if name in unchanged
        else read_ladder(engine, policy, source, name, lists.get(name))
        for name in names
    )


def _read_from(ladder: Ladder, known: _KnownList | None) -> Ladder:
    """A ladder that reads the lines of its list from where they are now, if it has any."""
    if known is None:
        return ladder
    return replace(ladder, lines=known.lines, list_number=known.number)


def level_range(
    policy: Policy,
    ladder: Ladder,
    levels: Mapping[str, tuple[int, int | None]] = MappingProxyType({}),
) -> tuple[int, int]:
    """The levels that a column is held to, by ``levels`` or by its policy; else all of its ladder.

    Refused where the ladder has no such level.
    """
    name = ladder.column.name
    where = "--level" if name in levels else policy.where("columns", name, "levels")
    declared = policy.columns[name].levels or (0, ladder.height)
    least, most = levels.get(name, declared)
    most = declared[1] if most is None else most
    if not 0 <= least <= most <= ladder.height:
        named = most if least == most or most > ladder.height else f"{least} to {most}"
        raise PolicyError(
            f"{where}: {name} has the levels 0 to {ladder.height}; found {named}. "
            "Nothing was changed."
        )
    return least, most


def _read_lists(
    engine: Engine,
    policy: Policy,
    source: Relation,
    names: Sequence[str],
    unchanged: Mapping[str, Ladder],
    *,
    staged: bool,
) -> Mapping[str, _KnownList]:
    """The lists of text, read together; none where one is not there to be read."""
    lists = {
        number: (name, listed)
        for number, name in enumerate(names, 1)
        if isinstance(listed := policy.columns[name].hierarchy, (Csv, Tree))
        and source.column(name).kind is not Kind.OTHER
    }
    if not lists:
        return {}
    try:
        lines = {
            number: _lines(engine, policy, name, listed, policy.where("columns", name, "hierarchy"))
            for number, (name, listed) in lists.items()
        }
    except PolicyError:
        return {}
    blanks = [number for number, (_, listed) in lists.items() if isinstance(listed, Tree)]
    read = _lines_of(
        (number, lines[number], source.column(name)) for number, (name, _) in lists.items()
    )
    if staged:
        engine.run(staging("staging/line", LINE, read))
    facts = {
        number: _ListFacts(unchanged[name].fields, 0, None, None, _NONE)
        for number, (name, _) in lists.items()
        if name in unchanged
    }
    if facts.keys() != lists.keys():
        facts = _facts(engine, LINE if staged else _within(read), blanks) | facts
    return {
        name: _staged(number, facts.get(number, _NO_LINES))
        if staged
        else _KnownList(lines[number], facts.get(number, _NO_LINES), None)
        for number, (name, _) in lists.items()
    }


def _staged(number: int, facts: _ListFacts) -> _KnownList:
    """A list whose lines are staged, to be read from there."""
    fields = range(facts.fields)
    lines = sql(
        "(SELECT {fields} FROM {table} WHERE list = {number})",
        fields=commas(each(fields, "fields[{n}]")),
        table=LINE,
        number=number,
    )
    return _KnownList(lines, facts, number)


def _lines_of(lists: Iterable[tuple[int, Markup, Column]]) -> Markup:
    """A query for the lines of numbered lists, as what a column's values are."""
    typed = "field_0 IS NOT NULL AND TRY_CAST(field_0 AS {type}) IS NULL"
    asked = [
        (
            number,
            Markup("FALSE") if column.is_text else sql(typed, type=value_type(column)),
            lines,
        )
        for number, lines, column in lists
    ]
    return fragment("hierarchies/lines", lists=asked)


def _within(query: Markup) -> Markup:
    return Markup("(\n  ") + nested(query, 2) + Markup("\n)")


def _facts(engine: Engine, lines: Markup, blanks: Sequence[int]) -> dict[int, _ListFacts]:
    """The counts of each list that has lines, by its number."""
    rows = engine.rows(statement("hierarchies/list_facts", lines=lines, blanks=blanks))
    return {
        number: _ListFacts(fields, lines, least, most, tuple(faults))
        for number, fields, lines, least, most, *faults in rows
    }


def _facts_of(engine: Engine, lines: Markup, column: Column, *, blanks: bool) -> _ListFacts:
    """The counts of one list."""
    read = _within(_lines_of([(0, lines, column)]))
    return _facts(engine, read, [0] if blanks else []).get(0, _NO_LINES)


def read_ladder(
    engine: Engine, policy: Policy, source: Relation, name: str, known: _KnownList | None = None
) -> Ladder:
    """The ladder of one column that has a hierarchy; what is known of its list is not read anew."""
    column = source.column(name)
    declared = policy.columns[name]
    where = policy.where("columns", name)
    if column.kind is Kind.OTHER:
        raise UnsupportedError(
            f"{where}: a column with a hierarchy cannot be of type {column.type.split('(')[0]}, "
            "whose values do not compare as they read. Cast it in source.query"
        )
    if isinstance(declared.hierarchy, Listed):
        return _read_list(engine, policy, source, name, known)
    if not isinstance(declared.hierarchy, Rule):
        raise PolicyError(f"{where}: a quasi-identifier needs a hierarchy")
    where = policy.where("columns", name, "hierarchy")
    fitting = fitting_column(declared.hierarchy, column)
    try:
        levels = declared.hierarchy.levels(fitting)
    except PolicyError as error:
        raise PolicyError(f"{where}: {error}") from None
    _check_height(len(levels), where)
    if isinstance(declared.hierarchy, Expressions):
        check_expressions(engine, [Markup(level.label) for level in levels], fitting, where)
    if fitting != column:
        levels = tuple(replace(each, label=sql("CAST(NULL AS VARCHAR)")) for each in levels)
    return Ladder(column, levels, declared.nulls, declared.uncovered)


def _check_height(levels: int, where: str) -> None:
    """Refuse a hierarchy with more levels than the engine has memory for."""
    if levels > _MOST_LEVELS:
        raise PolicyError(
            f"{where}: a hierarchy has {_MOST_LEVELS} levels at most between the value and the "
            f"top; found {levels:,}. Leave out levels that no release needs"
        )


def _read_list(
    engine: Engine, policy: Policy, source: Relation, column: str, known: _KnownList | None
) -> Ladder:
    declared = policy.columns[column]
    where = policy.where("columns", column, "hierarchy")
    listed = declared.hierarchy
    assert isinstance(listed, Listed)
    blanks = isinstance(listed, Tree)
    lines = known.lines if known else _lines(engine, policy, column, listed, where)
    try:
        facts = (
            known.facts if known else _facts_of(engine, lines, source.column(column), blanks=blanks)
        )
    except EngineError:
        raise HierarchyError(
            f"{where}: {_unread(policy, column, listed)}. Nothing was changed."
        ) from None
    if not facts.lines:
        raise HierarchyError(f"{where}: {listed.words} has no lines")
    topped = facts.fields > 1 and facts.least == facts.most
    _check_height(facts.fields - 1 - topped, where)
    levels = tuple(
        Level(f"{listed.words}, level {level}")
        for level in range(1, facts.fields - 1 if topped else facts.fields)
    )
    return Ladder(
        source.column(column),
        levels,
        declared.nulls,
        declared.uncovered,
        lines,
        facts.fields,
        str(facts.least) if topped else TOP,
        blanks,
        line_faults=facts.faults,
        list_number=known.number if known else None,
    )


def _unread(policy: Policy, column: str, listed: Listed) -> str:
    """Why a list cannot be read, as far as its file shows it."""
    fault = ""
    if isinstance(listed, Csv):
        fault = csv_fault(list_path(policy, column, listed), listed.delimiter)
    if fault:
        return f"{listed.words} cannot be read: {fault}"
    return (
        f"{listed.words} cannot be read as lines of value and levels, all of the same length, in "
        "UTF-8"
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


def ladder_statement(number: int, rows: Markup) -> Statement:
    """The statement that stages one ladder: a row per leaf, with its label's id at each level."""
    return staging("staging/ladder", ladder_table(number), rows)


def is_leaf(ladder: Ladder) -> bool:
    """Whether a ladder is staged at once with others, as leaves.

    It is of text, with staged lines of which none is faulty: values of other types have no column
    in common, and a list with faults is staged on its own, to be named.
    """
    return ladder.list_number is not None and ladder.column.is_text and is_read(ladder)


def staged_ladder(number: int, ladder: Ladder) -> Markup:
    """The staged ladder of that number, for use after FROM: its own table, or its leaves."""
    if not is_leaf(ladder):
        return ladder_table(number)
    return sql(
        "(SELECT value, row_count, missing_level, is_kept, {ids} FROM {leaves} "
        "WHERE ladder = {number})",
        ids=commas(each(range(ladder.height), "id_{}")),
        leaves=LEAF,
        number=number,
    )


def check_ladders(
    engine: Engine, ladders: Mapping[int, Ladder], policy: Policy, show_values: bool
) -> None:
    """Prove by counting that staged ladders are total, single-valued and nested.

    All at once; where something is wrong, ladder by ladder, so that the first one is named.
    """
    asked = command(
        "staging/any_faults",
        "SELECT COUNT(*) FILTER (WHERE is_faulty) AS fault_count\n"
        "FROM (\n  {labels:nested 2}\n) AS label",
        labels=labels_query(ladders),
    )
    if not all(map(is_read, ladders.values())) or engine.rows(asked)[0][0]:
        check_each(engine, ladders, policy, show_values)


def labels_query(ladders: Mapping[int, Ladder]) -> Markup:
    """A query for every label of staged ladders, by their numbers, with what it covers.

    Ladders that were staged at once are read at once: up to the highest of them, each to its top.
    """
    leaves = [ladder for ladder in ladders.values() if is_leaf(ladder)]
    parts = [
        _label_part(
            Markup(str(number)), literal(ladder.height), ladder_table(number), ladder.height
        )
        for number, ladder in ladders.items()
        if not is_leaf(ladder)
    ]
    if leaves:
        highest = max(ladder.height for ladder in leaves)
        parts.append(_label_part(Markup("ladder"), Markup("height"), LEAF, highest))
    strict = [number for number, ladder in ladders.items() if ladder.uncovered == "error"]
    within = sql("ladder IN ({strict})", strict=commas(map(literal, strict)))
    return fragment("staging/label", parts=parts, strict=within if strict else Markup("FALSE"))


def _label_part(number: Markup, height: Markup, table: Markup, highest: int) -> dict[str, Markup]:
    """The labels of one table of leaves: the level, the id and the next id of each, in lists.

    The id of the top is 0. Only levels with one between them and the top can split a next one.
    """
    ids = [f"id_{level}" for level in range(highest)]
    return {
        "number": number,
        "height": height,
        "table": table,
        "levels": commas(map(literal, range(highest + 1))),
        "ids": commas(map(Markup, [*ids, "CAST(0 AS UINTEGER)"])),
        "next_ids": commas(map(Markup, ["0", *ids[2:], "0", "0"][: highest + 1])),
    }


def is_read(ladder: Ladder) -> bool:
    """Whether nothing is known to be wrong with the lines of a ladder's list, if it has one."""
    return ladder.lines is None or ladder.line_faults == _NONE


def check_each(
    engine: Engine, ladders: Mapping[int, Ladder], policy: Policy, show_values: bool
) -> None:
    """Prove staged ladders one by one: the first that is wrong is named."""
    for number, ladder in ladders.items():
        check_ladder(engine, number, ladder, policy, show_values)


def check_ladder(
    engine: Engine, number: int, ladder: Ladder, policy: Policy, show_values: bool
) -> None:
    """Prove by counting that a staged ladder is total, single-valued and nested.

    Raises HierarchyError with the column, the level, and how many values and rows are at fault;
    the values themselves only where the caller asked to be shown values.
    """
    table = staged_ladder(number, ladder)
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
            shown = "they are " + ", ".join(uncovered_values(engine, table))
        raise HierarchyError(
            f"{where}: {counted(uncovered, 'distinct value')} "
            f"({counted(uncovered_rows, 'row')}) of {ladder.column.name} without a label at "
            f"level {missing}. Add them, or say "
            f"uncovered: top{suppress}; {shown}. Nothing was changed."
        )
    if ladder.height > 2:
        levels = range(1, ladder.height - 1)
        faults = engine.rows(
            statement(
                "staging/nesting_faults",
                table=table,
                levels=[(level, level + 1) for level in levels],
            )
        )
        for level, values, rows in sorted(faults):
            if values:
                raise HierarchyError(
                    f"{where}: levels must nest, but level {level + 1} "
                    f"({ladder.words(level + 1)}) splits labels of level {level} "
                    f"({ladder.words(level)}): {counted(values, 'value')} ({counted(rows, 'row')}) "
                    "at fault. Nothing was changed."
                )


def _check_list(engine: Engine, ladder: Ladder, where: str) -> None:
    faults = line_faults(engine, ladder)
    kinds = (
        "lines without a value",
        f"lines whose value is no {ladder.column.type}",
        "lines without a label at some level",
    )
    for count, kind in zip(faults, kinds, strict=True):
        if count:
            raise HierarchyError(f"{where}: {kind}: {count}. Nothing was changed.")


def line_faults(engine: Engine, ladder: Ladder) -> tuple[int, ...]:
    """How many lines of a list lack a value, have one of another type, or lack a label."""
    assert ladder.lines is not None
    if ladder.line_faults is not None:
        return ladder.line_faults
    return _facts_of(engine, ladder.lines, ladder.column, blanks=ladder.blanks).faults


def uncovered_values(engine: Engine, table: Markup) -> list[str]:
    """The values a staged ladder gives no label; shown only to who asked for values."""
    rows = engine.rows(statement("staging/uncovered_values", table=table))
    return [str(row[0]) for row in rows]
