"""Recodings: ways to make a release from a table; today full-domain generalization.

Called by ``planning`` for a decision and by ``releasing`` for the statements that build it.
"""

from sqlgen.recodings.full_domain import FullDomain
from sqlgen.recodings.recoding import BuildInputs, Decision, LabelTable, Recoding

RECODINGS: dict[str, Recoding] = {FullDomain.name: FullDomain()}

__all__ = ["RECODINGS", "BuildInputs", "Decision", "FullDomain", "LabelTable", "Recoding"]
