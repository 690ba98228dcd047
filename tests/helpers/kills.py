"""A process that is killed in a release: how it begins and what must hold after."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any


def begun(work: Callable[[], Any]) -> int:
    """The process that does some work, and nothing after it."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return child


def ended(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
