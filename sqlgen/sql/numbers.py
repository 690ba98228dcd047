"""Numbers of a policy: read from digits and nothing else, and kept as exact as they are written."""

import re
from decimal import Decimal
from typing import Any

from pydantic import BeforeValidator, WithJsonSchema

_MOST_WHOLE = 18


def _digits(value: Any) -> Any:
    """Digits, perhaps with a sign; the parameter's own bounds refuse a number out of range."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    if re.fullmatch(r"-?[0-9]+", text) is None:
        raise ValueError("must be a whole number")
    if len(text.lstrip("-")) > _MOST_WHOLE:
        raise ValueError(f"must be a whole number of at most {_MOST_WHOLE} digits")
    return value


def _exact(value: Any) -> Any:
    """A decimal as it is written; nine places keep products of counts inside 128 bits."""
    text = str(value).strip()
    if re.fullmatch(r"-?[0-9]{1,9}(\.[0-9]{1,9})?", text) is None:
        if re.fullmatch(r"-?[0-9]{10,}(\.[0-9]+)?", text):
            raise ValueError("must be a number with at most 9 digits before the point")
        raise ValueError("must be a number like 0.25, with at most 9 digits after the point")
    return Decimal(text)


def _share(value: Any) -> Any:
    text = str(value).strip()
    refuse_digits(text)
    number = text.removesuffix("%").strip()
    if re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", number) is None:
        raise ValueError("write a share, like 5% or 0.05")
    if len(number.partition(".")[0].lstrip("-")) > 9:
        raise ValueError("write a share, like 5% or 0.05, of at most 100%")
    return Decimal(number) / 100 if text.endswith("%") else Decimal(number)


def refuse_digits(text: str) -> None:
    """Refuse a share that has more digits than products of counts leave room for."""
    if re.fullmatch(r"-?[0-9]+\.([0-9]{10,}|[0-9]{8,}\s*%)", text):
        raise ValueError("a share has at most 9 digits after the point, 7 where it is written in %")


DIGITS = BeforeValidator(_digits)
_SCHEMA = WithJsonSchema({"anyOf": [{"type": "number"}, {"type": "string"}]})
EXACT = (BeforeValidator(_exact), _SCHEMA)
SHARE = (BeforeValidator(_share), _SCHEMA)
