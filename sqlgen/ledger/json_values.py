"""Values that the ledger keeps as JSON: written as text, and read back with every part checked.

Anybody who can write to the database can write to the ledger, so nothing is taken for granted.
"""

import json
import math
import sys
from collections.abc import Mapping
from typing import Any

from sqlgen.ledger.recorded import RecordedGuarantee

_MOST = 2**63 - 1
_MOST_FIGURE = sys.float_info.max


def json_text(value: Any) -> str:
    """A value as the ledger keeps it: in one line, with its keys in the order they came."""
    return json.dumps(value, ensure_ascii=False)


def read_counts(text: str) -> Mapping[str, int]:
    """Whole numbers by column: NULLs, or levels."""
    counts = _mapping(text)
    if not all(type(each) is int and abs(each) <= _MOST for each in counts.values()):
        raise ValueError("not numbers by column")
    return counts


def read_decision(text: str) -> Mapping[str, Any]:
    """What a recoding decided: the levels by column, where it has any, and what else it says."""
    decision = _mapping(text)
    if "levels" in decision:
        read_counts(json_text(decision["levels"]))
    return decision


def read_texts(text: str) -> Mapping[str, str]:
    """Texts by column."""
    texts = _mapping(text)
    if not all(isinstance(each, str) for each in texts.values()):
        raise ValueError("not texts by column")
    return texts


def _mapping(text: str) -> dict[str, Any]:
    found = read_json(text)
    if not isinstance(found, dict):
        raise TypeError("not a mapping")
    return found


def _list(text: str) -> list[dict[str, Any]]:
    found = read_json(text)
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise ValueError("not a list of mappings")
    return found


def _figure(value: Any) -> float | None:
    """A measured figure; None where nothing was judged."""
    if value == "infinite":
        return math.inf
    if value is not None and (type(value) not in (int, float) or abs(value) > _MOST_FIGURE):
        raise ValueError("not a figure")
    return None if value is None else float(value)


def read_json(text: str) -> Any:
    """What a text of JSON holds.

    Raises ValueError for what is no JSON, a number that is none, and half of a surrogate pair.
    """
    found = json.loads(text, parse_constant=_refuse)
    json.dumps(found, ensure_ascii=False, allow_nan=False).encode()
    return found


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no number")


def read_guarantees(text: str) -> tuple[RecordedGuarantee, ...]:
    """Guarantees: the name of each, its parameters, and what was measured."""
    return tuple(_guarantee(each) for each in _list(text))


def _guarantee(item: dict[str, Any]) -> RecordedGuarantee:
    name, parameters = item.get("name"), item.get("parameters")
    if not isinstance(name, str) or not isinstance(parameters, dict) or "measured" not in item:
        raise ValueError("not a guarantee")
    return RecordedGuarantee(name, parameters, _figure(item["measured"]))
