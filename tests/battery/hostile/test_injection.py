"""Whatever tables, columns and values are called: what is done is what is done to an innocent twin.

Each example is a small database under hostile names, with a witness beside it that must stay, and
the same one under innocent names.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from markupsafe import Markup

from cli_harness import run
from hostile import GUARANTEES, IN_VIEWS, LABELS, NAMES, VALUES, ZIPS, World, catalog_of
from hostile_runs import beside, done, innocent
from sqlgen.sql.expression import is_query, label_expression
from sqlgen.sql.names import parse_name
from sqlgen.sql.render import Statement, ident, literal, nested, noted, quoted_name
from strategies_hostile import HOSTILE, PIECES, WORDS, folded, renamed

ASKED = ("nothing", "check", "script", "audit", "history", "report", "run")
# What the witness beside a world has, and schemas that a name of two parts would not find.
TABLES = ("people", "list", "population", "released", "ledger", "seen")
# What no table or view may be called; tests/test_our_names.py shows that they are refused.
STAGING = {word for word in WORDS if word.startswith("sqlgen_")}
TAKEN = {"witness", "witnessed", "main", "temp", "memory", "system", "pg_catalog"}


@st.composite
def worlds(draw: st.DrawFn) -> Callable[[Path], World]:
    kind = draw(st.sampled_from(["table", "view", "csv", "parquet", "in_place"]))
    lists = "tree" if kind == "view" else draw(st.sampled_from(["csv", "table", "tree"]))
    guarantee = draw(st.sampled_from(IN_VIEWS if kind == "view" else GUARANTEES))
    names = draw(renamed(NAMES))
    assume(not TAKEN & set(map(folded, names.values())))
    assume(not STAGING & {folded(names[each]) for each in TABLES if each in names})
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
    unfit = kind == "view" or guarantee == "k_map"
    recoding = "full_domain" if unfit else draw(st.sampled_from(["full_domain", "local"]))
    more: dict[str, Any] = {"by_query": by_query, "enums": enums, "recoding": recoding}
    return lambda folder: World(folder, kind, lists, guarantee, names, values, **more)


def asked_of(world: World, asked: str) -> str:
    """What can be asked of a release."""
    lacking = {"script": world.kind != "table", "check": False}.get(asked, world.kind == "in_place")
    return "nothing" if lacking else asked


@given(worlds(), st.sampled_from(ASKED))
def test_whatever_things_are_called_what_is_done_is_what_is_done_to_an_innocent_twin(
    make: Callable[[Path], World], asked: str
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        world = make(Path(folder))
        asked = asked_of(world, asked)
        shape = (world.kind, world.lists, world.guarantee)
        more = {each: getattr(world, each) for each in ("by_query", "enums", "recoding")}
        twin = innocent(asked, *shape, **more)
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
