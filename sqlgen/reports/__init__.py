"""Reports: everything known of one release, as JSON and as a page for whoever answers for it.

Called by the command line and by users of Python. It measures again and changes nothing. Start at
``read_evidence`` in ``evidence.py``.
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
