"""Tables of invented rows, each with its policy: births, a wide one, many values, visits."""

from collections.abc import Mapping
from typing import Any

import duckdb

from measuring import drawn

WIDE_QUASI = tuple(f"q{number}" for number in range(1, 16))


def _draw(name: str, many: int) -> str:
    """A whole number below `many`, drawn for row i."""
    return f"CAST({drawn(name)} % {many} AS INTEGER)"


def make_births(connection: duckdb.DuckDBPyConnection, rows: int, table: str = "births") -> None:
    """Make `births`: 30,000 dates of birth, 30,000 zip codes, sex, children and an illness."""
    connection.execute(f"""
        CREATE TABLE {table} AS
        SELECT
            DATE '1930-01-01' + {_draw("birth", 30000)} AS birth,
            lpad(CAST({_draw("zip", 30000)} * 3 AS VARCHAR), 5, '0') AS zip,
            CASE {_draw("sex", 2)} WHEN 0 THEN 'female' ELSE 'male' END AS sex,
            {_draw("children", 8)} AS children,
            'illness ' || {_draw("illness", 20)} AS illness
        FROM range({rows}) AS numbers (i)
    """)


def births_policy(table: str = "births") -> dict[str, Any]:
    """Four quasi-identifiers, two of them with 30,000 values, at k = 5."""
    dates = {"dates": ["month", "quarter", "year", "decade"]}
    return _policy(
        table,
        {
            "birth": _quasi(dates),
            "zip": _quasi({"prefixes": [4, 3, 2, 1]}),
            "sex": _quasi("suppress"),
            "children": _quasi({"intervals": [2, 4]}),
            "illness": {"role": "sensitive"},
        },
    )


def make_wide(connection: duckdb.DuckDBPyConnection, rows: int) -> None:
    """Make `wide`: fifteen numbers from 0 to 7, small ones more often, and an answer."""
    numbers = ", ".join(
        f"least({', '.join(_draw(f'{name} {draw}', 8) for draw in range(3))}) AS {name}"
        for name in WIDE_QUASI
    )
    connection.execute(
        f"CREATE TABLE wide AS SELECT {numbers}, {_draw('answer', 10)} AS answer "
        f"FROM range({rows}) AS numbers (i)"
    )


def wide_policy() -> dict[str, Any]:
    """Fifteen quasi-identifiers of four levels each, at k = 5."""
    quasi = {name: _quasi({"intervals": [2, 4]}) for name in WIDE_QUASI}
    return _policy("wide", {**quasi, "answer": {"role": "sensitive"}})


def make_values(connection: duckdb.DuckDBPyConnection, rows: int) -> None:
    """Make `many_values`: 20,000 classes of two columns, and 5,000 salaries among them."""
    connection.execute(f"""
        CREATE TABLE many_values AS
        SELECT i % 200 AS team, i // 200 % 100 AS room, {_draw("salary", 5000)} AS salary
        FROM range({rows}) AS numbers (i)
    """)


def values_policy() -> dict[str, Any]:
    """A lattice of one node, its salaries compared in their order."""
    pinned = _quasi("suppress") | {"levels": 0}
    closeness = {"column": "salary", "t": 0.2, "distance": "ordered"}
    return _policy(
        "many_values",
        {
            "team": pinned,
            "room": pinned,
            "salary": {"role": "sensitive", "order": "numeric"},
        },
        {"t_closeness": closeness},
    )


def make_visits(connection: duckdb.DuckDBPyConnection, rows: int, table: str) -> None:
    """Make a table of visits, three of each patient, with seven quasi-identifiers."""
    patients = f"(SELECT i AS visit, i // 3 AS i FROM range({rows}) AS numbers (i)) AS visits"
    connection.execute(f"""
        CREATE TABLE {table} AS
        SELECT
            i AS patient,
            {_draw("age", 90)} AS age,
            lpad(CAST({_draw("zip", 900)} * 100 AS VARCHAR), 5, '0') AS zip,
            CASE {_draw("sex", 2)} WHEN 0 THEN 'female' ELSE 'male' END AS sex,
            'education ' || least({_draw("education", 16)}, {_draw("again", 16)}) AS education,
            'status ' || {_draw("status", 6)} AS status,
            'work ' || {_draw("work", 9)} AS work,
            CASE WHEN {_draw("abroad", 10)} = 0 THEN 'abroad' ELSE 'here' END AS born,
            'illness ' || {_draw("illness", 20)} AS illness
        FROM {patients}
    """)


def visits_policy(table: str, *, by_patients: bool) -> dict[str, Any]:
    """Seven quasi-identifiers at k = 5, by patients or by their visits."""
    policy = _policy(
        table,
        {
            "patient": {"role": "identifier"},
            "age": _quasi({"intervals": [5, 10, 20]}),
            "zip": _quasi({"prefixes": [4, 3, 2, 1]}),
            "illness": {"role": "sensitive"},
            **{name: _quasi("suppress") for name in ("sex", "education", "status", "work", "born")},
        },
    )
    unit = {"unit": "patient"} if by_patients else {}
    return {**policy, "guarantees": [{"k_anonymity": {"k": 5, **unit}}]}


def _quasi(hierarchy: object) -> dict[str, Any]:
    return {"role": "quasi", "hierarchy": hierarchy}


def _policy(
    table: str, columns: Mapping[str, Any], *guarantees: Mapping[str, Any]
) -> dict[str, Any]:
    return {
        "source": {"table": table},
        "columns": dict(columns),
        "guarantees": [{"k_anonymity": {"k": 5}}, *guarantees],
        "suppression": "2%",
        "release": {"table": f"{table}_anon"},
    }
