"""Connections as our SQL needs them: functions and settings that mean what DuckDB's own mean."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from sqlgen.engines import Engine, fresh_rows
from sqlgen.errors import EngineError, RefusedError
from sqlgen.sql.calls import functions_called, our_functions
from sqlgen.sql.render import Statement, command, fragment, quoted_name, statement

# Settings that change what our SQL computes, where SQL has no words to say what it means, with the
# values that it is written for, in lower case. A version of the engine may lack some of them.
EXPECTED: Mapping[str, str] = {
    # 2020 would be the year 0002 of another calendar.
    "Calendar": "gregorian",
    "dialect_compatibility_mode": "none",
    # Whether a source reads files is told from the physical plan.
    "explain_output": "physical_only",
    "integer_division": "false",
}


def check_connection(engine: Engine, where: str, *, is_callers: bool) -> None:
    """Refuse a connection on which our SQL would compute something else than it says.

    DuckDB calls a macro of the user's in place of its own function, operators included: with
    ``CREATE MACRO ln(x) AS 0.0`` every class would have the entropy of one that is mixed well.
    """
    foreign, added = _stand_ins(engine, is_callers=is_callers)
    if foreign:
        raise RefusedError(
            f"{where}: the connection has {_listed(foreign)}, and DuckDB would call that in place "
            "of its own function in sqlgen's SQL. Rename or drop it, or take its schema off the "
            "search path, and run again. Nothing was changed."
        )
    if added:
        raise RefusedError(
            f"{where}: the program has registered functions called {', '.join(added)} on the "
            "connection, and DuckDB would call them in place of its own in sqlgen's SQL. Remove "
            "them, or give sqlgen another connection, and run again. Nothing was changed."
        )
    changed = engine.rows(_settings(is_callers=is_callers))
    if changed:
        name, value = min(changed)
        raise RefusedError(
            f"{where}: the connection has the setting {name} = {value}, which changes what "
            f"sqlgen's SQL computes. RESET {name}, and run again. Nothing was changed."
        )


def _settings(*, is_callers: bool) -> Statement:
    """The question for settings that are not as our SQL needs them.

    Where the engine has every one of them, they are asked for by name: 0.5 ms of the plan of a
    small table in place of 3.8. Whether it has is known of it as it comes, and once in a process;
    a command that opens a file would open a second connection for that.
    """
    names = command(
        "engines/duckdb/setting_names", "SELECT name FROM system.main.duckdb_settings()"
    )
    by_name = is_callers and {*EXPECTED} <= {name for (name,) in fresh_rows(names)}
    return statement(
        "engines/duckdb/current_settings" if by_name else "engines/duckdb/foreign_settings",
        settings=list(EXPECTED.items()),
    )


def meanings_statement(script: Iterable[Statement]) -> Statement:
    """The statement that stops a script where its functions or settings mean something else."""
    called = functions_called("\n".join(each.text for each in script)) & our_functions()
    return statement(
        "releasing/meanings",
        is_foreign=_is_foreign(sorted(called)),
        settings=fragment("engines/duckdb/foreign_settings", settings=list(EXPECTED.items())),
    )


def _is_foreign(names: list[str]) -> Markup:
    return fragment("engines/duckdb/is_foreign", names=names)


def _functions(*, calls: bool, registers: bool) -> Statement:
    """The question for functions that are not the engine's own; without calls it finds no macro."""
    names = sorted(our_functions())
    foreign = _is_foreign(names) if calls else Markup("FALSE")
    return statement(
        "engines/duckdb/functions", is_foreign=foreign, names=names, registers=registers
    )


def _stand_ins(engine: Engine, *, is_callers: bool) -> tuple[list[list[Any]], list[str]]:
    """The macros that our calls would find first, and the functions that a program has registered.

    Nearly always none of either is there at all, and one look at all names tells. Otherwise the
    catalog is asked again, with all that decides what a call finds. A function that is registered
    for what this question calls can leave it without an answer; it is asked again then without
    calls, outside of the transaction that the error has ended.
    """
    if not _differs(engine, is_callers=is_callers):
        return [], []
    asked = _functions(calls=True, registers=is_callers)
    called_nothing = _functions(calls=False, registers=is_callers)
    try:
        rows = engine.rows(asked)
    except EngineError:
        engine.undo()
        if is_callers and (added := _added(engine.rows(called_nothing), called_nothing)):
            return [], added
        raise
    foreign = [row for is_own, *row in rows if not is_own]
    return foreign, _added(rows, asked) if is_callers else []


def _differs(engine: Engine, *, is_callers: bool) -> bool:
    """Whether a macro has a name of ours, or the engine's own functions are not those it came with.

    What a program registers is the newest function of its name, so that their names by age tell,
    also where as many were removed. Only letters of ASCII are alike for DuckDB and for Python.
    """
    names = statement("engines/duckdb/function_names")
    own, foreign = _by_owner(engine.rows(names))
    if any(not name.isascii() or name.lower() in our_functions() for name in foreign):
        return True
    return is_callers and own != _by_owner(fresh_rows(names))[0]


def _by_owner(rows: Iterable[Sequence[Any]]) -> tuple[list[Sequence[Any]], list[str]]:
    """The engine's own functions, as one row of their number and names, and the others' names."""
    own: list[Sequence[Any]] = []
    foreign = []
    for foreign_name, *of_own in rows:
        if foreign_name is None:
            own.append(of_own)
        else:
            foreign.append(str(foreign_name))
    return own, foreign


def _added(rows: Iterable[Sequence[Any]], asked: Statement) -> list[str]:
    """The functions to which a program has added a way to be called.

    A function that Python registers counts as the engine's own, and one with the name of another
    is one way more to call that. Ways to call it with types that an extension brings are no matter:
    our SQL has no values of these. Of a type like DECIMAL(18,3) or BIGINT[] the first word tells.
    """
    own, fresh = (
        {_signature(row) for is_own, *row in found if is_own} for found in (rows, fresh_rows(asked))
    )
    # Nearly always: the words of some thousand parameters need not be read then.
    if own <= fresh:
        return []
    # By full names alone: what is asked here must not be a macro of the user's.
    asked_types = command(
        "engines/duckdb/types",
        "SELECT DISTINCT type_name\n"
        "FROM system.main.duckdb_types()\n"
        "WHERE internal\n"
        "ORDER BY type_name ASC",
    )
    types = {_first_word(row[0]) for row in fresh_rows(asked_types)}
    types |= {_first_word(parameter) for _, parameters, *_ in fresh for parameter in parameters}
    return sorted(
        {
            called
            for called, parameters, *_ in own - fresh
            if {_first_word(parameter) for parameter in parameters} <= types
        }
    )


def _first_word(spelled: str | None) -> str:
    return re.split(r"\W", spelled or "", maxsplit=1)[0].upper()


def _signature(row: Sequence[Any]) -> tuple[str, tuple[str, ...], str | None, str | None]:
    _, _, name, parameters, more, given = row
    return name, tuple(parameters or ()), more, given


def _listed(rows: Iterable[Sequence[Any]]) -> str:
    """Functions by their full names, each once."""
    named = {quoted_name(map(str, row[:3])) for row in rows}
    return ("a macro " if len(named) == 1 else "macros ") + ", ".join(sorted(named))
