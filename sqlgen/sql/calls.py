"""Function calls in SQL: functions that a text names, and functions that its syntax calls."""

import re
from collections.abc import Iterable
from functools import cache

from sqlgen.sql.render import template_sources

_JINJA = re.compile(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
# SQL that a filter repeats or puts between pieces, and what it leaves open.
_PATTERN = re.compile(r"\b(?:each|joined)\(\s*(?:\"([^\"]*)\"|'([^']*)')")
_PLACEHOLDER = re.compile(r"\{[^{}]*\}")
_TEXT = re.compile(r"'(?:[^']|'')*'|--[^\n]*")
# What stands where a template has something to fill in: part of a name, and never one by itself.
_GAP = "\x00"
# A name before a parenthesis, but for an alias with a list of columns.
_NAME = re.compile(
    r'(\bAS\s+)?(?:(?<![\w\x00])([A-Za-z_]\w*)|"((?:[^"]|"")+)")\s*\(', re.IGNORECASE
)
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_OPERATOR = re.compile(r"[-+*/<>=~!@#%^&|]+")
# Comparisons, named arguments and lambdas: DuckDB looks up no function for these.
_NO_FUNCTION = frozenset({"=", "==", "<>", "!=", "<", ">", "<=", ">=", "=>", "->"})
# Words that a parenthesis may follow, and that call nothing.
_KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        "all and any as by case cast coalesce columns copy default distinct else exclude exists"
        " explain filter from group having if in into is join materialized not on or order over"
        " partition partition_by select set similar some struct table then to try try_cast"
        " union unpack using values when where with within",
    )
)
# What the parser makes of syntax, by the syntax.
_SYNTAX = tuple(
    (re.compile(pattern, re.IGNORECASE), tuple(names.split()))
    for pattern, names in (
        (r"\bCOUNT\s*\(", "count_star"),
        (r"\[", "list_value array_extract array_slice list_extract list_slice"),
        (r"\[", "map_extract map_extract_value element_at struct_extract"),
        (r"\{", "struct_pack"),
        (r"\.\s*\w", "struct_extract"),
        (r"\(", "row"),
        (r"\bLIKE\b", "~~ !~~ like_escape not_like_escape"),
        (r"\bILIKE\b", "~~* !~~* ilike_escape not_ilike_escape"),
        (r"\bGLOB\b", "~~~"),
        (r"\bSIMILAR\b", "regexp_full_match"),
        (r"\bEXTRACT\b", "date_part"),
        (r"\bAT\s+TIME\s+ZONE\b", "timezone"),
        (r"\bCURRENT_TIMESTAMP\b", "get_current_timestamp now"),
        (r"\bCURRENT_DATE\b", "today"),
        (r"\bLAMBDA\b", "list_transform list_apply list_filter"),
        (r"\bIN\b", "contains"),
        (
            r"\bINTERVAL\b",
            "to_years to_months to_weeks to_days to_hours to_minutes to_seconds to_milliseconds"
            " to_microseconds",
        ),
        (r"\bIF\s*\(", "if"),
        # An ordered LIST is sorted by it on DuckDB 1.5.
        (r"\bLIST\s*\(", "list_sort"),
        # Macros of the engine's own, by what they call.
        (r"\bLIST_(SUM|COUNT)\b", "list_aggr"),
    )
)


# What pieces of SQL in code call and no template does; a test holds this against the code.
_IN_CODE = frozenset(
    (
        *("current_schema", "epoch_ns", "epoch_us", "glob", "isfinite"),
        *("json_deserialize_sql", "json_serialize_sql"),
        *("quarter", "read_csv", "read_parquet", "strftime", "timezone", "txid_current", "~~~"),
    )
)


def functions_called(sql: str) -> frozenset[str]:
    """The functions that a piece of SQL calls, in lower case, operators among them.

    Errs towards more: it reads tokens and no grammar.

    >>> sorted(functions_called("SELECT COUNT(*), a || 'LN(1)' FROM t WHERE b LIKE 'x'"))
    ['!~~', '*', 'count', 'count_star', 'like_escape', 'not_like_escape', 'row', '||', '~~']
    """
    bare = _TEXT.sub("''", sql)
    named = {
        (name or quoted.replace('""', '"')).lower()
        for alias, name, quoted in _NAME.findall(bare)
        if not alias
    }
    operators = set(_OPERATOR.findall(_QUOTED.sub("", bare)))
    implied = {name for pattern, names in _SYNTAX if pattern.search(bare) for name in names}
    return frozenset((named - _KEYWORDS) | (operators - _NO_FUNCTION) | implied)


def functions_in(texts: Iterable[str]) -> frozenset[str]:
    """The functions that some templates call, whatever values they are given."""
    return frozenset().union(
        *(functions_called(piece) for text in texts for piece in _pieces_of(text))
    )


def _pieces_of(template: str) -> list[str]:
    """A template's SQL: around its prints and tags, and the patterns inside them."""
    inside = _JINJA.findall(template)
    patterns = [double or single for tag in inside for double, single in _PATTERN.findall(tag)]
    return [_JINJA.sub(_GAP, template), *(_PLACEHOLDER.sub(_GAP, pattern) for pattern in patterns)]


@cache
def our_functions() -> frozenset[str]:
    """The functions that sqlgen's own SQL calls: those of all templates and of pieces in code."""
    return functions_in(template_sources()) | _IN_CODE
