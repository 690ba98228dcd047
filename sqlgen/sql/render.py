"""Templates in, SQL out: every name and value passes a quoting filter, or rendering fails.

The environment escapes by default and accepts only text that a filter has marked as SQL, so a
template that prints a raw value does not render at all.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from string import Formatter
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

_PACKAGED = Path(__file__).parents[1] / "templates"
_CHECKOUT = Path(__file__).parents[2] / "templates"


@dataclass(frozen=True)
class Statement:
    """One SQL statement, and the name of the template it came from.

    ``purpose`` says in a report what it measured; empty where no report speaks of it.
    """

    template: str
    text: str
    purpose: str = ""


def ident(name: str) -> Markup:
    """A quoted identifier.

    >>> print(ident('zip "code"'))
    "zip ""code\"""
    """
    if "\x00" in name:
        raise ValueError("a name holds a NUL character")
    return Markup('"' + name.replace('"', '""') + '"')


def literal(value: str | int | bool | Decimal | date) -> Markup:
    """A quoted value.

    >>> print(literal("it's"), literal(5), literal(date(2026, 1, 1)))
    'it''s' 5 DATE '2026-01-01'
    """
    if isinstance(value, bool):
        return Markup("TRUE" if value else "FALSE")
    if isinstance(value, int):
        return Markup(str(value))
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise ValueError("not a number that SQL can spell")
        return Markup(format(value, "f"))
    if isinstance(value, date):
        return Markup(f"DATE '{value.isoformat()}'")
    if "\x00" in value:
        raise ValueError("a text holds a NUL character")
    return Markup("'" + value.replace("'", "''") + "'")


def name(parts: Iterable[str]) -> Markup:
    """A quoted name of several parts: catalog, schema, table."""
    return Markup(".").join(ident(part) for part in parts)


def quoted_name(parts: Iterable[str]) -> str:
    """A name of several parts as a person would write it in a policy."""
    return str(name(parts))


_QUOTED = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\n(?=[^\n])""")


def nested(sql: Markup, spaces: int) -> Markup:
    """A piece of SQL with its lines moved in; a text or name that spans lines stays what it is.

    >>> print(nested(Markup("a,\\n'b\\nc'"), 2))
    a,
      'b
    c'
    """
    if not isinstance(sql, Markup):
        raise TypeError("only a piece of SQL can be moved in")
    margin = "\n" + " " * spaces
    return Markup(_QUOTED.sub(lambda match: margin if match[0] == "\n" else match[0], str(sql)))


def _only_sql(value: object) -> Markup:
    if not isinstance(value, Markup):
        raise TypeError(f"a template prints {type(value).__name__} without a quoting filter")
    return value


def _joined(pieces: Iterable[Markup], separator: str) -> Markup:
    return Markup(separator.join(_only_sql(piece) for piece in pieces))


def commas(pieces: Iterable[Markup], spaces: int | None = None) -> Markup:
    """Pieces of SQL with commas between them: on one line, or each on its own, moved in.

    >>> print(commas([ident("zip"), ident("age")]))
    "zip", "age"
    >>> print(commas([ident("zip"), ident("age")], 2))
    "zip",
      "age"
    """
    if spaces is None:
        return _joined(pieces, ", ")
    return _joined((nested(piece, spaces) for piece in pieces), ",\n" + " " * spaces)


def commas_after(pieces: Iterable[Markup], spaces: int) -> Markup:
    """Pieces that follow others in a list, each on its own line: a comma stands before each.

    >>> print("class_id" + commas_after([ident("zip"), ident("age")], 2))
    class_id,
      "zip",
      "age"
    """
    start = Markup(",\n" + " " * spaces)
    return Markup("").join(start + nested(piece, spaces) for piece in pieces)


def lines(pieces: Iterable[Markup], spaces: int) -> Markup:
    """Pieces on lines of their own, under the line that they are printed at the end of.

    >>> print("SELECT" + lines(each(["zip", "age"], "{:ident},"), 2) + Markup("\\n  1 AS one"))
    SELECT
      "zip",
      "age",
      1 AS one
    """
    start = Markup("\n" + " " * spaces)
    return Markup("").join(start + nested(piece, spaces) for piece in pieces)


def joined(pieces: Iterable[Markup], separator: str) -> Markup:
    """Pieces of SQL with an operator between them.

    >>> print(joined([Markup("a"), Markup("b")], " + "))
    a + b
    """
    return _joined(pieces, separator)


def conjunction(conditions: Iterable[Markup]) -> Markup:
    """Conditions joined by AND; with no condition, TRUE.

    >>> print(conjunction([Markup("a > 1"), Markup("b")]), conjunction([]))
    a > 1 AND b TRUE
    """
    return _joined(conditions, " AND ") or Markup("TRUE")


def disjunction(conditions: Iterable[Markup]) -> Markup:
    """Conditions joined by OR; with no condition, FALSE.

    >>> print(disjunction([Markup("a > 1"), Markup("b")]), disjunction([]))
    a > 1 OR b FALSE
    """
    return _joined(conditions, " OR ") or Markup("FALSE")


def union_all(queries: Iterable[Markup], spaces: int = 0) -> Markup:
    """Queries whose rows are taken together.

    >>> print(union_all([Markup("SELECT 1"), Markup("SELECT 2")]))
    SELECT 1
    UNION ALL
    SELECT 2
    """
    margin = "\n" + " " * spaces
    pieces = [nested(query, spaces) for query in queries]
    return _joined(pieces, f"{margin}UNION ALL{margin}")


def group_by(keys: Iterable[Markup]) -> Markup:
    """The clause that makes one group per key, or where there are no keys one of all rows.

    >>> print(group_by([ident("zip"), ident("age")]))
    GROUP BY "zip", "age"
    >>> print(group_by([]))
    HAVING COUNT(*) > 0
    """
    keys = list(keys)
    return "GROUP BY " + commas(keys) if keys else Markup("HAVING COUNT(*) > 0")


def _filled(pattern: str, parts: tuple[Any, ...], named: Mapping[str, Any]) -> Markup:
    """A pattern with its placeholders filled: by position, by name, or by a part of the first item.

    ``{}`` takes SQL or a whole number, ``{:literal}`` quotes a value first. ``Formatter.format``
    reads each placeholder as a pattern of its own, which makes a statement twice as long to fill.
    """
    pieces = []
    following = 0
    for text, field, quoting, _ in _PATTERNS.parse(pattern):
        pieces.append(text)
        if field is None:
            continue
        if not field:
            value, following = parts[following], following + 1
        elif field.isdigit():
            value = parts[int(field)]
        else:
            value = named[field] if field in named else getattr(parts[0], field)
        pieces.append(_quoted(value, quoting or ""))
    return Markup("".join(pieces))


def _quoted(value: Any, quoting: str) -> Markup:
    """A value of a pattern as SQL, as its placeholder says."""
    if quoting in _QUOTING:
        return _QUOTING[quoting](value)
    if quoting.startswith("nested "):
        return nested(value, int(quoting.removeprefix("nested ")))
    if quoting:
        raise ValueError(f"a pattern asks for {quoting}")
    if isinstance(value, int) and not isinstance(value, bool):
        return literal(value)
    return _only_sql(value)


_PATTERNS = Formatter()
_QUOTING: Mapping[str, Callable[[Any], Markup]] = {"ident": ident, "literal": literal, "name": name}


def each(items: Iterable[Any], pattern: str, **shared: Any) -> list[Markup]:
    """The pattern once per item: ``{}`` is the item, ``{n}`` its number from 1.

    Of a tuple ``{0}`` and ``{1}`` are the parts, of a mapping or an object ``{alias}`` is what it
    has by that name. A pattern is text of a template: no value is ever read as a pattern.

    >>> print(*each([ident("zip"), ident("age")], "{} AS key_{n}"), sep="; ")
    "zip" AS key_1; "age" AS key_2
    >>> print(*each([("flu", 3)], "{0:literal} IN level_{1}"))
    'flu' IN level_3
    >>> print(*each([{"alias": Markup("q1")}], "{alias}.id = {other}", other=Markup("id")))
    q1.id = id
    """
    if isinstance(pattern, Markup):
        raise TypeError("a pattern is plain text of a template")
    pieces = []
    for number, item in enumerate(items, 1):
        parts = item if isinstance(item, tuple) else (item,)
        named = {**item, **shared} if isinstance(item, Mapping) else shared
        pieces.append(_filled(pattern, parts, {"n": number, **named}))
    return pieces


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_PACKAGED if _PACKAGED.is_dir() else _CHECKOUT),
        autoescape=True,
        finalize=_only_sql,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
    )
    environment.filters |= {"ident": ident, "literal": literal, "name": name, "nested": nested}
    environment.filters |= {"commas": commas, "commas_after": commas_after, "each": each}
    environment.filters |= {"lines": lines}
    environment.filters |= {"conjunction": conjunction, "disjunction": disjunction}
    environment.filters |= {"group_by": group_by, "joined": joined}
    environment.filters |= {"union_all": union_all}
    return environment


ENVIRONMENT = _environment()


# The engine whose own form of a template is taken, where it has one: <name>.duckdb.sql.jinja.
_ENGINE = "duckdb"


@lru_cache(1024)
def _template(environment: Environment, called: str, engine: str) -> Template:
    """A template in the engine's own form or, where it has none, in the portable one."""
    # Jinja's own cache looks at the file's date each time, and walks its list of templates.
    forms = (f"{called}.{engine}.sql.jinja", f"{called}.sql.jinja")
    return environment.select_template(forms[0 if engine else 1 :])


def sql(pattern: str, **values: Any) -> Markup:
    """A piece of SQL of a line or three, with the placeholders of a pattern (see ``each``).

    >>> print(sql("CAST({count} AS {type})", count=ident("n"), type=Markup("BIGINT")))
    CAST("n" AS BIGINT)
    """
    if isinstance(pattern, Markup):
        raise TypeError("a pattern is plain text of the code")
    return _filled(pattern, (), values)


def command(label: str, pattern: str, **values: Any) -> Statement:
    """A statement too short for a template, under the label that a log shows for it."""
    return Statement(label, str(sql(pattern, **values)))


def staging(label: str, table: Markup, query: Markup) -> Statement:
    """The statement that keeps a query's rows in a temporary table.

    >>> print(staging("cell", ident("t"), Markup("SELECT 1 AS one")).text)
    CREATE TEMPORARY TABLE "t" AS
    SELECT 1 AS one
    """
    pattern = "CREATE TEMPORARY TABLE {table} AS\n{query}"
    return command(label, pattern, table=table, query=query)


def template_sources() -> list[str]:
    """The templates as they are written."""
    assert ENVIRONMENT.loader is not None
    names = ENVIRONMENT.list_templates()
    return [ENVIRONMENT.loader.get_source(ENVIRONMENT, name)[0] for name in names]


def fragment(template: str, **values: Any) -> Markup:
    """A piece of SQL, for use inside a statement."""
    return Markup(_template(ENVIRONMENT, template, _ENGINE).render(values).strip())


def has_own_form(template: str) -> bool:
    """Whether the engine has a form of a template that no other one runs."""
    return _is_listed(ENVIRONMENT, f"{template}.{_ENGINE}.sql.jinja") if _ENGINE else False


@lru_cache(64)
def _is_listed(environment: Environment, file: str) -> bool:
    """Whether there is a template; to list all of them takes longer than a node's verdict."""
    return file in environment.list_templates()


def portable_fragment(template: str, **values: Any) -> Markup:
    """A piece of SQL in the form that every engine runs, where an engine has one of its own."""
    return Markup(_template(ENVIRONMENT, template, "").render(values).strip())


def statement(template: str, **values: Any) -> Statement:
    """The whole statement that a template gives."""
    return Statement(template, str(fragment(template, **values)))


def noted(statement: Statement, note: str) -> Statement:
    """The statement under a comment that says what it is for, on one line whatever the note."""
    line = "".join(character if character.isprintable() else " " for character in note)
    return Statement(statement.template, f"-- {line}\n{statement.text}", statement.purpose)
