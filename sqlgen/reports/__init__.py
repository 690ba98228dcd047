"""Reports: what is known of a release, gathered and drawn for who has to answer for it.

Called by the command line and by users of Python; it measures again and changes nothing.
"""

from sqlgen.reports.evidence import read_evidence
from sqlgen.reports.model import Attack, ColumnLost, Evidence, MaskedStatement, ReportedGuarantee

__all__ = [
    "Attack",
    "ColumnLost",
    "Evidence",
    "MaskedStatement",
    "ReportedGuarantee",
    "read_evidence",
]
