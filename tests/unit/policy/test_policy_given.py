"""A policy given as values of Python reads as the file of the same shape, if it has a bottom."""

from __future__ import annotations

import enum
import math
from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sqlgen import Policy, PolicyError, make_plan, read_policy
from sqlgen.policy.from_mapping import as_texts
from tables import patients, patients_columns, patients_policy


class Word(str, enum.Enum):  # noqa: UP042 - of these, unlike a StrEnum, str() is the name
    """A text that is called otherwise."""

    QUASI = "quasi"


def column(**declared: Any) -> dict[str, Any]:
    """The columns of the patients, with another age."""
    return {**patients_columns(), "age": {"role": "quasi", "hierarchy": "suppress", **declared}}


def age(policy: Policy) -> Any:
    return policy.columns["age"]


def by_intervals(*entries: Any, **more: Any) -> dict[str, Any]:
    return {"columns": column(hierarchy={"intervals": [*entries], **more})}


EQUAL = {"distance": "equal"}
MEAN = {"aggregate": "arithmetic"}

# What is given, and what a file says for it.
GIVEN: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "in place": ({"release": {"in_place": True}}, {"release": {"in_place": "true"}}),
    "timestamped": (
        {"release": {"table": "r", "timestamped": True, "keep": 3}},
        {"release": {"table": "r", "timestamped": "true", "keep": "3"}},
    ),
    "not timestamped": (
        {"release": {"table": "r", "timestamped": False}},
        {"release": {"table": "r", "timestamped": "false"}},
    ),
    "no ledger": ({"ledger": False}, {"ledger": "off"}),
    "not joint": ({"joint": False}, {"joint": "off"}),
    "closed": (
        by_intervals({"cuts": [0, 1.5, Decimal("1E+2")], "closed": True}),
        by_intervals({"cuts": ["0", "1.5", "100"], "closed": "true"}),
    ),
    "small and large": (
        by_intervals(0.0000001, 1e22, Decimal("1E+3"), origin=-5),
        by_intervals("0.0000001", "10000000000000000000000", "1000", origin="-5"),
    ),
    "dates": (
        by_intervals(30, origin=date(2020, 2, 29)),
        by_intervals("30", origin="2020-02-29"),
    ),
    "midnight": (
        by_intervals({"cuts": [datetime(2020, 2, 29), date(2021, 1, 1)]}),
        by_intervals({"cuts": ["2020-02-29", "2021-01-01"]}),
    ),
    "a day of ages": (
        {"columns": column(hierarchy={"dates": [{"age_band": 5, "at": date(2020, 2, 29)}]})},
        {"columns": column(hierarchy={"dates": [{"age_band": "5", "at": "2020-02-29"}]})},
    ),
    "levels": ({"columns": column(levels=(0, 1))}, {"columns": column(levels=["0", "1"])}),
    "a level": ({"columns": column(levels=1)}, {"columns": column(levels="1")}),
    "a role": ({"columns": column(role=Word.QUASI)}, {"columns": column(role="quasi")}),
    "an order": (
        {"columns": {**patients_columns(), "disease": {"role": "sensitive", "order": [1, True]}}},
        {
            "columns": {
                **patients_columns(),
                "disease": {"role": "sensitive", "order": ["1", "true"]},
            }
        },
    ),
    "a tree": (
        {"columns": column(hierarchy={"tree": {0: [2, 3.5], True: [None, False]}})},
        {"columns": column(hierarchy={"tree": {"0": ["2", "3.5"], "true": ["", "false"]}})},
    ),
    "rows": ({"suppression": 7}, {"suppression": "7"}),
    "shares": (
        {"run": {"rows_factor": 1.5, "nulls_rise": Decimal("0.10")}},
        {"run": {"rows_factor": "1.5", "nulls_rise": "0.10"}},
    ),
    "a weight": (
        {"objective": {"loss": {**MEAN, "weights": {"zip": 0.00001}}}},
        {"objective": {"loss": {**MEAN, "weights": {"zip": "0.00001"}}}},
    ),
    "a threshold": (
        {"guarantees": [{"t_closeness": {"column": "disease", "t": 1e-05, **EQUAL}}]},
        {"guarantees": [{"t_closeness": {"column": "disease", "t": "0.00001", **EQUAL}}]},
    ),
    "numpy": (
        {"guarantees": ({"k_anonymity": {"k": np.int64(5)}},), **by_intervals(np.float64(2.5))},
        {"guarantees": [{"k_anonymity": {"k": "5"}}], **by_intervals("2.5")},
    ),
    "paths": (
        {"release": {"csv": Path("out") / "r.csv"}},
        {"release": {"csv": str(Path("out") / "r.csv")}},
    ),
}


@pytest.mark.parametrize("case", GIVEN)
def test_a_value_of_python_reads_as_the_text_that_a_file_has(case: str) -> None:
    given, written = GIVEN[case]
    assert as_texts(given) == as_texts(written)
    assert patients_policy(**given).model_dump() == patients_policy(**written).model_dump()


def test_a_table_becomes_its_own_release_by_a_true_of_python() -> None:
    assert make_plan(patients_policy(release={"in_place": True}), patients()).change is not None


@pytest.mark.parametrize("wrong", [math.nan, math.inf, Fraction(1, 3), Decimal("NaN"), True])
def test_a_number_that_a_file_cannot_have_is_refused_with_its_key(wrong: Any) -> None:
    with pytest.raises(PolicyError, match=r"policy: run\.rows_factor: must be a number"):
        patients_policy(run={"rows_factor": wrong})


@pytest.mark.parametrize("wrong", [{1, 2}, frozenset(), b"10", (each for each in "12"), range(3)])
def test_what_is_no_list_and_no_text_is_refused_with_its_key(wrong: Any) -> None:
    with pytest.raises(PolicyError, match=r"policy: columns\.age\.hierarchy\.intervals: must be"):
        patients_policy(columns=column(hierarchy={"intervals": wrong}))


@pytest.mark.parametrize(
    ("tree", "told"),
    [({("a", "b"): ["c"]}, "a key must be a text"), ({1: ["a"], "1": ["b"]}, "the key 1 stands")],
)
def test_keys_are_texts_and_stand_once(tree: Mapping[Any, Any], told: str) -> None:
    with pytest.raises(PolicyError, match=rf"policy: columns\.age\.hierarchy\.tree: {told}"):
        patients_policy(columns=column(hierarchy={"tree": tree}))


DEEP = {
    "brackets": "[" * 20_000,
    "lists": "[" * 20_000 + "]" * 20_000,
    "mappings": "{a: " * 20_000 + "1" + "}" * 20_000,
    "dashes": "- " * 20_000 + "a",
    "less deep": "[" * 102 + "]" * 102,
}


@pytest.mark.parametrize("case", DEEP)
def test_a_file_that_nests_too_deeply_is_told_so(case: str, tmp_path: Path) -> None:
    path = tmp_path / "policy.yml"
    path.write_text(DEEP[case])
    with pytest.raises(PolicyError, match=r"policy\.yml(:1)?: nested too deeply"):
        read_policy(path)


def nested(levels: int, wrap: Any) -> Any:
    inner: Any = ["a", "b"]
    for _ in range(levels):
        inner = wrap(inner)
    return {"x": inner}


@pytest.mark.parametrize("levels", [200, 20_000])
@pytest.mark.parametrize("wrap", [lambda each: [each], lambda each: {"x": each}])
def test_a_mapping_that_nests_too_deeply_is_told_so(levels: int, wrap: Any) -> None:
    with pytest.raises(PolicyError, match=r"^policy: nested too deeply"):
        patients_policy(columns=column(hierarchy={"tree": nested(levels, wrap)}))


@pytest.mark.parametrize("wrap", [lambda each: [each] * 8, lambda each: dict.fromkeys("abc", each)])
def test_lists_that_stand_in_very_many_places_are_refused(wrap: Any) -> None:
    with pytest.raises(PolicyError, match="several places make more than 100,000 copies of what"):
        patients_policy(columns=column(hierarchy={"tree": nested(60, wrap)}))


def test_a_tree_may_stand_in_several_columns() -> None:
    tree = {"tree": {"all": [str(number) for number in range(5_000)]}}
    declared = {f"c{number}": {"role": "quasi", "hierarchy": tree} for number in range(12)}
    read = read_policy({"columns": declared, "guarantees": [{"k_anonymity": {"k": 2}}]})
    assert read.columns["c11"].hierarchy == read.columns["c0"].hierarchy


def test_a_tree_of_many_levels_is_read(tmp_path: Path) -> None:
    written = nested(50, lambda each: {"x": each})
    declared = column(hierarchy={"tree": written})
    assert age(patients_policy(columns=declared)).hierarchy.tree == written
    path = tmp_path / "policy.yml"
    path.write_text(
        f"columns: {{age: {{role: quasi, hierarchy: {{tree: {written!s}}}}}}}\n"
        "guarantees: [{k_anonymity: {k: 2}}]\n"
    )
    assert age(read_policy(path)).hierarchy.tree == written


def test_what_stands_inside_itself_is_told_where() -> None:
    columns: dict[str, Any] = column()
    columns["age"]["hierarchy"] = columns
    with pytest.raises(PolicyError, match=r"columns\.age\.hierarchy: .* stands inside itself"):
        patients_policy(columns=columns)
    queries: list[Any] = []
    queries.append(queries)
    with pytest.raises(PolicyError, match=r"queries\[0\]: .* stands inside itself"):
        patients_policy(queries=queries)


def test_a_part_that_stands_twice_is_read_twice() -> None:
    shared = {"role": "quasi", "hierarchy": "suppress"}
    policy = patients_policy(columns={**patients_columns(), "age": shared, "sex": shared})
    assert policy.columns["age"] == policy.columns["sex"]
