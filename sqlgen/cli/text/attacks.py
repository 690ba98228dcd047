"""The printed form of attacks: a clause that says what an attacker could do, people first."""

from sqlgen.guarantees import BackgroundKnowledge, Guarantee, Homogeneity, Linkage, Similarity


def attack_words(attack: Guarantee) -> str:
    """An attack as the rest of a sentence that begins with "an attacker".

    >>> attack_words(Homogeneity(column="disease", at_most="0"))
    'knows disease, as all of a class share one value'
    """
    columns = " and ".join(attack.judged_columns)
    if isinstance(attack, Homogeneity):
        return f"knows {columns}, as all of a class share one value"
    if isinstance(attack, BackgroundKnowledge):
        values = "one value" if attack.excluded == 1 else f"{attack.excluded} values"
        return f"who can rule out {values} knows {columns}"
    if isinstance(attack, Similarity):
        at = "group" if attack.level is None else f"label of level {attack.level}"
        return f"knows the {at} of {columns}"
    if isinstance(attack, Linkage):
        sure = f" with a confidence above {attack.above}" if attack.above else ""
        return f"links known persons to rows{sure} ({attack.risk})"
    return f"succeeds by {attack.title}"
