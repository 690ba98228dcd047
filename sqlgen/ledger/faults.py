"""What a ledger says of a release that cannot be: somebody wrote it who is not sqlgen."""

from sqlgen.errors import RefusedError
from sqlgen.ledger.ledger import Entry
from sqlgen.ledger.schema import UNTIMED, unread
from sqlgen.policy.places import KINDS
from sqlgen.policy.yaml_text import unsaid
from sqlgen.sql.names import parse_name

_FILES = ("csv", "parquet")


def name_fault(entry: Entry) -> str:
    """Why what the ledger calls a release is nothing to look for; empty where it is."""
    if entry.target_kind not in KINDS:
        return "the ledger does not say of what kind it is"
    is_named = bool(entry.target) if entry.target_kind in _FILES else _is_name(entry.target)
    if not is_named or unsaid(entry.target + entry.place + entry.folder):
        return "the ledger does not say what it is called"
    if entry.target_kind not in _FILES and not _is_name(entry.stands_at):
        return "the ledger does not say what it is called"
    return ""


def fault_of(entry: Entry) -> str:
    """Why what the ledger says of a release cannot be read; empty where it can."""
    if fault := name_fault(entry):
        return fault
    if entry.source and (unsaid(entry.source) or not _is_name(entry.source)):
        return "the ledger does not say what it was made from"
    if entry.levels is None:
        return (
            f"its recoding, {entry.recoding or 'unnamed'}, gives a column more than one level, and "
            "releases are read by the level of each column"
        )
    levels = (*entry.levels.values(), *entry.sensitive_levels.values())
    if any(level < 0 for level in levels):
        return "the ledger does not say at which levels it is"
    if any(guarantee.guarantee is None for guarantee in entry.guarantees):
        return "the ledger does not say what it was made to give"
    return UNTIMED if window_untold(entry) else ""


def window_untold(entry: Entry) -> bool:
    """Whether a release has new rows alone, and nobody knows which."""
    try:
        _ = entry.window
    except RefusedError:
        return True
    return False


def _is_name(text: str) -> bool:
    try:
        parse_name(text)
    except ValueError:
        return False
    return True


def check_entry(entry: Entry) -> None:
    """Refuse a release of which the ledger does not say what it is."""
    if fault := fault_of(entry):
        raise unread(entry.release_id, fault)
