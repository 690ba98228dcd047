"""Tables that are released more than once, for the oracle and for nights."""

from __future__ import annotations

ORGANS: dict[str, list[str]] = {}
