"""Recodings: ways to generalize a table: one level per column, or levels of its own per class.

Called by ``planning`` for a decision, and by ``releasing`` for the SQL that builds the release. The
protocols are in ``recoding.py``; ``RECODINGS`` has all recodings by name.
"""

from sqlgen.recodings.blocked import BlockedColumn
from sqlgen.recodings.full_domain import FullDomain
from sqlgen.recodings.local import Local
from sqlgen.recodings.mondrian import Mondrian
from sqlgen.recodings.recoding import (
    BuildInputs,
    Choice,
    ChoiceTotals,
    Decision,
    LabelTable,
    Recoding,
)
from sqlgen.recodings.region_decision import RegionDecision
from sqlgen.recodings.region_recoding import RegionRecoding

RECODINGS: dict[str, Recoding] = {
    FullDomain.name: FullDomain(),
    Local.name: Local(),
    Mondrian.name: Mondrian(),
}

__all__ = [
    "RECODINGS",
    "BlockedColumn",
    "BuildInputs",
    "Choice",
    "ChoiceTotals",
    "Decision",
    "FullDomain",
    "LabelTable",
    "Local",
    "Mondrian",
    "Recoding",
    "RegionDecision",
    "RegionRecoding",
]
