"""Numbers as a policy writes them: digits, and nothing that merely could be read as a number."""

import re
from typing import Any

from pydantic import BeforeValidator


def _digits(value: Any) -> Any:
    if isinstance(value, str) and re.fullmatch(r"[0-9]{1,18}", value.strip()) is None:
        raise ValueError("must be a whole number")
    return value


DIGITS = BeforeValidator(_digits)
