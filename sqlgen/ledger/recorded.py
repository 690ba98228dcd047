"""A guarantee as the ledger keeps it: its name, its parameters without cell values, its figure.

Of a parameter that names values of a column, the ledger keeps the number of these values. It holds
no value of a table, not even hashed: a hashed disease can be guessed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

from pydantic import ValidationError

from sqlgen.guarantees import MODELS, Guarantee
from sqlgen.guarantees.parameters import is_unsaid, plain_parameter

_HIDDEN = "values_not_shown"
_MOST_HIDDEN = 10_000
_MOST_NUMBER = 10**18


@dataclass(frozen=True)
class RecordedGuarantee:
    """A guarantee of a release, and what its audit measured; None where nothing was judged."""

    name: str
    parameters: Mapping[str, Any]
    measured: float | None = None

    @cached_property
    def guarantee(self) -> Guarantee | None:
        """This guarantee as an object, with placeholders for the values that are not recorded.

        None where no guarantee has that name, or none can have these parameters.
        """
        if self.name not in MODELS:
            return None
        try:
            given = {key: _with_values(key, value) for key, value in self.parameters.items()}
            guarantee = MODELS[self.name].model_validate(given)
        except (ValidationError, ValueError, TypeError, ArithmeticError, RecursionError):
            return None
        return guarantee if hidden_parameters(guarantee) == self.parameters else None

    @property
    def title(self) -> str:
        """The guarantee without its threshold, as a person reads it; its name where unknown."""
        return self.name if self.guarantee is None else self.guarantee.title

    @property
    def requirement(self) -> str:
        """The threshold, as a person reads it; empty where the guarantee is unknown."""
        return "" if self.guarantee is None else self.guarantee.requirement

    def is_of(self, guarantee: Guarantee) -> bool:
        """Whether it may be that guarantee: values that are not recorded are not compared."""
        return (self.name, self.parameters) == (guarantee.name, hidden_parameters(guarantee))


def hidden_parameters(guarantee: Guarantee) -> dict[str, Any]:
    """The parameters of a guarantee as the ledger keeps them: exact, and without values."""
    named = set(guarantee.named_values)
    kept: dict[str, Any] = {}
    for key, value in guarantee:
        if key not in guarantee.parameters or is_unsaid(value):
            continue
        if isinstance(value, Mapping):
            kept[key] = {_HIDDEN: [len(set(values)) for values in value.values()]}
        elif isinstance(value, tuple) and named & set(value):
            kept[key] = {_HIDDEN: len(set(value))}
        elif isinstance(value, Decimal) and value != value.to_integral_value():
            kept[key] = format(value, "f")
        else:
            kept[key] = _as_json(plain_parameter(value))
    return kept


def _as_json(value: Any) -> Any:
    """A parameter with lists in place of tuples, as JSON gives it back."""
    return list(map(_as_json, value)) if isinstance(value, (list, tuple)) else value


def _with_values(key: str, value: Any) -> Any:
    """A parameter with a placeholder for each value that is not recorded."""
    if type(value) is int and abs(value) > _MOST_NUMBER:
        raise ValueError("more than any policy can ask for")
    hidden = value.get(_HIDDEN) if isinstance(value, Mapping) else None
    if type(hidden) is int:
        return _names(key, hidden)
    if isinstance(hidden, list):
        groups = enumerate(hidden[:_MOST_HIDDEN])
        return {str(number): _names(f"{key} {number}", count) for number, count in groups}
    return value


def _names(prefix: str, count: Any) -> tuple[str, ...]:
    if type(count) is not int or count > _MOST_HIDDEN:
        raise ValueError("not a number of values")
    return tuple(f"{prefix} {number}" for number in range(count))
