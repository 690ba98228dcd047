"""Releases that are each as the policy asks, and break it together, are told; others are not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pytest

from sqlgen import (
    HierarchyError,
    Joint,
    Policy,
    PolicyError,
    RefusedError,
    SearchLimits,
    Watch,
    apply_plan,
    audit_history,
    audit_table,
    make_plan,
)
from sqlgen.cli.text.history import joint_text
from sqlgen.engines.duckdb.catalog import find
from sqlgen.engines.duckdb.engine import DuckDB
from sqlgen.history.joint import measure_joint
from sqlgen.history.published import built_release, find_published
from sqlgen.history.read_release import PublishedTarget, UpcomingRelease
from sqlgen.ledger.ledger import read_history
from sqlgen.sql.render import Statement
from sqlgen.staging.job import Job
from tables import KINDS, LEDGER, patients, patients_policy, planned, release_to, state_of
from wards import BY_AGE, BY_ZIP, WARD, publish, ward, ward_policy


def both(first: dict[str, Any], second: dict[str, Any]) -> tuple[Joint, Policy]:
    connection = ward()
    publish(connection, ward_policy(first), BY_ZIP)
    policy = ward_policy(second)
    publish(connection, policy, BY_AGE)
    return audit_history(policy, connection), policy


def test_two_releases_that_are_2_diverse_disclose_every_disease_together() -> None:
    joint, _ = both({"table": "by_zip"}, {"table": "by_age"})
    (size,), (values,) = joint.sizes, joint.values
    assert (size.fewest, size.required, size.rows_below) == (1, 2, 4)
    assert (values.fewest, values.required, values.rows_below) == (1, 2, 4)
    assert (joint.combinations, joint.rows, joint.satisfied, joint.blocks) == (4, 4, False, True)


@pytest.mark.battery
@pytest.mark.parametrize("kind", KINDS)
def test_an_earlier_release_counts_whatever_it_is(kind: str, tmp_path: Path) -> None:
    joint, _ = both(release_to(kind, tmp_path), {"table": "by_age"})
    assert len(joint.releases) == 2
    assert (joint.values[0].fewest, joint.values[0].rows_below) == (1, 4)


@pytest.mark.parametrize("times", [1, 2, 3])
def test_the_same_node_again_on_the_same_rows_tells_nothing_more(times: int) -> None:
    connection = patients(600)
    diverse = {"distinct_l_diversity": {"column": "disease", "l": 2}}
    for number in range(times):
        policy = patients_policy(
            guarantees=[{"k_anonymity": {"k": 4}}, diverse], release={"table": f"r{number}"}
        )
        apply_plan(planned(policy, connection), connection)
    audit = audit_table(policy, source=connection)
    joint = audit_history(policy, connection)
    assert len(joint.releases) == times
    assert joint.sizes[0].fewest == audit.guarantees[0].value
    assert joint.values[0].fewest == audit.guarantees[1].value
    assert joint.rows == audit.rows
    assert [each.exposed_rows for each in joint.differences] == [0] * (times * (times - 1) // 2)
    assert joint.satisfied


def test_only_the_last_release_of_a_target_is_still_published() -> None:
    joint, _ = both({"table": "released"}, {"table": "released"})
    assert joint.releases == ("release 2, table released",)
    assert joint.satisfied
    assert joint.sizes[0].fewest == 2


def test_a_release_that_is_gone_is_named_and_not_judged(tmp_path: Path) -> None:
    for first in ({"table": "one"}, {"csv": str(tmp_path / "one.csv")}):
        connection = ward()
        publish(connection, ward_policy(first), BY_ZIP)
        policy = ward_policy({"table": "two"})
        publish(connection, policy, BY_AGE)
        assert audit_history(policy, connection).blocks
        if "table" in first:
            connection.execute("DROP TABLE one")
        else:
            (tmp_path / "one.csv").unlink()
        joint = audit_history(policy, connection)
        assert joint.satisfied
        assert joint.releases == ("release 2, table two",)
        ((words, why),) = joint.left_out
        assert words.startswith("release 1, ")
        assert why in ("it does not stand any more", "there is no such file, as seen from this "
                       "policy's folder")  # fmt: skip


def test_a_release_in_place_is_left_out() -> None:
    connection = ward()
    connection.execute("CREATE TABLE kept AS FROM ward")
    publish_in_place = ward_policy({"in_place": "true"})
    plan = make_plan(publish_in_place, connection, limits=SearchLimits(BY_ZIP))
    assert apply_plan(plan, connection).satisfied
    policy = ward_policy({"table": "two"}, source={"table": "kept"})
    publish(connection, policy, BY_AGE)
    joint = audit_history(policy, connection)
    assert joint.left_out == (
        ("release 1, in_place ward", "it took the place of its own source, which is gone"),
    )
    assert joint.satisfied


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_file_that_stands_and_cannot_be_read_is_not_passed_over(
    kind: str, tmp_path: Path
) -> None:
    connection = ward()
    publish(connection, ward_policy(release_to(kind, tmp_path)), BY_ZIP)
    policy = ward_policy({"table": "two"})
    publish(connection, policy, BY_AGE)
    (tmp_path / f"released.{kind}").write_bytes(b'zip,age,disease\n"canary-,1\n\xff\xfe,2,3\n')
    joint = audit_history(policy, connection)
    assert joint.blocks
    assert [words for words, _ in joint.unjudged] == [
        f"release 1, {kind} {tmp_path}/released.{kind}"
    ]
    assert "canary" not in joint_text(joint)


def test_a_view_that_cannot_be_read_any_more_is_not_passed_over() -> None:
    connection = ward()
    publish(connection, ward_policy({"view": "one"}), BY_ZIP)
    policy = ward_policy({"table": "two"})
    publish(connection, policy, BY_AGE)
    connection.execute("CREATE OR REPLACE TABLE one_zip_labels AS SELECT 1 AS other")
    joint = audit_history(policy, connection)
    assert joint.blocks
    assert joint.unjudged == (("release 1, view one", "it cannot be read"),)


@pytest.mark.parametrize("hierarchy", [{"cuts": ["30"]}, 7])
def test_labels_that_the_hierarchy_does_not_know_cannot_be_judged(hierarchy: Any) -> None:
    connection = ward()
    publish(connection, ward_policy({"table": "one"}), {"zip": (2, 2), "age": (1, 1)})
    columns = {"age": {"role": "quasi", "hierarchy": {"intervals": [hierarchy]}}}
    policy = ward_policy({"table": "two"}, columns=columns)
    publish(connection, policy, BY_AGE)
    joint = audit_history(policy, connection)
    assert joint.blocks
    ((_, why),) = joint.unjudged
    assert (
        why
        == "it shows 2 labels of age that the hierarchy does not give to any value of the source"
    )


def test_labels_of_people_who_have_left_are_known_where_the_policy_is_the_same() -> None:
    connection = ward([*WARD, ("4990", 77, "flu"), ("4990", 78, "cold")])
    policy = ward_policy({"table": "one"})
    publish(connection, policy, {"zip": (0, 0), "age": (1, 1)} | BY_ZIP)
    connection.execute("DELETE FROM ward WHERE zip = '4990'")
    policy = ward_policy({"table": "two"})
    publish(connection, policy, BY_AGE)
    joint = audit_history(policy, connection)
    assert joint.unjudged == ()
    assert joint.rows == 4
    other = ward_policy({"table": "two"}, suppression="1%")
    assert "cannot be" in joint_text(audit_history(other, connection)).lower()


def test_rows_that_came_to_a_class_are_exposed_where_they_are_few_or_alike() -> None:
    rows = [("4760", 21, disease) for disease in ("flu", "flu", "cold", "gout")]
    connection = ward(rows)
    policy = ward_policy({"table": "one"})
    publish(connection, policy, BY_ZIP)
    connection.execute("INSERT INTO ward VALUES ('4760', 22, 'ulcer')")
    policy = ward_policy({"table": "two"})
    publish(connection, policy, BY_ZIP)
    (pair,) = audit_history(policy, connection).differences
    assert (pair.rows_came, pair.rows_went, pair.exposed_rows) == (1, 0, 1)
    connection.execute("INSERT INTO ward VALUES ('4760', 22, 'ulcer'), ('4760', 23, 'ulcer')")
    publish(connection, policy, BY_ZIP)
    assert audit_history(policy, connection).differences[0].exposed_rows == 3
    connection.execute("UPDATE ward SET disease = 'gout' WHERE age = 23")
    publish(connection, policy, BY_ZIP)
    assert audit_history(policy, connection).differences[0].exposed_rows == 0
    connection.execute("DELETE FROM ward WHERE age > 21 OR disease = 'cold'")
    publish(connection, policy, BY_ZIP)
    (pair,) = audit_history(policy, connection).differences
    assert (pair.rows_came, pair.rows_went, pair.exposed_rows) == (0, 1, 1)
    assert audit_history(policy, connection).blocks


def test_a_class_is_masked_only_where_no_sensitive_column_shows_anything() -> None:
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE ward AS FROM (VALUES ('4760', 21, 'flu', 'red'), ('4760', 22, 'cold', 'red'))"
        " AS t (zip, age, disease, room)"
    )
    columns = {"room": {"role": "sensitive"}}
    policy = ward_policy({"table": "one"}, columns=columns, on_failure="suppress_sensitive")
    connection.execute(
        "CREATE TABLE one AS SELECT zip, '*' AS age, NULL AS disease, room FROM ward"
    )
    joint = audit_history(policy, connection)
    assert [(each.column, each.fewest) for each in joint.values] == [("disease", 1), ("room", 1)]
    connection.execute("UPDATE one SET room = NULL")
    assert [each.fewest for each in audit_history(policy, connection).values] == [None, None]


def test_releases_of_other_tables_are_left_out_and_those_of_a_view_of_it_are_not() -> None:
    connection = ward()
    connection.execute("CREATE VIEW seen AS FROM ward; CREATE TABLE staff AS FROM ward")
    publish(connection, ward_policy({"table": "one"}, source={"table": "staff"}), BY_ZIP)
    policy = ward_policy({"table": "two"})
    publish(connection, policy, BY_AGE)
    joint = audit_history(policy, connection)
    assert joint.satisfied
    assert joint.left_out == (
        ("release 1, table one", "it was made from other rows, those of staff"),
    )
    publish(connection, ward_policy({"table": "one"}, source={"table": "seen"}), BY_ZIP)
    assert audit_history(policy, connection).blocks
    connection.execute("DROP TABLE one")
    publish(connection, ward_policy({"table": "one"}, source={"query": "FROM ward"}), BY_ZIP)
    assert audit_history(policy, connection).blocks


def test_a_release_with_quasi_identifiers_of_its_own_cannot_be_judged() -> None:
    connection = ward()
    publish(connection, ward_policy({"table": "one"}), BY_ZIP)
    policy = ward_policy({"table": "two"}, columns={"zip": {"role": "other"}})
    publish(connection, policy, {"age": (2, 2)})
    assert audit_history(policy, connection).unjudged == (
        ("release 1, table one", "it has quasi-identifiers that this policy does not have: zip"),
    )


def test_a_release_without_any_of_the_quasi_identifiers_cannot_be_judged() -> None:
    connection = ward()
    policy = ward_policy({"table": "bare"})
    connection.execute("CREATE TABLE bare AS SELECT disease FROM ward")
    assert audit_history(policy, connection).unjudged == (
        ("table bare", "it shows no quasi-identifier of this policy"),
    )


def test_a_release_at_groups_of_diseases_is_read_with_one_at_diseases() -> None:
    connection = ward([("4760", 21, "flu"), ("4760", 22, "ulcer"), ("4790", 21, "cold")])
    tree = {"tree": {"lungs": ["flu", "cold"], "stomach": ["ulcer"]}}
    columns = {"disease": {"role": "sensitive", "hierarchy": tree}}
    policy = ward_policy({"table": "two"}, columns=columns)
    connection.execute("CREATE TABLE one AS SELECT zip, '*' AS age, disease FROM ward")
    connection.execute(
        "CREATE TABLE two AS SELECT '*' AS zip, age, "
        "CASE WHEN age = 21 THEN 'lungs' ELSE 'stomach' END AS disease FROM ward"
    )
    engine = DuckDB(connection)
    found = [
        find_published(engine, Job(policy, connection), (), ("table", name))
        for name in ("one", "two")
    ]
    shown = [each.releases[0] for each in found]
    assert [each.levels["disease"] for each in shown] == [0, 1]
    source = find(engine, "ward")
    assert source is not None
    joint = measure_joint(engine, policy, source, shown)
    # Of (4760, 21): flu or ulcer, and of the lungs; of (4760, 22): the same, of the stomach.
    assert (joint.values[0].fewest, joint.values[0].rows_below) == (1, 3)


def test_a_hierarchy_that_gives_a_value_two_labels_is_refused(tmp_path: Path) -> None:
    lines = tmp_path / "zips.csv"
    lines.write_text("4760,47\n4790,47\n")
    connection = ward()
    columns = {"zip": {"role": "quasi", "hierarchy": {"csv": str(lines)}}}
    publish(connection, ward_policy({"table": "one"}, columns=columns), {"zip": (1, 1)})
    lines.write_text("4760,47\n4760,48\n4790,47\n")
    with pytest.raises(HierarchyError, match="two labels"):
        audit_history(ward_policy({"table": "one"}, columns=columns), connection)


def test_a_list_that_has_changed_does_not_know_the_labels_of_before(tmp_path: Path) -> None:
    lines = tmp_path / "zips.csv"
    lines.write_text("4760,47,*\n4790,49,*\n")
    connection = ward()
    columns = {"zip": {"role": "quasi", "hierarchy": {"csv": str(lines)}}}
    publish(connection, ward_policy({"table": "one"}, columns=columns), {"zip": (1, 1)})
    lines.write_text("4760,north,*\n4790,south,*\n")
    joint = audit_history(ward_policy({"table": "two"}, columns=columns), connection)
    assert [words for words, _ in joint.unjudged] == ["release 1, table one"]


def test_persons_are_counted_where_the_policy_asks_for_persons() -> None:
    connection = ward()
    connection.execute("ALTER TABLE ward ADD person INTEGER")
    connection.execute("INSERT INTO ward SELECT zip, age, disease, 0 FROM ward")
    columns = {"person": {"role": "identifier"}}
    connection.execute("UPDATE ward SET person = age")
    connection.execute("CREATE TABLE one AS SELECT zip, '*' AS age, disease FROM ward")
    policy = ward_policy(
        {"table": "one"},
        columns=columns,
        guarantees=[{"k_anonymity": {"k": 2, "unit": "person"}}],
    )
    joint = audit_history(policy, connection)
    assert [(each.unit, each.fewest, each.required) for each in joint.sizes] == [
        (None, 4, None),
        ("person", 2, 2),
    ]


@pytest.mark.parametrize(
    ("guarantee", "required"),
    [
        ({"distinct_l_diversity": {"column": "disease", "l": 3}}, 3),
        ({"entropy_l_diversity": {"column": "disease", "l": "1.5"}}, 2),
        ({"entropy_l_diversity": {"column": "disease", "l": "2.5"}}, 3),
        ({"recursive_l_diversity": {"column": "disease", "c": 2, "l": 3}}, 3),
        ({"t_closeness": {"column": "disease", "t": 1, "distance": "equal"}}, 2),
        ({"homogeneity": {"column": "disease", "at_most": 0}}, 2),
        ({"homogeneity": {"column": "disease", "at_most": "5%"}}, None),
        ({"distinct_l_diversity": {"column": "disease", "l": 1}}, None),
    ],
)
def test_how_many_values_must_be_left_follows_from_the_guarantees(
    guarantee: dict[str, Any], required: int | None
) -> None:
    connection = ward()
    policy = ward_policy({"table": "one"}, guarantees=[guarantee])
    connection.execute("CREATE TABLE one AS SELECT zip, '*' AS age, disease FROM ward")
    joint = audit_history(policy, connection)
    assert joint.values[0].required == required
    assert joint.sizes[0].required is None


def test_a_class_of_one_value_that_a_release_may_have_by_itself_is_not_lost_jointly() -> None:
    connection = ward([("4760", 21, "flu"), ("4760", 22, "flu"), ("4790", 21, "cold")])
    close = {"t_closeness": {"column": "disease", "t": 1, "distance": "equal"}}
    policy = ward_policy({"table": "two"}, guarantees=[close])
    for name in ("one", "two"):
        publish(connection, ward_policy({"table": name}, guarantees=[close]), BY_ZIP)
    joint = audit_history(policy, connection)
    assert (joint.values[0].fewest, joint.values[0].rows_below) == (1, 0)
    assert joint.satisfied


def test_a_release_is_measured_with_the_others_before_it_is_published() -> None:
    connection = ward()
    publish(connection, ward_policy({"table": "one"}), BY_ZIP)
    before = state_of(connection)
    policy = ward_policy({"table": "two"})
    engine = DuckDB(connection)
    entries = read_history(policy, connection)
    job = Job(policy, connection)

    def ahead(name: str) -> UpcomingRelease:
        return UpcomingRelease(replaced=PublishedTarget("table", name, f'"main"."{name}"'))

    published = find_published(engine, job, entries, upcoming=ahead("two"))
    with engine.change():
        connection.execute("BEGIN")
        connection.execute("CREATE TABLE two AS SELECT '*' AS zip, age, disease FROM ward")
        built = find(engine, "two")
        source = find(engine, "ward")
        assert built is not None
        assert source is not None
        mine = built_release(policy, {"zip": 2, "age": 0}, built, "this release")
        joint = measure_joint(engine, policy, source, (*published.releases, mine))
        assert joint.releases == ("release 1, table one", "this release")
        assert joint.blocks
        assert len(state_of(connection).tables) == len(before.tables) + 1
    assert state_of(connection) == before
    gone = find_published(engine, job, entries, upcoming=ahead("ONE"))
    assert gone.releases == ()


def test_a_data_frame_and_a_table_that_is_its_own_release_have_no_history() -> None:
    policy = ward_policy({"table": "one"})
    with pytest.raises(PolicyError, match="a DataFrame has no ledger"):
        audit_history(policy, pd.DataFrame({"zip": ["1"], "age": [2], "disease": ["flu"]}))
    with pytest.raises(PolicyError, match="is not its own source"):
        audit_history(ward_policy({"in_place": "true"}), ward())


def test_without_a_ledger_the_policys_own_release_stands_alone() -> None:
    connection = ward()
    policy = ward_policy({"table": "one"}, ledger="off")
    publish(connection, policy, BY_ZIP)
    joint = audit_history(policy, connection)
    assert joint.releases == ("table one",)
    assert "Nothing to read together: only table one is still published." in joint_text(joint)
    names = connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()
    assert (LEDGER,) not in names


def test_a_release_that_comes_after_the_ledger_was_read_is_noticed() -> None:
    connection = ward([("4760", 21, "flu"), ("4760", 21, "cold")] * 3)
    policies = {name: ward_policy({"table": name}) for name in ("one", "two")}
    plan = make_plan(policies["two"], connection)
    other = connection.cursor()
    done: list[bool] = []

    def on_statement(sent: Statement) -> None:
        # It is sent once the ledger's entries were read, and before the transaction begins.
        if sent.template == "ledger/others" and not done:
            done.append(True)
            done.append(apply_plan(make_plan(policies["one"], other), other).satisfied)

    with pytest.raises(RefusedError, match="another run released meanwhile"):
        apply_plan(plan, connection, with_history=True, watch=Watch(on_statement=on_statement))
    assert done == [True, True]
    assert [entry.target for entry in read_history(policies["one"], connection)] == ["one"]
    assert apply_plan(plan, connection, with_history=True).number == 2
