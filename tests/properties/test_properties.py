"""The SQL against the oracle, on adversarial tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import oracle
from harness import (
    RELEASE,
    applied,
    connected,
    node_of,
    plan_of,
    policy_mapping,
    read_lines,
    released_names,
    released_rows,
    simple_policy,
    staged,
    with_rows,
)
from sqlgen.auditing.audit import audit_table
from sqlgen.auditing.check import check_table
from sqlgen.measuring.nodes import measure_sizes
from sqlgen.measuring.uniqueness import Uniqueness
from sqlgen.planning.lock import lock_text
from sqlgen.planning.plan import make_plan
from sqlgen.policy import read_policy
from sqlgen.recodings.full_domain import labels_of
from sqlgen.recodings.release import release_sql
from sqlgen.staging.ladders import staged_ladder
from sqlgen.staging.sensitive import Sensitive
from strategies import Table, quoted, tables

KS = st.integers(2, 5)
BUDGETS = st.one_of(
    st.integers(0, 12), st.sampled_from(["0%", "2%", "10%", "12.5 %", "33.3%", "50%", "100%"])
)
NO_VALUES = Sensitive((), {})
ROOMY: list[str | int] = [0, 3, "50%", "100%"]
# Every node is measured one by one, so the lattices are small ones.
MOST_NODES = 130


@dataclass(frozen=True)
class Planned:
    """A table with what is asked of it and the oracle's answer."""

    table: Table
    k: int
    suppression: str | int
    optimum: oracle.Optimum


def oracle_budget(suppression: str | int, rows: int) -> int:
    text = suppression.replace(" ", "") if isinstance(suppression, str) else suppression
    return oracle.budget(text, rows)


def best(table: Table, k: int, suppression: str | int) -> oracle.Optimum | None:
    ladders = table.ladders
    assume(len(oracle.lattice(ladders)) <= MOST_NODES)
    return oracle.optimum(table.rows, ladders, k, oracle_budget(suppression, len(table.rows)))


@given(tables())
def test_every_value_has_the_oracles_label_at_every_level(table: Table) -> None:
    ladders = list(table.ladders.values())
    policy = read_policy(policy_mapping(table, 2))
    with connected(table) as connection, staged(policy, connection) as made:
        for level in range(max(ladder.height for ladder in ladders) + 1):
            for ladder, labels in zip(ladders, made.labels(level), strict=True):
                kept = {value: label for value, label in labels.items() if value in ladder.leaves}
                height = min(level, ladder.height)
                assert kept == {value: ladder.at(value, height) for value in kept}
                assert labels.keys() - kept.keys() == ladder.suppressed


@given(tables())
def test_staged_ids_stand_for_the_oracles_labels(table: Table) -> None:
    policy = read_policy(policy_mapping(table, 2))
    with connected(table) as connection, staged(policy, connection) as made:
        for number, ladder in enumerate(table.ladders.values(), 1):
            staged_one = staged_ladder(number, made.staged.ladders[number - 1])
            for level in range(ladder.height):
                query = f"SELECT value, id_{level} FROM {{}} WHERE is_kept"
                ids = dict(made.fetch(query, staged_one))
                assert ids.keys() == ladder.leaves.keys()
                pairs = {(ladder.at(value, level), ids[value]) for value in ids}
                labels = {label for label, _ in pairs}
                assert len(pairs) == len(labels) == len(set(ids.values()))


@given(tables())
def test_leaves_are_the_oracles_leaves(table: Table) -> None:
    policy = read_policy(policy_mapping(table, 2))
    with connected(table) as connection, staged(policy, connection) as made:
        expected = tuple(len(ladder.leaves) for ladder in table.ladders.values())
        assert tuple(each.leaves for each in made.staged.facts.columns) == expected


@given(tables(max_quasi=3), KS)
def test_every_node_measures_what_the_oracle_measures(table: Table, k: int) -> None:
    ladders = table.ladders
    nodes = oracle.lattice(ladders)
    assume(len(nodes) <= MOST_NODES)
    policy = read_policy(policy_mapping(table, k))
    with connected(table) as connection, staged(policy, connection) as made:
        measured = measure_sizes(made.engine, made.staged, [policy.guarantees], nodes)
    for node, (found,) in zip(nodes, measured, strict=True):
        released, suppressed = oracle.release(table.rows, ladders, node, k)
        quasi = list(ladders)
        assert found.suppressed_rows == suppressed
        assert found.classes == len(oracle.classes(released, quasi))
        assert found.values == (oracle.k_of(released, quasi),)


@given(tables(), KS, st.data())
def test_rolling_up_equals_counting_afresh(table: Table, k: int, data: st.DataObject) -> None:
    node = data.draw(st.sampled_from(oracle.lattice(table.ladders)))
    policy = read_policy(policy_mapping(table, k))
    with connected(table) as connection, staged(policy, connection) as made:
        rolled = measure_sizes(made.engine, made.staged, [policy.guarantees], [node])[0][0]
        query = release_sql(labels_of(made.recodings(node)), made.source, policy, NO_VALUES, 0)
        keys = ", ".join(map(quoted, table.quasi))
        afresh = made.fetch(
            f"SELECT COUNT(*), CAST(COALESCE(SUM(size), 0) AS BIGINT), COALESCE(MIN(size), 0) "
            f"FROM (SELECT COUNT(*) AS size FROM ({{}}) GROUP BY {keys})",
            query,
        )
    assert afresh == [(rolled.classes, len(table.rows) - rolled.suppressed_rows, *rolled.values)]


@given(tables(), KS, st.data())
def test_every_node_releases_the_oracles_rows(table: Table, k: int, data: st.DataObject) -> None:
    node = data.draw(st.sampled_from(oracle.lattice(table.ladders)))
    policy = read_policy(policy_mapping(table, k))
    with connected(table) as connection, staged(policy, connection) as made:
        query = release_sql(labels_of(made.recodings(node)), made.source, policy, NO_VALUES, 0)
        rows = made.fetch("SELECT * FROM ({})", query)
    released, _ = oracle.release(table.rows, table.ladders, node, k)
    assert sorted(map(repr, rows)) == sorted(map(repr, released_rows(released, table).elements()))


@settings(max_examples=3 * settings().max_examples)
@given(tables(), KS, BUDGETS)
def test_the_plan_is_the_oracles_optimum(table: Table, k: int, suppression: str | int) -> None:
    expected = best(table, k, suppression)
    plan = plan_of(table, k, suppression)
    assert plan.satisfied == (expected is not None)
    if expected is None:
        return
    ladders = table.ladders
    assert node_of(plan, ladders) == expected.node
    assert plan.objective == pytest.approx(expected.loss.value, rel=1e-12, abs=1e-12)
    assert plan.suppressed_rows == expected.suppressed
    assert plan.classes == len(oracle.classes(expected.released, list(ladders)))
    assert plan.guarantees[0].value == oracle.k_of(expected.released, list(ladders))


@given(tables(), KS, BUDGETS, st.randoms(use_true_random=False))
def test_orders_of_rows_and_of_policy_keys_never_change_the_plan(
    table: Table, k: int, suppression: str | int, random: Random
) -> None:
    assume(len(oracle.lattice(table.ladders)) <= MOST_NODES)
    rows = list(table.rows)
    random.shuffle(rows)
    mapping = policy_mapping(table, k, suppression)
    with connected(with_rows(table, rows)) as connection:
        shuffled = make_plan(read_policy(_shuffled(mapping, random)), connection)
    assert lock_text(shuffled) == lock_text(plan_of(table, k, suppression))


def _shuffled(content: Any, random: Random) -> Any:
    if not isinstance(content, Mapping):
        return content
    # The order of a tree's leaves is the order of the lines it stands for, and not a key's.
    keys = list(content)
    random.shuffle(keys)
    return {key: _shuffled(content[key], random) for key in keys}


@given(tables(max_rows=15), KS, BUDGETS)
def test_doubling_every_row_and_every_threshold_changes_no_level(
    table: Table, k: int, suppression: str | int
) -> None:
    assume(len(oracle.lattice(table.ladders)) <= MOST_NODES)
    allowed = oracle_budget(suppression, len(table.rows))
    once = plan_of(table, k, allowed)
    twice = plan_of(with_rows(table, table.rows * 2), 2 * k, 2 * allowed)
    assert twice.satisfied == once.satisfied
    assert (twice.levels, twice.classes) == (once.levels, once.classes)
    assert twice.suppressed_rows == 2 * once.suppressed_rows


@given(tables())
def test_a_check_equals_the_oracles(table: Table) -> None:
    expected = oracle.check(table.rows, table.quasi)
    with connected(table) as connection:
        found = check_table(connection, quoted(table.name), quasi=table.quasi, k=3)
    assert (found.rows, found.classes, found.k, found.unique_rows) == (
        expected.rows,
        expected.classes,
        expected.k,
        expected.unique_rows,
    )
    without = {column: (each.k, each.unique_rows) for column, each in found.without.items()}
    assert without == expected.without
    for bucket in found.sizes:
        most = bucket.most or len(table.rows)
        inside = {n: c for n, c in expected.sizes.items() if bucket.least <= n <= most}
        assert (bucket.classes, bucket.rows) == (
            sum(inside.values()),
            sum(n * c for n, c in inside.items()),
        )
    assert sum(bucket.classes for bucket in found.sizes) == expected.classes
    assert found.rows_below_k == sum(n * c for n, c in expected.sizes.items() if n < 3)


@given(tables(max_rows=20))
def test_doubling_every_row_doubles_k_and_leaves_the_classes(table: Table) -> None:
    found = []
    for rows in (table.rows, table.rows * 2):
        with connected(with_rows(table, rows)) as connection:
            found.append(check_table(connection, quoted(table.name), quasi=table.quasi))
    once, twice = found
    assert (twice.rows, twice.classes, twice.k) == (2 * once.rows, once.classes, 2 * once.k)


@st.composite
def satisfiable(draw: st.DrawFn, max_rows: int = 40) -> Planned:
    """A table, k and budget for which there is a plan, with the oracle's."""
    table, k = draw(tables(max_rows)), draw(st.integers(2, 4))
    suppression: str | int = draw(st.sampled_from(ROOMY))
    optimum = best(table, k, suppression)
    assume(optimum is not None)
    assert optimum is not None
    return Planned(table, k, suppression, optimum)


@given(satisfiable())
def test_applying_a_plan_releases_the_oracles_rows(planned: Planned) -> None:
    table = planned.table
    with applied(table, planned.k, planned.suppression) as found:
        assert list(found.columns()) == released_names(table)
        assert Counter(found.rows()) == released_rows(planned.optimum.released, table)


@given(satisfiable())
def test_what_is_applied_passes_an_audit_of_the_table_alone(planned: Planned) -> None:
    table, optimum = planned.table, planned.optimum
    with applied(table, planned.k, planned.suppression) as found:
        audit = audit_table(found.plan.policy, source=found.connection)
    assert audit.satisfied
    assert found.release.satisfied
    # The attacks are counted, and what is lost, by the command alone.
    alone: dict[str, Any] = {"attacks": (), "metrics": {}, "answers": (), "not_measured": ""}
    alone |= {"uniqueness": Uniqueness(), "masked": None}
    assert found.release.audit == replace(audit, **alone)
    assert audit.rows == len(optimum.released)
    assert audit.classes == len(oracle.classes(optimum.released, table.quasi))
    assert audit.guarantees[0].value == oracle.k_of(optimum.released, table.quasi)


@given(satisfiable())
def test_types_are_kept_where_values_are(planned: Planned) -> None:
    with applied(planned.table, planned.k, planned.suppression) as found:
        levels = found.plan.levels
        expected = {
            column.name: column.type if (levels or {}).get(column.name, 0) == 0 else "VARCHAR"
            for column in planned.table.columns
            if column.role != "identifier"
        }
        assert found.columns() == expected


@given(satisfiable(), st.randoms(use_true_random=False))
def test_the_release_has_an_order_of_its_own(planned: Planned, random: Random) -> None:
    shuffled = list(planned.table.rows)
    random.shuffle(shuffled)
    orders = []
    for table in (planned.table, with_rows(planned.table, shuffled)):
        with applied(table, planned.k, planned.suppression) as found:
            orders.append(found.rows())
    assert orders[0] == orders[1]


@settings(max_examples=15)
@given(satisfiable(max_rows=20))
def test_a_view_shows_what_a_table_holds(planned: Planned) -> None:
    seen = []
    for release in ({"table": quoted(RELEASE)}, {"view": quoted(RELEASE)}):
        with applied(planned.table, planned.k, planned.suppression, release) as found:
            assert audit_table(found.plan.policy, source=found.connection).satisfied
            seen.append((found.columns(), found.rows()))
    assert seen[0] == seen[1]


@settings(max_examples=15)
@given(satisfiable(max_rows=20))
def test_a_parquet_file_holds_what_a_table_holds(planned: Planned) -> None:
    with applied(planned.table, planned.k, planned.suppression) as found:
        expected = found.columns(), found.rows()
    with TemporaryDirectory() as folder:
        file = f"{folder}/release.parquet"
        release = {"parquet": file}
        with applied(planned.table, planned.k, planned.suppression, release) as found:
            assert audit_table(found.plan.policy, source=found.connection).satisfied
            read = f"READ_PARQUET('{file}')"
            assert (found.columns(read), found.rows(read)) == expected


@settings(max_examples=15)
@given(satisfiable(max_rows=20))
def test_a_csv_file_holds_what_a_table_holds(planned: Planned) -> None:
    with applied(planned.table, planned.k, planned.suppression) as found:
        texts = f"(SELECT CAST(COLUMNS(*) AS VARCHAR) FROM {quoted(RELEASE)})"
        expected = [[cell or "" for cell in row] for row in found.rows(texts)]
        figures = found.release.audit
    with TemporaryDirectory() as folder:
        release = {"csv": f"{folder}/release.csv"}
        with applied(planned.table, planned.k, planned.suppression, release) as found:
            audit = audit_table(found.plan.policy, source=found.connection)
        header, *rows = read_lines(Path(folder) / "release.csv")
    assert (header, rows) == (released_names(planned.table), expected)
    assert (audit.rows, audit.classes) == (figures.rows, figures.classes)
    assert audit.guarantees == figures.guarantees


def test_an_audit_of_a_csv_file_tells_null_from_the_empty_text(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('a,b\n,1\n"",1\n', encoding="utf-8")
    quasi = {"role": "quasi", "hierarchy": "suppress"}
    policy = simple_policy({"a": quasi, "b": quasi}, release={"csv": str(tmp_path / "t.csv")})
    assert audit_table(policy, source=duckdb.connect()).classes == 2


@settings(max_examples=10)
@given(tables(max_rows=20), KS, BUDGETS)
def test_a_path_a_connection_and_a_dataframe_give_the_same_plan(
    table: Table, k: int, suppression: str | int
) -> None:
    assume(len(oracle.lattice(table.ladders)) <= MOST_NODES)
    with connected(table) as connection:
        frame = connection.execute(f"SELECT * FROM {quoted(table.name)}").df()
    # An all-NULL column of a DataFrame has no type to compare.
    assume(table.rows and not frame.isna().all().any())
    with TemporaryDirectory() as folder:
        policy = read_policy(policy_mapping(table, k, suppression, files=Path(folder)))
        path = Path(folder) / "rows.duckdb"
        with duckdb.connect(path) as connection:
            connection.register("frame", frame)
            connection.execute(f"CREATE TABLE {quoted(table.name)} AS SELECT * FROM frame")
            from_connection = lock_text(make_plan(policy, connection))
        assert lock_text(make_plan(policy, path)) == from_connection
        assert lock_text(make_plan(policy, frame)) == from_connection
