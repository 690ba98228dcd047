"""The recoding of a policy: the way in which the table is made safe, with its options."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

from pydantic import BeforeValidator, Field, WithJsonSchema

from sqlgen.policy.columns import Section

RECODING_NAMES = ("full_domain", "local", "mondrian", "anatomy")

Labels = Literal["ladder", "range", "set"]
CutBy = Literal["width", "objective"]


class RecodingChoice(Section):
    """A recoding by its name, with its options: each goes with one recoding."""

    name: Literal["full_domain", "local", "mondrian", "anatomy"] = "full_domain"
    suppress: Annotated[
        bool,
        Field(description="local: whether rows that no class can hold may be suppressed"),
    ] = True
    labels: Annotated[
        Labels,
        Field(description="mondrian: what classes show, a label of the ladder, a range or a set"),
    ] = "ladder"
    cut: Annotated[
        CutBy,
        Field(description="mondrian: what is cut first, the widest column or what gains most"),
    ] = "width"

    @property
    def written(self) -> str | dict[str, Any]:
        """The recoding as a policy writes it, the same for the same recoding."""
        options = {
            key: getattr(self, key)
            for key in _OPTIONS[self.name]
            if getattr(self, key) != type(self).model_fields[key].default
        }
        return {self.name: options} if options else self.name


_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "full_domain": (),
    "local": ("suppress",),
    "mondrian": ("labels", "cut"),
    "anatomy": (),
}


_WORDS: Mapping[str, tuple[str, ...]] = {"labels": get_args(Labels), "cut": get_args(CutBy)}


def _read(value: Any) -> Any:
    """A name, or a name with its options."""
    if not isinstance(value, Mapping):
        _check_name(value)
        return {"name": value}
    if len(value) != 1 or not isinstance(next(iter(value.values())), Mapping):
        raise ValueError("write a name, or one with its options: {local: {suppress: false}}")
    name, options = next(iter(value.items()))
    _check_name(name)
    allowed = _OPTIONS[name]
    for key in options:
        if key not in allowed:
            takes = f"takes {', '.join(allowed)}" if allowed else "takes no options"
            raise ValueError(f"{name} {takes}; found {key}")
        words = _WORDS.get(key)
        if words is not None and options[key] not in words:
            raise ValueError(f"{key} must be one of {', '.join(words)}")
    return {"name": name, **options}


def _check_name(name: Any) -> None:
    if not isinstance(name, str) or name not in RECODING_NAMES:
        raise ValueError(f"must be one of {', '.join(RECODING_NAMES)}")


def _schema_of(name: str, properties: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of a recoding that is written with options."""
    options = {"type": "object", "properties": properties, "additionalProperties": False}
    return {
        "type": "object",
        "properties": {name: options},
        "required": [name],
        "additionalProperties": False,
    }


_LOCAL_OPTIONS = {
    "suppress": {
        "type": "boolean",
        "description": "whether rows that no class can hold may be suppressed, within the budget; "
        "true where nothing is said",
    }
}
_MONDRIAN_OPTIONS = {
    "labels": {
        "enum": list(get_args(Labels)),
        "description": "what classes show: the finest label of the ladder, where nothing is said; "
        "the range of their values, and of text the set; or the set of their values",
    },
    "cut": {
        "enum": list(get_args(CutBy)),
        "description": "which column of a class is cut: the one whose label covers most, where "
        "nothing is said, or the one that gains most by the objective",
    },
}

RecodingField = Annotated[
    RecodingChoice,
    BeforeValidator(lambda value: value if isinstance(value, RecodingChoice) else _read(value)),
    WithJsonSchema(
        {
            "anyOf": [
                {"enum": list(RECODING_NAMES)},
                _schema_of("local", _LOCAL_OPTIONS),
                _schema_of("mondrian", _MONDRIAN_OPTIONS),
            ]
        }
    ),
]
