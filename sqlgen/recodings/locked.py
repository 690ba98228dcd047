"""Parts of a lock, read back with every part checked: anybody may have edited the file."""

from typing import Any

from sqlgen.policy.yaml_text import unsaid

_MOST = 2**63 - 1


def locked_count(value: Any) -> int:
    """A number of something, as JSON gives one, and nothing that could be taken for one."""
    if type(value) is not int or not 0 <= value <= _MOST:
        raise TypeError("not a number of anything")
    return value


def locked_texts(value: Any) -> dict[str, str]:
    """A mapping of texts to texts that can be written down again."""
    texts = dict(value.items())
    if any(type(text) is not str or unsaid(key + text) for key, text in texts.items()):
        raise TypeError("not a mapping of texts")
    return texts
