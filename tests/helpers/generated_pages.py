"""The parts of the documentation that are made from the program: between two comments of a page.

    <!-- generated: sqlgen schema identity -->
    <!-- end -->

holds the page of a family of guarantees, and ``sqlgen plan --help`` the help of a command.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from click.testing import CliRunner

from sqlgen.cli.main import main
from sqlgen.cli.text.guarantees import family_text
from sqlgen.guarantees import MODELS

GENERATED = re.compile(
    r"(?P<start><!-- generated: sqlgen (?P<words>[^>]*?) -->\n).*?(?P<end><!-- end -->)",
    re.DOTALL,
)
_PARAMETER = re.compile(
    r"    (?P<key>\w+), (?P<need>required|optional(?: \([^)]*\))?): (?P<what>.*)"
)


def refreshed(page: str) -> str:
    """The page with its generated parts as the program would write them now."""
    return GENERATED.sub(lambda part: part["start"] + _made(part["words"]) + part["end"], page)


def generated_parts(page: str) -> list[str]:
    """The words after ``sqlgen`` of every generated part of a page."""
    return [part["words"] for part in GENERATED.finditer(page)]


def _made(words: str) -> str:
    if words.startswith("schema ") and not words.endswith("--help"):
        return "\n" + "\n".join(_family_lines(words.removeprefix("schema "))) + "\n\n"
    arguments = words.split()
    result = CliRunner().invoke(main, arguments, prog_name="sqlgen", terminal_width=80)
    assert result.exit_code == 0, result.output
    return f"\n```text\n{result.output}```\n\n"


def _family_lines(family: str) -> Iterator[str]:
    """The page of a family of guarantees in Markdown, line by line."""
    for line in family_text(family).splitlines():
        parameter = _PARAMETER.fullmatch(line)
        text = _plain(line.strip())
        if line in MODELS:
            yield from (f"## {line}", "")
        elif parameter is not None:
            what = _plain(parameter["what"]).replace("|", "\\|")
            yield f"| `{parameter['key']}` | {parameter['need']} | {what} |"
        elif text == "Parameters:":
            yield from ("", "| parameter | needed | meaning |", "| --- | --- | --- |")
        elif text.startswith("Monotone: "):
            yield from ("", f"*{text}*")
        else:
            yield text


def _plain(text: str) -> str:
    """A text without what Markdown would take for emphasis."""
    return text.replace("*", "\\*")
