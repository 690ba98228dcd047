"""Releases read together are what an oracle that looks at every row says of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from oracle_joint import HEIGHTS, ILLS, LABELS, Left, Release, Row, Value, ill_label, left
from sqlgen import EngineError, Policy, read_policy
from sqlgen.engines.duckdb.catalog import Relation, find
from sqlgen.history.differencing import Difference
from sqlgen.history.joint import Joint, measure_joint
from sqlgen.history.staged_releases import Part, PublishedRelease
from sqlgen.policy import RowWindow
from sqlgen.staging.source import open_rows, read_source
from test_mutations import mutated

ORGANS: dict[str, list[str]] = {}
for ill, organ in ILLS.items():
    ORGANS.setdefault(organ, []).append(ill)

VALUES: dict[str, list[Any]] = {
    "zip": ["4760", "4760", "4761", "4790", "4790", None],
    "age": [20, 20, 25, 30, 30, 41, None],
    "ill": [*ILLS, *ILLS, None],
    "person": ["a", "b", "c", "d", None],
}
CAME = (1, 2, 3, 4, 5, 6, None)
# The moments that windows begin after and end with: the first one has no beginning.
WINDOWS = ((None, 3), (None, 6), (3, 5), (2, 4), (5, 6), (6, 9))
MIDNIGHT = datetime(2026, 3, 1, tzinfo=UTC)


def somebody(choice: Random) -> Row:
    return {name: choice.choice(values) for name, values in VALUES.items()} | {
        "came": None,
        "part": None,
    }


def policy_of(k: int, guarantee: dict[str, Any], level: int, **more: Any) -> Policy:
    ill: dict[str, Any] = {"role": "sensitive", "hierarchy": {"tree": ORGANS}}
    return read_policy(
        {
            "source": {"table": "people"},
            "columns": {
                "zip": {"role": "quasi", "hierarchy": {"prefixes": [2]}},
                "age": {"role": "quasi", "hierarchy": {"intervals": [10, 20]}},
                "ill": {**ill, "level": level} if level else ill,
                "person": {"role": "identifier"},
                "came": {"role": "identifier"},
                "part": {"role": "identifier"},
            },
            "guarantees": [
                {"k_anonymity": {"k": k}},
                {"k_anonymity": {"k": k, "unit": "person"}},
                guarantee,
            ],
            **more,
        }
    )


def release_of(choice: Random, people: Sequence[Row], *, timed: bool = False) -> Release:
    """A release of some of the people and of others, at a node, without some of its classes."""
    names = choice.choice([("zip", "age"), ("zip", "age"), ("zip",), ("age",)])
    levels = {name: choice.randint(0, HEIGHTS[name]) for name in names}
    ill_level = choice.choice([0, 0, 1])
    window = choice.choice(WINDOWS) if timed else None
    among = Release((), {}, window=window)
    there = [person for person in people if choice.randint(0, 9) and among.could_have(person)]
    there += [somebody(choice) for _ in range(choice.randint(0, 2))]
    rows = [
        {name: LABELS[name](person[name], level) for name, level in levels.items()}
        | {"ill": ill_label(person["ill"], ill_level)}
        for person in there
    ]
    shows, withholds = choice.randint(0, 5) > 0, choice.random() < 0.5
    made = Release(tuple(rows), levels, ill_level, shows, withholds, window)
    keys = sorted({made.key(row) for row in rows}, key=str)
    hidden = {key for key in keys if choice.randint(0, 3) == 0}
    mute = {key for key in keys if withholds and choice.randint(0, 2) == 0}
    kept = [
        {**row, "ill": None if made.key(row) in mute else row["ill"]}
        for row in rows
        if made.key(row) not in hidden
    ]
    return replace(made, rows=tuple(kept))


def scene_of(choice: Random, *, timed: bool = False) -> tuple[list[Row], list[Release]]:
    """People and one to three releases; one may be an earlier one with a few rows changed."""
    people = [somebody(choice) for _ in range(choice.randint(1, 28))]
    if len(people) % 2:
        people = [{**person, "person": str(number)} for number, person in enumerate(people)]
    if timed:
        people = [{**person, "came": choice.choice(CAME)} for person in people]
    if choice.random() < 0.4:
        people = [{**person, "ill": person["ill"] or "flu"} for person in people]
    made: list[Release] = []
    for _ in range(choice.randint(1, 5 if timed else 3)):
        if made and choice.random() < 0.5:
            rows = made[-1].rows
            gone = choice.randint(0, len(rows)) // 4
            rows = (*rows[gone:], *rows[: choice.randint(0, 4)])
            mute = made[-1].key(rows[0]) if rows and made[-1].withholds else None
            rows = tuple({**row, "ill": None} if made[-1].key(row) == mute else row for row in rows)
            window = choice.choice((None, *WINDOWS)) if made[-1].window else None
            made.append(replace(made[-1], rows=rows, window=window))
        else:
            made.append(release_of(choice, people, timed=timed and choice.random() < 0.7))
    return people, made


def load(connection: duckdb.DuckDBPyConnection, people: Sequence[Row]) -> None:
    connection.execute(
        "CREATE TABLE people (zip VARCHAR, age INTEGER, ill VARCHAR, person VARCHAR, came DATE, "
        "part VARCHAR)"
    )
    for each in people:
        values = [each[name] for name in ("zip", "age", "ill", "person")]
        came = None if each["came"] is None else moment(int(each["came"]) - 1).date()
        row = [*values, came, each.get("part")]
        connection.execute("INSERT INTO people VALUES (?, ?, ?, ?, ?, ?)", row)


def moment(days: int) -> datetime:
    """The end of a day: who came on the day before came after the end of those before it."""
    return MIDNIGHT + timedelta(days=days)


def window_of(release: Release) -> RowWindow | None:
    if release.window is None:
        return None
    after, until = release.window
    return RowWindow("came", None if after is None else moment(after), moment(until))


def publish(connection: duckdb.DuckDBPyConnection, number: int, release: Release) -> None:
    names = [*release.levels, *(["ill"] if release.shows_ill else [])]
    connection.execute(f"CREATE TABLE r{number} ({', '.join(f'{n} VARCHAR' for n in names)})")
    marks = ", ".join("?" for _ in names)
    for row in release.rows:
        connection.execute(f"INSERT INTO r{number} VALUES ({marks})", [row[n] for n in names])


def measured(people: Sequence[Row], made: Sequence[Release], policy: Policy) -> Joint:
    with duckdb.connect(config={"threads": 1}) as connection:
        load(connection, people)
        for number, release in enumerate(made):
            publish(connection, number, release)
        with open_rows(policy, connection, write=False) as engine, engine.read():
            shown = []
            for number, release in enumerate(made):
                relation = find(engine, f"r{number}")
                assert relation is not None
                levels = {**release.levels, "ill": release.ill_level}
                window = window_of(release)
                made_by = part_of(release, made)
                shown.append(
                    PublishedRelease(
                        f"r{number}", relation, levels, release.withholds, window, part=made_by
                    )
                )
            rows = with_parts(read_source(engine, policy, connection), made)
            joint = measure_joint(engine, policy, rows, shown)
            left_behind = connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()
            assert {name for (name,) in left_behind} == {
                "people",
                *(f"r{number}" for number in range(len(made))),
            }
            return joint


def column_of(part: frozenset[Value]) -> str:
    return f"in_{'_'.join(sorted(map(str, part)))}"


def part_of(release: Release, made: Sequence[Release]) -> Part | None:
    """The part of a release, as a query tells it, with those that share nobody with it."""
    if release.part is None:
        return None
    parts = {each.part for each in made if each.part is not None}
    apart = {column_of(each) for each in parts if not each & release.part}
    return Part(column_of(release.part), frozenset(apart))


def with_parts(rows: Relation, made: Sequence[Release]) -> Relation:
    """The source with a column for each part, NULL for who is in none."""
    parts = {each.part for each in made if each.part is not None}
    flags = [
        f", part IN ({', '.join(repr(each) for each in sorted(map(str, part)))}) "
        f"AS {column_of(part)}"
        for part in sorted(parts, key=column_of)
    ]
    return replace(rows, sql=Markup(f"(SELECT *{''.join(flags)} FROM {rows.sql})"))


def as_left(joint: Joint) -> Left:
    if not joint.releases:
        return Left(0, 0, None, 0, None, 0, None, 0, 0, ())
    by_unit = {each.unit: each for each in joint.sizes}
    values = {each.column: each for each in joint.values}.get("ill")
    return Left(
        joint.combinations,
        joint.rows,
        by_unit[None].fewest,
        by_unit[None].rows_below,
        by_unit["person"].fewest,
        by_unit["person"].rows_below,
        values.fewest if values else None,
        values.rows_below if values else 0,
        values.rows_without if values else 0,
        tuple(figures(each) for each in joint.differences if not is_of_several(each)),
        tuple(sorted(figures(each) for each in joint.differences if is_of_several(each))),
    )


def figures(each: Difference) -> tuple[int, int, int]:
    return each.rows_came, each.rows_went, each.exposed_rows


def is_of_several(each: Difference) -> bool:
    return each.earlier.startswith("all from ")


def compare(choice: Random, *, timed: bool = False) -> None:
    """One scene under one policy: sqlgen and the oracle say the same of it."""
    people, made = scene_of(choice, timed=timed)
    agree(people, made, choice.randint(2, 4), choice.randint(0, 3), choice.randint(0, 1))


def agree(people: Sequence[Row], made: Sequence[Release], k: int, least: int, level: int) -> None:
    guarantee: dict[str, Any] = {"t_closeness": {"column": "ill", "t": 1, "distance": "equal"}}
    if least >= 2:
        guarantee = {"distinct_l_diversity": {"column": "ill", "l": least}}
    joint = measured(people, made, policy_of(k, guarantee, level))
    told = left(people, made, k=k, l=max(least, 2), narrowed=least < 2, policy_level=level)
    if not any(each.shows_ill for each in made):
        assert joint.values == ()
    assert as_left(joint) == told
    exposed = any(exposed for _, _, exposed in (*told.differences, *told.together))
    lost = told.rows_below or told.rows_below_persons or told.rows_below_values or exposed
    assert joint.satisfied is (len(made) < 2 or not lost)


@given(st.randoms(use_true_random=False))
def test_what_is_left_is_what_every_row_says(choice: Random) -> None:
    compare(choice)


@given(st.randoms(use_true_random=False))
def test_what_is_left_of_releases_of_new_rows_is_what_every_row_says(choice: Random) -> None:
    compare(choice, timed=True)


PARTS: tuple[frozenset[Value], ...] = (
    frozenset(["f"]),
    frozenset(["m"]),
    frozenset(["f", "x"]),
)


@given(st.randoms(use_true_random=False))
def test_what_is_left_of_releases_by_queries_is_what_every_row_says(choice: Random) -> None:
    people, made = scene_of(choice)
    people = [{**person, "part": choice.choice(["f", "m", "x", None])} for person in people]
    parted = []
    for each in made:
        release = replace(each, part=choice.choice([None, *PARTS]))
        parted.append(release)
    agree(people, parted, choice.randint(2, 4), choice.randint(0, 3), choice.randint(0, 1))


@given(st.randoms(use_true_random=False), st.integers(1, 3))
def test_a_release_read_again_and_again_tells_nothing_more(choice: Random, times: int) -> None:
    people, made = scene_of(choice)
    policy = policy_of(2, {"distinct_l_diversity": {"column": "ill", "l": 2}}, 0)
    once = as_left(measured(people, made[:1], policy))
    again = as_left(measured(people, made[:1] * (1 + times), policy))
    assert set(again.differences) <= {(0, 0, 0)}
    assert replace(again, differences=()) == once


@pytest.mark.parametrize("times", [1, 2])
def test_no_people_leave_nothing(times: int) -> None:
    made = [Release(({"zip": "4760", "ill": "flu"},), {"zip": 0})] * times
    joint = measured([], made, policy_of(2, {"k_anonymity": {"k": 2}}, 0))
    assert (joint.rows, joint.sizes[0].fewest, joint.satisfied) == (0, None, True)


def battery() -> None:
    # NULL is shown at two levels, of somebody who has left: it stands for itself.
    people: list[Row] = [{"zip": "4760", "age": 20, "ill": "flu", "person": "a", "came": None}]
    values = Release(({"zip": "4760", "ill": "flu"}, {"zip": "4760", "ill": None}), {"zip": 0})
    labels = ({"zip": "4760", "ill": "lungs"}, {"zip": "4760", "ill": None})
    for level in range(2):
        agree(people, [values, Release(labels, {"zip": 0}, ill_level=1)], 2, 2, level)
    # A coarser release of rows that a finer one withholds in part, and of one or two that came.
    shown: list[Row] = [{"zip": "4760", "ill": ill} for ill in ILLS]
    fine = Release((*shown, *({"zip": "4761", "ill": None} for _ in ILLS)), {"zip": 0})
    for more in (1, 2):
        rows = [{"zip": "47**", "ill": ill} for ill in (*ILLS, *ILLS, *("flu", "gout")[:more])]
        pair = [replace(fine, withholds=True), Release(tuple(rows), {"zip": 1})]
        agree(people, pair, 2, 2, 0)
        agree(people, pair[::-1], 2, 2, 0)
    # Two increments against one of all rows, at the level of the second: at it, no release shows a
    # label of the others' classes, of which one lost a value that the other got.
    first = Release(
        ({"age": "20", "ill": "flu"}, {"age": "41", "ill": "gout"}), {"age": 0}, window=(None, 3)
    )
    second = Release(({"age": None, "ill": "flu"},), {"age": 2}, window=(3, 5))
    every = ({"age": "20", "ill": "gout"}, {"age": "41", "ill": "flu"})
    agree(people, [first, second, Release(every, {"age": 0})], 2, 2, 0)
    # By zip and by age of women and of men: nobody is in two of these, whatever their labels say.
    both: list[Row] = [
        {"zip": "4760", "age": 20, "ill": "flu", "person": "a", "came": None, "part": "f"},
        {"zip": "4760", "age": 30, "ill": "gout", "person": "b", "came": None, "part": "m"},
    ]
    women = Release(({"zip": "4760", "ill": "flu"},) * 2, {"zip": 0}, part=frozenset(["f"]))
    whole = Release(({"age": "20", "ill": "flu"}, {"age": "30", "ill": "gout"}), {"age": 0})
    agree(both, [women, whole], 2, 2, 0)
    for seed in SEEDS:
        compare(Random(seed))
    for seed in TIMED_SEEDS:
        compare(Random(seed), timed=True)


# Between them they notice every edit below.
SEEDS = (0, 2, 3, 6, 10, 20, 25, 38, 48, 91, 112, 391)
TIMED_SEEDS = (19, 20)
MUTATIONS = [
    ("shown", "COUNT(*)", "1"),
    ("label", "GROUP BY called", "GROUP BY called HAVING called IS NOT NULL"),
    ("cell", "IS NOT DISTINCT FROM", "="),
    ("cell", "IS NULL", "IS NOT NULL"),
    ("cell", "  shown.row_count", "  1 AS row_count"),
    ("class", "SUM(row_count)", "COUNT(row_count)"),
    ("class", "BOOL_AND", "BOOL_OR"),
    ("value", "named.label IS NOT DISTINCT FROM", "named.label ="),
    ("value", "}} IS NOT DISTINCT FROM", "}} ="),
    ("value", "LEFT JOIN", "JOIN"),
    ("value", "{% if loop.first %}", "{% if True %}"),
    ("value", "+ DENSE_RANK", "+ 0 * DENSE_RANK"),
    ("met", "LEFT JOIN", "JOIN"),
    ("met", "IS NOT DISTINCT FROM", "="),
    ("met", "LEAST(", "GREATEST("),
    ("met", "COALESCE({{ each.within }}, FALSE)", "TRUE"),
    ("in_part", '{{ ("source", column) | name }}', "TRUE"),
    ("met", " AND combination.is_within_{{ each.number | literal }}", ""),
    ("../staging/window_within", "{% if day %}>={% else %}", "{% if day %}>{% else %}"),
    ("../staging/window_within", "{% if day %}<{% else %}", "{% if day %}<={% else %}"),
    ("met", "SUM(combination.row_count)", "COUNT(combination.row_count)"),
    ("signature", "SUM(row_count)", "MAX(row_count)"),
    ("signature", "WHERE class_size IS NOT NULL", "WHERE TRUE"),
    (
        "candidate_rows",
        "has_{{ number | literal }} THEN",
        "has_{{ number | literal }} OR TRUE THEN",
    ),
    ("candidate_rows", " OR NOT mask", " OR mask"),
    ("candidate_rows", "LEAST(candidate", "GREATEST(candidate"),
    ("candidate_rows", "COUNT(DISTINCT met.person)", "COUNT(met.person)"),
    ("candidate_rows", "CAST(BOOL_OR(met.person IS NULL) AS INTEGER)", "0"),
    ("candidate_rows", "SUM(met.row_count)", "MAX(met.row_count)"),
    ("candidate_rows", "MIN(candidates)", "MAX(candidates)"),
    ("candidate_rows", "candidates < ", "candidates <= "),
    ("rung", "label_from.value IS NOT DISTINCT FROM", "label_from.label IS NOT DISTINCT FROM"),
    ("held", "WHERE NOT class.is_withheld", "WHERE TRUE"),
    ("held", "COALESCE(rung.id_to, cell.{{ column }})", "rung.id_to"),
    ("held", "COALESCE(rung.id_to, cell.{{ column }})", "cell.{{ column }}"),
    ("candidate_values", "HAVING COUNT(held.value_id) = asked.class_count", ""),
    ("candidate_values", "COUNT(*) AS class_count", "1 AS class_count"),
    ("candidate_values", " AND asked.value_id = held.value_id", ""),
    ("candidate_values", "MIN(value_count) AS least_count", "MAX(value_count) AS least_count"),
    ("candidate_values", "COALESCE(candidate.candidates, 0)", "candidate.candidates"),
    ("candidate_values", "COALESCE(counted.id_to, common.value_id)", "common.value_id"),
    ("candidate_values", "COALESCE(counted.id_to, common.value_id)", "counted.id_to"),
    ("candidate_values", " AND candidates < least_count", ""),
    ("candidate_values", "candidates < {{", "candidates <= {{"),
    ("candidate_values", "candidates = 0", "candidates = 1"),
    ("candidate_values", "SUM(row_count)", "COUNT(row_count)"),
    ("rolled", "class.is_withheld{% else %}TRUE", "class.is_withheld{% else %}FALSE"),
    ("rolled", "SUM(cell.row_count)", "MAX(cell.row_count)"),
    ("version", "BOOL_AND(is_withheld)", "BOOL_OR(is_withheld)"),
    ("version", "BOOL_OR(is_withheld)", "BOOL_AND(is_withheld)"),
    ("version", " FILTER (WHERE NOT is_withheld)", ""),
    ("version", "class_size ASC, is_withheld ASC, is_partly_withheld ASC, content", "content"),
    ("version", ", content ASC NULLS FIRST) AS", ") AS"),
    ("changed", " AND before.class_id = after.class_id", ""),
    ("changed", "<>", "<"),
    ("change", "{{ side.sign }}cell", "cell"),
    ("change", "HAVING SUM(row_count) <> 0", "HAVING SUM(row_count) <> 1"),
    ("change", "before.is_withheld OR after.is_withheld AS", "FALSE AS"),
    ("change", "before.is_partly_withheld OR after.is_partly_withheld AS", "FALSE AS"),
    ("change", "after.class_size - before", "2 * after.class_size - before"),
    ("change", "COUNT(DISTINCT {{ place }})", "MAX(ABS(change))"),
    ("change", "-SUM(change) FILTER (WHERE change < 0)", "SUM(change) FILTER (WHERE change > 0)"),
    ("change", "GREATEST(compared.grown, 0)", "compared.grown"),
    ("change", "GREATEST(-compared.grown, 0)", "GREATEST(compared.grown, 0)"),
    ("difference", "}} < {{ least | literal }} THEN", "}} <= {{ least | literal }} THEN"),
    ("difference", "WHEN is_partly_withheld AND", "WHEN FALSE AND"),
    ("difference", "}}grown < {{", "}}grown <= {{"),
    ("difference", "}} < {{ each.least", "}} <= {{ each.least"),
    ("difference", "exposed_came + exposed", "exposed_came + 0 * exposed"),
]


def test_the_battery_passes_as_things_are() -> None:
    battery()


@pytest.mark.parametrize(("template", "old", "new"), MUTATIONS)
def test_the_battery_fails_when_a_template_is_edited(template: str, old: str, new: str) -> None:
    with mutated(f"history/{template}".replace("history/../", ""), old, new):
        try:
            battery()
        except EngineError as error:
            pytest.fail(f"the edit is no SQL, so it shows nothing: {error}")
        except (AssertionError, TypeError):
            # TypeError: NULL where a count must be.
            return
    pytest.fail("nothing noticed the edit")
