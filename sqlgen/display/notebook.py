"""The form of a value in a notebook: a heading, sentences and tables as self-contained HTML."""

import html
from collections.abc import Sequence
from dataclasses import dataclass

from sqlgen.display.summary import printable

_CELL = 'style="text-align: left; padding: 0.1em 1em 0.1em 0"'


@dataclass(frozen=True)
class TextTable:
    """A table of text: a caption, the names of its columns, and its rows."""

    caption: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]


def notebook_html(title: str, sentences: Sequence[str], tables: Sequence[TextTable]) -> str:
    """A piece of HTML that needs nothing beside itself: no script, no style sheet, no address."""
    parts = [f"<strong>{_escaped(title)}</strong>"]
    parts += [f"<p>{_escaped(sentence)}</p>" for sentence in sentences if sentence]
    parts += [_table(table) for table in tables if table.rows]
    return f"<div>{''.join(parts)}</div>"


def _table(table: TextTable) -> str:
    header = "".join(f'<th scope="col" {_CELL}>{_escaped(name)}</th>' for name in table.header)
    body = "".join(
        f"<tr>{''.join(f'<td {_CELL}>{_escaped(cell)}</td>' for cell in row)}</tr>"
        for row in table.rows
    )
    caption = f"<caption {_CELL}>{_escaped(table.caption)}</caption>"
    return f"<table>{caption}<thead><tr>{header}</tr></thead><tbody>{body}</tbody></table>"


def _escaped(text: str) -> str:
    return html.escape(printable(text), quote=True)
