"""Suppression in rounds that must come to an end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from markupsafe import Markup

from sqlgen.judging import verdict_sql as judge
from sqlgen.staging import stage as staging


@contextmanager
def rounds_come_to_an_end() -> Iterator[None]:
    """A suppression that suppresses nothing would be repeated for ever."""
    judged_in_rounds = judge.verdict_sql

    def verdict_sql(judged: judge.JudgingInput, number: int) -> Markup:
        assert number < 40, "no table here has so many classes to suppress"
        return judged_in_rounds(judged, number)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judge, "verdict_sql", verdict_sql)
        # Counts per value give the same verdicts by other templates (test_wide.py).
        patch.setattr(staging, "stage_count_cells", lambda *_: None)
        yield
