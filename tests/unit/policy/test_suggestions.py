"""Suggestions name the word that was meant, and never one that would do harm."""

from __future__ import annotations

import pytest

from sqlgen import read_policy
from sqlgen.errors import PolicyError
from sqlgen.policy.places import ReleaseTarget
from sqlgen.policy.suggestions import did_you_mean

ROLES = ["identifier", "quasi", "sensitive", "other"]
KEYS = [*ReleaseTarget.model_fields]


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        *((word, "quasi") for word in ("quasi-identifier", "quasi_identifier", "Quasi identifier")),
        *((word, "quasi") for word in ("quasi-identifying", "qusai", "QI", "qid", "QUASI")),
        *((word, "identifier") for word in ("identifer", "identifiers", "ident", "Identifier")),
        *((word, "sensitive") for word in ("sensitve", "sensitive-attribute", "sens")),
        *((word, "other") for word in ("othr", "others", "otehr")),
    ],
)
def test_a_role_that_is_misspelled_is_the_one_that_was_meant(word: str, meant: str) -> None:
    assert did_you_mean(word, ROLES) == f"; did you mean {meant}?"


@pytest.mark.parametrize(
    ("word", "options"),
    [
        # It means that nothing is protected.
        *(
            (word, ROLES)
            for word in ("insensitive", "non-sensitive", "nonsensitive", "unidentifier")
        ),
        *((word, ROLES) for word in ("non-identifier", "direct", "public", "key", "none", "", "-")),
        # It would make the source its own release.
        *((word, KEYS) for word in ("replace", "place", "in_plac", "in_place_of", "in", "in_pace")),
        # It would switch the check off.
        *((word, ["fail", "warn", "off"]) for word in ("of", "o", "on", "no", "offf", "false")),
        # It would plan anew by itself.
        *((word, ["fail", "coarsen", "replan"]) for word in ("replace", "repair", "plan")),
        ("covered", ["uncovered", "nulls"]),
        ("uncovered", ["covered"]),
    ],
)
def test_no_word_is_suggested_that_would_do_harm(word: str, options: list[str]) -> None:
    assert did_you_mean(word, options) == ""


@pytest.mark.parametrize("word", ["in_place", "inplace", "in-place"])
def test_a_release_in_place_is_suggested_where_it_is_written_otherwise(word: str) -> None:
    expected = "" if word == "in_place" else "; did you mean in_place?"
    assert did_you_mean(word, KEYS) == expected


def test_two_options_that_are_as_near_are_none() -> None:
    assert did_you_mean("lest", ["least", "lost"]) == ""


def test_a_role_that_is_like_none_is_told_what_each_does() -> None:
    column = {"role": "insensitive"}
    with pytest.raises(PolicyError) as caught:
        read_policy({"columns": {"a": column}, "guarantees": [{"k_anonymity": {"k": 2}}]})
    assert str(caught.value) == (
        "policy: columns.a.role: must be identifier, quasi, sensitive or other; found 'insensitive'"
        ". An identifier is never released, a quasi-identifier is coarsened, sensitive and other "
        "columns are released as they are"
    )


def test_a_quasi_identifier_is_not_taken_for_an_identifier() -> None:
    column = {"role": "quasi-identifier", "hierarchy": "suppress"}
    with pytest.raises(PolicyError, match=r"found 'quasi-identifier'; did you mean quasi\?$"):
        read_policy({"columns": {"a": column}, "guarantees": [{"k_anonymity": {"k": 2}}]})
