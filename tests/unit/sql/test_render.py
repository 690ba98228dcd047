"""Text enters SQL through quoting filters, or not at all."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import duckdb
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from jinja2 import DictLoader, Environment, TemplateNotFound, UndefinedError
from markupsafe import Markup

from sqlgen import apply_plan, make_plan, read_policy
from sqlgen.sql import render
from sqlgen.sql.render import Statement, fragment, ident, literal, name, nested, noted, statement

CONNECTION = duckdb.connect()

# Everything that UTF-8 can write, but for NUL, which no name or literal holds.
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\x00"))
NAMES = TEXTS.filter(bool)


def evaluated(sql: str) -> object:
    row = CONNECTION.execute(f"SELECT {sql}").fetchone()
    assert row is not None
    return row[0]


@given(TEXTS)
@example("it's")
@example("'; DROP TABLE t; --")
@example("\\'")
@example("two\nlines\r\u2028")
@example("{{ x }} {% if %} {# #} $1 ? %s")
@example("🙂 e\u0301 \u202e")
def test_a_text_comes_back_from_the_database_as_it_went_in(text: str) -> None:
    assert evaluated(literal(text)) == text


@given(st.integers(-(2**63), 2**64 - 1))
def test_a_whole_number_comes_back_as_it_went_in(number: int) -> None:
    assert evaluated(literal(number)) == number


@given(
    st.decimals(
        allow_nan=False, allow_infinity=False, places=4, max_value=10**9, min_value=-(10**9)
    )
)
@example(Decimal("1E+5"))
@example(Decimal("-0.0000001"))
def test_a_decimal_comes_back_as_it_went_in(number: Decimal) -> None:
    assert evaluated(f"CAST({literal(number)} AS DECIMAL(38, 10))") == number


@given(st.dates())
def test_a_date_comes_back_as_it_went_in(day: date) -> None:
    assert evaluated(literal(day)) == day


@pytest.mark.parametrize("truth", [True, False])
def test_a_truth_value_comes_back_as_it_went_in(truth: bool) -> None:
    assert evaluated(literal(truth)) is truth


@given(NAMES)
@example('say "hi"')
@example("select")
@example('"; DROP TABLE t; --')
@example("a.b")
@example("two\nlines")
@example("🙂")
def test_a_name_comes_back_from_the_database_as_it_went_in(text: str) -> None:
    CONNECTION.execute(f"CREATE OR REPLACE TEMPORARY TABLE named AS SELECT 1 AS {ident(text)}")
    described = CONNECTION.execute("DESCRIBE named").fetchall()
    assert described[0][0] == text


@given(NAMES)
@example("a.b")
def test_a_table_is_found_under_its_quoted_name(text: str) -> None:
    table = name(("temp", "main", text))
    CONNECTION.execute(f"CREATE TEMPORARY TABLE {table} AS SELECT 7 AS seven")
    assert CONNECTION.execute(f"SELECT seven FROM {table}").fetchall() == [(7,)]
    CONNECTION.execute(f"DROP TABLE {table}")


@pytest.mark.parametrize("filtered", [ident, literal, lambda text: name(["main", text])])
def test_a_nul_is_refused(filtered: object) -> None:
    assert callable(filtered)
    with pytest.raises(ValueError, match="NUL"):
        filtered("before\x00after")


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "sNaN"])
def test_a_decimal_that_is_no_number_is_no_literal(number: str) -> None:
    with pytest.raises((ValueError, ArithmeticError)):
        literal(Decimal(number))


def test_a_quoted_name_is_quoted_once() -> None:
    assert ident("a") == Markup('"a"')
    assert name(["a", 'b"c']) == Markup('"a"."b""c"')


@pytest.fixture
def templates(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Templates made up by a test, in the environment as it is but for its loader."""
    made: dict[str, str] = {}
    monkeypatch.setattr(render, "ENVIRONMENT", render.ENVIRONMENT.overlay(loader=DictLoader(made)))
    return made


@pytest.mark.parametrize("raw", ["text", 5, True, None, 1.5, ["a"], Decimal(1), date(2026, 1, 1)])
def test_a_template_that_prints_a_raw_value_does_not_render(
    raw: object, templates: dict[str, str]
) -> None:
    templates["t.sql.jinja"] = "SELECT {{ value }}"
    with pytest.raises(TypeError, match="without a quoting filter"):
        fragment("t", value=raw)


def test_a_template_that_prints_an_undefined_name_does_not_render(
    templates: dict[str, str],
) -> None:
    templates["t.sql.jinja"] = "SELECT {{ nothing }}"
    with pytest.raises((UndefinedError, TypeError)):
        fragment("t")


@pytest.mark.parametrize(
    "test", ["{% if nothing %}1{% endif %}", "{% for each in nothing %}1{% endfor %}"]
)
def test_a_template_that_asks_about_an_undefined_name_does_not_render(
    test: str, templates: dict[str, str]
) -> None:
    templates["t.sql.jinja"] = test
    with pytest.raises(UndefinedError):
        fragment("t")


@pytest.mark.parametrize("way", ["{{ 'a' ~ value }}", "{{ value | upper }}", "{{ value + 'b' }}"])
def test_text_put_together_in_a_template_does_not_render(
    way: str, templates: dict[str, str]
) -> None:
    templates["t.sql.jinja"] = way
    with pytest.raises(TypeError, match="without a quoting filter"):
        fragment("t", value="'; DROP TABLE t; --")


def test_text_joined_to_sql_cannot_leave_it_unquoted(templates: dict[str, str]) -> None:
    templates["t.sql.jinja"] = "{{ sql ~ value }}"
    assert "'" not in fragment("t", sql=Markup("SELECT "), value="'; DROP TABLE t; --")


def test_filters_render(templates: dict[str, str]) -> None:
    templates["t.sql.jinja"] = "SELECT {{ n | literal }} AS {{ c | ident }} FROM {{ t | name }}"
    made = fragment("t", n="it's", c='a"b', t=("main", "t"))
    assert made == Markup('SELECT \'it\'\'s\' AS "a""b" FROM "main"."t"')


def test_the_only_filters_of_ours_quote() -> None:
    assert set(render.ENVIRONMENT.filters) - set(Environment().filters) == {
        *("ident", "literal", "name", "nested"),
        *("commas", "commas_after", "each", "joined", "lines"),
        *("conjunction", "disjunction", "group_by", "union_all"),
    }


JOINS = (
    "commas",
    "commas(2)",
    "commas_after(2)",
    "lines(2)",
    "conjunction",
    "disjunction",
    "group_by",
)


@pytest.mark.parametrize("join", [*JOINS, 'joined(" + ")', "union_all"])
@pytest.mark.parametrize("raw", ["text", 5, True, None, Decimal(1)])
def test_a_list_with_a_raw_value_is_not_joined(
    join: str, raw: object, templates: dict[str, str]
) -> None:
    templates["t.sql.jinja"] = "SELECT {{ pieces | " + join + " }}"
    with pytest.raises(TypeError):
        fragment("t", pieces=[ident("a"), raw])


@pytest.mark.parametrize("raw", ["text", True, None, 1.5, Decimal(1), ["a"], {"a": 1}])
@pytest.mark.parametrize("hole", ["{}", "{0}", "{shared}", "{0!s}", "{0!r}"])
def test_a_pattern_takes_no_raw_value(hole: str, raw: object, templates: dict[str, str]) -> None:
    templates["t.sql.jinja"] = '{{ items | each("a ' + hole + '", shared=raw) | commas }}'
    with pytest.raises((TypeError, AttributeError)):
        fragment("t", items=[(raw,)], raw=raw)


def test_a_value_is_never_read_as_a_pattern(templates: dict[str, str]) -> None:
    templates["t.sql.jinja"] = '{{ items | each("{0:literal} AS {0:ident}") | commas }}'
    made = fragment("t", items=["{n} {0} {shared}", "it's"])
    assert made == Markup("""'{n} {0} {shared}' AS "{n} {0} {shared}", 'it''s' AS "it's\"""")
    with pytest.raises(TypeError, match="plain text"):
        render.each(["a"], Markup("{:literal}"))
    with pytest.raises(ValueError, match="asks for"):
        render.each(["a"], "{:>10}")


@given(st.lists(NAMES, min_size=1, max_size=4))
def test_names_in_a_list_come_back_from_the_database(texts: list[str]) -> None:
    columns = render.commas(render.each(texts, "{:literal} AS column_{n}"))
    assert CONNECTION.execute(f"SELECT {columns}").fetchall() == [tuple(texts)]


def test_lists_are_joined_on_one_line_or_by_line() -> None:
    pieces = [Markup("a"), Markup("CASE\n  WHEN b\nEND")]
    assert render.commas(pieces, 4) == "a,\n    CASE\n      WHEN b\n    END"
    assert "SELECT x" + render.commas_after(pieces[:1], 2) == "SELECT x,\n  a"
    assert render.commas_after([], 2) == ""
    assert render.conjunction([]) == "TRUE"
    assert render.disjunction([]) == "FALSE"
    assert render.group_by([]) == "HAVING COUNT(*) > 0"
    assert render.union_all(pieces[:1] * 2, 2) == "a\n  UNION ALL\n  a"


def test_only_sql_is_moved_in_and_texts_stay_as_they_are() -> None:
    sql = Markup("SELECT 'a\nb',\n\n\"c\nd\", -- it's\n1")
    assert nested(sql, 2) == "SELECT 'a\nb',\n\n  \"c\nd\", -- it's\n  1"
    with pytest.raises(TypeError):
        nested("SELECT 1", 2)  # type: ignore[arg-type]


def test_a_statement_knows_its_template(templates: dict[str, str]) -> None:
    templates["a/b.sql.jinja"] = "{#- header -#}\nSELECT 1\n"
    assert statement("a/b") == Statement("a/b", "SELECT 1")


def test_a_template_that_is_not_there_is_our_mistake() -> None:
    with pytest.raises(TemplateNotFound):
        statement("no/such")


@given(st.text())
@example("two\nlines")
@example("a\rb")
@example("a\u2028b\u2029c\x85d\x0be\x0cf\x1cg")
@example("NUL \x00 and \ud800")
@example("*/ -- ; DROP TABLE t")
def test_a_note_stays_on_one_line_whatever_it_holds(note: str) -> None:
    made = noted(Statement("t", "SELECT 42"), note)
    first, *rest = made.text.splitlines()
    assert first.startswith("-- ")
    assert rest == ["SELECT 42"]
    assert CONNECTION.execute(made.text).fetchall() == [(42,)]


def test_a_note_keeps_the_words_and_the_template() -> None:
    made = noted(Statement("t", "SELECT 42"), "Straße: level 1 of 2 🙂")
    assert made == Statement("t", "-- Straße: level 1 of 2 🙂\nSELECT 42")


def test_a_line_break_in_a_name_or_a_label_stays_as_it_is() -> None:
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE t AS SELECT ['a\n\nb', 'c'][1 + i % 2] AS \"two\nlines\" FROM RANGE(8) t (i)"
    )
    policy = read_policy(
        {
            "source": {"table": "t"},
            "columns": {
                "two\nlines": {"role": "quasi", "hierarchy": {"tree": {"x\ny": ["a\n\nb", "c"]}}}
            },
            "guarantees": [{"k_anonymity": {"k": 5}}],
            "release": {"table": "released"},
        }
    )
    apply_plan(make_plan(policy, connection), connection)
    assert connection.execute("DESCRIBE released").fetchall()[0][0] == "two\nlines"
    assert connection.execute("FROM released").fetchall() == [("x\ny",)] * 8
