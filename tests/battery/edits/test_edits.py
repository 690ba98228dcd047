"""Do the tests bite? Each small edit of a template makes some check fail."""

from __future__ import annotations

import pytest

from edits import CHECKS, Edit, is_noticed, read_edits
from effort import IS_THOROUGH

# Where a change lands every fourth edit is tried, so that it waits for no more than 20 minutes.
EDITS = read_edits() if IS_THOROUGH else read_edits()[::4]


@pytest.mark.parametrize("checks", CHECKS)
def test_the_checks_pass_as_things_are(checks: str) -> None:
    CHECKS[checks].run()


@pytest.mark.parametrize("edit", EDITS, ids=str)
def test_some_check_notices_an_edit(edit: Edit) -> None:
    assert is_noticed(edit)
