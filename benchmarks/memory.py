"""What a process holds while it plans, releases and audits a small table and a large one."""

import tracemalloc
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import invented
from measuring import Figure, Setting, peak_gigabytes, trip
from sqlgen import read_policy

# Of the engine alone; what it does not hold in it, it spills.
_LIMIT = "1GB"


def memory(setting: Setting) -> list[Figure]:
    """The Python heap and the whole process at their largest, for 10^5 rows and for all."""
    small, large = (invented.births_policy(table) for table in ("births_small", "births"))
    name = "Python heap over 10^5 rows'"
    heap, peak = heap_ratio(name, setting, small, large, 1.2, most_gigabytes=1.5, limit=_LIMIT)
    return [heap, peak]


def heap_ratio(
    name: str,
    setting: Setting,
    small: Mapping[str, Any],
    large: Mapping[str, Any],
    target: float | None = None,
    aim: float | None = None,
    *,
    most_gigabytes: float | None = None,
    limit: str | None = None,
) -> tuple[Figure, Figure]:
    """Python's largest heap by a policy of a large table over that of a small one; peak memory."""
    peaks = [_apart(setting, policy, limit) for policy in (small, large)]
    detail = {
        "heap_megabytes": [round(heap / 1e6, 2) for heap, _ in peaks],
        "process_gigabytes": [round(whole, 2) for _, whole in peaks],
        "memory_limit": limit,
    }
    return (
        Figure(name, peaks[1][0] / peaks[0][0], "x", target, aim, detail),
        Figure("peak memory", peaks[1][1], "GB", most_gigabytes),
    )


def _apart(setting: Setting, policy: Mapping[str, Any], limit: str | None) -> tuple[int, float]:
    """The peaks of a new process, for a peak is never given back."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(_peaks, setting, policy, limit).result()


def _peaks(setting: Setting, policy: Mapping[str, Any], limit: str | None) -> tuple[int, float]:
    read = read_policy(policy)
    with setting.connect() as connection:
        if limit is not None:
            connection.execute(f"SET memory_limit = '{limit}'")
        tracemalloc.start()
        trip(connection, read)
        heap = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return heap, peak_gigabytes()
