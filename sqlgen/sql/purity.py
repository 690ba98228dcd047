"""Purity of an expression: whether it gives one value one answer, on any day and in any session.

Decided on the engine's own syntax tree of the SQL that will run. Only what is listed here is pure:
a function, a type or a part of the tree that is not known is not.
"""

import json
from collections.abc import Iterator
from typing import Any

# Functions of their arguments alone. Not among them, though an engine calls them consistent: what
# reads the clock or the session (current_localtime, getvariable, version), what speaks of the
# expression and not of the value (alias, typeof), what is another in another version (hash), what
# gives or takes a time with a zone, which is shown in the session's, and what calls any function
# by a name that it is given (list_aggregate).
_PURE = """
    + - * / // % ** ^ & | ~ << >> || ~~ !~~ ~~* !~~* ~~~ @ ^@ @> <@ && -> ->> !__postfix
    ilike_escape like_escape not_ilike_escape not_like_escape
    abs acos acosh add asin asinh atan atan2 atanh bit_count cbrt ceil ceiling cos cosh cot degrees
    divide even exp factorial floor gamma gcd greatest greatest_common_divisor isfinite isinf
    isnan lcm least least_common_multiple lgamma ln log log10 log2 mod multiply nextafter pi pow
    power radians round sign signbit sin sinh sqrt subtract tan tanh trunc xor
    ascii bar base64 bin bit_length char_length character_length chr concat concat_ws
    contains damerau_levenshtein editdist3 ends_with format format_bytes formatreadabledecimalsize
    formatreadablesize from_base64 from_hex hamming hex instr jaccard jaro_similarity
    jaro_winkler_similarity lcase left left_grapheme len length length_grapheme levenshtein lower
    lpad ltrim md5 mismatches nfc_normalize nullif octet_length ord overlay position prefix printf
    regexp_escape regexp_extract regexp_extract_all regexp_full_match regexp_matches
    regexp_replace regexp_split_to_array repeat replace reverse right right_grapheme rpad rtrim sha1
    sha256 split split_part starts_with str_split str_split_regex string_split string_split_regex
    string_to_array strip_accents strlen strpos substr substring substring_grapheme suffix
    to_base to_base64 to_binary to_hex translate trim ucase unbin unhex unicode upper url_decode
    url_encode
    age century date_diff date_part date_sub date_trunc datediff datepart datesub datetrunc
    day dayname dayofmonth dayofweek dayofyear decade epoch epoch_ms epoch_ns epoch_us
    era hour isodow isoyear julian last_day make_date make_time make_timestamp make_timestamp_ms
    make_timestamp_ns microsecond millennium millisecond minute month monthname nanosecond
    normalized_interval quarter second strftime strptime time_bucket to_centuries to_days to_decades
    to_hours to_microseconds to_millennia to_milliseconds to_minutes to_months to_quarters
    to_seconds to_weeks to_years try_strptime week weekday weekofyear year yearweek
    array_contains array_extract array_has array_length array_position array_slice array_value
    element_at flatten list_concat list_contains list_distinct list_element list_extract list_filter
    list_has list_has_all list_has_any list_pack list_position list_slice
    list_transform list_value list_where list_zip map map_contains map_extract
    map_extract_value map_keys map_values row struct_extract struct_extract_at struct_pack
    json_array_length json_contains json_exists json_extract json_extract_path
    json_extract_path_text json_extract_string json_keys json_type json_valid json_value
"""
_PLAIN = """
    bool boolean logical tinyint int1 smallint int2 short integer int int4 signed bigint int8 long
    hugeint int128 utinyint uint8 usmallint uint16 uinteger uint32 ubigint uint64 uhugeint uint128
    decimal numeric dec float float4 real double float8 varchar text string char bpchar
    date time timestamp datetime timestamp_s timestamp_ms timestamp_ns timestamp_us interval uuid
    bit bitstring blob bytea binary varbinary list array struct map row
"""
_PARTS = """
    BETWEEN CASE CAST COLLATE COLUMN_REF COMPARISON CONJUNCTION CONSTANT FUNCTION LAMBDA OPERATOR
    TYPE
"""
_FUNCTIONS = frozenset(_PURE.split())
_TYPES = frozenset(_PLAIN.split())
_CLASSES = frozenset(_PARTS.split())
# What a macro of the engine's calls, where a macro of the user's would be found first.
_CALLED_INSIDE = {"split_part": {"if", "string_split", "array_extract"}}
# With one argument AGE counts up to today.
_LEAST_ARGUMENTS = {"age": 2}
_BY_FORMAT = ("strptime", "try_strptime")


def selects_in(serialized: str) -> list[dict[str, Any]]:
    """The expressions in the engine's tree of a query; none where it is not one plain SELECT."""
    tree = json.loads(serialized)
    nodes = [statement.get("node") or {} for statement in tree.get("statements") or []]
    return list(nodes[0].get("select_list") or []) if len(nodes) == 1 else []


def functions_in(node: Any) -> set[str]:
    """The names of the functions and operators that a part of the engine's tree calls."""
    names = {_name(inner) for inner in _walk(node) if inner.get("class") == "FUNCTION"}
    return names.union(*(_CALLED_INSIDE.get(name, ()) for name in names))


def impurities(node: dict[str, Any], *, in_utc: bool) -> list[str]:
    """The parts of an expression over ``value`` that are not known to be pure, by name.

    ``in_utc`` says that the value is a time with a zone, and is read as one of UTC.
    """
    return sorted(set(_impure(node, in_utc=in_utc, named=frozenset(["value"]))))


def _impure(node: dict[str, Any], *, in_utc: bool, named: frozenset[str]) -> Iterator[str]:
    kind = str(node.get("class"))
    if kind not in _CLASSES:
        yield kind.lower().replace("_", " ")
        return
    if kind == "CONSTANT" or (in_utc and _is_value_in_utc(node)):
        return
    if kind == "COLUMN_REF":
        names = [str(part) for part in node.get("column_names") or ()]
        if len(names) != 1 or names[0] not in named:
            yield ".".join(names)
        return
    if kind == "LAMBDA":
        named = named | {name for part in _walk(node.get("lhs")) for name in _columns(part)}
    if kind == "FUNCTION":
        yield from _impure_call(node)
    if kind in ("CAST", "TYPE"):
        yield from _impure_type(node)
    for inner in _inner(node):
        yield from _impure(inner, in_utc=in_utc, named=named)


def _impure_call(node: dict[str, Any]) -> Iterator[str]:
    """The function of a call, where it is not known to be pure as it is called."""
    name = _name(node)
    arguments = _arguments(node)
    path = (node.get("catalog") or "", node.get("schema") or "")
    is_known = name in _FUNCTIONS and path in (("", ""), ("", "main"))
    if not is_known or len(arguments) < _LEAST_ARGUMENTS.get(name, 0):
        yield name
    if name in _BY_FORMAT and not all(_has_no_zone(argument) for argument in arguments[1:]):
        yield f"{name} with a time zone"


def _impure_type(node: dict[str, Any]) -> Iterator[str]:
    """The types that a cast names, where they are not known: a type of the user's may be any."""
    if node["class"] == "TYPE":
        name = str(node.get("type_name")).lower()
        if name not in _TYPES or node.get("schema") or node.get("catalog"):
            yield name
    elif node.get("type_expr") is None:
        # The tree of DuckDB 1.5 has types that are resolved, with those inside of them.
        types = [
            spelled_type for spelled_type in _walk(node.get("cast_type")) if "id" in spelled_type
        ]
        for spelled_type in types or [{"id": "no type"}]:
            information = spelled_type.get("type_info") or {}
            name = str(information.get("name") or spelled_type["id"]).lower()
            if name not in _TYPES:
                yield name


def _has_no_zone(argument: dict[str, Any]) -> bool:
    """Whether a format is written down, and holds no time zone."""
    if argument.get("class") == "FUNCTION" and _name(argument) == "list_value":
        return all(_has_no_zone(argument_node) for argument_node in _arguments(argument))
    text = _text(argument)
    return text is not None and "%z" not in text.lower()


def _is_value_in_utc(node: dict[str, Any]) -> bool:
    """Whether a call is the one that reads the value in UTC."""
    if node.get("class") != "FUNCTION" or _name(node) != "timezone":
        return False
    arguments = _arguments(node)
    return (
        len(arguments) == 2
        and _text(arguments[0]) == "UTC"
        and arguments[1].get("column_names") == ["value"]
    )


def _text(node: dict[str, Any]) -> str | None:
    """The text of a constant, as either version spells it."""
    if node.get("class") != "CONSTANT":
        return None
    text = (node.get("literal") or {}).get("text", (node.get("value") or {}).get("value"))
    return text if isinstance(text, str) else None


def _name(node: dict[str, Any]) -> str:
    return str(node.get("function_name")).lower()


def _columns(node: dict[str, Any]) -> list[str]:
    return [str(part) for part in node.get("column_names") or ()]


def _arguments(node: dict[str, Any]) -> list[dict[str, Any]]:
    """The arguments of a call, which 2.0 wraps with their names."""
    if node.get("arguments") is not None:
        return [argument["expression"] for argument in node["arguments"]]
    return list(node.get("children") or ())


def _inner(node: Any) -> Iterator[dict[str, Any]]:
    """The nearest expressions inside of one."""
    for part in node.values() if isinstance(node, dict) else node:
        if isinstance(part, dict) and "class" in part:
            yield part
        elif isinstance(part, (dict, list)):
            yield from _inner(part)


def _walk(node: Any) -> Iterator[dict[str, Any]]:
    """Every mapping in a part of the tree."""
    if isinstance(node, dict):
        yield node
    if isinstance(node, (dict, list)):
        for part in node.values() if isinstance(node, dict) else node:
            yield from _walk(part)
