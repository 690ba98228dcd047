"""The tree of illnesses that releases read together, and nights, are drawn over."""

from __future__ import annotations

from oracle_joint import ILLS

ORGANS: dict[str, list[str]] = {
    organ: [ill for ill, of in ILLS.items() if of == organ]
    for organ in dict.fromkeys(ILLS.values())
}
