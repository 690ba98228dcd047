"""Every piece of a policy in the documentation can be planned with."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from policy_snippets import Snippet, blocks, make_warehouse, policies_of, read, snippets
from sqlgen import SearchLimits, make_plan, read_policy

# A piece that names what no table made to fit can have, with the reason.
NOT_PLANNED = {
    "{in_place: {drop: [people_id_pkey, people_age_check]}}": "names of one table's constraints",
}
EVERY = snippets()
PLANNED = [each for each in EVERY if each.text not in NOT_PLANNED]


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("warehouse")
    make_warehouse(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        yield folder


@pytest.fixture(scope="module")
def connection(warehouse: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(str(warehouse / "warehouse.duckdb")) as made:
        yield made


@pytest.mark.battery
@pytest.mark.parametrize("snippet", PLANNED, ids=str)
def test_a_piece_of_a_policy_in_a_document_can_be_planned_with(
    snippet: Snippet, warehouse: Path, connection: duckdb.DuckDBPyConnection
) -> None:
    for content in policies_of(snippet.text, warehouse):
        plan = make_plan(read_policy(content), connection, limits=SearchLimits(max_nodes=1))
        assert plan.rows == 60


@pytest.mark.parametrize("block", blocks(), ids=lambda each: each.document)
def test_a_policy_in_a_document_can_be_planned_with(
    block: Snippet, warehouse: Path, connection: duckdb.DuckDBPyConnection
) -> None:
    content = read(block.text, warehouse)
    named = ", ".join(content["columns"])
    content["source"] = {"query": f"SELECT {named} FROM patients"}
    plan = make_plan(read_policy(content), connection, limits=SearchLimits(max_nodes=1))
    assert plan.rows == 60


def test_pieces_are_found_in_every_kind_of_place() -> None:
    texts = {each.text for each in EVERY}
    in_a_table, in_a_remark, in_a_comment = "{prefixes: [4, 3]}", "levels: 2", "since: loaded_at"
    in_prose, in_a_docstring = "jointly: true", 'sql: ["left(zip, 3)"]'
    assert texts >= {in_a_table, in_a_remark, in_a_comment, in_prose, in_a_docstring}
    assert len(blocks()) >= 1


def test_a_piece_that_is_not_planned_stands_in_a_document() -> None:
    assert NOT_PLANNED.keys() <= {each.text for each in EVERY}
