"""What people read of a ledger: a line per release, or all that is known of one."""

from collections.abc import Sequence

from sqlgen.aligned import aligned, classes_words, rows_words
from sqlgen.ledger import Entry
from sqlgen.models.guarantee import shown


def history_text(entries: Sequence[Entry]) -> str:
    """The releases, the last one first."""
    if not entries:
        return "No release is in the ledger."
    rows = [("release", "at (UTC)", "policy", "to", "rows", "suppressed", "levels")]
    rows += [
        (
            str(each.release_id),
            each.released_at,
            each.policy,
            _target(each),
            f"{each.released_rows:,}",
            f"{each.suppressed_rows:,}",
            " ".join(f"{column}={level}" for column, level in each.levels.items()),
        )
        for each in entries
    ]
    return "\n".join(line.removeprefix("  ") for line in aligned(rows))


def entry_text(entry: Entry) -> str:
    """All that the ledger knows of a release."""
    rows = [("guarantee", "required", "measured")]
    rows += [(about, required, shown(measured)) for about, required, measured in entry.guarantees]
    levels = " ".join(f"{column}={level}" for column, level in entry.levels.items())
    return "\n".join(
        [
            f"Release {entry.release_id}, {entry.released_at}: {entry.released_rows:,} of "
            f"{rows_words(entry.source_rows)} in {classes_words(entry.classes)}, "
            f"{_target(entry)}; {rows_words(entry.suppressed_rows)} suppressed, "
            f"{rows_words(entry.withheld_rows)} without sensitive values.",
            *aligned(rows),
            *aligned(
                [
                    ("of", "what", "fingerprint"),
                    ("policy", entry.policy, entry.policy_fingerprint),
                    ("lock", levels, entry.lock_fingerprint),
                    ("source", entry.source or "a query", entry.source_fingerprint),
                ]
            ),
            f"By sqlgen {entry.sqlgen_version} on DuckDB {entry.engine_version.lstrip('v')}.",
        ]
    )


def _target(entry: Entry) -> str:
    if entry.target_kind == "in_place":
        return f"in place of {entry.target}"
    return f"{entry.target_kind} {entry.target}"
