"""Releases at different levels, of different columns and of different lists, read together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sqlgen import Joint, audit_history, read_history, read_policy
from sqlgen.cli.text.history import joint_text
from wards import BY_AGE, BY_ZIP, publish, ward, ward_policy

FOUR = ("flu", "cold", "gout", "ulcer")
AT = {
    "both": {"zip": (0, 0), "age": (0, 0)},
    "tens": {"zip": (0, 0), "age": (1, 1)},
    "zip": BY_ZIP,
    "age": BY_AGE,
}
TREE = {"tree": {"lungs": ["flu", "cold"], "stomach": ["ulcer"], "joints": ["gout"]}}


def rows_of(*people: tuple[str, int], ills: tuple[str, ...] = FOUR) -> list[tuple[str, int, str]]:
    return [(zip_code, age, ill) for zip_code, age in people for ill in ills]


def pairs(joint: Joint) -> list[tuple[int, int, int]]:
    return [(each.rows_came, each.rows_went, each.exposed_rows) for each in joint.differences]


@pytest.mark.parametrize("coarse_first", [False, True])
def test_a_row_that_a_finer_release_suppressed_is_what_a_coarser_one_has_more(
    coarse_first: bool,
) -> None:
    connection = ward([*rows_of(("4760", 21), ("4760", 22)), ("4760", 23, "cancer")])
    fine = ward_policy({"table": "fine"}, suppression="1")
    coarse = ward_policy({"table": "coarse"})
    for policy, levels in [(fine, "both"), (coarse, "zip")][:: -1 if coarse_first else 1]:
        publish(connection, policy, AT[levels])
    joint = audit_history(coarse, connection)
    assert pairs(joint) == [(0, 1, 1) if coarse_first else (1, 0, 1)]
    assert joint.blocks


def test_rows_that_came_between_two_levels_are_exposed_where_they_are_few_or_alike() -> None:
    connection = ward(rows_of(("4760", 21), ("4790", 22)))
    publish(connection, ward_policy({"table": "fine"}), AT["both"])
    connection.execute("INSERT INTO ward VALUES ('4760', 24, 'flu'), ('4760', 25, 'flu')")
    policy = ward_policy({"table": "coarse"})
    publish(connection, policy, AT["tens"])
    assert pairs(audit_history(policy, connection)) == [(2, 0, 2)]
    connection.execute("UPDATE ward SET disease = 'gout' WHERE age = 25")
    publish(connection, policy, AT["tens"])
    joint = audit_history(policy, connection)
    assert pairs(joint) == [(2, 0, 0)]
    assert joint.differences[0].earlier == "release 1, table fine"


def test_a_column_that_a_release_does_not_show_is_at_its_top() -> None:
    connection = ward(rows_of(("4760", 21), ("4790", 35)))
    columns = {"age": {"role": "identifier"}}
    publish(connection, ward_policy({"table": "one"}, columns=columns), {"zip": (0, 0)})
    connection.execute("INSERT INTO ward VALUES ('4760', 21, 'cancer')")
    for levels in (BY_ZIP, AT["both"]):
        policy = ward_policy({"table": "two"})
        publish(connection, policy, levels)
        assert pairs(audit_history(policy, connection)) == [(1, 0, 1)]


def test_releases_that_are_each_finer_in_something_are_compared_where_both_can_be_taken() -> None:
    connection = ward(rows_of(("4760", 21), ("4790", 35)))
    publish(connection, ward_policy({"table": "one"}), AT["zip"])
    policy = ward_policy({"table": "two"})
    publish(connection, policy, AT["age"])
    assert pairs(audit_history(policy, connection)) == [(0, 0, 0)]
    connection.execute("INSERT INTO ward VALUES ('4760', 21, 'cancer')")
    publish(connection, policy, AT["age"])
    joint = audit_history(policy, connection)
    assert pairs(joint) == [(1, 0, 1)]
    assert joint.blocks


@pytest.mark.parametrize("fine_first", [False, True])
def test_a_column_with_one_label_throughout_hides_nobody_who_came(fine_first: bool) -> None:
    # All are from 20 to 29, so that tens tell as much as no age at all.
    connection = ward(rows_of(("4760", 21), ("4761", 22)))
    levels = {"fine": {"zip": (0, 0), "age": (2, 2)}, "tens": {"zip": (1, 1), "age": (1, 1)}}
    for name in levels if fine_first else reversed(levels):
        policy = ward_policy({"table": name})
        publish(connection, policy, levels[name])
        joint = audit_history(policy, connection)
        connection.execute("INSERT INTO ward VALUES ('4760', 21, 'cancer')")
    assert pairs(joint) == [(1, 0, 1)]
    assert joint.blocks


def test_releases_of_two_columns_each_are_compared_at_the_coarser_level_of_both() -> None:
    # By zips and by places: five came to the first place, and one to the other.
    connection = ward(rows_of(("4760", 21), ("4761", 35), ("4890", 21), ("4891", 35)))
    publish(connection, ward_policy({"table": "zips"}), BY_ZIP)
    came = [*rows_of(("4760", 21)), ("4760", 35, "cancer"), ("4890", 21, "burn")]
    connection.executemany("INSERT INTO ward VALUES (?, ?, ?)", came)
    policy = ward_policy({"table": "places"})
    publish(connection, policy, {"zip": (1, 1), "age": (1, 1)})
    assert pairs(audit_history(policy, connection)) == [(6, 0, 1)]


def test_releases_that_are_not_neighbours_in_time_are_compared_too() -> None:
    connection = ward(rows_of(("4760", 21)))
    more = "INSERT INTO ward VALUES ('4760', 22, ?)"
    changes: dict[str, list[tuple[str, list[str]]]] = {
        "one": [],
        "two": [(more, [ill]) for ill in (*FOUR, "burn", "cancer")],
        "three": [("DELETE FROM ward WHERE age = 22 AND disease <> 'cancer'", [])],
    }
    for name, levels in zip(changes, ("tens", "tens", "zip"), strict=True):
        for change in changes[name]:
            connection.execute(*change)
        policy = ward_policy({"table": name})
        publish(connection, policy, AT[levels])
    assert pairs(audit_history(policy, connection)) == [(6, 0, 0), (1, 0, 1), (0, 5, 0)]


def test_persons_are_at_most_rows_so_their_number_is_asked_of_rows_that_came() -> None:
    connection = ward([(each, 21, ill) for each in ("4760", "4790") for ill in FOUR])
    connection.execute("ALTER TABLE ward ADD person INTEGER")
    connection.execute("UPDATE ward SET person = rowid")
    asked = {
        "columns": {"person": {"role": "identifier"}},
        "guarantees": [{"k_anonymity": {"k": 3, "unit": "person"}}],
    }
    publish(connection, ward_policy({"table": "one"}, **asked), BY_ZIP)
    connection.execute("INSERT INTO ward VALUES ('4760', 21, 'cancer', 99)")
    policy = ward_policy({"table": "two"}, **asked)
    publish(connection, policy, BY_ZIP)
    joint = audit_history(policy, connection)
    assert pairs(joint) == [(1, 0, 1)]
    assert joint.blocks


@pytest.mark.parametrize("groups_first", [False, True])
def test_diseases_and_their_groups_are_compared_as_groups(groups_first: bool) -> None:
    connection = ward(rows_of(("4760", 21)))
    levels = [0, 1][:: -1 if groups_first else 1]
    for number, level in enumerate(levels):
        disease = {"role": "sensitive", "hierarchy": TREE, **({"level": level} if level else {})}
        policy = ward_policy({"table": f"r{number}"}, columns={"disease": disease})
        publish(connection, policy, BY_ZIP)
        if number == 0:
            connection.execute("INSERT INTO ward VALUES ('4760', 22, 'flu'), ('4760', 23, 'cold')")
    # Two diseases came, and one group.
    assert pairs(audit_history(policy, connection)) == [(2, 0, 2)]


def test_values_that_are_masked_come_to_light_in_a_coarser_release() -> None:
    connection = ward([*rows_of(("4760", 21)), *rows_of(("4760", 22), ills=("cancer", "cancer"))])
    fine = ward_policy({"table": "fine"}, on_failure="suppress_sensitive", suppression="50%")
    publish(connection, fine, AT["both"])
    assert read_history(fine, connection)[0].masked_rows == 2
    policy = ward_policy({"table": "coarse"})
    publish(connection, policy, BY_ZIP)
    assert pairs(audit_history(policy, connection)) == [(2, 0, 2)]


DAYS = "DATE '2024-01-15' + age * 10"
EDGES = ["2024-04-01", "2024-09-01", "2025-01-01"]
UNITS = {"dates": ["day", "month", "quarter", "year", "decade"]}


@pytest.mark.battery
@pytest.mark.parametrize(
    ("hierarchy", "before", "after", "age"),
    [
        ("suppress", 0, 1, "age"),
        ({"intervals": [10, 80]}, 1, 2, "age"),
        ({"intervals": ["2.5", 80]}, 1, 2, "age::DOUBLE"),
        ({"intervals": [{"cuts": [10, 30, 40]}, {"cuts": [90]}]}, 1, 2, "age"),
        ({"prefixes": [2, 1]}, 1, 2, "'1' || age"),
        ({"prefixes": [1]}, 0, 1, "'*' || (age + 10)"),
        ({"prefixes": [2, 1]}, 1, 2, "1000 + 10 * age"),
        ({"intervals": [10, 2000]}, 1, 2, DAYS),
        (
            {
                "intervals": [
                    {"cuts": ["2024-04-01", "2024-09-01", "2025-01-01"]},
                    {"cuts": ["2030-01-01"]},
                ]
            },
            1,
            2,
            DAYS,
        ),
        *((UNITS, level, 5, DAYS) for level in range(5)),
        ({"tree": {"all": {str(age): [str(age)] for age in (5, 21, 33, 45)}}}, 1, 2, "age"),
    ],
)
def test_labels_of_people_who_have_left_are_rolled_up_where_the_hierarchy_says_how(
    hierarchy: Any, before: int, after: int, age: str
) -> None:
    people = [("4760", 21), ("4760", 33), ("4760", 5)]
    connection = ward([*rows_of(*people), ("4760", 45, "cancer")])
    connection.execute(f"CREATE OR REPLACE TABLE ward AS SELECT * REPLACE ({age} AS age) FROM ward")
    columns = {"age": {"role": "quasi", "hierarchy": hierarchy}}
    for name, level in (("fine", before), ("coarse", after)):
        policy = ward_policy({"table": name}, columns=columns, suppression="1")
        publish(connection, policy, {"zip": (0, 0), "age": (level, level)})
    connection.execute("DELETE FROM ward WHERE rowid < 3 OR rowid > 3")
    joint = audit_history(policy, connection)
    assert joint.unjudged == ()
    assert pairs(joint) == [(1, 0, 1)]


@pytest.mark.parametrize(
    ("hierarchy", "rows"),
    [
        # The source had 33 alone of those from 30 to 40: now nobody knows it.
        ({"sql": ["age // 10", "age // 20"]}, 4),
        # These nest for 21 and 33, and not for 29, or for 39.
        ({"intervals": [10, 25]}, 4),
        ({"intervals": [{"cuts": [30]}, {"cuts": [20, 40]}]}, 8),
    ],
)
def test_labels_that_nobody_can_roll_up_any_more_are_not_passed_over(
    hierarchy: Any, rows: int
) -> None:
    connection = ward(rows_of(("4760", 21), ("4760", 33)))
    columns = {"age": {"role": "quasi", "hierarchy": hierarchy}}
    policy = ward_policy({"table": "fine"}, columns=columns)
    publish(connection, policy, {"zip": (0, 0), "age": (1, 1)})
    connection.execute("DELETE FROM ward WHERE age = 33")
    coarse = ward_policy({"table": "coarse"}, columns=columns)
    publish(connection, coarse, {"zip": (0, 0), "age": (2, 2)})
    joint = audit_history(policy, connection)
    assert joint.differences == ()
    assert joint.unjudged == (
        (
            "release 1, table fine",
            f"{rows} rows of it cannot be compared with release 2, table coarse: nobody knows what "
            "their labels are at its levels",
        ),
    )
    assert joint.blocks
    assert f"Cannot be judged: release 1, table fine: {rows} rows" in joint_text(joint)


def test_columns_of_another_policy_are_not_passed_over() -> None:
    connection = ward(rows_of(("4760", 21), ("4790", 35)))
    hidden = {"role": "identifier"}
    other = ward_policy({"table": "by_zip"}, columns={"age": hidden})
    publish(connection, other, {"zip": (0, 0)})
    policy = ward_policy({"table": "by_age"}, columns={"zip": hidden})
    publish(connection, policy, {"age": (0, 0)})
    for mine, theirs in ((policy, "zip"), (other, "age")):
        joint = audit_history(mine, connection)
        ((_, why),) = joint.unjudged
        assert why == f"it has quasi-identifiers that this policy does not have: {theirs}"
        assert joint.blocks


@pytest.mark.parametrize(
    ("shown", "unknown"),
    [
        ({"zip": "zip", "disease": "ill"}, "ill"),
        ({"zip": "plz", "disease": "disease"}, "plz"),
        ({"zip": "zip", "disease": "disease", "age": "years"}, "years"),
    ],
)
def test_columns_that_a_view_renames_are_not_passed_over(
    shown: dict[str, str], unknown: str
) -> None:
    connection = ward(rows_of(("4760", 21), ("4790", 35)))
    columns = ", ".join(f"{mine} AS {theirs}" for mine, theirs in shown.items())
    connection.execute(f"CREATE VIEW seen AS SELECT {columns} FROM ward")
    roles = {
        "zip": {"role": "quasi", "hierarchy": "suppress"},
        "disease": {"role": "sensitive"},
        "age": {"role": "other"},
    }
    theirs = read_policy(
        {
            "source": {"table": "seen"},
            "columns": {shown[name]: roles[name] for name in shown},
            "guarantees": [{"k_anonymity": {"k": 2}}],
            "release": {"table": "one"},
        }
    )
    publish(connection, theirs, {})
    policy = ward_policy({"table": "two"})
    publish(connection, policy, BY_ZIP)
    ((words, why),) = audit_history(policy, connection).unjudged
    assert words == "release 1, table one"
    assert why.startswith("it ")
    assert why.endswith(f": {unknown}")


def lists_of(folder: Path) -> dict[str, tuple[Any, ...]]:
    """Hierarchies whose labels are the same and mean something else, before and after."""
    lines = ("1,A\n2,A\n3,B\n4,B\n", "1,A\n2,B\n3,A\n4,B\n")
    for number, text in enumerate(lines):
        (folder / f"{number}.csv").write_text(text)
    trees = [{"A": ["1", "2"], "B": ["3", "4"]}, {"A": ["1", "3"], "B": ["2", "4"]}]
    expressions = ("zip > '2'", "zip IN ('2', '4')")
    return {
        "csv": tuple({"csv": str(folder / f"{number}.csv")} for number in range(2)),
        "table": ({"table": "lines"}, {"table": "lines"}),
        "tree": tuple({"tree": tree} for tree in trees),
        "sql": tuple({"sql": [f"CASE WHEN {each} THEN 'B' ELSE 'A' END"]} for each in expressions),
        "none": ({"prefixes": [2]}, {"prefixes": [2, 1]}),
    }


@pytest.mark.battery
@pytest.mark.parametrize("level", [0, 1, 2])
@pytest.mark.parametrize("kind", ["csv", "table", "tree", "sql", "none"])
def test_labels_of_a_hierarchy_that_has_changed_are_not_read_by_that_of_today(
    kind: str, level: int, tmp_path: Path
) -> None:
    connection = ward(rows_of(*((each, 21) for each in "1234")))
    policies = []
    for number, hierarchy in enumerate(lists_of(tmp_path)[kind]):
        connection.execute(f"CREATE OR REPLACE TABLE lines AS FROM '{tmp_path}/{number}.csv'")
        columns = {"zip": {"role": "quasi", "hierarchy": hierarchy}}
        policies.append(ward_policy({"table": f"r{number}"}, columns=columns))
        if number == 0:
            publish(connection, policies[0], {"zip": (level, level), "age": (1, 1)})
            assert audit_history(policies[0], connection).unjudged == ()
    joint = audit_history(policies[1], connection)
    if level == 1 and kind != "none":
        assert joint.unjudged == (
            (
                "release 1, table r0",
                "the hierarchy of zip is another one than it was made with, so its labels may "
                "mean something else now; remove that release, or say joint: warn",
            ),
        )
        assert joint.blocks
    else:
        assert joint.unjudged == ()


def test_values_that_are_masked_are_no_strange_labels() -> None:
    connection = ward([*rows_of(("4760", 21)), *rows_of(("4760", 22), ills=("cancer", "cancer"))])
    groups = {"sql": ["CASE WHEN disease IN ('flu', 'cold') THEN 'lungs' ELSE disease END"]}
    masking = {"on_failure": "suppress_sensitive", "suppression": "50%"}
    for name, level, levels in (("fine", 0, "both"), ("coarse", 1, "zip")):
        disease = {"role": "sensitive", "hierarchy": groups, **({"level": level} if level else {})}
        policy = ward_policy({"table": name}, columns={"disease": disease}, **masking)
        publish(connection, policy, AT[levels])
    joint = audit_history(policy, connection)
    assert joint.unjudged == ()
    assert pairs(joint) == [(2, 0, 2)]


@pytest.mark.parametrize("role", [{"role": "other"}, {"role": "quasi", "hierarchy": "suppress"}])
def test_a_column_that_another_policy_protects_is_not_passed_over(role: dict[str, Any]) -> None:
    connection = ward()
    publish(connection, ward_policy({"table": "by_zip"}), BY_ZIP)
    size = [{"k_anonymity": {"k": 2}}]
    policy = ward_policy({"table": "two"}, columns={"disease": role}, guarantees=size)
    joint = audit_history(policy, connection)
    assert joint.unjudged == (
        (
            "release 1, table by_zip",
            "it was made to protect columns that are not sensitive in this policy: disease",
        ),
    )


def test_a_release_that_promised_more_is_held_to_it() -> None:
    connection = ward()
    publish(connection, ward_policy({"table": "by_zip"}), BY_ZIP)
    policy = ward_policy({"table": "by_age"}, guarantees=[{"k_anonymity": {"k": 2}}])
    publish(connection, policy, BY_AGE)
    joint = audit_history(policy, connection)
    (values,) = joint.values
    assert (values.required, values.fewest, values.rows_below) == (2, 1, 4)
    connection.execute("DROP TABLE by_zip")
    assert audit_history(policy, connection).values[0].required is None
