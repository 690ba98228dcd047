"""What a process holds while it plans, releases and audits a small table and a large one."""

import tracemalloc
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import invented
from measuring import Figure, Setting, peak_gigabytes, trip
from sqlgen import read_policy

# Of the engine alone; what it does not hold in it, it spills.
_LIMIT = "1GB"


def memory(setting: Setting) -> list[Figure]:
    """The Python heap and the whole process at their largest, for 10^5 rows and for all."""
    small, large = (_apart(setting, table) for table in ("births_small", "births"))
    detail = {
        "heap_megabytes": [round(heap / 1e6, 2) for heap, _ in (small, large)],
        "process_gigabytes": [round(whole, 2) for _, whole in (small, large)],
        "memory_limit": _LIMIT,
    }
    return [
        Figure("Python heap over 10^5 rows'", large[0] / small[0], "x", 1.2, None, detail),
        Figure("peak memory", large[1], "GB", 1.5),
    ]


def _apart(setting: Setting, table: str) -> tuple[int, float]:
    """The peaks of a new process, for a peak is never given back."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(_peaks, setting, table).result()


def _peaks(setting: Setting, table: str) -> tuple[int, float]:
    policy = read_policy(invented.births_policy(table))
    with setting.connect() as connection:
        connection.execute(f"SET memory_limit = '{_LIMIT}'")
        tracemalloc.start()
        trip(connection, policy)
        heap = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return heap, peak_gigabytes()
