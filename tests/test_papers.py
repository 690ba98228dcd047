"""The tables that the papers print, through the SQL."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pytest
from ruamel.yaml import YAML

from harness import simple_policy
from sqlgen.auditing.audit import audit_table
from sqlgen.auditing.check import check_table
from sqlgen.planning.plan import make_plan
from sqlgen.policy import Policy
from sqlgen.releasing.apply import apply_plan
from strategies import quoted

PAPERS = sorted((Path(__file__).parent / "papers").glob("*.yml"))
TABLES = ["original", "anonymized"]

papers = pytest.mark.parametrize("path", PAPERS, ids=lambda path: path.stem)
both = pytest.mark.parametrize("table", TABLES)


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


@papers
@both
def test_a_check_of_the_papers_tables_gives_their_classes(path: Path, table: str) -> None:
    paper = read(path)
    with printed(paper, table) as connection:
        found = check_table(connection, "t", quasi=paper["quasi"]).to_dict()
    assert {key: found[key] for key in paper["expected"][table]} == paper["expected"][table]


@papers
@both
def test_an_audit_of_the_papers_tables_gives_their_k(path: Path, table: str) -> None:
    paper = read(path)
    expected = paper["expected"][table]
    with printed(paper, table) as connection:
        audit = audit_table(policy(paper, 2), "t", connection)
    assert (audit.rows, audit.classes) == (expected["rows"], expected["classes"])
    assert audit.guarantees[0].value == expected["k"]


@papers
def test_the_papers_release_satisfies_its_own_k_and_no_more(path: Path) -> None:
    paper = read(path)
    k = paper["expected"]["anonymized"]["k"]
    with printed(paper, "anonymized") as connection:
        assert audit_table(policy(paper, k), "t", connection).satisfied
        assert not audit_table(policy(paper, k + 1), "t", connection).satisfied


@papers
def test_an_audit_counts_every_row_of_the_original_as_failing(path: Path) -> None:
    paper = read(path)
    with printed(paper, "original") as connection:
        audit = audit_table(policy(paper, 2), "t", connection)
    rows = paper["expected"]["original"]["rows"]
    assert (audit.guarantees[0].failing_classes, audit.guarantees[0].failing_rows) == (rows, rows)


@papers
def test_planning_with_the_papers_hierarchies_finds_the_papers_node(path: Path) -> None:
    paper = read(path)
    with printed(paper, "original") as connection:
        plan = make_plan(policy(paper, paper["expected"]["anonymized"]["k"]), connection)
    assert list(plan.levels_to("test").values()) == paper["node"]
    assert (plan.classes, plan.suppressed_rows) == (paper["expected"]["anonymized"]["classes"], 0)


@papers
def test_applying_the_plan_gives_the_papers_table(path: Path) -> None:
    paper = read(path)
    with printed(paper, "original") as connection:
        plan = make_plan(policy(paper, paper["expected"]["anonymized"]["k"]), connection)
        assert apply_plan(plan, connection).satisfied
        rows = connection.execute("SELECT * FROM released").fetchall()
    assert sorted(rows) == sorted(tuple(row) for row in paper["anonymized"])


@papers
def test_the_release_has_the_same_order_whatever_the_sources(path: Path) -> None:
    paper = read(path)
    orders = []
    for original in (paper["original"], paper["original"][::-1]):
        with printed({**paper, "original": original}, "original") as connection:
            plan = make_plan(policy(paper, paper["expected"]["anonymized"]["k"]), connection)
            apply_plan(plan, connection)
            orders.append(connection.execute("SELECT * FROM released").fetchall())
    assert orders[0] == orders[1]


def test_the_loss_of_li_2007_table_2_is_the_one_worked_by_hand() -> None:
    # zip code 1/2, age 1/4: (1.5 * 1.25) ** (1/2) - 1
    paper = read(PAPERS[0])
    with printed(paper, "original") as connection:
        plan = make_plan(policy(paper, 3), connection)
    assert plan.objective == pytest.approx(0.3693063937629153, rel=1e-12)


def test_leaving_age_out_of_the_inpatients_leaves_four_unique_rows() -> None:
    # Rows 1, 5, 6 and 10 of Figure 1 are alone on zip code and nationality; age is a key.
    paper = read(PAPERS[1])
    with printed(paper, "original") as connection:
        found = check_table(connection, "t", quasi=paper["quasi"])
    without = {column: (each.k, each.unique_rows) for column, each in found.without.items()}
    assert without == {"zip_code": (1, 12), "age": (1, 4), "nationality": (1, 12)}
