"""How hard hypothesis tries: ``ci`` gives the same examples every time, ``dev`` new ones."""

import os

import duckdb
import pytest
from hypothesis import HealthCheck, Phase, settings

_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]

settings.register_profile(
    "ci",
    deadline=None,
    # The oldest engine shows that it agrees; mistakes of ours are found on the newest.
    max_examples=25 if duckdb.__version__ >= "2" else 10,
    derandomize=True,
    # Explaining a failure line by line takes longer than finding it.
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
    report_multiple_bugs=False,
    suppress_health_check=_SLOW,
)
settings.register_profile("dev", deadline=None, max_examples=400, suppress_health_check=_SLOW)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option that freezes what sqlgen prints now."""
    parser.addoption(
        "--update-contract", action="store_true", help="write the files of tests/contract anew"
    )
