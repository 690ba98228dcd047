"""Values that the ledger keeps as JSON: written as text, and checked in full when read.

Everyone who can write to the database can write to the ledger, so it may hold anything.
"""

import json
import math
import sys
from collections.abc import Mapping
from typing import Any

from sqlgen.ledger.recorded import RecordedGuarantee

_MOST = 2**63 - 1
# Of a range of levels: the least and the most.
_ENDS = 2
_MOST_FIGURE = sys.float_info.max


def json_text(value: Any) -> str:
    """A value as the ledger keeps it: in one line, with its keys in the order they came."""
    return json.dumps(value, ensure_ascii=False)


def read_counts(text: str) -> Mapping[str, int]:
    """Whole numbers by column: NULLs, or levels."""
    counts = _mapping(text)
    if not all(type(count) is int and abs(count) <= _MOST for count in counts.values()):
        raise ValueError("not numbers by column")
    return counts


def read_decision(text: str) -> Mapping[str, Any]:
    """The decision of a recoding: the levels by column, if it has any, and whatever it adds."""
    decision = _mapping(text)
    if "levels" in decision:
        read_counts(json_text(decision["levels"]))
    for column in _list(json_text(decision.get("columns", []))):
        _check_column(column)
    if not isinstance(decision.get("region_fingerprint", ""), str):
        raise TypeError("not the fingerprint of regions")
    return decision


def _check_column(column: Mapping[str, Any]) -> None:
    """Refuse what is no column with the least and the most of its levels."""
    levels = column["levels"] if isinstance(column.get("levels"), list) else ()
    if not isinstance(column.get("name"), str) or len(levels) != _ENDS:
        raise ValueError("not a column with its levels")
    read_counts(json_text(dict(enumerate(levels))))


def read_texts(text: str) -> Mapping[str, str]:
    """Texts by column."""
    texts = _mapping(text)
    if not all(isinstance(value, str) for value in texts.values()):
        raise ValueError("not texts by column")
    return texts


def _mapping(text: str) -> dict[str, Any]:
    value = read_json(text)
    if not isinstance(value, dict):
        raise TypeError("not a mapping")
    return value


def _list(text: str) -> list[dict[str, Any]]:
    value = read_json(text)
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise ValueError("not a list of mappings")
    return value


def _figure(value: Any) -> float | None:
    """A measured figure; None where nothing was judged."""
    if value == "infinite":
        return math.inf
    if value is not None and (type(value) not in (int, float) or abs(value) > _MOST_FIGURE):
        raise ValueError("not a figure")
    return None if value is None else float(value)


def read_json(text: str) -> Any:
    """The value of a JSON text.

    Raises ValueError for invalid JSON, for NaN and Infinity, and for half of a surrogate pair.
    """
    value = json.loads(text, parse_constant=_refuse)
    json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    return value


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number")


def read_guarantees(text: str) -> tuple[RecordedGuarantee, ...]:
    """Guarantees: the name of each, its parameters, and what was measured."""
    return tuple(_guarantee(item) for item in _list(text))


def _guarantee(item: dict[str, Any]) -> RecordedGuarantee:
    name, parameters = item.get("name"), item.get("parameters")
    if not isinstance(name, str) or not isinstance(parameters, dict) or "measured" not in item:
        raise ValueError("not a guarantee")
    return RecordedGuarantee(name, parameters, _figure(item["measured"]))
