"""The guarantees a policy can ask for."""

from sqlgen.models.guarantee import Guarantee
from sqlgen.models.identity import KAnonymity

MODELS: dict[str, type[Guarantee]] = {model.name: model for model in (KAnonymity,)}

__all__ = ["MODELS", "Guarantee", "KAnonymity"]
