"""The guarantees a policy can ask for."""

from sqlgen.models.attacks import ATTACKS, BackgroundKnowledge, Homogeneity, Similarity, Skewness
from sqlgen.models.closeness import CLOSENESS, RatioCloseness, TCloseness
from sqlgen.models.diversity import (
    DIVERSITY,
    DistinctLDiversity,
    EntropyLDiversity,
    RecursiveLDiversity,
)
from sqlgen.models.guarantee import Guarantee, Scope, TableReference
from sqlgen.models.identity import IDENTITY, AlphaKAnonymity, KAnonymity
from sqlgen.models.likeness import LIKENESS, BetaLikeness, DeltaDisclosure

MODELS: dict[str, type[Guarantee]] = {
    model.name: model for model in (*IDENTITY, *DIVERSITY, *CLOSENESS, *LIKENESS, *ATTACKS)
}

__all__ = [
    "MODELS",
    "AlphaKAnonymity",
    "BackgroundKnowledge",
    "BetaLikeness",
    "DeltaDisclosure",
    "DistinctLDiversity",
    "EntropyLDiversity",
    "Guarantee",
    "Homogeneity",
    "KAnonymity",
    "RatioCloseness",
    "RecursiveLDiversity",
    "Scope",
    "Similarity",
    "Skewness",
    "TCloseness",
    "TableReference",
]
