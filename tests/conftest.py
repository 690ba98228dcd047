"""How hard hypothesis tries, what is battery, and Ctrl-C wherever the suite is started.

``fast`` gives the same few examples every time and is for each change; ``some`` as few, for the
battery in .ci/run, whose tests take longer; ``many`` more, for the battery before a release;
``dev`` new ones. HYPOTHESIS_PROFILE names one.
"""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from hypothesis import HealthCheck, Phase, settings

from sqlgen.engines import Engine
from sqlgen.engines.duckdb import session

# Folders of tests that a change need not wait for; single tests elsewhere say so themselves.
BATTERY = frozenset(Path(__file__).parent / name for name in ("battery", "contract", "properties"))
# The oldest engine shows that it agrees; mistakes of ours are found on the newest.
IS_NEWEST = duckdb.__version__ >= "2"

_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]


def _register(profile: str, max_examples: int) -> None:
    settings.register_profile(
        profile,
        deadline=None,
        max_examples=max_examples,
        derandomize=True,
        # Explaining a failure line by line takes longer than finding it.
        phases=[Phase.explicit, Phase.generate, Phase.shrink],
        report_multiple_bugs=False,
        suppress_health_check=_SLOW,
    )


_register("fast", 5 if IS_NEWEST else 4)
_register("some", 4)
_register("many", 25 if IS_NEWEST else 10)
settings.register_profile("dev", deadline=None, max_examples=400, suppress_health_check=_SLOW)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option that freezes what sqlgen prints now."""
    parser.addoption(
        "--update-contract", action="store_true", help="write the files of tests/contract anew"
    )


def pytest_configure() -> None:
    """Ctrl-C ends what tests start, also where a shell has a job in the background ignore it.

    A process that is started with SIGINT ignored leaves it so, and so do its children.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests in the battery's folders bear its mark; drawn tests bear that of hypothesis itself."""
    for item in items:
        if BATTERY & {*item.path.parents}:
            item.add_marker("battery")


_DIFFERS = session._differs


def _as_it_comes(_: Engine, *, is_callers: bool) -> bool:  # noqa: ARG001
    return False


@pytest.fixture(scope="session", autouse=True)
def engine_as_it_comes() -> Iterator[None]:
    """Take each connection's functions for the engine's own, unasked: 11 ms each time it is opened.

    A sixth of what a plan, a release and an audit of a small table take together. Tests of macros
    and of registered functions have them asked: ``real_functions``. So do processes of their own.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(session, "_differs", _as_it_comes)
        yield


@pytest.fixture(scope="module")
def real_functions() -> Iterator[None]:
    """The functions of connections are looked at, as they are by whoever runs sqlgen."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(session, "_differs", _DIFFERS)
        yield
