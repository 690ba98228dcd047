"""YAML 1.2 as nested text with the line of each part.

Every scalar is the text it looks like: ``no`` is a column's name, ``01234`` a zip code. What a
text means (a number, a share) is decided by the policy's types, not by YAML's guesses.
"""

import re
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from sqlgen.errors import PolicyError

Keys = tuple[str | int, ...]

# Far more than any tree of values has, and far less than what Python can go down.
_MOST_LEVELS = 100
TOO_DEEP = (
    f"nested too deeply; no part of a policy may be inside of more than {_MOST_LEVELS} others"
)


def read_yaml(path: Path) -> tuple[Any, dict[Keys, int]]:
    """The file's content as dicts, lists and texts, and the line of each key path."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise PolicyError(f"{path}: there is no such file") from None
    except OSError as error:
        raise PolicyError(f"{path}: cannot be read ({type(error).__name__})") from None
    try:
        text = content.decode("utf-8-sig")
        wrong = text.find("\0")
        start = len(text[:wrong].encode()) if wrong >= 0 else -1
    except UnicodeDecodeError as error:
        start = error.start
    if start >= 0:
        line = content[:start].count(b"\n") + 1
        raise PolicyError(
            f"{path.name}:{line}: the file is not UTF-8 text. Save it as UTF-8 and run again"
        )
    try:
        node = YAML(typ="safe", pure=True).compose(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark
        line_text = f":{mark.line + 1}" if mark else ""
        raise PolicyError(f"{path.name}{line_text}: not YAML: {error.problem}") from None
    except YAMLError:
        raise PolicyError(f"{path.name}: not YAML") from None
    except RecursionError:
        raise PolicyError(f"{path.name}: {TOO_DEEP}") from None
    lines: dict[Keys, int] = {}
    return _value(node, (), lines, path.name, ()), lines


def is_too_deep(keys: Keys) -> bool:
    """Whether a part of a policy is inside of too many others."""
    return len(keys) > _MOST_LEVELS


def unsaid(text: str) -> str:
    """What a text holds that no database could be told; nothing where it can be."""
    if "\0" in text:
        return "a NUL character"
    # YAML and JSON can escape one by itself, which no UTF-8 spells.
    return "half of a surrogate pair" if re.search("[\ud800-\udfff]", text) else ""


def _value(
    node: Node | None, keys: Keys, lines: dict[Keys, int], file: str, above: tuple[Node, ...]
) -> Any:
    if node is None:
        return ""
    line = node.start_mark.line + 1
    lines.setdefault(keys, line)
    if any(node is outer for outer in above):
        raise PolicyError(f"{file}:{line}: an alias stands inside what it names")
    if is_too_deep(keys):
        raise PolicyError(f"{file}:{line}: {TOO_DEEP}")
    if isinstance(node, ScalarNode):
        if lacking := unsaid(node.value):
            dotted = ".".join(str(key) for key in keys)
            raise PolicyError(f"{file}:{line}: {dotted}: a text cannot hold {lacking}")
        return str(node.value)
    if isinstance(node, SequenceNode):
        return [
            _value(item, (*keys, number), lines, file, (*above, node))
            for number, item in enumerate(node.value)
        ]
    if not isinstance(node, MappingNode):
        raise PolicyError(f"{file}:{line}: not a mapping, a list or a text")
    content: dict[str, Any] = {}
    for key_node, item in node.value:
        key_line = key_node.start_mark.line + 1
        if not isinstance(key_node, ScalarNode):
            raise PolicyError(f"{file}:{key_line}: a key must be a text")
        key = str(key_node.value)
        if lacking := unsaid(key):
            raise PolicyError(f"{file}:{key_line}: a key cannot hold {lacking}")
        if key in content:
            raise PolicyError(f"{file}:{key_line}: the key {key} stands twice")
        lines[(*keys, key)] = key_line
        content[key] = _value(item, (*keys, key), lines, file, (*above, node))
    return content
