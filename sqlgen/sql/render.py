"""Templates in, SQL out: every name and value passes a quoting filter, or rendering fails.

The environment escapes by default and accepts only text that a filter has marked as SQL, so a
template that prints a raw value does not render at all.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
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
    return Markup(_QUOTED.sub(lambda found: margin if found[0] == "\n" else found[0], str(sql)))


def _only_sql(value: object) -> Markup:
    if not isinstance(value, Markup):
        raise TypeError(f"a template prints {type(value).__name__} without a quoting filter")
    return value


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
    return environment


ENVIRONMENT = _environment()


@lru_cache(1024)
def _template(environment: Environment, called: str) -> Template:
    # Jinja's own cache looks at the file's date each time, and walks its list of templates.
    return environment.get_template(f"{called}.sql.jinja")


def template_sources() -> list[str]:
    """The templates as they are written."""
    assert ENVIRONMENT.loader is not None
    names = ENVIRONMENT.list_templates()
    return [ENVIRONMENT.loader.get_source(ENVIRONMENT, name)[0] for name in names]


def fragment(template: str, **values: Any) -> Markup:
    """A piece of SQL, for use inside a statement."""
    return Markup(_template(ENVIRONMENT, template).render(values).strip())


def statement(template: str, **values: Any) -> Statement:
    """The whole statement that a template gives."""
    return Statement(template, str(fragment(template, **values)))


def noted(made: Statement, note: str) -> Statement:
    """The statement under a comment that says what it is for, on one line whatever the note."""
    line = "".join(character if character.isprintable() else " " for character in note)
    return Statement(made.template, f"-- {line}\n{made.text}", made.purpose)
