"""Numbers as a policy writes them, digits and nothing else, and as a message says them."""

import re
from decimal import Decimal
from typing import Any

from pydantic import BeforeValidator, WithJsonSchema


def _digits(value: Any) -> Any:
    if isinstance(value, str) and re.fullmatch(r"[0-9]{1,18}", value.strip()) is None:
        raise ValueError("must be a whole number")
    return value


def _exact(value: Any) -> Any:
    """A decimal as it is written; nine places keep products of counts inside 128 bits."""
    text = str(value).strip()
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", text) is None:
        raise ValueError("must be a number like 0.25, with at most 9 digits after the point")
    return Decimal(text)


def _share(value: Any) -> Any:
    text = str(value).strip()
    if re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,7})?\s*%", text):
        return Decimal(text[:-1].strip()) / 100
    if re.fullmatch(r"[0-9](\.[0-9]{1,9})?", text):
        return Decimal(text)
    refuse_digits(text)
    raise ValueError("write a share, like 5% or 0.05")


def refuse_digits(text: str) -> None:
    """Refuse a share that has more digits than products of counts leave room for."""
    if re.fullmatch(r"[0-9]\.[0-9]{10,}|[0-9]{1,3}\.[0-9]{8,}\s*%", text):
        raise ValueError("a share has at most 9 digits after the point, 7 where it is written in %")


DIGITS = BeforeValidator(_digits)
_SCHEMA = WithJsonSchema({"anyOf": [{"type": "number"}, {"type": "string"}]})
EXACT = (BeforeValidator(_exact), _SCHEMA)
SHARE = (BeforeValidator(_share), _SCHEMA)


def counted(count: int, noun: str, nouns: str = "") -> str:
    """A number with what it counts.

    >>> counted(1, "row"), counted(1204, "row"), counted(2, "class", "classes")
    ('1 row', '1,204 rows', '2 classes')
    """
    return f"{count:,} {noun if count == 1 else nouns or noun + 's'}"


def share_words(part: float) -> str:
    """A share as a person reads it: only an exact 0 or 1 is called 0% or 100%.

    >>> share_words(0), share_words(0.0004), share_words(0.25), share_words(0.9999), share_words(1)
    ('0%', 'under 0.1%', '25.0%', 'over 99.9%', '100%')
    """
    if part in (0, 1):
        return f"{part:.0%}"
    if 0 < part < 0.001:
        return "under 0.1%"
    return "over 99.9%" if 0.999 < part < 1 else f"{part:.1%}"
