"""Do the tests of people, beliefs and withheld values bite? Each edit makes some check fail.

The checks hold audits, with what would mend them, plans and releases against the oracle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from unittest.mock import patch

import duckdb
import pytest

import test_guarantee_mutations as others
from auditing import Case, assert_agrees
from guarantee_scenes_people import AUDITS
from guarantee_scenes_released import RELEASED, SCENES, TYPES
from oracle import Optimum
from oracle_models import Guarantee, OnFailure, suppress_to_fixpoint
from oracle_withheld import ABOUT_WHO, withheld_rows
from sqlgen import EngineError, PolicyError, apply_plan, make_plan, read_policy
from sqlgen.auditing import audit
from test_mutations import mutated


@cache
def loaded(check: str) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(config={"threads": 1})
    AUDITS[check][0].load(connection)
    return connection


def rows_that_mend(case: Case, guarantee: Guarantee, on_failure: OnFailure) -> int | None:
    """The rows that go, or lose their values, until no class fails; None where nothing is left."""
    left = suppress_to_fixpoint(case.table, [guarantee], on_failure)
    spared = 0
    if on_failure == "suppress_sensitive" and guarantee[0] not in ABOUT_WHO:
        spared = withheld_rows(case.table)
        lost = left.suppressed + left.withheld - spared
    else:
        lost = left.suppressed
    return lost if len(case.rows) - spared > lost else None


def an_audit_measures_as_the_oracle_does(check: str) -> None:
    case, guarantees, on_failure = AUDITS[check]
    with patch.object(audit, "find_advice"), patch.object(audit, "attacks_of", return_value=()):
        found = case.audit(loaded(check), guarantees, on_failure)
    shows_everything = on_failure == "suppress"
    assert found.withheld_rows == (0 if shows_everything else withheld_rows(case.table))
    for measured, guarantee in zip(found.guarantees, guarantees, strict=True):
        assert_agrees(measured, case.judged(guarantee, on_failure))


def an_audit_says_how_many_rows_would_mend_the_table(check: str) -> None:
    case, guarantees, on_failure = AUDITS[check]
    found = case.audit(loaded(check), guarantees, on_failure)
    for number, guarantee in enumerate(guarantees):
        if case.judged(guarantee, on_failure).failing:
            mend = rows_that_mend(case, guarantee, on_failure)
            assert found.advice[number].suppressed_rows == mend, guarantee


@cache
def filled(check: str) -> tuple[duckdb.DuckDBPyConnection, Optimum | None]:
    connection = duckdb.connect(config={"threads": 1})
    SCENES[check].load(connection)
    return connection, SCENES[check].optimum


def a_plan_and_its_release_are_the_oracles(check: str) -> None:
    connection, best = filled(check)
    plan = make_plan(read_policy(SCENES[check].policy), connection)
    assert plan.satisfied == (best is not None)
    if best is None:
        return
    assert (tuple(plan.levels.values()), plan.suppressed_rows) == (best.node, best.suppressed)
    assert plan.withheld_rows == best.withheld
    assert plan.objective == pytest.approx(best.loss.value, abs=1e-9)
    release = apply_plan(plan, connection, replace=True)
    assert release.satisfied
    assert release.audit.withheld_rows == best.withheld
    found = connection.execute(f"SELECT {', '.join(TYPES)} FROM {RELEASED}").fetchall()
    assert Counter(found) == Counter(tuple(row[name] for name in TYPES) for row in best.released)
    for planned, audited in zip(plan.guarantees, release.audit.guarantees, strict=True):
        assert float(planned.value) == pytest.approx(float(audited.value), rel=1e-9)


def checks(nearest: str = "") -> None:
    """Every check, the one nearest to an edit first; the first that fails ends it."""
    with others.rounds_come_to_an_end():
        for check in sorted(["mends", *AUDITS, *SCENES], key=lambda check: check != nearest):
            if check == "mends":
                an_audit_says_how_many_rows_would_mend_the_table("withheld people")
            elif check in AUDITS:
                an_audit_measures_as_the_oracle_does(check)
            else:
                a_plan_and_its_release_are_the_oracles(check)


# The check that is likeliest to notice, the template, what it says -> what it says after the edit.
EDITS = """
people: k_map: < {{ k -> <= {{ k
people: k_map: LEFT JOIN -> JOIN
people: k_map: SUM(person_count) -> COUNT(person_count)
people: delta_presence: > {{ most.over -> >= {{ most.over
people: delta_presence: LEFT JOIN -> JOIN
people: delta_presence: SUM(person_count) -> COUNT(person_count)
members: delta_presence: OR missing_people > 0 ->
members: delta_presence: < {{ least.over -> <= {{ least.over
members: delta_presence: NOT IN -> IN
missing: delta_presence: JOIN {{ scope.classes }} AS class -> JOIN class
strangers: delta_presence: class_size - person_count -> 2 * class_size - person_count
people: linkage: if strict -> if not strict
people: linkage: linked > 0 -> linked >= 0
people: linkage: < {{ under -> <= {{ under
people: linkage: LEAST( -> GREATEST(
people: linkage: - 1) // -> ) //
people: linkage: NOT IN -> IN
people: linkage: SUM(person_count) -> COUNT(person_count)
beliefs: positive_disclosure: > {{ over -> >= {{ over
beliefs: positive_disclosure: MAX( -> MIN(
contradicted: positive_disclosure: contradicts OR ->
contradicted: positive_disclosure: THEN 1 -> THEN 0
beliefs: negative_disclosure: < {{ over -> <= {{ over
beliefs: negative_disclosure: MIN( -> MAX(
contradicted: negative_disclosure: THEN 0 -> THEN 1
beliefs: belief_breach: > {{ rho_2.over -> >= {{ rho_2.over
beliefs: belief_breach: < {{ rho_1.over -> <= {{ rho_1.over
beliefs: belief_breach: > {{ (rho_1 -> >= {{ (rho_1
beliefs: belief_breach: < {{ (rho_2 -> <= {{ (rho_2
beliefs: belief_breach: MAX( -> MIN(
beliefs: belief_breach: ABS( -> (
contradicted: belief_breach:     contradicts ->     FALSE
contradicted: belief_breach: THEN 1 -> THEN 0
beliefs: belief_of_shares: DESC -> ASC
beliefs: belief_of_shares:  FILTER (WHERE held = place) ->
beliefs: belief_of_shares: , 0) + 1 AS place -> , 0) + 2 AS place
beliefs: belief_of_shares: first_absent.place = ranked -> first_absent.place >= ranked
beliefs: belief_of_shares: PARTITION BY histogram.class_id ->
priors: belief_of_table: (people.person_count / block.block_count) -> people.person_count
priors: belief_of_table: LEFT JOIN {{ scope.histogram }} -> JOIN {{ scope.histogram }}
priors: belief_of_table: WHERE person.weight > 0 -> WHERE TRUE
priors: belief_of_table: AND person.value_count < possible.value_count -> AND FALSE
ruled out: belief_of_table: WHERE NOT person.weight > 0 -> WHERE person.weight < 0
ruled out: belief_of_table: if is_strict -> if not is_strict
withheld people: belief_of_table: JOIN {{ scope.sized }} -> LEFT JOIN {{ scope.sized }}
priors: belief_of_table: WHERE block.class_id IS NULL -> WHERE FALSE
priors: belief_of_table: AND people.value_id = block.value_id ->
priors: belief_of_table: SUM(person_count) AS block_count -> COUNT(person_count) AS block_count
supersets: supersets: >= {{ n -> > {{ n
supersets: n_t_closeness: BOOL_AND -> BOOL_OR
supersets: n_t_closeness: MIN(verdict -> MAX(verdict
supersets: supersets: DENSE_RANK() -> ROW_NUMBER()
supersets: n_t_closeness: LEFT JOIN pair -> JOIN pair
supersets: supersets: AND candidate.member = large.member ->
supersets: n_t_closeness: AND superset_value.value_id = histogram.value_id ->
supersets: n_t_closeness: histogram.value_id_{{ number | literal }}{% endfor %} -> 0{% endfor %}
supersets: places: (ORDER BY position ASC) -> (ORDER BY id_0 ASC)
withheld people: places: WHERE id_0 IN -> WHERE TRUE OR id_0 IN
supersets: ordered_work: places * ABS( -> ABS(
supersets: ordered_work: places * ABS( -> places * (
supersets: ordered_work: COUNT(*) - 1 -> COUNT(*)
supersets: ordered_work: PARTITION BY dense.class_id ->
supersets: dense_hierarchical_work: SUM(ABS( -> SUM((
supersets: dense_hierarchical_work: scope.levels | -> scope.levels[1:] |
supersets: dense_hierarchical_work: scope.levels | -> scope.levels[:-1] |
supersets: dense_hierarchical_work: (2 * scope.height) -> (scope.height)
dense: dense_histogram: COALESCE(histogram.value_count, 0) -> histogram.value_count
dense: dense_histogram: LEFT JOIN {{ scope.histogram }} -> JOIN {{ scope.histogram }}
dense: dense_histogram: AND position.value_id = histogram.value_id ->
people: judging/people: IS NOT DISTINCT FROM -> =
people: judging/people: conjunction -> disjunction
commons: staging/people_labels: WHERE is_kept{% -> WHERE TRUE{%
people: staging/people_labels:  AND missing_level IS NULL ->
people: staging/people_matched: IS NOT DISTINCT FROM -> =
least: staging/people_matched: DISTINCT {{ each.called }} AS called -> {{ each.called }} AS called
town: staging/people_levels: MIN(level) -> MAX(level)
people: staging/people_levels: HAVING COUNT(*) = -> HAVING 0 <
people: staging/people_levels: NOT IN -> IN
priors: staging/people_person: DENSE_RANK -> ROW_NUMBER
priors: staging/people_person: HAVING SUM({{ weight }}) > 0 -> HAVING TRUE
priors: staging/people_person: IS NOT DISTINCT FROM -> =
people: staging/people_person: SUM({{ weight }}) AS BIGINT -> 1 AS BIGINT
called: staging/people: ON name.level = named.level -> ON TRUE
k-map suppressed: staging/people: .is_kept, FALSE) -> .is_kept, TRUE)
k-map suppressed: staging/people: conjunction -> disjunction
nulls: staging/people: IS NOT DISTINCT FROM known_ -> = known_
nulls: staging/people: AND name.label IS NOT DISTINCT FROM -> AND name.label =
k-map suppressed: measuring/matched: WHERE is_kept -> WHERE TRUE
strangers: measuring/matched: person_count -> 1 AS person_count
withheld: judging/classes: BOOL_AND( -> BOOL_OR(
withheld: judging/classes: conjunction }} AS is_ -> disjunction }} AS is_
open: judging/classes: IS NULL), FALSE) -> IS NULL), TRUE)
withheld: judging/classes: WHERE NOT is_withheld -> WHERE TRUE
hidden: judging/round: withholds AS is_withheld -> FALSE AS is_withheld
hidden: judging/round: WHERE NOT is_withheld -> WHERE TRUE
hidden: judging/round: {% if withholds %}drops -> {% if withholds %}fails
hidden: judging/verdict_by_value: NOT class.is_withheld -> TRUE
hidden: judging/verdict: identity | -> numbers | each("fails_{}") |
hidden: judging/verdict: is_withheld OR {% if -> FALSE OR {% if
hidden: measuring/judged: {{ released }} AND {{ withheld }} -> {{ released }}
links: measuring/judged: SUM(figure_ -> MAX(figure_
limited: measuring/judged: FILTER (WHERE {{ each.released }}), 0) AS {{ -> , 0) AS {{
hidden and dropped: judging/kept_class: {% if withholds %}drops -> {% if withholds %}fails
hidden and dropped: recodings/judged_cells: {% if withholds %}drops -> {% if withholds %}fails
hidden: recodings/release_from_cells: WHEN NOT released_class.withholds -> WHEN TRUE
hidden: recodings/release_from_cells: WHEN NOT released_class -> WHEN released_class
hidden from rows: recodings/release_from_rows: WHEN NOT released_class.withholds -> WHEN TRUE
hidden from rows: recodings/release_from_rows: {0} END AS -> {0} ELSE labelled_row.{0} END AS
withheld: auditing/judged: (WHERE is_withheld) -> (WHERE NOT is_withheld)
people: auditing/judged: SUM(figure_ -> MAX(figure_
mends: auditing/settled: AND NOT withholds ->
mends: auditing/settled: {% if not about_who %} AND -> {% if true %} AND
"""


def mutations() -> Iterator[tuple[str, str, str, str]]:
    for line in EDITS.strip().splitlines():
        check, template, edit = line.split(": ", 2)
        old, _, new = edit.partition(" ->")
        yield check, template if "/" in template else f"guarantees/{template}", old, new[1:]


def test_the_checks_pass_as_things_are() -> None:
    checks()


@pytest.mark.parametrize(("check", "template", "old", "new"), list(mutations()))
def test_some_check_fails_when_a_template_of_people_is_edited(
    check: str, template: str, old: str, new: str
) -> None:
    with mutated(template, old, new):
        try:
            checks(check)
        except EngineError as error:
            if "releasing/gate" not in str(error):
                pytest.fail(f"the edit is no SQL, so it shows nothing: {error}")
            return
        except (AssertionError, PolicyError, pytest.fail.Exception):
            return
    pytest.fail("nothing noticed the edit")
