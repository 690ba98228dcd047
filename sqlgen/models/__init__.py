"""The guarantees a policy can ask for."""

from sqlgen.models.attacks import (
    ATTACKS,
    BackgroundKnowledge,
    Concentration,
    Homogeneity,
    Linkage,
    Similarity,
    Skewness,
)
from sqlgen.models.belief import (
    BELIEF,
    Belief,
    BeliefBreach,
    NegativeDisclosure,
    PositiveDisclosure,
)
from sqlgen.models.closeness import CLOSENESS, NTCloseness, RatioCloseness, TCloseness
from sqlgen.models.diversity import (
    DIVERSITY,
    DistinctLDiversity,
    EntropyLDiversity,
    RecursiveLDiversity,
)
from sqlgen.models.guarantee import Counted, Counts, Guarantee, PeopleTable, Scope, TableReference
from sqlgen.models.identity import IDENTITY, AlphaKAnonymity, KAnonymity
from sqlgen.models.likeness import LIKENESS, BetaLikeness, DeltaDisclosure
from sqlgen.models.presence import PRESENCE, DeltaPresence, KMap

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
    "Counted",
    "Counts",
    "DeltaDisclosure",
    "DeltaPresence",
    "DistinctLDiversity",
    "EntropyLDiversity",
    "Guarantee",
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
    "Scope",
    "Similarity",
    "Skewness",
    "TCloseness",
    "TableReference",
]
