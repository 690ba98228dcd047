"""The objective of a policy: what a release should lose least of."""

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema

from sqlgen.metrics import METRICS, Metric, TableFacts
from sqlgen.policy.columns import Section
from sqlgen.sql.numbers import EXACT

AGGREGATES = ("geometric", "arithmetic", "max")

# The geometric loss is compared as a product of whole numbers to the powers of the weights. The
# bounds of a lattice of 4,320 nodes (8 columns, 30,162 rows) take 0.01 s where weights add up to
# 100 units, 0.5 s at 1,000, 1.6 s at 2,000 and 22 s at 10,000; 0.9 s at 1,000 over 10 M rows.
MOST_UNITS = 1_000
_NEAR = Fraction(1, 100)


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
                key: f"{weight.normalize():f}" for key, weight in self.weights.items()
            }
        return {self.name: options} if options else self.name

    def metric(self, facts: TableFacts, columns: Sequence[str]) -> Metric:
        """The objective as figures of one table, whose columns are weighted as written."""
        weights, unit = self.whole_weights(columns)
        return METRICS[self.name](facts, weights, unit, self.aggregate)

    def every_metric(self, facts: TableFacts, columns: Sequence[str]) -> list[Metric]:
        """All objectives on one table: this one as it is written, the others without weights."""
        alike = [1] * len(columns)
        return [
            self.metric(facts, columns) if metric.name == self.name else metric(facts, alike)
            for metric in METRICS.values()
        ]

    def whole_weights(self, columns: Sequence[str]) -> tuple[tuple[int, ...], Fraction]:
        """The columns' weights as whole numbers, and how much of what was written each one is."""
        weights = [Fraction(self.weights.get(column, Decimal(1))) for column in columns]
        over = math.lcm(*(weight.denominator for weight in weights))
        whole = [int(weight * over) for weight in weights]
        shared = math.gcd(*whole) or 1
        return tuple(number // shared for number in whole), Fraction(shared, over)

    def unfit_weights(self, columns: Sequence[str]) -> str:
        """The reason why the columns' weights cannot be powers, and a remedy; "" where they can."""
        if self.name != "loss" or self.aggregate != "geometric" or not self.weights:
            return ""
        units, unit = self.whole_weights(columns)
        if sum(units) <= MOST_UNITS:
            return ""
        plain = _plainer(units)
        pairs = zip(columns, plain, strict=False)
        written = ", ".join(f"{column}: {weight}" for column, weight in pairs)
        # A unit has the nine decimal places that a weight may have.
        return (
            f"the geometric loss takes weights that add up to at most {MOST_UNITS:,} of their "
            f"common unit, columns that are not named among them; found {sum(units):,} of "
            f"{f'{float(unit):.9f}'.rstrip('0').rstrip('.')}. Write "
            + (f"{{{written}}}, which is within 1 %" if plain else "fewer digits and nearer values")
            + ", or aggregate: arithmetic, which takes any"
        )


def _plainer(weights: Sequence[int]) -> list[int]:
    """The least whole weights that each keep their share of the largest to 1 %; [] if too many.

    >>> _plainer([333_333, 666_667]), _plainer([1, 10_000])
    ([1, 2], [])
    """
    most = max(weights)
    for largest in range(1, MOST_UNITS + 1):
        plain = [round(Fraction(weight * largest, most)) for weight in weights]
        if all(
            abs(Fraction(less, largest) * most - given) <= _NEAR * given
            for less, given in zip(plain, weights, strict=True)
        ):
            return plain if sum(plain) <= MOST_UNITS else []
    return []


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


def _described(name: str) -> str:
    """The JSON Schema of an objective's weights."""
    words = "of quasi-identifiers, 0 to 100; 1 where nothing is said"
    if name != "loss":
        return words
    return (
        f"{words}. Geometric: at most {MOST_UNITS:,} of their common unit in all, columns that are "
        "not named among them"
    )


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
                                        "description": _described(name),
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
