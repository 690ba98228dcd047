"""The page of figures: a table between two comments of docs/benchmarks.md, made of JSON lines."""

import json
import platform
import re
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

from measuring import shown

_PART = re.compile(r"(<!-- measured: benchmarks/run.py -->\n).*?(<!-- end -->)", re.DOTALL)
_HEAD = "| case | figure | measured | at most | aim |\n| --- | --- | --- | --- | --- |\n"


def write_page(page: Path, lines: Path, day: date) -> None:
    """Put the last figure of each case and name into the page, the machine and the day on top."""
    records = [json.loads(line) for line in lines.read_text(encoding="utf-8").splitlines()]
    text = page.read_text(encoding="utf-8")
    page.write_text(
        _PART.sub(lambda part: part[1] + measured(records, day) + part[2], text), encoding="utf-8"
    )


def measured(records: Sequence[dict[str, Any]], day: date) -> str:
    """The machine, the day and the table of figures, in Markdown."""
    last = {(record["case"], record["figure"]): record for record in records}
    newest = records[-1]
    machine = f"{newest['cores']} cores, {platform.machine()}, DuckDB {newest['duckdb']}"
    return (
        f"\nMachine: {machine}. Date: {day}.\n\n{_HEAD}" + "".join(map(_row, last.values())) + "\n"
    )


def _row(record: dict[str, Any]) -> str:
    limits = ["" if record[key] is None else f"{record[key]:,g}" for key in ("target", "aim")]
    missed = " (missed)" if record["met"] is False else ""
    value = shown(record["value"], record["unit"]) + missed
    cells = [record["case"], record["figure"], value, *limits]
    return "| " + " | ".join(cells) + " |\n"
