"""SQL as it may be shown to anybody: names and thresholds stay, what could be a value goes.

A policy may name values, in guarantees, hierarchies, orders and queries; and a statement names the
files that it reads by their full path.
"""

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from sqlgen.policy import Policy
from sqlgen.reports.model import UNSHOWN

MASK = "'...'"
_QUERY = "sqlgen_policy_query"
_UNSHOWN = "... not shown ..."
# As SQL and YAML spell them: 4.712e3, 0x1268 and 4_712 are 4712.0.
_NUMBER = (
    r"0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+"
    r"|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?"
)
# Texts, names, comments, numbers; and words, so that the digits of q1 are no number.
_TOKEN = re.compile(
    r"""(?P<escaped>\b[eE]'(?:\\.|''|[^'\\])*')|(?P<text>'(?:[^']|'')*')"""
    r"""|(?P<dollar>\$(?P<tag>\w*)\$.*?\$(?P=tag)\$)"""
    r"""|(?P<name>"(?:[^"]|"")*")"""
    r"""|(?P<comment>--[^\n]*|/\*(?:/\*.*?\*/|[^*/]|\*(?!/)|/(?!\*))*\*/)"""
    rf"""|(?P<word>[A-Za-z_]\w*)|(?P<number>{_NUMBER})"""
    r"""|(?P<stray>'|"|\*/|/\*|\$)""",
    re.DOTALL,
)
_VALUED = ("cuts", "expressions", "tree")


def masked(sql: str, policy: Policy) -> str:
    """A statement without texts, comments and numbers that the policy has among its values.

    One that cannot be taken apart without doubt is not shown at all.
    """
    query = policy.source.query
    if query is not None:
        sql = sql.replace(query.strip().rstrip(";"), _QUERY)
    values = policy_numbers(policy)
    shown = []
    end = 0
    for match in _TOKEN.finditer(sql):
        kind = "dollar" if match.lastgroup == "tag" else match.lastgroup
        if kind == "stray":
            return _UNSHOWN
        shown.append(sql[end : match.start()])
        end = match.end()
        if kind in ("escaped", "text", "dollar"):
            shown.append(match[0] if match[0] == "''" else MASK)
        elif kind == "number" and _value(match[0]) in values:
            shown.append("...")
        elif kind != "comment":
            shown.append(match[0])
    return "".join([*shown, sql[end:]]).replace(_QUERY, "... the query of the policy ...")


def policy_numbers(policy: Policy) -> frozenset[Decimal]:
    """Every number that a policy writes where values may stand; 0 and 1 are in every statement.

    The widths of intervals and the lengths of prefixes are none.
    """
    texts = [policy.source.query or ""]
    texts += [value for guarantee in policy.guarantees for value in guarantee.named_values]
    for column in policy.columns.values():
        declared = column.model_dump(mode="json")
        texts += _texts(declared.get("order"))
        texts += _texts(_parts_with_values(declared.get("hierarchy")))
    numbers = re.findall(_NUMBER, "\n".join(texts))
    return frozenset(map(_value, numbers)) - {Decimal(0), Decimal(1)}


def _value(number: str) -> Decimal:
    """The value of a number, however it is spelled.

    >>> _value("4_712"), _value("0x1268") == _value("4.712e3") == _value("4712.00")
    (Decimal('4712'), True)
    """
    digits = number.replace("_", "")
    if digits[1:2] in tuple("xXbBoO"):
        return Decimal(int(f"{digits}0", 0) // {"x": 16, "b": 2, "o": 8}[digits[1].lower()])
    return Decimal(digits)


def _parts_with_values(hierarchy: Any) -> list[Any]:
    """Cuts, expressions and trees, wherever they stand in a hierarchy."""
    if isinstance(hierarchy, list):
        return [_parts_with_values(each) for each in hierarchy]
    if not isinstance(hierarchy, dict):
        return []
    return [part if key in _VALUED else _parts_with_values(part) for key, part in hierarchy.items()]


def safe_parameters(parameters: dict[str, Any], named: Iterable[str]) -> dict[str, Any]:
    """The parameters of a guarantee, with numbers of values in place of values.

    >>> safe_parameters({"alpha": 0.5, "values": ["flu", "HIV"]}, ["flu", "HIV"])
    {'alpha': 0.5, 'values': '2 not shown'}
    """
    kept = {}
    for key, value in parameters.items():
        held = _texts(list(value.values()) if isinstance(value, dict) else value)
        is_named = isinstance(value, (list, dict)) and set(held) & set(named)
        kept[key] = f"{len(held)} {UNSHOWN}" if is_named else value
    return kept


def _texts(value: Any) -> list[str]:
    """Every text in a value, names of its parts among them."""
    if isinstance(value, dict):
        return [*map(str, value), *(text for part in value.values() for text in _texts(part))]
    if isinstance(value, (list, tuple)):
        return [text for part in value for text in _texts(part)]
    return [] if value is None else [str(value)]
