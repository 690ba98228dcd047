"""Means and medians of Mondrian's regions: by hand, in the types of columns; what is refused."""

from __future__ import annotations

from typing import Any

import pytest

import cut_checks
from local_tables import local_policy, quasi, table_of
from sqlgen import PolicyError, audit_table, make_plan

AGES: dict[str, Any] = {"role": "quasi", "hierarchy": {"intervals": [10]}}
ROWS = [(age, "flu") for age in (39, 21, 33, 25, 30, 36)]
COLUMNS = {"age": AGES, "disease": {"role": "sensitive"}}
TYPES = ("INTEGER", "VARCHAR")


@pytest.mark.parametrize("name", ["means", "medians", "no number", "stands for", "suppressed"])
def test_means_and_medians_are_those_worked_by_hand(name: str) -> None:
    cut_checks.CHECKS[name]()


@pytest.mark.parametrize(
    ("kind", "labels", "shown"),
    [
        *(("INTEGER", labels, "INTEGER") for labels in ("mean", "median")),
        *((kind, "mean", kind) for kind in ("UTINYINT", "HUGEINT", "FLOAT", "DECIMAL(38,2)")),
        *((kind, "median", kind) for kind in ("DATE", "TIMESTAMP", "TIME")),
        *((kind, "mean", "VARCHAR") for kind in ("VARCHAR", "BOOLEAN", "UUID")),
    ],
)
def test_a_column_keeps_its_type_where_values_have_a_distance(
    kind: str, labels: str, shown: str
) -> None:
    values = {
        "DATE": ("2024-01-01", "2024-01-31"),
        "TIMESTAMP": ("2024-01-01 00:00:00", "2024-01-31 12:00:00.5"),
        "TIME": ("00:00:00", "23:59:59.5"),
        "BOOLEAN": (True, False),
        "UUID": ("00000000-0000-0000-0000-000000000001", "ffffffff-0000-0000-0000-000000000001"),
    }.get(kind, ("1", "7"))
    column = {"n": {"role": "quasi", "hierarchy": "suppress"}}
    rows = [(each,) for each in values]
    found = cut_checks.averaged(labels, rows, column, (kind,))
    (described,) = found.connection.execute("DESCRIBE released").fetchall()
    assert described[1] == shown


def test_columns_with_a_finest_level_and_text_show_labels_and_sets() -> None:
    column = {"n": {**AGES, "levels": [1, 2]}, "a": quasi(["1", "2"])}
    found = cut_checks.averaged("mean", [(21, "1"), (25, "2")], column, ("INTEGER", "VARCHAR"))
    assert found.rows == {("[20, 30)", "{1, 2}"): 2}
    audit = audit_table(found.plan.policy, source=found.connection)
    assert audit.not_measured == ""
    assert audit.metrics == pytest.approx(found.plan.to_dict()["metrics"])


@pytest.mark.parametrize(("labels", "words"), [("mean", "means"), ("median", "medians")])
def test_an_audit_tells_guarantees_and_sizes_and_says_what_it_cannot(
    labels: str, words: str
) -> None:
    found = cut_checks.averaged(labels, ROWS, COLUMNS, TYPES)
    audit = audit_table(found.plan.policy, source=found.connection)
    assert audit.not_measured == (
        f"age shows {words}, and which values one stands for is not in the table"
    )
    sizes = {name: found.plan.metrics[name] for name in ("discernibility", "average_class_size")}
    assert audit.metrics == sizes
    found.connection.execute("DELETE FROM released WHERE rowid < 2")
    broken = audit_table(found.plan.policy, source=found.connection)
    assert (broken.satisfied, broken.guarantees[0].value) == (False, 1)


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "in place": ({"release": {"in_place": True}}, "release.in_place: .* looks like a value"),
    "persons": (
        {"guarantees": [{"k_anonymity": {"k": 2, "unit": "who"}}]},
        "unit: .* cannot be judged by persons",
    ),
    "queries": ({"queries": [{"age": "age > 30"}]}, "queries: .* answer no queries"),
    "coarsen": ({"run": {"on_drift": "coarsen"}}, "on_drift: .* cannot be coarsened"),
}


@pytest.mark.parametrize("labels", ["mean", "median"])
@pytest.mark.parametrize(("changes", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_means_cannot_have_is_refused_with_the_reason(
    labels: str, changes: dict[str, Any], reason: str
) -> None:
    columns = {**COLUMNS, "who": {"role": "identifier"}}
    recoding = {"mondrian": {"labels": labels}}
    with pytest.raises(PolicyError, match=reason):
        local_policy(columns, recoding=recoding, **changes)
    # By ranges, which look like no value, all of it can be had.
    local_policy(columns, recoding={"mondrian": {"labels": "range"}}, **changes)


def test_a_release_with_means_cannot_be_sent_in_place_after_all() -> None:
    policy = local_policy(COLUMNS, recoding={"mondrian": {"labels": "mean"}})
    with pytest.raises(PolicyError, match=r"recoding: labels: mean cannot take the place"):
        policy.released_in_place()


def test_the_plan_says_what_a_mean_is_of_how_many_rows() -> None:
    policy = local_policy(COLUMNS, recoding={"mondrian": {"labels": "mean"}})
    plan = make_plan(policy, table_of(ROWS, COLUMNS, TYPES))
    assert plan.level_words["age"][-1] == "a mean of values"
    assert plan.level_rows["age"][-1] == 6
