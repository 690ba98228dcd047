"""A recoding is a seam: what it decided is a value, asked for levels only by what needs them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from markupsafe import Markup

from sqlgen import (
    PolicyError,
    StalePlanError,
    UnsupportedError,
    apply_plan,
    read_history,
    write_lock,
)
from sqlgen.cli.text.history import entry_text, history_text
from sqlgen.cli.text.results import plan_text
from sqlgen.hierarchies.ladder import Ladder
from sqlgen.planning.lock import lock_path, read_lock
from sqlgen.policy.recoding import RECODING_NAMES, RecodingChoice
from sqlgen.recodings import RECODINGS, BuildInputs, Decision, FullDomain, LabelTable
from sqlgen.recodings.full_domain import ColumnLevels
from sqlgen.sql.render import command, sql
from sqlgen.sql.step import Step
from sqlgen.sql.types import Column
from sqlgen.staging.fingerprints import policy_parts
from tables import LEDGER, patients, patients_policy, planned, release_to, state_of


@dataclass(frozen=True)
class Regions:
    """A decision that gives a column more than one level."""

    recoding: str = "regions"
    regions: str = ""
    levels: Mapping[str, int] | None = None

    @property
    def highest(self) -> Mapping[str, int]:
        return {"zip": 2, "age": 2, "sex": 0}

    def kept_in(self, _: Markup) -> Decision:
        return self

    def merging(self) -> Decision:
        return self

    def in_words(self) -> Mapping[str, str]:
        return {"zip": "by region"}

    def to_log(self) -> dict[str, Any]:
        return {"recoding": "regions"}

    def to_lock(self) -> dict[str, Any]:
        return {"regions": 3}

    def to_ledger(self) -> dict[str, Any]:
        return {"regions": 3}


class RegionRecoding(FullDomain):
    """A recoding that gives women a finer zip than men, whatever was planned."""

    def columns(self, _: Decision, ladders: Sequence[Ladder]) -> list[Column]:
        return [Column(ladder.column.name, "VARCHAR") for ladder in ladders]

    def check(self, decision: Decision, _: Sequence[Ladder]) -> None:
        assert isinstance(decision, Regions)

    def statements(self, _: Decision, inputs: BuildInputs) -> list[Step]:
        query = """
            SELECT CASE sex WHEN 'f' THEN COALESCE(zip[:3], '*') ELSE '*' END AS zip,
              '*' AS age, sex, disease, visits
            FROM {source} ORDER BY ALL ASC
        """
        staged = command("regions", "CREATE TEMPORARY TABLE regions AS SELECT 3 AS number")
        return [Step(staged), *inputs.publish(sql(query, source=inputs.source.sql))]

    def scratch(self, *_: Decision | BuildInputs) -> list[Markup]:
        return [Markup("temp.main.regions")]

    def label_tables(self, *_: Decision | BuildInputs) -> list[LabelTable]:
        return []


def test_a_policy_names_one_of_the_recodings_that_there_are() -> None:
    assert patients_policy().recoding == patients_policy(recoding="full_domain").recoding
    assert [*RECODINGS] == [*RECODING_NAMES]
    known = "full_domain, local, mondrian, anatomy, microaggregation"
    with pytest.raises(PolicyError, match=f"recoding: must be one of {known}; found"):
        patients_policy(recoding="layered")


def test_a_plan_has_the_decision_of_its_recoding(tmp_path: Path) -> None:
    plan = planned(patients_policy(), patients())
    assert isinstance(plan.decision, ColumnLevels)
    assert (plan.levels, plan.words) == (plan.decision.levels, plan.decision.in_words())
    assert plan.to_dict()["recoding"] == FullDomain.name == plan.decision.recoding
    assert RECODINGS[FullDomain.name].from_lock(plan.decision.to_lock()) == plan.decision
    write_lock(plan, lock_path(tmp_path / "policy.yml"))
    assert read_lock(lock_path(tmp_path / "policy.yml"), plan.policy).decision == plan.decision


def test_a_lock_of_another_recoding_than_the_policys_is_stale(tmp_path: Path) -> None:
    plan = planned(patients_policy(), patients())
    write_lock(plan, lock_path(tmp_path / "policy.yml"))
    other = plan.policy.model_copy(update={"recoding": RecodingChoice(name="local")})
    with pytest.raises(StalePlanError, match="of the recoding full_domain, and the policy asks"):
        read_lock(lock_path(tmp_path / "policy.yml"), other)


def test_the_fingerprint_of_a_policy_names_its_recoding() -> None:
    policy = patients_policy()
    parts = policy_parts(policy)
    others = policy_parts(policy.model_copy(update={"recoding": RecodingChoice(name="local")}))
    assert {part for part in parts if parts[part] != others[part]} == {"recoding"}


def test_the_ledger_has_the_decision_and_no_label() -> None:
    connection = patients()
    plan = planned(patients_policy(), connection)
    apply_plan(plan, connection)
    (entry,) = read_history(plan.policy, connection)
    assert (entry.recoding, entry.decision) == ("full_domain", {"levels": plan.levels})
    assert entry.levels == plan.levels


@pytest.mark.parametrize("kind", ["table", "view", "parquet", "csv", "partitioned"])
def test_another_recoding_builds_a_release_of_any_kind(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RECODINGS, "regions", RegionRecoding())
    connection = patients()
    policy = patients_policy(release=release_to(kind, tmp_path))
    plan = replace(planned(policy, connection), decision=Regions())
    release = apply_plan(plan, connection)
    assert release.satisfied
    expected = Counter(
        (zip_code[:3] if sex == "f" and zip_code else "*", "*", sex)
        for zip_code, sex in connection.execute("SELECT zip, sex FROM patients").fetchall()
    )
    assert release.audit.classes == len(expected)
    if kind in ("table", "view"):
        shown = connection.execute("SELECT zip, age, sex FROM released").fetchall()
        assert Counter(shown) == expected
        (entry,) = read_history(policy, connection)
        assert (entry.recoding, entry.decision) == ("regions", {"regions": 3})


def test_the_audit_stops_what_another_recoding_builds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RECODINGS, "regions", RegionRecoding())
    connection = patients()
    plan = replace(planned(patients_policy(), connection), decision=Regions())
    connection.execute(
        "UPDATE patients SET zip = '99999' WHERE name = (SELECT MIN(name) FROM "
        "patients WHERE sex = 'f')"
    )
    before = state_of(connection)
    assert not apply_plan(plan, connection).satisfied
    assert state_of(connection) == before


def test_what_takes_one_level_per_column_says_so_where_there_is_none() -> None:
    connection = patients()
    plan = replace(planned(patients_policy(), connection), decision=Regions())
    assert (plan.levels, plan.to_dict()["levels"]) == (None, None)
    assert plan_text(plan)
    with pytest.raises(UnsupportedError, match="recoding regions gives a column more than one"):
        plan.levels_to("do it")


def test_a_release_without_levels_is_shown_by_its_recoding() -> None:
    connection = patients()
    policy = patients_policy()
    apply_plan(planned(policy, connection), connection)
    connection.execute(f"UPDATE {LEDGER} SET recoding = 'regions', decision = '{{}}'")
    (entry,) = read_history(policy, connection)
    assert (entry.levels, entry.to_dict()["levels"]) == (None, None)
    assert "regions" in history_text([entry])
    assert "regions" in entry_text(entry)
