"""Whatever tables, columns and values are called: what is done is what is done to an innocent twin.

Each example is a small database under hostile names, with a witness beside it that must stay, and
the same one under innocent names.
"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st
from markupsafe import Markup

from cli_harness import run
from hostile import GUARANTEES, IN_VIEWS, LABELS, NAMES, VALUES, ZIPS, World, catalog_of
from sqlgen import (
    Policy,
    apply_plan,
    apply_sql,
    audit_table,
    check_table,
    make_plan,
    read_history,
    read_policy,
    run_policy,
    write_lock,
)
from sqlgen.cli.text.history import entry_text, history_text, joint_text
from sqlgen.cli.text.results import audit_text, check_text, plan_text, release_text
from sqlgen.history.published import audit_history
from sqlgen.planning.lock import read_lock
from sqlgen.reports import read_evidence
from sqlgen.sql.expression import is_query, label_expression
from sqlgen.sql.names import parse_name
from sqlgen.sql.render import Statement, ident, literal, nested, noted, quoted_name
from strategies_hostile import HOSTILE, PIECES, WORDS, folded, renamed

Told = dict[str, Any]
ASKED = ("nothing", "check", "script", "audit", "history", "report", "run")
# What the witness beside a world has, and schemas that a name of two parts would not find.
TAKEN = {"witness", "witnessed", "main", "temp", "memory", "system", "pg_catalog"}


@st.composite
def worlds(draw: st.DrawFn) -> Callable[[Path], World]:
    kind = draw(st.sampled_from(["table", "view", "csv", "parquet", "in_place"]))
    lists = "tree" if kind == "view" else draw(st.sampled_from(["csv", "table", "tree"]))
    guarantee = draw(st.sampled_from(IN_VIEWS if kind == "view" else GUARANTEES))
    names = draw(renamed(NAMES))
    assume(not TAKEN & set(map(folded, names.values())))
    if kind == "csv":
        # A header is read without the blanks around a name, so that such a file is not audited.
        assume(all(name == name.strip() for name in names.values()))
    values = draw(renamed(VALUES, exactly=True))
    if lists == "csv":
        # Line ends of both kinds in one file are more than its reader can tell apart.
        assume("\r" not in "".join(values[each] for each in (*ZIPS, *LABELS)))
    # A view over a query refuses names that its own SQL has.
    by_query = kind not in ("in_place", "view") and draw(st.booleans())
    enums = draw(st.booleans())
    return lambda folder: World(
        folder, kind, lists, guarantee, names, values, by_query=by_query, enums=enums
    )


def asked_of(kind: str, asked: str) -> str:
    """What can be asked of a release of a kind."""
    lacking = {"script": kind != "table", "check": False}.get(asked, kind == "in_place")
    return "nothing" if lacking else asked


def done(world: World, asked: str) -> Told:
    """What calls give on a world, by innocent names: plan and apply, and what else is asked for."""
    told: Told = {}
    connection = duckdb.connect(config={"threads": 1})
    try:
        world.build(connection)
    except duckdb.CatalogException:
        # A name that the engine keeps for itself.
        reject()
    before, files = catalog_of(connection), {each.name for each in world.folder.iterdir()}
    policy = read_policy(world.sections())
    lock = world.folder / "policy.lock"
    plan = make_plan(policy, connection)
    told["plan"] = (
        plan.satisfied,
        world.innocent(plan.levels_to("test")),
        plan.classes,
        plan.suppressed_rows,
    )
    write_lock(plan, lock)
    assert read_lock(lock, policy).levels == plan.levels
    assert plan_text(plan)
    if asked == "check":
        quasi = [world.name(each) for each in ("zip", "age", "job")]
        table, sensitive = world.sql("schema", "people"), [world.name("disease")]
        checked = check_table(connection, table, quasi=quasi, sensitive=sensitive)
        told["check"] = (checked.k, checked.unique_rows)
        assert check_text(checked)
    assert catalog_of(connection) == before
    script = [each.text for each in apply_sql(plan, connection)] if asked == "script" else []
    release = apply_plan(plan, connection)
    told["release"] = (release.satisfied, release.audit.rows, release.audit.classes)
    told["rows"] = world.rows(connection)
    assert release_text(release)
    told |= more(world, asked, connection, policy, lock)
    if script:
        told["script"] = as_script(world, script)
    entries = read_history(policy, connection)
    told["history"] = len(entries)
    assert history_text(entries)
    assert entry_text(entries[0])
    told["beside"] = beside(before, catalog_of(connection))
    told["files"] = len({each.name for each in world.folder.iterdir()} - files)
    connection.close()
    return told


def more(
    world: World, asked: str, connection: duckdb.DuckDBPyConnection, policy: Policy, lock: Path
) -> Told:
    """What a call gives on a release that stands."""
    told: Told = {}
    if asked == "audit":
        audit = audit_table(policy, source=connection)
        told["audit"] = [each.value for each in (*audit.guarantees, *audit.attacks)]
        told["lost"] = (audit.metrics, [each.to_dict() for each in audit.answers])
        assert audit_text(audit)
    elif asked == "history":
        joint = audit_history(policy, connection)
        told["joint"] = (
            [(each.fewest, each.required, each.rows_below) for each in joint.sizes],
            [(each.fewest, each.required, each.rows_below) for each in joint.values],
        )
        assert joint_text(joint)
    elif asked == "report":
        told["report"] = read_evidence(policy, source=connection).satisfied
    elif asked == "run":
        made = run_policy(policy, connection, lock=lock)
        told["run"] = (made.how, made.satisfied)
        told["again"] = world.rows(connection)
    return told


def beside(before: Counter[str], after: Counter[str]) -> tuple[int, int]:
    """How many things of the catalog went and came: as many as of the twin, whatever they are."""
    return (before - after).total(), (after - before).total()


def as_script(world: World, statements: list[str]) -> Counter[tuple[Any, ...]]:
    """The release that the printed statements make, run as one text in a database of its own."""
    with duckdb.connect() as connection:
        world.build(connection)
        connection.execute(";\n".join(statements))
        assert connection.execute("SELECT COUNT(*) FROM witness").fetchall() == [(9,)]
        return world.rows(connection)


@lru_cache
def innocent(
    asked: str, kind: str, lists: str, guarantee: str, *, by_query: bool, enums: bool
) -> Told:
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder), kind, lists, guarantee, by_query=by_query, enums=enums)
        return done(world, asked)


@given(worlds(), st.sampled_from(ASKED))
def test_whatever_things_are_called_what_is_done_is_what_is_done_to_an_innocent_twin(
    make: Callable[[Path], World], asked: str
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        world = make(Path(folder))
        asked = asked_of(world.kind, asked)
        shape = (world.kind, world.lists, world.guarantee)
        twin = innocent(asked, *shape, by_query=world.by_query, enums=world.enums)
        assert done(world, asked) == twin


@settings(max_examples=10 * settings().max_examples)
@given(HOSTILE, HOSTILE)
def test_a_text_is_one_value_and_one_name_wherever_it_stands(text: str, other: str) -> None:
    cut = f"CASE WHEN {ident(other)} = {literal(text)} THEN {literal(other)} ELSE '' END"
    label = label_expression(cut, other)
    inner = f"FROM (SELECT {literal(text)} AS value)"
    query = nested(Markup(f"SELECT {literal(text)} AS {ident(text)},\n{label}\n{inner}"), 4)
    made = noted(Statement("twice", query), text)
    with duckdb.connect(config={"threads": 1}) as connection:
        found = connection.execute(made.text)
        assert found.description is not None
        assert found.description[0][0] == text
        assert found.fetchall() == [(text, other)]
    assert parse_name(quoted_name((text, other))) == (text, other)
    assert is_query(f"SELECT {literal(text)} AS {ident(other)} -- {other.splitlines()[0:1]}")


def slots(part: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of all texts in a policy."""
    pairs = part.items() if isinstance(part, dict) else enumerate(part)
    for key, each in pairs:
        if isinstance(each, (dict, list)):
            yield from slots(each, (*above, key))
        else:
            yield (*above, key)


TOO_LONG = "y" * 10_000


@pytest.mark.parametrize(
    "bad", ["a\0b", "a\ud800b", TOO_LONG], ids=["NUL", "surrogate", "too long a file"]
)
def test_what_no_file_and_no_database_can_be_called_is_refused_wherever_it_stands(
    bad: str, tmp_path: Path
) -> None:
    world = World(tmp_path, "csv", "csv", "alpha_k_anonymity")
    with duckdb.connect(str(tmp_path / "world.duckdb")) as connection:
        world.build(connection)
        before = catalog_of(connection)
    path = world.write()
    text, files = path.read_text(), sorted(tmp_path.iterdir())
    for slot in slots(json.loads(text)):
        if bad == TOO_LONG and slot[-1] not in ("database", "csv"):
            continue
        sections = part = json.loads(text)
        for key in slot[:-1]:
            part = part[key]
        part[slot[-1]] = bad
        path.write_text(json.dumps(sections))
        ran = run("apply", str(path))
        assert ran.code == 2, (slot, ran.err)
    assert sorted(set(tmp_path.iterdir()) - {tmp_path / "policy.lock"}) == files
    with duckdb.connect(str(tmp_path / "world.duckdb")) as connection:
        assert catalog_of(connection) == before


FILES = {
    "quotes": {"lines": "'); DROP TABLE witness; --", "out": "o'u\"t", "policy": "p'o\"l"},
    "shell": {"lines": "{{ x }}%s; rm -rf $HOME `id`", "out": "--help", "policy": "-rf; $(id)"},
    "directions": {"lines": "\u202evsc", "out": "\u200f🙂", "policy": "é\nDROP TABLE witness;"},
}
COMMANDS: tuple[tuple[str, ...], ...] = (
    *(("plan",), ("sql",), ("apply",), ("run",), ("audit",), ("audit", "--with-history")),
    *(("history",), ("show", "1"), ("report", "--json"), ("report",), ("scrub", "--yes")),
)


@pytest.mark.parametrize("called", FILES)
def test_whatever_files_are_called_commands_do_to_them_what_they_are_for(
    called: str, tmp_path: Path
) -> None:
    kind = "csv" if len(called) % 2 else "parquet"
    words = list({folded(each): each for each in WORDS}.values())
    names = dict(zip(NAMES, words[: len(NAMES)], strict=True))
    values = dict(zip(VALUES, PIECES[: len(VALUES)], strict=True))
    values = {each: text + str(number) for number, (each, text) in enumerate(values.items())}
    world = World(tmp_path, kind, "csv", "alpha_k_anonymity", names, values, FILES[called])
    with duckdb.connect(str(tmp_path / "world.duckdb")) as connection:
        world.build(connection)
        before = catalog_of(connection)
    path = world.write()
    for name, *options in COMMANDS:
        ran = run(name, str(path), *options)
        assert ran.code == 0, (name, ran.err)
    with duckdb.connect(str(tmp_path / "world.duckdb")) as connection:
        assert world.rows(connection).total() == 42
        assert beside(before, catalog_of(connection)) == (0, 1)
    stem = FILES[called]["policy"]
    made = {f"{stem}.yml", f"{stem}.lock", f"{stem}.release-2.html"}
    read = {"world.duckdb", FILES[called]["lines"], f"{FILES[called]['out']}.{kind}"}
    assert {each.name for each in tmp_path.iterdir()} == made | read
    page = next(tmp_path.glob("*.html")).read_text(encoding="utf-8")
    assert "<script" not in page
