"""Play a case: its commands one after another in this process, and what each of them left."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from contextlib import chdir
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
from click.testing import CliRunner

from contract.normalize import normalized
from contract.scenes import Case, Change, Command, Files, NextSecond, Rows, Step, Text
from sqlgen.cli.main import main

DATABASE = "clinic.duckdb"
# A longer text within a JSON document is frozen by its digest.
MOST_LINES = 60


def play(case: Case, folder: Path) -> dict[str, str]:
    """What is frozen of a case, by the names of its files, made in an empty folder."""
    begun = datetime.now(UTC).replace(microsecond=0)
    found = {}
    for name, content in case.files.items():
        (folder / name).write_text(content, encoding="utf-8")
    # Outputs hold the folder as the process sees it, whatever links lead there.
    with chdir(folder):
        here = Path.cwd()
        with duckdb.connect(DATABASE) as connection:
            for name, value in case.variables.items():
                connection.execute(f"SET VARIABLE {name} = {value:d}")
            connection.execute(case.database)
        for step in case.steps:
            shown = take(step, lambda text: normalized(text, here, begun))
            if not isinstance(step, Change | NextSecond):
                file = f"{step.name}.{step.form}"
                assert file not in found, (case.name, file)
                found[file] = shown
    return found


def take(step: Step, clean: Callable[[str], str]) -> str:
    """Take a step in the folder of the process; gives what is to be frozen of it."""
    match step:
        case Command():
            return ran(step, clean)
        case Rows():
            return clean(rows(step.query))
        case Text():
            path = Path(step.path)
            return clean(path.read_text(encoding="utf-8")) if path.exists() else "no such file\n"
        case Files():
            paths = sorted(Path().rglob("*"))
            return clean("".join(f"{path.as_posix()}\n" for path in paths))
        case Change():
            with duckdb.connect(DATABASE) as connection:
                connection.execute(step.sql)
        case NextSecond():
            time.sleep(1.05)
    return ""


def ran(command: Command, clean: Callable[[str], str]) -> str:
    """The exit code, stderr and stdout of a command, in this order, as one readable text.

    They are cleaned of what is volatile first, so that digests are of what is left.
    """
    result = CliRunner().invoke(main, command.line.split(), catch_exceptions=False)
    out, said = clean(result.stdout), clean(result.stderr).splitlines()
    if command.form == "json":
        document = {"exit": result.exit_code, "stderr": said, "stdout": parsed(out)}
        return json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    mark = "-- " if command.form == "sql" else ""
    head = [f"exit: {result.exit_code}", *(f"stderr: {line}" for line in said)]
    return "".join(f"{mark}{line}\n" for line in head) + "\n" + out


def parsed(text: str) -> Any:
    """A JSON document, or the lines of a log; SQL in it, and other long texts, line by line."""
    try:
        return by_lines(json.loads(text))
    except ValueError:
        lines = text.splitlines()
    try:
        return [by_lines(json.loads(line)) for line in lines]
    except ValueError:
        return lines


def by_lines(value: Any) -> Any:
    """The value with each text of several lines as a list of them, which makes a diff readable.

    A report holds the SQL of its audit, which a script holds too, piece by piece: of what is long
    only how many lines it has and their digest are kept.
    """
    if isinstance(value, dict):
        return {key: by_lines(each) for key, each in value.items()}
    if isinstance(value, list):
        return [by_lines(each) for each in value]
    if not isinstance(value, str) or "\n" not in value:
        return value
    lines = value.splitlines()
    if len(lines) <= MOST_LINES:
        return lines
    return f"{len(lines)} lines, sha256 {hashlib.sha256(value.encode()).hexdigest()}"


def rows(query: str) -> str:
    """The columns with their types, and the rows, of a query on the case's database."""
    with duckdb.connect(DATABASE) as connection:
        try:
            answer = connection.execute(query)
        except (duckdb.CatalogException, duckdb.IOException) as error:
            return f"{type(error).__name__}\n"
        # The names of types are DuckDB's own, and the same in both versions.
        columns = ", ".join(f"{column[0]} {column[1]}" for column in answer.description or ())
        lines = ["\t".join(map(str, line)) for line in answer.fetchall()]
    return "\n".join([columns, *lines]) + "\n"
