"""What is known of a release: promised, recorded, measured, and no value of any table."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pytest

from cli_harness import shows_no_canary
from evidence_cases import CLOSE, canaries, canary_policy, everything, released
from sqlgen import PolicyError, SearchLimits, apply_plan, audit_table, make_plan, read_policy
from sqlgen.guarantees import MODELS
from sqlgen.ledger.timestamped import timestamped
from sqlgen.recodings import local_least
from sqlgen.reports import Evidence, read_evidence
from sqlgen.reports.masked_sql import masked, safe_parameters
from sqlgen.reports.page import page_html
from sqlgen.wording import share_words
from tables import KINDS, patients, patients_policy, planned, release_to


def test_the_evidence_has_the_figures_of_the_audit_and_of_the_ledger() -> None:
    connection, policy = released(**CLOSE)
    found = read_evidence(policy, source=connection)
    audit = audit_table(policy, source=connection)
    assert found.satisfied is audit.satisfied is True
    assert (found.rows, found.classes) == (audit.rows, audit.classes)
    assert [each.measured for each in found.guarantees] == [each.value for each in audit.guarantees]
    assert [each.recorded for each in found.guarantees] == [
        pytest.approx(each.value) for each in audit.guarantees
    ]
    assert [each.measured for each in found.attacks] == [each.value for each in audit.attacks]
    assert not any(each.differs for each in found.guarantees)
    assert found.remarks == found.faults == ()


def test_the_columns_lose_what_the_plan_says() -> None:
    connection, policy = released()
    plan = planned(policy, connection)
    found = {each.name: each for each in read_evidence(policy, source=connection).columns}
    assert list(found) == list(policy.columns)
    for column, loss in plan.column_loss.items():
        assert (found[column].level, found[column].loss) == (plan.levels_to("test")[column], loss)
        (labels,) = connection.execute(
            f"SELECT COUNT(*) FROM (SELECT DISTINCT {column} FROM released)"
        ).fetchall()[0]
        (values,) = connection.execute(
            f"SELECT COUNT(*) FROM (SELECT DISTINCT {column} FROM patients)"
        ).fetchall()[0]
        assert (found[column].labels, found[column].values) == (labels, values)
    assert (found["name"].words, found["disease"].words) == ("not released", "released as it is")


@pytest.mark.battery
@pytest.mark.parametrize("levels", [{}, {"zip": (2, 2), "age": (1, 1)}], ids=["best", "top"])
def test_no_value_and_no_path_is_on_a_page_with_every_kind_of_guarantee(
    levels: dict[str, tuple[int, int]], tmp_path: Path
) -> None:
    connection = canaries()
    policy = canary_policy(tmp_path, everything()[:1])
    apply_plan(make_plan(policy, connection, limits=SearchLimits(levels)), connection)
    asked = canary_policy(tmp_path, everything())
    assert {each.name for each in asked.guarantees} == set(MODELS)
    for each in (policy, asked):
        found = read_evidence(each, source=connection)
        # The hierarchy's file has a canary in its name, which is not a value.
        shown = [page_html(found), json.dumps(found.to_dict())]
        for text in [part.replace("canary-free.csv", "") for part in shown]:
            assert shows_no_canary(text)
            assert str(tmp_path) not in text
    assert len(found.guarantees) == len(asked.guarantees)
    measured = [promise for promise in found.guarantees if promise.measured is not None]
    assert len(measured) >= len(found.guarantees) - 1
    assert {promise.parameters.get("values") for promise in found.guarantees} >= {"1 not shown"}
    assert found.statements
    assert any("'...'" in each.sql for each in found.statements)


def test_the_top_of_a_list_and_cuts_are_told_without_their_labels(tmp_path: Path) -> None:
    connection = canaries()
    policy = canary_policy(tmp_path, everything()[:1])
    apply_plan(
        make_plan(policy, connection, limits=SearchLimits({"zip": (2, 2), "age": (1, 1)})),
        connection,
    )
    columns = {each.name: each.words for each in read_evidence(policy, source=connection).columns}
    assert columns["zip"] == "one label for all"
    assert columns["age"] == "cut at 1 place"


def test_texts_comments_and_the_policys_numbers_are_masked(tmp_path: Path) -> None:
    policy = canary_policy(tmp_path, everything())
    sql = (
        "SELECT \"it's\", 'a ''b', e'x\\'y', $$z$$, $t$u$t$ FROM t1 -- gone\n"
        "WHERE x /* gone */ > 770010.0 AND y <= 0.25 AND q770010 = 0 AND w > ''"
    )
    assert " ".join(masked(sql, policy).split()) == (
        "SELECT \"it's\", '...', '...', '...', '...' FROM t1 "
        "WHERE x > ... AND y <= 0.25 AND q770010 = 0 AND w > ''"
    )


@pytest.mark.parametrize("cut", ["4.712e3", "-4.712e3", "4712.000", "4_712", "47_12.0", "4712e+0"])
@pytest.mark.parametrize("spelled", ["4712", "4712.0", "4.712E3", "4_712", "471.2e+1", "47120e-1"])
def test_a_number_of_the_policy_is_masked_however_it_is_spelled(cut: str, spelled: str) -> None:
    columns = {
        "age": {"role": "quasi", "hierarchy": {"intervals": [{"cuts": [cut, "5e3", ".5e3"]}]}},
        "zip": {"role": "quasi", "hierarchy": {"sql": ["CASE WHEN zip < 0x1268 THEN 1e-7 END"]}},
    }
    policy = patients_policy(columns={**columns, "disease": {"role": "sensitive"}})
    sql = f"SELECT a < {spelled}, a < -{spelled}, b < 500, b < 5000.0, c < 0.0000001, d < 4711.5"
    assert masked(sql, policy) == (
        "SELECT a < ..., a < -..., b < ..., b < ..., c < ..., d < 4711.5"
    )


def test_a_cut_with_an_exponent_is_in_no_report() -> None:
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE paid AS SELECT i % 2 AS zip, 4000.0 + 100 * (i % 20) AS salary "
        "FROM RANGE(80) AS t (i)"
    )
    policy = read_policy(
        {
            "source": {"table": "paid"},
            "columns": {
                "zip": {"role": "quasi", "hierarchy": "suppress"},
                "salary": {
                    "role": "sensitive",
                    "hierarchy": {"intervals": [{"cuts": ["4.712e3"]}]},
                    "level": 1,
                },
            },
            "guarantees": [{"distinct_l_diversity": {"column": "salary", "l": 2}}],
            "release": {"table": "shown"},
        }
    )
    apply_plan(make_plan(policy, connection), connection)
    found = read_evidence(policy, source=connection)
    assert found.statements
    for told in (page_html(found), json.dumps(found.to_dict())):
        assert "4712" not in told
        assert "4.712" not in told


@pytest.mark.parametrize("broken", ["SELECT 'a", 'SELECT "a', "SELECT $$a", "SELECT /* a", "a */"])
def test_a_statement_that_cannot_be_taken_apart_is_not_shown(broken: str) -> None:
    assert masked(broken, patients_policy()) == "... not shown ..."


def test_values_that_a_guarantee_names_are_counted_and_not_shown() -> None:
    groups = {"a": ["x", "y"], "b": ["z"]}
    assert safe_parameters({"groups": groups, "at_most": "5%"}, ["x", "y", "z"]) == {
        "groups": "3 not shown",
        "at_most": "5%",
    }
    columns = {"columns": ["salary", "disease"], "t": 0.2}
    assert safe_parameters(columns, []) == columns


def test_a_figure_that_differs_from_the_ledgers_is_said_to() -> None:
    connection, policy = released()
    connection.execute("INSERT INTO released FROM released")
    found = read_evidence(policy, source=connection)
    (promise,) = found.guarantees
    assert promise.recorded is not None
    assert (promise.measured, promise.differs) == (2 * promise.recorded, True)
    assert found.satisfied
    assert "changed after it was published" in " ".join(found.remarks)
    assert "with other figures than recorded" in page_html(found)


def test_a_release_that_was_replaced_is_told_from_the_ledger_alone() -> None:
    connection, policy = released()
    apply_plan(planned(policy, connection), connection, replace=True)
    connection.execute("DROP TABLE released")
    first = read_evidence(policy, 1, connection)
    assert first.satisfied is None
    assert [each.measured for each in first.guarantees] == [None]
    assert [each.recorded for each in first.guarantees] == [first.entry.guarantees[0].measured]
    assert [*first.statements, *first.attacks, *first.sizes] == []
    assert [each.release_id for each in first.others] == [2]
    assert "A later release has taken its place" in page_html(first)
    with pytest.raises(PolicyError):
        read_evidence(policy, 2, connection)


def test_the_last_release_to_the_policys_target_is_the_default() -> None:
    connection, policy = released()
    apply_plan(planned(policy, connection), connection, replace=True)
    other = patients_policy(release={"table": "elsewhere"})
    apply_plan(planned(other, connection), connection)
    assert read_evidence(policy, source=connection).entry.release_id == 2
    assert read_evidence(other, source=connection).entry.release_id == 3
    assert len(read_evidence(other, source=connection).others) == 2
    with pytest.raises(PolicyError, match=r"release 3 was made by .* for another target"):
        read_evidence(policy, 3, connection)
    with pytest.raises(PolicyError, match="the ledger has no release 4"):
        read_evidence(policy, 4, connection)


def test_a_timestamped_release_is_measured_where_it_stands_and_told_when_it_was_removed() -> None:
    connection = patients()
    place = {"table": "released", "timestamped": True, "keep": 2}
    policy = patients_policy(release=place)
    for day in (1, 2, 3):
        made = timestamped(policy, datetime(2026, 1, day, tzinfo=UTC))
        apply_plan(planned(made, connection), connection)
    connection.execute("DELETE FROM released_20260102_000000 WHERE sex = 'f'")
    connection.execute("DROP TABLE released_20260101_000000")
    first, second, last = (read_evidence(policy, each, connection) for each in (1, 2, None))
    assert (first.satisfied, second.entry.release_id, last.entry.release_id) == (None, 2, 3)
    assert "for the policy keeps 2" in " ".join(first.remarks)
    assert second.rows is not None
    assert last.rows is not None
    assert second.rows < second.entry.released_rows
    assert last.rows == last.entry.released_rows
    assert len(last.others) == 2


def test_without_a_release_there_is_nothing_to_report() -> None:
    with pytest.raises(PolicyError, match="the ledger has no release to this target"):
        read_evidence(patients_policy(), source=patients())


@pytest.mark.battery
@pytest.mark.parametrize("kind", [*KINDS, "in_place"])
def test_what_remains_is_told_for_every_kind_of_target(kind: str, tmp_path: Path) -> None:
    place = {"in_place": "true"} if kind == "in_place" else release_to(kind, tmp_path)
    connection, policy = released(release=place)
    found = read_evidence(policy, source=connection)
    assert found.satisfied
    told = {
        "table": "Give away the table, not the database file",
        "view": "the lookup tables beside the view hold the values of the source",
        "parquet": "The release is outside of the database",
        "csv": "The release is outside of the database",
        "partitioned": "The release is outside of the database",
        "in_place": "until sqlgen scrub has rewritten the file",
    }
    assert told[kind] in " ".join(found.remains)
    assert "Backups" in " ".join(found.remains)
    lost = [each.loss for each in found.columns if each.level is not None]
    assert all(loss is None for loss in lost) is (kind == "in_place")
    text = page_html(found)
    assert str(tmp_path) not in text
    assert str(tmp_path) not in json.dumps(found.to_dict())


def test_a_policy_that_changed_since_is_said_to_have() -> None:
    connection, _ = released()
    policy = patients_policy(guarantees=[{"k_anonymity": {"k": 2}}])
    found = read_evidence(policy, source=connection)
    assert (found.same_policy, found.satisfied, found.budget) == (False, True, None)
    assert [each.recorded for each in found.guarantees] == [None]
    assert "The policy has changed since this release" in " ".join(found.remarks)
    assert all(each.loss is None for each in found.columns)


def test_a_source_that_changed_since_does_not_tell_what_was_lost() -> None:
    connection, policy = released()
    connection.execute("DELETE FROM patients WHERE age > 50")
    found = read_evidence(policy, source=connection)
    assert found.satisfied
    assert all(each.loss is None for each in found.columns)
    assert "cannot be measured again" in " ".join(found.remarks)


def test_persons_are_counted_by_a_statement_of_their_own() -> None:
    asked = [{"k_anonymity": {"k": 4}}, {"k_anonymity": {"k": 4, "unit": "name"}}]
    connection, policy = released(guarantees=asked)
    found = read_evidence(policy, source=connection)
    first, second = found.guarantees
    assert (first.figure, second.figure) == ("measured_1", "measured_1")
    assert first.statement is not None
    assert second.statement is not None
    shown = [found.statements[number - 1].about for number in (first.statement, second.statement)]
    assert shown == ["the guarantees", "the guarantees that count persons, in the source"]


def shown_figures(found: Evidence, connection: duckdb.DuckDBPyConnection) -> None:
    """Each guarantee's figure, run again from the statement that the page shows."""
    for each in found.guarantees:
        assert each.statement is not None
        sql = found.statements[each.statement - 1].sql
        answer = connection.execute(sql)
        names = [column[0] for column in answer.description]
        row = dict(zip(names, answer.fetchall()[0], strict=True))
        assert row[each.figure] == each.measured


def test_a_statement_without_texts_gives_the_figures_that_it_is_shown_with() -> None:
    connection, policy = released(**CLOSE)
    shown_figures(read_evidence(policy, source=connection), connection)


@pytest.mark.parametrize("model", MODELS.values(), ids=str)
def test_what_bounds_a_figure_is_a_parameter_of_the_model(model: Any) -> None:
    assert model.bounded_by == "" or model.bounded_by in model.model_fields


def test_a_release_by_local_recoding_says_which_levels_its_rows_are_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # By layers, as a large table: a small one takes the best node, which has fewer levels.
    monkeypatch.setattr(local_least, "_FEW_CELLS", 0)
    connection, policy = released(recoding="local", guarantees=[{"k_anonymity": {"k": 9}}])
    plan = planned(policy, connection)
    found = read_evidence(policy, source=connection)
    assert found.satisfied
    assert found.remarks == found.faults == ()
    columns = {column.name: column for column in found.columns}
    assert len({column for column, *_ in plan.level_shares}) == 3
    assert [column for column, *_ in plan.level_shares].count("age") == 3
    for column, level, words, _, share in plan.level_shares:
        shown = "one label for all" if words == "*" else words
        assert f"{shown} ({share_words(share)} of the rows)" in columns[column].words, level
        assert columns[column].loss == plan.column_loss[column]
        assert columns[column].level is None
    page = page_html(found)
    assert "local recoding</td>" in page.replace("\n", "")
    assert "intervals of 10 (" in page


def test_the_page_of_local_recoding_without_its_plan_says_so() -> None:
    connection, policy = released(recoding="local")
    connection.execute("UPDATE patients SET age = age + 1")
    found = read_evidence(policy, source=connection)
    (remark,) = found.remarks[:1]
    assert remark.startswith("Planned again, the classes come out others than at the release")
    columns = {column.name: column for column in found.columns}
    assert columns["age"].words == "levels 0 to 3, class by class"
    assert columns["age"].loss is None


def test_other_releases_are_told_with_their_recoding() -> None:
    connection, _ = released(recoding="local", release={"table": "released"})
    other = patients_policy(release={"table": "other"})
    apply_plan(planned(other, connection), connection)
    found = read_evidence(other, source=connection)
    (beside,) = found.to_dict()["other_releases"]
    assert (beside["recoding"], beside["levels"]) == ("local", None)
    assert "local recoding</td>" in page_html(found).replace("\n", "")
