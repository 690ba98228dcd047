"""Edits of templates, from battery/edits/edits.yml, and the checks that must notice each of them.

An edit is text of a template that becomes other text. The checks that a line of the list names are
run until one fails; none may be content.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

import pytest
from jinja2 import BytecodeCache, ChoiceLoader, DictLoader
from jinja2.bccache import Bucket
from ruamel.yaml import YAML

import alike_checks
import combination_checks
import count_checks
import cut_checks
import grouped_checks
import guarantee_checks
import local_checks
import people_checks
import plan_checks
import region_checks
import span_checks
import together_checks
import utility_checks
from rounds import rounds_come_to_an_end
from sqlgen import EngineError, HierarchyError, PolicyError, RefusedError
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


@contextmanager
def _counted() -> Iterator[None]:
    """Small tables have count cells too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(count_cells, "_WORTH", 0)
        yield


@dataclass(frozen=True)
class Checks:
    """Checks by name, what holds while they run, and the errors by which one notices an edit."""

    by_name: Mapping[str, Callable[[], None]]
    around: Callable[[], AbstractContextManager[None]] = nullcontext
    notices: tuple[type[BaseException], ...] = ()

    def run(self, nearest: str = "") -> None:
        """Every check, the one nearest to an edit first; the first that fails ends it."""
        with self.around():
            for name in sorted(self.by_name, key=lambda name: name != nearest):
                self.by_name[name]()


CHECKS = {
    # ValueError: counts that no table can have, like the logarithm of less than no rows.
    "plans": Checks(plan_checks.CHECKS, notices=(HierarchyError, ValueError)),
    "guarantees": Checks(guarantee_checks.CHECKS, rounds_come_to_an_end, (PolicyError,)),
    "people": Checks(people_checks.CHECKS, rounds_come_to_an_end, (PolicyError,)),
    "counts": Checks(count_checks.CHECKS, _counted),
    "bounds": Checks(count_checks.BOUNDS, _counted),
    "utility": Checks(
        {check.__name__: check for check in utility_checks.CHECKS},
        notices=(HierarchyError, ValueError, KeyError),
    ),
    # ValueError: persons that are not counted any more.
    "spans": Checks(
        {check.__name__: check for check in span_checks.CHECKS},
        notices=(PolicyError, KeyError, ValueError),
    ),
    # TypeError: NULL where a count must be.
    "together": Checks(together_checks.CHECKS, notices=(TypeError,)),
    "combinations": Checks(combination_checks.CHECKS),
    # AssertionError is noticed everywhere; an edit may also make a script stop, or a plan none.
    "groups": Checks(grouped_checks.CHECKS, notices=(EngineError, PolicyError, TypeError)),
    "cuts": Checks(cut_checks.CHECKS, notices=(EngineError, PolicyError, TypeError, ValueError)),
    "alike": Checks(
        alike_checks.CHECKS,
        rounds_come_to_an_end,
        (EngineError, PolicyError, TypeError, ValueError),
    ),
    "local": Checks(local_checks.CHECKS, rounds_come_to_an_end, (TypeError, ValueError)),
    # An edit may make a night stop, or a region that no row is in.
    "regions": Checks(
        region_checks.CHECKS,
        rounds_come_to_an_end,
        (EngineError, PolicyError, RefusedError, TypeError, ValueError),
    ),
}


class _Compiled(BytecodeCache):
    """Templates that were compiled before, by name and text: of those, an edit makes one anew."""

    def __init__(self) -> None:
        self.code: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key + bucket.checksum in self.code:
            bucket.bytecode_from_string(self.code[bucket.key + bucket.checksum])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.code[bucket.key + bucket.checksum] = bucket.bytecode_to_string()


_COMPILED = _Compiled()


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
        overlay = render.ENVIRONMENT.overlay(
            loader=ChoiceLoader([texts, whole]), bytecode_cache=_COMPILED
        )
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
            checks.run(edit.nearest)
        except EngineError as error:
            if "releasing/gate" not in str(error):
                pytest.fail(f"the edit is no SQL, so it shows nothing: {error}")
            return True
        except failures:
            return True
    return False
