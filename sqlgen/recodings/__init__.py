"""Recodings: ways to make a table safe: levels per column, levels per class, or groups.

Called by ``planning`` for a decision, and by ``releasing`` for the SQL that builds the release. The
protocols are in ``recoding.py``; ``RECODINGS`` has all recodings by name.
"""

from sqlgen.recodings.anatomy import Anatomy, GroupSize
from sqlgen.recodings.blocked import BlockedColumn
from sqlgen.recodings.full_domain import FullDomain
from sqlgen.recodings.local import Local
from sqlgen.recodings.microaggregation import Microaggregation
from sqlgen.recodings.mondrian import Mondrian
from sqlgen.recodings.recoding import (
    Alikeness,
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
    Anatomy.name: Anatomy(),
    Microaggregation.name: Microaggregation(),
}

__all__ = [
    "RECODINGS",
    "Alikeness",
    "Anatomy",
    "BlockedColumn",
    "BuildInputs",
    "Choice",
    "ChoiceTotals",
    "Decision",
    "FullDomain",
    "GroupSize",
    "LabelTable",
    "Local",
    "Microaggregation",
    "Mondrian",
    "Recoding",
    "RegionDecision",
    "RegionRecoding",
]
