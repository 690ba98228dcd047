"""Do the tests of the guarantees bite? Each small edit of a template makes some check fail.

The checks hold audits, plans and releases of a few small tables against the oracle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache

import duckdb
import pytest
from markupsafe import Markup

import test_guarantee_releases as releases
from auditing import assert_agrees
from guarantee_scenes import AUDITS, RELEASES, close, recursive
from oracle import Optimum
from sqlgen import EngineError, PolicyError, apply_plan, make_plan, read_policy
from sqlgen.judging import verdict_sql as judge
from sqlgen.staging import stage as staging
from test_mutations import mutated


@cache
def loaded(check: str) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(config={"threads": 1})
    AUDITS[check][0].load(connection)
    return connection


def an_audit_measures_as_the_oracle_does(check: str) -> None:
    case, guarantees = AUDITS[check]
    found = case.audited(loaded(check), guarantees)
    for measured, guarantee in zip(found, guarantees, strict=True):
        assert_agrees(measured, case.judged(guarantee))


@cache
def filled(check: str) -> tuple[duckdb.DuckDBPyConnection, Optimum | None]:
    connection = duckdb.connect(config={"threads": 1})
    releases.fill(connection, RELEASES[check])
    return connection, releases.expected(RELEASES[check])


def a_plan_and_its_release_are_the_oracles(check: str) -> None:
    connection, best = filled(check)
    plan = make_plan(read_policy(releases.policy_mapping(RELEASES[check])), connection)
    assert plan.satisfied == (best is not None)
    if best is None:
        return
    assert (tuple(plan.levels.values()), plan.suppressed_rows) == (best.node, best.suppressed)
    assert plan.objective == pytest.approx(best.loss.value, abs=1e-9)
    release = apply_plan(plan, connection, replace=True)
    assert release.satisfied
    found = connection.execute("SELECT zip, age, disease, salary FROM released").fetchall()
    assert Counter(found) == Counter(map(releases.cells, best.released))
    for planned, audited in zip(plan.guarantees, release.audit.guarantees, strict=True):
        assert planned.value == pytest.approx(audited.value, rel=1e-9)


def what_a_policy_names_is_looked_for() -> None:
    """Values that do not occur are counted; an order places every value; weights add up."""
    connection = duckdb.connect(config={"threads": 1})
    connection.execute("CREATE TABLE people AS SELECT 1 AS q, UNNEST(['a', 'a', 'b', 'c']) AS s")

    def unseen(weights: Sequence[int], order: str = "abcz") -> Mapping[str, int]:
        connection.execute("CREATE OR REPLACE TABLE known (s VARCHAR, w INTEGER)")
        connection.executemany(
            "INSERT INTO known VALUES (?, ?)", [*zip("abz", weights, strict=True)]
        )
        named = recursive("s", 9, 2, disclosable=["a", "x", "y", "w"])
        tree = {"tree": {"g": [*"abc"], "h": [*"xz"]}}
        policy = {
            "source": {"table": "people"},
            "columns": {
                "q": {"role": "quasi", "hierarchy": "suppress"},
                "s": {"role": "sensitive", "order": [*order], "hierarchy": tree},
            },
            "guarantees": [
                dict([each])
                for each in (named, close("s", "equal", "1", {"table": "known", "weight": "w"}))
            ],
        }
        return make_plan(read_policy(policy), connection).unseen

    assert [*unseen([0, 1, 1]).values()] == [3]
    for weights in ([0, 0, 0], [2, -1, 1]):
        with pytest.raises(PolicyError):
            unseen(weights)
    with pytest.raises(PolicyError):
        unseen([1, 1, 1], "acz")


@contextmanager
def rounds_come_to_an_end() -> Iterator[None]:
    """A suppression that suppresses nothing would be repeated for ever."""
    judged_in_rounds = judge.verdict_sql

    def verdict_sql(judged: judge.JudgingInput, number: int) -> Markup:
        assert number < 40, "no table here has so many classes to suppress"
        return judged_in_rounds(judged, number)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judge, "verdict_sql", verdict_sql)
        # Counts per value give the same verdicts by other templates (test_wide.py).
        patch.setattr(staging, "stage_count_cells", lambda *_: None)
        yield


def battery(nearest: str = "") -> None:
    """Every check, the one nearest to an edit first; the first that fails ends it."""
    with rounds_come_to_an_end():
        for check in sorted([*AUDITS, *RELEASES, "named"], key=lambda check: check != nearest):
            if check in AUDITS:
                an_audit_measures_as_the_oracle_does(check)
            elif check in RELEASES:
                a_plan_and_its_release_are_the_oracles(check)
            else:
                what_a_policy_names_is_looked_for()


# The check that is likeliest to notice, the template, what it says -> what it says after the edit.
EDITS = """
shares: alpha_k_anonymity: > {{ over -> >= {{ over
shares: alpha_k_anonymity: MAX(value_count) -> MIN(value_count)
shares: alpha_k_anonymity: FILTER (WHERE value_id IN {{ values | nested(4) }}) ->
shares: alpha_k_anonymity: , 0) AS {{ -> , NULL) AS {{
shares: value_ids: value IN -> value NOT IN
shares: distinct_l_diversity: < -> <=
shares: few_values: <= -> <
shares: few_values: if strict -> if not strict
shares: judging/verdict_by_value: ({{ size_fails }}) OR ->
shares: judging/classes: IS NOT DISTINCT FROM -> =
shares: judging/classes: SUM(row_count) -> COUNT(row_count)
shares: judging/valued: IS NOT DISTINCT FROM -> =
shares: judging/histogram: SUM(row_count) -> COUNT(row_count)
shares: auditing/judged: COUNT(*) FILTER (WHERE fails -> COUNT(*) FILTER (WHERE NOT fails
shares: auditing/judged: {{ each.worst }}( -> MEDIAN(
shares: auditing/judged: (SUM(class_size) FILTER (WHERE fails -> (COUNT(class_size) FILTER (WHERE fails
shares: auditing/cell: COUNT(*) AS -> 1 AS
entropy: entropy_l_diversity: < -> <=
entropy: entropy_l_diversity: (1 - 1e-9) -> (1 + 1e-9)
recursive: recursive_l_diversity: >= {{ over -> > {{ over
recursive: recursive_l_diversity: {{ (l - 1) | literal }} -> {{ l | literal }}
recursive: recursive_l_diversity: leading_count >= largest[{{ (l - 1) | literal }}] -> TRUE
recursive: recursive_l_diversity: LEN(largest) < {{ (l - 1) | literal }} OR ->
recursive: recursive_l_diversity: NOT IN -> IN
recursive: recursive_l_diversity: AS HUGEINT), FALSE) -> AS HUGEINT), TRUE)
protected: recursive_l_diversity: < {{ share.over -> <= {{ share.over
protected: recursive_l_diversity: MIN(value_count) -> MAX(value_count)
jointly: judging/blocks: BOOL_OR -> BOOL_AND
jointly: judging/blocks: {{ worst }} -> MEDIAN
jointly: judging/histogram: AND cell.{{ other }} = block.{{ other }} ->
similarity: similarity: COUNT(DISTINCT group_id) -> COUNT(group_id)
similarity: similarity: value.id_{{ level | literal }} -> value.id_0
similarity: similarity: (-1 - number) -> (-1)
similarity: similarity: CAST(value.id_0 AS BIGINT) -> 0
equal: t_closeness: > unit -> >= unit
equal: equal_work: SUM(ABS( -> SUM((
equal: equal_work: reference_rows - CAST(SUM(reference_count) AS BIGINT) -> 0
equal: judging/reference: LEFT JOIN -> JOIN
equal: judging/reference: conjunction -> disjunction
equal: judging/fixed: IS NOT DISTINCT FROM -> =
equal: judging/weight: 10 ** scale -> 1
equal: judging/united: {{ relations | -> {{ relations[:1] |
ordered: ordered_positions: OVER (ORDER BY place ASC) -> OVER ()
ordered: ordered_positions: count) OVER (ORDER BY position ASC) -> count) OVER ()
ordered: ordered_positions: ROW_NUMBER() OVER (ORDER BY position ASC) -> position
ordered: ordered_positions: LEFT JOIN -> JOIN
ordered: ordered_positions: WHERE reference.reference_count > 0 -> WHERE TRUE
ordered: ordered_values: ORDER BY class_id ASC, place ASC ROWS -> ORDER BY class_id ASC ROWS
ordered: ordered_values: LEFT JOIN position -> JOIN position
ordered: ordered_values: rows_before AS mass -> rows_before + 1 AS mass
ordered: ordered_values: cumulative_before > owed_before AS was -> cumulative > owed_before AS was
ordered: ordered_values: class_size * cumulative > -> class_size * cumulative_before >
ordered: ordered_values: last_cumulative <= owed_before -> last_cumulative > owed_before
ordered: ordered_work.duckdb: (ORDER BY class_id ASC) -> ()
ordered: ordered_work.duckdb: WHEN was_ahead = is_ahead THEN 0 ->
ordered: ordered_work.duckdb: (place - 1) * -> place *
ordered: ordered_work.duckdb: FILTER (WHERE is_parted) ->
ordered: ordered_work.duckdb: (ORDER BY reached ASC) -> (ORDER BY class_id ASC)
ordered: ordered_work.duckdb: LEFT JOIN parted -> JOIN parted
ordered: ordered_work.duckdb: COALESCE(parted.prefixes, 0) -> parted.prefixes
ordered: ordered_work.duckdb: - last_prefix) -> )
ordered: ordered_work.duckdb: CAST(last_place - 1 AS -> CAST(last_place AS
ordered: hierarchies/order_numeric: TRY_CAST(value AS DECIMAL(38, 12)) -> value
weightless: hierarchies/order_text: COLLATE C -> COLLATE NOCASE
weightless: ordered_positions: COALESCE(reference.reference_count, 0) -> reference.reference_count
weightless: judging/fixed: > 0 -> >= 0
hierarchical: hierarchical_work: SUM(ABS( -> SUM((
hierarchical: hierarchical_work: scope.levels | -> scope.levels[1:] |
hierarchical: hierarchical_work: scope.levels | -> scope.levels[:-1] |
hierarchical: hierarchical_work: {{ scope.height | literal }} * CAST( -> 1 * CAST(
hierarchical: hierarchical_work: LEFT JOIN -> JOIN
divergence: divergence: (1 + 1e-9) -> 1.5
divergence: kl_distance: MIN(reference_count) = 0 -> MAX(reference_count) = 0
divergence: js_distance: reference_rows - SUM(reference_count) -> 0
divergence: js_distance: share))), 0) -> share))), NULL)
ratios: largest_ratio: OR class_size -> AND class_size
ratios: largest_ratio: fails{% if absent %} OR -> fails{% if false %} OR
ratios: largest_ratio: is_infinite{% if absent %} OR -> is_infinite{% if false %} OR
ratios: largest_ratio: BOOL_OR(reference_count = 0) -> BOOL_AND(reference_count = 0)
gains: beta_likeness: > class_size -> >= class_size
gains: beta_likeness: OR value_count -> AND value_count
gains: beta_likeness: FLOOR((1 - -> FLOOR((0 -
gains: beta_likeness: MIN(reference_count) = 0 -> MAX(reference_count) = 0
gains: skewness: > class_size -> >= class_size
strangers: t_closeness: class_size * ((work -> 2 * class_size * ((work
strangers: divergence: class_size * (distance -> class_size * 2 * (distance
strangers: js_distance: LN(2) AS most -> LN(2) / 2 AS most
strangers: beta_likeness: ) / (1 - most -> ) * 2 / (1 - most
strangers: skewness: ) / (1 - most -> ) * 2 / (1 - most
strangers: largest_ratio: ) / (1 - most -> ) * 2 / (1 - most
strangers: judging/verdict_by_value: CEIL( -> 1 + CEIL(
strangers: measuring/judged: SUM(repair) -> 2 * SUM(repair)
many alike: alpha_k_anonymity: (largest * {{ under -> (2 * largest * {{ under
many alike: entropy_l_diversity: class_size * (1 - 2e-9 -> 2 * class_size * (1 - 2e-9
many alike: recursive_l_diversity: (leading_count - tail -> (2 * leading_count - tail
many alike: recursive_l_diversity: class_size - rarest / -> 2 * class_size - rarest /
many alike: largest_ratio: class_size - value_count / -> 2 * class_size - value_count /
many alike: judging/blocks: LEAST(GREATEST(verdict.repair, 0), block.block_size) -> block.block_size
rare: kl_distance: SELECT MIN( -> SELECT MAX(
absent: judging/verdict: pruning | -> numbers |
moving work: judging/verdict_by_value: {{ least | literal }} -> 1
moving work: t_closeness: scope.moves == 0 -> scope.moves >= 0
moving work: t_closeness: - drift) / -> ) /
moving work: judging/total_moving: {{ moves | literal }} AS -> 0 AS
moving shares: divergence: scope.moves == 0 -> scope.moves >= 0
moving shares: beta_likeness: reference_rows - reference_drift -> reference_rows
moving shares: skewness: reference_rows - reference_drift -> reference_rows
moving shares: largest_ratio: reference_rows - reference_drift -> reference_rows
moving shares: largest_ratio: held_lasting < lasting_values -> held_values < reference_values
moving shares: judging/total_uniform: FILTER (WHERE smallest_rows > {{ moves | literal }}) ->
moving shares: judging/total_moving: FILTER (WHERE reference_count > {{ moves | literal }}) ->
rarer: largest_ratio: (reference_count - reference_drift) / -> reference_count /
vanishing: t_closeness: {% if ordered %} -> {% if false %}
vanishing: judging/total_moving: ROWS UNBOUNDED PRECEDING ->
vanishing: judging/total_moving: rarest_rows <= -> rarest_rows <
rounds: judging/reference: FROM {{ cells }} -> FROM class_cell_0
rounds: judging/round: JOIN class_ -> LEFT JOIN class_
rounds: judging/round: {% else %}fails{% endif %} -> {% else %}FALSE{% endif %}
rounds: measuring/judged: {{ each.worst }}( -> MEDIAN(
rounds: measuring/kept: LEFT JOIN -> JOIN
rounds: judging/kept_verdict: WHERE class_id IS NOT NULL -> WHERE class_id > 1
rounds: measuring/suppressed_sums: suppressed_label.row_count * ->
many alike: judging/kept_class: fails{% endif %}, FALSE -> fails{% endif %}, TRUE
rounds: measuring/suppressed_sums: .level = -> .level <=
many alike: recodings/judged_cells: WHERE NOT verdict. -> WHERE TRUE OR verdict.
rounds: recodings/release_from_cells: JOIN released_class -> LEFT JOIN released_class
from rows: recodings/release_from_rows: JOIN released_class -> LEFT JOIN released_class
skewed: measuring/judged: COUNT(*) FILTER (WHERE fails) AS -> 0 AS
condemned: judging/classes: WHERE NOT ({{ condemned }}) -> WHERE TRUE
nothing: measuring/judged: (WHERE {{ released }}) AS released -> (WHERE FALSE) AS released
named: judging/occurring: row_count > 0 -> TRUE
named: judging/occurring: value IN -> value NOT IN
named: judging/weights: < 0 -> <= 0
named: judging/weights: COUNT(*) -> 0 * COUNT(*)
named: hierarchies/order_faults: IS NULL -> IS NOT NULL AND FALSE
"""  # noqa: E501


def mutations() -> Iterator[tuple[str, str, str, str]]:
    for line in EDITS.strip().splitlines():
        check, template, edit = line.split(": ", 2)
        old, _, new = edit.partition(" ->")
        yield check, template if "/" in template else f"guarantees/{template}", old, new.lstrip()


def test_the_battery_passes_as_things_are() -> None:
    battery()


@pytest.mark.parametrize(("check", "template", "old", "new"), list(mutations()))
def test_the_battery_fails_when_a_template_of_guarantees_is_edited(
    check: str, template: str, old: str, new: str
) -> None:
    with mutated(template, old, new):
        try:
            battery(check)
        except EngineError as error:
            if "releasing/gate" not in str(error):
                pytest.fail(f"the edit is no SQL, so it shows nothing: {error}")
            return
        except (AssertionError, PolicyError, pytest.fail.Exception):
            return
    pytest.fail("nothing noticed the edit")
