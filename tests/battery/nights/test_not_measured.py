"""Ways around reading together that docs/history.md lists as not measured: each is real.

In each, every run is satisfied, and an observer who knows who was in which release knows somebody.
When one of these fails because a run refuses, the way is closed: strike it from the page.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest

from joint_attacks import K2, K3, L2, policy_of
from oracle_observer import Group, alike, possible_values
from sqlgen import Policy, audit_history
from sqlgen import run_policy as run

NAME = {"who": {"role": "identifier"}}


class Ward:
    """A table of people whose ages are y or o, and what readers of its releases see."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.connection = folder, duckdb.connect(config={"threads": 1})
        self.connection.execute(
            "CREATE TABLE p (who VARCHAR, zip VARCHAR, age VARCHAR, disease VARCHAR)"
        )
        self.releases: list[Group] = []

    def come(self, people: str) -> None:
        """People come, each told as ``who zip age disease``."""
        rows = [person.split() for person in people.split("/")]
        self.connection.executemany("INSERT INTO p VALUES (?, ?, ?, ?)", rows)

    def publish(self, policy: Policy, column: str, source: str = "p") -> None:
        """Release the source by one column, without a complaint, and have it read."""
        assert policy.release is not None
        target = policy.release.target
        made = run(policy, self.connection, lock=self.folder / target)
        assert made.satisfied
        assert made.release is not None
        assert made.release.joint is not None
        assert not made.release.joint.unjudged
        self.read(target, column, source)

    def read(self, target: str, column: str, source: str = "p") -> None:
        """See the classes of a release, and who is in them by what is known of people."""
        people = f"SELECT {column}, LIST(who) AS who FROM {source} GROUP BY {column}"
        shown = f"SELECT {column}, LIST(disease) AS disease FROM {target} GROUP BY {column}"
        joined = f"SELECT who, disease FROM ({people}) JOIN ({shown}) USING ({column})"
        for who, diseases in self.connection.execute(joined).fetchall():
            assert len(who) == len(diseases)
            self.releases.append(Group(tuple(who), tuple(diseases)))

    def disclosed(self) -> dict[str, str]:
        """The people whose disease is known."""
        told = possible_values(self.releases)
        return {who: min(values) for who, values in told.items() if len(values) == 1}


def by(
    column: str, target: str, guarantees: Sequence[dict[str, Any]] = (K3, L2), **more: Any
) -> Policy:
    """A policy that releases one column as it is, and nothing of the other."""
    release = more.pop("release", {"table": target})
    at = {name: 0 if name == column else 1 for name in ("zip", "age")}
    return policy_of(release, *guarantees, **{**at, **NAME, **more})


@pytest.fixture
def ward(tmp_path: Path) -> Ward:
    return Ward(tmp_path)


def test_a_difference_that_meets_a_class_of_a_third_release(ward: Ward) -> None:
    ward.come("a 10 y ulcer / b 10 y angina / c 10 o ulcer / d 10 o angina / e 10 o ulcer")
    ward.publish(by("zip", "first"), "zip")
    ward.come("f 10 y flu / g 10 o cold / h 10 o gout")
    ward.publish(by("zip", "second"), "zip")
    assert ward.disclosed() == {}
    ward.publish(by("age", "third"), "age")
    assert ward.disclosed() == {"f": "flu"}


def test_a_release_less_two_others(ward: Ward) -> None:
    ward.come("a 10 y flu / b 10 y cold / c 10 y cold / d 10 o flu / e 10 o cold / f 10 o cold")
    ward.come("g 10 x gout")
    for view, age in (("young", "y"), ("old", "o")):
        ward.connection.execute(f"CREATE VIEW {view} AS FROM p WHERE age = '{age}'")
        policy = by("zip", f"of_{view}", source={"table": view}, age={"role": "identifier"})
        ward.publish(policy, "zip", view)
    assert ward.disclosed() == {}
    ward.publish(by("zip", "of_all", age={"role": "identifier"}), "zip")
    assert ward.disclosed() == {"g": "gout"}


def test_newcomers_among_whom_somebody_seems_to_hide(ward: Ward) -> None:
    ward.come("a 10 y flu / b 10 o cold / c 10 o gout")
    ward.publish(by("zip", "first"), "zip")
    ward.come("d 10 y cold / e 10 y gout / f 10 o flu")
    ward.publish(by("age", "second"), "age")
    assert alike(ward.releases)["a"] == {"a"}


def test_somebody_whose_zip_has_changed_between_two_releases(ward: Ward) -> None:
    ward.come("a 10 y flu / b 10 o ulcer / c 10 o ulcer / d 20 y cold / e 20 y gout")
    ward.come("f 20 o flu / g 20 o ulcer")
    ward.publish(by("zip", "first", (K2, L2)), "zip")
    ward.connection.execute("UPDATE p SET zip = '20' WHERE who = 'a'")
    assert ward.disclosed() == {}
    ward.publish(by("age", "second", (K2, L2)), "age")
    assert ward.disclosed()["a"] == "flu"


def test_a_view_that_shows_who_came_without_a_run(ward: Ward) -> None:
    ward.come("a 10 y flu / b 10 y cold / c 10 y gout")
    ward.publish(by("zip", "kept"), "zip")
    seen = by("zip", "seen", release={"view": "seen"})
    ward.publish(seen, "zip")
    ward.come("d 10 y ulcer")
    ward.read("seen", "zip")
    assert ward.disclosed() == {"d": "ulcer"}
    # Whoever asks is told, and the next run is.
    assert not audit_history(seen, ward.connection).satisfied


def test_a_view_that_a_query_reads_and_that_was_defined_anew(ward: Ward) -> None:
    ward.come("a 10 y flu / b 10 o cold / c 10 o gout / d 10 y cold / e 10 y gout / f 10 o flu")
    ward.connection.execute("CREATE VIEW v AS FROM p WHERE who < 'd'")
    source = {"query": "SELECT * FROM v"}
    ward.publish(by("zip", "first", source=source), "zip", "v")
    ward.connection.execute("CREATE OR REPLACE VIEW v AS FROM p")
    ward.publish(by("age", "second", source=source), "age", "v")
    assert alike(ward.releases)["a"] == {"a"}


def test_somebody_who_went_from_one_part_to_another(ward: Ward) -> None:
    ward.come("a 10 y flu / b 10 y cold / c 10 o gout / d 10 o ulcer")
    young, old = ({"query": f"SELECT * FROM p WHERE age = '{age}'"} for age in "yo")
    hidden: dict[str, Any] = {"age": {"role": "identifier"}}
    ward.publish(by("zip", "first", (K2, L2), source=young, **hidden), "zip", "(FROM p LIMIT 2)")
    ward.connection.execute("UPDATE p SET age = 'o' WHERE who = 'a'")
    assert ward.disclosed() == {}
    ward.publish(
        by("zip", "second", (K2, L2), source=old, **hidden), "zip", "(FROM p WHERE age = 'o')"
    )
    assert ward.disclosed()["a"] == "flu"


def test_a_release_that_somebody_renamed(ward: Ward) -> None:
    ward.come("a 10 y flu / b 10 o ulcer / c 20 y cold / d 20 o flu / e 10 y ulcer / f 10 o flu")
    ward.come("g 20 y flu / h 20 o cold / i 30 y flu / j 30 y ulcer")
    ward.publish(by("zip", "first", (L2,)), "zip")
    ward.connection.execute("ALTER TABLE first RENAME TO moved")
    ward.come("k 20 y gout")
    second = by("zip", "second", (L2,))
    ward.publish(second, "zip")
    assert ward.disclosed() == {"k": "gout"}
    assert audit_history(second, ward.connection).left_out == (
        ("release 1, table first", "it does not stand any more"),
    )


def test_a_column_of_the_role_other_that_links_the_rows_of_two_releases(ward: Ward) -> None:
    ward.come("a 10 y flu / b 10 y flu / c 10 y flu / d 10 o cold / e 10 o gout / f 10 o cold")
    ward.come("g 20 y cold / h 20 y cold / i 20 y cold / j 20 o flu / k 20 o gout / l 20 o flu")
    ward.connection.execute("ALTER TABLE p ADD amount INTEGER; UPDATE p SET amount = rowid")
    linked: dict[str, Any] = {"amount": {"role": "other"}}
    ward.publish(by("zip", "first", **linked), "zip")
    ward.publish(by("age", "second", **linked), "age")
    assert ward.disclosed() == {}
    people = "SELECT zip, age, LIST(who) FROM p GROUP BY zip, age"
    rows = (
        "SELECT first.zip, second.age, LIST(second.disease) FROM first JOIN second USING (amount)"
    )
    shown = {
        (z, a): ills for z, a, ills in ward.connection.execute(f"{rows} GROUP BY ALL").fetchall()
    }
    for zip_code, age, who in ward.connection.execute(people).fetchall():
        ward.releases.append(Group(tuple(who), tuple(shown[zip_code, age])))
    assert ward.disclosed().items() >= {"a": "flu", "b": "flu", "c": "flu"}.items()


def test_values_that_only_counting_tells(ward: Ward) -> None:
    ward.come("a 10 y flu / b 10 y flu / c 10 y cold / d 10 y cold / e 10 o gout / f 10 o gout")
    ward.come("g 20 o flu / h 20 o cold / i 20 y ulcer / j 20 y flu")
    ward.publish(by("zip", "first", (K2, L2)), "zip")
    assert ward.disclosed() == {}
    ward.publish(by("age", "second", (K2, L2)), "age")
    assert ward.disclosed().items() >= {"e": "gout", "f": "gout"}.items()


def test_a_copy_of_a_release_that_was_replaced(ward: Ward) -> None:
    ward.come("a 10 y flu / b 10 y cold / c 10 y gout")
    ward.publish(by("zip", "out"), "zip")
    ward.come("d 10 y ulcer")
    ward.publish(by("zip", "out"), "zip")
    assert ward.disclosed() == {"d": "ulcer"}


def test_releases_that_two_ledgers_tell_of_are_named_and_not_read(ward: Ward) -> None:
    ward.come("a 10 y flu / b 10 o ulcer / c 20 y cold / d 20 o flu / e 10 y ulcer / f 10 o flu")
    ward.publish(by("zip", "first", (L2,)), "zip")
    ward.come("k 20 y gout")
    second = by("zip", "second", (L2,), ledger="other")
    ward.publish(second, "zip")
    assert ward.disclosed() == {"k": "gout"}
    assert audit_history(second, ward.connection).left_out == (
        (
            "ledger main.sqlgen_releases",
            "its releases are not read, for this policy's is other; releases of the same people "
            "need one ledger to be read together",
        ),
    )


def test_a_ledger_in_another_schema_is_named_and_a_view_of_ones_own_is_not(ward: Ward) -> None:
    ward.come("a 10 y flu / b 10 o ulcer")
    ward.connection.execute("CREATE SCHEMA old")
    first, second = (by("zip", name, (L2,), ledger=f"{name}.led") for name in ("old", "main"))
    ward.publish(first, "zip")
    ward.connection.execute("DROP TABLE old; ALTER TABLE old.led ADD later INTEGER")
    ward.publish(second, "zip")
    ward.connection.execute("CREATE VIEW history AS FROM main.led")
    told = [words for words, _ in audit_history(second, ward.connection).left_out]
    assert told == ["ledger old.led"]
