"""The pages of reference: each guarantee stands on one, with all that may be written of it."""

from __future__ import annotations

import pytest

from cli_harness import run
from sqlgen.cli.text.guarantees import family_text
from sqlgen.guarantees import FAMILIES, MODELS


def test_every_guarantee_is_of_one_family() -> None:
    members = [model.name for models in FAMILIES.values() for model in models]
    assert sorted(members) == sorted(MODELS)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_page_tells_definition_citation_claims_and_parameters(family: str) -> None:
    page = family_text(family)
    assert max(map(len, page.splitlines())) <= 110
    for model in FAMILIES[family]:
        told = page.split(f"\n\n{model.name}\n")[1].split("\n\n  Citation: ")
        assert len(told[0]) > 40
        citation, monotone, heading, *parameters = told[1].split("\n\n")[0].split("\n")
        assert citation == f"{model.citation}."
        assert monotone.startswith("  Monotone: ")
        assert ("also under" in monotone) == (model.monotone and model.monotone_suppressed)
        assert (monotone == "  Monotone: no.") == (not model.monotone)
        assert heading == "  Parameters:"
        written = {each.split(",")[0].strip(): each for each in parameters}
        assert list(written) == list(model.model_fields)
        for key, field in model.model_fields.items():
            assert (", required" in written[key]) == field.is_required()


def test_a_page_lists_the_choices_of_a_parameter() -> None:
    assert "distance, required: ordered, equal, hierarchical, variational, kl, js" in family_text(
        "closeness"
    )


def test_the_command_prints_a_page_and_knows_the_families() -> None:
    assert run("schema", "belief").out == family_text("belief") + "\n"
    refused = run("schema", "beliefs")
    assert refused.code == 2
    assert f"they are {', '.join(FAMILIES)}" in refused.err
