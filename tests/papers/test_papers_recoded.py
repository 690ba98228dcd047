"""The tables that the papers print under each recoding: classes and figures worked out by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import duckdb
import pytest

from paper_tables import PAPERS, printed, read
from sqlgen import Policy, apply_plan, audit_table, make_plan, read_policy

LI, MACHANAVAJJHALA = PAPERS
DIVERSE = {"distinct_l_diversity": {"column": "disease", "l": 2}}
CLOSE = {"t_closeness": {"column": "disease", "t": 1, "distance": "equal"}}


def policy(paper: dict[str, Any], recoding: str, guarantees: Sequence[dict[str, Any]]) -> Policy:
    """A policy of a paper's table, released by a recoding."""
    columns = {
        name: {"role": "quasi", "hierarchy": {"table": f"{name}_lines"}}
        if name in paper["quasi"]
        else {"role": column["role"]}
        for name, column in paper["columns"].items()
    }
    return read_policy(
        {
            "source": {"table": "t"},
            "columns": columns,
            "guarantees": guarantees,
            "release": {"table": "released"},
            "recoding": recoding,
        }
    )


def released(
    connection: duckdb.DuckDBPyConnection, asked: Policy
) -> tuple[Counter[tuple[Any, ...]], list[float]]:
    """The labels of a release, counted, and the figures of its guarantees by an audit."""
    plan = make_plan(asked, connection)
    assert plan.satisfied, plan.hindrance
    assert apply_plan(plan, connection).satisfied
    rows = connection.execute("SELECT zip_code, age FROM released").fetchall()
    audit = audit_table(asked, source=connection)
    figures = [float(each.value or 0) for each in audit.guarantees]
    assert [float(each.value or 0) for each in plan.guarantees] == pytest.approx(figures)
    return Counter(rows), figures


@pytest.mark.parametrize("recoding", ["full_domain", "local", "mondrian"])
def test_no_class_of_li_2007_table_2_can_have_finer_labels(recoding: str) -> None:
    """Of each class all rows differ in each value, so that one level finer leaves fewer than k."""
    paper = read(LI)
    k = paper["expected"]["anonymized"]["k"]
    with printed(paper, "original") as connection:
        plan = make_plan(policy(paper, recoding, [{"k_anonymity": {"k": k}}]), connection)
        assert apply_plan(plan, connection).satisfied
        rows = connection.execute("SELECT * FROM released").fetchall()
    assert sorted(rows) == sorted(tuple(row) for row in paper["anonymized"])


# Of nine rows five are heart disease, three cancer, one is the flu. By halves of the sum of what
# differs: all heart disease 4/9; one each 2/9; one heart disease and two cancers 3/9.
TABLE_2 = ({("476**", "2*"): 3, ("4790*", ">= 40"): 3, ("476**", "3*"): 3}, 3, 1, Fraction(4, 9))
# Two of the classes are one, with four heart diseases and two cancers of six: 1/9 from all rows.
AGES_LEFT_OUT = ({("476**", "*"): 6, ("4790*", "*"): 3}, 3, 2, Fraction(2, 9))
# The three of 4790* pass by themselves, whatever the others need.
AGES_OF_ONE = ({("476**", "*"): 6, ("4790*", ">= 40"): 3}, 3, 2, Fraction(2, 9))


@pytest.mark.parametrize(
    ("recoding", "least", "expected"),
    [
        ("full_domain", 1, TABLE_2),
        ("local", 1, TABLE_2),
        ("full_domain", 2, AGES_LEFT_OUT),
        ("local", 2, AGES_OF_ONE),
        ("mondrian", 2, AGES_OF_ONE),
    ],
)
def test_li_2007_table_1_gives_the_k_l_and_t_that_are_worked_out_by_hand(
    recoding: str, least: int, expected: tuple[dict[tuple[str, str], int], int, int, Fraction]
) -> None:
    diverse = {"distinct_l_diversity": {"column": "disease", "l": least}}
    paper = read(LI)
    with printed(paper, "original") as connection:
        asked = policy(paper, recoding, [{"k_anonymity": {"k": 3}}, diverse, CLOSE])
        shown, figures = released(connection, asked)
    classes, k, diversity, t = expected
    assert shown == classes
    assert figures == pytest.approx([k, diversity, float(t)])


def test_nine_patients_of_li_2007_are_dealt_out_to_four_groups_of_two_diseases() -> None:
    """Five rows of heart disease, three of cancer, one of flu: {h, h, flu} and three {h, cancer}.

    Five of nine are more than one row in two, so that one group has three rows.
    """
    paper = read(LI)
    with printed(paper, "original") as connection:
        plan = make_plan(policy(paper, "anatomy", [DIVERSE]), connection)
    assert plan.satisfied
    assert (plan.classes, plan.metrics["discernibility"]) == (4, 3**2 + 3 * 2**2)


def test_three_diseases_of_li_2007_make_no_group_of_four() -> None:
    paper = read(LI)
    four = {"distinct_l_diversity": {"column": "disease", "l": 4}}
    with printed(paper, "original") as connection:
        plan = make_plan(policy(paper, "anatomy", [four]), connection)
    assert not plan.satisfied
    assert "disease" in plan.hindrance


SALARIES = (3, 4, 5, 6, 11, 8, 7, 9, 10)


def test_salaries_of_li_2007_table_3_are_dealt_out_an_eighth_from_all() -> None:
    """{3, 6, 9}, {4, 7, 10} and {5, 8, 11}: 9/72, 6/72 and 9/72 of the way along nine salaries.

    That is (n - k) / (2 (n - 1) k), what Soria-Comas and Domingo-Ferrer bound it by.
    """
    connection = duckdb.connect(config={"threads": 1})
    connection.execute("CREATE TABLE t (id INTEGER, salary INTEGER)")
    connection.executemany("INSERT INTO t VALUES (?, ?)", list(enumerate(SALARIES, 1)))
    close = {"t_closeness": {"column": "salary", "t": "0.125", "distance": "ordered"}}
    asked = read_policy(
        {
            "source": {"table": "t"},
            "columns": {
                "id": {"role": "quasi", "hierarchy": "suppress"},
                "salary": {"role": "sensitive", "order": "numeric"},
            },
            "guarantees": [{"k_anonymity": {"k": 3}}, close],
            "release": {"table": "released"},
            "recoding": "anatomy",
        }
    )
    plan = make_plan(asked, connection)
    assert plan.satisfied, plan.hindrance
    assert apply_plan(plan, connection).satisfied
    groups = connection.execute(
        "SELECT LIST(salary ORDER BY salary ASC) AS salaries FROM released_sensitive "
        "GROUP BY group_id ORDER BY salaries ASC"
    ).fetchall()
    assert groups == [([3, 6, 9],), ([4, 7, 10],), ([5, 8, 11],)]
    audit = audit_table(asked, source=connection)
    assert [each.value for each in audit.guarantees] == pytest.approx([3, 0.125])
    assert float(Fraction(9 - 3, 2 * (9 - 1) * 3)) == 0.125


def test_no_group_of_inpatients_is_without_two_conditions() -> None:
    """Of twelve inpatients five have cancer, four an infection, three heart disease: l = 2."""
    paper = read(MACHANAVAJJHALA)
    (sensitive,) = (name for name, each in paper["columns"].items() if each["role"] == "sensitive")
    place = [*paper["columns"]].index(sensitive)
    counts = Counter(row[place] for row in paper["original"])
    assert sorted(counts.values()) == [3, 4, 5]
    diverse = {"distinct_l_diversity": {"column": sensitive, "l": 2}}
    with printed(paper, "original") as connection:
        asked = policy(paper, "anatomy", [diverse])
        assert apply_plan(make_plan(asked, connection), connection).satisfied
        sizes = connection.execute(
            "SELECT COUNT(*), SUM(row_count), MAX(row_count) FROM released_sensitive "
            "GROUP BY group_id"
        ).fetchall()
    # Six groups of two patients with different conditions.
    assert sizes == [(2, 2, 1)] * 6
