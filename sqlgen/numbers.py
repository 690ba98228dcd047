"""Numbers as a policy writes them, digits and nothing else, and as a message says them."""

import re
from typing import Any

from pydantic import BeforeValidator


def _digits(value: Any) -> Any:
    if isinstance(value, str) and re.fullmatch(r"[0-9]{1,18}", value.strip()) is None:
        raise ValueError("must be a whole number")
    return value


DIGITS = BeforeValidator(_digits)


def counted(count: int, noun: str, nouns: str = "") -> str:
    """A number with what it counts.

    >>> counted(1, "row"), counted(1204, "row"), counted(2, "class", "classes")
    ('1 row', '1,204 rows', '2 classes')
    """
    return f"{count:,} {noun if count == 1 else nouns or noun + 's'}"
