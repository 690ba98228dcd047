"""Reading a policy: the file's text into values, and each mistake into one clear line."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from sqlgen.errors import PolicyError
from sqlgen.guarantees import MODELS, PeopleTable, TableReference
from sqlgen.hierarchies.lists import LISTS
from sqlgen.hierarchies.rules import RULES, AgeBand, Cuts
from sqlgen.policy.columns import ColumnPolicy
from sqlgen.policy.from_mapping import as_texts
from sqlgen.policy.model import MisfitsError, Policy, located
from sqlgen.policy.places import InPlace, ReleaseTarget, Schedule, Source
from sqlgen.policy.suggestions import did_you_mean
from sqlgen.policy.yaml_text import Keys, read_yaml

_HIERARCHIES: dict[str, type[BaseModel]] = {**RULES, **LISTS}

_MESSAGES = {
    "missing": "is missing",
    "int_parsing": "must be a whole number",
    "int_type": "must be a whole number",
    "decimal_parsing": "must be a number",
    "decimal_type": "must be a number",
    "date_from_datetime_parsing": "must be a date like 2026-01-31",
    "date_parsing": "must be a date like 2026-01-31",
    "date_type": "must be a date like 2026-01-31",
    "string_type": "must be a text",
    "string_too_short": "must not be empty",
    "string_too_long": "must be one character",
    "bool_parsing": "must be true or false",
    "bool_type": "must be true or false",
    "finite_number": "must be a number",
    "tuple_type": "must be a list",
    "dict_type": "must be a mapping of keys and values",
    "model_type": "must be a mapping of keys and values",
    "model_attributes_type": "must be a mapping of keys and values",
}
_BOUNDS = {
    "greater_than_equal": ("at least", "ge"),
    "less_than_equal": ("at most", "le"),
    "greater_than": ("more than", "gt"),
    "less_than": ("less than", "lt"),
}


def read_policy(source: str | Path | Mapping[str, Any]) -> Policy:
    """The policy in a YAML file, or in a mapping of the same shape.

    Raises PolicyError with one line per mistake: file, line and key, what was found, what to do.
    """
    if isinstance(source, Mapping):
        return _policy(as_texts(source), None, {})
    path = Path(source)
    content, lines = read_yaml(path)
    return _policy(content, path, lines)


def _policy(content: Any, path: Path | None, lines: dict[Keys, int]) -> Policy:
    if not isinstance(content, dict):
        empty = "the file is empty; " if content == "" else ""
        raise PolicyError(
            f"{located(path, lines, ())}: {empty}a policy is a mapping with the keys "
            f"{_listed(Policy.model_fields)}"
        )
    try:
        policy = Policy.model_validate(content)
    except ValidationError as error:
        details = error.errors(include_url=False)
        # A list whose every entry is wrong is also reported as empty; the entries say more.
        mistaken = [detail for detail in details if detail["type"] != "too_short"] or details
        mistakes = [
            mistake for detail in mistaken for mistake in _mistakes(detail, content, path, lines)
        ]
        raise PolicyError("\n".join(mistakes)) from None
    policy._path = path
    policy._lines = lines
    return policy


def _mistakes(
    detail: ErrorDetails, content: Any, path: Path | None, lines: Mapping[Keys, int]
) -> list[str]:
    """One pydantic error in our words, a line for each mistake that it holds."""
    error = detail.get("ctx", {}).get("error")
    if isinstance(error, MisfitsError):
        return [f"{located(path, lines, misfit.keys)}: {misfit.words}" for misfit in error.misfits]
    keys, value = _location(detail, content)
    return [f"{located(path, lines, keys)}: {_words(detail, keys, value, content)}"]


def _location(detail: ErrorDetails, content: Any) -> tuple[Keys, Any]:
    """The keys at which a mistake stands, without pydantic's alternatives, and what is there."""
    keys: Keys = ()
    value = content
    for number, key in enumerate(detail["loc"]):
        if _names_an_alternative(detail["loc"], number):
            continue
        if isinstance(value, dict) and key in value:
            value = value[str(key)]
        elif isinstance(value, list) and isinstance(key, int) and key < len(value):
            value = value[key]
        elif keys == ("objective",) and isinstance(value, dict) and key in _options(value):
            # An objective is read as a name and its options, and written as a name with them.
            keys = (*keys, next(iter(value)))
            value = _options(value)[str(key)]
        elif number < len(detail["loc"]) - 1 or detail["type"] != "missing":
            continue
        keys = (*keys, key)
    return keys, value


def _options(objective: Mapping[str, Any]) -> Mapping[str, Any]:
    """The options of an objective as it is written."""
    options = next(iter(objective.values()), None)
    return options if isinstance(options, dict) else {}


def _names_an_alternative(location: Keys, number: int) -> bool:
    """Whether this part of pydantic's location is the tag of a union, not a key of the file."""
    if location[0] != "columns" or number < 3 or location[2] != "hierarchy":
        return False
    return number == 3 or isinstance(location[number - 1], int)


def _words(detail: ErrorDetails, keys: Keys, value: Any, content: Any) -> str:
    kind = detail["type"]
    context = detail.get("ctx", {})
    match kind:
        case "extra_forbidden":
            known = _known_keys(keys[:-1], content)
            words = f"unknown key{_suggestion(str(keys[-1]), known)}"
        case "union_tag_not_found" | "union_tag_invalid":
            words = _choice(keys, value)
        case "literal_error" | "enum":
            allowed = str(context["expected"]).replace("'", "")
            options = allowed.replace(" or ", ", ").split(", ")
            if keys[-1] in ("reference", "prior"):
                allowed = allowed.replace(" or ", ", ") + " or a mapping with the key table"
            near = did_you_mean(str(value), options)
            if keys[-1] == "role" and not near:
                near = (
                    ". An identifier is never released, a quasi-identifier is coarsened, sensitive "
                    "and other columns are released as they are"
                )
            words = f"must be {allowed}{_found(keys, value)}{near}"
        case "value_error":
            named = isinstance(value, str) and keys[0] != "source"
            words = str(context["error"]) + (_found(keys, value) if named else "")
        case "too_short":
            words = "must not be empty"
        case "missing":
            words = _missing(keys)
        case _:
            words = value_words(detail) + _found(keys, value)
    return words


def value_words(detail: ErrorDetails) -> str:
    """The requirement on one value, in our words."""
    kind, context = detail["type"], detail.get("ctx", {})
    if kind in _BOUNDS:
        words, bound = _BOUNDS[kind]
        return f"must be {words} {context[bound]}"
    return _MESSAGES.get(kind, detail["msg"].removeprefix("Value error, "))


def _missing(keys: Keys) -> str:
    if keys[-1] == "role":
        return "is missing: say identifier, quasi, sensitive or other"
    if keys == ("guarantees",):
        return "is missing: no guarantee and no threshold has a default"
    return "is missing"


def _choice(keys: Keys, content: Any) -> str:
    """The keys that may stand where a hierarchy, a guarantee or an entry of one is expected."""
    if keys and keys[0] == "guarantees":
        if isinstance(content, dict) and len(content) == 1:
            return (
                f"unknown guarantee {next(iter(content))}{_suggestion(next(iter(content)), MODELS)}"
            )
        named = f"; found the keys {_listed(content)}" if isinstance(content, dict) else ""
        return f"write one guarantee per entry, like k_anonymity: {{k: ...}}{named}"
    names = ["suppress", *_HIERARCHIES]
    if isinstance(content, dict) and len(set(content) & set(names)) > 1:
        return f"one kind of hierarchy per column; found {_listed(set(content) & set(names))}"
    if isinstance(content, dict) and content:
        return f"unknown hierarchy {next(iter(content))}{_suggestion(next(iter(content)), names)}"
    text = str(content) if isinstance(content, str) else ""
    return f"not a hierarchy{_found(keys, content)}{_suggestion(text, names)}"


def _known_keys(keys: Keys, content: Any) -> Iterable[str]:
    """The keys that a section of the policy knows."""
    if not keys:
        return Policy.model_fields
    if keys[0] == "columns" and len(keys) > 2 and keys[2] == "hierarchy":
        return _hierarchy_keys(keys, content)
    if keys[0] == "guarantees" and len(keys) > 3:
        people = keys[3] in ("population", "known")
        return (PeopleTable if people else TableReference).model_fields
    if keys[0] == "guarantees" and len(keys) > 2:
        return MODELS[str(keys[2])].model_fields
    if keys[:2] == ("release", "in_place"):
        return InPlace.model_fields
    sections: dict[str | int, type[BaseModel]] = {
        "source": Source,
        "release": ReleaseTarget,
        "run": Schedule,
        "columns": ColumnPolicy,
    }
    return sections[keys[0]].model_fields if keys[0] in sections else ()


def _hierarchy_keys(keys: Keys, content: Any) -> Iterable[str]:
    hierarchy = content["columns"][keys[1]]["hierarchy"]
    kind = next(key for key in hierarchy if key in _HIERARCHIES)
    if len(keys) > 3:
        entries: dict[str, type[BaseModel]] = {"intervals": Cuts, "dates": AgeBand}
        return entries[kind].model_fields
    return [field.alias or key for key, field in _HIERARCHIES[kind].model_fields.items()]


def _suggestion(word: str, known: Iterable[str]) -> str:
    """``; did you mean zip?`` or, where nothing is near, what there is."""
    options = list(known)
    return did_you_mean(word, options) or f"; known are {_listed(options)}"


def _found(keys: Keys, content: Any) -> str:
    """The text that was found, where it is short and cannot be a secret."""
    if keys and keys[0] == "source":
        return ""
    if isinstance(content, dict):
        return "; found a mapping"
    if isinstance(content, list):
        return "; found a list"
    if content == "":
        return "; found nothing"
    return f"; found {content!r}" if len(str(content)) <= 40 else ""


def _listed(words: Iterable[str]) -> str:
    return ", ".join(sorted(words))
