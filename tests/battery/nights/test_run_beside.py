"""Which releases a run is judged beside: those that could have its rows, and stand when it does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest

from nights import Clock
from sqlgen import (
    Joint,
    Policy,
    RefusedError,
    Run,
    SearchLimits,
    audit_history,
    make_plan,
    read_history,
    read_policy,
    run_policy,
    write_lock,
)
from sqlgen.history.refusal import refusal_words
from sqlgen.reports.evidence import read_evidence
from wards import BY_AGE, BY_ZIP, WARD, ward_policy

TOP = {"zip": (2, 2), "age": (2, 2)}
WOMEN = "SELECT zip, age, disease FROM ward WHERE sex = 'f'"
MEN = "SELECT zip, age, disease FROM ward AS w WHERE w.sex = 'm' -- the others"
EVERYBODY = "SELECT zip, age, disease FROM ward"
HIDDEN = {"sex": {"role": "identifier"}, "came": {"role": "identifier"}}


class Ward:
    """A ward of women and men, and policies over it that are run one after another."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.connection = folder, duckdb.connect()
        self.connection.execute(
            "CREATE TABLE ward "
            "(zip VARCHAR, age INTEGER, disease VARCHAR, sex VARCHAR, came TIMESTAMP)"
        )
        self.log: dict[str, Mapping[str, Any]] = {}

    def come(
        self,
        rows: Sequence[tuple[str, int, str]] = WARD,
        sex: str | None = "f",
        came: datetime | None = None,
    ) -> None:
        for row in rows:
            at = None if came is None else came.replace(tzinfo=None)
            self.connection.execute("INSERT INTO ward VALUES (?, ?, ?, ?, ?)", [*row, sex, at])

    def policy(self, target: str | dict[str, Any], source: str = EVERYBODY, **more: Any) -> Policy:
        release = {"table": target} if isinstance(target, str) else target
        is_table = " " not in source
        return ward_policy(
            release,
            source={"table": source} if is_table else {"query": source},
            columns=HIDDEN if is_table else {},
            **{"run": {"rows_factor": 100, "nulls_rise": 1}, **more},
        )

    def run(self, policy: Policy, levels: Any = BY_ZIP) -> Run:
        lock = self.folder / "policy.lock"
        write_lock(make_plan(policy, self.connection, limits=SearchLimits(levels)), lock)
        self.log.clear()
        on_statement = self.log
        return run_policy(
            policy,
            self.connection,
            lock=lock,
            on_step=lambda step, told: on_statement.update({step: told}),
        )


def joint_of(made: Run) -> Joint:
    assert made.release is not None
    assert made.release.joint is not None
    return made.release.joint


@pytest.fixture
def ward(tmp_path: Path) -> Ward:
    made = Ward(tmp_path)
    made.come()
    made.come([(zip_code, age + 1, ill) for zip_code, age, ill in WARD], "m")
    return made


STAFF = "SELECT place, pay FROM staff"


def staff_policy(target: str, query: str = STAFF) -> Policy:
    return read_policy(
        {
            "source": {"query": query} if " " in query else {"table": query},
            "columns": {
                "place": {"role": "quasi", "hierarchy": "suppress"},
                "pay": {"role": "sensitive"},
            },
            "guarantees": [{"k_anonymity": {"k": 2}}],
            "release": {"table": target},
        }
    )


@pytest.mark.parametrize(
    "first",
    [
        EVERYBODY,
        "ward",
        # The engine plans no reading of a table that has no such row; the text names it.
        "SELECT zip, age, disease FROM ward WHERE sex <> 'x'",
        "WITH staff AS (FROM ward) SELECT zip, age, disease FROM staff AS s",
        "SELECT zip, age, disease FROM seen",
    ],
)
@pytest.mark.parametrize("second", [STAFF, "staff"])
def test_a_release_of_a_query_over_other_tables_is_left_out_and_said_so(
    first: str, second: str, ward: Ward
) -> None:
    ward.connection.execute("CREATE TABLE staff AS SELECT 'a' AS place, 'low' AS pay FROM RANGE(4)")
    ward.connection.execute("CREATE VIEW seen AS FROM ward WHERE sex IS NOT NULL")
    assert ward.run(ward.policy("one", first)).satisfied
    made = ward.run(staff_policy("two", second), {"place": (0, 0)})
    if "WITH" in first:
        # The name is also a table's, which may be the one that is meant.
        assert not made.satisfied
        return
    assert made.satisfied
    ((words, why),) = joint_of(made).left_out
    assert words == "release 1, table one"
    assert why.startswith("it was made from other rows, those of ")
    assert why.endswith(("ward", '"main"."ward"'))
    assert ward.log["joint"]["left_out"] == 1


def test_a_run_is_judged_beside_the_same_query_however_it_is_spelled(ward: Ward) -> None:
    ward.connection.execute("DELETE FROM ward WHERE sex = 'm'")
    assert ward.run(ward.policy("one")).satisfied
    for query in (
        "select zip,\n age, disease -- all\nfrom main.ward;",
        "FROM ward AS w SELECT w.zip, w.age, w.disease ORDER BY zip",
        "SELECT * EXCLUDE (sex, came) FROM ward",
    ):
        made = ward.run(ward.policy("two", query), BY_AGE)
        assert not made.satisfied
        assert joint_of(made).values[0].rows_below == 4
        assert joint_of(made).unjudged == ()


UNKNOWN = [
    "SELECT zip, age, disease FROM ward ORDER BY ALL LIMIT 4",
    "SELECT DISTINCT zip, age, disease FROM ward",
    "SELECT zip, age, ANY_VALUE(disease) AS disease FROM ward GROUP BY ALL",
    "SELECT zip, age, disease FROM ward WHERE RANDOM() < 2",
    "SELECT zip, age, disease FROM ward WHERE CURRENT_DATE > DATE '2000-01-01'",
    "SELECT zip, age, disease FROM ward JOIN (SELECT UNNEST(['f', 'm']) AS sex) USING (sex)",
    "SELECT LEFT(zip, 9) AS zip, age, disease FROM ward",
    "SELECT * REPLACE (age + 0 AS age) FROM (SELECT zip, age, disease FROM ward)",
    "SELECT zip, age, disease FROM ward UNION ALL SELECT zip, age, disease FROM ward WHERE FALSE",
    "SELECT zip, age, disease FROM ward_macro()",
    "SELECT zip, age, disease FROM QUERY_TABLE('ward')",
    "SELECT zip, age, 'x' || disease AS sex, disease FROM ward WHERE sex = 'xflu' OR TRUE",
]


@pytest.mark.parametrize("query", UNKNOWN)
def test_rows_that_cannot_be_told_stop_a_run_which_says_whose_and_what_to_do(
    query: str, ward: Ward
) -> None:
    ward.connection.execute("CREATE MACRO ward_macro() AS TABLE FROM ward")
    columns = {"sex": {"role": "identifier"}} if "|| disease" in query else {}
    other = ward_policy({"table": "one"}, source={"query": query}, columns=columns)
    assert ward.run(other, TOP).satisfied
    made = ward.run(ward.policy("two"), TOP)
    assert not made.satisfied
    assert made.release is not None
    words = made.release.hindrance
    assert words.startswith("Stopped: this release cannot be judged together with release 1 (table")
    assert "cannot be told: " in words
    assert "or remove that release" in words
    assert words.endswith("To publish all the same: joint: warn")
    assert ward.run(ward.policy("two", joint="warn"), TOP).satisfied


def test_a_ledger_that_does_not_say_by_which_query_stops_a_run(ward: Ward) -> None:
    assert ward.run(ward.policy("one")).satisfied
    ward.connection.execute("UPDATE sqlgen_releases SET source_query = NULL")
    made = ward.run(ward.policy("two", "ward"))
    assert not made.satisfied
    assert made.release is not None
    assert "by which query it was made is not known" in made.release.hindrance


@pytest.mark.parametrize("by", ["query", "view"])
@pytest.mark.parametrize("order", [(WOMEN, MEN), (MEN, WOMEN)])
def test_women_and_men_are_released_apart_at_whatever_levels(
    order: tuple[str, str], by: str, ward: Ward
) -> None:
    sources = list(order)
    if by == "view":
        for number, query in enumerate(order):
            ward.connection.execute(f"CREATE VIEW part_{number} AS {query}")
        sources = ["SELECT zip, age, disease FROM part_0", "SELECT zip, age, disease FROM part_1"]
        names = {"source": {"table": "part_0"}}, {"source": {"table": "part_1"}}
        first, second = (ward_policy({"table": f"t{n}"}, **each) for n, each in enumerate(names))
    else:
        first, second = (ward.policy(f"t{n}", each) for n, each in enumerate(sources))
    assert ward.run(first, BY_ZIP).satisfied
    made = ward.run(second, BY_AGE)
    assert made.satisfied
    assert joint_of(made).apart == ("release 1, table t0",)
    audited = audit_history(second, ward.connection)
    assert audited.satisfied
    assert len(audited.apart) == 2


@pytest.mark.parametrize("order", [("women", "all"), ("all", "women")])
def test_women_and_everybody_are_judged_by_the_rows_that_each_query_chooses(
    order: tuple[str, str], ward: Ward
) -> None:
    sources = {"women": WOMEN, "all": EVERYBODY}
    levels = {"women": BY_ZIP, "all": {"zip": (2, 2), "age": (1, 1)}}
    assert ward.run(ward.policy("one", sources[order[0]]), levels[order[0]]).satisfied
    made = ward.run(ward.policy("two", sources[order[1]], joint="warn"), levels[order[1]])
    joint = joint_of(made)
    # Of a woman, one is left: her zip code's class has no man. Of a man, the four of his decade.
    assert (joint.rows, joint.sizes[0].fewest, joint.sizes[0].rows_below) == (8, 1, 4)
    assert (joint.values[0].fewest, joint.values[0].rows_below) == (1, 4)
    assert not joint.satisfied
    assert audit_history(ward.policy("two", sources[order[1]]), ward.connection).sizes == (
        joint.sizes
    )


def test_parts_that_share_a_row_are_read_together(ward: Ward) -> None:
    old = "SELECT zip, age, disease FROM ward WHERE sex = 'm' OR age > 20"
    assert ward.run(ward.policy("one", WOMEN)).satisfied
    made = ward.run(ward.policy("two", old), BY_AGE)
    assert not made.satisfied
    assert joint_of(made).releases == ("release 1, table one", "this release")


JOINED = "SELECT w.zip, w.age, w.disease FROM ward AS w JOIN visit AS v ON w.zip = v.zip WHERE "
TWICE = "SELECT zip, age, disease FROM ward, RANGE(2) AS r (i) WHERE "


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (JOINED + "v.kind = 'x'", JOINED + "v.kind = 'y'"),
        (TWICE + "i = 0", TWICE + "i = 1"),
        (
            EVERYBODY + " WHERE NOT current_localtimestamp() >= came",
            EVERYBODY + " WHERE current_localtimestamp() >= came",
        ),
        (
            EVERYBODY + " WHERE zip IN (SELECT zip FROM visit)",
            EVERYBODY + " WHERE zip NOT IN (SELECT zip FROM visit)",
        ),
        (
            EVERYBODY + " WHERE zip IN (FROM read_csv('{list}', all_varchar = true))",
            EVERYBODY + " WHERE zip NOT IN (FROM read_csv('{list}', all_varchar = true))",
        ),
    ],
    ids=["a join", "a function", "a clock", "another table", "a file"],
)
def test_parts_that_can_have_the_same_people_stop_a_run(
    one: str, other: str, ward: Ward, tmp_path: Path
) -> None:
    listed = tmp_path / "list.csv"
    listed.write_text("zip\n4760\n4790\n")
    one, other = (each.replace("{list}", str(listed)) for each in (one, other))
    ward.connection.execute(
        "CREATE TABLE visit AS SELECT DISTINCT zip, kind "
        "FROM ward, (VALUES ('x'), ('y')) AS k (kind)"
    )
    ward.connection.execute("UPDATE ward SET came = TIMESTAMP '2100-01-01'")
    policy = ward.policy("one", one)
    if "NOT IN" in other:
        ward.connection.execute("DELETE FROM visit WHERE kind = 'x'")
    assert ward.run(policy, BY_ZIP).satisfied
    if ">= came" in other:
        ward.connection.execute("UPDATE ward SET came = TIMESTAMP '2000-01-01'")
    if "NOT IN" in other:
        ward.connection.execute("DELETE FROM visit")
        listed.write_text("zip\n1\n")
    made = ward.run(ward.policy("two", other), BY_AGE)
    assert not made.satisfied
    assert joint_of(made).unjudged


@pytest.mark.parametrize("since", ["DROP VIEW v", f"CREATE OR REPLACE VIEW v AS {MEN}"])
def test_a_release_of_a_view_is_of_the_rows_that_the_view_had(since: str, ward: Ward) -> None:
    ward.connection.execute(f"CREATE VIEW v AS {WOMEN}")
    policy = ward_policy({"table": "one"}, source={"table": "v"}, run={"rows_factor": 100})
    assert ward.run(policy, BY_ZIP).satisfied
    ward.connection.execute(since)
    made = ward.run(ward.policy("two", joint="warn"), {"zip": (2, 2), "age": (1, 1)})
    # Of a woman, one is left: no man was in the release of her zip code.
    assert (joint_of(made).sizes[0].fewest, joint_of(made).sizes[0].rows_below) == (1, 4)


@pytest.mark.parametrize("back", [EVERYBODY, "SELECT zip, age, disease FROM ward -- as it was"])
def test_a_view_that_is_made_again_as_it_was_has_the_rows_that_it_had(
    back: str, ward: Ward
) -> None:
    ward.connection.execute("DELETE FROM ward WHERE sex = 'm'")
    ward.connection.execute(f"CREATE VIEW v AS {EVERYBODY}")
    policy = ward_policy({"table": "one"}, source={"table": "v"}, run={"rows_factor": 100})
    assert ward.run(policy, BY_ZIP).satisfied
    ward.connection.execute(f"CREATE OR REPLACE VIEW v AS {back}")
    made = ward.run(ward_policy({"table": "two"}, source={"table": "v"}), BY_AGE)
    assert joint_of(made).unjudged == ()
    assert joint_of(made).values[0].rows_below == 4


def test_views_whose_own_names_differ_are_not_taken_for_the_same_rows(ward: Ward) -> None:
    ward.connection.execute("ALTER TABLE ward ALTER age TYPE VARCHAR")
    query = "SELECT zip, age, disease FROM ward"
    ward.connection.execute(f"CREATE VIEW v (zip, age, disease) AS {query}")
    ward.connection.execute(f"CREATE VIEW w (age, zip, disease) AS {query}")
    age = {"age": {"role": "quasi", "hierarchy": "suppress"}}
    first, second = (
        ward_policy({"table": f"of_{name}"}, source={"table": name}, columns=age) for name in "vw"
    )
    top = {"zip": (2, 2), "age": (1, 1)}
    assert ward.run(first, top).satisfied
    made = ward.run(second, top)
    assert not made.satisfied
    assert len(joint_of(made).unjudged) == 1


@pytest.mark.parametrize("which", [0, 1])
def test_parts_of_persons_with_several_rows_stop_a_run_whichever_release_protects_them(
    which: int, ward: Ward
) -> None:
    """Somebody with a row in both parts is nobody who is in one of them alone."""
    ward.connection.execute("ALTER TABLE ward ADD person VARCHAR; UPDATE ward SET person = rowid")
    unit = [{"k_anonymity": {"k": 2, "unit": "person"}}]
    query = "SELECT zip, age, disease, person FROM ward WHERE sex = "
    for number, sex in enumerate("fm"):
        more = {"guarantees": unit} if number == which else {}
        policy = ward_policy(
            {"table": f"of_{sex}"},
            source={"query": f"{query}'{sex}'"},
            columns={"person": {"role": "identifier"}},
            **more,
        )
        made = ward.run(policy, TOP)
        assert made.satisfied is (number == 0)
    assert "a person may have rows in both" in str(joint_of(made).unjudged)


def test_a_row_whose_part_is_not_known_is_in_neither(ward: Ward) -> None:
    ward.come([("9999", 50, "rash"), ("9999", 50, "burn")], None)
    assert ward.run(ward.policy("one", WOMEN), BY_ZIP).satisfied
    joint = joint_of(ward.run(ward.policy("two", MEN), BY_AGE))
    assert joint.satisfied
    whole = joint_of(ward.run(ward.policy("three", joint="warn"), TOP))
    assert whole.rows == 10


def test_a_part_whose_values_a_hierarchy_lacks_cannot_be_judged(ward: Ward, tmp_path: Path) -> None:
    lines = tmp_path / "zips.csv"
    lines.write_text("4760,47\n4790,47\n")
    ward.connection.execute("UPDATE ward SET zip = '1' || zip WHERE sex = 'm'")
    more = "SELECT zip, age, disease FROM ward WHERE sex = 'm' OR age = 35"
    assert ward.run(ward.policy("one", more), TOP).satisfied
    listed = {"zip": {"role": "quasi", "hierarchy": {"csv": str(lines)}}}
    policy = ward_policy({"table": "two"}, source={"query": WOMEN}, columns=listed)
    made = ward.run(policy, {"zip": (1, 1), "age": (2, 2)})
    ((words, why),) = joint_of(made).unjudged
    assert words == "release 1, table one"
    assert why.startswith("its rows have values that the hierarchies of this policy lack")


@pytest.mark.parametrize("kind", ["table", "csv"])
@pytest.mark.parametrize("keep", [1, 2])
def test_a_growing_table_is_judged_without_the_release_that_keep_removes(
    keep: int, kind: str, ward: Ward, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch)
    target = str(ward.folder / "kept.csv") if kind == "csv" else "kept"
    policy = ward.policy({kind: target, "timestamped": True, "keep": keep})
    assert ward.run(policy).satisfied
    clock.moment += timedelta(days=1)
    ward.come([("4760", 22, "gout")])
    made = ward.run(policy)
    assert made.satisfied is (keep == 1)
    if keep == 2:
        assert joint_of(made).differences[0].exposed_rows == 1
        return
    ((words, why),) = joint_of(made).left_out
    assert words.startswith("release 1, ")
    assert why == "it is removed once this release stands (keep)"
    joint = audit_history(policy, ward.connection)
    assert (len(joint.releases), joint.satisfied) == (1, True)


def test_a_file_that_keep_cannot_remove_is_still_judged(
    ward: Ward, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch)
    policy = ward.policy({"csv": str(ward.folder / "k.csv"), "timestamped": True, "keep": 1})
    assert ward.run(policy).satisfied
    ward.connection.execute("UPDATE sqlgen_releases SET place = 'sha256:0'")
    clock.moment += timedelta(days=1)
    made = ward.run(policy)
    assert not made.satisfied
    assert len(joint_of(made).unjudged) == 1


class Increments(Ward):
    """A ward whose new rows are released beside a release of all that there were."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        super().__init__(folder)
        self.clock, self.start = clock, datetime.now(UTC).replace(microsecond=0)
        self.come(came=self.start - timedelta(days=2))
        self.at(-24, self.new())
        assert self.run(self.policy("full", "ward")).satisfied

    def new(self, **more: Any) -> Policy:
        release = {"table": "new", "timestamped": True, "since": "came"}
        return self.policy(release, "ward", **more)

    def at(self, hours: int, policy: Policy, levels: Any = BY_ZIP) -> Run:
        self.clock.moment = self.start + timedelta(hours=hours)
        return self.run(policy, levels)


@pytest.fixture
def increments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Increments:
    return Increments(tmp_path, Clock(monkeypatch))


def test_an_increment_is_not_judged_beside_a_release_of_all_rows_from_before_it(
    increments: Increments,
) -> None:
    new = [(zip_code, age, ill[::-1]) for zip_code, age, ill in WARD]
    for hours, levels in ((2, BY_ZIP), (4, BY_AGE)):
        increments.come(new, came=increments.start + timedelta(hours=hours - 1))
        made = increments.at(hours, increments.new(), levels)
        assert made.satisfied
        assert joint_of(made).releases == ()
        assert "release 2, table full" in joint_of(made).apart


def test_an_increment_is_judged_beside_a_release_of_all_rows_with_rows_of_its_window(
    increments: Increments,
) -> None:
    # A row that bears a later time than that of the release that has it.
    increments.come([("4760", 21, "rash")], came=increments.start + timedelta(hours=1))
    assert increments.run(increments.policy("full", "ward", joint="warn")).satisfied
    increments.come(came=increments.start + timedelta(hours=1))
    made = increments.at(2, increments.new(), BY_AGE)
    assert not made.satisfied
    assert "release 2" not in str(joint_of(made).apart)


def test_a_row_that_comes_late_hides_none_of_the_window_in_a_release_of_all_rows(
    increments: Increments,
) -> None:
    """As many rows as were released have come by then, though they are others."""
    increments.come([("4760", 21, "rash")], came=increments.start + timedelta(hours=1))
    assert increments.run(increments.policy("full", "ward", joint="warn")).satisfied
    increments.come(came=increments.start + timedelta(hours=1))
    increments.come([("4790", 21, "cold")], came=increments.start - timedelta(days=1))
    with pytest.raises(RefusedError, match="came late: "):
        increments.at(2, increments.new(), BY_AGE)


def test_an_increment_is_judged_beside_all_rows_where_some_are_gone_or_came_late(
    increments: Increments,
) -> None:
    increments.come(came=increments.start + timedelta(hours=1))
    increments.connection.execute(
        "DELETE FROM ward WHERE came < ? AND age = 21", [increments.start]
    )
    made = increments.at(2, increments.new(), BY_AGE)
    assert not made.satisfied
    assert "release 2, table full" in joint_of(made).releases


def test_releases_of_all_rows_from_before_and_of_now_expose_the_rows_between(
    increments: Increments,
) -> None:
    increments.come(came=increments.start + timedelta(hours=1))
    assert increments.at(2, increments.new()).satisfied
    increments.come([("4760", 24, "gout")], came=increments.start + timedelta(hours=3))
    made = increments.at(4, increments.policy("now", "ward"))
    assert not made.satisfied
    assert any(each.exposed_rows == 1 for each in joint_of(made).differences)


def broken(ward: Ward) -> None:
    """A ward with two releases that were published though they tell every disease together."""
    ward.connection.execute("DELETE FROM ward WHERE sex = 'm'")
    first = ward.run(ward.policy("by_zip"), BY_ZIP)
    assert first.satisfied
    assert first.release is not None
    assert first.release.joint_warning == ""
    warned = ward.run(ward.policy("by_age", joint="warn"), BY_AGE)
    assert warned.satisfied
    assert warned.release is not None
    assert warned.release.joint_warning.startswith(
        "Warning: together with release 1 (table by_zip)"
    )
    assert warned.release.joint_warning.endswith("It was published all the same: joint: warn")


@pytest.mark.parametrize(
    ("target", "levels", "repeated"),
    [
        ("again", BY_ZIP, "release 1, table by_zip"),
        ("top", TOP, "release 1, table by_zip"),
        ("by_zip", BY_ZIP, "release 1, table by_zip"),
        ("older", {"zip": (2, 2), "age": (1, 1)}, "release 2, table by_age"),
    ],
)
def test_after_a_release_under_warn_one_that_adds_nothing_is_published(
    target: str, levels: Any, repeated: str, ward: Ward
) -> None:
    broken(ward)
    made = ward.run(ward.policy(target), levels)
    assert made.satisfied
    assert (joint_of(made).satisfied, joint_of(made).repeats) == (False, repeated)
    assert ward.log["joint"]["repeats"] == repeated


@pytest.mark.parametrize(
    "change",
    [
        "INSERT INTO ward VALUES ('4760', 21, 'flu', 'f', NULL)",
        "UPDATE ward SET disease = 'rash' WHERE disease = 'flu'",
        "DELETE FROM ward WHERE disease = 'flu'; "
        "INSERT INTO ward VALUES ('4760', 21, 'mumps', 'f', NULL)",
        "UPDATE ward SET zip = '4761' WHERE zip = '4760'",
    ],
)
@pytest.mark.parametrize("levels", [BY_ZIP, {"zip": (1, 1), "age": (2, 2)}])
def test_after_a_release_under_warn_one_that_adds_something_is_refused(
    levels: Any, change: str, ward: Ward
) -> None:
    broken(ward)
    ward.connection.execute(change)
    made = ward.run(ward.policy("again"), levels)
    if "SET zip" in change and levels != BY_ZIP:
        # The first two characters, and what goes with them, are what they were.
        return
    assert not made.satisfied
    assert joint_of(made).repeats == ""


TARGETS = ("table: by_zip", "parquet: by_zip.parquet", "csv: by_zip.csv")


@pytest.mark.parametrize("target", TARGETS)
def test_a_release_that_replaces_one_is_compared_with_the_rows_that_it_had(
    target: str, ward: Ward, tmp_path: Path
) -> None:
    """After the replacement the target's name stands for the new rows, which repeat themselves."""
    kind, name = target.split(": ")
    policy = ward.policy({kind: str(tmp_path / name) if "." in name else name})
    ward.connection.execute("DELETE FROM ward WHERE sex = 'm'")
    assert ward.run(policy, BY_ZIP).satisfied
    assert ward.run(ward.policy("by_age", joint="warn"), BY_AGE).satisfied
    again = ward.run(policy, BY_ZIP)
    assert again.satisfied
    assert joint_of(again).repeats.startswith("release 1")
    assert not joint_of(again).satisfied
    ward.connection.execute("INSERT INTO ward VALUES ('4760', 21, 'flu', 'f', NULL)")
    grown = ward.run(policy, BY_ZIP)
    assert not grown.satisfied
    assert joint_of(grown).repeats == ""
    left = ward.connection.execute(
        "SELECT COUNT(*) FROM duckdb_tables() WHERE table_name LIKE 'sqlgen_replaced%'"
    ).fetchone()
    assert left == (0,)


def test_a_view_that_a_run_replaces_repeats_nothing(ward: Ward) -> None:
    """It shows the new rows before the run does, and nobody was asked whether it may."""
    ward.connection.execute("DELETE FROM ward WHERE sex = 'm'")
    policy = ward.policy({"view": "by_zip"})
    assert ward.run(policy, BY_ZIP).satisfied
    assert ward.run(ward.policy("by_age", joint="warn"), BY_AGE).satisfied
    ward.connection.execute("INSERT INTO ward VALUES ('4760', 21, 'flu', 'f', NULL)")
    grown = ward.run(policy, BY_ZIP)
    assert not grown.satisfied
    assert joint_of(grown).repeats == ""


def test_a_finer_release_than_those_before_it_adds_something(ward: Ward) -> None:
    broken(ward)
    ward.connection.execute("DROP TABLE by_zip")
    assert ward.run(ward.policy("coarse", joint="warn"), {"zip": (1, 1), "age": (2, 2)}).satisfied
    assert not ward.run(ward.policy("again"), BY_ZIP).satisfied


def test_a_release_that_shows_another_column_adds_something(ward: Ward) -> None:
    broken(ward)
    ward.connection.execute("ALTER TABLE ward ADD amount INTEGER; UPDATE ward SET amount = rowid")
    query = "SELECT zip, age, disease, amount FROM ward"
    policy = ward_policy(
        {"table": "more"}, source={"query": query}, columns={"amount": {"role": "other"}}
    )
    made = ward.run(policy, BY_ZIP)
    assert not made.satisfied
    assert joint_of(made).repeats == ""


def test_a_part_repeats_no_release_of_other_rows_that_looks_alike(ward: Ward) -> None:
    both = "SELECT zip, age, disease FROM ward WHERE sex = 'm' OR age = 21"
    assert ward.run(ward.policy("women", WOMEN), BY_ZIP).satisfied
    assert ward.run(ward.policy("both", both, joint="warn"), BY_AGE).satisfied
    # The men's release by zip is, row by row, what the women's is.
    made = ward.run(ward.policy("men", MEN), BY_ZIP)
    assert not made.satisfied
    assert joint_of(made).repeats == ""


def test_a_run_answers_for_no_releases_that_share_nobody_with_its_own(ward: Ward) -> None:
    assert ward.run(ward.policy("one", WOMEN), BY_ZIP).satisfied
    assert ward.run(ward.policy("two", WOMEN, joint="warn"), BY_AGE).satisfied
    made = ward.run(ward.policy("men", MEN), BY_ZIP)
    assert made.satisfied
    assert joint_of(made).apart == ("release 1, table one", "release 2, table two")


def test_a_refusal_names_releases_rules_and_counts() -> None:
    words = refusal_words(
        Joint(
            (*(f"release {number}, table t{number}" for number in range(1, 6)), "this release"),
            unjudged=(("release 9, csv x.csv", "it cannot be read"),),
        )
    )
    assert words == (
        "Stopped: this release cannot be judged together with release 9 (csv x.csv): it cannot be "
        "read. The release is good by itself. To publish all the same: joint: warn"
    )


def test_a_refusal_says_a_reason_once_for_all_releases_that_it_is_of() -> None:
    why = "it cannot be read"
    unjudged = [(f"release {number}, table t{number}", why) for number in range(1, 6)]
    words = refusal_words(Joint(("this release",), unjudged=(*unjudged, ("table t", "it is odd"))))
    assert words.startswith(
        "Stopped: this release cannot be judged together with release 1 (table t1), release 2 "
        "(table t2), release 3 (table t3) and 2 more releases: it cannot be read; table t: it is "
        "odd"
    )


def test_a_refusal_names_the_pair_whose_difference_exposes_rows(ward: Ward) -> None:
    assert ward.run(ward.policy("one")).satisfied
    ward.come([("4760", 22, "gout")])
    made = ward.run(ward.policy("two"))
    assert made.release is not None
    assert made.release.hindrance == (
        "Stopped: together with release 1 (table one) this release could identify people: the "
        "difference between release 1 (table one) and this release would expose 1 row (came 1, "
        "went 0), in groups of fewer than k rows or l values. The release is good by itself. To "
        "publish all the same: joint: warn"
    )
    assert ward.log["failed"]["hindrance"] == made.release.hindrance


def test_a_report_counts_the_releases_that_its_own_is_read_together_with(ward: Ward) -> None:
    ward.connection.execute("CREATE TABLE staff AS SELECT 'a' AS place, 'low' AS pay FROM RANGE(4)")
    assert ward.run(ward.policy("one", joint="off")).satisfied
    assert ward.run(ward.policy("two", joint="off"), BY_AGE).satisfied
    assert ward.run(ward.policy("women", WOMEN, joint="off")).satisfied
    assert ward.run(ward.policy("table", "ward", joint="off")).satisfied
    assert ward.run(staff_policy("pay"), {"place": (0, 0)}).satisfied
    evidence = read_evidence(ward.policy("one"), source=ward.connection)
    assert sorted(each.release_id for each in evidence.others) == [2, 3, 4]
    assert any("but those that the query of the policy names" in each for each in evidence.remains)


def test_the_ledger_keeps_the_query_and_shows_it_to_nobody(ward: Ward) -> None:
    assert ward.run(ward.policy("one", WOMEN)).satisfied
    (entry,) = read_history(ward.policy("one", WOMEN), ward.connection)
    assert (entry.source, entry.source_query) == ("", WOMEN)
    assert "sex = 'f'" not in str(entry.to_dict())


@pytest.mark.parametrize(
    "change",
    [
        "ALTER guarantees "
        "TYPE STRUCT(guarantee VARCHAR, required VARCHAR, measured DOUBLE)[] USING []",
        "RENAME masked_rows TO withheld_rows",
    ],
)
def test_a_ledger_of_an_earlier_shape_is_refused_with_what_mends_it(
    change: str, ward: Ward
) -> None:
    assert ward.run(ward.policy("one", "ward")).satisfied
    ward.connection.execute(f"ALTER TABLE sqlgen_releases {change}")
    with pytest.raises(RefusedError, match=r"of an earlier sqlgen, .* Rename it, and"):
        ward.run(ward.policy("one", "ward"))
    ward.connection.execute("ALTER TABLE sqlgen_releases RENAME TO before")
    ward.connection.execute("DROP TABLE one")
    assert ward.run(ward.policy("one", "ward")).satisfied


def test_what_else_has_the_columns_of_a_ledger_is_none(ward: Ward) -> None:
    ward.connection.execute("CREATE TABLE sqlgen_releases (release_id BIGINT)")
    with pytest.raises(RefusedError, match="something else than a ledger"):
        ward.run(ward.policy("one", "ward"))
