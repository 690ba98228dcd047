"""Drawn tables whose classes can be counted per sensitive value, and their policies."""

from __future__ import annotations

from random import Random
from typing import Any

import duckdb

TREES: dict[str, Any] = {
    "zip": {"north": {"n1": ["a", "b"], "n2": ["c"]}, "south": {"s1": ["d", "e"], "s2": ["f"]}},
    "age": {"young": ["1", "2"], "old": ["3", "4"]},
    "illness": {"lungs": ["flu", "cold"], "stomach": ["ulcer", "gastritis"]},
}


PRIORS = [("flu", 3), ("cold", 1), ("gastritis", 2), ("ulcer", 1), (None, 2)]


ILLNESSES = ["flu", "flu", "flu", "cold", "ulcer", None]


Rows = list[tuple[str, str, str | None]]


def filled(rows: Rows) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(config={"threads": 1})
    connection.execute("CREATE TABLE people (zip VARCHAR, age VARCHAR, illness VARCHAR)")
    connection.execute("CREATE TABLE priors (illness VARCHAR, weight INTEGER)")
    if rows:
        connection.executemany("INSERT INTO people VALUES (?, ?, ?)", rows)
    connection.executemany("INSERT INTO priors VALUES (?, ?)", PRIORS)
    return connection


def policy_of(guarantees: list[dict[str, Any]], budget: int, **more: Any) -> dict[str, Any]:
    order = ["flu", "ulcer", "cold", "gastritis"]
    return {
        "source": {"table": "people"},
        "columns": {
            "zip": {"role": "quasi", "hierarchy": {"tree": TREES["zip"]}},
            "age": {"role": "quasi", "hierarchy": {"tree": TREES["age"]}},
            "illness": {
                "role": "sensitive",
                "hierarchy": {"tree": TREES["illness"]},
                "order": order,
            },
        },
        "guarantees": [{"k_anonymity": {"k": 2}}, *guarantees],
        "suppression": budget,
        **more,
    }


def drawn(seed: int) -> Rows:
    random = Random(seed)
    return [
        (random.choice("aabcdef"), random.choice("1234"), random.choice(ILLNESSES))
        for _ in range(40)
    ]
