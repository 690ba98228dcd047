"""Rows never leave the database: what is fetched is counts and verdicts, statement by statement."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
import sqlglot
from sqlglot import exp

from span_checks import persons_behind_ranges_and_sets_are_counted_in_the_source
from sqlgen import (
    HierarchyError,
    Watch,
    apply_plan,
    audit_history,
    audit_table,
    check_table,
    make_plan,
)
from sqlgen.engines import fresh_rows
from sqlgen.engines.duckdb.engine import DuckDB
from sqlgen.policy import Policy
from sqlgen.sql.render import Statement
from tables import (
    KINDS,
    patients,
    patients_columns,
    patients_file,
    patients_policy,
    planned,
    release_to,
)

pytestmark = pytest.mark.usefixtures("real_functions")

PACKAGE = Path(__file__).parents[2] / "sqlgen"

# Fetched, and no aggregate at the outermost SELECT: what each gives instead.
EXCEPTIONS = {
    "auditing/check_sizes": "aggregates, one row per bucket of sizes",
    "engines/duckdb/columns": "names and types of columns",
    "engines/duckdb/current_settings": "names and values of settings",
    "engines/duckdb/find": "names of a table or view",
    "engines/duckdb/foreign_settings": "names and values of settings",
    "engines/duckdb/function_names": "names of functions",
    "engines/duckdb/functions": "names of functions",
    "engines/duckdb/databases": "paths of database files",
    "engines/duckdb/explain": "how the engine would read a relation",
    "engines/duckdb/ours": "names of tables and views",
    "engines/duckdb/setting_names": "names of settings",
    "engines/duckdb/unfit_functions": "names of functions",
    "hierarchies/list_facts": "aggregates, one row per list",
    "staging/label_sizes": "aggregates, one row per ladder and level",
    "staging/row_sums": "aggregates, one row per ladder and level",
    "ledger/insert": "the number of the release that was written",
    "measuring/verdict": "aggregates, one row per node",
    "measuring/class_sums": "aggregates, one row of released classes and one of suppressed ones",
    "metrics/shown_levels": "aggregates, one row per column and level",
    "metrics/shown_spans": "aggregates, one row per column",
    "releasing/in_the_way": "names of what has the release's name",
    "releasing/read_audit": "the one row of aggregates that releasing/audit made",
    "releasing/read_partitions": "the one row of counts that releasing/partitions made",
}
# The files that fetch.
FETCHING = {
    "releasing/apply.py": {"rows", "frame"},
    "auditing/audit.py": {"rows"},
    "auditing/paired.py": {"rows"},
    "engines/duckdb/catalog.py": {"rows"},
    "auditing/check.py": {"rows"},
    "history/combinations.py": {"rows"},
    "engines/duckdb/session.py": {"rows"},
    "engines/duckdb/rewrite/copy.py": {"rows"},
    "engines/duckdb/definition.py": {"rows"},
    "releasing/targets/views.py": {"rows"},
    "history/differencing.py": {"rows"},
    "releasing/drift.py": {"rows"},
    "engines/duckdb/engine.py": {"fetchall", "df"},
    "measuring/attacks.py": {"rows"},
    "staging/expressions.py": {"rows"},
    "staging/fingerprints.py": {"rows"},
    "engines/duckdb/dataframes.py": {"rows"},
    "ledger/increments.py": {"rows"},
    "history/joint.py": {"rows"},
    "staging/missing_values.py": {"rows"},
    "staging/ladders.py": {"rows"},
    "ledger/ledger.py": {"rows"},
    "auditing/utility.py": {"rows"},
    "measuring/masking.py": {"rows"},
    "measuring/nodes.py": {"rows"},
    "recodings/blocked.py": {"rows"},
    "recodings/anatomy.py": {"rows"},
    "recodings/alike_labels.py": {"rows"},
    "recodings/alike_search.py": {"rows"},
    "recodings/mondrian.py": {"rows"},
    "recodings/region_recoding.py": {"rows"},
    "recodings/uncut.py": {"rows"},
    "recodings/kept_search.py": {"rows"},
    "recodings/local_search.py": {"rows"},
    "recodings/region_release.py": {"rows"},
    "auditing/advice.py": {"rows"},
    "auditing/alikeness.py": {"rows"},
    "history/origins.py": {"rows"},
    "history/read_regions.py": {"rows"},
    "ledger/other_ledgers.py": {"rows"},
    "auditing/persons.py": {"rows"},
    "history/shared_rows.py": {"rows"},
    "measuring/queries.py": {"rows"},
    "staging/references.py": {"rows"},
    "staging/read_spans.py": {"rows"},
    "history/repeated.py": {"rows"},
    "releasing/already_released.py": {"rows"},
    "history/read_release.py": {"rows"},
    "measuring/ruled_out.py": {"rows"},
    "releasing/scrub.py": {"rows"},
    "engines/duckdb/selection.py": {"rows"},
    "staging/sensitive.py": {"rows"},
    "staging/read_back.py": {"rows"},
    "staging/column_facts.py": {"rows"},
    "measuring/histograms.py": {"rows"},
    "staging/stage.py": {"rows"},
    "releasing/replaceable.py": {"rows"},
    "measuring/class_sums.py": {"rows"},
    "releasing/targets/resolve.py": {"rows"},
    "measuring/uniqueness.py": {"rows"},
    "staging/count_cells.py": {"rows"},
}
FETCHES = {"rows", "frame", "fetchall", "fetchone", "fetchmany", "df", "fetchdf", "arrow", "pl"}


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch) -> list[Statement]:
    """The statements whose rows come back to Python while a test runs."""
    on_statement: list[Statement] = []
    rows, frame = DuckDB.rows, DuckDB.frame

    def listening_rows(engine: DuckDB, statement: Statement) -> list[tuple[Any, ...]]:
        on_statement.append(statement)
        return rows(engine, statement)

    def listening_frame(engine: DuckDB, statement: Statement) -> Any:
        on_statement.append(statement)
        return frame(engine, statement)

    # What an engine that nobody has changed says is asked once in a process.
    fresh_rows.cache_clear()
    monkeypatch.setattr(DuckDB, "rows", listening_rows)
    monkeypatch.setattr(DuckDB, "frame", listening_frame)
    return on_statement


def arms(query: Any) -> Iterator[exp.Select]:
    """Each SELECT of a query's UNION."""
    if isinstance(query, exp.Union):
        yield from arms(query.left)
        yield from arms(query.right)
    else:
        assert isinstance(query, exp.Select)
        yield query


def tells_of_one_row(value: Any) -> bool:
    """Whether a select item reads a column outside an aggregate; a scalar subquery likewise."""
    value = value.unalias()
    if isinstance(value, exp.Subquery):
        return not gives_aggregates_alone(value.this)
    if isinstance(value, (exp.AggFunc, exp.Filter)):
        return False
    if isinstance(value, (exp.Column, exp.Star, exp.Window)):
        return True
    return any(tells_of_one_row(child) for child in value.iter_expressions())


def gives_aggregates_alone(query: Any) -> bool:
    """Whether every SELECT of a UNION gives one row of aggregates and constants."""
    return all(
        not select.args.get("group") and not any(map(tells_of_one_row, select.expressions))
        for select in arms(query)
    )


def only_aggregates(text: str) -> bool:
    if text.startswith("EXPLAIN"):
        return False
    (tree,) = sqlglot.parse(text, dialect="duckdb")
    assert tree is not None
    # What is written comes back by RETURNING.
    if isinstance(tree, exp.Insert):
        return False
    return gives_aggregates_alone(tree)


def telling(statements: list[Statement]) -> set[str]:
    """The templates whose statements give more than aggregates."""
    return {each.template for each in statements if not only_aggregates(each.text)}


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("SELECT COUNT(*), MIN(a), 1, 'x' FROM t", True),
        ("SELECT CAST(COALESCE(SUM(a) FILTER (WHERE b), 0) AS BIGINT) FROM t", True),
        ("SELECT (SELECT COUNT(*) FROM t) AS n, COUNT(*) FROM u", True),
        ("SELECT 1 AS n, COUNT(*) FROM t UNION ALL SELECT 2, COUNT(*) FROM t", True),
        ("SELECT a FROM t", False),
        ("SELECT * FROM t", False),
        ("SELECT COUNT(*), a FROM t GROUP BY a", False),
        ("SELECT COUNT(*) FROM t GROUP BY a", False),
        ("SELECT (SELECT a FROM t LIMIT 1), COUNT(*) FROM u", False),
        ("SELECT COUNT(*) FROM t UNION ALL SELECT a FROM t", False),
        ("SELECT SUM(a) OVER () FROM t", False),
        ("INSERT INTO t SELECT COUNT(*) FROM u RETURNING a", False),
    ],
)
def test_the_test_tells_aggregates_from_rows(text: str, verdict: bool) -> None:
    assert only_aggregates(text) is verdict


def lists_columns() -> dict[str, dict[str, Any]]:
    """The columns of the patients, with two lists and an expression for hierarchies."""
    columns = patients_columns()
    columns["sex"]["hierarchy"] = {"tree": {"any": ["f", "m"]}}
    columns["zip"]["hierarchy"] = {"table": "zips"}
    columns["age"]["hierarchy"] = {"sql": ["age // 10"]}
    return columns


def patients_with_lists() -> duckdb.DuckDBPyConnection:
    connection = patients()
    connection.execute(
        "CREATE TABLE zips AS SELECT DISTINCT zip, left(zip, 4) AS area FROM patients "
        "WHERE zip IS NOT NULL"
    )
    return connection


def test_a_plan_fetches_aggregates_alone(fetched: list[Statement]) -> None:
    policy = patients_policy(columns=lists_columns(), source={"query": "FROM patients"})
    planned(policy, patients_with_lists())
    assert "measuring/verdict" in {each.template for each in fetched}
    assert telling(fetched) <= set(EXCEPTIONS)


@pytest.mark.parametrize("kind", KINDS)
def test_a_release_fetches_aggregates_alone(
    kind: str, fetched: list[Statement], tmp_path: Path
) -> None:
    connection = patients()
    apply_plan(planned(patients_policy(release=release_to(kind, tmp_path)), connection), connection)
    assert telling(fetched) <= set(EXCEPTIONS)


def test_what_a_release_reads_of_its_audit_are_aggregates() -> None:
    connection = patients()
    on_statement: list[Statement] = []
    apply_plan(
        planned(patients_policy(), connection),
        connection,
        watch=Watch(on_statement=on_statement.append),
    )
    (made,) = [each for each in on_statement if each.template == "releasing/audit"]
    text = re.sub(r"\A(--.*\n)*CREATE TEMPORARY TABLE \S+ AS\n", "", made.text)
    (tree,) = sqlglot.parse(text, dialect="duckdb")
    assert isinstance(tree, exp.Select)
    source = tree.find(exp.From)
    assert source is not None
    assert gives_aggregates_alone(source.this.this)
    others = [each for each in tree.expressions if not each.sql().startswith("measured.")]
    assert 0 < len(others) < len(tree.expressions)
    assert not any(map(tells_of_one_row, others))


def test_an_audit_fetches_aggregates_alone(fetched: list[Statement]) -> None:
    audit_table(patients_policy(columns=patients_columns()), "patients", patients())
    assert "auditing/judged" in {each.template for each in fetched}
    assert telling(fetched) <= set(EXCEPTIONS)


def test_reading_releases_together_fetches_aggregates_alone(fetched: list[Statement]) -> None:
    connection = patients_with_lists()
    for target in ("one", "two"):
        policy = patients_policy(columns=lists_columns(), release={"table": target})
        apply_plan(planned(policy, connection), connection)
    fetched.clear()
    audit_history(policy, connection)
    asked = {each.template for each in fetched if each.template.startswith("history/")}
    assert asked == {
        "history/candidate_rows",
        "history/candidate_values",
        "history/difference",
    }
    # Aggregates, one row per pair of releases.
    # Names of other ledgers, from the catalog.
    assert telling(fetched) <= {
        *EXCEPTIONS,
        "ledger/entries",
        "ledger/others",
        "history/difference",
    }


def test_a_check_fetches_aggregates_alone(fetched: list[Statement]) -> None:
    check_table(patients(), "patients", quasi=["zip", "age", "sex"], sensitive=["disease"], k=5)
    assert {
        "auditing/check_classes",
        "auditing/check_sizes",
        "auditing/check_without",
        "auditing/judged",
    } <= {each.template for each in fetched}
    assert telling(fetched) <= set(EXCEPTIONS)


def uncovering(show_values: bool) -> None:
    columns = patients_columns()
    columns["sex"]["hierarchy"] = {"tree": {"any": ["f"]}}
    with pytest.raises(HierarchyError):
        make_plan(
            patients_policy(columns=columns), patients(), watch=Watch(show_values=show_values)
        )


def test_values_outside_a_hierarchy_are_fetched_only_for_who_asks(
    fetched: list[Statement],
) -> None:
    uncovering(show_values=False)
    assert telling(fetched) <= set(EXCEPTIONS)
    uncovering(show_values=True)
    assert "staging/uncovered_values" in telling(fetched)


def test_a_dataframe_gets_its_rows_and_a_database_does_not(fetched: list[Statement]) -> None:
    frame = patients().execute("SELECT * FROM patients").df()
    policy = patients_policy()
    apply_plan(make_plan(policy, frame), frame)
    assert telling(fetched) - set(EXCEPTIONS) == {"releasing/read_release"}


def spread(connection: duckdb.DuckDBPyConnection) -> Policy:
    """A policy of a table that has many nodes to fail, and rows to suppress."""
    connection.execute(
        "CREATE TABLE spread AS SELECT i * 7 % 16 AS a, i * 11 // 3 % 16 AS b, i * i % 13 AS c "
        "FROM RANGE(150) AS t (i)"
    )
    rule = {"role": "quasi", "hierarchy": {"intervals": [2, 4, 8]}}
    columns = dict.fromkeys(("a", "b", "c"), rule)
    return patients_policy(source={"table": "spread"}, columns=columns)


def test_every_exception_still_needs_to_be_one(fetched: list[Statement], tmp_path: Path) -> None:
    connection = patients_with_lists()
    dropping = lists_columns()
    dropping["zip"]["nulls"] = "suppress"
    planned(patients_policy(columns=dropping, suppression="50%"), connection)
    planned(spread(connection), connection)
    for kind in ("table", "csv", "partitioned"):
        release = release_to(kind, tmp_path)
        plan = planned(patients_policy(columns=lists_columns(), release=release), connection)
        for _ in range(2):
            apply_plan(plan, connection, replace=True)
    audit_table(patients_policy(), "patients", patients())
    persons_behind_ranges_and_sets_are_counted_in_the_source()
    check_table(patients(), "patients", quasi=["zip", "age"])
    # A macro that has a name of ours and is in nobody's way, and settings of a file's connection.
    database = patients_file(tmp_path)
    with duckdb.connect(str(database)) as stored:
        stored.execute("CREATE SCHEMA own; CREATE MACRO own.ln(x) AS 0.0")
    check_table(database, "patients", quasi=["zip", "age"])
    # DuckDB 1.5 lacks one of the settings, and asks for all.
    lacking = set() if duckdb.__version__ >= "2" else {"engines/duckdb/current_settings"}
    assert telling(fetched) == set(EXCEPTIONS) - lacking


def fetching() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr in FETCHES and fetches(node):
                found.setdefault(path.relative_to(PACKAGE).as_posix(), set()).add(node.attr)
    return found


def fetches(node: ast.Attribute) -> bool:
    """Whether ``rows`` is an engine's; a plan and a release have a number of that name."""
    return node.attr not in ("rows", "frame") or ast.unparse(node.value).endswith("engine")


def test_rows_are_fetched_in_a_short_list_of_files() -> None:
    assert fetching() == FETCHING
