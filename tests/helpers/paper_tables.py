"""The tables that the papers print, and policies for them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pytest
from ruamel.yaml import YAML

from harness import simple_policy
from sqlgen.planning.plan import make_plan
from sqlgen.policy import Policy
from sqlgen.releasing.apply import apply_plan
from strategies import quoted

PAPERS = sorted((Path(__file__).parents[1] / "papers").glob("*.yml"))


TABLES = ["original", "anonymized"]


papers = pytest.mark.parametrize("path", PAPERS, ids=lambda path: path.stem)


def read(path: Path) -> dict[str, Any]:
    paper: dict[str, Any] = YAML(typ="safe").load(path.read_text(encoding="utf-8"))
    columns = paper["columns"]
    paper["quasi"] = [column for column in columns if columns[column]["role"] == "quasi"]
    return paper


@contextmanager
def printed(paper: dict[str, Any], table: str) -> Iterator[duckdb.DuckDBPyConnection]:
    """The paper's table as ``t``, and the lines of each of its hierarchies as a table."""
    with duckdb.connect() as connection:
        columns = {name: column["type"] for name, column in paper["columns"].items()}
        if table == "anonymized":
            columns = dict.fromkeys(columns, "VARCHAR")
        typed = ", ".join(f"{quoted(name)} {kind}" for name, kind in columns.items())
        connection.execute(f"CREATE TABLE t ({typed})")
        marks = ", ".join("?" for _ in columns)
        connection.executemany(f"INSERT INTO t VALUES ({marks})", paper[table])
        for name, lines in paper["generalization"].items():
            connection.execute(f"CREATE TABLE {quoted(name + '_lines')} (v VARCHAR, l VARCHAR)")
            connection.executemany(f"INSERT INTO {quoted(name + '_lines')} VALUES (?, ?)", lines)
        yield connection


def policy(paper: dict[str, Any], k: int, suppression: str = "0") -> Policy:
    columns = {
        name: {"role": "quasi", "hierarchy": {"table": f"{name}_lines"}}
        if name in paper["quasi"]
        else {"role": column["role"]}
        for name, column in paper["columns"].items()
    }
    return simple_policy(columns, k, suppression=suppression, release={"table": "released"})


def the_plan_gives_the_papers_table(path: Path) -> None:
    paper = read(path)
    with printed(paper, "original") as connection:
        plan = make_plan(policy(paper, paper["expected"]["anonymized"]["k"]), connection)
        assert apply_plan(plan, connection).satisfied
        rows = connection.execute("SELECT * FROM released").fetchall()
    assert sorted(rows) == sorted(tuple(row) for row in paper["anonymized"])
