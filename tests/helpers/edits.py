"""Templates with one edit, as everything that renders them sees them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from jinja2 import ChoiceLoader, DictLoader

from sqlgen.sql import render

TEMPLATES = Path(__file__).parents[2] / "templates"


@contextmanager
def mutated(template: str, old: str, new: str) -> Iterator[None]:
    """The templates with one edit, seen by everything that renders."""
    file = f"{template}.sql.jinja"
    text = (TEMPLATES / file).read_text(encoding="utf-8")
    header, end, body = text.partition("#}")
    assert old in body, "the mutation no longer finds its place"
    # The verdicts alone must be right: what holds their figures against them would hide an edit.
    believed = {"judging/breaks.sql.jinja": "COALESCE({{ fails }}, TRUE)"}
    edited = DictLoader(believed | {file: header + end + body.replace(old, new)})
    whole = render.ENVIRONMENT.loader
    assert whole is not None
    with pytest.MonkeyPatch.context() as patch:
        overlay = render.ENVIRONMENT.overlay(loader=ChoiceLoader([edited, whole]))
        patch.setattr(render, "ENVIRONMENT", overlay)
        yield
