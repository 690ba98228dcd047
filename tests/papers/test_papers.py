"""The tables that the papers print, through the SQL."""

from __future__ import annotations

from pathlib import Path

import pytest

from paper_tables import (
    PAPERS,
    TABLES,
    papers,
    policy,
    printed,
    read,
    the_plan_gives_the_papers_table,
)
from sqlgen.auditing.audit import audit_table
from sqlgen.auditing.check import check_table
from sqlgen.planning.plan import make_plan
from sqlgen.releasing.apply import apply_plan

both = pytest.mark.parametrize("table", TABLES)


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
    the_plan_gives_the_papers_table(path)


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
