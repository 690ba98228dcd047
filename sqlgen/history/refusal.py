"""Messages on releases that are read together: which releases, which guarantee, how many rows.

They name releases, columns and counts, and never a cell value.
"""

from collections.abc import Sequence

from sqlgen.history.joint import Joint
from sqlgen.wording import counted

MADE = "this release"
_NAMED = 3


def refusal_words(joint: Joint) -> str:
    """The message that stops a release: the reason, and how to publish it all the same."""
    return (
        f"Stopped: {_exposure(joint)} The release is good by itself. To publish all the same: "
        "joint: warn"
    )


def warning_words(joint: Joint) -> str:
    """The warning on a release that was published all the same, because of ``joint: warn``."""
    return f"Warning: {_exposure(joint)} It was published all the same: joint: warn"


def _exposure(joint: Joint) -> str:
    """The rows that releases expose together, or the reason why these cannot be counted."""
    reasons = [*_few_rows(joint), *_few_values(joint), *_differences(joint)]
    sentences = []
    if reasons:
        others = [_name(release) for release in joint.releases if release != MADE]
        sentences.append(
            f"together with {_listed(others)} this release could identify people: "
            f"{'; '.join(reasons)}."
        )
    unread: dict[str, list[str]] = {}
    for words, reason in joint.unjudged:
        unread.setdefault(reason, []).append(_name(words))
    if unread:
        parts = [f"{_listed(names)}: {reason}" for reason, names in unread.items()]
        sentences.append(f"this release cannot be judged together with {'; '.join(parts)}.")
    return " And ".join(sentences)


def _few_rows(joint: Joint) -> list[str]:
    """A phrase per unit: the rows with too few candidates, in rows or persons."""
    return [
        f"{counted(size.rows_below, 'row')} would share the same classes in all of them with fewer "
        f"than k = {size.required} {'rows' if size.unit is None else f'persons ({size.unit})'}, "
        f"at the least {size.fewest}"
        for size in joint.sizes
        if size.rows_below
    ]


def _few_values(joint: Joint) -> list[str]:
    """A phrase per sensitive column: the rows with too few candidate values."""
    phrases = []
    for value in joint.values:
        if not value.rows_below:
            continue
        contradicting = (
            f"; in {counted(value.rows_without, 'row')} of these the releases contradict each other"
            if value.rows_without
            else ""
        )
        phrases.append(
            f"{counted(value.rows_below, 'row')} would have fewer than l = {value.required} values "
            f"of {value.column} left that all their classes hold, at the least {value.fewest}"
            f"{contradicting}"
        )
    return phrases


def _differences(joint: Joint) -> list[str]:
    """A phrase per pair of releases: the rows that their difference exposes."""
    return [
        f"the difference between {_name(difference.earlier)} and {_name(difference.later)} "
        f"would expose {counted(difference.exposed_rows, 'row')} (came "
        f"{difference.rows_came:,}, went {difference.rows_went:,}), in groups of fewer than k "
        "rows or l values"
        for difference in joint.differences
        if difference.exposed_rows
    ]


def _listed(names: Sequence[str]) -> str:
    if len(names) <= _NAMED:
        return " and ".join(names)
    return f"{', '.join(names[:_NAMED])} and {counted(len(names) - _NAMED, 'more release')}"


def _name(words: str) -> str:
    """The name of a release with its target in parentheses."""
    number, comma, target = words.partition(", ")
    return f"{number} ({target})" if comma and number.startswith("release ") else words
