"""Parameters of guarantees, as plain values and as words."""

from decimal import Decimal
from typing import Any

from pydantic import BaseModel


def is_unsaid(value: Any) -> bool:
    """Whether a parameter says nothing, as one that was left out does."""
    return value is None or value is False or value in ((), {})


def plain_parameter(value: Any) -> Any:
    """A parameter as a plain value."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, BaseModel):
        return value.model_dump(exclude_none=True)
    return list(value) if isinstance(value, tuple) else value


def parameter_words(value: Any) -> str:
    """A parameter as a person reads it."""
    if isinstance(value, BaseModel):
        return parameter_words(value.model_dump(exclude_none=True))
    if isinstance(value, dict):
        return " ".join(f"{key} {each}" for key, each in value.items())
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
