"""The command line: arguments, printing and exit codes; nothing else.

Each command imports what it needs when it runs, so that ``--help`` answers at once.
"""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sqlgen.cli.releases import apply, history, run, scrub, show, sql
from sqlgen.cli.reports import report
from sqlgen.cli.terminal import (
    Commands,
    declared_policy,
    end,
    json_option,
    level_ranges,
    policy_argument,
    print_out,
    progressing,
    reported_errors,
    say,
    split_names,
    varied_values,
    warn,
)

if TYPE_CHECKING:
    from sqlgen.planning.session import SearchLimits

_values_option = click.option(
    "--show-values", is_flag=True, help="Show cell values in error messages (off by default)."
)


_level_option = click.option(
    "--level",
    "levels",
    multiple=True,
    metavar="COLUMN=LEVEL",
    help="Keep a column at a level, or in a range of levels: zip=2, age=1-3.",
)
_nodes_option = click.option(
    "--nodes",
    type=click.IntRange(min=1),
    help="Stop after this many nodes, and print how far from the best the result can be.",
)
_seconds_option = click.option(
    "--seconds",
    type=click.FloatRange(min=0),
    help="Stop after this many seconds, and print how far from the best the result can be.",
)


def _limit_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options that limit a search, given to a command as its ``limits``."""

    @_level_option
    @_nodes_option
    @_seconds_option
    @wraps(command)
    def limited(
        levels: tuple[str, ...],
        nodes: int | None,
        seconds: float | None,
        **others: object,
    ) -> None:
        from sqlgen.planning.session import SearchLimits  # noqa: PLC0415

        command(limits=SearchLimits(level_ranges(levels), nodes, seconds), **others)

    return limited


@click.group(
    cls=Commands,
    commands=[sql, apply, run, scrub, history, show, report],
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
@click.option(
    "--sensitive", default="", help="Columns with values that must stay unknown, comma-separated."
)
@click.option("--k", type=click.IntRange(min=2), help="Fail where a class is smaller than this.")
@json_option
def check(
    database: Path, table: str, quasi: str, sensitive: str, k: int | None, as_json: bool
) -> None:
    """Count the unique rows of TABLE, and find the columns that make them unique."""
    with reported_errors(changes=False):
        from sqlgen.auditing.check import check_table  # noqa: PLC0415
        from sqlgen.cli.text.results import check_text  # noqa: PLC0415
        from sqlgen.cli.text.uniqueness import table_warnings  # noqa: PLC0415

        result = check_table(
            database, table, quasi=split_names(quasi), sensitive=split_names(sensitive), k=k
        )
        print_out(result.to_dict() if as_json else check_text(result))
        warn(table_warnings(result.uniqueness))
        end(result.satisfied)


@main.command()
@policy_argument
@_limit_options
@json_option
@_values_option
def plan(policy: Path, limits: "SearchLimits", as_json: bool, show_values: bool) -> None:
    """Find the combination of levels with the least loss; write it to POLICY's lock."""
    with reported_errors():
        from sqlgen.cli.text.results import plan_text  # noqa: PLC0415
        from sqlgen.cli.text.uniqueness import release_warnings  # noqa: PLC0415
        from sqlgen.planning.lock import check_lock_place, lock_path, write_lock  # noqa: PLC0415
        from sqlgen.planning.plan import make_plan  # noqa: PLC0415
        from sqlgen.sql.watch import Watch  # noqa: PLC0415

        declared = declared_policy(policy)
        check_lock_place(lock_path(policy))
        with progressing() as progress:
            watch = Watch(progress, show_values=show_values)
            result = make_plan(declared, limits=limits, watch=watch, find_empty=True)
        if result.satisfied:
            write_lock(result, lock_path(policy))
        print_out(result.to_dict() if as_json else plan_text(result))
        warn(release_warnings(result.uniqueness))
        if result.satisfied:
            say(f"Wrote {lock_path(policy).name}.")
        end(result.satisfied)


@main.command()
@policy_argument
@_limit_options
@json_option
def minimal(policy: Path, limits: "SearchLimits", as_json: bool) -> None:
    """List every minimal combination of levels: it meets the policy, and no finer one does."""
    with reported_errors(changes=False):
        from sqlgen.cli.text.search import minimal_text  # noqa: PLC0415
        from sqlgen.planning.minimal import minimal_nodes  # noqa: PLC0415
        from sqlgen.sql.watch import Watch  # noqa: PLC0415

        declared = declared_policy(policy)
        with progressing() as progress:
            result = minimal_nodes(declared, limits=limits, watch=Watch(progress))
        print_out(result.to_dict() if as_json else minimal_text(result))
        end(result.satisfied)


@main.command()
@policy_argument
@click.option("--vary", metavar="NAME=VALUES", help="What to vary: k=2,5,10. By default k, l or t.")
@click.option(
    "--recoding",
    default="",
    metavar="NAMES",
    help="Compare recodings: full_domain,local,mondrian,anatomy,microaggregation. "
    "By default the policy's own.",
)
@_limit_options
@click.option("--csv", "as_csv", is_flag=True, help="Print lines of CSV.")
@json_option
def frontier(
    policy: Path,
    vary: str | None,
    recoding: str,
    limits: "SearchLimits",
    as_csv: bool,
    as_json: bool,
) -> None:
    """Find the least loss at each threshold, by one recoding or several."""
    varied = varied_values(vary)
    with reported_errors(changes=False):
        from sqlgen.cli.text.search import frontier_text  # noqa: PLC0415
        from sqlgen.planning.frontier import make_frontier  # noqa: PLC0415
        from sqlgen.sql.watch import Watch  # noqa: PLC0415

        declared = declared_policy(policy)
        with progressing() as progress:
            result = make_frontier(
                declared,
                vary=varied,
                recodings=split_names(recoding),
                limits=limits,
                watch=Watch(progress),
            )
        text = result.to_csv().rstrip() if as_csv else frontier_text(result)
        print_out(result.to_dict() if as_json else text)
        end(result.satisfied)


@main.command()
@policy_argument
@_level_option
@json_option
def explain(policy: Path, levels: tuple[str, ...], as_json: bool) -> None:
    """Explain why the plan is what it is, and what would change it."""
    held = level_ranges(levels)
    with reported_errors(changes=False):
        from sqlgen.cli.text.search import explain_text  # noqa: PLC0415
        from sqlgen.planning.explain import explain_plan  # noqa: PLC0415
        from sqlgen.sql.watch import Watch  # noqa: PLC0415

        declared = declared_policy(policy)
        with progressing() as progress:
            result = explain_plan(declared, levels=held, watch=Watch(progress))
        print_out(result.to_dict() if as_json else explain_text(result))
        end(result.satisfied)


@main.command()
@policy_argument
@click.option("--table", help="A table or view to measure in place of the policy's release.")
@click.option(
    "--known", help="A table of known persons; count how many an attacker could link to rows."
)
@click.option(
    "--above", default="20%", show_default=True, help="Count links of a higher confidence only."
)
@click.option(
    "--with-history",
    is_flag=True,
    help="Read it together with every release that is still published.",
)
@json_option
def audit(
    policy: Path,
    table: str | None,
    known: str | None,
    above: str,
    with_history: bool,
    as_json: bool,
) -> None:
    """Measure the release, or any TABLE made by any tool, against the policy."""
    with reported_errors(changes=False):
        from sqlgen.auditing.audit import KnownPersons, audit_table  # noqa: PLC0415
        from sqlgen.cli.text.history import joint_text  # noqa: PLC0415
        from sqlgen.cli.text.results import audit_text  # noqa: PLC0415
        from sqlgen.cli.text.uniqueness import release_warnings  # noqa: PLC0415
        from sqlgen.history.published import audit_history  # noqa: PLC0415

        declared = declared_policy(policy)
        persons = KnownPersons(known, above) if known is not None else None
        result = audit_table(declared, table, known=persons)
        joint = audit_history(declared, table=table) if with_history else None
        if as_json:
            more = {"joint": joint.to_dict()} if joint is not None else {}
            print_out({**result.to_dict(), **more})
        else:
            print_out(audit_text(result))
            if joint is not None:
                print_out(joint_text(joint))
        warn(release_warnings(result.uniqueness))
        end(result.satisfied and not (joint is not None and joint.blocks))


@main.command()
@click.argument("family", required=False)
def schema(family: str | None) -> None:
    """Print the JSON Schema of the policy file; or the page of a FAMILY of guarantees.

    Families: identity, diversity, closeness, likeness, belief, presence, attacks.
    """
    if family is not None:
        from sqlgen.cli.text.guarantees import family_text  # noqa: PLC0415
        from sqlgen.guarantees import FAMILIES  # noqa: PLC0415

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
