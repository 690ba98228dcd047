"""Pages of reference: what each family of guarantees means, and what may be written of each."""

import inspect
import sys
import textwrap
from typing import Literal, get_args, get_origin

from pydantic.fields import FieldInfo

from sqlgen.guarantees import FAMILIES, Guarantee

_WIDTH = 100


def family_text(family: str) -> str:
    """The page of a family: definitions, citations, parameters and claims of its guarantees."""
    models = FAMILIES[family]
    # The words of the whole family stand at the head of its file.
    module = sys.modules[models[0].__module__]
    return "\n\n".join(
        [_flowing(inspect.getdoc(module)), *(_model_text(model) for model in models)]
    )


def _model_text(model: type[Guarantee]) -> str:
    lines = [
        model.name,
        textwrap.indent(_flowing(inspect.getdoc(model)), "  "),
        "",
        f"  Citation: {model.citation}.",
        f"  Monotone: {_claims(model)}.",
        "  Parameters:",
        *(_parameter(key, field) for key, field in model.model_fields.items()),
    ]
    return "\n".join(lines)


def _claims(model: type[Guarantee]) -> str:
    """The claim of monotonicity: without suppression, and with it."""
    if not model.monotone:
        return "no"
    return "yes, also under suppression" if model.monotone_suppressed else "without suppression"


def _parameter(key: str, field: FieldInfo) -> str:
    """A line on one parameter: its meaning, and its default."""
    default = field.default
    unsaid = default is None or default is False or default in ((), {})
    says = "" if unsaid else f" ({default})"
    whether = "required" if field.is_required() else f"optional{says}"
    choices = get_args(field.annotation) if get_origin(field.annotation) is Literal else ()
    about = field.description or ", ".join(choices)
    return f"    {key}, {whether}" + (f": {about}" if about else "")


def _flowing(text: str | None) -> str:
    """Paragraphs as the width of a page has them."""
    paragraphs = (text or "").replace("``", "").split("\n\n")
    return "\n\n".join(
        textwrap.fill(" ".join(paragraph.split()), _WIDTH) for paragraph in paragraphs
    )
