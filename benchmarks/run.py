"""Measure sqlgen beside the physical limit: one GROUP BY and one copy of the same table.

    python benchmarks/run.py --adult FOLDER [--cases k,births] [--out figures.jsonl [--page]]

FOLDER holds adult.csv and one adult_hierarchy_COLUMN.csv per column, separated by semicolons.
Tables are made in a temporary folder (see TMPDIR; 10 M rows take about 3 GB there, `huge` 15 GB),
each case runs in a process of its own, and every figure is printed beside its target. With --page
the last figure of each case in the --out file is written into docs/benchmarks.md.
"""

import argparse
import json
import os
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path
from typing import Any, TypeVar

import duckdb

from cases import CASES, make_tables
from figures_page import write_page
from measuring import Figure, Setting, peak_gigabytes, shown

T = TypeVar("T")
PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"


def main() -> int:
    """Measure the cases that were asked for; 0 whatever the figures are."""
    parser = _parser()
    arguments = parser.parse_args()
    names = arguments.cases or [name for name, case in CASES.items() if not case.only_by_name]
    unknown = [name for name in names if name not in CASES]
    if unknown:
        parser.error(f"no such case: {', '.join(unknown)}; there are {', '.join(CASES)}")
    if arguments.page and arguments.out is None:
        parser.error("--page is written from the lines of --out")
    with tempfile.TemporaryDirectory(prefix="sqlgen-benchmark-") as scratch:
        setting = Setting(
            arguments.adult.resolve(), Path(scratch), arguments.rows, arguments.best_of
        )
        print(_line("case", "figure", "value", "target", "aim", ""))
        for name in names:
            _run(name, setting, arguments.out)
    if arguments.page:
        write_page(PAGE, arguments.out, datetime.now(UTC).date())
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Measure sqlgen beside the physical limit.")
    parser.add_argument("--adult", type=Path, required=True, help="folder of the Adult data")
    parser.add_argument("--cases", type=lambda text: text.split(","), help=", ".join(CASES))
    parser.add_argument("--rows", type=int, default=10_000_000, help="of the large tables")
    parser.add_argument("--best-of", type=int, default=3)
    parser.add_argument("--out", type=Path, help="a file that gets one JSON line per figure")
    parser.add_argument("--page", action="store_true", help="write docs/benchmarks.md from --out")
    return parser


def _run(name: str, setting: Setting, out: Path | None) -> None:
    """Make the case's tables, measure it, and report each figure."""
    _apart(make_tables, setting, CASES[name].tables)
    figures, peak = _apart(measure, name, setting)
    for figure in figures:
        print(_shown(name, figure), flush=True)
    if out is not None:
        with out.open("a", encoding="utf-8") as lines:
            for figure in figures:
                lines.write(json.dumps(_record(name, figure, peak)) + "\n")


def measure(name: str, setting: Setting) -> tuple[list[Figure], float]:
    """The figures of a case, and the peak memory of the process that measured it."""
    return CASES[name].measure(setting), peak_gigabytes()


def _apart(work: Callable[..., T], *arguments: Any) -> T:
    """The result of work in a new process, whose memory holds nothing else."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(work, *arguments).result()


def _record(name: str, figure: Figure, peak: float) -> dict[str, Any]:
    return {
        "case": name,
        **figure.to_dict(),
        "peak_gigabytes": round(peak, 2),
        "duckdb": duckdb.__version__,
        "cores": os.cpu_count(),
    }


def _shown(name: str, figure: Figure) -> str:
    verdict = {None: "", True: "met", False: "MISSED"}[figure.met]
    value = shown(figure.value, figure.unit)
    return _line(name, figure.name, value, figure.target, figure.aim, verdict)


def _line(*words: object) -> str:
    widths: Sequence[int] = (18, 50, 16, 9, 9, 6)
    texts = ["" if word is None else str(word) for word in words]
    return "".join(text.ljust(width) for text, width in zip(texts, widths, strict=True)).rstrip()


if __name__ == "__main__":
    raise SystemExit(main())
