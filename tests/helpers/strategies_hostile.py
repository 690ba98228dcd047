"""Names and values that would be SQL, YAML, a template or a path, were they not quoted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hypothesis import strategies as st

# Each breaks out of some context: a name, a text, a comment, a template, a format, a path.
PIECES = (
    *("'", '"', "''", '""', ";", "--", "-- ", "/*", "*/", "\n", "\r", "\r\n", "\t", "\v", "\u2028"),
    *(
        "\\",
        "\\'",
        "\\n",
        "`",
        "$$",
        "$1",
        "?",
        ":x",
        "%",
        "%s",
        "%(x)s",
        "{}",
        "{0}",
        "#",
        ",",
        "|",
    ),
    *("{{ x }}", "{% if %}", "{# x", "${HOME}", "$(id)", "&amp;", "<script>", "]]>", "=1+1", "@x"),
    *("'; DROP TABLE witness; --", '"; DROP TABLE witness; --', "'); DROP TABLE witness; --"),
    *('") AS x; DROP TABLE witness; /*', "*/ DROP TABLE witness; --", "\nDROP TABLE witness;\n"),
    *("' OR 1=1 --", "' UNION SELECT * FROM witness --", "COMMIT; DROP TABLE witness; BEGIN"),
    *("\u202e", "\u200f", "\u200b", "\ufeff", "🙂", "é", "e\u0301", "ß", "İ", "名前", "\U0010ffff"),
    *("a", "A", " ", ".", "*", "_", "-", "(", ")", "[", "]", "NULL", "1", "0"),
)
# Words of SQL, of the engine, and of the statements that are made.
WORDS = (
    *("select", "SELECT", "from", "table", "order", "group", "null", "NULL", "true", "rowid"),
    *("value", "label", "source", "row_count", "q1", "s1", "class_id", "class_size", "leaf"),
    *(
        "label_1",
        "field_0",
        "sqlgen_source",
        "sqlgen_lookup_1",
        "sqlgen_cell",
        "sqlgen_ladder_1",
        "dataframe",
    ),
    *("released", "people", "line", "built", "column", "off", "t", "_"),
)
LONG = st.sampled_from(["", "'", '"', "--", "🙂"]).map(
    lambda text: text + (10_000 - len(text)) * "x"
)

HOSTILE = st.one_of(
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=4).map("".join),
    st.sampled_from(WORDS),
    st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1),
)


def folded(text: str) -> str:
    """A name as no engine tells it from another: all that any of them folds is folded."""
    return text.casefold()


def renamed(
    innocent: Sequence[str], *, exactly: bool = False
) -> st.SearchStrategy[Mapping[str, str]]:
    """Some innocent texts, each with a hostile one in its place; ``exactly`` tells case apart."""
    texts = st.lists(
        HOSTILE,
        min_size=len(innocent),
        max_size=len(innocent),
        unique_by=(lambda text: text) if exactly else folded,
    ).map(lambda drawn: dict(zip(innocent, drawn, strict=True)))
    long = st.none() | st.none() | st.none() | st.tuples(st.sampled_from(innocent), LONG)
    return st.tuples(texts, long).map(
        lambda pair: {**pair[0], **dict([pair[1]] if pair[1] else [])}
    )
