"""Remains: where the originals of a release still are, and what the release does not hide."""

from collections.abc import Sequence

from sqlgen.ledger.ledger import Entry
from sqlgen.policy import Policy, Role
from sqlgen.reports.model import target_of
from sqlgen.wording import counted

_COPIES = (
    "Backups, snapshots, replicas and copies of the database, and every copy of a release that "
    "somebody has taken, are out of the reach of sqlgen."
)


def remains_of(policy: Policy, entry: Entry, others: Sequence[Entry]) -> tuple[str, ...]:
    """Where values that the release does not show can still be read, and what it never hid."""
    return (
        *_originals(entry),
        *_replaced(entry, others),
        _COPIES,
        *_shown(policy),
        "The ledger holds names, counts and fingerprints, and no value of any table"
        + ("." if entry.source else ", but those that the query of the policy names."),
        "The release does not hide that somebody is in it.",
    )


def _originals(entry: Entry) -> list[str]:
    source = entry.source or "what the query of the policy reads"
    if entry.target_kind == "in_place":
        return [
            "The release took the place of its source. The database keeps replaced rows in free "
            "blocks of its file and in its log until sqlgen scrub has rewritten the file. The "
            "ledger does not record whether that was done: without it, the originals can be "
            "recovered from the file."
        ]
    if entry.target_kind == "view":
        return [
            f"The release is a view over {source}. Whoever can open the database reads the "
            "source, and the lookup tables beside the view hold the values of the source. Give "
            "away what the view shows, not the database."
        ]
    where = (
        "The release is a table in the database of its source. Give away the table, not the "
        "database file"
        if entry.target_kind == "table"
        else "The release is outside of the database, in files of its own. The source stays in it"
    )
    suppressed = (
        f", with the {entry.suppressed_rows:,} rows that were suppressed"
        if entry.suppressed_rows
        else ""
    )
    return [f"{where}: whoever can open the database reads {source} as it is{suppressed}."]


def _replaced(entry: Entry, others: Sequence[Entry]) -> list[str]:
    """The remains of releases that this one, or a later one, replaced."""
    same = [
        other
        for other in others
        if (other.target_kind, other.target, other.place)
        == (entry.target_kind, entry.target, entry.place)
    ]
    if not same or entry.target_kind == "in_place":
        return []
    return [
        f"The ledger knows of {counted(len(same), 'other release')} under the name "
        f"{target_of(entry)}: "
        f"{'release' if len(same) == 1 else 'releases'} "
        f"{', '.join(str(release.release_id) for release in same)}. Rows that were replaced can "
        "stay in free blocks of the file, and with whoever has read them."
    ]


def _shown(policy: Policy) -> list[str]:
    """The columns that are released as they are."""
    others = [name for name, declared in policy.columns.items() if declared.role is Role.OTHER]
    whole = [name for name in policy.sensitive if not policy.level(name)]
    lines = []
    if whole:
        are = "is" if len(whole) == 1 else "are"
        lines.append(
            f"{', '.join(whole)} {are} sensitive and shown unchanged. The guarantees limit how "
            "much a class reveals about the values; see the attacks."
        )
    if others:
        lines.append(
            f"Released unchanged, and no guarantee looks at them: {', '.join(others)}. None of "
            "these columns may identify somebody."
        )
    return lines
