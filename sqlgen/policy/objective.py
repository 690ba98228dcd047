"""The objective of a policy: what a release should lose least of."""

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema

from sqlgen.metrics import METRICS
from sqlgen.numbers import EXACT
from sqlgen.policy.columns import Section

AGGREGATES = ("geometric", "arithmetic", "max")


class Objective(Section):
    """A measure of loss by its name; ``loss`` also takes an aggregate, and some take weights."""

    name: Literal[
        "loss",
        "discernibility",
        "average_class_size",
        "height",
        "precision",
        "non_uniform_entropy",
        "kl_divergence",
        "ambiguity",
    ] = "loss"
    aggregate: Literal["geometric", "arithmetic", "max"] = "geometric"
    weights: Mapping[str, Annotated[Decimal, *EXACT, Field(ge=0, le=100)]] = Field(
        default_factory=dict, description="of quasi-identifiers; 1 where nothing is said"
    )

    @property
    def written(self) -> str | dict[str, Any]:
        """The objective as a policy writes it, the same for the same objective."""
        options: dict[str, Any] = {}
        if self.aggregate != "geometric":
            options["aggregate"] = self.aggregate
        if self.weights:
            options["weights"] = {
                key: f"{each.normalize():f}" for key, each in self.weights.items()
            }
        return {self.name: options} if options else self.name

    def whole_weights(self, columns: Sequence[str]) -> tuple[tuple[int, ...], Fraction]:
        """The columns' weights as whole numbers, and how much of what was written each one is."""
        weights = [Fraction(self.weights.get(column, Decimal(1))) for column in columns]
        over = math.lcm(*(each.denominator for each in weights))
        whole = [int(each * over) for each in weights]
        shared = math.gcd(*whole) or 1
        return tuple(each // shared for each in whole), Fraction(shared, over)


def _read(value: Any) -> Any:
    """``loss``, or ``{loss: {aggregate: max, weights: {age: 2}}}``."""
    if not isinstance(value, Mapping):
        _check_name(value)
        return {"name": value}
    if len(value) != 1 or not isinstance(next(iter(value.values())), Mapping):
        raise ValueError("write a name, or one with its options: {loss: {aggregate: max}}")
    name, options = next(iter(value.items()))
    _check_name(name)
    allowed = {"weights"} if METRICS[name].takes_weights else set()
    allowed |= {"aggregate"} if name == "loss" else set()
    for key in options:
        if key not in allowed:
            takes = f"takes {' and '.join(sorted(allowed))}" if allowed else "takes no options"
            raise ValueError(f"{name} {takes}; found {key}")
    aggregate = options.get("aggregate", "geometric")
    if aggregate not in AGGREGATES:
        raise ValueError(f"aggregate must be one of {', '.join(AGGREGATES)}")
    weights = options.get("weights", {})
    if not isinstance(weights, Mapping):
        raise ValueError("weights are a mapping of columns to numbers")  # noqa: TRY004
    return {"name": name, **options}


def _check_name(name: Any) -> None:
    if not isinstance(name, str) or name not in METRICS:
        raise ValueError(f"must be one of {', '.join(METRICS)}")


ObjectiveField = Annotated[
    Objective,
    BeforeValidator(lambda value: value if isinstance(value, Objective) else _read(value)),
    WithJsonSchema(
        {
            "anyOf": [
                {"enum": list(METRICS)},
                *(
                    {
                        "type": "object",
                        "description": f"{name}: {metric.citation}",
                        "properties": {
                            name: {
                                "type": "object",
                                "properties": {
                                    "weights": {
                                        "type": "object",
                                        "additionalProperties": {"type": ["number", "string"]},
                                    },
                                    **(
                                        {"aggregate": {"enum": list(AGGREGATES)}}
                                        if name == "loss"
                                        else {}
                                    ),
                                },
                                "additionalProperties": False,
                            }
                        },
                        "required": [name],
                        "additionalProperties": False,
                    }
                    for name, metric in METRICS.items()
                    if metric.takes_weights
                ),
            ]
        }
    ),
]
