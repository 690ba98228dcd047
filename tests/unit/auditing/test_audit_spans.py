"""What an audit makes of ranges and sets of values, of whatever tool: figures by hand, refusals."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from span_checks import CHECKS


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_ranges_and_sets_are_read_by_the_values_that_they_name(check: Callable[[], None]) -> None:
    check()
