"""YAML 1.2 as nested text with the line of each part.

Every scalar is the text it looks like: ``no`` is a column's name, ``01234`` a zip code. What a
text means (a number, a share) is decided by the policy's types, not by YAML's guesses. An alias
stands for a copy of what it names, so a short file can say a long one; how long is bounded.
"""

import re
from dataclasses import dataclass, field
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
# A tree of 10,000 values for ten columns, and not what aliases of aliases of aliases come to.
_MOST_COPIES = 100_000
TOO_MANY_COPIES = (
    f"make more than {_MOST_COPIES:,} copies of what they name. Write a long hierarchy to a file, "
    "and name the file in each column with hierarchy: {csv: ...}"
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
    parser = YAML(typ="safe", pure=True)
    # YAML lets an anchor be set again, and a warning of that would quote the file.
    parser.composer.warn_double_anchors = False
    try:
        node = parser.compose(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark
        line_text = f":{mark.line + 1}" if mark else ""
        raise PolicyError(f"{path.name}{line_text}: not YAML: {error.problem}") from None
    except YAMLError:
        raise PolicyError(f"{path.name}: not YAML") from None
    except RecursionError:
        raise PolicyError(f"{path.name}: {TOO_DEEP}") from None
    reader = _YamlReader(path.name)
    return reader.value(node, (), ()), reader.lines


def are_too_many(places: int, parts: int) -> bool:
    """Whether aliases repeat too many parts of a policy in too many places."""
    return places - parts > _MOST_COPIES


def is_too_deep(keys: Keys) -> bool:
    """Whether a part of a policy is inside of too many others."""
    return len(keys) > _MOST_LEVELS


def unsaid(text: str) -> str:
    """The reason why no database accepts a text; empty where one does."""
    if "\0" in text:
        return "a NUL character"
    # YAML and JSON can escape one by itself, which no UTF-8 spells.
    return "half of a surrogate pair" if re.search("[\ud800-\udfff]", text) else ""


@dataclass(frozen=True)
class _YamlReader:
    """A file's parts as values: the line of each key path, and the parts that were met so far."""

    file: str
    lines: dict[Keys, int] = field(default_factory=dict)
    met: set[int] = field(default_factory=set)

    def value(self, node: Node | None, keys: Keys, above: tuple[Node, ...]) -> Any:
        """The value of a part that stands at a key path, inside of the parts ``above``."""
        if node is None:
            return ""
        line = node.start_mark.line + 1
        self.lines.setdefault(keys, line)
        is_copy = id(node) in self.met
        self.met.add(id(node))
        if any(node is outer for outer in above):
            raise self._error(line, "an alias stands inside what it names")
        if is_too_deep(keys):
            raise self._error(line, TOO_DEEP)
        if are_too_many(len(self.lines), len(self.met)):
            raise self._error(line, f"aliases {TOO_MANY_COPIES}")
        if isinstance(node, ScalarNode):
            # A long text is looked through once, wherever aliases put it.
            if not is_copy and (lacking := unsaid(node.value)):
                dotted = ".".join(str(key) for key in keys)
                raise self._error(line, f"{dotted}: a text cannot hold {lacking}")
            return str(node.value)
        if isinstance(node, SequenceNode):
            return [
                self.value(item, (*keys, number), (*above, node))
                for number, item in enumerate(node.value)
            ]
        if not isinstance(node, MappingNode):
            raise self._error(line, "not a mapping, a list or a text")
        return self._mapping(node, keys, above)

    def _mapping(self, node: MappingNode, keys: Keys, above: tuple[Node, ...]) -> dict[str, Any]:
        content: dict[str, Any] = {}
        for key_node, item in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, ScalarNode):
                raise self._error(line, "a key must be a text")
            key = str(key_node.value)
            if lacking := unsaid(key):
                raise self._error(line, f"a key cannot hold {lacking}")
            if key in content:
                raise self._error(line, f"the key {key} stands twice")
            self.lines[(*keys, key)] = line
            content[key] = self.value(item, (*keys, key), (*above, node))
        return content

    def _error(self, line: int, words: str) -> PolicyError:
        return PolicyError(f"{self.file}:{line}: {words}")
