"""The command that makes a page about a release."""

from pathlib import Path

import click

from sqlgen.cli.terminal import end, print_out, reported_errors, say, warn


@click.command()
@click.argument("policy", type=click.Path(dir_okay=False, path_type=Path))
@click.argument("number", type=click.IntRange(min=1), required=False)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file of the page; by default one beside POLICY.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def report(policy: Path, number: int | None, out: Path | None, as_json: bool) -> None:
    """Measure release NUMBER of the ledger again, and write a page about it.

    By default the last release to the target of POLICY. With --json a page is written to --out
    alone.
    """
    with reported_errors():
        from sqlgen.cli.text.uniqueness import release_warnings  # noqa: PLC0415
        from sqlgen.policy import read_policy  # noqa: PLC0415
        from sqlgen.reports import read_evidence  # noqa: PLC0415
        from sqlgen.reports.page import page_html, write_page  # noqa: PLC0415
        from sqlgen.reports.plots import check_plots  # noqa: PLC0415

        is_drawn = out is not None or not as_json
        if is_drawn:
            check_plots()
        evidence = read_evidence(read_policy(policy), number)
        if is_drawn:
            path = out or policy.with_suffix(f".release-{evidence.entry.release_id}.html")
            write_page(page_html(evidence), path)
            say(f"Wrote {path.name}.")
        if as_json:
            print_out(evidence.to_dict())
        warn(release_warnings(evidence.uniqueness))
        end(evidence.satisfied is not False)
