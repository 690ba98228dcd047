"""Brute force for ranges and sets: how a value is named in one, and what a label stands for.

Labels are read character by character; nothing here is shared with the SQL.
"""

from __future__ import annotations

from collections.abc import Sequence


def spelled(text: str | None) -> str:
    """A value as a range or a set names it."""
    if text is None:
        return "NULL"
    plain = text not in ("", "NULL") and text.strip() == text
    if plain and not any(character in text for character in '",[]{}'):
        return text
    return '"' + "".join('""' if character == '"' else character for character in text) + '"'


def names_in(inner: str) -> list[str] | None:
    """The names between the brackets of a label, as they are spelled; None where it has others."""
    names = []
    rest = inner
    while True:
        name, rest = _first_name(rest)
        if not name:
            return None
        names.append(name)
        if not rest:
            return names
        if not rest.startswith(", "):
            return None
        rest = rest[2:]


def _first_name(text: str) -> tuple[str, str]:
    """The name that a text begins with, and what is left; no name where it begins with none."""
    if not text.startswith('"'):
        ends = [number for number, character in enumerate(text) if character in '",[]{}']
        end = ends[0] if ends else len(text)
        return text[:end], text[end:]
    number = 1
    while number < len(text):
        if text[number] != '"':
            number += 1
        elif text[number + 1 : number + 2] == '"':
            number += 2
        else:
            return text[: number + 1], text[number + 1 :]
    return "", text


def meant(label: str | None, texts: Sequence[str | None]) -> frozenset[int] | None:
    """Which values a range or a set stands for, by their numbers; None where it is neither.

    ``texts`` has the values in the column's order.
    """
    if label is None or len(label) < 2 or label[0] + label[-1] not in ("[]", "{}"):
        return None
    names = names_in(label[1:-1])
    if names is None or len(names) < 2:
        return None
    by_name = {spelled(text): number for number, text in enumerate(texts)}
    if any(name not in by_name for name in names):
        return None
    numbers = [by_name[name] for name in names]
    if label[0] == "{":
        return frozenset(numbers) if len(set(numbers)) == len(numbers) else None
    if len(numbers) != 2 or numbers[0] >= numbers[1]:
        return None
    return frozenset(range(numbers[0], numbers[1] + 1))
