"""The command line: arguments, printing and exit codes; nothing else.

Each command imports what it needs when it runs, so that ``--help`` answers at once.
"""

import json
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sqlgen.errors import EngineError, SqlgenError

if TYPE_CHECKING:
    from sqlgen.plan import Plan
    from sqlgen.policy import Policy

INTERRUPTED = 130

_policy_argument = click.argument("policy", type=click.Path(dir_okay=False, path_type=Path))
_json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
_replace_option = click.option(
    "--replace", is_flag=True, help="Let the release take the place of what has its name."
)
_values_option = click.option(
    "--show-values", is_flag=True, help="Let messages name values of the table."
)


_level_option = click.option(
    "--level",
    "levels",
    multiple=True,
    metavar="COLUMN=LEVEL",
    help="Hold a column to a level, or to a range: zip=2, age=1-3.",
)
_nodes_option = click.option(
    "--nodes", type=click.IntRange(min=1), help="Measure no more nodes than this; tell the gap."
)
_seconds_option = click.option(
    "--seconds",
    type=click.FloatRange(min=0),
    help="End the search so long after the start, staging included; tell the gap.",
)


@click.group(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 done; 1 the guarantee is not met; 2 usage or policy wrong; "
    "3 refused, something is in the way or has changed; 4 database error.",
)
@click.version_option(package_name="sqlgen-anonymizer", prog_name="sqlgen")
def main() -> None:
    """Anonymize tables about people inside the database that holds them."""


@main.command()
@click.argument("database", type=click.Path(dir_okay=False, path_type=Path))
@click.argument("table")
@click.option("--quasi", required=True, help="Columns that could be linked, comma-separated.")
@click.option("--sensitive", default="", help="Columns whose values must stay unknown.")
@click.option("--k", type=click.IntRange(min=2), help="Fail where a class is smaller than this.")
@_json_option
def check(
    database: Path, table: str, quasi: str, sensitive: str, k: int | None, as_json: bool
) -> None:
    """Count the unique rows of TABLE, and find the columns that make them so."""
    with _told():
        from sqlgen.check import check_table  # noqa: PLC0415
        from sqlgen.report import check_text  # noqa: PLC0415

        found = check_table(database, table, quasi=_names(quasi), sensitive=_names(sensitive), k=k)
        _print(found.to_dict() if as_json else check_text(found))
        _end(found.satisfied)


@main.command()
@_policy_argument
@_level_option
@_nodes_option
@_seconds_option
@_json_option
@_values_option
def plan(
    policy: Path,
    levels: tuple[str, ...],
    nodes: int | None,
    seconds: float | None,
    as_json: bool,
    show_values: bool,
) -> None:
    """Find the generalization that loses least; write it to POLICY's lock."""
    held = _levels(levels)
    with _told():
        from sqlgen.lock import lock_path, write_lock  # noqa: PLC0415
        from sqlgen.plan import make_plan  # noqa: PLC0415
        from sqlgen.report import plan_text  # noqa: PLC0415

        declared = _policy(policy)
        with _progress() as progress:
            made = make_plan(
                declared,
                levels=held,
                most_nodes=nodes,
                most_seconds=seconds,
                progress=progress,
                show_values=show_values,
            )
        if made.satisfied:
            write_lock(made, lock_path(policy))
        _print(made.to_dict() if as_json else plan_text(made))
        if made.satisfied:
            _say(f"Wrote {lock_path(policy).name}.")
        _end(made.satisfied)


@main.command()
@_policy_argument
@_level_option
@_nodes_option
@_seconds_option
@_json_option
def minimal(
    policy: Path, levels: tuple[str, ...], nodes: int | None, seconds: float | None, as_json: bool
) -> None:
    """Find every minimal node: it gives the guarantees, and no finer one does."""
    held = _levels(levels)
    with _told():
        from sqlgen.minimal import minimal_nodes  # noqa: PLC0415
        from sqlgen.searched import minimal_text  # noqa: PLC0415

        declared = _policy(policy)
        with _progress() as progress:
            found = minimal_nodes(
                declared, levels=held, most_nodes=nodes, most_seconds=seconds, progress=progress
            )
        _print(found.to_dict() if as_json else minimal_text(found))
        _end(found.satisfied)


@main.command()
@_policy_argument
@click.option("--vary", metavar="NAME=VALUES", help="What to vary: k=2,5,10. By default k, l or t.")
@_level_option
@_nodes_option
@_seconds_option
@click.option("--csv", "as_csv", is_flag=True, help="Print lines of CSV.")
@_json_option
def frontier(
    policy: Path,
    vary: str | None,
    levels: tuple[str, ...],
    nodes: int | None,
    seconds: float | None,
    as_csv: bool,
    as_json: bool,
) -> None:
    """Find what is lost at each of several thresholds, in one search."""
    held = _levels(levels)
    varied = _varied(vary)
    with _told():
        from sqlgen.frontier import make_frontier  # noqa: PLC0415
        from sqlgen.searched import frontier_text  # noqa: PLC0415

        declared = _policy(policy)
        with _progress() as progress:
            found = make_frontier(
                declared,
                vary=varied,
                levels=held,
                most_nodes=nodes,
                most_seconds=seconds,
                progress=progress,
            )
        text = found.to_csv().rstrip() if as_csv else frontier_text(found)
        _print(found.to_dict() if as_json else text)
        _end(found.satisfied)


@main.command()
@_policy_argument
@_level_option
@_json_option
def explain(policy: Path, levels: tuple[str, ...], as_json: bool) -> None:
    """Tell why the plan is what it is, and what would change it."""
    held = _levels(levels)
    with _told():
        from sqlgen.explain import explain_plan  # noqa: PLC0415
        from sqlgen.searched import explain_text  # noqa: PLC0415

        declared = _policy(policy)
        with _progress() as progress:
            found = explain_plan(declared, levels=held, progress=progress)
        _print(found.to_dict() if as_json else explain_text(found))
        _end(found.satisfied)


@main.command()
@_policy_argument
@_replace_option
def sql(policy: Path, replace: bool) -> None:
    """Print the statements that apply would run, in order; run none of them."""
    with _told():
        from sqlgen.apply import apply_sql  # noqa: PLC0415
        from sqlgen.report import plan_text, script_text  # noqa: PLC0415

        made = _locked_or_new(policy)
        if not made.satisfied:
            _say(plan_text(made))
            _end(False)
        _print(script_text(apply_sql(made, replace=replace)))


@main.command()
@_policy_argument
@_replace_option
@_json_option
def apply(policy: Path, replace: bool, as_json: bool) -> None:
    """Build the release, measure it, and publish it; or change nothing."""
    with _told():
        from sqlgen.apply import apply_plan  # noqa: PLC0415
        from sqlgen.report import plan_text, release_text  # noqa: PLC0415

        made = _locked_or_new(policy)
        if not made.satisfied:
            _print(made.to_dict() if as_json else plan_text(made))
            _end(False)
        with _progress() as progress:
            release = apply_plan(made, replace=replace, progress=progress)
        _print(release.to_dict() if as_json else release_text(release))
        if release.rows != made.rows:
            _say(f"The plan was made for {made.rows:,} rows; there are {release.rows:,} now.")
        _end(release.satisfied)


@main.command()
@_policy_argument
@click.option("--table", help="A table or view to measure in place of the policy's release.")
@click.option("--known", help="A table of persons whom an observer knows, to be linked.")
@click.option(
    "--above", default="20%", show_default=True, help="The confidence in a link that is too much."
)
@_json_option
def audit(policy: Path, table: str | None, known: str | None, above: str, as_json: bool) -> None:
    """Measure the release, or any TABLE made by any tool, against the policy."""
    with _told():
        from sqlgen.audit import audit_table  # noqa: PLC0415
        from sqlgen.report import audit_text  # noqa: PLC0415

        found = audit_table(_policy(policy), table, known=known, above=above)
        _print(found.to_dict() if as_json else audit_text(found))
        _end(found.satisfied)


@main.command()
@click.argument("family", required=False)
def schema(family: str | None) -> None:
    """Print the JSON Schema of the policy file; or the page of a FAMILY of guarantees.

    Families: identity, diversity, closeness, likeness, belief, presence, attacks.
    """
    if family is not None:
        from sqlgen.models import FAMILIES  # noqa: PLC0415
        from sqlgen.pages import family_text  # noqa: PLC0415

        if family not in FAMILIES:
            raise click.UsageError(f"there is no family {family}; they are {', '.join(FAMILIES)}")
        _print(family_text(family))
        return
    from sqlgen.policy import Policy  # noqa: PLC0415

    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **Policy.model_json_schema(),
    }
    _print(document)


def _policy(path: Path) -> "Policy":
    from sqlgen.policy import read_policy  # noqa: PLC0415

    return read_policy(path)


def _locked_or_new(path: Path) -> "Plan":
    """The plan in the policy's lock or, where there is no lock, one made now."""
    from sqlgen.lock import lock_path, read_lock  # noqa: PLC0415
    from sqlgen.plan import make_plan  # noqa: PLC0415

    declared = _policy(path)
    lock = lock_path(path)
    if lock.exists():
        made = read_lock(lock, declared)
        _say(f"Using {lock.name}.")
        return made
    with _progress() as progress:
        return make_plan(declared, progress=progress)


def _levels(written: tuple[str, ...]) -> dict[str, tuple[int, int]]:
    """The ranges of levels that columns are held to, by name."""
    held = {}
    for each in written:
        found = re.fullmatch(r"(.+)=([0-9]{1,4})(?:-([0-9]{1,4}))?", each)
        if found is None or int(found[3] or found[2]) < int(found[2]):
            raise click.UsageError(f"--level: write zip=2, or age=1-3; found {each}")
        held[found[1]] = (int(found[2]), int(found[3] or found[2]))
    return held


def _varied(written: str | None) -> tuple[str, list[str]] | None:
    """The parameter that is varied and its values."""
    if written is None:
        return None
    found = re.fullmatch(r"([a-z_0-9]+)=([^,]+(?:,[^,]+)*)", written)
    if found is None:
        raise click.UsageError(f"--vary: write k=2,5,10; found {written}")
    return found[1], [each.strip() for each in found[2].split(",")]


def _names(text: str) -> list[str]:
    """The column names of a comma-separated list; one with a comma stands in double quotes."""
    import csv  # noqa: PLC0415

    return [each for row in csv.reader([text], skipinitialspace=True) for each in row if each]


@contextmanager
def _told() -> Iterator[None]:
    """Errors as one message on stderr and an exit code, never as a traceback."""
    for ending in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(ending, signal.default_int_handler)
    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except SqlgenError as error:
        _say(f"sqlgen: {error}")
        code = error.exit_code
    except KeyboardInterrupt:
        _say("sqlgen: interrupted. Nothing was changed.")
        code = INTERRUPTED
    except OSError as error:
        # Our own output: a full disk or a reader that has gone. The message may hold a path.
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115
        _say(f"sqlgen: the output could not be written ({type(error).__name__})")
        code = EngineError.exit_code
    except Exception as error:
        # A mistake of ours: its message could quote anything, and 1 would mean a verdict.
        _say(f"sqlgen: internal error ({type(error).__name__}); please report it")
        code = EngineError.exit_code
    else:
        return
    raise SystemExit(code)


@contextmanager
def _progress() -> Iterator[Callable[[str], None]]:
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


def _print(content: str | dict[str, Any]) -> None:
    if isinstance(content, dict):
        content = json.dumps(content, indent=2, ensure_ascii=False)
    click.echo(content)


def _say(message: str) -> None:
    click.echo(message, err=True)


def _end(satisfied: bool) -> None:
    if not satisfied:
        raise SystemExit(1)
