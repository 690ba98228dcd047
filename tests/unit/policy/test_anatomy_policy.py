"""A policy with Anatomy: what two tables cannot have is refused as it is read, with the reason."""

from __future__ import annotations

from typing import Any

import pytest

from grouped_tables import WARD, distinct, grouped_policy
from sqlgen import PolicyError
from sqlgen.policy import ReleaseTarget

K = {"k_anonymity": {"k": 2}}


@pytest.mark.parametrize(
    ("more", "where", "why"),
    [
        (
            {"guarantees": [K]},
            "guarantees",
            "only different sensitive values in each group protect",
        ),
        (
            {"guarantees": [distinct(2), {"k_map": {"population": {"table": "town"}, "k": 2}}]},
            r"guarantees\[1\].k_map",
            "sees whether the person is in the table",
        ),
        (
            {
                "guarantees": [
                    distinct(2),
                    {"delta_presence": {"population": {"table": "town"}, "most": "0.5"}},
                ]
            },
            r"guarantees\[1\].delta_presence",
            "sees whether the person is in the table",
        ),
        (
            {"guarantees": [distinct(2), {"k_anonymity": {"k": 2, "unit": "name"}}]},
            r"guarantees\[1\].k_anonymity",
            "a person with several rows is in several groups",
        ),
        (
            {
                "guarantees": [
                    distinct(2),
                    {"homogeneity": {"column": "disease", "at_most": "5%"}},
                ]
            },
            r"guarantees\[1\].homogeneity",
            "a bound on all rows that are released says of no class",
        ),
        ({"release": {"view": "v"}}, "release.view", "groups are made of the rows of one moment"),
        ({"release": {"in_place": True}}, "release.in_place", "two tables cannot take the place"),
        (
            {"release": {"parquet": "p", "partition_by": ["age"]}},
            "release.partition_by",
            "the second table has no such column",
        ),
        (
            {"release": {"table": "t", "timestamped": True}},
            "release.timestamped",
            "who is in two of them has a value that both groups have",
        ),
        ({"on_failure": "suppress_sensitive"}, "on_failure", "no class is masked"),
        ({"queries": [{"age": "age > 1"}]}, "queries", "answered over one table"),
        ({"run": {"on_drift": "coarsen"}}, "run.on_drift", "Write on_drift: replan"),
        (
            {"columns": {**WARD, "visits": {"role": "sensitive"}}},
            "columns",
            "one sensitive column.*; found visits, disease",
        ),
        (
            {"columns": {**WARD, "Group_ID": {"role": "other"}}},
            "columns.Group_ID",
            "a column of its own, group_id",
        ),
    ],
)
def test_what_two_tables_cannot_have_is_refused_with_the_reason(
    more: dict[str, Any], where: str, why: str
) -> None:
    with pytest.raises(PolicyError, match=rf"{where}: .*{why}"):
        grouped_policy(**{"guarantees": [distinct(2)], **more})


def test_a_sensitive_column_may_not_have_the_name_of_the_count() -> None:
    columns = {**WARD, "row_count": {"role": "sensitive"}}
    del columns["disease"]
    with pytest.raises(PolicyError, match=r"columns\.row_count: .*a column of its own, row_count"):
        grouped_policy(distinct(2, "row_count"), columns=columns)
    grouped_policy(columns={**WARD, "row_count": {"role": "other"}})


@pytest.mark.parametrize(
    ("target", "second"),
    [
        ({"table": "people"}, "people_sensitive"),
        ({"table": "main.people"}, "main.people_sensitive"),
        ({"table": 'main."my.people"'}, 'main."my.people_sensitive"'),
        ({"csv": "out/people.csv"}, "out/people_sensitive.csv"),
        ({"csv": "out/people.csv.gz"}, "out/people_sensitive.csv.gz"),
        ({"parquet": "my.people.parquet"}, "my.people_sensitive.parquet"),
        ({"parquet": "out.d/people"}, "out.d/people_sensitive"),
    ],
)
def test_the_second_tables_name_is_that_of_the_first_with_an_ending(
    target: dict[str, str], second: str
) -> None:
    beside = grouped_policy(release=target).beside
    assert beside is not None
    assert isinstance(beside.release, ReleaseTarget)
    assert (beside.release.kind, beside.release.target) == (next(iter(target)), second)


def test_a_policy_with_another_recoding_has_one_table() -> None:
    assert grouped_policy(recoding="full_domain").beside is None
