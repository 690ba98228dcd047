"""Edits that operators make of a template: every place where SQL could say nearly the same.

The tokens are sqlglot's. Jinja is masked first: what it prints counts as a name, its tags as space.
``python tests/helpers/operators.py measuring/verdict`` tells which of them are noticed.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest
import sqlglot

# As a script it is not run by pytest, which knows these folders from pyproject.toml.
_TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(_TESTS.parent), str(_TESTS / "oracle")]

from edits import TEMPLATES, Edit, is_noticed, read_edits  # noqa: E402

_SWAPPED = {
    **{"<": "<=", "<=": "<", ">": ">=", ">=": ">"},
    **{"MIN": "MAX", "MAX": "MIN", "AND": "OR", "OR": "AND"},
}


class Word(NamedTuple):
    """A token of SQL, its kind, and where it begins and ends."""

    text: str
    kind: str
    start: int
    end: int


def _masked(sql: str) -> str:
    """SQL of the same length, without Jinja."""

    def mask(found: re.Match[str]) -> str:
        return ("x" if found[0].startswith("{{") else " ") * len(found[0])

    return re.sub(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", mask, sql, flags=re.DOTALL)


def _changes(words: Sequence[Word]) -> Iterator[tuple[Word, str]]:
    """The words that an operator changes, with what stands there then."""
    for index, word in enumerate(words):
        text = word.text.upper()
        before = words[index - 1].text.upper() if index else ""
        after = words[index + 1].text.upper() if index + 1 < len(words) else ""
        if text in ("MIN", "MAX") and after != "(":
            continue
        if text in _SWAPPED and word.kind != "STRING":
            yield word, _SWAPPED[text]
        elif (text == "DISTINCT" and before in ("SELECT", "(")) or (
            text in ("LEFT", "FULL") and after == "JOIN"
        ):
            yield word, ""
        elif word.kind == "NUMBER" and word.text.isdigit():
            yield word, str(int(word.text) + 1)


def operator_changes(sql: str) -> list[tuple[int, int, str]]:
    """Where each change begins and ends in a template's SQL, and what stands there then."""
    words = [
        Word(token.text, token.token_type.name, token.start, token.end + 1)
        for token in sqlglot.tokenize(_masked(sql), dialect="duckdb")
    ]
    return [(word.start, word.end, new) for word, new in _changes(words)]


def operator_edits(template: str) -> list[Edit]:
    """The edits of a template, each told with as much around it as stands there once."""
    text = (TEMPLATES / f"{template}.sql.jinja").read_text(encoding="utf-8")
    body = text.partition("#}")[2]
    found = []
    for start, end, new in operator_changes(body):
        around = 0
        while body.count(body[max(0, start - around) : end + around]) > 1:
            around += 1
        head, tail = body[max(0, start - around) : start], body[end : end + around]
        found.append(Edit(template, head + body[start:end] + tail, head + new + tail, ""))
    return found


def checks_of(template: str) -> dict[str, str]:
    """The checks that notice edits by hand of a template, or of its room; of each, a nearest."""
    listed = read_edits()
    of_template = [edit for edit in listed if edit.template == template]
    of_room = [edit for edit in listed if edit.room == template.partition("/")[0]]
    return {edit.checks: edit.nearest for edit in of_template or of_room}


def is_noticed_by_any(edit: Edit) -> bool:
    for checks, nearest in checks_of(edit.template).items():
        try:
            if is_noticed(replace(edit, checks=checks, nearest=nearest)):
                return True
        except pytest.fail.Exception:
            # The edit is no SQL. The engine notices that.
            return False
    return False


if __name__ == "__main__":
    for name in sys.argv[1:]:
        verdicts = {edit: is_noticed_by_any(edit) for edit in operator_edits(name)}
        print(f"{name}: {sum(verdicts.values())} of {len(verdicts)} noticed", flush=True)
        for edit, noticed in verdicts.items():
            if not noticed:
                print(f"  survives: {edit.old!r} -> {edit.new!r}", flush=True)
