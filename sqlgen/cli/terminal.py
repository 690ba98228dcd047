"""The terminal: errors as messages and exit codes, progress, questions, and what options spell."""

import json
import os
import re
import signal
import sys
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sqlgen.errors import EngineError, RefusedError, SqlgenError

if TYPE_CHECKING:
    from sqlgen.policy import Policy

INTERRUPTED = 130

policy_argument = click.argument("policy", type=click.Path(dir_okay=False, path_type=Path))
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")


def declared_policy(path: Path) -> "Policy":
    """The policy in a file."""
    from sqlgen.policy import read_policy  # noqa: PLC0415

    return read_policy(path)


class Commands(click.Group):
    """The group of commands; each command refuses an option that is given twice.

    Click keeps the last one without a word: of two --quasi, the columns of the first would not be
    looked at.
    """

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is named, its arguments looked at once before it parses them."""
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None:
            _refuse_repeated(click.Context(command, info_name=name, parent=ctx), command, rest)
        return name, command, rest


def _refuse_repeated(context: click.Context, command: click.Command, given: list[str]) -> None:
    """Refuse an option with one value that is given twice."""
    # The parser takes from the list what it has read.
    _, _, order = command.make_parser(context).parse_args(list(given))
    for option in command.params:
        if not isinstance(option, click.Option) or option.multiple or option.is_flag:
            continue
        if order.count(option) > 1:
            raise click.UsageError(
                f"{option.opts[0]} is given {order.count(option)} times, and has one value. Write "
                "it once.",
                context,
            )


class OutputError(Exception):
    """Our own output cannot be written: a full disk, or a reader that has gone."""


@contextmanager
def _output() -> Iterator[None]:
    """Errors of stdout as ``OutputError``, apart from every other file that cannot be written."""
    try:
        yield
    except OSError as error:
        # The message may hold a path.
        raise OutputError(type(error).__name__) from None


@contextmanager
def reported_errors(*, changes: bool = True) -> Iterator[None]:
    """Errors as one message on stderr and an exit code, never as a traceback.

    A command that ``changes`` nothing, whatever happens, does not say so of what went wrong.
    """
    # SIGHUP is unknown to Windows.
    for ending in (signal.SIGTERM, getattr(signal, "SIGHUP", None)):
        if ending is not None:
            signal.signal(ending, signal.default_int_handler)
    try:
        yield
        if sys.stdout is not None:
            with _output():
                sys.stdout.flush()
    except SqlgenError as error:
        say(f"sqlgen: {error if changes else error.without_state}")
        code = error.exit_code
    except KeyboardInterrupt:
        say("sqlgen: interrupted. Nothing was changed." if changes else "sqlgen: interrupted.")
        code = INTERRUPTED
    except OutputError as error:
        # Closed as it is, it would be written to once more at the end.
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115
        say(f"sqlgen: the output could not be written ({error})")
        code = EngineError.exit_code
    except OSError as error:
        # Any other file: the message may hold its path.
        say(f"sqlgen: a file or folder could not be read or written ({type(error).__name__})")
        code = EngineError.exit_code
    except Exception as error:
        # A mistake of ours: its message could quote anything, and 1 would mean a verdict.
        say(f"sqlgen: internal error ({type(error).__name__}); please report it")
        code = EngineError.exit_code
    else:
        return
    raise SystemExit(code)


@contextmanager
def progressing() -> Iterator[Callable[[str], None]]:
    """A line on stderr that is written over, where stderr is a terminal; else nothing."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda _: None
        return

    def show(what: str) -> None:
        click.echo(f"\r\x1b[K{what}", nl=False, err=True)

    try:
        yield show
    finally:
        click.echo("\r\x1b[K", nl=False, err=True)


@contextmanager
def logged(form: str) -> Iterator[tuple[str, Callable[[str, Mapping[str, Any]], None]]]:
    """The id of a run, and its log: a callback that prints a line per step, text or JSON.

    The last line says how it ended, whatever ended it.
    """
    run_id = uuid.uuid4().hex
    begun = time.monotonic()

    def log(event: str, fields: Mapping[str, Any]) -> None:
        at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        if form == "json":
            entry = {"run": run_id, "at": at, "event": event, **fields}
            line = json.dumps(entry, ensure_ascii=False)
        else:
            words = " ".join(f"{key}={_words(value)}" for key, value in fields.items())
            line = f"{at} {run_id[:8]} {event} {words}".rstrip()
        with _output():
            click.echo(line)
            sys.stdout.flush()

    code, message = EngineError.exit_code, ""
    try:
        yield run_id, log
        code = 0
    except SystemExit as ending:
        code = int(ending.code or 0)
        raise
    except SqlgenError as error:
        code, message = error.exit_code, str(error)
        raise
    except KeyboardInterrupt:
        code, message = INTERRUPTED, "interrupted"
        raise
    finally:
        seconds = round(time.monotonic() - begun, 3)
        ended = {"exit_code": code, "seconds": seconds}
        log("ended", {**ended, "message": message} if message and form == "json" else ended)


def _words(value: Any) -> str:
    """A value of a log line, without a space in it."""
    if isinstance(value, Mapping):
        return ",".join(f"{key}:{item}" for key, item in value.items())
    return json.dumps(value, ensure_ascii=False) if " " in str(value) else str(value)


def print_out(content: str | dict[str, Any]) -> None:
    """A result on stdout; a mapping as one JSON document."""
    if isinstance(content, dict):
        content = json.dumps(content, indent=2, ensure_ascii=False)
    with _output():
        click.echo(content)


def say(message: str) -> None:
    """A message on stderr."""
    click.echo(message, err=True)


def warn(warnings: Iterable[str]) -> None:
    """Warnings on stderr, a line each, after the result has been printed."""
    for warning in warnings:
        say(warning)


def end(satisfied: bool) -> None:
    """The exit code of a verdict: 1 where a guarantee is not met."""
    if not satisfied:
        raise SystemExit(1)


def confirm(what: str) -> None:
    """Ask at the terminal whether to go on; refuse where there is no terminal to ask at."""
    if sys.stdin is None or not sys.stdin.isatty():
        raise RefusedError(f"{what}. Say --yes to go on without a terminal. Nothing was changed.")
    if not click.confirm(f"{what}. Go on?", err=True):
        raise RefusedError("not confirmed. Nothing was changed.")


def level_ranges(written: tuple[str, ...]) -> dict[str, tuple[int, int]]:
    """The ranges of levels that columns are held to, by name."""
    held = {}
    for option in written:
        match = re.fullmatch(r"(.+)=([0-9]{1,4})(?:-([0-9]{1,4}))?", option)
        if match is None or int(match[3] or match[2]) < int(match[2]):
            raise click.UsageError(f"--level: write zip=2, or age=1-3; found {option}")
        if match[1] in held:
            raise click.UsageError(f"--level is given twice for {match[1]}. Write it once.")
        held[match[1]] = (int(match[2]), int(match[3] or match[2]))
    return held


def varied_values(written: str | None) -> tuple[str, list[str]] | None:
    """The parameter that is varied and its values."""
    if written is None:
        return None
    match = re.fullmatch(r"([a-z_0-9]+)=([^,]+(?:,[^,]+)*)", written)
    if match is None:
        raise click.UsageError(f"--vary: write k=2,5,10; found {written}")
    return match[1], [part.strip() for part in match[2].split(",")]


def split_names(text: str) -> list[str]:
    """The column names of a comma-separated list; one with a comma stands in double quotes."""
    import csv  # noqa: PLC0415

    return [name for row in csv.reader([text], skipinitialspace=True) for name in row if name]
