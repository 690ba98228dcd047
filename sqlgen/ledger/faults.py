"""Faults of entries in the ledger, by which it can be seen that another program wrote them."""

from sqlgen.errors import RefusedError
from sqlgen.ledger.ledger import Entry
from sqlgen.ledger.schema import UNTIMED, unread
from sqlgen.policy.places import FILE_KINDS, KINDS
from sqlgen.policy.yaml_text import unsaid
from sqlgen.sql.names import parse_name


def name_fault(entry: Entry) -> str:
    """The reason why a release cannot be looked for by its name in the ledger; empty if it can."""
    if entry.target_kind not in KINDS:
        return "the ledger does not say of what kind it is"
    is_named = bool(entry.target) if entry.target_kind in FILE_KINDS else _is_name(entry.target)
    if not is_named or unsaid(entry.target + entry.place + entry.folder):
        return "the ledger does not say what it is called"
    if entry.target_kind not in FILE_KINDS and not _is_name(entry.stands_at):
        return "the ledger does not say what it is called"
    return ""


def fault_of(entry: Entry) -> str:
    """The reason why a release cannot be read by the levels of its entry; empty if it can."""
    if fault := entry_fault(entry):
        return fault
    if entry.levels is None and not entry.column_levels:
        return several_levels(entry.recoding)
    return ""


def entry_fault(entry: Entry) -> str:
    """The reason why an entry of the ledger does not say what a release is; empty if it does."""
    if fault := name_fault(entry):
        return fault
    if entry.source and (unsaid(entry.source) or not _is_name(entry.source)):
        return "the ledger does not say what it was made from"
    levels = [level for ends in entry.column_levels.values() for level in ends]
    if any(level < 0 for level in (*levels, *entry.sensitive_levels.values())):
        return "the ledger does not say at which levels it is"
    if any(guarantee.guarantee is None for guarantee in entry.guarantees):
        return "the ledger does not say what it was made to give"
    return UNTIMED if is_window_missing(entry) else ""


def several_levels(recoding: str) -> str:
    """The reason why a release is not read together with others by the level of each column."""
    return (
        f"its recoding, {recoding or 'unnamed'}, gives a column more than one level, and "
        "releases are read by the level of each column"
    )


def is_window_missing(entry: Entry) -> bool:
    """Whether an entry says that its release has new rows alone, but not from which time."""
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
    """Refuse an entry that has a fault."""
    if fault := fault_of(entry):
        raise unread(entry.release_id, fault)


def check_record(entry: Entry) -> None:
    """Refuse an entry that does not say what its release is, whatever its recoding."""
    if fault := entry_fault(entry):
        raise unread(entry.release_id, fault)
