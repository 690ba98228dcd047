"""A policy given as values of Python, as the texts that its file would have."""

import math
from collections.abc import Iterable, Mapping
from datetime import datetime, time
from decimal import Decimal
from typing import Any

from sqlgen.errors import PolicyError
from sqlgen.policy.declared import located
from sqlgen.policy.yaml_text import TOO_DEEP, Keys, is_too_deep, unsaid

# YAML 1.1 reads the word off as false.
_OFF = (("ledger",), ("joint",))


def as_texts(value: Any, keys: Keys = (), above: tuple[Any, ...] = ()) -> Any:
    """The mapping as the file's reader would give it: every scalar a text.

    >>> as_texts({"release": {"in_place": True}, "keep": 3, "at": None})
    {'release': {'in_place': 'true'}, 'keep': '3', 'at': ''}
    """
    if is_too_deep(keys):
        raise PolicyError(f"policy: {TOO_DEEP}")
    if any(value is each for each in above):
        raise PolicyError(f"{located(None, {}, keys)}: a part of the policy stands inside itself")
    if isinstance(value, Mapping):
        content: dict[str, Any] = {}
        for key, item in value.items():
            if _is_nested(key):
                raise PolicyError(f"{located(None, {}, keys)}: a key must be a text")
            text = as_texts(key, keys)
            if text in content:
                raise PolicyError(f"{located(None, {}, keys)}: the key {text} stands twice")
            content[text] = as_texts(item, (*keys, text), (*above, value))
        return content
    if isinstance(value, (list, tuple)):
        inner = (*above, value)
        return [as_texts(item, (*keys, number), inner) for number, item in enumerate(value)]
    if _is_nested(value):
        raise PolicyError(
            f"{located(None, {}, keys)}: must be a text, a number, a list or a mapping; found "
            f"{type(value).__name__}"
        )
    text = "off" if value is False and keys in _OFF else _text(value)
    if lacking := unsaid(text):
        raise PolicyError(f"policy: a text cannot hold {lacking}")
    return text


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
