"""A policy given as values of Python, as the texts that its file would have."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, time
from decimal import Decimal
from typing import Any

from sqlgen.errors import PolicyError
from sqlgen.policy.model import located
from sqlgen.policy.yaml_text import (
    TOO_DEEP,
    TOO_MANY_COPIES,
    Keys,
    are_too_many,
    is_too_deep,
    unsaid,
)

# YAML 1.1 reads the word off as false.
_OFF = (("ledger",), ("joint",))


def as_texts(value: Any) -> Any:
    """The mapping as the file's reader would give it: every scalar a text.

    >>> as_texts({"release": {"in_place": True}, "keep": 3, "at": None})
    {'release': {'in_place': 'true'}, 'keep': '3', 'at': ''}
    """
    return _MappingReader().value(value, (), ())


@dataclass
class _MappingReader:
    """A policy's parts as texts: the lists and mappings met so far, and how many places have one.

    A value that stands in several places is copied to each, as an alias of a file is.
    """

    met: dict[int, Any] = field(default_factory=dict)
    parts: int = 1
    places: int = 0

    def value(self, value: Any, keys: Keys, above: tuple[Any, ...]) -> Any:
        """A part that stands at a key path, inside of the parts ``above``."""
        self._count(value)
        if is_too_deep(keys):
            raise PolicyError(f"policy: {TOO_DEEP}")
        if any(value is outer for outer in above):
            raise _error(keys, "a part of the policy stands inside itself")
        if are_too_many(self.places, self.parts):
            raise _error(keys, f"lists and mappings in several places {TOO_MANY_COPIES}")
        if isinstance(value, Mapping):
            return self._mapping(value, keys, above)
        if isinstance(value, (list, tuple)):
            inner = (*above, value)
            return [self.value(item, (*keys, number), inner) for number, item in enumerate(value)]
        return _scalar(value, keys)

    def _mapping(
        self, value: Mapping[Any, Any], keys: Keys, above: tuple[Any, ...]
    ) -> dict[str, Any]:
        content: dict[str, Any] = {}
        for key, item in value.items():
            if _is_nested(key):
                raise _error(keys, "a key must be a text")
            text = _scalar(key, keys)
            if text in content:
                raise _error(keys, f"the key {text} stands twice")
            content[text] = self.value(item, (*keys, text), (*above, value))
        return content

    def _count(self, value: Any) -> None:
        self.places += 1
        if isinstance(value, (Mapping, list, tuple)) and id(value) not in self.met:
            # Held, so that no other part gets its id.
            self.met[id(value)] = value
            self.parts += len(value)


def _scalar(value: Any, keys: Keys) -> str:
    if _is_nested(value):
        raise _error(
            keys,
            f"must be a text, a number, a list or a mapping; found {type(value).__name__}",
        )
    text = "off" if value is False and keys in _OFF else _text(value)
    if lacking := unsaid(text):
        raise PolicyError(f"policy: a text cannot hold {lacking}")
    return text


def _error(keys: Keys, words: str) -> PolicyError:
    return PolicyError(f"{located(None, {}, keys)}: {words}")


def _is_nested(value: Any) -> bool:
    """Whether it is something of parts, and no text."""
    return isinstance(value, Iterable) and not isinstance(value, str)


def _text(value: Any) -> str:
    """A scalar as a file spells it: true, 0.0000001 and 2026-01-31, not True and 1e-07."""
    text = str(value)
    match value:
        case None:
            text = ""
        case bool():
            text = text.lower()
        case str():
            # Of an enum that is a text, str() is its name.
            text = str.__str__(value)
        case float() if math.isfinite(value):
            text = f"{Decimal(float.__repr__(value)):f}"
        case Decimal() if value.is_finite():
            text = f"{value:f}"
        case datetime() if value.time() == time() and value.tzinfo is None:
            text = value.date().isoformat()
    return text
