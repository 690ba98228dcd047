"""Recodings: ways to generalize a table; full-domain generalization is the only one today.

Called by ``planning`` for a decision, and by ``releasing`` for the SQL that builds the release. The
protocols are in ``recoding.py``; ``RECODINGS`` has all recodings by name.
"""

from sqlgen.recodings.full_domain import FullDomain
from sqlgen.recodings.recoding import BuildInputs, Decision, LabelTable, Recoding

RECODINGS: dict[str, Recoding] = {FullDomain.name: FullDomain()}

__all__ = ["RECODINGS", "BuildInputs", "Decision", "FullDomain", "LabelTable", "Recoding"]
