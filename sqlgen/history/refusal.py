"""Why a release is not published beside others: which releases, which rule, how many rows.

Names of releases and columns and counts are in it, and never a value.
"""

from collections.abc import Sequence

from sqlgen.history.joint import Joint
from sqlgen.wording import counted

MADE = "this release"
_NAMED = 3


def refusal_words(joint: Joint) -> str:
    """Why the policy lets no release be made like this, and what could be done."""
    return (
        f"Stopped: {_exposure(joint)} The release is good by itself. To publish all the same: "
        "joint: warn"
    )


def warning_words(joint: Joint) -> str:
    """What a release gives away that was published all the same."""
    return f"Warning: {_exposure(joint)} It was published all the same: joint: warn"


def _exposure(joint: Joint) -> str:
    """Which rows releases expose together, or why that cannot be told."""
    reasons = [*_told_apart(joint), *_left_with(joint), *_differences(joint)]
    told = []
    if reasons:
        others = [_name(release) for release in joint.releases if release != MADE]
        told.append(
            f"together with {_listed(others)} this release could identify people: "
            f"{'; '.join(reasons)}."
        )
    whys = dict.fromkeys(why for _, why in joint.unjudged)
    unread = [
        f"{_listed([_name(words) for words, each in joint.unjudged if each == why])}: {why}"
        for why in whys
    ]
    if unread:
        told.append(f"this release cannot be judged together with {'; '.join(unread)}.")
    return " And ".join(told)


def _told_apart(joint: Joint) -> list[str]:
    """Rows that too few others share all their classes with."""
    return [
        f"{counted(siz.rows_below, 'row')} would share the same classes in all of them with fewer "
        f"than k = {siz.required} {'rows' if siz.unit is None else f'persons ({siz.unit})'}, "
        f"at the least {siz.fewest}"
        for siz in joint.sizes
        if siz.rows_below
    ]


def _left_with(joint: Joint) -> list[str]:
    """Rows that too few sensitive values are left for."""
    told = []
    for value in joint.values:
        if not value.rows_below:
            continue
        lacking = (
            f"; in {counted(value.rows_without, 'row')} of these the releases contradict each other"
            if value.rows_without
            else ""
        )
        told.append(
            f"{counted(value.rows_below, 'row')} would have fewer than l = {value.required} values "
            f"of {value.column} left that all their classes hold, at the least {value.fewest}"
            f"{lacking}"
        )
    return told


def _differences(joint: Joint) -> list[str]:
    """Rows that the difference of two releases exposes."""
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
    """What to call a release, with its target in parentheses."""
    number, comma, target = words.partition(", ")
    return f"{number} ({target})" if comma and number.startswith("release ") else words
