"""Numbers of a policy: each is bounded, and told which bound it breaks."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from policy_snippets import REQUIRED
from sqlgen import read_policy
from sqlgen.errors import PolicyError
from sqlgen.guarantees import MODELS

COLUMNS = {
    "age": {"role": "quasi", "hierarchy": "suppress"},
    "disease": {"role": "sensitive", "hierarchy": "suppress", "order": "text"},
}


def told(**sections: Any) -> str:
    """What is said of a policy, without where; nothing where it is read."""
    content = {"columns": COLUMNS, "guarantees": [{"k_anonymity": {"k": "2"}}]} | sections
    try:
        read_policy(content)
    except PolicyError as error:
        return str(error).partition(": ")[2]
    return ""


def column(name: str, **said: Any) -> dict[str, Any]:
    return {"columns": COLUMNS | {name: COLUMNS[name] | said}}


def guarantee_numbers() -> Iterator[tuple[str, str]]:
    """Every parameter of a guarantee that is a number."""
    for name, model in MODELS.items():
        for key, field in model.model_fields.items():
            if field.annotation in (int, Decimal, int | None, Decimal | None):
                yield name, key


GUARANTEE_NUMBERS = list(guarantee_numbers())
# Where else a number stands, how one below its bounds is written, and what is said of it.
OTHERS: list[tuple[dict[str, Any], str]] = [
    (column("age", hierarchy={"prefixes": ["-1"]}), "prefixes[0]: must be at least 1; found '-1'"),
    (column("age", hierarchy={"intervals": ["-5"]}), "intervals[0]: must be more than 0; found"),
    (
        column("age", hierarchy={"dates": [{"age_band": "-5", "at": "2020-01-01"}]}),
        "dates[0].age_band: must be at least 1; found '-5'",
    ),
    (column("age", levels="-1"), "columns.age.levels: levels are counted from 0, the value itself"),
    (column("age", levels=["-1", "2"]), "columns.age.levels: levels are counted from 0, the value"),
    (column("disease", level="-1"), "columns.disease.level: must be at least 1; found '-1'"),
    ({"suppression": "-1"}, "suppression: must be at least 0; found '-1'"),
    ({"suppression": "-1%"}, "suppression: must be at least 0; found '-1%'"),
    ({"release": {"table": "x", "timestamped": "true", "keep": "-1"}}, "keep: must be at least 1"),
    ({"run": {"rows_factor": "-2"}}, "run.rows_factor: must be at least 1; found '-2'"),
    ({"run": {"nulls_rise": "-2%"}}, "run.nulls_rise: must be at least 0; found '-2%'"),
    (
        {"objective": {"loss": {"weights": {"age": "-1"}}}},
        "objective.loss.weights.age: must be at least 0; found '-1'",
    ),
    (
        {
            "release": {
                "table": "x",
                "timestamped": "true",
                "since": {"column": "age", "lag": "-1h"},
            }
        },
        "release.since.lag: must be at least 0h; found '-1h'",
    ),
]


def of_guarantee(name: str, key: str, value: str) -> str:
    return told(guarantees=[{name: REQUIRED[name] | {key: value}}])


@pytest.mark.parametrize(("name", "key"), GUARANTEE_NUMBERS)
def test_a_number_below_its_bounds_is_told_the_bound(name: str, key: str) -> None:
    words = of_guarantee(name, key, "-1")
    assert words.startswith(f"guarantees[0].{name}.{key}: must be ")
    assert "at least " in words or "more than " in words
    assert words.endswith("; found '-1'")


@pytest.mark.parametrize(("sections", "words"), OTHERS)
def test_a_number_elsewhere_that_is_too_small_is_told_the_bound(
    sections: dict[str, Any], words: str
) -> None:
    assert words in told(**sections)


@pytest.mark.parametrize(("name", "key"), GUARANTEE_NUMBERS)
def test_a_number_with_too_many_digits_is_told_how_many_it_may_have(name: str, key: str) -> None:
    many, places = of_guarantee(name, key, "1" * 25), of_guarantee(name, key, "0.3333333333")
    assert "digits" in many or "at most 100%" in many
    assert "digits" in places or "must be a whole number" in places


@pytest.mark.parametrize("key", ["at_most"])
@pytest.mark.parametrize("name", ["homogeneity", "background_knowledge", "similarity", "linkage"])
def test_a_limit_below_0_is_told_so(name: str, key: str) -> None:
    assert of_guarantee(name, key, "-1").endswith(f"{key}: must be at least 0; found '-1'")


def test_numbers_of_every_kind_are_tried() -> None:
    assert {key for _, key in GUARANTEE_NUMBERS} >= {"k", "l", "c", "t", "n", "alpha", "level"}
