"""What a golden file shows of triggers and types, the same with every version of the engine."""

from __future__ import annotations

from pathlib import Path

import duckdb
from markupsafe import Markup

from sqlgen import apply_plan, make_plan, read_policy, run_policy
from sqlgen.engines.duckdb.session import EXPECTED, _functions
from sqlgen.measuring.class_sums import OF_LABELS
from sqlgen.sql.render import statement
from sqlgen.staging.column_facts import LABEL


def render_triggers() -> None:
    """Statements that ask for triggers, none of which DuckDB 1.5 could run."""
    render_session()
    render_class_sums()
    parts = ("clinic", "main", "patients")
    probes, source = Markup("temp.main.sqlgen_probe"), Markup("patients")
    statement("engines/duckdb/rewrite/probe", table=probes, columns=["name", "code"], source=source)
    statement("engines/duckdb/rewrite/lost", catalog="clinic", fresh="fresh", triggers=True)
    statement("engines/duckdb/rewrite/pointing", table=Markup("staff"), columns=["boss", "site"])
    statement("engines/duckdb/triggers_on_others", parts=parts)


def render_class_sums() -> None:
    """The sums of a node that suppresses classes: what their labels cover is among them."""
    columns = [
        {"alias": Markup("label_1"), "number": 1, "level": 1, "key": Markup("key_1")},
        {"alias": Markup("label_2"), "number": 2, "level": 0, "key": Markup("key_2")},
    ]
    statement(
        "measuring/class_sums",
        classes=Markup("node_class AS (\n  FROM sized_class\n)"),
        label=LABEL,
        multiplied=columns[:1],
        combinations=Markup("SUM(combinations ORDER BY combinations ASC)"),
        columns=columns,
        label_sums=[Markup(name) for name in OF_LABELS],
    )


def render_session() -> None:
    """What is asked where macros have names of ours, and of an engine that has all settings."""
    _functions(calls=True, registers=True)
    statement("engines/duckdb/current_settings", settings=list(EXPECTED.items()))


def compare_queries() -> None:
    """What is asked of queries; their trees are spelled otherwise by each version of the engine."""
    statement(
        "engines/duckdb/view_query", head="^CREATE", catalog="clinic", schema="main", view="seen"
    )
    statement("engines/duckdb/unfit_functions", names=["left", "lower"])
    ids = {"q1": "roll_q1.id_to", "q2": "cell.q2", "s1": "cell.s1"}
    columns = [{"place": Markup(place), "id": Markup(number)} for place, number in ids.items()]
    roll = {"place": Markup("q1"), "values": Markup("value_q1"), "from_level": 0, "to_level": 1}
    statement(
        "history/repeated",
        before=Markup("one"),
        made=Markup("two"),
        keys=[Markup("q1"), Markup("q2")],
        columns=columns,
        rolled=[roll],
    )


def ask_which_level() -> None:
    """What labels of two levels would say at each."""
    labels = Markup("SELECT value, level, label\nFROM label_of_value\nWHERE level IN (0, 1)")
    label = Markup("released.zip")
    statement(
        "history/several_meanings", release=Markup("one"), label=label, labels=labels, levels=2
    )


def combine_values() -> None:
    """Two releases that show two sensitive columns, of which one is counted at a coarser level."""
    columns = [Markup("s1"), Markup("s2")]
    same = "held.s1 = held_{0}.s1 AND held.s2 = held_{0}.s2"
    statement(
        "history/candidate_combinations",
        signatures=Markup("signature"),
        held=Markup("held_together"),
        columns=columns,
        column=columns[0],
        releases=[
            {"number": number, "same_values": Markup(same.format(number))} for number in (1, 2)
        ],
        counted=Markup("counted"),
        least=2,
        narrowed=True,
    )


def replace_twice(folder: Path) -> None:
    """A table that becomes its release, and one that did already."""
    connection = duckdb.connect()
    connection.execute("CREATE TABLE coded AS SELECT 'a' AS who, 'z' AS zip FROM RANGE(9)")
    rules = {"zip": {"role": "quasi", "hierarchy": "suppress", "levels": 1}}
    kinds = {"guarantees": [{"k_anonymity": {"k": 2}}], "release": {"in_place": "true"}}
    named = {"source": {"table": "coded"}, "columns": {"who": {"role": "identifier"}, **rules}}
    policy = read_policy({**named, **kinds})
    apply_plan(make_plan(policy, connection), connection)
    connection.execute("CREATE TABLE plain AS SELECT 'z' AS zip FROM RANGE(9)")
    policy = read_policy({"source": {"table": "plain"}, "columns": rules, **kinds})
    for _ in range(2):
        run_policy(policy, connection, lock=folder / "plain.lock")
