"""What contradicts its own figure is never met, whatever the verdict on it says."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from typing import Any
from unittest.mock import patch

import duckdb
import pytest
from markupsafe import Markup

import shadows
from auditing import verdicts_alone
from shadows import BROKEN, macro, policy_of
from sqlgen import (
    SqlgenError,
    apply_plan,
    apply_sql,
    audit_table,
    check_table,
    explain_plan,
    make_frontier,
    make_plan,
    minimal_nodes,
)
from sqlgen.guarantees import Guarantee
from sqlgen.guarantees.base import GuaranteeTables
from sqlgen.history.combinations import JointValues
from sqlgen.history.differencing import Difference
from sqlgen.history.joint import Joint, JointSize
from sqlgen.measuring.tables import GuaranteeResult
from sqlgen.staging import source

pytestmark = pytest.mark.usefixtures("real_functions")

guarantees = pytest.mark.parametrize("guarantee", BROKEN, ids=shadows.named)
# A breach is of two beliefs, and its figure is how far they are apart: it has no threshold.
JUDGED = [each for each in BROKEN if "belief_breach" not in each]


def declared(guarantee: Mapping[str, Any]) -> Guarantee:
    (only,) = policy_of(guarantee).guarantees
    return only


@contextmanager
def verdicts(query: str, lied: Sequence[Mapping[str, Any]] = BROKEN) -> Iterator[None]:
    """Every verdict on a class, put in place of what its own template gives; figures too."""
    with pytest.MonkeyPatch.context() as patched:
        for kind in {type(declared(each)) for each in lied}:
            verdict = kind.verdict

            def replaced(self: Guarantee, scope: GuaranteeTables, verdict: Any = verdict) -> Markup:
                return Markup(query.format(verdict(self, scope)))

            patched.setattr(kind, "verdict", replaced)
            patched.setattr(kind, "tells_by_counts", property(lambda _: False))
        yield


FALSE = "SELECT class_id, FALSE AS fails, figure, 0 AS repair FROM (\n{}\n) AS lied"


@guarantees
def test_a_figure_that_is_none_or_impossible_is_never_met(guarantee: dict[str, Any]) -> None:
    asked = declared(guarantee)
    least, most = asked.possible
    for figure in (None, math.nan, least - 0.001, -math.inf):
        assert not asked.is_met_at(figure)
        assert not GuaranteeResult(asked, figure, rows=9).satisfied  # type: ignore[arg-type]
    if most < math.inf:
        assert not asked.is_met_at(most + 0.001)
        assert not asked.is_met_at(math.inf)


@pytest.mark.parametrize("guarantee", JUDGED, ids=shadows.named)
def test_a_figure_on_the_wrong_side_of_its_threshold_is_never_met(
    guarantee: dict[str, Any],
) -> None:
    asked = declared(guarantee)
    bound = asked.bound if asked.bound is not None else 0.0
    if asked.decided_by_size:
        bound = 5.0
    wrong, right = (0.999, 1.0000000001) if asked.aggregate == "MIN" else (1.001, 0.9999999999)
    beyond = bound * wrong if bound else 0.5
    assert not asked.is_met_at(beyond)
    assert not GuaranteeResult(asked, beyond, rows=99).satisfied
    assert GuaranteeResult(asked, bound * right, rows=99).satisfied
    assert GuaranteeResult(asked, bound * (2 - right), rows=99).satisfied


def test_classes_that_fail_or_rows_that_are_none_are_never_met() -> None:
    asked = declared({"k_anonymity": {"k": 5}})
    assert GuaranteeResult(asked, 5, rows=9).satisfied
    for classes, rows in ((1, 0), (-1, 0), (0, 1)):
        assert not GuaranteeResult(asked, 5, classes, rows, rows=9).satisfied
    assert not GuaranteeResult(asked, 5, rows=0).satisfied
    assert GuaranteeResult(asked, math.nan, rows=9).words == "unknown"
    assert GuaranteeResult(asked, math.nan, rows=9).to_dict()["measured"] == "unknown"


def test_where_no_row_shows_a_value_nothing_is_judged() -> None:
    asked = declared(shadows.of("distinct_l_diversity", l=3))
    assert GuaranteeResult(asked, 0, rows=9, masked_rows=9).satisfied
    assert not GuaranteeResult(asked, 0, rows=9, masked_rows=8).satisfied
    assert not GuaranteeResult(
        declared({"k_anonymity": {"k": 5}}), 0, rows=9, masked_rows=9
    ).satisfied


@pytest.mark.parametrize("count", [None, math.nan, -1, 1])
def test_releases_read_together_are_not_met_by_a_count_that_is_not_zero(count: Any) -> None:
    size = JointSize(None, fewest=5, required=5, rows_below=0)
    values = JointValues("s", fewest=3, required=3, rows_below=0, rows_without=0)
    difference = Difference("one", "two", rows_came=9, rows_went=0, exposed_rows=0)
    met = Joint(("one", "two"), 4, 16, (size,), (values,), (difference,))
    assert met.satisfied
    for lied in (
        replace(met, sizes=(replace(size, rows_below=count),)),
        replace(met, values=(replace(values, rows_below=count),)),
        replace(met, differences=(replace(difference, exposed_rows=count),)),
    ):
        assert not lied.satisfied
        assert lied.blocks


@pytest.mark.parametrize("fewest", [None, math.nan, 0, 4])
def test_releases_read_together_are_not_met_by_too_few_candidates(fewest: Any) -> None:
    size = JointSize(None, fewest, required=5, rows_below=0)
    assert not Joint(("one", "two"), 4, 16, (size,)).satisfied
    assert Joint(("one", "two"), 4, 16, (replace(size, required=None),)).satisfied
    # Of releases without rows there is nobody to look for.
    assert Joint(("one", "two"), 0, 0, (JointSize(None, None, 5, 0),)).satisfied


def test_a_check_is_not_met_by_figures_that_are_none_or_contradict_each_other() -> None:
    found = check_table(shadows.people(), "t", quasi=["q"], k=4)
    assert found.satisfied
    for lied in (
        replace(found, k=None),  # type: ignore[arg-type]
        replace(found, k=math.nan),  # type: ignore[arg-type]
        replace(found, k=3),
        replace(found, rows_below_k=None),
        replace(found, rows_below_k=1),
    ):
        assert not lied.satisfied


@pytest.mark.battery
@pytest.mark.parametrize("guarantee", JUDGED, ids=shadows.named)
def test_a_verdict_that_lies_certifies_nothing(guarantee: dict[str, Any]) -> None:
    connection, policy = shadows.people(), policy_of(guarantee)
    with verdicts(FALSE):
        audit = audit_table(policy, "t", connection)
        assert not audit.guarantees[0].satisfied
        assert audit.guarantees[0].failing_classes > 0
        assert not make_plan(policy, connection).satisfied


@pytest.mark.parametrize("guarantee", [JUDGED[1], JUDGED[4], JUDGED[6]], ids=shadows.named)
def test_a_verdict_that_lies_opens_no_node_of_a_search(guarantee: dict[str, Any]) -> None:
    connection, policy = shadows.people(), policy_of(guarantee)
    met = [bool(each.levels) for each in make_frontier(policy, connection).points]
    with verdicts(FALSE):
        assert not minimal_nodes(policy, connection).satisfied
        assert not explain_plan(policy, connection).satisfied
        assert [bool(each.levels) for each in make_frontier(policy, connection).points] == met
    assert False in met


@pytest.mark.battery
@pytest.mark.parametrize("figure", ["NULL", "CAST('nan' AS DOUBLE)", "-0.5", "-1 / 0.0"])
def test_figures_that_are_none_or_impossible_certify_nothing(figure: str) -> None:
    connection = shadows.people()
    lied = (
        f"SELECT class_id, FALSE AS fails, {figure} AS figure, 0 AS repair FROM (\n{{}}\n) AS lied"
    )
    # A sum of what is no number is an error of the engine's, and attacks are sums.
    for guarantee in [each for each in BROKEN[1:] if declared(each).aggregate != "SUM"]:
        policy = policy_of(guarantee)
        with verdicts(lied, [guarantee]), verdicts_alone():
            found = audit_table(policy, "t", connection).guarantees[0]
            assert not found.satisfied, guarantee
            assert found.failing_classes == 4
            assert not make_plan(policy, connection).satisfied


@pytest.mark.parametrize("guarantee", [JUDGED[3], JUDGED[4], JUDGED[6]], ids=shadows.named)
def test_a_release_whose_verdicts_lie_is_undone(guarantee: dict[str, Any]) -> None:
    """Both layers inside the release are deceived, and what is audited is left."""
    connection, policy = shadows.people(), policy_of(guarantee)
    believed = patch.object(Guarantee, "passing", (Decimal(-1), None))
    with verdicts(FALSE), believed:
        plan = make_plan(policy, connection)
        assert plan.satisfied
        statements = apply_sql(plan, connection)
    with verdicts(FALSE):
        assert not apply_plan(plan, connection).satisfied
        (gate,) = [
            each for each in apply_sql(plan, connection) if each.template == "releasing/gate"
        ]
    assert not connection.execute("FROM duckdb_tables() WHERE table_name = 'released'").fetchall()
    for each in statements:
        if each.template == "releasing/gate":
            break
        connection.execute(each.text)
    with pytest.raises(duckdb.Error, match="what was measured"):
        connection.execute(gate.text)


@pytest.mark.parametrize(
    "measured", ["NULL", "CAST('nan' AS DOUBLE)", "CAST('infinity' AS DOUBLE)", "-1", "0.2"]
)
def test_the_printed_gate_stops_what_its_figure_contradicts(measured: str) -> None:
    connection = shadows.people()
    connection.execute("UPDATE t SET s = CASE WHEN u = 0 THEN 'b' ELSE 'c' END")
    policy = policy_of(shadows.of("t_closeness", t="0.1", distance="equal"))
    statements = apply_sql(make_plan(policy, connection), connection)
    for each in statements:
        connection.execute(each.text)
        if each.template == "releasing/audit":
            connection.execute(
                "CREATE OR REPLACE TEMPORARY TABLE sqlgen_audit AS "
                f"SELECT * REPLACE ({measured} AS measured_1) FROM temp.main.sqlgen_audit"
            )
        if each.template == "releasing/guard":
            break
    (gate,) = [each.text for each in statements if each.template == "releasing/gate"]
    with pytest.raises(duckdb.Error, match="what was measured"):
        connection.execute(gate)


@pytest.mark.parametrize("column", ["failing_classes_1", "failing_rows_1", "class_count"])
def test_the_printed_gate_stops_at_what_is_unknown(column: str) -> None:
    connection = shadows.people()
    policy = policy_of({"k_anonymity": {"k": 3}})
    statements = apply_sql(make_plan(policy, connection), connection)
    (gate,) = [each.text for each in statements if each.template == "releasing/gate"]
    for each in statements:
        if each.template == "releasing/gate":
            break
        connection.execute(each.text)
    connection.execute(gate)
    connection.execute(f"UPDATE temp.main.sqlgen_audit SET {column} = NULL")
    with pytest.raises(duckdb.Error, match="does not give what the policy asks for"):
        connection.execute(gate)


# What a macro falsifies in the figure itself: a distance that comes out as 0 is one that a class
# can have, and the refusal alone stops it. Everything else is caught by its figure.
DIVERGENCES = {"t_closeness-kl", "t_closeness-js"}
SUMS = {"t_closeness-equal", "t_closeness-hierarchical", "t_closeness-variational"}
SUMS |= {"n_t_closeness-equal", "negative_disclosure"}
GAPS = {*DIVERGENCES, *SUMS, "t_closeness-ordered", "skewness"}
GAPS |= {"ratio_closeness", "beta_likeness", "delta_disclosure"}
FALSIFIED: Mapping[str, set[str]] = {
    "ln": DIVERGENCES,
    "greatest": DIVERGENCES,
    "nullif": {"t_closeness-js"},
    "*": {"entropy_l_diversity", "t_closeness-ordered", *DIVERGENCES},
    "/": {"entropy_l_diversity", *DIVERGENCES},
    "+": {*SUMS, "t_closeness-js"},
    "-": GAPS,
    **{name: set() for name in ("exp", "abs", "least", "bool_or", "floor", "max", "min")},
}


@pytest.mark.battery
@pytest.mark.parametrize("name", FALSIFIED)
def test_arithmetic_that_is_replaced_is_caught_by_the_figure_even_unrefused(name: str) -> None:
    connection = shadows.people()
    connection.execute(macro(name, "0"))
    certified = set()
    with patch.object(source, "check_connection", lambda *_, **__: None), verdicts_alone():
        for guarantee in JUDGED:
            try:
                found = audit_table(policy_of(guarantee), "t", connection).guarantees[0]
            except SqlgenError:
                continue
            if found.satisfied:
                certified.add(shadows.named(guarantee))
    assert certified <= FALSIFIED[name]
