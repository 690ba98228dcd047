"""Do the tests bite? Each small edit of a template makes some check fail."""

from __future__ import annotations

import pytest

from edits import CHECKS, Edit, is_noticed, read_edits


@pytest.mark.parametrize("checks", CHECKS)
def test_the_checks_pass_as_things_are(checks: str) -> None:
    CHECKS[checks].run()


@pytest.mark.parametrize("edit", read_edits(), ids=str)
def test_some_check_notices_an_edit(edit: Edit) -> None:
    assert is_noticed(edit)
