"""The command line: arguments, printing and exit codes; nothing else.

Each command imports what it needs when it runs, so that ``--help`` answers at once.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sqlgen.errors import PolicyError
from sqlgen.reporting import report
from sqlgen.terminal import (
    confirm,
    end,
    level_ranges,
    logged,
    print_out,
    progressing,
    say,
    split_names,
    told,
    varied_values,
)

if TYPE_CHECKING:
    from sqlgen.plan import Plan
    from sqlgen.policy import Policy

_policy_argument = click.argument("policy", type=click.Path(dir_okay=False, path_type=Path))
_json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
_replace_option = click.option(
    "--replace", is_flag=True, help="Let the release take the place of what has its name."
)
_in_place_option = click.option(
    "--in-place", is_flag=True, help="Let the source table itself become the release."
)
_yes_option = click.option("--yes", is_flag=True, help="Do not ask before originals are replaced.")
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
    commands=[report],
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
    with told():
        from sqlgen.check import check_table  # noqa: PLC0415
        from sqlgen.report import check_text  # noqa: PLC0415

        found = check_table(
            database, table, quasi=split_names(quasi), sensitive=split_names(sensitive), k=k
        )
        print_out(found.to_dict() if as_json else check_text(found))
        end(found.satisfied)


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
    held = level_ranges(levels)
    with told():
        from sqlgen.lock import lock_path, write_lock  # noqa: PLC0415
        from sqlgen.plan import make_plan  # noqa: PLC0415
        from sqlgen.report import plan_text  # noqa: PLC0415

        declared = _policy(policy)
        with progressing() as progress:
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
        print_out(made.to_dict() if as_json else plan_text(made))
        if made.satisfied:
            say(f"Wrote {lock_path(policy).name}.")
        end(made.satisfied)


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
    held = level_ranges(levels)
    with told():
        from sqlgen.minimal import minimal_nodes  # noqa: PLC0415
        from sqlgen.searched import minimal_text  # noqa: PLC0415

        declared = _policy(policy)
        with progressing() as progress:
            found = minimal_nodes(
                declared, levels=held, most_nodes=nodes, most_seconds=seconds, progress=progress
            )
        print_out(found.to_dict() if as_json else minimal_text(found))
        end(found.satisfied)


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
    held = level_ranges(levels)
    varied = varied_values(vary)
    with told():
        from sqlgen.frontier import make_frontier  # noqa: PLC0415
        from sqlgen.searched import frontier_text  # noqa: PLC0415

        declared = _policy(policy)
        with progressing() as progress:
            found = make_frontier(
                declared,
                vary=varied,
                levels=held,
                most_nodes=nodes,
                most_seconds=seconds,
                progress=progress,
            )
        text = found.to_csv().rstrip() if as_csv else frontier_text(found)
        print_out(found.to_dict() if as_json else text)
        end(found.satisfied)


@main.command()
@_policy_argument
@_level_option
@_json_option
def explain(policy: Path, levels: tuple[str, ...], as_json: bool) -> None:
    """Tell why the plan is what it is, and what would change it."""
    held = level_ranges(levels)
    with told():
        from sqlgen.explain import explain_plan  # noqa: PLC0415
        from sqlgen.searched import explain_text  # noqa: PLC0415

        declared = _policy(policy)
        with progressing() as progress:
            found = explain_plan(declared, levels=held, progress=progress)
        print_out(found.to_dict() if as_json else explain_text(found))
        end(found.satisfied)


@main.command()
@_policy_argument
@_replace_option
@_in_place_option
def sql(policy: Path, replace: bool, in_place: bool) -> None:
    """Print the statements that apply would run, in order; run none of them."""
    with told():
        from sqlgen.apply import apply_sql  # noqa: PLC0415
        from sqlgen.report import plan_text, script_text  # noqa: PLC0415

        made = _locked_or_new(policy, in_place)
        if not made.satisfied:
            say(plan_text(made))
            end(False)
        print_out(script_text(apply_sql(made, replace=replace)))


@main.command()
@_policy_argument
@_replace_option
@_in_place_option
@click.option("--scrub", is_flag=True, help="Rewrite the database, so that no original is left.")
@_yes_option
@_json_option
def apply(
    policy: Path, replace: bool, in_place: bool, scrub: bool, yes: bool, as_json: bool
) -> None:
    """Build the release, measure it, and publish it; or change nothing."""
    with told():
        from sqlgen.apply import apply_plan  # noqa: PLC0415
        from sqlgen.report import plan_text, release_text  # noqa: PLC0415

        made = _locked_or_new(policy, in_place)
        if not made.satisfied:
            print_out(made.to_dict() if as_json else plan_text(made))
            end(False)
        place = made.policy.in_place
        if place is not None and not yes:
            confirm(
                f"{made.policy.source.table} becomes its own release: {made.suppressed_rows:,} of "
                f"{made.rows:,} rows go, and every original value that is not released"
            )
        how = ((place.scrub if place is not None else None) or "unlink") if scrub else None
        with progressing() as progress:
            release = apply_plan(made, replace=replace, scrub=how, progress=progress)
        print_out(release.to_dict() if as_json else release_text(release))
        if release.rows != made.rows:
            say(f"The plan was made for {made.rows:,} rows; there are {release.rows:,} now.")
        end(release.satisfied and (release.scrub is None or release.scrub.satisfied))


@main.command()
@_policy_argument
@click.option(
    "--log",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How each step is told: lines of text, or of JSON.",
)
@_yes_option
def run(policy: Path, log: str, yes: bool) -> None:
    """Release POLICY's table as its lock says, as a scheduler would: safe to run again."""
    with told(), logged(log) as (run_id, heard):
        from sqlgen.run import run_policy  # noqa: PLC0415

        declared = _policy(policy)
        if declared.in_place is not None and not yes:
            confirm(f"{declared.source.table} becomes its own release")
        made = run_policy(declared, run_id=run_id, heard=heard)
        end(made.satisfied)


@main.command()
@_policy_argument
@click.option("--overwrite", is_flag=True, help="Write over the old file before it is unlinked.")
@_yes_option
@_json_option
def scrub(policy: Path, overwrite: bool, yes: bool, as_json: bool) -> None:
    """Write the database of POLICY anew, without what was replaced in it."""
    with told():
        from sqlgen.report import scrub_text  # noqa: PLC0415
        from sqlgen.scrub import scrub_database  # noqa: PLC0415

        declared = _policy(policy)
        if not yes:
            confirm("The whole database is written anew, and its old file goes")
        made = scrub_database(declared, how="overwrite" if overwrite else "unlink")
        print_out(made.to_dict() if as_json else scrub_text(made))


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
    with told():
        from sqlgen.audit import audit_table  # noqa: PLC0415
        from sqlgen.report import audit_text  # noqa: PLC0415

        found = audit_table(_policy(policy), table, known=known, above=above)
        print_out(found.to_dict() if as_json else audit_text(found))
        end(found.satisfied)


@main.command()
@_policy_argument
@_json_option
def history(policy: Path, as_json: bool) -> None:
    """List the releases in the ledger of POLICY's database, the last one first."""
    with told():
        from sqlgen.history import history_text  # noqa: PLC0415
        from sqlgen.ledger import read_history  # noqa: PLC0415

        entries = read_history(_policy(policy))
        listed = {"releases": [each.to_dict() for each in entries]}
        print_out(listed if as_json else history_text(entries))


@main.command()
@_policy_argument
@click.argument("number", type=click.IntRange(min=1))
@_json_option
def show(policy: Path, number: int, as_json: bool) -> None:
    """Print what the ledger of POLICY's database knows of release NUMBER."""
    with told():
        from sqlgen.history import entry_text  # noqa: PLC0415
        from sqlgen.ledger import read_history  # noqa: PLC0415

        found = [each for each in read_history(_policy(policy)) if each.release_id == number]
        if not found:
            raise PolicyError(f"the ledger has no release {number}; sqlgen history lists them")
        print_out(found[0].to_dict() if as_json else entry_text(found[0]))


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
        print_out(family_text(family))
        return
    from sqlgen.policy import Policy  # noqa: PLC0415

    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **Policy.model_json_schema(),
    }
    print_out(document)


def _policy(path: Path) -> "Policy":
    from sqlgen.policy import read_policy  # noqa: PLC0415

    return read_policy(path)


def _locked_or_new(path: Path, in_place: bool) -> "Plan":
    """The plan in the policy's lock or, where there is no lock, one made now."""
    from sqlgen.lock import lock_path, read_lock  # noqa: PLC0415
    from sqlgen.plan import make_plan  # noqa: PLC0415

    declared = _policy(path)
    if in_place:
        declared = declared.released_in_place()
    lock = lock_path(path)
    if lock.exists():
        made = read_lock(lock, declared)
        say(f"Using {lock.name}.")
        return made
    with progressing() as progress:
        return make_plan(declared, progress=progress)
