"""Figures for people: no share that is not zero prints as zero, no alarm is true of every table."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli_harness import spawn
from sqlgen import (
    Audit,
    Plan,
    SearchLimits,
    apply_plan,
    audit_table,
    check_table,
    make_plan,
    minimal_nodes,
    read_evidence,
    read_policy,
)
from sqlgen.cli.text.results import audit_text, check_text, plan_text
from sqlgen.cli.text.search import minimal_text
from sqlgen.planning.empty_columns import find_relief
from sqlgen.planning.session import Limit, open_session
from sqlgen.reports.page import page_html
from sqlgen.reports.plots import bars_svg
from sqlgen.wording import objective_words, share_words

SUPPRESSED: dict[str, Any] = {"role": "quasi", "hierarchy": "suppress"}


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connected:
        yield connected


# Shares


@given(part=st.integers(0, 10**9), whole=st.integers(1, 10**9))
def test_a_share_prints_as_none_or_all_only_where_it_is(part: int, whole: int) -> None:
    part = min(part, whole)
    words = share_words(part / whole)
    assert (words == "0%") == (part == 0)
    assert (words == "100%") == (part == whole)
    assert words not in ("0.0%", "100.0%")


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (0, "0%"),
        (1e-9, "under 0.1%"),
        (0.00099, "under 0.1%"),
        (0.001, "0.1%"),
        (0.5, "50.0%"),
        (0.999, "99.9%"),
        (0.9999999, "over 99.9%"),
        (1, "100%"),
    ],
)
def test_a_share_says_that_it_is_under_a_tenth_of_a_percent(part: float, words: str) -> None:
    assert share_words(part) == words


def test_seven_rows_of_many_are_told_with_their_count(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    """Of 20,000 rows seven are unique by their ward, and share a disease in their zip code."""
    connection.execute(
        "CREATE TABLE t AS SELECT LEAST(i, 7) AS ward, i < 7 AS zip, "
        "CAST(CASE WHEN i < 7 THEN 1 ELSE i % 10 END AS VARCHAR) AS disease "
        "FROM RANGE(20000) AS r (i)"
    )
    checked = check_text(check_table(connection, "t", quasi=["ward"]))
    assert "7 of 20,000 rows (under 0.1%) are unique" in checked
    policy = read_policy(
        {
            "source": {"table": "t"},
            "columns": {
                "zip": SUPPRESSED,
                "ward": {"role": "other"},
                "disease": {"role": "sensitive"},
            },
            "guarantees": [{"k_anonymity": {"k": 2}}],
        }
    )
    assert re.search(
        r"as all of a class share one value +7 +under 0\.1% +homogeneity",
        audit_text(audit_table(policy, "t", connection)),
    )
    minimal = minimal_text(minimal_nodes(policy, connection))
    assert "7 (under 0.1%)" in minimal
    assert "(0.0%)" not in minimal


# Attacks


def audited(
    connection: duckdb.DuckDBPyConnection, rows: Sequence[tuple[str, str | None]], **column: Any
) -> Audit:
    connection.execute("CREATE OR REPLACE TABLE t (zip VARCHAR, s VARCHAR)")
    connection.executemany("INSERT INTO t VALUES (?, ?)", [list(row) for row in rows])
    policy = read_policy(
        {
            "columns": {"zip": SUPPRESSED, "s": {"role": "sensitive", **column}},
            "guarantees": [{"k_anonymity": {"k": 2}}],
        }
    )
    return audit_table(policy, "t", connection)


def counted(rows: Sequence[tuple[str, str | None]]) -> dict[str, float]:
    """By brute force, the attacks that classes add to what the table as a whole is open to."""
    classes: dict[str, Counter[str | None]] = {}
    for zip_code, value in rows:
        classes.setdefault(zip_code, Counter())[value] += 1
    whole = Counter(value for _, value in rows)
    found: dict[str, float] = {}
    for excluded in range(4):
        # NULL is a value that everybody in a class may share, and none that is left to be known.
        known = len(whole) - (excluded > 0 and None in whole)
        if known > excluded + 1:
            found[f"{excluded} ruled out"] = sum(
                values.total() for values in classes.values() if len(values) <= excluded + 1
            )
    concentration = max(
        Fraction(count) / max(Fraction(1), Fraction(values.total() * whole[value], len(rows)))
        for values in classes.values()
        for value, count in values.items()
    )
    if concentration > 2:
        found["concentration"] = float(concentration)
    return found


def told(audit: Audit) -> dict[str, float]:
    return {
        "concentration"
        if each.guarantee.name == "concentration"
        else f"{getattr(each.guarantee, 'excluded', 0)} ruled out": float(each.value)
        for each in audit.attacks
    }


ROWS = st.lists(
    st.tuples(st.sampled_from("ab"), st.sampled_from(["flu", "cold", "gout", "ulcer", None])),
    min_size=1,
    max_size=12,
)


def test_an_audit_tells_the_attacks_that_classes_add_to_the_whole_table(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    @given(rows=ROWS)
    def tells(rows: list[tuple[str, str | None]]) -> None:
        assert told(audited(connection, rows)) == pytest.approx(counted(rows))

    tells()


def test_ruling_out_one_of_two_values_is_no_alarm(connection: duckdb.DuckDBPyConnection) -> None:
    rows = [("a", "yes"), ("a", "no"), ("b", "yes"), ("b", "no")]
    audit = audited(connection, rows)
    assert told(audit) == {"0 ruled out": 0}
    assert "ruled out" not in audit_text(audit)


def test_a_null_is_no_third_value_beside_yes_and_no(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    rows: list[tuple[str, str | None]] = [("a", "yes"), ("a", "no"), ("b", None), ("b", "no")]
    assert told(audited(connection, rows)) == {"0 ruled out": 0}
    same: list[tuple[str, str | None]] = [("a", "yes"), ("a", "yes"), ("b", None), ("b", None)]
    assert told(audited(connection, same)) == {"0 ruled out": 4}


def test_one_group_of_all_values_is_no_alarm(connection: duckdb.DuckDBPyConnection) -> None:
    """At the upper level of the tree every value is an illness: similarity there adds nothing."""
    tree = {"illness": {"lungs": ["flu", "cold"], "stomach": ["ulcer"]}}
    rows = [("a", "flu"), ("a", "cold"), ("b", "flu"), ("b", "ulcer")]
    audit = audited(connection, rows, hierarchy={"tree": tree})
    levels = {
        each.guarantee.parameters["level"]: each.value
        for each in audit.attacks
        if each.guarantee.name == "similarity"
    }
    assert levels == {1: 2}


def test_amounts_that_all_differ_are_no_skewness(connection: duckdb.DuckDBPyConnection) -> None:
    """The share of each rises from 1/200 to 1/10, as it must in any classes of ten."""
    rows = [(str(number % 20), str(number)) for number in range(200)]
    audit = audited(connection, rows)
    assert "concentration" not in told(audit)
    assert "times as often" not in audit_text(audit)


def test_a_class_that_concentrates_a_value_is_told(connection: duckdb.DuckDBPyConnection) -> None:
    """Ten of 1,000 rows have gout, five of them in one class of ten: 0.1 are expected there."""
    rows = [("a", "gout")] * 5 + [("a", "flu")] * 5
    rows += [("b", "gout")] * 5 + [("b", "flu")] * 985
    audit = audited(connection, rows)
    assert told(audit)["concentration"] == pytest.approx(5)
    assert "In some class a value of s is 5 times as frequent as in the whole" in audit_text(audit)


def test_one_row_is_and_several_rows_are(connection: duckdb.DuckDBPyConnection) -> None:
    rows = "('a', 'x', 1), ('b', 'y', 1), ('b', 'y', 1)"
    connection.execute(f"CREATE TABLE t AS FROM (VALUES {rows}) AS t (q, s, o)")
    text = check_text(check_table(connection, "t", quasi=["q"], sensitive=["s"], k=2))
    assert "1 row (33.3%) is in classes of fewer than 2." in text
    assert "3 rows (100%) are in 2 classes with one value of s." in text
    assert "together, 1 of 3 rows (33.3%) is unique." in text


# Thresholds and objectives


@pytest.mark.parametrize(
    ("guarantee", "measured", "words"),
    [
        ({"t_closeness": {"column": "s", "t": 0.2, "distance": "equal"}}, 0.2, "0.2"),
        ({"t_closeness": {"column": "s", "t": 0.2, "distance": "equal"}}, 0.200004, "0.200004"),
        ({"t_closeness": {"column": "s", "t": 0.2, "distance": "equal"}}, 0.300004, "0.3"),
        ({"t_closeness": {"column": "s", "t": 0.2, "distance": "equal"}}, 0.19999999, "0.2"),
        ({"entropy_l_diversity": {"column": "s", "l": 3}}, 2.99996, "2.99996"),
        ({"recursive_l_diversity": {"column": "s", "c": 2, "l": 2}}, 2.00003, "2.00003"),
        ({"recursive_l_diversity": {"column": "s", "c": 2, "l": 2}}, float("inf"), "infinite"),
    ],
)
def test_a_figure_is_shown_on_the_side_of_its_threshold_where_it_is(
    guarantee: dict[str, Any], measured: float, words: str
) -> None:
    policy = _policy(0)
    policy["columns"]["s"] = {"role": "sensitive"}
    (asked,) = read_policy({**policy, "guarantees": [guarantee]}).guarantees
    assert asked.figure_text(measured) == words


@given(figure=st.floats(0, 1))
def test_an_objective_prints_as_0_or_1_only_where_it_is(figure: float) -> None:
    words = objective_words(figure)
    assert (words == "0") == (figure == 0)
    assert (words == "1") == (figure == 1)
    assert words not in ("0.000000", "1.000000")


# Empty columns


def planned(
    connection: duckdb.DuckDBPyConnection, strangers: int, suppression: str | int = 0
) -> Plan:
    """A plan for 1,000 rows of ten zip codes and two sexes, some of them alone in their zip."""
    rows = [(str(46000 + 1000 * (number % 10)), "fm"[number % 2]) for number in range(1000)]
    rows[:strangers] = [(str(10000 * (number % 4)), "f") for number in range(strangers)]
    connection.execute("CREATE OR REPLACE TABLE t (zip VARCHAR, sex VARCHAR)")
    connection.executemany("INSERT INTO t VALUES (?, ?)", [list(row) for row in rows])
    policy = read_policy(_policy(suppression))
    return make_plan(policy, connection, find_empty=True)


def _policy(suppression: str | int) -> dict[str, Any]:
    return {
        "source": {"table": "t"},
        "columns": {"zip": {"role": "quasi", "hierarchy": {"prefixes": [1]}}, "sex": SUPPRESSED},
        "guarantees": [{"k_anonymity": {"k": 5}}],
        "suppression": suppression,
    }


def test_a_plan_says_which_rows_keep_a_column_empty_and_what_suppression_gives(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    plan = planned(connection, 4)
    assert plan.levels_to("test")["zip"] == 2
    assert plan.empty_columns is not None
    (column,) = plan.empty_columns.columns
    assert (column.column, column.level, column.rows) == ("zip", 1, 4)
    for relief in plan.empty_columns.reliefs:
        again = make_plan(read_policy(_policy(f"{relief.percent}%")), connection)
        assert (relief.budget, relief.is_proved) == (again.budget, True)
        assert relief.objective == pytest.approx(again.objective)
        assert relief.levels == again.levels
    assert [relief.percent for relief in plan.empty_columns.reliefs] == [1, 2]
    line = plan_text(plan).splitlines()[-1]
    assert line.startswith(
        "zip comes out empty (*): for its next finer level (first 1 character) 4 rows would have "
        "to be suppressed."
    )
    assert "with suppression: 1% (10 rows) it would be " in line
    json.dumps(plan.to_dict()["empty_columns"])


def test_a_column_whose_one_label_is_no_star_is_empty_too(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    connection.execute(
        "CREATE TABLE t AS SELECT CASE WHEN i < 4 THEN 85 ELSE i % 80 END AS age, 'f' AS sex "
        "FROM RANGE(1000) AS t (i)"
    )
    policy = _policy(0)
    age = {"role": "quasi", "hierarchy": {"intervals": [20, 100]}}
    policy["columns"] = {"age": age, "sex": SUPPRESSED}
    plan = make_plan(read_policy(policy), connection, find_empty=True)
    assert (plan.levels_to("test")["age"], plan.words["age"]) == (2, "intervals of 100")
    assert plan.empty_columns is not None
    (column,) = plan.empty_columns.columns
    assert (column.column, column.level, column.rows) == ("age", 1, 4)
    line = plan_text(plan).splitlines()[-1]
    assert line.startswith(
        "age comes out empty (one label in all rows): for its next finer level (intervals of 20) "
        "4 rows would have to be suppressed."
    )


def test_searches_for_relief_end_with_the_time_of_the_plan(
    connection: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy = planned(connection, 4).policy
    with open_session(policy, connection) as opened:
        assert find_relief(opened, 10, 300).is_proved
        ended = find_relief(opened, 10, 300, Limit(None, 0.0, 0.0))
    assert (ended.is_proved, ended.objective) == (False, None)
    limits = []
    monkeypatch.setattr(
        "sqlgen.planning.plan.find_empty_columns", lambda *given: limits.append(given[3])
    )
    make_plan(policy, connection, limits=SearchLimits(max_seconds=600), find_empty=True)
    assert [limit.seconds for limit in limits] == [600]


def test_rows_that_are_too_many_to_suppress_are_not_told(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    rows = Random(3).sample(range(10**6), 200)
    connection.execute("CREATE TABLE t (zip VARCHAR, sex VARCHAR)")
    connection.executemany("INSERT INTO t VALUES (?, 'f')", [[f"{row:06}"] for row in rows])
    policy = {**_policy(0), "guarantees": [{"k_anonymity": {"k": 50}}]}
    plan = make_plan(read_policy(policy), connection, find_empty=True)
    assert plan.levels_to("test")["zip"] == 2
    assert plan.empty_columns is None
    assert "empty" not in plan_text(plan)


def test_a_column_that_is_held_to_its_top_is_not_called_empty(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    planned(connection, 4)
    policy = _policy(0)
    policy["columns"]["zip"] = {**policy["columns"]["zip"], "levels": 2}
    plan = make_plan(read_policy(policy), connection, find_empty=True)
    assert plan.empty_columns is None


def test_rows_beyond_a_budget_are_told_beside_it(connection: duckdb.DuckDBPyConnection) -> None:
    plan = planned(connection, 8, suppression=3)
    assert plan.empty_columns is not None
    assert plan.empty_columns.columns[0].rows == 8
    assert "8 rows would have to be suppressed (3 may be)." in plan_text(plan)


def test_the_command_ends_with_the_empty_column(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "t.duckdb")) as connected:
        planned(connected, 4)
    (tmp_path / "policy.yml").write_text(
        json.dumps({**_policy(0), "source": {"database": "t.duckdb", "table": "t"}}),
        encoding="utf-8",
    )
    ran = spawn("plan", str(tmp_path / "policy.yml"))
    assert ran.out.splitlines()[-1].startswith("zip comes out empty (*)")


# Plots


def bar_widths(svg: str) -> list[float]:
    """The widths of the bars: paths that start at the axis and are filled."""
    widths = []
    for path in re.findall(r'<path d="([^"]+)"[^>]*fill: ?var\(--bar\)', svg):
        numbers = [float(number) for number in re.findall(r"-?[0-9.]+", path)]
        widths.append(max(numbers[0::2]) - min(numbers[0::2]))
    return widths


def test_a_loss_is_drawn_to_the_scale_of_all() -> None:
    small = bar_widths(str(bars_svg("a", "t", "w", [("a", 0.001, "0.1%")], full=1)))
    whole = bar_widths(str(bars_svg("a", "t", "w", [("a", 1.0, "100%")], full=1)))
    assert small[0] == pytest.approx(whole[0] / 1000, rel=0.01)


@pytest.mark.parametrize("plot", ["loss", "attacks"])
def test_the_page_draws_shares_to_the_scale_of_all(
    plot: str, connection: duckdb.DuckDBPyConnection
) -> None:
    connection.execute(
        "CREATE TABLE t AS SELECT i // 10 AS zip, 'f' AS sex, CASE WHEN i < 20 THEN 'gout' "
        "ELSE ['flu', 'cold', 'gout'][1 + i % 3] END AS s FROM RANGE(100) AS t (i)"
    )
    policy = _policy(0)
    policy["columns"] = {
        "zip": {"role": "quasi", "hierarchy": {"intervals": [2, 10]}},
        "sex": SUPPRESSED,
        "s": {"role": "sensitive"},
    }
    policy["guarantees"] = [{"k_anonymity": {"k": 20}}]
    asked = read_policy({**policy, "release": {"table": "out"}})
    apply_plan(make_plan(asked, connection), connection)
    evidence = read_evidence(asked, source=connection)
    shares = {
        "loss": [column.loss for column in evidence.columns if column.loss is not None],
        "attacks": [attack.share for attack in evidence.attacks if attack.share is not None],
    }[plot]
    assert 0 < max(shares) < 0.25
    drawn = page_html(evidence).split(f'<title id="{plot}-title">')[1].split("</svg>")[0]
    to_scale = bars_svg(plot, "t", "w", [("a", share, "w") for share in shares], full=1)
    # To the scale of the longest they would be four times as wide; labels take some of the room.
    assert max(bar_widths(drawn)) == pytest.approx(max(bar_widths(str(to_scale))), rel=0.5)
