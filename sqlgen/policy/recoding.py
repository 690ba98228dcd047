"""The recoding of a policy: the way in which the table is made safe, with its options."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema

from sqlgen.policy.columns import Section

RECODING_NAMES = ("full_domain", "local", "anatomy")


class RecodingChoice(Section):
    """A recoding by its name; ``local`` also says whether it may suppress rows."""

    name: Literal["full_domain", "local", "anatomy"] = "full_domain"
    suppress: Annotated[
        bool,
        Field(description="local: whether rows that no class can hold may be suppressed"),
    ] = True

    @property
    def written(self) -> str | dict[str, Any]:
        """The recoding as a policy writes it, the same for the same recoding."""
        return self.name if self.suppress else {self.name: {"suppress": False}}


def _read(value: Any) -> Any:
    """A name, or a name with its options."""
    if not isinstance(value, Mapping):
        _check_name(value)
        return {"name": value}
    if len(value) != 1 or not isinstance(next(iter(value.values())), Mapping):
        raise ValueError("write a name, or one with its options: {local: {suppress: false}}")
    name, options = next(iter(value.items()))
    _check_name(name)
    allowed = ("suppress",) if name == "local" else ()
    for key in options:
        if key not in allowed:
            takes = f"takes {', '.join(allowed)}" if allowed else "takes no options"
            raise ValueError(f"{name} {takes}; found {key}")
    return {"name": name, **options}


def _check_name(name: Any) -> None:
    if not isinstance(name, str) or name not in RECODING_NAMES:
        raise ValueError(f"must be one of {', '.join(RECODING_NAMES)}")


RecodingField = Annotated[
    RecodingChoice,
    BeforeValidator(lambda value: value if isinstance(value, RecodingChoice) else _read(value)),
    WithJsonSchema(
        {
            "anyOf": [
                {"enum": list(RECODING_NAMES)},
                {
                    "type": "object",
                    "properties": {
                        "local": {
                            "type": "object",
                            "properties": {
                                "suppress": {
                                    "type": "boolean",
                                    "description": "whether rows that no class can hold may be "
                                    "suppressed, within the budget; true where nothing is said",
                                }
                            },
                            "additionalProperties": False,
                        }
                    },
                    "required": ["local"],
                    "additionalProperties": False,
                },
            ]
        }
    ),
]
