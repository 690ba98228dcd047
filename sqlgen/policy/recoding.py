"""The recoding of a policy: the way in which the table is made safe, with its options."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, get_args

from pydantic import BeforeValidator, Field, WithJsonSchema

from sqlgen.policy.columns import Section

RECODING_NAMES = ("full_domain", "local", "mondrian", "anatomy", "microaggregation")

Labels = Literal["ladder", "range", "set", "mean", "median"]
CutBy = Literal["width", "objective"]
GroupRelease = Literal["labels", "tables"]


class RecodingChoice(Section):
    """A recoding by its name, with its options: each goes with one recoding."""

    name: Literal["full_domain", "local", "mondrian", "anatomy", "microaggregation"] = "full_domain"
    suppress: Annotated[
        bool,
        Field(description="local: whether rows that no class can hold may be suppressed"),
    ] = True
    labels: Annotated[
        Labels,
        Field(description="mondrian: what classes show of their values, like a range or a mean"),
    ] = "ladder"
    cut: Annotated[
        CutBy,
        Field(description="mondrian: what is cut first, the widest column or what gains most"),
    ] = "width"
    of: Annotated[
        tuple[str, ...],
        Field(description="microaggregation: the sensitive columns whose values make groups"),
    ] = ()
    release: Annotated[
        GroupRelease,
        Field(description="microaggregation: what a group shows, labels or a table of its values"),
    ] = "labels"

    @property
    def makes_pair(self) -> bool:
        """Whether a release is two tables: rows with their groups, and the values of groups."""
        return self.name == "anatomy" or (
            self.name == "microaggregation" and self.release == "tables"
        )

    @property
    def written(self) -> str | dict[str, Any]:
        """The recoding as a policy writes it, the same for the same recoding."""
        options = {
            key: list(getattr(self, key)) if key == "of" else getattr(self, key)
            for key in _OPTIONS[self.name]
            if getattr(self, key) != type(self).model_fields[key].default
        }
        return {self.name: options} if options else self.name


_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "full_domain": (),
    "local": ("suppress",),
    "mondrian": ("labels", "cut"),
    "anatomy": (),
    "microaggregation": ("of", "release"),
}


_WORDS: Mapping[str, tuple[str, ...]] = {
    "labels": get_args(Labels),
    "cut": get_args(CutBy),
    "release": get_args(GroupRelease),
}


def _read(value: Any) -> Any:
    """A name, or a name with its options."""
    if not isinstance(value, Mapping):
        _check_name(value)
        _check_of(value, {})
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
    _check_of(name, options)
    return {"name": name, **options}


def _check_of(name: str, options: Mapping[str, Any]) -> None:
    """Refuse groups of no column, or of what is no list of them."""
    of = options.get("of")
    if name != "microaggregation" or (
        isinstance(of, (list, tuple)) and of and all(isinstance(column, str) for column in of)
    ):
        return
    raise ValueError(
        "microaggregation needs the sensitive columns that make groups: "
        "{microaggregation: {of: [salary]}}"
    )


def _check_name(name: Any) -> None:
    if not isinstance(name, str) or name not in RECODING_NAMES:
        raise ValueError(f"must be one of {', '.join(RECODING_NAMES)}")


def _schema_of(
    name: str, properties: Mapping[str, Any], required: Sequence[str] = ()
) -> dict[str, Any]:
    """The schema of a recoding that is written with options."""
    options = {"type": "object", "properties": properties, "additionalProperties": False}
    if required:
        options["required"] = list(required)
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
        "the range of their values, and of text the set; the set of their values; or their mean or "
        "median, and of text the set",
    },
    "cut": {
        "enum": list(get_args(CutBy)),
        "description": "which column of a class is cut: the one whose label covers most, where "
        "nothing is said, or the one that gains most by the objective",
    },
}

_MICROAGGREGATION_OPTIONS = {
    "of": {
        "type": "array",
        "items": {"type": "string"},
        "minItems": 1,
        "description": "the sensitive columns, numbers or dates, whose values are alike in a group",
    },
    "release": {
        "enum": list(get_args(GroupRelease)),
        "description": "what a group shows: labels that all its rows share, where nothing is said, "
        "or rows as they are and a table of the group's values",
    },
}

RecodingField = Annotated[
    RecodingChoice,
    BeforeValidator(lambda value: value if isinstance(value, RecodingChoice) else _read(value)),
    WithJsonSchema(
        {
            "anyOf": [
                {"enum": [name for name in RECODING_NAMES if name != "microaggregation"]},
                _schema_of("local", _LOCAL_OPTIONS),
                _schema_of("mondrian", _MONDRIAN_OPTIONS),
                _schema_of("microaggregation", _MICROAGGREGATION_OPTIONS, ["of"]),
            ]
        }
    ),
]
