"""The commands that publish, and those about what was published; arguments and exit codes."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sqlgen.cli.terminal import (
    confirm,
    declared_policy,
    end,
    json_option,
    logged,
    policy_argument,
    print_out,
    progressing,
    reported_errors,
    say,
    warn,
)
from sqlgen.errors import NothingNewError, PolicyError

if TYPE_CHECKING:
    from sqlgen.planning.plan import Plan

_replace_option = click.option(
    "--replace", is_flag=True, help="Replace the table or file that has the release's name."
)
_in_place_option = click.option(
    "--in-place", is_flag=True, help="Let the source table itself become the release."
)
_yes_option = click.option("--yes", is_flag=True, help="Do not ask before originals are replaced.")


@click.command()
@policy_argument
@_replace_option
@_in_place_option
def sql(policy: Path, replace: bool, in_place: bool) -> None:
    """Print the statements that apply would run, in order; run none of them."""
    with reported_errors(changes=False):
        from sqlgen.cli.text.results import plan_text, script_text  # noqa: PLC0415
        from sqlgen.releasing.apply import apply_sql  # noqa: PLC0415

        plan = _locked_or_new(policy, in_place)
        if not plan.satisfied:
            say(plan_text(plan))
            end(False)
        print_out(script_text(apply_sql(plan, replace=replace)))


@click.command()
@policy_argument
@_replace_option
@_in_place_option
@click.option(
    "--scrub", is_flag=True, help="Rewrite the database file, so that no original is left in it."
)
@_yes_option
@json_option
def apply(
    policy: Path, replace: bool, in_place: bool, scrub: bool, yes: bool, as_json: bool
) -> None:
    """Build the release, measure it, and publish it; or change nothing."""
    with reported_errors():
        from sqlgen.cli.text.results import plan_text, release_text  # noqa: PLC0415
        from sqlgen.cli.text.uniqueness import release_warnings  # noqa: PLC0415
        from sqlgen.releasing.apply import apply_plan  # noqa: PLC0415
        from sqlgen.sql.watch import Watch  # noqa: PLC0415

        try:
            plan = _locked_or_new(policy, in_place)
        except NothingNewError as idle:
            _end_idle(idle, as_json)
            return
        if not plan.satisfied:
            print_out(plan.to_dict() if as_json else plan_text(plan))
            end(False)
        place = plan.policy.in_place
        if place is not None and not yes:
            confirm(
                f"{plan.policy.source.table} becomes its own release: {plan.suppressed_rows:,} of "
                f"{plan.rows:,} rows are deleted, and every original value that is not released"
            )
        how = ((place.scrub if place is not None else None) or "unlink") if scrub else None
        try:
            with progressing() as progress:
                release = apply_plan(plan, replace=replace, scrub=how, watch=Watch(progress))
        except NothingNewError as idle:
            _end_idle(idle, as_json)
            return
        print_out(release.to_dict() if as_json else release_text(release))
        warn(release_warnings(release.uniqueness))
        if release.rows != plan.rows:
            say(f"The plan was made for {plan.rows:,} rows; there are {release.rows:,} now.")
        end(release.satisfied and (release.scrub is None or release.scrub.satisfied))


@click.command()
@policy_argument
@click.option(
    "--log",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="The form of the log, a line per step.",
)
@_yes_option
def run(policy: Path, log: str, yes: bool) -> None:
    """Release POLICY's table as its lock says, as a scheduler would: safe to run again."""
    with reported_errors(), logged(log) as (run_id, on_statement):
        from sqlgen.cli.text.uniqueness import release_warnings  # noqa: PLC0415
        from sqlgen.releasing.run import run_policy  # noqa: PLC0415

        declared = declared_policy(policy)
        if declared.in_place is not None and not yes:
            confirm(f"{declared.source.table} becomes its own release")
        result = run_policy(declared, run_id=run_id, on_step=on_statement)
        warn(release_warnings(result.uniqueness))
        if result.release is not None and result.release.joint_warning:
            say(result.release.joint_warning)
        if result.hindrance:
            say(f"sqlgen: {result.hindrance}")
        end(result.satisfied)


@click.command()
@policy_argument
@click.option("--overwrite", is_flag=True, help="Write over the old file before it is unlinked.")
@_yes_option
@json_option
def scrub(policy: Path, overwrite: bool, yes: bool, as_json: bool) -> None:
    """Rewrite the database file of POLICY without the originals that were replaced."""
    with reported_errors():
        from sqlgen.cli.text.results import scrub_text  # noqa: PLC0415
        from sqlgen.releasing.scrub import scrub_database  # noqa: PLC0415

        declared = declared_policy(policy)
        if not yes:
            confirm("The whole database is written anew, and its old file goes")
        result = scrub_database(declared, how="overwrite" if overwrite else "unlink")
        print_out(result.to_dict() if as_json else scrub_text(result))


@click.command()
@policy_argument
@json_option
def history(policy: Path, as_json: bool) -> None:
    """List the releases in the ledger of POLICY's database, the last one first."""
    with reported_errors(changes=False):
        from sqlgen.cli.text.history import history_text  # noqa: PLC0415
        from sqlgen.ledger.ledger import read_history  # noqa: PLC0415

        entries = read_history(declared_policy(policy))
        listed = {"releases": [entry.to_dict() for entry in entries]}
        print_out(listed if as_json else history_text(entries))


@click.command()
@policy_argument
@click.argument("number", type=click.IntRange(min=1))
@json_option
def show(policy: Path, number: int, as_json: bool) -> None:
    """Print the entry of release NUMBER in the ledger of POLICY's database."""
    with reported_errors(changes=False):
        from sqlgen.cli.text.history import entry_text  # noqa: PLC0415
        from sqlgen.ledger.ledger import read_history  # noqa: PLC0415

        entries = [
            entry for entry in read_history(declared_policy(policy)) if entry.release_id == number
        ]
        if not entries:
            raise PolicyError(f"the ledger has no release {number}; sqlgen history lists them")
        print_out(entries[0].to_dict() if as_json else entry_text(entries[0]))


def _end_idle(idle: NothingNewError, as_json: bool) -> None:
    """Say that there is nothing to release, which is no failure."""
    say(f"sqlgen: {idle}")
    if as_json:
        print_out({"satisfied": True, "release": None})


def _locked_or_new(path: Path, in_place: bool) -> "Plan":
    """The plan in the policy's lock or, where there is no lock, one made now."""
    from sqlgen.planning.lock import check_lock_place, lock_path, read_lock  # noqa: PLC0415
    from sqlgen.planning.plan import make_plan  # noqa: PLC0415
    from sqlgen.sql.watch import Watch  # noqa: PLC0415

    declared = declared_policy(path)
    if in_place:
        declared = declared.released_in_place()
    lock = lock_path(path)
    # A link that leads nowhere is no absent lock, and to read a pipe would wait for a writer.
    check_lock_place(lock)
    if lock.exists():
        plan = read_lock(lock, declared)
        say(f"Using {lock.name}.")
        return plan
    with progressing() as progress:
        return make_plan(declared, watch=Watch(progress))
