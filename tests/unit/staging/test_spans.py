"""Ranges and sets of values: how each value is spelled in one, and which leaves a label holds."""

from __future__ import annotations

from collections.abc import Sequence

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

import oracle_spans
from sqlgen.sql.render import ident, literal, sql, union_all
from sqlgen.staging.spans import segments_fragment, spanned_fragment, spelled

# Texts that a range or a set could be read wrongly with.
TEXTS = (
    *("a", "b", "B", "a b", " a", "a ", "", "NULL", "null", '"', '""', 'a"b', ",", ", ", "a, b"),
    *("[a, b]", "{a, b}", "[", "]", "{", "}", "é", "a\nb", "\n", "\ta", "\u00a0a", "'", "\\", "-1"),
    *("0.5", "*", "🙂", "$", "^a", ".*", '"a, "b"', "(?i)a"),
)
PIECES = st.sampled_from([*TEXTS, *"[]{}", ", ", '"', "NULL"])


def placed(texts: Sequence[str | None]) -> Markup:
    """A relation of leaves in this order."""
    rows = [
        sql(
            "SELECT {text} AS value, {text} AS text, {place} AS place",
            text=Markup("CAST(NULL AS VARCHAR)") if text is None else literal(text),
            place=place,
        )
        for place, text in enumerate(texts)
    ]
    return sql("({rows})", rows=union_all(rows))


def labels_of(labels: Sequence[str | None]) -> Markup:
    return sql(
        "({rows})",
        rows=union_all(
            [
                sql(
                    "SELECT {label} AS label",
                    label=Markup("CAST(NULL AS VARCHAR)") if label is None else literal(label),
                )
                for label in labels
            ]
        ),
    )


def held(labels: Sequence[str | None], texts: Sequence[str | None]) -> dict[str, list[str | None]]:
    """The values that each label holds, in their order, as the SQL reads them."""
    found: dict[str, list[str | None]] = {}
    spanned = spanned_fragment(labels_of(labels), placed(texts))
    asked = f"SELECT label, value FROM {spanned} AS held ORDER BY place ASC"
    for label, value in duckdb.execute(asked).fetchall():
        found.setdefault(label, []).append(value)
    return found


def test_a_range_holds_its_ends_and_what_lies_between_them_in_the_columns_order() -> None:
    texts = [None, "3", "12", "20", "100"]
    labels = ["[3, 20]", "[NULL, 3]", "[20, 100]", "[NULL, 100]"]
    assert held(labels, texts) == {
        "[3, 20]": ["3", "12", "20"],
        "[NULL, 3]": [None, "3"],
        "[20, 100]": ["20", "100"],
        "[NULL, 100]": texts,
    }


def test_a_set_holds_its_members_in_whatever_order_it_names_them() -> None:
    texts = [None, "a", "b", "c"]
    assert held(["{a, c}", "{c, a}", "{NULL, b}"], texts) == {
        "{a, c}": ["a", "c"],
        "{c, a}": ["a", "c"],
        "{NULL, b}": [None, "b"],
    }


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("a b", "a b"),
        (None, "NULL"),
        ("NULL", '"NULL"'),
        ("", '""'),
        ('say "hi"', '"say ""hi"""'),
        ("a, b", '"a, b"'),
        ("[a", '"[a"'),
        ("a}", '"a}"'),
        (" a", '" a"'),
        ("a\n", '"a\n"'),
        ("\u00a0a", '"\u00a0a"'),
        ("null", "null"),
    ],
)
def test_a_value_that_could_be_read_otherwise_is_quoted(text: str | None, name: str) -> None:
    given = Markup("NULL") if text is None else literal(text)
    assert duckdb.execute(f"SELECT {spelled(given)}").fetchone() == (name,)


@pytest.mark.parametrize(
    "label",
    [
        *("[a, x]", "[x, a]", "{a, x}", "[c, a]", "[a, a]", "{a, a}", "{a}", "[a]", "{}", "[]"),
        *("[a, b, c]", "[a,b]", "[a , b]", "[ a, b]", "[a, b", "a, b]", "[a, b}", "{a, b]"),
        *("[a, b)", "(a, b]", "[a, b] ", " [a, b]", "x[a, b]", "[a, b]\n", "[a, b][a, b]"),
        *('["a", b]', '["d, e, b]', '["d, e"", b]', '[a, "d, e]', "[a, d, e]", '["d, e"b, c]'),
        *("[A, b]", "[a; b]", "a", "", "NULL", "[, b]", "[a, ]", "{a, , b}"),
    ],
)
def test_a_label_of_another_form_or_with_a_name_of_no_value_holds_nothing(label: str) -> None:
    assert held([label, None], ["a", "b", "c", "d, e"]) == {}


def test_labels_are_told_apart_by_the_columns_that_come_along() -> None:
    leaves = (
        "(FROM (VALUES (1, 'a', 1), (1, 'b', 2), (2, 'b', 1), (2, 'a', 2)) AS t (n, text, place))"
    )
    labels = "(FROM (VALUES (1, '[a, b]'), (2, '[a, b]'), (2, '{a, b}')) AS t (n, label))"
    segments = segments_fragment(Markup(labels), Markup(leaves), ["n"])
    asked = f"SELECT {ident('n')}, label, first_place, last_place FROM {segments} AS segment"
    assert sorted(duckdb.execute(asked).fetchall()) == [
        (1, "[a, b]", 1, 2),
        (2, "{a, b}", 1, 1),
        (2, "{a, b}", 2, 2),
    ]


@given(
    st.lists(st.sampled_from([*TEXTS, None]), unique=True, min_size=1, max_size=8),
    st.data(),
)
def test_what_a_label_holds_is_what_a_reader_makes_of_it(
    texts: list[str | None], data: st.DataObject
) -> None:
    names = st.sampled_from([*map(oracle_spans.spelled, texts), "x", ""])
    joined = st.lists(names, max_size=4).map(", ".join)
    wrapped = joined.flatmap(
        lambda text: st.sampled_from([f"[{text}]", f"{{{text}}}", f"[{text}}}"])
    )
    labels = data.draw(
        st.lists(st.one_of(wrapped, wrapped, st.lists(PIECES, max_size=7).map("".join)), max_size=6)
    )
    expected = {
        label: [texts[number] for number in sorted(numbers)]
        for label in labels
        if (numbers := oracle_spans.meant(label, texts)) is not None
    }
    assert held(sorted({*labels}) or [None], texts) == expected


@given(st.lists(st.text(max_size=6), unique=True, max_size=6))
def test_no_two_values_have_one_name(texts: list[str]) -> None:
    plain = [text.replace("\x00", "") for text in texts]
    values = [None, *sorted({*plain})]
    names = duckdb.execute(
        f"SELECT {spelled(Markup('text'))} FROM {placed(values)} AS leaf ORDER BY place ASC"
    ).fetchall()
    assert len({*names}) == len(values)
