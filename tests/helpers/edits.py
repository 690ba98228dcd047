"""Edits of templates, from battery/edits/edits.yml, and the checks that must notice each of them.

An edit is text of a template that becomes other text. The checks that a line of the list names are
run until one fails; none may be content.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from jinja2 import ChoiceLoader, DictLoader
from ruamel.yaml import YAML

import combination_checks
import count_checks
import guarantee_checks
import people_checks
import plan_checks
import together_checks
import utility_checks
from sqlgen import EngineError, HierarchyError, PolicyError
from sqlgen.sql import render
from sqlgen.staging import count_cells

ROOT = Path(__file__).parents[2]
TEMPLATES = ROOT / "templates"
LIST = ROOT / "tests" / "battery" / "edits" / "edits.yml"


@dataclass(frozen=True)
class Edit:
    """One line of the list: what a template says, what it says then, and who must notice."""

    template: str
    old: str
    new: str
    checks: str
    nearest: str = ""

    def __str__(self) -> str:
        return f"{self.template}: {self.old} -> {self.new}"

    @property
    def room(self) -> str:
        return self.template.partition("/")[0]

    @property
    def finds_its_place(self) -> bool:
        file = TEMPLATES / f"{self.template}.sql.jinja"
        return file.exists() and self.old in file.read_text(encoding="utf-8").partition("#}")[2]


def read_edits() -> list[Edit]:
    listed = YAML(typ="safe").load(LIST.read_text(encoding="utf-8"))
    return [Edit(template, *line) for template, lines in listed.items() for line in lines]


@dataclass(frozen=True)
class Checks:
    """Checks that are run in turn, and the errors by which one of them notices an edit."""

    run: Callable[[Edit | None], None]
    notices: tuple[type[BaseException], ...] = ()


def _nearest(run: Callable[[str], None]) -> Callable[[Edit | None], None]:
    return lambda edit: run(edit.nearest if edit else "")


def _whole(run: Callable[[], None]) -> Callable[[Edit | None], None]:
    return lambda _: run()


def _in_turn(checks: tuple[Callable[[], None], ...]) -> None:
    for check in checks:
        check()


def _counted(run: Callable[[], None]) -> Callable[[Edit | None], None]:
    """Checks of count cells, which small tables have too then."""

    def counted(_: Edit | None) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(count_cells, "_WORTH", 0)
            run()

    return counted


def _closed_nodes() -> None:
    for case in count_checks.MENDED:
        count_checks.a_closed_node_cannot_be_mended(*case)


CHECKS = {
    # ValueError: counts that no table can have, like the logarithm of less than no rows.
    "plans": Checks(
        lambda edit: plan_checks.battery(edit.template if edit else ""),
        (HierarchyError, ValueError),
    ),
    "guarantees": Checks(_nearest(guarantee_checks.battery), (PolicyError,)),
    "people": Checks(_nearest(people_checks.checks), (PolicyError,)),
    "counts": Checks(_counted(count_checks.battery)),
    "bounds": Checks(_counted(_closed_nodes)),
    "utility": Checks(
        _whole(partial(_in_turn, utility_checks.CHECKS)), (HierarchyError, ValueError, KeyError)
    ),
    # TypeError: NULL where a count must be.
    "together": Checks(_whole(together_checks.battery), (TypeError,)),
    "combinations": Checks(_whole(combination_checks.battery)),
}


@contextmanager
def edited(edit: Edit) -> Iterator[None]:
    """The templates with one edit, seen by everything that renders."""
    assert edit.finds_its_place, "the edit no longer finds its place"
    file = f"{edit.template}.sql.jinja"
    header, end, body = (TEMPLATES / file).read_text(encoding="utf-8").partition("#}")
    # The verdicts alone must be right: what holds their figures against them would hide an edit.
    believed = {"judging/breaks.sql.jinja": "COALESCE({{ fails }}, TRUE)"}
    texts = DictLoader(believed | {file: header + end + body.replace(edit.old, edit.new)})
    whole = render.ENVIRONMENT.loader
    assert whole is not None
    with pytest.MonkeyPatch.context() as patch:
        overlay = render.ENVIRONMENT.overlay(loader=ChoiceLoader([texts, whole]))
        patch.setattr(render, "ENVIRONMENT", overlay)
        yield


def is_noticed(edit: Edit) -> bool:
    """Whether some check fails with the edit. An edit that is no SQL shows nothing."""
    checks = CHECKS[edit.checks]
    failures: tuple[type[BaseException], ...] = (
        AssertionError,
        pytest.fail.Exception,
        *checks.notices,
    )
    with edited(edit):
        try:
            checks.run(edit)
        except EngineError as error:
            if "releasing/gate" not in str(error):
                pytest.fail(f"the edit is no SQL, so it shows nothing: {error}")
            return True
        except failures:
            return True
    return False
