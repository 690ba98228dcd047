"""Suggestions: the word that a misspelled one is, and none where following it could do harm."""

from collections.abc import Iterable

# What the papers and other tools call a role.
_ALSO_CALLED = {"qi": "quasi", "qid": "quasi", "qids": "quasi", "quasis": "quasi"}
# To follow a suggestion by mistake would switch a check off, or make the source its own release.
_ONLY_AS_WRITTEN = ("off", "in_place")
_LEAST_PREFIX = 3


def did_you_mean(word: str, options: Iterable[str]) -> str:
    """``; did you mean zip?`` where one option alone is near; nothing otherwise.

    >>> did_you_mean("quasi-identifier", ["identifier", "quasi", "sensitive", "other"])
    '; did you mean quasi?'
    >>> did_you_mean("insensitive", ["identifier", "quasi", "sensitive", "other"])
    ''
    """
    known = [option for option in options if option != word]
    plain = word.strip().lower().replace("-", "_").replace(" ", "_")
    meant = _ALSO_CALLED.get(plain)
    near = [meant] if meant in known else _nearest(plain, known)
    return f"; did you mean {near[0]}?" if len(near) == 1 else ""


def _nearest(word: str, options: list[str]) -> list[str]:
    """The options that a word may be a misspelling of, those with the fewest changes."""
    changes = {
        option: _distance(word, option) for option in options if not _is_opposite(word, option)
    }
    fewest = min(changes.values(), default=0)
    if fewest <= max(1, len(word) // 4):
        near = [name for name, count in changes.items() if count == fewest]
        return [
            name
            for name in near
            if name not in _ONLY_AS_WRITTEN or fewest == 0 or _joined(word, name)
        ]
    return [
        option
        for option in options
        if option not in _ONLY_AS_WRITTEN
        and min(len(option), len(word)) >= _LEAST_PREFIX
        and (option.startswith(word) or word.startswith(option))
    ]


def _joined(word: str, option: str) -> bool:
    """Whether they differ by their underscores alone."""
    return word.replace("_", "") == option.replace("_", "")


def _is_opposite(word: str, option: str) -> bool:
    """Whether one is the other with something before it, as insensitive is of sensitive."""
    longer, shorter = sorted((word, option), key=len, reverse=True)
    return len(longer) - len(shorter) > 1 and longer.endswith(shorter)


def _distance(word: str, other: str) -> int:
    """How many letters to add, drop, replace or swap with the next one."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for row, letter in enumerate(word, 1):
        line = [row]
        for column, counterpart in enumerate(other, 1):
            cost = min(last[column] + 1, line[-1] + 1, last[column - 1] + (letter != counterpart))
            if (
                row > 1
                and column > 1
                and letter == other[column - 2]
                and word[row - 2] == counterpart
            ):
                cost = min(cost, before[column - 2] + 1)
            line.append(cost)
        before, last = last, line
    return last[-1]
