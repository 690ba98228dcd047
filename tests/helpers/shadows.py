"""Macros that stand in for functions of the engine, and tables whose classes break guarantees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import duckdb

from sqlgen import Policy, read_policy
from sqlgen.guarantees.closeness import DISTANCE_FORMS

TOWN = {"table": "town"}


def of(model: str, **parameters: Any) -> Mapping[str, Any]:
    """A guarantee about the column s."""
    return {model: {"column": "s", **parameters}}


# Each is broken by the table: two of its classes hold one value, and all hold four rows.
BROKEN: tuple[Mapping[str, Any], ...] = (
    {"k_anonymity": {"k": 5}},
    {"k_anonymity": {"k": 5, "unit": "u"}},
    of("alpha_k_anonymity", alpha="0.4", k=2),
    of("distinct_l_diversity", l=3),
    of("entropy_l_diversity", l=3),
    of("recursive_l_diversity", c=1, l=2),
    *(of("t_closeness", t="0.1", distance=distance) for distance in DISTANCE_FORMS),
    of("n_t_closeness", n=5, t="0.1", distance="equal"),
    of("ratio_closeness", epsilon="0.1"),
    of("beta_likeness", beta="0.1"),
    of("delta_disclosure", delta="0.1"),
    of("skewness", at_most="1.1"),
    of("homogeneity", at_most=0),
    of("background_knowledge", excluded=2, at_most=0),
    of("similarity", level=1, at_most=0),
    of("positive_disclosure", delta="0.5"),
    of("negative_disclosure", epsilon="0.3"),
    of("belief_breach", rho_1="0.6", rho_2="0.9"),
    {"k_map": {"k": 9, "population": TOWN}},
    {"delta_presence": {"most": "40%", "population": TOWN}},
    {"linkage": {"known": TOWN, "risk": "prosecutor", "at_most": 0}},
)


def named(guarantee: Mapping[str, Any]) -> str:
    """A guarantee as a test is called by it."""
    ((model, parameters),) = guarantee.items()
    return "-".join([model, *(str(parameters[key]) for key in ("distance",) if key in parameters)])


def people() -> duckdb.DuckDBPyConnection:
    """Four classes of four rows: two of one value, two of two; and everybody, as a town."""
    connection = duckdb.connect(config={"threads": 1})
    connection.execute(
        "CREATE TABLE t AS SELECT i // 4 AS q, i % 2 AS u, "
        "CASE WHEN i < 8 THEN 'a' WHEN i % 2 = 0 THEN 'b' ELSE 'c' END AS s "
        "FROM RANGE(16) AS r (i)"
    )
    connection.execute("CREATE TABLE town AS SELECT q FROM t")
    return connection


def policy_of(guarantee: Mapping[str, Any], **more: Any) -> Policy:
    """The guarantee, of the table as it is."""
    tree = {"tree": {"x": {"y": ["a", "b"], "z": ["c"]}}}
    return read_policy(
        {
            "source": {"table": "t"},
            "columns": {
                "q": {"role": "quasi", "hierarchy": "suppress", "levels": [0, 0]},
                "s": {"role": "sensitive", "order": "text", "hierarchy": tree},
                "u": {"role": "other"},
            },
            "guarantees": [guarantee],
            "release": {"table": "released"},
            **more,
        }
    )


def macro(name: str, body: str = "0", schema: str = "main") -> str:
    """A macro of that name, whatever it is called with."""
    spelled = '"' + name.replace('"', '""') + '"'
    called = ", ".join(f"({', '.join('abcd'[:number])}) AS {body}" for number in range(5))
    return f"CREATE OR REPLACE MACRO {schema}.{spelled}{called}"
