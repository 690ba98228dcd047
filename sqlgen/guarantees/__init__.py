"""Guarantees: what a policy can ask of each class. One file per family, one class per guarantee.

Called by ``policy``, which reads them, and by ``judging``, which puts their SQL together. A new
guarantee joins the tuple at the end of its family's file; ``MODELS`` has all of them by name.
"""

from sqlgen.guarantees.attacks import (
    ATTACKS,
    BackgroundKnowledge,
    Concentration,
    Homogeneity,
    Linkage,
    Similarity,
    Skewness,
)
from sqlgen.guarantees.base import (
    CountRow,
    CountVerdict,
    Guarantee,
    GuaranteeTables,
    PeopleTable,
    TableReference,
)
from sqlgen.guarantees.belief import (
    BELIEF,
    Belief,
    BeliefBreach,
    NegativeDisclosure,
    PositiveDisclosure,
)
from sqlgen.guarantees.closeness import (
    CLOSENESS,
    DistanceGuarantee,
    NTCloseness,
    RatioCloseness,
    TCloseness,
)
from sqlgen.guarantees.diversity import (
    DIVERSITY,
    DistinctLDiversity,
    EntropyLDiversity,
    RecursiveLDiversity,
)
from sqlgen.guarantees.identity import IDENTITY, AlphaKAnonymity, KAnonymity
from sqlgen.guarantees.likeness import LIKENESS, BetaLikeness, DeltaDisclosure
from sqlgen.guarantees.presence import PRESENCE, DeltaPresence, KMap

FAMILIES: dict[str, tuple[type[Guarantee], ...]] = {
    "identity": IDENTITY,
    "diversity": DIVERSITY,
    "closeness": CLOSENESS,
    "likeness": LIKENESS,
    "belief": BELIEF,
    "presence": PRESENCE,
    "attacks": ATTACKS,
}
MODELS: dict[str, type[Guarantee]] = {
    model.name: model for family in FAMILIES.values() for model in family
}

__all__ = [
    "FAMILIES",
    "MODELS",
    "AlphaKAnonymity",
    "BackgroundKnowledge",
    "Belief",
    "BeliefBreach",
    "BetaLikeness",
    "Concentration",
    "CountRow",
    "CountVerdict",
    "DeltaDisclosure",
    "DeltaPresence",
    "DistanceGuarantee",
    "DistinctLDiversity",
    "EntropyLDiversity",
    "Guarantee",
    "GuaranteeTables",
    "Homogeneity",
    "KAnonymity",
    "KMap",
    "Linkage",
    "NTCloseness",
    "NegativeDisclosure",
    "PeopleTable",
    "PositiveDisclosure",
    "RatioCloseness",
    "RecursiveLDiversity",
    "Similarity",
    "Skewness",
    "TCloseness",
    "TableReference",
]
