"""What is too long or too deep for the engine, or for Python, is refused in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

from sqlgen import PolicyError, make_plan, read_policy


def hierarchy(kind: str, levels: int, folder: Path) -> dict[str, Any]:
    """A hierarchy with so many levels between the value and the top."""
    if kind == "csv":
        path = folder / "levels.csv"
        path.write_text("".join(f"{zip_},{','.join('x' * levels)},*\n" for zip_ in "ab"))
        return {"csv": str(path)}
    if kind == "table":
        return {"table": "listed"}
    return (
        {"prefixes": list(range(levels, 0, -1))}
        if kind == "prefixes"
        else {"sql": ["zip"] * levels}
    )


@pytest.mark.parametrize("kind", ["csv", "table", "prefixes", "sql"])
@pytest.mark.parametrize("levels", [100, 101])
def test_a_hierarchy_has_a_hundred_levels_at_most(kind: str, levels: int, tmp_path: Path) -> None:
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE people AS SELECT ['a', 'b'][1 + i % 2] AS zip FROM range(9) t(i)"
    )
    labels = ", ".join(f"'x' AS level_{number}" for number in range(levels))
    connection.execute(
        f"CREATE TABLE listed AS SELECT DISTINCT zip, {labels}, '*' AS every FROM people"
    )
    declared = {"role": "quasi", "hierarchy": hierarchy(kind, levels, tmp_path)}
    policy = read_policy(
        {
            "source": {"table": "people"},
            "columns": {"zip": declared},
            "guarantees": [{"k_anonymity": {"k": 2}}],
        }
    )
    if levels == 100:
        assert make_plan(policy, connection).satisfied
        return
    with pytest.raises(
        PolicyError, match=r"zip\.hierarchy: a hierarchy has 100 levels at most .* 101"
    ):
        make_plan(policy, connection)


DEEP = "(" * 5_000 + "zip" + ")" * 5_000


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"queries": [{"zip": f"{DEEP} = 'a'"}]},
            r"^policy: queries\[0\]\.zip: sql nests too deeply; write it with fewer",
        ),
        (
            {"columns": {"zip": {"role": "quasi", "hierarchy": {"sql": [DEEP]}}}},
            r"^policy: columns\.zip\.hierarchy: sql nests too deeply; write it with fewer",
        ),
        (
            {"source": {"query": f"SELECT {DEEP} AS zip FROM people"}},
            r"^policy: source\.query: the query nests too deeply; make a view of its inner part$",
        ),
    ],
    ids=["query", "hierarchy", "source"],
)
def test_sql_that_nests_too_deeply_is_refused(change: dict[str, Any], message: str) -> None:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE people AS SELECT 'a' AS zip FROM range(9)")
    policy = read_policy(
        {
            "source": {"table": "people"},
            "columns": {"zip": {"role": "quasi", "hierarchy": "suppress"}},
            "guarantees": [{"k_anonymity": {"k": 2}}],
            **change,
        }
    )
    with pytest.raises(PolicyError, match=message):
        make_plan(policy, connection)
