"""Evidence: what is known of a release, gathered for somebody who has to answer for it."""

from sqlgen.evidence.gather import read_evidence
from sqlgen.evidence.values import Attack, ColumnLost, Evidence, Promise, Shown

__all__ = ["Attack", "ColumnLost", "Evidence", "Promise", "Shown", "read_evidence"]
