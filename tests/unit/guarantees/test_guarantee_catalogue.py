"""The catalogue of guarantees is complete: nothing that a policy can ask for goes untested."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import get_args

import pytest
from jinja2 import BaseLoader, Environment
from markupsafe import Markup

import guarantee_scenes
import guarantee_scenes_people
from cli_harness import ROOT
from guarantee_scenes_released import SCENES
from oracle_closeness import Distance as OracleDistance
from oracle_models import ORACLE
from paper_claims import CLAIMS
from sqlgen.guarantees import MODELS, Guarantee, GuaranteeTables
from sqlgen.guarantees.closeness import DISTANCE_FORMS, Distance, DistanceGuarantee
from sqlgen.judging.verdict_sql import fails_by_size_fragment
from sqlgen.sql import render
from strategies_guarantees import GUARANTEES

ROOM = "guarantees"
VERDICT = "gives: class_id, fails, figure, repair -#}"
CONDITION = "gives: a condition -#}"

models = pytest.mark.parametrize("name", MODELS)


class Overheard(BaseLoader):
    """A loader that keeps the names of what it loads."""

    def __init__(self, loader: BaseLoader) -> None:
        self.loader = loader
        self.loaded: list[str] = []

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str | None, Callable[[], bool] | None]:
        self.loaded.append(template)
        return self.loader.get_source(environment, template)

    def list_templates(self) -> list[str]:
        return self.loader.list_templates()


def rendered(judging: Callable[[], object]) -> list[str]:
    """The templates of models that are rendered, the outermost last."""
    whole = render.ENVIRONMENT.loader
    assert whole is not None
    overheard = Overheard(whole)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(render, "ENVIRONMENT", render.ENVIRONMENT.overlay(loader=overheard))
        judging()
    asked = [each for each in overheard.loaded if each.startswith(f"{ROOM}/")]
    # Of the forms of one engine only some exist.
    return [each for each in asked if (ROOT / "templates" / each).is_file()]


def spellings() -> Iterator[Guarantee]:
    """Every guarantee that the papers' cases and the mutated templates' scenes ask for."""
    asked = [claim.asked(each) for claim in CLAIMS.values() for each in claim.thresholds]
    asked += [each for _, guarantees in guarantee_scenes.AUDITS.values() for each in guarantees]
    asked += [each for _, told, _ in guarantee_scenes_people.AUDITS.values() for each in told]
    asked += [each for scene in SCENES.values() for each in scene.asked]
    asked += [("k_anonymity", {"k": 2, "unit": "person"})]
    for name, parameters in asked:
        yield MODELS[name].model_validate(parameters)


@cache
def templates_of() -> dict[str, list[list[str]]]:
    """Per model what each of its spellings renders."""
    found: dict[str, list[list[str]]] = {name: [] for name in MODELS}
    for guarantee in spellings():
        for few in (False, True):
            scope = GuaranteeTables(
                classes=Markup("class"),
                histogram=Markup("histogram"),
                counted=Markup("counted"),
                sized=Markup("sized"),
                reference=Markup("reference"),
                total=Markup("total"),
                values=Markup("value"),
                few=few,
                place=Markup("UINTEGER"),
                people=Markup("people"),
                population=Markup("person"),
                keys={each: Markup("key") for each in guarantee.keys},
                height=2,
                type=Markup("VARCHAR"),
                moves=0,
                whole=Markup("HUGEINT"),
            )
            judging = partial(fails_by_size_fragment, [guarantee])
            if not guarantee.decided_by_size:
                judging = partial(guarantee.verdict, scope)
            found[guarantee.name].append(rendered(judging))
    return found


def header(template: str) -> str:
    return (ROOT / "templates" / template).read_text(encoding="utf-8").partition("#}")[0] + "#}"


@models
def test_a_model_is_documented_and_cited(name: str) -> None:
    model = MODELS[name]
    inherited = {parent.__doc__ for parent in model.__mro__[1:]}
    assert model.__doc__
    assert model.__doc__ not in inherited
    assert "citation" in vars(model)
    assert re.search(r"[A-Z][a-z]+.* (19|20)\d\d", model.citation)
    fields = [key for key in model.model_fields if key not in ("column", "risk", "distance")]
    assert all(model.model_fields[key].description for key in fields)


@models
def test_a_model_has_an_oracle_a_strategy_and_a_case_of_a_paper(name: str) -> None:
    assert name in ORACLE
    assert name in GUARANTEES
    assert any(claim.guarantee[0] == name for claim in CLAIMS.values())


def test_a_distance_has_a_form_and_an_oracle_and_a_scene() -> None:
    scenes = {each.distance for each in spellings() if isinstance(each, DistanceGuarantee)}
    assert set(DISTANCE_FORMS) == set(get_args(Distance)) == set(get_args(OracleDistance)) == scenes


def test_nothing_is_in_the_catalogue_of_the_tests_alone() -> None:
    assert MODELS.keys() == ORACLE.keys() == GUARANTEES.keys()


@models
def test_a_model_is_judged_by_a_template_that_says_so(name: str) -> None:
    spelled = templates_of()[name]
    assert spelled
    for templates in spelled:
        outermost = templates[-1]
        assert header(outermost).endswith((VERDICT, CONDITION)), outermost


def test_two_models_share_a_template_of_verdicts_only_where_one_formula_judges_both() -> None:
    judging: dict[str, set[str]] = {}
    for name, spelled in templates_of().items():
        for templates in spelled:
            judging.setdefault(Path(templates[-1]).name.partition(".")[0], set()).add(name)
    shared = {template: names for template, names in judging.items() if len(names) > 1}
    assert shared == {
        "disclosure": {"positive_disclosure", "negative_disclosure"},
        "distinct_l_diversity": {"distinct_l_diversity", "k_anonymity"},
        "few_values": {"homogeneity", "background_knowledge"},
        "largest_ratio": {"ratio_closeness", "delta_disclosure"},
    }


def test_every_template_of_the_models_is_rendered_by_one() -> None:
    files = {f"{ROOM}/{path.name}" for path in (ROOT / "templates" / ROOM).glob("*.sql.jinja")}
    used = {each for spelled in templates_of().values() for found in spelled for each in found}
    # What an audit alone measures is no guarantee that a policy can ask for.
    assert files == used | {f"{ROOM}/concentration.sql.jinja"}
