"""Releases to report, and a policy that names values wherever one can."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb

from sqlgen import apply_plan, read_policy
from tables import patients, patients_policy, planned

COLUMN = {"column": "disease"}


PEOPLE = {"table": "town"}


def released(**changes: Any) -> tuple[duckdb.DuckDBPyConnection, Any]:
    """The patients with a release, and its policy."""
    connection = patients()
    policy = patients_policy(**changes)
    apply_plan(planned(policy, connection), connection)
    return connection, policy


CLOSE = {
    "guarantees": [
        {"k_anonymity": {"k": 4}},
        {"t_closeness": {**COLUMN, "t": 0.4, "distance": "equal"}},
        {"distinct_l_diversity": {**COLUMN, "l": 2}},
    ]
}


def everything() -> list[dict[str, Any]]:
    """A guarantee of every kind, with the values that it may name."""
    flu, gout = "canary-d0", "canary-d1"
    prior = {"table": "town", "weight": "weight"}
    far = {"t": 1, "distance": "ordered"}
    return [
        {"k_anonymity": {"k": 2}},
        {"k_anonymity": {"k": 2, "unit": "name"}},
        {"alpha_k_anonymity": {**COLUMN, "alpha": 0.9, "k": 2, "values": [flu]}},
        {"distinct_l_diversity": {**COLUMN, "l": 1, "jointly": True}},
        {"entropy_l_diversity": {**COLUMN, "l": 1.1}},
        {
            "recursive_l_diversity": {
                **COLUMN,
                **{"c": 30, "l": 2, "disclosable": [flu], "protected": [gout]},
                "protected_share": "1%",
            }
        },
        {"t_closeness": {**COLUMN, **far, "reference": "source"}},
        {"t_closeness": {**COLUMN, "t": 1, "distance": "kl", "reference": prior}},
        {"t_closeness": {"column": "pay", **far}},
        {"t_closeness": {"column": "pay", "t": 1, "distance": "hierarchical"}},
        {"n_t_closeness": {**COLUMN, "n": 5, **far, "supersets": [["zip"]]}},
        {"ratio_closeness": {**COLUMN, "epsilon": 3}},
        {"delta_disclosure": {**COLUMN, "delta": 3}},
        {"beta_likeness": {**COLUMN, "beta": 5, "enhanced": True}},
        {"positive_disclosure": {**COLUMN, "delta": 0, "prior": prior}},
        {"negative_disclosure": {**COLUMN, "epsilon": "1%"}},
        {"belief_breach": {**COLUMN, "rho_1": "1%", "rho_2": "99%"}},
        {"k_map": {"k": 2, "population": PEOPLE}},
        {"delta_presence": {"most": "100%", "population": PEOPLE}},
        {"homogeneity": {**COLUMN, "at_most": "100%"}},
        {"background_knowledge": {**COLUMN, "excluded": 1, "at_most": "100%"}},
        {"similarity": {**COLUMN, "groups": {"canary-g": [flu, gout]}, "at_most": "100%"}},
        {"skewness": {**COLUMN, "at_most": 50}},
        {"linkage": {"known": PEOPLE, "risk": "prosecutor", "at_most": "100%"}},
    ]


def canary_policy(folder: Path, guarantees: list[dict[str, Any]]) -> Any:
    """A policy with values wherever one can have them."""
    lines = "".join(f"cz1{zip_},canary-area{zip_ % 2},canary-top\n" for zip_ in range(3))
    (folder / "canary-free.csv").write_text(lines)
    diseases = [f"canary-d{number}" for number in range(4)]
    pay = ["CASE WHEN pay = 770010 THEN 'canary-low' ELSE 'canary-high' END"]
    return read_policy(
        {
            "source": {"query": "SELECT * FROM patients WHERE age < 770099 -- 'canary-note'"},
            "columns": {
                "name": {"role": "identifier"},
                "zip": {"role": "quasi", "hierarchy": {"csv": str(folder / "canary-free.csv")}},
                "age": {"role": "quasi", "hierarchy": {"intervals": [{"cuts": ["770002"]}]}},
                "disease": {
                    "role": "sensitive",
                    "order": diseases,
                    "hierarchy": {"tree": {"canary-ill": diseases[:2], "canary-bad": diseases[2:]}},
                },
                "pay": {"role": "sensitive", "order": "numeric", "hierarchy": {"sql": pay}},
                "visits": {"role": "other"},
            },
            "guarantees": guarantees,
            "suppression": "50%",
            "release": {"csv": str(folder / "out.csv")},
        }
    )


def canaries() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE patients AS SELECT 'canary-' || i AS name, 'cz1' || i % 3 AS zip, "
        "770000 + i % 5 AS age, 'canary-d' || i % 4 AS disease, 770010 + i % 4 AS pay, "
        "i % 5 AS visits FROM RANGE(240) AS t (i)"
    )
    connection.execute("CREATE TABLE town AS SELECT zip, age, disease, 1.5 AS weight FROM patients")
    return connection
