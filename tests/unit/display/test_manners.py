"""Values at a prompt and in a notebook: names that complete, three lines, safe HTML, rows."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlgen
from sqlgen import (
    Policy,
    apply_plan,
    audit_history,
    audit_table,
    check_table,
    explain_plan,
    make_frontier,
    make_plan,
    minimal_nodes,
    read_evidence,
    read_policy,
    run_policy,
    write_lock,
)

HOSTILE = '<script>alert("x")</script>\n& \x1b[31m\u202e'
CANARY = "Canary Street 47677"


def world(folder: Path, names: tuple[str, str, str]) -> Policy:
    """A table with three columns of these names, and a policy that releases it."""
    path = folder / "world.duckdb"
    age, street, disease = (name.replace('"', '""') for name in names)
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            f'CREATE TABLE people ("{age}" INTEGER, "{street}" VARCHAR, "{disease}" VARCHAR)'
        )
        connection.execute(
            "INSERT INTO people SELECT i % 40, ? || (i % 3), 'illness ' || (i % 4) "
            "FROM range(200) AS r(i)",
            [CANARY],
        )
    return read_policy(
        {
            "source": {"database": str(path), "table": "people"},
            "columns": {
                names[0]: {"role": "quasi", "hierarchy": {"intervals": [10, 20]}},
                names[1]: {"role": "quasi", "hierarchy": "suppress"},
                names[2]: {"role": "sensitive"},
            },
            "guarantees": [
                {"k_anonymity": {"k": 4}},
                {"distinct_l_diversity": {"column": names[2], "l": 2}},
            ],
            "release": {"table": "released"},
        }
    )


def values(policy: Policy, folder: Path, quasi: list[str]) -> dict[str, Any]:
    """Every value that a user can hold, of one small table."""
    plan = make_plan(policy)
    release = apply_plan(plan)
    lock = folder / "policy.lock"
    write_lock(plan, lock)
    database = str(policy.source.database)
    return {
        "Policy": policy,
        "Plan": plan,
        "Release": release,
        "Audit": audit_table(policy),
        "Check": check_table(database, "people", quasi=quasi),
        "Frontier": make_frontier(policy, vary=("k", [2, 4, 500])),
        "MinimalNodes": minimal_nodes(policy),
        "Explanation": explain_plan(policy),
        "Joint": audit_history(policy),
        "Evidence": read_evidence(policy),
        "Run": run_policy(policy, lock=lock),
        "unmet": make_plan(policy.model_copy(update={"guarantees": unmet(policy)})),
    }


def unmet(policy: Policy) -> tuple[Any, ...]:
    return (policy.guarantees[0].model_copy(update={"k": 1000}), *policy.guarantees[1:])


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("plain")
    return values(world(folder, ("age", "street", "disease")), folder, ["age", "street"])


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("hostile")
    names = (f"a{HOSTILE}", "b" * 200 + HOSTILE, f"c{HOSTILE}")
    return values(world(folder, names), folder, list(names[:2]))


def test_every_public_name_is_there_and_completes() -> None:
    assert dir(sqlgen) == sorted(dir(sqlgen)) == sorted(sqlgen.__all__)
    for name in sqlgen.__all__:
        assert getattr(sqlgen, name).__name__ == name
    with pytest.raises(AttributeError):
        sqlgen.nothing  # noqa: B018


def test_completion_at_a_prompt_shows_the_public_names() -> None:
    code = (
        "import rlcompleter, sqlgen\n"
        "completer = rlcompleter.Completer({'sqlgen': sqlgen})\n"
        "print(*(completer.complete('sqlgen.make_', index) for index in range(2)))"
    )
    command = [sys.executable, "-c", code]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "sqlgen.make_frontier" in printed
    assert "sqlgen.make_plan" in printed


REPRS = {
    "Policy": """
<Policy: without a file, source people; guarantees: k_anonymity, distinct_l_diversity
 quasi-identifiers: age, street
 sensitive: disease>""",
    "Plan": """
<Plan: meets the policy; 200 rows in 12 classes, 0 suppressed of 0 allowed
 levels: age=1 street=0
 guarantees: k_anonymity 16; distinct_l_diversity of disease 4>""",
    "Release": """
<Release: published, table released; 200 of 200 rows; 0 suppressed of 0 allowed
 guarantees: k_anonymity 16; distinct_l_diversity of disease 4
 release 1 in sqlgen_releases>""",
    "Audit": """
<Audit: released meets the policy; 200 rows in 12 classes
 guarantees: k_anonymity 16; distinct_l_diversity of disease 4>""",
    "Check": """
<Check: people: 40 of 200 rows (20.0%) are unique; k = 1
 200 rows in 120 classes on age, street>""",
    "Frontier": """
<Frontier: loss by k, for 200 rows
 2: 0.109400, 4: 0.109400, 500: not met>""",
    "MinimalNodes": """
<MinimalNodes: 1 minimal node of 8; 200 rows
 best: age=1 street=0
 loss 0.109400, 0 suppressed of 0 allowed>""",
    "Explanation": """
<Explanation: loss 0.109400 at age=1 street=0
 one level finer would break the policy: age>""",
    "Joint": """
<Joint: 1 read together, meets the policy; 200 rows in 120 combinations
 fewest candidates: 16 rows, 4 values of disease>""",
    "Evidence": """
<Evidence: release 1, released; meets the policy
 200 rows in 12 classes
 guarantees: k_anonymity, distinct_l_diversity of disease>""",
    "Run": """
<Run: locked, ended well
 levels: age=1 street=0
 200 of 200 rows, table released>""",
    "unmet": """
<Plan: no combination of levels meets the policy; 200 rows
 levels: age=3 street=1
 guarantees: k_anonymity 200 NOT met; distinct_l_diversity of disease 4>""",
}


def test_a_repr_says_what_matters(plain: dict[str, Any]) -> None:
    assert {name: "\n" + repr(value) for name, value in plain.items()} == REPRS


@pytest.mark.parametrize("world_name", ["plain", "hostile"])
def test_a_repr_has_three_lines_and_no_value(
    world_name: str, request: pytest.FixtureRequest
) -> None:
    for kind, value in request.getfixturevalue(world_name).items():
        text = repr(value)
        lines = text.split("\n")
        assert 1 <= len(lines) <= 3, kind
        assert all(len(line) <= 97 and line.isprintable() for line in lines), (kind, lines)
        assert CANARY not in text, kind
        assert "illness" not in text, kind
        assert str(value) == text, kind


class Tags(HTMLParser):
    """The tags and the attributes of a piece of HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)


@pytest.mark.parametrize("kind", ["Plan", "Audit", "Check", "Frontier", "unmet"])
def test_a_notebook_shows_tables_and_nothing_active(
    kind: str, plain: dict[str, Any], hostile: dict[str, Any]
) -> None:
    for value in (plain[kind], hostile[kind]):
        page = value._repr_html_()
        tags = Tags()
        tags.feed(page)
        assert tags.tags == {
            "div",
            "strong",
            "table",
            "caption",
            "thead",
            "tbody",
            "tr",
            "th",
            "td",
        } | ({"p"} if kind == "Check" else set())
        assert tags.attributes == {"style", "scope"}
        assert CANARY not in page
        assert "illness" not in page
        assert "http" not in page
    assert "&lt;script&gt;" in hostile[kind]._repr_html_()


def test_an_audit_in_a_notebook_names_identifiers(plain: dict[str, Any]) -> None:
    audit = replace(plain["Audit"], identifiers=("<i>",))
    assert "Identifiers in the table: &lt;i&gt;." in audit._repr_html_()
    assert "does NOT meet the policy" in repr(audit)
    assert repr(audit).endswith("\n identifiers in the table: <i>>")


def test_rows_of_figures_become_a_frame(plain: dict[str, Any]) -> None:
    plan, audit = plain["Plan"], plain["Audit"]
    names = ["k_anonymity", "distinct_l_diversity"]
    assert list(plan.to_pandas()["name"]) == list(audit.to_pandas()["name"]) == names
    nodes = plain["MinimalNodes"].to_pandas()
    assert len(nodes) == len(plain["MinimalNodes"].nodes)
    assert {"loss", "classes", "suppressed_rows", "age", "street"} <= {*nodes}
    assert list(plain["Frontier"].to_pandas()["k"]) == ["2", "4", "500"]
    assert list(plain["Explanation"].to_pandas()["column"]) == ["age", "street"]
