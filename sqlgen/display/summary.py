"""The short form of a value at a Python prompt: its class and at most three lines."""

from collections.abc import Iterable, Mapping

_LINES = 3
_WIDTH = 96


def summary(kind: str, *facts: str) -> str:
    """The repr of a value: its class, then a line per fact; empty facts are left out.

    >>> print(summary("Plan", "met, 2 rows", "", "levels: age=1"))
    <Plan: met, 2 rows
     levels: age=1>
    """
    first, *others = [fact for fact in facts if fact] or ["empty"]
    lines = [f"<{kind}: {first}", *(f" {other}" for other in others)][:_LINES]
    return "\n".join(_cut(printable(line)) for line in lines) + ">"


def printable(text: str) -> str:
    """A text on one line: line breaks and other characters that steer a terminal become spaces."""
    return "".join(char if char.isprintable() else " " for char in text)


def names_words(names: Iterable[str]) -> str:
    """Names after each other, the first eight of many.

    >>> names_words("abc"), names_words("abcdefghij")
    ('a, b, c', 'a, b, c, d, e, f, g, h and 2 more')
    """
    every = list(names)
    words = ", ".join(every[:8])
    return f"{words} and {len(every) - 8:,} more" if len(every) > 8 else words


def levels_words(levels: Mapping[str, int]) -> str:
    """A node as levels by column: ``age=1 zip=2``."""
    return " ".join(f"{column}={level}" for column, level in levels.items())


def _cut(line: str) -> str:
    return line if len(line) <= _WIDTH else f"{line[: _WIDTH - 3]}..."
